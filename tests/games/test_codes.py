"""Code games: codes, feedback and its notations, symbols, limits, equality."""

from __future__ import annotations

import itertools
import math
import pickle
import re
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.games.headers import refuses_header

# Pegs, colours, and whether symbols may repeat.
SIZES = [
    *itertools.product((1, 2, 3, 4), (1, 2, 3, 4), (True,)),
    *[(pegs, colors, False) for pegs in range(1, 5) for colors in range(pegs, 6)],
    (5, 2, True),
    (5, 3, True),
    (5, 5, False),
]
GAMES = [
    gb.Mastermind(1, 1),
    gb.Mastermind(4, 6),
    gb.Mastermind(3, 5, symbols="xyzαβ"),
    gb.Mastermind(1, 4, repeats=False),
    gb.Mastermind(3, 3, repeats=False),
    gb.Mastermind(4, 6, repeats=False),
]
MASTERMIND = gb.Mastermind(4, 6)
BULLS_AND_COWS = gb.Mastermind(4, 10, repeats=False)


def black_and_white(guess: str, secret: str) -> tuple[int, int]:
    """Count pegs by crossing out: first the symbols in place, then each other symbol once."""
    rest = [(a, b) for a, b in zip(guess, secret, strict=True) if a != b]
    left = [b for _, b in rest]
    for symbol, _ in rest:
        if symbol in left:
            left.remove(symbol)
    return len(guess) - len(rest), len(rest) - len(left)


def notations(pegs: int, black: int, white: int) -> list[object]:
    """Return all notations of a feedback."""
    grey = pegs - black - white
    forms: list[object] = [
        *[f"{black}{between}{white}" for between in (",", ", ", " ", "-", "/", ".")],
        *[f" {black}{a}{white}{b} " for a, b in ("bw", "BW", "aB", "BC")],
        f"{black} black {white} white",
        f"{white} Whites, {black} blacks",
        f"{black} black pegs and {white} white pegs",
        f"{black} bulls {white} cows",
        f"{black},{white},{grey}",
        "●" * black + "○" * white + "·" * grey,
        "." * grey + "w" * white + "B" * black,
        (black, white),
        [black, white, grey],
    ]
    # With 2 pegs, two digits are ambiguous.
    if pegs != 2:
        digits = "2" * black + "1" * white + "0" * grey
        forms += [digits, digits[::-1], f"{black}{white}"]
    return forms


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_guesses_are_all_codes_in_order_of_symbols(game: gb.Mastermind) -> None:
    product = itertools.product(game.symbols, repeat=game.pegs)
    codes = ["".join(code) for code in product if game.repeats or len(set(code)) == game.pegs]
    guesses = game.guesses
    assert list(guesses) == guesses[:] == codes
    assert (len(guesses), game.secrets) == (len(codes), guesses)
    for index, code in enumerate(codes):
        assert guesses[index] == guesses[index - len(codes)] == code
        assert guesses.index(code) == index
        assert game.parse_code(code) == game.parse_code(tuple(code)) == index
        assert [game.symbols[rank] for rank in game.digits(index)] == list(code)
    assert codes[0] in guesses
    for absent in (codes[0] + codes[0], "?" * game.pegs, 5):
        assert absent not in guesses
    for index in (len(codes), -len(codes) - 1):
        with pytest.raises(IndexError):
            guesses[index]
    with pytest.raises(ValueError, match="is not a code"):
        guesses.index(codes[0], 1)
    with pytest.raises(ValueError, match="is not a code"):
        guesses.index(codes[-1], 0, len(codes) - 1)


@pytest.mark.parametrize("size", SIZES)
def test_exactly_the_possible_feedbacks_are_read_in_every_notation(
    size: tuple[int, int, bool],
) -> None:
    game = gb.Mastermind(*size)
    pegs = game.pegs
    # The order of the symbols in a guess does not change the possible feedbacks.
    guesses = {"".join(sorted(guess)) for guess in game.guesses}
    possible = {black_and_white(*pair) for pair in itertools.product(guesses, game.secrets)}
    numbers = {(black + white) * (pegs + 1) + black: (black, white) for black, white in possible}
    for black, white in itertools.product(range(-1, pegs + 2), repeat=2):
        forms = notations(pegs, black, white)
        if min(black, white) < 0:  # `0 -1` would be read as 0 and 1
            forms = [(black, white), f"{black},{white}"]
        for form in forms:
            if (black, white) in possible:
                assert numbers[game.parse_feedback(form)] == (black, white)
            else:
                with pytest.raises(gb.InvalidFeedbackError):
                    game.parse_feedback(form)
    for number in range(-9, game.feedbacks + 9):
        assert game.is_possible(number) is (number in numbers)
        if number in numbers:
            assert game.plain_feedback(number) == numbers[number]
            assert game.format_feedback(number) == "{},{}".format(*numbers[number])
        else:
            with pytest.raises(gb.InvalidFeedbackError):
                game.format_feedback(number)
    assert numbers[game.solved] == (pegs, 0)
    assert game.feedbacks == game.solved + 1


@given(st.data())
def test_feedback_matches_counting_by_crossing_out(data: st.DataObject) -> None:
    repeats = data.draw(st.booleans())
    pegs = data.draw(st.integers(1, 6))
    game = gb.Mastermind(pegs, data.draw(st.integers(1 if repeats else pegs, 12)), repeats)
    index = st.integers(0, len(game.guesses) - 1)
    guess, secret = game.guesses[data.draw(index)], game.guesses[data.draw(index)]
    pegs_found = black_and_white(guess, secret)
    found = game.feedback(guess.lower(), " ".join(secret))
    assert (found, found.black, found.white) == (pegs_found, *pegs_found)
    number = game.feedback_number(guess, secret)
    assert game.parse_feedback(found) == game.parse_feedback(str(found)) == number
    assert (number == game.solved) is (guess == secret)
    for notation in notations(pegs, *found):
        assert game.parse_feedback(notation) == number


ONE_PEG = gb.Mastermind(1, 3, repeats=False)
TWO_PEGS = gb.Mastermind(2, 6)


@pytest.mark.parametrize(
    ("game", "text", "meaning"),
    [
        (MASTERMIND, "0", "0,0"),
        (MASTERMIND, "2", None),
        (MASTERMIND, "2 white", "0,2"),
        (MASTERMIND, "2 black", "2,0"),
        (MASTERMIND, "black", "1,0"),
        (MASTERMIND, "Black, white white", "1,2"),
        (MASTERMIND, "black and white", "1,1"),
        (BULLS_AND_COWS, "bull cow", "1,1"),
        (BULLS_AND_COWS, "Cow, bull, and cow", "1,2"),
        (MASTERMIND, "none", "0,0"),
        (MASTERMIND, "2w1b", "1,2"),
        (MASTERMIND, "1b 2w", "1,2"),
        (MASTERMIND, "1B, 2 W", "1,2"),
        (MASTERMIND, "⚪\ufe0f⚫", "1,1"),
        (BULLS_AND_COWS, "2B1A", "1,2"),
        (BULLS_AND_COWS, "2 C, 1 B", "1,2"),
        (MASTERMIND, "1B", "1,0"),
        (MASTERMIND, "1W", "0,1"),
        (BULLS_AND_COWS, "0B", "0,0"),
        (BULLS_AND_COWS, "1B", None),
        (BULLS_AND_COWS, " 4B ", None),
        (BULLS_AND_COWS, "1A", "1,0"),
        (BULLS_AND_COWS, "1C", "0,1"),
        (ONE_PEG, "1B", "1,0"),
        (ONE_PEG, "2", "1,0"),
        (TWO_PEGS, "0", "0,0"),
        (TWO_PEGS, "00", "0,0"),
        (TWO_PEGS, "01", "0,1"),
        (TWO_PEGS, "22", "2,0"),
        (TWO_PEGS, "10", None),
        (TWO_PEGS, "02", None),
        (TWO_PEGS, "20", None),
        (gb.Mastermind(15, 2), "10,0", "10,0"),
        (gb.Mastermind(15, 2), "1 2 12", "1,2"),
    ],
)
def test_short_feedback_is_read_unless_it_is_ambiguous(
    game: gb.Mastermind, text: str, meaning: str | None
) -> None:
    if meaning is None:
        with pytest.raises(gb.InvalidFeedbackError, match="may be"):
            game.parse_feedback(text)
    else:
        assert game.format_feedback(game.parse_feedback(text)) == meaning


NONSENSE = """ |1|1,1,1|5,0|3,1|-1,2|1;1|0013|00122|1,1,2,0|BWX|1B1|x|BWBWB|0X12|001|B1|111,1|9
1 black 2 blacks|1 black 2|and|black and|1 grey|100,0|1,1,100""".replace("\n", "|").split("|")


@pytest.mark.parametrize(
    "feedback",
    ["", *NONSENSE, None, 3, 1.5, (1,), (1, 1.0), ("1", "1"), (1, True), {}, (9, -7, 2)],
)
def test_invalid_feedback_of_codes_is_rejected(feedback: object) -> None:
    with pytest.raises(gb.InvalidFeedbackError, match="feedback"):
        MASTERMIND.parse_feedback(feedback)


@pytest.mark.parametrize("number", [True, 1.0, "11", None])
def test_number_of_a_feedback_must_be_an_integer(number: Any) -> None:
    with pytest.raises(gb.InvalidFeedbackError):
        MASTERMIND.format_feedback(number)


@pytest.mark.parametrize("size", SIZES)
def test_error_gives_examples_of_a_possible_feedback(size: tuple[int, int, bool]) -> None:
    game = gb.Mastermind(*size)
    with pytest.raises(gb.InvalidFeedbackError) as caught:
        game.parse_feedback("?")
    examples = re.findall("'([^']*)'", str(caught.value).partition("such as")[2])
    # The last example has a digit for each peg. With 2 pegs, it would be read as two numbers.
    (number,) = {game.parse_feedback(example) for example in examples[: 5 - (game.pegs == 2)]}
    assert (len(examples), len(examples[-1])) == (5, game.pegs)
    assert game.is_possible(number)


def test_long_feedback_is_rejected_without_backtracking() -> None:
    # Only the end of a process can stop a search with a regular expression.
    code = """
import guessbook as gb
try:
    gb.Mastermind(4, 6).parse_feedback("1" + " " * 300_000 + "x")
except gb.InvalidFeedbackError as error:
    print(error)
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, check=True, text=True, timeout=60)
    assert done.stdout.startswith("'1  ")


@given(st.sampled_from(SIZES), st.data())
def test_code_is_read_in_any_case_and_with_separators(
    size: tuple[int, int, bool], data: st.DataObject
) -> None:
    game = gb.Mastermind(*size)
    index = data.draw(st.integers(0, len(game.guesses) - 1))
    code = game.guesses[index]
    for form in (code, code.lower(), tuple(code), list(code.lower()), f" {', '.join(code)},"):
        assert game.parse_code(form) == index
    wrong: list[Any] = [code + code[0], code[1:], code[1:] + "?", [*code[1:], code[0] * 2]]
    for form in (*wrong, [3, *code[1:]], None, code.encode()):
        with pytest.raises(gb.InvalidCodeError):
            game.parse_code(form)


@pytest.mark.parametrize(
    ("symbols", "code", "index"),
    [
        ("ab", "BA", 2),
        ("aBb", "bA", 6),
        ("XY", "xY", 1),
        ("aA", "aa", 0),
        ("aA", "AA", 3),
        ("RY", "ＲY", None),
        ("ßa", "SSa", None),
    ],
)
def test_case_matters_only_if_both_cases_are_symbols(
    symbols: str, code: str, index: int | None
) -> None:
    game = gb.Mastermind(2, len(symbols), symbols=symbols)
    if index is None:
        with pytest.raises(gb.InvalidCodeError):
            game.parse_code(code)
    else:
        assert game.parse_code(code) == index


@pytest.mark.parametrize(
    "code",
    ["red blue star", "RE,bl,st", "r b s", "rbs", "r bs", ("red", "b", "S")],
)
def test_symbols_are_read_by_name(code: Any) -> None:
    names = ["red", "blue", "star"]
    game = gb.Mastermind(3, 3, symbols="RBS", names=names)
    assert game.guesses[game.parse_code(code)] == "RBS"
    assert game.display_name("RBS") == "red blue star"
    for wrong in ("red blue", "redbluestar", "red blue stars", "red blue  "):
        with pytest.raises(gb.InvalidCodeError):
            game.parse_code(wrong)
    assert gb.Mastermind(1, 3, symbols="RBS", names=names).parse_code("blue") == 1
    longer = gb.Mastermind(1, 2, symbols="RX", names=["red", "redder"])
    assert [longer.parse_code(name) for name in ("red", "redd")] == [0, 1]


def test_name_may_have_all_visible_characters_but_two() -> None:
    visible = [chr(k) for k in range(ord("!"), 127) if chr(k) not in "=,"]
    names = ["".join(visible[k::5]) for k in range(5)]
    assert gb.Mastermind(1, 5, names=names).display_name("G") == names[2]
    for wrong in " =,":
        with pytest.raises(gb.InvalidGameError):
            gb.Mastermind(1, 5, names=[*names[:4], f"a{wrong}b"])


@pytest.mark.parametrize("code", ["aa", "Aa"])
def test_repeated_symbol_is_rejected_without_repeats(code: str) -> None:
    with pytest.raises(gb.InvalidCodeError):
        gb.Mastermind(2, 3, False, "abc").parse_code(code)


@pytest.mark.parametrize(
    "arguments",
    [
        *[(0, 6), (16, 1), (16, 2), (4, 0), (1, 37), (5, 4, False), (8, 17), (8, 36, False)],
        *[(9, 13), (15, 36), (15, 36, False), (4.0, 6), ("4", 6), (True, 6), (4, 6.0), (4, True)],
        *[(None, 6), (4, 6, 1), (4, 6, None), (4, 6, True, list("RYGBOP")), (4, 6, True, 6)],
        *[(4, 6, True, symbols) for symbols in ("RYGBO", "RRGBOP", b"RYGBOP", "RYGBOPW")],
        *[(2, 2, True, f"R{symbol}") for symbol in "=, \n\u200b\u3000"],
    ],
    ids=repr,
)
def test_impossible_games_are_rejected(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(gb.InvalidGameError):
        gb.Mastermind(*arguments)


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        ((15, 1), 1),
        ((15, 2), 1 << 15),
        ((1, 36), 36),
        ((1, 36, False), 36),
        ((8, 16), 1 << 32),
        ((9, 13, False), math.perm(13, 9)),
    ],
)
def test_largest_games_of_codes_are_accepted(arguments: tuple[Any, ...], codes: int) -> None:
    game = gb.Mastermind(*arguments)
    assert (len(game.guesses), game.length) == (codes, arguments[0])


def test_default_symbols_are_colors_or_digits() -> None:
    assert MASTERMIND.symbols == "RYGBOP"
    assert BULLS_AND_COWS.symbols == "0123456789"
    assert sorted(gb.Mastermind(1, 36).symbols) == list(gb.Mastermind(1, 36, False).symbols)


def test_code_games_are_equal_if_and_only_if_rules_and_symbols_are() -> None:
    games = [gb.Mastermind(*size) for size in SIZES]
    games += [gb.Mastermind(3, 3, symbols=symbols) for symbols in ("xyz", "xzy")]
    games += [gb.Mastermind(2, 2, True, "ab", names) for names in (["ape", "bee"], ["ant", "bat"])]
    for place, game in enumerate(games):
        copies = [eval(repr(game), {"Mastermind": gb.Mastermind}), pickle.loads(pickle.dumps(game))]
        for copy in [*copies, gb.Mastermind.from_header(game.header())]:
            assert [copy == other for other in games] == [k == place for k in range(len(games))]
            assert hash(copy) == hash(game)
        assert game != game.header()
    assert len(set(map(hash, games))) > len(games) / 2


@pytest.mark.parametrize("key", ["pegs", "colors", "repeats", "symbols", "type"])
def test_invalid_header_of_a_code_game_is_rejected(key: str) -> None:
    for value in (None, -1, 10**9, 1.5, "", "chess", [4], *[True] * (key != "repeats")):
        refuses_header({**MASTERMIND.header(), key: value})

"""Code games: codes and their indices, feedback and its notations, limits."""

from __future__ import annotations

import itertools
import pickle
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import (
    InvalidBookError,
    InvalidCodeError,
    InvalidFeedbackError,
    InvalidGameError,
    Mastermind,
    UsageError,
    game_from_header,
    parse_history,
)
from guessbook.book.games.codes import COLORS, DIGITS

GAMES = [
    Mastermind(1, 1),
    Mastermind(2, 3),
    Mastermind(4, 6),
    Mastermind(3, 5, symbols="xyzαβ"),
    Mastermind(1, 4, repeats=False),
    Mastermind(3, 3, repeats=False),
    Mastermind(4, 6, repeats=False),
    Mastermind(3, 7, repeats=False),
]
by_name = pytest.mark.parametrize("game", GAMES, ids=repr)


def slow_feedback(guess: str, secret: str) -> tuple[int, int]:
    """Black and white pegs by crossing out: the rule as it is told to a child."""
    left_guess, left_secret = list(guess), list(secret)
    black = white = 0
    for k in range(len(guess)):
        if guess[k] == secret[k]:
            black += 1
            left_guess[k] = left_secret[k] = ""
    for symbol in filter(None, left_guess):
        if symbol in left_secret:
            white += 1
            left_secret[left_secret.index(symbol)] = ""
    return black, white


@st.composite
def game_and_codes(draw: st.DrawFn, codes: int = 2) -> tuple[Mastermind, list[str]]:
    """A game of any size that is allowed, and some of its codes."""
    repeats = draw(st.booleans())
    pegs = draw(st.integers(1, 6))
    colors = draw(st.integers(1 if repeats else pegs, 12))
    game = Mastermind(pegs, colors, repeats)
    index = st.integers(0, len(game.guesses) - 1)
    return game, [game.guesses[draw(index)] for _ in range(codes)]


@by_name
def test_codes_are_all_codes_in_order(game: Mastermind) -> None:
    """The guesses are every code of the game once, in lexicographic order of the symbols."""
    product = itertools.product(game.symbols, repeat=game.pegs)
    codes = ["".join(code) for code in product if game.repeats or len(set(code)) == game.pegs]
    assert list(game.guesses) == codes
    assert len(game.guesses) == len(codes)
    assert game.secrets is game.guesses


@by_name
def test_every_code_goes_to_its_index_and_back(game: Mastermind) -> None:
    """`guesses[i]`, `guesses.index` and `parse_code` agree on every code."""
    for index, code in enumerate(game.guesses):
        assert game.guesses[index] == code
        assert game.guesses.index(code) == index
        assert game.parse_code(code) == index
        assert game.parse_code(tuple(code)) == index
        assert code in game.guesses


@given(game_and_codes())
def test_feedback_is_that_of_crossing_out(drawn: tuple[Mastermind, list[str]]) -> None:
    """The feedback number stands for the black and white pegs of the slow rule."""
    game, (guess, secret) = drawn
    number = game.feedback_number(guess, secret)
    assert game.plain_feedback(number) == slow_feedback(guess, secret)
    assert 0 <= number < game.feedbacks
    assert (number == game.solved) == (guess == secret)


@given(game_and_codes())
def test_feedback_is_symmetric(drawn: tuple[Mastermind, list[str]]) -> None:
    """Guess and secret may change places."""
    game, (guess, secret) = drawn
    assert game.feedback_number(guess, secret) == game.feedback_number(secret, guess)


@given(game_and_codes())
def test_every_notation_means_the_same(drawn: tuple[Mastermind, list[str]]) -> None:
    """Two or three numbers, letters, drawn pegs, a digit a peg, and tuples are one feedback."""
    game, (guess, secret) = drawn
    number = game.feedback_number(guess, secret)
    black, white = game.plain_feedback(number)
    grey = game.pegs - black - white
    digits = "2" * black + "1" * white + "0" * grey
    notations: list[object] = [
        f"{black},{white}",
        f" {black}, {white} ",
        f"{black} {white}",
        f"{black},{white},{grey}",
        f"{black}B{white}W",
        f"{black}b{white}w",
        f"{black}-{white}",
        f"{black}.{white}",
        f"{black} black {white} white",
        f"{white} Whites, {black} blacks",
        f"{black} black pegs and {white} white pegs",
        f"{black} bulls {white} cows",
        f"{black}A{white}B",
        f"{black}B{white}C",
        "●" * black + "○" * white + "·" * grey,
        "." * grey + "w" * white + "b" * black,
        (black, white),
        [black, white, grey],
        game.format_feedback(number),
    ]
    # Of 2 pegs they may mean two things.
    if game.pegs != 2:
        notations += [digits, digits[::-1]]
        notations += [f"{black}{white}"] if max(black, white) < 10 else []
    assert {game.parse_feedback(notation) for notation in notations} == {number}


def test_a_lone_number_is_asked_back() -> None:
    """Of `2` both readings are named; it is read where the game gives one of them alone."""
    for game, readings in (
        (Mastermind(4, 6), r"2,0 \(black alone\) or 0,2 \(white alone\); write"),
        (Mastermind(4, 10, repeats=False), r"2,0 \(bulls alone\) or 0,2 \(cows alone\); write"),
    ):
        with pytest.raises(InvalidFeedbackError, match=f"'2', which may be {readings}"):
            game.parse_feedback("2")
        assert game.parse_feedback("0") == game.parse_feedback("0,0")
        assert game.parse_feedback("2 white") == game.parse_feedback("0,2")
    for text in ("1 black 2 blacks", "1 black 2", "1 grey", "9"):
        with pytest.raises(InvalidFeedbackError, match="expected"):
            Mastermind(4, 6).parse_feedback(text)


def test_two_digits_of_two_pegs() -> None:
    """They count where one reading is possible, and are asked back where both are."""
    game = Mastermind(2, 6)
    read = {text: game.format_feedback(game.parse_feedback(text)) for text in ("00", "01", "22")}
    assert read == {"00": "0,0", "01": "0,1", "22": "2,0"}
    for text in ("10", "02", "20"):
        with pytest.raises(InvalidFeedbackError, match="which may be"):
            game.parse_feedback(text)


@given(game_and_codes(), st.sampled_from([" ", ",", ", "]))
def test_a_code_may_be_spelled_out(drawn: tuple[Mastermind, list[str]], between: str) -> None:
    """Spaces and commas between its symbols do not count."""
    game, (guess, _) = drawn
    assert game.guesses[game.parse_code(between.join(guess))] == guess


@by_name
def test_exactly_the_possible_feedbacks_are_accepted(game: Mastermind) -> None:
    """`parse_feedback` takes what some pair of codes gives, and refuses every other pair."""
    possible = {slow_feedback(game.guesses[0], secret) for secret in game.secrets}
    # Without repeats all codes look alike to the game; with them, ask the most varied guesses too.
    for guess in game.guesses[:: max(1, len(game.guesses) // 40)]:
        possible |= {slow_feedback(guess, secret) for secret in game.secrets}
    for black, white in itertools.product(range(game.pegs + 2), repeat=2):
        if (black, white) in possible:
            assert game.plain_feedback(game.parse_feedback((black, white))) == (black, white)
        else:
            with pytest.raises(InvalidFeedbackError):
                game.parse_feedback((black, white))


@pytest.mark.parametrize(
    "feedback",
    [
        "",
        "1",
        "1,1,1",
        "5,0",
        "3,1",
        "-1,2",
        "1;1",
        "0013",
        "00122",
        "1,1,2,0",
        "BWX",
        "1B1",
        "x",
        "BWBWB",
    ],
)
def test_nonsense_feedback_is_refused(feedback: str) -> None:
    """A wrong sum, 3 black and 1 white, or another notation is InvalidFeedbackError."""
    with pytest.raises(InvalidFeedbackError, match="found feedback"):
        Mastermind(4, 6).parse_feedback(feedback)


@pytest.mark.parametrize(
    ("feedback", "readings"),
    [("1B", "1,0 .* 0,1 "), ("2b", "2,0 .* 0,2 "), (" 4B ", "4,0 .* 0,4 ")],
)
def test_a_lone_b_is_not_guessed(feedback: str, readings: str) -> None:
    """Without repeats B are bulls, or cows as in 1A2B: both readings are named, none is taken."""
    with pytest.raises(InvalidFeedbackError, match=readings):
        Mastermind(4, 10, repeats=False).parse_feedback(feedback)


def test_a_lone_b_is_read_where_it_means_one_thing() -> None:
    """With repeats B is black; without them it may be that the game gives one reading alone."""
    assert Mastermind(4, 6).parse_feedback("1B") == Mastermind(4, 6).parse_feedback("1,0")
    game = Mastermind(4, 10, repeats=False)
    assert game.parse_feedback("0B") == game.parse_feedback("0,0")
    single = Mastermind(1, 3, repeats=False)
    assert single.parse_feedback("1B") == single.solved


@pytest.mark.parametrize("feedback", [None, 3, 1.5, (1,), (1, 1.0), ("1", "1"), {}, (9, -7, 2)])
def test_feedback_of_another_type_is_refused(feedback: object) -> None:
    """What is no string and no tuple of whole numbers is InvalidFeedbackError."""
    with pytest.raises(InvalidFeedbackError):
        Mastermind(4, 6).parse_feedback(feedback)


@pytest.mark.parametrize("code", ["", "RYG", "RYGBB", "RYGX", "RYG ", "=", ("R", "Y"), "ＲYGB"])
def test_what_is_no_code_is_refused(code: str) -> None:
    """A wrong length or an unknown symbol is InvalidCodeError, which says what was expected."""
    with pytest.raises(InvalidCodeError, match="expected 4 of 'RYGBOP'"):
        Mastermind(4, 6).parse_code(code)


def test_a_repeated_symbol_is_refused_without_repeats() -> None:
    """A code with a symbol twice is none of Bulls and Cows."""
    with pytest.raises(InvalidCodeError, match="repeated"):
        Mastermind(4, 10, repeats=False).parse_code("0122")


def test_case_matters_only_where_both_cases_are_symbols() -> None:
    """`rygb` is RYGB, unless the symbols have both cases."""
    assert Mastermind(4, 6).parse_code("rygb") == Mastermind(4, 6).parse_code("RYGB")
    both = Mastermind(2, 2, symbols="aA")
    assert [both.parse_code("aa"), both.parse_code("AA")] == [0, 3]


@pytest.mark.parametrize(
    ("pegs", "colors", "repeats", "symbols"),
    [
        (0, 6, True, None),
        (16, 2, True, None),
        (4, 0, True, None),
        (4, 37, True, None),
        (5, 4, False, None),
        (4, 6, True, "RYGBO"),
        (4, 6, True, "RRGBOP"),
        (2, 2, True, "R="),
        (2, 2, True, "R "),
        (2, 2, True, "R,"),
        (2, 2, True, "R\n"),
        (15, 36, True, None),
        (15, 36, False, None),
    ],
)
def test_impossible_games_are_refused(
    pegs: int, colors: int, repeats: bool, symbols: str | None
) -> None:
    """Numbers and symbols outside the limits are InvalidGameError, before any work starts."""
    with pytest.raises(InvalidGameError):
        Mastermind(pegs, colors, repeats, symbols)


@pytest.mark.parametrize(
    "arguments",
    [
        (4.0, 6),
        ("4", 6),
        (True, 6),
        (4, 6.0),
        (4, "6"),
        (4, True),
        (None, 6),
        (4, 6, 1),
        (4, 6, None),
        (4, 6, True, list("RYGBOP")),
        (4, 6, True, b"RYGBOP"),
        (4, 6, True, 6),
    ],
    ids=repr,
)
def test_a_game_of_other_types_is_refused(arguments: tuple[Any, ...]) -> None:
    """Numbers that are not whole, and symbols that are no string, are InvalidGameError."""
    with pytest.raises(InvalidGameError, match="found"):
        Mastermind(*arguments)


@by_name
def test_the_examples_of_a_message_are_feedbacks_of_the_game(game: Mastermind) -> None:
    """Every notation that the message suggests is a feedback that some secret gives."""
    with pytest.raises(InvalidFeedbackError) as caught:
        game.parse_feedback("?")
    examples = re.findall("'([^']*)'", str(caught.value).partition("such as")[2])
    assert len(examples) == 4
    (number,) = {game.parse_feedback(example) for example in examples}
    assert any(game.feedback_number(g, s) == number for g in game.guesses for s in game.secrets)


def test_default_symbols() -> None:
    """Mastermind has colors, Bulls and Cows has digits, both up to 36 different ones."""
    assert Mastermind(4, 6).symbols == "RYGBOP"
    assert Mastermind(4, 10, repeats=False).symbols == "0123456789"
    assert sorted(COLORS) == sorted(DIGITS)
    assert len(set(DIGITS)) == 36


@by_name
def test_a_header_describes_the_game(game: Mastermind) -> None:
    """`game_from_header` turns `header()` back into an equal game with the same hash."""
    again = game_from_header(game.header())
    assert again == game
    assert hash(again) == hash(game)
    assert pickle.loads(pickle.dumps(game)) == game


@pytest.mark.parametrize(
    "header",
    [None, [], {}, {"type": "chess"}, {"type": "mastermind"}]
    + [
        {**Mastermind(4, 6).header(), key: value}
        for key in ("pegs", "colors", "repeats", "symbols")
        for value in (None, -1, 10**9, True, 1.5, "", [4])
        if not (key == "repeats" and value is True)
    ],
    ids=repr,
)
def test_a_header_of_no_game_is_refused(header: object) -> None:
    """A map that describes no game is InvalidBookError and nothing else."""
    with pytest.raises(InvalidBookError):
        game_from_header(header)


def test_a_history_is_read_in_every_form() -> None:
    """Strings, pairs of strings and pairs of tuples are the same history; repetition is dropped."""
    game = Mastermind(4, 6)
    forms: list[object] = [
        "RYGB=1,1 RGOP=0,2",
        ["RYGB=1,1", "RGOP=0,2,2"],
        [("RYGB", "1B1W"), (tuple("RGOP"), (0, 2))],
        (("RYGB", "0012"), "RGOP=0,2", "rygb=1,1"),
    ]
    assert {tuple(parse_history(game, form)) for form in forms} == {((51, 11), (101, 10))}
    assert parse_history(game, []) == []


@pytest.mark.parametrize("history", [["RYGB"], [("RYGB",)], [3], 5, None, ["=1,1"], ["RYGB="]])
def test_what_is_no_history_is_a_usage_error(history: object) -> None:
    """An entry that is no guess with a feedback is UsageError (or one of its kinds)."""
    with pytest.raises(UsageError):
        parse_history(Mastermind(4, 6), history)

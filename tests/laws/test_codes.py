"""Code games by their definition: limits, notations, symbols in any case, and equality."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import InvalidCodeError, InvalidFeedbackError, InvalidGameError, Mastermind

# Pegs, colors, and whether symbols may repeat.
SIZES = [
    *itertools.product((1, 2, 3), (3, 4), (True,)),
    *itertools.product((1, 2, 3), (1, 2), (True,)),
    *[(1, 1, False), (1, 2, False), (2, 2, False)],
    *itertools.product((1, 2, 3, 4), (4,), (False,)),
    (3, 5, False),
]


def crossed_out(guess: str, secret: str) -> tuple[int, int]:
    """Black and white pegs: places that agree, and symbols that the rest of both has."""
    rest = [(a, b) for a, b in zip(guess, secret, strict=True) if a != b]
    left = [b for _, b in rest]
    for symbol, _ in rest:
        if symbol in left:
            left.remove(symbol)
    return len(guess) - len(rest), len(rest) - len(left)


@pytest.mark.parametrize("size", SIZES)
def test_pegs_are_read_in_every_notation_if_some_codes_give_them(
    size: tuple[int, int, bool],
) -> None:
    """All notations of black and white pegs are that feedback, or none of them is any."""
    game = Mastermind(*size)
    possible = {
        crossed_out(guess, secret)
        for guess, secret in itertools.product(game.guesses, game.secrets)
    }
    for black, white in itertools.product(range(-1, game.pegs + 2), repeat=2):
        grey = game.pegs - black - white
        number = (black + white) * (game.pegs + 1) + black
        forms: list[object] = [
            *[f"{black}{between}{white}" for between in (",", ", ", " ", "-", "/")],
            *[f"{black}{a}{white}{b}" for a, b in ("bw", "BW", "aB", "BC")],
            *[(black, white), [black, white], (black, white, grey), f"{black},{white},{grey}"],
            *[mark * black + other * white + grey * "." for mark, other in ("bw", "BW")],
            "●" * black + "○" * white + "·" * grey,
        ]
        if min(black, white) < 0:  # `0 -1` is 0 and 1
            forms = [(black, white), [black, white], f"{black},{white}"]
        for form in forms:
            if (black, white) in possible:
                assert game.parse_feedback(form) == number
                assert game.format_feedback(number) == f"{black},{white}"
                assert game.plain_feedback(number) == (black, white)
            else:
                with pytest.raises(InvalidFeedbackError):
                    game.parse_feedback(form)
    given_numbers = {game.number(*pegs) for pegs in possible}
    for number in range(-9, game.feedbacks + 9):
        assert game.gives(number) is (number in given_numbers)
        if number not in given_numbers:
            with pytest.raises(InvalidFeedbackError):
                game.format_feedback(number)
    assert game.feedbacks - 1 == game.solved == max(given_numbers)


@pytest.mark.parametrize("repeats", [True, False])
@pytest.mark.parametrize("pegs", range(1, 6))
def test_a_game_gives_exactly_what_some_pair_of_its_codes_gives(pegs: int, repeats: bool) -> None:
    """Of every game of up to 5 pegs and 4 colours, other feedbacks are refused with a reason."""
    for colors in range(1 if repeats else pegs, 5):
        game = Mastermind(pegs, colors, repeats)
        # The order of its symbols changes nothing about what a guess may get.
        guesses = {"".join(sorted(guess)) for guess in game.guesses}
        possible = {crossed_out(*pair) for pair in itertools.product(guesses, game.secrets)}
        for black, white in itertools.product(range(pegs + 1), repeat=2):
            number = game.number(black, white)
            fits = black + white <= pegs and game.gives(number)
            assert fits is ((black, white) in possible)
            if (black, white) not in possible:
                with pytest.raises(
                    InvalidFeedbackError, match=r"found feedback .*, (but|expected)"
                ):
                    game.parse_feedback(f"{black},{white}")


def test_the_reason_names_what_two_colors_and_one_never_give() -> None:
    """Of two colours white pegs come in pairs; of one colour every peg is black."""
    with pytest.raises(InvalidFeedbackError, match="expected an even number of white pegs"):
        Mastermind(4, 2).parse_feedback("1,1")
    for feedback in ("0,2", "1,1"):
        with pytest.raises(InvalidFeedbackError, match="expected no white pegs"):
            Mastermind(2, 1).parse_feedback(feedback)


@pytest.mark.parametrize("form", ["0X12", "0013", "001", "00122", "B1", "1B1", "1,1,1,1", "111,1"])
def test_a_mixture_of_notations_is_refused(form: str) -> None:
    """A sign of another notation, a peg too many or too few, or a third digit."""
    with pytest.raises(InvalidFeedbackError, match=r"found feedback .*, expected"):
        Mastermind(4, 6).parse_feedback(form)


@given(st.sampled_from(SIZES), st.data())
def test_a_code_has_an_index_and_digits(size: tuple[int, int, bool], data: st.DataObject) -> None:
    """Its index leads back to it, and its digits are the ranks of its symbols."""
    game = Mastermind(*size)
    index = data.draw(st.integers(0, len(game.guesses) - 1))
    code = game.guesses[index]
    assert [game.symbols[rank] for rank in game.digits(index)] == list(code)
    for form in (code, code.lower(), tuple(code), list(code.lower()), " ".join(code)):
        assert game.parse_code(form) == index
    for wrong in (code + code[0], code[1:], code[1:] + "?", [*code[1:], code[:1] * 2], [3, *code]):
        with pytest.raises(InvalidCodeError):
            game.parse_code(wrong)


def test_symbols_are_typed_in_any_case() -> None:
    """Capitals are read as the small letters that are symbols, if they are none themselves."""
    assert Mastermind(2, 2, symbols="ab").parse_code("BA") == 2
    assert Mastermind(2, 3, symbols="aBb").parse_code("bA") == 2 * 3
    assert Mastermind(2, 2, symbols="XY").parse_code("xY") == 1
    for repeated in ("aa", "Aa"):
        with pytest.raises(InvalidCodeError, match="repeated"):
            Mastermind(2, 3, False, "abc").parse_code(repeated)


LIMITS: list[tuple[tuple[Any, ...], int]] = [
    ((15, 1), 1),
    ((15, 2), 1 << 15),
    ((1, 36), 36),
    ((1, 36, False), 36),
    ((8, 16), 1 << 32),
    ((9, 13, False), 259_459_200),
]


@pytest.mark.parametrize(("arguments", "codes"), LIMITS)
def test_the_largest_games(arguments: tuple[Any, ...], codes: int) -> None:
    """15 pegs, 36 colors and 2**32 codes are a game, and one more of any is none."""
    game = Mastermind(*arguments)
    assert (len(game.guesses), game.length, game.pegs) == (codes, arguments[0], arguments[0])
    for larger in ((16, 1), (1, 37), (8, 17), (9, 13), (8, 36, False), (0, 1), (1, 0)):
        with pytest.raises(InvalidGameError):
            Mastermind(*larger)


def test_a_game_is_what_its_representation_says() -> None:
    """`repr` makes an equal game again; any other number, rule or symbols makes another one."""
    others = [
        *itertools.starmap(Mastermind, SIZES),
        Mastermind(3, 3, symbols="xyz"),
        Mastermind(3, 3, symbols="xzy"),
    ]
    for place, game in enumerate(others):
        assert eval(repr(game)) == game == Mastermind.from_header(game.header())
        assert [game == other for other in others] == [k == place for k in range(len(others))]
        assert game != game.header()
    assert len(set(others)) == len(others)
    assert len(set(map(hash, others))) > 1
    for key in ("pegs", "colors", "repeats", "symbols"):
        with pytest.raises(InvalidGameError):
            Mastermind.from_header({**others[-1].header(), key: None})

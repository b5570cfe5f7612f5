"""Small books of every kind of game, each with the header that FORMAT.md gives its game."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import guessbook as gb
from tests.helpers.content import codes_header, table_header, words_header

if TYPE_CHECKING:
    from tests.helpers.content import Document

SPELLED = ["geese", "speed", "elder", "erase", "sleep", "green", "crepe", "naïfs", "ёжики"]
WEIGHTS = [1, 300, 2, 9, 70_000, 5, 5]

NUMBERS = [str(number) for number in range(260)]
# The numbers of the answers. The answers are 1 to 259 and, last, 0: the guess is the secret.
DISTANCES = [[(abs(guess - secret) - 1) % 260 for secret in range(260)] for guess in range(260)]

# No guess of this table names a secret; the game adds a guess for each.
TESTS = ["swap the bulb", "bridge = wire", 'shake "it"']
FAULTS = ["bulb", "wire; earth", "battery = flat", "Löwe 🦁"]
SIGHTS = ["dark", "flickers, a bit", "lights up"]
SEEN = [[2, 0, 0, 0], [0, 2, 0, 1], [0, 0, 2, 1]]


class Sample(NamedTuple):
    """A game, the policy and the minor version of its book, and its header."""

    game: gb.Game
    policy: str
    minor: int
    header: Document


def faults(weights: list[int] | None) -> Sample:
    """Return the table of faults."""
    rows = [[SIGHTS[number] for number in row] for row in SEEN]
    game = gb.TableGame(TESTS, FAULTS, rows, weights, goal="name")
    answers = [*SIGHTS, "no", "found"]
    return Sample(game, "parts", 2, table_header([*TESTS, *FAULTS], FAULTS, answers, SEEN, weights))


def words(scoring: str, weights: list[int] | None, minor: int) -> Sample:
    """Return a word game in which the first two words are not secrets."""
    game = gb.WordGame(SPELLED[2:], SPELLED, scoring, weights)
    header = words_header(SPELLED, SPELLED[2:], scoring, weights)
    return Sample(game, "entropy", minor, header)


named = codes_header(2, "RYG")
named["names"] = ["red", "yellow", "green"]
SAMPLES = {
    "1 code": Sample(gb.Mastermind(1, 1), "entropy", 0, codes_header(1, "R")),
    "2x2": Sample(gb.Mastermind(2, 2), "entropy", 0, codes_header(2, "RY")),
    "3x4": Sample(gb.Mastermind(3, 4), "minimax", 0, codes_header(3, "RYGB")),
    "no repeats": Sample(
        gb.Mastermind(3, 5, repeats=False), "parts", 0, codes_header(3, "01234", False)
    ),
    "symbols": Sample(
        gb.Mastermind(2, 5, symbols="αβγ🐄x"), "expected", 0, codes_header(2, "αβγ🐄x")
    ),
    "names": Sample(gb.Mastermind(2, 3, names=["red", "yellow", "green"]), "optimal", 3, named),
    # More than 256 guesses: the column of guesses needs two planes.
    "17 colors": Sample(
        gb.Mastermind(2, 17), "entropy", 0, codes_header(2, gb.Mastermind(2, 17).symbols)
    ),
    "optimal": Sample(gb.Mastermind(2, 3), "optimal", 1, codes_header(2, "RYG")),
    "win": Sample(gb.Mastermind(2, 3), "win:within=2", 3, codes_header(2, "RYG")),
    "words": words("standard", None, 0),
    "loose": words("loose", None, 0),
    "weighted words": words("standard", WEIGHTS, 2),
    "table": faults(None),
    "weighted table": faults([50, 3, 20, 9]),
    "260 answers": Sample(
        gb.TableGame(range(260), range(260), lambda a, b: abs(a - b)),
        "entropy",
        2,
        table_header(NUMBERS, NUMBERS, [*NUMBERS[1:], "0"], DISTANCES),
    ),
}


@cache
def sample_book(name: str) -> gb.Book:
    sample = SAMPLES[name]
    return gb.build(sample.game, sample.policy)


def all_samples() -> list[gb.Book]:
    """Return the books of all samples."""
    return [sample_book(name) for name in SAMPLES]

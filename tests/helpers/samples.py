"""Games that several test modules use, and a function that marks most parameters as slow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb

if TYPE_CHECKING:
    from collections.abc import Iterable

WORDS = ["light", "eight", "night", "might", "sight", "thing", "geese", "sleet", "tiger", "eerie"]
LONG = ["abcdefghijkl", "abcdefghijlk", "mlkjihgfedcb"]

# The last two words may be guessed and are never the secret.
WORD_GAME = gb.WordGame(WORDS[:8], WORDS)
SMALL = gb.Mastermind(3, 4)
KINDS: dict[str, gb.Game] = {
    "codes": SMALL,
    "without repeats": gb.Mastermind(3, 5, repeats=False),
    "words": WORD_GAME,
}

# Code games of each shape: one peg, few and many symbols, more than 8 pegs, without repeats.
CODE_GAMES = [
    gb.Mastermind(1, 5),
    gb.Mastermind(1, 36),
    gb.Mastermind(2, 6),
    gb.Mastermind(3, 5),
    gb.Mastermind(4, 4),
    gb.Mastermind(4, 6),
    gb.Mastermind(5, 3),
    gb.Mastermind(6, 3),
    gb.Mastermind(8, 2),
    gb.Mastermind(11, 2),
    gb.Mastermind(3, 6, repeats=False),
    gb.Mastermind(4, 6, repeats=False),
    gb.Mastermind(5, 5, repeats=False),
]


def every_nth(n: int, values: Iterable[Any]) -> list[Any]:
    """Return values as parameters of a test, marked `slow` except every n-th from the first on."""
    return [
        pytest.param(value, marks=[pytest.mark.slow] if k % n else [])
        for k, value in enumerate(values)
    ]

"""Fixtures that several test modules share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from guessbook.book import Mastermind
from tests.plain import plain_book

if TYPE_CHECKING:
    from guessbook.book import Book

ROOT = Path(__file__).resolve().parent.parent

GAMES = {
    "1 peg, 1 color": (Mastermind(1, 1), "entropy"),
    "2 pegs, 2 colors": (Mastermind(2, 2), "entropy"),
    "3 pegs, 4 colors": (Mastermind(3, 4), "minimax"),
    "without repeats": (Mastermind(3, 5, repeats=False), "parts"),
    "own symbols": (Mastermind(2, 5, symbols="αβγ🐄x"), "expected"),
    # More than 256 guesses: the column of guesses needs two planes.
    "wide": (Mastermind(2, 17), "entropy"),
}


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def small_books() -> dict[str, Book]:
    """Small books of all kinds of games, built in plain Python."""
    return {name: plain_book(game, policy) for name, (game, policy) in GAMES.items()}


@pytest.fixture(scope="session")
def small_book(small_books: dict[str, Book]) -> Book:
    """A book of 3 pegs and 4 colors."""
    return small_books["3 pegs, 4 colors"]

"""The results of builds: the shipped books, and books that are saved and read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import guessbook as gb

if TYPE_CHECKING:
    from pathlib import Path

SHIPPED = [
    "mastermind-4x6",
    "bulls-and-cows-4x10",
    "mastermind-5x8",
    "mastermind-4x6-optimal",
    "bulls-and-cows-4x10-optimal",
]


@pytest.mark.parametrize(
    "name",
    [*SHIPPED[:-1], pytest.param(SHIPPED[-1], marks=pytest.mark.nightly)],
)
def test_shipped_books_can_be_built_again(name: str, root: Path) -> None:
    book = gb.open(name)
    assert gb.build(book.game, book.policy).to_bytes() == book.to_bytes()
    assert (root / "data" / f"{name}.book").read_bytes() == book.to_bytes()


def test_list_of_shipped_books_is_complete(root: Path) -> None:
    assert {path.stem for path in root.glob("data/*.book")} == set(SHIPPED)
    assert set(gb.shipped_books()) == set(SHIPPED)


@pytest.mark.parametrize(
    "game",
    [
        gb.Mastermind(2, 3),
        gb.Mastermind(4, 6, repeats=False),
        # With the most pegs, feedback numbers just fit into a byte; with 6 letters they do not.
        pytest.param(gb.Mastermind(15, 2), marks=pytest.mark.slow),
        gb.WordGame(["ABCDEF", "ABCDFE", "FEDCBA"]),
        gb.WordGame(["ABC", "ABD", "CBA"], ["ABC", "ABD", "CBA", "DDC"], weights=[5, 1, 2]),
    ],
    ids=lambda game: game.name,
)
def test_built_book_equals_the_book_read_from_its_file(game: gb.Game) -> None:
    built = gb.build(game)
    opened = gb.open(built.to_bytes())
    assert opened.stats == built.stats
    assert opened.to_bytes() == built.to_bytes()
    assert sum(built.stats.distribution) == len(game.secrets)
    assert opened.verify().passed

"""Very deep trees: their distributions are shown in ranges."""

from __future__ import annotations

import json
from array import array
from typing import TYPE_CHECKING

import pytest

import guessbook as gb
from guessbook.book.strategy import Strategy
from guessbook.book.tree import Columns, Tree

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command import Run

GAME = gb.Mastermind(4, 18)
DEPTH = len(GAME.secrets)
OPTIONS = ("--pegs", 4, "--colors", 18)


@pytest.fixture(scope="module")
def deep() -> gb.Book:
    """A book with a valid file, whose tree is a chain of all secrets with false feedbacks."""
    below = bytes([1] * (DEPTH - 1) + [0])
    columns = Columns(array("I", [0]) * DEPTH, bytes(DEPTH), below, array("I", range(DEPTH, 0, -1)))
    tree = Tree(columns, len(GAME.guesses), GAME.feedbacks)
    return gb.open(Strategy(GAME, {"name": "entropy"}, tree))


def test_distribution_of_a_deep_tree_is_shown_in_ranges(
    run: Run, deep: gb.Book, tmp_path: Path
) -> None:
    assert deep.save(tmp_path / "deep.book") < 4096
    lines = run("info", "deep.book").out.splitlines()
    assert len(lines) < 60
    assert lines[-40].split()[:2] == ["1-2625", "2,625"]
    assert lines[-1].split()[:2] == ["102376-104976", "2,601"]
    known = json.loads(run("info", "deep.book", "--json").out)
    assert len(known["distribution"]) == DEPTH
    report = run("report", "deep.book", "-o", "-").out
    assert "102376-104976" in report
    compared = run("compare", "deep.book", *OPTIONS).out
    assert compared.count("102376-104976") == 2
    picture = gb.compare([deep, deep]).svg()
    assert picture.count("with guess") == 80
    drawn = deep.export("svg")
    assert max(map(len, (report, compared, picture, drawn))) < 100_000


def test_distribution_of_at_most_40_guesses_has_a_row_for_each(run: Run, tmp_path: Path) -> None:
    for depth in (40, 41):
        labels = [str(number) for number in range(depth)]
        game = gb.TableGame(
            labels, labels, lambda guess, secret: "yes" if guess == secret else "no"
        )
        book = gb.build(game, "positional")
        assert book.stats.max_guesses == depth
        book.save(tmp_path / "chain.book")
        rows = run("info", "chain.book").out.split("guesses  secrets")[1].splitlines()[1:]
        assert len(rows) == {40: 40, 41: 21}[depth]
        checks = run("verify", "chain.book").out
        assert ("1:1 2:1" in checks, "1-2:2 3-4:2" in checks) == (depth == 40, depth == 41)

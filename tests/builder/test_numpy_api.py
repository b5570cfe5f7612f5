"""Arrays of feedbacks, entropies and candidates, and the page that shows them."""

from __future__ import annotations

import doctest
import math
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guessbook.book import InvalidFeedbackError, Mastermind, UsageError, WordGame
from guessbook.builder import entropies, feedback_table, fitting, tables
from guessbook.policy.reference import consistent
from tests.helpers.plain import GAMES, entries, histories

if TYPE_CHECKING:
    from pathlib import Path

    from guessbook.book import Game

WORDS = ["abba", "baba", "aabb", "cabd", "dcba", "aaaa", "bbcd"]
ALL: list[Game] = [
    *GAMES,
    WordGame(WORDS[:4], WORDS),
    WordGame(WORDS, scoring="loose"),
    WordGame([word + word[:2] for word in WORDS]),
    WordGame([word * 3 for word in WORDS]),
]
games = st.sampled_from(ALL)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_all_feedbacks(game: Game) -> None:
    """Row g, column s is the feedback of secret s to guess g, in the smallest type that fits."""
    table = feedback_table(game)
    assert table.shape == (len(game.guesses), len(game.secrets))
    assert table.dtype == np.min_scalar_type(game.feedbacks - 1)
    expected = [
        [game.feedback_number(guess, secret) for secret in game.secrets] for guess in game.guesses
    ]
    assert table.tolist() == expected


@given(games, st.data())
@settings(deadline=None)
def test_some_feedbacks(game: Game, data: st.DataObject) -> None:
    """Indices pick rows and columns of the whole table, in any order and repeated."""
    rows = data.draw(st.lists(st.integers(0, len(game.guesses) - 1), max_size=5))
    columns = data.draw(st.lists(st.integers(0, len(game.secrets) - 1), max_size=5))
    whole = feedback_table(game)
    assert np.array_equal(feedback_table(game, rows, columns), whole[rows][:, columns])


@given(games, st.data())
@settings(deadline=None)
def test_entropies(game: Game, data: st.DataObject) -> None:
    """The entropy in bits of every guess, from counted cells."""
    some = st.lists(st.integers(0, len(game.secrets) - 1), min_size=1, unique=True)
    candidates = data.draw(some)
    expected = []
    for guess in game.guesses:
        cells = Counter(game.feedback_number(guess, game.secrets[s]) for s in candidates).values()
        shares = [n / len(candidates) for n in cells]
        expected.append(-sum(p * math.log2(p) for p in shares))
    found = entropies(game, candidates)
    assert found.dtype == np.float64
    assert np.allclose(found, expected, atol=1e-12)
    assert not np.signbit(found).any()


@given(games, st.data())
@settings(deadline=None)
def test_fitting(game: Game, data: st.DataObject) -> None:
    """The candidates are those of the reference, in order, whatever the notation."""
    history = data.draw(histories(game))
    found = fitting(game, entries(game, history))
    assert found.dtype == np.uint32
    assert [game.secrets[s] for s in found] == consistent(game, history)


@given(games, st.data())
@settings(deadline=None)
def test_masks(game: Game, data: st.DataObject) -> None:
    """A mask of truth values means the indices where it is true, for guesses and for secrets."""
    bits = data.draw(st.integers(0, (1 << len(game.guesses)) - 1))
    rows = [bool(bits >> g & 1) for g in range(len(game.guesses))]
    columns = np.zeros(len(game.secrets), bool)
    columns[data.draw(st.integers(0, len(columns) - 1)) :] = True
    expected = feedback_table(game, np.flatnonzero(rows), np.flatnonzero(columns))
    assert np.array_equal(feedback_table(game, rows, columns), expected)
    assert np.array_equal(entropies(game, columns), entropies(game, np.flatnonzero(columns)))


@pytest.mark.parametrize(
    "wrong", [[True, False], np.ones(10, bool), [0.0, 1.0], ["RR"], [None], "RR"], ids=repr
)
def test_neither_indices_nor_a_mask(wrong: object) -> None:
    """A mask of another length, and what are no integers, are refused, not guessed at."""
    with pytest.raises(UsageError, match="expected"):
        feedback_table(Mastermind(2, 3), wrong)
    with pytest.raises(UsageError, match="expected"):
        entropies(Mastermind(2, 3), wrong)


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Working on a row at a time gives the same as all at once."""
    game = Mastermind(3, 5)
    table, bits = feedback_table(game), entropies(game)
    monkeypatch.setattr(tables, "BLOCK", 1)
    assert np.array_equal(feedback_table(game), table)
    assert np.array_equal(entropies(game), bits)


def test_wrong_arguments() -> None:
    """Indices that do not exist, no candidates, and other games' feedbacks are refused."""
    game = Mastermind(2, 3)
    for wrong in ([9], [-1]):
        with pytest.raises(IndexError, match="expected an index from 0 to 8"):
            feedback_table(game, wrong)
        with pytest.raises(IndexError, match="expected an index from 0 to 8"):
            entropies(game, wrong)
    with pytest.raises(ValueError, match="at least one"):
        entropies(game, [])
    with pytest.raises(InvalidFeedbackError):
        fitting(game, ["RR=9,9"])
    assert len(fitting(game, ["RR=2,0", "YY=2,0"])) == 0


def test_the_import_is_light() -> None:
    """`import guessbook.builder` offers these functions without loading numpy."""
    script = (
        "import sys, guessbook.builder as b; b.fitting, b.entropies, b.feedback_table; "
        "assert not {'numpy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_the_page(root: Path) -> None:
    """Every example of docs/how-to/numpy.md gives what it shows."""
    text = (root / "docs" / "how-to" / "numpy.md").read_text("utf-8")
    # The fences are no part of the examples.
    text = "\n".join("" if line.startswith("```") else line for line in text.splitlines())
    test = doctest.DocTestParser().get_doctest(text, {}, "numpy.md", None, 0)
    assert len(test.examples) > 20
    assert doctest.DocTestRunner().run(test).failed == 0

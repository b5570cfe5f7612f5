"""Arrays of feedbacks, entropies and candidates (docs/how-to/numpy.md)."""

from __future__ import annotations

import doctest
import math
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from guessbook import entropies, feedback_table
from guessbook import fitting as fitting_indices
from tests.helpers.plain import Definition, entries, fitting
from tests.strategies import all_games, false_histories, histories

if TYPE_CHECKING:
    from pathlib import Path


@given(all_games())
def test_table_has_a_row_per_guess_and_a_column_per_secret(game: gb.Game) -> None:
    table = feedback_table(game)
    assert table.dtype == np.min_scalar_type(game.feedbacks - 1)
    expected = [[game.feedback_number(g, s) for s in game.secrets] for g in game.guesses]
    assert table.tolist() == expected


@given(all_games(), st.data())
def test_indices_and_masks_select_rows_and_columns(game: gb.Game, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(game.guesses) - 1), max_size=5))
    columns = data.draw(st.lists(st.integers(0, len(game.secrets) - 1), max_size=5))
    whole = feedback_table(game)
    assert np.array_equal(feedback_table(game, rows, columns), whole[rows][:, columns])
    row_mask = np.isin(np.arange(len(game.guesses)), rows)
    column_mask = np.isin(np.arange(len(game.secrets)), columns)
    masked = feedback_table(game, row_mask.tolist(), column_mask)
    assert np.array_equal(masked, whole[row_mask][:, column_mask])


@given(all_games(), st.data())
def test_entropies_are_in_bits(game: gb.Game, data: st.DataObject) -> None:
    indices = st.integers(0, len(game.secrets) - 1)
    candidates = data.draw(st.lists(indices, min_size=1, unique=True))
    expected, secrets = [], [game.secrets[s] for s in candidates]
    definition = Definition(game, {"name": "entropy"})
    for guess in range(len(game.guesses)):
        cells = definition.cells(guess, secrets).values()
        shares = [definition.weight(cell) / definition.weight(secrets) for cell in cells]
        expected.append(-sum(share * math.log2(share) for share in shares))
    found = entropies(game, candidates)
    assert found.dtype == np.float64
    assert np.allclose(found, expected, atol=1e-12)
    assert not np.signbit(found).any()
    mask = np.isin(np.arange(len(game.secrets)), candidates)
    assert np.allclose(entropies(game, mask), expected, atol=1e-12)


@given(all_games(), st.data())
def test_fitting_returns_the_candidates_in_order(game: gb.Game, data: st.DataObject) -> None:
    history = data.draw(histories(game) | false_histories(game))
    found = fitting_indices(game, entries(game, history))
    assert found.dtype == np.uint32
    assert [game.secrets[s] for s in found] == fitting(game, history)


@pytest.mark.slow
def test_feedback_table_of_many_blocks_matches_single_rows() -> None:
    """Large tables are computed in blocks."""
    game = gb.Mastermind(4, 8)
    table = feedback_table(game)
    rows = range(0, len(game.guesses), 97)
    for row in rows:
        assert np.array_equal(feedback_table(game, [row])[0], table[row])


@pytest.mark.parametrize(
    "wrong", [[True, False], np.ones(10, bool), [0.0, 1.0], ["RR"], [None], "RR"], ids=repr
)
def test_invalid_index_arrays_are_rejected(wrong: object) -> None:
    game = gb.Mastermind(2, 3)
    for function in (feedback_table, entropies):
        with pytest.raises(gb.UsageError):
            function(game, wrong)


def test_indices_out_of_range_are_rejected() -> None:
    game = gb.Mastermind(2, 3)
    for wrong in ([9], [-1]):
        for function in (feedback_table, entropies):
            with pytest.raises(IndexError):
                function(game, wrong)
    with pytest.raises(ValueError, match="at least one"):
        entropies(game, [])
    with pytest.raises(gb.InvalidFeedbackError):
        fitting_indices(game, ["RR=9,9"])


def test_array_functions_do_not_load_numpy_until_called() -> None:
    script = (
        "import sys, guessbook as gb; gb.fitting, gb.entropies, gb.feedback_table; "
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_numpy_page_examples_are_correct(root: Path) -> None:
    text = (root / "docs" / "how-to" / "numpy.md").read_text("utf-8")
    # Otherwise doctest reads a closing fence as output.
    text = "\n".join("" if line.startswith("```") else line for line in text.splitlines())
    test = doctest.DocTestParser().get_doctest(text, {}, "numpy.md", None, 0)
    assert len(test.examples) > 20
    assert doctest.DocTestRunner().run(test).failed == 0

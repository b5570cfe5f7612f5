"""Feedbacks and partitions by the engine are those of the game."""

from __future__ import annotations

from array import array
from collections import defaultdict
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.engine.codes import CodeSearch, CodeTables
from guessbook.engine.costs import Rule
from guessbook.engine.partitions import split_nodes
from guessbook.policy.one_step import POLICIES
from tests.engine.engines import VARIANTS, numbers, search_of, table_of
from tests.helpers.samples import CODE_GAMES

if TYPE_CHECKING:
    from guessbook.book import Mastermind

cases = pytest.mark.parametrize("game", CODE_GAMES, ids=lambda game: game.name)


@cases
def test_the_tables_of_codes_are_those_of_the_game(game: Mastermind) -> None:
    """Row i spells code i, and multisets are numbered in the order of their symbols."""
    tables = CodeTables(game.pegs, game.colors, game.repeats)
    codes = [game.symbols.index(c) for code in game.guesses for c in code]
    assert numbers(tables, "table", "B", len(codes)) == codes
    rows = [tuple(codes[k : k + game.pegs]) for k in range(0, len(codes), game.pegs)]
    sets = sorted({tuple(sorted(row)) for row in rows})
    assert tables.multisets == len(sets)
    assert numbers(tables, "sets", "B", len(sets) * game.pegs) == [c for row in sets for c in row]
    homes = [sets.index(tuple(sorted(row))) for row in rows]
    assert numbers(tables, "set_of", "i", len(rows)) == homes


@cases
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("most", [5, 64, 65, 2000])
def test_feedbacks_are_those_of_the_game(game: Mastermind, variant: int, most: int) -> None:
    """Of few candidates and of many, by both functions that tell them."""
    chance = Random(most)
    search = search_of(game, "entropy", variant)
    every = range(len(game.guesses))
    some = array("I", sorted(chance.sample(every, min(most, len(every)))))
    guesses = array("I", [chance.choice(every) for _ in range(3)])
    expected = [
        [game.feedback_number(game.guesses[guess], game.guesses[code]) for code in some]
        for guess in guesses
    ]
    flat = [answer for row in expected for answer in row]
    starts = array("q", [len(some) * k for k in range(4)])
    assert list(search.feedbacks(guesses, some * 3, starts)) == flat
    for guess, row in zip(guesses, expected, strict=True):
        answer = chance.choice(row)
        kept = search.fitting(array("I", some), guess, answer)
        assert kept.tolist() == [c for c, met in zip(some, row, strict=True) if met == answer]


@given(st.data(), st.integers(1, 300))
def test_nodes_of_any_game_are_split_into_children(data: st.DataObject, feedbacks: int) -> None:
    """A child for each feedback but the last, in order, whose candidates stay in order."""
    answer = st.integers(0, feedbacks - 1)
    nodes = data.draw(st.lists(st.lists(answer, max_size=30), max_size=4))
    answers = [f for node in nodes for f in node]
    starts = [sum(map(len, nodes[:k])) for k in range(len(nodes) + 1)]
    candidates = array("I", range(1000, 1000 + len(answers)))
    below, ends, feedback, children = split_nodes(
        candidates, array("q", starts), array("I", answers), feedbacks
    )
    expected, cells = [], []
    for start, node in zip(starts, nodes, strict=False):
        own = defaultdict(list)
        for k, f in enumerate(node, start):
            own[f].append(candidates[k])
        own.pop(feedbacks - 1, None)
        cells.append(len(own))
        expected += sorted(own.items())
    assert children.tolist() == cells
    assert feedback[: len(expected)].tolist() == [f for f, _ in expected]
    found = ends[: len(expected) + 1].tolist()
    assert [below[a:b].tolist() for a, b in pairwise(found)] == [own for _, own in expected]


def test_any_policy_tells_the_same() -> None:
    """What is asked of feedbacks alone needs no costs."""
    game = CODE_GAMES[3]
    plain = CodeSearch(
        CodeTables(game.pegs, game.colors, game.repeats),
        Rule(array("q", [0, 0, 0]), True, 0, False),
    )
    guesses, some = array("I", [7]), array("I", range(len(game.guesses)))
    for policy in POLICIES:
        assert table_of(search_of(game, policy), guesses, some) == table_of(plain, guesses, some)

"""Symmetries that are found in a table: they are ones, and the search that uses them is exact."""

from __future__ import annotations

import json
import subprocess
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guessbook.book import TableGame
from guessbook.book.games.rules import black_peg, coins
from guessbook.book.games.weights import weights_of
from guessbook.builder import build_strategy
from guessbook.builder.games import automorphisms
from guessbook.builder.scorers import optimal
from guessbook.policy.notation import policy_of
from guessbook.policy.reference import consistent
from tests.helpers.oracle import compiled
from tests.helpers.plain import grow, histories

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.book.games.game import History

POLICIES: list[dict[str, Any]] = [
    {"name": "optimal", "base": "entropy"},
    {"name": "optimal", "base": "parts", "max_guesses": 4},
    {"name": "optimal", "base": "minimax", "consistent_only": True},
]
BLACK_PEGS = {(2, 3): 25, (3, 3): 95, (3, 4): 280, (3, 6): 1280, (4, 3): 331, (4, 4): 1301}
LARGER_BLACK_PEGS = {(3, 8): 3810, (4, 5): 3742, (4, 6): 8859}


@pytest.fixture
def every_node(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets of any size are searched one by one, each for the symmetries of its history."""
    for name in ("SMALL", "KINDS", "DEEP"):
        monkeypatch.setattr(optimal, name, 0)


@st.composite
def symmetric_tables(draw: st.DrawFn, most: int = 6) -> TableGame:
    """Tables with a symmetry: each row with all that a permutation of the secrets makes of it.

    What the answers are called is another matter for each row.
    """
    size = draw(st.integers(2, most))
    image = draw(st.permutations(range(size)))
    rows: dict[tuple[str, ...], None] = {}
    answers = st.lists(st.integers(0, 2), min_size=size, max_size=size)
    for row in draw(st.lists(answers, max_size=3)):
        for _ in range(6):
            names = draw(st.permutations("abc"))
            rows[tuple(names[answer] for answer in row)] = None
            row = [row[other] for other in image]
    weights = draw(st.lists(st.integers(1, 2), min_size=size, max_size=size))
    named = [["found" if k == other else "no" for other in range(size)] for k in range(size)]
    asked = [*(f"ask {k}" for k in range(len(rows))), *range(size)]
    weighted = draw(st.sampled_from([None, weights]))
    return TableGame(asked, range(size), [*rows, *named], weighted)


def is_automorphism(game: TableGame, secrets: Sequence[int]) -> dict[int, list[int]] | None:
    """What a permutation of the secrets carries each guess onto, by trying; None if none is one."""
    weights = weights_of(game, game.secrets)
    if any(weights[k] != weights[image] for k, image in enumerate(secrets)):
        return None
    images: dict[int, list[int]] = {}
    for guess in range(len(game.guesses)):
        for other in range(len(game.guesses)):
            own, met = game.row(guess), game.row(other)
            pairs = {(own[k], met[image]) for k, image in enumerate(secrets)}
            one_to_one = len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
            if one_to_one and all((a == game.solved) == (b == game.solved) for a, b in pairs):
                images.setdefault(guess, []).append(other)
    return images if len(images) == len(game.guesses) else None


@given(game=symmetric_tables(4), data=st.data())
def test_what_is_left_out_is_carried_onto_a_lower_guess(
    game: TableGame, data: st.DataObject
) -> None:
    """By a permutation that carries the candidates onto themselves, among all there are."""
    history: History = data.draw(histories(game))
    fitting = consistent(game, history)
    candidates = np.array([game.secrets.index(secret) for secret in fitting], np.uint32)
    path = np.array([guess for guess, _ in history], np.int64)
    left = set(automorphisms.inequivalent(game, candidates, path).tolist())
    carried: dict[int, set[int]] = {guess: {guess} for guess in range(len(game.guesses))}
    for secrets in permutations(range(len(game.secrets))):
        images = is_automorphism(game, secrets)
        if images and {secrets[k] for k in candidates} == set(candidates.tolist()):
            for guess, others in images.items():
                carried[guess].update(others)
    for guess, reached in carried.items():
        assert guess in left or min(reached) < guess


@pytest.mark.parametrize("described", POLICIES, ids=str)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(game=symmetric_tables())
def test_symmetric_tables_are_built_by_the_definition(
    described: dict[str, Any], game: TableGame
) -> None:
    """With symmetry at every node, the tree is that of trying everything, guess for guess."""
    policy = policy_of(described)
    plain = grow(game, game, "x", lambda past, cell: policy.choose(game, past, cell))
    most = described.get("max_guesses", 99)
    if plain.stats.max_guesses <= most:
        assert list(build_strategy(game, described).tree.guess) == list(plain.tree.guess)


def test_the_symmetries_of_black_pegs_are_all_found() -> None:
    """After a guess only the number of other symbols matters, and so on; see counting by hand."""
    game = black_peg(4, 4)
    every = np.arange(len(game.secrets), dtype=np.uint32)
    kinds = []
    for path in ([], ["RRRR"], ["RRRR", "RRYY"], ["RRRR", "YYYY", "GGGG"]):
        history = np.array([game.parse_code(code) for code in path], np.int64)
        kinds.append(len(automorphisms.inequivalent(game, every, history)))
    # Pegs that were used alike may be exchanged: multisets of 4 of 1, 2, 2 and 3, and of 4 symbols.
    assert kinds == [1, 5, 3 * 6, 35]


def test_the_symmetries_of_coins_are_all_found() -> None:
    """Of all weighings the number of coins is what matters, and of all coins none."""
    game = coins(9)
    every = np.arange(len(game.secrets), dtype=np.uint32)
    some = automorphisms.inequivalent(game, every, np.zeros(0, np.int64))
    assert [len(game.guesses[guess]) for guess in some[:-1].tolist()] == [5, 7, 9, 11]
    assert game.guesses[some[-1]] == game.secrets[0]


def test_a_table_without_symmetry_has_none() -> None:
    """Nothing is left out but guesses that tell the same."""
    source = np.random.default_rng(1)
    rows = source.integers(0, 3, (30, 20)).tolist()
    game = TableGame(range(100, 131), range(20), [*rows, rows[3]])
    every = np.arange(20, dtype=np.uint32)
    some = automorphisms.inequivalent(game, every, np.zeros(0, np.int64)).tolist()
    assert some == [guess for guess in range(len(game.guesses)) if guess != 30]


def test_what_looks_alike_is_compared() -> None:
    """A triangle and a square: every corner has two neighbours, and yet there are two kinds."""
    rings = [(0, 1, 2), (3, 4, 5, 6)]
    near = {
        (r[k], r[(k + step) % len(r)]) for r in rings for k in range(len(r)) for step in (1, -1)
    }
    game = TableGame(range(7), range(7), lambda g, s: "found" if g == s else (g, s) in near)
    every = np.arange(7, dtype=np.uint32)
    assert automorphisms.inequivalent(game, every, np.zeros(0, np.int64)).tolist() == [0, 3]


def total_of_black_pegs(pegs: int, colors: int) -> int:
    """The least total by the branch and bound in C++, whose symmetries are written by hand."""
    command = [str(compiled("optimal")), str(pegs), str(colors), "black"]
    done = subprocess.run(command, check=True, capture_output=True)
    return int(json.loads(done.stdout)["total"])


@pytest.mark.parametrize(("size", "total"), BLACK_PEGS.items(), ids=str)
def test_the_optimum_of_black_pegs(size: tuple[int, int], total: int) -> None:
    """It is the one that the other search finds."""
    assert build_strategy(black_peg(*size), "optimal").stats.total_guesses == total
    assert total_of_black_pegs(*size) == total


@pytest.mark.slow
@pytest.mark.parametrize(("size", "total"), LARGER_BLACK_PEGS.items(), ids=str)
def test_the_optimum_of_more_black_pegs(size: tuple[int, int], total: int) -> None:
    """The same, up to 4 pegs of 6 colors, which take the other search half a minute."""
    test_the_optimum_of_black_pegs(size, total)


def forget() -> None:
    """Let nothing be known of games that were built."""
    for known in (automorphisms.symmetries_of, automorphisms.history_stabilizer):
        known.cache_clear()


@pytest.mark.parametrize("jobs", [1, 3])
def test_symmetry_and_threads(jobs: int) -> None:
    """The book is the same for any number of threads, and that of a search without symmetry."""
    game = black_peg(3, 4)
    book = build_strategy(game, "optimal", jobs=jobs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(automorphisms, "MAX_PAIRS", 0)
        forget()
        plain = build_strategy(game, "optimal")
    forget()
    assert book.to_bytes() == plain.to_bytes()

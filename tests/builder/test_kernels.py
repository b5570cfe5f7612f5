"""The kernels choose exactly the guess that the plain reference chooses."""

from __future__ import annotations

import errno
import itertools
import random
import warnings
from collections.abc import Callable
from importlib import util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numba.core.caching import IndexDataCacheFile

from guessbook.book import Mastermind
from guessbook.book.games.game import parse_history
from guessbook.builder.games.codes import code_table
from guessbook.builder.games.codes import scorer as code_scorer
from guessbook.builder.kernels.jit import kernel
from guessbook.builder.kernels.lanes import few_each
from guessbook.builder.kernels.multisets import begin, go_on
from guessbook.builder.kernels.node import Node, Search
from guessbook.builder.kernels.orbits import permutations, stabilizer
from guessbook.builder.kernels.partition import even_splits
from guessbook.policy.one_step import POLICIES, OneStep, policy_named
from guessbook.policy.reference import best_guess, consistent

ONE_STEP = ("entropy", "expected", "parts", "minimax")
GAMES = [
    Mastermind(1, 5),
    Mastermind(2, 6),
    Mastermind(3, 5),
    Mastermind(4, 4),
    Mastermind(5, 3),
    Mastermind(6, 3),
    Mastermind(7, 2),
    Mastermind(8, 2),
    Mastermind(3, 6, repeats=False),
    Mastermind(4, 6, repeats=False),
    Mastermind(5, 5, repeats=False),
]


def play(game: Mastermind, depth: int, seed: int) -> list[tuple[int, int]]:
    """A random history of a game, with any guesses, consistent or not with each other."""
    chance = random.Random(seed)
    secret = chance.choice(game.secrets)
    guesses = [chance.randrange(len(game.guesses)) for _ in range(depth)]
    return [(guess, game.feedback(game.guesses[guess], secret)) for guess in guesses]


def choose(
    game: Mastermind, policy: OneStep, history: list[tuple[int, int]], few: bool
) -> int | None:
    """The guess of one of the two kernels, or None if it does not take such a game."""
    scorer = code_scorer(game, policy)
    candidates = np.array([game.guesses.index(c) for c in consistent(game, history)], np.uint32)
    digits = scorer.codes[candidates]
    past = scorer.codes[np.array([guess for guess, _ in history], np.int64)]
    used = np.bitwise_or.reduce(np.int64(1) << past.reshape(-1).astype(np.int64))
    best = digits[:1].copy()
    if few:
        starts, scored = np.array([0, len(candidates)]), np.zeros(1, np.int64)
        few_each(
            scorer.codes, candidates, starts, np.array([0]), np.array([used]), game.colors,
            game.repeats, scorer.rule, best, scored,
        )  # fmt: skip
    elif 2 <= game.pegs <= 7:
        node = Node(digits, past, scorer.shuffles, game.colors, game.repeats, used, scorer.rule)
        best[0] = begin(node).guess
        assert divided(node, 1, 1).guess.tolist() == best[0].tolist()
        assert divided(node, 10, 100).guess.tolist() == best[0].tolist()
    else:
        return None
    return int(scorer.indices(best)[0])


def divided(node: Node, budget: int, pairs: int) -> Search:
    """A search in parts, the last of which are finished first."""
    search = begin(node, budget)
    for portion in reversed(search.portions(pairs, len(node.digits))):
        search = search.better(go_on(node, portion))
    return search


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(GAMES),
    st.sampled_from(list(POLICIES.values())),
    st.integers(0, 4),
    st.integers(0, 1 << 30),
    st.booleans(),
)
def test_both_kernels_choose_what_the_reference_chooses(
    game: Mastermind, policy: OneStep, depth: int, seed: int, few: bool
) -> None:
    """For any history, with any number of candidates, the guess is the reference's to the tie."""
    history = play(game, depth, seed)
    candidates = consistent(game, history)
    assume(len(candidates) >= 2)
    found = choose(game, policy, history, few)
    assume(found is not None)
    expected, _ = best_guess(game, candidates, policy)
    assert found == expected


@pytest.mark.parametrize("few", [True, False])
@pytest.mark.parametrize("policy", ONE_STEP)
@pytest.mark.parametrize(
    ("game", "history"),
    [
        (Mastermind(6, 3), [("GGGGGY", "4,0")]),
        (Mastermind(4, 4), [("RRYG", "1,1")]),
        (Mastermind(4, 6, repeats=False), [("0123", "1,1")]),
    ],
)
def test_a_credit_counts_with_every_policy(
    game: Mastermind, history: list[tuple[str, str]], policy: str, few: bool
) -> None:
    """What a candidate gets on top decides as in the reference, however much it is."""
    past = parse_history(game, history)
    candidates = consistent(game, past)
    worst = policy_named(policy).costs(len(candidates))[-1]
    for credit in (1, abs(worst) // 8, abs(worst) // 3, abs(worst)):
        rule = policy_named(policy)._replace(credit=credit)
        assert choose(game, rule, past, few) == best_guess(game, candidates, rule)[0]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_table_of_codes_is_the_games_list(game: Mastermind) -> None:
    """Row i of the table spells code i."""
    rows = ["".join(game.symbols[digit] for digit in row) for row in code_table(game)]
    assert rows == list(game.guesses)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_indices_invert_the_table(game: Mastermind) -> None:
    """The index computed from the symbols of code i is i."""
    scorer = code_scorer(game, POLICIES["entropy"])
    assert scorer.indices(scorer.codes).tolist() == list(range(len(game.guesses)))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_kernel_feedback_is_the_games(game: Mastermind) -> None:
    """Random pairs of codes get the feedback number that the game gives them."""
    scorer = code_scorer(game, POLICIES["entropy"])
    secrets = np.arange(len(game.guesses), dtype=np.uint32)
    for guess in random.Random(1).sample(range(len(game.guesses)), 3):
        found = scorer.feedbacks(np.array([guess], np.uint32), secrets, np.array([0, len(secrets)]))
        assert found.tolist() == [game.feedback(game.guesses[guess], s) for s in game.secrets]


@pytest.mark.parametrize("policy", ONE_STEP)
def test_an_even_split_is_the_best_split(policy: str) -> None:
    """No partition of up to 9 candidates beats the bound for its number of cells."""
    rule = policy_named(policy)
    costs = rule.costs(9)
    scorer = code_scorer(Mastermind(2, 3), rule)
    splits = even_splits(scorer.rule._replace(costs=np.array(costs, np.int64)), 9, 9)
    for cells in range(1, 10):
        for sizes in itertools.combinations_with_replacement(range(1, 10), cells):
            if sum(sizes) <= 9:
                assert rule.score(sizes, costs) <= splits[sum(sizes), cells]


@pytest.mark.parametrize(
    ("history", "order"), [([], 24), (["RYGB"], 24), (["RRYY"], 8), (["RRYG"], 4), (["RRRY"], 6)]
)
def test_the_stabilizer_has_the_known_order(history: list[str], order: int) -> None:
    """So many permutations of four positions fix these guesses up to renaming the symbols."""
    game = Mastermind(4, 6)
    table = code_table(game)
    past = table[np.array([game.parse_code(code) for code in history], np.int64)]
    assert len(stabilizer(past, permutations(4), 6)) == order


@pytest.mark.parametrize("few", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_scores_near_the_end_of_an_integer(few: bool, seed: int) -> None:
    """With scores as low as those of four million candidates the choice is the same."""
    game = Mastermind(4, 4)
    scorer = code_scorer(game, POLICIES["entropy"])
    history = play(game, seed % 2, seed)
    candidates = np.array([game.guesses.index(c) for c in consistent(game, history)], np.uint32)
    digits = scorer.codes[candidates]
    past = scorer.codes[np.array([guess for guess, _ in history], np.int64)]
    used = np.bitwise_or.reduce(np.int64(1) << past.reshape(-1).astype(np.int64))
    # Any partition of n candidates scores at least -n * L(n): scale that to nearly -2**63.
    worst = int(scorer.rule.costs[len(candidates)])
    rule = scorer.rule._replace(costs=scorer.rule.costs * ((1 << 63) // worst - 1))
    best = digits[:1].copy()
    if few:
        few_each(
            scorer.codes, candidates, np.array([0, len(candidates)]), np.array([0]),
            np.array([used]), 4, True, rule, best, np.zeros(1, np.int64),
        )  # fmt: skip
    else:
        best[0] = begin(Node(digits, past, scorer.shuffles, 4, True, used, rule)).guess
    expected, _ = best_guess(game, [game.guesses[c] for c in candidates], POLICIES["entropy"])
    assert int(scorer.indices(best)[0]) == expected


def test_a_full_disk_keeps_no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that cannot be written to the cache is compiled and runs."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(IndexDataCacheFile, "save", full)

    def twice(number: int) -> int:
        return number * 2

    assert kernel(twice)(21) == 42


def cached_kernel(source: Path) -> Any:
    """A kernel of a module of its own, as a process that starts has it: its cache is beside it."""
    spec = util.spec_from_file_location("doubling", source)
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return kernel(module.twice)


def flipped(data: bytes) -> bytes:
    """With one bit changed, far from both ends."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "zeros": lambda data: bytes(len(data)),
    "no pickle": lambda data: b"no pickle at all",
    "one bit": flipped,
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_a_damaged_cache_is_compiled_afresh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, damage: str
) -> None:
    """What a power cut leaves of a compiled kernel is told in a line and made again, not run."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    source = tmp_path / "doubling.py"
    source.write_text("def twice(number):\n    return number * 2\n")
    assert cached_kernel(source)(21) == 42
    (path,) = tmp_path.rglob(f"*.{kind}")
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    found = cached_kernel(source)
    with pytest.warns(UserWarning, match="damaged: compiling them afresh"):
        assert found(21) == 42
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = cached_kernel(source)
        assert again(21) == 42
    assert sum(again.stats.cache_hits.values()) == 1

"""Games at the limits of the engine, for a run under sanitizers: `python limits.py FOLDER`.

The folder holds the library that is to be used.
"""

from __future__ import annotations

import sys
from array import array
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from guessbook.book import Mastermind, TableGame, WordGame
from guessbook.builder import build_strategy
from guessbook.builder.arrays import log_table
from guessbook.engine import binding
from guessbook.engine.codes import CodeSearch, CodeTables
from guessbook.engine.costs import Rule
from guessbook.engine.pairs import best_pairs
from guessbook.engine.sums import SumGame, SumSearch
from guessbook.policy.one_step import POLICIES

if TYPE_CHECKING:
    from guessbook.book import Game

CODES = [(1, 1, True), (1, 36, True), (15, 2, True), (8, 2, True), (3, 36, False), (2, 36, True)]
# Tables of some of the largest games: 2**24 codes, and most pegs.
LARGEST = [(8, 8, True), (4, 36, True)]
WORDS = [a + b + c + d for a in "bcfh" for b in "aeo" for c in "tnr" for d in "xy"]


def codes(chance: Random) -> None:
    """Guesses, scores, splits and lowest codes for random candidates, by every variant."""
    for pegs, colors, repeats in [*CODES, *LARGEST]:
        tables = CodeTables(pegs, colors, repeats)
        sizes = (3, 64, 65, 255, 256, 3000) if tables.codes < 1 << 20 else (64, 5000)
        for policy in list(POLICIES.values())[:: 1 if tables.codes < 1 << 12 else 3]:
            rule = Rule(policy.costs(5000), policy.additive, policy.credit, policy.logarithmic)
            for variant in range(3):
                search = CodeSearch(tables, rule, variant)
                for size in sizes[variant % 2 :: 2 if tables.codes > 5000 else 1]:
                    step = max(tables.codes // size, 1)
                    some = array("I", range(tables.codes - 1, -1, -step)[:size])[::-1]
                    path = array("I", [0, chance.randrange(tables.codes)])
                    starts = array("q", [0, len(some)])
                    guess = search.guesses(some, starts, path, 2)[0]
                    search.feedbacks(guess, some, starts)
                    search.fitting(array("I", some), guess[0], 0)
        if tables.codes < 1 << 20:
            search.lowest(some, path)
            wanted = bytearray(b"\1") * tables.multisets
            scores, solves = array("q", bytes(8 * tables.codes)), bytearray(tables.codes)
            search.scores(some, path, wanted, scores, solves)


def sums(chance: Random) -> None:
    """65,536 answers and weights at their limit."""
    secrets = 1 << 16
    policy = POLICIES["entropy"]
    rule = Rule(np.arange((1 << 22) + 1) * log_table(1 << 22), True, policy.credit, True)
    answers = array("H", range(secrets)) + array("H", [chance.randrange(9) for _ in range(secrets)])
    weights = array("q", [64]) * secrets
    game = SumGame(
        answers, array("i", [0, 1, *range(-1, -1 - secrets, -1)]), secrets + 2,
        array("I", range(2, secrets + 2)), weights, secrets, 1,
    )  # fmt: skip
    search = SumSearch(game, rule)
    some = array("I", range(0, secrets, 200))
    search.guesses(some, array("q", [0, len(some)]))
    search.scores(array("I", range(secrets)), array("I", [0, 1, 2, secrets + 1]))
    rows = [[chance.randrange(5) for _ in range(300)] for _ in range(40)]
    heavy = [4_000_000, *[1] * 299]
    costs = policy.costs(sum(heavy))
    assert len(best_pairs(rows, range(20), list(costs), 10, heavy)) == 10


def books(chance: Random) -> None:
    """Whole builds by every policy: codes, words, long words, tables, weights, hard mode."""
    table = [[chance.choice("abc") for _ in range(30)] for _ in range(12)]
    named = [["found" if a == b else "no" for b in range(30)] for a in range(30)]
    guesses = [*(f"ask {k}" for k in range(12)), *range(30)]
    long = ["".join(chance.choice("abcde") for _ in range(12)) for _ in range(40)]
    weights = [chance.randrange(1, 50_000) for _ in WORDS]
    games: list[Game] = [
        Mastermind(3, 5), Mastermind(3, 6, repeats=False), Mastermind(9, 2), WordGame(WORDS),
        WordGame(WORDS, weights=weights), WordGame(sorted(set(long))),
        TableGame(guesses, range(30), [*table, *named]),
    ]  # fmt: skip
    for game in games:
        for policy in ("entropy", "minimax", "parts", "rollout", "consistent", "lookahead"):
            build_strategy(game, policy, jobs=2)
        build_strategy(game, {"name": "optimal", "width": 3}, jobs=2)
    for game in (games[0], games[3], games[4], games[6]):
        build_strategy(game, "optimal", jobs=2)
    build_strategy(games[3], {"name": "optimal", "hard_mode": True}, WORDS[0], jobs=2)
    build_strategy(Mastermind(4, 5), {"name": "optimal", "max_guesses": 5}, jobs=2)
    many = sorted({"".join(chance.choice("aeilnorst") for _ in range(5)) for _ in range(400)})
    for game in (games[0], games[4], games[6], WordGame(many)):
        build_strategy(game, {"name": "win", "within": 3}, jobs=2)


if __name__ == "__main__":
    binding.FOLDER = Path(sys.argv[1])
    for task in (codes, sums, books):
        task(Random(1))
        print(task.__name__, "done", flush=True)

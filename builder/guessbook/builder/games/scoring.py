"""Scoring: the scorers and rankers of all kinds of games, and the ranking of the guesses of a node.

Each kind of game has a module here with the functions `scorer(game, policy)` and `ranker(scorer, policy)`. A ranking
orders guesses by descending score; ties go to candidates, then to lower indices. It omits a guess if a symmetry of the
history maps it to a guess of a lower index, or if a higher-ranked guess has the same cells and, in a game with weights,
the same weight. Here the weight of a guess that is not a candidate is 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.registry import companion
from guessbook.book.games.weights import secret_weights
from guessbook.builder.arrays import Integers, Scored, weight_table
from guessbook.engine.partitions import Distinct
from guessbook.policy.one_step import OneStep

if TYPE_CHECKING:
    from guessbook.builder.scorers.scorer import PlainScorer, Scorer

# The maximal number of feedbacks that are compared at once. They take some tens of megabytes.
MAX_CELLS = 1 << 20
# The score of a guess that the ranking omits: a symmetry maps it to a guess of a lower index, which is as good.
LEFT_OUT = -(1 << 63)


class Ranker(Protocol):
    """The interface that ranks the guesses of a one-step policy in a game.

    `candidates` is a nonempty, ascending uint32 array. `path` has the indices of the guesses of the history.
    """

    @property
    def scorer(self) -> Scorer:
        """The scorer of the game and the policy."""

    def scores(self, candidates: Integers, path: Integers, guesses: Integers) -> Scored:
        """Return two arrays: each guess's score (int64; LEFT_OUT if omitted), and 1 for a candidate, else 0 (uint8)."""

    def allowed_guesses(self, candidates: Integers, path: Integers) -> Integers:
        """Return the guesses that the policy allows: uint32, ascending."""

    def inequivalent(self, candidates: Integers, path: Integers) -> Integers:
        """Return the lowest index of each set of guesses that symmetries of the history exchange: uint32, ascending."""


def scorer_of(game: Game, policy: OneStep) -> PlainScorer:
    """Return the scorer of a game and a one-step policy. This scorer ignores the policy's limits on guesses."""
    plain = policy._replace(consistent_only=False, hard_mode=False)
    scorer: PlainScorer = companion(game, "scoring").scorer(game, plain)
    return scorer


def ranker_of(game: Game, policy: OneStep) -> Ranker:
    """Return the ranker of a game and a one-step policy. This ranker respects the policy's limits on guesses."""
    ranker: Ranker = companion(game, "scoring").ranker(scorer_of(game, policy), policy)
    return ranker


def score_all(ranker: Ranker, candidates: Integers, path: Integers) -> tuple[Integers, ...]:
    """Return three arrays: the allowed guesses not scored LEFT_OUT, their scores, and 1 for each candidate, else 0."""
    guesses = ranker.allowed_guesses(candidates, path)
    scores, solves = ranker.scores(candidates, path, guesses)
    kept = np.flatnonzero(scores > LEFT_OUT)
    return guesses[kept], scores[kept], solves[kept]


def whole_ranking(ranker: Ranker, candidates: Integers, path: Integers) -> Integers:
    """Return the guesses of `score_all`, the best guess first: uint32."""
    guesses, scores, solves = score_all(ranker, candidates, path)
    return guesses[np.lexsort((guesses, solves == 0, -scores))]


def best_first(ranker: Ranker, candidates: Integers, path: Integers, width: int) -> Integers:
    """Return the best `width` guesses of a node, best first: uint32. No two have the same cells and the same weight."""
    guesses, scores, solves = score_all(ranker, candidates, path)
    # The 4 * width guesses of highest score nearly always suffice, so only these are sorted at first.
    some = 4 * width
    while True:
        some = min(some, len(guesses))
        least = np.partition(scores, len(scores) - some)[len(scores) - some]
        top = np.flatnonzero(scores >= least)
        top = top[np.lexsort((top, solves[top] == 0, -scores[top]))]
        chosen = first_distinct(ranker.scorer, candidates, guesses[top], width)
        if len(chosen) == width or len(top) == len(guesses):
            return chosen
        some *= 8


def first_distinct(scorer: Scorer, candidates: Integers, ranked: Integers, width: int) -> Integers:
    """Return the first `width` ranked guesses of which no two have the same cells and the same weight: uint32."""
    n = len(candidates)
    width = min(width, len(ranked))
    weighted = secret_weights(scorer.game) is not None
    weights = weight_table(scorer.game)[candidates] if weighted else np.zeros(n, np.int64)
    kept = Distinct(n, width, scorer.game.feedbacks, scorer.game.solved, weights)
    begin = 0
    # The first block has at most 4 * width guesses, which usually suffice; later blocks are larger.
    size = min(4 * width, max(MAX_CELLS // n, 1))
    while begin < len(ranked) and kept.count < width:
        block = ranked[begin : begin + size]
        starts = np.arange(len(block) + 1) * n
        answers = scorer.feedbacks(block, np.tile(candidates, len(block)), starts)
        kept.add(block, answers.astype(np.uint32))
        begin += size
        size = min(2 * size, max(size, MAX_CELLS // n))
    return np.frombuffer(kept.chosen, np.uint32)[: kept.count]

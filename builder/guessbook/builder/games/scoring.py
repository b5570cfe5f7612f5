"""Scoring: the scorers and rankers of games, and the best guesses of a node in order.

Each kind of game has a module here with two functions: `scorer(game, policy)`, whose policy has no limits, and
`ranker(scorer, policy)`, whose policy may be limited. The registry of games names it.

In a ranking the highest score is first; among equal scores candidates are first, then lower indices. So the first guess
is that of the policy. Two kinds of guesses are left out, as an earlier one is as good:

- a guess that a symmetry of the history, or an exchange of symbols that no candidate has, maps to a guess of lower
  index (symmetry.c in `guessbook.kernels`);
- a guess that splits the candidates into the same cells as an earlier one, and has the same weight as a secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.registry import companion
from guessbook.book.games.weights import secret_weights
from guessbook.builder.arrays import Integers, Scored, weight_table
from guessbook.kernels.partitions import Distinct
from guessbook.policy.one_step import OneStep

if TYPE_CHECKING:
    from guessbook.builder.scorers.scorer import PlainScorer, Scorer

# The most feedbacks that are compared at once, in some tens of megabytes.
MAX_CELLS = 1 << 20
# The score of a guess that is left out.
LEFT_OUT = -(1 << 63)


class Ranker(Protocol):
    """A game and a one-step policy, ready to rank guesses.

    Candidates (uint32) ascend, and there is at least one. A path is the guesses of a history.
    """

    @property
    def scorer(self) -> Scorer:
        """The scorer of the game and the policy."""

    def scores(self, candidates: Integers, path: Integers, guesses: Integers) -> Scored:
        """Return scores, or LEFT_OUT (int64), and whether each guess is a candidate (uint8)."""

    def allowed(self, candidates: Integers, path: Integers) -> Integers:
        """Return the guesses that the policy allows: uint32, ascending."""

    def inequivalent(self, candidates: Integers, path: Integers) -> Integers:
        """Return the guesses that no symmetry maps to a lower one: uint32, ascending."""


def scorer_of(game: Game, policy: OneStep) -> PlainScorer:
    """Return the scorer of a game and a one-step policy, without the limits of the policy."""
    plain = policy._replace(consistent_only=False, hard_mode=False)
    scorer: PlainScorer = companion(game, "scoring").scorer(game, plain)
    return scorer


def ranker_of(game: Game, policy: OneStep) -> Ranker:
    """Return the ranker of a game and a one-step policy, which may be limited."""
    ranker: Ranker = companion(game, "scoring").ranker(scorer_of(game, policy), policy)
    return ranker


def score_all(ranker: Ranker, candidates: Integers, path: Integers) -> tuple[Integers, ...]:
    """Return the guesses that no symmetry leaves out, their scores, and which are candidates."""
    guesses = ranker.allowed(candidates, path)
    scores, solves = ranker.scores(candidates, path, guesses)
    kept = np.flatnonzero(scores > LEFT_OUT)
    return guesses[kept], scores[kept], solves[kept]


def whole_ranking(ranker: Ranker, candidates: Integers, path: Integers) -> Integers:
    """Return all guesses of a node that no symmetry leaves out, best first: uint32."""
    guesses, scores, solves = score_all(ranker, candidates, path)
    return guesses[np.lexsort((guesses, solves == 0, -scores))]


def best_first(ranker: Ranker, candidates: Integers, path: Integers, width: int) -> Integers:
    """Return the best `width` guesses of a node that are not equivalent, best first: uint32."""
    guesses, scores, solves = score_all(ranker, candidates, path)
    # The first few times `width` guesses nearly always suffice, so only these are sorted.
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
    """Return the first `width` guesses with different cells, or with different weights: uint32."""
    n = len(candidates)
    width = min(width, len(ranked))
    weighted = secret_weights(scorer.game) is not None
    weights = weight_table(scorer.game)[candidates] if weighted else np.zeros(n, np.int64)
    kept = Distinct(n, width, scorer.game.feedbacks, scorer.game.solved, weights)
    begin = 0
    # The first block, of a few times `width` guesses, usually suffices.
    size = min(4 * width, max(MAX_CELLS // n, 1))
    while begin < len(ranked) and kept.count < width:
        block = ranked[begin : begin + size]
        starts = np.arange(len(block) + 1) * n
        answers = scorer.feedbacks(block, np.tile(candidates, len(block)), starts)
        kept.add(block, answers.astype(np.uint32))
        begin += size
        size = min(2 * size, max(size, MAX_CELLS // n))
    return np.frombuffer(kept.chosen, np.uint32)[: kept.count]

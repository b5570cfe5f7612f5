"""The ranking of a node: a one-step policy's best guesses, of those that are not equivalent.

Guesses come in the order of the score, then candidates first, then the lowest index: the first one
is the policy's own guess. Two kinds of guesses are left out, for they could only do as well as one
that stands before them:

- those that a symmetry of the history, or an exchange of symbols that no candidate has, carries
  onto a guess of lower index (`guessbook.kernels`, symmetry.c);
- those that split the candidates into the same cells as one that is already listed, and count as
  much as secrets, where these have weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from guessbook.book.games.weights import secret_weights
from guessbook.builder.arrays import Integers, Scored, weight_table
from guessbook.kernels.distinct import Distinct

if TYPE_CHECKING:
    from guessbook.builder.scorers.scorer import Scorer


# Feedbacks that are looked at side by side to tell guesses apart; some tens of megabytes.
MAX_CELLS = 1 << 20

# The score of a guess that is left out.
LEFT_OUT = -(1 << 63)


class Ranker(Protocol):
    """A game and a one-step policy, ready to rank guesses.

    Candidates are indices in `game.secrets`, uint32, ascending, at least one; `path` are the
    guesses of the history, uint32.
    """

    @property
    def scorer(self) -> Scorer:
        """Gives the feedbacks."""

    def scores(self, candidates: Integers, path: Integers, guesses: Integers) -> Scored:
        """The score (int64; LEFT_OUT if by symmetry) of each guess, and whether it may be right."""

    def allowed(self, candidates: Integers, path: Integers) -> Integers:
        """The guesses that may be made: uint32, ascending."""

    def inequivalent(self, candidates: Integers, path: Integers) -> Integers:
        """Of all guesses those that no symmetry carries onto a lower one: uint32, ascending."""


def scored(ranker: Ranker, candidates: Integers, path: Integers) -> tuple[Integers, ...]:
    """The guesses of a node that are not left out, their scores, and whether each may be right."""
    guesses = ranker.allowed(candidates, path)
    scores, solves = ranker.scores(candidates, path, guesses)
    kept = np.flatnonzero(scores > LEFT_OUT)
    return guesses[kept], scores[kept], solves[kept]


def whole_ranking(ranker: Ranker, candidates: Integers, path: Integers) -> Integers:
    """All guesses of a node that no symmetry leaves out, best first: uint32.

    Guesses that split the candidates into the same cells are all there.
    """
    guesses, scores, solves = scored(ranker, candidates, path)
    return guesses[np.lexsort((guesses, solves == 0, -scores))]


def best_first(ranker: Ranker, candidates: Integers, path: Integers, width: int) -> Integers:
    """The best `width` guesses of a node that are not equivalent, best first: uint32."""
    guesses, scores, solves = scored(ranker, candidates, path)
    # Nearly always the list is full after a few times `width` guesses, so sort only those.
    some = 4 * width
    while True:
        some = min(some, len(guesses))
        least = np.partition(scores, len(scores) - some)[len(scores) - some]
        top = np.flatnonzero(scores >= least)
        top = top[np.lexsort((top, solves[top] == 0, -scores[top]))]
        chosen = distinct(ranker.scorer, candidates, guesses[top], width)
        if len(chosen) == width or len(top) == len(guesses):
            return chosen
        some *= 8


def distinct(scorer: Scorer, candidates: Integers, ranked: Integers, width: int) -> Integers:
    """The first `width` of these guesses that split the candidates into different cells.

    Where secrets have weights, it also matters how much the guess itself counts.
    """
    n = len(candidates)
    width = min(width, len(ranked))
    weighted = secret_weights(scorer.game) is not None
    weights = weight_table(scorer.game)[candidates] if weighted else np.zeros(n, np.int64)
    kept = Distinct(n, width, scorer.game.feedbacks, scorer.game.solved, weights)
    begin = 0
    # A block at a time: the first few times `width` guesses usually do.
    size = min(4 * width, max(MAX_CELLS // n, 1))
    while begin < len(ranked) and kept.count < width:
        block = ranked[begin : begin + size]
        starts = np.arange(len(block) + 1) * n
        answers = scorer.feedbacks(block, np.tile(candidates, len(block)), starts)
        kept.add(block, answers.astype(np.uint32))
        begin += size
        size = min(2 * size, max(size, MAX_CELLS // n))
    return np.frombuffer(kept.chosen, np.uint32)[: kept.count]

"""The ranking of a node in a game whose feedbacks are sums."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from guessbook.book.games.game import History
from guessbook.builder.compiler.jit import kernel
from guessbook.builder.games.automorphisms import inequivalent
from guessbook.builder.games.ranking import LEFT_OUT
from guessbook.builder.games.sums import SumScorer
from guessbook.builder.kernels.arrays import Array, Integers, Scored


class SumRanker(NamedTuple):
    """The ranker of a game and a one-step policy.

    Attributes:
        scorer: the scorer of both.
        consistent_only: whether only candidates are ranked.
        hard: which guesses Wordle's hard mode allows after a history, bool[guesses]; None where
            the policy is not limited to them.
    """

    scorer: SumScorer
    consistent_only: bool = False
    hard: Callable[[History], Integers] | None = None

    def scores(self, candidates: Integers, path: Integers | None, guesses: Integers) -> Scored:
        """See `ranking.Ranker.scores`; none is left out."""
        scorer, rule = self.scorer, self.scorer.rule
        # Eight bytes hold several candidates; those beyond the last one are left out again.
        sums = scorer.columns(candidates).view(scorer.sums.dtype)[:, : len(candidates)]
        scores = np.full(len(guesses), LEFT_OUT, np.int64)
        solves = np.zeros(len(guesses), np.uint8)
        score_sums(
            np.ascontiguousarray(sums), scorer.weights[candidates], scorer.homes[candidates],
            scorer.parts, guesses,
            *rule[:3], np.zeros(len(candidates), np.uint32),
            np.zeros(scorer.game.feedbacks, np.int64), scores, solves,
        )  # fmt: skip
        return scores, solves

    def inequivalent(self, candidates: Integers, path: Integers) -> Integers:
        """See `Ranker.inequivalent`; the symmetries are those of the table of the feedbacks."""
        if self.scorer.parts.shape[1] > 1:
            # Of guesses that have parts, words, hardly any are alike, and to look takes a second.
            return np.arange(len(self.scorer.parts), dtype=np.uint32)
        return inequivalent(self.scorer.game, candidates, path)

    def allowed(self, candidates: Integers, path: Integers) -> Integers:
        """The guesses that may be made: uint32, ascending."""
        if self.consistent_only:
            return self.scorer.homes[candidates]
        if self.hard is None or not len(path):
            return np.arange(len(self.scorer.parts), dtype=np.uint32)
        # Each candidate gives the same answers to the guesses of the history.
        whole = np.arange(len(path) + 1)
        answers = self.scorer.feedbacks(path, np.repeat(candidates[:1], len(path)), whole)
        history = list(zip(path.tolist(), answers.tolist(), strict=True))
        return np.flatnonzero(self.hard(history)).astype(np.uint32)


@kernel
def score_sums(
    sums: Array, weights: Array, homes: Array, parts: Array, guesses: Array, costs: Array,
    additive: bool, credit: int, row: Array, cells: Array, scores: Array, solves: Array,
) -> None:  # fmt: skip
    """Score guesses against the candidates of a node.

    Args:
        sums: uint8, uint16 or uint32[parts, n], what a part adds to each candidate's feedback.
        weights: int64[n], how much each candidate counts.
        homes: uint32[n], the index of each candidate in the list of guesses, ascending.
        parts: int64[guesses, k], the parts of each guess of the game.
        guesses: uint32[m], the guesses to score.
        costs: of the policy, with
        additive: and
        credit: see `arrays.Rule`.
        row: uint32[n], working space for the feedbacks of one guess.
        cells: int64[feedbacks], 0 before and after.
        scores: int64[m], receives the scores.
        solves: uint8[m], receives 1 for each guess that is a candidate.
    """
    n = sums.shape[1]
    whole = np.sum(weights)
    for i in range(len(guesses)):
        if parts[guesses[i], 0] < 0:
            # It names a secret, which is a cell of its own if it is a candidate.
            place = np.searchsorted(homes, guesses[i])
            mine = place < n and homes[place] == guesses[i]
            own = weights[place] if mine else np.int64(0)
            one, rest = costs[own], costs[whole - own]
            solves[i] = mine
            scores[i] = credit * own - (one + rest if additive else max(one, rest))
            continue
        for k in range(n):
            row[k] = 0
        for j in range(parts.shape[1]):
            part = parts[guesses[i], j]
            for k in range(n):
                row[k] += sums[part, k]
        for k in range(n):
            cells[row[k]] += weights[k]
        own = cells[len(cells) - 1]
        solves[i] = own > 0
        total = np.int64(0)
        for k in range(n):
            cost = costs[cells[row[k]]]
            total = total + cost if additive else max(total, cost)
            cells[row[k]] = 0
        scores[i] = credit * own - total

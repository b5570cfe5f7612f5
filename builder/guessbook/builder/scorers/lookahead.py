"""Lookahead: of a one-step policy's best guesses, the one whose partition is best some steps later.

The value of a node after 1 step is the best score of the policy; after D steps it is the best, over
the `width` best guesses, of the sum of the values of their cells after D - 1 steps (of the smallest
of these for a policy that looks at the largest cell). So the candidates of the node end up split
by D guesses, the later ones chosen anew in each cell, and the score is that of the last cells.
"""

from __future__ import annotations

import numpy as np

from guessbook.book.games.game import Game
from guessbook.builder.games.scoring import scoring_of
from guessbook.builder.kernels.arrays import Chosen, Integers, Integers2D, Rule
from guessbook.builder.scorers.batch import Batch, step
from guessbook.builder.scorers.one_step import one_step_scorer
from guessbook.builder.scorers.scorer import Derived
from guessbook.builder.scorers.trial import level_of, portions, splits_all, trials_of
from guessbook.policy.lookahead import Lookahead


class LookaheadScorer(Derived):
    """A game and a lookahead policy: see `guessbook.policy.lookahead`."""

    def __init__(self, game: Game, policy: Lookahead) -> None:
        base = policy.base
        super().__init__(one_step_scorer(game, base))
        self.ranker = scoring_of(game).ranker(game, base)
        self.rule = Rule.of(base, len(game.secrets))
        self.depth = policy.depth
        self.width = policy.width

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """See `scorer.Scorer.choose`; the guesses looked into at later steps do not count."""
        best, scored = self.plain.choose(candidates, starts, paths)
        if self.depth > 1:
            batch = level_of(candidates, starts, paths)
            # Where every candidate is told apart at once no later step can do better.
            nodes = np.flatnonzero(~splits_all(self.plain, batch, best))
            best[nodes] = self.best_after(batch, nodes, self.depth)[0]
            scored[nodes] += self.width
        return best, scored

    def best_after(self, batch: Batch, nodes: Integers, depth: int) -> tuple[Integers, Integers]:
        """The guesses (uint32) of some nodes that are best after `depth` steps; their values."""
        guesses = np.zeros(len(nodes), np.uint32)
        values = np.zeros(len(nodes), np.int64)
        done = 0
        for some, ranked in portions(self.ranker, batch, nodes, self.width):
            trials = trials_of(self.plain, batch, some, ranked)
            after = self.folded(
                self.values(trials.children, depth - 1), trials.parent, trials.solves
            )
            for begin, end in zip(trials.starts[:-1], trials.starts[1:], strict=True):
                # The trials stand best first, and of equals the first is taken.
                first = begin + np.argmax(after[begin:end])
                guesses[done] = trials.guesses[first]
                values[done] = after[first]
                done += 1
        return guesses, values

    def values(self, batch: Batch, depth: int) -> Integers:
        """The value of each node after `depth` steps: int64[nodes]."""
        if not len(batch.feedback):
            return np.zeros(0, np.int64)
        guesses, _ = self.plain.choose(batch.candidates, batch.starts, batch.paths)
        level, children, _ = step(self.plain, batch, guesses)
        parent = np.repeat(np.arange(len(guesses)), level.children)
        left = np.bincount(parent, weights=children.sizes, minlength=len(guesses))
        solves = left < level.candidates
        values = self.folded(-self.rule.costs[children.sizes], parent, solves)
        if depth > 1:
            perfect = level.candidates - solves == level.children
            if self.rule.additive:
                # One step later every candidate has been guessed, and has its credit.
                one = self.rule.credit - int(self.rule.costs[1])
                values[perfect] = level.candidates[perfect] * one
            nodes = np.flatnonzero(~perfect)
            values[nodes] = self.best_after(batch, nodes, depth)[1]
        return values

    def folded(self, values: Integers, parent: Integers, solves: Integers) -> Integers:
        """The values of partitions from those of their cells; a cell that is solved counts as one.

        Args:
            values: int64[cells].
            parent: int64[cells], the partition that each belongs to.
            solves: bool[partitions], whether the guess may be the secret.
        """
        one = int(self.rule.costs[1])
        if self.rule.additive:
            total = np.where(solves, self.rule.credit - one, 0)
            np.add.at(total, parent, values)
            return total
        least = np.where(solves, -one, np.iinfo(np.int64).max)
        np.minimum.at(least, parent, values)
        return least + np.where(solves, self.rule.credit, 0)

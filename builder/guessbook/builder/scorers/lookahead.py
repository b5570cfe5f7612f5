"""Lookahead: choose, from the best guesses of a one-step policy, the guess of highest value after further steps.

The value of a node is the highest value of a guess at this node. By a lookahead of 1 step, the value of a guess is its
score. By a lookahead of D steps, it is the sum of the values of its cells by a lookahead of D - 1 steps; if the policy
scores the largest cell, it is the minimum of these values. It includes the policy's bonus for a candidate.
"""

import numpy as np

from guessbook.book.games.game import Game
from guessbook.builder.arrays import Chosen, Integers, Integers2D, rule_of
from guessbook.builder.games.scoring import ranker_of
from guessbook.builder.scorers.batch import Batch, level_of, node_sums, own_weights, step
from guessbook.builder.scorers.by_node import one_step_scorer
from guessbook.builder.scorers.scorer import Derived
from guessbook.builder.scorers.trial import are_optimal, portions, trials_of
from guessbook.policy.lookahead import Lookahead


class LookaheadScorer(Derived):
    """The scorer of a lookahead policy; `guessbook.policy.lookahead` explains the policy."""

    def __init__(self, game: Game, policy: Lookahead) -> None:
        super().__init__(one_step_scorer(game, policy.base))
        self.ranker, self.rule = ranker_of(game, policy.base), rule_of(policy.base, game)
        self.depth, self.width = policy.depth, policy.width

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Return, for each node, its guess, and the number of guesses scored at this node, not at later ones."""
        best, scored = self.plain.choose(candidates, starts, paths)
        if self.depth > 1:
            batch = level_of(candidates, starts, paths)
            # If the guess of the base policy is proven optimal, no other guess has a higher value.
            nodes = np.flatnonzero(~are_optimal(self, batch, best))
            best[nodes] = self.best_after(batch, nodes, self.depth)[0]
            scored[nodes] += self.width
        return best, scored

    def best_after(self, batch: Batch, nodes: Integers, depth: int) -> tuple[Integers, Integers]:
        """Return, for each node, the best guess by a lookahead of `depth` steps (uint32), and its value (int64)."""
        guesses = np.zeros(len(nodes), np.uint32)
        values = np.zeros(len(nodes), np.int64)
        done = 0
        for some, ranked in portions(self.ranker, batch, nodes, self.width):
            trials = trials_of(self, batch, some, ranked)
            after = self.combine(self.values(trials.children, depth - 1), trials.parent, trials.own)
            for begin, end in zip(trials.starts[:-1], trials.starts[1:], strict=True):
                # Trials are in the order of the ranking, so argmax gives ties to the best-ranked guess.
                first = begin + np.argmax(after[begin:end])
                guesses[done] = trials.guesses[first]
                values[done] = after[first]
                done += 1
        return guesses, values

    def values(self, batch: Batch, depth: int) -> Integers:
        """Return the value of each node by a lookahead of `depth` steps: int64[nodes]."""
        if not len(batch.feedback):
            return np.zeros(0, np.int64)
        guesses, _ = self.plain.choose(batch.candidates, batch.starts, batch.paths)
        level, children, _ = step(self.plain, batch, guesses)
        own = own_weights(batch, level, children, self.weights)
        costs = self.rule.costs[node_sums(children, self.weights)]
        values = self.combine(-costs, level.parents, own)
        if depth > 1:
            perfect = level.candidates - (own > 0) == level.children
            if self.rule.additive:
                # If each cell has one candidate, the next guess is this candidate: it solves the cell, and earns the
                # bonus for a guess that is a candidate.
                alone = self.rule.credit * self.weights - self.rule.costs[self.weights]
                values[perfect] = node_sums(batch, alone)[perfect]
            nodes = np.flatnonzero(~perfect)
            values[nodes] = self.best_after(batch, nodes, depth)[1]
        return values

    def combine(self, values: Integers, parent: Integers, own: Integers) -> Integers:
        """Return the value of each partition from the values of its unsolved cells: int64[partitions].

        `parent` is the index of each cell's partition. `own` is the weight of each partition's guess, or 0 if the guess
        is not a candidate.
        """
        credit, total = self.rule.credit * own, -self.rule.costs[own]
        if self.rule.additive:
            np.add.at(total, parent, values)
        else:
            total = np.where(own > 0, total, np.iinfo(np.int64).max)
            np.minimum.at(total, parent, values)
        combined: Integers = total + credit
        return combined

"""The base class of scorers that try several guesses per node, and the scorer of `lookahead`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from guessbook.book.games.game import Game
from guessbook.builder.arrays import Chosen, Integers, Integers2D, cost_function
from guessbook.builder.games import ranker_of
from guessbook.builder.scorers import (
    Batch,
    Level,
    level_of,
    node_sums,
    one_step_scorer,
    own_weights,
    step,
)
from guessbook.builder.scoring import DerivedScorer
from guessbook.policy.lookahead import Lookahead
from guessbook.policy.policy import OneStep

# The largest number of candidates in one batch of trials. The batch takes some tens of megabytes.
MAX_CANDIDATES = 1 << 20


class Trials(NamedTuple):
    """Guesses that are tried at nodes (trials), and the cells that result."""

    # int64[nodes + 1], the index of the first trial of each node, and the end of the last node. The
    # trials of a node are in the order of the ranking.
    starts: Integers
    guesses: Integers  # uint32[trials], the guess of each trial
    own: Integers  # int64[trials], the weight of the guess; 0 if the guess is no candidate
    weights: Integers  # int64[trials], the sum of the weights of the candidates of the trial's node
    children: Batch  # the cells, without the cell that the guess itself solves
    parent: Integers  # int64[children], the index of the trial that made each cell

    def cheapest(self, *costs: Integers) -> Integers:
        """Return the index of the trial of least cost in `costs[-1]` for each node: int64[nodes].

        Ties are decided by the other costs, from the last to the first, then by the ranking.
        """
        owner = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        return np.lexsort((*costs, owner))[self.starts[:-1]]


def splits_all(level: Level, children: Batch) -> Integers:
    """Return whether the guess of each node separates all of its candidates: bool[nodes]."""
    perfect: Integers = np.bincount(level.parents, children.sizes > 1, len(level.guess)) == 0
    return perfect


def are_optimal(scorer: DerivedScorer, batch: Batch, guesses: Integers) -> Integers:
    """Return whether a one-step policy's guess is proven optimal at each node: bool[nodes]."""
    # A guess that separates all candidates is optimal if it is one of the heaviest candidates. With
    # equal weights, the policy's guess is optimal whenever it separates all, because the policy
    # prefers candidates among such guesses.
    level, children, _ = step(scorer.plain, batch, guesses)
    own = own_weights(batch, level, children, scorer.weights)
    counted = scorer.weights[batch.candidates]
    most = np.maximum.reduceat(counted, batch.starts[:-1])
    alike = np.minimum.reduceat(counted, batch.starts[:-1]) == most
    best: Integers = splits_all(level, children) & ((own == most) | alike)
    return best


class TrialScorer(DerivedScorer):
    """The base class of scorers that compare the `width` best guesses by a one-step policy."""

    def __init__(self, game: Game, base: OneStep, width: int) -> None:
        super().__init__(one_step_scorer(game, base))
        self.ranker, self.width = ranker_of(game, base), width

    def trials(self, batch: Batch, nodes: Integers) -> Iterator[tuple[Integers, Trials]]:
        """Try guesses at some nodes of a batch.

        Yields the trials in parts, each with its nodes (int64).
        """
        taken: list[int] = []
        ranked: list[Integers] = []
        total = 0
        for node in nodes.tolist():
            candidates = batch.candidates[batch.starts[node] : batch.starts[node + 1]]
            guesses = self.ranker.best(candidates, batch.paths[node], self.width)
            pairs = len(candidates) * len(guesses)
            if total and total + pairs > MAX_CANDIDATES:
                yield np.array(taken), self._try(batch, taken, ranked)
                taken, ranked, total = [], [], 0
            taken.append(node)
            ranked.append(guesses)
            total += pairs
        if taken:
            yield np.array(taken), self._try(batch, taken, ranked)

    def _try(self, batch: Batch, nodes: list[int], ranked: list[Integers]) -> Trials:
        """Try guesses at some nodes of a batch; `ranked` has the guesses for each of `nodes`."""
        lengths = np.array([len(guesses) for guesses in ranked])
        owners = np.repeat(nodes, lengths)
        guesses = np.concatenate(ranked)
        repeated = Batch(
            np.concatenate(
                [batch.candidates[batch.starts[n] : batch.starts[n + 1]] for n in owners]
            ),
            np.concatenate([[0], np.cumsum(batch.sizes[owners])]),
            batch.paths[owners],
            batch.feedback[owners],
        )
        level, children, _ = step(self.plain, repeated, guesses)
        own = own_weights(repeated, level, children, self.weights)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        weights = node_sums(repeated, self.weights)
        return Trials(starts, guesses, own, weights, children, level.parents)


class LookaheadScorer(TrialScorer):
    """The scorer of a lookahead policy; `guessbook.policy.lookahead` explains the policy."""

    def __init__(self, game: Game, policy: Lookahead) -> None:
        super().__init__(game, policy.base, policy.width)
        self.depth, self.rule = policy.depth, cost_function(policy.base, game)

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Return the guess of each node, and the number of guesses scored at it, not below it."""
        best, scored = self.plain.choose(candidates, starts, paths)
        if self.depth > 1:
            batch = level_of(candidates, starts, paths)
            # If the guess of the base policy is proven optimal, no other guess has a higher value.
            nodes = np.flatnonzero(~are_optimal(self, batch, best))
            best[nodes] = self.best_after(batch, nodes, self.depth)[0]
            scored[nodes] += self.width
        return best, scored

    def best_after(self, batch: Batch, nodes: Integers, depth: int) -> tuple[Integers, Integers]:
        """Return the best guess of each node by a lookahead (uint32), and its value (int64)."""
        guesses, values = [np.zeros(0, np.uint32)], [np.zeros(0, np.int64)]
        for _, trials in self.trials(batch, nodes):
            after = self.combine(self.values(trials.children, depth - 1), trials.parent, trials.own)
            best = trials.cheapest(-after)
            guesses.append(trials.guesses[best])
            values.append(after[best])
        return np.concatenate(guesses), np.concatenate(values)

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
                # If each cell has one candidate, the next guess is this candidate: it solves the
                # cell, and earns the bonus for a guess that is a candidate.
                alone = self.rule.credit * self.weights - self.rule.costs[self.weights]
                values[perfect] = node_sums(batch, alone)[perfect]
            nodes = np.flatnonzero(~perfect)
            values[nodes] = self.best_after(batch, nodes, depth)[1]
        return values

    def combine(self, values: Integers, parent: Integers, own: Integers) -> Integers:
        """Combine the values of unsolved cells to the value of each partition: int64[partitions].

        `parent` is the index of each cell's partition. `own` is the weight of each partition's
        guess, or 0 if the guess is not a candidate.
        """
        credit, total = self.rule.credit * own, -self.rule.costs[own]
        if self.rule.additive:
            np.add.at(total, parent, values)
        else:
            total = np.where(own > 0, total, np.iinfo(np.int64).max)
            np.minimum.at(total, parent, values)
        combined: Integers = total + credit
        return combined

"""Batches of nodes, and the children into which guesses split these nodes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from guessbook.book.errors import BuildError
from guessbook.builder.arrays import Integers, Integers2D
from guessbook.builder.scorers.scorer import Scorer
from guessbook.engine.partitions import split_nodes


class Batch(NamedTuple):
    """A batch of nodes of one level whose guesses are not yet chosen."""

    candidates: Integers  # uint32, the indices of the candidates, one node after the other
    starts: Integers  # int64[nodes + 1], the start of each node in `candidates`, and the end of the last node
    paths: Integers2D  # uint32[nodes, depth], the indices of the guesses that lead to each node
    feedback: Integers  # the number of the feedback that leads to each node from its parent

    @property
    def sizes(self) -> Integers:
        """The number of candidates of each node."""
        return np.diff(self.starts)

    def node(self, index: int) -> Batch:
        """Return the batch of one node."""
        return self.slice(index, index + 1)

    def slice(self, begin: int, end: int) -> Batch:
        """Return the batch of the nodes from `begin` up to `end` - 1."""
        starts = self.starts[begin : end + 1]
        own = self.candidates[starts[0] : starts[-1]]
        return Batch(own, starts - starts[0], self.paths[begin:end], self.feedback[begin:end])


class Level(NamedTuple):
    """The nodes of one level of a finished tree. Each field is a column, explained by `guessbook.book.tree.Columns`."""

    guess: Integers
    feedback: Integers
    children: Integers
    candidates: Integers

    @property
    def parents(self) -> Integers:
        """The parent of each child, as an index in this level: int64[children]."""
        return np.repeat(np.arange(len(self.guess)), self.children)


def root_batch(secrets: int) -> Batch:
    """Return the batch with only the root of a tree: its candidates are all secrets, from 0 to `secrets` - 1."""
    every = np.arange(secrets, dtype=np.uint32)
    return level_of(every, np.array([0, secrets]), np.zeros((1, 0), np.uint32))


def level_of(candidates: Integers, starts: Integers, paths: Integers2D) -> Batch:
    """Return nodes as a batch, as if the feedback number 0 led to each of them."""
    return Batch(candidates, starts, paths, np.zeros(len(starts) - 1, np.int64))


def step(
    scorer: Scorer, batch: Batch, guess: Integers | int | None = None
) -> tuple[Level, Batch, Integers]:
    """Split the nodes of a batch by the feedbacks to a guess at each node.

    `guess` is one guess for all nodes, or an array with a guess for each node. If it is None, the scorer chooses.

    Returns the nodes with their guesses, the children of the nodes, and the number of (guess, candidate) pairs scored
    for each node.
    """
    if guess is None:
        guesses, scored = scorer.choose(batch.candidates, batch.starts, batch.paths)
    else:
        guesses = np.full(len(batch.starts) - 1, guess, np.uint32)
        scored = np.zeros(len(guesses), np.int64)
    answers = scorer.feedbacks(guesses, batch.candidates, batch.starts)
    if guess is None:
        made = (batch.paths == guesses[:, None]).any(axis=1)
        # All candidates of a node have equal feedbacks to earlier guesses, so a repeated guess splits no node. It is
        # an error, unless the guess is the secret.
        again = guesses[made & (answers[batch.starts[:-1]] != scorer.game.solved)]
        if len(again):
            code = scorer.game.guesses[again[0]]
            raise BuildError(
                f"the policy guesses {code} again, so the tree would never end; expected a new guess"
            )
    found = split_nodes(
        batch.candidates.astype(np.uint32, copy=False), batch.starts.astype(np.int64, copy=False),
        answers.astype(np.uint32, copy=False), scorer.game.feedbacks,
    )  # fmt: skip
    below, ends, feedback, counts = map(np.asarray, found)
    level = Level(guesses, batch.feedback, counts, batch.sizes)
    parents = level.parents
    paths = np.concatenate([batch.paths, guesses[:, None]], axis=1)[parents]
    some = len(parents)
    children = Batch(below[: ends[some]], ends[: some + 1].copy(), paths, feedback[:some].copy())
    return level, children, scored * level.candidates


def node_sums(batch: Batch, values: Integers) -> Integers:
    """Return the sum of values of the candidates of each node: int64[nodes]. `values` has a value for each secret."""
    sums = np.concatenate([[0], np.cumsum(values[batch.candidates])])
    total: Integers = np.diff(sums[batch.starts])
    return total


def own_weights(batch: Batch, level: Level, children: Batch, weights: Integers) -> Integers:
    """Return the weight of the guess of each node; 0 if the guess is not a candidate: int64[nodes]."""
    left = np.bincount(level.parents, node_sums(children, weights), len(level.guess))
    own: Integers = node_sums(batch, weights) - left.astype(np.int64)
    return own

"""Batches of nodes, and the children that guesses split them into."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from guessbook.book.errors import BuildError
from guessbook.builder.arrays import Integers, Integers2D
from guessbook.builder.scorers.scorer import Scorer
from guessbook.builder.scorers.subtrees import Level
from guessbook.kernels.splits import split_nodes


class Batch(NamedTuple):
    """Nodes whose guesses are not yet chosen.

    Attributes:
        candidates: uint32, the indices of the candidates, one node after the other.
        starts: int64[nodes + 1], the first candidate of each node, and the end of the last.
        paths: uint32[nodes, depth], the indices of the guesses that lead to each node.
        feedback: the number of the feedback that leads to each node from its parent.
    """

    candidates: Integers
    starts: Integers
    paths: Integers2D
    feedback: Integers

    @property
    def sizes(self) -> Integers:
        """The number of candidates of each node."""
        return np.diff(self.starts)

    def node(self, index: int) -> Batch:
        """Return the batch of one node."""
        return self.some(index, index + 1)

    def some(self, begin: int, end: int) -> Batch:
        """Return the batch of the nodes from `begin` to `end`, without the latter."""
        starts = self.starts[begin : end + 1]
        own = self.candidates[starts[0] : starts[-1]]
        return Batch(own, starts - starts[0], self.paths[begin:end], self.feedback[begin:end])


def root_batch(secrets: int) -> Batch:
    """Return the batch that holds the root of a tree."""
    return Batch(
        np.arange(secrets, dtype=np.uint32),
        np.array([0, secrets]),
        np.zeros((1, 0), np.uint32),
        np.zeros(1, np.int64),
    )


def step(
    scorer: Scorer, batch: Batch, guess: Integers | int | None = None
) -> tuple[Level, Batch, Integers]:
    """Split every node by the scorer's choice, or by `guess`, which is one for all or one for each.

    Returns the finished level, its children, and the number of pairs scored for each node.

    Raises:
        BuildError: the scorer repeats a guess, which would never end.
    """
    chosen = guess is None
    if guess is None:
        guesses, scored = scorer.choose(batch.candidates, batch.starts, batch.paths)
    else:
        guesses = np.full(len(batch.starts) - 1, guess, np.uint32)
        scored = np.zeros(len(guesses), np.int64)
    answers = scorer.feedbacks(guesses, batch.candidates, batch.starts)
    if chosen:
        made = (batch.paths == guesses[:, None]).any(axis=1)
        # All candidates answered an earlier guess alike; only the secret itself may be repeated.
        again = guesses[made & (answers[batch.starts[:-1]] != scorer.game.solved)]
        if len(again):
            raise BuildError(
                f"the policy guesses {scorer.game.guesses[again[0]]} again, which tells nothing "
                "and would never end; expected a new guess"
            )
    level, children = split(batch, guesses, answers, scorer.game.feedbacks)
    return level, children, scored * level.candidates


def split(
    batch: Batch, guesses: Integers, answers: Integers, feedbacks: int
) -> tuple[Level, Batch]:
    """Split each node by its guess, and return the finished level and the children."""
    found = split_nodes(
        batch.candidates.astype(np.uint32, copy=False), batch.starts.astype(np.int64, copy=False),
        answers.astype(np.uint32, copy=False), feedbacks,
    )  # fmt: skip
    below, ends, feedback, children = map(np.asarray, found)
    count = int(children.sum())
    parent = np.repeat(np.arange(len(guesses)), children)
    paths = np.concatenate([batch.paths, guesses[:, None]], axis=1)
    return Level(guesses, batch.feedback, children, batch.sizes), Batch(
        below[: ends[count]], ends[: count + 1].copy(), paths[parent], feedback[:count].copy()
    )


def node_sums(batch: Batch, values: Integers) -> Integers:
    """Return the sum of the values of the candidates of each node: int64[nodes].

    The values are int64[secrets], such as the weights of secrets.
    """
    sums = np.concatenate([[0], np.cumsum(values[batch.candidates])])
    total: Integers = np.diff(sums[batch.starts])
    return total


def own_weights(batch: Batch, children: Batch, parent: Integers, weights: Integers) -> Integers:
    """Return the weight of each node's guess as a candidate; 0 if it is none: int64[nodes].

    The children hold the candidates that the guesses leave; `parent` is the node of each child.
    """
    left = np.bincount(parent, node_sums(children, weights), len(batch.feedback))
    own: Integers = node_sums(batch, weights) - left.astype(np.int64)
    return own

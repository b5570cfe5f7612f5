"""Batches of nodes, and their children under the guesses of a level."""

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
        candidates: uint32, the indices of the nodes' candidates, one node after the other.
        starts: int64[nodes + 1], where each node's begin, and the end of the last.
        paths: uint32[nodes, depth], the indices of the guesses that lead to each node.
        feedback: the number of the feedback that leads to each node from its parent.
    """

    candidates: Integers
    starts: Integers
    paths: Integers2D
    feedback: Integers

    @property
    def sizes(self) -> Integers:
        """How many candidates each node has."""
        return np.diff(self.starts)

    def node(self, index: int) -> Batch:
        """The batch of one of the nodes."""
        return self.some(index, index + 1)

    def some(self, begin: int, end: int) -> Batch:
        """The batch of neighbouring nodes."""
        starts = self.starts[begin : end + 1]
        some = slice(begin, end)
        return Batch(
            self.candidates[starts[0] : starts[-1]],
            starts - starts[0],
            self.paths[some],
            self.feedback[some],
        )


def root_batch(secrets: int) -> Batch:
    """The batch that holds the root of a tree."""
    return Batch(
        np.arange(secrets, dtype=np.uint32),
        np.array([0, secrets]),
        np.zeros((1, 0), np.uint32),
        np.zeros(1, np.int64),
    )


def step(
    scorer: Scorer, batch: Batch, guess: Integers | int | None = None
) -> tuple[Level, Batch, Integers]:
    """Choose the guess of every node, or take `guess` (one for all, or for each), and split.

    Returns the finished level, its children, and the pairs scored for each node.

    Raises:
        BuildError: a guess is chosen that was made before, which would never end.
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
        # All candidates have answered it alike; only the secret itself may be guessed again.
        again = guesses[made & (answers[batch.starts[:-1]] != scorer.game.solved)]
        if len(again):
            raise BuildError(
                f"the policy guesses {scorer.game.guesses[again[0]]} again, which tells nothing "
                "and would never end; expected a guess that is new"
            )
    level, children = split(batch, guesses, answers, scorer.game.feedbacks)
    return level, children, scored * level.candidates


def split(
    batch: Batch, guesses: Integers, answers: Integers, feedbacks: int
) -> tuple[Level, Batch]:
    """Split each node by its guess: the finished level, and the children."""
    found = split_nodes(
        batch.candidates.astype(np.uint32, copy=False), batch.starts.astype(np.int64, copy=False),
        answers.astype(np.uint32, copy=False), feedbacks,
    )  # fmt: skip
    below, ends, feedback, children = map(np.asarray, found)
    count = int(children.sum())
    parent = np.repeat(np.arange(len(guesses)), children)
    paths = np.concatenate([batch.paths, guesses[:, None]], axis=1)
    return Level(guesses, batch.feedback, children, batch.sizes), Batch(
        below[: ends[count]],
        ends[: count + 1].copy(),
        paths[parent],
        feedback[:count].copy(),
    )


def weighed(batch: Batch, values: Integers) -> Integers:
    """The sums of what the candidates of each node have: int64[nodes].

    The values are int64[secrets], such as how much each secret counts.
    """
    sums = np.concatenate([[0], np.cumsum(values[batch.candidates])])
    total: Integers = np.diff(sums[batch.starts])
    return total


def own_weights(batch: Batch, children: Batch, parent: Integers, weights: Integers) -> Integers:
    """How much the guess of each node counts as a secret; 0 if it is none: int64[nodes].

    The children are what the guesses leave to solve, and each comes from a node, its parent.
    """
    left = np.bincount(parent, weighed(children, weights), len(batch.feedback))
    own: Integers = weighed(batch, weights) - left.astype(np.int64)
    return own

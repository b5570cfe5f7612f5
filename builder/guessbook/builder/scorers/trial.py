"""Trials: nodes of a level, each split by several guesses, side by side in one batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from guessbook.builder.arrays import Integers, Integers2D
from guessbook.builder.games.ranking import Ranker, best_first
from guessbook.builder.scorers.batch import Batch, own_weights, step, weighed
from guessbook.builder.scorers.subtrees import Level

if TYPE_CHECKING:
    from guessbook.builder.scorers.scorer import Scorer


# Candidates in one batch of trials; some tens of megabytes.
MAX_CANDIDATES = 1 << 20


class Trials(NamedTuple):
    """Guesses tried at some nodes, and what they split the candidates into.

    Attributes:
        starts: int64[nodes + 1], where each node's trials begin, best first; and the last's end.
        guesses: uint32[trials], the guess of each.
        own: int64[trials], how much the guess counts as a secret; 0 if it is none.
        weights: int64[trials], how much the candidates count that it splits.
        children: the cells that are left to solve.
        parent: int64[children], the trial that each cell comes from.
    """

    starts: Integers
    guesses: Integers
    own: Integers
    weights: Integers
    children: Batch
    parent: Integers


def level_of(candidates: Integers, starts: Integers, paths: Integers2D) -> Batch:
    """The nodes that a scorer is asked about, as a batch; where they hang does not matter."""
    return Batch(candidates, starts, paths, np.zeros(len(starts) - 1, np.int64))


def trials_of(
    scorer: Scorer, weights: Integers, batch: Batch, nodes: Integers, ranked: list[Integers]
) -> Trials:
    """Split each of these nodes of a batch by each of its guesses; secrets have these weights."""
    lengths = np.array([len(guesses) for guesses in ranked])
    owners = np.repeat(nodes, lengths)
    guesses = np.concatenate(ranked)
    repeated = Batch(
        np.concatenate([batch.candidates[batch.starts[n] : batch.starts[n + 1]] for n in owners]),
        np.concatenate([[0], np.cumsum(batch.sizes[owners])]),
        batch.paths[owners],
        batch.feedback[owners],
    )
    level, children, _ = step(scorer, repeated, guesses)
    parent = np.repeat(np.arange(len(guesses)), level.children)
    own = own_weights(repeated, children, parent, weights)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    return Trials(starts, guesses, own, weighed(repeated, weights), children, parent)


def splits_all(level: Level, children: Batch) -> Integers:
    """Whether the guess of each node of a level tells all its candidates apart: bool[nodes]."""
    parent = np.repeat(np.arange(len(level.guess)), level.children)
    perfect: Integers = np.bincount(parent, children.sizes > 1, len(level.guess)) == 0
    return perfect


def settled(scorer: Scorer, weights: Integers, batch: Batch, guesses: Integers) -> Integers:
    """Whether no strategy needs fewer guesses than one with each node's best guess: bool[nodes].

    The guess tells all candidates apart. If it is the likeliest of them, nothing costs less; if all
    count the same, only a candidate that does so as well would, and that would have been better.
    """
    level, children, _ = step(scorer, batch, guesses)
    parent = np.repeat(np.arange(len(guesses)), level.children)
    own = own_weights(batch, children, parent, weights)
    counted = weights[batch.candidates]
    most = np.maximum.reduceat(counted, batch.starts[:-1])
    alike = np.minimum.reduceat(counted, batch.starts[:-1]) == most
    best: Integers = splits_all(level, children) & ((own == most) | alike)
    return best


def portions(
    ranker: Ranker, batch: Batch, nodes: Integers, width: int
) -> Iterator[tuple[Integers, list[Integers]]]:
    """The nodes with their rankings, as many at a time as fit in memory side by side."""
    taken: list[int] = []
    ranked: list[Integers] = []
    total = 0
    for node in nodes:
        candidates = batch.candidates[batch.starts[node] : batch.starts[node + 1]]
        guesses = best_first(ranker, candidates, batch.paths[node], width)
        if total and total + len(candidates) * len(guesses) > MAX_CANDIDATES:
            yield np.array(taken), ranked
            taken, ranked, total = [], [], 0
        taken.append(int(node))
        ranked.append(guesses)
        total += len(candidates) * len(guesses)
    if taken:
        yield np.array(taken), ranked

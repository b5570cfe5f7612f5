"""Trials: several guesses at each node of a level, tried in one batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from guessbook.builder.arrays import Integers
from guessbook.builder.games.scoring import Ranker, best_first
from guessbook.builder.scorers.batch import Batch, Level, node_sums, own_weights, step
from guessbook.builder.scorers.scorer import Derived

# The largest number of candidates in one batch of trials. The batch takes some tens of megabytes.
MAX_CANDIDATES = 1 << 20


class Trials(NamedTuple):
    """Guesses that are tried at nodes, and the cells into which they split the candidates."""

    # int64[nodes + 1], the index of the first trial of each node, and the end of the last node. The trials of a node
    # are in the order of the ranking.
    starts: Integers
    guesses: Integers  # uint32[trials], the guess of each trial
    own: Integers  # int64[trials], the weight of the guess; 0 if the guess is no candidate
    weights: Integers  # int64[trials], the sum of the weights of the candidates of the trial's node
    children: Batch  # the cells, without the cell that the guess itself solves
    parent: Integers  # int64[children], the index of the trial that made each cell


def trials_of(scorer: Derived, batch: Batch, nodes: Integers, ranked: list[Integers]) -> Trials:
    """Try guesses at some nodes of a batch, and return the trials. `ranked` has the guesses for each of `nodes`."""
    lengths = np.array([len(guesses) for guesses in ranked])
    owners = np.repeat(nodes, lengths)
    guesses = np.concatenate(ranked)
    repeated = Batch(
        np.concatenate([batch.candidates[batch.starts[n] : batch.starts[n + 1]] for n in owners]),
        np.concatenate([[0], np.cumsum(batch.sizes[owners])]),
        batch.paths[owners],
        batch.feedback[owners],
    )
    level, children, _ = step(scorer.plain, repeated, guesses)
    own = own_weights(repeated, level, children, scorer.weights)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    weights = node_sums(repeated, scorer.weights)
    return Trials(starts, guesses, own, weights, children, level.parents)


def splits_all(level: Level, children: Batch) -> Integers:
    """Return, for each node, whether the guess separates all candidates of the node: bool[nodes]."""
    perfect: Integers = np.bincount(level.parents, children.sizes > 1, len(level.guess)) == 0
    return perfect


def are_optimal(scorer: Derived, batch: Batch, guesses: Integers) -> Integers:
    """Return, for each node, whether the guess of a one-step policy is proven optimal: bool[nodes]."""
    # A guess that separates all candidates is optimal if it is one of the heaviest candidates. With equal weights, the
    # policy's guess is optimal whenever it separates all, because the policy prefers candidates among such guesses.
    level, children, _ = step(scorer.plain, batch, guesses)
    own = own_weights(batch, level, children, scorer.weights)
    counted = scorer.weights[batch.candidates]
    most = np.maximum.reduceat(counted, batch.starts[:-1])
    alike = np.minimum.reduceat(counted, batch.starts[:-1]) == most
    best: Integers = splits_all(level, children) & ((own == most) | alike)
    return best


def portions(
    ranker: Ranker, batch: Batch, nodes: Integers, width: int
) -> Iterator[tuple[Integers, list[Integers]]]:
    """Yield groups of nodes, with the best `width` guesses of each node. A group is for one batch of trials."""
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

"""The top of the tree: expanded here until what hangs below a node is small enough for a task.

A task is a batch of neighbouring nodes, given by their histories; its result is their finished
subtrees. What the tasks are depends on the game and the policy alone, so that a build can go on
with another number of jobs, and the tree is put together in the order of the nodes, whoever
finished first.

Counted for 6x8 by entropy: 51 large nodes, then 153 tasks, of which the costliest scores 2.2 % of
all pairs; the longest chain, each link of which waits for the one before, 6.2 % (docs/scaling.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from guessbook.book.games.game import Game
from guessbook.builder.games.scoring import scoring_of
from guessbook.builder.growth.limits import MEMORY
from guessbook.builder.growth.progress import LATER, SECOND, TASKS, Forecast, Progress, weight
from guessbook.builder.kernels.arrays import Integers
from guessbook.builder.scorers.batch import (
    Batch,
    Level,
    Subtrees,
    added,
    grow,
    join,
    root_batch,
    separate,
    step,
)
from guessbook.builder.scorers.scorer import scorer_of
from guessbook.policy.one_step import policy_named
from guessbook.policy.policy import Policy

if TYPE_CHECKING:
    from guessbook.builder.executors.checkpoint import Checkpoint


# At most so many tasks, more or less; fewer for small games, where a task would not be worth it.
MAX_TASKS = 1024


class Job(NamedTuple):
    """What is to be built, and when to stop. Pickled with each task.

    Attributes:
        game: the game.
        policy: the policy.
        first_guess: the index of the first guess; None if the policy chooses it.
        memory: bytes that what is remembered of sets may take, in each process.
        gap: the part of the best cost by which the proven bound may be lower at its end.
        proven: what no strategy is below, if the search for the optimum ended at its gap.
    """

    game: Game
    policy: Policy
    first_guess: int | None
    memory: int = MEMORY
    gap: float = 0.0
    proven: int | None = None


class Branch(NamedTuple):
    """A node at the top: its own level, and its children: branches, or places in the frontier."""

    level: Level
    children: list[Branch | int]


def compile_kernels(game: Game, policy: Policy) -> None:
    """Build small games that need the kernels of this one: see `guessbook.builder.warm_up`."""
    for small in scoring_of(game).samples(game):
        grow(scorer_of(small, policy, MEMORY), root_batch(len(small.secrets)))
        # Of the larger samples any policy needs the same kernels, and this one is quick.
        policy = policy_named("entropy")


def run_step(job: Job, batch: Batch, guess: int | None) -> tuple[Level, Batch, Integers]:
    """Task: choose the guess of one large node and split it."""
    return step(scorer_of(job.game, job.policy, job.memory), batch, guess)


def run_growth(job: Job, batch: Batch) -> Subtrees:
    """Task: finish the subtrees of a batch."""
    return grow(scorer_of(job.game, job.policy, job.memory), batch)


def grow_tree(
    executor: Executor,
    job: Job,
    report: Callable[[Progress], None],
    checkpoint: Checkpoint | None = None,
) -> Subtrees:
    """Grow the whole tree of a job.

    Args:
        executor: runs the tasks: threads, or a cluster.
        job: what is to be built.
        report: is told how far the build is.
        checkpoint: keeps what is finished, and knows what an earlier run finished.
    """
    secrets, guesses = len(job.game.secrets), len(job.game.guesses)
    tasks = min(max(math.isqrt(guesses * secrets) // 2048, 1), MAX_TASKS)
    limit = max(secrets // tasks, 1)
    root, frontier, pairs, forecast = expand(executor, job, limit, report, checkpoint)
    batches = [join(frontier[start:end]) for start, end in neighbours(frontier, limit)]
    weights = [weight(batch.sizes.tolist()) for batch in batches]
    trees: list[list[list[Level]]] = [[] for _ in batches]
    for index, finished, earlier in run_all(executor, job, batches, checkpoint):
        trees[index] = separate(finished.levels)
        pairs = added(pairs, finished.pairs)
        forecast.add(TASKS, weights[index], int(finished.pairs.sum()), earlier)
        report(forecast.progress())
    flat = [tree for batch in trees for tree in batch]
    levels = [
        Level(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        for parts in assemble(root, flat)
    ]
    return Subtrees(levels, pairs)


def expand(
    executor: Executor,
    job: Job,
    limit: int,
    report: Callable[[Progress], None],
    checkpoint: Checkpoint | None,
) -> tuple[Branch, list[Batch], Integers, Forecast]:
    """Choose the guesses of all nodes with more than `limit` candidates.

    Returns the top of the tree, the nodes below it, the pairs scored at each depth, and the
    forecast of what is left, which knows these steps.
    """
    frontier: list[Batch] = []
    pairs = np.zeros(0, np.int64)
    top: list[Branch | int] = []
    # A wave holds nodes, and the list of children in which each has its place.
    wave: list[tuple[Batch, list[Branch | int], int]] = [
        (root_batch(len(job.game.secrets)), top, 0)
    ]
    top.append(-1)
    guess = job.first_guess
    forecast: Forecast | None = None
    while wave:
        steps = run_steps(executor, job, [batch for batch, _, _ in wave], guess, checkpoint)
        guess = None
        following = []
        for (batch, siblings, place), (done, earlier) in zip(wave, steps, strict=True):
            level, below, scored = done
            pairs = added(pairs, np.bincount(batch.depth, weights=scored).astype(np.int64))
            size = len(batch.candidates)
            if forecast is None:
                forecast = Forecast(len(job.game.guesses), int(scored.sum()))
            else:
                kind = SECOND if batch.depth[0] == 1 else LATER
                forecast.add(kind, size, int(scored.sum()), earlier)
                forecast.expect(TASKS, -task_weight([size], limit))
            sizes = below.sizes.tolist()
            kind = LATER if batch.depth[0] else SECOND
            forecast.expect(kind, sum(size for size in sizes if size > limit))
            forecast.expect(TASKS, task_weight(sizes, limit))
            report(forecast.progress())
            branch = Branch(level, [])
            siblings[place] = branch
            for index, size in enumerate(below.sizes):
                child = below.node(index)
                if size > limit:
                    following.append((child, branch.children, index))
                    branch.children.append(-1)
                else:
                    branch.children.append(len(frontier))
                    frontier.append(child)
        wave = following
    root = top[0]
    assert isinstance(root, Branch)
    assert forecast is not None
    return root, frontier, pairs, forecast


def task_weight(sizes: list[int], limit: int) -> float:
    """The weight of what will be tasks of these nodes: a large one will be cut into small ones."""
    large = sum(size for size in sizes if size > limit)
    # Measured: the tasks' nodes weigh like equal ones of a quarter of the limit.
    return weight(size for size in sizes if size <= limit) + large * weight([limit / 4]) * 4 / limit


def run_steps(
    executor: Executor,
    job: Job,
    batches: list[Batch],
    guess: int | None,
    checkpoint: Checkpoint | None,
) -> Iterator[tuple[tuple[Level, Batch, Integers], bool]]:
    """What `run_step` gives for each batch, in their order, and whether an earlier run chose.

    Of a step the checkpoint keeps the guess alone: to choose it is the work, and the children
    would fill the disk with every candidate again at each level.
    """
    known = [checkpoint.load("step", batch) if checkpoint else None for batch in batches]
    futures = [
        executor.submit(run_step, job, batch, int(k.levels[0].guess[0]) if k else guess)
        for batch, k in zip(batches, known, strict=True)
    ]
    try:
        for batch, earlier, future in zip(batches, known, futures, strict=True):
            level, below, scored = future.result()
            if earlier:
                scored = earlier.pairs
            elif checkpoint:
                checkpoint.save("step", batch, Subtrees([level], scored))
            yield (level, below, scored), earlier is not None
    finally:
        for future in futures:
            future.cancel()


def neighbours(frontier: list[Batch], limit: int) -> Iterator[tuple[int, int]]:
    """Cut the frontier into runs of up to `limit` candidates in all (but at least one node)."""
    starts = []
    total = limit + 1
    for index, batch in enumerate(frontier):
        total += len(batch.candidates)
        if total > limit:
            starts.append(index)
            total = len(batch.candidates)
    return pairwise([*starts, len(frontier)])


def run_all(
    executor: Executor, job: Job, batches: list[Batch], checkpoint: Checkpoint | None
) -> Iterator[tuple[int, Subtrees, bool]]:
    """The finished subtrees of every batch, as they come.

    Yields the batch's index, its subtrees, and whether an earlier run finished them.
    """
    waiting: dict[Future[Subtrees], int] = {}
    try:
        # The largest first: what is left to wait for at the end is small.
        for index in sorted(range(len(batches)), key=lambda i: -len(batches[i].candidates)):
            earlier = checkpoint.load("growth", batches[index]) if checkpoint else None
            if earlier:
                yield index, earlier, True
            else:
                waiting[executor.submit(run_growth, job, batches[index])] = index
        while waiting:
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                index, finished = waiting.pop(future), future.result()
                if checkpoint:
                    checkpoint.save("growth", batches[index], finished)
                yield index, finished, False
    finally:
        for future in waiting:
            future.cancel()


def assemble(branch: Branch | int, trees: list[list[Level]]) -> list[list[Level]]:
    """The levels of a branch, each as the pieces to be put side by side."""
    if isinstance(branch, int):
        return [[level] for level in trees[branch]]
    levels = [[branch.level]]
    for child in branch.children:
        for depth, pieces in enumerate(assemble(child, trees), 1):
            if depth == len(levels):
                levels.append([])
            levels[depth].extend(pieces)
    return levels

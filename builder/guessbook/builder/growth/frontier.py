"""The top of the tree: expanded here until what hangs below a node is small enough for a task.

A task is a batch of neighbouring nodes, given by their histories; its result is their finished
subtrees. What the tasks are depends on the game and the policy alone, so that a build can go on
with another number of jobs, and the tree is put together in the order of the nodes, whoever
finished first. The guesses of large nodes are searched in parts: see `division`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from guessbook.book.games.game import Game
from guessbook.builder.games.scoring import scoring_of
from guessbook.builder.growth.division import Choice, chosen, spread
from guessbook.builder.growth.limits import MEMORY
from guessbook.builder.growth.progress import LATER, SECOND, TASKS, Forecast, Progress, weight
from guessbook.builder.kernels.arrays import Integers
from guessbook.builder.scorers.batch import (
    Batch,
    Level,
    Subtrees,
    added,
    compact,
    grow,
    grow_each,
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
MAX_TASKS = 4096


class Grain(NamedTuple):
    """Into how small parts the work is cut.

    Attributes:
        limit: how many candidates a task has at most, if it is not a single node.
        pairs: how many pairs a part of a search scores, more or less.
    """

    limit: int
    pairs: int


def grain_of(game: Game) -> Grain:
    """Into how small parts the work for a game is cut: one is worth a few milliseconds at least."""
    secrets, work = len(game.secrets), len(game.guesses) * len(game.secrets)
    tasks = min(max(math.isqrt(work) // 2048, work >> 25, 1), MAX_TASKS)
    return Grain(max(secrets // tasks, 1), max(work >> 15, 1 << 21))


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
    """A node at the top: its own level, and its children: branches, or runs, by their number."""

    level: Level
    children: list[Branch | int]


def compile_kernels(game: Game, policy: Policy) -> None:
    """Build small games that need the kernels of this one: see `guessbook.builder.warm_up`."""
    for small in scoring_of(game).samples(game):
        grow(scorer_of(small, policy, MEMORY), root_batch(len(small.secrets)))
        # Of the larger samples any policy needs the same kernels, and this one is quick.
        policy = policy_named("entropy")


class Grown(NamedTuple):
    """A finished tree.

    Attributes:
        levels: its columns, a level after the other.
        pairs: the (guess, candidate) pairs scored at each depth.
        chain: of these, how many are scored one after the other, however many workers there are:
            for the costliest node of each level at the top, and for the costliest task.
    """

    levels: list[Level]
    pairs: Integers
    chain: int


class Top(NamedTuple):
    """The top of a tree, chosen: the root, the runs of nodes below, and what it took."""

    root: Branch
    runs: list[Batch]
    pairs: Integers
    chain: int
    forecast: Forecast


def run_growth(job: Job, batches: list[Batch]) -> list[Subtrees]:
    """Task: finish the subtrees of some batches, side by side."""
    counts = [len(batch.feedback) for batch in batches]
    return grow_each(scorer_of(job.game, job.policy, job.memory), join(batches), counts)


def grow_tree(
    executor: Executor,
    job: Job,
    report: Callable[[Progress], None],
    checkpoint: Checkpoint | None = None,
) -> Grown:
    """Grow the whole tree of a job.

    Args:
        executor: runs the tasks: threads, or a cluster.
        job: what is to be built.
        report: is told how far the build is.
        checkpoint: keeps what is finished, and knows what an earlier run finished.
    """
    grain = grain_of(job.game)
    root, runs, pairs, chain, forecast = expand(executor, job, grain, report, checkpoint)
    cuts = list(neighbours([len(run.candidates) for run in runs], grain.limit))
    batches = [join(runs[start:end]) for start, end in cuts]
    counts = [[len(run.feedback) for run in runs[start:end]] for start, end in cuts]
    runs.clear()
    weights = [weight(batch.sizes.tolist()) for batch in batches]
    trees: list[list[list[Level]]] = [[] for _ in batches]
    costliest = 0
    for index, finished, earlier in run_all(executor, job, batches, weights, checkpoint):
        trees[index] = separate(finished.levels, counts[index])
        pairs = added(pairs, finished.pairs)
        taken = int(finished.pairs.sum())
        costliest = max(costliest, taken)
        forecast.add(TASKS, weights[index], taken, earlier)
        report(forecast.progress())
    flat = [tree for batch in trees for tree in batch]
    levels = [
        Level(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        for parts in assemble(root, flat)
    ]
    return Grown(levels, pairs, chain + costliest)


class Place(NamedTuple):
    """A large node whose guess is not chosen yet, and its place among its parent's children."""

    batch: Batch
    siblings: list[Branch | int]
    number: int


def expand(
    executor: Executor,
    job: Job,
    grain: Grain,
    report: Callable[[Progress], None],
    checkpoint: Checkpoint | None,
) -> Top:
    """Choose the guesses of all nodes with more candidates than a task has."""
    scorer = scorer_of(job.game, job.policy, job.memory)
    runs: list[Batch] = []
    pairs, chain = np.zeros(0, np.int64), 0
    top: list[Branch | int] = [-1]
    wave = [Place(root_batch(len(job.game.secrets)), top, 0)]
    forecast = Forecast(len(job.game.guesses), 0)
    while wave:
        splits: dict[int, tuple[Level, Batch]] = {}
        link = 0
        for index, choice, earlier in run_steps(executor, job, wave, grain.pairs, checkpoint):
            batch = wave[index].batch
            level, below, _ = step(scorer, batch, choice.guess)
            splits[index] = compact(level, job.game.feedbacks), below
            pairs = added(pairs, np.bincount(batch.depth, [choice.pairs]).astype(np.int64))
            link = max(link, choice.link)
            forecast = told(forecast, job, batch, choice.pairs, earlier)
            expect(forecast, batch, below.sizes.tolist(), grain.limit)
            report(forecast.progress())
        chain += link
        following: list[Place] = []
        for index, place in enumerate(wave):
            level, below = splits.pop(index)
            branch = Branch(level, [])
            place.siblings[place.number] = branch
            following += hang(branch, below, runs, grain.limit)
        wave = following
    root = top[0]
    assert isinstance(root, Branch)
    return Top(root, runs, pairs, chain, forecast)


def hang(branch: Branch, below: Batch, runs: list[Batch], limit: int) -> list[Place]:
    """Hang the children of a node on it: small ones in runs, large ones to be expanded."""
    large = []
    sizes = below.sizes.tolist()
    for begin, end in neighbours(sizes, limit):
        nodes = below.some(begin, end)
        if sizes[begin] > limit:
            large.append(Place(nodes, branch.children, len(branch.children)))
            branch.children.append(-1)
        else:
            branch.children.append(len(runs))
            runs.append(nodes)
    return large


def told(forecast: Forecast, job: Job, batch: Batch, pairs: int, earlier: bool) -> Forecast:
    """A forecast that knows what the guess of a large node has cost; a new one for the root."""
    if not batch.depth[0]:
        return Forecast(len(job.game.guesses), pairs)
    kind = SECOND if batch.depth[0] == 1 else LATER
    forecast.add(kind, len(batch.candidates), pairs, earlier)
    return forecast


def expect(forecast: Forecast, batch: Batch, sizes: list[int], limit: int) -> None:
    """Let a forecast know how large the children of a node are, which stand in its place."""
    if batch.depth[0]:
        forecast.expect(TASKS, -task_weight([len(batch.candidates)], limit))
    kind = LATER if batch.depth[0] else SECOND
    forecast.expect(kind, sum(size for size in sizes if size > limit))
    forecast.expect(TASKS, task_weight(sizes, limit))


def task_weight(sizes: list[int], limit: int) -> float:
    """The weight of what will be tasks of these nodes: a large one will be cut into small ones."""
    large = sum(size for size in sizes if size > limit)
    # Measured: the tasks' nodes weigh like equal ones of a quarter of the limit.
    return weight(size for size in sizes if size <= limit) + large * weight([limit / 4]) * 4 / limit


def run_steps(
    executor: Executor,
    job: Job,
    wave: list[Place],
    pairs: int,
    checkpoint: Checkpoint | None,
) -> Iterator[tuple[int, Choice, bool]]:
    """The guesses of large nodes, as they come, and whether an earlier run chose.

    Of a step the checkpoint keeps the guess alone: to choose it is the work, and the children
    would fill the disk with every candidate again at each level.
    """
    due = []
    batches = [place.batch for place in wave]
    for index, batch in enumerate(batches):
        known = checkpoint.load("step", batch) if checkpoint else None
        if known:
            yield index, Choice(int(known.levels[0].guess[0]), *known.pairs.tolist()), True
        elif job.first_guess is not None and not batch.depth[0]:
            yield index, Choice(job.first_guess, 0, 0), False
        else:
            due.append(index)
    for place, choice in chosen(executor, job, [batches[index] for index in due], pairs):
        batch = batches[due[place]]
        if checkpoint:
            column = np.array([choice.guess])
            level = Level(column, column, column, column)
            checkpoint.save("step", batch, Subtrees([level], np.array(choice[1:])))
        yield due[place], choice, False


def neighbours(sizes: list[int], limit: int) -> Iterator[tuple[int, int]]:
    """Cut a row of nodes into runs of up to `limit` candidates in all (but at least one node)."""
    starts = []
    total = limit + 1
    for index, size in enumerate(sizes):
        total += size
        if total > limit:
            starts.append(index)
            total = size
    return pairwise([*starts, len(sizes)])


def run_all(
    executor: Executor,
    job: Job,
    batches: list[Batch],
    weights: list[float],
    checkpoint: Checkpoint | None,
) -> Iterator[tuple[int, Subtrees, bool]]:
    """The finished subtrees of every batch, as they come.

    Yields the batch's index, its subtrees, and whether an earlier run finished them.
    """
    due = []
    for index, batch in enumerate(batches):
        earlier = checkpoint.load("growth", batch) if checkpoint else None
        if earlier:
            yield index, earlier, True
        else:
            due.append(index)
    waiting = [batches[index] for index in due]
    for place, finished in spread(
        executor, run_growth, job, waiting, [weights[index] for index in due]
    ):
        index = due[place]
        if checkpoint:
            checkpoint.save("growth", batches[index], finished)
        yield index, finished, False


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

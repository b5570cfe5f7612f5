"""Work divided among workers: the search for the guess of a large node, and tasks in bundles.

A search begins with the most promising guesses, up to so many pairs. What is left then is cut into
parts, each of which begins with the best guess known so far: what a part finds, and the pairs that
it scores, do not depend on when and where it runs. The best of all parts is the guess.

What takes less than a message costs travels in bundles, the fewer the workers, the larger.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from guessbook.builder.kernels.node import Search, begin, go_on
from guessbook.builder.scorers.batch import Batch
from guessbook.builder.scorers.scorer import Divisible, scorer_of

if TYPE_CHECKING:
    from guessbook.builder.growth.frontier import Job

# How many bundles there are for each thread of the workers: so that all end at about the same time.
BUNDLES = 64

Item = TypeVar("Item")
Result = TypeVar("Result")


class Choice(NamedTuple):
    """The guess of a large node.

    Attributes:
        guess: its index.
        pairs: how many pairs were scored to find it.
        link: how many of them one after the other: at first, and then by the costliest part.
    """

    guess: int
    pairs: int
    link: int


class Opened(NamedTuple):
    """A search that has begun: the best guess so far, how many were scored, and what is left."""

    guess: int
    scored: int
    search: Search | None


def run_probes(job: Job, items: list[tuple[Batch, int]]) -> list[Opened]:
    """Task: begin to search for the guesses of some nodes, up to so many pairs each."""
    scorer = scorer_of(job.game, job.policy, job.memory)
    opened = []
    for batch, pairs in items:
        node = None
        if isinstance(scorer, Divisible):
            node = scorer.node(batch.candidates, batch.paths[0])
        if node is None:
            guesses, scored = scorer.choose(batch.candidates, batch.starts, batch.paths)
            opened.append(Opened(int(guesses[0]), int(scored[0]), None))
        else:
            search = begin(node, pairs // len(batch.candidates))
            left = search if len(search.multisets) else None
            opened.append(Opened(index_of(scorer, search), search.scored, left))
    return opened


def run_parts(job: Job, items: list[tuple[Batch, Search]]) -> list[tuple[Search, int]]:
    """Task: some parts of the searches of some nodes, to the end, and their guesses."""
    scorer: Any = scorer_of(job.game, job.policy, job.memory)
    found = []
    # Parts of one node are neighbours.
    for _, parts in groupby(items, key=lambda item: id(item[0])):
        batch, search = next(parts)
        node = scorer.node(batch.candidates, batch.paths[0])
        for part in (search, *(part for _, part in parts)):
            done = go_on(node, part)
            found.append((done, index_of(scorer, done)))
    return found


def index_of(scorer: Any, search: Search) -> int:
    """The index of the best guess of a search."""
    return int(scorer.indices(search.guess[None, :])[0])


def chosen(
    executor: Executor, job: Job, batches: list[Batch], pairs: int
) -> Iterator[tuple[int, Choice]]:
    """The guesses of large nodes, as they come, with the node's number: in parts of so many pairs.

    Args:
        executor: runs the tasks.
        job: what is to be built.
        batches: the nodes, one each.
        pairs: of a part, more or less.
    """
    sizes = [len(batch.candidates) for batch in batches]
    begun: dict[int, Opened] = {}
    parts: list[tuple[int, Search]] = []
    probes = [(batch, pairs) for batch in batches]
    for node, opened in spread(executor, run_probes, job, probes, sizes):
        if opened.search is None:
            taken = opened.scored * sizes[node]
            yield node, Choice(opened.guess, taken, taken)
        else:
            begun[node] = opened
            parts += [(node, part) for part in opened.search.portions(pairs, sizes[node])]
    found: dict[int, list[tuple[Search, int]]] = {node: [] for node in begun}
    due = Counter(node for node, _ in parts)
    items = [(batches[node], part) for node, part in parts]
    weights = [sizes[node] for node, _ in parts]
    for place, result in spread(executor, run_parts, job, items, weights):
        node = parts[place][0]
        found[node].append(result)
        if len(found[node]) == due[node]:
            yield node, best_of(begun[node], found.pop(node), sizes[node])


def best_of(opened: Opened, found: list[tuple[Search, int]], size: int) -> Choice:
    """The choice at a node of so many candidates whose parts are all finished."""
    assert opened.search is not None
    every = [(opened.search, opened.guess), *found]
    _, guess = max(every, key=lambda one: one[0].rank)
    scored = [search.scored for search, _ in found]
    pairs, link = opened.scored + sum(scored), opened.scored + max(scored)
    return Choice(guess, pairs * size, link * size)


def spread(
    executor: Executor,
    task: Callable[[Job, list[Item]], list[Result]],
    job: Job,
    items: Sequence[Item],
    weights: Sequence[float],
) -> Iterator[tuple[int, Result]]:
    """Run a task for each of some items, in bundles, and yield each item's number and result.

    They come as they are finished.
    """
    waiting: dict[Future[list[Result]], list[int]] = {}
    threads = getattr(executor, "threads", None) or os.cpu_count() or 1
    try:
        for bundle in bundles(weights, threads * BUNDLES):
            waiting[executor.submit(task, job, [items[index] for index in bundle])] = bundle
        while waiting:
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield from zip(waiting.pop(future), future.result(), strict=True)
    finally:
        for future in waiting:
            future.cancel()


def bundles(weights: Sequence[float], most: int) -> list[list[int]]:
    """Items of these weights in bundles of about the same weight, the heaviest items first.

    So what is left to wait for at the end is small.

    >>> bundles([1, 5, 1, 1, 2], 3)
    [[1], [4, 0], [2, 3]]
    """
    found: list[list[int]] = []
    share = sum(weights) / most
    total = share
    for index in sorted(range(len(weights)), key=lambda index: -weights[index]):
        if total + weights[index] > share:
            found.append([])
            total = 0
        found[-1].append(index)
        total += weights[index]
    return found

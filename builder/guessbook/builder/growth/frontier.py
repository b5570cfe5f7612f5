"""The top of the tree: expanded here until what hangs below a node is small enough for a task.

A task is a run of neighbouring siblings, given by their history; its result is their finished
subtrees. The guesses of large nodes are searched in parts: see `division`. A large node that is not
too large for what is left to do is one item: a thread grows what is below it in the same way,
alone. What comes of a node depends on the game and the policy alone, so that a build can go on with
another number of jobs, and the tree is put together in the order of the nodes, whoever finished
first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from guessbook.book.games.game import Game
from guessbook.book.tree import Tree
from guessbook.builder.executors.workers import Workers
from guessbook.builder.growth.division import Choice, Division, is_choice
from guessbook.builder.growth.limits import MEMORY
from guessbook.builder.growth.pieces import Pieces
from guessbook.builder.growth.progress import TASKS, Forecast, Progress, large, weight
from guessbook.builder.growth.queue import (
    MOST_PAIRS,
    Item,
    Queue,
    most_candidates,
    weighable,
    work_alone,
    work_off,
)
from guessbook.builder.growth.splits import ROOT, Neighbours, Nodes, forget, splits_of
from guessbook.builder.scorers.batch import Batch, grow_each, is_grown
from guessbook.builder.scorers.scorer import scorer_of
from guessbook.builder.scorers.subtrees import Subtrees, node_of
from guessbook.policy.policy import Policy

if TYPE_CHECKING:
    from guessbook.builder.executors.checkpoint import Checkpoint


# At most so many tasks, more or less; fewer for small games, where a task would not be worth it.
MAX_TASKS = 2048

# A large node with all below it takes as long as each candidate and so many of the guesses.
EXPANDING = 0.08

# A task takes as long as each candidate and so many of the guesses of the game, divided by how many
# guesses lead there: the more are made, the fewer can still be the best.
GROWING = 0.18


class Grain(NamedTuple):
    """Into how small parts the work is cut.

    Attributes:
        limit: how many candidates a task has at most, if it is not a single node.
        pairs: how many pairs a part of a search scores, more or less.
    """

    limit: int
    pairs: int


def grain_of(game: Game) -> Grain:
    """Into how small parts the work for a game is cut: one is worth a millisecond or so."""
    secrets, work = len(game.secrets), len(game.guesses) * len(game.secrets)
    tasks = min(max(math.isqrt(work) // 2048, work >> 26, 1), MAX_TASKS)
    return Grain(max(secrets // tasks, 1), max(work >> 16, 1 << 22))


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


class Grown(NamedTuple):
    """A finished tree.

    Attributes:
        tree: the tree.
        pairs: the (guess, candidate) pairs scored at each depth.
        chain: of these, how many are scored one after the other, however many workers there are:
            for a row of nodes from the root down, and for a task below.
    """

    tree: Tree
    pairs: list[int]
    chain: int


class Place(NamedTuple):
    """A large node whose guess is not chosen yet, or a run of small ones.

    Attributes:
        nodes: the name.
        size: how many candidates there are.
        path: the guesses and feedbacks, in turn, that lead to the first node.
        piece: the number of the piece.
        chain: the pairs that were scored to get there, one after the other.
    """

    nodes: Nodes
    size: int
    path: tuple[int, ...]
    piece: int
    chain: int

    @property
    def depth(self) -> int:
        """How many guesses lead there."""
        return len(self.path) // 2


def run_growth(job: Job, batches: list[Batch]) -> list[Subtrees]:
    """Task: finish the subtrees of some batches, side by side."""
    return grow_each(scorer_of(job.game, job.policy, job.memory), batches)


def run_whole(job: Job, items: list[tuple[Batch, int, tuple[int, ...]]]) -> list[Subtrees]:
    """Task: finish some large nodes, each of which is a child of its split, with a path."""
    found = []
    for batch, child, path in items:
        nodes = Nodes(path[:-1], child, child + 1)
        growth = Growth(job, Place(nodes, len(batch.candidates), path, 0, 0))
        work_alone(job, growth.queue)
        found.append(growth.joined())
    return found


def root_of(game: Game) -> Place:
    """The root of the tree of a game."""
    return Place(ROOT, len(game.secrets), (), 0, 0)


def grow_tree(
    executor: Workers,
    job: Job,
    report: Callable[[Progress], None],
    checkpoint: Checkpoint | None = None,
) -> Growth:
    """Grow the whole tree of a job.

    Args:
        executor: runs the tasks: threads, or a cluster.
        job: what is to be built.
        report: is told how far the build is.
        checkpoint: keeps what is finished, and knows what an earlier run finished.
    """
    try:
        threads = (lambda: sum(executor.workers)) if weighable(job) else None
        growth = Growth(job, root_of(job.game), report, checkpoint, threads)
        work_off(executor, job, growth.queue, growth.report)
    finally:
        forget()
    return growth


class Growth:
    """A tree that grows, or what is below a large node of one.

    Args:
        job: what is to be built.
        place: the root, or that node.
        report: is told how far the build is.
        checkpoint: keeps what is finished, and knows what an earlier run finished.
        threads: how many do the tasks, if a large node may be one.

    Attributes:
        queue: the work that is ready.
    """

    def __init__(
        self, job: Job, place: Place, report: Callable[[Progress], None] = lambda _: None,
        checkpoint: Checkpoint | None = None, threads: Callable[[], int] | None = None,
    ) -> None:  # fmt: skip
        self._grain = grain_of(job.game)
        self.queue = Queue(MOST_PAIRS / self._grain.pairs)
        self._job, self._report, self._checkpoint = job, report, checkpoint
        self._threads = threads
        self._splits = splits_of(job)
        self._guesses = len(job.game.guesses)
        # What a candidate of a large node will weigh in tasks. Measured: these weigh like equal
        # nodes of a quarter of the limit.
        self._cut = weight([self._grain.limit / 4]) * 4 / self._grain.limit
        self._pieces = Pieces(job.game, place.size)
        self._pairs: list[int] = []
        self._chain, self._news = 0, False
        # Candidates of what is not finished.
        self._left = place.size
        self._forecast = Forecast(self._guesses, 0)
        self._open(place)

    def grown(self) -> Grown:
        """The tree, when no work is left."""
        tree = self._pieces.tree()
        return Grown(tree, self._pairs[: len(tree.distribution)], self._chain)

    def joined(self) -> Subtrees:
        """The node and all below it, when no work is left."""
        sizes, content = self._pieces.joined()
        return Subtrees(sizes, self._pairs, content, self._chain)

    def report(self) -> None:
        """Tell how far the build is, if that is news."""
        if self._news:
            self._news = False
            self._report(self._forecast.progress())

    def _open(self, place: Place) -> None:
        """Have a large node done, as one item or divided, or take what is known of it."""
        if found := self._grown_earlier(place):
            self._done(place, True, found)
        elif (step := self._chosen_earlier(place)) or not self._is_whole(place):
            self._divide(place, step)
        else:
            more, then = (place.nodes.begin, place.path), partial(self._done, place, False)
            cost = self.weight_of(place.size)
            self.queue.push(Item(run_whole, place.nodes, more, place.size, cost, then, True))

    def _divide(self, place: Place, step: Choice | None) -> None:
        """Have the guess of a large node searched, or take the one that is known."""
        then = partial(self._hang, place, bool(step))
        division = Division(self.queue, place, self._guesses, self._grain, then)
        if step:
            division.split(step)
        elif self._job.first_guess is not None and not place.path:
            division.split(Choice(self._job.first_guess, 0, 0))
        else:
            division.begin()

    def weight_of(self, size: int) -> float:
        """What a large node of so many candidates weighs, with all below it."""
        return EXPANDING * self._guesses * size / self._grain.pairs

    def _is_whole(self, place: Place) -> bool:
        """Whether a large node is to be one item."""
        if not self._threads or not place.path:
            return False
        largest = self.queue.largest / self.weight_of(1)
        return place.size <= most_candidates(self._left / self._threads(), largest)

    def _below(self, size: int, depth: int) -> float:
        """What large nodes of so many candidates, at some depth, will weigh in tasks."""
        return size * self._cut / (depth + 1)

    def _done(self, place: Place, earlier: bool, found: Subtrees) -> None:
        """A large node is finished, and all below it, now or by an earlier run."""
        self._fill(place, earlier, found)
        size, depth, own = place.size, place.depth, found.pairs[place.depth]
        self._forecast.add(large(depth), size, own, earlier)
        self._forecast.add(TASKS, self._below(size, depth), sum(found.pairs) - own, earlier)

    def _hang(
        self, place: Place, earlier: bool, choice: Choice, below: list[Neighbours]
    ) -> None:  # fmt: skip
        """Hang the children of a node on it: small ones in runs, large ones to be expanded."""
        split, limit, depth = (*place.path, choice.guess), self._grain.limit, place.depth + 1
        chain = place.chain + choice.link
        self._grew(place, choice, below)
        if not earlier:
            # The guess alone: to choose it is the work, and its children would fill the disk.
            self._keep("step", place.nodes, choice)
        self._count(chain, [0] * place.depth + [choice.pairs])
        self._foresee(place, earlier, choice.pairs, below)
        # Next to each other in the queue, so that few workers need this split.
        urgency = max([size for *_, size, _ in below if size <= limit], default=0) // depth
        each = GROWING * self._guesses / depth / self._grain.pairs
        pieces = self._pieces.below(place.piece, [size for *_, size, _ in below])
        for piece, (begin, end, feedback, size, cost) in zip(pieces, below, strict=True):
            child = Place(Nodes(split, begin, end), size, (*split, feedback), piece, chain)
            if size > limit:
                self._open(child)
                continue
            known = self._grown_earlier(child)
            then = partial(self._finished, child, cost / depth, bool(known))
            if known:
                then(known)
            else:
                self.queue.push(Item(run_growth, child.nodes, (), urgency, each * size, then, True))

    def _grew(self, place: Place, choice: Choice, below: list[Neighbours]) -> None:
        """The guess of a large node is chosen: it is a piece of the tree."""
        children = below[-1][1] if below else 0
        solves = sum([size for *_, size, _ in below]) < place.size
        feedback, feedbacks = (0, *place.path)[-1], self._job.game.feedbacks
        node = node_of(choice.guess, feedback, children, solves, feedbacks)
        self._pieces.fill(place.piece, node)

    def _foresee(self, place: Place, earlier: bool, pairs: int, below: list[Neighbours]) -> None:
        """Let the forecast know what a large node cost, and its children, which take its place."""
        limit, depth = self._grain.limit, place.depth + 1
        small = sum([cost for *_, size, cost in below if size <= limit])
        many = sum([size for *_, size, _ in below if size > limit])
        if depth == 1:
            self._forecast = Forecast(self._guesses, pairs)
        else:
            self._forecast.add(large(place.depth), place.size, pairs, earlier)
            self._forecast.expect(TASKS, -self._below(place.size, place.depth))
        self._forecast.expect(large(depth), many)
        # The more guesses are made, the fewer can still be the best.
        self._forecast.expect(TASKS, small / depth + self._below(many, depth))

    def _finished(self, place: Place, weight: float, earlier: bool, found: Subtrees) -> None:
        """The subtrees of small nodes are finished, now or by an earlier run."""
        self._fill(place, earlier, found)
        self._forecast.add(TASKS, weight, sum(found.pairs), earlier)

    def _fill(self, place: Place, earlier: bool, found: Subtrees) -> None:
        """A piece of the tree is finished, with all below it."""
        self._left -= place.size
        if not earlier:
            self._keep("growth", place.nodes, found)
        self._pieces.fill(place.piece, found)
        self._count(place.chain + found.chain, found.pairs)

    def _count(self, chain: int, pairs: list[int]) -> None:
        """Add up what was scored at each depth, and the longest chain."""
        self._pairs.extend([0] * (len(pairs) - len(self._pairs)))
        for depth, scored in enumerate(pairs):
            self._pairs[depth] += scored
        self._chain, self._news = max(self._chain, chain), True

    def _grown_earlier(self, place: Place) -> Subtrees | None:
        """What became of a place in an earlier run."""
        found = self._known("growth", place, partial(is_grown, self._splits.scorer))
        return Subtrees(*found) if found else None

    def _chosen_earlier(self, place: Place) -> Choice | None:
        """The guess of a large node that an earlier run has found; none where it was given."""
        if self._job.first_guess is not None and not place.path:
            return None
        found = self._known("step", place, lambda _, step: is_choice(step, self._guesses))
        return Choice(*found) if found else None

    def _known(
        self, task: str, place: Place, is_result: Callable[[Batch, object], bool]
    ) -> list[Any] | None:
        """What an earlier run found, if it may be the result for these nodes."""
        checkpoint = self._checkpoint
        if not checkpoint or not checkpoint.found:
            return None
        batch = self._splits.batch(place.nodes)
        return checkpoint.load(task, batch, partial(is_result, batch))

    def _keep(self, task: str, nodes: Nodes, found: Sequence[Any]) -> None:
        if self._checkpoint:
            self._checkpoint.keep(lambda: (task, self._splits.batch(nodes), found))

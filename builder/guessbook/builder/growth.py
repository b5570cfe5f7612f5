"""The progress of a build, and an estimate of its remaining time. The inputs of a build: workers, checkpoint, game, policy, and the guesses that are known in advance. The assembly of a strategy tree from pieces. Tasks may finish the pieces in any order. The growth of a tree from the root: large nodes are split one by one until the subtrees are small enough for a task."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate, pairwise, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from guessbook.book.errors import BuildError
from guessbook.book.games.game import Game
from guessbook.book.games.weights import weights_by_guess
from guessbook.book.tree import Columns, Tree
from guessbook.builder.arrays import Integers
from guessbook.builder.plan import Goal, Plan, Run
from guessbook.builder.progress import Forecast
from guessbook.builder.scheduler import (
    ROOT,
    BeginSearch,
    Context,
    GrowTrees,
    Nodes,
    Scheduler,
    SearchPart,
    runs_of,
)
from guessbook.builder.subtrees import Subtrees, are_counts, is_grown, node_of, row
from guessbook.engine.codes import SOLVES, BestGuess, PartialSearch
from guessbook.policy.registry import header

if TYPE_CHECKING:
    pass


class Assembly:
    """A strategy tree, assembled from numbered pieces: each is a node, or some whole subtrees. Piece 0 is the root."""

    def __init__(self, game: Game) -> None:
        self._game, self._row = game, row(game.feedbacks)
        # Two lists with a number for each piece: the depth of the piece, and how many candidates its guesses solve.
        self._depth, self._solves = [0], [len(game.secrets)]
        self._below: dict[int, range] = {}
        self._finished: dict[int, Subtrees] = {}

    def append(self, piece: int, sizes: list[int]) -> range:
        """Add a piece below `piece` for each number of candidates in `sizes`. Return the numbers of the new pieces."""
        pieces = range(len(self._depth), len(self._depth) + len(sizes))
        self._solves.extend(sizes)
        self._solves[piece] -= sum(sizes)
        self._depth.extend([self._depth[piece] + 1] * len(sizes))
        self._below[piece] = pieces
        return pieces

    def fill(self, piece: int, finished: Subtrees) -> None:
        """Store the finished node, or the finished subtrees, of the piece with this number."""
        self._finished[piece] = finished

    def concatenate(self) -> tuple[list[int], bytes]:
        """Join all pieces level by level. Return the number of nodes of each level, and all nodes as bytes."""
        width, levels, waiting = self._row.itemsize, list[list[bytes]](), [0]
        while waiting:
            piece = waiting.pop()
            waiting.extend(reversed(self._below.get(piece, ())))
            finished, depth = self._finished[piece], self._depth[piece]
            levels.extend([] for _ in range(depth + len(finished.sizes) - len(levels)))
            ends = accumulate(finished.sizes, initial=0)
            for level, (begin, end) in enumerate(pairwise(ends), depth):
                levels[level].append(finished.content[begin * width : end * width])
        joined = [b"".join(level) for level in levels]
        return [len(level) // width for level in joined], b"".join(joined)

    def tree(self) -> Tree:
        """Return the whole tree. Raises BuildError if a piece is missing or does not solve its candidates."""
        if all(map(self._is_right, range(len(self._depth)))):
            sizes, content = self.concatenate()
            columns, solves = make_columns(sizes, np.frombuffer(content, self._row))
            first = array("I", accumulate(columns.children, initial=1))
            if first[-1] == len(solves):
                weights, grown = weights_by_guess(self._game), (first, solves)
                return Tree(columns, len(self._game.guesses), self._game.feedbacks, weights, grown)
        raise BuildError(
            f"found a tree that does not solve all {len(self._game.secrets):,} secrets: "
            "a task has failed; test the memory of the machine for defects, and build the book again"
        )

    def _is_right(self, piece: int) -> bool:
        """Return whether a piece has all of its nodes and solves as many candidates as expected."""
        finished = self._finished.get(piece)
        if finished is None or len(finished.content) != sum(finished.sizes) * self._row.itemsize:
            return False
        guesses = np.frombuffer(finished.content, self._row)["guess"]
        return int(np.count_nonzero(guesses >= SOLVES)) == self._solves[piece]


def make_columns(sizes: list[int], rows: Any) -> tuple[Columns, bytearray]:
    """Return the columns of a tree, and for each node 1 if its guess is a candidate, else 0.

    `sizes` has the number of nodes of each level; `rows` has the nodes with the dtype `subtrees.row`.
    """
    solves = rows["guess"] >= SOLVES
    candidates = np.zeros(len(rows), np.uint32)
    below: Integers = np.zeros(1, np.int64)
    for begin, end in reversed(list(pairwise(accumulate(sizes, initial=0)))):
        # `below[k]` is the number of candidates of the first k nodes of the next level. The difference of two of these
        # numbers is the number of candidates of the children of a node.
        children = np.append(0, np.cumsum(rows["children"][begin:end], dtype=np.int64))
        known = below[np.minimum(children, len(below) - 1)]
        candidates[begin:end] = solves[begin:end] + np.diff(known)
        below = np.append(0, np.cumsum(candidates[begin:end], dtype=np.int64))
    columns = Columns(
        array("I", (rows["guess"] & (SOLVES - 1)).astype(np.uint32).tobytes()),
        as_values(rows["feedback"]), as_values(rows["children"]),
        array("I", candidates.tobytes()),
    )  # fmt: skip
    return columns, bytearray(solves.astype(np.uint8).tobytes())


def as_values(column: Any) -> Sequence[int]:
    """Return a column of a tree as bytes if its values take one byte, else as an array in native byte order."""
    if column.itemsize == 1:
        return bytes(column.tobytes())
    return array(column.dtype.char, column.astype(column.dtype.newbyteorder("=")).tobytes())


# A node is small if it has at most 1 / SMALL of all secrets as candidates, or at most QUICK candidates (SLOW if the
# engine cannot grow the trees). A task for fewer candidates would take longer to send than to run.
SMALL, QUICK, SLOW = 128, 1024, 128
# A part of a search scores 1 / PARTS of all (guess, secret) pairs, but at least LEAST_PAIRS: these take milliseconds.
PARTS, LEAST_PAIRS = 1 << 13, 1 << 25


class Grain(NamedTuple):
    """Task sizes: a task grows trees of at most `limit` candidates, or scores `pairs` (guess, candidate) pairs."""

    limit: int
    pairs: int


def grain_of(context: Context, task_size: int | None = None) -> Grain:
    """Return the sizes of the tasks of a build; `task_size` is the requested number of candidates, None for usual."""
    if task_size is not None:
        return Grain(task_size, task_size * len(context.game.guesses))
    game, worth = context.game, QUICK if context.scorer.code_search else SLOW
    secrets, pairs = len(game.secrets), len(game.guesses) * len(game.secrets)
    return Grain(max(secrets // SMALL, worth), max(pairs // PARTS, LEAST_PAIRS))


class Place(NamedTuple):
    """A large node, or several neighbouring small nodes, with `size` candidates in all.

    `path` has the guesses and feedbacks, alternating, from the root to the first of these nodes. `Assembly` stores
    these nodes as one piece, and `piece` is the number of this piece.
    """

    nodes: Nodes
    size: int
    path: tuple[int, ...]
    piece: int


def usual_plan(goal: Goal) -> Plan:
    """Return a plan without a search for the best opening. The plan has at most one guess: a requested first guess."""
    context = Context(goal.game, goal.policy, goal.memory)
    return Plan(context, {} if goal.first_guess is None else {(): goal.first_guess})


class Growth:
    """The computation of the whole strategy tree of a game and a policy, divided into tasks."""

    def __init__(self, run: Run, plan: Plan) -> None:
        self._context, self._guesses, self._checkpoint = plan.context, plan.guesses, run.checkpoint
        context, forecast = plan.context, Forecast()
        self._scheduler = Scheduler(run.workers, context, lambda: run.report(forecast.progress()))
        self._forecast, self._grain = forecast, grain_of(context, run.task_size)
        self._assembly = Assembly(context.game)
        self._pairs: list[int] = []
        # Checkpoint keys include the policy, because `OptimumSearch.fallback` may replace the policy of the goal.
        self._policy = tuple(header(context.policy).items())

    def grow(self) -> tuple[Tree, list[int]]:
        """Run all tasks; return the tree, and the number of (guess, candidate) pairs scored at each depth."""
        self._open(Place(ROOT, len(self._context.game.secrets), (), 0))
        self._scheduler.run()
        tree = self._assembly.tree()
        return tree, self._pairs[: len(tree.distribution)]

    def _open(self, *places: Place) -> None:
        """Split each large node that has a known guess; start a search for the guess of every other large node."""
        waiting = list(places)
        while waiting:
            place = waiting.pop()
            self._forecast.expect(place.size)
            guess = self._guesses.get(place.path)
            found = self._load("search", place, self._is_choice) if guess is None else (guess, 0)
            if found:
                waiting += self._attach(place, found[0], found[1], guess is None)
            else:
                task = BeginSearch(place.nodes, self._grain.pairs)
                self._scheduler.push(
                    place.size, task, partial(self._split_search, place), place.size
                )

    def _split_search(self, place: Place, begun: PartialSearch) -> None:
        """Start a task for each remaining part of a search. After the last part, split the node by the best guess."""
        best, parts = begun
        found: list[BestGuess] = []

        def finish(part: BestGuess) -> None:
            found.append(part)
            if len(found) > parts:
                guess, pairs = -max(found).higher, sum(one.scored for one in found) * place.size
                # The checkpoint stores the guess without the children: they are quick to compute, but large.
                self._save("search", place, (guess, pairs))
                self._open(*self._attach(place, guess, pairs))

        for part in range(parts):
            task = SearchPart(place.nodes, best, part, parts)
            self._scheduler.push(place.size, task, finish)
        finish(best)

    def _attach(self, place: Place, guess: int, pairs: int, earlier: bool = False) -> list[Place]:
        """Split a node by its guess, start the tasks of its small children, and return its large children."""
        name, feedbacks = (*place.path, guess), self._context.game.feedbacks
        runs = runs_of(self._context.split(name), self._grain.limit)
        sizes, children = [run.size for run in runs], runs[-1].end if runs else 0
        self._forecast.finish(place.size, earlier)
        self._count([0] * (len(place.path) // 2) + [pairs])
        solves, feedback = sum(sizes) < place.size, (0, *place.path)[-1]
        self._assembly.fill(place.piece, node_of(guess, feedback, children, solves, feedbacks))
        pieces, large = self._assembly.append(place.piece, sizes), list[Place]()
        for piece, run in zip(pieces, runs, strict=True):
            nodes = Nodes(name, run.begin, run.end)
            child = Place(nodes, run.size, (*name, run.feedback), piece)
            if run.size > self._grain.limit:
                large.append(child)
            else:
                self._grow(child)
        return large

    def _grow(self, place: Place) -> None:
        """Load the subtrees of small nodes from the checkpoint, or start a task that computes them."""
        self._forecast.expect(place.size)
        scorer, batch = self._context.scorer, self._context.batch
        found = self._load("growth", place, lambda f: is_grown(scorer, batch(place.nodes), f))
        if found is not None:
            self._finish(place, True, Subtrees(*found))
        else:
            on_done = partial(self._finish, place, False)
            self._scheduler.push(place.size, GrowTrees(place.nodes), on_done, place.size)

    def _finish(self, place: Place, earlier: bool, found: Subtrees) -> None:
        """Add the finished subtrees of small nodes to the tree. If this run computed the subtrees, save them, too."""
        if not earlier:
            self._save("growth", place, found)
        self._forecast.finish(place.size, earlier)
        self._assembly.fill(place.piece, found)
        self._count(found.pairs)

    def _count(self, pairs: Sequence[int]) -> None:
        """Add the numbers of (guess, candidate) pairs scored at each depth to the totals of the build."""
        self._pairs = [a + b for a, b in zip_longest(self._pairs, pairs, fillvalue=0)]

    def _is_choice(self, found: object) -> bool:
        """Return whether a checkpoint's result consists of a guess and a number of scored (guess, candidate) pairs."""
        guesses = len(self._context.game.guesses)
        return are_counts(found) and len(found) == 2 and found[0] < guesses

    def _load(self, kind: str, place: Place, fits: Callable[[object], bool]) -> list[Any] | None:
        key = kind, place.nodes, self._policy
        return self._checkpoint.load(key, fits) if self._checkpoint else None

    def _save(self, kind: str, place: Place, found: Sequence[Any]) -> None:
        if self._checkpoint:
            self._checkpoint.save((kind, place.nodes, self._policy), found)

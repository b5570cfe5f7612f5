"""The top of the tree: large nodes, one by one, until the subtrees below them are small enough.

The guess of a large node is searched by a task, or in parts by several. Its children are small, and
then neighbours become one task, or large, and then they are opened in turn. How the work is cut
depends on the game alone, and the tree is put together in the order of its nodes: neither the book
nor the pairs that are counted depend on who did the work.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple

from guessbook.book.tree import Tree
from guessbook.builder.checkpoint import Checkpoint
from guessbook.builder.executors.context import ROOT, Context, Nodes, runs_of
from guessbook.builder.executors.scheduler import Scheduler
from guessbook.builder.executors.tasks import BeginSearch, GrowTrees, SearchPart
from guessbook.builder.executors.workers import Workers
from guessbook.builder.growth.assembly import Assembly
from guessbook.builder.growth.progress import Forecast, Progress
from guessbook.builder.scorers.scorer import divisible
from guessbook.builder.scorers.subtrees import Subtrees, are_counts, node_of
from guessbook.builder.scorers.trees import is_grown
from guessbook.kernels.codes import BestGuess, PartialSearch
from guessbook.policy.notation import header

# A small node has at most one in this many of the candidates; of a small game a larger share, as a
# task is worth this many candidates where the engine grows trees, and this many elsewhere.
SMALL, QUICK, SLOW = 128, 1024, 128
# A part of a search scores this fraction of all pairs, but at least some milliseconds of work.
PARTS, LEAST_PAIRS = 1 << 13, 1 << 25


class Grain(NamedTuple):
    """Into how small parts the work is cut.

    Attributes:
        limit: the most candidates of a task that is not a single node.
        pairs: the approximate number of pairs that a part of a search scores.
    """

    limit: int
    pairs: int


def grain_of(context: Context) -> Grain:
    """Return the size of the parts into which the work for a game and a policy is divided."""
    game, worth = context.game, QUICK if divisible(context.scorer) else SLOW
    secrets, pairs = len(game.secrets), len(game.guesses) * len(game.secrets)
    return Grain(max(secrets // SMALL, worth), max(pairs // PARTS, LEAST_PAIRS))


class Place(NamedTuple):
    """Nodes that are to be finished: a large node, or a run of small ones.

    Attributes:
        nodes: the name of these nodes.
        size: their number of candidates.
        path: the guesses and feedbacks, alternating, that lead to the first node.
        piece: the number of the piece of the tree that they become.
    """

    nodes: Nodes
    size: int
    path: tuple[int, ...]
    piece: int


class Grown(NamedTuple):
    """A finished tree, and the (guess, candidate) pairs that were scored at each depth."""

    tree: Tree
    pairs: list[int]


def grow_tree(
    workers: Workers,
    context: Context,
    guesses: Mapping[tuple[int, ...], int],
    report: Callable[[Progress], None],
    checkpoint: Checkpoint | None = None,
) -> Grown:
    """Grow the whole tree of a game and a policy.

    Args:
        workers: do the tasks: threads, or a cluster.
        context: the game and the policy.
        guesses: the guesses of nodes that need no search, by the path to the node.
        report: is called with the progress of the build.
        checkpoint: stores finished results, and loads the results of an earlier run.
    """
    growth = Growth(workers, context, guesses, report, checkpoint)
    growth.open(Place(ROOT, len(context.game.secrets), (), 0))
    return growth.grown()


class Growth:
    """A tree that grows: see `grow_tree`."""

    def __init__(
        self,
        workers: Workers,
        context: Context,
        guesses: Mapping[tuple[int, ...], int],
        report: Callable[[Progress], None],
        checkpoint: Checkpoint | None,
    ) -> None:
        self._context, self._guesses, self._checkpoint = context, guesses, checkpoint
        self._forecast = forecast = Forecast()
        self._scheduler = Scheduler(workers, context, lambda: report(forecast.progress()))
        self._grain = grain_of(context)
        self._assembly = Assembly(context.game, len(context.game.secrets))
        self._pairs: list[int] = []
        self._policy = tuple(header(context.policy).items())

    def grown(self) -> Grown:
        """Return the tree, after all work is done."""
        self._scheduler.run()
        tree = self._assembly.tree()
        return Grown(tree, self._pairs[: len(tree.distribution)])

    def open(self, *places: Place) -> None:
        """Find the guesses of large nodes: they are known, or tasks search for them."""
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
                self._scheduler.push(place.size, task, partial(self._begun, place), place.size)

    def _begun(self, place: Place, begun: PartialSearch) -> None:
        """Take the guess of a large node, or have the parts of its search done."""
        best, parts = begun
        found = [best]
        if not parts:
            self._chosen(place, found)

        def finish(part: BestGuess) -> None:
            found.append(part)
            if len(found) > parts:
                self._chosen(place, found)

        for part in range(parts):
            task = SearchPart(place.nodes, best, part, parts)
            self._scheduler.push(place.size, task, finish)

    def _chosen(self, place: Place, found: Sequence[BestGuess]) -> None:
        """Choose the best guess of all parts as the guess of the node."""
        guess, pairs = -max(found).higher, sum(part.scored for part in found) * place.size
        # Only the guess: to find it is the work, and the children would fill the disk.
        self._save("search", place, (guess, pairs))
        self.open(*self._attach(place, guess, pairs))

    def _attach(self, place: Place, guess: int, pairs: int, earlier: bool = False) -> list[Place]:
        """Split a node by its guess, have small children grown, and return the large ones.

        Args:
            place: the node.
            guess: the index of its guess.
            pairs: the number of (guess, candidate) pairs scored to find it.
            earlier: whether an earlier run did so.
        """
        name, feedbacks = (*place.path, guess), self._context.game.feedbacks
        runs = runs_of(self._context.split(name), self._grain.limit)
        sizes, children = [run.size for run in runs], runs[-1].end if runs else 0
        self._forecast.finish(place.size, earlier)
        self._count([0] * (len(place.path) // 2) + [pairs])
        solves, feedback = sum(sizes) < place.size, (0, *place.path)[-1]
        self._assembly.fill(place.piece, node_of(guess, feedback, children, solves, feedbacks))
        pieces, large = self._assembly.below(place.piece, sizes), list[Place]()
        for piece, run in zip(pieces, runs, strict=True):
            nodes = Nodes(name, run.begin, run.end)
            child = Place(nodes, run.size, (*name, run.feedback), piece)
            if run.size > self._grain.limit:
                large.append(child)
            else:
                self._grow(child)
        return large

    def _grow(self, place: Place) -> None:
        """Start tasks for the whole trees of small nodes, or take known trees."""
        self._forecast.expect(place.size)
        found = self._load("growth", place, self._is_grown)
        if found is not None:
            self._finish(place, True, Subtrees(*found))
        else:
            on_done = partial(self._finish, place, False)
            self._scheduler.push(place.size, GrowTrees(place.nodes), on_done, place.size)

    def _finish(self, place: Place, earlier: bool, found: Subtrees) -> None:
        """Store the finished trees of small nodes, of this run or an earlier one."""
        if not earlier:
            self._save("growth", place, found)
        self._forecast.finish(place.size, earlier)
        self._assembly.fill(place.piece, found)
        self._count(found.pairs)

    def _count(self, pairs: Sequence[int]) -> None:
        """Add up the pairs that were scored at each depth."""
        self._pairs = [a + b for a, b in zip_longest(self._pairs, pairs, fillvalue=0)]

    def _is_choice(self, _: Place, found: object) -> bool:
        """Return whether data from a disk can be the choice at a node."""
        guesses = len(self._context.game.guesses)
        return are_counts(found) and len(found) == 2 and found[0] < guesses

    def _is_grown(self, place: Place, found: object) -> bool:
        """Return whether data from a disk can be the trees of nodes."""
        return is_grown(self._context.scorer, self._context.batch(place.nodes), found)

    def _load(
        self, kind: str, place: Place, is_result: Callable[[Place, object], bool]
    ) -> list[Any] | None:
        """Return the tree of a place from an earlier run, if it may be the result."""
        if not self._checkpoint:
            return None
        return self._checkpoint.load(self._key(kind, place), partial(is_result, place))

    def _save(self, kind: str, place: Place, found: Sequence[Any]) -> None:
        if self._checkpoint:
            self._checkpoint.save(self._key(kind, place), found)

    def _key(self, kind: str, place: Place) -> tuple[object, ...]:
        """Return the key of a result: a search that ends at its gap goes on with another policy."""
        return kind, place.nodes, self._policy

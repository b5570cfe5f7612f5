"""The growth of a tree from the root.

Large nodes are split one by one. Once descendants are small enough, tasks grow their whole
subtrees. Tasks may finish in any order; at the end, the finished subtrees are joined to one tree.
"""

from __future__ import annotations

from array import array
from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import accumulate, pairwise, zip_longest
from typing import Any, NamedTuple

import numpy as np

from guessbook.book.errors import BuildError
from guessbook.book.games.game import Game
from guessbook.book.games.weights import weights_by_guess
from guessbook.book.tree import Columns, Tree
from guessbook.builder.arrays import Integers
from guessbook.builder.checkpoint import Checkpoint
from guessbook.builder.limits import DEFAULTS, MEMORY, Resources
from guessbook.builder.progress import Progress, ProgressMeter
from guessbook.builder.scheduler import (
    BeginSearch,
    GrowTrees,
    Scheduler,
    SearchPart,
    Siblings,
    Workers,
    WorkerState,
    root_of,
    tells,
)
from guessbook.builder.scoring import Scorer
from guessbook.builder.subtrees import Subtrees, are_counts, is_grown, node_type
from guessbook.engine.codes import SOLVES, BestGuess, PartialSearch
from guessbook.engine.partitions import split_nodes
from guessbook.policy.policy import Policy
from guessbook.policy.registry import header, policy_header

# A task grows the subtrees of nodes with at most 1 / TASKS of all secrets as candidates. This limit
# is at least ENGINE_CANDIDATES, or PYTHON_CANDIDATES if the engine cannot grow the subtrees,
# because growing smaller subtrees would take less time than sending a message.
TASKS, ENGINE_CANDIDATES, PYTHON_CANDIDATES = 128, 1024, 128
# A part of a search scores 1 / PARTS of all (guess, secret) pairs, but at least MIN_PAIRS, which
# takes milliseconds.
PARTS, MIN_PAIRS = 1 << 13, 1 << 25


class BuildContext(NamedTuple):
    """The inputs of a build.

    Attributes:
        first_guess: the index of the first guess; None if the policy chooses it.
        report: called with the progress of the build; None for no reports.
    """

    game: Game
    policy: Policy
    first_guess: int | None
    workers: Workers
    resources: Resources = DEFAULTS
    report: Callable[[Progress], None] | None = None
    checkpoint: Checkpoint | None = None

    @property
    def memory(self) -> int:
        """The limit in bytes for the tables of a search, in each process of a machine."""
        return (self.resources.memory or MEMORY) // self.workers.processes

    def header(self) -> dict[str, Any]:
        """Return the policy and the first guess as the header of the book stores them."""
        return policy_header(self.game, self.policy, self.first_guess)


class Grown(NamedTuple):
    """A finished tree, with the policy for the header of its book."""

    tree: Tree
    pairs: list[int]  # the number of (guess, candidate) pairs scored at each depth
    header: dict[str, Any]


def grow_tree(build: BuildContext) -> Grown:
    """Compute a tree; the policy also chooses the first guess, unless one is given."""
    known: dict[tuple[int, ...], int] = {}
    if build.first_guess is not None:
        known[()] = build.first_guess
    state = WorkerState(build.game, build.policy, build.memory)
    return Growth(build, state, known).run()


class Growth:
    """The computation of a tree by tasks; `guesses` maps paths of nodes to their known guesses."""

    def __init__(
        self, build: BuildContext, state: WorkerState, guesses: Mapping[tuple[int, ...], int]
    ) -> None:
        self._build, self._state, self._guesses = build, state, guesses
        self._meter = ProgressMeter(build.report)
        self._scheduler = Scheduler(build.workers, state, self._meter.report)
        self._policy = tuple(header(build.policy).items())
        # The finished nodes and subtrees, each with the nodes directly below it.
        self._finished: dict[Siblings, tuple[Subtrees, list[Siblings]]] = {}
        guesses_of_game, secrets = len(build.game.guesses), len(build.game.secrets)
        # The largest number of candidates of a node that is not split, and the pairs that a part of
        # a search scores.
        if (size := build.resources.task_size) is not None:
            self._small, self._pairs = size, size * guesses_of_game
        else:
            least = ENGINE_CANDIDATES if state.scorer.code_search else PYTHON_CANDIDATES
            self._small = max(secrets // TASKS, least)
            self._pairs = max(guesses_of_game * secrets // PARTS, MIN_PAIRS)

    def run(self) -> Grown:
        """Run all tasks, and join their results."""
        root = root_of(self._build.game)
        self._open([root])
        self._scheduler.run()
        tree, pairs = join(self._build.game, root, self._finished)
        self._finished.clear()
        if not is_walked(self._state.scorer, tree):
            raise unsolved(self._build.game)
        return Grown(tree, pairs, self._build.header())

    def _open(self, large: list[Siblings]) -> None:
        """Split the large nodes with a known guess; search for the guess of the others."""
        while large:
            node = large.pop()
            self._meter.expect(node.size)
            guess = self._guesses.get(node.path)
            if guess is not None:
                large += self._split(node, guess, 0)
            elif found := self._load("search", node, partial(self._is_choice, node)):
                large += self._split(node, found[0], found[1], earlier=True)
            else:
                task = BeginSearch(node, self._pairs)
                self._scheduler.push(task, partial(self._search_rest, node))

    def _search_rest(self, node: Siblings, begun: PartialSearch) -> None:
        """Start a task for each remaining part of a search.

        After the last part, split the node by the best guess.
        """
        best, parts = begun
        found: list[BestGuess] = []

        def finish(part: BestGuess) -> None:
            found.append(part)
            if len(found) > parts:
                guess, pairs = -max(found).higher, sum(one.scored for one in found) * node.size
                # The checkpoint stores the guess without the children: they are quick to compute,
                # but large.
                self._save("search", node, (guess, pairs))
                self._open(self._split(node, guess, pairs))

        for part in range(parts):
            self._scheduler.push(SearchPart(node, best, part, parts), finish)
        finish(best)

    def _split(
        self, node: Siblings, guess: int, pairs: int, earlier: bool = False
    ) -> list[Siblings]:
        """Split a node, start the tasks of its small children, and return its large children."""
        self._meter.finish(node.size, earlier)
        path = (*node.path, guess)
        batch = self._state.children(path)
        feedbacks, starts = batch.feedback.tolist(), batch.starts.tolist()
        children: list[Siblings] = []
        begin = 0
        while begin < len(feedbacks):
            # A large child, or neighbours with at most `_small` candidates in all.
            end = max(bisect(starts, starts[begin] + self._small) - 1, begin + 1)
            size = starts[end] - starts[begin]
            children.append(Siblings((*path, feedbacks[begin]), begin, end, size))
            begin = end
        solves = starts[-1] < node.size
        row = (guess | SOLVES * solves, (0, *node.path)[-1], len(feedbacks))
        content = np.array(row, node_type(self._build.game.feedbacks)).tobytes()
        finished = Subtrees([1], [0] * (len(node.path) // 2) + [pairs], content)
        self._finished[node] = finished, children
        large: list[Siblings] = []
        for child in children:
            if child.size > self._small:
                large.append(child)
            else:
                self._grow(child)
        return large

    def _grow(self, nodes: Siblings) -> None:
        """Load the subtrees of small nodes from the checkpoint, or start a task for them."""
        self._meter.expect(nodes.size)
        state = self._state
        found = self._load("growth", nodes, lambda f: is_grown(state.scorer, state.batch(nodes), f))
        if found is None:
            self._scheduler.push(GrowTrees(nodes), partial(self._finish, nodes))
        else:
            self._finish(nodes, Subtrees(*found), earlier=True)

    def _finish(self, nodes: Siblings, subtrees: Subtrees, earlier: bool = False) -> None:
        """Keep the finished subtrees of small nodes, and save them if this run computed them."""
        if not earlier:
            self._save("growth", nodes, subtrees)
        self._meter.finish(nodes.size, earlier)
        self._finished[nodes] = subtrees, []

    def _is_choice(self, node: Siblings, found: object) -> bool:
        """Return whether a stored result is an informative guess, and a number of scored pairs."""
        return are_counts(found) and len(found) == 2 and tells(self._state, node, found[0])

    def _load(self, kind: str, nodes: Siblings, fits: Callable[[object], bool]) -> list[Any] | None:
        checkpoint = self._build.checkpoint
        return checkpoint.load((kind, nodes, self._policy), fits) if checkpoint else None

    def _save(self, kind: str, nodes: Siblings, found: Sequence[Any]) -> None:
        if self._build.checkpoint:
            self._build.checkpoint.save((kind, nodes, self._policy), found)


def join(
    game: Game, root: Siblings, finished: dict[Siblings, tuple[Subtrees, list[Siblings]]]
) -> tuple[Tree, list[int]]:
    """Join finished nodes and subtrees; return the tree, and the pairs scored at each depth.

    Raises BuildError if something is missing or does not solve its candidates.
    """
    levels: list[list[bytes]] = []
    pairs: list[int] = []
    waiting, kind = [root], node_type(game.feedbacks)
    while waiting:
        nodes = waiting.pop()
        subtrees, below = finished.get(nodes, (None, []))
        if subtrees is None or not solves_all(nodes, subtrees, below, kind):
            raise unsolved(game)
        waiting.extend(reversed(below))
        depth = len(nodes.path) // 2
        levels.extend([] for _ in range(depth + len(subtrees.sizes) - len(levels)))
        ends = accumulate((size * kind.itemsize for size in subtrees.sizes), initial=0)
        for level, (begin, end) in enumerate(pairwise(ends), depth):
            levels[level].append(subtrees.content[begin:end])
        pairs = [a + b for a, b in zip_longest(pairs, subtrees.pairs, fillvalue=0)]
    joined = [b"".join(level) for level in levels]
    rows = np.frombuffer(b"".join(joined), kind)
    columns, solves = make_columns([len(level) // kind.itemsize for level in joined], rows)
    first = array("I", accumulate(columns.children, initial=1))
    if first[-1] != len(rows):
        raise unsolved(game)
    weights = weights_by_guess(game)
    tree = Tree(columns, len(game.guesses), game.feedbacks, weights, (first, solves))
    return tree, pairs[: len(tree.distribution)]


def solves_all(
    nodes: Siblings, subtrees: Subtrees, below: list[Siblings], kind: np.dtype[Any]
) -> bool:
    """Return whether subtrees solve all candidates, except those of the nodes `below`."""
    if len(subtrees.content) != sum(subtrees.sizes) * kind.itemsize:
        return False
    solved = np.count_nonzero(np.frombuffer(subtrees.content, kind)["guess"] >= SOLVES)
    return bool(solved == nodes.size - sum(later.size for later in below))


def is_walked(scorer: Scorer, tree: Tree) -> bool:
    """Return whether the games of all secrets together reach exactly the nodes of a tree."""
    secrets = len(scorer.game.secrets)
    candidates, starts = np.arange(secrets, dtype=np.uint32), np.array([0, secrets])
    feedback = np.zeros(1, np.int64)
    for level in tree.levels():
        guesses, known, sizes, below_each = (
            np.array(memoryview(column[level.start : level.stop]), np.uint32)  # type: ignore[arg-type]
            for column in (tree.guess, tree.feedback, tree.candidates, tree.children)
        )
        if not (np.array_equal(feedback, known) and np.array_equal(np.diff(starts), sizes)):
            return False
        answers = scorer.feedbacks(guesses, candidates, starts).astype(np.uint32, copy=False)
        found = split_nodes(candidates, starts, answers, scorer.game.feedbacks)
        below, ends, numbers, children = map(np.asarray, found)
        if not np.array_equal(children, below_each):
            return False
        count = int(children.sum())
        candidates, starts, feedback = below[: ends[count]], ends[: count + 1], numbers[:count]
    return not len(feedback)


def unsolved(game: Game) -> BuildError:
    """Return the error for an incomplete tree."""
    return BuildError(
        f"the tree does not solve all {len(game.secrets):,} secrets: "
        "a task has failed; test the memory of the machine for defects, and build the book again"
    )


def make_columns(sizes: list[int], rows: Any) -> tuple[Columns, bytearray]:
    """Return the columns of a tree, and for each node 1 if its guess is a candidate, else 0.

    `sizes` has the number of nodes of each level; `rows` has the nodes as `node_type`.
    """
    solves = rows["guess"] >= SOLVES
    candidates = np.zeros(len(rows), np.uint32)
    below: Integers = np.zeros(1, np.int64)
    for begin, end in reversed(list(pairwise(accumulate(sizes, initial=0)))):
        # `below[k]` is the number of candidates of the first k nodes of the next level. The
        # difference of two of these numbers is the number of candidates of the children of a node.
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
    """Return a column as bytes if its values take one byte, else as a native-endian array."""
    if column.itemsize == 1:
        return bytes(column.tobytes())
    return array(column.dtype.char, column.astype(column.dtype.newbyteorder("=")).tobytes())

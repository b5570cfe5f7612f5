"""The strategy tree: four columns of integers with one entry per node, breadth first."""

from __future__ import annotations

import math
import sys
from array import array
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, compress, islice
from operator import add, ge, mul, not_, sub
from typing import Any, NamedTuple

from guessbook.book.errors import InvalidBookError, UsageError

WRONG_SUM = "the number of candidates of a node must be the sum over its children, or one more"


class Columns(NamedTuple):
    """The columns of a tree.

    Nodes are in breadth-first order, and siblings in the order of their feedbacks.
    """

    guess: Sequence[int]  # the index of the node's guess in `game.guesses`
    feedback: Sequence[int]  # the number of the feedback to the parent's guess; 0 for the root
    children: Sequence[int]  # the number of children of the node
    candidates: Sequence[int]  # the number of secrets that fit the history of the node


class Tree:
    """A strategy tree.

    Nodes are numbers from 0, the root; the children of node i are `range(first[i], first[i + 1])`.

    Args:
        columns: the columns of the tree. InvalidBookError is raised if they do not form a tree.
        guesses: the number of guesses of the game.
        feedbacks: one more than the largest feedback number of the game.
        weights: the weight of each guess as a secret, 0 if the guess is not a secret; None if all
            weights are equal.
        grown: two arrays from the builder. The first array is `first`. The second array has, for
            each node, 1 if the guess of the node solves a secret, else 0. With these arrays, the
            columns are not checked.
        leaves: for a game that identifies outcomes, the result of `leaf_weights`. The guess of a
            leaf is an outcome.
        costs: for such a game, the cost of each test.

    Attributes:
        guess, feedback, children, candidates: the columns, see `Columns`.
        leaves: the argument `leaves`; None unless outcomes are identified.
        first: the index of the first child of each node; then, as the last entry, the number of
            nodes.
        weights: the sum of the weights of each node's candidates; without weights, equal to
            `candidates`.
        first_depth: the number of guesses of the first entry of the distributions: 1, or 0 if
            outcomes are identified.
        path_costs: for each node, the cost of the guesses that lead to it; empty unless outcomes
            are identified.
        distribution: the number of secrets that the 1st, 2nd, ... guess of a game solves.
        weight_distribution: the weight of the secrets that the 1st, 2nd, ... guess of a game
            solves.
    """

    def __init__(
        self,
        columns: Columns,
        guesses: int,
        feedbacks: int,
        weights: Sequence[int] | None = None,
        grown: tuple[array[int], bytearray] | None = None,
        leaves: Sequence[int] | None = None,
        costs: Sequence[int] = (),
    ) -> None:
        self.guess, self.feedback, self.children, self.candidates = columns
        self.leaves, self.first_depth = leaves, 1 if leaves is None else 0
        self.path_costs: list[int] = []
        if leaves is not None:
            self.first = array("I", accumulate(self.children, initial=1))
            levels = list(self.levels())
            ends = [
                0 if more else n for more, n in zip(self.children, self.candidates, strict=True)
            ]
            self.weights = self.sums(leaves)
            self.distribution = tuple([sum(ends[at.start : at.stop]) for at in levels])
            self.weight_distribution = tuple([sum(leaves[at.start : at.stop]) for at in levels])
            self.path_costs = path_costs(self, costs)
            return
        if grown is None:
            check_values(columns, guesses, feedbacks)
            # In breadth-first order, a node's children follow the children of the node before it.
            self.first = array("I", accumulate(self.children, initial=1))
            # This check accepts a tree of another game. `guessbook.lookup.hint.step` finds such a
            # tree later.
            solves = self._check()
        else:
            self.first, solves = grown
        levels = list(self.levels())
        self.distribution = tuple([solves.count(1, level.start, level.stop) for level in levels])
        self.weights = self.candidates
        self.weight_distribution = self.distribution
        if weights is not None:
            own = [weights[g] * solved for g, solved in zip(self.guess, solves, strict=True)]
            self.weight_distribution = tuple([sum(own[at.start : at.stop]) for at in levels])
            self.weights = self.sums(own)
            if 0 in self.weights:
                node = self.weights.index(0)
                raise InvalidBookError(f"no secret of the game is below node {node} of the tree")

    def _check(self) -> bytearray:
        """Check the columns. Return, for each node, 1 if its guess solves a secret, else 0."""
        first, feedback, sizes = self.first, self.feedback, self.candidates
        nodes = len(sizes)
        (lowest,) = deque(self.levels(), 1)
        if lowest.stop < nodes:
            raise InvalidBookError(
                f"{nodes - lowest.stop:,} nodes of the tree have no path from the root"
            )
        # Loops in Python would take longer than the rest of a hint; `compress`, `map` and
        # `accumulate` run in C.
        inner = array("I", compress(range(nodes), self.children))
        starts = array("I", [first[node] for node in inner])
        # Feedback numbers of siblings rise. So a number may fall or repeat only where the next node
        # has another parent.
        falls = bytearray(map(ge, feedback, feedback[1:]))
        if falls.count(1) > sum([falls[child - 1] for child in starts]):
            raise InvalidBookError(
                "the children of a node are not in ascending order of their feedback numbers"
            )
        before = array("Q", accumulate(sizes, initial=0))
        until = array("Q", [before[child] for child in starts])
        until.append(before[nodes])
        own = map(sizes.__getitem__, inner)
        try:
            # A guess solves at most one candidate of its node; the other candidates are in the
            # children of the node.
            inside = bytes(map(sub, map(add, own, until), until[1:]))
        except ValueError:
            raise InvalidBookError(WRONG_SUM) from None
        # A node without children solves its only candidate. Nodes with children solve `sum(inside)`
        # of the secrets.
        leaves = sizes[0] - sum(inside)
        if max(inside, default=0) > 1 or 0 in sizes or leaves != nodes - len(inner):
            raise InvalidBookError(WRONG_SUM)
        solves = bytearray(b"\1") * nodes
        for node in compress(inner, map(not_, inside)):
            solves[node] = 0
        return solves

    def sums(self, own: Sequence[int]) -> Sequence[int]:
        """Return, for each node, the sum of `own` over all nodes of its subtree."""
        sums, first = array("Q", own), self.first
        for node in range(len(own) - 1, -1, -1):
            sums[node] += sum(sums[first[node] : first[node + 1]])
        return sums

    def __len__(self) -> int:
        return len(self.guess)

    def child(self, node: int, feedback: int) -> int:
        """Return the child of a node for a feedback number, or -1 if the node has no such child."""
        end = self.first[node + 1]
        child = bisect_left(self.feedback, feedback, self.first[node], end)
        return child if child < end and self.feedback[child] == feedback else -1

    def cells(self, node: int) -> list[int]:
        """Return the weight of each cell of the node's guess.

        If the guess is a candidate, its cell is the last.
        """
        cells = list(self.weights[self.first[node] : self.first[node + 1]])
        own = self.weights[node] - sum(cells)
        return [*cells, own] if own else cells

    def is_candidate(self, node: int) -> bool:
        """Return whether the node's guess may itself be the secret."""
        children = self.candidates[self.first[node] : self.first[node + 1]]
        return sum(children) < self.candidates[node]

    def chance(self, node: int) -> float:
        """Return the probability, by weight, that the node's guess is the secret."""
        return self.found(node, 1) / self.weights[node]

    def found(self, node: int, guesses: int) -> int:
        """Return the weight of the candidates found within `guesses` guesses, from the node on."""
        start, end = node, node + 1
        for _ in range(guesses):
            start, end = self.first[start], self.first[end]
        return self.weights[node] - sum(self.weights[start:end])

    def known_within(self, node: int, cost: int) -> int:
        """Return the weight of a node's candidates identified at a further cost of at most `cost`.

        Only for a game that identifies outcomes. `cost` is in the integers of its costs.
        """
        assert self.leaves is not None
        limit = self.path_costs[node] + cost
        below = [at for level in self.levels(node) for at in level]
        return sum([self.leaves[at] for at in below if self.path_costs[at] <= limit])

    def total_cost(self) -> int:
        """Return the sum, over all secrets, of the weight times the cost of finding the secret.

        A guess costs 1, unless the game has costs. These are integers, as in `Identification`.
        """
        if self.leaves is None:
            return total_of(self.weight_distribution)
        return sum(map(mul, self.leaves, self.path_costs))

    def max_cost(self) -> int:
        """Return the cost of finding the most expensive secret, in the units of `total_cost`."""
        return len(self.distribution) if self.leaves is None else max(self.path_costs)

    def information(self, node: int) -> float:
        """Return the expected information of the feedback to the node's guess, in bits.

        If outcomes are identified, it is the information about the outcome.
        """
        if self.leaves is None:
            return entropy(self.cells(node))
        left = [
            self.weights[child] * entropy(self.outcome_weights(child).values())
            for child in range(self.first[node], self.first[node + 1])
        ]
        if not left:
            return 0.0
        known = entropy(self.outcome_weights(node).values()) - sum(left) / self.weights[node]
        return max(0.0, known)

    def outcome_weights(self, node: int = 0) -> dict[int, int]:
        """Return a map from each outcome of the node's candidates to its weight.

        An outcome is given by its index in the guesses of the game. The map is empty if the game
        identifies no outcomes.
        """
        found: dict[int, int] = {}
        for level in self.levels(node) if self.leaves is not None else ():
            for at in level:
                if not self.children[at]:
                    found[self.guess[at]] = found.get(self.guess[at], 0) + self.weights[at]
        return found

    def levels(self, node: int = 0) -> Iterator[range]:
        """Yield the levels of a node's subtree: the node, then its children, and so on."""
        level = range(node, node + 1)
        while level:
            yield level
            # In breadth-first order, the children of adjacent nodes are adjacent.
            level = range(self.first[level.start], self.first[level.stop])


def leaf_weights(game: Any, columns: Columns) -> list[int]:
    """Return the weight of each leaf, and 0 for other nodes, in a game that identifies outcomes.

    The tree is played against every secret. Raises InvalidBookError if the columns are not a tree
    of this game in which all secrets of a leaf have the outcome of the leaf.
    """
    check_values(columns, len(game.guesses), game.feedbacks)
    outcome_of, given = game.identification.outcome_of, game.given
    weights = game.weights or [1] * len(game.secrets)
    guess, feedback, children, candidates = columns
    nodes, following = len(guess), 1
    members: dict[int, list[int]] = {0: list(range(len(game.secrets)))}
    leaves = [0] * nodes
    row_of = cache(game.row)
    for node in range(nodes):
        own = members.pop(node, [])
        cells: dict[int, list[int]] = {}
        if guess[node] < given:
            row = row_of(guess[node])
            for secret in own:
                cells.setdefault(row[secret], []).append(secret)
        elif {outcome_of[secret] for secret in own} == {guess[node] - given}:
            leaves[node] = sum([weights[secret] for secret in own])
        below = range(following, following + children[node])
        following = below.stop
        found = list(feedback[below.start : below.stop])
        # A test that splits nothing could repeat without end; only the first test may be useless.
        useless = node > 0 and len(cells) == 1
        wrong = len(own) != candidates[node] or found != sorted(cells)
        if wrong or useless or not (cells or leaves[node]):
            raise InvalidBookError(f"node {node} of the tree does not fit the table of its game")
        members.update(zip(below, [cells[answer] for answer in found], strict=True))
    return leaves


def outcome_tree(game: Any, columns: Columns) -> Tree:
    """Return the tree of a game that identifies outcomes.

    Raises InvalidBookError as `leaf_weights` does.
    """
    leaves, costs = leaf_weights(game, columns), game.identification.costs
    return Tree(columns, len(game.guesses), game.feedbacks, leaves=leaves, costs=costs)


def path_costs(tree: Tree, costs: Sequence[int]) -> list[int]:
    """Return, for each node, the sum of the costs of the guesses that lead to it."""
    found = [0] * len(tree)
    for node in range(len(tree)):
        for child in range(tree.first[node], tree.first[node + 1]):
            found[child] = found[node] + costs[tree.guess[node]]
    return found


def shown_levels(tree: Tree, depth: int | None, limit: int, node: int = 0) -> list[range]:
    """Return the first `depth` levels of a node's subtree.

    If `depth` is None, return the first two levels, and further levels while all together have at
    most `limit` nodes.
    """
    if depth is not None and (type(depth) is not int or depth < 1):
        raise UsageError(f"depth {depth!r} is not a whole number of guesses, 1 or more")
    levels: list[range] = []
    shown = 0
    # No tree has more levels than nodes, and `islice` rejects numbers above `sys.maxsize`.
    for level in islice(tree.levels(node), depth and min(depth, len(tree))):
        shown += len(level)
        # The first two levels are always shown, because the first alone says nothing about the
        # tree.
        if depth is None and shown > limit and len(levels) >= 2:
            break
        levels.append(level)
    return levels


def starts(tree: Tree, levels: Sequence[range]) -> dict[int, int]:
    """Return, for each node of `levels`, how many secrets precede its candidates in tree order.

    In tree order, the candidates of a node are consecutive: first the candidates of its children,
    then its guess.
    """
    places = {levels[0].start: 0}
    for level in levels[:-1]:
        for node in level:
            before = places[node]
            for child in range(tree.first[node], tree.first[node + 1]):
                places[child] = before
                before += tree.candidates[child]
    return places


def mean_guesses(tree: Tree) -> list[float]:
    """Return, for each node, the mean number of guesses from this node on; weights are ignored."""
    totals = tree.sums(tree.candidates)
    return [total / size for total, size in zip(totals, tree.candidates, strict=True)]


def subtree_sizes(tree: Tree) -> Sequence[int]:
    """Return, for each node, the number of nodes of its subtree, including the node itself."""
    return tree.sums([1] * len(tree))


def entropy(sizes: Iterable[int]) -> float:
    """Return the entropy, in bits, of a partition with cells of these sizes or weights.

    It is the expected information of the feedback (Shannon 1948; for Mastermind Neuwirth 1982).

    >>> round(entropy([1, 1, 1]), 4)
    1.585
    """
    sizes = list(sizes)
    total = sum(sizes)
    # For a single cell, rounding may produce -1e-16.
    return max(0.0, math.log2(total) - math.fsum([n * math.log2(n) for n in sizes]) / total)


def total_of(distribution: Iterable[int], start: int = 1) -> int:
    """Return the total number of guesses of a distribution.

    `start` is the number of guesses of the first entry: 0 if outcomes are identified.
    """
    return sum(depth * n for depth, n in enumerate(distribution, start))


def check_values(columns: Columns, guesses: int, feedbacks: int) -> None:
    """Raise InvalidBookError if a column of a tree has a wrong length, sum or value."""
    nodes = len(columns.guess)
    if nodes == 0 or any(len(column) != nodes for column in columns):
        raise InvalidBookError(
            f"the columns of the tree have lengths {[*map(len, columns)]}, not one length of at least 1"
        )
    if sum(columns.children) != nodes - 1:
        raise InvalidBookError(
            f"the tree has {sum(columns.children):,} children and {nodes:,} nodes; it must have "
            f"{nodes - 1:,} children"
        )
    if not (all_below(guesses, columns.guess) and all_below(feedbacks - 1, columns.feedback)):
        raise InvalidBookError(
            f"the tree has guess {max(columns.guess)} and feedback {max(columns.feedback)}; its game "
            f"has at most guess {guesses - 1} and feedback {feedbacks - 2}"
        )


def all_below(limit: int, values: Sequence[int]) -> bool:
    if isinstance(values, bytes):  # `translate` takes a tenth of the time of `max`
        return not values.translate(None, bytes(range(min(limit, 256))))
    return max(values) < limit


def to_planes(values: Sequence[int]) -> bytes:
    """Return a column as bytes for the file, with as many bytes per value as the largest needs."""
    if isinstance(values, bytes):
        return values
    width = max(1, (max(values).bit_length() + 7) // 8)
    return split_planes(memoryview(array("I", values)).cast("B"), 4, width)


def split_planes(numbers: bytes | memoryview[int], size: int, width: int = 4) -> bytes:
    """Return the lowest byte of every number, then the next byte of every number, and so on.

    `numbers` holds numbers of `size` bytes in this machine's byte order; only the lowest `width`
    bytes of each are returned.
    """
    # This order compresses better than one number after the other, because many high bytes are
    # equal.
    places = range(size - 1, -1, -1) if sys.byteorder == "big" else range(size)
    return b"".join([bytes(numbers[place::size]) for place in places[:width]])


def from_planes(data: bytes, nodes: int) -> bytes | array[int]:
    """Decode a column from the result of `to_planes`.

    Raises InvalidBookError for a wrong number of bytes.
    """
    width, rest = divmod(len(data), nodes)
    if rest or not 1 <= width <= 4:
        raise InvalidBookError(
            f"a column of {len(data)} bytes for {nodes} nodes does not have 1 to 4 bytes per node"
        )
    if width == 1:
        return data
    item = 2 if width == 2 else 4
    whole = bytearray(nodes * item)
    for k in range(width):
        whole[k::item] = data[k * nodes : (k + 1) * nodes]
    column = array("H" if item == 2 else "I", bytes(whole))
    if sys.byteorder == "big":
        column.byteswap()
    return column

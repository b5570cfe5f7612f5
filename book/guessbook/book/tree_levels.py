"""Levels: the upper part of a strategy tree, for a picture or an outline of a book."""

from collections.abc import Sequence
from itertools import accumulate

from guessbook.book.errors import UsageError
from guessbook.book.tree import Tree

LEAST_LEVELS = 2


def shown_levels(tree: Tree, depth: int | None, limit: int, node: int = 0) -> list[range]:
    """Return the nodes to show from a node down, by level: range(node, node + 1) first.

    `depth` is the number of levels. With None the levels end before they have more nodes than
    `limit`, but there are always two levels: one says nothing about the tree. Raises UsageError for
    a depth that is no whole number above 0.
    """
    if depth is not None and (type(depth) is not int or depth < 1):
        raise UsageError(f"found depth {depth!r}, expected a whole number of guesses, 1 or more")
    levels: list[range] = []
    level = range(node, node + 1)
    shown = 0
    while level and (depth is None or len(levels) < depth):
        shown += len(level)
        if depth is None and shown > limit and len(levels) >= LEAST_LEVELS:
            break
        levels.append(level)
        # Breadth first: the children of neighbours are neighbours.
        level = range(tree.first[level.start], tree.first[level.stop])
    return levels


def starts(tree: Tree, levels: Sequence[range]) -> dict[int, int]:
    """Return, for each node of some levels, the number of secrets before it in tree order.

    All secrets below a node are in a row, the one that its guess solves last. So the nodes of a
    level are side by side, in their order.
    """
    places = {levels[0].start: 0}
    for level in levels[:-1]:
        for node in level:
            children = range(tree.first[node], tree.first[node + 1])
            sizes = (tree.candidates[child] for child in children)
            # There is one more value than children, for the solved secret.
            for child, before in zip(children, accumulate(sizes, initial=0), strict=False):
                places[child] = places[node] + before
    return places


def mean_guesses(tree: Tree) -> list[float]:
    """Return, for each node, the mean number of further guesses for its candidates."""
    totals = tree.sums(tree.candidates)
    return [total / size for total, size in zip(totals, tree.candidates, strict=True)]


def subtree_sizes(tree: Tree) -> Sequence[int]:
    """Return, for each node, the number of nodes from it down, itself included."""
    return tree.sums([1] * len(tree))

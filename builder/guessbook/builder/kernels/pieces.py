"""A tree put together, breadth first, from the pieces that it grew in."""

from __future__ import annotations

from typing import NamedTuple

from guessbook.builder.compiler.jit import Native, part
from guessbook.builder.kernels.arrays import Array


class Row(NamedTuple):
    """The pieces of a tree, from left to right: neighbours with all that is below them, or a node.

    Attributes:
        depth: int64[pieces], how many guesses lead to the nodes of its first level.
        right: int64[pieces], which piece is on the right of it; -1 for the last one.
        level: int64[pieces], where its levels begin in `sizes`, and
        begin: int64[pieces], where its nodes begin in `content`.
        sizes: int64, how many nodes each level has; a 0 is behind those of a piece.
        content: uint8, the nodes: see `scorers.subtrees.row`.
    """

    depth: Array
    right: Array
    level: Array
    begin: Array
    sizes: Array
    content: Array


class Whole(NamedTuple):
    """A tree: see `guessbook.book.tree`.

    Attributes:
        guess: uint32[nodes], a column, like
        feedback: uint8[nodes * small],
        children: uint8[nodes * small], and
        candidates: uint32[nodes].
        first: uint32[nodes + 1], where the children of each node start.
        solves: uint8[nodes], how many candidates its guess solves: those that no child has.
    """

    guess: Array
    feedback: Array
    children: Array
    candidates: Array
    first: Array
    solves: Array


@Native
def put_together(row: Row, small: int, nodes: int, tree: Whole) -> None:
    """Put the nodes of all pieces in their places, breadth first.

    Args:
        row: the pieces; `level` and `begin` are at their ends afterwards.
        small: how many bytes a feedback takes, and a number of children.
        nodes: how many there are.
        tree: receives them.
    """
    node = depth = total = 0
    before, tree.first[0] = -1, 1
    while node > before:
        before, piece = node, 0
        while piece >= 0:
            size = row.sizes[row.level[piece]] if row.depth[piece] <= depth else 0
            if size > 0:
                # One byte, as nearly always, is compiled for itself: that takes half the time.
                if small == 1:
                    put(row, row.begin[piece], size, 1, node, tree)
                else:
                    put(row, row.begin[piece], size, small, node, tree)
                node += size
                row.level[piece] += 1
                row.begin[piece] += size
            piece = row.right[piece]
        depth += 1
    # Modulo 256, as what is solved is a difference.
    for k in range(nodes):
        total += tree.candidates[k]
        tree.solves[k] = total
    above = tree.solves[0]
    for k in range(nodes):
        # Of a tree that is wrong, it leads anywhere.
        below = tree.solves[min(tree.first[k + 1], nodes) - 1]
        tree.solves[k] = tree.candidates[k] - (below - above)
        above = below


@part
def put(row: Row, begin: int, size: int, small: int, node: int, tree: Whole) -> None:
    """Put some neighbouring nodes in their places, from `node` on."""
    first, content = tree.first[node], row.content
    for k in range(begin, begin + size):
        at = k * (8 + 2 * small)
        tree.guess[node] = number(content, at, 4)
        for b in range(small):
            tree.feedback[node * small + b] = content[at + 4 + b]
            tree.children[node * small + b] = content[at + 4 + small + b]
        first += number(content, at + 4 + small, small)
        tree.candidates[node] = number(content, at + 4 + 2 * small, 4)
        node += 1
        tree.first[node] = first


@part
def number(content: Array, at: int, width: int) -> int:
    """The number in so many bytes, the lowest first."""
    value = 0
    for b in range(width):
        value |= content[at + b] << (8 * b)
    return value

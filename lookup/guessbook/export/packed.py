"""A whole book as bytes that any language reads without msgpack: a line of JSON, then columns."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from guessbook.book.tree import to_planes
from guessbook.export.form import form_of

if TYPE_CHECKING:
    from guessbook.book.book import Book

__all__ = ["packed"]


def packed(book: Book) -> bytes:
    """One line of JSON (UTF-8, then a newline) and the planes of the four columns of the tree.

    The line is an object: `game` (as in docs/FORMAT.md, but `secrets` of a word game is a list of
    indices in `guesses`), `policy`, `secrets`, `nodes`, `distribution`, and `widths`, the number of
    planes of `guess`, `feedback`, `children` and `surplus`, which follow in this order, each of
    `nodes` bytes.
    """
    tree, game = book.tree, book.game
    surplus = [n - c for n, c in zip(tree.candidates, tree.children, strict=True)]
    columns = [to_planes(c) for c in (tree.guess, tree.feedback, tree.children, surplus)]
    line = {
        "game": form_of(game).page_game(),
        "policy": book.policy,
        "secrets": len(game.secrets),
        "nodes": len(tree),
        "distribution": list(book.metadata.distribution),
        "widths": [len(column) // len(tree) for column in columns],
    }
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    return b"".join([text.encode(), b"\n", *columns])

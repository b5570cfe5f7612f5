"""JSON: a book as nested nodes, for jq and for every language; json.md has the keys."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from guessbook.book.errors import UsageError
from guessbook.book.facts import facts
from guessbook.book.levels import shown_levels
from guessbook.book.strategy import Strategy
from guessbook.book.tree import entropy
from guessbook.export import Options
from guessbook.export.form import form_of

# Of these keys, major and minor: a minor version adds keys, a major one may change them.
VERSION = (1, 0)
# How many guesses deep: a node takes two levels of JSON, and some readers allow 256.
MAX_DEPTH = 100


def render(book: Strategy, options: Options) -> str:
    """One JSON object with a line for each key, the whole tree in the last one.

    Codes, words and feedbacks are written as people write them, so that a reader needs to know
    nothing about how a book numbers them.

    Raises:
        UsageError: the tree is too deep for readers of JSON, or a depth that is none.
    """
    levels = shown_levels(book.tree, options.depth, len(book.tree))
    if len(levels) > MAX_DEPTH:
        raise UsageError(
            f"found a tree of {len(levels):,} guesses, expected at most {MAX_DEPTH} for JSON; "
            "limit the depth"
        )
    known = {
        "guessbook": VERSION,
        **facts(book),
        "rules": form_of(book.game).json_rules(),
        "tree": nested(book, levels),
    }
    lines = [
        f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in known.items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def nested(book: Strategy, levels: Sequence[range]) -> dict[str, Any]:
    """The node that some levels begin with, and those below it by the feedback that leads there.

    Each node has the keys of a hint (guess, candidate, remaining, entropy in bits) and children,
    which the nodes of the last level have none of.
    """
    tree, game = book.tree, book.game
    made: dict[int, dict[str, Any]] = {}
    for level in reversed(levels):
        last = level is levels[-1]
        for node in level:
            below = () if last else range(tree.first[node], tree.first[node + 1])
            made[node] = {
                "guess": game.guesses[tree.guess[node]],
                "candidate": tree.is_candidate(node),
                "remaining": tree.candidates[node],
                "entropy": entropy(tree.cells(node)),
                "children": {
                    game.format_feedback(tree.feedback[child]): made.pop(child) for child in below
                },
            }
    return made[levels[0].start]

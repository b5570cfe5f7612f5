"""A book as nested nodes of JSON, for any language; the keys are in docs/how-to/embed/json.md."""

import json
from collections.abc import Sequence
from typing import Any

from guessbook.book.errors import UsageError
from guessbook.book.strategy import Strategy
from guessbook.book.summary import facts
from guessbook.book.tree import entropy, shown_levels
from guessbook.export import Options
from guessbook.export.form import form_of

# The major and the minor version of the keys: a minor one adds keys, a major one may change them.
VERSION = (1, 0)
# The most guesses of a path: a node takes two levels of JSON, and some readers allow 256.
MAX_DEPTH = 100


def render(book: Strategy, options: Options) -> str:
    """Return one JSON object with a line for each key; the last line holds the whole tree.

    Codes and feedbacks are texts, so that readers do not need the numbers of a book. Raises
    UsageError if the tree is too deep for readers of JSON, or the depth is out of range.
    """
    levels = shown_levels(book.tree, options.depth, len(book.tree))
    if len(levels) > MAX_DEPTH:
        raise UsageError(
            f"found a tree of {len(levels):,} guesses, expected at most {MAX_DEPTH} for JSON; limit the depth"
        )
    known = {"guessbook": VERSION, **facts(book), "rules": form_of(book.game).json_rules(), "tree": nest(book, levels)}
    lines = [f'  "{key}": {json.dumps(value, ensure_ascii=False)}' for key, value in known.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def nest(book: Strategy, levels: Sequence[range]) -> dict[str, Any]:
    """Return the first node of some levels, with its children nested below it by their feedback.

    The entropy is in bits. A node of the last level has no children.
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
                "children": {game.format_feedback(tree.feedback[child]): made.pop(child) for child in below},
            }
    return made[levels[0].start]

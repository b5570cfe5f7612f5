"""Export of a book as JSON with nested nodes; docs/how-to/embed/json.md defines the keys."""

import json
from collections.abc import Sequence
from typing import Any

from guessbook.book.errors import UsageError
from guessbook.book.strategy import Strategy
from guessbook.book.summary import facts
from guessbook.book.tree import shown_levels
from guessbook.export.game_drawing import drawing_of

# The version of the format: the first number counts changes to keys, the second counts additions.
VERSION = (1, 0)
# The maximum depth of a tree in guesses: each guess takes two levels of JSON, and some parsers
# allow only 256 levels.
MAX_DEPTH = 100


def json_tree(book: Strategy, depth: int | None) -> str:
    """Return a JSON object with a line for each key; the last key, `tree`, has the nested nodes."""
    levels = shown_levels(book.tree, depth, len(book.tree))
    if len(levels) > MAX_DEPTH:
        raise UsageError(
            f"tree too deep for JSON: {len(levels):,} guesses; choose a depth of {MAX_DEPTH}"
        )
    known = {
        "guessbook": VERSION,
        **facts(book),
        "rules": drawing_of(book.game).json_rules(),
        "tree": nest(book, levels),
    }
    lines = [f'  "{key}": {json.dumps(value, ensure_ascii=False)}' for key, value in known.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def nest(book: Strategy, levels: Sequence[range]) -> dict[str, Any]:
    """Return the first node of `levels` as a dict, with its children by feedback."""
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
                "entropy": tree.information(node),
                "children": {
                    game.format_feedback(tree.feedback[child]): made.pop(child) for child in below
                },
            }
            if tree.leaves is not None and not tree.children[node]:
                made[node]["outcome"] = made[node]["guess"]
    return made[levels[0].start]

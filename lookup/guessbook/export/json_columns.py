"""JSON: a book as plain lists, for jq and for every language; docs/embed/json.md has the keys."""

from __future__ import annotations

import json
from typing import Any

from guessbook.book.facts import facts
from guessbook.book.strategy import Strategy
from guessbook.export import Options
from guessbook.export.form import form_of

# Of these keys, major and minor: a minor version adds keys, a major one may change them. The second
# minor one has brought weights of secrets; a file without them is of the first.
VERSION = (1, 1)


def render(book: Strategy, options: Options) -> str:
    """One JSON object, with a line for each key and for each column of the tree.

    Codes, words and feedbacks are written as people write them, so that a reader needs to know
    nothing about how a book numbers them.
    """
    known = {
        "guessbook": list(VERSION if book.stats.is_weighted else (1, 0)),
        **facts(book),
        "rules": form_of(book.game).json_rules(),
    }
    tree = _lines(_columns(book), "    ")
    return "{\n" + _lines(known, "  ") + ',\n  "tree": {\n' + tree + "\n  }\n}\n"


def _lines(values: dict[str, Any], indent: str) -> str:
    """The inside of an object, a line for each key."""
    return ",\n".join(
        f"{indent}{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in values.items()
    )


def _columns(book: Strategy) -> dict[str, list[Any]]:
    """The columns, with the texts of guesses and feedbacks and the first child of each node."""
    game, tree = book.game, book.tree
    nodes = range(len(tree))
    feedbacks = {number: game.format_feedback(number) for number in set(tree.feedback[1:])}
    return {
        "guess": [game.guesses[index] for index in tree.guess],
        "feedback": [None, *(feedbacks[number] for number in tree.feedback[1:])],
        "first_child": list(tree.first[: len(tree)]),
        "children": list(tree.children),
        "remaining": list(tree.candidates),
        "candidate": [tree.is_candidate(node) for node in nodes],
    }

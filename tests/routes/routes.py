"""The routes to the guesses of a policy: builds, hints and exported books."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import guessbook as gb
from tests.helpers.format_reader import Reader
from tests.helpers.page import answers_of_page
from tests.helpers.plain import PlainNode, entries, without_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.strategies import History

HARNESS = r"""
#include <stdio.h>
#include "guess.h"

int main(void)
{
    char code[GUESSBOOK_TEXT];
    int32_t node, feedback;
    for (node = 0; node < GUESSBOOK_NODES; node++) {
        guessbook_code(node, code);
        printf("%s", code);
        for (feedback = 0; feedback <= GUESSBOOK_SOLVED; feedback++)
            if (guessbook_next(node, feedback) >= 0)
                printf("\t%ld:%ld", (long)feedback, (long)guessbook_next(node, feedback));
        printf("\n");
    }
    return 0;
}
"""


class Tree(NamedTuple):
    """The columns of a book file, as in FORMAT.md, but with `candidates` instead of `surplus`."""

    guess: list[int]
    feedback: list[int]
    children: list[int]
    candidates: list[int]


def expected_tree(nodes: list[PlainNode]) -> Tree:
    """Return the columns of a plain tree."""
    return Tree(
        [node.guess for node in nodes],
        [node.history[-1][1] if node.history else 0 for node in nodes],
        [len(node.children) for node in nodes],
        [len(node.candidates) for node in nodes],
    )


def tree_of(book: gb.Book) -> Tree:
    """Return the columns of a book, read from its bytes."""
    reader = Reader(book.to_bytes())
    return Tree(reader.guess, reader.feedback, reader.children, reader.candidates)


# Hints after histories, as pairs of the guess and the number of candidates.


def hints_without_book(
    game: gb.Game, policy: Any, histories: Sequence[History]
) -> list[tuple[int, int]]:
    """Ask a session without a book."""
    found = []
    for history in histories:
        hint = gb.Session(game, entries(game, history), policy).hint()
        assert (hint.source, hint.solved) == ("live", False)
        found.append((game.parse_code(hint.guess), hint.remaining))
    return found


def hints_in_plain_python(
    game: gb.Game, policy: Any, histories: Sequence[History]
) -> list[tuple[int, int]]:
    """Ask the same session without the engine."""
    with without_engine():
        return hints_without_book(game, policy, histories)


LIVE_ROUTES = {"engine": hints_without_book, "plain Python": hints_in_plain_python}


# Answers of exported books.


def hints_of_page(book: gb.Book, histories: Sequence[History]) -> list[tuple[str, int, str]]:
    """Ask the exported page; each answer also has the source of the hint."""
    hints = answers_of_page(book, [entries(book.game, history) for history in histories])
    return [(hint["guess"], hint["remaining"], hint["source"]) for hint in hints]


def hints_of_script(book: gb.Book, histories: Sequence[History]) -> list[tuple[str, int]]:
    """Ask the exported Python script."""
    script: Any = ModuleType("hint")
    exec(compile(str(book.export("python")), "hint.py", "exec"), script.__dict__)
    hints = [script.hint(entries(book.game, history)) for history in histories]
    return [(guess, remaining) for guess, remaining, *_ in hints]


def tables_of_c(book: gb.Book) -> list[str]:
    """Compile the exported header, and return the guess and the children of each node."""
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("gcc is not installed")
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "guess.h").write_text(str(book.export("c")), "utf-8")
        (folder / "main.c").write_text(HARNESS, "utf-8")
        command = [compiler, "-O0", "-Wall", "-Werror", "main.c", "-o", "program"]
        subprocess.run(command, cwd=folder, check=True)
        done = subprocess.run([folder / "program"], capture_output=True, check=True)
    return done.stdout.decode().splitlines()


def expected_tables(game: gb.Game, nodes: list[PlainNode]) -> list[str]:
    """Return the lines that `tables_of_c` should return for a plain tree."""
    lines, first = [], 1
    for node in nodes:
        children = [f"{f}:{first + k}" for k, f in enumerate(node.children)]
        lines.append("\t".join([game.guesses[node.guess], *children]))
        first += len(node.children)
    return lines


def same_hints_of_script(book: gb.Book, nodes: list[PlainNode]) -> bool:
    """Whether the script gives the guess and the number of candidates of every node."""
    # A script accepts the entries of a history in any order.
    found = hints_of_script(book, [node.history[::-1] for node in nodes])
    return found == [(book.game.guesses[n.guess], len(n.candidates)) for n in nodes]


EXPORT_ROUTES: dict[str, Callable[[gb.Book, list[PlainNode]], bool]] = {
    "script": same_hints_of_script,
    "C": lambda book, nodes: tables_of_c(book) == expected_tables(book.game, nodes),
}

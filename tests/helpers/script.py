"""The script that the export to Python makes, imported, and the books to try it with."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import guessbook as gb
from tests.helpers.plain import entries, paths, plain_book


def loaded(book: gb.Book, folder: Path | None = None) -> Any:
    """The script of a book, imported; where there is a folder, the one that reads its own file."""
    module = ModuleType("hint")
    text = book.export("python", compress=folder is None)
    if folder:
        path = folder / "hint.py"
        path.write_text(text, "utf-8", newline="\n")
        module.__file__ = str(path)
    exec(compile(text.encode(), "hint.py", "exec"), module.__dict__)
    return module


def word_game(scoring: str = "standard") -> gb.WordGame:
    """A game of words that are made up."""
    words = ["".join(letters) for letters in itertools.product("stre", "aeio", "stn", "aery")]
    random.Random(6).shuffle(words)
    return gb.WordGame(words[:70], words[40:130], scoring)


def kinds(small_books: dict[str, gb.Book]) -> dict[str, gb.Book]:
    """Books of all kinds of games."""
    return {
        **small_books,
        "4x6": gb.open("mastermind-4x6"),
        "win": gb.build("mastermind-3x4", "win:within=3"),
        "words": plain_book(word_game()),
        "loose": plain_book(word_game("loose")),
        "letters": plain_book(gb.WordGame(["käse", "höhe", "müde", "rose", "хлеб", "ありがと"])),
        "long words": plain_book(gb.WordGame(["abcdefg", "gfedcba", "aabbccd", "abcdegf"])),
    }


def check_every_node(book: gb.Book, script: Any) -> None:
    """The script gives each node's guess, candidates and whether it may be the secret."""
    for node, history in zip(book.nodes, paths(book), strict=True):
        known = node.guess, node.remaining, node.candidate, False
        assert script.hint(entries(book.game, history)) == known
        if node.candidate:
            solved = [*history, (book.game.parse_code(node.guess), book.game.solved)]
            assert script.hint(entries(book.game, solved)) == (node.guess, 1, True, True)

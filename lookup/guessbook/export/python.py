"""Python: a book as one script that needs the standard library or MicroPython, nothing else."""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Sequence
from importlib.resources import files
from shlex import quote
from textwrap import fill
from typing import Any

from guessbook.book.book import Book
from guessbook.book.facts import average
from guessbook.book.tree import Tree, to_planes
from guessbook.export import Options
from guessbook.export.form import form_of

LINE = 100
# So many nodes share an entry of the script's table FIRST; script_walk.txt knows it too.
STEP = 64

# How the script takes an entry of a history apart.
SPLIT = '(entry.rsplit("=", 1) + [""])[:2]'

PLAIN = '''\
DATA = memoryview(binascii.a2b_base64(b"""
'''


def render(book: Book, options: Options) -> str:
    """The script: constants, how codes and feedback are written, the walk, and the tree.

    It runs under CPython 3.8 or newer with the standard library alone, and under MicroPython. What
    comes from the book (symbols, words, the name of the policy) is in it only in lines of
    comment, as literals that `repr` writes, and as base64.

    Of a word game it holds the words that the tree guesses, not all that may be guessed.
    """
    program = form_of(book.game).program(book)
    content, columns = _columns(book.tree, program.guesses)
    if width := program.constants.get("WIDTH"):
        columns.append(f"WORDS = DATA[{len(content)}:]")
        content += b"".join(word.encode().ljust(width) for word in program.texts)
    first = list(book.tree.first[: len(book.tree) : STEP])
    table = fill(f"FIRST = {first}", LINE, subsequent_indent="    ")
    tail = _text("script_tree.txt").format(columns="\n".join(columns), first=table)
    walk = _text("script_walk.txt")
    if program.answers:  # in which there may be equals signs
        walk = walk.replace(SPLIT, "parts(entry)")
    parts = [_head(book, program.constants), _text(program.script), walk]
    return "\n\n".join([*parts, _data(content, options.compress) + tail])


def _head(book: Book, constants: dict[str, Any]) -> str:
    game, known = book.game, book.metadata
    constants = {**constants, "SOLVED": game.solved, "SECRETS": known.secrets}
    answer = min(book.root.children, default=game.solved)
    example = f"{book.root.guess}={game.format_feedback(answer)}"
    # Nothing of this is in the first two lines, where Python looks for an encoding.
    return _text("script_head.txt").format(
        example=example,
        quoted=quote(example),
        name=game.name,
        policy=known.policy,
        average=average(known),
        most=known.max_guesses,
        constants="".join(f"{name} = {value!r}\n" for name, value in constants.items()),
    )


def _columns(tree: Tree, guess: Sequence[int]) -> tuple[bytes, list[str]]:
    """The columns as bytes, and the lines of the script that take them apart."""
    columns = {
        "GUESS": guess,
        "FEEDBACK": tree.feedback,
        "CHILDREN": tree.children,
        "CANDIDATES": tree.candidates,
    }
    content, lines, nodes = b"", [], len(tree)
    for name, values in columns.items():
        start = len(content)
        content += to_planes(values)
        planes = [f"DATA[{k}:{k + nodes}]" for k in range(start, len(content), nodes)]
        lines.append(f"{name} = [{', '.join(planes)}]")
    return content, lines


def _data(content: bytes, compress: bool) -> str:
    """The lines that hold the content, compressed if that is wanted and makes them shorter."""
    plain = PLAIN + _lines(content)
    if not compress:
        return plain
    return min(plain, _text("script_unpack.txt") + _lines(zlib.compress(content, 9)), key=len)


def _lines(content: bytes) -> str:
    text = b64encode(content).decode()
    return "\n".join(text[start : start + LINE] for start in range(0, len(text), LINE))


def _text(name: str) -> str:
    """A part of the script that is the same for all books of its kind."""
    return (files(__package__) / name).read_text("utf-8")

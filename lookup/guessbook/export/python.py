"""Python: a book as one script that needs the standard library or MicroPython, nothing else."""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Sequence
from importlib.resources import files
from shlex import quote
from typing import Any

from guessbook.book.facts import average
from guessbook.book.strategy import Strategy
from guessbook.book.tree import Tree, to_planes
from guessbook.export import Options
from guessbook.export.form import form_of

# So many bytes of the data are a line of the script; script_place.txt knows it too.
LINE = 75
# So many nodes share an entry of the script's column FIRST; script_walk.txt knows it too.
STEP = 64

# How the script takes an entry of a history apart.
SPLIT = '(entry.rsplit("=", 1) + [""])[:2]'

# How it begins to print; and what comes first where the codes are not of ASCII.
PRINT = '    """Print a hint; the exit code."""\n'
ESCAPE = """\
    if hasattr(sys.stdout, "reconfigure"):  # nothing ends in an error of encoding
        sys.stdout.reconfigure(errors="backslashreplace")
"""

INLINE = '''\
def read(start, end):
    """Bytes of data."""
    return DATA[start:end]


'''
PLAIN = '''\
DATA = memoryview(binascii.a2b_base64(b"""
{}
"""))
'''


def render(book: Strategy, options: Options) -> str:
    """The script: constants, how codes and feedback are written, the walk, and the tree.

    It runs under CPython 3.8 or newer with the standard library alone, and under MicroPython. What
    comes from the book (symbols, words, the name of the policy) is in it only in lines of
    comment, as literals that `repr` writes, and as base64. Uncompressed data are lines of
    comment as well, which the script reads from its own file: so they take no memory.

    Of a word game it holds the words that the tree guesses, not all that may be guessed.
    """
    program = form_of(book.game).program(book)
    content, constants = _columns(book.tree, program.guesses)
    if width := program.constants.get("WIDTH"):
        constants |= {"WORDS": len(content), "LABELS": len(program.texts)}
        content += b"".join(word.encode().ljust(width) for word in program.texts)
    walk = _text("script_walk.txt")
    if program.answers:  # in which there may be equals signs
        walk = walk.replace(SPLIT, "parts(entry)")
    if not all(book.game.guesses[guess].isascii() for guess in set(book.tree.guess)):
        walk = walk.replace(PRINT, PRINT + ESCAPE)
    parts = [_head(book, program.constants), _text(program.script), walk]
    if options.compress:
        data = INLINE + min(
            PLAIN.format("\n".join(_lines(content))),
            _text("script_unpack.txt") + "\n".join(_lines(zlib.compress(content, 9))) + '\n"""))\n',
            key=len,
        )
    else:
        lines = [f"#{line}\n" for line in _lines(content + bytes(-len(content) % LINE))]
        constants["SIZE"] = sum(map(len, lines))
        data = _text("script_place.txt") + "\n\n"
    columns = "\n".join(f"{name} = {value}" for name, value in constants.items())
    script = "\n\n".join([*parts, data + _text("script_tree.txt").format(columns=columns)])
    return script if options.compress else script + "".join(lines)


def _head(book: Strategy, constants: dict[str, Any]) -> str:
    game, known = book.game, book.stats
    constants = {**constants, "SOLVED": game.solved, "SECRETS": known.secrets}
    answer = next(iter(book.root.children), game.format_feedback(game.solved))
    example = f"{book.root.guess}={answer}"
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


def _columns(tree: Tree, guess: Sequence[int]) -> tuple[bytes, dict[str, Any]]:
    """The columns as bytes, and where in them the planes of each begin."""
    columns = {
        "GUESS": guess,
        "FEEDBACK": tree.feedback,
        "CHILDREN": tree.children,
        "CANDIDATES": tree.candidates,
        "FIRST": tree.first[: len(tree) : STEP],
    }
    content, starts = b"", {}
    for name, values in columns.items():
        end = content + to_planes(values)
        starts[name] = list(range(len(content), len(end), len(values)))
        content = end
    return content, starts


def _lines(content: bytes) -> list[str]:
    """Bytes as lines of base64."""
    starts = range(0, len(content), LINE)
    return [b64encode(content[start : start + LINE]).decode() for start in starts]


def _text(name: str) -> str:
    """A part of the script that is the same for all books of its kind."""
    return (files(__package__) / name).read_text("utf-8")

"""Export of a book as one Python script without dependencies, which also runs on MicroPython."""

import zlib
from base64 import b64encode
from collections.abc import Sequence
from importlib.resources import files
from shlex import quote
from typing import Any

from guessbook.book.strategy import Strategy
from guessbook.book.summary import average
from guessbook.book.tree import Tree, to_planes
from guessbook.export.game_drawing import drawing_of
from guessbook.policy.registry import name_in_words

# The number of bytes of data in a line of the script; script_place.txt assumes the same number.
LINE = 75
# The column FIRST of the script has an entry for every 64th node; script_walk.txt assumes this.
STEP = 64
# The expression in the script that splits an entry of a history. It is replaced in table games,
# whose answers may contain equals signs.
SPLIT = 'entry.rsplit("=", 1)'
# The replacements in the script for a book that identifies outcomes. There, each path of the tree
# ends at a leaf with an outcome.
IDENTIFY = {
    "guesses": "tests",
    "guess": "test",
    "secret": "thing",
    "GUESS=FEEDBACK": "TEST=FEEDBACK",
    "GUESS=ANSWER": "TEST=ANSWER",
    "Guess, remaining, candidate, solved.": "Test or outcome, remaining; twice whether it is an outcome.",
    "return test, remaining, candidate, False": "return test, remaining, candidate, candidate",
    "feedback = seen.pop(test, None)": "feedback = None if candidate else seen.pop(test, None)",
    "the book tests %s here": "the test or outcome here is %s",
    'note = ", solved" if solved else ", may be the thing" if candidate else ""': (
        'print(("outcome     " if solved else "test        ") + test)'
    ),
    '    print("test       " + test + note)\n': "",
    '"candidates  ': '"things      ',
}
# PRINT is the docstring of the script's `main`. If some guess is not ASCII, ESCAPE follows it.
PRINT = '    """Print a hint, return the exit code."""\n'
ESCAPE = """\
    if hasattr(sys.stdout, "reconfigure"):  # escape what stdout cannot encode
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


def python_script(book: Strategy, compress: bool) -> str:
    """Return the book as a Python script, for CPython 3.8 or newer and for MicroPython.

    With `compress`, the script holds its data in memory. Otherwise it reads them from its own file.
    """
    program = drawing_of(book.game).program(book)
    content, constants = _columns(book.tree, program.guesses)
    if width := program.constants.get("WIDTH"):
        constants |= {"WORDS": len(content), "LABELS": len(program.texts)}
        content += b"".join(word.encode().ljust(width) for word in program.texts)
    walk = _text("script_walk.txt")
    if program.answers:
        walk = walk.replace(SPLIT, "parts(entry)")
    if not all(book.game.guesses[guess].isascii() for guess in set(book.tree.guess)):
        walk = walk.replace(PRINT, PRINT + ESCAPE)
    code = [_text(f"script_{program.kind}.txt"), walk]
    if book.tree.leaves is not None:
        constants["LABELS"] = sum(guess < book.game.listed for guess in set(book.tree.guess))
        for old, new in IDENTIFY.items():
            code = [part.replace(old, new) for part in code]
    parts = [_head(book, program.constants), *code]
    if compress:
        data = INLINE + min(
            PLAIN.format("\n".join(_lines(content))),
            _text("script_unpack.txt") + "\n".join(_lines(zlib.compress(content, 9))) + '\n"""))\n',
            key=len,
        )
    else:
        # Uncompressed data take no memory: they are comments, which the script reads from its file.
        lines = [f"#{line}\n" for line in _lines(content + bytes(-len(content) % LINE))]
        constants["SIZE"] = sum(map(len, lines))
        data = _text("script_place.txt") + "\n\n"
    columns = "\n".join(f"{name} = {value}" for name, value in constants.items())
    script = "\n\n".join([*parts, data + _text("script_tree.txt").format(columns=columns)])
    return script if compress else script + "".join(lines)


def _head(book: Strategy, constants: dict[str, Any]) -> str:
    game, known = book.game, book.stats
    constants = {**constants, "SOLVED": game.solved, "SECRETS": known.secrets}
    answer = next(iter(book.root.children), game.format_feedback(game.solved))
    example = f"{book.root.guess}={answer}"
    # The first two lines must not contain text of the book, because Python reads a comment such as
    # "coding: x" there as the encoding.
    results = f"{average(known)}, at most {known.max_cost:,}"
    head = _text("script_head.txt").replace("next_guess", f"next_{known.nouns.guess}")
    head = head.replace("to guess", f"to {known.nouns.guess}")
    return head.replace("secret", known.nouns.secret).format(
        example=example,
        quoted=quote(example),
        name=game.name,
        policy=name_in_words(book.policy),
        results=results,
        constants="".join(f"{name} = {value!r}\n" for name, value in constants.items()),
    )


def _columns(tree: Tree, guess: Sequence[int]) -> tuple[bytes, dict[str, Any]]:
    """Return the columns of the tree as bytes, and for each column the offsets of its planes.

    A plane has one byte of each value: the first plane of a column has the lowest bytes.
    """
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
    starts = range(0, len(content), LINE)
    return [b64encode(content[start : start + LINE]).decode() for start in starts]


def _text(name: str) -> str:
    return (files(__package__) / name).read_text("utf-8")

"""Python: a book as one script that needs the standard library or MicroPython, nothing else."""

from __future__ import annotations

import zlib
from base64 import b64encode
from importlib.resources import files
from textwrap import fill
from typing import TYPE_CHECKING, Any, cast

from guessbook.book.games.codes import Mastermind
from guessbook.book.tree import to_planes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.book.book import Book
    from guessbook.book.games.words import WordGame
    from guessbook.book.tree import Tree
    from guessbook.export import Options

__all__ = ["render"]

LINE = 100
# So many nodes share an entry of the script's table FIRST; script_walk.txt knows it too.
STEP = 64

# Nothing that a book says of itself is in the first two lines, where Python looks for an encoding.
HEAD = '''\
#!/usr/bin/env python3
"""What to guess next, by Guessbook; for Python 3.8+ and MicroPython."""
# python hint.py {example}
# hint.next_guess([{example!r}])
# {name}, {policy}: {mean:.4f} guesses on average, at most {most}
import binascii
import sys

{constants}

class HintError(ValueError):
    """A message and the exit code: 1 off-book, 2 usage, 4 no secret fits."""
'''

UNPACK = '''\
def unpack(text):
    """The bytes that were compressed and written as base64."""
    data = binascii.a2b_base64(text)
    try:
        import zlib

        return zlib.decompress(data)
    except ImportError:  # MicroPython
        import deflate, io

        return deflate.DeflateIO(io.BytesIO(data)).read()


DATA = memoryview(unpack(b"""
'''

PLAIN = '''\
DATA = memoryview(binascii.a2b_base64(b"""
'''

TREE = '''
"""))
# Columns of the tree: the lowest byte of each node, then the next.
{columns}
# The first child of every 64th node.
{first}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
'''


def render(book: Book, options: Options) -> str:
    """The script: constants, how codes and feedback are written, the walk, and the tree.

    It runs under CPython 3.8 or newer with the standard library alone, and under MicroPython. What
    comes from the book (symbols, words, the name of the policy) is in it only in lines of
    comment, as literals that `repr` writes, and as base64.

    Of a word game it holds the words that the tree guesses, not all that may be guessed.
    """
    if isinstance(book.game, Mastermind):
        rules, constants = "script_pegs.txt", _pegs(book.game)
        content, columns = _columns(book.tree, book.tree.guess)
    else:
        rules, constants = "script_tiles.txt", _tiles(cast("WordGame", book.game))
        words, numbers = _guessed(book)
        content, columns = _columns(book.tree, numbers)
        # Of one width in bytes, so that a word is found without looking at those before it.
        constants["WIDTH"] = max(len(word.encode()) for word in words)
        columns.append(f"WORDS = DATA[{len(content)}:]")
        content += b"".join(word.encode().ljust(constants["WIDTH"]) for word in words)
    first = list(book.tree.first[: len(book.tree) : STEP])
    table = fill(f"FIRST = {first}", LINE, subsequent_indent="    ")
    tail = TREE.format(columns="\n".join(columns), first=table)
    parts = [_head(book, constants), _text(rules), _text("script_walk.txt")]
    return "\n\n".join([*parts, _data(content, options.compress) + tail])


def _head(book: Book, constants: dict[str, Any]) -> str:
    game, known = book.game, book.metadata
    constants |= {"SOLVED": game.solved, "SECRETS": known.secrets}
    answer = min(book.root.children, default=game.solved)
    return HEAD.format(
        example=f"{book.root.guess}={game.format_feedback(answer)}",
        name=game.name,
        policy=known.policy,
        mean=known.mean_guesses,
        most=known.max_guesses,
        constants="".join(f"{name} = {value!r}\n" for name, value in constants.items()),
    )


def _pegs(game: Mastermind) -> dict[str, Any]:
    """The constants of a code game."""
    return {
        "LENGTH": game.length,
        "SYMBOLS": game.symbols,
        "REPEATS": game.repeats,
        "CODES": len(game.guesses),
        "LEAST": _least(game),
    }


def _least(game: Mastermind) -> int:
    """The fewest pegs of any feedback: how many symbols two codes share at least."""
    if game.repeats:
        return game.pegs if game.colors == 1 else 0
    return max(0, 2 * game.pegs - game.colors)


def _tiles(game: WordGame) -> dict[str, Any]:
    """The constants of a word game."""
    return {
        "LENGTH": game.length,
        "STRICT": game.scoring == "standard",
        "MARKS": ("0⬛⬜b", "1🟨🟦y", "2🟩🟧g"),
    }


def _guessed(book: Book) -> tuple[list[str], list[int]]:
    """The words that the tree guesses, and the guess of each node as an index among them."""
    used = sorted(set(book.tree.guess))
    ranks = {index: rank for rank, index in enumerate(used)}
    return [book.game.guesses[index] for index in used], [ranks[i] for i in book.tree.guess]


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
    return min(plain, UNPACK + _lines(zlib.compress(content, 9)), key=len)


def _lines(content: bytes) -> str:
    text = b64encode(content).decode()
    return "\n".join(text[start : start + LINE] for start in range(0, len(text), LINE))


def _text(name: str) -> str:
    """A part of the script that is the same for all books of its kind."""
    return (files(__package__) / name).read_text("utf-8")

"""Export of a book as a header for C99 and C++, with arrays and functions for the next guess."""

from collections.abc import Iterator, Sequence
from importlib.resources import files
from zlib import crc32

from guessbook.book.strategy import Strategy
from guessbook.book.summary import secrets_in_words
from guessbook.export.game_drawing import Program, drawing_of
from guessbook.policy.registry import name_in_words

PER_LINE = 20
# The unsigned integer types of C: the limit of the values (exclusive), the name, the size in bytes.
TYPES = ((1 << 8, "uint8_t", 1), (1 << 16, "uint16_t", 2), (1 << 32, "uint32_t", 4))


def c_header(book: Strategy) -> str:
    """Return the header file as ASCII text."""
    program = drawing_of(book.game).program(book)
    names = ["start.h", "walker.h", f"{program.kind}.h"]
    if book.tree.leaves is not None:
        names.append("outcomes.h")
    start, *walker = [(files(__package__) / name).read_text("ascii") for name in names]
    if book.tree.leaves is not None:
        walker = [text.replace("the guess of", "the test or outcome of") for text in walker]
    strings = {"texts": program.texts}
    if program.answers:
        strings["answers"] = program.answers
    tree, known = book.tree, book.stats
    columns = {"guesses": program.guesses, "feedbacks": tree.feedback, "first": tree.first}
    size = sum(_width(texts) * len(texts) for texts in strings.values())
    size += sum(len(column) * _type(column)[1] for column in columns.values())
    lines = [*_numbers(book, program), ""]
    for name, texts in strings.items():
        lines += _strings(name, texts)
    for name, column in columns.items():
        kind = f"{_type(column)[0]} guessbook_{name}[]"
        lines += _table(kind, [str(number) for number in column], PER_LINE)
    body = "\n".join(lines)
    head = start.format(
        identity=f"{crc32(body.encode()):08X}",
        game=_harmless(book.game.name),
        policy=_harmless(name_in_words(book.policy)),
        secrets=secrets_in_words(book.game),
        nodes=known.nodes,
        tables=size,
    )
    return "\n".join([head, body, "".join(walker), "#endif\n"])


def _numbers(book: Strategy, program: Program) -> Iterator[str]:
    """Yield a `#define` for each number that the C functions need, such as the number of nodes."""
    game, rows, width = book.game, program.rows, _width(program.texts)
    nouns = book.stats.nouns
    solved, symbols = 'the feedback number "solved"', "symbols of a code"
    if program.answers:
        symbols = f"characters of the longest {nouns.secret}"
    if book.tree.leaves is not None:
        solved = "the largest feedback number, which no test gives"
    numbers = {
        "NODES": (len(book.tree), "nodes of the tree"),
        "DEPTH": (book.stats.max_guesses, f"{nouns.guesses} for the hardest {nouns.secret}"),
        "LENGTH": (game.length, symbols),
        "SOLVED": (game.solved, solved),
        "TEXT": (rows * (width - 1) + 1, "bytes of a code as text, the zero byte included"),
        "ROWS": (rows, "rows of guessbook_texts that make a code"),
        "TEXTS": (len(program.texts), "rows of guessbook_texts"),
        "REPEATS": (int(program.repeats), "rows may repeat"),
    }
    return (f"#define GUESSBOOK_{name} {n} /* {what} */" for name, (n, what) in numbers.items())


def _width(texts: Sequence[str]) -> int:
    """Return the size of the longest string in bytes of UTF-8, including a zero byte at the end."""
    return max(len(text.encode()) for text in texts) + 1


def _strings(name: str, texts: Sequence[str]) -> Iterator[str]:
    width = _width(texts)
    per_line = max(1, 2 * PER_LINE // (width + 3))
    return _table(f"char guessbook_{name}[][{width}]", [_literal(text) for text in texts], per_line)


def _table(head: str, values: Sequence[str], count: int) -> Iterator[str]:
    """Yield the lines of a constant C array, with `count` values in each line."""
    yield f"static const {head} GUESSBOOK_FLASH = {{"
    for begin in range(0, len(values), count):
        yield f"{','.join(values[begin : begin + count])},"
    yield "};"


def _type(column: Sequence[int]) -> tuple[str, int]:
    """Return the smallest C integer type for the values of a column, and its size in bytes."""
    most = max(column)
    return next((kind, size) for limit, kind, size in TYPES if most < limit)


def _literal(text: str) -> str:
    r"""Return a string as a C string literal in ASCII.

    >>> print(_literal('a"é?'))
    "a\042\303\251\077"
    """
    # Octal escapes have three digits, so that a digit may follow an escape.
    characters = [chr(byte) for byte in text.encode()]
    safe = [c if c.isascii() and c.isalnum() else f"\\{ord(c):03o}" for c in characters]
    return f'"{"".join(safe)}"'


def _harmless(text: str) -> str:
    """Return up to 80 characters of a string for a C comment, with dots for unusual ones."""
    return "".join([c if c.isascii() and (c.isalnum() or c in "-_ ") else "." for c in text[:80]])

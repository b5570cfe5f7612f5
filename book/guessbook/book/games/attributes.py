"""Attribute games: a guess names a thing; the answer compares its attributes with the secret's."""

import re
from collections.abc import Callable, Hashable
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

from guessbook.book.errors import InvalidGameError, InvalidTableError, quote
from guessbook.book.games.identification import LISTED, UNKNOWN
from guessbook.book.games.sheets import read_sheet
from guessbook.book.games.tables import TableGame, check_size

# The signs in an answer: how an attribute of the secret compares with that of the guess.
EQUAL, PARTLY, HIGHER, LOWER, DIFFERENT = "=~><x"
SIGNS = f"{EQUAL} equal, {PARTLY} partly, {HIGHER} higher, {LOWER} lower, {DIFFERENT} different"

NUMBER = re.compile(r"-?[0-9]{1,30}(\.[0-9]{1,30})?")
SEPARATORS = re.compile(r"[|;,]")

# An attribute in a form that can be compared: a number, the parts of a list, or a text.
Value: TypeAlias = "Fraction | frozenset[str] | str"


def read_attributes(path: Path | str, *, sheet: str | None = None) -> TableGame:
    """Return the game in which things are guessed by their attributes, from a CSV file or a workbook.

    The things are in rows: first the name, then an attribute in each column. A guess names a thing.
    The answer has a sign for each attribute of the secret: `=` equal, `~` partly (lists with common
    parts), `>` higher and `<` lower (numbers) than the attribute of the guess, `x` different. If
    the cells of a column are all numbers, they compare by value. If some cell has `|`, `;` or `,`,
    all cells of the column are lists, whose order does not matter. Case is ignored. A blank cell or
    `?` differs from every known value.

    Args:
        path: a CSV file, with commas, semicolons or tabs; or a workbook (xlsx, xls, ods), which
            needs the extra `sheets`.
        sheet: the name of a sheet in a workbook; the first sheet if None.

    Raises:
        UsageError: the file cannot be read.
        InvalidGameError: things have the same name or equal attributes, a row has a wrong length,
            or the file is too large.
    """
    read = read_sheet(path, sheet)
    things = read.side
    check_size(len(things), len(things))
    texts = [text.casefold() for text in read.texts]
    signs = [_signs([texts[number] for number in column]) for column in read.turned()]
    _check_apart(read.name, things, list(zip(*[keys for keys, _ in signs], strict=True)))
    rows = (
        ["".join(answer) for answer in zip(*[row(keys[k]) for keys, row in signs], strict=True)]
        for k in range(len(things))
    )
    try:
        game = TableGame(things, things, rows, goal="name")
    except InvalidTableError as error:
        read.fail(error.reason, *[read.cell(g if s is None else s, None) for g, s in error.places])
    game.notes.append(f"read {len(things):,} things with {len(read.top)} attributes: {SIGNS}")
    return game


def _signs(texts: list[str]) -> tuple[list[Value], Callable[[Value], list[str]]]:
    """Return the values of an attribute, and a function that compares a guess with all of them."""
    texts = [text or UNKNOWN for text in texts]
    values: list[Value] = list(texts)
    known = [text for text in texts if text != UNKNOWN]
    if all(map(NUMBER.fullmatch, known)):
        values = [Fraction(text) if NUMBER.fullmatch(text) else UNKNOWN for text in texts]
    elif any(map(SEPARATORS.search, known)):
        parts = [frozenset(map(str.strip, SEPARATORS.split(text))) for text in texts]
        values = [some - {"", UNKNOWN} or frozenset([UNKNOWN]) for some in parts]
    found: dict[Hashable, list[str]] = {}

    def signs(guess: Value) -> list[str]:
        if guess not in found:
            found[guess] = [_sign(guess, value) for value in values]
        return found[guess]

    return values, signs


def _sign(guess: Value, secret: Value) -> str:
    if guess == secret:
        return EQUAL
    if isinstance(guess, Fraction) and isinstance(secret, Fraction):
        return HIGHER if secret > guess else LOWER
    if isinstance(guess, frozenset) and isinstance(secret, frozenset) and guess & secret:
        return PARTLY
    return DIFFERENT


def _check_apart(name: str, things: list[str], attributes: list[tuple[Value, ...]]) -> None:
    """Raise InvalidGameError if several things have equal attributes, and name them."""
    groups: dict[tuple[Value, ...], list[str]] = {}
    for thing, known in zip(things, attributes, strict=True):
        groups.setdefault(known, []).append(thing)
    equal = [" and ".join(map(quote, group[:3])) for group in groups.values() if len(group) > 1]
    if equal:
        more = f"; and {len(equal) - LISTED:,} more" if len(equal) > LISTED else ""
        raise InvalidGameError(
            f"{name}: some things have equal attributes ({'; '.join(equal[:LISTED])}{more}); add a "
            "column that tells them apart, or leave out all but one"
        )

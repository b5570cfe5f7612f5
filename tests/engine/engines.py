"""The engine in tests: its variants, its internals, and games in it."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from array import array
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from guessbook.book.errors import EngineError
from guessbook.engine.binding import engine
from guessbook.engine.codes import CodeSearch, CodeTables
from guessbook.engine.costs import Rule
from guessbook.policy.one_step import policy_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.book import Mastermind

# The sources in C; an installation has the library alone.
SOURCES = Path(__file__).parents[2] / "builder" / "guessbook" / "engine"

KINDS: dict[str, Any] = {
    "B": ctypes.c_uint8, "i": ctypes.c_int32, "I": ctypes.c_uint32, "q": ctypes.c_int64,
}  # fmt: skip

# Widths of vectors, and what gcc and clang call the processors that have them.
WIDTHS = {16: "x86-64-v2", 32: "x86-64-v3", 64: "x86-64-v4"}


def variants() -> list[int]:
    """Return the variants of the engine that this machine runs; none where there is no engine."""
    found = []
    for variant in range(3):
        try:
            engine(variant)
        except EngineError:
            break
        found.append(variant)
    return found


VARIANTS = variants()


@cache
def search_of(game: Mastermind, policy: str, variant: int = -1) -> CodeSearch:
    """Return a code game and a one-step policy in the engine."""
    tables = CodeTables(game.pegs, game.colors, game.repeats)
    return CodeSearch(tables, Rule.of(policy_named(policy), game, tables.codes), variant)


def table_of(search: CodeSearch, guesses: array[int], some: array[int]) -> bytes:
    """Return the feedback numbers of all guesses to all of some codes, row by row."""
    starts = array("q", [len(some) * k for k in range(len(guesses) + 1)])
    return bytes(search.feedbacks(guesses, some * len(guesses), starts))


def cells_of(search: CodeSearch, guess: int, some: array[int]) -> list[array[int]]:
    """Return the codes that give each feedback to a guess."""
    answers = table_of(search, array("I", [guess]), some)
    cells = [array("I") for _ in range((search.tables.pegs + 1) ** 2)]
    for code, answer in zip(some, answers, strict=True):
        cells[answer].append(code)
    return cells


def numbers(tables: CodeTables, name: str, kind: str, count: int) -> list[int]:
    """Return a table of a code game as plain numbers."""
    return list((KINDS[kind] * count).from_address(getattr(tables.fields, name)))


def compiled(compiler: str, flags: Sequence[str], source: str, made: Path) -> None:
    """Compile the engine with lines of C behind it."""
    text = made.with_suffix(".c")
    text.write_text(f'#include "engine.c"\n{source}')
    macros = ["-DENGINE=engine_plain", '-DVARIANT="test"', f"-I{SOURCES}"]
    standard = ["-std=c99", "-ffp-contract=off"]
    subprocess.run([compiler, *standard, *macros, *flags, "-o", made, text], check=True)


@cache
def internals(width: int, source: str) -> ctypes.CDLL | None:
    """Return functions in C that call parts of the engine; None where no compiler makes them.

    Args:
        width: of the vectors, 16, 32 or 64 bytes.
        source: the functions, exported by `PUBLIC`.
    """
    compiler = shutil.which("gcc") or shutil.which("clang")
    levels = dict(zip(WIDTHS, range(3), strict=True))
    if compiler is None or levels[width] not in VARIANTS or not (SOURCES / "engine.c").exists():
        return None
    if len(VARIANTS) == 1 and width > 16:
        return None
    made = Path(mkdtemp()) / f"internals{width}.so"
    machine = [f"-march={WIDTHS[width]}"] if len(VARIANTS) > 1 else []
    flags = ["-O1", "-fPIC", "-shared", "-fvisibility=hidden", f"-DLANE_BYTES={width}", *machine]
    flags.append('-DPUBLIC=__attribute__((visibility("default")))')
    compiled(compiler, flags, source, made)
    return ctypes.CDLL(str(made))

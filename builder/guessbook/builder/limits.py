"""What fits: the limits of a build, checked before any work starts."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from guessbook.book.errors import InvalidGameError

if TYPE_CHECKING:
    from guessbook.book.game import Game

__all__ = ["BYTES_PER_CODE", "MAX_CODES", "check_limits"]

# Scores are int64: n * log2(n) in units of 2**-36 overflows beyond this many candidates.
MAX_CODES = 1 << 22

# Peak memory of a build, measured at 6 pegs of 9 and 10 colors (docs/benchmarks.md), rounded up.
BYTES_PER_CODE = 1000


def check_limits(game: Game) -> None:
    """Refuse a game whose build cannot succeed here.

    Raises:
        InvalidGameError: too many codes for the kernels, or for the memory of this machine; the
            message says how many there are and what they would need.
    """
    codes = max(len(game.guesses), len(game.secrets))
    if codes > MAX_CODES:
        raise InvalidGameError(
            f"{game.name} has {codes:,} codes, more than the {MAX_CODES:,} that exact 64-bit "
            "scores allow; take fewer pegs or colors"
        )
    needed = codes * BYTES_PER_CODE
    memory = physical_memory()
    if needed > memory:
        raise InvalidGameError(
            f"{game.name} has {codes:,} codes and needs about {needed / 2**30:.1f} GiB of memory, "
            f"found {memory / 2**30:.1f} GiB; take fewer pegs or colors, or a larger machine"
        )


def physical_memory() -> int:
    """The machine's memory in bytes; a large number where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 1 << 62

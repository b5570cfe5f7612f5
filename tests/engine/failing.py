"""Let each allocation of the engine fail in turn, and print the number of failures per search.

Run it in an installation whose engine is compiled with failing.h.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import TYPE_CHECKING

import guessbook as gb
from guessbook.engine.binding import FOLDER, LIBRARY
from tests.engine.calls import MAX_LEFT, RULES, Codes, Sums
from tests.engine.test_identification import search
from tests.engine.test_sets import one_by_one

if TYPE_CHECKING:
    from collections.abc import Callable

GAME, EVERY = gb.Mastermind(4, 3), list(range(81))
PARTS = [[0, 1, 1], [0, 1, 2]], [[0, 1]] * 3, [0, 1, 2], [1] * 3, 4, RULES["cells"]

SEARCHES: dict[str, Callable[[], object]] = {
    "guesses": lambda: Codes(GAME).guesses([EVERY], [[]]),
    "trees": lambda: Codes(GAME).grow([EVERY], [], 162),
    "lowest": lambda: Codes(GAME).lowest(EVERY, []),
    "scores": lambda: Codes(GAME).scores(EVERY, None, [1] * 15),
    "sums": lambda: Sums(*PARTS).guess([0, 1, 2]),
    "bound": lambda: Sums(*PARTS).told(),
    "scored sums": lambda: Sums(*PARTS).scores([0, 1, 2], [0]),
    "tests": lambda: search(endgame=2, depth=2, width=3).grow(),
    "tests of least cost": lambda: search(endgame=4).cost(100),
    "sets": lambda: one_by_one(5).search().cost(list(range(5)), MAX_LEFT),
}


def main() -> None:
    """Run each search until it succeeds: in run k, only its allocation number k (from 0) fails."""
    library = ctypes.CDLL(str(FOLDER / LIBRARY))
    left, used = (
        ctypes.c_long.in_dll(library, name) for name in ("allocations_left", "blocks_in_use")
    )
    for name, asked in SEARCHES.items():
        failures, found = -1, None
        while found is None:
            failures += 1
            left.value = failures
            with suppress(MemoryError):
                found = asked()
            assert used.value == 0, name
        print(name, failures)


if __name__ == "__main__":
    main()

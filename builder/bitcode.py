"""Write the bitcode that the package brings: `python builder/bitcode.py [FOLDER]`.

To be run after each change of what native kernels are made of; it is the same on every machine of
one kind, for one version of numba.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from guessbook.book import Mastermind
from guessbook.builder import build_book
from guessbook.builder.compiler import bitcode, jit
from guessbook.builder.growth.choice import choose
from guessbook.builder.kernels import pairs
from guessbook.policy.notation import policy_of

# Nothing of this processor, and nothing that was compiled before. numba reads it when it is loaded.
HERE = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}


def main() -> None:
    """Build small books of codes, choose a guess besides, and write what numba made for it."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with TemporaryDirectory() as cache:
        os.environ.update(HERE, NUMBA_CACHE_DIR=cache)
        for path in write(folder):
            print(path)


def write(folder: Path | None) -> list[Path]:
    """Write all bitcode to a folder, by default to that of the package; returns the files."""
    to = folder or bitcode.FOLDER
    to.mkdir(exist_ok=True)
    before = list(to.iterdir())
    made: list[Path] = []

    lowering = jit.lowering()
    lowered = lowering.lowered

    def kept(function: Callable[..., None], kinds: tuple[Any, ...]) -> bitcode.Bitcode:
        """What numba makes, written to a file besides."""
        found: bitcode.Bitcode = lowered(function, kinds)
        made.append(bitcode.write(to, function, kinds, found, version("numba")))
        return found

    lowering.lowered = kept
    bitcode.brought = lambda *_: None
    small, symmetric = Mastermind(3, 3), Mastermind(2, 12)
    for policy in "entropy", "lookahead", "optimal":
        build_book(small, policy)
    build_book(symmetric, "optimal")
    choose(small, [(0, 0)], policy_of("entropy"))
    pairs.search([b"01", b"10"], [0, 1], [0, 0, 2], 1)
    for path in set(before) - set(made):
        path.unlink()
    return made


if __name__ == "__main__":
    main()

"""Fuzzing with coverage guidance: atheris drives the reader with our own mutators.

It needs `pip install atheris`, and runs until it is stopped or told to: `python -m
tests.lies.fuzz_atheris -max_total_time=300`. Options are libFuzzer's. What it finds lands in a file
`crash-*` here, which `python -m tests.lies.fuzz_atheris crash-*` repeats.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

# Nothing of Guessbook is imported here: `main` does that when atheris can instrument it.


def read(blob: bytes) -> None:
    """Read a file; use it if it is a book. Whatever else is raised is a find."""
    from guessbook.book import InvalidBookError
    from guessbook.lookup import open_book
    from tests.lies.fuzz import use

    try:
        book = open_book(blob)
    except InvalidBookError:
        return
    use(book, random.Random(len(blob)))


def mutate(blob: bytes, max_size: int, case: int) -> bytes:
    """A mutant of a file: of its content, sealed anew, or by one of our mutators."""
    import atheris

    from guessbook.book import InvalidBookError
    from guessbook.book.file.compression import decompress
    from tests.helpers.content import seal
    from tests.lies.mutants import MUTATORS
    from tests.lies.seeds import Seed, seeds

    chance = random.Random(case)
    if chance.random() < 0.3:
        small = [seed for seed in seeds() if len(seed.content) < 1000]
        name = chance.choice(sorted(MUTATORS))
        blob = MUTATORS[name](chance.choice(small), chance.choice(small), chance)
    else:
        try:
            content = decompress(blob)
            if chance.random() < 0.3:
                blob = MUTATORS["flip_content"](Seed("", blob, content), seeds()[0], chance)
            else:
                blob = seal(atheris.Mutate(content, max_size))
        except (InvalidBookError, ValueError):  # it has no content, or an empty one
            blob = atheris.Mutate(blob, max_size)
    return blob if len(blob) <= max_size else seeds()[0].blob


def main() -> None:
    """Fuzz the reader until libFuzzer's options say stop."""
    try:
        import atheris
    except ImportError:
        sys.exit("atheris is not installed; get it with: pip install atheris")
    with atheris.instrument_imports(include=["guessbook"]):
        from tests.lies.seeds import seeds

        for seed in seeds():  # which loads the rest
            read(seed.blob)
    with tempfile.TemporaryDirectory() as folder:
        for k, seed in enumerate(seeds()):
            (Path(folder) / f"seed{k}").write_bytes(seed.blob)
        arguments = [*sys.argv, "-max_len=65536", "-timeout=30", "-rss_limit_mb=1024", folder]
        atheris.Setup(arguments, read, custom_mutator=mutate)
        atheris.Fuzz()


if __name__ == "__main__":
    main()

"""Open mutated books that atheris makes, guided by code coverage.

Install atheris, then run `python -m tests.file.fuzz_atheris -max_total_time=300`; the options are
those of libFuzzer. `python -m tests.file.fuzz_atheris crash-*` repeats crashes.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

# Guessbook is not imported here: atheris instruments the imports in `main`.


def read(blob: bytes) -> None:
    """Open a file, and use it if it is a book; atheris reports all other errors."""
    import guessbook as gb
    from tests.file.fuzz import use

    try:
        book = gb.open(blob)
    except gb.InvalidBookError:
        return
    use(book, random.Random(len(blob)))


def mutate(blob: bytes, max_size: int, case: int) -> bytes:
    """Return a file with mutated content, or a file from `mutators`."""
    import atheris
    import zstandard

    from tests.file.mutators import mutant, seeds
    from tests.helpers.content import content_of, seal

    if case % 3 == 0:
        blob = mutant(case)[1]
    else:
        try:
            blob = seal(atheris.Mutate(content_of(blob), max_size))
        except (zstandard.ZstdError, ValueError):  # there is no content
            blob = atheris.Mutate(blob, max_size)
    return blob if len(blob) <= max_size else seal(seeds()[0])


def main() -> None:
    """Fuzz the reader until an option of libFuzzer ends it."""
    try:
        import atheris
    except ImportError:
        sys.exit("atheris is not installed; get it with: pip install atheris")
    with atheris.instrument_imports(include=["guessbook"]):
        from tests.file.mutators import seeds
        from tests.helpers.content import seal

        for content in seeds():  # loads the other modules
            read(seal(content))
    with tempfile.TemporaryDirectory() as folder:
        for number, content in enumerate(seeds()):
            (Path(folder) / f"seed{number}").write_bytes(seal(content))
        limits = ["-max_len=65536", "-timeout=30", "-rss_limit_mb=1024"]
        atheris.Setup([*sys.argv, *limits, folder], read, custom_mutator=mutate)
        atheris.Fuzz()


if __name__ == "__main__":
    main()

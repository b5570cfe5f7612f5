"""Measure the exported C header: bytes of source and tables, and nanoseconds per lookup.

    python benchmarks/export_c.py [BOOK ...]

The default is all shipped books. The script needs gcc and `size`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from guessbook.book.strategy import shipped_books
from guessbook.export.forms import export
from guessbook.front import open_book

# Time the step from each parent to its child, the code of each node, and walks along histories.
PROGRAM = r"""
#include <stdio.h>
#include <time.h>
#include "guess.h"

#define ROUNDS 20

static int32_t parents[GUESSBOOK_NODES];
static int32_t answers[GUESSBOOK_NODES];

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

int main(void)
{
    static char texts[GUESSBOOK_DEPTH][GUESSBOOK_TEXT];
    const char *codes[GUESSBOOK_DEPTH];
    int32_t feedbacks[GUESSBOOK_DEPTH], node, feedback, up;
    char code[GUESSBOOK_TEXT];
    long sum = 0, walks = 0;
    int round, count;
    double start, step, text, walk;
    for (node = 0; node < GUESSBOOK_NODES; node++)
        for (feedback = 0; feedback < GUESSBOOK_SOLVED; feedback++) {
            int32_t child = guessbook_next(node, feedback);
            if (child >= 0) { parents[child] = node; answers[child] = feedback; }
        }
    start = seconds();
    for (round = 0; round < ROUNDS; round++)
        for (node = 1; node < GUESSBOOK_NODES; node++)
            sum += guessbook_next(parents[node], answers[node]) == node;
    step = seconds() - start;
    start = seconds();
    for (round = 0; round < ROUNDS; round++)
        for (node = 1; node < GUESSBOOK_NODES; node++) {
            guessbook_code(node, code);
            sum += code[0];
        }
    text = seconds() - start;
    walk = 0;
    for (node = 1; node < GUESSBOOK_NODES; node += 7) {
        for (count = 0, up = node; up > 0; up = parents[up], count++) {
            guessbook_code(parents[up], texts[count]);
            codes[count] = texts[count];
            feedbacks[count] = answers[up];
        }
        start = seconds();
        for (round = 0; round < 1000; round++) sum += guessbook_walk(codes, feedbacks, count);
        walk += seconds() - start;
        walks += 1000;
    }
    printf("%.0f %.0f %.0f %ld\n", 1e9 * step / ROUNDS / (GUESSBOOK_NODES - 1),
           1e9 * text / ROUNDS / (GUESSBOOK_NODES - 1), 1e9 * walk / (double)walks, sum);
    return 0;
}
"""
SMALL = r"""
#include "guess.h"
volatile int32_t node, feedback;
char code[GUESSBOOK_TEXT];
int main(void) { guessbook_code(guessbook_next(node, feedback), code); return 0; }
"""


def main(sources: list[str]) -> None:
    """Measure each book, and print the table."""
    heads = ["source", "rodata", "code", "next", "code()", "walk"]
    print(f"{'':24}" + "".join(f"{head:>11}" for head in heads))
    for source in sources:
        with tempfile.TemporaryDirectory() as folder:
            print(
                f"{Path(source).stem:24}" + "".join(f"{c:>11}" for c in row(source, Path(folder)))
            )


def row(source: str, folder: Path) -> list[str]:
    """Return the row of a book: bytes of header, constants and code, and three times in ns."""
    text = export(open_book(source), "c")
    (folder / "guess.h").write_text(text, "ascii")
    (folder / "small.c").write_text(SMALL)
    (folder / "main.c").write_text(PROGRAM)
    small = run(folder, "gcc -std=c99 -Os -c small.c -o small.o && size -A small.o")
    sizes = {
        line.split()[0]: int(line.split()[1]) for line in small.splitlines() if line[:1] == "."
    }
    constants = sum(size for name, size in sizes.items() if name.startswith(".rodata"))
    code = sum(size for name, size in sizes.items() if name.startswith(".text"))
    assert sizes.get(".data", 0) == 0, "the header puts something into RAM"
    times = run(folder, "gcc -std=c99 -O2 main.c -o main && ./main").split()[:3]
    return [f"{len(text):,}", f"{constants:,}", f"{code:,}", *[f"{time} ns" for time in times]]


def run(folder: Path, command: str) -> str:
    """Run a shell command, and return its output."""
    return subprocess.run(
        ["sh", "-c", command], cwd=folder, check=True, capture_output=True, text=True
    ).stdout


if __name__ == "__main__":
    main(sys.argv[1:] or shipped_books())

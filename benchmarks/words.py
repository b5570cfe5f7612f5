"""Compare the build of a book of words with the naive C++ search in the same run.

Usage: python benchmarks/words.py [POLICY]

The script needs the lists in ../shared/words, and g++ to compile naive.cpp.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from guessbook.book.games.words import WordGame
from guessbook.builder.build import build
from guessbook.builder.games import word_scorer
from guessbook.front import open_book
from guessbook.policy.registry import policy_of

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = Path(__file__).resolve().parent.parent.parent / "shared" / "words"
ANSWERS = WORDS / "wordle-answers-2315.txt"
GUESSES = WORDS / "wordle-guesses-12972.txt"
NAIVE = Path(__file__).with_name("naive.cpp")
RUNS = 7


def main() -> None:
    """Run both programs in turn, and print the least seconds of each."""
    missing = [str(path) for path in (ANSWERS, GUESSES) if not path.is_file()]
    if missing or shutil.which("g++") is None:
        print(f"skipped, because {', '.join(missing) or 'g++'} is missing")
        return
    policy = sys.argv[1] if len(sys.argv) > 1 else "entropy"
    game = WordGame(ANSWERS.read_text().split(), GUESSES.read_text().split())
    naive, ours, spent, worked = [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "naive"
        subprocess.run(["g++", "-O3", "-march=native", "-o", str(program), str(NAIVE)], check=True)
        for _ in range(RUNS):
            call = [str(program), "words", str(ANSWERS), str(GUESSES), policy]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            out = subprocess.run(call, check=True, capture_output=True, text=True).stdout
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            expected = json.loads(out)
            naive.append(expected["seconds"])
            start, own = time.perf_counter(), time.process_time()
            built = build(game, policy_of(policy))
            ours.append(time.perf_counter() - start)
            worked.append(time.process_time() - own)
            forget()
            assert built.book.stats.total_guesses == expected["total_guesses"]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"reference, one thread            {min(naive):.3f} s")
    print(
        f"Guessbook, all cores             {min(ours):.3f} s, ratio 1/{min(naive) / min(ours):.1f}"
    )
    of_processor = f"{min(spent):.3f} s and {min(worked):.3f} s, 1/{min(spent) / min(worked):.1f}"
    print(f"CPU time of both, and ratio      {of_processor}")
    print(f"peak memory                      {memory} MiB")
    blob = built.book.to_bytes()
    print(f"the book                         {len(blob):,} bytes, {len(built.book.tree):,} nodes")
    print(f"opening it                       {1000 * fastest(lambda: open_book(blob)):.2f} ms")
    book = open_book(blob)
    told = [(book.root.guess, next(iter(book.root.children)))]
    print(f"a hint after one guess           {1e6 * fastest(lambda: book.hint(told)):.0f} us")


def forget() -> None:
    """Clear the cache, so that the next build starts from scratch."""
    word_scorer.cache_clear()


def fastest(call: Callable[[], object]) -> float:
    """The seconds of the fastest of 20 calls."""
    seconds = []
    for _ in range(20):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


if __name__ == "__main__":
    main()

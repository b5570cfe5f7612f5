"""Open many mutated books: each must be rejected or safe to use, as SECURITY.md demands.

Run `python -m tests.file.fuzz --cases 200000 --jobs 2`. A case is a number and can be repeated:
`python -m tests.file.fuzz --only 4711`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import guessbook as gb
from tests.file.mutators import mutant, seeds
from tests.helpers.content import seal

if TYPE_CHECKING:
    from collections.abc import Iterable

# Limits for a case: seconds of processor time, and MiB beyond the peak before the first case.
MAX_SECONDS = 1.0
MAX_MIB = 64
# Seconds after which a case counts as an endless loop; other programs may use the machine, too.
PATIENCE = 60
# MiB of further address space; a case that needs more gets a MemoryError.
HEADROOM = 1024
MAX_MESSAGE = 500


def use(book: gb.Book, chance: random.Random) -> None:
    """Use a book. An error that is not documented means that the book is not safe."""
    known = book.stats
    for value in (book, known, book.game, book.root, book.game.name, *book.policy.values()):
        assert str(value).isprintable()
    nodes = 0
    for node in book.nodes if known.nodes <= 3000 else ():
        nodes += 1
        assert node.guess.isprintable()
        assert node.remaining >= 1
        assert node.entropy >= 0
        assert all(child.index > node.index for child in node.children.values())
    assert nodes in (0, known.nodes)
    if chance.random() < 0.2:
        assert gb.open(book.to_bytes()).stats == known
    # A tree of another game is detected only when a walk contradicts the game.
    node = book.root
    path: list[tuple[str, str]] = []
    while node.children and len(path) < 30 and node.guess not in dict(path):
        feedback = chance.choice(list(node.children))
        path.append((node.guess, str(feedback)))
        node = node.children[feedback]
    with contextlib.suppress(gb.WrongTreeError, gb.InvalidFeedbackError):
        assert book.hint(path).remaining >= 1
    if len(book.game.guesses) <= 30:
        with contextlib.suppress(gb.GuessbookError):
            book.hint(path[-1:])
    if known.total_guesses <= 2000:
        assert [check.name for check in book.verify().checks][:1] == ["secrets"]


def outcome(case: int) -> str:
    """Return the mutator of a case, and "refused" or "used"; or the fault that was found."""
    name, blob = mutant(case)
    try:
        use(gb.open(blob), random.Random(case))
    except gb.InvalidBookError as error:
        fits = 0 < len(str(error)) <= MAX_MESSAGE and str(error).isprintable()
        return f"{name} refused" if fits else f"fault {case}, {name}: {str(error)[:80]!r}"
    except Exception:
        return f"fault {case}, {name}: {traceback.format_exc(limit=-3)}"
    return f"{name} used"


def run(cases: Iterable[int]) -> dict[str, Any]:
    """Return the outcomes of the cases, the slowest case, and the growth of the peak memory."""
    for content in seeds():  # loads all modules
        use(gb.open(seal(content)), random.Random(0))
    found: Counter[str] = Counter()
    slowest, before = (0.0, -1), peak_mib()
    for case in cases:
        signal.alarm(PATIENCE)
        start = time.process_time()
        found[outcome(case)] += 1
        slowest = max(slowest, (time.process_time() - start, case))
        signal.alarm(0)
    return {"seconds": slowest, "mib": peak_mib() - before, "outcomes": dict(found)}


def peak_mib() -> float:
    """Return the most memory that this process has used, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> int:
    """Print the outcomes as JSON; return 1 after a fault, or if a limit is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", type=int, help="one case; its file is written to mutant.book")
    given = parser.parse_args()
    if given.only is not None:
        Path("mutant.book").write_bytes(mutant(given.only)[1])
        given.first, given.cases = given.only, 1
    if given.jobs > 1:
        share = -(-given.cases // given.jobs)
        firsts = range(given.first, given.first + given.cases, share)
        command = [sys.executable, "-m", "tests.file.fuzz", f"--cases={share}"]
        return max(
            [p.wait() for p in [subprocess.Popen([*command, f"--first={k}"]) for k in firsts]]
        )
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + (HEADROOM << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    found = run(range(given.first, given.first + given.cases))
    print(json.dumps(found, indent=1))
    faults = any(key.startswith("fault") for key in found["outcomes"])
    return int(faults or found["seconds"][0] > MAX_SECONDS or found["mib"] > MAX_MIB)


if __name__ == "__main__":
    sys.exit(main())

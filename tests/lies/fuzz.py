"""Books that lie: mutators of book files, and a runner that reads the mutants and uses them.

Run it as `python -m tests.lies.fuzz --cases 200000 --jobs 2`. A case is a number and can be
repeated: `python -m tests.lies.fuzz --only 4711`. What must hold is in SECURITY.md.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from guessbook.book import GuessbookError, InvalidBookError
from guessbook.book.errors import InvalidFeedbackError, WrongTreeError
from guessbook.book.summary import file_facts, table
from guessbook.lookup import open_book
from guessbook.play.proof import check_walks
from guessbook.policy.notation import in_words
from tests.lies.mutants import MUTATORS
from tests.lies.seeds import Seed, seeds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from guessbook.lookup import Book

# What a case may take: processor seconds, and MiB above what the process took before.
MAX_SECONDS = 1.0
MAX_MIB = 64

# The watchdog: seconds by the clock after which a case counts as a loop. Other work may share the
# machine, hence so many.
PATIENCE = 60
# MiB of addresses that a process may take on: a case that needs more gets a MemoryError.
HEADROOM = 1024

# Most nodes are in few books: those are mutated less often.
WEIGHTS = {"mastermind-4x6": 3, "mastermind-5x8": 0.25}
USUAL_WEIGHT = 14.0
# Beyond these an accepted mutant is used less thoroughly: nodes to visit, secrets to play.
MAX_VISITS = 3000
MAX_LIVE = 30
MAX_WALKS = 2000


class Summary(NamedTuple):
    """What came of a run.

    Attributes:
        cases: how many mutants were read.
        refused: how many of them were InvalidBookError.
        used: how many were books, and were used.
        seconds: processor seconds of the slowest case.
        slowest: its number.
        mib: MiB that the process took at most, above what it took before the first case.
        faults: what must not happen, a text each.
        mutators: "name refused" and "name used", with how often.
    """

    cases: int
    refused: int
    used: int
    seconds: float
    slowest: int
    mib: float
    faults: list[str]
    mutators: dict[str, int]


def mutant(case: int, pool: list[Seed]) -> tuple[str, bytes]:
    """The mutator and the file of a case."""
    chance = random.Random(case)
    weights = [WEIGHTS.get(seed.name, USUAL_WEIGHT) for seed in pool]
    (seed,) = chance.choices(pool, weights)
    name = chance.choice(sorted(MUTATORS))
    return f"{name} of {seed.name}", MUTATORS[name](seed, chance.choice(pool), chance)


def use(book: Book, chance: random.Random) -> None:
    """Ask much of a book that was read: whatever it holds, this ends.

    Raises:
        GuessbookError: allowed where a history is asked that the book may not cover.
        AssertionError: the book contradicts itself.
    """
    known = file_facts(book, "mutant.book", 1)
    text = table(known, in_words(book.policy), 80, "ascii")
    assert all(line.isprintable() for line in text.splitlines())
    assert json.dumps(known)
    if len(book.tree) <= MAX_VISITS:
        visit(book)
        if chance.random() < 0.2:
            assert open_book(book.to_bytes()).stats == book.stats
    # A tree that is not that of its game says so where it shows, or has an answer that no secret
    # of a table gives.
    path: list[tuple[str, str]] = []
    with contextlib.suppress(WrongTreeError, InvalidFeedbackError):
        path = descend(book, chance)
        hint = book.hint(path)
        assert hint.remaining >= 1
        assert hint.entropy >= 0
    if len(book.game.guesses) <= MAX_LIVE:
        asked = [(chance.choice(book.game.guesses), chance.choice(path)[1]) for _ in path[:2]]
        with contextlib.suppress(GuessbookError):
            book.hint(asked)
    if book.stats.total_guesses <= MAX_WALKS:
        assert {check.name for check in check_walks(book)} == {
            "secrets",
            "candidates",
            "statistics",
        }


def visit(book: Book) -> None:
    """Walk to every node from the root, and count them."""
    visited, waiting = 0, [book.root]
    while waiting:
        node = waiting.pop()
        visited += 1
        # Labels have lengths of their own.
        assert len(node.guess) == book.game.length or book.game.kind == "table"
        assert node.guess.isprintable()
        assert node.remaining >= 1
        assert node.entropy >= 0
        waiting.extend(node.children.values())
    assert visited == book.stats.nodes


def descend(book: Book, chance: random.Random) -> list[tuple[str, str]]:
    """A random path from the root, as a history that the book covers if no guess comes twice."""
    node = book.root
    path: list[tuple[str, str]] = []
    while (children := node.children) and len(path) < 30:
        feedback = chance.choice(list(children))
        if any(node.guess == guess for guess, _ in path):
            break
        path.append((node.guess, str(feedback)))
        node = children[feedback]
    assert book.get(path) == node
    return path


def run(cases: Iterable[int]) -> Summary:
    """Read the mutants of these cases, use those that are books, and watch what it takes."""
    pool = seeds()
    # What a first use loads and keeps is not the mutants' doing.
    for seed in pool:
        use(open_book(seed.blob), random.Random(0))
    counts: Counter[str] = Counter()
    faults: list[str] = []
    slowest, worst, read = 0.0, -1, 0
    before = peak_mib()
    for case in cases:
        name, blob = mutant(case, pool)
        watch(PATIENCE, _bark)
        start = time.process_time()
        outcome = "refused"
        try:
            use(open_book(blob), random.Random(case))
            outcome = "used"
        except InvalidBookError as error:
            if len(str(error)) > 1000 or not str(error):
                faults.append(f"case {case}, {name}: a message of {len(str(error))} characters")
        except Exception:
            faults.append(f"case {case}, {name}: {traceback.format_exc(limit=-3)}")
        seconds = time.process_time() - start
        watch(0, _bark)
        read += 1
        counts[f"{name.partition(' ')[0]} {outcome}"] += 1
        if seconds > slowest:
            slowest, worst = seconds, case
    refused = sum(n for key, n in counts.items() if key.endswith("refused"))
    return Summary(
        cases=read,
        refused=refused,
        used=read - refused,
        seconds=slowest,
        slowest=worst,
        mib=peak_mib() - before,
        faults=faults,
        mutators=dict(sorted(counts.items())),
    )


def watch(seconds: int, bark: Callable[..., None]) -> None:
    """Have a dog bark after so many seconds; 0 is never. Windows has none."""
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, bark)
        signal.alarm(seconds)


def peak_mib() -> float:
    """The most memory that this process had so far, in MiB; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0.0
    import resource

    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / 1024


def confine() -> None:
    """Take from this process what no case needs: more addresses (Linux), and the builder."""
    sys.modules["guessbook.builder.choice"] = None  # type: ignore[assignment]
    if sys.platform == "win32":
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + (HEADROOM << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def spread(cases: int, first: int, jobs: int) -> Summary:
    """The same in several processes, each with its limits."""
    shares = [cases // jobs + (k < cases % jobs) for k in range(jobs)]
    workers = []
    for share in shares:
        command = [sys.executable, "-m", "tests.lies.fuzz", f"--cases={share}", f"--first={first}"]
        workers.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        first += share
    outputs = [worker.communicate()[0] for worker in workers]
    parts = [Summary(**json.loads(output)) for output in outputs if output]
    faults = [f"a process ended with {w.returncode}" for w in workers if w.returncode not in (0, 1)]
    slowest = max(parts, key=lambda part: part.seconds)
    counts: Counter[str] = sum((Counter(part.mutators) for part in parts), Counter())
    return Summary(
        cases=sum(part.cases for part in parts),
        refused=sum(part.refused for part in parts),
        used=sum(part.used for part in parts),
        seconds=slowest.seconds,
        slowest=slowest.slowest,
        mib=max(part.mib for part in parts),
        faults=[*faults, *(fault for part in parts for fault in part.faults)],
        mutators=dict(sorted(counts.items())),
    )


def main() -> int:
    """Print the summary of a run as JSON; 1 if anything happened that must not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", type=int, help="one case, whose file goes to mutant.book")
    options = parser.parse_args()
    if options.only is not None:
        _, blob = mutant(options.only, seeds())
        Path("mutant.book").write_bytes(blob)
        options.cases, options.first = 1, options.only
    if options.jobs > 1:
        summary = spread(options.cases, options.first, options.jobs)
    else:
        confine()
        summary = run(range(options.first, options.first + options.cases))
    print(json.dumps(summary._asdict(), indent=1))
    return bool(summary.faults or summary.seconds > MAX_SECONDS or summary.mib > MAX_MIB)


def _bark(*_: Any) -> None:
    raise TimeoutError(f"no end after {PATIENCE} seconds")


if __name__ == "__main__":
    sys.exit(main())

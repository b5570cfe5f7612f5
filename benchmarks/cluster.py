"""Compare a cluster of two worker processes with two threads.

    python -m benchmarks.cluster [ROUNDS [CASE ...]]

The default is three rounds of all cases. The script starts a Dask scheduler and two workers with
one thread each on loopback. Threads and workers build the same book in turn. The fastest round
counts, because other programs can only slow a round down. All books must be equal; the table says
if they differ.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from typing import Any, NamedTuple

from guessbook.book.games.codes import Mastermind
from guessbook.builder.build import build
from guessbook.builder.cluster import connect
from guessbook.builder.limits import Resources
from guessbook.policy.registry import policy_of
from tests.helpers import dask_cluster

CASES: dict[str, tuple[Mastermind, Any]] = {
    "6x10": (Mastermind(6, 10), "entropy"),
    "5x8": (Mastermind(5, 8), {"name": "rollout", "width": 50}),
    "4x9": (Mastermind(4, 9), "optimal"),
}
# Two workers should be at least 0.75 times as fast as two threads.
WANTED = 0.75


class Taken(NamedTuple):
    """The times of a build, and its book.

    Attributes:
        seconds: the elapsed time.
        here: processor seconds of this process.
        scheduler: processor seconds of the scheduler.
        workers: processor seconds of all workers.
        book: the bytes of the book.
    """

    seconds: float
    here: float
    scheduler: float
    workers: float
    book: bytes


def main() -> None:
    """Measure the cases, and print a table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    print(f"{'':<10}{'2 threads':>12}{'2 workers':>12}{'ratio':>8}   wanted: {WANTED}")
    with dask_cluster.cluster(2) as two:
        client = connect(two.address)
        for name in sys.argv[2:] or CASES:
            report(name, client, two.address, rounds)
        client.close()


def report(name: str, client: Any, address: str, rounds: int) -> None:
    """Build the book of a case with threads and workers in turn, and print the times."""
    ways = {"threads": Resources(2), "workers": Resources(scheduler=address)}
    taken: dict[str, list[Taken]] = {way: [] for way in ways}
    for turn in range(rounds):
        for way, resources in ways.items():
            taken[way].append(measured(name, resources, client))
            one = taken[way][-1]
            print(
                f"  {name}, round {turn + 1}: 2 {way} {one.seconds:.2f} s; of processors "
                f"{one.here:.2f} s here, {one.scheduler:.2f} s scheduler, "
                f"{one.workers:.2f} s workers; load {os.getloadavg()[0]:.1f}"
            )
    books = {one.book for some in taken.values() for one in some}
    threads, workers = (min(one.seconds for one in taken[way]) for way in ways)
    same = "" if len(books) == 1 else "   BOOKS DIFFER"
    print(f"{name:<10}{threads:>10.2f} s{workers:>10.2f} s{threads / workers:>8.2f}{same}")


def measured(name: str, resources: Resources, client: Any) -> Taken:
    """Build the book of a case, and measure its times."""

    def processors() -> tuple[float, float, float]:
        own = resource.getrusage(resource.RUSAGE_SELF)
        workers = sum(client.run(time.process_time).values())
        return own.ru_utime + own.ru_stime, client.run_on_scheduler(time.process_time), workers

    game, policy = CASES[name]
    before, start = processors(), time.perf_counter()
    book = build(game, policy_of(policy), resources=resources).book
    seconds = time.perf_counter() - start
    here, there, workers = (after - then for after, then in zip(processors(), before, strict=True))
    return Taken(seconds, here, there, workers, book.to_bytes())


if __name__ == "__main__":
    main()

"""What a cluster costs and what it saves: the overhead of a task, and builds with 1 and 2 workers.

    python -m benchmarks.cluster [PEGS COLORS [ROUNDS]]

5 pegs and 8 colors, 5 rounds, if left out. Starts a Dask scheduler and two workers of one thread
each on loopback. Builds that are compared run in turns; of each the fastest counts, because on so
few cores everything else that runs slows it. All books must be equal.
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import TYPE_CHECKING, Any

from guessbook.book import Mastermind
from guessbook.builder.executors.cluster import cluster
from guessbook.builder.growth.build import Means, build
from tests.helpers import dask_cluster

if TYPE_CHECKING:
    from concurrent.futures import Executor

EMPTY_TASKS = 500


def main() -> None:
    """Print the report."""
    numbers = [int(argument) for argument in sys.argv[1:]]
    pegs, colors = numbers[:2] or (5, 8)
    rounds = numbers[2] if len(numbers) > 2 else 5
    game = Mastermind(pegs, colors)
    with dask_cluster.cluster(1) as one, dask_cluster.cluster(2) as two:
        with cluster(two.address) as executor:
            print(f"an empty message, one after the other  {alone(executor):8.2f} ms")
            build, scheduler, workers = together(executor)
            print(
                f"of each of {EMPTY_TASKS} at once: the build's processor {build:.2f} ms, "
                f"the scheduler's {scheduler:.2f} ms, the workers' {workers:.2f} ms"
            )
        ways: dict[str, tuple[int | None, str | None]] = {
            "1 thread here": (1, None),
            "1 worker": (None, one.address),
            "2 threads here": (2, None),
            "2 workers": (None, two.address),
        }
        report(game, ways, rounds)


def alone(executor: Executor) -> float:
    """Milliseconds that a task of no work takes if the next waits for it; the median."""
    times = []
    for _ in range(EMPTY_TASKS):
        start = time.perf_counter()
        executor.submit(len, ()).result()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def together(executor: Any) -> tuple[float, float, float]:
    """Milliseconds that each of many empty tasks takes: of processors here, there, and there."""
    client = executor._client

    def processors() -> tuple[float, float, float]:
        workers = sum(client.run(time.process_time).values())
        return time.process_time(), client.run_on_scheduler(time.process_time), workers

    before = processors()
    for future in [executor.submit(len, ()) for _ in range(EMPTY_TASKS)]:
        future.result()
    here, there, workers = (
        (after - then) / EMPTY_TASKS * 1e3 for then, after in zip(before, processors(), strict=True)
    )
    return here, there, workers


def report(game: Mastermind, ways: dict[str, tuple[int | None, str | None]], rounds: int) -> None:
    """Build the book in each way, in turns, and print the best times."""
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    books = set()
    # In the first round the kernels are loaded: it does not count.
    for turn in range(rounds + 1):
        for way, (jobs, scheduler) in ways.items():
            start = time.perf_counter()
            built = build(game, means=Means(jobs, scheduler))
            if turn:
                seconds[way].append(time.perf_counter() - start)
            books.add(built.book.to_bytes())
    print(f"{game.name}: {sum(built.pairs):,} pairs, the same book from all: {len(books) == 1}")
    first = min(next(iter(seconds.values())))
    for way, times in seconds.items():
        print(f"{way:<16} {min(times):8.2f} s  {first / min(times):5.2f} times as fast")


if __name__ == "__main__":
    main()

"""How a build gets on with more cores than there are here: its tasks, measured and replayed.

    python -m benchmarks.scale                 replay docs/scaling.json, draw docs/scaling.svg
    python -m benchmarks.scale --record 6x9    build this game, and keep what each task takes

A build is a row of phases: the guesses of a level of large nodes are begun, then searched in parts,
level by level, and then come the tasks below. Within a phase all may run side by side. Between them
the build splits the nodes, in one process. Replayed are the bundles that the builder would send to
so many cores, each with the seconds that its tasks took here, what a message costs, and the time
that its candidates take on the network; the scheduler hands out one message after the other.
"""

from __future__ import annotations

import argparse
import heapq
import json
import math
import time
from collections import Counter
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any, NamedTuple

from guessbook.book import Mastermind
from guessbook.builder import warm_up
from guessbook.builder.growth.division import BUNDLES, bundles
from guessbook.builder.growth.frontier import Job, grow_tree
from guessbook.builder.growth.limits import MEMORY
from guessbook.builder.scorers.scorer import scorer_of
from guessbook.policy.notation import policy_of

ROOT = Path(__file__).resolve().parent.parent
STORE, PICTURE = ROOT / "docs" / "scaling.json", ROOT / "docs" / "scaling.svg"
CORES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

# Seconds: what a message keeps its worker, and the scheduler, and bytes a second of the network.
# Of `python -m benchmarks.cluster`: 11 ms for a task alone, 3.4 for one of many, all on two cores.
WORKER, NETWORK = 0.004, 1e8
SCHEDULER = {"of 0.2 ms": 0.0002, "of 3.4 ms": 0.0034}


class Task(NamedTuple):
    """A task: its microseconds, and how many candidates it was sent; two digits of each."""

    micros: int
    candidates: int


class Recorder(Executor):
    """Runs tasks at once, one at a time, and keeps what each takes.

    Attributes:
        phases: the tasks of each phase.
        threads: for the builder: as many as make bundles of one task.
        inside: the seconds of all tasks.
    """

    def __init__(self) -> None:
        self.phases: list[list[Task]] = []
        self.threads = 1 << 20
        self.inside = 0.0
        self._kind = ""

    def submit(self, task: Any, /, *arguments: Any, **_: Any) -> Future[Any]:
        """Run a task of one item; one of another kind begins a phase."""
        (item,) = arguments[1]
        batch = item if hasattr(item, "candidates") else item[0]
        kind = task.__name__ + (str(batch.depth[0]) if batch is not item else "")
        if kind != self._kind:
            self._kind = kind
            self.phases.append([])
        start = time.process_time()
        result = task(*arguments)
        seconds = time.process_time() - start
        self.inside += seconds
        size = len(batch.candidates)
        self.phases[-1].append(Task(rounded(seconds * 1e6), rounded(size)))
        future: Future[Any] = Future()
        future.set_result(result)
        return future


def recorded(game: Mastermind) -> dict[str, Any]:
    """The phases of a build, and the seconds that its own process takes between them."""
    warm_up(game)
    # What each process makes for itself before it begins.
    scorer_of(game, policy_of("entropy"), MEMORY)
    recorder = Recorder()
    start = time.process_time()
    grown = grow_tree(recorder, Job(game, policy_of("entropy"), None), lambda _: None)
    alone = time.process_time() - start - recorder.inside
    return {
        "alone": round(alone, 3),
        "chain": grown.chain / int(grown.pairs.sum()),
        "phases": [
            [[*task, count] for task, count in sorted(Counter(phase).items())]
            for phase in recorder.phases
        ],
    }


def rounded(number: float) -> int:
    """A number with two digits."""
    return int(float(f"{number:.1e}"))


def tasks_of(phase: list[list[int]]) -> list[Task]:
    """The tasks of a phase as it is kept: those that are alike with their number."""
    return [Task(micros, size) for micros, size, count in phase for _ in range(count)]


def replay(record: dict[str, Any], cores: int, scheduler: float) -> float:
    """The seconds that a build takes with so many cores."""
    total = float(record["alone"])
    for phase in record["phases"]:
        tasks = tasks_of(phase)
        free = [0.0] * cores
        sent = done = 0.0
        for bundle in bundles([task.candidates for task in tasks], cores * BUNDLES):
            sent += scheduler
            begin = max(heapq.heappop(free), sent)
            content = sum(4 * tasks[index].candidates for index in bundle)
            seconds = sum(tasks[index].micros for index in bundle) / 1e6
            end = begin + WORKER + content / NETWORK + seconds
            done = max(done, end)
            heapq.heappush(free, end)
        total += done
    return float(total)


def work(record: dict[str, Any]) -> float:
    """The seconds that a build takes with one core and no messages."""
    micros = sum(task.micros for phase in record["phases"] for task in tasks_of(phase))
    return float(record["alone"]) + micros / 1e6


WIDTH, HEIGHT, LEFT, TOP, GAP = 300, 220, 56, 40, 80
INKS = ("#1b6ca8", "#c05a1c", "#2f7d4f")


def drawn(records: dict[str, Any]) -> str:
    """Speed-up and efficiency by the number of cores, as SVG; dashed with the slow scheduler."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * (LEFT + WIDTH) + GAP} '
        f'{TOP + HEIGHT + 48}" font-family="sans-serif" font-size="12" fill="#444">',
        "<title>How many times as fast with more cores, replayed</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for side, title in enumerate(("times as fast as one core", "of the cores at work, %")):
        x = LEFT + side * (WIDTH + LEFT + GAP // 2)
        lines.append(f'<text x="{x}" y="{TOP - 16}">{title}</text>')
        for cores in (1, 10, 100, 1000):
            at = x + place(cores, WIDTH)
            lines.append(f'<path d="M{at} {TOP}v{HEIGHT}" stroke="#ddd"/>')
            lines.append(
                f'<text x="{at}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{cores}</text>'
            )
            share = cores if not side else {1: 0, 10: 33, 100: 67, 1000: 100}[cores]
            up = (
                TOP
                + HEIGHT
                - (place(cores, HEIGHT) if not side else round(share / 100 * HEIGHT, 1))
            )
            lines.append(f'<text x="{x - 8}" y="{up + 4}" text-anchor="end">{share}</text>')
        for (name, record), ink in zip(sorted(records.items()), INKS, strict=False):
            for dash, seconds in zip(
                ("", ' stroke-dasharray="4 3"'), SCHEDULER.values(), strict=True
            ):
                points = []
                for cores in CORES:
                    times = work(record) / replay(record, cores, seconds)
                    up = place(max(times, 1), HEIGHT) if not side else times / cores * HEIGHT
                    points.append(f"{x + place(cores, WIDTH)},{round(TOP + HEIGHT - up, 1)}")
                lines.append(
                    f'<polyline points="{" ".join(points)}" fill="none" stroke="{ink}" '
                    f'stroke-width="2"{dash}><title>{name}</title></polyline>'
                )
    for row, ((name, _), ink) in enumerate(zip(sorted(records.items()), INKS, strict=False)):
        at = LEFT + 90 * row
        lines.append(f'<text x="{at}" y="{TOP + HEIGHT + 40}" fill="{ink}">{name}</text>')
    dashed = f"dashed: a scheduler {list(SCHEDULER)[1]} a message"
    lines.append(f'<text x="{LEFT + 300}" y="{TOP + HEIGHT + 40}">cores; {dashed}</text>')
    return "\n".join([*lines, "</svg>", ""])


def place(value: float, length: int) -> float:
    """Where a number of 1 to 1,000 lies on an axis, by its logarithm."""
    along: float = math.log10(value) / 3 * length
    return round(along, 1)


def main() -> None:
    """Record, or replay and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", metavar="GAME", action="append", default=[])
    options = parser.parse_args()
    records: dict[str, Any] = json.loads(STORE.read_text("utf-8")) if STORE.is_file() else {}
    for name in options.record:
        pegs, colors = map(int, name.split("x"))
        records[name] = recorded(Mastermind(pegs, colors))
        STORE.write_text(json.dumps(records, separators=(",", ":")) + "\n", "utf-8")
    print(
        "| game | seconds of one core | tasks | longest chain | a message | "
        + " | ".join(f"{cores:,}" for cores in CORES)
        + " |"
    )
    print("|---" * (5 + len(CORES)) + "|")
    for name, record in sorted(records.items()):
        one = work(record)
        tasks = sum(len(tasks_of(phase)) for phase in record["phases"])
        for kind, seconds in SCHEDULER.items():
            times = [f"{one / replay(record, cores, seconds):.1f}" for cores in CORES]
            print(
                f"| {name} | {one:.0f} | {tasks:,} | {record['chain']:.2%} | {kind} | "
                + " | ".join(times)
                + " |"
            )
    PICTURE.write_text(drawn(records), "utf-8")


if __name__ == "__main__":
    main()

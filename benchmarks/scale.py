"""How a build gets on with more cores than there are here: its tasks, measured and replayed.

    python -m benchmarks.scale                 replay docs/scaling.json, draw docs/scaling.svg
    python -m benchmarks.scale --record 6x9    build this game, and keep what each task takes

Replayed are the messages that the builder would send to so many cores, made by its own queue: what
is ready is dealt out, and what a task finds makes more ready. One after the other go: what the
building process does with what it is told, what the scheduler does for a message, the bytes on the
network, and what of the tasks of a worker is Python, not kernels, under the lock of its process.
"""

from __future__ import annotations

import argparse
import heapq
import json
import pickle
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.scale_picture import Speeds, drawn
from guessbook.book import Mastermind
from guessbook.builder import build_book
from guessbook.builder.executors.cluster import packed, unpacked
from guessbook.builder.growth.frontier import Growth, Job
from guessbook.builder.growth.limits import MEMORY
from guessbook.builder.growth.queue import (
    UNDER_WAY,
    Item,
    Queue,
    Unit,
    message_of,
    run_units,
    tell,
)
from guessbook.builder.growth.splits import ROOT
from guessbook.builder.kernels import orbits, trees
from guessbook.builder.scorers.scorer import scorer_of
from guessbook.policy.notation import policy_of

ROOT_FOLDER = Path(__file__).resolve().parent.parent
STORE = ROOT_FOLDER / "docs" / "scaling.json"
PICTURE = ROOT_FOLDER / "docs" / "scaling.svg"
CORES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

# Threads of a worker, where there are as many cores; and bytes a second of the network.
THREADS, NETWORK = 8, 1e8


class Costs(NamedTuple):
    """What a message costs: seconds of the build, of the scheduler and of the worker."""

    client: float
    scheduler: float
    worker: float


# Of `python -m benchmarks.cluster`: processor time of each, on two cores that were not idle. Dask
# says of its scheduler that it takes 0.2 ms.
COSTS = {
    "as Dask says": Costs(0.0002, 0.0002, 0.001),
    "as measured": Costs(0.0010, 0.0017, 0.0029),
}


KINDS = ("run_probes", "run_parts", "run_growth", "run_splits")
SPLIT = KINDS.index("run_splits")


class Group(NamedTuple):
    """Items of a build that make others ready when all of them are finished.

    Attributes:
        kind: of task, see `KINDS`.
        size: candidates of each.
        weight: of each.
        micros: that each takes.
        above: the group whose end made these ready; -1 for the root.
    """

    kind: int
    size: int
    weight: float
    micros: list[int]
    above: int


@contextmanager
def timed_kernels() -> Iterator[list[float]]:
    """Count the seconds inside kernels, of those that are loaded."""
    inside = [0.0]

    def timed(call: Any) -> Any:
        def run(*values: Any) -> Any:
            start = time.process_time()
            result = call(*values)
            inside[0] += time.process_time() - start
            return result

        return run

    natives = (trees.answer, trees.grow_trees, trees.split_nodes, orbits.find_stabilizer)
    loaded = [native._entries for native in natives]
    for native in natives:
        native._entries = {kinds: timed(call) for kinds, call in native._entries.items()}
    try:
        yield inside
    finally:
        for native, entries in zip(natives, loaded, strict=True):
            native._entries = entries


class Recorder:
    """Builds a game in this thread, an item or a few after the other, and keeps what each takes.

    Attributes:
        groups: what was built.
        python: seconds of the items of each kind, outside of kernels and in all.
        answers: what came of each item.
    """

    def __init__(self, game: Mastermind) -> None:
        self.job = Job(game, policy_of("entropy"), None)
        self.groups: list[Group] = []
        self.python = [[0.0, 0.0] for _ in KINDS]
        self.answers: dict[Hashable, Any] = {}
        self._group_of: dict[int, int] = {}

    def record(self) -> dict[str, Any]:
        """Build, and what is to be kept of it."""
        growth = Growth(self.job, lambda _: None, None)
        queue = growth.queue
        self._ready(queue, -1)
        with timed_kernels() as inside:
            while len(queue):
                # As if there were many: a message for each unit.
                for unit in queue.take(1, 1 << 30):
                    self._run(queue, unit, inside)
        start = time.process_time()
        grown = growth.grown()
        last = time.process_time() - start
        return {
            "chain": grown.chain / sum(grown.pairs),
            "last": round(last, 4),
            "python": [round(outside / every, 3) for outside, every in self.python],
            **self._again(),
            "groups": self.groups,
        }

    def _run(self, queue: Queue, unit: Unit, inside: list[float]) -> None:
        """Do a unit, and tell what came of it."""
        begun, kernels = time.process_time(), inside[0]
        (results,) = run_units(self.job, [message_of(unit)])
        seconds = time.process_time() - begun
        kind = kind_of(unit[0])
        self.python[kind][0] += seconds - (inside[0] - kernels)
        self.python[kind][1] += seconds
        weights = sum(item.weight for item in unit)
        for item, result in zip(unit, results, strict=True):
            group = self._group_of.pop(id(item))
            self.answers[key_of(item)] = result
            item.then(result)
            micros = rounded(seconds * item.weight / weights * 1e6)
            self.groups[group].micros.append(micros)
            self._ready(queue, group)

    def _again(self) -> dict[str, list[float]]:
        """Build from what came of each item, in messages for a hundred cores.

        Nothing else is done here, as in a building process whose workers are elsewhere.

        Returns:
            Of an item of each kind: seconds in which the building process is told what came of it,
            and in which it packs and unpacks; those in which the worker does; and bytes.
        """
        queue, clock = Growth(self.job, lambda _: None, None).queue, time.process_time
        items, content, told = ([0.0] * len(KINDS) for _ in range(3))
        here = there = sent = 0.0
        while len(queue):
            start = clock()
            units = queue.take(THREADS, 100 // THREADS)
            message = packed([message_of(unit) for unit in units])
            here += clock() - start
            found = [[self.answers.pop(key_of(item)) for item in unit] for unit in units]
            start = clock()
            unpacked(message)
            answer = packed(found)
            there += clock() - start
            start = clock()
            found = unpacked(answer)
            here += clock() - start
            sent += len(message) + len(answer)
            for unit, results in zip(units, found, strict=True):
                kind = kind_of(unit[0])
                items[kind] += len(unit)
                content[kind] += len(pickle.dumps((message_of(unit), results)))
                start = clock()
                tell([unit], [results])
                told[kind] += clock() - start
        # Of all kinds each byte takes the same.
        shares = [size / sum(content) / count for size, count in zip(content, items, strict=True)]
        return {
            "told": [round(time / count, 7) for time, count in zip(told, items, strict=True)],
            "here": [round(here * share, 7) for share in shares],
            "there": [round(there * share, 7) for share in shares],
            "bytes": [round(sent * share) for share in shares],
        }

    def _ready(self, queue: Queue, above: int) -> None:
        """Note what has become ready: parts of a search as one group."""
        parts = -1
        for _, _, item in queue._heap[:]:
            if id(item) in self._group_of:
                continue
            kind = kind_of(item)
            if kind != 1 or parts < 0:
                self.groups.append(Group(kind, item.size, round(item.weight, 3), [], above))
            if kind == 1:
                parts = len(self.groups) - 1
            self._group_of[id(item)] = len(self.groups) - 1


def kind_of(item: Item) -> int:
    """The kind of an item's task."""
    return KINDS.index(item.task.__name__)


def key_of(item: Item) -> Hashable:
    """What tells an item from all others."""
    return item.task, item.nodes, item.more


def recorded(game: Mastermind) -> dict[str, Any]:
    """What a build consists of."""
    # What each process makes for itself before it begins: kernels, also those of large nodes.
    build_book(Mastermind(5, 8))
    scorer_of(game, policy_of("entropy"), MEMORY)
    return Recorder(game).record()


def rounded(number: float) -> int:
    """A number with two digits."""
    return int(float(f"{number:.1e}"))


class Worker:
    """A simulated worker: when its threads and its lock are free, and when it has each split."""

    def __init__(self, threads: int) -> None:
        self.free = [0.0] * threads
        self.lock = 0.0
        self.under_way = 0
        self.split = {-1: 0.0}


class Replay:
    """A build with so many simulated cores.

    Args:
        record: of the build.
        cores: in workers of so many
        threads: each.
        costs: of a message.

    Attributes:
        messages: how many were sent.
    """

    def __init__(self, record: dict[str, Any], cores: int, threads: int, costs: Costs) -> None:
        self.record, self.costs = record, costs
        self.groups = [Group(*group) for group in record["groups"]]
        self.next: list[list[int]] = [[] for _ in self.groups]
        for number, group in enumerate(self.groups):
            if group.above >= 0:
                self.next[group.above].append(number)
        self.due = [len(group.micros) for group in self.groups]
        self.threads = min(cores, threads)
        self.workers = [
            Worker(min(self.threads, cores - first)) for first in range(0, cores, self.threads)
        ]
        # As `work_off` has it.
        self.mean = cores // len(self.workers)
        self.queue = Queue()
        self.host = self.agent = self.wire = 0.0
        self.messages = 0
        self.events: list[tuple[float, int, Worker, list[Unit]]] = []

    def seconds(self) -> float:
        """How long it takes."""
        self._ready(0)
        while len(self.queue) or self.events:
            while len(self.queue) and len(self.events) < UNDER_WAY * len(self.workers):
                self._send(self.queue.take(self.mean, len(self.workers)))
            end, _, worker, units = heapq.heappop(self.events)
            worker.under_way -= 1
            self.host = max(self.host, end)
            for unit in units:
                for item in unit:
                    self._finished(item.more[0])
        return self.host + float(self.record["last"])

    def _ready(self, number: int) -> None:
        stand_ins: Any = KINDS
        group = self.groups[number]
        for micros in group.micros:
            more = (number, micros / 1e6)
            self.queue.push(
                Item(stand_ins[group.kind], ROOT, more, group.size, group.weight, lambda _: None)
            )

    def _finished(self, number: int) -> None:
        self.due[number] -= 1
        kind = self.groups[number].kind
        self.host += self.record["told"][kind] + self.record["here"][kind]
        if not self.due[number]:
            for ready in self.next[number]:
                self._ready(ready)

    def _send(self, units: list[Unit]) -> None:
        """Send a message to the worker with the least to do; it is done in the order of events."""
        self.messages += 1
        items = [item for unit in units for item in unit]
        kinds = [self.groups[item.more[0]].kind for item in items]
        self.host += self.costs.client
        self.agent = max(self.agent, self.host) + self.costs.scheduler
        content = sum(self.record["bytes"][kind] for kind in kinds)
        self.wire = max(self.wire, self.agent) + content / NETWORK
        worker = min(self.workers, key=lambda one: (one.under_way, min(one.free)))
        worker.under_way += 1
        end = begin = self.wire + self.costs.worker
        for unit in units:
            kind = self.groups[unit[0].more[0]].kind
            needed, ready = self._splits(worker, unit)
            split = sum(self.groups[number].micros[0] / 1e6 for number in needed)
            packing = len(unit) * self.record["there"][kind]
            seconds = sum(item.more[1] for item in unit)
            every = packing + seconds + split
            python = (
                packing
                + seconds * self.record["python"][kind]
                + split * self.record["python"][SPLIT]
            )
            start = max(begin, ready, heapq.heappop(worker.free))
            worker.split.update(dict.fromkeys(needed, start + split))
            worker.lock = max(worker.lock, start) + python
            done = worker.lock + every - python
            heapq.heappush(worker.free, done)
            end = max(end, done)
        heapq.heappush(self.events, (end, self.messages, worker, units))

    def _splits(self, worker: Worker, unit: Unit) -> tuple[list[int], float]:
        """The splits that a worker has to make for a unit, and when it has those under way."""
        needed, ready = [], 0.0
        for item in unit:
            above = self.groups[item.more[0]].above
            while above not in worker.split and above not in needed:
                if self.groups[above].kind == SPLIT:
                    needed.append(above)
                above = self.groups[above].above
            ready = max(ready, worker.split.get(above, 0.0))
        return needed, ready


def work(record: dict[str, Any]) -> float:
    """The seconds that a build takes with one core and no messages."""
    seconds = float(record["last"])
    for group in (Group(*group) for group in record["groups"]):
        seconds += sum(group.micros) / 1e6 + len(group.micros) * record["told"][group.kind]
    return seconds


def speeds(record: dict[str, Any]) -> Speeds:
    """How many times as fast the build is with more cores."""
    one = work(record)
    return {
        kind: [(cores, one / Replay(record, cores, THREADS, costs).seconds()) for cores in CORES]
        for kind, costs in COSTS.items()
    }


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
    head = ["game", "seconds of one core", "tasks", "longest chain", "a message"]
    print("| " + " | ".join(head + [f"{cores:,}" for cores in CORES]) + " |")
    print("|---" * (len(head) + len(CORES)) + "|")
    games = {name: speeds(record) for name, record in sorted(records.items())}
    for name, record in sorted(records.items()):
        tasks = sum(len(Group(*group).micros) for group in record["groups"])
        facts = f"{name} | {work(record):.1f} | {tasks:,} | {record['chain']:.2%}"
        for kind, speed in games[name].items():
            print(
                f"| {facts} | {kind} | " + " | ".join(f"{times:.1f}" for _, times in speed) + " |"
            )
    PICTURE.write_text(drawn(games), "utf-8")


if __name__ == "__main__":
    main()

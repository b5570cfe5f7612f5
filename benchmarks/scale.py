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
from pathlib import Path
from typing import Any, NamedTuple, cast

from benchmarks.scale_picture import Speeds, drawn
from benchmarks.scale_record import KINDS, SPLIT, TASK, THREADS, WHOLE, Group, recorded
from guessbook.book import Mastermind
from guessbook.builder.executors.cluster import worth
from guessbook.builder.growth.queue import Item, Queue, Unit, most_candidates, most_under_way
from guessbook.builder.growth.splits import ROOT

ROOT_FOLDER = Path(__file__).resolve().parent.parent
STORE = ROOT_FOLDER / "docs" / "scaling.json"
PICTURE = ROOT_FOLDER / "docs" / "scaling.svg"
CORES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

# Bytes a second of the network.
NETWORK = 1e8


class Costs(NamedTuple):
    """What a message costs: seconds of the build, of the scheduler and of the worker."""

    client: float
    scheduler: float
    worker: float


# Of `python -m benchmarks.cluster`: processor time of each, for messages of 500 at once. Dask says
# of its scheduler that it takes 0.2 ms.
COSTS = {
    "as Dask says": Costs(0.0002, 0.0002, 0.001),
    "as measured": Costs(0.00045, 0.0008, 0.00105),
}


class Load(NamedTuple):
    """What an item stands for.

    Attributes:
        group: its number.
        kind: of task.
        seconds: that it takes.
        results: how many there are for it of tasks of that kind; of a large node that is one item,
            of tasks below it.
    """

    group: int
    kind: int
    seconds: float
    results: int


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
        cores: in workers of as nearly the same number of
        threads: as there can be, at most so many.
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
        # How many tasks there are below each.
        self.tasks = [int(group.kind == TASK) for group in self.groups]
        for one in range(len(self.groups) - 1, 0, -1):
            self.tasks[self.groups[one].above] += self.tasks[one]
        # Candidates that are not finished.
        self.left, self.cores = self.groups[0].size, cores
        number = -(-cores // threads)
        self.workers = [Worker((cores + one) // number) for one in range(number)]
        # As `work_off` has it.
        self.mean = cores // len(self.workers)
        self.queue = Queue(record["largest"])
        self.host = self.agent = self.wire = 0.0
        self.messages = 0
        self.events: list[tuple[float, int, Worker, list[Unit]]] = []

    def seconds(self) -> float:
        """How long it takes."""
        self._ready(0)
        while self.queue or self.events:
            number = len(self.workers)
            while self.queue and len(self.events) < most_under_way(self.mean) * number:
                self._send(self.queue.take(self.mean, number, worth(number, self.mean)))
            end, _, worker, units = heapq.heappop(self.events)
            worker.under_way -= 1
            self.host = max(self.host, end)
            for unit in units:
                for item in unit:
                    self._finished(load_of(item))
        return self.host + float(self.record["last"])

    def _ready(self, number: int) -> None:
        group = self.groups[number]
        if self._is_whole(group):
            load = Load(number, WHOLE, group.whole / 1e6, self.tasks[number])
            self.queue.push(stand_in(load, group.size, group.all))
            return
        for micros in group.micros:
            load = Load(number, group.kind, micros / 1e6, 1)
            self.queue.push(stand_in(load, group.size, group.weight))

    def _is_whole(self, group: Group) -> bool:
        """Whether a large node is one item, by the rule of `Growth`."""
        if not group.whole:
            return False
        largest = self.queue.largest * group.candidates / group.all
        return group.candidates <= most_candidates(self.left / self.cores, largest)

    def _finished(self, load: Load) -> None:
        number, kind = load.group, as_kept(load.kind)
        if load.kind in (TASK, WHOLE):
            self.left -= self.groups[number].candidates
        self.due[number] -= 1
        self.host += self.record["told"][kind] + self.record["here"][kind] * load.results
        if not self.due[number] and load.kind != WHOLE:
            for ready in self.next[number]:
                self._ready(ready)

    def _send(self, units: list[Unit]) -> None:
        """Send a message to the worker with the least to do; it is done in the order of events."""
        self.messages += 1
        loads = [load_of(item) for unit in units for item in unit]
        self.host += self.costs.client
        self.agent = max(self.agent, self.host) + self.costs.scheduler
        content = sum(self.record["bytes"][as_kept(load.kind)] * load.results for load in loads)
        self.wire = max(self.wire, self.agent) + content / NETWORK
        worker = min(self.workers, key=lambda one: (one.under_way, min(one.free)))
        worker.under_way += 1
        end = begin = self.wire + self.costs.worker
        for unit in units:
            kind = load_of(unit[0]).kind
            needed, ready = self._splits(worker, unit)
            split = sum(self.groups[number].split / 1e6 for number in needed)
            results = sum(load_of(item).results for item in unit)
            packing = results * self.record["there"][as_kept(kind)]
            seconds = sum(load_of(item).seconds for item in unit)
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
            made = [item.more[0] for item in unit if self.groups[item.more[0]].split >= 0]
            worker.split.update(dict.fromkeys(made, done))
            end = max(end, done)
        heapq.heappush(self.events, (end, self.messages, worker, units))

    def _splits(self, worker: Worker, unit: Unit) -> tuple[list[int], float]:
        """The splits that a worker has to make for a unit, and when it has those under way."""
        needed, ready = [], 0.0
        for item in unit:
            above = self.groups[item.more[0]].above
            while above not in worker.split and above not in needed:
                if self.groups[above].split >= 0:
                    needed.append(above)
                above = self.groups[above].above
            ready = max(ready, worker.split.get(above, 0.0))
        return needed, ready


def stand_in(load: Load, size: int, weight: float) -> Item:
    """An item that nobody does."""
    kinds: Any = KINDS
    final = load.kind in (TASK, WHOLE)
    return Item(kinds[load.kind], ROOT, load, size, weight, lambda _: None, final)


def load_of(item: Item) -> Load:
    """What an item stands for."""
    return cast(Load, item.more)


def as_kept(kind: int) -> int:
    """The kind of task whose results are like those of this one: what a large node is made of."""
    return TASK if kind == WHOLE else kind


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

"""What a build consists of: its tasks, what each takes, and what the building process adds."""

from __future__ import annotations

import gc
import pickle
import time
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median_low
from typing import Any, NamedTuple

from guessbook.book import Mastermind
from guessbook.builder import build_strategy
from guessbook.builder.executors.cluster import worth
from guessbook.builder.executors.packing import packed, unpacked
from guessbook.builder.growth.frontier import Growth, Job, Place, root_of, run_whole
from guessbook.builder.growth.limits import MEMORY
from guessbook.builder.growth.queue import Item, Unit, message_of, run_units, tell
from guessbook.builder.growth.splits import forget, splits_of
from guessbook.builder.scorers.batch import Split
from guessbook.builder.scorers.scorer import scorer_of
from guessbook.kernels.binding import engine
from guessbook.policy.notation import policy_of

# So often a game is built, as the speed of a machine goes up and down.
ROUNDS = 3

# Threads of a worker, where there are as many cores.
THREADS = 8

KINDS = ("run_probes", "run_parts", "run_growth", "run_splits", "run_whole")
PROBE, PART, TASK, SPLIT, WHOLE = range(len(KINDS))


class Group(NamedTuple):
    """Items of a build that make others ready when all of them are finished.

    Attributes:
        kind: of task, see `KINDS`.
        size: candidates of each.
        weight: of each.
        micros: that each takes.
        above: the group whose end made these ready; -1 for the root.
        split: microseconds of these in which the node is split; -1 if it is not.
        candidates: that are finished with a task, or with a large node that is one item.
        whole: microseconds that a large node takes as one item; 0 if it cannot be one.
        all: what it weighs then.
    """

    kind: int
    size: int
    weight: float
    micros: list[int]
    above: int
    split: int = -1
    candidates: int = 0
    whole: int = 0
    all: float = 0.0


@contextmanager
def timed_kernels() -> Iterator[list[float]]:
    """Count the seconds inside the functions of the engine that grow trees."""
    inside = [0.0]

    def timed(call: Any) -> Any:
        def run(*values: Any) -> Any:
            start = time.process_time()
            result = call(*values)
            inside[0] += time.process_time() - start
            return result

        return run

    known = engine()
    names = ("find_guesses", "grow_trees", "answer_guesses", "split_nodes")
    functions = {name: getattr(known, name) for name in names}
    for name, function in functions.items():
        setattr(known, name, timed(function))
    try:
        yield inside
    finally:
        for name, function in functions.items():
            setattr(known, name, function)


class Recorder:
    """Builds a game in this thread, an item or a few after the other, and keeps what each takes.

    Attributes:
        groups: what was built.
        python: seconds of the items of each kind, outside of kernels and in all.
        answers: what came of each item.
    """

    def __init__(self, game: Mastermind) -> None:
        # Or the splits of the one before would be there already.
        forget()
        self.job = Job(game, policy_of("entropy"), None)
        self.groups: list[Group] = []
        self.python = [[0.0, 0.0] for _ in KINDS]
        self.answers: dict[Hashable, Any] = {}
        # The large nodes that may be one item, by their groups.
        self._places: dict[int, Place] = {}
        self._group_of: dict[int, int] = {}
        # Seconds of each split, and of all.
        self._made: dict[tuple[int, ...], float] = {}
        self._splitting = 0.0
        self._time_splits()

    def record(self) -> dict[str, Any]:
        """Build, and what is to be kept of it."""
        growth = Growth(self.job, root_of(self.job.game))
        queue = growth.queue
        self._ready(growth, -1)
        with timed_kernels() as inside:
            while queue:
                # As if there were many: a message for each unit.
                for unit in queue.take(1, 1 << 30):
                    self._run(growth, unit, inside)
                    growth.report()
            self._run_wholes(inside)
        start = time.process_time()
        grown = growth.grown()
        last = time.process_time() - start
        return {
            "chain": grown.chain / sum(grown.pairs),
            "largest": growth.queue.largest,
            "last": round(last, 4),
            "python": [round(outside / every, 3) for outside, every in self.python],
            **self._again(),
            "groups": self.groups,
        }

    def _time_splits(self) -> None:
        """Have it noted how long each split takes."""
        splits = splits_of(self.job)
        make = splits._made

        def timed(split: tuple[int, ...]) -> Split:
            # That above it may have to be made again.
            before, start = self._splitting, time.process_time()
            made = make(split)
            self._made[split] = time.process_time() - start - (self._splitting - before)
            self._splitting += self._made[split]
            return made

        splits._made = timed  # type: ignore[method-assign]

    def _run(self, growth: Growth, unit: Unit, inside: list[float]) -> None:
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
            made = self._made.get(split_of(item, result))
            if made is not None:
                self.groups[group] = self.groups[group]._replace(split=rounded(1e6 * made))
            self._ready(growth, group)

    def _run_wholes(self, inside: list[float]) -> None:
        """Do each large node as one item, which makes the splits below it anew."""
        splits = splits_of(self.job)
        for number, place in self._places.items():
            batch = splits.batch(place.nodes)
            for name in [name for name in splits._kept if len(name) > len(place.path)]:
                splits._room += len(splits._kept.pop(name).candidates)
            begun, kernels = time.process_time(), inside[0]
            run_whole(self.job, [(batch, place.nodes.begin, place.path)])
            seconds = time.process_time() - begun
            self.python[WHOLE][0] += seconds - (inside[0] - kernels)
            self.python[WHOLE][1] += seconds
            whole = rounded(1e6 * seconds)
            self.groups[number] = self.groups[number]._replace(whole=whole)

    def _again(self) -> dict[str, list[float]]:
        """Build from what came of each item, in messages for a hundred cores.

        Nothing else is done here, as in a building process whose workers are elsewhere.

        Returns:
            Of an item of each kind: seconds in which the building process is told what came of it,
            and in which it packs and unpacks; those in which the worker does; and bytes.
        """
        growth, clock = Growth(self.job, root_of(self.job.game)), time.process_time
        queue = growth.queue
        items, content, told = ([0.0] * WHOLE for _ in range(3))
        here = there = sent = 0.0
        while queue:
            start = clock()
            units = queue.take(THREADS, 100 // THREADS, worth(100 // THREADS, THREADS))
            message = pickle.dumps([message_of(unit) for unit in units], pickle.HIGHEST_PROTOCOL)
            here += clock() - start
            found = [[self.answers.pop(key_of(item)) for item in unit] for unit in units]
            start = clock()
            pickle.loads(message)
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
            start = clock()
            growth.report()
            here += clock() - start
        # Of all kinds each byte takes the same.
        shares = [size / sum(content) / count for size, count in zip(content, items, strict=True)]
        return {
            "told": [round(time / count, 7) for time, count in zip(told, items, strict=True)],
            "here": [round(here * share, 7) for share in shares],
            "there": [round(there * share, 7) for share in shares],
            "bytes": [round(sent * share) for share in shares],
        }

    def _ready(self, growth: Growth, above: int) -> None:
        """Note what has become ready: parts of a search as one group."""
        parts = -1
        for item in growth.queue:
            if id(item) in self._group_of:
                continue
            kind = kind_of(item)
            if kind != PART or parts < 0:
                self.groups.append(Group(kind, item.size, round(item.weight, 3), [], above))
            if kind == TASK:
                split, begin, end = item.nodes
                starts = splits_of(self.job).below(split).starts
                self._note(candidates=starts[end] - starts[begin])
            if kind == PROBE and item.more[0]:
                weight = round(growth.weight_of(item.size), 3)
                self._note(candidates=item.size, all=weight)
                if weight <= growth.queue.largest:
                    place = Place(item.nodes, item.size, item.more[0], 0, 0)
                    self._places[len(self.groups) - 1] = place
            if kind == PART:
                parts = len(self.groups) - 1
            self._group_of[id(item)] = len(self.groups) - 1

    def _note(self, **facts: Any) -> None:
        """Note something of the latest group."""
        self.groups[-1] = self.groups[-1]._replace(**facts)


def kind_of(item: Item) -> int:
    """The kind of an item's task."""
    return KINDS.index(item.task.__name__)


def split_of(item: Item, result: Any) -> tuple[int, ...]:
    """The name of the split that an item makes, if it makes one."""
    kind = kind_of(item)
    if kind == PROBE and not result[1]:
        return (*item.more[0], -result[0].higher)
    return item.nodes.split if kind == SPLIT else (-1,)


def key_of(item: Item) -> Hashable:
    """What tells an item from all others."""
    return item.task, item.nodes, item.more


def recorded(game: Mastermind) -> dict[str, Any]:
    """What a build consists of."""
    # All answers are kept here, which the collector of garbage would look at again and again; in a
    # build, which does not keep them, it takes nothing that can be measured.
    gc.disable()
    # What each process makes for itself before it begins: kernels, also those of large nodes.
    build_strategy(Mastermind(5, 8))
    scorer_of(game, policy_of("entropy"), MEMORY)
    found: dict[str, Any] = typical([Recorder(game).record() for _ in range(ROUNDS)])
    return found


def typical(values: Sequence[Any]) -> Any:
    """The median of each number, in maps and lists of them that are alike."""
    if isinstance(values[0], dict):
        return {name: typical([value[name] for value in values]) for name in values[0]}
    if isinstance(values[0], list | tuple):
        return [typical(each) for each in zip(*values, strict=True)]
    return median_low(values)


def rounded(number: float) -> int:
    """A number with two digits."""
    return int(float(f"{number:.1e}"))

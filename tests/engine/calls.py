"""Calls of the engine's functions, with every array between guard bytes.

Arguments and results are plain lists. After each call, `Caller.call` checks that the guard bytes
and the arrays that the engine only reads have not changed.
"""

from __future__ import annotations

import ctypes
import math
import os
import sys
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from guessbook.book.errors import EngineError
from guessbook.engine.binding import engine, struct
from guessbook.engine.codes import spreads_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import guessbook as gb

# Sanitizers detect writes beside an array themselves.
GUARD = 0 if "ASAN_OPTIONS" in os.environ else 64
FILLING = 0xA5

LEAST_SCORE = -(1 << 63)
UNUSED_PAIR = (1 << 63) - 1
IMPOSSIBLE, MAX_LEFT, EVERY, LOOK = 1 << 40, 40, -1, -2


def runs(variant: int) -> bool:
    """Return whether this machine runs a variant of the engine."""
    try:
        engine(variant)
    except EngineError:
        return False
    return True


VARIANTS = [variant for variant in range(3) if runs(variant)]


class Rule(NamedTuple):
    """The costs by which a one-step policy scores guesses."""

    cost: Callable[[int], int]
    additive: bool = True
    logarithmic: bool = False
    credit: int = 0

    def costs(self, most: int) -> list[int]:
        """Return the costs of cells of 0 to `most` candidates."""
        return [0, *map(self.cost, range(1, most + 1))]

    def score(self, sizes: Iterable[int]) -> int:
        """Return the score of a partition, without the credit for a candidate."""
        return -(sum if self.additive else max)(map(self.cost, sizes))


RULES = {
    "logarithms": Rule(lambda n: n * round(math.log2(n) * (1 << 36)), logarithmic=True),
    "squares": Rule(lambda n: n * n),
    "cells": Rule(lambda n: -1),
    "largest": Rule(lambda n: n, additive=False),
}


def starts_of(nodes: Sequence[Sequence[int]]) -> list[int]:
    """Return where the candidates of each node begin if they are listed node by node."""
    return [0, *accumulate(map(len, nodes))]


def flat(rows: Iterable[Iterable[int]]) -> list[int]:
    """Return the numbers of all rows in one list."""
    return list(chain.from_iterable(rows))


def place_of(value: Any) -> Any:
    """Return the address of an array or a struct; a number is returned as it is."""
    if isinstance(value, np.ndarray):
        return value.ctypes.data
    return ctypes.addressof(value) if isinstance(value, ctypes.Structure) else value


def fill(name: str, *values: Any) -> Any:
    """Return a struct with these fields, which keeps its arrays alive."""
    fields = struct(name)(*map(place_of, values))
    fields.arrays = values
    return fields


class Caller:
    """Calls one variant of the engine, and owns the memory that the engine allocates for it.

    Attributes:
        fixed: the number of arrays that are kept for later calls.
        stop: the address of the stop flag, or 0.
    """

    def __init__(self, variant: int = -1) -> None:
        self.engine, self.stop, self.fixed = engine(variant), 0, sys.maxsize
        self._blocks: list[int] = []
        self._kept: list[tuple[Any, Any]] = []

    def give(self, kind: str, values: Any, writable: bool = False) -> Any:
        """Return an array with these values, between guard bytes."""
        content = np.asarray(values).astype(kind).ravel()
        room = np.full(content.nbytes + 2 * GUARD, FILLING, np.uint8)
        own = room[GUARD : len(room) - GUARD].view(kind)
        own[:] = content
        self._kept.append((room, None if writable else room.copy()))
        return own

    def room(self, kind: str, count: int) -> Any:
        """Return an array of zeros that the engine may write."""
        return self.give(kind, np.zeros(count), writable=True)

    def make(self, maker: str, *given: Any) -> int:
        """Return the address of a new block of memory; raise MemoryError if the engine has none."""
        place = self.call(maker, *given)
        if not place:
            raise MemoryError(maker)
        self._blocks.append(place)
        return int(place)

    def call(self, function: str, *given: Any) -> Any:
        """Call a function, and check that it writes only its results."""
        try:
            return getattr(self.engine, function)(*map(place_of, given))
        finally:
            for room, before in self._kept:
                assert (room[:GUARD] == FILLING).all()
                assert (room[len(room) - GUARD :] == FILLING).all()
                assert before is None or (room == before).all()
            del self._kept[self.fixed :]

    def __del__(self) -> None:
        for block in self._blocks:
            self.engine.memory_free(block)


class Codes(Caller):
    """A code game and a rule in the engine."""

    def __init__(
        self,
        game: gb.Mastermind,
        rule: Rule = RULES["logarithms"],
        variant: int = -1,
        most: int = 1 << 24,
    ) -> None:
        super().__init__(variant)
        pegs = game.pegs
        self.game = self.make("codes_new", pegs, game.colors, game.repeats)
        self.fields = struct("CodeGame").from_address(self.game)
        self.count = self.fields.codes
        most = min(self.count, most)
        costs, few = rule.costs(most), min(most, 255)
        self.columns = pegs * (pegs + 3) // 2 + 1
        self.splits = self.room("q", self.columns * (few + 1))
        unit = costs[2] // 2 if rule.logarithmic and most > 1 else 0
        given = self.give("q", costs), self.splits, self.give("d", spreads_of(pegs))
        numbers = most, self.columns, rule.credit, unit, rule.additive
        self.policy = fill("Policy", *given, *numbers)
        self.call("fill_splits", self.policy, few, self.splits)
        self.space = self.make("workspace_new", self.game)
        self.fixed = 3

    def multisets(self) -> list[int]:
        """Return the number of each code's multiset of symbols."""
        return list((ctypes.c_int32 * self.count).from_address(self.fields.set_of))

    def feedbacks(self, guesses: list[int], nodes: list[list[int]]) -> list[int]:
        """Return the feedback of each candidate to the guess of its node."""
        found, own = self.room("B", len(flat(nodes))), self.give("I", flat(nodes))
        given = self.give("I", guesses), len(guesses), own, self.give("q", starts_of(nodes))
        self.call("answer_guesses", self.game, self.space, *given, found)
        return list(found.tolist())

    def search(self, function: str, *given: Any) -> None:
        self.call(function, fill("Search", self.game, self.policy, self.stop), self.space, *given)

    def guesses(
        self, nodes: list[list[int]], paths: list[list[int]], plan: Any = None
    ) -> tuple[list[int], list[int]]:
        """Return the guess of each node, and how many guesses were scored for it."""
        guess, scored = self.room("I", len(nodes)), self.room("q", len(nodes))
        starts, used = self.give("q", starts_of(nodes)), self.give("I", flat(paths))
        level = fill("Nodes", len(nodes), starts, used, len(paths[0]))
        own = self.give("I", flat(nodes))
        self.search("find_guesses", own, level, plan, guess, scored)
        return guess.tolist(), scored.tolist()

    def divided(self, candidates: list[int], path: list[int], budget: int, pairs: int) -> Any:
        """Begin a search, then run its parts; return the guess and the number of parts."""
        first = fill("Plan", 0, 0, budget, pairs, LEAST_SCORE, 0, 0)
        guess = self.guesses([candidates], [path], first)[0][0]
        found = [(first.score, first.candidate, -guess)]
        for part in range(first.pairs):
            plan = fill("Plan", part, first.pairs, 0, 1, first.score, first.candidate, guess)
            own = self.guesses([candidates], [path], plan)[0][0]
            found.append((plan.score, plan.candidate, -own))
        return -max(found)[2], first.pairs

    def grow(self, nodes: list[list[int]], path: list[int], room: int) -> list[list[int]]:
        """Return the trees below sibling nodes, a row for each node in breadth-first order.

        A row has the guess, 1 if it is a candidate, the feedback (for a root, its number) and the
        number of children.
        """
        count, own = len(nodes), self.give("I", flat(nodes), writable=True)
        given = self.give("q", starts_of(nodes)), self.give("B", range(count))
        used = self.give("q", [count]), self.give("I", path), self.give("q", [len(path)])
        rows = self.room("B", 6 * room)
        nodes_of = [self.room(kind, room) for kind in "qqQI"]
        levels = self.room("q", room), self.room("q", room), self.room("q", 1)
        forest = fill("Forest", room, 0, *nodes_of, rows, *levels)
        self.search("grow_trees", own, fill("Roots", 1, *given, *used), forest)
        found = []
        for *low, high, feedback, children in rows[: 6 * forest.nodes].reshape(-1, 6).tolist():
            guess = int.from_bytes([*low, high & 127], "little")
            found.append([guess, high >> 7, feedback, children])
        return found

    def node(self, candidates: list[int], path: list[int] | None) -> Any:
        """Return a node at which guesses are ranked; without a path no symmetry is used."""
        own, used = self.give("I", candidates), self.give("I", path or [])
        return fill("Node", own, len(own), used, len(used), path is None)

    def scores(
        self, candidates: list[int], path: list[int] | None, wanted: list[int]
    ) -> dict[int, tuple[int, int]]:
        """Return the score of each code of the wanted multisets, and 1 if it is a candidate."""
        scores = self.give("q", [LEAST_SCORE] * self.count, writable=True)
        solves, marks = self.room("B", self.count), self.give("B", wanted)
        self.search("score_codes", self.node(candidates, path), marks, scores, solves)
        every = enumerate(zip(scores.tolist(), solves.tolist(), strict=True))
        return {code: found for code, found in every if found[0] > LEAST_SCORE}

    def lowest(self, candidates: list[int], path: list[int]) -> list[int]:
        """Return the codes that no symmetry after a path maps to a lower one."""
        marks, node = self.room("B", self.count), self.node(candidates, path)
        self.call("mark_lowest", self.game, self.space, node, marks)
        return list(np.flatnonzero(marks).tolist())


class Sums(Caller):
    """A game whose feedbacks are sums of parts, and a rule, in the engine."""

    def __init__(
        self,
        sums: list[list[int]],
        parts: list[list[int]],
        homes: list[int],
        weights: list[int],
        feedbacks: int,
        rule: Rule,
        lane: str = "I",
        variant: int = -1,
    ) -> None:
        super().__init__(variant)
        table = self.give(lane, sums)
        given = [("i", parts), ("I", homes), ("q", weights), ("q", rule.costs(sum(weights)))]
        sizes = len(sums), len(homes), len(parts), len(parts[0]), table.itemsize, feedbacks
        arrays = [self.give(*array) for array in given]
        self.game = fill("SumGame", table, *arrays, *sizes, 1, rule.credit, rule.additive)
        self.space = self.make("sum_space_new", self.game)
        self.fixed = 5

    def told(self) -> int:
        """Return an upper bound of the feedback numbers; -2 for wrong indices."""
        found = int(self.call("most_told", self.game))
        if found == -1:
            raise MemoryError(found)
        return found

    def guess(self, candidates: list[int]) -> int:
        """Return the guess of a node."""
        guess, scored = self.room("I", 1), self.room("q", 1)
        own, starts = self.give("I", candidates), self.give("q", [0, len(candidates)])
        given = self.game, self.space, own, starts, 1, guess, scored, self.stop
        self.call("find_sum_guesses", *given)
        return int(guess[0])

    def scores(self, candidates: list[int], guesses: list[int]) -> list[int]:
        """Return the score of each guess at a node."""
        scores, own = self.room("q", len(guesses)), self.give("I", candidates)
        given = own, len(own), self.give("I", guesses), len(guesses), scores, self.stop
        self.call("score_sums", self.game, self.space, *given)
        return list(scores.tolist())


class Sets(Caller):
    """A table of feedbacks for the search for optimal strategies in the engine."""

    def __init__(
        self, variant: int = -1, entries: int = 1 << 10, lane: str = "B", **given: Any
    ) -> None:
        super().__init__(variant)
        self.table = self.give(lane, given["table"])
        secrets, self.guesses = len(given["homes"]), len(given["table"][0])
        names = "homes", "keys", "weights", "bounds", "steps", "letters", "marks"
        arrays = [self.give(*of) for of in zip("qQqqqIB", map(given.get, names), strict=True)]
        numbers = [given[name] for name in ("answers", "plain", "fitting", "length")]
        kind = self.table.itemsize, given["missed"], given["spare"]
        sizes = secrets, self.guesses, *numbers, *kind
        blocks = self.give("B", given["rows"]), self.give("q", given["peaks"])
        self.problem = fill("Problem", self.table, *arrays, *sizes, *blocks, len(blocks[1]))
        self.known = self.make("set_table_new", entries)
        self.space = self.make("set_space_new", self.problem)
        self.state = struct("SetSpace").from_address(self.space)
        self.fixed = 10

    def ask(
        self, function: str, candidates: list[int], left: int, *given: Any, **more: Any
    ) -> tuple[int, int]:
        """Call a function with a query about a set; return its result and what the query found."""
        own, allowed = self.give("I", candidates), self.give("i", more.pop("allowed", []))
        query = fill("Query", own, len(own), allowed, len(allowed))
        fields = {
            "here": self.table.ctypes.data,
            "below": self.table.ctypes.data,
            "here_count": self.guesses,
            "below_count": self.guesses,
            "left": left,
            **more,
        }
        for name, value in fields.items():
            setattr(query, name, value)
        solver = fill("Solver", self.problem, self.known, self.space, self.stop)
        return self.call(function, solver, query, *given), query.found

    def cost(
        self, candidates: list[int], left: int, limit: int = IMPOSSIBLE - 1, **more: Any
    ) -> int:
        """Return the cost of a set, or of one `guess` for it, or a bound above the limit."""
        more = {"guess": EVERY, **more}
        result, found = self.ask("search_set", candidates, left, limit=limit, **more)
        if result:
            raise RecursionError(result)
        return found

    def probe(self, candidates: list[int], left: int, **more: Any) -> tuple[int, bool]:
        """Return a bound of the cost without a search, and whether it is the cost."""
        found = self.cost(candidates, left, 0, guess=LOOK, **more)
        return found >> 2, bool(found & 1)

    def every(self) -> tuple[Any, int]:
        """Return all guesses and their number."""
        return self.give("I", range(self.guesses)), self.guesses

    def bounds(self, candidates: list[int], left: int) -> list[int]:
        """Return a lower bound of the cost of each guess."""
        bounds = self.room("q", self.guesses)
        self.ask("bound_guesses", candidates, left, *self.every(), bounds)
        return list(bounds.tolist())


def split_nodes(
    nodes: list[list[int]], answers: list[int], feedbacks: int
) -> list[list[tuple[int, list[int]]]]:
    """Return the children of each node: the feedback and the candidates of each."""
    caller, size = Caller(), len(answers)
    given = caller.give("I", flat(nodes)), caller.give("q", starts_of(nodes))
    feedback, ends, below = (caller.room(kind, size) for kind in "qqI")
    children, counts = caller.room("q", len(nodes)), caller.room("q", feedbacks)
    numbers = caller.give("I", answers), len(nodes), feedbacks
    fields = fill("Splits", *given, *numbers, counts, feedback, ends, below, children)
    caller.call("split_nodes", fields)
    cells = [
        (answer, below[start:end].tolist())
        for answer, start, end in zip(feedback.tolist(), [0, *ends], ends, strict=False)
    ]
    return [cells[sum(children[:k]) :][:count] for k, count in enumerate(children)]


def distinct(
    calls: list[list[list[int]]], width: int, feedbacks: int, weights: list[int]
) -> list[int]:
    """Pass rows of feedbacks in several calls, and return the guesses that are kept."""
    caller, n, begin = Caller(), len(weights), 0
    chosen, cells = caller.room("I", width), caller.room("I", width * n)
    own, names, given = (
        caller.room("q", width),
        caller.room("q", feedbacks),
        caller.give("q", weights),
    )
    fields = fill("Distinct", n, feedbacks - 1, width, 0, chosen, cells, own, names, given)
    for rows in calls:
        guesses = caller.give("I", range(begin, begin + len(rows)))
        answers = caller.give("I", flat(rows), writable=True)
        caller.call("keep_distinct", fields, guesses, len(rows), answers)
        begin += len(rows)
    return list(chosen[: fields.count].tolist())


def best_pairs(
    rows: list[list[int]], firsts: set[int], rule: Rule, count: int, weights: list[int], stop: Any
) -> list[tuple[int, ...]]:
    """Return the cost and both guesses of the best pairs."""
    caller, n, costs = Caller(), len(weights), rule.costs(sum(weights))
    alone = []
    for row in rows:
        sizes = np.bincount(row, weights).astype(int)
        alone.append(sum(costs[size] for size in sizes))
    order = sorted(range(len(rows)), key=alone.__getitem__)
    given = [
        ("I", [rows[guess] for guess in order]),
        ("q", order),
        ("B", [guess in firsts for guess in order]),
        ("q", sorted(alone)),
        ("q", costs),
        ("q", weights),
    ]
    arrays, feedbacks = [caller.give(*array) for array in given], max(map(max, rows)) + 2
    numbers = len(rows), n, feedbacks, costs[-1] + 64 * sum(weights)
    kept = caller.give("q", [UNUSED_PAIR, 0, 0] * count, writable=True)
    rooms = [caller.room(*of) for of in (("I", n), ("q", feedbacks), ("q", n), ("q", n))]
    fields = fill("Pairs", *arrays, *numbers, kept, count, caller.give("I", range(n)), *rooms)
    caller.call("search_pairs", fields, stop)
    pairs = map(tuple, kept.reshape(-1, 3).tolist())
    return [pair for pair in pairs if pair[0] < UNUSED_PAIR]

"""Optimal play in the engine, for games of any kind: the lowest cost of a set of candidates."""

from __future__ import annotations

import ctypes
from array import array
from ctypes import byref
from typing import Any, NamedTuple

from guessbook.book.errors import BuildError
from guessbook.engine.binding import (
    MOST,
    EngineMemory,
    Space,
    address,
    engine,
    fill,
    indices,
    numbers,
    stop_address,
    struct,
    within,
)

# The cost of a set that no strategy solves. It is higher than the cost of every strategy.
IMPOSSIBLE = 1 << 40
# `left` is the number of guesses left. The value MAX_LEFT stands for no limit.
MAX_LEFT = 40
# The number of entries of the transposition table that may store a given set.
PLACES = 4
# The largest total weight of the secrets. MAX_WEIGHT * IMPOSSIBLE is 2**62, which fits into 64
# bits.
MAX_WEIGHT = 1 << 22
# The largest number of guesses: RANK_BITS in sets.h is 20.
MAX_GUESSES = 1 << 20
# The engine counts the cells of this number of guesses at the same time: see lanes.h.
LANES = 64
# The argument `guess` of `SetSearch.cost` is a column (the index of a guess), or EVERY to try all
# guesses, or LOOK to compute only a one-ply bound (a lower bound without a search).
EVERY, LOOK = -1, -2
# The result of `search_set` if the search is deeper than the levels in its working memory.
TOO_DEEP = -4


class Problem(NamedTuple):
    """A game as a table of feedbacks; `Problem` in sets.h explains the fields and their types."""

    table: Any
    homes: Any
    keys: Any
    weights: Any
    bounds: Any
    steps: Any
    letters: Any
    marks: Any
    secrets: int
    guesses: int
    answers: int
    plain: int
    fitting: bool
    length: int
    missed: bool = False
    spare: int = 0
    rows: Any = b""
    peaks: Any = array("q")


class Set(NamedTuple):
    """A set of candidates, and the number of guesses left to find the secret."""

    candidates: Any  # uint32, the indices of the secrets, the heaviest first
    left: int  # the number of guesses left; MAX_LEFT for no limit
    allowed: Any = b""  # in hard mode int32, the columns of the allowed guesses; else empty
    also: int = 0  # in hard mode a key of 64 bits for the history; else 0


class Columns(NamedTuple):
    """Guesses to try, as a table of feedbacks: a row per secret, and `width` columns."""

    table: Any
    width: int


class SetTable(EngineMemory):
    """The transposition table: costs of sets of candidates, in `size` entries of 16 bytes.

    Threads may share it.
    """

    def __init__(self, size: int) -> None:
        within("number of entries", size, PLACES, MOST)
        if size & (size - 1):
            raise ValueError(f"the table has {size} entries, which is not a power of 2")
        super().__init__("set_table_new", size)
        if not self.place:
            raise MemoryError(
                f"out of memory for a table of {size:,} sets, which takes {16 * size:,} bytes"
            )
        self.size = size


class SetSearch:
    """A game and its transposition table, ready for searches in any number of threads.

    Candidates (uint32) are indices of secrets, columns are indices of guesses. `whole` has all
    columns.
    """

    def __init__(self, problem: Problem, table: SetTable) -> None:
        if problem.guesses > MAX_GUESSES:
            raise BuildError(
                f"too many guesses for optimal play: {problem.guesses:,}, limit {MAX_GUESSES:,}; use rollout"
            )
        self.problem, self.table = problem, table
        lane = memoryview(problem.table).itemsize
        self._kind = {1: "B", 2: "H", 4: "I"}[lane]
        secrets, blocks = problem.secrets, len(problem.peaks)
        place, lefts = address(problem.table, self._kind, secrets * problem.guesses), MAX_LEFT + 1
        for of, kind, count in (
            (problem.keys, "Q", secrets), (problem.rows, "B", blocks * secrets * LANES),
            (problem.letters, "I", problem.guesses * problem.length),
            (problem.marks, "B", problem.answers * problem.length),
        ):  # fmt: skip
            address(of, kind, count)
        for name, values, count, least, most in (
            ("column of a secret", problem.homes, secrets, -1, problem.guesses - 1),
            ("weight", problem.weights, secrets, 1, MAX_WEIGHT),
            ("bound", problem.bounds, lefts * (secrets + 1), 0, IMPOSSIBLE),
            ("step", problem.steps, lefts * secrets, -IMPOSSIBLE, IMPOSSIBLE),
            ("peak", problem.peaks, blocks, 1, 256),
        ):
            numbers(name, values, count, least, most)
        total = sum(memoryview(problem.weights).cast("B").cast("q"))
        within("weight of all secrets", total, 1, MAX_WEIGHT)
        within("spare guesses", problem.spare, 0, MAX_LEFT - 1)
        counts = (*problem[8:14], lane, problem.missed, problem.spare)
        self._fields = fill(
            "Problem", place, *problem[1:8], *counts, problem.rows, problem.peaks, blocks
        )
        self.whole = Columns(problem.table, problem.guesses)
        self._engine = engine()
        cells = secrets * problem.guesses
        at = self._engine.first_beyond(place, cells, lane, problem.answers)
        if at < cells:
            raise ValueError(
                f"the feedback number at index {at} of `table` is not below {problem.answers}"
            )
        self.space = Space("set_space_new", ctypes.addressof(self._fields))

    def _counters(self) -> Any:
        return struct("SetSpace").from_address(self.space.place)

    @property
    def tried(self) -> int:
        """The number of guesses that this thread has tried so far."""
        return int(self._counters().tried)

    def cost(
        self, of: Set, limit: int, here: Columns, below: Columns, guess: int = EVERY,
        table: SetTable | None = None,
    ) -> int:  # fmt: skip
        """Return the cost of a set if it is at most `limit`, else a lower bound above `limit`.

        For the set, the search tries all guesses of `here` if `guess` is EVERY, else only the
        column `guess` of `here`. For the cells, it tries the guesses of `below`. If `guess` is
        LOOK, there is no search, and the result is that of `probe`.
        """
        secrets, most = self.problem.secrets, self.problem.guesses
        # In hard mode, `Set.allowed` contains columns of the whole table, so `here` must have all
        # columns.
        if max(here.width, below.width) > most or (self.problem.length and here.width < most):
            raise ValueError(
                f"`here` has {here.width} columns and `below` has {below.width}, limit {most}; "
                f"in hard mode, `here` must have all {most}"
            )
        within("limit", limit, -IMPOSSIBLE, IMPOSSIBLE - 1)
        within("column", guess, LOOK, here.width - 1)
        if guess not in (EVERY, LOOK):
            within("number of guesses left", of.left, 1, MAX_LEFT)
        query = self._query(
            of, address(here.table, self._kind, secrets * here.width),
            address(below.table, self._kind, secrets * below.width),
            here.width, below.width, limit, guess,
        )  # fmt: skip
        result = self._engine.search_set(byref(self._solver(table or self.table)), byref(query))
        if result == TOO_DEEP:
            levels = self._counters().levels
            raise BuildError(
                f"the search needs more levels than the {levels} in its memory; use another policy"
            )
        return int(query.found)

    def probe(self, of: Set, here: Columns, table: SetTable | None = None) -> int:
        """Return the cost of a set if it is known without a search, else a lower bound.

        The result is encoded as `SetEntry.known` in sets.h.
        """
        return self.cost(of, 0, here, here, LOOK, table)

    def store(self, of: Set, known: int) -> None:
        """Store the cost of a set, or a lower bound of it, in the transposition table.

        `known` is encoded as `SetEntry.known` in sets.h.
        """
        within("encoded cost (4 * cost + flags)", known, 1, 4 * IMPOSSIBLE + 3)
        query = self._query(of)
        query.found = known
        self._engine.learn_set(byref(self._solver(self.table)), byref(query))

    def bounds(self, of: Set, guesses: Any) -> array[int]:
        """Return lower bounds (int64) of the costs of `guesses` (uint32), from sizes of cells."""
        columns = self.problem.guesses
        within("number of guesses left", of.left, 1, MAX_LEFT)
        bounds = array("q", bytes(8 * len(guesses)))
        self._engine.bound_guesses(
            byref(self._solver(self.table)), byref(self._query(of)), indices(guesses, columns),
            len(guesses), address(bounds, "q"),
        )  # fmt: skip
        return bounds

    def bound_cells(self, of: Set, guesses: Any, limit: int) -> None:
        """Store lower bounds of the cells into which `guesses` (uint32) split a set.

        A cell is skipped if its known bound is unlikely to rise. Once the lower bound of a guess
        exceeds `limit`, its other cells are skipped. `Problem.peaks` must not be empty, and
        `Set.left` must be 3.
        """
        if of.left != 3 or not len(self.problem.peaks):
            raise ValueError(
                f"{of.left} guesses are left, and `peaks` has {len(self.problem.peaks)} entries; "
                "3 guesses must be left, and `peaks` must not be empty"
            )
        within("limit", limit, -IMPOSSIBLE, IMPOSSIBLE)
        query = self._query(of)
        query.limit = limit
        self._engine.bound_batches(
            byref(self._solver(self.table)), byref(query), indices(guesses, self.problem.guesses),
            len(guesses),
        )  # fmt: skip

    def _solver(self, table: SetTable) -> Any:
        problem = ctypes.addressof(self._fields)
        return fill("Solver", problem, table.place, self.space.place, stop_address())

    def _query(self, of: Set, *more: int) -> Any:
        problem, allowed = self.problem, len(of.allowed)
        columns = address(of.allowed, "i") if allowed else 0
        within("number of guesses left", of.left, 0, MAX_LEFT)
        if bool(allowed) != bool(problem.length):
            raise ValueError(
                f"there are {allowed} allowed guesses, for words of {problem.length} letters; hard mode needs both, "
                "other modes neither"
            )
        if not 0 < len(of.candidates) <= problem.secrets or allowed > problem.guesses:
            raise ValueError(
                f"there are {len(of.candidates)} candidates and {allowed} allowed guesses; there must be 1 to "
                f"{problem.secrets} candidates and at most {problem.guesses} guesses"
            )
        at = self._engine.first_beyond(columns, allowed, 4, problem.guesses)
        if at < allowed:
            raise IndexError(
                f"allowed column {of.allowed[at]} is out of range; it must be from 0 to {problem.guesses - 1}"
            )
        candidates = indices(of.candidates, problem.secrets)
        return fill(
            "Query", candidates, len(of.candidates), columns, allowed, of.also, of.left, *more
        )

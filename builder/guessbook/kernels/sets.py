"""The search for optimal play in the engine: what sets of candidates cost, in any game."""

from __future__ import annotations

import ctypes
from array import array
from ctypes import byref
from typing import Any, NamedTuple

from guessbook.book.errors import BuildError
from guessbook.kernels.binding import Owned, Space, address, check, engine, filled, indices, struct
from guessbook.kernels.stop import stop_address

# More than any strategy costs: there is none.
IMPOSSIBLE = 1 << 40
# So many guesses left are as good as any number of them.
MAX_LEFT = 40
# Entries of the transposition table where a set may be.
PLACES = 4
# As much as all secrets may count together: times IMPOSSIBLE it is 2**62.
MAX_WEIGHT = 1 << 22
# The most guesses that the ranks of guesses can hold.
MAX_GUESSES = 1 << 20
# Guesses whose cells are counted side by side: lanes.h.
LANES = 64
# Instead of a guess to try: all are, or only one-ply bounds are wanted.
EVERY, LOOK = -1, -2
# What `search_set` returns where the search went below all levels.
TOO_DEEP = -4


class Problem(NamedTuple):
    """A game as a table, see `Problem` in sets.h; all arrays have the types that it states."""

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
    rows: Any = b""
    peaks: Any = array("q")


class Set(NamedTuple):
    """Candidates whose cost is asked for.

    Attributes:
        candidates: uint32, the heaviest first.
        left: how many guesses there may be; MAX_LEFT for any number.
        allowed: hard mode: int32, the columns of the guesses that are allowed; else empty.
        also: hard mode: a key of 64 bits for the history; else 0.
    """

    candidates: Any
    left: int
    allowed: Any = b""
    also: int = 0


class Columns(NamedTuple):
    """The guesses to try, as columns of a table.

    Attributes:
        table: [secrets, width], feedbacks as those of the problem.
        width: how many they are.
    """

    table: Any
    width: int


class SetTable(Owned):
    """What is known of sets: a transposition table that all threads share.

    Args:
        size: entries, a power of 2 of at least PLACES; each has 16 bytes.
    """

    def __init__(self, size: int) -> None:
        if size < PLACES or size & (size - 1):
            raise ValueError(f"found {size} entries, expected a power of 2 from {PLACES} on")
        super().__init__("set_table_new", size)
        if not self.place:
            raise MemoryError(f"found no memory for {size:,} sets")
        self.size = size


class SetSearch:
    """A problem, ready to be searched by any number of threads.

    Candidates are indices of secrets, each once; columns of guesses.

    Args:
        problem: the game.
        table: where what is known of sets is kept.
        variant: of the machine: see `binding.engine`.

    Raises:
        BuildError: there are more guesses than the search can rank.
        ValueError: a feedback, a home or a weight of the problem is none.

    Attributes:
        whole: all guesses, to try.
    """

    def __init__(self, problem: Problem, table: SetTable, variant: int = -1) -> None:
        if problem.guesses > MAX_GUESSES:
            raise BuildError(
                f"found {problem.guesses:,} guesses, more than the search for optimal play can "
                f"rank; expected at most {MAX_GUESSES:,}, or a width"
            )
        self.problem, self.table = problem, table
        lane = memoryview(problem.table).itemsize
        self._kind = {1: "B", 2: "H", 4: "I"}[lane]
        secrets, blocks = problem.secrets, len(problem.peaks)
        place = address(problem.table, self._kind, secrets * problem.guesses)
        for of, kind, count in (
            (problem.homes, "q", secrets), (problem.keys, "Q", secrets),
            (problem.weights, "q", secrets), (problem.bounds, "q", (MAX_LEFT + 1) * (secrets + 1)),
            (problem.steps, "q", (MAX_LEFT + 1) * secrets),
            (problem.letters, "I", problem.guesses * problem.length),
            (problem.marks, "B", problem.answers * problem.length),
            (problem.rows, "B", blocks * secrets * LANES),
        ):  # fmt: skip
            address(of, kind, count)
        numbers = (*problem[8:14], lane, problem.missed)
        self._fields = filled(
            "Problem", place, *problem[1:8], *numbers, problem.rows, problem.peaks, blocks
        )
        self.whole = Columns(problem.table, problem.guesses)
        self._engine = engine(variant)
        self._check(lane)
        self.space = Space("set_space_new", ctypes.addressof(self._fields))

    def _check(self, lane: int) -> None:
        problem, cells = self.problem, self.problem.secrets * self.problem.guesses
        homes, weights = (memoryview(some).tolist() for some in (problem.homes, problem.weights))
        if self._engine.first_beyond(self._fields.table, cells, lane, problem.answers) < cells:
            raise ValueError(f"found a feedback number of {problem.answers} or more")
        if not all(-1 <= home < problem.guesses for home in homes):
            raise ValueError(f"found a home that is not -1 to {problem.guesses - 1}")
        if min(weights) < 1 or sum(weights) > MAX_WEIGHT:
            raise ValueError(f"found weights that are not 1 to {MAX_WEIGHT} together")

    @property
    def counted(self) -> Any:
        """What the engine counts of this thread."""
        return struct("SetSpace").from_address(self.space.place)

    @property
    def tried(self) -> int:
        """How many guesses this thread has tried."""
        return int(self.counted.tried)

    def cost(self, of: Set, limit: int, here: Columns, below: Columns, guess: int = EVERY) -> int:
        """Return the cost of a set if that is at most `limit`, else a bound above it.

        Args:
            of: the set.
            limit: what is worth knowing.
            here: the guesses to try.
            below: the guesses to try in the cells of a guess.
            guess: try this column of `here` alone.

        Raises:
            BuildError: the search goes deeper than memory holds.
        """
        return self._search(of, limit, here, below, guess, self.table)

    def look(self, of: Set, here: Columns, table: SetTable | None = None) -> int:
        """Return what is known of a set after a look at some guesses: see `SetEntry` in sets.h."""
        return self._search(of, 0, here, here, LOOK, table or self.table)

    def learn(self, of: Set, known: int) -> None:
        """Store what is known of a set: see `SetEntry` in sets.h."""
        if not 0 < known <= 4 * IMPOSSIBLE + 3:
            raise ValueError(f"found {known}, expected 4 times a cost")
        query = self._query(of)
        query.found = known
        self._engine.learn_set(byref(self._solver(self.table)), byref(query))

    def bounds(self, of: Set, guesses: Any) -> array[int]:
        """Return what each guess (uint32, columns) costs at least, by the sizes of its cells."""
        columns = self.problem.guesses
        if not of.left:
            raise ValueError("found no guess left, expected one")
        bounds = array("q", bytes(8 * len(guesses)))
        self._engine.bound_guesses(
            byref(self._solver(self.table)), byref(self._query(of)), indices(guesses, columns),
            len(guesses), address(bounds, "q"),
        )  # fmt: skip
        return bounds

    def bound_cells(self, of: Set, guesses: Any, limit: int) -> None:
        """Bound the cells of guesses (uint32, columns) until each costs above a limit.

        What is found is remembered. The problem has blocks, and three guesses are left.
        """
        if of.left != 3 or not len(self.problem.peaks):
            raise ValueError(f"found {of.left} guesses left, expected 3 and guesses in blocks")
        query = self._query(of)
        query.limit = limit
        self._engine.bound_batches(
            byref(self._solver(self.table)), byref(query), indices(guesses, self.problem.guesses),
            len(guesses),
        )  # fmt: skip

    def _solver(self, table: SetTable) -> Any:
        problem = ctypes.addressof(self._fields)
        return filled("Solver", problem, table.place, self.space.place, stop_address())

    def _query(self, of: Set) -> Any:
        problem, allowed = self.problem, len(of.allowed)
        columns = address(of.allowed, "i") if allowed else 0
        if not 0 <= of.left <= MAX_LEFT:
            raise ValueError(f"found {of.left} guesses left, expected 0 to {MAX_LEFT}")
        if not 0 < len(of.candidates) <= problem.secrets or allowed > problem.guesses:
            raise ValueError(
                f"found {len(of.candidates)} candidates and {allowed} guesses, expected at most "
                f"{problem.secrets} and {problem.guesses}"
            )
        if self._engine.first_beyond(columns, allowed, 4, problem.guesses) < allowed:
            raise IndexError(f"found a column that is not 0 to {problem.guesses - 1}")
        candidates = indices(of.candidates, problem.secrets)
        query = filled("Query", candidates, len(of.candidates), columns, allowed, of.also)
        query.left = of.left
        return query

    def _search(
        self, of: Set, limit: int, here: Columns, below: Columns, guess: int, table: SetTable
    ) -> int:
        query, secrets = self._query(of), self.problem.secrets
        widest = here.width if not self.problem.length else self.problem.guesses
        if max(here.width, below.width, widest) > self.problem.guesses or here.width < widest:
            raise ValueError(f"found {here.width} columns, expected {self.problem.guesses}")
        if limit >= IMPOSSIBLE or not LOOK <= guess < here.width:
            raise ValueError(f"found limit {limit} and column {guess}, which are none")
        query.here = address(here.table, self._kind, secrets * here.width)
        query.below = address(below.table, self._kind, secrets * below.width)
        query.here_count, query.below_count = here.width, below.width
        query.limit, query.guess = limit, guess
        result = self._engine.search_set(byref(self._solver(table)), byref(query))
        if result == TOO_DEEP:
            raise BuildError(
                f"a search went deeper than {self.counted.levels} guesses, which memory "
                "does not hold; take another policy"
            )
        check(result)
        return int(query.found)

"""Code games (Mastermind, Bulls and Cows) in the engine: their tables, and searches for guesses."""

from __future__ import annotations

import ctypes
import math
from array import array
from ctypes import byref
from functools import cache
from itertools import compress
from typing import Any, NamedTuple

from guessbook.book.errors import InvalidGameError
from guessbook.engine.binding import (
    MOST,
    SHORT_OF_MEMORY,
    EngineMemory,
    Space,
    address,
    engine,
    fill,
    indices,
    node_starts,
    stop_address,
    struct,
    within,
)
from guessbook.engine.partitions import MOST_COST, MOST_CREDIT, CostFunction, check_costs

# The limits of the tables of a game: MAX_PEGS, MAX_COLORS and MAX_CODES in codes.h.
MAX_PEGS, MAX_COLORS, MAX_CODES = 15, 36, 1 << 24
# A number below the score of every guess.
LEAST_SCORE = -(1 << 63)
# Above this number of candidates, symmetries speed up the search for the guess of a node.
LARGE = 4096
# The bounds in blacks.c have a parameter r. The values of log2(r) are multiples of STEP, from
# -STEPS * STEP to STEPS * STEP.
STEPS, STEP = 16, 0.25
# The largest number of candidates that a counter of one byte can count.
BYTE = 255
# The engine writes ROW bytes for each node. In a guess, the bit SOLVES is 1 if the guess is a
# candidate: see trees.c.
ROW, SOLVES = 6, 1 << 31


class BestGuess(NamedTuple):
    """The best guess that a search found; of two such tuples, the larger has the better guess."""

    score: int  # the score of the guess
    is_candidate: int  # 1 if the guess is a candidate, else 0; candidates win ties
    higher: int  # minus the index of the guess, because the lowest index wins the remaining ties
    scored: int  # the number of guesses that were scored


class PartialSearch(NamedTuple):
    """The result of `CodeSearch.begin`: the best guess so far, and the number of parts left."""

    found: BestGuess
    parts: int


class Grown(NamedTuple):
    """The finished strategy trees of sibling nodes, breadth first, all trees together."""

    rows: bytes  # the nodes, of ROW bytes each
    # For each level of the trees, the number of nodes on this level and all levels above.
    ends: list[int]
    # For each level of the trees, the number of (guess, candidate) pairs that were scored.
    pairs: list[int]


class CodeTables(EngineMemory):
    """The tables of a code game, in memory that the engine allocates."""

    def __init__(self, pegs: int, colors: int, repeats: bool) -> None:
        if not (
            0 < pegs <= MAX_PEGS
            and 0 < colors <= MAX_COLORS
            and 0 < (colors**pegs if repeats else math.perm(colors, pegs)) <= MAX_CODES
        ):
            raise InvalidGameError(
                f"{pegs} pegs of {colors} colors are too many for the engine; use a smaller game"
            )
        super().__init__("codes_new", pegs, colors, repeats)
        if not self.place:
            raise MemoryError(SHORT_OF_MEMORY)
        self.fields: Any = struct("CodeGame").from_address(self.place)
        self.pegs = pegs
        self.codes, self.multisets = int(self.fields.codes), int(self.fields.multisets)
        self.space = Space("workspace_new", self.place)

    @property
    def set_of(self) -> Any:
        """The index of each code's multiset of symbols: a ctypes array int32[codes]."""
        found: Any = (ctypes.c_int32 * self.codes).from_address(self.fields.set_of)
        found.owner = self  # While the array exists, the memory of the tables is not freed.
        return found

    def feedbacks(self, guesses: Any, candidates: Any, starts: Any) -> bytearray:
        """Return the feedback number (uint8) of each candidate to the guess of its node.

        `candidates` and `starts` are as in `CodeSearch.guesses`, but a node may have no candidates.
        """
        codes, begin = self.codes, node_starts(starts, 0, len(candidates))
        out = bytearray(starts[len(guesses)])
        engine().answer_guesses(
            self.place, self.space.place, indices(guesses, codes), len(guesses),
            indices(candidates, codes, len(out)), begin, address(out, "B"),
        )  # fmt: skip
        return out

    def fitting(self, candidates: array[int], guess: int, feedback: int) -> array[int]:
        """Return the candidates that give this feedback number to this guess."""
        starts = array("q", [0, len(candidates)])
        answers = self.feedbacks(array("I", [guess]), candidates, starts)
        is_wanted = bytearray(256)
        is_wanted[within("feedback", feedback, 0, 255)] = 1
        return array("I", compress(candidates, answers.translate(is_wanted)))

    def lowest(self, candidates: Any, path: Any) -> bytearray:
        """Return for each code 1 if no equivalent code is lower, else 0: uint8[codes].

        Two codes are equivalent if a symmetry of the history maps one to the other. `path` has the
        guesses of the history.
        """
        lowest, node = bytearray(self.codes), self.node(candidates, path)
        marks = address(lowest, "B")
        engine().mark_lowest(self.place, self.space.place, byref(node), marks)
        return lowest

    def node(self, candidates: Any, path: Any | None) -> Any:
        """Return the struct `Node` of ranking.c. If `path` is None, no symmetries are used."""
        own = indices(candidates, self.codes)
        some = array("I") if path is None else path
        above = indices(some, self.codes)
        return fill("Node", own, len(candidates), above, len(some), path is None)


@cache
def spreads_of(pegs: int) -> array[float]:
    """Return the table of log2(Z_t(r)), which blacks.c defines: double[2 * STEPS + 1, pegs + 1].

    It has a row for each r and a column for each t.
    """
    spreads = array("d")
    for k in range(-STEPS, STEPS + 1):
        for t in range(pegs + 1):
            # With N pegs, no feedback has N - 1 black pegs and 1 white peg.
            blacks = [b for b in range(t + 1) if not b == pegs - 1 == t - 1]
            spreads.append(math.log2(sum([2.0 ** (k * STEP * b) for b in blacks])))
    return spreads


def policy_of(rule: CostFunction, pegs: int) -> Any:
    """Return a one-step policy for a code game as the struct `Policy` of codes.h."""
    most = len(rule.costs) - 1
    columns = pegs * (pegs + 3) // 2 + 1
    unit = rule.costs[2] // 2 if rule.logarithmic and most > 1 else 0
    splits = array("q", bytes(8 * columns * (min(most, BYTE) + 1)))
    check_costs(rule)
    policy = fill(
        "Policy", rule.costs, splits, spreads_of(pegs), most, columns, rule.credit, unit,
        rule.additive,
    )  # fmt: skip
    engine().fill_splits(ctypes.addressof(policy), min(most, BYTE), address(splits, "q"))
    return policy


class CodeSearch:
    """A code game and a one-step policy, ready for searches in any number of threads.

    Candidates and guesses are indices of codes (uint32). A node has at most `len(rule.costs) - 1`
    candidates.
    """

    def __init__(self, tables: CodeTables, rule: CostFunction) -> None:
        self.tables, self.rule, self._most = tables, rule, len(rule.costs) - 1
        self._policy, self._engine, self._space = (
            policy_of(rule, tables.pegs),
            engine(),
            tables.space,
        )

    def fields(self) -> Any:
        """Return the struct `Search` of codes.h, with the stop flag of this context."""
        policy = ctypes.addressof(self._policy)
        return fill("Search", self.tables.place, policy, stop_address())

    def guesses(
        self, candidates: Any, starts: Any, paths: Any, depth: int, plan: Any = None
    ) -> tuple[array[int], array[int]]:
        """Return the guess of each node (uint32), and the number of guesses scored for it (int64).

        Args:
            candidates: the candidates of all nodes, node by node, ascending in each node.
            starts: int64[nodes + 1], the index of the first candidate of each node, then the number
                of candidates.
            paths: uint32[nodes * depth], the guesses that lead to each node.
            depth: the number of guesses that lead to each node.
            plan: None; or the struct `Plan` of guess.c, to search only some guesses of a single
                node.
        """
        count, codes = len(starts) - 1, self.tables.codes
        guess, scored = array("I", bytes(4 * count)), array("q", bytes(8 * count))
        begin = node_starts(starts, 1, self._most)
        nodes = fill("Nodes", count, begin, indices(paths, codes, count * depth), depth)
        self._engine.find_guesses(
            byref(self.fields()), self._space.place, indices(candidates, codes, starts[count]),
            byref(nodes), None if plan is None else byref(plan), address(guess, "I"),
            address(scored, "q"),
        )  # fmt: skip
        return guess, scored

    def begin(self, candidates: Any, path: Any, budget: int, pairs: int) -> PartialSearch:
        """Score about `budget` guesses of a node, and divide the others into parts for `resume`.

        The search of a part scores about `pairs` (guess, candidate) pairs. The node must have at
        least 3 candidates.
        """
        within("budget", budget, 1, MOST)
        plan = fill("Plan", 0, 0, budget, pairs, LEAST_SCORE, 0, 0)
        found = self._split(candidates, path, plan)
        return PartialSearch(found, plan.pairs)

    def resume(
        self, candidates: Any, path: Any, known: BestGuess, part: int, parts: int
    ) -> BestGuess:
        """Search one part of the guesses; return its best guess, or `known` if none is better."""
        within("part", part, 0, parts - 1)
        within("score", known.score, -MOST_COST, MOST_COST + MOST_CREDIT)
        within("guess", -known.higher, 0, self.tables.codes - 1)
        plan = fill("Plan", part, parts, 0, 1, known.score, known.is_candidate, -known.higher)
        return self._split(candidates, path, plan)

    def _split(self, candidates: Any, path: Any, plan: Any) -> BestGuess:
        within("number of candidates", len(candidates), 3, self._most)
        starts = array("q", [0, len(candidates)])
        guess, scored = self.guesses(candidates, starts, path, len(path), plan)
        return BestGuess(plan.score, plan.candidate, -guess[0], scored[0])

    def grow(self, candidates: Any, starts: Any, feedback: Any, path: Any, room: int) -> Grown:
        """Return the strategy trees whose roots are the given sibling nodes.

        `candidates` and `starts` describe the roots: see the method `guesses`. `feedback` (uint8)
        contains the feedback number that leads to each root. `path` (uint32) contains the guesses
        that lead to the roots. `room` is the largest number of nodes of all trees together; twice
        the number of candidates is always enough.
        """
        count, codes = len(starts) - 1, self.tables.codes
        own = array("I", bytes(candidates))  # a copy, because the engine reorders the candidates
        counts, depths, levels = (array("q", [n]) for n in (count, len(path), 0))
        begin, size, ends, pairs = (array("q", bytes(8 * room)) for _ in range(4))
        used, guess = array("Q", bytes(8 * room)), array("I", bytes(4 * room))
        rows = bytearray(ROW * room)
        address(feedback, "B", count)
        first = node_starts(starts, 1, self._most)
        roots = fill("Roots", 1, first, feedback, counts, indices(path, codes), depths)
        forest = fill("Forest", room, 0, begin, size, used, guess, rows, ends, pairs, levels)
        self._engine.grow_trees(
            byref(self.fields()), self._space.place, indices(own, codes, starts[count], True),
            byref(roots), byref(forest),
        )  # fmt: skip
        deep = levels[0]
        return Grown(bytes(rows[: ROW * forest.nodes]), ends[:deep].tolist(), pairs[:deep].tolist())

    def scores(
        self, candidates: Any, path: Any | None, wanted: Any, scores: Any, solves: Any
    ) -> None:
        """Score the codes of some multisets of symbols, and fill `scores` and `solves`.

        Args:
            candidates: uint32, the candidates of the node.
            path: uint32, the guesses so far. Of each group of codes that are equivalent by symmetry
                after these guesses, only the lowest is scored. None: score all codes.
            wanted: uint8[multisets], 1 for each multiset to score, else 0.
            scores: int64[codes], receives the score of each scored code.
            solves: uint8[codes], receives 1 for each scored code that is a candidate, and 0 for
                other scored codes.
        """
        node = self.tables.node(candidates, path)
        if node.n > self._most:
            raise ValueError(
                f"too many candidates: {node.n}, limit {self._most}; "
                f"use a cost function for {node.n} candidates"
            )
        self._engine.score_codes(
            byref(self.fields()), self._space.place, byref(node),
            address(wanted, "B", self.tables.multisets),
            address(scores, "q", self.tables.codes, True),
            address(solves, "B", self.tables.codes, True),
        )  # fmt: skip

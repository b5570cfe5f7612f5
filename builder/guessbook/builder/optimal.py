"""The scorers of `optimal` and `win`, which search by branch and bound in the engine."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np

from guessbook.book.file import LIMITS
from guessbook.book.games.game import Game
from guessbook.builder.arrays import Integers, Integers2D, symbols_of
from guessbook.builder.games import ranker_of, scorer_of
from guessbook.builder.lookahead import are_optimal, splits_all
from guessbook.builder.scorers import Batch, level_of, node_sums, one_step_scorer, step
from guessbook.builder.scoring import NodeScorer, Scorer
from guessbook.engine.sets import (
    IMPOSSIBLE,
    LANES,
    MAX_LEFT,
    PLACES,
    Columns,
    Problem,
    Set,
    SetSearch,
    SetTable,
)
from guessbook.policy.candidates import lane_bytes
from guessbook.policy.optimal import Optimal, reach
from guessbook.policy.policy import POLICIES
from guessbook.policy.win import Win

# Up to this number of candidates, the minimum over all splits is quick to compute, so it may be
# used as a bound.
EXACT = 256


def even_row(below: list[int], left: int, cells: int) -> list[int]:
    """Return lower bounds of the total number of guesses for 0, 1, ... candidates, by even splits.

    The guess solves one candidate and splits the others into `cells` cells. `below[k]` is a lower
    bound for a cell of k candidates. Without a limit of guesses (`left` is MAX_LEFT), a cell has
    the bounds of the new row, so `below` itself is filled and returned.
    """
    row = below if left == MAX_LEFT else below.copy()
    for n in range(2, len(below)):
        small, large = divmod(n - 1, cells)
        cost = n + large * below[small + 1] + (cells - large) * below[small]
        row[n] = min(cost, IMPOSSIBLE)
    return row


def fill_exact(row: Integers, below: Integers, cells: int, others: int) -> None:
    """Fill `row` with lower bounds of the total number of guesses for 0, 1, ... candidates.

    A bound is the minimum over all ways to split the candidates.

    `below[k]` is a lower bound for a cell of k candidates. A guess that may be the secret gives
    "solved" and at most `cells` other cells; any other guess gives at most `others` cells.
    """
    most = max(cells, others)
    # least[k, n] is the least sum of bounds if n candidates are split into at most k cells.
    least = np.full((most + 1, len(row)), IMPOSSIBLE, np.int64)
    least[:, 0] = 0
    least[1:, 1:2] = below[1:2]
    for n in range(2, len(row)):
        # split[k] is the least sum of bounds if n candidates are split into 2 to k cells.
        sums = below[1:n] + least[:most, n - 1 : 0 : -1]
        split = np.append(IMPOSSIBLE, np.minimum(sums.min(axis=1), IMPOSSIBLE))
        row[n] = min(n + min(split[others], least[cells, n - 1]), IMPOSSIBLE)
        least[1:, n] = np.minimum(below[n], split[1:])
        least[1, n] = below[n]


# The transposition table has an entry of 16 bytes for every 4 (guess, secret) pairs of the game
# (PAIRS). It takes 1 MiB to 512 MiB, or less if the memory is limited.
PAIRS, FEWEST_ENTRIES, MOST_ENTRIES = 4, 1 << 16, 1 << 25
# The search uses the symmetries of each cell if three conditions hold. The feedbacks to 3 guesses
# (DEEP) are too few to separate all secrets. The node has more than 80 candidates (SMALL). At most
# 1/16 of the guesses (KINDS) remain when equivalent guesses are omitted.
KINDS, SMALL, DEEP = 16, 80, 3
# The trees of the one-step policies QUICK give upper bounds of the cost. If the number of guesses
# is limited, CAREFUL is used, too: this policy needs few guesses in the worst case.
QUICK, CAREFUL = ("parts", "entropy-corrected"), "minimax"
# The largest number of feedbacks that are computed at once, to limit the memory.
ROWS = 1 << 22


class OptimalScorer(NodeScorer):
    """The scorer of the policy `optimal`: it searches for the guess of least cost."""

    # If true, a cost is the weight of the secrets not found in `within` guesses, else a total
    # number of guesses.
    missed = False
    # The number of best-ranked openings for which `quick_cost` computes an upper bound of the cost.
    promising = 24
    together = 1  # the least number of guesses that one task tries, unless fewer remain

    def __init__(self, game: Game, policy: Optimal | Win, memory: int) -> None:
        if policy.base.consistent_only:
            # Hard mode allows every candidate, so it has no effect if only candidates are guessed.
            policy = replace(policy, base=policy.base._replace(hard_mode=False))
        super().__init__(one_step_scorer(game, policy.base))
        self.policy, self.ranker = policy, ranker_of(game, policy.base)
        fitting = policy.base.consistent_only
        # `columns`: the guess of each column of the feedback table. `places`: the column of each
        # guess, or -1 for none.
        self.columns = self.homes if fitting else np.arange(len(game.guesses), dtype=np.uint32)
        self.places = np.full(len(game.guesses), -1, np.int64)
        self.places[self.columns] = np.arange(len(self.columns))
        self.problem = self.prepare_problem(self._problem(fitting), memory)
        pairs = len(self.columns) * len(self.homes)
        entries = min(max(pairs // PAIRS, FEWEST_ENTRIES), MOST_ENTRIES)
        copies = memoryview(self.problem.rows).nbytes
        room = max((memory - self.problem.table.nbytes - copies) // 16, 1)
        # The number of entries is a power of two: large enough for the game, but within the memory.
        entries = min(1 << (entries - 1).bit_length(), 1 << room.bit_length() - 1)
        self.search = SetSearch(self.problem, SetTable(max(entries, PLACES)))
        # The cost of the tree of each policy in `quick` is an upper bound of the optimal cost.
        limits = {option: getattr(policy.base, option) for option in LIMITS}
        self.quick = [
            one_step_scorer(game, POLICIES[name]._replace(**limits)) for name in self.quick_names()
        ]

    def _problem(self, fitting: bool) -> Problem:
        """Return the game as a table for the engine; only feedbacks that occur have numbers."""
        game, secrets = self.game, np.arange(len(self.homes), dtype=np.uint32)
        plain = scorer_of(game, self.policy.base)
        block = max(1, ROWS // len(secrets))
        met = np.zeros(game.feedbacks, np.uint8)
        kind = np.dtype(f"u{lane_bytes(game)}")
        table = np.empty((len(secrets), len(self.columns)), kind)
        for start in range(0, len(self.columns), block):
            some = self.columns[start : start + block]
            feedbacks = plain.table(some, secrets)
            table[:, start : start + len(some)] = feedbacks.T
            met[np.unique(feedbacks)] = 1
        occurring = np.flatnonzero(met)
        answers = len(occurring)
        if answers < game.feedbacks:
            numbers = (np.cumsum(met) - 1).astype(kind)
            for row in table:
                row[:] = numbers[row]
        # The hash keys of the secrets are random, but must be the same in every run, so the seed is
        # fixed.
        names = np.random.default_rng(1).integers(1, 1 << 63, len(secrets)).astype(np.uint64)
        letters, marks = np.zeros((0, 0), np.uint32), np.zeros((0, 0), np.uint8)
        if self.policy.base.hard_mode:
            letters = symbols_of(game.guesses, game.length)
            formatted = [list(game.format_feedback(feedback)) for feedback in occurring.tolist()]
            marks = np.array(formatted, "U1").astype(np.uint8)
        homes = self.places[self.homes]
        bounds = self.bounds_below(len(secrets), *most_answers(table, homes, answers))
        usual = 2 * np.arange(len(secrets) + 1) - 1
        unusual = np.flatnonzero(bounds[MAX_LEFT, 1:] != usual[1:])
        known = int(unusual[0]) if len(unusual) and not self.missed else len(secrets)
        if game.weights is not None:
            known = 0  # With weights, the engine computes better bounds.
        return Problem(
            table, homes, names, self.weights, bounds, np.ascontiguousarray(np.diff(bounds)),
            letters, marks, len(secrets), len(self.columns), answers, known, fitting,
            letters.shape[1], self.missed, self.policy.spare,
        )  # fmt: skip

    def left(self, path: Integers) -> int:
        """Return the number of guesses left after those in `path`; MAX_LEFT without a limit.

        Repeated guesses count once.
        """
        left = self.policy.left(len(np.unique(path)))
        return MAX_LEFT if left is None else left

    def bounds_below(self, size: int, answers: int, others: int) -> Integers2D:
        """Return lower bounds of the cost of 0 to `size` candidates: int64[MAX_LEFT + 1, size + 1].

        Entry [left, n] is the bound for n candidates if `left` guesses are left.

        `answers` is the largest number of feedbacks to a guess that may be the secret, including
        "solved". `others` is the largest number of feedbacks to a guess that cannot be the secret;
        0 if there are no such guesses.
        """
        bounds = np.full((MAX_LEFT + 1, size + 1), IMPOSSIBLE, np.int64)
        bounds[:, 0] = 0
        bounds[1:, 1:2] = 1
        cells = answers - 1
        # Above EXACT candidates, the cheapest split takes too long to compute; a split into equal cells
        # gives a good bound.
        exact = cells < others and size <= EXACT
        if not exact:
            cells = max(cells, others)
        for left in range(2, (MAX_LEFT if cells else 1) + 1):
            row = bounds[left]
            below = bounds[left - 1] if left < MAX_LEFT else row
            if exact:
                fill_exact(row, below, cells, others)
            else:
                row[:] = even_row(below.tolist(), left, cells)
        return bounds

    def own_cost(self, candidates: Integers, left: int) -> int:
        """Return the cost of a guess without that of its cells: the weight of all candidates."""
        return int(self.weights[candidates].sum())

    def is_settled(self, size: int, left: int) -> bool:
        """Return whether the bound for `size` candidates and `left` guesses is the exact cost."""
        return size <= 2

    def prepare_problem(self, problem: Problem, memory: int) -> Problem:
        """Return the problem (the game as a table).

        Subclasses add tables for speed, within `memory` bytes in all.
        """
        return problem

    def quick_names(self) -> tuple[str, ...]:
        """Return the names of one-step policies whose trees give upper bounds of the least cost."""
        return QUICK if self.policy.left(0) is None else (*QUICK, CAREFUL)

    def played_cost(self, unsolved: list[int], left: int) -> int:
        """Return the cost of a strategy, or IMPOSSIBLE if it needs more than `left` guesses.

        `unsolved` has, for each guess, the total weight of the secrets that are not solved before
        it.
        """
        return sum(unsolved) if len(unsolved) <= left else IMPOSSIBLE

    def prepare(
        self, candidates: Integers, path: Integers, guesses: Sequence[int], limit: int, left: int
    ) -> None:
        """Compute and store lower bounds for the cells of several guesses together, if possible."""
        # It is possible if 3 guesses are left, and `prepare_problem` has added blocks of guesses.
        if left == 3 and len(self.problem.peaks) and len(candidates) > left:
            columns = self.places[np.array(guesses)].astype(np.uint32)
            self.search.bound_cells(self.set(candidates, path, left), columns, limit)

    def is_one_ply(self, left: int) -> bool:
        """Return whether the one-ply bound (`one_ply_bounds`) is exact if `left` guesses remain."""
        return self.missed and left <= 2 and not self.policy.spare

    def set(self, candidates: Integers, path: Integers, left: int) -> Set:
        """Return the candidates of a node as a set for the engine, the heaviest candidate first."""
        order = np.argsort(-self.weights[candidates], kind="stable")
        heaviest = candidates[order].astype(np.uint32, copy=False)
        if not self.problem.length:
            return Set(heaviest, left)
        allowed = self.ranker.allowed_guesses(candidates, path).astype(np.int32)
        name = sha256(b"\0" + np.unique(path).tobytes()).digest()
        return Set(heaviest, left, allowed, int.from_bytes(name[:8], "little"))

    def ranking(self, candidates: Integers, path: Integers) -> Integers:
        """Return one of each set of equivalent guesses at a node, the best-ranked first: uint32."""
        ranked = self.ranker.whole(candidates, path)
        if len(ranked) < len(self.columns) or self.problem.length:
            # The ranking has one guess of each set, or the policy limits the guesses: all are
            # tried.
            return ranked
        return ranked[np.isin(ranked, self.ranker.scorer.inequivalent(candidates, path))]

    def size_bounds(
        self, candidates: Integers, path: Integers, guesses: Integers, left: int
    ) -> Integers:
        """Return a lower bound of the cost of each guess, from the sizes of its cells: int64."""
        columns = self.places[guesses].astype(np.uint32)
        bounds = self.search.bounds(self.set(candidates, path, left), columns)
        return np.frombuffer(bounds, np.int64)

    def useful_columns(self, candidates: Integers, path: Integers) -> Columns:
        """Return the columns of the guesses to try at a node: one per set of equivalent guesses.

        All columns are returned if few guesses are equivalent, in hard mode, or if only candidates
        may be guessed. Otherwise, only the rows of `candidates` are valid.
        """
        table: Integers2D = self.problem.table
        if not self.problem.fitting and not self.problem.length:
            some = self.ranker.scorer.inequivalent(candidates, path)
            # Copying these columns takes time, so they are only copied if they are less than half
            # of the table.
            if 2 * len(some) < table.shape[1]:
                narrow = np.empty((len(table), len(some)), table.dtype)
                narrow[candidates] = table[np.ix_(candidates, some)]
                return Columns(narrow, len(some))
        return self.search.whole

    def one_ply_bounds(self, cells: Batch, left: int) -> Integers:
        """Return the one-ply bound of each cell, the lowest bound of any guess: int64[cells]."""
        table = self.useful_columns(cells.candidates, cells.paths[:1].ravel())
        # A book may state these bounds, so they must not depend on earlier searches.
        memory = SetTable(FEWEST_ENTRIES)
        known = [
            self.search.probe(self.set(cells.node(index).candidates, path, left), table, memory)
            for index, path in enumerate(cells.paths)
        ]
        return np.array(known, np.int64) >> 2

    def quick_cost(self, batch: Batch, guess: int | None, left: int) -> int:
        """Return the lowest cost of a node's subtree by any of the one-step policies in `quick`.

        See `tree_cost`.
        """
        return min(self.tree_cost(plain, batch, guess, left) for plain in self.quick)

    def tree_cost(self, scorer: Scorer, batch: Batch, guess: int | None, left: int) -> int:
        """Return the cost of a node's subtree if the policy of `scorer` chooses the guesses.

        If `guess` is not None, the subtree begins with this guess. `batch` has only the node.
        """
        below = batch if guess is None else step(scorer, batch, guess)[1]
        unsolved = [] if guess is None else [int(self.weights[batch.candidates].sum())]
        while len(below.feedback) and len(unsolved) <= left:
            unsolved.append(int(node_sums(below, self.weights).sum()))
            below = step(scorer, below)[1] if len(unsolved) <= left else below
        return self.played_cost(unsolved, left)

    def separates(self, candidates: Integers, guess: int) -> bool:
        """Return whether a guess has a column in the feedback table, and splits the candidates."""
        if not 0 <= guess < len(self.places) or self.places[guess] < 0:
            return False
        answers = self.problem.table[candidates, self.places[guess]]
        return bool((answers != answers[0]).any())

    def try_guess(
        self, candidates: Integers, path: Integers, guess: int, limit: int, left: int
    ) -> int:
        """Return the cost of a guess at a node if it is at most `limit`, else a lower bound.

        The lower bound is above `limit`.
        """
        below = self.useful_columns(candidates, np.append(path, np.uint32(guess)))
        if self.is_symmetric(len(candidates), below):
            return self.cost_by_cells(candidates, path, guess, limit, left)
        some, place = self.set(candidates, path, left), int(self.places[guess])
        return self.search.cost(some, limit, self.search.whole, below, place)

    def is_symmetric(self, n: int, table: Columns) -> bool:
        """Return whether to search below a node of n candidates using symmetries of each cell."""
        # With many feedbacks, cells are small, and computing their symmetries takes longer than the
        # search.
        deep = self.problem.answers**DEEP < len(self.homes)
        return deep and n > SMALL and KINDS * table.width <= len(self.columns)

    def cost(self, candidates: Integers, path: Integers, limit: int, left: int) -> int:
        """Return the cost of a node if it is at most `limit`, else a lower bound above `limit`."""
        table, some = self.useful_columns(candidates, path), self.set(candidates, path, left)
        if not self.is_symmetric(len(candidates), table):
            return self.search.cost(some, limit, table, self.search.whole)
        known = self.search.probe(some, table)
        if known & 1 or known >> 2 > limit:
            return known >> 2
        guesses = self.ranker.scorer.inequivalent(candidates, path)
        bounds = self.size_bounds(candidates, path, guesses, left)
        best = limit + 1
        for place in np.argsort(bounds, kind="stable").tolist():
            if bounds[place] >= best:
                break
            found = self.cost_by_cells(candidates, path, int(guesses[place]), best - 1, left)
            best = min(best, found)
        self.search.store(some, 4 * best + (3 if best <= limit else 2))
        return best

    def cost_by_cells(
        self, candidates: Integers, path: Integers, guess: int, limit: int, left: int
    ) -> int:
        """Return the same result as `try_guess`, computed with the symmetries of each cell."""
        path, whole = np.append(path, np.uint32(guess)), self.search.whole
        after = left - 1 if left < MAX_LEFT else left
        answers = self.problem.table[candidates, self.places[guess]]
        met = np.unique(answers)
        if len(met) == 1:
            return IMPOSSIBLE  # the guess does not split the candidates
        cells = [candidates[answers == answer] for answer in met[met < self.problem.answers - 1]]
        bounds = [self.search.probe(self.set(cell, path, after), whole) >> 2 for cell in cells]
        total = self.own_cost(candidates, left) + sum(bounds)
        for cell, bound in sorted(zip(cells, bounds, strict=True), key=lambda pair: len(pair[0])):
            if total > limit:
                break
            total += self.cost(cell, path, limit - (total - bound), after) - bound
        return min(total, IMPOSSIBLE)

    def start(
        self, candidates: Integers, starts: Integers, paths: Integers2D
    ) -> tuple[Integers, list[int]]:
        """Return the one-step policy's guesses, and the nodes where another guess may be better."""
        best, _ = self.plain.choose(candidates, starts, paths)
        proven = are_optimal(self, level_of(candidates, starts, paths), best)
        return best, np.flatnonzero(~proven).tolist()

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return the optimal guess of a node, and the number of guesses tried.

        `first` is the best-ranked guess.
        """
        before, left = self.search.tried, self.left(path)
        known = self.search.probe(self.set(candidates, path, left), self.search.whole)
        cost = known >> 2 if known & 1 else self.cost(candidates, path, IMPOSSIBLE - 1, left)
        if cost >= IMPOSSIBLE:
            # No strategy meets the limit of guesses, so the limit is ignored.
            left = MAX_LEFT
            cost = self.cost(candidates, path, IMPOSSIBLE - 1, left)
        # The guess `first` usually has this cost; then the other guesses need not be ranked.
        guess = self.first_of(candidates, path, np.array([first]), cost, left)
        if guess < 0:
            guess = self.first_of(candidates, path, self.ranking(candidates, path), cost, left)
        return guess, self.search.tried - before

    def first_of(
        self, candidates: Integers, path: Integers, guesses: Integers, cost: int, left: int
    ) -> int:
        """Return the first of `guesses` whose cost is at most `cost`; -1 if there is none."""
        bounds = self.size_bounds(candidates, path, guesses, left)
        some, whole = self.set(candidates, path, left), self.search.whole
        for guess in guesses[bounds <= cost].tolist():
            if self.search.cost(some, cost, whole, whole, int(self.places[guess])) <= cost:
                return int(guess)
        return -1


def most_answers(table: Integers2D, homes: Integers, answers: int) -> tuple[int, int]:
    """Return the largest number of feedbacks to a guess that may be the secret, and to others."""
    others = np.ones(table.shape[1], np.bool_)
    others[homes[homes >= 0]] = False
    # More than 64 feedbacks, as in word games, do not fit into the bits of `met`. The result is
    # then the upper bound `answers`, and 0, because any second number below `answers` gives equal
    # bounds.
    if answers > 64 or not others.any():
        return answers, 0
    met = np.bitwise_or.reduce(np.uint64(1) << table.astype(np.uint64), axis=0)
    counts = np.bitwise_count(met)
    return int(counts[~others].max(initial=1)), int(counts[others].max())


# The value of `together` if `win` uses blocks of guesses. It must equal BATCH in sets.h: the engine
# takes BATCH guesses at a time, and computes the bounds of their cells together.
TOGETHER = 32


class WinScorer(OptimalScorer):
    """The scorer of the policy `win`: a cost is the weight of missed candidates."""

    policy: Win
    missed = True
    # Upper bounds from more openings do not pay: playing one opening takes about as long as the
    # search itself.
    promising = 1

    def bounds_below(self, size: int, answers: int, others: int) -> Integers2D:
        """Return lower bounds of the number of missed candidates; see `OptimalScorer`."""
        bounds = np.zeros((MAX_LEFT + 1, size + 1), np.int64)
        spare, most = self.policy.spare, max(answers - 1, others)
        for left in range(MAX_LEFT):
            if left >= spare:
                found = min(reach(answers - 1, most, left - spare), size)
                bounds[left] = np.maximum(np.arange(size + 1) - found, 0)
            if spare:
                bounds[left, reach(answers - 1, most, left) + 1 :] = IMPOSSIBLE
        return bounds

    def own_cost(self, candidates: Integers, left: int) -> int:
        """Return the weight of the candidates if the guess is the first beyond `within`, else 0."""
        return int(self.weights[candidates].sum()) if 0 < left == self.policy.spare else 0

    def is_settled(self, size: int, left: int) -> bool:
        spare = self.policy.spare
        if size <= max(2, left - spare) or left < 1:
            return True
        return size <= left <= spare if spare else left < 2

    def is_feasible(self, candidates: Integers, path: Integers) -> bool:
        """Return whether some strategy meets `max_guesses`; True if there is no such limit."""
        left = self.left(path)
        return not self.policy.spare or (
            left > 0 and self.cost(candidates, path, IMPOSSIBLE - 1, left) < IMPOSSIBLE
        )

    def start(
        self, candidates: Integers, starts: Integers, paths: Integers2D
    ) -> tuple[Integers, list[int]]:
        best, _ = self.plain.choose(candidates, starts, paths)
        batch, nodes = level_of(candidates, starts, paths), []
        splits = splits_all(*step(self.plain, batch, best)[:2])
        for node in np.flatnonzero(batch.sizes > 1).tolist():
            left = self.left(paths[node]) - self.policy.spare
            # With one guess left, another may be better than this one. With two or more, it can be
            # better only if this guess does not separate all candidates, and fewer guesses are left
            # than candidates. Beyond the limit, another may find every candidate in time.
            if (
                left == 1
                or (left > 1 and not splits[node] and batch.sizes[node] > left)
                or (left < 1 and self.policy.spare)
            ):
                nodes.append(node)
        return best, nodes

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return the guess of a node, and the number of guesses tried.

        `first` is the best-ranked guess.
        """
        if self.left(path) > 1 or self.policy.spare:
            return super().guess(candidates, path, first)
        # The last guess is the best-ranked of the heaviest candidates.
        weights = self.weights[candidates]
        heaviest = self.homes[candidates[weights == weights.max()]]
        if first in heaviest:
            return first, 0
        scores, _ = self.ranker.scorer.scores(candidates, path, heaviest)
        # The indices in `heaviest` ascend, so argmax picks the lowest index with the highest score.
        return int(heaviest[scores.argmax()]), 0

    def quick_names(self) -> tuple[str, ...]:
        # With two guesses left, `parts` finds the most secrets. `max_guesses` needs policies with a
        # good worst case, too.
        return (*QUICK, CAREFUL) if self.policy.spare else ("parts",)

    def prepare_problem(self, problem: Problem, memory: int) -> Problem:
        """Return the problem with the arrays of `blocks_of`, if these save time and fit."""
        alike = self.game.weights is None and 64 < problem.answers <= 256
        # The table and the arrays are about equally large, and must leave a quarter of `memory` for
        # other tables.
        fits = 2 * problem.table.nbytes <= memory // 4 * 3
        if not (alike and fits) or problem.fitting or problem.length or problem.spare:
            return problem
        rows, peaks = blocks_of(problem.table, problem.answers)
        self.together = TOGETHER
        # The largest number of cells of any guess. A cell with only the guess itself counts, too.
        most = int(peaks[0])
        bounds = self.bounds_below(problem.secrets, most, most)
        steps = np.ascontiguousarray(np.diff(bounds))
        return problem._replace(rows=rows, peaks=peaks, bounds=bounds, steps=steps)

    def played_cost(self, unsolved: list[int], left: int) -> int:
        """Return the weight that a strategy misses: that of the unsolved secrets at the limit.

        Return IMPOSSIBLE if the strategy needs more than `max_guesses`.
        """
        spare = self.policy.spare
        if spare and len(unsolved) > left:
            return IMPOSSIBLE
        return unsolved[left - spare] if spare <= left < len(unsolved) + spare else 0


def blocks_of(table: Integers2D, answers: int) -> tuple[Any, Integers]:
    """Divide the guesses into blocks of LANES guesses, and return two arrays.

    Rows: for each guess, the index of each secret's cell, uint8[blocks, secrets, LANES]. The
    largest cell is cell 0. Peaks: the largest number of cells of any guess in each block,
    int64[blocks].
    """
    # Guesses with more cells come first, so the first guess of each block has the most cells.
    guesses = np.arange(table.shape[1])
    counts = np.zeros((answers, len(guesses)), np.int16 if len(table) < 1 << 15 else np.int64)
    for row in table:
        counts[row, guesses] += 1
    parts = (counts > 0).sum(axis=0)
    order = np.argsort(-parts, kind="stable")
    largest = np.argsort(-counts, axis=0, kind="stable")
    labels = np.empty((answers, len(guesses)), np.uint8)
    np.put_along_axis(labels, largest, np.arange(answers, dtype=np.uint8)[:, None], axis=0)
    blocks = -(-len(guesses) // LANES)
    rows = np.zeros((blocks, len(table), LANES), np.uint8)
    room = np.zeros(blocks * LANES, np.uint8)
    for secret, row in enumerate(table):
        room[: len(guesses)] = labels[row, guesses][order]
        rows[:, secret] = room.reshape(blocks, LANES)
    return rows, parts[order[::LANES]].astype(np.int64)

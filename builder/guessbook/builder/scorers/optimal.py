"""Optimal play: the least cost of each node, by branch and bound, and the guess that reaches it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import numpy as np

from guessbook.book.file.container import LIMITS
from guessbook.book.games.game import Game
from guessbook.book.games.weights import secret_weights
from guessbook.builder.arrays import Chosen, Integers, Integers2D
from guessbook.builder.games.hard_mode import letter_table
from guessbook.builder.games.ranking import whole_ranking
from guessbook.builder.games.scoring import scoring_of
from guessbook.builder.games.split_bounds import bounds_below
from guessbook.builder.scorers.batch import Batch, step, weighed
from guessbook.builder.scorers.one_step import one_step_scorer
from guessbook.builder.scorers.ranked import RankedScorer
from guessbook.builder.scorers.scorer import Derived
from guessbook.builder.scorers.trial import level_of, settled
from guessbook.kernels.sets import (
    IMPOSSIBLE,
    MAX_LEFT,
    PLACES,
    Columns,
    Problem,
    Set,
    SetSearch,
    SetTable,
)
from guessbook.policy.one_step import POLICIES
from guessbook.policy.optimal import Optimal
from guessbook.policy.search.search import lane_bytes
from guessbook.policy.win import Win

# The transposition table has one entry of 16 bytes for each PAIRS pairs of a guess and a secret,
# and at least FEWEST_ENTRIES and at most MOST_ENTRIES (1 and 512 MiB).
PAIRS, FEWEST_ENTRIES, MOST_ENTRIES = 4, 1 << 16, 1 << 25
# Sets of more than SMALL candidates are searched one by one, each with the symmetries of its
# history, where symmetry leaves at most one guess in KINDS, and DEEP guesses cannot tell all
# secrets apart.
KINDS, SMALL, DEEP = 16, 80, 3
# The one-step policies whose trees are upper bounds; where guesses are limited, one that keeps to
# few besides.
QUICK, CAREFUL = ("parts", "entropy-corrected"), "minimax"
# Feedbacks that are computed at once.
ROWS = 1 << 22


class OptimalScorer(Derived):
    """A game and the policy `optimal`: see `guessbook.policy.optimal`.

    `scorers.win` derives from it: that search has another cost.

    Attributes:
        policy: the policy.
        missed: whether the cost is the weight that is not found, see `Problem` in sets.h.
        together: how many guesses are best tried by one task.
        promising: for how many openings, the first in the ranking, one-step policies play on.
        columns: uint32, the guesses that the columns of the table stand for.
        problem: the game.
        search: its search in the engine.
        quick: the scorers of one-step policies, whose trees are upper bounds.
    """

    missed, promising, together = False, 24, 1

    def __init__(self, game: Game, policy: Optimal | Win, memory: int) -> None:
        if policy.base.consistent_only:
            # Hard mode allows whatever may be the secret.
            policy = policy._replace(base=policy.base._replace(hard_mode=False))
        super().__init__(one_step_scorer(game, policy.base))
        self.policy = policy
        self.ranker = scoring_of(game).ranker(game, policy.base)
        fitting = policy.base.consistent_only
        self.columns = self.homes if fitting else np.arange(len(game.guesses), dtype=np.uint32)
        self.places = np.full(len(game.guesses), -1, np.int64)
        self.places[self.columns] = np.arange(len(self.columns))
        self.problem = self.prepared(self._problem(fitting), memory)
        pairs = len(self.columns) * len(self.homes)
        entries = min(max(pairs // PAIRS, FEWEST_ENTRIES), MOST_ENTRIES)
        copies = memoryview(self.problem.rows).nbytes
        room = max((memory - self.problem.table.nbytes - copies) // 16, 1)
        # Powers of two: as many as the game is worth, but no more than there is room for.
        entries = min(1 << (entries - 1).bit_length(), 1 << room.bit_length() - 1)
        self.search = SetSearch(self.problem, SetTable(max(entries, PLACES)))
        limits = {option: getattr(policy.base, option) for option in LIMITS}
        self.quick = [
            one_step_scorer(game, POLICIES[name]._replace(**limits)) for name in self.quick_names()
        ]

    def _problem(self, fitting: bool) -> Problem:
        """The game as a table whose feedbacks are numbered without gaps."""
        game, secrets = self.game, np.arange(len(self.homes), dtype=np.uint32)
        plain = scoring_of(game).scorer(game, self.policy.base._replace(
            consistent_only=False, hard_mode=False))  # fmt: skip
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
        # Any words will do, as long as they are the same in every run.
        names = np.random.default_rng(1).integers(1, 1 << 63, len(secrets)).astype(np.uint64)
        letters, marks = np.zeros((0, 0), np.uint32), np.zeros((0, 0), np.uint8)
        if self.policy.base.hard_mode:
            letters = letter_table(game)  # type: ignore[arg-type]
            marks = np.array([list(game.format_feedback(f)) for f in occurring.tolist()], "U1")
            marks = marks.astype(np.uint8)
        homes = self.places[self.homes]
        bounds = self.bounds_below(len(secrets), *most_answers(table, homes, answers))
        usual = 2 * np.arange(len(secrets) + 1) - 1
        unusual = np.flatnonzero(bounds[MAX_LEFT, 1:] != usual[1:])
        known = int(unusual[0]) if len(unusual) and not self.missed else len(secrets)
        if secret_weights(game) is not None:
            known = 0  # by weight a bound always says more
        return Problem(
            table, homes, names, self.weights, bounds, np.ascontiguousarray(np.diff(bounds)),
            letters, marks, len(secrets), len(self.columns), answers, known, fitting,
            letters.shape[1], self.missed,
        )  # fmt: skip

    def prepared(self, problem: Problem, memory: int) -> Problem:
        """Return a problem with what makes its search quicker, if that many bytes hold it."""
        return problem

    def quick_names(self) -> tuple[str, ...]:
        """Return the one-step policies whose trees are upper bounds."""
        return QUICK if self.policy.left(0) is None else (*QUICK, CAREFUL)

    def bounds_below(self, size: int, answers: int, others: int) -> Integers2D:
        """Return what 0 to `size` candidates cost at least: see `split_bounds.bounds_below`."""
        return bounds_below(size, answers, others)

    def own_cost(self, candidates: Integers) -> int:
        """Return what a guess costs by itself, besides its cells: one for each candidate."""
        return int(self.weights[candidates].sum())

    def played_cost(self, unsolved: list[int], left: int) -> int:
        """Return what a strategy costs, by the weights that are unsolved before each guess."""
        return sum(unsolved) if len(unsolved) <= left else IMPOSSIBLE

    def is_settled(self, size: int, left: int) -> bool:
        """Return whether a bound by size is the exact cost of `size` candidates."""
        return size <= 2

    def prepare(
        self, candidates: Integers, path: Integers, guesses: Sequence[int], limit: int, left: int
    ) -> None:
        """Bound the cells of some guesses of a node together, where that is quicker."""

    def is_one_ply(self, left: int) -> bool:
        """Return whether a look at every guess finds the cost of a set."""
        return False

    def left(self, path: Integers) -> int:
        """How many guesses there may be after those of a path, which may repeat its first one."""
        left = self.policy.left(len(np.unique(path)))
        return MAX_LEFT if left is None else left

    def key(self, candidates: Integers, path: Integers, left: int) -> bytes:
        """What the guess of a node depends on: in hard mode its history as well."""
        history = np.unique(path) if self.problem.length else path[:0]
        return candidates.tobytes() + bytes([left]) + history.tobytes()

    def set(self, candidates: Integers, path: Integers, left: int) -> Set:
        """The candidates of a node for the engine, the heaviest first."""
        order = np.argsort(-self.weights[candidates], kind="stable")
        heaviest = candidates[order].astype(np.uint32, copy=False)
        if not self.problem.length:
            return Set(heaviest, left)
        allowed = self.ranker.allowed(candidates, path).astype(np.int32)
        name = sha256(self.key(path[:0], path, 0)).digest()
        return Set(heaviest, left, allowed, int.from_bytes(name[:8], "little"))

    def ranking(self, candidates: Integers, path: Integers) -> Integers:
        """The guesses of a node that are not equivalent, as the base ranks them: uint32."""
        ranked = whole_ranking(self.ranker, candidates, path)
        if len(ranked) < len(self.columns) or self.problem.length:
            return ranked  # the scores left them out already
        return ranked[np.isin(ranked, self.ranker.inequivalent(candidates, path))]

    def even(self, candidates: Integers, path: Integers, guesses: Integers, left: int) -> Integers:
        """What each guess costs at least, by the sizes of its cells: int64."""
        columns = self.places[guesses].astype(np.uint32)
        bounds = self.search.bounds(self.set(candidates, path, left), columns)
        return np.frombuffer(bounds, np.int64)

    def narrowed(self, candidates: Integers, path: Integers) -> Columns:
        """The guesses at a node that no symmetry of its history makes superfluous."""
        table: Integers2D = self.problem.table
        if not self.problem.fitting and not self.problem.length:
            some = self.ranker.inequivalent(candidates, path)
            # Not worth a copy for less.
            if 2 * len(some) < table.shape[1]:
                narrow = np.empty((len(table), len(some)), table.dtype)
                narrow[candidates] = table[np.ix_(candidates, some)]
                return Columns(narrow, len(some))
        return self.search.whole

    def looks(self, cells: Batch, left: int) -> Integers:
        """What each cell of a guess costs at least, after a look one guess ahead: int64."""
        table = self.narrowed(cells.candidates, cells.paths[:1].ravel())
        # A memory of its own: a bound that is published is the same whatever was searched before.
        memory = SetTable(FEWEST_ENTRIES)
        known = [
            self.look(cells.node(index).candidates, path, left, table, memory)
            for index, path in enumerate(cells.paths)
        ]
        return np.array(known, np.int64) >> 2

    def look(
        self,
        candidates: Integers,
        path: Integers,
        left: int,
        table: Columns,
        memory: SetTable | None = None,
    ) -> int:
        """What is known of a node after a look at some guesses: see `SetEntry` in sets.h."""
        return self.search.look(self.set(candidates, path, left), table, memory)

    def quick_cost(self, batch: Batch, guess: int | None, left: int) -> int:
        """An upper bound for a node, with that guess: a one-step policy plays on."""
        costs = []
        for plain in self.quick:
            below = batch if guess is None else step(plain, batch, guess)[1]
            unsolved = [] if guess is None else [int(self.weights[batch.candidates].sum())]
            while len(below.feedback) and len(unsolved) <= left:
                unsolved.append(int(weighed(below, self.weights).sum()))
                below = step(plain, below)[1] if len(unsolved) <= left else below
            costs.append(self.played_cost(unsolved, left))
        return min(costs)

    def tells(self, candidates: Integers, guess: int) -> bool:
        """Whether a number is that of a guess which some candidates answer differently."""
        if not 0 <= guess < len(self.places) or self.places[guess] < 0:
            return False
        answers = self.problem.table[candidates, self.places[guess]]
        return bool((answers != answers[0]).any())

    def trial(self, candidates: Integers, path: Integers, guess: int, limit: int, left: int) -> int:
        """The cost of a guess if that is at most `limit`, else a bound above it."""
        below = self.narrowed(candidates, np.append(path, np.uint32(guess)))
        if self.is_symmetric(len(candidates), below):
            return self.weigh(candidates, path, guess, limit, left)
        return self.given(candidates, path, guess, limit, left, below)

    def given(
        self,
        candidates: Integers,
        path: Integers,
        guess: int,
        limit: int,
        left: int,
        below: Columns,
    ) -> int:
        """What a guess costs for a node, if that is at most `limit`, else a bound above it."""
        some, place = self.set(candidates, path, left), int(self.places[guess])
        return self.search.cost(some, limit, self.search.whole, below, place)

    def is_symmetric(self, n: int, table: Columns) -> bool:
        """Whether n candidates, with these guesses to try, are worth a look at symmetry below them.

        With few answers sets are still large where symmetry has much to say. With many, as in
        codes, they are not, and asking for the symmetries takes longer than the search.
        """
        deep = self.problem.answers**DEEP < len(self.homes)
        return deep and n > SMALL and KINDS * table.width <= len(self.columns)

    def cost(self, candidates: Integers, path: Integers, limit: int, left: int) -> int:
        """The cost of a node if that is at most `limit`, else a bound above it."""
        table, some = self.narrowed(candidates, path), self.set(candidates, path, left)
        if not self.is_symmetric(len(candidates), table):
            return self.search.cost(some, limit, table, self.search.whole)
        known = self.look(candidates, path, left, table)
        if known & 1 or known >> 2 > limit:
            return known >> 2
        guesses = self.ranker.inequivalent(candidates, path)
        even = self.even(candidates, path, guesses, left)
        best = limit + 1
        for place in np.argsort(even, kind="stable").tolist():
            if even[place] >= best:
                break
            found = self.weigh(candidates, path, int(guesses[place]), best - 1, left)
            best = min(best, found)
        known = 4 * best + (3 if best <= limit else 2)
        self.search.learn(some, known)
        return best

    def weigh(self, candidates: Integers, path: Integers, guess: int, limit: int, left: int) -> int:
        """The cost as `trial` gives it, found with a look at the symmetries of each cell."""
        whole, path = self.problem, np.append(path, np.uint32(guess))
        after = left - 1 if left < MAX_LEFT else left
        answers = whole.table[candidates, self.places[guess]]
        met = np.unique(answers)
        if len(met) == 1:
            return IMPOSSIBLE  # nothing is learned, which never helps
        cells = [candidates[answers == answer] for answer in met[met < whole.answers - 1]]
        bounds = [self.look(cell, path, after, self.search.whole) >> 2 for cell in cells]
        total = self.own_cost(candidates) + sum(bounds)
        for cell, bound in sorted(zip(cells, bounds, strict=True), key=lambda pair: len(pair[0])):
            if total > limit:
                break
            total += self.cost(cell, path, limit - (total - bound), after) - bound
        return total

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Choose the guess of each node; counts the guesses that were tried on the way."""
        best, _ = self.plain.choose(candidates, starts, paths)
        scored = np.zeros(len(best), np.int64)
        batch = level_of(candidates, starts, paths)
        for node in np.flatnonzero(~settled(self.plain, self.weights, batch, best)):
            own = candidates[starts[node] : starts[node + 1]]
            left = self.left(paths[node])
            best[node], scored[node] = self.best(own, paths[node], left, int(best[node]))
        return best, scored

    def best(self, candidates: Integers, path: Integers, left: int, first: int) -> tuple[int, int]:
        """The guess of a node, whose ranking begins with `first`, and how many were tried."""
        before = self.search.tried
        known = self.look(candidates, path, left, self.search.whole)
        cost = known >> 2
        if not known & 1:
            cost = self.cost(candidates, path, IMPOSSIBLE - 1, left)
        if cost >= IMPOSSIBLE:
            left = MAX_LEFT
            cost = self.cost(candidates, path, IMPOSSIBLE - 1, left)
        # More often than not the first one will do, and the others need not be ranked.
        guess = self.first_of(candidates, path, np.array([first]), cost, left)
        if guess < 0:
            ranked = self.ranking(candidates, path)
            guess = self.first_of(candidates, path, ranked, cost, left)
        return guess, self.search.tried - before

    def first_of(
        self, candidates: Integers, path: Integers, guesses: Integers, cost: int, left: int
    ) -> int:
        """The first of some guesses that leads to a cost; -1 if none does."""
        even = self.even(candidates, path, guesses, left)
        for guess in guesses[even <= cost].tolist():
            if self.given(candidates, path, guess, cost, left, self.search.whole) <= cost:
                return int(guess)
        return -1


def optimal_scorer(game: Game, policy: Optimal, memory: int) -> OptimalScorer | RankedScorer:
    """The scorer of a game and the policy `optimal`, with `memory` bytes for its tables."""
    make = OptimalScorer if policy.width is None else RankedScorer
    return make(game, policy, memory)


def most_answers(table: Integers2D, homes: Integers, answers: int) -> tuple[int, int]:
    """How many different feedbacks a guess that may be right gets at most, and one that cannot be.

    They are told apart where that may say something, with few feedbacks: of many, as in games of
    words, guesses of both kinds get about as many.
    """
    others = np.ones(table.shape[1], np.bool_)
    others[homes[homes >= 0]] = False
    if answers > 64 or not others.any():
        return answers, 0
    met = np.bitwise_or.reduce(np.uint64(1) << table.astype(np.uint64), axis=0)
    counts = np.bitwise_count(met)
    return int(counts[~others].max(initial=1)), int(counts[others].max())

"""Optimal play that tries only the best-ranked guesses of each node, by branch and bound."""

import numpy as np

from guessbook.book.games.game import Game
from guessbook.builder.arrays import Integers, Integers2D
from guessbook.builder.games.scoring import best_first, ranker_of, scorer_of
from guessbook.builder.games.split_bounds import bounds_below
from guessbook.builder.scorers.by_node import one_step_scorer
from guessbook.builder.scorers.scorer import NodeScorer
from guessbook.engine.sets import IMPOSSIBLE, MAX_LEFT
from guessbook.policy.optimal import Optimal
from guessbook.policy.win import Win

# The size in bytes of a transposition table entry, without its candidates.
ENTRY = 1000
# The largest number of cells that are counted at once; the counts take some tens of megabytes.
CELLS = 1 << 20


class SearchScorer(NodeScorer):
    """The base class of the scorers of `optimal` and `win`: they search for the guess of least cost."""

    def __init__(self, game: Game, policy: Optimal | Win) -> None:
        super().__init__(one_step_scorer(game, policy.base))
        self.policy, self.ranker = policy, ranker_of(game, policy.base)

    def left(self, path: Integers) -> int:
        """Return the number of guesses left after those in `path` (repeats count once); MAX_LEFT without a limit."""
        left = self.policy.left(len(np.unique(path)))
        return MAX_LEFT if left is None else left

    def bounds_below(self, size: int, answers: int, others: int) -> Integers2D:
        """Return lower bounds of the cost of 0 to `size` candidates. `split_bounds.bounds_below` explains the array."""
        return bounds_below(size, answers, others)

    def own_cost(self, candidates: Integers) -> int:
        """Return the cost of a guess without the costs of its cells: the total weight of the candidates."""
        return int(self.weights[candidates].sum())

    def is_settled(self, size: int, left: int) -> bool:
        """Return whether the lower bound of the cost of `size` candidates is exact if `left` guesses remain."""
        return size <= 2


class RankedScorer(SearchScorer):
    """The scorer of the policy `optimal` with a `width`. Its transposition table takes at most `memory` bytes."""

    def __init__(self, game: Game, policy: Optimal | Win, memory: int) -> None:
        super().__init__(game, policy)
        self.table = scorer_of(game, policy.base).table
        answers = sum(map(game.gives, range(game.feedbacks)))
        self.bounds = self.bounds_below(len(self.homes), answers, 0)
        # The transposition table: the cost and the guess of each node, or a lower bound of the cost and -1. The key
        # has the path, too, because the ranking of guesses depends on the history.
        self.known: dict[tuple[bytes, frozenset[int], int], tuple[int, int]] = {}
        self.memory = self.room = memory

    def is_settled(self, size: int, left: int) -> bool:
        """Return whether, for `size` candidates, the lower bound is exact and the first candidate is the best guess."""
        return size <= self.few

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return the optimal guess of a node, and the policy's width, which counts as the number of guesses scored."""
        cost, guess = self.best(candidates, path, self.left(path), IMPOSSIBLE - 1)
        if cost >= IMPOSSIBLE:
            guess = self.best(candidates, path, MAX_LEFT, IMPOSSIBLE - 1)[1]
        return guess, self.policy.width or 0

    def best(self, candidates: Integers, path: Integers, left: int, limit: int) -> tuple[int, int]:
        """Return two values: a node's cost and best guess, or a lower bound and -1 if the cost is above `limit`."""
        least = self.lower_bound(candidates, left)
        if least > limit:
            return least, -1
        if self.is_settled(len(candidates), left):
            return least, int(self.homes[candidates[0]])
        key = candidates.tobytes(), frozenset(path.tolist()), left
        cost, guess = self.known.get(key, (0, -1))
        if guess < 0 and cost <= limit:
            cost, guess = self.search(candidates, path, left, limit)
            self.store(key, cost, guess)
        return (cost, guess) if cost <= limit else (cost, -1)

    def lower_bound(self, candidates: Integers, left: int) -> int:
        """Return a lower bound of a node's cost if `left` guesses remain, computed as by `set_bound` in the engine."""
        if self.few > 1:
            return int(self.bounds[left, len(candidates)])
        # The k-th heaviest weight is multiplied by the increase of the bound from k - 1 to k candidates.
        weights = np.sort(self.weights[candidates])[::-1]
        cost = int(weights @ np.diff(self.bounds[left, : len(weights) + 1]))
        return min(cost, IMPOSSIBLE)

    def bounds_of_guesses(self, candidates: Integers, answers: Integers2D, left: int) -> Integers:
        """Return a lower bound of the cost of each guess: int64. `answers` has a row of feedbacks per guess."""
        if self.few > 1:
            # Games of long words have too many feedbacks to count the sizes of all cells at once.
            height = max(CELLS // self.game.feedbacks, 1)
            blocks = [answers[row : row + height] for row in range(0, len(answers), height)]
            return self.own_cost(candidates) + np.concatenate(
                [self.cell_bounds(b, left) for b in blocks]
            )
        below = [
            sum(self.lower_bound(c, left) for c in self.cells(candidates, row)) for row in answers
        ]
        return self.own_cost(candidates) + np.array(below)

    def cell_bounds(self, answers: Integers2D, left: int) -> Integers:
        """Return, for each guess, the sum of lower bounds of its cells. `answers` has a row of feedbacks per guess."""
        feedbacks = self.game.feedbacks
        rows = np.arange(len(answers))[:, None] * feedbacks
        cells = np.bincount((answers + rows).ravel(), minlength=len(answers) * feedbacks)
        sizes = cells.reshape(len(answers), -1)[:, : self.game.solved]
        costs: Integers = self.bounds[left][sizes].sum(axis=1)
        return costs

    def cells(self, candidates: Integers, answers: Integers) -> list[Integers]:
        """Return the cells of a guess from the feedbacks of the candidates, without the cell that the guess solves."""
        return [candidates[answers == f] for f in np.unique(answers) if f != self.game.solved]

    def store(self, key: tuple[bytes, frozenset[int], int], cost: int, guess: int) -> None:
        """Store the cost and the guess of a node in the transposition table. A full table is emptied first."""
        if key not in self.known:
            self.room -= len(key[0]) + ENTRY
        if self.room < 0:
            # Emptying the table costs little: the deepest nodes are needed most often, and are quick to search again.
            self.known.clear()
            self.room = self.memory - len(key[0]) - ENTRY
        self.known[key] = cost, guess

    def search(
        self, candidates: Integers, path: Integers, left: int, limit: int
    ) -> tuple[int, int]:
        """Try the best-ranked guesses of a node, the lowest bound first. Return the same two values as `best`."""
        guesses = best_first(self.ranker, candidates, path, self.policy.width or 1)
        answers = self.table(guesses, candidates).astype(np.int64)
        after = left - 1 if left < MAX_LEFT else left
        bounds = self.bounds_of_guesses(candidates, answers, after)
        best, place, guess = limit, len(guesses), -1
        for turn in np.argsort(bounds, kind="stable").tolist():
            # With equal costs the best-ranked guess wins, so a guess of lower rank must cost less.
            most = best - (turn > place)
            if bounds[turn] > best:
                break
            if bounds[turn] > most:
                continue
            below = np.append(path, guesses[turn])
            bound = int(bounds[turn])
            cost = self.cost(candidates, below, answers[turn], after, most, bound)
            if cost <= most:
                best, place, guess = cost, turn, int(guesses[turn])
        return (best, guess) if guess >= 0 else (best + 1, -1)

    def cost(
        self, candidates: Integers, path: Integers, answers: Integers, left: int, limit: int,
        total: int,
    ) -> int:  # fmt: skip
        """Return the cost of the last guess of `path` if it is at most `limit`, else a lower bound above the limit.

        `answers` has the feedbacks to this guess, and `total` is a lower bound of the cost.
        """
        cells = self.cells(candidates, answers)
        if len(cells) == 1 and len(cells[0]) == len(candidates):
            return IMPOSSIBLE
        for cell in sorted(cells, key=len):
            bound = self.lower_bound(cell, left)
            total += self.best(cell, path, left, limit - (total - bound))[0] - bound
            if total > limit:
                break
        return total

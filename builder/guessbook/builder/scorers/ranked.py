"""Optimal play among the best-ranked guesses of each node, by branch and bound.

A ranking depends on the history, so costs are stored for a set of candidates and its history.
"""

import numpy as np

from guessbook.book.games.game import Game
from guessbook.builder.arrays import Integers, Integers2D
from guessbook.builder.games.scoring import best_first, ranker_of, scorer_of
from guessbook.builder.games.split_bounds import bounds_below
from guessbook.builder.scorers.by_node import one_step_scorer
from guessbook.builder.scorers.scorer import NodeScorer
from guessbook.kernels.sets import IMPOSSIBLE, MAX_LEFT
from guessbook.policy.optimal import Optimal
from guessbook.policy.win import Win

# The bytes of an entry of the transposition table, without its candidates.
ENTRY = 1000
# The most cells of guesses that are counted together, in some tens of megabytes.
CELLS = 1 << 20


class SearchScorer(NodeScorer):
    """A game and a policy whose guess leads to the least cost, which a search finds."""

    def __init__(self, game: Game, policy: Optimal | Win) -> None:
        super().__init__(one_step_scorer(game, policy.base))
        self.policy, self.ranker = policy, ranker_of(game, policy.base)

    def left(self, path: Integers) -> int:
        """Return the number of guesses left after a path, which may repeat its first one."""
        left = self.policy.left(len(np.unique(path)))
        return MAX_LEFT if left is None else left

    def bounds_below(self, size: int, answers: int, others: int) -> Integers2D:
        """Return lower bounds for 0 to `size` candidates, as `split_bounds.bounds_below` does."""
        return bounds_below(size, answers, others)

    def own_cost(self, candidates: Integers) -> int:
        """Return the cost of a guess without its cells: one for each candidate, by weight."""
        return int(self.weights[candidates].sum())

    def is_settled(self, size: int, left: int) -> bool:
        """Return whether the lower bound of `size` candidates is their exact cost."""
        return size <= 2


class RankedScorer(SearchScorer):
    """A game and the policy `optimal` with a width; its table takes at most `memory` bytes."""

    def __init__(self, game: Game, policy: Optimal | Win, memory: int) -> None:
        super().__init__(game, policy)
        self.table = scorer_of(game, policy.base).table
        answers = sum(map(game.gives, range(game.feedbacks)))
        self.bounds = self.bounds_below(len(self.homes), answers, 0)
        # The cost and the guess of each node; with the guess -1 the cost is a lower bound.
        self.known: dict[tuple[bytes, frozenset[int], int], tuple[int, int]] = {}
        self.memory = self.room = memory

    def is_settled(self, size: int, left: int) -> bool:
        """Return whether the lower bound is exact, and the first candidate is the guess."""
        return size <= self.few

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return the guess of a node; the guesses of the width count as scored."""
        cost, guess = self.best(candidates, path, self.left(path), IMPOSSIBLE - 1)
        if cost >= IMPOSSIBLE:
            guess = self.best(candidates, path, MAX_LEFT, IMPOSSIBLE - 1)[1]
        return guess, self.policy.width or 0

    def best(self, candidates: Integers, path: Integers, left: int, limit: int) -> tuple[int, int]:
        """Return the cost of a node and its guess; if it is above `limit`, a lower bound and -1."""
        least = self.least(candidates, left)
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

    def least(self, candidates: Integers, left: int) -> int:
        """Return a lower bound for candidates with `left` guesses, as `set_bound` in sets.h."""
        if self.few > 1:
            return int(self.bounds[left, len(candidates)])
        # The heaviest first, each times the cost of one candidate more.
        weights = np.sort(self.weights[candidates])[::-1]
        cost = int(weights @ np.diff(self.bounds[left, : len(weights) + 1]))
        return min(cost, IMPOSSIBLE)

    def bounds_of_guesses(self, candidates: Integers, answers: Integers2D, left: int) -> Integers:
        """Return lower bounds for guesses with these feedbacks, by the sizes of cells: int64."""
        if self.few > 1:
            # Long words have too many feedbacks to count the cells of all guesses at once.
            height = max(CELLS // self.game.feedbacks, 1)
            blocks = [answers[row : row + height] for row in range(0, len(answers), height)]
            return self.own_cost(candidates) + np.concatenate([self.below(b, left) for b in blocks])
        below = [sum(self.least(c, left) for c in self.cells(candidates, row)) for row in answers]
        return self.own_cost(candidates) + np.array(below)

    def below(self, answers: Integers2D, left: int) -> Integers:
        """Return lower bounds for the cells of guesses with these feedbacks: int64."""
        feedbacks = self.game.feedbacks
        rows = np.arange(len(answers))[:, None] * feedbacks
        cells = np.bincount((answers + rows).ravel(), minlength=len(answers) * feedbacks)
        sizes = cells.reshape(len(answers), -1)[:, : self.game.solved]
        costs: Integers = self.bounds[left][sizes].sum(axis=1)
        return costs

    def cells(self, candidates: Integers, answers: Integers) -> list[Integers]:
        """Return the cells of a guess with these feedbacks, without the one that is solved."""
        return [candidates[answers == f] for f in np.unique(answers) if f != self.game.solved]

    def store(self, key: tuple[bytes, frozenset[int], int], cost: int, guess: int) -> None:
        """Store the cost and the guess of a node; a full table is emptied first."""
        if key not in self.known:
            self.room -= len(key[0]) + ENTRY
        if self.room < 0:
            # The deepest nodes are needed most often, and are soon found again.
            self.known.clear()
            self.room = self.memory - len(key[0]) - ENTRY
        self.known[key] = cost, guess

    def search(self, candidates: Integers, path: Integers, left: int, limit: int) -> tuple[int, int]:
        """Try the guesses of a node, the lowest bound first; returns as `best` does."""
        guesses = best_first(self.ranker, candidates, path, self.policy.width or 1)
        answers = self.table(guesses, candidates).astype(np.int64)
        after = left - 1 if left < MAX_LEFT else left
        bounds = self.bounds_of_guesses(candidates, answers, after)
        best, place, guess = limit, len(guesses), -1
        for turn in np.argsort(bounds, kind="stable").tolist():
            # A guess that ranks higher than the best may cost as much.
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
        """Return the cost of a guess if it is at most `limit`, else a lower bound above the limit.

        The path ends with the guess, `answers` are the feedbacks to it, `left` guesses remain after
        it, and `total` is a lower bound of its cost.
        """
        cells = self.cells(candidates, answers)
        if len(cells) == 1 and len(cells[0]) == len(candidates):
            return IMPOSSIBLE
        for cell in sorted(cells, key=len):
            bound = self.least(cell, left)
            total += self.best(cell, path, left, limit - (total - bound))[0] - bound
            if total > limit:
                break
        return total

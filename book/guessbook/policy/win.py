"""The policy `win`: the most secrets within a number of guesses; its search is the proof."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import weight_of, weights_of
from guessbook.policy.memory import Memory, Searched, most_answers
from guessbook.policy.one_step import OneStep
from guessbook.policy.ranking import cells_of
from guessbook.policy.search.bounds import reach


class _Fields(NamedTuple):
    base: OneStep
    within: int
    width: int | None = None
    name: str = "win"


class Win(Searched, _Fields):
    """The strategy that finds the most secrets within a number of guesses, by their weights.

    Of the guesses that lead to the most, the one that the base ranks first: its score, then a
    candidate, then the lowest index. So the choice depends on the candidates, the number of
    guesses made and the options; in hard mode or with a width also on the history. Where no guess
    is left the base plays on, so that every secret is found at last.

    Attributes:
        base: the one-step policy that ranks the guesses.
        within: the number of guesses that count, those of the history included.
        width: the number of guesses tried at each node, the best-ranked ones; None tries all. With
            a width more may be found than the result says. The last guess that counts is the
            heaviest candidate, whatever the width.
    """

    __slots__ = ()

    def left(self, guesses: int) -> int:
        """Return how many more guesses count after `guesses`."""
        return max(0, self.within - guesses)

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the index of the guess for these candidates, as `Policy.choose` defines it."""
        return _Search(game, self).answer(history, candidates)[1]

    def choose_quickly(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the guess of `choose` after a search of fewer sets of candidates."""
        return self.answer(game, history, candidates)[1]

    def answer(self, game: Game, history: History, candidates: Sequence[str]) -> tuple[int, int]:
        """Return the weight that is found of these candidates, and the guess of `choose`."""
        return _QuickSearch(game, self, history, candidates).answer(history, candidates)

    def work(self, game: Game, candidates: int) -> int:
        """Return about how many feedbacks a choice computes, as `Policy.work` defines it."""
        # The ranking settles two guesses: only more of them need a search.
        if self.within <= 2:
            return self.base.work(game, candidates)
        return super().work(game, candidates)


class _Search(Memory):
    """The most that can be found of sets of candidates, each computed once: the definition."""

    policy: Win

    def answer(self, history: History, candidates: Sequence[str]) -> tuple[int, int]:
        """The weight that is found within the guesses that are left, and the guess."""
        left = self.policy.left(len(dict(history)))
        if not left:
            return 0, self.policy.base.choose(self.game, history, candidates)
        return self.best(history, candidates, left)

    def best(self, history: History, candidates: Sequence[str], left: int) -> tuple[int, int]:
        """The most that one guess or more find, and the first guess in the ranking for it."""
        key = self.key(history, candidates, left)
        if key not in self.known:
            self.known[key] = self.most(history, candidates, left)
        return self.known[key]

    def value(self, history: History, candidates: Sequence[str], left: int) -> int:
        """The most that no guess, one or more find."""
        if left < 2:
            return max(weights_of(self.game, candidates)) if left else 0
        return self.best(history, candidates, left)[0]

    def tried(self, history: History, candidates: Sequence[str], left: int) -> list[int]:
        """The guesses that count, as the base ranks them."""
        # The heaviest candidate need not be one of the first.
        return self.ranking(history, candidates, self.policy.width if left > 1 else None)

    def most(self, history: History, candidates: Sequence[str], left: int) -> tuple[int, int]:
        """The most that a guess finds, and the first guess in the ranking that finds as much."""
        found = [
            (self.found(history, candidates, guess, left), guess)
            for guess in self.tried(history, candidates, left)
        ]
        return max(found, key=lambda pair: pair[0])

    def found(self, history: History, candidates: Sequence[str], guess: int, left: int) -> int:
        """What a guess finds, played on in the best way; -1 if it tells nothing."""
        cells, _ = cells_of(self.game, history, candidates, guess)
        total = weight_of(self.game, candidates)
        for past, cell in cells:
            if len(cell) == len(candidates):
                return -1
            total -= weight_of(self.game, cell) - self.value(past, cell, left - 1)
        return total


class _QuickSearch(_Search):
    """A search with the results of `_Search` that skips guesses whose bound is no higher."""

    def __init__(
        self, game: Game, policy: Win, history: History, candidates: Sequence[str]
    ) -> None:
        super().__init__(game, policy)
        self.answers = most_answers(game, policy.base, history, candidates)

    def value(self, history: History, candidates: Sequence[str], left: int) -> int:
        """The most that is found; as many guesses as candidates find all of them."""
        if left >= len(candidates):
            return weight_of(self.game, candidates)
        return super().value(history, candidates, left)

    def limit(self, candidates: Sequence[str], left: int) -> int:
        """A weight above which no strategy finds any."""
        most = reach(*self.answers, min(left, len(candidates)))
        return sum(sorted(weights_of(self.game, candidates), reverse=True)[:most])

    def most(self, history: History, candidates: Sequence[str], left: int) -> tuple[int, int]:
        """The most that a guess finds, and that guess; ends where nothing can find more."""
        limit, most, first = self.limit(candidates, left), -1, -1
        for guess in self.tried(history, candidates, left):
            found = self.beyond(history, candidates, guess, left, most)
            if found > most:
                most, first = found, guess
            if most == limit:
                break
        return most, first

    def beyond(
        self, history: History, candidates: Sequence[str], guess: int, left: int, most: int
    ) -> int:
        """What a guess finds if that is more than `most`; else at most that."""
        cells, _ = cells_of(self.game, history, candidates, guess)
        if any(len(cell) == len(candidates) for _, cell in cells):
            return -1
        limits = [self.limit(cell, left - 1) for _, cell in cells]
        total = weight_of(self.game, candidates) + sum(limits)
        total -= sum([weight_of(self.game, cell) for _, cell in cells])
        for (past, cell), limit in zip(cells, limits, strict=True):
            if total <= most:
                break
            total += self.value(past, cell, left - 1) - limit
        return total

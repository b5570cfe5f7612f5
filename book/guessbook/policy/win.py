"""The policy `win`, which finds the most secrets within a limit of guesses."""

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from guessbook.book.file import LIMITS
from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import weight_of, weights_of
from guessbook.policy.optimal import Memory, SearchPolicy, State, most_answers, reach
from guessbook.policy.policy import OneStep


class _Fields(NamedTuple):
    base: OneStep
    within: int
    name: str = "win"


class Win(SearchPolicy, _Fields):
    """The policy that maximizes the total weight of the secrets that are found within a limit of guesses.

    Attributes:
        base: the policy that ranks the guesses, and that chooses all guesses beyond the limit.
        within: the limit of guesses of a game.
    """

    __slots__ = ()

    options = ("base", "within", *LIMITS)
    required = ("within",)

    def left(self, guesses: int) -> int:
        """Return the number of guesses left within the limit after `guesses` guesses."""
        return max(0, self.within - guesses)

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the policy's guess after a history, as an index in `game.guesses`."""
        return _Search(game, self).answer(history, candidates)[1]

    def answer(self, game: Game, history: History, candidates: Sequence[str]) -> tuple[int, int]:
        """Return the weight of the candidates found within the limit of guesses, and the policy's guess."""
        return _QuickSearch(game, self, history, candidates).answer(history, candidates)

    def work(self, game: Game, candidates: int) -> int:
        """Estimate the number of feedbacks that `choose` computes for a number of candidates."""
        # For a limit of one or two guesses, the ranking by the base suffices.
        if self.within <= 2:
            return self.base.work(game, candidates)
        return super().work(game, candidates)


class _Search(Memory):
    """The search that defines the policy: it maximizes the weight of candidates found within the limit of guesses."""

    policy: Win

    def answer(self, history: History, candidates: Sequence[str]) -> tuple[int, int]:
        """Return the weight of the candidates found within the limit of guesses, and the policy's guess."""
        left = self.policy.left(len(dict(history)))
        if not left:
            return 0, self.policy.base.choose(self.game, history, candidates)
        return self.best(State(history, candidates, left))

    def value(self, state: State) -> int:
        """Return the largest total weight of candidates that the remaining guesses can find."""
        if state.left < 2:
            return max(weights_of(self.game, state.candidates)) if state.left else 0
        return self.best(state)[0]

    def search(self, state: State) -> tuple[int, int]:
        """Return the largest `weight_found` of any guess, and the best-ranked guess with this weight."""
        guesses = self.ranking(state)
        return max([(self.weight_found(state, g), g) for g in guesses], key=itemgetter(0))

    def weight_found(self, state: State, guess: int) -> int:
        """Return the weight that `guess` and optimal later guesses find; -1 if all candidates remain after `guess`."""
        total = weight_of(self.game, state.candidates)
        for after in self.after(state, guess):
            if len(after.candidates) == len(state.candidates):
                return -1
            total -= weight_of(self.game, after.candidates) - self.value(after)
        return total


class _QuickSearch(_Search):
    """A faster search with equal results: it drops a guess once its `weight_found` cannot exceed the largest so far."""

    def __init__(
        self, game: Game, policy: Win, history: History, candidates: Sequence[str]
    ) -> None:
        super().__init__(game, policy)
        self.answers = most_answers(game, policy.base, history, candidates)

    def value(self, state: State) -> int:
        """Return the largest total weight of candidates that the remaining guesses can find."""
        if state.left >= len(state.candidates):
            return weight_of(self.game, state.candidates)  # n guesses suffice for n candidates.
        return super().value(state)

    def limit(self, state: State) -> int:
        """Return an upper bound on the total weight of the candidates that the remaining guesses can find."""
        most = reach(*self.answers, min(state.left, len(state.candidates)))
        return sum(sorted(weights_of(self.game, state.candidates), reverse=True)[:most])

    def search(self, state: State) -> tuple[int, int]:
        """Return the largest `weight_found` of any guess, and the best-ranked guess with this weight."""
        limit, most, first = self.limit(state), -1, -1
        for guess in self.ranking(state):
            found = self.weight_beyond(state, guess, most)
            if found > most:
                most, first = found, guess
            if most == limit:
                break
        return most, first

    def weight_beyond(self, state: State, guess: int, most: int) -> int:
        """Return the exact `weight_found` of a guess if it exceeds `most`, else an arbitrary number up to `most`."""
        states = self.after(state, guess)
        if any(len(after.candidates) == len(state.candidates) for after in states):
            return -1
        limits = [self.limit(after) for after in states]
        total = weight_of(self.game, state.candidates) + sum(limits)
        total -= sum([weight_of(self.game, after.candidates) for after in states])
        for after, limit in zip(states, limits, strict=True):
            if total <= most:
                break
            total += self.value(after) - limit
        return total

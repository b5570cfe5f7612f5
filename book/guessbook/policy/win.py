"""The policy `win`, which finds the most secrets within a limit of guesses."""

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from guessbook.book.file import LIMITS
from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import weight_of, weights_of
from guessbook.policy.identification import Plan, choose_test
from guessbook.policy.optimal import MemoizedSearch, SearchPolicy, State
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

    def plan(self, game: Game) -> Plan:
        """Return the plan that identifies the most weight at the cost `within`."""
        assert game.identification is not None
        return self.base.plan(game)._replace(budget=game.identification.whole(self.within))

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the policy's guess after a history, as an index in `game.guesses`."""
        return self.answer(game, history, candidates)[1]

    def answer(
        self, game: Game, history: History, candidates: Sequence[str]
    ) -> tuple[int | None, int]:
        """Return the weight of the candidates found within the limit of guesses, and the policy's guess."""
        if game.identification is not None:
            return choose_test(game, self, history, candidates)
        left = self.left(len(dict(history)))
        if not left:
            return 0, self.base.choose(game, history, candidates)
        return _Search(game, self).best(State(history, candidates, left))

    def work(self, game: Game, candidates: int) -> int:
        """Estimate the number of feedbacks that `choose` computes for a number of candidates."""
        # For a limit of one or two guesses, the ranking by the base suffices.
        if self.within <= 2:
            return self.base.work(game, candidates)
        return super().work(game, candidates)


class _Search(MemoizedSearch):
    """The search that defines the policy: it maximizes the weight of candidates found within the limit of guesses."""

    policy: Win

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

"""The policy `win`, which finds the most secrets within a limit of guesses."""

from collections.abc import Sequence
from dataclasses import dataclass

from guessbook.book.errors import UsageError
from guessbook.book.file import LIMITS, MAX_WITHIN
from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import weight_of, weights_of
from guessbook.policy.identification import Plan, choose_test
from guessbook.policy.optimal import Search, SearchPolicy, State
from guessbook.policy.policy import OneStep


@dataclass(frozen=True, repr=False)
class Win(SearchPolicy):
    """The policy that maximizes the total weight of the secrets that are found within a limit of guesses.

    Attributes:
        base: the policy that ranks the guesses, and that chooses all guesses beyond the limit.
        within: the limit of guesses of a game, at most 39; in a table whose tests name nothing, the
            limit of the cost.
    """

    base: OneStep
    within: int

    name = "win"
    options = ("base", "within", *LIMITS)
    required = ("within",)

    def check(self, game: Game) -> None:
        super().check(game)
        if game.identification is None and self.within > MAX_WITHIN:
            raise UsageError(f"within {self.within:,} is too many guesses; limit {MAX_WITHIN}")

    def left(self, guesses: int) -> int:
        """Return the number of guesses left within the limit after `guesses` guesses."""
        return max(0, self.within - guesses)

    def plan(self, game: Game) -> Plan:
        """Return the plan that identifies the most weight at the cost `within`."""
        assert game.identification is not None
        return self.base.plan(game)._replace(budget=game.identification.whole(self.within))

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        return self.answer(game, history, candidates)[1]

    def answer(
        self, game: Game, history: History, candidates: Sequence[str]
    ) -> tuple[int | None, int]:
        """Return the weight of the candidates found within the limit of guesses, and the policy's guess."""
        if game.identification is not None:
            return choose_test(game, self.plan(game), history, candidates)
        left = self.left(len(dict(history)))
        if not left:
            return 0, self.base.choose(game, history, candidates)
        missed, guess = Search(game, self).best(State(history, candidates, left))
        return weight_of(game, candidates) - missed, guess

    def work(self, game: Game, candidates: int) -> int:
        # For a limit of one or two guesses, the ranking by the base suffices.
        if self.within <= 2:
            return self.base.work(game, candidates)
        return super().work(game, candidates)

    def cost(self, search: Search, state: State, after: list[State]) -> int:
        """Return the weight of the candidates that the guess and optimal later guesses do not find."""
        return sum(self._missed(search, cell) for cell in after)

    def _missed(self, search: Search, state: State) -> int:
        if state.left > 1:
            return search.best(state)[0]
        # The last guess finds one candidate, the heaviest.
        weights = weights_of(search.game, state.candidates)
        return sum(weights) - max(weights) * state.left

"""The policy `win`, which finds the most secrets within a limit of guesses."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from guessbook.book.errors import UsageError, quantity
from guessbook.book.file import LIMITS, MAX_WITHIN
from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import weight_of, weights_of
from guessbook.policy.identification import Plan, choose_test
from guessbook.policy.optimal import IMPOSSIBLE, Search, SearchPolicy, State
from guessbook.policy.policy import OneStep


@dataclass(frozen=True, repr=False)
class Win(SearchPolicy):
    """The policy that maximizes the total weight of the secrets found within a limit of guesses.

    Attributes:
        base: the policy that ranks the guesses, and that chooses the guesses beyond the limit.
        within: the limit of guesses, at most 39; in a table whose tests name nothing, the limit of
            the cost.
        max_guesses: a second, larger limit, within which every secret must be found; it is ignored
            if no strategy meets it.
    """

    base: OneStep
    within: int
    max_guesses: int | None = None

    name = "win"
    options = ("base", "within", "max_guesses", *LIMITS)
    required = ("within",)

    @property
    def spare(self) -> int:
        return 0 if self.max_guesses is None else self.max_guesses - self.within

    def check(self, game: Game) -> None:
        super().check(game)
        if game.identification is not None:
            self.plan(game)  # It refuses max_guesses.
            return
        if self.within > MAX_WITHIN:
            raise UsageError(
                f"within {self.within} is too large; the limit is {MAX_WITHIN} guesses"
            )
        if self.max_guesses is not None and self.max_guesses <= self.within:
            raise UsageError(
                f"a limit of {quantity(self.max_guesses)} must be larger than within {self.within}; to find "
                f"every secret within {quantity(self.max_guesses)}, use the policy optimal"
            )

    def left(self, guesses: int) -> int:
        """Return how many guesses are left after `guesses` of them.

        The limit is `max_guesses`, or `within` if that is None.
        """
        return max(0, self.within + self.spare - guesses)

    def plan(self, game: Game) -> Plan:
        """Return the plan that identifies the largest weight within the cost `within`."""
        assert game.identification is not None
        if self.max_guesses is not None:
            raise UsageError(
                "the option within limits the cost in a table of outcomes; leave out the limit of "
                f"{quantity(self.max_guesses)}"
            )
        return self.base.plan(game)._replace(budget=game.identification.whole(self.within))

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        return self.answer(game, history, candidates)[1]

    def answer(
        self, game: Game, history: History, candidates: Sequence[str]
    ) -> tuple[int | None, int]:
        """Return the weight found within the limit of guesses or cost, and the policy's choice."""
        if game.identification is not None:
            return choose_test(game, self.plan(game), history, candidates)
        left = self.left(len(dict(history)))
        if not left:
            return 0, self.base.choose(game, history, candidates)
        missed, guess = Search(game, self).best(State(history, candidates, left))
        if missed >= IMPOSSIBLE:
            return replace(self, max_guesses=None).answer(game, history, candidates)
        whole = weight_of(game, candidates)
        # Beyond `within`, `missed` is 0 although all candidates are missed: the search counts them
        # where the limit is reached.
        return whole - missed if left >= self.spare else 0, guess

    def work(self, game: Game, candidates: int) -> int:
        # With a limit of one or two guesses, the ranking by the base suffices.
        if self.within <= 2 and self.max_guesses is None:
            return self.base.work(game, candidates)
        return super().work(game, candidates)

    def cost(self, search: Search, state: State, after: list[State]) -> int:
        """Return the weight of the candidates that the guess and optimal later guesses do not find.

        It is counted once, where the limit is reached. Later guesses cost nothing if they find
        every candidate within `max_guesses`.
        """
        own = weight_of(search.game, state.candidates) * (0 < state.left == self.spare)
        return own + sum(self._missed(search, cell) for cell in after)

    def _missed(self, search: Search, state: State) -> int:
        if self.spare:
            return search.best(state)[0] if state.left else IMPOSSIBLE
        if state.left > 1:
            return search.best(state)[0]
        # The last guess finds one candidate, the heaviest.
        weights = weights_of(search.game, state.candidates)
        return sum(weights) - max(weights) * state.left

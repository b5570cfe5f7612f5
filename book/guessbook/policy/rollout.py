"""The policy `rollout`: the guess after which a one-step policy needs the fewest guesses."""

from collections.abc import Sequence
from dataclasses import dataclass

from guessbook.book.file import LIMITS
from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import few_candidates, weight_of
from guessbook.policy.identification import Plan, choose_test
from guessbook.policy.optimal import Optimal
from guessbook.policy.policy import BasedPolicy, OneStep, cells_of, rank_guesses


@dataclass(frozen=True, repr=False)
class Rollout(BasedPolicy):
    """The policy that tries the `width` best guesses of its base, a one-step policy.

    It picks the guess with the lowest total number of guesses for all candidates if the base makes
    all later guesses (Tesauro and Galperin 1996).
    """

    base: OneStep
    width: int = 20
    endgame: int | None = None

    name = "rollout"
    options = ("base", "width", "endgame", *LIMITS)

    @property
    def remembers(self) -> bool:
        return self.endgame is not None

    @property
    def is_tabulated(self) -> bool:
        """Whether a build needs a table of all feedbacks: only with the option `endgame`."""
        return self.remembers

    def plan(self, game: Game) -> Plan:
        """Return the plan that compares the best `width` tests by their costs.

        The costs assume that the base chooses all later tests.
        """
        endgame = self.endgame or 0
        return self.base.plan(game)._replace(depth=2, width=self.width, endgame=endgame)

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        if game.identification is not None:
            return choose_test(game, self.plan(game), history, candidates)[1]
        if len(candidates) <= few_candidates(game):
            return self.base.choose(game, history, candidates)
        # With few candidates, the policy `optimal` chooses.
        if len(candidates) <= (self.endgame or 0):
            return Optimal(self.base).choose(game, history, candidates)
        # If costs tie, the guess that the base ranks first wins.
        return min(
            rank_guesses(game, self.base, history, candidates, self.width),
            key=lambda guess: self.cost(game, history, candidates, guess),
        )

    def cost(
        self, game: Game, history: History, candidates: Sequence[str], guess: int
    ) -> tuple[int, int]:
        """Return the total number of guesses, and the largest number of guesses for one candidate.

        Both numbers include `guess`. The base policy makes all later guesses. In the total, the
        guesses for each candidate are multiplied by its weight.
        """
        total, worst = weight_of(game, candidates), 1
        for past, cell in cells_of(game, history, candidates, guess)[0]:
            best = self.base.choose(game, past, cell)
            following, longest = self.cost(game, past, cell, best)
            total += following
            worst = max(worst, longest + 1)
        return total, worst

    def work(self, game: Game, candidates: int) -> int:
        if candidates <= (self.endgame or 0):
            return Optimal(self.base).work(game, candidates)
        # An estimate: after the tried guess, the base policy finds a candidate with about three
        # more guesses.
        return len(game.guesses) * candidates * (1 + 3 * min(self.width, len(game.guesses)))

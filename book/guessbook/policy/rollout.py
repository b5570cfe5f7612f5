"""The policy `rollout`: of the best guesses, the one with which the rest costs the fewest."""

from collections.abc import Sequence
from typing import NamedTuple

from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import few_candidates, weight_of
from guessbook.policy.one_step import BasedPolicy, OneStep
from guessbook.policy.optimal import Optimal
from guessbook.policy.ranking import cells_of, rank_guesses


class _Fields(NamedTuple):
    base: OneStep
    width: int = 20
    endgame: int | None = None
    name: str = "rollout"


class Rollout(BasedPolicy, _Fields):
    """A policy that tries the best guesses of a one-step policy and takes the cheapest one.

    The cost of each of `width` guesses assumes that the one-step policy plays on to the end
    (Tesauro and Galperin 1996). With at most `endgame` candidates, `optimal` chooses.
    """

    __slots__ = ()

    @property
    def remembers(self) -> bool:
        """Whether a build stores results for sets of candidates."""
        return self.endgame is not None

    # A build of an endgame also reads feedbacks from a table of all of them.
    is_tabulated = remembers

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the index of the guess for these candidates, as `Policy.choose` defines it."""
        if len(candidates) <= few_candidates(game):
            return self.base.choose(game, history, candidates)
        if len(candidates) <= (self.endgame or 0):
            return Optimal(self.base).choose(game, history, candidates)
        # Ties go to the guess that is ranked first.
        return min(
            rank_guesses(game, self.base, history, candidates, self.width),
            key=lambda guess: self.cost(game, history, candidates, guess),
        )

    def choose_quickly(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the guess of `choose`, found by the quick search of `optimal` in an endgame."""
        if few_candidates(game) < len(candidates) <= (self.endgame or 0):
            return Optimal(self.base).choose_quickly(game, history, candidates)
        return self.choose(game, history, candidates)

    def cost(self, game: Game, history: History, candidates: Sequence[str], guess: int) -> tuple[int, int]:
        """Return the number of guesses for all candidates, by weight, and for the hardest candidate."""
        total, worst = weight_of(game, candidates), 1
        for past, cell in cells_of(game, history, candidates, guess)[0]:
            best = self.base.choose(game, past, cell)
            following, longest = self.cost(game, past, cell, best)
            total += following
            worst = max(worst, longest + 1)
        return total, worst

    def work(self, game: Game, candidates: int) -> int:
        """Estimate the number of feedbacks that a choice computes, as `Policy.work` defines it."""
        if candidates <= (self.endgame or 0):
            return Optimal(self.base).work(game, candidates)
        # A candidate takes about three more guesses.
        return len(game.guesses) * candidates * (1 + 3 * min(self.width, len(game.guesses)))

"""The policy `lookahead`, which compares guesses by the partitions after a few more guesses."""

from collections.abc import Sequence
from dataclasses import dataclass

from guessbook.book.file import LIMITS
from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import few_candidates, weight_of
from guessbook.policy.identification import Plan, choose_test
from guessbook.policy.policy import BasedPolicy, OneStep, cells_of, rank_guesses


@dataclass(frozen=True, repr=False)
class Lookahead(BasedPolicy):
    """The policy that compares the best `width` guesses of its base by their later partitions.

    A guess is worth the base policy's score of the partition after `depth` guesses.
    """

    base: OneStep
    depth: int = 2
    width: int = 20

    name = "lookahead"
    options = ("base", "depth", "width", *LIMITS)
    default_base = "entropy-corrected"

    def plan(self, game: Game) -> Plan:
        """Return the plan that compares the best `width` tests by a lookahead of `depth` tests."""
        return self.base.plan(game)._replace(depth=self.depth, width=self.width)

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        if game.identification is not None:
            return choose_test(game, self.plan(game), history, candidates)[1]
        if len(candidates) <= few_candidates(game):
            return self.base.choose(game, history, candidates)
        # If scores tie, the guess that the base policy ranks first wins.
        return max(
            rank_guesses(game, self.base, history, candidates, self.width),
            key=lambda guess: self.value(game, history, candidates, guess, self.depth),
        )

    def value(
        self, game: Game, history: History, candidates: Sequence[str], guess: int, depth: int
    ) -> int:
        """Return the base's score of the partition after `guess` and `depth - 1` more guesses."""
        base = self.base.of(game)
        cells, solves = cells_of(game, history, candidates, guess)
        own = weight_of(game, [game.guesses[guess]]) if solves else 0
        values = [-base.cost(own)] * solves
        for past, cell in cells:
            if depth == 1:
                values.append(-base.cost(weight_of(game, cell)))
                continue
            best = [base.choose(game, past, cell)]
            if depth > 2:
                best = rank_guesses(game, base, past, cell, self.width)
            values.append(max(self.value(game, past, cell, g, depth - 1) for g in best))
        return (sum(values) if base.additive else min(values)) + base.credit * own

    def work(self, game: Game, candidates: int) -> int:
        width = min(self.width, len(game.guesses))
        return int(len(game.guesses) * candidates * (1 + width ** (self.depth - 1)))

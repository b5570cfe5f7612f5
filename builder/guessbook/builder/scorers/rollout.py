"""Rollout: try the best guesses, play each on to the end by a one-step policy, take the cheapest.

The tree is never worse than that of the one-step policy, its base. Let b be what the base needs in
all for a node's candidates. The base's own guess is the first in the ranking, so the guess chosen,
played on by the base, costs at most b; and below it the same holds for each child.
"""

from __future__ import annotations

import numpy as np

from guessbook.book.games.game import Game
from guessbook.builder.arrays import Chosen, Integers, Integers2D
from guessbook.builder.games.scoring import ranker_of
from guessbook.builder.scorers.batch import weighed
from guessbook.builder.scorers.one_step import one_step_scorer
from guessbook.builder.scorers.optimal import OptimalScorer
from guessbook.builder.scorers.scorer import Derived, make_scorer
from guessbook.builder.scorers.trees import growing
from guessbook.builder.scorers.trial import Trials, level_of, portions, settled, trials_of
from guessbook.kernels.sets import MAX_LEFT
from guessbook.policy.optimal import Optimal
from guessbook.policy.rollout import Rollout


class RolloutScorer(Derived):
    """A game and a rollout policy: see `guessbook.policy.rollout`."""

    def __init__(self, game: Game, policy: Rollout, memory: int = 0) -> None:
        base = policy.base
        super().__init__(one_step_scorer(game, base))
        self.ranker = ranker_of(game, base)
        self.width = policy.width
        self.endgame = policy.endgame or 0
        self.end: OptimalScorer | None = None
        if policy.endgame:
            self.end = make_scorer(game, Optimal(base), memory)  # type: ignore[assignment]

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Choose the guess of each node; the guesses scored on the way to the end count too."""
        best, scored = self.plain.choose(candidates, starts, paths)
        batch = level_of(candidates, starts, paths)
        nodes = np.flatnonzero(~settled(self.plain, self.weights, batch, best))
        if self.end is not None:
            late = nodes[batch.sizes[nodes] <= self.endgame]
            for node in late.tolist():
                own = candidates[starts[node] : starts[node + 1]]
                best[node], scored[node] = self.end.find_guess(
                    own, paths[node], MAX_LEFT, int(best[node])
                )
            nodes = nodes[batch.sizes[nodes] > self.endgame]
        for some, ranked in portions(self.ranker, batch, nodes, self.width):
            trials = trials_of(self.plain, self.weights, batch, some, ranked)
            total, worst, pairs = self.costs(trials)
            scored[some] += np.add.reduceat(pairs, trials.starts[:-1]) // batch.sizes[some]
            for node, begin, end in zip(some, trials.starts[:-1], trials.starts[1:], strict=True):
                # The trials stand best first, and of equals the first is taken.
                first = np.lexsort((worst[begin:end], total[begin:end]))[0]
                best[node] = trials.guesses[begin + first]
        return best, scored

    def costs(self, trials: Trials) -> tuple[Integers, Integers, Integers]:
        """What each trial costs if the base plays on.

        Returns int64[trials], the guesses for all candidates together, by their weights;
        int64[trials], those for the hardest one; and int64[trials], the pairs that were scored.
        """
        total = trials.weights.copy()
        worst = np.ones(len(total), np.int64)
        pairs, owner = np.zeros(len(total), np.int64), trials.parent
        for depth, (batch, level, scored) in enumerate(growing(self.plain, trials.children), 2):
            # Every candidate of a node takes part in its guess.
            np.add.at(total, owner, weighed(batch, self.weights))
            np.add.at(pairs, owner, scored)
            worst[owner] = depth
            owner = np.repeat(owner, level.children)
        return total, worst, pairs

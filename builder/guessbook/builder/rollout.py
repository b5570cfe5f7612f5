"""Rollouts: a one-step policy plays each of the best guesses to the end, and the cheapest wins.

The tree costs at most as much as the tree of the one-step policy, because the guess of this policy
is always tried.
"""

import numpy as np

from guessbook.book.games.game import Game
from guessbook.builder.arrays import Chosen, Integers, Integers2D
from guessbook.builder.lookahead import Trials, TrialScorer, are_optimal
from guessbook.builder.optimal import OptimalScorer
from guessbook.builder.scorers import level_of, node_sums
from guessbook.builder.subtrees import grow_levels
from guessbook.policy.optimal import Optimal
from guessbook.policy.rollout import Rollout


class RolloutScorer(TrialScorer):
    """The scorer of a rollout policy; `guessbook.policy.rollout` explains the policy."""

    def __init__(self, game: Game, policy: Rollout, memory: int = 0) -> None:
        super().__init__(game, policy.base, policy.width)
        self.endgame = policy.endgame or 0
        self.end = OptimalScorer(game, Optimal(policy.base), memory) if self.endgame else None

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Return the guess of each node, and the number of guesses scored, including rollouts."""
        best, scored = self.plain.choose(candidates, starts, paths)
        batch = level_of(candidates, starts, paths)
        nodes = np.flatnonzero(~are_optimal(self, batch, best))
        if self.end:
            is_late = batch.sizes[nodes] <= self.endgame
            for node in nodes[is_late].tolist():
                own = candidates[starts[node] : starts[node + 1]]
                best[node], scored[node] = self.end.guess(own, paths[node], int(best[node]))
            nodes = nodes[~is_late]
        for some, trials in self.trials(batch, nodes):
            total, worst, pairs = self.costs(trials)
            scored[some] += np.add.reduceat(pairs, trials.starts[:-1]) // batch.sizes[some]
            best[some] = trials.guesses[trials.cheapest(worst, total)]
        return best, scored

    def costs(self, trials: Trials) -> tuple[Integers, Integers, Integers]:
        """Play each trial to the end by the base policy, and return three arrays int64[trials].

        Total: the sum, over all candidates, of the number of guesses times the weight.
        Worst: the largest number of guesses for a candidate.
        Pairs: the number of (guess, candidate) pairs scored.
        """
        total = trials.weights.copy()
        worst = np.ones(len(total), np.int64)
        pairs, owner = np.zeros(len(total), np.int64), trials.parent
        for depth, (batch, level, scored) in enumerate(grow_levels(self.plain, trials.children), 2):
            # Every candidate of a node takes the guess of the node, so the guess adds the weights
            # of all of them.
            np.add.at(total, owner, node_sums(batch, self.weights))
            np.add.at(pairs, owner, scored)
            worst[owner] = depth
            owner = np.repeat(owner, level.children)
        return total, worst, pairs

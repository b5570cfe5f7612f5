"""What the growth of a tree needs of a game and a policy: guesses for a level, and feedbacks."""

from __future__ import annotations

from typing import Protocol, cast

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.weights import few_candidates
from guessbook.book.plugins import loaded
from guessbook.builder.arrays import Chosen, Integers, Integers2D, weight_table
from guessbook.builder.games.sums import homes_of
from guessbook.kernels.codes import CodeSearch
from guessbook.policy.policy import Policy
from guessbook.policy.registry import kind_of


class Scorer(Protocol):
    """A game and a policy, ready to grow trees. Candidates are indices in `game.secrets`."""

    @property
    def game(self) -> Game:
        """The game."""

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """The policy's guess for each node of a level.

        Args:
            candidates: uint32, the indices of the nodes' candidates, one node after the other,
                ascending in each.
            starts: int64[nodes + 1], where each node's begin, and the end of the last.
            paths: uint32[nodes, depth], the indices of the guesses that lead to each node.

        Returns:
            uint32[nodes], the index of each node's guess, and int64[nodes], how many guesses were
            scored to find it.
        """

    def feedbacks(self, guesses: Integers, candidates: Integers, starts: Integers) -> Integers:
        """The feedback number of each candidate to its node's guess."""


class Divisible(Scorer, Protocol):
    """A scorer of code games: the engine divides searches, and grows whole trees."""

    @property
    def search(self) -> CodeSearch:
        """The game and the policy in the engine."""

    def divisible(self, candidates: Integers, path: Integers) -> bool:
        """Return whether the search for the guess of a node is worth parts."""


def divisible(scorer: Scorer) -> Divisible | None:
    """Return a scorer as one whose searches can be done in parts, if it is one."""
    return cast(Divisible, scorer) if hasattr(scorer, "divisible") else None


class PlainScorer(Scorer, Protocol):
    """The scorer of a one-step policy."""

    def table(self, guesses: Integers, candidates: Integers) -> Integers2D:
        """The feedback numbers of all guesses to all candidates: [guesses, candidates]."""


class Derived:
    """What scorers have in common that choose in a way of their own: they ask a plain one.

    Attributes:
        plain: the scorer of the same game and a one-step policy.
        game: the game.
        homes: uint32[secrets], the index of each secret in the list of guesses.
        weights: int64[secrets], how much each secret counts.
        few: see `few_candidates`.
    """

    def __init__(self, plain: Scorer) -> None:
        self.plain = plain
        self.game = plain.game
        self.homes = homes_of(self.game)
        self.weights = weight_table(self.game)
        self.few = few_candidates(self.game)

    def feedbacks(self, guesses: Integers, candidates: Integers, starts: Integers) -> Integers:
        """Return the feedback number of each candidate to the guess of its node."""
        return self.plain.feedbacks(guesses, candidates, starts)


class NodeScorer(Derived):
    """A scorer that chooses the guess of each node by itself.

    Of up to `few` candidates the guess is the one of lowest index.
    """

    def guess(self, candidates: Integers, path: Integers) -> tuple[int, int]:
        """Return the guess of a node, and the number of guesses that were scored to find it."""
        raise NotImplementedError

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Return the guess of each node of a level: see `Scorer.choose`."""
        best = self.homes[candidates[starts[:-1]]]
        scored = np.zeros(len(best), np.int64)
        for node in np.flatnonzero(np.diff(starts) > self.few):
            own = candidates[starts[node] : starts[node + 1]]
            best[node], scored[node] = self.guess(own, paths[node])
        return best, scored


def make_scorer(game: Game, policy: Policy, memory: int) -> Scorer:
    """The scorer of a game and a policy. One that remembers sets takes at most `memory` bytes."""
    room = (memory,) if getattr(policy, "remembers", False) else ()
    scorer: Scorer = loaded(kind_of(policy).scorer)(game, policy, *room)
    return scorer

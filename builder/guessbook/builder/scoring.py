"""The interfaces of scorers and rankers.

A scorer computes feedbacks and chooses the guesses of the nodes of one tree level. A ranker orders the guesses of
a node by descending score; ties go to candidates, then to lower indices. It omits a guess if a symmetry of the
history maps it to a guess of a lower index, or if a higher-ranked guess has the same cells and, in a game with
weights, the same weight. Here the weight of a guess that is not a candidate is 0.
"""

from __future__ import annotations

from typing import Protocol, cast

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.weights import few_candidates
from guessbook.builder.arrays import Chosen, Integers, Integers2D, Scored, homes_of, weight_table
from guessbook.engine.codes import CodeSearch

# A preliminary guess for each node of a level, and the nodes for which a search must find the final guess.
Started = tuple[Integers, list[int]]


class Scorer(Protocol):
    """The interface of scorers, which choose the guesses of nodes, and compute the feedbacks to these guesses."""

    @property
    def game(self) -> Game:
        """The game. Candidates are indices in its list `secrets`, and guesses are indices in its list `guesses`."""

    def __hash__(self) -> int: ...

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Return the guess of each node of a level, and the number of guesses scored. `Batch` explains the arrays."""

    def feedbacks(self, guesses: Integers, candidates: Integers, starts: Integers) -> Integers:
        """Return the feedback number of each candidate to the guess of the candidate's node."""


class Divisible(Scorer, Protocol):
    """The interface of a scorer of code games: the engine can divide the scorer's searches, and grow whole trees."""

    @property
    def search(self) -> CodeSearch:
        """The object that runs the searches of the engine for this game and policy."""

    def divisible(self, candidates: Integers, path: Integers) -> bool:
        """Return whether the search for the guess of a node is long enough to be divided."""


def divisible(scorer: Scorer) -> Divisible | None:
    """Return the scorer if the engine can divide the scorer's searches, else None."""
    return cast(Divisible, scorer) if hasattr(scorer, "divisible") else None


class PlainScorer(Scorer, Protocol):
    """The interface of the scorers of one-step policies that allow every guess at every node."""

    def table(self, guesses: Integers, candidates: Integers) -> Integers2D:
        """Return the feedback number of each given candidate to each given guess: [guesses, candidates]."""


class Derived:
    """The base class of scorers that choose guesses by their own rule, and use the scorer `plain` for feedbacks.

    If a node has at most `few` candidates, its guess is the first candidate.
    """

    def __init__(self, plain: Scorer) -> None:
        self.plain, self.game = plain, plain.game
        self.homes, self.weights = homes_of(self.game), weight_table(self.game)
        self.few = few_candidates(self.game)

    def feedbacks(self, guesses: Integers, candidates: Integers, starts: Integers) -> Integers:
        """Return the feedback number of each candidate to the guess of the candidate's node."""
        return self.plain.feedbacks(guesses, candidates, starts)


class NodeScorer(Derived):
    """The base class of scorers that choose the guess of one node at a time."""

    def start(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Started:
        """Return a preliminary guess for each node, and the nodes whose final guess the method `guess` must choose."""
        nodes = np.flatnonzero(np.diff(starts) > self.few)
        return self.homes[candidates[starts[:-1]]], nodes.tolist()

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return the guess of a node, and the number of guesses scored.

        `first` is the preliminary guess that the method `start` returned for the node.
        """
        raise NotImplementedError

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Return the guess of each node of a level, and the number of guesses scored for each node."""
        best, nodes = self.start(candidates, starts, paths)
        scored = np.zeros(len(best), np.int64)
        for node in nodes:
            own = candidates[starts[node] : starts[node + 1]]
            best[node], scored[node] = self.guess(own, paths[node], int(best[node]))
        return best, scored


# The score of a guess that the ranking omits: a symmetry maps it to a guess of a lower index, which is as good.
LEFT_OUT = -(1 << 63)


class Ranker(Protocol):
    """The interface that ranks the guesses of a one-step policy in a game.

    `candidates` is a nonempty, ascending uint32 array. `path` has the indices of the guesses of the history.
    """

    @property
    def scorer(self) -> Scorer:
        """The scorer of the game and the policy."""

    def scores(self, candidates: Integers, path: Integers, guesses: Integers) -> Scored:
        """Return two arrays: each guess's score (int64; LEFT_OUT if omitted), and 1 for a candidate, else 0 (uint8)."""

    def allowed_guesses(self, candidates: Integers, path: Integers) -> Integers:
        """Return the guesses that the policy allows: uint32, ascending."""

    def inequivalent(self, candidates: Integers, path: Integers) -> Integers:
        """Return the lowest index of each set of guesses that symmetries of the history exchange: uint32, ascending."""

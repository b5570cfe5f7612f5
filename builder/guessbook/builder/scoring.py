"""The base classes of scorers, which choose guesses of nodes, and rankings by one-step policies."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import few_candidates
from guessbook.builder.arrays import Chosen, Integers, Integers2D, Scored, homes_of, weight_table
from guessbook.engine.codes import CodeSearch
from guessbook.engine.partitions import Distinct
from guessbook.policy.hard_mode import broken_hint

# The largest number of feedbacks that are compared at once. They take some tens of megabytes.
MAX_CELLS = 1 << 20
# The score of a guess that the ranking omits, because a symmetry maps it to a guess of a lower
# index.
LEFT_OUT = -(1 << 63)


class Scorer:
    """The base class of scorers, which choose guesses of nodes and compute the feedbacks to them.

    Candidates are indices in `game.secrets`, guesses are indices in `game.guesses`; `Batch`
    explains the arrays.

    Attributes:
        few: the guess of a node with at most this number of candidates is its first candidate.
        code_search: the search of the engine that grows whole trees of a code game; None for all
            other scorers.
    """

    code_search: CodeSearch | None = None

    def __init__(self, game: Game) -> None:
        self.game, self.few = game, few_candidates(game)

    @cached_property
    def homes(self) -> Integers:
        """The index of each secret in the list of guesses: uint32[secrets]."""
        return homes_of(self.game)

    @cached_property
    def weights(self) -> Integers:
        """The weight of each secret: int64[secrets]."""
        return weight_table(self.game)

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Return the guess of each node of a level, and the number of guesses scored for it."""
        raise NotImplementedError

    def feedbacks(self, guesses: Integers, candidates: Integers, starts: Integers) -> Integers:
        """Return the feedback number of each candidate to the guess of the candidate's node."""
        raise NotImplementedError

    def divisible(self, candidates: Integers, path: Integers) -> CodeSearch | None:
        """Return the search that can score the guesses of a node in parts.

        Return None if the search is short, or cannot be divided.
        """
        return None


class EngineScorer(Scorer):
    """The base class of the engine's scorers, for one-step policies that allow every guess."""

    def table(self, guesses: Integers, candidates: Integers) -> Integers2D:
        """Return the feedback number of each candidate to each guess: uint[guesses, candidates]."""
        raise NotImplementedError

    def scores(self, candidates: Integers, path: Integers, guesses: Integers) -> Scored:
        """Return the score of each guess (int64), and 1 if it is a candidate, else 0 (uint8).

        `guesses` must be in ascending order. The score is LEFT_OUT for a guess that a symmetry maps
        to a lower guess.
        """
        raise NotImplementedError

    def inequivalent(self, candidates: Integers, path: Integers) -> Integers:
        """Return the lowest of each set of equivalent guesses: uint32, ascending."""
        raise NotImplementedError

    def hard_mode(self, history: History) -> Integers:
        """Return whether hard mode allows each guess after a history: bool[guesses]."""
        return np.array([not broken_hint(self.game, guess, history) for guess in self.game.guesses])


class DerivedScorer(Scorer):
    """The base class of scorers that only choose guesses; the scorer `plain` computes feedbacks."""

    def __init__(self, plain: Scorer) -> None:
        super().__init__(plain.game)
        self.plain = plain

    def feedbacks(self, guesses: Integers, candidates: Integers, starts: Integers) -> Integers:
        return self.plain.feedbacks(guesses, candidates, starts)


class NodeScorer(DerivedScorer):
    """The base class of scorers that choose the guess of one node at a time."""

    def start(
        self, candidates: Integers, starts: Integers, paths: Integers2D
    ) -> tuple[Integers, list[int]]:
        """Return preliminary guesses, and the nodes whose final guess `guess` must choose."""
        nodes = np.flatnonzero(np.diff(starts) > self.few)
        return self.homes[candidates[starts[:-1]]], nodes.tolist()

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return the guess of a node, and the number of guesses scored.

        `first` is the preliminary guess that the method `start` returned for the node.
        """
        raise NotImplementedError

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        best, nodes = self.start(candidates, starts, paths)
        scored = np.zeros(len(best), np.int64)
        for node in nodes:
            own = candidates[starts[node] : starts[node + 1]]
            best[node], scored[node] = self.guess(own, paths[node], int(best[node]))
        return best, scored


class Ranker(NamedTuple):
    """The ranking of the guesses that a one-step policy allows, by descending score.

    Ties go to candidates, then to lower indices. A guess is omitted if a symmetry of the history
    maps it to a guess of a lower index. `candidates` is a nonempty, ascending uint32 array; `path`
    has the guesses of the history.
    """

    scorer: EngineScorer
    consistent_only: bool
    hard_mode: bool

    def allowed_guesses(self, candidates: Integers, path: Integers) -> Integers:
        """Return the guesses that the policy allows: uint32, ascending."""
        if self.consistent_only:
            return self.scorer.homes[candidates]
        if not self.hard_mode or not len(path):
            return np.arange(len(self.scorer.game.guesses), dtype=np.uint32)
        # All candidates have the same feedbacks to the guesses of the path, so the first candidate
        # yields the history.
        whole = np.arange(len(path) + 1)
        answers = self.scorer.feedbacks(path, np.repeat(candidates[:1], len(path)), whole)
        history = list(zip(path.tolist(), answers.tolist(), strict=True))
        return np.flatnonzero(self.scorer.hard_mode(history)).astype(np.uint32)

    def scored(self, candidates: Integers, path: Integers) -> tuple[Integers, Integers, Integers]:
        """Return the guesses in the ranking, their scores, and 1 for each candidate, else 0."""
        guesses = self.allowed_guesses(candidates, path)
        scores, solves = self.scorer.scores(candidates, path, guesses)
        kept = np.flatnonzero(scores > LEFT_OUT)
        return guesses[kept], scores[kept], solves[kept]

    def whole(self, candidates: Integers, path: Integers) -> Integers:
        """Return all guesses of the ranking, the best guess first: uint32."""
        guesses, scores, solves = self.scored(candidates, path)
        return guesses[np.lexsort((guesses, solves == 0, -scores))]

    def best(self, candidates: Integers, path: Integers, width: int) -> Integers:
        """Return the best `width` guesses, best first, without duplicates: uint32.

        A guess is a duplicate if a better guess has equal cells and an equal weight. In a game with
        weights, the weight of a guess that is not a candidate is 0.
        """
        guesses, scores, solves = self.scored(candidates, path)
        # The 4 * width guesses of highest score nearly always suffice, so only these are sorted at
        # first.
        some = 4 * width
        while True:
            some = min(some, len(guesses))
            least = np.partition(scores, len(scores) - some)[len(scores) - some]
            top = np.flatnonzero(scores >= least)
            top = top[np.lexsort((top, solves[top] == 0, -scores[top]))]
            chosen = self._distinct(candidates, guesses[top], width)
            if len(chosen) == width or len(top) == len(guesses):
                return chosen
            some *= 8

    def _distinct(self, candidates: Integers, ranked: Integers, width: int) -> Integers:
        """Return the first `width` ranked guesses without duplicates (see `best`): uint32."""
        n, game = len(candidates), self.scorer.game
        width = min(width, len(ranked))
        weighted = game.weights is not None
        weights = self.scorer.weights[candidates] if weighted else np.zeros(n, np.int64)
        kept = Distinct(n, width, game.feedbacks, game.solved, weights)
        begin = 0
        # The first block has at most 4 * width guesses, which usually suffice; later blocks are
        # larger.
        size = min(4 * width, max(MAX_CELLS // n, 1))
        while begin < len(ranked) and kept.count < width:
            block = ranked[begin : begin + size]
            starts = np.arange(len(block) + 1) * n
            answers = self.scorer.feedbacks(block, np.tile(candidates, len(block)), starts)
            kept.add(block, answers.astype(np.uint32))
            begin += size
            size = min(2 * size, max(size, MAX_CELLS // n))
        return np.frombuffer(kept.chosen, np.uint32)[: kept.count]

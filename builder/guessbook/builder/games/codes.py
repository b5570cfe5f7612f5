"""The scorer and the ranker of code games; both call the engine."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakValueDictionary

import numpy as np

from guessbook.book.games.codes import Mastermind
from guessbook.builder.arrays import Chosen, Integers, Integers2D, Scored, rule_of
from guessbook.builder.games.scoring import LEFT_OUT
from guessbook.engine.codes import LARGE, CodeSearch, CodeTables
from guessbook.policy.one_step import OneStep
from guessbook.policy.search.symmetry import openings


class CodeScorer:
    """The scorer of a code game and a one-step policy; the engine computes guesses and feedbacks."""

    def __init__(self, game: Mastermind, policy: OneStep) -> None:
        self.game, self.rule = game, rule_of(policy, game)
        tables = CodeTables(game.pegs, game.colors, game.repeats)
        self.search = CodeSearch(tables, self.rule)
        # int32[codes], the multiset of symbols of each code, as an index.
        self.sets: Integers = np.frombuffer(tables.set_of, np.int32)

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Return the policy's guess for each node of a level, and the number of guesses scored for each node."""
        depth = paths.shape[1]
        if not depth and len(candidates) > LARGE:
            return self.opening(candidates)
        guess, scored = self.search.guesses(candidates, starts, np.ascontiguousarray(paths), depth)
        return np.frombuffer(guess, np.uint32), np.frombuffer(scored, np.int64)

    def opening(self, every: Integers) -> Chosen:
        """Score one opening for each pattern of repeated symbols. Return the best opening and the number scored."""
        some = np.array(openings(self.game), np.uint32)
        scores = []
        for guess in some:
            cells = self.rule.costs[np.bincount(self.table(guess[None], every)[0])]
            scores.append(-int(cells.sum() if self.rule.additive else cells.max()))
        # All openings are candidates, so ties go to the lowest index, and `argmax` returns the first maximum.
        return some[[np.argmax(scores)]], np.array([len(some)])

    def divisible(self, candidates: Integers, path: Integers) -> bool:
        """Return whether the engine can divide the search for the guess of a node."""
        return len(candidates) >= 3 and (len(path) > 0 or len(candidates) <= LARGE)

    def feedbacks(self, guesses: Integers, candidates: Integers, starts: Integers) -> Integers:
        """Return the feedback number of each candidate to the guess of the candidate's node: uint8."""
        found = self.search.feedbacks(
            guesses.astype(np.uint32, copy=False), candidates.astype(np.uint32, copy=False),
            starts.astype(np.int64, copy=False),
        )  # fmt: skip
        return np.frombuffer(found, np.uint8)

    def table(self, guesses: Integers, candidates: Integers) -> Integers2D:
        """Return the feedback numbers of candidates to guesses: uint8[guesses, candidates]."""
        n = len(candidates)
        starts = np.arange(len(guesses) + 1) * n
        found = self.feedbacks(guesses, np.tile(candidates, len(guesses)), starts)
        return found.reshape(len(guesses), n)


class CodeRanker(NamedTuple):
    """The ranker of a code game and a one-step policy; `consistent_only` limits the guesses to candidates."""

    scorer: CodeScorer
    consistent_only: bool

    def allowed_guesses(self, candidates: Integers, path: Integers) -> Integers:
        """Return the guesses that the policy allows after a history: uint32."""
        guesses = candidates if self.consistent_only else np.arange(self.scorer.search.tables.codes)
        return guesses.astype(np.uint32)

    def inequivalent(self, candidates: Integers, path: Integers) -> Integers:
        """Return the lowest index of each set of codes that symmetries of the history map to each other: uint32."""
        lowest = self.scorer.search.lowest(candidates.astype(np.uint32), path.astype(np.uint32))
        return np.flatnonzero(np.frombuffer(lowest, np.uint8)).astype(np.uint32)

    def scores(self, candidates: Integers, path: Integers, guesses: Integers) -> Scored:
        """Return two arrays: the score of each guess (int64), and 1 if the guess is a candidate, else 0 (uint8)."""
        search, codes = self.scorer.search, self.scorer.search.tables.codes
        wanted = np.zeros(search.tables.multisets, np.uint8)
        wanted[self.scorer.sets[guesses]] = 1
        scores = np.full(codes, LEFT_OUT, np.int64)
        solves = np.zeros(codes, np.uint8)
        some, used = candidates.astype(np.uint32), path.astype(np.uint32)
        search.scores(some, used, wanted, scores, solves)
        return scores[guesses], solves[guesses]


# The scorers in use. All tasks of a build share one scorer, and its tables are freed when the build ends.
USED: WeakValueDictionary[tuple[Mastermind, OneStep], CodeScorer] = WeakValueDictionary()


def scorer(game: Mastermind, policy: OneStep) -> CodeScorer:
    """Return the existing scorer of a code game and a one-step policy, or a new scorer if none exists."""
    found = USED.get((game, policy))
    if found is None:
        found = USED[game, policy] = CodeScorer(game, policy)
    return found


def ranker(scorer: CodeScorer, policy: OneStep) -> CodeRanker:
    """Return the ranker of a code game and a one-step policy."""
    return CodeRanker(scorer, policy.consistent_only)

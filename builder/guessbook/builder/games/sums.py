"""The scorer and the ranker of games in which a feedback number is a sum over the parts of the guess.

In a word game, the parts are the letters of the guess in their positions. In other games, the only part is the guess.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import few_candidates
from guessbook.builder.arrays import (
    Chosen,
    Integers,
    Integers2D,
    Scored,
    homes_of,
    rule_of,
    weight_table,
)
from guessbook.builder.games.automorphisms import inequivalent
from guessbook.engine.sums import SumGame, SumSearch
from guessbook.policy.one_step import OneStep
from guessbook.policy.reference import keeps_hints


class SumScorer:
    """The scorer of a game and a one-step policy; `SumGame` explains `sums` and `parts`."""

    def __init__(self, game: Game, policy: OneStep, sums: Integers2D, parts: Integers2D) -> None:
        self.game, self.sums, self.parts, self.homes = game, sums, parts, homes_of(game)
        table = SumGame(
            np.ascontiguousarray(sums), np.ascontiguousarray(parts, np.int32), len(parts),
            self.homes, weight_table(game), game.feedbacks, few_candidates(game),
        )  # fmt: skip
        self.search = SumSearch(table, rule_of(policy, game))

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Return the policy's guess for each node of a level, and the number of guesses scored for each node."""
        guess, scored = self.search.guesses(
            candidates.astype(np.uint32, copy=False), starts.astype(np.int64, copy=False)
        )
        return np.frombuffer(guess, np.uint32), np.frombuffer(scored, np.int64)

    def feedbacks(self, guesses: Integers, candidates: Integers, starts: Integers) -> Integers:
        """Return the feedback number of each candidate to the guess of the candidate's node: uint32."""
        out = np.zeros(len(candidates), np.uint32)
        guess = np.repeat(guesses, np.diff(starts))
        for part in range(self.parts.shape[1]):
            out += self.sums[np.maximum(self.parts[guess, part], 0), candidates]
        named = -1 - self.parts[guess, 0]
        added = named >= 0
        out[added] = self.name_feedbacks(named[added], candidates[added])
        return out

    def table(self, guesses: Integers, candidates: Integers) -> Integers2D:
        """Return the feedback numbers of candidates to guesses: uint[guesses, candidates]."""
        if self.parts.shape[1] == 1:
            out: Integers2D = self.sums[np.maximum(self.parts[guesses, 0], 0)][:, candidates]
        else:
            own = self.sums[:, candidates]
            out = own[self.parts[guesses, 0]]
            for part in range(1, self.parts.shape[1]):
                out += own[self.parts[guesses, part]]
        named = -1 - self.parts[guesses, 0]
        out[named >= 0] = self.name_feedbacks(named[named >= 0, None], candidates)
        return out

    def name_feedbacks(self, secrets: Integers, candidates: Integers) -> Integers:
        """Return the feedback numbers of candidates to guesses that only ask whether one code is the secret.

        `secrets` has the index of the code of each guess.
        """
        return np.where(secrets == candidates, self.game.solved, self.game.solved - 1)

    def hard_mode(self, history: History) -> Integers:
        """Return whether hard mode allows each guess after a history: bool[guesses]."""
        return np.array([keeps_hints(self.game, guess, history) for guess in self.game.guesses])


class SumRanker(NamedTuple):
    """The ranker of a game and a one-step policy, with the policy's limits on guesses."""

    scorer: SumScorer
    consistent_only: bool
    hard_mode: bool

    @classmethod
    def of(cls, scorer: SumScorer, policy: OneStep) -> SumRanker:
        """Return the ranker of the scorer's game and a policy. Hard mode is ignored if the game has none."""
        hard_mode = policy.hard_mode and scorer.game.has_hard_mode
        return cls(scorer, policy.consistent_only, hard_mode)

    def scores(self, candidates: Integers, path: Integers, guesses: Integers) -> Scored:
        """Return two arrays: the score of each guess (int64), and 1 if the guess is a candidate, else 0 (uint8)."""
        scores = self.scorer.search.scores(
            candidates.astype(np.uint32, copy=False), guesses.astype(np.uint32, copy=False)
        )
        solves = np.isin(guesses, self.scorer.homes[candidates]).astype(np.uint8)
        return np.frombuffer(scores, np.int64), solves

    def inequivalent(self, candidates: Integers, path: Integers) -> Integers:
        """Return the lowest index of each set of equivalent guesses, but all guesses in a word game: uint32."""
        if self.scorer.parts.shape[1] > 1:
            # The search for symmetries of a word game takes a second and finds hardly any.
            return np.arange(len(self.scorer.parts), dtype=np.uint32)
        return inequivalent(self.scorer.game, candidates, path)

    def allowed_guesses(self, candidates: Integers, path: Integers) -> Integers:
        """Return the guesses that the policy allows: uint32, ascending."""
        if self.consistent_only:
            return self.scorer.homes[candidates]
        if not self.hard_mode or not len(path):
            return np.arange(len(self.scorer.parts), dtype=np.uint32)
        # All candidates have the same feedbacks to the guesses of the path, so the first candidate yields the history.
        whole = np.arange(len(path) + 1)
        answers = self.scorer.feedbacks(path, np.repeat(candidates[:1], len(path)), whole)
        history = list(zip(path.tolist(), answers.tolist(), strict=True))
        return np.flatnonzero(self.scorer.hard_mode(history)).astype(np.uint32)

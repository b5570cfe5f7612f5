"""The scorers of one-step policies, for code games, word games, tables, and all other games."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np

from guessbook.book.games.codes import Mastermind
from guessbook.book.games.game import Game, History
from guessbook.book.games.symmetry import openings
from guessbook.book.games.words import WordGame
from guessbook.builder.arrays import (
    Chosen,
    Integers,
    Integers2D,
    Scored,
    cost_function,
    symbols_of,
)
from guessbook.builder.scoring import LEFT_OUT, EngineScorer, Ranker
from guessbook.builder.symmetry import inequivalent
from guessbook.engine.codes import LARGE, CodeSearch, CodeTables
from guessbook.engine.hints import word_table
from guessbook.engine.sums import SumGame, SumSearch
from guessbook.policy.candidates import WordSums, lane_bytes, sums_of
from guessbook.policy.policy import OneStep

if TYPE_CHECKING:
    from guessbook.book.games.tables import TableGame


class SumScorer(EngineScorer):
    """The scorer of any kind of game; feedbacks are sums over parts of guesses (see `SumGame`)."""

    def __init__(self, game: Game, policy: OneStep, sums: Integers2D, parts: Integers2D) -> None:
        super().__init__(game)
        self.sums, self.parts = sums, parts
        table = SumGame(
            np.ascontiguousarray(sums), np.ascontiguousarray(parts, np.int32), len(parts),
            self.homes, self.weights, game.feedbacks, self.few,
        )  # fmt: skip
        self.search = SumSearch(table, cost_function(policy, game))

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Return the policy's guess for each node, and the number of guesses scored for it."""
        guess, scored = self.search.guesses(
            candidates.astype(np.uint32, copy=False), starts.astype(np.int64, copy=False)
        )
        return np.frombuffer(guess, np.uint32), np.frombuffer(scored, np.int64)

    def feedbacks(self, guesses: Integers, candidates: Integers, starts: Integers) -> Integers:
        """Return the feedback number of each candidate to the guess of its node: uint32."""
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
        """Return the feedback numbers to guesses that only ask whether one code is the secret.

        `secrets` has the index of the code of each guess.
        """
        return np.where(secrets == candidates, self.game.solved, self.game.solved - 1)

    def scores(self, candidates: Integers, path: Integers, guesses: Integers) -> Scored:
        scores = self.search.scores(
            candidates.astype(np.uint32, copy=False), guesses.astype(np.uint32, copy=False)
        )
        solves = np.isin(guesses, self.homes[candidates]).astype(np.uint8)
        return np.frombuffer(scores, np.int64), solves

    def inequivalent(self, candidates: Integers, path: Integers) -> Integers:
        """Return the lowest of each set of equivalent guesses: uint32.

        In a word game, return all guesses.
        """
        if self.parts.shape[1] > 1:
            # The search for symmetries of a word game takes a second and finds hardly any.
            return np.arange(len(self.parts), dtype=np.uint32)
        return inequivalent(self, candidates, path)


class CodeScorer(EngineScorer):
    """The scorer of a code game, which uses the symmetries of codes."""

    game: Mastermind
    code_search: CodeSearch

    def __init__(self, game: Mastermind, policy: OneStep) -> None:
        super().__init__(game)
        self.rule = cost_function(policy, game)
        self.tables = CodeTables(game.pegs, game.colors, game.repeats)
        self.code_search = CodeSearch(self.tables, self.rule)
        # int32[codes], the multiset of symbols of each code, as an index.
        self.sets: Integers = np.frombuffer(self.tables.set_of, np.int32)

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Return the policy's guess for each node, and the number of guesses scored for it."""
        depth = paths.shape[1]
        if not depth and len(candidates) > LARGE:
            return self.opening(candidates)
        guess, scored = self.code_search.guesses(
            candidates, starts, np.ascontiguousarray(paths), depth
        )
        return np.frombuffer(guess, np.uint32), np.frombuffer(scored, np.int64)

    def opening(self, every: Integers) -> Chosen:
        """Score one opening for each pattern of repeated symbols.

        Returns the best opening, and the number of openings scored.
        """
        some = np.array(openings(self.game), np.uint32)
        scores = []
        for guess in some:
            cells = self.rule.costs[np.bincount(self.table(guess[None], every)[0])]
            scores.append(-int(cells.sum() if self.rule.additive else cells.max()))
        # All openings are candidates, so ties go to the lowest index, and `argmax` returns the
        # first maximum.
        return some[[np.argmax(scores)]], np.array([len(some)])

    def divisible(self, candidates: Integers, path: Integers) -> CodeSearch | None:
        """Return the search that can score the guesses of a node in parts.

        Return None if the search is short, or cannot be divided.
        """
        can = len(candidates) >= 3 and (len(path) > 0 or len(candidates) <= LARGE)
        return self.code_search if can else None

    def feedbacks(self, guesses: Integers, candidates: Integers, starts: Integers) -> Integers:
        """Return the feedback number of each candidate to the guess of its node: uint8."""
        found = self.tables.feedbacks(
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

    def inequivalent(self, candidates: Integers, path: Integers) -> Integers:
        """Return the lowest of each set of codes that symmetries map to each other: uint32."""
        lowest = self.tables.lowest(candidates.astype(np.uint32), path.astype(np.uint32))
        return np.flatnonzero(np.frombuffer(lowest, np.uint8)).astype(np.uint32)

    def scores(self, candidates: Integers, path: Integers, guesses: Integers) -> Scored:
        wanted = np.zeros(self.tables.multisets, np.uint8)
        wanted[self.sets[guesses]] = 1
        scores = np.full(self.tables.codes, LEFT_OUT, np.int64)
        solves = np.zeros(self.tables.codes, np.uint8)
        some, used = candidates.astype(np.uint32), path.astype(np.uint32)
        self.code_search.scores(some, used, wanted, scores, solves)
        return scores[guesses], solves[guesses]


# The scorers in use. All tasks of a build share one scorer, and its tables are freed when the build
# ends.
USED: WeakValueDictionary[tuple[Mastermind, OneStep], CodeScorer] = WeakValueDictionary()


def code_scorer(game: Mastermind, policy: OneStep) -> CodeScorer:
    """Return the scorer of a code game and a one-step policy; create it only if none is in use."""
    found = USED.get((game, policy))
    if found is None:
        found = USED[game, policy] = CodeScorer(game, policy)
    return found


@lru_cache(maxsize=2, typed=True)
def row_scorer(game: TableGame, policy: OneStep) -> SumScorer:
    """Return a scorer that reads the feedbacks to a guess from its row of the game's table."""
    secrets = len(game.secrets)
    sums = np.asarray(game.cells).reshape(-1, secrets)
    if not len(sums):
        sums = np.zeros((1, secrets), np.uint8)
    # The game has an extra guess for each secret that no guess in the table names. These are the
    # last secrets.
    added = np.arange(secrets - (len(game.guesses) - game.given), secrets)
    parts = np.concatenate([np.arange(game.given), -1 - added])[:, None]
    return SumScorer(game, policy, sums, parts)


@lru_cache(maxsize=2, typed=True)
def table_scorer(game: Game, policy: OneStep) -> SumScorer:
    """Return a scorer for any game, which reads the feedbacks to a guess from a row of a table."""
    sums = np.empty((len(game.guesses), len(game.secrets)), f"u{lane_bytes(game)}")
    of = sums_of(game, game.secrets)
    for row, guess in zip(sums, game.guesses, strict=True):
        row[:] = of.answers(guess)
    return SumScorer(game, policy, sums, np.arange(len(sums))[:, None])


class WordScorer(SumScorer):
    """The scorer of a word game, with a fast implementation of Wordle's hard mode."""

    @cached_property
    def letters(self) -> Integers2D:
        """The letters of every guess as Unicode code points: uint32[guesses, length]."""
        return symbols_of(self.game.guesses, self.game.length)

    def hard_mode(self, history: History) -> Integers:
        """Return whether hard mode allows each guess after a history: bool[guesses]."""
        # An allowed guess keeps each letter that was in the right place. If a feedback marked a
        # letter n times (in the right or another place), an allowed guess has this letter at least
        # n times.
        allowed = np.ones(len(self.letters), bool)
        for guess, feedback in history:
            word, marks = self.letters[guess].tolist(), self.game.format_feedback(feedback)
            answered = list(zip(word, marks, strict=True))
            for place, (letter, mark) in enumerate(answered):
                if mark == "2":
                    allowed &= self.letters[:, place] == letter
            shown = [letter for letter, mark in answered if mark != "0"]
            for letter in set(shown):
                allowed &= (self.letters == letter).sum(axis=1) >= shown.count(letter)
        return allowed


@lru_cache(maxsize=2, typed=True)
def word_scorer(game: WordGame, policy: OneStep) -> WordScorer:
    table, flat = word_table(game, WordSums(game, game.secrets))
    sums = np.frombuffer(table, f"u{table.itemsize}").reshape(-1, len(game.secrets))
    parts = np.frombuffer(flat, np.int32).reshape(len(game.guesses), -1)
    return WordScorer(game, policy, sums, parts)


# The scorer of each kind of game; `table_scorer` serves all others.
SCORERS: dict[str, Callable[[Any, OneStep], EngineScorer]] = {
    "mastermind": code_scorer,
    "words": word_scorer,
    "table": row_scorer,
}


def scorer_of(game: Game, policy: OneStep) -> EngineScorer:
    """Return the scorer of a game and a one-step policy, without the policy's limits on guesses."""
    plain = policy._replace(consistent_only=False, hard_mode=False)
    return SCORERS.get(game.kind, table_scorer)(game, plain)


def ranker_of(game: Game, policy: OneStep) -> Ranker:
    """Return the ranking of the guesses that a one-step policy allows.

    The option `hard_mode` of the policy is ignored in a game without hard mode.
    """
    hard_mode = policy.hard_mode and game.has_hard_mode
    return Ranker(scorer_of(game, policy), policy.consistent_only, hard_mode)

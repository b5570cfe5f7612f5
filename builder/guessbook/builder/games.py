"""The scorer and the ranker of games in which a feedback number is a sum over the parts of the guess. The scorer and the ranker of code games; both call the engine. The scorer of table games. A guess is a row of the table, or only asks whether one given secret is the secret. The scorer of any kind of game, from a table of the feedbacks of every secret to every guess. The scorer of word games: a feedback number is a sum over the letters of the guess, each with its positions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakValueDictionary

import numpy as np

from guessbook.book.games.codes import Mastermind
from guessbook.book.games.game import Game, History
from guessbook.book.games.symmetry import openings
from guessbook.book.games.weights import few_candidates, secret_weights
from guessbook.book.games.words import WordGame
from guessbook.builder.arrays import (
    Chosen,
    Integers,
    Integers2D,
    Scored,
    homes_of,
    rule_of,
    symbols_of,
    weight_table,
)
from guessbook.builder.scoring import LEFT_OUT, PlainScorer, Ranker, Scorer
from guessbook.builder.symmetry import inequivalent
from guessbook.engine.codes import LARGE, CodeSearch, CodeTables
from guessbook.engine.hints import word_table
from guessbook.engine.partitions import Distinct
from guessbook.engine.sums import SumGame, SumSearch
from guessbook.policy.candidates import WordSums, lane_bytes, sums_of
from guessbook.policy.hard_mode import keeps_hints
from guessbook.policy.policy import OneStep

if TYPE_CHECKING:
    from guessbook.book.games.tables import TableGame

# The maximal number of feedbacks that are compared at once. They take some tens of megabytes.
MAX_CELLS = 1 << 20


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
        return inequivalent(self.scorer, candidates, path)

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


def code_scorer(game: Mastermind, policy: OneStep) -> CodeScorer:
    """Return the existing scorer of a code game and a one-step policy, or a new scorer if none exists."""
    found = USED.get((game, policy))
    if found is None:
        found = USED[game, policy] = CodeScorer(game, policy)
    return found


def code_ranker(scorer: CodeScorer, policy: OneStep) -> CodeRanker:
    """Return the ranker of a code game and a one-step policy."""
    return CodeRanker(scorer, policy.consistent_only)


@lru_cache(maxsize=2, typed=True)
def row_scorer(game: TableGame, policy: OneStep) -> SumScorer:
    """Return the scorer for a table game and a one-step policy. `SumGame` explains `sums` and `parts`."""
    secrets = len(game.secrets)
    sums = np.asarray(game.cells).reshape(-1, secrets)
    if not len(sums):
        sums = np.zeros((1, secrets), np.uint8)
    # The game has an extra guess for each secret without a row in the table. These secrets are the last ones.
    added = np.arange(secrets - (len(game.guesses) - game.given), secrets)
    parts = np.concatenate([np.arange(game.given), -1 - added])[:, None]
    return SumScorer(game, policy, sums, parts)


@lru_cache(maxsize=2, typed=True)
def table_scorer(game: Game, policy: OneStep) -> SumScorer:
    """Return a scorer for any game. The scorer reads the feedbacks to a guess from a row of a table."""
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
        """Return whether Wordle's hard mode allows each guess after a history of Wordle's feedbacks: bool[guesses]."""
        # An allowed guess keeps each letter that was in the right place. If a feedback marked a letter n times (in
        # the right or another place), an allowed guess has this letter at least n times.
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
    """Return the scorer for a word game and a one-step policy."""
    table, flat = word_table(game, WordSums(game, game.secrets))
    sums = np.frombuffer(table, f"u{table.itemsize}").reshape(-1, len(game.secrets))
    parts = np.frombuffer(flat, np.int32).reshape(len(game.guesses), -1)
    return WordScorer(game, policy, sums, parts)


# The functions for each kind of game; `table_scorer` and `SumRanker.of` serve all others.
SCORERS: dict[str, Callable[[Any, OneStep], PlainScorer]] = {
    "mastermind": code_scorer,
    "words": word_scorer,
    "table": row_scorer,
}
RANKERS: dict[str, Callable[[Any, OneStep], Ranker]] = {"mastermind": code_ranker}


def scorer_of(game: Game, policy: OneStep) -> PlainScorer:
    """Return the scorer of a game and a one-step policy. This scorer ignores the policy's limits on guesses."""
    plain = policy._replace(consistent_only=False, hard_mode=False)
    return SCORERS.get(game.kind, table_scorer)(game, plain)


def ranker_of(game: Game, policy: OneStep) -> Ranker:
    """Return the ranker of a game and a one-step policy. This ranker respects the policy's limits on guesses."""
    return RANKERS.get(game.kind, SumRanker.of)(scorer_of(game, policy), policy)


def score_all(ranker: Ranker, candidates: Integers, path: Integers) -> tuple[Integers, ...]:
    """Return three arrays: the allowed guesses not scored LEFT_OUT, their scores, and 1 for each candidate, else 0."""
    guesses = ranker.allowed_guesses(candidates, path)
    scores, solves = ranker.scores(candidates, path, guesses)
    kept = np.flatnonzero(scores > LEFT_OUT)
    return guesses[kept], scores[kept], solves[kept]


def whole_ranking(ranker: Ranker, candidates: Integers, path: Integers) -> Integers:
    """Return the guesses of `score_all`, the best guess first: uint32."""
    guesses, scores, solves = score_all(ranker, candidates, path)
    return guesses[np.lexsort((guesses, solves == 0, -scores))]


def best_first(ranker: Ranker, candidates: Integers, path: Integers, width: int) -> Integers:
    """Return the best `width` guesses of a node, best first: uint32. No two have the same cells and the same weight."""
    guesses, scores, solves = score_all(ranker, candidates, path)
    # The 4 * width guesses of highest score nearly always suffice, so only these are sorted at first.
    some = 4 * width
    while True:
        some = min(some, len(guesses))
        least = np.partition(scores, len(scores) - some)[len(scores) - some]
        top = np.flatnonzero(scores >= least)
        top = top[np.lexsort((top, solves[top] == 0, -scores[top]))]
        chosen = first_distinct(ranker.scorer, candidates, guesses[top], width)
        if len(chosen) == width or len(top) == len(guesses):
            return chosen
        some *= 8


def first_distinct(scorer: Scorer, candidates: Integers, ranked: Integers, width: int) -> Integers:
    """Return the first `width` ranked guesses of which no two have the same cells and the same weight: uint32."""
    n = len(candidates)
    width = min(width, len(ranked))
    weighted = secret_weights(scorer.game) is not None
    weights = weight_table(scorer.game)[candidates] if weighted else np.zeros(n, np.int64)
    kept = Distinct(n, width, scorer.game.feedbacks, scorer.game.solved, weights)
    begin = 0
    # The first block has at most 4 * width guesses, which usually suffice; later blocks are larger.
    size = min(4 * width, max(MAX_CELLS // n, 1))
    while begin < len(ranked) and kept.count < width:
        block = ranked[begin : begin + size]
        starts = np.arange(len(block) + 1) * n
        answers = scorer.feedbacks(block, np.tile(candidates, len(block)), starts)
        kept.add(block, answers.astype(np.uint32))
        begin += size
        size = min(2 * size, max(size, MAX_CELLS // n))
    return np.frombuffer(kept.chosen, np.uint32)[: kept.count]

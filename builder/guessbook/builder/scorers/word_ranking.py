"""The ranking of a node in a word game, and Wordle's hard rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from guessbook.builder.kernels.jit import kernel
from guessbook.builder.scorers.ranking import LEFT_OUT, best_first
from guessbook.builder.scorers.words import WordScorer, word_scorer

if TYPE_CHECKING:
    from guessbook.book.games.words import WordGame
    from guessbook.builder.kernels.arrays import Array, Integers, Integers2D
    from guessbook.policy.one_step import OneStep

__all__ = ["WordRanker", "hard_words", "letter_table", "word_ranker"]


def letter_table(game: WordGame) -> Integers2D:
    """The letters of every guess as code points: uint32[guesses, length]."""
    return np.array(list(game.guesses), f"U{game.length}").view(np.uint32).reshape(-1, game.length)


def hard_words(game: WordGame, letters: Integers2D, history: list[tuple[int, int]]) -> Integers:
    """Which guesses Wordle's hard mode allows after a history: bool[guesses].

    A letter that was in its place has to stay there, and a guess needs each letter at least as
    often as an answer showed it, in its place or elsewhere. What an answer ruled out may be
    guessed again.

    Args:
        game: the game, with standard feedback.
        letters: see `letter_table`.
        history: (guess index, feedback number) pairs.
    """
    allowed = np.ones(len(letters), bool)
    for guess, feedback in history:
        marks: list[int] = []
        for _ in range(game.length):
            feedback, mark = divmod(feedback, 3)
            marks.insert(0, mark)
        word = letters[guess]
        shown: dict[int, int] = {}
        for place, mark in enumerate(marks):
            letter = int(word[place])
            shown[letter] = shown.get(letter, 0) + (mark > 0)
            if mark == 2:
                allowed &= letters[:, place] == letter
        for letter, times in shown.items():
            if times:
                allowed &= (letters == letter).sum(axis=1) >= times
    return allowed


class WordRanker(NamedTuple):
    """The ranker of a word game and a one-step policy.

    Attributes:
        scorer: the scorer of both.
        letters: see `letter_table`.
        consistent_only: whether only candidates are ranked.
        hard_mode: whether only what Wordle's hard rule allows.
    """

    scorer: WordScorer
    letters: Integers2D
    consistent_only: bool
    hard_mode: bool

    def rank(self, candidates: Integers, path: Integers, width: int) -> Integers:
        """See `ranking.Ranker.rank`."""
        guesses = self.allowed(candidates, path)
        scorer, rule = self.scorer, self.scorer.rule
        # Eight bytes hold several candidates; those beyond the last one are left out again.
        sums = scorer.columns(candidates).view(scorer.sums.dtype)[:, : len(candidates)]
        scores = np.full(len(guesses), LEFT_OUT, np.int64)
        solves = np.zeros(len(guesses), np.uint8)
        score_words(
            np.ascontiguousarray(sums), scorer.parts, guesses, rule.weights, rule.additive,
            rule.credit, np.zeros(len(candidates), np.uint32),
            np.zeros(scorer.game.feedbacks, np.int64), scores, solves,
        )  # fmt: skip
        return best_first(scorer, candidates, guesses, scores, solves, width)

    def allowed(self, candidates: Integers, path: Integers) -> Integers:
        """The guesses that may be made: uint32, ascending."""
        if self.consistent_only:
            return self.scorer.homes[candidates]
        if not self.hard_mode or not len(path):
            return np.arange(len(self.letters), dtype=np.uint32)
        # Each candidate gives the same answers to the guesses of the history.
        whole = np.arange(len(path) + 1)
        answers = self.scorer.feedbacks(path, np.repeat(candidates[:1], len(path)), whole)
        history = list(zip(path.tolist(), answers.tolist(), strict=True))
        return np.flatnonzero(hard_words(self.scorer.game, self.letters, history)).astype(np.uint32)


def word_ranker(game: WordGame, policy: OneStep) -> WordRanker:
    """The ranker of a word game and a one-step policy."""
    plain = policy._replace(consistent_only=False, hard_mode=False)
    return WordRanker(
        word_scorer(game, plain), letter_table(game), policy.consistent_only, policy.hard_mode
    )


@kernel
def score_words(
    sums: Array, parts: Array, guesses: Array, weights: Array, additive: bool, credit: int,
    row: Array, cells: Array, scores: Array, solves: Array,
) -> None:  # fmt: skip
    """Score words against the candidates of a node.

    Args:
        sums: uint8, uint16 or uint32[parts, n], what a part adds to each candidate's feedback.
        parts: int64[words, k], the parts of each word of the game.
        guesses: uint32[m], the words to score.
        weights: of the policy, with
        additive: and
        credit: see `arrays.Rule`.
        row: uint32[n], working space for the feedbacks of one word.
        cells: int64[feedbacks], 0 before and after.
        scores: int64[m], receives the scores.
        solves: uint8[m], receives 1 for each word that is a candidate.
    """
    n = sums.shape[1]
    for i in range(len(guesses)):
        for k in range(n):
            row[k] = 0
        for j in range(parts.shape[1]):
            part = parts[guesses[i], j]
            for k in range(n):
                row[k] += sums[part, k]
        for k in range(n):
            cells[row[k]] += 1
        if cells[len(cells) - 1]:
            solves[i] = 1
        total = np.int64(0)
        for k in range(n):
            weight = weights[cells[row[k]]]
            total = total + weight if additive else max(total, weight)
            cells[row[k]] = 0
        scores[i] = credit * solves[i] - total

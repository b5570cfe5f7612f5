"""Hints without a book, computed by one-step policies in the engine."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import few_candidates, weights_of
from guessbook.engine.codes import CodeSearch, CodeTables
from guessbook.engine.partitions import CostFunction
from guessbook.engine.sums import SumGame, SumSearch
from guessbook.policy.candidates import LANES, Choice, candidates_of, lane_bytes, parts_of, sums_of
from guessbook.policy.policy import OneStep, score_guesses

if TYPE_CHECKING:
    from guessbook.book.games.codes import Mastermind
    from guessbook.book.games.words import WordGame
    from guessbook.policy.candidates import WordSums


# The number of (guess, candidate) pairs that plain Python scores in a fifth of a second.
QUICK_PAIRS = 100_000


class CodeHints:
    """The candidates after a history in a code game, loaded into the engine for hints."""

    def __init__(
        self, game: Mastermind, history: History, candidates: Sequence[str] | None = None
    ) -> None:
        self.game, self.history = game, history
        self.tables = CodeTables(game.pegs, game.colors, game.repeats)
        if candidates is None:
            self.candidates = array("I", range(self.tables.codes))
            for guess, feedback in history:
                self.candidates = self.tables.fitting(self.candidates, guess, feedback)
        else:
            self.candidates = array("I", sorted(map(game.parse_code, candidates)))

    def best_guess(self, policy: OneStep) -> Choice:
        """Return the guess of a one-step policy.

        The policy must allow all guesses. There must be a candidate.
        """
        starts = array("q", [0, len(self.candidates)])
        path = array("I", [guess for guess, _ in self.history])
        guess = self._search(policy).guesses(self.candidates, starts, path, len(path))[0][0]
        answers = self.tables.feedbacks(array("I", [guess]), self.candidates, starts)
        sizes = [size for f in range(self.game.feedbacks) if (size := answers.count(f))]
        return Choice(guess, len(self.candidates), sizes, self.game.solved in answers)

    def scores(self, policy: OneStep, guesses: Sequence[int]) -> list[int]:
        """Return the exact score of each guess by a one-step policy, bonus included."""
        codes, sets = self.tables.codes, self.tables.set_of
        wanted = bytearray(self.tables.multisets)
        for guess in guesses:
            wanted[sets[guess]] = 1
        scores, solves = array("q", bytes(8 * codes)), bytearray(codes)
        self._search(policy).scores(self.candidates, None, wanted, scores, solves)
        return [scores[guess] for guess in guesses]

    def lowest(self, path: Sequence[int]) -> list[int]:
        """Return the lowest of each set of guesses that are equivalent after those in `path`."""
        marks = self.tables.lowest(self.candidates, array("I", path))
        return [guess for guess, mark in enumerate(marks) if mark]

    def _search(self, policy: OneStep) -> CodeSearch:
        return CodeSearch(self.tables, CostFunction.of(policy, self.game, len(self.candidates)))


class SumHints:
    """The candidates after a history in a game of any kind, loaded into the engine for hints."""

    def __init__(
        self, game: Game, history: History, candidates: Sequence[str] | None = None
    ) -> None:
        self.game = game
        self.candidates = candidates_of(game, history) if candidates is None else list(candidates)
        self._sums = sums_of(game, self.candidates)

    def best_guess(self, policy: OneStep) -> Choice:
        """Return the guess of a one-step policy.

        The policy must allow all guesses. There must be a candidate.
        """
        size = len(self.candidates)
        if self._is_quick(len(self.game.guesses)):
            guess = policy.choose(self.game, [], self.candidates)
        else:
            starts = array("q", [0, size])
            guess = self._search(policy).guesses(array("I", range(size)), starts)[0][0]
        sizes = self._sums.cell_weights(self._sums.answers(self.game.guesses[guess]))
        return Choice(guess, size, list(sizes.values()), self.game.solved in sizes)

    def scores(self, policy: OneStep, guesses: Sequence[int]) -> list[int]:
        """Return the exact score of each guess by a one-step policy, bonus included."""
        if self._is_quick(len(guesses)):
            return score_guesses(self._sums, [policy], guesses)[0]
        every, wanted = array("I", range(len(self.candidates))), sorted(set(guesses))
        scores = self._search(policy).scores(every, array("I", wanted))
        known = dict(zip(wanted, scores, strict=True))
        return [known[guess] for guess in guesses]

    def _is_quick(self, guesses: int) -> bool:
        """Return whether plain Python is done before the engine would have its table of costs."""
        # The table has an entry for each weight that a cell may have, and weights may add up to
        # millions.
        pairs = guesses * len(self.candidates)
        return pairs <= QUICK_PAIRS and 16 * pairs < self._weight

    @cached_property
    def _weight(self) -> int:
        return sum(weights_of(self.game, self.candidates))

    @cached_property
    def table(self) -> tuple[Any, Any]:
        """The arrays `SumGame.sums` and `SumGame.parts`; a guess has one part, itself."""
        sums = array(LANES[lane_bytes(self.game)])
        for guess in self.game.guesses:
            sums.frombytes(bytes(self._sums.answers(guess)))
        return sums, array("i", range(len(self.game.guesses)))

    @cached_property
    def homes(self) -> array[int]:
        """The index (uint32) of each candidate in the list of guesses."""
        return array("I", [self.game.parse_code(code) for code in self.candidates])

    def _search(self, policy: OneStep) -> SumSearch:
        game, weights = self.game, array("q", weights_of(self.game, self.candidates))
        sums, parts = self.table
        rule = CostFunction.of(policy, game, self._weight)
        guesses, few = len(game.guesses), few_candidates(game)
        table = SumGame(sums, parts, guesses, self.homes, weights, game.feedbacks, few)
        return SumSearch(table, rule)


class WordHints(SumHints):
    """The candidates after a history in a word game, loaded into the engine for hints."""

    @cached_property
    def table(self) -> tuple[Any, Any]:
        """The arrays `SumGame.sums` and `SumGame.parts`; a part is a letter with its positions."""
        return word_table(self.game, self._sums)  # type: ignore[arg-type]


def word_table(game: WordGame, sums: WordSums) -> tuple[array[int], array[int]]:
    """Return the arrays `SumGame.sums` and `SumGame.parts` of a word game."""
    numbers: dict[tuple[str, int], int] = {}
    split = [
        [numbers.setdefault(part, len(numbers)) for part in parts_of(guess)]
        for guess in game.guesses
    ]
    width = max(map(len, split))
    nothing = [len(numbers)] * width
    parts = array("i", [number for row in split for number in (row + nothing)[:width]])
    table = array(LANES[lane_bytes(game)])
    for part in numbers:
        table.frombytes(bytes(sums.lanes(sums.of(part))))  # frombytes is faster than extend
    table.frombytes(bytes(table.itemsize * len(sums.candidates)))
    return table, parts


def hints_of(game: Game, history: History, candidates: Sequence[str] | None = None) -> Any:
    """Load the candidates of a history into the engine; return the object that computes hints.

    If `candidates` is None, the candidates are all secrets that fit the history.
    """
    hints: Any = HINTS.get(game.kind, SumHints)
    return hints(game, history, candidates)


# The class for each kind of game; `SumHints` serves all others.
HINTS: dict[str, type[CodeHints | SumHints]] = {"mastermind": CodeHints, "words": WordHints}

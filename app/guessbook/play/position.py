"""The class `Position`, the base class of a session: its rows, its candidates and its next guess."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from itertools import starmap
from typing import Any, Self, TypeVar

from guessbook.book.errors import InconsistentFeedbackError, UsageError, quote
from guessbook.book.games.beyond import read_history, text_of
from guessbook.book.games.game import Game, History, feedback_to
from guessbook.book.games.symmetry import has_symmetry
from guessbook.book.games.weights import likeliest_first, secret_weights, weights_of
from guessbook.book.source import Source, open_source
from guessbook.book.strategy import DEFAULT_BOOK
from guessbook.lookup.hint import Hint, hint_for
from guessbook.lookup.walk import wrong_tree
from guessbook.play.analysis import Analysis, Split, analyse
from guessbook.play.explain import ranking_policy, replace_refused, yardstick
from guessbook.play.rows import Entries, Row, html, row_at, rows_of
from guessbook.play.shuffle import Shuffle
from guessbook.policy.notation import PolicyLike, header, policy_of_session
from guessbook.policy.reference import broken_hint

Result = TypeVar("Result")


class Position:
    """A game in progress: the base class of `Session`. `Session` documents the arguments and attributes."""

    def __init__(
        self,
        source: Source = DEFAULT_BOOK,
        history: object = (),
        policy: PolicyLike | None = None,
        shuffle: Shuffle | None = None,
        refused: Sequence[str] = (),
    ) -> None:
        self.book, self.game = open_source(source)
        if self.book is not None and policy is not None:
            raise UsageError(
                f"found a book, which has a policy, and the policy {quote(policy)}; omit the policy"
            )
        own = policy_of_session("entropy" if policy is None else policy)
        self.policy: PolicyLike = self.book.policy if self.book else own
        if not isinstance(shuffle, Shuffle | None):
            raise UsageError(
                f"found shuffle {quote(shuffle)}, expected a Shuffle; create one with random_shuffle"
            )
        self.shuffle = shuffle
        self._rows: tuple[Row, ...] = ()
        self._refused: tuple[str, ...] = ()
        self._found: dict[str, tuple[object, Any]] = {}
        for guess in refused:
            self.refuse(guess)
        self._rows = tuple(rows_of(self.game, history))

    def __repr__(self) -> str:
        rows = [f"{row.guess}={row.feedback}{' (set aside)' * row.aside}" for row in self.rows]
        return f"<Session {self.game.name}: {' '.join(rows) or 'no guesses so far'}>"

    def _repr_html_(self) -> str:
        return html(self.game, self.rows)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The guesses and feedbacks so far, including rows that are set aside (excluded from the history)."""
        return self._rows

    @property
    def history(self) -> Entries:
        """The rows that are not set aside, as (guess, feedback) pairs of texts."""
        return [(row.guess, row.feedback) for row in self.rows if not row.aside]

    @property
    def parsed_history(self) -> History:
        """The history as pairs (guess index, feedback number). Indices refer to the guesses of the game `known`."""
        game = self.known
        return [(game.parse_code(g), game.parse_feedback(f)) for g, f in self.history]

    def add_guess(self, guess: str | Sequence[str] | None, feedback: object) -> None:
        """Append a guess and its feedback to the rows; None stands for the hinted guess.

        Raises:
            InvalidCodeError, InvalidFeedbackError: the guess or feedback is invalid. The rows remain unchanged.
            InconsistentFeedbackError: `guess` is None, and no code fits the history.
            UsageError: the game is solved.
        """
        number = feedback_to(self.game, guess, feedback)
        if self.solved:
            given = "a guess" if guess is None else f"guess {quote(guess)}"
            raise UsageError(
                f"found {given} after the game was solved; take the last guess back first"
            )
        if guess is None:
            guess = self.hint().guess
            number = feedback_to(self.game, guess, feedback)
        code = text_of(self.game, guess)
        self._refused = tuple([other for other in self.refused if other != code])
        self._rows += (Row(code, self.game.format_feedback(number)),)

    def undo(self) -> Row:
        """Remove the last row and return it. Raises UsageError if there are no rows."""
        if not self.rows:
            raise UsageError(
                "found no guess to take back: nothing has been answered yet; add a guess first"
            )
        last, self._rows = self._rows[-1], self._rows[:-1]
        return last

    def edit(self, row: int, guess: str | Sequence[str] | None, feedback: object) -> Row:
        """Correct a row, include it in the history, and return the new row.

        If `guess` is None, all rows that were equal to the old row are corrected, too.

        Args:
            row: the number of the row, counted from 0.
            guess: the corrected guess; None if the guess was right.
            feedback: the corrected feedback.

        Raises:
            UsageError: the row does not exist.
            InvalidCodeError, InvalidFeedbackError: the guess or feedback is invalid. The rows remain unchanged.
        """
        old = row_at(self.rows, row)
        number = feedback_to(self.game, old.guess if guess is None else guess, feedback)
        code = old.guess if guess is None else text_of(self.game, guess)
        return self._put(row, Row(code, self.game.format_feedback(number)), guess is None)

    def reguess(self, row: int, guess: str) -> None:
        """Correct the guess of one row; the rest of the row remains unchanged."""
        self._put(row, row_at(self.rows, row)._replace(guess=text_of(self.game, guess)), False)

    def set_aside(self, row: int) -> Row:
        """Exclude a row from the history, or include it again, and return the new row.

        Rows that were equal to the old row change, too. Raises UsageError if the row does not exist.
        """
        old = row_at(self.rows, row)
        return self._put(row, old._replace(aside=not old.aside), True)

    def _put(self, number: int, new: Row, twins: bool) -> Row:
        """Replace a row by `new`, and return `new`. If `twins` is true, also replace all rows equal to the old row."""
        old, rows = self._rows[number], list(enumerate(self._rows))
        changed = {number, *[k for k, row in rows if twins and row == old]}
        self._rows = tuple([new if k in changed else row for k, row in rows])
        return new

    def restore(self, rows: Iterable[Row]) -> None:
        """Replace the rows of this session by `rows`, such as the rows of a saved game."""
        self._rows = tuple(rows)

    def fresh(self) -> Self:
        """Return a new session with the game and policy of this session, without rows or refused guesses."""
        twin = self.at([])
        twin._refused = ()
        return twin

    def at(self, history: Entries) -> Self:
        """Return a new session with the rows of `history`, and the game, policy and refused guesses of this session."""
        twin = copy(self)
        twin._rows, twin._found = tuple(starmap(Row, history)), {}
        return twin

    def copy(self) -> Self:
        """Return an independent copy: changes of its rows do not affect this session."""
        return copy(
            self
        )  # The copy can share the cache, because each result is stored with its history.

    @property
    def known(self) -> Game:
        """The game, with the unlisted guesses of the history added to its list of guesses."""
        return self._once("game", lambda: read_history(self.game, self.history)[0])

    @property
    def among_guesses(self) -> bool:
        """Whether guesses outside the list of secrets are candidates, because no listed secret fits the history."""
        return len(self.analysis().game.secrets) > len(self.game.secrets)

    @property
    def remaining(self) -> int:
        """The number of candidates; 0 if no code fits the history."""
        history = self.history
        if not history and not self.refused:
            return len(self.game.secrets)
        told, hint = self._found.get("hint", (None, None))
        if hint is not None and told == (history, self.refused):
            return int(hint.remaining)
        return len(self.analysis().candidates)

    @property
    def weight(self) -> int | None:
        """The sum of the candidates' weights; None if secrets have no weights."""
        return None if secret_weights(self.game) is None else self.analysis().total

    @property
    def solved(self) -> bool:
        """Whether the secret has been guessed; False if no code fits the history."""
        return any(f == self.game.solved for _, f in self.parsed_history) and self.remaining > 0

    def candidates(self) -> list[str]:
        """Return the candidates in the order of the game; the list is empty if no code fits the history."""
        return list(self.analysis().candidates)

    def chances(self) -> dict[str, float]:
        """Return the probability of each candidate, the likeliest first.

        >>> from guessbook.book import WordGame
        >>> from guessbook.play import Session
        >>> Session(WordGame(["ab", "ac", "ad"], weights=[1, 6, 1])).chances()
        {'ac': 0.75, 'ab': 0.125, 'ad': 0.125}
        """
        seen = self.analysis()
        codes = likeliest_first(seen.game, seen.candidates)
        weights = zip(codes, weights_of(seen.game, codes), strict=True)
        return {code: weight / seen.weight for code, weight in weights}

    def listed(self) -> list[str]:
        """Return the candidates as text to print, each with its probability if secrets have weights."""
        if self.weight is None:
            return self.candidates()
        return [f"{code} {chance:.1%}" for code, chance in self.chances().items()]

    def analysis(self) -> Analysis:
        """Return the analysis of the history. The analysis has no candidates if no code fits."""
        return self._once(
            "analysis", lambda: analyse(self.known, self.parsed_history, self.refused)
        )

    def checked(self) -> Analysis:
        """Return the analysis of the history, and check that it has candidates.

        Raises:
            InconsistentFeedbackError: no code fits the history.
            WrongTreeError: the number of candidates in the book is wrong for this history.
        """
        analysis = self.analysis()
        if not analysis.candidates:
            self._found.pop(
                "hint", None
            )  # Remove the hint that a wrong book gave although no code fits.
            raise self._contradiction()
        if self.remaining != len(analysis.candidates):
            raise wrong_tree(self.game, analysis.history)
        return analysis

    def split(self, guess: str | Sequence[str]) -> Split:
        """Return the statistics of the partition of the candidates by a guess.

        Raises:
            InconsistentFeedbackError: no code fits the history.
            InvalidCodeError: the guess is not a code of the game.
        """
        code = text_of(self.game, guess)
        return self.checked().split(code)

    @property
    def hard(self) -> bool:
        """Whether the policy plays the hard mode of Wordle: each guess must use all letters found so far."""
        return ranking_policy(self.policy).hard_mode and self.game.has_hard_mode

    def broken(self, guess: str | Sequence[str]) -> str:
        """Return the rule of hard mode that a guess breaks, or "" if there is none. Raises InvalidCodeError."""
        code = text_of(self.game, guess)
        return broken_hint(self.known, code, self.parsed_history) if self.hard else ""

    @property
    def refused(self) -> tuple[str, ...]:
        """The guesses that `refuse` has marked, except those that `rows` contains."""
        guessed = {row.guess for row in self.rows}
        return tuple([guess for guess in self._refused if guess not in guessed])

    def refuse(self, guess: str | Sequence[str] | None = None) -> str:
        """Mark a guess that the played game rejects, and return the guess. None stands for the hinted guess.

        A marked guess is neither suggested nor a candidate until a row contains it.

        >>> from guessbook.book import WordGame
        >>> from guessbook.play import Session
        >>> session = Session(WordGame(["light", "night", "might", "sight"]))
        >>> session.refuse(), session.hint().guess, session.remaining
        ('light', 'night', 3)

        Raises:
            UsageError: the game accepts every code, or no candidate would remain.
            InconsistentFeedbackError: no code fits the history.
            InvalidCodeError: the guess is not a code of the game.
        """
        if has_symmetry(self.game):
            given = "the hinted guess" if guess is None else quote(guess)
            raise UsageError(
                f"found {given} as refused, but {self.game.name} accepts every code; enter the feedback to this guess"
            )
        self.checked()
        code = self.hint().guess if guess is None else text_of(self.game, guess)
        after = self.copy()
        after._refused = tuple(dict.fromkeys([*self.refused, code]))
        if not after.remaining:
            raise UsageError(
                f"found refused guess {code}, but without it no candidate remains; re-check feedbacks"
            )
        self._refused = after.refused
        return code

    def hint(self) -> Hint:
        """Return the next guess: from the book (directly or by symmetry), else computed.

        Raises:
            InconsistentFeedbackError: no code fits the history. The attribute `suspects` of the error has the indices
                of the rows to re-check.
        """
        return self._once("hint", self._hint)

    def best(self, history: Entries) -> str:
        """Return the guess of the policy `entropy` after a history. Ratings compare other guesses with this guess."""
        twin, rule = self.at(history), yardstick(self.policy)
        if self.book is None or self.book.policy != header(rule):
            twin.book, twin.policy = None, rule
        return twin.hint().guess

    def _hint(self) -> Hint:
        """Compute the hint. If `shuffle` is given, it permutes the guess. A guess that `refuse` marked is replaced."""
        history, shuffle = self.history, self.shuffle
        if shuffle is not None:
            history = [(shuffle.back(guess), feedback) for guess, feedback in history]
        try:
            hint = hint_for(self.game, self.policy, history, self.book)
        except InconsistentFeedbackError:
            raise self._contradiction() from None
        if shuffle is not None:
            hint = hint._replace(guess=shuffle.there(hint.guess))
        if hint.solved or not self.refused:
            return hint
        found = replace_refused(self.checked(), hint, self.policy, self.refused)
        return found._replace(source="guesses") if self.among_guesses else found

    def _once(self, what: str, work: Callable[[], Result]) -> Result:
        """Return the result of `work` for the current history, from the cache if possible. `what` is the cache key."""
        # Copies of this session share the cache, so each result is stored with its history.
        key = (self.history, self.refused)
        known = self._found.get(what)
        if known is None or known[0] != key:
            known = self._found[what] = (key, work())
        found: Result = known[1]
        return found

    def _contradiction(self) -> InconsistentFeedbackError:
        """Return the error that no code fits the history. Its `suspects` are the indices of the `rows` to re-check."""
        try:
            hint_for(self.game, self.policy, self.history)
        except InconsistentFeedbackError as error:
            believed = [k for k, row in enumerate(self.rows) if not row.aside]
            return InconsistentFeedbackError(str(error), tuple(believed[k] for k in error.suspects))
        refused = ", ".join(self.refused)
        return InconsistentFeedbackError(
            f"found only refused guesses that fit: {refused}; re-check the answers"
        )

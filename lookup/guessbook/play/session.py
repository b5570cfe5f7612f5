"""The session: a game in progress, with everything that can be asked about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, Self, TypeAlias, TypeVar

from guessbook.book.errors import InconsistentFeedbackError, UsageError, shown, whole_number
from guessbook.book.games.beyond import read_history, text_of
from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import likeliest_first, secret_weights, weights_of
from guessbook.book.source import Source, opened
from guessbook.book.strategy import DEFAULT_BOOK, Strategy
from guessbook.lookup.hint import Hint, hint_for
from guessbook.lookup.walk import wrong_tree
from guessbook.play.analysis import Analysis, Split, analysed
from guessbook.play.explain import Explanation, explanation, ranking_policy
from guessbook.play.pairs import best_pairs
from guessbook.play.rate import PairRating, Rating, pair_rating, rating
from guessbook.play.review import Review, review
from guessbook.play.rows import Row, check_order, html, replaced, row_at, rows_of, share
from guessbook.play.shuffle import Shuffle
from guessbook.policy.notation import PolicyLike, header, unpinned
from guessbook.policy.one_step import POLICIES, OneStep
from guessbook.policy.reference import broken_hint

# The guesses and feedbacks of a history.
Entries: TypeAlias = list[tuple[str, str]]

Result = TypeVar("Result")


class Session:
    """A game in progress: what to guess, why, and how well it went.

    >>> session = Session("mastermind-4x6")
    >>> session.add_guess("RYGB", "1,1")
    >>> session.add_guess("RGOP", "0,2")
    >>> session.hint().guess, session.remaining
    ('PYYG', 57)
    >>> session.rate("YYYY").skill
    44
    >>> session.undo().guess
    'RGOP'

    Every entry is noted, also one that contradicts the others: `hint` then raises
    InconsistentFeedbackError, which names the rows to re-check, and `edit` or `set_aside` put it
    right.

    A session is not shared between threads: give each thread a `copy` of its own.

    Args:
        source: a book, the path of one, or the name of a shipped one; or a game, or its name, such
            as "bagels": then every guess is computed.
        history: the guesses and feedbacks so far, in any notation that `hint` accepts.
        policy: the policy of a game without a book, as `policy_of` takes it, without a first
            guess; a book has its own.
        shuffle: a symmetry through which the policy is seen; see `shuffle.random_shuffle`.

    Attributes:
        game: the game.
        book: the book, if there is one.
        policy: the policy: of a book as its header has it, else itself.

    Raises:
        InvalidBookError, UsageError: as `read_strategy` does.
        InvalidCodeError, InvalidFeedbackError: it is not a history of this game.
    """

    def __init__(
        self,
        source: Source = DEFAULT_BOOK,
        history: object = (),
        policy: PolicyLike | None = None,
        shuffle: Shuffle | None = None,
    ) -> None:
        self.book, self.game = opened(source)
        if self.book is not None and policy is not None:
            raise UsageError("found a book and a policy, expected one of them: a book has its own")
        own = unpinned("entropy" if policy is None else policy)
        self.policy: PolicyLike = self.book.policy if self.book else own
        if not isinstance(shuffle, Shuffle | None):
            raise UsageError(f"found {shown(shuffle)}, expected a Shuffle, as random_shuffle gives")
        self.shuffle = shuffle
        self._rows = tuple(rows_of(self.game, history))
        self._found: dict[str, tuple[object, Any]] = {}

    def __repr__(self) -> str:
        rows = [f"{row.guess}={row.feedback}{' (set aside)' * row.aside}" for row in self.rows]
        return f"<Session {self.game.name}: {' '.join(rows) or 'no guesses so far'}>"

    def _repr_html_(self) -> str:
        """The rows as a table, which a notebook shows."""
        return html(self.game, self.rows)

    # What is known.

    @property
    def rows(self) -> tuple[Row, ...]:
        """The guesses and feedbacks so far, those that are set aside included."""
        return self._rows

    @property
    def history(self) -> Entries:
        """The rows that are not set aside, as (guess, feedback) pairs of texts."""
        return [(row.guess, row.feedback) for row in self.rows if not row.aside]

    @property
    def parsed_history(self) -> History:
        """The history as (guess index, feedback number) pairs, of the game that `known` gives."""
        game = self.known
        return [(game.parse_code(g), game.parse_feedback(f)) for g, f in self.history]

    @property
    def known(self) -> Game:
        """The game, with the guesses of the history that its list lacks: see `read_history`."""
        return self._once("game", lambda: read_history(self.game, self.history)[0])

    @property
    def among_guesses(self) -> bool:
        """Whether no secret fits, but guesses do: these are the candidates then."""
        return len(self.analysis().game.secrets) > len(self.game.secrets)

    @property
    def remaining(self) -> int:
        """How many candidates there are; 0 if nothing fits. No guess is computed for it."""
        history = self.history
        if not history:
            return len(self.game.secrets)
        told, hint = self._found.get("hint", (None, None))
        if hint is not None and told == history:
            return int(hint.remaining)
        return len(self.analysis().candidates)

    @property
    def weight(self) -> int | None:
        """How much the candidates count together; None where secrets have no weights."""
        return None if secret_weights(self.game) is None else self.analysis().total

    @property
    def solved(self) -> bool:
        """Whether a feedback says that its guess is the secret, and the others agree."""
        return any(f == self.game.solved for _, f in self.parsed_history) and self.remaining > 0

    def candidates(self) -> list[str]:
        """The candidates, in the order of the game; none if nothing fits."""
        return list(self.analysis().candidates)

    @property
    def hard(self) -> bool:
        """Whether the policy keeps Wordle's hard mode: a guess uses what the answers showed."""
        return ranking_policy(self.policy).hard_mode and self.game.has_hard_mode

    def broken(self, guess: str | Sequence[str]) -> str:
        """What a guess lacks by the rule of hard mode, and which letter; empty if nothing.

        That is so in games without that mode, too. Raises InvalidCodeError.
        """
        code = text_of(self.game, guess)
        return broken_hint(self.known, code, self.parsed_history) if self.hard else ""

    def chances(self) -> dict[str, float]:
        """The probability of each candidate to be the secret, the likeliest first.

        Equally likely ones are in the order of the game.

        >>> from guessbook.book import WordGame
        >>> Session(WordGame(["ab", "ac", "ad"], weights=[1, 6, 1])).chances()
        {'ac': 0.75, 'ab': 0.125, 'ad': 0.125}
        """
        seen = self.analysis()
        codes = likeliest_first(seen.game, seen.candidates)
        weights = weights_of(seen.game, codes)
        total = sum(weights)
        return {code: w / total for code, w in zip(codes, weights, strict=True)}

    def listed(self) -> list[str]:
        """The candidates for people, with their chances where secrets have weights."""
        if self.weight is None:
            return self.candidates()
        return [f"{code} {chance:.1%}" for code, chance in self.chances().items()]

    # What happens.

    def add_guess(self, guess: str | Sequence[str] | None, feedback: object) -> None:
        """Note a guess, or with None the hinted one, and its feedback.

        Raises:
            InvalidCodeError, InvalidFeedbackError: the game does not know it; nothing is noted.
            InconsistentFeedbackError: no guess is given and none can be suggested.
            UsageError: the game is solved.
        """
        number = self.game.parse_feedback(feedback)
        if self.solved:
            raise UsageError(
                "found a guess after the game was solved; take the last one back first"
            )
        code = self.hint().guess if guess is None else text_of(self.game, guess)
        self._rows += (Row(code, self.game.format_feedback(number)),)

    def undo(self) -> Row:
        """Take the last row back, and return it. Raises UsageError if there is none."""
        if not self.rows:
            raise UsageError("found no guess to take back: nothing has been answered yet")
        last, self._rows = self._rows[-1], self._rows[:-1]
        return last

    def edit(self, row: int, guess: str | Sequence[str] | None, feedback: object) -> Row:
        """Correct a row, and believe it again; return what it is now.

        Rows that are word for word the same are one entry: their feedback is corrected together.

        Args:
            row: which one, counted from 0.
            guess: the guess, if that was wrong as well; else None.
            feedback: what it should have been.

        Raises:
            UsageError: there is no such row.
            InvalidCodeError, InvalidFeedbackError: the game does not know it; nothing changes.
        """
        old = row_at(self.rows, row)
        number = self.game.parse_feedback(feedback)
        code = old.guess if guess is None else text_of(self.game, guess)
        new = Row(code, self.game.format_feedback(number))
        self._rows = replaced(self.rows, row, new, twins=guess is None)
        return new

    def reguess(self, row: int, guess: str) -> None:
        """Correct the guess of a row alone, which stays believed or set aside."""
        new = row_at(self.rows, row)._replace(guess=text_of(self.game, guess))
        self._rows = replaced(self.rows, row, new, twins=False)

    def set_aside(self, row: int) -> Row:
        """Stop believing a row, or believe it again; return what it is now.

        So with all rows that are word for word the same: as one entry they are right or wrong.

        Raises:
            UsageError: there is no such row.
        """
        old = row_at(self.rows, row)
        new = old._replace(aside=not old.aside)
        self._rows = replaced(self.rows, row, new, twins=True)
        return new

    def hint(self) -> Hint:
        """What to guess next, from the book, by symmetry, or computed live.

        Raises:
            InconsistentFeedbackError: no secret fits; its `suspects` are positions in `rows`.
        """
        return self._once("hint", lambda: self._answered(self.policy, self.history, self.book))

    def explain(self, guess: str | None = None, count: int = 10) -> Explanation:
        """Why the suggested guess, or any other: its partition, and the best alternatives.

        The guess may be one that the list lacks, as in a history; the alternatives are of the list.

        Raises:
            InconsistentFeedbackError: no secret fits.
            InvalidCodeError: the game does not know the guess.
        """
        count = whole_number("alternatives", count)
        code = self.hint().guess if guess is None else text_of(self.game, guess)
        found = explanation(self.checked(), code, self.policy, count)
        win = self.hint().win if guess is None else None
        return found._replace(among_guesses=self.among_guesses, breaks=self.broken(code), win=win)

    def rate(self, guess: str) -> Rating:
        """A guess against the best one. It may be one that the list lacks, as in a history.

        Raises:
            InconsistentFeedbackError: no secret fits.
            InvalidCodeError: the game does not know the guess.
        """
        code = text_of(self.game, guess)
        analysis, rule = self.checked(), ranking_policy(self._yardstick)
        found = rating(analysis, code, self.best(self.history), rule)
        return found._replace(breaks=self.broken(code))

    def rate_pair(self, first: str, second: str) -> PairRating:
        """Two guesses that are made one after the other, whatever the first one tells."""
        codes = text_of(self.game, first), text_of(self.game, second)
        return pair_rating(self.checked(), *codes)

    def best_pairs(self, count: int = 10) -> list[PairRating]:
        """The pairs of guesses that together are expected to tell the most, best first.

        Raises:
            UsageError: the search would take too long.
        """
        return best_pairs(self.checked(), whole_number("pairs", count))

    def review(self, secret: str | None = None) -> Review:
        """The game so far, guess by guess; rows that are set aside are left out.

        Args:
            secret: the secret, if it is known although the game is not solved.

        Raises:
            InconsistentFeedbackError: no secret fits.
            UsageError: there is nothing to review, `secret` does not fit, or there are guesses
                after the one that solved the game.
        """
        return review(self, secret)

    def share(self, ascii_only: bool = False) -> str:
        """The game's feedbacks as a grid of pegs or squares, as text.

        Raises:
            UsageError: there is no guess, or there are guesses after the one that solved the game.
        """
        check_order(self.game, self.history, "share")
        return share(self.game, [self.parsed_history], ascii_only)

    def fresh(self) -> Session:
        """A session of the same game and policy without any rows."""
        if self.book is not None:
            return type(self)(self.book, shuffle=self.shuffle)
        return type(self)(self.game, policy=self.policy, shuffle=self.shuffle)

    def copy(self) -> Self:
        """A session with the same rows, which can be changed without changing this one."""
        return copy(self)  # what has been found out is shared

    def analysis(self) -> Analysis:
        """The candidates and what can be computed about them; none if nothing fits."""
        return self._once("analysis", lambda: analysed(self.known, self.parsed_history))

    def checked(self) -> Analysis:
        """The same where something fits.

        Raises:
            InconsistentFeedbackError: no secret fits.
            WrongTreeError: the hint of a book says that another number of them does.
        """
        analysis = self.analysis()
        if not analysis.candidates:
            self._found.pop("hint", None)  # of a wrong book, which may have one all the same
            raise self._contradiction(self.history)
        if self.remaining != len(analysis.candidates):
            raise wrong_tree(self.game, analysis.history)
        return analysis

    def split(self, guess: str | Sequence[str]) -> Split:
        """What a guess does to the candidates, in numbers.

        Raises:
            InconsistentFeedbackError: no secret fits.
            InvalidCodeError: the game does not know the guess.
        """
        code = text_of(self.game, guess)
        return self.checked().split(code)

    def _once(self, what: str, work: Callable[[], Result]) -> Result:
        """The result of some work for the present history, computed once for all copies.

        Copies may be asked by several threads: a result is stored together with its history.
        """
        history = self.history
        known = self._found.get(what)
        if known is None or known[0] != history:
            known = self._found[what] = (history, work())
        found: Result = known[1]
        return found

    def _answered(self, policy: PolicyLike, history: Entries, book: Strategy | None) -> Hint:
        """The guess of a policy after a history, seen through the shuffle if there is one."""
        try:
            if self.shuffle is None:
                return hint_for(self.game, policy, history, book)
            carried = [(self.shuffle.back(guess), feedback) for guess, feedback in history]
            hint = hint_for(self.game, policy, carried, book)
            return hint._replace(guess=self.shuffle.there(hint.guess))
        except InconsistentFeedbackError:
            raise self._contradiction(history) from None

    def _contradiction(self, history: Entries) -> InconsistentFeedbackError:
        """The error for a history that no secret fits, in the codes that were typed."""
        try:
            hint_for(self.game, self.policy, history)
        except InconsistentFeedbackError as error:
            believed = [k for k, row in enumerate(self.rows) if not row.aside]
            return InconsistentFeedbackError(str(error), tuple(believed[k] for k in error.suspects))
        raise AssertionError("a history is consistent or not, however it is looked at")

    def best(self, history: Entries) -> str:
        """The guess of the yardstick, the policy `entropy`."""
        own = self.book is not None and self.book.policy == header(self._yardstick)
        return self._answered(self._yardstick, history, self.book if own else None).guess

    @property
    def _yardstick(self) -> OneStep:
        """The policy `entropy`, limited to the guesses that our policy is limited to."""
        rule = ranking_policy(self.policy)
        entropy = POLICIES["entropy"]
        return entropy._replace(consistent_only=rule.consistent_only, hard_mode=rule.hard_mode)

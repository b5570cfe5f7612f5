"""A game in progress: its guesses and feedbacks, hints, explanations, ratings and a review."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from itertools import starmap
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeAlias, TypeVar

from guessbook.book.errors import (
    InconsistentFeedbackError,
    UsageError,
    quantity,
    quote,
    whole_number,
)
from guessbook.book.games.codes import Mastermind
from guessbook.book.games.game import (
    Game,
    History,
    SymmetricGame,
    never_secret,
    number_between,
    others_fitting,
    read_history,
    require_guesses,
    text_of,
)
from guessbook.book.games.presets import allowed_guesses, game_of, is_game
from guessbook.book.games.weights import likeliest_first, weights_of
from guessbook.book.strategy import (
    DEFAULT_BOOK,
    Strategy,
    book_path,
    read_strategy,
    shipped_books,
)
from guessbook.lookup.hint import Hint, hint_for, wrong_tree
from guessbook.play.analysis import (
    Analysis,
    Split,
    analyse,
    ranking_policy,
    with_limits,
)
from guessbook.play.explain import Explanation, explain
from guessbook.play.opponents import Shuffle
from guessbook.play.pairs import PairRating, best_pairs, rate_pair
from guessbook.play.rate import Rating, rate
from guessbook.play.review import Review, review_turns
from guessbook.play.terminal.display import display_of
from guessbook.policy.hard_mode import broken_hint
from guessbook.policy.policy import POLICIES
from guessbook.policy.registry import PolicyLike, fallback, header, policy_of_session

# An entry is a (guess, feedback) pair of strings.
Entries: TypeAlias = list[tuple[str, str]]
Result = TypeVar("Result")
# What a session plays: a book, its path or name, a game, or the name of a game.
Source: TypeAlias = Strategy | Game | Path | str


def open_source(source: Source) -> tuple[Strategy | None, Game]:
    """Return the book and the game of a source; the book is None if the source is only a game.

    The name of a book takes precedence over the name of a game. Raises InvalidBookError if the
    file is not a book, and UsageError for an unknown source.
    """
    if isinstance(source, Game):
        return None, game_of(source)
    if isinstance(source, str) and is_game(source) and not os.path.exists(book_path(source)):  # noqa: PTH110
        return None, game_of(source)
    book = source if isinstance(source, Strategy) else read_strategy(source)
    return book, book.game


class Row(NamedTuple):
    """One guess of a session and its feedback.

    Attributes:
        guess: the code.
        feedback: the feedback as text, such as "1,1".
        aside: whether the row is set aside: stored, but excluded from the history.
    """

    guess: str
    feedback: str
    aside: bool = False


def rows_of(game: Game, history: object) -> list[Row]:
    """Return a row for each entry of a history, in the order of the history."""
    known, pairs = read_history(game, history)
    return [Row(known.guesses[guess], game.format_feedback(feedback)) for guess, feedback in pairs]


def share(
    game: Game,
    boards: Sequence[History],
    ascii_only: bool = False,
    day: str = "",
    limit: int | None = None,
) -> str:
    """Return a text to share: a title, then the feedbacks of each board, one per line.

    >>> from guessbook.book.games.words import WordGame
    >>> print(share(WordGame(["light", "eight"]), [[(0, 80), (1, 242)]]))
    Wordle 2/6
    <BLANKLINE>
    ⬛🟩🟩🟩🟩
    🟩🟩🟩🟩🟩

    >>> from guessbook.book.games.codes import Mastermind
    >>> from guessbook.book.games.game import parse_history
    >>> game = Mastermind(4, 6)
    >>> print(share(game, [parse_history(game, "RYGB=1,1 RGOP=4,0")]))
    Guessbook mastermind-4x6 2 guesses
    <BLANKLINE>
    ●○··
    ●●●●

    `ascii_only` replaces drawn pegs and squares by ASCII characters. `day` is the date of a daily
    secret. `limit` is the number of guesses that a word game allows, by default that of Wordle on
    this number of boards.
    """
    several = f"{len(boards)} boards" if len(boards) > 1 else ""
    count = max(map(len, boards))
    solved = all(any(feedback == game.solved for _, feedback in board) for board in boards)
    made = quantity(count)
    if not solved:
        made += ", not solved"
    name, allowed = share_name(game)
    if allowed:
        limit = limit or allowed + len(boards) - 1
        if solved and count <= limit:
            made = f"{count}/{limit}"
        elif count == limit:
            made = f"X/{limit}"
    lines = [" ".join(filter(None, [name, several, day, made]))]
    for board in boards:
        lines += ["", *[display_of(game).share_line(feedback, ascii_only) for _, feedback in board]]
    return "\n".join(lines)


def share_name(game: Game) -> tuple[str, int]:
    """Return a game's name in a text to share, and its limit of guesses on one board (0: none)."""
    allowed = allowed_guesses(game) if game.kind == "words" else 0
    return ("Wordle" if allowed else f"Guessbook {game.name}"), allowed


def share_of(session: Session, ascii_only: bool = False) -> dict[str, Any]:
    """Return a session's text to share, and the lines of feedback in it, as a dict for JSON.

    Raises:
        InconsistentFeedbackError: no code fits the history.
        UsageError: there is no guess, or there are guesses after the game was solved.
    """
    text = session.share(ascii_only)
    session.require_candidates()
    known = {"game": session.game.name, "guesses": len(session.rows), "solved": session.solved}
    return {**known, "rows": text.splitlines()[2:], "text": text}


class Session:
    """A game in progress, which suggests, explains and rates guesses, and reviews the game.

    >>> session = Session("mastermind-4x6")
    >>> session.add_guess("RYGB", "1,1")
    >>> session.add_guess("RGOP", "0,2")
    >>> session.hint().guess, session.remaining
    ('PYYG', 57)
    >>> session.rate("YYYY").skill
    44
    >>> session.undo().guess
    'RGOP'

    Rows (a row is a guess and its feedback) may contradict each other. Then `hint` raises
    InconsistentFeedbackError, and its message names the rows to re-check. Correct them with `edit`,
    or exclude them with `set_aside`.

    Sessions are not thread-safe: use a separate `copy` in each thread.

    Args:
        source: a book, its path, the name of a shipped book, a game, or the name of a game, such as
            "bagels". Without a book, every guess is computed.
        history: the guesses and feedbacks so far, in any notation that `hint` accepts.
        policy: the policy for a source without a book, in any form that `make_policy` accepts, but
            without `first_guess`; None for `entropy`.
        refused: guesses that the real game rejects; see `refuse`.

    Attributes:
        game: the game.
        book: the book; None if there is none.
        policy: the policy of the book, or the given policy if there is no book.

    Raises:
        InvalidBookError, UsageError: the source cannot be opened, or is a book and `policy`
            is given.
        InvalidCodeError, InvalidFeedbackError: the history does not belong to this game.
    """

    def __init__(
        self,
        source: Source = DEFAULT_BOOK,
        history: object = (),
        policy: PolicyLike | None = None,
        refused: Sequence[str] = (),
    ) -> None:
        self.book, self.game = open_source(source)
        if self.book is not None and policy is not None:
            raise UsageError(f"a book has its own policy; omit the policy {quote(policy)}")
        given = policy_of_session("entropy" if policy is None else policy)
        if self.book is None:
            given.check(self.game)
        self.policy: PolicyLike = self.book.policy if self.book else given
        self._policy = fallback(self.policy)
        self._rule = ranking_policy(self._policy)
        # The option `--shuffle` sets a permutation for the guesses of the policy.
        self.shuffle: Shuffle | None = None
        # Copies of this session share the cache, so each result is stored with its history and
        # refused guesses.
        self._cache: dict[str, tuple[object, Any]] = {}
        self._refused: tuple[str, ...] = ()
        self._set_rows([])
        if refused:
            self._refuse_all([text_of(self.game, guess) for guess in refused])
        self._set_rows(rows_of(self.game, history))

    def _set_rows(self, rows: Iterable[Row]) -> None:
        self._rows = tuple(rows)
        self._history = [(row.guess, row.feedback) for row in self._rows if not row.aside]
        self._extended_game, self._parsed_history = read_history(self.game, self._history)

    def __repr__(self) -> str:
        rows = [f"{row.guess}={row.feedback}{' (set aside)' * row.aside}" for row in self.rows]
        return f"<{type(self).__name__} {self.game.name}: {' '.join(rows) or 'no guesses so far'}>"

    def _repr_html_(self) -> str:
        """Return the rows as an HTML table, for notebooks."""
        from html import escape

        if not self.rows:
            return f"<table><caption>{escape(self.game.name)}: no guesses so far</caption></table>"
        display = display_of(self.game)
        lines = []
        for number, row in enumerate(self.rows, 1):
            drawn = display.share_line(self.game.parse_feedback(row.feedback))
            feedback = f"<s>{escape(row.feedback)}</s>" if row.aside else escape(row.feedback)
            lines.append(
                f"<tr><td>{number}</td><td><code>{escape(row.guess)}</code></td>"
                f"<td>{escape(drawn)}</td><td>{feedback}</td></tr>"
            )
        return f"<table>{''.join(lines)}</table>"

    @property
    def rows(self) -> tuple[Row, ...]:
        """The guesses and feedbacks so far, including rows that are set aside."""
        return self._rows

    @property
    def history(self) -> Entries:
        """The rows that are not set aside, as (guess, feedback) pairs of strings."""
        return list(self._history)

    @property
    def parsed_history(self) -> History:
        """The history as pairs (guess index, feedback number).

        Indices refer to the guesses of `extended_game`.
        """
        return list(self._parsed_history)

    @property
    def extended_game(self) -> Game:
        """The game, with the unlisted guesses of the history added to its list of guesses."""
        return self._extended_game

    def add_guess(self, guess: str | Sequence[str] | None, feedback: object) -> None:
        """Append a guess and its feedback to the rows; None stands for the hinted guess.

        Raises:
            InvalidCodeError, InvalidFeedbackError: the guess or feedback is invalid. The rows
                remain unchanged.
            InconsistentFeedbackError: `guess` is None, and no code fits the history.
            UsageError: the game is solved.
        """
        # Invalid feedback is reported before a hint is computed.
        if guess is None:
            self.game.parse_feedback(feedback)
        else:
            self.game.feedback_to(guess, feedback)
        if self.solved:
            raise UsageError("the game is already solved; take the last guess back first")
        code = self.hint().guess if guess is None else text_of(self.game, guess)
        number = self.game.feedback_to(code, feedback)
        self._refused = tuple([other for other in self.refused if other != code])
        self._set_rows([*self.rows, Row(code, self.game.format_feedback(number))])

    def undo(self) -> Row:
        """Remove the last row and return it. Raises UsageError if there are no rows."""
        if not self.rows:
            raise UsageError("no guess to take back; add a guess first")
        last = self.rows[-1]
        self._set_rows(self.rows[:-1])
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
            InvalidCodeError, InvalidFeedbackError: the guess or feedback is invalid. The rows
                remain unchanged.
        """
        old = self._row(row)
        number = self.game.feedback_to(old.guess if guess is None else guess, feedback)
        code = old.guess if guess is None else text_of(self.game, guess)
        return self._replace_row(row, Row(code, self.game.format_feedback(number)), guess is None)

    def edit_guess(self, row: int, guess: str) -> None:
        """Correct the guess of one row; the rest of the row remains unchanged."""
        self._replace_row(row, self._row(row)._replace(guess=text_of(self.game, guess)), False)

    def set_aside(self, row: int) -> Row:
        """Exclude a row from the history, or include it again, and return the new row.

        Rows that were equal to the old row change, too. Raises UsageError if the row does not
        exist.
        """
        old = self._row(row)
        return self._replace_row(row, old._replace(aside=not old.aside), True)

    def _row(self, number: int) -> Row:
        """Return the row with the index `number`, or raise UsageError if there is no such row."""
        rows = self.rows
        if type(number) is not int:
            raise UsageError(
                f"row {quote(number)} is not a whole number; give the index of a row, from 0"
            )
        if not rows:
            raise UsageError(f"no row {number + 1}: there are no rows yet; add a guess first")
        if not 0 <= number < len(rows):
            raise UsageError(f"no row {number + 1}; choose a row from 1 to {len(rows)}")
        return rows[number]

    def _replace_row(self, number: int, new: Row, equal_rows: bool) -> Row:
        """Replace a row, and with `equal_rows` all rows equal to it, by `new`, and return `new`."""
        old, rows = self.rows[number], list(self.rows)
        for k, row in enumerate(rows):
            if k == number or (equal_rows and row == old):
                rows[k] = new
        self._set_rows(rows)
        return new

    def restore(self, rows: Iterable[Row]) -> None:
        """Replace the rows of this session by `rows`, such as the rows of a saved game."""
        given = list(rows)
        for row in given:
            if not isinstance(row, tuple) or len(row) not in (2, 3):
                raise UsageError(f"{quote(row)} is not a row; give Row(guess, feedback)")
        self._set_rows(starmap(Row, given))

    def new_game(self) -> Self:
        """Return a session without rows, with this one's game, policy and refused guesses."""
        return self.with_history([])

    def with_history(self, history: object) -> Self:
        """Return a session with this history, and this one's game, policy and refused guesses.

        The history is in any notation that `hint` accepts.
        """
        twin = copy(self)
        twin._cache = {}
        twin._set_rows(rows_of(self.game, history))
        return twin

    def copy(self) -> Self:
        """Return an independent copy: changes to its rows do not affect this session."""
        return copy(self)

    def _cached(self, name: str, compute: Callable[[], Result]) -> Result:
        """Return the result of `compute` for the current position, from the cache if possible."""
        position = (self._history, self.refused)
        if name not in self._cache or self._cache[name][0] != position:
            self._cache[name] = (position, compute())
        result: Result = self._cache[name][1]
        return result

    @property
    def among_guesses(self) -> bool:
        """Whether other guesses are candidates because no listed secret fits the history."""
        return len(self.analysis().game.secrets) > len(self.game.secrets)

    @property
    def remaining(self) -> int:
        """The number of candidates; 0 if no code fits the history."""
        position = (self._history, self.refused)
        if position == ([], ()):
            return len(self.game.secrets)
        # A hint from the book has the number of candidates without a search for them.
        if "hint" in self._cache and self._cache["hint"][0] == position:
            return int(self._cache["hint"][1].remaining)
        return len(self.analysis().candidates)

    @property
    def weight(self) -> int | None:
        """The sum of the candidates' weights; None if secrets have no weights."""
        return self.analysis().total

    @property
    def solved(self) -> bool:
        """Whether the secret has been guessed; False if no code fits the history."""
        return any(f == self.game.solved for _, f in self.parsed_history) and self.remaining > 0

    @property
    def outcome(self) -> str | None:
        """The outcome, if the game has outcomes and no further test helps; otherwise None."""
        if self.game.identification is None or not self.analysis().candidates:
            return None
        return self.hint().outcome

    def candidates(self) -> list[str]:
        """Return the candidates in the order of the game; empty if no code fits the history."""
        return list(self.analysis().candidates)

    def chances(self) -> dict[str, float]:
        """Return the probability of each candidate, the likeliest first.

        >>> from guessbook.book.games.words import WordGame
        >>> from guessbook.play.session import Session
        >>> Session(WordGame(["ab", "ac", "ad"], weights=[1, 6, 1])).chances()
        {'ac': 0.75, 'ab': 0.125, 'ad': 0.125}
        """
        seen = self.analysis()
        codes = likeliest_first(seen.game, seen.candidates)
        weights = zip(codes, weights_of(seen.game, codes), strict=True)
        return {code: weight / seen.weight for code, weight in weights}

    def analysis(self) -> Analysis:
        """Return an object with the list `candidates`, empty if no code fits the history.

        Its method `partition(guess)` returns the candidates by their feedback number, and
        `split(guess)` a `Split`.
        """
        return self._cached(
            "analysis", lambda: analyse(self._extended_game, self._parsed_history, self.refused)
        )

    def require_candidates(self) -> Analysis:
        """Return the same as `analysis`, after checking that there are candidates.

        Raises:
            InconsistentFeedbackError: no code fits the history.
            WrongTreeError: the number of candidates in the book is wrong for this history.
        """
        analysis = self.analysis()
        if not analysis.candidates:
            # A wrong book may have given a hint although no code fits.
            self._cache.pop("hint", None)
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
        return self.require_candidates().split(code)

    @property
    def hard_mode(self) -> bool:
        """Whether the policy plays Wordle's hard mode: guesses must use all letters found."""
        return self._rule.hard_mode and self.game.has_hard_mode

    def broken_rule(self, guess: str | Sequence[str]) -> str:
        """Return the rule of hard mode that a guess breaks, or "" if there is none.

        Raises:
            InvalidCodeError: the guess is not a code of the game.
        """
        code = text_of(self.game, guess)
        return (
            broken_hint(self._extended_game, code, self._parsed_history) if self.hard_mode else ""
        )

    @property
    def refused(self) -> tuple[str, ...]:
        """The guesses marked as rejected by the real game, except those that `rows` contains."""
        guessed = {row.guess for row in self.rows}
        return tuple([guess for guess in self._refused if guess not in guessed])

    def refuse(self, guess: str | Sequence[str] | None = None) -> str:
        """Mark a guess that the real game rejects, and return it; None stands for the hinted guess.

        A marked guess is neither suggested nor a candidate until a row contains it.

        >>> from guessbook.book.games.words import WordGame
        >>> from guessbook.play.session import Session
        >>> session = Session(WordGame(["light", "night", "might", "sight"]))
        >>> session.refuse(), session.hint().guess, session.remaining
        ('light', 'night', 3)

        Raises:
            UsageError: the game accepts every code, its tests name no secret, or no candidate would
                remain.
            InconsistentFeedbackError: no code fits the history.
            InvalidCodeError: the guess is not a code of the game.
        """
        self._require_refusals(guess)
        self.require_candidates()
        code = self.hint().guess if guess is None else text_of(self.game, guess)
        self._refuse_all([code])
        return code

    def _require_refusals(self, guess: str | Sequence[str] | None) -> None:
        """Raise UsageError if the game rejects no guess. The message names `guess`."""
        game = self.game
        if game.identification is not None:
            if guess is None:
                hint = self.hint()
                test = game.guesses[0] if hint.outcome else hint.guess
            else:
                test = text_of(game, guess)
            entry = quote(f"{test}=?")
            raise UsageError(
                f"no test can be refused; if you cannot make a test, answer it with ?, as in {entry}"
            )
        if isinstance(game, SymmetricGame):
            named = "the hinted guess"
            if guess is not None:
                named = f"the guess {game.display_name(text_of(game, guess))}"
            raise UsageError(
                f"{named} cannot be refused, because {game.name} accepts every code; give its feedback "
                "instead"
            )

    def _refuse_all(self, codes: Sequence[str]) -> None:
        """Mark guesses as rejected. Raise UsageError if no candidate would remain."""
        self._require_refusals(codes[0])
        after = self.copy()
        after._refused = tuple(dict.fromkeys([*self.refused, *codes]))
        if not after.remaining:
            named = f"guess {codes[0]}" if len(codes) == 1 else "guesses"
            raise UsageError(
                f"no candidate remains without the refused {named}; re-check the feedbacks, or refuse "
                "fewer guesses"
            )
        self._refused = after.refused

    def hint(self) -> Hint:
        """Return the next guess: from the book (directly or by symmetry), else computed.

        Raises:
            InconsistentFeedbackError: no code fits the history. The attribute `suspects` of the
                error has the indices of the rows to re-check.
        """
        return self._cached("hint", self._compute_hint)

    def _compute_hint(self) -> Hint:
        """Compute the hint, permuted by `shuffle`, without the guesses that `refuse` has marked."""
        game, history, shuffle = self._extended_game, self._parsed_history, self.shuffle
        if shuffle is not None:
            history = [
                (game.parse_code(shuffle.back(game.guesses[guess])), feedback)
                for guess, feedback in history
            ]
        try:
            hint = hint_for(game, self._policy, history, self.book)
        except InconsistentFeedbackError:
            raise self._contradiction() from None
        if shuffle is not None:
            hint = hint._replace(guess=shuffle.there(hint.guess))
        return self._without_refused(hint) if self.refused and not hint.solved else hint

    def _without_refused(self, hint: Hint) -> Hint:
        """Return a hint computed again without the refused guesses."""
        analysis, refused, guess = self.require_candidates(), self.refused, hint.guess
        if guess in refused:
            allowed = analysis.allowed(self._rule, refused)
            ((best,),) = analysis.best_guesses([self._rule], allowed, [1])
            guess = analysis.game.guesses[best]
        remaining = len(analysis.candidates)
        return hint._replace(
            guess=guess,
            source="guesses" if self.among_guesses else "live",
            remaining=remaining,
            entropy=analysis.split(guess).entropy,
            candidate=guess in analysis.possible,
            chance=analysis.chance(guess),
            others=others_fitting(analysis.game, analysis.history, remaining, refused),
            win=None,
        )

    def _contradiction(self) -> InconsistentFeedbackError:
        """Return the error that no code fits the history.

        Its `suspects` are the indices of the `rows` to re-check.
        """
        try:
            hint_for(self._extended_game, self._policy, self._parsed_history)
        except InconsistentFeedbackError as error:
            believed = [k for k, row in enumerate(self.rows) if not row.aside]
            return InconsistentFeedbackError(str(error), tuple(believed[k] for k in error.suspects))
        refused = ", ".join(self.refused)
        return InconsistentFeedbackError(
            f"only refused guesses fit: {refused}; re-check the feedbacks"
        )

    def best_guess(self, history: Entries) -> str:
        """Return the guess of `entropy` after a history, the standard of comparison in ratings."""
        twin, rule = self.with_history(history), with_limits(POLICIES["entropy"], self._rule)
        if self.book is None or self.book.policy != header(rule):
            twin.book, twin.policy, twin._policy, twin._rule = None, rule, rule, rule
        return twin.hint().guess

    def explain(self, guess: str | None = None, count: int = 10) -> Explanation:
        """Return the partition of a guess, by default the hinted one, and the best alternatives.

        The guess need not be in the game's list of guesses. The alternatives are always in this
        list.

        Raises:
            InconsistentFeedbackError: no code fits the history.
            InvalidCodeError: the guess is not a code of the game.
            UsageError: `count` is not a whole number above 0; or `guess` is None, and the outcome
                is already known.
        """
        count = whole_number("alternatives", count)
        hint = self.hint() if guess is None else None
        if hint and hint.outcome:
            raise UsageError(f"no test to explain: the outcome is {hint.outcome}")
        code = hint.guess if hint else text_of(self.game, guess)
        found = explain(self.require_candidates(), code, self._policy, count, self.refused)
        return found._replace(
            among_guesses=self.among_guesses,
            breaks=self.broken_rule(code),
            win=hint.win if hint else None,
        )

    def rate(self, guess: str) -> Rating:
        """Return the rating of a guess: its comparison with the best guess.

        The guess need not be in the game's list of guesses.

        Raises:
            InconsistentFeedbackError: no code fits the history.
            InvalidCodeError: the guess is not a code of the game.
            UsageError: the tests of the game name no secret.
        """
        require_guesses(self.game, "a rating")
        code, analysis = text_of(self.game, guess), self.require_candidates()
        rule = with_limits(POLICIES["entropy"], self._rule)
        found = rate(analysis, code, self.best_guess(self._history), rule)
        return found._replace(breaks=self.broken_rule(code))

    def rate_pair(self, first: str, second: str) -> PairRating:
        """Return the rating of two guesses that are both chosen before the first feedback.

        Raises:
            InconsistentFeedbackError: no code fits the history.
            InvalidCodeError: one of the guesses is not a code of the game.
            UsageError: the tests of the game name no secret.
        """
        require_guesses(self.game, "a rating")
        codes = text_of(self.game, first), text_of(self.game, second)
        return rate_pair(self.require_candidates(), *codes)

    def best_pairs(self, count: int = 10) -> list[PairRating]:
        """Return the `count` pairs of guesses with the most expected information, best first.

        Raises:
            InconsistentFeedbackError: no code fits the history.
            UsageError: the tests of the game name no secret, or the search would take too long.
            EngineError: the search would take too long without the engine.
        """
        require_guesses(self.game, "a list of pairs")
        return best_pairs(self.require_candidates(), whole_number("pairs", count))

    def review(self, secret: str | None = None) -> Review:
        """Return a review: the skill and luck of each guess so far.

        Rows that are set aside are ignored.

        Args:
            secret: the secret of an unsolved game; None if you do not know the secret.

        Raises:
            InconsistentFeedbackError: no code fits the history, or `secret` does not fit it.
                `suspects` has the indices of the rows to re-check.
            InvalidCodeError: `secret` is not a code of the game.
            UsageError: there is no guess, there are guesses after the game was solved, `secret` is
                never the secret of this game, or the tests of the game name no secret.
        """
        self._check_order("review")
        if secret is not None:
            secret = self.game.guesses[self.game.parse_code(secret)]
            # This check comes first because only it names the wrong rows if no code fits all rows.
            self._check_secret(secret)
        left = self.require_candidates().candidates
        if secret is None and len(left) == 1:
            secret = left[0]
        elif secret is not None and secret not in left:
            raise UsageError(never_secret(secret))
        turns = review_turns(
            self._extended_game,
            self._parsed_history,
            self.refused,
            lambda number: self.best_guess(self._history[:number]),
            self.hard_mode,
        )
        return Review(
            tuple(turns),
            self.solved,
            len(left),
            round(sum([turn.skill for turn in turns]) / len(turns)),
            round(sum([turn.luck for turn in turns]) / len(turns)),
            secret,
            tuple(self._play_against(secret)) if secret else (),
        )

    def _check_order(self, purpose: str) -> None:
        """Raise UsageError if there are no guesses, or guesses after the game was solved.

        Also raise it if the tests of the game name no secret.
        """
        game = self.game
        require_guesses(game, purpose)
        if not self._history:
            raise UsageError(f"no guess to {purpose}; give at least one GUESS=FEEDBACK")
        for guess, feedback in self._history[:-1]:
            if game.parse_feedback(feedback) == game.solved:
                solved = f"{game.display_name(guess)}={feedback}, which solved the game"
                raise UsageError(
                    f"more guesses after {solved}; remove them, or correct this feedback"
                )

    def _check_secret(self, secret: str) -> None:
        """Raise UsageError if `refuse` has marked the secret.

        Raise InconsistentFeedbackError if a feedback of the history is not the secret's.
        """
        if secret in self.refused:
            raise UsageError(f"secret {secret} was refused in this game; give another secret")
        game = self._extended_game
        faults = {}
        for row, (guess, feedback, aside) in enumerate(self.rows):
            answer = game.format_feedback(number_between(game, guess, secret))
            if not aside and answer != feedback:
                entry = f"{game.display_name(guess)}={feedback}"
                faults[row] = f"row {row + 1}, {entry}: the secret's feedback is {answer}"
        if faults:
            found = "; ".join(faults.values())
            raise InconsistentFeedbackError(
                f"secret {secret} does not fit {found}; correct the feedback or the secret",
                tuple(faults),
            )

    def _play_against(self, secret: str) -> Entries:
        """Return the game of the policy against a secret, as (guess, feedback) pairs."""
        played = self.with_history([])
        while not (played.rows and played.hint().solved):
            guess = played.hint().guess
            played.add_guess(guess, played.game.feedback(guess, secret))
        return played.history

    def share(self, ascii_only: bool = False) -> str:
        """Return a text to share: a line of pegs or squares for each feedback, without the guesses.

        Raises:
            UsageError: there is no guess, there are guesses after the game was solved, or the tests
                of the game name no secret.
        """
        self._check_order("share")
        return share(self.game, [self._parsed_history], ascii_only)


class Board(Session):
    """A `Session` of Mastermind or Bulls and Cows, made from the rules of the game.

    It has all methods of `Session`. The policy is `entropy`. Its guesses come from the shipped book
    of the game; without a book, they are computed. For a game on several boards at once, see
    `Boards`.

    >>> board = Board()
    >>> board.add_guess(("R", "Y", "G", "B"), (1, 1, 2))
    >>> board.add_guess(("R", "G", "O", "P"), (0, 2, 2))
    >>> print(board.best_next_guess())
    57 candidates. Guess PYYG: 3.4511 bits, 1.75% to be the secret.

    Args:
        pegs, colors, repeats, symbols: the rules of the game, as for `Mastermind`.

    Raises:
        InvalidGameError: the arguments do not describe a valid game.
    """

    def __init__(
        self, pegs: int = 4, colors: int = 6, repeats: bool = True, symbols: str | None = None
    ) -> None:
        game = Mastermind(pegs, colors, repeats, symbols)
        book = read_strategy(game.name) if game.name in shipped_books() else None
        super().__init__(book if book and book.game == game else game)

    def best_next_guess(self) -> Hint:
        """Return the best next guess, as `hint` does."""
        return self.hint()

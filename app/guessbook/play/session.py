"""The rows of a session (its guesses and feedbacks), and functions that show and share them. The class `Position`, the base class of a session: its rows, its candidates and its next guess. The review of a game: the skill of each guess, and the luck of its feedback. The session: a game in progress, with hints, explanations, ratings and a review. The class `Board`, which suggests guesses for Mastermind and Bulls and Cows by the policy `entropy`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from itertools import starmap
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
    read_history,
    text_of,
)
from guessbook.book.games.weights import likeliest_first, weights_of
from guessbook.book.source import Source, open_source
from guessbook.book.strategy import DEFAULT_BOOK, read_strategy, shipped_books
from guessbook.lookup.hint import Hint, hint_for, wrong_tree
from guessbook.play.analysis import Analysis, Split, analyse, split_of, surprise
from guessbook.play.codemaker import Shuffle
from guessbook.play.explain import (
    Explanation,
    PairRating,
    Rating,
    best_pairs,
    explanation,
    luck,
    pair_rating,
    ranking_policy,
    rating,
    replace_refused,
    skill,
    yardstick,
)
from guessbook.play.terminal.display import display_of
from guessbook.policy.candidates import broken_hint
from guessbook.policy.registry import PolicyLike, header, policy_of_session

# An entry is a (guess, feedback) pair of texts.
Entries: TypeAlias = list[tuple[str, str]]


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


def row_at(rows: Sequence[Row], number: int) -> Row:
    """Return the row with the index `number`, or raise UsageError if there is no such row."""
    if type(number) is not int:
        raise UsageError(f"found row {quote(number)}, expected the index of a row, counted from 0")
    if not 0 <= number < len(rows):
        due = (
            f"expected a row from 1 to {len(rows)}"
            if rows
            else "but nothing has been answered yet; add a guess"
        )
        raise UsageError(f"found row {number + 1}, {due}")
    return rows[number]


def html(game: Game, rows: Sequence[Row]) -> str:
    """Return the rows as an HTML table, for notebooks."""
    from html import escape

    display = display_of(game)
    lines = [
        f"<tr><td>{number}</td><td><code>{escape(row.guess)}</code></td>"
        f"<td>{escape(display.share_line(game.parse_feedback(row.feedback)))}</td>"
        f"<td>{'<s>' * row.aside}{escape(row.feedback)}{'</s>' * row.aside}</td></tr>"
        for number, row in enumerate(rows, 1)
    ]
    empty = f"<caption>{escape(game.name)}: no guesses so far</caption>"
    return f"<table>{''.join(lines) or empty}</table>"


def check_order(game: Game, history: list[tuple[str, str]], purpose: str) -> None:
    """Raise UsageError if the history is empty, or if it has more guesses after the feedback "solved"."""
    if not history:
        raise UsageError(f"found no guess to {purpose}; give at least one GUESS=FEEDBACK")
    for guess, feedback in history[:-1]:
        if game.parse_feedback(feedback) == game.solved:
            solved = f"{game.display_name(guess)}={feedback}, which solved the game"
            raise UsageError(
                f"found more guesses after {solved}; remove them, or correct this feedback"
            )


def share(game: Game, boards: Sequence[History], ascii_only: bool = False, day: str = "") -> str:
    """Return a text to share: a title, then the feedbacks of each board, one in a line.

    >>> from guessbook.book.games.codes import Mastermind
    >>> from guessbook.book.games.game import parse_history
    >>> game = Mastermind(4, 6)
    >>> print(share(game, [parse_history(game, "RYGB=1,1 RGOP=4,0")]))
    Guessbook mastermind-4x6 2 guesses
    <BLANKLINE>
    ●○··
    ●●●●

    `ascii_only` replaces drawn pegs and squares by ASCII characters. `day` is the date of a daily secret.
    """
    several = f"{len(boards)} boards" if len(boards) > 1 else ""
    count = quantity(max(map(len, boards)))
    solved = all(any(feedback == game.solved for _, feedback in board) for board in boards)
    title = [game.name, several, day, count if solved else f"{count}, not solved"]
    lines = ["Guessbook " + " ".join(filter(None, title))]
    for board in boards:
        lines += ["", *[display_of(game).share_line(feedback, ascii_only) for _, feedback in board]]
    return "\n".join(lines)


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
        number = self.game.feedback_to(guess, feedback)
        if self.solved:
            given = "a guess" if guess is None else f"guess {quote(guess)}"
            raise UsageError(
                f"found {given} after the game was solved; take the last guess back first"
            )
        if guess is None:
            guess = self.hint().guess
            number = self.game.feedback_to(guess, feedback)
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
        number = self.game.feedback_to(old.guess if guess is None else guess, feedback)
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
        return None if self.game.weights is None else self.analysis().total

    @property
    def solved(self) -> bool:
        """Whether the secret has been guessed; False if no code fits the history."""
        return any(f == self.game.solved for _, f in self.parsed_history) and self.remaining > 0

    def candidates(self) -> list[str]:
        """Return the candidates in the order of the game; the list is empty if no code fits the history."""
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

        >>> from guessbook.book.games.words import WordGame
        >>> from guessbook.play.session import Session
        >>> session = Session(WordGame(["light", "night", "might", "sight"]))
        >>> session.refuse(), session.hint().guess, session.remaining
        ('light', 'night', 3)

        Raises:
            UsageError: the game accepts every code, or no candidate would remain.
            InconsistentFeedbackError: no code fits the history.
            InvalidCodeError: the guess is not a code of the game.
        """
        if isinstance(self.game, SymmetricGame):
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


class ReviewedTurn(NamedTuple):
    """One guess of a reviewed game; docs/reference/ratings.md has the definitions.

    Attributes:
        guess: the guess.
        feedback: the feedback as text, such as "1,1".
        remaining: the number of candidates before the guess.
        left: the number of candidates after the feedback; 1 if the guess solved the game.
        entropy: the expected information of the feedback to the guess, in bits.
        bits: the information of the feedback, in bits: log2(remaining / left), by weight if secrets have weights.
        best: the guess of the policy `entropy`, with which the guess is compared.
        best_entropy: the expected information of the feedback to `best`, in bits.
        skill: the value of the guess as a percentage of the value of `best`, at most 100.
        luck: the luck of the feedback, 0 to 100; the expected value is 50.
    """

    guess: str
    feedback: str
    remaining: int
    left: int
    entropy: float
    bits: float
    best: str
    best_entropy: float
    skill: int
    luck: int

    def __repr__(self) -> str:
        worth = f"skill {self.skill}, luck {self.luck}"
        return f"<ReviewedTurn {self.guess}={self.feedback}: {worth}, {self.left:,} left>"


class Review(NamedTuple):
    """The review of a game, which may be unfinished.

    Attributes:
        turns: the reviewed guesses, in the order of play.
        solved: whether the last guess was the secret.
        remaining: the number of candidates after the last feedback.
        skill: the mean skill of the guesses, 0 to 100.
        luck: the mean luck of the guesses, 0 to 100.
        secret: the given secret, else the only candidate; None if several candidates remain.
        line: the game of the policy against the secret, as (guess, feedback) pairs; empty if `secret` is None.
    """

    turns: tuple[ReviewedTurn, ...]
    solved: bool
    remaining: int
    skill: int
    luck: int
    secret: str | None
    line: tuple[tuple[str, str], ...]

    def __repr__(self) -> str:
        end = "solved" if self.solved else f"{quantity(self.remaining, 'candidate')} left"
        known = f"skill {self.skill}, luck {self.luck}"
        return f"<Review of {quantity(len(self.turns))}: {known}, {end}>"


def review(session: Position, secret: str | None = None) -> Review:
    """Return the review of a session; `secret` is None if the secret is unknown."""
    game = session.game
    check_order(game, session.history, "review")
    if secret is not None:
        secret = game.guesses[game.parse_code(secret)]
        # `_check_fits` runs before `checked`, because only `_check_fits` names the wrong rows if no code fits all rows.
        _check_fits(session, secret)
    left = session.checked().candidates
    if secret is None and len(left) == 1:
        secret = left[0]
    elif secret is not None and secret not in left:
        raise UsageError(never_secret(secret))
    turns = _turns(session)
    n = len(turns)
    return Review(
        tuple(turns),
        session.solved,
        len(left),
        round(sum(turn.skill for turn in turns) / n),
        round(sum(turn.luck for turn in turns) / n),
        secret,
        tuple(_line(session, secret)) if secret else (),
    )


def _check_fits(session: Position, secret: str) -> None:
    """Raise UsageError if `refuse` has marked the secret, or if a feedback of the history is not the secret's."""
    if secret in session.refused:
        raise UsageError(
            f"found secret {secret}, which was refused in this game; give another secret"
        )
    game, faults = session.known, []
    for number, (guess, feedback, aside) in enumerate(session.rows, 1):
        answer = game.format_feedback(number_between(game, guess, secret))
        if not aside and answer != feedback:
            faults.append(
                f"row {number}, {game.display_name(guess)}={feedback}: the secret's feedback is {answer}"
            )
    if faults:
        found = "; ".join(faults)
        raise UsageError(
            f"found secret {secret}, which does not fit {found}; correct the feedback or the secret"
        )


def _turns(session: Position) -> list[ReviewedTurn]:
    """Return the reviewed turns, one for each guess of the history."""
    game, history, pairs = session.known, session.history, session.parsed_history
    before, best = analyse(game, [], session.refused), ""
    turns: list[ReviewedTurn] = []
    for number, ((guess, feedback), pair) in enumerate(zip(history, pairs, strict=True)):
        # The best guess of the previous turn is reused if the candidates are unchanged and hard mode allows the guess.
        best = best or session.best(history[:number])
        came, fits, answers = pair[1], before.candidates, before.answers(guess)
        if (
            came not in answers
        ):  # No listed secret fits: from now on, every guess may be the secret.
            before = analyse(session.analysis().game, pairs[:number], session.refused)
            answers = before.answers(guess)
        weights = before.sums.cell_weights(answers)
        own, top = split_of(weights.values()), before.split(best)
        turn = ReviewedTurn(
            guess,
            feedback,
            len(before.candidates),
            answers.count(came),
            own.entropy,
            surprise(weights[came], before.weight),
            best,
            top.entropy,
            skill(before, guess, own, best, top),
            luck(weights, came, game.solved),
        )
        turns.append(turn)
        candidates = zip(before.candidates, answers, strict=True)
        left = [code for code, answer in candidates if answer == came]
        if left != fits:
            before, best = Analysis(before.game, pairs[: number + 1], left), ""
        elif session.hard and broken_hint(game, best, [pair]):
            best = ""
    return turns


def _line(session: Position, secret: str) -> list[tuple[str, str]]:
    """Return the game of the policy against a secret, as (guess, feedback) pairs."""
    played = session.at([])
    while not (played.rows and played.hint().solved):
        guess = played.hint().guess
        played.add_guess(guess, played.game.feedback(guess, secret))
    return played.history


class Session(Position):
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

    Rows (a row is a guess and its feedback) may contradict each other. Then `hint` raises InconsistentFeedbackError,
    and its message names the rows to re-check. Correct them with `edit`, or exclude them with `set_aside`.

    Sessions are not thread-safe: use a separate `copy` in each thread.

    Args:
        source: a book, its path, the name of a shipped book, a game, or the name of a game, such as "bagels".
            Without a book, every guess is computed.
        history: the guesses and feedbacks so far, in any notation that `hint` accepts.
        policy: the policy for a source without a book, in any form that `policy_of` accepts, but without `first_guess`.
        shuffle: a permutation for the guesses of the policy; see `shuffle.random_shuffle`.
        refused: guesses that the played game rejects; see `refuse`.

    Attributes:
        game: the game.
        book: the book; None if there is none.
        policy: the policy of the book, or the given policy if there is no book.

    Raises:
        InvalidBookError, UsageError: the source cannot be opened; see `read_strategy`.
        InvalidCodeError, InvalidFeedbackError: the history does not belong to this game.
    """

    def explain(self, guess: str | None = None, count: int = 10) -> Explanation:
        """Return the partition of a guess, and the best alternatives. None stands for the hinted guess.

        The guess need not be in the game's list of guesses. The alternatives are always in this list.

        Raises:
            InconsistentFeedbackError: no code fits the history.
            InvalidCodeError: the guess is not a code of the game.
        """
        count = whole_number("alternatives", count)
        code = self.hint().guess if guess is None else text_of(self.game, guess)
        found = explanation(self.checked(), code, self.policy, count, self.refused)
        win = self.hint().win if guess is None else None
        return found._replace(among_guesses=self.among_guesses, breaks=self.broken(code), win=win)

    def rate(self, guess: str) -> Rating:
        """Return the rating of a guess: its comparison with the best guess.

        The guess need not be in the game's list of guesses.

        Raises:
            InconsistentFeedbackError: no code fits the history.
            InvalidCodeError: the guess is not a code of the game.
        """
        code, analysis = text_of(self.game, guess), self.checked()
        found = rating(analysis, code, self.best(self.history), yardstick(self.policy))
        return found._replace(breaks=self.broken(code))

    def rate_pair(self, first: str, second: str) -> PairRating:
        """Return the rating of two guesses that are both chosen before the first feedback."""
        codes = text_of(self.game, first), text_of(self.game, second)
        return pair_rating(self.checked(), *codes)

    def best_pairs(self, count: int = 10) -> list[PairRating]:
        """Return the `count` pairs of guesses with the most expected information, best first.

        Raises:
            UsageError: the search would take too long.
        """
        return best_pairs(self.checked(), whole_number("pairs", count))

    def review(self, secret: str | None = None) -> Review:
        """Return a review: the skill and luck of each guess so far. Rows that are set aside are ignored.

        Args:
            secret: the secret of an unsolved game; None if you do not know the secret.

        Raises:
            InconsistentFeedbackError: no code fits the history.
            UsageError: there is no guess, there are guesses after the game was solved, or `secret` does not fit.
        """
        return review(self, secret)

    def share(self, ascii_only: bool = False) -> str:
        """Return a text to share: a line of pegs or squares for each feedback, without the guesses.

        Raises:
            UsageError: there is no guess, or there are guesses after the game was solved.
        """
        check_order(self.game, self.history, "share")
        return share(self.game, [self.parsed_history], ascii_only)


POLICY = "entropy"


class Board:
    """A game of Mastermind or Bulls and Cows in progress, with a method that suggests the next guess.

    The policy is `entropy`. Its guesses come from the shipped book of the game; without a book, they are computed.

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
        self.game = Mastermind(pegs, colors, repeats, symbols)
        self.history: list[tuple[str, str]] = []
        book = read_strategy(self.game.name) if self.game.name in shipped_books() else None
        same = book is not None and book.game == self.game and book.stats.policy == POLICY
        self._book = book if same else None

    def __repr__(self) -> str:
        made = " ".join(map("=".join, self.history)) or "no guesses so far"
        return f"<Board {self.game.name}: {made}>"

    def _repr_html_(self) -> str:
        from html import escape

        rows = [f"<tr><td>{escape(g)}</td><td>{escape(f)}</td></tr>" for g, f in self.history]
        empty = f"<caption>{self.game.name}: no guesses so far</caption>"
        return f"<table>{''.join(rows) or empty}</table>"

    def add_guess(self, guess: str | Sequence[str], feedback: object) -> None:
        """Add a guess and its feedback. A feedback is (black, white), (black, white, grey) or text such as `"1,1"`.

        Raises:
            InvalidCodeError, InvalidFeedbackError: the guess or feedback is invalid. The history remains unchanged.
        """
        code = self.game.guesses[self.game.parse_code(guess)]
        number = self.game.parse_feedback(feedback)
        self.history.append((code, self.game.format_feedback(number)))

    def best_next_guess(self) -> Hint:
        """Return the best next guess, its expected information, and the number of candidates.

        Raises:
            InconsistentFeedbackError: no code fits the history. The attribute `suspects` of the error has the indices
                in `history` of the guesses and feedbacks to re-check.
        """
        return hint_for(self.game, POLICY, self.history, self._book)

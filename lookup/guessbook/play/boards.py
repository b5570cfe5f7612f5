"""Several boards: several secrets are sought with the same guesses (Dordle, Quordle, Octordle)."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from math import lcm, prod
from typing import NamedTuple, Self

from guessbook.book.errors import (
    InconsistentFeedbackError,
    UsageError,
    counted,
    quote,
    whole_number,
)
from guessbook.book.games.beyond import text_of
from guessbook.book.source import Source
from guessbook.lookup.hint import Hint
from guessbook.play.analysis import Analysis
from guessbook.play.run import secret_of
from guessbook.play.session import Session
from guessbook.policy.notation import PolicyLike
from guessbook.policy.one_step import POLICIES

MAX_BOARDS = 32


class BoardsTurn(NamedTuple):
    """One guess on all boards.

    Attributes:
        guess: the code.
        feedbacks: the feedback of each board; empty for boards that were solved before.
        left: the number of candidates of each board after it.
    """

    guess: str
    feedbacks: tuple[str, ...]
    left: tuple[int, ...]


class Boards:
    """Several sessions of one game that share their guesses.

    If a board has one candidate, it is guessed, the first such board first. Otherwise the guess is
    the one whose information, summed over the open boards, is the largest; of equals one that may
    be a secret, then the lowest index. A solved board counts no more.

    >>> boards = Boards("mastermind-4x6", 2)
    >>> boards.add_guess("RYGB", ["1,1", "0,2"])
    >>> boards.remaining_each, boards.hint().guess
    ((252, 312), 'YGOP')

    Args:
        source: the game and the policy: a session without rows, or what a session is made of.
        number: the number of boards, 2 to 32.
        policy: the policy of a game without a book, as `policy_of` takes it.

    Attributes:
        sessions: the boards.

    Raises:
        UsageError: another number of boards, or a policy that a session or a book has already.
    """

    def __init__(
        self, source: Session | Source, number: int, policy: PolicyLike | None = None
    ) -> None:
        if isinstance(source, Session) and policy is not None:
            raise UsageError("found a session and a policy, expected one of them: it has its own")
        session = source if isinstance(source, Session) else Session(source, policy=policy)
        number = whole_number("boards", number, 2, MAX_BOARDS)
        self.game = session.game
        self.sessions = [session.fresh() for _ in range(number)]
        self._found: dict[str, tuple[object, Hint]] = {}

    def __repr__(self) -> str:
        made = max(len(session.rows) for session in self.sessions)
        boards = f"{len(self.sessions)} boards, {len(self.open)} open"
        return f"<Boards {self.game.name}: {boards}, {counted(made)}>"

    def _repr_html_(self) -> str:
        """Return the rows of each board as a table, which a notebook shows."""
        tables = [session._repr_html_() for session in self.sessions]
        return "".join([f"<p>board {number}</p>{table}" for number, table in enumerate(tables, 1)])

    @property
    def open(self) -> list[int]:
        """The boards that are not solved, counted from 0."""
        return [k for k, session in enumerate(self.sessions) if not session.solved]

    def add_guess(self, guess: str, feedbacks: Sequence[object]) -> None:
        """Note a guess and the feedback of each board; solved boards ignore theirs.

        Raises:
            InvalidCodeError, InvalidFeedbackError: the game does not know it; nothing is noted.
            UsageError: not one feedback for each board.
        """
        if isinstance(feedbacks, str) or not isinstance(feedbacks, Sequence):
            raise UsageError(f"found {quote(feedbacks)}, expected a list of feedbacks")
        if len(feedbacks) != len(self.sessions):
            raise UsageError(
                f"found {counted(len(feedbacks), 'feedback')}, expected one for each of "
                f"{len(self.sessions)} boards"
            )
        guess = text_of(self.game, guess)
        waiting = self.open
        for k in waiting:
            self.game.parse_feedback(feedbacks[k])
        for k in waiting:
            self.sessions[k].add_guess(guess, feedbacks[k])

    def edit(self, board: int, row: int, guess: str | None, feedback: object) -> None:
        """Correct a board's feedback, and the guess on all boards if that was wrong as well.

        Args:
            board: which board, counted from 0.
            row: which of its rows, counted from 0.
            guess: the corrected guess; None if the guess was right.
            feedback: the corrected feedback.

        Raises:
            InvalidCodeError, InvalidFeedbackError: the game does not know it; nothing changes.
            UsageError: there is no such board or row.
        """
        if type(board) is not int or not 0 <= board < len(self.sessions):
            known = f"expected 0 to {len(self.sessions) - 1}"
            raise UsageError(f"found board {quote(board)}, {known}")
        self.sessions[board].edit(row, guess, feedback)
        if guess is not None:
            for session in self.sessions:
                if row < len(session.rows):
                    session.reguess(row, self.sessions[board].rows[row].guess)

    def contradicted(self) -> list[int]:
        """Return the boards, counted from 0, on which no secret fits."""
        return [k for k, session in enumerate(self.sessions) if not session.remaining]

    def broken(self, guess: str) -> dict[int, str]:
        """Return the rule of hard mode that a guess breaks, by open board where it breaks one.

        See `Session.broken`. What one board shows another may forbid, so no suggestion keeps to it.
        """
        lacks = {k: self.sessions[k].broken(guess) for k in self.open}
        return {k: lack for k, lack in lacks.items() if lack}

    def undo(self) -> str:
        """Take the last guess back from all boards that it was made on, and return it.

        Raises:
            UsageError: nothing has been answered yet.
        """
        last = max(len(session.rows) for session in self.sessions)
        if not last:
            raise UsageError("found no guess to take back: nothing has been answered yet")
        guess = ""
        for session in self.sessions:
            if len(session.rows) == last:
                guess = session.undo().guess
        return guess

    @property
    def remaining_each(self) -> tuple[int, ...]:
        """The number of candidates of each board."""
        return tuple([session.remaining for session in self.sessions])

    def certain(self, guess: str) -> list[int]:
        """Return the open boards, counted from 0, whose only candidate is this guess."""
        return [
            k
            for k in self.open
            if self.sessions[k].remaining == 1 and self.sessions[k].candidates() == [guess]
        ]

    def hint(self) -> Hint:
        """Return the next guess for all boards.

        Raises:
            InconsistentFeedbackError: on some board no secret fits; the message names it.
        """
        key = [session.history for session in self.sessions]
        known = self._found.get("hint")
        if known is None or known[0] != key:
            known = self._found["hint"] = (key, self._hint())
        return known[1]

    def copy(self) -> Self:
        """Return independent boards with the same rows."""
        twin = copy(self)  # caches are shared
        twin.sessions = [session.copy() for session in self.sessions]
        return twin

    def _hint(self) -> Hint:
        for board in self.contradicted():
            self._refuse(board)
        remaining, waiting = self.remaining_each, self.open
        if not waiting:
            guess = self.sessions[-1].hint().guess
            return Hint(guess, "live", sum(remaining), 0.0, True, True, 1.0)
        certain = [k for k in waiting if remaining[k] == 1]
        told = self._told(waiting)
        guess = (
            self.sessions[certain[0]].checked().candidates[0]
            if certain
            else self._most_telling(told)
        )
        bits = sum(times * self.sessions[k].split(guess).entropy for k, times in told.items())
        missed = prod([1 - self.sessions[k].checked().chance(guess) for k in waiting])
        return Hint(guess, "live", sum(remaining), bits, missed < 1, False, 1 - missed)

    def _told(self, waiting: Sequence[int]) -> dict[int, int]:
        """Return the size of each group of boards with equal histories, by its first board."""
        known: dict[tuple[tuple[str, str], ...], list[int]] = {}
        for k in waiting:
            known.setdefault(tuple(sorted(self.sessions[k].history)), []).append(k)
        return {same[0]: len(same) for same in known.values()}

    def _refuse(self, board: int) -> None:
        """Raise the error of a board that no secret fits, with its name."""
        try:
            self.sessions[board].hint()
        except InconsistentFeedbackError as error:
            raise InconsistentFeedbackError(f"board {board + 1}: {error}", error.suspects) from None

    def _most_telling(self, told: dict[int, int]) -> str:
        """Return the guess with the most information; `told` has the multiplicity of each board."""
        sessions = [self.sessions[k] for k in told]
        if len(sessions) == 1 and sessions[0].policy in (POLICIES["entropy"], {"name": "entropy"}):
            # A book of this policy may have the guess already.
            return sessions[0].hint().guess
        boards = [session.checked() for session in sessions]
        # A symmetry of all guesses so far changes nothing on any board, so of guesses that it
        # carries onto each other one is enough.
        path = {pair for board in boards for pair in board.history}
        possible = {code for board in boards for code in board.candidates}
        guesses = Analysis(self.game, sorted(path), list(possible)).inequivalent()
        # Bits are log2(n) + score / n: with a common denominator they add up exactly.
        whole = lcm(*[board.weight for board in boards])
        totals = [0] * len(guesses)
        for board, times in zip(boards, told.values(), strict=True):
            share = whole // board.weight * times
            (scores,) = board.scores([POLICIES["entropy"]], guesses)
            totals = [total + score * share for total, score in zip(totals, scores, strict=True)]
        most = max(totals)
        codes = self.game.guesses
        tied = [codes[index] for index, total in zip(guesses, totals, strict=True) if total == most]
        return next((code for code in tied if code in possible), tied[0])


def boards_turns(
    session: Session, secrets: Sequence[str], first_guess: str | None = None
) -> list[BoardsTurn]:
    """Play several boards at once to the end, and return the turns.

    Args:
        session: the game and the policy; without rows.
        secrets: the secret of each board.
        first_guess: the opening, if it is not to be chosen.

    Raises:
        InvalidCodeError: the game does not know a code.
        UsageError: a code is never the secret.
    """
    codes = [secret_of(session, secret) for secret in secrets]
    boards = Boards(session, len(codes))
    game = session.game
    played: list[BoardsTurn] = []
    while not (played and boards.hint().solved):
        if first_guess is not None and not played:
            guess = game.guesses[game.parse_code(first_guess)]
        else:
            guess = boards.hint().guess
        waiting = boards.open
        feedbacks = [
            game.format_feedback(game.feedback_number(guess, code)) if k in waiting else ""
            for k, code in enumerate(codes)
        ]
        boards.add_guess(guess, feedbacks)
        played.append(BoardsTurn(guess, tuple(feedbacks), boards.remaining_each))
    return played

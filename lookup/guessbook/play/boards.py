"""Several boards: several secrets are sought with the same guesses (Dordle, Quordle, Octordle)."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING, NamedTuple

from guessbook.book.errors import InconsistentFeedbackError, UsageError
from guessbook.lookup.hint import answer
from guessbook.play.run import secret_of
from guessbook.play.session import Session
from guessbook.policy.one_step import POLICIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.lookup.hint import Hint

MAX_BOARDS = 32


class BoardsHint(NamedTuple):
    """What to guess next on all boards.

    Attributes:
        guess: the code.
        bits: the information that its feedbacks are expected to give, summed over the open boards.
        certain: the boards, counted from 0, whose secret it certainly is.
        remaining: how many candidates each board has.
        solved: whether every board is solved; `guess` is then the last one's secret.
    """

    guess: str
    bits: float
    certain: tuple[int, ...]
    remaining: tuple[int, ...]
    solved: bool


class BoardsTurn(NamedTuple):
    """One guess on all boards.

    Attributes:
        guess: the code.
        feedbacks: what each board answered; empty for boards that were solved before.
        remaining: how many candidates each board has after it.
    """

    guess: str
    feedbacks: tuple[str, ...]
    remaining: tuple[int, ...]


class SeveralBoards:
    """Several sessions of one game that share their guesses.

    If a board has one candidate, it is guessed, the first such board first. Otherwise the guess is
    the one whose information, summed over the open boards, is the largest; of equals one that may
    be a secret, then the lowest index. A solved board counts no more.

    >>> boards = SeveralBoards(Session("mastermind-4x6"), 2)
    >>> boards.answer("RYGB", ["1,1", "0,2"])
    >>> boards.suggest().remaining
    (252, 312)

    Args:
        session: the game and the policy; without rows.
        number: how many boards, 2 to 32.

    Attributes:
        sessions: the boards.

    Raises:
        UsageError: another number of boards.
    """

    def __init__(self, session: Session, number: int) -> None:
        if not 2 <= number <= MAX_BOARDS:
            raise UsageError(f"found {number} boards, expected 2 to {MAX_BOARDS}")
        self.game = session.game
        self.sessions = [session.fresh() for _ in range(number)]
        self._hints: tuple[object, BoardsHint] | None = None

    @property
    def open(self) -> list[int]:
        """The boards that are not solved, counted from 0."""
        return [k for k, session in enumerate(self.sessions) if not session.solved]

    def answer(self, guess: str, feedbacks: Sequence[object]) -> None:
        """Note a guess and the feedback of each board; those of solved boards are not looked at.

        Raises:
            InvalidCodeError, InvalidFeedbackError: the game does not know it; nothing is noted.
            UsageError: not one feedback for each board.
        """
        if len(feedbacks) != len(self.sessions):
            raise UsageError(
                f"found {len(feedbacks)} feedbacks, expected one for each of "
                f"{len(self.sessions)} boards"
            )
        self.game.parse_code(guess)
        waiting = self.open
        for k in waiting:
            self.game.parse_feedback(feedbacks[k])
        for k in waiting:
            self.sessions[k].answer(feedbacks[k], guess)

    def edit(self, board: int, row: int, feedback: object, guess: str | None = None) -> None:
        """Correct a board's feedback, and the guess on all boards if that was wrong as well.

        Args:
            board: which board, counted from 0.
            row: which of its rows, counted from 0.
            feedback: what it should have been.
            guess: what was guessed.

        Raises:
            InvalidCodeError, InvalidFeedbackError: the game does not know it; nothing changes.
            UsageError: there is no such row.
        """
        self.sessions[board].edit(row, feedback, guess)
        if guess is not None:
            for session in self.sessions:
                if row < len(session.rows):
                    code = self.sessions[board].rows[row].guess
                    session.rows[row] = session.rows[row]._replace(guess=code)

    def contradicted(self) -> list[int]:
        """The boards, counted from 0, on which no secret fits."""
        return [k for k, session in enumerate(self.sessions) if not session.remaining]

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

    def suggest(self) -> BoardsHint:
        """What to guess next on all boards.

        Raises:
            InconsistentFeedbackError: on some board no secret fits; the message names it.
        """
        key = [session.history for session in self.sessions]
        if self._hints is None or self._hints[0] != key:
            self._hints = (key, self._suggested())
        return self._hints[1]

    def _suggested(self) -> BoardsHint:
        hints = [self._hint_of(board) for board in range(len(self.sessions))]
        remaining = tuple([hint.remaining for hint in hints])
        waiting = self.open
        if not waiting:
            return BoardsHint(hints[-1].guess, 0.0, (), remaining, True)
        certain = [k for k in waiting if remaining[k] == 1]
        guess = hints[certain[0]].guess if certain else self._most_telling(waiting, hints)
        sure = tuple([k for k in certain if hints[k].guess == guess])
        bits = sum(self.sessions[k].split(guess).bits for k in waiting)
        return BoardsHint(guess, bits, sure, remaining, False)

    def _hint_of(self, board: int) -> Hint:
        """The hint of a board by itself; an error names the board."""
        try:
            return self.sessions[board].suggest()
        except InconsistentFeedbackError as error:
            raise InconsistentFeedbackError(f"board {board + 1}: {error}", error.suspects) from None

    def _most_telling(self, waiting: Sequence[int], hints: Sequence[Hint]) -> str:
        """The guess with the most information over the open boards."""
        first = self.sessions[waiting[0]]
        if all(self.sessions[k].history == first.history for k in waiting):
            # All boards know the same, as at the start: what tells most of one tells most of all.
            # A book of the policy `entropy` and nothing else knows that guess already.
            if first.policy in ("entropy", {"name": "entropy"}):
                return hints[waiting[0]].guess
            return answer(self.game, "entropy", first.history).guess
        policy = POLICIES["entropy"]
        boards = [self.sessions[k].analysis() for k in waiting]
        columns = [board.scores([policy], every=True).columns[0] for board in boards]
        # Bits are log2(n) + score / n: with a common denominator they add up exactly.
        whole = lcm(*[len(board.candidates) for board in boards])
        shares = [whole // len(board.candidates) for board in boards]
        possible: set[str] = set().union(*[board.candidates for board in boards])
        totals = [
            sum(score * share for score, share in zip(scores, shares, strict=True))
            for scores in zip(*columns, strict=True)
        ]
        most = max(totals)
        tied = [index for index, total in enumerate(totals) if total == most]
        codes = self.game.guesses
        return codes[next((i for i in tied if codes[i] in possible), tied[0])]


def boards_turns(
    session: Session, secrets: Sequence[str], first_guess: str | None = None
) -> list[BoardsTurn]:
    """The game that is played on several boards at once, to its end.

    Args:
        session: the game and the policy; without rows.
        secrets: the secret of each board.
        first_guess: the opening, if it is not to be chosen.

    Raises:
        InvalidCodeError: the game does not know a code.
        UsageError: a code is never the secret.
    """
    codes = [secret_of(session, secret) for secret in secrets]
    boards = SeveralBoards(session, len(codes))
    game = session.game
    played: list[BoardsTurn] = []
    while not (played and boards.suggest().solved):
        if first_guess is not None and not played:
            guess = game.guesses[game.parse_code(first_guess)]
        else:
            guess = boards.suggest().guess
        waiting = boards.open
        feedbacks = [
            game.format_feedback(game.feedback(guess, code)) if k in waiting else ""
            for k, code in enumerate(codes)
        ]
        boards.answer(guess, feedbacks)
        played.append(BoardsTurn(guess, tuple(feedbacks), boards.suggest().remaining))
    return played

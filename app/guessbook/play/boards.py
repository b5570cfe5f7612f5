"""Games on several boards: each guess is made on all boards, as in Dordle, Quordle and Octordle."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from math import lcm, prod
from typing import NamedTuple, Self

from guessbook.book.errors import (
    InconsistentFeedbackError,
    UsageError,
    quantity,
    quote,
    whole_number,
)
from guessbook.book.games.game import require_guesses, text_of
from guessbook.lookup.hint import Hint
from guessbook.play.analysis import Analysis
from guessbook.play.session import Session, Source
from guessbook.play.simulate import secret_of
from guessbook.policy.policy import POLICIES
from guessbook.policy.registry import PolicyLike

MAX_BOARDS = 32


class BoardTurn(NamedTuple):
    """A guess, its feedback on one board, and the number of candidates left on this board."""

    guess: str
    feedback: str
    left: int


class Boards:
    """Several sessions of one game that share their guesses.

    If an unsolved board has a single candidate, `hint` returns this candidate. Otherwise `hint`
    returns the guess with the most expected information, summed over all unsolved boards. Ties go
    to a candidate of any board, then to the lowest index.

    >>> boards = Boards("mastermind-4x6", 2)
    >>> boards.add_guess("RYGB", ["1,1", "0,2"])
    >>> boards.remaining_each, boards.hint().guess
    ((252, 312), 'YGOP')

    Args:
        source: any source that `Session` accepts, or a session, whose guesses so far are ignored.
        number: the number of boards, 2 to 32.
        policy: the policy for a source without a book, in any form that `make_policy` accepts.

    Attributes:
        game: the game.
        sessions: one session for each board.

    Raises:
        UsageError: the number of boards is not 2 to 32, `policy` is given for a source with a
            policy, or the tests of the game name no secret.
    """

    def __init__(
        self, source: Session | Source, number: int, policy: PolicyLike | None = None
    ) -> None:
        if isinstance(source, Session) and policy is not None:
            raise UsageError(f"a session has its own policy; omit the policy {quote(policy)}")
        session = source if isinstance(source, Session) else Session(source, policy=policy)
        number = whole_number("boards", number, 2, MAX_BOARDS)
        self.game = session.game
        require_guesses(self.game, "a game on several boards")
        self.sessions = [session.new_game() for _ in range(number)]
        # Copies share the cache, so the hint is stored with its histories and refused guesses.
        self._cache: dict[str, tuple[object, Hint]] = {}

    def __repr__(self) -> str:
        boards = f"{len(self.sessions)} boards, {len(self.open)} open"
        return f"<Boards {self.game.name}: {boards}, {quantity(self._count_guesses())}>"

    def _count_guesses(self) -> int:
        return max(len(session.rows) for session in self.sessions)

    def _repr_html_(self) -> str:
        tables = [session._repr_html_() for session in self.sessions]
        return "".join([f"<p>board {number}</p>{table}" for number, table in enumerate(tables, 1)])

    @property
    def open(self) -> list[int]:
        """The indices of the boards that are not solved."""
        return [k for k, session in enumerate(self.sessions) if not session.solved]

    def add_guess(self, guess: str, feedbacks: Sequence[object]) -> None:
        """Add a guess and the feedback of each board; the feedbacks for solved boards are ignored.

        Raises:
            InvalidCodeError, InvalidFeedbackError: the guess or a feedback is invalid; no board
                changes.
            UsageError: the number of feedbacks is not the number of boards.
        """
        if isinstance(feedbacks, str) or not isinstance(feedbacks, Sequence):
            raise UsageError(
                f"feedbacks {quote(feedbacks)} are not a list; give one feedback for each board"
            )
        if len(feedbacks) != len(self.sessions):
            found = quantity(len(feedbacks), "feedback")
            raise UsageError(
                f"{found} for {len(self.sessions)} boards; give one feedback for each board"
            )
        guess, waiting = text_of(self.game, guess), self.open
        # All feedbacks are checked first, so that an invalid one changes no board.
        for k in waiting:
            self.game.parse_feedback(feedbacks[k])
        for k in waiting:
            self.sessions[k].add_guess(guess, feedbacks[k])

    def edit(self, board: int, row: int, guess: str | None, feedback: object) -> None:
        """Correct the feedback of a row on one board, and the guess of this row on all boards.

        Args:
            board: the index of the board.
            row: the index of the row on this board.
            guess: the corrected guess; None if the guess was right.
            feedback: the corrected feedback.

        Raises:
            InvalidCodeError, InvalidFeedbackError: the guess or feedback is invalid; nothing
                changes.
            UsageError: the board or row does not exist.
        """
        if type(board) is not int or not 0 <= board < len(self.sessions):
            last = len(self.sessions) - 1
            raise UsageError(f"no board {quote(board)}; boards have the indices 0 to {last}")
        new = self.sessions[board].edit(row, guess, feedback)
        for session in self.sessions:
            if guess is not None and row < len(session.rows):
                session.edit_guess(row, new.guess)

    @property
    def refused(self) -> tuple[str, ...]:
        """The guesses that `refuse` has marked, on any board."""
        every = [code for session in self.sessions for code in session.refused]
        return tuple(dict.fromkeys(every))

    def refuse(self, guess: str | None = None) -> str:
        """Mark, on all boards, a guess that the real game rejects, and return it.

        None stands for the hinted guess.

        Raises:
            UsageError: the game accepts every code, or no candidate would remain on some board.
            InconsistentFeedbackError: no code fits the feedbacks of a board.
            InvalidCodeError: the guess is not a code of the game.
        """
        code = self.hint().guess if guess is None else text_of(self.game, guess)
        # Solved boards are skipped: their only candidate is the secret. Copies are tried first, so
        # that an error changes no board.
        waiting = [self.sessions[k] for k in self.open]
        for session in waiting:
            session.copy().refuse(code)
        for session in waiting:
            session.refuse(code)
        return code

    def contradicted(self) -> list[int]:
        """Return the indices of the boards whose feedbacks no code fits."""
        return [k for k, session in enumerate(self.sessions) if not session.remaining]

    def broken_rules(self, guess: str) -> dict[int, str]:
        """Return the rules of hard mode that a guess breaks on unsolved boards, by board index.

        `hint` ignores hard mode because the rules of two boards may contradict each other.
        """
        return {k: rule for k in self.open if (rule := self.sessions[k].broken_rule(guess))}

    def undo(self) -> str:
        """Remove the last guess from the boards, and return it.

        Boards that an earlier guess solved remain unchanged.

        Raises:
            UsageError: there is no guess to remove.
        """
        last = self._count_guesses()
        if not last:
            raise UsageError("no guess to take back; add a guess first")
        undone = [each.undo() for each in self.sessions if len(each.rows) == last]
        return undone[0].guess

    @property
    def remaining_each(self) -> tuple[int, ...]:
        """The number of candidates of each board."""
        return tuple([session.remaining for session in self.sessions])

    def certain(self, guess: str) -> list[int]:
        """Return the indices of the unsolved boards that have `guess` as their only candidate."""
        single = [k for k in self.open if self.sessions[k].remaining == 1]
        return [k for k in single if self.sessions[k].candidates() == [guess]]

    def hint(self) -> Hint:
        """Return the next guess for all boards.

        Raises:
            InconsistentFeedbackError: no code fits the feedbacks of a board. The message names the
                board.
        """
        position = [(session.history, session.refused) for session in self.sessions]
        if "hint" not in self._cache or self._cache["hint"][0] != position:
            self._cache["hint"] = (position, self._compute_hint())
        return self._cache["hint"][1]

    def copy(self) -> Self:
        """Return an independent copy: changes to its rows do not affect these boards."""
        twin = copy(self)
        twin.sessions = [session.copy() for session in self.sessions]
        return twin

    def _compute_hint(self) -> Hint:
        for k in self.contradicted():
            try:
                self.sessions[k].hint()
            except InconsistentFeedbackError as error:
                raise InconsistentFeedbackError(f"board {k + 1}: {error}", error.suspects) from None
        remaining, waiting = self.remaining_each, [self.sessions[k] for k in self.open]
        if not waiting:
            guess = self.sessions[-1].hint().guess
            return Hint(guess, "live", sum(remaining), 0.0, True, True, 1.0)
        # Boards with equal histories have equal scores, so one board of each group is scored.
        groups: dict[object, list[Session]] = {}
        for session in waiting:
            groups.setdefault(tuple(sorted(session.history)), []).append(session)
        alike = list(groups.values())
        single = next((session for session in waiting if session.remaining == 1), None)
        guess = single.require_candidates().candidates[0] if single else self._best_guess(alike)
        bits = sum([len(group) * group[0].split(guess).entropy for group in alike])
        missed = prod([1 - session.require_candidates().chance(guess) for session in waiting])
        return Hint(guess, "live", sum(remaining), bits, missed < 1, False, 1 - missed)

    def _best_guess(self, alike: list[list[Session]]) -> str:
        """Return the guess with the most information; `alike` groups the boards by history."""
        first = alike[0][0]
        if len(alike) == 1 and first.policy in (POLICIES["entropy"], {"name": "entropy"}):
            # All boards have the same history, so the hint of one board is the best guess for all.
            # But a hint by symmetry need not be the best guess with the lowest index.
            hint = first.hint()
            if hint.source != "symmetry":
                return hint.guess
        boards = [group[0].require_candidates() for group in alike]
        # Guesses that are equivalent by symmetry on all boards have equal scores, so one guess of
        # each group is scored.
        path = {pair for board in boards for pair in board.history}
        possible = {code for board in boards for code in board.candidates}
        guesses = Analysis(self.game, sorted(path), list(possible)).inequivalent()
        if refused := first.refused:
            guesses = [index for index in guesses if self.game.guesses[index] not in refused]
        # On a board whose candidates have the total weight n, a guess has log2(n) + score / n bits.
        # The factor `whole` makes score / n an integer.
        whole = lcm(*[board.weight for board in boards])
        totals = [0] * len(guesses)
        for board, group in zip(boards, alike, strict=True):
            share = whole // board.weight * len(group)
            (scores,) = board.scores([POLICIES["entropy"]], guesses)
            totals = [total + score * share for total, score in zip(totals, scores, strict=True)]
        most, codes = max(totals), self.game.guesses
        tied = [codes[index] for index, total in zip(guesses, totals, strict=True) if total == most]
        return next((code for code in tied if code in possible), tied[0])


def boards_turns(
    session: Session, secrets: Sequence[str], first_guess: str | None = None
) -> list[list[BoardTurn]]:
    """Solve one board per secret by `Boards.hint`; return the turns of each board.

    `first_guess` replaces the first hint.
    """
    codes = [secret_of(session, secret) for secret in secrets]
    boards, game = Boards(session, len(codes)), session.game
    guess = boards.hint().guess if first_guess is None else text_of(game, first_guess)
    played: list[list[BoardTurn]] = [[] for _ in codes]
    while waiting := boards.open:
        feedbacks = [game.format_feedback(game.feedback_number(guess, code)) for code in codes]
        boards.add_guess(guess, feedbacks)
        for k in waiting:
            played[k].append(BoardTurn(guess, feedbacks[k], boards.sessions[k].remaining))
        guess = boards.hint().guess
    return played

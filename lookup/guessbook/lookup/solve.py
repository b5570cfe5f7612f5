"""The assistant: it proposes a guess, the player types the feedback, until the secret is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessbook.book.errors import InconsistentFeedbackError, UsageError
from guessbook.book.mastermind import Mastermind
from guessbook.lookup.prompt import ask

if TYPE_CHECKING:
    from collections.abc import Callable

    from guessbook.lookup.boards import BoardsHint, SeveralBoards
    from guessbook.lookup.drawing import Screen
    from guessbook.lookup.session import Session

__all__ = ["BoardsAssistant", "QuestionError", "SolveAssistant", "feedback_help"]

HELP = """\
FEEDBACK        the answer to the proposed guess
GUESS=FEEDBACK  the answer to another guess, if you made one
?               why this guess
list            what may still be the secret
rate GUESS      how good another guess would be
rows            the guesses so far, with their numbers
undo            take the last answer back
edit N FEEDBACK correct row N; also edit N GUESS=FEEDBACK
aside N         set row N aside, or believe it again
quit            stop (Ctrl-D as well)"""

BOARDS_HELP = """\
FEEDBACK        what this board answered
GUESS=FEEDBACK  the same if another guess was made; on the first board that is asked for
?               why this guess: what it is expected to tell on each board
list            what may still be the secret of this board
undo            take the last guess back from all boards
quit            stop (Ctrl-D as well)"""


class QuestionError(UsageError):
    """A line that is neither a command nor a feedback."""


class SolveAssistant:
    """One board.

    Args:
        session: the game, perhaps with rows from the start.
        screen: where to draw.
        first_guess: what to propose first instead of the policy's guess.
    """

    def __init__(self, session: Session, screen: Screen, first_guess: str | None = None) -> None:
        self.session = session
        self.screen = screen
        self.first_guess = (
            first_guess and session.game.guesses[session.game.parse_code(first_guess)]
        )
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self._explain,
            "help": lambda _: screen.say(HELP),
            "list": self._list,
            "rate": self._rate,
            "rows": lambda _: self._rows(),
            "undo": self._undo,
            "edit": self._edit,
            "aside": self._aside,
        }

    def play(self) -> bool:
        """Ask until the secret is found; False if the player stops before."""
        say = self.screen.say
        name = f"{self.session.game.name}, {len(self.session.game.secrets):,} possible secrets"
        say(name, "bold")
        say(feedback_help(self.session.game, self.screen.symbols))
        say("`help` lists what else you can type.")
        while True:
            say()
            goes_on = self._propose()
            line = ask("feedback> " if goes_on else "solved> ")
            if line is None or line.lower() in {"quit", "exit", "q"} or not (line or goes_on):
                return not goes_on
            self._take(line)

    @property
    def guess(self) -> str:
        """What is proposed."""
        if self.first_guess and not self.session.history:
            return self.first_guess
        return self.session.suggest().guess

    def _propose(self) -> bool:
        """Say what to guess; whether the game goes on."""
        say = self.screen.say
        try:
            hint = self.session.suggest()
        except InconsistentFeedbackError as error:
            self._contradiction(error)
            return True
        if hint.solved:
            self.screen.solved(hint.guess, len(self.session.history))
            say("Enter ends; `undo` takes the last answer back.")
            return False
        number = len(self.session.rows) + 1
        guess = self.guess
        self.screen.draw(
            [(f"Guess {number}:  ", ""), *self.screen.code(self.session.game, guess), ("", "")]
        )
        if hint.remaining == 1:
            say(f"{guess}: certain, the only code that fits.")
        else:
            bits = hint.entropy if guess == hint.guess else self.session.split(guess).bits
            say(f"{guess}: {bits:.2f} bits expected, {hint.remaining:,} possible.")
        return True

    def _contradiction(self, error: InconsistentFeedbackError) -> None:
        self.screen.say("No code fits all these answers; one must be wrong.", "bold")
        self._rows(error.suspects)
        if error.suspects:
            number = error.suspects[0] + 1
            self.screen.say("Re-check the rows with an arrow: without one of them the others fit.")
        else:
            number = 1
            self.screen.say("More than one row must be wrong.")
        self.screen.say(f"Type `edit {number} FEEDBACK`, `aside {number}` or `undo`.")

    def _take(self, line: str) -> None:
        """Do what a line says, or say why not."""
        try:
            word, _, rest = line.partition(" ")
            if not line:
                return
            if word.lower() in self.commands:
                self.commands[word.lower()](rest.strip())
                return
            guess, equals, feedback = line.rpartition("=")
            self.session.answer(feedback, guess if equals else self.guess)
            self._rows(last=True)
        except InconsistentFeedbackError:
            self.screen.say("That needs answers that fit together.")
        except UsageError as error:
            self.screen.say(sentence(error))

    def _rows(self, suspects: tuple[int, ...] = (), last: bool = False) -> None:
        rows = self.session.rows
        for k in range(len(rows) - 1 if last else 0, len(rows)):
            note = "set aside" if rows[k].aside else "<-- re-check" if k in suspects else ""
            self.screen.row(self.session.game, k + 1, rows[k].guess, rows[k].feedback, note)
        if not rows:
            self.screen.say("No guesses so far.")

    def _explain(self, _: str) -> None:
        from guessbook.lookup.report import explanation_lines

        for line in explanation_lines(self.session.explain(self.guess), self.screen.width):
            self.screen.say(line)

    def _list(self, _: str) -> None:
        self.screen.possible(self.session.candidates())

    def _rate(self, guess: str) -> None:
        from guessbook.lookup.report import rating_lines

        if not guess:
            raise QuestionError("found no guess; type `rate GUESS`")
        for line in rating_lines(self.session.rate(guess)):
            self.screen.say(line)

    def _undo(self, _: str) -> None:
        row = self.session.undo()
        self.screen.say(f"Took back {row.guess}={row.feedback}.")

    def _edit(self, rest: str) -> None:
        number, _, answer = rest.partition(" ")
        guess, equals, feedback = answer.rpartition("=")
        row = self.session.edit(row_number(number), feedback, guess if equals else None)
        self.screen.say(f"Row {number} is now {row.guess}={row.feedback}.")

    def _aside(self, rest: str) -> None:
        row = self.session.set_aside(row_number(rest))
        what = "set aside" if row.aside else "believed again"
        self.screen.say(f"Row {rest}, {row.guess}={row.feedback}, is {what}.")


class BoardsAssistant:
    """Several boards with the same guesses.

    Args:
        boards: the boards.
        screen: where to draw.
        first_guess: what to propose first instead of the policy's guess.
    """

    def __init__(
        self, boards: SeveralBoards, screen: Screen, first_guess: str | None = None
    ) -> None:
        self.boards = boards
        self.screen = screen
        self.first_guess = first_guess and boards.game.guesses[boards.game.parse_code(first_guess)]

    def play(self) -> bool:
        """Ask until every secret is found; False if the player stops before."""
        say = self.screen.say
        game = self.boards.game
        say(f"{game.name}, {len(self.boards.sessions)} boards", "bold")
        say(feedback_help(game, self.screen.symbols))
        say("`help` lists what else you can type.")
        turn = 0
        while True:
            say()
            try:
                hint = self.boards.suggest()
            except InconsistentFeedbackError as error:
                say(sentence(error))
                say("The last guess is taken back; type its answers again.")
                self.boards.undo()
                continue
            if hint.solved:
                say(f"All {len(self.boards.sessions)} boards are solved.", "bold")
                if not self._taken_back():
                    return True
                continue
            turn = max(len(session.rows) for session in self.boards.sessions) + 1
            guess = self.first_guess if self.first_guess and turn == 1 else hint.guess
            self._propose(turn, guess, hint)
            if not self._round(guess):
                return False

    def _propose(self, turn: int, guess: str, hint: BoardsHint) -> None:
        screen = self.screen
        screen.draw([(f"Guess {turn}:  ", ""), *screen.code(self.boards.game, guess)])
        if hint.certain and guess == hint.guess:
            names = ", ".join(str(k + 1) for k in hint.certain)
            screen.say(f"{guess}: certain on board {names}.")
        else:
            boards = [self.boards.sessions[k] for k in self.boards.open]
            bits = sum(session.split(guess).bits for session in boards)
            screen.say(f"{guess}: {bits:.2f} bits expected over the open boards.")

    def _taken_back(self) -> bool:
        """Whether, at the end, the last guess is taken back after all."""
        self.screen.say("Enter ends; `undo` takes the last guess back.")
        while True:
            line = ask("solved> ")
            if line is None or line.lower() in {"", "quit", "exit", "q"}:
                return False
            if line.lower() == "undo":
                self.boards.undo()
                return True
            self.screen.say(f"Found {line!r}, expected `undo` or nothing.")

    def _explain(self, guess: str) -> None:
        """What a guess is expected to tell on each open board."""
        for k in self.boards.open:
            session = self.boards.sessions[k]
            split = session.split(guess)
            best = session.suggest().guess
            self.screen.say(
                f"board {k + 1}: {split.bits:.2f} bits of {session.remaining:,} possible, "
                f"{split.cells:,} cells, the largest {split.worst:,}; by itself {best}, "
                f"{session.split(best).bits:.2f} bits"
            )

    def _round(self, guess: str) -> bool:
        """Ask each open board for its feedback; False if the player stops."""
        game = self.boards.game
        answers = [""] * len(self.boards.sessions)
        waiting = self.boards.open
        for k in waiting:
            while True:
                line = ask(f"board {k + 1} ({self.boards.sessions[k].remaining:,} possible)> ")
                if line is None or line.lower() in {"quit", "exit", "q"}:
                    return False
                try:
                    if line.lower() == "undo":
                        # Within a round there is first its beginning to go back to.
                        if k == waiting[0]:
                            self.boards.undo()
                        return True
                    if line.lower() == "help":
                        self.screen.say(BOARDS_HELP)
                    elif line == "?":
                        self._explain(guess)
                    elif line.lower() == "list":
                        self.screen.possible(self.boards.sessions[k].candidates())
                    elif line:
                        other, equals, feedback = line.rpartition("=")
                        made = game.guesses[game.parse_code(other)] if equals else guess
                        if made != guess and k != waiting[0]:
                            raise QuestionError(
                                f"found guess {made}, but {guess} was made on board "
                                f"{waiting[0] + 1}; it is one guess for all boards"
                            )
                        game.parse_feedback(feedback)
                        guess, answers[k] = made, feedback
                        break
                except UsageError as error:
                    self.screen.say(sentence(error))
        self.boards.answer(guess, answers)
        return True


def feedback_help(game: object, symbols: bool = True) -> str:
    """How to type a feedback, in a sentence; with squares if the screen can show them."""
    if isinstance(game, Mastermind):
        return (
            "Feedback is black,white: 1,2 means 1 peg in its place and 2 elsewhere "
            "(for Bulls and Cows: bulls,cows)."
        )
    squares = "⬛🟨🟩, or " if symbols else ""
    return (
        "Feedback is a digit for each letter: 2 in its place, 1 elsewhere in the word, 0 not in "
        f"it (or {squares}b, y, g)."
    )


def row_number(text: str) -> int:
    """The row that a number means, counted from 0. Raises QuestionError if it is no number."""
    if not text.isdecimal():
        raise QuestionError(f"found {text!r}, expected the number of a row; `rows` lists them")
    return int(text) - 1


def sentence(error: Exception) -> str:
    """An error as a sentence for the screen."""
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")

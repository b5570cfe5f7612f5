"""What `solve`, `play` and `hide` share: prompts, saved games, and corrections of feedbacks."""

import os
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from guessbook.book.disk import write_atomically
from guessbook.book.errors import (
    GuessbookError,
    InconsistentFeedbackError,
    InvalidCodeError,
    InvalidFeedbackError,
    UsageError,
    printable,
    quantity,
    quote,
)
from guessbook.book.games.game import MAX_ENTRY, UNLISTED, Game, number_between, text_of
from guessbook.book.saved_games import ASIDE, HEAD, LOST, REFUSED, SECRET, Saved, read_saved, title
from guessbook.play.boards import Boards
from guessbook.play.session import Row, Session, rows_of
from guessbook.play.terminal.display import LISTED_CODES, Screen, display_of
from guessbook.play.terminal.interruptible import Result, StoppedError, run_interruptibly
from guessbook.play.terminal.report import candidate_lines, rating_lines

# The message after Ctrl-C during a computation.
STOPPED = "Stopped."
# The notice during the computation of a guess for several boards.
CHOOSING_FOR_BOARDS = "Choosing a guess for all boards"

Asked = TypeVar("Asked", Session, Boards)


def ask(question: str) -> str | None:
    """Return the line typed at a prompt, without blanks around it; None at the end of the input."""
    in_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if in_terminal:
        with suppress(ImportError):  # Some builds of Python have no readline.
            import readline  # noqa: F401  enables the arrow keys in the line
    try:
        line = input(question)
    except EOFError:
        print()
        return None
    except KeyboardInterrupt:
        print()
        raise
    if not in_terminal:
        # A terminal has already shown the typed line. Other input is echoed with its control
        # characters escaped.
        print(printable(line))
    return line.strip()


def wait_for(what: str, game: Asked, work: Callable[[Asked], Result]) -> Result:
    """Return the result of `work` on a copy of `game`. Ctrl-C raises StoppedError.

    The notice `what` is shown meanwhile.
    """
    # After Ctrl-C, `work` may continue while the game changes, so `work` gets a copy. The copy
    # shares the caches.
    return run_interruptibly(what, partial(work, game.copy()))


class SavedGame:
    """The text file of a game in progress.

    If the file exists, its guesses are loaded into the session.

    Attributes:
        secret: the secret of a game of `play`; empty in a game of `solve`.
        is_new: whether the file did not exist before.
        is_lost: whether the player has lost or given up, and has therefore seen the secret.
    """

    def __init__(self, path: Path, session: Session) -> None:
        self.path = path
        self.secret = ""
        self.is_lost = False
        # The content of the file when this game last read or wrote it; None if there was no file.
        self._known: Saved | None = None
        self._text = ""
        self.is_new = not os.path.lexists(path)
        if self.is_new:
            return
        if session.rows:
            name = printable(path)
            raise UsageError(f"{name} already has a game; omit the history")
        saved = self._known = read_saved(path)
        saved.check(session.game)
        rows: list[Row] = []
        for number, line in saved.lines:
            with saved.line(number):
                if line.startswith(SECRET):
                    self.secret = _decode(session, line.removeprefix(SECRET))
                elif line == LOST:
                    self.is_lost = True
                elif line.startswith(REFUSED):
                    session.refuse(line.removeprefix(REFUSED))
                else:
                    (row,) = rows_of(session.game, [line.removeprefix(ASIDE)])
                    rows.append(row._replace(aside=line.startswith(ASIDE)))
        session.restore(rows)

    def choose_secret(
        self, session: Session, secret: str, max_guesses: int | None, is_chosen: bool
    ) -> str:
        """Return the secret of the saved game, or `secret` for a new game.

        Raises UsageError if the saved game is over, at the limit of guesses or faulty, or if the
        player chose `secret` (`is_chosen`) and the saved game has another secret.
        """
        name, game = printable(self.path), session.game
        if not self.is_new and not self.secret:
            raise UsageError(f"{name} is a game without a secret; continue it with `solve --save`")
        self.secret = self.secret or secret
        if is_chosen and self.secret != secret:
            raise UsageError(f"{name} is a game with another secret; name a new file")
        for guess, feedback, _ in session.rows:
            if game.format_feedback(number_between(game, guess, self.secret)) != feedback:
                answer = f"{game.display_name(guess)}={feedback}"
                raise UsageError(f"the secret in {name} does not give {answer}; correct the file")
        if self.is_lost or session.solved:
            raise UsageError(f"the game in {name} is over; delete {name}, or name another file")
        if max_guesses and len(session.rows) >= max_guesses:
            raise UsageError(
                f"{name} has {quantity(len(session.rows))}, and the limit is {max_guesses}; add a "
                "larger --max-guesses to go on"
            )
        return self.secret

    def save(self, session: Session) -> None:
        """Write the file if the game has changed.

        Raises GuessbookError if the file cannot be written, or if another program has changed it.
        """
        lines = [HEAD + title(session.game)]
        lines += [SECRET + b64encode(self.secret.encode()).decode()] if self.secret else []
        lines += [REFUSED + guess for guess in session.refused]
        lines += [ASIDE * row.aside + f"{row.guess}={row.feedback}" for row in session.rows]
        lines += [LOST] * self.is_lost
        text = "\n".join([*lines, ""])
        if text == self._text:
            return
        if self._known is not None and self._has_changed():
            raise GuessbookError(
                f"{printable(self.path)} was changed by another program, so the last answer is not "
                "saved; run the command again to continue the game in the file"
            )
        write_atomically(self.path, text.encode(), overwrite=self._known is not None)
        self._text, self._known = text, read_saved(self.path)

    def _has_changed(self) -> bool:
        """Return whether the file differs from what this game last read or wrote."""
        with suppress(UsageError):
            return read_saved(self.path) != self._known
        return True


def _decode(session: Session, text: str) -> str:
    try:
        code = b64decode(text, validate=True).decode()
    except ValueError:
        raise UsageError(f"the secret {quote(text)} is not in base64; restore this line") from None
    return session.game.guesses[session.game.parse_code(code)]


# The words that end a game at a prompt, in addition to Ctrl-D.
QUIT_WORDS = frozenset({"quit", "exit", "q"})

# The reply to a question while the feedbacks contradict each other.
CORRECT_FIRST = "First correct the answers: `edit`, `aside` or `undo`."


class QuestionError(UsageError):
    """Error for a typed line that is ambiguous, malformed, or not possible now."""


class Questions:
    """The commands that ask about a session, or correct one of its guesses and feedbacks."""

    def __init__(self, session: Session, screen: Screen) -> None:
        self.session = session
        self.screen = screen
        # Each function receives the text after the name of the command.
        self.commands: dict[str, Callable[[str], None]] = {
            "list": self._list,
            "rate": self._rate,
            "rows": lambda _: self.rows(),
            "edit": self._edit,
            "aside": self._aside,
        }

    def rows(self, suspects: tuple[int, ...] = (), first: int = 0) -> None:
        """Draw the rows from the index `first` on, with an arrow at the indices in `suspects`."""
        for k, row in enumerate(self.session.rows[first:], first):
            note = "set aside" if row.aside else "<-- re-check" if k in suspects else ""
            self.screen.row(self.session.game, k + 1, row.guess, row.feedback, note)
        if not self.session.rows:
            self.screen.say("No guesses so far.")

    def contradiction(self, error: InconsistentFeedbackError) -> None:
        """Print that no code fits all answers, which rows to re-check, and how to correct them."""
        unlisted = self.session.game.has_open_lists
        said = f"{UNLISTED}, or one is wrong" if unlisted else "one must be wrong"
        tests = self.session.game.identification is not None
        code, feedback = ("thing", "ANSWER") if tests else ("code", "FEEDBACK")
        code = "word" if unlisted else code
        self.screen.say(f"No {code} fits all these answers; {said}.", "bold")
        self.rows(error.suspects)
        number = 1
        if error.suspects:
            number = error.suspects[0] + 1
            self.screen.say("Re-check the rows with an arrow: without one of them the others fit.")
        else:
            refused = ", ".join(self.session.refused)
            but = f", or one of these is accepted after all: {refused}" if refused else ""
            self.screen.say(f"More than one row must be wrong{but}.")
        self.screen.say(f"Type `edit {number} {feedback}`, `aside {number}` or `undo`.")

    def _list(self, rest: str) -> None:
        count = shown_count(rest)
        codes = wait_for("Looking for what is possible", self.session, candidate_lines)
        self.screen.list_candidates(codes, count)

    def _rate(self, guess: str) -> None:
        if not guess:
            raise QuestionError("no guess to rate; type `rate GUESS`")
        found = wait_for("Scoring every other guess", self.session, lambda game: game.rate(guess))
        for line in rating_lines(found, self.session.game):
            self.screen.say(line)

    def _edit(self, rest: str) -> None:
        number, guess, feedback = parse_edit(self.session.game, rest)
        row = self.session.edit(number, guess, feedback)
        self.screen.say(f"Row {number + 1} is now {entry(self.session.game, row)}.")

    def _aside(self, rest: str) -> None:
        number = row_number(rest)
        row = self.session.set_aside(number)
        what = "set aside" if row.aside else "included again"
        self.screen.say(f"Row {number + 1}, {entry(self.session.game, row)}, is {what}.")


def entry(game: Game, row: Row) -> str:
    """Return the guess and the feedback of a row as text, such as `RYGB=1,1`."""
    return f"{game.display_name(row.guess)}={row.feedback}"


def command_in(game: Game, line: str) -> str:
    """Return a typed line as a command without a colon; "" if the line is a feedback or an entry.

    The first word of the result is in lower case. A command needs a colon only if it is also a
    feedback: a table may have the label `list`.

    >>> from guessbook.book.games.tables import TableGame
    >>> game = TableGame(["which?"], ["a", "b"], [["list", "quit"]])
    >>> command_in(game, "list"), command_in(game, ":list"), command_in(game, "LIST 5")
    ('', 'list', 'list 5')
    """
    if not line.startswith(":"):
        with suppress(InvalidCodeError, InvalidFeedbackError, QuestionError):
            if "=" in line:
                parse_answers(game, line)
            else:
                game.parse_feedback(line)
            return ""
    word, space, rest = line.removeprefix(":").strip().partition(" ")
    return word.lower() + space + rest


def parse_edit(game: Game, rest: str) -> tuple[int, str | None, str]:
    """Return the arguments of `edit`: row index, new guess (None for no change), new feedback.

    >>> from guessbook.book.games.codes import Mastermind
    >>> parse_edit(Mastermind(4, 6), "2 RYGB=1,1"), parse_edit(Mastermind(4, 6), "1 02")
    ((1, 'RYGB', '1,1'), (0, None, '0,2'))
    """
    number, _, answer = rest.partition(" ")
    row = row_number(number)
    if not answer.strip():
        raise QuestionError(f"no feedback; type `edit {row + 1} FEEDBACK`")
    guess, feedbacks = parse_answers(game, answer)
    return row, guess, feedbacks[0]


def parse_answers(
    game: Game, line: str, boards: int = 1, proposed: str | None = None
) -> tuple[str | None, list[str]]:
    """Return the guess in a typed line, and its feedbacks: a single one, or one for each board.

    The guess is None if the line has only feedback to the `proposed` guess. Raises QuestionError if
    the line is ambiguous or too long, and InvalidCodeError or InvalidFeedbackError if the game
    cannot read the line.

    >>> from guessbook.book.games.codes import Mastermind
    >>> game = Mastermind(4, 6)
    >>> parse_answers(game, "1 1"), parse_answers(game, "RYGB=1,1"), parse_answers(game, "r y g b 11")
    ((None, ['1,1']), ('RYGB', ['1,1']), ('RYGB', ['1,1']))
    >>> parse_answers(game, "1,1 0,2", boards=2)
    (None, ['1,1', '0,2'])
    """
    head, equals, tail = line.rpartition("=")
    words = tail.split()
    # All ways to split the words into a guess and a feedback are tried, so long lines are refused.
    if len(line) > MAX_ENTRY * boards or len(words) > MAX_ENTRY // 2:
        raise QuestionError(
            f"line too long for a guess and its feedback: {quote(line)} of {len(line):,} characters"
        )
    splits = [(" ".join(words[:k]), words[k:]) for k in range(len(words))]
    named = [(head, words)] if equals else splits
    found: list[tuple[str | None, list[str]]] = []
    # Listed guesses are tried first: almost any word can be an unlisted guess.
    writers: list[Callable[[str], str]] = [
        lambda code: game.guesses[game.parse_code(code)],
        partial(text_of, game),
    ]
    for written in writers:
        for code, rest in named if not found else ():
            for each in ([" ".join(rest)], rest):
                with suppress(InvalidCodeError, InvalidFeedbackError):
                    # `0 0` is one feedback and not two, although `0` alone is also a feedback.
                    digits = bool(found) and {*map(len, each)} == {1}
                    if len(each) in (1, boards) and not digits:
                        guess = written(code) if code else None
                        texts = [game.format_feedback(game.parse_feedback(text)) for text in each]
                        if (guess, texts) not in found:
                            found.append((guess, texts))
    if len(found) > 1:
        meant = [f"{guess or ''}={' '.join(texts)}".lstrip("=") for guess, texts in found]
        raise QuestionError(f"{quote(line)} may mean {' or '.join(meant)}; type one of these")
    if not found:
        feedbacks: list[int] = []
        with suppress(InvalidFeedbackError):
            feedbacks = [game.parse_feedback(word) for word in words]
        if feedbacks and boards > 1 and not equals:
            raise QuestionError(
                f"{len(words)} feedbacks for {boards} open boards; type one for each board"
            )
        # The line has no valid meaning, so one of these calls raises an error about its guess or
        # its feedback.
        if equals:
            proposed = text_of(game, head)
        for code, rest in splits[1:] if not equals else ():
            with suppress(InvalidCodeError):
                game.feedback_to(text_of(game, code), " ".join(rest))
        game.parse_feedback(tail) if proposed is None else game.feedback_to(proposed, tail)
    return found[0]


def shown_count(text: str) -> int | None:
    """Return the number of codes that `list` prints: 5 for "5", 60 for "", None (all) for "all"."""
    if text.lower() == "all":
        return None
    count = text or str(LISTED_CODES)
    if not (count.isascii() and count.isdecimal() and len(count) < 10 and int(count)):
        raise QuestionError(f"{quote(text)} is not a number of codes; type 1 or more, or `all`")
    return int(count)


def row_number(text: str) -> int:
    """Return the index of a typed row number. Raises QuestionError if it is not a number."""
    if not text:
        raise QuestionError("no row number; type `rows` to list the numbers")
    if not (text.isascii() and text.isdecimal()):
        raise QuestionError(f"{quote(text)} is not a row number; type `rows` to list the numbers")
    return int(text) - 1


def introduce(screen: Screen, game: Game, what: str) -> None:
    """Print the name of the game, what is to be found (`what`), and how to type feedback."""
    screen.say(f"{game.name}, {what}", "bold")
    screen.say(display_of(game).feedback_help(screen.symbols))
    screen.say("`help` lists what else you can type.")


def propose(screen: Screen, game: Game, number: int, guess: str) -> None:
    """Draw the guess to make next."""
    screen.draw([(f"Guess {number}:  ", ""), *display_of(game).code(screen, guess)])


@contextmanager
def show_errors(screen: Screen) -> Iterator[None]:
    """Run a `with` block; print a message if Ctrl-C or an input error ends it, and go on."""
    try:
        yield
    except StoppedError:
        screen.say(STOPPED)
    except InconsistentFeedbackError:
        screen.say(CORRECT_FIRST)
    except UsageError as error:
        text = str(error)
        screen.say(text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else "."))

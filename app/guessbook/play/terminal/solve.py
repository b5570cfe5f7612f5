"""The assistants of `solve`, which propose guesses for one or several boards and read feedbacks."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from guessbook.book.disk import write_atomically
from guessbook.book.errors import InconsistentFeedbackError, quantity, quote
from guessbook.book.games.game import Game, SymmetricGame, only_one
from guessbook.book.games.identification import UNKNOWN
from guessbook.book.summary import secrets_in_words
from guessbook.lookup.hint import Hint
from guessbook.play.boards import Boards
from guessbook.play.session import Session
from guessbook.play.terminal.display import Screen
from guessbook.play.terminal.interruptible import StoppedError
from guessbook.play.terminal.prompts import (
    CHOOSING_FOR_BOARDS,
    CORRECT_FIRST,
    QUIT_WORDS,
    STOPPED,
    QuestionError,
    Questions,
    SavedGame,
    ask,
    command_in,
    entry,
    introduce,
    parse_answers,
    parse_edit,
    propose,
    show_errors,
    wait_for,
)
from guessbook.play.terminal.report import (
    among_guesses_line,
    broken_line,
    certain_line,
    explanation_lines,
)
from guessbook.policy.identification import outcome_bits

HELP = (
    ("FEEDBACK", "the feedback to the proposed guess"),
    ("GUESS=FEEDBACK", "the feedback to another guess, if you made another; a space works like ="),
    ("no", "your game does not accept the proposed guess: propose another guess"),
    ("?", "why this guess"),
    ("list", "the candidates; list N and list all print fewer or more"),
    ("rate GUESS", "how good another guess would be"),
    ("rows", "the guesses so far, with their numbers"),
    ("undo", "take back the last answer"),
    ("edit N FEEDBACK", "correct row N; also edit N GUESS=FEEDBACK"),
    ("aside N", "set row N aside, or include it again"),
    ("quit", "stop (Ctrl-D as well)"),
)


TESTS_HELP = (
    ("ANSWER", "the answer to the proposed test"),
    ("don't know, ?", "you cannot answer this test: another test is proposed"),
    ("TEST=ANSWER", "the answer to another test, if you did another"),
    (":?", "why this test"),
    ("list", "the things that are still possible; list N and list all print fewer or more"),
    ("rows", "the answers so far, with their numbers"),
    ("undo", "take back the last answer"),
    ("edit N ANSWER", "correct row N; also edit N TEST=ANSWER"),
    ("aside N", "set row N aside, or include it again"),
    ("quit", "stop (Ctrl-D as well)"),
)
# What a player who cannot answer a test may type.
NO_ANSWER = frozenset({"don't know", "dont know", "don’t know", "unknown", "dk"})
# The largest number of answers, things or outcomes that a line names.
NAMED = 8


class SolveAssistant:
    """The assistant for one board.

    If `first_guess` is given, it is the first proposal. Guesses that the real game rejects are
    added to the file `refused`.
    """

    def __init__(
        self,
        session: Session,
        screen: Screen,
        first_guess: str | None = None,
        saved: SavedGame | None = None,
        refused: Path | None = None,
    ) -> None:
        self.saved = saved
        self.refused = refused
        self.session = session
        self.game = game = session.game
        self.screen = screen
        self.first_guess = first_guess and game.guesses[game.parse_code(first_guess)]
        self.proposed: str | None = None
        self.questions = Questions(session, screen)
        self.commands: dict[str, Callable[[str], None]] = {
            **self.questions.commands,
            "?": self._explain,
            "help": lambda _: screen.two_columns(help_for(game, HELP)),
            "undo": self._undo,
            "no": self._refuse,
        }
        if game.identification is not None:
            # `no` may be an answer, and is never a refusal here.
            del self.commands["no"], self.commands["rate"]
            self.commands["help"] = lambda _: screen.two_columns(TESTS_HELP)

    def play(self) -> bool:
        """Ask for feedback until the secret is found or the user stops.

        Return whether the secret is found, or no further test helps.
        """
        say, game = self.screen.say, self.game
        introduce(self.screen, game, self._described())
        if self.saved and not self.saved.is_new:
            self.questions.rows()
        while True:
            if self.saved:
                self.saved.save(self.session)
            say()
            try:
                goes_on = self._propose()
            except StoppedError:
                say(f"{STOPPED} Enter tries again.")
                goes_on = True
            line = ask(self._prompt(goes_on))
            if line is None or not (line or goes_on) or command_in(game, line) in QUIT_WORDS:
                return not goes_on
            if line:
                self._read(line)

    def _prompt(self, goes_on: bool) -> str:
        """Return the prompt; `goes_on` says whether an answer is due."""
        if self.game.identification is None:
            return "feedback> " if goes_on else "solved> "
        if goes_on:
            return "answer> "
        return "known> " if self._hint().solved else "not known> "

    def _described(self) -> str:
        """Return the number of secrets, or of things and outcomes, as text."""
        found = self.game.identification
        if found is None:
            return f"{len(self.game.secrets):,} possible secrets"
        return f"{secrets_in_words(self.game)}, {quantity(len(found.outcomes), 'outcome')}"

    @property
    def guess(self) -> str:
        """The guess to propose: that of the hint, or at the start `first_guess` unless refused."""
        first = self.first_guess
        if first and not self.session.history and first not in self.session.refused:
            return first
        return self._hint().guess

    def _hint(self) -> Hint:
        return wait_for("Choosing a guess", self.session, Session.hint)

    def _propose(self) -> bool:
        """Print the next guess, the solution, or the contradiction.

        Return False if the game is over, else True.
        """
        say, self.proposed = self.screen.say, None
        try:
            hint = self._hint()
        except InconsistentFeedbackError as error:
            self.questions.contradiction(error)
            return True
        if self.game.identification is not None:
            return self._propose_test(hint)
        if hint.solved:
            self.screen.show_solved(self.game.display_name(hint.guess), len(self.session.history))
            say("Enter ends; `undo` takes the last answer back.")
            return False
        if hint.source == "guesses":
            say(among_guesses_line(hint.remaining))
            say("If an answer is wrong, correct it: `edit`, `aside` or `undo`.")
        number, game = len(self.session.rows) + 1, self.game
        guess = self.proposed = self.guess
        propose(self.screen, game, number, guess)
        if hint.remaining == 1:
            known = only_one(game, hint.others, hint.source == "guesses")
        else:

            def bits_and_chance(session: Session) -> tuple[float, float]:
                bits = hint.entropy if guess == hint.guess else session.split(guess).entropy
                return bits, 0.0 if session.weight is None else session.analysis().chance(guess)

            bits, chance = wait_for("Splitting what is possible", self.session, bits_and_chance)
            likely = f", {chance:.1%} to be the secret" if chance else ""
            known = f"{bits:.2f} bits expected, {hint.remaining:,} possible{likely}"
        say(f"{game.display_name(guess)}: {known}.")
        return True

    def _is_known(self) -> bool:
        """Return whether no test is proposed because no further test helps."""
        return self.proposed is None and self.session.outcome is not None

    def _propose_test(self, hint: Hint) -> bool:
        """Print the next test, or the outcome; return whether it is a test."""
        say, game = self.screen.say, self.game
        found = game.identification
        assert found is not None
        left = {*self.session.candidates()}
        things = [t for t, code in zip(found.things, game.secrets, strict=True) if code in left]
        named = list(dict.fromkeys(things))
        if hint.outcomes is not None:
            more = f" and {len(named) - NAMED:,} more" if len(named) > NAMED else ""
            if hint.solved:
                say(f"Outcome: {hint.outcome}", "bold")
            else:
                ranked = sorted(hint.outcomes.items(), key=lambda pair: -pair[1])
                rest = [f"{len(ranked) - NAMED:,} more"] if len(ranked) > NAMED else []
                shares = [f"{outcome} {chance:.1%}" for outcome, chance in ranked[:NAMED]]
                say("Not known: no test is left.", "bold")
                say(f"Outcomes: {', '.join(shares + rest)}.")
            if {*named} != {*hint.outcomes}:
                say(f"Possible: {', '.join(named[:NAMED])}{more}.")
            say("Enter ends; `undo` takes the last answer back.")
            return False
        test = self.proposed = self.guess
        index = game.parse_code(test)
        self.screen.draw([(f"Test {len(self.session.rows) + 1}:  ", ""), (test, "bold")])
        split = wait_for(
            "Splitting what is possible", self.session, lambda s: s.analysis().partition(test)
        )
        answers = [game.format_feedback(answer) for answer in sorted(split)]
        some = ", ".join(answers[:NAMED]) + (", ..." if len(answers) > NAMED else "")
        price = f", cost {found.shown(found.costs[index]):,}" if found.priced else ""
        bits = outcome_bits(game, self.session.candidates(), index)
        say(f"{some}? ({bits:.2f} bits about the outcome, {len(named):,} possible{price})")
        return True

    def _read(self, line: str) -> None:
        """Execute a typed line, or print why it is refused."""
        with show_errors(self.screen):
            word, _, rest = command_in(self.game, line).partition(" ")
            if word in self.commands and not (word == "?" and self._is_known()):
                self.commands[word](rest.strip())
                return
            if self._is_known() and "=" not in line:
                raise QuestionError("the tests are over; `undo` takes the last answer back")
            if self.game.identification is not None and line.lower() in NO_ANSWER:
                line = UNKNOWN
            # The line is parsed first: `self.guess` fails if the answers contradict each other.
            named, feedbacks = parse_answers(self.game, line, proposed=self.proposed)
            guess = named or self.guess
            broken = self.session.broken_rule(guess)
            self.session.add_guess(guess, feedbacks[0])
            self.questions.rows(first=len(self.session.rows) - 1)
            if broken:
                self.screen.say(f"{guess} breaks hard mode: {broken}.")

    def _explain(self, _: str) -> None:
        guess = self.guess
        why = wait_for("Scoring every guess", self.session, lambda game: game.explain(guess))
        for line in explanation_lines(why, self.screen.width, self.game):
            self.screen.say(line)

    def _refuse(self, rest: str) -> None:
        say_refused(self.screen, self.game, self.session.refuse(rest or self.guess), self.refused)

    def _undo(self, _: str) -> None:
        self.screen.say(f"Took back {entry(self.game, self.session.undo())}.")


BOARDS_HELP = (
    ("FEEDBACK", "the feedback of this board; on the first board also of all boards, in one line"),
    (
        "GUESS=FEEDBACK",
        "the feedback to another guess, if you made another; only on the first board",
    ),
    ("no", "your game does not accept the proposed guess: propose another guess"),
    ("?", "why this guess: its expected information on each board"),
    ("list", "the candidates of this board; list N and list all print fewer or more"),
    ("rate GUESS", "how good another guess would be on this board alone"),
    ("rows", "the guesses so far, with the feedback of this board"),
    ("undo", "take back the last guess on all boards; within a round, begin the round again"),
    (
        "edit N FEEDBACK",
        "correct row N of this board; edit N GUESS=FEEDBACK also corrects the guess on all boards",
    ),
    ("aside N", "set row N of this board aside, or include it again"),
    ("quit", "stop (Ctrl-D as well)"),
)


class BoardsAssistant:
    """The assistant for several boards.

    If `first_guess` is given, it is the first proposal. Guesses that the real game rejects are
    added to the file `refused`.
    """

    def __init__(
        self,
        boards: Boards,
        screen: Screen,
        first_guess: str | None = None,
        refused: Path | None = None,
    ) -> None:
        self.boards = boards
        self.refused = refused
        self.game = game = boards.game
        self.screen = screen
        self.first_guess = first_guess and game.guesses[game.parse_code(first_guess)]
        self.questions = [Questions(session, screen) for session in boards.sessions]

    def play(self) -> bool:
        """Ask for feedback until every secret is found or the user stops.

        Return whether all secrets are found.
        """
        say = self.screen.say
        introduce(self.screen, self.game, f"{len(self.boards.sessions)} boards")
        while True:
            say()
            try:
                hint = wait_for(CHOOSING_FOR_BOARDS, self.boards, Boards.hint)
            except StoppedError:
                say(STOPPED)
                line = ask("Enter tries again> ")
                if line is None or line.lower() in QUIT_WORDS:
                    return False
            except InconsistentFeedbackError as error:
                if not self._correct(error):
                    return False
            else:
                if hint.solved:
                    say(f"All {len(self.boards.sessions)} boards are solved.", "bold")
                    if not self._asks_undo():
                        return True
                elif not self._round(self._propose(hint)):
                    return False

    def _propose(self, hint: Hint) -> str:
        """Print the proposed guess and its expected bits. Return the guess."""
        screen = self.screen
        turn = max(len(session.rows) for session in self.boards.sessions) + 1
        first = self.first_guess if turn == 1 else None
        guess = first if first and first not in self.boards.refused else hint.guess

        def outlook(boards: Boards) -> tuple[dict[int, int], float]:
            """Return candidate counts, and the expected bits of `guess` over the open boards.

            Only boards that no listed secret fits have a candidate count.
            """
            sessions = {k: boards.sessions[k] for k in boards.open}
            among = {k: each.remaining for k, each in sessions.items() if each.among_guesses}
            return among, sum(each.split(guess).entropy for each in sessions.values())

        among, bits = wait_for("Splitting what is possible", self.boards, outlook)
        for k, remaining in among.items():
            screen.say(f"Board {k + 1}: {among_guesses_line(remaining)}")
        propose(screen, self.game, turn, guess)
        said = self.game.display_name(guess)
        certain = self.boards.certain(hint.guess)
        if certain and guess == hint.guess:
            screen.say(f"{said}: {certain_line(self.boards, certain)}.")
        else:
            screen.say(f"{said}: {bits:.2f} bits expected over the open boards.")
        self._report_broken(guess)
        return guess

    def _report_broken(self, guess: str) -> None:
        """If a guess breaks hard mode on some boards, print these boards and the broken rules."""
        if broken := self.boards.broken_rules(guess):
            self.screen.say(broken_line(guess, broken))

    def _correct(self, error: InconsistentFeedbackError) -> bool:
        """Ask for a correction on the first board that no code fits.

        Return False if the player stops, else True.
        """
        board = self.boards.contradicted()[0]
        self.screen.say(f"Board {board + 1}:", "bold")
        self.questions[board].contradiction(error)
        while True:
            line = self._ask(board)
            if line is None:
                return False
            with show_errors(self.screen):
                changed = self._command(board, line, None)
                if changed:
                    return True
                if changed is None and line:
                    parse_answers(self.game, line)
                    self.screen.say(CORRECT_FIRST)

    def _asks_undo(self) -> bool:
        """Ask whether to take back the last guess, and return whether the player takes it back."""
        self.screen.say("Enter ends; `undo` takes the last guess back.")
        while True:
            line = ask("solved> ")
            if not line or command_in(self.game, line) in QUIT_WORDS:
                return False
            if command_in(self.game, line) == "undo":
                self._undo()
                return True
            self.screen.say(f"{quote(line)} is neither `undo` nor an empty line.")

    def _round(self, guess: str) -> bool:
        """Ask for the feedback of each open board. Return False if the player stops, else True."""
        proposed, waiting = guess, self.boards.open
        given: list[str] = []
        while len(given) < len(waiting):
            board = waiting[len(given)]
            line = self._ask(board)
            if line is None:
                return False
            with show_errors(self.screen):
                if given and command_in(self.game, line) == "undo":
                    return True  # the answers of this round are discarded
                changed = self._command(board, line, guess)
                if changed:
                    return True  # rows have changed, so the caller proposes a guess again
                if changed is None and line:
                    made, feedbacks = parse_answers(self.game, line, 1 if given else len(waiting))
                    if given and made not in (None, guess):
                        raise QuestionError(
                            f"guess {made} on board {board + 1} differs from {guess} on earlier boards; "
                            f"type the feedback to {guess}, or `undo` to begin the round again"
                        )
                    guess = made or guess
                    given += feedbacks
        if guess != proposed:
            self._report_broken(guess)
        answers = dict(zip(waiting, given, strict=True))
        self.boards.add_guess(guess, [answers.get(k, "") for k in range(len(self.boards.sessions))])
        return True

    def _ask(self, board: int) -> str | None:
        """Ask for a line about a board, and return the line; None if the player stops."""
        remaining = self.boards.sessions[board].remaining
        line = ask(f"board {board + 1} ({remaining:,} possible)> ")
        return None if line is None or command_in(self.game, line) in QUIT_WORDS else line

    def _command(self, board: int, line: str, guess: str | None) -> bool | None:
        """Run a typed command.

        Return whether it may have changed rows or refused guesses; None if it is not a command.
        """
        commands: dict[str, Callable[[str], None]] = {
            **self.questions[board].commands,
            "?": lambda _: self._explain(guess),
            "help": lambda _: self.screen.two_columns(help_for(self.game, BOARDS_HELP)),
            "undo": lambda _: self._undo(),
            "edit": lambda rest: self._edit(board, rest),
            "no": lambda rest: self._refuse(rest or guess),
        }
        word, _, rest = command_in(self.game, line).partition(" ")
        if word not in commands:
            return None
        commands[word](rest.strip())
        return word in {"undo", "edit", "aside", "no"}

    def _refuse(self, guess: str | None) -> None:
        if guess is None:
            raise QuestionError("no guess to refuse; first correct an answer by `edit`")
        say_refused(self.screen, self.game, self.boards.refuse(guess), self.refused)

    def _edit(self, board: int, rest: str) -> None:
        row, guess, feedback = parse_edit(self.game, rest)
        self.boards.edit(board, row, guess, feedback)
        now = entry(self.game, self.boards.sessions[board].rows[row])
        self.screen.say(f"Row {row + 1} of board {board + 1} is now {now}.")

    def _undo(self) -> None:
        self.screen.say(f"Took back {self.game.display_name(self.boards.undo())}.")

    def _explain(self, guess: str | None) -> None:
        """Print the expected bits of a guess on each open board."""
        if guess is None:
            raise QuestionError(
                "no guess to explain, because no code fits all answers; first correct an answer by `edit`"
            )
        work = partial(board_lines, guess=guess)
        for line in wait_for("Splitting what is possible", self.boards, work):
            self.screen.say(line)


def help_for(game: Game, commands: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the help, without `no` for games of codes, which accept every guess."""
    return [each for each in commands if each[0] != "no" or not isinstance(game, SymmetricGame)]


def say_refused(screen: Screen, game: Game, guess: str, file: Path | None) -> None:
    """Print that a guess is left out from now on, and add it to the file of refused guesses."""
    screen.say(f"{game.display_name(guess)} is left out of this game.")
    if file is not None:
        known = file.read_bytes() if file.exists() else b""
        if guess in known.decode(errors="replace").lower().split():
            return
        gap = b"" if known.endswith(b"\n") or not known else b"\n"
        write_atomically(file, known + gap + f"{guess}\n".encode())


def board_lines(boards: Boards, guess: str) -> list[str]:
    """Return a line for each open board: the bits of `guess`, and the board's own best guess."""
    lines = []
    for k in boards.open:
        session = boards.sessions[k]
        split, best = session.split(guess), session.hint().guess
        lines.append(
            f"board {k + 1}: {split.entropy:.2f} bits of {session.remaining:,} possible, "
            f"{split.cells:,} cells, the largest {split.worst:,}; by itself {best}, "
            f"{session.split(best).entropy:.2f} bits"
        )
    return lines

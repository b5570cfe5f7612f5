"""The assistant of `solve`. It proposes guesses and reads the feedback until the secret is found."""

from collections.abc import Callable

from guessbook.book.errors import InconsistentFeedbackError
from guessbook.book.games.beyond import only_one
from guessbook.book.games.game import called
from guessbook.lookup.hint import Hint
from guessbook.lookup.interruptible import StoppedError
from guessbook.play.display import display_of
from guessbook.play.session import Session
from guessbook.play.terminal.drawing import Screen
from guessbook.play.terminal.prompt import STOPPED, ask, wait_for
from guessbook.play.terminal.questions import (
    STOPS,
    Questions,
    command_in,
    entry,
    parse_answers,
    show_errors,
)
from guessbook.play.terminal.report import among_guesses_line, explanation_lines
from guessbook.play.terminal.saved import SavedGame

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
    ("aside N", "set row N aside, or believe it again"),
    ("quit", "stop (Ctrl-D as well)"),
)


class SolveAssistant:
    """The assistant for one board. If `first_guess` is given, it is the first proposal."""

    def __init__(
        self,
        session: Session,
        screen: Screen,
        first_guess: str | None = None,
        saved: SavedGame | None = None,
    ) -> None:
        self.saved = saved
        self.session = session
        self.game = game = session.game
        self.screen = screen
        self.first_guess = first_guess and game.guesses[game.parse_code(first_guess)]
        self.proposed: str | None = None
        self.questions = Questions(session, screen)
        self.commands: dict[str, Callable[[str], None]] = {
            **self.questions.commands,
            "?": self._explain,
            "help": lambda _: screen.items(HELP),
            "undo": self._undo,
            "no": self._refuse,
        }

    def play(self) -> bool:
        """Ask for feedback until the secret is found or the user stops. Return whether the secret is found."""
        say, game = self.screen.say, self.game
        say(f"{game.name}, {len(game.secrets):,} possible secrets", "bold")
        say(display_of(game).feedback_help(self.screen.symbols))
        say("`help` lists what else you can type.")
        if self.saved and not self.saved.is_new:
            self.questions.rows()
        while True:
            if self.saved:
                self.saved.keep(self.session)
            say()
            try:
                goes_on = self._propose()
            except StoppedError:
                say(f"{STOPPED} Enter tries again.")
                goes_on = True
            line = ask("feedback> " if goes_on else "solved> ")
            if line is None or not (line or goes_on) or command_in(game, line) in STOPS:
                return not goes_on
            if line:
                self._take(line)

    @property
    def guess(self) -> str:
        """The guess to propose: `first_guess` at the start, if given and not refused, else the guess of the hint."""
        first = self.first_guess
        if first and not self.session.history and first not in self.session.refused:
            return first
        return self._hint().guess

    def _hint(self) -> Hint:
        return wait_for("Choosing a guess", self.session, Session.hint)

    def _propose(self) -> bool:
        """Print the next guess, the solution, or the contradiction. Return False if the game is solved, else True."""
        say, self.proposed = self.screen.say, None
        try:
            hint = self._hint()
        except InconsistentFeedbackError as error:
            self.questions.contradiction(error)
            return True
        if hint.solved:
            self.screen.show_solved(called(self.game, hint.guess), len(self.session.history))
            say("Enter ends; `undo` takes the last answer back.")
            return False
        if hint.source == "guesses":
            say(among_guesses_line(hint.remaining))
            say("If an answer is wrong, correct it: `edit`, `aside` or `undo`.")
        number, game = len(self.session.rows) + 1, self.game
        guess = self.proposed = self.guess
        self.screen.draw([(f"Guess {number}:  ", ""), *display_of(game).code(self.screen, guess)])
        if hint.remaining == 1:
            known = only_one(game, hint.others, hint.source == "guesses")
        else:

            def bits_and_chance(session: Session) -> tuple[float, float]:
                bits = hint.entropy if guess == hint.guess else session.split(guess).entropy
                return bits, 0.0 if session.weight is None else session.analysis().chance(guess)

            bits, chance = wait_for("Splitting what is possible", self.session, bits_and_chance)
            likely = f", {chance:.1%} to be the secret" if chance else ""
            known = f"{bits:.2f} bits expected, {hint.remaining:,} possible{likely}"
        say(f"{called(game, guess)}: {known}.")
        return True

    def _take(self, line: str) -> None:
        """Execute a typed line, or print why it is refused."""
        with show_errors(self.screen):
            word, _, rest = command_in(self.game, line).partition(" ")
            if word in self.commands:
                self.commands[word](rest.strip())
                return
            # The line is parsed first, because `self.guess` fails if the answers contradict each other.
            named, feedbacks = parse_answers(self.game, line, proposed=self.proposed)
            guess = named or self.guess
            broken = self.session.broken(guess)
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
        refused = self.session.refuse(rest or self.guess)
        self.screen.say(f"{called(self.game, refused)} is left out of this game.")

    def _undo(self, _: str) -> None:
        self.screen.say(f"Took back {entry(self.game, self.session.undo())}.")

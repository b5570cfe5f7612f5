"""Playing: the computer holds the secret, or only pretends to, and the person guesses."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from guessbook.book.errors import InvalidCodeError, UsageError
from guessbook.book.games.game import Game
from guessbook.book.games.weights import secret_weights
from guessbook.lookup.patience import patiently
from guessbook.play.look import look_of
from guessbook.play.session import Session
from guessbook.play.terminal.drawing import Screen
from guessbook.play.terminal.prompt import ask
from guessbook.play.terminal.questions import STOPS, shown_count, told
from guessbook.play.terminal.report import review_lines, wider_line

HELP = (
    ("?", "a hint: what to guess next"),
    (":list", "what is possible; :list 5 and :list all show fewer or more"),
    (":give-up", "the secret, and a review of the game"),
    (":quit", "stop (Ctrl-D as well)"),
    (":help", "this, and the rules"),
)


class Opponent(Protocol):
    """Who answers the guesses."""

    @property
    def game(self) -> Game:
        """The game."""

    def answer(self, guess: str) -> str:
        """The feedback to a guess, as people write it. Raises InvalidCodeError."""

    def reveal(self) -> str:
        """A code that fits all answers: the secret, if there is one."""

    def confess(self) -> str:
        """What there is to say when the person gives up, in a sentence."""


class Holder:
    """Holds a secret and answers by it.

    >>> from guessbook.book import Mastermind
    >>> Holder(Mastermind(4, 6), "RGOY").answer("RYGB")
    '1,2'
    """

    def __init__(self, game: Game, secret: str) -> None:
        self.game = game
        self.secret = secret

    def answer(self, guess: str) -> str:
        """The feedback to a guess, as people write it. Raises InvalidCodeError."""
        code = self.game.guesses[self.game.parse_code(guess)]
        return self.game.format_feedback(self.game.feedback(code, self.secret))

    def reveal(self) -> str:
        """The secret."""
        return self.secret

    def confess(self) -> str:
        """The secret, in a sentence."""
        return f"The secret is {self.secret}."


def random_secret(game: Game, random_seed: int | None = None) -> str:
    """A secret of the game, as likely as its weight says; the same one again for the same seed."""
    from random import Random

    weights = secret_weights(game)
    chance = Random(random_seed)
    if weights is None:
        return game.secrets[chance.randrange(len(game.secrets))]
    return chance.choices(game.secrets, weights)[0]


class Player:
    """A person at the prompt, who guesses.

    Args:
        session: follows the game: for hints, the list of what is possible, and the review.
        opponent: answers.
        screen: where to draw.
        show_possible: list what is still possible after each guess.
    """

    def __init__(
        self, session: Session, opponent: Opponent, screen: Screen, show_possible: bool = False
    ) -> None:
        self.session = session
        self.opponent = opponent
        self.screen = screen
        self.show_possible = show_possible

    def play(self) -> bool:
        """Ask for guesses until one is the secret; False if the person gives up or stops."""
        game = self.session.game
        self.screen.say(f"{game.name}, {len(game.secrets):,} possible secrets", "bold")
        self.screen.say(look_of(game).rules())
        if self.session.hard:
            self.screen.say("Hard mode: a guess has to use all that the answers showed.")
        self.screen.say("? gives a hint, :list what is possible, :give-up the secret, :quit stops.")
        while True:
            line = ask(f"guess {len(self.session.rows) + 1}> ")
            command = "quit" if line is None else self._command(line)
            if command in STOPS:
                return False
            if command in {"give-up", "giveup"}:
                self.screen.say(self.opponent.confess())
                self._review(self.opponent.reveal())
                return False
            with told(self.screen):
                if command is not None:
                    self._tell(command)
                elif line and self._guess(line):
                    return True

    def _command(self, line: str) -> str | None:
        """The command that a line is, without its colon; None if it is a guess.

        One may forget the colon where the word is no guess of the game.
        """
        word = line.lower()
        if word == "?" or word.startswith(":"):
            return word.removeprefix(":")
        if word.split(" ")[0] in {"list", "help", "hint", "give-up", *STOPS}:
            try:
                self.session.game.parse_code(line)
            except InvalidCodeError:
                return word
        return None

    def _tell(self, command: str) -> None:
        """Answer a question."""
        if command in {"?", "hint"}:
            hint = self.session.suggest()
            what = "certain" if hint.remaining == 1 else f"{hint.entropy:.2f} bits expected"
            self.screen.say(f"Hint: {hint.guess} ({what})")
        elif command.split(" ")[0] == "list":
            self.screen.possible(self.session.listed(), shown_count(command[4:].strip()))
        elif command == "help":
            self.screen.say(look_of(self.session.game).rules())
            self.screen.items(HELP)
        else:
            raise UsageError(f"found ':{command}', expected a guess, or see :help")

    def _guess(self, line: str) -> bool:
        """Make a guess and draw the board after it; whether it was the secret."""
        code = self.session.game.guesses[self.session.game.parse_code(line)]
        broken = self.session.broken(code)
        if broken:
            raise UsageError(f"found {code}, but in hard mode {broken}")
        feedback = patiently("Choosing an answer", partial(self.opponent.answer, line))
        self.session.answer(line, feedback)
        session, game = self.session, self.session.game
        solved = session.solved
        for number, row in enumerate(session.rows, 1):
            last = number == len(session.rows) and not solved
            note = f"{len(session.candidates()):,} left" if last else ""
            self.screen.row(game, number, row.guess, row.feedback, note)
        if solved:
            self.screen.solved(session.rows[-1].guess, len(session.rows))
            self._review(None)
            return True
        if session.wider:
            self.screen.say(wider_line(session.remaining))
        look_of(session.known).known(self.screen, session.pairs, session.candidates())
        if self.show_possible:
            self.screen.possible(session.listed())
        return False

    def _review(self, secret: str | None) -> None:
        if not self.session.rows:
            return
        self.screen.say()
        for line in review_lines(self.session.review(secret), self.screen.width):
            self.screen.say(line)
        self.screen.say()
        self.screen.say(self.session.share(not self.screen.symbols))

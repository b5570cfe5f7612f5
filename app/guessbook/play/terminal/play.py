"""The games of `play` and `hide`: a person guesses secrets, or plays against an adversary."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from guessbook.book.errors import InvalidCodeError, UsageError, quote
from guessbook.book.games.game import only_one
from guessbook.play.boards import Boards
from guessbook.play.opponents import Opponent
from guessbook.play.session import Session, share
from guessbook.play.terminal.display import Screen, display_of
from guessbook.play.terminal.interruptible import run_interruptibly
from guessbook.play.terminal.prompts import (
    CHOOSING_FOR_BOARDS,
    QUIT_WORDS,
    SavedGame,
    ask,
    show_errors,
    shown_count,
    wait_for,
)
from guessbook.play.terminal.report import (
    among_guesses_line,
    broken_line,
    candidate_lines,
    certain_line,
    review_lines,
)

HELP = (
    ("?", "a hint: what to guess next"),
    (":list", "the candidates; :list 5 and :list all print fewer or more"),
    (":give-up", "the secret, and a review of the game"),
    (":quit", "stop (Ctrl-D as well)"),
    (":help", "these commands and the rules"),
)
# The words that begin a command, also without a colon.
COMMANDS = frozenset({"list", "help", "hint", "give", "give-up", "giveup", "undo", *QUIT_WORDS})
# Games on several boards have no review.
BOARDS_HELP = tuple(
    [(name, "the secrets" if name == ":give-up" else meaning) for name, meaning in HELP]
)


@dataclass
class Player:
    """The dialogue with a person who guesses at the prompt.

    Attributes:
        session: the session of the game, for hints and the review. If there are several boards,
            each has its own copy of the session.
        opponents: the opponents that answer the guesses, one for each board.
        screen: the screen on which the game is drawn.
        plain: whether to draw only the answers: no candidates, no excluded symbols, no review.
        max_guesses: the maximum number of guesses; None for no limit.
        day: the date of a daily secret, for the text to share; empty for other secrets.
        saved: the file that stores a game of one board; None without a file.
    """

    session: Session
    opponents: Sequence[Opponent]
    screen: Screen
    plain: bool = False
    max_guesses: int | None = None
    day: str = ""
    saved: SavedGame | None = None

    def __post_init__(self) -> None:
        several = len(self.opponents) > 1
        self.game = self.session.game
        self.several = Boards(self.session, len(self.opponents)) if several else None
        self.sessions = self.several.sessions if self.several else [self.session]
        self.rules = display_of(self.game).rules("each" if several else "the")

    @property
    def open(self) -> list[int]:
        """The indices of the boards that are not solved."""
        return [k for k, session in enumerate(self.sessions) if not session.solved]

    @property
    def made(self) -> int:
        """The number of guesses so far."""
        return max(len(session.rows) for session in self.sessions)

    def play(self) -> bool:
        """Ask for guesses until the game ends or the player stops.

        Return whether every secret is found.
        """
        self._begin()
        limit = f" of {self.max_guesses}" if self.max_guesses else ""
        while True:
            line = ask(f"guess {self.made + 1}{limit}> ")
            command = "quit" if line is None else self._command_in(line)
            if command in QUIT_WORDS:
                return False
            if command in {"give-up", "giveup", "give up"}:
                self._lose()
                return False
            with show_errors(self.screen):
                if command is not None:
                    self._run_command(command)
                elif line:
                    self._guess(line)
            if not self.open:
                self._review()
                return True
            if self.made == self.max_guesses:
                self._lose("No guesses are left.")
                return False

    def _begin(self) -> None:
        """Print the game, its rules, and the rows of a resumed game."""
        say, game = self.screen.say, self.game
        boards = f", {len(self.sessions)} boards" if self.several else ""
        day = f", the secret{'s' * bool(boards)} of {self.day}" if self.day else ""
        say(f"{game.name}, {len(game.secrets):,} possible secrets{boards}{day}", "bold")
        say(self.rules)
        if self.sessions[0].hard_mode:
            marked = " A guess that breaks it on some board is allowed, but marked." * bool(boards)
            say(f"Hard mode: a guess has to use all that the answers showed.{marked}")
        secrets = "secrets" if self.several else "secret"
        say(f"? gives a hint, :list what is possible, :give-up the {secrets}, :quit stops.")
        self._save()
        if self.made:
            self._draw(self.sessions[0])

    def _save(self) -> None:
        if self.saved:
            self.saved.save(self.sessions[0])

    def _command_in(self, line: str) -> str | None:
        """Return a typed line as a command, without a colon; None if the line is not a command.

        A command needs a colon only if it is also a guess of the game.
        """
        word = line.lower()
        if word == "?" or word.startswith(":"):
            return word.removeprefix(":")
        if word.split(" ")[0] in COMMANDS:
            try:
                self.game.parse_code(line)
            except InvalidCodeError:
                return word
        return None

    def _run_command(self, command: str) -> None:
        if command in {"?", "hint"}:
            self._hint()
        elif command.split(" ")[0] == "list":
            count = shown_count(command[4:].strip())
            for k in self.open:
                self._name_board(k)
                codes = wait_for("Looking for what is possible", self.sessions[k], candidate_lines)
                self.screen.list_candidates(codes, count)
        elif command == "undo":
            raise UsageError("this game has no undo; type another guess")
        elif command == "help":
            self.screen.say(self.rules)
            self.screen.two_columns(BOARDS_HELP if self.several else HELP)
        else:
            raise UsageError(
                f"{quote(':' + command)} is neither a guess nor a command; type :help for a list"
            )

    def _hint(self) -> None:
        if self.several:
            hint = wait_for(CHOOSING_FOR_BOARDS, self.several, Boards.hint)
            what = f"{hint.entropy:.2f} bits expected over the open boards"
            if certain := self.several.certain(hint.guess):
                what = certain_line(self.several, certain)
        else:
            hint = wait_for("Choosing a guess", self.sessions[0], Session.hint)
            what = f"{hint.entropy:.2f} bits expected"
            if hint.remaining == 1:
                what = only_one(self.game, hint.others, hint.source == "guesses")
        self.screen.say(f"Hint: {self.game.display_name(hint.guess)} ({what})")

    def _guess(self, line: str) -> None:
        """Make a guess on all open boards, and draw the result."""
        code = self.game.guesses[self.game.parse_code(line)]
        broken = {k: lack for k in self.open if (lack := self.sessions[k].broken_rule(code))}
        if broken and not self.several:
            raise UsageError(f"hard mode forbids {code}: {broken[0]}; make another guess")
        waiting = self.open
        earlier = [row.guess for row in max((s.rows for s in self.sessions), key=len)]
        if code in earlier:
            number = earlier.index(code) + 1
            raise UsageError(
                f"you made this guess before, as guess {number}: it tells nothing new; make another"
            )
        answers = run_interruptibly("Choosing an answer", partial(self._answers, code, waiting))
        # Ctrl-C may stop the computation above, which changes no rows. The lines below change rows,
        # so nothing is interruptible until the answers are drawn.
        for k, feedback in zip(waiting, answers, strict=True):
            self.opponents[k].record(code, feedback)
            self.sessions[k].add_guess(code, feedback)
        self._save()
        for k in waiting:
            self._name_board(k)
            self._draw(self.sessions[k])
        # On several boards, a guess may break hard mode, because one board may forbid what another
        # needs.
        if broken:
            self.screen.say(broken_line(code, broken))

    def _answers(self, code: str, boards: Sequence[int]) -> list[object]:
        """Return each board's feedback to a guess, and fill the caches that drawing uses."""
        answers = []
        for k in boards:
            feedback = self.opponents[k].feedback(code)
            after = self.sessions[k].copy()
            after.add_guess(code, feedback)
            after.analysis()
            answers.append(feedback)
        return answers

    def _name_board(self, board: int) -> None:
        """Print the number of a board, if there are several."""
        if self.several:
            self.screen.say(f"board {board + 1}", "bold")

    def _draw(self, session: Session) -> None:
        """Draw the rows of a board.

        If it is solved, draw the secret; else draw the known symbols, unless `plain`.
        """
        solved, rows = session.solved, session.rows
        told = not (solved or self.plain)
        for number, row in enumerate(rows, 1):
            last = told and number == len(rows)
            note = f"{len(session.candidates()):,} left" if last else ""
            self.screen.row(self.game, number, row.guess, row.feedback, note)
        if solved:
            self.screen.show_solved(self.game.display_name(rows[-1].guess), len(rows))
        elif told:
            if session.among_guesses:
                self.screen.say(among_guesses_line(session.remaining))
            display = display_of(session.extended_game)
            display.draw_symbols(self.screen, session.parsed_history, session.candidates())

    def _lose(self, why: str = "") -> None:
        """End a lost game: print `why`, the secrets that were not found, and the review."""
        if self.saved:
            self.saved.is_lost = True
        self._save()
        if why:
            self.screen.say(why)
        for k in self.open:
            name = f"Board {k + 1}: " if self.several else ""
            self.screen.say(name + self.opponents[k].reveal_text())
        self._review(None if self.several else self.opponents[0].reveal())

    def _review(self, secret: str | None = None) -> None:
        """Print the review of the game, and the text to share."""
        if not self.made:
            return
        say = self.screen.say
        say()
        # Several boards have no review, because each guess is a compromise between them.
        if not (self.plain or self.several):
            work = partial(Session.review, secret=secret)
            found = wait_for("Looking back at every guess", self.sessions[0], work)
            for line in review_lines(found, self.screen.width, self.game):
                say(line)
            say()
        boards = [session.parsed_history for session in self.sessions]
        say(share(self.game, boards, not self.screen.symbols, self.day, self.max_guesses))

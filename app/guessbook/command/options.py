"""The options that name a game or a policy, each group in a dataclass. Arguments and options that many commands share, such as the book and the history, and their parsers."""

import os
import re
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from inspect import Parameter
from pathlib import Path
from typing import Any

import typer

from guessbook.book.errors import (
    InvalidCodeError,
    InvalidFeedbackError,
    UsageError,
    printable,
    quote,
)
from guessbook.book.games.codes import (
    BLANK,
    COLORS,
    DIGITS,
    MAX_PEGS,
    PEGS,
    USUAL,
    Mastermind,
    describe_symbols,
    named_symbols,
)
from guessbook.book.games.game import Game, entries_of, read_history, splits, text_of
from guessbook.book.games.presets import PRESETS, game_of, is_game
from guessbook.book.games.words import WordGame
from guessbook.book.saved_games import Saved, is_saved, read_saved
from guessbook.book.strategy import DEFAULT_BOOK
from guessbook.command.books import DEFAULT, Source, load_game, names_book, source
from guessbook.command.output import say
from guessbook.play.terminal.prompts import run_interruptibly
from guessbook.policy.policy import NUMBERS
from guessbook.policy.registry import CLASSES, header, merge, policy_of

# The value of `default` that makes an `argument` required.
REQUIRED = Parameter.empty


def argument(metavar: str, help: str, *, default: Any = None) -> Any:
    """Return a dataclass field that declares a positional argument of a command."""
    return field(default=default, metadata={"typer": typer.Argument(metavar=metavar, help=help)})


def option(metavar: str, help: str, *names: str, default: Any = None, **limits: float) -> Any:
    """Return a dataclass field that declares an option with a value."""
    made: Any = typer.Option  # Typer's type hints do not accept `**limits`
    made = made(*names, metavar=metavar, help=help, **limits)
    return field(default=default, metadata={"typer": made})


def flag(name: str, help: str) -> Any:
    """Return a dataclass field that declares an option without a value."""
    return field(default=False, metadata={"typer": typer.Option(name, help=help)})


def output_option(help: str, *, default: Any = None) -> Any:
    """Return a dataclass field that declares the option `-o`, `--output`; `help` describes the file."""
    return option("FILE", f"{help}  (`-`: stdout)", "-o", "--output", default=default)


BOOK = argument(
    "BOOK",
    "A file, a book that comes with Guessbook, a preset, or a game such as mastermind-6x6.  "
    f"[default: the value of {DEFAULT}, else {DEFAULT_BOOK}]",
)
JSON = flag("--json", "Print JSON, for scripts.")
FORCE = flag("--force", "Overwrite an existing file.")
QUIET = flag("--quiet", "Show no progress bar, and no lines of progress.")
JOBS = option("N", "Number of threads.  [default: one for each core]", min=1)

# Maximal number of words in an entry such as "R Y G B 0 black 2 white": one for each peg, and four for the feedback.
MAX_PARTS = MAX_PEGS + 4
# The characters of feedback in a word game, with letters in lower case.
SQUARES = set("012byg⬛⬜🟨🟩🟦🟧")


def check_no_words(game: Game, words: list[str]) -> None:
    """Raise UsageError if `words` has an entry of a word game, such as crane=01002, but `game` is not a word game."""
    for text in map(str, entries_of(" ".join(words))):
        guess, _, feedback = text.replace(" ", "=", 1).partition("=")
        if not feedback:
            return  # A later check reports a guess without feedback.
        # One or two letters are not taken for a word: they may be pegs of a code that is typed with blanks.
        squares = 2 < len(guess) == len(feedback) and set(feedback.lower()) <= SQUARES
        if guess.isalpha() and squares:
            try:
                game.parse_feedback(feedback)
            except UsageError:
                check_no_word(game, text, f"hint wordle {text}")


def check_no_word(game: Game, text: str, command: str) -> None:
    """Raise UsageError if `game` is not a word game and does not allow `text` as a guess.

    The caller has checked that `text` looks like a word, or like an entry of a word game such as crane=01002. The error
    suggests `command`, which uses a word game.
    """
    if game.kind == "words" or may_be_guessed(game, text):
        return
    advice = f"name a book of words, or the preset wordle: guessbook {printable(command)}"
    raise UsageError(
        f"found {quote(text)}, which looks like a word, expected a guess of {game.name}; {advice}"
    )


@dataclass(frozen=True)
class HistoryArguments:
    """The arguments of a command that takes a book and a history."""

    words: list[str] | None = argument(
        "BOOK GUESS=FEEDBACK ...",
        "The book, if it is not the default: a file, or the name of a book or of a game. Then "
        "each guess with its feedback: RYGB=1,1 or RYGB 1,1.",
    )
    book: str | None = option(
        "BOOK", "The book. With this option every argument belongs to the history."
    )

    @cached_property
    def saved(self) -> list[Saved]:
        """The contents of the saved-game files among the arguments."""
        return [read_saved(word) for word in self.words or () if is_saved(word)]

    @property
    def refused(self) -> list[str]:
        """The guesses that the real game did not accept, from the saved-game files."""
        return [guess for known in self.saved for guess in known.refused_guesses()]

    def source(self) -> tuple[Source, list[str]]:
        """Return the book and the history. Raise UsageError for any other argument."""
        found, history, guess = self.question()
        if guess is not None:
            _refuse(found.book.game, [guess], self.book)
        return found, history

    def question(self) -> tuple[Source, list[str], str | None]:
        """Return the book, the history and the last guess. The guess is None if every guess has feedback."""
        words = list(self.words or ())
        for known in self.saved:
            place = words.index(known.name)
            words[place : place + 1] = known.entries()
        name = self.book
        if name is None and (name := next(filter(names_book, words), None)) is not None:
            words.remove(name)
        if name is None and self.saved and DEFAULT not in os.environ:
            title = self.saved[0].game
            name = title if is_game(title) else None
        found = source(name)
        game = found.book.game
        for known in self.saved:
            known.check(game)
        if name is None:
            check_no_words(game, words)
        history, left = entries(game, words)
        if left and may_be_guessed(game, guess := " ".join(left)):
            return found, history, guess
        if left:
            # The book precedes the history, so a word after an entry cannot be the name of a book.
            _refuse(game, left, name if name or not history else game.name)
        return found, history, None


def entries(game: Game, words: list[str]) -> tuple[list[str], list[str]]:
    """Return two lists from the words of a command line: the entries of a history, and the words after them.

    >>> from guessbook.book.games.codes import Mastermind
    >>> entries(Mastermind(4, 6), ["RYGB", "1", "1", "rgop 0,2", "YYYY"])
    (['RYGB=1,1', 'RGOP=0,2'], ['YYYY'])
    """
    words = [part for word in words for part in _split_entries(game, word)]
    if all("=" in word for word in words) and not (words and may_be_guessed(game, words[-1])):
        return words, []  # Invalid entries raise an error when the history is read.
    found = []
    while words and (first := _first_entry(game, words)):
        found.append(first[0])
        words = words[first[1] :]
    return found, words


def _split_entries(game: Game, word: str) -> list[str]:
    """Split an argument into entries of the history. A single entry or a guess remains whole."""
    parts = list(map(str, entries_of(word)))
    if len(parts) < 2 or may_be_guessed(game, word):
        return [word]
    for read in ([word], parts):
        with suppress(UsageError):
            read_history(game, read)
            return read
    return parts if all("=" in part for part in parts) else [word]


def _first_entry(game: Game, words: list[str]) -> tuple[str, int] | None:
    """Return the entry that the first words form, and its number of words; None if they form no entry."""
    # Entries with "=" do not need this import, which loads modules for drawing.
    from guessbook.play.terminal.prompts import parse_answers

    for count in range(min(len(words), MAX_PARTS), 0, -1):
        first, rest = words[0], " ".join(words[1:count])
        lines = [f"{first} {rest}"]
        if "=" in first:  # The guess may be an equation, which contains "=".
            lines.append(f"{first}={rest}")
        for line in lines:
            with suppress(UsageError):
                guess, feedbacks = parse_answers(game, line)
                if guess is not None:
                    return f"{guess}={feedbacks[0]}", count
    if "=" in words[0] and not may_be_guessed(game, words[0]):
        read_history(game, [words[0]])
        return words[0], 1
    return None


def _refuse(game: Game, words: list[str], book: str | None) -> None:
    """Raise UsageError for arguments of a command that are not a guess with its feedback.

    If `book` is None and no feedback follows the first word, the error says that the first word is not a book.
    """
    word, feedback = words[0], words[1] if len(words) > 1 else ""
    if may_be_guessed(game, word):
        if feedback and "=" not in feedback:
            game.parse_feedback(feedback)
        raise UsageError(f"found the guess {word} without its feedback, expected GUESS=FEEDBACK")
    for head, tail in splits(word):
        if may_be_guessed(game, head):
            game.feedback_to(head, tail)
    if book is None:
        with suppress(InvalidFeedbackError):
            game.parse_feedback(feedback)
            text_of(game, word)
        source(word, ", nor GUESS=FEEDBACK")
    text_of(game, word)


def may_be_guessed(game: Game, text: str) -> bool:
    """Return whether the game allows a text as a guess. Word games also allow words outside their list of guesses."""
    try:
        text_of(game, text)
    except InvalidCodeError:
        return False
    return True


def _number(name: str, help: str) -> Any:
    low, high = NUMBERS[name]
    return option("N", help, min=low, max=high)


@dataclass(frozen=True)
class GameOptions:
    """The options that define a game."""

    preset: str | None = option(
        "NAME", "A preset (`guessbook presets` lists all), or a game such as mastermind-6x6."
    )
    pegs: int | None = option("N", "Positions of a code.  [default: 4]", min=1, max=MAX_PEGS)
    colors: int | None = option(
        "N",
        "Number of symbols.  [default: as in --symbols, else 6, or 10 if no repeats]",
        min=1,
        max=36,
    )
    no_repeats: bool = flag("--no-repeats", "No symbol occurs twice: Bulls and Cows, Bagels.")
    symbols: str | None = option(
        "SYMBOLS",
        "The symbols in the order that breaks ties: characters such as 123456, or names as in "
        "red,blue,star. A name is written as its first letter, or as W for white=W.  [default: the "
        f"first of {describe_symbols(USUAL)}, then other letters; digits if no repeats]",
    )
    blanks: bool = flag("--blanks", f"Allow empty positions: add the symbol {BLANK}, named blank.")
    answers: Path | None = option(
        "FILE",
        "Play with words: a UTF-8 file of secrets, one a line, optionally with weights: crane 5120.",
    )
    guesses: Path | None = option(
        "FILE",
        "The allowed guesses, in the order that breaks ties.  [default: the words of --answers]",
    )
    scoring: str | None = option(
        "RULE",
        "For words, if a letter occurs more often in the guess than in the secret: standard marks as many "
        "copies as the secret has, as in Wordle; loose marks all copies.  [default: standard]",
    )
    table: Path | None = option(
        "FILE",
        "Play any game: a CSV table of feedbacks with the secrets in its first row and the guesses "
        "in its first column, as `guessbook table` writes it.",
    )

    def game(self) -> Game:
        """Return the game that the options define, and print corrections of its word lists on stderr."""
        if self.preset is not None:
            return self._of_preset(self.preset)
        if self.table is not None:
            if self != GameOptions(table=self.table):
                raise UsageError(
                    f"found --table {self.table} and options of another game; leave out one of the games"
                )
            from guessbook.book.games.sheets import (
                read_table,
            )  # Other games do not need this import.

            return run_interruptibly("Reading the table", partial(read_table, self.table))
        if self.answers is None and self.guesses is None and self.scoring is None:
            return self._codes()
        if self != GameOptions(answers=self.answers, guesses=self.guesses, scoring=self.scoring):
            words = "options of a word game (--answers, --guesses, --scoring)"
            raise UsageError(
                f"found {words} and of a code game (such as --pegs); leave one kind out"
            )
        return self._words()

    def _of_preset(self, name: str) -> Game:
        if self != GameOptions(name, answers=self.answers, guesses=self.guesses):
            raise UsageError(
                f"found --preset {name} and options of another game; leave out one of the games"
            )
        if self.answers is None and self.guesses is None and is_game(name):
            if name in PRESETS and PRESETS[name].needs_words:
                raise UsageError(
                    f"found --preset {name} without words, expected a file of words; add --answers FILE"
                )
            return game_of(name)
        preset = PRESETS[name]
        words = self._words()
        # Without --guesses the preset chooses the guesses.
        return preset.game(words.secrets, words.guesses if self.guesses else (), words.weights)

    def _words(self) -> WordGame:
        if self.answers is None:
            found = f"--guesses {self.guesses}" if self.guesses else f"--scoring {self.scoring}"
            raise UsageError(
                f"found {found} without --answers; add --answers FILE, a file with the secrets"
            )
        game, notes = load_game(self.answers, self.guesses, self.scoring or "standard")
        for note in notes:
            say(note)
        return game

    def _codes(self) -> Mastermind:
        symbols: str | None = self.symbols
        names: tuple[str, ...] = ()
        if symbols and "," in symbols:
            symbols, names = named_symbols(symbols)
        elif symbols and (" " in symbols or len({*symbols}) < len(symbols)):
            expected = "different characters such as 123456, or names with commas such as red,blue"
            raise UsageError(f"found --symbols {quote(symbols)}, expected {expected}")
        colors = self.colors
        if colors is None:
            colors = len(symbols) if symbols else 10 if self.no_repeats else 6
        if self.blanks:
            symbols = (symbols or (DIGITS if self.no_repeats else COLORS)[:colors]) + BLANK
            names = names and (*names, PEGS[BLANK].name)
            colors += 1
        pegs = 4 if self.pegs is None else self.pegs
        return Mastermind(pegs, colors, not self.no_repeats, symbols, names)


@dataclass(frozen=True)
class PolicyOptions:
    """The options that define a policy."""

    # The help must not load other packages, so it lists only built-in policies. Errors list all policies.
    policy: str = option(
        "NAME",
        f"One of {', '.join(CLASSES.built_in)}; or a policy of other packages.",
        default="entropy",
    )
    base: str | None = option(
        "NAME",
        "For lookahead, rollout, optimal and win: the policy that ranks the guesses to try, one of entropy, "
        "expected, parts, minimax and entropy-corrected. In rollout it also plays the later guesses.  "
        "[default: entropy; entropy-corrected for lookahead]",
    )
    depth: int | None = _number(
        "depth", "For lookahead: number of steps to look ahead.  [default: 2]"
    )
    width: int | None = _number(
        "width",
        "For lookahead and rollout: try only the N guesses that --base ranks first. A larger N takes longer and "
        "mostly gives better books.  [default: 20]",
    )
    max_guesses: int | None = _number(
        "max_guesses",
        "For optimal: find every secret within N guesses, at the lowest mean.  [default: no limit]",
    )
    within: int | None = _number(
        "within", "Required for win: find the most secrets within N guesses."
    )
    endgame: int | None = _number(
        "endgame",
        "For rollout: with at most N candidates left, search for the best play to the end. "
        "A larger N takes longer and mostly gives better books.  [default: no search]",
    )
    random_seed: int | None = _number(
        "random_seed",
        "For consistent, which guesses at random: the seed. Equal seeds give equal books.  [default: 0]",
    )
    consistent_only: bool = flag(
        "--consistent-only",
        "Guess only codes that may still be the secret, although other guesses often give more "
        "information. Not for consistent and positional, which always guess such codes.",
    )
    hard_mode: bool = flag(
        "--hard-mode",
        "For words, as in Wordle's hard mode: every guess repeats the letters that are in place, "
        "and contains the letters that are known to be elsewhere. Not for consistent and positional.",
    )

    def policy_map(self) -> dict[str, str | int]:
        """Return the name and the options of the policy as a map, as in the header of a book."""
        options = asdict(self)
        return policy_map(options.pop("policy"), **options)


def policy_map(text: str, **options: object) -> dict[str, str | int]:
    """Return the name and the options of the policy that `text` and `options` state, as in the header of a book.

    Options that are None or False are ignored.

    >>> policy_map("rollout:first-guess=0012", width=5, base=None)
    {'name': 'rollout', 'base': 'entropy', 'width': 5, 'first_guess': '0012'}
    """
    try:
        found = merge(text, {o: value for o, value in options.items() if value is not False})
        known = header(policy_of(found))
    except UsageError as error:
        message = str(error)
        # Options have dashes on the command line, so the message must have dashes. Texts of the user stay as typed.
        for name in set(re.findall("[a-z]+(?:_[a-z]+)+", message)):
            if name not in text:
                message = message.replace(name, name.replace("_", "-"))
        raise UsageError(message) from error
    if "first_guess" in found:
        known["first_guess"] = str(found["first_guess"])
    return known

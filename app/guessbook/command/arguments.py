"""Arguments and options that many commands share, such as the book and the history, and their parsers."""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from inspect import Parameter
from typing import Any

import typer

from guessbook.book.errors import (
    InvalidCodeError,
    InvalidFeedbackError,
    UsageError,
    printable,
    quote,
)
from guessbook.book.games.beyond import read_history, text_of
from guessbook.book.games.codes import MAX_PEGS
from guessbook.book.games.game import Game, entries_of, feedback_to, splits
from guessbook.book.games.presets import is_game
from guessbook.book.saved import Saved, is_saved, read_saved
from guessbook.book.strategy import DEFAULT_BOOK
from guessbook.command.books import DEFAULT, Source, names_book, source

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

    >>> from guessbook.book import Mastermind
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
    from guessbook.play.terminal.questions import parse_answers

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
            feedback_to(game, head, tail)
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

"""Arguments and options that nearly all commands share, and the book that they name; light."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

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


def argument(metavar: str, help: str) -> Any:
    """An argument, with its name and description in a command's help."""
    return typer.Argument(metavar=metavar, help=help)


def option(metavar: str, help: str, *names: str, **limits: float) -> Any:
    """An option with a value; its names are that of the parameter if none are given."""
    parameter: Any = typer.Option  # its overloads know no numbers by their names
    return parameter(*names, metavar=metavar, help=help, **limits)


def flag(name: str, help: str) -> Any:
    """An option without a value: it is there or not."""
    return typer.Option(name, help=help)


def output_option(help: str) -> Any:
    """The option `-o`, `--output`, with its meaning for a command; `-` is stdout."""
    return option("FILE", f"{help}  (`-`: stdout)", "-o", "--output")


BOOK = (
    "A file, a book that comes with Guessbook, or the name of a game: a preset, or such as "
    "mastermind-6x6.  "
    f"[default: that of {DEFAULT}, else {DEFAULT_BOOK}]"
)

# Most words in an entry: one for each peg, and "0 black 2 white".
MAX_PARTS = MAX_PEGS + 4

BookName = Annotated[str | None, argument("BOOK", BOOK)]
BookOption = Annotated[
    str | None, option("BOOK", "The book; then every argument belongs to the history.", "--book")
]
History = Annotated[
    list[str] | None,
    argument(
        "BOOK GUESS=FEEDBACK ...",
        "The book, unless it is the usual one: a file, or the name of a book or of a game. Then "
        "each guess with its answer: RYGB=1,1 or RYGB 1,1.",
    ),
]
AsJson = Annotated[bool, flag("--json", "Print JSON, for scripts.")]
Force = Annotated[bool, flag("--force", "Overwrite an existing file.")]
Quiet = Annotated[
    bool, flag("--quiet", "Show no progress: neither the bar nor, outside a terminal, its lines.")
]
Jobs = Annotated[int | None, option("N", "Threads.  [default: one for each core]", min=1)]


def check_no_words(game: Game, words: list[str]) -> None:
    """Raise UsageError if an entry of a history has a word, but the usual book has codes."""
    for text in map(str, entries_of(" ".join(words))) if game.kind != "words" else ():
        guess, _, feedback = text.replace(" ", "=", 1).partition("=")
        # Two letters or fewer may be pegs that are typed apart.
        colors = set("012byg⬛⬜🟨🟩🟦🟧")
        squares = 2 < len(guess) == len(feedback) and set(feedback.lower()) <= colors
        if not (guess.isalpha() and squares):
            continue
        with suppress(UsageError):
            game.parse_feedback(feedback)
            continue
        first = words[0]
        if not (first.startswith(guess) or "=" in first or may_be_guessed(game, first)):
            source(first, ", nor GUESS=FEEDBACK")
        check_no_word(game, text, f"hint wordle {text}")


def check_no_word(game: Game, text: str, command: str) -> None:
    """Raise UsageError if a text looks like a word but is not a guess of a game of codes.

    The message suggests a command that works.
    """
    if game.kind == "words" or may_be_guessed(game, text):
        return
    raise UsageError(
        f"found {quote(text)}, which looks like a word, and no book of words; name its book, or "
        f"the preset wordle: guessbook {printable(command)}"
    )


@dataclass(frozen=True)
class Told:
    """The arguments that name a book and a history.

    The book is the first argument that is a file, or the name of a book or of a game.

    Attributes:
        words: the arguments.
        book: the value of the option `--book`.
    """

    words: History = None
    book: BookOption = None

    @cached_property
    def saved(self) -> list[Saved]:
        """The saved games among the arguments."""
        return [read_saved(word) for word in self.words or () if is_saved(word)]

    @property
    def refused(self) -> list[str]:
        """The guesses that these games refused."""
        return [guess for known in self.saved for guess in known.refused()]

    def source(self) -> tuple[Source, list[str]]:
        """Return the book and the history.

        Raises:
            InvalidBookError: the file is no book.
            UsageError: there is no such book, or an argument belongs to no entry.
        """
        found, history, guess = self.asked()
        if guess is not None:
            _refuse(found.book.game, [guess])
        return found, history

    def asked(self) -> tuple[Source, list[str], str | None]:
        """Return the book, the history, and the last argument if that is a guess alone.

        Raises:
            InvalidBookError, UsageError: as `source`.
        """
        words = list(self.words or ())
        saved = self.saved
        for known in saved:
            place = words.index(known.name)
            words[place : place + 1] = known.entries()
        name = self.book
        if name is None and (name := next(filter(names_book, words), None)) is not None:
            words.remove(name)
        if name is None and saved and DEFAULT not in os.environ and is_game(saved[0].game):
            name = saved[0].game
        found = source(name)
        game = found.book.game
        for known in saved:
            known.check(game)
        if name is None:
            check_no_words(game, words)
        history, left = entries(game, words)
        if left and may_be_guessed(game, guess := " ".join(left)):
            return found, history, guess
        if left:
            _refuse(game, left, name)
        return found, history, None


def entries(game: Game, words: list[str]) -> tuple[list[str], list[str]]:
    """Join words, as a shell splits them, to the entries that `solve` reads at its prompt.

    >>> from guessbook.book import Mastermind
    >>> entries(Mastermind(4, 6), ["RYGB", "1", "1", "rgop 0,2", "YYYY"])
    (['RYGB=1,1', 'RGOP=0,2'], ['YYYY'])

    Returns:
        The entries, and the words from the first one on that belongs to none.
    """
    words = [part for word in words for part in _apart(game, word)]
    if all("=" in word for word in words) and not (words and may_be_guessed(game, words[-1])):
        return words, []  # whoever reads the history complains of it
    found = []
    while words:
        entry, count = _first_entry(game, words)
        if not entry:
            break
        found.append(entry)
        words = words[count:]
    return found, words


def _apart(game: Game, word: str) -> list[str]:
    """Split a history in one argument into its entries; anything else stays whole."""
    parts = list(map(str, entries_of(word)))
    if len(parts) < 2 or may_be_guessed(game, word):
        return [word]
    for read in ([word], parts):
        with suppress(UsageError):
            read_history(game, read)
            return read
    return parts if all("=" in part for part in parts) else [word]


def _first_entry(game: Game, words: list[str]) -> tuple[str, int]:
    """Return the entry that these words begin with and its number of words; nothing if none.

    Raises:
        InvalidCodeError, InvalidFeedbackError: the first word is an entry, and wrong.
    """
    # Late, as it loads what is drawn, which a history that is written with "=" does without.
    from guessbook.play.terminal.questions import answered

    for count in range(min(len(words), MAX_PARTS), 0, -1):
        first, rest = words[0], " ".join(words[1:count])
        # An equation has equals signs of its own.
        for line in [f"{first} {rest}", f"{first}={rest}"][: 1 + ("=" in first)]:
            with suppress(UsageError):
                guess, feedbacks = answered(game, line)
                if guess is not None:
                    return f"{guess}={feedbacks[0]}", count
    if "=" in words[0] and not may_be_guessed(game, words[0]):
        read_history(game, [words[0]])
        return words[0], 1
    return "", 0


def _refuse(game: Game, words: list[str], book: str | None = None) -> None:
    """Raise UsageError for the first of these words, which begin no entry: it says why.

    Args:
        game: the game.
        words: the words.
        book: the name of the book, where the arguments have one.
    """
    word, feedback, *_ = *words, ""
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
    """Whether a text is a guess, listed or not; an equation may have equals signs of its own."""
    try:
        text_of(game, text)
    except InvalidCodeError:
        return False
    return True

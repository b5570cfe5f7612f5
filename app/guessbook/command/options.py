"""Arguments and options of commands: how they are declared, and those that many commands share."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import Field, field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from guessbook.book.errors import (
    InvalidCodeError,
    InvalidFeedbackError,
    UsageError,
    printable,
    quote,
)
from guessbook.book.games.codes import MAX_PEGS
from guessbook.book.games.dictionary import read_excluded
from guessbook.book.games.game import Game, entries_of, read_history, splits, text_of
from guessbook.book.games.presets import is_game
from guessbook.book.saved_games import is_saved, read_saved
from guessbook.book.strategy import DEFAULT_BOOK
from guessbook.command.books import DEFAULT, Source, names_book, source

if TYPE_CHECKING:
    from guessbook.play.session import Session

# The value of `default` that makes an `argument` required.
REQUIRED = ...


def argument(metavar: str, help: str, *, default: Any = None) -> Any:
    """Declare a positional argument: a parameter of a command, or a field of a dataclass of options."""
    declared = typer.Argument(default, metavar=metavar, help=help)
    return field(default=default, metadata={"typer": declared})


def option(metavar: str | None, help: str, *names: str, default: Any = None, **more: Any) -> Any:
    """Declare an option with a value: a parameter of a command, or a field of a dataclass of options."""
    declared = typer.Option(default, *names, metavar=metavar, help=help, **more)
    return field(default=default, metadata={"typer": declared})


def flag(name: str, help: str) -> Any:
    """Declare an option without a value."""
    return option(None, help, name, default=False)


def output_option(help: str, *, default: Any = None) -> Any:
    """Declare the option `-o`, `--output`; `help` describes the file."""
    return option("FILE", f"{help}  (`-`: stdout)", "-o", "--output", default=default)


def flatten_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return `command` for Typer: each dataclass parameter becomes one parameter for each of its fields."""
    groups: dict[str, Any] = {}
    flat: list[Parameter] = []
    for name, parameter in signature(command).parameters.items():
        kind = parameter.annotation
        declared = [(name, kind, parameter.default)]
        if is_dataclass(kind):
            groups[name] = kind
            declared = [(each.name, each.type, each) for each in fields(kind)]
        for each, hint, default in declared:
            if isinstance(default, Field):
                default = default.metadata["typer"]
            flat.append(Parameter(each, Parameter.KEYWORD_ONLY, default=default, annotation=hint))

    @wraps(command)
    def wrapper(**given: Any) -> None:
        for name, kind in groups.items():
            given[name] = kind(**{each.name: given.pop(each.name) for each in fields(kind)})
        command(**given)

    wrapper.__signature__ = Signature(flat)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {parameter.name: parameter.annotation for parameter in flat}
    return wrapper


BOOK = argument(
    "BOOK",
    "A file, a book that comes with Guessbook, a preset, or a game such as mastermind-6x6.  "
    f"[default: the value of {DEFAULT}, else {DEFAULT_BOOK}]",
)
JSON = flag("--json", "Print JSON, for scripts.")
FORCE = flag("--force", "Overwrite an existing file.")
QUIET = flag("--quiet", "Show no progress bar, and no lines of progress.")
JOBS = option("N", "Number of threads.  [default: one for each core]", min=1)

# The arguments of a command that takes a book and a history; `read_arguments` reads them.
HISTORY = argument(
    "BOOK GUESS=FEEDBACK ...",
    "The book, if it is not the default: a file, or the name of a book or of a game. Then "
    "each guess with its feedback: RYGB=1,1 or RYGB 1,1.",
)
HISTORY_AND_GUESS = argument(
    "BOOK HISTORY ... GUESS",
    "The book and the history, as for `hint`; then the guess to explain or rate.",
)
BOOK_OF_HISTORY = option(
    "BOOK", "The book. With this option every argument belongs to the history."
)

REFUSED = option(
    "FILE",
    "Do not suggest the words of this file, one a line, which your game does not accept. `solve` "
    "adds each word that you answer with `no`.",
)

# Maximal number of words in an entry such as "R Y G B 0 black 2 white": one for each peg, and four
# for the feedback.
MAX_PARTS = MAX_PEGS + 4
# The characters of feedback in a word game, with letters in lower case.
SQUARES = set("012byg.-_x⬛⬜🟨🟩🟦🟧")


class Arguments(NamedTuple):
    """What the arguments of a command name.

    Attributes:
        source: the book, with its path and size.
        history: the entries of the history, each as a text that the game can read.
        guess: the guess after the history; None if every guess has feedback.
        refused: the guesses that the real game did not accept, from saved games and --refused.
    """

    source: Source
    history: list[str]
    guess: str | None
    refused: list[str]

    def session(self) -> "Session":
        """Return a session with the book, the history and the refused guesses."""
        # A hint from the book must not load sessions.
        from guessbook.play.session import Session

        return Session(self.source.book, self.history, refused=self.refused)


def read_arguments(
    words: list[str] | None, book: str | None, allow_guess: bool = False
) -> Arguments:
    """Read the arguments of a command: a book, saved games, entries, and a guess if `allow_guess`.

    `book` is the value of --book. Raises UsageError for any other argument.
    """
    words = list(words or ())
    saved = [read_saved(word) for word in words if is_saved(word)]
    for game_file in saved:
        place = words.index(game_file.name)
        words[place : place + 1] = game_file.entries()
    name = book
    if name is None and (name := next(filter(names_book, words), None)) is not None:
        words.remove(name)
    if name is None and saved and DEFAULT not in os.environ and is_game(saved[0].game):
        name = saved[0].game
    found = source(name)
    game = found.book.game
    for game_file in saved:
        game_file.check(game)
    try:
        history, rest = split_history(game, words)
    except UsageError:
        if name is None:
            check_no_words(game, words)
        raise
    guess = None
    if rest:
        if name is None:
            check_no_words(game, words)
        guess = " ".join(rest)
        if not may_be_guessed(game, guess):
            # The book precedes the history, so a word after an entry cannot be the name of a book.
            refuse_words(game, rest, name if name or not history else game.name)
        if not allow_guess:
            refuse_words(game, [guess], book)
    refused = [code for game_file in saved for code in game_file.refused_guesses()]
    return Arguments(found, history, guess, refused)


def read_refused(game: Game, path: Path) -> list[str]:
    """Return the words of a file that the game may suggest. Raises UsageError if the game has no words."""
    if game.kind != "words":
        raise UsageError(f"--refused {printable(path)} needs a game with words, not {game.name}")
    listed = set(game.guesses)
    return [word for word in sorted(read_excluded(path)) if word in listed]


def split_history(game: Game, words: list[str]) -> tuple[list[str], list[str]]:
    """Return two lists from the words of a command line: the entries of a history, and the words after them.

    >>> from guessbook.book.games.codes import Mastermind
    >>> split_history(Mastermind(4, 6), ["RYGB", "1", "1", "rgop 0,2", "YYYY"])
    (['RYGB=1,1', 'RGOP=0,2'], ['YYYY'])
    """
    parts: list[str] = []
    for word in words:
        parts += _split_entries(game, word) if len(word.split()) > 1 else [word]
    if all("=" in part for part in parts) and not (parts and may_be_guessed(game, parts[-1])):
        read_history(game, parts)
        return parts, []
    found = []
    while parts and (first := _first_entry(game, parts)):
        found.append(first[0])
        parts = parts[first[1] :]
    return found, parts


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
    """Return the entry that the first words form, and its number of words.

    Return None if they form no entry.
    """
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


def refuse_words(game: Game, words: list[str], book: str | None) -> None:
    """Raise UsageError for arguments of a command that are not a guess with its feedback.

    If `book` is None and no feedback follows the first word, the error says that the first word is
    not a book.
    """
    word, feedback = words[0], words[1] if len(words) > 1 else ""
    if may_be_guessed(game, word):
        if feedback and "=" not in feedback:
            game.parse_feedback(feedback)
        raise UsageError(f"the guess {word} has no feedback; write GUESS=FEEDBACK")
    for head, tail in splits(word):
        if may_be_guessed(game, head):
            game.feedback_to(head, tail)
    if book is None:
        with suppress(InvalidFeedbackError):
            game.parse_feedback(feedback)
            text_of(game, word)
        source(word, ", nor GUESS=FEEDBACK")
    text_of(game, word)


def check_no_words(game: Game, words: list[str]) -> None:
    """Raise UsageError if `words` has an entry of a word game, such as crane=01002, but `game` is not a word game."""
    for text in map(str, entries_of(" ".join(words))):
        guess, _, feedback = text.replace(" ", "=", 1).partition("=")
        if not feedback:
            return  # A later check reports a guess without feedback.
        # One or two letters are not taken for a word: they may be pegs of a code that is typed with
        # blanks.
        squares = 2 < len(guess) == len(feedback) and set(feedback.lower()) <= SQUARES
        if guess.isalpha() and squares:
            try:
                game.parse_feedback(feedback)
            except UsageError:
                check_no_word(game, text, f"hint wordle {text}")


def check_no_word(game: Game, text: str, command: str) -> None:
    """Raise UsageError if `game` is not a word game and does not allow `text` as a guess.

    The caller has checked that `text` looks like a word, or like an entry of a word game such as
    crane=01002. The error suggests `command`, which uses a word game.
    """
    if game.kind == "words" or may_be_guessed(game, text):
        return
    advice = f"name a book of words, or the preset wordle: guessbook {printable(command)}"
    raise UsageError(f"{quote(text)} looks like a word, not like a guess of {game.name}; {advice}")


def may_be_guessed(game: Game, text: str) -> bool:
    """Return whether the game allows a text as a guess.

    Word games also allow words outside their list of guesses.
    """
    try:
        text_of(game, text)
    except InvalidCodeError:
        return False
    return True

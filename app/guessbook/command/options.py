"""Arguments and options of commands: how they are declared, and those that many commands share."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import Field, field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from guessbook.book.disk import SEPARATORS
from guessbook.book.errors import (
    GuessbookError,
    InvalidCodeError,
    InvalidFeedbackError,
    UsageError,
    printable,
    quote,
)
from guessbook.book.games.codes import MAX_PEGS
from guessbook.book.games.game import Game, entries_of, read_history, splits, text_of
from guessbook.book.games.presets import game_of, is_game
from guessbook.book.saved_games import Saved, is_saved, read_saved
from guessbook.book.strategy import DEFAULT_BOOK, shipped_books
from guessbook.command.books import DEFAULT, Source, names_book, source

if TYPE_CHECKING:
    from guessbook.play.session import Session

# The value of `default` that makes an `argument` required.
REQUIRED = ...


def argument(metavar: str, help: str, *, default: Any = None) -> Any:
    """Declare a positional argument, as a parameter of a command or a field of a dataclass."""
    declared = typer.Argument(default, metavar=metavar, help=help)
    return field(default=default, metadata={"typer": declared})


def option(metavar: str | None, help: str, *names: str, default: Any = None, **more: Any) -> Any:
    """Declare an option with a value, as a parameter of a command or a field of a dataclass."""
    declared = typer.Option(default, *names, metavar=metavar, help=help, **more)
    return field(default=default, metadata={"typer": declared})


def flag(name: str, help: str) -> Any:
    """Declare an option without a value."""
    return option(None, help, name, default=False)


def output_option(help: str, *, default: Any = None) -> Any:
    """Declare the option `-o`, `--output`; `help` describes the file."""
    more = {"default": default, "parser": output_path}
    return option("FILE", f"{help}  (`-`: stdout)", "-o", "--output", **more)


def output_path(text: str | Path) -> Path:
    """Return the path of a file to write. Raises GuessbookError for "x/" if x is not a folder."""
    # `Path` drops the slash at the end, so a file with the name of the folder would be written.
    if str(text).endswith(SEPARATORS) and not os.path.isdir(text):  # noqa: PTH112
        raise GuessbookError(f"there is no folder {printable(text)}; create it, or name a file")
    return Path(text)


def flatten_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return `command` for Typer: the fields of its dataclass parameters become parameters."""
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
    "A file, a book shipped with Guessbook, a preset, or a game such as mastermind-6x6.  "
    f"[default: the value of {DEFAULT}, else {DEFAULT_BOOK}]",
)
JSON = flag("--json", "Print JSON, for scripts.")
FORCE = flag("--force", "Overwrite an existing file.")
TITLE = option("TEXT", "The title.  [default: the name of the game]")
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
    "Do not suggest the words of this file, one per line: your game does not accept them. `solve` "
    "adds each word that you answer with `no`.",
)

# The maximum number of words in an entry such as "R Y G B 0 black 2 white": one for each peg, and
# four for the feedback.
MAX_PARTS = MAX_PEGS + 4
# The characters of feedback in a word game, with letters in lower case.
SQUARES = set("012bwyg.-_x⬛⬜🟨🟩🟦🟧")


class Arguments(NamedTuple):
    """The parsed arguments of a command.

    Attributes:
        source: the book, with its path and size.
        history: the entries of the history, each as a string that the game can read.
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
    parts = [read_saved(word) if is_saved(word) else word for word in words or ()]
    saved = [part for part in parts if isinstance(part, Saved)]
    name = book
    # Only a typed word may name a book; the lines of a saved game are only entries.
    typed = [part for part in parts if isinstance(part, str)]
    if name is None and (name := next(filter(names_book, typed), None)) is not None:
        parts.remove(name)
        typed.remove(name)
    if name is None and saved and DEFAULT not in os.environ:
        name = book_of(saved[0])
    found = source(name)
    game = found.book.game
    for game_file in saved:
        game_file.check(game)
    try:
        history, rest = read_parts(game, parts)
    except UsageError:
        if name is None:
            check_no_words(game, typed)
        raise
    guess = None
    if rest:
        if name is None:
            check_no_words(game, typed)
        guess = " ".join(rest)
        if not may_be_guessed(game, guess):
            # The book precedes the history, so a word after an entry cannot be the name of a book.
            refuse_words(game, rest, name if name or not history else game.name)
        if not allow_guess:
            refuse_words(game, [guess], book)
    refused = [code for game_file in saved for code in game_file.refused_guesses()]
    return Arguments(found, history, guess, refused)


def book_of(saved: Saved) -> str | None:
    """Return the name of the shipped book for a saved game; None if its game is unknown.

    Raises UsageError if the book would have to be built: only the user may ask for a build.
    """
    if saved.game in shipped_books():
        return saved.game
    if is_game(saved.game):
        raise UsageError(
            f"{printable(saved.name)} is a saved game of {saved.game}, which has no shipped book; "
            f"name its book, or write {saved.game} before the file to build one"
        )
    return None


def read_parts(game: Game, parts: Sequence[str | Saved]) -> tuple[list[str], list[str]]:
    """Split words and saved games into the entries of a history and the words after them."""
    history: list[str] = []
    words: list[str] = []
    for part in parts:
        if isinstance(part, str):
            words.append(part)
            continue
        found, rest = split_history(game, words)
        if rest:
            refuse_words(game, rest, game.name)
        history += [*found, *part.entries(game)]
        words = []
    found, rest = split_history(game, words)
    return history + found, rest


def read_refused(game: Game, path: Path) -> list[str]:
    """Return the guesses of a word game that a file lists; none if there is no file.

    Raises UsageError for other games.
    """
    if game.kind != "words":
        raise UsageError(f"--refused {printable(path)} needs a game with words, not {game.name}")
    if not path.exists():
        return []
    # Imported here because dictionaries would slow down every command.
    from guessbook.book.games.dictionary import read_excluded

    listed = set(game.guesses)
    return [word for word in sorted(read_excluded(path)) if word in listed]


def split_history(game: Game, words: list[str]) -> tuple[list[str], list[str]]:
    """Split the words of a command line into the entries of a history and the words after them.

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
    """Return the entry that the first words form, and its number of words; None if there is none.

    The entry is the longest one that has a single meaning.
    """
    some = words[:MAX_PARTS]
    plain = next((place for place, word in enumerate(some) if "=" in word), len(some))
    for count in range(len(some), plain, -1):
        if found := _entry_with_sign(game, some[0], " ".join(some[1:count])):
            return found, count
    # Computed once, because the words that form a guess do not depend on the length of the entry.
    parts = " ".join(some[:plain]).split()
    listed = {k: code for k in range(1, len(parts)) if (code := _listed(game, parts[:k]))}
    others = {}
    if game.has_open_lists:
        heads = {k: " ".join(parts[:k]) for k in range(1, len(parts))}
        others = {k: text_of(game, head) for k, head in heads.items() if may_be_guessed(game, head)}
    for count in range(plain, 0, -1):
        entry = parts[: len(" ".join(some[:count]).split())]
        meant = _meanings(game, listed, entry) or _meanings(game, others, entry)
        if len(meant) == 1:
            return meant.pop(), count
    if "=" in words[0] and not may_be_guessed(game, words[0]):
        read_history(game, [words[0]])
        return words[0], 1
    return None


def _listed(game: Game, words: list[str]) -> str | None:
    """Return the guess in the game's list that these words spell; None if there is none."""
    with suppress(InvalidCodeError):
        return game.guesses[game.parse_code(" ".join(words))]
    return None


def _meanings(game: Game, codes: dict[int, str], words: list[str]) -> set[str]:
    """Return the entries that words may form; `codes[k]` is the guess formed by the first k."""
    found: set[str] = set()
    for k, code in codes.items():
        feedback = " ".join(words[k:])
        # `RYGB 0 0` has one feedback of two numbers, although `0` alone is a feedback, too.
        if feedback and not (found and len(feedback) == 1):
            with suppress(InvalidFeedbackError):
                found.add(f"{code}={game.format_feedback(game.parse_feedback(feedback))}")
    return found


def _entry_with_sign(game: Game, first: str, rest: str) -> str | None:
    """Join two arguments, one of which contains `=`, into an entry; None if they form none."""
    # Imported here because it loads modules for drawing, which other entries do not need.
    from guessbook.play.terminal.prompts import parse_answers

    lines = [f"{first} {rest}"]
    if "=" in first:  # The guess may be an equation, which contains "=".
        lines.append(f"{first}={rest}")
    for line in lines:
        with suppress(UsageError):
            guess, feedbacks = parse_answers(game, line)
            if guess is not None:
                return f"{guess}={feedbacks[0]}"
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
        source(word, or_entry=True)
    text_of(game, word)


def check_no_words(game: Game, words: list[str]) -> None:
    """Raise UsageError if `words` has an entry of another game than `game`, the default.

    Such an entry is one of a word game, such as crane=01002, or one of another shipped book.
    """
    entries = [str(entry) for entry in entries_of(" ".join(words))]
    codes = [text.partition("=")[0] for text in [*words, *entries]]
    foreign = [
        code for code in codes if not (may_be_guessed(game, code) or is_feedback(game, code))
    ]
    # Other games are created only if necessary: usually all are codes of this game.
    others = [game_of(name) for name in shipped_books() if is_game(name)] if foreign else []
    for code in foreign:
        fitting = [other.name for other in others if may_be_guessed(other, code)]
        if fitting:
            raise UsageError(
                f"{quote(code)} is not a code of {game.name}; correct it, or name the book {fitting[0]}"
            )
    for text in entries:
        guess, _, feedback = text.replace(" ", "=", 1).partition("=")
        if not feedback:
            return  # A later check reports a guess without feedback.
        # One or two letters do not count as a word: they may be pegs of a code typed with blanks.
        squares = 2 < len(guess) == len(feedback) and set(feedback.lower()) <= SQUARES
        if guess.isalpha() and squares and not is_feedback(game, feedback):
            check_no_word(game, text, text)


def check_no_word(game: Game, text: str, arguments: str) -> None:
    """Raise UsageError if `game` is not a word game and does not allow `text` as a guess.

    The caller has checked that `text` looks like a word, or like an entry of a word game such as
    crane=01002. The error suggests naming a word game before the `arguments` of the command.
    """
    if game.kind == "words" or may_be_guessed(game, text):
        return
    advice = f"name a book of words first, or the preset wordle: wordle {printable(arguments)}"
    raise UsageError(f"{quote(text)} looks like a word, not like a guess of {game.name}; {advice}")


def may_be_guessed(game: Game, text: str) -> bool:
    """Return whether the game allows a string as a guess.

    Word games also allow words outside their list of guesses.
    """
    try:
        text_of(game, text)
    except InvalidCodeError:
        return False
    return True


def is_feedback(game: Game, text: str) -> bool:
    """Return whether the game can read a string as a feedback."""
    try:
        game.parse_feedback(text)
    except InvalidFeedbackError:
        return False
    return True

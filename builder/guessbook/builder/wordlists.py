"""Lists of words: read from files, and made from a dictionary for those who have none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from guessbook.book.errors import InvalidGameError, UsageError
from guessbook.book.words import MAX_LENGTH, WordGame, WordList, clean_words

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["DICTIONARY", "Found", "find_words", "load_game", "of_length", "read_words"]

# A million words of 12 letters of 4 bytes, and then some.
MAX_FILE = 64 << 20
MAX_LINES = 4_000_000

# Where Debian, macOS and others keep a list of English words.
DICTIONARY = "/usr/share/dict/words"


class Found(NamedTuple):
    """Words of a dictionary.

    Attributes:
        words: the words, in its order.
        source: its name.
        total: how many words it has of any length.
    """

    words: list[str]
    source: str
    total: int


def load_game(
    answers: Path, guesses: Path | None = None, scoring: str = "standard"
) -> tuple[WordGame, list[str]]:
    """The game of two files of words, and what had to be done to them, a line each.

    Args:
        answers: the words that may be the secret, one a line.
        guesses: the words that may be guessed; those of `answers` if None.
        scoring: "standard" or "loose".

    Raises:
        UsageError: a file cannot be read.
        InvalidGameError: a file is no list of words, or both make no game.
    """
    secrets = read_words(answers)
    notes = _notes(answers, secrets)
    if guesses is None:
        return WordGame(secrets.words, scoring=scoring), notes
    allowed = read_words(guesses)
    notes += _notes(guesses, allowed)
    game = WordGame(secrets.words, allowed.words, scoring)
    added = len(game.guesses) - len(allowed.words)
    if added:
        example = game.guesses[len(allowed.words)]
        notes.append(
            f"{answers}: {_count(added, 'secret')} not in {guesses}, such as {example!r}, "
            "added to the guesses at the end"
        )
    return game, notes


def read_words(path: Path) -> WordList:
    """The words of a file: UTF-8, one word a line.

    Raises:
        UsageError: there is no such file, or it cannot be read.
        InvalidGameError: it is larger than 64 MiB, not UTF-8, or holds something else than words
            of one length.
    """
    words = clean_words(_lines(path), str(path))
    if not words.words:
        raise InvalidGameError(f"{path} is empty, expected one word a line")
    return words


def find_words(length: int, dictionary: Path | None = None) -> Found:
    """The words of a length in a dictionary; without names, abbreviations and compounds.

    Args:
        length: letters of a word, 1 to 12.
        dictionary: a file with one word a line. If None, the system's, and where there is none the
            Python package english-words.

    Raises:
        UsageError: a length out of range, no such file, no dictionary on this machine, or no words
            of that length in it.
        InvalidGameError: the file is larger than 64 MiB or not UTF-8.
    """
    if not 1 <= length <= MAX_LENGTH:
        raise UsageError(f"found a length of {length}, expected 1 to {MAX_LENGTH} letters")
    if dictionary is not None or Path(DICTIONARY).exists():
        path = dictionary or Path(DICTIONARY)
        words, source = _lines(path), str(path)
    else:
        words, source = _packaged(), "english-words"
    found = Found(of_length(words, length), source, len(words))
    if not found.words:
        raise UsageError(f"{source} has no words of {length} letters in lower case")
    return found


def of_length(words: Iterable[str], length: int) -> list[str]:
    """The words of that length that are letters in lower case and nothing else, each once.

    Capitals mark names; apostrophes, hyphens and points mark what is no plain word.

    >>> of_length(["Paris", "it's", "crane", "crane", "cranes"], 5)
    ['crane']
    """
    stripped = (word.strip() for word in words)
    wanted = [w for w in stripped if len(w) == length and w.isalpha() and w == w.lower()]
    return list(clean_words(wanted).words)


def _packaged() -> list[str]:
    """The words of the package english-words, in alphabetical order: it gives a set."""
    try:
        from english_words import get_english_words_set
    except ImportError:
        raise UsageError(
            f"found no {DICTIONARY} and no package english-words; install it with: pip install "
            '"guessbook[words]", or name a file of words with --dictionary'
        ) from None
    return sorted(get_english_words_set(["web2"]))


def _lines(path: Path) -> list[str]:
    """The lines of a text file in UTF-8, with or without a byte order mark."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
    except OSError as error:
        raise UsageError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    if len(data) > MAX_FILE or data.count(b"\n") > MAX_LINES:
        raise InvalidGameError(
            f"{path} is larger than {MAX_FILE >> 20} MiB or {MAX_LINES:,} lines, expected a list "
            "of words; take a shorter list"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InvalidGameError(
            f"line {line} of {path}: found byte 0x{data[error.start]:02x}, expected text in UTF-8; "
            "save the file in that encoding"
        ) from None
    # Not splitlines: it would also split at control characters, which are to be refused.
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _notes(path: Path, words: WordList) -> list[str]:
    """What cleaning did to a file, in words; nothing if it did nothing."""
    done = [
        (words.blank, "blank line", "skipped"),
        (words.rewritten, "word", "written in lower case"),
        (words.repeated, "repeated word", "skipped"),
    ]
    parts = [f"{_count(times, what)} {how}" for times, what, how in done if times]
    return [f"{path}: {', '.join(parts)}"] if parts else []


def _count(times: int, what: str) -> str:
    return f"{times:,} {what}{'' if times == 1 else 's'}"

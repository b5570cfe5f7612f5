"""Lists of words: read from files, and made from a dictionary for those who have none."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from guessbook.book.errors import InvalidGameError, UsageError, printable, shown
from guessbook.book.file.disk import reading
from guessbook.book.games.vocabulary import MAX_LENGTH, WordList, clean_words, weigh_words
from guessbook.book.games.weights import MAX_WEIGHT
from guessbook.book.games.words import WordGame
from guessbook.book.installation import install

# A million words of 12 letters of 4 bytes, and then some.
MAX_FILE = 64 << 20
MAX_LINES = 4_000_000
# Bytes of a line; blanks around a word may fill some.
MAX_LINE = 1000
BLOCK = 1 << 16

# Words of text in which the occurrences of a word are its weight: so many, or where the weights of
# all would be too large, so many.
SCALES = (10_000_000, 1_000_000)

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
        answers: the words that may be the secret, one a line, perhaps each with its weight.
        guesses: the words that may be guessed; those of `answers` if None.
        scoring: "standard" or "loose".

    Raises:
        UsageError: a file cannot be read.
        InvalidGameError: a file is no list of words, or both make no game.
    """
    secrets, weights = read_words(answers)
    notes = _notes(answers, secrets, weights is not None)
    if guesses is None:
        return WordGame(secrets.words, scoring=scoring, weights=weights), notes
    allowed, unused = read_words(guesses)
    notes += _notes(guesses, allowed)
    if unused:
        notes.append(f"{printable(guesses)}: weights left out, as only those of secrets count")
    game = WordGame(secrets.words, allowed.words, scoring, weights)
    added = len(game.guesses) - len(allowed.words)
    if added:
        example = game.guesses[len(allowed.words)]
        notes.append(
            f"{printable(answers)}: {_count(added, 'secret')} not in {printable(guesses)}, such as "
            f"{example!r}, added to the guesses at the end"
        )
    return game, notes


def read_words(path: Path) -> tuple[WordList, tuple[int, ...] | None]:
    """The words of a file, UTF-8, and their weights: `crane` or `crane 5120`; None without.

    Raises:
        UsageError: there is no such file, or it cannot be read.
        InvalidGameError: it is larger than 64 MiB, not UTF-8, holds something else than words of
            one length, only some lines have a weight, or one is 0.
    """
    name = printable(path)
    words, weights = weigh_words(_weighed(_lines(path), name), name)
    if not words.words:
        raise InvalidGameError(f"{name} is empty, expected one word a line")
    return words, weights if any(weights) else None


def _weighed(lines: Iterable[str], name: str) -> Iterator[tuple[str, int]]:
    """The words of some lines with their weights; 0 where there is none."""
    weighted: bool | None = None
    for number, line in enumerate(lines, 1):
        word, weight, (_, *rest) = line, 0, line.split() or [""]
        # No word has a blank, but what is no weight has a digit.
        if len(rest) == 1 and any(map(str.isdigit, rest[0])):
            word, (text,) = line.split()[0], rest
            weight = int(text[:20]) if text.isascii() and text.isdecimal() else 0
            if not weight:
                raise InvalidGameError(
                    f"line {number} of {name}: found weight {shown(text)}, expected a positive "
                    "integer"
                )
        if word.strip():
            weighted = weight > 0 if weighted is None else weighted
            if weighted != (weight > 0):
                found = "with" if weight else "without"
                expected = "one" if weighted else "none"
                raise InvalidGameError(
                    f"line {number} of {name}: found {shown(line.strip())} {found} a weight, "
                    f"expected {expected}, as in the lines before it"
                )
        yield word, weight


def find_words(length: int, dictionary: Path | None = None) -> Found:
    """The words of a length in a dictionary; without names, abbreviations and compounds.

    Args:
        length: letters of a word, 1 to 12.
        dictionary: a file with one word a line. If None, the system's, and where there is none the
            Python package english-words.

    Raises:
        UsageError: a length out of range, no such file, no dictionary on this machine, or no words
            of that length in it.
        InvalidGameError: the file is larger than 64 MiB or not UTF-8, or a line is too long.
    """
    if not 1 <= length <= MAX_LENGTH:
        raise UsageError(f"found a length of {length}, expected 1 to {MAX_LENGTH} letters")
    if dictionary is not None or Path(DICTIONARY).exists():
        path = dictionary or Path(DICTIONARY)
        words, source = _lines(path), printable(path)
    else:
        words, source = iter(_packaged()), "english-words"
    total = 0

    def counted() -> Iterator[str]:
        nonlocal total
        for total, word in enumerate(words, 1):  # noqa: B007 - it is read below
            yield word

    found = Found(of_length(counted(), length), source, total)
    if not found.words:
        raise UsageError(f"{source} has no words of {length} letters in lower case")
    return found


def find_common(
    length: int, dictionary: Path | None, language: str, most: int | None
) -> tuple[Found, list[int], int]:
    """The most common words of a length, how common each is, and out of how many words of text.

    They are those of a dictionary; in another language than English, without one, all that the
    package wordfreq knows, names as well. How common they are is from that package: occurrences in
    so many words of text, at least 1.

    Args:
        length: letters of a word.
        dictionary: a file with one word a line, as for `find_words`.
        language: its code, such as "de".
        most: how many words to keep; all if None.

    Raises:
        UsageError: as `find_words`, or the package is not installed or does not know the language.
    """
    known = _frequencies(language)
    if dictionary is None and language != "en":
        words = sorted(of_length(known, length))
        found = Found(words, f"wordfreq ({language})", len(known))
        if not words:
            raise UsageError(f"{found.source} has no words of {length} letters")
    else:
        found = find_words(length, dictionary)
    ranked = sorted(found.words, key=lambda word: -known.get(word, 0.0))
    kept = set(ranked[:most])
    words = [word for word in found.words if word in kept]
    for scale in SCALES:
        weights = [max(1, round(known.get(word, 0.0) * scale)) for word in words]
        if sum(weights) <= MAX_WEIGHT:
            break
    return found._replace(words=words), weights, scale


def _frequencies(language: str) -> dict[str, float]:
    """How common each word of a language is, as a part of all words, by the package wordfreq."""
    try:
        import wordfreq
    except ImportError:
        raise UsageError(
            "found no package wordfreq, which knows how common words are; "
            f"get it with: {install('words')}"
        ) from None
    languages = sorted(wordfreq.available_languages())
    if language not in languages:
        raise UsageError(f"found language {shown(language)}, expected {', '.join(languages)}")
    known: dict[str, float] = wordfreq.get_frequency_dict(language)
    return known


def of_length(words: Iterable[str], length: int) -> list[str]:
    """The words of that length that are letters in lower case and nothing else, each once.

    Capitals mark names; apostrophes, hyphens and points mark what is no plain word.

    >>> of_length(["Paris", "it's", "crane", "crane", "cranes"], 5)
    ['crane']
    """
    # A letter and its accent may be one character or two: it counts as one.
    composed = (normalize("NFC", word.strip()) for word in words)
    wanted = (w for w in composed if len(w) == length and w.isalpha() and w == w.lower())
    return list(clean_words(wanted).words)


def _packaged() -> list[str]:
    """The words of the package english-words, in alphabetical order: it gives a set."""
    try:
        from english_words import get_english_words_set
    except ImportError:
        raise UsageError(
            f"found no {DICTIONARY} and no package english-words; name a file of words with "
            f"--dictionary, or get the package with: {install('words')}"
        ) from None
    return sorted(get_english_words_set(["web2"]))


def _lines(path: Path) -> Iterator[str]:
    """The lines of a text file in UTF-8, with or without a byte order mark.

    Only a block of the file is in memory.

    Raises:
        UsageError: it cannot be read.
        InvalidGameError: it is too large, a line is too long, or not UTF-8.
    """
    name = printable(path)
    number, rest = 0, b""
    for block in _blocks(path):
        # Not splitlines: it would also split at control characters, which are to be refused.
        *lines, rest = (rest + block).split(b"\n")
        if rest and (not block or len(rest) > MAX_LINE):
            lines.append(rest)  # the last line needs no end, and one too long is refused below
        for line in lines:
            number += 1
            if len(line) > MAX_LINE:
                raise InvalidGameError(
                    f"line {number} of {name} is longer than {MAX_LINE:,} bytes, expected one word "
                    f"of 1 to {MAX_LENGTH} letters"
                )
            if number > MAX_LINES:
                raise _too_large(name)
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise InvalidGameError(
                    f"line {number} of {name}: found byte 0x{line[error.start]:02x}, expected text "
                    "in UTF-8; save the file in that encoding"
                ) from None


def _blocks(path: Path) -> Iterator[bytes]:
    """The content of a file, a block at a time; an empty one at the end."""
    with reading(path, "give a list of words") as file:
        size = os.fstat(file.fileno()).st_size
        read, block = 0, b"-"
        while block and max(read, size) <= MAX_FILE:
            block = file.read(BLOCK)
            read += len(block)
            yield block
        if block:
            raise _too_large(printable(path))


def _too_large(name: str) -> InvalidGameError:
    return InvalidGameError(
        f"{name} is larger than {MAX_FILE >> 20} MiB or {MAX_LINES:,} lines, expected a list of "
        "words; take a shorter list"
    )


def _notes(path: Path, words: WordList, weighted: bool = False) -> list[str]:
    """What cleaning did to a file, in words; nothing if it did nothing."""
    again = "added to the weight of the first" if weighted else "skipped"
    done = [
        (words.blank, "blank line", "skipped"),
        (words.rewritten, "word", "written in lower case or composed letters"),
        (words.repeated, "repeated word", again),
    ]
    parts = [f"{_count(times, what)} {how}" for times, what, how in done if times]
    return [f"{printable(path)}: {', '.join(parts)}"] if parts else []


def _count(times: int, what: str) -> str:
    return f"{times:,} {what}{'' if times == 1 else 's'}"

"""Dictionaries: the words of a language on this machine, which are common, how likely each is."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from guessbook.book.errors import InvalidGameError, UsageError, printable, shown
from guessbook.book.file.disk import reading
from guessbook.book.games.vocabulary import MAX_LENGTH, clean_words, listed, normal
from guessbook.book.games.weights import MAX_WEIGHT
from guessbook.book.games.words import WordGame
from guessbook.book.installation import install

# A million words of 12 letters of 4 bytes, and then some.
MAX_FILE = 64 << 20
MAX_LINES = 4_000_000
# Bytes of a line; blanks around a word may fill some.
MAX_LINE = 1000
BLOCK = 1 << 16

# With the prior `usage` the weight of a word is its number of occurrences in ten million words of
# text, or in one million where the weights of all words together would be too large.
SCALES = (10_000_000, 1_000_000)

# How many of the words of the preset wordle may be the secret.
COMMON = 3000
# Zipf's scale: 3 is once in a million words, and the usual border between rare and common words.
MIDDLE = 3.0
WIDTH = 0.5

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


class Prior(NamedTuple):
    """How likely each of some words is to be the secret, before anything is known.

    Attributes:
        name: `even`: all are equally likely; `known`: a smooth step along Zipf's scale of
            frequency, as a puzzle's editor takes words that people know; `usage`: in proportion to
            how often they are used.
        middle: of `known`: where a word on Zipf's scale has half the chance of the best known.
        width: of `known`: how far from there the odds are e to 1.
    """

    name: str = "even"
    middle: float = MIDDLE
    width: float = WIDTH

    def weights(self, words: Sequence[str], frequencies: Mapping[str, float]) -> list[int]:
        """The weights of some words: for `known` percents, for `usage` occurrences; at least 1.

        >>> Prior("known").weights(["about", "aback"], {"about": 2.5e-3, "aback": 1e-6})
        [100, 50]
        """
        if self.name == "known":
            return [max(1, round(100 * self._step(zipf(word, frequencies)))) for word in words]
        for scale in SCALES if self.name == "usage" else ():
            weights = [max(1, round(frequencies.get(word, 0.0) * scale)) for word in words]
            if sum(weights) <= MAX_WEIGHT:
                return weights
        return [1] * len(words)

    def _step(self, value: float) -> float:
        # Below -700 the exponential has no float.
        return 1 / (1 + math.exp(min(700.0, (self.middle - value) / self.width)))


def wordle(
    secrets: Iterable[str] = (),
    guesses: Iterable[str] = (),
    weights: Iterable[object] | None = None,
) -> WordGame:
    """Wordle with the words of the dictionary of this machine.

    Args:
        secrets: the words that may be the secret; if left out, the 3,000 most common words of five
            letters of the dictionary, by the prior `known`.
        guesses: the words that may be guessed; those of the dictionary if left out.
        weights: how much each of `secrets` counts.

    Raises:
        UsageError: there is no dictionary, or nothing that knows how common its words are.
        InvalidGameError: the words make no game.
    """
    chosen = list(listed(secrets))
    length = WordGame(chosen).length if chosen else 5
    allowed = list(listed(guesses)) or find_words(length).words
    if not chosen:
        frequencies = frequencies_of("en")
        chosen = common_words(allowed, frequencies, COMMON)
        weights = Prior("known").weights(chosen, frequencies)
    return WordGame(chosen, allowed, weights=weights)


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
        words, source = lines_of(path), printable(path)
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


def words_of(length: int, dictionary: Path | None, language: str) -> Found:
    """The words of a length in a dictionary, or in the package wordfreq for other languages.

    That is where there is no dictionary for another language than English; it has names as well.

    Raises:
        UsageError: as `find_words`, or there is no such language or no word of that length.
    """
    if dictionary is not None or language == "en":
        return find_words(length, dictionary)
    known = frequencies_of(language)
    found = Found(sorted(of_length(known, length)), f"wordfreq ({language})", len(known))
    if not found.words:
        raise UsageError(f"{found.source} has no words of {length} letters")
    return found


def common_words(
    words: Iterable[str],
    frequencies: Mapping[str, float],
    most: int | None = None,
    at_least: float | None = None,
    excluded: Collection[str] = (),
) -> list[str]:
    """The common ones of some words, in their order.

    >>> common_words(["aback", "about", "crane"], {"about": 2.5e-3, "crane": 4.3e-6}, most=2)
    ['about', 'crane']

    Args:
        words: the words.
        frequencies: how often each is used, as a part of all words of text.
        most: how many of the most common ones are kept; all if None.
        at_least: how common a word has to be on Zipf's scale; any is if None.
        excluded: words that are left out.
    """
    left = [word for word in words if word not in excluded]
    if at_least is not None:
        left = [word for word in left if zipf(word, frequencies) >= at_least]
    ranked = sorted(left, key=lambda word: -frequencies.get(word, 0.0))
    kept = set(ranked[:most])
    return [word for word in left if word in kept]


def zipf(word: str, frequencies: Mapping[str, float]) -> float:
    """How common a word is on Zipf's scale: the logarithm of its uses in a billion words, or 0.

    >>> zipf("about", {"about": 2.5e-3}), zipf("zzzzz", {})
    (6.4, 0.0)
    """
    frequency = frequencies.get(word, 0.0)
    # wordfreq stores it with two digits; what the logarithm adds is noise.
    return max(0.0, round(math.log10(frequency) + 9, 2)) if frequency else 0.0


def read_excluded(path: Path) -> set[str]:
    """The words of a file, one a line, of any length; what follows a word, such as a date, is left.

    Raises:
        UsageError: it cannot be read.
        InvalidGameError: as `lines_of`.
    """
    return {normal(fields(line)[0]) for line in lines_of(path)}


def fields(line: str) -> list[str]:
    """The word of a line, and what follows it after blanks, a comma or a semicolon, if it does.

    >>> fields("crane,5"), fields(" crane "), fields("crane;  12.5 %")
    (['crane', '5'], ['crane'], ['crane', '12.5 %'])
    """
    return re.split(r"\s*[,;]\s*|\s+", line.strip(), maxsplit=1)


def frequencies_of(language: str) -> dict[str, float]:
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


def lines_of(path: Path) -> Iterator[str]:
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

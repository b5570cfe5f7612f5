"""Dictionaries: the words of a language, how common they are, and how likely as secrets."""

import math
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from guessbook.book.errors import InvalidGameError, UsageError, printable, quote
from guessbook.book.file.disk import reading
from guessbook.book.games.vocabulary import MAX_LENGTH, check_words, clean_words, normal
from guessbook.book.games.weights import MAX_WEIGHT
from guessbook.book.games.words import WordGame
from guessbook.book.installation import install

# Enough for a million words of 12 letters of 4 bytes.
MAX_FILE = 64 << 20
MAX_LINES = 4_000_000
# Bytes of a line, with any blanks around the word.
MAX_LINE = 1000
BLOCK = 1 << 16

# With the prior `usage` the weight of a word is its number of occurrences in ten million words of
# text, or in one million where the weights of all words together would be too large.
SCALES = (10_000_000, 1_000_000)

# The number of words of the preset wordle that may be the secret.
COMMON = 3000
# Zipf's scale: 3 is once in a million words, and the usual border between rare and common words.
MIDDLE = 3.0
WIDTH = 0.5

# Where Debian, macOS and others keep a list of English words.
DICTIONARY = "/usr/share/dict/words"


class DictionaryWords(NamedTuple):
    """Words of a dictionary.

    Attributes:
        words: the words, in the order of the dictionary.
        source: the name of the dictionary.
        total: its number of words of any length.
    """

    words: list[str]
    source: str
    total: int


class Prior(NamedTuple):
    """The chance of each word to be the secret, before the first guess.

    Attributes:
        name: `even`: all are equally likely; `known`: a logistic function of the frequency on
            Zipf's scale, like an editor who takes well-known words; `usage`: in proportion to
            the frequency.
        middle: for `known`: the frequency on Zipf's scale at which the chance is half of
            the best-known word.
        width: for `known`: the distance from `middle` at which the odds are e to 1.
    """

    name: str = "even"
    middle: float = MIDDLE
    width: float = WIDTH

    def weights(self, words: Sequence[str], frequencies: Mapping[str, float]) -> list[int]:
        """Return the weights of words, at least 1: percents for `known`, occurrences for `usage`.

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
        # The exponential of a number below -700 is no float.
        return 1 / (1 + math.exp(min(700.0, (self.middle - value) / self.width)))


def wordle(
    secrets: Iterable[str] = (),
    guesses: Iterable[str] = (),
    weights: Iterable[object] | None = None,
) -> WordGame:
    """Return Wordle with the words of this machine's dictionary.

    Args:
        secrets: the words that may be the secret; by default the 3,000 most common words of five
            letters of the dictionary, by the prior `known`.
        guesses: the words that may be guessed; by default those of the dictionary.
        weights: the weight of each of `secrets`.

    Raises:
        UsageError: there is no dictionary, or the package of word frequencies is missing.
        InvalidGameError: the words make no game.
    """
    chosen = list(check_words(secrets))
    length = WordGame(chosen).length if chosen else 5
    allowed = list(check_words(guesses)) or find_words(length).words
    if not chosen:
        frequencies = frequencies_of("en")
        chosen = common_words(allowed, frequencies, COMMON)
        weights = Prior("known").weights(chosen, frequencies)
    return WordGame(chosen, allowed, weights=weights)


def find_words(length: int, dictionary: Path | None = None) -> DictionaryWords:
    """Return the words of a length in a dictionary, without names, abbreviations and compounds.

    Args:
        length: letters of a word, 1 to 12.
        dictionary: a file with one word a line. By default the system's, or else the Python package
            english-words.

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
        words, source = iter(_package_words()), "english-words"
    total = 0

    def counted() -> Iterator[str]:
        nonlocal total
        for total, word in enumerate(words, 1):  # noqa: B007 - it is read below
            yield word

    found = DictionaryWords(of_length(counted(), length), source, total)
    if not found.words:
        raise UsageError(f"{source} has no words of {length} letters in lower case")
    return found


def words_of(length: int, dictionary: Path | None, language: str) -> DictionaryWords:
    """Return the words of a length in a dictionary, or in the package wordfreq.

    The package, which also has names, serves other languages than English if no dictionary is
    given. Raises UsageError as `find_words`, or for an unknown language.
    """
    if dictionary is not None or language == "en":
        return find_words(length, dictionary)
    known = frequencies_of(language)
    found = DictionaryWords(sorted(of_length(known, length)), f"wordfreq ({language})", len(known))
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
    """Return the common ones of some words, in their order.

    >>> common_words(["aback", "about", "crane"], {"about": 2.5e-3, "crane": 4.3e-6}, most=2)
    ['about', 'crane']

    Args:
        words: the words.
        frequencies: the frequency of each, as a fraction of all words of text.
        most: the number of words; all if None.
        at_least: the least place of a word on Zipf's scale; any if None.
        excluded: words that are left out.
    """
    left = [word for word in words if word not in excluded]
    if at_least is not None:
        left = [word for word in left if zipf(word, frequencies) >= at_least]
    ranked = sorted(left, key=lambda word: -frequencies.get(word, 0.0))
    kept = set(ranked[:most])
    return [word for word in left if word in kept]


def zipf(word: str, frequencies: Mapping[str, float]) -> float:
    """Return a word's place on Zipf's scale: log10 of its uses in a billion words, or 0.

    >>> zipf("about", {"about": 2.5e-3}), zipf("zzzzz", {})
    (6.4, 0.0)
    """
    frequency = frequencies.get(word, 0.0)
    # wordfreq stores two digits of it; further digits of the logarithm are noise.
    return max(0.0, round(math.log10(frequency) + 9, 2)) if frequency else 0.0


def read_excluded(path: Path) -> set[str]:
    """Return the words of a file, one a line, of any length; text after a word is ignored.

    Raises UsageError if it cannot be read, and InvalidGameError as `lines_of`.
    """
    return {normal(fields(line)[0]) for line in lines_of(path)}


def fields(line: str) -> list[str]:
    """Return the word of a line, and any text after it behind blanks, a comma or a semicolon.

    >>> fields("crane,5"), fields(" crane "), fields("crane;  12.5 %")
    (['crane', '5'], ['crane'], ['crane', '12.5 %'])
    """
    return re.split(r"\s*[,;]\s*|\s+", line.strip(), maxsplit=1)


def frequencies_of(language: str) -> dict[str, float]:
    """Return the fraction of text that each word of a language makes, by the package wordfreq."""
    try:
        import wordfreq
    except ImportError:
        raise UsageError(
            "the package wordfreq, which has word frequencies, is not installed; "
            f"get it with: {install('words')}"
        ) from None
    languages = sorted(wordfreq.available_languages())
    if language not in languages:
        raise UsageError(f"found language {quote(language)}, expected {', '.join(languages)}")
    known: dict[str, float] = wordfreq.get_frequency_dict(language)
    return known


def of_length(words: Iterable[str], length: int) -> list[str]:
    """Return the words of that length which consist of lower-case letters, each once.

    Capitals mark names; apostrophes, hyphens and points mark abbreviations and compounds.

    >>> of_length(["Paris", "it's", "crane", "crane", "cranes"], 5)
    ['crane']
    """
    # A letter and its accent may be two characters: NFC makes them one.
    composed = (normalize("NFC", word.strip()) for word in words)
    wanted = (w for w in composed if len(w) == length and w.isalpha() and w == w.lower())
    return list(clean_words(wanted).words)


def _package_words() -> list[str]:
    """Return the words of the package english-words in alphabetical order: it gives a set."""
    try:
        from english_words import get_english_words_set
    except ImportError:
        raise UsageError(
            f"found no {DICTIONARY} and no package english-words; name a file of words with "
            f"--dictionary, or get the package with: {install('words')}"
        ) from None
    return sorted(get_english_words_set(["web2"]))


def lines_of(path: Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, which may have a byte order mark, block by block.

    Raises UsageError if it cannot be read; InvalidGameError if it or a line is too large, or it is
    not UTF-8.
    """
    name = printable(path)
    number, rest = 0, b""
    for block in _blocks(path):
        # splitlines would also split at control characters, which have to be rejected.
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
    """Yield the content of a file, a block at a time; an empty one at the end."""
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

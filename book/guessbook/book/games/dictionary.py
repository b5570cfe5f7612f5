"""Words from dictionaries, their frequencies in a language, and their weights as secrets of a game."""

import math
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from guessbook.book.disk import open_to_read
from guessbook.book.errors import InvalidGameError, UsageError, printable, quote
from guessbook.book.games.weights import MAX_WEIGHT
from guessbook.book.games.words import MAX_LENGTH, WordGame, check_words, clean_words, normal
from guessbook.book.installation import install

# Upper bound for the bytes of a file: enough for a million words of 12 letters of 4 bytes.
MAX_FILE = 64 << 20
MAX_LINES = 4_000_000
# Upper bound for the bytes of a line, including blanks around the word.
MAX_LINE = 1000

# With the prior `usage`, the weight of a word is the number of its occurrences in a text of
# 10,000,000 words. If the sum of all weights exceeds MAX_WEIGHT, the text has only 1,000,000 words.
SCALES = (10_000_000, 1_000_000)

# The game `wordle` has this number of secrets: the most frequent words.
COMMON = 3000
# Default parameters of the prior `known`. 3 on Zipf's scale is one occurrence in a million words,
# the usual border between rare and common words.
MIDDLE = 3.0
WIDTH = 0.5

# The path of the list of English words on Debian, macOS and other systems.
DICTIONARY = "/usr/share/dict/words"


class DictionaryWords(NamedTuple):
    """Words of one length.

    `source` is the dictionary's name; `total` is the number of its words of all lengths.
    """

    words: list[str]
    source: str
    total: int


class Prior(NamedTuple):
    """A rule for the probability of each word to be the secret, before the first guess.

    Attributes:
        name: the name of the rule. `even`: all words are equally likely. `usage`: the probability
            is proportional to the frequency of the word. `known`: the probability is a logistic
            function of the frequency on Zipf's scale, since editors prefer well-known words.
        middle: for `known`: the frequency on Zipf's scale at which the logistic function is one
            half.
        width: for `known`: the width of the logistic function, in units of Zipf's scale.
    """

    name: str = "even"
    middle: float = MIDDLE
    width: float = WIDTH

    def weights(self, words: Sequence[str], frequencies: Mapping[str, float]) -> list[int]:
        """Return a weight of at least 1 for each word: percentages for `known`, counts for `usage`, 1 for `even`.

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
        # `math.exp` overflows for arguments above 709.
        return 1 / (1 + math.exp(min(700.0, (self.middle - value) / self.width)))


def wordle(
    secrets: Iterable[str] = (),
    guesses: Iterable[str] = (),
    weights: Iterable[object] | None = None,
) -> WordGame:
    """Return the game Wordle with the given words, by default with words of this machine's dictionary.

    Raises UsageError if the dictionary or the package wordfreq is needed but missing.
    """
    chosen = list(check_words(secrets))
    length = WordGame(chosen).length if chosen else 5
    allowed = list(check_words(guesses)) or find_words(length).words
    if not chosen:
        frequencies = frequencies_of("en")
        chosen = common_words(allowed, frequencies, COMMON)
        weights = Prior("known").weights(chosen, frequencies)
    return WordGame(chosen, allowed, weights=weights)


def find_words(
    length: int, dictionary: Path | None = None, language: str = "en"
) -> DictionaryWords:
    """Return the words of `length` letters in a dictionary, without names, abbreviations and compounds.

    `dictionary` is a file with one word per line. Default: the words of `language` from the system
    or from a package. Raises UsageError if the dictionary has no such words.
    """
    if not 1 <= length <= MAX_LENGTH:
        raise UsageError(f"words of {length} letters are not supported; take 1 to {MAX_LENGTH}")
    words: Iterable[str]
    if dictionary is not None or (language == "en" and Path(DICTIONARY).exists()):
        path = dictionary or Path(DICTIONARY)
        words, source = lines_of(path), printable(path)
    elif language == "en":
        words, source = _package_words(), "english-words"
    else:
        words, source = frequencies_of(language), f"wordfreq ({language})"
    counter = count()
    # NFC combines a letter and its accent into one character, so that `len` counts letters.
    composed = (normalize("NFC", word.strip()) for word, _ in zip(words, counter, strict=False))
    # Capitals mark names; apostrophes, hyphens and points mark abbreviations and compounds.
    wanted = (w for w in composed if len(w) == length and w.isalpha() and w == w.lower())
    found = list(clean_words(wanted).words)
    if not found:
        raise UsageError(
            f"{source} has no words of {length} letters in lower case; try another length or dictionary"
        )
    if isinstance(words, Collection):  # the words of a package have no useful order
        found.sort()
    return DictionaryWords(found, source, next(counter))


def common_words(
    words: Iterable[str],
    frequencies: Mapping[str, float],
    most: int | None = None,
    at_least: float | None = None,
    excluded: Collection[str] = (),
) -> list[str]:
    """Return the most frequent words that are not `excluded`, at most `most`, in the order of `words`.

    `frequencies` maps a word to its share of all words in texts. Words with a frequency below
    `at_least` on Zipf's scale are omitted. If `most` or `at_least` is None, it sets no limit.

    >>> common_words(["aback", "about", "crane"], {"about": 2.5e-3, "crane": 4.3e-6}, most=2)
    ['about', 'crane']
    """
    left = [word for word in words if word not in excluded]
    if at_least is not None:
        left = [word for word in left if zipf(word, frequencies) >= at_least]
    ranked = sorted(left, key=lambda word: -frequencies.get(word, 0.0))
    kept = set(ranked[:most])
    return [word for word in left if word in kept]


def zipf(word: str, frequencies: Mapping[str, float]) -> float:
    """Return a word's frequency on Zipf's scale: log10 of its occurrences in a billion words, but at least 0.

    >>> zipf("about", {"about": 2.5e-3}), zipf("zzzzz", {})
    (6.4, 0.0)
    """
    frequency = frequencies.get(word, 0.0)
    # wordfreq stores only two decimals of the logarithm.
    return max(0.0, round(math.log10(frequency) + 9, 2)) if frequency else 0.0


def read_excluded(path: Path) -> set[str]:
    """Return the words of a file with one word of any length per line.

    Text after a word is ignored.
    """
    return {normal(fields(line)[0]) for line in lines_of(path)}


def fields(line: str) -> list[str]:
    """Split a line into a word and the rest, at the first blanks, comma or semicolon.

    There may be no rest.

    >>> fields("crane,5"), fields(" crane "), fields("crane;  12.5 %")
    (['crane', '5'], ['crane'], ['crane', '12.5 %'])
    """
    return re.split(r"\s*[,;]\s*|\s+", line.strip(), maxsplit=1)


def frequencies_of(language: str) -> dict[str, float]:
    """Return the frequencies of the words of a language from the package wordfreq, as shares of all words in texts."""
    try:
        import wordfreq
    except ImportError:
        raise UsageError(
            "the package wordfreq, which has word frequencies, is not installed; get it with: "
            + install("words")
        ) from None
    languages = sorted(wordfreq.available_languages())
    if language not in languages:
        raise UsageError(f"unknown language {quote(language)}; known are {', '.join(languages)}")
    known: dict[str, float] = wordfreq.get_frequency_dict(language)
    return known


def _package_words() -> set[str]:
    try:
        from english_words import get_english_words_set
    except ImportError:
        raise UsageError(
            f"no dictionary: neither {DICTIONARY} nor the package english-words is installed; name "
            f"a file with --dictionary, or get the package with: {install('words')}"
        ) from None
    return set(get_english_words_set(["web2"]))


def lines_of(path: Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file.

    Raises UsageError if the file cannot be read, and InvalidGameError if the file is too large or
    not UTF-8.
    """
    name = printable(path)
    with open_to_read(path, "give a list of words") as file:
        size, read = os.fstat(file.fileno()).st_size, 0
        for number, line in enumerate(iter(partial(file.readline, MAX_LINE + 2), b""), 1):
            read += len(line)
            if max(size, read) > MAX_FILE or number > MAX_LINES:
                limits = f"{MAX_FILE >> 20} MiB or {MAX_LINES:,} lines"
                raise InvalidGameError(f"{name} is larger than {limits}; use a shorter list")
            text = line.removesuffix(b"\n")
            if len(text) > MAX_LINE:
                raise InvalidGameError(
                    f"line {number} of {name} is longer than {MAX_LINE:,} bytes; write one word on a line"
                )
            try:
                yield text.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise InvalidGameError(
                    f"line {number} of {name}: byte 0x{text[error.start]:02x} is not UTF-8; save the "
                    "file as UTF-8"
                ) from None

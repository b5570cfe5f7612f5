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
from guessbook.book.games.hunspell import dictionary_of, words_of
from guessbook.book.games.slurs import is_slur
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

# The game `wordle` has this number of secrets: the most frequent words. Of the 2,315 secrets of the
# original game, 95 % are among 4,000 words, and 80 % among 3,000.
COMMON = 4000
# Default parameters of the prior `known`. A word with the value 3 on the Zipf scale occurs once in
# a million words, the usual border between rare and common words.
MIDDLE = 3.0
WIDTH = 0.5

# The path of the list of English words on Debian, macOS and other systems.
DICTIONARY = "/usr/share/dict/words"


class DictionaryWords(NamedTuple):
    """Words of one length, the name of their source, and the number of all words in this source."""

    words: list[str]
    source: str
    total: int


class Prior(NamedTuple):
    """A rule for the probability that each word is the secret, before the first guess.

    Attributes:
        name: the name of the rule. `even`: all words are equally likely. `usage`: the probability
            is proportional to the frequency of the word. `known`: the probability is a logistic
            function of the frequency on the Zipf scale, since editors prefer well-known words.
        middle: for `known`: the frequency on the Zipf scale at which the logistic function is one
            half.
        width: for `known`: the width of the logistic function, in units of the Zipf scale.
    """

    name: str = "even"
    middle: float = MIDDLE
    width: float = WIDTH

    def weights(self, words: Sequence[str], frequencies: Mapping[str, float]) -> list[int]:
        """Return a weight of at least 1 for each word.

        The weights are percentages for `known`, counts for `usage`, and 1 for `even`.

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
    guesses: Iterable[str] | None = (),
    weights: Iterable[object] | None = None,
) -> WordGame:
    """Return the game Wordle with the given words, by default with words of a dictionary.

    Without `secrets`, the secrets are the most common guesses that are in a dictionary, because a
    game's own list of guesses also has names and foreign words. Their weights then come from the
    prior `known`, and `weights` is ignored. Raises UsageError if a package is needed but missing.
    """
    chosen, allowed = list(check_words(secrets)), list(check_words(guesses or ()))
    length = WordGame(chosen or allowed).length if chosen or allowed else 5
    if not (chosen and allowed):
        listed = find_words(length).words
        allowed = allowed or listed
        if not chosen:
            known = set(listed)
            frequencies = frequencies_of("en")
            likely = [word for word in clean_words(allowed).words if word in known]
            chosen = common_words(likely or allowed, frequencies, COMMON)
            weights = Prior("known").weights(chosen, frequencies)
    return WordGame(chosen, allowed, weights=weights)


def find_words(
    length: int, dictionary: Path | None = None, language: str = "en"
) -> DictionaryWords:
    """Return the words of `length` letters, without names, abbreviations, compounds and slurs.

    `dictionary` is a file with one word per line, or the file .dic of a Hunspell dictionary, from
    which the words that the package wordfreq also has for `language` are taken. The default is a
    Hunspell dictionary of this language, or all words of wordfreq if there is none. If a package is
    missing, the words of English are those of `DICTIONARY`, if it exists.

    Raises UsageError if there are no such words, or if a required package is missing.
    """
    if not 1 <= length <= MAX_LENGTH:
        raise UsageError(f"words of {length} letters are not supported; use 1 to {MAX_LENGTH}")
    words, source = _words_and_source(dictionary, language)
    counter = count()
    # NFC combines a letter and its accent into one character, so that `len` counts letters.
    composed = (normalize("NFC", word.strip()) for word, _ in zip(words, counter, strict=False))
    # Capitals mark names; apostrophes, hyphens and points mark abbreviations and compounds.
    wanted = (w for w in composed if len(w) == length and w.isalpha() and w == w.lower())
    listed = clean_words(wanted).words
    found = [word for word in listed if not is_slur(word) and not _is_roman(word)]
    if not found:
        raise UsageError(
            f"{source} has no words of {length} letters in lower case; try another length or dictionary"
        )
    if isinstance(words, Collection):  # wordfreq has its words in the order of their frequency
        found.sort()
    return DictionaryWords(found, source, next(counter))


def _words_and_source(dictionary: Path | None, language: str) -> tuple[Iterable[str], str]:
    """Return the words of all lengths that `find_words` selects from, and the name of their source."""
    if dictionary is not None and dictionary.suffix == ".dic":
        return _spelled_words(dictionary.with_suffix(""), language)
    if dictionary is not None:
        return lines_of(dictionary), printable(dictionary)
    try:
        hunspell = dictionary_of(language)
        if hunspell is not None:
            return _spelled_words(hunspell, language)
    except UsageError:  # a package is missing
        if language != "en" or not Path(DICTIONARY).exists():
            raise
        return lines_of(Path(DICTIONARY)), DICTIONARY
    return frequencies_of(language), f"wordfreq ({language})"


def _spelled_words(hunspell: Path, language: str) -> tuple[list[str], str]:
    """Return the words of wordfreq that a Hunspell dictionary knows.

    Each source alone has words that a game would reject: wordfreq has names and misspelled words,
    and a dictionary has words that are rarely used.
    """
    words = words_of(hunspell, language, frequencies_of(language))
    return words, f"wordfreq that are in the dictionary {printable(hunspell.name)}"


# Dictionaries have Roman numerals such as xviii. Shorter ones, such as mix, may be words.
_ROMAN = re.compile(r"m*(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})")


def _is_roman(word: str) -> bool:
    return len(word) > 3 and _ROMAN.fullmatch(word) is not None


def common_words(
    words: Iterable[str],
    frequencies: Mapping[str, float],
    most: int | None = None,
    at_least: float | None = None,
    excluded: Collection[str] = (),
) -> list[str]:
    """Return the most frequent words that are not `excluded`, at most `most`, in the order of `words`.

    `frequencies` maps a word to its share of all words in a corpus. Words with a frequency below
    `at_least` on the Zipf scale are omitted. If `most` or `at_least` is None, it sets no limit.

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
    """Return a word's frequency on the Zipf scale.

    It is log10 of the number of occurrences in a billion words, but at least 0.

    >>> zipf("about", {"about": 2.5e-3}), zipf("zzzzz", {})
    (6.4, 0.0)
    """
    frequency = frequencies.get(word, 0.0)
    # wordfreq stores only two decimals of the logarithm.
    return max(0.0, round(math.log10(frequency) + 9, 2)) if frequency else 0.0


def read_excluded(path: Path) -> set[str]:
    """Return the words of a file with one word of any length per line; text after a word is ignored."""
    return {normal(fields(line)[0]) for line in lines_of(path)}


def fields(line: str) -> list[str]:
    """Split a line into a word and the rest, if any, at the first blanks, comma or semicolon.

    >>> fields("crane,5"), fields(" crane "), fields("crane;  12.5 %")
    (['crane', '5'], ['crane'], ['crane', '12.5 %'])
    """
    return re.split(r"\s*[,;]\s*|\s+", line.strip(), maxsplit=1)


def frequencies_of(language: str) -> dict[str, float]:
    """Return the frequency of each word that the package wordfreq has for a language.

    A frequency is the share of the word among all words in a corpus.
    """
    try:
        import wordfreq
    except ImportError:
        raise UsageError(
            "the package wordfreq, which has word frequencies, is not installed; get it with: "
            + install("words")
        ) from None
    languages = sorted(wordfreq.available_languages())
    if language not in languages:
        raise UsageError(f"unknown language {quote(language)}; use one of {', '.join(languages)}")
    known: dict[str, float] = wordfreq.get_frequency_dict(language)
    return known


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
                    f"line {number} of {name}: byte 0x{text[error.start]:02x} is not UTF-8; give a "
                    "text file in UTF-8"
                ) from None

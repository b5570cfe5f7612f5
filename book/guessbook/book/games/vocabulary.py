"""Lists of words: cleaning, comparison and fingerprints."""

from collections.abc import Iterable, Sequence
from itertools import compress, pairwise, repeat
from typing import NamedTuple

from guessbook.book.errors import InvalidGameError, quantity, quote
from guessbook.book.games.weights import Weight, lowest_terms

MAX_LENGTH = 12
# Words may have these characters besides letters: digits and the signs of equations.
SIGNS = frozenset("0123456789+-*/=()^")
SPELLING = f"letters, digits or {' '.join('+-*/=()^')}"
MAX_WORDS = 1_000_000
LATIN = frozenset("abcdefghijklmnopqrstuvwxyz")
# The approximate number of words in each set that `check_different` builds. Small sets save memory.
PART = 1 << 18


class WordList(NamedTuple):
    """A cleaned list of words, with the number of changes of each kind.

    Attributes:
        words: the different words in lower case and composed Unicode (NFC), in the order of the list.
        blank: the number of blank lines that were removed.
        rewritten: the number of words that were not in lower case and composed Unicode.
        repeated: the number of repeated words that were removed.
    """

    words: tuple[str, ...]
    blank: int
    rewritten: int
    repeated: int


def clean_words(lines: Iterable[str], source: str = "the list") -> WordList:
    """Return the words as a `WordList`, without surrounding blanks, blank lines and repeated words.

    The words of the result are in lower case and composed Unicode (NFC). Raises InvalidGameError for an invalid word or
    list; `source` is the name of the list in the message.

    >>> clean_words(["Crane", "", "crane ", "slate"])
    WordList(words=('crane', 'slate'), blank=1, rewritten=1, repeated=1)
    """
    return weigh_words(zip(check_words(lines), repeat(1)), source)[0]


def weigh_words(
    lines: Iterable[tuple[str, Weight]], source: str = "the list"
) -> tuple[WordList, tuple[Weight, ...]]:
    """Return the cleaned words as a `WordList`, and their weights. The weights of a repeated word are added up.

    >>> weigh_words([("Crane", 5), ("slate", 2), ("crane", 1)])[1]
    (6, 2)
    """
    blank = rewritten = repeated = 0
    words: dict[str, Weight] = {}
    length = 0
    for number, (line, weight) in enumerate(lines, 1):
        if not isinstance(line, str):
            raise InvalidGameError(f"line {number} of {source}: found {quote(line)}, expected text")
        given = line.strip()
        if not given:
            blank += 1
            continue
        word = given if given in words else normal(given[: 8 * MAX_LENGTH])
        length = length or len(word)
        if not is_spelled(word) or len(word) != length or length > MAX_LENGTH:
            raise InvalidGameError(f"line {number} of {source}: {_fault(given, word, length)}")
        rewritten += word != given
        repeated += word in words
        words[word] = words.get(word, 0) + weight
        if len(words) > MAX_WORDS:
            raise InvalidGameError(f"{source} has more than {MAX_WORDS:,} words; take fewer words")
    return WordList(tuple(words), blank, rewritten, repeated), tuple(words.values())


def counted_words(
    secrets: Iterable[str], weights: Iterable[object] | None
) -> tuple[tuple[str, ...], dict[str, Weight] | None]:
    """Return the cleaned secrets, and a map from each secret to its weight. Without weights, None replaces the map."""
    if weights is None:
        return clean_words(secrets, "the secrets").words, None
    given = list(check_words(secrets))
    pairs = zip(given, lowest_terms(weights, len(given)) or repeat(1), strict=False)
    found, counts = weigh_words(pairs, "the secrets")
    return found.words, dict(zip(found.words, counts, strict=True))


def check_words(lines: Iterable[str]) -> Iterable[str]:
    """Check and return `lines`. Raises InvalidGameError if it is a text, a set or a value without an iterator."""
    if isinstance(lines, (str, bytes, set, frozenset)) or not hasattr(lines, "__iter__"):
        raise InvalidGameError(f"found {quote(lines)}, expected a list of words in a fixed order")
    return lines


def fingerprint(words: Iterable[str]) -> str:
    """Return the SHA-256, in hex, of the words as a UTF-8 text with a newline after each word."""
    import hashlib

    return hashlib.sha256("".join([f"{word}\n" for word in words]).encode()).hexdigest()


def _fault(given: str, word: str, length: int) -> str:
    """Return the reason why a cleaned word is invalid; `given` is the word before the cleaning."""
    if not is_spelled(word):
        return f"found {quote(given)}, expected one word of {SPELLING}, and nothing else"
    other = len(word) != length
    expected = f"{length} as in the first word" if other else f"at most {MAX_LENGTH}"
    return f"found {quote(given)} with {len(word)} letters, expected {expected}"


def is_spelled(text: str) -> bool:
    """Return whether a text has at least one character, and only letters and `SIGNS`.

    >>> is_spelled("кошка"), is_spelled("3*4=12"), is_spelled("no way")
    (True, True, False)
    """
    return text.isalpha() or (bool(text) and all(map(str.isalpha, set(text) - SIGNS)))


def check_different(words: Sequence[str], kind: str) -> None:
    """Raise InvalidGameError if one of `words` occurs twice; `kind` is "word" or "label", for the message."""
    # A set of all words would need half as much memory as the words. To save memory, small sets are built one by one.
    parts = 1 + len(words) // PART
    subsets = (
        ({w for w in words if hash(w) % parts == part} for part in range(parts))
        if parts > 1
        else [set(words)]
    )
    if sum(map(len, subsets)) < len(words):
        twice = next(one for one, other in pairwise(sorted(words)) if one == other)
        raise InvalidGameError(f"found the {kind} {quote(twice)} twice, expected it once")


def marks_of(guesses: Sequence[str], secrets: Iterable[str]) -> bytes:
    """Return bytes with a bit per guess, lowest bit of a byte first. A set bit marks a guess that may be the secret."""
    wanted = set(secrets)
    bits = "".join(["01"[guess in wanted] for guess in reversed(guesses)])
    return int(bits, 2).to_bytes((len(bits) + 7) // 8, "little")


def marked_words(guesses: Sequence[str], marks: bytes) -> tuple[str, ...]:
    """Return the secrets from `marks`, a result of `marks_of`. Raises InvalidGameError for a wrong number of marks."""
    count = len(guesses)
    if len(marks) != (count + 7) // 8:
        expected = f"{(count + 7) // 8:,}, 1 bit for each of {quantity(count)}"
        raise InvalidGameError(f"found {len(marks):,} bytes that mark secrets, expected {expected}")
    bits = f"{int.from_bytes(marks, 'little'):0{count}b}"
    if len(bits) > count:
        raise InvalidGameError(
            f"found {len(bits):,} bits that mark secrets, expected {count:,}, one for each guess"
        )
    return tuple(compress(guesses, map("1".__eq__, reversed(bits))))


def common_length(words: Sequence[str]) -> int:
    """Return the common length of all words. Raises InvalidGameError for different lengths, or for over 12 letters."""
    length = len(words[0])
    if length > MAX_LENGTH:
        raise InvalidGameError(f"found words of {length} letters, expected 1 to {MAX_LENGTH}")
    # All words have the same length if the newlines between them have equal distances.
    text = "\n".join(words)
    if len(text) != len(words) * (length + 1) - 1 or text[length :: length + 1].strip("\n"):
        other = next((word for word in words if len(word) != length), words[0])
        raise InvalidGameError(
            f"found {quote(words[0])} with {length} letters and {quote(other)} with {len(other)}, "
            "expected words of one length"
        )
    return length


def alphabet(words: Iterable[str]) -> str:
    """Return the sorted characters of some words. If one character is a letter a to z, all letters a to z are included.

    >>> alphabet(["кот", "ток"]), alphabet(["ça"])
    ('кот', 'abcdefghijklmnopqrstuvwxyzç')
    """
    letters = set().union(*words)
    return "".join(sorted(letters | LATIN if letters & LATIN else letters))


def normal(text: str) -> str:
    """Return a text in lower case and composed Unicode (NFC); the Turkish \u0130 becomes a plain i."""
    if text.isascii():
        return text.lower()
    from unicodedata import normalize  # late import: words of ASCII letters do not need it

    return normalize("NFC", normalize("NFC", text).replace("\u0130", "i").lower())

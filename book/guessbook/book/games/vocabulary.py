"""Lists of words: cleaning, comparison and fingerprints."""

from collections.abc import Iterable, Sequence
from itertools import compress, repeat
from typing import NamedTuple

from guessbook.book.errors import InvalidGameError, quote
from guessbook.book.games.weights import Weight, lowest_terms

MAX_LENGTH = 12
# Characters of words besides letters: digits and signs of equations.
SIGNS = frozenset("0123456789+-*/=()^")
SPELLING = f"letters, digits or {' '.join('+-*/=()^')}"
MAX_WORDS = 1_000_000
LATIN = frozenset("abcdefghijklmnopqrstuvwxyz")
# The most words in a set while a list is checked.
PART = 1 << 18


class WordList(NamedTuple):
    """A list of words after cleaning, and the changes of the cleaning.

    Attributes:
        words: in lower case and Unicode's composed form, each once, in the order of the list.
        blank: the number of blank lines.
        rewritten: the number of words in another case or Unicode form.
        repeated: the number of repeated words.
    """

    words: tuple[str, ...]
    blank: int
    rewritten: int
    repeated: int


def clean_words(lines: Iterable[str], source: str = "the list") -> WordList:
    """Clean a list of words: strip blanks, lower case, composed Unicode (NFC), each word once.

    Raises InvalidGameError, which names the list `source`, for other characters than `SPELLING` says, different
    lengths, more than 12 letters or 1,000,000 words, and for anything but a list of strings in a fixed order.

    >>> clean_words(["Crane", "", "crane ", "slate"])
    WordList(words=('crane', 'slate'), blank=1, rewritten=1, repeated=1)
    """
    return weigh_words(zip(check_words(lines), repeat(1)), source)[0]


def weigh_words(lines: Iterable[tuple[str, Weight]], source: str = "the list") -> tuple[WordList, tuple[Weight, ...]]:
    """Return a cleaned list of words and their weights; weights of repeated words are summed.

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
            raise InvalidGameError(f"{source} has more than {MAX_WORDS:,} words; take fewer")
    return WordList(tuple(words), blank, rewritten, repeated), tuple(words.values())


def counted_words(
    secrets: Iterable[str], weights: Iterable[object] | None
) -> tuple[tuple[str, ...], dict[str, Weight] | None]:
    """Return the words that may be the secret, cleaned, and their weights if there are any."""
    if weights is None:
        return clean_words(secrets, "the secrets").words, None
    given = list(check_words(secrets))
    pairs = zip(given, lowest_terms(weights, len(given)) or repeat(1), strict=False)
    found, counts = weigh_words(pairs, "the secrets")
    return found.words, dict(zip(found.words, counts, strict=True))


def check_words(lines: Iterable[str]) -> Iterable[str]:
    """Return a list of words. Raises InvalidGameError for anything else."""
    if isinstance(lines, (str, bytes, set, frozenset)) or not hasattr(lines, "__iter__"):
        raise InvalidGameError(f"found {quote(lines)}, expected a list of words in a fixed order")
    return lines


def fingerprint(words: Iterable[str]) -> str:
    """Return the SHA-256, in hex, of words as a UTF-8 file with a newline after each word."""
    import hashlib

    return hashlib.sha256("".join([f"{word}\n" for word in words]).encode()).hexdigest()


def _fault(given: str, word: str, length: int) -> str:
    """Return the fault of a word; `given` is its original form."""
    if not is_spelled(word):
        return f"found {quote(given)}, expected one word of {SPELLING}, and nothing else"
    other = len(word) != length
    expected = f"{length} as in the first word" if other else f"at most {MAX_LENGTH}"
    return f"found {quote(given)} with {len(word)} letters, expected {expected}"


def is_spelled(text: str) -> bool:
    """Return whether a text is not empty and consists of characters that words may have.

    >>> is_spelled("кошка"), is_spelled("3*4=12"), is_spelled("no way")
    (True, True, False)
    """
    return text.isalpha() or (bool(text) and all(map(str.isalpha, set(text) - SIGNS)))


def count_different(words: Sequence[str]) -> int:
    """Return the number of different words."""
    # One set of all words would need half as much memory as the words.
    parts = 1 + len(words) // PART
    if parts == 1:
        return len(set(words))
    return sum([len({w for w in words if hash(w) % parts == part}) for part in range(parts)])


def marks_of(guesses: Sequence[str], secrets: Iterable[str]) -> bytes:
    """Return a bit for each guess, the lowest bit of a byte first: whether it may be the secret."""
    wanted = set(secrets)
    bits = "".join(["01"[guess in wanted] for guess in reversed(guesses)])
    return int(bits, 2).to_bytes((len(bits) + 7) // 8, "little")


def marked_words(guesses: Sequence[str], marks: bytes) -> tuple[str, ...]:
    """Return the guesses that may be the secret. Raises InvalidGameError for wrong marks."""
    count = len(guesses)
    if len(marks) != (count + 7) // 8:
        raise InvalidGameError("the secrets do not fit the guesses")
    bits = f"{int.from_bytes(marks, 'little'):0{count}b}"
    if len(bits) > count:
        raise InvalidGameError(f"found a mark of a secret after the last guess, expected {count} marks")
    return tuple(compress(guesses, map("1".__eq__, reversed(bits))))


def common_length(words: Sequence[str]) -> int:
    """Return the length of each word. Raises InvalidGameError for different or large lengths."""
    length = len(words[0])
    if length > MAX_LENGTH:
        raise InvalidGameError(f"found words of {length} letters, expected 1 to {MAX_LENGTH}")
    # All words have the same length if the separators stand at equal distances.
    text = "\n".join(words)
    if len(text) != len(words) * (length + 1) - 1 or text[length :: length + 1].strip("\n"):
        other = next((word for word in words if len(word) != length), words[0])
        raise InvalidGameError(
            f"found {quote(words[0])} with {length} letters and {quote(other)} with {len(other)}, "
            "expected words of one length"
        )
    return length


def alphabet(words: Iterable[str]) -> str:
    """Return the letters of some words, in order, with all of a to z if there is one of them.

    >>> alphabet(["кот", "ток"]), alphabet(["ça"])
    ('кот', 'abcdefghijklmnopqrstuvwxyzç')
    """
    letters = set().union(*words)
    return "".join(sorted(letters | LATIN if letters & LATIN else letters))


def normal(text: str) -> str:
    """Return a text in lower case and composed form (NFC); the Turkish \u0130 becomes a plain i."""
    if text.isascii():
        return text.lower()
    from unicodedata import normalize  # Late: English words do not need it.

    return normalize("NFC", normalize("NFC", text).replace("\u0130", "i").lower())

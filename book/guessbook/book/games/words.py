"""Word games (Wordle and its relatives) with any lists of words, and the cleaning of these lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import compress, pairwise, repeat
from typing import Any, NamedTuple

from guessbook.book.errors import (
    InvalidCodeError,
    InvalidFeedbackError,
    InvalidGameError,
    quantity,
    quote,
)
from guessbook.book.games.game import ListGame, header_values, number_between
from guessbook.book.games.weights import Weight, lowest_terms, weights_from, weights_in

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
        words: the different words in lower case and composed Unicode (NFC), in the order of the
            list.
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

    The words of the result are in lower case and composed Unicode (NFC). Raises InvalidGameError
    for an invalid word or list; `source` is the name of the list in the message.

    >>> clean_words(["Crane", "", "crane ", "slate"])
    WordList(words=('crane', 'slate'), blank=1, rewritten=1, repeated=1)
    """
    return weigh_words(zip(check_words(lines), repeat(1)), source)[0]


def weigh_words(
    lines: Iterable[tuple[str, Weight]], source: str = "the list", unit: str = "word"
) -> tuple[WordList, tuple[Weight, ...]]:
    """Return the cleaned words as a `WordList`, and their weights.

    The weights of a repeated word are added up. Raises InvalidGameError for an invalid word or
    list; in the message, `unit` is the noun for an item of `lines`, and `source` the list's name.

    >>> weigh_words([("Crane", 5), ("slate", 2), ("crane", 1)])[1]
    (6, 2)
    """
    blank = rewritten = repeated = 0
    words: dict[str, Weight] = {}
    length = 0
    for number, (line, weight) in enumerate(lines, 1):
        if not isinstance(line, str):
            raise InvalidGameError(f"{unit} {number} of {source}: {quote(line)} is not a string")
        given = line.strip()
        if not given:
            blank += 1
            continue
        word = given if given in words else normal(given[: 8 * MAX_LENGTH])
        length = length or len(word)
        if not is_spelled(word) or len(word) != length or length > MAX_LENGTH:
            raise InvalidGameError(f"{unit} {number} of {source}: {_fault(given, word, length)}")
        rewritten += word != given
        repeated += word in words
        words[word] = words.get(word, 0) + weight
        if len(words) > MAX_WORDS:
            raise InvalidGameError(f"{source} has more than {MAX_WORDS:,} words; use fewer words")
    return WordList(tuple(words), blank, rewritten, repeated), tuple(words.values())


def counted_words(
    secrets: Iterable[str], weights: Iterable[object] | None
) -> tuple[tuple[str, ...], dict[str, Weight] | None]:
    """Return the cleaned secrets, and a map from each secret to its weight; None without weights."""
    if weights is None:
        return clean_words(secrets, "the secrets").words, None
    given = list(check_words(secrets))
    pairs = zip(given, lowest_terms(weights, len(given)) or repeat(1), strict=False)
    found, counts = weigh_words(pairs, "the secrets")
    return found.words, dict(zip(found.words, counts, strict=True))


def check_words(lines: Iterable[str]) -> Iterable[str]:
    """Check and return `lines`.

    Raises InvalidGameError if `lines` is a string, bytes, a set, or not iterable.
    """
    if isinstance(lines, (str, bytes, set, frozenset)) or not hasattr(lines, "__iter__"):
        raise InvalidGameError(
            f"{quote(lines)} is not a list of words; give a list, such as ['crane', 'slate']"
        )
    return lines


def fingerprint(words: Iterable[str]) -> str:
    """Return the SHA-256, in hex, of the words in UTF-8 with a newline after each word."""
    import hashlib

    return hashlib.sha256("".join([f"{word}\n" for word in words]).encode()).hexdigest()


def _fault(given: str, word: str, length: int) -> str:
    """Return the reason why a cleaned word is invalid; `given` is the word before the cleaning."""
    if not is_spelled(word):
        return f"{quote(given)} is not a word: a word has only {SPELLING}"
    if len(word) > MAX_LENGTH:
        return f"word too long: {quote(given)} has {len(word)} letters, limit {MAX_LENGTH}"
    return f"{quote(given)} has {len(word)} letters, but the first word has {length}"


def is_spelled(text: str) -> bool:
    """Return whether a string has at least one character, and only letters and `SIGNS`.

    >>> is_spelled("кошка"), is_spelled("3*4=12"), is_spelled("no way")
    (True, True, False)
    """
    return text.isalpha() or (bool(text) and all(map(str.isalpha, set(text) - SIGNS)))


def check_different(words: Sequence[str], kind: str) -> None:
    """Raise InvalidGameError if one of `words` occurs twice; the message calls it a `kind`."""
    # A set of all words would need half as much memory as the words, so smaller sets are built one
    # after the other.
    parts = 1 + len(words) // PART
    subsets = (
        ({w for w in words if hash(w) % parts == part} for part in range(parts))
        if parts > 1
        else [set(words)]
    )
    if sum(map(len, subsets)) < len(words):
        twice = next(one for one, other in pairwise(sorted(words)) if one == other)
        raise InvalidGameError(f"the {kind} {quote(twice)} is listed twice")


def marks_of(guesses: Sequence[str], secrets: Iterable[str]) -> bytes:
    """Return bytes with a bit per guess, the lowest bit of a byte first: 1 if it may be the secret."""
    wanted = set(secrets)
    bits = "".join(["01"[guess in wanted] for guess in reversed(guesses)])
    return int(bits, 2).to_bytes((len(bits) + 7) // 8, "little")


def marked_words(guesses: Sequence[str], marks: bytes) -> tuple[str, ...]:
    """Return the secrets from `marks`, a result of `marks_of`.

    Raises InvalidGameError for a wrong number of marks.
    """
    count = len(guesses)
    if len(marks) != (count + 7) // 8:
        raise InvalidGameError(f"{len(marks):,} bytes mark the secrets among {quantity(count)}")
    bits = f"{int.from_bytes(marks, 'little'):0{count}b}"
    if len(bits) > count:
        raise InvalidGameError(f"{len(bits):,} bits mark the secrets among {quantity(count)}")
    return tuple(compress(guesses, map("1".__eq__, reversed(bits))))


def common_length(words: Sequence[str]) -> int:
    """Return the common length of all words.

    Raises InvalidGameError for different lengths, or for over 12 letters.
    """
    length = len(words[0])
    if length > MAX_LENGTH:
        raise InvalidGameError(f"words too long: {length} letters, limit {MAX_LENGTH}")
    # All words have the same length if the newlines between them have equal distances.
    text = "\n".join(words)
    if len(text) != len(words) * (length + 1) - 1 or text[length :: length + 1].strip("\n"):
        other = next((word for word in words if len(word) != length), words[0])
        raise InvalidGameError(
            f"words of different lengths: {quote(words[0])} has {length} letters, and "
            f"{quote(other)} has {len(other)}"
        )
    return length


def alphabet(words: Iterable[str]) -> str:
    """Return the sorted characters of some words.

    If any of them is a letter a to z, all letters a to z are included.

    >>> alphabet(["кот", "ток"]), alphabet(["ça"])
    ('кот', 'abcdefghijklmnopqrstuvwxyzç')
    """
    letters = set().union(*words)
    return "".join(sorted(letters | LATIN if letters & LATIN else letters))


def normal(text: str) -> str:
    """Return a string in lower case and composed Unicode (NFC).

    The Turkish \u0130 becomes a plain i.
    """
    if text.isascii():
        return text.lower()
    from unicodedata import normalize  # late import: words of ASCII letters do not need it

    return normalize("NFC", normalize("NFC", text).replace("\u0130", "i").lower())


# With standard scoring, each letter of the secret matches at most one letter of the guess. With
# loose scoring, it may match several.
SCORINGS = ("standard", "loose")

# These signs mean absent (0), present elsewhere (1) and in place (2). They are digits, squares
# (also in the colours of Wordle's high contrast mode), and the first letters of black, yellow and
# green. Many players type a dot, a dash, an underscore, an x or a w (white) for black.
_MARKS = {
    **dict.fromkeys("0⬛⬜bw.-_x", 0),
    **dict.fromkeys("1🟨🟦y", 1),
    **dict.fromkeys("2🟩🟧g", 2),
}
_SQUARES = "⬛🟨🟩"
# This invisible character selects the coloured form of a square; some keyboards insert it.
_VARIATION = "\ufe0f"


class WordGame(ListGame):
    """A game with lists of words: each letter of a guess is absent, present elsewhere, or in place.

    A feedback is a pattern with a digit for each letter: 0 absent, 1 present elsewhere, 2 in place.
    Its number is the pattern read in base 3.

    >>> game = WordGame(["light", "eight", "night"], ["thing", "eight", "light"])
    >>> game.guesses
    ('thing', 'eight', 'light', 'night')
    >>> game.secrets
    ('eight', 'light', 'night')
    >>> game.feedback("thing", "night")
    '11111'

    Args:
        secrets: the words that may be the secret.
        guesses: the words that may be guessed, in the order that breaks ties. Secrets that are
            missing here are added at the end, in the order of `secrets`.
        scoring: "standard" as in Wordle, or "loose": a letter of the secret may match several
            letters of the guess.
        weights: the weight of each of `secrets`: positive numbers, or strings such as "12.5%". The
            weights of a repeated word are added up.

    Attributes:
        guesses: every word that may be guessed, in lower case.
        secrets: every word that may be the secret, in the order of `guesses`.
        length: the number of letters of a word, 1 to 12.
        scoring: "standard" or "loose".
        weights: the weight of each of `secrets`, in lowest terms; None if all weights are equal.
        listed: the number of words in the game's own list; the later words of `guesses` come from a
            history.

    Raises:
        InvalidGameError: there are no words, or more than 1,000,000. Words have different lengths
            or invalid characters. The scoring is unknown, or the weights are invalid.
    """

    kind = "words"
    has_open_lists = True
    smaller = "shorter lists"

    def __init__(
        self,
        secrets: Iterable[str],
        guesses: Iterable[str] | None = None,
        scoring: str = "standard",
        weights: Iterable[object] | None = None,
    ) -> None:
        answers, counts = counted_words(secrets, weights)
        allowed = answers if guesses is None else clean_words(guesses, "the guesses").words
        known, wanted = set(allowed), set(answers)
        allowed += tuple([word for word in answers if word not in known])
        ordered = tuple(compress(allowed, map(wanted.__contains__, allowed)))
        lowest = counts and lowest_terms([counts[word] for word in ordered], len(ordered))
        self._set(allowed, ordered, scoring, lowest or None)

    def _set(
        self,
        guesses: tuple[str, ...],
        secrets: tuple[str, ...],
        scoring: str,
        weights: tuple[int, ...] | None,
        listed: int | None = None,
    ) -> None:
        if scoring not in SCORINGS:
            raise InvalidGameError(f"unknown scoring {quote(scoring)}; use {' or '.join(SCORINGS)}")
        if not secrets:
            raise InvalidGameError("no words; give at least one that may be the secret")
        if len(guesses) > MAX_WORDS:
            raise InvalidGameError(
                f"too many words: {len(guesses):,}, limit {MAX_WORDS:,}; use a shorter list"
            )
        self.length = common_length(guesses)
        self.feedbacks: int = 3**self.length
        self.solved: int = self.feedbacks - 1
        self.guesses = guesses
        self.secrets = secrets
        self._listed = len(guesses) if listed is None else listed
        self.scoring = scoring
        # Hard mode counts how often an answer shows a letter. With loose scoring, an answer may
        # show a letter more often than the secret has the letter.
        self.has_hard_mode = scoring == "standard"
        refusal = (
            f"hard mode needs standard scoring, and this game has {scoring} scoring; "
            "play it without hard mode"
        )
        self.hard_mode_refusal = "" if self.has_hard_mode else refusal
        self.weights = weights
        rule = "" if scoring == "standard" else f"-{scoring}"
        weighted = "" if weights is None else "-weighted"
        self.name = f"words-{self.length}x{len(secrets)}{rule}{weighted}"

    @property
    def listed(self) -> int:
        """The number of guesses in the game's own list, without those that `with_guesses` added."""
        return self._listed

    def feedback(self, guess: str | Sequence[str], secret: str | Sequence[str]) -> str:
        """Return the feedback of `secret` to `guess` as digits, such as `10202`.

        Neither word needs to be in the game's lists. Raises InvalidCodeError for a wrong length or
        an unknown letter.
        """
        return self.format_feedback(number_between(self, guess, secret))

    def feedback_number(self, guess: str, secret: str) -> int:
        """Return the feedback that `secret` gives to `guess`, as a number.

        Both are words in lower case and composed Unicode. Standard scoring (Wordle, 2021) first
        matches the letters in place. Then each other letter of the guess, from left to right,
        matches an equal letter of the secret that is not matched yet, if there is one. With loose
        scoring, a letter matches any equal letter of the secret.
        """
        number = 0
        if self.scoring == "loose":
            for letter, true in zip(guess, secret, strict=True):
                number = number * 3 + (2 if letter == true else letter in secret)
            return number
        pairs = list(zip(guess, secret, strict=True))
        left = [true for letter, true in pairs if letter != true]
        for letter, true in pairs:
            number *= 3
            if letter == true:
                number += 2
            elif letter in left:
                left.remove(letter)
                number += 1
        return number

    def parse_code(self, code: str | Sequence[str]) -> int:
        """Return the index in `guesses` of a word: a string in any case, or a list of letters.

        Raises InvalidCodeError for a word that is not in `guesses`.
        """
        word = self._word(code)
        if word not in self._places:
            raise InvalidCodeError(
                f"{quote(word)} is not one of the {len(self.guesses):,} words that this game accepts"
            )
        return self._places[word]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {word: index for index, word in enumerate(self.guesses)}

    def _word(self, code: object) -> str:
        """Return a code as a word in lower case and composed Unicode.

        Raises InvalidCodeError for a wrong length.
        """
        letters = list(code) if isinstance(code, (list, tuple)) else [code]
        if not all(isinstance(letter, str) for letter in letters):
            raise InvalidCodeError(f"{quote(code)} is not a word")
        word = normal("".join(map(str, letters)).strip()[: 4 * MAX_LENGTH])
        if len(word) == 2 * self.length - 1:
            word = re.sub("[ ,]", "", word)  # blanks may separate the letters: c r a n e
        if len(word) != self.length:
            raise InvalidCodeError(f"{quote(word)} does not have {self.length} letters")
        return word

    def with_guesses(self, codes: Iterable[object]) -> WordGame:
        """Return a game that also accepts these guesses. New guesses are appended to `guesses`.

        Raises InvalidCodeError if a guess has a wrong length, or a letter that no word of this game
        has.
        """
        more = [word for word in dict.fromkeys(map(self._word, codes)) if word not in self._places]
        letters = set(alphabet(self.guesses)) if more else set()
        odd = next((letter for letter in "".join(more) if letter not in letters), None)
        if odd:
            guess = next(word for word in more if odd in word)
            raise InvalidCodeError(
                f"no word of this game has the letter {quote(odd)} of the guess {quote(guess)}"
            )
        guesses = (*self.guesses, *more)
        return self._make(guesses, self.secrets, self.scoring, self.weights, self.listed)

    def widened(self) -> WordGame | None:
        """Return the game in which all guesses are equally likely secrets.

        Return None if all guesses are secrets already.
        """
        if len(self.secrets) == len(self.guesses):
            return None
        return self._make(self.guesses, self.guesses, self.scoring, None, self.listed)

    def parse_feedback(self, feedback: object) -> int:
        """Convert a feedback, in a notation that people use, to its number.

        A feedback consists of digits (`10202`), squares (⬛ or ⬜, 🟨 or 🟦, 🟩 or 🟧), or the letters b,
        y and g; `w`, `.`, `-`, `_` and `x` are also read as b. It may also be a sequence of the
        integers 0, 1 and 2.

        >>> game = WordGame(["light", "eight"])
        >>> {game.parse_feedback(f) for f in ["10202", "🟨⬛🟩⬛🟩", "ybgbg", "Y.G.G", (1, 0, 2, 0, 2)]}
        {101}

        Raises InvalidFeedbackError for another notation or length, or an impossible feedback.
        """
        marks = []
        if isinstance(feedback, str):
            signs = re.sub(f"[ ,{_VARIATION}]", "", feedback).lower()
            marks = [_MARKS.get(sign, -1) for sign in signs]
        elif isinstance(feedback, (list, tuple)):
            marks = [mark if isinstance(mark, int) else -1 for mark in feedback]
        if not {*marks} <= {0, 1, 2} or not marks:
            raise InvalidFeedbackError(
                f"{quote(feedback)} is not a feedback; give {self.length} digits (0 absent, "
                "1 present elsewhere, 2 in place), squares (⬛🟨🟩) or letters (b absent, "
                "y present elsewhere, g in place; x, . or - also mean absent)"
            )
        if len(marks) != self.length:
            raise InvalidFeedbackError(
                f"feedback {quote(feedback)} is for {quantity(len(marks), 'letter')}, and a word has {self.length}"
            )
        number = 0
        for mark in marks:
            number = number * 3 + mark
        if not self.is_possible(number):
            raise InvalidFeedbackError(
                f"feedback {quote(feedback)} is impossible: one letter cannot be present elsewhere "
                "when all other letters are in place"
            )
        return number

    def is_possible(self, feedback: int) -> bool:
        """Return whether some word may give the feedback with this number to some guess."""
        if self.scoring == "loose":
            return 0 <= feedback <= self.solved
        # A feedback is impossible if one letter is present elsewhere and all other letters are in
        # place. The number of such a feedback is `solved` minus a power of 3.
        short = self.solved - feedback
        return short == 0 or (0 < short <= self.solved and 3 ** (self.length - 1) % short > 0)

    def format_feedback(self, feedback: int) -> str:
        """Return the feedback with this number as digits, such as `10202`."""
        if type(feedback) is not int or not 0 <= feedback <= self.solved:
            raise InvalidFeedbackError(
                f"{quote(feedback)} is not the number of a feedback of {self.name}"
            )
        return "".join(map(str, self._marks(feedback)))

    def format_squares(self, feedback: int) -> str:
        """Return the feedback with this number as the row of squares that players share.

        >>> WordGame(["light", "eight"]).format_squares(101)
        '🟨⬛🟩⬛🟩'
        """
        return "".join([_SQUARES[mark] for mark in self._marks(feedback)])

    def _marks(self, feedback: int) -> list[int]:
        return [feedback // 3**p % 3 for p in reversed(range(self.length))]

    def header(self) -> dict[str, Any]:
        """Return the game as plain data for a book's header (docs/reference/FORMAT.md)."""
        return {
            "type": self.kind,
            "length": self.length,
            "scoring": self.scoring,
            "guesses": "\n".join(self.guesses),
            "secrets": marks_of(self.guesses, self.secrets),
            "guesses_sha256": fingerprint(self.guesses),
            "secrets_sha256": fingerprint(self.secrets),
            **weights_in(self),
        }

    @classmethod
    def from_header(cls, header: dict[str, Any]) -> WordGame:
        """Return the game of a book's header. Raises InvalidGameError for an invalid header."""
        # The SHA-256 fingerprints are not compared: the file has a checksum, and importing hashlib
        # takes long.
        length, text, marks, scoring = header_values(
            header, length=int, guesses=str, secrets=bytes, scoring=str
        )
        # This check comes before the split, because a list of words may need twenty times the
        # memory of the text.
        count = text.count("\n") + 1
        if count > MAX_WORDS or len(text) != count * (length + 1) - 1:
            raise InvalidGameError(
                f"{count:,} words with {len(text):,} characters in all are not at most "
                f"{MAX_WORDS:,} words of {length} letters each, separated by newlines"
            )
        # Words are printed without escapes, so control characters must be rejected.
        if not is_spelled(text.replace("\n", "")) or normal(text) != text:
            wrong = (w for w in text.split("\n") if not is_spelled(w) or normal(w) != w)
            raise InvalidGameError(
                f"{quote(next(wrong, text))} is not a word: a word has only {SPELLING}, in lower case"
            )
        guesses = tuple(text.split("\n"))
        check_different(guesses, "word")
        secrets = marked_words(guesses, marks)
        return cls._make(guesses, secrets, scoring, weights_from(header, len(secrets)))

    def _parts(self) -> tuple[Any, ...]:
        return self.guesses, self.secrets, self.scoring, self.weights

    def __repr__(self) -> str:
        return f"<WordGame {self.name}: {len(self.guesses)} guesses>"

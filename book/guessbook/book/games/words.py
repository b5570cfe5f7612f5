"""Word games: Wordle and its relatives, with any lists of words."""

from __future__ import annotations

import re
from itertools import compress
from typing import TYPE_CHECKING, Any

from guessbook.book.errors import InvalidCodeError, InvalidFeedbackError, InvalidGameError, quote
from guessbook.book.frozen import Frozen
from guessbook.book.games.beyond import number_between
from guessbook.book.games.vocabulary import (
    MAX_LENGTH,
    MAX_WORDS,
    SPELLING,
    alphabet,
    clean_words,
    common_length,
    count_different,
    counted_words,
    fingerprint,
    is_spelled,
    marked_words,
    marks_of,
    normal,
)
from guessbook.book.games.weights import lowest_terms, weights_from, weights_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# standard: every letter of the secret answers once. loose: a letter that is not in its place counts
# as present wherever else the secret has it, however often the guess asks for it.
SCORINGS = ("standard", "loose")

# Signs for absent, present elsewhere, in place: squares (also those for the colour-blind) and the
# first letters of black, yellow and green.
_MARKS = {**dict.fromkeys("0⬛⬜b", 0), **dict.fromkeys("1🟨🟦y", 1), **dict.fromkeys("2🟩🟧g", 2)}
_SQUARES = "⬛🟨🟩"
# Selects the coloured form of a square; some keyboards add it.
_VARIATION = "\ufe0f"


class WordGame(Frozen):
    """A game with lists of words: each letter of a guess is absent, present elsewhere, or in place.

    A feedback number is the pattern read as a number in base 3, first letter most significant: 0
    absent, 1 present elsewhere, 2 in place.

    >>> game = WordGame(["light", "eight", "night"], ["thing", "eight", "light"])
    >>> game.guesses
    ('thing', 'eight', 'light', 'night')
    >>> game.secrets
    ('eight', 'light', 'night')
    >>> game.feedback("thing", "night")
    '11111'

    Args:
        secrets: the words that may be the secret.
        guesses: the words that may be guessed, in the order that breaks ties; by default the
            secrets. Secrets that are not among them are added at the end, in their order.
        scoring: "standard" or "loose".
        weights: the weight of each of `secrets`, in their order: positive numbers, or texts such
            as "12.5%". The weights of a repeated word are added up.

    Attributes:
        guesses: every word that may be guessed.
        secrets: every word that may be the secret, in the order of `guesses`.
        length: letters of a word, 1 to 12.
        scoring: "standard" or "loose".
        weights: the weight of each of `secrets`, in lowest terms; None if all are equal.
        listed: the number of `guesses` in the list; later ones occur only in a history.

    `clean_words` cleans both lists.

    Raises:
        InvalidGameError: no words, more than 1,000,000, words of different lengths, characters that
            words may not have, an unknown scoring, or weights that `lowest_terms` refuses.
    """

    __slots__ = (
        *("_hash", "_indices", "guesses", "length", "listed", "scoring", "secrets", "weights"),
    )

    kind = "words"
    smaller = "shorter lists"

    guesses: tuple[str, ...]
    secrets: tuple[str, ...]
    weights: tuple[int, ...] | None

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
            raise InvalidGameError(
                f"found scoring {quote(scoring)}, expected {' or '.join(SCORINGS)}"
            )
        if not secrets:
            raise InvalidGameError("found no words, expected at least one that may be the secret")
        if len(guesses) > MAX_WORDS:
            raise InvalidGameError(
                f"found {len(guesses):,} words, expected at most {MAX_WORDS:,}: take a shorter list"
            )
        self.length = common_length(guesses)
        self.guesses = guesses
        self.secrets = secrets
        self.listed = len(guesses) if listed is None else listed
        self.scoring = scoring
        self.weights = weights
        self._hash = 0
        self._indices: dict[str, int] = {}

    @property
    def name(self) -> str:
        """`words-5x2315`, letters and secrets; `-loose` with that rule, `-weighted` if they are."""
        rule = "" if self.scoring == "standard" else f"-{self.scoring}"
        weighted = "" if self.weights is None else "-weighted"
        return f"words-{self.length}x{len(self.secrets)}{rule}{weighted}"

    @property
    def feedbacks(self) -> int:
        """One more than the largest feedback number: 3 to the power of `length`."""
        return 3**self.length  # type: ignore[no-any-return]

    @property
    def solved(self) -> int:
        """The number of the feedback "all in place"."""
        return self.feedbacks - 1

    @property
    def has_hard_mode(self) -> bool:
        """Whether scoring is standard: a loose answer may show a letter too often."""
        return self.scoring == "standard"

    @property
    def hard_mode_refusal(self) -> str:
        """The error message for hard mode if it has none; else empty."""
        if self.has_hard_mode:
            return ""
        return (
            f"found hard mode and {self.scoring} scoring, expected standard scoring: "
            "its rule counts the letters that an answer shows"
        )

    def feedback(self, guess: str | Sequence[str], secret: str | Sequence[str]) -> str:
        """Return the pattern of `secret` for `guess`: `10202`; both may be missing in the lists.

        Raises InvalidCodeError.
        """
        return self.format_feedback(number_between(self, guess, secret))

    def feedback_number(self, guess: str, secret: str) -> int:
        """Return the number of the pattern of `secret` for `guess`, two words of the lists.

        By the standard rule letters in place come first; then, from left to right, a letter is
        present as long as the secret has one of it left (Wordle, 2021). By the loose rule it is
        present if the secret has it at any other position.
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
        """Return the index in `guesses` of a word, in any case, as a text or a sequence of letters.

        Raises InvalidCodeError if the word is not in the list.
        """
        word = self._word(code)
        if word not in self._places:
            raise InvalidCodeError(
                f"found {quote(word)}, expected one of the {len(self.guesses):,} words that this "
                "game accepts"
            )
        return self._places[word]

    @property
    def _places(self) -> dict[str, int]:
        """The index of each guess; made on demand, because many uses of a book need none."""
        if not self._indices:
            self._indices = {known: index for index, known in enumerate(self.guesses)}
        return self._indices

    def _word(self, code: object) -> str:
        """Return a word of the right length as the lists write it."""
        if not isinstance(code, str):
            letters: list[object] = list(code) if isinstance(code, (list, tuple)) else [None]
            if not all(isinstance(letter, str) for letter in letters):
                raise InvalidCodeError(f"found {quote(code)}, expected a word")
            code = "".join(map(str, letters))
        word = normal(code.strip()[: 4 * MAX_LENGTH])
        if len(word) == 2 * self.length - 1:
            word = re.sub("[ ,]", "", word)  # spelled out: c r a n e
        if len(word) != self.length:
            raise InvalidCodeError(f"found {quote(word)}, expected a word of {self.length} letters")
        return word

    def knowing(self, codes: Iterable[object]) -> WordGame:
        """Return the game with guesses added at the end of its list where the list lacks them.

        Raises InvalidCodeError for another length, or a letter beyond the alphabet.
        """
        more = [word for word in dict.fromkeys(map(self._word, codes)) if word not in self._places]
        letters = set(alphabet(self.guesses)) if more else set()
        odd = next((letter for letter in "".join(more) if letter not in letters), None)
        if odd:
            raise InvalidCodeError(
                f"found {quote(odd)} in a guess, but no word of this game has it"
            )
        return self._with_lists(self.guesses + tuple(more), self.secrets, self.weights)

    def among_guesses(self) -> WordGame | None:
        """Return the game with every guess as an equally likely secret; None if this is it."""
        if len(self.secrets) == len(self.guesses):
            return None
        return self._with_lists(self.guesses, self.guesses, None)

    def _with_lists(self, *lists: Any) -> WordGame:
        guesses, secrets, weights = lists
        return self._make(guesses, secrets, self.scoring, weights, self.listed)

    @classmethod
    def _make(cls, *parts: Any) -> WordGame:
        game = cls.__new__(cls)
        game._set(*parts)
        return game

    def parse_feedback(self, feedback: object) -> int:
        """Return the number of a pattern as people write it.

        Accepted are `10202`, squares (⬛ or ⬜, 🟨, 🟩; for the colour-blind 🟦 and 🟧), the
        letters b, y, g, and sequences of the integers 0, 1, 2.

        >>> game = WordGame(["light", "eight"])
        >>> {game.parse_feedback(f) for f in ["10202", "🟨⬛🟩⬛🟩", "ybgbg", (1, 0, 2, 0, 2)]}
        {101}

        Raises InvalidFeedbackError for another notation or length, or an impossible feedback.
        """
        marks = self._pattern(feedback)
        if marks is None:
            raise InvalidFeedbackError(
                f"found feedback {quote(feedback)}, expected {self.length} digits (0 absent, "
                "1 present elsewhere, 2 in place), squares (⬛🟨🟩) or letters (b, y, g)"
            )
        if len(marks) != self.length:
            raise InvalidFeedbackError(
                f"found feedback {quote(feedback)} for {len(marks)} letters, expected {self.length}"
            )
        number = 0
        for mark in marks:
            number = number * 3 + mark
        if not self.gives(number):
            raise InvalidFeedbackError(
                f"found feedback {quote(feedback)}, but one letter cannot be present elsewhere "
                "when all others are in place"
            )
        return number

    def gives(self, feedback: int) -> bool:
        """Return whether any word may give the feedback of that number to any word."""
        if self.scoring == "loose":
            return 0 <= feedback <= self.solved
        # The impossible feedback has all letters in place but one, which is present elsewhere:
        # `solved` with one digit 2 replaced by 1. The difference is a power of 3, which divides the
        # largest one.
        short = self.solved - feedback
        return short == 0 or (0 < short <= self.solved and 3 ** (self.length - 1) % short > 0)

    def _pattern(self, feedback: object) -> list[int] | None:
        """Return the marks of a feedback; None for an unknown notation."""
        if isinstance(feedback, str):
            text = re.sub(f"[ ,{_VARIATION}]", "", feedback).lower()
            known = [_MARKS.get(character) for character in text]
        elif isinstance(feedback, (list, tuple)):
            known = [m if isinstance(m, int) and 0 <= m <= 2 else None for m in feedback]
        else:
            return None
        marks = [int(mark) for mark in known if mark is not None]
        return marks if marks and len(marks) == len(known) else None

    def format_feedback(self, feedback: int) -> str:
        """Return a feedback number as digits: `10202`."""
        if type(feedback) is not int or not 0 <= feedback <= self.solved:
            raise InvalidFeedbackError(
                f"found {quote(feedback)}, expected the number of a feedback of {self.name}"
            )
        return "".join([str(mark) for mark in self._marks(feedback)])

    def format_squares(self, feedback: int) -> str:
        """Return a feedback number as the row of squares that players share.

        >>> WordGame(["light", "eight"]).format_squares(101)
        '🟨⬛🟩⬛🟩'
        """
        return "".join([_SQUARES[mark] for mark in self._marks(feedback)])

    def _marks(self, feedback: int) -> list[int]:
        return [feedback // 3**p % 3 for p in reversed(range(self.length))]

    def header(self) -> dict[str, Any]:
        """Return the game as plain data for the book's header (FORMAT.md)."""
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
        """Return the game of a header. Raises InvalidGameError if `header()` could not give it.

        The fingerprints are not compared: the import of hashlib alone would take longer than all
        the rest. The file's frame has a checksum.
        """
        keys = ("length", "guesses", "secrets", "scoring")
        values: list[Any] = [header.get(key) for key in keys]
        length, text, marks, scoring = values
        if [type(value) for value in values] != [int, str, bytes, str]:
            raise InvalidGameError("found length, guesses, secrets or scoring of a wrong type")
        # Check this before a list takes twenty times the memory of its text.
        count = text.count("\n") + 1
        if count > MAX_WORDS or len(text) != count * (length + 1) - 1:
            raise InvalidGameError(f"expected words of {length} letters, at most {MAX_WORDS:,}")
        # Words are printed as they are, so they must consist of their proper characters.
        if not is_spelled(text.replace("\n", "")) or normal(text) != text:
            raise InvalidGameError(f"a word holds something else than {SPELLING}, in lower case")
        guesses = tuple(text.split("\n"))
        if count_different(guesses) != count:
            raise InvalidGameError("a word is in the list twice")
        secrets = marked_words(guesses, marks)
        return cls._make(guesses, secrets, scoring, weights_from(header, len(secrets)))

    def __eq__(self, other: object) -> bool:
        # A subclass may be another kind of game, with its own scores.
        return isinstance(other, WordGame) and (
            (self.kind, self.scoring, self.weights, self.secrets, self.guesses)
            == (other.kind, other.scoring, other.weights, other.secrets, other.guesses)
        )

    def __hash__(self) -> int:
        # Cached: a build needs it with every task.
        if not self._hash:
            self._hash = hash((self.scoring, self.weights, self.secrets, self.guesses))
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        # Rebuild it: hashes of strings differ between processes.
        return self._make, (self.guesses, self.secrets, self.scoring, self.weights)

    def __repr__(self) -> str:
        return f"<WordGame {self.name}: {len(self.guesses)} guesses>"

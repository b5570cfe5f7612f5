"""Labels: printable texts for the guesses, secrets and answers of a table."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from re import search
from unicodedata import is_normalized, normalize

from guessbook.book.errors import InvalidGameError, InvalidTableError, quote
from guessbook.book.games.vocabulary import MAX_WORDS, check_different

# A label has at most this number of characters.
MAX_LABEL = 100


def label_of(value: object) -> str:
    """Return the label of a text, an integer, a truth value (yes or no), or a tuple (its labels, joined by commas).

    Outer blanks are removed. Each run of inner blanks becomes one space.

    >>> label_of(" both   left "), label_of(3), label_of(True), label_of((1, 2))
    ('both left', '3', 'yes', '1,2')

    Raises InvalidTableError for another type, or a text that is empty, too long or not printable.
    """
    if hasattr(value, "tolist"):
        value = value.tolist()  # values of numpy become values of Python
    if isinstance(value, (list, tuple)) and value:
        return _check_label(",".join([label_of(part) for part in _parts(value)]))
    if isinstance(value, bool):
        return "yes" if value else "no"
    # Larger integers are rejected, because the conversion of a million digits to a text would take long.
    if isinstance(value, int) and abs(value) < 10**MAX_LABEL:
        return str(value)
    if not isinstance(value, str):
        raise InvalidTableError(f"found {quote(value)}, expected a text or an integer")
    return _check_label(normalize("NFC", " ".join(value[: 4 * MAX_LABEL].split())))


def _parts(values: Sequence[object]) -> Iterator[object]:
    """Yield the values in nested lists and tuples, in order. Raises InvalidTableError if they are too many."""
    rest: list[object] = [values]
    # Each step takes one value or one list. A label of MAX_LABEL characters has at most MAX_LABEL / 2 values, joined by
    # commas; the other steps open nested lists. The limit also ends the loop if a list contains itself.
    for _ in range(2 * MAX_LABEL):
        part = rest.pop()
        if isinstance(part, (list, tuple)) and part:
            rest.extend(reversed(part[:MAX_LABEL]))
        else:
            yield part
        if not rest:
            return
    raise InvalidTableError(
        f"found {quote(values)}, expected a text, an integer or a short tuple of texts and integers"
    )


def _check_label(text: str) -> str:
    if not text:
        raise InvalidTableError("found an empty label, expected a text")
    if len(text) > MAX_LABEL:
        raise InvalidTableError(f"found {quote(text)}, expected at most {MAX_LABEL} characters")
    if not text.isprintable():
        raise InvalidTableError(f"found {quote(text)}, expected characters that can be printed")
    return text


class Numbers(dict[str, int]):
    """A map from each label of a guess or an answer to its number."""

    @cached_property
    def folded(self) -> dict[str, int]:
        """A map from each case-folded label to its number; -1 if several labels differ only in case."""
        found: dict[str, int] = {}
        for label, number in self.items():
            folded = label.casefold()
            found[folded] = -1 if folded in found else number
        return found


def found_label(value: object, known: Numbers) -> int | None:
    """Return the number of a label; None if unknown. Case is ignored, except for labels that differ only in case."""
    try:
        text = label_of(value)
    except InvalidTableError:
        return None
    number = known[text] if text in known else known.folded.get(text.casefold(), -1)
    return None if number < 0 else number


def labels_in(text: str) -> tuple[str, ...]:
    """Return the labels in a text with a label in each line. Raises InvalidGameError for invalid or repeated labels."""
    # This check comes before the split, because a list of labels needs many times the memory of their text.
    if text.count("\n") >= MAX_WORDS:
        raise InvalidGameError(
            f"found {1 + text.count(chr(10)):,} labels, expected at most {MAX_WORDS:,}"
        )
    # Labels are printed without escapes, so all characters must be printable. The only printable blank is a space.
    plain = text.replace("\n", "").isprintable() and is_normalized("NFC", text)
    labels = tuple(text.split("\n"))
    if not plain or search(" ( |\n|$)|(\n|^)( |\n|$)", text) or max(map(len, labels)) > MAX_LABEL:
        wrong = next((label for label in labels if label_of(label) != label), text)
        raise InvalidGameError(
            f"found the label {quote(wrong)}, expected the form {quote(label_of(wrong))}"
        )
    check_different(labels, "label")
    return labels

"""Functions that read the word lists of a game, with the weights of the words, from files."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from guessbook.book.dictionary import fields, lines_of
from guessbook.book.errors import InvalidGameError, printable, quantity, quote
from guessbook.book.games.vocabulary import WordList, weigh_words
from guessbook.book.games.weights import Weight, exact
from guessbook.book.games.words import WordGame


def load_game(
    answers: Path, guesses: Path | None = None, scoring: str = "standard"
) -> tuple[WordGame, list[str]]:
    """Return a word game from files of secrets and guesses, and notes on the corrections made while reading them."""
    secrets, weights = read_words(answers)
    notes = _notes(answers, secrets, weights is not None)
    if guesses is None:
        return WordGame(secrets.words, scoring=scoring, weights=weights), notes
    allowed, unused = read_words(guesses)
    notes += _notes(guesses, allowed)
    if unused:
        notes.append(
            f"{printable(guesses)}: weights ignored, because only the weights of secrets count"
        )
    game = WordGame(secrets.words, allowed.words, scoring, weights)
    if added := game.guesses[len(allowed.words) :]:
        some = f"{quantity(len(added), 'secret')} not in {printable(guesses)}, such as {added[0]!r}"
        notes.append(f"{printable(answers)}: {some}, added to the guesses at the end")
    return game, notes


def read_words(path: Path) -> tuple[WordList, tuple[Weight, ...] | None]:
    """Return the words of a UTF-8 file and their weights. The weights are None if no word has a weight.

    A line is `crane`, `crane 5120` or `crane,12.5%`.
    """
    name = printable(path)
    words, weights = weigh_words(_weighted_words(lines_of(path), name), name)
    if not words.words:
        raise InvalidGameError(f"{name} has no words, expected a word on each line")
    return words, weights if any(weights) else None


def _weighted_words(lines: Iterable[str], name: str) -> Iterator[tuple[str, Weight]]:
    """Yield the word of each line with its weight; 0 for a word without a weight."""
    weighted: bool | None = None
    for number, line in enumerate(lines, 1):
        word, *rest = fields(line)
        weight: Weight = 0
        # A second field with a digit is a weight, valid or not. Any other second field makes the line an invalid word.
        if word and rest and any(map(str.isdigit, rest[0])):
            try:
                weight = exact(rest[0])
            except InvalidGameError as error:
                raise InvalidGameError(f"line {number} of {name}: {error}") from None
        elif rest:
            word = line
        if word:
            weighted = weight > 0 if weighted is None else weighted
            if weighted != (weight > 0):
                found = f"found {quote(line.strip())} {'with' if weight else 'without'} a weight"
                expected = (
                    f"expected {'a weight' if weighted else 'no weight'}, as in the lines before"
                )
                raise InvalidGameError(f"line {number} of {name}: {found}, {expected}")
        yield word, weight


def _notes(path: Path, words: WordList, weighted: bool = False) -> list[str]:
    """Return a list with one line on the corrections made while reading a file; an empty list if there were none."""
    again = "added to the weight of the first" if weighted else "skipped"
    done = [
        (words.blank, "blank line", "skipped"),
        (words.rewritten, "word", "written in lower case or composed letters"),
        (words.repeated, "repeated word", again),
    ]
    parts = [f"{quantity(times, what)} {how}" for times, what, how in done if times]
    return [f"{printable(path)}: {', '.join(parts)}"] if parts else []

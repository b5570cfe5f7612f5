"""Lists of words that people bring, read from files: perhaps each word with its weight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from guessbook.book.dictionary import fields, lines_of
from guessbook.book.errors import InvalidGameError, printable, quote
from guessbook.book.games.vocabulary import WordList, weigh_words
from guessbook.book.games.weights import Weight, exact
from guessbook.book.games.words import WordGame


def load_game(
    answers: Path, guesses: Path | None = None, scoring: str = "standard"
) -> tuple[WordGame, list[str]]:
    """The game of two files of words, and what had to be done to them, a line each.

    Args:
        answers: the words that may be the secret, one a line, perhaps each with its weight.
        guesses: the words that may be guessed; those of `answers` if None.
        scoring: "standard" or "loose".

    Raises:
        UsageError: a file cannot be read.
        InvalidGameError: a file is no list of words, or both make no game.
    """
    secrets, weights = read_words(answers)
    notes = _notes(answers, secrets, weights is not None)
    if guesses is None:
        return WordGame(secrets.words, scoring=scoring, weights=weights), notes
    allowed, unused = read_words(guesses)
    notes += _notes(guesses, allowed)
    if unused:
        notes.append(f"{printable(guesses)}: weights left out, as only those of secrets count")
    game = WordGame(secrets.words, allowed.words, scoring, weights)
    added = len(game.guesses) - len(allowed.words)
    if added:
        example = game.guesses[len(allowed.words)]
        notes.append(
            f"{printable(answers)}: {_count(added, 'secret')} not in {printable(guesses)}, such as "
            f"{example!r}, added to the guesses at the end"
        )
    return game, notes


def read_words(path: Path) -> tuple[WordList, tuple[Weight, ...] | None]:
    """The words of a file, UTF-8, and their weights: `crane`, `crane 5120` or `crane,12.5%`.

    Without weights None stands for them.

    Raises:
        UsageError: there is no such file, or it cannot be read.
        InvalidGameError: it is larger than 64 MiB, not UTF-8, holds something else than words of
            one length, only some lines have a weight, or one is 0.
    """
    name = printable(path)
    words, weights = weigh_words(_weighed(lines_of(path), name), name)
    if not words.words:
        raise InvalidGameError(f"{name} is empty, expected one word a line")
    return words, weights if any(weights) else None


def _weighed(lines: Iterable[str], name: str) -> Iterator[tuple[str, Weight]]:
    """The words of some lines with their weights; 0 for a word without a weight."""
    weighted: bool | None = None
    for number, line in enumerate(lines, 1):
        word, *rest = fields(line)
        weight: Weight = 0
        # A word contains no separator; a weight, even an invalid one, contains a digit.
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
                found = "with" if weight else "without"
                expected = "one" if weighted else "none"
                raise InvalidGameError(
                    f"line {number} of {name}: found {quote(line.strip())} {found} a weight, "
                    f"expected {expected}, as in the lines before it"
                )
        yield word, weight


def _notes(path: Path, words: WordList, weighted: bool = False) -> list[str]:
    """The changes of the cleaning of a file, as a text; empty if it changed nothing."""
    again = "added to the weight of the first" if weighted else "skipped"
    done = [
        (words.blank, "blank line", "skipped"),
        (words.rewritten, "word", "written in lower case or composed letters"),
        (words.repeated, "repeated word", again),
    ]
    parts = [f"{_count(times, what)} {how}" for times, what, how in done if times]
    return [f"{printable(path)}: {', '.join(parts)}"] if parts else []


def _count(times: int, what: str) -> str:
    return f"{times:,} {what}{'' if times == 1 else 's'}"

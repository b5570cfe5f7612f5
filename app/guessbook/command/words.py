"""The commands `import` and `words`, which read published strategy trees and dictionaries."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import isfinite
from pathlib import Path

from guessbook.book.errors import (
    InvalidBookError,
    UsageError,
    did_you_mean,
    listing,
    printable,
    quantity,
    quote,
)
from guessbook.book.file import IMPORTED
from guessbook.book.games.dictionary import (
    DICTIONARY,
    MIDDLE,
    WIDTH,
    DictionaryWords,
    Prior,
    common_words,
    find_words,
    frequencies_of,
    read_excluded,
)
from guessbook.book.games.words import MAX_LENGTH
from guessbook.book.irving import read_text
from guessbook.book.summary import file_facts
from guessbook.command.options import FORCE, JSON, REQUIRED, argument, option, output_option
from guessbook.command.output import check_target, say, show_facts, write
from guessbook.front import read_tree
from guessbook.play.terminal.interruptible import run_interruptibly


def import_tree(
    text: str = argument(
        "FILE",
        "The tree, in the notation of `export --to irving`; `-` for stdin.",
        default=REQUIRED,
    ),
    symbols: str | None = option(
        "SYMBOLS",
        "The symbols of the book, such as RYGBOP to replace 123456.  [default: the symbols of the text]",
    ),
    source: str | None = option("TEXT", "The publication of the tree; `info` prints it."),
    output: Path | None = output_option(
        "The file to write.  [default: GAME-imported.book in this folder]"
    ),
    force: bool = FORCE,
    json: bool = JSON,
) -> None:
    """Make a book from a strategy tree that is published as text.

    Papers about Mastermind print a strategy in the notation of Irving (1978), such as 4 (12: 1, 0,
    0; 2; 1) for 2 pegs and 2 colours. The notation states the number of candidates, then in
    parentheses the guess, a colon and the subtree of each feedback. The feedbacks are ordered by
    black pegs from 0 up, then by white pegs from most to none. `export --to irving` writes this
    notation.

    As a check, the strategy plays every secret. An error in the text is reported with its line and
    its history.

    Example: guessbook import knuth.txt --source "Knuth 1976" -o knuth.book
    """
    if output is not None:
        check_target(output, force, json=json, binary=True)
    read = read_text(text)
    try:
        book = run_interruptibly("Playing every secret", lambda: read_tree(read, symbols, source))
    except InvalidBookError as error:
        raise InvalidBookError(f"{'stdin' if text == '-' else printable(text)}, {error}") from error
    path = output or Path(f"{book.game.name}-{IMPORTED}.book")
    if output is None:
        check_target(path, force)
    data = book.to_bytes()
    if write(path, data, force):
        show_facts(book.game, file_facts(book, str(path), len(data)), json)


# For each value of --prior: the note on its weights that the command `words` prints. `even` has no
# weights.
PRIORS = {
    "even": "",
    "known": "weights are percents: how likely a word is well known, 50 at Zipf {middle:g}, width {width:g}",
    "usage": "weights are how often a word is used",
}


@dataclass(frozen=True)
class Selection:
    """The options that select words of a dictionary and give them weights."""

    common: int | None = option(
        "N", "Select the N most common words, by the package wordfreq.", min=1
    )
    at_least: float | None = option(
        "ZIPF",
        "Select words of at least this Zipf value: 3 is once in a million words, 4 is ten times in a million.",
    )
    exclude: list[Path] | None = option(
        "FILE",
        "Leave out the words of this file, one per line, such as past answers; may be repeated.",
    )
    prior: str = option(
        "NAME",
        "How likely each word is the secret. even: all words are equally likely, without weights; known: well-known "
        "words are equally likely and rare words unlikely, with a smooth step between them, as a puzzle's "
        "editor chooses words; usage: in proportion to the use of the word.",
        default="even",
    )
    middle: float | None = option(
        "ZIPF", f"For known: the Zipf value where the chance is half.  [default: {MIDDLE:g}]"
    )
    width: float | None = option(
        "W",
        f"For known: chance = 1/(1 + exp((middle - Zipf) / W)).  [default: {WIDTH:g}]",
        min=0.01,
    )
    language: str = option(
        "CODE",
        "The language, such as de. Its Hunspell dictionary comes from the package spylls (en, ru, sv) or the system; "
        "without one, all words of wordfreq are used, and some of them are names.",
        default="en",
    )

    def weight_rule(self) -> Prior:
        """Check the options, and return the rule that gives weights to words."""
        for name in ("at_least", "middle", "width"):
            if not isfinite(value := getattr(self, name) or 0):
                raise UsageError(f"--{name.replace('_', '-')} {value} is not a finite number")
        if self.prior not in PRIORS:
            near = did_you_mean(self.prior, PRIORS)
            raise UsageError(
                f"unknown --prior {quote(self.prior)}; use one of {', '.join(PRIORS)}{near}"
            )
        if self.prior != "known" and (self.middle, self.width) != (None, None):
            given = "--width" if self.middle is None else "--middle"
            raise UsageError(
                f"{given} works only with --prior known, not with {self.prior}; leave out {given}"
            )
        middle = MIDDLE if self.middle is None else self.middle
        return Prior(self.prior, middle, WIDTH if self.width is None else self.width)

    def choose_words(
        self, length: int, dictionary: Path | None, prior: Prior
    ) -> tuple[DictionaryWords, list[str], list[int]]:
        """Return the dictionary, its selected words, and their weights."""
        found = find_words(length, dictionary, self.language)
        unlimited = (self.common, self.at_least, self.prior) == (None, None, "even")
        needed = not unlimited or self.language != "en"
        frequencies = frequencies_of(self.language) if needed else {}
        excluded = set[str]().union(*map(read_excluded, self.exclude or ()))
        kept = common_words(found.words, frequencies, self.common, self.at_least, excluded)
        if not kept:
            advice = ["lower --at-least"] * (self.at_least is not None)
            advice += ["exclude fewer words"] * bool(self.exclude)
            raise UsageError(f"no word of {length} letters is selected; {listing(advice, 'or')}")
        return found, kept, prior.weights(kept, frequencies)


def words(
    length: int = option("N", "Number of letters of a word.", min=1, max=MAX_LENGTH, default=5),
    dictionary: Path | None = option(
        "FILE",
        "Read the words from this file, one per line, or from a Hunspell dictionary (.dic).  [default: the words "
        f"of wordfreq that a Hunspell dictionary knows; without these packages {DICTIONARY}]",
    ),
    *,
    selection: Selection,
    output: Path | None = output_option("The file to write.  [default: stdout]"),
    force: bool = FORCE,
) -> None:
    """Make a list of words for a game, from a dictionary.

    The list has only words of lower-case letters: no abbreviations, hyphens or names with a
    capital. Slurs are left out. A text file may have names and foreign words in lower case: remove
    such words with --exclude.
    `build-book --answers` reads the list, with the weights that --prior writes.

    Example: guessbook words --common 4000 --prior known -o common.txt
    """
    if output is not None:
        check_target(output, force)
    prior = selection.weight_rule()
    choose = partial(selection.choose_words, length, dictionary, prior)
    found, lines, weights = run_interruptibly("Looking up words", choose)
    if PRIORS[prior.name]:
        lines = [f"{word} {weight}" for word, weight in zip(lines, weights, strict=True)]
    write(output or Path("-"), "".join(f"{line}\n" for line in lines).encode(), force)
    count, letters = quantity(len(lines), "word"), quantity(length, "letter")
    meaning = PRIORS[prior.name].format(**prior._asdict())
    more = f"; {meaning}" if meaning else ""
    say(f"{count} of {letters}, of {found.total:,} in {found.source}{more}")


COMMANDS: dict[str, Callable[..., None]] = {
    "import": import_tree,
    "words": words,
}

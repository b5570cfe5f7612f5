"""The commands that take in what others made, trees and dictionaries: import and words."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from typing import Annotated

from guessbook.book.errors import InvalidBookError, printable
from guessbook.book.facts import file_facts, table
from guessbook.book.file.container import IMPORTED
from guessbook.book.games.vocabulary import MAX_LENGTH
from guessbook.book.imported import read_text
from guessbook.command.arguments import AsJson, Force, argument, flag, option, output_option
from guessbook.command.output import check_target, print_json, say, write
from guessbook.command.wordlists import DICTIONARY, find_common, find_words
from guessbook.front.making import read_tree
from guessbook.lookup.patience import patiently
from guessbook.policy.notation import in_words


def import_tree(
    text: Annotated[
        str,
        argument("FILE", "The strategy tree, as `export --to irving` writes it; `-` for stdin."),
    ],
    symbols: Annotated[
        str | None,
        option(
            "SYMBOLS",
            "The symbols of the book, in the order of those of the text, such as RYGBOP for "
            "123456.  [default: those of the text]",
        ),
    ] = None,
    source: Annotated[
        str | None, option("TEXT", "Where the tree is from; `info` will say so.")
    ] = None,
    output: Annotated[
        Path | None,
        output_option("The file to write.  [default: GAME-imported.book in this folder]"),
    ] = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Make a book of a strategy that somebody published as text.

    Papers about Mastermind print a strategy as one text, in the notation of Irving (1978), such as
    4 (12: 1, 0, 0; 2; 1) for 2 pegs and 2 colors: the number of codes left, the guess, and after a
    colon the same for each answer, first those with no black peg, then with 1, 2, ..., each time
    from most white pegs to none. `export --to irving` writes this notation.

    The strategy is played against every secret. A text that is incomplete, or contradicts the
    rules, is refused with its line and the history.

    Example: guessbook import knuth.txt --source "Knuth 1976" -o knuth.book
    """
    if output is not None:
        check_target(output, force, json=json, binary=True)
    read = read_text(text)
    try:
        book = patiently("Playing every secret", lambda: read_tree(read, symbols, source))
    except InvalidBookError as error:
        raise InvalidBookError(f"{'stdin' if text == '-' else printable(text)}, {error}") from error
    path = output or Path(f"{book.game.name}-{IMPORTED}.book")
    if output is None:
        check_target(path, force)
    data = book.to_bytes()
    if not write(path, data, force):
        return
    known = file_facts(book, str(path), len(data))
    if json:
        print_json(known)
    else:
        print(table(known, in_words(book.policy), shutil.get_terminal_size().columns))


def words(
    length: Annotated[int, option("N", "Letters of a word.", min=1, max=MAX_LENGTH)] = 5,
    dictionary: Annotated[
        Path | None,
        option(
            "FILE",
            "Take them from this file, one word a line.  "
            f"[default: {DICTIONARY}, else the package english-words]",
        ),
    ] = None,
    common: Annotated[
        int | None,
        option("N", "Keep the N most common words, by the package wordfreq.", min=1),
    ] = None,
    weights: Annotated[
        bool,
        flag("--weights", "Write beside each word how common it is: a book then counts by that."),
    ] = False,
    language: Annotated[
        str | None,
        option(
            "CODE",
            "The language of --common and --weights, such as de; without a dictionary its words "
            "are taken.  [default: en]",
        ),
    ] = None,
    output: Annotated[Path | None, output_option("The file to write.  [default: stdout]")] = None,
    force: Force = False,
) -> None:
    """Make a list of words for a game, from a dictionary.

    It takes the words of that length which are written in lower case and with letters alone: no
    names, abbreviations or hyphens. `build-book --answers` reads the list. A weight is how often a
    word occurs in ten million words of text, at least 1.

    Example: guessbook words --length 5 --common 2000 --weights -o words.txt
    """
    if output is not None:
        check_target(output, force)
    said = ""
    if common or weights or language:
        asked = partial(find_common, length, dictionary, language or "en", common)
        found, counts, scale = patiently("Looking up how common words are", asked)
        said = f"; weights are occurrences in {scale:,} words of text" if weights else ""
    else:
        found = find_words(length, dictionary)
    lines = found.words
    if weights:
        lines = [f"{word} {count}" for word, count in zip(lines, counts, strict=True)]
    text = "".join(f"{line}\n" for line in lines)
    write(output or Path("-"), text.encode(), force)
    words = "1 word" if len(found.words) == 1 else f"{len(found.words):,} words"
    letters = "1 letter" if length == 1 else f"{length} letters"
    say(f"{words} of {letters}, of {found.total:,} in {found.source}{said}")

"""Measure how well each prior finds a puzzle's answers, and what share of its guesses is accepted.

    python benchmarks/priors.py ANSWERS [GUESSES ...]

ANSWERS is a file with past secrets, one per line. Each GUESSES is a file with words that a puzzle
accepts. For each prior, the script builds a book of the COMMON most common words of the dictionary,
and one of all words. Each book plays every answer, even one that is not among its secrets: if no
secret fits any more, all words of the dictionary become candidates. The script also prints the
share of the guesses that are in each file.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from statistics import mean

from guessbook.book.errors import InconsistentFeedbackError
from guessbook.book.games.dictionary import COMMON, Prior, common_words, find_words, frequencies_of
from guessbook.book.games.words import WordGame
from guessbook.front import Book, build

# The limit on guesses in Wordle.
ALLOWED = 6


def main() -> None:
    """Print the results for each list of secrets and each prior."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("answers", metavar="ANSWERS", type=Path)
    parser.add_argument("guesses", metavar="GUESSES", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    answers = options.answers.read_text("utf-8").split()
    accepted = {path: set(path.read_text("utf-8").split()) for path in options.guesses}
    dictionary, frequencies = find_words(len(answers[0])), frequencies_of("en")
    known = set(dictionary.words)
    print(f"{len(answers):,} answers, {sum(a in known for a in answers):,} in {dictionary.source}")
    print_accepted(dictionary.words, accepted)
    for most in (COMMON, len(known)):
        secrets = common_words(dictionary.words, frequencies, most)
        listed = set(secrets) & set(answers)
        print(f"{len(secrets):,} secrets, {len(listed):,} of the answers are among them")
        print_accepted(secrets, accepted)
        for name in ("even", "known", "usage"):
            weights = Prior(name).weights(secrets, frequencies)
            game = WordGame(secrets, dictionary.words, weights=weights)
            book = build(game)
            played = {answer: play(book, game, answer) for answer in answers}
            counts = {answer: len(made) for answer, made in played.items() if answer in made}
            strictly = {answer: n for answer, n in counts.items() if answer in listed}
            for what, found in (("the list alone", strictly), ("then all words", counts)):
                won = [n for n in found.values() if n <= ALLOWED]
                print(
                    f"  {name:<6} {what}: {len(won):,} won, {len(answers) - len(won):,} lost, "
                    f"mean of the won {mean(won):.4f}"
                )
            print_accepted(list(chain.from_iterable(played.values())), accepted)


def print_accepted(words: list[str], accepted: Mapping[Path, set[str]]) -> None:
    """Print the share of some words that each list accepts."""
    for path, guesses in accepted.items():
        share = sum(word in guesses for word in words) / len(words)
        print(f"    {share:.2%} of {len(words):,} words are in {path.name}")


def play(book: Book, game: WordGame, secret: str) -> list[str]:
    """Return the guesses for a secret; the last one is the secret if it is found."""
    history: list[tuple[str, str]] = []
    while not history or history[-1][0] != secret:
        try:
            guess = book.hint(history).guess
        except InconsistentFeedbackError:
            break
        history.append((guess, game.feedback(guess, secret)))
    return [guess for guess, _ in history]


if __name__ == "__main__":
    main()

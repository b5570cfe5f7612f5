"""How well a prior finds the answers of a puzzle whose author chose them, not we.

Usage: python benchmarks/priors.py ANSWERS [COMMON]

ANSWERS is a list of words that have been the secret, one a line. For each prior a book is built of
the COMMON (3,000) most common words of the dictionary, and of all of them; it then plays every
answer, also those that its list lacks: as long as a word of the list fits, and after that among
all words of the dictionary.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import mean

from guessbook.book.errors import InconsistentFeedbackError
from guessbook.book.games.dictionary import COMMON, Prior, common_words, find_words, frequencies_of
from guessbook.book.games.words import WordGame
from guessbook.front import Book, build

# Wordle's.
ALLOWED = 6


def main() -> None:
    """Print a line for each list of secrets and each prior."""
    answers = Path(sys.argv[1]).read_text("utf-8").split()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else COMMON
    dictionary, frequencies = find_words(len(answers[0])), frequencies_of("en")
    known = set(dictionary.words)
    print(f"{len(answers):,} answers, {sum(a in known for a in answers):,} in {dictionary.source}")
    for most in (count, len(known)):
        secrets = common_words(dictionary.words, frequencies, most)
        listed = set(secrets) & set(answers)
        print(f"{len(secrets):,} secrets, {len(listed):,} of the answers are among them")
        for name in ("even", "known", "usage"):
            weights = Prior(name).weights(secrets, frequencies)
            game = WordGame(secrets, dictionary.words, weights=weights)
            book = build(game)
            played = {answer: play(book, game, answer) for answer in answers}
            strictly = {answer: n if answer in listed else None for answer, n in played.items()}
            for what, found in (("the list alone", strictly), ("then all words", played)):
                won = [n for n in found.values() if n is not None and n <= ALLOWED]
                print(
                    f"  {name:<6} {what}: {len(won):,} won, {len(answers) - len(won):,} lost, "
                    f"mean of the won {mean(won):.4f}"
                )


def play(book: Book, game: WordGame, secret: str) -> int | None:
    """How many guesses a secret takes, whether the book lists it or not; None if it has no end."""
    history: list[tuple[str, str]] = []
    while True:
        try:
            guess = book.hint(history).guess
        except InconsistentFeedbackError:
            return None
        history.append((guess, game.feedback(guess, secret)))
        if guess == secret:
            return len(history)


if __name__ == "__main__":
    main()

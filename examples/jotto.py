"""Jotto: the answer is how many letters two words share, wherever they are."""

from collections import Counter
from collections.abc import Sequence

import guessbook as gb


def shared(guess: str, secret: str) -> int | str:
    """How many letters they share, each once; the word itself is "found", an anagram is not."""
    return "found" if guess == secret else (Counter(guess) & Counter(secret)).total()


def jotto(words: Sequence[str]) -> gb.TableGame:
    """Return the game with these words."""
    return gb.TableGame(words, words, shared)

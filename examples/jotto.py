"""Jotto: the feedback is the number of letters that two words share, in any position."""

from collections import Counter
from collections.abc import Sequence

import guessbook as gb


def shared(guess: str, secret: str) -> int | str:
    """Return the number of shared letters, or "found" for the secret itself, unlike an anagram."""
    return "found" if guess == secret else (Counter(guess) & Counter(secret)).total()


def jotto(words: Sequence[str]) -> gb.TableGame:
    """Return the game with these words."""
    return gb.TableGame(words, words, shared)

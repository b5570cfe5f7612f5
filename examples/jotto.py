"""Jotto: the feedback is the number of letters that two words share, in any position."""

from collections import Counter
from collections.abc import Sequence

import guessbook as gb


def shared(guess: str, secret: str) -> int | str:
    """Return "found" for equal words, otherwise the number of letters that they share."""
    return "found" if guess == secret else (Counter(guess) & Counter(secret)).total()


def jotto(words: Sequence[str]) -> gb.TableGame:
    return gb.TableGame(words, words, shared)

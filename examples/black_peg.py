"""gb.Mastermind without white pegs: the answer is how many symbols are in their place."""

import guessbook as gb


def blacks(guess: str, secret: str) -> int:
    """How many symbols are in their place."""
    return sum(a == b for a, b in zip(guess, secret, strict=True))


def black_peg(pegs: int = 4, colors: int = 6) -> gb.TableGame:
    """Return the game; "found" is the answer that all pegs are in their place."""
    codes = gb.Mastermind(pegs, colors).guesses
    return gb.TableGame(codes, codes, blacks)

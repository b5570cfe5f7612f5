"""Mastermind without white pegs: the feedback is the number of symbols in the right place."""

import guessbook as gb


def blacks(guess: str, secret: str) -> int:
    return sum(a == b for a, b in zip(guess, secret, strict=True))


def black_peg(pegs: int = 4, colors: int = 6) -> gb.TableGame:
    codes = gb.Mastermind(pegs, colors).guesses
    return gb.TableGame(codes, codes, blacks)

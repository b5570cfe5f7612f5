"""Primel: Wordle with the primes of five digits."""

import guessbook as gb


def is_prime(number: int) -> bool:
    return all(number % k for k in range(2, int(number**0.5) + 1))


def primel() -> gb.WordGame:
    """Return the game; its words consist of digits."""
    return gb.WordGame([str(number) for number in range(10_000, 100_000) if is_prime(number)])

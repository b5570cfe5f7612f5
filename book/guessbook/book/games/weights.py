"""The weights of secrets, such as the frequency of a word or the probability of a fault.

Weights are positive integers without a common divisor, so games with the same probabilities are
equal.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from struct import pack, unpack
from typing import TYPE_CHECKING, Any, TypeAlias

from guessbook.book.errors import InvalidGameError, quantity, quote
from guessbook.book.games.game import Game

if TYPE_CHECKING:
    from fractions import Fraction

# A weight as `exact` returns it. `lowest_terms` then converts the weights of a game to integers.
Weight: TypeAlias = "int | Fraction"

# Upper bound for the sum of all weights of a game, so that scores with 36 fractional bits fit into
# 64 bits.
MAX_WEIGHT = 1 << 22
# A decimal number with a short exponent: a number with a long exponent could fill the memory.
NUMBER = re.compile(r"(?:[0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})(?:e[+-]?[0-9]{1,2})?", re.I)


def lowest_terms(weights: Iterable[object], secrets: int) -> tuple[int, ...] | None:
    """Return weights as integers without a common divisor; None if all weights are equal.

    >>> lowest_terms([20, 10, 30], 3), lowest_terms(["0.25", "12.5%", 1], 3)
    ((2, 1, 3), (2, 1, 8))

    Raises InvalidGameError for a wrong number of weights, an invalid weight, or integers whose sum
    exceeds 4,194,304.
    """
    if isinstance(weights, (str, bytes)) or not hasattr(weights, "__iter__"):
        raise InvalidGameError(f"weights {quote(weights)} are not a list of numbers")
    found = [exact(weight) for weight in weights]
    if len(found) != secrets:
        given = quantity(len(found), "weight")
        raise InvalidGameError(f"{given} for {quantity(secrets, 'secret')}; give one for each")
    lowest, _, scale = whole_numbers(found)
    total = sum(lowest)
    if total > MAX_WEIGHT:
        advice = "round the weights to fewer digits"
        if scale == 1:
            by = -(-total // MAX_WEIGHT)
            advice = f"divide each by {by:,}, and round to whole numbers of at least 1"
        raise InvalidGameError(
            f"weights too large: their sum is {total:,} in lowest terms, limit {MAX_WEIGHT:,}; {advice}"
        )
    return lowest if total > secrets else None


def whole_numbers(exactly: Sequence[Weight]) -> tuple[tuple[int, ...], int, int]:
    """Return numbers as integers without a common divisor, and the unit of these integers.

    The unit is returned as a numerator and a denominator.

    >>> whole_numbers([exact("0.5"), 2])
    ((1, 4), 1, 2)
    """
    scale = math.lcm(*{number.denominator for number in exactly})
    whole = [int(number * scale) for number in exactly]
    common = math.gcd(*whole) or 1
    return tuple([number // common for number in whole]), common, scale


def exact(weight: object) -> Weight:
    """Convert an integer, a fraction, a decimal or a percentage to an exact number.

    >>> exact(7), exact("0.25"), exact(0.5)
    (7, Fraction(1, 4), Fraction(1, 2))

    Raises InvalidGameError for values that are not positive numbers, and for decimals with more
    than 30 digits before or after the point.
    """
    try:
        number: Weight = operator.index(weight)  # type: ignore[arg-type]
    except TypeError:
        from fractions import Fraction  # late import: integers do not need it

        # A float counts as the shortest decimal that Python prints for it: 0.1 is exactly 1/10.
        text = weight.strip() if isinstance(weight, str) else str(weight)
        digits = text.removesuffix("%").rstrip()
        number = weight if isinstance(weight, Fraction) else 0
        if NUMBER.fullmatch(digits):
            number = Fraction(digits) / (1 if digits == text else 100)
    if number <= 0:
        raise InvalidGameError(
            f"weight {quote(weight)} is not a positive number such as 5, 0.25 or 12.5%"
        ) from None
    return number


def weights_in(game: Game) -> dict[str, bytes]:
    """Return a map with the header entry `weights`, as 4 bytes each; empty if weights are equal."""
    weights = game.weights
    return {} if weights is None else {"weights": pack(f"<{len(weights)}I", *weights)}


def weights_from(header: Mapping[str, Any], secrets: int) -> tuple[int, ...] | None:
    """Return the weights in a book's header; None if it has no weights.

    Raises InvalidGameError for invalid weights.
    """
    data = header.get("weights")
    if data is None:
        return None
    if not isinstance(data, bytes) or len(data) != 4 * secrets:
        raise InvalidGameError(
            f"weights {quote(data)} are not {4 * secrets:,} bytes, 4 for each of {secrets:,} secrets"
        )
    found = unpack(f"<{secrets}I", data)
    if lowest_terms(found, secrets) != found:
        raise InvalidGameError(
            f"weights {quote(found)} are all equal or not in lowest terms; omit equal weights, or "
            "divide all by their greatest common divisor"
        )
    return found


def weights_of(game: Game, secrets: Sequence[str]) -> Sequence[int]:
    """Return the weights of these secrets of a game, in the order of `secrets`."""
    known = _by_code(game)
    return [known[code] for code in secrets] if known else [1] * len(secrets)


def weight_of(game: Game, secrets: Sequence[str]) -> int:
    """Return the sum of the weights of these secrets of a game."""
    return sum(weights_of(game, secrets))


def likeliest_first(game: Game, secrets: Sequence[str]) -> list[str]:
    """Return secrets of a game sorted by descending weight; equal weights keep their order."""
    pairs = zip(weights_of(game, secrets), secrets, strict=True)
    return [code for _, code in sorted(pairs, key=lambda pair: -pair[0])]


def few_candidates(game: Game) -> int:
    """Return the largest number of candidates of which the first is always a best guess."""
    # If two candidates remain, the feedback to the first tells which of them is the secret, so the
    # first is a best guess. If the second candidate has a larger weight, it may be the better
    # guess.
    return 2 if game.weights is None else 1


def weights_by_guess(game: Game) -> Sequence[int] | None:
    """Return the weight of each guess, 0 if it is not a secret; None for a game without weights."""
    if game.weights is None:
        return None
    known = dict(zip(game.secrets, game.weights, strict=True))
    return [known.get(code, 0) for code in game.guesses]


def total_weight(game: Game) -> int:
    """Return the sum of the weights of all secrets of a game."""
    weights = game.weights
    return len(game.secrets) if weights is None else sum(weights)


@lru_cache(maxsize=4)
def _by_code(game: Game) -> Mapping[str, int] | None:
    weights = game.weights
    return None if weights is None else dict(zip(game.secrets, weights, strict=True))

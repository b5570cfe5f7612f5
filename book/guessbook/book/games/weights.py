"""The weight of each secret, such as how often a word is used or how likely a fault is.

Weights are positive integers in lowest terms. So every score is exact, and games with the same
chances are equal. In a game without weights each secret counts once.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from struct import pack, unpack
from typing import TYPE_CHECKING, Any, TypeAlias

from guessbook.book.errors import InvalidGameError, quote
from guessbook.book.games.game import Game

if TYPE_CHECKING:
    from fractions import Fraction

# A weight as people give it, exactly; the weights of a game are integers.
Weight: TypeAlias = "int | Fraction"

# The largest sum of weights in the file format. Scores with 36 fractional bits then fit 64 bits.
MAX_WEIGHT = 1 << 22
# No program prints longer numbers. A larger exponent would fill the memory.
NUMBER = re.compile(r"(?:[0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})(?:e[+-]?[0-9]{1,2})?", re.I)


def lowest_terms(weights: Iterable[object], secrets: int) -> tuple[int, ...] | None:
    """Return weights as integers without a common divisor; None if all are equal.

    >>> lowest_terms([20, 10, 30], 3), lowest_terms(["0.25", "12.5%", 1], 3)
    ((2, 1, 3), (2, 1, 8))

    Raises InvalidGameError unless there is one weight for each of `secrets` secrets, `exact`
    accepts each, and their sum in lowest terms is at most 4,194,304.
    """
    if isinstance(weights, (str, bytes)) or not hasattr(weights, "__iter__"):
        raise InvalidGameError(f"found weights {quote(weights)}, expected a list of numbers")
    found = [exact(weight) for weight in weights]
    if len(found) != secrets:
        raise InvalidGameError(f"found {len(found):,} weights for {secrets:,} secrets")
    scale = math.lcm(*{weight.denominator for weight in found})
    whole = [int(weight * scale) for weight in found]
    common = math.gcd(*whole)
    lowest = tuple([weight // common for weight in whole])
    total = sum(lowest)
    if total > MAX_WEIGHT:
        advice = f"divide each by {-(-total // MAX_WEIGHT):,} and round, but none to less than 1"
        if scale > 1:
            advice = "round them to fewer digits"
        raise InvalidGameError(
            f"found weights whose sum is {total:,} in lowest terms, expected at most {MAX_WEIGHT:,}: {advice}"
        )
    return lowest if total > secrets else None


def exact(weight: object) -> Weight:
    """Return a weight as an exact number: from an integer, a decimal or a percentage.

    >>> exact(7), exact("0.25"), exact(0.5)
    (7, Fraction(1, 4), Fraction(1, 2))

    Raises InvalidGameError for other values, and for over 30 digits on one side of the point.
    """
    try:
        number: Weight = operator.index(weight)  # type: ignore[arg-type]
    except TypeError:
        from fractions import Fraction  # late, as integers do without

        # The value of a float is its shortest decimal, as Python prints it.
        text = weight.strip() if isinstance(weight, str) else str(weight)
        digits = text.removesuffix("%").rstrip()
        number = weight if isinstance(weight, Fraction) else 0
        if NUMBER.fullmatch(digits):
            number = Fraction(digits) / (1 if digits == text else 100)
    if number <= 0:
        raise InvalidGameError(
            f"found weight {quote(weight)}, expected a positive number such as 5, 0.25 or 12.5%"
        ) from None
    return number


def weights_in(game: Game) -> dict[str, bytes]:
    """Return the weights of a game for the header of its books: 4 bytes each, little-endian."""
    weights = secret_weights(game)
    return {} if weights is None else {"weights": pack(f"<{len(weights)}I", *weights)}


def weights_from(header: Mapping[str, Any], secrets: int) -> tuple[int, ...] | None:
    """Return the weights of a header, or None. Raises InvalidGameError if it has wrong ones."""
    data = header.get("weights")
    if data is None:
        return None
    if not isinstance(data, bytes) or len(data) != 4 * secrets:
        raise InvalidGameError("the weights do not fit the secrets")
    found = unpack(f"<{secrets}I", data)
    if lowest_terms(found, secrets) != found:
        raise InvalidGameError("found weights that are not in lowest terms")
    return found


def secret_weights(game: Game) -> Sequence[int] | None:
    """Return the weight of each secret, in their order; None if all are equal."""
    weights: Sequence[int] | None = getattr(game, "weights", None)
    return weights


def weights_of(game: Game, secrets: Sequence[str]) -> Sequence[int]:
    """Return the weights of some secrets of a game."""
    known = _by_code(game)
    return [known[code] for code in secrets] if known else [1] * len(secrets)


def weight_of(game: Game, secrets: Sequence[str]) -> int:
    """Return the sum of the weights of some secrets of a game."""
    return sum(weights_of(game, secrets))


def likeliest_first(game: Game, secrets: Sequence[str]) -> list[str]:
    """Return secrets of a game by descending weight; equal ones keep their order."""
    pairs = zip(weights_of(game, secrets), secrets, strict=True)
    return [code for _, code in sorted(pairs, key=lambda pair: -pair[0])]


def few_candidates(game: Game) -> int:
    """Return the most candidates for which the lowest one is the best guess by every score.

    The lower of two candidates splits them. Only a heavier candidate can be a better guess.
    """
    return 2 if secret_weights(game) is None else 1


def weights_by_guess(game: Game) -> Sequence[int] | None:
    """Return the weight of each guess, 0 if it is no secret; None in a game without weights."""
    known = _by_code(game)
    return None if known is None else [known.get(code, 0) for code in game.guesses]


def total_weight(game: Game) -> int:
    """Return the sum of the weights of all secrets of a game."""
    weights = secret_weights(game)
    return len(game.secrets) if weights is None else sum(weights)


@lru_cache(maxsize=4)
def _by_code(game: Game) -> Mapping[str, int] | None:
    weights = secret_weights(game)
    return None if weights is None else dict(zip(game.secrets, weights, strict=True))

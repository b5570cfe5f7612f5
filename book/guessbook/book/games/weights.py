"""Weights: how much each secret counts, such as how often a word is used or how likely a fault is.

Positive integers in lowest terms, so that every sum and score of them is exact, and games in which
the chances are the same are the same game. One without weights counts each secret once.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from struct import pack, unpack
from typing import Any

from guessbook.book.errors import InvalidGameError, shown
from guessbook.book.games.game import Game

# Of all secrets together, as the format has it: scores with 36 bits behind the point fit 64 bits.
MAX_WEIGHT = 1 << 22


def lowest_terms(weights: Iterable[object], secrets: int) -> tuple[int, ...] | None:
    """Weights divided by what divides them all; None if all are the same, for these say nothing.

    >>> lowest_terms([20, 10, 30], 3), lowest_terms([5, 5], 2)
    ((2, 1, 3), None)

    Args:
        weights: a positive integer for each secret.
        secrets: how many there are.

    Raises:
        InvalidGameError: another number of weights, one that is no positive integer, or weights
            whose sum, in lowest terms, is more than 4,194,304.
    """
    if isinstance(weights, (str, bytes)) or not hasattr(weights, "__iter__"):
        raise InvalidGameError(f"found weights {shown(weights)}, expected a list of integers")
    found = [whole(weight) for weight in weights]
    if len(found) != secrets:
        raise InvalidGameError(f"found {len(found):,} weights for {secrets:,} secrets")
    common = math.gcd(*found)
    lowest = tuple([weight // common for weight in found])
    total = sum(lowest)
    if total > MAX_WEIGHT:
        raise InvalidGameError(
            f"found weights whose sum is {total:,}, expected at most {MAX_WEIGHT:,}: divide each "
            f"by {-(-total // MAX_WEIGHT):,} and round, but none to less than 1"
        )
    return lowest if total > secrets else None


def whole(weight: object) -> int:
    """A weight as an integer. Raises InvalidGameError if it is none that is positive."""
    try:
        number = operator.index(weight)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    if number < 1:
        raise InvalidGameError(f"found weight {shown(weight)}, expected a positive integer")
    return number


def weights_in(game: Game) -> dict[str, bytes]:
    """The weights of a game for the header of its books: 4 bytes each, the lowest first."""
    weights = secret_weights(game)
    return {} if weights is None else {"weights": pack(f"<{len(weights)}I", *weights)}


def weights_from(header: Mapping[str, Any], secrets: int) -> tuple[int, ...] | None:
    """The weights of a header, None if it has none.

    Raises:
        InvalidGameError: they are not as `weights_in` and `lowest_terms` give them.
    """
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
    """How much each secret counts, in their order; None if all count the same.

    A kind of game that knows nothing of weights has none.
    """
    weights: Sequence[int] | None = getattr(game, "weights", None)
    return weights


def weights_of(game: Game, secrets: Sequence[str]) -> Sequence[int]:
    """How much each of some secrets of a game counts."""
    known = _by_code(game)
    return [1] * len(secrets) if known is None else [known[code] for code in secrets]


def weight_of(game: Game, secrets: Sequence[str]) -> int:
    """How much some secrets of a game count together."""
    return sum(weights_of(game, secrets))


def likeliest_first(game: Game, secrets: Sequence[str]) -> list[str]:
    """Secrets of a game, those that count most first; of equals the first."""
    pairs = zip(weights_of(game, secrets), secrets, strict=True)
    return [code for _, code in sorted(pairs, key=lambda pair: -pair[0])]


def few_candidates(game: Game) -> int:
    """The lowest of at most so many candidates is the best guess by every score.

    One is guessed. Of two the lower one splits them, and nothing is better, unless one of them
    counts more than the other.
    """
    return 2 if secret_weights(game) is None else 1


def weights_by_guess(game: Game) -> Sequence[int] | None:
    """How much each guess counts as a secret, 0 if it is none; None in a game without weights."""
    known = _by_code(game)
    return None if known is None else [known.get(code, 0) for code in game.guesses]


def total_weight(game: Game) -> int:
    """How much all secrets of a game count together."""
    weights = secret_weights(game)
    return len(game.secrets) if weights is None else sum(weights)


@lru_cache(maxsize=4)
def _by_code(game: Game) -> Mapping[str, int] | None:
    weights = secret_weights(game)
    return None if weights is None else dict(zip(game.secrets, weights, strict=True))

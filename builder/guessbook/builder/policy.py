"""Policies: how good a partition is, as an exact integer. Plain Python; everything else uses it.

Floats cannot tell ties from rounding: the partitions {6,1,1,1,1,1,1} and {3,3,2,2,2} have exactly
the same entropy. The logarithms here are integers that are completely additive, L(a*b) = L(a) +
L(b). Logarithms of different primes are independent over the rationals, so what ties in truth ties
here, and no sum depends on its order.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from guessbook.book.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["POLICIES", "Policy", "integer_logs", "policy_named"]

# Bits behind the binary point of an integer logarithm. n*L(n) fits an int64 up to n = 2**22.
LOG_BITS = 36


class Policy(NamedTuple):
    """A one-step policy: every guess is scored by the sizes of the cells it splits into.

    Attributes:
        name: as the command line and the header have it.
        title: one line for people.
        additive: whether the score is minus the sum of the cells' weights; otherwise it is minus
            the largest weight.
        credit: what the score of a guess that is itself a candidate gets on top.
    """

    name: str
    title: str
    additive: bool = True
    credit: int = 0

    def weights(self, size: int) -> list[int]:
        """The weight of a cell of 0, 1, ..., `size` candidates; the lower the better."""
        if self.name == "entropy":
            return [n * log for n, log in enumerate(integer_logs(size))]
        if self.name == "expected":
            return [n * n for n in range(size + 1)]
        if self.name == "parts":
            return [0] + [-1] * size
        return list(range(size + 1))

    def score(self, sizes: Iterable[int], weights: list[int]) -> int:
        """The score of a partition with cells of these sizes, to be maximised."""
        return -(sum if self.additive else max)(weights[n] for n in sizes)


POLICIES = {
    policy.name: policy
    for policy in (
        Policy("entropy", "most information expected, -sum n*log2(n) (Neuwirth 1982)"),
        Policy("expected", "fewest candidates expected to remain, -sum n^2 (Irving 1978)"),
        Policy("parts", "most cells (Kooi 2005)"),
        Policy("minimax", "smallest largest cell (Knuth 1976)", additive=False),
    )
}


def policy_named(name: str) -> Policy:
    """The policy of that name. Raises UsageError, which lists the names, if there is none."""
    if name not in POLICIES:
        raise UsageError(f"found policy {name!r}, expected one of {', '.join(POLICIES)}")
    return POLICIES[name]


def integer_logs(size: int) -> list[int]:
    """L(0), L(1), ..., L(size): log2 in units of 2**-36 bits, exactly additive; L(0) is 0.

    For a prime p, L(p) = round(log2(p) * 2**36); for n = a*b, L(n) = L(a) + L(b).

    >>> logs = integer_logs(12)
    >>> logs[12] == logs[2] + logs[2] + logs[3], logs[8] == 3 << 36
    (True, True)
    """
    least = list(range(size + 1))  # the least prime factor of each number
    for p in range(2, math.isqrt(size) + 1):
        if least[p] == p:
            for multiple in range(p * p, size + 1, p):
                least[multiple] = min(least[multiple], p)
    logs = [0] * (size + 1)
    for n in range(2, size + 1):
        p = least[n]
        logs[n] = round(math.log2(n) * (1 << LOG_BITS)) if p == n else logs[p] + logs[n // p]
    return logs

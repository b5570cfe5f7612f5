"""Bounds on the number of guesses that any strategy needs for a number of candidates."""

from collections.abc import Sequence
from itertools import pairwise

# The cost, in guesses, of candidates that no strategy finds within the limit of guesses; larger than any other cost.
IMPOSSIBLE = 1 << 40


class Bounds:
    """Lower bounds on the total number of guesses for 0 to `size` candidates, in the list `least`.

    A guess has at most `own` different feedbacks if it is a candidate, else at most `other`. "solved" is not counted.

    >>> Bounds(4, own=1, other=2).least
    [0, 1, 3, 6, 10]
    """

    def __init__(self, size: int, own: int, other: int) -> None:
        self.least: list[int] = [0]
        # split[k][n] is a lower bound on the total number of guesses for n candidates in at most k cells.
        parts = range(1, min(max(own, other), size) + 1)
        split = [[0] for _ in [0, *parts]]
        own, other = min(own, len(parts)), min(other, len(parts))
        for n in range(1, size + 1):
            # A guess that may be the secret finds one candidate and divides the rest into at most `own` cells.
            ways = [split[own][n - 1]]
            # A guess that cannot be the secret must divide all n candidates into two or more cells.
            if other > 1:
                ways += [self.least[i] + split[other - 1][n - i] for i in range(1, n)]
            self.least.append(min(n + min(ways), IMPOSSIBLE))
            split[0].append(IMPOSSIBLE)
            for k in parts:
                split[k].append(min(self.least[i] + split[k - 1][n - i] for i in range(n + 1)))

    def cost(self, weights: Sequence[int]) -> int:
        """Return a lower bound on the total number of guesses, each candidate's number multiplied by its weight."""
        # Any k candidates together need at least least[k] guesses. So the weighted total is lowest if heavier
        # candidates need fewer guesses: the k-th heaviest needs least[k] - least[k - 1].
        heaviest_first = sorted(weights, reverse=True)
        steps = [more - fewer for fewer, more in pairwise(self.least)]
        return min(sum(map(int.__mul__, heaviest_first, steps)), IMPOSSIBLE)


def reach(own: int, other: int, guesses: int) -> int:
    """Return an upper bound on how many candidates `guesses` guesses can find. `Bounds` explains `own` and `other`."""
    found = 0
    for _ in range(guesses):
        found = max(1 + own * found, other * found)
    return found

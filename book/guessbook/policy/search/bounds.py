"""Bounds in plain Python: the fewest guesses that sets of candidates can need."""

from collections.abc import Sequence
from itertools import pairwise

# More than the cost of any strategy: stands for no strategy.
IMPOSSIBLE = 1 << 40


class Bounds:
    """The fewest guesses that sets of candidates need, from the most answers that a guess can get.

    `size` is the most candidates of a set; `own` and `other` are the most different answers, "solved" excluded, to a
    guess that may be right and to any guess. `least` has the fewest guesses in total that 0, 1, 2, ... candidates need.

    >>> Bounds(4, own=1, other=2).least
    [0, 1, 3, 6, 10]
    """

    def __init__(self, size: int, own: int, other: int) -> None:
        self.least: list[int] = [0]
        # Cells of n candidates in total, at most k of them, need split[k][n] guesses at least.
        parts = range(1, min(max(own, other), size) + 1)
        split = [[0] for _ in [0, *parts]]
        own, other = min(own, len(parts)), min(other, len(parts))
        for n in range(1, size + 1):
            # A guess that may be right finds one candidate and splits the others.
            ways = [split[own][n - 1]]
            # Any other guess splits all of them, into two cells or more.
            if other > 1:
                ways += [self.least[i] + split[other - 1][n - i] for i in range(1, n)]
            self.least.append(min(n + min(ways), IMPOSSIBLE))
            split[0].append(IMPOSSIBLE)
            for k in parts:
                split[k].append(min(self.least[i] + split[k - 1][n - i] for i in range(n + 1)))

    def cost(self, weights: Sequence[int]) -> int:
        """Return a lower bound of the sum of each candidate's guesses times its weight.

        Any k candidates need at least `least[k]` guesses. So the sum is the least if the heaviest
        candidate takes `least[1]` guesses, the next one `least[2] - least[1]`, and so on.
        """
        heaviest_first = sorted(weights, reverse=True)
        steps = [more - fewer for fewer, more in pairwise(self.least)]
        return min(sum(map(int.__mul__, heaviest_first, steps)), IMPOSSIBLE)


def reach(own: int, other: int, guesses: int) -> int:
    """Return the most candidates that a strategy can find within this number of guesses.

    `own` and `other` are the numbers of answers that `Bounds` takes.
    """
    found = 0
    for _ in range(guesses):
        found = max(1 + own * found, other * found)
    return found

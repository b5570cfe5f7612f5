"""How far a build is, and how long it will take: by the pairs that are still to be scored."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

# The kinds of work below the root, each with a cost of its own: the guesses of large nodes, where
# at depth 1 symmetry spares nearly all pairs, and the tasks.
SECOND, LATER, TASKS = range(3)

# What each costs before any was measured, in pairs for each guess of the game and unit of weight: a
# candidate for large nodes, see `weight` for tasks. Of 5x8, 5x10, 6x7, 6x8 and 6x9: 0.010 to 0.033,
# 0.016 to 0.038 and 0.033 to 0.054; of 7x5 0.12, 0.055 and 0.12.
USUAL = (0.025, 0.03, 0.04)

# What a node of n candidates costs grows like n to this power, and the more guesses lead there the
# less it is. Measured: with a third of the pairs scored the forecast of all was 0.84 to 1.07 times
# the true number at 4x9, 5x8, 5x10, 6x7, 6x8 and 7x5.
EXPONENT = 1.25


class Progress(NamedTuple):
    """How far a build is.

    Attributes:
        stage: what is being done, for people.
        done: (guess, candidate) pairs scored so far, those of an earlier run included.
        total: the pairs that the whole build is expected to score, better and better known on the
            way; 0 as long as nobody can tell.
        seconds: how long the rest is expected to take; None as long as nobody can tell.
    """

    stage: str
    done: int
    total: int
    seconds: float | None = None


def weight(sizes: Iterable[float]) -> float:
    """What nodes of so many candidates cost to finish, next to others."""
    return float(sum([size**EXPONENT for size in sizes]))


def large(depth: int) -> int:
    """The kind of work that a large node is, to which so many guesses lead: one at least."""
    return SECOND if depth == 1 else LATER


class Forecast:
    """What is left of a build, from what its finished parts have cost, each kind for itself.

    Pairs are forecast from all that is finished, also by an earlier run. Seconds are forecast from
    the pairs of this run alone: what was found on disk took no time. A kind of which nothing is
    finished is taken to cost what is usual: then the total is no more than an order of magnitude.

    >>> forecast = Forecast(guesses=100, top=500, clock=iter([0.0, 2.0]).__next__)
    >>> forecast.expect(TASKS, 40.0)
    >>> forecast.add(TASKS, 10.0, pairs=1000)
    >>> forecast.progress()
    Progress(stage='scoring', done=1500, total=4500, seconds=6.0)

    Args:
        guesses: how many the game has.
        top: the pairs that were scored for the root, before the clock runs.
        clock: tells the time in seconds.
    """

    def __init__(self, guesses: int, top: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._guesses = guesses
        self._top = top
        self._left = [0.0] * len(USUAL)
        self._weight = [0.0] * len(USUAL)
        self._pairs = [0] * len(USUAL)
        self._fresh = 0
        self._clock = clock
        self._start = clock()

    def expect(self, kind: int, weight: float) -> None:
        """There is work of so much weight to do; less than was thought if it is negative."""
        self._left[kind] += weight

    def add(self, kind: int, weight: float, pairs: int, earlier: bool = False) -> None:
        """Work is finished, now or in an earlier run: its weight, and the pairs it scored."""
        self._left[kind] -= weight
        self._weight[kind] += weight
        self._pairs[kind] += pairs
        if not earlier:
            self._fresh += pairs

    def _cost(self, kind: int) -> float:
        """The pairs that a unit of weight costs."""
        if self._weight[kind]:
            return self._pairs[kind] / self._weight[kind]
        usual = USUAL[kind] * self._guesses
        if kind == TASKS and self._weight[LATER]:
            # Where large nodes cost more than usual (another policy, no symmetry), so do tasks. A
            # quarter of them, at the usual cost, keeps the first few from deciding that.
            same = (self._weight[LATER] + self._left[LATER]) / 4 * USUAL[LATER] * self._guesses
            found = self._pairs[LATER] + same
            usual *= found / (self._weight[LATER] * USUAL[LATER] * self._guesses + same)
        return usual

    def progress(self) -> Progress:
        """How far the build is now."""
        done = self._top + sum(self._pairs)
        left = round(sum([w * self._cost(kind) for kind, w in enumerate(self._left) if w > 0]))
        elapsed = self._clock() - self._start
        seconds = left * elapsed / self._fresh if self._fresh else None
        return Progress("scoring", done, done + left, seconds)

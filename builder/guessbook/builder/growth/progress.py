"""How far a build is, and how long the rest will take."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple


class Progress(NamedTuple):
    """How far a build is.

    Attributes:
        stage: what is being done, for people.
        done: the work that is finished, also by an earlier run. The unit is a candidate: one of a
            large node whose guess is searched, or of nodes that are grown to the end.
        total: all the work that is known of; 0 as long as nobody can tell.
        seconds: how long the rest is expected to take; None as long as nobody can tell.
    """

    stage: str
    done: int
    total: int
    seconds: float | None = None


class Forecast:
    """What is left of a build, and the time for it, from what this run has finished.

    >>> forecast = Forecast(clock=iter([0.0, 2.0]).__next__)
    >>> forecast.expect(100)
    >>> forecast.finish(20)
    >>> forecast.progress()
    Progress(stage='scoring', done=20, total=100, seconds=8.0)

    Args:
        clock: tells the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._start = clock, clock()
        self._done = self._total = self._fresh = 0

    def expect(self, work: int) -> None:
        """Add work that is to be done."""
        self._total += work

    def finish(self, work: int, earlier: bool = False) -> None:
        """Count expected work as done; what an earlier run has done says nothing of the time."""
        self._done += work
        self._fresh += 0 if earlier else work

    def progress(self) -> Progress:
        """How far the build is now."""
        left = self._total - self._done
        elapsed = self._clock() - self._start
        seconds = left * elapsed / self._fresh if self._fresh else None
        return Progress("scoring", self._done, self._total, seconds)

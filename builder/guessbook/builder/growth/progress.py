"""The progress of a build, and its remaining time."""

import time
from collections.abc import Callable
from typing import NamedTuple


class Progress(NamedTuple):
    """The progress of a build.

    Attributes:
        stage: the present work, for people.
        done: the finished work, also of an earlier run. The unit is a candidate, counted once when
            the guess of its large node is searched, and once when its small node is grown.
        total: all work that is known; 0 until it can be estimated.
        seconds: the estimated seconds of the rest; None without an estimate.
    """

    stage: str
    done: int
    total: int
    seconds: float | None = None


class Forecast:
    """The remaining work and time of a build, estimated from the tasks that this run finished."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._start = clock, clock()
        self._done = self._total = self._fresh = 0

    def expect(self, work: int) -> None:
        """Add work that is to be done."""
        self._total += work

    def finish(self, work: int, earlier: bool = False) -> None:
        """Count expected work as done; work of an earlier run does not count for the time."""
        self._done += work
        self._fresh += 0 if earlier else work

    def skip_to(self, work: int) -> None:
        """Count unneeded work as done, up to this sum of all work."""
        self.finish(max(work - self._done, 0), earlier=True)

    def progress(self, under_way: float = 0.0) -> Progress:
        """Return the progress of the build, including the finished part of the running tasks."""
        left = self._total - self._done - under_way
        fresh = self._fresh + under_way
        elapsed = self._clock() - self._start
        seconds = left * elapsed / fresh if fresh else None
        return Progress("scoring", self._done + int(under_way), self._total, seconds)

"""The progress of a build, and an estimate of its remaining time."""

import time
from collections.abc import Callable
from typing import NamedTuple


class Progress(NamedTuple):
    """The progress of a build at one moment.

    Attributes:
        stage: a short description of the current work, for people.
        done: the finished work, including the work of earlier runs. A node counts as its number of candidates;
            in a search for the optimum, a cell counts as the square of its number of candidates.
        total: the work that is known so far, in the unit of `done`; 0 without an estimate.
        seconds: the estimated remaining seconds; None without an estimate.
    """

    stage: str
    done: int
    total: int
    seconds: float | None = None


class Forecast:
    """An estimate of the remaining time of a build, from the work that this run has finished."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._start = clock, clock()
        self._done = self._total = self._fresh = 0

    def expect(self, work: int) -> None:
        """Add an amount of work to the total."""
        self._total += work

    def finish(self, work: int, earlier: bool = False) -> None:
        """Count expected work as finished; work of an `earlier` run does not count for this run's speed."""
        self._done += work
        self._fresh += 0 if earlier else work

    def skip_to(self, work: int) -> None:
        """Raise the finished work to at least `work`; the added work does not count for this run's speed."""
        self.finish(max(work - self._done, 0), earlier=True)

    def progress(self, under_way: float = 0.0) -> Progress:
        """Return the progress of the build; `under_way` is the work that running tasks have finished."""
        left = self._total - self._done - under_way
        fresh = self._fresh + under_way
        elapsed = self._clock() - self._start
        seconds = left * elapsed / fresh if fresh else None
        return Progress("scoring", self._done + int(under_way), self._total, seconds)

"""The progress of a build, and an estimate of its remaining time."""

from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple


class Progress(NamedTuple):
    """The progress of a build at one moment.

    Attributes:
        stage: a short description of the current work, for people.
        done: the finished work, including the work of earlier runs. A node counts as its number of
            candidates; in a search for the optimum, a cell counts as the square of its number of
            candidates.
        total: the work that is known so far, in the unit of `done`; 0 without an estimate.
        seconds: the estimated remaining seconds; None without an estimate.
    """

    stage: str
    done: int
    total: int
    seconds: float | None = None


class ProgressMeter:
    """A meter for the speed of this run, which estimates the remaining time.

    `receive` is called with each report of the progress; without it, there are no reports.
    """

    def __init__(self, receive: Callable[[Progress], None] | None) -> None:
        self._receive, self._start = receive, perf_counter()
        self._done = self._total = self._done_here = 0

    def expect(self, work: int) -> None:
        """Add an amount of work to the total."""
        self._total += work

    def finish(self, work: int, earlier: bool = False) -> None:
        """Count work as finished; the work of an `earlier` run does not affect this run's speed."""
        self._done += work
        if not earlier:
            self._done_here += work

    def skip_to(self, work: int) -> None:
        """Raise the finished work to at least `work`, without counting it for this run's speed."""
        self.finish(max(work - self._done, 0), earlier=True)

    def report(self, stage: str = "scoring", under_way: float = 0.0) -> None:
        """Report the progress; `under_way` is the work that running tasks have finished."""
        if self._receive is None:
            return
        left = self._total - self._done - under_way
        done_here = self._done_here + under_way
        seconds = left * (perf_counter() - self._start) / done_here if done_here else None
        self._receive(Progress(stage, self._done + int(under_way), self._total, seconds))

"""A fake clock for the tests of builds."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

import guessbook as gb

if TYPE_CHECKING:
    from tests.helpers.command import Run


class Clock:
    """A fake clock: each call may advance it, and one call may raise KeyboardInterrupt."""

    def __init__(self) -> None:
        self.now, self.step, self.interrupt_at = 0.0, 0.0, 0

    def __call__(self) -> float:
        self.interrupt_at -= 1
        if self.interrupt_at == 0:
            raise KeyboardInterrupt
        self.now += self.step
        return self.now

    def hurry(self, interrupt_at: int = 0) -> None:
        """Advance eleven seconds with each call; raise KeyboardInterrupt in call `interrupt_at`."""
        self.step, self.interrupt_at = 11.0, interrupt_at


@pytest.fixture
def clock(run: Run, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Replace `time.monotonic` with a fake clock."""
    # Import all modules first: those that read the clock on import need the real one.
    gb.build(gb.Mastermind(1, 1))
    run("build-book", "--help")
    found = Clock()
    monkeypatch.setattr(time, "monotonic", found)
    return found

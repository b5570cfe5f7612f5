"""A clock that the tests of builds set."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

import guessbook as gb

if TYPE_CHECKING:
    from tests.helpers.command import Run


class Clock:
    """A clock that a test sets; each look at it may take time, and one of them ends with Ctrl-C."""

    def __init__(self) -> None:
        self.now, self.step, self.interrupt_at = 0.0, 0.0, 0

    def __call__(self) -> float:
        """Return the time in seconds."""
        self.interrupt_at -= 1
        if self.interrupt_at == 0:
            raise KeyboardInterrupt
        self.now += self.step
        return self.now

    def hurry(self, interrupt_at: int = 0) -> None:
        """Let eleven seconds pass with each look, and raise KeyboardInterrupt at one of them."""
        self.step, self.interrupt_at = 11.0, interrupt_at


@pytest.fixture
def clock(run: Run, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of this process."""
    # Modules that look up the clock when they are imported find the real one.
    gb.build(gb.Mastermind(1, 1))
    run("build-book", "--help")
    found = Clock()
    monkeypatch.setattr(time, "monotonic", found)
    return found

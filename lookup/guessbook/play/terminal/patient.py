"""The session of a terminal: whoever waits for it is told what for, and Ctrl-C ends the wait.

What may be interrupted only computes, on a copy: after Ctrl-C its thread goes on, while the game
itself may already be another one. Only the main thread changes a game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from guessbook.lookup.hint import Hint
from guessbook.lookup.patience import Result, patiently
from guessbook.play.analysis import Analysis, Split
from guessbook.play.boards import Boards
from guessbook.play.explain import Explanation
from guessbook.play.rate import PairRating, Rating
from guessbook.play.review import Review
from guessbook.play.session import Session

# What a prompt says after Ctrl-C.
STOPPED = "Stopped."


class PatientSession(Session):
    """A session whose long answers are waited for patiently: see `patience.patiently`."""

    def hint(self) -> Hint:
        """See `Session.hint`."""
        return self._awaited("Choosing a guess", Session.hint)

    def explain(self, guess: str | None = None, count: int = 10) -> Explanation:
        """See `Session.explain`."""
        explain = partial(Session.explain, guess=guess, count=count)
        return self._awaited("Scoring every guess", explain)

    def rate(self, guess: str) -> Rating:
        """See `Session.rate`."""
        return self._awaited("Scoring every other guess", partial(Session.rate, guess=guess))

    def best_pairs(self, count: int = 10) -> list[PairRating]:
        """See `Session.best_pairs`."""
        return self._awaited("Scoring pairs of guesses", partial(Session.best_pairs, count=count))

    def review(self, secret: str | None = None) -> Review:
        """See `Session.review`."""
        return self._awaited("Looking back at every guess", partial(Session.review, secret=secret))

    def analysis(self) -> Analysis:
        """See `Session.analysis`."""
        return self._awaited("Looking for what is possible", Session.analysis)

    def split(self, guess: str | Sequence[str]) -> Split:
        """See `Session.split`."""
        return self._awaited("Splitting what is possible", partial(Session.split, guess=guess))

    def _awaited(self, what: str, ask: Callable[[Session], Result]) -> Result:
        return patiently(what, partial(ask, self.copy()))


def hint_patiently(boards: Boards) -> Hint:
    """What to guess next on all boards, waited for patiently."""
    return patiently("Choosing a guess for all boards", boards.copy().hint)

"""The session of a terminal: whoever waits for it is told what for, and Ctrl-C ends the wait."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from guessbook.lookup.hint import Hint
from guessbook.lookup.patience import patiently
from guessbook.play.analysis import Analysis, Split
from guessbook.play.explain import Explanation
from guessbook.play.rate import PairRating, Rating
from guessbook.play.review import Review
from guessbook.play.session import Session

# What a prompt says after Ctrl-C.
STOPPED = "Stopped."


class PatientSession(Session):
    """A session whose long answers are waited for patiently: see `patience.patiently`."""

    def suggest(self) -> Hint:
        """See `Session.suggest`."""
        return patiently("Choosing a guess", super().suggest)

    def explain(self, guess: str | None = None, count: int = 10) -> Explanation:
        """See `Session.explain`."""
        return patiently("Scoring every guess", partial(super().explain, guess, count))

    def rate(self, guess: str) -> Rating:
        """See `Session.rate`."""
        return patiently("Scoring every other guess", partial(super().rate, guess))

    def best_pairs(self, count: int = 10) -> list[PairRating]:
        """See `Session.best_pairs`."""
        return patiently("Scoring pairs of guesses", partial(super().best_pairs, count))

    def review(self, secret: str | None = None) -> Review:
        """See `Session.review`."""
        return patiently("Looking back at every guess", partial(super().review, secret))

    def analysis(self) -> Analysis:
        """See `Session.analysis`."""
        return patiently("Looking for what is possible", super().analysis)

    def split(self, guess: str | Sequence[str]) -> Split:
        """See `Session.split`."""
        return patiently("Splitting what is possible", partial(super().split, guess))

"""A game for Guessbook: in which order did the runners arrive? Some are named at their place."""

# Each method does what `guessbook.book.Game` says of it.
# ruff: noqa: D102
from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import factorial
from typing import Any

from guessbook.book import InvalidCodeError, InvalidFeedbackError, InvalidGameError
from guessbook.book.games.presets import Preset
from guessbook.book.games.registry import Kind


class Race:
    """Runners a, b, c, ...: a code is an order, the feedback is how many are at their place."""

    kind, smaller = "race", "fewer runners"
    has_hard_mode, hard_mode_refusal = False, "found hard mode, expected a game of words"

    def __init__(self, runners: int) -> None:
        if type(runners) is not int or not 2 <= runners <= 8:
            raise InvalidGameError(f"found {runners!r} runners, expected 2 to 8")
        self.name = f"race-{runners}"
        self.length = self.solved = runners
        self.feedbacks = runners + 1
        self.guesses = self.secrets = tuple(map("".join, permutations("abcdefgh"[:runners])))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Race) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def feedback(self, guess: str, secret: str) -> int:
        return sum(a == b for a, b in zip(guess, secret, strict=True))

    def parse_code(self, code: str | Sequence[str]) -> int:
        text = "".join(code).lower()
        if text not in self.guesses:
            raise InvalidCodeError(f"found {text[:9]!r}, expected an order of {self.guesses[0]}")
        return self.guesses.index(text)

    def parse_feedback(self, feedback: object) -> int:
        if str(feedback) not in map(str, filter(self.gives, range(self.feedbacks))):
            raise InvalidFeedbackError(f"found {str(feedback)[:9]!r}, expected 0 to {self.length}")
        return int(str(feedback))

    def format_feedback(self, feedback: int) -> str:
        return str(feedback)

    def gives(self, feedback: int) -> bool:
        return 0 <= feedback <= self.length and feedback != self.length - 1

    def header(self) -> dict[str, Any]:
        return {"type": self.kind, "runners": self.length}

    @classmethod
    def from_header(cls, header: dict[str, Any]) -> Race:
        return cls(header.get("runners", 0))


KIND = Kind(f"{__name__}:Race")
DERBY = Preset("derby", "five runners", f"{__name__}:Race", {"runners": 5}, factorial(5))

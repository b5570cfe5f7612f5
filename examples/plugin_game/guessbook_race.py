"""A game for Guessbook: guess the order in which runners finished a race."""

from itertools import permutations
from typing import Any, Self

import guessbook as gb


class Race(gb.Game):
    """A code is an order of runners a, b, c, ...; the feedback counts those in the right place."""

    kind = "race"
    smaller = "fewer runners"

    def __init__(self, runners: int) -> None:
        if type(runners) is not int or not 2 <= runners <= 8:
            raise gb.InvalidGameError(f"{runners!r} runners; give 2 to 8")
        self.name = f"race-{runners}"
        self.length = runners
        self.guesses = self.secrets = tuple(map("".join, permutations("abcdefgh"[:runners])))
        self.solved = runners
        self.feedbacks = runners + 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Race) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def feedback_number(self, guess: str, secret: str) -> int:
        return sum(a == b for a, b in zip(guess, secret, strict=True))

    def plain_feedback(self, feedback: int) -> int:
        return feedback

    def parse_code(self, code: Any) -> int:
        text = "".join(code).lower()
        if text not in self.guesses:
            raise gb.InvalidCodeError(f"{text[:9]!r} is not an order of {self.guesses[0]}")
        return self.guesses.index(text)

    def parse_feedback(self, feedback: object) -> int:
        text = str(feedback)
        if text not in map(str, filter(self.is_possible, range(self.feedbacks))):
            raise gb.InvalidFeedbackError(
                f"{text[:9]!r} is not a feedback; give 0 to {self.length}"
            )
        return int(text)

    def format_feedback(self, feedback: int) -> str:
        return str(feedback)

    def is_possible(self, feedback: int) -> bool:
        # If all but one runner are in the right place, so is the last one.
        return 0 <= feedback <= self.length and feedback != self.length - 1

    def header(self) -> dict[str, Any]:
        return {"type": self.kind, "runners": self.length}

    @classmethod
    def from_header(cls, header: dict[str, Any]) -> Self:
        return cls(header.get("runners", 0))


DERBY = gb.Preset("derby", "five runners", Race, {"runners": 5}, 120)

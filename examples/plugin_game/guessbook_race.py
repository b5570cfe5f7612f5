"""A game for Guessbook: in which order did the runners arrive? Some are named at their place."""

# ruff: noqa: D102 (`guessbook.book.Game` says what each method does)
from itertools import permutations
from typing import Any, Self

from guessbook.book.errors import InvalidCodeError, InvalidFeedbackError, InvalidGameError
from guessbook.book.games.presets import Preset
from guessbook.book.games.registry import Kind


class Race:
    """Runners a, b, c, ...: a code is an order, the feedback is how many are at their place."""

    kind, smaller = "race", "fewer runners"
    has_hard_mode, hard_mode_refusal = False, "found hard mode, expected a game of words"

    def __init__(self, runners: int) -> None:
        if type(runners) is not int or not 2 <= runners <= 8:
            raise InvalidGameError(f"found {runners!r} runners, expected 2 to 8")
        self.name, self.length, self.solved = f"race-{runners}", runners, runners
        self.feedbacks = runners + 1
        self.feedback_number = self.feedback  # people say the number
        self.guesses = self.secrets = tuple(map("".join, permutations("abcdefgh"[:runners])))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Race) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def feedback(self, guess: str, secret: str) -> int:
        return sum(a == b for a, b in zip(guess, secret, strict=True))

    def parse_code(self, code: Any) -> int:
        if (text := "".join(code).lower()) in self.guesses:
            return self.guesses.index(text)
        raise InvalidCodeError(f"found {text[:9]!r}, expected an order of {self.guesses[0]}")

    def parse_feedback(self, feedback: object) -> int:
        if (text := str(feedback)) in map(str, filter(self.gives, range(self.feedbacks))):
            return int(text)
        raise InvalidFeedbackError(f"found {text[:9]!r}, expected 0 to {self.length}")

    def format_feedback(self, feedback: int) -> str:
        return str(feedback)

    def gives(self, feedback: int) -> bool:
        return 0 <= feedback <= self.length and feedback != self.length - 1

    def header(self) -> dict[str, Any]:
        return {"type": self.kind, "runners": self.length}

    @classmethod
    def from_header(cls, header: dict[str, Any]) -> Self:
        return cls(header.get("runners", 0))


KIND = Kind(f"{__name__}:Race")
DERBY = Preset("derby", "five runners", f"{__name__}:Race", {"runners": 5}, 120)

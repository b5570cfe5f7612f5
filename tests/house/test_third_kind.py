"""A third kind of game is a class and a line in the registry: black pegs only, in 60 lines."""

# The class does what `Game` says of each of its parts.
# ruff: noqa: D102

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.book import Book, InvalidCodeError, InvalidFeedbackError, UsageError, open_book
from guessbook.book.errors import InvalidGameError, shown
from guessbook.book.games.registry import KINDS, Kind, companion
from guessbook.book.levels import shown_levels
from guessbook.export import Options, export
from guessbook.export.report_page import report_page
from guessbook.play.look import look_of
from guessbook.play.share import share
from guessbook.play.terminal.drawing import Screen
from guessbook.play.terminal.outline import draw_outline, nested
from tests.helpers.plain import plain_book

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(frozen=True)
class BlackPegs:
    """A code of as many of the letters a, b, c, ...; the feedback is how many are in place."""

    pegs: int
    colors: int
    kind, smaller, has_hard_mode = "black-pegs", "fewer pegs", False

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.pegs}x{self.colors}"

    @cached_property
    def guesses(self) -> Sequence[str]:
        return tuple(map("".join, product("abcdefgh"[: self.colors], repeat=self.pegs)))

    @property
    def length(self) -> int:
        return self.pegs

    @property
    def secrets(self) -> Sequence[str]:
        return self.guesses

    solved = length

    @property
    def feedbacks(self) -> int:
        return self.pegs + 1

    def feedback(self, guess: str, secret: str) -> int:
        return sum(a == b for a, b in zip(guess, secret, strict=True))

    def parse_code(self, code: str | Sequence[str]) -> int:
        if "".join(code) not in self.guesses:
            raise InvalidCodeError(f"found {shown(code)}, expected {self.guesses[0]} or the like")
        return self.guesses.index("".join(code))

    def parse_feedback(self, feedback: object) -> int:
        if str(feedback) not in map(str, range(self.feedbacks)):
            raise InvalidFeedbackError(f"found {shown(feedback)}, expected 0 to {self.pegs}")
        return int(str(feedback))

    def format_feedback(self, feedback: int) -> str:
        return str(feedback)

    def gives(self, feedback: int) -> bool:
        return 0 <= feedback <= self.pegs

    def header(self) -> dict[str, Any]:
        return {"type": self.kind, **asdict(self)}

    @classmethod
    def from_header(cls, header: dict[str, Any]) -> BlackPegs:
        pegs, colors = header.get("pegs"), header.get("colors")
        if type(pegs) is not int or type(colors) is not int or not 0 < pegs * colors < 20:
            raise InvalidGameError("found no numbers of pegs and colors")
        return cls(pegs, colors)


GAME = BlackPegs(3, 3)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, GAME.kind, Kind(f"{__name__}:BlackPegs"))


@pytest.fixture(scope="module")
def book() -> Book:
    """A small book of it."""
    return plain_book(GAME)


def test_it_is_a_book(book: Book, tmp_path: Path) -> None:
    """The file keeps the game, and every layer has the plain companion for it."""
    path = tmp_path / "third.book"
    book.save(path)
    again = open_book(path)
    assert again.game == GAME
    assert again.to_bytes() == book.to_bytes()
    for layer in ("look", "form"):
        assert companion(GAME, layer).__name__.endswith(f".{layer}")


def test_it_is_drawn(book: Book, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows, what is known, the rules, the outline and the shared grid show its own labels."""
    screen, look = Screen(), look_of(GAME)
    screen.row(GAME, 1, "abc", "1", "9 left")
    look.known(screen, [(5, 1)], GAME.secrets)
    assert capsys.readouterr().out == "  1  abc  1   9 left\n"
    draw_outline(screen, book, shown_levels(book.tree, None, 100))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(book.tree)
    assert lines[0].startswith(f"{book.root.guess}  27")
    assert nested(book, shown_levels(book.tree, 1, 0))["guess"] == book.root.guess
    assert look.rules() == (
        "Find the secret, one of 27. A guess, such as baa, is answered 0, 1, 2, 3; "
        "3 says that it is the secret."
    )
    assert look.feedback_help() == ("Feedback is 0, 1, 2, 3; 3 says that it is the secret.")
    grid = share(GAME, [(5, 1), (6, 3)])
    assert grid == "Guessbook black-pegs-3x3 2 guesses\n\n1\n3"


def test_it_is_exported(book: Book) -> None:
    """Pictures, the report and JSON have its labels; other forms say in a line that they cannot."""
    for depth in (2, None):
        for name in ("svg", "dot"):
            text = export(book, name, Options(depth))
            assert all(node.guess in text for node in book.root.children.values())
    report = report_page(book, "test.book", 9)
    assert "27 codes may be guessed, 27 may be the secret." in report
    found = json.loads(export(book, "json"))
    assert found["game"] == GAME.header()
    assert len(found["tree"]["guess"]) == len(book.tree)
    for name in ("c", "python", "html"):
        with pytest.raises(UsageError, match=r"cannot be exported as .*; use --to json$"):
            export(book, name)
    with pytest.raises(UsageError, match="expected one of codes"):
        export(book, "irving")

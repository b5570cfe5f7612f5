"""A third kind of game is a class of another package: black pegs only, in 60 lines."""

# The class does what `Game` says of each of its parts.

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import cached_property
from inspect import getsource
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import (
    InvalidCodeError,
    InvalidFeedbackError,
    Strategy,
    UsageError,
    read_strategy,
)
from guessbook.book.errors import InvalidGameError, quote
from guessbook.book.games.beyond import number_between
from guessbook.book.games.presets import Preset
from guessbook.book.games.registry import Kind, companion
from guessbook.book.games.symmetry import has_symmetry
from guessbook.book.games.words import WordGame
from guessbook.book.tree import shown_levels
from guessbook.builder import build_strategy
from guessbook.builder.games.table import scorer
from guessbook.engine.hints import SumHints, hints_of
from guessbook.export import export
from guessbook.export.report_page import report_page
from guessbook.lookup import Book as OpenedBook
from guessbook.play import analysis
from guessbook.play.display import display_of
from guessbook.play.rows import share
from guessbook.play.shuffle import random_shuffle
from guessbook.play.terminal.drawing import Screen
from guessbook.play.terminal.outline import draw_outline
from guessbook.policy.notation import policy_of
from guessbook.policy.one_step import policy_named
from guessbook.policy.reference import consistent
from guessbook.policy.search.search import table_bytes
from tests.helpers.client import expected, running
from tests.helpers.command import Run, complaint, one_line, runner
from tests.helpers.plain import entries, grow, histories, paths, plain_book, without_engine
from tests.plugins.installed import install

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(frozen=True)
class BlackPegs:
    """A code of as many of the letters a, b, c, ...; the feedback is how many are in place."""

    pegs: int
    colors: int
    kind, smaller = "black-pegs", "fewer pegs"
    has_hard_mode, hard_mode_refusal = False, "found hard mode, expected words"

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.pegs}x{self.colors}"

    @cached_property
    def guesses(self) -> Sequence[str]:
        return tuple(map("".join, product("abcdefgh"[: self.colors], repeat=self.pegs)))

    length = solved = property(lambda game: game.pegs)

    @property
    def secrets(self) -> Sequence[str]:
        return self.guesses

    @property
    def feedbacks(self) -> int:
        return self.pegs + 1

    def feedback(self, guess: object, secret: object) -> str:
        return str(number_between(self, guess, secret))

    def feedback_number(self, guess: str, secret: str) -> int:
        return sum(a == b for a, b in zip(guess, secret, strict=True))

    def parse_code(self, code: str | Sequence[str]) -> int:
        if "".join(code) not in self.guesses:
            raise InvalidCodeError(f"found {quote(code)}, expected {self.guesses[0]} or the like")
        return self.guesses.index("".join(code))

    def parse_feedback(self, feedback: object) -> int:
        if str(feedback) not in map(str, range(self.feedbacks)):
            raise InvalidFeedbackError(f"found {quote(feedback)}, expected 0 to {self.pegs}")
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


class Exchanged(BlackPegs):
    """The same, saying that its positions and symbols can be exchanged."""

    repeats = True

    @property
    def symbols(self) -> str:
        return "abcdefgh"[: self.colors]

    def digits(self, index: int) -> list[int]:
        return [self.symbols.index(symbol) for symbol in self.guesses[index]]


GAME = BlackPegs(3, 3)
KIND = Kind(f"{__name__}:BlackPegs")
EXCHANGED = Kind(f"{__name__}:Exchanged")
PRESET = Preset(
    "third", "black pegs", f"{__name__}:BlackPegs", asdict(GAME), len(GAME.secrets), allowed=9
)


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "package"
    install(monkeypatch, folder, "guessbook.games", {GAME.kind: f"{__name__}:KIND"})
    install(monkeypatch, folder, "guessbook.presets", {"third": f"{__name__}:PRESET"})


@pytest.fixture(scope="module")
def book() -> OpenedBook:
    """A small book of it."""
    return plain_book(GAME)


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    book: Strategy,
) -> Run:
    """Runs `guessbook` with some arguments, in a folder with the file third.book."""
    book.save(tmp_path / "third.book")
    return runner(monkeypatch, capsys, tmp_path)


def test_it_is_small() -> None:
    """All that such a kind takes is a class of 60 lines, which knows no layer but its own."""
    assert len(getsource(BlackPegs).splitlines()) <= 60


def test_a_preset_builds_it(run: Run, tmp_path: Path) -> None:
    """`build-book --preset` makes what the library makes, and `presets` lists it."""
    assert "third                     27            9" in run("presets").out
    status, _, complaint = run("build-book", "--preset", "third", "-o", "made.book")
    assert status == 0, complaint
    made = read_strategy(tmp_path / "made.book").to_bytes()
    assert made == build_strategy(GAME).to_bytes()


def test_it_may_have_symmetry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind that has `digits` is found by symmetry and can be shuffled, one without cannot."""
    game = Exchanged(3, 3)
    assert has_symmetry(game)
    assert not has_symmetry(GAME)
    monkeypatch.setattr(sys.modules[__name__], "KIND", EXCHANGED)
    book = plain_book(game)
    image = next(
        image
        for seed in range(100)
        if (image := random_shuffle(game, seed).there(book.root.guess)) != book.root.guess
    )
    hint = book.hint([(image, "1")])
    assert hint.source == "symmetry"
    assert hint.remaining == book.hint([(book.root.guess, "1")]).remaining


def test_it_is_a_book(book: Strategy, tmp_path: Path) -> None:
    """The file keeps the game, and every layer has the plain companion for it."""
    path = tmp_path / "third.book"
    book.save(path)
    again = read_strategy(path)
    assert again.game == GAME
    assert again.to_bytes() == book.to_bytes()
    expected = {"search": "search", "scoring": "table", "display": "display", "form": "form"}
    for layer, ending in expected.items():
        assert companion(GAME, layer).__name__.endswith(f".{ending}")
    assert type(hints_of(GAME, [])) is SumHints


def test_it_is_drawn(book: Strategy, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows, what is known, the rules, the outline and the shared grid show its own labels."""
    screen, display = Screen(), display_of(GAME)
    screen.row(GAME, 1, "abc", "1", "9 left")
    display.draw_symbols(screen, [(5, 1)], GAME.secrets)
    assert capsys.readouterr().out == "  1  abc  1   9 left\n"
    draw_outline(screen, book, shown_levels(book.tree, None, 100))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(book.tree)
    assert lines[0].startswith(f"{book.root.guess}  27")
    assert display.rules() == (
        "Find the secret, one of 27. A guess, such as baa, is answered 0, 1, 2, 3; 3 says that it is the secret."
    )
    assert display.feedback_help() == ("Feedback is 0, 1, 2, 3; 3 says that it is the secret.")
    grid = share(GAME, [[(5, 1), (6, 3)]])
    assert grid == "Guessbook black-pegs-3x3 2 guesses\n\n1\n3"


def test_it_is_exported(book: Strategy) -> None:
    """Pictures, the report and JSON have its labels; other forms say in a line that they cannot."""
    for depth in (2, None):
        for name in ("svg", "dot"):
            text = export(book, name, depth=depth)
            assert all(node.guess in text for node in book.root.children.values())
    report = report_page(book, "test.book", 9)
    assert "27 codes may be guessed, 27 may be the secret." in report
    found = json.loads(export(book, "json"))
    assert found["rules"] == GAME.header()
    assert [*found["tree"]["children"]] == [str(number) for number in book.root.children]
    for name in ("c", "python", "html"):
        with pytest.raises(UsageError, match=r"cannot be exported as .*; export it as json$"):
            export(book, name)
    with pytest.raises(UsageError, match="expected a book of a code game"):
        export(book, "irving")


@pytest.mark.parametrize("name", ["entropy", "expected", "parts", "minimax"])
@pytest.mark.parametrize("jobs", [1, 3])
def test_it_is_built(name: str, jobs: int) -> None:
    """The builder makes the book that the plain reference makes, byte for byte."""
    assert build_strategy(GAME, name, jobs=jobs).to_bytes() == plain_book(GAME, name).to_bytes()


POLICIES: list[dict[str, Any]] = [
    {"name": "entropy"},
    {"name": "parts", "consistent_only": True},
    {"name": "consistent", "random_seed": 7},
    {"name": "positional"},
    {"name": "rollout", "base": "entropy", "width": 3},
    {"name": "rollout", "base": "parts", "width": 3, "consistent_only": True},
    {"name": "lookahead", "base": "entropy", "depth": 2, "width": 3},
]


@pytest.mark.parametrize("described", POLICIES, ids=str)
def test_every_policy_plays_it(described: dict[str, Any]) -> None:
    """A build has the guesses of a policy's plain definition at every node."""
    policy = policy_of(described)
    plain = grow(GAME, GAME, "x", lambda past, cell: policy.choose(GAME, past, cell))
    assert list(build_strategy(GAME, described).tree.guess) == list(plain.tree.guess)


@given(st.data())
@pytest.mark.parametrize("engine", [True, False])
def test_hints(engine: bool, book: OpenedBook, data: st.DataObject) -> None:
    """Hints are those of the reference: on the book, and off it with the engine or without."""
    on_book = data.draw(st.sampled_from(paths(book)))
    assert book.hint(entries(GAME, on_book)).source == "book"
    policy, history = policy_of("entropy"), data.draw(histories(GAME))
    candidates = consistent(GAME, history)
    with nullcontext() if engine else without_engine():
        found = book.hint(entries(GAME, history))
    assert found.remaining == len(candidates)
    if not found.solved:
        assert GAME.parse_code(found.guess) == policy.choose(GAME, history, candidates)
        assert found.candidate == (found.guess in candidates)


def test_one_step_asks_no_builder(book: OpenedBook, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of all feedbacks is not filled for one hint, nor for the scores of one history."""

    def never(*_: object) -> None:
        raise AssertionError("the builder was asked")

    monkeypatch.setattr(analysis, "SOME_PAIRS", 0)
    monkeypatch.setattr("guessbook.builder.games.table.scorer", never)
    assert book.hint([("abc", "1")]).source == "live"
    (scores,) = analysis.Analysis(GAME, [(5, 1)]).scores([policy_named("parts")], range(27))
    assert len(scores) == len(GAME.guesses)


def test_it_may_have_hard_mode() -> None:
    """A kind with the plain companions that has a hard mode is built and ranked by it."""

    class OtherWords(WordGame):
        kind = "other-words"

    game = OtherWords([f"{letter}ight" for letter in "lnrfmsetw"], ["flams", "wrens"])
    described = {"name": "entropy", "hard_mode": True}
    policy = policy_of(described)
    first = game.parse_code("light")
    plain = grow(
        game, game, "x", lambda past, cell: policy.choose(game, past, cell) if past else first
    )
    built = list(build_strategy(game, described, "light").tree.guess)
    assert (
        built == list(plain.tree.guess) != list(build_strategy(game, "entropy", "light").tree.guess)
    )


def test_solved_is_the_last_feedback() -> None:
    """A game whose solved feedback has another number is refused before any work."""
    odd = type("Odd", (BlackPegs,), {"solved": 0})(2, 2)
    with pytest.raises(InvalidGameError, match=r"found feedback number 0 of .* number, 2$"):
        build_strategy(odd)


def test_its_table_is_counted() -> None:
    """Small feedback numbers take one byte in the table, and a build counts them so."""
    table = scorer(GAME, policy_named("parts")).sums
    assert table_bytes(GAME) == table.nbytes == 27 * 27


def test_commands_that_look(run: Run, book: Strategy) -> None:
    """A book is described, proved, compared, and its guesses are explained, rated and reviewed."""
    first, rows = book.root.guess, ["abc=1", "aab=2", "aaa=3"]
    wanted = {
        ("info", "third.book"): f"first guess  {first}",
        ("verify", "third.book", "--policy"): "guess by entropy",
        ("compare", "third.book", "parts", "rollout:width=3"): "black-pegs-3x3: 27 secrets",
        ("hint", "--book", "third.book"): f"guess       {first}",
        ("hint", "abc=1", "--book", "third.book"): "source      live",
        ("explain", "abc=1", "--book", "third.book"): f"{first}: 1.7842 bits expected, 12 possible",
        ("explain", "--pairs", "--book", "third.book"): "bits",
        ("rate", "abc=1", "aaa", "--book", "third.book"): "skill",
        ("rate", "--pair", "abc", "aaa", "--book", "third.book"): "bits",
        ("review", *rows, "--book", "third.book"): "skill",
        ("share", *rows, "--book", "third.book"): "black-pegs-3x3 3 guesses",
        ("tree", "third.book"): "black-pegs-3x3, entropy: 27 secrets",
        ("simulate", "third.book"): "played      27 of 27 secrets",
        ("run", "third.book", "--secret", "cab"): "cab found in",
        ("run", "third.book", "--secret", "cab", "--secret", "bbb"): "2 boards in",
        ("report", "third.book", "-o", "third.html"): "third.html",
    }
    for command, said in wanted.items():
        result = run(*command)
        assert (result.code, result.err) == (0, ""), (command, result)
        assert said in result.out, (command, result.out)


def test_commands_that_play(run: Run, book: Strategy) -> None:
    """The computer proposes, holds a secret, or hides; each ends with the secret found."""
    first = book.root.guess
    result = run("solve", "third.book", lines=f"?\n{first}=1\nlist\nundo\n3\n")
    assert f"{first} is the secret" in result.out, result
    result = run("solve", "third.book", "--boards", 2, lines=f"{first}=3\n3\n3\n3\n")
    assert "All 2 boards are solved." in result.out, result
    typed = "abc\n?\n:list\n:nonsense\nzzz\ncab\n"
    result = run("play", "third.book", "--secret", "cab", lines=typed)
    assert "cab is the secret. Solved in 2 guesses." in result.out, result
    result = run("hide", "third.book", lines="abc\n?\n:give-up\n")
    assert "There was no secret; " in result.out, result


def test_what_it_lacks_is_said(run: Run) -> None:
    """A shuffle, programs, hard mode, another game's book or history are refused in one line."""
    refused = [
        ("run", "third.book", "--secret", "cab", "--shuffle"),
        *[("export", "third.book", "--to", name) for name in ("c", "python", "html", "irving")],
        ("compare", "third.book", "entropy:hard-mode"),
        ("compare", "third.book", "mastermind-4x6"),
        ("hint", "abd=1", "--book", "third.book"),
        ("hint", "abc=4", "--book", "third.book"),
    ]
    for command in refused:
        one_line(run(*command))
    assert "re-check abc=1, aba=3" in complaint(
        run("hint", "abc=1", "aba=3", "--book", "third.book"), 4
    )


def test_it_is_served(book: OpenedBook) -> None:
    """Clients of the server get the answers of the book."""
    history = [f"{book.root.guess}=1"]
    with running(book) as client:
        assert client.ask("/hint?" + history[0]) == (200, expected(book, history))
        assert client.ask("/info")[1]["game"] == GAME.name

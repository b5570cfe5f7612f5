"""Input at the prompts, and output in narrow, coloured and plain terminals."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

import guessbook as gb
from tests.hints.definitions import SMALL, WORD_GAME, answer
from tests.play.terminal import terminal

if TYPE_CHECKING:
    from tests.helpers.command import Run

LONG = gb.WordGame(["abcdefghijkl", "abcdefghijlk", "mlkjihgfedcb"])
GERMAN = gb.WordGame(["straße", "größer", "lustig"])
RUSSIAN = gb.WordGame(["кошка", "мышка"])
EMOJI = gb.Mastermind(2, 3, symbols="🎄🎅🦌")


GAMES: dict[str, gb.Game] = {
    "small": SMALL,
    "words": WORD_GAME,
    "long": LONG,
    "wide": gb.Mastermind(8, 2),
    "german": GERMAN,
    "russian": RUSSIAN,
    "emoji": EMOJI,
    "digits": gb.Mastermind(3, 4, symbols="0123"),
    "labels": gb.TableGame(
        ["which?"], ["Ann", "Bob", "Eva"], [["list", "quit", "undo"]], goal="name"
    ),
}
BOOKS = {name: gb.build(game) for name, game in GAMES.items()}


@pytest.fixture
def books(run: Run) -> None:
    """Save books of several games where the commands run."""
    for name, book in BOOKS.items():
        book.save(f"{name}.book")


pytestmark = pytest.mark.usefixtures("books")

COMMANDS = [
    *("?", "help", "list", "rate", "rows", "undo", "edit", "aside", "hint", "give-up", "no"),
    *("", "=", "1", "²", "edit 1", "aside 99", "aside 1 1", "rate x", "\x00", "🟩", "no light"),
    *("list 0", "list 1", "list ALL", "list -1"),
]
CODES = {"small": ["RRY", "GBR", "YYY", "rgb"], "words": ["light", "TIGER", "geese", "zzzzz"]}
FEEDBACKS = {
    "small": ["0,0", "1,0", "0,1", "1,2", "3,0", "0012"],
    "words": ["00000", "02222", "22222", "10000"],
}


@st.composite
def typed_lines(draw: st.DrawFn, book: str) -> str:
    """Draw lines that a user may type."""
    code, feedback = st.sampled_from(CODES[book]), st.sampled_from(FEEDBACKS[book])
    entry, row = st.builds("{}={}".format, code, feedback), st.integers(0, 4)
    line = st.one_of(
        st.sampled_from(COMMANDS),
        st.sampled_from(COMMANDS).map(":{}".format),
        code,
        feedback,
        entry,
        st.builds("edit {} {}".format, row, feedback | entry),
        st.builds("aside {}".format, row),
        st.builds("rate {}".format, code),
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=8),
    )
    return "".join(f"{each}\n" for each in draw(st.lists(line, max_size=12)))


@pytest.mark.parametrize(
    "command",
    [
        "solve",
        "solve --boards 2",
        "hide",
        "play --boards 3 --plain --max-guesses 3 --random-seed 4",
    ],
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_prompt_handles_any_line(command: str, data: st.DataObject, run: Run) -> None:
    book = data.draw(st.sampled_from(list(CODES)))
    name, *rest = command.split()
    result = run(name, f"{book}.book", *rest, lines=data.draw(typed_lines(book)))
    assert (result.code, result.err) == (0, "")


@pytest.mark.parametrize("book", ["small", "words"])
def test_prompt_accepts_feedback_in_every_notation(book: str, run: Run) -> None:
    game = gb.open(f"{book}.book").game
    code = game.guesses[3]
    feedback = answer(game, code, game.secrets[0])
    entries = [f"{code}={feedback}", f"{code} {feedback}", f"{' '.join(code)} = {feedback}"]
    lines = "".join(f"{entry}\nundo\n" for entry in entries)
    said = run("solve", f"{book}.book", lines=lines).out
    assert said.count(f"Took back {code}={feedback}.") == 3
    both = [f"{entry} {feedback}" for entry in entries]
    said = run(
        "solve", f"{book}.book", "--boards", 2, lines="".join(f"{e}\nundo\n" for e in both)
    ).out
    assert said.count(f"Took back {code}.") == 3
    proposed = gb.open(f"{book}.book").hint().guess
    assert (
        f"Took back {proposed}={feedback}"
        in run("solve", f"{book}.book", lines=f"{feedback}\nundo\n").out
    )
    wrong = ["=", f"{code}=", f"{code} {code}", f"{feedback} {feedback} {feedback}", "x" * 900]
    said = run("solve", f"{book}.book", lines="\n".join([*wrong, "rows"])).out
    assert said.count("Guess 1:") == len(wrong) + 2, "each line is answered by the same guess"
    assert "No guesses so far." in said


def test_ambiguous_input_is_resolved_or_asked_again(run: Run) -> None:
    said = run("solve", "digits.book", "--boards", 2, lines="012 111\n").out
    assert " may mean " in said
    # One feedback takes precedence over one digit per board, and a listed word over feedback.
    said = run("solve", "small.book", "--boards", 2, lines="0 0\nquit\n").out
    assert "board 2 (64 possible)>" in said
    said = run("solve", "words.book", "--boards", 2, lines="bybbg bbbby\nrows\n").out
    assert "0 1 0 0 2" in said or "01002" in said
    said = run("solve", "words.book", lines="light bbbby\nrows\n").out
    assert "L I G H T" in said


@pytest.mark.parametrize("label", ["list", "quit", "undo"])
@pytest.mark.parametrize("boards", [1, 2])
def test_table_label_takes_precedence_over_command(label: str, boards: int, run: Run) -> None:
    lines = "\n".join([":list", *[label] * boards, ":rows", ":quit", ""])
    said = run("solve", "labels.book", "--boards", boards, lines=lines).out
    assert "Ann Bob Eva" in " ".join(said.split())
    assert f"which?  {label}" in said
    assert said.rstrip().endswith(":quit")


ENCODED = [
    ("solve words.book", "00000\nquit\n", ""),
    ("play words.book --secret night", "light\n?\nstraße\n:give-up\n", ""),
    ("hide words.book", "light\n:quit\n", ""),
    ("play german.book --secret lustig", "größer\n:give-up\n", ""),
    ("explain german.book", "", ""),
    ("run german.book --secret lustig", "", ""),
    ("share words.book light=02222", "", ""),
    ("info russian.book", "", ""),
    ("hint russian.book", "", r"\u043a\u043e\u0448"),
    ("play russian.book --secret мышка", "кошка\n:give-up\n", r"\u043a"),
    ("tree emoji.book", "", r"\U0001f384"),
    ("run emoji.book --secret 🎄🦌", "", r"\U0001f98c"),
    ("rate emoji.book 🎄🎅", "", r"\U0001f384"),
]


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437"])
def test_unencodable_characters_are_escaped(
    encoding: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for arguments, lines, shown in ENCODED:
        out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        monkeypatch.setattr(sys, "stdout", out)
        result = run(*arguments.split(), lines=lines)
        out.flush()
        assert (result.code, result.err) == (0, ""), arguments
        assert shown in out.buffer.getvalue().decode(encoding)


REPORTS = [
    "explain RYGB=1,1",
    "explain RYGB=1,1 RGOP=0,2",
    "rate RRYY",
    "rate --pair RYGB YGOP",
    "review RYGB=1,1 RGOP=0,2",
    "review RYGB=1,1 RGOP=0,2 PYYG=2,1 GYYO=4,0",
    "run --secret PYRO --shuffle --first-guess RRRR",
    "simulate --fraction 0.1",
    "run long.book --secret abcdefghijlk",
    "explain long.book",
    "rate long.book abcdefghijkl",
    "rate long.book --pair abcdefghijkl mlkjihgfedcb",
    "review long.book abcdefghijkl=222222222211",
    "run wide.book --secret YYRRYRYR",
    "review wide.book RRRRRRRR=4,0",
]


@pytest.mark.parametrize("kind", ["dumb", "screen"])
def test_reports_fit_40_columns(kind: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for report in REPORTS:
        run("presets")
        monkeypatch.setenv("COLUMNS", "40")
        monkeypatch.setenv("TERM", kind)
        result = run(*report.split())
        assert result.code == 0
        assert max(map(cell_len, result.out.splitlines())) <= 40, result.out


def test_explain_shows_chances_for_weighted_words(run: Run) -> None:
    game = gb.WordGame(["crane", "trace", "crate", "slate", "stale"], weights=[90, 4, 3, 2, 1])
    gb.build(game).save("weighted.book")
    lines = run("explain", "weighted.book", "", "slate").out.splitlines()
    heads = [line.split() for line in lines if line.startswith("guess ")]
    assert heads == [["guess", "chance", "bits", "cells", "largest", "expected"]] * 2
    crane = next(line.split() for line in lines if line.startswith("crane*"))
    assert crane[1] == "90.00%"
    assert "chance is the probability that the guess is the secret" in " ".join(lines)
    plain = run("explain", "small.book").out
    assert "chance is the probability" not in " ".join(plain.split())
    assert "worst  expected size" in plain


def test_rate_shows_that_best_guess_is_a_mirror_image(run: Run) -> None:
    lines = run("rate", "GYBR").out.splitlines()
    assert lines[3] == "  best      RYGB, 3.0567 bits, a mirror image of GYBR"


@pytest.mark.posix
@pytest.mark.parametrize(
    ("arguments", "guess", "encoding", "shown"),
    [
        # Absent letters, and ß, whose upper case has two letters.
        (
            "german.book --secret lustig",
            "straße",
            "utf-8",
            [" S  T  R  A  ß  E ", "Q W · · T Y U I"],
        ),
        ("words.book --secret night", "geese", "ascii", ["Q W . R T Y U I"]),
        ("russian.book --secret мышка", "мышка", "utf-8", ["М  Ы  Ш  К  А"]),
        ("russian.book --secret мышка", "кошка", "utf-8", ["А К М · Ш Ы"]),
    ],
)
def test_coloured_terminal_shows_tiles_and_keyboard(
    arguments: str, guess: str, encoding: str, shown: list[str]
) -> None:
    name, *rest = arguments.split()
    with terminal("play", name, *rest, PYTHONIOENCODING=encoding) as screen:
        screen.wait_for("guess 1")
        screen.type(f"{guess}\n")
        screen.type(":quit\n")
        assert screen.exit_code() == 0
        for text in shown:
            assert text in screen.text


@pytest.mark.posix
@pytest.mark.parametrize("color", [True, False])
def test_long_row_wraps_in_narrow_terminal(color: bool) -> None:
    settings = {"COLUMNS": "40"} | ({} if color else {"NO_COLOR": "1"})
    lines = ["RRRRRRRR", ":quit"]
    with terminal("play", "wide.book", "--secret", "RRRRYYYY", **settings) as screen:
        screen.wait_for("guess 1> ")
        screen.type("".join(f"{line}\n" for line in lines))
        assert screen.exit_code() == 0
        drawn = screen.text.partition("RRRRRRRR\r\n")[2].splitlines()
        assert "R R R R R R R R" in drawn[0].replace("  ", " ")
        assert drawn[1].startswith("  ")
        assert "4,0" in drawn[1]
        assert max(map(cell_len, drawn)) <= 40

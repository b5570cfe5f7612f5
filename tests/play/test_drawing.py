"""Drawn rows, keyboards and screens without Unicode or room."""

from __future__ import annotations

import os
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from guessbook.book import Mastermind, WordGame, parse_history
from guessbook.command.main import run
from guessbook.play.display import display_of
from guessbook.play.terminal.drawing import Screen
from guessbook.play.terminal.tiles import upper
from tests.helpers.command import START
from tests.helpers.plain import plain_book
from tests.helpers.samples import LONG

if TYPE_CHECKING:
    from guessbook.book import Game


def test_an_output_without_unicode(words: str, tmp_path: Path) -> None:
    """An ASCII terminal gets ASCII, also for words and for what it cannot show: no traceback."""
    plain_book(WordGame(["straße", "größer", "lustig"])).save(tmp_path / "german.book")
    bare = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "TERM": "screen", "COLUMNS": "40"}
    kept = {**os.environ, **bare, "PYTHONPATH": os.pathsep.join(sys.path)}
    for arguments, typed in (
        (["solve", words], "00000\nquit\n"),
        (["play", words, "--secret", "night"], "light\n?\nstraße\n:give-up\n"),
        (["hide", words], "light\n:quit\n"),
        (["play", "german.book", "--secret", "lustig"], "größer\n:give-up\n"),
        (["explain", "--book", "german.book"], ""),
        (["run", "german.book", "--secret", "lustig"], ""),
        (["share", "--book", words, "light=02222"], ""),
    ):
        done = subprocess.run(
            [*START, *arguments],
            input=typed.encode(),
            cwd=tmp_path,
            env=kept,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b""), arguments
        assert done.stdout.isascii()


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "ascii", "cp437"])
def test_no_character_ends_a_command(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    """A pipe on Windows takes what it can; кошка and pegs of emoji become escapes in it."""
    monkeypatch.chdir(tmp_path)
    plain_book(WordGame(["кошка", "мышка", "рыбка"])).save("cat.book")
    plain_book(Mastermind(2, 3, symbols="🎄🎅🦌")).save("emoji.book")
    for arguments, shown in (
        ("hint --book cat.book", "\\u0448"),
        ("info cat.book", "\\u043a"),
        ("tree cat.book", "\\u043a"),
        ("explain --book cat.book", "\\u043a"),
        ("run cat.book --secret мышка", "\\u043c"),
        ("play cat.book --secret мышка", "\\u043c"),
        ("solve cat.book", ""),
        ("hide cat.book", ""),
        ("simulate cat.book", ""),
        ("export cat.book --to dot -o -", ""),
        ("words --length 5 --dictionary cat.txt", ""),
        ("tree emoji.book", "\\U0001f384"),
        ("run emoji.book --secret 🎄🦌", "\\U0001f98c"),
        ("rate --book emoji.book 🎄🎅", "\\U0001f384"),
        (f"share --book {words} light=02222", ""),
    ):
        Path("cat.txt").write_text("кошка\n", "utf-8")
        out = TextIOWrapper(BytesIO(), encoding=encoding)
        typed = TextIOWrapper(BytesIO(b"\x81\x8d?\n:give-up\nquit\n"), encoding=encoding)
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stdin", typed)
        monkeypatch.setattr(sys, "argv", ["guessbook", *arguments.split()])
        assert run() == 0, arguments
        out.flush()
        found = out.buffer.getvalue()
        assert shown in found.decode("utf-8" if "-o -" in arguments else encoding, "replace")


def test_a_screen_with_colour_and_without_unicode(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The keyboard marks absent letters with what the output can show; ß stays one letter."""
    game = WordGame(["straße", "größer", "lustig"])
    history = parse_history(game, "straße=200000")
    for symbols, mark in ((True, "·"), (False, ".")):
        screen = Screen()
        monkeypatch.setattr(screen, "colour", True)
        monkeypatch.setattr(screen, "symbols", symbols)
        display_of(game).draw_symbols(screen, history, ["lustig"])
        assert mark in capsys.readouterr().out
        screen.row(game, 1, "straße", "200000")
        assert " S  T  R  A  ß  E " in capsys.readouterr().out
    assert len(upper("straße")) == 6


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize(
    ("game", "guess", "feedback"),
    [
        (Mastermind(15, 2), "R" * 15, "15,0"),
        (Mastermind(8, 2), "R" * 8, "4,0"),
        (WordGame(LONG), LONG[0], "222222222211"),
    ],
)
def test_a_long_row_fits_a_narrow_screen(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    game: Game,
    guess: str,
    feedback: str,
    colour: bool,
) -> None:
    """What does not fit beside a code comes below it, indented, and nothing is lost."""
    monkeypatch.setenv("COLUMNS", "40")
    screen = Screen()
    monkeypatch.setattr(screen, "colour", colour)
    screen.row(game, 1, guess, feedback, "1,296 left, symmetry")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 1
    assert max(map(cell_len, lines)) <= 40
    assert all(line.startswith("  ") for line in lines[1:])
    assert feedback in " ".join(lines)
    assert lines[-1].endswith("1,296 left, symmetry")


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        (["кошка", "мышка"], ["А К М О Ш Ы"]),
        (["12", "21"], ["1 2"]),
        (["ça", "où"], ["Q W E R T Y U I O P", "A S D F G H J K L", "Z X C V B N M", "Ç Ù"]),
    ],
)
def test_the_keyboard_is_that_of_the_words(
    words: list[str],
    keys: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In colour it has the letters of the words, on a typewriter's places where they are Latin."""
    screen = Screen()
    monkeypatch.setattr(screen, "colour", True)
    display_of(WordGame(words)).draw_symbols(screen, [], words)
    assert [line.strip() for line in capsys.readouterr().out.splitlines()] == keys

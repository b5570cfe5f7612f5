"""The command `build-book`: its options, its files and its output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from tests.helpers.command import KEYS, one_line
from tests.helpers.samples import WORD_GAME

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command import Run

SMALL = ("build-book", "--pegs", 2, "--colors", 3)


def test_command_writes_one_book_and_prints_its_statistics(run: Run, tmp_path: Path) -> None:
    result = run("build-book", "--pegs", 3, "--colors", 4, "--policy", "minimax")
    assert (result.code, result.err) == (0, "")
    (path,) = tmp_path.iterdir()
    assert path.name == "mastermind-3x4-minimax.book"
    known = gb.open(path).stats
    assert (known.policy, known.secrets) == ("minimax", 64)
    for words in (f"{known.mean_guesses:.4f}", f"{known.nodes}", "bytes", "seconds", "█"):
        assert words in result.out


def test_json_has_the_keys_of_info_and_the_seconds(run: Run) -> None:
    data = json.loads(run(*SMALL, "--json", "-o", "a.book").out)
    assert list(data) == [*KEYS, "seconds"]
    seconds = data.pop("seconds")
    assert isinstance(seconds, float)
    assert seconds > 0
    assert json.loads(run("info", "a.book", "--json").out) == data


def test_options_of_game_and_policy_are_in_the_book(run: Run, tmp_path: Path) -> None:
    options = "--pegs 3 --colors 5 --no-repeats --symbols abcde --first-guess BCD --jobs 2 --stats"
    result = run("build-book", *options.split())
    assert result.code == 0, result.err
    assert "pairs scored" in result.out
    (path,) = tmp_path.iterdir()
    assert path.name == "bulls-and-cows-3x5-entropy-bcd.book"
    book = gb.open(path)
    assert book.game == gb.Mastermind(3, 5, repeats=False, symbols="abcde")
    assert book.stats.options == {"first_guess": "bcd"}
    assert run("verify", path, "--policy").code == 0


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("--memory 4M", {"memory": 4 << 20}),
        ("--memory 4096kb", {"memory": 4 << 20}),
        ("--stop-at-gap 30%", {"gap": 0.3}),
        ("--stop-at-gap 0.3", {"gap": 0.3}),
    ],
)
def test_memory_and_gap_have_several_notations(
    run: Run, tmp_path: Path, options: str, expected: dict[str, Any]
) -> None:
    command = f"build-book --pegs 3 --colors 5 --policy optimal -o a.book {options}"
    assert run(*command.split()).code == 0
    book = gb.build("mastermind-3x5", "optimal", **expected)
    assert (tmp_path / "a.book").read_bytes() == book.to_bytes()


def test_book_is_written_to_stdout(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [sys.executable, "-m", "guessbook", *map(str, SMALL), "-o", "-"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    assert not list(tmp_path.iterdir())
    assert done.stdout == gb.build("mastermind-2x3").to_bytes()
    assert b"total        21 guesses" in done.stderr
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "terminal" in one_line(run("build-book", "-o", "-"))


def test_first_guess_unfit_for_a_file_name_is_replaced_by_its_index(
    run: Run, tmp_path: Path
) -> None:
    assert run(*SMALL, "--symbols", "/.x", "--first-guess", "/.").code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["mastermind-2x3-entropy-1.book"]


# A build of this game would take hours.
HUGE = ("build-book", "--pegs", 8, "--colors", 8, "--policy", "rollout", "-o")


def test_existing_file_is_replaced_only_with_force(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.book"
    path.write_text("mine")
    assert "--force" in one_line(run(*HUGE, path))
    assert path.read_text() == "mine"
    assert run(*SMALL, "-o", path, "--force").code == 0
    assert gb.open(path).stats.secrets == 9


@pytest.mark.posix
@pytest.mark.parametrize("target", ["nowhere/a.book", ".", "pipe", "loop", "dangling", "locked/a"])
def test_unusable_output_path_is_rejected_before_the_build(
    run: Run, tmp_path: Path, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "dangling").symlink_to("nowhere/b")
    (tmp_path / "locked").mkdir()
    access = os.access
    # The tests may run as root, who may write everywhere.
    monkeypatch.setattr(os, "access", lambda p, mode: "locked" not in str(p) and access(p, mode))
    result = run(*HUGE, target)
    assert result.code == 1
    one_line(result)


def test_file_created_during_the_build_is_not_overwritten(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system_cpus = os.cpu_count

    def appear() -> int | None:
        (tmp_path / "a.book").write_bytes(b"theirs")
        return system_cpus()

    with monkeypatch.context() as patch:
        patch.setattr(os, "cpu_count", appear)
        one_line(run(*SMALL, "-o", "a.book"))
        assert (tmp_path / "a.book").read_bytes() == b"theirs"
        (tmp_path / "a.book").unlink()
        assert run(*SMALL, "-o", "a.book", "--force").code == 0
    assert gb.open(tmp_path / "a.book").stats.secrets == 9
    assert [path.name for path in tmp_path.iterdir()] == ["a.book"]


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp437"])
@pytest.mark.parametrize("width", [40, 80, 200])
def test_info_fits_the_width_and_encoding_of_the_terminal(
    run: Run, book_file: Path, width: int, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(type(sys.stdout), "encoding", encoding, raising=False)
    text = run("info", book_file).out
    lines = [line for line in text.splitlines() if str(book_file) not in line]
    assert max(map(len, lines)) <= width
    text.encode(encoding)
    assert ("█" in text) == (encoding != "ascii")


def test_info_draws_a_bar_for_every_count_above_0(run: Run) -> None:
    gb.build(WORD_GAME, first_guess=WORD_GAME.guesses[-1]).save("words.book")
    for name, shown in (("mastermind-5x8", [True] * 8), ("words.book", [False, True])):
        rows = [line for line in run("info", name).out.splitlines() if line[:7].strip().isdigit()]
        assert ["█" in row for row in rows][: len(shown)] == shown
        assert max(row.count("█") for row in rows) == 40

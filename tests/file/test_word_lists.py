"""Hostile word lists, file names and arguments: rejected, or harmless where they are shown."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import guessbook as gb
from tests.helpers.command import complaint

if TYPE_CHECKING:
    from tests.helpers.command import Result, Run

# Control characters, other directions, invisible or combining characters, formulas, markup.
HOSTILE = [
    *["\x1b[2J", "\x1b]0;title\x07", "\x9b31m", "\x00", "\x7f", "\r", "\t", "\v", "\x85", "\u2028"],
    *["\u202e", "\u2066", "\u200b", "\u00ad", "\ufeff", "\ufe0f", "\U000e0041", "\u0301"],
    *["e\u0301", "\u1100\u1161", "İ", "ŉ", "ǆ", "ﬁ", "\ue000", "\ufdd0", *"=+-@'\"<>&|,;"],
]
NAMES = ["\x1b[31mred", "bell\x07", "line\nline", "exe.\u202etxt", "no\u200bthing", "raw\udcff"]

texts = st.lists(st.sampled_from([*HOSTILE, "\n", "\r\n", "crane", "a"]), max_size=12).map("".join)
encodings = st.sampled_from(["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-32"])
contents = st.one_of(
    st.binary(max_size=100),
    st.builds(lambda text, encoding: text.encode(encoding, "replace"), texts, encodings),
)


def harmless(result: Result) -> Result:
    """Check that each line of a result is printable, and return the result."""
    assert all(line.isprintable() for line in (result.out + result.err).split("\n"))
    return result


def game_of(run: Run, secrets: Path, guesses: Path | None = None) -> gb.Game | None:
    """Build a book with word lists, and return its game; None if they are rejected."""
    more = () if guesses is None else ("--guesses", guesses)
    arguments = ("build-book", "--answers", secrets, *more, "-o", "out.book", "--force")
    result = harmless(run(*arguments))
    if result.code:
        assert len(complaint(result, 2)) < 400
        return None
    game = gb.open("out.book").game
    for word in game.guesses:
        assert word.isprintable()
        assert word == normalize("NFC", word.lower())
        assert all(sign.isalpha() or sign in "0123456789+-*/=()^" for sign in word)
    return game


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=contents, second=contents)
def test_any_word_lists_are_rejected_or_harmless(
    run: Run, tmp_path: Path, first: bytes, second: bytes
) -> None:
    (tmp_path / "a").write_bytes(first)
    (tmp_path / "b").write_bytes(second)
    game_of(run, tmp_path / "a", tmp_path / "b")
    result = harmless(run("words", "--dictionary", "a", "--length", "5", "-o", "c", "--force"))
    if result.code == 0:
        words = (tmp_path / "c").read_text("utf-8").split()
        assert {len(word) for word in words} == {5}
        assert gb.WordGame(words).guesses == tuple(words)
    else:
        complaint(result, 2)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_character_in_a_word_is_reported_with_its_line(
    run: Run, tmp_path: Path, hostile: str
) -> None:
    (tmp_path / "a").write_text(f"abcde\nab{hostile}cd\n", "utf-8")
    result = harmless(run("build-book", "--answers", "a", "-o", "a.book"))
    assert result.code == 0 or "line 2 of a" in complaint(result, 2)


def test_word_lists_are_normalized(run: Run, tmp_path: Path) -> None:
    for content, words in (
        (b"\xef\xbb\xbfcrane\r\n\r\nslate \r\n", ("crane", "slate")),
        ("e\u0301tat\n\u00e9tat\nClef\n".encode(), ("\u00e9tat", "clef")),
        (b"3+4=7\n5-1=4", ("3+4=7", "5-1=4")),
    ):
        (tmp_path / "a").write_bytes(content)
        game = game_of(run, tmp_path / "a")
        assert game is not None
        assert game.secrets == words


@pytest.mark.parametrize(
    ("secrets", "guesses"),
    [
        *((b"a", b"aa"), (b"aa", b"a"), (b"a", b"aa\nbb"), (b"ab\nc", b"ab\nba"), (b"ab", b"")),
        *(("crane\néclat".encode(code), b"crane") for code in ("latin-1", "utf-16", "cp037")),
    ],
)
def test_inconsistent_or_undecodable_word_lists_are_rejected(
    run: Run, tmp_path: Path, secrets: bytes, guesses: bytes
) -> None:
    (tmp_path / "a").write_bytes(secrets)
    (tmp_path / "b").write_bytes(guesses)
    assert game_of(run, tmp_path / "a", tmp_path / "b") is None


# How much is read.

LITTLE_MEMORY = """
import re, resource, sys
from pathlib import Path
import guessbook as gb
from guessbook.command.main import run
path, *arguments = sys.argv[1:]
sys.argv = ["guessbook", *arguments, "no such file"]
run()
used = int(re.search(r"VmSize:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) << 10
resource.setrlimit(resource.RLIMIT_AS, (used + (24 << 20), used + (24 << 20)))
sys.argv[-1] = path
sys.exit(run())
"""
READERS = [("build-book", "-o", "a.book", "--answers"), ("words", "-o", "b", "--dictionary")]


@pytest.mark.posix
@pytest.mark.parametrize(
    "name", ["hole", "line", "words", pytest.param("blank", marks=pytest.mark.nightly)]
)
def test_too_large_word_lists_are_rejected_in_little_memory(tmp_path: Path, name: str) -> None:
    """Most of these files are sparse, so they take little room on the disk."""
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc/self/status")
    path = tmp_path / name
    starts = {"line": b"crane\nsl", "words": b"crane\nslate\n" * 100, "blank": b"\n" * 4_000_001}
    path.write_bytes(starts.get(name, b""))
    os.truncate(path, {"hole": 1 << 40, "line": 64 << 20, "words": 1 << 33}.get(name, 4_000_001))
    for reader in READERS:
        found = subprocess.run(
            [sys.executable, "-c", LITTLE_MEMORY, path, *reader], capture_output=True, text=True
        )
        assert found.returncode == 2, found.stderr
        assert ("line 2" if name == "line" else "larger") in found.stderr.splitlines()[-1]


@pytest.mark.posix
@pytest.mark.parametrize(
    ("content", "most"),
    [
        *((b"x", 1000), (b"\0", 1000), (b"\xff", 1000)),
        (b"crane" + b" " * 900 + b"\n", 64 << 20),
    ],
)
def test_endless_pipe_is_read_up_to_the_limit(run: Run, content: bytes, most: int) -> None:
    reading, writing = os.pipe()
    written = 0

    def pour() -> None:
        nonlocal written
        with suppress(BrokenPipeError):
            while True:
                written += os.write(writing, content * 4096)

    source = threading.Thread(target=pour)
    source.start()
    try:
        complaint(run(*READERS[0], f"/dev/fd/{reading}"), 2)
    finally:
        os.close(reading)
        source.join()
        os.close(writing)
    # The reader, the pipe and the writer hold a block each.
    assert written <= most + (1 << 18) + 4096 * len(content)


@pytest.mark.posix
def test_word_list_may_be_a_pipe_but_not_a_device_or_folder(run: Run, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"crane\nslate\n")
    os.close(writing)
    game = game_of(run, Path(f"/dev/fd/{reading}"))
    assert game is not None
    assert game.secrets == ("crane", "slate")
    os.close(reading)
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/zero", "/dev/null", "pipe", ".", "x" * 5000):
        for reader in READERS:
            complaint(harmless(run(*reader, path)), 2)


# Where texts are shown.


@pytest.mark.parametrize("name", NAMES)
def test_hostile_file_names_are_shown_harmlessly(run: Run, tmp_path: Path, name: str) -> None:
    ends = "txt", "bad", "book", "out", "svg"
    words, broken, book, out, svg = (tmp_path / f"{name}.{end}" for end in ends)
    words.write_text("Crane\nslate\nbrand\n")
    broken.write_text("crane\nsl\n")
    for arguments, code in (
        (("build-book", "--answers", words, "-o", book), 0),
        (("info", book), 0),
        (("info", book, "--json"), 0),
        (("verify", book), 0),
        (("run", book, "--secret", "slate"), 0),
        (("simulate", book), 0),
        (("tree", book), 0),
        (("hint", "--book", book), 0),
        (("hint", "--book", book, "--json"), 0),
        (("explain", "--book", book), 0),
        (("compare", book, "--answers", words, "--svg", svg), 0),
        (("words", "--dictionary", words, "-o", out, "--force"), 0),
        (("export", "--to", "dot", book, "-o", out, "--force"), 0),
        (("report", book, "-o", out, "--force"), 0),
        (("build-book", "--answers", broken), 2),
        (("build-book", "--answers", tmp_path / f"{name}.no"), 2),
        (("build-book", "--answers", words, "-o", book), 1),
        (("build-book", "--answers", words, "-o", words / "a"), 1),
        (("info", words), 3),
        (("info", tmp_path / f"{name}.no"), 2),
        (("words", "--dictionary", words, "-o", out), 1),
        (("words", "--dictionary", broken, "--length", 9), 2),
        (("compare", book, "--pegs", 2), 2),
    ):
        result = harmless(run(*arguments))
        assert result.code == code, arguments


@pytest.mark.parametrize("name", NAMES)
def test_hostile_arguments_are_shown_harmlessly(run: Run, name: str) -> None:
    options = ["policy", "first-guess", "openings", "preset", "symbols", "pegs", "scoring"]
    for arguments in (
        *((name,), ("hint", name), ("hint", f"{name}=1,1"), ("hint", f"RYGB={name}")),
        *((("build-book", f"--{option}", name)) for option in options),
        *(("hint", f"--{name}"), ("build-book", "--policy", f"rollout:{name}=1")),
        *(("run", "--secret", name), ("rate", name), ("review", "RYGB=1,1", "--secret", name)),
        *(("simulate", "--fraction", name), ("compare", name)),
    ):
        assert harmless(run(*arguments)).code == 2, arguments


def test_csv_cells_of_hostile_labels_are_not_formulas(run: Run, tmp_path: Path) -> None:
    labels = [
        "=1+1",
        "@A1",
        "-1",
        "+1",
        "＝1",
        "＋1",
        "－1",
        "＠A",
        "a;=1",
        '"=1"',
        "'a",
        "a, b",
        "a",
    ]
    games: dict[str, gb.Game] = {
        "codes": gb.Mastermind(2, 8, symbols="+-@\"';|a"),
        "labels": gb.TableGame(labels, labels, lambda a, b: (a > b) - (a < b)),
    }
    for name, game in games.items():
        gb.build(game).save(tmp_path / f"{name}.book")
        assert run("simulate", f"{name}.book", "-o", f"{name}.csv").code == 0
        text = (tmp_path / f"{name}.csv").read_text("utf-8")
        head, *rows = csv.reader(io.StringIO(text, newline=""))
        assert head == ["secret", "guesses"]
        assert len(rows) == len(game.secrets)
        for secret, (cell, guesses) in zip(game.secrets, rows, strict=True):
            assert cell == ("'" + secret if secret[0] in "=+-@＝＋－＠'" else secret)
            assert int(guesses) >= 1

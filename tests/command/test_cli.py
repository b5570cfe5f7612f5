"""The command line: help, usage, hints, and what happens when things go wrong."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from typing import TYPE_CHECKING

import msgpack
import pytest

from guessbook.book.file.compression import compress, decompress
from guessbook.book.summary import plain
from guessbook.command.app import COMMANDS
from guessbook.lookup import Book, open_book
from guessbook.lookup.hint import Hint
from guessbook.play import Session

if TYPE_CHECKING:
    from pathlib import Path
from tests.helpers.command import START, Run, complaint, one_line

HINT_KEYS = ["guess", "source", "remaining", "entropy", "candidate", "solved", "chance"]


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("command", ["", "build-book", "hint", "info", "verify"])
def test_help(run: Run, command: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--help` exits 0, shows an example, and fits the width of the terminal."""
    monkeypatch.setenv("COLUMNS", str(width))
    result = run(*command.split(), "--help")
    assert result.code == 0
    assert f"guessbook {command}".strip() in result.out
    assert "Example: guessbook" in " ".join(result.out.split())
    assert max(map(len, result.out.splitlines())) <= width


def test_version(run: Run) -> None:
    """`--version` is one line with the name of the program."""
    result = run("--version")
    assert result.code == 0
    assert result.out.startswith("guessbook ")
    assert result.out.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", ["", "frobnicate", "hint --frobnicate", "info a b", "build-book --jobs 0"]
)
def test_wrong_usage_exits_2(run: Run, arguments: str) -> None:
    """No command, an unknown one, or a wrong option is exit code 2."""
    assert run(*arguments.split()).code == 2


def test_hint_says_what_the_book_says(run: Run, book_file: Path) -> None:
    """`hint` prints guess, candidates, bits and source; `--json` the same as data."""
    first = open_book(book_file).hint([])
    result = run("hint", "--book", book_file)
    assert result.code == 0
    assert f"guess       {first.guess}" in result.out
    assert f"candidates  {first.remaining} of 64" in result.out
    assert f"entropy     {first.entropy:.4f} bits" in result.out
    assert "source      book" in result.out
    data = json.loads(run("hint", "--book", book_file, "--json").out)
    assert list(data) == HINT_KEYS
    assert data == plain(first)


def test_hint_after_a_history(run: Run, book_file: Path) -> None:
    """Entries in any order and notation give what `Book.hint` gives."""
    history = ["RRY=0,1", "GBR=1,0,2"]
    expected = open_book(book_file).hint(history)
    for arguments in (history, history[::-1], ["rry=0B1W", "GBR=200"]):
        data = json.loads(run("hint", "--json", "--book", book_file, *arguments).out)
        assert (data["guess"], data["remaining"]) == (expected.guess, expected.remaining)


def test_hint_says_when_it_is_certain(run: Run, book_file: Path) -> None:
    """With one candidate left the hint says so; after the right guess it says solved."""
    book = open_book(book_file)
    leaf = next(node for node in book.nodes if node.remaining == 1)
    history: list[str] = []
    node = book.root
    while node.remaining > 1:
        feedback = book.game.feedback(node.guess, leaf.guess)
        history.append(f"{node.guess}={feedback}")
        child = node.child(feedback)
        assert child is not None
        node = child
    assert "certain" in run("hint", "--book", book_file, *history).out
    solved = run("hint", "--book", book_file, *history, f"{leaf.guess}=3,0")
    assert solved.code == 0
    assert f"{leaf.guess}\nsolved" in solved.out


def test_hint_for_an_inconsistent_history_exits_4(run: Run, book_file: Path) -> None:
    """A history that no secret fits is exit code 4; the message names what to re-check."""
    result = run("hint", "--book", book_file, "RRR=0,0", "YYY=0,0", "GGG=0,0", "BBB=0,0")
    assert result.code == 4
    for entry in ("RRR=0,0", "YYY=0,0", "GGG=0,0", "BBB=0,0"):
        assert entry in one_line(result)


@pytest.mark.parametrize("entry", ["RRX=1,0", "RR=1,0", "RRY=4,0", "RRY=2,1", "RRY", "RRY="])
def test_hint_for_what_is_no_history_exits_2(run: Run, book_file: Path, entry: str) -> None:
    """A code or feedback that the game does not know is exit code 2 and one line."""
    result = run("hint", "--book", book_file, entry)
    assert result.code == 2
    assert "found" in one_line(result)


def test_the_error_of_a_hostile_book_cannot_write_to_the_terminal(
    run: Run, small_book: Book, tmp_path: Path
) -> None:
    """Escape sequences in a header never reach the output."""
    content = msgpack.unpackb(decompress(small_book.to_bytes()))
    content["policy"] = {"name": "entropy", "first_guess": "\x1b[31mRYG"}
    path = tmp_path / "a.book"
    path.write_bytes(compress(msgpack.packb(content)))
    result = run("info", path)
    assert result.code == 3
    assert "\x1b" not in result.out + result.err


def test_what_is_the_book(run: Run, book_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file, a shipped name and a preset are the book, as an argument and as an option."""
    expected = run("hint", "--book", book_file, "RRY=0,1")
    assert expected.code == 0
    assert run("hint", book_file, "RRY=0,1") == expected
    assert run("hint", "RRY=0,1", book_file) == expected, "nor does its place matter"
    assert "of 32,768" in run("hint", "mastermind-5x8").out
    assert "of 32,768" in run("hint", "super-mastermind").out, "a preset whose book is shipped"
    monkeypatch.setenv("GUESSBOOK_BOOK", str(book_file))
    assert run("hint", "RRY=0,1") == expected
    assert "of 1,296" in run("hint", "mastermind-4x6").out
    monkeypatch.setenv("GUESSBOOK_BOOK", "mastermnd-4x6")
    said = complaint(run("hint"), 2)
    assert said.startswith("Error: GUESSBOOK_BOOK: found no book")
    assert said.endswith("did you mean mastermind-4x6?")


def test_errors_of_options_name_them(run: Run) -> None:
    """In JSON as well."""
    for arguments in (["table", "--pegs", 99], ["candidates", "--count", 0]):
        assert f"Invalid value for '{arguments[1]}'" in one_line(run(*arguments, "--json"))


def test_a_preset_without_a_book_is_built(run: Run) -> None:
    """It is said, with the command that keeps it, and the book is that of `build-book`."""
    result = run("info", "mastermind-for-kids", "--json")
    assert "guessbook build-book --preset mastermind-for-kids" in result.err
    built = json.loads(run("build-book", "--preset", "mastermind-for-kids", "--json").out)
    known = json.loads(result.out)
    assert known["path"] == "mastermind-for-kids"
    assert {**known, "path": ""} == {**{key: built[key] for key in known}, "path": ""}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("crane\nslate\n", r"a list of words, expected a book; .*build-book --answers \S+"),
        ("a,b\n1,2\n", "a table, expected a book; .*build-book --table"),
        ("RYGB 1,1\nRGOP 0,2\n", "guesses, expected a first line .* # Guessbook game of"),
        ("RYGB=1.1\n", "guesses, expected a first line .* # Guessbook game of"),
        ("{}", "not a book"),
    ],
)
def test_what_is_no_book(run: Run, tmp_path: Path, content: str, said: str) -> None:
    """The complaint names the file, and the command that makes a book of it."""
    (tmp_path / "some.txt").write_text(content)
    message = complaint(run("info", "some.txt"), 3)
    assert re.fullmatch(f"Error: some.txt: .*{said}.*", message)


def test_a_folder_is_no_book(run: Run, tmp_path: Path) -> None:
    """The complaint names books in it."""
    (tmp_path / "books").mkdir()
    assert "the folder books without books" in complaint(run("info", "books"), 2)
    (tmp_path / "books" / "a.book").touch()
    said = complaint(run("info", "books"), 2)
    assert "with a.book" in said
    assert said.endswith("name one: guessbook hint books/a.book")
    (tmp_path / "books").rename(tmp_path / "my books")
    assert complaint(run("info", "my books"), 2).endswith(" hint 'my books/a.book'")
    (tmp_path / "bulls-and-cows").mkdir()
    assert run("hint", "bulls-and-cows").code == 0, "a preset is not hidden by a folder"


def test_a_history_where_none_is_taken(run: Run, book_file: Path) -> None:
    """The complaint says which commands take one; others do not offer it."""
    assert "expected a book; give a history to" in complaint(run("play", "RYGB=1,1"), 2)
    assert "GUESS=FEEDBACK" not in complaint(run("play", "nonsense"), 2)
    assert "nor GUESS=FEEDBACK" in complaint(run("hint", "nonsense"), 2)


def test_an_entry_with_a_space(run: Run, book_file: Path, tmp_path: Path) -> None:
    """One argument, or text of a JSON list, may have a space for its `=`; a file may have one."""
    expected = run("hint", book_file, "RRY=0,1", "--json")
    assert run("hint", book_file, "R r y 0,1", "--json") == expected
    assert run("bot", book_file, lines='["RRY 0,1"]\n').out == expected.out
    (tmp_path / "a b.book").write_bytes(book_file.read_bytes())
    assert run("hint", "a b.book", "RRY 0,1", "--json") == expected
    assert "found no book 'c d.book'" in complaint(run("hint", "c d.book"), 2)
    far = "/".join(["folder"] * 20) + "/none.book"
    assert f"found no book '{far}', nor" in complaint(run("hint", far), 2)


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        ("hnt", "hint"),
        ("info bagel", "bagels"),
        ("build-book --preset bagel", "bagels"),
        ("build-book --policy minimx", "minimax"),
        ("build-book --policy rollout --base entrop", "entropy"),
        ("compare minimx", "minimax"),
        ("export --to jso", "json"),
    ],
)
def test_a_name_that_is_nearly_another(run: Run, arguments: str, near: str) -> None:
    """The complaint asks whether that one was meant."""
    result = run(*arguments.split())
    assert result.code == 2
    assert f"did you mean {near}?" in " ".join(result.err.split())


def test_guessbook_alone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows every command by what it is for, and three first steps, which work, in its width."""
    monkeypatch.setenv("COLUMNS", "40")
    narrow = run().out
    monkeypatch.setenv("COLUMNS", "80")
    result = run()
    assert narrow.split() == result.out.split()
    for width, out in ((40, narrow), (80, result.out)):
        assert max(map(len, out.splitlines())) <= width
    assert result.code == 2
    assert all(re.search(rf"\b{name}\b", result.out) for name in COMMANDS)
    steps = [line.split("   ")[0] for line in result.out.splitlines() if "  guessbook " in line]
    assert len(steps) == 3
    for step in steps:
        assert run(*step.split()[1:]).code == 0


@pytest.mark.posix
def test_completion_in_bash(tmp_path: Path) -> None:
    """What Typer writes for bash completes commands and options."""
    # Else Typer asks the system in which shell it runs, which may be none.
    script = subprocess.run(
        [*START, "--show-completion", "bash"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
    ).stdout
    program = tmp_path / "guessbook"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(START)} "$@"\n')
    program.chmod(0o755)
    words = "COMP_WORDS=(guessbook hi); COMP_CWORD=1"
    ask = f"{words}; _guessbook_completion guessbook; echo ${{COMPREPLY[@]}}"
    done = subprocess.run(
        ["bash", "-c", f"{script}\n{ask}"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
    )
    assert sorted(done.stdout.split()) == ["hide", "hint"]


def test_candidates(run: Run, book_file: Path) -> None:
    """A line each, in the order of the game; all of them, or the first; as JSON and as CSV."""
    history = ["RRY=0,1"]
    codes = Session(open_book(book_file), history).candidates()
    assert len(codes) > 2
    assert run("candidates", book_file, *history).out.split() == codes
    assert run("candidates", book_file, *history, "--count", 2).out.split() == codes[:2]
    found = json.loads(run("candidates", book_file, *history, "--json").out)
    assert found == {"remaining": len(codes), "among_guesses": False, "candidates": codes}
    assert run("candidates", book_file, *history, "--csv").out.split() == ["candidate", *codes]
    assert complaint(run("candidates", book_file, "RRR=1,0", "RRR=2,0"), 4)


def test_bot(run: Run, book_file: Path) -> None:
    """A line of JSON for each line: hints as `hint --json` gives them, and errors as it does."""
    lines = ["", "RRY=0,1 GBR=1,0", '["RRY=0,1"]', "RRX=1,0", "[", "RRR=1,0 RRR=2,0"]
    result = run("bot", book_file, lines="\n".join(lines) + "\n")
    assert (result.code, result.err) == (0, "")
    first, second, third, *wrong = map(json.loads, result.out.splitlines())
    book = open_book(book_file)
    assert first == plain(book.hint())
    assert second == plain(book.hint(lines[1]))
    assert third == plain(book.hint(["RRY=0,1"]))
    assert [list(error) for error in wrong] == [["error", "exit_code", "suspects"]] * 3
    assert [error["exit_code"] for error in wrong] == [2, 2, 4]
    assert wrong[2]["suspects"] == [0, 1]
    assert json.loads(run("hint", book_file, "RRX=1,0", "--json").out) == wrong[0]


BAD_LINES = {
    "nested 3,000 deep": "[" * 3000 + "]" * 3000,
    "nested 900 deep": '["RRY=0,1", ' + "[" * 900 + "]" * 900 + "]",
    "nested 9 deep": "[" * 9 + "]" * 9,
    "a number of 5,000 digits": "[" + "9" * 5000 + "]",
    "a number of 4,000 digits": f'[["RRY", [{"9" * 4000}, 0]]]',
    "infinity": '[["RRY", [1e999, NaN]]]',
    "other types": '[{"RRY": "0,1"}, null, true]',
    "half a letter": r'["\ud800=0,1"]',
    "no characters": "\0\x1b\ufffd",
    "60,000 equals signs": "=" * 60_000,
    "a line too long": "RRY=0,1 " * 9000,
    "a list too long": "[" * 200_000,
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_bad_line_is_one_error_for_bot(run: Run, book_file: Path, name: str) -> None:
    """Whatever a line holds, it gets one error, and the lines after it are answered."""
    result = run("bot", book_file, lines=f"{BAD_LINES[name]}\nRRY=0,1\n{BAD_LINES[name]}")
    assert (result.code, result.err) == (0, "")
    wrong, right, last = map(json.loads, result.out.splitlines())
    assert right == plain(open_book(book_file).hint("RRY=0,1"))
    assert wrong == last
    assert (list(wrong), wrong["exit_code"]) == (["error", "exit_code", "suspects"], 2)
    assert 0 < len(wrong["error"]) < 300
    assert wrong["error"].isprintable()


def test_bot_reads_lines_up_to_its_limit(run: Run, book_file: Path) -> None:
    """A line of 65,536 characters is read, with or without an end of line."""
    line = "RRY=0,1".ljust(1 << 16)
    hints = run("bot", book_file, lines=f"{line}\n{line}").out.splitlines()
    assert list(map(json.loads, hints)) == [plain(open_book(book_file).hint("RRY=0,1"))] * 2


def test_bot_goes_on_where_memory_ends(
    run: Run, book_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question for which there is too little memory is an error of its line."""

    def hint(self: Book, history: object = ()) -> Hint:
        if history:
            raise MemoryError
        return found

    found = open_book(book_file).hint()
    monkeypatch.setattr(Book, "hint", hint)
    wrong, right = map(json.loads, run("bot", book_file, lines="RRY=0,1\n\n").out.splitlines())
    assert (wrong["exit_code"], "memory" in wrong["error"]) == (1, True)
    assert right == plain(found)

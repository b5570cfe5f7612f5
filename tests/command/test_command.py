"""What all commands share: help, usage, exit codes, and how a book and a history are named."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

import guessbook as gb
from tests.helpers.command import START, Run, complaint
from tests.helpers.content import document, pack
from tests.helpers.tables import LAMP

if TYPE_CHECKING:
    from pathlib import Path

# By group, as the overview lists them.
COMMANDS = [
    *["hint", "candidates", "explain", "rate", "score", "bot"],
    *["solve", "play", "hide", "run", "review", "share"],
    *["build-book", "presets", "table", "words", "compare", "import"],
    *["info", "tree", "report", "simulate", "verify"],
    *["export", "serve"],
]
# The options of policies, with a value for each.
POLICY_OPTIONS = {
    "base": "parts",
    "depth": 2,
    "width": 2,
    "max_guesses": 9,
    "within": 3,
    "endgame": 2,
    "random_seed": 2,
    "consistent_only": True,
    "hard_mode": True,
}
WITHOUT_JSON = {"bot", "solve", "play", "hide", "words", "serve"}


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_the_terminal_and_has_an_example(run: Run, command: str) -> None:
    wide = run(command, "--help").out
    narrow = run(command, "-h", columns=44).out
    for width, text in ((80, wide), (44, narrow)):
        assert f"Usage: guessbook {command} [OPTIONS]" in " ".join(text.split())
        assert max(map(len, text.splitlines())) <= width
    assert "".join(wide.split()) == "".join(narrow.split())
    assert "docs/" not in wide
    assert "<str>" not in wide
    assert "<list" not in wide
    assert not re.findall("--[a-z-]*_[a-z_]*", wide)
    assert ("  --json " in wide) == (command not in WITHOUT_JSON)
    (example,) = re.findall(r"Example: guessbook (.*?)\n\n", wide, re.DOTALL)
    assert example.split()[0] == command


def test_overview_lists_all_commands_and_first_steps_that_work(run: Run) -> None:
    narrow, wide = run(columns=40), run()
    assert narrow.code == wide.code == 2
    assert narrow.out.split() == wide.out.split()
    for width, out in ((40, narrow.out), (80, wide.out)):
        assert max(map(len, out.splitlines())) <= width
    groups = re.findall(r"^[A-Z][a-z ]+:\s+([a-z, -]+)$", wide.out, re.MULTILINE)
    assert [name for group in groups for name in group.split(", ")] == COMMANDS
    steps = re.findall(r"^  guessbook (.*?)   ", wide.out, re.MULTILINE)
    assert len(steps) == 3
    for step in steps:
        assert run(*step.split()).code == 0


def test_version_is_printed(run: Run) -> None:
    assert re.fullmatch(r"guessbook \d+\.\d+\S*\n", run("--version").out)


@pytest.mark.parametrize("command", sorted({*COMMANDS} - WITHOUT_JSON))
def test_errors_are_json_with_the_json_option(run: Run, command: str) -> None:
    result = run(command, "--nonsense", "--json")
    assert complaint(result, 2).startswith("Error: No such option: --nonsense")
    assert json.loads(result.out)["suspects"] == []


@pytest.mark.parametrize("command", ["hint", "info", "compare", "play", "export --to"])
def test_argument_too_long_for_a_file_name_is_a_usage_error(run: Run, command: str) -> None:
    said = complaint(run(*command.split(), "x" * 5000), 2)
    assert "'xxx" in said


@pytest.mark.parametrize(
    ("options", "accepted", "refused"),
    [
        ([], "RYGB PYRO", "RYGB WKRO"),
        (["--no-repeats"], "9876 0123", "0012 0123"),
        (["--colors", 7], "RYGB WYRO", "RYGB KYRO"),
        (["--pegs", 3, "--symbols", "abc"], "cba abc", "abd abc"),
        (["--symbols", "red,star", "--blanks"], "RS__ _SSR", "RX__ RRRR"),
        (["--no-repeats", "--colors", 4, "--blanks"], "012_ 3_01", "00__ 0123"),
        (["--preset", "bagels"], "123 490", "1234 1234"),
        (["bagels"], "123 490", "112 490"),
    ],
)
def test_options_of_a_game_decide_which_codes_are_accepted(
    run: Run, options: list[object], accepted: str, refused: str
) -> None:
    assert run("score", *options, *accepted.split()).code == 0
    assert run("score", *options, *refused.split()).code == 2


@pytest.mark.usefixtures("small")
def test_feedback_with_a_dash_in_front_is_not_an_option(run: Run) -> None:
    hint = run("hint", "words.book", "light=02222", "--json")
    assert run("hint", "words.book", "light", "-gggg", "--json") == hint
    assert run("hint", "words.book", "light", "-----") == run("hint", "words.book", "light=00000")
    assert run("hint", "words.book", "light", "-ggg").code == 2


def test_omitted_policy_options_have_their_defaults(run: Run) -> None:
    small = ("build-book", "--pegs", 2, "--colors", 3, "--json")
    known = json.loads(run(*small, "--policy", "rollout", "--width", 5).out)
    assert (known["policy"], known["options"]) == ("rollout", {"base": "entropy", "width": 5})
    known = json.loads(run(*small).out)
    assert (known["policy"], known["options"]) == ("entropy", {})


@pytest.mark.parametrize("option", POLICY_OPTIONS)
def test_help_of_a_policy_option_names_the_policies_that_have_it(run: Run, option: str) -> None:
    """The help may name the policies without the option instead. One-step policies are ignored."""
    text = run("build-book", "--help").out
    (said,) = re.findall(rf"^  --{option.replace('_', '-')} .*?(?=^  -)", text, re.M | re.S)
    others = {"consistent", "positional", "lookahead", "rollout", "optimal", "win"}
    having = set()
    for name in others:
        policy = {"name": name, option: POLICY_OPTIONS[option]}
        with suppress(gb.UsageError):
            gb.make_policy({"within": 3, **policy} if name == "win" else policy)
            having.add(name)
    named = {name for name in others if re.search(rf"(?<!-)\b{name}\b(?!-)", said)}
    assert named in (having, others - having)


def test_book_may_be_a_file_a_shipped_book_a_preset_or_the_default(
    run: Run, small: gb.Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = run("hint", "--book", "small.book", "RRY=0,1")
    assert expected.code == 0
    assert run("hint", tmp_path / "small.book", "RRY=0,1") == expected
    assert run("hint", "RRY=0,1", "small.book") == expected
    assert "of 32,768" in run("hint", "mastermind-5x8").out
    assert "of 32,768" in run("hint", "super-mastermind").out
    (tmp_path / "small.book").rename(tmp_path / "a b=c.book")
    assert run("hint", "./a b=c.book", "RRY 0,1") == expected
    (tmp_path / "bulls-and-cows").mkdir()
    assert "of 5,040" in run("hint", "bulls-and-cows").out, "no folder hides a preset"
    monkeypatch.setenv("GUESSBOOK_BOOK", "./a b=c.book")
    assert run("hint", "RRY=0,1") == expected
    assert "of 1,296" in run("hint", "mastermind-4x6").out
    monkeypatch.setenv("GUESSBOOK_BOOK", "mastermnd-4x6")
    assert complaint(run("hint"), 2).startswith("Error: GUESSBOOK_BOOK: ")


def test_feedback_in_letters_is_not_taken_for_a_code_of_another_book(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gb.build(gb.Mastermind(5, 4)).save(tmp_path / "x.book")
    monkeypatch.setenv("GUESSBOOK_BOOK", "x.book")
    assert "'RGGGX'" in complaint(run("hint", "RYGBR", "BWWBB", "RGGGX", "1,1"), 2)
    assert "mastermind-5x8" in complaint(run("hint", "RYGBR", "BWWBB", "OOPPP", "1,1"), 2)


def test_preset_without_a_book_is_built_with_a_note(run: Run) -> None:
    result = run("info", "mastermind-for-kids", "--json")
    assert "guessbook build-book --preset mastermind-for-kids" in result.err
    built = json.loads(run("build-book", "--preset", "mastermind-for-kids", "--json").out)
    known = json.loads(result.out)
    assert known["path"] == "mastermind-for-kids"
    assert {**built, "path": known["path"]} == {**built, **known}


@pytest.mark.parametrize(
    "words",
    [
        ["RYGB", "1,1", "RGOP", "0,2"],
        ["RYGB 1 1", "RGOP=0B2W"],
        ["RGOP=0,2,2", "RYGB=0012"],
        ["rgop=WW..", "r y g b 1,1"],
        ["RYGB=1", "1", "mastermind-4x6", "RGOP", "0", "black", "2", "white"],
        ["RYGB=1,1 RGOP=0,2"],
        ["RYGB 1,1 RGOP 0,2"],
        ["RYGB 1,1\nRGOP=0,2"],
    ],
)
def test_history_is_read_in_every_notation_and_order(run: Run, words: list[str]) -> None:
    assert run("hint", *words) == run("hint", "RYGB=1,1", "RGOP=0,2")


def test_feedback_that_could_be_a_code_belongs_to_the_guess_before_it(run: Run) -> None:
    found = json.loads(run("hint", "number-mastermind", "1234", "1122", "--json").out)
    assert found["remaining"] == gb.Session(gb.Mastermind(4, 6), ["RYGB=2,2"]).remaining


@pytest.mark.parametrize("command", ["explain", "rate"])
@pytest.mark.parametrize("history", ["", "RYGB=1,1", "RYGB 1,1", "mastermind-4x6 RYGB 1 1"])
def test_guess_to_explain_or_rate_follows_the_history(run: Run, command: str, history: str) -> None:
    asked = json.loads(run(command, *history.split(), "YYYY", "--json").out)
    session = gb.Session("mastermind-4x6", ["RYGB=1,1"] if history else [])
    assert (asked["guess"], asked["remaining"]) == ("YYYY", session.remaining)


def test_labels_of_a_table_may_look_like_entries(run: Run, tmp_path: Path) -> None:
    gb.build(LAMP).save(tmp_path / "lamp.book")
    expected = run("hint", "lamp.book", "bridge = wire=dark")
    assert expected.code == 0
    assert run("hint", "lamp.book", "bridge = wire", "dark") == expected
    assert run("rate", "lamp.book", "bridge = wire").out.startswith("bridge = wire")
    signs = gb.TableGame(
        ["x=1 y=2", "x", "a", "b"], ["a", "b"], ["12", "12", ["!", "no"], ["no", "!"]]
    )
    gb.build(signs).save(tmp_path / "signs.book")
    assert run("rate", "signs.book", "x=1 y=2").out.startswith("x=1 y=2")


@pytest.mark.posix
def test_named_pipe_without_a_writer_is_an_empty_file(run: Run, tmp_path: Path) -> None:
    if sys.platform == "win32":
        raise NotImplementedError
    os.mkfifo(tmp_path / "pipe")
    assert complaint(run("hint", "pipe", "RYGB=1,1"), 3)


def test_escape_sequences_of_a_hostile_book_are_not_printed(
    run: Run, small: gb.Book, tmp_path: Path
) -> None:
    for policy in ({"name": "entropy", "first_guess": "\x1b[31mRYG"}, {"name": "\x1b[31m"}):
        content = {**document(small), "policy": policy}
        (tmp_path / "a.book").write_bytes(pack(content))
        result = run("info", "a.book")
        assert "\x1b" not in result.out + result.err


@pytest.mark.posix
def test_bash_completes_commands(tmp_path: Path) -> None:
    # Typer would look for the shell that runs it, and there may be none.
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

"""The help of every command: its example runs, and it says in whole words what can be typed."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer

from guessbook.book import shipped_books
from guessbook.command.app import COMMANDS, app
from guessbook.export.serve import server

if TYPE_CHECKING:
    from tests.helpers.command import Run

# They say on stderr what they compile, or count.
TALKERS = ("build-book", "compare", "words")

# The files that an example reads.
FILES = {"knuth.txt": "9 (12: 1, 2 (23), 1; 4 (13); 1)\n\n"}


def example(name: str) -> list[str]:
    """The arguments of the example in the help of a command."""
    root: Any = typer.main.get_command(app)
    text = root.get_command(None, name).help
    assert text.count("Example: guessbook ") == 1, name
    return shlex.split(text.partition("Example: guessbook ")[2])


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_of_the_help_works(
    run: Run, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `--help` shows as an example does its job: exit code 0, and no complaint."""

    def serve(_: object, __: int, port: int) -> None:
        """Stands for the server, which would not end; tests of its own run it."""
        print(f"http://localhost:{port}")

    monkeypatch.setattr(server, "serve", serve)
    arguments = example(name)
    assert arguments[0] == name
    for argument in arguments:
        if argument in FILES:
            Path(argument).write_text(FILES[argument], "utf-8")
    result = run(*arguments, lines="RYGB=1,1\n" if name == "bot" else "")
    if "found no /usr/share/dict/words and no package" in result.err:
        pytest.skip("there is no dictionary here")
    assert result.code == 0, result.err
    assert "Error" not in result.err
    if name not in TALKERS:
        assert result.err == ""
    written = arguments[arguments.index("-o") + 1] if "-o" in arguments else None
    assert Path(written).stat().st_size if written else result.out


def test_the_example_of_everything_works(run: Run) -> None:
    """So does the example of the help of `guessbook` itself, which lists every shipped book."""
    text = run("--help").out
    assert run(*shlex.split(text.partition("Example: guessbook ")[2].partition("\n")[0])).code == 0
    assert all(name in text for name in shipped_books())


def test_no_summary_is_cut_off(run: Run) -> None:
    """The list of commands says of each in whole words what it does."""
    listed = run("--help").out.partition("Hint:\n")[2].partition("Exit codes")[0]
    lines = [line for line in listed.splitlines() if line.startswith("  ") and line.strip()]
    assert [line.split()[0] for line in lines] == list(COMMANDS), "a line each"
    assert "..." not in listed


@pytest.mark.parametrize("name", ["solve", "play", "hide"])
def test_the_help_says_what_can_be_typed(run: Run, name: str) -> None:
    """`--help` alone names every way to go on and to stop."""
    text = " ".join(run(name, "--help")[1].split())
    typed = ("`list`", "`undo`", "`quit`") if name == "solve" else (":list", ":give-up", ":quit")
    assert all(word in text for word in (*typed, "`?`"))


def test_the_help_leads_to_every_kind_of_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands that the help of `play` names make a preset and a game of words to be played."""
    text = " ".join(run("play", "--help").out.split())
    dictionary = Path("words")
    dictionary.write_text("light\neight\nnight\nmight\n", "utf-8")
    monkeypatch.setattr("guessbook.book.dictionary.DICTIONARY", str(dictionary))
    commands = [part for part in text.split("`") if part.startswith("guessbook ")]
    assert [shlex.split(command)[1] for command in commands] == ["play", "words", "build-book"]
    for command in commands:
        assert run(*shlex.split(command)[1:], lines=":give-up\n").code == 0, command
    assert "words-5x4" in run("play", "words.book").out

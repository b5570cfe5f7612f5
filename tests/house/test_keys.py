"""The keys of the JSON: one name for one thing, all of them in the table of cli.md."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest
import typer

from docs.keys import KEYS
from guessbook.book import TableGame, WordGame
from guessbook.builder import build_strategy
from guessbook.command.app import COMMANDS, app
from guessbook.export import export
from guessbook.export.serve.question import QUESTIONS, answer, parameters
from guessbook.lookup import open_book
from tests.helpers.irving import SMALL
from tests.helpers.tasks import killed_after

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command import Run

WORDS = WordGame(["crane", "slate", "night"], ["abbey"], weights=[5, 2, 1])
# Its guesses name no secret, so guesses that do are added, and it says so.
TABLE = TableGame(["a", "b"], ["x", "y", "z"], [[0, 1, 1], [0, 0, 1]])

ROWS = ["RYGB=1,1", "RGOP=0,2"]

# Command lines that between them print every key that the commands print.
LINES: list[list[str]] = [
    ["hint", *ROWS],
    ["hint", "words.book"],
    ["hint", "words.book", "crane=00202"],
    ["hint", "table.book"],
    ["candidates", *ROWS],
    ["candidates", "words.book"],
    ["explain", *ROWS],
    ["explain", "words.book"],
    ["explain", "table.book"],
    ["explain", *ROWS, "--pairs", "--count", "2"],
    ["explain", "words.book", "--pairs"],
    ["rate", *ROWS, "YYYY"],
    ["rate", "words.book", "slate"],
    ["rate", *ROWS, "--pair", "YYYY", "RRRR"],
    ["score", "RYGB", "PYRO"],
    ["run", "--secret", "PYRO"],
    ["run", "--secret", "PYRO", "--secret", "RYGB"],
    ["review", *ROWS],
    ["share", *ROWS],
    ["build-book", "--pegs", "2", "--colors", "3", "--stats", "-o", "new.book"],
    ["build-book", "--pegs", "2", "--colors", "3", "--openings", "all"],
    ["build-book", "--pegs", "2", "--colors", "3", "--policy", "optimal", "-o", "best.book"],
    ["build-book", "--pegs", "2", "--colors", "3", "--policy", "win:within=2", "-o", "win.book"],
    ["build-book", "--pegs", "4", "--colors", "7", "--jobs", "2", "-o", "a.book"],
    ["presets"],
    ["table", "--pegs", "2", "--colors", "2", "-o", "game.csv"],
    ["compare", "parts", "optimal", "--pegs", "2", "--colors", "3"],
    ["compare", "words.book"],
    ["compare", "table.book"],
    ["import", "tree.txt"],
    ["info", "mastermind-4x6-optimal"],
    ["info", "words.book"],
    ["info", "table.book"],
    ["tree", *ROWS],
    ["report", "words.book"],
    ["simulate", "--fraction", "0.01"],
    ["verify", "words.book"],
    ["export", "words.book", "--to", "json"],
]


# What the table calls a value.
KINDS = {bool: "boolean", int: "number", float: "number", str: "text", list: "list", dict: "object"}

# Keys, each with the kind of its values.
Found = set[tuple[str, str]]


def keys_of(value: Any) -> Found:
    """The keys of a value of JSON, and of all values in it, each with the kind of what it has."""
    if isinstance(value, list):
        return {pair for each in value for pair in keys_of(each)}
    if not isinstance(value, dict):
        return set()
    found: Found = set()
    for key, item in value.items():
        kind = KEYS[key].kind if key in KEYS else "of an unknown key"
        if kind == "map":
            assert isinstance(item, dict), key
            found |= {(key, kind), *keys_of([*item.values()])}
        else:
            # None says that there is nothing to say.
            found |= {(key, kind if item is None else KINDS[type(item)]), *keys_of(item)}
    return found


@pytest.fixture
def files(tmp_path: Path, many_tasks: None) -> None:
    """The files that the command lines name; a build of one of them was killed."""
    build_strategy(WORDS).save(tmp_path / "words.book")
    build_strategy(TABLE, "win:within=2").save(tmp_path / "table.book")
    (tmp_path / "tree.txt").write_text(SMALL)
    killed_after(tmp_path / ".a.book.guessbook-parts", 12)


@pytest.mark.usefixtures("files")
def test_the_table_has_what_commands_print(run: Run) -> None:
    """Every command prints the keys that the table says, of that type, and no others."""
    printed: dict[str, Found] = defaultdict(set)
    for line in LINES:
        result = run(*line, "--json")
        assert result.code == 0, (line, result)
        printed[line[0]] |= keys_of(json.loads(result.out))
    for command, found in printed.items():
        said = {(key, row.kind) for key, row in KEYS.items() if command in row.commands.split()}
        assert found == said, command
    rest = {key for key, row in KEYS.items() if not {*row.commands.split()} <= printed.keys()}
    assert rest == {"error", "exit_code", "suspects"}


def test_no_command_is_forgotten() -> None:
    """Each command that has `--json` is among the command lines."""
    root: Any = typer.main.get_command(app)
    commands = {name: root.get_command(None, name) for name in COMMANDS}
    options = {name: [option.name for option in each.params] for name, each in commands.items()}
    assert {name for name in options if "json" in options[name]} == {line[0] for line in LINES}


def test_errors_and_bots(run: Run) -> None:
    """Errors have their keys, whichever command it is, and `bot` prints those of `hint`."""
    said = {(key, row.kind) for key, row in KEYS.items() if row.commands == "any"}
    for name in {line[0] for line in LINES}:
        for wrong in ("--nonsense", "no.book", "RYGB=9,9"):
            result = run(name, wrong, "--json")
            assert result.code, (name, wrong)
            assert keys_of(json.loads(result.out)) == said, (name, wrong)
    lines = run("bot", lines="RYGB=1,1\nRYGB=9,9\n").out.splitlines()
    hint = keys_of(json.loads(run("hint", "--json").out))
    assert [keys_of(json.loads(line)) for line in lines] == [hint, said]


def test_the_server_has_the_same(run: Run) -> None:
    """What `serve` answers has the keys of the command of that name."""
    for name in QUESTIONS:
        given = {"history": ROWS, "guess": "YYYY", "secret": "PYRO"}
        asked = {key: given[key] for key, needed in parameters(name).items() if needed}
        words = [word for value in asked.values() for word in ([value], value)[value is ROWS]]
        content = answer(open_book(), name, asked).content
        assert keys_of(content) == keys_of(json.loads(run(name, *words, "--json").out))


def test_the_export_has_the_same_names() -> None:
    """The nodes of a book that is exported as JSON are named like what others print."""
    book = json.loads(export(open_book(), "json"))
    assert book["tree"].keys() <= KEYS.keys()
    assert book.keys() - KEYS.keys() == {"guessbook", "rules"}

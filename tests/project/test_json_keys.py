"""The keys of JSON output are exactly those in the table of cli.md."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from docs.keys import KEYS
from tests.project.pages import command_sections

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command import Run

WORDS = gb.WordGame(["crane", "slate", "night"], ["abbey"], weights=[5, 2, 1])
# No guess names a secret, so the game adds guesses that do, and says so in a note.
TABLE = gb.TableGame(["a", "b"], ["x", "y", "z"], [[0, 1, 1], [0, 0, 1]], goal="name")

ROWS = ["RYGB=1,1", "RGOP=0,2"]

# Command lines that together print every key.
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
    ["build-book", "--table", "faults.csv", "--things", "columns", "-o", "faults.book"],
    ["build-book", "--answers", "words.txt", "-o", "weighted.book"],
    ["hint", "faults.book"],
    ["hint", "faults.book", "a=?", "b=?"],
    ["explain", "faults.book"],
    ["presets"],
    ["table", "--pegs", "2", "--colors", "2", "-o", "game.csv"],
    ["compare", "parts", "optimal", "--pegs", "2", "--colors", "3"],
    ["compare", "words.book"],
    ["compare", "table.book"],
    ["compare", "faults.book"],
    ["import", "tree.txt"],
    ["import", "tree.txt", "--symbols", "RY", "-o", "colors.book"],
    ["info", "mastermind-4x6-optimal"],
    ["info", "words.book"],
    ["info", "table.book"],
    ["info", "faults.book"],
    ["tree", *ROWS],
    ["tree", "faults.book"],
    ["report", "words.book"],
    ["simulate", "--fraction", "0.01"],
    ["verify", "words.book"],
    ["export", "words.book", "--to", "json"],
]


# The names of the types in the table.
KINDS = {
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    list: "list",
    dict: "object",
}

# Pairs of a key and the type of its values.
Found = set[tuple[str, str]]


def keys_of(value: Any) -> Found:
    """All keys in a JSON value, at any depth, each with the type of its value."""
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
            # A null may stand for a value of any type.
            found |= {(key, kind if item is None else KINDS[type(item)]), *keys_of(item)}
    return found


@pytest.fixture
def files(tmp_path: Path) -> None:
    """Create the files that the command lines name."""
    gb.build(WORDS).save(tmp_path / "words.book")
    gb.build(TABLE, "win:within=2").save(tmp_path / "table.book")
    # The tests of this table lead to outcomes.
    (tmp_path / "faults.csv").write_text(",x,y,z,cost\na,0,1,1,1\nb,0,0,1,2\n")
    (tmp_path / "words.txt").write_text("crane 2\nslate 1\n")
    (tmp_path / "tree.txt").write_text("4 (12: 1, 0, 0; 2; 1)\n")


@pytest.mark.usefixtures("files")
def test_commands_print_documented_json_keys(run: Run) -> None:
    printed: dict[str, Found] = defaultdict(set)
    for line in LINES:
        result = run(*line, "--json")
        assert result.code == 0, (line, result)
        printed[line[0]] |= keys_of(json.loads(result.out))
    for command, found in printed.items():
        said = {(key, row.kind) for key, row in KEYS.items() if command in row.commands.split()}
        # Only a resumed build prints this key; tests of builds cover it.
        assert found == said - {("resumed", "number")}, command
    rest = {key for key, row in KEYS.items() if not {*row.commands.split()} <= printed.keys()}
    assert rest == {"error", "exit_code", "suspects"}


def test_every_command_with_json_is_tested() -> None:
    sections = command_sections()
    assert {name for name in sections if "- `--json`" in sections[name]} == {
        line[0] for line in LINES
    }


@pytest.mark.parametrize("name", sorted({line[0] for line in LINES}))
def test_errors_have_same_json_keys_in_every_command(run: Run, name: str) -> None:
    said = {(key, row.kind) for key, row in KEYS.items() if row.commands == "any"}
    for wrong in ("--nonsense", "no.book", "RYGB=9,9"):
        result = run(name, wrong, "--json")
        assert result.code, wrong
        assert keys_of(json.loads(result.out)) == said, wrong


def test_bot_prints_same_keys_as_hint_and_errors(run: Run) -> None:
    lines = run("bot", lines="RYGB=1,1\nRYGB=9,9\n").out.splitlines()
    hint, error = [keys_of(json.loads(line)) for line in lines]
    assert hint == keys_of(json.loads(run("hint", "--json").out))
    assert error == {(key, row.kind) for key, row in KEYS.items() if row.commands == "any"}


def test_exported_json_uses_documented_keys() -> None:
    book = json.loads(gb.open().export("json"))
    assert book["tree"].keys() <= KEYS.keys()
    assert book.keys() - KEYS.keys() == {"guessbook", "rules"}

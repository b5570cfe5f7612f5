"""The options that commands share: dataclasses to the commands, single options to Typer."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, fields
from importlib import import_module
from inspect import getsource, signature
from pathlib import Path
from typing import Annotated

import pytest
import typer

import guessbook
from guessbook.book.errors import UsageError
from guessbook.book.file.container import LIMITS
from guessbook.book.games.codes import Mastermind
from guessbook.command.app import COMMANDS, flatten_options
from guessbook.command.arguments import option
from guessbook.command.options import GameOptions, PolicyOptions
from guessbook.policy.one_step import POLICIES
from guessbook.policy.registry import BUILT_IN, NUMBERS
from tests.helpers.command import Run

MODULES = sorted({place.partition(":")[0] for place in COMMANDS.values()})


@dataclass(frozen=True)
class Size:
    """Two options that travel together."""

    high: Annotated[int, typer.Option(help="How high.")] = 1
    wide: int = 2
    deep: int = option("N", "How deep.", default=5, min=1)


def test_spread_lays_out_a_dataclass_in_its_place() -> None:
    """Its fields stand where it stood, and the command gets the value that they make."""
    given: list[object] = []

    def command(name: str, size: Size, json: bool = False) -> None:
        given.extend([name, size, json])

    flat = flatten_options(command)
    assert list(signature(flat).parameters) == ["name", "high", "wide", "deep", "json"]
    deep = signature(flat).parameters["deep"]
    assert signature(flat).parameters["wide"].default == 2
    assert (deep.default, deep.annotation.__metadata__[0].help) == (5, "How deep.")
    flat(name="a", high=3, wide=4, deep=6, json=True)
    assert given == ["a", Size(3, 4, 6), True]


def test_the_game_of_options() -> None:
    """Where an option is left out, the others say what it is."""
    assert GameOptions().game() == Mastermind(4, 6)
    assert GameOptions(no_repeats=True).game() == Mastermind(4, 10, repeats=False)
    assert GameOptions(pegs=3, symbols="abc").game() == Mastermind(3, 3, symbols="abc")
    for wrong in ("red blue", "a b", "red;blue", "abca"):
        with pytest.raises(UsageError, match=f"'{wrong}', .* names with commas such as red,blue"):
            GameOptions(symbols=wrong).game()


@pytest.mark.parametrize(
    "options",
    [
        GameOptions("bagels", pegs=4),
        GameOptions("bagels", scoring="loose"),
        GameOptions(scoring="loose"),
    ],
)
def test_options_of_two_games_are_refused(options: GameOptions) -> None:
    """A preset stands alone, and rules for words need words."""
    with pytest.raises(UsageError):
        options.game()


def test_the_policy_of_options() -> None:
    """An option that is left out counts as not given."""
    found = PolicyOptions("rollout", width=5).policy_map()
    assert found == {"name": "rollout", "base": "entropy", "width": 5}
    assert PolicyOptions().policy_map() == {"name": "entropy"}


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_the_help_stands_alone(run: Run, command: str) -> None:
    """It names no file of the documentation, and no option with underscores."""
    said = run(*command.split(), "--help").out
    assert "docs/" not in said
    assert not re.findall("--[a-z-]*_[a-z_]*", said)
    assert not [name for name in (*NUMBERS, *LIMITS, "first_guess") if "_" in name and name in said]


@pytest.mark.parametrize("option", [*NUMBERS, "base", *LIMITS])
def test_the_help_of_an_option_names_its_policies(option: str) -> None:
    """It names all that have the option or all that lack it; one-step policies are left out."""
    known = {field.name: field.metadata for field in fields(PolicyOptions)}[option]["typer"]
    others = {name: kind.options for name, kind in BUILT_IN.items() if name not in POLICIES}
    named = {name for name in others if re.search(rf"(?<!-)\b{name}\b(?!-)", known.help)}
    having = {name for name, options in others.items() if option in options}
    assert named in (having, others.keys() - having)


def test_the_limits_of_guesses_are_told_apart(run: Run) -> None:
    """`--max-guesses` ends a game that you play, and limits the strategies of `optimal`."""
    said = {c: " ".join(run(c, "--help").out.split()) for c in ("play", "hide", "build-book")}
    assert "--max-guesses N You lose after N guesses" in said["play"]
    assert "--max-guesses N You lose after N guesses" in said["hide"]
    assert "--max-guesses N For optimal: find every secret within N" in said["build-book"]


@pytest.mark.sources
def test_no_message_names_a_file_of_the_documentation() -> None:
    """No text in a module does that is no docstring: pages move."""
    paths = [path for folder in guessbook.__path__ for path in Path(folder).rglob("*.py")]
    assert len(paths) > 100
    found = []
    for path in paths:
        tree = ast.parse(path.read_text("utf-8"))
        docs = {
            ast.get_docstring(node, clean=False)
            for node in ast.walk(tree)
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        }
        texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        found += [text for text in texts if "docs/" in str(text) and text not in docs]
    assert found == []


@pytest.mark.parametrize("name", MODULES)
def test_no_commands_import_other_commands(name: str) -> None:
    """What several commands need is in a module that has no command."""
    tree = ast.walk(ast.parse(getsource(import_module(name))))
    found = {node.module for node in tree if isinstance(node, ast.ImportFrom)}
    assert found & set(MODULES) == set()

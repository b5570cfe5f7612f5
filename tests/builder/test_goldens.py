"""Goldens: a build gives the tree that is kept for it, whatever engine grows it."""

from __future__ import annotations

import json
import struct
import sys
from array import array
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.book import Mastermind, Strategy
from guessbook.book.tree import Columns, Tree
from guessbook.builder.checkpoint import Checkpoint, Key
from guessbook.policy.registry import KINDS
from tests import goldens
from tests.helpers import dask_cluster
from tests.helpers.plain import plain_book
from tests.helpers.tasks import Shuffled, worked_by

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

GOLDENS = goldens.stored()
QUICK = [golden for golden in GOLDENS if golden["takes"] == "quick"]
# The usual suite builds these goldens. The slow tests build all.
USUAL = QUICK[::2]


@pytest.mark.parametrize(
    "golden",
    [
        pytest.param(golden, id=golden["name"], marks=[] if golden in USUAL else pytest.mark.slow)
        for golden in GOLDENS
    ],
)
def test_trees_are_those_that_are_kept(golden: goldens.Golden) -> None:
    """Two threads grow the tree that one thread grew when the golden was written."""
    found = goldens.built(golden, "--jobs", "2")
    if found is None:
        pytest.skip(goldens.MISSING)
    assert golden == golden | found, "if that is meant, run `python -m tests.goldens --write`"


@pytest.mark.parametrize(
    "golden",
    [
        # Of each way some in the usual suite, and all in CI.
        pytest.param(golden, id=golden["name"], marks=[pytest.mark.slow] if k % 24 > 2 else [])
        for k, golden in enumerate(QUICK)
    ],
)
def test_trees_do_not_depend_on_who_grows_them(
    golden: goldens.Golden, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By turns: one thread, workers in random order, or two runs of which one is interrupted."""
    random, way = Random(golden["name"]), QUICK.index(golden) % 3
    if way == 0:
        found = goldens.built(golden, "--jobs", "1")
    elif way == 1:
        with worked_by(Shuffled(random)):
            found = goldens.built(golden)
    else:
        interrupt(monkeypatch, random.randint(1, 9))
        found = goldens.built(golden, runs=2)
    if found is None:
        pytest.skip(goldens.MISSING)
    assert golden == golden | found


def interrupt(monkeypatch: pytest.MonkeyPatch, results: int) -> None:
    """Let Ctrl-C come when a build has kept so many results, once; each is on disk at once."""
    save, left = Checkpoint.save, [results]

    def counted(checkpoint: Checkpoint, key: Key, result: Sequence[Any]) -> None:
        save(checkpoint, key, result)
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    monkeypatch.setattr("guessbook.builder.checkpoint.DELAY", 0.0)
    monkeypatch.setattr(Checkpoint, "save", counted)


@pytest.mark.slow
def test_trees_of_a_cluster_are_those_that_are_kept() -> None:
    """Two workers, each a process of its own, grow all the quick goldens."""
    with dask_cluster.cluster(2) as two:
        for golden in QUICK:
            found = goldens.built(golden, "--scheduler", two.address)
            assert found is None or golden == golden | found, golden["name"]


def test_goldens_are_of_every_policy() -> None:
    """Names differ, lines are complete, and the usual suite builds goldens of each policy."""
    keys = ["name", "command", "takes", "nodes", "total_guesses", "sha256"]
    assert [list(golden) for golden in GOLDENS] == [keys] * len(GOLDENS)
    assert len({golden["name"] for golden in GOLDENS}) == len(GOLDENS) > 100
    usual = " ".join(golden["command"] for golden in USUAL)
    assert {name for name in KINDS if f"--policy {name}" not in usual} == set()


@pytest.mark.sources
def test_goldens_of_records_are_records(root: Path) -> None:
    """A golden with the name of a record has the command and the total of records.json."""
    records = json.loads((root / "docs" / "explanation" / "records.json").read_text("utf-8"))
    named = [golden for golden in GOLDENS if golden["name"].startswith("record ")]
    assert len(named) > 50
    for golden in named:
        record = records[golden["name"].removeprefix("record ")]
        assert record == record | {key: golden[key] for key in ("command", "total_guesses")}


def test_a_digest_is_of_the_values_alone() -> None:
    """Lists, bytes and wider integers give the same digest: that of four bytes a value."""
    game, tree = Mastermind(3, 3), plain_book(Mastermind(3, 3)).tree
    columns = [list(column) for column in (tree.guess, tree.feedback, tree.children)]
    columns.append(list(tree.candidates))
    numbers = [value for column in columns for value in column]
    digest = sha256(struct.pack(f"<{len(numbers)}I", *numbers)).hexdigest()
    kinds: list[Callable[[list[int]], Sequence[int]]] = [
        list,
        bytes,
        lambda values: array("H", values),
        lambda values: array("Q", values),
    ]
    for kind in kinds:
        same = Tree(Columns(*map(kind, columns)), len(game.guesses), game.feedbacks)
        found = goldens.facts(Strategy(game, {"name": "entropy"}, same))
        assert found == {"nodes": len(tree), "total_guesses": 73, "sha256": digest}


def test_goldens_are_written_and_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The script completes a line that has a command alone; a tree that has changed fails."""
    monkeypatch.setattr(goldens, "STORE", tmp_path / "goldens.json")
    small = {"name": "small", "command": "guessbook build-book --pegs 2 --colors 3"}
    missing = {"name": "no list", "command": "guessbook build-book --answers nowhere.txt"}

    def run(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["goldens", *arguments])
        return goldens.main(), capsys.readouterr().out

    goldens.keep([small, missing])
    assert run("--write")[0] == 0
    first, second = goldens.stored()
    assert first == small | {"takes": first["takes"], "nodes": 9, "total_guesses": 21} | {
        "sha256": first["sha256"]
    }
    assert second == missing
    code, out = run()
    assert code == 0
    assert out.startswith("small: the same (")
    assert f"no list: {goldens.MISSING} (" in out
    goldens.keep([first | {"sha256": "0" * 64}])
    assert run("sma", "--takes", first["takes"])[0] == 1
    assert run("s?a", "large") == (0, "")

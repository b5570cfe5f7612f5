"""Builds reproduce the trees of the stored digests, and a replay without Guessbook agrees."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import guessbook as gb
from tests import goldens
from tests.helpers import dask_cluster
from tests.helpers.command import START
from tests.helpers.plain import plain_tree
from tests.helpers.tables import LAMP, MIXED, NUMBERS
from tests.replay import replay
from tests.strategies import POLICIES

ROOT = Path(__file__).resolve().parents[2]
GOLDENS = goldens.stored()
QUICK = [golden for golden in GOLDENS if golden["takes"] == "quick"]
# The default test run builds these goldens; slow and nightly tests build the others.
USUAL = [
    golden
    for name in POLICIES
    for golden in [g for g in QUICK if f"--policy {name}" in g["command"] + " "][:2]
]
MARKS = {"quick": pytest.mark.slow, "slow": pytest.mark.nightly, "long": pytest.mark.nightly}


@pytest.mark.parametrize(
    "golden",
    [
        pytest.param(
            golden, id=golden["name"], marks=[] if golden in USUAL else MARKS[golden["takes"]]
        )
        for golden in GOLDENS
    ],
)
def test_build_reproduces_stored_tree(golden: goldens.Golden) -> None:
    # The tree must not depend on the number of threads, so half of the builds use two.
    jobs = "2" if GOLDENS.index(golden) % 2 else "1"
    found = goldens.built(golden, "--jobs", jobs)
    if found is None:
        pytest.skip(goldens.MISSING)
    assert golden == golden | found, "if that is meant, run `python -m tests.goldens --write`"


@pytest.mark.nightly
def test_cluster_reproduces_stored_trees() -> None:
    rejected = 0
    with dask_cluster.cluster(2) as two:
        for golden in QUICK:
            try:
                found = goldens.built(golden, "--scheduler", two.address)
            except RuntimeError as error:
                if "a table of outcomes is built in one thread" not in str(error):
                    raise
                rejected += 1
            else:
                assert found is None or golden == golden | found, golden["name"]
    assert rejected < len(QUICK) // 10


@pytest.mark.slow
@pytest.mark.posix
def test_interrupted_build_resumes_and_reproduces_stored_tree(tmp_path: Path) -> None:
    (golden,) = [golden for golden in GOLDENS if golden["name"] == "record 4x7"]
    words = golden["command"].split()[1:]
    command = [*START, *words, "-o", str(tmp_path / "a.book"), "--jobs", "1", "--force"]
    for seconds in (0.8, 1.2):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            time.sleep(seconds)
            os.kill(run.pid, signal.SIGINT)
    subprocess.run(command, check=True, capture_output=True)
    assert golden == golden | goldens.facts(gb.open(tmp_path / "a.book"))


def test_goldens_are_complete_and_cover_every_policy() -> None:
    keys = ["name", "command", "takes", "nodes", "total_guesses", "sha256"]
    assert [list(golden) for golden in GOLDENS] == [keys] * len(GOLDENS)
    assert len({golden["name"] for golden in GOLDENS}) == len(GOLDENS) > 100
    usual = " ".join(golden["command"] for golden in USUAL)
    assert {name for name in POLICIES if f"--policy {name}" not in usual} == set()


@pytest.mark.sources
def test_goldens_agree_with_records() -> None:
    named = [golden for golden in GOLDENS if golden["name"].startswith("record ")]
    assert len(named) > 50
    records = stored_records()
    for golden in named:
        record = records[golden["name"].removeprefix("record ")]
        assert record == record | {key: golden[key] for key in ("command", "total_guesses")}


def stored_records() -> dict[str, Any]:
    text = (ROOT / "docs" / "explanation" / "records.json").read_text("utf-8")
    records: dict[str, Any] = json.loads(text)
    return records


def test_digest_covers_columns_as_32_bit_integers() -> None:
    game = gb.Mastermind(3, 3)
    nodes = plain_tree(game, "entropy")
    numbers = [
        *(node.guess for node in nodes),
        *(node.history[-1][1] if node.history else 0 for node in nodes),
        *(len(node.children) for node in nodes),
        *(len(node.candidates) for node in nodes),
    ]
    digest = hashlib.sha256(struct.pack(f"<{len(numbers)}I", *numbers)).hexdigest()
    facts = {"nodes": len(nodes), "total_guesses": 73, "sha256": digest}
    assert goldens.facts(gb.build(game)) == facts


def test_script_writes_and_checks_goldens(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    store = tmp_path / "goldens.json"
    small = {"name": "small", "command": "guessbook build-book --pegs 2 --colors 3"}
    missing = {"name": "no list", "command": "guessbook build-book --answers nowhere.txt"}

    def run(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["goldens", "--store", str(store), *arguments])
        return goldens.main(), capsys.readouterr().out

    goldens.keep([small, missing], store)
    assert run("--write")[0] == 0
    first, second = goldens.stored(store)
    facts = {"nodes": 9, "total_guesses": 21, "sha256": first["sha256"]}
    assert first == small | {"takes": first["takes"]} | facts
    assert second == missing
    code, out = run()
    assert code == 0
    assert out.startswith("small: the same (")
    assert f"no list: {goldens.MISSING} (" in out
    goldens.keep([first | {"sha256": "0" * 64}], store)
    assert run("sma", "--takes", first["takes"])[0] == 1
    assert run("s?a", "large") == (0, "")


# The replay, which shares no code with Guessbook.

WORDS = gb.WordGame(
    ["abbey", "eerie", "geese", "speed", "these", "spree"], ["abbey", "crane", "llama", "robot"]
)


def assert_replay_agrees(book: gb.Book) -> None:
    exported = json.loads(str(book.export("json")))
    found = replay(exported)
    assert found == {key: exported[key] for key in found}


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[] if "4x6" in path.stem else pytest.mark.slow)
        for path in sorted((ROOT / "data").glob("*.book"))
    ],
)
def test_replay_and_record_agree_with_shipped_book(path: Path) -> None:
    book = gb.open(path)
    assert_replay_agrees(book)
    for record in stored_records().values():
        if record.get("game") == book.game.name and record["policy"] == book.policy:
            assert record["total_guesses"] == book.stats.total_guesses
            assert record["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("game", [WORDS, LAMP, MIXED, NUMBERS], ids=repr)
def test_replay_agrees_with_optimal_book_of_words_or_table(game: gb.Game) -> None:
    assert_replay_agrees(gb.build(game, "optimal"))


def test_replay_runs_as_standalone_script(tmp_path: Path) -> None:
    path = tmp_path / "words.json"
    path.write_text(str(gb.build(WORDS, "optimal").export("json")), "utf-8")
    command = [sys.executable, "-I", str(ROOT / "tests" / "replay.py"), str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "'secrets': 6" in done.stdout


def test_replay_detects_missing_secret() -> None:
    exported = json.loads(str(gb.build(WORDS, "optimal").export("json")))
    missing = exported["tree"]["children"].popitem()[0]
    with pytest.raises(KeyError, match=missing):
        replay(exported)

"""The stranger's check: a replay that shares nothing with Guessbook finds what books say."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from guessbook.book import TableGame, WordGame
from guessbook.book.games.rules import black_peg, coins
from guessbook.builder import build_strategy
from guessbook.export import export
from guessbook.lookup import open_book
from tests.helpers.samples import every_nth
from tests.helpers.tables import LAMP, MIXED, NUMBERS
from tests.replay import replay

ROOT = Path(__file__).resolve().parents[2]
BOOKS = sorted((ROOT / "data").glob("*.book"))
WORDS = WordGame(
    ["abbey", "eerie", "geese", "speed", "these", "spree"], ["abbey", "crane", "llama", "robot"]
)


def records() -> list[dict[str, Any]]:
    """The records that are made."""
    made: dict[str, Any] = json.loads(
        (ROOT / "docs" / "explanation" / "records.json").read_text("utf-8")
    )
    # Of others it is only known how long they take.
    return [record for record in made.values() if "game" in record]


def agree(book: dict[str, Any]) -> None:
    """The replay finds the totals that a JSON says."""
    found = replay(book)
    assert found == {key: book[key] for key in found}


@pytest.mark.parametrize("path", every_nth(2, BOOKS), ids=lambda path: path.stem)
def test_every_shipped_book_keeps_its_word(path: Path) -> None:
    """Every secret is found, with as many guesses in all as book and record say."""
    with open_book(path) as opened:
        book = json.loads(export(opened, "json"))
    agree(book)
    sums = hashlib.sha256(path.read_bytes()).hexdigest()
    for record in records():
        policy = {"name": book["policy"], **book["options"]}
        if (record["game"], record["policy"]) == (book["game"], policy):
            assert record["total_guesses"] == book["total_guesses"]
            assert record["sha256"] == sums, "another book than that of the record"


def test_an_optimal_book_of_words_keeps_its_word(tmp_path: Path) -> None:
    """Words as well, with repeated letters; and the check runs as a script, alone."""
    path = tmp_path / "words.json"
    path.write_text(export(build_strategy(WORDS, {"name": "optimal"}), "json"), "utf-8")
    agree(json.loads(path.read_text("utf-8")))
    command = [sys.executable, "-I", str(ROOT / "tests" / "replay.py"), str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "'secrets': 6" in done.stdout


@pytest.mark.parametrize("game", [LAMP, MIXED, NUMBERS, coins(4), black_peg(2, 3)], ids=repr)
def test_an_optimal_book_of_a_table_keeps_its_word(game: TableGame) -> None:
    """So do tables, with guesses that were added for secrets and without."""
    agree(json.loads(export(build_strategy(game, "optimal"), "json")))


def test_a_lie_is_found() -> None:
    """A tree that misses a secret is refused."""
    book = json.loads(export(build_strategy(WORDS, {"name": "optimal"}), "json"))
    missed = book["tree"]["children"].popitem()[0]
    with pytest.raises(KeyError, match=missed):
        replay(book)

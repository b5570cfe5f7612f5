"""The command `tree`: every node in its place, at any width, with or without Unicode."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from guessbook.book import WordGame
from guessbook.export import export
from guessbook.lookup import Book, open_book
from tests.helpers.command import complaint
from tests.helpers.plain import plain_book

if TYPE_CHECKING:
    from pathlib import Path

    from guessbook.book import Node
    from tests.helpers.command import Run


@pytest.fixture
def book_file(tmp_path: Path) -> Path:
    """The file of a book of 4 pegs and 6 colors."""
    path = tmp_path / "4x6.book"
    open_book("mastermind-4x6").save(path)
    return path


def test_the_outline_is_the_tree(run: Run, book_file: Path) -> None:
    """The lines are the nodes from top to bottom, with feedback, guess, candidates and bits."""
    book = open_book(book_file)
    lines = run("tree", book_file, "--depth", 99).out.splitlines()
    assert lines[0] == "mastermind-4x6, entropy: 1,296 secrets"
    assert lines[-1] == f"all {book.stats.nodes:,} nodes"
    assert [line.replace(" ", "") for line in lines[1:-1]] == [
        line.replace(" ", "") for line in wanted(book, book.root, "", "")
    ]


def wanted(book: Book, node: Node, before: str, below: str, feedback: object = "") -> list[str]:
    """The lines of a node and all below it, by recursion."""
    bits = f"{node.entropy:.2f} bits" if node.remaining > 1 else ""
    lines = [f"{before}{feedback}{node.guess}{node.remaining:,}{bits}"]
    children = node.children
    for number, (found, child) in enumerate(children.items(), 1):
        last = number == len(children)
        branch = "└─" if last else "├─"
        along = "" if last else "│"
        lines += wanted(book, child, below + branch, below + along, found)
    return lines


def test_json_is_the_tree(run: Run, book_file: Path) -> None:
    """The nested nodes are those of `export --to json`, to the depth that was asked for."""
    book = open_book(book_file)
    result = run("tree", book_file, "--depth", 3, "--json")
    assert (result.code, result.err) == (0, "")
    known = json.loads(result.out)
    assert list(known) == ["game", "policy", "depth", "tree"]
    assert (known["game"], known["policy"], known["depth"]) == ("mastermind-4x6", "entropy", 3)
    assert known["tree"] == json.loads(export(book, "json", depth=3))["tree"]
    whole = json.loads(run("tree", book_file, "--depth", 99, "--json").out)
    assert whole["depth"] == book.stats.max_guesses
    assert whole["tree"] == json.loads(export(book, "json"))["tree"]
    below = json.loads(run("tree", book_file, "RYGB=1,1", "--json").out)["tree"]
    assert below["guess"] == known["tree"]["children"]["1,1"]["guess"]


def test_from_a_history_on(run: Run, book_file: Path) -> None:
    """A history begins at the node of a history, given in any order."""
    book = open_book(book_file)
    node = book.find("RYGB=1,1")
    feedback, child = next(iter(node.children.items()))
    entry = f"{node.guess}={feedback}"
    first = run("tree", book_file, "RYGB=1,1", entry).out
    assert first.splitlines()[1].split("  ")[0].replace(" ", "") == child.guess
    assert run("tree", book_file, entry, "RYGB=1,1").out == first
    assert " of 268 nodes" in run("tree", book_file, "RYGB=1,1").out.splitlines()[-1]


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize("width", [24, 40, 60, 80])
@pytest.mark.parametrize("kind", ["codes", "words"])
def test_it_fits(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: int, encoding: str, kind: str
) -> None:
    """No line is wider than the terminal, and no character beyond what the output can show."""
    words = ["light", "eight", "night", "might", "sight", "thing", "geese", "sleet"]
    book = open_book("mastermind-4x6") if kind == "codes" else plain_book(WordGame(words))
    book.save(tmp_path / "small.book")
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr("guessbook.play.terminal.outline.can_show", lambda *_: encoding == "utf-8")
    result = run("tree", "small.book", "--depth", 9)
    lines = result.out.splitlines()
    assert max(map(len, lines)) <= width
    # One for each node: what is too wide is shortened, not wrapped.
    assert lines[-len(book.tree) - 2].endswith("secrets")
    assert result.out.isascii() == (encoding == "ascii")


def test_the_cut_is_told(run: Run, book_file: Path) -> None:
    """Without a depth there are readable lines; they say how many nodes are below and left out."""
    book = open_book(book_file)
    lines = run("tree", book_file).out.splitlines()
    assert lines[-1] == f"14 of {len(book.tree):,} nodes; --depth 3 shows more"
    below = [int(line.split("+")[1].split()[0].replace(",", "")) for line in lines[2:-1]]
    assert sum(below) + 14 == len(book.tree)


def test_what_is_refused(run: Run, book_file: Path) -> None:
    """Histories that the book does not cover, or that the game does not know, are one line."""
    off = complaint(run("tree", book_file, "RRRR=0,0"))
    assert "does not cover; call `hint`" in off
    assert "solves the game" in complaint(run("tree", book_file, "RYGB=4,0"))
    assert "4,1" in complaint(run("tree", book_file, "RYGB=4,1"), 2)
    assert "expected GUESS=FEEDBACK" in complaint(run("tree", book_file, "RYGB"), 2)
    for depth in (0, 101, "x"):
        assert run("tree", book_file, "--depth", depth).code == 2

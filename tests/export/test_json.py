"""The export to JSON: nested nodes from which the whole tree can be made again."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.book import Mastermind, Strategy, TableGame, UsageError, WordGame
from guessbook.book.games.weights import weights_by_guess
from guessbook.book.summary import facts
from guessbook.book.tree import Columns, Tree
from guessbook.builder import build_strategy
from guessbook.export import export
from guessbook.lookup import Book, open_book
from tests.helpers.plain import paths, plain_book

if TYPE_CHECKING:
    from guessbook.book import Game

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "embed" / "json.md"
WORDS = WordGame(["crane", "slate", "eerie", "geese", "speed"], ["abbey", "robot", "llama"])


@pytest.fixture(scope="module")
def books(small_books: dict[str, Book]) -> dict[str, Book]:
    """Books of all kinds of games."""
    letters = WordGame(["käse", "höhe", "хлеб", "ありがと"], scoring="loose")
    return {
        **small_books,
        "4x6": open_book("mastermind-4x6"),
        "words": plain_book(WORDS),
        "weights": plain_book(WordGame(WORDS.secrets, weights=range(1, len(WORDS.secrets) + 1))),
        "letters": plain_book(letters),
        "quotes": plain_book(Mastermind(2, 3, symbols="\"\\'")),
    }


def rebuilt(data: dict[str, Any]) -> Strategy:
    """A book from nothing but its JSON."""
    known = data["rules"]
    game: Game
    if known["type"] == "words":
        weights = known.get("weights")
        game = WordGame(known["secrets"], known["guesses"], known["scoring"], weights)
    else:
        game = Mastermind(known["pegs"], known["colors"], known["repeats"], known["symbols"])
    nodes = [(0, data["tree"])]
    for _, node in nodes:  # it grows: breadth first
        nodes += [(game.parse_feedback(text), below) for text, below in node["children"].items()]
    columns = Columns(
        [game.parse_code(node["guess"]) for _, node in nodes],
        [feedback for feedback, _ in nodes],
        [len(node["children"]) for _, node in nodes],
        [node["remaining"] for _, node in nodes],
    )
    tree = Tree(columns, len(game.guesses), game.feedbacks, weights_by_guess(game))
    return Strategy(game, {"name": data["policy"], **data["options"]}, tree)


def test_a_book_can_be_made_again_from_its_json(books: dict[str, Book]) -> None:
    """The rebuilt book is the same file, byte for byte."""
    for book in books.values():
        assert rebuilt(json.loads(export(book, "json"))).to_bytes() == book.to_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mastermind-5x8", "bulls-and-cows-4x10"])
def test_the_large_books_can_be_made_again(name: str) -> None:
    """The same for the larger books that ship with the package."""
    book = open_book(name)
    assert rebuilt(json.loads(export(book, "json"))).to_bytes() == book.to_bytes()


def test_every_node_answers_as_the_lookup_does(books: dict[str, Book]) -> None:
    """A walk from feedback to feedback gives guess, candidates and the rest of every node."""
    for book in books.values():
        game, root = book.game, json.loads(export(book, "json"))["tree"]
        for node, history in zip(book.nodes, paths(book), strict=True):
            found = root
            for code, feedback in history:
                assert found["guess"] == game.guesses[code]
                found = found["children"][game.format_feedback(feedback)]
            assert found["guess"] == node.guess
            assert found["remaining"] == node.remaining
            assert found["candidate"] == node.candidate
            assert found["entropy"] == node.entropy
            assert [*found["children"]] == [str(feedback) for feedback in node.children]


def test_the_numbers_are_those_of_the_book(books: dict[str, Book]) -> None:
    """Counts and statistics are the metadata's."""
    for book in books.values():
        data = json.loads(export(book, "json"))
        assert data == {**data, **facts(book)}


def test_a_line_holds_one_key(books: dict[str, Book]) -> None:
    """Line tools such as grep and head can work on it: each key has its own line."""
    for book in books.values():
        text = export(book, "json")
        lines = text.splitlines()
        assert text.endswith("}\n")
        assert [line.split('"')[1] for line in lines[1:-1]] == [*json.loads(text)]


def test_the_depth_may_be_limited(books: dict[str, Book]) -> None:
    """With a depth the nodes below are left out; a tree too deep for readers needs one."""
    known = json.loads(export(books["4x6"], "json", depth=2))["tree"]
    assert len(known["children"]) == 13
    assert all(node["children"] == {} for node in known["children"].values())
    codes = [str(number) for number in range(120)]
    table = TableGame(codes, codes, lambda guess, code: "found" if guess == code else "no")
    deep = build_strategy(table)
    with pytest.raises(UsageError, match=r"^found a tree 1[12]\d guesses deep"):
        export(deep, "json")
    assert json.loads(export(deep, "json", depth=100))["nodes"] == len(deep.tree)


def keys_of(data: dict[str, Any], before: str = "") -> set[str]:
    """The keys of an object, those of inner objects with a dot."""
    found = set()
    for key, value in data.items():
        found.add(before + key)
        if isinstance(value, dict) and key != "children":
            found |= keys_of(value, f"{before}{key}.")
    return found


def test_every_key_is_documented(books: dict[str, Book]) -> None:
    """The table of the page has the keys of the files, but for those that `info` has as well."""
    rows = set(re.findall(r"^\| `([a-z0-9_.]+)` \|", PAGE.read_text("utf-8"), re.MULTILINE))
    keys: set[str] = set()
    table = TableGame(["a", "b"], ["x", "y", "z"], [[0, 1, 1], [0, 0, 1]])
    for book in (*books.values(), plain_book(table)):
        found = json.loads(export(book, "json"))
        keys |= keys_of({key: found[key] for key in found.keys() - facts(book).keys()})
    assert rows == keys


def test_jq_can_walk_it(tmp_path: Path) -> None:
    """The jq program of the page answers as the lookup does."""
    if not shutil.which("jq"):
        pytest.skip("needs jq")
    (program,) = re.findall(r"^```jq\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    book = open_book("mastermind-4x6")
    (tmp_path / "book.json").write_text(export(book, "json"), "utf-8")
    (tmp_path / "walk.jq").write_text(program, "utf-8")
    command = ["jq", "-r", "-f", "walk.jq", "book.json", "--args", "1,1", "0,2"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    node = book.root.child("1,1")
    assert node is not None
    after = node.child("0,2")
    assert after is not None
    assert done.stdout.split() == [after.guess]

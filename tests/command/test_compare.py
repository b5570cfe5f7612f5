"""The command `compare`: the table, JSON, the picture, and what it refuses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from guessbook.book import Mastermind, WordGame
from guessbook.book.summary import facts
from guessbook.builder import POLICIES, build_strategy
from guessbook.export.pictures.comparison import comparison_row, picture, table
from guessbook.export.pictures.shapes import SHADES
from tests.helpers.command import Run, one_line
from tests.helpers.samples import WORD_GAME

if TYPE_CHECKING:
    from pathlib import Path

SMALL = ("--pegs", 3, "--colors", 4)


def test_json(run: Run) -> None:
    """The JSON has a row for each policy, as a book of it would say, and chances up to 1."""
    result = run("compare", "parts", "rollout:width=3", *SMALL, "--json")
    assert (result.code, result.err) == (0, "")
    known = json.loads(result.out)
    assert (known["game"], known["secrets"]) == ("mastermind-3x4", 64)
    book = build_strategy(Mastermind(3, 4), {"name": "rollout", "width": 3})
    row = known["books"][1]
    assert list(row) == ["label", *facts(book), "within", "seconds"]
    assert row == {**row, **facts(book)}
    assert row["total_guesses"] == book.stats.total_guesses
    assert list(row["distribution"].values()) == list(book.stats.distribution)
    chances = list(row["within"].values())
    assert chances == sorted(chances)
    assert chances[-1] == 1
    assert chances[1] * 64 == sum(book.stats.distribution[:2])


def test_all_policies(run: Run) -> None:
    """Without arguments it compares all one-step policies."""
    rows = json.loads(run("compare", *SMALL, "--json").out)["books"]
    assert [row["label"] for row in rows] == list(POLICIES)


def test_table(run: Run) -> None:
    """The table has the total, the distribution and the chances, in columns."""
    result = run("compare", "entropy", "minimax", "--preset", "bagels")
    parts = result.out.split("\n\n")
    assert len(parts) == 4
    assert "entropy    012  3,616  5.0222      7 " in parts[1]
    assert all(len(set(map(len, part.splitlines()))) == 1 for part in parts[1:3])


def test_books(run: Run, tmp_path: Path) -> None:
    """A book counts as it is, and says which game is meant if no option does."""
    build_strategy(Mastermind(3, 4), "parts", "RRR").save(tmp_path / "mine.book")
    (row,) = json.loads(run("compare", "mine.book", *SMALL, "--json").out)["books"]
    assert (row["first_guess"], row["seconds"]) == ("RRR", None)
    known = json.loads(run("compare", "minimax", "mine.book", "--json").out)
    assert known["game"] == "mastermind-3x4"
    assert known["books"][1] == row
    (tmp_path / "mine.book").rename(tmp_path / "mine.gb")
    (row,) = json.loads(run("compare", "mine.gb", *SMALL, "--json").out)["books"]
    assert row["first_guess"] == "RRR"


def test_books_of_other_games(run: Run, tmp_path: Path) -> None:
    """A book of another game than the options or the first book is refused, by its name."""
    build_strategy(Mastermind(3, 4)).save(tmp_path / "small.book")
    build_strategy(Mastermind(3, 4, symbols="abcd")).save(tmp_path / "letters.book")
    build_strategy(WordGame(["aab", "aba"], ["abb"])).save(tmp_path / "words.book")
    build_strategy(WordGame(["aab", "aba"])).save(tmp_path / "fewer.book")
    (tmp_path / "junk.book").write_bytes(b"junk")
    for arguments, found in {
        ("small.book", "mastermind-4x6"): "book of mastermind-4x6 in mastermind-4x6, expected mast",
        ("small.book", "--preset", "bagels"): "mastermind-3x4 in small.book, expected bulls-and-c",
        ("small.book", "letters.book"): "mastermind-3x4 with other symbols or words in l",
        ("words.book", "fewer.book"): "words-3x2 with other symbols or words in fewer.book, exp",
        ("words.book", "small.book"): "mastermind-3x4 in small.book, expected words-3x2",
        ("small.book", "rollout:hard-mode"): "hard mode is a rule for words",
        ("words.book", "parts:first-guess=RRR"): "found 'rrr', expected one of the 3 words",
    }.items():
        result = run("compare", *arguments)
        assert result.code == 2
        assert found in one_line(result)
    result = run("compare", "small.book", "junk.book")
    assert result.code == 3
    assert one_line(result).startswith("Error: junk.book: ")


def test_books_of_words(run: Run, tmp_path: Path) -> None:
    """Books of words are compared with policies without naming the lists again."""
    build_strategy(WORD_GAME, "parts").save(tmp_path / "words.book")
    rows = json.loads(run("compare", "words.book", "parts", "rollout", "--json").out)["books"]
    assert rows[0]["distribution"] == rows[1]["distribution"]
    assert rows[2]["total_guesses"] <= rows[0]["total_guesses"]


def test_shipped_books(run: Run) -> None:
    """A shipped book is compared by its name."""
    rows = json.loads(run("compare", "mastermind-4x6", "expected", "--json").out)["books"]
    assert [(row["total_guesses"], row["seconds"] is None) for row in rows] == [
        (5722, True),
        (5696, False),
    ]


def test_first_guess(run: Run) -> None:
    """A policy may be told its first guess."""
    texts = ("parts:first-guess=rry", "parts:first_guess=RRR")
    rows = json.loads(run("compare", *texts, *SMALL, "--json").out)["books"]
    assert [row["first_guess"] for row in rows] == ["RRY", "RRR"]
    book = build_strategy(Mastermind(3, 4), "parts", "RRY")
    assert rows[0]["options"] == book.stats.options
    assert rows[0]["total_guesses"] == book.stats.total_guesses


def test_picture(run: Run, tmp_path: Path) -> None:
    """The picture is XML with a bar for each policy, whose parts add up; markup is harmless."""
    assert run("compare", "entropy", "parts", *SMALL, "--svg", "x.svg").code == 0
    text = (tmp_path / "x.svg").read_text("utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag.endswith("svg")
    book = build_strategy(Mastermind(3, 4), "entropy")
    segments = len(book.stats.distribution)
    other = len(build_strategy(Mastermind(3, 4), "parts").stats.distribution)
    parts = [r for r in root.iter() if r.tag.endswith("rect") and len(r)]
    assert len(parts) == segments + other
    lengths = [float(part.attrib["width"]) for part in parts]
    shares = [420 * count / 64 for count in book.stats.distribution]
    assert lengths[:segments] == pytest.approx(shares, abs=0.01)
    assert sum(lengths[segments:]) == pytest.approx(420, abs=0.1)
    hostile = picture("<&>", [comparison_row("</svg>", book, None)])
    assert [t.text for t in ElementTree.fromstring(hostile).iter() if t.tag.endswith("text")][
        :2
    ] == ["<&>", "</svg>"]
    again = run("compare", "entropy", *SMALL, "--svg", "x.svg")
    assert again.code == 1
    assert "choose another file with --svg" in one_line(again)


def test_many_guesses() -> None:
    """Policies that differ in their worst case share one table, and shades never run out."""
    books = [build_strategy(Mastermind(2, 12), name) for name in ("entropy", "positional")]
    rows = [comparison_row(str(k), book, 0.5) for k, book in enumerate(books)]
    assert rows[0]["max_guesses"] < rows[1]["max_guesses"]
    assert rows[1]["max_guesses"] > len(SHADES)
    assert table(rows).count("100.00") >= 2
    ElementTree.fromstring(picture("wide", rows))


@pytest.mark.parametrize(
    ("label", "title", "worst"),
    [("entropy", "t", 6), ("l" * 120, "t", 40), ("entropy", "漢" * 80, 3), ("界" * 30, "", 200)],
)
def test_nothing_leaves_the_picture(label: str, title: str, worst: int) -> None:
    """Bars, keys and texts end inside the picture, however long the labels and the games are."""
    row = comparison_row(label, build_strategy(Mastermind(2, 3)), None)
    row["max_guesses"] = worst
    row["distribution"] = {str(depth): depth for depth in range(1, worst + 1)}
    root = ElementTree.fromstring(picture(title, [row, row]))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    boxes = [r for r in root.iter() if "x" in r.attrib]
    assert len(boxes) > 2 * worst
    for box in boxes:
        text = box.text or ""
        wide = 7 * len(text) if text.isascii() else 13 * len(text)
        x = float(box.attrib["x"])
        assert x + float(box.attrib.get("width", wide)) <= width
        assert float(box.attrib["y"]) + float(box.attrib.get("height", 0)) <= height
    # No label runs into a bar.
    bars = min(float(r.attrib["x"]) for r in boxes if "width" in r.attrib)
    assert bars > 16 + 7 * len(label)


def test_an_option_without_its_value(run: Run) -> None:
    """It is said to have none."""
    assert "found depth without a value" in run("compare", "lookahead:depth").err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("nope",), 2),
        (("rollout:width=x",), 2),
        (("entropy:hard-mode",), 2),
        (("entropy:first-guess=nope",), 2),
        (("entropy:first-guess=RRYY,first-guess=RRYY",), 2),
        (("x" * 5000,), 2),
        (("--preset", "mastermind", "--pegs", "4"), 2),
        (("--preset", "mastermind", "--scoring", "loose"), 2),
        (("--preset", "mastermind", "--guesses", "x.txt"), 2),
        (("--answers", "x.txt", "--pegs", "4"), 2),
        (("--preset", "nope"), 2),
        (("--preset", "bagels", "--pegs", "3"), 2),
        (("missing.book",), 2),
        (("--svg", "no/such/folder.svg"), 1),
    ],
    ids=str,
)
def test_refused(run: Run, arguments: tuple[str, ...], code: int) -> None:
    """What makes no sense is refused in one line, before anything is built."""
    result = run("compare", *arguments)
    assert result.code == code
    one_line(result)


def test_the_author_of_a_policy(run: Run) -> None:
    """`compare` answers an author's name as `build-book` does, with the policy."""
    for arguments in (["compare", "knuth"], ["build-book", "--policy", "knuth"]):
        assert (
            one_line(run(*arguments))
            == "Error: found policy 'knuth', expected a policy's name; Knuth's policy is minimax"
        )

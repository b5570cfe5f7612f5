"""The command `compare`: the table, JSON, the picture, and what it refuses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from guessbook.book import Mastermind
from guessbook.builder import POLICIES, build_book
from guessbook.builder.comparison import SHADES, compared, picture, table
from tests.test_cli import Run, one_line, run

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["run"]

SMALL = ("--pegs", 3, "--colors", 4)
KEYS = [
    "label",
    "policy",
    "first_guess",
    "total_guesses",
    "mean_guesses",
    "max_guesses",
    "distribution",
    "within",
    "seconds",
]


def test_json(run: Run) -> None:
    """The JSON has a row for each policy, as a book of it would say, and chances up to 1."""
    result = run("compare", "parts", "rollout:width=3", *SMALL, "--json")
    assert (result.code, result.err) == (0, "")
    known = json.loads(result.out)
    assert (known["game"], known["secrets"]) == ("mastermind-3x4", 64)
    book = build_book(Mastermind(3, 4), {"name": "rollout", "width": 3})
    row = known["policies"][1]
    assert list(row) == KEYS
    assert row["policy"] == book.policy
    assert row["total_guesses"] == book.metadata.total_guesses
    assert list(row["distribution"].values()) == list(book.metadata.distribution)
    chances = list(row["within"].values())
    assert chances == sorted(chances)
    assert chances[-1] == 1
    assert chances[1] * 64 == sum(book.metadata.distribution[:2])


def test_all_policies(run: Run) -> None:
    """Without arguments it compares all one-step policies."""
    rows = json.loads(run("compare", *SMALL, "--json").out)["policies"]
    assert [row["label"] for row in rows] == list(POLICIES)


def test_table(run: Run) -> None:
    """The table has the total, the distribution and the chances, in columns."""
    result = run("compare", "entropy", "minimax", "--preset", "bagels")
    parts = result.out.split("\n\n")
    assert len(parts) == 4
    assert "entropy    012  3,616  5.0222      7 " in parts[1]
    assert all(len(set(map(len, part.splitlines()))) == 1 for part in parts[1:3])


def test_books(run: Run, tmp_path: Path) -> None:
    """A book counts as it is; one of another game is refused."""
    build_book(Mastermind(3, 4), "parts", "RRR").save(tmp_path / "mine.book")
    (row,) = json.loads(run("compare", "mine.book", *SMALL, "--json").out)["policies"]
    assert (row["first_guess"], row["seconds"]) == ("RRR", None)
    result = run("compare", "mine.book")
    assert result.code == 2
    assert "found a book of mastermind-3x4" in one_line(result)


def test_picture(run: Run, tmp_path: Path) -> None:
    """The picture is XML with a bar for each policy, whose parts add up; markup is harmless."""
    assert run("compare", "entropy", "parts", *SMALL, "--svg", "x.svg").code == 0
    text = (tmp_path / "x.svg").read_text("utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag.endswith("svg")
    book = build_book(Mastermind(3, 4), "entropy")
    parts = [r for r in root.iter() if r.tag.endswith("rect") and len(r)]
    lengths = [float(part.attrib["width"]) for part in parts]
    solved = sum(n > 0 for n in book.metadata.distribution)
    assert sum(lengths[: len(book.metadata.distribution)]) == pytest.approx(420, abs=0.1)
    assert solved <= len(book.metadata.distribution)
    hostile = picture("<&>", [compared("</svg>", book, None)])
    assert [t.text for t in ElementTree.fromstring(hostile).iter() if t.tag.endswith("text")][
        :2
    ] == ["<&>", "</svg>"]
    assert run("compare", "entropy", *SMALL, "--svg", "x.svg").code == 1


def test_many_guesses() -> None:
    """Policies that differ in their worst case share one table, and shades never run out."""
    books = [build_book(Mastermind(2, 12), name) for name in ("entropy", "positional")]
    rows = [compared(str(k), book, 0.5) for k, book in enumerate(books)]
    assert rows[0]["max_guesses"] < rows[1]["max_guesses"]
    assert rows[1]["max_guesses"] > len(SHADES)
    assert table(rows).count("100.00") >= 2
    ElementTree.fromstring(picture("wide", rows))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("nope",), 2),
        (("rollout:width=x",), 2),
        (("entropy:hard-mode",), 2),
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

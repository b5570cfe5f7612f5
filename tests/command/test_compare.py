"""The command `compare` and `gb.compare`: the table, JSON and the picture."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

import guessbook as gb
from tests.helpers.command import KEYS, Run

if TYPE_CHECKING:
    from pathlib import Path

SMALL = ("--pegs", 3, "--colors", 4)
ONE_STEP = ["entropy", "expected", "parts", "minimax", "entropy-corrected"]


def compared(run: Run, *arguments: object) -> dict[str, Any]:
    """What `compare --json` prints."""
    result = run("compare", *arguments, "--json")
    assert (result.code, result.err) == (0, "")
    known: dict[str, Any] = json.loads(result.out)
    return known


def test_json_has_statistics_and_chances_of_each_policy(run: Run) -> None:
    known = compared(run, "parts", "rollout:width=3", *SMALL)
    assert (known["game"], known["secrets"]) == ("mastermind-3x4", 64)
    book = gb.build("mastermind-3x4", "rollout", width=3)
    row = known["books"][1]
    keys = [key for key in KEYS if key not in ("path", "game", "note", "bytes", "secrets")]
    assert [key for key in row if key in keys] == keys
    assert row["label"] == "rollout:width=3"
    assert row["total_guesses"] == book.stats.total_guesses
    assert list(row["distribution"].values()) == list(book.stats.distribution)
    chances = list(row["within"].values())
    assert chances == sorted(chances)
    assert chances[-1] == 1
    assert chances[1] * 64 == sum(book.stats.distribution[:2])


def test_all_one_step_policies_are_compared_by_default(run: Run) -> None:
    rows = compared(run, *SMALL)["books"]
    assert [row["label"] for row in rows][:5] == ONE_STEP


def test_table_has_totals_distributions_and_chances_in_columns(run: Run) -> None:
    result = run("compare", "entropy", "minimax", "--preset", "bagels")
    title, totals, *others = result.out.rstrip("\n").split("\n\n")
    assert title == "bulls-and-cows-3x10: 720 secrets"
    assert len(others) == 2
    assert "entropy    012  3,616  5.0222      7 " in totals
    for part in (totals, *others):
        assert len(set(map(len, part.splitlines()))) == 1


def test_policies_with_different_worst_cases_share_a_table() -> None:
    found = gb.compare(["entropy", "positional"], "mastermind-2x12")
    entropy, positional = found.books
    assert entropy.book.stats.max_guesses < positional.book.stats.max_guesses
    assert str(found).count("100.00") >= 2


def test_book_in_a_comparison_is_not_rebuilt_and_determines_the_game(
    run: Run, tmp_path: Path
) -> None:
    gb.build("mastermind-3x4", "parts", first_guess="RRR").save(tmp_path / "mine.gb")
    (row,) = compared(run, "mine.gb", *SMALL)["books"]
    assert (row["first_guess"], row["seconds"]) == ("RRR", None)
    known = compared(run, "minimax", "mine.gb")
    assert known["game"] == "mastermind-3x4"
    assert known["books"][1] == row
    rows = compared(run, "mastermind-4x6", "expected")["books"]
    assert [row["total_guesses"] for row in rows] == [5722, 5696]
    assert [row["seconds"] is None for row in rows] == [True, False]


def test_book_of_words_determines_the_game_of_a_comparison(run: Run, small: gb.Book) -> None:
    rows = compared(run, "words.book", "entropy", "rollout")["books"]
    assert rows[0]["distribution"] == rows[1]["distribution"]
    assert rows[2]["total_guesses"] <= rows[0]["total_guesses"]


@pytest.mark.parametrize(
    ("game", "other"),
    [
        (gb.Mastermind(3, 4), gb.Mastermind(3, 4, symbols="abcd")),
        (gb.WordGame(["aab", "aba"], ["abb"]), gb.WordGame(["aab", "aba"])),
    ],
)
def test_books_with_different_symbols_or_words_are_not_compared(
    run: Run, tmp_path: Path, game: gb.Game, other: gb.Game
) -> None:
    gb.build(game).save(tmp_path / "a.book")
    gb.build(other).save(tmp_path / "b.book")
    result = run("compare", "a.book", "b.book")
    assert (result.code, result.out) == (2, "")
    assert "other symbols or words" in result.err


def test_compared_policy_may_have_a_first_guess(run: Run) -> None:
    rows = compared(run, "parts:first-guess=rry", "parts:first_guess=RRR", *SMALL)["books"]
    assert [row["first_guess"] for row in rows] == ["RRY", "RRR"]
    book = gb.build("mastermind-3x4", "parts", first_guess="RRY")
    assert rows[0]["options"] == book.stats.options
    assert rows[0]["total_guesses"] == book.stats.total_guesses


def test_bars_of_the_picture_are_proportional_to_the_distributions(
    run: Run, tmp_path: Path
) -> None:
    assert run("compare", "entropy", "parts", *SMALL, "--svg", "x.svg").code == 0
    root = ElementTree.fromstring((tmp_path / "x.svg").read_text("utf-8"))
    assert root.tag.endswith("svg")
    distributions = [
        gb.build("mastermind-3x4", policy).stats.distribution for policy in ("entropy", "parts")
    ]
    shares = [420 * count / 64 for counts in distributions for count in counts]
    parts = [part for part in root.iter() if part.tag.endswith("rect") and len(part)]
    assert [float(part.attrib["width"]) for part in parts] == pytest.approx(shares, abs=0.01)
    assert run("compare", "entropy", *SMALL, "--svg", "x.svg", "--force").code == 0
    assert "parts" not in (tmp_path / "x.svg").read_text("utf-8")
    game = ("--pegs", 3, "--colors", 3)
    assert run("compare", "minimax", "entropy", *game, "--svg", "x.svg", "--force").code == 0
    assert "; 1 guess fewer than minimax" in (tmp_path / "x.svg").read_text("utf-8")


@pytest.mark.parametrize(
    ("label", "worst"),
    [("entropy", 3), ("</svg>", 8), ("l" * 120, 40), ("界" * 30, 200)],
    ids=["short", "markup", "long", "wide"],
)
def test_labels_and_bars_stay_inside_the_picture(label: str, worst: int) -> None:
    secrets = range(worst)
    game = gb.TableGame(secrets, secrets, lambda guess, secret: guess == secret)
    found = gb.compare({label: gb.build(game), "other": "parts"})
    root = ElementTree.fromstring(found.svg())
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    boxes = [box for box in root.iter() if "x" in box.attrib]
    assert label in [box.text for box in boxes]
    assert len(boxes) > 2 * min(worst, 40)
    for box in boxes:
        text = box.text or ""
        length = sum(7 if letter.isascii() else 13 for letter in text)
        x, y = float(box.attrib["x"]), float(box.attrib["y"])
        assert x + float(box.attrib.get("width", length)) <= width
        assert y + float(box.attrib.get("height", 0)) <= height
    bars = min(float(box.attrib["x"]) for box in boxes if "width" in box.attrib)
    assert bars > 16 + 7 * len(label), "no label runs into a bar"

"""The command `report`: a page that is right, complete, harmless, and needs nothing else."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from functools import cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from guessbook.book import Game, Mastermind, Strategy, WordGame
from guessbook.export.pictures.shapes import percent
from guessbook.export.published import published_results
from guessbook.export.report_page import LISTED, report_page
from guessbook.lookup import open_book
from tests.helpers.command import complaint, one_line
from tests.helpers.plain import plain_book

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command import Run

WORDS = ["light", "eight", "night", "might", "sight", "thing", "geese", "sleet"]
GAMES: dict[str, Game] = {
    "words": WordGame(WORDS),
    "hostile": Mastermind(2, 6, symbols="<&\">'\\"),
    "tiny": Mastermind(1, 1),
    "no repeats": Mastermind(3, 5, repeats=False),
}
VOID = {"meta", "br", "img", "input", "link", "hr"}


class Page(HTMLParser):
    """A page: its elements with their attributes, the texts in them; every one must be closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element of SVG that is closed at once."""
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost element."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """A text."""
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)


@cache
def book_of(kind: str) -> Strategy:
    """A book of one of several kinds."""
    return open_book("mastermind-4x6") if kind == "4x6" else plain_book(GAMES[kind])


@pytest.mark.parametrize("name", ["4x6", *GAMES])
def test_the_page_is_closed(name: str) -> None:
    """It loads and runs nothing: strict policy, known elements, references to itself only."""
    text = report_page(book_of(name), name, 1)
    page = Page(text)
    tags = {tag for tag, _ in page.elements}
    assert tags <= {
        "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "svg", "desc",
        "defs", "g", "use", "rect", "circle", "path", "text", "dl", "div", "dt", "dd", "table",
        "tr", "th", "td", "figure", "figcaption", "pre", "code",
    }  # fmt: skip
    identities = [known["id"] for _, known in page.elements if "id" in known]
    assert len(identities) == len(set(identities))
    for _, known in page.elements:
        assert not any(attribute.startswith("on") for attribute in known)
        assert "style" not in known
        assert "src" not in known
        assert (known.get("href") or "#").removeprefix("#") in {"", *identities}
    (policy,) = (k["content"] or "" for t, k in page.elements if t == "meta" and "http-equiv" in k)
    (style,) = page.texts["style"]
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.parametrize("name", ["4x6", *GAMES])
def test_every_column_has_a_name(name: str) -> None:
    """No header of a table is without text, which a screen reader would read as nothing."""
    page = report_page(book_of(name), name, 12345)
    heads = re.findall(r"<th\b[^>]*>(.*?)</th>", page, re.DOTALL)
    assert len(heads) == page.count("<th>") + page.count("<th ") >= 4
    assert all(re.sub("<[^>]*>", "", head).strip() for head in heads)


@pytest.mark.parametrize("name", ["4x6", *GAMES])
def test_the_figures_are_those_of_the_book(name: str) -> None:
    """Statistics, distribution and second guesses are what the book says."""
    book = book_of(name)
    known = book.stats
    page = Page(report_page(book, name, 12345))
    assert page.texts["h1"] == [book.game.name]
    assert page.texts["dd"] == [
        f"{known.secrets:,}",
        f"{known.mean_guesses:.4f}",
        f"{known.max_guesses}",
        f"{known.total_guesses:,}",
        f"{known.nodes:,}",
        "12,345",
    ]
    rows = page.texts["td"]
    for guesses, count in enumerate(known.distribution, 1):
        assert rows[3 * guesses - 3 : 3 * guesses - 1] == [str(guesses), f"{count:,}"]
    assert rows[3 * known.max_guesses - 1] == "100.00 %"
    listed = page.texts.get("code", [])
    seconds = [node.guess for node in book.root.children.values()]
    assert len(listed) == min(LISTED, len(seconds))
    assert set(listed) <= set(seconds)


@pytest.mark.parametrize(
    ("part", "whole", "said"),
    [(1, 3, "33.33 %"), (3, 3, "100.00 %"), (99_999, 100_000, "99.99 %"), (0, 3, "0.00 %")],
)
def test_only_all_is_a_hundred_per_cent(part: int, whole: int, said: str) -> None:
    """A share is rounded, but never up to certainty."""
    assert f"{percent(part, whole)} %" == said


def test_published_results_are_compared() -> None:
    """The page of 4x6 has this book among the published results, by its total."""
    text = report_page(open_book("mastermind-4x6"), "mastermind-4x6", 1)
    part = text.partition("Published results")[2]
    totals = [int(t.replace(",", "")) for t in re.findall(r'<td class="n">([\d,]{5,})</td>', part)]
    assert totals == sorted(totals) == [5625, 5668, 5696, 5719, 5722, 5722, 5801]
    assert part.count("this book") == part.count('class="here"') == 1
    assert "no published result" not in text


def test_a_game_without_published_results_says_so() -> None:
    """Where nothing is published the page says that instead."""
    assert published_results(Mastermind(2, 2)) == []
    text = report_page(plain_book(Mastermind(2, 2)), "x", 1)
    assert "knows of no published result" in text


def test_a_page_beside_other_books(run: Run) -> None:
    """With `--compare` it draws them, and says how many guesses the better ones save."""
    names = ["bulls-and-cows-4x10-optimal", "bulls-and-cows-4x10"]
    result = run("report", names[0], "--compare", names[1], "-o", "-")
    assert (result.code, result.err) == (0, "")
    saved = 26_424 - 26_274
    said = [text for text in Page(result.out).texts["text"] if text.startswith("mean")]
    assert said == ["mean 5.2429, worst 8", f"mean 5.2131, worst 7; {saved} guesses fewer"]
    assert "Compared" not in run("report", names[0], "-o", "-").out
    other = run("report", names[0], "--compare", "mastermind-4x6", "-o", "-")
    assert (other.code, other.out) == (2, "")
    assert "found a book of mastermind-4x6 in mastermind-4x6, expected bulls" in one_line(other)


def test_the_command_writes_the_page(run: Run, tmp_path: Path) -> None:
    """It writes the page, says where and how many bytes, and does not overwrite without --force."""
    book = plain_book(WordGame(WORDS))
    size = book.save(tmp_path / "words.book")
    result = run("report", "words.book")
    path = tmp_path / "words-5x8-entropy-report.html"
    assert result.out == f"{path.name}  {path.stat().st_size:,} bytes\n"
    assert path.read_text("utf-8") == report_page(book, "words.book", size)
    assert "exists already" in complaint(run("report", "words.book"))
    path.write_text("old")
    result = run("report", "words.book", "--force", "--json")
    assert json.loads(result.out) == {
        "path": path.name,
        "game": "words-5x8",
        "bytes": path.stat().st_size,
    }
    assert path.stat().st_size > 1000


def test_what_cannot_be_written_is_one_line(run: Run, tmp_path: Path) -> None:
    """A folder, a missing folder and a file that is no book are refused without a traceback."""
    open_book("mastermind-4x6").save(tmp_path / "a.book")
    (tmp_path / "folder").mkdir()
    complaint(run("report", "a.book", "-o", "folder", "--force"))
    complaint(run("report", "a.book", "-o", "nowhere/report.html"))
    (tmp_path / "no.book").write_bytes(b"no book")
    complaint(run("report", "no.book"), 3)
    complaint(run("report", "missing.book"), 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.book", "folder", "no.book"]


def test_a_dash_prints_the_page(run: Run, tmp_path: Path) -> None:
    """`-o -` prints what a file would hold and writes none; with --json that would be two texts."""
    size = open_book("mastermind-4x6").save(tmp_path / "a.book")
    result = run("report", "a.book", "-o", "-")
    assert result.out == report_page(open_book("mastermind-4x6"), "a.book", size)
    assert "leave one out" in complaint(run("report", "a.book", "-o", "-", "--json"), 2)
    assert [path.name for path in tmp_path.iterdir()] == ["a.book"]


def test_a_policy_names_no_folder(run: Run, tmp_path: Path) -> None:
    """Whatever a policy is called, the report without -o is a file in this folder."""
    book = open_book("mastermind-4x6")
    Strategy(book.game, {"name": "/../" + 50 * "<"}, book.tree).save(tmp_path / "a.book")
    assert run("report", "a.book").code == 0
    (path,) = set(tmp_path.iterdir()) - {tmp_path / "a.book"}
    assert path.name == f"mastermind-4x6-{40 * '-'}-report.html"


@pytest.mark.parametrize("game", [Mastermind(1, 1), Mastermind(1, 20), Mastermind(2, 2)])
def test_small_and_deep_trees_have_pictures_of_a_usual_width(game: Mastermind) -> None:
    """The key fits below a tiny tree, and a chain of guesses becomes a wheel, not a long row."""
    page = Page(report_page(plain_book(game), "x", 1))
    widths = [
        float(known["width"] or "")
        for tag, known in page.elements
        if tag == "svg" and known.get("role") == "img" and known.get("class") != "opening"
    ]
    assert widths
    assert all(500 <= width <= 2000 for width in widths)


def test_the_commands_of_a_page_have_single_spaces() -> None:
    """Also for a book that has only one guess, and so no feedback for an example."""
    text = report_page(plain_book(Mastermind(1, 1)), "x.book", 1)
    assert "guessbook hint --book x.book " in text


def test_the_name_of_a_book_is_harmless(run: Run, tmp_path: Path) -> None:
    """A file name with markup, quotes or control characters stays a text."""
    name = "</pre><script>alert('x')\x1b[2J\u202e.book"
    open_book("mastermind-4x6").save(tmp_path / "a.book")
    (tmp_path / "a.book").rename(tmp_path / name.replace("/", "\u2215"))
    result = run("report", name.replace("/", "\u2215"), "-o", "report.html")
    assert result.code == 0
    text = (tmp_path / "report.html").read_text("utf-8")
    page = Page(text)
    assert "script" not in {tag for tag, _ in page.elements}
    assert "\x1b" not in text
    assert "\u202e" not in text

"""Pages without scripts: the report about a book, and the booklet to print."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from itertools import accumulate
from typing import TYPE_CHECKING

import pytest

import guessbook as gb
from tests.export.samples import BOOKS, book_of
from tests.helpers.content import edited

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command import Run

VOID = {"meta", "br", "img", "input", "link", "hr"}
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "svg", "desc"),
    *("defs", "g", "use", "rect", "circle", "path", "text", "dl", "div", "dt", "dd", "table"),
    *("tr", "th", "td", "figure", "figcaption", "pre", "code", "b", "i", "a", "small", "span"),
    *("ol", "ul", "li"),
}


class Page(HTMLParser):
    """The elements of a page, their attributes and their texts; checks that all are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)


def check_harmless(text: str) -> Page:
    """Check that a page runs and loads nothing, and return it."""
    page = Page(text)
    assert {tag for tag, _ in page.elements} <= TAGS
    identities = [known["id"] for _, known in page.elements if "id" in known]
    assert len(identities) == len(set(identities))
    for _, known in page.elements:
        assert not any(attribute.startswith("on") for attribute in known)
        assert not {"style", "src"} & known.keys()
        assert (known.get("href") or "#").removeprefix("#") in {"", *identities}
    (policy,) = (k["content"] or "" for t, k in page.elements if t == "meta" and "http-equiv" in k)
    (style,) = page.texts["style"]
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert not re.search(r"url\(|@import", style)
    return page


def report_of(run: Run, folder: Path, book: gb.Book, *options: str) -> str:
    """Save a book as a.book, and return the report about it."""
    book.save(folder / "a.book")
    result = run("report", "a.book", "-o", "-", *options)
    assert (result.code, result.err) == (0, "")
    return result.out


@pytest.mark.parametrize("name", BOOKS)
def test_report_is_harmless_and_has_the_statistics_of_the_book(
    name: str, run: Run, tmp_path: Path
) -> None:
    book = book_of(name)
    known = book.stats
    text = report_of(run, tmp_path, book)
    page = check_harmless(text)
    size = (tmp_path / "a.book").stat().st_size
    assert page.texts["h1"] == [book.game.name]
    assert page.texts["dd"] == [
        f"{known.secrets:,}",
        f"{known.mean_guesses:.4f}",
        f"{known.max_guesses}",
        f"{known.total_guesses:,}",
        f"{known.nodes:,}",
        f"{size:,}",
    ]
    cells = page.texts["td"]
    solved = accumulate(known.weight_distribution)
    for row, (count, found) in enumerate(zip(known.distribution, solved, strict=True)):
        guesses, counted, within = cells[3 * row : 3 * row + 3]
        assert (guesses, counted) == (str(row + 1), f"{count:,}")
        # A share is never rounded up to 100%.
        share = float(within.removesuffix("%"))
        assert abs(share - 100 * found / known.weight) < 0.01
        assert (share == 100) == (found == known.weight)
    seconds = [node.guess for node in book.root.children.values()]
    listed = [unescape(code) for code in re.findall("<td><code>(?:name: )?(.*?)</code>", text)]
    assert len(listed) == min(30, len(seconds))
    assert {*listed} <= {*seconds}
    # A screen reader announces nothing for an empty header.
    heads = re.findall(r"<th\b[^>]*>(.*?)</th>", text, re.DOTALL)
    assert all(re.sub("<[^>]*>", "", head).strip() for head in heads)
    assert "guessbook hint" in "".join(page.texts["pre"])
    for tag, attributes in page.elements:
        drawn = tag == "svg" and attributes.get("role") == "img" and "class" not in attributes
        if drawn and isinstance(book.game, gb.Mastermind):
            assert 500 <= float(attributes["width"] or "") <= 2000


def test_report_compares_with_published_results(run: Run, tmp_path: Path) -> None:
    part = report_of(run, tmp_path, gb.open("mastermind-4x6")).partition("Published results")[2]
    totals = [int(t.replace(",", "")) for t in re.findall(r'<td class="n">([\d,]{5,})</td>', part)]
    assert totals == [5625, 5668, 5696, 5719, 5722, 5722, 5801]
    assert part.count("this book") == part.count('class="here"') == 1
    assert part.count("+0.00%") == 1
    none = report_of(run, tmp_path, book_of("win"))
    assert "knows of no published result" in none


def test_report_compares_with_other_books(run: Run) -> None:
    names = ["bulls-and-cows-4x10-optimal", "bulls-and-cows-4x10"]
    result = run("report", names[0], "--compare", names[1], "-o", "-")
    assert (result.code, result.err) == (0, "")
    said = [text for text in Page(result.out).texts["text"] if text.startswith("mean")]
    saved = 26_424 - 26_274
    assert said == [
        "mean 5.2429, worst 8",
        f"mean 5.2131, worst 7; {saved} guesses fewer than entropy",
    ]
    assert "Compared" not in run("report", names[0], "-o", "-").out
    other = run("report", names[0], "--compare", "mastermind-4x6", "-o", "-")
    assert (other.code, other.out) == (2, "")


def test_report_is_written_to_a_file(run: Run, tmp_path: Path) -> None:
    """Its default name follows from the book; only --force replaces an existing file."""
    book_of("words").save(tmp_path / "a.book")
    result = run("report", "a.book")
    path = tmp_path / "words-5x16-entropy-report.html"
    assert result.out == f"{path.name}  {path.stat().st_size:,} bytes\n"
    assert path.read_text("utf-8") == run("report", "a.book", "-o", "-").out
    path.write_text("old")
    assert run("report", "a.book").code == 1
    assert path.read_text() == "old"
    found = json.loads(run("report", "a.book", "--force", "--json").out)
    assert found == {"path": path.name, "game": "words-5x16", "bytes": path.stat().st_size}
    assert found["bytes"] > 1000


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("report a.book -o folder --force", 1),
        ("report a.book -o nowhere/report.html", 1),
        ("report a.book -o - --json", 2),
        ("report no.book", 3),
        ("report missing.book", 2),
    ],
)
def test_report_that_cannot_be_written_leaves_no_file(
    arguments: str, code: int, run: Run, tmp_path: Path
) -> None:
    book_of("words").save(tmp_path / "a.book")
    (tmp_path / "folder").mkdir()
    (tmp_path / "no.book").write_bytes(b"no book")
    assert run(*arguments.split()).code == code
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.book", "folder", "no.book"]


def test_report_of_hostile_names_is_harmless(run: Run, tmp_path: Path) -> None:
    """The name of a policy names no folder, and the name of a file is shown as text."""
    book = edited(book_of("words"), policy={"name": "/../" + 50 * "<"})
    book.save(tmp_path / "a.book")
    assert run("report", "a.book").code == 0
    (path,) = {*tmp_path.iterdir()} - {tmp_path / "a.book"}
    assert path.name == f"words-5x16-{40 * '-'}-report.html"
    name = "<\u2215pre><script>alert('x')\x1b[2J\u202e.book"
    (tmp_path / "a.book").rename(tmp_path / name)
    text = run("report", name, "-o", "-").out
    check_harmless(text)
    assert not {"\x1b", "\u202e"} & {*text}


# The booklet


def plain(markup: str) -> str:
    """Return the text of HTML."""
    return unescape(re.sub("<[^>]*>", "", markup)).strip()


def entries_of(text: str) -> dict[str, tuple[str, dict[str, str]]]:
    """Return the entries of a booklet by number: the guess, and where each answer leads."""
    found = {}
    for number, item in re.findall(r'<li id="(\d+)"[^>]*>(.*?)</li>', text):
        guess = re.search(r"<h2><b>\d+</b> (.*?)<small>", item)
        assert guess
        rows = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", item)
        found[number] = plain(guess[1]), {plain(dt): plain(dd) for dt, dd in rows}
        assert len(found[number][1]) == len(rows)
    return found


def guesses_by_booklet(
    game: gb.Game, entries: dict[str, tuple[str, dict[str, str]]], secret: str
) -> int:
    """Return how many guesses a player with the booklet needs to find a secret."""
    number, count = "1", 0
    while True:
        shown, rows = entries[number]
        guess = game.guesses[game.parse_code(shown)]
        count += 1
        if guess == secret:
            return count
        feedback = game.format_feedback(game.parse_feedback(game.feedback(guess, secret)))
        goal = rows[feedback]
        if not goal.startswith("go to "):
            tried = [game.guesses[game.parse_code(shown)] for shown in goal.split(" else ")]
            return count + 1 + tried.index(secret)
        number = goal.removeprefix("go to ")


@pytest.mark.parametrize("name", BOOKS)
def test_booklet_finds_every_secret_as_the_book_does(name: str) -> None:
    book = book_of(name)
    text = book.export("booklet")
    check_harmless(text)
    entries = entries_of(text)
    counts = Counter(guesses_by_booklet(book.game, entries, s) for s in book.game.secrets)
    distribution = {n: count for n, count in enumerate(book.stats.distribution, 1) if count}
    assert counts == distribution
    for number, (_, rows) in entries.items():
        goals = [goal for goal in rows.values() if goal.startswith("go to ")]
        assert all(int(goal.removeprefix("go to ")) > int(number) for goal in goals)
        if isinstance(book.game, gb.Mastermind):
            assert [*rows] == sorted(rows, key=lambda row: [*map(int, row.split(","))])


def test_booklet_explains_the_game() -> None:
    game = gb.Mastermind(2, 4, symbols="RBKS", names=["red", "blue", "black", "star"])
    text = gb.build(game).export("booklet")
    said = plain(text.partition("<body>")[2].partition("<ol>")[0])
    for part in ("R red, B blue, K black, S star", "Begin at 1.", "The answer 2,0 ends the game"):
        assert part in said
    legend = text.partition('<p class="legend pegs">')[2].partition("</p>")[0]
    assert re.findall(r"</i> (\w+)</span>", legend) == ["red", "blue", "black", "star"]
    assert "legend pegs" not in book_of("without repeats").export("booklet")


def test_booklet_is_exported_only_on_request_and_if_short(run: Run, tmp_path: Path) -> None:
    """By default, an .html file is a page. A booklet of 278 pages of A4 is rejected."""
    assert run("export", "--to", "booklet", "-o", "booklet.html").code == 0
    assert "Begin at" in (tmp_path / "booklet.html").read_text("utf-8")
    assert run("export", "--to", "booklet").out.startswith("mastermind-4x6.booklet.html")
    assert run("export", "-o", "page.html").code == 0
    assert "Begin at" not in (tmp_path / "page.html").read_text("utf-8")
    assert run("export", "mastermind-5x8", "--to", "booklet", "-o", "large.html").code == 2
    assert not (tmp_path / "large.html").exists()

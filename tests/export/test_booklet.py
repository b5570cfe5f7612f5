"""The sheet to print: whoever follows it by hand finds each secret as the book does."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from guessbook.book import Mastermind, UsageError, WordGame
from guessbook.builder import build_strategy
from guessbook.export import FORMATS, booklet, export
from guessbook.lookup import open_book
from tests.helpers.browser import WORDS, browser
from tests.helpers.command import Run, complaint
from tests.helpers.tables import LAMP, MIXED, NUMBERS, weighted

if TYPE_CHECKING:
    from pathlib import Path

    from guessbook.book import Strategy

__all__ = ["browser"]  # the fixture

NAMED = Mastermind(2, 4, symbols="RBKS", names=["red", "blue", "black", "star"])
GAMES = [
    NAMED,
    Mastermind(1, 1),
    Mastermind(3, 6, repeats=False),
    Mastermind(2, 3, symbols="<&'"),
    WordGame(WORDS[:16], WORDS),
    LAMP,
    MIXED,
    NUMBERS,
    weighted(LAMP, [50, 3, 20, 9, 1]),
]


class Entry(NamedTuple):
    """What a reader sees of an entry: its guess, and where each answer leads."""

    guess: str
    rows: dict[str, str]


def read(text: str) -> dict[str, Entry]:
    """The entries of a booklet by their numbers, as somebody reads them."""
    found = {}
    for number, item in re.findall(r'<li id="(\d+)"[^>]*>(.*?)</li>', text):
        guess = re.search(r"<h2><b>\d+</b> (.*?)<small>", item)
        assert guess
        rows = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", item)
        found[number] = Entry(plain(guess[1]), {plain(dt): plain(dd) for dt, dd in rows})
        assert len(found[number].rows) == len(rows)
    return found


def plain(markup: str) -> str:
    """The text of some HTML."""
    return unescape(re.sub("<[^>]*>", "", markup)).strip()


def followed(book: Strategy, entries: dict[str, Entry], secret: str) -> list[str]:
    """The guesses of somebody who plays by the booklet against a secret."""
    game, number, guesses = book.game, "1", list[str]()
    while True:
        entry = entries[number]
        guesses.append(game.guesses[game.parse_code(entry.guess)])
        feedback = game.format_feedback(game.parse_feedback(game.feedback(entry.guess, secret)))
        if feedback == game.format_feedback(game.solved):
            return guesses
        goal = entry.rows[feedback]
        if not goal.startswith("go to "):
            for guess in goal.split(" else "):
                guesses.append(game.guesses[game.parse_code(guess)])
                if guesses[-1] == secret:
                    return guesses
            raise AssertionError(f"{secret} is not found in {goal}")
        number = goal.removeprefix("go to ")


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_a_reader_finds_every_secret(game: Any) -> None:
    """Whoever follows the numbers finds each secret, in as many guesses as the book says."""
    book = build_strategy(game)
    entries = read(export(book, "sheet"))
    counts = Counter(len(followed(book, entries, secret)) for secret in game.secrets)
    assert [counts[k + 1] for k in range(len(book.stats.distribution))] == list(
        book.stats.distribution
    )


def test_the_classic_game_is_found() -> None:
    """So it is with 4 pegs and 6 colours; numbers lead on, and rows go by black, then white."""
    book = open_book("mastermind-4x6")
    entries = read(export(book, "sheet"))
    guesses = sum(len(followed(book, entries, secret)) for secret in book.game.secrets)
    assert guesses == book.stats.total_guesses
    for number, entry in entries.items():
        goals = [goal for goal in entry.rows.values() if goal.startswith("go to ")]
        assert all(int(goal.removeprefix("go to ")) > int(number) for goal in goals)
        assert list(entry.rows) == sorted(entry.rows)


def test_the_sheet_says_how_it_is_read() -> None:
    """It has the rules, the names of the symbols, and what to do with codes beside an answer."""
    text = export(build_strategy(NAMED), "sheet")
    said = plain(text.partition("<body>")[2].partition("<ol>")[0])
    for part in ("R red, B blue, K black, S star", "Begin at 1.", "The answer 2,0 ends the game"):
        assert part in said
    legend = text.partition('<p class="legend pegs">')[2].partition("</p>")[0]
    assert re.findall(r"</i> (\w+)</span>", legend) == ["red", "blue", "black", "star"]
    assert "legend pegs" not in export(build_strategy(Mastermind(2, 3, symbols="123")), "sheet")


@pytest.mark.parametrize(
    ("name", "most"),
    [pytest.param("mastermind-4x6", 16, marks=pytest.mark.slow), ("lamp", 1), ("words", 1)],
)
def test_pages_of_a4(browser: Any, tmp_path: Path, name: str, most: int) -> None:
    """A browser prints the classic game on at most 16 pages of A4, and nothing leaves a page."""
    books: dict[str, Any] = {"lamp": LAMP, "words": WordGame(WORDS[:16], WORDS)}
    book = build_strategy(books[name]) if name in books else open_book(name)
    path = tmp_path / "sheet.html"
    path.write_text(export(book, "sheet"), "utf-8")
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: asked.append(message.text))
    page.goto(path.as_uri())
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    printed = page.pdf(prefer_css_page_size=True)
    page.close()
    assert asked == [path.as_uri()]  # nothing is loaded, nothing is refused
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) <= most
    assert re.search(rb"/MediaBox\s*\[0 0 59[45][.\d]* 84[12][.\d]*\]", printed)


def test_a_huge_book_is_refused(run: Run, tmp_path: Path) -> None:
    """5x8 would take some hundred pages: one line says so, and what to do; no file is written."""
    said = complaint(run("export", "mastermind-5x8", "--to", "sheet", "-o", "sheet.html"), 2)
    assert re.search(
        r"found a book of 34,\d+ nodes, about \d+ pages of A4.*export it as html", said
    )
    assert list(tmp_path.iterdir()) == []


def test_the_limit_is_that_of_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A book of as many nodes as are allowed is printed, one of more is not."""
    book = build_strategy(NAMED)
    monkeypatch.setattr(booklet, "MAX_NODES", len(book.tree))
    assert export(book, "sheet")
    monkeypatch.setattr(booklet, "MAX_NODES", len(book.tree) - 1)
    with pytest.raises(UsageError, match="nodes"):
        export(book, "sheet")


def test_the_command_writes_it(run: Run, tmp_path: Path) -> None:
    """`--to sheet` writes the file that is named; an ending .html alone means a page."""
    assert run("export", "--to", "sheet", "-o", "sheet.html").code == 0
    assert "Begin at" in (tmp_path / "sheet.html").read_text("utf-8")
    assert run("export", "--to", "sheet").out.startswith("mastermind-4x6.sheet.html")
    assert run("export", "-o", "page.html").code == 0
    assert "Begin at 1." not in (tmp_path / "page.html").read_text("utf-8")
    assert FORMATS["sheet"].options == ()
    assert "--depth" in complaint(run("export", "--to", "sheet", "--depth", 2, "-o", "x.html"), 2)

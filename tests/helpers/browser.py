"""Exported pages in a real Chromium, for tests: opened from a file, with everything watched."""

from __future__ import annotations

import shutil
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.book import WordGame
from guessbook.export import export
from guessbook.export.page import data, source
from guessbook.lookup import Book
from tests.helpers.plain import plain_book

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Histories = list[list[tuple[str, str]]]

# With repeated letters, and anagrams.
WORDS = [
    *("slate", "crane", "trace", "least", "steal", "tales", "stale", "tesla", "crate", "react"),
    *("caret", "cater", "lease", "eagle", "geese", "melee", "sleet", "steel", "erase", "eerie"),
    "arena",
]

# What needs no page.
PURE = ("game.js", "table.js", "tree.js", "policy.js", "live.js", "answer.js", "reasons.js")
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@cache
def word_book() -> Book:
    """A book of words of which some may be guessed and are no secrets."""
    return plain_book(WordGame(WORDS[:16], WORDS))


class Asked:
    """The scripts of the page that draw nothing, in a blank page, to ask about many books."""

    def __init__(self, browser: Any) -> None:
        self.page = browser.new_page()
        script = "".join(source(name) for name in PURE)
        names = "unpack, hint, codeFrom, feedbackFrom, survey, suggest, bestGuesses, CodeGame"
        self.page.evaluate(f"() => {{ {script}; globalThis.asked = {{ {names} }}; }}")

    def hints(self, book: Book, histories: Histories) -> list[dict[str, Any]]:
        """The hint for each history, in one call."""
        found: list[dict[str, Any]] = self.page.evaluate(
            """async ([data, histories]) => {
                const book = await asked.unpack(data);
                const hints = [];
                for (const history of histories) hints.push(await asked.hint(book, history));
                return hints;
            }""",
            [data(book), histories],
        )
        return found


class Watched:
    """A book's page in a browser.

    Attributes:
        page: playwright's page.
        requests: the addresses that it asked for, its own left out.
        troubles: what the console said, and errors; a violation of the page's policy is one.
    """

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 360, "height": 800}, **options})
        self.context.set_default_timeout(10_000)
        self.page = self.context.new_page()
        self.requests: list[str] = []
        self.troubles: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.troubles.append(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.goto(address)
        self.settle()
        own = address.partition("#")[0]
        others = [url for url in self.requests if url.partition("#")[0] != own]
        self.requests = [url for url in others if not url.startswith("data:")]

    def settle(self) -> None:
        """Wait until the page has computed what it shows."""
        self.page.evaluate("guessbook.then(({ session }) => session.settled)")

    def hints(self, histories: Histories) -> list[dict[str, Any]]:
        """The page's own hint for each history, in one call, by what it offers to scripts."""
        found: list[dict[str, Any]] = self.page.evaluate(
            """async (histories) => {
                const { hint } = await guessbook;
                const hints = [];
                for (const history of histories) hints.push(await hint(history));
                return hints;
            }""",
            histories,
        )
        return found

    def text(self, selector: str) -> str:
        """The text of an element, as it is."""
        return str(self.page.locator(selector).text_content())

    def entry(self) -> str:
        """The code in the entry, read from what a screen reader says of each position."""
        labels = self.page.eval_on_selector_all(
            "#slots button", "slots => slots.map((slot) => slot.textContent)"
        )
        return "".join(labels)

    def press(self, text: str) -> None:
        """Type symbols on the keyboard, one by one."""
        for symbol in text:
            self.page.keyboard.press(symbol)

    def close(self) -> None:
        """Close the page."""
        self.context.close()


def enter_codes(watched: Watched, code: str, feedback: str) -> None:
    """Enter a guess and its feedback by tapping pegs."""
    page = watched.page
    if watched.entry() != code:
        page.locator("#slots button").first.click()
        for symbol in code:
            page.locator(f'#keys button[aria-label^="{symbol}"]').click()
    for kind, number in enumerate(feedback.split(",")):
        page.locator(".counts").nth(kind).locator("label").nth(int(number)).click()
    page.click("#submit")
    watched.settle()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser for the tests of a module; skips them where playwright or Chromium is missing.

    Not for the whole session: while it is open no other test can run a loop of asyncio.
    """
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Watched]]:
    """Opens a book's page, or that at an address; no page may ask for anything, or complain."""
    opened: list[Watched] = []

    def open_page(book: Book, address: str | None = None, **options: Any) -> Watched:
        path = tmp_path / "page.html"
        path.write_text(export(book, "html"), "utf-8", newline="\n")
        opened.append(Watched(browser, address or path.as_uri(), **options))
        return opened[-1]

    yield open_page
    for watched in opened:
        assert watched.requests == []
        assert watched.troubles == []
        watched.close()

"""Exported pages in Chromium: opened from a file, and watched for requests and errors."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    import guessbook as gb

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
SETTLED = """() => {
    const at = (id) => document.getElementById(id);
    return !at("failure").hidden || (!at("main").hidden && at("progress").hidden
        && !["Computing...", ""].includes(at("why").open ? at("why-text").textContent : "-"));
}"""
# The page draws its secret with this function; zeros give the first secret.
FIRST_SECRET = "crypto.getRandomValues = (numbers) => numbers.fill(0);"


class Watched:
    """A page in a browser.

    Attributes:
        page: the Playwright page.
        requests: the addresses that the page asked for, except its own.
        troubles: uncaught errors and console messages, including violations of the content
            security policy.
    """

    def __init__(
        self,
        browser: Any,
        address: str,
        *,
        first_secret: bool = False,
        lacking: str = "",
        **options: Any,
    ) -> None:
        # Pages with the same options share a context, because each new one starts a process.
        key = {"viewport": {"width": 360, "height": 800}, **options}
        contexts = browser.__dict__.setdefault("contexts_for_tests", {})
        if repr(key) not in contexts:
            contexts[repr(key)] = browser.new_context(**key)
        self.page = contexts[repr(key)].new_page()
        self.page.set_default_timeout(20_000)
        if first_secret:
            self.page.add_init_script(FIRST_SECRET)
        if lacking:  # the name of something that old browsers lack
            self.page.add_init_script(f"delete globalThis.{lacking};")
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
        self.page.wait_for_function(SETTLED)

    def hint(self, history: Any) -> dict[str, Any]:
        """Return the hint of the page, by the function that it offers to scripts."""
        ask = "async (history) => (await guessbook).hint(history)"
        found: dict[str, Any] = self.page.evaluate(ask, history)
        return found

    def text(self, selector: str) -> str:
        return str(self.page.locator(selector).text_content())

    def texts(self, selector: str) -> list[str]:
        return [str(text) for text in self.page.locator(selector).all_text_contents()]

    def entry(self) -> str:
        """Return the code in the entry fields."""
        return "".join(self.texts("#slots button"))

    def press(self, text: str) -> None:
        """Type symbols on the keyboard, one by one."""
        for symbol in text:
            self.page.keyboard.press(symbol)

    def click(self, selector: str) -> None:
        """Click on an element, and wait for the effect."""
        self.page.click(selector)
        self.settle()

    def play(self) -> None:
        """Start the play mode, in which the page draws a secret."""
        self.page.get_by_text("Play", exact=True).click()
        self.settle()

    def enter_code(self, code: str, feedback: str) -> None:
        """Enter a guess and its feedback by clicks on symbols and numbers of pegs."""
        if self.entry() != code:
            self.page.locator("#slots button").first.click()
            for symbol in code:
                self.page.locator(f'#keys button[aria-label^="{symbol}"]').click()
        for kind, number in enumerate(feedback.split(",")):
            self.page.locator(".counts").nth(kind).locator("label").nth(int(number)).click()
        self.click("#submit")

    def enter_word(self, word: str, feedback: str = "") -> None:
        """Enter a word and the marks of its letters by keyboard."""
        self.page.locator("#slots button").first.focus()
        if self.entry().lower() != word:
            self.press(word)
            self.page.locator("#slots button").first.focus()
        self.press(feedback)
        self.page.keyboard.press("Enter")
        self.settle()

    def close(self) -> None:
        self.page.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser for the tests of a module; they are skipped without playwright or Chromium.

    Its scope is not the session, because an open browser prevents event loops in other tests.
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
    """A function that opens the page of a book, or an address.

    Its argument `link` is the end of the address, from # on. After the test, check that the pages
    made no requests and reported no errors.
    """
    opened: list[Watched] = []

    def open_page(book: gb.Book | str, link: str = "", **options: Any) -> Watched:
        address = book if isinstance(book, str) else ""
        if not isinstance(book, str):
            path = tmp_path / "page.html"
            path.write_text(book.export("html"), "utf-8", newline="\n")
            address = path.as_uri() + link
        opened.append(Watched(browser, address, **options))
        return opened[-1]

    yield open_page
    for watched in opened:
        assert watched.requests == []
        assert watched.troubles == []
        watched.close()

"""The site has no broken links, plays without other sites, and sorts its tables."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from tests.helpers.browser import browser

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["browser"]  # the fixture

pytestmark = [pytest.mark.sources, pytest.mark.slow]


class Quiet(SimpleHTTPRequestHandler):
    """Serve files without a log."""

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Build the site, serve it on this machine, and yield its address."""
    pytest.importorskip("zensical")
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, "docs/website.py", str(folder)], cwd=root, check=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_playground_opens_in_two_clicks_without_other_sites(site: str, browser: Any) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site)
    page.get_by_role("link", name="the playground").click()
    page.get_by_role("link", name="Mastermind, 4 pegs and 6 colours", exact=True).click()
    page.get_by_text("RYGB").first.wait_for()
    assert [address for address in asked if not address.startswith(site)] == []


def test_click_on_column_head_sorts_table(site: str, browser: Any) -> None:
    """A second click reverses the order."""
    page = browser.new_page()
    page.goto(f"{site}explanation/records/")
    secrets = page.locator("table").first.locator("tbody tr td:nth-child(2)")
    button = page.locator("table").first.get_by_role("button", name="secrets")
    for order in (False, True):
        button.click()
        numbers = [int(text.replace(",", "")) for text in secrets.all_inner_texts()]
        assert len(numbers) > 50
        assert numbers == sorted(numbers, reverse=order)

"""The server: the answers of the lookup over HTTP, and the command that serves them."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from guessbook.book import Mastermind, UsageError
from guessbook.export import export
from guessbook.export.serve import site as site_module
from guessbook.export.serve.request import Limits, RefusedError
from guessbook.lookup import Book, open_book
from tests.helpers.client import PAGE, Client, expected, running
from tests.helpers.plain import entries, paths, plain_book

if TYPE_CHECKING:
    from pathlib import Path


def test_many_clients_get_the_answers_of_the_lookup(client: Client) -> None:
    """Eight clients at a time ask for every node, each gets what the book says."""
    book = client.server.site.book
    histories = [entries(book.game, path) for path in paths(book)]
    wanted = [expected(book, history) for history in histories]

    def play(part: int) -> list[dict[str, Any]]:
        connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=60)
        found = []
        for history in histories[part::8]:
            connection.request("GET", "/hint?" + "&".join(f"{g}={f}" for g, f in history))
            found.append(json.loads(connection.getresponse().read()))
        connection.close()
        return found

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(play, range(8)))
    for part in range(8):
        assert answers[part] == wanted[part::8]


@pytest.mark.parametrize(
    "history",
    [["POGB=1,1"], ["RRYG=1,1", "BBOO=0,1"], ["RYGB=1,1", "RGOP=4,0"], ["RYGB=4,0"]],
    ids=["symmetry", "live", "solved", "solved at once"],
)
def test_off_the_book(client: Client, history: list[str]) -> None:
    """What the tree does not hold is answered as by the command, by GET and by POST."""
    wanted = expected(client.server.site.book, history)
    body = json.dumps({"history": [entry.split("=") for entry in history]}).encode()
    assert client.ask("/hint?" + "&".join(history)) == (200, wanted)
    assert client.ask("/hint", "POST", body) == (200, wanted)


def test_the_command_prints_the_same(client: Client) -> None:
    """The body of a hint is the line that `guessbook hint --json` prints."""
    code = "from guessbook.command.main import main; main()"
    command = [sys.executable, "-c", code, "hint", "RYGB=1,1", "--json"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    printed = subprocess.run(command, capture_output=True, env=environment, check=True).stdout
    request = b"GET /hint?RYGB=1,1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
    assert client.raw(request).partition(b"\r\n\r\n")[2] == printed


def test_the_facts_of_the_book(client: Client) -> None:
    """`/info` has what `guessbook info --json` has, but not where the file lies."""
    status, found = client.ask("/info")
    assert status == 200
    assert (found["game"], found["nodes"], found["bytes"]) == ("mastermind-4x6", 1380, 123)
    assert "path" not in found


def test_the_page(client: Client) -> None:
    """The page is at `/`, may not be framed, and HEAD gives its length without it."""
    host = b"Host: 127.0.0.1:80\r\n\r\n"
    head, _, body = client.raw(b"GET / HTTP/1.1\r\n" + host).partition(b"\r\n\r\n")
    assert body == PAGE.encode()
    assert b"Content-Type: text/html; charset=utf-8\r\n" in head
    assert b"frame-ancestors 'none'" in head
    assert b"nosniff" in head
    assert b"access-control" not in head.lower()
    only, _, nothing = client.raw(b"HEAD / HTTP/1.1\r\n" + host).partition(b"\r\n\r\n")
    assert nothing == b""
    assert b"Content-Length: %d\r\n" % len(body) in only


def test_a_book_without_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no page can hold the book, hints are served all the same, and `/` says why."""

    def fails(book: Book, name: str) -> str:
        raise UsageError("too large for a page")

    monkeypatch.setattr(site_module, "export", fails)
    site = site_module.Site(plain_book(Mastermind(2, 2)), 1, Limits())
    assert site_module.queried("") == []
    with pytest.raises(RefusedError, match="too large for a page") as caught:
        site._home()
    assert caught.value.status == 404


def test_symbols_that_mean_something_in_a_query() -> None:
    """Symbols such as & + % # are written as percent escapes, and + stands for itself."""
    book = plain_book(Mastermind(2, 6, symbols="&+%#é🐄"))
    with running(book) as client:
        for history in [entries(book.game, path) for path in paths(book)]:
            query = "&".join(quote(f"{g}={f}", safe="+=,") for g, f in history)
            assert client.ask(f"/hint?{query}") == (200, expected(book, history))


def command(*arguments: str) -> subprocess.Popen[str]:
    """The command `guessbook serve`, where Ctrl-C has its usual meaning."""
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from guessbook.command.main import main; main()"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, "serve", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_command(tmp_path: Path) -> None:
    """It says where it listens, a second one on the port fails in one line, Ctrl-C ends it: 130."""
    path = tmp_path / "small.book"
    plain_book(Mastermind(2, 3)).save(path)
    with ExitStack() as stack:
        process = stack.enter_context(command(str(path), "--port", "0"))
        stack.callback(process.kill)  # where a check fails, nothing stays behind
        assert process.stdout
        line = process.stdout.readline()
        port = line.split("http://127.0.0.1:")[1].split("/")[0]
        connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
        connection.request("GET", "/hint?GG=0,0&YY=1,0")  # with a process to end, and kept open
        response = connection.getresponse()
        assert (response.status, bool(response.read())) == (200, True)
        connection.request("GET", "/")
        assert connection.getresponse().read() == export(open_book(path), "html").encode()
        second = command(str(path), "--port", port)
        _, complaint = second.communicate(timeout=60)
        assert second.returncode == 1
        assert complaint.startswith(f"Error: cannot listen on port {port} (it is in use)")
        assert complaint.count("\n") == 1
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=60)
        assert (process.returncode, complaint) == (130, "")
        connection.close()


def test_the_page_of_the_documents(client: Client, root: Path) -> None:
    """Each `curl` in docs/embed/serve.md gets the answer that the page shows."""
    text = (root / "docs" / "embed" / "serve.md").read_text("utf-8")
    pattern = r"^\$ curl 'http://127\.0\.0\.1:8000(/.*?)'(?: -d '(.*)')?\n(.*)$"
    shown = re.findall(pattern, text, re.MULTILINE)
    assert len(shown) >= 5
    for target, body, answer in shown:
        method = "POST" if body else "GET"
        assert client.ask(target, method, body.encode() or None)[1] == json.loads(answer), target

"""The server: the answers of the lookup over HTTP, and the command that serves them."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from guessbook.book import Mastermind, UsageError, WordGame
from guessbook.book.summary import plain
from guessbook.export import export
from guessbook.lookup import Book, open_book
from guessbook.play import Session
from tests.helpers.browser import Watched, browser, enter_codes, show
from tests.helpers.client import PAGE, Client, expected, running
from tests.helpers.command import START
from tests.helpers.plain import entries, paths, plain_book
from tests.lies.wrong_trees import with_guess

__all__ = ["browser", "show"]  # the fixtures


def test_many_clients_get_the_answers_of_the_lookup(client: Client) -> None:
    """Eight clients at a time ask for every node, each gets what the book says."""
    book = client.book
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
    wanted = expected(client.book, history)
    body = json.dumps({"history": [entry.split("=") for entry in history]}).encode()
    assert client.ask("/hint?" + "&".join(history)) == (200, wanted)
    assert client.ask("/hint", "POST", body) == (200, wanted)


def test_the_command_prints_the_same(client: Client) -> None:
    """The body of a hint is the line that `guessbook hint --json` prints."""
    command = [*START, "hint", "RYGB=1,1", "--json"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    printed = subprocess.run(command, capture_output=True, env=environment, check=True).stdout
    head = b"GET /hint?RYGB=1,1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert client.raw(head, end=False).partition(b"\r\n\r\n")[2] == printed


def test_the_facts_of_the_book(client: Client) -> None:
    """`/info` has what `guessbook info --json` has, but not where the file lies."""
    status, found = client.ask("/info")
    assert status == 200
    assert (found["game"], found["nodes"], found["bytes"]) == ("mastermind-4x6", 1380, 123)
    assert "path" not in found


def test_the_page(client: Client) -> None:
    """The page is at `/`, may not be framed, and HEAD gives its length without it."""
    host = b"Host: 127.0.0.1:80\r\nConnection: close\r\n\r\n"
    head, _, body = client.raw(b"GET / HTTP/1.1\r\n" + host, end=False).partition(b"\r\n\r\n")
    assert body == PAGE.encode()
    assert b"content-type: text/html; charset=utf-8" in head
    assert b"frame-ancestors 'none'" in head
    assert b"nosniff" in head
    assert b"access-control" not in head.lower()
    only, _, nothing = client.raw(b"HEAD / HTTP/1.1\r\n" + host, end=False).partition(b"\r\n\r\n")
    assert nothing == b""
    assert b"content-length: %d" % len(body) in only


def test_a_book_without_a_page() -> None:
    """Where no page can hold the book, hints are served all the same, and `/` says why."""

    def fails(book: Book, name: str) -> str:
        raise UsageError("too large for a page")

    with running(plain_book(Mastermind(2, 2)), page=fails) as client:
        status, answer = client.ask("/")
        assert status == 404
        assert answer["error"] == "there is no page for this book: too large for a page"
        assert client.ask("/hint")[0] == 200


HISTORY = ["RYGB=1,1", "RGOP=0,2", "PYYG=2,1"]


def test_the_other_questions(client: Client) -> None:
    """What may be the secret, why a guess, how good it is: as the session says, by GET and POST."""
    session = Session(client.book, HISTORY)
    found = session.candidates()
    wanted = {
        "/candidates": {"remaining": len(found), "among_guesses": False, "candidates": found},
        "/explain": session.explain(),
        "/rate": session.rate("YYYY"),
    }
    for path, value in wanted.items():
        guess = {"guess": "YYYY"} if path == "/rate" else {}
        query = "&".join([*HISTORY, *guess.values()])
        body = json.dumps({"history": HISTORY, **guess}).encode()
        answer = (200, json.loads(json.dumps(plain(value))))
        assert client.ask(f"{path}?{query}") == client.ask(path, "POST", body) == answer
    why = client.ask("/explain?RYGB=1,1&YYYY")[1]
    assert (why["guess"], why["remaining"]) == ("YYYY", 252)
    assert client.ask("/explain", "POST", b'{"history": ["RYGB=1,1"], "guess": "YYYY"}')[1] == why


@pytest.mark.parametrize(
    ("query", "body"),
    [
        ("/hint?history=RYGB=1,1&history=RGOP=0,2", {"history": HISTORY[:2]}),
        ("/hint?history=RYGB=1,1%20RGOP=0,2", {"history": "RYGB=1,1 RGOP=0,2"}),
        ("/hint?history=RYGB%201,1+RGOP=0,2", {"history": "RYGB 1,1 RGOP=0,2"}),
        ('/hint?history=["RYGB=1,1",["RGOP",[0,2]]]', {"history": HISTORY[:2]}),
        ("/hint?RYGB=1,1&history=RGOP=0,2", {"history": HISTORY[:2]}),
        ("/candidates?count=3&RYGB=1,1", {"history": HISTORY[:1], "count": 3}),
        ("/rate?guess=YYYY&RYGB=1,1", {"history": HISTORY[:1], "guess": "YYYY"}),
        ("/explain?guess=YYYY&count=1", {"history": [], "guess": "YYYY", "count": 1}),
        ("/score?RYGB&PYRO", {"guess": "RYGB", "secret": "PYRO"}),
        ("/score?secret=PYRO&guess=RYGB", {"guess": "RYGB", "secret": "PYRO"}),
    ],
)
def test_parameters_by_their_names(client: Client, query: str, body: dict[str, Any]) -> None:
    """A query may name its parameters, and then asks what a body with these names does."""
    found = client.ask(quote(query, safe="/?=&%,+"))
    path = query.partition("?")[0]
    assert found == client.ask(path, "POST", json.dumps(body).encode())
    assert found[0] == 200
    if path == "/score":
        wanted = {"guess": "RYGB", "secret": "PYRO", "feedback": "1,1", "solved": False}
        assert found[1] == wanted
    if "count" in body:
        listed = found[1].get("candidates") or found[1]["alternatives"]
        assert len(listed) == body["count"]


def test_words_that_are_names_of_parameters() -> None:
    """`guess` and `count` are words of five letters, whose entries are entries."""
    words = ["guess", "count", "crane"]
    with running(plain_book(WordGame(words))) as client:
        for entry in ("guess=00020", "count=00000"):
            path = "/candidates" if entry.startswith("count") else "/explain"
            status, answer = client.ask(f"{path}?{entry}")
            assert (status, answer["exit_code"] if "error" in answer else 0) in ((200, 0), (422, 4))
        assert client.ask("/explain?guess=count")[1]["guess"] == "count"


def test_many_candidates_are_not_all_listed(client: Client) -> None:
    """Of more than 1,000 candidates the first 1,000 are listed, and all are counted."""
    status, answer = client.ask("/candidates")
    assert (status, answer["remaining"]) == (200, 1296)
    assert answer["candidates"] == client.book.game.secrets[:1000]


def test_a_wrong_book_is_its_own_fault() -> None:
    """A tree that is not its game's is a 500, with the usual keys, on the book and off it."""
    true = plain_book(Mastermind(2, 2))
    book = with_guess(true, next(node.index for node in true.nodes if node.guess == "YR"), "RY")
    with running(book) as client:
        for question in ("/hint?RR=1,0&RY=0,2", "/explain?RR=1,0&RY=0,2", "/hint?RY=0,2&YY=1,0"):
            status, answer = client.ask(question)
            assert (status, answer.keys()) == (500, {"error", "exit_code", "suspects"}), question
            assert "run `verify`" in answer["error"]
            assert (answer["exit_code"], answer["suspects"]) == (3, [])
        assert client.ask("/hint?RR=1,0")[0] == 200


def test_symbols_that_mean_something_in_a_query() -> None:
    """Symbols such as & + % # are written as percent escapes, and + stands for itself."""
    book = plain_book(Mastermind(2, 6, symbols="&+%#é🐄"))
    with running(book) as client:
        for history in [entries(book.game, path) for path in paths(book)]:
            query = "&".join(quote(f"{g}={f}", safe="+=,") for g, f in history)
            assert client.ask(f"/hint?{query}") == (200, expected(book, history))


def command(*arguments: str) -> subprocess.Popen[str]:
    """The command `guessbook serve`."""
    return subprocess.Popen(
        [*START, "serve", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.posix
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
    """Each `curl` in docs/how-to/embed/serve.md gets the answer that the page shows."""
    text = (root / "docs" / "how-to" / "embed" / "serve.md").read_text("utf-8")
    pattern = r"^\$ curl 'http://127\.0\.0\.1:8000(/.*?)'(?: -d '(.*)')?\n(.*)$"
    shown = re.findall(pattern, text, re.MULTILINE)
    assert len(shown) >= 5
    for target, body, answer in shown:
        method = "POST" if body else "GET"
        assert client.ask(target, method, body.encode() or None)[1] == json.loads(answer), target


def test_the_page_from_a_server(show: Callable[..., Watched]) -> None:
    """What `guessbook serve` sends is the same page: it loads nothing else, and plays."""
    book = open_book()
    with running(book, page=export) as client:
        watched = show(book, f"http://127.0.0.1:{client.port}/")
        assert watched.entry() == "RYGB"
        enter_codes(watched, "RYGB", "1,1")
        assert watched.entry() == "RGOP"
        asked = "fetch('/hint?RYGB=1,1').then((r) => r.json()).then((hint) => hint.guess)"
        outside = watched.page.context.new_page()
        outside.goto(f"http://127.0.0.1:{client.port}/info")
        assert outside.evaluate(asked) == "RGOP"  # a page of this site may ask
        outside.goto(f"http://localhost:{client.port}/info")
        elsewhere = asked.replace("'/hint", f"'http://127.0.0.1:{client.port}/hint")
        with pytest.raises(Exception, match="Failed to fetch"):
            outside.evaluate(elsewhere)

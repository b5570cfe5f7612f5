"""The server: the answers of the lookup over HTTP, and nothing that a client could break."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guessbook.book import Book, Mastermind, UsageError, open_book
from guessbook.lookup import site as site_module
from guessbook.lookup.export import export
from guessbook.lookup.request import Limits, RefusedError
from guessbook.lookup.server import Server
from guessbook.lookup.worker import Answer, Worker, answer_to
from tests.plain import entries, paths, plain_book

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGE = "<!doctype html><title>ü</title>"
# Small, so that a test meets them soon.
TIGHT = Limits(target=300, head=1000, body=400)


class Client:
    """What a test knows of a running server: its port, its book, and how to ask it."""

    def __init__(self, server: Server, port: int) -> None:
        self.server = server
        self.port = port

    def ask(
        self, target: str, method: str = "GET", body: bytes | None = None, **headers: str
    ) -> tuple[int, Any]:
        """The status and the JSON of an answer, on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, target, body, named)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def raw(self, *parts: bytes, end: bool = True) -> bytes:
        """Everything that the server sends for these bytes, sent one after the other."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
            received = b""
            try:
                for part in parts:
                    connection.sendall(part)
                if end:
                    connection.shutdown(socket.SHUT_WR)
                while chunk := connection.recv(1 << 16):
                    received += chunk
            except ConnectionError:
                pass
            return received


@contextmanager
def running(book: Book, limits: Limits | None = None) -> Iterator[Client]:
    """A server in a thread, with a page that is quick to make."""
    loop = asyncio.new_event_loop()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site_module, "export", lambda book, name: PAGE)
        server = Server(book, 123, limits)
    address = loop.run_until_complete(server.start(0))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def stop() -> None:
        await server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    try:
        yield Client(server, int(address.split(":")[2].strip("/")))
    finally:
        asyncio.run_coroutine_threadsafe(stop(), loop).result(20)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(20)
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A server of mastermind-4x6."""
    with running(open_book("mastermind-4x6")) as made:
        yield made


@pytest.fixture(scope="module")
def tight() -> Iterator[Client]:
    """A server of a small book with small limits."""
    with running(plain_book(Mastermind(2, 3)), TIGHT) as made:
        yield made


def expected(book: Book, history: object) -> dict[str, Any]:
    """The JSON of `guessbook hint --json`."""
    found: dict[str, Any] = json.loads(json.dumps(book.hint(history)._asdict()))
    return found


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
    code = "from guessbook.lookup.main import main; main()"
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


REFUSED: list[tuple[str, str, Any, int]] = [
    ("GET", "/hint?XXXX=1,1", None, 400),
    ("GET", "/hint?RYGB=3,1", None, 400),
    ("GET", "/hint?RYGB", None, 400),
    ("GET", "/hint?%ff=1,1", None, 400),
    ("GET", "/hint?" + "&".join(["RYGB=1,1"] * 101), None, 400),
    ("GET", "/hint?RYGB=1,1&RYGB=0,1", None, 422),
    ("POST", "/hint", None, 400),
    ("POST", "/hint", [], 400),
    ("POST", "/hint", {}, 400),
    ("POST", "/hint", {"history": "RYGB=1,1"}, 400),
    ("POST", "/hint", {"history": [1]}, 400),
    ("POST", "/hint", {"history": [["RYGB"]]}, 400),
    ("POST", "/hint", {"history": [["RYGB", [1, True]]]}, 400),
    ("POST", "/hint", {"history": [["RYGB", [1, 10**4000]]]}, 400),
    ("POST", "/hint", {"history": [["RYGB", [1, -1]]]}, 400),
    ("POST", "/hint", {"history": ["\ud800=1,1"]}, 400),
    ("POST", "/hint", {"history": [], "book": "/etc/passwd"}, 400),
    ("DELETE", "/hint", None, 405),
    ("POST", "/", None, 405),
    ("OPTIONS", "/hint", None, 405),
    ("GET", "/etc/passwd", None, 404),
    ("GET", "/../../../../etc/passwd", None, 404),
    ("GET", "/%2e%2e/%2e%2e/etc/passwd", None, 404),
    ("GET", "//etc/passwd", None, 404),
    ("GET", "/hint/../info", None, 404),
    ("GET", "/hint%00", None, 404),
    ("GET", "http://127.0.0.1/hint", None, 404),
    ("GET", "file:///etc/passwd", None, 404),
    ("GET", "*", None, 404),
]  # fmt: skip


@pytest.mark.parametrize(("method", "target", "content", "status"), REFUSED)
def test_what_is_refused(
    client: Client, method: str, target: str, content: Any, status: int
) -> None:
    """A request that makes no sense gets its 4xx and one line of JSON that says why."""
    body = json.dumps(content).encode() if content is not None else None
    found, answer = client.ask(target, method, body)
    assert found == status
    assert set(answer) <= {"error", "suspects"}
    assert answer["error"]
    assert "\n" not in answer["error"]
    assert "root:" not in answer["error"]


def test_an_inconsistent_history_names_its_suspects(client: Client) -> None:
    """The 422 says which entries to re-check, as the exception does."""
    status, answer = client.ask("/hint?RYGB=0,0&OOOO=1,0&RRRR=1,0")
    assert status == 422
    assert answer["suspects"] == [0, 2]


@pytest.mark.parametrize(
    "body", [b"{", b"\xff", b"[" * 16000, b"1e999", b'{"history": [9' + b"9" * 5000]
)
def test_bodies_that_are_no_json(client: Client, body: bytes) -> None:
    """Broken, endless or endlessly nested JSON is a 400."""
    assert client.ask("/hint", "POST", body)[0] == 400


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil", "10.0.0.1:80", ""]
)
def test_other_hosts(client: Client, host: str) -> None:
    """A name that only leads here (DNS rebinding) is refused with 421."""
    assert client.ask("/", host=host)[0] == 421


def test_own_names(client: Client) -> None:
    """Every name of this machine's loopback is served, whatever the port (it may be forwarded)."""
    for host in ("localhost", "LOCALHOST:9", "127.0.0.1:8000", "[::1]:1"):
        assert client.ask("/info", host=host)[0] == 200


def test_other_pages(client: Client) -> None:
    """A page of another site can link to the page, but not make the server compute."""
    assert client.ask("/hint", sec_fetch_site="cross-site")[0] == 403
    assert client.ask("/hint", sec_fetch_site="same-origin")[0] == 200
    assert b" 200 " in client.raw(
        b"GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n"
    )


H = b"Host: localhost\r\n"
BROKEN = [
    (b"\0\1\2\3\r\n\r\n", 400),
    (b"GET /hint\r\n\r\n", 400),
    (b"GET  /hint HTTP/1.1\r\n" + H + b"\r\n", 400),
    (b"GET /hint HTTP/2.0\r\n" + H + b"\r\n", 400),
    (b"GET /h\xc3\xbc HTTP/1.1\r\n" + H + b"\r\n", 400),
    (b"GET /hint HTTP/1.1\r\n" + H + b"No colon\r\n\r\n", 400),
    (b"GET /hint HTTP/1.1\r\n" + H + b"A: 1\r\n folded\r\n\r\n", 400),
    (b"GET /hint HTTP/1.1\r\n" + H + b"A: \0\r\n\r\n", 400),
    (b"GET /hint HTTP/1.1\r\n" + H + b"A : 1\r\n\r\n", 400),
    (b"GET /hint HTTP/1.1\r\n" + H + H + b"\r\n", 400),
    (b"GET /hint HTTP/1.1\r\n\r\n", 421),
    (b"POST /hint HTTP/1.1\r\n" + H + b"Content-Length: -1\r\n\r\n", 400),
    (b"POST /hint HTTP/1.1\r\n" + H + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    (b"POST /hint HTTP/1.1\r\n" + H + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501),
    (b"POST /hint HTTP/1.1\r\n" + H + b"Content-Length: 401\r\n\r\n" + b"x" * 401, 413),
    (b"POST /hint HTTP/1.1\r\n" + H + b"Content-Length: 999999999999\r\n\r\n", 413),
    (b"GET /" + b"a" * 300 + b" HTTP/1.1\r\n" + H + b"\r\n", 414),
    (b"GET /" + b"a" * 100_000, 414),
    (b"GET /hint HTTP/1.1\r\n" + H + b"A: " + b"a" * 1000 + b"\r\n\r\n", 431),
    (b"GET /hint HTTP/1.1\r\n" + H + b"A: 1\r\n" * 50_000, 431),
]


@pytest.mark.parametrize(("request_", "status"), BROKEN)
def test_broken_requests(tight: Client, request_: bytes, status: int) -> None:
    """A request that breaks the grammar or a limit gets one answer, and the connection ends."""
    received = tight.raw(request_, end=False)
    assert received.startswith(b"HTTP/1.1 %d " % status)
    assert b"Connection: close\r\n" in received
    head, _, body = received.partition(b"\r\n\r\n")
    assert b"Content-Length: %d\r\n" % len(body) in head
    assert json.loads(body)["error"]


def test_slow_clients(tight: Client) -> None:
    """Half a request is a 408 after a while; silence, and half a request and an end, just end."""
    half = b"POST /hint HTTP/1.1\r\n" + H + b"Content-Length: 9\r\n\r\n{"
    limits = Limits(idle_seconds=0.3, request_seconds=0.3)
    with running(tight.server.site.book, limits) as client:
        for part in (half, half[:20]):
            assert client.raw(part, end=False).startswith(b"HTTP/1.1 408 ")
        assert client.raw(end=False) == b""
    assert tight.raw(half, end=True) == b""
    assert b" 200 OK" in tight.raw(b"GET /hint HTTP/1.1\r\n" + H + b"\r\n", end=True)


def test_one_connection_many_requests(tight: Client) -> None:
    """Requests that are sent at once are answered in their order, until one asks to close."""
    whole = b"POST /hint HTTP/1.1\r\n" + H + b'Content-Length: 15\r\n\r\n{"history": []}'
    last = b"GET /info HTTP/1.1\r\nConnection: close\r\n" + H + b"\r\n"
    received = tight.raw(
        whole * 3 + b"GET /none HTTP/1.1\r\n" + H + b"\r\n" + last + whole, end=False
    )
    statuses = re.findall(rb"HTTP/1\.1 (\d+) ", received)
    assert statuses == [b"200", b"200", b"200", b"404", b"200"]
    old = tight.raw(b"GET /info HTTP/1.0\r\n" + H + b"\r\n", end=False)
    assert b"Connection: close" in old
    waits = b"POST /hint HTTP/1.1\r\n" + H + b"Expect: 100-continue\r\nContent-Length: 15\r\n\r\n"
    assert tight.raw(waits, b'{"history": []}').startswith(
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200"
    )


def test_too_many_connections() -> None:
    """Idle connections make room for new ones; if all of them are busy, a new one gets a 503."""
    limits = Limits(connections=4)
    with running(plain_book(Mastermind(2, 3)), limits) as client, ExitStack() as stack:
        address = ("127.0.0.1", client.port)
        held = [stack.enter_context(socket.create_connection(address)) for _ in range(4)]
        assert client.ask("/info")[0] == 200
        assert held[0].recv(1) == b""
        held[0] = stack.enter_context(socket.create_connection(address))
        for connection in held:
            connection.sendall(b"GET ")
        while client.server._idle or client.server._open != 4:
            time.sleep(0.01)
        assert client.ask("/info")[0] == 503
        held[1].sendall(b"/info HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert held[1].recv(12) == b"HTTP/1.1 200"


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.binary(max_size=60),
            st.sampled_from(
                [b"GET ", b"POST ", b"/hint", b"?RR=1,1", b" HTTP/1.1\r\n", H, b"\r\n", b"\r\n\r\n",
                 b"Content-Length: ", b"5", b"{}", b"\n", b"%00", b"Connection: close\r\n", b"\0"]
            ),
        ),
        max_size=12,
    )
)  # fmt: skip
def test_any_bytes(tight: Client, parts: list[bytes]) -> None:
    """Whatever is sent, answers of HTTP come back, none of them a 500, and the server lives."""
    received = tight.raw(b"".join(parts))
    if received:
        assert received.startswith((b"HTTP/1.1 2", b"HTTP/1.1 4", b"HTTP/1.1 501"))
        assert b"HTTP/1.1 500" not in received
    assert tight.ask("/hint")[0] == 200


class Slow(Book):
    """A book whose hints off the tree never come: what is sent to the process is not a book."""

    def to_bytes(self) -> bytes:
        """Less than the process waits for, so it waits."""
        return _Endless(super().to_bytes())


class _Endless(bytes):
    def __len__(self) -> int:
        return 1 << 20


def test_hints_that_take_too_long() -> None:
    """They are given up after their time with a 503, and the book answers all the while."""
    known = plain_book(Mastermind(2, 4))
    book = Slow(known.game, known.policy, known.tree)
    with running(book, Limits(live_seconds=1.0)) as client, ThreadPoolExecutor(3) as pool:
        late = [pool.submit(client.ask, "/hint?RR=0,0&YY=0,0&GG=0,0") for _ in range(3)]
        assert client.ask("/hint") == (200, expected(book, []))
        assert {answer.result()[0] for answer in late} == {503}


def test_a_process_that_is_given_up_is_gone() -> None:
    """When the 503 is sent, the process that took too long has ended: nothing piles up."""
    known = plain_book(Mastermind(2, 4))
    worker = Worker(Slow(known.game, known.policy, known.tree), 0.5)
    begin = worker._started
    begun: list[asyncio.subprocess.Process] = []

    async def started() -> asyncio.subprocess.Process:
        begun.append(await begin())
        return begun[-1]

    async def ask() -> Answer:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(worker, "_started", started)
            return await worker.ask(["RG=0,0"])

    assert asyncio.run(ask()).status == 503
    assert [process.returncode for process in begun] == [-signal.SIGKILL]


def test_a_process_that_dies() -> None:
    """The question gets a 503, the next one a new process."""
    book = plain_book(Mastermind(2, 4))

    async def ask() -> list[Answer]:
        worker = Worker(book, 20.0)
        answers = [await worker.ask(["RG=0,0"])]
        assert worker._process
        worker._process.kill()
        await worker._process.wait()
        answers += [await worker.ask(["RG=0,0"]), await worker.ask(["RG=0,0"])]
        await worker.close()
        return answers

    first, second, third = asyncio.run(ask())
    assert first == third == Answer(*json.loads(json.dumps(answer_to(book, ["RG=0,0"]))))
    assert second.status == 503


def command(*arguments: str) -> subprocess.Popen[str]:
    """The command `guessbook serve`, where Ctrl-C has its usual meaning."""
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from guessbook.lookup.main import main; main()"
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

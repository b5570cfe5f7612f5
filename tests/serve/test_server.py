"""The server process: HTTP, allowed hosts, limits of size and time, and shutdown."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.helpers.browser import Watched, browser, show
from tests.helpers.client import Client, serving, start
from tests.helpers.content import edited

__all__ = ["browser", "show"]  # the fixtures

KEYS = {"error", "exit_code", "suspects"}
H = b"Host: localhost\r\n"
CLOSE = b"Connection: close\r\n"
POST = b"POST /hint HTTP/1.1\r\n" + H
HALF = POST + b"Content-Length: 9\r\n\r\n{"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of a server for a small book."""
    path = tmp_path_factory.mktemp("books") / "small.book"
    book = gb.build(gb.Mastermind(2, 3))
    book.save(path)
    with serving(str(path), book) as made:
        yield made


@pytest.fixture(scope="module")
def slow_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of a server whose off-book hints take minutes."""
    path = tmp_path_factory.mktemp("books") / "slow.book"
    book = edited(gb.open("mastermind-5x8"), policy={"name": "optimal"})
    book.save(path)
    with serving(str(path), book) as made:
        yield made


LONG = "/hint?RYGBO=1,1"


def statuses(received: bytes) -> list[int]:
    """Return the status codes in the bytes that a server sent."""
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+) ", received)]


# HTTP


@pytest.mark.parametrize(
    "request_",
    [
        b"\0\1\2\3\r\n\r\n",
        b"GET /hint\r\n\r\n",
        b"GET  /hint HTTP/1.1\r\n" + H + b"\r\n",
        b"GET /h\xc3\xbc HTTP/1.1\r\n" + H + b"\r\n",
        b"GET /hint HTTP/1.1\r\n" + H + b"No colon\r\n\r\n",
        b"GET /hint HTTP/1.1\r\n" + H + b"A: \0\r\n\r\n",
        b"GET /hint HTTP/1.1\r\n" + H + b"A : 1\r\n\r\n",
        b"GET /hint HTTP/1.1\r\n" + H + H + b"\r\n",
        b"GET /hint HTTP/1.1\r\n\r\n",
        POST + b"Content-Length: -1\r\n\r\n",
        POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        POST + b"Transfer-Encoding: chunked\r\n\r\nx\r\n",
        POST + b"Transfer-Encoding: gzip\r\n\r\n",
        b"GET /" + b"a" * 400_000 + b" HTTP/1.1\r\n" + H + b"\r\n",
        b"GET /hint HTTP/1.1\r\n" + H + b"A: " + b"a" * 400_000 + b"\r\n\r\n",
        b"GET /hint HTTP/1.1\r\n" + H + b"A: 1\r\n" * 50_000,
    ],
)
def test_malformed_request_gets_status_400_and_closes_connection(
    request_: bytes, client: Client
) -> None:
    received = client.raw(request_)
    assert statuses(received) == [400]
    if b"Host" in request_:
        assert b"\r\nconnection: close" in received.partition(b"\r\n\r\n")[0].lower()


def test_request_head_size_is_limited(client: Client) -> None:
    for path in (b"/hint", b"/info", b"/"):
        for length, status in ((16_000, 200), (400_000, 400)):
            head = (
                b"GET " + path + b" HTTP/1.1\r\n" + H + CLOSE + b"A: " + b"a" * length + b"\r\n\r\n"
            )
            for step in (len(head), 1000):
                parts = [head[k : k + step] for k in range(0, len(head), step)]
                assert statuses(client.raw(*parts)) == [status]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"Content-Length: 16384\r\n\r\n" + b" " * 16_368 + b'{"history": [] }', 200),
        (b"Content-Length: 16385\r\n\r\n" + b" " * 16_369 + b'{"history": [] }', 413),
        (b"Content-Length: 999999999999\r\n\r\n", 413),
        (b"Transfer-Encoding: chunked\r\n\r\n" + (b"2000\r\n" + b" " * 8192 + b"\r\n") * 3, 413),
    ],
)
def test_request_body_size_is_limited(body: bytes, status: int, client: Client) -> None:
    assert statuses(client.raw(POST + CLOSE + body)) == [status]


def test_requests_on_one_connection_are_answered_in_order(client: Client) -> None:
    whole = POST + b'Content-Length: 15\r\n\r\n{"history": []}'
    last = b"GET /info HTTP/1.1\r\n" + CLOSE + H + b"\r\n"
    none = b"GET /none HTTP/1.1\r\n" + H + b"\r\n"
    assert statuses(client.raw(whole * 3 + none + last + whole)) == [200, 200, 200, 404, 200]
    old = client.raw(b"GET /info HTTP/1.0\r\n" + H + b"\r\n")
    assert b"\r\nconnection: close\r\n" in old.lower()
    waits = b"Expect: 100-continue\r\nContent-Length: 15\r\n\r\n"
    assert statuses(client.raw(POST + CLOSE + waits, b'{"history": []}')) == [100, 200]


PARTS = [b"GET ", b"POST ", b"/hint", b"?RR=1,1", b" HTTP/1.1\r\n", H, b"\r\n", b"\r\n\r\n"]
PARTS += [b"Content-Length: ", b"5", b"{}", b"\n", b"%00", CLOSE, b"\0"]


@given(st.lists(st.binary(max_size=60) | st.sampled_from(PARTS), max_size=12))
def test_server_survives_arbitrary_bytes(client: Client, parts: list[bytes]) -> None:
    received = client.raw(b"".join(parts), end=True)
    assert all(status < 500 or status == 501 for status in statuses(received))
    assert bool(received) == received.startswith(b"HTTP/1.1 ")
    assert client.ask("/hint")[0] == 200


def test_page_has_security_headers(client: Client) -> None:
    host = b"Host: 127.0.0.1:80\r\n" + CLOSE + b"\r\n"
    head, _, body = client.raw(b"GET / HTTP/1.1\r\n" + host).partition(b"\r\n\r\n")
    assert body == client.book.export("html").encode()
    lines = head.decode().lower().split("\r\n")
    assert {
        "content-type: text/html; charset=utf-8",
        "content-security-policy: frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-resource-policy: same-origin",
        "cross-origin-opener-policy: same-origin",
        "cache-control: no-store",
        f"content-length: {len(body)}",
    } <= {*lines}
    assert not [line for line in lines if line.startswith(("access-control", "server"))]
    only, _, nothing = client.raw(b"HEAD / HTTP/1.1\r\n" + host).partition(b"\r\n\r\n")
    assert nothing == b""
    assert b"content-length: %d" % len(body) in only


@pytest.mark.parametrize(
    ("method", "target", "status"),
    [
        *(("GET", "/hint/", 404), ("GET", "/hint%00", 404)),
        *(("GET", "/hints?RR=1,1", 404), ("GET", "/" + "x" * 9000, 404), ("GET", "*", 404)),
        *(("GET", "/etc/passwd", 404), ("GET", "/../../../../etc/passwd", 404)),
        *(("GET", "/%2e%2e/%2e%2e/etc/passwd", 404), ("GET", "//etc/passwd", 404)),
        ("GET", "/hint/../info", 404),
        *(("GET", "http://127.0.0.1/hint", 404), ("GET", "file:///etc/passwd", 404)),
        *(("DELETE", "/hint", 405), ("PUT", "/info", 405), ("POST", "/", 405)),
        *(("OPTIONS", "/hint", 405), ("X" * 99, "/", 405)),
    ],
)
def test_unknown_paths_and_methods_are_rejected(
    method: str, target: str, status: int, client: Client
) -> None:
    found, answer = client.ask(target, method)
    assert (found, answer.keys()) == (status, KEYS)
    known = ["/info", "/hint", "/candidates", "/explain", "/rate", "/score"]
    assert all(name in answer["error"] for name in (known if status == 404 else ["GET", "HEAD"]))
    assert len(answer["error"]) < 200


# Allowed hosts


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *((name, 200) for name in ("localhost", "LOCALHOST:9", "127.0.0.1:8000")),
        *((name, 400) for name in ("evil.example", "127.0.0.1.evil.example", "localhost@evil")),
        *((name, 400) for name in ("10.0.0.1:80", "[::1]:1", "", "localhost:x")),
    ],
)
def test_only_local_host_names_are_served(host: str, status: int, client: Client) -> None:
    """The name of another site may resolve to this machine (DNS rebinding)."""
    for path in ("/", "/hint", "/info"):
        assert client.ask(path, host=host)[0] == status


def test_browser_shows_page_and_blocks_cross_origin_requests(
    client: Client, show: Callable[..., Watched]
) -> None:
    watched = show(f"http://127.0.0.1:{client.port}/")
    assert watched.entry() == client.book.root.guess
    feedback, child = next(iter(client.book.root.children.items()))
    watched.enter_code(client.book.root.guess, str(feedback))
    assert watched.entry() == child.guess
    query = f"/hint?{client.book.root.guess}={feedback}"
    ask = "(url) => fetch(url).then((r) => r.json()).then((hint) => hint.guess)"
    page = watched.page.context.new_page()
    page.goto(f"http://127.0.0.1:{client.port}/info")
    assert page.evaluate(ask, query) == child.guess
    page.goto(f"http://localhost:{client.port}/info")
    with pytest.raises(Exception, match="Failed to fetch"):
        page.evaluate(ask, f"http://127.0.0.1:{client.port}{query}")


# Many connections, and idle ones


def test_number_of_connections_is_limited(client: Client) -> None:
    with ExitStack() as stack:
        for _ in range(64):
            stack.enter_context(client.connect()).sendall(HALF)
        assert client.ask("/info")[0] == 503
    end = time.monotonic() + 60
    while client.ask("/info")[0] != 200:
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.slow
def test_idle_connection_is_closed(client: Client) -> None:
    with client.connect() as connection:
        connection.sendall(b"GET /info HTTP/1.1\r\n" + H + b"\r\n")
        begun = time.monotonic()
        while connection.recv(1 << 16):
            pass
        assert 20 < time.monotonic() - begun < 50


# The worker process, which computes off-book hints


def children(process: int) -> list[int]:
    """Return the IDs of the child processes of a process (Linux)."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
            if int(parent) == process and state != "Z":
                found.append(int(path.parent.name))
    return found


def new_child(client: Client, *old: int) -> int:
    """Wait for a new child process of the server, and return its ID."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if found := [child for child in children(client.process.pid) if child not in old]:
            return found[0]
        time.sleep(0.05)
    raise AssertionError("the server starts no process")


linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")


@linux
def test_killed_worker_process_is_replaced(client: Client) -> None:
    question = "/hint?GG=0,0&YY=1,0"
    wanted = client.ask(question)
    assert wanted[0] == 200
    (child,) = children(client.process.pid)
    os.kill(child, signal.SIGKILL)
    assert client.ask(question) == wanted
    assert new_child(client) != child


@linux
def test_lack_of_file_descriptors_for_worker_gives_status_503(client: Client) -> None:
    import resource  # Windows lacks this module.

    question = "/hint?GG=0,0&YY=1,0"
    pid = client.process.pid
    for child in children(pid):
        os.kill(child, signal.SIGKILL)
    used = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (used + 2, before[1]))
    try:
        status, answer = client.ask(question)
        assert (status, answer["exit_code"]) == (503, 1)
        assert "cannot start the process that computes answers" in answer["error"]
        assert client.ask("/hint")[0] == 200
    finally:
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
    assert client.ask(question)[0] == 200


def test_cross_origin_answers_lack_cors_headers(client: Client) -> None:
    origin = b"Origin: https://example.org\r\n"
    for path in (b"/", b"/info", b"/hint", b"/score?RR&YY"):
        received = client.raw(b"GET " + path + b" HTTP/1.1\r\n" + H + CLOSE + origin + b"\r\n")
        assert statuses(received) == [200]
        assert b"access-control" not in received.partition(b"\r\n\r\n")[0].lower()


@linux
@pytest.mark.slow
def test_request_fails_after_worker_dies_twice(slow_client: Client) -> None:
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(slow_client.ask, LONG)
        first = new_child(slow_client)
        time.sleep(1)
        os.kill(first, signal.SIGKILL)
        second = new_child(slow_client, first)
        time.sleep(1)
        os.kill(second, signal.SIGKILL)
        status, answer = asked.result()
    assert (status, answer["exit_code"]) == (503, 1)
    assert slow_client.ask("/rate?RYGBO=1,1&RYGBO=0,0&RYGBO")[0] == 422


@linux
@pytest.mark.slow
def test_stopped_worker_process_is_replaced(client: Client) -> None:
    question = "/hint?GG=0,0&YY=1,0"
    wanted = client.ask(question)
    (child,) = children(client.process.pid)
    os.kill(child, signal.SIGSTOP)
    assert client.ask(question)[0] == 503
    assert client.ask(question) == wanted
    assert child not in children(client.process.pid)


@pytest.mark.slow
def test_computation_over_10_seconds_gives_status_503(slow_client: Client) -> None:
    """Meanwhile on-book hints are answered, and other off-book hints wait for the worker."""
    begun = time.monotonic()
    with ThreadPoolExecutor(3) as pool:
        asked = [pool.submit(slow_client.ask, LONG) for _ in range(3)]
        while time.monotonic() - begun < 5:
            assert slow_client.ask("/hint")[1]["guess"] == slow_client.book.root.guess
            assert slow_client.ask("/score?RYGBO&RYGBO")[0] == 200
            time.sleep(0.5)
        assert not any(answer.done() for answer in asked)
        assert {answer.result()[0] for answer in asked} == {503}
    assert time.monotonic() - begun < 60
    assert sys.platform != "linux" or len(children(slow_client.process.pid)) <= 1


@linux
@pytest.mark.nightly
def test_killed_server_leaves_no_process(tmp_path: Path) -> None:
    book = edited(gb.open("mastermind-5x8"), policy={"name": "optimal"})
    book.save(tmp_path / "slow.book")
    with serving(str(tmp_path / "slow.book"), book) as client, ThreadPoolExecutor(1) as pool:
        asked = pool.submit(client.raw, f"GET {LONG} HTTP/1.1\r\n".encode() + H + b"\r\n")
        child = new_child(client)
        time.sleep(3)
        client.process.kill()
        asked.result()
        end = time.monotonic() + 40
        while Path(f"/proc/{child}").exists():
            assert time.monotonic() < end
            time.sleep(0.2)


# The command


@pytest.mark.posix
def test_serve_prints_address_and_stops_on_ctrl_c(tmp_path: Path) -> None:
    gb.build(gb.Mastermind(2, 3)).save(tmp_path / "small.book")
    with ExitStack() as stack:
        process = stack.enter_context(start(str(tmp_path / "small.book"), "--port", "0"))
        stack.callback(process.kill)
        assert process.stdout
        line = process.stdout.readline()
        found = re.fullmatch(r"mastermind-2x3 at (http://127\.0\.0\.1:(\d+)/) \(.*\)\n", line)
        assert found
        # An open connection and a worker process do not delay the shutdown.
        connection = http.client.HTTPConnection("127.0.0.1", int(found[2]), timeout=60)
        connection.request("GET", "/hint?GG=0,0&YY=1,0")
        assert connection.getresponse().read()
        second = start(str(tmp_path / "small.book"), "--port", found[2])
        out, err = second.communicate(timeout=60)
        assert (second.returncode, out, err.count("\n")) == (1, "", 1)
        assert "in use" in err
        known = children(process.pid)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (130, "")
        assert not any(Path(f"/proc/{child}").exists() for child in known)
        connection.close()


@linux
def test_server_listens_on_one_address_only(client: Client) -> None:
    with (
        pytest.raises(ConnectionRefusedError),
        socket.create_connection(("127.0.0.2", client.port), timeout=5),
    ):
        pass

"""The requests that a server gets: refused, broken, slow, too many; none of them breaks it."""

from __future__ import annotations

import json
import re
import socket
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guessbook.book import Mastermind
from guessbook.export.serve.request import Limits
from tests.helpers.client import Client, running
from tests.helpers.plain import plain_book

if TYPE_CHECKING:
    from collections.abc import Iterator

# Small, so that a test meets them soon.
TIGHT = Limits(target=300, head=1000, body=400)


@pytest.fixture(scope="module")
def tight() -> Iterator[Client]:
    """A server of a small book with small limits."""
    with running(plain_book(Mastermind(2, 3)), TIGHT) as made:
        yield made


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

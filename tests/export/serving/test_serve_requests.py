"""The requests that a server gets: refused, broken, slow, too many; none of them breaks it."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind
from guessbook.serve.connection import Limits
from guessbook.serve.question import Answer
from guessbook.serve.worker import Worker
from tests.helpers.client import Client, running
from tests.helpers.plain import plain_book

if TYPE_CHECKING:
    from collections.abc import Iterator

# Small, so that a test meets them soon.
TIGHT = Limits(size=400)
H = b"Host: localhost\r\n"
HALF = b"POST /hint HTTP/1.1\r\n" + H + b"Content-Length: 9\r\n\r\n{"


@pytest.fixture(scope="module")
def tight() -> Iterator[Client]:
    """A server of a small book with small limits."""
    with running(plain_book(Mastermind(2, 3)), TIGHT) as made:
        yield made


BROKEN = [
    (b"\0\1\2\3\r\n\r\n", 400),
    (b"GET /hint\r\n\r\n", 400),
    (b"GET  /hint HTTP/1.1\r\n" + H + b"\r\n", 400),
    (b"GET /h\xc3\xbc HTTP/1.1\r\n" + H + b"\r\n", 400),
    (b"GET /hint HTTP/1.1\r\n" + H + b"No colon\r\n\r\n", 400),
    (b"GET /hint HTTP/1.1\r\n" + H + b"A: \0\r\n\r\n", 400),
    (b"GET /hint HTTP/1.1\r\n" + H + b"A : 1\r\n\r\n", 400),
    (b"GET /hint HTTP/1.1\r\n" + H + H + b"\r\n", 400),
    (b"GET /hint HTTP/1.1\r\n\r\n", 400),
    (b"POST /hint HTTP/1.1\r\n" + H + b"Content-Length: -1\r\n\r\n", 400),
    (b"POST /hint HTTP/1.1\r\n" + H + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    (b"POST /hint HTTP/1.1\r\n" + H + b"Transfer-Encoding: chunked\r\n\r\nx\r\n", 400),
    (b"POST /hint HTTP/1.1\r\n" + H + b"Transfer-Encoding: gzip\r\n\r\n", 400),
    (b"GET /" + b"a" * 900 + b" HTTP/1.1\r\n" + H + b"\r\n", 400),
    (b"GET /" + b"a" * 100_000, 400),
    (b"GET /hint HTTP/1.1\r\n" + H + b"A: " + b"a" * 1000 + b"\r\n\r\n", 400),
    (b"GET /hint HTTP/1.1\r\n" + H + b"A: 1\r\n" * 50_000, 400),
]


@pytest.mark.parametrize(("request_", "status"), BROKEN)
def test_broken_requests(tight: Client, request_: bytes, status: int) -> None:
    """A request that breaks the grammar or a limit gets one answer, and the connection ends."""
    received = tight.raw(request_, end=False)
    assert received.startswith(b"HTTP/1.1 %d " % status)
    assert b"\r\nconnection: close\r\n" in received.lower()
    assert received.count(b"HTTP/1.1 ") == 1
    error = json.loads(received.partition(b"\r\n\r\n")[2])
    assert list(error) == ["error", "exit_code", "suspects"]


CLOSE = b"Connection: close\r\n"


@pytest.mark.parametrize(
    "body",
    [
        b"Content-Length: 401\r\n\r\n" + b"x" * 401,
        b"Content-Length: 999999999999\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n" + (b"c8\r\n" + b"x" * 200 + b"\r\n") * 3,
    ],
)
def test_bodies_that_are_too_long(tight: Client, body: bytes) -> None:
    """A body that is, or says that it is, longer than the limit is refused, whoever counts."""
    received = tight.raw(b"POST /hint HTTP/1.1\r\n" + H + CLOSE + body, end=False)
    assert received.startswith(b"HTTP/1.1 413 ")
    error = json.loads(received.partition(b"\r\n\r\n")[2])
    assert error["error"] == "found a body of more than 400 bytes, expected fewer"


def test_a_limit_of_a_head_is_kept_whole_or_in_parts() -> None:
    """A head of twice the limit is refused, however the bytes arrive."""
    with running(plain_book(Mastermind(2, 3)), Limits(size=200)) as client:
        for length, status in ((30, b"200"), (500, b"400")):
            head = b"GET /hint HTTP/1.1\r\n" + H + CLOSE + b"A: " + b"a" * length + b"\r\n\r\n"
            for step in (len(head), 17):
                parts = [head[k : k + step] for k in range(0, len(head), step)]
                assert client.raw(*parts, end=False).split()[1:2] == [status]


def has_ended(connection: socket.socket) -> bool:
    """Whether the server has ended a connection, with or without what was sent last."""
    connection.settimeout(60)
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


def drip(connection: socket.socket) -> None:
    """Send without an end."""
    while True:
        connection.sendall(b"x" * 400)
        time.sleep(0.01)


def test_slow_clients(tight: Client) -> None:
    """Who sends nothing, half a request, or an endless body, is not waited for any longer."""
    with running(tight.book, Limits(seconds=0.3)) as client:
        for part in (b"", HALF, HALF[:20], b"GET /info HTTP/1.1\r\n" + H + b"\r\n" + HALF):
            received = client.raw(part, end=False)
            assert received.count(b"HTTP/1.1 ") == part.count(b"GET")
        with socket.create_connection(("127.0.0.1", client.port)) as endless:
            endless.sendall(b"POST /hint HTTP/1.1\r\n" + H + b"Content-Length: 99999999\r\n\r\n")
            with pytest.raises(ConnectionError):
                drip(endless)
        with socket.create_connection(("127.0.0.1", client.port)) as idle:
            while client.server.server_state.connections != set():
                time.sleep(0.05)
            assert has_ended(idle)
    assert tight.raw(HALF) == b""


def test_a_client_that_fetches_nothing(tight: Client) -> None:
    """Who asks again and again and reads no answer is not waited for either."""
    with running(tight.book, Limits(seconds=0.5), lambda *_: "x" * 1_000_000) as client:
        with socket.create_connection(("127.0.0.1", client.port)) as connection:
            connection.sendall((b"GET / HTTP/1.1\r\n" + H + b"\r\n") * 50)
            while not client.server.server_state.connections:
                time.sleep(0.01)
            while client.server.server_state.connections:
                time.sleep(0.05)
        assert client.ask("/info")[0] == 200


def test_one_connection_many_requests(tight: Client) -> None:
    """Requests that are sent at once are answered in their order, until one asks to close."""
    whole = b"POST /hint HTTP/1.1\r\n" + H + b'Content-Length: 15\r\n\r\n{"history": []}'
    last = b"GET /info HTTP/1.1\r\n" + CLOSE + H + b"\r\n"
    received = tight.raw(
        whole * 3 + b"GET /none HTTP/1.1\r\n" + H + b"\r\n" + last + whole, end=False
    )
    statuses = re.findall(rb"HTTP/1\.1 (\d+) ", received)
    assert statuses == [b"200", b"200", b"200", b"404", b"200"]
    old = tight.raw(b"GET /info HTTP/1.0\r\n" + H + b"\r\n", end=False)
    assert b"\r\nconnection: close\r\n" in old.lower()
    waits = b"Expect: 100-continue\r\nContent-Length: 15\r\n\r\n"
    received = tight.raw(
        b"POST /hint HTTP/1.1\r\n" + H + CLOSE + waits, b'{"history": []}', end=False
    )
    assert re.findall(rb"HTTP/1\.1 (\d+) ", received) == [b"100", b"200"]


def test_answers_are_sent_at_once(tight: Client) -> None:
    """The head and the body of an answer do not wait for each other (Nagle's algorithm)."""
    with socket.create_connection(("127.0.0.1", tight.port)):
        while not (connections := list(tight.server.server_state.connections)):
            time.sleep(0.01)
        accepted = connections[0].transport.get_extra_info("socket")
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_too_many_connections(tight: Client) -> None:
    """Who has been silent for longest, or in the middle of a request, makes room for a new one."""
    with running(tight.book, Limits(connections=4)) as client, ExitStack() as stack:
        address = ("127.0.0.1", client.port)
        for part in (b"", HALF):
            held = [stack.enter_context(socket.create_connection(address)) for _ in range(4)]
            for connection in held:
                connection.sendall(part)
            assert client.ask("/info")[0] == 200
            assert has_ended(held[0])
            assert len(client.server.server_state.connections) <= 4


def test_reading_a_request_holds_up_nobody(tight: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that takes long to read gets a 503 after its time, and others are answered."""
    begun, ended = threading.Event(), threading.Event()

    def parse_code(*_: object) -> int:
        begun.set()
        ended.wait(30)
        return 0

    monkeypatch.setattr(Mastermind, "parse_code", parse_code)
    with running(tight.book, Limits(live_seconds=1.0)) as client, ThreadPoolExecutor(1) as pool:
        slow = pool.submit(client.ask, "/hint?RR=0,0")
        assert begun.wait(30)
        assert client.ask("/info")[0] == 200
        assert not ended.is_set()
        status, answer = slow.result()
        ended.set()
    assert status == 503
    assert answer["error"] == "could not read this request within 1 seconds; try again"


def test_too_many_questions(tight: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose answers are being computed keep their places, and a new one is sent away."""
    computed = threading.Event()

    async def ask(*_: object) -> Answer:
        await asyncio.to_thread(computed.wait)
        return Answer(200, {})

    monkeypatch.setattr(Worker, "ask", ask)
    with (
        running(tight.book, Limits(connections=2, seconds=0.2)) as client,
        ThreadPoolExecutor() as pool,
    ):
        asked = [pool.submit(client.ask, "/candidates") for _ in range(2)]
        while len(client.server.server_state.tasks) < 2:
            time.sleep(0.01)
        assert client.raw(b"GET /info HTTP/1.1\r\n" + H + b"\r\n") == b""
        computed.set()
        assert [answer.result() for answer in asked] == [(200, {})] * 2
        assert client.ask("/info")[0] == 200


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

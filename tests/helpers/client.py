"""A server for tests, in a thread of its own, and a client that asks it."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.book.summary import plain
from guessbook.serve import site
from guessbook.serve.connection import Limits
from guessbook.serve.server import open_listener, server_of
from guessbook.lookup import Book

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from uvicorn import Server

PAGE = "<!doctype html><title>ü</title>"


class Client:
    """What a test knows of a running server: its book, its port, and how to ask it."""

    def __init__(self, server: Server, book: Book, port: int) -> None:
        self.server = server
        self.book = book
        self.port = port

    def ask(
        self, target: str, method: str = "GET", body: bytes | None = None, **headers: str
    ) -> tuple[int, Any]:
        """The status of an answer and its JSON, or its text, on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, target, body, named)
            response = connection.getresponse()
            text = response.read().decode()
            in_json = response.headers["Content-Type"] == "application/json"
            return response.status, json.loads(text) if in_json else text
        finally:
            connection.close()

    def raw(self, *parts: bytes, end: bool = True) -> bytes:
        """Everything that the server sends for these bytes, sent one after the other."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
            received = b""
            # Who is refused may be hung up on while still sending.
            with suppress(ConnectionError):
                for part in parts:
                    connection.sendall(part)
                if end:
                    # What is hung up on says that it is not connected: no ConnectionError.
                    with suppress(OSError):
                        connection.shutdown(socket.SHUT_WR)
            with suppress(ConnectionError):
                while chunk := connection.recv(1 << 16):
                    received += chunk
            return received


@contextmanager
def running(
    book: Book, limits: Limits | None = None, page: Callable[..., str] = lambda *_: PAGE
) -> Iterator[Client]:
    """A server in a thread, with a page that is quick to make."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site, "export", page)
        server = server_of(book, 123, limits or Limits())
    with open_listener(0) as listener:
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield Client(server, book, listener.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join(20)


def expected(book: Book, history: object) -> dict[str, Any]:
    """The JSON of `guessbook hint --json`."""
    found: dict[str, Any] = json.loads(json.dumps(plain(book.hint(history))))
    return found

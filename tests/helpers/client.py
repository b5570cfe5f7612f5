"""A server for tests, in a thread of its own, and a client that asks it."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.export.serve import site as site_module
from guessbook.export.serve.request import Limits
from guessbook.export.serve.server import Server
from guessbook.lookup import Book

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = "<!doctype html><title>ü</title>"


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


def expected(book: Book, history: object) -> dict[str, Any]:
    """The JSON of `guessbook hint --json`."""
    found: dict[str, Any] = json.loads(json.dumps(book.hint(history)._asdict()))
    return found

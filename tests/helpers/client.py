"""The command `guessbook serve` as a process, and a client that asks it over a socket."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import guessbook as gb

COMMAND = [sys.executable, "-m", "guessbook"]


class Client:
    """A client of a running server, with the process, the port and the book of the server."""

    def __init__(self, process: subprocess.Popen[str], port: int, book: gb.Book) -> None:
        self.process = process
        self.port = port
        self.book = book

    def ask(
        self, target: str, method: str = "GET", body: bytes | None = None, **headers: str
    ) -> tuple[int, Any]:
        """Send a request; return the status and the JSON of the response, or its text."""
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

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def raw(self, *parts: bytes, end: bool = False) -> bytes:
        """Send bytes part by part, and return everything that the server sends."""
        with self.connect() as connection:
            # The server may close the connection before everything is sent.
            with suppress(ConnectionError):
                for part in parts:
                    connection.sendall(part)
            if end:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_WR)
            received = b""
            with suppress(ConnectionError):
                while chunk := connection.recv(1 << 16):
                    received += chunk
            return received


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, "serve", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def serving(source: str, book: gb.Book) -> Iterator[Client]:
    """Run a server with a book, whose file or name is `source`."""
    with start(source, "--port", "0") as process:
        try:
            assert process.stdout
            line = process.stdout.readline()
            port = int(line.split("http://127.0.0.1:")[1].split("/")[0])
            yield Client(process, port, book)
        finally:
            process.send_signal(getattr(signal, "SIGINT", signal.SIGTERM))
            try:
                process.wait(20)
            finally:
                process.kill()

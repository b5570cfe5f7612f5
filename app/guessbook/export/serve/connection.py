"""Connections with two limits that uvicorn lacks: on their number, and on the time that a client may take."""

import asyncio
import json
from typing import NamedTuple

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from guessbook.book.errors import UsageError
from guessbook.lookup.json_text import error_as_json


class Limits(NamedTuple):
    """The limits of the server on the size of requests, on connections and on time."""

    size: int = (
        16384  # The largest size, in bytes, of a body, and of the request line with all headers.
    )
    entries: int = 100  # The largest number of entries of a history.
    connections: int = 64  # The largest number of open connections of all clients together.
    seconds: float = (
        30.0  # The longest time, in seconds, that a client may take to send or receive.
    )
    # The longest time, in seconds, of each of three steps: to read a question, to wait for the turn of an off-book
    # question, and to compute its answer.
    live_seconds: float = 10.0


class Connection(H11Protocol):
    """A connection that is closed if its client keeps the server waiting for longer than `limits.seconds`."""

    limits = Limits()  # `server_of` makes a subclass with the limits of its server.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer. If too many connections are open, close the one that has waited longest for its client."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._look()
        if len(self.connections) > self.limits.connections:
            known = [c for c in self.connections if isinstance(c, Connection) and c._waits()]
            min(known, key=lambda connection: connection._since)._end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer of the connection."""
        self._clock.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass received bytes to h11 in small parts: h11 checks the size of the headers after each part."""
        for start in range(0, len(data), self.limits.size):
            if not self.transport.is_closing():
                super().data_received(data[start : start + self.limits.size])

    def send_400_response(self, msg: str) -> None:
        """Answer a malformed or oversized request with an error as JSON."""
        most = f"{self.limits.size:,} bytes"
        error = UsageError(
            f"found a malformed request, or headers of over {most}, expected HTTP/1.1"
        )
        data = (json.dumps(error_as_json(error)) + "\n").encode()
        headers = [
            *self.server_state.default_headers,
            (b"content-type", b"application/json"),
            (b"content-length", str(len(data)).encode()),
            (b"connection", b"close"),
        ]
        head = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
        for event in (head, h11.Data(data=data), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def on_response_complete(self) -> None:
        """Restart the timer, because the server now waits for the next request."""
        self._since = self.loop.time()
        super().on_response_complete()

    def _waits(self) -> bool:
        """Return whether the server waits for the client to send a request or to receive an answer."""
        cycle = self.cycle
        return not cycle or cycle.response_complete or cycle.more_body or self.flow.write_paused

    def _look(self) -> None:
        left = self._since + self.limits.seconds - self.loop.time()
        if left <= 0 and self._waits():
            self._end()
        self._clock = self.loop.call_later(max(left, self.limits.seconds / 4), self._look)

    def _end(self) -> None:
        self.connections.discard(
            self
        )  # Otherwise uvicorn counts the connection until the abort ends.
        self.transport.abort()

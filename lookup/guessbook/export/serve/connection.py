"""Connections with limits on their number and their idle time, which uvicorn does not have."""

import asyncio
import json
from typing import NamedTuple

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from guessbook.book.errors import UsageError
from guessbook.lookup.json_text import error_as_json


class Limits(NamedTuple):
    """The limits of the server."""

    size: int = 16384  # bytes of a body, or of the request line and the headers
    entries: int = 100  # of a history
    connections: int = 64  # open at a time, of all clients
    seconds: float = 30.0  # for a connection to finish a request and fetch its answer
    live_seconds: float = 10.0  # for a question off the book to wait its turn, and to be answered


class Connection(H11Protocol):
    """A connection with a clock, which runs while the server waits for the client."""

    limits = Limits()  # a subclass for each server sets them

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock; close the connection that waited longest if there are too many."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._look()
        if len(self.connections) > self.limits.connections:
            known = [c for c in self.connections if isinstance(c, Connection) and c._waits()]
            min(known, key=lambda connection: connection._since)._end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._clock.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass the bytes on in parts, as h11 checks the size of a head after each part."""
        for start in range(0, len(data), self.limits.size):
            if not self.transport.is_closing():
                super().data_received(data[start : start + self.limits.size])

    def send_400_response(self, msg: str) -> None:
        """Answer bytes that are no request with an error in JSON, like all other errors."""
        most = f"{self.limits.size:,} bytes"
        error = UsageError(f"found no request of HTTP/1.1, or a head of more than {most}")
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
        """Restart the clock."""
        self._since = self.loop.time()
        super().on_response_complete()

    def _waits(self) -> bool:
        """Return whether the server waits for the client, to send or to fetch."""
        cycle = self.cycle
        return not cycle or cycle.response_complete or cycle.more_body or self.flow.write_paused

    def _look(self) -> None:
        left = self._since + self.limits.seconds - self.loop.time()
        if left <= 0 and self._waits():
            self._end()
        self._clock = self.loop.call_later(max(left, self.limits.seconds / 4), self._look)

    def _end(self) -> None:
        self.connections.discard(self)  # uvicorn would count it until the abort is done
        self.transport.abort()

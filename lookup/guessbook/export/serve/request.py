"""A request: one message of HTTP/1.1, read strictly and within limits of size and time."""

from __future__ import annotations

import asyncio
import re
from typing import NamedTuple

# The grammar of RFC 9112, without what it advises to refuse: bare line feeds, folded headers.
REQUEST_LINE = re.compile(r"([A-Za-z]{1,20}) ([!-~]+) HTTP/1\.([01])")
HEADER = re.compile(
    r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*((?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)[ \t]*"
)
# A page elsewhere can let its own name lead to this machine and then ask (DNS rebinding). It cannot
# choose the header in which the browser repeats that name.
HOST = re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?", re.IGNORECASE)


class Limits(NamedTuple):
    """What one client may take.

    Attributes:
        target: bytes of a path with its query.
        head: bytes of the request line and the headers.
        body: bytes of a body.
        entries: entries of a history.
        connections: open at a time, of all clients together.
        idle_seconds: how long a connection stays open while nothing is asked.
        request_seconds: how long a request may take to arrive, and an answer to be fetched.
        live_seconds: how long a hint off the book may wait for its turn, and then take.
    """

    target: int = 4096
    head: int = 16384
    body: int = 16384
    entries: int = 100
    connections: int = 64
    idle_seconds: float = 30.0
    request_seconds: float = 10.0
    live_seconds: float = 10.0


class RefusedError(Exception):
    """A request that gets no answer but this one.

    Attributes:
        status: the status of HTTP.
        message: what was found, what was expected and what to do, in one line.
        headers: further headers of the answer.
    """

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}


class Request(NamedTuple):
    """A request.

    Attributes:
        method: `GET`, ...
        path: the part of the target before the question mark, as it was sent.
        query: the part after it.
        headers: by name in lower case.
        keep: whether the connection stays open after the answer.
        body: its bytes, none if it had no body.
    """

    method: str
    path: str
    query: str
    headers: dict[str, str]
    keep: bool
    body: bytes = b""


async def read_request(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, first: bytes, limits: Limits
) -> Request:
    """The request that begins with the byte `first`. The reader's own limit is `limits.head`.

    Raises:
        RefusedError: it is none, or goes beyond a limit; the connection is of no more use then.
        EOFError: the client hung up in the middle of it.
    """
    try:
        async with asyncio.timeout(limits.request_seconds):
            try:
                head = first + await reader.readuntil(b"\r\n\r\n")
            except asyncio.LimitOverrunError:
                begin = first + await reader.read(limits.target)
                status = 431 if b"\r\n" in begin else 414
                message = f"found a head of more than {limits.head:,} bytes, expected at most that"
                raise RefusedError(status, message) from None
            request = _parsed(head.removeprefix(b"\r\n").decode("latin-1"), limits)
            size = _body_size(request.headers, limits)
            if size and request.headers.get("expect", "").lower() == "100-continue":
                writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            return request._replace(body=await reader.readexactly(size))
    except TimeoutError:
        message = f"found no whole request within {limits.request_seconds:g} seconds"
        raise RefusedError(408, message) from None


def _parsed(head: str, limits: Limits) -> Request:
    """The request of a head, still without its body."""
    line, *rest = head.removesuffix("\r\n\r\n").split("\r\n")
    found = REQUEST_LINE.fullmatch(line)
    if not found:
        raise RefusedError(400, "found no request line of HTTP/1.1, expected `GET /hint HTTP/1.1`")
    method, target, minor = found.groups()
    if len(target) > limits.target:
        message = f"found a target of {len(target):,} bytes, expected at most {limits.target:,}"
        raise RefusedError(414, message)
    headers: dict[str, str] = {}
    for text in rest:
        pair = HEADER.fullmatch(text)
        if not pair:
            raise RefusedError(400, "found a header that is none, expected `Name: value`")
        name = pair[1].lower()
        # One of two would have to win, and whoever stands in front may choose the other one.
        if name in headers and name in {"host", "content-length"}:
            raise RefusedError(400, f"found the header {name} twice, expected it once")
        headers[name] = f"{headers[name]}, {pair[2]}" if name in headers else pair[2]
    if not HOST.fullmatch(headers.get("host", "")):
        raise RefusedError(421, "found another host, expected the header Host to be 127.0.0.1")
    options = {option.strip() for option in headers.get("connection", "").lower().split(",")}
    keep = minor == "1" and "close" not in options
    path, _, query = target.partition("?")
    return Request(method, path, query, headers, keep)


def _body_size(headers: dict[str, str], limits: Limits) -> int:
    """How many bytes of body follow the head."""
    if "transfer-encoding" in headers:
        raise RefusedError(501, "found Transfer-Encoding, expected Content-Length")
    text = headers.get("content-length", "0")
    if not re.fullmatch("[0-9]{1,18}", text):
        raise RefusedError(400, "found a Content-Length that is no number of bytes")
    if int(text) > limits.body:
        message = f"found a body of {int(text):,} bytes, expected at most {limits.body:,}"
        raise RefusedError(413, message)
    return int(text)

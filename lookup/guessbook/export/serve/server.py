"""The server: a book behind HTTP/1.1 on this machine, and nothing that a client could exhaust."""

from __future__ import annotations

import asyncio
import errno
import sys
from contextlib import suppress
from email.utils import formatdate
from http import HTTPStatus
from typing import TYPE_CHECKING

from guessbook.book.errors import GuessbookError
from guessbook.export.serve.request import Limits, RefusedError, read_request
from guessbook.export.serve.site import Site, json_reply
from guessbook.export.serve.worker import Answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from guessbook.export.serve.site import Reply
    from guessbook.lookup import Book

# Loopback only: there are no accounts and no encryption, so other machines have no business here.
HOST = "127.0.0.1"
LINGER_SECONDS = 1.0

# No header lets other sites read an answer (CORS): a page from anywhere could otherwise ask.
HEADERS = """\
X-Content-Type-Options: nosniff
Referrer-Policy: no-referrer
Cross-Origin-Resource-Policy: same-origin
Cross-Origin-Opener-Policy: same-origin
Cache-Control: no-store
""".replace("\n", "\r\n")


class Server:
    """A server for one book.

    Args:
        book: the book.
        size: the size of its file in bytes, for `/info`.
        limits: what one client may take.
    """

    def __init__(self, book: Book, size: int, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.site = Site(book, size, self.limits)
        self._open = 0
        # Connections on which nothing is asked, the one that waits longest first.
        self._idle: dict[asyncio.StreamWriter, None] = {}
        self._server: asyncio.Server | None = None

    async def start(self, port: int) -> str:
        """Listen on a port, a free one for 0, and return the address of the page.

        Raises:
            GuessbookError: the port is taken, or not for this user.
        """
        try:
            self._server = await asyncio.start_server(
                self._connected, HOST, port, limit=self.limits.head
            )
        except OSError as error:
            reason = {errno.EADDRINUSE: "it is in use", errno.EACCES: "it is not for you"}
            why = reason.get(error.errno or 0, error.strerror)
            raise GuessbookError(
                f"cannot listen on port {port} ({why}); choose another with --port, "
                "or any free one with --port 0"
            ) from None
        return f"http://{HOST}:{self._server.sockets[0].getsockname()[1]}/"

    async def close(self) -> None:
        """Stop listening, and end the process that computes."""
        if self._server:
            self._server.close()
        await self.site.worker.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until it ends."""
        # `drain` then waits until all is sent, so that nothing is lost when the connection ends.
        writer.transport.set_write_buffer_limits(0)
        self._open += 1
        try:
            if self._room():
                while await self._exchange(reader, writer):
                    pass
            else:
                error = RefusedError(503, "found too many connections, expected fewer; try again")
                await self._send(writer, refusal(error), keep=False)
            await _hang_up(reader, writer)
        except (OSError, EOFError, TimeoutError):
            pass  # the client is gone, or might as well be
        finally:
            self._open -= 1
            writer.transport.abort()

    def _room(self) -> bool:
        """Whether one more connection can be served: who asks nothing makes room for who might."""
        if self._open <= self.limits.connections:
            return True
        if not self._idle:
            return False
        oldest = next(iter(self._idle))
        del self._idle[oldest]
        oldest.transport.abort()  # its reader sees the end, and its task ends as well
        return True

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; False if the connection is to end."""
        self._idle[writer] = None
        try:
            async with asyncio.timeout(self.limits.idle_seconds):
                first = await reader.read(1)
        finally:
            self._idle.pop(writer, None)
        if not first:
            return False
        try:
            request = await read_request(reader, writer, first, self.limits)
        except RefusedError as error:
            # Where the next request would begin is unknown.
            await self._send(writer, refusal(error), keep=False)
            return False
        try:
            reply = await self.site.reply(request)
        except RefusedError as error:
            reply = refusal(error)
        except Exception as error:
            print(f"Error: {request.path}: {error!r}", file=sys.stderr)
            reply = refusal(RefusedError(500, "this should not happen; please report it"))
        await self._send(writer, reply, request.keep, request.method != "HEAD")
        return request.keep

    async def _send(
        self, writer: asyncio.StreamWriter, reply: Reply, keep: bool, body: bool = True
    ) -> None:
        """Send a reply. Raises TimeoutError if the client does not fetch it."""
        lines = [
            f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}",
            f"Date: {formatdate(usegmt=True)}",
            f"Connection: {'keep-alive' if keep else 'close'}",
            f"Content-Type: {reply.kind}",
            f"Content-Length: {len(reply.body)}",
            *[f"{name}: {value}" for name, value in reply.headers.items()],
        ]
        head = "\r\n".join([*lines, HEADERS, ""])
        writer.write(head.encode("ascii") + (reply.body if body else b""))
        async with asyncio.timeout(self.limits.request_seconds):
            await writer.drain()


def refusal(error: RefusedError) -> Reply:
    """The reply that says why there is no other, in one line of JSON."""
    message = " ".join(error.message.split())
    return json_reply(Answer(error.status, {"error": message}), error.headers)


def serve(book: Book, size: int, port: int, ready: Callable[[str], None]) -> None:
    """Serve a book until Ctrl-C.

    Args:
        book: the book.
        size: the size of its file in bytes.
        port: where to listen; 0 takes a free port.
        ready: called with the address once the server listens.

    Raises:
        KeyboardInterrupt: Ctrl-C.
        GuessbookError: the port cannot be had.
    """

    async def run() -> None:
        server = Server(book, size)
        # What asyncio itself could say concerns single connections, and would be a traceback.
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        try:
            ready(await server.start(port))
            await asyncio.Event().wait()
        finally:
            await server.close()

    asyncio.run(run())


async def _hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say that no more follows, and wait a little for the client to hang up.

    Whatever it is still sending is read and dropped: closing with something unread would take the
    answer away from it.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            writer.write_eof()
            while await reader.read(1 << 16):
                pass

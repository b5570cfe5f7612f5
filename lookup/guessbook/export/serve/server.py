"""The server: uvicorn with a book, on this machine only, with limits and without a log."""

import errno
import logging
import os
import socket

from uvicorn import Config, Server

from guessbook.book.errors import GuessbookError
from guessbook.export.serve.connection import Connection, Limits
from guessbook.export.serve.site import site
from guessbook.lookup import Book

# Loopback only, as there are no accounts and no encryption.
HOST = "127.0.0.1"

# Without a CORS header pages of other sites cannot read an answer. The page itself says what it may load.
HEADERS = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Content-Security-Policy", "frame-ancestors 'none'"),
    ("Cache-Control", "no-store"),
]


def serve(book: Book, size: int, port: int) -> None:
    """Serve a book, of a file of `size` bytes, until Ctrl-C raises KeyboardInterrupt."""
    # In the worker process, a file in the current folder must not replace a module.
    os.environ["PYTHONSAFEPATH"] = "1"
    with open_listener(port) as listener:
        server = server_of(book, size, Limits())
        address = f"http://{HOST}:{listener.getsockname()[1]}/"
        print(f"{book.game.name} at {address} (Ctrl-C stops)", flush=True)
        server.run([listener])


def open_listener(port: int) -> socket.socket:
    """Return a socket that listens on a port, a free one for 0. Raises GuessbookError if none."""
    try:
        listener = socket.create_server((HOST, port))
        # Connections send a second piece without waiting for the client's acknowledgement.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except OSError as error:
        reason = {errno.EADDRINUSE: "it is in use", errno.EACCES: "permission denied"}
        why = reason.get(error.errno or 0, error.strerror)
        advice = "choose another with --port, or any free one with --port 0"
        raise GuessbookError(f"cannot listen on port {port} ({why}); {advice}") from None


def server_of(book: Book, size: int, limits: Limits) -> Server:
    """Return the server of a book."""
    # The messages of asyncio and uvicorn are tracebacks about single connections.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    config = Config(
        site(book, size, limits),
        loop="asyncio",
        http=type("Bounded", (Connection,), {"limits": limits}),
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        headers=HEADERS,
        h11_max_incomplete_event_size=limits.size,
        timeout_keep_alive=int(limits.seconds),
        timeout_graceful_shutdown=1,
    )
    return Server(config)

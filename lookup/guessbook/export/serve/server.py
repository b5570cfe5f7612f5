"""The server: uvicorn with a book, on this machine, told to keep its bounds and its peace."""

from __future__ import annotations

import errno
import logging
import os
import socket
from collections.abc import Callable

from uvicorn import Config, Server

from guessbook.book.errors import GuessbookError
from guessbook.export.serve.connection import Connection, Limits
from guessbook.export.serve.site import site
from guessbook.lookup import Book

# Loopback only: there are no accounts and no encryption, so other machines have no business here.
HOST = "127.0.0.1"

# No header lets other sites read an answer (CORS): a page from anywhere could otherwise ask.
# What the page may load, it says itself.
HEADERS = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Content-Security-Policy", "frame-ancestors 'none'"),
    ("Cache-Control", "no-store"),
]


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
    # For the process of the worker: a file in the current folder cannot stand in for a module.
    os.environ["PYTHONSAFEPATH"] = "1"
    with listening(port) as listener:
        server = server_of(book, size, Limits())
        ready(f"http://{HOST}:{listener.getsockname()[1]}/")
        server.run([listener])


def listening(port: int) -> socket.socket:
    """A socket that listens on a port, a free one for 0.

    Raises:
        GuessbookError: the port is taken, or not for this user.
    """
    try:
        listener = socket.create_server((HOST, port))
        # For its connections: what is written in two pieces does not wait for the client between.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except OSError as error:
        reason = {errno.EADDRINUSE: "it is in use", errno.EACCES: "it is not for you"}
        why = reason.get(error.errno or 0, error.strerror)
        raise GuessbookError(
            f"cannot listen on port {port} ({why}); choose another with --port, "
            "or any free one with --port 0"
        ) from None


def server_of(book: Book, size: int, limits: Limits) -> Server:
    """The server of a book."""
    # What asyncio and uvicorn could say concerns single connections, and would be a traceback.
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

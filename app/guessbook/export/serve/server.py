"""The HTTP server: uvicorn serves a book to this machine only."""

import errno
import logging
import os
import socket

from uvicorn import Config, Server

from guessbook.book.errors import GuessbookError
from guessbook.export.serve.connection import Connection, Limits
from guessbook.export.serve.site import site
from guessbook.lookup import Book

# The server has no accounts and no encryption, so only this machine may connect.
HOST = "127.0.0.1"

# These headers keep other sites from embedding the page and reading answers.
HEADERS = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Content-Security-Policy", "frame-ancestors 'none'"),
    ("Cache-Control", "no-store"),
]


def serve(book: Book, size: int, port: int) -> None:
    """Serve a book on a port, until Ctrl-C raises KeyboardInterrupt. The file of the book has `size` bytes."""
    # The worker must not import from the current folder, where a file could replace a module.
    os.environ["PYTHONSAFEPATH"] = "1"
    with open_listener(port) as listener:
        server = server_of(book, size, Limits())
        address = f"http://{HOST}:{listener.getsockname()[1]}/"
        print(f"{book.game.name} at {address} (Ctrl-C stops)", flush=True)
        server.run([listener])


def open_listener(port: int) -> socket.socket:
    """Return a socket that listens on a port; 0 stands for any free port."""
    try:
        listener = socket.create_server((HOST, port))
        # By default, the second packet of an answer waits until the client acknowledges the first one.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except OSError as error:
        reason = {errno.EADDRINUSE: "it is in use", errno.EACCES: "permission denied"}
        why = reason.get(error.errno or 0, error.strerror)
        advice = "choose another with --port, or any free one with --port 0"
        raise GuessbookError(f"cannot listen on port {port} ({why}); {advice}") from None


def server_of(book: Book, size: int, limits: Limits) -> Server:
    """Return a uvicorn server for a book whose file has `size` bytes."""
    # Messages of asyncio are not printed, because they are tracebacks about single connections.
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

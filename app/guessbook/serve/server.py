"""Connections with two limits that uvicorn lacks: on their number, and on the time that a client may take. The web application of the server. It checks and answers requests. The HTTP server: uvicorn serves a book to this machine only."""

import asyncio
import errno
import json
import logging
import os
import re
import socket
import sys
from asyncio import get_running_loop
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import unquote

import h11
from anyio import fail_after
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from guessbook.book.errors import (
    GuessbookError,
    InvalidCodeError,
    InvalidFeedbackError,
    UsageError,
    quote,
)
from guessbook.book.games.game import (
    LOOKED_AT,
    MAX_ENTRY,
    Game,
    entries_of,
    parse_entry,
    parse_history,
    read_history,
    splits,
)
from guessbook.book.summary import facts
from guessbook.export.formats import export
from guessbook.front import Book
from guessbook.lookup.hint import walk
from guessbook.lookup.json_text import as_json, error_as_json, json_from
from guessbook.serve.questions import (
    QUESTIONS,
    Answer,
    answer,
    check_fields,
    parameters,
    read,
)
from guessbook.serve.worker import Worker


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


# By DNS rebinding, a foreign site can resolve its own host name to this machine. The browser sends this name in the
# header Host, so only the names of this machine are accepted.
OWN_HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?", re.ASCII | re.IGNORECASE)


def site(book: Book, size: int, limits: Limits) -> Starlette:
    """Return the web application for a book whose file has `size` bytes."""
    worker = Worker(book, limits.live_seconds)
    # A separate thread parses requests, because parsing may take long: the first request may index a million labels.
    reader = ThreadPoolExecutor(1)

    async def ask(request: Request) -> Response:
        check_origin(request)
        name, posted = request.scope["path"][1:], request.method == "POST"
        given = await body_of(request, limits.size) if posted else request.scope["query_string"]
        work = partial(answer_at_once, book, name, given, posted, limits.entries)
        try:
            with fail_after(limits.live_seconds):
                asked, found = await get_running_loop().run_in_executor(reader, work)
        except UsageError as error:
            return refuse(400, error)
        except TimeoutError:
            within = f"within {limits.live_seconds:g} seconds"
            return refuse(503, GuessbookError(f"could not read this request {within}; try again"))
        return reply(*(found or await worker.ask(name, asked)))

    try:
        page = Response(export(book, "html"), media_type="text/html")
    except UsageError as error:  # Some kinds of games cannot be exported as a page.
        page = refuse(404, UsageError(f"there is no page for this book: {error}"))
    # The path of the file is left out, because other users of this machine can read this answer.
    known = reply(200, {**facts(book), "bytes": size})
    app = Starlette(
        routes=[
            Exactly("/", page, methods=["GET"]),
            Exactly("/info", known, methods=["GET"]),
            *[Exactly(f"/{name}", ask, methods=["GET", "POST"]) for name in QUESTIONS],
        ],
        middleware=[Middleware(check_host)],
        exception_handlers={HTTPException: _client_error, Exception: _server_error},
    )
    app.router.redirect_slashes = False
    return app


class Exactly(Route):
    """A route that matches one exact path; a route of Starlette would also match the path plus a newline."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return Starlette's match of a request with this route, or no match if the path differs."""
        return super().matches(scope) if scope["path"] == self.path else (Match.NONE, {})


def check_host(app: ASGIApp) -> ASGIApp:
    """Return an application that rejects requests whose header Host is not a name of this machine."""

    async def guard(scope: Scope, receive: Receive, send: Send) -> None:
        host = Headers(scope=scope).get("host", "")
        if OWN_HOST.fullmatch(host):
            await app(scope, receive, send)
            return
        fault = f"found host {quote(host)}, expected localhost, 127.0.0.1 or [::1]"
        await refuse(400, UsageError(fault))(scope, receive, send)

    return guard


def check_origin(request: Request) -> None:
    """Raise HTTPException for a request from a page of another site."""
    headers = request.headers
    own = {"sec-fetch-site": {"none", "same-origin"}, "origin": {f"http://{headers['host']}"}}
    for name, values in own.items():
        if name in headers and headers[name] not in values:
            found = f"{name}: {quote(headers[name])}"
            raise HTTPException(
                403, f"found a request from another site ({found}), expected a page of this server"
            )


def answer_at_once(
    book: Book, name: str, given: bytes, posted: bool, entries: int
) -> tuple[dict[str, Any], Answer | None]:
    """Return the parameters of a question, and the answer. If a search is needed, the answer is None.

    `given` is the body of a POST request or the query of a GET request. A malformed request raises UsageError.
    """
    found = from_body(given) if posted else from_query(given, book.game, name)
    asked = read(book.game, name, found)
    return asked, answer(book, name, asked) if check(book, name, asked, entries) else None


def from_query(query: bytes, game: Game, name: str) -> dict[str, Any]:
    """Return the parameters in the query of a URL. The query has entries of a history and named parameters.

    >>> from guessbook.book.games.codes import Mastermind
    >>> from_query(b"RYGB=1,1&RGOP=0%2C2&YYYY", Mastermind(4, 6), "rate")
    {'guess': 'YYYY', 'history': ['RYGB=1,1', 'RGOP=0,2']}
    >>> from_query(b"count=3&history=RYGB=1,1%20RGOP%200,2", Mastermind(4, 6), "candidates")
    {'count': 3, 'history': ['RYGB=1,1', 'RGOP 0,2']}
    """
    if b"+" in query and not has_plus(game):
        query = query.replace(
            b"+", b" "
        )  # HTML forms and many libraries encode a blank as a plus sign.
    try:
        parts = [unquote(part, errors="strict") for part in query.decode().split("&") if part]
    except UnicodeDecodeError:
        raise UsageError(f"found the query {quote(query)}, expected UTF-8 with %-escapes") from None
    known, asked, entries = parameters(name), dict[str, Any](), list[Any]()
    for part in parts:
        key, _, value = part.partition("=")
        if not is_typed(game, part) or is_entry(game, part):
            entries.append(part)
        elif key not in known:
            check_part(game, name, part)
            entries.append(part)
        elif key == "history":
            is_list = value.startswith("[")
            entries += json_from(value, "a JSON list") if is_list else entries_of(value)
        else:
            is_count = key == "count" and re.fullmatch("[0-9]{1,9}", value)
            asked[key] = int(value) if is_count else value
    # The last parts may be the guess and the secret without `guess=` and `secret=`.
    wanted, bare = [key for key in ("guess", "secret") if key in {*known} - {*asked}], list[str]()
    while len(bare) < len(wanted) and entries and not is_typed(game, entries[-1]):
        bare.insert(0, entries.pop())
    asked.update(zip(wanted, bare, strict=False))
    return {**asked, "history": entries} if entries or "history" in known else asked


def has_plus(game: Game) -> bool:
    """Return whether codes or feedbacks of a game contain a plus sign.

    >>> from guessbook.book.games.codes import Mastermind
    >>> from guessbook.book.games.tables import TableGame
    >>> has_plus(Mastermind(4, 6)), has_plus(TableGame(["pole?"], "ab", [["+", "-"]]))
    (False, True)
    """
    feedbacks = map(game.format_feedback, filter(game.is_possible, range(game.feedbacks)))
    texts = [*islice(game.guesses, LOOKED_AT), *islice(feedbacks, LOOKED_AT)]
    return any("+" in text for text in texts)


def check_part(game: Game, name: str, part: str) -> None:
    """Raise UsageError if a part `key=value` of a URL names a parameter that the request `name` does not have."""
    key, _, value = part.partition("=")
    if not is_entry(game, value):
        # If a part ends in a feedback, its guess is not checked here, because looking up a guess may take long.
        for _, tail in splits(part[:MAX_ENTRY]):
            with suppress(InvalidFeedbackError):
                game.parse_feedback(tail)
                return
    with suppress(InvalidCodeError):
        read_history(game, [part])
    check_fields(name, [key])


def is_entry(game: Game, text: str) -> bool:
    """Return whether a text is an entry of a history. `count=...` is an entry if `count` is a code of the game."""
    try:
        parse_entry(game, text)
    except UsageError:
        return False
    return True


def is_typed(game: Game, part: object) -> bool:
    """Return whether a part of a query looks like an entry or a named parameter: it has `=` and is not a code."""
    return not isinstance(part, str) or ("=" in part and part not in game.guesses)


async def body_of(request: Request, size: int) -> bytes:
    """Return the body of a request, of at most `size` bytes."""
    too_long = HTTPException(413, f"found a body of more than {size:,} bytes, expected fewer")
    declared = request.headers.get("content-length", "0")
    # Long numbers are not parsed, because Python raises ValueError for thousands of digits.
    if len(declared) > 20 or int(declared) > size:
        raise too_long
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > size:
                raise too_long
    except ClientDisconnect:
        raise HTTPException(
            400, f"found {len(body):,} bytes of a longer body; send the whole body"
        ) from None
    return body


def from_body(body: bytes) -> dict[str, Any]:
    """Return the parameters in a JSON body, such as `{"history": ["RYGB=1,1"], "guess": "YYYY"}`."""
    expected = 'a JSON object such as {"history": []}'
    try:
        found = json_from(body.decode("utf-8-sig"), expected)
    except UnicodeDecodeError:
        raise UsageError(f"found a body that is not UTF-8, expected {expected}") from None
    if not isinstance(found, dict):
        raise UsageError(f"found {as_json(found)}, expected {expected}")
    return found


def check(book: Book, name: str, asked: dict[str, Any], entries: int) -> bool:
    """Check a question. Return True if it asks for a score or an on-book hint, because these need no search."""
    history = asked.get("history", [])
    if (count := len(history)) > entries:
        raise UsageError(f"found a history of {count:,} entries, expected at most {entries:,}")
    try:
        pairs = parse_history(book.game, history)
        for key in asked.keys() & {"guess", "secret"}:
            book.game.parse_code(asked[key])
    except InvalidCodeError:
        if not book.game.has_open_lists:
            raise
        # A guess that is not in the list may be allowed. Checking it may take long, so only feedbacks are checked here.
        for entry in history:
            with suppress(InvalidCodeError):
                parse_history(book.game, [entry])
        return False
    return name == "score" or (name == "hint" and walk(book.tree, pairs) >= 0)


def reply(
    status: int, content: dict[str, Any], headers: Mapping[str, str] | None = None
) -> Response:
    """Return an HTTP response with the content as one line of JSON."""
    return Response(json.dumps(content) + "\n", status, headers, "application/json")


def refuse(status: int, error: GuessbookError) -> Response:
    """Return an HTTP response that reports an error as JSON."""
    return reply(status, error_as_json(error))


async def _client_error(request: Request, error: Exception) -> Response:
    """Return an HTTP response that reports a Starlette error as JSON, with the valid paths or methods."""
    assert isinstance(error, HTTPException)
    path, routes = request.scope["path"], request.app.routes
    text = error.detail
    if error.status_code == 404:
        text = f"found {quote(path)}, expected one of {', '.join([r.path for r in routes])}"
    if error.status_code == 405:
        methods = sorted(next(r.methods for r in routes if r.path == path))
        text = f"found {quote(request.method)} {path}, expected one of {', '.join(methods)}"
    return reply(error.status_code, error_as_json(UsageError(text)), error.headers)


async def _server_error(request: Request, error: Exception) -> Response:
    print(f"Error: {request.scope['path']!r}: {error!r}", file=sys.stderr)
    return refuse(500, GuessbookError("this should not happen; please report it"))


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

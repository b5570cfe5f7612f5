"""The HTTP server: starlette and uvicorn serve a book to this machine only."""

import errno
import json
import logging
import os
import re
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, partial
from itertools import islice
from typing import Any
from urllib.parse import unquote

from anyio import BrokenWorkerProcess, CapacityLimiter, fail_after, to_process
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from uvicorn import Config, Server

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
from guessbook.export.forms import export
from guessbook.front import Book
from guessbook.lookup.hint import walk
from guessbook.lookup.json_text import as_json, error_as_json, json_from
from guessbook.serve.questions import (
    QUESTIONS,
    Answer,
    answer,
    answer_in_worker,
    check_fields,
    parameters,
    read,
    refusal,
)

# The server has no accounts and no encryption, so only this machine may connect.
HOST = "127.0.0.1"
# By DNS rebinding, a foreign site can resolve its own host name to this machine. The browser sends
# this name in the header Host, so only the names of this machine are accepted.
OWN_NAMES = ["localhost", HOST]
# These headers keep other sites from embedding the page and reading answers.
HEADERS = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Content-Security-Policy", "frame-ancestors 'none'"),
    ("Cache-Control", "no-store"),
]
# The limit in bytes of a body, and of the request line with all headers.
MAX_BYTES = 16384
MAX_ENTRIES = 100
MAX_CONNECTIONS = 64
# The seconds after which a connection without a further request is closed.
KEEP_ALIVE = 30
# The seconds that a question to the worker process may take, including the wait for its turn.
TIME_LIMIT = 10.0


def serve(book: Book, port: int) -> None:
    """Serve a book on a port, until Ctrl-C raises KeyboardInterrupt."""
    # The worker must not import from the current folder, where a file could replace a module.
    os.environ["PYTHONSAFEPATH"] = "1"
    # Messages of asyncio are tracebacks about single connections.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    with open_listener(port) as listener:
        config = Config(
            application(book),
            loop="asyncio",
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            headers=HEADERS,
            limit_concurrency=MAX_CONNECTIONS,
            h11_max_incomplete_event_size=MAX_BYTES,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=1,
        )
        address = f"http://{HOST}:{listener.getsockname()[1]}/"
        print(f"{book.game.name} at {address} (Ctrl-C stops)", flush=True)
        Server(config).run([listener])


def open_listener(port: int) -> socket.socket:
    """Return a socket that listens on a port; 0 stands for any free port."""
    try:
        listener = socket.create_server((HOST, port))
        # By default, the second packet of an answer waits until the client acknowledges the first.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except OSError as error:
        reason = {errno.EADDRINUSE: "it is in use", errno.EACCES: "permission denied"}
        why = reason.get(error.errno or 0, error.strerror)
        advice = "choose another with --port, or any free one with --port 0"
        raise GuessbookError(f"cannot listen on port {port} ({why}); {advice}") from None


def application(book: Book) -> Starlette:
    """Return the web application for a book."""
    one_worker = CapacityLimiter(1)
    packed = cache(book.to_bytes)

    async def ask(name: str, request: Request) -> Response:
        body = await request.body() if request.method == "POST" else None
        query = request.scope["query_string"]
        try:
            # This runs in a thread, because the first question may have to index a million labels.
            asked, found = await run_in_threadpool(answer_at_once, book, name, query, body)
        except UsageError as error:
            return reply(400, error_as_json(error))
        if found is None:
            data = await run_in_threadpool(packed)
            found = await ask_worker(one_worker, data, name, asked)
        return reply(*found)

    try:
        page = Response(export(book, "html"), media_type="text/html")
    except UsageError as error:  # Some kinds of games cannot be exported as a page.
        page = reply(404, error_as_json(UsageError(f"this book has no page: {error}")))
    app = Starlette(
        routes=[
            Route("/", page, methods=["GET"]),
            *[Route(f"/{name}", partial(ask, name), methods=["GET", "POST"]) for name in QUESTIONS],
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=OWN_NAMES)],
        exception_handlers={
            HTTPException: client_error,
            ClientDisconnect: client_error,
            Exception: server_error,
        },
        max_body_size=MAX_BYTES,
    )
    app.router.redirect_slashes = False
    return app


async def start_worker() -> None:
    """Start the worker process if there is none.

    The time limit of a question does not cancel the start, because that would leave a process that
    nobody ends. The start has a limit of its own.
    """
    with fail_after(TIME_LIMIT, shield=True):
        await to_process.run_sync(os.getpid, cancellable=True)


async def ask_worker(
    limiter: CapacityLimiter, data: bytes, name: str, asked: dict[str, Any]
) -> Answer:
    """Let the worker process answer a slow question, so that hints from the book do not wait.

    If this takes too long, the process is killed, the answer reports an error, and the next
    question starts a new process.
    """
    question = (data, TIME_LIMIT, name, asked)
    try:
        with fail_after(TIME_LIMIT):
            async with limiter:
                for _ in range(2):  # Something else may have killed the process.
                    with suppress(BrokenWorkerProcess):
                        await start_worker()
                        return await to_process.run_sync(
                            answer_in_worker, *question, cancellable=True
                        )
    except TimeoutError:
        late = f"no answer within {TIME_LIMIT:g} seconds"
        advice = "follow the book's guesses, extend the history, or try again"
        return refusal(GuessbookError(f"{late}; {advice}"))
    # Any other OSError, such as too many open files, means that no process can be started.
    except OSError as error:
        reason = f"cannot start the process that computes answers ({error.strerror or error})"
        return refusal(GuessbookError(f"{reason}; try again, or allow the server more open files"))
    return refusal(GuessbookError("the process that computes answers failed twice; try again"))


def answer_at_once(
    book: Book, name: str, query: bytes, body: bytes | None
) -> tuple[dict[str, Any], Answer | None]:
    """Return the parameters of a question, and its answer; None if the answer needs a search.

    The parameters are in the body of a POST request, or else in the query. Raise UsageError if
    they are malformed.
    """
    game = book.game
    asked = read(game, name, from_query(query, game, name) if body is None else from_body(body))
    entries = asked.get("history", [])
    if len(entries) > MAX_ENTRIES:
        raise UsageError(f"history too long: {len(entries):,} entries, limit {MAX_ENTRIES}")
    try:
        history = parse_history(game, entries)
        # In a table of tests, the secret is a thing, which `parse_code` would reject. The question
        # itself parses it.
        codes = {"guess", "secret"} if game.identification is None else {"guess"}
        for key in asked.keys() & codes:
            game.parse_code(asked[key])
    except InvalidCodeError:
        # A guess that is not in the list may be allowed. Checking this may take a long time.
        if game.has_open_lists:
            return asked, None
        raise
    in_book = name == "hint" and not asked.get("refused") and walk(book.tree, history) >= 0
    is_quick = name in {"score", "info"} or in_book
    return asked, answer(book, name, asked) if is_quick else None


def from_query(query: bytes, game: Game, name: str) -> dict[str, Any]:
    """Return the parameters in the query of a URL: entries of a history and named parameters.

    >>> from guessbook.book.games.codes import Mastermind
    >>> from_query(b"RYGB=1,1&RGOP=0%2C2&YYYY", Mastermind(4, 6), "rate")
    {'guess': 'YYYY', 'history': ['RYGB=1,1', 'RGOP=0,2']}
    >>> from_query(b"count=3&history=RYGB=1,1%20RGOP%200,2", Mastermind(4, 6), "candidates")
    {'count': 3, 'history': ['RYGB=1,1', 'RGOP 0,2']}
    """
    # HTML forms and many libraries encode a blank as a plus sign.
    if b"+" in query and not has_plus(game):
        query = query.replace(b"+", b" ")
    try:
        parts = [unquote(part, errors="strict") for part in query.decode().split("&") if part]
    except UnicodeDecodeError:
        raise UsageError(f"query {quote(query)} is not UTF-8 with %-escapes") from None
    known, named, entries = parameters(name), dict[str, Any](), list[Any]()
    for part in parts:
        key, _, value = part.partition("=")
        if is_code(game, part) or is_entry(game, part):
            entries.append(part)
        elif key not in known:
            check_part(game, name, part)
            entries.append(part)
        elif key == "history":
            is_list = value.startswith("[")
            entries += json_from(value, "a JSON list") if is_list else entries_of(value)
        elif key == "refused":
            named["refused"] = [*named.get("refused", []), value]
        elif key == "count" and re.fullmatch("[0-9]{1,9}", value):
            named[key] = int(value)
        else:
            named[key] = value
    # The last parts may be the guess and the secret without `guess=` and `secret=`.
    missing = [key for key in ("guess", "secret") if key in known and key not in named]
    codes: list[Any] = []
    while len(codes) < len(missing) and entries and is_code(game, entries[-1]):
        codes.insert(0, entries.pop())
    named |= zip(missing, codes, strict=False)
    if "history" in known:
        return {**named, "history": entries}
    if entries:
        takes = " and ".join(known) or "no fields"
        raise UsageError(f"{name} takes {takes}, but the query has other parts; remove them")
    return named


def has_plus(game: Game) -> bool:
    """Return whether one of the first codes or feedbacks of a game contains a plus sign.

    >>> from guessbook.book.games.codes import Mastermind
    >>> from guessbook.book.games.tables import TableGame
    >>> has_plus(Mastermind(4, 6)), has_plus(TableGame(["pole?"], "ab", [["+", "-"]]))
    (False, True)
    """
    feedbacks = map(game.format_feedback, filter(game.is_possible, range(game.feedbacks)))
    texts = [*islice(game.guesses, LOOKED_AT), *islice(feedbacks, LOOKED_AT)]
    return any("+" in text for text in texts)


def check_part(game: Game, name: str, part: str) -> None:
    """Raise UsageError for a part of a query that is neither an entry nor a known parameter.

    A part that ends in a feedback is accepted, because its guess may be an unlisted word; but not
    if the text after its first `=` is an entry, as in `hist=RYGB=1,1`.
    """
    key, _, value = part.partition("=")
    if not is_entry(game, value):
        # If a part ends in a feedback, its guess is not checked here: looking it up may take a long
        # time.
        for _, tail in splits(part[:MAX_ENTRY]):
            with suppress(InvalidFeedbackError):
                game.parse_feedback(tail)
                return
    with suppress(InvalidCodeError):
        read_history(game, [part])
    check_fields(name, [key])


def is_entry(game: Game, text: str) -> bool:
    """Return whether a string is an entry of a history, such as `RYGB=1,1`."""
    try:
        parse_entry(game, text)
    except UsageError:
        return False
    return True


def is_code(game: Game, part: object) -> bool:
    """Return whether a part of a query may be a code, and is not `key=value`.

    A part without `=` may be a code; a part with `=` must be a listed guess or secret.
    """
    codes = game.guesses, game.secrets
    return isinstance(part, str) and ("=" not in part or any(part in known for known in codes))


def from_body(body: bytes) -> dict[str, Any]:
    """Return the parameters in a JSON body, such as `{"history": ["RYGB=1,1"]}`."""
    expected = 'a JSON object such as {"history": []}'
    try:
        found = json_from(body.decode("utf-8-sig"), expected)
    except UnicodeDecodeError:
        raise UsageError(f"the body is not UTF-8; send {expected}") from None
    if not isinstance(found, dict):
        raise UsageError(f"the body is {as_json(found)}; send {expected}")
    return found


def reply(
    status: int, content: dict[str, Any], headers: Mapping[str, str] | None = None
) -> Response:
    """Return an HTTP response with the content as one line of JSON."""
    return Response(json.dumps(content) + "\n", status, headers, "application/json")


async def client_error(request: Request, error: Exception) -> Response:
    """Report an error of starlette as JSON, with the valid paths or methods."""
    if not isinstance(error, HTTPException):
        error = HTTPException(400, "the body ended early; send the whole body")
    path, text = request.scope["path"], error.detail
    if error.status_code == 404:
        known = ", ".join([route.path for route in request.app.routes])
        text = f"unknown path {quote(path)}; known paths: {known}"
    if error.status_code == 405:
        allowed = (error.headers or {})["Allow"]
        text = f"{quote(request.method)} does not work for {path}; use {allowed}"
    return reply(error.status_code, error_as_json(UsageError(text)), error.headers)


async def server_error(request: Request, error: Exception) -> Response:
    """Report an unexpected error as JSON and on stderr."""
    print(f"Error: {request.scope['path']!r}: {error!r}", file=sys.stderr)
    fault = GuessbookError("internal error; please report it")
    return reply(500, error_as_json(fault))

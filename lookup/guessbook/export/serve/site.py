"""The site: what there is at each path, and who may ask for it."""

from __future__ import annotations

import json
import re
import sys
from asyncio import get_running_loop
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import unquote

from anyio import fail_after
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from guessbook.book.errors import (
    GuessbookError,
    InvalidCodeError,
    InvalidFeedbackError,
    UsageError,
    shown,
)
from guessbook.book.facts import facts
from guessbook.book.games.beyond import read_entries
from guessbook.book.games.game import (
    LOOKED_AT,
    MAX_ENTRY,
    Game,
    entries_of,
    parse_entry,
    parse_history,
    splits,
)
from guessbook.export import export
from guessbook.export.serve.connection import Limits
from guessbook.export.serve.question import (
    QUESTIONS,
    Answer,
    answer,
    check_fields,
    parameters,
    read,
)
from guessbook.export.serve.worker import Worker
from guessbook.lookup import Book
from guessbook.lookup.complaint import complaint
from guessbook.lookup.received import as_json, json_from
from guessbook.lookup.walk import walk

# A page elsewhere can let its own name lead to this machine and then ask (DNS rebinding). It cannot
# choose the header in which the browser repeats that name.
OWN_HOST = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?", re.ASCII | re.IGNORECASE)


def site(book: Book, size: int, limits: Limits) -> Starlette:
    """All that the server knows; no request makes it open a file.

    Args:
        book: the book.
        size: the size of its file in bytes.
        limits: what one client may take.
    """
    worker = Worker(book, limits.live_seconds)
    # To read may take long, such as the first label in another case in a table of a million
    # guesses. One thread: requests are read first come, first served.
    reader = ThreadPoolExecutor(1)

    async def ask(request: Request) -> Response:
        check_origin(request)
        name, posted = request.scope["path"][1:], request.method == "POST"
        given = await body_of(request, limits.size) if posted else request.scope["query_string"]
        work = partial(at_once, book, name, given, posted, limits.entries)
        try:
            with fail_after(limits.live_seconds):
                asked, found = await get_running_loop().run_in_executor(reader, work)
        except UsageError as error:
            return reply(400, complaint(error))
        except TimeoutError:
            within = f"within {limits.live_seconds:g} seconds; try again"
            return reply(503, complaint(GuessbookError(f"could not read this request {within}")))
        return reply(*(found or await worker.ask(name, asked)))

    try:
        page = Response(export(book, "html"), media_type="text/html")
    except UsageError as error:  # a game that no page can hold
        page = reply(404, complaint(UsageError(f"there is no page for this book: {error}")))
    # Without the path: where things lie on this machine is nobody's business.
    known = reply(200, {**facts(book), "bytes": size})
    fixed = {"/": page, "/info": known}
    app = Starlette(
        routes=[
            *[Exactly(path, found, methods=["GET"]) for path, found in fixed.items()],
            *[Exactly(f"/{name}", ask, methods=["GET", "POST"]) for name in QUESTIONS],
        ],
        middleware=[Middleware(guarded)],
        exception_handlers={HTTPException: _refused, Exception: _failed},
    )
    app.router.redirect_slashes = False
    return app


class Exactly(Route):
    """A path that is compared as it is: the pattern of Starlette allows a newline at its end."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether a request is for this path, as Starlette asks it."""
        return super().matches(scope) if scope["path"] == self.path else (Match.NONE, {})


def guarded(app: ASGIApp) -> ASGIApp:
    """Refuse requests that call this machine by a name that is not its own."""

    async def guard(scope: Scope, receive: Receive, send: Send) -> None:
        host = Headers(scope=scope).get("host", "")
        if OWN_HOST.fullmatch(host):
            await app(scope, receive, send)
            return
        fault = f"found host {shown(host)}, expected localhost, 127.0.0.1 or [::1]"
        await reply(400, complaint(UsageError(fault)))(scope, receive, send)

    return guard


def check_origin(request: Request) -> None:
    """A page from elsewhere may not read an answer; it need not make this machine compute one.

    Raises:
        HTTPException: it is such a page that asks.
    """
    headers = request.headers
    own = {"sec-fetch-site": {"none", "same-origin"}, "origin": {f"http://{headers['host']}"}}
    for name, values in own.items():
        if name in headers and headers[name] not in values:
            raise HTTPException(403, f"found {name} of another page, expected this one's own")


def at_once(
    book: Book, name: str, given: bytes, posted: bool, entries: int
) -> tuple[dict[str, Any], Answer | None]:
    """Read a request, and answer it if the book itself has the answer.

    Args:
        book: the book.
        name: the name of the question.
        given: the body if it is posted, else the query.
        posted: whether it is a body.
        entries: how many entries a history may have.

    Raises:
        UsageError: it makes no sense.
    """
    found = from_body(given) if posted else from_query(given, book.game, name)
    asked = read(book.game, name, found)
    return asked, answer(book, name, asked) if check(book, name, asked, entries) else None


def from_query(query: bytes, game: Game, name: str) -> dict[str, Any]:
    """What a query asks: its parts are entries, and parameters by their names.

    A last part that is no entry is the guess, or the secret with the guess before it. A history may
    also be a list of JSON.

    >>> from guessbook.book import Mastermind
    >>> from_query(b"RYGB=1,1&RGOP=0%2C2&YYYY", Mastermind(4, 6), "rate")
    {'guess': 'YYYY', 'history': ['RYGB=1,1', 'RGOP=0,2']}
    >>> from_query(b"count=3&history=RYGB=1,1%20RGOP%200,2", Mastermind(4, 6), "candidates")
    {'count': 3, 'history': ['RYGB=1,1', 'RGOP 0,2']}

    Raises:
        UsageError: it is no text in UTF-8, or holds a history that is no JSON, or an unknown field.
    """
    if b"+" in query and not has_plus(game):
        query = query.replace(b"+", b" ")  # as forms and many libraries write a blank
    try:
        parts = [unquote(part, errors="strict") for part in query.decode().split("&") if part]
    except UnicodeDecodeError:
        raise UsageError("found a query that is not UTF-8, expected %-escapes") from None
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
    wanted, bare = [key for key in ("guess", "secret") if key in {*known} - {*asked}], list[str]()
    while len(bare) < len(wanted) and entries and not is_typed(game, entries[-1]):
        bare.insert(0, entries.pop())
    asked.update(zip(wanted, bare, strict=False))
    return {**asked, "history": entries} if entries or "history" in known else asked


def has_plus(game: Game) -> bool:
    """Whether codes or feedbacks of a game have a plus.

    >>> from guessbook.book import Mastermind, TableGame
    >>> has_plus(Mastermind(4, 6)), has_plus(TableGame(["pole?"], "ab", [["+", "-"]]))
    (False, True)
    """
    feedbacks = map(game.format_feedback, filter(game.gives, range(game.feedbacks)))
    return any(
        "+" in text for texts in (game.guesses, feedbacks) for text in islice(texts, LOOKED_AT)
    )


def check_part(game: Game, name: str, part: str) -> None:
    """Raise UsageError if a part of a query is a field that the question does not have.

    A part with an answer is an entry, whose guess the list may lack: to look for that takes long.
    """
    key, _, value = part.partition("=")
    if not is_entry(game, value):
        for _, tail in splits(part[:MAX_ENTRY]):
            with suppress(InvalidFeedbackError):
                game.parse_feedback(tail)
                return
    with suppress(InvalidCodeError):
        read_entries(game, [part])
    check_fields(name, [key])


def is_entry(game: Game, text: str) -> bool:
    """Whether a text is an entry: `guess` and `count` are also words that may be guessed."""
    try:
        parse_entry(game, text)
    except UsageError:
        return False
    return True


def is_typed(game: Game, part: object) -> bool:
    """Whether a part of a query looks like an entry, which has `=`; but an equation is a guess."""
    return not isinstance(part, str) or ("=" in part and part not in game.guesses)


async def body_of(request: Request, size: int) -> bytes:
    """Return the body of a request, of at most `size` bytes.

    Raises:
        HTTPException: it is longer, or says so, or never comes.
    """
    too_long = HTTPException(413, f"found a body of more than {size:,} bytes, expected fewer")
    declared = request.headers.get("content-length", "0")
    # Python refuses to read a number of thousands of digits.
    if len(declared) > 20 or int(declared) > size:
        raise too_long
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > size:
                raise too_long
    except ClientDisconnect:
        raise HTTPException(400, "found no end of the body") from None
    return body


def from_body(body: bytes) -> dict[str, Any]:
    """What a body asks, such as `{"history": ["RYGB=1,1", ["RGOP", "0,2"]], "guess": "YYYY"}`.

    Raises:
        UsageError: it is no object of JSON in UTF-8.
    """
    expected = 'a JSON object such as {"history": []}'
    try:
        found = json_from(body.decode("utf-8-sig"), expected)
    except UnicodeDecodeError:
        raise UsageError(f"found a body that is not UTF-8, expected {expected}") from None
    if not isinstance(found, dict):
        raise UsageError(f"found {as_json(found)}, expected {expected}")
    return found


def check(book: Book, name: str, asked: dict[str, Any], entries: int) -> bool:
    """Whether a question is answered at once: a score, or a hint that the book itself has.

    Raises:
        UsageError: it is none about this game, or its history is too long.
    """
    history = asked.get("history", [])
    if len(history) > entries:
        raise UsageError(
            f"found a history of {len(history):,} entries, expected at most {entries:,}"
        )
    try:
        pairs = parse_history(book.game, history)
        for key in asked.keys() & {"guess", "secret"}:
            book.game.parse_code(asked[key])
    except InvalidCodeError:
        if not hasattr(book.game, "knowing"):
            raise
        # Perhaps a guess that the list lacks. To find out takes long in a list of a million words,
        # so the worker does it; only what else is wrong is said at once.
        for entry in history:
            with suppress(InvalidCodeError):
                parse_history(book.game, [entry])
        return False
    return name == "score" or (name == "hint" and walk(book.tree, pairs) >= 0)


def reply(
    status: int, content: dict[str, Any], headers: Mapping[str, str] | None = None
) -> Response:
    """An answer as one line of JSON, as the commands print it."""
    return Response(json.dumps(content) + "\n", status, headers, "application/json")


async def _refused(request: Request, error: Exception) -> Response:
    """Return an error of HTTP as JSON; for 404 and 405 it lists the paths or methods there are."""
    assert isinstance(error, HTTPException)
    path, routes = request.scope["path"], request.app.routes
    text = error.detail
    if error.status_code == 404:
        text = f"found {shown(path)}, expected one of {', '.join([r.path for r in routes])}"
    if error.status_code == 405:
        methods = sorted(next(r.methods for r in routes if r.path == path))
        text = f"found {shown(request.method)} {path}, expected one of {', '.join(methods)}"
    return reply(error.status_code, complaint(UsageError(text)), error.headers)


async def _failed(request: Request, error: Exception) -> Response:
    print(f"Error: {request.scope['path']!r}: {error!r}", file=sys.stderr)
    return reply(500, complaint(GuessbookError("this should not happen; please report it")))

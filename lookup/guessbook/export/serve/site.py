"""The site: what there is at each path, and who may ask for it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from guessbook.book.errors import GuessbookError, UsageError, complaint, shown
from guessbook.book.facts import facts
from guessbook.book.games.beyond import read_history
from guessbook.book.games.game import Game
from guessbook.export import export
from guessbook.export.serve.connection import Limits
from guessbook.export.serve.description import description
from guessbook.export.serve.question import QUESTIONS, answer, parameters
from guessbook.export.serve.worker import Worker
from guessbook.lookup import Book
from guessbook.lookup.walk import walk

# A page elsewhere can let its own name lead to this machine and then ask (DNS rebinding). It cannot
# choose the header in which the browser repeats that name.
HOSTS = ("localhost", "127.0.0.1", "[::1]")


def site(book: Book, size: int, limits: Limits) -> Starlette:
    """All that the server knows; no request makes it open a file.

    Args:
        book: the book.
        size: the size of its file in bytes.
        limits: what one client may take.
    """
    worker = Worker(book, limits.live_seconds)

    async def ask(request: Request) -> Response:
        check_origin(request)
        name = request.scope["path"][1:]
        if request.method == "POST":
            asked = await from_body(request)
        else:
            asked = from_query(request.scope["query_string"], book.game, name)
        try:
            on_book = check(book, name, asked, limits.entries)
        except UsageError as error:
            raise HTTPException(400, str(error)) from None
        return reply(*answer(book, name, asked) if on_book else await worker.ask(name, asked))

    # Without the path: where things lie on this machine is nobody's business.
    known = {**facts(book), "bytes": size}
    fixed = {"/info": reply(200, known), "/openapi.json": reply(200, description(book))}
    try:
        fixed["/"] = Response(export(book, "html"), media_type="text/html")
    except UsageError as error:  # a game that no page can hold
        fixed["/"] = reply(404, complaint(UsageError(f"there is no page for this book: {error}")))
    return Starlette(
        routes=[
            *[Route(path, found, methods=["GET"]) for path, found in fixed.items()],
            *[Route(f"/{name}", ask, methods=["GET", "POST"]) for name in QUESTIONS],
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)],
        exception_handlers={HTTPException: _refused, Exception: _failed},
        max_body_size=limits.size,
    )


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


def from_query(query: bytes, game: Game, name: str) -> dict[str, Any]:
    """What a query asks: its parts are entries, and a last one that is none is the guess.

    >>> from guessbook.book import Mastermind
    >>> from_query(b"RYGB=1,1&RGOP=0%2C2&YYYY", Mastermind(4, 6), "rate")
    {'history': ['RYGB=1,1', 'RGOP=0,2'], 'guess': 'YYYY'}

    Raises:
        HTTPException: it is no text in UTF-8.
    """
    try:
        parts = [unquote(part, errors="strict") for part in query.decode().split("&") if part]
    except UnicodeDecodeError:
        raise HTTPException(400, "found a query that is not UTF-8, expected %-escapes") from None
    last = parts[-1] if parts and "guess" in parameters(name) else "="
    if "=" not in last or last in game.guesses:  # a guess may be an equation
        return {"history": parts[:-1], "guess": parts[-1]}
    return {"history": parts}


async def from_body(request: Request) -> dict[str, Any]:
    """What a body asks, such as `{"history": ["RYGB=1,1", ["RGOP", "0,2"]], "guess": "YYYY"}`.

    Raises:
        HTTPException: it is no object of JSON, or never comes.
    """
    try:
        return dict(json.loads(await request.body()).items())
    except (ValueError, RecursionError, AttributeError, ClientDisconnect):
        raise HTTPException(400, "found a body that is no object of JSON") from None


def check(book: Book, name: str, asked: dict[str, Any], entries: int) -> bool:
    """Whether the book itself has the answer to a question, which is a hint then.

    Raises:
        UsageError: it is no question, or none about this game.
    """
    known = parameters(name)
    if not {key for key in known if known[key]} <= asked.keys() <= known.keys():
        raise UsageError(f"found {shown([*asked])}, expected {[*known]}")
    history = asked["history"]
    if not isinstance(history, list) or len(history) > entries:
        raise UsageError(f"found {shown(history)}, expected a list of at most {entries} entries")
    _, pairs = read_history(book.game, history)
    if "guess" in asked:
        book.game.parse_code(asked["guess"])
    return name == "hint" and walk(book.tree, pairs) >= 0


def reply(
    status: int, content: dict[str, Any], headers: Mapping[str, str] | None = None
) -> Response:
    """An answer as one line of JSON, as the commands print it."""
    return Response(json.dumps(content) + "\n", status, headers, "application/json")


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return reply(error.status_code, complaint(UsageError(error.detail)), error.headers)


async def _failed(request: Request, error: Exception) -> Response:
    print(f"Error: {request.scope['path']!r}: {error!r}", file=sys.stderr)
    return reply(500, complaint(GuessbookError("this should not happen; please report it")))

"""The site: what the server answers to each path, the page, the hints and the facts of a book."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from guessbook.book.errors import UsageError
from guessbook.book.facts import facts
from guessbook.book.games.game import parse_history
from guessbook.export import export
from guessbook.export.serve.request import RefusedError
from guessbook.export.serve.worker import Answer, Worker, answer_to
from guessbook.lookup.walk import walk

if TYPE_CHECKING:
    from guessbook.export.serve.request import Limits, Request
    from guessbook.lookup import Book

METHODS = {"/": ("GET", "HEAD"), "/info": ("GET", "HEAD"), "/hint": ("GET", "HEAD", "POST")}


class Reply(NamedTuple):
    """An answer of HTTP: its status, type and body, and further headers."""

    status: int
    kind: str
    body: bytes
    headers: dict[str, str]


class Site:
    """All that the server knows; it never opens a file.

    Args:
        book: the book.
        size: the size of its file in bytes.
        limits: what one request may take.
    """

    def __init__(self, book: Book, size: int, limits: Limits) -> None:
        self.book = book
        self.worker = Worker(book, limits.live_seconds)
        self._entries = limits.entries
        self._facts = facts(book, "", size)
        del self._facts["path"]  # where things lie on this machine is nobody's business
        try:
            self._page = export(book, "html").encode()
        except UsageError as error:  # a game that no page can hold
            self._page = b""
            self._no_page = str(error)

    async def reply(self, request: Request) -> Reply:
        """The answer to a request.

        Raises:
            RefusedError: it asks for what there is not, or in a way that cannot be understood.
        """
        allowed = METHODS.get(request.path)
        if not allowed:
            raise RefusedError(404, f"found no such path, expected one of {', '.join(METHODS)}")
        if request.method not in allowed:
            message = f"found another method, expected {' or '.join(allowed)}"
            raise RefusedError(405, message, {"Allow": ", ".join(allowed)})
        if request.path == "/":
            return self._home()
        # A page from elsewhere may not read an answer; it need not make this machine compute one.
        if request.headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}:
            raise RefusedError(403, "found a request by another page, expected one by this page")
        if request.path == "/info":
            return json_reply(Answer(200, self._facts))
        return json_reply(await self._hint(request))

    def _home(self) -> Reply:
        if not self._page:
            raise RefusedError(404, f"there is no page for this book: {self._no_page}")
        # What the page may load, it says itself.
        headers = {"Content-Security-Policy": "frame-ancestors 'none'"}
        return Reply(200, "text/html; charset=utf-8", self._page, headers)

    async def _hint(self, request: Request) -> Answer:
        history = posted(request.body) if request.method == "POST" else queried(request.query)
        if len(history) > self._entries:
            message = f"found {len(history):,} entries, expected at most {self._entries:,}"
            raise RefusedError(400, message)
        try:
            pairs = parse_history(self.book.game, history)
        except UsageError as error:
            raise RefusedError(400, str(error)) from None
        if walk(self.book.tree, pairs) >= 0:
            return answer_to(self.book, history)
        return await self.worker.ask(history)


def json_reply(answer: Answer, headers: dict[str, str] | None = None) -> Reply:
    """An answer as one line of JSON."""
    policy = {"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'"}
    body = json.dumps(answer.content).encode() + b"\n"
    return Reply(answer.status, "application/json", body, {**policy, **(headers or {})})


def queried(query: str) -> list[Any]:
    """The history in a query, whose parts are its entries.

    >>> queried("RYGB=1,1&RGOP=0%2C2")
    ['RYGB=1,1', 'RGOP=0,2']

    Raises:
        RefusedError: it is no text in UTF-8.
    """
    try:
        return [unquote(part, errors="strict") for part in query.split("&") if part]
    except UnicodeDecodeError:
        raise RefusedError(
            400, "found a query that is not UTF-8, expected %-escapes of it"
        ) from None


def posted(body: bytes) -> list[Any]:
    """The history in a body of JSON.

    >>> posted(b'{"history": ["RYGB=1,1", ["RGOP", "0,2"]]}')
    ['RYGB=1,1', ['RGOP', '0,2']]

    Raises:
        RefusedError: it is something else.
    """
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise RefusedError(400, "found a body that is not JSON") from None
    history = found.get("history") if isinstance(found, dict) and len(found) == 1 else None
    if not isinstance(history, list) or not all(map(is_entry, history)):
        raise RefusedError(
            400,
            'found other JSON, expected {"history": [...]} with entries "GUESS=FEEDBACK" or '
            '["GUESS", "FEEDBACK"]',
        )
    return history


def is_entry(entry: object) -> bool:
    """Whether a value of JSON has the shape of an entry of a history.

    >>> is_entry("RYGB=1,1"), is_entry([["R", "Y", "G", "B"], [1, 1]]), is_entry([["R"], {}])
    (True, True, False)
    """
    if isinstance(entry, str):
        return True
    if not isinstance(entry, list) or len(entry) != 2:
        return False
    guess, feedback = entry
    return (isinstance(guess, str) or is_list(guess, str)) and (
        isinstance(feedback, str)
        or (is_list(feedback, int) and max(map(abs, feedback), default=0) < 100)
    )


def is_list(value: object, kind: type) -> bool:
    """Whether a value is a list of values of one type."""
    return isinstance(value, list) and all(type(item) is kind for item in value)

"""The commands that show a book in a browser: report and serve."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from guessbook.command.arguments import (
    AsJson,
    BookName,
    Force,
    check_game,
    option,
    output_option,
    source,
)
from guessbook.command.output import check_target, deliver
from guessbook.export.report_page import report_page
from guessbook.lookup.patience import patiently


def report(
    book: BookName = None,
    output: Annotated[
        str | None,
        output_option("The file to write; by default GAME-POLICY-report.html."),
    ] = None,
    compare: Annotated[
        list[str] | None,
        option("BOOK", "Draw it beside this book of the same game too; may be repeated."),
    ] = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Write a page about a book.

    Its statistics, how many guesses its secrets take, pictures of its strategy tree, published
    results for the same game, and how to use it: one file that needs nothing else.

    Example: guessbook report mastermind-4x6-optimal --compare mastermind-4x6
    """
    opened, path, size = source(book)
    game = opened.game.name
    others = [source(name).book for name in compare or ()]
    for other, name in zip(others, compare or (), strict=True):
        check_game(other.game, opened.game, name)
    output = output or default_name(game, opened.stats.policy)
    check_target(Path(output), force, json=json)
    page = patiently("Drawing the book", lambda: report_page(opened, book or path, size, others))
    deliver(page, output, {"game": game}, force, json)


def serve(
    book: BookName = None,
    port: Annotated[
        int, option("N", "Where to listen; 0 takes a free port.", min=0, max=65535)
    ] = 8000,
) -> None:
    """Serve a page and hints as JSON to this machine, until Ctrl-C.

    The page is at /, a hint at /hint?RYGB=1,1&RGOP=0,2 (or POST {"history": ["RYGB=1,1"]}), and
    likewise /candidates, /explain and /rate; what the book is at /info. Other machines are not
    answered.

    Example: guessbook serve mastermind-4x6 --port 8000
    """
    # Late, as it needs an extra.
    from guessbook.export.serve import server

    opened, _, size = source(book)

    def ready(address: str) -> None:
        print(f"{opened.game.name} at {address} (Ctrl-C stops)", flush=True)

    server.serve(opened, size, port, ready)


def default_name(game: str, policy: str) -> str:
    """The name of the report where none is given, in the current folder.

    A policy may be called anything; a part of a path it must not be.

    >>> default_name("mastermind-4x6", "entropy"), default_name("words-5x9", "/../a")
    ('mastermind-4x6-entropy-report.html', 'words-5x9-----a-report.html')
    """
    plain = "".join([c if c.isascii() and c.isalnum() else "-" for c in policy[:40]])
    return f"{game}-{plain}-report.html"

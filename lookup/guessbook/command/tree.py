"""The commands that show a whole book: tree and report."""

from __future__ import annotations

from typing import Annotated

import typer

from guessbook.book.book import DEFAULT_BOOK, book_path
from guessbook.command.arguments import AsJson, BookName, Force
from guessbook.command.look import show
from guessbook.lookup import open_book

__all__ = ["report", "tree"]

READABLE = 40
DEEPEST = 100


def tree(
    book: BookName = DEFAULT_BOOK,
    depth: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=DEEPEST,
            metavar="D",
            help=f"How many guesses deep.  [default: 2 or more, while that is {READABLE} lines]",
        ),
    ] = None,
    start: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            metavar="GUESS=FEEDBACK",
            help="Begin after this; may be given once for each guess, or with several in quotes.",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Show the strategy tree of a book.

    A line for each node: the feedback that leads to it, the guess, how many candidates there are
    before it, the bits that its feedback is expected to give, and, where the outline ends, how many
    nodes are below.

    Example: guessbook tree mastermind-4x6 --from RYGB=1,1
    """
    from guessbook.book.levels import shown_levels, subtree_sizes
    from guessbook.play.terminal.drawing import Screen
    from guessbook.play.terminal.outline import draw_outline, nested

    opened = open_book(book)
    node = opened.find(" ".join(start or []))
    levels = shown_levels(opened.tree, depth, READABLE, node.index)
    known = opened.metadata
    if json:
        head = {"game": opened.game.name, "policy": known.policy, "depth": len(levels)}
        show({**head, "tree": nested(opened, levels)})
        return
    screen = Screen()
    screen.say(f"{opened.game.name}, {known.policy}: {known.secrets:,} secrets")
    draw_outline(screen, opened, levels)
    shown, nodes = sum(map(len, levels)), subtree_sizes(opened.tree)[node.index]
    if shown < nodes:
        screen.say(f"{shown:,} of {nodes:,} nodes; --depth {len(levels) + 1} shows more")
    else:
        screen.say(f"all {nodes:,} nodes" if nodes > 1 else "1 node")


def report(
    book: BookName = DEFAULT_BOOK,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="The file to write; `-` prints it. By default GAME-POLICY-report.html.",
        ),
    ] = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Write a page about a book.

    Its statistics, how many guesses its secrets take, pictures of its strategy tree, published
    results for the same game, and how to use it: one file that needs nothing else.

    Example: guessbook report mastermind-4x6 -o report.html
    """
    import os

    from guessbook.command.export import check_output, deliver
    from guessbook.export.report_page import report_page

    opened = open_book(book)
    game = opened.game.name
    output = output or default_name(game, opened.metadata.policy)
    check_output(output, force, json)
    size = os.path.getsize(book_path(book))  # noqa: PTH202
    deliver(report_page(opened, book, size), output, {"game": game}, json)


def default_name(game: str, policy: str) -> str:
    """The name of the report where none is given, in the current folder.

    A policy may be called anything; a part of a path it must not be.

    >>> default_name("mastermind-4x6", "entropy"), default_name("words-5x9", "/../a")
    ('mastermind-4x6-entropy-report.html', 'words-5x9-----a-report.html')
    """
    plain = "".join([c if c.isascii() and c.isalnum() else "-" for c in policy[:40]])
    return f"{game}-{plain}-report.html"

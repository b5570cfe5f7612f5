"""The commands for browsers and programs: export, report, serve and bot."""

import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from guessbook.book.errors import GuessbookError, UsageError, did_you_mean, listing, quote
from guessbook.book.strategy import check_game
from guessbook.command.books import source
from guessbook.command.options import BOOK, FORCE, JSON, TITLE, flag, option, output_option
from guessbook.command.output import check_target, deliver, print_json
from guessbook.export.forms import BUILT_IN, FORMS
from guessbook.export.report import report_page
from guessbook.front import Book
from guessbook.lookup.json_text import as_json, error_as_json, json_from
from guessbook.play.terminal.interruptible import run_interruptibly
from guessbook.serve.questions import QUESTIONS, answer, read

# The help lists only built-in forms, because it must not load other packages. Errors list all.
KNOWN = "; ".join(f"{name}: {form.summary}" for name, form in BUILT_IN.items())
# The maximum number of characters in an input line of `bot`.
MAX_LINE = 1 << 16


def export(
    book: str | None = BOOK,
    to: str | None = option(
        "FORM",
        f"{KNOWN}; or a form from another package.  [default: by the ending of FILE]",
        "--to",
    ),
    output: Path | None = output_option(
        "The file to write.  [default: GAME with the ending of the form]"
    ),
    force: bool = FORCE,
    depth: int | None = option(
        "D", "For pictures, charts and JSON: the number of levels of the tree.", min=1
    ),
    uncompressed: bool = flag(
        "--uncompressed",
        "For python: a larger script that reads its data as needed, for devices with 20 kB of memory.",
    ),
    title: str | None = TITLE,
    json: bool = JSON,
) -> None:
    """Write a book as a file that works without Guessbook.

    The file is a web page, a script, data, a C header, a picture or text. A key is a web page,
    unless FILE has another ending than .html: then it is plain text. From a table with outcomes,
    FILE.txt is a key.

    Example: guessbook export mastermind-4x6 --to python -o hint.py
    """
    name = format_named(to, output)
    options: dict[str, Any] = {} if depth is None else {"depth": depth}
    if uncompressed:
        options["compress"] = False
    if title is not None:
        options["title"] = title
    # The form of FILE.txt depends on the book, so its options are checked later. The options of all
    # other forms are checked now, because `source` may take a long time to build the book.
    by_book = to is None and name == "irving"
    if not by_book:
        check_options(name, options)
    opened = source(book).book
    if by_book:
        name = name if opened.game.identification is None else "key"
        check_options(name, options)
    if "plain" in FORMS[name].options and output is not None:
        options["plain"] = output.suffix.lower() not in (".html", ".htm")
    game = opened.game.name
    stem = game.replace("-", "_") if name == "python" else game  # A module name has no dashes.
    path = output or Path(stem + FORMS[name].suffix)
    check_target(path, force, json=json)
    text = run_interruptibly("Writing the book", lambda: opened.export(name, **options))
    deliver(text, path, {"form": name, "game": game}, force, json)


def check_options(name: str, options: dict[str, Any]) -> None:
    """Raise UsageError if the form `name` does not use one of the options."""
    for parameter in options:
        if parameter not in FORMS[name].options:
            users = [user for user, form in BUILT_IN.items() if parameter in form.options]
            given = "--uncompressed" if parameter == "compress" else f"--{parameter}"
            raise UsageError(
                f"{given} has no effect with --to {name}; leave it out, or choose --to {listing(users, 'or')}"
            )


def format_named(name: str | None, output: Path | None) -> str:
    """Return `name`, or if it is None, the name of the only form with the ending of `output`."""
    if name is not None:
        if name not in FORMS:
            known, near = ", ".join(FORMS), did_you_mean(name, FORMS)
            raise UsageError(f"unknown export form {quote(name)}; use one of {known}{near}")
        return name
    ending = (output or Path()).suffix.lower()
    # FORMS loads other packages, so the built-in forms are tried first.
    for forms in (BUILT_IN, FORMS):
        fitting = [name for name, form in forms.items() if form.suffix == ending]
        if len(fitting) == 1:
            return fitting[0]
    if not ending:
        raise UsageError(f"no export form is given; add --to with one of {', '.join(FORMS)}")
    if fitting:
        several = ", ".join(fitting)
        raise UsageError(
            f"several forms have the file extension {quote(ending)}; add --to with one of {several}"
        )
    endings = ", ".join(
        sorted({form.suffix for form in FORMS.values() if form.suffix.count(".") == 1})
    )
    raise UsageError(
        f"no export form has the file extension {quote(ending)}; use {endings}, or add --to"
    )


def report(
    book: str | None = BOOK,
    output: Path | None = output_option("The file to write.  [default: GAME-POLICY-report.html]"),
    compare: list[str] | None = option(
        "BOOK", "Also show this book of the same game, to compare; may be repeated."
    ),
    title: str | None = TITLE,
    force: bool = FORCE,
    json: bool = JSON,
) -> None:
    """Write a web page about a book.

    The page is one file. It has the statistics of the book, the number of guesses for its secrets,
    pictures of its strategy tree, published results for the same game, and how to use the book.

    Example: guessbook report mastermind-4x6-optimal --compare mastermind-4x6
    """
    opened, path, size = source(book)
    game = opened.game.name
    others = [source(name).book for name in compare or ()]
    for other, name in zip(others, compare or (), strict=True):
        check_game(other, opened.game, name)
    # The name of the policy comes from the book's file, so it may contain any character, such as a
    # slash.
    policy = re.sub("[^0-9A-Za-z]", "-", opened.stats.policy[:40])
    target = output or Path(f"{game}-{policy}-report.html")
    check_target(target, force, json=json)
    draw = partial(report_page, opened, book or path, size, others, title)
    deliver(run_interruptibly("Drawing the book", draw), target, {"game": game}, force, json)


def serve(
    book: str | None = BOOK,
    port: int = option("N", "The port; 0 chooses a free port.", min=0, max=65535, default=8000),
) -> None:
    """Serve a web page, and hints as JSON, to this machine.

    Ctrl-C stops the server. The page is at /, a hint at /hint?RYGB=1,1&RGOP=0,2 (or POST
    {"history": ["RYGB=1,1"]}). Further addresses are /candidates?RYGB=1,1&count=3, /explain and
    /rate?RYGB=1,1&guess=YYYY, /review and /share?RYGB=1,1, /score?guess=RYGB&secret=PYRO, and /info
    for the facts about the book. Other machines cannot connect.

    Example: guessbook serve mastermind-4x6 --port 8000
    """
    # Imported here because the server needs optional dependencies.
    from guessbook.serve import server

    server.serve(source(book).book, port)


def bot(book: str | None = BOOK) -> None:
    """Answer questions from stdin, one per line, until stdin ends.

    A line is a history such as RYGB=1,1 RGOP=0,2, or a JSON list of its entries; an empty line is
    the start of a game. An entry with blanks needs a list: ["shake the lamp=dark"]. The answer to
    a history is one line of JSON: the output of `hint --json`, or an error.

    Other questions are JSON objects: {"question": "rate", "history": ["RYGB=1,1"], "guess":
    "YYYY"}. Each question has its own keys. hint: "history". candidates: "history", optional
    "count". explain: "history", optional "guess" and "count". rate: "history" and "guess". review:
    "history", optional "secret". share: "history". score: "guess" and "secret". info: none. The
    first five take "refused", a list of guesses that your game does not accept. The default
    question is hint, the default history []. The answer copies the "id" of a question. A line of
    more than 65,536 characters is an error.

    Example: guessbook bot mastermind-4x6
    """
    opened = source(book).book
    while line := sys.stdin.readline(MAX_LINE + 1):
        print_json(reply(opened, line))
        sys.stdout.flush()


def reply(book: Book, line: str) -> dict[str, Any]:
    """Return the answer to an input line of `bot`, or the error, as a dict for JSON."""
    known: dict[str, Any] = {}
    try:
        if len(line) > MAX_LINE and not line.endswith("\n"):
            while (rest := sys.stdin.readline(MAX_LINE)) and not rest.endswith("\n"):
                pass
            raise UsageError(f"line too long: limit {MAX_LINE:,} characters")
        # Some shells begin a pipe with a byte order mark.
        line = line.removeprefix("\ufeff").strip()
        in_json = line.startswith(("[", "{", '"'))
        found = json_from(line, "a JSON list or object on one line") if in_json else line
        if in_json and isinstance(found, str):  # an entry in quotes, because it has blanks
            found = [found]
        asked = found if isinstance(found, dict) else {"history": found}
        if "id" in asked:
            known["id"] = asked.pop("id")
        name = asked.pop("question", "hint")
        if not isinstance(name, str) or name not in QUESTIONS:
            raise UsageError(f"unknown question {as_json(name)}; ask one of {', '.join(QUESTIONS)}")
        return known | answer(book, name, read(book.game, name, asked)).content
    except GuessbookError as error:
        return known | error_as_json(error)


COMMANDS: dict[str, Callable[..., None]] = {
    "bot": bot,
    "export": export,
    "report": report,
    "serve": serve,
}

"""A book as one page for a browser: it plays and gives hints, and needs no network.

Its Content-Security-Policy loads nothing and allows this script and this style alone, by their
hashes. Texts of the book are data, never markup.
"""

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from urllib.parse import quote
from zlib import compress

from guessbook.book.strategy import Strategy
from guessbook.book.tree import to_planes
from guessbook.export import Options
from guessbook.export.form import form_of
from guessbook.policy.notation import in_words

# The files of the script, in this order. The first seven need no page and run anywhere.
SCRIPTS = (
    "game.js",
    "table.js",
    "tree.js",
    "policy.js",
    "live.js",
    "answer.js",
    "reasons.js",
    "entry.js",
    "view.js",
    "session.js",
    "link.js",
    "controls.js",
    "why.js",
    "screen.js",
    "start.js",
)

STYLES = ("page.css", "entry.css", "game.css")

ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<rect width="32" height="32" rx="8" fill="#23509e"/>'
    '<circle cx="11" cy="11" r="5" fill="#fff"/>'
    '<circle cx="21" cy="21" r="5" fill="none" stroke="#fff" stroke-width="3"/></svg>'
)


def render(book: Strategy, options: Options) -> str:
    """Return the page of a book, about 93 kB and the book; a book always gives the same text."""
    script = "\n".join(source(name) for name in SCRIPTS)
    style = "\n".join(source(name) for name in STYLES)
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"script-src '{digest(script)}'; style-src '{digest(style)}'"
    )
    parts = {
        "policy": policy,
        "title": escape(book.game.name),
        "icon": escape("data:image/svg+xml," + quote(ICON)),
        "style": style,
        "data": data(book),
        "script": script,
    }
    return _filled(source("page.html"), parts)


def page_without_scripts(book: Strategy, style: str, body: Sequence[str]) -> str:
    """Return a page about a book, which loads nothing; the body is given in lines of HTML."""
    allowed = f"style-src '{digest(style)}'; base-uri 'none'; form-action 'none'"
    parts = {
        "policy": escape(f"default-src 'none'; {allowed}"),
        "title": escape(f"{book.game.name}, {in_words(book.policy)}"),
        "style": style,
        "body": "\n".join(body),
    }
    return _filled((files(__package__) / "report.html").read_text("utf-8"), parts)


def _filled(text: str, parts: dict[str, str]) -> str:
    """Replace the marks of a text, such as `@title@`; marks within the parts remain."""
    return re.sub(r"@(\w+)@", lambda mark: parts[mark[1]], text)


def data(book: Strategy) -> str:
    """Return the book as bytes, compressed by zlib, which adds no time or system, in base64.

    The bytes are a line of JSON (UTF-8) and the planes of the tree's columns. The line is an object. Its `game` is as
    in FORMAT.md, except that `secrets` of a word game are indices in `guesses`, `weights` are integers, and `drawn` of
    a code game has the name, the colour and the ink of each peg. Its `widths` are the numbers of planes of `guess`,
    `feedback`, `children` and `surplus`, which follow in this order; a plane has `nodes` bytes.
    """
    tree, game, known = book.tree, book.game, book.stats
    surplus = [n - c for n, c in zip(tree.candidates, tree.children, strict=True)]
    columns = [to_planes(c) for c in (tree.guess, tree.feedback, tree.children, surplus)]
    line = {
        "game": form_of(game).page_game(),
        # Without claims of the header, which the page cannot check.
        "policy": {"name": known.policy, **known.options},
        "secrets": len(game.secrets),
        "nodes": len(tree),
        "distribution": list(known.distribution),
        **({"weight_distribution": list(known.weight_distribution)} if known.is_weighted else {}),
        "widths": [len(column) // len(tree) for column in columns],
    }
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    packed = b"".join([text.encode(), b"\n", *columns])
    return b64encode(compress(packed, 9)).decode()


def source(name: str) -> str:
    """Return the text of a file of the page, with plain newlines, as a browser reads them."""
    return (files(__package__) / "web" / name).read_text("utf-8").replace("\r\n", "\n")


def digest(text: str) -> str:
    """Return the name of an inline script or style in a Content-Security-Policy: its hash."""
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()

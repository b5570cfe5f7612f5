"""Export of a book as one HTML page that plays and gives hints in a browser, without a network.

The Content-Security-Policy of the page blocks everything except its own script and style, which it lists by their
hashes. Texts of the book are never part of the markup, except for escaped titles.
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

# The files are joined in this order. The first seven do not use the DOM, so they also run outside browsers.
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
    """Return the HTML page of a book: about 93 kB plus its data. The same book always results in the same text."""
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
    """Return an HTML page about a book without scripts or external files; `body` has the lines of the body."""
    allowed = f"style-src '{digest(style)}'; base-uri 'none'; form-action 'none'"
    parts = {
        "policy": escape(f"default-src 'none'; {allowed}"),
        "title": escape(f"{book.game.name}, {in_words(book.policy)}"),
        "style": style,
        "body": "\n".join(body),
    }
    return _filled((files(__package__) / "report.html").read_text("utf-8"), parts)


def _filled(text: str, parts: dict[str, str]) -> str:
    """Return a template with each placeholder such as `@title@` replaced. Placeholders in the parts remain."""
    return re.sub(r"@(\w+)@", lambda mark: parts[mark[1]], text)


def data(book: Strategy) -> str:
    """Return the data of a book for its page as base64 of zlib, which stores no time stamp or operating system.

    The data are a JSON object in one line (UTF-8), then the columns `guess`, `feedback`, `children` and `surplus` of
    the tree as byte planes (see `to_planes`). `widths` has the number of planes of each column; a plane has `nodes`
    bytes. `game` is as in FORMAT.md, except: `secrets` of words and tables are indices in `guesses`, `weights` are
    integers, a table is in base64, and `drawn` of a code game has the name, the colour and the ink of each peg.
    """
    tree, game, known = book.tree, book.game, book.stats
    surplus = [n - c for n, c in zip(tree.candidates, tree.children, strict=True)]
    columns = [to_planes(c) for c in (tree.guess, tree.feedback, tree.children, surplus)]
    line = {
        "game": form_of(game).page_game(),
        # The header's claims are left out, as the page cannot check them.
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
    """Return the text of a file in `web/` without carriage returns: browsers hash scripts and styles in this form."""
    return (files(__package__) / "web" / name).read_text("utf-8").replace("\r\n", "\n")


def digest(text: str) -> str:
    """Return the SHA-256 source expression that allows an inline script or style in a Content-Security-Policy."""
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()

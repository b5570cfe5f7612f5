"""Export of a book as one HTML page that plays and gives hints in a browser, without a network."""

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote
from zlib import compress

from guessbook.book.games.game import SymmetricGame
from guessbook.book.strategy import SHIPPED, Strategy
from guessbook.book.tree import to_planes
from guessbook.export.game_drawing import drawing_of
from guessbook.play.session import share_name
from guessbook.policy.registry import in_words

# The files are joined in this order. The first seven use no page elements, so they also run outside
# browsers.
SCRIPTS = (
    "game.js",
    "table.js",
    "identify.js",
    "tree.js",
    "hard_mode.js",
    "engine.js",
    "answer.js",
    "entry.js",
    "view.js",
    "session.js",
    "link.js",
    "controls.js",
    "why.js",
    "review.js",
    "screen.js",
    "start.js",
)

# The engine as WebAssembly: `python wheels/build_page.py` compiles it.
ENGINE = Path(SHIPPED, "engine.wasm")
# The page tests at most this number of codes for one hint; `engine.js` has the same constant.
MAX_CODES = 1 << 22

STYLES = ("page.css", "entry.css", "game.css")

ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<rect width="32" height="32" rx="8" fill="#23509e"/>'
    '<circle cx="11" cy="11" r="5" fill="#fff"/>'
    '<circle cx="21" cy="21" r="5" fill="none" stroke="#fff" stroke-width="3"/></svg>'
)


def html_page(book: Strategy, title: str | None = None) -> str:
    """Return the HTML page of a book: about 178 kB plus the data of the book.

    Without a title, the page has the name of the game.
    """
    script = "\n".join(source(name) for name in SCRIPTS)
    style = "\n".join(source(name) for name in STYLES)
    # Browsers run a script or use a style only if this Content Security Policy has its hash.
    compiled = engine(book)
    scripts = f"'{digest(script)}'" + (" 'wasm-unsafe-eval'" if compiled else "")
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"script-src {scripts}; style-src '{digest(style)}'"
    )
    parts = {
        "policy": policy,
        "title": escape(title or drawing_of(book.game).title()),
        "icon": escape("data:image/svg+xml," + quote(ICON)),
        "style": style,
        "data": data(book),
        "engine": compiled,
        "script": script,
    }
    return _fill(source("page.html"), parts)


def page_without_scripts(
    book: Strategy, style: str, body: Sequence[str], title: str | None = None
) -> str:
    """Return an HTML page about a book, without scripts or external files."""
    allowed = f"style-src '{digest(style)}'; base-uri 'none'; form-action 'none'"
    parts = {
        "policy": escape(f"default-src 'none'; {allowed}"),
        "title": escape(title or f"{book.game.name}, {in_words(book.policy)}"),
        "style": style,
        "body": "\n".join(body),
    }
    return _fill((files(__package__) / "report.html").read_text("utf-8"), parts)


def _fill(text: str, parts: dict[str, str]) -> str:
    """Return a template with the placeholders, such as `@title@`, replaced by their values."""
    return re.sub(r"@(\w+)@", lambda mark: parts[mark[1]], text)


def data(book: Strategy) -> str:
    """Return the data of a book, compressed and in base64: a line of JSON, then the tree."""
    tree, game, known = book.tree, book.game, book.stats
    surplus = [n - c for n, c in zip(tree.candidates, tree.children, strict=True)]
    columns = [to_planes(c) for c in (tree.guess, tree.feedback, tree.children, surplus)]
    line = {
        "game": drawing_of(game).page_game(),
        # The bounds that the book claims are left out: the page cannot check them.
        "policy": {"name": known.policy, **known.options},
        "share": share_name(game),
        "secrets": len(game.secrets),
        "nodes": len(tree),
        "distribution": list(known.distribution),
        **({"weight_distribution": list(known.weight_distribution)} if known.is_weighted else {}),
        **({} if tree.leaves is None else {"cost": [known.mean_cost, known.max_cost]}),
        # For each column, the number of bytes of a value. `tree.js` needs it to split the data.
        "widths": [len(column) // len(tree) for column in columns],
    }
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    # Unlike gzip, zlib stores no time stamp, so equal books have equal pages.
    packed = b"".join([text.encode(), b"\n", *columns])
    return b64encode(compress(packed, 9)).decode()


def engine(book: Strategy) -> str:
    """Return the engine, compressed and in base64; "" if the page does not use it for this game."""
    if book.game.identification is not None:
        return ""
    if isinstance(book.game, SymmetricGame) and len(book.game.guesses) > MAX_CODES:
        return ""
    return b64encode(compress(ENGINE.read_bytes(), 9)).decode()


def source(name: str) -> str:
    """Return the text of a file in `web/`, without the carriage returns that browsers remove."""
    return (files(__package__) / "web" / name).read_text("utf-8").replace("\r\n", "\n")


def digest(text: str) -> str:
    """Return the SHA-256 hash of a script or style in the syntax of a Content Security Policy."""
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()

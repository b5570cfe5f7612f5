"""Write the generated parts of the documentation.

These are the pages cli and api of docs/reference, the example in FORMAT.md there, and the picture
of the packages in docs/explanation.

A test in tests/project/test_docs.py fails if they are out of date.

    python docs/generate.py
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

from guessbook.book.errors import GuessbookError
from guessbook.book.file import decompress
from guessbook.book.games.codes import Mastermind
from guessbook.book.strategy import Strategy

DOCS = Path(__file__).resolve().parent
# Otherwise, a script cannot import its own package.
sys.path.insert(0, str(DOCS.parent))

from docs import api  # noqa: E402
from docs.keys import KEYS  # noqa: E402

__all__ = ["main", "pages"]

# The packages from the lowest layer up, each with its portion and its purpose.
PACKAGES = {
    "book": ("book", "games, the strategy tree, the file format"),
    "policy": ("book", "definitions of the policies in plain Python"),
    "engine": ("builder", "the engine in C and its binding"),
    "builder": ("builder", "builds books with threads or a cluster"),
    "lookup": ("lookup", "hints from books, by symmetry, and live"),
    "play": ("app", "sessions, ratings, reviews, proofs"),
    "export": ("app", "exports books as pages, scripts, data and pictures"),
    "serve": ("app", "the HTTP server"),
    "command": ("app", "the command line"),
}
COLORS = {"app": "#eadcf4", "book": "#f9e3b4", "builder": "#cfe3f7", "lookup": "#d3edd2"}

KEYS_TEXT = (
    "The same fact has the same key in every command. `bot` and `serve` "
    "answer with the keys of `hint`, `candidates`, `explain`, `rate`, `review`, `share`, `score` and "
    "`info`. Any command may print an error. A map is an object with data as keys, such as feedbacks. `export --to json` "
    "writes these keys and a few more: see [JSON](../how-to/embed/json.md)."
)


def main() -> None:
    """Write the pages."""
    for name, text in pages().items():
        (DOCS / name).write_text(text, "utf-8")


def pages() -> dict[str, str]:
    """The current text of each page that is generated, wholly or in part."""
    file_format = (DOCS / "reference" / "FORMAT.md").read_text("utf-8")
    return {
        "reference/cli.md": cli_page(),
        "reference/api.md": api.page(),
        "reference/FORMAT.md": replaced(file_format, "example", example(example_book())),
        "explanation/packages.svg": picture_of_packages(),
    }


def replaced(page: str, mark: str, part: str) -> str:
    """Replace the text between the two comments that name `mark` in a page."""
    begin = f"<!-- {mark}: `python docs/generate.py` writes what follows -->\n"
    end = f"<!-- end of {mark} -->\n"
    before, _, rest = page.partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"the page lacks the comments {begin!r} and {end!r}; add them")
    return before + begin + part + end + after


def sources(package: str) -> list[Path]:
    """Return the modules of a package, those of subpackages last."""
    folder = DOCS.parent / PACKAGES[package][0] / "guessbook" / package
    return sorted(folder.rglob("*.py"), key=lambda path: (len(path.parts), path))


def picture_of_packages() -> str:
    """Draw the packages as an SVG: the purpose of each, and the packages that it imports.

    Packages in parentheses are imported inside functions, so that heavy code is loaded when needed.
    """
    height, lines = 46 * len(PACKAGES) + 8, []
    for floor, package in enumerate(reversed(PACKAGES)):
        portion, summary = PACKAGES[package]
        count = sum(path.name != "__init__.py" for path in sources(package))
        early, late = imports(package)
        below = [other for other in PACKAGES if other != package and other in early | late]
        names = ", ".join(other if other in early else f"({other})" for other in below)
        used = f"imports {names}" if names else "imports none of the others"
        top = 46 * floor + 8
        lines += [
            f'<rect x="8" y="{top}" width="704" height="40" rx="4" fill="{COLORS[portion]}"/>',
            f'<text x="20" y="{top + 17}"><tspan font-weight="bold">{package}</tspan> '
            f"({portion}, {count} modules): {summary}</text>",
            f'<text x="20" y="{top + 33}" font-size="12">{used}</text>',
        ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height}" role="img" '
        'font-family="sans-serif" font-size="14" fill="#1f2933">'
    )
    parts = [head, "<title>The packages of Guessbook; imports run downwards only</title>"]
    paper = f'<rect width="720" height="{height}" fill="#ffffff"/>'
    return "\n".join([*parts, paper, *lines, "</svg>", ""])


def imports(package: str) -> tuple[set[str], set[str]]:
    """The packages that a package imports: at the top of its modules, and inside functions."""
    early: set[str] = set()
    late: set[str] = set()
    waiting: list[tuple[ast.AST, bool]] = []
    waiting += [(ast.parse(path.read_text("utf-8")), False) for path in sources(package)]
    while waiting:
        node, inside = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("guessbook."):
            (late if inside else early).add(str(node.module).split(".")[1])
        inside = inside or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        waiting += [(child, inside) for child in ast.iter_child_nodes(node)]
    return early, late


def example_book() -> Strategy:
    """Build a small book that shows the rules of the format."""
    from guessbook.front import build

    return build(Mastermind(2, 2))


def example(book: Strategy) -> str:
    """The example in FORMAT.md: the content in hex, the columns as a table, and a walk."""
    content = decompress(book.to_bytes())
    game, tree = book.game, book.tree
    rows = [
        "| node | first | guess | feedback | children | surplus | candidates |",
        "|---|---|---|---|---|---|---|",
    ]
    for i in range(len(tree)):
        guess = f"{tree.guess[i]} `{game.guesses[tree.guess[i]]}`"
        feedback = f"{tree.feedback[i]} `{game.format_feedback(tree.feedback[i])}`" if i else "0"
        numbers = (tree.children[i], tree.candidates[i] - tree.children[i], tree.candidates[i])
        cells = [i, tree.first[i], guess, feedback, *numbers]
        rows.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(
        [
            f"\nThis is the book of {game.name} ({book.stats.policy}), symbols "
            f"`{getattr(game, 'symbols', '')}`, codes "
            f"{', '.join(f'{i} `{code}`' for i, code in enumerate(game.guesses))}.",
            f"The content of its frame has {len(content)} bytes:\n",
            "```",
            *dump(content),
            "```\n",
            "Each column is a `bin` of one plane, `c4` then the number of nodes, after its name "
            "near the end. Together they say:\n",
            *rows,
            "",
            walk(book, game.guesses[-1]),
            "",
        ]
    )


def dump(content: bytes) -> list[str]:
    """Show bytes in hex, 16 per line, with the printable characters beside them."""
    lines = []
    for start in range(0, len(content), 16):
        part = content[start : start + 16]
        text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        lines.append(f"{start:04x}  {part.hex(' '):<47}  {text}")
    return lines


def walk(book: Strategy, secret: str) -> str:
    """Describe the walk to a secret in words."""
    game, node = book.game, book.root
    steps: list[str] = []
    while True:
        feedback = game.feedback(node.guess, secret)
        answer = f"feedback {game.parse_feedback(feedback)} (`{feedback}`)"
        step = f"node {node.index} guesses `{node.guess}` and gets {answer}"
        child = node.child(feedback)
        if child is None:
            return f"The walk to the secret `{secret}`: {'; '.join([*steps, step])}: solved."
        steps.append(f"{step}, which leads to child {child.index}")
        node = child


def cli_page() -> str:
    """The reference of the command line: the text of `--help` as Markdown."""
    import typer

    from guessbook.command.root import app

    root: Any = typer.main.get_command(app)
    context = root.context_class(root, info_name="guessbook", **root.context_settings)
    parts = ["# The command line", *described(root, context)]
    for name in root.list_commands(context):
        command = root.get_command(context, name)
        inner = command.context_class(command, info_name=name, parent=context)
        parts += [f"## guessbook {name}", *described(command, inner)]
    parts += ["## Keys of the JSON", KEYS_TEXT, keys()]
    return "\n\n".join(parts) + "\n"


def keys() -> str:
    """The keys of the JSON that commands print, as a table."""
    rows = ["| key | type | meaning | printed by |", "|---|---|---|---|"]
    for name, (kind, meaning, commands) in KEYS.items():
        rows.append(f"| `{name}` | {kind} | {meaning} | {', '.join(sorted(commands.split()))} |")
    return "\n".join(rows)


def described(command: Any, context: Any) -> list[str]:
    """Describe a command: purpose, usage, example, arguments and options."""
    text, _, call = command.help.partition("Example: ")
    parts = [paragraph.replace("\n", " ") for paragraph in text.strip().split("\n\n")]
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts += [f"Usage: `{usage}`", f"Example: `{call.strip()}`"]
    records = [parameter.get_help_record(context) for parameter in command.get_params(context)]
    parts.append("\n".join(f"- `{name}`: {words}" for name, words in filter(None, records)))
    if command.epilog:
        parts.append(command.epilog)
    return parts


if __name__ == "__main__":
    try:
        main()
    except GuessbookError as error:
        # Print one line instead of a traceback, for example if the engine is older than its
        # sources.
        sys.exit(f"Error: {error}")

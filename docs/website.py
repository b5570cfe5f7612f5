"""Build the site: the documentation, a playground, and tables that can be sorted.

    python docs/website.py [FOLDER]

The script writes the site to FOLDER, by default `.site/html`. A broken link ends the build.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from guessbook.book.games.presets import game_of
from guessbook.book.strategy import Strategy, read_strategy, shipped_books
from guessbook.export.forms import export
from guessbook.front import build

ROOT = Path(__file__).resolve().parent.parent
DOCS, STAGE = ROOT / "docs", ROOT / ".site" / "docs"
# Pages at the root of the repository that are part of the site.
ROOT_PAGES = ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
# The types of the files in docs that belong to the site.
KINDS = {".md", ".svg", ".png", ".json", ".ipynb", ".csv"}
# The games of the playground: titles, by the name of the book.
GAMES = {
    "mastermind-4x6": "Mastermind, 4 pegs and 6 colours",
    "mastermind-4x6-optimal": "Mastermind, 4 pegs and 6 colours, at its best",
    "mastermind-5x8": "Mastermind, 5 pegs and 8 colours",
    "bulls-and-cows-4x10": "Bulls and Cows, 4 different digits",
    "bulls-and-cows-4x10-optimal": "Bulls and Cows, 4 different digits, at its best",
    "words": "Words of five letters, as in Wordle",
}
# How the books of the playground choose their guesses.
STRATEGIES = {"entropy": "the most information", "optimal": "the fewest guesses of all, proven"}
EXAMPLES = re.compile(r"\]\((?:\.\./)+(examples/[^)]+\.\w+)\)")


def main(folder: Path) -> None:
    """Stage all pages, and build the site with Zensical."""
    shutil.rmtree(STAGE, ignore_errors=True)
    stage_pages()
    stage_playground(STAGE / "playground")
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    subprocess.run(command, cwd=ROOT, check=True)
    if folder != ROOT / ".site" / "html":
        shutil.copytree(ROOT / ".site" / "html", folder, dirs_exist_ok=True)


def stage_pages() -> None:
    """Copy the pages of docs and of the root, with rewritten links, and other files of the site."""
    for path in sorted(DOCS.rglob("*")):
        place = path.relative_to(DOCS)
        if path.suffix in KINDS and place.parts[0] != "assets":
            copy(path, STAGE / place)
    for name in ROOT_PAGES:
        copy(ROOT / name, STAGE / name)
    shutil.copytree(ROOT / "examples", STAGE / "examples")
    for name in ("tables.js", "names.js", "style.css"):
        copy(DOCS / "assets" / name, STAGE / name)
    copy(DOCS / "assets" / "session.svg", STAGE / "assets" / "session.svg")


def copy(source: Path, target: Path) -> None:
    """Copy a file; in a page, links to the root and to docs become links within the site."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.suffix != ".md":
        shutil.copyfile(source, target)
        return
    text = source.read_text("utf-8")
    for name in ROOT_PAGES:
        text = re.sub(rf"\]\((?:\.\./)+{name}", f"]({'../' * up(target)}{name}", text)
    text = EXAMPLES.sub(rf"]({'../' * up(target)}\1)", text)
    if source.parent == ROOT:
        text = text.replace("](docs/", "](")
    target.write_text(unlinked(text), "utf-8")


def up(target: Path) -> int:
    """The number of folders between a page and the root of the site."""
    return len(target.relative_to(STAGE).parts) - 1


def unlinked(text: str) -> str:
    """Remove links to files outside the site, and marks for tests."""
    # Tests read a fence such as "console fails", but Zensical does not recognize it.
    text = re.sub(r"^```(\w+) .*$", r"```\1", text, flags=re.MULTILINE)
    return re.sub(
        r"\[([^]]*)\]\((?:LICENSE|README\.md|tests/[^)]*|(?:\.\./)+examples)\)", r"\1", text
    )


def stage_playground(folder: Path) -> None:
    """Write a page for each shipped book and one for words, and the table of these pages."""
    folder.mkdir(parents=True)
    books = {name: read_strategy(name) for name in shipped_books()}
    books["words"] = word_book()
    rows = [
        "| game | secrets | the page guesses by | guesses on average |\n",
        "|---|--:|---|--:|\n",
    ]
    for name, book in books.items():
        (folder / f"{name}.html").write_text(str(export(book, "html")), "utf-8")
        cells = [
            f"[{GAMES[name]}](playground/{name}.html)",
            f"{len(book.game.secrets):,}",
            STRATEGIES[book.policy["name"]],
            f"{book.stats.mean_guesses:.2f}",
        ]
        rows.append(f"| {' | '.join(cells)} |\n")
    page = STAGE / "playground.md"
    page.write_text(re.sub("<!-- table.*-->\n", "".join(rows), page.read_text("utf-8")), "utf-8")


def word_book() -> Strategy:
    """Build a book of the preset `wordle`, with words of a free dictionary."""
    return build(game_of("wordle"))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / ".site" / "html")

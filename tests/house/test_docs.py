"""The documents: what is generated is up to date, every command has help, every example runs."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pkgutil import walk_packages
from typing import TYPE_CHECKING, Any

import pytest
import typer

import guessbook
from docs import generate
from guessbook.command.app import COMMANDS, app

if TYPE_CHECKING:
    from pathlib import Path

MODULES = sorted(
    module.name
    for package in generate.PACKAGES
    for module in walk_packages(
        import_module(f"guessbook.{package}").__path__, f"guessbook.{package}."
    )
    # A library for ctypes, which looks like a module.
    if module.name != "guessbook.engine._engine"
)


@pytest.mark.sources
def test_generated_pages_are_up_to_date(root: Path) -> None:
    """The generated pages, and parts of pages, are what the code gives now."""
    pages = generate.pages()
    assert set(pages) == {
        "explanation/house.svg",
        "how-to/embedding.md",
        "reference/FORMAT.md",
        "reference/api.md",
        "reference/cli.md",
    }
    for name, text in pages.items():
        due = f"docs/{name} is out of date: run `python docs/generate.py`"
        assert (root / "docs" / name).read_text("utf-8") == text, due


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    """A command says what it does, shows an example of itself, and explains every option."""
    root: Any = typer.main.get_command(app)
    command = root.get_command(None, name)
    assert len(command.help) > 40
    assert f"Example: guessbook {name}" in command.help
    assert all(parameter.help for parameter in command.params)


def test_the_command_line_reads_well(root: Path) -> None:
    """No type of Python stands for what to type, and every way to the help is named."""
    page = (root / "docs" / "reference" / "cli.md").read_text("utf-8")
    assert "<str>" not in page
    assert "<list" not in page
    assert "- `BOOK GUESS=FEEDBACK ...`: " in page
    # Once for each command and once for `guessbook` itself.
    assert page.count("- `-h, --help`: ") == len(COMMANDS) + 1


def test_how_it_works_names_what_is_there(root: Path) -> None:
    """Every `FILE: NAME` on the page is a file of the house and a name defined there."""
    page = (root / "docs" / "explanation" / "how-it-works.md").read_text("utf-8")
    found = re.findall(r"`(\w+)/([\w/]+)\.py: ([\w.]+)`", page)
    assert len(found) > 40
    for package, module, name in found:
        owner: Any = import_module(f"guessbook.{package}.{module.replace('/', '.')}")
        for part in name.split("."):
            owner = getattr(owner, part)
        # Where it is defined, not where it is imported; a constant or a property does not say it.
        place = f"guessbook.{package}.{module.replace('/', '.')}"
        assert getattr(owner, "__module__", place) == place, name


@pytest.mark.sources
def test_how_it_works_names_functions_of_the_engine(root: Path) -> None:
    """Every `FILE.c: NAME` on the page is a function that is defined there."""
    page = (root / "docs" / "explanation" / "how-it-works.md").read_text("utf-8")
    functions = re.findall(r"`(?:engine/)?(\w+\.c): (\w+)`", page)
    assert len(functions) > 5
    for file, name in functions:
        source = (root / "builder" / "guessbook" / "engine" / file).read_text("utf-8")
        assert re.search(rf"^static .*\b{name}\(", source, re.MULTILINE), f"{file}: {name}"


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    """Every example in a docstring gives what it shows."""
    module = import_module(name)
    results = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.failed == 0
    assert module.__doc__, "a module says in a line what it is for"


def test_links_in_the_documents_lead_somewhere(root: Path) -> None:
    """Every relative link of a Markdown page points to a file that exists."""
    pages = [*root.glob("*.md"), *root.glob("docs/**/*.md")]
    assert len(pages) >= 6
    for page in pages:
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text("utf-8")):
            if not target.startswith(("http://", "https://")):
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_namespace_has_all_packages() -> None:
    """All the modules above are found: the test cannot pass by walking nothing."""
    assert {name.split(".")[1] for name in MODULES} == set(generate.PACKAGES)
    assert len(list(guessbook.__path__)) >= 1


def pages_by_hand(root: Path) -> list[Path]:
    """The pages that people write: neither the changelog nor those that scripts write whole."""
    names = ("README.md", "CONTRIBUTING.md", "SECURITY.md")
    written = {"cli.md", "api.md", "atlas.md", "records.md"}
    docs = [page for page in root.glob("docs/**/*.md") if page.name not in written]
    return [*(root / name for name in names), *docs]


def test_the_documents_stay_short(root: Path) -> None:
    """All pages together have at most 4,000 lines, and how-it-works at most 250."""
    lines = {page.name: len(page.read_text("utf-8").splitlines()) for page in pages_by_hand(root)}
    assert sum(lines.values()) <= 4000
    assert lines["how-it-works.md"] <= 250


def test_every_page_names_its_reader(root: Path) -> None:
    """Each page of docs, and CONTRIBUTING and SECURITY, first says whom it is for."""
    pages = {*pages_by_hand(root)[1:], *root.glob("docs/**/*.md")}
    assert len(pages) > 30
    for page in pages:
        first = re.search(r"^# .+\n\n(.*)", page.read_text("utf-8"), re.MULTILINE)
        assert first, page.name
        assert first[1].startswith("**For** "), page.name


def test_the_index_links_every_page(root: Path) -> None:
    """docs/index.md and the navigation of the site lead to every page of docs."""
    index = (root / "docs" / "index.md").read_text("utf-8")
    navigation = (root / "zensical.toml").read_text("utf-8")
    for page in (root / "docs").rglob("*.md"):
        name = page.relative_to(root / "docs").as_posix()
        assert f"({name})" in index or name == "index.md", name
        assert f'"{name}"' in navigation, name


def test_no_page_needs_another_site(root: Path) -> None:
    """No diagram in Mermaid, whose script the theme loads from unpkg, and no picture of others."""
    for page in root.glob("docs/**/*.md"):
        text = page.read_text("utf-8")
        assert "```mermaid" not in text, page.name
        assert "](http" not in "".join(re.findall(r"!\[.*", text)), page.name


@pytest.mark.sources
def test_code_names_pages_that_exist(root: Path) -> None:
    """Each `docs/...` that a comment or a docstring of the house names is a file."""
    files = [
        p
        for f in ("app", "book", "builder", "lookup", "benchmarks")
        for p in (root / f).rglob("*.*")
    ]
    texts = {p: p.read_text("utf-8") for p in files if p.suffix in {".py", ".c", ".js", ".cpp"}}
    found = [(p, n) for p in texts for n in re.findall(r"docs/[\w/-]+\.\w+", texts[p])]
    assert len(found) > 5
    assert [(p, name) for p, name in found if not (root / name).exists()] == []

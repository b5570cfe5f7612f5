"""The documentation: generated pages, examples, transcripts and links are current."""

from __future__ import annotations

import csv
import doctest
import importlib.resources
import json
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from docs import api, generate, notebook, recording, transcripts
from tests.project.pages import DOCS, ROOT, command_sections

if TYPE_CHECKING:
    from tests.helpers.command import Run

PAGES = sorted(DOCS.rglob("*.md"))
COMMANDS = command_sections()
# These commands report progress on stderr.
REPORTERS = ("build-book", "compare", "words")
# These run until they are stopped; other tests start them.
ENDLESS = ("serve",)
# The files that examples read.
FILES = {"knuth.txt": "9 (12: 1, 2 (23), 1; 4 (13); 1)\n\n"}
MODULES = sorted(
    module.name
    for module in walk_packages(gb.__path__, "guessbook.")
    # `_engine` is a library for ctypes that looks like a module; `__main__` runs the command.
    if not module.name.endswith(("._engine", ".__main__"))
)


@pytest.mark.sources
def test_generated_pages_are_current() -> None:
    for page, current in generate.pages().items():
        assert (DOCS / page).read_text("utf-8") == current, "run `python docs/generate.py`"


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ENDLESS])
def test_help_example_works(run: Run, name: str) -> None:
    (example,) = re.findall(r"^Example: `guessbook (.*)`$", COMMANDS[name], re.MULTILINE)
    arguments = shlex.split(example)
    for argument in arguments:
        if argument in FILES:
            Path(argument).write_text(FILES[argument], "utf-8")
    result = run(*arguments, lines="RYGB=1,1\n" if name == "bot" else "")
    assert result.code == 0, result.err
    if name not in REPORTERS:
        assert result.err == ""
    written = arguments[arguments.index("-o") + 1] if "-o" in arguments else None
    assert Path(written).stat().st_size if written else result.out


def test_help_lists_every_command_and_shipped_book(run: Run) -> None:
    text = run("--help").out
    listed = text.partition("Hint:\n")[2].partition("Exit codes")[0]
    lines = [line for line in listed.splitlines() if line.startswith("  ") and line.strip()]
    assert [line.split()[0] for line in lines] == list(COMMANDS)
    assert "..." not in listed, "a summary is cut off"
    assert all(name in text for name in gb.shipped_books())


def test_docstring_examples_are_correct() -> None:
    for name in MODULES:
        results = doctest.testmod(import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
        assert results.failed == 0, name


@pytest.mark.sources
def test_api_reference_has_every_public_name_once() -> None:
    assert sorted(api.NAMES) == sorted({"open", *gb.__all__})
    lines = (DOCS / "reference" / "api.md").read_text("utf-8").splitlines()
    for name in api.NAMES:
        assert lines.count(f"### gb.{name}") == 1, name


@pytest.mark.parametrize(
    "name",
    [
        "how-to/numpy",
        "how-to/playing",
        "reference/api",
        "reference/policies",
        "tutorials/first-hint",
    ],
)
def test_page_python_examples_are_correct(name: str) -> None:
    text = (DOCS / f"{name}.md").read_text("utf-8").partition("\n## Extend\n")[0]
    text = text.replace("```\n", "\n")
    test = doctest.DocTestParser().get_doctest(text, {}, name, f"{name}.md", 0)
    assert test.examples
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert runner.run(test).failed == 0


@pytest.mark.parametrize(
    "path",
    [
        # The builds on the page of games take a minute.
        pytest.param(path, marks=pytest.mark.nightly if path.stem == "games" else pytest.mark.slow)
        for path in transcripts.PAGES
    ],
    ids=lambda path: path.stem,
)
def test_page_transcripts_are_current(path: Path) -> None:
    assert transcripts.page(path) == path.read_text("utf-8"), "run `python docs/transcripts.py`"


def test_transcript_rejects_unexpected_exit_code(tmp_path: Path) -> None:
    wrong = "$ guessbook share\n"
    right = "$ guessbook share RYGB=1,1\n"
    assert "Error: " in transcripts.fresh(wrong, tmp_path, " fails")
    for block, mark in ((wrong, ""), (right, " fails")):
        with pytest.raises(RuntimeError, match="guessbook share"):
            transcripts.fresh(block, tmp_path, mark)


def test_recorded_session_is_current() -> None:
    drawn = recording.drawing(recording.session())
    assert recording.PICTURE.read_text("utf-8") == drawn, "run `python docs/recording.py`"


def test_embedding_page_bot_prints_shown_output() -> None:
    text = (DOCS / "how-to" / "embedding.md").read_text("utf-8")
    (program,) = re.findall(r"^```python\n(import json.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (output,) = re.findall(r"^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == output


@pytest.mark.slow
def test_notebook_outputs_are_current() -> None:
    text = notebook.NOTEBOOK.read_text("utf-8")
    again = notebook.text_of(notebook.run(json.loads(text)))
    assert again == text, "run `python docs/notebook.py`"


def test_relative_links_point_to_existing_files() -> None:
    for page in [*ROOT.glob("*.md"), *PAGES]:
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text("utf-8")):
            if not target.startswith(("http://", "https://")):
                assert (page.parent / target).exists(), f"{page}: {target}"


def test_index_and_navigation_link_to_every_page() -> None:
    index = (DOCS / "index.md").read_text("utf-8")
    navigation = (ROOT / "zensical.toml").read_text("utf-8")
    for page in PAGES:
        name = page.relative_to(DOCS).as_posix()
        assert f"({name})" in index or name == "index.md", name
        assert f'"{name}"' in navigation, name


@pytest.mark.sources
def test_how_it_works_names_existing_functions() -> None:
    """Each `FILE: NAME` on the page is defined in that file, in Python or in C."""
    page = (DOCS / "explanation" / "how-it-works.md").read_text("utf-8")
    names = re.findall(r"`(\w+/[\w/]+\.py): ([\w.]+)`", page)
    assert len(names) > 20
    for file, name in names:
        found = list(ROOT.glob(f"*/guessbook/{file}"))
        assert found, file
        owner: Any = import_module("guessbook." + file.removesuffix(".py").replace("/", "."))
        for part in name.split("."):
            owner = getattr(owner, part)
        assert getattr(owner, "__module__", file).endswith(
            file.removesuffix(".py").replace("/", ".")
        ) or not hasattr(owner, "__module__"), f"{file}: {name} is only imported there"
    functions = re.findall(r"`(\w+/[\w/]+\.c): (\w+)`", page)
    assert len(functions) > 5
    for file, name in functions:
        source = (ROOT / "builder" / "guessbook" / file).read_text("utf-8")
        assert re.search(rf"^static .*\b{name}\(", source, re.MULTILINE), f"{file}: {name}"


@pytest.mark.sources
def test_code_refers_to_existing_pages() -> None:
    suffixes = {".py", ".c", ".js", ".cpp"}
    for folder in ("app", "book", "builder", "lookup", "benchmarks", "tests"):
        for path in (ROOT / folder).rglob("*.*"):
            if path.suffix in suffixes:
                for name in re.findall(r"docs/[\w/-]+\.\w+", path.read_text("utf-8")):
                    assert (ROOT / name).exists(), f"{path} names {name}"


def test_policies_page_cites_published_results() -> None:
    text = (DOCS / "reference" / "policies.md").read_text("utf-8")
    # The sdist's tests run against an installed package, without the sources.
    published = importlib.resources.files("guessbook.export") / "published.csv"
    with published.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 12
    for row in rows:
        assert f"{int(row['total_guesses']):,}" in text, row


def test_every_feature_has_an_existing_test() -> None:
    """Each row of tests/features.md ends with the name of a test."""
    text = (ROOT / "tests" / "features.md").read_text("utf-8")
    rows = [row for row in text.splitlines() if row.startswith("|") and "---" not in row]
    rows = [row for row in rows if not row.startswith("| feature |")]
    assert len(rows) > 30
    for row in rows:
        found = re.search(r"\| `([\w/]+\.py)::(\w+)` \|$", row)
        assert found, row
        source = (ROOT / "tests" / found[1]).read_text("utf-8")
        assert f"def {found[2]}(" in source, row

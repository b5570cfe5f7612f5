"""Packages that add a policy, a game or a form: found by name, and by nothing else."""

from __future__ import annotations

import json
import re
import sys
import warnings
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.book import UsageError
from guessbook.book.games.presets import BUILT_IN, PRESETS, presets
from guessbook.book.games.registry import KINDS as GAMES
from guessbook.builder import build_strategy
from guessbook.export import FORMATS, export
from guessbook.lookup import open_book
from guessbook.policy.notation import policy_of
from guessbook.policy.registry import KINDS as POLICIES
from guessbook.policy.registry import Kind
from tests.helpers.command import Run, one_line, runner
from tests.plugins.installed import install

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MODULES = ("guessbook_last", "guessbook_race", "guessbook_markdown")

WRONG = 42
NO_CLASS = Kind(f"{__name__}:Lost")
NO_POLICY = Kind(f"{__name__}:Path")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Runs `guessbook` with some arguments."""
    return runner(monkeypatch, capsys, tmp_path)


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The packages of examples/, as if they were installed."""
    for kind in ("policy", "game", "form"):
        monkeypatch.syspath_prepend(EXAMPLES / f"plugin_{kind}")
    folder = tmp_path / "packages"
    race = {"race": "guessbook_race:KIND"}
    install(monkeypatch, folder, "guessbook.games", race, "guessbook-race")
    derby = {"derby": "guessbook_race:DERBY"}
    install(monkeypatch, folder, "guessbook.presets", derby, "guessbook-race")
    last = {"last": "guessbook_last:KIND"}
    install(monkeypatch, folder, "guessbook.policies", last, "guessbook-last")
    markdown = {"markdown": "guessbook_markdown:FORM"}
    install(monkeypatch, folder, "guessbook.forms", markdown, "guessbook-markdown")
    yield
    for name in MODULES:
        sys.modules.pop(name, None)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The groups of entry points that are looked at, from now on."""
    asked: list[str] = []

    def entry_points(**options: Any) -> list[metadata.EntryPoint]:
        asked.append(options["group"])
        return []

    monkeypatch.setattr(metadata, "entry_points", entry_points)
    monkeypatch.syspath_prepend("/nowhere")  # what was looked at before is forgotten
    return asked


def test_what_is_our_own_looks_at_no_package(run: Run, looks: list[str]) -> None:
    """Hints, builds and exports of our own kinds look at no entry point; other names do."""
    for command in (
        ["hint", "RYGB=1,1"],
        ["hint", "RRYG=1,1", "BBOO=0,1"],
        ["build-book", "--preset", "bagels", "--policy", "parts"],
        ["compare", "entropy", "rollout:width=2", "--pegs", 2],
        ["export", "--to", "json", "-o", "-"],
        ["export", "-o", "tree.svg"],
        ["build-book", "--help"],
        ["export", "--help"],
    ):
        assert run(*command).code == 0, command
        assert looks == [], command
    assert run("build-book", "--policy", "last").code == 2
    assert looks == ["guessbook.policies"]


@pytest.mark.usefixtures("packages")
def test_names_are_listed_and_nothing_is_loaded(run: Run) -> None:
    """Messages list what packages add, by its names; only what is asked for is imported."""
    for registry, name in ((POLICIES, "last"), (GAMES, "race"), (PRESETS, "derby")):
        assert list(registry) == [*registry.built_in, name]
        assert len(registry) == len(registry.built_in) + 1
        assert name in registry
        assert "nothing" not in registry
    for command, names in {
        ("build-book", "--policy", "lost"): ", win, last; did you mean last?",
        ("compare", "lats"): "win, last, or a book",
        ("build-book", "--preset", "derbi"): "coins, derby; did you mean derby?",
        ("info", "derbi"): "did you mean derby?",
        ("export", "--to", "markdwn"): "irving, markdown; did you mean markdown?",
    }.items():
        assert names in one_line(run(*command)), command
    assert not sys.modules.keys() & set(MODULES)
    assert policy_of("last").name == "last"
    assert sys.modules.keys() & set(MODULES) == {"guessbook_last"}


@pytest.mark.usefixtures("packages")
def test_a_policy_of_a_package_is_a_value() -> None:
    """It prints as it is typed, and its `repr` has its options and nothing else."""
    policy = policy_of("last:skip=1")
    assert (str(policy), repr(policy)) == ("last:skip=1", "Last(skip=1)")
    assert policy_of(str(policy)) == policy
    assert policy_of(policy) is policy


@pytest.mark.usefixtures("packages")
def test_all_three_work_together(run: Run, tmp_path: Path) -> None:
    """A policy plays a game and its book is written in a form, each of another package."""
    built = run("build-book", "--preset", "derby", "--policy", "last:skip=1", "--json")
    assert built.code == 0, built
    known = json.loads(built.out)
    assert (known["game"], known["policy"], known["options"]) == ("race-5", "last", {"skip": 1})
    with open_book(tmp_path / known["path"]) as book:
        assert book.to_bytes() == build_strategy(PRESETS["derby"].game(), book.policy).to_bytes()
        text = export(book, "markdown")
    assert text.startswith("# race-5, last\n\n- edcab\n  - 0: ")
    assert len(text.splitlines()) == known["nodes"] + 2
    assert run("verify", known["path"], "--policy").code == 0
    assert run("hint", known["path"], "abcde=1").code == 0
    short = run("export", known["path"], "--depth", 1, "-o", "tree.md")
    assert short.code == 0, short
    assert (tmp_path / "tree.md").read_text() == "# race-5, last\n\n- edcab\n"
    assert re.search(r"^derby +120$", run("presets").out, re.MULTILINE)
    assert "derby" in run("presets").out
    assert "last:skip=2" in run("compare", "--preset", "derby", "last:skip=2", "parts").out
    assert "expected a whole number, 0 to 1000" in one_line(run("compare", "last:skip=1001"))


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("nowhere_at_all:KIND", "cannot be loaded: ModuleNotFoundError: No module named"),
        (f"{__name__}:MISSING", "cannot be loaded: AttributeError"),
        (f"{__name__}:WRONG", "which provides 42, expected a guessbook."),
        (f"{__name__}:NO_CLASS", "cannot be loaded: AttributeError"),
        (f"{__name__}:NO_POLICY", "expected a guessbook."),
    ],
)
def test_a_package_that_is_broken(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str, reason: str
) -> None:
    """It is named in one line, whatever it should have added, and harms nothing else."""
    for group, name in {
        "policies": "bad-policy",
        "games": "bad-game",
        "presets": "bad-preset",
        "forms": "bad-form",
    }.items():
        install(monkeypatch, tmp_path / "bad", f"guessbook.{group}", {name: place}, "bad-package")
    for command in (
        ("build-book", "--policy", "bad-policy"),
        ("build-book", "--preset", "bad-preset"),
        ("compare", "bad-policy:x=1"),
        ("export", "--to", "bad-form"),
    ):
        text = one_line(run(*command))
        assert "of the package bad-package" in text, text
        assert reason in text or "bad-policy" not in text, text
    with pytest.raises(UsageError, match="of the package bad-package"):
        _ = GAMES["bad-game"]
    assert run("build-book", "--pegs", 2).code == 0
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        listed = run("presets")
    assert listed.code == 0
    assert listed.err.startswith("Warning: found preset 'bad-preset' of the package bad-package")
    assert "bagels" in listed.out
    assert "bad-preset" not in listed.out
    with pytest.warns(UserWarning, match="preset 'bad-preset' of the package bad-package"):
        assert len(presets()) == len(BUILT_IN)
    assert "bad-form" in one_line(run("export", "--to", "nothing"))


def test_two_packages_of_one_name(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither is preferred, and none takes the place of what is our own."""
    for package in ("one", "another"):
        names = dict.fromkeys(("same", "entropy"), f"{__name__}:WRONG")
        install(monkeypatch, tmp_path / package, "guessbook.policies", names, package)
    said = one_line(run("build-book", "--policy", "same"))
    assert said == "Error: found policy 'same' in another and one; uninstall one of them"
    assert run("build-book", "--pegs", 2, "--policy", "entropy").code == 0
    assert list(POLICIES).count("entropy") == 1


def test_what_is_no_text_is_no_name() -> None:
    """A header may hold anything where a name belongs."""
    for registry in (POLICIES, GAMES, PRESETS, FORMATS):
        assert "nothing" not in registry
        with pytest.raises(KeyError):
            _ = registry["nothing"]

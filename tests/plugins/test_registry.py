"""Plugins that add a policy, a game, a preset or a form are found by name."""

from __future__ import annotations

import json
import sys
import warnings
from importlib import metadata
from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from tests.helpers.command import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command import Run
    from tests.plugins.installed import Install

# Entry points of broken plugins: a number, and a class that is not a policy.
WRONG = 42
NO_POLICY = dict


def loaded() -> set[str]:
    """Return the imported modules of plugins."""
    return {name for name in sys.modules if name.startswith("guessbook_")}


def test_built_in_names_do_not_search_entry_points(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def entry_points(**options: Any) -> list[metadata.EntryPoint]:
        asked.append(options["group"])
        return []

    monkeypatch.setattr(metadata, "entry_points", entry_points)
    monkeypatch.syspath_prepend("/nowhere")  # a new path bypasses the cache of entry points
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
        assert asked == [], command
    assert run("build-book", "--policy", "last").code == 2
    assert asked == ["guessbook.policies"]


@pytest.mark.usefixtures("packages")
def test_plugins_are_suggested_by_name_but_loaded_only_on_use(run: Run) -> None:
    for command, name in {
        ("build-book", "--policy", "lats"): "last",
        ("compare", "lats"): "last",
        ("build-book", "--preset", "derbi"): "derby",
        ("info", "derbi"): "derby",
        ("export", "--to", "markdwn"): "markdown",
    }.items():
        assert name in one_line(run(*command)), command
    assert loaded() == set()
    policy = gb.make_policy("last:skip=1")
    assert loaded() == {"guessbook_last"}
    assert (str(policy), repr(policy)) == ("last:skip=1", "make_policy('last', skip=1)")
    assert gb.make_policy(str(policy)) == policy
    assert "derby" in [preset.name for preset in gb.presets()]


@pytest.mark.usefixtures("packages")
def test_policy_game_and_form_plugins_work_together(run: Run, tmp_path: Path) -> None:
    built = run("build-book", "--preset", "derby", "--policy", "last:skip=1", "--json")
    assert built.code == 0, built
    known = json.loads(built.out)
    assert (known["game"], known["policy"], known["options"]) == ("race-5", "last", {"skip": 1})
    with gb.open(tmp_path / known["path"]) as book:
        assert book.to_bytes() == gb.build(book.game, "last", skip=1).to_bytes()
        text = book.export("markdown")
    assert text.startswith("# race-5, last\n\n- edcab\n  - 0: ")
    assert len(text.splitlines()) == known["nodes"] + 2
    assert run("export", known["path"], "--depth", 1, "-o", "tree.md").code == 0
    assert (tmp_path / "tree.md").read_text() == "# race-5, last\n\n- edcab\n"
    assert run("verify", known["path"], "--policy").code == 0
    assert run("hint", known["path"], "abcde=1").code == 0
    assert "last:skip=2" in run("compare", "--preset", "derby", "last:skip=2", "parts").out
    one_line(run("compare", "last:skip=1001"))
    one_line(run("export", known["path"], "--to", "markdown", "--uncompressed"))


@pytest.mark.parametrize(
    "place",
    [
        "nowhere_at_all:KIND",
        *(f"{__name__}:{name}" for name in ("MISSING", "WRONG", "NO_POLICY")),
    ],
)
def test_broken_plugin_is_named_and_does_not_affect_others(
    run: Run, install: Install, place: str
) -> None:
    for group in ("policies", "games", "presets", "forms"):
        install("bad", group, bad=place)
    for command in (
        ("build-book", "--policy", "bad"),
        ("build-book", "--preset", "bad"),
        ("compare", "bad:x=1"),
        ("export", "--to", "bad"),
    ):
        assert "of the package bad" in one_line(run(*command)), command
    with pytest.raises(gb.UsageError, match="unknown game 'mastermynd'"):
        gb.build("mastermynd")
    assert run("build-book", "--pegs", 2).code == 0
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        listed = run("presets")
    assert (listed.code, "bagels" in listed.out, "bad" in listed.out) == (0, True, False)
    assert listed.err.startswith("Warning: preset 'bad' of the package bad")
    with pytest.warns(UserWarning, match="of the package bad"):
        assert "bad" not in [preset.name for preset in gb.presets()]


def test_duplicate_plugin_name_is_rejected_and_built_in_names_win(
    run: Run, install: Install
) -> None:
    for package in ("one", "another"):
        install(package, "policies", same=f"{__name__}:WRONG", entropy=f"{__name__}:WRONG")
    said = one_line(run("build-book", "--policy", "same"))
    assert "another" in said
    assert "one" in said
    assert run("build-book", "--pegs", 2, "--policy", "entropy").code == 0


@pytest.mark.usefixtures("packages")
def test_file_ending_of_several_forms_needs_the_name_of_a_form(run: Run, install: Install) -> None:
    install("one_more", "forms", notes="guessbook_markdown:FORM")
    said = one_line(run("export", "-o", "tree.md"))
    assert (
        "several forms have the file extension '.md'; add --to with one of markdown, notes" in said
    )

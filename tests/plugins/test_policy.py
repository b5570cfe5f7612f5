"""Policies from plugins, and books of a policy that is no longer installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import guessbook as gb
from tests.plugins.installed import assert_guesses_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.helpers.command import Run
    from tests.plugins.installed import Install


class _Width(NamedTuple):
    width: int = 2


class Nth(gb.Policy, _Width):
    """Guess candidate number `width`, counted from 1, or the last one if there are fewer."""

    options = ("width",)

    @property
    def name(self) -> str:
        return type(self).__name__.lower()

    def choose(self, game: gb.Game, history: Any, candidates: Sequence[str]) -> int:
        return game.guesses.index(candidates[: self.width][-1])


class First(Nth):
    """Guess the first candidate; as a tuple, it equals `Nth`."""

    def choose(self, game: gb.Game, history: Any, candidates: Sequence[str]) -> int:
        return game.guesses.index(candidates[0])


class Stuck(Nth):
    """Always make the same guess."""

    def choose(self, game: gb.Game, history: Any, candidates: Sequence[str]) -> int:
        return 0


GAMES = [
    gb.Mastermind(3, 4),
    gb.WordGame(["crane", "crate", "trace", "slate", "stale", "least"], ["speed", "erase"]),
]


@pytest.fixture
def policies(install: Install) -> None:
    """Register the three policies of this module as a plugin."""
    names = {name: f"{__name__}:{name.title()}" for name in ("nth", "first", "stuck")}
    install("some_policies", "policies", **names)


@pytest.mark.usefixtures("policies")
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_book_and_live_hints_follow_plugin_policy(game: gb.Game, tmp_path: Path) -> None:
    assert_guesses_of(First(), gb.build(game, "first"))
    books = [gb.build(game, "nth", width=2, jobs=jobs) for jobs in (1, 3)]
    assert books[0].to_bytes() == books[1].to_bytes()
    assert_guesses_of(Nth(), books[0])
    books[0].save(tmp_path / "nth.book")
    with gb.open(tmp_path / "nth.book") as book:
        assert (book.stats.policy, book.stats.options) == ("nth", {"width": 2})
        guess, secret = game.guesses[-1], game.secrets[0]
        told = game.feedback_number(guess, secret)
        fitting = [s for s in game.secrets if game.feedback_number(guess, s) == told]
        hint = book.hint([(guess, game.format_feedback(told))])
        assert (hint.source, hint.remaining) == ("live", len(fitting))
        assert hint.guess == game.guesses[Nth().choose(game, [], fitting)]


@pytest.mark.usefixtures("policies")
def test_commands_accept_plugin_policy(run: Run) -> None:
    size = ["--pegs", 3, "--colors", 4]
    name = "mastermind-3x4-nth-width-3.book"
    for command, said in (
        (["build-book", *size, "--policy", "nth", "--width", 3], name),
        (["verify", name, "--policy"], "guess by nth (width 3)"),
        (["compare", *size, "nth", "nth:width=3", "parts"], "nth:width=3"),
        (["hint", name, "GGG=0,0"], "source"),
        (["explain", name, "GGG=0,0"], "bits"),
    ):
        result = run(*command)
        assert (result.code, said in result.out) == (0, True), result


@pytest.mark.usefixtures("packages", "policies")
@pytest.mark.parametrize(("policy", "limited"), [("nth", False), ("last", True)])
def test_entropy_ranks_alternatives_for_plugin_policy(policy: str, limited: bool) -> None:
    explained = gb.Session(gb.Mastermind(3, 4), [("RRY", "1,0")], policy=policy).explain()
    assert explained.ranked_by == "entropy"
    assert all(one.candidate for one in explained.alternatives) == limited


@pytest.mark.usefixtures("policies")
def test_plugin_policy_that_repeats_a_guess_raises_build_error() -> None:
    with pytest.raises(gb.BuildError):
        gb.build(gb.Mastermind(3, 4), "stuck")


OFF = ["GGG=0,0"]


@pytest.fixture
def lost(install: Install, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> gb.Book:
    """A book, saved as lost.book, whose policy is no longer installed."""
    with monkeypatch.context() as patch:
        patch.syspath_prepend(tmp_path)
        install("some_policies", "policies", nth=f"{__name__}:Nth")
        gb.build(gb.Mastermind(3, 4), "nth", width=3).save(tmp_path / "lost.book")
    monkeypatch.undo()
    return gb.open((tmp_path / "lost.book").read_bytes())


def test_book_works_without_its_policy_plugin(lost: gb.Book, run: Run) -> None:
    assert lost.hint().source == "book"
    assert gb.open(lost.to_bytes()).stats == lost.stats
    assert "nth" in lost.export("json")
    for command, said in {
        ("info", "lost.book"): "not known here: 'nth' ('width' 3)",
        ("verify", "lost.book"): "64 of 64 solved",
        ("simulate", "lost.book"): "played      64 of 64 secrets",
        ("run", "lost.book", "--secret", "GYB", "--shuffle"): "GYB found in",
        ("tree", "lost.book", "--depth", 1): "mastermind-3x4, not known here: 'nth': 64 secrets",
        ("explain", "lost.book", *OFF, "RYB"): "bits expected",
        ("rate", "lost.book", *OFF, "RYB"): "skill",
        ("review", "lost.book", *OFF): "skill",
        ("compare", "lost.book", "parts"): "lost.book",
        ("report", "lost.book", "-o", "-"): "not known here: ",
        ("play", "lost.book", "--secret", "GYB"): "Solved in 2 guesses.",
    }.items():
        result = run(*command, lines="?\nRRY\nGYB\n")
        assert (result.code, result.err) == (0, ""), (command, result)
        assert said in result.out, (command, result)


@pytest.mark.usefixtures("lost")
def test_commands_that_need_missing_policy_name_it(run: Run) -> None:
    for command in (["hint", *OFF], ["explain", *OFF], ["verify", "--policy"]):
        result = run(command[0], "lost.book", *command[1:])
        assert (result.code, "'nth'" in result.err) == (2, True), result
    result = run("solve", "lost.book", *OFF, lines="list\nquit\n")
    assert "'nth'" in result.out + result.err
    with pytest.raises(gb.UsageError, match="use one of entropy, "):
        gb.make_policy("nth")

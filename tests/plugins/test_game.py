"""A game from a plugin, in builds, hints, exports and commands."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from tests.helpers.command import one_line
from tests.plugins.installed import assert_guesses_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command import Run

POLICIES = [
    "entropy",
    "expected",
    "minimax",
    "parts:consistent-only",
    "consistent:random-seed=7",
    "positional",
    "rollout:width=3",
    "rollout:base=parts,width=3,consistent-only",
    "lookahead:base=entropy,depth=2,width=3",
    "optimal:base=parts",
    "win:within=3",
]


@pytest.fixture
def game(packages: None) -> Any:
    """A game of the plugin; its module exists only while the plugin is installed."""
    return import_module("guessbook_race").Race(4)


@pytest.fixture
def book(game: Any, tmp_path: Path) -> gb.Book:
    """A book of the game, saved as race.book where the commands run."""
    built = gb.build(game)
    built.save(tmp_path / "race.book")
    return built


@pytest.mark.parametrize("described", POLICIES)
def test_builds_of_plugin_game_follow_each_policy(game: Any, described: str) -> None:
    books = [gb.build(game, described, jobs=jobs) for jobs in (1, 3)]
    assert books[0].to_bytes() == books[1].to_bytes()
    assert_guesses_of(gb.make_policy(described), books[0])


def test_plugin_game_survives_save_and_open(book: gb.Book, game: Any, tmp_path: Path) -> None:
    with gb.open(tmp_path / "race.book") as again:
        assert again.game == game
        assert again.to_bytes() == book.to_bytes()


@pytest.mark.parametrize("pure", ["", "1"])
def test_hints_for_plugin_game_follow_policy(
    book: gb.Book, game: Any, pure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUESSBOOK_PURE", pure)
    policy, sources = gb.make_policy("entropy"), set()
    for secret in game.secrets[::5]:
        for guess in (book.root.guess, *game.guesses[::7]):
            told = game.feedback(guess, secret)
            hint = book.hint([(guess, told)])
            history = [(game.parse_code(guess), told)]
            fitting = [s for s in game.secrets if game.feedback(guess, s) == told]
            assert hint.remaining == len(fitting)
            if told < game.solved:
                assert game.parse_code(hint.guess) == policy.choose(game, history, fitting)
                sources.add(hint.source)
    assert sources == {"book", "live"}


def test_exports_support_plugin_game_or_reject_it(book: gb.Book, game: Any) -> None:
    for name in ("svg", "dot"):
        text = book.export(name)
        assert all(node.guess in text for node in book.root.children.values()), name
    found = json.loads(book.export("json"))
    assert found["rules"] == game.header()
    assert list(found["tree"]["children"]) == list(map(str, book.root.children))
    for name in ("c", "python", "html", "irving"):
        with pytest.raises(gb.UsageError):
            book.export(name)


def test_commands_accept_plugin_game(run: Run, book: gb.Book) -> None:
    first, rows = book.root.guess, ["abdc=2", "acbd=2"]
    wanted = {
        ("info", "race.book"): f"first guess  {first}",
        ("presets",): "derby",
        ("verify", "race.book", "--policy"): "guess by entropy",
        ("compare", "race.book", "parts", "rollout:width=3"): "race-4: 24 secrets",
        ("hint", "race.book"): f"guess       {first}",
        ("hint", "race.book", "dcba=1"): "source      live",
        ("explain", "race.book", "dcba=1"): "bits expected",
        ("explain", "race.book", "--pairs"): "bits",
        ("rate", "race.book", "dcba=1", "abcd"): "skill",
        ("rate", "race.book", "--pair", "abcd", "bacd"): "bits",
        ("review", "race.book", *rows): "skill",
        ("share", "race.book", "abdc=2", "abcd=4"): "Guessbook race-4 2 guesses\n\n2\n4",
        ("candidates", "race.book", *rows): "",
        ("tree", "race.book"): "race-4, entropy: 24 secrets",
        ("simulate", "race.book"): "played      24 of 24 secrets",
        ("run", "race.book", "--secret", "cabd"): "cabd found in",
        ("run", "race.book", "--secret", "cabd", "--secret", "bacd"): "2 boards in",
        ("report", "race.book", "-o", "race.html"): "race.html",
    }
    for command, said in wanted.items():
        result = run(*command)
        assert (result.code, result.err) == (0, ""), (command, result)
        assert said in result.out, (command, result.out)


def test_plugin_game_can_be_played_in_a_terminal(run: Run, book: gb.Book) -> None:
    first = book.root.guess
    for command, lines, said in (
        (["solve", "race.book"], f"?\n{first}=1\nlist\nundo\n4\n", f"{first} is the secret"),
        (["solve", "race.book", "--boards", 2], f"{first}=4\n4\n4\n", "All 2 boards are solved."),
        (["play", "race.book", "--secret", "cabd"], "abcd\n?\n:list\n:x\ncabd\n", "in 2 guesses."),
        (["hide", "race.book"], "abcd\n?\n:give-up\n", "There was no secret; "),
    ):
        result = run(*command, lines=lines)
        assert said in result.out, result
        if "play" in command:
            assert "one of 24" in result.out or "solved" in result.out, result


@pytest.mark.usefixtures("book")
def test_unsupported_features_of_plugin_game_are_rejected(run: Run) -> None:
    for command in (
        ("run", "race.book", "--secret", "cabd", "--shuffle"),
        ("export", "race.book", "--to", "c"),
        ("compare", "race.book", "entropy:hard-mode"),
        ("compare", "race.book", "mastermind-4x6"),
        ("hint", "race.book", "abce=1"),
        ("hint", "race.book", "abcd=3"),
        ("hint", "race.book", "abcd=0", "abdc=4"),
    ):
        one_line(run(*command))


class OtherWords(gb.WordGame):
    """A word game whose kind is not registered."""

    kind = "other-words"


def test_unregistered_word_game_keeps_hard_mode() -> None:
    game = OtherWords([f"{letter}ight" for letter in "lnrfmsetw"], ["flams", "wrens"])
    policy = gb.make_policy("entropy:hard-mode")
    book = gb.build(game, policy)
    assert_guesses_of(policy, book)
    assert book.to_bytes() != gb.build(game, "entropy").to_bytes()


@pytest.mark.parametrize(
    "wrong", [{"solved": 0}, {"feedback_number": lambda *_: 9}], ids=["solved", "number"]
)
def test_wrong_feedback_numbers_are_rejected(game: Any, wrong: dict[str, Any]) -> None:
    vars(game).update(wrong)
    with pytest.raises(gb.InvalidGameError):
        gb.build(game)

"""A book whose policy is not installed: all works but what has to compute a guess of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from guessbook.book import Mastermind, Strategy, UsageError, read_strategy
from guessbook.builder import build_strategy
from guessbook.export import FORMATS, export
from guessbook.lookup import open_book as opened
from guessbook.play import Session
from guessbook.policy.notation import fallback, header, policy_of
from tests.helpers.command import Run, one_line, runner

if TYPE_CHECKING:
    from pathlib import Path

POLICY: dict[str, Any] = {"name": "last", "skip": 3, "base": "moon", "proven": 100}
MISSING = "found policy 'last' in the book, expected an installed policy"
OFF = ["RRY=1,0", "GGB=1,0"]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Runs `guessbook` with some arguments, in a folder with the file last.book."""
    built = build_strategy(Mastermind(3, 4))
    Strategy(built.game, POLICY, built.tree).save(tmp_path / "last.book")
    return runner(monkeypatch, capsys, tmp_path)


def test_commands_that_need_the_tree_alone(run: Run) -> None:
    """The tree answers, plays and is described; what ranks guesses ranks by entropy."""
    for command, said in {
        ("hint", "last.book"): "source      book",
        ("hint", "last.book", "BGY=1,0"): "source      symmetry",
        ("info", "last.book"): "policy       not known here: 'last' ('skip' 3, 'base' 'moon')",
        ("verify", "last.book"): "64 of 64 solved",
        ("simulate", "last.book"): "played      64 of 64 secrets",
        ("run", "last.book", "--secret", "GYB"): "GYB found in",
        ("run", "last.book", "--secret", "GYB", "--shuffle"): "GYB found in",
        ("run", "last.book", "--secret", "GYB", "--secret", "RRR"): "2 boards in",
        ("tree", "last.book", "--depth", 1): "mastermind-3x4, last: 64 secrets",
        ("explain", "last.book"): "bits expected",
        ("explain", "last.book", *OFF, "RYG"): "bits expected",
        ("rate", "last.book", *OFF, "RYG"): "skill",
        ("candidates", "last.book", *OFF): "YGY",
        ("share", "last.book", *OFF): "mastermind-3x4 2 guesses",
        ("review", "last.book", *OFF): "skill",
        ("compare", "last.book", "parts"): "last.book",
        ("report", "last.book", "-o", "-"): "not known here: ",
        ("report", "last.book", "-o", "-", "--compare", "last.book"): "not known here: ",
    }.items():
        result = run(*command)
        assert (result.code, result.err) == (0, ""), (command, result)
        assert said in result.out, (command, result)


def test_commands_that_play(run: Run) -> None:
    """A person can play with it and against it."""
    result = run("solve", "last.book", lines="1,0\n?\nlist\nundo\n3,0\n")
    assert "is the secret" in result.out, result
    result = run("play", "last.book", "--secret", "GYB", lines="?\nRRY\nGYB\n")
    assert "GYB is the secret. Solved in 2 guesses." in result.out, result
    assert run("hide", "last.book", lines="RRY\n:give-up\n").code == 0


def test_hints_off_the_book_say_what_is_missing(run: Run) -> None:
    """One line says that the policy is the book's, and why it is needed."""
    for command in (("hint", "last.book", *OFF), ("explain", "last.book", *OFF)):
        assert one_line(run(*command)) == f"Error: {MISSING}; hints off the book need this policy"
    result = run("verify", "last.book", "--policy")
    assert (
        result.err
        == f"Error: {MISSING}; to verify the book without its policy, omit the option `policy`\n"
    )
    result = run("solve", "last.book", *OFF, lines="list\nquit\n")
    assert MISSING[1:] in result.out + result.err, result


def test_the_header_stays_as_it_is(run: Run, tmp_path: Path) -> None:
    """What is read from a file and saved again is the same file."""
    book = read_strategy(tmp_path / "last.book")
    assert book.policy == POLICY
    assert book.to_bytes() == (tmp_path / "last.book").read_bytes()
    assert header(fallback(book.policy)) == POLICY
    assert opened(book).to_bytes() == book.to_bytes()
    for name in FORMATS.keys() - {"irving"}:
        assert "last" in export(book, name), name


def test_its_limits_hold(run: Run, tmp_path: Path) -> None:
    """A limit in the header means the same under every policy: it limits what is ranked."""
    rule = fallback({"name": "last", "consistent_only": True, "hard_mode": False}).rule
    assert rule is not None
    assert (rule.name, rule.consistent_only, rule.hard_mode) == ("entropy", True, False)
    assert not Session(opened(tmp_path / "last.book")).hard


@pytest.mark.parametrize("described", ["last", {"name": "last"}])
def test_what_is_asked_for_is_no_matter_of_a_book(described: str | dict[str, object]) -> None:
    """Where somebody names a policy the message lists those that there are."""
    for ask in (policy_of, lambda policy: Session(Mastermind(2, 2), policy=policy)):
        with pytest.raises(UsageError, match=r"found policy 'last', expected one of entropy, "):
            ask(described)


def test_an_option_that_is_not_known_here() -> None:
    """A newer version may know it: its tree answers, and a live hint names the option."""
    built = build_strategy(Mastermind(3, 4))
    book = opened(Strategy(built.game, {"name": "parts", "moon": 3}, built.tree))
    assert book.hint().source == "book"
    with pytest.raises(UsageError, match=r"option 'moon' of policy parts.*; hints off the book"):
        book.hint(OFF)

"""The commands that look at a book: `info` and `verify`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.book import Strategy
from guessbook.book.tree import Columns, Tree
from tests.helpers.command import KEYS

if TYPE_CHECKING:
    from pathlib import Path
from tests.helpers.command import Run, one_line


def test_info(run: Run, book_file: Path, small_book: Strategy) -> None:
    """`info` says what a book is; its JSON has the keys that scripts rely on."""
    known = small_book.stats
    data = json.loads(run("info", book_file, "--json").out)
    assert list(data) == KEYS
    assert data["path"] == str(book_file)
    assert data["bytes"] == book_file.stat().st_size
    assert data["mean_guesses"] == data["total_guesses"] / data["secrets"]
    assert sum(int(n) * s for n, s in data["distribution"].items()) == known.total_guesses
    result = run("info", book_file)
    assert result.code == 0
    for words in ("mastermind-3x4", "minimax", f"{known.nodes}", f"{known.mean_guesses:.4f}"):
        assert words in result.out


@pytest.mark.parametrize("command", ["info", "verify", "hint --book"])
def test_what_is_no_book_exits_3(run: Run, command: str, tmp_path: Path, book_file: Path) -> None:
    """Foreign and truncated files are exit code 3, a missing one is 2; all in one line."""
    foreign, cut = tmp_path / "foreign.book", tmp_path / "cut.book"
    foreign.write_text("Not a book at all.\n")
    cut.write_bytes(book_file.read_bytes()[:-9])
    for path in (foreign, cut):
        result = run(*command.split(), path)
        assert result.code == 3
        one_line(result)
    missing = run(*command.split(), tmp_path / "missing.book")
    assert missing.code == 2
    one_line(missing)


def test_verify_proves_good_books(
    run: Run, small_books: dict[str, Strategy], tmp_path: Path
) -> None:
    """Books as they are built pass every check, that of the policy as well."""
    for book in small_books.values():
        path = tmp_path / "a.book"
        book.save(path)
        result = run("verify", path, "--policy", "--json")
        data = json.loads(result.out)
        assert result.code == 0
        assert data["passed"] is True
        names = ["secrets", "candidates", "statistics", "policy"]
        assert [check["name"] for check in data["checks"]] == names
        assert all(check["passed"] for check in data["checks"])


def tampered(book: Strategy, column: str, node: int, value: int) -> Strategy:
    """A book whose tree differs in one integer."""
    tree = book.tree
    columns = {name: list(getattr(tree, name)) for name in Columns._fields}
    columns[column][node] = value
    changed = Tree(Columns(**columns), len(book.game.guesses), book.game.feedbacks)
    return Strategy(book.game, book.policy, changed)


def test_verify_finds_a_wrong_guess_of_a_leaf(
    run: Run, small_book: Strategy, tmp_path: Path
) -> None:
    """A leaf that guesses another code leaves a secret unsolved: exit code 1, and it is named."""
    tree = small_book.tree
    leaf = next(i for i in range(len(tree)) if tree.candidates[i] == 1)
    path = tmp_path / "a.book"
    tampered(small_book, "guess", leaf, (tree.guess[leaf] + 1) % 64).save(path)
    result = run("verify", path)
    assert result.code == 1
    assert "FAILED  secrets: 63 of 64 solved" in result.out
    assert small_book.game.guesses[tree.guess[leaf]] in result.out
    data = json.loads(run("verify", path, "--json").out)
    assert data["passed"] is False


def test_verify_finds_another_feedback_and_false_counts(
    run: Run, small_book: Strategy, tmp_path: Path
) -> None:
    """Children under wrong feedbacks are found, and so are their candidates."""
    game, codes = small_book.game, small_book.game.secrets
    number_of = game.parse_feedback
    given = {game.feedback_number(a, b) for a in codes for b in codes} - {game.solved}
    nodes = [small_book.root, *small_book.root.children.values()]
    wrong, number = next(
        (child, other)
        for node in nodes
        for feedback, child in node.children.items()
        for other in (number_of(feedback) - 1, number_of(feedback) + 1)
        if other in given - {*map(number_of, node.children)}
    )
    path = tmp_path / "a.book"
    tampered(small_book, "feedback", wrong.index, number).save(path)
    result = run("verify", path)
    assert result.code == 1
    assert "FAILED  secrets" in result.out
    assert "FAILED  candidates" in result.out
    assert "FAILED  statistics" in result.out


def test_verify_policy_finds_another_policy(run: Run, small_book: Strategy, tmp_path: Path) -> None:
    """A good book that names another policy fails `--policy`."""
    path = tmp_path / "a.book"
    Strategy(small_book.game, {"name": "parts"}, small_book.tree).save(path)
    assert run("verify", path).code == 0
    result = run("verify", path, "--policy")
    assert result.code == 1
    assert "FAILED  policy" in result.out
    assert "the policy guesses" in result.out


def test_verify_policy_with_a_first_guess(run: Run, small_book: Strategy, tmp_path: Path) -> None:
    """A first guess in the header counts in any case of its letters, as people write it."""
    path = tmp_path / "a.book"
    true = {"name": "minimax", "first_guess": small_book.root.guess.lower()}
    Strategy(small_book.game, true, small_book.tree).save(path)
    assert run("verify", path, "--policy").code == 0


@pytest.mark.parametrize("policy", [{"name": "minimax", "mood": 1}, {"name": "luck"}])
def test_verify_policy_refuses_what_it_does_not_know(
    run: Run, small_book: Strategy, tmp_path: Path, policy: dict[str, Any]
) -> None:
    """A policy or option of a later version is exit code 2, and not said to be verified."""
    path = tmp_path / "a.book"
    Strategy(small_book.game, policy, small_book.tree).save(path)
    assert run("verify", path).code == 0
    result = run("verify", path, "--policy")
    assert result.code == 2
    assert "policy: " not in result.out
    assert "to verify the book without its policy, omit the option `policy`" in result.err


def test_options_are_shown_as_they_are_typed(run: Run) -> None:
    """What `info` and `verify --policy` say of a policy has dashes, not underscores."""
    limits = ("--policy", "optimal", "--max-guesses", 5, "--consistent-only")
    assert run("build-book", "--pegs", 2, "--colors", 3, *limits, "-o", "a.book").code == 0
    for command in (["info", "a.book"], ["verify", "a.book", "--policy"]):
        assert "optimal (base entropy, max-guesses 5, consistent-only)" in run(*command).out

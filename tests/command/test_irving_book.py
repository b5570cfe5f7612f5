"""A tree from elsewhere as a book: what it says of itself, what it can do, how it is imported."""

from __future__ import annotations

import doctest
import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from guessbook.book import Mastermind, UsageError
from guessbook.book.file.compression import decompress
from guessbook.book.imported import strategy_of
from guessbook.builder.build import build_strategy
from guessbook.lookup import open_book
from guessbook.play import Session
from guessbook.play.proof import prove
from guessbook.policy.notation import policy_of
from tests.helpers.command import KEYS, START, Run, complaint
from tests.helpers.irving import SMALL, minimax, same, text_of

if TYPE_CHECKING:
    from pathlib import Path


def test_what_the_header_says() -> None:
    """The policy is `imported` with the source that was given, and no tie rule is claimed."""
    book = open_book(strategy_of(SMALL, source="Somebody 1999").to_bytes())
    assert book.policy == {"name": "imported", "source": "Somebody 1999"}
    assert strategy_of(SMALL).policy == {"name": "imported"}
    assert b"ties" not in decompress(book.to_bytes())
    assert b"ties" in decompress(minimax().to_bytes())
    for source in ("", "two\nlines", "x" * 201):
        with pytest.raises(UsageError, match="expected a line of 1 to 200 characters"):
            strategy_of(SMALL, source=source)


def test_off_book_the_policy_is_entropy() -> None:
    """A history that the tree does not cover is answered live, by entropy."""
    book, plain = open_book(strategy_of(text_of(minimax()))), Mastermind(4, 6, symbols="123456")
    history = ["1234=1,1", "1356=0,1"]
    hint = book.hint(history)
    assert hint.source == "live"
    assert hint == Session(plain, history, "entropy").hint()
    assert book.hint(["1122=1,0"]).source == "book"
    assert book.hint(["3344=1,0"]).source == "symmetry"


def test_everything_that_looks_at_the_policy() -> None:
    """A session explains, rates and reviews with a tree from elsewhere, by entropy."""
    book = strategy_of(text_of(minimax()), source="minimax")
    session = Session(book, ["1122=1,0"])
    assert session.explain().ranked_by == "entropy"
    assert session.rate("1344").best == "1345"
    assert session.review().turns[0].best == "1234"


def test_no_rule_can_be_checked_or_built() -> None:
    """To compute the guesses of a tree from elsewhere again is refused: no rule of it is known."""
    book = strategy_of(SMALL)
    with pytest.raises(UsageError, match="without the option `policy`"):
        list(prove(book, policy=True))
    with pytest.raises(UsageError, match="without a rule"):
        build_strategy(book.game, book.policy)
    with pytest.raises(UsageError, match="without a rule"):
        policy_of("imported")


# The command.


def test_import(run: Run, tmp_path: Path) -> None:
    """`import` writes a book and prints its facts; `verify` proves it."""
    assert run("export", "mastermind-4x6", "--to", "irving", "-o", "tree.txt").code == 0
    result = run("import", "tree.txt", "--symbols", "RYGBOP", "--source", "here", "--json")
    known = json.loads(result.out)
    assert (result.code, list(known)) == (0, KEYS)
    assert known["path"] == "mastermind-4x6-imported.book"
    assert known["options"] == {"source": "here"}
    assert same(open_book(tmp_path / known["path"]), open_book("mastermind-4x6"))
    assert run("verify", known["path"]).code == 0
    assert "without the option `policy`" in run("verify", known["path"], "--policy").err
    assert "imported (source here)" in run("info", known["path"]).out
    assert "exists already" in complaint(run("import", "tree.txt"))
    assert "policy       imported\n" in run("import", "tree.txt", "--force").out


def test_the_python_of_the_page_runs(root: Path) -> None:
    """The session in Python on docs/how-to/embed/irving.md gives what the page shows."""
    results = doctest.testfile(str(root / "docs/how-to/embed/irving.md"), module_relative=False)
    assert (results.attempted, results.failed) == (3, 0)


def test_import_refuses_in_one_line(run: Run, tmp_path: Path) -> None:
    """A wrong text is exit code 3, a wrong option or file 2; nothing is written."""
    (tmp_path / "wrong.txt").write_text("9 (12: 1, 2 (23), 1;\n5 (13); 1)")
    assert "wrong.txt, line 1: found cells of 10" in complaint(run("import", "wrong.txt"), 3)
    assert "cannot read none" in complaint(run("import", "none"), 2)
    (tmp_path / "right.txt").write_text(SMALL)
    assert "3 different" in complaint(run("import", "right.txt", "--symbols", "RY"), 2)
    assert not list(tmp_path.glob("*.book"))


def test_import_reads_from_a_pipe(tmp_path: Path) -> None:
    """The name `-` means stdin."""
    done = subprocess.run(
        [*START, "import", "-", "-o", "small.book"],
        input=SMALL.encode(),
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert b"imported" in done.stdout
    assert same(open_book(tmp_path / "small.book"), strategy_of(SMALL))

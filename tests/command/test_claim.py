"""What the commands say of a book by `optimal`: proven, or an upper bound; and what they refuse."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from guessbook.book import open_book
from guessbook.book.facts import claim, proven
from guessbook.builder import build_book
from tests.helpers.command import KEYS, Run, one_line
from tests.helpers.samples import SMALL

if TYPE_CHECKING:
    from pathlib import Path

GAME = ("--pegs", 3, "--colors", 4)
CLAIMS = {
    "optimal": "proven optimal",
    "optimal:max-guesses=4": "proven optimal among those of at most 4 guesses",
    "optimal:first-guess=RRY": "proven optimal with first guess RRY",
    "optimal:consistent-only": "proven optimal where each guess may be the secret",
    "optimal:width=5,max-guesses=6": "an upper bound",
}


@pytest.mark.parametrize("policy", CLAIMS)
def test_build_info_and_report_say_it(run: Run, policy: str) -> None:
    """The claim stands where the policy does; scripts find the key `proven`."""
    made = run("build-book", *GAME, "--policy", policy, "-o", "a.book")
    assert (made.code, made.err) == (0, "")
    line = f"claim        {CLAIMS[policy]}"
    assert line in made.out.splitlines()
    assert line in run("info", "a.book").out.splitlines()
    known = json.loads(run("info", "a.book", "--json").out)
    assert known["proven"] is ("width" not in policy)
    assert set(known) == {*KEYS, "proven"}
    assert f"Its total is {CLAIMS[policy]}.</p>" in run("report", "a.book", "-o", "-").out


def test_compare_says_it(run: Run) -> None:
    """A column of the table, and the key `proven`, of policies and of books."""
    build_book(SMALL, "optimal").save("a.book")
    sources = ["a.book", "entropy", *CLAIMS]
    lines = run("compare", *sources, *GAME).out.split("\n\n")[1].splitlines()
    assert lines[0].endswith("  claim")
    said = ["proven optimal", "", *CLAIMS.values()]
    assert all(line.endswith(f"  {claim}") for line, claim in zip(lines[1:], said, strict=True))
    assert len({len(line) for line in lines}) == 1
    rows = json.loads(run("compare", *sources, *GAME, "--json").out)["policies"]
    assert [row.get("proven") for row in rows] == [True, None, True, True, True, True, False]


def test_other_policies_claim_nothing(run: Run) -> None:
    """Without a book by `optimal` nothing of it is said."""
    assert "claim" not in run("compare", "entropy", "rollout", *GAME).out
    assert "claim" not in run("info").out
    assert "proven" not in json.loads(run("info", "--json").out)
    assert "Its total" not in run("report", "-o", "-").out


def test_an_unknown_option_is_no_proof() -> None:
    """A later version may limit the search by options that this one does not know."""
    assert claim({"name": "optimal", "gap": 5}) == "an upper bound"
    assert proven({"name": "optimal", "gap": 5}) == {"proven": False}
    assert claim({"name": "optimal", "hard_mode": False}) == "proven optimal"
    assert claim({"name": "imported", "source": "optimal"}) is None


def test_max_guesses(run: Run, tmp_path: Path) -> None:
    """The option is the policy's, named in the file, and kept by the book."""
    result = run("build-book", *GAME, "--policy", "optimal", "--max-guesses", 4)
    assert result.code == 0, result.err
    (path,) = tmp_path.iterdir()
    assert path.name == "mastermind-3x4-optimal-max-guesses-4.book"
    with open_book(path) as book:
        assert book.policy == {"name": "optimal", "base": "entropy", "max_guesses": 4}
        assert book.metadata.max_guesses == 4


def test_stop_at_gap(run: Run) -> None:
    """A search that may end early says what it has proven, and so does `info` of its book."""
    options = ("--pegs", 3, "--policy", "optimal", "--stop-at-gap", "5%", "-o", "a.book")
    assert run("build-book", *options).code == 0
    with open_book("a.book") as book:
        total, bound = book.metadata.total_guesses, book.policy["proven"]
    assert 0.95 * total <= bound < total
    line = f"claim        an upper bound; no strategy needs fewer than {bound}"
    assert line in run("info", "a.book").out.splitlines()


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        ("--policy optimal --max-guesses 3", 1, "within 3 guesses"),
        ("--policy optimal --max-guesses 2 --width 4", 1, "within 2 guesses and width 4"),
        (
            "--policy optimal --max-guesses 4 --width 2 --first-guess RRR",
            1,
            "within 4 guesses with first guess RRR and width 2",
        ),
        ("--policy optimal:max-guesses=0", 2, "a whole number, 1 to 39"),
        ("--policy optimal:max-guesses=40", 2, "a whole number, 1 to 39"),
        ("--policy entropy --max-guesses 5", 2, "it is one of optimal"),
        ("--policy optimal --stop-at-gap 5", 2, "expected a part such as 0.5% or 0.005"),
        ("--policy entropy --stop-at-gap 5%", 2, "expected optimal without a width"),
        ("--policy optimal --depth 2", 2, "it is one of lookahead"),
        ("--policy optimal --hard-mode", 2, "hard mode is a rule for words"),
        ("--policy optimal --base rollout", 2, "'rollout'"),
    ],
)
def test_refused(run: Run, options: str, code: int, said: str, tmp_path: Path) -> None:
    """What makes no book is one line that says why, and no file."""
    result = run("build-book", *GAME, *options.split())
    assert said in one_line(result)
    assert result.code == code
    assert list(tmp_path.iterdir()) == []


def test_compare_refuses_the_impossible(run: Run) -> None:
    """The same where the book is only compared."""
    result = run("compare", "entropy", "optimal:max-guesses=2", *GAME)
    assert "within 2 guesses" in one_line(result)
    assert result.code == 1

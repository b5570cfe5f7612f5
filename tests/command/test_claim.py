"""What a book claims, and what its header says: told as such, checked, or refused."""

from __future__ import annotations

import json
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.book import Mastermind, Strategy, WordGame, read_strategy
from guessbook.book.summary import claim, claims, facts
from guessbook.builder import build_strategy
from guessbook.builder.growth import optimum
from guessbook.play.proof import prove
from tests.helpers.command import KEYS, Run, one_line
from tests.helpers.samples import SMALL, WORDS

if TYPE_CHECKING:
    from pathlib import Path

GAME = ("--pegs", 3, "--colors", 4)
# A policy, what its book claims in words, and within which limits; None where it claims nothing.
CLAIMS: dict[str, tuple[str, dict[str, object] | None]] = {
    "optimal": ("optimal", {}),
    "optimal:max-guesses=4": ("optimal among those of at most 4 guesses", {"max_guesses": 4}),
    "optimal:first-guess=RRY": ("optimal with first guess RRY", {"first_guess": "RRY"}),
    "optimal:consistent-only": (
        "optimal where each guess may be the secret",
        {"consistent_only": True},
    ),
    "optimal:width=5,max-guesses=6": ("an upper bound", None),
}
CHECKS = "verify --policy checks it"


def saved(policy: dict[str, Any], book: Strategy) -> None:
    """Write the tree of a book under another policy, as anybody can, to `a.book`."""
    Strategy(book.game, policy, book.tree).save("a.book")


@pytest.mark.parametrize("policy", CLAIMS)
def test_build_info_and_report_say_it(run: Run, policy: str) -> None:
    """A claim is called one wherever it stands; scripts find the key `claims`."""
    made = run("build-book", *GAME, "--policy", policy, "-o", "a.book")
    assert (made.code, made.err) == (0, "")
    said, limits = CLAIMS[policy]
    line = f"claim        {said}" + (f"; {CHECKS}" if limits is not None else "")
    assert line in made.out.splitlines()
    assert line in run("info", "a.book").out.splitlines()
    known = json.loads(run("info", "a.book", "--json").out)
    report = run("report", "a.book", "-o", "-").out
    if limits is None:
        assert list(known) == KEYS
        assert f"Its total is {said}.</p>" in report
    else:
        assert known["claims"] == {"at_least": known["total_guesses"], "limits": limits}
        assert set(known) == {*KEYS, "claims"}
        assert f"The file claims of its total: {said}; <code>guessbook {CHECKS[:15]}" in report
    assert "proven" not in made.out + report + json.dumps(known)


# A policy of `win` at the same game, and what its book claims in words.
WINS = {
    "win:within=3": "43 of 64 within 3 guesses (67.19%), proven",
    "win:within=3,width=1": "at least 41 of 64 within 3 guesses (64.06%)",
    "win:within=2,first-guess=RRR": "4 of 64 within 2 guesses (6.25%), proven with first guess RRR",
    "win:within=2,consistent-only": (
        "9 of 64 within 2 guesses (14.06%), proven where each guess may be the secret"
    ),
}


def test_what_a_book_finds_is_said(run: Run) -> None:
    """`build-book`, `info`, `report`, `compare` and `verify` say what `win` finds, and claims."""
    compared = run("compare", "entropy", *WINS, *GAME).out.splitlines()
    for row, (policy, said) in enumerate(WINS.items(), 4):
        made = run("build-book", *GAME, "--policy", policy, "-o", "a.book", "--force")
        claimed = "width" not in policy
        line = f"claim        {said}" + (f"; {CHECKS}" if claimed else "")
        assert line in made.out.splitlines()
        assert line in run("info", "a.book").out.splitlines()
        assert compared[row].endswith(f"  {said}")
        sentence = f" The file claims to find {said}; <code>" if claimed else f" It finds {said}."
        assert sentence in run("report", "a.book", "-o", "-").out
        found = next(int(word) for word in said.split() if word.isdecimal())
        known = json.loads(run("info", "a.book", "--json").out)
        assert known["found_within"] == found
        assert known.get("claims", {}).get("found_at_most", -1) == (found if claimed else -1)
        checks = run("verify", "a.book", "--policy").out.splitlines()
        within = known["options"]["within"]
        assert any(f"ok      found: {found} of 64 found within {within} " in c for c in checks)
        assert checks[-1].endswith("searched again") == claimed


@pytest.mark.parametrize(("bound", "code"), [(35, 1), (42, 1), (43, 0)])
def test_a_bound_of_what_is_found_is_searched_again(run: Run, bound: int, code: int) -> None:
    """It says from where to where the most is; the proof takes no bound below it."""
    book = build_strategy(SMALL, "win:within=3,base=minimax,width=1")
    saved({**book.policy, "found_at_most": bound}, book)
    said = f"35 to {bound} of 64 within 3 guesses (54.69% to {bound / 64:.2%})"
    if bound == 35:
        said = "35 of 64 within 3 guesses (54.69%), proven"
    assert f"claim        {said}; {CHECKS}" in run("info", "a.book").out.splitlines()
    known = json.loads(run("info", "a.book", "--json").out)
    assert known["claims"] == {"found_at_most": bound, "limits": {}}
    assert "found_at_most" not in known["options"]
    claim = f"no strategy finds more than {bound} within 3 guesses"
    assert f"skipped claim: {claim}: checked only with --policy" in run("verify", "a.book").out
    result = run("verify", "a.book", "--policy")
    better = f"FAILED  claim: found a strategy that finds 43, the file says {claim}"
    assert (better if code else f"ok      claim: {claim}: searched again") in result.out
    assert result.code == code


def test_what_is_found_is_by_weight() -> None:
    """Where secrets have weights a book finds, and claims, weight."""
    game = WordGame(WORDS, weights=[9, 1, 4, 2, 7, 1, 1, 3, 5, 2])
    book = build_strategy(game, "win:within=2")
    found = book.stats.found_within
    assert found == sum(book.stats.weight_distribution[:2]) > sum(book.stats.distribution[:2])
    assert (
        claim(facts(book)) == f"{found} of 35 by weight within 2 guesses ({found / 35:.2%}), proven"
    )
    *_, counted, _, last = prove(book, policy=True)
    assert counted.found == f"{found} of 35 by weight found within 2 guesses, {found / 35:.2%}"
    assert (
        last.found
        == f"no strategy finds more than {found} by weight within 2 guesses: searched again"
    )
    assert all(check.passed for check in prove(book, policy=True))


def test_compare_says_it(run: Run) -> None:
    """A column of the table, and the key `claims`, of policies and of books."""
    build_strategy(SMALL, "optimal").save("a.book")
    sources = ["a.book", "entropy", *CLAIMS]
    lines = run("compare", *sources, *GAME).out.split("\n\n")[1].splitlines()
    assert lines[0].endswith("  claim")
    said = ["optimal", "", *(words for words, _ in CLAIMS.values())]
    assert all(line.endswith(f"  {words}") for line, words in zip(lines[1:], said, strict=True))
    assert len({len(line) for line in lines}) == 1
    rows = json.loads(run("compare", *sources, *GAME, "--json").out)["books"]
    limits = [row["claims"]["limits"] if "claims" in row else None for row in rows]
    assert limits == [{}, None, *(found for _, found in CLAIMS.values())]


def test_other_policies_claim_nothing(run: Run) -> None:
    """Without a book by `optimal` nothing of it is said."""
    assert "claim" not in run("compare", "entropy", "rollout", *GAME).out
    assert "claim" not in run("info").out
    assert "claims" not in json.loads(run("info", "--json").out)
    assert "Its total" not in run("report", "-o", "-").out
    assert "claim" not in run("verify").out


@pytest.mark.parametrize(
    ("policy", "claimed"),
    [
        ({"name": "optimal", "gap": 5}, False),
        ({"name": "optimal", "width": 5}, False),
        ({"name": "optimal", "hard_mode": False}, True),
        ({"name": "win", "within": 2}, True),
        ({"name": "win", "within": 2, "width": 5}, False),
        ({"name": "win", "within": 2, "gap": 5}, False),
        ({"name": "later", "within": 2, "found_at_most": 60}, True),
        ({"name": "imported", "source": "optimal"}, False),
        ({"name": "later", "proven": 9}, True),
    ],
)
def test_what_makes_a_claim(small_book: Strategy, policy: dict[str, Any], claimed: bool) -> None:
    """A bound does, and `optimal`; not an option by which a later version may limit the search."""
    assert bool(claims(Strategy(small_book.game, policy, small_book.tree).stats)) == claimed


def test_a_claim_is_not_checked_unless_asked(run: Run) -> None:
    """`verify` says that it did not check a claim, and `--policy` proves it."""
    build_strategy(SMALL, "optimal").save("a.book")
    said = "claim: no strategy needs fewer than 206 guesses"
    result = run("verify", "a.book")
    assert result.code == 0
    assert f"skipped {said}: checked only with --policy" in result.out.splitlines()
    data = json.loads(run("verify", "a.book", "--json").out)
    assert (data["passed"], data["checks"][-1]["passed"]) == (True, None)
    proved = run("verify", "a.book", "--policy")
    assert proved.code == 0
    assert f"ok      {said}: searched again" in proved.out.splitlines()


def test_another_tree_is_not_optimal(run: Run) -> None:
    """A book that calls itself optimal, and is not, claims so, and fails its proof."""
    saved({"name": "optimal"}, build_strategy(SMALL, "minimax"))
    total = json.loads(run("info", "a.book", "--json").out)["claims"]["at_least"]
    result = run("verify", "a.book", "--policy")
    assert result.code == 1
    said = f"found a strategy of 206, the file says no strategy needs fewer than {total} guesses"
    assert f"FAILED  claim: {said}" in result.out.splitlines()


@pytest.mark.parametrize("few", [24, 1])
@pytest.mark.parametrize(
    ("policy", "least"),
    [
        ({"name": "entropy"}, 2463),
        ({"name": "rollout", "width": 3}, 2463),
        ({"name": "entropy", "first_guess": "RRRR"}, 2806),
        ({"name": "entropy", "consistent_only": True}, 2476),
    ],
)
def test_a_bound_is_searched_again(
    run: Run, monkeypatch: pytest.MonkeyPatch, policy: dict[str, Any], least: int, few: int
) -> None:
    """Whatever the policy, its bound is true up to the optimum within its limits and no further."""
    monkeypatch.setattr(optimum, "PROMISING", few)
    book = build_strategy(Mastermind(4, 5), policy)
    total = book.stats.total_guesses
    assert least < total
    for bound, code in ((0, 0), (least, 0), (least + 1, 1), (total, 1)):
        saved({**book.policy, "proven": bound}, book)
        known = json.loads(run("info", "a.book", "--json").out)
        assert known["claims"]["at_least"] == bound
        assert "proven" not in known["options"]
        result = run("verify", "a.book", "--policy")
        assert result.code == code, result
        assert ("FAILED  claim: found a strategy of" in result.out) == bool(code)
        assert "ok      policy: " in result.out


def test_a_bound_by_weight_is_searched_again() -> None:
    """Where secrets have weights a bound is in guesses by weight."""
    game = WordGame(WORDS, weights=[9, 1, 4, 2, 7, 1, 1, 3, 5, 2])
    least = build_strategy(game, "optimal").stats.weighted_guesses
    book = build_strategy(game, "positional")
    assert least < book.stats.weighted_guesses
    for bound, passed in ((least, True), (least + 1, False)):
        claiming = Strategy(game, {**book.policy, "proven": bound}, book.tree)
        *_, last = prove(claiming, policy=True)
        assert (last.name, last.passed) == ("claim", passed)
        assert "guesses by weight" in last.found


@pytest.mark.parametrize(
    "policy",
    [
        {"name": "luck", "mood": "proven best"},
        {"name": "entropy", "proven best": True},
        {"name": "rollout", "width": "20 (proven best)"},
        {"name": "rollout", "width": 0},
        {"name": "rollout", "base": "proven best"},
        {"name": "proven best"},
        {"name": "imported", "proof": "proven best"},
    ],
)
def test_what_is_not_known_is_quoted(
    run: Run, small_book: Strategy, policy: dict[str, Any]
) -> None:
    """`info` and `report` do not say as their own what this version cannot check."""
    saved(policy, small_book)
    (line,) = [line for line in run("info", "a.book").out.splitlines() if "policy" in line]
    assert line.startswith(f"policy       not known here: {policy['name']!r}")
    page = unescape(run("report", "a.book", "-o", "-").out)
    for text in (line, page):
        quoted = text.count("'proven best'") + text.count("'20 (proven best)'")
        assert quoted == text.count("proven best")
    for name, value in [*policy.items()][1:]:
        assert (repr(name) if value is True else f"{name!r} {value!r}") in line


def test_max_guesses(run: Run, tmp_path: Path) -> None:
    """The option is the policy's, named in the file, and kept by the book."""
    result = run("build-book", *GAME, "--policy", "optimal", "--max-guesses", 4)
    assert result.code == 0, result.err
    (path,) = tmp_path.iterdir()
    assert path.name == "mastermind-3x4-optimal-max-guesses-4.book"
    with read_strategy(path) as book:
        assert book.policy == {"name": "optimal", "base": "entropy", "max_guesses": 4}
        assert book.stats.max_guesses == 4


def test_stop_at_gap(run: Run) -> None:
    """A search that may end early says what it has proven, and so does `info` of its book."""
    options = ("--pegs", 3, "--policy", "optimal", "--stop-at-gap", "5%", "-o", "a.book")
    assert run("build-book", *options).code == 0
    with read_strategy("a.book") as book:
        total, bound = book.stats.total_guesses, book.policy["proven"]
    assert 0.95 * total <= bound < total
    line = f"claim        an upper bound; no strategy needs fewer than {bound}; {CHECKS}"
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
        ("--policy entropy --max-guesses 5", 2, "it is an option of optimal"),
        ("--policy optimal --stop-at-gap 5", 2, "expected a fraction such as 0.5% or 0.005"),
        (
            "--policy entropy --stop-at-gap 5%",
            2,
            "expected optimal or win without the option width",
        ),
        ("--policy optimal --depth 2", 2, "it is an option of lookahead"),
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

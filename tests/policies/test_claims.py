"""Claims of books about all strategies, their proofs, and unknown headers."""

from __future__ import annotations

import json
from html import unescape
from typing import Any

import pytest

import guessbook as gb
from tests.helpers.command import KEYS, Run
from tests.helpers.content import edited
from tests.helpers.samples import SMALL, WORDS

GAME = ("--pegs", 3, "--colors", 4)
CHECKS = "verify --policy checks it"
WEIGHED = gb.WordGame(WORDS, weights=[9, 1, 4, 2, 7, 1, 1, 3, 5, 2])
# For each policy, the claim of its book in words, and the limits of the claim.
CLAIMS: dict[str, tuple[str, dict[str, object]]] = {
    "optimal": ("optimal", {}),
    "optimal:max-guesses=4": ("optimal among those of at most 4 guesses", {"max_guesses": 4}),
    "optimal:first-guess=RRY": ("optimal with first guess RRY", {"first_guess": "RRY"}),
    "optimal:consistent-only": (
        "optimal where each guess may be the secret",
        {"consistent_only": True},
    ),
}
# For each variant of the policy `win`, what its book claims about the secrets that it finds.
FOUND = {
    "win:within=3": "43 of 64 within 3 guesses (67.19%), proven",
    "win:within=2,first-guess=RRR": "4 of 64 within 2 guesses (6.25%), proven with first guess RRR",
    "win:within=2,consistent-only": (
        "9 of 64 within 2 guesses (14.06%), proven where each guess may be the secret"
    ),
}


@pytest.mark.parametrize("policy", CLAIMS)
def test_optimality_is_shown_as_claim_not_as_proven(run: Run, policy: str) -> None:
    made = run("build-book", *GAME, "--policy", policy, "-o", "a.book")
    said, limits = CLAIMS[policy]
    line = f"claim        {said}; {CHECKS}"
    assert line in made.out.splitlines()
    assert line in run("info", "a.book").out.splitlines()
    known = json.loads(run("info", "a.book", "--json").out)
    report = run("report", "a.book", "-o", "-").out
    assert set(known) == {*KEYS, "claims"}
    assert known["claims"] == {"at_least": known["total_guesses"], "limits": limits}
    assert f"The file claims of its total: {said}; <code>guessbook {CHECKS[:15]}" in report
    assert "proven" not in made.out + report + json.dumps(known)


def test_commands_show_how_many_secrets_win_claims_to_find(run: Run) -> None:
    compared = run("compare", "entropy", *FOUND, *GAME).out.splitlines()
    for row, (policy, said) in enumerate(FOUND.items(), 4):
        made = run("build-book", *GAME, "--policy", policy, "-o", "a.book", "--force")
        line = f"claim        {said}; {CHECKS}"
        assert line in made.out.splitlines()
        assert line in run("info", "a.book").out.splitlines()
        assert compared[row].endswith(f"  {said}")
        assert f" The file claims to find {said}; <code>" in run("report", "a.book", "-o", "-").out
        found = next(int(word) for word in said.split() if word.isdecimal())
        known = json.loads(run("info", "a.book", "--json").out)
        assert known["found_within"] == found
        assert known.get("claims", {}).get("found_at_most", -1) == found
        checks = run("verify", "a.book", "--policy").out.splitlines()
        within = known["options"]["within"]
        assert any(f"ok      found: {found} of 64 found within {within} " in c for c in checks)
        assert checks[-1].endswith("searched again")


def test_comparison_shows_claims_of_policies_and_books(run: Run) -> None:
    gb.build(SMALL, "optimal").save("a.book")
    sources = ["a.book", "entropy", *CLAIMS]
    lines = run("compare", *sources, *GAME).out.split("\n\n")[1].splitlines()
    assert lines[0].endswith("  claim")
    said = ["optimal", "", *(words for words, _ in CLAIMS.values())]
    assert all(line.endswith(f"  {words}") for line, words in zip(lines[1:], said, strict=True))
    rows = json.loads(run("compare", *sources, *GAME, "--json").out)["books"]
    limits = [row["claims"]["limits"] if "claims" in row else None for row in rows]
    assert limits == [{}, None, *(found for _, found in CLAIMS.values())]


def test_policies_except_optimal_and_win_claim_nothing(run: Run) -> None:
    assert "claim" not in run("compare", "entropy", "rollout", *GAME).out
    assert "claim" not in run("info").out
    assert "claims" not in json.loads(run("info", "--json").out)
    assert "The file claims" not in run("report", "-o", "-").out
    assert "claim" not in run("verify").out


@pytest.mark.parametrize(
    ("policy", "claims"),
    [
        ({"name": "optimal", "hard_mode": False}, ["at_least", "limits"]),
        ({"name": "optimal", "gap": 5}, []),
        ({"name": "optimal", "width": 5}, []),
        ({"name": "optimal", "proven": 9}, ["at_least", "limits"]),
        ({"name": "later", "proven": 9}, ["at_least", "limits"]),
        ({"name": "imported", "source": "optimal"}, []),
        ({"name": "win", "within": 2}, ["found_at_most", "limits"]),
        ({"name": "win", "within": 2, "width": 5}, []),
        ({"name": "win", "within": 2, "gap": 5}, []),
        ({"name": "later", "within": 2, "found_at_most": 60}, ["found_at_most", "limits"]),
    ],
    ids=str,
)
def test_claim_depends_on_header_options(
    run: Run, policy: dict[str, Any], claims: list[str]
) -> None:
    edited(gb.build(SMALL), policy=policy).save("a.book")
    known = json.loads(run("info", "a.book", "--json").out)
    assert sorted(known.get("claims", {})) == claims


# Proofs.


def test_claim_is_verified_only_on_request(run: Run) -> None:
    gb.build(SMALL, "optimal").save("a.book")
    said = "claim: no strategy needs fewer than 206 guesses"
    result = run("verify", "a.book")
    assert result.code == 0
    assert f"skipped {said}: checked only with --policy" in result.out.splitlines()
    data = json.loads(run("verify", "a.book", "--json").out)
    assert (data["passed"], data["checks"][-1]["passed"]) == (True, None)
    proved = run("verify", "a.book", "--policy")
    assert proved.code == 0
    assert f"ok      {said}: searched again" in proved.out.splitlines()


def test_verify_refutes_false_claim_of_optimality(run: Run) -> None:
    book = edited(gb.build(SMALL, "minimax"), policy={"name": "optimal"})
    book.save("a.book")
    result = run("verify", "a.book", "--policy")
    assert result.code == 1
    said = f"the file says no strategy needs fewer than {book.stats.total_guesses} guesses"
    assert f"FAILED  claim: found a strategy of 206, {said}" in result.out.splitlines()


@pytest.mark.parametrize(
    ("game", "policy", "least"),
    [
        (gb.Mastermind(4, 5), "entropy", 2463),
        (gb.Mastermind(4, 5), "entropy:first-guess=RRRR", 2806),
        pytest.param(gb.Mastermind(4, 5), "entropy:consistent-only", 2476, marks=pytest.mark.slow),
        # More than 24 openings, which tasks try one by one.
        (gb.WordGame([a + b + c for a in "bcfhl" for b in "aeo" for c in "tnr"]), "parts", 0),
        (WEIGHED, "positional", 0),
    ],
)
def test_verify_accepts_lower_bounds_up_to_optimum(game: gb.Game, policy: str, least: int) -> None:
    book = gb.build(game, policy)
    least = least or gb.build(game, "optimal").stats.weighted_guesses
    assert least <= book.stats.weighted_guesses
    for bound in sorted({0, least, least + 1, book.stats.weighted_guesses}):
        if bound > book.stats.weighted_guesses:
            continue
        verified = edited(book, policy={**book.policy, "proven": bound}).verify(policy=True)
        last = verified.checks[-1]
        assert (last.name, last.passed) == ("claim", bound <= least)
        assert verified.passed is (bound <= least)


@pytest.mark.parametrize("bound", [35, 42, 43])
def test_verify_rejects_win_bound_below_maximum(run: Run, bound: int) -> None:
    book = gb.build(SMALL, "minimax")
    claim = {"within": 3, "found_at_most": bound}
    edited(book, policy={**book.policy, **claim}).save("a.book")
    said = f"35 to {bound} of 64 within 3 guesses (54.69% to {bound / 64:.2%})"
    if bound == 35:
        said = "35 of 64 within 3 guesses (54.69%), proven"
    assert f"claim        {said}; {CHECKS}" in run("info", "a.book").out.splitlines()
    known = json.loads(run("info", "a.book", "--json").out)
    assert known["claims"] == {"found_at_most": bound, "limits": {}}
    assert "found_at_most" not in known["options"]
    result = run("verify", "a.book", "--policy")
    assert result.code == (bound < 43)
    verdict = "found a strategy that finds 43" if bound < 43 else "searched again"
    assert verdict in result.out


@pytest.mark.parametrize(
    "policy",
    ["entropy:first-guess=RRR", "lookahead", "rollout", "optimal:max-guesses=5", "consistent"],
)
def test_win_bound_in_header_does_not_change_policy(run: Run, policy: str) -> None:
    book = gb.build(SMALL, policy)
    claimed = edited(book, policy={**book.policy, "within": 2, "found_at_most": 60})
    claimed.save("a.book")
    assert claimed.verify(policy=True).passed
    history = ["RRY=0,1", "GGB=1,0"]
    assert claimed.hint(history) == book.hint(history)
    assert claimed.hint(history).source == "live"
    book.save("b.book")
    lines = [run("info", name).out.splitlines()[2] for name in ("a.book", "b.book")]
    assert lines[0] == lines[1]
    assert lines[0].startswith("policy       ")


def test_found_secrets_are_counted_by_weight() -> None:
    book = gb.build(WEIGHED, "win:within=2")
    found = book.stats.found_within
    assert found == sum(book.stats.weight_distribution[:2]) > sum(book.stats.distribution[:2])
    verified = book.verify(policy=True)
    assert verified.passed
    assert f"{found} of 35 by weight found within 2 guesses" in str(verified)


# Headers that this version does not know.


@pytest.mark.parametrize("name", ["optimal", "win:within=3"])
def test_older_book_with_a_width_claims_only_a_bound(run: Run, name: str) -> None:
    book = gb.build(SMALL, name)
    edited(book, policy={**book.policy, "width": 5}).save("a.book")
    said = {
        "optimal": "an upper bound",
        "win:within=3": "at least 43 of 64 within 3 guesses (67.19%)",
    }
    lines = run("info", "a.book").out.splitlines()
    assert f"claim        {said[name]}" in lines
    assert "claims" not in json.loads(run("info", "a.book", "--json").out)
    with gb.open("a.book") as old:
        assert old.hint().guess == book.root.guess
        with pytest.raises(gb.UsageError, match="width"):
            old.hint([("RRR", "0,0"), ("YYY", "0,0"), ("GGG", "1,0")])
    found = run("verify", "a.book", "--policy")
    assert found.code != 0
    assert "width" in found.err


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
    ids=str,
)
def test_unknown_policy_in_header_is_quoted(run: Run, policy: dict[str, Any]) -> None:
    edited(gb.build(SMALL), policy=policy).save("a.book")
    (line,) = [line for line in run("info", "a.book").out.splitlines() if "policy" in line]
    assert line.startswith(f"policy       not known here: {policy['name']!r}")
    page = unescape(run("report", "a.book", "-o", "-").out)
    for text in (line, page):
        quoted = text.count("'proven best'") + text.count("'20 (proven best)'")
        assert quoted == text.count("proven best")
    for name, value in [*policy.items()][1:]:
        assert (repr(name) if value is True else f"{name!r} {value!r}") in line


@pytest.mark.parametrize("name", ["proven best", "Entropy", "optimal (proven)"])
def test_unknown_policy_name_is_quoted_everywhere(run: Run, name: str) -> None:
    book = edited(gb.build(SMALL), policy={"name": name})
    book.save("a.book")
    quoted = f"not known here: {name!r}"
    for command in (["tree"], ["simulate"], ["report", "-o", "-"]):
        assert quoted in unescape(run(command[0], "a.book", *command[1:]).out)
    for form in ("svg", "dot", "python"):
        assert quoted in unescape(book.export(form))
    assert "not known here. ." in book.export("c")
    known = gb.build(SMALL, "minimax")
    assert f"{SMALL.name}, minimax: " in known.export("dot")

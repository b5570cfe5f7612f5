"""The records: the page is what the script writes, and claims nothing that is known to be wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from benchmarks import records
from benchmarks.bounds import lower_bound
from benchmarks.games import table
from benchmarks.records_picture import picture
from benchmarks.records_plan import plan
from guessbook.book import Mastermind
from guessbook.command.options import policy_map
from tests.helpers.oracle import optima

if TYPE_CHECKING:
    from pathlib import Path

PLAN = {row.name: row for row in plan()}


def finished() -> dict[str, dict[str, Any]]:
    """The records that are made, without those that took too long."""
    return {name: record for name, record in records.stored().items() if "sha256" in record}


def fewest() -> dict[str, dict[str, Any]]:
    """The finished records that are compared by the fewest guesses, not by what `win` finds."""
    return {name: record for name, record in finished().items() if PLAN[name].within is None}


def test_the_page_is_what_the_script_writes() -> None:
    """Nobody edits docs/explanation/records.md by hand."""
    due = (
        "docs/explanation/records.md is out of date: run `python -m benchmarks.records --minutes 0`"
    )
    assert records.PAGE.read_text("utf-8") == records.page(records.stored()), due
    drawn = picture(records.points(records.stored()))
    assert records.PICTURE.read_text("utf-8") == drawn, due


def test_every_record_is_of_the_plan() -> None:
    """A record has the command, the game and the policy of its row."""
    assert len(PLAN) == len(plan())
    assert finished()
    for name, record in finished().items():
        assert record["command"] == PLAN[name].command, "run `python -m benchmarks.records`"
        assert record["game"] == PLAN[name].game
        asked, *gap = PLAN[name].policy.split(" --stop-at-gap ")
        if gap and name in fewest():
            total, bound = record["total_guesses"], record["policy"]["proven"]
            assert record["at_least"] == bound
            assert total - bound <= float(gap[0].rstrip("%")) / 100 * total
        elif not gap:
            assert record["policy"] | policy_map(asked) == record["policy"]


def test_what_is_proven_is_the_optimum() -> None:
    """A proven total is the one that is known, and no other total is below it."""
    for name, record in fewest().items():
        row = PLAN[name]
        if row.code not in optima():
            continue
        least = optima()[row.code]
        assert record["total_guesses"] >= least
        if record["proven"] and row.limit is None:
            assert record["total_guesses"] == least
        assert row.limit is None or record["max_guesses"] <= row.limit


def test_only_optimal_play_without_a_width_counts_as_proven() -> None:
    """What stands as proven, or not, follows from the policy."""
    for record in fewest().values():
        policy = record["policy"]
        assert record["proven"] == (policy["name"] == "optimal" and "width" not in policy)
        assert record.get("at_least", 0) <= record["total_guesses"]


def test_what_is_worse_says_so() -> None:
    """A row that needs more guesses than the best strategy known elsewhere has the word "worse"."""
    lines = records.page(records.stored()).partition("\n## Most")[0].splitlines()
    for name, record in fewest().items():
        other = records.known(PLAN[name])
        (line,) = (line for line in lines if line.startswith(f"| {name} | {record['secrets']:,} |"))
        least = record["total_guesses"] if other is None else other.total_guesses + other.error
        assert ("worse" in line) == (record["total_guesses"] > least)


def test_what_is_found_is_the_most_that_is_known() -> None:
    """What stands as the most is what other programs found, and a bound is above what is found."""
    known = {"3x4": {2: 9, 3: 43}, "3x6": {3: 52, 4: 180}, "4x6": {3: 132, 4: 768}}
    known |= {"4 of 10 (Bulls and Cows)": {4: 864}, "Wordle": {2: 150, 3: 1388}}
    for game, most in known.items():
        for within, found in most.items():
            record = finished()[f"{game}, most within {within}"]
            assert (record["proven"], record["found_within"]) == (True, found)
    for name, record in finished().items():
        if PLAN[name].within is not None and not record["proven"]:
            assert record["found_within"] < record["found_at_most"] <= record["secrets"]


def test_a_bound_of_what_is_found_is_kept() -> None:
    """A search to the end proves what it finds, one that ends at a gap its bound."""
    row = PLAN["3x4, most within 3"]
    record = records.made(row)
    assert (record["found_within"], record["proven"]) == (43, True)
    assert "| 43 | 67.19% | the most (proven) |" in records.most(row, record)
    ended = records.proof(row, {"found_within": 41, "claims": {"found_at_most": 45}})
    assert ended == {"found_within": 41, "proven": False, "found_at_most": 45}
    assert "| 41 | 64.06% | at least; at most 45 (proven) |" in records.most(row, record | ended)


def test_totals_are_compared_within_what_is_known() -> None:
    """An average with four decimals leaves a total open by a few guesses."""
    other = records.Known(1000, 2, "entropy", "somebody")
    assert str(other) == "about 1,000, entropy (somebody)"
    assert records.against(1002, other) == "the same"
    assert records.against(1003, other) == "about 3 more: worse"
    assert records.against(990, other._replace(error=0)) == "10 fewer"
    assert records.against(990, None) == ""


def test_the_best_known_strategy_keeps_the_limits_of_its_row() -> None:
    """A limit on the worst case, and hard mode, leave other strategies out."""
    best = {name: other for name, row in PLAN.items() if (other := records.known(row))}
    assert best["4x6"].total_guesses == 5625
    assert best["4x6 within 5"].total_guesses == 5626
    assert best["5x8"].total_guesses == 179274
    assert best["Wordle, salet"].total_guesses == 7920
    assert best["Wordle, hard mode, salet"].total_guesses == 8122
    assert {fact["record"] for fact in table(records.KNOWN)} <= set(PLAN)


@pytest.mark.parametrize("code", list(optima()))
def test_a_lower_bound_is_below_the_optimum(code: tuple[int, int, bool]) -> None:
    """No optimum that is known is below what counting proves."""
    game = Mastermind(*code)
    assert len(game.secrets) <= lower_bound(game) <= optima()[code]


def test_a_row_is_made_and_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A record is a build in a process of its own; a build that takes too long is one as well."""
    monkeypatch.setattr(records, "STORE", tmp_path / "records.json")
    monkeypatch.setattr(records, "PAGE", tmp_path / "records.md")
    monkeypatch.setattr(records, "PICTURE", tmp_path / "records.svg")
    row = PLAN["3x4"]._replace(policy="entropy")
    record = records.made(row)
    assert (record["game"], record["policy"]) == ("mastermind-3x4", {"name": "entropy"})
    assert not record["proven"]
    assert record["at_least"] <= 206 <= record["total_guesses"]
    stopped = records.made(PLAN["3x5"]._replace(longest=0))
    assert stopped["stopped"] == 0
    kept = {"3x4": record, "3x5": stopped}
    records.keep(kept)
    assert records.stored() == kept
    text = records.PAGE.read_text("utf-8")
    assert f"upper bound (proven at least {record['at_least']:,})" in text
    assert "- 3x5: `guessbook build-book --pegs 3 --colors 5 --policy optimal` takes more" in text


def test_a_forecast_is_of_the_rows_before() -> None:
    """How much longer a build takes with each color, by the same policy; else nothing is said."""
    took = {"3x10": {"seconds": 60.0}, "3x9": {"seconds": 6.0}}
    assert records.forecast(PLAN["3x11"], took) == 10
    assert records.forecast(PLAN["3x12"], took) is None
    assert records.forecast(PLAN["3x11"]._replace(policy="entropy"), took) is None
    told = {"3x11": records.begun(PLAN["3x11"]) | {"takes": 10.0}}
    assert "--colors 11 --policy optimal` takes about 10.0 minutes" in records.page(told)
    stopped = records.begun(PLAN["3x11"]) | {"stopped": 5}
    assert "takes more than 5, about 10.0 minutes" in records.page(
        {name: records.begun(PLAN[name]) | took.get(name, {}) | {"takes": 1.0} for name in took}
        | {"3x11": stopped}
    )

"""Records and atlas: the pages are current, and their claims agree with known results."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from benchmarks import atlas, records
from benchmarks.bounds import lower_bound
from benchmarks.games import stored, table
from benchmarks.records_picture import picture
from benchmarks.records_plan import UNFINISHED, plan
from tests.helpers.oracle import optima

if TYPE_CHECKING:
    from pathlib import Path

SLOW = pytest.mark.slow
PLAN = {row.name: row for row in plan()}


def described(options: str) -> dict[str, Any]:
    """Convert a policy from command options to the form in the header of a book.

    >>> described("rollout:width=5 --hard-mode")
    {'name': 'rollout', 'width': 5, 'hard_mode': True}
    """
    name, *words = re.split(r"[:,]| --", options)
    found: dict[str, Any] = {"name": name}
    for word in words:
        key, _, value = word.replace(" ", "=").partition("=")
        found[key.replace("-", "_")] = int(value) if value.isdigit() else value or True
    return found


def finished() -> dict[str, dict[str, Any]]:
    """The records of finished builds, without builds that took too long."""
    return {name: record for name, record in records.stored().items() if "sha256" in record}


def fewest() -> dict[str, dict[str, Any]]:
    """The finished records that compare total guesses, without the records of `win`."""
    return {name: record for name, record in finished().items() if PLAN[name].within is None}


@cache
def stored_page() -> str:
    """The page for the stored records."""
    return records.page(records.stored())


def test_records_page_and_picture_are_current() -> None:
    again = "run `python -m benchmarks.records --minutes 0`"
    assert (records.FOLDER / "records.md").read_text("utf-8") == stored_page(), again
    drawn = picture(records.points(records.stored()))
    assert (records.FOLDER / "records.svg").read_text("utf-8") == drawn, again


def test_record_matches_its_row_of_the_plan() -> None:
    assert len(PLAN) == len(plan())
    assert finished()
    for name, record in finished().items():
        assert record["command"] == PLAN[name].command, "run `python -m benchmarks.records`"
        assert record["game"] == PLAN[name].game.name
        asked, *gap = PLAN[name].policy.split(" --stop-at-gap ")
        if gap and name in fewest():
            total, bound = record["total_guesses"], record["policy"]["proven"]
            assert record["at_least"] == bound
            assert total - bound <= float(gap[0].rstrip("%")) / 100 * total
        elif not gap:
            assert record["policy"] | described(asked) == record["policy"]


def test_proven_total_is_known_optimum() -> None:
    """Other totals are not below the known optimum."""
    for name, record in fewest().items():
        row = PLAN[name]
        if row.game not in optima():
            continue
        least = optima()[row.game]
        assert record["total_guesses"] >= least
        if record["proven"] and row.limit is None:
            assert record["total_guesses"] == least
        assert row.limit is None or record["max_guesses"] <= row.limit


def test_bounds_of_stopped_searches_are_in_the_records() -> None:
    for name, (_, bound, _) in UNFINISHED.items():
        assert bound == fewest()[name]["at_least"] < fewest()[name]["total_guesses"]


def test_only_optimal_is_proven() -> None:
    for record in fewest().values():
        policy = record["policy"]
        assert record["proven"] == (policy["name"] == "optimal")
        assert record.get("at_least", 0) <= record["total_guesses"]


def test_row_says_worse_if_better_strategy_is_known() -> None:
    lines = stored_page().partition("\n## Most")[0].splitlines()
    for name, record in fewest().items():
        other = records.known(PLAN[name])
        (line,) = (line for line in lines if line.startswith(f"| {name} | {record['secrets']:,} |"))
        least = record["total_guesses"] if other is None else other.total_guesses + other.error
        assert ("worse" in line) == (record["total_guesses"] > least)


def test_most_secrets_within_limit_match_other_programs() -> None:
    """If a maximum is not proven, its upper bound is above the number found."""
    known = {"3x4": {2: 9, 3: 43}, "3x6": {3: 52, 4: 180}, "4x6": {3: 132, 4: 768}}
    known |= {"4 of 10 (Bulls and Cows)": {4: 864, 6: 4990}, "Wordle": {2: 150, 3: 1388}}
    for game, most in known.items():
        for within, found in most.items():
            record = finished()[f"{game}, most within {within}"]
            assert (record["proven"], record["found_within"]) == (True, found)
    for name, record in finished().items():
        if PLAN[name].within is not None and not record["proven"]:
            assert record["found_within"] < record["found_at_most"] <= record["secrets"]


def test_complete_search_gives_proof_and_gap_gives_bound() -> None:
    row = PLAN["3x4, most within 3"]
    record = records.made(row)
    assert (record["found_within"], record["proven"]) == (43, True)
    assert "| 43 | 67.19% | the most (proven) |" in records.most(row, record)
    ended = records.proof(row, {"found_within": 41, "claims": {"found_at_most": 45}})
    assert ended == {"found_within": 41, "proven": False, "found_at_most": 45}
    assert "| 41 | 64.06% | at least; at most 45 (proven) |" in records.most(row, record | ended)


def test_rounded_averages_give_approximate_totals() -> None:
    """A total computed from an average with four decimals may be wrong by a few guesses."""
    other = records.Known(1000, 2, "entropy", "somebody")
    assert str(other) == "about 1,000, entropy (somebody)"
    assert records.against(1002, other) == "the same"
    assert records.against(1003, other) == "about 3 more: worse"
    assert records.against(990, other._replace(error=0)) == "10 fewer"
    assert records.against(990, None) == ""


def test_best_known_strategy_obeys_limits_of_row() -> None:
    """Rows with a limit on the worst case or with hard mode exclude other strategies."""
    best = {name: other for name, row in PLAN.items() if (other := records.known(row))}
    assert best["4x6"].total_guesses == 5625
    assert best["4x6 within 5"].total_guesses == 5626
    assert best["5x8"].total_guesses == 179274
    assert best["Wordle, salet"].total_guesses == 7920
    assert best["Wordle, hard mode, salet"].total_guesses == 8122
    assert {fact["record"] for fact in table(records.KNOWN)} <= set(PLAN)


@pytest.mark.parametrize(("least", "most"), [(0, 1700), pytest.param(1700, 5000, marks=SLOW)])
def test_lower_bound_does_not_exceed_known_optimum(least: int, most: int) -> None:
    games = {gb.Mastermind(*code): optimum for code, optimum in optima().items()}
    compared = {game: games[game] for game in games if least < len(game.secrets) <= most}
    assert compared
    for game, optimum in compared.items():
        assert len(game.secrets) <= lower_bound(game) <= optimum, game


def test_record_is_built_and_stored(tmp_path: Path) -> None:
    """A build that takes too long is recorded as stopped."""
    row = PLAN["3x4"]._replace(policy="entropy")
    record = records.made(row)
    assert (record["game"], record["policy"]) == ("mastermind-3x4", {"name": "entropy"})
    assert not record["proven"]
    assert record["at_least"] <= 206 <= record["total_guesses"]
    stopped = records.made(PLAN["3x5"]._replace(longest=0))
    assert stopped["stopped"] == 0
    kept = {"3x4": record, "3x5": stopped}
    records.keep(kept, tmp_path)
    assert records.stored(tmp_path) == kept
    text = (tmp_path / "records.md").read_text("utf-8")
    assert f"upper bound (proven at least {record['at_least']:,})" in text
    assert "- 3x5: `guessbook build-book --pegs 3 --colors 5 --policy optimal` takes more" in text


def test_forecast_extrapolates_from_smaller_games() -> None:
    """A forecast needs records of the two smaller games with the same policy."""
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


def test_atlas_page_is_current() -> None:
    again = "run `python -m benchmarks.atlas --minutes 0`"
    assert atlas.PAGE.read_text("utf-8") == atlas.page(stored(atlas.STORE)), again


def test_small_atlas_games_match_new_builds() -> None:
    kept = stored(atlas.STORE)
    games = {atlas.name_of(code): code for code in atlas.plan()}
    small = [name for name in kept if name in games and kept[name]["secrets"] < 1000]
    assert small
    for name in small:
        built = gb.build(games[name].game)
        assert kept[name]["total_guesses"] == built.stats.total_guesses
        assert kept[name]["max_guesses"] == built.stats.max_guesses
        assert kept[name]["first"] == atlas.pattern(built.root.guess)

"""Policies for tables with the goal `identify`: tests and costs until the outcome is known."""

from __future__ import annotations

import csv
from collections import Counter
from fractions import Fraction
from math import log2
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import guessbook as gb
from tests.helpers.content import changed, document, pack, planes
from tests.helpers.identifying import (
    POLICIES,
    identifying_tables,
    least_cost,
    most_within,
    nodes_of,
)

TABLES = Path(__file__).resolve().parents[3] / "shared" / "tables"
# The least number of tests for all rows together, by an independent dynamic program.
OPTIMA = {
    "oqa-200": 752,
    "ssvc-cisa-coordinator-2-0-3": 106,
    "ssvc-coordinator-triage-1-0-0": 658,
    "ssvc-deployer-patch-application-priority-1-0-0": 226,
    "ssvc-supplier-patch-development-priority-1-0-0": 112,
}


def check_definition(game: gb.TableGame, name: str) -> None:
    """Compare each node of a book with the plain definition of the policy."""
    policy, book = gb.make_policy(name), gb.build(game, name)
    for node, history, candidates in nodes_of(book):
        chosen = policy.choose(game, history, candidates)
        assert node.guess == game.guesses[chosen]
        assert node.remaining == len(candidates)


@settings(max_examples=60)
@given(identifying_tables(), st.sampled_from(POLICIES))
def test_every_node_matches_plain_definition(game: gb.TableGame, name: str) -> None:
    check_definition(game, name)


@pytest.mark.slow
@settings(max_examples=2000)
@given(identifying_tables(), st.sampled_from(POLICIES))
def test_two_thousand_trees_match_plain_definition(game: gb.TableGame, name: str) -> None:
    check_definition(game, name)


@settings(max_examples=40)
@given(identifying_tables())
def test_optimal_cost_matches_dynamic_program(game: gb.TableGame) -> None:
    assert gb.build(game, "optimal").stats.total_cost == pytest.approx(float(least_cost(game)))


@pytest.mark.slow
@settings(max_examples=300)
@given(identifying_tables(), st.integers(1, 6))
def test_optimal_and_win_match_dynamic_program(game: gb.TableGame, within: int) -> None:
    assert gb.build(game, "optimal").stats.total_cost == pytest.approx(float(least_cost(game)))
    known = gb.build(game, "win", within=within).stats.found_within
    assert known == most_within(game, Fraction(within))


@settings(max_examples=40)
@given(identifying_tables(), st.sampled_from(POLICIES), st.data())
def test_live_hints_skip_unanswerable_tests(
    game: gb.TableGame, name: str, data: st.DataObject
) -> None:
    tests = data.draw(st.sets(st.sampled_from(range(game.given))))
    thing = data.draw(st.sampled_from(game.secrets))
    answered = data.draw(st.sampled_from(range(game.given)))
    history = [(game.guesses[test], "?") for test in sorted(tests)]
    if answered not in tests:
        test = game.guesses[answered]
        history.append((test, game.format_feedback(game.feedback_number(test, thing))))
    hint = gb.Session(game, history, name).hint()
    numbers = gb.parse_history(game, history)
    candidates = gb.Session(game, history).candidates()
    chosen = gb.make_policy(name).choose(game, numbers, candidates)
    if hint.outcome is None:
        assert hint.guess == game.guesses[chosen]
        assert chosen not in tests
    else:
        assert chosen >= game.listed


@given(identifying_tables())
def test_node_entropy_is_expected_information_about_outcome(game: gb.TableGame) -> None:
    book = gb.build(game)
    for node, _, candidates in nodes_of(gb.open(book.to_bytes())):
        cells: dict[int, list[str]] = {}
        for thing in candidates if node.children else ():
            cells.setdefault(game.feedback_number(node.guess, thing), []).append(thing)
        left = sum(missing_bits(game, cell) for cell in cells.values())
        told = missing_bits(game, candidates) - left if cells else 0
        whole = sum(weights_of(game)[thing] for thing in candidates)
        assert node.entropy == pytest.approx(told / whole, abs=1e-9)


def weights_of(game: gb.TableGame) -> dict[str, int]:
    return dict(zip(game.secrets, game.weights or [1] * len(game.secrets), strict=True))


def missing_bits(game: gb.TableGame, things: list[str]) -> float:
    """Return the entropy of the outcome of these things in bits, times their weight."""
    assert game.identification is not None
    outcomes = dict(zip(game.secrets, game.identification.outcome_of, strict=True))
    parts: Counter[int] = Counter()
    for thing in things:
        parts[outcomes[thing]] += weights_of(game)[thing]
    whole = sum(parts.values())
    return sum(part * log2(whole / part) for part in parts.values())


@settings(max_examples=40)
@given(identifying_tables(), st.sampled_from(POLICIES))
def test_book_round_trips_and_passes_verify(game: gb.TableGame, name: str) -> None:
    book = gb.build(game, name)
    again = gb.open(book.to_bytes())
    assert again.game == game
    assert again.stats == book.stats
    assert again.to_bytes() == book.to_bytes()
    assert again.verify(policy=True).passed


@pytest.mark.parametrize(
    "changes",
    [
        {"guess": {3: 3}},  # a wrong outcome
        {"guess": {1: 0}},  # the same test again
        {"guess": {1: 2}},  # an outcome while two are possible
        {"guess": {3: 1}},  # a test without children
        {"surplus": {3: 2, 4: 0}},  # wrong numbers of candidates
    ],
    ids=str,
)
def test_tree_that_contradicts_its_table_is_invalid(changes: dict[str, dict[int, int]]) -> None:
    rows = [["no", "no", "yes", "yes"], ["no", "yes", "no", "yes"]]
    book = gb.build(gb.TableGame(["hot?", "wet?"], ["oil", "dirt", "ice", "rust"], rows))
    assert [node.guess for node in book.nodes][:4] == ["hot?", "wet?", "wet?", "oil"]
    assert changed(book, feedback={}).to_bytes() == book.to_bytes()
    with pytest.raises(gb.InvalidBookError):
        changed(book, **changes)


def test_tree_with_a_test_below_itself_is_invalid() -> None:
    """A book without tests, with one more node, which is its own child."""
    game = gb.TableGame(["look"], ["fan", "disk"], ["ab"], outcomes=["dust", "dust"])
    content = document(gb.build(game))
    added = {"guess": [1, 0], "feedback": [0, 0], "children": [0, 1], "surplus": [2, 1]}
    content["nodes"] = 2
    content["tree"] = {name: planes(column) for name, column in added.items()}
    with pytest.raises(gb.InvalidBookError, match="node 1 of the tree"):
        gb.open(pack(content))


@pytest.mark.parametrize("name", OPTIMA)
def test_published_tables_have_known_optimum(name: str) -> None:
    path = TABLES / f"{name}.csv"
    if not path.exists():
        pytest.skip("needs the tables of others in ../shared/tables")
    with path.open(newline="") as file:
        head, *rows = csv.reader(file)
    last = len(head) if name == "oqa-200" else -1
    tests = range(1, len(head[:last]))
    game = gb.TableGame(
        [head[test] for test in tests],
        [row[0] for row in rows],
        [[row[test] for row in rows] for test in tests],
        outcomes=None if name == "oqa-200" else [row[-1] for row in rows],
    )
    assert gb.build(game, "optimal").stats.total_cost == OPTIMA[name]


def test_cheap_tests_are_preferred_to_costly_informative_test() -> None:
    game = gb.TableGame(
        ["open the case", "look", "listen"],
        ["disk", "fan", "board", "power"],
        [["a", "b", "c", "d"], ["on", "on", "off", "off"], ["loud", "still", "loud", "still"]],
        costs=["10", "0.5", "0.5"],
    )
    book = gb.build(game)
    assert book.root.guess == "look"
    assert book.stats.mean_cost == 1
    assert gb.build(game, first_guess="open the case").stats.mean_cost == 10


def test_things_with_same_outcome_are_not_told_apart() -> None:
    game = gb.TableGame(
        ["hot?", "wet?"],
        ["rust", "dirt", "ice"],
        [["no", "no", "yes"], ["no", "yes", "no"]],
        outcomes=["clean it", "clean it", "wait"],
    )
    book = gb.build(game, "optimal")
    assert book.hint([("hot?", "no")]).outcome == "clean it"
    assert book.stats.distribution == (0, 3)


def test_verify_proves_bound_of_build_with_gap() -> None:
    game = gb.TableGame(
        [f"test {k}" for k in range(6)],
        [f"thing {k}" for k in range(40)],
        [[(7 * k * k + 3 * j * (k + 1) + j * j) % 3 for j in range(40)] for k in range(6)],
        merge_equal=True,
    )
    book = gb.build(game, "optimal", gap=0.5)
    assert book.stats.at_least is not None
    assert book.stats.at_least <= gb.build(game, "optimal").stats.total_cost
    assert book.verify(policy=True).passed


def test_weight_is_shared_among_copies_for_unknown_answers() -> None:
    game = gb.TableGame(
        ["hot?", "wet?"],
        ["rust", "dirt", "ice"],
        [["?", "yes", "no"], ["no", "yes", "yes"]],
        weights=[2, 1, 1],
    )
    assert game.secrets == ("rust #1", "rust #2", "dirt", "ice")
    assert game.weights is None
    session = gb.Session(game, [("wet?", "no")])
    assert session.outcome == "rust"
    assert session.candidates() == ["rust #1", "rust #2"]


def test_things_with_equal_answers_and_outcome_are_merged() -> None:
    game = gb.TableGame(
        ["hot?"],
        ["rust", "dirt", "ice"],
        [["no", "no", "yes"]],
        [1, 2, 4],
        outcomes=["clean", "clean", "wait"],
    )
    assert (game.secrets, game.weights) == (("rust or dirt", "ice"), (3, 4))
    assert game.notes == ["merged, since their answers are equal: rust or dirt"]


def test_indistinguishable_things_can_be_merged() -> None:
    game = gb.TableGame(["hot?"], ["rust", "dirt", "ice"], [["no", "no", "yes"]], merge_equal=True)
    assert gb.build(game).hint([("hot?", "no")]).outcome == "rust or dirt"


def test_hint_has_cost_and_possible_answers_of_a_test_or_chances_of_outcomes() -> None:
    game = gb.TableGame(
        ["look", "open"],
        ["disk", "fan", "power"],
        [["on", "on", "off"], ["a", "b", "c"]],
        weights=[1, 2, 1],
        costs=["0.5", 2],
    )
    book = gb.build(game)
    assert book.hint([("look", "on")])[-4:] == (None, None, 2, ("a", "b"))
    end = book.hint([("look", "on"), ("open", "?")])
    assert (end.guess, end.candidate, end.solved, end.chance) == ("fan", True, False, 2 / 3)
    assert (end.outcome, end.outcomes) == ("disk or fan", {"disk": 1 / 3, "fan": 2 / 3})
    assert (end.cost, end.answers) == (None, None)
    known = book.hint([("look", "off")])
    assert (known.guess, known.solved, known.chance) == ("power", True, 1.0)
    assert (known.outcome, known.outcomes) == ("power", {"power": 1.0})


def test_explain_ranks_tests_by_information_per_cost() -> None:
    game = gb.TableGame(
        ["open the case", "look"],
        ["disk", "fan", "board", "power"],
        [["a", "b", "c", "d"], ["on", "on", "off", "off"]],
        costs=[10, 1],
    )
    found = gb.build(game).explain()
    assert [(test.guess, test.entropy, test.cost) for test in found.alternatives] == [
        ("look", 1.0, 1),
        ("open the case", 2.0, 10),
    ]


def test_win_gives_chance_to_know_outcome_within_cost() -> None:
    game = gb.TableGame(
        ["open the case", "look"],
        ["disk", "fan", "board", "power"],
        [["a", "b", "c", "d"], ["on", "on", "off", "off"]],
        costs=[10, 1],
        weights=[5, 1, 1, 1],
        outcomes=["disk", "fan", "other", "other"],
    )
    for cost in (1, 2):
        book = gb.build(game, "win", within=cost)
        assert book.stats.found_within == 2
        assert book.hint().win == 0.25
        assert book.hint([("look", "off")]).outcome == "other"
        # An outcome that is known at a higher cost is not known within the cost.
        late = [("open the case", "a")]
        assert book.hint(late).win == gb.Session(game, late, book.policy).hint().win == 0


def test_win_takes_a_budget_in_the_units_of_the_table() -> None:
    game = gb.TableGame(
        ["look", "measure", "open"],
        ["fan", "disk", "board", "power"],
        [["a", "a", "b", "b"], ["a", "b", "a", "b"], ["a", "b", "c", "d"]],
        costs=[25, 30.5, 90],
    )
    known = [
        gb.build(game, "win", within=most).stats.found_within for most in (55, 56, 4_000_000_000)
    ]
    assert known == [0, 4, 4]


def test_entries_after_an_unanswered_test_are_used() -> None:
    game = gb.TableGame(["look", "open"], ["fan", "disk", "board"], ["aab", "abb"])
    session = gb.Session(game, [("look", "?"), ("open", "b")])
    assert session.candidates() == ["disk", "board"]


def test_cheaper_of_two_equivalent_tests_is_chosen() -> None:
    """No single test gives information about the outcome, but two together do."""
    things = range(8)
    rows = [[k & 1 for k in things], [k & 1 for k in things], [k >> 1 & 1 for k in things]]
    game = gb.TableGame(
        ["dear", "cheap", "other"],
        [f"thing {k}" for k in things],
        rows,
        outcomes=[f"outcome {(k ^ k >> 1) & 1}" for k in things],
        costs=[3, 1, 1],
    )
    for policy in ("entropy", "optimal", "win:within=2", "minimax"):
        book = gb.build(game, policy)
        assert book.stats.mean_cost == 2
        assert book.explain().guess == "cheap"


def test_requested_first_test_may_be_useless() -> None:
    game = gb.TableGame(["useless", "hot?"], ["rust", "ice"], [["a", "a"], ["no", "yes"]])
    book = gb.build(game, first_guess="useless")
    assert book.stats.mean_cost == 2
    assert gb.open(book.to_bytes()).verify(policy=True).passed

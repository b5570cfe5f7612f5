"""Games whose feedbacks are sums, and rankings: the engine against plain definitions."""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind
from guessbook.book.errors import InvalidGameError
from guessbook.builder.arrays import log_table, rule_of
from guessbook.engine.costs import Rule
from guessbook.engine.partitions import Distinct
from guessbook.engine.sums import SumGame, SumSearch
from guessbook.policy.one_step import POLICIES, OneStep, integer_logs
from tests.engine.engines import VARIANTS, search_of
from tests.helpers.samples import CODE_GAMES


class Sample(NamedTuple):
    """A game as sums of parts.

    Attributes:
        sums: what each part adds for each secret.
        parts: the parts of each guess; -1 - k in front: it names secret k.
        homes: the index of each secret as a guess.
        weights: how much each counts.
        feedbacks: how many numbers there are.
    """

    sums: list[list[int]]
    parts: list[list[int]]
    homes: list[int]
    weights: list[int]
    feedbacks: int

    def answer(self, guess: int, secret: int) -> int:
        """The feedback of a secret to a guess, by the definition."""
        first = self.parts[guess][0]
        if first < 0:
            return self.feedbacks - 1 - (-1 - first != secret)
        return sum(self.sums[part][secret] for part in self.parts[guess])

    def search(self, rule: Rule, lane: str, variant: int = -1) -> SumSearch:
        """The game in the engine."""
        flat = [value for row in self.sums for value in row]
        parts = [part for row in self.parts for part in row]
        game = SumGame(
            array(lane, flat), array("i", parts), len(self.parts), array("I", self.homes),
            array("q", self.weights), self.feedbacks, 1,
        )  # fmt: skip
        return SumSearch(game, rule, variant)

    def score(self, policy: OneStep, costs: Any, guess: int, candidates: list[int]) -> int:
        """The score of a guess by the definition."""
        cells: dict[int, int] = {}
        for secret in candidates:
            met = self.answer(guess, secret)
            cells[met] = cells.get(met, 0) + self.weights[secret]
        own = sum(self.weights[s] for s in candidates if self.homes[s] == guess)
        return policy.score(cells.values(), costs) + policy.credit * own


@st.composite
def samples(draw: st.DrawFn) -> Sample:
    """Some guesses of the same number of parts, and some that only name a secret."""
    secrets, parts, width = (draw(st.integers(1, n)) for n in (9, 6, 3))
    high = draw(st.sampled_from([2, 60, 20_000, 1 << 24]))
    row = st.lists(st.integers(0, high), min_size=secrets, max_size=secrets)
    sums = [draw(row) for _ in range(parts)]
    one = st.lists(st.integers(0, parts - 1), min_size=width, max_size=width)
    guesses = [draw(one) for _ in range(secrets + draw(st.integers(0, 4)))]
    homes = sorted(
        draw(st.lists(st.sampled_from(range(len(guesses))), min_size=secrets, max_size=secrets,
                      unique=True))
    )  # fmt: skip
    for k, home in enumerate(homes):
        if draw(st.booleans()):
            guesses[home] = [-1 - k] + [0] * (width - 1)
    weights = draw(st.lists(st.integers(1, 50), min_size=secrets, max_size=secrets))
    # Two more than any sum: a named secret's, and that of the others.
    most = max(sum(max(sums[max(p, 0)]) for p in guess) for guess in guesses)
    return Sample(sums, guesses, homes, weights, most + 3)


@given(samples(), st.sampled_from(sorted(POLICIES)), st.sampled_from(VARIANTS), st.data())
def test_sums_are_scored_and_searched_by_the_definition(
    sample: Sample, name: str, variant: int, data: st.DataObject
) -> None:
    """In lanes of any width, with weights and guesses that only name a secret."""
    policy, costs = POLICIES[name], POLICIES[name].costs(sum(sample.weights))
    rule = Rule(array("q", costs), policy.additive, policy.credit, policy.logarithmic)
    high = max(map(max, sample.sums))
    lane = "B" if high < 1 << 8 else "H" if high < 1 << 16 else "I"
    search = sample.search(rule, data.draw(st.sampled_from("BHI"["BHI".index(lane) :])), variant)
    every = range(len(sample.weights))
    some = sorted(data.draw(st.lists(st.sampled_from(every), min_size=1, unique=True)))
    guesses = range(len(sample.parts))
    expected = [sample.score(policy, costs, guess, some) for guess in guesses]
    scores = search.scores(array("I", some), array("I", guesses))
    own = {sample.homes[s] for s in some}
    assert scores.tolist() == expected
    best = min(guesses, key=lambda guess: (-expected[guess], guess not in own, guess))
    found = search.guesses(array("I", some), array("q", [0, len(some)]))[0][0]
    assert found == (best if len(some) > 1 else sample.homes[some[0]])


def test_a_cost_near_the_end_of_64_bits_is_one() -> None:
    """Of many secrets that nothing tells apart, of weights at their limit, the first wins."""
    policy, count = POLICIES["entropy"], 1 << 17
    rule = Rule(np.arange((1 << 22) + 1) * log_table(1 << 22), True, policy.credit, True)
    # Nothing is told by guess 0; secret k is guess k + 1. All together cost 17 * 2**58.
    game = SumGame(
        array("B", bytes(count)), array("i", [0, *range(-1, -1 - count, -1)]), count + 1,
        array("I", range(1, count + 1)), array("q", [32]) * count, 3, 1,
    )  # fmt: skip
    search = SumSearch(game, rule)
    assert rule.costs[1 << 22] - count * rule.costs[32] > 1 << 62
    every = array("I", range(count))
    scores = search.scores(every, array("I", [0, 1]))
    assert scores[0] == -rule.costs[1 << 22]
    assert search.guesses(every, array("q", [0, count]))[0][0] == 1


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"feedbacks": 4}, InvalidGameError),
        ({"parts": [[0], [1], [3]]}, ValueError),
        ({"parts": [[0], [-3], [1]]}, ValueError),
        ({"homes": [0, 3]}, ValueError),
        ({"homes": [1, 0]}, ValueError),
        ({"weights": [1, 5]}, ValueError),
        ({"weights": [1, -5]}, ValueError),
    ],
    ids=str,
)
def test_a_game_that_does_not_fit_is_refused(
    change: dict[str, Any], error: type[Exception]
) -> None:
    """Feedbacks above their number, parts, homes and weights that are none, before any search."""
    sample = Sample([[0, 4], [1, 2], [0, 1]], [[0], [1], [2]], [0, 1], [1, 1], 5)
    rule = Rule(array("q", [0, 0, 2, 5, 8]), True, 1, False)
    assert sample.search(rule, "B").guesses(array("I", [0, 1]), array("q", [0, 2]))[0][0] == 0
    with pytest.raises(error):
        sample._replace(**change).search(rule, "B")


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("game", [Mastermind(1, 3), Mastermind(4, 4), Mastermind(5, 8)], ids=repr)
def test_costs_are_those_of_the_policy(policy: OneStep, game: Mastermind) -> None:
    """For all secrets of a game, to the last bit."""
    assert list(rule_of(policy, game).costs) == list(policy.costs(len(game.secrets)))


@given(st.integers(0, 3000), st.integers(8, 40))
def test_logarithms_are_completed(size: int, bits: int) -> None:
    """They are those of the plain definition."""
    assert log_table(size, bits).tolist() == list(integer_logs(size, bits))


@given(st.data(), st.integers(1, 8), st.integers(1, 6))
def test_partitions_that_differ_are_kept(data: st.DataObject, n: int, feedbacks: int) -> None:
    """Of guesses with the same cells, and as much weight as secrets, the first; up to a width."""
    row = st.lists(st.integers(0, feedbacks - 1), min_size=n, max_size=n)
    rows = data.draw(st.lists(row, max_size=12))
    weights = data.draw(
        st.one_of(st.just([0] * n), st.lists(st.integers(1, 2), min_size=n, max_size=n))
    )
    width, solved = data.draw(st.integers(1, 5)), feedbacks - 1
    expected: list[tuple[list[int], int]] = []
    chosen = []
    for guess, answers in enumerate(rows):
        cells = [answers.index(f) for f in answers]
        own = [weights[k] for k, f in enumerate(answers) if f == solved]
        named = cells, own[-1] if own else 0
        if named not in expected:
            expected.append(named)
            chosen.append(guess + 100)
    found = Distinct(n, width, feedbacks, solved, array("q", weights))
    cut = data.draw(st.integers(0, len(rows)))
    for begin, some in ((0, rows[:cut]), (cut, rows[cut:])):
        flat = array("I", [f for answers in some for f in answers])
        found.add(array("I", range(100 + begin, 100 + begin + len(some))), flat)
    assert found.chosen[: found.count].tolist() == chosen[:width]


@given(st.sampled_from(CODE_GAMES), st.sampled_from(sorted(POLICIES)), st.data())
def test_scores_of_codes_are_those_of_the_policy(game: Any, name: str, data: st.DataObject) -> None:
    """Of all guesses for any candidates, where no symmetry leaves any out."""
    search, policy = search_of(game, name), POLICIES[name].of(game)
    codes = len(game.guesses)
    size = data.draw(st.integers(1, min(codes, 70)))
    step, start = data.draw(st.integers(1, codes // size)), data.draw(st.integers(0, codes - 1))
    some = sorted({(start + k * step) % codes for k in range(size)})
    scores, solves = array("q", bytes(8 * codes)), bytearray(codes)
    wanted = bytearray(b"\1") * search.tables.multisets
    search.scores(array("I", some), None, wanted, scores, solves)
    costs = policy.costs(len(some))
    for guess in range(0, codes, max(codes // 40, 1)):
        cells: dict[int, int] = {}
        for code in some:
            met = game.feedback_number(game.guesses[guess], game.guesses[code])
            cells[met] = cells.get(met, 0) + 1
        right = guess in some
        assert scores[guess] == policy.score(cells.values(), costs) + policy.credit * right
        assert solves[guess] == right

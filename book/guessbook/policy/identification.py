"""Identification: the policies for tables whose tests are asked until the outcome is known.

These are the definitions, in plain Python. A set of things is settled if its things share one
outcome, or if no test splits it. The cost of a strategy is the sum, over all things, of the weight
times the costs of the tests until the set of the thing is settled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence, Set
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from guessbook.book.games.game import unanswered
from guessbook.book.games.weights import weights_of
from guessbook.book.tree import entropy

if TYPE_CHECKING:
    from guessbook.book.games.game import Game, History
    from guessbook.book.games.tables import TableGame

# Things, as ascending indices in `game.secrets`.
Things = tuple[int, ...]


class Rule(Protocol):
    """The parts of a one-step policy that identification uses."""

    @property
    def name(self) -> str:
        """The name of the policy."""

    @property
    def additive(self) -> bool:
        """Whether the costs of cells add up; otherwise only the largest counts."""

    @property
    def logarithmic(self) -> bool:
        """Whether the cost of a cell of n candidates is n * log2(n)."""

    def cost(self, size: int) -> int:
        """Return the cost of a cell of `size` candidates."""


class Plan(NamedTuple):
    """How a policy chooses tests.

    Attributes:
        rule: the one-step policy that ranks the tests.
        depth: with 1, the best-ranked test is asked. With more, the `width` best tests are compared
            by the cost of the whole identification, assuming that later tests are chosen with
            `depth` - 1.
        width: the number of tests that are compared.
        endgame: for at most this number of things, a search finds a strategy of least cost.
        budget: a limit on the cost of all tests of a thing, in integers as in
            `Identification.costs`. The plan identifies as much weight as possible within this
            limit. None for no limit.
    """

    rule: Rule
    depth: int = 1
    width: int = 1
    endgame: int = 0
    budget: int | None = None


def choose_test(
    game: Game, plan: Plan, history: History, candidates: Sequence[str]
) -> tuple[int | None, int]:
    """Return the weight that a plan identifies within its budget, and the next test.

    Tests that the player cannot answer are not asked. The weight is None for a plan without a
    budget. If the candidates are settled, the second number is not a test, but the number of tests
    of the game plus the lowest index of a candidate's outcome.
    """
    found = game.identification
    assert found is not None
    asking = Asking(game, plan, unanswered(history))  # type: ignore[arg-type]
    return asking.choose(things_of(game, candidates), found.spent(history))


def rank_tests(game: Game, plan: Plan, history: History, candidates: Sequence[str]) -> list[int]:
    """Return the tests that split the candidates, best first.

    Tests that the player cannot answer are omitted.
    """
    asking = Asking(game, plan, unanswered(history))  # type: ignore[arg-type]
    return asking.ranking(things_of(game, candidates))


def things_of(game: Game, candidates: Sequence[str]) -> Things:
    """Return candidates of a table as indices in `game.secrets`."""
    columns = game.columns  # type: ignore[attr-defined]
    return tuple([columns[code] for code in candidates])


def outcome_chances(game: Game, candidates: Sequence[str]) -> dict[str, float]:
    """Return the probability of each outcome that candidates have, in the order of the game."""
    found = game.identification
    assert found is not None
    weights = _weights_by_outcome(game, candidates)
    total = sum(weights.values())
    return {found.outcomes[outcome]: weights[outcome] / total for outcome in sorted(weights)}


def outcome_bits(game: Game, candidates: Sequence[str], test: int) -> float:
    """Return the expected information, in bits, that a test gives about the outcome."""
    cells: dict[int, list[str]] = {}
    for code in candidates:
        cells.setdefault(game.feedback_number(game.guesses[test], code), []).append(code)
    known = _weights_by_outcome(game, candidates).values()
    total, left = sum(known), 0.0
    for cell in cells.values():
        weights = _weights_by_outcome(game, cell).values()
        left += sum(weights) / total * entropy(weights)
    return max(0.0, entropy(known) - left)


def _weights_by_outcome(game: Game, candidates: Sequence[str]) -> Counter[int]:
    found = game.identification
    assert found is not None
    weights: Counter[int] = Counter()
    things = things_of(game, candidates)
    for thing, weight in zip(things, weights_of(game, candidates), strict=True):
        weights[found.outcome_of[thing]] += weight
    return weights


class Asking:
    """The search for the next test in plain Python, which tries every test."""

    def __init__(self, game: TableGame, plan: Plan, skipped: Set[int] = frozenset()) -> None:
        found = game.identification
        assert found is not None
        self.plan = plan
        self.outcomes, self.costs, self.given = found.outcome_of, found.costs, game.given
        self.tests = [test for test in range(game.given) if test not in skipped]
        self.rows = [game.row(test) for test in range(game.given)]
        self.weights = weights_of(game, game.secrets)
        self.played, self.least = cache(self._played), cache(self._least)
        self.most, self.ranking = cache(self._most), cache(self._ranking)

    def choose(self, things: Things, spent: int) -> tuple[int | None, int]:
        """Return the weight identified within the budget, and the next test, as `choose_test` does."""
        plan, weight = self.plan, None
        known = self.given + min([self.outcomes[thing] for thing in things])
        if plan.budget is not None:
            weight, test = self.most(things, max(plan.budget - spent, 0))
            if spent > plan.budget:
                weight = 0
            if test is not None:
                return weight, test
        if self.is_settled(things):
            return weight, known
        if len(things) <= plan.endgame:
            return weight, self.least(things)[1]
        if plan.depth < 2:
            return weight, self.ranking(things)[0]
        return weight, self.looked(things, plan.depth)[1]

    def weight(self, things: Things) -> int:
        return sum([self.weights[thing] for thing in things])

    def is_known(self, things: Things) -> bool:
        """Return whether all things share one outcome."""
        return len({self.outcomes[thing] for thing in things}) == 1

    def is_settled(self, things: Things) -> bool:
        """Return whether the outcome is known, or no test tells the things apart."""
        return self.is_known(things) or not self.ranking(things)

    def cells(self, things: Things, test: int) -> list[Things]:
        """Group things by their answers to a test."""
        cells: dict[int, list[int]] = {}
        for thing in things:
            cells.setdefault(self.rows[test][thing], []).append(thing)
        return [tuple(cells[answer]) for answer in sorted(cells)]

    def doubt(self, cells: list[Things]) -> int:
        """Return the doubt about the outcome that remains in cells.

        The one-step policy measures it.
        """
        name, cost = self.plan.rule.name, self.plan.rule.cost
        if name == "parts":
            return -len(cells)
        if self.plan.rule.logarithmic:
            total = 0
            for cell in cells:
                by_outcome: Counter[int] = Counter()
                for thing in cell:
                    by_outcome[self.outcomes[thing]] += self.weights[thing]
                total += cost(self.weight(cell)) - sum(map(cost, by_outcome.values()))
            return total
        unknown = [cost(self.weight(cell)) for cell in cells if not self.is_known(cell)]
        return sum(unknown) if self.plan.rule.additive else max(unknown, default=0)

    def _ranking(self, things: Things) -> list[int]:
        """Return the tests that split a set, sorted by gain per cost.

        Of tests with equal cells, only the first is returned.
        """
        # Imported here, because a hint from a book does not need it.
        from fractions import Fraction

        every = {test: self.cells(things, test) for test in self.tests}
        split = {test: cells for test, cells in every.items() if len(cells) > 1}
        before = self.doubt([things])

        def rank(test: int) -> tuple[Fraction, int]:
            gain = max(before - self.doubt(split[test]), 0)
            return -Fraction(gain, self.costs[test]), self.costs[test]

        first: dict[frozenset[Things], int] = {}
        for test in sorted(split, key=rank):
            first.setdefault(frozenset(split[test]), test)
        return list(first.values())

    def _played(self, things: Things) -> int:
        """Return the cost of a set if the one-step policy chooses every test."""
        if self.is_settled(things):
            return 0
        test = self.ranking(things)[0]
        below = [self.played(cell) for cell in self.cells(things, test)]
        return self.costs[test] * self.weight(things) + sum(below)

    def looked(self, things: Things, depth: int) -> tuple[int, int]:
        """Return the cost of a set by a lookahead of `depth` steps, and the first test.

        The test is -1 if the set is settled.
        """
        if self.is_settled(things):
            return 0, -1
        if depth < 2:
            return self.played(things), self.ranking(things)[0]
        best = self.ranking(things)[: self.plan.width]
        return self.cheapest(things, best, lambda cell: self.looked(cell, depth - 1)[0])

    def _least(self, things: Things) -> tuple[int, int]:
        """Return the least cost of a set, and the best-ranked test that begins such a strategy.

        The test is -1 if the set is settled.
        """
        if self.is_settled(things):
            return 0, -1
        return self.cheapest(things, self.ranking(things), lambda cell: self.least(cell)[0])

    def cheapest(
        self, things: Things, tests: Sequence[int], below: Callable[[Things], int]
    ) -> tuple[int, int]:
        """Return the least cost of a set if one of `tests` is next, and the first test that has it.

        `below` returns the cost of a cell.
        """
        found = []
        for rank, test in enumerate(tests):
            rest = sum([below(cell) for cell in self.cells(things, test)])
            found.append((self.costs[test] * self.weight(things) + rest, rank, test))
        cost, _, test = min(found)
        return cost, test

    def _most(self, things: Things, budget: int) -> tuple[int, int | None]:
        """Return the largest weight identified within a budget, and the best-ranked test for it.

        The test is None if the set has one outcome, or if the weight is 0.
        """
        if self.is_known(things):
            return self.weight(things), None
        best, chosen = 0, None
        for test in self.ranking(things):
            left = budget - self.costs[test]
            if left < 0:
                continue
            found = sum([self.most(cell, left)[0] for cell in self.cells(things, test)])
            if found > best:
                best, chosen = found, test
        return best, chosen

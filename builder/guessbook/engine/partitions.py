"""The cells of guesses: their costs, the division of nodes, and the best pairs of guesses."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from contextlib import suppress
from ctypes import byref
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from guessbook.engine.binding import (
    MOST,
    address,
    engine,
    fill,
    indices,
    node_starts,
    numbers,
    stop_address,
    within,
)

if TYPE_CHECKING:
    from guessbook.book.games.game import Game
    from guessbook.policy.policy import OneStep


class CostFunction(NamedTuple):
    """The costs of cells and the bonus by which a one-step policy scores guesses in one game."""

    # An int64 array: costs[n] is the cost of a cell whose candidates have the total weight n.
    costs: Any
    # True if the score is minus the sum of the costs, False if it is minus the largest cost.
    additive: bool
    credit: int  # the bonus for a guess that is a candidate, per unit of the candidate's weight
    logarithmic: bool  # whether costs[n] is proportional to n * log2(n), apart from rounding

    @classmethod
    def of(cls, policy: OneStep, game: Game, most: int) -> CostFunction:
        """Return the cost function of a policy in a game, for cells of weight 0 to `most`."""
        fitted = policy.of(game)
        costs = costs_up_to(most, fitted)
        return cls(costs, fitted.additive, fitted.credit, fitted.logarithmic)


# Up to this size, a table of costs takes plain Python less time than loading numpy.
QUICK_COSTS = 1 << 16


def costs_up_to(most: int, policy: OneStep) -> Any:
    """Return an int64 array: entry n is the cost of a cell of weight n, for n from 0 to `most`."""
    if most > QUICK_COSTS:
        # Weights may add up to millions. Without numpy, the table takes seconds.
        with suppress(ImportError):
            from guessbook.engine.costs import cost_table

            return cost_table(policy, most)
    return policy.costs(most)


# The largest cost of a cell, and the largest bonus for all candidates. Their sum, with the rounding
# errors of bounds, fits into 64 bits. By entropy, a cell of 2**22 candidates costs 2**62.5.
MOST_COST, MOST_CREDIT = 3 << 61, 1 << 59


def check_costs(rule: CostFunction) -> None:
    """Raise ValueError if sums of the costs of cells and of the bonus may overflow 64 bits."""
    count = within("number of costs", len(rule.costs), 1, MOST)
    at = engine().first_wrong_cost(address(rule.costs, "q"), count, MOST_COST)
    if at < count:
        raise ValueError(
            f"invalid cost {rule.costs[at]} of a cell of weight {at}; weight 0 must cost 0, no cost may exceed "
            f"{MOST_COST}, and the cost per unit of weight must not fall"
        )
    within("bonus of all candidates", rule.credit * (count - 1), 0, MOST_CREDIT)


def split_nodes(
    candidates: Any, starts: Any, answers: Any, feedbacks: int
) -> tuple[Any, Any, Any, Any]:
    """Divide the candidates of each node among its children.

    A candidate that is the guess of its node is left out.

    Args:
        candidates: uint32, the candidates of all nodes, node by node.
        starts: int64[nodes + 1], the index of the first candidate of each node, then the number of
            candidates.
        answers: uint32, the feedback number of each candidate to the guess of its node.
        feedbacks: the number of feedbacks; the highest feedback means that the guess is the secret.

    Returns:
        Four arrays. The first three may have unused entries at their ends.

        1. uint32: the candidates of the children, child by child.
        2. int64: 0, then for each child the index after its last candidate.
        3. int64: the feedback number that leads to each child.
        4. int64: the number of children of each node.
    """
    nodes, room = len(starts) - 1, len(candidates)
    begin, given = node_starts(starts, 0, room), indices(answers, feedbacks, room)
    if starts[0] or starts[nodes] != room:
        raise ValueError(
            f"`starts` runs from {starts[0]} to {starts[nodes]}, not from 0 to {room}, the number of candidates"
        )
    below = memoryview(bytearray(4 * room)).cast("I")
    ends, feedback, children, counts = (
        memoryview(bytearray(8 * size)).cast("q") for size in (room + 1, room, nodes, feedbacks)
    )
    fields = fill(
        "Splits", candidates, begin, given, nodes, feedbacks, counts, feedback, ends[1:], below,
        children,
    )  # fmt: skip
    engine().split_nodes(byref(fields))
    return below, ends, feedback, children


class Distinct:
    """A list of at most `width` guesses for a node of n candidates, without duplicates (see `add`).

    The guesses are the first `count` entries of `chosen` (uint32). `solved` is the feedback number
    of a guess that is the secret. `weights` (int64) contains the weight of each candidate, or only
    zeros if secrets have no weights.
    """

    def __init__(self, n: int, width: int, feedbacks: int, solved: int, weights: Any) -> None:
        self.chosen, self._feedbacks = array("I", bytes(4 * width)), feedbacks
        address(weights, "q", n)
        self._fields = fill(
            "Distinct", n, solved, width, 0, self.chosen, array("I", bytes(4 * width * n)),
            array("q", bytes(8 * width)), array("q", bytes(8 * feedbacks)), weights,
        )  # fmt: skip

    @property
    def count(self) -> int:
        """The number of guesses in the list."""
        return int(self._fields.count)

    def add(self, guesses: Any, answers: Any) -> None:
        """Append guesses (uint32) to `chosen`, without duplicates, until `chosen` is full.

        A guess is a duplicate if `chosen` contains a guess with an equal partition and an equal
        weight. The weight of a guess is its weight as a secret, or 0 if it is no candidate. For
        each guess, `answers` (uint32) contains the feedback number of each candidate. The call
        overwrites `answers`.
        """
        count = len(guesses)
        cells = indices(answers, self._feedbacks, count * int(self._fields.n), writable=True)
        engine().keep_distinct(byref(self._fields), address(guesses, "I"), count, cells)


# The cost in a free entry of the list of best pairs. It is above the cost of every pair.
NOTHING = (1 << 63) - 1
# Costs are sums of at most 24 rounded logarithms, so the engine's lower bounds of the costs of
# pairs have a rounding error. ROUNDED times the total weight of the candidates exceeds this error.
ROUNDED = 64


def best_pairs(
    rows: Sequence[Sequence[int]],
    firsts: Sequence[int],
    costs: Any,
    count: int,
    weights: Sequence[int],
) -> list[tuple[int, int, int]]:
    """Return the best pairs of guesses as tuples (cost, guess, guess), in ascending order.

    The cost of a pair is the cost of the cells into which both guesses together split the
    candidates.

    Args:
        rows: for each guess, the feedback number of each candidate.
        firsts: the guesses of which each pair must contain at least one.
        costs: an int64 array: costs[n] is the cost of a cell of total weight n by the policy
            `entropy`.
        count: the largest number of pairs to return.
        weights: the weight of each candidate.
    """
    if count < 1:
        return []
    given, whole = array("q", weights), sum(weights)
    check_costs(CostFunction(costs, True, 0, True))
    within("weight of all candidates", whole, 0, len(costs) - 1)
    numbers("weight", given, len(given), 0, whole)
    n, feedbacks, alone = len(weights), max(map(max, rows)) + 2, list[int]()
    for row in rows:
        cells: dict[int, int] = {}
        for answer, weight in zip(row, weights, strict=True):
            cells[answer] = cells.get(answer, 0) + weight
        alone.append(sum([int(costs[size]) for size in cells.values()]))
    order = array("q", sorted(range(len(rows)), key=lambda guess: (alone[guess], guess)))
    table, wanted = array("I", chain.from_iterable(rows[guess] for guess in order)), set(firsts)
    is_first = bytes(guess in wanted for guess in order)
    sorted_costs = array("q", [alone[guess] for guess in order])
    kept = array("q", [NOTHING, 0, 0] * count)
    every, chosen = array("I", range(n)), array("I", bytes(4 * n))
    counts, feedback, ends = (array("q", bytes(8 * size)) for size in (feedbacks, n, n))
    address(table, "I", len(rows) * n)
    fields = fill(
        "Pairs", table, order, is_first, sorted_costs, costs, given,
        len(rows), n, feedbacks, int(costs[whole]) + ROUNDED * whole, kept, count, every,
        chosen, counts, feedback, ends,
    )  # fmt: skip
    engine().search_pairs(byref(fields), stop_address())
    found = [(kept[k], kept[k + 1], kept[k + 2]) for k in range(0, 3 * count, 3)]
    return [pair for pair in found if pair[0] < NOTHING]

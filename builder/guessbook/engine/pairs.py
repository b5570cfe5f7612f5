"""The best pairs of opening guesses, found by the engine."""

from array import array
from collections.abc import Sequence
from ctypes import byref
from itertools import chain

from guessbook.engine.binding import address, engine, fill
from guessbook.engine.stop import stop_address

# The cost in a free entry of the list of best pairs. It is above the cost of every pair.
NOTHING = (1 << 63) - 1
# The engine's lower bounds for the costs of pairs have a rounding error, because costs contain sums of at most 24
# rounded logarithms. ROUNDED times the total weight of the candidates exceeds this error.
ROUNDED = 64


def best_pairs(
    rows: Sequence[Sequence[int]],
    firsts: Sequence[int],
    costs: Sequence[int],
    count: int,
    weights: Sequence[int],
) -> list[tuple[int, int, int]]:
    """Return the best pairs of guesses as tuples (cost, guess, guess), in ascending order.

    The cost of a pair is the cost of the cells into which both guesses together split the candidates.

    Args:
        rows: for each guess, the feedback number of each candidate.
        firsts: guesses of which each pair must contain at least one; the other guess of the pair may be any guess.
        costs: costs[n] is the cost of a cell of total weight n by the policy `entropy`.
        count: the largest number of pairs to return.
        weights: the weight of each candidate.
    """
    if count < 1:
        return []
    n, feedbacks, alone = len(weights), max(map(max, rows)) + 2, list[int]()
    for row in rows:
        cells: dict[int, int] = {}
        for answer, weight in zip(row, weights, strict=True):
            cells[answer] = cells.get(answer, 0) + weight
        alone.append(sum([costs[size] for size in cells.values()]))
    order = array("q", sorted(range(len(rows)), key=lambda guess: (alone[guess], guess)))
    table, wanted = array("I", chain.from_iterable(rows[guess] for guess in order)), set(firsts)
    is_first = bytes(guess in wanted for guess in order)
    sorted_costs = array("q", [alone[guess] for guess in order])
    kept = array("q", [NOTHING, 0, 0] * count)
    every, chosen = array("I", range(n)), array("I", bytes(4 * n))
    counts, feedback, ends = (array("q", bytes(8 * size)) for size in (feedbacks, n, n))
    address(table, "I", len(rows) * n)
    fields = fill(
        "Pairs", table, order, is_first, sorted_costs, array("q", costs), array("q", weights),
        len(rows), n, feedbacks, costs[sum(weights)] + ROUNDED * sum(weights), kept, count, every,
        chosen, counts, feedback, ends,
    )  # fmt: skip
    engine().search_pairs(byref(fields), stop_address())
    found = [(kept[k], kept[k + 1], kept[k + 2]) for k in range(0, 3 * count, 3)]
    return [pair for pair in found if pair[0] < NOTHING]

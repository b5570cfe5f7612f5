"""The search for the best pairs of guesses that are both chosen before the first feedback."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from guessbook.book.errors import EngineError, UsageError, quantity
from guessbook.book.games.symmetry import MAX_STEPS, SearchBudget
from guessbook.book.games.weights import weights_of
from guessbook.play.analysis import Analysis
from guessbook.policy.policy import POLICIES, OneStep

# Work is the number of pairs of guesses times the number of candidates. Work above SOME_WORK (a
# second or two in plain Python) is done by the engine. Without the engine, work above
# MAX_PLAIN_WORK (a minute or two) is refused.
SOME_WORK = 20_000_000
MAX_PLAIN_WORK = 600_000_000
# Work above MAX_WORK (some minutes in the engine) is refused. More than MAX_FEEDBACKS feedbacks
# need too much memory.
MAX_WORK = 500_000_000_000
MAX_FEEDBACKS = 1 << 28
# For each requested pair, the search for equivalent pairs may take this number of steps (a tenth of
# a second).
MAX_STEPS_TO_TELL = 5 * MAX_STEPS
# With more first guesses than this, equivalent second guesses are not excluded.
MAX_FIRSTS = 100

# The cost of a pair (lower is better) and the indices of its two guesses, the lower index first.
Found = tuple[int, int, int]


class PairRating(NamedTuple):
    """The rating of two guesses that are both chosen before the first feedback.

    Attributes:
        first: one of the guesses; their order does not change the rating.
        second: the other guess.
        entropy: the expected information of the two feedbacks together, in bits.
        cells: the number of cells into which the two guesses together split the candidates.
        worst: the number of candidates in the largest cell.
        expected_size: the expected number of candidates after the two feedbacks.
        remaining: the number of candidates before the two guesses.
        weight: the sum of the candidates' weights, as for `Rating`; None if secrets have no
            weights.
    """

    first: str
    second: str
    entropy: float
    cells: int
    worst: int
    expected_size: float
    remaining: int
    weight: int | None = None

    def __repr__(self) -> str:
        known = f"{quantity(self.remaining, 'candidate')} in {quantity(self.cells, 'cell')}"
        return f"<PairRating {self.first} {self.second}: {self.entropy:.4f} bits, {known}>"


def rate_pair(analysis: Analysis, first: str, second: str) -> PairRating:
    """Return the rating of two guesses that are both chosen before the first feedback."""
    bits, expected, cells, worst = analysis.split_by_pair(first, second)
    left, total = len(analysis.candidates), analysis.total
    return PairRating(first, second, bits, cells, worst, expected, left, total)


def best_pairs(analysis: Analysis, count: int) -> list[PairRating]:
    """Return the `count` best pairs of guesses by expected information, without equivalent ones."""
    search = _searcher(analysis)
    wanted = 2 * count
    while True:
        found = search(wanted)
        kept = _distinct(analysis, found, count)
        if len(kept) == count or len(found) < wanted:
            guesses = analysis.game.guesses
            return [rate_pair(analysis, guesses[a], guesses[b]) for _, a, b in kept]
        wanted *= 4


def _searcher(analysis: Analysis) -> Callable[[int], list[Found]]:
    """Return a function from n to the n pairs of guesses with the most expected information."""
    game, size = analysis.game, len(analysis.candidates)
    policy = POLICIES["entropy"]
    firsts = analysis.inequivalent()
    partners = _partners(analysis, firsts)
    if partners is not None:
        needed = {*partners, *chain.from_iterable(partners.values())}
        some = {index: analysis.feedbacks(game.guesses[index]) for index in needed}
        return lambda count: _search_in_python(analysis, some, partners, policy, count)
    work = size * len(firsts) * len(game.guesses)
    if work > MAX_WORK or size * len(game.guesses) > MAX_FEEDBACKS:
        raise UsageError(
            f"{len(game.guesses):,} guesses and {size:,} candidates are too many pairs to search; "
            "rate a pair of your own, or give a history that leaves fewer candidates"
        )
    every = range(len(game.guesses))
    rows = {index: analysis.feedbacks(game.guesses[index]) for index in every}
    if work > SOME_WORK:
        try:
            # Imported here because small searches need no engine.
            from guessbook.engine.binding import engine
            from guessbook.engine.partitions import CostFunction
            from guessbook.engine.partitions import best_pairs as search_by_engine

            # Without the engine, this call raises EngineError.
            engine()
            weights = weights_of(game, analysis.candidates)
            costs = CostFunction.of(policy, game, analysis.weight).costs
            return lambda count: search_by_engine([*rows.values()], firsts, costs, count, weights)
        except EngineError as error:
            if work > MAX_PLAIN_WORK:
                raise EngineError(
                    f"{len(game.guesses):,} guesses and {size:,} candidates are "
                    f"too many pairs to search in plain Python: {error}"
                ) from None
    seconds = dict.fromkeys(firsts, every)
    return lambda count: _search_in_python(analysis, rows, seconds, policy, count)


def _partners(analysis: Analysis, firsts: Sequence[int]) -> dict[int, Sequence[int]] | None:
    """Return the second guesses for each first guess, one of each group of equivalent guesses.

    Return None if rating all these pairs in plain Python would be slow.
    """
    if len(firsts) > MAX_FIRSTS:
        return None
    partners: dict[int, Sequence[int]] = {}
    work = 0
    for first in firsts:
        partners[first] = analysis.inequivalent(made=[first])
        work += len(partners[first]) * len(analysis.candidates)
        if work > SOME_WORK:
            return None
    return partners


def _distinct(analysis: Analysis, found: Sequence[Found], count: int) -> list[Found]:
    """Return the first `count` pairs of `found`, without pairs equivalent to an earlier one."""
    kept: list[Found] = []
    budget = SearchBudget(count * MAX_STEPS_TO_TELL)
    for cost, a, b in found:
        # A symmetry preserves the cost, so only pairs of equal cost can be equivalent.
        if len(kept) < count and not any(
            analysis.equivalent((c, d), pair, budget)
            for other, c, d in kept
            if other == cost
            for pair in ((a, b), (b, a))
        ):
            kept.append((cost, a, b))
    return kept


def _search_in_python(
    analysis: Analysis,
    rows: Mapping[int, Sequence[int]],
    partners: Mapping[int, Sequence[int]],
    policy: OneStep,
    count: int,
) -> list[Found]:
    """Return the `count` pairs of lowest cost, computed in plain Python.

    `rows` maps each guess to the feedback numbers of all candidates. `partners` maps each first
    guess to its second guesses. `policy` gives the cost of a cell.
    """

    def cost_of(feedbacks: Iterable[object]) -> int:
        return sum([policy.cost(weight) for weight in analysis.weigh(feedbacks).values()])

    def rank(index: int) -> tuple[int, int]:
        return alone[index], index

    # `alone` has the cost of each single guess. A lower cost means more expected information.
    alone = {index: cost_of(row) for index, row in rows.items()}

    whole = policy.cost(analysis.weight)
    kept: list[Found] = []
    seen: set[tuple[int, int]] = set()
    orders: dict[int, list[int]] = {}
    for a in sorted(partners, key=rank):
        every = partners[a]
        # Several first guesses may share a sequence of second guesses. The sequence is sorted only
        # once.
        if id(every) not in orders:
            orders[id(every)] = sorted(every, key=rank)
        for b in orders[id(every)]:
            # The information of a pair is at most the sum for its two guesses. If this sum is too
            # low, the loop ends: the sum is not higher for any later guess `b`.
            if len(kept) == count and alone[a] + alone[b] - whole > kept[-1][0]:
                break
            pair = (min(a, b), max(a, b))
            if a == b or pair in seen:
                continue
            seen.add(pair)
            cost = cost_of(zip(rows[a], rows[b], strict=True))
            if len(kept) < count or (cost, *pair) < kept[-1]:
                kept = sorted([*kept, (cost, *pair)])[:count]
    return kept

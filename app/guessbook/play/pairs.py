"""The search for the best pairs of guesses that are both chosen before the first feedback."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from guessbook.book.errors import EngineError, UsageError
from guessbook.book.games.symmetry import MAX_STEPS, SearchBudget
from guessbook.book.games.weights import weights_of
from guessbook.play.analysis import Analysis
from guessbook.play.rate import PairRating, pair_rating
from guessbook.policy.one_step import POLICIES

# Work is the number of pairs of guesses times the number of candidates. Work above SOME_WORK (a second or two in plain
# Python) is done by the engine. Without the engine, work above MAX_PLAIN_WORK (a minute or two) is refused.
SOME_WORK = 20_000_000
MAX_PLAIN_WORK = 600_000_000
# Work above MAX_WORK (some minutes in the engine) is refused. More than MAX_FEEDBACKS feedbacks need too much memory.
MAX_WORK = 500_000_000_000
MAX_FEEDBACKS = 1 << 28
# For each requested pair, the search for equivalent pairs may take this number of steps (a tenth of a second).
MAX_STEPS_TO_TELL = 5 * MAX_STEPS
# With more first guesses than this, equivalent second guesses are not excluded.
MAX_FIRSTS = 100

# The cost of a pair (lower is better) and the indices of its two guesses, the lower index first.
Found = tuple[int, int, int]


def best_pairs(analysis: Analysis, count: int = 10) -> list[PairRating]:
    """Return the `count` pairs of guesses with the most expected information, best first, without equivalent pairs."""
    search = searcher(analysis)
    wanted = 2 * count
    while True:
        found = search(wanted)
        kept = distinct(analysis, found, count)
        if len(kept) == count or len(found) < wanted:
            guesses = analysis.game.guesses
            return [pair_rating(analysis, guesses[a], guesses[b]) for _, a, b in kept]
        wanted *= 4


def searcher(analysis: Analysis) -> Callable[[int], list[Found]]:
    """Return a function that takes a number n and returns the n pairs of guesses with the most expected information."""
    game, size = analysis.game, len(analysis.candidates)
    costs, counted = POLICIES["entropy"].costs(analysis.weight), analysis.sums.cell_weights
    firsts = analysis.inequivalent()
    partners = partners_of(analysis, firsts)
    if partners is not None:
        needed = {*partners, *chain.from_iterable(partners.values())}
        some = {index: analysis.answers(game.guesses[index]) for index in needed}
        return lambda count: search_plain(some, partners, costs, count, counted)
    work = size * len(firsts) * len(game.guesses)
    if work > MAX_WORK or size * len(game.guesses) > MAX_FEEDBACKS:
        raise UsageError(
            f"found {len(game.guesses):,} guesses and {size:,} candidates, too many pairs to "
            "search; rate a pair of your own, or give a history that leaves fewer candidates"
        )
    every = range(len(game.guesses))
    rows = {index: analysis.answers(game.guesses[index]) for index in every}
    if work > SOME_WORK:
        try:
            # Imported here, because small searches need no engine.
            from guessbook.engine.binding import engine
            from guessbook.engine.pairs import (
                best_pairs as best_of,
            )  # This function needs the engine.

            engine()
            weights = weights_of(game, analysis.candidates)
            return lambda count: best_of([*rows.values()], firsts, costs, count, weights)
        except EngineError as error:
            if work > MAX_PLAIN_WORK:
                raise UsageError(
                    f"found {len(game.guesses):,} guesses and {size:,} candidates, "
                    f"too many pairs to search in plain Python: {error}"
                ) from None
    return lambda count: search_plain(rows, dict.fromkeys(firsts, every), costs, count, counted)


def partners_of(analysis: Analysis, firsts: Sequence[int]) -> dict[int, Sequence[int]] | None:
    """Return, for each first guess, a list of second guesses: only one guess of each group of equivalent guesses.

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


def distinct(analysis: Analysis, found: Sequence[Found], count: int) -> list[Found]:
    """Return the first `count` pairs of `found` that are not known to be equivalent to an earlier pair."""
    kept: list[Found] = []
    effort = SearchBudget(count * MAX_STEPS_TO_TELL)
    for cost, a, b in found:
        # A symmetry preserves the cost, so only pairs of equal cost can be equivalent.
        if len(kept) < count and not any(
            analysis.maps((c, d), pair, effort)
            for other, c, d in kept
            if other == cost
            for pair in ((a, b), (b, a))
        ):
            kept.append((cost, a, b))
    return kept


def search_plain(
    rows: Mapping[int, Sequence[int]],
    partners: Mapping[int, Sequence[int]],
    costs: Sequence[int],
    count: int,
    counted: Callable[[Iterable[Any]], Mapping[Any, int]] = Counter,
) -> list[Found]:
    """Return the `count` pairs of lowest cost, computed in plain Python.

    `rows` maps each guess to the feedback numbers of all candidates. `partners` maps each first guess to its second
    guesses. `costs[n]` is the cost of a cell of weight n. `counted` returns the weight of each cell.
    """
    # `alone` has the cost of each single guess. A lower cost means more expected information.
    alone = {index: sum(costs[n] for n in counted(row).values()) for index, row in rows.items()}

    def rank(index: int) -> tuple[int, int]:
        return alone[index], index

    whole = costs[-1]
    kept: list[Found] = []
    seen: set[tuple[int, int]] = set()
    orders: dict[int, list[int]] = {}
    for a in sorted(partners, key=rank):
        every = partners[a]
        # Several first guesses may share a sequence of second guesses. The sequence is sorted only once.
        if id(every) not in orders:
            orders[id(every)] = sorted(every, key=rank)
        for b in orders[id(every)]:
            # The information of a pair is at most the sum for its two guesses. If this sum is too low, the loop ends,
            # because it is not higher for any later guess `b`.
            if len(kept) == count and alone[a] + alone[b] - whole > kept[-1][0]:
                break
            pair = (min(a, b), max(a, b))
            if a == b or pair in seen:
                continue
            seen.add(pair)
            both = counted(zip(rows[a], rows[b], strict=True))
            cost = sum(costs[n] for n in both.values())
            if len(kept) < count or (cost, *pair) < kept[-1]:
                kept = sorted([*kept, (cost, *pair)])[:count]
    return kept

"""The best pair: two guesses that are made whatever the first one tells."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from guessbook.book.errors import UsageError
from guessbook.lookup.analysis import part_sums
from guessbook.lookup.rate import PairRating, pair_rating

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.lookup.analysis import Analysis

__all__ = ["best_pairs"]

# Pairs of guesses times candidates: what plain Python does in a second or two, and in a minute or
# two; and what the kernel does in some minutes, of which its bounds usually save the larger part.
SOME_WORK = 10_000_000
MAX_PLAIN_WORK = 600_000_000
MAX_WORK = 500_000_000_000
MAX_BYTES = 1 << 29


def best_pairs(analysis: Analysis, count: int = 10) -> list[PairRating]:
    """The pairs of guesses that together are expected to tell the most, best first.

    No pair that could be among them is passed over. Of pairs that tell equally much the one with
    the lower guesses comes first; of pairs in a code game that symmetry carries onto each other
    perhaps only one is listed.

    Raises:
        UsageError: the search would take too long.
    """
    from guessbook.builder.policy import POLICIES

    game, size = analysis.game, len(analysis.candidates)
    firsts = first_guesses(analysis)
    work = size * len(firsts) * len(game.guesses)
    if work > MAX_WORK or size * len(game.guesses) > MAX_BYTES:
        raise UsageError(
            f"found {len(game.guesses):,} guesses and {size:,} candidates, which make too many "
            "pairs to search; rate a pair of your own with `guessbook rate --pair A B`, "
            "or give a history that leaves fewer candidates"
        )
    weights = POLICIES["entropy"].weights(size)
    rows = answers(analysis)
    found = None
    if work > SOME_WORK:
        try:
            from guessbook.builder.pairs import search

            found = search(rows, firsts, weights, count)
        except ImportError:  # no numpy or numba: the extra `build` is not installed
            if work > MAX_PLAIN_WORK:
                raise UsageError(
                    "found too many pairs for plain Python; get the kernels with: "
                    'pip install "guessbook[build]"'
                ) from None
    if found is None:
        found = search_plain(rows, firsts, weights, count)
    return [pair_rating(analysis, game.guesses[a], game.guesses[b]) for _, a, b in found]


def first_guesses(analysis: Analysis) -> Sequence[int]:
    """The guesses of which a pair has one: in a code game one of those that are equivalent."""
    from guessbook.lookup.explain import inequivalent

    found = inequivalent(analysis, None)
    return range(len(analysis.game.guesses)) if found is None else found


def answers(analysis: Analysis) -> list[Sequence[int]]:
    """The feedback number of each candidate to each guess."""
    from guessbook.builder.letters import parts_of

    sums = part_sums(analysis.game, analysis.candidates)
    known: dict[tuple[str, int], int] = {}
    rows: list[Sequence[int]] = []
    for guess in analysis.game.guesses:
        parts = parts_of(guess)
        for part in parts:
            if part not in known:
                known[part] = sums.of(part)
        rows.append(sums.lanes(sum(known[part] for part in parts)))
    return rows


def search_plain(
    rows: Sequence[Sequence[int]], firsts: Sequence[int], weights: Sequence[int], count: int
) -> list[tuple[int, int, int]]:
    """What `guessbook.builder.pairs.search` does, in plain Python; see there."""
    size = len(rows[0])
    # What a guess leaves unknown, as an exact integer: the lower the better.
    alone = [sum(weights[n] for n in Counter(row).values()) for row in rows]
    order = sorted(range(len(rows)), key=lambda index: (alone[index], index))
    kept: list[tuple[int, int, int]] = []
    seen: set[tuple[int, int]] = set()
    for a in sorted(firsts, key=lambda index: (alone[index], index)):
        for b in order:
            # H(A, B) <= H(A) + H(B): the rest of `order` can only be worse.
            if len(kept) == count and alone[a] + alone[b] - weights[size] > kept[-1][0]:
                break
            pair = (min(a, b), max(a, b))
            if a == b or pair in seen:
                continue
            seen.add(pair)
            both = Counter(zip(rows[a], rows[b], strict=True))
            kept = sorted([*kept, (sum(weights[n] for n in both.values()), *pair)])[:count]
    return kept

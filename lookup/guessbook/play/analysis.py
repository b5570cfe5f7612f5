"""The analysis: the candidates after a history, and how each guess of the game would split them."""

from __future__ import annotations

import math
import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from guessbook.book.errors import UsageError
from guessbook.book.games.beyond import listed, wider
from guessbook.book.games.game import Game, History
from guessbook.book.games.symmetry import Effort, Exchangeable, has_symmetry
from guessbook.book.games.weights import secret_weights, weight_of, weights_of
from guessbook.book.installation import install
from guessbook.book.tree import entropy
from guessbook.policy.one_step import POLICIES, OneStep
from guessbook.policy.search.search import Sums, candidates_of, sums_of
from guessbook.policy.search.symmetry import (
    MAX_STEPS_TO_LOWEST,
    carried,
    held_symbols,
    leading,
    representatives,
)

if TYPE_CHECKING:
    from guessbook.builder.games.ranking import Ranker
    from guessbook.builder.kernels.arrays import Integers

# Seconds of plain Python, as `plain_seconds` estimates them. Above the first numpy or the compiled
# kernels win, although they take a part of a second to load; above the second where they are loaded
# already. Nobody waits for the third.
SOME_SECONDS = 0.25
LOADED_SECONDS = 0.03
MAX_SECONDS = 120.0

# Feedback numbers up to which an array with a place for each of them is the quickest way to count.
FEW_FEEDBACKS = 1 << 12

# Guesses that are counted at a time: their cells stay in the processor's cache.
BLOCK = 512

# Guesses whose images under all permutations are looked at, in plain Python.
MAX_LEADING = 10_000


class Split(NamedTuple):
    """What a guess does to the candidates, in the units of every one-step policy.

    Where secrets have weights a size is how much the candidates count together.

    Attributes:
        entropy: the information that the feedback is expected to give, in bits (`entropy`).
        expected_size: how many candidates are expected to remain (`expected`).
        cells: how many cells there are (`parts`).
        worst: the size of the largest cell (`minimax`).
    """

    entropy: float
    expected_size: float
    cells: int
    worst: int


def split_of(sizes: Iterable[int]) -> Split:
    """The numbers of a partition with cells of these sizes.

    >>> split_of([2, 1, 1])
    Split(entropy=1.5, expected_size=1.5, cells=3, worst=2)
    """
    sizes = list(sizes)
    total = sum(sizes)
    # No information is 0 bits, and never a rounded -0.
    bits = entropy(sizes) if len(sizes) > 1 else 0.0
    return Split(bits, sum(n * n for n in sizes) / total, len(sizes), max(sizes))


class Analysis:
    """The candidates after a history.

    >>> from guessbook.book import Mastermind, parse_history
    >>> game = Mastermind(4, 6)
    >>> analysis = Analysis(game, parse_history(game, "RYGB=1,1 RGOP=0,2"))
    >>> len(analysis.candidates), analysis.split("PYYG").cells
    (57, 14)

    Attributes:
        game: the game.
        history: what is known.
        candidates: every secret that fits, in the order of the game; none if nothing fits.
        weight: how much these count together; where secrets have no weights, how many there are.
    """

    __slots__ = ("_held", "_sums", "candidates", "game", "history")

    def __init__(self, game: Game, history: History, candidates: list[str] | None = None) -> None:
        self.game = game
        self.history = list(history)
        self.candidates = candidates_of(game, history) if candidates is None else candidates
        self._sums: Sums | None = None
        self._held: Set[int] | None = None

    @property
    def weight(self) -> int:
        """See `Analysis`."""
        return weight_of(self.game, self.candidates)

    @property
    def total(self) -> int | None:
        """The same; None where secrets have no weights."""
        return None if secret_weights(self.game) is None else self.weight

    def chance(self, guess: str) -> float:
        """The probability that a guess is the secret."""
        own = weight_of(self.game, [guess]) if guess in self.candidates else 0
        return own / self.weight if own else 0.0

    @property
    def sums(self) -> Sums:
        """The feedbacks of the candidates."""
        if self._sums is None:
            self._sums = sums_of(self.game, self.candidates)
        return self._sums

    def answers(self, guess: str) -> bytes | array[int]:
        """The feedback number that each candidate gives to a guess."""
        return self.sums.answers(guess)

    def counted(self, guess: str) -> Counter[int]:
        """How much the candidates count that give each feedback number to a guess."""
        return self.sums.counted(self.answers(guess))

    def cells(self, guess: str) -> dict[int, list[str]]:
        """The partition that a guess makes: candidates by feedback number, likeliest cell first.

        Cells of one size come in the order of their feedback numbers.
        """
        cells: dict[int, list[str]] = {}
        for secret, feedback in zip(self.candidates, self.answers(guess), strict=True):
            cells.setdefault(feedback, []).append(secret)
        counted = self.counted(guess)
        return dict(sorted(cells.items(), key=lambda cell: (-counted[cell[0]], cell[0])))

    def split(self, guess: str) -> Split:
        """What a guess does to the candidates, in numbers."""
        return split_of(self.counted(guess).values())

    def pair(self, first: str, second: str) -> Split:
        """The same for two guesses that are made one after the other, whatever the first tells."""
        both = zip(self.answers(first), self.answers(second), strict=True)
        return split_of(self.sums.counted(both).values())

    def carried(
        self, first: Sequence[int], second: Sequence[int], effort: Effort | None = None
    ) -> bool:
        """Whether one symmetry carries each guess onto that in the same place of the other list.

        One that is not found with the effort, or the usual one, counts as none.
        """
        game = self.game
        if not has_symmetry(game):
            return list(first) == list(second)
        held = self._held_by(game)
        return carried(game, self.history, held, first, second, effort or Effort())

    def scores(self, policies: Sequence[OneStep], guesses: Sequence[int]) -> list[list[int]]:
        """The exact scores of guesses under several one-step policies, the credits included.

        Args:
            policies: the policies, of which each has a list in the result.
            guesses: what to score; of equivalent guesses `inequivalent` keeps one.

        Raises:
            UsageError: plain Python would take minutes and nothing quicker is installed.
        """
        policies = [policy.of(self.game) for policy in policies]
        seconds = plain_seconds(len(guesses), len(self.candidates))
        compiled = has_symmetry(self.game)
        if seconds > (LOADED_SECONDS if loaded(compiled) else SOME_SECONDS):
            try:
                return (self._compiled if compiled else self._counted)(policies, guesses)
            except ImportError:  # no numpy or numba: the extra `build` is not installed
                if seconds > MAX_SECONDS:
                    raise UsageError(
                        f"found {len(guesses):,} guesses and {len(self.candidates):,} candidates, "
                        f"too many for plain Python; get the kernels with: {install('build')}"
                    ) from None
        return self._plain(policies, guesses)

    def inequivalent(
        self, indices: Sequence[int] | None = None, made: Sequence[int] = ()
    ) -> Sequence[int]:
        """Of guesses that a symmetry carries onto each other the lowest; others tell as much.

        Where symmetries are many and hard to find, some of the others may stay: see `Effort`.

        Args:
            indices: the guesses, ascending; all of the game if None.
            made: guesses that the symmetry has to leave as they are, beside those of the history.
        """
        game = self.game
        if not has_symmetry(game):
            return listed(game) if indices is None else indices
        # Of a guess that has been made the symmetry looks at the code alone.
        history = [*self.history, *[(guess, 0) for guess in made]]
        held = self._held_by(game)
        leaders = leading(game, history, held) if indices is None else indices
        found = list(islice(leaders, MAX_LEADING + 1))
        if len(found) > MAX_LEADING:
            lowest = self._lowest(history)
            return lowest if indices is None else sorted(set(indices).intersection(lowest))
        return representatives(game, history, held, found, Effort(MAX_STEPS_TO_LOWEST))

    def _held_by(self, game: Exchangeable) -> Set[int]:
        """The ranks of the symbols that some candidate has."""
        if self._held is None:
            self._held = held_symbols(game, self.candidates)
        return self._held

    def _lowest(self, history: History) -> Sequence[int]:
        """The same for all guesses of a large code game, by the builder's kernels."""
        try:
            import numpy as np

            ranker = self._ranker(POLICIES["entropy"])
            path = np.array([guess for guess, _ in history], np.uint32)
            found: list[int] = ranker.inequivalent(self._indices(), path).tolist()
        except ImportError:  # no numpy or numba: then all of them
            return range(len(self.game.guesses))
        return found

    def _ranker(self, policy: OneStep) -> Ranker:
        """What ranks by the builder's kernels. Raises ImportError where these are missing."""
        # Late, as plain Python does without the builder.
        from guessbook.builder.games.scoring import scoring_of

        # Late, as it loads numpy.
        from guessbook.builder.growth.limits import check_limits

        check_limits(self.game)
        return scoring_of(self.game).ranker(self.game, policy)

    def _indices(self) -> Integers:
        """The candidates of a code game as indices."""
        import numpy as np

        return np.array([self.game.parse_code(code) for code in self.candidates], np.uint32)

    def _plain(self, policies: Sequence[OneStep], guesses: Sequence[int]) -> list[list[int]]:
        game, weight = self.game, self.weight
        costs = [policy.costs(weight) for policy in policies]
        possible = dict(zip(self.candidates, weights_of(game, self.candidates), strict=True))
        known: dict[tuple[int, ...], list[int]] = {}
        rows = []
        for index in guesses:
            guess = game.guesses[index]
            sizes = tuple(sorted(self.counted(guess).values()))
            if sizes not in known:
                known[sizes] = [p.score(sizes, own) for p, own in zip(policies, costs, strict=True)]
            row = known[sizes]
            if guess in possible:
                own = possible[guess]
                row = [s + p.credit * own for s, p in zip(row, policies, strict=True)]
            rows.append(row)
        return [list(column) for column in zip(*rows, strict=True)]

    def _compiled(self, policies: Sequence[OneStep], guesses: Sequence[int]) -> list[list[int]]:
        """The same for a code game, by the builder's kernels."""
        import numpy as np

        candidates, every = self._indices(), np.array(guesses, np.uint32)
        rankers = [self._ranker(policy) for policy in policies]
        return [ranker.scores(candidates, None, every)[0].tolist() for ranker in rankers]

    def _counted(self, policies: Sequence[OneStep], guesses: Sequence[int]) -> list[list[int]]:
        """The same for any game, by numpy alone: to load the kernels takes longer."""
        import numpy as np

        few = self.game.feedbacks <= FEW_FEEDBACKS
        weighted = secret_weights(self.game) is not None
        weights = weights_of(self.game, self.candidates) if weighted else None
        possible = dict(zip(self.candidates, weights_of(self.game, self.candidates), strict=True))
        costs = [np.array(policy.costs(self.weight), np.int64) for policy in policies]
        columns: list[list[int]] = [[] for _ in policies]
        for begin in range(0, len(guesses), BLOCK):
            codes = [self.game.guesses[index] for index in guesses[begin : begin + BLOCK]]
            cells = []
            for code in codes:
                row = np.asarray(memoryview(self.answers(code)))
                if not few:
                    row = np.unique(row, return_inverse=True)[1]
                cells.append(np.bincount(row, weights))
            # Floats hold weighted sums exactly. An empty cell costs nothing.
            sizes = np.concatenate(cells).astype(np.int64, copy=False)
            starts = np.cumsum([0, *map(len, cells[:-1])])
            own = np.array([possible.get(code, 0) for code in codes])
            for column, policy, cost in zip(columns, policies, costs, strict=True):
                fold = np.add if policy.additive else np.maximum
                column += (policy.credit * own - fold.reduceat(cost[sizes], starts)).tolist()
        return columns


def analysed(game: Game, history: History) -> Analysis:
    """The candidates after a history; where no secret fits they are sought among all guesses."""
    found = Analysis(game, history)
    more = None if found.candidates else wider(game)
    return Analysis(more, history) if more else found


def loaded(compiled: bool) -> bool:
    """Whether what scores many guesses is loaded: the kernels, or numpy alone."""
    return ("llvmlite" if compiled else "numpy") in sys.modules


def plain_seconds(guesses: int, candidates: int) -> float:
    """About how long plain Python takes to score so many guesses, in seconds."""
    return guesses * (5e-6 + candidates * 4.5e-8)


def surprise(size: int, total: int) -> float:
    """What it tells that the secret is one of `size` out of `total` candidates, in bits."""
    return math.log2(total / size)

"""The analysis: the candidates after a history, and how each guess of the game would split them."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from guessbook.book.errors import UsageError
from guessbook.book.games.symmetry import has_symmetry
from guessbook.book.tree import entropy
from guessbook.policy.search.search import candidates_of, is_tabulated, sums_of
from guessbook.policy.search.symmetry import carried

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from guessbook.book.games.game import Game, History
    from guessbook.builder.kernels.arrays import Integers
    from guessbook.policy.one_step import OneStep
    from guessbook.policy.search.search import Sums

# Seconds of plain Python, as `plain_seconds` estimates them. Above the first the compiled kernels
# win, although they take a good part of a second to load; nobody waits for the second.
SOME_SECONDS = 0.8
MAX_SECONDS = 120.0

# Pairs of a guess and a candidate that are held in memory at once.
BLOCK = 1 << 21


class Split(NamedTuple):
    """What a guess does to the candidates, in the units of every one-step policy.

    Attributes:
        bits: the information that the feedback is expected to give, in bits (`entropy`).
        expected_size: how many candidates are expected to remain (`expected`).
        cells: how many cells there are (`parts`).
        worst: the size of the largest cell (`minimax`).
    """

    bits: float
    expected_size: float
    cells: int
    worst: int


class Scores(NamedTuple):
    """The exact scores of guesses, each policy's in one list.

    Attributes:
        guesses: indices in `game.guesses`, ascending. Of guesses that are equivalent by symmetry
            perhaps only the lowest is there.
        columns: a list for each policy: the score of each guess, the credit included.
    """

    guesses: Sequence[int]
    columns: list[list[int]]


def split_of(sizes: Iterable[int]) -> Split:
    """The numbers of a partition with cells of these sizes.

    >>> split_of([2, 1, 1])
    Split(bits=1.5, expected_size=1.5, cells=3, worst=2)
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
    """

    __slots__ = ("_sums", "candidates", "game", "history")

    def __init__(self, game: Game, history: History, candidates: list[str] | None = None) -> None:
        self.game = game
        self.history = list(history)
        self.candidates = candidates_of(game, history) if candidates is None else candidates
        self._sums: Sums | None = None

    def answers(self, guess: str) -> Sequence[int]:
        """The feedback number that each candidate gives to a guess."""
        if self._sums is None:
            self._sums = sums_of(self.game, self.candidates)
        return self._sums.answers(guess)

    def cells(self, guess: str) -> dict[int, list[str]]:
        """The partition that a guess makes: the candidates by feedback number, largest cell first.

        Cells of one size come in the order of their feedback numbers.
        """
        cells: dict[int, list[str]] = {}
        for secret, feedback in zip(self.candidates, self.answers(guess), strict=True):
            cells.setdefault(feedback, []).append(secret)
        return dict(sorted(cells.items(), key=lambda cell: (-len(cell[1]), cell[0])))

    def split(self, guess: str) -> Split:
        """What a guess does to the candidates, in numbers."""
        return split_of(Counter(self.answers(guess)).values())

    def pair(self, first: str, second: str) -> Split:
        """The same for two guesses that are made one after the other, whatever the first tells."""
        both = Counter(zip(self.answers(first), self.answers(second), strict=True))
        return split_of(both.values())

    def carried(self, first: Sequence[int], second: Sequence[int]) -> bool:
        """Whether one symmetry carries each guess onto that in the same place of the other list."""
        return carried(self.game, self.history, self.candidates, first, second)

    def scores(
        self, policies: Sequence[OneStep], allowed: Sequence[int] | None = None, every: bool = False
    ) -> Scores:
        """The exact scores of guesses under several one-step policies.

        Args:
            policies: the policies.
            allowed: the guesses to score, ascending; all of the game if None.
            every: score every guess, also those that are equivalent to another one by symmetry.

        Raises:
            UsageError: plain Python would take minutes and the kernels are not installed.
        """
        guesses = range(len(self.game.guesses)) if allowed is None else allowed
        seconds = plain_seconds(len(guesses), len(self.candidates))
        # Where a table of all feedbacks comes first, plain Python is done before it is filled.
        if seconds > SOME_SECONDS and not is_tabulated(self.game):
            try:
                return self._compiled(policies, guesses, every or allowed is not None)
            except ImportError:  # no numpy or numba: the extra `build` is not installed
                if seconds > MAX_SECONDS:
                    raise UsageError(
                        f"found {len(guesses):,} guesses and {len(self.candidates):,} candidates, "
                        "too many for plain Python; get the kernels with: "
                        'pip install "guessbook[build]"'
                    ) from None
        return self._plain(policies, guesses)

    def _plain(self, policies: Sequence[OneStep], guesses: Sequence[int]) -> Scores:
        game, size = self.game, len(self.candidates)
        costs = [policy.costs(size) for policy in policies]
        possible = set(self.candidates)
        known: dict[tuple[int, ...], list[int]] = {}
        rows = []
        for index in guesses:
            guess = game.guesses[index]
            sizes = tuple(sorted(Counter(self.answers(guess)).values()))
            if sizes not in known:
                known[sizes] = [p.score(sizes, own) for p, own in zip(policies, costs, strict=True)]
            row = known[sizes]
            if guess in possible:
                row = [s + p.credit for s, p in zip(row, policies, strict=True)]
            rows.append(row)
        return Scores(guesses, [list(column) for column in zip(*rows, strict=True)])

    def _compiled(self, policies: Sequence[OneStep], guesses: Sequence[int], every: bool) -> Scores:
        """The same by numpy and, for code games, the builder's kernels."""
        import numpy as np

        # Late, as plain Python does without the builder.
        from guessbook.builder.growth.limits import check_limits

        check_limits(self.game)
        places = {code: k for k, code in enumerate(self.game.secrets)}
        candidates = np.array([places[code] for code in self.candidates], np.uint32)
        if has_symmetry(self.game) and not every:
            return self._ranked(policies, candidates)
        return self._counted(policies, candidates, np.array(guesses, np.uint32))

    def _ranked(self, policies: Sequence[OneStep], candidates: Integers) -> Scores:
        """For a code game: one guess of those that are equivalent by symmetry."""
        import numpy as np

        # Late, as it loads numba.
        from guessbook.builder.games.scoring import LEFT_OUT, scoring_of

        path = np.array([guess for guess, _ in self.history], np.uint32)
        every = np.arange(len(self.game.guesses), dtype=np.uint32)
        kept = every
        columns = []
        for policy in policies:
            ranker = scoring_of(self.game).ranker(self.game, policy)
            scores, _ = ranker.scores(candidates, path, every)
            kept = np.flatnonzero(scores > LEFT_OUT).astype(np.uint32)
            columns.append(scores[kept].tolist())
        return Scores(kept.tolist(), columns)

    def _counted(
        self, policies: Sequence[OneStep], candidates: Integers, guesses: Integers
    ) -> Scores:
        """For any game: the cells of a block of guesses at a time."""
        import numpy as np

        # Late, as it loads numba.
        from guessbook.builder.games.scoring import scoring_of

        size, feedbacks = len(candidates), self.game.feedbacks
        every = policies[0]._replace(consistent_only=False, hard_mode=False)
        scorer = scoring_of(self.game).scorer(self.game, every)
        costs = [np.array(policy.costs(size), np.int64) for policy in policies]
        rows = max(1, BLOCK // (size + feedbacks))
        columns: list[list[int]] = [[] for _ in policies]
        for begin in range(0, len(guesses), rows):
            block = guesses[begin : begin + rows]
            answers = scorer.table(block, candidates).astype(np.int64)
            keys = (answers + np.arange(len(block))[:, None] * feedbacks).ravel()
            cells = np.bincount(keys, minlength=len(block) * feedbacks).reshape(-1, feedbacks)
            solves = cells[:, self.game.solved] > 0
            for column, policy, own in zip(columns, policies, costs, strict=True):
                cost = own[cells]
                total = cost.sum(axis=1) if policy.additive else cost.max(axis=1)
                column.extend((policy.credit * solves - total).tolist())
        return Scores(guesses.tolist(), columns)


def plain_seconds(guesses: int, candidates: int) -> float:
    """About how long plain Python takes to score so many guesses, in seconds."""
    return guesses * (5e-6 + candidates * 4.5e-8)


def surprise(size: int, total: int) -> float:
    """What it tells that the secret is one of `size` out of `total` candidates, in bits."""
    return math.log2(total / size)

"""The ranking of a node: a one-step policy's best guesses, of those that are not equivalent.

Guesses come in the order of the score, then candidates first, then the lowest index: the first one
is the policy's own guess. Two kinds of guesses are left out, for they could only do as well as one
that stands before them:

- those that a symmetry of the history, or an exchange of symbols that no candidate has, carries
  onto a guess of lower index (see `guessbook.builder.kernels.orbits`);
- those that split the candidates into the same cells as one that is already listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from guessbook.builder.kernels.alphabets import in_order, require
from guessbook.builder.kernels.arrangements import STATE
from guessbook.builder.kernels.jit import kernel
from guessbook.builder.kernels.orbits import is_lowest, stabilizer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from guessbook.book.games.codes import Mastermind
    from guessbook.builder.kernels.arrays import Array, Bytes2D, Integers, Integers2D, Rule
    from guessbook.builder.scorers.scorer import Scorer

__all__ = ["LEFT_OUT", "CodeRanker", "Ranker", "best_first", "openings"]

# The score of a guess that is left out.
LEFT_OUT = -(1 << 63)


class Ranker(Protocol):
    """A game and a one-step policy, ready to rank guesses."""

    def rank(self, candidates: Integers, path: Integers, width: int) -> Integers:
        """The best guesses of a node that are not equivalent, best first.

        Args:
            candidates: uint32, indices in `game.secrets`, ascending; at least one.
            path: uint32, the indices of the guesses of the history.
            width: how many guesses are wanted.

        Returns:
            uint32[at most width], indices in `game.guesses`.
        """


class CodeRanker(NamedTuple):
    """The ranker of a code game.

    Attributes:
        game: the game.
        scorer: gives the feedbacks.
        rule: the policy, for the kernel.
        table: uint8[codes, pegs], the symbols of every code.
        shuffles: int64[m, pegs], the permutations of the positions, the identity first.
        consistent_only: whether only candidates are ranked.
    """

    game: Mastermind
    scorer: Scorer
    rule: Rule
    table: Bytes2D
    shuffles: Integers2D
    consistent_only: bool = False

    def rank(self, candidates: Integers, path: Integers, width: int) -> Integers:
        """See `Ranker.rank`."""
        guesses = candidates if self.consistent_only else np.arange(len(self.table))
        guesses = guesses.astype(np.uint32)
        scores, solves = self.scores(candidates, path, guesses)
        return best_first(self.scorer, candidates, guesses, scores, solves, width)

    def scores(
        self, candidates: Integers, path: Integers, guesses: Integers
    ) -> tuple[Integers, Integers]:
        """The score (int64; LEFT_OUT if by symmetry) of each guess, and whether it may be right."""
        game, pegs = self.game, self.game.pegs
        digits = self.table[candidates]
        symbols = np.arange(game.colors, dtype=np.uint8)
        match = (digits.T[:, None, :] == symbols[None, :, None]).astype(np.uint8)
        counts = match.sum(axis=0, dtype=np.uint8)
        copies = np.arange(pegs, dtype=np.uint8)
        extra = (counts[:, None, :] > copies[None, :, None]).astype(np.uint8) * np.uint8(pegs + 1)
        history = self.table[path]
        used = sum(1 << int(c) for c in np.unique(history))
        held = sum(1 << int(c) for c in np.unique(digits))
        elements = stabilizer(history, self.shuffles, game.colors)
        scores = np.full(len(guesses), LEFT_OUT, np.int64)
        solves = np.zeros(len(guesses), np.uint8)
        score_codes(
            self.table, guesses, match.reshape(-1, len(digits)), extra.reshape(-1, len(digits)),
            elements, held, used, game.repeats, self.rule.weights, self.rule.additive,
            self.rule.credit, np.zeros((pegs + 1, len(digits)), np.uint8),
            np.zeros(STATE, np.int64), np.zeros(256, np.int64), np.full(pegs, -1, np.int64),
            scores, solves,
        )  # fmt: skip
        return scores, solves


def best_first(
    scorer: Scorer,
    candidates: Integers,
    guesses: Integers,
    scores: Integers,
    solves: Integers,
    width: int,
) -> Integers:
    """The best `width` guesses, best first, that split the candidates into different cells.

    Args:
        scorer: gives the feedbacks.
        candidates: uint32[n].
        guesses: uint32[m], ascending.
        scores: int64[m], LEFT_OUT for those that are out of the question.
        solves: uint8[m], whether each is a candidate.
        width: how many are wanted.
    """
    kept = np.flatnonzero(scores > LEFT_OUT)
    guesses, scores, solves = guesses[kept], scores[kept], solves[kept]
    # Nearly always the list is full after a few times `width` guesses, so sort only those.
    some = 4 * width
    while True:
        some = min(some, len(guesses))
        least = np.partition(scores, len(scores) - some)[len(scores) - some]
        top = np.flatnonzero(scores >= least)
        top = top[np.lexsort((top, solves[top] == 0, -scores[top]))]
        chosen = distinct(scorer, candidates, guesses[top], width)
        if len(chosen) == width or len(top) == len(guesses):
            return chosen
        some *= 8


def distinct(scorer: Scorer, candidates: Integers, ranked: Integers, width: int) -> Integers:
    """The first `width` of these guesses that split the candidates into different cells."""
    n = len(candidates)
    width = min(width, len(ranked))
    kept = np.zeros((width, n), np.uint32)
    chosen = np.zeros(width, np.uint32)
    names = np.zeros(scorer.game.feedbacks, np.int64)
    count = 0
    # A block at a time: the first few times `width` guesses usually do.
    for begin in range(0, len(ranked), 4 * width):
        block = ranked[begin : begin + 4 * width]
        starts = np.arange(len(block) + 1) * n
        answers = scorer.feedbacks(block, np.tile(candidates, len(block)), starts)
        cells = answers.reshape(-1, n).astype(np.uint32)
        count = keep_distinct(block, cells, names, kept, chosen, count)
        if count == width:
            break
    return chosen[:count]


def openings(game: Mastermind) -> list[int]:
    """The indices of the first guesses of a game that are not equivalent to a lower one, ascending.

    Two codes are equivalent if their symbols occur equally often; the lowest of them has its most
    frequent symbol first, and that is symbol 0.

    >>> from guessbook.book import Mastermind
    >>> game = Mastermind(4, 6)
    >>> [game.guesses[opening] for opening in openings(game)]
    ['RRRR', 'RRRY', 'RRYY', 'RRYG', 'RYGB']
    """
    if not game.repeats:
        return [0]
    found = []
    for shape in shapes(game.pegs, game.colors, game.pegs):
        index = 0
        for symbol, times in enumerate(shape):
            for _ in range(times):
                index = index * game.colors + symbol
        found.append(index)
    return found


def shapes(pegs: int, colors: int, most: int) -> Iterator[tuple[int, ...]]:
    """How often the symbols of a code may occur: the partitions of its pegs, the largest first.

    >>> list(shapes(4, 3, 4))
    [(4,), (3, 1), (2, 2), (2, 1, 1)]

    Args:
        pegs: the sum of the parts.
        colors: at most so many parts.
        most: the largest part.
    """
    if not pegs:
        yield ()
    elif colors:
        for part in range(min(pegs, most), 0, -1):
            for rest in shapes(pegs - part, colors - 1, part):
                yield part, *rest


@kernel
def score_codes(
    table: Array, guesses: Array, match: Array, extra: Array, elements: Array, held: int,
    used: int, repeats: bool, weights: Array, additive: bool, credit: int, partial: Array,
    state: Array, sizes: Array, before: Array, scores: Array, solves: Array,
) -> None:  # fmt: skip
    """Score codes against the candidates of a node; those left out by symmetry keep their score.

    A feedback is a sum over the positions of a guess: where it has symbol c at position p, the
    j-th c so far, a candidate with c at p adds 1 (a black peg), and one with at least j times c
    adds pegs + 1 (a peg of either kind). The sums for the positions that a guess shares with the
    one before it are kept.

    Args:
        table: uint8[codes, pegs], the symbols of every code.
        guesses: uint32[m], the codes to score.
        match: uint8[pegs * colors, n], 1 for candidates with c at p in row p * colors + c.
        extra: uint8[colors * pegs, n], pegs + 1 for candidates with more than j times c in row
            c * pegs + j.
        elements: the symmetries of the history, see `orbits.stabilizer`.
        held: the set of symbols in the candidates, as bits.
        used: the set of symbols in the guesses of the history.
        repeats: of the game.
        weights: of the policy, with
        additive: and
        credit: see `arrays.Rule`.
        partial: uint8[pegs + 1, n], working space, its first row 0.
        state: int64, working space, see `arrangements`.
        sizes: int64[256], working space, 0.
        before: int64[pegs], working space, -1.
        scores: int64[m], receives the scores.
        solves: uint8[m], receives 1 for each guess that is a candidate.
    """
    pegs = table.shape[1]
    colors = elements.shape[1] - pegs
    n = match.shape[1]
    feedbacks = (pegs + 1) * (pegs + 1)
    require(held, used, colors, repeats, state)
    for i in range(len(guesses)):
        code = table[guesses[i]]
        if not in_order(code, state):
            continue
        if len(elements) > 1 and not is_lowest(code, elements, held, used, repeats):
            continue
        same = True
        for p in range(pegs):
            c = np.int64(code[p])
            same = same and before[p] == c
            if same:
                continue
            before[p] = c
            j = 0
            for q in range(p):
                j += before[q] == c
            a = p * colors + c
            b = c * pegs + j
            for k in range(n):
                partial[p + 1, k] = partial[p, k] + match[a, k] + extra[b, k]
        for k in range(n):
            sizes[partial[pegs, k]] += 1
        if sizes[feedbacks - 1]:
            solves[i] = 1
        total = np.int64(0)
        if n > feedbacks:
            for f in range(feedbacks):
                weight = weights[sizes[f]]
                total = total + weight if additive else max(total, weight)
                sizes[f] = 0
        else:
            for k in range(n):
                f = partial[pegs, k]
                weight = weights[sizes[f]]
                total = total + weight if additive else max(total, weight)
                sizes[f] = 0
        scores[i] = credit * solves[i] - total


@kernel
def keep_distinct(
    guesses: Array, answers: Array, names: Array, kept: Array, chosen: Array, count: int
) -> int:
    """Add to `chosen` the guesses whose cells differ from those of all that are there.

    Args:
        guesses: uint32[m].
        answers: uint32[m, n], the feedback of each candidate; becomes the number of its cell, in
            the order in which the cells first appear.
        names: int64[feedbacks], working space.
        kept: uint32[width, n], the cells of the guesses that were chosen.
        chosen: uint32[width], those guesses.
        count: how many there are.

    Returns:
        How many there are now.
    """
    n = answers.shape[1]
    for i in range(len(guesses)):
        if count == len(chosen):
            break
        for k in range(n):
            names[answers[i, k]] = -1
        cells = 0
        for k in range(n):
            f = answers[i, k]
            if names[f] < 0:
                names[f] = cells
                cells += 1
            answers[i, k] = names[f]
        new = True
        for j in range(count):
            k = 0
            while k < n and kept[j, k] == answers[i, k]:
                k += 1
            if k == n:
                new = False
                break
        if new:
            for k in range(n):
                kept[count, k] = answers[i, k]
            chosen[count] = guesses[i]
            count += 1
    return count

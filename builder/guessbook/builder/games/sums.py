"""Games whose feedbacks are sums: the guess for each node of a level, and the feedbacks to it.

What a part of a guess adds to the feedback number of each secret depends on nothing else in the
guess: the letters of a word are such parts. In a game of any kind a guess is its own only part.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.weights import few_candidates
from guessbook.builder.compiler.jit import kernel
from guessbook.builder.kernels.arrays import Chosen, Integers, Integers2D, Rule


class SumScorer(NamedTuple):
    """A game and a one-step policy, ready for the kernel.

    Attributes:
        game: the game.
        rule: the policy.
        weights: int64[secrets], how much each secret counts.
        sums: uint8, uint16 or uint32[parts, secrets], what each part of a guess adds to the
            feedback number of each secret; the last part may be nothing at all.
        parts: int64[guesses, n], the parts of each guess, filled up with the last part. A guess
            that does nothing but name secret k has -1 - k: it is answered by the last feedback
            number, or for other secrets by the one before.
        homes: uint32[secrets], the index of each secret in the list of guesses.
    """

    game: Game
    rule: Rule
    weights: Integers
    sums: Integers2D
    parts: Integers2D
    homes: Integers

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """The policy's guess for each node of a level: see `scorer.Scorer`."""
        sizes = np.diff(starts)
        scored = np.zeros(len(sizes), np.int64)
        guesses = self.homes[candidates[starts[:-1]]]
        few = few_candidates(self.game)
        if not (sizes > few).any():
            return guesses, scored
        lanes = int(sizes.max())
        room = np.zeros((lanes * self.sums.itemsize + 7) // 8, np.uint64)
        cells = np.zeros(self.game.feedbacks, np.int64)
        others = np.arange(len(self.parts))
        for node in np.flatnonzero(sizes > few):
            own = candidates[starts[node] : starts[node + 1]]
            vectors = self.columns(own)
            row = room[: vectors.shape[1]]
            guesses[node], scored[node] = best_sum(
                vectors, self.parts, self.homes[own], others, row, row.view(self.sums.dtype),
                cells, self.weights[own], *self.rule[:3],
            )  # fmt: skip
        return guesses, scored

    @property
    def symbols(self) -> Integers2D:
        """See `scorer.PlainScorer`."""
        return symbol_table(self.game)

    def columns(self, candidates: Integers) -> Integers2D:
        """uint64[parts, words]: the sums for these candidates, 8, 4 or 2 of them in each word."""
        lanes = 8 // self.sums.itemsize
        vectors = np.zeros((len(self.sums), (len(candidates) + lanes - 1) // lanes), np.uint64)
        # Ascending, and so all of them if they are as many: then nothing is picked.
        every = len(candidates) == self.sums.shape[1]
        own = self.sums if every else self.sums[:, candidates]
        vectors.view(self.sums.dtype)[:, : len(candidates)] = own
        return vectors

    def feedbacks(self, guesses: Integers, candidates: Integers, starts: Integers) -> Integers:
        """uint32: the feedback number of each candidate to its node's guess."""
        out = np.zeros(len(candidates), np.uint32)
        guess = np.repeat(guesses, np.diff(starts))
        for part in range(self.parts.shape[1]):
            out += self.sums[np.maximum(self.parts[guess, part], 0), candidates]
        named = -1 - self.parts[guess, 0]
        added = named >= 0
        out[added] = self.named(named[added], candidates[added])
        return out

    def table(self, guesses: Integers, candidates: Integers) -> Integers2D:
        """uint8, uint16 or uint32[guesses, candidates]: the feedback numbers of all to all."""
        if self.parts.shape[1] == 1:
            out: Integers2D = self.sums[np.maximum(self.parts[guesses, 0], 0)][:, candidates]
        else:
            own = self.sums[:, candidates]
            out = own[self.parts[guesses, 0]]
            for part in range(1, self.parts.shape[1]):
                out += own[self.parts[guesses, part]]
        named = -1 - self.parts[guesses, 0]
        out[named >= 0] = self.named(named[named >= 0, None], candidates)
        return out

    def named(self, secrets: Integers, candidates: Integers) -> Integers:
        """The feedback numbers of candidates to the naming of secrets."""
        return np.where(secrets == candidates, self.game.solved, self.game.solved - 1)


def homes_of(game: Game) -> Integers:
    """uint32[secrets]: the index of each secret in the list of guesses."""
    if game.secrets is game.guesses:
        return np.arange(len(game.secrets), dtype=np.uint32)
    wanted = set(game.secrets)
    homes = [index for index, code in enumerate(game.guesses) if code in wanted]
    return np.array(homes, np.uint32)


def symbol_table(game: Game) -> Integers2D:
    """The symbols of every secret by their ranks: uint8, or uint16 if there are more than 256."""
    # Labels may differ in length: a place that is not there is a symbol as well.
    padded = "".join([code.ljust(game.length, "\0") for code in game.secrets])
    codes = np.frombuffer(padded.encode("utf-32-le"), "<u4")
    codes = codes.reshape(-1, game.length)
    known = np.unique(codes)
    table = np.empty(codes.shape, np.min_scalar_type(len(known) - 1))
    # A place at a time, as ranks are found as 64-bit numbers.
    for place in range(game.length):
        table[:, place] = np.searchsorted(known, codes[:, place])
    return table


@kernel
def best_sum(
    vectors: Integers2D, parts: Integers2D, homes: Integers, others: Integers, words: Integers,
    row: Integers, cells: Integers, weights: Integers, costs: Integers, additive: bool, credit: int,
) -> tuple[int, int]:  # fmt: skip
    """The best guess for some candidates, and how many guesses were scored to find it.

    A guess costs what its cells cost; its score is minus that, and its credit if it is a candidate.
    Where costs add up, what each candidate would cost by itself is subtracted: that is the same for
    every guess, and so a cost never falls while candidates are counted, whatever the policy.

    Args:
        vectors: uint64[parts, words], see `SumScorer.columns`.
        parts: int64[guesses, n], the parts of each guess.
        homes: the index of each candidate in the list of guesses.
        others: the guesses to score besides the candidates, ascending.
        words: working space for the feedbacks of one guess, as uint64;
        row: the same memory as one number a candidate.
        cells: int64, zero before and after: how much each cell counts, by feedback number.
        weights: int64, how much each candidate counts.
        costs: of the policy, with
        additive: and
        credit: see `arrays.Rule`.
    """
    n = len(homes)
    width = parts.shape[1]
    best = int(homes[0])
    # The cost at which a guess that is no candidate does no longer win.
    limit = np.int64(1) << 62
    # Nothing costs less than cells of one candidate each, nor has more credit than the heaviest.
    heaviest = np.max(weights)
    # Where all count 1, a step is the same for every candidate.
    alike = heaviest == 1
    steps = costs[1 : n + 1] - costs[:n] - costs[1]
    least = np.int64(0) if additive else costs[heaviest]
    whole = np.sum(weights)
    single = np.int64(0)
    for k in range(n):
        single += costs[weights[k]]
    scored = 0
    for turn in range(n + len(others)):
        mine = turn < n
        if limit <= least and not mine:
            break
        guess = int(homes[turn]) if mine else int(others[turn - n])
        own = credit * weights[turn] if mine else np.int64(0)
        enough = limit + own
        if parts[guess, 0] < 0:
            # It names a secret, and of one that is no candidate it tells nothing.
            if not mine:
                continue
            weight, rest = weights[turn], whole - weights[turn]
            both = costs[weight] + costs[rest] - single
            cost = both if additive else max(costs[weight], costs[rest])
            scored += 1
            if cost < enough:
                best = guess
                limit = cost - own
                if limit == least - credit * heaviest:
                    break
            continue
        scored += 1
        for k in range(len(words)):
            words[k] = vectors[parts[guess, 0], k]
        for j in range(1, width):
            part = parts[guess, j]
            for k in range(len(words)):
                words[k] += vectors[part, k]
        cost = np.int64(0)
        done = 0
        while done < n and cost < enough:
            cell = row[done]
            before = cells[cell]
            weight = np.int64(1) if alike else weights[done]
            after = before + weight
            cells[cell] = after
            if not additive:
                cost = max(cost, costs[after])
            elif alike:
                cost += steps[before]
            else:
                cost += costs[after] - costs[before] - costs[weight]
            done += 1
        for k in range(done):
            cells[row[k]] = 0
        if cost < enough:
            best = guess
            limit = cost - own
            if limit == least - credit * heaviest:
                break
    return best, scored

"""The scorer of games whose feedback numbers are sums over the parts of a guess.

The number that a part adds for each secret does not depend on the other parts: the letters of a
word are such parts. In a game of any other kind a guess has one part, itself.
"""

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.weights import few_candidates
from guessbook.builder.arrays import Chosen, Integers, Integers2D, rule_of, weight_table
from guessbook.kernels.sums import SumGame, SumSearch
from guessbook.policy.one_step import OneStep


class SumScorer:
    """A game and a one-step policy, ready for the engine.

    Attributes:
        sums, parts: the numbers that parts add, and the parts of guesses: see `SumGame`.
        weights: int64[secrets], the weight of each secret.
        homes: uint32[secrets], the index of each secret in the list of guesses.
        search: the game and the policy in the engine.
    """

    def __init__(self, game: Game, policy: OneStep, sums: Integers2D, parts: Integers2D) -> None:
        self.game, self.sums, self.parts = game, sums, parts
        self.weights, self.homes = weight_table(game), homes_of(game)
        table = SumGame(
            np.ascontiguousarray(sums), np.ascontiguousarray(parts, np.int32), len(parts),
            self.homes, self.weights, game.feedbacks, few_candidates(game),
        )  # fmt: skip
        self.search = SumSearch(table, rule_of(policy, game))

    def choose(self, candidates: Integers, starts: Integers, paths: Integers2D) -> Chosen:
        """Return the policy's guess for each node of a level: see `Scorer.choose`."""
        guess, scored = self.search.guesses(
            candidates.astype(np.uint32, copy=False), starts.astype(np.int64, copy=False)
        )
        return np.frombuffer(guess, np.uint32), np.frombuffer(scored, np.int64)

    def feedbacks(self, guesses: Integers, candidates: Integers, starts: Integers) -> Integers:
        """Return the feedback number of each candidate to the guess of its node: uint32."""
        out = np.zeros(len(candidates), np.uint32)
        guess = np.repeat(guesses, np.diff(starts))
        for part in range(self.parts.shape[1]):
            out += self.sums[np.maximum(self.parts[guess, part], 0), candidates]
        named = -1 - self.parts[guess, 0]
        added = named >= 0
        out[added] = self.named(named[added], candidates[added])
        return out

    def table(self, guesses: Integers, candidates: Integers) -> Integers2D:
        """Return the feedback numbers of candidates to guesses: uint[guesses, candidates]."""
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
        """Return the feedback numbers of candidates to guesses that only name secrets."""
        return np.where(secrets == candidates, self.game.solved, self.game.solved - 1)


def homes_of(game: Game) -> Integers:
    """Return the index of each secret in the list of guesses: uint32[secrets]."""
    if game.secrets is game.guesses:
        return np.arange(len(game.secrets), dtype=np.uint32)
    wanted = set(game.secrets)
    homes = [index for index, code in enumerate(game.guesses) if code in wanted]
    return np.array(homes, np.uint32)


def symbol_table(game: Game) -> Integers2D:
    """Return the ranks of the symbols of all secrets: uint8, or uint16 for more than 256."""
    # Labels may differ in length: they are filled up with a further symbol.
    padded = "".join([code.ljust(game.length, "\0") for code in game.secrets])
    codes = np.frombuffer(padded.encode("utf-32-le"), "<u4")
    codes = codes.reshape(-1, game.length)
    known = np.unique(codes)
    table = np.empty(codes.shape, np.min_scalar_type(len(known) - 1))
    # One place at a time, as searchsorted returns ranks of 64 bits.
    for place in range(game.length):
        table[:, place] = np.searchsorted(known, codes[:, place])
    return table

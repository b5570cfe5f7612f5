"""The policies `consistent` and `positional`, which guess candidates only, without a ranking."""

from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from struct import pack
from typing import NamedTuple

from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import weights_of
from guessbook.policy.one_step import integer_logs
from guessbook.policy.text import PolicyText


class CandidatesOnly(PolicyText):
    """A policy that guesses a candidate, and is no one-step policy."""

    __slots__ = ()

    rule = None
    consistent_only = True

    def work(self, game: Game, candidates: int) -> int:
        """Estimate the number of feedbacks that a choice computes, as `Policy.work` defines it."""
        return candidates


class _Consistent(NamedTuple):
    random_seed: int = 0
    name: str = "consistent"


class Consistent(CandidatesOnly, _Consistent):
    """A random candidate, drawn by a hash of the seed and the candidates: see `draw`.

    The chance of a candidate is proportional to its weight. (Shapiro 1983 takes the first one.)
    """

    __slots__ = ()

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the index of the guess for these candidates, as `Policy.choose` defines it."""
        places = [game.secrets.index(code) for code in candidates]
        weights = weights_of(game, candidates)
        place = draw(self.random_seed, pack(f"<{len(places)}I", *places), weights)
        return game.guesses.index(candidates[place])


def draw(random_seed: int, candidates: bytes, weights: Sequence[int] | None = None) -> int:
    """Return the index, among the candidates, of the guess of the policy `consistent`.

    The candidates are their indices in `game.secrets`, ascending, as 32-bit little-endian integers. Let h be the first
    8 bytes, little-endian, of the SHA-256 hash of the seed in decimal ASCII, a colon, and the candidates; and r = h
    modulo the sum of the candidates' weights, which are 1 by default. The guess is the first candidate whose weight and
    the weights of all before it add up to more than r. Without weights it is candidate number r, counted from 0.

    >>> candidates = bytes.fromhex("03000000 05000000 08000000")
    >>> draw(0, candidates), draw(0, candidates, [1, 7, 1])
    (2, 1)
    """
    from hashlib import sha256

    digest = sha256(f"{random_seed}:".encode() + candidates).digest()
    ends = list(accumulate(weights or [1] * (len(candidates) // 4)))
    return bisect(ends, int.from_bytes(digest[:8], "little") % ends[-1])


class _Positional(NamedTuple):
    name: str = "positional"


class Positional(CandidatesOnly, _Positional):
    """The candidate whose symbols are the least expected at their places, each place by itself.

    If candidates count n together, those with the symbol c at position p count m, then the surprise
    of c at p is -log2(m/n) bits. The candidate with the largest sum over the positions is guessed.
    A known fallacy, kept to compare: it ignores symbols out of place.
    """

    __slots__ = ()

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the index of the guess for these candidates, as `Policy.choose` defines it."""
        return game.guesses.index(rarest(candidates, weights_of(game, candidates)))


def rarest(candidates: Sequence[str], weights: Sequence[int] | None = None) -> str:
    """Return the candidate with the rarest symbols at their places, by the candidates' weights."""
    weights = weights or [1] * len(candidates)
    logs = integer_logs(sum(weights))
    common: Counter[tuple[int, str]] = Counter()
    # Labels may differ in length: a missing place counts as a symbol of its own.
    length = max(map(len, candidates))
    padded = {code: list(enumerate(code.ljust(length, "\0"))) for code in candidates}
    for code, weight in zip(candidates, weights, strict=True):
        for place in padded[code]:
            common[place] += weight
    return min(candidates, key=lambda code: sum(logs[common[place]] for place in padded[code]))

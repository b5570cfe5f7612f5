"""The policies `consistent` and `positional`, which guess only candidates and compute no partitions."""

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
    """The base class of policies that guess only candidates and do not score partitions."""

    __slots__ = ()

    rule = None
    consistent_only = True

    def work(self, game: Game, candidates: int) -> int:
        """Estimate the number of feedbacks that `choose` computes, as `Policy.work` defines it."""
        return candidates


class _Consistent(NamedTuple):
    random_seed: int = 0
    name: str = "consistent"


class Consistent(CandidatesOnly, _Consistent):
    """The policy that guesses a random candidate, drawn by a hash of the seed and the candidates: see `draw`.

    The probability of a candidate is proportional to its weight. (Shapiro 1983 guesses the first candidate.)
    """

    __slots__ = ()

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the index of the guess for these candidates, as `Policy.choose` defines it."""
        places = [game.secrets.index(code) for code in candidates]
        weights = weights_of(game, candidates)
        place = draw(self.random_seed, pack(f"<{len(places)}I", *places), weights)
        return game.guesses.index(candidates[place])


def draw(random_seed: int, candidates: bytes, weights: Sequence[int] | None = None) -> int:
    """Return the index, in the list of candidates, of the guess of the policy `consistent`.

    `candidates` are indices in `game.secrets`, ascending, as 32-bit little-endian integers. Let h be the first 8 bytes,
    as a little-endian integer, of the SHA-256 hash of the seed in decimal ASCII, a colon, and `candidates`. Let r be h
    modulo the sum of the weights, which are 1 by default. Then the result is the first index at which the running sum
    of the weights is larger than r. Without weights the result is r.

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
    """The policy that guesses the candidate whose symbols are the rarest at their positions.

    Let n be the weight of all candidates, and m the weight of the candidates with symbol c at position p. Then the
    surprise of c at p is -log2(m/n) bits. The guess has the largest sum of surprises over its positions. This rule is
    a known fallacy, included for comparison: it ignores the feedback for symbols at wrong positions.
    """

    __slots__ = ()

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the index of the guess for these candidates, as `Policy.choose` defines it."""
        return game.guesses.index(rarest(candidates, weights_of(game, candidates)))


def rarest(candidates: Sequence[str], weights: Sequence[int] | None = None) -> str:
    """Return the candidate whose symbols are the rarest at their positions, by the weights of the candidates."""
    weights = weights or [1] * len(candidates)
    logs = integer_logs(sum(weights))
    common: Counter[tuple[int, str]] = Counter()
    # The labels of a table game may differ in length. Padding makes a missing position a symbol of its own.
    length = max(map(len, candidates))
    padded = {code: list(enumerate(code.ljust(length, "\0"))) for code in candidates}
    for code, weight in zip(candidates, weights, strict=True):
        for place in padded[code]:
            common[place] += weight
    return min(candidates, key=lambda code: sum(logs[common[place]] for place in padded[code]))

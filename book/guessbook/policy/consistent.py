"""The policies `consistent` and `positional`, which guess only candidates and compute no partitions."""

from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from struct import pack

from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import weights_of
from guessbook.policy.policy import Policy, integer_log


class CandidatesOnly(Policy):
    """The base class of policies that guess only candidates and do not score partitions."""

    __slots__ = ()

    @property
    def only_candidates(self) -> bool:
        return True

    def work(self, game: Game, candidates: int) -> int:
        return candidates


@dataclass(frozen=True, repr=False)
class Consistent(CandidatesOnly):
    """The policy that guesses a random candidate, with probabilities in proportion to the weights."""

    random_seed: int = 0

    name = "consistent"
    options = ("random_seed",)

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        places = [game.secrets.index(code) for code in candidates]
        weights = weights_of(game, candidates)
        place = draw(self.random_seed, pack(f"<{len(places)}I", *places), weights)
        return game.guesses.index(candidates[place])


def draw(random_seed: int, candidates: bytes, weights: Sequence[int] | None = None) -> int:
    """Draw a candidate as the policy `consistent` does, and return its index in the list of candidates.

    `candidates` are ascending indices in `game.secrets`, as 32-bit little-endian integers.

    >>> candidates = bytes.fromhex("03000000 05000000 08000000")
    >>> draw(0, candidates), draw(0, candidates, [1, 7, 1])
    (2, 1)
    """
    from hashlib import sha256

    # The hash gives equal draws on all machines and in all programming languages.
    digest = sha256(f"{random_seed}:".encode() + candidates).digest()
    ends = list(accumulate(weights or [1] * (len(candidates) // 4)))
    return bisect(ends, int.from_bytes(digest[:8], "little") % ends[-1])


@dataclass(frozen=True, repr=False)
class Positional(CandidatesOnly):
    """The policy that guesses the candidate whose symbols are the rarest at their positions.

    This rule is a known fallacy, included for comparison: it ignores the feedback for symbols at
    wrong positions.
    """

    name = "positional"

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        return game.guesses.index(rarest(candidates, weights_of(game, candidates)))


def rarest(candidates: Sequence[str], weights: Sequence[int] | None = None) -> str:
    """Return the candidate whose symbols are the rarest at their positions.

    A candidate of weight n counts n times.
    """
    weights = weights or [1] * len(candidates)
    common: Counter[tuple[int, str]] = Counter()
    # The labels of a table game may differ in length. Padding fills missing positions with a
    # special symbol.
    length = max(map(len, candidates))
    padded = {code: list(enumerate(code.ljust(length, "\0"))) for code in candidates}
    for code, weight in zip(candidates, weights, strict=True):
        for place in padded[code]:
            common[place] += weight
    # The rarer a symbol is at a position, the smaller the logarithm of its count, so the smallest
    # sum wins.
    return min(
        candidates, key=lambda code: sum(integer_log(common[place]) for place in padded[code])
    )

"""The policy `positional`: the candidate that looks the least likely, place by place."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import weights_of
from guessbook.policy.one_step import integer_logs
from guessbook.policy.text import PolicyText


class _Fields(NamedTuple):
    name: str = "positional"
    rule: None = None
    consistent_only: bool = True


class Positional(PolicyText, _Fields):
    """The candidate whose symbols are the least expected at their places, each place by itself.

    If candidates count n together, those with the symbol c at position p count m, then the surprise
    of c at p is -log2(m/n) bits. The candidate with the largest sum over the positions is guessed.
    A known fallacy, kept to compare: it ignores symbols out of place.
    """

    __slots__ = ()

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the index of the guess for these candidates, as `Policy.choose` defines it."""
        return game.guesses.index(rarest(candidates, weights_of(game, candidates)))

    def work(self, game: Game, candidates: int) -> int:
        """Estimate the number of feedbacks that a choice computes, as `Policy.work` defines it."""
        return candidates


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

"""One-step policies: they choose the guess with the best-scored partition. Scores are exact integers."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from operator import mul
from typing import NamedTuple

from guessbook.book.errors import UsageError, did_you_mean, quote
from guessbook.book.games.beyond import listed_guesses
from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import weights_of
from guessbook.policy.reference import keeps_hints, partition
from guessbook.policy.text import PolicyText

# The number of fractional bits of an integer logarithm L(n). Then n*L(n) fits into 64 bits up to n = 2**FULL.
LOG_BITS = 36
FULL = 22


class _Fields(NamedTuple):
    name: str
    title: str
    additive: bool = True
    credit: int = 0
    consistent_only: bool = False
    hard_mode: bool = False
    bits: int = LOG_BITS


class OneStep(PolicyText, _Fields):
    """A policy that scores every guess by the sizes of the cells of its partition.

    Attributes:
        name: the name on the command line and in the header of a book.
        title: a description in one line, such as "most cells (Kooi 2005)".
        additive: True if a score is minus the sum of the costs of the cells, False if it is minus the largest cost.
        credit: the bonus in the score of a guess that is a candidate, per unit of its weight.
        consistent_only: whether the policy guesses only candidates.
        hard_mode: whether the guesses in word games follow the rule of Wordle's hard mode.
        bits: the number of fractional bits of the logarithms, which are integers (fixed point).
    """

    __slots__ = ()

    @property
    def rule(self) -> OneStep:
        """The one-step policy that ranks the guesses: this policy itself."""
        return self

    @property
    def logarithmic(self) -> bool:
        """Whether the cost of a cell of n candidates is n * log2(n)."""
        return self.name.startswith("entropy")

    @property
    def limited(self) -> bool:
        """Whether `consistent_only` or `hard_mode` excludes guesses."""
        return self.consistent_only or self.hard_mode

    def of(self, game: Game) -> OneStep:
        """Return this policy, or a copy with fewer `bits` per logarithm if scores in the game would exceed 64 bits."""
        # Only the number of secrets can exceed 2**FULL, because unequal weights add up to at most 2**22.
        lost = self.bits - LOG_BITS + max(0, (len(game.secrets) - 1).bit_length() - FULL)
        return self._replace(bits=self.bits - lost, credit=self.credit >> lost)

    def costs(self, size: int) -> array[int]:
        """Return an array: entry n is the cost of a cell of n candidates, for n from 0 to `size`. Lower is better."""
        sizes = array("q", range(size + 1))
        if self.logarithmic:
            return array("q", map(mul, sizes, integer_logs(size, self.bits)))
        if self.name == "expected":
            return array("q", map(mul, sizes, sizes))
        return array("q", [0]) + array("q", [-1]) * size if self.name == "parts" else sizes

    def score(self, sizes: Iterable[int], costs: Sequence[int]) -> int:
        """Return the score of a partition into cells of these sizes, without the bonus `credit` for a candidate."""
        return -(sum if self.additive else max)(costs[n] for n in sizes)

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the policy's guess after a history, as an index in `game.guesses`."""
        indices = allowed_indices(game, self, history, candidates)
        return best_guess(game, candidates, self, indices)[0]

    def work(self, game: Game, candidates: int) -> int:
        """Estimate the number of feedbacks that `choose` computes for a number of candidates."""
        return len(game.guesses) * candidates


def best_guess(
    game: Game, candidates: Sequence[str], policy: OneStep, allowed: Iterable[int] | None = None
) -> tuple[int, int]:
    """Return the index and the score of the best guess; ties go to a candidate, then to the lowest index.

    `allowed` has the indices of the guesses to consider; None means all.
    """
    score, _, index = min(scored_guesses(game, candidates, policy, allowed))
    return index, -score


def scored_guesses(
    game: Game, candidates: Sequence[str], policy: OneStep, indices: Iterable[int] | None
) -> list[tuple[int, bool, int]]:
    """Return a tuple for each guess; the best guess has the smallest tuple.

    A tuple is (-score, True unless the guess is a candidate, index). `indices`: the guesses to score; None means all.
    """
    policy = policy.of(game)
    possible = dict(zip(candidates, weights_of(game, candidates), strict=True))
    costs = policy.costs(sum(possible.values()))
    found = []
    for index in range(len(game.guesses)) if indices is None else indices:
        guess = game.guesses[index]
        score = policy.score(partition(game, guess, candidates).values(), costs)
        score += policy.credit * possible.get(guess, 0)
        found.append((-score, guess not in possible, index))
    return found


def allowed_indices(
    game: Game, policy: OneStep, history: History, candidates: Sequence[str]
) -> list[int] | None:
    """Return the indices of the guesses that a one-step policy allows after a history; None if it allows all."""
    if policy.consistent_only:
        return [game.guesses.index(code) for code in candidates]
    if policy.hard_mode and game.has_hard_mode:
        return [i for i in listed_guesses(game) if keeps_hints(game, game.guesses[i], history)]
    return None


class BasedPolicy(PolicyText):
    """The base class of policies that use a one-step policy, the `base`, to rank guesses."""

    __slots__ = ()

    base: OneStep

    @property
    def rule(self) -> OneStep:
        """The policy that ranks the guesses: the attribute `base`."""
        return self.base


POLICIES = {
    policy.name: policy
    for policy in (
        OneStep("entropy", "most information expected, -sum n*log2(n) (Neuwirth 1982)"),
        OneStep("expected", "fewest candidates expected to remain, -sum n^2 (Irving 1978)"),
        OneStep("parts", "most cells (Kooi 2005)"),
        OneStep("minimax", "smallest largest cell (Knuth 1976)", additive=False),
        OneStep(
            "entropy-corrected",
            "entropy, with 2 bits for a guess that may be the secret",
            credit=2 << LOG_BITS,
        ),
    )
}


def policy_named(name: str) -> OneStep:
    """Return the one-step policy with this name."""
    if name not in POLICIES:
        raise unknown_policy(name, POLICIES)
    return POLICIES[name]


def unknown_policy(name: object, known: Iterable[str]) -> UsageError:
    """Return the error for an unknown policy name. If the name is an author, the message names the author's policy."""
    text = str(name)
    if policy := policy_by(text):
        return UsageError(
            f"found policy {quote(name)}, expected a policy's name; {text.title()}'s policy is {policy}"
        )
    near = did_you_mean(text, known)
    return UsageError(f"found policy {quote(name)}, expected one of {', '.join(known)}{near}")


def policy_by(author: str) -> str | None:
    """Return the name of the one-step policy of this author, such as minimax for Knuth; None for other authors."""
    by = f"({author.title()} "
    return next((policy.name for policy in POLICIES.values() if by in policy.title), None)


def integer_logs(size: int, bits: int = LOG_BITS) -> array[int]:
    """Return log2 of 0 to `size` as integers, in units of 2**-bits. log(a*b) equals log(a) + log(b); log(0) is 0."""
    least = array("I", range(size + 1))  # The next loop writes the smallest prime factors.
    for p in range(math.isqrt(size), 1, -1):
        least[p * p :: p] = array("I", [p]) * (size // p - p + 1)
    # Rounded floats can hide a tie: the partitions {6,1,1,1,1,1,1} and {3,3,2,2,2} have equal entropies. The integers
    # keep ties: each is a sum of logarithms of primes, and these logarithms are independent over the rationals.
    logs = array("q", [0]) * (size + 1)
    for n in range(2, size + 1):
        p = least[n]
        logs[n] = round(math.log2(n) * (1 << bits)) if p == n else logs[p] + logs[n // p]
    return logs

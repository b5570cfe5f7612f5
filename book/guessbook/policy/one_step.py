"""One-step policies: the score of the partition that a guess makes, in exact integers.

Floats cannot tell ties from rounding: the partitions {6,1,1,1,1,1,1} and {3,3,2,2,2} have exactly the same entropy. The
logarithms here are integers that are completely additive, L(a*b) = L(a) + L(b). Logarithms of different primes are
independent over the rationals, so scores tie here exactly if they truly tie, and no sum depends on its order.
"""

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

# Bits behind the binary point of an integer logarithm. n*L(n) fits an int64 up to n = 2**22; each
# doubling of the secrets beyond that costs one bit, as L(n) grows, too.
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
    """A one-step policy: every guess is scored by the sizes of the cells that it makes.

    Attributes:
        name: as on the command line and in the header.
        title: one line for people.
        additive: whether the score is minus the sum of the cells' costs; otherwise it is minus the largest cost.
        credit: bonus in the score of a guess that is itself a candidate.
        consistent_only: whether only candidates are guessed.
        hard_mode: whether Wordle's rule limits the guesses, in games of words.
        bits: bits behind the binary point of its logarithms.
    """

    __slots__ = ()

    @property
    def rule(self) -> OneStep:
        """The one-step policy that ranks its guesses: itself."""
        return self

    @property
    def logarithmic(self) -> bool:
        """Whether the cost of a cell of n candidates is n * log2(n)."""
        return self.name.startswith("entropy")

    @property
    def limited(self) -> bool:
        """Whether some guesses are ruled out, so that not all guesses have to be scored."""
        return self.consistent_only or self.hard_mode

    def of(self, game: Game) -> OneStep:
        """Return the policy with scores that fit 64 bits: a large game gets fewer bits."""
        # The weights of secrets add up to at most 2**22.
        lost = self.bits - LOG_BITS + max(0, (len(game.secrets) - 1).bit_length() - FULL)
        return self._replace(bits=self.bits - lost, credit=self.credit >> lost)

    def costs(self, size: int) -> array[int]:
        """Return the cost of a cell of 0, 1, ..., `size` candidates; the lower the better."""
        sizes = array("q", range(size + 1))
        if self.logarithmic:
            return array("q", map(mul, sizes, integer_logs(size, self.bits)))
        if self.name == "expected":
            return array("q", map(mul, sizes, sizes))
        return array("q", [0]) + array("q", [-1]) * size if self.name == "parts" else sizes

    def score(self, sizes: Iterable[int], costs: Sequence[int]) -> int:
        """Return the score, without credit, of a partition into cells of these sizes."""
        return -(sum if self.additive else max)(costs[n] for n in sizes)

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the index of the guess for these candidates, as `Policy.choose` defines it."""
        indices = allowed(game, self, history, candidates)
        return best_guess(game, candidates, self, indices)[0]

    def work(self, game: Game, candidates: int) -> int:
        """Estimate the number of feedbacks that a choice computes, as `Policy.work` defines it."""
        return len(game.guesses) * candidates


def best_guess(
    game: Game, candidates: Sequence[str], policy: OneStep, allowed: Iterable[int] | None = None
) -> tuple[int, int]:
    """Return the index of the policy's guess for these candidates, and its score.

    All guesses are considered, or only those `allowed`. The highest score wins; ties go to a
    candidate, then to the lowest index.
    """
    score, _, index = min(scored_guesses(game, candidates, policy, allowed))
    return index, -score


def scored_guesses(
    game: Game, candidates: Sequence[str], policy: OneStep, indices: Iterable[int] | None
) -> list[tuple[int, bool, int]]:
    """Return a sort key of each guess: minus its score, whether it is no candidate, its index.

    `indices` are the guesses to score; None means all.
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


def allowed(game: Game, policy: OneStep, history: History, candidates: Sequence[str]) -> list[int] | None:
    """Return the indices of the guesses that a one-step policy may make; None for all guesses."""
    if policy.consistent_only:
        return [game.guesses.index(code) for code in candidates]
    if policy.hard_mode and game.has_hard_mode:
        return [i for i in listed_guesses(game) if keeps_hints(game, game.guesses[i], history)]
    return None


class BasedPolicy(PolicyText):
    """A policy that builds on a one-step policy, its base, which ranks its guesses."""

    __slots__ = ()

    base: OneStep

    @property
    def rule(self) -> OneStep:
        """The base."""
        return self.base


POLICIES = {
    policy.name: policy
    for policy in (
        OneStep("entropy", "most information expected, -sum n*log2(n) (Neuwirth 1982)"),
        OneStep("expected", "fewest candidates expected to remain, -sum n^2 (Irving 1978)"),
        OneStep("parts", "most cells (Kooi 2005)"),
        OneStep("minimax", "smallest largest cell (Knuth 1976)", additive=False),
        OneStep("entropy-corrected", "entropy, with 2 bits for a guess that may be the secret", credit=2 << LOG_BITS),
    )
}


def policy_named(name: str) -> OneStep:
    """Return the one-step policy of that name. Raises UsageError if there is none."""
    if name not in POLICIES:
        raise unknown(name, POLICIES)
    return POLICIES[name]


def unknown(name: object, known: Iterable[str]) -> UsageError:
    """Return the error for an unknown policy; for an author's name it says the author's policy."""
    text = str(name)
    if policy := policy_by(text):
        return UsageError(f"found policy {quote(name)}; {text.title()}'s is {policy}")
    near = did_you_mean(text, known)
    return UsageError(f"found policy {quote(name)}, expected one of {', '.join(known)}{near}")


def policy_by(author: str) -> str | None:
    """Return the name of the policy that an author published, by its title, or None."""
    by = f"({author.title()} "
    return next((policy.name for policy in POLICIES.values() if by in policy.title), None)


def integer_logs(size: int, bits: int = LOG_BITS) -> array[int]:
    """Return L(0), L(1), ..., L(size): log2 in units of 2**-bits, exactly additive; L(0) is 0.

    For a prime p, L(p) = round(log2(p) * 2**bits); for n = a*b, L(n) = L(a) + L(b).
    """
    least = array("I", range(size + 1))  # the least prime factor of each number: it comes last
    for p in range(math.isqrt(size), 1, -1):
        least[p * p :: p] = array("I", [p]) * (size // p - p + 1)
    logs = array("q", [0]) * (size + 1)
    for n in range(2, size + 1):
        p = least[n]
        logs[n] = round(math.log2(n) * (1 << bits)) if p == n else logs[p] + logs[n // p]
    return logs

"""Policies as data: a name and options, as they stand in the header of a book. Plain Python.

A one-step policy scores the partition that a guess makes; the others build on one, or need none.

Floats cannot tell ties from rounding: the partitions {6,1,1,1,1,1,1} and {3,3,2,2,2} have exactly
the same entropy. The logarithms here are integers that are completely additive, L(a*b) = L(a) +
L(b). Logarithms of different primes are independent over the rationals, so what ties in truth ties
here, and no sum depends on its order.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from guessbook.book.errors import UsageError
from guessbook.book.file.container import IMPORTED

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "LIMITS",
    "NUMBERS",
    "OTHERS",
    "POLICIES",
    "AnyPolicy",
    "Consistent",
    "Lookahead",
    "Policy",
    "Positional",
    "Rollout",
    "drawn",
    "fallback",
    "header",
    "integer_logs",
    "policy_named",
    "policy_of",
    "summary",
]

# Bits behind the binary point of an integer logarithm. n*L(n) fits an int64 up to n = 2**22.
LOG_BITS = 36


class Policy(NamedTuple):
    """A one-step policy: every guess is scored by the sizes of the cells it splits into.

    Attributes:
        name: as the command line and the header have it.
        title: one line for people.
        additive: whether the score is minus the sum of the cells' weights; otherwise it is minus
            the largest weight.
        credit: what the score of a guess that is itself a candidate gets on top.
        consistent_only: whether only candidates are guessed.
        hard_mode: whether only guesses are allowed that use what earlier answers showed, by
            Wordle's rule; for games of words.
    """

    name: str
    title: str
    additive: bool = True
    credit: int = 0
    consistent_only: bool = False
    hard_mode: bool = False

    @property
    def limited(self) -> bool:
        """Whether some guesses are ruled out, so that not all of the game have to be scored."""
        return self.consistent_only or self.hard_mode

    def weights(self, size: int) -> list[int]:
        """The weight of a cell of 0, 1, ..., `size` candidates; the lower the better."""
        if self.name.startswith("entropy"):
            return [n * log for n, log in enumerate(integer_logs(size))]
        if self.name == "expected":
            return [n * n for n in range(size + 1)]
        if self.name == "parts":
            return [0] + [-1] * size
        return list(range(size + 1))

    def score(self, sizes: Iterable[int], weights: list[int]) -> int:
        """The score of a partition with cells of these sizes, to be maximised; without credit."""
        return -(sum if self.additive else max)(weights[n] for n in sizes)


class Consistent(NamedTuple):
    """A random candidate: the n-th, where n is drawn from a hash of the seed and the candidates.

    So the guess depends on nothing else: not on other nodes, the number of jobs, or the machine.
    (The first algorithm of many a solver; Shapiro 1983 takes the first candidate instead.)
    """

    random_seed: int = 0

    @property
    def name(self) -> str:
        """As the command line and the header have it."""
        return "consistent"


class Positional(NamedTuple):
    """The candidate whose symbols are the least expected at their places, each place by itself.

    Of n candidates m have the symbol c at position p: its surprise is -log2(m/n) bits. The
    candidate with the largest sum over the positions is guessed. A known fallacy, kept to compare:
    it overlooks what a symbol out of place tells.
    """

    @property
    def name(self) -> str:
        """As the command line and the header have it."""
        return "positional"


class Lookahead(NamedTuple):
    """Of the best guesses of a one-step policy, the one that is best after `depth` steps.

    Attributes:
        base: the one-step policy.
        depth: how many guesses ahead the partition is scored, this one included.
        width: how many guesses are looked into.
    """

    base: Policy
    depth: int = 2
    width: int = 20

    @property
    def name(self) -> str:
        """As the command line and the header have it."""
        return "lookahead"


class Rollout(NamedTuple):
    """Of the best guesses of a one-step policy, the one with which the rest costs the fewest.

    The rest is played on by the one-step policy, to the end. (Tesauro and Galperin 1996.)

    Attributes:
        base: the one-step policy.
        width: how many guesses are tried.
    """

    base: Policy
    width: int = 20

    @property
    def name(self) -> str:
        """As the command line and the header have it."""
        return "rollout"


AnyPolicy = Policy | Consistent | Positional | Lookahead | Rollout

POLICIES = {
    policy.name: policy
    for policy in (
        Policy("entropy", "most information expected, -sum n*log2(n) (Neuwirth 1982)"),
        Policy("expected", "fewest candidates expected to remain, -sum n^2 (Irving 1978)"),
        Policy("parts", "most cells (Kooi 2005)"),
        Policy("minimax", "smallest largest cell (Knuth 1976)", additive=False),
        Policy(
            "entropy-corrected",
            "entropy, with 2 bits for a guess that may be the secret",
            credit=2 << LOG_BITS,
        ),
    )
}

OTHERS: dict[str, type[Consistent | Positional | Lookahead | Rollout]] = {
    "consistent": Consistent,
    "positional": Positional,
    "lookahead": Lookahead,
    "rollout": Rollout,
}

# The options that are numbers, with the least and the largest value. A seed has to fit the header
# of a book, a width no more guesses than a game can have; a depth of 20 is beyond any game's end.
NUMBERS = {"random_seed": (0, (1 << 64) - 1), "depth": (1, 20), "width": (1, 1 << 22)}

# The options that limit the guesses: they are there or not.
LIMITS = ("consistent_only", "hard_mode")

# The options of the policies that are no one-step policies; those have `LIMITS`.
OPTIONS: dict[str, tuple[str, ...]] = {
    "consistent": ("random_seed",),
    "positional": (),
    "lookahead": ("base", "depth", "width", *LIMITS),
    "rollout": ("base", "width", *LIMITS),
}


def policy_named(name: str) -> Policy:
    """The one-step policy of that name. Raises UsageError, which lists them, if there is none."""
    if name not in POLICIES:
        raise UsageError(f"found policy {name!r}, expected one of {', '.join(POLICIES)}")
    return POLICIES[name]


def policy_of(description: str | Mapping[str, object]) -> AnyPolicy:
    """The policy that a name, or the header of a book, describes.

    >>> policy_of("parts").title
    'most cells (Kooi 2005)'
    >>> policy_of({"name": "rollout", "width": 5}).base.name
    'entropy'

    Args:
        description: a name, or a map with the key `name` and options. The option `first_guess`
            is no part of the rule and is left out here: `build_book` follows it.

    Raises:
        UsageError: there is no such policy, or it has no such option, or not with this value, or
            it is neither a name nor a map.
    """
    if not isinstance(description, str | Mapping):
        raise UsageError(f"found policy {description!r}, expected a name or a map with a name")
    options = {"name": description} if isinstance(description, str) else dict(description)
    name = options.pop("name", None)
    options.pop("first_guess", None)
    if name == IMPORTED:
        raise UsageError(
            f"found policy {IMPORTED!r}: the tree comes from elsewhere, and no rule of it is known "
            "by which to compute a guess; expected a policy"
        )
    if not isinstance(name, str) or (name not in POLICIES and name not in OTHERS):
        raise UsageError(
            f"found policy {name!r}, expected one of {', '.join([*POLICIES, *OTHERS])}"
        )
    known = OPTIONS.get(name, LIMITS)
    for option, value in options.items():
        if option not in known:
            expected = f"one of {', '.join(known)}" if known else "none"
            owners = ", ".join(other for other, own in OPTIONS.items() if option in own)
            raise UsageError(
                f"found option {option!r} of policy {name}, expected {expected}"
                + (f"; it is one of {owners}" if owners else "")
            )
        _check_value(option, value)
    limited = {option: bool(options.get(option, False)) for option in LIMITS}
    if name in POLICIES:
        return POLICIES[name]._replace(**limited)  # type: ignore[arg-type]
    own: dict[str, Any] = {k: v for k, v in options.items() if k not in LIMITS}
    if "base" in known:
        usual = "entropy-corrected" if name == "lookahead" else "entropy"
        base = policy_named(str(own.get("base", usual)))
        own["base"] = base._replace(**limited)  # type: ignore[arg-type]
    return OTHERS[name](**own)


def fallback(description: str | Mapping[str, object]) -> AnyPolicy:
    """The policy that computes what a book does not hold: its own, or `entropy` if it has none.

    >>> fallback({"name": "imported", "source": "Knuth 1976"}).name
    'entropy'

    Args:
        description: a name, or the header of a book, as `policy_of` takes it.

    Raises:
        UsageError: as `policy_of`.
    """
    if isinstance(description, Mapping) and description.get("name") == IMPORTED:
        return POLICIES["entropy"]
    return policy_of(description)


def _check_value(option: str, value: object) -> None:
    """Refuse a value that is of the wrong type, or out of range."""
    if option in LIMITS and not isinstance(value, bool):
        raise UsageError(f"found {option} {value!r}, expected a flag: True or False")
    if option not in NUMBERS:
        return
    least, most = NUMBERS[option]
    # True is an int in Python, and no number here.
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise UsageError(f"found {option} {value!r}, expected a whole number, {least} to {most}")


def header(policy: AnyPolicy) -> dict[str, str | int]:
    """A policy as the header of a book has it; `policy_of` reads it.

    >>> header(policy_of({"name": "lookahead", "width": 7}))
    {'name': 'lookahead', 'base': 'entropy-corrected', 'depth': 2, 'width': 7}
    """
    known: dict[str, str | int] = {"name": policy.name}
    rule = policy if isinstance(policy, Policy) else None
    if isinstance(policy, Lookahead | Rollout):
        rule = policy.base
        known["base"] = rule.name
    if rule is not policy:
        known.update((k, v) for k, v in policy._asdict().items() if k != "base")
    if rule is not None:
        known.update((option, True) for option in LIMITS if getattr(rule, option))
    return known


def summary(policy: AnyPolicy) -> str:
    """A policy in a few words, for tables and files: its name, and the options that are unusual.

    >>> summary(policy_of({"name": "rollout", "base": "parts", "consistent_only": True}))
    'rollout-base-parts-consistent-only'
    """
    usual = header(policy_of(policy.name))
    words = [policy.name]
    for option, value in header(policy).items():
        if value != usual.get(option, False):
            words += [option.replace("_", "-")] + ([] if value is True else [str(value)])
    return "-".join(words)


def drawn(random_seed: int, candidates: bytes) -> int:
    """Which of the candidates the policy `consistent` guesses: its place among them.

    It is the SHA-256 hash of the seed in decimal, a colon, and the candidates; of that the first 8
    bytes, little-endian, modulo the number of candidates.

    >>> drawn(0, bytes.fromhex("03000000 05000000 08000000"))
    2

    Args:
        random_seed: any number.
        candidates: their indices in `game.secrets`, ascending, as 32-bit little-endian integers.
    """
    from hashlib import sha256

    digest = sha256(f"{random_seed}:".encode() + candidates).digest()
    return int.from_bytes(digest[:8], "little") % (len(candidates) // 4)


def integer_logs(size: int) -> list[int]:
    """L(0), L(1), ..., L(size): log2 in units of 2**-36 bits, exactly additive; L(0) is 0.

    For a prime p, L(p) = round(log2(p) * 2**36); for n = a*b, L(n) = L(a) + L(b).

    >>> logs = integer_logs(12)
    >>> logs[12] == logs[2] + logs[2] + logs[3], logs[8] == 3 << 36
    (True, True)
    """
    least = list(range(size + 1))  # the least prime factor of each number
    for p in range(2, math.isqrt(size) + 1):
        if least[p] == p:
            for multiple in range(p * p, size + 1, p):
                least[multiple] = min(least[multiple], p)
    logs = [0] * (size + 1)
    for n in range(2, size + 1):
        p = least[n]
        logs[n] = round(math.log2(n) * (1 << LOG_BITS)) if p == n else logs[p] + logs[n // p]
    return logs

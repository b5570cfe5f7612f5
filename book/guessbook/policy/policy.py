"""Policies: their base class, the one-step policies, and the ranking of guesses by one-step policies.

A one-step policy scores each guess by the sizes of the cells of its partition, with exact integers.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import mul
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from guessbook.book.errors import UsageError, did_you_mean, quote
from guessbook.book.file import LIMITS, MAX_WITHIN_COST
from guessbook.book.games.game import Game, History, SymmetricGame
from guessbook.book.games.symmetry import held_symbols, lowest_guesses, representatives
from guessbook.book.games.weights import weight_of, weights_of
from guessbook.policy.hard_mode import broken_hint

if TYPE_CHECKING:
    from guessbook.policy.candidates import Sums
    from guessbook.policy.identification import Plan

# The least and the largest value of each option that is a number. Seeds fit into 64 bits, as in the
# header of a book.
NUMBERS = {
    "random_seed": (0, (1 << 64) - 1),
    "depth": (1, 20),
    "width": (1, 1 << 22),
    "max_guesses": (1, 39),
    # `Win.check` rejects more than 39 guesses.
    "within": (1, MAX_WITHIN_COST),
    "endgame": (1, 1 << 22),
}
# Fields of policies that are not options.
FIXED = {"name", "title", "additive", "credit", "bits", "rule"}


def option_names(policy: Any) -> tuple[str, ...]:
    """Return the names of a policy's options.

    A class that does not name its options has its fields as options, and `consistent_only` and
    `hard_mode` if it has a `rule`.
    """
    if policy.options:
        return tuple(policy.options)
    # Named tuples and dataclasses have this attribute.
    fields = getattr(type(policy), "__match_args__", ())
    own = [name for name in fields if name not in FIXED and name not in LIMITS and name[0] != "_"]
    return (*own, *(LIMITS if policy.rule is not None else ()))


def options_of(policy: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Return a policy's options as in the header of a book, without options that are False or None."""
    known = {}
    for option in names:
        value = getattr(policy.rule if option in LIMITS else policy, option)
        if option == "base":
            value = value.name
        if value is not False and value is not None:
            known[option] = value
    return known


def notation(policy: Any) -> str:
    """Return a policy in the notation of the command line, such as `rollout:width=50`."""
    options = [
        option.replace("_", "-") + ("" if value is True else f"={value}")
        for option, value in options_of(policy, option_names(policy)).items()
    ]
    return str(policy.name) + (":" if options else "") + ",".join(options)


class Policy:
    """A rule that picks a guess. Your own policies derive from this class.

    They define `name` and `choose`. A policy is an immutable value, such as a named tuple or a
    frozen dataclass. Its fields are its options, which the class may describe by these attributes.

    Attributes:
        options: the names of the options, in the order in which the header of a book lists them. If
            it is empty, the fields of the policy are its options.
        numbers: the least and the largest value of each option that is a whole number.
        required: the names of the options without a default value.
        default_base: the default value of the option `base`.
    """

    __slots__ = ()

    options: ClassVar[tuple[str, ...]] = ()
    numbers: ClassVar[Mapping[str, tuple[int, int]]] = MappingProxyType(NUMBERS)
    required: ClassVar[tuple[str, ...]] = ()
    default_base: ClassVar[str] = "entropy"

    if TYPE_CHECKING:

        @property
        def name(self) -> str:
            """The name on the command line and in the header of a book."""

    @property
    def rule(self) -> OneStep | None:
        """The one-step policy that ranks guesses: this policy or its base; None means `entropy`."""
        return None

    @property
    def only_candidates(self) -> bool:
        """Whether the policy guesses only candidates."""
        return self.rule is not None and self.rule.consistent_only

    @property
    def remembers(self) -> bool:
        """Whether a build stores results for sets of candidates, limited by the option `--memory`."""
        return False

    @property
    def is_tabulated(self) -> bool:
        """Whether a build needs a table of the feedbacks of all guesses and secrets."""
        return False

    def check(self, game: Game) -> None:
        """Raise UsageError if an option of the policy does not fit the game, such as hard mode."""
        rule = self.rule
        if rule is not None and rule.hard_mode and not game.has_hard_mode:
            raise UsageError(game.hard_mode_refusal)

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """Return the policy's guess after a history, as an index in `game.guesses`.

        This method defines the policy.

        Args:
            game: the game.
            history: (guess index, feedback number) pairs, in any order.
            candidates: the secrets that fit the history, at least one, in the order of
                `game.secrets`.
        """
        raise NotImplementedError

    def plan(self, game: Game) -> Plan:
        """Return how the policy chooses tests in a table whose tests name no secret.

        Raises UsageError if the policy cannot identify outcomes.
        """
        raise UsageError(
            f"{self.name} guesses secrets, but no test of this table names one; "
            "use entropy, lookahead, rollout, optimal or win"
        )

    def answer(
        self, game: Game, history: History, candidates: Sequence[str]
    ) -> tuple[int | None, int]:
        """Return the weight of the candidates that are found within the limit, and the guess.

        The limit is on the guesses, or on the cost of tests. The weight is None if the policy has
        no such limit.
        """
        return None, self.choose(game, history, candidates)

    def work(self, game: Game, candidates: int) -> int:
        """Estimate the number of feedbacks that `choose` computes for a number of candidates."""
        return len(game.guesses) * candidates

    def __str__(self) -> str:
        """Return the policy in the notation of the command line, such as `last:skip=1`."""
        return notation(self)

    def __repr__(self) -> str:
        options = options_of(self, option_names(self))
        named = [f"{option}={value!r}" for option, value in options.items()]
        return f"make_policy({', '.join([repr(self.name), *named])})"


def checked_guess(game: Game, policy: Policy, chosen: Any) -> int:
    """Return the index that a policy chose as an `int`.

    Raises UsageError if no guess has this index.
    """
    # An integer of numpy is not an `int`, but has `__index__`.
    if not hasattr(chosen, "__index__") or not 0 <= chosen < len(game.guesses):
        raise UsageError(
            f"policy {policy.name} chose {quote(chosen)}, which is not the index of a guess; return 0 to "
            f"{len(game.guesses) - 1}"
        )
    return int(chosen)


# The number of fractional bits of an integer logarithm L(n). Then n*L(n) fits into 64 bits up to n
# = 2**FULL.
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


class OneStep(Policy, _Fields):
    """A policy that scores every guess by the sizes of the cells of its partition.

    Attributes:
        name: the name on the command line and in the header of a book.
        title: a description in one line, such as "most cells (Kooi 2005)".
        additive: True if a score is minus the sum of the costs of the cells, False if it is minus
            the largest cost.
        credit: the bonus in the score of a guess that is a candidate, per unit of its weight.
        consistent_only: whether the policy guesses only candidates.
        hard_mode: whether the guesses in word games follow the rule of Wordle's hard mode.
        bits: the number of fractional bits of the logarithms, which are integers (fixed point).
    """

    __slots__ = ()

    options = LIMITS

    @property
    def rule(self) -> OneStep:
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
        """Return a copy whose scores in this game fit into 64 bits, with fewer `bits` if needed."""
        # Only the number of secrets can exceed 2**FULL, because unequal weights add up to at most
        # 2**22.
        lost = self.bits - LOG_BITS + max(0, (len(game.secrets) - 1).bit_length() - FULL)
        return self._replace(bits=self.bits - lost, credit=self.credit >> lost)

    def cost(self, size: int) -> int:
        """Return the cost of a cell of `size` candidates. Lower is better."""
        if self.logarithmic:
            return size * integer_log(size, self.bits)
        if self.name == "expected":
            return size * size
        return -(size > 0) if self.name == "parts" else size

    def costs(self, size: int) -> array[int]:
        """Return an array: entry n is the cost of a cell of n candidates, for n from 0 to `size`."""
        sizes = array("q", range(size + 1))
        if self.logarithmic:
            return array("q", map(mul, sizes, integer_logs(size, self.bits)))
        if self.name == "expected":
            return array("q", map(mul, sizes, sizes))
        return array("q", [0]) + array("q", [-1]) * size if self.name == "parts" else sizes

    def score(self, sizes: Iterable[int]) -> int:
        """Return the score of a partition into cells of these sizes, without the bonus `credit`."""
        return -(sum if self.additive else max)(map(self.cost, sizes))

    def plan(self, game: Game) -> Plan:
        """Return the plan that asks the test that this policy ranks first."""
        from guessbook.policy.identification import Plan  # not needed for a hint from a book

        if self.limited:
            limit = "consistent-only" if self.consistent_only else "hard-mode"
            raise UsageError(
                f"the option {limit} does not apply to a table of outcomes; leave it out"
            )
        return Plan(self.of(game))

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        # Imported here, because a hint from a book does not need these modules.
        from guessbook.policy.candidates import sums_of
        from guessbook.policy.identification import choose_test

        if game.identification is not None:
            return choose_test(game, self.plan(game), history, candidates)[1]

        indices: Iterable[int] | None = allowed_indices(game, self, history, candidates)
        if indices is None and isinstance(game, SymmetricGame):
            # Of equivalent guesses, the lowest wins.
            indices = lowest_guesses(game, history, held_symbols(game, candidates))
        return min(scored_guesses(sums_of(game, candidates), self, indices))[2]


def scored_guesses(
    sums: Sums, policy: OneStep, indices: Iterable[int] | None
) -> list[tuple[int, bool, int]]:
    """Return a tuple (-score, True unless a candidate, index) for each guess; the smallest is best.

    `indices` are the guesses to score; None means all.
    """
    guesses = list(range(len(sums.game.guesses)) if indices is None else indices)
    codes, possible = sums.game.guesses, set(sums.candidates)
    (scores,) = score_guesses(sums, [policy], guesses)
    return [
        (-score, codes[index] not in possible, index)
        for index, score in zip(guesses, scores, strict=True)
    ]


def score_guesses(
    sums: Sums, policies: Sequence[OneStep], guesses: Iterable[int]
) -> list[list[int]]:
    """Return, for each policy, the exact scores of the guess indices `guesses`; higher is better."""
    game, candidates = sums.game, sums.candidates
    policies = [policy.of(game) for policy in policies]
    weights = dict(zip(candidates, weights_of(game, candidates), strict=True))
    # Many guesses have cells of the same sizes.
    known: dict[tuple[int, ...], list[int]] = {}
    rows = []
    for index in guesses:
        guess = game.guesses[index]
        sizes = tuple(sorted(sums.cell_weights(sums.answers(guess)).values()))
        if sizes not in known:
            known[sizes] = [policy.score(sizes) for policy in policies]
        row = known[sizes]
        if own := weights.get(guess):
            row = [score + p.credit * own for score, p in zip(row, policies, strict=True)]
        rows.append(row)
    return [list(column) for column in zip(*rows, strict=True)]


def allowed_indices(
    game: Game, policy: OneStep, history: History, candidates: Sequence[str]
) -> list[int] | None:
    """Return the indices of the guesses that a one-step policy allows after a history.

    Return None if it allows all.
    """
    if policy.consistent_only:
        return [game.guesses.index(code) for code in candidates]
    if policy.hard_mode and game.has_hard_mode:
        return [i for i in range(game.listed) if not broken_hint(game, game.guesses[i], history)]
    return None


class BasedPolicy(Policy):
    """The base class of policies that use a one-step policy, the `base`, to rank guesses."""

    __slots__ = ()

    base: OneStep

    @property
    def rule(self) -> OneStep:
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
    if name not in POLICIES:
        raise unknown_policy(name, POLICIES)
    return POLICIES[name]


def unknown_policy(name: object, known: Iterable[str]) -> UsageError:
    """Return the error for an unknown policy name.

    If the name is that of an author, the message names the author's policy.
    """
    text = str(name)
    if policy := policy_by(text):
        return UsageError(
            f"{quote(name)} is not a policy's name; {text.title()}'s policy is {policy}"
        )
    near = did_you_mean(text, known)
    return UsageError(f"unknown policy {quote(name)}; use one of {', '.join(known)}{near}")


def policy_by(author: str) -> str | None:
    """Return the name of the one-step policy of this author, such as minimax for Knuth.

    Return None for other authors.
    """
    by = f"({author.title()} "
    return next((policy.name for policy in POLICIES.values() if by in policy.title), None)


@lru_cache(maxsize=1 << 16)
def integer_log(number: int, bits: int = LOG_BITS) -> int:
    """Return the entry of `integer_logs` for one number.

    >>> integer_log(360) == integer_logs(360)[360]
    True
    """
    found, rest, p = 0, number, 2
    while p * p <= rest:
        while rest % p == 0:
            found += round(math.log2(p) * (1 << bits))
            rest //= p
        p += 1
    return found + (round(math.log2(rest) * (1 << bits)) if rest > 1 else 0)


def integer_logs(size: int, bits: int = LOG_BITS) -> array[int]:
    """Return log2 of 0 to `size` as integers in units of 2**-bits.

    The logarithm of a product is exactly the sum of the logarithms of its factors; log2(0) is 0.
    """
    least = array("I", range(size + 1))  # the next loop writes the smallest prime factors
    for p in range(math.isqrt(size), 1, -1):
        least[p * p :: p] = array("I", [p]) * (size // p - p + 1)
    # Rounded floats can hide a tie: the partitions {6,1,1,1,1,1,1} and {3,3,2,2,2} have equal
    # entropies. The integers keep ties: each is a sum of logarithms of primes, and these logarithms
    # are independent over the rationals.
    logs = array("q", [0]) * (size + 1)
    for n in range(2, size + 1):
        p = least[n]
        logs[n] = round(math.log2(n) * (1 << bits)) if p == n else logs[p] + logs[n // p]
    return logs


def rank_guesses(
    game: Game,
    policy: OneStep,
    history: History,
    candidates: Sequence[str],
    width: int,
    alike: bool = False,
) -> list[int]:
    """Return the best `width` guesses of a policy, best first.

    Of guesses that are equivalent by symmetry, only one is returned. If `alike` is False, guesses
    with the same cells as a better guess are omitted, too.
    """
    from guessbook.policy.candidates import sums_of  # not needed for a hint from a book

    indices = allowed_indices(game, policy, history, candidates)
    if isinstance(game, SymmetricGame):
        indices = representatives(game, history, held_symbols(game, candidates), indices)
    sums = sums_of(game, candidates)
    weighted = game.weights is not None
    chosen: list[int] = []
    known: set[tuple[int, ...]] = set()
    for _, no_candidate, index in sorted(scored_guesses(sums, policy, indices)):
        guess = game.guesses[index]
        # The feedbacks are numbered as they occur, so that equal cells have equal numbers.
        numbers: dict[int, int] = {}
        cells = [numbers.setdefault(answer, len(numbers)) for answer in sums.answers(guess)]
        # Guesses with equal cells may differ in their own weights, so the weight is compared as
        # well.
        own = weight_of(game, [guess]) if weighted and not no_candidate else 0
        if alike or (own, *cells) not in known:
            known.add((own, *cells))
            chosen.append(index)
        if len(chosen) == width:
            break
    return chosen


def cells_of(
    game: Game, history: History, candidates: Sequence[str], guess: int
) -> tuple[list[tuple[History, list[str]]], bool]:
    """Return a (history, candidates) pair per feedback, and whether the guess is a candidate.

    The feedback "solved" has no pair.
    """
    cells: dict[int, list[str]] = {}
    for secret in candidates:
        cells.setdefault(game.feedback_number(game.guesses[guess], secret), []).append(secret)
    solves = cells.pop(game.solved, None) is not None
    return [([*history, (guess, f)], cell) for f, cell in cells.items()], solves

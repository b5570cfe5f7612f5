"""The registry of policies: each with its class, its options and its scorer in the builder.

A policy without a scorer of its own is built by its plain definition, which is right and slow.
Other packages add policies: docs/how-to/extending.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from guessbook.book.errors import UsageError, shown
from guessbook.book.file.container import LIMITS, MAX_WITHIN
from guessbook.book.plugins import Registry
from guessbook.policy.one_step import POLICIES
from guessbook.policy.policy import Policy

# The options that are numbers, with the least and the largest value. A seed has to fit the header
# of a book, a width no more guesses than a game can have; a depth of 20 is beyond any game's end.
NUMBERS = {
    "random_seed": (0, (1 << 64) - 1),
    "depth": (1, 20),
    "width": (1, 1 << 22),
    "max_guesses": (1, 39),
    "within": (1, MAX_WITHIN),
    "endgame": (1, 1 << 22),
}


class Kind(NamedTuple):
    """A kind of policy; what is named as `MODULE:NAME` is loaded when it is asked for.

    Attributes:
        policy: the class, `MODULE:NAME`, which is called with the options; a one-step policy is
            taken from `POLICIES`.
        options: their names, in the order of the header: `base`, attributes of the policy, and
            `LIMITS`, which are the base's.
        base: the name of the usual one-step policy to build on, where there is the option `base`.
        scorer: what makes the scorer of a game and a policy, `MODULE:NAME`.
        plan: what completes the job of a build, `MODULE:NAME`, such as with its first guess; None
            where there is nothing to plan.
        numbers: the least and the largest value of options that are whole numbers.
        required: those of these options that have no usual value.
    """

    policy: str
    options: tuple[str, ...] = ()
    base: str = "entropy"
    scorer: str = "guessbook.builder.scorers.definition:DefinitionScorer"
    plan: str | None = None
    numbers: Mapping[str, tuple[int, int]] = MappingProxyType(NUMBERS)
    required: tuple[str, ...] = ()


BUILT_IN = {
    **dict.fromkeys(
        POLICIES,
        Kind(
            "guessbook.policy.one_step:OneStep",
            LIMITS,
            scorer="guessbook.builder.scorers.one_step:one_step_scorer",
        ),
    ),
    "consistent": Kind(
        "guessbook.policy.consistent:Consistent",
        ("random_seed",),
        scorer="guessbook.builder.scorers.consistent:ConsistentScorer",
    ),
    "positional": Kind(
        "guessbook.policy.positional:Positional",
        scorer="guessbook.builder.scorers.consistent:PositionalScorer",
    ),
    "lookahead": Kind(
        "guessbook.policy.lookahead:Lookahead",
        ("base", "depth", "width", *LIMITS),
        "entropy-corrected",
        "guessbook.builder.scorers.lookahead:LookaheadScorer",
    ),
    "rollout": Kind(
        "guessbook.policy.rollout:Rollout",
        ("base", "width", "endgame", *LIMITS),
        scorer="guessbook.builder.scorers.rollout:RolloutScorer",
    ),
    "optimal": Kind(
        "guessbook.policy.optimal:Optimal",
        ("base", "width", "max_guesses", *LIMITS),
        scorer="guessbook.builder.scorers.optimal:optimal_scorer",
        plan="guessbook.builder.growth.optimum:plan",
    ),
    "win": Kind(
        "guessbook.policy.win:Win",
        ("base", "within", "width", *LIMITS),
        scorer="guessbook.builder.scorers.win:win_scorer",
        plan="guessbook.builder.growth.win:plan",
        required=("within",),
    ),
}
# Of a policy of somebody's own, which is built by its definition.
OWN = Kind("")

KINDS = Registry("guessbook.policies", "policy", BUILT_IN, Kind, "policy", "choose")


def kind_of(policy: Policy) -> Kind:
    """The kind of a policy, by its name; `OWN` where that is not in `KINDS`."""
    return KINDS.get(policy.name, OWN)


def check_options(name: str, options: Mapping[str, object]) -> None:
    """Refuse options of a policy that it does not have, of wrong values, or that are missing.

    Raises:
        UsageError: there is one.
    """
    for option, given in options.items():
        check_option(name, option, given)
    for option in KINDS[name].required:
        if option not in options:
            least, most = KINDS[name].numbers[option]
            raise UsageError(
                f"found policy {name} without {option}, expected a whole number, {least} to "
                f"{most}, such as {name}:{option}={least + 2}"
            )


def check_option(name: str, option: str, value: object) -> None:
    """Refuse an option that a policy does not have, of the wrong type, or out of range."""
    kind = KINDS[name]
    known = kind.options
    if option not in known:
        expected = f"one of {', '.join(known)}" if known else "none"
        # All one-step policies have the same; they need not be listed.
        others = {other: its for other, its in BUILT_IN.items() if other not in POLICIES}
        owners = ", ".join(other for other, its in others.items() if option in its.options)
        raise UsageError(
            f"found option {shown(option)} of policy {name}, expected {expected}"
            + (f"; it is one of {owners}" if owners else "")
        )
    if option in LIMITS and not isinstance(value, bool):
        raise UsageError(f"found {option} {shown(value)}, expected a flag: True or False")
    if option in kind.numbers:
        check_number(option, value, *kind.numbers[option])


def check_number(option: str, value: object, least: int, most: int) -> None:
    """Refuse what is no whole number, or out of range."""
    # True is an int in Python, and no number here.
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise UsageError(
            f"found {option} {shown(value)}, expected a whole number, {least} to {most}"
        )

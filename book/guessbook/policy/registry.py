"""The registry of policies, to which other packages can add policies: see docs/how-to/extending.md."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from guessbook.book.errors import UsageError, quote
from guessbook.book.file.container import LIMITS, MAX_WITHIN
from guessbook.book.plugins import Registry
from guessbook.policy.one_step import POLICIES
from guessbook.policy.policy import Policy

# The least and the largest value of each option that is a number. Seeds fit into 64 bits, as in the header of a book.
NUMBERS = {
    "random_seed": (0, (1 << 64) - 1),
    "depth": (1, 20),
    "width": (1, 1 << 22),
    "max_guesses": (1, 39),
    "within": (1, MAX_WITHIN),
    "endgame": (1, 1 << 22),
}


class Kind(NamedTuple):
    """The registry entry of a policy; a text `MODULE:NAME` names code that is imported at its first use.

    Attributes:
        policy: `MODULE:NAME` of the policy's class, which is called with the options.
        options: the names of the options, in the order in which the header of a book lists them.
        base: the default value of the option `base`.
        scorer: `MODULE:NAME` of the function that makes the scorer for a build. The default calls the policy itself.
        plan: `MODULE:NAME` of the function that chooses the opening of a build; None lets `scorer` choose it.
        numbers: the least and the largest value of each option that is a whole number.
        required: the names of the options without a default value.
    """

    policy: str
    options: tuple[str, ...] = ()
    base: str = "entropy"
    scorer: str = "guessbook.builder.scorers.by_node:DefinitionScorer"
    plan: str | None = None
    numbers: Mapping[str, tuple[int, int]] = MappingProxyType(NUMBERS)
    required: tuple[str, ...] = ()


BUILT_IN = {
    **dict.fromkeys(
        POLICIES,
        Kind(
            "guessbook.policy.one_step:OneStep",
            LIMITS,
            scorer="guessbook.builder.scorers.by_node:one_step_scorer",
        ),
    ),
    "consistent": Kind(
        "guessbook.policy.consistent:Consistent",
        ("random_seed",),
        scorer="guessbook.builder.scorers.by_node:ConsistentScorer",
    ),
    "positional": Kind(
        "guessbook.policy.consistent:Positional",
        scorer="guessbook.builder.scorers.by_node:PositionalScorer",
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
        plan="guessbook.builder.growth.optimum:plan_win",
        required=("within",),
    ),
}
# The entry for every policy that is not registered.
OWN = Kind("")

KINDS = Registry("guessbook.policies", "policy", BUILT_IN, Kind, "policy", "choose")


def kind_of(policy: Policy) -> Kind:
    """Return the registry entry with the name of a policy, or `OWN` if the name is not registered."""
    return KINDS.get(policy.name, OWN)


def check_options(name: str, options: Mapping[str, object]) -> None:
    """Raise UsageError if an option of a policy is unknown, has a wrong value or is missing."""
    kind = KINDS[name]
    for option, value in options.items():
        if option not in kind.options:
            expected = f"one of {', '.join(kind.options)}" if kind.options else "no options"
            # One-step policies all have the same options, so the message does not list them.
            owners = [o for o in BUILT_IN if o not in POLICIES and option in BUILT_IN[o].options]
            found = f"found option {quote(option)} of policy {name}, expected {expected}"
            raise UsageError(
                found + (f"; it is an option of {', '.join(owners)}" if owners else "")
            )
        if option in LIMITS and not isinstance(value, bool):
            raise UsageError(f"found {option} {quote(value)}, expected a flag: True or False")
        if option in kind.numbers:
            check_number(option, value, *kind.numbers[option])
    for option in kind.required:
        if option not in options:
            least, most = kind.numbers[option]
            raise UsageError(
                f"found policy {name} without the option {option}, expected a whole number, {least} to "
                f"{most}, such as {name}:{option}={least + 2}"
            )


def check_number(option: str, value: object, least: int, most: int) -> None:
    """Raise UsageError for a value that is not a whole number from `least` to `most`."""
    # In Python, True and False are instances of int.
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        wanted = f"a whole number, {least} to {most}"
        raise UsageError(f"found {option} {quote(value)}, expected {wanted}")

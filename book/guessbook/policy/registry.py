"""The registry of policies: each with its class, its options and its scorer in the builder.

Other packages add policies: docs/how-to/extending.md.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from guessbook.book.errors import UsageError, quote
from guessbook.book.file.container import LIMITS, MAX_WITHIN
from guessbook.book.plugins import Registry
from guessbook.policy.one_step import POLICIES
from guessbook.policy.policy import Policy

# The options that are numbers, with the least and the largest value. A seed has to fit the header
# of a book, a width is at most the number of guesses of a game, and no game is 20 guesses deep.
NUMBERS = {
    "random_seed": (0, (1 << 64) - 1),
    "depth": (1, 20),
    "width": (1, 1 << 22),
    "max_guesses": (1, 39),
    "within": (1, MAX_WITHIN),
    "endgame": (1, 1 << 22),
}


class Kind(NamedTuple):
    """A kind of policy; code named as `MODULE:NAME` is loaded when it is needed.

    Attributes:
        policy: the class, `MODULE:NAME`, which is called with the options; one-step policies are in `POLICIES`.
        options: their names, in the order of the header: `base`, attributes of the policy, and `LIMITS`, which are the
            base's.
        base: the default of the option `base`.
        scorer: makes the scorer of a game and a policy, `MODULE:NAME`; by default the plain definition is built, which
            is slow.
        plan: completes the job of a build, such as with its first guess, `MODULE:NAME`; or None.
        numbers: the least and the largest value of options that are whole numbers.
        required: the options without a default.
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
        Kind("guessbook.policy.one_step:OneStep", LIMITS, scorer="guessbook.builder.scorers.by_node:one_step_scorer"),
    ),
    "consistent": Kind(
        "guessbook.policy.consistent:Consistent",
        ("random_seed",),
        scorer="guessbook.builder.scorers.by_node:ConsistentScorer",
    ),
    "positional": Kind(
        "guessbook.policy.consistent:Positional", scorer="guessbook.builder.scorers.by_node:PositionalScorer"
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
# The kind of a policy that is not registered.
OWN = Kind("")

KINDS = Registry("guessbook.policies", "policy", BUILT_IN, Kind, "policy", "choose")


def kind_of(policy: Policy) -> Kind:
    """Return the kind of a policy, by its name; `OWN` for a name that is not in `KINDS`."""
    return KINDS.get(policy.name, OWN)


def check_options(name: str, options: Mapping[str, object]) -> None:
    """Raise UsageError for an unknown, wrong or missing option of a policy."""
    kind = KINDS[name]
    for option, value in options.items():
        if option not in kind.options:
            expected = f"one of {', '.join(kind.options)}" if kind.options else "none"
            # All one-step policies have the same options; they need not be listed.
            owners = [o for o in BUILT_IN if o not in POLICIES and option in BUILT_IN[o].options]
            found = f"found option {quote(option)} of policy {name}, expected {expected}"
            raise UsageError(found + (f"; it is one of {', '.join(owners)}" if owners else ""))
        if option in LIMITS and not isinstance(value, bool):
            raise UsageError(f"found {option} {quote(value)}, expected a flag: True or False")
        if option in kind.numbers:
            check_number(option, value, *kind.numbers[option])
    for option in kind.required:
        if option not in options:
            least, most = kind.numbers[option]
            raise UsageError(
                f"found policy {name} without {option}, expected a whole number, {least} to "
                f"{most}, such as {name}:{option}={least + 2}"
            )


def check_number(option: str, value: object, least: int, most: int) -> None:
    """Raise UsageError for a value that is no whole number or is out of range."""
    # True is an int in Python.
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        wanted = f"a whole number, {least} to {most}"
        raise UsageError(f"found {option} {quote(value)}, expected {wanted}")

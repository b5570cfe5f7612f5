"""Policies as people and headers write them: a name and options, read and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from guessbook.book.errors import UsageError, meant
from guessbook.book.file.container import IMPORTED, LIMITS
from guessbook.book.games.registry import loaded
from guessbook.policy.one_step import POLICIES, policy_named
from guessbook.policy.policy import Policy
from guessbook.policy.registry import KINDS, NUMBERS

# The largest integer that fits the header of a book.
MOST_PROVEN = (1 << 64) - 1


def policy_of(description: str | Mapping[str, object]) -> Policy:
    """The policy that a name, or the header of a book, describes.

    >>> policy_of("parts").title
    'most cells (Kooi 2005)'
    >>> policy_of({"name": "rollout", "width": 5}).base.name
    'entropy'

    Args:
        description: a name, or a map with the key `name` and options. The option `first_guess`
            is no part of the rule and is left out here: `build_strategy` follows it. So is
            `proven`, a bound that a book claims.

    Raises:
        UsageError: there is no such policy, or it has no such option, or not with this value, or
            it is neither a name nor a map.
    """
    if not isinstance(description, str | Mapping):
        raise UsageError(f"found policy {description!r}, expected a name or a map with a name")
    options: dict[str, Any] = (
        {"name": description} if isinstance(description, str) else dict(description)
    )
    name = options.pop("name", None)
    options.pop("first_guess", None)
    _check_number("proven", options.pop("proven", 0), 0, MOST_PROVEN)
    if name == IMPORTED:
        raise UsageError(
            f"found policy {IMPORTED!r}: the tree comes from elsewhere, and no rule of it is known "
            "by which to compute a guess; expected a policy"
        )
    if not isinstance(name, str) or name not in KINDS:
        near = meant(str(name), KINDS)
        raise UsageError(f"found policy {name!r}, expected one of {', '.join(KINDS)}{near}")
    for option, value in options.items():
        _check_option(name, option, value)
    kind = KINDS[name]
    limited = {option: options.pop(option, False) for option in LIMITS}
    if name in POLICIES:
        return POLICIES[name]._replace(**limited)
    if "base" in kind.options:
        base = policy_named(str(options.get("base", kind.base)))
        options["base"] = base._replace(**limited)
    policy: Policy = loaded(kind.policy)(**options)
    return policy


def make_policy(name: str, /, **options: object) -> Policy:
    """Make a policy of its name and its options.

    >>> make_policy("rollout", width=50).width
    50

    Raises:
        UsageError: there is no such policy, or it has no such option, or not with this value.
    """
    return policy_of({"name": name, **options})


def fallback(description: str | Mapping[str, object]) -> Policy:
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


def _check_option(name: str, option: str, value: object) -> None:
    """Refuse an option that a policy does not have, of the wrong type, or out of range."""
    known = KINDS[name].options
    if option not in known:
        expected = f"one of {', '.join(known)}" if known else "none"
        # All one-step policies have the same; they need not be listed.
        others = {other: kind for other, kind in KINDS.items() if other not in POLICIES}
        owners = ", ".join(other for other, kind in others.items() if option in kind.options)
        raise UsageError(
            f"found option {option!r} of policy {name}, expected {expected}"
            + (f"; it is one of {owners}" if owners else "")
        )
    if option in LIMITS and not isinstance(value, bool):
        raise UsageError(f"found {option} {value!r}, expected a flag: True or False")
    if option in NUMBERS:
        _check_number(option, value, *NUMBERS[option])


def _check_number(option: str, value: object, least: int, most: int) -> None:
    """Refuse what is no whole number, or out of range."""
    # True is an int in Python, and no number here.
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise UsageError(f"found {option} {value!r}, expected a whole number, {least} to {most}")


def header(policy: Policy) -> dict[str, str | int]:
    """A policy as the header of a book has it; `policy_of` reads it.

    >>> header(policy_of({"name": "lookahead", "width": 7}))
    {'name': 'lookahead', 'base': 'entropy-corrected', 'depth': 2, 'width': 7}
    """
    known: dict[str, str | int] = {"name": policy.name}
    for option in KINDS[policy.name].options:
        value = getattr(policy.rule if option in LIMITS else policy, option)
        if option == "base":
            value = value.name
        # A limit is there or not, and so is a number that nobody asked for.
        if value is not False and value is not None:
            known[option] = value
    return known


def in_words(description: Mapping[str, Any]) -> str:
    """A policy for people, from the header of a book; in quotes if this version does not know it.

    Anybody can write a header, so what cannot be checked must not read as if Guessbook said it.

    >>> in_words({"name": "rollout", "base": "parts", "width": 5})
    'rollout (base parts, width 5)'
    >>> in_words({"name": "entropy", "optimum": "verified"})
    "not known to this version: 'entropy' ('optimum' 'verified')"
    """
    options = {option: value for option, value in description.items() if option != "proven"}
    name = options.pop("name")
    known = True
    try:
        # A tree from elsewhere has no rule.
        if name != IMPORTED or options.keys() - {"source"}:
            policy_of(description)
    except UsageError:
        known = False
    written: Callable[[object], str] = str if known else repr
    said = [
        written(option) if value is True else f"{written(option)} {written(value)}"
        for option, value in options.items()
    ]
    text = written(name) + (f" ({', '.join(said)})" if said else "")
    return text if known else f"not known to this version: {text}"


def summary(policy: Policy) -> str:
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

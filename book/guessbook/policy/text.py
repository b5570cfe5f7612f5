"""Policies as text: their options by name, and the notation that `policy_of` reads."""

from typing import Any

from guessbook.book.file.container import LIMITS

# Fields of policies that are not options.
FIXED = {"name", "title", "additive", "credit", "bits", "rule"}


def option_names(policy: Any) -> tuple[str, ...]:
    """Return the names of a policy's options: its fields, if any, and the limits of its rule."""
    fields = getattr(policy, "_fields", ()) or getattr(policy, "__dataclass_fields__", ())
    own = [name for name in fields if name not in FIXED and name not in LIMITS and name[0] != "_"]
    return (*own, *(LIMITS if policy.rule is not None else ()))


def options_of(policy: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the values of these options as in a book's header, without options that are off."""
    known = {}
    for option in names:
        value = getattr(policy.rule if option in LIMITS else policy, option)
        if option == "base":
            value = value.name
        # Limits that are off, and numbers that are not given, are left out.
        if value is not False and value is not None:
            known[option] = value
    return known


def notation(policy: Any) -> str:
    """Return a policy as on the command line: `rollout:base=parts,width=50,hard-mode`."""
    options = [
        option.replace("_", "-") + ("" if value is True else f"={value}")
        for option, value in options_of(policy, option_names(policy)).items()
    ]
    return str(policy.name) + (":" if options else "") + ",".join(options)


class PolicyText:
    """A policy whose text is its notation, and whose `repr` is the call that makes it."""

    __slots__ = ()

    def __str__(self) -> str:
        return notation(self)

    def __repr__(self) -> str:
        policy: Any = self
        options = options_of(policy, option_names(policy))
        named = [f"{option}={value!r}" for option, value in options.items()]
        return f"make_policy({', '.join([repr(policy.name), *named])})"

"""Functions that write policies as text, and their options as maps."""

from typing import Any

from guessbook.book.file.container import LIMITS

# Fields of policies that are not options.
FIXED = {"name", "title", "additive", "credit", "bits", "rule"}


def option_names(policy: Any) -> tuple[str, ...]:
    """Return the names of a policy's options: its fields, and `consistent_only` and `hard_mode` if it has a `rule`."""
    fields = getattr(policy, "_fields", ()) or getattr(policy, "__dataclass_fields__", ())
    own = [name for name in fields if name not in FIXED and name not in LIMITS and name[0] != "_"]
    return (*own, *(LIMITS if policy.rule is not None else ()))


def options_of(policy: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Return a policy's options as a map, as in the header of a book. Options that are False or None are omitted."""
    known = {}
    for option in names:
        value = getattr(policy.rule if option in LIMITS else policy, option)
        if option == "base":
            value = value.name
        if value is not False and value is not None:
            known[option] = value
    return known


def notation(policy: Any) -> str:
    """Return a policy in the notation of the command line, such as `rollout:base=parts,width=50,hard-mode`."""
    options = [
        option.replace("_", "-") + ("" if value is True else f"={value}")
        for option, value in options_of(policy, option_names(policy)).items()
    ]
    return str(policy.name) + (":" if options else "") + ",".join(options)


class PolicyText:
    """The base class of built-in policies: `str` returns the notation, `repr` a call of `make_policy`."""

    __slots__ = ()

    def __str__(self) -> str:
        return notation(self)

    def __repr__(self) -> str:
        policy: Any = self
        options = options_of(policy, option_names(policy))
        named = [f"{option}={value!r}" for option, value in options.items()]
        return f"make_policy({', '.join([repr(policy.name), *named])})"

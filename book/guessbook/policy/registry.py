"""The registry of policies, to which other packages can add policies: see docs/how-to/extending.md.

The module also reads and writes policies as text, and as maps in the header of a book.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias

from guessbook.book.errors import UsageError, did_you_mean, known_options, listing, quote
from guessbook.book.file import IMPORTED, LIMITS, MAX_TEXT
from guessbook.book.games.game import Game, History
from guessbook.book.plugins import Registry
from guessbook.book.strategy import PolicyDict
from guessbook.policy.policy import (
    NUMBERS,
    POLICIES,
    OneStep,
    Policy,
    option_names,
    options_of,
    policy_named,
    unknown_policy,
)


def _policy_class(name: str) -> type[Policy]:
    """Return the class of a built-in policy.

    The other classes are not imported for a one-step policy, so that its hints are quick.
    """
    if name in POLICIES:
        return OneStep
    from guessbook.policy.consistent import Consistent, Positional
    from guessbook.policy.lookahead import Lookahead
    from guessbook.policy.optimal import Optimal
    from guessbook.policy.rollout import Rollout
    from guessbook.policy.win import Win

    classes: tuple[type[Policy], ...] = (Consistent, Positional, Lookahead, Rollout, Optimal, Win)
    return classes[COMPOSED.index(name)]


COMPOSED = ("consistent", "positional", "lookahead", "rollout", "optimal", "win")
# The class of each policy, by its name.
CLASSES: Registry[type[Policy]] = Registry(
    "guessbook.policies",
    "policy",
    (*POLICIES, *COMPOSED),
    _policy_class,
    lambda found: isinstance(found, type) and issubclass(found, Policy),
    "a class derived from guessbook.Policy",
)


def check_options(name: str, options: Mapping[str, object]) -> None:
    """Raise UsageError if an option of a policy is unknown, has a wrong value or is missing."""
    kind = CLASSES[name]
    for option, value in options.items():
        if option not in kind.options:
            # One-step policies all have the same options, so the message does not list them.
            owners = [owner for owner in COMPOSED if option in CLASSES[owner].options]
            found = f"policy {name} has no option {option if owners else quote(option)}"
            if owners:
                found += f" ({listing(owners)} ha{'ve' if owners[1:] else 's'} it)"
            near = "" if owners else did_you_mean(str(option), kind.options)
            raise UsageError(f"{found}; {known_options(kind.options)}{near}")
        if option in LIMITS and not isinstance(value, bool):
            raise UsageError(f"{option} cannot be {quote(value)}; give True or False")
        if option in kind.numbers:
            check_number(option, value, *kind.numbers[option])
    for option in kind.required:
        if option not in options:
            raise UsageError(
                f"policy {name} needs the option {option}; give a whole number, such as "
                f"{name}:{option}={kind.numbers[option][0] + 2}"
            )


def check_number(option: str, value: object, least: int, most: int) -> None:
    """Raise UsageError for a value that is not a whole number from `least` to `most`."""
    # In Python, True and False are instances of int.
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise UsageError(
            f"{option} cannot be {quote(value)}; give a whole number, {least} to {most}"
        )


# The types of values that `policy_of` turns into a policy.
PolicyLike: TypeAlias = str | Mapping[str, object] | Policy

# The largest integer that the header of a book can store.
MOST_PROVEN = (1 << 64) - 1
# Entries of a header with proven bounds for all strategies: a lower bound on the total number of
# guesses, and an upper bound on the weight of the secrets found within the limit of guesses.
BOUNDS = ("proven", "found_at_most")
# Keys in the map of a policy that are not options, and the rest of the error message after the key.
ELSEWHERE = {
    "first_guess": "is not an option of a policy; pass the first guess to `build` instead",
    **dict.fromkeys(BOUNDS, "is a claim that a book makes, not an option of a policy; omit it"),
}


class MissingPolicy(Policy):
    """A policy from a book's header that this installation cannot compute; `reason` says why."""

    name: str = ""

    def __init__(self, name: str, options_in_book: Mapping[str, Any], reason: str) -> None:
        self.name = name
        self.options_in_book = options_in_book
        self.reason = reason

    @property
    def rule(self) -> OneStep:
        """The policy `entropy`, with `hard_mode` and `consistent_only` as in the book."""
        limits: dict[str, Any] = {o: self.options_in_book.get(o) is True for o in LIMITS}
        return POLICIES["entropy"]._replace(**limits)

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> NoReturn:
        """Raise UsageError with the reason why the policy cannot be computed."""
        raise UsageError(f"{self.reason}; hints off the book need this policy")

    def work(self, game: Game, candidates: int) -> int:
        """Return 0, because `choose` computes no feedbacks."""
        return 0


def policy_of(value: PolicyLike) -> Policy:
    """Return the policy that a string, a map with the key `name`, or a policy object describes.

    The entry `first_guess` and the claims `proven` and `found_at_most` are ignored. Raises
    UsageError for any other value, and for a wrong name or option.

    >>> policy_of("rollout:base=parts,width=50,hard-mode")
    make_policy('rollout', base='parts', width=50, hard_mode=True)
    >>> str(policy_of({"name": "rollout", "width": 5}))
    'rollout:base=entropy,width=5'
    """
    if not isinstance(value, str | Mapping):
        return _check_policy(value)
    options: dict[str, Any] = map_of(value)
    if "name" not in options:
        raise UsageError(f"the map {quote(value)} names no policy; add the key 'name'")
    for bound in BOUNDS:
        check_number(bound, options.get(bound, 0), 0, MOST_PROVEN)
    options = without_claims(options)
    name = options.pop("name")
    options.pop("first_guess", None)
    if name == IMPORTED:
        raise UsageError(
            "the policy 'imported' is a tree without a rule for new guesses; name another policy"
        )
    if isinstance(value, PolicyDict):
        own = _check_policy(value.policy)
        if header(own) == {"name": name, **options}:
            return own
    if not isinstance(name, str) or name not in CLASSES:
        raise unknown_policy(name, CLASSES)
    check_options(name, options)
    kind = CLASSES[name]
    limited = {option: options.pop(option, False) for option in LIMITS}
    if name in POLICIES:
        return POLICIES[name]._replace(**limited)
    if "base" in kind.options:
        options["base"] = _base(options.get("base", kind.default_base), limited)
    return kind(**options)


def without_claims(description: Mapping[str, Any]) -> dict[str, Any]:
    """Return the description of a policy, as in a book's header, without the claims of the book."""
    options = {option: value for option, value in description.items() if option not in BOUNDS}
    if "found_at_most" in description and description["name"] != "win":
        # Only for the policy `win` is `within` an option; here it belongs to the claim.
        options.pop("within", None)
    return options


def make_policy(policy: PolicyLike, /, **options: object) -> Policy:
    """Return a policy by its name and options; the page "Policies" lists all names and options.

    >>> make_policy("rollout", base="parts", width=50)
    make_policy('rollout', base='parts', width=50)

    Args:
        policy: a name, a string such as "rollout:width=50,hard-mode", a map with the key `name`, or
            a policy object. A map may be the policy in the header of a book: the bounds `proven`
            and `found_at_most` are ignored.
        options: further options; an option that is None counts as not given.

    Raises:
        UsageError: a name or a value is wrong, an option is given twice, or options are given with
            a policy object.
    """
    found = with_options(policy, options)
    known = map_of(found) if isinstance(found, str | Mapping) else {}
    if isinstance(policy, Mapping):
        known = {o: value for o, value in known.items() if o not in BOUNDS or o in options}
    for option, problem in ELSEWHERE.items():
        if option in known:
            raise UsageError(f"{quote(option)} {problem}")
    return policy_of(found)


def map_of(value: str | Mapping[str, object]) -> dict[str, object]:
    """Return a policy, given as a string or a map, as a dict of its name and options.

    Names and values are not checked.

    >>> map_of("rollout:base=parts,width=5")
    {'name': 'rollout', 'base': 'parts', 'width': 5}
    """
    if isinstance(value, Mapping):
        return dict(value)
    name, rest = name_and_options(value)
    found: dict[str, object] = {"name": name}
    numbers = CLASSES[name].numbers if name in CLASSES else NUMBERS
    for item in filter(None, map(str.strip, rest.split(","))):
        option, *given = re.split("[= ]", item, maxsplit=1)
        option, text = option.strip().replace("-", "_"), given[0].strip() if given else None
        if option == "name":
            raise UsageError(
                f"name is not an option in {quote(value)}; write the name before the colon"
            )
        if option in found:
            raise UsageError(
                f"option {quote(option)} is given twice in {quote(value)}; give it once"
            )
        if option == "first_guess" and not text:
            raise UsageError(f"first-guess has no code in {quote(value)}; write first-guess=CODE")
        if not text and (option in numbers or option == "base"):
            raise UsageError(f"{option} has no value in {quote(value)}; write {option}=VALUE")
        # A first guess stays a string, even if it consists of digits. So does a number of more than
        # 20 digits, which no option allows.
        if text is None or option in ("first_guess", "base"):
            found[option] = text or True
        elif text.isdecimal() and len(text) <= 20:
            found[option] = int(text)
        else:
            found[option] = {"true": True, "false": False}.get(text.lower(), text)
    return found


def name_and_options(text: str) -> tuple[str, str]:
    """Split `NAME:OPTIONS`, or the printed form `NAME (OPTIONS)`, into the name and the options."""
    printed = re.fullmatch(r"(.*?) *\((.*)\)", text)
    name, rest = printed.groups() if printed else text.partition(":")[::2]
    return name.strip(), rest


def with_options(policy: PolicyLike, options: Mapping[str, object]) -> PolicyLike:
    """Add `options` to a policy, given as a string or a map; options that are None are ignored.

    If all are None, return `policy`. Raises UsageError for a policy object with further options.
    """
    known = [option for option, value in options.items() if value is not None]
    if not known:
        return policy
    if isinstance(policy, str | Mapping) and not isinstance(policy, PolicyDict):
        return merge(policy, options)
    if not isinstance(policy, PolicyDict):
        _check_policy(policy)
    raise UsageError(
        f"the option {known[0]!r} cannot be added to an existing policy; give the policy's name with "
        "all its options, such as make_policy('rollout', width=4)"
    )


def merge(text: str | Mapping[str, object], options: Mapping[str, object]) -> dict[str, object]:
    """Return a policy, given as a string or a map, as a map with `options` added.

    Options that are None are ignored.
    """
    found = map_of(text)
    given = {name.replace("-", "_"): value for name, value in options.items() if value is not None}
    for option in given:
        if option in found:
            raise UsageError(
                f"option {quote(option)} is given in {quote(text)} and on its own; give it once"
            )
    return found | given


def first_guess_of(value: PolicyLike) -> object:
    """Return the first guess in a policy given as a string or a map; None if it has none."""
    return map_of(value).get("first_guess") if isinstance(value, str | Mapping) else None


def policy_of_session(value: PolicyLike) -> Policy:
    """Return the policy that `value` describes, for a session.

    Raises UsageError if `value` has a first guess.
    """
    policy, first = policy_of(value), first_guess_of(value)
    if first is not None:
        raise UsageError(
            f"a session's policy cannot set a first guess, here {quote(first)}; build a book with this "
            "first guess, and pass the book to the session"
        )
    return policy


def _base(given: Any, limits: Mapping[str, Any]) -> OneStep:
    """Return the one-step policy of the option `base`, limited as in `limits`."""
    name = str(getattr(given, "name", given))
    if name in CLASSES and name not in POLICIES:
        raise UsageError(f"policy {name} cannot be a base; use {listing([*POLICIES], 'or')}")
    if not hasattr(given, "choose"):
        return policy_named(name)._replace(**limits)
    base = policy_named(policy_of(given).name)
    own: dict[str, Any] = {o: limit or getattr(given, o) for o, limit in limits.items()}
    return base._replace(**own)


def _check_policy(policy: Any) -> Policy:
    """Return a policy object, after checking that the header of a book can describe it."""
    if isinstance(policy, type):
        raise UsageError(f"{policy.__name__} is a class; pass an instance of it")
    if not isinstance(policy, Policy):
        raise UsageError(
            f"{quote(policy)} is not a policy; give a name, a map with a name, or an instance of a "
            "class derived from guessbook.Policy"
        )
    if type(policy).choose is Policy.choose:
        raise UsageError(f"the policy {type(policy).__name__} lacks the method choose; define it")
    if type(policy).__hash__ is None:
        raise UsageError(
            f"policy {quote(policy)} has no hash; make it a named tuple, a frozen dataclass, or "
            "another value that never changes"
        )
    name = getattr(policy, "name", None)
    if not isinstance(name, str) or not re.fullmatch("[A-Za-z0-9]+([-_][A-Za-z0-9]+)*", name):
        raise UsageError(
            f"{quote(name)} cannot be the name of a policy; use letters and digits, with dashes "
            "between them"
        )
    if name not in CLASSES and name != IMPORTED:
        _check_own(name, header(policy))
        return policy
    kind: Any = type(policy)
    known = name != IMPORTED and kind is CLASSES[name]
    # Instances of a class without its own `__eq__` are never equal, so only the classes are
    # compared.
    if not known or (policy_of(header(policy)) != policy and kind.__eq__ is not object.__eq__):
        raise UsageError(f"another policy has the name {name!r}; use another name")
    return policy


def _check_own(name: str, known: Mapping[str, object]) -> None:
    """Raise UsageError if a header cannot store the options `known` of an unregistered policy."""
    for option, value in known.items():
        if option in ELSEWHERE:
            raise UsageError(f"policy {name}: {option!r} {ELSEWHERE[option]}")
        plain = isinstance(value, str) and value.isprintable() and len(value) <= MAX_TEXT
        if not plain and not (isinstance(value, int) and -(1 << 63) <= value <= MOST_PROVEN):
            raise UsageError(
                f"a book cannot store {option} {quote(value)} of policy {name}; use a short text, a "
                "whole number or a truth value"
            )


def fallback(value: PolicyLike) -> Policy:
    """Return the policy for off-book histories: that of a book, or `entropy` for an imported tree.

    The result is a `MissingPolicy` if this installation cannot compute the policy.
    """
    if not isinstance(value, Mapping):
        return policy_of(value)
    if value.get("name") == IMPORTED:
        return POLICIES["entropy"]
    try:
        return policy_of(value)
    except UsageError as error:
        name = str(value.get("name", ""))
        options = {option: own for option, own in value.items() if option != "name"}
        absent = f"the policy {quote(name)} of the book is not installed"
        return MissingPolicy(name, options, str(error) if name in CLASSES else absent)


def header(policy: Policy) -> dict[str, str | int]:
    """Return the name and the options of a policy as a map, as in the header of a book."""
    if isinstance(policy, MissingPolicy):
        return {"name": policy.name, **policy.options_in_book}
    found = {"name": policy.name, **options_of(policy, option_names(policy))}
    # An unregistered policy cannot be found by its name, so the result holds the policy object.
    return found if policy.name in CLASSES else PolicyDict(found, policy)


def policy_header(game: Game, policy: Policy, first_guess: int | None) -> dict[str, Any]:
    """Return a policy and a first guess (an index or None) as the header of a book stores them."""
    found: dict[str, Any] = header(policy)
    if first_guess is not None:
        found["first_guess"] = game.guesses[first_guess]
    return found


def in_words(description: Mapping[str, Any]) -> str:
    """Describe the policy in a book's header, even if this version does not know it.

    >>> in_words({"name": "rollout", "base": "parts", "width": 50})
    'rollout (base parts, width 50)'
    >>> in_words({"name": "entropy", "optimum": "verified"})
    "not known here: 'entropy' ('optimum' 'verified')"
    """
    options = without_claims(description)
    name, known = options.pop("name"), is_known(description)
    # Anybody can write a header, so quotes mark the names that Guessbook cannot check.
    written: Callable[[object], str] = str if known else repr
    said = []
    for option, value in options.items():
        option = option.replace("_", "-") if known else repr(option)
        said.append(option if value is True else f"{option} {written(value)}")
    text = written(name) + (f" ({', '.join(said)})" if said else "")
    return text if known else f"not known here: {text}"


def name_in_words(description: Mapping[str, Any]) -> str:
    """Return the name of the policy in a book's header, marked if this version does not know it."""
    name = str(description["name"])
    return name if is_known(description) else f"not known here: {name!r}"


def is_known(description: Mapping[str, Any]) -> bool:
    """Return whether this version knows the policy in a book's header, and all its options."""
    options = without_claims(description)
    # An imported tree has no policy to check.
    if options["name"] == IMPORTED and options.keys() <= {"name", "source"}:
        return True
    try:
        policy_of(description)
    except UsageError:
        return False
    return True


def summary(policy: Policy) -> str:
    """Return a short name of a policy and its options, such as `rollout-base-parts`.

    Options that have their default values are omitted.
    """
    required = {option: getattr(policy, option) for option in policy.required}
    usual = header(policy_of({"name": policy.name, **required}))
    words = [policy.name]
    for option, value in header(policy).items():
        if option in required or value != usual.get(option, False):
            words += [option.replace("_", "-")] + ([] if value is True else [str(value)])
    return "-".join(words)

"""The summary of a book: as plain data for scripts, and as a table for people."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

from guessbook.book.errors import printable, quantity
from guessbook.book.games.game import Game, Identification
from guessbook.book.strategy import GUESSES, TESTS, Nouns, Stats, Strategy

MAX_BAR = 40
# A distribution is shown in at most this number of ranges of guesses.
MAX_RANGES = 40
MIN_NOTE = 20
UPPER = "an upper bound"
# Map from an option that excludes some strategies to the words that say so in a claim, after "no
# strategy".
LIMITED = {
    "hard_mode": " in hard mode",
    "consistent_only": " where each guess may be the secret",
    "max_guesses": " among those of at most {} guesses",
    "first_guess": " with first guess {}",
}


def file_facts(book: Strategy, path: str, size: int) -> dict[str, Any]:
    """Return the result of `facts`, with the path of the book's file and its size in bytes."""
    return {"path": path, **facts(book), "bytes": size}


def facts(book: Strategy) -> dict[str, Any]:
    """Return the summary of a book as plain data, with the JSON keys of docs/reference/cli.md."""
    known = book.stats
    found = {
        "game": book.game.name,
        "note": book.game.note or None,
        "policy": known.policy,
        "options": dict(known.options),
        "found_within": known.found_within,
        "claims": claims(known) or None,
        "first_guess": book.root.guess,
        "secrets": known.secrets,
        "nodes": known.nodes,
        "total_guesses": known.total_guesses,
        "mean_guesses": known.mean_guesses,
        "max_guesses": known.max_guesses,
        "distribution": by_guess(known.distribution, known.first_depth),
    }
    if known.is_weighted:
        found["weight"] = known.weight
        found["weighted_guesses"] = known.weighted_guesses
        found["weight_distribution"] = by_guess(known.weight_distribution, known.first_depth)
    if book.game.identification is not None:
        found["goal"] = "identify"
        found["outcomes"] = things_by_outcome(book.game.identification)
        found["total_cost"] = known.total_cost
        found["mean_cost"] = known.mean_cost
        found["max_cost"] = known.max_cost
    return {key: value for key, value in found.items() if value is not None}


def by_guess(counts: Sequence[int], first: int = 1) -> dict[str, int]:
    """Return a distribution as a map for JSON, by number of guesses: {"1": 1, "2": 4}."""
    return {str(number): count for number, count in enumerate(counts, first)}


def secrets_in_words(game: Game) -> str:
    """Return the number of secrets or things in words, such as `1,296 secrets`.

    Copies of a thing count once.
    """
    if game.identification is None:
        return quantity(len(game.secrets), "secret")
    return quantity(len({*game.identification.things}), "thing")


def things_by_outcome(known: Identification) -> dict[str, int]:
    """Return the number of things of each outcome. A thing counts once, however many copies it has."""
    things = {*zip(known.things, known.outcome_of, strict=True)}
    counts = Counter([outcome for _, outcome in things])
    return {label: counts[number] for number, label in enumerate(known.outcomes)}


def outcome_weights(book: Strategy) -> list[tuple[str, int]]:
    """Return each outcome with its weight, the heaviest first; [] if the book has no outcomes."""
    weights = book.tree.outcome_weights()
    ranked = sorted(weights, key=lambda outcome: (-weights[outcome], outcome))
    return [(book.game.guesses[outcome], weights[outcome]) for outcome in ranked]


def ranges_of(count: int, first: int = 1) -> list[range]:
    """Split the numbers `first` to `first + count - 1` into at most MAX_RANGES equal ranges.

    The last range may be shorter.

    >>> ranges_of(3)
    [range(1, 2), range(2, 3), range(3, 4)]
    >>> len(ranges_of(1000)), ranges_of(1000)[:2]
    (40, [range(1, 26), range(26, 51)])
    """
    step, end = -(-count // MAX_RANGES), first + count
    return [range(k, min(k + step, end)) for k in range(first, end, step)]


def range_name(guesses: range) -> str:
    """Return a range of numbers of guesses as text, such as "7" or "26-50"."""
    first, last = guesses[0], guesses[-1]
    return str(first) if first == last else f"{first}-{last}"


def sum_over(counts: Sequence[int], guesses: range, first: int = 1) -> int:
    """Return the sum of a distribution over a range of numbers of guesses.

    The first entry of `counts` is for `first` guesses.
    """
    return sum(counts[guesses.start - first : guesses.stop - first])


def claims(known: Stats) -> dict[str, Any]:
    """Return the bounds that a book claims; {} if it claims none.

    The bounds hold for all strategies that comply with the options in the entry `limits`, such as
    `hard_mode`.
    """
    bounds: dict[str, Any] = {"at_least": known.at_least, "found_at_most": known.found_at_most}
    # If a book of `optimal` or `win` states no bound, the result of the book is the bound. This
    # holds only with the options below, because other options may have shortened the search.
    if known.options.keys() <= {"base", "within", *LIMITED}:
        if known.policy == "optimal" and known.at_least is None:
            bounds["at_least"] = known.total_cost
        if known.policy == "win" and known.found_at_most is None:
            bounds["found_at_most"] = known.found_within
    claimed: dict[str, Any] = {name: bound for name, bound in bounds.items() if bound is not None}
    if claimed:
        claimed["limits"] = {o: known.options[o] for o in LIMITED if known.options.get(o)}
    return claimed


def claim(known: Mapping[str, Any]) -> str:
    """Describe the claim of a book in words, from a result of `facts`.

    The text is empty if there is no claim.

    >>> claim({"claims": {"at_least": 5626, "limits": {}}, "total_guesses": 5700})
    'an upper bound; no strategy needs fewer than 5,626'
    """
    said = [win_in_words(known)] if "found_within" in known else []
    if "at_least" in known.get("claims", {}):
        said.append(bound_in_words(known))
    elif known["policy"] == "optimal":
        # The search tried only some guesses. Without this note, the name `optimal` would claim an
        # optimum.
        said.append(UPPER)
    return "; ".join(said)


def win_in_words(known: Mapping[str, Any]) -> str:
    """Describe, from a result of `facts`, how many secrets or things a book finds within its limit.

    >>> known = {"found_within": 43, "options": {"within": 3}, "secrets": 64}
    >>> win_in_words({**known, "claims": {"found_at_most": 45, "limits": {}}})
    '43 to 45 of 64 within 3 guesses (67.19% to 70.31%)'
    """
    found, total = known["found_within"], known.get("weight", known["secrets"])
    by_weight = " by weight" * ("weight" in known)
    within = known["options"]["within"]
    of = f"of {total:,}{by_weight} within "
    of += f"cost {within}" if "goal" in known else quantity(within)
    claimed = known.get("claims", {})
    if "found_at_most" not in claimed:
        return f"at least {found:,} {of} ({found / total:.2%})"
    most, limits = claimed["found_at_most"], limits_in_words(claimed["limits"])
    if found == most:
        return f"{found:,} {of} ({found / total:.2%}), proven{limits}"
    return f"{found:,} to {most:,} {of} ({found / total:.2%} to {most / total:.2%}){limits}"


def bound_in_words(known: Mapping[str, Any]) -> str:
    """Describe, from a result of `facts`, the claimed lower bound on the cost of any strategy."""
    at_least, limits = known["claims"]["at_least"], limits_in_words(known["claims"]["limits"])
    reached = known.get("weighted_guesses", known["total_guesses"])
    if at_least == known.get("total_cost", reached):
        return f"optimal{limits}"
    less = f"needs fewer than {at_least:,}"
    if "total_cost" in known:
        less = f"has a total cost below {at_least:,}"
    elif "weight" in known:
        # Round down, since a larger bound would not be proven.
        less = f"has a mean below {10_000 * at_least // known['weight'] / 10_000:.4f} by weight"
    return f"{UPPER}; no strategy{limits} {less}"


def limits_in_words(limits: Mapping[str, Any]) -> str:
    """Return the limits of a claim as words that continue "no strategy", such as " in hard mode".

    Return "" without limits.
    """
    return "".join([LIMITED[name].format(value) for name, value in limits.items()])


def table(known: dict[str, Any], policy: str, width: int, encoding: str | None = None) -> str:
    """Format a result of `file_facts` as a table of `width` columns; `policy` is in words."""
    said = claim(known)
    if "claims" in known:
        said += "; verify --policy checks it"
    chances, cost = known.get("weight_distribution", {}), []
    by_weight, nouns = " by weight" if chances else "", GUESSES
    secrets = f"{known['secrets']:,}"
    if "goal" in known:
        nouns, things = TESTS, sum(known["outcomes"].values())
        if things < known["secrets"]:
            secrets = f"{things:,}, or {secrets} with each combination of unknown answers"
        mean, most = known["mean_cost"], known["max_cost"]
        cost = [
            ("outcomes", f"{len(known['outcomes']):,}"),
            ("cost", f"{mean:,.4f} expected{by_weight}, {most:,} in the worst case"),
        ]
    room = max(MIN_NOTE, width - 13)
    rows = [
        ("game", known["game"]),
        *[("" if k else "note", line) for k, line in enumerate(wrap(known.get("note", ""), room))],
        ("policy", policy),
        *([("claim", said)] if said else []),
        (f"first {nouns.guess}" if known["max_guesses"] else "outcome", known["first_guess"]),
        (nouns.secrets, secrets),
        ("nodes", f"{known['nodes']:,}"),
        *cost,
        ("mean", f"{known['mean_guesses']:.4f} {nouns.guesses}{by_weight}"),
        ("worst", quantity(known["max_guesses"], nouns.guess)),
        (
            "total",
            quantity(known["total_guesses"], nouns.guess)
            + f", each {nouns.secret} once" * bool(chances),
        ),
        ("size", f"{known['bytes']:,} bytes, {known['bytes'] / known['nodes']:.2f} a node"),
        ("file", printable(known["path"])),
    ]
    if "seconds" in known:
        rows.append(("built in", f"{known['seconds']:.2f} seconds"))
    for depth, pairs in known.get("feedbacks_scored", {}).items():
        # A pair is a guess and a candidate: the build computed the feedback of this candidate to
        # this guess.
        rows.append((f"guess {depth}", f"{pairs:,} pairs scored"))
    lines = [f"{name:<12} {value}" for name, value in rows]
    return "\n".join([*lines, "", *bars(known["distribution"], chances, width, encoding, nouns)])


def average(known: Stats) -> str:
    """Return the mean number of guesses, or the expected cost of tests, as text."""
    by_weight = " by weight" * known.is_weighted
    if not known.first_depth:
        return f"expected cost {known.mean_cost:,.4f}{by_weight}"
    return f"{known.mean_guesses:.4f} guesses on average{by_weight}"


def bars(
    distribution: Mapping[str, int],
    weights: Mapping[str, int],
    width: int,
    encoding: str | None = None,
    nouns: Nouns = GUESSES,
) -> list[str]:
    """Return the lines of a bar chart of a distribution.

    If secrets have weights, a further column shows the probability of each number of guesses;
    without them, `weights` is empty. `encoding` is the encoding of the terminal, by default that of
    the standard output.
    """
    block = "█"
    try:
        block.encode(encoding or sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        block = "#"
    first = min(map(int, distribution))
    shown, total = ranges_of(len(distribution), first), sum(weights.values())
    counts, chances = [*distribution.values()], [*weights.values()]
    parts = [sum_over(chances or counts, guesses, first) for guesses in shown]
    most = max(parts)
    names = [range_name(guesses) for guesses in shown]
    wide = max(7, len(names[-1]))
    largest = max(sum_over(counts, guesses, first) for guesses in shown)
    number = max(len(nouns.secrets), len(f"{largest:,}"))
    head = f"{nouns.guesses:>{wide}}  {nouns.secrets:>{number}}" + ("   chance" if weights else "")
    room = max(1, min(MAX_BAR, width - len(head) - 2))
    lines = [head]
    for guesses, name, part in zip(shown, names, parts, strict=True):
        secrets = sum_over(counts, guesses, first)
        # An empty bar would suggest that no secret needs this number of guesses.
        bar = block * max(secrets > 0, round(room * part / most))
        chance = f"  {part / total:>7.2%}" if weights else ""
        lines.append(f"{name:>{wide}}  {secrets:>{number},}{chance}  {bar}".rstrip())
    return lines


def plain(value: Any) -> Any:
    """Return a value as plain data for JSON.

    Named tuples become maps, without optional fields that are None.
    """
    if hasattr(value, "_asdict"):
        unsaid = {name for name, usual in value._field_defaults.items() if usual is None}
        known = value._asdict().items()
        value = {name: item for name, item in known if item is not None or name not in unsaid}
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value

"""Policies as text, as mappings, from `make_policy`, and as instances of custom classes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.helpers.command import Run
from tests.strategies import policies

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.strategies import History

GAME = gb.Mastermind(3, 3)
WORDS = gb.WordGame(["true", "blue", "glue"])
HISTORY = ["RRG=1,1"]
MEANT = gb.make_policy("rollout", base="parts", width=3, consistent_only=True)
# The same policy in every notation.
FORMS: list[Any] = [
    MEANT,
    "rollout:base=parts,width=3,consistent-only",
    "rollout:base=parts,width=3,consistent_only=true,hard-mode=false",
    "rollout: width=3, base=parts, consistent_only=TRUE",
    "rollout (base parts, width 3, consistent_only)",
    {"name": "rollout", "base": "parts", "width": 3, "consistent_only": True},
    {"name": "rollout", "base": gb.make_policy("parts:consistent-only"), "width": 3},
    gb.make_policy("rollout:base=parts", **{"width": 3, "consistent-only": True}),
]


class _Fields(NamedTuple):
    first: int = 2
    label: str = "x"
    name: str = "last"


class Last(gb.Policy, _Fields):
    """Guess the last of the first few candidates."""

    def choose(self, game: gb.Game, history: History, candidates: Sequence[str]) -> int:
        return game.guesses.index(candidates[: self.first][-1])

    def work(self, game: gb.Game, candidates: int) -> int:
        return candidates


class First(gb.Policy):
    """Guess the first candidate; a minimal policy class."""

    name = "first-of-all"

    def choose(self, game: gb.Game, history: History, candidates: Sequence[str]) -> int:
        return game.guesses.index(candidates[0])


@dataclass(frozen=True)
class Placed(gb.Policy):
    """Guess the candidate at an index, modulo the number of candidates."""

    place: int = 5
    name = "in-place"

    def choose(self, game: gb.Game, history: History, candidates: Sequence[str]) -> int:
        return game.guesses.index(candidates[self.place % len(candidates)])


@dataclass
class Changeable(First):
    """A mutable policy, which therefore has no hash."""

    width: int = 2


OWN: list[Any] = [Last(), Last(3, "y"), First(), Placed(), Placed(7)]
ENTRANCES: dict[str, Callable[[Any], object]] = {
    "build": lambda policy: gb.build(GAME, policy).to_bytes(),
    "compare": lambda policy: repr(gb.compare({"label": policy}, game=GAME)),
    "make_policy": gb.make_policy,
    "session": lambda policy: gb.Session(GAME, HISTORY, policy).hint(),
    "explain": lambda policy: gb.Session(GAME, HISTORY, policy).explain(),
    "rate": lambda policy: gb.Session(GAME, HISTORY, policy).rate("RYG"),
    "boards": lambda policy: gb.Boards(GAME, 2, policy).hint(),
}


def named(name: object) -> Any:
    """Return a custom policy with this name."""
    return type("Own", (First,), {"name": name})()


@given(policies(gb.WordGame(["abc", "abd"])))
def test_policy_round_trips_through_text_map_and_repr(description: dict[str, Any]) -> None:
    if "max_guesses" in description:
        # Some strategy must meet the limit.
        description["max_guesses"] += 2
    policy = gb.make_policy(description)
    assert gb.make_policy(str(policy)) == policy
    assert eval(repr(policy), {"make_policy": gb.make_policy}) == policy
    header = gb.build(WORDS, policy).policy
    assert gb.make_policy(header) == policy
    assert header == header | {k: v for k, v in description.items() if v is not False}


@pytest.mark.parametrize(
    ("policy", "text", "code"),
    [
        (gb.make_policy("parts"), "parts", "make_policy('parts')"),
        (
            MEANT,
            "rollout:base=parts,width=3,consistent-only",
            "make_policy('rollout', base='parts', width=3, consistent_only=True)",
        ),
        (
            gb.make_policy("optimal", max_guesses=5),
            "optimal:base=entropy,max-guesses=5",
            "make_policy('optimal', base='entropy', max_guesses=5)",
        ),
        (
            gb.make_policy("win", within=4, base="parts", hard_mode=True),
            "win:base=parts,within=4,hard-mode",
            "make_policy('win', base='parts', within=4, hard_mode=True)",
        ),
        (
            gb.make_policy("consistent", random_seed=7),
            "consistent:random-seed=7",
            "make_policy('consistent', random_seed=7)",
        ),
        (Placed(7), "in-place:place=7", "Placed(place=7)"),
    ],
)
def test_policy_str_and_repr_show_options(policy: gb.Policy, text: str, code: str) -> None:
    assert (str(policy), repr(policy)) == (text, code)


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_all_notations_of_a_policy_give_same_result(entrance: str) -> None:
    assert len({str(ENTRANCES[entrance](form)) for form in FORMS}) == 1


@pytest.mark.parametrize("policy", OWN, ids=lambda policy: type(policy).__name__)
def test_custom_policy_is_accepted_everywhere(policy: Any) -> None:
    assert gb.make_policy(policy) is policy
    for entrance in ENTRANCES.values():
        assert str(entrance(policy)) == str(entrance(policy))
    session = gb.Session(GAME, HISTORY, policy)
    expected = policy.choose(GAME, [], list(session.candidates()))
    assert session.hint().guess == GAME.guesses[expected]
    assert session.new_game().policy is policy


@pytest.mark.parametrize("policy", OWN, ids=lambda policy: type(policy).__name__)
@pytest.mark.parametrize("first_guess", [None, "RRY"])
def test_book_keeps_custom_policy(policy: Any, first_guess: str | None) -> None:
    book = gb.build(GAME, policy, first_guess=first_guess)
    fields = getattr(policy, "_asdict", lambda: vars(policy))()
    opening = {"first_guess": first_guess} if first_guess else {}
    assert dict(book.policy) == {"name": policy.name, **fields, **opening}
    assert gb.build(GAME, book.policy).to_bytes() == book.to_bytes()
    assert json.dumps(book.policy)
    # A copy is an ordinary dict, which does not know the class.
    with pytest.raises(gb.UsageError):
        gb.build(GAME, dict(book.policy))


def test_custom_policies_equal_as_tuples_build_different_books() -> None:
    class Other(Last):
        @property
        def name(self) -> str:
            return "other"

        def choose(self, game: gb.Game, history: History, candidates: Sequence[str]) -> int:
            return game.guesses.index(candidates[0])

    assert Other(3) == Last(3)
    for policy in (Other(3), Last(3)):
        guess = GAME.guesses[policy.choose(GAME, [], GAME.secrets)]
        assert gb.build(GAME, policy).root.guess == guess
        assert gb.build(GAME, policy).verify(policy=True).passed


def test_changed_header_of_custom_policy_is_rejected() -> None:
    changed = gb.build(GAME, Placed()).policy
    changed["size"] = 5
    with pytest.raises(gb.UsageError):
        gb.make_policy(changed)


HALF: Any = 0.5
INVALID: dict[str, Any] = {
    "a class": First,
    "a game": GAME,
    "a number": 5,
    "pairs": [("name", "parts")],
    "no name": {},
    "name of another type": {"name": ["a"]},
    "policy without rule": type("Half", (), {"name": "half", "choose": 1, "work": 1})(),
    "no text as name": named(None),
    "colon in name": named("a:b"),
    "name of a policy": named("entropy"),
    "name of imported trees": named("imported"),
    "mutable": type("Changed", (Changeable,), {})(),
    "option that no header holds": Last(HALF),
    "option beyond 64 bits": Last(1 << 64),
    "control character": Last(1, "\x1b"),
    "base of another policy": {"name": "rollout", "base": MEANT},
    "base that is no name": {"name": "rollout", "base": 5},
    "unknown policy": "rolout:width=5",
    "unknown option": "rollout:widht=5",
    "option of another policy": {"name": "entropy", "width": 3},
    "option of no options": {"name": "positional", "base": "x"},
    "word for a number": "rollout:width=five",
    "text for a number": {"name": "lookahead", "depth": "2"},
    "flag for a number": {"name": "rollout", "width": True},
    "fraction": {"name": "rollout", "endgame": 1.5},
    "word for a flag": "parts:hard-mode=perhaps",
    "number for a flag": {"name": "parts", "consistent_only": 1},
    "option without a value": "rollout:width",
    "huge number": "rollout:width=" + "9" * 5000,
    "option named twice": "rollout:width=3,width=4",
    "name as an option": "rollout:name=parts",
    "author": "knuth",
    "author as base": {"name": "rollout", "base": "Irving"},
    "win without its limit": "win:base=parts",
    "limit without a number": "win:within",
    "limit of win": "optimal:within=3",
    "limit of optimal": "rollout:max-guesses=4",
    "claim that is no number": {"name": "optimal", "proven": "5625"},
    "negative claim": {"name": "optimal", "proven": -1},
}


@pytest.mark.parametrize("policy", INVALID.values(), ids=INVALID)
def test_invalid_policy_raises_same_error_everywhere(policy: Any) -> None:
    messages = set()
    for name, entrance in ENTRANCES.items():
        with pytest.raises(gb.UsageError) as caught:
            entrance(policy)
        assert len(str(caught.value).splitlines()) == 1
        # `compare` also accepts files, so its message differs.
        if name != "compare":
            messages.add(str(caught.value))
    assert len(messages) == 1


RANGES = [
    ("consistent", "random_seed", 0, (1 << 64) - 1),
    ("lookahead", "depth", 1, 20),
    ("lookahead", "width", 1, 1 << 22),
    ("rollout", "width", 1, 1 << 22),
    ("rollout", "endgame", 1, 1 << 22),
    ("optimal", "max_guesses", 1, 39),
    ("win", "within", 1, (1 << 32) - 1),
]


@pytest.mark.parametrize(("name", "option", "least", "most"), RANGES)
def test_policy_options_have_documented_ranges(
    name: str, option: str, least: int, most: int
) -> None:
    needed: dict[str, Any] = {"within": 3} if name == "win" else {}
    for value in (least, most):
        policy = gb.make_policy(name, **needed | {option: value})
        assert gb.make_policy(f"{policy}") == policy
    for value in (least - 1, most + 1):
        with pytest.raises(gb.UsageError, match=f"{option} cannot be {value}"):
            gb.make_policy(name, **needed | {option: value})
        with pytest.raises(gb.UsageError):
            gb.make_policy(f"{name}:{option}={value}", **needed if option != "within" else {})


def test_policies_accept_largest_option_values() -> None:
    game = gb.Mastermind(2, 3)
    for policy, same in [
        ("rollout:width=4194304", "rollout:width=9"),
        ("lookahead:width=4194304", "lookahead:width=9"),
        ("optimal:max-guesses=39", "optimal"),
    ]:
        book = gb.build(game, policy)
        assert [n.guess for n in book.nodes] == [n.guess for n in gb.build(game, same).nodes]
    seeded = gb.build(game, "consistent:random-seed=18446744073709551615")
    assert gb.open(seeded.to_bytes()).policy["random_seed"] == (1 << 64) - 1


@pytest.mark.parametrize(
    "options",
    [
        {"first_guess": "RRY"},
        {"proven": 5},
        {"width": 3, "max-guesses": 3},
        {"name": "parts"},
        {"found-at-most": 4},
    ],
    ids=str,
)
def test_make_policy_rejects_unknown_options(options: dict[str, Any]) -> None:
    with pytest.raises(gb.UsageError):
        gb.make_policy("rollout", **options)


def test_make_policy_accepts_book_headers_without_first_guess() -> None:
    assert gb.make_policy("rollout", endgame=None, width=None) == gb.make_policy("rollout")
    assert gb.make_policy({"name": "optimal", "proven": 5}) == gb.make_policy("optimal")
    with pytest.raises(gb.UsageError, match="first_guess"):
        gb.make_policy(gb.build(GAME, "parts:first-guess=RRY").policy)
    for again in ({"width": 4}, {"width": 3}):
        with pytest.raises(gb.UsageError):
            gb.make_policy(MEANT, **again)
        with pytest.raises(gb.UsageError):
            gb.make_policy("rollout:width=3", **again)


@pytest.mark.parametrize("form", ["parts:first-guess=RRY", {"name": "parts", "first_guess": "rry"}])
def test_policy_text_or_map_may_contain_first_guess(form: Any) -> None:
    book = gb.build(GAME, form)
    assert book.root.guess == "RRY"
    assert book.policy == {"name": "parts", "first_guess": "RRY"}
    assert gb.build(GAME, book.policy).to_bytes() == book.to_bytes()
    assert gb.build(GAME, "parts", first_guess="RRY").to_bytes() == book.to_bytes()
    assert gb.build(GAME, form, first_guess="RRY").to_bytes() == book.to_bytes()
    assert gb.Session(book).hint().guess == "RRY"
    with pytest.raises(gb.UsageError):
        gb.build(GAME, form, first_guess="RRR")
    for entrance in ("session", "boards"):
        with pytest.raises(gb.UsageError):
            ENTRANCES[entrance](form)


def test_first_guess_may_be_the_word_true() -> None:
    assert gb.build(WORDS, "parts:first-guess=true").root.guess == "true"
    for wrong in ("nope", "parts", 5):
        with pytest.raises(gb.InvalidCodeError):
            gb.build(WORDS, {"name": "parts", "first_guess": wrong})


def test_boards_of_a_session_reject_another_policy() -> None:
    with pytest.raises(gb.UsageError):
        gb.Boards(gb.Session(GAME), 2, "parts")


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ("rollout", "rollout"),
        ("rollout --width 5", "rollout-width-5"),
        ("parts --consistent-only", "parts-consistent-only"),
        ("win --within 4 --base parts", "win-base-parts-within-4"),
        ("consistent:random-seed=7", "consistent-random-seed-7"),
        ("parts:first-guess=ryb", "parts-RYB"),
        ("optimal --max-guesses 4", "optimal-max-guesses-4"),
    ],
)
def test_file_name_contains_options_that_are_not_default(run: Run, options: str, name: str) -> None:
    made = run("build-book", "--pegs", 3, "--colors", 4, "--policy", *options.split())
    assert made.code == 0, made
    assert f"mastermind-3x4-{name}.book" in made.out
    book = gb.open(f"mastermind-3x4-{name}.book")
    assert book.to_bytes() == gb.build(book.game, book.policy).to_bytes()


@given(st.sampled_from(["entropy", "parts"]), st.booleans())
def test_hard_mode_needs_words_with_standard_scoring(base: str, composed: bool) -> None:
    policy = {"name": "rollout", "base": base} if composed else {"name": base}
    policy |= {"hard_mode": True}  # type: ignore[dict-item]
    gb.build(WORDS, policy)
    for game in (GAME, gb.WordGame(WORDS.secrets, scoring="loose")):
        with pytest.raises(gb.UsageError, match="hard mode"):
            gb.build(game, policy)

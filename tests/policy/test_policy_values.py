"""A policy is a value: a text, a map, a policy, or one of a class of somebody's own."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given

from guessbook.book import Mastermind, UsageError, WordGame
from guessbook.builder import build_strategy
from guessbook.builder.build import build, open_checkpoint, opening_of
from guessbook.builder.openings import best_build
from guessbook.lookup.hint import hint_for
from guessbook.lookup.live import choose
from guessbook.play.boards import Boards
from guessbook.play.explain import explanation, ranking_policy
from guessbook.play.session import Session
from guessbook.policy.consistent import Consistent
from guessbook.policy.notation import header, make_policy, policy_of
from guessbook.policy.one_step import POLICIES
from guessbook.policy.policy import Policy
from guessbook.policy.rollout import Rollout
from tests.helpers.plain import descriptions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from guessbook.book import Game
    from guessbook.book.games.game import History

GAME = Mastermind(3, 3)
HISTORY = ["RRG=1,1"]
MEANT = Rollout(POLICIES["parts"]._replace(consistent_only=True), 3)
# One policy, in every form.
FORMS: list[Any] = [
    "rollout:base=parts,width=3,consistent-only",
    "rollout:base=parts,width=3,consistent_only=true,hard-mode=false",
    "rollout: width=3, base=parts, Consistent_Only=TRUE".replace("C", "c").replace("O", "o"),
    "rollout (base parts, width 3, consistent_only)",
    {"name": "rollout", "base": "parts", "width": 3, "consistent_only": True},
    {"name": "rollout", "base": MEANT.base, "width": 3},
    make_policy("rollout", base="parts", width=3, consistent_only=True),
    make_policy("rollout:base=parts", **{"width": 3, "consistent-only": True}),
    MEANT,
]


class Last(NamedTuple):
    """The last of the first candidates."""

    first: int = 2
    label: str = "x"

    @property
    def name(self) -> str:
        """See `Policy.name`."""
        return "last"

    @property
    def rule(self) -> None:
        """It builds on no one-step policy."""

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """See `Policy.choose`."""
        return game.guesses.index(candidates[: self.first][-1])

    def work(self, game: Game, candidates: int) -> int:
        """See `Policy.work`."""
        return candidates


class Shortest(Policy):
    """The first candidate: what a class has to say at least."""

    name = "shortest"

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """See `Policy.choose`."""
        return game.guesses.index(candidates[0])


@dataclass(frozen=True)
class Placed(Policy):
    """The candidate in a given place, counted from 0 and round again."""

    place: int = 5
    name = "in-place"

    def choose(self, game: Game, history: History, candidates: Sequence[str]) -> int:
        """See `Policy.choose`."""
        return game.guesses.index(candidates[self.place % len(candidates)])


OWN: list[Any] = [Last(), Last(3, "y"), Shortest(), Placed(), Placed(7)]
ENTRANCES: dict[str, Callable[[Any], object]] = {
    "build_strategy": lambda policy: build_strategy(GAME, policy).to_bytes(),
    "build": lambda policy: build(GAME, policy).book.to_bytes(),
    "best_build": lambda policy: best_build(GAME, policy).book.to_bytes(),
    "opening_of": lambda policy: opening_of(GAME, policy, "RRY"),
    "choose": lambda policy: choose(GAME, [], policy),
    "hint_for": lambda policy: hint_for(GAME, policy, HISTORY),
    "Session": lambda policy: Session(GAME, HISTORY, policy).hint(),
    "explain": lambda policy: Session(GAME, HISTORY, policy).explain(),
    "rate": lambda policy: Session(GAME, HISTORY, policy).rate("RYG"),
    "explanation": lambda policy: explanation(Session(GAME).analysis(), "RYG", policy),
    "ranking_policy": ranking_policy,
    "Boards": lambda policy: Boards(GAME, 2, policy).sessions[0].hint(),
}


def label(value: object) -> str:
    """What a case is called: the same in every process, as an address is not."""
    return value if isinstance(value, str) else type(value).__name__


@given(descriptions())
def test_every_form_and_back(description: dict[str, Any]) -> None:
    """A policy is what its header, its text and its `repr` say, and itself."""
    policy = policy_of(description)
    assert policy_of(header(policy)) == policy
    assert policy_of(str(policy)) == policy
    assert policy_of(policy) is policy
    assert eval(repr(policy), {"make_policy": make_policy}) == policy
    assert type(policy_of(str(policy))) is type(policy)


def test_texts_for_people() -> None:
    """A policy prints as it is typed, and its `repr` is the call that makes it."""
    assert str(POLICIES["parts"]) == "parts"
    assert repr(POLICIES["parts"]) == "make_policy('parts')"
    assert str(MEANT) == "rollout:base=parts,width=3,consistent-only"
    assert repr(MEANT) == "make_policy('rollout', base='parts', width=3, consistent_only=True)"
    assert str(make_policy("optimal", max_guesses=5)) == "optimal:base=entropy,max-guesses=5"
    assert str(Consistent(7)) == "consistent:random-seed=7"
    assert (str(Placed(7)), repr(Placed(7))) == ("in-place:place=7", "Placed(place=7)")
    assert str(Shortest()) == "shortest"


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_every_form_is_the_policy(form: Any) -> None:
    """Texts, maps and policies of the same options are one policy."""
    assert policy_of(form) == MEANT


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_every_form_at_every_entrance(entrance: str) -> None:
    """Wherever a policy is expected each of its forms gives the same answer."""
    assert len({str(ENTRANCES[entrance](form)) for form in FORMS}) == 1


@pytest.mark.parametrize("policy", OWN, ids=label)
@pytest.mark.parametrize("entrance", ENTRANCES)
def test_own_classes_at_every_entrance(entrance: str, policy: Any) -> None:
    """An instance of a class that nobody has registered is taken everywhere, as it is."""
    assert policy_of(policy) is policy
    assert ENTRANCES[entrance](policy) == ENTRANCES[entrance](policy)


@pytest.mark.parametrize("policy", OWN, ids=label)
def test_own_classes_play(policy: Any) -> None:
    """A book of one's own policy guesses by its definition, and a session off the book as well."""
    book = build_strategy(GAME, policy)
    assert book.tree.guess[0] == policy.choose(GAME, [], GAME.secrets)
    assert book.policy["name"] == policy.name
    session = Session(GAME, HISTORY, policy)
    candidates = session.candidates()
    assert session.hint().guess == GAME.guesses[policy.choose(GAME, [], candidates)]
    assert session.fresh().policy is policy


def test_options_of_own_classes_are_in_the_book(tmp_path: Path) -> None:
    """The fields of a named tuple or dataclass are its options: other ones are another build."""
    assert build_strategy(GAME, Last(3, "y")).policy == {"name": "last", "first": 3, "label": "y"}
    assert build_strategy(GAME, Placed(7)).policy == {"name": "in-place", "place": 7}
    identities = [open_checkpoint(tmp_path, GAME, p, None).identity for p in (Last(), Last(3))]
    assert identities[0] != identities[1]


def test_first_guesses() -> None:
    """A text may name the opening, as a map may: the book opens with it."""
    book = build_strategy(GAME, "parts:first-guess=RRY")
    assert book.policy == {"name": "parts", "first_guess": "RRY"}
    assert (
        build_strategy(GAME, {"name": "parts", "first_guess": "rry"}).to_bytes() == book.to_bytes()
    )
    words = WordGame(["true", "blue", "glue"])
    assert build_strategy(words, "parts:first-guess=true").root.guess == "true"


@dataclass
class Changeable(Policy):
    """A policy that is no value: it may change."""

    width: int = 2
    name = "changeable"


CHANGEABLE: Any = type("Changed", (Changeable,), {})()


def named(name: object, **parts: object) -> Any:
    """A policy of somebody's own with that name."""
    return type("Own", (Shortest,), {"name": name, **parts})()


HALF: Any = 0.5


class Wide(Last):
    """With an option that no header holds."""

    name = "wide"


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (Shortest, "found the class Shortest, expected an instance of it"),
        (GAME, "expected a name, a map with a name, or an instance of a policy"),
        (
            type("Half", (), {"name": "half", "choose": 1, "work": 1})(),
            "without rule, expected a cl",
        ),
        (named(None), "found the policy name None, expected letters and digits"),
        (named("a:b"), "found the policy name 'a:b', expected letters and digits"),
        (named("entropy"), "found the policy name 'entropy', which another policy has"),
        (named("imported"), "found the policy name 'imported', which"),
        (POLICIES["parts"]._replace(credit=5), "found the policy name 'parts', which"),
        (Rollout(POLICIES["parts"], 0), "found width 0, expected a whole number, 1 to"),
        (CHANGEABLE, "without a hash, expected a named tuple, a frozen dataclass"),
        (Wide(HALF), "found first 0.5 of policy wide, expected a value that a book can store"),
        (Wide(1 << 64), "found first 18446744073709551616 of policy wide"),
        (Wide(1, "\x1b"), "found label '\\x1b' of policy wide"),
        ({"name": "rollout", "base": MEANT}, "found policy 'rollout', expected one of entropy"),
        ("rolout:width=5", "found policy 'rolout', expected one of entropy"),
        ("rollout:widht=5", "found option 'widht' of policy rollout, expected one of base, width"),
        ("rollout:width=five", "found width 'five', expected a whole number"),
        ("parts:hard-mode=perhaps", "found hard_mode 'perhaps', expected a flag"),
    ],
    ids=label,
)
# That one asks a policy for its first guess alone.
@pytest.mark.parametrize("entrance", [name for name in ENTRANCES if name != "opening_of"])
def test_refused_everywhere(entrance: str, policy: Any, message: str) -> None:
    """What is no policy is refused with the same line wherever a policy is expected."""
    if isinstance(policy, dict) and entrance in ("explanation", "ranking_policy"):
        pytest.skip("a map may be the header of a book, whose policy need not be known here")
    with pytest.raises(UsageError) as caught:
        ENTRANCES[entrance](policy)
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"first_guess": "RRY"},
            "found option 'first_guess' of 'rollout', which is not an option of a policy",
        ),
        ({"proven": 5}, "found option 'proven' of 'rollout', which is the claim of a book"),
        ({"width": 3, "max-guesses": 3}, "found option 'max_guesses' of policy rollout, expected"),
        ({"name": "parts"}, "found option 'name' in 'rollout' and on its own, expected it once"),
    ],
)
def test_refused_options(options: dict[str, Any], message: str) -> None:
    """`make_policy` drops no option in silence."""
    with pytest.raises(UsageError) as caught:
        make_policy("rollout", **options)
    assert message in str(caught.value)


def test_options_that_are_left_out() -> None:
    """None is an option that is left out."""
    assert make_policy("rollout", endgame=None, width=None) == policy_of("rollout")
    with pytest.raises(UsageError, match="found policy 5, expected a name"):
        make_policy(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", [*FORMS, *OWN], ids=label)
def test_make_policy_takes_every_form(form: Any) -> None:
    """A text, a map, a policy and one of an own class make the policy that they mean."""
    assert make_policy(form) == policy_of(form)


def test_make_policy_of_a_book() -> None:
    """The header of a book makes its policy: not its claim, and its first guess is refused."""
    assert make_policy({"name": "optimal", "proven": 5}) == make_policy("optimal")
    assert make_policy({"name": "rollout", "width": 3}, base="parts") == make_policy(
        "rollout:base=parts", width=3
    )
    with pytest.raises(UsageError, match=r"found option .first_guess. of .* pass the first guess"):
        make_policy(build_strategy(GAME, "parts:first-guess=RRY").policy)
    with pytest.raises(UsageError, match="found option 'width' beside the policy object"):
        make_policy(MEANT, width=4)


@pytest.mark.parametrize("policy", OWN, ids=label)
def test_a_book_keeps_ones_own_policy(policy: Any) -> None:
    """What `Book.policy` says of an own class is that policy, also with a first guess."""
    for first_guess in (None, "RRY"):
        book = build_strategy(GAME, policy, first_guess)
        assert policy_of(book.policy) is policy
        assert build_strategy(GAME, book.policy).to_bytes() == book.to_bytes()
        assert json.dumps(book.policy)
    with pytest.raises(UsageError, match="expected one of entropy"):
        policy_of(dict(book.policy))
    changed = book.policy
    changed["size"] = 5
    with pytest.raises(UsageError, match="expected one of entropy"):
        policy_of(changed)


@pytest.mark.parametrize("policy", ["parts:first-guess=RRY", {"name": "parts", "first_guess": "R"}])
def test_a_session_refuses_a_first_guess(policy: Any) -> None:
    """A session without a book drops no first guess in silence, nor do boards; its book has it."""
    for entrance in ("Session", "Boards"):
        with pytest.raises(UsageError, match=r"found first guess .* in the policy of a s"):
            ENTRANCES[entrance](policy)
    book = build_strategy(GAME, "parts:first-guess=RRY")
    assert Session(book).hint().guess == "RRY"


def test_a_policy_beside_a_book_or_a_session() -> None:
    """A book and a session have a policy of their own."""
    with pytest.raises(UsageError, match="found a session, which has a policy, and the policy"):
        Boards(Session(GAME), 2, "parts")

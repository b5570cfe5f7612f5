"""Policies as data: in the header of a book, and as people write them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from guessbook.book import InvalidCodeError, Mastermind, UsageError
from guessbook.builder import build_strategy
from guessbook.command.options import policy_map
from guessbook.lookup import open_book
from guessbook.policy.notation import header, policy_of, summary
from tests.helpers.plain import descriptions


@given(descriptions())
def test_header_and_back(description: dict[str, Any]) -> None:
    """A policy is what its header says, and the header holds all that was asked for."""
    policy = policy_of(description)
    known = header(policy)
    assert policy_of(known) == policy
    assert {k: v for k, v in description.items() if v is not False}.items() <= known.items()


@pytest.mark.parametrize(
    ("description", "message"),
    [
        ("nope", "found policy 'nope', expected one of entropy, "),
        ({"name": "entropy", "width": 3}, "found option 'width' of policy entropy, expected one"),
        ({"name": "parts", "width": 3}, "hard_mode; it is an option of lookahead, rollout"),
        (
            {"name": "rollout", "nope": 3},
            "expected one of base, width, endgame, consistent_only, hard_mode",
        ),
        ({"name": "positional", "base": "x"}, "of policy positional, expected no options"),
        ({"name": "rollout", "base": "rollout"}, "found policy 'rollout', expected one of"),
        ({"name": "rollout", "width": 0}, "found width 0, expected a whole number, 1 to"),
        ({"name": "lookahead", "depth": "2"}, "found depth '2', expected a whole number"),
        ({"name": "lookahead", "depth": 21}, "found depth 21, expected a whole number, 1 to 20"),
        ({"name": "rollout", "width": 1 << 23}, "found width 8388608, expected a whole number"),
        ({"name": "rollout", "width": True}, "found width True, expected a whole number"),
        ({"name": "consistent", "random_seed": 1 << 64}, "found random_seed 18446744073709551616"),
        ({"name": "parts", "consistent_only": 5}, "found consistent_only 5, expected a flag"),
        ({"name": "parts", "hard_mode": 1}, "found hard_mode 1, expected a flag"),
        ({"name": "rollout", "hard_mode": "no"}, "found hard_mode 'no', expected a flag"),
        ({"name": "optimal", "max_guesses": "9"}, "found max_guesses '9', expected a whole"),
        ({"name": "optimal", "max_guesses": 40}, "found max_guesses 40, expected a whole number"),
        ({"name": "rollout", "endgame": 1.5}, "found endgame 1.5, expected a whole number, 1 to"),
        ({"name": "rollout", "base": 5}, "found policy '5', expected one of entropy"),
        ({"name": "optimal", "proven": "5625"}, "found proven '5625', expected a whole number"),
        ({"name": "optimal", "proven": -1}, "found proven -1, expected a whole number, 0 to"),
        ({}, "found the map {}, expected the key 'name' with a policy's name"),
        (None, "found policy None, expected a name, a map"),
        (5, "found policy 5, expected a name, a map with a name, or an instance of a"),
        ([("name", "parts")], "expected a name, a map"),
        ({"name": ["a"]}, "found policy ['a']"),
        ({"name": None, "first_guess": "RRYY"}, "found policy None"),
    ],
)
def test_unknown_policies(description: Any, message: str) -> None:
    """A policy or option that does not exist is refused, with those that do."""
    with pytest.raises(UsageError) as caught:
        policy_of(description)
    assert message in str(caught.value)


def test_summaries() -> None:
    """A summary names what is not as usual, and nothing else."""
    assert summary(policy_of("rollout")) == "rollout"
    assert summary(policy_of({"name": "rollout", "width": 5})) == "rollout-width-5"
    assert summary(policy_of({"name": "parts", "consistent_only": True})) == "parts-consistent-only"
    assert policy_map("consistent:random-seed=7") == {"name": "consistent", "random_seed": 7}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rollout:name=parts", "found option 'name'"),
        ("rollout:width=3,width=4", "found option 'width' twice"),
        ("parts:first-guess=RY,first_guess=RY", "found option 'first_guess' twice"),
        ("parts:first-guess", "expected first-guess=CODE"),
        ("rollout:width", "found width without a value"),
        ("rollout:width=" + "9" * 5000, "found width '999"),
        ("consistent:random-seed=18446744073709551616", "found random-seed 1844"),
        ("parts:consistent-only=5", "found consistent-only 5, expected a flag"),
        ("optimal:max_guesses=99", "found max_guesses 99, expected"),
        (
            "optimal:no-way=1",
            "found option 'no-way' of policy optimal, expected one of base, width,",
        ),
        ("parts:width=1", "expected one of consistent-only, hard-mode"),
    ],
    ids=lambda text: text[:40],
)
def test_refused_notations(text: str, message: str) -> None:
    """No option is dropped in silence: the name, one given twice, or one with a senseless value."""
    with pytest.raises(UsageError) as caught:
        policy_map(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("author", "policy"),
    [("knuth", "minimax"), ("Irving", "expected"), ("KOOI", "parts"), ("neuwirth", "entropy")],
)
def test_an_author_is_told_the_name_of_the_policy(author: str, policy: str) -> None:
    """The name of whoever published a policy is answered with that of the policy."""
    for description in (author, f"{author}:hard-mode", {"name": "rollout", "base": author}):
        with pytest.raises(UsageError) as caught:
            policy_of(description)
        assert (
            str(caught.value)
            == f"found policy '{author}', expected a policy's name; {author.title()}'s policy is {policy}"
        )


def test_an_option_is_given_once() -> None:
    """An option in the notation and on its own is refused, even with the same value."""
    with pytest.raises(UsageError, match="'width' in 'rollout:width=3' and on its own"):
        policy_map("rollout:width=3", width=3)
    assert policy_map("rollout:width=3", width=None)["width"] == 3


@pytest.mark.parametrize("options", [{}, {"first_guess": "RY"}, {"base": "parts", "width": 2}])
def test_the_policy_of_a_book_builds_it(options: dict[str, Any]) -> None:
    """A game and `book.policy` build that book again, bit for bit, first guess and all."""
    game = Mastermind(2, 3)
    book = build_strategy(game, {"name": "rollout", **options})
    assert book.policy.get("first_guess") == options.get("first_guess")
    assert build_strategy(game, book.policy).to_bytes() == book.to_bytes()
    assert (
        build_strategy(game, book.policy, options.get("first_guess")).to_bytes() == book.to_bytes()
    )


def test_first_guesses_that_differ() -> None:
    """A policy with a first guess and another one beside it, or one that is no code, is refused."""
    game = Mastermind(2, 3)
    with pytest.raises(UsageError, match="found first guess RR and a policy with first guess RY"):
        build_strategy(game, {"name": "parts", "first_guess": "RY"}, "RR")
    for wrong in ("nope", 5):
        with pytest.raises(InvalidCodeError):
            build_strategy(game, {"name": "parts", "first_guess": wrong})


@pytest.mark.parametrize("name", ["rollout", "lookahead"])
def test_the_largest_width(name: str) -> None:
    """Any width that is accepted is played: beyond the number of guesses it changes nothing."""
    game = Mastermind(3, 3)
    wide = build_strategy(game, {"name": name, "width": 1 << 22})
    same = build_strategy(game, {"name": name, "width": len(game.guesses)})
    assert list(wide.tree.guess) == list(same.tree.guess)
    assert open_book(wide.to_bytes()).policy["width"] == 1 << 22


def test_the_largest_seed() -> None:
    """Any seed that is accepted fits the header."""
    book = build_strategy(Mastermind(2, 3), {"name": "consistent", "random_seed": (1 << 64) - 1})
    assert open_book(book.to_bytes()).policy == book.policy


def test_header_of_a_book() -> None:
    """The options are in the book's header, and in the same book from its bytes."""
    book = build_strategy(Mastermind(2, 3), {"name": "rollout", "width": 3}, "RY")
    expected = {"name": "rollout", "base": "entropy", "width": 3, "first_guess": "RY"}
    assert book.policy == open_book(book.to_bytes()).policy == expected

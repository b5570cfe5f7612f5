"""The policy `optimal`: the fewest guesses in total, by the definition and by branch and bound."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from guessbook.book import BuildError, Mastermind, WordGame
from guessbook.builder import build_book
from guessbook.policy.notation import policy_of
from tests.helpers.plain import grow

if TYPE_CHECKING:
    from guessbook.book import Book, Game

WORDS = ["abc", "abd", "bad", "cab", "dab", "bed", "fed", "ace", "fab", "cad", "add", "ebb"]
GAMES: dict[str, Game] = {
    "codes 2x3": Mastermind(2, 3),
    "codes 2x4": Mastermind(2, 4),
    "codes 3x3": Mastermind(3, 3),
    "codes 2x6 without repeats": Mastermind(2, 6, repeats=False),
    "codes 3x5 without repeats": Mastermind(3, 5, repeats=False),
    "words": WordGame(WORDS),
    "words with more guesses": WordGame(WORDS[:7], WORDS),
    "words, loose": WordGame(WORDS, scoring="loose"),
}
OPTIONS: list[dict[str, object]] = [
    {},
    {"base": "parts"},
    {"base": "entropy-corrected"},
    {"max_guesses": 4},
    {"max_guesses": 5},
    {"consistent_only": True},
    {"first_guess": True},
    {"width": 3},
    {"width": 2, "base": "parts", "max_guesses": 5},
]


def defined(game: Game, policy: dict[str, object]) -> Book:
    """The book by the plain definition, at every node."""
    rule = policy_of(policy)
    first = policy.get("first_guess")

    @cache
    def choose(history: tuple[tuple[int, int], ...], candidates: tuple[str, ...]) -> int:
        if not history and first:
            return game.parse_code(str(first))
        return rule.choose(game, list(history), candidates)

    return grow(game, game, "optimal", lambda h, c: choose(tuple(h), tuple(c)))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", GAMES)
def test_the_tree_is_that_of_the_definition(name: str, options: dict[str, object]) -> None:
    """Branch and bound finds the same tree, node for node, or that there is none."""
    game = GAMES[name]
    policy = {"name": "optimal", **options}
    if "first_guess" in options:
        policy["first_guess"] = game.guesses[len(game.guesses) // 2]
    try:
        book = build_book(game, policy)
    except BuildError:
        limit = options["max_guesses"]
        assert defined(game, policy).metadata.max_guesses > limit  # type: ignore[operator]
        return
    plain = defined(game, policy)
    assert list(book.tree.guess) == list(plain.tree.guess)
    assert book.tree.distribution == plain.tree.distribution


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_threads_change_nothing(jobs: int) -> None:
    """The book is the same for any number of threads."""
    game = Mastermind(3, 6)
    assert build_book(game, "optimal", jobs=jobs).to_bytes() == small().to_bytes()


@cache
def small() -> Book:
    """An optimal book of 3 pegs and 6 colors."""
    return build_book(Mastermind(3, 6), "optimal")

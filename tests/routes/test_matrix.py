"""Every route to a policy's guess gives the tree of the plain definition.

Hypothesis draws games, policies with options, and histories.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import guessbook as gb
from tests.helpers import dask_cluster
from tests.helpers.content import edited
from tests.helpers.plain import Definition, PlainNode, fitting, plain_tree
from tests.routes.routes import (
    EXPORT_ROUTES,
    LIVE_ROUTES,
    expected_tree,
    hints_of_page,
    tree_of,
)
from tests.strategies import (
    LARGEST,
    MOST_GUESSES,
    ONE_STEP,
    POLICIES,
    all_games,
    cases,
    histories,
    policies,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.strategies import History


def checked_build(
    game: gb.Game, policy: dict[str, Any], nodes: list[PlainNode], **options: Any
) -> gb.Book | None:
    """Build a book and check its tree; return None if no strategy meets the limit."""
    limit = policy.get("max_guesses")
    if limit is not None and max(len(node.history) for node in nodes) >= limit:
        with pytest.raises(gb.NoStrategyError):
            gb.build(game, policy, **options)
        return None
    book = gb.build(game, policy, **options)
    assert tree_of(book) == expected_tree(nodes)
    return book


@pytest.mark.parametrize("name", POLICIES)
@given(data=st.data())
def test_builds_and_hints_follow_the_definition(name: str, data: st.DataObject) -> None:
    game, policy = data.draw(cases(all_games, name))
    nodes = plain_tree(game, policy)
    books = [checked_build(game, policy, nodes, jobs=jobs) for jobs in (1, 2)]
    if books[0] and books[1]:
        assert books[0].to_bytes() == books[1].to_bytes()
        assert books[0].policy == books[0].policy | policy_of_book(policy)
    # A session accepts no first guess.
    asked = nodes["first_guess" in policy :]
    policy.pop("first_guess", None)
    expected = [(node.guess, len(node.candidates)) for node in asked]
    for route, ask in LIVE_ROUTES.items():
        assert ask(game, policy, [node.history for node in asked]) == expected, route


def policy_of_book(policy: dict[str, Any]) -> dict[str, Any]:
    """Return a policy as in the header of a book, which omits flags that are off."""
    return {key: value for key, value in policy.items() if value is not False}


def unsolved(game: gb.Game) -> st.SearchStrategy[History]:
    """Draw a history in which no guess is the secret."""
    return histories(game).filter(lambda history: game.solved not in dict(history).values())


@pytest.mark.parametrize("name", POLICIES)
@given(data=st.data())
def test_off_book_hints_follow_the_definition(name: str, data: st.DataObject) -> None:
    game = data.draw(all_games(MOST_GUESSES.get(name, LARGEST)))
    policy = data.draw(policies(game, name))
    history = data.draw(unsolved(game))
    candidates = fitting(game, history)
    guess = Definition(game, policy).choose(history, candidates)
    assert gb.make_policy(policy).choose(game, history, candidates) == guess
    for route, ask in LIVE_ROUTES.items():
        assert ask(game, policy, [history[::-1]]) == [(guess, len(candidates))], route


@pytest.mark.parametrize("name", [*ONE_STEP, "rollout", "optimal", "win"])
@given(data=st.data())
def test_hints_in_hard_mode_follow_the_definition(name: str, data: st.DataObject) -> None:
    """Similar words leave many candidates, so that hard mode affects the guess."""
    chance = Random(data.draw(st.integers(0, 1 << 32)))
    words = list(dict.fromkeys("".join(chance.choices("aabcd", k=4)) for _ in range(40)))
    most = 12 if name in ("optimal", "win") else 24
    game = gb.WordGame(words[:most], words[: most + 8])
    policy = data.draw(policies(game, name)) | {"hard_mode": data.draw(st.booleans())}
    made = chance.randrange(len(game.guesses))
    answers = [game.feedback_number(game.guesses[made], secret) for secret in game.secrets]
    # Feedback 0 shows no letter, so it forbids no guess.
    history = [(made, max(set(answers) - {0, game.solved}, key=answers.count))]
    candidates = fitting(game, history)
    guess = Definition(game, policy).choose(history, candidates)
    for route, ask in LIVE_ROUTES.items():
        assert ask(game, policy, [history]) == [(guess, len(candidates))], route


@pytest.mark.parametrize("route", EXPORT_ROUTES)
@settings(max_examples=settings().max_examples // 2)
@given(case=cases())
def test_exports_follow_the_definition(route: str, case: tuple[gb.Game, dict[str, Any]]) -> None:
    game, policy = case
    nodes = plain_tree(game, policy)
    book = checked_build(game, policy, nodes)
    if book:
        assert EXPORT_ROUTES[route](book, nodes)


# Each example starts Node.js, so there are fewer.
@settings(max_examples=settings().max_examples // 2)
@given(st.data())
def test_exported_page_follows_definition_on_and_off_book(data: st.DataObject) -> None:
    game, policy = data.draw(cases())
    nodes = plain_tree(game, policy)
    book = checked_build(game, policy, nodes)
    if book is None:
        return
    on_book = [node.history[::-1] for node in nodes]
    off_book = [data.draw(unsolved(game)) for _ in range(4)]
    expected = [(game.guesses[node.guess], len(node.candidates)) for node in nodes]
    hints = hints_of_page(book, on_book + off_book)
    assert [hint[:2] for hint in hints[: len(nodes)]] == expected
    if policy["name"] not in ONE_STEP:
        return
    for history, hint in zip(off_book, hints[len(nodes) :], strict=True):
        if hint[2] == "live":
            candidates = fitting(game, history)
            guess = Definition(game, policy).choose(history, candidates)
            assert hint[:2] == (game.guesses[guess], len(candidates))


@given(cases())
def test_verify_detects_tree_of_another_policy(case: tuple[gb.Game, dict[str, Any]]) -> None:
    game, policy = case
    own = checked_build(game, policy, plain_tree(game, policy))
    assert own is None or own.verify(policy=True).passed
    other = gb.build(game, "minimax", first_guess=game.guesses[-1])
    # A reader rejects a tree that contradicts these options of its header.
    policy = {key: policy[key] for key in policy if key not in ("first_guess", "max_guesses")}
    nodes = plain_tree(game, policy)
    book = edited(other, policy=policy)
    checks = {check.name: check.passed for check in book.verify(policy=True).checks}
    assert checks["policy"] is (tree_of(other) == expected_tree(nodes))


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a scheduler with two worker processes."""
    with dask_cluster.cluster(2) as cluster:
        yield cluster.address


@pytest.mark.slow
@given(case=cases())
def test_cluster_builds_follow_the_definition(
    scheduler: str, case: tuple[gb.Game, dict[str, Any]]
) -> None:
    game, policy = case
    checked_build(game, policy, plain_tree(game, policy), scheduler=scheduler)

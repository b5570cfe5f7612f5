"""The chance to win: what hints and explanations by `win` say beside the guess."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind, WordGame
from guessbook.book.games.weights import total_weight, weight_of
from guessbook.builder import build_strategy
from guessbook.lookup import Book, Hint, live, open_book
from guessbook.play.session import Session
from guessbook.policy.notation import policy_of
from guessbook.policy.reference import consistent
from tests.helpers.plain import entries, histories, paths, without_engine
from tests.helpers.samples import SMALL, WORDS

if TYPE_CHECKING:
    from guessbook.book.games.game import History
    from guessbook.policy.win import Win
    from tests.helpers.command import Run

WEIGHED = WordGame(WORDS, weights=[9, 1, 4, 2, 7, 1, 1, 3, 5, 2])
POLICIES = ["win:within=1", "win:within=2", "win:within=3", "win:within=3,width=1,base=minimax"]


def won(book: Book, history: History) -> float:
    """The chance that the book finds the secret by guess K, by playing every candidate."""
    candidates, found = consistent(book.game, history), 0
    for secret in candidates:
        counts = played(book, secret) <= (book.stats.within or 0)
        found += weight_of(book.game, [secret]) * counts
    return found / weight_of(book.game, candidates)


def played(book: Book, secret: str) -> int:
    """The number of guesses that a book needs for a secret."""
    node, guesses = book.root, 1
    while node.guess != secret:
        child = node.child(book.game.feedback(node.guess, secret))
        assert child is not None
        node, guesses = child, guesses + 1
    return guesses


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("game", [SMALL, WEIGHED], ids=repr)
def test_on_the_book_it_is_what_the_subtree_finds(game: Mastermind | WordGame, policy: str) -> None:
    """At every node the chance is that of all candidates that the book finds by guess K."""
    book = open_book(build_strategy(game, policy))
    for history in paths(book):
        hint = book.hint(entries(game, history))
        assert (hint.source, hint.win) == ("book", won(book, history))
    assert book.hint().win == (book.stats.found_within or 0) / total_weight(game)
    assert f"{book.hint().win:.2%} to win." in str(book.hint())


BOOKS = [open_book(build_strategy(game, p)) for game in (SMALL, WEIGHED) for p in POLICIES[:3]]


@given(st.data(), st.sampled_from(BOOKS))
def test_off_the_book_it_is_what_the_search_finds(data: st.DataObject, book: Book) -> None:
    """A history in any order has the chance of the best strategy after it; a longer one none."""
    game, rule = book.game, cast("Win", policy_of(book.policy))
    history = data.draw(histories(game))
    candidates = consistent(game, history)
    hint = book.hint(entries(game, history))
    if hint.solved:
        assert hint.win is None
        return
    found, _ = rule.answer(game, history, candidates)
    assert hint.win == found / weight_of(game, candidates)
    if len(history) >= rule.within:
        assert hint.win == 0
    assert Session(book, entries(game, history)).explain(count=1).win == hint.win


@pytest.mark.parametrize("policy", POLICIES)
def test_where_the_builder_answers(monkeypatch: pytest.MonkeyPatch, policy: str) -> None:
    """A search that is too long for plain Python has what the builder finds, playing on."""
    monkeypatch.setattr(live, "SOME_FEEDBACKS", 0)
    for history in ("", "RGB=1,1", "RRR=1,0 GGG=0,0", "RGB=0,1 GGY=1,0 YRY=1,1"):
        session = Session(SMALL, history, policy=policy)
        pairs, candidates = session.parsed_history, list(session.checked().candidates)
        found, guess = cast("Win", policy_of(policy)).answer(SMALL, pairs, candidates)
        assert session.hint().win == found / len(candidates)
        assert session.hint().guess == SMALL.guesses[guess]


def test_without_the_engine() -> None:
    """A game in progress without a book has its chance as well, by plain Python alone."""
    with without_engine():
        session = Session(SMALL, "RRY=1,1", policy="win:within=3")
        assert session.hint().win == 7 / 8
        assert session.explain("RGB", 1).win is None


def test_other_policies_have_none() -> None:
    """Without a number of guesses that count nothing is said of them."""
    hint = open_book("mastermind-4x6").hint()
    assert hint.win is None
    assert "to win" not in str(hint)
    assert hint == Hint(*hint[:-1])


def test_it_is_printed(run: Run) -> None:
    """`hint` and `explain` have a line for it, and scripts the key `win`."""
    build_strategy(SMALL, "win:within=3").save("a.book")
    line = "win         87.50% within the guesses that are left"
    for history in (["RRY=1,1"], ["GGB=1,1"]):
        assert run("hint", "a.book", *history).out.splitlines()[-1] == line
        assert json.loads(run("hint", "a.book", *history, "--json").out)["win"] == 0.875
        explained = run("explain", "a.book", *history).out.splitlines()
        assert explained[1] == "87.50% to win within the guesses that are left"
        assert "best by entropy; win, the policy itself, may guess another" in explained
        told = json.loads(run("explain", "a.book", *history, "--json").out)
        assert (told["win"], told["policy"], told["ranked_by"]) == (0.875, "win", "entropy")
    assert "\nbest by entropy\n" in run("explain").out
    assert "win" not in json.loads(run("hint", "--json").out)

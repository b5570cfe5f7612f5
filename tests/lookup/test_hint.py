"""Hints of all three sources, solved games, and answers that do not fit."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from guessbook.book import Game, InconsistentFeedbackError, Mastermind
from guessbook.book.games.game import History
from guessbook.book.tree import entropy
from guessbook.lookup import Hint, hint, open_book
from guessbook.policy.one_step import best_guess, policy_named
from guessbook.policy.reference import consistent, partition
from guessbook.policy.search.search import Search, search_of
from tests.helpers.plain import entries, false_histories, histories, paths, plain_book

BOOKS = [
    plain_book(Mastermind(3, 4)),
    plain_book(Mastermind(3, 4), "minimax"),
    plain_book(Mastermind(3, 5, repeats=False), "expected"),
    plain_book(Mastermind(2, 6), "parts"),
]
books = st.sampled_from(BOOKS)


@given(st.data())
def test_against_the_reference(data: st.DataObject) -> None:
    """Whatever the source: the same remaining count, and a guess with the reference's score."""
    book = data.draw(books)
    game, policy = book.game, policy_named(book.stats.policy)
    random_path = st.sampled_from(paths(book))
    history = data.draw(random_path | histories(game))
    assume(all(feedback != game.solved for _, feedback in history))
    found = hint(book, entries(game, history))
    candidates = consistent(game, history)
    _, score = best_guess(game, candidates, policy)
    cells = partition(game, found.guess, candidates)
    assert found.remaining == len(candidates)
    assert policy.score(cells.values(), policy.costs(len(candidates))) == score
    assert found.entropy == pytest.approx(entropy(cells.values()))
    assert found.candidate == (found.guess in candidates)
    assert not found.solved


@given(st.data())
def test_order_does_not_matter(data: st.DataObject) -> None:
    """The hint depends on the history as a set, off-book as on-book."""
    book = data.draw(books)
    history = entries(book.game, data.draw(histories(book.game)))
    assert hint(book, data.draw(st.permutations(history))) == hint(book, history)


def test_sources() -> None:
    """Each source says its name."""
    book = open_book("mastermind-4x6")
    assert book.hint().source == "book"
    assert book.hint(["RYGB=1,1"]).source == "book"
    assert book.hint(["POGB=1,1"]).source == "symmetry"
    assert book.hint(["RRYY=1,1"]).source == "live"


def test_notations() -> None:
    """Strings, pairs, triplets, digits, one string with spaces and an iterator are one history."""
    book = open_book("mastermind-4x6")
    expected = book.hint(["RYGB=1,1", "RGOP=0,2"])
    for history in (
        "RYGB=1,1 RGOP=0,2",
        [("RYGB", (1, 1, 2)), ("rgop", "0011")],
        [(("R", "Y", "G", "B"), "1B1W"), ("RGOP", [0, 2])],
        iter(["RYGB=1,1", "RGOP=0,2"]),
        ["RYGB=1,1", "RGOP=0,2", "RYGB=1,1"],
    ):
        assert book.hint(history) == expected


@given(st.data())
def test_solved(data: st.DataObject) -> None:
    """A history that holds "solved" gives the secret, certain, if the other answers fit it."""
    book = data.draw(books)
    game = book.game
    history = data.draw(histories(game))
    secret = data.draw(st.sampled_from(consistent(game, history)))
    solved = [*history, (game.parse_code(secret), game.solved)]
    found = hint(book, data.draw(st.permutations(entries(game, solved))))
    assert found == Hint(secret, found.source, 1, 0.0, True, True, 1.0)


@given(st.data())
def test_inconsistent(data: st.DataObject) -> None:
    """If no secret fits, the suspects are exactly the entries whose removal lets one fit again."""
    book = data.draw(books)
    game = book.game
    history = data.draw(false_histories(game))
    assume(not consistent(game, history))
    with pytest.raises(InconsistentFeedbackError) as caught:
        hint(book, entries(game, history))
    expected = [k for k in range(len(history)) if consistent(game, history[:k] + history[k + 1 :])]
    assert caught.value.suspects == tuple(expected)
    for k in expected:
        guess, feedback = entries(game, history)[k]
        assert f"{guess}={feedback}" in str(caught.value)


def test_inconsistent_positions_are_those_given() -> None:
    """Suspects are positions in the history as given, repeated entries included."""
    book = open_book("mastermind-4x6")
    history = iter(["RRRR=1,0", "YYYY=1,0", "RRRR=1,0", "RRYY=0,0"])
    with pytest.raises(InconsistentFeedbackError, match="re-check RRYY=0,0") as caught:
        book.hint(history)
    assert caught.value.suspects == (3,)


def test_entries_that_are_the_same_are_one() -> None:
    """Without one of two twins nothing fits: they are one suspect, and it is said how often."""
    with pytest.raises(InconsistentFeedbackError) as caught:
        open_book("mastermind-4x6").hint("RYGB=4,0 rygb=4B0W RYGO=2,0")
    assert caught.value.suspects == (0, 2)
    assert "re-check RYGB=4,0 (twice), RYGO=2,0: without one of them" in str(caught.value)
    with pytest.raises(InconsistentFeedbackError, match=r"RYGB=4,0 \(3 times\)"):
        open_book("mastermind-4x6").hint("RYGB=4,0 RYGB=4,0 RYGO=2,0 RYGB=4,0")


@pytest.mark.parametrize("wrong", [0, 99, 199])
def test_the_one_wrong_answer_of_two_hundred_is_soon_found(
    wrong: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a long history few parts are counted, wherever the wrong answer stands."""
    counted: list[int] = []

    def count(game: Game, history: History) -> Search:
        counted.append(len(history))
        return search_of(game, history)

    monkeypatch.setattr("guessbook.policy.search.search.search_of", count)
    game = open_book("mastermind-4x6").game
    history = [
        (guess, game.feedback_number(game.guesses[guess], "PYRY")) for guess in range(2, 202)
    ]
    history[wrong] = (history[wrong][0], game.parse_feedback("4,0"))
    with pytest.raises(InconsistentFeedbackError) as caught:
        open_book("mastermind-4x6").hint(entries(game, history))
    assert caught.value.suspects == (wrong,)
    assert len(counted) < 2 * 8 + 12


def test_two_answers_to_one_guess() -> None:
    """Two answers to one guess are both suspect, even where one of them is on-book or solves."""
    book = open_book("mastermind-4x6")
    for first, second in (("0,1", "0,2"), ("4,0", "0,2")):
        with pytest.raises(InconsistentFeedbackError) as caught:
            book.hint([("RYGB", first), ("RYGB", second)])
        assert caught.value.suspects == (0, 1)


def test_several_wrong_answers() -> None:
    """If no single entry explains it, none is accused."""
    wrong = ["RRRR=0,0", "RRRR=1,0", "YYYY=0,0", "YYYY=1,0"]
    with pytest.raises(InconsistentFeedbackError, match="more than one") as caught:
        open_book("mastermind-4x6").hint(wrong)
    assert caught.value.suspects == ()

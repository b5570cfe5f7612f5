"""Hints from the book, by symmetry and computed; solved and contradictory histories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.hints.definitions import (
    BULLS,
    SCORES,
    SMALL,
    WEIGHTED_GAME,
    answer,
    answers,
    any_histories,
    best_score,
    bits,
    calls,
    fitting,
    patient,
    permuted,
    sizes,
    suspects,
    tree_histories,
    true_histories,
    weights,
)

if TYPE_CHECKING:
    from tests.hints.definitions import Entries

CODE_BOOKS = [
    gb.build(SMALL),
    gb.build(SMALL, "minimax"),
    gb.build(BULLS, "expected"),
    gb.build(gb.Mastermind(2, 6), "parts"),
    gb.build(gb.Mastermind(4, 5, repeats=False)),
]
BOOKS = [*CODE_BOOKS[:-1], gb.build(WEIGHTED_GAME), gb.build(WEIGHTED_GAME, "minimax")]
SOURCES = ["book", "game", "game without engine"]


def check_hint(hint: gb.Hint, game: gb.Game, history: Entries, policy: str) -> None:
    """Compare every number of a hint with its definition."""
    candidates, own = fitting(game, history), weights(game)
    if hint.solved:
        assert hint == gb.Hint(candidates[0], "live", 1, 0.0, True, True, 1.0)
        assert (hint.guess, answer(game, hint.guess, hint.guess)) in history
        return
    parts = sizes(game, hint.guess, candidates)
    assert hint.remaining == len(candidates)
    assert hint.entropy == pytest.approx(bits(parts))
    assert hint.candidate == (hint.guess in candidates)
    chance = own[hint.guess] / sum(own[c] for c in candidates) if hint.candidate else 0
    assert hint.chance == pytest.approx(chance)
    score = round(SCORES[policy](parts), 9)
    assert (score, hint.candidate) == best_score(game, candidates, policy)


@pytest.mark.parametrize("source", SOURCES)
@patient
@given(data=st.data())
def test_hint_follows_definition_whatever_its_source(source: str, data: st.DataObject) -> None:
    book = data.draw(st.sampled_from(BOOKS))
    game, policy = book.game, book.stats.policy
    history = data.draw(true_histories(game) | tree_histories(book).map(lambda found: found[1]))
    in_any_order = data.draw(st.permutations(history + history[:1]))
    with pytest.MonkeyPatch.context() as patch:
        if source == "game without engine":
            patch.setenv("GUESSBOOK_PURE", "1")
        if source == "book":
            hint = book.hint(history)
            assert book.hint(in_any_order) == hint
            assert hint.source in {"book", "symmetry", "live"}
        else:
            hint = gb.Session(game, history, policy).hint()
            assert gb.Session(game, in_any_order, policy).hint() == hint
            assert hint.source == "live"
            if not hint.solved:
                # By the definition of the policy itself; ties go to the lowest index.
                pairs = [(game.parse_code(g), game.parse_feedback(f)) for g, f in history]
                chosen = gb.make_policy(policy).choose(game, pairs, fitting(game, history))
                assert hint.guess == game.guesses[chosen]
    check_hint(hint, game, history, policy)


@patient
@given(st.data())
def test_exchanged_positions_and_symbols_get_equivalent_guess(data: st.DataObject) -> None:
    book = data.draw(st.sampled_from(CODE_BOOKS))
    game = book.game
    assert isinstance(game, gb.Mastermind)
    node, path = data.draw(tree_histories(book))
    assert book.find(path) == node
    history = data.draw(permuted(game, path))
    hint = book.hint(data.draw(st.permutations(history)))
    assert hint.source == "book" if book.get(history) else hint.source == "symmetry"
    assert (hint.remaining, hint.candidate) == (node.remaining, node.candidate)
    assert hint.entropy == pytest.approx(node.entropy)
    before, after = fitting(game, path), fitting(game, history)
    assert sorted(sizes(game, hint.guess, after)) == sorted(sizes(game, node.guess, before))


def test_hint_names_its_source(book: gb.Book) -> None:
    for history, source in (
        ("", "book"),
        ("RYGB=1,1", "book"),
        ("POGB=1,1", "symmetry"),
        ("RRYY=1,1", "live"),
        ("RYGB=1,1 RYGB=1,1", "book"),
    ):
        assert book.hint(history).source == source
    assert book.hint("POGB=1,1").remaining == book.hint("RYGB=1,1").remaining


def test_hint_as_text_says_what_to_guess_or_that_the_game_is_solved(book: gb.Book) -> None:
    for history, text in (
        ("RYGB=1,1 RGOP=0,2", "57 candidates. Guess PYYG: 3.4511 bits, 1.75% to be the secret."),
        ("RYGB=0,2 YGOP=1,0", "22 candidates. Guess BRPB: 3.2433 bits, cannot be the secret."),
        ("RRYY=0,4", "The secret is YYRR."),
        ("RRYY=4,0", "RRYY is the secret: solved."),
    ):
        assert str(book.hint(history)) == text


@patient
@given(st.data())
def test_contradiction_names_entries_without_which_a_secret_fits(data: st.DataObject) -> None:
    book = data.draw(st.sampled_from(CODE_BOOKS))
    game = book.game
    history = data.draw(any_histories(game))
    if fitting(game, history):
        check_hint(book.hint(history), game, history, book.stats.policy)
        return
    for ask in (book.hint, gb.Session(game, history, book.stats.policy).hint):
        with pytest.raises(gb.InconsistentFeedbackError) as caught:
            ask(history) if ask == book.hint else ask()
        assert caught.value.suspects == suspects(game, history)
        for k in caught.value.suspects:
            assert "=".join(history[k]) in str(caught.value)


def test_suspects_are_positions_in_the_given_history(book: gb.Book) -> None:
    for history, positions in (
        ("RYGB=4,0 rygb=4B0W RYGO=2,0", (0, 2)),
        ("RYGB=4,0 RYGB=0,2", (0, 1)),
        ("RYGB=0,1 RYGB=0,2", (0, 1)),
        ("RRRR=0,0 RRRR=1,0 YYYY=0,0 YYYY=1,0", ()),
    ):
        with pytest.raises(gb.InconsistentFeedbackError) as caught:
            book.hint(iter(history.split()))
        assert caught.value.suspects == positions


@pytest.mark.parametrize("wrong", [0, 99])
def test_wrong_answer_of_two_hundred_is_found_by_bisection(wrong: int, book: gb.Book) -> None:
    history = answers(book.game, book.game.guesses[2:202], "PYRY")
    history[wrong] = (history[wrong][0], "4,0")
    with pytest.raises(gb.InconsistentFeedbackError) as caught:
        book.hint(history)
    assert caught.value.suspects == (wrong,)
    # Leaving out each entry in turn would take millions of calls.
    assert calls(lambda: book.hint(history)) < 500_000


def two_symbols_each(game: gb.Mastermind, guesses: int) -> Entries:
    """Guesses of two symbols that no other has, and one that shares a symbol with two others."""
    pairs = [game.symbols[2 * k : 2 * k + 2] for k in range(1, guesses)]
    return [(guess, "0,0") for guess in [*pairs, game.symbols[2] + game.symbols[4]]]


@pytest.mark.parametrize("guesses", [9, 14])
def test_search_for_equivalent_history_is_bounded(guesses: int) -> None:
    book = gb.build("mastermind-2x36")
    assert isinstance(book.game, gb.Mastermind)
    history = two_symbols_each(book.game, guesses)
    assert book.hint(history).source == "live"
    # Without a limit, the search would try every order of the 14 guesses.
    assert calls(lambda: book.hint(history)) < 400_000

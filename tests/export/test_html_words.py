"""The page and words: beyond the lists, and in hard mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from guessbook.book import WordGame
from guessbook.lookup import Book
from guessbook.lookup.hint import hint
from guessbook.play import Session
from tests.export.test_html import agrees
from tests.helpers.browser import WORDS, Asked, Watched, browser, show, word_book
from tests.helpers.plain import plain_book

__all__ = ["browser", "show"]  # the fixtures


def said(guess: str, secret: str) -> str:
    """The feedback of a word to any other."""
    game = word_book().game
    return str(game.feedback(guess, secret))


def hard_book() -> Book:
    """The same book, of a policy that keeps hard mode."""
    game = WordGame(WORDS[:16], WORDS)
    return Book(game, {"name": "entropy", "hard_mode": True}, plain_book(game).tree)


def test_hints_beyond_the_lists(browser: Any) -> None:
    """Guesses that the list lacks count, and a guess may be the secret, as the lookup has it."""
    histories = []
    for secret in (*WORDS[14:], "geese"):
        for guesses in (["zzzzz"], ["xqwer", "slate"], ["crane", "slate", "eeeee"], [secret]):
            histories.append([(guess, said(guess, secret)) for guess in guesses])
    histories.append([("qqqqq", "22222")])
    found = Asked(browser).hints(word_book(), histories)
    expected = [hint(word_book(), history) for history in histories]
    assert {answer.source for answer in expected} >= {"guesses", "live"}
    for history, page, own in zip(histories, found, expected, strict=True):
        assert agrees(page, own), history


def typed(watched: Watched, word: str, feedback: str = "") -> None:
    """Type a word, mark its letters, and make that guess."""
    watched.page.locator("#slots button").first.focus()
    watched.press(word)
    watched.page.locator("#slots button").first.focus()
    watched.press(feedback)
    watched.page.keyboard.press("Enter")
    watched.settle()


def test_a_page_that_hints_goes_on_beyond_the_lists(show: Callable[..., Watched]) -> None:
    """A guess of another list is taken; where no secret fits, that is said, with a number."""
    watched = show(word_book())
    typed(watched, "zzzzz", "00000")
    assert watched.text("#remaining") == "16"
    secret = "eerie"
    history = [("zzzzz", "00000")]
    for guess in ("crane", "slate"):
        history.append((guess, said(guess, secret)))
        typed(watched, *history[-1])
    own = hint(word_book(), history)
    assert own.source == "guesses"
    fits = "1 other guess does" if own.remaining == 1 else f"{own.remaining} other guesses do"
    assert watched.text("#message") == (
        f"No secret fits all answers, but {fits}: it goes on among these."
    )
    assert watched.entry().lower() == own.guess
    typed(watched, secret, "22222")
    assert watched.text("#message").startswith("Solved in 4 guesses.")


def test_a_word_that_the_game_does_not_accept_is_left_out(show: Callable[..., Watched]) -> None:
    """The next of the ranking is suggested, as in a session, until a new game."""
    watched, session = show(word_book()), Session(word_book())
    button = watched.page.locator("#refuse")
    while session.remaining > 1:
        assert watched.entry().lower() == session.hint().guess
        assert watched.text("#remaining") == str(session.remaining)
        button.click()
        watched.settle()
        assert watched.text("#message") == f"{session.refuse().upper()} is left out of this game."
    assert button.is_hidden()
    assert watched.entry().lower() == session.hint().guess
    guess = session.hint().guess
    typed(watched, guess, said(guess, session.refused[-1]))
    assert "but what was left out of this game" in watched.text("#message")
    watched.page.click("#new")
    watched.settle()
    assert watched.text("#remaining") == "16"
    watched.page.locator("#modes label").nth(1).click()
    assert button.is_hidden()


def test_a_page_that_plays_takes_words_of_the_list(show: Callable[..., Watched]) -> None:
    """It holds the list itself."""
    watched = show(word_book())
    watched.page.locator("#modes label").nth(1).click()
    watched.settle()
    typed(watched, "zzzzz")
    assert watched.text("#message") == "This word is not one that the game accepts."


@pytest.mark.parametrize("playing", [True, False])
def test_hard_mode(show: Callable[..., Watched], playing: bool) -> None:
    """The page that plays refuses what breaks the rule, the one that hints marks it; with why."""
    watched = show(hard_book())
    if playing:
        watched.page.locator("#modes label").nth(1).click()
        watched.settle()
        watched.page.evaluate(
            "guessbook.then(({ session }) => { session.secret = session.game.parse('slate'); })"
        )
        typed(watched, "least")
        typed(watched, "crane")
        assert watched.text("#message") == "CRANE breaks hard mode: it needs the letter L."
        assert watched.page.locator("#rows li").count() == 1
        return
    typed(watched, "least", said("least", "slate"))
    typed(watched, "crane", said("crane", "slate"))
    assert watched.text("#message") == "CRANE breaks hard mode: it needs the letter L."
    assert watched.page.locator("#rows li").count() == 2

"""The exported page in a real Chromium: why a guess, and links that carry a game."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.book import Mastermind, Strategy, TableGame, WordGame
from guessbook.export.page import data
from guessbook.lookup import Book, open_book
from guessbook.play import Session
from tests.helpers.browser import WORDS, Asked, Watched, browser, enter_codes, show, word_book
from tests.helpers.plain import plain_book

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["browser", "show"]  # the fixtures

HISTORY = [("RYGB", "1,1"), ("YYYY", "1,0")]

# The best guesses after a history, behind the page's own suggestion.
REASONS = """async ([data, history]) => {
    const book = await asked.unpack(data);
    const { game } = book;
    const pairs = history.map(([g, f]) => [asked.codeFrom(game, g), asked.feedbackFrom(game, f)]);
    const found = await asked.survey(book, pairs);
    const { guess } = await asked.suggest(book, found);
    const best = await asked.bestGuesses(book, found, guess);
    const rows = best.map((row) => [game.format(row.guess), row.candidate, row.sizes]);
    return [game.format(guess), rows];
}"""

# How often a part of a feedback is looked up for one hint, and for how many guesses.
PARTS = """async ([data, history]) => {
    const book = await asked.unpack(data);
    const count = { answers: 0, part: 0 };
    for (const name of Object.keys(count)) {
        const method = asked.CodeGame.prototype[name];
        book.game[name] = function (...given) {
            count[name] += 1;
            return method.apply(this, given);
        };
    }
    const { guess } = await asked.hint(book, history);
    return [guess, count.answers, count.part];
}"""


@pytest.fixture(scope="module")
def asked(browser: Any) -> Asked:
    """The page's functions without the page."""
    return Asked(browser)


def check_reasons(asked: Asked, book: Strategy, history: list[tuple[str, str]]) -> None:
    """Compare the best guesses of the page with the alternatives of `explain`."""
    suggested, rows = asked.page.evaluate(REASONS, [data(book), history])
    why = Session(Book(book.game, book.policy, book.tree), history).explain(suggested)
    wanted = [(a.guess, a.candidate, a.cells, a.worst) for a in why.alternatives]
    given = [(guess, candidate, len(sizes), max(sizes)) for guess, candidate, sizes in rows]
    assert suggested in [guess for guess, *_ in given]
    assert given[: len(wanted)] == wanted, history
    assert given[len(wanted) :] == [] or given[len(wanted)][0] == suggested


LISTS = {
    "codes": ("mastermind-4x6", [[], ["RYGB"], ["RRYY"], ["RRYY", "GGBB"], ["POGB", "RRRR"]]),
    "no repeats": ("bulls-and-cows-4x10", [[], ["0123"], ["0123", "4567"]]),
}


@pytest.mark.parametrize("name", LISTS)
def test_the_best_guesses_are_those_of_explain(asked: Asked, name: str) -> None:
    """On the book and off it, the same guesses in the same order, one of mirror images each."""
    book = open_book(LISTS[name][0])
    draw = random.Random(8)
    for guesses in LISTS[name][1]:
        secret = draw.choice(book.game.secrets)
        check_reasons(asked, book, [(g, str(book.game.feedback(g, secret))) for g in guesses])


def test_the_best_guesses_where_symbols_are_alike(asked: Asked) -> None:
    """Symbols that no candidate has are one, and hard mode, weights and tables are kept to."""
    check_reasons(asked, open_book(), [("RRYY", "0,0")])
    check_reasons(asked, plain_book(Mastermind(3, 7, repeats=False)), [("012", "0,0")])
    for policy in ("minimax", "parts", "entropy-corrected"):
        check_reasons(asked, plain_book(Mastermind(3, 4), policy), [("RRY", "1,0")])
    check_reasons(asked, word_book(), [("crane", "00002")])
    hard = WordGame(WORDS[:16], WORDS)
    rule = {"name": "expected", "hard_mode": True}
    check_reasons(asked, Book(hard, rule, plain_book(hard).tree), [("crane", "00002")])
    weighed = WordGame(WORDS[:6], WORDS, weights=[1, 50, 2, 9, 9, 1])
    check_reasons(asked, plain_book(weighed, "entropy-corrected"), [])
    lamp = TableGame(["a", "b"], ["x", "y", "z"], [[0, 1, 1], [0, 0, 1]])
    check_reasons(asked, plain_book(lamp), [])


def test_a_large_search_adds_little_for_each_guess(asked: Asked) -> None:
    """Neighbouring guesses share the sums of the symbols that they share: one part in five each."""
    book = open_book("mastermind-5x8")
    guess, answers, parts = asked.page.evaluate(PARTS, [data(book), [("RYGBO", "0,2")]])
    assert guess == "YRPPW"
    assert answers > 10_000
    assert parts < 1.4 * answers


def rows_of_reasons(watched: Watched) -> list[list[str]]:
    """Open the reasons, and return the rows of their table."""
    watched.page.locator("#why summary").click()
    watched.page.evaluate("guessbook.then(({ session }) => session.reasons)")
    texts: list[list[str]] = watched.page.eval_on_selector_all(
        "#best-rows tr", "rows => rows.map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return texts


def test_the_page_says_why(show: Callable[..., Watched]) -> None:
    """Behind the suggestion are the best guesses with their numbers, and each hint has its own."""
    watched = show(open_book())
    assert watched.page.locator("#best").is_hidden()
    rows = rows_of_reasons(watched)
    assert [row[0][:4] for row in rows] == ["RYGB", "RRYG", "RRYY", "RRRY", "RRRR"]
    assert rows[0] == ["RYGBRYGBsuggested", "3.06", "14", "312", "yes"]
    enter_codes(watched, "RYGB", "1,1")
    watched.page.evaluate("guessbook.then(({ session }) => session.reasons)")
    why = Session(open_book(), ["RYGB=1,1"]).explain()
    listed = watched.page.locator("#best-rows .unseen").all_text_contents()
    assert listed == [other.guess for other in why.alternatives]
    assert "The best guesses by entropy" in watched.text("#why-text")


def test_a_game_that_is_played_does_not_say_why_at_once(show: Callable[..., Watched]) -> None:
    """Where the page holds the secret the reasons come with the hint that was asked for."""
    watched = show(word_book())
    watched.page.get_by_text("Play", exact=True).click()
    watched.settle()
    assert watched.page.locator("#why").is_hidden()
    watched.page.click("#ask")
    watched.settle()
    assert rows_of_reasons(watched)[0][0].removesuffix("suggested") in word_book().game.guesses


def test_a_link_carries_a_game(show: Callable[..., Watched]) -> None:
    """The address has the guesses so far, and who opens it goes on from there."""
    watched = show(open_book())
    page = watched.page
    for guess, feedback in HISTORY:
        enter_codes(watched, guess, feedback)
    assert page.url.endswith("#RYGB=1,1&YYYY=1,0")
    again = show(open_book(), page.url.replace("#", "?class=4b#"))
    assert again.entry() == watched.entry()
    left = [f"{Session(open_book(), rows).remaining} left" for rows in (HISTORY[:1], HISTORY)]
    assert again.page.locator("#rows .left").all_text_contents() == left
    again.page.click("#undo")
    again.settle()
    assert again.page.url.endswith("?class=4b#RYGB=1,1")
    again.page.click("#new")
    again.settle()
    assert again.page.url.endswith("page.html?class=4b")
    page.click("#undo")
    watched.settle()
    assert page.url.endswith("#RYGB=1,1")
    page.get_by_text("Play", exact=True).click()
    watched.settle()
    assert "#" not in page.url
    assert page.locator("#link").is_hidden()
    page.evaluate("location.hash = '#RGOP%3D0%2C2&'")  # as a messenger may write it
    page.wait_for_function("document.querySelectorAll('#rows li').length === 1")
    watched.settle()
    assert page.locator("#modes input").first.is_checked()
    assert page.url.endswith("#RGOP=0,2")
    page.click("#new")
    watched.settle()
    assert "#" not in page.url


@pytest.mark.slow
def test_a_link_of_another_game(show: Callable[..., Watched]) -> None:
    """It says what is wrong with it, and a new game begins."""
    watched = show(open_book())
    for link in ("RYGX=1,1", "RYGB", "%ff=1,1"):
        enter_codes(watched, "RYGB", "1,1")
        watched.page.evaluate("link => { location.hash = link; }", link)
        watched.page.wait_for_function("document.querySelector('#message').textContent")
        assert watched.text("#message").startswith("This link is of another game: found ")
        assert watched.page.locator("#rows li").count() == 0
        assert watched.entry() == "RYGB"


@pytest.mark.slow
def test_links_of_other_games(show: Callable[..., Watched]) -> None:
    """Words that the list lacks, and labels with blanks and signs, are carried as well."""
    words = show(word_book())
    words.page.evaluate("location.hash = '#fuzzy=00000&crane=00002'")
    words.page.wait_for_function("document.querySelectorAll('#rows li').length === 2")
    words.settle()
    assert words.text("#remaining") == f"{len(Session(word_book(), ['crane=00002']).candidates())}"
    lamp = plain_book(TableGame(["a = b & c"], ["x", "y"], [["is 1=1", "no, #2"]]))
    table = show(lamp)
    table.page.locator("#slots select").select_option("0")
    table.page.locator("#feedback select").select_option(label="no, #2")
    table.page.click("#submit")
    table.settle()
    assert table.page.url.endswith("#a%20%3D%20b%20%26%20c=no,%20%232")
    again = show(lamp, table.page.url)
    assert again.page.locator("#rows li").count() == 1
    assert again.text("#remaining") == "1"

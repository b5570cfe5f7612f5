"""Exports of books whose secrets have weights: the page hints by them, the others say so."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from guessbook.book import WordGame
from guessbook.book.summary import by_guess, facts, file_facts, plain, table
from guessbook.export import export
from guessbook.export.pictures.comparison import comparison_row, picture
from guessbook.export.report_page import report_page
from guessbook.lookup import Book
from guessbook.lookup.hint import hint
from tests.export.test_html import drawn_histories
from tests.helpers.browser import WORDS, Asked, browser, show
from tests.helpers.plain import entries, paths, plain_book
from tests.helpers.samples import every_nth
from tests.helpers.script import loaded

__all__ = ["browser", "show"]  # the fixtures

WEIGHTS = [3, 900, 7, 1, 1, 65_000, 12, 5, 90, 2, 2, 31, 8, 450, 1, 6]
POLICIES = ("entropy", "entropy-corrected", "minimax", "parts", "expected")


def book_of(policy: str = "entropy-corrected") -> Book:
    """A book of words of which some may be guessed and are no secrets."""
    return plain_book(WordGame(WORDS[:16], WORDS, weights=WEIGHTS), policy)


@pytest.mark.parametrize("policy", every_nth(3, POLICIES))
def test_the_page_hints_by_weight(browser: Any, policy: str) -> None:
    """At every node and off the book the page has our guess, bits and chance."""
    book = book_of(policy)
    histories = [entries(book.game, path) for path in paths(book)]
    histories += drawn_histories(random.Random(4), book, 60)
    for history, found in zip(histories, Asked(browser).hints(book, histories), strict=True):
        expected = plain(hint(book, history))
        expected.pop("others", None)  # the page does not count them
        assert {key: found[key] for key in expected} == {
            key: pytest.approx(value) if isinstance(value, float) else value
            for key, value in expected.items()
        }


def test_the_page_says_how_likely(show: Any) -> None:
    """The page's mean is by weight, and what is missing is the entropy of the secrets."""
    book = book_of()
    watched = show(book)
    assert f"{book.stats.mean_guesses:.3f} guesses on average by weight" in watched.text("body")


def test_json() -> None:
    """JSON has the weights, and its numbers are by them."""
    book = book_of()
    found = json.loads(export(book, "json"))
    assert sorted(found["rules"]["weights"]) == sorted(WEIGHTS)
    known = dict(zip(found["rules"]["secrets"], found["rules"]["weights"], strict=True))
    assert known["slate"] == 3
    assert found["weight_distribution"] == by_guess(book.stats.weight_distribution)
    assert found["mean_guesses"] == book.stats.mean_guesses
    bare = json.loads(export(plain_book(WordGame(WORDS)), "json"))
    assert "weights" not in bare["rules"]
    assert "weight_distribution" not in bare


def test_scripts_and_pictures() -> None:
    """A script walks the same tree; it and the pictures say that the mean is by weight."""
    book = book_of()
    script = loaded(book)
    assert script.next_guess([]) == book.root.guess
    mean = f"{book.stats.mean_guesses:.4f} guesses on average by weight"
    for form in ("python", "svg", "dot"):
        assert mean in export(book, form)
    assert export(book, "c")


def test_reports_and_facts() -> None:
    """Reports, facts and comparisons have chances by weight, and say so."""
    book = book_of()
    known = book.stats
    page = report_page(book, "words.book", 1000)
    assert "mean (guesses, by weight)" in page
    assert "by the weights of the secrets" in page
    assert "some more likely than others" in page
    found = file_facts(book, "words.book", 1000)
    assert (found["weight"], found["weighted_guesses"]) == (sum(WEIGHTS), known.weighted_guesses)
    lines = table(found, "entropy", 60).splitlines()
    assert f"mean         {known.mean_guesses:.4f} guesses by weight" in lines
    assert max(map(len, lines)) <= 60
    share = known.weight_distribution[1] / known.weight
    assert any(line.split()[:1] == ["2"] and f"{share:.2%}" in line for line in lines)
    row = comparison_row("this", book, None)
    assert row["within"]["1"] == known.weight_distribution[0] / known.weight
    assert f"mean {known.mean_guesses:.4f}" in picture("title", [row])
    bare = facts(plain_book(WordGame(WORDS)))
    assert not {"weight", "weighted_guesses", "weight_distribution"} & bare.keys()

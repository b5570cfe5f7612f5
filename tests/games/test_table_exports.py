"""Exports of table games: pages, scripts and JSON answer and show what the book does."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import guessbook as gb
from tests.helpers.browser import Asked, Watched, browser, show
from tests.helpers.plain import entries, paths
from tests.helpers.script import check_every_node, loaded
from tests.helpers.tables import LAMP, MIXED, NUMBERS, weighted

__all__ = ["browser", "show"]  # the fixtures

GAMES = [LAMP, MIXED, NUMBERS, weighted(LAMP, [50, 3, 20, 9, 1])]


@pytest.fixture(scope="module", params=GAMES, ids=repr)
def book(request: pytest.FixtureRequest) -> gb.Book:
    """The book of each of the games."""
    return gb.build(request.param)


def asked_for(book: gb.Book) -> list[list[tuple[str, str]]]:
    """The histories of all nodes, and two more entries off the book for each."""
    game = book.game
    known = [entries(game, path) for path in paths(book)]
    off = [[(guess, label)] for guess in game.guesses for label in game.answers]  # type: ignore[attr-defined]
    return [*known, *off, *[[*one, *other] for one, other in zip(off, off[3:], strict=False)]]


def test_json_has_all_of_the_game(book: gb.Book) -> None:
    found = json.loads(book.export("json"))["rules"]
    assert found["type"] == "table"
    for guess, row in zip(found["guesses"], found["table"], strict=False):
        for secret, place in zip(found["secrets"], row, strict=True):
            said = str(book.game.feedback(guess, secret))
            assert found["answers"][place] == said


def test_every_node_of_a_script(book: gb.Book, tmp_path: Path) -> None:
    check_every_node(book, loaded(book))
    check_every_node(book, loaded(book, tmp_path))


def test_a_script_says_what_it_does_not_know(book: gb.Book) -> None:
    script = loaded(book)
    for history in asked_for(book):
        code = 0
        try:
            found = script.hint(history)[0]
        except script.HintError as error:
            code = error.args[1]
        if not code:
            assert found == book.hint(history).guess
            continue
        assert code in (1, 4)
        with suppress(gb.InvalidFeedbackError):  # the script does not know which guesses were added
            assert book.get(history) is None
        if code == 4:
            with pytest.raises(ValueError, match=r"no secret|an answer to 'name: "):
                book.hint(history)


def test_a_script_is_asked_as_people_write(tmp_path: Path) -> None:
    script = loaded(gb.build(LAMP))
    first = script.next_guess()
    assert script.next_guess([f" {first.upper()} = DARK"]) == script.next_guess([(first, "dark")])
    with pytest.raises(script.HintError, match="expected one of 'dark', 'flickers, a bit'"):
        script.hint([f"{first}=light"])
    numbers = gb.build(NUMBERS)
    assert loaded(numbers).hint(["5=="])[0] == "5"
    path = tmp_path / "hint.py"
    path.write_text(numbers.export("python"), "utf-8")
    done = subprocess.run(
        [sys.executable, path, "5=<"], capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("guess       ")


def test_the_page_answers_as_the_lookup_does(browser: Any, book: gb.Book) -> None:
    histories = asked_for(book)
    for history, found in zip(histories, Asked(browser).hints(book, histories), strict=True):
        try:
            expected = book.hint(history)
        except ValueError:
            assert found["remaining"] == 0, history
            continue
        assert found["guess"] == expected.guess, history
        assert found["remaining"] == expected.remaining, history
        assert (found["source"], found["solved"]) == (expected.source, expected.solved), history
        assert abs(found["entropy"] - expected.entropy) < 1e-9


def test_hints_on_the_page(show: Callable[..., Watched]) -> None:
    book = gb.build(LAMP)
    watched, secret = show(book), "schwarzer Löwe 🦁"
    history: list[tuple[str, str]] = []
    page = watched.page
    while not history or history[-1][1] != "found":
        guess = book.hint(history).guess
        read = page.eval_on_selector("#slots select", "e => e.selectedOptions[0].text")
        assert read == LAMP.called(guess)
        page.click("#submit")
        assert "Choose what was answered." in watched.text("#message")
        answer = str(LAMP.feedback(guess, secret))
        page.locator("#feedback select").select_option(label=answer)
        page.click("#submit")
        watched.settle()
        history.append((guess, answer))
    assert f"Solved in {len(history)} guesses" in watched.text("#message")


def test_playing_against_the_page(show: Callable[..., Watched]) -> None:
    book = gb.build(MIXED)
    watched = show(book)
    page = watched.page
    page.get_by_text("Play", exact=True).click()
    watched.settle()
    page.click("#submit")
    assert "Choose a guess." in watched.text("#message")
    secret = page.evaluate("guessbook.then(({ session: s }) => s.game.format(s.secret))")
    for guess in [name for name in ["has a hat?", "Bob"] if name != secret] + [secret]:
        page.locator("#slots select").select_option(label=MIXED.called(guess))
        page.click("#submit")
        watched.settle()
        answer = str(MIXED.feedback(guess, secret))
        said = answer if guess != secret else "solved"
        assert f"{MIXED.called(guess)}: {said}" in watched.text("#rows")
    assert "Solved in" in watched.text("#message")


def test_many_guesses_are_typed_with_completion(show: Callable[..., Watched]) -> None:
    sizes, numbers = range(300), range(8)
    game = gb.TableGame(
        [f"is it below {n}, by {k}?" for n in numbers for k in sizes],
        numbers,
        [[s < n for s in numbers] for n in numbers for _ in sizes],
    )
    watched = show(gb.build(game))
    page = watched.page
    assert [watched.text(f"{part} label") for part in ("#slots", "#feedback")] == [
        "Guess",
        "Answer",
    ]
    box = page.get_by_label("Guess", exact=True)
    assert box.input_value() == "is it below 4, by 0?"
    box.fill("by 217")
    offered = page.eval_on_selector_all("#labels option", "list => list.map((o) => o.value)")
    assert offered == [f"is it below {n}, by 217?" for n in numbers]
    page.click("#submit")
    assert "Choose a guess." in watched.text("#message")
    box.fill("name: 7")
    page.get_by_label("Answer", exact=True).select_option(label="no")
    page.click("#submit")
    watched.settle()
    assert "name: 7: no." in watched.text("#rows")
    box.fill("is it below 4, by 99? ")
    assert box.input_value().endswith(" ")
    page.get_by_label("Answer", exact=True).select_option(label="yes")
    page.click("#submit")
    watched.settle()
    assert watched.text("#remaining") == "4"

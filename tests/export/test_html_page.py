"""The exported page in a real Chromium: whole games by taps and by keyboard, and for everybody."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.book import Mastermind, Strategy, WordGame
from guessbook.lookup import open_book
from guessbook.lookup.hint import hint, hint_for
from tests.helpers.browser import Watched, browser, enter_codes, show, word_book
from tests.helpers.plain import plain_book
from tests.lies.wrong_trees import with_guess

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["browser", "show"]  # the fixtures

HOSTILE = Mastermind(2, 6, symbols="<>&\"'🐄")


# Whole games.


def check_known(watched: Watched, book: Strategy, history: list[tuple[str, str]]) -> str:
    """Compare what the page shows with the lookup's hint; return the guess."""
    expected = hint(book, history)
    if expected.source == "symmetry":
        expected = hint_for(book.game, book.policy, history)
    assert watched.entry().lower() == expected.guess.lower()
    assert watched.text("#remaining") == f"{expected.remaining:,}"
    assert abs(float(watched.text("#expected")) - expected.entropy) < 0.0051
    assert abs(float(watched.text("#missing")) - math.log2(expected.remaining)) < 0.0051
    assert ("From the book" in watched.text("#source")) == (expected.source == "book")
    assert ("It may be" in watched.text("#source")) == expected.candidate
    return expected.guess


@pytest.mark.parametrize("opening", [None, "OOPP"])
def test_hints_by_tapping(show: Callable[..., Watched], opening: str | None) -> None:
    """A game on a phone: after every feedback the page shows the lookup's hint."""
    book = open_book()
    watched = show(book, has_touch=True)
    history: list[tuple[str, str]] = []
    while not history or history[-1][1] != "4,0":
        guess = check_known(watched, book, history)
        guess = opening if opening and not history else guess
        feedback = str(book.game.feedback(guess, "PGGY"))
        history.append((guess, feedback))
        enter_codes(watched, guess, feedback)
    assert f"Solved in {len(history)} guesses" in watched.text("#message")
    assert watched.page.locator("#rows li").count() == len(history)
    watched.page.click("#new")
    watched.settle()
    check_known(watched, book, [])


def test_hints_by_keyboard_alone(show: Callable[..., Watched]) -> None:
    """Typing a guess, tabbing to the feedback and Enter are enough; the focus is never lost."""
    book = open_book("bulls-and-cows-4x10")
    watched = show(book)
    page = watched.page
    page.locator("#slots button").first.focus()
    history: list[tuple[str, str]] = []
    for guess in ("0123", "4567"):
        watched.press(guess)
        feedback = str(book.game.feedback(guess, "5170"))
        for kind, number in enumerate(feedback.split(",")):
            tab_to(page, f"input[name=count-{kind}]")
            watched.press(number)
        page.keyboard.press("Enter")
        watched.settle()
        history.append((guess, feedback))
        check_known(watched, book, history)
        assert page.evaluate("document.activeElement !== document.body")
        assert f"{guess}: " in watched.text("#status")


def tab_to(page: Any, selector: str) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(f"document.activeElement.matches('{selector}')"):
            return
    raise AssertionError(f"no Tab leads to {selector}")


def test_hints_for_words_by_tapping(show: Callable[..., Watched]) -> None:
    """A word game: taps on letters make the marks, and each hint is the lookup's."""
    watched = show(word_book())
    history: list[tuple[str, str]] = []
    while not history or history[-1][1] != "22222":
        guess = check_known(watched, word_book(), history)
        game = word_book().game
        feedback = str(game.feedback(guess, "lease"))
        for place, mark in enumerate(feedback):
            for _ in range(int(mark)):
                watched.page.locator("#slots button").nth(place).click()
        watched.page.click("#submit")
        watched.settle()
        history.append((guess, feedback))
    assert f"Solved in {len(history)} guesses" in watched.text("#message")


def test_marks_by_keyboard(show: Callable[..., Watched]) -> None:
    """Digits on a letter set its mark and go on to the next; Enter adds the feedback."""
    watched = show(word_book())
    guess = word_book().root.guess
    feedback = word_book().game.format_feedback(word_book().game.feedback_number(guess, "geese"))
    watched.page.locator("#slots button").first.focus()
    watched.press(feedback)
    watched.page.keyboard.press("Enter")
    watched.settle()
    check_known(watched, word_book(), [(guess, feedback)])


@pytest.mark.parametrize("kind", ["codes", "words"])
def test_playing_against_the_page(show: Callable[..., Watched], kind: str) -> None:
    """The page holds a secret and answers truly; hints come when asked for, and find it."""
    book = word_book() if kind == "words" else open_book()
    watched = show(book)
    page = watched.page
    page.get_by_text("Play", exact=True).click()
    watched.settle()
    assert watched.entry() == ""
    assert watched.text("#expected") == "–"
    secret = page.evaluate("guessbook.then(({ session: s }) => s.game.format(s.secret))")
    first = book.game.guesses[-1 if book.game.guesses[-1] != secret else -2]
    watched.press(first)
    page.keyboard.press("Enter")
    watched.settle()
    history = [(first, str(book.game.feedback(first, secret)))]
    while history[-1][0] != secret:
        assert len(history) < 10
        page.click("#ask")
        watched.settle()
        guess = check_known(watched, book, history)
        page.click("#submit")
        watched.settle()
        history.append((guess, str(book.game.feedback(guess, secret))))
    assert f"Solved in {len(history)} guesses" in watched.text("#message")
    listened = page.locator("#rows li .unseen").all_text_contents()
    assert [text.split(":")[0] for text in listened] == [guess for guess, _ in history]


def test_words_by_the_keys_on_the_screen(show: Callable[..., Watched]) -> None:
    """Taps on keys write a word, of any letters; erase takes letters away; others are refused."""
    watched = show(word_book())
    page = watched.page
    page.get_by_text("Play", exact=True).click()
    for letter in "SLATT":
        page.locator(f'#keys button[aria-label="{letter}"]').click()
    page.click("#submit")
    assert watched.text("#message") == "This word is not one that the game accepts."
    page.get_by_label("Erase").click()
    page.locator('#keys button[aria-label="E"]').click()
    assert watched.entry() == "SLATE"
    assert watched.text("#message") == ""
    assert page.locator("#keys button", has_text="Q").is_enabled()


# Undo, mistakes, and what is off-book.


def test_undo_and_contradictions(show: Callable[..., Watched]) -> None:
    """A contradiction names the entries to re-check; changing one, or undo, makes it good again."""
    watched = show(open_book())
    for guess, feedback in (("OPOP", "0,0"), ("RRRR", "2,0"), ("RRYY", "0,0")):
        enter_codes(watched, guess, feedback)
    assert watched.text("#message").startswith(
        "No secret fits these 3 feedbacks. Re-check guess 2 or guess 3: without one of them the others fit together."
    )
    assert watched.page.locator("#rows .suspect").count() == 2
    watched.page.get_by_role("button", name="Change guess 2").click()
    watched.settle()
    assert watched.entry() == "RRRR"
    chosen = watched.page.locator(".counts input:checked")
    assert chosen.evaluate_all("all => all.map((input) => input.value)") == ["2", "0"]
    enter_codes(watched, "RRRR", "0,0")
    rest = [("OPOP", "0,0"), ("RRRR", "0,0"), ("RRYY", "0,0")]
    check_known(watched, open_book(), rest)
    for left in (2, 1, 0):
        watched.page.click("#undo")
        watched.settle()
        assert watched.page.locator("#rows li").count() == left
    check_known(watched, open_book(), [])
    assert watched.page.locator("#undo").is_disabled()


def test_feedback_that_cannot_be(show: Callable[..., Watched]) -> None:
    """What the game never gives, or is not complete, is refused with a reason."""
    watched = show(open_book())
    watched.page.click("#submit")
    assert "Choose how many black and white" in watched.text("#message")
    enter_codes(watched, "RYGB", "3,1")
    assert "a feedback that this game never gives" in watched.text("#message")
    assert watched.page.locator("#rows li").count() == 0
    words = show(word_book())
    words.page.locator("#slots button").first.focus()
    words.press("22221")
    words.page.keyboard.press("Enter")
    assert "cannot be present elsewhere" in words.text("#message")


def test_the_candidates_are_listed(show: Callable[..., Watched]) -> None:
    """The list has the first candidates in the game's order, and says how many more there are."""
    book = open_book()
    watched = show(book)
    watched.page.click("#list summary")
    for guess, feedback in (("RYGB", "1,1"), ("YYYY", "1,0")):  # on-book, then off-book
        enter_codes(watched, guess, feedback)
        history = [("RYGB", "1,1"), ("YYYY", "1,0")][: watched.page.locator("#rows li").count()]
        wanted = [
            secret
            for secret in book.game.secrets
            if all(str(book.game.feedback(g, secret)) == f for g, f in history)
        ]
        listed = watched.page.locator("#candidates .unseen").all_text_contents()
        assert listed == wanted[:30]
        assert watched.text("#more") == f"and {len(wanted) - 30} more"


def test_computing_leaves_the_page_alive(show: Callable[..., Watched]) -> None:
    """While a large search runs the page takes clicks, and a new game drops the search."""
    watched = show(open_book("mastermind-5x8"))
    page = watched.page
    turns = page.evaluate(
        """async () => {
            const { session, hint } = await guessbook;
            let [turns, running] = [0, true];
            const done = hint([["RYGBO", "0,2"]]).then(() => (running = false));
            while (running) {
                await new Promise((resolve) => setTimeout(resolve));
                turns++;
            }
            await done;
            return turns;
        }"""
    )
    assert turns > 2
    page.evaluate(
        """async () => {
            const { session } = await guessbook;
            session.rows.push({ guess: 1, feedback: 0 });
            session.update();
            session.restart();
            await session.settled;
        }"""
    )
    watched.settle()
    assert watched.text("#remaining") == "32,768"


def test_hostile_symbols_are_text(show: Callable[..., Watched]) -> None:
    """Symbols that look like markup are pegs like any others, and so is the name of a policy."""
    book = Strategy(HOSTILE, {"name": "<b>bold</b>"}, plain_book(HOSTILE).tree)
    watched = show(book)
    assert watched.entry() == hint(book).guess
    assert watched.page.locator("#about b").count() == 0
    assert "<b>bold</b>" in watched.text("#about")
    assert watched.page.locator("#keys button").count() == 7


# For everybody.

UNNAMED = """() => [...document.querySelectorAll("button, input, summary, progress, [role]")]
    .filter((e) => e.offsetParent || e.matches("input"))
    .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length
        || e.getAttribute("aria-labelledby") || ["status", "alert"].includes(e.role)))
    .map((e) => e.outerHTML)"""

CONTRASTS = """() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const known = new Map();
    const rgba = (color) => {
        if (!known.has(color)) known.set(color, drawn(color));
        return known.get(color);
    };
    const drawn = (color) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const linear = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const bright = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    const back = (e) => {
        for (; e; e = e.parentElement) {
            const color = rgba(getComputedStyle(e).backgroundColor);
            if (color[3] === 255) return color;
        }
        return [255, 255, 255];
    };
    const worst = [];
    for (const e of document.querySelectorAll("body *")) {
        const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
        if (!own || !e.offsetParent || e.disabled || e.closest(".unseen")) continue;
        const pair = [bright(rgba(getComputedStyle(e).color)), bright(back(e))].sort();
        const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
        worst.push([Math.round(ratio * 100) / 100, e.className + " " + e.textContent]);
    }
    return worst;
}"""


def test_everybody_can_read_it(
    show: Callable[..., Watched], small_books: dict[str, Strategy]
) -> None:
    """Light or dark, at 320 px: controls have names, text has contrast 4.5, nothing overflows."""
    codes = [plain_book(Mastermind(1, 36), "parts"), small_books["without repeats"]]
    for book in [plain_book(WordGame(["abcdefghijkl", "lkjihgfedcba"])), *codes]:
        watched = show(book, viewport={"width": 320, "height": 640}, reduced_motion="reduce")
        page = watched.page
        page.click("#list summary")
        page.click("#why summary")
        page.evaluate("guessbook.then(({ session }) => session.reasons)")
        check_looks(page)
        feedback = book.game.format_feedback(
            book.game.feedback_number(book.root.guess, book.game.secrets[-1])
        )
        if isinstance(book.game, WordGame):
            page.locator("#slots button").first.focus()
            watched.press(feedback)
            page.keyboard.press("Enter")
            watched.settle()
        else:
            enter_codes(watched, book.root.guess, feedback)
        assert page.locator("#rows li").count() == 1
        check_looks(page)


def check_looks(page: Any) -> None:
    """Check the page as it is now, in both schemes."""
    assert page.evaluate(UNNAMED) == []
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 320
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        ratios = page.evaluate(CONTRASTS)
        assert len(ratios) > 10
        assert [pair for pair in ratios if pair[0] < 4.5] == []


def test_the_focus_is_visible_and_in_order(show: Callable[..., Watched]) -> None:
    """Tab visits the controls as they stand on the page, each with an outline."""
    page = show(open_book()).page
    places = []
    for _ in range(30):
        page.keyboard.press("Tab")
        place = page.evaluate(
            """() => {
                const e = document.activeElement;
                const shown = e.matches("input") ? e.nextElementSibling : e;
                const style = getComputedStyle(shown);
                const width = parseFloat(style.outlineWidth);
                const outline = style.outlineStyle !== "none" && width >= 2;
                const box = shown.getBoundingClientRect();
                return e === document.body ? null : [outline, box.top + scrollY, box.left, e.id];
            }"""
        )
        if place is None:
            break
        places.append(place)
    assert len(places) >= 15
    assert all(place[0] for place in places)
    tops = [place[1] for place in places]
    assert all(later > earlier - 20 for earlier, later in pairwise(tops))


def test_motion_is_reduced_when_asked(show: Callable[..., Watched]) -> None:
    """Nothing moves for those who ask for that."""
    asked = show(open_book(), reduced_motion="reduce").page
    usual = show(open_book()).page
    duration = "getComputedStyle(document.querySelector('#submit')).transitionDuration"
    assert asked.evaluate(duration) == "0s"
    assert usual.evaluate(duration) != "0s"


def test_the_page_of_a_wrong_book_ends(show: Callable[..., Watched]) -> None:
    """Where the tree does not find the secret, the page says so instead of looking for ever."""
    watched = show(with_guess(plain_book(Mastermind(2, 2)), 3, "YY"))
    enter_codes(watched, "YR", "2,0")
    assert "The book does not find it." in watched.text("#message")

"""The exported page in Chromium: games by touch and keyboard, links, and accessibility."""

from __future__ import annotations

import hashlib
import math
import re
from base64 import b64decode, b64encode
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

import guessbook as gb
from tests.export.samples import BICYCLE, History, book_of
from tests.helpers.browser import Watched, browser, show
from tests.helpers.content import changed, edited

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Show = Callable[..., Watched]

__all__ = ["browser", "show"]  # the fixtures

CODES = "mastermind-4x6"


def test_page_allows_only_its_own_script_and_style() -> None:
    text = book_of("hostile").export("html")
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    (style,) = re.findall("<style>(.*?)</style>", text, re.DOTALL)
    (script,) = re.findall('<script type="module">(.*?)</script>', text, re.DOTALL)
    hashes = [
        b64encode(hashlib.sha256(part.encode()).digest()).decode() for part in (script, style)
    ]
    assert policy.split("; ") == [
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "img-src data:",
        f"script-src 'sha256-{hashes[0]}' 'wasm-unsafe-eval'",
        f"style-src 'sha256-{hashes[1]}'",
    ]
    assert not re.search(r"""\bon\w+=["']|style=["']|javascript:|<link rel="style""", text)
    assert not re.search('(src|href)=(?!"data:)', text)
    # The texts of the book are only in the data, in base64.
    assert not re.search("onerror|<img", text)
    for name in ("book", "engine"):
        (data,) = re.findall(f'id="{name}">([^<]*)<', text)
        assert b64encode(b64decode(data, validate=True)).decode() == data


# Whole games


def check_shown(watched: Watched, book: gb.Book, history: History) -> str:
    """Compare what the page shows with the hint of the book, and return the guess."""
    hint = book.hint(history)
    assert watched.entry().lower() == watched.hint(history)["guess"].lower() == hint.guess.lower()
    assert watched.text("#remaining") == f"{hint.remaining:,}"
    assert abs(float(watched.text("#expected")) - hint.entropy) < 0.0051
    assert abs(float(watched.text("#missing")) - math.log2(hint.remaining)) < 0.0051
    assert ("From the book" in watched.text("#source")) == (hint.source == "book")
    assert ("It may be" in watched.text("#source")) == hint.candidate
    return hint.guess


def check_solved(watched: Watched, history: History) -> None:
    """Check that the page says that the game is solved."""
    assert f"Solved in {len(history)} guess" in watched.text("#message")
    assert len(watched.texts("#rows li")) == len(history)


@pytest.mark.parametrize("opening", ["OOPP", pytest.param(None, marks=pytest.mark.slow)])
def test_page_gives_hints_for_codes_on_a_touch_screen(opening: str | None, show: Show) -> None:
    book = gb.open(CODES)
    watched = show(book, has_touch=True)
    history: History = []
    while not history or history[-1][1] != "4,0":
        guess = check_shown(watched, book, history)
        guess = opening if opening and not history else guess
        history.append((guess, str(book.game.feedback(guess, "PGGY"))))
        watched.enter_code(*history[-1])
    check_solved(watched, history)
    assert "The book needs" in watched.text("#message")
    watched.click("#new")
    check_shown(watched, book, [])


def test_page_gives_hints_for_words_by_clicks(show: Show) -> None:
    book = book_of("words")
    watched = show(book)
    history: History = []
    while not history or history[-1][1] != "22222":
        guess = check_shown(watched, book, history)
        feedback = str(book.game.feedback(guess, "geese"))
        for place, mark in enumerate(feedback):
            for _ in range(int(mark)):
                watched.page.locator("#slots button").nth(place).click()
        watched.click("#submit")
        history.append((guess, feedback))
    check_solved(watched, history)


def test_page_gives_hints_for_tables_by_dropdown_lists(show: Show) -> None:
    book = book_of("table")
    watched, secret = show(book), "schwarzer Löwe 🦁"
    history: History = []
    while not history or history[-1][1] != "found":
        guess = book.hint(history).guess
        chosen = "list => list.selectedOptions[0].text.replace('name: ', '')"
        assert watched.page.eval_on_selector("#slots select", chosen) == guess
        watched.page.click("#submit")
        assert "Choose what was answered." in watched.text("#message")
        answer = str(book.game.feedback(guess, secret))
        watched.page.locator("#feedback select").select_option(label=answer)
        watched.click("#submit")
        history.append((guess, answer))
    check_solved(watched, history)


def by_entropy(game: gb.Game, history: History) -> gb.Hint:
    """Return the hint of the policy `entropy` without a book."""
    return gb.Session(game, history, "entropy").hint()


def test_answer_buttons_submit_the_answer_and_ask_the_next_test(show: Show) -> None:
    """A click on an answer submits it; after "don't know", the page asks the next best test."""
    watched = show(BICYCLE)
    page = watched.page
    test = "list => list.selectedOptions[0].text"
    game = BICYCLE.game
    assert isinstance(game, gb.TableGame)
    history: History = []
    said = {'look "inside" | a=b': "ok", "bulb": "dark"}
    while page.locator("#entry").is_visible():
        on_book = all(answer != "?" for _, answer in history)
        hint = BICYCLE.hint(history) if on_book else by_entropy(game, history)
        asked = page.eval_on_selector("#slots select", test)
        assert asked == hint.guess
        assert abs(float(watched.text("#expected")) - hint.entropy) < 0.0051
        row = game.row(game.parse_code(asked))
        own = [game.answers[number] for number in sorted({*row})]
        assert watched.texts("#feedback button") == [*own, "Don't know"]
        answer = said.get(asked, "don't know")
        page.locator("#feedback").get_by_text(re.compile(f"^{answer}$", re.IGNORECASE)).click()
        watched.settle()
        history.append((asked, answer if answer != "don't know" else "?"))
        assert f"{asked}: {answer}" in watched.text("#rows")
        assert page.evaluate("document.activeElement.matches('#feedback button, #new')")
    assert watched.text("#message") == (
        "Not known: no test is left. Chances: charge 72.7%, switch 18.2%, wire 9.1%. Possible: "
        "flat, switch, wire loose. The answers to these tests would tell more: spin the wheel, "
        "measure; 4½ V."
    )
    assert page.locator("#message.bad").count() == 1
    assert watched.text("#remaining") == "3"
    assert show(BICYCLE, "#" + page.url.partition("#")[2]).texts("#rows .unseen") == watched.texts(
        "#rows .unseen"
    )
    watched.click("#undo")
    assert watched.text("#message") == ""
    shown = page.locator("body").inner_text()
    assert not re.search(r"\b(guess(?!book)|secret|code|candidate)", shown, re.IGNORECASE)


def test_page_shows_the_cost_of_a_test_if_all_tests_cost_the_same(show: Show) -> None:
    game = gb.TableGame(["look"], ["x", "y"], ["12"], costs=[5])
    assert "From the book. Its cost is 5." in show(gb.build(game)).page.locator("body").inner_text()


def tab_to(page: Any, selector: str) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(f"document.activeElement.matches('{selector}')"):
            return
    raise AssertionError(f"Tab does not reach {selector}")


def test_page_gives_hints_for_codes_by_keyboard(show: Show) -> None:
    """The focus is never lost, and a screen reader announces the last guess."""
    book = gb.open("bulls-and-cows-4x10")
    watched = show(book)
    page = watched.page
    page.locator("#slots button").first.focus()
    history: History = []
    for guess in ("0123", "4567"):
        watched.press(guess)
        history.append((guess, str(book.game.feedback(guess, "5170"))))
        for kind, number in enumerate(history[-1][1].split(",")):
            tab_to(page, f"input[name=count-{kind}]")
            watched.press(number)
        page.keyboard.press("Enter")
        watched.settle()
        check_shown(watched, book, history)
        assert page.evaluate("document.activeElement !== document.body")
        assert f"{guess}: " in watched.text("#status")


def test_digits_choose_the_numbers_of_pegs_at_any_focus(show: Show) -> None:
    """The first digit is the number of black pegs; a third digit starts over."""
    watched = show(gb.open(CODES))
    chosen = watched.page.locator(".counts input:checked")
    values = "all => all.map((input) => input.value)"
    for digit, numbers in (("3", ["3"]), ("0", ["3", "0"]), ("1", ["1"]), ("2", ["1", "2"])):
        watched.press(digit)
        assert chosen.evaluate_all(values) == numbers
    watched.page.keyboard.press("Enter")
    watched.settle()
    assert watched.texts("#rows .unseen")[0].startswith("RYGB: 1 black, 2 white.")
    watched.press("11")
    assert chosen.evaluate_all(values) == ["1", "1"]


def test_typed_digits_are_read_as_symbols_if_symbols_are_digits(show: Show) -> None:
    watched = show(gb.build(gb.Mastermind(2, 3, symbols="123")))
    watched.press("0")
    assert watched.text("#message") == '"0" is not one of the symbols: 1, 2, 3.'
    assert watched.page.locator(".counts input:checked").count() == 0


def test_typed_name_of_a_colour_is_rejected(show: Show) -> None:
    watched = show(gb.open(CODES))
    watched.press("white")
    named = "R red, Y yellow, G green, B blue, O orange, P purple"
    assert watched.text("#message") == f'"e" is not one of the symbols: {named}.'
    watched.press("r")
    assert watched.text("#message") == ""


def test_marks_are_typed_after_a_word_without_moving_the_focus(show: Show) -> None:
    """The first Enter after a typed word asks for its marks, instead of adding it without them."""
    watched = show(book_of("words"))
    row = "#rows li:last-child .unseen"
    watched.press("crane01002")
    watched.page.keyboard.press("Enter")
    watched.settle()
    crane = "absent, present elsewhere, absent, absent, in place"
    assert watched.text(row).startswith(f"crane: {crane}.")
    watched.press("slate2")
    watched.press("least")
    watched.page.keyboard.press("Enter")
    assert len(watched.texts("#rows li")) == 1
    assert watched.text("#message").startswith("Mark the letters: 0 absent")
    watched.press("0002")
    watched.page.keyboard.press("Enter")
    watched.settle()
    least = "absent, absent, absent, in place, absent"
    assert watched.text(row).startswith(f"least: {least}.")


def test_play_mode_gives_correct_feedback_and_hints(show: Show) -> None:
    for name in (CODES, "words"):
        book = book_of(name)
        watched = show(book, first_secret=True)
        secret = book.game.secrets[0]
        watched.play()
        assert (watched.entry(), watched.text("#expected")) == ("", "–")
        assert watched.page.locator("#why").is_hidden()
        first = book.game.guesses[-1]
        watched.press(first)
        watched.page.keyboard.press("Enter")
        watched.settle()
        history = [(first, str(book.game.feedback(first, secret)))]
        while history[-1][0] != secret:
            watched.click("#ask")
            guess = check_shown(watched, book, history)
            watched.click("#submit")
            history.append((guess, str(book.game.feedback(guess, secret))))
        check_solved(watched, history)
    # A link with these feedbacks shows the same rows.
    link = "#" + "&".join(f"{code}={feedback}" for code, feedback in history)
    rows = "#rows .unseen"
    assert show(book, link).texts(rows) == watched.texts(rows)


@pytest.mark.slow
def test_play_mode_shows_the_secret_on_request(show: Show) -> None:
    for name in (CODES, "words", "table"):
        watched = show(book_of(name), first_secret=True)
        watched.play()
        watched.click("#reveal")
        assert watched.text("#message").startswith("The secret is ")
        assert book_of(name).game.secrets[0] in watched.text("#message").lower() + watched.text(
            "#message"
        )
        assert watched.page.locator("#submit").is_hidden()


def test_play_mode_gives_correct_answers_of_a_table(show: Show) -> None:
    book = book_of("mixed table")
    watched = show(book, first_secret=True)
    secret = book.game.secrets[0]
    watched.play()
    watched.page.click("#submit")
    assert "Choose a guess." in watched.text("#message")
    for guess in ("has a hat?", "Bob", secret):
        name = guess if guess in ("has a hat?", "Eva") else f"name: {guess}"
        watched.page.locator("#slots select").select_option(label=name)
        watched.click("#submit")
        said = "solved" if guess == secret else str(book.game.feedback(guess, secret))
        assert f"{name}: {said}" in watched.text("#rows")
    assert "Solved in 3" in watched.text("#message")


@pytest.mark.slow
def test_guess_of_a_large_table_is_typed_with_completion(show: Show) -> None:
    numbers = range(8)
    rows = [
        (f"is it below {n}, by {k}?", [s < n for s in numbers]) for n in numbers for k in range(40)
    ]
    guesses, answers = [row[0] for row in rows], [row[1] for row in rows]
    book = gb.build(gb.TableGame(guesses, numbers, answers, goal="name"))
    watched = show(book)
    page = watched.page
    box = page.get_by_label("Guess", exact=True)
    assert box.input_value() == book.root.guess
    box.fill("by 17")
    offered = page.eval_on_selector_all("#labels option", "list => list.map((o) => o.value)")
    assert offered == [f"is it below {n}, by 17?" for n in numbers]
    page.click("#submit")
    assert "Choose a guess." in watched.text("#message")
    for guess, answer in (("name: 7", "no"), ("is it below 4, by 9? ", "yes")):
        box.fill(guess)
        page.get_by_label("Answer", exact=True).select_option(label=answer)
        watched.click("#submit")
        assert f"{guess.strip()}: {answer}." in watched.text("#rows")
    assert watched.text("#remaining") == "4"


def test_words_are_entered_with_the_keys_of_the_page(show: Show) -> None:
    """In play mode, the page accepts only words of its list."""
    watched = show(book_of("words"))
    watched.play()
    for letter in "SLATT":
        watched.page.locator(f'#keys button[aria-label="{letter}"]').click()
    watched.page.click("#submit")
    assert watched.text("#message") == "This word is not one that the game accepts."
    watched.page.get_by_label("Erase").click()
    watched.page.locator('#keys button[aria-label="E"]').click()
    assert (watched.entry(), watched.text("#message")) == ("SLATE", "")
    assert watched.page.locator("#keys button", has_text="Q").is_enabled()


# Mistakes, and words that the page or the real game lacks


def test_contradiction_is_explained_and_can_be_corrected(show: Show) -> None:
    book = gb.open(CODES)
    watched = show(book, "#OPOP=0,0&RRRR=2,0&RRYY=0,0")
    assert watched.text("#message").startswith(
        "No secret fits these 3 feedbacks. Re-check guess 2 or guess 3: without it, the rest fits."
    )
    assert watched.page.locator("#rows .suspect").count() == 2
    change = watched.page.get_by_role("button", name="Change guess 2")
    change.click()
    watched.settle()
    watched.click("#undo")
    assert len(watched.texts("#rows li")) == 3
    change.click()
    watched.settle()
    assert watched.entry() == "RRRR"
    assert watched.text("#entry-name") == "Guess 2, to correct"
    assert watched.text("#task").startswith("Correct guess 2 or its feedback")
    assert watched.texts("#rows .number") == ["1", "3"]
    chosen = watched.page.locator(".counts input:checked")
    assert chosen.evaluate_all("all => all.map((input) => input.value)") == ["2", "0"]
    watched.enter_code("RRRR", "0,0")
    rest = book.hint([("OPOP", "0,0"), ("RRRR", "0,0"), ("RRYY", "0,0")])
    assert watched.text("#remaining") == str(rest.remaining)
    codes = [text.partition(":")[0] for text in watched.texts("#rows .unseen")]
    assert codes == ["OPOP", "RRRR", "RRYY"]
    for left in (2, 1, 0):
        watched.click("#undo")
        assert len(watched.texts("#rows li")) == left
    check_shown(watched, book, [])
    assert watched.page.locator("#undo").is_disabled()


def correct(watched: Watched, entry: str) -> None:
    """Click on the button that changes an entry, such as "guess 2"."""
    watched.page.get_by_role("button", name=f"Change {entry}").click()
    watched.settle()


def test_guess_can_be_corrected_if_the_remaining_guesses_end_the_game(
    show: Show, root: Path
) -> None:
    """Until the correction is made, the address keeps the old row."""
    watched = show(gb.open(CODES), "#RYGB=0,0&RRYY=4,0")
    correct(watched, "guess 1")
    assert (watched.entry(), watched.text("#message")) == ("RYGB", "")
    assert watched.page.locator("#review").is_hidden()
    assert watched.page.url.endswith("#RYGB=0,0&RRYY=4,0")
    watched.enter_code("RYGB", "1,1")
    assert "Solved in 2 guesses" in watched.text("#message")
    assert watched.page.url.endswith("#RYGB=1,1&RRYY=4,0")
    lamp = gb.build(gb.read_table(root / "examples" / "bicycle_lamp.csv"))
    link = "#shake%20the%20lamp=flickers&put%20in%20a%20new%20bulb=dark&press%20the%20bulb%20down="
    watched = show(lamp, link + "lights")
    correct(watched, "answer 2")
    assert watched.text("#message") == ""
    watched.page.locator("#feedback").get_by_text("lights", exact=True).click()
    watched.settle()
    assert watched.text("#message").startswith("Outcome: tighten the bulb.")


def test_correction_of_one_of_two_equal_guesses_can_be_undone(show: Show) -> None:
    watched = show(gb.open(CODES), "#RRRR=2,0&RRRR=2,0&RYGB=0,0")
    correct(watched, "guess 1")
    assert watched.texts("#rows .number") == ["2", "3"]
    assert watched.page.get_by_role("button", name="Change").count() == 0
    watched.click("#undo")
    assert watched.texts("#rows .number") == ["1", "2", "3"]


def test_contradiction_of_words_mentions_that_the_secret_may_be_unlisted(show: Show) -> None:
    unlisted = "the word may be one that this list does not have, or"
    for link, advice in (
        ("#slate=00000", "re-check guess 1. "),
        ("#slate=00000&crane=00000&eerie=00000", "more than one of them must be wrong."),
    ):
        said = show(book_of("words"), link).text("#message")
        assert said.partition("; ")[2].removesuffix("Change guess 1") == f"{unlisted} {advice}"


def test_page_rejects_impossible_feedback(show: Show) -> None:
    watched = show(gb.open(CODES))
    watched.page.click("#submit")
    assert "Choose how many black and white" in watched.text("#message")
    watched.enter_code("RYGB", "3,1")
    assert "a feedback that this game never gives" in watched.text("#message")
    assert watched.texts("#rows li") == []
    words = show(book_of("words"))
    words.enter_word(book_of("words").root.guess, "22221")
    assert "cannot be present elsewhere" in words.text("#message")


def test_page_accepts_words_outside_its_lists(show: Show) -> None:
    book = book_of("words")
    watched = show(book)
    history = [
        (guess, str(book.game.feedback(guess, "eerie"))) for guess in ("zzzzz", "crane", "slate")
    ]
    for entry in history:
        watched.enter_word(*entry)
    hint = book.hint(history)
    assert hint.source == "guesses"
    fits = "1 other guess does" if hint.remaining == 1 else f"{hint.remaining} other guesses do"
    assert (
        watched.text("#message")
        == f"No secret fits all answers, but {fits}; guesses are candidates now."
    )
    assert watched.entry().lower() == hint.guess
    hidden = show(watched.page.url + "&hints=off").text("#message")
    assert hidden == "No secret fits all answers, but other guesses do; guesses are candidates now."
    watched.enter_word("eerie", "22222")
    assert watched.text("#message").startswith("Solved in 4 guesses.")


def test_refused_words_are_left_out_of_later_hints(show: Show) -> None:
    book = book_of("words")
    watched, session = show(book), gb.Session(book)
    while session.remaining > 1:
        assert watched.entry().lower() == session.hint().guess
        assert watched.text("#remaining") == str(session.remaining)
        watched.click("#refuse")
        assert watched.text("#message") == f"{session.refuse().upper()} is left out from now on."
    assert watched.page.locator("#refuse").is_hidden()
    guess = session.hint().guess
    watched.enter_word(guess, str(book.game.feedback(guess, session.refused[-1])))
    assert "but what was left out" in watched.text("#message")
    watched.click("#new")
    assert watched.text("#remaining") == "1"
    again = show(watched.page.url)
    assert again.text("#remaining") == watched.text("#remaining")
    some = ", ".join(session.refused[:8]).upper()
    assert again.text("#refused-words").startswith(f"Left out: {some} and ")
    again.click("#allow")
    assert again.text("#remaining") == "16"
    assert again.page.url.endswith("page.html")


def test_page_reports_a_breach_of_hard_mode(show: Show) -> None:
    """In play mode, the page rejects the guess; otherwise it accepts it."""
    book = book_of("hard mode")
    watched = show(book, first_secret=True)
    watched.play()
    for word in ("least", "crane"):
        watched.enter_word(word)
    assert watched.text("#message") == "CRANE breaks hard mode: it needs the letter L."
    assert len(watched.texts("#rows li")) == 1
    hints = show(book)
    for word in ("least", "crane"):
        hints.enter_word(word, str(book.game.feedback(word, "slate")))
    assert hints.text("#message") == "CRANE breaks hard mode: it needs the letter L."
    assert len(hints.texts("#rows li")) == 2
    # Only earlier guesses count: TESLA comes before CRANE, whose feedback shows the third letter.
    corrected = show(book, "#tesla=00000&crane=00202")
    correct(corrected, "guess 1")
    corrected.enter_word("tesla", str(book.game.feedback("tesla", "slate")))
    assert corrected.text("#message") == ""


def test_page_names_the_policy_that_replaces_the_policy_of_the_book(show: Show) -> None:
    book = edited(gb.build(gb.Mastermind(3, 5)), policy={"name": "rollout", "base": "parts"})
    said = "Computed here by parts, instead of the book's rollout."
    assert said in show(book, "#YOG=1,0").text("#source")
    said = " It finds 67.19% within 3 guesses; outside the book this page plays by parts."
    assert show(book_of("win")).text("#about").endswith(said)


@pytest.mark.slow
def test_page_says_that_a_hint_is_too_much_to_compute(show: Show) -> None:
    """The limit is 1,000,000,000 pairs of a guess and a candidate."""
    words = ["".join(letters) for letters in product("abcdefghijklmnopqrst", repeat=4)]
    book = gb.build(gb.WordGame(words[:31_700]), "consistent")
    watched = show(book, "#zzzz=0000")
    assert "too much to compute here" in watched.text("#source")


def test_page_reports_a_secret_that_a_wrong_tree_misses(show: Show) -> None:
    true = gb.build(gb.Mastermind(2, 2))
    book = changed(true, guess={3: true.game.parse_code("YY")})
    watched = show(book, "#YR=2,0")
    assert "The book does not find it." in watched.text("#message")


# Candidates and reasons


@pytest.mark.slow
def test_page_lists_the_candidates(show: Show) -> None:
    book = gb.open(CODES)
    for history in ([("RYGB", "1,1")], [("RYGB", "1,1"), ("YYYY", "1,0")]):
        watched = show(book, "#" + "&".join(map("=".join, history)))
        watched.page.click("#list summary")
        fitting = [
            s
            for s in book.game.secrets
            if all(str(book.game.feedback(g, s)) == f for g, f in history)
        ]
        assert watched.texts("#candidates .unseen") == fitting[:30]
        assert watched.text("#more") == f"and {len(fitting) - 30} more"


REASONS = [
    (CODES, "RYGB=1,1"),
    (CODES, "POGB=1,1&RRRR=1,0"),
    ("hard mode", "crane=00002"),
    *(
        pytest.param(name, link, marks=pytest.mark.slow)
        for name, link in (
            (CODES, ""),
            (CODES, "RRYY=0,0"),
            ("without repeats", "012=1,0"),
            ("win", "RRY=1,0"),
            ("words", "crane=00002"),
            ("weighted words", ""),
            ("table", ""),
        )
    ),
]


@pytest.mark.parametrize(("name", "link"), REASONS)
def test_page_shows_the_best_guesses_of_explain(name: str, link: str, show: Show) -> None:
    book = book_of(name)
    watched = show(book, f"#{link}")
    watched.page.locator("#why summary").click()
    watched.settle()
    rows = watched.page.eval_on_selector_all(
        "#best-rows tr",
        """rows => rows.map((row) => [
            (row.querySelector("th .unseen") ?? row.querySelector("th").firstChild).textContent,
            ...[...row.querySelectorAll("td")].map((cell) => cell.textContent),
            row.className,
        ])""",
    )
    history = [tuple(entry.split("=")) for entry in link.split("&") if entry]
    session = gb.Session(book, history)
    suggested = next(row[0] for row in rows if row[-1] == "suggested")
    why = session.explain(suggested)
    wanted = [
        (o.guess, f"{o.cells:,}", f"{o.worst:,}", "yes" if o.candidate else "no")
        for o in why.alternatives
    ]
    found = [(row[0], row[2], row[3], row[4]) for row in rows]
    assert found[: len(wanted)] == wanted
    assert suggested == watched.text("#suggestion .unseen")


# Links


def test_link_restores_the_guesses_of_a_game(show: Show) -> None:
    book = gb.open(CODES)
    history = [("RYGB", "1,1"), ("YYYY", "1,0")]
    watched = show(book)
    page = watched.page
    for entry in history:
        watched.enter_code(*entry)
    assert page.url.endswith("#RYGB=1,1&YYYY=1,0")
    again = show(page.url.replace("#", "?class=4b#"))
    assert again.entry() == watched.entry()
    left = [f"{gb.Session(book, rows).remaining} left" for rows in (history[:1], history)]
    assert again.texts("#rows .left") == left
    again.click("#undo")
    assert again.page.url.endswith("?class=4b#RYGB=1,1")
    again.click("#new")
    assert again.page.url.endswith("page.html?class=4b")
    watched.play()
    assert page.url.endswith("#RYGB=1,1&YYYY=1,0")
    assert page.locator("#link").is_hidden()
    page.evaluate("location.hash = '#RGOP%3D0%2C2&'")  # as a messenger may write it
    page.wait_for_function("() => document.querySelectorAll('#rows li').length === 1")
    assert page.locator("#modes input").first.is_checked()
    assert page.url.endswith("#RGOP=0,2")


@pytest.mark.slow
def test_link_of_another_game_is_rejected(show: Show) -> None:
    """The address stays as it is until the first guess."""
    for link in ("RYGX=1,1", "RYGB", "%ff=1,1"):
        watched = show(gb.open(CODES), f"#{link}")
        assert watched.text("#message").startswith('This link does not fit this game: "')
        assert watched.texts("#rows li") == []
        assert watched.entry() == "RYGB"
        assert watched.page.url.endswith(f"#{link}")
        watched.enter_code("RYGB", "1,1")
        assert watched.page.url.endswith("#RYGB=1,1")


@pytest.mark.slow
def test_link_may_contain_any_words_and_labels(show: Show) -> None:
    words = show(book_of("words"), "#fuzzy=00000&crane=00002")
    assert words.text("#remaining") == f"{gb.Session(book_of('words'), ['crane=00002']).remaining}"
    table = gb.build(gb.TableGame(["a = b & c"], ["x", "y"], [["is 1=1", "no, #2"]]))
    watched = show(table, "#a%20%3D%20b%20%26%20c=no,%20%232")
    assert watched.text("#remaining") == "1"
    assert watched.page.url.endswith("#a%20%3D%20b%20%26%20c=no,%20%232")


# Accessibility

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


@pytest.mark.parametrize(
    "kind",
    [
        "words",
        "outcomes",
        *(pytest.param(k, marks=pytest.mark.slow) for k in ("many symbols", "digits")),
    ],
)
def test_page_is_accessible(kind: str, show: Show) -> None:
    """At 320 px, light or dark: controls have names, texts have contrast, nothing overflows."""
    games: dict[str, gb.Game] = {
        "words": gb.WordGame(["abcdefghijkl", "lkjihgfedcba"]),
        "outcomes": gb.TableGame(["look", "shake"], "abcd", [["ok", "ok", "off", "off"], "xyxy"]),
        "many symbols": gb.Mastermind(1, 36),
        "digits": gb.Mastermind(3, 5, repeats=False),
    }
    book = gb.build(games[kind])
    feedback = next(iter(book.root.children))
    for link in ("", f"#{book.root.guess}={feedback}"):
        watched = show(book, link, viewport={"width": 320, "height": 640}, reduced_motion="reduce")
        page = watched.page
        page.click("#list summary")
        page.click("#why summary")
        watched.settle()
        assert len(watched.texts("#rows li")) == bool(link)
        assert page.evaluate(UNNAMED) == []
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 320
        duration = "getComputedStyle(document.querySelector('#submit')).transitionDuration"
        assert page.evaluate(duration) == "0s"
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            ratios = page.evaluate(CONTRASTS)
            assert len(ratios) > 10
            assert [pair for pair in ratios if pair[0] < 4.5] == []
    if kind == "words":
        page.goto(page.url.partition("#")[0] + "#abcdefghijkl=222222222222")
        page.click("#review summary")
        page.locator("#turns td").first.wait_for()
        assert page.evaluate(UNNAMED) == []
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 320


def test_focus_is_visible_and_moves_down_the_page(show: Show) -> None:
    page = show(gb.open(CODES)).page
    places = []
    for _ in range(30):
        page.keyboard.press("Tab")
        place = page.evaluate(
            """() => {
                const e = document.activeElement;
                const shown = e.matches("input") ? e.nextElementSibling : e;
                const style = getComputedStyle(shown);
                const outline = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
                const box = shown.getBoundingClientRect();
                return e === document.body ? null : [outline, box.top + scrollY];
            }"""
        )
        if place is None:
            break
        places.append(place)
    assert len(places) >= 15
    assert all(outline for outline, _ in places)
    assert all(later > earlier - 20 for (_, earlier), (_, later) in pairwise(places))


def test_names_and_colours_of_pegs_are_shown(show: Show) -> None:
    game = gb.Mastermind(2, 3, symbols="RBS", names=["red", "blue", "star"])
    book = gb.build(game)
    watched = show(book)
    assert watched.text("#keys .names") == "R red, B blue, S star"
    keys = watched.page.locator("#keys button.peg")
    painted = keys.evaluate_all("all => all.map((key) => getComputedStyle(key).backgroundColor)")
    drawn = re.findall(r'id="peg-\d+"><circle r=".92" fill="#(\w+)"', book.export("svg"))
    assert painted == [f"rgb({int(c[:2], 16)}, {int(c[2:4], 16)}, {int(c[4:], 16)})" for c in drawn]
    assert keys.nth(2).get_attribute("aria-label") == "S star"
    watched.page.locator("#slots button").first.focus()
    watched.press("sb")
    assert watched.entry() == "SB"


def test_page_shows_hostile_symbols_and_policies_as_text(show: Show) -> None:
    book = book_of("hostile")
    watched = show(book)
    assert watched.entry() == book.root.guess
    assert watched.page.locator("#about *").count() == 0
    assert "<img src=x" in watched.text("#about")
    assert watched.page.locator("#keys button").count() == book.game.colors + 1  # type: ignore[attr-defined]
    weighted = book_of("weighted words")
    mean = f"{weighted.stats.mean_guesses:.3f} guesses on average by weight"
    assert mean in show(weighted).text("#about")


def test_new_game_cancels_a_long_computation(show: Show) -> None:
    watched = show(gb.open("mastermind-5x8"))
    page = watched.page
    slow = page.context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 20})
    page.evaluate("location.hash = '#RYGBO=0,2'")
    page.wait_for_function("() => !document.querySelector('#progress').hidden")
    page.click("#new")
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    watched.settle()
    assert watched.text("#remaining") == "32,768"
    assert watched.texts("#rows li") == []


def test_page_without_webassembly_says_what_is_missing(show: Show) -> None:
    """Hints from the book still work."""
    lost = "This browser cannot compute guesses, because it does not run WebAssembly"
    for name, guess, feedback in ((CODES, "OOPP", "0,1"), ("words", "zzzzz", "00000")):
        book = book_of(name)
        watched = show(book, lacking="WebAssembly")
        first = check_shown(watched, book, [])
        known = next(iter(book.root.children))
        on_book = watched.hint([(first, str(known))])
        assert on_book["guess"] == book.hint([(first, str(known))]).guess
        watched = show(book, f"#{guess}={feedback}", lacking="WebAssembly")
        assert lost in watched.text("#source")
        watched.click("#undo")
        check_shown(watched, book, [])
        watched.page.locator("#why summary").click()
        watched.settle()
        assert lost in watched.text("#why-text")


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("words", 1),
        *(pytest.param(*row, marks=pytest.mark.slow) for row in ((CODES, 16), ("table", 1))),
    ],
)
def test_booklet_is_printed_on_few_pages_of_a4(
    name: str, most: int, browser: Any, tmp_path: Any
) -> None:
    path = tmp_path / "booklet.html"
    path.write_text(book_of(name).export("booklet"), "utf-8")
    page = browser.new_page()
    noted: list[str] = []
    page.on("request", lambda request: noted.append(request.url))
    page.on("console", lambda message: noted.append(message.text))
    page.goto(path.as_uri())
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    printed = page.pdf(prefer_css_page_size=True)
    page.close()
    assert noted == [path.as_uri()]
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) <= most
    assert re.search(rb"/MediaBox\s*\[0 0 59[45][.\d]* 84[12][.\d]*\]", printed)


def test_link_can_hide_hints_until_a_button_shows_them(show: Show) -> None:
    book = gb.open(CODES)
    watched = show(book, "#RYGB=1,1&hints=off")
    assert watched.page.locator("#known").is_hidden()
    assert watched.text("#rows li .unseen") == "RYGB: 1 black, 1 white. "
    assert watched.text("#rows .left") == ""
    assert "suggested" not in watched.text("#task")
    assert watched.entry() == ""
    watched.enter_code("RGOP", "0,2")
    assert watched.page.url.endswith("#RYGB=1,1&RGOP=0,2&hints=off")
    watched.click("#show")
    check_shown(watched, book, [("RYGB", "1,1"), ("RGOP", "0,2")])
    assert watched.page.url.endswith("#RYGB=1,1&RGOP=0,2")


@pytest.mark.parametrize(
    "link",
    [
        "#RYGB=1,1&amp;hints=off",
        *(
            pytest.param(link, marks=pytest.mark.slow)
            for link in ("#hint=OFF", "#Hints=Off&RYGX=1,1")
        ),
    ],
)
def test_hints_stay_hidden_if_a_link_has_mistakes(link: str, show: Show) -> None:
    watched = show(gb.open(CODES), link)
    assert watched.page.locator("#known").is_hidden()
    assert watched.entry() == ""
    assert ("does not fit" in watched.text("#message")) == ("X" in link)
    assert len(watched.texts("#rows li")) == ("B" in link)


def test_play_mode_continues_after_the_guesses_of_a_link(show: Show) -> None:
    """The page draws a secret that fits these guesses."""
    book = gb.open(CODES)
    watched = show(book, "#RYGB=1,1&RGOP=0,2")
    watched.play()
    assert "4 pegs of 6 colours, which may repeat" in watched.text("#task")
    assert len(watched.texts("#rows li")) == 2
    watched.click("#reveal")
    secret = watched.text("#message .unseen")
    assert [str(book.game.feedback(guess, secret)) for guess in ("RYGB", "RGOP")] == ["1,1", "0,2"]
    watched.click("#new")
    assert watched.texts("#rows li") == []


def test_play_mode_ends_after_the_guesses_that_the_game_allows(show: Show) -> None:
    watched = show(book_of("words"), first_secret=True)
    watched.play()
    for number in range(1, 7):
        assert watched.text("#entry-name") == f"Guess {number} of 6"
        watched.enter_word("eerie")
    secret = book_of("words").game.secrets[0]
    assert watched.text("#message").startswith(f"No guesses are left. The secret is {secret}")
    assert watched.page.locator("#entry").is_hidden()
    assert watched.text("#entry-name") == "Guess 6 of 6"
    watched.page.click("#review summary")
    watched.page.locator("#turns td").first.wait_for()
    assert watched.text("#share").startswith("Wordle X/6")
    watched.click("#new")
    assert watched.text("#entry-name") == "Guess 1 of 6"


def test_hint_mode_and_play_mode_keep_their_own_games(show: Show) -> None:
    """A game in play mode without guesses of its own starts over, from the guesses of hint mode."""
    book = gb.open(CODES)
    watched = show(book, "#RYGB=1,1&hints=off", first_secret=True)
    hints = watched.page.get_by_text("Get hints", exact=True)
    watched.play()
    hints.click()
    watched.settle()
    watched.enter_code("RGOP", "0,2")
    watched.play()
    assert len(watched.texts("#rows li")) == 2
    watched.press("YYYY")
    watched.click("#submit")
    played = watched.texts("#rows .unseen")
    assert len(played) == 3
    assert watched.page.url.endswith("#RYGB=1,1&RGOP=0,2&hints=off")
    hints.click()
    watched.settle()
    assert len(watched.texts("#rows li")) == 2
    watched.play()
    assert watched.texts("#rows .unseen") == played
    watched.click("#reveal")
    said = watched.text("#message")
    hints.click()
    watched.play()
    assert watched.text("#message") == said
    assert len(show(watched.page.url).texts("#rows li")) == 2


@pytest.mark.parametrize("name", [CODES, "words", "weighted words", "mixed table"])
def test_page_has_the_review_and_shared_text_of_a_session(name: str, show: Show) -> None:
    book = book_of(name)
    game, secret = book.game, book.game.secrets[3]
    guesses = [*game.guesses[:2], book.root.guess, secret]
    history = [(g, str(game.feedback(g, secret))) for g in dict.fromkeys(guesses)]
    watched = show(book, "#" + "&".join(f"{quote(g)}={quote(f)}" for g, f in history))
    watched.page.click("#review summary")
    watched.page.locator("#turns td").first.wait_for()
    session = gb.Session(book, history)
    review = session.review()
    assert watched.texts("#turn-rows tr") == [
        f"{turn.guess}{turn.remaining:,}{turn.skill}{turn.luck}{turn.best}" for turn in review.turns
    ]
    assert f"Skill {review.skill}, luck {review.luck}, " in watched.text("#review-text")
    assert watched.text("#share") == session.share()


def test_title_of_the_page_is_given_or_follows_from_the_game() -> None:
    for game, title in (
        (gb.Mastermind(4, 6), "Mastermind, 4 pegs, 6 colours"),
        (gb.Mastermind(3, 10, repeats=False), "Bulls and Cows, 3 places, 10 symbols"),
        (book_of("weighted words").game, "Wordle"),
        (book_of("letters").game, "Words of 4 letters"),
        (next(p for p in gb.presets() if p.name == "coins").game(), "Coins"),
        (book_of("table").game, "Which of 5 secrets?"),
        (BICYCLE.game, "Which of 5 outcomes?"),
    ):
        page = gb.build(game).export("html")
        assert f"<title>{title} - Guessbook</title>" in page
        assert f'<p id="game">{title}</p>' in page
    assert '<p id="game">My &lt;lamp&gt;</p>' in BICYCLE.export("html", title="My <lamp>")

"""The exported page: what it may do, and that it answers as the lookup does."""

from __future__ import annotations

import hashlib
import random
import re
from base64 import b64decode, b64encode
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.book import Mastermind, WordGame
from guessbook.book.errors import InconsistentFeedbackError
from guessbook.book.tree import Columns, Tree
from guessbook.builder import build_strategy
from guessbook.export import FORMATS, export
from guessbook.export.page import SCRIPTS, STYLES, data, source
from guessbook.lookup import Book, open_book
from guessbook.lookup.hint import hint, hint_for
from guessbook.policy.one_step import POLICIES, integer_logs
from tests.helpers.browser import WORDS, Asked, Watched, browser, enter_codes, show, word_book
from tests.helpers.plain import entries, paths, plain_book
from tests.helpers.samples import every_nth

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["browser", "show"]  # the fixtures

HOSTILE = Mastermind(2, 6, symbols="<>&\"'🐄")


@pytest.fixture(scope="module")
def asked(browser: Any) -> Asked:
    """The page's functions without the page."""
    return Asked(browser)


def agrees(page: dict[str, Any], expected: Any) -> bool:
    """Whether a hint of the page is a hint of the lookup."""
    return [
        page["guess"],
        page["source"],
        page["remaining"],
        page["candidate"],
        page["solved"],
    ] == [
        expected.guess,
        expected.source,
        expected.remaining,
        expected.candidate,
        expected.solved,
    ] and abs(page["entropy"] - expected.entropy) < 1e-9


# What the file is.


def test_the_page_allows_its_own_script_and_style_and_nothing_else() -> None:
    """The policy forbids everything but the one script and the one style, by their hashes."""
    text = export(open_book(), "html")
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    (style,) = re.findall("<style>(.*?)</style>", text, re.DOTALL)
    (script,) = re.findall('<script type="module">(.*?)</script>', text, re.DOTALL)

    def name(part: str) -> str:
        return "'sha256-" + b64encode(hashlib.sha256(part.encode()).digest()).decode() + "'"

    assert policy.split("; ") == [
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "img-src data:",
        f"script-src {name(script)}",
        f"style-src {name(style)}",
    ]
    assert not re.search(r"""\bon\w+=["']|style=["']|javascript:|<link rel="style""", text)
    assert not re.search('(src|href)=(?!"data:)', text)
    assert "innerHTML" not in script
    assert "eval" not in script.replace("evaluate", "")


def test_the_page_is_the_same_for_the_same_book() -> None:
    """Two exports are equal: neither times nor random numbers are in the file."""
    assert export(open_book(), "html") == export(open_book(), "html")
    assert FORMATS["html"].suffix == ".html"


def test_what_a_book_says_is_never_markup() -> None:
    """Symbols, words and the policy stand in the page only as base64."""
    base = plain_book(HOSTILE)
    book = Book(HOSTILE, {"name": "<img src=x onerror=alert(1)>", "note": "</script>"}, base.tree)
    text = export(book, "html")
    assert "<img" not in text
    assert text.count("</script>") == 2
    (data,) = re.findall('id="book">([^<]*)<', text)
    assert b64encode(b64decode(data, validate=True)).decode() == data


@pytest.mark.parametrize("name", [*SCRIPTS, *STYLES, "page.html"])
def test_files_of_the_page(name: str) -> None:
    """Each file has at most 400 lines, and cannot end the element that holds it."""
    text = source(name)
    assert len(text.splitlines()) <= 400
    assert name == "page.html" or not re.search("</s|<!--", text)


# What it answers.


def check_nodes(hints: Callable[..., list[dict[str, Any]]], book: Book) -> None:
    """Compare all nodes of a book, each with its history in reverse order."""
    game = book.game
    histories = [entries(game, path)[::-1] for path in paths(book)]
    assert len(histories) == len(book.tree)
    for history, found in zip(histories, hints(histories), strict=True):
        assert agrees(found, hint(book, history)), history


@pytest.mark.parametrize(("pegs", "colors"), [(3, 1), (2, 2), (5, 2), (4, 3)])
def test_the_page_knows_the_feedbacks_of_a_game(asked: Asked, pegs: int, colors: int) -> None:
    """Numbers of black and white pegs that no code gives are none to the page, either."""
    game = Mastermind(pegs, colors)
    pairs = [(b, w) for b in range(pegs + 1) for w in range(pegs + 1 - b)]
    given = asked.page.evaluate(
        "async ([data, all]) => { const { game } = await asked.unpack(data); "
        "return all.map((pegs) => game.gives(...pegs)); }",
        [data(open_book(build_strategy(game))), pairs],
    )
    assert given == [game.gives(game.number(*pegs)) for pegs in pairs]


def test_every_node_of_4x6(show: Callable[..., Watched]) -> None:
    """The page gives the lookup's hint for every history of the shipped 4x6 book."""
    book = open_book("mastermind-4x6")
    check_nodes(show(book).hints, book)


def test_every_node_of_a_word_book(show: Callable[..., Watched]) -> None:
    """The page gives the lookup's hint for every history of a book of words."""
    check_nodes(show(word_book()).hints, word_book())


def test_every_node_of_small_books(asked: Asked, small_books: dict[str, Book]) -> None:
    """The same for games of one peg, without repeats, with own symbols, with many guesses."""
    for book in small_books.values():
        check_nodes(partial(asked.hints, book), book)


def drawn_histories(draw: random.Random, book: Book, number: int) -> list[list[tuple[str, str]]]:
    """Off-book histories of one to three random guesses, with the feedback of some secret."""
    game = book.game
    histories: list[list[tuple[str, str]]] = []
    while len(histories) < number:
        secret = draw.choice(game.secrets)
        guesses = draw.sample(game.guesses, draw.randint(1, 3))
        pairs = [(g, str(game.feedback(g, secret))) for g in guesses]
        if secret not in guesses and book.get(pairs) is None:
            histories.append(pairs)
    return histories


def check_live(asked: Asked, book: Book, number: int) -> None:
    """Compare live hints for random histories with those of Python without a book."""
    histories = drawn_histories(random.Random(6), book, number)
    for history, found in zip(histories, asked.hints(book, histories), strict=True):
        assert agrees(found, hint_for(book.game, book.policy, history)), history


@pytest.mark.parametrize("policy", every_nth(3, POLICIES))
def test_live_hints_of_codes(asked: Asked, policy: str) -> None:
    """Off-book the page computes what Python computes live, whatever the policy."""
    for game in (Mastermind(3, 5), Mastermind(3, 6, repeats=False), Mastermind(2, 13)):
        tree = plain_book(game).tree
        for options in ({}, {"consistent_only": True}):
            check_live(asked, Book(game, {"name": policy, **options}, tree), 12)


@pytest.mark.parametrize(("name", "number"), [("mastermind-4x6", 8), ("bulls-and-cows-4x10", 4)])
def test_live_hints_of_shipped_books(asked: Asked, name: str, number: int) -> None:
    """The same for games of 1,296 and 5,040 codes."""
    check_live(asked, open_book(name), number)


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", ["mastermind-4x6", "bulls-and-cows-4x10", "mastermind-5x8"])
def test_many_live_hints(asked: Asked, name: str, policy: str) -> None:
    """The same for more histories, and for 32,768 codes, whose scores exceed 2**53."""
    book = open_book(name)
    check_live(asked, Book(book.game, {"name": policy}, book.tree), 10)


@pytest.mark.parametrize(
    ("scoring", "option"),
    [
        ("standard", ""),
        ("standard", "consistent_only"),
        ("standard", "hard_mode"),
        ("loose", ""),
        ("loose", "consistent_only"),
    ],
)
def test_live_hints_of_words(asked: Asked, scoring: str, option: str) -> None:
    """The same for words, with both rules of scoring, limited or not."""
    game = WordGame(WORDS[:16], WORDS, scoring)
    policy = {"name": "expected", **({option: True} if option else {})}
    check_live(asked, Book(game, policy, plain_book(game).tree), 20)


def test_live_hints_that_repeat_or_contradict(asked: Asked) -> None:
    """Repeated entries count once; where no secret fits, the suspects are the lookup's."""
    book = open_book()
    first, second, third = ("OPOP", "0,0"), ("RRRR", "2,0"), ("RRYY", "0,0")
    once, twice, none, both, solved = asked.hints(
        book,
        [
            [third],
            [third, third],
            [first, second, third],
            [second, ("RRRR", "1,0")],
            [("OOPP", "1,1"), ("BPGP", "4,0")],
        ],
    )
    assert once == twice
    assert none["guess"] is None
    with pytest.raises(InconsistentFeedbackError) as error:
        hint(book, [first, second, third])
    assert error.value.suspects == (1, 2)
    assert none["suspects"] == [list(second), list(third)]
    assert both["suspects"] == [list(second), ["RRRR", "1,0"]]
    assert agrees(solved, hint(book, [("OOPP", "1,1"), ("BPGP", "4,0")]))


@pytest.mark.parametrize(
    ("code", "feedback"),
    [
        *(("RYG", "1,1"), ("RYGX", "1,1"), ("", "1,1"), ("RYGB", "3,1"), ("RYGB", "5,0")),
        *(("RYGB", "1"), ("RYGB", "1,x"), ("RYGB", "1,1,2"), ("RYGB", "-1,1"), ("RYGB", "")),
        *(
            ("crypts", "00000"),
            ("кошка", "00000"),
            ("slate", "0000"),
            ("slate", "00003"),
            ("slate", "22221"),
        ),
    ],
)
def test_what_the_game_does_not_know_is_an_error(asked: Asked, code: str, feedback: str) -> None:
    """A script that asks with a code or a feedback of no meaning gets an error, not a hint."""
    book = word_book() if code.islower() else open_book()
    with pytest.raises(Exception, match=r"RangeError: found (code|feedback) .*, expected"):
        asked.hints(book, [[(code, feedback)]])


def test_policies_that_the_page_does_not_compute(
    show: Callable[..., Watched], asked: Asked
) -> None:
    """Off-book it takes the policy's base, or entropy, and says so."""
    game = Mastermind(3, 5)
    tree = plain_book(game).tree
    history = [("YOG", "1,0")]
    policy: dict[str, Any]
    for policy, base in (
        ({"name": "lookahead", "depth": 2, "width": 5}, "entropy-corrected"),
        ({"name": "consistent", "random_seed": 1}, "entropy"),
        ({"name": "of a later version"}, "entropy"),
        ({"name": "rollout", "base": "parts", "width": 5}, "parts"),
    ):
        book = Book(game, policy, tree)
        (found,) = asked.hints(book, [history])
        assert agrees(found, hint_for(game, base, history))
    watched = show(book)
    enter_codes(watched, "YOG", "1,0")
    assert "Computed here by parts, instead of the book's rollout." in watched.text("#source")


def test_a_page_of_win_walks_the_tree(show: Callable[..., Watched], asked: Asked) -> None:
    """On the book it guesses as that does; it says what that finds, and that it plays the base."""
    book = open_book(build_strategy(Mastermind(3, 4), "win:within=3,base=parts"))
    on, off = [(book.root.guess, "1,1")], [("RRR", "1,0")]
    found = asked.hints(book, [on, off])
    assert agrees(found[0], hint(book, on))
    assert agrees(found[1], hint_for(book.game, "parts", off))
    watched = show(book)
    said = " It finds 67.19 % within 3 guesses; off the book this page plays by parts."
    assert watched.text("#about").endswith(said)
    enter_codes(watched, *off[0])
    assert "Computed here by parts, instead of the book's win." in watched.text("#source")


def test_games_too_large_to_look_through(show: Callable[..., Watched], asked: Asked) -> None:
    """Off-book in a game of 16,777,216 codes the page says that this is too much, and why."""
    game = Mastermind(12, 4)
    tree = Tree(Columns([5], [0], [0], [1]), len(game.guesses), game.feedbacks)
    book = Book(game, {"name": "entropy"}, tree)
    (found,) = asked.hints(book, [[("R" * 12, "3,0")]])
    assert (found["guess"], found["remaining"], found["source"]) == (None, None, "live")
    watched = show(book)
    enter_codes(watched, "R" * 12, "3,0")
    assert "this game has too many codes to look through" in watched.text("#source")


def test_integer_logarithms(show: Callable[..., Watched]) -> None:
    """The page's logarithms are Python's up to 33,000: no score depends on a browser."""
    page = show(plain_book(Mastermind(1, 2))).page
    given = page.evaluate("guessbook.then((g) => g.integerLogs(33000).map(String))")
    assert list(map(int, given[:33001])) == integer_logs(33000).tolist()

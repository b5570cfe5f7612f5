"""Irving's notation: books written like published trees, published trees read as books."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind, UsageError, WordGame
from guessbook.book import shipped_books as shipped
from guessbook.book.imported import strategy_of
from guessbook.book.irving import alphabet, cell_order
from guessbook.export import export
from guessbook.lookup import open_book
from guessbook.play.proof import prove
from tests.helpers.content import columns
from tests.helpers.irving import SMALL, minimax, same, text_of
from tests.helpers.plain import grow, plain_book

if TYPE_CHECKING:
    from guessbook.book.games.game import History

# Books as texts, and back.


def test_the_text_of_a_small_book() -> None:
    """The layout is that of the literature: groups by blacks, whites descending, solved last."""
    assert text_of(plain_book(Mastermind(2, 3))) == SMALL
    assert text_of(plain_book(Mastermind(1, 1))) == "1 (1)\n\n"
    text = text_of(open_book("mastermind-4x6"))
    # 14 or more candidates stand under a label, and more than two guesses deep.
    assert text.startswith("1296 (1234: 9 (2311: 0, 2 (3142), 0, 0, 0; 0, 3 (3412), 0, 0; 0, 3 ")
    assert re.findall(r"^[A-Z]+ =", text, re.MULTILINE) == [f"{c} =" for c in "ABCDEFGHIJ"]
    # A guess that tells all candidates apart, and is none of them.
    assert "4 (2352*)" in text


def test_the_order_of_the_cells() -> None:
    """Every feedback has one place, but for the impossible one; the numbers of pegs are right."""
    assert cell_order(1) == [(0, 0), (1, 0)]
    for pegs in range(1, 16):
        order = cell_order(pegs)
        assert len(set(order)) == len(order) == (pegs + 1) * (pegs + 2) // 2 - 1
        assert order == sorted(order, key=lambda pair: (pair[0], -pair[1]))
        assert (pegs - 1, 1) not in order


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name == "mastermind-5x8" else [])
        for name in shipped()
    ],
)
def test_shipped_books_come_back(name: str) -> None:
    """A shipped book, written and read again, has the same game and the same tree."""
    book = open_book(name)
    assert isinstance(book.game, Mastermind)
    assert same(book, strategy_of(export(book, "irving"), book.game.symbols))


SYMBOLS = st.sampled_from([None, "(:;*", "4321", "axby", "1A2B"])
GAMES = st.one_of(
    st.builds(Mastermind, st.integers(1, 3), st.integers(1, 3)),
    st.builds(Mastermind, st.integers(1, 3), st.just(4), st.booleans(), SYMBOLS),
    st.builds(Mastermind, st.just(2), st.just(11), st.just(False)),
    st.builds(Mastermind, st.just(1), st.integers(5, 36)),
)


@given(GAMES, st.randoms(use_true_random=False))
def test_random_trees_come_back(game: Mastermind, random: Random) -> None:
    """A tree of any guesses that tell something comes back from its text, whatever the symbols."""

    def choose(_: History, candidates: list[str]) -> int:
        for _try in range(10):
            guess = random.randrange(len(game.guesses))
            cells = {game.feedback_number(game.guesses[guess], secret) for secret in candidates}
            if len(cells) > 1:
                return guess
        return game.guesses.index(random.choice(candidates))

    book = grow(game, game, "entropy", choose)
    again = strategy_of(text_of(book), game.symbols)
    assert columns(again) == columns(book)
    # With one peg nothing can repeat, and nobody can tell whether it may.
    assert again.game == book.game or game.pegs == 1
    assert text_of(again) == text_of(book)
    assert same(open_book(again.to_bytes()), again)


def test_words_are_refused() -> None:
    """A book of words has no pegs to list its cells by, and the message says so."""
    book = plain_book(WordGame(["crane", "slate", "trace"]))
    with pytest.raises(UsageError, match="expected a book of a code game"):
        export(book, "irving")


# Published trees, as they are printed.


def test_knuths_result_from_a_text() -> None:
    """Read from its text, minimax needs what Knuth 1976 published: five guesses at worst."""
    book = strategy_of(text_of(minimax()))
    assert same(book, minimax())
    assert (book.root.guess, book.stats.max_guesses) == ("1122", 5)
    assert book.stats.total_guesses == 5801
    assert all(check.passed for check in prove(book))


def test_what_is_obvious_may_be_left_out() -> None:
    """Where the text names no guess for two candidates the lower is guessed, as in Knuth 1976."""
    text = text_of(minimax())
    shorter, left_out = re.subn(r"\b2 \([1-6]{4}\)", "2", text)
    assert left_out > 100
    assert same(strategy_of(shorter), minimax())
    # So do two candidates of a cell below a guess that says no more.
    cells, told = re.subn(r"\(([1-6]{4}):[ 0-2,;]*\)", r"(\1x)", shorter)
    assert told >= 20
    assert same(strategy_of(cells), minimax())


def test_layout_does_not_matter() -> None:
    """Blanks, line ends, comments, marks and the impossible cell of Knuth 1976 change nothing."""
    wanted = strategy_of(SMALL)
    for text in (
        "9(12:1,2,1;4(13);1)",
        "# Two pegs.\r\n9\n(12x:1,2 (23x) ,\t1 ;4 (13 *);1)  # the end",
        "9 (12: 1, 2 (23), 1; 0, 4 (13); 1)",
        "9 (12: 1, 2A, 1; 4 few; 1)\nfew = (13)\nA = (23)",
    ):
        assert same(strategy_of(text), wanted), text


@pytest.mark.parametrize(
    ("letters", "symbols", "wanted"),
    [
        ("123", None, "123"),
        ("012", None, "012"),
        ("RYG", None, "RYG"),
        ("ABC", None, "ABC"),
        ("abc", None, "abc"),
        ("123", "RYG", "RYG"),
        ("ABC", "RYG", "RYG"),
        ("231", "231", "231"),
        ("zoe", "zoe", "zoe"),
    ],
)
def test_symbols(letters: str, symbols: str | None, wanted: str) -> None:
    """Digits and letters are understood; `symbols` names others, or what they become."""
    marks = str.maketrans("123", letters)
    text = re.sub(r"\(\d\d", lambda code: code[0].translate(marks), SMALL)
    book = strategy_of(text, symbols)
    assert isinstance(book.game, Mastermind)
    assert book.game.symbols == wanted
    assert columns(book) == columns(strategy_of(SMALL))


def test_symbols_of_ten_and_more() -> None:
    """Nine colors are 1 to 9; from ten on there is a 0, and it comes first."""
    assert [alphabet(n) for n in (1, 9, 10, 11)] == ["1", "123456789", "0123456789", "0123456789A"]
    with pytest.raises(UsageError, match="give all symbols in their order"):
        strategy_of("9 (KQ: 1, 2, 1; 4 (KP); 1)")
    for symbols in ("12", "1123", "1234"):
        with pytest.raises(UsageError, match="a text of 3 different characters"):
            strategy_of(SMALL, symbols)

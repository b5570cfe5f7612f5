"""Irving's notation: books written like published trees, published trees read as books."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guessbook.book import Book, InvalidBookError, Mastermind, UsageError, WordGame, open_book
from guessbook.book import shipped_books as shipped
from guessbook.book.compression import decompress
from guessbook.book.errors import GuessbookError
from guessbook.book.irving import MAX_NESTING, alphabet, cell_order
from guessbook.builder import published
from guessbook.builder.build import build_book
from guessbook.builder.policy import policy_of
from guessbook.builder.published import book_of
from guessbook.lookup import Session
from guessbook.lookup.export import export
from guessbook.lookup.proof import prove
from tests.command import KEYS, START, Run, complaint
from tests.plain import grow, plain_book

if TYPE_CHECKING:
    from pathlib import Path

    from guessbook.book.game import History
    from guessbook.book.tree import Tree

# Two pegs and three colors, as Guessbook writes it.
SMALL = "9 (12: 1, 2 (23), 1; 4 (13); 1)\n\n"


def columns(tree: Tree) -> list[list[int]]:
    """The columns of a tree, to compare."""
    return [list(c) for c in (tree.guess, tree.feedback, tree.children, tree.candidates)]


def same(first: Book, second: Book) -> bool:
    """Whether two books have the same game and the same tree."""
    return first.game == second.game and columns(first.tree) == columns(second.tree)


def text_of(book: Book) -> str:
    """A book in Irving's notation."""
    return export(book, "irving")


@cache
def minimax() -> Book:
    """The book of 4 pegs and 6 colors by minimax, in the symbols 1 to 6."""
    return build_book(Mastermind(4, 6, symbols="123456"), "minimax")


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


@pytest.mark.parametrize("name", shipped())
def test_shipped_books_come_back(name: str) -> None:
    """A shipped book, written and read again, has the same game and the same tree."""
    book = open_book(name)
    assert isinstance(book.game, Mastermind)
    assert same(book, book_of(export(book, "irving"), book.game.symbols))


SYMBOLS = st.sampled_from([None, "(:;*", "4321", "axby", "1A2B"])
GAMES = st.one_of(
    st.builds(Mastermind, st.integers(1, 3), st.integers(1, 3)),
    st.builds(Mastermind, st.integers(1, 3), st.just(4), st.booleans(), SYMBOLS),
    st.builds(Mastermind, st.just(2), st.just(11), st.just(False)),
    st.builds(Mastermind, st.just(1), st.integers(5, 36)),
)


@settings(max_examples=40, deadline=None)
@given(GAMES, st.randoms(use_true_random=False))
def test_random_trees_come_back(game: Mastermind, random: Random) -> None:
    """A tree of any guesses that tell something comes back from its text, whatever the symbols."""

    def choose(_: History, candidates: list[str]) -> int:
        for _try in range(10):
            guess = random.randrange(len(game.guesses))
            cells = {game.feedback(game.guesses[guess], secret) for secret in candidates}
            if len(cells) > 1:
                return guess
        return game.guesses.index(random.choice(candidates))

    book = grow(game, game, "entropy", choose)
    again = book_of(text_of(book), game.symbols)
    assert columns(again.tree) == columns(book.tree)
    # With one peg nothing can repeat, and nobody can tell whether it may.
    assert again.game == book.game or game.pegs == 1
    assert text_of(again) == text_of(book)
    assert same(open_book(again.to_bytes()), again)


def test_words_are_refused() -> None:
    """A book of words has no pegs to list its cells by, and the message says so."""
    book = plain_book(WordGame(["crane", "slate", "trace"]))
    with pytest.raises(UsageError, match="expected one of codes"):
        export(book, "irving")


# Published trees, as they are printed.


def test_knuths_result_from_a_text() -> None:
    """Read from its text, minimax needs what Knuth 1976 published: five guesses at worst."""
    book = book_of(text_of(minimax()))
    assert same(book, minimax())
    assert (book.root.guess, book.metadata.max_guesses) == ("1122", 5)
    assert book.metadata.total_guesses == 5801
    assert all(check.passed for check in prove(book))


def test_what_is_obvious_may_be_left_out() -> None:
    """Where the text names no guess for two candidates the lower is guessed, as in Knuth 1976."""
    text = text_of(minimax())
    shorter, left_out = re.subn(r"\b2 \([1-6]{4}\)", "2", text)
    assert left_out > 100
    assert same(book_of(shorter), minimax())
    # So do two candidates of a cell below a guess that says no more.
    cells, told = re.subn(r"\(([1-6]{4}):[ 0-2,;]*\)", r"(\1x)", shorter)
    assert told >= 20
    assert same(book_of(cells), minimax())


def test_layout_does_not_matter() -> None:
    """Blanks, line ends, comments, marks and the impossible cell of Knuth 1976 change nothing."""
    wanted = book_of(SMALL)
    for text in (
        "9(12:1,2,1;4(13);1)",
        "# Two pegs.\r\n9\n(12x:1,2 (23x) ,\t1 ;4 (13 *);1)  # the end",
        "9 (12: 1, 2 (23), 1; 0, 4 (13); 1)",
        "9 (12: 1, 2A, 1; 4 few; 1)\nfew = (13)\nA = (23)",
    ):
        assert same(book_of(text), wanted), text


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
    book = book_of(text, symbols)
    assert isinstance(book.game, Mastermind)
    assert book.game.symbols == wanted
    assert columns(book.tree) == columns(book_of(SMALL).tree)


def test_symbols_of_ten_and_more() -> None:
    """Nine colors are 1 to 9; from ten on there is a 0, and it comes first."""
    assert [alphabet(n) for n in (1, 9, 10, 11)] == ["1", "123456789", "0123456789", "0123456789A"]
    with pytest.raises(UsageError, match="say their order with --symbols"):
        book_of("9 (KQ: 1, 2, 1; 4 (KP); 1)")
    for symbols in ("12", "1123", "1234"):
        with pytest.raises(UsageError, match="expected 3 different characters"):
            book_of(SMALL, symbols)


# What is refused.

WRONG = {
    "": "line 1: found the end of the text, expected a number of candidates",
    "hello": "line 1: found 'hello', expected a number",
    "9": "line 1: found no guess behind the number of secrets",
    "9 (12: 1, 3, 1; 3; 1)": "found nothing more about the 3 candidates after 12=0,1, expected a",
    "9 (12: 1, 2 (23), 1; 4; 1)": "about the 4 candidates after 12=1,0, expected a guess",
    "9 (12)": "about the 4 candidates after 12=1,0, expected a guess",
    "99 (12)": "about the 99 candidates at the start, expected the cells of the guess 12",
    "9 (12: 1, 2 (23), 1; 5 (13); 1)": "found cells of 10 candidates in all at the start, exp",
    "9 (12: 2, 2 (23), 0; 4 (13); 1)": "found 2 candidates after 12=0,2, expected 1",
    "9 (12: 1, 2 (23), 1;\n4 (13: 1, 1, 0; 1; 1)\n; 1)": "line 2: found 1 .* 12=1,0 13=0,2, exp",
    "9 (12: 1, 2 (33), 1; 4 (13); 1)": "the guess 33 after 12=0,1, which tells nothing there",
    "9 (12: 1, 1; 2 (23), 1; 4 (13))": "found 2 cells with 0 black, expected 3",
    "9 (12: 1, 2 (23), 1, 4 (13); 1)": "found more than 3 cells with 0 black, expected ';'",
    "9 (12: 1, 2 (23), 1; 5)": "found 2 groups of cells between ';', expected 3",
    "9 (12: 1, 2 (23), 1; 4 (13); 1; 0)": "found more than 0 cells with 3 black, expected ';'",
    "9 (12: 1, 2 (23), 1; 4 (13); 1": "found the end of the text, expected ',', ';' or",
    "9 (12: 1, 2 (23), 1; 4 (13); 1))": r"found '\)', expected a label",
    "9 (12: 1, 2 (23), 1; 4 (13); 2)": "found more than 0 or 1 for 2 black",
    "9 (12: 1, 2 (23), 1; 4 (13); 1 (12))": "found more than 0 or 1 for 2 black",
    "9 (12: 1, 2 (23), 1; 4 (133); 1)": "found the guess '133', expected one of 2 symbols",
    "9 (12: 1, 2 (23), 0 (11); 5; 1)": "found a guess for no candidates after 12=0,0",
    "9 (12: 1, 2A, 1; 4A; 1)\nA = (23)": "found the label A twice, expected it once",
    "9 (12: 1, 2A, 1; 4 (13); 1)": "found the label A that nothing explains",
    "9 (12: 1, 2A, 1; 4 (13); 1)\nA = (23)\nA = (23)": "line 3: found the label A again",
    SMALL + "A = (23)": "line 3: found the label A, which no cell refers to",
    "9 (12: 1, 2A, 1; 4 (13); 1)\nA (23)": r"line 2: found '\(', expected '='",
    "8 (12: 1, 1, 1; 4 (13); 1)": "found 8 secrets of 2 pegs, expected as many as a game has",
    "12345678901 (12)": "expected at most 9 digits",
    "6 (11: 1, 1, 1; 2; 1)": "line 1: found a repeated symbol in '11', expected 2 of '123'",
    "9 (12: 1, 2 (23), 1; 4 (13é); 1)": "found 'é', expected ':' or '",
    "4 (" + 20 * "1" + ")": "expected one of 1 to 15 symbols",
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong_texts_are_refused(text: str) -> None:
    """What is incomplete or wrong is refused, with its line and the history."""
    with pytest.raises(InvalidBookError, match=WRONG[text]):
        book_of(text)


PIECES = "0123456789(),:;*=xA# \n"


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_mutated_texts(data: st.DataObject) -> None:
    """A text with some characters changed gives a book that proves right, or one of our errors."""
    text = data.draw(st.sampled_from(texts()))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.sampled_from([0, 1, 1, 2, 5, 40]))
        piece = data.draw(st.one_of(st.text(PIECES, max_size=4), st.text(max_size=2)))
        text = text[:start] + piece + text[end:]
    symbols = data.draw(st.sampled_from([None, "123456", "RYGBOP", "RYG"]))
    refused_or_right(text, symbols)


@pytest.mark.slow
def test_many_mutated_texts() -> None:
    """The same 20,000 times: digits and separators exchanged, dropped, doubled and moved."""
    random = Random(6)
    refused = 0
    for _ in range(20_000):
        text = random.choice(texts()[:-1])
        for _ in range(random.randint(1, 3)):
            start, other = random.randrange(len(text)), random.randrange(len(text))
            length = random.choice((0, 1, 1, 3, 20))
            piece = random.choice((random.choice(PIECES), text[other : other + length], ""))
            text = text[:start] + piece + text[start + random.choice((0, 1, length)) :]
        refused += refused_or_right(text)
    assert 1_000 < refused < 20_000


def refused_or_right(text: str, symbols: str | None = None) -> bool:
    """Whether a text is refused; if it is not, its book must prove right."""
    try:
        book = book_of(text, symbols)
    except GuessbookError:
        return True
    assert all(check.passed for check in prove(book))
    return False


@cache
def texts() -> list[str]:
    """Texts of small games, and a larger one with labels."""
    games = (Mastermind(2, 3), Mastermind(3, 4), Mastermind(3, 4, repeats=False), Mastermind(1, 9))
    return [text_of(plain_book(game)) for game in games] + [text_of(minimax())]


def test_hostile_texts_are_refused_before_they_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the size of the game is made for a text that is short, deep or circular."""
    played: list[object] = []
    monkeypatch.setattr(published, "played", lambda *arguments: played.append(arguments))
    many = 4**11
    texts = {
        f"{many} ({'1' * 11}": "expected ':' or '",
        f"{many} ({'1' * 11})": f"about the {many:,} candidates at the start",
        "9 (11: " * 1000: f"more than {MAX_NESTING} guesses inside each other",
        "999999999 (1)": "about the 999,999,999 candidates at the start",
        "40000000 (1: 39999999 (2: 39999998; 1); 1)": "more than 33,554,432 candidates",
        "16777215 (1: 16777214 (2: 16777213 (3: 16777212; 1); 1); 1)": "more than 33,554,432 c",
        "9 (12: 0, 8A, 0; 0; 1)\nA = (12: 0, 8A, 0; 0; 0)": "label A twice",
        "9 (12: 0, 8 (13), 0; 0; 1)\nA = (12: 0, 8A, 0; 0; 0)": "A, which no cell refers to",
    }
    for text, reason in texts.items():
        with pytest.raises(InvalidBookError, match=reason):
            book_of(text)
    assert not played


def test_large_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file beyond the limit is refused, and not read to its end; at the limit it is read."""
    monkeypatch.setattr(published, "MAX_FILE", 20)
    (tmp_path / "large").write_text(21 * " ")
    (tmp_path / "fits").write_text(20 * " ")
    with pytest.raises(InvalidBookError, match="larger than 20 bytes"):
        published.read_text(str(tmp_path / "large"))
    with pytest.raises(InvalidBookError, match="larger than 20 bytes"):
        published.read_text("/dev/zero")
    assert published.read_text(str(tmp_path / "fits")) == 20 * " "


def test_files_that_are_no_text(tmp_path: Path) -> None:
    """A missing file, a folder and bytes that are no UTF-8 give one of our errors."""
    for name in (str(tmp_path / "none"), str(tmp_path), "a\0b", "x" * 5000):
        with pytest.raises(UsageError, match="give a file with a strategy tree"):
            published.read_text(name)
    (tmp_path / "bytes").write_bytes(b"9 (\xff")
    with pytest.raises(InvalidBookError, match="see byte 4"):
        published.read_text(str(tmp_path / "bytes"))


# The book of a tree from elsewhere.


def test_what_the_header_says() -> None:
    """The policy is `imported` with the source that was given, and no tie rule is claimed."""
    book = open_book(book_of(SMALL, source="Somebody 1999").to_bytes())
    assert book.policy == {"name": "imported", "source": "Somebody 1999"}
    assert book_of(SMALL).policy == {"name": "imported"}
    assert b"ties" not in decompress(book.to_bytes())
    assert b"ties" in decompress(minimax().to_bytes())
    for source in ("", "two\nlines", "x" * 201):
        with pytest.raises(UsageError, match="expected a line of 1 to 200 characters"):
            book_of(SMALL, source=source)


def test_off_book_the_policy_is_entropy() -> None:
    """A history that the tree does not cover is answered live, by entropy."""
    book, plain = book_of(text_of(minimax())), Mastermind(4, 6, symbols="123456")
    history = ["1234=1,1", "1356=0,1"]
    hint = book.hint(history)
    assert hint.source == "live"
    assert hint == Session(plain, history, "entropy").suggest()
    assert book.hint(["1122=1,0"]).source == "book"
    assert book.hint(["3344=1,0"]).source == "symmetry"


def test_everything_that_looks_at_the_policy() -> None:
    """A session explains, rates and reviews with a tree from elsewhere, by entropy."""
    book = book_of(text_of(minimax()), source="minimax")
    session = Session(book, ["1122=1,0"])
    assert session.explain().policy == "entropy"
    assert session.rate("1344").best == "1345"
    assert session.review().guesses[0].best == "1234"


def test_no_rule_can_be_checked_or_built() -> None:
    """To compute the guesses of a tree from elsewhere again is refused: no rule of it is known."""
    book = book_of(SMALL)
    with pytest.raises(UsageError, match="without --policy"):
        list(prove(book, policy=True))
    with pytest.raises(UsageError, match="comes from elsewhere"):
        build_book(book.game, book.policy)
    with pytest.raises(UsageError, match="comes from elsewhere"):
        policy_of("imported")


# The command.


def test_import(run: Run, tmp_path: Path) -> None:
    """`import` writes a book and prints its facts; `verify` proves it."""
    assert run("export", "mastermind-4x6", "--to", "irving", "-o", "tree.txt").code == 0
    result = run("import", "tree.txt", "--symbols", "RYGBOP", "--source", "here", "--json")
    known = json.loads(result.out)
    assert (result.code, list(known)) == (0, KEYS)
    assert known["path"] == "mastermind-4x6-imported.book"
    assert known["options"] == {"source": "here"}
    assert same(open_book(tmp_path / known["path"]), open_book("mastermind-4x6"))
    assert run("verify", known["path"]).code == 0
    assert "without --policy" in run("verify", known["path"], "--policy").err
    assert "imported (source here)" in run("info", known["path"]).out
    assert "exists already" in complaint(run("import", "tree.txt"))
    assert "policy       imported\n" in run("import", "tree.txt", "--force").out


def test_the_python_of_the_page_runs(root: Path) -> None:
    """The session in Python on docs/embed/irving.md gives what the page shows."""
    results = doctest.testfile(str(root / "docs/embed/irving.md"), module_relative=False)
    assert (results.attempted, results.failed) == (3, 0)


def test_import_refuses_in_one_line(run: Run, tmp_path: Path) -> None:
    """A wrong text is exit code 3, a wrong option or file 2; nothing is written."""
    (tmp_path / "wrong.txt").write_text("9 (12: 1, 2 (23), 1;\n5 (13); 1)")
    assert "line 1: found cells of 10" in complaint(run("import", "wrong.txt"), 3)
    assert "cannot read none" in complaint(run("import", "none"), 2)
    (tmp_path / "right.txt").write_text(SMALL)
    assert "3 different" in complaint(run("import", "right.txt", "--symbols", "RY"), 2)
    assert not list(tmp_path.glob("*.book"))


def test_import_reads_from_a_pipe(tmp_path: Path) -> None:
    """The name `-` means stdin."""
    done = subprocess.run(
        [*START, "import", "-", "-o", "small.book"],
        input=SMALL.encode(),
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert b"imported" in done.stdout
    assert same(open_book(tmp_path / "small.book"), book_of(SMALL))

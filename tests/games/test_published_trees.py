"""Published strategy trees in the notation of Irving: written, read, changed and hostile."""

from __future__ import annotations

import json
import re
import subprocess
import tracemalloc
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.helpers.command import KEYS, START, Run
from tests.helpers.content import columns
from tests.helpers.irving import SMALL, same, text_of
from tests.helpers.plain import grow


@cache
def minimax() -> gb.Book:
    """The book whose tree Knuth published in 1976."""
    return gb.build(gb.Mastermind(4, 6, symbols="123456"), "minimax")


def test_irving_text_has_the_published_layout() -> None:
    assert text_of(gb.build(gb.Mastermind(2, 3))) == SMALL
    assert text_of(gb.build(gb.Mastermind(1, 1))) == "1 (1)\n\n"
    text = text_of(gb.open("mastermind-4x6"))
    # Subtrees with at least 14 candidates and more than two levels have a label.
    assert text.startswith("1296 (1234: 9 (2311: 0, 2 (3142), 0, 0, 0; 0, 3 (3412), 0, 0; 0, 3 ")
    assert re.findall(r"^[A-Z]+ =", text, re.MULTILINE) == [f"{c} =" for c in "ABCDEFGHIJ"]
    # A guess that distinguishes all candidates and is not one of them.
    assert "4 (2352*)" in text
    with pytest.raises(gb.UsageError):
        gb.build(gb.WordGame(["crane", "slate"])).export("irving")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name == "mastermind-5x8"))
        for name in gb.shipped_books()
    ],
)
def test_shipped_book_survives_export_and_import(name: str) -> None:
    book = gb.open(name)
    assert isinstance(book.game, gb.Mastermind)
    assert same(book, gb.read_tree(text_of(book), book.game.symbols))


SYMBOLS = st.sampled_from([None, "(:;*", "4321", "axby", "1A2B"])
GAMES = st.one_of(
    st.builds(gb.Mastermind, st.integers(1, 3), st.integers(1, 3)),
    st.builds(gb.Mastermind, st.integers(1, 3), st.just(4), st.booleans(), SYMBOLS),
    st.builds(gb.Mastermind, st.just(2), st.just(11), st.just(False)),
    st.builds(gb.Mastermind, st.just(1), st.integers(5, 36)),
)


@given(GAMES, st.randoms(use_true_random=False))
def test_any_tree_survives_export_and_import(game: gb.Mastermind, random: Random) -> None:
    def choose(_: object, candidates: list[str]) -> int:
        for _try in range(10):
            guess = random.randrange(len(game.guesses))
            code = game.guesses[guess]
            if len({game.feedback_number(code, secret) for secret in candidates}) > 1:
                return guess
        return game.guesses.index(random.choice(candidates))

    book = grow(game, game, "entropy", choose)
    again = gb.read_tree(text_of(book), game.symbols)
    assert columns(again) == columns(book)
    # With one peg, the text does not show whether symbols may repeat.
    assert again.game == book.game or game.pegs == 1
    assert text_of(again) == text_of(book)
    assert same(gb.open(again.to_bytes()), again)


def test_knuths_tree_has_the_published_guess_counts() -> None:
    book = gb.read_tree(text_of(minimax()))
    assert same(book, minimax())
    assert (book.root.guess, book.stats.max_guesses, book.stats.total_guesses) == ("1122", 5, 5801)
    assert book.verify().passed


def test_guesses_for_two_candidates_may_be_omitted() -> None:
    shorter, left_out = re.subn(r"\b2 \([1-6]{4}\)", "2", text_of(minimax()))
    assert left_out > 100
    assert same(gb.read_tree(shorter), minimax())
    # The cells of a guess may also be omitted if each has at most two candidates.
    cells, told = re.subn(r"\(([1-6]{4}):[ 0-2,;]*\)", r"(\1x)", shorter)
    assert told >= 20
    assert same(gb.read_tree(cells), minimax())


@pytest.mark.parametrize(
    "text",
    [
        "9(12:1,2,1;4(13);1)",
        "# Two pegs.\r\n9\n(12x:1,2 (23x) ,\t1 ;4 (13 *);1)  # the end",
        "9 (12: 1, 2 (23), 1; 0, 4 (13); 1)",
        "9 (12: 1, 2A, 1; 4 few; 1)\nfew = (13)\nA = (23)",
    ],
)
def test_layout_of_an_irving_text_may_vary(text: str) -> None:
    assert same(gb.read_tree(text), gb.read_tree(SMALL))


@pytest.mark.parametrize(
    ("letters", "symbols", "wanted"),
    [
        *[("123", None, "123"), ("012", None, "012"), ("RYG", None, "RYG"), ("ABC", None, "ABC")],
        *[("abc", None, "abc"), ("123", "RYG", "RYG"), ("ABC", "RYG", "RYG")],
        *[("231", "231", "231"), ("zoe", "zoe", "zoe")],
    ],
)
def test_symbols_of_an_imported_tree_are_kept_or_replaced(
    letters: str, symbols: str | None, wanted: str
) -> None:
    marks = str.maketrans("123", letters)
    text = re.sub(r"\(\d\d", lambda code: code[0].translate(marks), SMALL)
    book = gb.read_tree(text, symbols)
    assert isinstance(book.game, gb.Mastermind)
    assert book.game.symbols == wanted
    assert columns(book) == columns(gb.read_tree(SMALL))


@pytest.mark.parametrize(
    ("colors", "symbols"), [(1, "1"), (9, "123456789"), (10, "0123456789"), (11, "0123456789A")]
)
def test_default_symbols_of_an_imported_tree_are_digits(colors: int, symbols: str) -> None:
    book = gb.build(gb.Mastermind(1, colors))
    assert gb.read_tree(text_of(book)).game == gb.Mastermind(1, colors, symbols=symbols)


@pytest.mark.parametrize("symbols", ["12", "1123", "1234", 123, b"123"])
def test_wrong_symbols_of_an_imported_tree_are_rejected(symbols: str) -> None:
    with pytest.raises(gb.UsageError):
        gb.read_tree(SMALL, symbols)
    with pytest.raises(gb.UsageError):
        gb.read_tree("9 (KQ: 1, 2, 1; 4 (KP); 1)")


@cache
def texts() -> list[str]:
    """Texts of small games, and a larger one with labels."""
    sizes = [(2, 3, True), (3, 4, True), (3, 4, False), (1, 9, True)]
    return [text_of(gb.build(gb.Mastermind(*size))) for size in sizes] + [text_of(minimax())]


def is_refused(text: str, symbols: str | None = None) -> bool:
    """Return whether a text is rejected; if not, check that its book is correct."""
    try:
        book = gb.read_tree(text, symbols)
    except gb.GuessbookError:
        return True
    assert book.verify().passed
    return False


PIECES = "0123456789(),:;*=xA# \n"


@given(st.data())
def test_changed_text_is_rejected_or_gives_a_correct_book(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(texts()))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.sampled_from([0, 1, 1, 2, 5, 40]))
        piece = data.draw(st.one_of(st.text(PIECES, max_size=4), st.text(max_size=2)))
        text = text[:start] + piece + text[end:]
    is_refused(text, data.draw(st.sampled_from([None, "123456", "RYGBOP", "RYG"])))


@pytest.mark.slow
def test_many_changed_texts_are_rejected_or_give_correct_books() -> None:
    random = Random(6)
    refused = 0
    for _ in range(10_000):
        text = random.choice(texts()[:-1])
        for _ in range(random.randint(1, 3)):
            start, other = random.randrange(len(text)), random.randrange(len(text))
            length = random.choice((0, 1, 1, 3, 20))
            piece = random.choice((random.choice(PIECES), text[other : other + length], ""))
            text = text[:start] + piece + text[start + random.choice((0, 1, length)) :]
        refused += is_refused(text)
    assert 500 < refused < 10_000


@pytest.mark.parametrize(
    "text",
    [
        f"{4**11} ({'1' * 11}",
        f"{4**11} ({'1' * 11})",
        "9 (11: " * 1000,
        "999999999 (1)",
        "40000000 (1: 39999999 (2: 39999998; 1); 1)",
        "16777215 (1: 16777214 (2: 16777213 (3: 16777212; 1); 1); 1)",
        "9 (12: 0, 8A, 0; 0; 1)\nA = (12: 0, 8A, 0; 0; 0)",
        "9 (12: 0, 8 (13), 0; 0; 1)\nA = (12: 0, 8A, 0; 0; 0)",
        "9 (12)\n"
        + "".join([f"{a}{b}{c} = (12)\n" for a, b, c in product("ABCDEFGHIJK", repeat=3)]),
    ],
    ids=lambda text: text[:20],
)
def test_hostile_text_is_rejected_without_much_memory(text: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(gb.InvalidBookError):
            gb.read_tree(text)
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


def test_imported_book_names_its_source_and_no_policy() -> None:
    book = gb.open(gb.read_tree(SMALL, source="Somebody 1999").to_bytes())
    assert book.policy == {"name": "imported", "source": "Somebody 1999"}
    assert gb.read_tree(SMALL).policy == {"name": "imported"}
    assert gb.read_tree(SMALL, source="x" * 200).policy["source"] == "x" * 200
    for source in ("", "two\nlines", "x" * 201, 5):
        with pytest.raises(gb.UsageError):
            gb.read_tree(SMALL, source=source)  # type: ignore[arg-type]
    for refused in (
        lambda: list(book.verify(policy=True)),
        lambda: gb.build(book.game, book.policy),
        lambda: gb.make_policy("imported"),
    ):
        with pytest.raises(gb.UsageError):
            refused()


def test_off_book_hints_of_an_imported_tree_use_entropy() -> None:
    book, plain = gb.read_tree(text_of(minimax())), gb.Mastermind(4, 6, symbols="123456")
    history = ["1234=1,1", "1356=0,1"]
    hint = book.hint(history)
    assert (hint.source, hint) == ("live", gb.Session(plain, history, "entropy").hint())
    assert book.hint(["1122=1,0"]).source == "book"
    assert book.hint(["3344=1,0"]).source == "symmetry"
    session = gb.Session(book, ["1122=1,0"])
    assert session.explain().ranked_by == "entropy"
    assert session.rate("1344").best == "1345"
    assert session.review().turns[0].best == "1234"


def test_import_command_reads_a_file(run: Run, tmp_path: Path) -> None:
    assert run("export", "mastermind-4x6", "--to", "irving", "-o", "tree.txt").code == 0
    done = run("import", "tree.txt", "--symbols", "RYGBOP", "--source", "here", "--json")
    known = json.loads(done.out)
    assert (done.code, list(known)) == (0, KEYS)
    assert (known["path"], known["options"]) == ("mastermind-4x6-imported.book", {"source": "here"})
    assert same(gb.open(tmp_path / known["path"]), gb.open("mastermind-4x6"))
    assert run("verify", known["path"]).code == 0
    assert run("verify", known["path"], "--policy").code == 2
    assert "imported (source here)" in run("info", known["path"]).out
    assert run("import", "tree.txt").code == 1
    assert "policy       imported\n" in run("import", "tree.txt", "--force").out


def test_import_command_reads_a_pipe(tmp_path: Path) -> None:
    command = [*START, "import", "-", "-o", "small.book"]
    subprocess.run(command, input=SMALL.encode(), cwd=tmp_path, capture_output=True, check=True)
    assert same(gb.open(tmp_path / "small.book"), gb.read_tree(SMALL))


@pytest.mark.posix
def test_import_command_rejects_invalid_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / "fits").write_text("\ufeff" + SMALL.ljust((16 << 20) - 3), "utf-8")
    (tmp_path / "large").write_text(SMALL.ljust((16 << 20) + 1))
    (tmp_path / "wrong").write_text(SMALL[:-5])
    (tmp_path / "bytes").write_bytes(b"9 (\xff")
    assert run("import", "fits", "-o", "fits.book").code == 0
    for name in ("large", "/dev/zero", "wrong", "bytes"):
        assert run("import", name, "-o", "x.book").code == 3, name
    for name in ("none", str(tmp_path), "x" * 5000):
        assert run("import", name).code == 2
    assert run("import", "fits", "--symbols", "RY").code == 2
    assert not (tmp_path / "x.book").exists()

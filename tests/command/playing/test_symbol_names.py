"""Names of symbols: shown and typed at the table, while codes, hints and JSON stay with letters."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from guessbook.book import InvalidCodeError, InvalidGameError, Mastermind, parse_history
from guessbook.book.file.container import decode, encode
from guessbook.book.games.registry import game_from_header
from guessbook.play.display import display_of
from guessbook.play.session import Session
from tests.helpers.command import Run, complaint
from tests.helpers.plain import plain_book

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("red", "blue", "black")
NAMED = Mastermind(3, 3, symbols="RBK", names=NAMES)
PLAIN = Mastermind(3, 3, symbols="RBK")


@pytest.fixture
def box(run: Run) -> str:
    """A book of a game whose symbols have names."""
    found = run(
        "build-book", "--pegs", 3, "--symbols", "red,blue,green,white,wheat=H", "-o", "b.book"
    )
    assert found.code == 0
    return "b.book"


def test_names_change_nothing_but_what_people_see() -> None:
    """Two games that differ in names have the same tree, the same play and the same codes."""
    with_names, without = plain_book(NAMED), plain_book(PLAIN)
    assert bytes(with_names.tree.guess) == bytes(without.tree.guess)
    assert list(with_names.tree.feedback) == list(without.tree.feedback)
    history = [("red Blue bla", (1, 1))]
    assert with_names.hint(history) == without.hint([("RBK", (1, 1))])
    assert Session(with_names, history).candidates() == Session(without, ["RBK=1,1"]).candidates()
    assert "names" not in PLAIN.header()
    assert NAMED != PLAIN


@pytest.mark.parametrize(
    "code", ["RBK", "r b k", "red blue black", "re,blu,bla", ["red", "B", "k"]]
)
def test_names_and_their_beginnings_are_read(code: str) -> None:
    """A code is letters, names, or beginnings of names, ignoring case; a history may have them."""
    assert NAMED.guesses[NAMED.parse_code(code)] == "RBK"
    assert parse_history(NAMED, ["red blue black=1,1", "red blue black 0 2"])[0] == (5, 9)


def test_a_beginning_of_two_names_is_refused() -> None:
    """What two names begin with is none of them; the message says which."""
    with pytest.raises(InvalidCodeError, match="'bl', the beginning of blue and black"):
        NAMED.parse_code("red bl bl")
    with pytest.raises(InvalidCodeError, match=r"'pink'.*expected 3 of R red, B blue, K black"):
        NAMED.parse_code("red red pink")
    with pytest.raises(InvalidCodeError, match="found code 'red blue' of length 2, expected 3"):
        NAMED.parse_code("red blue")


def test_the_file_has_the_names() -> None:
    """A book with names has version 1.3 and gives them back; one without is as it was."""
    books = [plain_book(game) for game in (NAMED, PLAIN)]
    headers = [decode(encode(b.game, dict(b.policy), b.tree))[0] for b in books]
    assert [header["guessbook"] for header in headers] == [[1, 3], [1, 0]]
    assert headers[0]["game"]["names"] == list(NAMES)
    assert game_from_header(headers[0]["game"]) == NAMED


@pytest.mark.parametrize(
    "names",
    [["red"], ["red", "Red", "k"], ["red", "", "k"], ["a b", "c", "d"], ["a\x1b", "c", "d"], 7,
     ["a=b", "c", "d"], ["a,b", "c", "d"], ["x" * 21, "c", "d"], [1, 2, 3], None, "red"],
)  # fmt: skip
def test_wrong_names_make_no_game(names: object) -> None:
    """Names that a prompt could not read, or would draw strangely, are refused; in files, too."""
    with pytest.raises(InvalidGameError, match="name"):
        Mastermind.from_header({**PLAIN.header(), "names": names})


def test_solve_shows_and_takes_names(run: Run, box: str) -> None:
    """`solve` proposes names and takes them; `info` lists the symbols; hints are letters."""
    out = run("solve", box, lines="red red wheat 0,1\nwhi bl gr 1,0\nquit\n").out
    assert "Guess 1:  red   blue  green" in out
    assert "  1  red   red   wheat  ○··  0,1" in out
    assert "  2  white blue  green  ●··  1,0" in out
    assert (
        "Found 'wh', the beginning of white and wheat" in run("solve", box, lines="r b wh=1,0").out
    )
    assert "symbols R red, B blue, G green, W white, H wheat" in run("info", box).out
    hint = json.loads(run("hint", box, "red red wheat=0,1", "--json").out)
    assert set(hint["guess"]) <= set("RBGWH")


def test_play_shows_and_takes_names(run: Run, box: str) -> None:
    """`play` says the names in the rules, takes them, and draws what is known with them."""
    out = run("play", box, "--secret", "RBG", lines="?\nred red whi\nred blue green\n").out
    assert "3 of R red, B blue, G green, W white, H wheat" in out
    assert "Hint: red blue green" in out
    assert "  1  red   red   white" in out
    assert "red blue green is the secret" in out
    assert (
        "The secret is red blue green."
        in run("play", box, "--secret", "RBG", lines=":give-up\n").out
    )


def test_what_has_no_room_is_letters() -> None:
    """Where a row of names does not fit the terminal, pegs have letters."""

    class Narrow:
        colour, symbols, width, narrow = False, True, 40, True

    look = display_of(NAMED)
    assert look.code(Narrow(), "RBK") == [("R B K", "")]  # type: ignore[arg-type]
    Narrow.width = 80
    assert look.code(Narrow(), "RBK") == [("red   blue  black", "")]  # type: ignore[arg-type]


def test_the_defaults_are_said(run: Run) -> None:
    """The eight usual letters are said with their colours, K for black among them."""
    said = " ".join(run("info", "mastermind-5x8").out.split())
    assert "O orange, P purple, W white, K black" in said
    assert "note" not in run("info", "bulls-and-cows-4x10").out
    assert "K black" in " ".join(run("build-book", "--help").out.split())


def test_letters_of_names(run: Run, tmp_path: Path) -> None:
    """A name takes the letter of its colour or its first one; two of the same are refused."""
    assert (
        run("build-book", "--pegs", 2, "--symbols", "blue,black,brown,star", "-o", "a.book").code
        == 0
    )
    assert "B blue, K black, N brown, S star" in run("info", "a.book").out
    for given, said in {
        "red,ruby": "'red' and 'ruby', which both take the letter R",
        "red,white=WW": "'white=WW'",
        "red,=W": "'=W'",
        "red,,blue": "''",
        "red,dark blue": "'dark blue'",
    }.items():
        assert said in complaint(run("build-book", "--symbols", given, "-o", "c.book"), 2)
    assert not (tmp_path / "c.book").exists()


def test_blanks(run: Run) -> None:
    """`--blanks` adds a symbol for an empty place, with and without names."""
    assert run("build-book", "--pegs", 2, "--colors", 3, "--blanks", "-o", "a.book").code == 0
    assert "R red, Y yellow, G green, _ blank" in run("info", "a.book").out
    assert run("hint", "a.book", "R_=0,0").code == 0
    named = ("--symbols", "red,star", "--blanks")
    assert run("build-book", "--pegs", 2, *named, "-o", "b.book").code == 0
    assert "R red, S star, _ blank" in run("info", "b.book").out
    assert run("hint", "b.book", "red blank=0,0").code == 0


def test_long_entries_and_guesses_in_single_words(run: Run) -> None:
    """Names that a shell splits are put together, also with an answer in words."""
    names = "red,blue,black"
    made = run("build-book", "--pegs", 5, "--symbols", names, "-o", "five.book")
    assert made.code == 0
    typed = ["red", "blue", "red", "blue", "red"]
    answer = ["2", "black", "1", "white"]
    assert run("hint", "--book", "five.book", *typed, *answer) == run(
        "hint", "five.book", "RBRBR=2,1"
    )
    assert run("explain", "--book", "five.book", *typed) == run("explain", "five.book", "RBRBR")

"""Names of symbols: people read and type them; codes, hints and JSON have letters."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import guessbook as gb
from tests.helpers.command import Run
from tests.helpers.content import document, pack

if TYPE_CHECKING:
    from pathlib import Path

NAMED = gb.Mastermind(3, 3, symbols="RBK", names=["red", "blue", "black"])
PLAIN = gb.Mastermind(3, 3, symbols="RBK")


@pytest.fixture
def box(run: Run) -> str:
    """Build a book of a game whose symbols have names, and return the name of its file."""
    symbols = ("--symbols", "red,blue,green,white,wheat=H")
    assert run("build-book", "--pegs", 3, *symbols, "-o", "b.book").code == 0
    return "b.book"


def test_symbol_names_change_only_input_and_display() -> None:
    named, plain = gb.build(NAMED), gb.build(PLAIN)
    assert NAMED != PLAIN
    assert named.game == NAMED == gb.open(named.to_bytes()).game
    contents = [document(book) for book in (named, plain)]
    assert [content["guessbook"] for content in contents] == [[1, 3], [1, 0]]
    assert [content["game"].pop("names", None) for content in contents] == [
        ["red", "blue", "black"],
        None,
    ]
    assert {**contents[0], "guessbook": None} == {**contents[1], "guessbook": None}
    history = [("red Blue bla", (1, 1))]
    assert named.hint(history) == plain.hint([("RBK", (1, 1))])
    assert named.candidates(history) == plain.candidates(["RBK=1,1"])


@pytest.mark.parametrize(
    "code", ["RBK", "r b k", "red blue black", "re,blu,bla", ["red", "B", "k"]]
)
def test_codes_may_be_typed_as_names_or_their_prefixes(code: str) -> None:
    assert NAMED.guesses[NAMED.parse_code(code)] == "RBK"


def test_entries_of_a_history_may_have_symbol_names() -> None:
    history = gb.Session(NAMED, ["red blue black=1,1", "red blue red 0 2"]).history
    assert history == gb.Session(NAMED, ["RBK=1,1", "RBR=0,2"]).history


@pytest.mark.parametrize(
    "names", [["red"], ["red", "Red", "k"], ["a b", "c", "d"], [1, 2, 3], None, "red", 7]
)
def test_book_with_invalid_symbol_names_is_rejected(names: object) -> None:
    content = document(gb.build(NAMED))
    content["game"]["names"] = names
    with pytest.raises(gb.InvalidBookError, match="name"):
        gb.open(pack(content))


def test_solve_shows_and_accepts_symbol_names(run: Run, box: str) -> None:
    out = run("solve", box, lines="red red wheat 0,1\nwhi bl gr 1,0\nquit\n").out
    assert "Guess 1:  red   blue  green" in out
    assert "  1  red   red   wheat  ○··  0,1" in out
    assert "  2  white blue  green  ●··  1,0" in out
    assert "symbols R red, B blue, G green, W white, H wheat" in run("info", box).out
    hint = json.loads(run("hint", box, "red red wheat=0,1", "--json").out)
    assert set(hint["guess"]) <= set("RBGWH")


def test_narrow_terminal_shows_letters_instead_of_names(run: Run, box: str) -> None:
    narrow = run("solve", box, columns=16).out
    assert "Guess 1:  R B G" in narrow


def test_play_shows_and_accepts_symbol_names(run: Run, box: str) -> None:
    play = ("play", box, "--secret", "RBG")
    out = run(*play, lines="?\nred red whi\nred blue green\n").out
    assert "3 of R red, B blue, G green, W white, H wheat" in out
    assert "Hint: red blue green" in out
    assert "  1  red   red   white" in out
    assert "red blue green is the secret" in out
    assert "The secret is red blue green." in run(*play, lines=":give-up\n").out


def test_command_no_does_not_exist_in_games_of_codes(run: Run, box: str) -> None:
    assert "\nno  " not in run("solve", box, lines="help\n").out
    assert "The guess red blue green cannot be refused" in run("solve", box, lines="no\n").out
    assert "\nno  " in run("solve", "coins", lines="help\n").out


def test_saved_game_needs_a_book_with_the_same_symbols(run: Run, box: str) -> None:
    run("solve", box, "--save", "box.txt", lines="red red blue=1,1\n")
    assert run("hint", box, "box.txt").out == run("hint", box, "RRB=1,1").out
    assert run("hint", "mastermind-3x5", "box.txt").code == 2, "the same size, other symbols"


def test_default_letters_are_shown_with_their_colors(run: Run) -> None:
    said = " ".join(run("info", "mastermind-5x8").out.split())
    assert "O orange, P purple, W white, K black" in said
    assert "note" not in run("info", "bulls-and-cows-4x10").out


@pytest.mark.parametrize(
    ("options", "said", "entry"),
    [
        (
            ["--symbols", "blue,black,brown,star"],
            "B blue, K black, N brown, S star",
            "black star=0,0",
        ),
        (["--colors", 3, "--blanks"], "R red, Y yellow, G green, _ blank", "R_=0,0"),
        (
            ["--symbols", "red,star", "--blanks"],
            "R red, S star, _ blank",
            "red blank=0,0",
        ),
    ],
)
def test_named_symbol_gets_the_letter_of_its_color_or_its_first_letter(
    run: Run, options: list[object], said: str, entry: str
) -> None:
    assert run("build-book", "--pegs", 2, *options, "-o", "a.book").code == 0
    assert said in run("info", "a.book").out
    assert run("hint", "a.book", entry).code == 0


def test_names_split_by_the_shell_are_joined(run: Run, tmp_path: Path) -> None:
    game = gb.Mastermind(5, 3, symbols="RBK", names=["red", "blue", "black"])
    gb.build(game).save(tmp_path / "five.book")
    code, answer = ["red", "blue", "red", "blue", "red"], ["2", "black", "1", "white"]
    for command, typed, short in (
        ("hint", [*code, *answer], "RBRBR=2,1"),
        ("explain", code, "RBRBR"),
    ):
        split = run(command, "--book", "five.book", *typed)
        assert split.code == 0
        assert split == run(command, "five.book", short)


@pytest.mark.parametrize(
    "code", ["red yellow green blue", "Red, Yellow, Green, Blue", "r yel g blu"]
)
def test_default_colors_may_be_typed_by_name(run: Run, code: str) -> None:
    assert run("hint", f"{code}=1,1").out == run("hint", "RYGB=1,1").out
    assert run("score", code, "pyro").out == run("score", "RYGB", "PYRO").out
    assert run("score", "red yellow green white", "pyro").code == 2


def test_symbols_of_a_preset_of_codes_can_be_replaced(run: Run) -> None:
    done = run("score", "--preset", "mastermind", "--symbols", "123456", "1234", "1243")
    assert done.out == "2,2\n"
    assert run("score", "--preset", "mastermind", "--symbols", "12345", "1234", "1243").code == 2
    assert run("score", "--preset", "black-peg", "--symbols", "123456", "1234", "1243").code == 2

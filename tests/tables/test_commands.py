"""Commands with a table game, whose labels have spaces, commas, quotation and equals signs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guessbook.builder import build_strategy
from guessbook.export.spreadsheet import sheet
from guessbook.lookup import Book, open_book
from tests.helpers.client import expected, running
from tests.helpers.command import Run, complaint, one_line, runner
from tests.helpers.tables import LAMP, MIXED, NUMBERS, weighted


@pytest.fixture(scope="module")
def book() -> Book:
    """The book of a game of faults."""
    return open_book(build_strategy(LAMP))


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, book: Book
) -> Run:
    """Runs `guessbook` with some arguments, in a folder with a book and tables."""
    book.save(tmp_path / "lamp.book")
    for name, game in {"lamp": LAMP, "mixed": MIXED, "numbers": NUMBERS}.items():
        (tmp_path / f"{name}.csv").write_text("".join(sheet(game)), "utf-8")
    return runner(monkeypatch, capsys, tmp_path)


def test_a_book_is_built_of_a_table(run: Run, book: Book, tmp_path: Path) -> None:
    """`build-book --table` makes the same book as Python does, and says what was added."""
    result = run("build-book", "--table", "lamp.csv", "-o", "x.book")
    assert result.code == 0
    assert (
        "note         5 guesses added that name a secret each: no guess names a secret"
        in result.out
    )
    assert (tmp_path / "x.book").read_bytes() == book.to_bytes()
    known = json.loads(run("info", "x.book", "--json").out)
    assert known["game"] == "table-9x5"
    assert known["note"].startswith("5 guesses added")
    for name in ("minimax", "lookahead", "rollout", "optimal", "consistent", "positional"):
        assert run("build-book", "--table", "mixed.csv", "--policy", name).code == 0, name
    assert run("build-book", "--table", "numbers.csv", "--first-guess", "5").code == 0


def test_a_table_is_written(run: Run, tmp_path: Path) -> None:
    """`table` writes that of any game, or of a book, to a file or to stdout."""
    assert run("table", "--preset", "bagels", "-o", "bagels.csv").code == 0
    assert (tmp_path / "bagels.csv").read_text().startswith('"bulls-and-cows-3x10","012","013",')
    assert run("table", "lamp.book").out == (tmp_path / "lamp.csv").read_text("utf-8")
    assert run("table", "--table", "mixed.csv").out == (tmp_path / "mixed.csv").read_text("utf-8")
    found = json.loads(run("table", "lamp.book", "-o", "y.csv", "--json").out)
    assert found["game"] == "table-9x5"
    assert "exists already" in complaint(run("table", "lamp.book", "-o", "y.csv"))
    said = complaint(run("table", "--pegs", 5, "--colors", 8, "-o", "large.csv"), 2)
    assert "would have 1,073,741,824 cells" in said


def test_commands_that_look(run: Run, book: Book) -> None:
    """A book is described, proved and compared, and its guesses explained, rated and reviewed."""
    first = book.root.guess
    rows = ["bridge = wire=dark", "OTHER BATTERY, 4½ V=lights up", "battery = flat=found"]
    wanted = {
        ("info", "lamp.book"): f"first guess  {first}",
        ("verify", "lamp.book", "--policy"): "guess by entropy",
        ("compare", "--table", "lamp.csv", "parts", "rollout:width=3"): "table-9x5: 5 secrets",
        ("compare", "lamp.book", "optimal"): "table-9x5: 5 secrets",
        ("hint", "lamp.book"): f"guess       {first}",
        ("hint", "lamp.book", *rows[:1]): "source      ",
        ("hint", "lamp.book", *rows[:2]): "source      live",
        ("candidates", "lamp.book", *rows[:1]): "battery = flat",
        ("explain", "lamp.book", *rows[:1]): "bits expected, 2 possible",
        ("explain", "lamp.book", "--pairs"): "bits",
        ("rate", "lamp.book", rows[0], "bridge = wire"): "skill",
        ("rate", "lamp.book", "bridge = wire"): "skill",
        ("rate", "lamp.book", "--pair", "bridge = wire", "switch"): "bits",
        ("review", "lamp.book", *rows): "skill",
        ("share", "lamp.book", *rows): "table-9x5 3 guesses",
        ("tree", "lamp.book"): "table-9x5, entropy: 5 secrets",
        ("tree", "lamp.book", f"{first}=dark"): "nodes",
        ("simulate", "lamp.book"): "played      5 of 5 secrets",
        ("run", "lamp.book", "--secret", "battery = flat"): "battery = flat found in",
        ("run", "lamp.book", "--secret", "bulb", "--secret", "switch"): "2 boards in",
        ("report", "lamp.book", "-o", "lamp.html"): "lamp.html",
        ("export", "lamp.book", "--to", "json", "-o", "lamp.json"): "lamp.json",
        ("export", "lamp.book", "--to", "dot", "-o", "lamp.dot"): "lamp.dot",
        ("export", "lamp.book", "--to", "svg", "-o", "lamp.svg"): "lamp.svg",
        ("export", "lamp.book", "--to", "html", "-o", "page.html"): "page.html",
        ("export", "lamp.book", "--to", "python", "-o", "lamp.py"): "lamp.py",
        ("export", "lamp.book", "--to", "c", "-o", "lamp.h"): "lamp.h",
    }
    for command, said in wanted.items():
        result = run(*command)
        assert (result.code, result.err) == (0, ""), (command, result)
        assert said in result.out, (command, result.out)


def test_chances_are_said(run: Run, tmp_path: Path) -> None:
    """With a row of weights in the spreadsheet, all that looks at a book speaks of chances."""
    game = weighted(LAMP, [50, 3, 20, 9, 18])
    (tmp_path / "w.csv").write_text("".join(sheet(game)), "utf-8")
    row = "bridge = wire=dark"
    wanted = {
        ("build-book", "--table", "w.csv", "-o", "w.book"): "guesses by weight",
        ("info", "w.book"): "table-9x5-weighted",
        ("verify", "w.book", "--policy"): "all 6 nodes",
        ("compare", "w.book", "optimal"): "means and chances by weight",
        ("hint", "w.book", row): "bulb, may be the secret: 71.43%",
        ("candidates", "w.book", row): "bulb 71.4%\nbattery = flat 28.6%",
        ("explain", "w.book", row): "possible, may be the secret: 71.43%",
        ("rate", "w.book", row, "bulb"): "chance    71.43% to be the secret",
        ("review", "w.book", row, "bulb=found"): "actual",
        ("simulate", "w.book"): "on average by weight",
        ("export", "w.book", "--to", "svg", "-o", "-"): "on average by weight",
    }
    for command, said in wanted.items():
        result = run(*command)
        assert result.code == 0, (command, result)
        assert said in result.out, (command, result.out)
    turns = json.loads(run("review", "w.book", row, "bulb=found", "--json").out)["turns"]
    assert [round(turn["bits"], 4) for turn in turns] == [0.5146, 0.4854]


def test_labels_with_blanks_are_kept_apart(run: Run) -> None:
    """Examples and pairs by commas, entries in quotes; and columns have room for the best guess."""
    first, second = "bridge = wire", "other battery, 4½ V"
    assert "  bulb, battery = flat\n" in run("explain", "lamp.book", first).out
    assert f"{first}, {second} " in run("explain", "lamp.book", "--pairs").out
    said = run("review", "lamp.book", "bulb=no", "switch=found").out.splitlines()
    assert len({len(line) for line in said[:3]}) == 1
    assert said[-1] == f'the policy takes 2: "{first}=flickers, a bit" "name: switch=found"'


def test_numbers_of_long_labels_stand_below_them(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No line but that of a label itself is wider than the terminal."""
    (tmp_path / "long.csv").write_text(f",x,y\n{'a' * 99},1,2\n")
    assert run("build-book", "--table", "long.csv", "-o", "long.book").code == 0
    monkeypatch.setenv("COLUMNS", "60")
    lines = run("explain", "long.book").out.splitlines()
    assert {"a" * 99, " " * 7 + " 1.0000     2      1"} <= {*lines}
    assert max(len(line) for line in lines if "aaa" not in line) <= 60


def test_one_guess_makes_no_pair(run: Run, tmp_path: Path) -> None:
    """A game of a single guess has no pairs to compare, and says so."""
    (tmp_path / "one.csv").write_text(",x\nweights,1\n")
    assert run("build-book", "--table", "one.csv", "-o", "one.book").code == 0
    assert run("explain", "one.book", "--pairs").out == "no pairs: this game has a single guess\n"


def test_commands_that_play(run: Run, book: Book) -> None:
    """The computer proposes, holds a secret, or hides; each ends with the secret found."""
    first = book.root.guess
    typed = f"?\n{first}=dark\nlist\nundo\nbridge = wire=dark\nother battery, 4½ V=dark\nfound\n"
    result = run("solve", "lamp.book", lines=typed)
    assert result.code == 0, result
    assert "is the secret. Solved in 3 guesses." in result.out, result
    result = run("solve", "lamp.book", "--boards", 2, lines="bulb=found\nbulb=found\n" * 2)
    assert "All 2 boards are solved." in result.out, result
    typed = "bridge = wire\n?\n:list\n:nonsense\nzzz\nbattery = flat\n"
    result = run("play", "lamp.book", "--secret", "battery = flat", lines=typed)
    assert "battery = flat is the secret. Solved in 2 guesses." in result.out, result
    result = run("hide", "lamp.book", lines="bridge = wire\n?\n:give-up\n")
    assert "There was no secret; " in result.out, result


def test_what_it_lacks_is_said(run: Run) -> None:
    """Wrong tables, other games' options, shuffles, hard mode and unknown labels take one line."""
    refused = [
        ("build-book", "--table", "none.csv"),
        ("build-book", "--table", "lamp.book"),
        ("build-book", "--table", "lamp.csv", "--pegs", 3),
        ("build-book", "--table", "lamp.csv", "--preset", "bagels"),
        ("build-book", "--table", "lamp.csv", "--hard-mode"),
        ("build-book", "--table", "lamp.csv", "--first-guess", "nothing"),
        ("table", "lamp.book", "--pegs", 3),
        ("run", "lamp.book", "--secret", "bulb", "--shuffle"),
        ("export", "lamp.book", "--to", "irving"),
        ("compare", "lamp.book", "mastermind-4x6"),
        ("hint", "lamp.book", "bulbs=no"),
        ("hint", "lamp.book", "bulb=yes"),
        ("rate", "lamp.book", "bulb=no"),
    ]
    for command in refused:
        one_line(run(*command))
    said = complaint(run("hint", "lamp.book", "bridge = wire=dark", "switch=found"), 4)
    assert "re-check bridge = wire=dark, name: switch=found" in said


def test_it_is_served(book: Book) -> None:
    """Clients of the server get the answers of the book, and the page."""
    history = [f"{book.root.guess}=dark", "bridge = wire=dark"]
    query = "&".join(entry.replace(" ", "%20").replace("½", "%C2%BD") for entry in history)
    with running(book) as client:
        assert client.ask("/hint?" + query) == (200, expected(book, history))
        assert client.ask("/info")[1]["game"] == LAMP.name


@pytest.mark.parametrize("depth", [800, 2000])
def test_nested_labels_are_refused_by_the_server(book: Book, depth: int) -> None:
    """A guess or an answer in many lists is the client's mistake: a 400 with one line."""
    deep = "[" * depth + '"x"' + "]" * depth
    with running(book) as client:
        for entry in (f'[{deep}, "dark"]', f'["other battery", {deep}]'):
            status, answer = client.ask("/hint", "POST", f'{{"history": [{entry}]}}'.encode())
            assert (status, answer["exit_code"]) == (400, 2)
            assert answer["error"].isprintable()

"""Sheets: tables as people write them in spreadsheets, and what is wrong with them, by cell."""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import given

from guessbook.book import InvalidGameError, Mastermind, TableGame, UsageError, WordGame
from guessbook.book.csv_table import read_table
from guessbook.book.games.game import Game
from guessbook.builder import build_strategy
from guessbook.export.spreadsheet import sheet
from tests.helpers.tables import LAMP, MIXED, NUMBERS, table_games

PLAIN = ",x,y,z\na,1,2,2\nb,0,0,1\n"
GAME = TableGame("ab", "xyz", [[1, 2, 2], [0, 0, 1]])


def read(path: Path, content: str | bytes) -> TableGame:
    """The game of a file with that content."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_table(path)


FORMS: dict[str, str | bytes] = {
    "plain": PLAIN,
    "no newline at the end": PLAIN.rstrip(),
    "semicolons": PLAIN.replace(",", ";"),
    "tabs": PLAIN.replace(",", "\t"),
    "windows": "\ufeff" + PLAIN.replace("\n", "\r\n"),
    "old mac": PLAIN.replace("\n", "\r"),
    "utf-16": PLAIN.replace(",", "\t").encode("utf-16"),
    "quoted": PLAIN.replace("1", '"1"').replace("x", '" x "'),
    "blanks": PLAIN.replace("2", "\u00a02 ").replace("\n", ",,\n"),
    "blank rows": "\n,,,\n" + PLAIN.replace("\n", "\n,,,,,\n"),
    "a title": "answers" + PLAIN,
    "equal weights": PLAIN.replace("\na", "\nWeights,7,7,7\na"),
    "text marks": PLAIN.replace("0", "'+0"),
    "blanks before quotation marks": ', "x", "y", "z"\n"a", "1", "2", "2"\n"b", "0", 0, "1"\n',
    "a line break in a label": PLAIN.replace("y", '"\ny\n"'),
    "inches in the corner": 'inches "' + PLAIN,
}


@pytest.mark.parametrize("name", FORMS)
def test_forms_of_csv(name: str, tmp_path: Path) -> None:
    """Separators, encodings, blanks and line ends of all spreadsheets make the same game."""
    game = read(tmp_path / "table.csv", FORMS[name])
    if name == "text marks":
        assert game.answers == ("1", "2", "+0", "no", "found")
    else:
        assert game == GAME


def test_weights(tmp_path: Path) -> None:
    """The second row may say how much each secret counts."""
    game = read(tmp_path / "table.csv", PLAIN.replace("\na", "\nweight,30,10,20\na"))
    assert game == TableGame("ab", "xyz", [[1, 2, 2], [0, 0, 1]], weights=[3, 1, 2])
    assert game.weights == (3, 1, 2)
    parts = read(tmp_path / "table.csv", PLAIN.replace("\na", "\nweight,0.3,10%,.2\na"))
    assert parts == game


REFUSED: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "t.csv: found 0 rows, expected a first row with the secrets"),
    "one row": (",x,y\n", "t.csv: found 1 rows"),
    "no answer": (",x,y\na,,1\n", "t.csv, B2: found an empty cell, expected an answer"),
    "ragged": (
        ",x,y,z\na,1,2,2\nb,0\n",
        "t.csv, C3: found a row that is 2 cells short, expected an answer to 'b' for each of 3",
    ),
    "after a blank row": (",x,y\n\na,1,\n", "t.csv, C3: found a row that is 1 cell short"),
    "a cost": (",x,Cost\na,1,2\n", "t.csv, C1: found the column 'Cost', expected a secret: all"),
    "a question mark": (",x,y\na,1,?\n", "t.csv, C2: found '\\?', expected the answer .*several"),
    "nothing but a guess": (",x,y\na\n", "t.csv, B2: found a row that is 2 cells short"),
    "too long": (",x,y\na,1,2,,3\n", "t.csv, E2: found '3', but no secret in E1"),
    "no guess": (",x,y\n,1,2\n", "t.csv, A2: found an empty cell, expected a guess"),
    "no secret": (",x,,y\na,1,2,3\n", "t.csv, C1: found an empty cell, expected a secret"),
    "no secrets": ("x\na\n", "t.csv, B1: found an empty cell, expected a secret; separate cells by commas"),
    "other separators": ("|x|y\na|1|2\n", "t.csv, B1: found an empty cell, expected a secret; separate cells"),
    "a guess twice": (",x,y\na,1,2\nb,1,2\na,2,1\n", "t.csv, A4 and A2: found 'a' twice"),
    "a secret twice": (",x,y,x\na,1,2,3\n", "t.csv, D1 and B1: found 'x' twice, expected each se"),
    "an error": (",x,y\na,1,#REF!\n", "t.csv, C2: found #REF!, expected an answer"),
    "a capital": (",x,y\na,no,No\n", "t.csv, C2: found 'No', and 'no' elsewhere, expected one spe"),
    "a control": (",x,y\na,1,2\x1b[2J\n", r"t.csv, C2: found '2\\x1b\[2J', expected characters th"),
    "latin-1": (",x,y\na,1,zw\xf6lf\n".encode("latin-1"), "t.csv, C2: found .* CSV UTF-8$"),
    "in the corner": (",x,y\na\x07,1,2\n", "t.csv, A2: found "),
    "long": (f",x,y\na,1,{'2' * 101}\n", "t.csv, C2: found .*, expected at most 100 characters"),
    "a quotation mark": (',x,y\na,1,"2\n' + "b,1,2\n" * 40_000, "t.csv, row 2: found .*mark"),
    "an open end": (',x,y\na,1,"2\nb,1,2\n', "t.csv, C2: found a quotation mark at the start"),
    "an open head": (',x,"y\na,1,2\nb,1,2\n', "t.csv, C1: found a quotation mark at the start"),
    "a long cell": (f",x,y\na,1,{'2' * 200_000}\n", "t.csv, row 2: found a cell of more than 131"),
    "a long corner": (f"{'2' * 200_000},x,y\na,1,2\n", "t.csv, row 1: found a cell of more than"),
    "alike": (",x,y,z\na,1,2,2\nb,0,1,1\n", "t.csv, C1 and D1: found equal answers of 'y' and 'z' to every guess"),
    "two founds": (",x,y\nx,1,0\ny,0,2\n", "t.csv, C3 and B2: found the answer '2' to the correct guess 'y'"),
    "found elsewhere": (",x,y\nx,1,1\n", "t.csv, C2 and B2: found the answer '1' to a wrong guess, but the cor"),
    "a weight": (",x,y\nweights,1,0\na,1,2\n", "t.csv, C2: found weight '0', expected a positive"),
    "a third": (",x,y\nweights,1,1/3\na,1,2\n", "t.csv, C2: found weight '1/3', expected a positi"),
    "no weight": (",x,y\nweights,1\na,1,2\n", "t.csv, C2: found a row that is 1 cell short, "),
    "a long weight": (f",x,y\nweights,1,{'0' * 19}{'2' * 5000}\n", "t.csv, C2: found weight "),
    "weights": (",x,y\nweights,1,9999999\na,1,2\n", "t.csv: found weights whose sum is 10,000,000"),
    "weights below": (",x,y\na,1,2\nWeight,3,4\n", "t.csv, A3: found 'Weight', expected weights"),
    "a small letter": (",Eva,x\neva,1,2\n", "t.csv, A2 and B1: found the guess 'eva' and"),
    "a workbook": (b"PK\x03\x04...", "t.csv is a workbook, expected CSV; save it as CSV UTF-8"),
    "zeros": (bytes(100), "t.csv: found null characters, expected CSV; save it as CSV UTF-8"),
    "utf-16 without its mark": (PLAIN.encode("utf-16-le"), "t.csv: found null characters, expe"),
    "a null character": (PLAIN + "\n" * 9000 + "c\0,1,2,3", r"t.csv, A9004: found .* UTF-8$"),
    "secrets": ("".join(f",{n}" for n in range(32_769)), "t.csv: found 32,769 secrets, expected"),
    "far right": ("," + ",".join(map(str, range(700))) + "\na" + ",1" * 699, "t.csv, ZY2: found"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_mistakes_are_named_by_cell(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a person does wrong in a spreadsheet is said in one line, with the cell."""
    monkeypatch.chdir(tmp_path)
    content, said = REFUSED[name]
    with pytest.raises(InvalidGameError, match=f"^{said}") as error:
        read(Path("t.csv"), content)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 300


def test_utf_16_that_breaks_off(tmp_path: Path) -> None:
    """Half a character is no label: the file cannot be read."""
    with pytest.raises(UsageError, match=r"cannot read .*utf-16"):
        read(tmp_path / "table.csv", PLAIN.encode("utf-16")[:-1])


def test_files_that_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be read, or is too large, is no table."""
    for path in (tmp_path, tmp_path / "none.csv", Path("a\0b"), Path("x" * 999)):
        with pytest.raises(UsageError, match="cannot read"):
            read_table(path)
    monkeypatch.setattr("guessbook.book.csv_table.MAX_SHEET", 20)
    with pytest.raises(InvalidGameError, match="larger than 0 MiB"):
        read(tmp_path / "table.csv", PLAIN)
    monkeypatch.setattr("guessbook.export.spreadsheet.MAX_SHEET", 20)
    with pytest.raises(InvalidGameError, match=r"would have 81 cells and take .* fewer guesses"):
        list(sheet(NUMBERS))


@given(table_games())
def test_what_is_written_is_read(game: TableGame) -> None:
    """The table of a table game, as CSV, makes the same game."""
    if game.given:
        assert again(game) == game


def again(game: Game) -> TableGame:
    """The game of the table that is written for a game."""
    path = Path(mkdtemp()) / "again.csv"
    try:
        return read(path, "".join(sheet(game)))
    finally:
        path.unlink()
        path.parent.rmdir()


@pytest.mark.parametrize(
    "game",
    [
        LAMP,
        MIXED,
        NUMBERS,
        TableGame(["=1+1", "'", "'=", '"', "a;b\tc"], "xyz", ["121", "112", "221", "211", "123"]),
        TableGame(["a", "weights"], "xy", ["12", "21"], weights=[1, 2]),
        TableGame(["weights", "a"], "xy", ["12", "21"]),
        TableGame(["a"], ["s;t;u", "v;w;x"], ["12"]),
        TableGame(["a", "Weight"], "xy", ["12", "21"]),
    ],
    ids=repr,
)
def test_odd_labels_are_read_as_they_were_written(game: TableGame) -> None:
    """Formulas, quotation marks, separators and a guess called weights come back as they were."""
    assert again(game) == game


@pytest.mark.parametrize(
    "game",
    [
        Mastermind(3, 4),
        Mastermind(3, 5, repeats=False),
        WordGame(["crane", "slate", "trace", "crate", "stare"], ["tears", "crane", "rates"]),
        WordGame(["crane", "slate", "trace"], weights=[5, 1, 2]),
    ],
    ids=repr,
)
@pytest.mark.parametrize("policy", ["entropy", "minimax"])
def test_a_table_of_any_game_has_the_same_book(game: Game, policy: str) -> None:
    """A book of the table that a game makes needs as many guesses, and the same ones."""
    table = again(game)
    assert (table.guesses, table.secrets) == (tuple(game.guesses), tuple(game.secrets))
    one, other = build_strategy(game, policy), build_strategy(table, policy)
    assert one.stats.distribution == other.stats.distribution
    assert one.stats.weight_distribution == other.stats.weight_distribution
    assert sorted(one.tree.guess) == sorted(other.tree.guess)

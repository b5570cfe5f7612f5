"""Sheets: tables as people write them in spreadsheets, and as `guessbook table` writes them."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import guessbook as gb
from tests.helpers.command import Run
from tests.helpers.samples import WORD_GAME
from tests.helpers.tables import LAMP, MIXED, NUMBERS, table_games, weighted

PLAIN = ",x,y,z\na,1,2,2\nb,0,0,1\n"
GAME = gb.TableGame("ab", "xyz", [[1, 2, 2], [0, 0, 1]], goal="name")
HEAD = b",x,y\na,1,2\n"


def read(content: str | bytes) -> gb.TableGame:
    """Return the game of a file with this content."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return gb.read_table(path, things="columns", goal="name")


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        PLAIN.rstrip(),
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", "\t"),
        "\ufeff" + PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),
        PLAIN.replace(",", "\t").encode("utf-16"),
        PLAIN.encode("utf-16-be").join([b"\xfe\xff", b""]),
        PLAIN.replace("1", '"1"').replace("x", '" x "'),
        PLAIN.replace("2", "\u00a02 ").replace("\n", ",,\n"),
        "\n,,,\n" + PLAIN.replace("\n", "\n,,,,,\n"),
        "answers" + PLAIN,
        PLAIN.replace("\na", "\nWeights,7,7,7\na"),
        ', "x", "y", "z"\n"a", "1", "2", "2"\n"b", "0", 0, "1"\n',
        PLAIN.replace("y", '"\ny\n"'),
        'inches "' + PLAIN,
        '"a;b;c;d;e;f"' + PLAIN,
    ],
)
def test_variants_of_csv_give_the_same_game(content: str | bytes) -> None:
    assert read(content) == GAME


def test_apostrophe_marks_a_formula_as_text() -> None:
    game = read(",'=x,'-y,''z\n'@a,'+0,'1,-2\n")
    assert (game.guesses[0], game.secrets) == ("@a", ("=x", "-y", "'z"))
    assert game.answers == ("-2", "'1", "+0", "no", "found")


@pytest.mark.parametrize("row", ["weight,30,10,20", "WEIGHTS,0.3,.1,.2", "weight,30%,10 %,20.0%"])
def test_weights_may_be_in_the_second_row(row: str) -> None:
    game = gb.TableGame("ab", "xyz", [[1, 2, 2], [0, 0, 1]], [3, 1, 2], goal="name")
    assert read(PLAIN.replace("\na", f"\n{row}\na")) == game


def written(run: Run, game: gb.Game, folder: Path) -> gb.TableGame:
    """Write the table of a game by the command, and return the game that is read from it."""
    gb.build(game).save(folder / "x.book")
    run("table", "x.book", "-o", "x.csv", "--force")
    found = gb.read_table(folder / "x.csv", goal="name")
    assert run("table", "x.book").out == (folder / "x.csv").read_text("utf-8")
    return found


ODD = [
    weighted(LAMP, [9, 1, 4, 1, 2]),
    *[LAMP, MIXED, NUMBERS],
    gb.TableGame(
        ["=1+1", "'", "'=", '"', "a;b\tc"], "xyz", ["121", "112", "221", "211", "123"], goal="name"
    ),
    gb.TableGame(["a", "weights"], "xy", ["12", "21"], [1, 2], goal="name"),
    gb.TableGame(["weights", "a"], "xy", ["12", "21"], goal="name"),
    gb.TableGame(["a", "Weight"], "xy", ["12", "21"], goal="name"),
    gb.TableGame(["a"], ["s;t;u", "v;w;x"], ["12"], goal="name"),
]


@pytest.mark.parametrize("game", ODD, ids=repr)
def test_unusual_labels_can_be_written_and_read(
    run: Run, tmp_path: Path, game: gb.TableGame
) -> None:
    assert written(run, game, tmp_path) == game


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(game=table_games())
def test_any_table_can_be_written_and_read(run: Run, tmp_path: Path, game: gb.TableGame) -> None:
    if game.given:
        assert written(run, game, tmp_path) == game


@pytest.mark.parametrize(
    "game",
    [
        gb.Mastermind(3, 4),
        gb.Mastermind(3, 5, repeats=False),
        WORD_GAME,
        gb.WordGame(["crane", "slate", "trace"], weights=[5, 1, 2]),
    ],
    ids=repr,
)
def test_table_of_any_game_has_an_equivalent_book(run: Run, tmp_path: Path, game: gb.Game) -> None:
    table = written(run, game, tmp_path)
    assert (table.guesses, table.secrets) == (tuple(game.guesses), tuple(game.secrets))
    for policy in ("entropy", "minimax"):
        one, other = gb.build(game, policy), gb.build(table, policy)
        assert one.stats.distribution == other.stats.distribution
        assert one.stats.weight_distribution == other.stats.weight_distribution
        assert sorted(n.guess for n in one.nodes) == sorted(n.guess for n in other.nodes)


def test_unreadable_table_files_are_rejected(tmp_path: Path) -> None:
    paths: list[Any] = [tmp_path, tmp_path / "none.csv", "a\0b", "x" * 999, 0, None]
    for path in paths:
        with pytest.raises(gb.UsageError):
            gb.read_table(path)
    # The file ends within a character.
    with pytest.raises(gb.UsageError):
        read(PLAIN.encode("utf-16")[:-1])


@pytest.mark.parametrize("start", [b"", HEAD], ids=["alone", "after a table"])
@pytest.mark.parametrize(
    "unit",
    [
        b",",
        pytest.param(b'""\n', marks=pytest.mark.slow),
        *[
            pytest.param(unit, marks=pytest.mark.nightly)
            for unit in (b"\n", b"\r\n", b";", b" ", b",\n", b"a")
        ],
    ],
)
def test_too_many_lines_and_too_long_rows_are_rejected(unit: bytes, start: bytes) -> None:
    with pytest.raises(gb.InvalidGameError, match=r"1,048,576 lines|8,388,608 char|131,072 char"):
        read(start + unit * (20_000_000 // len(unit)))


@pytest.mark.parametrize(
    ("secrets", "said"), [(700, "ZY2"), (32_768, "AVLI2"), (32_769, "32,769 columns")]
)
def test_error_names_cells_far_to_the_right(secrets: int, said: str) -> None:
    with pytest.raises(gb.InvalidGameError, match=said):
        read("".join([f",{number}" for number in range(secrets)]) + "\na" + ",1" * (secrets - 1))


@pytest.mark.slow
def test_quoted_row_of_many_lines_is_rejected() -> None:
    with pytest.raises(gb.InvalidGameError, match="8,388,608 char"):
        read(b'a,"' + b'\n",,,,,,,,,,,,"' * 1_250_000)


@pytest.mark.slow
def test_table_at_the_limits_of_lines_and_characters_is_read() -> None:
    assert read(PLAIN + "\n" * ((1 << 20) - 3)) == GAME
    row = "c,1,2,3".ljust((1 << 23) - 1, ",")
    assert read(f"{PLAIN}{row}\n").given == 3
    with pytest.raises(gb.InvalidGameError):
        read(f"{PLAIN}{row},\n")


@pytest.mark.slow
def test_reading_a_table_takes_few_bytes_of_memory_per_answer(tmp_path: Path) -> None:
    bits = Random(1).getrandbits
    rows = [f"g{k}," + ",".join(f"{bits(1000):01000b}") + "\n" for k in range(1000)]
    path = tmp_path / "table.csv"
    path.write_text("".join([*(f",s{k}" for k in range(1000)), "\n", *rows]), "utf-8")
    del rows
    tracemalloc.start()
    try:
        assert gb.read_table(path, things="columns", goal="name").given == 1000
        assert tracemalloc.get_traced_memory()[1] < 5 << 20
    finally:
        tracemalloc.stop()


def test_table_file_beyond_the_size_limit_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(HEAD)
    os.truncate(path, (512 << 20) + 1)
    with pytest.raises(gb.InvalidGameError, match="512 MiB"):
        gb.read_table(path)


@pytest.mark.posix
@pytest.mark.nightly
def test_table_from_a_pipe_is_read_up_to_the_limit() -> None:
    code = "print(',x,y'); print('a,1,2'); [print(' ' * (1 << 20)) for _ in range(600)]"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as writer:
        assert writer.stdout
        with pytest.raises(gb.InvalidGameError, match="512 MiB"):
            gb.read_table(f"/dev/fd/{writer.stdout.fileno()}")
        writer.kill()


def test_table_too_large_for_csv_is_not_written(run: Run, tmp_path: Path) -> None:
    assert run("table", "--pegs", 5, "--colors", 8, "-o", "large.csv").code == 2
    assert not list(tmp_path.iterdir())

"""The tables in docs/reference/policies.md: rows that take seconds are built again and compared."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

import guessbook as gb
from tests.helpers.oracle import optima
from tests.helpers.wordlists import whole_lists

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "policies.md"
# Rows that took at most this many seconds, according to the page, are built again.
CHEAP = 10.0


class Row(NamedTuple):
    """A row of a table: the game as the page names it, the policy, and the cells by heading."""

    game: str
    policy: str
    cells: dict[str, str]


def measured_rows() -> list[Row]:
    """The rows of the page that have a policy and seconds."""
    found = []
    title, game = "", ""
    heads: list[str] = []
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("#"):
            title, heads = line.strip("# "), []
        if not line.startswith("| "):
            continue
        cells = [cell.strip(" *") for cell in line.strip("|").split("|")]
        if not heads:
            heads = cells
            continue
        named = dict(zip(heads, cells, strict=True))
        # An empty cell means the game of the row above.
        game = named.get("game", title) or game
        if named.get("seconds") and named["policy"].startswith("`"):
            found.append(Row(game, named["policy"].split("`")[1], named))
    return found


def game_of(name: str) -> gb.Game:
    """The game that a heading or the first cell of a row names."""
    if name.startswith("Mastermind, 4x6"):
        return gb.Mastermind(4, 6)
    if name.startswith("Bulls and Cows"):
        return gb.Mastermind(4, 10, repeats=False)
    if name[:3] in ("3x6", "4x7", "4x8", "5x8"):
        return gb.Mastermind(int(name[0]), int(name[2]))
    if name.startswith("Bagels"):
        return gb.Mastermind(3, 10, repeats=False)
    if name.startswith("4 of 8 without repeats"):
        return gb.Mastermind(4, 8, repeats=False)
    assert name.startswith("Wordle"), name
    return gb.WordGame(*whole_lists(5))


def built(row: Row) -> gb.Book:
    """Build the book of a row, whose policy looks like `rollout --base parts --width 50`."""
    name, *options = row.policy.split(" --")
    values = dict(option.partition(" ")[::2] for option in options)
    first = values.pop("first-guess", None)
    texts = [f"{key}={value}" if value else key for key, value in values.items()]
    return gb.build(game_of(row.game), f"{name}:{','.join(texts)}", first_guess=first)


def test_policies_page_has_measured_rows_for_all_games() -> None:
    assert len({row.game for row in measured_rows()}) == 9
    assert len(measured_rows()) > 40
    for row in measured_rows():
        assert all(value for head, value in row.cells.items() if head not in ("published", "game"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "row",
    [row for row in measured_rows() if float(row.cells["seconds"]) <= CHEAP],
    ids=lambda row: f"{row.game.split(',')[0].split(':')[0]}-{row.policy}",
)
def test_measured_row_matches_new_build(row: Row) -> None:
    book = built(row)
    known = book.stats
    assert row.cells["total"] == f"{known.total_guesses:,}"
    assert row.cells["worst"] == str(known.max_guesses)
    if "mean" in row.cells:
        assert row.cells["mean"] == f"{known.mean_guesses:.4f}"
    if "first" in row.cells:
        assert row.cells["first"] == book.root.guess
    for head, said in row.cells.items():
        if head.startswith("solved within "):
            solved = sum(known.distribution[: int(head.split()[-1])])
            assert said == f"{100 * solved / known.secrets:.2f}%"


def test_measured_optima_match_published_optima() -> None:
    found = {(row.game.split(",")[0], row.policy): row.cells for row in measured_rows()}
    known = {
        "Mastermind": (4, 6, True),
        "3x6": (3, 6, True),
        "Bagels": (3, 10, False),
        "4 of 8 without repeats": (4, 8, False),
    }
    for game, size in known.items():
        assert found[game, "optimal"]["total"] == f"{optima()[size]:,}"
    limited = found["Mastermind", "optimal --max-guesses 5"]
    assert (limited["total"], limited["worst"]) == ("5,626", "5")

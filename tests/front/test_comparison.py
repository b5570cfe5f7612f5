"""Comparing policies and books, the presets, and reading what others wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from guessbook.builder.limits import check_table
from guessbook.builder.openings import opening_codes
from guessbook.policy.notation import policy_of
from guessbook.policy.one_step import POLICIES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TREE = "4 (12: 1, 0, 0; 2; 1)"


def test_policies_and_books_are_compared() -> None:
    """Each has a row with its book, in the order asked for; a given book took no time."""
    game = gb.Mastermind(3, 4)
    given = gb.build(game, "minimax")
    sources: list[Any] = ["entropy", {"name": "rollout", "width": 3}, POLICIES["parts"], given]
    found = gb.compare(sources, game, jobs=1)
    assert [each.label for each in found.books] == [
        "entropy", "rollout (width 3)", "parts", "minimax"
    ]  # fmt: skip
    for source, each in zip(sources[:3], found.books, strict=False):
        assert each.book.to_bytes() == gb.build(game, source).to_bytes()
        assert each.seconds is not None
    assert found.books[3].seconds is None
    assert found.books[3].book.hint().guess == given.root.guess
    text = str(found)
    assert text.startswith("mastermind-3x4: 64 secrets\n\npolicy ")
    assert all(each.label in text for each in found.books)
    assert found._repr_svg_() == found.svg()
    assert found.svg().startswith("<svg")


def test_the_game_of_a_comparison() -> None:
    """It is the one that is named, else the first book's, else Mastermind; labels may be given."""
    given = gb.build("mastermind-2x3")
    assert gb.compare(["parts", given]).game == given.game
    assert gb.compare({"mine": given}).books[0].label == "mine"
    assert gb.compare([gb.open()]).game == gb.Mastermind(4, 6)
    with pytest.raises(gb.UsageError, match="found a book of mastermind-2x3"):
        gb.compare([given], "bagels")
    with pytest.raises(gb.UsageError, match="found an empty list to compare"):
        gb.compare([])
    with pytest.raises(gb.UsageError, match="expected a list of policies"):
        gb.compare("entropy")


def test_a_comparison_tells_how_far_it_is() -> None:
    """The progress names each policy, also before its build says anything."""
    seen: list[str] = []
    gb.compare(["entropy", "parts"], "mastermind-2x3", progress=lambda p: seen.append(p.stage))
    assert {"entropy", "parts"} <= set(seen)


@pytest.mark.slow
def test_presets_are_games() -> None:
    """Each preset without words is a game under its name, with as many secrets as it says."""
    known = gb.presets()
    assert len(known) > 10
    for preset in known:
        # The table of black-peg, 1,296 codes, takes seconds.
        if 0 < preset.secrets < 6000 and preset.name != "black-peg":
            game = gb.Session(preset.name).game
            assert len(game.secrets) == preset.secrets
            assert game == preset.game()


def test_what_others_wrote_is_read(tmp_path: Path) -> None:
    """A published tree is a book; a table of answers is a game that can be built."""
    read = gb.read_tree(TREE, "AB", source="by hand")
    assert type(read) is gb.Book
    assert read.hint().guess == "AB"
    assert read.policy == {"name": "imported", "source": "by hand"}
    path = tmp_path / "game.csv"
    path.write_text(",a,b,c\nx,1,2,3\n")
    game = gb.read_table(path)
    assert gb.build(game).stats.secrets == 3
    with pytest.raises(gb.InvalidBookError, match="line 1"):
        gb.read_tree("4 (12:")


@pytest.mark.parametrize(
    ("read", "given", "message"),
    [
        (gb.read_tree, [None], "found the tree None, expected a text"),
        (gb.read_tree, [TREE, 3], "found the symbols 3, expected a text"),
        (gb.read_tree, [TREE, None, 3], "found the source 3, expected a text"),
        (gb.read_table, [None], "found None, expected the path of a CSV file"),
        (gb.read_table, [3], "found 3, expected the path of a CSV file"),
        (gb.read_table, [b"x"], "found b'x', expected the path of a CSV file"),
    ],
)
def test_what_is_no_text_is_refused(
    read: Callable[..., object], given: list[Any], message: str
) -> None:
    """Neither None nor a number is read as a tree or a table, or as a file that is open."""
    with pytest.raises(gb.UsageError) as caught:
        read(*given)
    assert str(caught.value) == message


def test_messages_name_no_options_of_the_command() -> None:
    """What the library says holds for those who call it: the command adds its own words."""
    large = gb.Mastermind(4, 5)
    words = gb.WordGame([f"{a}{b}{c}" for a in "abcdefg" for b in "hijklm" for c in "nopqr"])
    refused: list[Callable[[], object]] = [
        lambda: gb.build("jotto"),
        lambda: check_table(large, policy_of("optimal"), 1),
        lambda: opening_codes(words),
    ]
    for ask in refused:
        with pytest.raises(gb.GuessbookError) as caught:
            ask()
        assert "--" not in str(caught.value)

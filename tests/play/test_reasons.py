"""The commands that look at a history: explain, rate, review and share."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from guessbook.book import Mastermind, WordGame
from guessbook.builder import build_strategy
from tests.helpers.samples import LONG

if TYPE_CHECKING:
    from tests.helpers.command import Run


def test_explain_and_rate(run: Run) -> None:
    """The reasons and the ratings, in text and in JSON, wide and narrow."""
    code, out, _ = run("explain", "RYGB=1,1", "RGOP=0,2")
    assert code == 0
    assert "PYYG: 3.4511 bits expected, 57 possible" in out
    found = json.loads(run("explain", "RYGB=1,1", "--json", "--count", "3")[1])
    assert len(found["alternatives"]) == 3
    assert set(found["best_by"]) >= {"entropy", "minimax", "parts", "expected"}
    assert run("explain", "RRRR=1,0", "YYYY=1,0", "RRYY=0,0")[0] == 4
    assert json.loads(run("rate", "RYGB=1,1", "RGOP=0,2", "PYYG", "--json")[1])["skill"] == 100
    assert "skill" in run("rate", "RRYY")[1]
    assert json.loads(run("rate", "--pair", "RYGB", "YGOP", "--json")[1])["cells"] == 101
    assert "RYGB YGOP" in run("rate", "--pair", "RYGB", "YGOP")[1]
    assert run("rate", "RYGB=1,1")[0] == 2
    assert run("explain", "--pairs", "RYGB")[0] == 2


def test_explain_finds_the_best_pair(run: Run, words: str) -> None:
    """`explain --pairs` lists pairs, the best first."""
    found = json.loads(run("explain", "--book", words, "--pairs", "--json", "--count", "2")[1])
    assert len(found["pairs"]) == 2
    assert found["pairs"][0]["entropy"] >= found["pairs"][1]["entropy"]


def test_review_and_share(run: Run, words: str) -> None:
    """A finished game looked at afterwards, and its grid."""
    game = ["RYGB=1,1", "RGOP=0,2", "PYYG=2,1", "GYYO=4,0"]
    found = json.loads(run("review", *game, "--json")[1])
    assert (found["skill"], found["solved"], found["remaining"]) == (100, True, 1)
    assert "the policy takes 4" in run("review", *game)[1]
    assert run("share", *game, "--ascii")[1].splitlines()[2:] == ["BW..", "WW..", "BBW.", "BBBB"]
    out = run("share", "--book", words, "light=02222", "eight=22222")[1]
    assert out.splitlines()[2:] == ["⬛🟩🟩🟩🟩", "🟩🟩🟩🟩🟩"]
    assert run("share", "RRRR=1,0", "YYYY=1,0", "RRYY=0,0")[0] == 4
    known = json.loads(run("share", *game, "--json")[1])
    assert (known["guesses"], known["solved"], known["rows"][0]) == (4, True, "●○··")
    assert run("share")[0] == run("review")[0] == 2
    assert run("review", "GYYO=4,0", "RYGB=1,1")[0] == run("share", "RRRR=4,0", "RRRR=4,0")[0] == 2
    assert "3 guesses" in run("share", "RYGB=1,1", "RYGB=1,1", "RGOP=0,2")[1]


@pytest.mark.parametrize(
    "arguments",
    [
        ["explain", "RYGB=1,1"],
        ["explain", "RYGB=1,1", "RGOP=0,2"],
        ["rate", "RRYY"],
        ["rate", "--pair", "RYGB", "YGOP"],
        ["review", "RYGB=1,1", "RGOP=0,2"],
        ["review", "RYGB=1,1", "RGOP=0,2", "PYYG=2,1", "GYYO=4,0"],
        ["run", "--secret", "PYRO"],
        ["run", "--secret", "PYRO", "--shuffle", "--first-guess", "RRRR"],
        ["simulate", "--fraction", "0.1"],
        ["run", "long.book", "--secret", "abcdefghijlk"],
        ["explain", "--book", "long.book"],
        ["rate", "--book", "long.book", "abcdefghijkl"],
        ["rate", "--book", "long.book", "--pair", "abcdefghijkl", "mlkjihgfedcb"],
        ["review", "--book", "long.book", "abcdefghijkl=222222222211"],
        ["run", "wide.book", "--secret", "YYRRYRYR"],
        ["review", "--book", "wide.book", "RRRRRRRR=4,0"],
    ],
)
@pytest.mark.parametrize("dumb", ["dumb", "screen"])
def test_reports_fit_40_columns(
    run: Run, arguments: list[str], dumb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No line is wider than a terminal of 40 columns, also with words of 12 letters and 8 pegs."""
    for name, game in (("long", WordGame(LONG)), ("wide", Mastermind(8, 2))):
        if f"{name}.book" in arguments:
            build_strategy(game).save(f"{name}.book")
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", dumb)
    code, out, _ = run(*arguments)
    assert code == 0
    assert max(map(cell_len, out.splitlines())) <= 40, out

"""The commands `run` and `simulate`: games that a policy plays."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

from tests.helpers.command import Run, one_line


def test_run(run: Run, words: str) -> None:
    """A game is shown guess by guess with what remained, in text and in JSON."""
    code, out, _ = run("run", "--secret", "pyro")
    assert code == 0
    assert "252 left" in out
    assert "PYRO found in 4 guesses" in out
    code, out, _ = run("run", "--secret", "PYRO", "--first-guess", "RRYY", "--json")
    turns = json.loads(out)["turns"]
    assert (turns[0]["guess"], turns[0]["source"]) == ("RRYY", "first guess")
    assert turns[-1]["feedback"] == "4,0"
    code, out, _ = run("run", words, "--secret", "night", "--secret", "geese", "--json")
    boards = json.loads(out)["boards"]
    assert [board["secret"] for board in boards] == ["night", "geese"]
    for board in boards:
        assert len(board["turns"]) == board["guesses"] <= json.loads(out)["guesses"]
        assert board["turns"][-1] == {
            "guess": board["secret"],
            "feedback": "22222",
            "left": 1,
        }
    code, out, _ = run("run", "--secret", "PYRO", "--shuffle", "--random-seed", "3", "--json")
    assert {turn["source"] for turn in json.loads(out)["turns"]} == {"book"}
    for wrong in ([], ["--secret", "XXXX"], ["--secret", "PYRO", "--random-seed", "3"]):
        code, out, err = run("run", *wrong)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
    assert run("run", words, "--secret", "tiger")[0] == 2
    assert run("run", words, "--secret", "night", "--shuffle")[0] == 2


def test_simulate(run: Run, tmp_path: Path) -> None:
    """Counts go to a file that is not overwritten, the distribution to the screen or JSON."""
    code, out, _ = run("simulate", "-o", "counts.csv")
    assert code == 0
    assert "4.4151 on average, 6 at most" in out
    lines = (tmp_path / "counts.csv").read_text().splitlines()
    assert lines[0] == "secret,guesses"
    assert sum(int(line.split(",")[1]) for line in lines[1:]) == 5722
    assert "--force" in one_line(run("simulate", "-o", "counts.csv"))
    code, out, _ = run("simulate", "--fraction", "0.1", "--random-seed", "1", "--json")
    found = json.loads(out)
    assert found["played"] == sum(found["distribution"].values()) == 130
    assert run("simulate", "--fraction", "2")[0] == 2


def test_simulate_checks_its_output_first(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that cannot be written is found before a single game is played."""

    def simulated(*_: object) -> None:
        raise AssertionError("played before the check")

    monkeypatch.setattr("guessbook.play.run.simulate", simulated)
    code, out, err = run("simulate", "-o", "nowhere/counts.csv")
    assert (code, out) == (1, "")
    assert "there is no folder nowhere" in err
    assert run("simulate", "-o", ".", "--force")[0] == 1

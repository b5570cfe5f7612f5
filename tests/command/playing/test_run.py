"""The commands `run` and `simulate`: games that a policy plays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guessbook.lookup import open_book
from guessbook.play.codemaker import random_secrets
from tests.helpers.command import Run, one_line


def test_run(run: Run, words: str) -> None:
    """A game is shown guess by guess with what remained, in text and in JSON."""
    code, out, _ = run("run", "--secret", "pyro")
    assert code == 0
    assert "252 left" in out
    assert "PYRO found in 4 guesses: a win, 10 are allowed" in out
    code, out, _ = run("run", "--secret", "PYRO", "--first-guess", "RRYY", "--json")
    turns = json.loads(out)["turns"]
    assert (turns[0]["guess"], turns[0]["source"]) == ("RRYY", "first guess")
    assert turns[-1]["feedback"] == "4,0"
    code, out, _ = run("run", words, "--secret", "night", "--secret", "geese", "--json")
    boards = json.loads(out)["boards"]
    assert [board["secret"] for board in boards] == ["night", "geese"]
    for board in boards:
        assert len(board["turns"]) == board["guesses"] <= json.loads(out)["guesses"]
        assert board["turns"][-1] == {"guess": board["secret"], "feedback": "22222", "left": 1}
    code, out, _ = run("run", "--secret", "PYRO", "--shuffle", "--random-seed", "3", "--json")
    assert {turn["source"] for turn in json.loads(out)["turns"]} == {"book"}
    for wrong in (["--secret", "XXXX"], ["--secret", "PYRO", "--random-seed", "3"]):
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


def test_run_draws_a_secret(run: Run) -> None:
    """Where no secret is named one is drawn, by a seed the same again; also with a shuffle."""
    drawn = [json.loads(run("run", "--seed", 3, "--json").out) for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert drawn[0]["secret"] == random_secrets(open_book().game, 1, 3)[0]
    assert drawn[0]["turns"][-1]["feedback"] == "4,0"
    assert (drawn[0]["allowed_guesses"], drawn[0]["won"]) == (10, True)
    mixed = json.loads(run("run", "--shuffle", "--random-seed", 3, "--json").out)
    assert mixed["secret"] == drawn[0]["secret"]
    assert run("run").code == 0


def test_a_game_that_takes_too_long_is_lost(run: Run, words: str) -> None:
    """The limit is that of the real game: six for words of five letters; else there is none."""
    found = json.loads(run("run", words, "--secret", "night", "--json").out)
    assert (found["allowed_guesses"], found["won"]) == (6, True)
    Path("alike.txt").write_text("".join(f"{letter}ight\n" for letter in "abcdefghij"))
    assert run("build-book", "--answers", "alike.txt", "-o", "alike.book").code == 0
    lost = run("run", "alike.book", "--secret", "jight").out
    assert "jight found in 10 guesses: a loss, 6 are allowed" in lost
    assert "wins        6 of 10 within 6 guesses" in run("simulate", "alike.book").out
    assert json.loads(run("simulate", "alike.book", "--json").out)["wins"] == 6
    assert run("build-book", "--pegs", 2, "--colors", 2, "-o", "small.book").code == 0
    assert "allowed" not in run("run", "small.book", "--json").out
    assert "wins" not in run("simulate", "small.book").out


def test_simulate_games(run: Run) -> None:
    """A number of games with random secrets, by a seed the same again; not with a fraction."""
    found = [json.loads(run("simulate", "--games", 50, "--seed", 1, "--json").out) for _ in "ab"]
    assert found[0] == found[1]
    assert found[0]["played"] == found[0]["wins"] == sum(found[0]["distribution"].values()) == 50
    assert found[0]["mean_guesses"] == found[0]["total_guesses"] / 50
    assert "played      50 games, 1,296 secrets" in run("simulate", "--games", 50).out
    assert "found --fraction 0.5 and --games 5" in one_line(
        run("simulate", "--games", 5, "--fraction", "0.5")
    )
    assert run("simulate", "--games", 0).code == 2


def test_simulate_checks_its_output_first(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that cannot be written is found before a single game is played."""

    def simulated(*_: object) -> None:
        raise AssertionError("played before the check")

    monkeypatch.setattr("guessbook.play.run.simulate", simulated)
    code, out, err = run("simulate", "-o", "nowhere/counts.csv")
    assert (code, out) == (1, "")
    assert "there is no folder nowhere" in err
    assert run("simulate", "-o", ".", "--force")[0] == 1

"""The commands `bot` and `score`: the questions of the server, without HTTP."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.serve.question import QUESTIONS, answer
from guessbook.lookup import open_book
from tests.helpers.command import START, complaint

if TYPE_CHECKING:
    from tests.helpers.command import Run

HISTORY = ["RYGB=1,1", ["RGOP", "0,2"]]
ASKED: dict[str, dict[str, Any]] = {
    "hint": {"history": HISTORY},
    "candidates": {"history": HISTORY, "count": 3},
    "explain": {"history": HISTORY, "guess": "YYYY"},
    "rate": {"history": HISTORY, "guess": "YYYY"},
    "score": {"guess": "RYGB", "secret": "PYRO"},
}


def test_bot_answers_the_questions_of_the_server(run: Run) -> None:
    """Each question as a JSON object gets what the server answers, and its `id` with it."""
    assert ASKED.keys() == QUESTIONS.keys()
    lines = [{"question": name, "id": name, **asked} for name, asked in ASKED.items()]
    result = run("bot", lines="".join(json.dumps(line) + "\n" for line in lines))
    found = [json.loads(line) for line in result.out.splitlines()]
    for given, (name, asked) in zip(found, ASKED.items(), strict=True):
        wanted = answer(open_book(), name, asked).content
        assert given == {"id": name, **json.loads(json.dumps(wanted, default=str))}
    # Without a name it is a hint, and an answer has an id only where the question has.
    first, *others = run("bot", lines='\ufeff{"history": []}\n\n[]\n').out.splitlines()
    assert others == [first] * 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"history": [], "id": 1, "question": "nonsense"}, "expected one of hint, candidates, "),
        ({"history": [], "id": 1, "question": None}, "found question null, expected one of hint"),
        ({"history": [], "id": 1, "guess": "YYYY"}, 'ask explain or rate (bot: "question": "exp'),
        ({"history": [], "id": 1, "count": 3}, "for hint, which takes history; ask candidates or"),
        ({"guess": "RYGB", "id": 1, "secret": "PYRO"}, 'ask score (bot: "question": "score", HTTP'),
        ({"histroy": [], "id": 1}, "field 'histroy' for hint, which takes history; did you mean"),
        ({"id": 1}, 'found no history, expected one, such as "history": "RRRR=0,0" in JSON'),
        ({"history": [], "id": 1, "question": "rate"}, 'such as "guess": "RRRR" in JSON'),
        ({"guess": "RYGB", "id": 1, "question": "score"}, 'such as "secret": "RRRR" in JSON'),
        ({"history": ["RYGX=1,1"], "id": 1}, "found 'X' in code 'RYGX'"),
        ({"history": [], "id": 1, "question": "candidates", "count": True}, "found true"),
    ],
)
def test_a_wrong_question_is_an_error_of_its_line(run: Run, line: object, said: str) -> None:
    """What makes no sense gets one error, with the id of the question; the next is answered."""
    wrong, right = run("bot", lines=f"{json.dumps(line)}\n\n").out.splitlines()
    found = json.loads(wrong)
    assert list(found) == ["id", "error", "exit_code", "suspects"]
    assert (found["id"], found["exit_code"]) == (1, 2)
    assert said in found["error"]
    assert json.loads(right)["guess"] == "RYGB"


@pytest.mark.posix
def test_the_bot_of_the_readme(root: Path, tmp_path: Path) -> None:
    """The program of ten lines in README.md finds the secret, and prints its game."""
    text = (root / "README.md").read_text("utf-8")
    ((program, shown),) = re.findall(
        r"```python\n(import json, .*?)```.*?```text\n(.*?)```", text, re.DOTALL
    )
    assert len([line for line in program.splitlines() if line]) == 10
    # The program calls the command by its name, which here is a script that calls this one.
    script = tmp_path / "guessbook"
    script.write_text(f'#!/bin/sh\nexec {START[0]} -c "{START[2]}" "$@"\n')
    script.chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    environment["PATH"] = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == shown


def test_score(run: Run, words: str, tmp_path: Path) -> None:
    """It prints the feedback, of the game of the options or of the book, as text or as JSON."""
    assert run("score", "rygb", "PYRO").out == "1,1\n"
    assert run("score", "123", "132", "--preset", "bagels").out == "1,2\n"
    assert run("score", "0123", "3210", "--book", "bulls-and-cows-4x10").out == "0,4\n"
    assert run("score", "geese", "eight", "--book", words).out == "11000\n"
    found = json.loads(run("score", "PYRO", "PYRO", "--json").out)
    assert found == {"guess": "PYRO", "secret": "PYRO", "feedback": "4,0", "solved": True}
    assert "found 'X' in code 'RYGX'" in complaint(run("score", "RYGX", "PYRO"), 2)
    assert run("score", words, "geese", "eight").out == "11000\n"
    assert run("score", "bagels", "123", "132").out == "1,2\n"
    said = complaint(run("score", "crane", "slate"), 2)
    assert said.endswith("the preset wordle: guessbook score wordle crane slate")
    assert "expected a guess and a secret" in complaint(run("score", "RYGB"), 2)
    assert "quotes around" in complaint(run("score", "a", "b", "c", "d"), 2)
    both = run("score", "RYG", "GYR", "--book", "mastermind-4x6", "--pegs", 3)
    assert "found the book 'mastermind-4x6' and options of a game" in complaint(both, 2)
    (tmp_path / "lamp.csv").write_text("test,bulb,fuse\nswap,on,dark\nlook,black,dark\n")
    assert run("score", "swap", "fuse", "--table", "lamp.csv").out == "dark\n"
    never = complaint(run("score", "swap", "look", "--table", "lamp.csv"), 2)
    assert "this game allows it only as a guess" in never

"""Long text that somebody typed is shortened wherever a message repeats it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from guessbook.book import Mastermind
from guessbook.book.errors import InvalidFeedbackError, UsageError
from guessbook.book.games.words import WordGame
from guessbook.play.terminal.questions import (
    QuestionError,
    parse_answers,
    parse_edit,
    row_number,
    shown_count,
)
from tests.helpers.command import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.helpers.command import Run

LONG = "x" * 2000
# One line that a terminal of usual width shows in two or three rows.
MOST = 300


@pytest.mark.parametrize(
    "arguments",
    [
        ("--policy", LONG),
        ("--policy", f"rollout:{LONG}=3"),
        ("--policy", f"rollout:name={LONG}"),
        ("--policy", f"rollout:width={LONG}"),
        ("--policy", f"rollout:width=,{LONG}"),
        ("--policy", f"rollout:base={LONG}"),
        ("--preset", LONG),
        ("--pegs", "4", "--colors", "6", "--first-guess", LONG),
        ("--pegs", "2", "--colors", "2", "--scheduler", LONG),
    ],
    ids=lambda arguments: " ".join(text[:20] for text in arguments),
)
def test_options_are_shortened(run: Run, arguments: tuple[str, ...]) -> None:
    """A value of 2,000 characters is repeated by its beginning."""
    assert len(one_line(run("build-book", *arguments))) < MOST


@pytest.mark.parametrize(
    ("arguments", "typed"),
    [
        (["play", "mastermind-4x6"], f":{LONG}\n:list {LONG}\n"),
        (["solve", "mastermind-4x6"], f":{LONG}\nlist {LONG}\nedit {LONG}\naside {LONG}\n"),
        (["solve", "mastermind-4x6"], f"rate {LONG}\nRYGB={LONG}\n{LONG}=1,1\n"),
        (["solve", "mastermind-4x6", "--boards", "2"], f":{LONG}\nedit {LONG}\n"),
    ],
)
def test_commands_at_a_prompt_are_shortened(run: Run, arguments: list[str], typed: str) -> None:
    """A command of 2,000 characters is repeated by its beginning."""
    done = run(*arguments, lines=typed)
    # What is typed into a pipe is shown after the prompt, as on a screen.
    answers = [line for line in done.out.splitlines() if line.startswith("Found")]
    assert len(answers) == typed.count("\n")
    assert all("xxx..." in line and len(line) < MOST for line in answers)


def test_a_line_of_many_words_takes_bounded_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of more words than any guess and its feedback have is refused before they are read."""
    reads: list[object] = []
    parse = Mastermind.parse_feedback

    def noted(game: Mastermind, feedback: object) -> int:
        reads.append(feedback)
        return parse(game, feedback)

    monkeypatch.setattr(Mastermind, "parse_feedback", noted)
    for line in ("1 " * 10_000, "R" * 1_000_000, "R " * 10_000 + "=1,1"):
        reads.clear()
        with pytest.raises(
            QuestionError, match="characters, too long for a guess and its feedback"
        ):
            parse_answers(Mastermind(4, 6), line)
        assert reads == []
    with pytest.raises(InvalidFeedbackError):
        parse_answers(Mastermind(4, 6), "1 " * 399)
    assert len(reads) < 2000


def test_json_constants_have_their_own_names(run: Run) -> None:
    """`bot` calls null, true and false by the names that JSON has for them."""
    lines = '[null]\n[["RYGB", true]]\n[["RYGB", [false, 1]]]\n'
    errors = [json.loads(line)["error"] for line in run("bot", lines=lines).out.splitlines()]
    expected = "expected guesses and feedbacks as text"
    assert errors == [f"found {name}, {expected}" for name in ("null", "true", "false")]


@pytest.mark.parametrize(
    "ask",
    [
        lambda: shown_count(LONG),
        lambda: row_number(LONG),
        lambda: parse_edit(Mastermind(4, 6), f"1 {LONG}"),
        lambda: parse_answers(Mastermind(4, 6), f"{LONG}=1,1"),
        lambda: WordGame(["crane"]).parse_code(LONG),
    ],
)
def test_questions_are_shortened(ask: Callable[[], object]) -> None:
    """The messages of questions and of games repeat the beginning only."""
    with pytest.raises(UsageError) as error:
        ask()
    assert len(str(error.value)) < MOST

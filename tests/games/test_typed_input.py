"""Any input is read, or rejected with the documented error in one short line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.helpers.command import Run

# At most four rows of a terminal.
LONGEST = 300

GAMES: list[gb.Game] = [
    gb.Mastermind(1, 1),
    gb.Mastermind(4, 6),
    gb.Mastermind(3, 10, repeats=False),
    gb.Mastermind(15, 4),
    gb.Mastermind(2, 5, symbols="αβγ🐄ß"),
    gb.WordGame(["crane", "slate", "geese"]),
    gb.WordGame(["ёж", "уж"], scoring="loose"),
    gb.TableGame(
        ["shake it", "a=b"], range(3), [["Rattles", "no", "no"], [10, 10, "too light"]], goal="name"
    ),
]
games = st.sampled_from(GAMES)

# The characters of all notations in any order, or any characters.
typed = st.text("RYGBrygb0123456789,= BWbw⬛🟨🟩\ufe0f\n-+.", max_size=12) | st.text(max_size=20)
numbers = st.integers(-3, 20) | st.integers() | st.booleans() | st.floats()
things = st.recursive(
    st.none() | numbers | typed | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.tuples(inner),
    max_leaves=6,
)
entries = typed | things | st.tuples(typed, typed) | st.builds("{}={}".format, typed, typed)


def check_short(error: gb.GuessbookError) -> None:
    """Check that the message of an error is short."""
    assert 0 < len(str(error)) <= LONGEST


@given(game=games, value=things)
def test_any_feedback_or_code_is_read_or_rejected(game: gb.Game, value: Any) -> None:
    try:
        number = game.parse_feedback(value)
    except gb.InvalidFeedbackError as error:
        check_short(error)
    else:
        assert game.is_possible(number)
        assert game.parse_feedback(game.format_feedback(number)) == number
    try:
        index = game.parse_code(value)
    except gb.InvalidCodeError as error:
        check_short(error)
    else:
        assert game.parse_code(game.guesses[index]) == index


@given(game=games, history=st.lists(entries, max_size=4) | things | typed)
def test_any_history_is_read_or_rejected(game: gb.Game, history: object) -> None:
    try:
        pairs = gb.Session(game, history).history
    except gb.UsageError as error:
        check_short(error)
    else:
        assert gb.Session(game, pairs).history == pairs


class Unspeakable:
    """A value whose `repr` fails."""

    def __repr__(self) -> str:
        raise RuntimeError


UNSPEAKABLE = [10**5000, (10**5000, 0), "R" * 10**6, ["R"] * 10**5, b"x" * 10**6, Unspeakable()]


@pytest.mark.parametrize("value", UNSPEAKABLE, ids=lambda _: "value")
def test_values_that_cannot_be_shown_are_rejected(value: Any) -> None:
    for game in GAMES:
        with pytest.raises(gb.InvalidFeedbackError) as feedback:
            game.parse_feedback(value)
        with pytest.raises(gb.InvalidCodeError) as code:
            game.parse_code(value)
        with pytest.raises(gb.UsageError) as history:
            gb.Session(game, [value])
        for caught in (feedback, code, history):
            check_short(caught.value)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_value_of_game_feedback_is_accepted_wherever_its_text_is(game: gb.Game) -> None:
    if len(game.guesses) > 1296:
        return
    book = gb.build(game)
    secret, guess = game.secrets[-1], book.root.guess
    found = game.feedback(guess, secret)
    told, written = [(guess, found)], [f"{guess}={found}"]
    assert game.parse_feedback(found) == game.parse_feedback(str(found))
    assert book.get(told) == book.get(written) == book.root.child(found)
    assert book.root.child(found) == book.root.children.get(str(found))
    session = gb.Session(book, told)
    assert session.history == gb.Session(book, written).history == [(guess, str(found))]
    assert secret in session.candidates()
    session.edit(0, guess, found)
    assert session.rows[0] == (guess, str(found), False)
    boards = gb.Boards(book, 2)
    boards.add_guess(guess, [found, game.feedback(guess, game.secrets[0])])
    assert boards.sessions[0].history == [(guess, str(found))]


@pytest.mark.parametrize(
    "options",
    [
        *["--policy {}", "--policy rollout:{}=3", "--policy rollout:name={}", "--preset {}"],
        *["--policy rollout:width={}", "--policy rollout:width=,{}", "--policy rollout:base={}"],
        "--pegs 4 --colors 6 --first-guess {}",
    ],
)
def test_long_options_are_shortened_in_errors(run: Run, options: str) -> None:
    done = run("build-book", *options.format("x" * 2000).split())
    assert done.code
    assert done.err.count("\n") == 1
    assert len(done.err) <= LONGEST


@pytest.mark.parametrize(
    ("command", "lines"),
    [
        ("play mastermind-4x6", ":{0}\n:list {0}\n"),
        ("solve mastermind-4x6", ":{0}\nlist {0}\nedit {0}\nedit 1 {0}\naside {0}\nrate {0}\n"),
        ("solve mastermind-4x6", "RYGB={0}\n{0}=1,1\n"),
        ("solve mastermind-4x6 --boards 2", ":{0}\nedit {0}\n"),
    ],
)
def test_long_lines_are_shortened_at_a_prompt(run: Run, command: str, lines: str) -> None:
    lines = lines.format("x" * 2000)
    done = run(*command.split(), lines=lines)
    # Input from a pipe is shown after the prompt, as on a screen.
    answers = [line for line in done.out.splitlines() if "xxx..." in line]
    assert len(answers) == lines.count("\n")
    assert all(len(line) <= LONGEST for line in answers)


def test_long_lines_at_a_prompt_are_rejected_at_once(run: Run) -> None:
    lines = ["1 " * 100_000, "R" * 1_000_000, "R " * 100_000 + "=1,1"]
    out = run("solve", "mastermind-4x6", lines="\n".join(lines)).out
    assert " ".join(out.split()).count("Line too long for a guess and its feedback") == 3
    assert "ine too long" not in run("solve", "mastermind-4x6", lines="1 " * 399).out


def test_errors_name_json_constants_as_json_does(run: Run) -> None:
    lines = '[null]\n[["RYGB", true]]\n[["RYGB", [false, 1]]]\n'
    errors = [json.loads(line)["error"] for line in run("bot", lines=lines).out.splitlines()]
    assert [error.split()[0] for error in errors] == ["null", "true", "false"]

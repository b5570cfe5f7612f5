"""The prompts: whatever is typed, in any order, is answered and never raises."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guessbook.book import Mastermind, TableGame
from guessbook.book.errors import UsageError
from guessbook.play import Session
from guessbook.play.boards import Boards
from guessbook.play.codemaker import Adversary, Codemaker
from guessbook.play.terminal.drawing import Screen
from guessbook.play.terminal.play import Player
from guessbook.play.terminal.questions import QuestionError, parse_answers
from guessbook.play.terminal.solve import SolveAssistant
from guessbook.play.terminal.solve_boards import BoardsAssistant
from tests.helpers.samples import SMALL, WORD_GAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from guessbook.book import Game

COMMANDS = [
    *("?", "help", "list", "rate", "rows", "undo", "edit", "aside", "hint", "give-up"),
    *("", "=", "1", "²", "edit 1", "aside 99", "aside 1 1", "rate x", "\x00", "🟩"),
    *("list 0", "list 1", "list ALL", "list -1", "no", "no light"),
]
GAMES: dict[str, tuple[Game, list[str], list[str]]] = {
    "codes": (SMALL, ["RRY", "GBR", "YYY", "rgb"], ["0,0", "1,0", "0,1", "1,2", "3,0", "0012"]),
    "words": (WORD_GAME, ["light", "TIGER", "geese"], ["00000", "02222", "22222", "10000"]),
}


@st.composite
def typed(draw: st.DrawFn, codes: list[str], feedbacks: list[str]) -> list[str]:
    """Lines that a person may type."""
    row, code, feedback = st.integers(0, 4), st.sampled_from(codes), st.sampled_from(feedbacks)
    answer = st.builds("{}={}".format, code, feedback)
    line = st.one_of(
        st.sampled_from(COMMANDS),
        st.sampled_from(COMMANDS).map(":{}".format),
        code,
        feedback,
        answer,
        st.builds("edit {} {}".format, row, st.one_of(feedback, answer)),
        st.builds("aside {}".format, row),
        st.builds("rate {}".format, code),
        st.text(max_size=8),
    )
    return draw(st.lists(line, max_size=12))


@pytest.mark.parametrize("kind", GAMES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_every_line_is_answered(
    kind: str, data: st.DataObject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Solve, boards, play: after any lines the game ends with its input, without an exception."""
    game, codes, feedbacks = GAMES[kind]
    lines = data.draw(typed(codes, feedbacks))
    session, screen = Session(game), Screen()
    codemakers = [
        Codemaker(game, secret) for secret in data.draw(st.permutations(game.secrets))[:3]
    ]
    players: list[SolveAssistant | BoardsAssistant | Player] = [
        SolveAssistant(session, screen),
        BoardsAssistant(Boards(session, 2), screen),
        Player(Session(game), [Adversary(game)], screen),
        Player(Session(game), codemakers, screen, plain=True, max_guesses=3),
    ]
    for player in players:
        left = iter(lines)

        def read(_: str, left: Iterator[str] = left) -> str:
            for line in left:
                return line
            raise EOFError

        monkeypatch.setattr(builtins, "input", read)
        assert player.play() in (True, False)


@pytest.mark.parametrize("game", [SMALL, WORD_GAME], ids=["codes", "words"])
def test_every_way_to_write_an_answer(game: Game) -> None:
    """A guess and its feedback are read with `=` or a space between them, on one board or more."""
    code = game.guesses[3]
    feedback = str(game.feedback(code, game.secrets[0]))
    spelled = " ".join(code)
    for line in (f"{code}={feedback}", f"{code} {feedback}", f"{spelled} = {feedback}"):
        assert parse_answers(game, line) == (code, [feedback])
        assert parse_answers(game, f"{line} {feedback}", boards=2) == (code, [feedback, feedback])
    assert parse_answers(game, feedback) == (None, [feedback])
    for nonsense in ("", "=", f"{code}=", f"{code} {code}", f"{feedback} {feedback} {feedback}"):
        with pytest.raises(UsageError):
            parse_answers(game, nonsense)


def test_an_ambiguous_answer_is_asked_back() -> None:
    """Digits that may be a guess and its feedback, or the feedbacks of two boards."""
    game = Mastermind(3, 4, symbols="0123")
    with pytest.raises(QuestionError, match=r"may mean .* or "):
        parse_answers(game, "012 111", boards=2)


def test_one_feedback_wins_over_two_lone_digits() -> None:
    """`0 0` is the feedback of a board; it does not mean a lone `0` for each of two boards."""
    assert parse_answers(Mastermind(4, 6), "0 0", boards=2) == (None, ["0,0"])
    assert parse_answers(Mastermind(4, 6), "0,0 0", boards=2) == (None, ["0,0", "0,0"])


@pytest.mark.parametrize("answer", ["list", "quit", "undo"])
@pytest.mark.parametrize("boards", [1, 2])
def test_a_label_wins_over_a_command(
    answer: str, boards: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An answer that is spelled like a command is one; with a colon it is the command."""
    game = TableGame(["which?"], ["Anna", "Bob", "Eva"], [["list", "quit", "undo"]])
    session, lines = Session(game), iter([":list", *[answer] * boards, ":quit"])
    monkeypatch.setattr(builtins, "input", lambda _: next(lines))
    if boards == 1:
        SolveAssistant(session, Screen()).play()
    else:
        several = Boards(session, boards)
        BoardsAssistant(several, Screen()).play()
        session = several.sessions[1]
    assert session.history == [("which?", answer)]
    assert "Anna Bob Eva" in " ".join(capsys.readouterr().out.split())
    assert not list(lines)

"""Patience: long work says what it is, and Ctrl-C ends the wait."""

from __future__ import annotations

import builtins
import io
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from signal import SIGINT, raise_signal

import pytest

from guessbook.book.games.beyond import read_history
from guessbook.lookup import interruptible
from guessbook.lookup.hint import Hint
from guessbook.lookup.interruptible import StoppedError, run_interruptibly
from guessbook.play import codemaker, position
from guessbook.play.analysis import Analysis
from guessbook.play.boards import Boards
from guessbook.play.rows import Row
from guessbook.play.session import Session
from guessbook.play.terminal.drawing import Screen
from guessbook.play.terminal.play import Player
from guessbook.play.terminal.prompt import wait_for
from guessbook.play.terminal.solve import SolveAssistant
from tests.helpers.samples import SMALL


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Yes."""
        return True


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """What some work waits for; at the end it is let go."""
    opened = threading.Event()
    yield opened
    opened.set()
    ended()


def ended() -> None:
    """Wait for whatever was left alone."""
    for thread in threading.enumerate():
        if thread.name == interruptible.WORK:
            thread.join()
    assert not left_alone()


def left_alone() -> bool:
    """Whether some work still goes on for which nobody waits."""
    return any(thread.name == interruptible.WORK for thread in threading.enumerate())


def interrupted(*_: object) -> None:
    """Ctrl-C, as the terminal sends it."""
    raise_signal(SIGINT)


def test_the_result_and_the_error_are_those_of_the_work() -> None:
    """Whoever waits notices nothing of the thread; a part of the work has no thread of its own."""
    threads = run_interruptibly("x", lambda: run_interruptibly("y", threading.current_thread))
    assert threads.name == interruptible.WORK
    with pytest.raises(ZeroDivisionError):
        run_interruptibly("x", lambda: 1 / 0)


def test_nobody_is_left_alone_who_was_waited_for() -> None:
    """When the result is there the thread has ended: a process that asked may end as usual."""
    assert not any(run_interruptibly("x", int) or left_alone() for _ in range(500))


def test_a_terminal_says_what_is_being_done(
    monkeypatch: pytest.MonkeyPatch, gate: threading.Event
) -> None:
    """The text stands on the line while the work goes on, and is gone after it; a pipe has none."""
    monkeypatch.setattr(interruptible, "QUIET", 0.0)
    for stream, shown in ((Terminal(), "Counting ... (Ctrl-C stops)"), (io.StringIO(), "")):
        monkeypatch.setattr(sys, "stderr", stream)
        gate.clear()
        written = stream.write

        def write(text: str) -> int:
            gate.set()  # only what has been said lets the work end
            return written(text)  # noqa: B023

        if shown:
            monkeypatch.setattr(stream, "write", write)
        else:
            gate.set()
        assert run_interruptibly("Counting", gate.wait)
        text = stream.getvalue()
        assert text.startswith(shown)
        assert text.rpartition("\r")[2] == ""


def test_ctrl_c_ends_the_wait_and_not_the_work(gate: threading.Event) -> None:
    """The wait ends at once, however long the work takes."""
    threading.Timer(interruptible.QUIET + 0.1, interrupted).start()
    with pytest.raises(StoppedError):
        run_interruptibly("x", gate.wait)
    assert left_alone()


def test_ctrl_c_gets_back_to_the_prompt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], gate: threading.Event
) -> None:
    """The prompt comes again, and what takes long may be asked again."""
    suggest, asked = Session.hint, []

    def slow(session: Session) -> object:
        asked.append(session)
        if len(asked) == 1:
            interrupted()
            gate.wait()
        return suggest(session)

    monkeypatch.setattr(Session, "hint", slow)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\nundo\nquit\n"))
    assert not SolveAssistant(Session(SMALL), Screen()).play()
    before, after = capsys.readouterr().out.split("Stopped. Enter tries again.")
    assert "Guess 1:" not in before
    assert "Guess 1:" in after


def slow_once(gate: threading.Event, work: Callable[..., object]) -> Callable[..., object]:
    """Some work that takes long, and hears Ctrl-C, when it is done for the first time."""
    done = []

    def slow(*arguments: object) -> object:
        done.append(arguments)
        if len(done) == 1:
            interrupted()
            gate.wait()
        return work(*arguments)

    return slow


def test_an_answer_that_nobody_saw_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], gate: threading.Event
) -> None:
    """After Ctrl-C neither the adversary nor the rows know of the guess; it can be made again."""
    lines, seen = ["RRY", "RRY", ":quit"], []

    def read(question: str) -> str:
        gate.set()
        ended()
        seen.append((list(adversary.history), len(adversary.candidates()), list(session.rows)))
        return lines.pop(0)

    monkeypatch.setattr(codemaker, "Analysis", slow_once(gate, Analysis))
    monkeypatch.setattr(builtins, "input", read)
    adversary, session = codemaker.Adversary(SMALL), Session(SMALL)
    assert not Player(session, [adversary], Screen()).play()
    assert "Stopped." in capsys.readouterr().out
    told = codemaker.Adversary(SMALL).answer("RRY")
    assert seen[:2] == [([], 64, [])] * 2
    assert seen[2][0] == [("RRY", str(told))]
    assert seen[2][2] == [Row("RRY", str(told))]


def test_what_was_stopped_knows_nothing_of_later_rows(
    monkeypatch: pytest.MonkeyPatch, gate: threading.Event
) -> None:
    """What is found out for rows that have been changed since is not believed of others."""
    ours = Session(SMALL, ["RRY=1,0"])
    monkeypatch.setattr(position, "read_history", slow_once(gate, read_history))
    with pytest.raises(StoppedError):
        wait_for("x", ours, Session.candidates)
    ours.undo()
    ours.add_guess("RRY", "0,0")
    gate.set()
    ended()
    ours.undo()
    ours.add_guess("RRY", "1,0")
    assert ours.candidates() == Session(SMALL, ["RRY=1,0"]).candidates()


QUESTIONS = ["hint", "explain", "rate", "best_pairs", "review", "analysis", "split"]


@pytest.mark.parametrize("name", QUESTIONS)
def test_what_is_waited_for_has_rows_of_its_own(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Ctrl-C leaves a thread alone that works on a copy; the main thread alone changes a game."""
    asked, known = [], getattr(Session, name)

    def watched(session: Session, *arguments: object, **options: object) -> object:
        asked.append(session)
        session.undo()
        return known(session, *arguments, **options)

    monkeypatch.setattr(Session, name, watched)
    ours = Session(SMALL, ["RRY=1,0", "GGB=1,0"])
    arguments = {"guess": "RRY"} if name in {"rate", "split"} else {}
    wait_for("x", ours, partial(getattr(Session, name), **arguments))
    assert len(ours.rows) == 2
    assert ours not in asked


def test_boards_that_are_waited_for_have_rows_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hint for several boards is sought on copies; what was found is known to the boards."""
    asked, suggested = [], Boards._hint

    def watched(boards: Boards) -> Hint:
        asked.extend([boards, *boards.sessions])
        return suggested(boards)

    monkeypatch.setattr(Boards, "_hint", watched)
    ours = Boards(Session(SMALL), 2)
    ours.add_guess("RRY", ["1,0", "0,0"])
    first, second = [wait_for("x", ours, Boards.hint) for _ in range(2)]
    assert first is second is ours.hint()
    assert len(asked) == 3
    assert not {*map(id, asked)} & {id(ours), *map(id, ours.sessions)}


def test_what_was_found_is_known_to_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the wait the same question is answered at once, by the game itself."""
    ours = Session(SMALL, ["RRY=1,0"])
    found = [wait_for("x", ours, ask) for ask in (Session.hint, Session.analysis)]
    monkeypatch.setattr(position, "hint_for", None)
    monkeypatch.setattr(position, "analyse", None)
    assert [ours.hint(), ours.analysis()] == found

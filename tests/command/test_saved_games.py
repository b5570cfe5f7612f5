"""Games that `--save` keeps in a file, and words that the real game refused."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

import guessbook as gb
from tests.helpers.command import START, Run, complaint
from tests.helpers.tables import LAMP
from tests.hints.definitions import calls

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

GAME = gb.WordGame(
    ["light", "night", "might", "sight", "eight", "geese", "sleet", "tiger"],
    ["wight", "other"],
    weights=[9, 1, 4, 2, 3, 5, 8, 6],
)


def without(refused: Sequence[str]) -> gb.WordGame:
    """Return `GAME` without the refused words."""
    weights = dict(zip(GAME.secrets, GAME.weights or (), strict=True))
    secrets = [word for word in GAME.secrets if word not in refused]
    guesses = [word for word in GAME.guesses if word not in refused]
    return gb.WordGame(secrets, guesses, weights=[weights[word] for word in secrets])


def test_solve_resumes_with_all_rows_and_refused_words(
    run: Run, small: gb.Book, tmp_path: Path
) -> None:
    solve = ["solve", "words.book", "--save", "game.txt"]
    run(*solve, lines="sleet=00002\nno might\nnight=02222\naside 1\n")
    lines = (tmp_path / "game.txt").read_text("utf-8").splitlines()
    title = "# Guessbook game of words-5x8"
    assert lines == [title, "# refused might", "# aside sleet=00002", "night=02222"]
    again = run(*solve).out
    assert re.search(r"^  1  S L E E T .* set aside$", again, re.MULTILINE)
    assert "  2  N I G H T" in again
    assert (tmp_path / "game.txt").read_text("utf-8").splitlines() == lines
    hint = run("hint", "words.book", "game.txt").out.splitlines()
    assert hint[1] == "candidates  3 of 8"
    guess = hint[0].split()[1].rstrip(",")
    assert f"\n{guess}: 1.58 bits expected, 3 possible" in again
    run(*solve, lines="undo\n")
    assert "night" not in (tmp_path / "game.txt").read_text("utf-8")


def test_saved_game_hides_its_secret_and_resumes_with_it(run: Run, tmp_path: Path) -> None:
    play = ["play", "--save", "game.txt"]
    run(*play, "--secret", "PYRO", lines="rygb\n")
    assert "PYRO" not in (tmp_path / "game.txt").read_text("utf-8")
    out = run(*play, lines="pyro\n").out
    assert "  1  R Y G B" in out
    assert "guess 2 of 10> pyro" in out
    assert "Solved in 2 guesses" in out
    assert run("review", "game.txt").out == run("review", "RYGB=1,1", "PYRO=4,0").out
    assert complaint(run(*play), 2)


@pytest.mark.parametrize(
    ("limit", "typed"), [([], "rygb\n:give-up\n"), (["--max-guesses", 1], "rygb\n")]
)
def test_lost_game_cannot_be_resumed(run: Run, limit: list[object], typed: str) -> None:
    play = ["play", "--save", "game.txt"]
    out = run(*play, *limit, "--secret", "PYRO", lines=typed).out
    assert "The secret is PYRO" in out
    for again in ([*play, *limit], play):
        assert complaint(run(*again), 2)
    assert run("hint", "game.txt").out == run("hint", "RYGB=1,1").out


def test_game_at_the_usual_guess_limit_resumes_with_a_larger_one(run: Run, tmp_path: Path) -> None:
    play = ["play", "--save", "game.txt"]
    run(*play, "--max-guesses", 30, "--secret", "PYRO", lines="rygb\n")
    game = (tmp_path / "game.txt").read_text("utf-8")
    (tmp_path / "game.txt").write_text(game + 9 * "RYGB=1,1\n", "utf-8")
    assert "--max-guesses" in complaint(run(*play), 2)
    assert "guess 11 of 30>" in run(*play, "--max-guesses", 30).out


def test_labels_with_blanks_and_equals_signs_are_saved(run: Run, tmp_path: Path) -> None:
    gb.build(LAMP).save(tmp_path / "lamp.book")
    play = ["play", "lamp.book", "--save", "lamp.txt"]
    run(*play, "--secret", "schwarzer Löwe 🦁", lines="bridge = wire\n")
    assert "schwarzer" not in (tmp_path / "lamp.txt").read_text("utf-8")
    assert "Solved in 2 guesses" in run(*play, lines="schwarzer Löwe 🦁\n").out
    assert run("hint", "lamp.txt", "--book", "lamp.book").out.endswith("this is the secret\n")


def test_saved_game_is_read_with_the_default_book(
    run: Run, small: gb.Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("solve", "words.book", "--save", "s.txt", lines="light=02222\nquit\n")
    assert complaint(run("hint", "s.txt"), 2)
    named = run("hint", "words.book", "s.txt")
    assert named.code == 0
    monkeypatch.setenv("GUESSBOOK_BOOK", "words.book")
    assert run("hint", "s.txt") == named
    monkeypatch.setenv("GUESSBOOK_BOOK", "small.book")
    assert complaint(run("hint", "s.txt"), 2)


@pytest.mark.parametrize(
    "line", ["other.book", "/dev/zero", "/etc/passwd", "mastermind-8x8", "RYGB"]
)
@pytest.mark.parametrize("command", ["hint", "explain", "solve"])
def test_saved_game_with_a_line_that_is_not_an_entry_is_rejected(
    run: Run, tmp_path: Path, command: str, line: str
) -> None:
    gb.build(gb.Mastermind(4, 6), "minimax").save(tmp_path / "other.book")
    lines = ["# Guessbook game of mastermind-4x6", "RGOP=0,2", "", line, ""]
    (tmp_path / "x.txt").write_text("\n".join(lines), "utf-8")
    assert complaint(run(command, "x.txt"), 2).startswith("Error: x.txt, line 4: ")


@pytest.mark.parametrize("name", ["mastermind-8x8", "mastermind-3x4", "primel"])
def test_game_named_in_a_saved_game_is_not_built(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "x.txt").write_text(f"# Guessbook game of {name}\nRRY=1,1\n", "utf-8")
    assert f"write {name} before the file" in complaint(run("hint", "x.txt"), 2)
    if name == "mastermind-3x4":
        asked = run("hint", name, "x.txt")
        assert (asked.code, asked.out) == (0, run("hint", name, "RRY=1,1").out)


def test_entries_of_a_saved_game_keep_their_place_in_the_history(run: Run, tmp_path: Path) -> None:
    text = "# Guessbook game of mastermind-4x6\nRGOP 1,2\n  PYRG 0 3  \n"
    (tmp_path / "x.txt").write_text(text, "utf-8")
    whole = ["RYGB=1,1", "RGOP=1,2", "PYRG=0,3", "RRRR=1,0"]
    assert run("review", whole[0], "x.txt", whole[-1]).out == run("review", *whole).out
    assert run("rate", "x.txt", "YYYY").out == run("rate", *whole[1:3], "YYYY").out
    assert complaint(run("rate", "YYYY", "x.txt"), 2)


def test_entries_of_two_words_are_read_in_bounded_time(run: Run, tmp_path: Path) -> None:
    lines = [f"{guess} 0,0" for guess in gb.Mastermind(4, 6).guesses[:1000]]
    text = "\n".join(["# Guessbook game of mastermind-4x6", *lines, ""])
    (tmp_path / "x.txt").write_text(text, "utf-8")
    assert calls(lambda: run("candidates", "x.txt")) < 600_000
    typed = " ".join(lines[:50]).split()
    assert calls(lambda: run("candidates", *typed)) < 600_000


def test_saved_game_changed_by_another_process_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    with ExitStack() as stack:

        def solve(known: str) -> subprocess.Popen[str]:
            """Start a game with the file, and wait until it prints `known`."""
            process = subprocess.Popen(
                [*START, "solve", "--save", path.name],
                cwd=tmp_path,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            stack.enter_context(process)
            assert process.stdout
            for line in process.stdout:
                if known in line:
                    return process
            raise AssertionError(f"{known!r} is not in the output")

        first, second = solve("RYGB: "), solve("RYGB: ")
        # The first game ends at the end of its input, so its answer is saved.
        assert first.communicate("RYGB=1,1\n")[1] == ""
        _, err = second.communicate("OOPP=0,0\n")
        assert (second.returncode, err.count("\n")) == (1, 1)
        assert "x.txt was changed by another program" in err
    assert path.read_text("utf-8").splitlines()[1:] == ["RYGB=1,1"]


def test_escape_sequences_from_a_pipe_are_not_echoed(run: Run) -> None:
    out = run("solve", lines="\x1b]0;title\x07\nquit\n").out
    assert "feedback> \\x1b]0;title\\x07" in out
    assert "\x1b" not in out


def test_saved_game_of_a_preset_names_its_book(run: Run) -> None:
    run("solve", "bulls-and-cows", "--save", "s.txt", lines="1,1\nquit\n")
    assert "of 5,040" in run("hint", "s.txt").out


@pytest.mark.parametrize("policy", ["entropy", "minimax", "entropy-corrected"])
@pytest.mark.parametrize("history", [[], ["sleet=00002"], ["geese=10000"]])
@pytest.mark.parametrize("has_book", [True, False])
def test_game_with_refused_words_equals_a_game_without_them(
    policy: str, history: list[str], has_book: bool
) -> None:
    session = (
        gb.Session(gb.build(GAME, policy), history)
        if has_book
        else gb.Session(GAME, history, policy)
    )
    while session.remaining > 1:
        assert session.refuse() == session.refused[-1]
        rest = gb.Session(without(session.refused), history, policy)
        hint, expected = session.hint(), rest.hint()
        assert (hint.guess, hint.remaining) == (expected.guess, expected.remaining)
        assert hint.chance == expected.chance
        assert session.candidates() == rest.candidates()
        why, other = session.explain(count=10), rest.explain(count=10)
        assert [a.guess for a in why.alternatives] == [a.guess for a in other.alternatives]
        assert {k: a.guess for k, a in why.best_by.items()} == {
            k: a.guess for k, a in other.best_by.items()
        }
    assert session.refused


def test_refused_words_survive_undo_and_new_game() -> None:
    session = gb.Session(GAME)
    session.refuse("light")
    session.add_guess("sleet", "00002")
    session.undo()
    assert session.refused == session.copy().refused == ("light",)
    assert session.new_game().refused == ("light",)
    twin = session.copy()
    twin.refuse("night")
    assert session.refused == ("light",)
    session.add_guess("LIGHT", "22222")
    assert not session.refused, "a word with feedback was accepted"
    session.undo()
    refused = session.refuse()
    session.add_guess("geese", "01000")
    session.edit(0, refused, "00000")
    assert not session.refused


def test_last_candidate_cannot_be_refused() -> None:
    rows = ["light=02222", "night=02222", "might=02222", "eight=02222"]
    session = gb.Session(GAME, rows)
    session.refuse("sight")
    hint = session.hint()
    assert (hint.guess, hint.source) == ("wight", "guesses")
    with pytest.raises(gb.UsageError):
        session.refuse()
    session.add_guess("other", "00110")
    with pytest.raises(gb.InconsistentFeedbackError):
        session.hint()
    for game in (gb.Mastermind(3, 4), gb.Mastermind(3, 5, repeats=False)):
        with pytest.raises(gb.UsageError):
            gb.Session(game).refuse()


def test_chance_to_win_is_unknown_after_a_refusal() -> None:
    session = gb.Session(gb.build(GAME, "win:within=2"))
    assert session.hint().win is not None
    session.refuse()
    assert session.hint().win is None


@pytest.mark.parametrize("game", [LAMP, GAME])
def test_command_no_proposes_another_guess(run: Run, tmp_path: Path, game: gb.Game) -> None:
    gb.build(game).save(tmp_path / "x.book")
    session = gb.Session(game)
    first = session.refuse()
    out = run("solve", "x.book", lines=":no\nrows\nhelp\nquit\n").out
    assert f"{first} is left out of this game." in out
    assert f"\n{session.hint().guess}: " in out
    assert "No guesses so far." in out
    opening = game.guesses[0]
    out = run("solve", "x.book", "--first-guess", opening, lines=":no\nquit\n").out
    assert f"{opening} is left out" in out
    # `no` is an answer of the table, so only `:no` refuses a guess there.
    assert (" is left out" in run("solve", "x.book", lines="no\nquit\n").out) == (game is GAME)


@pytest.mark.parametrize("policy", ["entropy", "minimax"])
def test_no_command_recommends_a_refused_word(run: Run, tmp_path: Path, policy: str) -> None:
    gb.build(GAME, policy).save(tmp_path / "x.book")
    book = gb.open(tmp_path / "x.book")
    first = gb.Session(book, refused=["light"]).hint().guess
    for refused in (["light"], ["light", first, "tiger"]):
        lines = [f"# Guessbook game of {GAME.name}", *[f"# refused {word}" for word in refused]]
        (tmp_path / "x.txt").write_text("\n".join([*lines, "geese=10000", ""]), "utf-8")
        session = gb.Session(book, ["geese=10000"], refused=refused)
        told = json.loads(run("hint", "x.book", "x.txt", "--json").out)
        assert told["guess"] == session.hint().guess
        assert told["remaining"] == len({"light", "night", "might"} - {*refused})
        for command, *rest in (
            ["explain"],
            ["rate", "other"],
            ["review", "--secret", session.candidates()[0]],
            ["candidates"],
        ):
            out = run(command, "x.book", "x.txt", *rest).out
            assert out
            assert not [word for word in refused if word in out]
        assert "light" not in run("solve", "x.book", "x.txt", lines="list\nquit\n").out
    assert "light" in complaint(run("review", "x.book", "x.txt", "--secret", "light"), 2)


def test_refused_words_are_kept_in_a_file(run: Run, small: gb.Book, tmp_path: Path) -> None:
    (tmp_path / "refused.txt").write_text("light, found in March\nunlisted")
    solve = ["solve", "words.book", "--refused", "refused.txt"]
    out = run(*solve, lines="list\nno might\nno might\n").out
    assert "7 possible" in out
    assert "light" not in out.partition("7 possible")[2]
    assert (tmp_path / "refused.txt").read_text().splitlines()[1:] == ["unlisted", "might"]
    hint = run("hint", "words.book", "--refused", "refused.txt", "--json").out
    assert json.loads(hint)["remaining"] == 6
    assert run("solve", "words.book", "--refused", "new.txt", lines="no\n").code == 0
    assert len((tmp_path / "new.txt").read_text().split()) == 1
    missing = run("hint", "words.book", "--refused", "none")
    assert (missing.code, missing.out) == (0, run("hint", "words.book").out)
    assert missing.err == "none does not exist yet, so no word is refused\n"
    for name in ("refused.txt", "none"):
        for command in ("hint", "solve"):
            assert complaint(run(command, "--refused", name), 2)


def test_refused_words_are_left_out_on_every_board(run: Run, small: gb.Book) -> None:
    boards = gb.Boards(GAME, 2)
    boards.add_guess("geese", ["10000", "11000"])
    first = boards.refuse()
    assert boards.refused == (first,)
    rest = gb.Boards(without([first]), 2)
    rest.add_guess("geese", ["10000", "11000"])
    assert (boards.hint().guess, boards.remaining_each) == (rest.hint().guess, rest.remaining_each)
    twin = boards.copy()
    twin.refuse("wight")
    assert boards.refused == (first,)
    out = run("solve", "words.book", "--boards", 2, lines="no\n22222 22222\n\n").out
    proposed = re.findall(r"^Guess 1:  (.*)$", out, re.MULTILINE)
    assert len(set(proposed)) == 2
    assert "All 2 boards are solved" in out


def test_last_candidate_of_a_board_cannot_be_refused() -> None:
    boards = gb.Boards(GAME, 2)
    boards.add_guess("geese", ["10010", "10000"])
    with pytest.raises(gb.UsageError):
        boards.refuse("sight")
    assert not boards.refused

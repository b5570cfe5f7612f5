"""The commands `play` and `hide`: a person guesses, without a terminal."""

from __future__ import annotations

import hashlib
import re
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from guessbook.book import Mastermind, TableGame, WordGame
from guessbook.play.codemaker import secrets_of_day, today
from tests.helpers.command import Run, complaint
from tests.helpers.plain import plain_book


@pytest.mark.parametrize("command", [["solve"], ["play"], ["hide"], ["solve", "--boards", "2"]])
def test_end_of_input_stops_quietly(run: Run, command: list[str]) -> None:
    """Ctrl-D at the first prompt and at a later one ends the command with exit code 0."""
    for lines in ("", "RYGB=1,1\n"):
        code, out, err = run(*command, lines=lines)
        assert (code, err) == (0, "")
        assert out.endswith("\n")


def test_play_to_the_end(run: Run) -> None:
    """A person guesses, gets hints, and at the end a review and a grid to share."""
    typed = "rygb\n?\n:list\n:nonsense\nfoo\n\npyro\n"
    code, out, err = run("play", "--secret", "PYRO", lines=typed)
    assert (code, err) == (0, "")
    assert "  1  R Y G B  ●○··  1,1   252 left" in out
    assert "Hint: RGOP" in out
    assert "PYRO is the secret. Solved in 2 guesses." in out
    assert "skill 100" in out
    assert out.endswith("Guessbook mastermind-4x6 2 guesses\n\n●○··\n●●●●\n")


def test_play_forgives_a_forgotten_colon(run: Run) -> None:
    """A command without its colon is done where the word is no guess, and guessed where it is."""
    code, out, _ = run("play", "--secret", "PYRO", lines="help\nhint\nlist\n:hint\n:help\nquit\n")
    assert code == 0
    assert out.count("Hint: RYGB") == 2
    assert out.count(":give-up  the secret") == 2
    assert "1,296 possible:" in out
    assert "Found" not in out
    plain_book(WordGame(["quit", "list", "word"])).save(Path("four.book"))
    out = run("play", "four.book", "--secret", "word", lines="quit\nlist\n:q\n")[1]
    assert "  2  L I S T" in out


@pytest.mark.parametrize(
    ("book", "said"),
    [
        ("mastermind-4x6", "symbols may repeat"),
        ("mastermind-4x6", "black,white: 1,2 means 1 symbol in its place and 2 elsewhere"),
        ("bulls-and-cows-4x10", "no symbol occurs twice"),
        ("bulls-and-cows-4x10", "bulls,cows: 1,2 means 1 symbol in its place and 2 elsewhere"),
    ],
)
def test_the_rules_are_those_of_the_game(run: Run, book: str, said: str) -> None:
    """A game starts with its rules in its own words: pegs, or bulls and cows."""
    assert said in " ".join(run("play", book)[1].split())
    if "," in said:
        assert said in " ".join(run("solve", book)[1].split())


def test_play_gives_up_and_shows_what_is_possible(run: Run, words: str) -> None:
    """Giving up shows the secret; what is possible is listed if asked for; letters are kept."""
    code, out, _ = run("play", words, "--secret", "night", lines="geese\n:list\n:give-up\n")
    assert code == 0
    assert "4 possible:" in out
    assert "not in it  E G S" not in out, "g is elsewhere in night"
    assert "elsewhere  G" in out
    assert "The secret is night." in out
    assert "not solved" in out


@pytest.mark.parametrize("command", ["play", "hide"])
def test_plain_is_nothing_but_the_answers(run: Run, words: str, command: str) -> None:
    """Neither how many are left, nor letters, nor a review; all that may still be asked for."""
    typed = "light\n?\n:list\n:give-up\n"
    seed = ["--random-seed", "5"] if command == "play" else []  # not what is guessed first
    code, out, err = run(command, words, "--plain", *seed, lines=typed)
    assert (code, err) == (0, "")
    rows = re.findall(r"^  1  L I G H T.*$", out, re.MULTILINE)
    assert len(rows) == 1
    assert re.search(r"[012]{5}$", rows[0]), "the answer ends the row"
    for follows in (" left", "in place  ", "not in it  ", "skill", "luck", "the policy takes"):
        assert follows not in out
    assert "Hint: " in out
    assert " possible:" in out
    assert "1 guess, not solved" in out


@pytest.mark.parametrize("kind", ["codes", "words", "table"])
def test_the_last_guess_loses(run: Run, words: str, kind: str) -> None:
    """After so many guesses the secret is shown; found with the last one it is found."""
    book, secret, wrong = {
        "codes": ("mastermind-4x6", "PYRO", "RYGB"),
        "words": (words, "night", "geese"),
        "table": ("table.book", "b", "a"),
    }[kind]
    game = TableGame(list("abc"), list("abc"), lambda guess, it: str(ord(guess) - ord(it)))
    plain_book(game).save(Path("table.book"))
    arguments = ["play", book, "--secret", secret, "--max-guesses", "2"]
    code, out, err = run(*arguments, lines=f"{wrong}\nnonsense\n{wrong}\n{secret}\n")
    assert (code, err) == (0, "")
    assert "guess 2 of 2> nonsense" in out
    assert "guess 3" not in out
    assert f"No guesses are left.\nThe secret is {secret}.\n" in out
    assert "2 guesses, not solved" in out
    out = run(*arguments, lines=f"{wrong}\n{secret}\n").out
    assert f"{secret} is the secret. Solved in 2 guesses." in out
    assert "No guesses" not in out


def test_several_secrets_at_once(run: Run) -> None:
    """A guess goes to every board that is not solved; each is drawn, and all are shared."""
    typed = "rygb\n?\nfoo\n:list 1\npyro\nrryo\n"
    code, out, err = run("play", "--secret", "PYRO", "--secret", "RRYO", lines=typed)
    assert (code, err) == (0, "")
    assert "mastermind-4x6, 1,296 possible secrets, 2 boards" in out
    assert (out.count("\nboard 1\n"), out.count("\nboard 2\n")) == (3, 4), "2 guesses, 3, a list"
    assert "bits expected over the open boards)" in out
    assert out.count("  and 251 more") == 2
    assert "PYRO is the secret. Solved in 2 guesses." in out
    assert "RRYO is the secret. Solved in 3 guesses." in out
    assert "skill" not in out, "no guess is judged by one of several boards"
    title = "Guessbook mastermind-4x6 2 boards 3 guesses"
    assert out.endswith(f"{title}\n\n●○··\n●●●●\n\n●○··\n●○○·\n●●●●\n")
    out = run("play", "--boards", "3", "--random-seed", "1", lines="rygb\n:give-up\n").out
    assert len(re.findall(r"^Board \d: The secret is \S{4}\.$", out, re.MULTILINE)) == 3
    assert "3 boards 1 guess, not solved" in out


def test_the_secret_of_the_day(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every book of a game has the same one on a day, and another on most others; it is shared."""
    game = Mastermind(4, 6)
    days = [date(2026, 11, 22) + timedelta(k) for k in range(200)]
    secrets = [secrets_of_day(game, 1, day.isoformat())[0] for day in days]
    assert len(set(secrets)) > 150
    # As anybody can compute it: printf '2026-11-22 mastermind-4x6 1' | sha256sum
    number = int(hashlib.sha256(b"2026-11-22 mastermind-4x6 1").hexdigest(), 16)
    assert secrets[0] == game.secrets[number % 1296]
    monkeypatch.setattr("guessbook.command.play.today", lambda: "2026-11-22")
    for book in ("mastermind-4x6", "mastermind-4x6-optimal"):
        out = run("play", book, "--daily", lines=f"{secrets[0]}\n").out
        assert "the secret of 2026-11-22\n" in out
        assert out.endswith("Guessbook mastermind-4x6 2026-11-22 1 guess\n\n●●●●\n")
    two = run("play", "--daily", "--boards", "2", lines=":give-up\n").out
    assert f"Board 1: The secret is {secrets[0]}.\nBoard 2: The secret is " in two


def test_the_day_is_that_of_universal_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not depend on the time zone of the machine."""
    days = set()
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"):  # 25 hours apart
        monkeypatch.setenv("TZ", zone)
        if hasattr(time, "tzset"):
            time.tzset()
        days |= {datetime.now(UTC).date().isoformat(), today()}
    monkeypatch.undo()
    if hasattr(time, "tzset"):
        time.tzset()
    assert len(days) <= 2, "two where midnight comes in between"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--secret", "PYRO", "--daily"], "expected at most one"),
        (["--daily", "--random-seed", "1"], "expected at most one"),
        (["--secret", "PYRO", "--boards", "2"], "found 1 --secret options for --boards 2"),
        (
            ["--secret", "PYRO", "--secret", "RRRR", "--boards", "1"],
            "found 2 --secret options for --boards 1",
        ),
        (["--secret", "PYR"], "found code 'PYR' of length 3"),
        (33 * ["--secret", "PYRO"], "found 33 secrets, expected at most 32"),
    ],
)
def test_what_play_refuses(run: Run, arguments: list[str], said: str) -> None:
    """Options that contradict each other, or make no sense, are one line and exit code 2."""
    assert said in complaint(run("play", *arguments), 2)


def test_the_same_seed_is_the_same_secret(run: Run) -> None:
    """A seeded game can be played again."""
    outs = [run("play", "--random-seed", "4", lines=":give-up\n")[1] for _ in range(2)]
    assert outs[0] == outs[1]
    assert "The secret is" in outs[0]


def test_hide(run: Run) -> None:
    """The adversary keeps as many open as it can, and is found in the end."""
    code, out, _ = run("hide", lines="RRYY\n?\n:quit\n")
    assert code == 0
    assert "  1  R R Y Y  ○···  0,1   256 left" in out
    code, out, _ = run("hide", lines="RRYY\nRRRR\nYYYY\n:give-up\n")
    secret = out.partition("There was no secret; ")[2][:4]
    rows = re.findall(r"^  (\d)  (. . . .)  \S+  (\d,\d)", out, re.MULTILINE)
    answers = {number: f"{code.replace(' ', '')}={feedback}" for number, code, feedback in rows}
    assert len(answers) == 3
    reviewed = run("review", *answers.values(), "--secret", secret)
    assert reviewed[0] == 0, "what is confessed fits all answers"

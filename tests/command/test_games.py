"""The commands that play games without a terminal: play, hide, solve, run and simulate."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from tests.helpers.command import Run
from tests.helpers.samples import WORD_GAME

if TYPE_CHECKING:
    from pathlib import Path

WRONG = ["RRRR=1,0", "YYYY=1,0", "RRYY=0,0"]  # no secret fits all three


def played(run: Run, *arguments: object, lines: str = "") -> str:
    """Return the output of a game. Blanks separate lines of input; `_` stands for a blank."""
    typed = "".join(f"{line.replace('_', ' ')}\n" for line in lines.split(" ")) if lines else ""
    result = run(*arguments, lines=typed)
    assert (result.code, result.err) == (0, "")
    return result.out


def printed(run: Run, *arguments: object) -> Any:
    """The JSON that a command prints."""
    return json.loads(played(run, *arguments, "--json"))


@pytest.mark.parametrize("command", ["solve", "play", "hide", "solve --boards 2"])
@pytest.mark.parametrize("lines", ["", "RYGB=1,1"])
def test_end_of_input_ends_a_game_without_error(run: Run, command: str, lines: str) -> None:
    assert played(run, *command.split(), lines=lines).endswith("> \n")


def test_play_shows_feedback_hint_review_and_grid(run: Run) -> None:
    out = played(run, "play", "--secret", "PYRO", lines="rygb ? :list foo  pyro")
    assert "  1  R Y G B  ●○··  1,1   252 left" in out
    assert "Hint: RGOP" in out
    assert "252 possible:" in out
    assert "PYRO is the secret. Solved in 2 guesses." in out
    assert "skill 100" in out
    assert out.endswith("Guessbook mastermind-4x6 2 guesses\n\n●○··\n●●●●\n")


def test_play_takes_commands_without_a_colon_unless_they_are_guesses(
    run: Run, tmp_path: Path
) -> None:
    out = played(run, "play", "--secret", "PYRO", lines="help hint list :hint :help quit")
    assert out.count("Hint: RYGB") == 2
    assert out.count(":give-up  the secret") == 2
    assert "1,296 possible:" in out
    assert "Found" not in out
    gb.build(gb.WordGame(["quit", "list", "word"])).save(tmp_path / "four.book")
    assert "  2  L I S T" in played(
        run, "play", "four.book", "--secret", "word", lines="quit list :q"
    )


@pytest.mark.parametrize(
    ("book", "rule", "answers"),
    [
        ("mastermind-4x6", "symbols may repeat", "black,white: 1,2"),
        ("bulls-and-cows-4x10", "no symbol occurs twice", "bulls,cows: 1,2"),
    ],
)
def test_rules_use_the_terms_of_the_game(run: Run, book: str, rule: str, answers: str) -> None:
    rules = " ".join(played(run, "play", book).split())
    meaning = f"{answers} means 1 symbol in its place and 2 elsewhere"
    assert rule in rules
    assert meaning in rules
    assert meaning in " ".join(played(run, "solve", book).split())


@pytest.mark.usefixtures("small")
def test_giving_up_shows_the_secret_and_the_known_letters(run: Run) -> None:
    out = played(run, "play", "words.book", "--secret", "night", lines="geese :list :give-up")
    assert "4 possible:" in out
    assert "not in it  E S" in out
    assert "elsewhere  G" in out
    assert "The secret is night." in out
    assert "1 guess, not solved" in out


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("options", ["play --random-seed 5", "hide"])
def test_plain_game_shows_only_feedback_unless_asked(run: Run, options: str) -> None:
    command, *rest = options.split()
    out = played(run, command, "words.book", "--plain", *rest, lines="light ? :list :give-up")
    assert re.findall(r"^  1  L I G H T.*[012]{5}$", out, re.MULTILINE)
    for follows in (" left", "in place  ", "not in it  ", "skill", "luck", "the policy takes"):
        assert follows not in out
    assert "Hint: " in out
    assert " possible:" in out
    assert "1 guess, not solved" in out


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("book", "secret", "wrong"),
    [
        ("mastermind-4x6", "PYRO", ["RYGB", "RRRR"]),
        ("words.book", "night", ["geese", "light"]),
        ("table.book", "b", ["a", "c"]),
    ],
)
def test_game_is_lost_after_the_last_guess(
    run: Run, tmp_path: Path, book: str, secret: str, wrong: list[str]
) -> None:
    game = gb.TableGame(list("abc"), list("abc"), lambda guess, it: str(ord(guess) - ord(it)))
    gb.build(game).save(tmp_path / "table.book")
    play = ["play", book, "--secret", secret, "--max-guesses", 2]
    out = played(run, *play, lines=f"{wrong[0]} nonsense {wrong[1]} {secret}")
    assert "guess 2 of 2> nonsense" in out
    assert "guess 3" not in out
    assert f"No guesses are left.\nThe secret is {secret}.\n" in out
    assert ("2 guesses, not solved" in out) != ("Wordle X/2" in out)
    out = played(run, *play, lines=f"{wrong[0]} {secret}")
    assert f"{secret} is the secret. Solved in 2 guesses." in out
    assert "No guesses" not in out


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("game", "secret", "limit"),
    [("words.book", "night", 6), ("mastermind-4x6", "RYGB", 10), ("mastermind-5x8", "RYGBK", 12)],
)
def test_game_has_the_guess_limit_of_the_real_game(
    run: Run, game: str, secret: str, limit: int
) -> None:
    for boards in (1, 2):
        out = played(run, "play", game, *["--secret", secret] * boards, lines=":quit")
        assert f"guess 1 of {limit + boards - 1}>" in out
    assert "guess 1>" in played(run, "hide", game, lines=":quit"), "an adversary has no limit"
    assert "guess 1>" in played(run, "play", "bulls-and-cows-4x10", lines=":quit")


def test_play_shows_several_boards_with_the_same_guesses(run: Run) -> None:
    secrets = ["--secret", "PYRO", "--secret", "RRYO"]
    out = played(run, "play", *secrets, lines="rygb ? foo :list_1 pyro rryo")
    assert "mastermind-4x6, 1,296 possible secrets, 2 boards" in out
    assert (out.count("\nboard 1\n"), out.count("\nboard 2\n")) == (3, 4), "guesses and a list"
    assert "bits expected over the open boards)" in out
    assert out.count("  and 251 more") == 2
    assert "PYRO is the secret. Solved in 2 guesses." in out
    assert "RRYO is the secret. Solved in 3 guesses." in out
    assert "skill" not in out, "games on several boards have no rating"
    title = "Guessbook mastermind-4x6 2 boards 3 guesses"
    assert out.endswith(f"{title}\n\n●○··\n●●●●\n\n●○··\n●○○·\n●●●●\n")
    out = played(run, "play", "--boards", 3, "--random-seed", 1, lines="rygb :give-up")
    assert len(re.findall(r"^Board \d: The secret is \S{4}\.$", out, re.MULTILINE)) == 3
    assert "3 boards 1 guess, not solved" in out


def test_play_does_not_count_a_repeated_guess(run: Run) -> None:
    out = played(run, "play", "--secret", "PYRO", lines="rygb yyyy RYGB")
    assert out.count("You made this guess before, as guess 1: it tells nothing new") == 1
    assert out.count("guess 3 of 10>") == 2
    boards = ("--secret", "PYRO", "--secret", "RRRR")
    out = played(run, "play", *boards, lines="rrrr rrrr :help give_up")
    assert out.count("guess 2 of 11>") == 3
    assert "Find each secret: 4 of" in out
    assert ":give-up  the secrets\n" in out
    assert "Board 1: The secret is PYRO." in out


def secret_of(out: str) -> str:
    """The secret that a game tells at its end."""
    first: str = re.findall(r"The secret is (\S+)\.", out)[0]
    return first


def test_same_seed_gives_the_same_secret_in_play_and_run(run: Run) -> None:
    games = {secret_of(played(run, "play", "--random-seed", 4, lines=":give-up")) for _ in range(2)}
    for options in (["--random-seed", 4], ["--random-seed", 4, "--shuffle"]):
        found = printed(run, "run", *options)
        assert found["turns"][-1]["feedback"] == "4,0"
        games.add(found["secret"])
    assert len(games) == 1
    assert len({printed(run, "run", "--random-seed", seed)["secret"] for seed in range(8)}) > 5


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])  # 25 hours apart
def test_daily_secret_is_the_same_in_all_time_zones(
    run: Run, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    set_zone = getattr(time, "tzset", lambda: None)
    set_zone()
    days = {datetime.now(UTC).date().isoformat()}
    outs = [
        played(run, "play", "--daily", *options, lines="RYGB :give-up")
        for options in ([], ["mastermind-4x6-optimal"], ["--boards", "2"])
    ]
    days.add(datetime.now(UTC).date().isoformat())
    monkeypatch.undo()
    set_zone()
    for out in outs:
        (day,) = re.findall(r"the secrets? of (\S+)\n", out)
        assert day in days
        assert re.search(rf"^Guessbook mastermind-4x6 (2 boards )?{day} 1 guess", out, re.MULTILINE)
        # The same as: printf '2026-11-22 mastermind-4x6 1' | sha256sum
        number = int(hashlib.sha256(f"{day} mastermind-4x6 1".encode()).hexdigest(), 16)
        assert secret_of(out) == gb.Mastermind(4, 6).secrets[number % 1296]


def test_hide_gives_the_feedback_that_leaves_most_candidates(run: Run) -> None:
    out = played(run, "hide", lines="RRYY RRRR YYYY ? :give-up")
    assert "  1  R R Y Y  ○···  0,1   256 left" in out
    secret = out.partition("There was no secret; ")[2][:4]
    rows = dict(re.findall(r"^  (\d)  (. . . .  \S+  \d,\d)", out, re.MULTILINE))
    assert len(rows) == 3
    entries = [re.sub(r"  \S+  ", "=", row).replace(" ", "") for row in rows.values()]
    assert run("review", *entries, "--secret", secret).code == 0, "the secret fits all feedbacks"


def test_hide_ends_when_the_last_candidate_is_guessed(run: Run, small: gb.Book) -> None:
    session = gb.Session(small.game)
    adversary = gb.Adversary(small.game)
    while not session.solved:
        guess = session.hint().guess
        session.add_guess(guess, adversary.answer(guess))
    *guesses, last = [row.guess for row in session.rows]
    out = played(run, "hide", "small.book", lines=" ".join([*guesses, "?", last]))
    assert f"Hint: {last} (certain" in out
    assert f"{last} is the secret. Solved in {len(guesses) + 1} guesses." in out


def test_solve_proposes_guesses_until_the_secret_is_found(run: Run) -> None:
    out = played(run, "solve", lines="1,1 RGOP=0,2 2,1 2,0 0,4")
    assert "252 possible" in out
    assert "57 possible" in out
    assert "No secret fits" not in out
    out = played(run, "solve", lines="RRYY=0,4 4,0")
    assert "certain, the only secret that fits" in out
    assert "YYRR is the secret. Solved in 2 guesses." in out
    assert "252 possible" in played(run, "solve", "RYGB=1,1")
    assert "RRRR: 1.50 bits expected, 1,296 possible" in played(
        run, "solve", "--first-guess", "rrrr"
    )


@pytest.mark.usefixtures("small")
def test_solve_shows_tiles_and_candidates_of_words(run: Run) -> None:
    out = played(run, "solve", "words.book", lines="light=02222 ? list 00000")
    assert "⬛🟩🟩🟩🟩" in out
    assert "4 possible:\n  eight  night  might  sight" in out


def test_undo_in_solve_removes_the_last_feedback(run: Run) -> None:
    typed = "RRYY=0,4 4,0 undo 3,0 undo 4,0"
    for end in (" ", " quit", ""):
        out = played(run, "solve", lines=typed + end)
        assert out.count("YYRR is the secret. Solved in 2 guesses.") == 2
        assert "Took back YYRR=4,0." in out
        assert "Took back YYRR=3,0." in out
    out = played(run, "solve", "--boards", 2, lines="RRYY=4,0 4,0 undo 1,0 quit")
    assert "All 2 boards are solved." in out
    assert out.count("board 1 (1,296 possible)> ") == 2


@pytest.mark.parametrize("way", ["edit_3_1,1", "edit_3_RRYG=1,1", "aside_3", "undo"])
def test_wrong_feedback_in_solve_can_be_corrected(run: Run, way: str) -> None:
    out = played(run, "solve", lines=" ".join([*WRONG, "1,1", "rows", way]))
    assert "  3  R R Y Y  ····  0,0   <-- re-check" in out
    assert "Type `edit 3 FEEDBACK`, `aside 3` or `undo`." in out
    assert "  4  " not in out, "no further row before the others fit"
    assert "bits expected" in out.rpartition("Type `edit")[2]


def test_row_set_aside_in_solve_can_be_restored(run: Run) -> None:
    out = played(run, "solve", lines=" ".join([*WRONG, "aside_3", "rows", "aside_3"]))
    assert "  3  R R Y Y  ····  0,0   set aside" in out
    assert "Row 3, RRYY=0,0, is included again." in out
    assert out.rstrip().endswith("feedback>")
    assert out.count("No code fits all these answers") == 2


def test_solve_prompts_again_after_any_input(run: Run) -> None:
    typed = "foo 9,9 RYGX=1,1 edit edit_7_1,1 aside_x undo rate rate_XXXX  = help list list_0"
    typed += f" list_2 list_ALL rate_RRYY rows ? {'=' * 3000}"
    out = played(run, "solve", lines=typed)
    assert out.count("feedback> ") == len(typed.split(" ")) + 1
    assert "1,296 possible:" in out


def test_shuffled_solve_opens_with_an_equivalent_guess(run: Run) -> None:
    openings = set()
    for seed in range(8):
        solve = ["solve", "--shuffle", "--random-seed", seed]
        out = played(run, *solve, lines="1,1")
        opening = re.search(r"^(\w{4}): 3.06 bits", out, re.MULTILINE)
        assert opening
        assert ": 3.17 bits expected, 252 possible." in out
        openings.add(opening[1])
        assert played(run, *solve, lines="1,1") == out
    assert len(openings) > 4


def test_solve_asks_for_the_feedback_of_each_board_in_turn(run: Run) -> None:
    out = played(run, "solve", "--boards", 2, lines="RRYY=0,4 list help x 1,0 4,0 0,0")
    assert "YYRR: on board 1 it is certain, the only secret that fits." in out
    assert "bits expected over the open boards" in out
    assert "board 2 (1,296 possible)>" in out


@pytest.mark.parametrize("way", ["edit_2_0,0", "edit_2_YYYY=1,0", "aside_1", "aside_2", "undo"])
def test_wrong_feedback_on_a_board_can_be_corrected(run: Run, way: str) -> None:
    lines = f"RRRR=0,0 1,0 RRRR=1,0 1,0 1,1 ? list rate_RRRR {way}"
    out = played(run, "solve", "--boards", 2, lines=lines)
    found = out[out.index("Board 1:") :]
    assert "  2  R R R R  ●···  1,0   <-- re-check" in found
    assert found.count("First correct the answers") == 2
    assert "Nothing is possible" in found
    assert "bits expected over the open boards" in found


def test_edit_changes_feedback_on_one_board_and_a_guess_on_all(run: Run) -> None:
    lines = "RRRR=1,0 2,0 1,1 edit_1_3,0 rows edit_1_YYYY=1,0"
    out = played(run, "solve", "--boards", 2, lines=lines)
    after = out[out.index("Row 1 of board 2 is now RRRR=3,0.") :]
    assert "  1  R R R R  ●···  1,0\n" in after, "board 1 is unchanged"
    assert out.count("Guess 2: ") == 3, "the round begins again"
    assert "board 1 (500 possible)> edit 1 YYYY=1,0\nRow 1 of board 1 is now YYYY=1,0." in out


@pytest.mark.usefixtures("small")
def test_rows_list_rate_and_edit_concern_the_board_of_the_prompt(run: Run) -> None:
    lines = "no_geese light=02222_02222 rows list rate_night edit_1_00000"
    out = played(run, "solve", "words.book", "--boards", 2, lines=lines)
    assert "  1  L I G H T  ⬛🟩🟩🟩🟩  02222\n" in out
    assert "4 possible:\n  eight  night  might  sight" in out
    assert "of 4 expected" in out
    assert "Row 1 of board 1 is now light=00000." in out


def test_each_round_has_one_guess_for_all_boards(run: Run) -> None:
    lines = "RRRR=1,0 FOOO=1,1 4,0=1,1 YYYY=1,1 RRRR=0,0"
    out = played(run, "solve", "--boards", 2, lines=lines)
    assert out.count("board 2 (1,296 possible)> ") == 4
    assert out.count("Guess 2: ") == 1
    out = played(run, "solve", "--boards", 2, lines="1,1 undo")
    assert out.count("Guess 1: ") == 2, "the round begins again"


def test_feedbacks_for_all_boards_may_be_on_one_line(run: Run) -> None:
    lines = "1,1_0,2 ryoo_11_BW.. 1,1_1,1_1,1"
    out = played(run, "solve", "--boards", 2, lines=lines)
    assert out.count("Guess 3: ") == 1, "the third line has a feedback too many"
    assert "board 2" not in out


@pytest.mark.usefixtures("small")
def test_games_continue_with_all_guesses_if_no_secret_fits(run: Run) -> None:
    # Only tiger fits, which is a guess but not a secret of this game.
    typed = "light=02201"
    goes_on = "No secret fits all answers, but 1 other guess does; guesses are candidates now."
    out = " ".join(played(run, "solve", "words.book", lines=typed).split())
    assert goes_on in out
    assert "tiger: the only guess in the list that fits" in out
    out = played(run, "solve", "words.book", "--boards", 2, lines=f"{typed} 02222")
    assert f"Board 1: {goes_on}" in " ".join(out.split())
    play = ("play", "words.book", "--secret", "tiger")
    assert goes_on in " ".join(played(run, *play, lines="light").split())


def test_hard_mode_is_enforced_in_play_and_noted_in_solve(run: Run, tmp_path: Path) -> None:
    gb.build(WORD_GAME, "entropy", hard_mode=True).save(tmp_path / "hard.book")
    play = ("play", "hard.book", "--secret", "night")
    out = played(run, *play, lines="light geese night")
    assert "Hard mode: a guess has to use all that the answers showed." in out
    assert "Hard mode forbids geese" in out
    assert "Solved in 2 guesses." in out
    out = played(run, *play, "--secret", "geese", lines="light geese")
    assert "geese breaks hard mode: on board 1 " in out
    out = played(run, "solve", "hard.book", lines="light=02222 geese=00000")
    assert "geese breaks hard mode: " in out
    out = played(run, "solve", "hard.book", "--boards", 2, lines="light=02222_00100 geese=00000")
    assert "geese breaks hard mode: on board 1 " in out


def test_explanation_shows_the_bits_of_a_guess_on_each_board(run: Run) -> None:
    out = played(run, "solve", "--boards", 2, "--first-guess", "RRRR", lines="?")
    out = " ".join(out.split())
    bits = gb.Session("mastermind-4x6").split("RRRR").entropy
    assert f"RRRR: {2 * bits:.2f} bits expected over the open boards." in out
    for board in (1, 2):
        split = f"{bits:.2f} bits of 1,296 possible, 5 cells, the largest 625;"
        assert f"board {board}: {split}" in out
    assert "by itself RYGB, 3.06 bits" in out


@pytest.mark.parametrize("command", ["play", "run"])
def test_more_than_32_secrets_are_rejected(run: Run, command: str) -> None:
    assert run(command, *32 * ["--secret", "PYRO"]).code == 0
    assert run(command, *33 * ["--secret", "PYRO"]).code == 2


@pytest.mark.usefixtures("small")
def test_run_shows_the_source_of_each_guess_and_whether_the_game_is_won(run: Run) -> None:
    out = played(run, "run", "--secret", "pyro")
    assert "252 left" in out
    assert "PYRO found in 4 guesses: a win, 10 are allowed" in out
    found = printed(run, "run", "--secret", "PYRO", "--first-guess", "RRYY")
    assert (found["allowed_guesses"], found["won"]) == (10, True)
    shown = played(run, "run", "--secret", "PYRO", "--first-guess", "RRYY")
    assert re.search(r" left, (live|symmetry)$", shown, re.MULTILINE)
    turns = found["turns"]
    assert (turns[0]["guess"], turns[0]["source"]) == ("RRYY", "first guess")
    assert turns[-1]["feedback"] == "4,0"
    assert len(turns) == found["guesses"]
    turns = printed(run, "run", "--secret", "PYRO", "--shuffle", "--random-seed", 3)["turns"]
    assert {turn["source"] for turn in turns} == {"book"}


def test_run_plays_several_boards_with_the_same_guesses(run: Run, small: gb.Book) -> None:
    secrets = ["--secret", "night", "--secret", "geese"]
    found = printed(run, "run", "words.book", *secrets)
    assert [board["secret"] for board in found["boards"]] == ["night", "geese"]
    for board in found["boards"]:
        assert len(board["turns"]) == board["guesses"] <= found["guesses"]
        assert board["turns"][-1] == {"guess": board["secret"], "feedback": "22222", "left": 1}
    out = played(run, "run", "words.book", *secrets)
    assert f"2 boards in {found['guesses']} guesses" in out
    assert out.count("solved") == 2


def test_games_are_lost_beyond_the_limit_of_the_real_game(run: Run, tmp_path: Path) -> None:
    words = [f"{letter}ight" for letter in "abcdefghij"]
    gb.build(gb.WordGame(words)).save(tmp_path / "alike.book")
    out = played(run, "run", "alike.book", "--secret", "jight")
    assert "jight found in 10 guesses: a loss, 6 are allowed" in out
    found = printed(run, "run", "alike.book", "--secret", "jight")
    assert (found["allowed_guesses"], found["won"]) == (6, False)
    assert "wins        6 of 10 within 6 guesses" in played(run, "simulate", "alike.book")
    assert printed(run, "simulate", "alike.book")["wins"] == 6
    gb.build(gb.Mastermind(2, 2)).save(tmp_path / "none.book")
    assert "allowed" not in played(run, "run", "none.book", "--json")
    assert "wins" not in played(run, "simulate", "none.book")


def test_simulate_plays_every_secret_and_writes_counts(run: Run, tmp_path: Path) -> None:
    assert "4.4151 on average, 6 at most" in played(run, "simulate", "-o", "counts.csv")
    rows = list(csv.DictReader((tmp_path / "counts.csv").read_text("utf-8").splitlines()))
    assert [row["secret"] for row in rows] == list(gb.Mastermind(4, 6).secrets)
    assert sum(int(row["guesses"]) for row in rows) == 5722
    assert played(run, "simulate", "-o", "-") == (tmp_path / "counts.csv").read_text("utf-8")
    part = printed(run, "simulate", "--fraction", "0.1", "--random-seed", 1)
    assert part["played"] == sum(part["distribution"].values()) == 130


def test_simulate_plays_games_with_random_secrets(run: Run) -> None:
    first, again, other = (
        printed(run, "simulate", "--games", 50, "--random-seed", seed) for seed in (1, 1, 2)
    )
    assert first == again != other
    assert first["played"] == first["wins"] == sum(first["distribution"].values()) == 50
    assert first["mean_guesses"] == first["total_guesses"] / 50
    assert "played      50 games, 1,296 secrets" in played(run, "simulate", "--games", 50)

"""The ledger of `python -m benchmarks.openings`: claims, interruptions, merges and damage."""

from __future__ import annotations

import itertools
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import pytest

import guessbook as gb
from benchmarks import openings, records
from benchmarks.openings import Ledger

if TYPE_CHECKING:
    from pathlib import Path

SECRETS = ["bat", "cat", "fat", "hat", "mat", "rat", "bin", "fin"]
GUESSES = [*SECRETS, "bcf", "hmb", "tic"]
GAME = gb.WordGame(SECRETS, GUESSES)
NEVER = 1 << 40
History = tuple[tuple[str, str], ...]

Run = Callable[..., str]


def keeps_hints(word: str, history: History) -> bool:
    """Return whether hard mode allows a word: it keeps green letters and uses yellow ones."""
    for guess, answer in history:
        shown = Counter(letter for letter, mark in zip(guess, answer, strict=True) if mark in "12")
        marks = zip(word, guess, answer, strict=True)
        if shown - Counter(word) or any(m == "2" and a != b for a, b, m in marks):
            return False
    return True


@cache
def least(history: History, secrets: tuple[str, ...], left: int, hard: bool, first: str) -> int:
    """Return the least total number of guesses that find `secrets`, each within `left` guesses.

    Return NEVER if this is impossible. Try every next guess, or only `first` if it is not empty.
    """
    costs = [NEVER]
    for word in GUESSES if left else ():
        if first not in ("", word) or (hard and not keeps_hints(word, history)):
            continue
        cells = defaultdict(list)
        for secret in secrets:
            cells[GAME.feedback(word, secret)].append(secret)
        if len(cells) > 1 or word in secrets:
            cells.pop("222", None)
            # Earlier guesses matter only in hard mode.
            after = [
                (tuple(sorted({*history, (word, past)})) * hard, tuple(cells[past]))
                for past in cells
            ]
            costs.append(len(secrets) + sum(least(*node, left - 1, hard, "") for node in after))
    return min(costs)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs the program in a folder with the word lists.

    It returns the output; or, after a failure, the error message or the exit code as text.
    """
    (tmp_path / "answers").write_text("\n".join(GAME.secrets), "utf-8")
    (tmp_path / "guesses").write_text("\n".join(GAME.guesses), "utf-8")
    monkeypatch.chdir(tmp_path)

    def started(options: str, below: int = 23, ledger: str = "a.csv") -> str:
        game = f"--answers answers --guesses guesses --ledger {ledger} --below {below}"
        monkeypatch.setattr(sys, "argv", ["openings", *game.split(), *options.split()])
        with pytest.raises(SystemExit) as ended:
            openings.main()
        return capsys.readouterr().out if not ended.value.code else str(ended.value.code)

    return started


@pytest.mark.parametrize(
    ("options", "below"),
    [
        *(("", below) for below in (20, 22, 40)),
        pytest.param("--hard-mode", 26, marks=pytest.mark.slow),
        ("--max-guesses 3", 22),
        ("--hard-mode --max-guesses 4", 24),
    ],
)
def test_claims_match_exhaustive_search(options: str, below: int, run: Run, tmp_path: Path) -> None:
    run(options, below)
    left = int(options[-1]) if options[-1:].isdigit() else len(GUESSES)
    claims = Ledger(tmp_path / "a.csv").claims
    assert sorted(claims) == list(range(len(GUESSES)))
    for opening, claim in claims.items():
        total = least((), GAME.secrets, left, "hard" in options, GUESSES[opening])
        assert claim[:2] == ((True, total) if total < below else (False, below))


def test_interrupted_ledger_is_completed_by_the_same_command(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, looks = tmp_path / "a.csv", itertools.count()

    def clock() -> float:
        if next(looks) == 4:
            raise KeyboardInterrupt
        return 0.0

    with monkeypatch.context() as patch:
        patch.setattr(time, "monotonic", clock)
        assert "run the same command to resume" in run("--jobs 1")
    lines = [line for line in path.read_text("utf-8").splitlines() if line[0].isdigit()]
    # A kill may have cut the last line short.
    path.write_text(path.read_text("utf-8").partition(lines[3])[0] + lines[3][:-1], "utf-8")
    kept = Ledger(path)
    assert len(kept.claims) == 3
    run("")
    ended = Ledger(path)
    assert (len(ended.claims), ended.sittings) == (len(GUESSES), 2)
    assert {opening: ended.claims[opening] for opening in kept.claims} == kept.claims
    assert len(re.findall(r"^\d+,", path.read_text("utf-8"), re.MULTILINE)) == len(GUESSES)


def test_concatenated_ledgers_are_one_ledger(run: Run, tmp_path: Path) -> None:
    for part in (1, 2):
        run(f"--part {part}/2", ledger=f"{part}.csv")
    run("", 18, "weak.csv")
    texts = [(tmp_path / f"{name}.csv").read_text("utf-8") for name in ("1", "2", "weak")]
    (tmp_path / "a.csv").write_text("".join(texts), "utf-8")
    claims = Ledger(tmp_path / "a.csv").claims
    assert len(claims) == len(GUESSES)
    assert all(claim.exact or claim.guesses == 23 for claim in claims.values())
    run("")
    assert Ledger(tmp_path / "a.csv").sittings == 3
    assert run("--check") == "11 of 11 lines hold\n"
    assert run("--check 3 4") == "2 of 2 lines hold\n"


def test_check_finds_false_claims(run: Run, tmp_path: Path) -> None:
    run("")
    path = tmp_path / "a.csv"
    best = min(claim.guesses for claim in Ledger(path).claims.values())
    for false in (f",{best + 1},0,", f",{best - 1},1,"):
        text = re.sub(f",{best},1,", false, path.read_text("utf-8"), count=1)
        (tmp_path / "b.csv").write_text(text, "utf-8")
        assert run("--check", ledger="b.csv") == "1"


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("3,17,0", "'3,17,0' is not OPENING,GUESSES,EXACT,TRIED"),
        ("3,17,1,x", "remove it, and its opening is proven again"),
        ("game optimal answers 8 00 guesses 11 00", "name another ledger"),
        ("11,17,0,1", "there is no opening 11; give 0 to 10"),
        ("3,25,0,1\n3,22,1,1", "contradict an earlier line"),
    ],
)
def test_damaged_ledger_is_rejected_in_one_line(
    line: str, error: str, run: Run, tmp_path: Path
) -> None:
    run("--part 1/11")
    assert "no line for opening 1," in run("--check 1")
    path = tmp_path / "a.csv"
    path.write_text(path.read_text("utf-8") + line + "\n", "utf-8")
    before = path.read_bytes()
    said = run("")
    assert error in said
    assert "\n" not in said
    assert path.read_bytes() == before


def test_stored_ledgers_agree_with_the_records() -> None:
    rows = [
        *("Wordle, salet", "Wordle, hard mode, salet", "Wordle, hard mode, salet, within 6"),
        *("Wordle 2023, tarse", "Wordle 2023, hard mode, salet"),
    ]
    kept = records.stored()
    for row, (path, words, _, total) in zip(rows, openings.LEDGERS, strict=True):
        assert kept[row]["total_guesses"] == total
        claims = Ledger(path).claims
        # The last search was stopped after an hour.
        if row != rows[-1]:
            assert sorted(claims) == list(range(words.guesses))
        (best,) = (claim for claim in claims.values() if claim.guesses <= total)
        assert (best.exact, best.guesses) == (True, total)

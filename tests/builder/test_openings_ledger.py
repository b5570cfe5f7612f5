"""The ledger of openings: what it claims is true, and it survives kills, merges and damage."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import pytest

from benchmarks import openings, records
from benchmarks.openings import Claim, Ledger
from guessbook.book import WordGame
from guessbook.policy.reference import keeps_hints

if TYPE_CHECKING:
    from pathlib import Path

    from guessbook.book.games.game import History

SECRETS = ["bat", "cat", "fat", "hat", "mat", "rat", "bin", "fin"]
GUESSES = [*SECRETS, "bcf", "hmb", "tic"]
GAME = WordGame(SECRETS, GUESSES)
NEVER = 1 << 40

Run = Callable[..., str]


@cache
def least(history: History, secrets: tuple[str, ...], left: int, hard: bool, first: int) -> int:
    """The fewest guesses by the definition: all are tried, or the first one that is given."""
    costs = [NEVER]
    for guess, word in enumerate(GUESSES if left else ()):
        if first not in (-1, guess) or (hard and not keeps_hints(GAME, word, history)):
            continue
        cells = defaultdict(list)
        for secret in secrets:
            cells[GAME.feedback_number(word, secret)].append(secret)
        if len(cells) > 1 or word in secrets:
            cells.pop(GAME.solved, None)
            # Only in hard mode does it matter what was guessed before.
            after = [
                (tuple(sorted({*history, (guess, past)})) * hard, tuple(cells[past]))
                for past in cells
            ]
            costs.append(len(secrets) + sum(least(*node, left - 1, hard, -1) for node in after))
    return min(costs)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the program in a folder that has the lists; returns what it prints, or its error."""
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
        ("--hard-mode", 26),
        ("--max-guesses 3", 22),
        ("--hard-mode --max-guesses 4", 24),
    ],
)
def test_claims_are_true(options: str, below: int, run: Run, tmp_path: Path) -> None:
    """A total is that of the definition, and no bound is above it; nothing is left open."""
    run(options, below)
    left = int(options[-1]) if options[-1:].isdigit() else len(GUESSES)
    claims = Ledger(tmp_path / "a.csv").claims
    assert sorted(claims) == list(range(len(GUESSES)))
    for opening, claim in claims.items():
        total = least((), GAME.secrets, left, "hard" in options, opening)
        assert claim[:2] == ((True, total) if total < below else (False, below))


def test_a_killed_sitting_goes_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was proven before a kill stays, also if that cut the last line short."""
    add, path = Ledger.add, tmp_path / "a.csv"

    def killed(self: Ledger, opening: int, claim: Claim) -> None:
        if len(self.claims) == 4:
            raise KeyboardInterrupt
        add(self, opening, claim)

    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "add", killed)
        assert "the same command goes on" in run("--jobs 1")
    whole = path.read_text("utf-8").removesuffix("\n")
    path.write_text(whole.rpartition("\n")[0][:-1], "utf-8")
    kept = Ledger(path)
    assert len(kept.claims) == 3
    run("")
    ended = Ledger(path)
    assert (len(ended.claims), ended.sittings) == (len(GUESSES), 2)
    assert {opening: ended.claims[opening] for opening in kept.claims} == kept.claims
    assert len(re.findall(r"^\d+,", path.read_text("utf-8"), re.M)) == len(GUESSES)


def test_ledgers_are_put_together(run: Run, tmp_path: Path) -> None:
    """Parts of two machines, one after the other, are a ledger; of two claims the better counts."""
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


def test_a_false_claim_is_found(run: Run, tmp_path: Path) -> None:
    """A bound above the total does not hold, and a total that is too low neither."""
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
        ("3,17,0", "found '3,17,0', expected OPENING,GUESSES,EXACT,TRIED"),
        ("3,17,1,x", "remove the line, and its opening is proven again"),
        ("game optimal answers 8 00 guesses 11 00", "take another ledger"),
        ("11,17,0,1", "found opening 11, expected 0 to 10"),
        ("3,25,0,1\n3,22,1,1", "contradicts an earlier line"),
    ],
)
def test_damage_is_one_line(line: str, error: str, run: Run, tmp_path: Path) -> None:
    """A ledger of another game, or with a damaged line, is refused and stays as it is."""
    run("--part 1/11")
    assert "no claim about opening 1," in run("--check 1")
    path = tmp_path / "a.csv"
    path.write_text(path.read_text("utf-8") + line + "\n", "utf-8")
    before = path.read_bytes()
    said = run("")
    assert error in said
    assert "\n" not in said
    assert path.read_bytes() == before


def test_the_ledgers_agree_with_the_records() -> None:
    """One opening of Wordle needs as few guesses as the record, every other opening more."""
    rows = ("Wordle, salet", "Wordle, hard mode, salet", "Wordle, hard mode, salet, within 6")
    kept = records.stored()
    for row, (path, total) in zip(rows, openings.LEDGERS.values(), strict=True):
        assert kept[row]["total_guesses"] == total
        claims = Ledger(path).claims
        assert sorted(claims) == list(range(12_972))
        (best,) = (claim for claim in claims.values() if claim.guesses <= total)
        assert (best.exact, best.guesses) == (True, total)

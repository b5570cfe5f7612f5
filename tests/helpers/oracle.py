"""The plain C++ search as an oracle: what it found, in data/oracle*.csv, and the search itself.

`python -m tests.helpers.oracle` asks it for every case that the files lack and adds that to them;
for that g++ must be at hand, for whole lists of words these as well. The code games
take minutes, and so do most lists; that of 8 letters took eight.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import platform
import shutil
import subprocess
from functools import cache
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import NamedTuple

import pytest

import guessbook as gb
from tests.helpers.wordlists import whole_lists

DATA = Path(__file__).resolve().parent.parent / "data"
STORE = DATA / "oracle.csv"
WORD_STORE = DATA / "oracle-words.csv"
OPTIMA = DATA / "optima.csv"
FOUND = ["total_guesses", "distribution"]
COLUMNS = ["pegs", "colors", "repeats", "policy", *FOUND]


class Case(NamedTuple):
    """A code game and a one-step policy."""

    pegs: int
    colors: int
    repeats: bool
    policy: str


class WordCase(NamedTuple):
    """Lists of words and a one-step policy.

    Attributes:
        lists: "whole" for the lists in ../shared/words, "made" for those of `made_lists`,
            "weighted" for these with the weights of `made_weights`: totals are then by weight.
        length: letters of a word.
        policy: its name.
    """

    lists: str
    length: int
    policy: str


class Found(NamedTuple):
    """A total of guesses, and how many secrets the 1st, 2nd, ... guess solves."""

    total: int
    distribution: tuple[int, ...]


CASES = [
    Case(3, 6, True, "entropy"),
    Case(4, 5, True, "minimax"),
    Case(4, 7, True, "entropy"),
    Case(4, 7, True, "parts"),
    Case(5, 4, True, "expected"),
    Case(5, 5, True, "entropy"),
    Case(6, 3, True, "parts"),
    Case(6, 4, True, "entropy"),
    Case(7, 3, True, "minimax"),
    Case(8, 2, True, "entropy"),
    Case(2, 12, True, "expected"),
    Case(3, 10, False, "entropy"),
    Case(4, 8, False, "minimax"),
    Case(4, 10, False, "entropy"),
    Case(4, 10, False, "parts"),
    Case(5, 7, False, "expected"),
    Case(6, 6, False, "entropy"),
]
# At these sizes both the engine and the top of the tree are at work.
LARGE_CASES = [
    Case(5, 8, True, "entropy"),
    Case(5, 8, True, "parts"),
    Case(6, 6, True, "minimax"),
    Case(5, 9, False, "entropy"),
]
PLAIN = ("entropy", "expected", "parts", "minimax")
# The oracle holds a feedback in 16 bits, so it knows words of at most 10 letters.
MADE_CASES = [WordCase("made", length, policy) for length in range(1, 11) for policy in PLAIN]
WEIGHTED_CASES = [
    WordCase("weighted", length, policy)
    for length in range(3, 9)
    for policy in (*PLAIN, "entropy-corrected")
]
WHOLE_CASES = [
    *(WordCase("whole", length, policy) for length in (4, 5, 6, 7) for policy in PLAIN),
    *(WordCase("whole", length, "entropy") for length in (8, 9)),
]


def main() -> None:
    """Ask for what is not stored."""
    with STORE.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for case in [*CASES, *LARGE_CASES]:
            if case not in stored():
                writer.writerow([*case[:2], int(case.repeats), case.policy, *row(ask_oracle(case))])
                file.flush()
    with WORD_STORE.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for words in [*MADE_CASES, *WEIGHTED_CASES, *WHOLE_CASES]:
            if words not in stored_words():
                sizes = map(len, lists_of(words))
                writer.writerow([*words, *sizes, *row(ask_oracle(words))])
                file.flush()


def row(found: Found) -> tuple[int, str]:
    """What was found, as the last cells of a row."""
    return found.total, " ".join(map(str, found.distribution))


@cache
def stored() -> dict[Case, Found]:
    """What the oracle found for each case of a code game, from the file."""
    return {
        Case(int(row["pegs"]), int(row["colors"]), row["repeats"] == "1", row["policy"]): found_in(
            row
        )
        for row in rows(STORE)
    }


@cache
def stored_words() -> dict[WordCase, Found]:
    """What the oracle found for each case of words, from the file."""
    return {
        WordCase(row["lists"], int(row["length"]), row["policy"]): found_in(row)
        for row in rows(WORD_STORE)
    }


@cache
def optima() -> dict[tuple[int, int, bool], int]:
    """The least total that any strategy needs, by pegs, colors and repeats; see data/README.md."""
    return {
        (int(row["pegs"]), int(row["colors"]), row["repeats"] == "1"): int(row["total_guesses"])
        for row in rows(OPTIMA)
    }


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a file."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def found_in(row: dict[str, str]) -> Found:
    """What a row says that was found."""
    return Found(int(row["total_guesses"]), tuple(map(int, row["distribution"].split())))


def lists_of(case: WordCase) -> tuple[list[str], list[str]]:
    """The secrets and the guesses of a case."""
    return whole_lists(case.length) if case.lists == "whole" else made_lists(case.length)


@cache
def made_lists(length: int) -> tuple[list[str], list[str]]:
    """Up to 600 random words that are much alike, as in night and light, and a third of them.

    Words of random letters alone would be told apart by almost any guess.
    """
    alphabet = "aeilnrst"
    size = min(600, len(alphabet) ** length)
    # Of all that it draws, Python promises only `random` to be the same in every version.
    source = Random(length)
    words: dict[str, None] = {}
    while len(words) < size:
        letters = [
            alphabet[place % 8 if source.random() < 0.6 else int(source.random() * 8)]
            for place in range(length)
        ]
        words["".join(letters)] = None
    return list(words)[1::3], list(words)


def made_weights(case: WordCase) -> list[int] | None:
    """How much each secret counts: a few much, most of them little; None for other lists."""
    if case.lists != "weighted":
        return None
    source = Random(case.length)
    return [1 + int(9000 * source.random() ** 6) for _ in lists_of(case)[0]]


def ask_oracle(case: Case | WordCase) -> Found:
    """What the oracle finds for a case now; skips the test that asks where there is no oracle."""
    if isinstance(case, Case):
        arguments = ["code", str(case.pegs), str(case.colors), str(int(case.repeats))]
    else:
        arguments = ["words"]
        folder = Path(mkdtemp())
        for name, words in zip(("secrets", "guesses"), lists_of(case), strict=True):
            (folder / name).write_text("\n".join(words) + "\n")
            arguments.append(str(folder / name))
    command = [str(compiled("naive")), *arguments, case.policy]
    if isinstance(case, WordCase) and (weights := made_weights(case)):
        (folder / "weights").write_text("\n".join(map(str, weights)) + "\n")
        command.append(str(folder / "weights"))
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    by_depth = {int(depth): n for depth, n in answer["distribution"].items()}
    depths = range(1, max(by_depth) + 1)
    return Found(answer["total_guesses"], tuple(by_depth.get(depth, 0) for depth in depths))


def least_total(game: gb.TableGame) -> int:
    """The least total of a table, by the search in C++; by weight if its secrets have weights."""
    # 0 is what says "found".
    known = {game.solved: 0, **{answer: answer + 1 for answer in range(game.solved)}}
    lines = [
        [len(game.guesses), len(game.secrets)],
        game.weights or [1] * len(game.secrets),
        *([known[answer] for answer in game.row(guess)] for guess in range(len(game.guesses))),
    ]
    file = Path(mkdtemp()) / "table"
    file.write_text("\n".join(" ".join(map(str, line)) for line in lines))
    done = subprocess.run([compiled("optimal"), file], check=True, capture_output=True)
    return int(json.loads(done.stdout)["total"])


@cache
def compiled(name: str) -> Path:
    """The path of a search of benchmarks/, compiled; skips the test that asks without g++."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip(f"there is no g++ to compile benchmarks/{name}.cpp with")
    source = Path(__file__).resolve().parents[2] / "benchmarks" / f"{name}.cpp"
    mark = hashlib.sha256(source.read_bytes() + platform.machine().encode()).hexdigest()[:16]
    # Other processes of the same tests, and the next ones, need it as well.
    binary = Path(__file__).parent / "__pycache__" / f"{name}-{mark}.exe"
    if not binary.exists():
        binary.parent.mkdir(exist_ok=True)
        own = binary.with_name(f"{os.getpid()}.exe")
        subprocess.run([compiler, "-O3", "-o", own, source], check=True)
        own.replace(binary)
    return binary


if __name__ == "__main__":
    main()

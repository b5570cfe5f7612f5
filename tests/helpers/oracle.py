"""A plain search in C++ as an oracle, and its stored results in data/oracle*.csv.

`python -m tests.helpers.oracle` computes the cases that the files lack, and adds them. It needs g++
and, for whole lists of words, these lists. Large cases take minutes.
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
        length: the number of letters of a word.
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
# Large games, whose builds are divided into many tasks.
LARGE_CASES = [
    Case(5, 8, True, "entropy"),
    Case(5, 8, True, "parts"),
    Case(6, 6, True, "minimax"),
    Case(5, 9, False, "entropy"),
]
PLAIN = ("entropy", "expected", "parts", "minimax")
# The oracle stores a feedback in 16 bits, so words have at most 10 letters.
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
    """Compute and store the missing cases."""
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
    """Return a result as the last cells of a row."""
    return found.total, " ".join(map(str, found.distribution))


@cache
def stored() -> dict[Case, Found]:
    """Return the stored result of each code game."""
    return {
        Case(int(row["pegs"]), int(row["colors"]), row["repeats"] == "1", row["policy"]): found_in(
            row
        )
        for row in rows(STORE)
    }


@cache
def stored_words() -> dict[WordCase, Found]:
    """Return the stored result of each case of words."""
    return {
        WordCase(row["lists"], int(row["length"]), row["policy"]): found_in(row)
        for row in rows(WORD_STORE)
    }


@cache
def optima() -> dict[tuple[int, int, bool], int]:
    """Return the least total of all strategies by pegs, colours and repeats; see data/README.md."""
    return {
        (int(row["pegs"]), int(row["colors"]), row["repeats"] == "1"): int(row["total_guesses"])
        for row in rows(OPTIMA)
    }


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def found_in(row: dict[str, str]) -> Found:
    """Return the result in a row."""
    return Found(int(row["total_guesses"]), tuple(map(int, row["distribution"].split())))


def lists_of(case: WordCase) -> tuple[list[str], list[str]]:
    """Return the secrets and the guesses of a case."""
    return whole_lists(case.length) if case.lists == "whole" else made_lists(case.length)


@cache
def made_lists(length: int) -> tuple[list[str], list[str]]:
    """Return a third of up to 600 random words as secrets, and all of them as guesses.

    The words resemble each other, as night and light do: almost any guess would distinguish words
    of random letters.
    """
    alphabet = "aeilnrst"
    size = min(600, len(alphabet) ** length)
    # Of the methods of `Random`, only `random` gives the same numbers in every version of Python.
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
    """Return weights of the secrets, few of them large; None for lists without weights."""
    if case.lists != "weighted":
        return None
    source = Random(case.length)
    return [1 + int(9000 * source.random() ** 6) for _ in lists_of(case)[0]]


def ask_oracle(case: Case | WordCase) -> Found:
    """Run the oracle on a case; skip the test if it cannot be compiled."""
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
    """Return the least total of a table, by weight, from the search in C++."""
    # The search expects the number 0 for "found".
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
    """Compile a program of benchmarks/, and return its path; skip the test without g++."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip(f"needs g++ to compile benchmarks/{name}.cpp")
    source = Path(__file__).resolve().parents[2] / "benchmarks" / f"{name}.cpp"
    mark = hashlib.sha256(source.read_bytes() + platform.machine().encode()).hexdigest()[:16]
    # Other test processes and later runs use the same binary.
    binary = Path(__file__).parent / "__pycache__" / f"{name}-{mark}.exe"
    if not binary.exists():
        binary.parent.mkdir(exist_ok=True)
        own = binary.with_name(f"{os.getpid()}.exe")
        subprocess.run([compiler, "-O3", "-o", own, source], check=True)
        own.replace(binary)
    return binary


if __name__ == "__main__":
    main()

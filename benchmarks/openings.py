"""Prove how many guesses each opening of a word game needs, and store the results in a ledger.

A ledger is a text file. It gets a line as soon as an opening is proven, so an interruption loses
only the openings that are being searched. Such a line has four numbers, separated by commas:

    opening   the index in the list of guesses, from 0
    guesses   no strategy with this opening needs fewer guesses for all secrets together
    exact     1 if some strategy needs no more, else 0
    tried     the number of guesses tried in the search; 1 if bounds refuted the opening at once.
              A set of secrets that an earlier opening led to is not searched again.

Three other lines describe each run: `game` (the policy and the lists), `made` (the date, the
version and the command) and `seconds` (the processor time, unless the run was killed). The lists of
words are not ours to publish, so a ledger names them by SHA-256.

    python -m benchmarks.openings                     continue wordle-openings.csv
    python -m benchmarks.openings --hard-mode         continue the ledger of hard mode
    python -m benchmarks.openings --lists 2023        continue that of the lists of July 2023
    python -m benchmarks.openings --below 7931        also find all totals below 7,931
    python -m benchmarks.openings --part 1/4 --ledger one.csv     a quarter of the openings
    cat one.csv two.csv >> docs/explanation/wordle-openings.csv               merge ledgers
    python -m benchmarks.openings --check 15 200      prove the lines of these openings again
    python -m benchmarks.openings --check             prove all lines again
"""

from __future__ import annotations

import argparse
import datetime
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import NamedTuple, cast

import numpy as np

from benchmarks.games import ROOT, WORDLE, WORDLE_2023, WORDS, Words
from guessbook.book.errors import GuessbookError
from guessbook.book.games.words import WordGame, fingerprint
from guessbook.builder.limits import MEMORY
from guessbook.builder.optimal import OptimalScorer
from guessbook.engine.sets import Problem
from guessbook.policy.optimal import Optimal
from guessbook.policy.registry import policy_of

DOCS = ROOT / "docs" / "explanation"
# Wordle's lists, by the year in which it used them.
LISTS = {2022: WORDLE, 2023: WORDLE_2023}
LINE = re.compile(r"(\d+),(\d+),([01]),(\d+)")
# Seconds between two reports of progress.
OFTEN = 10


class Stored(NamedTuple):
    """A ledger of docs/explanation, and the least known total of the game."""

    path: Path
    words: Words
    policy: str
    total: int


LEDGERS = [
    Stored(DOCS / "wordle-openings.csv", WORDLE, "optimal", 7920),
    Stored(DOCS / "wordle-openings-hard.csv", WORDLE, "optimal:hard-mode", 8116),
    Stored(DOCS / "wordle-openings-hard-6.csv", WORDLE, "optimal:hard-mode,max-guesses=6", 8122),
    Stored(DOCS / "wordle-2023-openings.csv", WORDLE_2023, "optimal", 11219),
    Stored(DOCS / "wordle-2023-openings-hard.csv", WORDLE_2023, "optimal:hard-mode", 11586),
]


class Claim(NamedTuple):
    """What is proven about an opening; of two claims, the greater one says more."""

    exact: bool
    guesses: int
    tried: int


class Ledger:
    """What is proven about the openings of one game.

    Args:
        path: the file, which may not exist yet.
        game: the policy and the lists, as each run records them; None to accept those that the file
            names first.

    Raises:
        ValueError: a line is damaged, or about another game.

    Attributes:
        claims: the best claim about each opening.
        sittings: the number of runs that added to the ledger.
        seconds: the processor time of these runs, without runs that were killed.
    """

    def __init__(self, path: Path, game: str | None = None) -> None:
        self.path, self.claims = path, dict[int, Claim]()
        self.sittings, self.seconds = 0, 0
        data = path.read_bytes() if path.is_file() else b""
        # A kill may have truncated the last line; its opening is proven again.
        lines = data.decode("utf-8", "replace").split("\n")[:-1]
        for number, line in enumerate(lines, 1):
            where, (kind, _, text) = f"line {number} of {path}", line.partition(" ")
            if kind == "game":
                game = game or text
                if text != game:
                    raise ValueError(f"{where} is about {text}, not {game}; name another ledger")
                self.sittings += 1
            elif kind == "seconds" and text.isdecimal():
                self.seconds += int(text)
            elif kind != "made" or not self.sittings:
                self._read(line, where)

    def _read(self, line: str, where: str) -> None:
        fields = LINE.fullmatch(line)
        if not fields or not self.sittings:
            raise ValueError(
                f"{where} is damaged: {line!r} is not OPENING,GUESSES,EXACT,TRIED after a line "
                "that names the game; remove it, and its opening is proven again"
            )
        opening, guesses, exact, tried = map(int, fields.groups())
        claim = Claim(bool(exact), guesses, tried)
        less, more = sorted((self.claims.get(opening, claim), claim))
        above, below = less.guesses > more.guesses, less.exact and less.guesses < more.guesses
        if more.exact and (above or below):
            raise ValueError(
                f"{where}: {guesses} guesses for opening {opening} contradict an earlier line; "
                "remove both lines, and the opening is proven again"
            )
        self.claims[opening] = more

    def begin(self, game: str) -> None:
        if self.path.is_file():
            os.truncate(self.path, self.path.read_bytes().rfind(b"\n") + 1)
        command = " ".join(["python -m benchmarks.openings", *sys.argv[1:]])
        today, number = datetime.date.today().isoformat(), version("guessbook")
        self.write(f"game {game}\nmade {today} by guessbook {number}: {command}")
        self.sittings += 1

    def add(self, opening: int, claim: Claim) -> None:
        self.write(f"{opening},{claim.guesses},{claim.exact:d},{claim.tried}")
        self.claims[opening] = max(claim, self.claims.get(opening, claim))

    def write(self, line: str) -> None:
        """Append a line, which then survives a kill of the process."""
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(f"{line}\n")


class Prover(OptimalScorer):
    """The search for optimal play after given openings.

    All openings share one table of sets of secrets. Random hash keys distinguish the sets. Each run
    draws its own keys, so a collision of one run is unlikely in another.
    """

    def prepared(self, problem: Problem) -> Problem:
        """Return the problem with the random hash keys of this run."""
        words = np.random.default_rng().integers(1, 1 << 63, problem.secrets)
        return problem._replace(keys=words.astype(np.uint64))

    def claim(self, opening: int, below: int) -> Claim:
        """Find the total of an opening if it is less than `below`, else prove that it is not."""
        path, before = np.zeros(0, np.uint32), self.search.tried
        cost = self.try_guess(np.arange(len(self.homes)), path, opening, below - 1, self.left(path))
        return Claim(cost < below, min(cost, below), self.search.tried - before)

    def prove(self, below: dict[int, int], jobs: int, told: Callable[[int, Claim], None]) -> None:
        """Prove openings in threads, each against its own limit, and report each claim at once."""
        lock, last, done = Lock(), time.monotonic(), 0

        def work(opening: int) -> None:
            nonlocal last, done
            claim = self.claim(opening, below[opening])
            with lock:
                told(opening, claim)
                done += 1
                if time.monotonic() > last + OFTEN:
                    last = time.monotonic()
                    print(f"{done:,} of {len(below):,} openings", file=sys.stderr)

        # The easiest openings first: those with the highest bounds from the sizes of their cells.
        openings, path = np.fromiter(below, np.uint32), np.zeros(0, np.uint32)
        bounds = self.size_bounds(np.arange(len(self.homes)), path, openings, self.left(path))
        with ThreadPoolExecutor(jobs) as pool:
            order = openings[np.argsort(-bounds, kind="stable")].tolist()
            tasks = [pool.submit(work, opening) for opening in order]
            try:
                for task in tasks:
                    task.result()
            finally:
                pool.shutdown(cancel_futures=True)


def section() -> str:
    """Return the section of docs/explanation/records.md on the ledgers of Wordle."""
    rows = []
    for path, words, policy, total in LEDGERS:
        ledger = Ledger(path)
        claims = ledger.claims.values()
        closed = [claim for claim in claims if claim.exact or claim.guesses > total]
        exact = sorted(Counter(claim.guesses for claim in claims if claim.exact).items())
        numbers = len(closed), sum(claim.tried == 1 for claim in closed)
        totals = ", ".join(f"{guesses:,} ({count})" for guesses, count in exact)
        rows.append(
            f"| [`{policy}`]({path.name}) | {words.secrets:,} | {words.guesses:,} "
            f"| {numbers[0]:,} | {numbers[1]:,} | {totals} "
            f"| {ledger.sittings} | {ledger.seconds:,} |\n"
        )
    return SECTION + "".join(rows)


SECTION = """\
## Wordle, every opening

An opening is closed if its total is known, or if it is proven to need more guesses than the best opening. With the
first lists of Wordle, the best opening is salet: it needs 7,920 guesses, in hard mode 8,116, and in hard mode within
six guesses 8,122. With the lists of July 2023, it is tarse with 11,219 guesses, and no secret needs more than six. All
these openings are closed, so no opening needs fewer guesses in total. Most are closed by lower bounds alone, without a
search. In hard mode with the lists of July 2023, salet needs 11,586 guesses. There, an hour did not close all other
openings, so one of them may need fewer.

A ledger is a file with one line for each opening, named by its index in the list of guesses. `python -m
benchmarks.openings` adds lines to a ledger; with `--check`, it repeats the proofs of existing lines. The table counts
the runs of this command and adds up their processor time, except that of runs that were killed. Each known total is
followed by the number of openings that have it.

| ledger of a policy | secrets | openings | closed openings | closed by bounds | known totals (openings) | runs | processor seconds |
|---|---|---|---|---|---|---|---|
"""


def share(text: str) -> slice:
    """Parse a part of the openings; 1/4 means the first, fifth, ninth, and so on."""
    part, _, parts = text.partition("/")
    if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a part of the openings; give one such as 1/4"
        )
    return slice(int(part) - 1, None, int(parts))


def options_given() -> argparse.Namespace:
    """Parse the options; the defaults are those of Wordle."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    add = parser.add_argument
    add(
        "--lists",
        type=int,
        choices=LISTS,
        default=2022,
        help="Wordle's lists of this year",
    )
    add("--answers", type=Path, help="another list of secrets")
    add("--guesses", type=Path, help="another list of guesses")
    add("--hard-mode", action="store_true", help="guesses must obey Wordle's hard mode")
    add("--max-guesses", type=int, metavar="N", help="the most guesses for any secret")
    add(
        "--below",
        type=int,
        metavar="N",
        help="find every total below N; prove that the others are not",
    )
    add("--ledger", type=Path, help="the file of results")
    add("--part", type=share, default=slice(None), metavar="K/N", help="prove only part K of N")
    add("--jobs", type=int, default=os.cpu_count(), metavar="N", help="the number of threads")
    add(
        "--check",
        type=int,
        nargs="*",
        metavar="OPENING",
        help="prove the lines of these openings again; without numbers, all lines",
    )
    given = parser.parse_args()
    limits = ["hard-mode"] * given.hard_mode
    limits += [f"max-guesses={given.max_guesses}"] * (given.max_guesses is not None)
    given.policy = "optimal" + f":{','.join(limits)}" * bool(limits)
    words = LISTS[given.lists]
    if not (given.answers or given.guesses):
        for stored in LEDGERS:
            if (stored.words, stored.policy) == (words, given.policy):
                given.ledger = given.ledger or stored.path
                given.below = given.below or stored.total + 1
    if given.ledger is None or given.below is None:
        parser.error(
            f"no ledger is stored for {given.policy} and these lists; give --ledger and --below"
        )
    answers, guesses = words.files
    given.answers = given.answers or WORDS / answers
    given.guesses = given.guesses or WORDS / guesses
    return given


def run(given: argparse.Namespace) -> int:
    """Continue or check a ledger, and return the exit code."""
    words = [path.read_text("utf-8").split() for path in (given.answers, given.guesses)]
    game = WordGame(*words)
    lists = {"answers": game.secrets, "guesses": game.guesses}
    sums = [f"{name} {len(words)} {fingerprint(words)}" for name, words in lists.items()]
    name, every = " ".join([given.policy, *sums]), range(len(game.guesses))
    ledger = Ledger(given.ledger, name)
    claims, some = ledger.claims, every[given.part]
    if strange := sorted({*claims, *(given.check or ())} - {*every}):
        raise ValueError(f"there is no opening {strange[0]}; give 0 to {every[-1]}")
    if given.check and (missing := [one for one in given.check if one not in claims]):
        raise ValueError(
            f"the ledger has no line for opening {missing[0]}, so there is nothing to check"
        )
    prover = Prover(game, cast(Optimal, policy_of(given.policy)), MEMORY)
    if given.check is not None:
        wrong: list[str] = []

        def told(opening: int, found: Claim) -> None:
            if found[:2] != claims[opening][:2]:
                wrong.append(f"opening {opening}: {claims[opening]} is false; proven: {found}")

        chosen = [one for one in given.check or some if one in claims]
        prover.prove({o: claims[o].guesses + claims[o].exact for o in chosen}, given.jobs, told)
        print("\n".join([*wrong, f"{len(chosen) - len(wrong):,} of {len(chosen):,} lines hold"]))
        return int(bool(wrong))
    nothing = Claim(False, 0, 0)
    known = {one: claims.get(one, nothing) for one in some}
    due = [one for one in some if not known[one].exact and known[one].guesses < given.below]
    if due:
        ledger.begin(name)
        try:
            prover.prove(dict.fromkeys(due, given.below), given.jobs, ledger.add)
        finally:
            ledger.write(f"seconds {time.process_time():.0f}")
    least = min(claims[one].guesses for one in some)
    print(f"{len(some):,} openings: none needs fewer than {least:,} guesses")
    return 0


def main() -> None:
    """Run the program, and print an error as one line."""
    try:
        sys.exit(run(options_given()))
    except KeyboardInterrupt:
        sys.exit("interrupted; run the same command to resume")
    except (ValueError, OSError, GuessbookError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()

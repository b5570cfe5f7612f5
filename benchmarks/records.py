"""Build our best book for each game, and write docs/explanation/records.md.

Each row of the plan is one run of `guessbook build-book` in its own process. The results are stored
in records.json, so a row is built only once, unless its command changes.

    python -m benchmarks.records                 build all missing rows, and write the page
    python -m benchmarks.records --minutes 30    start no new row after half an hour
    python -m benchmarks.records --only 5x8      build this row again
    python -m benchmarks.records --forecast      estimate the time of the missing rows
    python -m benchmarks.records --minutes 0     write the page only
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import signal
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import games
from benchmarks.bounds import lower_bound
from benchmarks.games import ROOT, WORDS, Code, Words, build, machine, optimum, table
from benchmarks.openings import section
from benchmarks.records_picture import Point, picture
from benchmarks.records_plan import LEFT_OUT, OPTIMAL, UNFINISHED, Row, plan
from guessbook.export.report import PUBLISHED
from guessbook.front import open_book

FOLDER = ROOT / "docs" / "explanation"
# The numbers of pegs in the picture.
FAMILIES = (3, 4, 5, 6)
KNOWN = ROOT / "tests" / "data" / "known.csv"


class Known(NamedTuple):
    """The best strategy known elsewhere.

    Attributes:
        total_guesses: the guesses for all secrets together.
        error: the possible error of the total, if only an average is published.
        policy: the policy that found it.
        source: who published it.
    """

    total_guesses: int
    error: int
    policy: str
    source: str

    def __str__(self) -> str:
        """The text on the page."""
        about = "about " if self.error else ""
        return f"{about}{self.total_guesses:,}, {self.policy} ({self.source})"


def known(row: Row) -> Known | None:
    """The best strategy known elsewhere within the limits of a row, or None."""
    found = []
    for fact in table(PUBLISHED):
        fits = row.limit is None or int(fact["max_guesses"]) <= row.limit
        if (
            fact["game"] == row.game.name
            and fits
            and ("hard" in fact["policy"]) == ("hard" in row.name)
        ):
            found.append(Known(int(fact["total_guesses"]), 0, fact["policy"], fact["source"]))
    for fact in table(KNOWN):
        if fact["record"] == row.name:
            numbers = int(fact["total_guesses"]), int(fact["error"])
            found.append(Known(*numbers, fact["policy"], fact["source"]))
    total = optimum(row.game) if row.limit is None else None
    if total is not None:
        found.append(Known(total, 0, "optimal", "the literature and programs agree"))
    return min(found, key=lambda one: one.total_guesses, default=None)


def begun(row: Row) -> dict[str, Any]:
    """The facts to store for a row, even if its build is stopped."""
    return {
        "command": row.command,
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "version": version("guessbook"),
    }


def made(row: Row) -> dict[str, Any]:
    """Build the book of a row, and return the facts to store."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.book")
        facts = begun(row)
        try:
            report = build(row.game, f"--policy {row.policy}", path, row.longest)
        except subprocess.CalledProcessError as error:
            if sys.platform == "win32" or error.returncode != -signal.SIGXCPU:
                raise
            return facts | {"stopped": row.longest}
        with open_book(path) as book:
            facts |= {"game": book.game.name, "policy": dict(book.policy)}
        for key in ("secrets", "total_guesses", "max_guesses", "bytes"):
            facts[key] = report[key]
        return facts | {
            **proof(row, report),
            # On a busy machine, the elapsed time includes waiting.
            "seconds": round(min(report["seconds"], report["processor"]), 2),
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }


def proof(row: Row, report: dict[str, Any]) -> dict[str, Any]:
    """What a build has proven: that no strategy is better, or else a bound, if one is known."""
    claims = report.get("claims", {})
    if row.within is not None:
        found, most = report["found_within"], claims["found_at_most"]
        bound = {} if found == most else {"found_at_most": most}
        return {"found_within": found, "proven": not bound} | bound
    if claims.get("at_least") == report["total_guesses"]:
        return {"proven": True}
    least = claims.get("at_least")
    if isinstance(row.game, Code):
        least = least or lower_bound(row.game.game)
        if row.name in UNFINISHED:
            least = max(least, UNFINISHED[row.name].bound)
    return {"proven": False} | ({"at_least": least} if least else {})


def forecast(row: Row, records: dict[str, dict[str, Any]]) -> float | None:
    """Estimate the minutes that a row takes on all cores; None if that is not possible.

    The estimate assumes that each further colour multiplies the time by the same factor. It needs
    the times of the games with one and two colours fewer, by the same policy.
    """
    if isinstance(row.game, Words):
        return None
    pegs, colors, repeats = row.game
    rows = {(other.game, other.policy): other.name for other in plan()}
    names = [rows.get((Code(pegs, colors - k, repeats), row.policy), "") for k in (1, 2)]
    last, before = (records.get(name, {}).get("seconds", 0.0) for name in names)
    return last * last / before / 60 if last and before else None


def stored(folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """The stored records, by the name of the row."""
    return games.stored(folder / "records.json")


def keep(records: dict[str, dict[str, Any]], folder: Path = FOLDER) -> None:
    """Write the records, their page and their picture."""
    games.keep(folder / "records.json", records, folder / "records.md", page(records))
    (folder / "records.svg").write_text(picture(points(records)), "utf-8")


def points(records: dict[str, dict[str, Any]]) -> list[Point]:
    """The finished games of the picture: codes with repeats, without a limit on guesses."""
    found = []
    for row in plan():
        record = records.get(row.name, {})
        code = row.game
        if isinstance(code, Words) or not code.repeats or code.pegs not in FAMILIES:
            continue
        if row.limit is not None or row.within is not None or "sha256" not in record:
            continue
        other, codes, total = known(row), record["secrets"], record["total_guesses"]
        least = total if record["proven"] else record["at_least"]
        elsewhere = None if other is None else other.total_guesses / codes
        found.append(Point(code.pegs, code.colors, total / codes, least / codes, elsewhere))
    return found


def page(records: dict[str, dict[str, Any]]) -> str:
    """The text of docs/explanation/records.md."""
    rows = [row for row in plan() if row.name in records]
    finished = [row for row in rows if "sha256" in records[row.name]]
    kept = [records[row.name] for row in finished]
    dates, machines, versions = (
        sorted({record[key] for record in kept}) for key in ("date", "machine", "version")
    )
    longer = {
        row.name: f"`{row.command}` takes {_takes(row, records)} minutes"
        for row in rows
        if row not in finished
    }
    waiting = "; ".join(row.name for row in plan() if row not in rows)
    resumed = [row.name for row in finished if records[row.name].get("sittings", 1) > 1]
    return TEMPLATE.format(
        date=" to ".join(dict.fromkeys(dates[:1] + dates[-1:])),
        machine="; ".join(machines),
        version=", ".join(versions),
        results="\n".join(result(row, records[row.name]) for row in finished if not row.within),
        most="\n".join(most(row, records[row.name]) for row in finished if row.within),
        openings=section(),
        interrupted=f"Builds that were interrupted and resumed: {', '.join(resumed)}."
        if resumed
        else "",
        books="\n".join(book(row, records[row.name]) for row in finished),
        longer="\n".join(f"- {name}: {why}." for name, why in (longer | LEFT_OUT).items())
        + (f"\n\nNot built yet: {waiting}." if waiting else ""),
    )


def _takes(row: Row, records: dict[str, dict[str, Any]]) -> str:
    """The minutes that a missing row takes, as text: a minimum, a forecast, or both."""
    record = records[row.name]
    known = [f"more than {record['stopped']:,}"] if "stopped" in record else []
    minutes = record.get("takes") or forecast(row, records)
    # A forecast below the time at which the build was stopped is wrong.
    if minutes and minutes > record.get("stopped", 0):
        known.append(f"about {float(f'{minutes:.2g}'):,}")
    return ", ".join(known)


TEMPLATE = """\
# Records

For each game, the first table compares our best strategy with the best one that we found elsewhere
([sources](../reference/policies.md#sources)). A total is the number of guesses for all secrets together. `python -m
benchmarks.records` builds our books and writes this page; [records.json](records.json) has the numbers.

4x6 means 4 pegs and 6 colours; "4 of 6" means 4 different symbols of 6; "Wordle 2023" has the lists of July 2023. Some
rows limit the strategies: "within 5" allows only 5 guesses, "none after 5" finds every secret by the fifth guess, and
"salet" is the opening. A dash means that we found no publication. "About" marks totals that we computed from a published
average with four decimals, so they may be off by 0.00005 guesses for each secret.

[What a search proves](exact.md#what-a-search-proves) explains the claims. "Proven at least" is a lower bound for every
strategy, computed without a search: in games of up to 32,768 codes, from one guess after each opening; in larger ones,
from the largest number of cells that a guess can make. Searches that were stopped proved more for some games ([missing
records](#missing-records)).

![Guesses for each code: the best known elsewhere, ours, and the proven bound](records.svg)

Guessbook {version} built the books on {machine}, {date}.

| game | secrets | best total known elsewhere | our total | comparison | claim for our total | our worst case |
|---|---|---|---|---|---|---|
{results}

## Most secrets within K guesses

The policy [`win`](../reference/policies.md#most-secrets-within-k-guesses) finds the most secrets within K guesses. "The
most (proven)": no strategy finds more, within the limits that the row names. If `--stop-at-gap` ended the search early,
"at least" is the number that our strategy finds, and "at most" the bound that the search proved. `guessbook verify BOOK
--policy` repeats a proof.

| game | secrets | K | secrets found within K guesses | share of secrets | claim |
|---|---|---|---|---|---|
{most}

{openings}
## The books

Each command builds the same book on every machine and with any number of threads, byte for byte if the zstd library is
the same. Seconds are the elapsed time, or the processor time of all cores together if that was less, as on a busy
machine. The words of Wordle, 2,315 secrets and 12,972 guesses (in 2023: 3,158 and 14,855), are not ours to publish.
{interrupted}

To check the total of such a book independently, run `guessbook export BOOK --to json -o TREE.json`, then `python
tests/replay.py TREE.json`. This script plays every secret and shares no code with Guessbook.

| game | command | seconds of the build | bytes of the book | SHA-256 of the book |
|---|---|---|---|---|
{books}

## Missing records

A build may use as much processor time as all cores have in ten minutes, that of 5x8 in thirty, and that of 4x10 in
sixty. For searches that take longer, this list says how far they got.

{longer}
"""


def book(row: Row, record: dict[str, Any]) -> str:
    """The line of a record in the table of books."""
    return f"| {row.name} | `{record['command']}` | {record['seconds']:,} | {record['bytes']:,} | `{record['sha256']}` |"


def result(row: Row, record: dict[str, Any]) -> str:
    """The line of a record in the first table."""
    other = known(row)
    claim = "upper bound"
    if record["proven"]:
        claim = "optimum (proven)"
    elif "at_least" in record:
        claim += f" (proven at least {record['at_least']:,})"
    total, worst = record["total_guesses"], record["max_guesses"]
    return (
        f"| {row.name} | {record['secrets']:,} | {other or '—'} | {total:,} "
        f"| {against(total, other)} | {claim} | {worst} |"
    )


def most(row: Row, record: dict[str, Any]) -> str:
    """The line of a record in the table of the most secrets within K guesses."""
    game, found, secrets = row.name.split(", most")[0], record["found_within"], record["secrets"]
    claim = f"at least; at most {record.get('found_at_most', found):,} (proven)"
    if record["proven"]:
        claim = "the most (proven)"
    return f"| {game} | {secrets:,} | {row.within} | {found:,} | {found / secrets:.2%} | {claim} |"


def against(total: int, other: Known | None) -> str:
    """Compare a total with the best known elsewhere."""
    if other is None:
        return ""
    more = total - other.total_guesses
    if abs(more) <= other.error:
        return "the same"
    about = "about " if other.error else ""
    return f"{about}{abs(more):,} {'more: worse' if more > 0 else 'fewer'}"


def main() -> None:
    """Build the rows that are due, and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--only", metavar="GAME", action="append", help="compute only this row (may be repeated)"
    )
    parser.add_argument(
        "--minutes", type=float, default=float("inf"), help="start no row after this time"
    )
    parser.add_argument(
        "--forecast", action="store_true", help="only estimate the time of each row"
    )
    options = parser.parse_args()
    rows = {row.name: row for row in plan()}
    only = [name for name in rows if {name, name.split(" (")[0]} & set(options.only or ())]
    if options.only and len(only) < len(set(options.only)):
        parser.error(f"unknown row in {', '.join(options.only)}; give some of {', '.join(rows)}")
    records = stored()
    start = time.monotonic()
    # Rows whose result is proven come first: they matter most, and the majority are short.
    for name in sorted(rows, key=lambda name: not rows[name].policy.startswith((OPTIMAL, "win"))):
        row = rows[name]
        known = records.get(name, {})
        changed = known.get("command") != row.command
        due = changed or ("takes" in known and not options.forecast)
        if name not in only if options.only else not due:
            continue
        if time.monotonic() - start >= 60 * options.minutes:
            break
        if isinstance(row.game, Words) and not WORDS.is_dir():
            print(f"{name}: skipped, because {WORDS} is missing", file=sys.stderr)
            continue
        try:
            if options.forecast:
                minutes = None if "sha256" in known else forecast(row, records)
                if minutes is None:
                    continue
                records[name] = begun(row) | {"takes": float(f"{minutes:.2g}")}
                if "stopped" in known and not changed:
                    records[name]["stopped"] = known["stopped"]
            else:
                records[name] = made(row)
        except subprocess.CalledProcessError as error:
            # Other rows may succeed; the next run tries this one again.
            print(f"{name}: failed with exit code {error.returncode}", file=sys.stderr)
            continue
        found = records[name]
        if "sha256" in found:
            print(f"{name}: {found['total_guesses']}, {found['seconds']} s", file=sys.stderr)
        else:
            print(f"{name}: {_takes(row, records)} minutes", file=sys.stderr)
        keep(records)
    keep(records)


if __name__ == "__main__":
    main()

"""Goldens: digests of whole strategy trees, in data/goldens.json.

    python -m tests.goldens                   rebuild all trees, and report the changes
    python -m tests.goldens words '4x*'       only those with `words` in the name, or that match
    python -m tests.goldens --takes quick     only those of one class of `CLASSES`
    python -m tests.goldens --write           store the new digests

A golden is a `guessbook build-book` command. Its digest is the SHA-256 of the columns of the tree
(guess, feedback, children, candidates, one after the other), each value as four little-endian
bytes. To add a golden, add a line with a name and a command, and run this with `--write`.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import re
import shlex
import sys
import time
from array import array
from contextlib import redirect_stderr, redirect_stdout
from fnmatch import fnmatch
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import guessbook as gb
from guessbook.command import main as command_line
from tests.helpers.format_reader import Reader
from tests.helpers.oracle import WordCase, lists_of, made_weights
from tests.helpers.tables import made_sheet
from tests.helpers.wordlists import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterable

    # The keys: name, command, takes, nodes, total_guesses, sha256.
    Golden = dict[str, Any]

STORE = Path(__file__).with_name("data") / "goldens.json"
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
# The longest processor time of each class in seconds; a slower golden is "long".
CLASSES = {"quick": 0.15, "slow": 10.0}
MISSING = "needs word lists that are not in ../shared/words"


def stored(store: Path = STORE) -> list[Golden]:
    """Return the goldens of a file."""
    found: list[Golden] = json.loads(store.read_text("utf-8"))
    return found


def keep(goldens: Iterable[Golden], store: Path = STORE) -> None:
    """Write goldens to a file, one per line."""
    lines = ",\n".join(json.dumps(golden, ensure_ascii=False) for golden in goldens)
    store.write_text(f"[\n{lines}\n]\n", "utf-8", newline="\n")


def built(golden: Golden, *more: str, runs: int = 1) -> Golden | None:
    """Run the command of a golden in this process, and return the facts of the book that it builds.

    Return None if the command needs word lists that are missing.

    Args:
        golden: its name and its command.
        more: further options of the command, such as "--jobs", "2".
        runs: how many times to run the command, at most, until it succeeds.

    Raises:
        RuntimeError: the command failed.
    """
    said = io.StringIO()
    with TemporaryDirectory() as folder:
        book = Path(folder, "golden.book")
        words = [placed(word, Path(folder)) for word in shlex.split(golden["command"])]
        if None in words:
            return None
        argv = [*words, "-o", str(book), *more]
        with patch.object(sys, "argv", argv), redirect_stdout(said), redirect_stderr(said):
            for _ in range(runs):
                code = command_line.run()
                if not code:
                    break
        if code:
            raise RuntimeError(f"{golden['name']}: exit code {code}: {said.getvalue()}")
        return facts(gb.open(book))


def placed(word: str, folder: Path) -> str | None:
    """Return a word of a command, or the path of the file that it names.

    Generated files are written to `folder`. Return None if there is no such file.
    """
    if not word.endswith((".txt", ".csv")):
        return word
    text = made_words(word) or made_sheet(word)
    if text is not None:
        (folder / word).write_text(text, "utf-8")
    return next((str(at / word) for at in (folder, EXAMPLES, FOLDER) if (at / word).exists()), None)


def made_words(name: str) -> str | None:
    """Return the text of a generated word list, such as weighted-5-answers.txt, or None."""
    found = re.fullmatch(r"(made|weighted)-(\d+)-(answers|guesses)\.txt", name)
    if found is None:
        return None
    case = WordCase(found[1], int(found[2]), "")
    secrets, guesses = lists_of(case)
    weights: list[int] | list[str] = made_weights(case) or [""] * len(secrets)
    pairs = [f"{word} {weight}" for word, weight in zip(secrets, weights, strict=True)]
    return "\n".join(pairs if found[3] == "answers" else guesses)


def facts(book: gb.Book) -> Golden:
    """Return the number of nodes, the total of guesses and the digest of a book."""
    tree, digest = Reader(book.to_bytes()), hashlib.sha256()
    for column in (tree.guess, tree.feedback, tree.children, tree.candidates):
        values = array("I", column)
        if sys.byteorder == "big":
            values.byteswap()
        digest.update(values)
    total = book.stats.total_guesses
    return {"nodes": tree.nodes, "total_guesses": total, "sha256": digest.hexdigest()}


def main() -> int:
    """Check goldens or write them; return the exit code."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--takes", choices=[*CLASSES, "long"])
    parser.add_argument("--jobs", type=int, help="threads of a build  [default: one for each core]")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--store", type=Path, default=STORE, help="the file of the goldens")
    options = parser.parse_args()
    goldens, changed = stored(options.store), 0
    for golden in goldens:
        name = golden["name"]
        named = any(text in name or fnmatch(name, text) for text in options.names or [""])
        if not named or options.takes not in (None, golden.get("takes")):
            continue
        start = time.process_time()
        found = built(golden, *(["--jobs", str(options.jobs)] if options.jobs else []))
        seconds = time.process_time() - start
        same = golden == golden | (found or {})
        state = "the same" if same else f"CHANGED: {found}"
        changed += not same
        print(f"{name}: {MISSING if found is None else state} ({seconds:.2f} s)", flush=True)
        if options.write and found and not same:
            usual = next((name for name, most in CLASSES.items() if seconds <= most), "long")
            golden |= {"takes": golden.get("takes", usual)} | found
            keep(goldens, options.store)
    return int(changed > 0 and not options.write)


if __name__ == "__main__":
    sys.exit(main())

"""The script of the export to Python, run without Guessbook in this and other Pythons."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from guessbook.book import Mastermind, WordGame
from guessbook.command.answer import _describe
from guessbook.export import export
from guessbook.lookup import Book, open_book
from tests.helpers.plain import entries, paths, plain_book
from tests.helpers.script import check_every_node, kinds, loaded

NPM_PACKAGE = "@micropython/micropython-webassembly-pyscript"

# Runs a driver under MicroPython in a folder of its own that holds hint.py and driver.py.
RUNNER = """
import {{ loadMicroPython }} from "./node_modules/{package}/micropython.mjs";
import {{ readFileSync }} from "node:fs";
const mp = await loadMicroPython({{
  heapsize: {heap}, linebuffer: true,
  stdout: line => console.log(line), stderr: line => console.log(line),
}});
mp.FS.writeFile("/hint.py", readFileSync("hint.py"));
mp.FS.writeFile("/questions.json", readFileSync("questions.json"));
mp.runPython(readFileSync("driver.py", "utf8"));
"""
DRIVER = """
import json
import os
import hint
with open("questions.json") as file:
    questions = json.load(file)
for question in questions:
    print("exit code", hint.main(question))
"""


@pytest.fixture(scope="module")
def books(small_books: dict[str, Book]) -> dict[str, Book]:
    """Books of all kinds of games."""
    return kinds(small_books)


def isolated(
    script: Path, *history: str, python: str = sys.executable
) -> subprocess.CompletedProcess[str]:
    """What the script prints in an interpreter that sees nothing but the standard library."""
    return subprocess.run(
        [python, "-I", "-S", "-X", "utf8", script, *history],
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=script.parent,
    )


def test_hostile_symbols_and_policies_stay_data(tmp_path: Path) -> None:
    """Quotes, backslashes, braces, and a policy that reads like an encoding change nothing."""
    policy = {"name": '# coding: utf-16 """ \\ {constants} %s'}
    for symbols in ("'\"\\", "{}%", "#;\\", "é🐄\\"):
        known = plain_book(Mastermind(2, 3, symbols=symbols))
        book = Book(known.game, policy, known.tree)
        check_every_node(book, loaded(book))
        script = tmp_path / "hint.py"
        script.write_text(export(book, "python"), "utf-8")
        assert isolated(script).stdout.splitlines()[0].startswith(f"guess       {book.root.guess}")


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_what_the_output_cannot_write_is_an_escape(encoding: str, tmp_path: Path) -> None:
    """A pipe on Windows knows no Cyrillic and no cows."""
    script = tmp_path / "hint.py"
    for game in (WordGame(["кошка", "мышка"]), Mastermind(2, 3, symbols="🐄🐂🐃")):
        book = plain_book(game)
        script.write_text(export(book, "python"), "utf-8")
        done = subprocess.run(
            [sys.executable, script], env={**os.environ, "PYTHONIOENCODING": encoding},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        guess = book.root.guess.encode("ascii", "backslashreplace").decode()
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"guess       {guess}")


def test_the_script_runs_without_guessbook(books: dict[str, Book], tmp_path: Path) -> None:
    """In an isolated interpreter it prints the guess and the candidates as `guessbook hint`."""
    rng = random.Random(3)
    for number, name in enumerate(("4x6", "words", "own symbols")):
        book = books[name]
        script = tmp_path / f"hint{number}.py"
        script.write_text(export(book, "python"), "utf-8")
        for history in [[], *rng.sample(paths(book), 3)]:
            texts = [f"{code}={feedback}" for code, feedback in entries(book.game, history)]
            done = isolated(script, *texts)
            assert (done.returncode, done.stderr) == (0, "")
            guess, candidates = _describe(book.hint(texts), book)[:2]
            assert done.stdout.splitlines()[1] == candidates
            assert done.stdout.splitlines()[0].split(",")[0] == guess.split(",")[0]
    probe = "import sys; sys.path.insert(0, sys.argv[1]); import hint0; print(*sys.modules)"
    command = [sys.executable, "-I", "-S", "-c", probe, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not {"guessbook", "msgpack", "zstandard", "site"} & set(done.stdout.split())


@pytest.mark.slow
def test_the_script_runs_in_other_pythons(books: dict[str, Book], tmp_path: Path) -> None:
    """Every Python from 3.8 on that is installed prints what this one prints."""
    others = [shutil.which(f"python3.{minor}") for minor in range(8, 16)]
    script = tmp_path / "hint.py"
    histories = [[], ["RYGB=1,1"], ["rygb=1,1", "RGOP=0002"], ["YYYY=0,0"], ["RYGB=4"]]
    script.write_text(export(books["4x6"], "python"), "utf-8")
    known = [isolated(script, *history) for history in histories]
    run = 0
    for python in filter(None, others):
        command = [python, "-c", "import sys; print(sys.executable)"]
        found = subprocess.run(command, capture_output=True, text=True, check=False)
        if found.returncode:
            continue  # a shim of a version that is not there
        run += 1
        for history, done in zip(histories, known, strict=True):
            other = isolated(script, *history, python=found.stdout.strip())
            assert (other.returncode, other.stdout, other.stderr) == (
                done.returncode,
                done.stdout,
                done.stderr,
            ), python
    if not run:
        pytest.skip("no other Python is installed")


@pytest.mark.parametrize(
    ("history", "code", "message"),
    [
        (["RYGB=4,0"], 0, ""),
        (["RYGB=4.0"], 0, ""),
        (["YYYY=0,0"], 1, "off-book"),
        (["RYGB", "1,1"], 2, "found 'RYGB', expected GUESS=FEEDBACK"),
        (["RYGB=3,1"], 2, "'3,1'"),
        (["RYGX=1,1"], 2, "RYGBOP"),
        (["--help"], 2, "'--help'"),
        (["RYGB=0,0", "ROOP=4,0"], 4, "no secret fits"),
    ],
)
def test_exit_codes(history: list[str], code: int, message: str, tmp_path: Path) -> None:
    """Mistakes end with the exit codes of `guessbook` and one line on stderr."""
    script = tmp_path / "hint.py"
    script.write_text(export(open_book("mastermind-4x6"), "python"), "utf-8")
    done = isolated(script, *history)
    assert done.returncode == code
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == (code > 0)
    assert len(done.stdout.splitlines()) == (0 if code else 2)
    assert ", solved" in done.stdout or code


@pytest.fixture(scope="module")
def micropython(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with MicroPython for node, from npm."""
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("needs node and npm")
    folder = tmp_path_factory.mktemp("micropython")
    command = ["npm", "install", "--no-audit", "--no-fund", "--silent", NPM_PACKAGE]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    if done.returncode:
        pytest.skip(f"npm does not get {NPM_PACKAGE}")
    return folder


def asked_in_micropython(
    folder: Path, script: str, questions: list[list[str]], heap: int
) -> list[str]:
    """What MicroPython prints for some histories."""
    (folder / "hint.py").write_text(script, "utf-8")
    (folder / "driver.py").write_text(DRIVER, "utf-8")
    (folder / "questions.json").write_text(json.dumps(questions, ensure_ascii=False), "utf-8")
    (folder / "run.mjs").write_text(RUNNER.format(package=NPM_PACKAGE, heap=heap), "utf-8")
    done = subprocess.run(
        ["node", "run.mjs"], cwd=folder, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr[-500:]
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("compress", [True, False])
def test_the_same_script_runs_in_micropython(
    books: dict[str, Book],
    micropython: Path,
    compress: bool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """MicroPython prints what CPython prints, for every node of 4x6 and of a word book."""
    monkeypatch.setattr(sys, "stderr", sys.stdout)
    wrong = ["RYGB", "RYGB=3,1", "RYGX=1,1", "YYYY=0,0", "RYGB=4,0"]
    for name in ("4x6", "words", "letters", "own symbols", "without repeats", "loose"):
        book = books[name]
        questions = [
            [f"{code}={feedback}" for code, feedback in entries(book.game, history)]
            for history in paths(book)
        ]
        questions += [[text] for text in wrong]
        script = loaded(book)
        capsys.readouterr()
        for question in questions:
            print("exit code", script.main(question))
        known = capsys.readouterr().out.splitlines()
        text = export(book, "python", compress=compress)
        assert asked_in_micropython(micropython, text, questions, 1 << 20) == known


SMALL = """
import gc
heap = gc.mem_alloc() + gc.mem_free()
import hint
print(gc.mem_alloc() + gc.mem_free() - heap)
"""
NAMES = ["mastermind-4x6", "bulls-and-cows-4x10", "mastermind-5x8", "words"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_small_device_can_load_it(books: dict[str, Book], micropython: Path, name: str) -> None:
    """The uncompressed script is loaded within 20 KiB of heap, however large the book is.

    This build of MicroPython has 32 bits, collects no garbage while a program runs, and takes more
    where its heap is full, which is to be seen.
    """
    book = books["words"] if name == "words" else open_book(name)
    (micropython / "hint.py").write_text(export(book, "python", compress=False), "utf-8")
    runner = RUNNER.partition('mp.FS.writeFile("/questions')[0]
    text = runner.format(package=NPM_PACKAGE, heap=20 << 10) + f"mp.runPython({json.dumps(SMALL)});"
    (micropython / "run.mjs").write_text(text, "utf-8")
    done = subprocess.run(
        ["node", "run.mjs"], cwd=micropython, capture_output=True, encoding="utf-8", check=False
    )
    assert done.stdout == "0\n", done.stderr[-500:]


ASKED = "import hint\nfor line in open('questions'): print(hint.next_guess(line.split()))"


@pytest.mark.skipif(not shutil.which("micropython"), reason="needs MicroPython's unix port")
@pytest.mark.parametrize("name", NAMES)
def test_the_unix_port_asks_in_little_memory(
    books: dict[str, Book], tmp_path: Path, name: str
) -> None:
    """The uncompressed script answers with 64 bits in 32 KiB of heap, however large the book is."""
    book = books["words"] if name == "words" else open_book(name)
    script = loaded(book, tmp_path)
    questions = [
        [f"{code}={feedback}" for code, feedback in entries(book.game, path)]
        for path in sorted(paths(book), key=len)[-50:]
    ]
    (tmp_path / "questions").write_text("\n".join(map(" ".join, questions)), "utf-8")
    command = ["micropython", "-X", "heapsize=32k", "-c", ASKED]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert done.stdout.splitlines() == [script.next_guess(asked) for asked in questions], (
        done.stderr
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_small_device_can_ask_it(books: dict[str, Book], tmp_path: Path, name: str) -> None:
    """A hint of the uncompressed script holds at most 4 KiB at a time, beside the buffer of a file.

    That is 128 KiB from Python 3.14 on, 4 KiB before, and less on a device.
    """
    book = books["words"] if name == "words" else open_book(name)
    script = loaded(book, tmp_path)
    histories = [entries(book.game, path) for path in sorted(paths(book), key=len)[-20:]]
    with allocated() as buffer, (tmp_path / "hint.py").open("rb") as file:
        file.read(1)
    for history in [[], *histories]:
        script.hint(history)
        with allocated() as most:
            script.hint(history)
        assert most[0] < buffer[0] + (4 << 10)


@contextmanager
def allocated() -> Iterator[list[int]]:
    """The bytes that are in use at most while the context lasts."""
    most: list[int] = []
    tracemalloc.start()
    yield most
    most.append(tracemalloc.get_traced_memory()[1])
    tracemalloc.stop()

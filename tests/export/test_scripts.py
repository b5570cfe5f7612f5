"""The export to Python: a script that answers as the book does, without Guessbook."""

from __future__ import annotations

import ast
import io
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import guessbook as gb
from tests.export.samples import BOOKS, History, book_of, histories_of, off_book

# The npm package with MicroPython for node.
NPM_PACKAGE = "@micropython/micropython-webassembly-pyscript"
LARGE = ["mastermind-5x8", "bulls-and-cows-4x10"]


def imported(book: gb.Book, folder: Path | None = None) -> Any:
    """Import the script of a book; with a folder, the uncompressed script from a file there."""
    module = ModuleType("hint")
    text = book.export("python", compress=folder is None)
    if folder:
        path = folder / "hint.py"
        path.write_text(text, "utf-8", newline="\n")
        module.__file__ = str(path)
    exec(compile(text.encode(), "hint.py", "exec"), module.__dict__)
    return module


def check_every_node(book: gb.Book, script: Any, step: int = 1) -> None:
    """Compare the hints of a script with every `step`-th node of its book."""
    known = zip(book.nodes, histories_of(book), strict=True)
    for node, history in list(known)[::step]:
        assert script.hint(history) == (node.guess, node.remaining, node.candidate, False)
        solved = book.game.format_feedback(book.game.solved)
        if node.candidate:
            assert script.hint([*history, (node.guess, solved)]) == (node.guess, 1, True, True)


def refusal(script: Any, history: object) -> int:
    """Return the exit code of the error that a script raises."""
    with pytest.raises(script.HintError) as error:
        script.hint(history)
    message, code = error.value.args
    assert isinstance(error.value, ValueError)
    assert message.isprintable()
    assert len(message) < 200
    return int(code)


@pytest.mark.parametrize(
    "name", [*BOOKS, *[pytest.param(n, marks=pytest.mark.slow) for n in LARGE]]
)
def test_script_gives_the_hint_of_every_node(name: str) -> None:
    book = book_of(name) if name in BOOKS else gb.open(name)
    text = book.export("python")
    check_every_node(book, imported(book), step=1 + len(histories_of(book)) // 4000)
    assert len(text.encode()) <= 2 * len(book.to_bytes()) + 4096


@pytest.mark.parametrize("name", BOOKS)
def test_uncompressed_script_gives_the_hints_of_the_book(name: str, tmp_path: Path) -> None:
    book = book_of(name)
    assert not re.search("zlib|deflate", book.export("python", compress=False))
    check_every_node(book, imported(book, tmp_path), step=1 + len(histories_of(book)) // 30)


def test_uncompressed_script_reads_little_of_its_file(tmp_path: Path) -> None:
    """At most 1 kB at a time, and 12 kB per guess: far less than the data of the book."""
    script = imported(gb.open("mastermind-5x8"), tmp_path)
    sizes: list[int] = []

    class Counted(io.FileIO):
        def read(self, size: int | None = -1, /) -> bytes:
            sizes.append(size or 0)
            return bytes(super().read(size))

    script.open = lambda path, mode: Counted(path)
    for history in random.Random(1).sample(histories_of(gb.open("mastermind-5x8")), 8):
        sizes.clear()
        script.hint(history)
        assert 0 < min(sizes) <= max(sizes) < 1000
        assert sum(sizes) < 12_000 * (len(history) + 1)


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text + b"\n",
        lambda text: text.replace(b"\n", b"\r\n"),
        lambda text: text[:-1],
        lambda text: text[:-102],  # a whole line
        lambda text: text[: text.index(b"\n#", 1000) + 1],  # all of the data
    ],
)
def test_uncompressed_script_detects_a_changed_file(damage: Any, tmp_path: Path) -> None:
    script = imported(gb.open("mastermind-4x6"), tmp_path)
    path = tmp_path / "hint.py"
    path.write_bytes(damage(path.read_bytes()))
    assert refusal(script, []) == 1


@pytest.mark.parametrize("name", BOOKS)
def test_script_reads_histories_in_any_order_and_notation(name: str) -> None:
    book = book_of(name)
    script = imported(book)
    for history in random.Random(1).sample(histories_of(book), min(15, len(histories_of(book)))):
        texts = [f"{code}={feedback}" for code, feedback in history]
        known = script.hint(history)
        assert script.hint(texts[::-1]) == script.hint([*texts, *history]) == known
        assert script.hint([text.lower() for text in texts]) == known
        assert script.next_guess(texts) == known[0]
        if not any(" " in text for text in texts):
            assert script.hint(" ".join(texts)) == known


def feedback_forms(game: gb.Game, feedback: str) -> list[object]:
    """Return the documented ways to write a feedback."""
    if isinstance(game, gb.WordGame):
        digits = tuple(int(mark) for mark in feedback)
        squares, other = ["".join(row[d] for d in digits) for row in ("⬛🟨🟩", "⬛🟦🟧")]
        letters = "".join("byg"[d] for d in digits)
        return [feedback, letters, letters.upper(), squares, other, digits]
    if isinstance(game, gb.TableGame):
        return [feedback, feedback.upper(), f" {feedback} "]
    assert isinstance(game, gb.Mastermind)
    black, white = map(int, feedback.split(","))
    absent = game.pegs - black - white
    row = "0" * absent + "1" * white + "2" * black
    return [
        feedback,
        f" {black}, {white} ",
        f"{black}.{white}",
        f"{black} {white}",
        f"{black}b{white}W",
        f"{black},{white},{absent}",
        (black, white),
        *([row, row[::-1]] if len(row) > 2 else []),
    ]


@pytest.mark.parametrize("name", BOOKS)
def test_script_reads_feedback_in_every_documented_notation(name: str) -> None:
    book = book_of(name)
    script = imported(book)
    for feedback, child in book.root.children.items():
        for form in feedback_forms(book.game, str(feedback)):
            assert script.hint([(book.root.guess, form)])[0] == child.guess, form


THREE = gb.build(gb.Mastermind(3, 3))
THREE_SCRIPT = imported(THREE)


@example(code="RYG", answer="000,")
@example(code="RYG", answer="1,,1")
@example(code="RYG", answer="2,1")
@given(
    code=st.sampled_from(THREE.game.guesses) | st.text("RYGryg=1,é ", max_size=5),
    answer=st.sampled_from(["1,1", "0,0", "3,0"]) | st.text("0123,BWw -=é٣", max_size=5),
)
def test_script_reads_any_text_as_guessbook_does_or_rejects_it(code: str, answer: str) -> None:
    history = [(code, answer)]
    try:
        found = THREE_SCRIPT.hint(history)
    except THREE_SCRIPT.HintError as error:
        if error.args[1] == 2:
            return
        # The script has understood the entry, so Guessbook must understand it.
        assert THREE.get(history) is None
        if error.args[1] == 4:
            with pytest.raises(gb.InconsistentFeedbackError):
                THREE.hint(history)
    else:
        hint = THREE.hint(history)
        assert found == (hint.guess, hint.remaining, hint.candidate, hint.solved)


@pytest.mark.parametrize(("pegs", "colors"), [(3, 1), (2, 2), (4, 2), (3, 3)])
def test_script_rejects_impossible_feedback(pegs: int, colors: int) -> None:
    book = gb.build(gb.Mastermind(pegs, colors))
    script = imported(book)
    game = book.game
    given = {str(game.feedback(guess, secret)) for guess in game.guesses for secret in game.secrets}
    for black in range(pegs + 2):
        for white in range(pegs + 2):
            history = [(book.root.guess, (black, white))]
            if f"{black},{white}" not in given:
                assert refusal(script, history) == 2
            elif book.get(history):
                assert script.hint(history)


@pytest.mark.parametrize("name", BOOKS)
def test_script_distinguishes_off_book_from_contradiction(name: str) -> None:
    """Exit code 4 means that no secret fits; a history that fits a secret has exit code 1."""
    book = book_of(name)
    script = imported(book)
    codes = set()
    draw = random.Random(2)
    known = [history for history in histories_of(book) if history]
    answers = [str(f) for node in book.nodes for f in node.children]
    false = (
        [
            [*draw.choice(known)[:-1], (draw.choice(known)[-1][0], draw.choice(answers))]
            for _ in range(40)
        ]
        if known
        else []
    )
    for history in [*off_book(book, 30), *false]:
        try:
            found = script.hint(history)
        except script.HintError as error:
            code = error.args[1]
            codes.add(code)
            if code == 4:
                # The script does not know that a guess of a table has fewer answers.
                with suppress(gb.InvalidFeedbackError):
                    assert not gb.Session(book, history).candidates()
        else:
            hint = book.hint(history)
            assert found == (hint.guess, hint.remaining, hint.candidate, hint.solved)
    assert codes <= {1, 4}
    assert codes or not known


def test_script_needs_python_3_8_and_few_modules() -> None:
    for book in map(book_of, BOOKS):
        text = book.export("python")
        tree = ast.parse(text, feature_version=(3, 8))
        names = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            if isinstance(node, ast.ImportFrom):
                names.add(str(node.module))
        assert (
            {"binascii", "sys"}
            <= names
            <= {*("binascii", "sys", "zlib", "deflate", "io", "unicodedata")}
        )


def isolated(
    script: Path, *history: str, python: str = sys.executable, **environment: str
) -> tuple[int, str, str]:
    """Run a script in an interpreter that has only the standard library."""
    done = subprocess.run(
        [python, *([] if environment else ["-I", "-X", "utf8"]), "-S", script, *history],
        capture_output=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, **environment},
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("name", ["mastermind-4x6", "words", "hostile", "letters", "table"])
def test_script_runs_without_guessbook(name: str, tmp_path: Path) -> None:
    book = book_of(name)
    script = tmp_path / "hint.py"
    text = book.export("python")
    script.write_text(text, "utf-8")
    average = f"{book.stats.mean_guesses:.4f} guesses on average, at most {book.stats.max_guesses}"
    assert f": {average}" in text
    shown = shlex.split(text.split("hint.py ")[1].split("\n")[0])
    for history in ([], shown):
        hint = book.hint(history)
        note = ", may be the secret" if hint.candidate else ""
        printed = (
            f"guess       {hint.guess}{note}\n"
            f"candidates  {hint.remaining:,} of {len(book.game.secrets):,}\n"
        )
        assert isolated(script, *history) == (0, printed, "")


@pytest.mark.parametrize(
    ("history", "code", "said"),
    [
        ("RYGB=4,0", 0, "guess       RYGB, solved"),
        ("rygb=1.1 RGOP=0002", 0, "guess       "),
        ("YYYY=0,0", 1, "off-book"),
        ("RYGB=0,0 YYYY=0,0", 1, "off-book"),
        ("RYGB=4,0 YYYY=1,0", 1, "off-book"),
        ("RYGB 1,1", 2, "GUESS=FEEDBACK"),
        ("RYGB=3,1", 2, "up to 4 pegs, not 3,1"),
        ("RYGB=9,9", 2, "up to 4 pegs"),
        ("RYGB=1,1=2", 2, "RYGBOP"),
        ("RYGX=1,1", 2, "RYGBOP"),
        ("RYG=1,1", 2, "RYGBOP"),
        (f"{'R' * 2000}=1,1", 2, "RYGBOP"),
        ("--help", 2, "'--help'"),
        ("RYGB=1,1 RYGB=1,2", 4, "no secret fits"),
    ],
)
def test_script_ends_with_the_exit_codes_of_guessbook(
    history: str, code: int, said: str, tmp_path: Path
) -> None:
    script = tmp_path / "hint.py"
    script.write_text(gb.open("mastermind-4x6").export("python"), "utf-8")
    found, out, err = isolated(script, *history.split())
    assert found == code
    assert said in out + err
    assert (len(out.splitlines()), len(err.splitlines())) == ((0, 1) if code else (2, 0))


def test_script_rejects_codes_and_labels_of_other_games() -> None:
    wrong = {
        "without repeats": ["001=1,1", "01=1,1"],
        "words": ["star=00000", "stars=00", "=00000"],
        "table": ["swap the bulb=light", f"swap the bulb={'9' * 2000}"],
    }
    for name, entries in wrong.items():
        script = imported(book_of(name))
        assert [refusal(script, [entry]) for entry in entries] == [2] * len(entries)
    numbers = imported(book_of("numbers"))
    assert numbers.hint(["5=="])[0] == "5"


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_script_escapes_characters_that_the_output_cannot_encode(
    encoding: str, tmp_path: Path
) -> None:
    script = tmp_path / "hint.py"
    for game in (gb.WordGame(["кошка", "мышка"]), gb.Mastermind(2, 3, symbols="🐄🐂🐃")):
        book = gb.build(game)
        script.write_text(book.export("python"), "utf-8")
        code, out, err = isolated(script, PYTHONIOENCODING=encoding)
        guess = book.root.guess.encode("ascii", "backslashreplace").decode()
        assert (code, err) == (0, "")
        assert out.startswith(f"guess       {guess}")


def test_documented_calls_of_the_script_return_the_documented_results(root: Path) -> None:
    page = (root / "docs" / "how-to" / "embed" / "python.md").read_text("utf-8")
    lines = re.findall(r"^(hint\..*?) +# (.*)$", page, re.MULTILINE)
    assert len(lines) == 3
    for call, known in lines:
        hint = imported(gb.open("mastermind-4x6"))
        assert eval(call, {"hint": hint}) == ast.literal_eval(known)


@pytest.mark.slow
def test_script_runs_in_every_installed_version_of_python(tmp_path: Path) -> None:
    script = tmp_path / "hint.py"
    script.write_text(gb.open("mastermind-4x6").export("python"), "utf-8")
    histories = [[], ["rygb=1,1", "RGOP=0002"], ["YYYY=0,0"], ["RYGB=4"]]
    tried = 0
    for minor in range(8, 16):
        python = shutil.which(f"python3.{minor}")
        # The launcher of a version manager may stand for a version that is not installed.
        if not python or isolated(script, python=python)[0]:
            continue
        tried += 1
        for history in histories:
            assert isolated(script, *history, python=python) == isolated(script, *history), python
    if not tried:
        pytest.skip("no other version of Python is installed")


RUNNER = """
import {{ loadMicroPython }} from "./node_modules/{package}/micropython.mjs";
import {{ readFileSync }} from "node:fs";
const print = line => console.log(line);
const mp = await loadMicroPython({{
  heapsize: {heap}, linebuffer: true, stdout: print, stderr: print
}});
for (const name of ["hint.py", "histories.json"]) mp.FS.writeFile("/" + name, readFileSync(name));
mp.runPython(readFileSync("driver.py", "utf8"));
"""
ASK_ALL = """
import json
import hint
with open("histories.json") as file:
    histories = json.load(file)
for history in histories:
    try:
        print(*hint.hint(history))
    except hint.HintError as error:
        print(*error.args)
"""
# This build of MicroPython collects no garbage while a program runs; a full heap grows.
MEASURE = """
import gc
heap = gc.mem_alloc() + gc.mem_free()
import hint
print(gc.mem_alloc() + gc.mem_free() - heap)
"""


@pytest.fixture(scope="module")
def micropython(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with MicroPython for node."""
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("node and npm are not installed")
    folder = tmp_path_factory.mktemp("micropython")
    command = ["npm", "install", "--no-audit", "--no-fund", "--silent", NPM_PACKAGE]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=120)
    if done.returncode:
        pytest.skip(f"npm cannot install {NPM_PACKAGE}")
    return folder


def run_micropython(
    folder: Path, script: str, driver: str, heap: int, histories: list[History]
) -> list[str]:
    """Return the lines that a program prints in MicroPython, with a script as the module hint."""
    (folder / "hint.py").write_text(script, "utf-8")
    (folder / "driver.py").write_text(driver, "utf-8")
    (folder / "histories.json").write_text(json.dumps(histories, ensure_ascii=False), "utf-8")
    (folder / "run.mjs").write_text(RUNNER.format(package=NPM_PACKAGE, heap=heap), "utf-8")
    done = subprocess.run(
        ["node", "run.mjs"], cwd=folder, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr[-500:]
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("compress", [True, False])
@pytest.mark.parametrize("name", ["mastermind-4x6", "loose words", "letters", "hostile", "table"])
def test_micropython_prints_what_python_prints(
    name: str, compress: bool, micropython: Path
) -> None:
    book = book_of(name)
    histories = histories_of(book)[:: 1 + len(histories_of(book)) // 60]
    histories += [*off_book(book, 5), [("RYGX", "1,1")], [(book.root.guess, "3,1")]]
    script, known = imported(book), []
    for history in histories:
        try:
            known.append(" ".join(map(str, script.hint(history))))
        except script.HintError as error:
            known.append(" ".join(map(str, error.args)))
    text = book.export("python", compress=compress)
    assert run_micropython(micropython, text, ASK_ALL, 1 << 20, histories) == known


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mastermind-5x8", "bulls-and-cows-4x10"])
def test_micropython_imports_the_uncompressed_script_in_20_kb(name: str, micropython: Path) -> None:
    text = gb.open(name).export("python", compress=False)
    assert run_micropython(micropython, text, MEASURE, 20 << 10, []) == ["0"]

"""The export to C: the header compiles everywhere and answers as the lookup does."""

from __future__ import annotations

import os
import random
import re
import shlex
import shutil
import subprocess
from itertools import product
from typing import TYPE_CHECKING

import pytest

from guessbook.book import Mastermind, WordGame
from guessbook.export import export
from guessbook.lookup import Book, open_book
from tests.helpers.plain import entries, paths, plain_book
from tests.helpers.tables import LAMP, MIXED, NUMBERS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from guessbook.book.games.game import History

if not (shutil.which("gcc") and shutil.which("g++")):
    pytest.skip("needs gcc and g++", allow_module_level=True)

STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-Wshadow"]
SANITIZED = ["gcc", "-std=c99", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]

# First every node with its guess and its children, also for feedbacks that no game has; then the
# node of each history on the input, a line `CODE FEEDBACK CODE FEEDBACK ...` with texts as people
# write them.
HARNESS = r"""
#include <stdio.h>
#include <stdlib.h>
#include "guess.h"

static char line[4096];

int main(void)
{
    char code[GUESSBOOK_TEXT];
    int32_t node, feedback;
    for (node = -2; node < GUESSBOOK_NODES + 2; node++) {
        guessbook_code(node, code);
        printf("%ld\t%s", (long)node, code);
        for (feedback = -2; feedback < GUESSBOOK_SOLVED + 3; feedback++)
            if (guessbook_next(node, feedback) >= 0)
                printf("\t%ld:%ld", (long)feedback, (long)guessbook_next(node, feedback));
        printf("\n");
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *codes[64];
        int32_t feedbacks[64];
        int count = 0;
        char *word;
        for (word = strtok(line, "\t\n"); word != NULL; word = strtok(NULL, "\t\n")) {
            codes[count] = word;
            feedbacks[count++] = guessbook_feedback(strtok(NULL, "\t\n"));
        }
        printf("%ld\n", (long)guessbook_walk(codes, feedbacks, count));
    }
    return 0;
}
"""

PROGRAM = """
#include <stdio.h>
#include "guess.h"
int main(void) { STATEMENTS return 0; }
"""

PGMSPACE = r"""
#define PROGMEM
#define pgm_read_byte(address) (reads++, *(const uint8_t *)(address))
#define pgm_read_word(address) (reads++, *(const uint16_t *)(address))
#define pgm_read_dword(address) (reads++, *(const uint32_t *)(address))
static unsigned long reads;
"""


def words_book() -> Book:
    """A book of words, of which only some are guessed and only some may be the secret."""
    words = ["".join(letters) for letters in product("bdgkmnprst", "aeiou", "bdgkmnprst")]
    random.Random(6).shuffle(words)
    return plain_book(WordGame(words[:60], words[:90]))


def letters_book() -> Book:
    """A book of words with letters of one, two and three bytes."""
    return plain_book(
        WordGame(["käse", "höhe", "müde", "rose", "ßßßß", "хлеб", "ありがと", "naïf"])
    )


def hostile_book() -> Book:
    """A book whose symbols and policy try to end a string, a comment or a line of C."""
    book = plain_book(Mastermind(2, 12, symbols="\"\\?/*'%é0α🐄#"))
    return Book(book.game, {"name": '*/ #error ??/\\\n"\u202e" é'}, book.tree)


BOOKS: dict[str, Callable[[], Book]] = {
    "mastermind-4x6": lambda: open_book("mastermind-4x6"),
    "bulls-and-cows-4x10": lambda: open_book("bulls-and-cows-4x10"),
    "words": words_book,
    "letters": letters_book,
    "hostile": hostile_book,
    "one code": lambda: plain_book(Mastermind(1, 1)),
    "wide": lambda: plain_book(Mastermind(2, 17)),
    "few repeats": lambda: plain_book(Mastermind(3, 5, repeats=False)),
    "faults": lambda: plain_book(LAMP),
    "numbers": lambda: plain_book(NUMBERS),
    "some named": lambda: plain_book(MIXED),
}


@pytest.fixture(scope="module", params=BOOKS)
def book(request: pytest.FixtureRequest) -> Book:
    """Each of the books above."""
    return BOOKS[request.param]()


def c_program(folder: Path, header: str, source: str, *command: str) -> Path:
    """The program that a source and its header make."""
    (folder / "guess.h").write_text(header, "utf-8")
    (folder / "main.c").write_text(source, "utf-8")
    program = folder / "program"
    command = command or ("gcc", "-std=c99", "-O2")
    options = [*command, *STRICT, "main.c", "-o", str(program)]
    done = subprocess.run(options, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program


def output(program: Path, histories: list[list[tuple[str, str]]]) -> list[str]:
    """The lines that the harness prints."""
    lines = ["\t".join(part for entry in history for part in entry) for history in histories]
    done = subprocess.run(
        [program],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        # Where the leak checker may not trace, it ends the program; there is nothing to leak here.
        env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
        check=False,
    )
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout.splitlines()


def table(book: Book) -> list[str]:
    """What the harness has to print of every node, and of numbers that are no node."""
    number = book.game.parse_feedback
    nodes = [
        "\t".join(
            [
                f"{node.index}\t{node.guess}",
                *[f"{number(f)}:{n.index}" for f, n in node.children.items()],
            ]
        )
        for node in book.nodes
    ]
    return ["-2\t", "-1\t", *nodes, f"{len(nodes)}\t", f"{len(nodes) + 1}\t"]


def strays(book: Book, known: list[History]) -> list[History]:
    """Histories off the book: solved, contradictory, and with codes from anywhere."""
    game = book.game
    rng = random.Random(1)
    found = []
    for history in rng.choices(known, k=200):
        guess = rng.randrange(len(game.guesses))
        feedback = game.feedback_number(game.guesses[guess], rng.choice(game.secrets))
        found.append([*history, (guess, feedback)])
        found.append([*history, *[(g, game.solved) for g, _ in history[-1:]]])
    return found


def test_every_node_and_every_history(book: Book, tmp_path: Path) -> None:
    """At each node guess and children are the lookup's, and each history leads where it leads."""
    program = c_program(tmp_path, export(book, "c"), HARNESS, *SANITIZED)
    known = paths(book)
    rng = random.Random(2)
    shuffled = [rng.sample(history, len(history)) for history in known]
    repeated = [history + history[:1] for history in known[:100]]
    histories = [entries(book.game, h) for h in [*shuffled, *repeated, *strays(book, known)]]
    nodes = [book.get(history) for history in histories]
    expected = [str(node.index if node else -1) for node in nodes]
    assert "-1" in expected
    assert output(program, histories) == table(book) + expected


def test_every_secret_is_found(book: Book, tmp_path: Path) -> None:
    """Played by the compiled tables alone, each secret is guessed as soon as the book says."""
    program = c_program(tmp_path, export(book, "c"), HARNESS)
    guesses: dict[int, str] = {}
    children: dict[int, dict[int, int]] = {}
    for line in output(program, []):
        number, guess, *rest = line.split("\t")
        guesses[int(number)] = guess
        pairs = [pair.split(":") for pair in rest]
        children[int(number)] = {int(feedback): int(child) for feedback, child in pairs}
    counts = [0] * book.stats.max_guesses
    for secret in book.game.secrets:
        node, depth = 0, 0
        while guesses[node] != secret:
            node = children[node][book.game.feedback_number(guesses[node], secret)]
            depth += 1
        counts[depth] += 1
    assert tuple(counts) == book.stats.distribution


@pytest.mark.parametrize("standard", ["c++98", "c++11", "c++17"])
def test_it_is_cpp_as_well(standard: str, tmp_path: Path) -> None:
    """The same header compiles as C++ without a warning and gives the same answers."""
    for book in (words_book(), hostile_book()):
        command = ("g++", "-x", "c++", f"-std={standard}", "-Wno-long-long")
        program = c_program(tmp_path, export(book, "c"), HARNESS, *command)
        assert output(program, []) == table(book)


def test_alone_it_gives_no_warning(tmp_path: Path) -> None:
    """A file that includes the header and uses nothing of it compiles without a warning."""
    book = plain_book(Mastermind(2, 3))
    for level in ("-O0", "-O3"):
        c_program(
            tmp_path,
            export(book, "c"),
            '#include "guess.h"\nint main(void) { return 0; }',
            "gcc",
            level,
        )


def test_on_an_avr_every_read_is_one_of_flash(tmp_path: Path) -> None:
    """With `__AVR__` the tables are read by `pgm_read_*` alone, and the answers are the same."""
    book = words_book()
    header = export(book, "c")
    (tmp_path / "avr").mkdir()
    (tmp_path / "avr" / "pgmspace.h").write_text(PGMSPACE)
    source = HARNESS.replace("return 0;", "return reads < GUESSBOOK_NODES;")
    program = c_program(tmp_path, header, source, "gcc", "-D__AVR__", "-I.")
    assert output(program, []) == table(book)
    walker = header.split("The walker.")[1]
    assert (
        re.findall(r"(\w+\()?guessbook_(?:guesses|texts|feedbacks|first)\b", walker)
        == ["GUESSBOOK_READ("] * 5
    )


def test_it_is_plain_ascii(book: Book) -> None:
    """What a book chooses freely is in the header as letters, digits and octal escapes only."""
    text = export(book, "c")
    assert text.isascii()
    comments = re.findall(r"/\*.*?\*/", text, re.DOTALL)
    rest = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    assert "*/" not in rest
    assert "//" not in rest
    assert "??" not in text
    assert all("\\" not in comment for comment in comments)
    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', rest)
    assert len(strings) > 0
    assert all(re.fullmatch(r"(?:[A-Za-z0-9]|\\[0-7]{3})+", string) for string in strings)


def test_tables_have_the_smallest_types(tmp_path: Path) -> None:
    """Numbers below 256 take a byte each, and all tables the bytes that the header says."""
    text = export(open_book("mastermind-4x6"), "c")
    assert re.findall(r"const (\w+) guessbook_(\w+)\[", text) == [
        ("char", "texts"),
        ("uint16_t", "guesses"),
        ("uint8_t", "feedbacks"),
        ("uint16_t", "first"),
    ]
    tables = " + ".join(
        f"sizeof guessbook_{name}" for name in ("texts", "guesses", "feedbacks", "first")
    )
    source = PROGRAM.replace("STATEMENTS", f'printf("%ld", (long)({tables}));')
    said = re.search(r"([\d,]+) bytes of tables", text)
    assert said
    assert output(c_program(tmp_path, text, source), []) == [said[1].replace(",", "")]


FEEDBACKS = {
    "mastermind-4x6": ["1,1", "0,0", "4,0", "", ",", "1", "1,", ",1", "1,1,2", "5,0", "1,5", "00,1",
                       "001,1", "1, 1", "-1,1", "1,1 ", "99,99", "1B1W"],
    "words": ["000", "121", "222", "", "00", "0000", "003", "0 0", "-10", "/00"],
}  # fmt: skip


@pytest.mark.parametrize("name", FEEDBACKS)
def test_feedback_as_text(name: str, tmp_path: Path) -> None:
    """A feedback as text has the game's number; what the header's notation is not, is -1."""
    book = BOOKS[name]()
    texts = FEEDBACKS[name]
    calls = "".join(f'printf("%ld\\n", (long)guessbook_feedback("{text}"));' for text in texts)
    source = PROGRAM.replace("STATEMENTS", calls)
    found = [
        int(line) for line in output(c_program(tmp_path, export(book, "c"), source, *SANITIZED), [])
    ]
    valid = r"[0-4]{1,2},[0-4]{1,2}" if name == "mastermind-4x6" else "[012]{3}"
    for text, number in zip(texts, found, strict=True):
        expected = book.game.parse_feedback(text) if re.fullmatch(valid, text) else -1
        assert number == expected, text


def test_the_program_of_the_page(root: Path, tmp_path: Path) -> None:
    """The program in c.md compiles as it stands and prints what the page shows."""
    page = (root / "docs" / "how-to" / "embed" / "c.md").read_text("utf-8")
    (source,) = re.findall(r"^```c\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (shown,) = re.findall(r"^```text\n(\$ cc .*?)^```$", page, re.MULTILINE | re.DOTALL)
    program = c_program(tmp_path, export(open_book("mastermind-4x6"), "c"), source, *SANITIZED)
    runs = re.findall(r"^\$ \./hint(.*)\n(.*)$", shown, re.MULTILINE)
    assert len(runs) >= 3
    for arguments, expected in runs:
        command = [str(program), *shlex.split(arguments)]
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        assert done.stdout == f"{expected}\n", done.stderr

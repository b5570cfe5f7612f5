"""The export to C: a header that compiles everywhere and answers as the book does."""

from __future__ import annotations

import os
import random
import re
import shlex
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

import guessbook as gb
from tests.export.samples import BOOKS, History, book_of, histories_of, off_book

if TYPE_CHECKING:
    from pathlib import Path

if not (shutil.which("gcc") and shutil.which("g++")):
    pytest.skip("gcc and g++ are not installed", allow_module_level=True)

STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-Wshadow"]
SANITIZED = ["gcc", "-std=c99", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]

# Prints every node with its guess and its children, also for invalid numbers of nodes and
# feedbacks. Then reads lines `CODE FEEDBACK CODE FEEDBACK ...`, and prints the node of each.
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
# Counts reads of flash memory.
PGMSPACE = r"""
#define PROGMEM
#define pgm_read_byte(address) (reads++, *(const uint8_t *)(address))
#define pgm_read_word(address) (reads++, *(const uint16_t *)(address))
#define pgm_read_dword(address) (reads++, *(const uint32_t *)(address))
static unsigned long reads;
"""


def compiled(folder: Path, header: str, source: str, *command: str) -> Path:
    """Compile a program that includes a header as guess.h; any warning is an error."""
    (folder / "guess.h").write_text(header, "utf-8")
    (folder / "main.c").write_text(source, "utf-8")
    program = folder / "program"
    command = command or ("gcc", "-std=c99")
    options = [*command, *STRICT, "main.c", "-o", str(program)]
    done = subprocess.run(options, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program


def output(program: Path, *arguments: str, lines: str = "") -> list[str]:
    """Return the lines that a program prints."""
    done = subprocess.run(
        [program, *arguments],
        input=lines,
        capture_output=True,
        encoding="utf-8",
        # The leak checker fails where it may not trace a program. The header allocates nothing.
        env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def walked(program: Path, histories: list[History]) -> list[str]:
    """Return all lines that the harness prints: its nodes, then the node of each history."""
    lines = ["\t".join(part for entry in history for part in entry) for history in histories]
    return output(program, lines="".join(f"{line}\n" for line in lines))


def table(book: gb.Book) -> list[str]:
    """Return the lines that the harness must print for the nodes."""
    number = book.game.parse_feedback
    lines = ["-2\t", "-1\t"]
    for node in book.nodes:
        children = [f"{number(f)}:{child.index}" for f, child in node.children.items()]
        lines.append("\t".join([f"{node.index}\t{node.guess}", *children]))
    return [*lines, f"{len(lines) - 2}\t", f"{len(lines) - 1}\t"]


USUAL = ("mastermind-4x6", "without repeats", "hostile", "words", "table")
ALL = [
    *(name if name in USUAL else pytest.param(name, marks=pytest.mark.slow) for name in BOOKS),
    pytest.param("bulls-and-cows-4x10", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("name", ALL)
def test_c_header_gives_the_guesses_of_the_book(name: str, tmp_path: Path) -> None:
    book = book_of(name) if name in BOOKS else gb.open(name)
    solved = book.game.format_feedback(book.game.solved)
    draw = random.Random(1)
    known = histories_of(book)
    histories = [draw.sample(history, len(history)) for history in known]
    histories += [[*history, *history[:1]] for history in known[:50]]
    histories += [[*history, (book.root.guess, solved)] for history in known[:50]]
    histories += off_book(book, 50)
    nodes = [book.get(history) for history in histories]
    expected = [str(node.index if node else -1) for node in nodes]
    program = compiled(tmp_path, book.export("c"), HARNESS, *SANITIZED)
    assert walked(program, histories) == table(book) + expected


@pytest.mark.parametrize(
    ("standard", "name"),
    [("c++98", "hostile"), pytest.param("c++17", "words", marks=pytest.mark.slow)],
)
def test_c_header_compiles_as_cpp(standard: str, name: str, tmp_path: Path) -> None:
    book = book_of(name)
    command = ("g++", "-x", "c++", f"-std={standard}", "-Wno-long-long")
    program = compiled(tmp_path, book.export("c"), HARNESS, *command)
    assert output(program) == table(book)


def test_unused_c_header_gives_no_warning(tmp_path: Path) -> None:
    source = '#include "guess.h"\nint main(void) { return 0; }'
    for level in ("-O0", "-O3"):
        compiled(tmp_path, book_of("words").export("c"), source, "gcc", level)


def test_two_books_in_one_source_file_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "other.h").write_text(book_of("table").export("c"))
    header = book_of("words").export("c")
    compiled(
        tmp_path, header, '#include "guess.h"\n#include "guess.h"\nint main(void) { return 0; }'
    )
    source = '#include "guess.h"\n#include "other.h"\n'
    (tmp_path / "main.c").write_text(source)
    command = ["gcc", "-fsyntax-only", "main.c"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "Include each book in a source file of its own" in done.stderr


def test_header_reads_its_tables_from_flash_on_avr(tmp_path: Path) -> None:
    book = book_of("words")
    header = book.export("c")
    (tmp_path / "avr").mkdir()
    (tmp_path / "avr" / "pgmspace.h").write_text(PGMSPACE)
    source = HARNESS.replace("return 0;", 'printf("%d\\n", reads > GUESSBOOK_NODES); return 0;')
    program = compiled(tmp_path, header, source, "gcc", "-D__AVR__", "-I.")
    assert output(program) == [*table(book), "1"]
    names = "|".join(re.findall(r"const \w+ (guessbook_\w+)\[", header))
    uses = re.findall(rf"(\w+\(|const \w+ )(?:{names})\b", header)
    assert {use for use in uses if not use.startswith("const")} == {"GUESSBOOK_READ("}


def test_strings_in_c_have_only_letters_digits_and_octal_escapes() -> None:
    text = book_of("hostile").export("c")
    assert text.isascii()
    assert "??" not in text
    comments = re.findall(r"/\*.*?\*/", text, re.DOTALL)
    assert all("\\" not in comment for comment in comments)
    rest = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    assert not re.search(r"\*/|//", rest)
    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', rest)
    assert strings
    assert all(re.fullmatch(r"(?:[A-Za-z0-9]|\\[0-7]{3})+", string) for string in strings)


CALLS = {
    "mastermind-4x6": [
        *('feedback("1,1")', 'feedback("4,0")', 'feedback("00,1")', 'feedback("001,1")'),
        *('feedback("")', 'feedback(",")', 'feedback("1")', 'feedback("1,")', 'feedback(",1")'),
        *('feedback("1,1,2")', 'feedback("5,0")', 'feedback("1,5")', 'feedback("1, 1")'),
        *('feedback("-1,1")', 'feedback("1,1 ")', 'feedback("99,99")', 'feedback("1B1W")'),
        *("pegs(1, 1)", "pegs(0, 4)", "pegs(-1, 1)", "pegs(1, -1)", "pegs(3, 2)"),
        *('feedback("10000000000,0")', "pegs(2147483647, 2147483647)"),
    ],
    "words": [
        *('feedback("00000")', 'feedback("12100")', 'feedback("22222")', 'feedback("")'),
        *('feedback("0000")', 'feedback("000000")', 'feedback("00003")', 'feedback("0 000")'),
        *('feedback("/0000")', 'feedback("-1000")'),
    ],
    "table": [
        'feedback("dark")',
        'feedback("flickers, a bit")',
        'feedback("DARK")',
        'feedback("")',
    ],
}


def feedback_number(game: gb.Game, call: str) -> int:
    """Return the number of the feedback in a call, or -1 if its text is not as documented."""
    text = re.sub(r"^\w+\(\"?|\"?\)$", "", call)
    if call.startswith("pegs("):
        text = text.replace(" ", "")
    valid = {
        gb.Mastermind: "[0-9]{1,2},[0-9]{1,2}",
        gb.WordGame: "[012]{5}",
        gb.TableGame: "[a-z, ]+",
    }
    if not re.fullmatch(valid[type(game)], text):
        return -1
    try:
        return game.parse_feedback(text.replace("00,", "0,"))
    except gb.InvalidFeedbackError:
        return -1


@pytest.mark.parametrize("name", CALLS)
def test_header_reads_feedbacks_as_documented(name: str, tmp_path: Path) -> None:
    """Also check the size of the tables that the header states."""
    book = book_of(name)
    header = book.export("c")
    tables = re.findall(r"const \w+ (guessbook_\w+)\[", header)
    said = re.search(r"([\d,]+) bytes of tables", header)
    assert said
    values = [f"guessbook_{call}" for call in CALLS[name]]
    values += ["+".join(f"sizeof {table}" for table in tables)]
    source = "".join(f'printf("%ld\\n", (long)({value}));' for value in values)
    source = f'#include <stdio.h>\n#include "guess.h"\nint main(void) {{ {source} return 0; }}'
    *found, size = map(int, output(compiled(tmp_path, header, source, *SANITIZED)))
    assert found == [feedback_number(book.game, call) for call in CALLS[name]]
    assert size == int(said[1].replace(",", ""))


def test_documented_c_program_prints_the_documented_output(root: Path, tmp_path: Path) -> None:
    page = (root / "docs" / "how-to" / "embed" / "c.md").read_text("utf-8")
    (source,) = re.findall(r"^```c\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (shown,) = re.findall(r"^```text\n(\$ cc .*?)^```$", page, re.MULTILINE | re.DOTALL)
    program = compiled(tmp_path, gb.open("mastermind-4x6").export("c"), source, *SANITIZED)
    runs = re.findall(r"^\$ \./hint(.*)\n(.*)$", shown, re.MULTILINE)
    assert len(runs) >= 3
    for arguments, expected in runs:
        assert output(program, *shlex.split(arguments)) == [expected]


# The parts of Arduino that the sketch uses, on stdin and stdout. The program ends with its input.
ARDUINO = r"""
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#define F(text) text
struct Line {
    int next;
    void begin(long) { next = std::getchar(); }
    int available() { if (next == EOF) std::exit(0); return 1; }
    int read() { int c = next; next = std::getchar(); return c; }
    void print(const char *text) { std::fputs(text, stdout); }
    void println(const char *text) { std::puts(text); }
};
static Line Serial;
void setup();
void loop();
int main() { setup(); for (;;) loop(); }
"""


def test_arduino_sketch_finds_the_secrets(root: Path, tmp_path: Path) -> None:
    """It plays several games, and handles typing errors and contradictions."""
    book = gb.open("mastermind-4x6")
    sketch = root / "examples" / "codebreaker" / "codebreaker.ino"
    (tmp_path / "Arduino.h").write_text(ARDUINO)
    command = ("g++", "-std=c++11", "-I.", "-include", "Arduino.h", "-x", "c++")
    program = compiled(tmp_path, book.export("c"), sketch.read_text("utf-8"), *command)
    typed, printed = [], []
    for secret in random.Random(1).sample(book.game.secrets, 20):
        node = book.root
        for wrong in ("", "x", "1,2,3,4,5,6,7,8", "4,1"):
            typed.append(wrong)
            printed += [f"My guess: {node.guess}", "Please type black,white such as 1,2."]
        while True:
            printed.append(f"My guess: {node.guess}")
            feedback = book.game.feedback(node.guess, secret)
            typed.append(str(feedback))
            if node.guess == secret:
                break
            node = node.children[feedback]
        printed.append("Solved! Think of another code.")
    lines = output(program, lines="\r\n".join([*typed, "0,0", "0,0", ""]))
    assert lines[: len(printed)] == printed
    assert lines[-2:] == ["No code fits. Let us start again.", f"My guess: {book.root.guess}"]

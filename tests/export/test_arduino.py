"""The sketch for Arduino in examples/: it compiles, and breaks every code that it is asked to."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from guessbook.export import export
from guessbook.lookup import open_book

# What the sketch takes of Arduino, on stdin and stdout; the end of the input is the end.
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


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_the_sketch_breaks_codes(root: Path, tmp_path: Path) -> None:
    """Games one after the other, with mistypings and contradictions between: the book's guesses."""
    book = open_book()
    (tmp_path / "Arduino.h").write_text(ARDUINO)
    (tmp_path / "guess.h").write_text(export(book, "c"))
    sketch = root / "examples" / "codebreaker" / "codebreaker.ino"
    strict = ["-std=c++11", "-Wall", "-Wextra", "-Werror", "-Wconversion"]
    command = [
        "g++",
        *strict,
        "-I.",
        "-include",
        "Arduino.h",
        "-x",
        "c++",
        str(sketch),
        "-o",
        "run",
    ]
    subprocess.run(command, cwd=tmp_path, check=True)

    typed, printed = [], []
    for secret in random.Random(1).sample(book.game.secrets, 60):
        node = book.root
        for wrong in ("", "x", "1,2,3,4,5,6,7,8", "4,1"):
            typed.append(wrong)
            printed += [f"My guess: {node.guess}", "Please type black,white such as 1,2."]
        while True:
            printed.append(f"My guess: {node.guess}")
            feedback = book.game.feedback(node.guess, secret)
            typed.append(str(feedback))
            if book.game.parse_feedback(feedback) == book.game.solved:
                break
            node = node.children[feedback]
        printed.append("Solved! Think of another code.")
    typed += ["0,0", "0,0", ""]
    given = "\r\n".join(typed)
    done = subprocess.run(["./run"], cwd=tmp_path, input=given, stdout=-1, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[: len(printed)] == printed
    assert lines[-2:] == ["No code fits. Let us start again.", f"My guess: {book.root.guess}"]

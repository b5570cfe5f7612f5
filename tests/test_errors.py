r"""Error messages: `tests/data/errors/*.txt` list inputs and the answers to them.

Blocks are separated by blank lines. A block has any number of lines `file NAME: CONTENT`, a line
of input, and a line with the answer; lines that begin with `#` are comments:

    file list.txt: crane\nslate\n
    $ info list.txt
    exit 3: list.txt: this is a list of words, ...

    >>> gb.Mastermind(0, 6)
    InvalidGameError: 0 pegs; ...

After `$` are the arguments of `guessbook`, split as in a shell, with Python's escapes;
` <<< 'text\n'` at the end is standard input. The answer is the exit code and the error on stderr,
or the error that `--json` prints; if stderr is empty, it is the paragraph after the last line of
standard input. After `>>>` is an expression, which may use `gb`, `small` (the book of
Mastermind(3, 4)), `words` (a book of words) and `tmp` (the folder); the answer is the class and the
text of the error that it raises. Each block runs in a folder with the files of the block,
small.book and words.book.

`python -m tests.test_errors --write [NAME ...]` rewrites the answers of all files, or of some.
"""

from __future__ import annotations

import ast
import json
import shlex
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

import guessbook as gb
from tests.helpers.command import books, call, write_books

FOLDER = Path(__file__).parent / "data" / "errors"


class Block(NamedTuple):
    """An input, the files that it reads, the expected answer, and the line of the answer."""

    typed: str
    files: dict[str, str]
    answer: str
    line: int


def read_blocks(path: Path) -> list[Block]:
    blocks = []
    files: dict[str, str] = {}
    typed = ""
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        if typed:
            blocks.append(Block(typed, files, line, number))
            files, typed = {}, ""
        elif line.startswith(("$ ", ">>> ")):
            typed = line
        elif line.startswith("file "):
            name, colon, content = line.removeprefix("file ").partition(": ")
            assert colon, f"{path.name}:{number + 1}: {line}"
            files[name] = literal(content)
        else:
            assert not line or line.startswith("#"), f"{path.name}:{number + 1}: {line}"
    assert not typed, f"{path.name}: no answer to {typed}"
    return blocks


def literal(text: str) -> str:
    """Evaluate the escapes in a text as in a Python string; the text may be in quotes."""
    quoted = text[:1] in ("'", '"') and text[-1:] == text[:1]
    value = ast.literal_eval(text if quoted else "'" + text.replace("'", r"\'") + "'")
    assert isinstance(value, str)
    return value


def prepare(block: Block, folder: Path) -> None:
    """Write the files of a block, and the two books, to a folder."""
    write_books(folder)
    for name, text in block.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # "\udcff" is the byte 255, which is not valid UTF-8.
        path.write_bytes(text.encode("utf-8", "surrogateescape"))


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def answer_to(block: Block, folder: Path) -> str:
    """Run the input of a block in the folder, and return the answer."""
    sign, _, line = block.typed.partition(" ")
    if sign == ">>>":
        return answer_of_expression(line, folder)
    line, _, lines = line.partition(" <<< ")
    arguments = map(literal, shlex.split(line))
    result = call(*arguments, lines=literal(lines), folder=folder)
    if result.out.startswith('{"error"'):
        return f"exit {result.code}: {json.loads(result.out)['error']}"
    if not result.err:
        # A prompt echoes its input and wraps its answer.
        typed = (literal(lines).splitlines() or [""])[-1]
        paragraph = result.out.rpartition(f"> {typed}\n")[2].partition("\n\n")[0]
        answer = [line for line in paragraph.splitlines() if not line.endswith("> ")]
        return f"exit {result.code}: {' '.join(' '.join(answer).split())}"
    said = result.err
    if said.startswith("Usage: "):
        said = said[said.rindex("Error: ") :]
    # An error is one line; if there are more, the answer shows them.
    return f"exit {result.code}: {' | '.join(said.splitlines()).removeprefix('Error: ')}"


def answer_of_expression(expression: str, folder: Path) -> str:
    """Evaluate the expression in the folder; return the class and the text of its error."""
    small, words = map(gb.open, books().values())
    names = {"gb": gb, "small": small, "words": words, "tmp": folder}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        try:
            value = eval(expression, names)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    return f"no error: {value!r}"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_error_messages_match_the_stored_ones(path: Path, tmp_path: Path) -> None:
    wrong = []
    for block in read_blocks(path):
        with TemporaryDirectory(dir=tmp_path) as folder:
            prepare(block, Path(folder))
            before = contents(Path(folder))
            answer = answer_to(block, Path(folder))
            assert answer.isprintable(), f"not one printable line: {answer!r}"
            kept = contents(Path(folder)) == before
            assert answer.startswith("exit 0: ") or kept, f"changed a file: {block.typed}"
        if answer != block.answer:
            wrong.append(f"{block.typed}\n    expected {block.answer}\n    found    {answer}")
    assert wrong == [], "\n".join(wrong)


def test_each_input_with_a_stored_error_is_listed_once() -> None:
    typed = [(b.typed, *b.files.items()) for f in FOLDER.glob("*.txt") for b in read_blocks(f)]
    assert [line for line in typed if typed.count(line) > 1] == []


def write(path: Path) -> None:
    """Replace the answers in a file with the current ones."""
    lines = path.read_text("utf-8").splitlines()
    for block in read_blocks(path):
        with TemporaryDirectory() as folder:
            prepare(block, Path(folder))
            lines[block.line] = answer_to(block, Path(folder))
    path.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] != ["--write"]:
        sys.exit(f"{__doc__}")
    for path in sorted(FOLDER.glob("*.txt")):
        if path.stem in (sys.argv[2:] or [path.stem]):
            write(path)

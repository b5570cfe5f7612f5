"""Run the commands in docs/how-to/playing.md and other pages, and update their output.

A test in tests/project/test_docs.py fails if the pages are out of date. The input at prompts is
taken from the pages. A command that fails ends the script, unless its block is marked
`console fails`.

    python docs/transcripts.py
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

__all__ = ["DOCS", "PAGES", "main", "page"]

DOCS = Path(__file__).resolve().parent
PAGES = [DOCS / "how-to" / f"{name}.md" for name in ("playing", "embedding", "games", "keys")]
PAGES += [
    DOCS / f"{name}.md" for name in ("reference/ratings", "tutorials/faults", "tutorials/class")
]
PAGES += sorted(DOCS.glob("how-to/embed/*.md"))
BLOCK = re.compile(r"^```console( fails)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMES = r"feedback|solved|answer|(?:not )?known|guess \d+(?: of \d+)?|board \d+ \([\d,]+ possible\)"
PROMPT = re.compile(rf"^(?:{NAMES})> (.*)$", re.MULTILINE)
GUESSBOOK = "from guessbook.command.main import main; main()"


def main() -> None:
    """Write the pages, or only those whose names are given: `python docs/transcripts.py c.md`."""
    for path in PAGES:
        if path.name in sys.argv[1:] or not sys.argv[1:]:
            path.write_text(page(path), "utf-8")


def page(path: Path) -> str:
    """Return a page with current output."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "examples").symlink_to(DOCS.parent / "examples")
        text = path.read_text("utf-8")
        return BLOCK.sub(lambda block: fresh(block[2], Path(folder), block[1] or ""), text)


def fresh(block: str, folder: Path, mark: str = "") -> str:
    """Return a block with the current output of its commands, which all run in one folder.

    Raises:
        RuntimeError: a command fails in a block that is not marked, or succeeds in a marked one.
    """
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    shown = []
    for part in parts:
        command, _, output = part.partition("\n")
        typed = "".join(f"{line}\n" for line in PROMPT.findall(output))
        shown.append(f"$ {command}\n{run(command, typed, folder, bool(mark))}")
    return f"```console{mark}\n" + "".join(shown) + "```"


def run(command: str, typed: str, folder: Path, fails: bool = False) -> str:
    """Run a shell command, and return its output, including errors."""
    python = shlex.join([sys.executable, "-c", GUESSBOOK])
    plain = {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        ["sh", "-c", f'guessbook() {{ {python} "$@"; }}; {command}'],
        input=typed,
        cwd=folder,
        env={**os.environ, **plain, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        encoding="utf-8",
    )
    if bool(done.returncode) != fails:
        raise RuntimeError(f"`{command}` ended with {done.returncode}:\n{done.stdout}")
    output = done.stdout
    return "\n".join(line.rstrip() for line in output.splitlines()) + "\n" * bool(output)


if __name__ == "__main__":
    main()

"""Run the commands of docs/playing.md again and write what they print now.

Run it as `python docs/transcripts.py`; tests/test_playing.py says when that is due. What a person
types at a prompt is taken from the page itself.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

__all__ = ["main", "page"]

PAGE = Path(__file__).resolve().parent / "playing.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = re.compile(r"^(?:feedback|guess \d+|board \d+ \([\d,]+ possible\))> (.*)$", re.MULTILINE)
GUESSBOOK = "from guessbook.lookup.main import main; main()"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), "utf-8")


def page() -> str:
    """The page as it should be now."""
    with tempfile.TemporaryDirectory() as folder:
        return BLOCK.sub(lambda block: fresh(block[1], Path(folder)), PAGE.read_text("utf-8"))


def fresh(block: str, folder: Path) -> str:
    """A block with the output of its commands, which all run in one folder."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    shown = []
    for part in parts:
        command, _, output = part.partition("\n")
        typed = "".join(f"{line}\n" for line in PROMPT.findall(output))
        shown.append(f"$ {command}\n{run(command, typed, folder)}")
    return "```console\n" + "".join(shown) + "```"


def run(command: str, typed: str, folder: Path) -> str:
    """What a command of the shell prints, errors included."""
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
    return "\n".join(line.rstrip() for line in done.stdout.splitlines()) + "\n" * bool(done.stdout)


if __name__ == "__main__":
    main()

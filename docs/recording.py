"""Record a terminal session for the README as an SVG whose lines appear one by one.

    python docs/recording.py

The script runs the commands, and draws their output in colour. If the reader's system asks for
reduced motion, the whole session is visible at once.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path
from typing import NamedTuple

from guessbook.export.shapes import MONOSPACE

__all__ = ["PICTURE", "drawing", "main", "session"]

DOCS = Path(__file__).resolve().parent
PICTURE = DOCS / "assets" / "session.svg"
COMMANDS = [
    "guessbook hint RYGB=1,1 RGOP=0,2",
    "guessbook run --secret PYRO",
    "guessbook build-book --table bicycle_lamp.csv --policy optimal -o lamp.book > /dev/null",
    'guessbook hint lamp.book "shake the lamp=dark"',
]
GUESSBOOK = "from guessbook.command.main import main; main()"
COLUMNS = 90
# Pixels.
CHARACTER, LINE, MARGIN = 8.4, 20, 16
# Seconds between two lines of output, and before and after each command.
PACE, PAUSE = 0.12, 1.2
STYLE = re.compile(r"\x1b\[([\d;]*)m")


class Span(NamedTuple):
    """A part of a line: its text, colours as `#rrggbb` (empty is the default), and weight."""

    text: str
    ink: str = ""
    paper: str = ""
    bold: bool = False
    dim: bool = False


def main() -> None:
    """Write the picture."""
    PICTURE.write_text(drawing(session()), "utf-8")


def session() -> list[tuple[str, list[str]]]:
    """Run the commands in one folder; return each with the lines that it printed."""
    with tempfile.TemporaryDirectory() as folder:
        table = DOCS.parent / "examples" / "bicycle_lamp.csv"
        (Path(folder) / table.name).write_bytes(table.read_bytes())
        return [(command, run(command, folder)) for command in COMMANDS]


def run(command: str, folder: str) -> list[str]:
    """Return the lines that a command prints on a terminal with 256 colours."""
    python = shlex.join([sys.executable, "-c", GUESSBOOK])
    terminal = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": str(COLUMNS)}
    settings = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    settings |= {**terminal, "PYTHONIOENCODING": "utf-8", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        ["sh", "-c", f'guessbook() {{ {python} "$@"; }}; {command}'],
        cwd=folder,
        env=settings,
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return done.stdout.splitlines()


def spans(line: str) -> list[Span]:
    """Split a line at its escape codes.

    >>> spans("1 " + chr(27) + "[1;38;5;231mR" + chr(27) + "[0m")
    [Span(text='1 ', ink='', paper='', bold=False, dim=False), \
Span(text='R', ink='#ffffff', paper='', bold=True, dim=False)]
    """
    found = []
    style = Span("")
    for index, part in enumerate(STYLE.split(line)):
        if index % 2:
            style = styled(style, part)
        elif part:
            found.append(style._replace(text=part))
    return found


def styled(style: Span, codes: str) -> Span:
    """Apply the numbers of one code, such as `1;38;5;160`, to a style."""
    numbers = iter(codes.split(";"))
    for number in numbers:
        if number in ("", "0"):
            style = Span("")
        elif number == "1":
            style = style._replace(bold=True)
        elif number == "2":
            style = style._replace(dim=True)
        elif number in ("38", "48"):
            assert next(numbers) == "5"
            color = cube(int(next(numbers)))
            style = style._replace(ink=color) if number == "38" else style._replace(paper=color)
        else:
            raise ValueError(f"no style for the code {number}")
    return style


def cube(number: int) -> str:
    """Return the colour of a number from 16 to 231 of the 256 colours of xterm.

    >>> cube(16), cube(160), cube(231)
    ('#000000', '#d70000', '#ffffff')
    """
    levels = (0, 95, 135, 175, 215, 255)
    red, rest = divmod(number - 16, 36)
    return "#" + "".join(f"{levels[part]:02x}" for part in (red, rest // 6, rest % 6))


def drawing(commands: list[tuple[str, list[str]]]) -> str:
    """Draw a session as SVG: each line appears at its time and stays."""
    lines: list[str] = []
    clock = 0.0
    for command, output in commands:
        if lines:
            clock += PAUSE
            lines.append("")
        prompt = [Span("$ ", dim=True), Span(command, bold=True)]
        lines.append(drawn_line(prompt, len(lines), clock))
        clock += PAUSE
        for line in output:
            lines.append(drawn_line(spans(line), len(lines), clock))
            clock += PACE
    width = round(COLUMNS * CHARACTER + 2 * MARGIN)
    height = len(lines) * LINE + 2 * MARGIN
    title = "A session in a terminal: " + "; ".join(command for command, _ in commands)
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        "<style>",
        f"text{{font:14px {MONOSPACE};fill:#e9eef3;white-space:pre}}",
        ".b{font-weight:700}.d{fill:#a3b1bf}",
        "@media (prefers-reduced-motion:no-preference){",
        "g{animation:show .01s both}@keyframes show{from{opacity:0}to{opacity:1}}",
        "}</style>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#11171d"/>',
    ]
    return "\n".join([*head, *filter(None, lines), "</svg>\n"])


def drawn_line(parts: list[Span], row: int, clock: float) -> str:
    """Draw a line that appears after `clock` seconds."""
    top = MARGIN + row * LINE
    shapes = []
    column = 0
    for part in parts:
        left, width = MARGIN + column * CHARACTER, len(part.text) * CHARACTER
        if part.paper:
            box = f'x="{left:.1f}" y="{top}" width="{width:.1f}" height="{LINE - 2}"'
            shapes.append(f'<rect {box} fill="{part.paper}"/>')
        if part.text.strip():
            shapes.append(drawn_text(part, left, top + LINE - 6))
        column += len(part.text)
    return f'<g style="animation-delay:{clock:.2f}s">{"".join(shapes)}</g>'


def drawn_text(part: Span, left: float, baseline: float) -> str:
    """Draw a part of a line, with the width that it has in a terminal, whatever the font."""
    marks = "b" * part.bold + "d" * part.dim
    style = f' class="{marks}"' * bool(marks) + f' style="fill:{part.ink}"' * bool(part.ink)
    place = f'x="{left:.1f}" y="{baseline}" textLength="{len(part.text) * CHARACTER:.1f}"'
    return f'<text {place} xml:space="preserve"{style}>{escape(part.text)}</text>'


if __name__ == "__main__":
    main()

"""The prompts of play, solve and hide in a real terminal (tmux).

`python -m tests.command.test_screens` rewrites the expected screens in the folder golden.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from rich.cells import cell_len

import guessbook as gb
from tests.helpers.command import START

GOLDEN = Path(__file__).parent / "golden"
WORDS = ["light", "eight", "night", "might", "sight", "thing", "geese", "sleet"]
PATIENCE = 60  # seconds to wait for a text on the screen

UTF8 = {"LANG": "C.UTF-8", "TERM": "screen-256color"}
BARE = {"LANG": "C", "PYTHONIOENCODING": "ascii", "TERM": "screen", "NO_COLOR": "1"}
DUMB = {"LANG": "C.UTF-8", "TERM": "dumb"}

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


class Scene(NamedTuple):
    """A session in a terminal.

    Attributes:
        width, height: the size of the terminal in characters.
        command: the arguments of `guessbook`.
        steps: pairs of texts: when the screen shows the first and a prompt, the second is typed,
            followed by Enter. ^C and ^D are typed as control characters, without Enter.
        end: the exit code.
        settings: environment variables.
    """

    width: int
    height: int
    command: str
    steps: list[tuple[str, str]]
    end: int = 0
    settings: dict[str, str] = UTF8


SCENES = {
    "play-80": Scene(
        80,
        36,
        "play --secret PYRO",
        [("guess 1 of 10>", "rygb"), ("guess 2 of 10>", "?"), ("Hint: RGOP", "pyro")],
    ),
    "play-40": Scene(
        40,
        44,
        "play --secret PYRO",
        [("guess 1 of 10>", "rygb"), ("guess 2 of 10>", "pyro")],
    ),
    "solve-40-bare": Scene(
        40,
        40,
        "solve",
        [
            ("feedback>", "RRRR=1,0"),
            ("Guess 2", "YYYY=1,0"),
            ("Guess 3", "RRYY=0,0"),
            ("re-check", "^D"),
        ],
        settings=BARE,
    ),
    "boards-play-40": Scene(
        40,
        60,
        "play --secret PYRO --secret RRYO --max-guesses 2",
        [("guess 1 of 2>", "rygb"), ("guess 2 of 2>", "pyro")],
    ),
    "plain-40-bare": Scene(
        40,
        40,
        "play words.book --secret night --plain --max-guesses 6",
        [("guess 1 of 6>", "light"), ("guess 2 of 6>", "night")],
        settings=BARE,
    ),
    "words-80": Scene(
        80,
        40,
        "play words.book --secret night",
        [
            ("guess 1 of 6>", "light"),
            ("guess 2 of 6>", "thing"),
            ("guess 3 of 6>", ":list"),
            ("possible:", "night"),
        ],
    ),
    "hide-60": Scene(
        60,
        50,
        "hide words.book",
        [("guess 1>", "sleet"), ("guess 2>", "night"), ("guess 3>", "might")],
    ),
    "boards-60": Scene(
        60,
        50,
        "solve words.book --boards 2",
        [
            ("board 1 (8", "light=02222"),
            ("board 2 (8", "11001"),
            ("board 2 (0 possible)>", "edit 1 02222"),
            ("board 1 (4 possible)>", "help"),
            ("Ctrl-D", "^D"),
        ],
    ),
    "dumb-40": Scene(
        40,
        40,
        "play --secret PYRO",
        [("guess 1 of 10>", "rygb"), ("guess 2 of 10>", ":give-up")],
        settings=DUMB,
    ),
    "tree-80": Scene(80, 24, "tree", []),
    "tree-40-bare": Scene(40, 30, "tree RYGB=1,1 RGOP=0,2", [], settings=BARE),
    "tree-words-60": Scene(60, 20, "tree words.book --depth 9", []),
    "interrupted": Scene(60, 20, "hide", [("guess 1>", "RRYY"), ("guess 2>", "^C")], end=130),
}

# Each prompt: the command, the steps that lead to the prompt, and its text.
PROMPTS: list[tuple[str, list[tuple[str, str]], str]] = [
    ("solve", [], "feedback>"),
    ("solve", [("feedback>", "4,0")], "solved>"),
    ("solve --boards 2", [("board 1", "1,1")], "board 2"),
    ("solve --boards 2", [("board 1", "4,0"), ("board 2", "4,0")], "solved>"),
    ("solve --boards 2", [("board 1 (1", "RRRR=0,1"), ("board 2", "0,0")], "board 1 (0"),
    ("play", [], "guess 1 of 10>"),
    ("play --daily --boards 2 --max-guesses 6", [], "guess 1 of 6>"),
    ("hide", [("guess 1>", "RRYY")], "guess 2>"),
]


def tmux(server: str, *arguments: str) -> str:
    """Run a command of tmux on a server, and return the output."""
    command = ["tmux", "-L", server, "-f", "/dev/null", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def drawn(scene: Scene, color: bool = False) -> str:
    """Return the last screen of a scene; with `color`, it includes escape codes."""
    with tempfile.TemporaryDirectory() as folder:
        # A server ends with a delay, so each screen has a server with a name of its own.
        server = f"guessbook-{Path(folder).name}"
        gb.build(gb.WordGame(WORDS)).save(Path(folder) / "words.book")
        settings = {
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "PYTHONPATH": ":".join(sys.path),
            **scene.settings,
        }
        given = [f"{name}={value}" for name, value in settings.items()]
        command = shlex.join(["env", "-i", *given, *START, *scene.command.split()])
        # The shell must survive Ctrl-C.
        script = f'trap : INT; {command}; echo "[exit $?]"; sleep {2 * PATIENCE}'
        size = ["-x", str(scene.width), "-y", str(scene.height), "-c", folder]
        os.environ.setdefault("TERM", "screen")
        # With -u, tmux uses UTF-8 in any locale.
        tmux(server, "-u", "new-session", "-d", *size, "sh", "-c", script)
        try:
            for text, typed in scene.steps:
                wait_for(server, text, prompt=">")
                control = typed.startswith("^")
                keys = [f"C-{typed[1].lower()}"] if control else [typed, "Enter"]
                tmux(server, "send-keys", *keys)
            wait_for(server, f"[exit {scene.end}]")
            return tmux(server, "capture-pane", "-p", *(["-e"] if color else []))
        finally:
            tmux(server, "kill-server")


def wait_for(server: str, text: str, prompt: str = "") -> None:
    """Wait until the screen shows a text and ends with the prompt.

    Keys that are sent before the prompt appears would be echoed.
    """
    end = time.monotonic() + PATIENCE
    while True:
        screen = tmux(server, "capture-pane", "-p")
        if text in screen and screen.rstrip().endswith(prompt):
            return
        if time.monotonic() > end:
            pytest.fail(f"{text!r} is not on the screen:\n{screen}")
        time.sleep(0.05)


def tidy(screen: str) -> str:
    """Remove blanks at the ends of lines, and empty lines at the end."""
    return "\n".join(line.rstrip() for line in screen.rstrip().splitlines()) + "\n"


@pytest.mark.parametrize("name", SCENES)
def test_screen_matches_the_expected_one_and_fits_the_terminal(name: str) -> None:
    screen = tidy(drawn(SCENES[name]))
    assert screen == (GOLDEN / f"{name}.txt").read_text("utf-8")
    assert max(map(cell_len, screen.splitlines())) <= SCENES[name].width


@pytest.mark.parametrize(("key", "code"), [("^C", 130), ("^D", 0)])
@pytest.mark.parametrize(
    "prompt",
    [pytest.param(each, marks=[pytest.mark.slow] * (k % 3 > 0)) for k, each in enumerate(PROMPTS)],
    ids=[f"{command}: {text}" for command, _, text in PROMPTS],
)
def test_ctrl_c_and_ctrl_d_leave_every_prompt(
    prompt: tuple[str, list[tuple[str, str]], str], key: str, code: int
) -> None:
    command, steps, text = prompt
    screen = drawn(Scene(60, 30, command, [*steps, (text, key)], code))
    assert "Traceback" not in screen


def test_prompt_works_without_readline(tmp_path: Path) -> None:
    (tmp_path / "readline.py").write_text("raise ImportError")
    path = ":".join([str(tmp_path), *sys.path])
    steps = [("guess 1 of 10>", " rygb "), ("guess 2 of 10>", ":quit")]
    scene = Scene(60, 30, "play --secret PYRO", steps, settings={**UTF8, "PYTHONPATH": path})
    assert "  R  Y  G  B   ●○··" in drawn(scene)


def test_terminal_without_colours_gets_no_escape_codes() -> None:
    assert "\x1b[" in drawn(SCENES["play-80"], color=True)
    tiles = drawn(SCENES["words-80"], color=True)
    colours = set(re.findall(r"48;\d[\d;:]*", tiles))
    assert len(colours) == 3, "tiles are in place, elsewhere, or absent"
    assert "\x1b[" not in drawn(SCENES["dumb-40"], color=True)
    assert "\x1b[" not in drawn(SCENES["solve-40-bare"], color=True)


def main() -> None:
    """Rewrite the expected screens."""
    for name, scene in SCENES.items():
        (GOLDEN / f"{name}.txt").write_text(tidy(drawn(scene)), "utf-8")


if __name__ == "__main__":
    main()

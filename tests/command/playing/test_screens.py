"""Drawn screens in a real terminal (tmux), compared with golden ones.

`python -m tests.command.playing.test_screens` draws the screens of the folder golden again.
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

from guessbook.book import WordGame
from tests.helpers.command import START
from tests.helpers.plain import plain_book
from tests.helpers.samples import every_nth

GOLDEN = Path(__file__).parent / "golden"
WORDS = ["light", "eight", "night", "might", "sight", "thing", "geese", "sleet"]
PATIENCE = 60  # seconds until a screen that does not come is a failure


class Scene(NamedTuple):
    """What is done in a terminal.

    Attributes:
        width, height: of the terminal.
        arguments: of `guessbook`.
        steps: (text, keys): when the text is on the screen, the keys are typed, as tmux names them.
        end: the text of the last screen.
        settings: environment variables.
    """

    width: int
    height: int
    arguments: list[str]
    steps: list[tuple[str, list[str]]]
    end: str
    settings: dict[str, str]


UTF8 = {"LANG": "C.UTF-8", "TERM": "screen-256color"}
BARE = {"LANG": "C", "PYTHONIOENCODING": "ascii", "TERM": "screen", "NO_COLOR": "1"}

SCENES = {
    "play-80": Scene(
        80, 36, ["play", "--secret", "PYRO"],
        [("guess 1>", ["rygb", "Enter"]), ("guess 2>", ["?", "Enter"]),
         ("Hint: RGOP", ["pyro", "Enter"])],
        "[exit 0]", UTF8,
    ),
    "play-40": Scene(
        40, 44, ["play", "--secret", "PYRO"],
        [("guess 1>", ["rygb", "Enter"]), ("guess 2>", ["pyro", "Enter"])],
        "[exit 0]", UTF8,
    ),
    "solve-40-bare": Scene(
        40, 40, ["solve"],
        [("feedback>", ["RRRR=1,0", "Enter"]),
         ("Guess 2", ["YYYY=1,0", "Enter"]), ("Guess 3", ["RRYY=0,0", "Enter"]),
         ("re-check", ["C-d"])],
        "[exit 0]", BARE,
    ),
    "boards-play-40": Scene(
        40, 60, ["play", "--secret", "PYRO", "--secret", "RRYO", "--max-guesses", "2"],
        [("guess 1 of 2>", ["rygb", "Enter"]), ("guess 2 of 2>", ["pyro", "Enter"])],
        "[exit 0]", UTF8,
    ),
    "plain-40-bare": Scene(
        40, 40, ["play", "words.book", "--secret", "night", "--plain", "--max-guesses", "6"],
        [("guess 1 of 6>", ["light", "Enter"]), ("guess 2 of 6>", ["night", "Enter"])],
        "[exit 0]", BARE,
    ),
    "words-80": Scene(
        80, 40, ["play", "words.book", "--secret", "night"],
        [("guess 1>", ["light", "Enter"]), ("guess 2>", ["thing", "Enter"]),
         ("guess 3>", [":list", "Enter"]), ("possible:", ["night", "Enter"])],
        "[exit 0]", UTF8,
    ),
    "hide-60": Scene(
        60, 50, ["hide", "words.book"],
        [("guess 1>", ["sleet", "Enter"]), ("guess 2>", ["night", "Enter"]),
         ("guess 3>", ["might", "Enter"])],
        "[exit 0]", UTF8,
    ),
    "boards-60": Scene(
        60, 46, ["solve", "words.book", "--boards", "2"],
        [("board 1 (8", ["light=02222", "Enter"]), ("board 2 (8", ["11001", "Enter"]),
         ("board 2 (0 possible)>", ["edit 1 02222", "Enter"]),
         ("board 1 (4 possible)>", ["help", "Enter"]), ("Ctrl-D", ["C-d"])],
        "[exit 0]", UTF8,
    ),
    "dumb-40": Scene(
        40, 40, ["play", "--secret", "PYRO"],
        [("guess 1>", ["rygb", "Enter"]), ("guess 2>", [":give-up", "Enter"])],
        "[exit 0]", {"LANG": "C.UTF-8", "TERM": "dumb"},
    ),
    "tree-80": Scene(80, 24, ["tree"], [], "[exit 0]", UTF8),
    "tree-40-bare": Scene(
        40, 30, ["tree", "RYGB=1,1", "RGOP=0,2"], [], "[exit 0]", BARE,
    ),
    "tree-words-60": Scene(60, 20, ["tree", "words.book", "--depth", "9"], [], "[exit 0]", UTF8),
    "interrupted": Scene(
        60, 20, ["hide"],
        [("guess 1>", ["RRYY", "Enter"]), ("guess 2>", ["C-c"])],
        "[exit 130]", UTF8,
    ),
}  # fmt: skip


# Each prompt: the command, and what leads there.
PROMPTS: dict[str, tuple[list[str], list[tuple[str, list[str]]]]] = {
    "feedback>": (["solve"], []),
    "solved>": (["solve"], [("feedback>", ["4,0", "Enter"])]),
    "board 2": (["solve", "--boards", "2"], [("board 1", ["1,1", "Enter"])]),
    "All 2 boards": (
        ["solve", "--boards", "2"],
        [("board 1", ["4,0", "Enter"]), ("board 2", ["4,0", "Enter"])],
    ),
    "board 1 (0": (
        ["solve", "--boards", "2"],
        [("board 1 (1", ["RRRR=0,1", "Enter"]), ("board 2", ["0,0", "Enter"])],
    ),
    "guess 1>": (["play"], []),
    "guess 1 of 6>": (["play", "--daily", "--boards", "2", "--max-guesses", "6"], []),
    "guess 2>": (["hide"], [("guess 1>", ["RRYY", "Enter"])]),
}


def tmux(server: str, *arguments: str) -> str:
    """Run tmux, on a server of our own, and return what it prints."""
    command = ["tmux", "-L", server, "-f", "/dev/null", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def drawn(scene: Scene, colour: bool = False) -> str:
    """The last screen of a scene, with its colours as escape codes if they are asked for."""
    with tempfile.TemporaryDirectory() as folder:
        # A server takes a moment to go: the next screen gets one of another name.
        server = f"guessbook-{Path(folder).name}"
        plain_book(WordGame(WORDS)).save(Path(folder) / "words.book")
        kept = {"PATH": os.environ["PATH"], "HOME": folder, "PYTHONPATH": ":".join(sys.path)}
        settings = [f"{k}={v}" for k, v in {**kept, **scene.settings}.items()]
        command = shlex.join(["env", "-i", *settings, *START, *scene.arguments])
        # The shell itself outlives Ctrl-C.
        script = f'trap : INT; {command}; echo "[exit $?]"; sleep {2 * PATIENCE}'
        size = ["-x", str(scene.width), "-y", str(scene.height), "-c", folder]
        os.environ.setdefault("TERM", "screen")
        # tmux -u: the server itself handles UTF-8 whatever the locale of the tests is.
        tmux(server, "-u", "new-session", "-d", *size, "sh", "-c", script)
        try:
            for text, keys in scene.steps:
                wait_for(server, text, prompt=">")
                tmux(server, "send-keys", *keys)
            wait_for(server, scene.end)
            return tmux(server, "capture-pane", "-p", *(["-e"] if colour else []))
        finally:
            tmux(server, "kill-server")


def wait_for(server: str, text: str, prompt: str = "") -> None:
    """Wait until a text is on the screen, and the screen ends with the prompt: keys that come earlier are echoed."""
    end = time.monotonic() + PATIENCE
    while text not in (
        screen := tmux(server, "capture-pane", "-p")
    ) or not screen.rstrip().endswith(prompt):
        if time.monotonic() > end:
            pytest.fail(f"waited for {text!r}, found:\n{screen}")
        time.sleep(0.05)


def tidy(screen: str) -> str:
    """A screen without blanks at the ends of lines and empty lines at its end."""
    return "\n".join(line.rstrip() for line in screen.rstrip().splitlines()) + "\n"


needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


@needs_tmux
@pytest.mark.parametrize("name", SCENES)
def test_screen(name: str) -> None:
    """The screen is the golden one, and no line is cut off at the edge of the terminal."""
    screen = tidy(drawn(SCENES[name]))
    assert screen == (GOLDEN / f"{name}.txt").read_text("utf-8")
    assert max(map(cell_len, screen.splitlines())) <= SCENES[name].width


@needs_tmux
@pytest.mark.parametrize(("key", "end"), [("C-c", "[exit 130]"), ("C-d", "[exit 0]")])
@pytest.mark.parametrize("prompt", every_nth(2, PROMPTS))
def test_every_prompt_can_be_left(prompt: str, key: str, end: str) -> None:
    """Ctrl-C and Ctrl-D end the command at each prompt, without a traceback."""
    arguments, steps = PROMPTS[prompt]
    scene = Scene(60, 30, arguments, [*steps, (prompt, [key])], end, UTF8)
    assert "Traceback" not in drawn(scene)


@needs_tmux
def test_colour_where_there_is_colour() -> None:
    """A terminal with colours gets coloured pegs; one that wants none gets not a single code."""
    assert "\x1b[" in drawn(SCENES["play-80"], colour=True)
    tiles = drawn(SCENES["words-80"], colour=True)
    colours = set(re.findall(r"48;\d[\d;:]*", tiles))
    assert len(colours) == 3, "tiles are in place, elsewhere, or absent"
    assert "\x1b[" not in drawn(SCENES["dumb-40"], colour=True)
    assert "\x1b[" not in drawn(SCENES["solve-40-bare"], colour=True)


def main() -> None:
    """Draw the golden screens again."""
    for name, scene in SCENES.items():
        (GOLDEN / f"{name}.txt").write_text(tidy(drawn(scene)), "utf-8")


if __name__ == "__main__":
    main()

"""How long somebody waits at the board: whole processes against a yardstick in the same run.

    python benchmarks/waiting.py [WORDLE.book]

The yardstick is a process that imports numpy. Seconds are of the processor, of the best of some
rounds in which all take turns, so that a busy machine changes the ratios little. With a book of
Wordle's lists the reasons for its first guess and four boards of it are measured, too.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile

ROUNDS = 7
YARDSTICK = "import numpy"
BOARDS = """
from guessbook.play.boards import Boards
from guessbook.play.session import Session
boards = Boards(Session({book!r}), {number})
game = boards.game
secrets = [game.secrets[k * len(game.secrets) // {number}] for k in range({number})]
for _ in range(3):
    guess = boards.hint().guess
    boards.add_guess(guess, [game.format_feedback(game.feedback(guess, s)) for s in secrets])
"""
COMMAND = """
import sys
from guessbook.command.main import main
sys.argv = ["guessbook", *{arguments!r}]
main()
"""


def main(wordle: str | None) -> None:
    """Measure and print the table: seconds, and times the yardstick, with the limit of each."""
    rows = {
        "2 boards of 5x8, three guesses": (BOARDS.format(book="mastermind-5x8", number=2), 4.0),
        "4 boards of 5x8, three guesses": (BOARDS.format(book="mastermind-5x8", number=4), 5.0),
    }
    if wordle:
        rows["4 boards of Wordle, three guesses"] = (BOARDS.format(book=wordle, number=4), 2.0)
        for name, more in (("explain", []), ("rate", ["crane"])):
            script = COMMAND.format(arguments=[name, wordle, *more])
            rows[f"{name}, the first guess of Wordle"] = (script, 1.5)
    scripts = [YARDSTICK, *[script for script, _ in rows.values()]]
    with tempfile.TemporaryDirectory() as folder:
        # Installed packages are compiled; here the first round does that, and is not counted.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        rounds = [[seconds(script, environment) for script in scripts] for _ in range(ROUNDS + 1)]
    unit, *best = [min(column) for column in zip(*rounds[1:], strict=True)]
    print(f"{'the yardstick: numpy':<36}{unit:>7.2f} s")
    for (what, (_, limit)), time in zip(rows.items(), best, strict=True):
        print(f"{what:<36}{time:>7.2f} s{time / unit:>6.1f} times, at most {limit}")


def seconds(script: str, environment: dict[str, str]) -> float:
    """The processor's seconds of a process that runs a script; what it prints is thrown away."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", script]
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)

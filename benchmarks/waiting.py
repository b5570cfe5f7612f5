"""Measure how long a player waits for whole processes, compared with an import of numpy.

    python benchmarks/waiting.py [WORDLE.book]

The processes take turns, and the least processor seconds of several rounds count, so a busy machine
hardly changes the ratios. With a book of Wordle, the script also measures a live hint, four boards,
`explain` and `rate`.
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
    boards.add_guess(guess, [str(game.feedback(guess, s)) for s in secrets])
"""
BUILD = ["build-book", "--pegs", "4", "--colors", "6", "--force", "-o"]
FROM_BOOK = ["hint", "mastermind-4x6", "RYGB=0,2", "YGOP=0,2", "GPBP=0,1", "GOYO=1,0"]
LIVE = ["hint", "mastermind-4x6", "RRYG=0,1", "BBOP=1,1", "PORB=0,2"]
LIVE_5X8 = ["hint", "mastermind-5x8", "RYGBO=1,1", "OPWKK=1,1"]
COMMAND = """
import sys
from guessbook.command.main import main
sys.argv = ["guessbook", *{arguments!r}]
main()
"""


def main(wordle: str | None) -> None:
    """Measure, and print a table of seconds, ratios and limits."""
    with tempfile.TemporaryDirectory() as folder:
        rows = scripts(wordle, folder)
        commands = [
            [sys.executable, "-c", script] for script, _ in [(YARDSTICK, 1), *rows.values()]
        ]
        # The first round compiles the modules, as an installation does, and is not counted.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        rounds = [
            [seconds(command, environment) for command in commands] for _ in range(ROUNDS + 1)
        ]
    unit, *best = [min(column) for column in zip(*rounds[1:], strict=True)]
    print(f"{'process':<36}{'CPU (s)':>9}{'ratio':>7}  limit")
    print(f"{'import numpy':<36}{unit:>9.2f}{1:>7.1f}")
    for (what, (_, limit)), time in zip(rows.items(), best, strict=True):
        print(f"{what:<36}{time:>9.2f}{time / unit:>7.1f}  {limit:g}")


def scripts(wordle: str | None, folder: str) -> dict[str, tuple[str, float]]:
    """Return the script of each row of the table, and its limit."""
    rows = {
        "4x6, build-book": (COMMAND.format(arguments=[*BUILD, f"{folder}/4x6.book"]), 2.0),
        "4x6, hint from the book": (COMMAND.format(arguments=FROM_BOOK), 2.0),
        "4x6, live hint": (COMMAND.format(arguments=LIVE), 2.0),
        "5x8, live hint": (COMMAND.format(arguments=LIVE_5X8), 2.0),
        "2 boards of 5x8, three guesses": (BOARDS.format(book="mastermind-5x8", number=2), 4.0),
        "4 boards of 5x8, three guesses": (BOARDS.format(book="mastermind-5x8", number=4), 5.0),
    }
    if wordle:
        live = ["hint", wordle, "fjord=00000", "waltz=00100"]
        rows["Wordle, live hint"] = (COMMAND.format(arguments=live), 3.0)
        rows["4 boards of Wordle, three guesses"] = (BOARDS.format(book=wordle, number=4), 4.0)
        for name, more, limit in (("explain", [], 5.0), ("rate", ["crane"], 2.0)):
            script = COMMAND.format(arguments=[name, wordle, *more])
            rows[f"{name}, the first guess of Wordle"] = (script, limit)
    return rows


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """The processor seconds of a process; its output is discarded."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)

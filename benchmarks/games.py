"""The measured games: options, known optima, stored results, and builds in separate processes."""

from __future__ import annotations

import csv
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from guessbook.book.games.codes import Mastermind

ROOT = Path(__file__).resolve().parent.parent
OPTIMA = ROOT / "tests" / "data" / "optima.csv"
WORDS = ROOT.parent / "shared" / "words"
GUESSBOOK = [sys.executable, "-c", "from guessbook.command.main import main; main()"]


class Code(NamedTuple):
    """A game of codes."""

    pegs: int
    colors: int
    repeats: bool = True

    @property
    def options(self) -> str:
        """The options of `build-book` that define the game."""
        repeats = "" if self.repeats else " --no-repeats"
        return f"--pegs {self.pegs} --colors {self.colors}{repeats}"

    @property
    def game(self) -> Mastermind:
        return Mastermind(*self)

    @property
    def name(self) -> str:
        """The name of the game in published.csv."""
        return self.game.name


class Words(NamedTuple):
    """A game of words; its lists are files in the folder WORDS.

    Attributes:
        source: the first word of the names of the files.
        secrets, guesses: the lengths of the lists.
    """

    source: str
    secrets: int
    guesses: int

    @property
    def files(self) -> tuple[str, str]:
        """The names of the files of secrets and of guesses."""
        answers = f"{self.source}-answers-{self.secrets}.txt"
        return answers, f"{self.source}-guesses-{self.guesses}.txt"

    @property
    def options(self) -> str:
        """The options of `build-book` that define the game."""
        answers, guesses = self.files
        return f"--answers {answers} --guesses {guesses}"

    @property
    def name(self) -> str:
        """The name of the game in published.csv."""
        return f"words-5x{self.secrets}"


WORDLE = Words("wordle", 2315, 12972)
# The lists of July 2023.
WORDLE_2023 = Words("nyt2023", 3158, 14855)


def stored(path: Path) -> dict[str, Any]:
    """The stored results, by the name of the row; {} if the file does not exist."""
    kept: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return kept


def keep(path: Path, kept: dict[str, Any], page: Path, text: str) -> None:
    """Write the results and their page; an interruption leaves complete files."""
    texts = {path: json.dumps(kept, indent=1, ensure_ascii=False) + "\n", page: text}
    for target, content in texts.items():
        draft = target.with_name(f"{target.name}.draft")
        draft.write_text(content, "utf-8")
        draft.replace(target)


def table(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def optimum(game: Code | Words) -> int | None:
    """The least total number of guesses in a game; None if tests/data/optima.csv lacks it."""
    for fact in table(OPTIMA):
        if (int(fact["pegs"]), int(fact["colors"]), fact["repeats"] == "1") == game:
            return int(fact["total_guesses"])
    return None


def build(game: Code | Words, options: str, path: Path, minutes: float | None = None) -> Any:
    """Build a book in its own process, and return what `build-book --json` reports.

    The key `processor` is added: the processor seconds of the whole process.

    Args:
        game: the game.
        options: further options.
        path: the file of the book.
        minutes: the limit on the processor time, in minutes of all cores; None for no limit.
            Unlike elapsed time, processor time does not depend on other programs.

    Raises:
        NotImplementedError: on Windows.
        subprocess.CalledProcessError: the build failed, or SIGXCPU stopped it at the limit.
    """
    if sys.platform == "win32":
        raise NotImplementedError("Windows does not tell the processor time of what has ended")
    import resource

    def limit() -> None:
        if minutes is not None:
            most = round(60 * minutes * (os.cpu_count() or 1))
            resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))

    command = f"build-book {game.options} {options} --json --force -o".split()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [*GUESSBOOK, *command, str(path)],
        cwd=WORDS if isinstance(game, Words) else path.parent,
        preexec_fn=limit,
        check=True,
        stdout=subprocess.PIPE,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    worked = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(done.stdout) | {"processor": worked}


def machine() -> str:
    """The number of cores, and the name of the processor."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        lines = info.read_text("utf-8").splitlines()
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
        name = next(iter(names), name)
    return f"{os.cpu_count()} cores, {name}"

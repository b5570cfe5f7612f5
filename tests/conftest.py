"""Fixtures that several test modules share."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

import guessbook as gb
from tests.helpers.command import runner
from tests.helpers.samples import WORD_GAME

if TYPE_CHECKING:
    from tests.helpers.command import Run

# No deadline: the time of an example depends on the load of the machine. In CI the examples are
# fixed, so that a failure is due to a change. Elsewhere they are fewer, to save time, and random,
# so that many runs together cover more cases.
settings.register_profile(
    "guessbook",
    deadline=None,
    derandomize="CI" in os.environ,
    max_examples=100 if "CI" in os.environ else 15,
)
settings.load_profile("guessbook")

# A background job starts with SIGINT ignored, and its child processes inherit this.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent

# With PYTHONDONTWRITEBYTECODE, each process would compile the tests and the package again. This
# folder keeps the bytecode instead; child processes find it in the environment.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ.setdefault(
        "PYTHONPYCACHEPREFIX", str(ROOT / ".pytest_cache" / "compiled")
    )

GAMES = {
    "1 peg, 1 color": (gb.Mastermind(1, 1), "entropy"),
    "2 pegs, 2 colors": (gb.Mastermind(2, 2), "entropy"),
    "3 pegs, 4 colors": (gb.Mastermind(3, 4), "minimax"),
    "without repeats": (gb.Mastermind(3, 5, repeats=False), "parts"),
    "own symbols": (gb.Mastermind(2, 5, symbols="αβγ🐄x"), "expected"),
    # More than 256 guesses: the column of guesses needs two planes.
    "wide": (gb.Mastermind(2, 17), "entropy"),
}


@pytest.hookimpl(optionalhook=True)  # a hook of pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """Return the number of cores plus 1, because tests that wait for a server leave a core idle."""
    return (os.cpu_count() or 1) + 1


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip tests that need the source tree or POSIX if these are missing."""
    if item.get_closest_marker("sources") and not (ROOT / "book").is_dir():
        pytest.skip("needs the source tree")
    if item.get_closest_marker("posix") and sys.platform == "win32":
        pytest.skip("needs the pipes, signals, devices or shells of POSIX")


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def small_books() -> dict[str, gb.Book]:
    """Books of small Mastermind games."""
    return {name: gb.build(*given) for name, given in GAMES.items()}


@pytest.fixture(scope="session")
def small_book(small_books: dict[str, gb.Book]) -> gb.Book:
    """A book of 3 pegs and 4 colours."""
    return small_books["3 pegs, 4 colors"]


@pytest.fixture
def book_file(small_book: gb.Book, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a book of 3 pegs and 4 colours."""
    path = tmp_path_factory.mktemp("books") / "small.book"
    small_book.save(path)
    return path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """A function that runs `guessbook` in this process, in a temporary folder, without colour."""
    return runner(monkeypatch, capsys, tmp_path)


@pytest.fixture(scope="session")
def book() -> gb.Book:
    """The shipped book of 4 pegs and 6 colours."""
    return gb.open("mastermind-4x6")


@pytest.fixture
def words(tmp_path: Path) -> str:
    """The file name of a small book of words, saved in the folder in which `run` runs commands."""
    gb.build(WORD_GAME).save(tmp_path / "words.book")
    return "words.book"


@pytest.fixture
def no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Switch the engine off in this process and in those that it starts."""
    monkeypatch.setenv("GUESSBOOK_PURE", "1")

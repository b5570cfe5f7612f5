"""What a build rejects, and the memory that it needs."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from tests.strategies import example_game

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command import Run

MAX_CODES = 1 << 24
BYTES_PER_CODE = 200


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Any]:
    """Fake limits: the memory of the machine in bytes, and the limit of its container as text."""
    found: dict[str, Any] = {"machine": 1 << 40, "memory.max": "max\n"}
    system_open = builtins.open

    def sysconf(name: str) -> int:
        return 1 if name == "SC_PAGE_SIZE" else int(found["machine"])

    def redirect(path: Any, *arguments: Any, **options: Any) -> Any:
        folder, _, name = str(path).partition("/sys/fs/cgroup/")
        if name and not folder:
            path = tmp_path / name.replace("/", "-")
            if name in found:
                path.write_text(found[name])
        return system_open(path, *arguments, **options)

    monkeypatch.setattr(os, "sysconf", sysconf)
    monkeypatch.setattr(builtins, "open", redirect)
    return found


def fits(game: gb.Game) -> bool:
    """Return whether a game is within the limits of the builder, without building it."""
    # This policy rejects the option `memory`, but the limits are checked first.
    with pytest.raises((gb.InvalidGameError, gb.UsageError)) as error:
        gb.build(game, "entropy", memory=1)
    return error.type is gb.UsageError


@pytest.mark.usefixtures("memory")
def test_game_of_more_than_16777216_codes_is_rejected() -> None:
    assert all(fits(gb.Mastermind(*size)) for size in ((8, 8), (7, 10), (6, 16), (12, 4)))
    assert not fits(gb.Mastermind(8, 9))


def test_game_that_needs_more_memory_than_available_is_rejected(memory: dict[str, Any]) -> None:
    game = gb.Mastermind(7, 8)
    memory["machine"] = 8**7 * BYTES_PER_CODE
    assert fits(game)
    memory["machine"] -= 1
    assert not fits(game)


@pytest.mark.parametrize("name", ["memory.max", "memory/memory.limit_in_bytes"])
def test_memory_limit_of_a_container_counts_if_it_is_lower(
    memory: dict[str, Any], name: str
) -> None:
    game, needed = gb.Mastermind(7, 8), 8**7 * BYTES_PER_CODE
    for limit, expected in ((needed, True), (needed - 1, False), (1 << 62, True), ("max", True)):
        memory[name] = f"{limit}\n"
        assert fits(game) == expected
    memory["machine"] = needed - 1
    assert not fits(game)


WORDS = ["".join(letters) + "ab" for letters in product("abcdefghijklmnopqrst", repeat=3)]
# Each letter of a word, with all its places in the word: the table of feedbacks has a row for each.
PARTS = {(a, tuple(k for k in range(5) if word[k] == a)) for word in WORDS for a in word}


@pytest.mark.parametrize(
    ("game", "table"),
    [
        (gb.TableGame(range(500), range(300), lambda guess, secret: guess == secret), 500 * 300),
        (gb.WordGame(WORDS[:300], WORDS[:600]), 5 * 600 * 300),
        # The bound 5 * guesses * secrets is above 256 MiB, so the rows are counted.
        (gb.WordGame(WORDS), len(PARTS) * len(WORDS)),
        (example_game(5), 120 * 120),
    ],
    ids=["table", "few words", "many words", "own kind"],
)
def test_table_of_feedbacks_may_take_half_of_the_memory(
    memory: dict[str, Any], game: gb.Game, table: int
) -> None:
    memory["machine"] = 2 * table
    assert fits(game)
    memory["machine"] -= 1
    assert not fits(game)


@pytest.mark.parametrize(
    ("policy", "options", "error"),
    [
        ("magic", {}, gb.UsageError),
        ("entropy", {"width": 3}, gb.UsageError),
        ("entropy:hard-mode", {}, gb.UsageError),
        ("entropy", {"jobs": 0}, gb.UsageError),
        ("entropy", {"jobs": 10_001}, gb.UsageError),
        ("entropy", {"jobs": 2, "scheduler": "tcp://127.0.0.1:1"}, gb.UsageError),
        ("entropy", {"first_guess": "RX"}, gb.InvalidCodeError),
        ("entropy", {"first_guess": "R"}, gb.InvalidCodeError),
        ({"name": "entropy", "first_guess": "RR"}, {"first_guess": "RY"}, gb.UsageError),
        ("entropy", {"memory": 1 << 30}, gb.UsageError),
        ("optimal", {"memory": 0}, gb.UsageError),
        ("optimal", {"memory": 20}, gb.BuildError),
        ("entropy", {"gap": 0.1}, gb.UsageError),
        ("optimal", {"gap": 1}, gb.UsageError),
        ("optimal", {"gap": -0.1}, gb.UsageError),
        ("optimal", {"gap": True}, gb.UsageError),
        ("optimal", {"width": 2}, gb.UsageError),
        ("entropy", {"task_size": 0}, gb.UsageError),
        ("entropy", {"checkpoint": "parts", "checkpoint_delay": -1}, gb.UsageError),
        ("entropy", {"checkpoint": "parts", "checkpoint_delay": "x"}, gb.UsageError),
        ("entropy", {"checkpoint": "nowhere/parts"}, gb.BuildError),
        ("optimal:max-guesses=1", {}, gb.NoStrategyError),
    ],
    ids=str,
)
def test_build_with_wrong_options_is_rejected(
    policy: Any,
    options: dict[str, Any],
    error: type[Exception],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    seen: list[gb.Progress] = []
    with pytest.raises(error):
        gb.build(gb.Mastermind(2, 3), policy, progress=seen.append, **options)
    assert not seen
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("options", [{"jobs": 10_000}, {"memory": None}, {"gap": 0}])
def test_options_at_their_limits_are_accepted(options: dict[str, Any]) -> None:
    assert gb.build(gb.Mastermind(2, 2), **options).stats.secrets == 4


def test_documentation_and_help_state_the_limits(run: Run, root: Path) -> None:
    page = (root / "docs" / "how-to" / "scaling.md").read_text("utf-8")
    for text in (page, run("build-book", "--help").out):
        words = " ".join(text.replace("│", " ").split())
        assert f"{MAX_CODES:,} codes" in words
        assert f"{BYTES_PER_CODE} bytes of memory for each" in words


# Builds two books, and prints the peak memory of the process after each.
MEASURE = """
import guessbook as gb
for pegs, colors in ((4, 6), (7, 7)):
    gb.build(gb.Mastermind(pegs, colors), jobs=2).to_bytes()
    (line,) = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
    print(int(line.split()[1]) * 1024)
"""


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc/self/status")
def test_build_needs_at_most_the_stated_memory_for_each_code() -> None:
    done = subprocess.run([sys.executable, "-c", MEASURE], capture_output=True, text=True)
    small, large = map(int, done.stdout.split())
    assert large - small < 7**7 * BYTES_PER_CODE

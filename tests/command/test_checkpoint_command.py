"""The command `build-book` with checkpoints: going on, refusing, interrupted and killed."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.builder import checkpoint
from guessbook.builder.build import build
from guessbook.builder.executors.tasks import GrowTrees
from guessbook.builder.growth import optimum
from guessbook.builder.growth.trials import Trials
from guessbook.builder.lock import hold_lock, lock_path
from guessbook.command import build as commands
from guessbook.command.main import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

from tests.helpers.command import Run
from tests.helpers.disk import unfinished
from tests.helpers.tasks import killed_after, opened, undisturbed

pytestmark = pytest.mark.usefixtures("many_tasks")


OPTIONS = "build-book --pegs 4 --colors 7 --jobs 2 -o a.book"


def test_the_command_goes_on_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`build-book` finds its checkpoint by itself, says so on stderr, and deletes it at the end."""
    monkeypatch.chdir(tmp_path)
    kept = killed_after(tmp_path / ".a.book.guessbook-parts", 12)
    monkeypatch.setattr(sys, "argv", ["guessbook", *OPTIONS.split(), "--json", "--force"])
    assert run() == 0
    captured = capsys.readouterr()
    expected = f"Going on with the {kept} finished tasks in .a.book.guessbook-parts.\n"
    assert captured.err == expected
    known = json.loads(captured.out)
    assert (known["secrets"], known["resumed"]) == (2401, kept)
    assert (tmp_path / "a.book").read_bytes() == undisturbed()
    assert [path.name for path in tmp_path.iterdir()] == ["a.book"]


def test_the_command_refuses_a_second_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """While one build to a file runs, another is one line and exit code 1; later it is none."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["guessbook", *OPTIONS.split(), "--json"])
    with hold_lock(tmp_path / "a.book"):
        assert run() == 1
    captured = capsys.readouterr()
    assert captured.err == ""
    assert json.loads(captured.out)["error"].startswith("another build is writing a.book")
    assert run() == 0
    assert "resumed" not in json.loads(capsys.readouterr().out)
    assert [path.name for path in tmp_path.iterdir()] == ["a.book"]


def test_the_command_refuses_a_damaged_checkpoint_before_it_builds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1 and one line, and no build begins."""
    monkeypatch.chdir(tmp_path)
    killed_after(tmp_path / ".a.book.guessbook-parts", 12)
    part = next((tmp_path / ".a.book.guessbook-parts").glob("*.tree"))
    part.write_bytes(b"")

    def never(*_: object) -> None:
        raise AssertionError("the build began")

    monkeypatch.setattr(commands, "write_best", never)
    monkeypatch.setattr(sys, "argv", ["guessbook", *OPTIONS.split()])
    assert run() == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert part.name in captured.err


# A build in a process of its own, in many tasks and slow enough to be killed on the way. One task
# may take minutes, and one may fail.
SLOW = """
import itertools, sys, time
from guessbook.builder import checkpoint
from guessbook.builder.executors.tasks import GrowTrees
from tests.helpers.tasks import cut_small
cut_small(setattr)
checkpoint.DELAY = 0.0
grow = GrowTrees.run
calls = itertools.count()
def slow(task, context):
    call = next(calls)
    if call == LONG:
        print("at work", flush=True)
        time.sleep(600)
    if call == FAILING:
        raise MemoryError
    time.sleep(0.02)
    return grow(task, context)
GrowTrees.run = slow
from guessbook.command.main import main
main()
"""


def start(
    folder: Path, root: Path, jobs: int = 2, long: int = -1, failing: int = -1
) -> subprocess.Popen[str]:
    """A slow build in a process of its own; a task takes minutes and says so, or fails."""
    code = f"LONG, FAILING = {long}, {failing}{SLOW}"
    arguments = ["build-book", "--pegs", "4", "--colors", "7", "-o", str(folder / "a.book")]
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments, "--jobs", str(jobs)],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_COLOR": "1", "TERM": "dumb"},
    )


def parts(folder: Path) -> int:
    """How many results are on disk."""
    return len(list(folder.glob(".a.book.guessbook-parts/*.tree")))


@pytest.mark.posix
def test_ctrl_c_says_how_to_go_on(tmp_path: Path, root: Path) -> None:
    """After Ctrl-C one line says that the same command goes on, and it does."""
    process = start(tmp_path, root)
    while parts(tmp_path) < 5 and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    expected = (
        f"Interrupted: {parts(tmp_path)} finished tasks are kept in "
        f"{tmp_path / '.a.book.guessbook-parts'}, and the same command goes on from there.\n"
    )
    assert err == expected
    assert not (tmp_path / "a.book").exists()
    process = start(tmp_path, root, jobs=1)
    _, err = process.communicate(timeout=60)
    assert err.startswith("Going on with the ")
    assert (tmp_path / "a.book").read_bytes() == undisturbed()


@pytest.mark.posix
@pytest.mark.parametrize(("failing", "code"), [(-1, 130), (7, 1)])
def test_a_build_that_ends_early_waits_for_no_task(
    tmp_path: Path, root: Path, failing: int, code: int
) -> None:
    """After Ctrl-C or an error, which is one line, it is over while a task goes on for minutes."""
    process = start(tmp_path, root, long=5, failing=failing)
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "at work\n"
        if failing < 0:
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, out) == (code, "")
    said = err
    assert said.startswith("Interrupted: " if failing < 0 else "Error: there is not enough")
    assert said.count("\n") == 1


def interrupted(
    monkeypatch: pytest.MonkeyPatch,
    run: Run,
    owner: object,
    name: str,
    *arguments: object,
    by: Callable[..., None] | None = None,
) -> str:
    """Run `build-book` with Ctrl-C when something is called; what it says, which is one line."""
    with monkeypatch.context() as patch:

        def interrupt(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        patch.setattr(owner, name, by or interrupt)
        result = run("build-book", "--jobs", 1, *arguments)
    assert (result.code, result.out, result.err.count("\n")) == (130, "", 1)
    return result.err.removesuffix("\n")


NOTHING = "Interrupted: nothing is kept, and the same command starts anew."


@pytest.mark.parametrize("first", [False, True])
def test_an_interrupted_search_for_the_optimum_goes_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: bool
) -> None:
    """The optimum of words keeps what its openings cost; with a first guess, what its cells do."""
    monkeypatch.setattr(checkpoint, "DELAY", 0.0)
    words = [f"{a}{b}{c}" for a in "bcd" for b in "aeiou" for c in "nrt"]
    (tmp_path / "list").write_text("\n".join(words))
    options = ["--answers", "list", "--policy", "optimal", "-o", "a.book"]
    assert len(words) > optimum.PROMISING
    options += ["--first-guess", words[0]] if first else []
    owner, name = (GrowTrees, "run") if first else (Trials, "_fill")
    filled = Trials._fill

    def fill(trials: Trials) -> None:
        """Go on until the checkpoint has something, then interrupt."""
        if trials._checkpoint and trials._checkpoint.kept:
            raise KeyboardInterrupt
        filled(trials)

    said = interrupted(monkeypatch, run, owner, name, *options, by=None if first else fill)
    kept = len(list(tmp_path.glob(".a.book.guessbook-parts/*.tree")))
    assert kept
    assert said.startswith(f"Interrupted: {kept} finished task")
    assert run("build-book", *options).err.startswith(f"Going on with the {kept} finished task")


@pytest.mark.parametrize(
    ("owner", "name", "said"),
    [
        (commands, "open_checkpoint", "Interrupted before the build began."),
        (GrowTrees, "run", NOTHING),  # within ten seconds
        (commands, "write", NOTHING),
        (checkpoint.Checkpoint, "remove", "Interrupted: the book is written."),
    ],
)
def test_every_interruption_says_what_is_kept(
    run: Run, monkeypatch: pytest.MonkeyPatch, owner: object, name: str, said: str
) -> None:
    """Ctrl-C is answered in one line whenever it comes; also where nothing can be kept."""
    options = ("--pegs", 3, "--colors", 4, "-o")
    assert interrupted(monkeypatch, run, owner, name, *options, "a.book") == said
    if "written" not in said and name != "open_checkpoint":
        assert interrupted(monkeypatch, run, owner, name, *options, "-") == NOTHING


def test_interrupted_builds_of_several_books_say_which_are_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The books that are there are counted, as the same command then needs --force."""
    options = ("--pegs", 3, "--colors", 4, "--openings", "all")
    calls = itertools.count()

    def second(*arguments: Any) -> Any:
        if next(calls) == 1:
            raise KeyboardInterrupt
        return build(*arguments)

    monkeypatch.setattr("guessbook.builder.openings.build", second)
    begun = "Interrupted: 1 of 3 books are written; "
    result = run("build-book", *options)
    assert (result.code, result.out) == (130, "")
    anew = "nothing else is kept, and the same command with --force starts anew.\n"
    assert result.err == f"{begun}{anew}"
    assert len(list(tmp_path.iterdir())) == 1
    # Of several checkpoints one is named.
    monkeypatch.setattr(checkpoint, "DELAY", 0.0)
    monkeypatch.setattr("guessbook.builder.openings.build", build)
    said = interrupted(
        monkeypatch, run, commands, "write", *options[:4], "--first-guess", "best", "-o", "a.book"
    )
    kept = len(list(tmp_path.glob(".a.book.*.guessbook-parts/*.tree")))
    assert said == (
        f"Interrupted: {kept} finished tasks are kept in .a.book.0.guessbook-parts and 2 more, "
        "and the same command goes on from there."
    )


@pytest.mark.posix
@pytest.mark.slow
def test_a_build_survives_sigkill(tmp_path: Path, root: Path) -> None:
    """Killed at random moments, twenty times, with other jobs, builds end with the same bytes."""
    if sys.platform == "win32":
        raise NotImplementedError
    dice = random.Random(3)
    kills = builds = 0
    while kills < 20:
        folder = tmp_path / str(builds)
        folder.mkdir()
        while not (folder / "a.book").exists():
            process = start(folder, root, jobs=dice.choice([1, 2, 3]))
            # From the first part that this run adds on, anything may be interrupted.
            goal = parts(folder) + dice.randrange(1, 20)
            while parts(folder) < goal and process.poll() is None:
                time.sleep(dice.random() / 100)
            process.kill()
            out, err = process.communicate(timeout=60)
            assert "Traceback" not in err
            assert "Error" not in out + err
            kills += process.returncode == -signal.SIGKILL
        builds += 1
        assert (folder / "a.book").read_bytes() == undisturbed()
        lock_path(folder / "a.book").unlink(missing_ok=True)
        if (folder / ".a.book.guessbook-parts").exists():
            # Killed between the book and the end of tidying up: the next build does that.
            opened(folder / ".a.book.guessbook-parts").remove()
        # Killed while it wrote the book: what it wrote is in nobody's way.
        half = set(unfinished(folder))
        assert {path for path in folder.iterdir() if path not in half} == {folder / "a.book"}
    assert builds >= 3

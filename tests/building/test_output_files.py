"""Files that commands write: full disks, paths that cannot be written, links and locks."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock

import guessbook as gb
from tests.helpers.command import START, Result, complaint
from tests.helpers.samples import every_nth

resource = pytest.importorskip("resource", reason="Windows cannot limit the size of files")

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.helpers.command import Run

ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
COMMANDS = {
    "build-book": "build-book --pegs 3 --colors 4 --force -o old",
    "words": "words --dictionary long --force -o old",
    "simulate": "simulate --force -o old",
    "compare": "compare parts --pegs 2 --colors 3 --force --svg old",
    "export": "export --to json --force -o old",
    "report": "report --force -o old",
    "import": "import tree --force -o old",
}


@contextmanager
def small_files(limit: int) -> Iterator[None]:
    """Limit the size of all files, so that writing fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """A folder with the files that the commands read."""
    words = [f"{a}{b}{c}ne\n" for a in "abcdefghij" for b in "klmnopqrst" for c in "uvwxyz"]
    (tmp_path / "long").write_text("".join(words))
    (tmp_path / "tree").write_text(gb.open("mastermind-4x6").export("irving"))
    return tmp_path


def unfinished(folder: Path) -> list[Path]:
    """The temporary files in a folder."""
    return list(folder.glob(".*.guessbook-part"))


@pytest.mark.parametrize("command", every_nth(2, COMMANDS))
def test_command_beyond_the_file_size_limit_leaves_the_old_file(
    run: Run, inputs: Path, command: str
) -> None:
    assert run(*COMMANDS[command].replace("old", "new").split()).code == 0
    (inputs / "old").write_bytes(b"as it was")
    with small_files(120):
        message = complaint(run(*COMMANDS[command].split()))
    assert "File too large" in message
    assert (inputs / "old").read_bytes() == b"as it was"
    assert not unfinished(inputs)
    assert run(*COMMANDS[command].split()).code == 0
    assert (inputs / "old").read_bytes() != b"as it was"


def test_saving_beyond_the_file_size_limit_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "a.book").write_bytes(b"as it was")
    with small_files(50), pytest.raises(gb.GuessbookError, match="File too large"):
        gb.open("mastermind-4x6").save(tmp_path / "a.book")
    assert (tmp_path / "a.book").read_bytes() == b"as it was"
    assert not unfinished(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["build-book", "export"])
def test_command_on_a_full_file_system_leaves_the_old_file(inputs: Path, command: str) -> None:
    disk = inputs / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root may mount a small file system, and not everywhere")
    try:
        (disk / "old").write_bytes(b"as it was")
        with (disk / "filler").open("wb", buffering=0) as filler:
            with suppress(OSError):
                while True:
                    filler.write(bytes(4096))
            # A build needs room for its lock.
            filler.truncate(filler.tell() - 4096 * (command == "build-book"))
        arguments = COMMANDS[command].replace("old", str(disk / "old"))
        arguments = arguments.replace("--pegs 3 --colors 4", "--pegs 4 --colors 9")
        done = subprocess.run(
            [sys.executable, "-m", "guessbook", *arguments.split()],
            capture_output=True,
            text=True,
            cwd=inputs,
        )
        message = complaint(Result(done.returncode, done.stdout, done.stderr))
        assert "No space left on device" in message
        assert sorted(path.name for path in disk.iterdir()) == ["filler", "old"]
        assert (disk / "old").read_bytes() == b"as it was"
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.fixture
def wrong_places(inputs: Path) -> Iterator[dict[str, str]]:
    """Paths that cannot be written, each with a part of the error; check that nothing changes."""
    (inputs / "folder").mkdir()
    os.mkfifo(inputs / "pipe")
    (inputs / "circle").symlink_to("circle")
    (inputs / "dangling").symlink_to("nowhere/b")
    before = {path.name: path.lstat() for path in inputs.iterdir()}
    yield {
        str(inputs / "folder"): "folder",
        str(inputs / "nowhere" / "a"): "nowhere",
        str(inputs / ("n" * 300)): "File name too long",
        str(inputs / "pipe"): "device or pipe",
        str(inputs / "circle"): "circle",
        str(inputs / "dangling"): "nowhere",
        "/dev/full": "device or pipe",
        # Not even root can create a file there.
        "/proc/a": "/proc",
    }
    after = {path.name: path.lstat() for path in inputs.iterdir()}
    assert after.keys() == before.keys()
    assert all(os.path.samestat(after[name], before[name]) for name in before)
    assert not list((inputs / "folder").iterdir())
    assert not Path("/dev/full").is_file()


@pytest.mark.parametrize("command", COMMANDS)
def test_path_that_cannot_be_written_is_reported_in_one_line(
    run: Run, command: str, wrong_places: dict[str, str]
) -> None:
    for place, said in wrong_places.items():
        arguments = [place if word == "old" else word for word in COMMANDS[command].split()]
        message = complaint(run(*arguments))
        assert said in message
        assert "another build" not in message


def test_saving_to_a_path_that_cannot_be_written_raises_an_error(
    tmp_path: Path, wrong_places: dict[str, str]
) -> None:
    for place in [*wrong_places, str(tmp_path / "a\0b"), str(tmp_path / "\ud800\ud800")]:
        with pytest.raises(gb.GuessbookError, match="cannot write") as error:
            gb.open("mastermind-4x6").save(place)
        assert str(error.value).isprintable()


def test_folder_without_write_permission_is_rejected(run: Run, inputs: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    (inputs / "locked").mkdir(mode=0o500)
    with pytest.raises(gb.GuessbookError, match="Permission denied"):
        gb.open("mastermind-4x6").save(inputs / "locked" / "a.book")
    for command in COMMANDS.values():
        complaint(run(*command.replace("old", "locked/a").split()))


@pytest.mark.parametrize("name", ["n" * 255, "ü" * 127, "🟩" * 63])
def test_longest_file_names_can_be_written(tmp_path: Path, name: str) -> None:
    book = gb.open("mastermind-4x6")
    book.save(tmp_path / name)
    assert gb.open(tmp_path / name).to_bytes() == book.to_bytes()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_link_stays_a_link_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "a.book")
    for name in ("mastermind-4x6", "mastermind-4x6-optimal"):
        gb.open(name).save(tmp_path / "link")
        assert (tmp_path / "link").is_symlink()
        found = (tmp_path / "folder" / "a.book").read_bytes()
        assert found == gb.open(name).to_bytes()
    assert not unfinished(tmp_path / "folder")


def test_link_and_its_target_share_a_lock(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "a.book", tmp_path / "link.book"
    link.symlink_to(target)
    command = [*START, "build-book", "--pegs", "3", "--colors", "4", "--force", "--quiet"]
    with FileLock(tmp_path / "real" / ".a.book.guessbook-lock") as lock:
        assert lock.is_locked
        for path in (link, target):
            done = subprocess.run([*command, "-o", path], capture_output=True, text=True, env=ENV)
            assert (done.returncode, done.stdout) == (1, "")
            assert f"another build is writing {path}" in done.stderr
    done = subprocess.run([*command, "-o", link], capture_output=True, text=True, env=ENV)
    assert done.returncode == 0
    assert link.is_symlink()
    assert gb.open(target).stats.total_guesses
    assert {path.name for path in tmp_path.rglob("*")} == {"real", "a.book", "link.book"}


@pytest.mark.parametrize(
    "command",
    [
        "build-book --pegs 2 --colors 3 -o new/",
        "build-book --pegs 2 --colors 3 --openings all -o new/",
        "export --to json -o new/",
        "report -o new/",
        "simulate -o new/",
        "compare parts --pegs 2 --colors 3 --svg new/",
        "solve --save new/",
    ],
)
def test_output_path_that_names_a_missing_folder_is_rejected(
    run: Run, tmp_path: Path, command: str
) -> None:
    assert "no folder new/" in complaint(run(*command.split()))
    with pytest.raises(gb.GuessbookError, match="name of a folder"):
        gb.open("mastermind-4x6").save(f"{tmp_path}/new/")
    assert not list(tmp_path.iterdir())

"""Checkpoints: interrupted builds resume, and damaged, forged or foreign files do no harm."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from importlib import metadata
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.building.cases import CASES, GAME, Counted, book_bytes
from tests.helpers.samples import every_nth

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.building.conftest import Clock

ENTROPY = (GAME, "entropy")
SMALL = (gb.Mastermind(4, 4), "entropy")
# The first bytes of a part are the SHA-256 of the identity, the name of the part, and its content.
CHECKSUM_BYTES = 32


def resume(folder: Path, case: tuple[gb.Game, Any] = ENTROPY, **options: Any) -> bytes:
    """Begin or resume a build in many tasks, and return the bytes of the book."""
    how = {"task_size": 60, "checkpoint": folder, "checkpoint_delay": 0, **options}
    return gb.build(*case, **how).to_bytes()


def interrupt_after(
    folder: Path, results: int, error: type[BaseException] = KeyboardInterrupt
) -> Callable[[gb.Progress], None]:
    """Return a function for `progress` that raises an error once `results` parts are stored."""

    def report(_: gb.Progress) -> None:
        if len(parts(folder)) >= results:
            raise error

    return report


def interrupted(folder: Path, results: int = 12, **options: Any) -> Path:
    """Interrupt a build when it has stored `results` parts, and return the checkpoint."""
    with pytest.raises(KeyboardInterrupt):
        resume(folder, progress=interrupt_after(folder, results), **options)
    return folder


def parts(folder: Path) -> dict[str, int]:
    """The parts of a checkpoint by name, with the time when each was written."""
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("*.tree")}


def contents(folder: Path) -> dict[str, bytes]:
    """The names and the bytes of all files in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.fixture(autouse=True)
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not flush files to the disk, which would take most of the time of these tests."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


# --- interruption ---------------------------------------------------------------------------


@given(
    case=st.sampled_from(CASES),
    task_size=st.integers(20, 200),
    runs=st.lists(st.tuples(st.integers(1, 25), st.integers(1, 4)), max_size=3),
    jobs=st.integers(1, 4),
)
def test_interrupted_build_resumes_with_same_bytes(
    case: tuple[gb.Game, str],
    task_size: int,
    runs: list[tuple[int, int]],
    jobs: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("checkpoint") / "parts"
    finished: dict[str, int] = {}
    for more, threads in runs:
        progress = interrupt_after(folder, len(finished) + more)
        with suppress(KeyboardInterrupt):
            resume(folder, case, task_size=task_size, jobs=threads, progress=progress)
        finished = parts(folder)
    assert resume(folder, case, task_size=task_size, jobs=jobs) == book_bytes(case)
    # No finished task was computed again, except that a search may replace a bound by a cost.
    if not case[1].startswith(("optimal", "win")):
        assert parts(folder).items() >= finished.items()


def test_resumed_build_computes_only_unfinished_tasks(tmp_path: Path) -> None:
    folder, policy = tmp_path / "parts", Counted()
    with pytest.raises(KeyboardInterrupt):
        resume(folder, (GAME, policy), jobs=1, progress=interrupt_after(folder, 20))
    assert 0 < policy.calls < 1296
    assert resume(folder, (GAME, policy)) == gb.build(GAME, Counted()).to_bytes()
    # A chunk of the interrupted build may have been finished, but not stored.
    assert 1296 <= policy.calls < 2 * 1296
    policy.calls = 0
    assert resume(folder, (GAME, policy)) == gb.build(GAME, Counted()).to_bytes()
    assert policy.calls == 0


def test_progress_of_a_resumed_build_includes_earlier_work(tmp_path: Path) -> None:
    seen: list[gb.Progress] = []
    whole: list[gb.Progress] = []
    resume(interrupted(tmp_path / "parts"), progress=seen.append)
    resume(tmp_path / "new", progress=whole.append)
    assert seen[0].done > whole[0].done
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)
    assert seen[-1].done == seen[-1].total == whole[-1].total


def test_checkpoint_may_be_resumed_with_another_task_size(tmp_path: Path) -> None:
    folder = interrupted(tmp_path / "parts")
    assert resume(folder, task_size=25) == book_bytes(ENTROPY)


def test_build_shorter_than_the_delay_writes_nothing(tmp_path: Path) -> None:
    for options in ({"checkpoint_delay": 1000}, {"checkpoint_delay": None}):
        resume(tmp_path / "parts", **options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_interruption_or_error_after_the_delay_writes_finished_tasks(
    tmp_path: Path, error: type[BaseException], clock: Clock
) -> None:
    def report(progress: gb.Progress) -> None:
        if progress.done:
            clock.now = 11.0
            raise error

    with pytest.raises(error):
        resume(tmp_path / "parts", jobs=1, checkpoint_delay=None, progress=report)
    assert parts(tmp_path / "parts")


def test_finished_tasks_are_written_after_the_delay(tmp_path: Path, clock: Clock) -> None:
    counts: list[int] = []

    def report(_: gb.Progress) -> None:
        counts.append(len(parts(tmp_path / "parts")))
        clock.now += 1.0

    resume(tmp_path / "parts", checkpoint_delay=9.5, jobs=1, progress=report)
    assert counts[:10] == [0] * 10
    assert counts[-1] > len(counts) - 10


def test_new_checkpoint_folder_is_flushed_before_its_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda file: order.append(os.fstat(file).st_ino))
    interrupted(tmp_path / "parts", 1)
    assert order[0] == tmp_path.stat().st_ino


def test_results_of_a_search_with_a_gap_are_not_used_without_it(tmp_path: Path) -> None:
    case = gb.Mastermind(3, 5), "optimal"
    resume(tmp_path / "parts", case, gap=0.9)
    assert resume(tmp_path / "parts", case) == book_bytes(case)


@pytest.mark.slow
def test_tree_deeper_than_the_recursion_limit_resumes(tmp_path: Path) -> None:
    labels = [str(number) for number in range(500)]
    game = gb.TableGame(labels, labels, lambda guess, secret: "yes" if guess == secret else "no")
    case = game, "parts"
    interrupted(tmp_path / "parts", 300, case=case, task_size=1, jobs=1)
    resumed = resume(tmp_path / "parts", case, task_size=1)
    assert resumed == resume(tmp_path / "parts", case, task_size=1)
    assert gb.open(resumed).stats.distribution == (1,) * 500


# --- other builds ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "options"),
    [
        ((GAME, "minimax"), {}),
        ((GAME, "entropy"), {"first_guess": "RRYY"}),
        ((gb.Mastermind(4, 5), "entropy"), {}),
    ],
    ids=["policy", "first guess", "game"],
)
def test_checkpoint_of_another_build_is_rejected(
    tmp_path: Path, case: tuple[gb.Game, str], options: dict[str, str]
) -> None:
    folder = interrupted(tmp_path / "parts")
    before = contents(folder)
    with pytest.raises(gb.BuildError, match="another build"):
        resume(folder, case, **options)
    assert contents(folder) == before


def test_checkpoint_of_another_version_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = interrupted(tmp_path / "parts")
    monkeypatch.setattr(metadata, "version", lambda _: "99.0")
    with pytest.raises(gb.BuildError, match=r"99\.0"):
        resume(folder)


def test_checkpoint_of_a_running_build_is_rejected(tmp_path: Path) -> None:
    running, end = Event(), Event()

    def report(_: gb.Progress) -> None:
        running.set()
        assert end.wait(60)

    thread = Thread(target=resume, args=(tmp_path / "parts",), kwargs={"progress": report})
    thread.start()
    try:
        assert running.wait(60)
        with pytest.raises(gb.BuildError, match=rf"process {os.getpid()}"):
            resume(tmp_path / "parts")
    finally:
        end.set()
        thread.join()
    assert [path.name for path in tmp_path.iterdir()] == ["parts"]
    assert resume(tmp_path / "parts") == book_bytes(ENTROPY)


# --- damage ---------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "rename", "foreign"])
def test_damaged_part_is_named_and_can_be_deleted(tmp_path: Path, damage: str) -> None:
    folder = interrupted(tmp_path / "parts")
    path = sorted(folder.glob("*.tree"))[7]
    data = path.read_bytes()
    if damage == "flip":
        data = bytes([*data[:-1], data[-1] ^ 4])
    elif damage == "cut":
        data = data[:-1]
    elif damage == "empty":
        data = b""
    elif damage == "foreign":
        other = interrupted(tmp_path / "other", case=(GAME, "parts"))
        data = next(other.glob("*.tree")).read_bytes()
    elif damage == "rename":
        path = path.rename(folder / f"{'0' * 64}.tree")
    path.write_bytes(data)
    with pytest.raises(gb.BuildError, match=path.name):
        resume(folder)
    path.unlink()
    assert resume(folder) == book_bytes(ENTROPY)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"\xff", b"[" * 60_000, b'{"a":' * 9_000, b'{"game": {}}', b"7" * 99_999],
)
def test_damaged_identity_file_is_rejected(tmp_path: Path, content: bytes) -> None:
    folder = interrupted(tmp_path / "parts", 3)
    (folder / "identity.json").write_bytes(content)
    with pytest.raises(gb.BuildError, match="damaged"):
        resume(folder)


def test_error_about_another_build_shows_only_the_beginning_of_a_long_name(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    names = {"game": "g" * 9_000, "policy": "\x1b[2J" * 900}
    (tmp_path / "parts" / "identity.json").write_text(json.dumps(names))
    with pytest.raises(gb.BuildError, match="another build, ggg") as error:
        resume(tmp_path / "parts")
    assert len(str(error.value)) < 1_000


def put(path: Path, kind: str) -> None:
    """Put something that is not a regular file at a path."""
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(path if kind == "loop" else "/dev/zero")


@pytest.mark.posix
@pytest.mark.parametrize("name", ["identity.json", f"{'0' * 64}.tree"])
@pytest.mark.parametrize("kind", ["pipe", "link", "loop", "folder"])
def test_checkpoint_files_that_are_not_regular_are_not_read(
    tmp_path: Path, name: str, kind: str
) -> None:
    folder = interrupted(tmp_path / "parts", 3)
    put(folder / name, kind)
    with pytest.raises(gb.BuildError):
        resume(folder)


@pytest.mark.posix
@pytest.mark.parametrize("pattern", ["identity.json", "*.tree"])
def test_checkpoint_files_are_not_read_through_a_link(tmp_path: Path, pattern: str) -> None:
    folder = interrupted(tmp_path / "parts", 3)
    path = next(folder.glob(pattern))
    path.rename(tmp_path / "moved")
    path.symlink_to(tmp_path / "moved")
    with pytest.raises(gb.BuildError):
        resume(folder)


@pytest.mark.posix
@pytest.mark.parametrize("kind", ["file", "pipe", "link", "loop", "dangling", "other files"])
def test_path_that_is_not_a_checkpoint_is_left_unchanged(tmp_path: Path, kind: str) -> None:
    theirs, folder = tmp_path / "theirs", tmp_path / "parts"
    interrupted(theirs, 3)
    if kind == "file":
        folder.write_text("mine")
    elif kind == "other files":
        folder = theirs
        (folder / "identity.json").unlink()
    elif kind == "dangling":
        folder.symlink_to(tmp_path / "nowhere")
    elif kind == "link":
        folder.symlink_to(theirs)
    else:
        put(folder, kind)
    before = contents(theirs), folder.lstat()
    with pytest.raises(gb.BuildError, match="cannot use"):
        resume(folder)
    after = contents(theirs), folder.lstat()
    assert after[0] == before[0]
    assert os.path.samestat(after[1], before[1])


@pytest.mark.posix
def test_link_that_replaces_the_checkpoint_during_a_build_is_not_followed(tmp_path: Path) -> None:
    theirs, folder = interrupted(tmp_path / "theirs", 3), tmp_path / "parts"
    before = contents(theirs)

    def report(_: gb.Progress) -> None:
        if folder.exists() and not folder.is_symlink():
            folder.rename(tmp_path / "moved")
            folder.symlink_to(theirs)

    with pytest.raises(gb.BuildError, match="link"):
        resume(folder, progress=report)
    assert contents(theirs) == before


@pytest.mark.posix
def test_unfinished_files_are_deleted_and_foreign_files_stay(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    # This build was killed before it wrote its identity.
    (folder / ".identity.json.77.guessbook-part").write_bytes(b"{")
    interrupted(folder, 5)
    (folder / ".half.guessbook-part").write_bytes(b"half")
    (folder / ".folder.guessbook-part").mkdir()
    (folder / ".link.guessbook-part").symlink_to("notes.txt")
    others = {"notes.txt", "oak.tree", "thesis.part", f"{'0' * 64}.tree.bak"}
    for name in others:
        (folder / name).write_text("mine")
    assert resume(folder) == book_bytes(ENTROPY)
    left = {path.name for path in folder.iterdir()} - {"identity.json", *parts(folder)}
    assert left == {*others - {"oak.tree"}, ".link.guessbook-part", ".folder.guessbook-part"}
    assert {(folder / name).read_text() for name in others} == {"mine"}


# --- forged results -------------------------------------------------------------------------


def forge(folder: Path, values: int, forgery: Callable[[Any], Any]) -> set[str]:
    """Replace all parts that have `values` values, with valid checksums; return their names."""
    salt = json.dumps(json.loads((folder / "identity.json").read_text()), sort_keys=True).encode()
    forged = set()
    for path in folder.glob("*.tree"):
        part = msgpack.unpackb(path.read_bytes()[CHECKSUM_BYTES:])
        if len(part) == values:
            other = forgery(part)
            content = other if isinstance(other, bytes) else msgpack.packb(other)
            checksum = hashlib.sha256(salt + path.stem.encode() + content).digest()
            path.write_bytes(checksum + content)
            forged.add(path.name)
    return forged


def flipped(data: bytes, place: int, bits: int = 1) -> bytes:
    """Return the data with some bits of one byte flipped."""
    return bytes([*data[:place], data[place] ^ bits, *data[place + 1 :]])


# Forged subtrees. A stored subtree has the sizes of its levels, the scored pairs, and the nodes.
SUBTREES: dict[str, Callable[[list[Any], list[Any], bytes], Any]] = {
    "not msgpack": lambda *_: b"\xc1",
    "deeply nested": lambda *_: b"\x91" * 5_000,
    "empty": lambda *_: [],
    "negative size": lambda sizes, pairs, nodes: [[*sizes, -9, 9], pairs, nodes],
    "sizes with the right sum": lambda sizes, pairs, nodes: [
        [sizes[0] + (1 << 24), -(1 << 24), *sizes[1:]],
        pairs,
        nodes,
    ],
    "huge size": lambda sizes, pairs, nodes: [[sizes[0], 1 << 60], pairs, nodes],
    "sizes reversed": lambda sizes, pairs, nodes: [sizes[::-1], pairs, nodes],
    "no levels": lambda _, pairs, __: [[], pairs, b""],
    "float size": lambda sizes, pairs, nodes: [[float(size) for size in sizes], pairs, nodes],
    "no pairs": lambda sizes, _, nodes: [sizes, [], nodes],
    "negative pairs": lambda sizes, _, nodes: [sizes, [-(1 << 40)] * 9, nodes],
    "nodes cut": lambda sizes, pairs, nodes: [sizes, pairs, nodes[:-1]],
    "nodes as text": lambda sizes, pairs, _: [sizes, pairs, "nodes"],
    "nodes of zeros": lambda sizes, pairs, nodes: [sizes, pairs, bytes(len(nodes))],
    "nodes of ones": lambda sizes, pairs, nodes: [sizes, pairs, b"\xff" * len(nodes)],
    "other feedback": lambda sizes, pairs, nodes: [sizes, pairs, flipped(nodes, 4)],
    "more children": lambda sizes, pairs, nodes: [sizes, pairs, flipped(nodes, 5)],
    "guess that does not solve": lambda sizes, pairs, nodes: [sizes, pairs, flipped(nodes, 3, 128)],
    "unknown guess": lambda sizes, pairs, nodes: [sizes, pairs, flipped(nodes, 2, 64)],
    "one value more": lambda sizes, pairs, nodes: [sizes, pairs, nodes, 0],
}
# Forged guesses. A stored guess has its index and the number of scored pairs.
CHOICES: list[Any] = [
    [],
    [1296, 0],
    [-1, 0],
    [1 << 63, 0],
    ["RRYY", 0],
    [7, -5],
    [True, 0],
    [7] * 4,
]
# Forged costs. A stored cost has the cost or a bound, and a guess or a flag.
COSTS: list[Any] = [
    *([], [1], [0, 0], [-5, 0], [1 << 50, 0], ["a", 0], [9, 1 << 40], [9, -2], [9.0, 0], [9, 0.0])
]


@pytest.mark.parametrize("forgery", every_nth(2, SUBTREES))
def test_forged_subtrees_are_computed_again(tmp_path: Path, forgery: str) -> None:
    folder = interrupted(tmp_path / "parts", 20)
    forged = forge(folder, 3, lambda part: SUBTREES[forgery](*part))
    before = contents(folder)
    assert resume(folder) == book_bytes(ENTROPY)
    assert forged
    assert all(contents(folder)[name] != before[name] for name in forged)


@pytest.mark.parametrize(
    ("case", "forgery"),
    [
        *((SMALL, choice) for choice in CHOICES),
        *(((gb.Mastermind(3, 4), "optimal"), cost) for cost in COSTS),
    ],
    ids=str,
)
def test_forged_guesses_and_costs_are_computed_again(
    tmp_path: Path, case: tuple[gb.Game, str], forgery: Any
) -> None:
    folder = tmp_path / "parts"
    resume(folder, case)
    forged = forge(folder, 2, lambda _: forgery)
    before = contents(folder)
    assert resume(folder, case) == book_bytes(case)
    assert forged
    assert all(contents(folder)[name] != before[name] for name in forged)


def test_forged_guess_without_information_is_computed_again(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    resume(folder)
    # The first guess tells nothing if it is repeated.
    first = GAME.guesses.index(gb.open(book_bytes(ENTROPY)).root.guess)
    forge(folder, 2, lambda part: [first, part[1]])
    before = contents(folder)
    resumed = resume(folder)
    assert resumed == book_bytes(ENTROPY)
    assert gb.open(resumed).verify(policy=True).passed
    changed = [name for name in before if contents(folder)[name] != before[name]]
    assert len(changed) > 2


def test_forged_first_guess_does_not_replace_the_requested_one(tmp_path: Path) -> None:
    for _ in range(2):
        found = resume(tmp_path / "parts", first_guess="RRYY")
        assert found == book_bytes(ENTROPY, "RRYY")
        forge(tmp_path / "parts", 2, lambda part: [0, 0] if part[1] == 0 else part)


@pytest.mark.parametrize("folder", [".", "", b"x", "\0x", "\ud800"], ids=ascii)
def test_invalid_checkpoint_path_is_rejected(folder: Any) -> None:
    with pytest.raises(gb.UsageError):
        gb.build("mastermind-2x3", checkpoint=folder)

"""Checkpoints that are damaged or foreign are refused."""

from __future__ import annotations

import json
import os
import random
import sys
from importlib import metadata
from typing import TYPE_CHECKING

import pytest

from guessbook.book import Mastermind
from guessbook.book.errors import BuildError
from guessbook.builder.growth.build import build, open_checkpoint
from guessbook.builder.growth.progress import Progress
from guessbook.builder.scorers.batch import root_batch

if TYPE_CHECKING:
    from pathlib import Path

from tests.helpers.tasks import GAME, KilledError, killed_after, opened, undisturbed

pytestmark = pytest.mark.usefixtures("many_tasks")


@pytest.mark.parametrize(
    ("policy", "first_guess", "game"),
    [("minimax", None, GAME), ("entropy", "RRYY", GAME), ("entropy", None, Mastermind(4, 6))],
)
def test_a_foreign_checkpoint_is_refused(
    tmp_path: Path, policy: str, first_guess: str | None, game: Mastermind
) -> None:
    """A checkpoint of another game, policy or first guess is an error that says what to do."""
    folder = tmp_path / "a.parts"
    killed_after(folder, 3)
    with pytest.raises(BuildError, match=r"another build.*delete the folder"):
        open_checkpoint(folder, game, policy, first_guess)
    with pytest.raises(BuildError, match="found a checkpoint of"):
        build(game, policy, first_guess, checkpoint=opened(folder))


def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts of another version of guessbook are not used."""
    folder = tmp_path / "a.parts"
    killed_after(folder, 3)
    monkeypatch.setattr(metadata, "version", lambda _: "99.0")
    with pytest.raises(BuildError, match=r"expected mastermind-4x7 entropy 99\.0"):
        opened(folder)


@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "rename", "foreign"])
def test_a_damaged_part_is_refused(tmp_path: Path, damage: str) -> None:
    """A part that is not what was written is an error that names it; without it all is well."""
    folder = tmp_path / "a.parts"
    killed_after(folder, 20)
    path = sorted(folder.glob("*.tree"))[7]
    data = bytearray(path.read_bytes())
    if damage == "flip":
        data[random.Random(1).randrange(len(data))] ^= 4
    elif damage == "foreign":
        other = open_checkpoint(tmp_path / "b.parts", GAME, "parts", None, 0.0)
        with pytest.raises(KilledError):
            build(GAME, "parts", progress=fail, checkpoint=other)
        (foreign,) = (tmp_path / "b.parts").glob("*.tree")
        data = bytearray(foreign.read_bytes())
    data = {"cut": data[:-1], "empty": bytearray()}.get(damage, data)
    if damage == "rename":
        path = path.rename(folder / f"{'0' * 64}.tree")
    path.write_bytes(data)
    with pytest.raises(BuildError, match=rf"damaged.*{path.name}.*delete this file"):
        opened(folder)
    path.unlink()
    assert build(GAME, checkpoint=opened(folder)).book.to_bytes() == undisturbed()


def fail(_: Progress) -> None:
    """Stands for the end of a process."""
    raise KilledError


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"\xff", b"[" * 60_000, b'{"a":' * 9_000, b'{"game": {}}', b"7" * 99_999],
)
def test_a_damaged_identity_is_refused(tmp_path: Path, content: bytes) -> None:
    """If nobody can tell whose checkpoint it is, the message says to delete it."""
    folder = tmp_path / "a.parts"
    killed_after(folder, 3)
    (folder / "identity.json").write_bytes(content)
    with pytest.raises(BuildError, match=r"damaged.*delete the folder"):
        opened(folder)


def test_what_is_no_checkpoint_is_left_alone(tmp_path: Path) -> None:
    """A folder, or file, that happens to have the name is refused, and stays as it is."""
    folder = tmp_path / "a.parts"
    folder.mkdir()
    (folder / "thesis.txt").write_text("mine")
    with pytest.raises(BuildError, match="none"):
        opened(folder)
    assert (folder / "thesis.txt").read_text() == "mine"
    file = tmp_path / "b.parts"
    file.write_text("mine")
    with pytest.raises(BuildError, match="cannot use"):
        opened(file)


def test_another_builds_names_are_shown_in_part(tmp_path: Path) -> None:
    """An identity that nobody of us wrote makes no message as long as itself."""
    folder = tmp_path / "a.parts"
    folder.mkdir()
    names = {"game": "g" * 9_000, "policy": "\x1b[2J" * 900}
    (folder / "identity.json").write_text(json.dumps(names))
    with pytest.raises(BuildError, match="another build: found ggg") as error:
        opened(folder)
    assert len(str(error.value)) < 1_000


@pytest.mark.posix
@pytest.mark.parametrize("name", ["identity.json", f"{'0' * 64}.tree"])
@pytest.mark.parametrize("kind", ["pipe", "link", "folder"])
def test_what_is_no_file_is_not_read(tmp_path: Path, name: str, kind: str) -> None:
    """A pipe in the place of a part is not waited for, a link not followed: one line says which."""
    if sys.platform == "win32":
        raise NotImplementedError
    folder = tmp_path / "a.parts"
    killed_after(folder, 3)
    path = folder / name
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    with pytest.raises(BuildError, match=rf"cannot use .*{name}") as error:
        opened(folder)
    assert str(error.value).count("\n") == 0


def foreign_folder(path: Path) -> Path:
    """Make another's folder, whose files have names as ours; one of them is a whole checkpoint."""
    killed_after(path, 3)
    for name in (".thesis.guessbook-part", f"{'0' * 64}.tree.bak"):
        (path / name).write_text("mine")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    """What is in the files of a folder, by their names."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.posix
@pytest.mark.parametrize("kind", ["full", "empty", "dangling", "circle"])
def test_a_link_in_the_place_of_a_checkpoint_is_not_followed(tmp_path: Path, kind: str) -> None:
    """A link is refused in one line when the build begins, and what it leads to stays as it is."""
    theirs, link = tmp_path / "theirs", tmp_path / "a.parts"
    if kind == "full":
        foreign_folder(theirs)
    elif kind == "empty":
        theirs.mkdir()
    link.symlink_to(link if kind == "circle" else theirs)
    before = contents(theirs) if theirs.exists() else None
    with pytest.raises(BuildError, match=r"cannot use .*a\.parts: it is a link.*move it") as error:
        opened(link)
    assert str(error.value).count("\n") == 0
    assert link.is_symlink()
    assert (contents(theirs) if theirs.exists() else None) == before


@pytest.mark.posix
def test_a_link_that_appears_during_the_build_is_not_followed(tmp_path: Path) -> None:
    """A checkpoint that a link replaces writes and deletes nothing where the link leads to."""
    theirs, folder = foreign_folder(tmp_path / "theirs"), tmp_path / "a.parts"
    before = contents(theirs)
    late, written = opened(folder), opened(tmp_path / "b.parts")
    written.save("growth", root_batch(1), [1, 2])
    (tmp_path / "b.parts").rename(tmp_path / "moved")
    for checkpoint in (late, written):
        checkpoint.folder.symlink_to(theirs)
        with pytest.raises(BuildError, match="it is a link"):
            checkpoint.save("growth", root_batch(2), [1, 2])
        checkpoint.remove()
        assert contents(theirs) == before


@pytest.mark.posix
def test_a_link_among_unfinished_parts_stays(tmp_path: Path) -> None:
    """What a killed build left is deleted; a link or folder of such a name is somebody's."""
    folder = tmp_path / "a.parts"
    killed_after(folder, 3)
    (tmp_path / "theirs").write_text("mine")
    (folder / ".link.guessbook-part").symlink_to(tmp_path / "theirs")
    (folder / ".folder.guessbook-part").mkdir()
    (folder / ".half.guessbook-part").write_text("half")
    opened(folder).remove()
    assert {path.name for path in folder.iterdir()} == {
        ".link.guessbook-part",
        ".folder.guessbook-part",
    }
    assert (tmp_path / "theirs").read_text() == "mine"

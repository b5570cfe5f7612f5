"""Checkpoints that are damaged or foreign are refused."""

from __future__ import annotations

import random
from importlib import metadata
from typing import TYPE_CHECKING

import pytest

from guessbook.book import Mastermind
from guessbook.book.errors import BuildError
from guessbook.builder.growth.build import build, open_checkpoint
from guessbook.builder.growth.progress import Progress

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


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff"])
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

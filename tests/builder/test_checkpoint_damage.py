"""Checkpoints that are damaged or foreign are refused."""

from __future__ import annotations

import json
import os
import random
import sys
from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING, Any

import msgpack
import pytest

from guessbook.book import Mastermind
from guessbook.book.errors import BuildError
from guessbook.builder.build import build, open_checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from guessbook.builder.checkpoint import Checkpoint

from tests.helpers.samples import every_nth
from tests.helpers.tasks import GAME, KilledError, dying, killed_after, opened, undisturbed

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
        with pytest.raises(KilledError), dying(other, 1):
            build(GAME, "parts", checkpoint=other)
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
    with pytest.raises(BuildError, match="found other files in it"):
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
    written.save(("growth", 1), [1, 2])
    (tmp_path / "b.parts").rename(tmp_path / "moved")
    for checkpoint in (late, written):
        checkpoint.folder.symlink_to(theirs)
        with pytest.raises(BuildError, match="it is a link"):
            checkpoint.save(("growth", 2), [1, 2])
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


# What somebody may write instead of [sizes, pairs, nodes], with a right checksum.
GROWN: dict[str, Callable[[Any], Any]] = {
    "no msgpack": lambda _: None,
    "nothing": lambda _: [],
    "a number": lambda _: 7,
    "nested": lambda _: b"\x91" * 5_000,
    "texts": lambda part: ["a", "b", "c"],
    "a level is negative": lambda part: [[*part[0], -9, 9], *part[1:]],
    "a level is negative, another too large": lambda part: [
        [part[0][0] + (1 << 24), -(1 << 24), *part[0][1:]],
        *part[1:],
    ],
    "a level is far too large": lambda part: [[part[0][0], 1 << 60], *part[1:]],
    "levels in another order": lambda part: [part[0][::-1], *part[1:]],
    "a level is empty": lambda part: [[*part[0], 0], *part[1:]],
    "no levels": lambda part: [[], part[1], b""],
    "a level is a float": lambda part: [[float(size) for size in part[0]], *part[1:]],
    "no pairs": lambda part: [part[0], [], *part[2:]],
    "pairs are negative": lambda part: [part[0], [-(1 << 40)] * 9, *part[2:]],
    "nodes are cut": lambda part: [*part[:2], part[2][:-1]],
    "one node more": lambda part: [[*part[0], 1], part[1], part[2] + bytes(6)],
    "nodes are a text": lambda part: [*part[:2], "nodes"],
    "nodes are zero": lambda part: [*part[:2], bytes(len(part[2]))],
    "nodes are all ones": lambda part: [*part[:2], b"\xff" * len(part[2])],
    "another feedback": lambda part: [*part[:2], flipped(part[2], 4)],
    "more children": lambda part: [*part[:2], flipped(part[2], 5)],
    "a guess that does not solve": lambda part: [*part[:2], flipped(part[2], 3, 128)],
    "a guess that the game has not": lambda part: [*part[:2], flipped(part[2], 2, 64)],
    "something more": lambda part: [*part, 0],
}
# And instead of [guess, pairs].
CHOSEN: dict[str, Callable[[Any], Any]] = {
    "nothing": lambda _: [],
    "no such guess": lambda part: [len(GAME.guesses), *part[1:]],
    "a guess below 0": lambda part: [-1, *part[1:]],
    "a guess beyond numbers": lambda part: [1 << 63, *part[1:]],
    "a guess by name": lambda part: ["RRYY", *part[1:]],
    "pairs are negative": lambda part: [part[0], -5],
    "a flag": lambda part: [True, *part[1:]],
    "something more": lambda part: [*part, 0, 0],
}


def flipped(data: bytes, place: int, bits: int = 1) -> bytes:
    """The same but for some bits of one byte."""
    changed = bytearray(data)
    changed[place] ^= bits
    return bytes(changed)


def forge(checkpoint: Checkpoint, values: int, forgery: Callable[[Any], Any]) -> int:
    """Replace the parts of so many values, with right checksums; how many they are."""
    forged = 0
    for path in checkpoint.folder.glob("*.tree"):
        part = msgpack.unpackb(path.read_bytes()[32:])
        if len(part) == values:
            other = forgery(part)
            raw = {"bytes": other, "NoneType": b"\xc1"}.get(type(other).__name__)
            content = msgpack.packb(other) if raw is None else raw
            path.write_bytes(checkpoint._checksum(path.stem, content) + content)
            forged += 1
    return forged


@cache
def pairs() -> tuple[int, ...]:
    """What a build that nobody disturbed scores."""
    return build(GAME).pairs


@pytest.mark.parametrize(
    "part", every_nth(4, [(3, name) for name in GROWN] + [(2, name) for name in CHOSEN]), ids=str
)
def test_a_forged_part_is_done_again(tmp_path: Path, part: tuple[int, str]) -> None:
    """Parts that cannot be the results of their tasks are dropped: the book is the same."""
    folder = tmp_path / "a.parts"
    kept = killed_after(folder, 30)
    values, forgery = part
    forged = forge(opened(folder), values, {2: CHOSEN, 3: GROWN}[values][forgery])
    assert 0 < forged < kept
    checkpoint = opened(folder)
    resumed = build(GAME, checkpoint=checkpoint)
    assert resumed.book.to_bytes() == undisturbed()
    assert checkpoint.found == kept - forged
    assert resumed.pairs == pairs()


@pytest.mark.parametrize(
    "forged",
    [[], [1], [0, 0], [-5, 0], [1 << 50, 0], ["a", 0], [9, 1 << 40], [9, -2], [9.0, 0], [9, 0.0]],
)
def test_a_forged_cost_is_found_again(tmp_path: Path, forged: list[Any]) -> None:
    """The same for what the search for the optimum keeps: the cost of a cell and its guess."""
    game, folder = Mastermind(3, 4), tmp_path / "a.parts"

    def optimal() -> tuple[bytes, Checkpoint]:
        checkpoint = open_checkpoint(folder, game, "optimal", None, 0.0)
        return build(game, "optimal", checkpoint=checkpoint).book.to_bytes(), checkpoint

    book, first = optimal()
    count = forge(first, 2, lambda _: forged)
    again, second = optimal()
    assert again == book
    assert 0 < count == len(list(folder.glob("*.tree"))) - second.found


def test_the_first_guess_is_the_one_that_was_asked_for(tmp_path: Path) -> None:
    """A part that says another guess of the root than the build was given is not believed."""
    folder = tmp_path / "a.parts"
    expected = build(GAME, "entropy", "RRYY").book.to_bytes()
    for _ in range(2):
        checkpoint = open_checkpoint(folder, GAME, "entropy", "RRYY", 0.0)
        assert build(GAME, "entropy", "RRYY", checkpoint=checkpoint).book.to_bytes() == expected
        forge(checkpoint, 2, lambda part: [0, *part[1:]] if part[1:] == [0] else part)

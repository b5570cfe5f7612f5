"""Finished work on disk, so that a long build survives Ctrl-C, SIGKILL and power cuts.

A checkpoint is a folder. `identity.json` says which build it belongs to; every other file, a part,
is one result, named by the SHA-256 of a key that says what was done to which nodes. As what comes
of a node does not depend on who does it, any run can go on from it. Each file appears whole or not
at all, and a part begins with a checksum of its content, its name and the identity: one that is
damaged, renamed or from another build is refused. What else is in the folder is somebody's, and
stays as it is.
"""

from __future__ import annotations

import hashlib
import json
import re
import stat
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import msgpack

from guessbook.book.errors import BuildError
from guessbook.book.file.container import TIES, VERSION
from guessbook.book.file.disk import UNFINISHED, write_atomically
from guessbook.book.file.system import keep_names, open_own
from guessbook.book.games.game import Game
from guessbook.book.installation import version
from guessbook.builder.scorers.subtrees import Subtrees, row

# Seconds that a build may run before its checkpoint appears on disk: until then it is quicker to
# start again than to tidy up.
DELAY = 10.0

IDENTITY = "identity.json"
# It takes a few hundred bytes, of which a message shows some.
MAX_IDENTITY = 1 << 16
SHOWN = 200
PART = re.compile(r"([0-9a-f]{64})\.tree")
CHECKSUM_BYTES = 32


def identity_of(game: Game, policy: dict[str, Any]) -> dict[str, str]:
    """What a build must have in common with a checkpoint to go on from it: see `Checkpoint`."""
    # Nodes are kept as this machine has them, in rows of so many bytes; and what is kept of them.
    layout = [sys.byteorder, row(game.feedbacks).itemsize, *Subtrees._fields]
    content = [VERSION[0], TIES, *layout, game.header(), policy]
    return {
        "game": game.name,
        "policy": ", ".join(str(value) for value in policy.values()),
        "guessbook": version(),
        "sha256": hashlib.sha256(msgpack.packb(content)).hexdigest(),
    }


# What was done, and to which nodes: strings, numbers, and tuples of them.
Key = tuple[Any, ...]


class Checkpoint:
    """Where a build keeps what it has finished: in memory at first, later in a folder.

    Args:
        folder: the folder; an earlier run of the same build may have left it.
        policy: as the header of the book will have it, with its options.
        delay: seconds from now until results go to the folder.

    Attributes:
        found: how many results of an earlier run there are, without those that were dropped.

    Raises:
        BuildError: the folder belongs to another build or is damaged; the message says what to
            delete.
    """

    def __init__(
        self, folder: Path, game: Game, policy: dict[str, Any], delay: float = DELAY
    ) -> None:
        self.folder = folder
        self._of = game, policy
        self._due = time.monotonic() + delay
        self._pending: list[tuple[Key, Sequence[Any]]] = []
        self._known = self._read() if self._is_there() else {}
        self._parts = set(self._known)
        self.found = len(self._known)

    def is_of(self, game: Game, policy: dict[str, Any]) -> bool:
        """Whether it belongs to this build."""
        return self._of == (game, policy)

    @cached_property
    def identity(self) -> dict[str, str]:
        """Which build it is. A build that is over soon never asks."""
        return identity_of(*self._of)

    @property
    def on_disk(self) -> bool:
        """Whether there is anything in the folder to go on from."""
        return (self.folder / IDENTITY).exists()

    @property
    def kept(self) -> int:
        """How many results are in the folder."""
        return len(self._parts) if self.on_disk else 0

    def load(self, key: Key, is_result: Callable[[object], bool]) -> list[Any] | None:
        """A result, if an earlier run has found it.

        A checksum finds accidents. A part that somebody else has written is dropped, and its work
        is done again, if `is_result` says that it cannot be the result.
        """
        content = self._known.pop(name_of(key), None)
        if content is None:
            return None
        found: object = None
        # msgpack raises half a dozen unrelated types for malformed input.
        with suppress(Exception):
            found = msgpack.unpackb(content)
        if isinstance(found, list) and is_result(found):
            return found
        self.found -= 1
        return None

    def save(self, key: Key, result: Sequence[Any]) -> None:
        """Keep a result: numbers, bytes, and lists of them.

        Raises:
            GuessbookError: it cannot be written: disk full, folder deleted, ...
        """
        self._pending.append((key, result))
        self.flush()

    def flush(self) -> None:
        """Write what has been kept in memory, if the delay has passed; raises as `save` does."""
        if not self._pending or time.monotonic() < self._due:
            return
        if not (self._is_there() and self.on_disk):
            self._create()
        for key, result in self._pending:
            content, name = msgpack.packb(result), name_of(key)
            write_atomically(self._path(name), self._checksum(name, content) + content)
            self._parts.add(name)
        self._pending.clear()

    def remove(self) -> None:
        """Delete the folder: the book is written. What a checkpoint has not made stays."""
        self._pending.clear()
        # OSError: somebody's files are in it, or nothing there may be deleted. BuildError: by now
        # it is another's. The book is written, so that both are no failure.
        with suppress(OSError, BuildError):
            if not self._is_there():
                return
            for name in self._parts:
                self._path(name).unlink(missing_ok=True)
            self._tidy_up()
            # Last: without it the rest would be nobody's.
            (self.folder / IDENTITY).unlink(missing_ok=True)
            self.folder.rmdir()

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.tree"

    def _tidy_up(self) -> None:
        """Delete what a killed build had not finished writing."""
        for path in self.folder.glob(f".*{UNFINISHED}"):
            # A link or a folder of that name is not ours.
            if stat.S_ISREG(path.lstat().st_mode):
                path.unlink()

    def _is_there(self) -> bool:
        """Whether the folder is there.

        Raises:
            BuildError: something else is. A link is not followed: what it leads to is somebody's.
        """
        try:
            mode = self.folder.lstat().st_mode
        except FileNotFoundError:
            return False
        except OSError as error:
            reason = error.strerror
        else:
            if stat.S_ISDIR(mode):
                return True
            found = "a link" if stat.S_ISLNK(mode) else "no folder"
            reason = f"it is {found}, expected a folder"
        raise BuildError(
            f"cannot use the checkpoint {self.folder}: {reason}; "
            "move it, or choose another file with -o"
        )

    def _create(self) -> None:
        try:
            if not self._is_there():
                # Or a power cut could take the folder with all that is in it.
                with keep_names(str(self.folder.parent)):
                    self.folder.mkdir()
        except OSError as error:
            raise BuildError(f"cannot make the folder {self.folder}: {error.strerror}") from error
        write_atomically(self.folder / IDENTITY, json.dumps(self.identity, indent=1).encode())

    def _read(self) -> dict[str, bytes]:
        """Every part by its name, after checking that they are whole and of this build."""
        try:
            self._check_identity()
            self._tidy_up()
            return {
                path.stem: self._part(path)
                for path in sorted(self.folder.iterdir())
                if PART.fullmatch(path.name)
            }
        except OSError as error:
            raise BuildError(
                f"cannot use the checkpoint {error.filename or self.folder}: {error.strerror}; "
                "delete it, or choose another file with -o"
            ) from error

    def _check_identity(self) -> None:
        if not self.on_disk:
            # A build may have been killed before it wrote a word.
            if not all(path.name.endswith(UNFINISHED) for path in self.folder.iterdir()):
                raise BuildError(
                    f"{self.folder} is in the way of a checkpoint and is none; "
                    "move it, or choose another file with -o"
                )
            return
        try:
            found = json.loads(_content(self.folder / IDENTITY, MAX_IDENTITY))
        # RecursionError: nested, as ours is not.
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or not all(type(text) is str for text in found.values()):
            raise BuildError(
                f"the checkpoint {self.folder} is damaged: {IDENTITY} cannot be read; "
                f"delete the folder {self.folder}"
            )
        if found != self.identity:
            names = [
                " ".join(build.get(word, "?")[:SHOWN] for word in ("game", "policy", "guessbook"))
                for build in (found, self.identity)
            ]
            raise BuildError(
                f"the checkpoint {self.folder} is of another build: found {names[0]}, expected "
                f"{names[1]}; finish that build, delete the folder, or choose another file with -o"
            )

    def _part(self, path: Path) -> bytes:
        data = _content(path)
        content = data[CHECKSUM_BYTES:]
        if data[:CHECKSUM_BYTES] != self._checksum(path.stem, content):
            raise BuildError(
                f"a part of the checkpoint is damaged: found a wrong checksum in {path}; "
                "delete this file and start again, the other parts are good for it"
            )
        return content

    def _checksum(self, name: str, content: bytes) -> bytes:
        salt = json.dumps(self.identity, sort_keys=True).encode()
        return hashlib.sha256(salt + name.encode() + content).digest()


def _content(path: Path, limit: int = -1) -> bytes:
    """What is in a file of the checkpoint, or so many bytes of it.

    Raises:
        OSError: it cannot be read; also a pipe or a link in its place.
    """
    with open(path, "rb", opener=open_own) as file:
        return file.read(limit)


def name_of(key: Key) -> str:
    """The name of a part: the SHA-256 of its key, in hex."""
    return hashlib.sha256(repr(key).encode()).hexdigest()

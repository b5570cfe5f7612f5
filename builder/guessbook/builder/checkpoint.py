"""Finished work on disk, so that a long build survives Ctrl-C, SIGKILL and power cuts.

A checkpoint is a folder. `identity.json` names its build. Each other file, a part, is one result;
its name is the SHA-256 of a key: the kind of work and its nodes. Each file is written atomically. A
part begins with a checksum of its content, its name and the identity: a part that is damaged,
renamed or from another build is refused. Other files in the folder are left alone.
"""

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

# The seconds before a checkpoint appears on disk: a shorter build is simply started again.
DELAY = 10.0
IDENTITY = "identity.json"
# The most bytes that are read of an identity, and the most that a message shows of a field.
MAX_IDENTITY = 1 << 16
SHOWN = 200
PART = re.compile(r"([0-9a-f]{64})\.tree")
CHECKSUM_BYTES = 32


# The kind of work and its nodes: strings, numbers, and tuples of them.
Key = tuple[Any, ...]


class Checkpoint:
    """The finished results of a build: in memory for `delay` seconds, then in a folder.

    An earlier run may have left the folder. Raises BuildError if it belongs to another build or is damaged.

    Attributes:
        build: the game, and the policy as the header of the book will store it.
        found: the number of results of an earlier run, without dropped ones.
    """

    def __init__(self, folder: Path, game: Game, policy: dict[str, Any], delay: float | None = None) -> None:
        self.folder, self.build = folder, (game, policy)
        self._due = time.monotonic() + (DELAY if delay is None else delay)
        self._pending: list[tuple[Key, Sequence[Any]]] = []
        self._known = self._read() if self._is_there() else {}
        self._parts = set(self._known)
        self.found = len(self._known)

    @cached_property
    def identity(self) -> dict[str, str]:
        """The identity of the build; only a checkpoint of an equal identity can be resumed."""
        game, policy = self.build
        # Rows of nodes are stored in the byte order of this machine.
        layout = [sys.byteorder, row(game.feedbacks).itemsize, *Subtrees._fields]
        content = [VERSION[0], TIES, *layout, game.header(), policy]
        return {
            "game": game.name,
            "policy": ", ".join(str(value) for value in policy.values()),
            "guessbook": version(),
            "sha256": hashlib.sha256(msgpack.packb(content)).hexdigest(),
        }

    @property
    def on_disk(self) -> bool:
        """Whether the folder can be resumed from."""
        return (self.folder / IDENTITY).exists()

    @property
    def kept(self) -> int:
        """The number of results in the folder."""
        return len(self._parts) if self.on_disk else 0

    def load(self, key: Key, is_result: Callable[[object], bool]) -> list[Any] | None:
        """Return the result that an earlier run stored under a key, or None.

        A checksum detects accidents. A forged part is dropped, and its work done again, if
        `is_result` says that it cannot be the result.
        """
        content = self._known.pop(name_of(key), None)
        if content is not None:
            found: object = None
            # msgpack raises half a dozen unrelated types for malformed input.
            with suppress(Exception):
                found = msgpack.unpackb(content)
            if isinstance(found, list) and is_result(found):
                return found
            self.found -= 1
        return None

    def save(self, key: Key, result: Sequence[Any]) -> None:
        """Store a result: numbers, bytes, and lists of them. Raises GuessbookError, as `flush`."""
        self._pending.append((key, result))
        self.flush()

    def flush(self) -> None:
        """Write pending results, if the delay has passed. Raises GuessbookError if that fails."""
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
        """Delete the folder, apart from files that a checkpoint does not make."""
        self._pending.clear()
        # OSError: the folder has other files, or deleting is not allowed. BuildError: something
        # else has its name by now. As the book is written, neither is a failure.
        with suppress(OSError, BuildError):
            if not self._is_there():
                return
            for name in self._parts:
                self._path(name).unlink(missing_ok=True)
            self._tidy_up()
            # Last, as without it no build would own the other files.
            (self.folder / IDENTITY).unlink(missing_ok=True)
            self.folder.rmdir()

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.tree"

    def _tidy_up(self) -> None:
        """Delete the unfinished files of a killed build."""
        for path in self.folder.glob(f".*{UNFINISHED}"):
            # A link or a folder of that name is not ours.
            if stat.S_ISREG(path.lstat().st_mode):
                path.unlink()

    def _refused(self, reason: str | None, remedy: str) -> BuildError:
        advice = f"{remedy}, or choose another file with -o"
        return BuildError(f"cannot use the checkpoint {self.folder}: {reason}; {advice}")

    def _is_there(self) -> bool:
        """Return whether the folder exists. Raises BuildError for a link or a file of its name."""
        try:
            mode = self.folder.lstat().st_mode
        except FileNotFoundError:
            return False
        except OSError as error:
            raise self._refused(error.strerror, "move it") from error
        if stat.S_ISDIR(mode):
            return True
        found = "a link" if stat.S_ISLNK(mode) else "no folder"
        raise self._refused(f"it is {found}, expected a folder", "move it")

    def _create(self) -> None:
        try:
            if not self._is_there():
                # Otherwise a power cut could lose the folder with all its files.
                with keep_names(str(self.folder.parent)):
                    self.folder.mkdir()
        except OSError as error:
            raise BuildError(f"cannot make the folder {self.folder}: {error.strerror}") from error
        write_atomically(self.folder / IDENTITY, json.dumps(self.identity, indent=1).encode())

    def _read(self) -> dict[str, bytes]:
        """Return the content of every part by its name, after checking that it is of this build."""
        try:
            self._check_identity()
            self._tidy_up()
            return {path.stem: self._part(path) for path in sorted(self.folder.iterdir()) if PART.fullmatch(path.name)}
        except OSError as error:
            reason = f"{error.filename or 'a part'}: {error.strerror}"
            raise self._refused(reason, "delete it") from error

    def _check_identity(self) -> None:
        if not self.on_disk:
            # A build may have been killed before it wrote the identity.
            if not all(path.name.endswith(UNFINISHED) for path in self.folder.iterdir()):
                raise self._refused("found files of something else", "move the folder")
            return
        try:
            found = json.loads(_content(self.folder / IDENTITY, MAX_IDENTITY))
        # RecursionError: deeply nested JSON, which is not ours.
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or not all(type(text) is str for text in found.values()):
            raise self._refused(f"{IDENTITY} is damaged", "delete the folder")
        if found != self.identity:
            theirs, ours = (
                " ".join(build.get(word, "?")[:SHOWN] for word in ("game", "policy", "guessbook"))
                for build in (found, self.identity)
            )
            reason = f"it is of another build: found {theirs}, expected {ours}"
            raise self._refused(reason, "finish that build, delete the folder")

    def _part(self, path: Path) -> bytes:
        data = _content(path)
        content = data[CHECKSUM_BYTES:]
        if data[:CHECKSUM_BYTES] != self._checksum(path.stem, content):
            raise BuildError(
                f"a part of the checkpoint is damaged: found a wrong checksum in {path}; "
                "delete this file and start again; the other parts remain usable"
            )
        return content

    def _checksum(self, name: str, content: bytes) -> bytes:
        salt = json.dumps(self.identity, sort_keys=True).encode()
        return hashlib.sha256(salt + name.encode() + content).digest()


def _content(path: Path, limit: int = -1) -> bytes:
    """Return at most `limit` bytes of a file. Raises OSError for a pipe or a link, too."""
    with open(path, "rb", opener=open_own) as file:
        return file.read(limit)


def name_of(key: Key) -> str:
    """Return the name of a part: the SHA-256 of its key, in hex."""
    return hashlib.sha256(repr(key).encode()).hexdigest()

"""Checkpoints: finished results on disk, from which a build resumes after an interruption.

A checkpoint is a folder. The file `identity.json` identifies the build. Each file `*.tree`, called
a part, has one result of the build.
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

from guessbook.book.disk import UNFINISHED, keep_names, open_own, write_atomically
from guessbook.book.errors import BuildError
from guessbook.book.file import TIES, VERSION
from guessbook.book.games.game import Game
from guessbook.book.installation import version

# A build begins to write its checkpoint to disk after this number of seconds; a shorter build needs
# none.
DELAY = 10.0
IDENTITY = "identity.json"
# At most MAX_IDENTITY bytes of `identity.json` are read, and errors show at most SHOWN characters
# of a field.
MAX_IDENTITY = 1 << 16
SHOWN = 200
PART = re.compile(r"([0-9a-f]{64})\.tree")
# A part begins with one checksum, computed from its content, its name and the identity together.
# The checksum detects damaged and renamed parts, and parts of other builds.
CHECKSUM_BYTES = 32


class Checkpoint:
    """The finished results of a build: in memory for the first `delay` seconds, then in a folder.

    Results are stored by keys: the kind of a task, its nodes, and in some cases more. Raises
    BuildError if the folder belongs to another build or is damaged.

    Attributes:
        found: the number of results of an earlier run, without the results that `load` rejected.
    """

    def __init__(
        self, folder: Path, game: Game, policy: dict[str, Any], delay: float | None = None
    ) -> None:
        self.folder, self._game, self._policy = folder, game, policy
        self._due = time.monotonic() + (DELAY if delay is None else delay)
        self._pending: list[tuple[str, Sequence[Any]]] = []
        self._known = self._read() if self._is_there() else {}
        self._parts = set(self._known)
        self.found = len(self._known)

    @cached_property
    def identity(self) -> dict[str, str]:
        """The identity of the build, which can resume only from a checkpoint of equal identity."""
        game, policy = self._game, self._policy
        # The parts depend on the byte order, so the identity includes it.
        content = [VERSION[0], TIES, sys.byteorder, game.header(), policy]
        return {
            "game": game.name,
            "policy": ", ".join(str(value) for value in policy.values()),
            "guessbook": version(),
            "sha256": hashlib.sha256(msgpack.packb(content)).hexdigest(),
        }

    @property
    def on_disk(self) -> bool:
        """Whether the folder has an `identity.json`, so that a build can resume from it."""
        return (self.folder / IDENTITY).exists()

    @property
    def kept(self) -> int:
        """The number of results in the folder; files may have been deleted during the build."""
        if not self.on_disk:
            return 0
        return sum(self._path(name).exists() for name in self._parts)

    def load(self, key: tuple[Any, ...], is_result: Callable[[object], bool]) -> list[Any] | None:
        """Return the result that an earlier run stored, or None.

        A result that `is_result` rejects counts as missing. Each result can be loaded only once.
        """
        content = self._known.pop(name_of(key), None)
        if content is not None:
            found: object = None
            # For malformed input, msgpack raises several exceptions without a common base class.
            with suppress(Exception):
                found = msgpack.unpackb(content)
            # The checksum detects accidental damage but not forgery, so the result itself is
            # checked, too.
            if isinstance(found, list) and is_result(found):
                return found
            self.found -= 1
        return None

    def save(self, key: tuple[Any, ...], result: Sequence[Any]) -> None:
        """Store a result, which consists of numbers, bytes and lists of these.

        Raises GuessbookError if writing fails.
        """
        self._pending.append((name_of(key), result))
        self.flush()

    def flush(self) -> None:
        """Write pending results to disk, except in a run's first `delay` seconds.

        Raises GuessbookError on failure.
        """
        if not self._pending or time.monotonic() < self._due:
            return
        if not (self._is_there() and self.on_disk):
            self._create()
        for name, result in self._pending:
            content = msgpack.packb(result)
            write_atomically(self._path(name), self._checksum(name, content) + content)
            self._parts.add(name)
        self._pending.clear()

    def remove(self) -> None:
        """Delete the checkpoint's files, then the folder if it is empty."""
        self._pending.clear()
        # The book is saved already, so it is harmless if the folder has other files, cannot be
        # deleted (OSError), or has been replaced by a file or a link (BuildError).
        with suppress(OSError, BuildError):
            if not self._is_there():
                return
            for name in self._parts:
                self._path(name).unlink(missing_ok=True)
            self._tidy_up()
            # The identity is deleted last: if deleting is interrupted, the folder is still a valid
            # checkpoint.
            (self.folder / IDENTITY).unlink(missing_ok=True)
            self.folder.rmdir()

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.tree"

    def _tidy_up(self) -> None:
        """Delete the temporary files of writes that a killed build did not finish."""
        for path in self.folder.glob(f".*{UNFINISHED}"):
            # A checkpoint creates regular files only, so a link or a folder belongs to the user.
            if stat.S_ISREG(path.lstat().st_mode):
                path.unlink()

    def _refusal(self, reason: str | None, remedy: str) -> BuildError:
        advice = f"{remedy}, or choose another place"
        return BuildError(f"cannot use the checkpoint {self.folder}: {reason}; {advice}")

    def _is_there(self) -> bool:
        """Return whether the folder exists. Raises BuildError if its path is a link or a file."""
        try:
            mode = self.folder.lstat().st_mode
        except FileNotFoundError:
            return False
        except OSError as error:
            raise self._refusal(error.strerror, "move it") from error
        if stat.S_ISDIR(mode):
            return True
        found = "a link" if stat.S_ISLNK(mode) else "a file"
        raise self._refusal(f"it is {found}, not a folder", "move it")

    def _create(self) -> None:
        try:
            if not self._is_there():
                # `keep_names` syncs the parent: otherwise a power cut could lose the new folder
                # with its files.
                with keep_names(str(self.folder.parent)):
                    self.folder.mkdir()
        except OSError as error:
            raise BuildError(
                f"cannot make {self.folder}: {error.strerror}; choose another place"
            ) from error
        write_atomically(self.folder / IDENTITY, json.dumps(self.identity, indent=1).encode())

    def _read(self) -> dict[str, bytes]:
        """Check that the folder belongs to this build; return the content of each part by name."""
        try:
            self._check_identity()
            self._tidy_up()
            return {
                path.stem: self._part(path)
                for path in sorted(self.folder.iterdir())
                if PART.fullmatch(path.name)
            }
        except OSError as error:
            reason = f"{error.filename or 'a part'}: {error.strerror}"
            raise self._refusal(reason, "delete the folder") from error

    def _check_identity(self) -> None:
        if not self.on_disk:
            # A build that was killed before it wrote the identity leaves only temporary files.
            if not all(path.name.endswith(UNFINISHED) for path in self.folder.iterdir()):
                raise self._refusal(
                    "it has other files than those of a checkpoint", "move the folder"
                )
            return
        try:
            found = json.loads(_content(self.folder / IDENTITY, MAX_IDENTITY))
        # RecursionError: the JSON is nested too deeply; a checkpoint never writes such JSON.
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or not all(type(text) is str for text in found.values()):
            raise self._refusal(f"{IDENTITY} is damaged", "delete the folder")
        if found != self.identity:
            theirs, ours = (
                " ".join(build.get(word, "?")[:SHOWN] for word in ("game", "policy", "guessbook"))
                for build in (found, self.identity)
            )
            reason = f"it belongs to another build, {theirs}, not {ours}"
            raise self._refusal(reason, "finish that build, delete the folder")

    def _part(self, path: Path) -> bytes:
        data = _content(path)
        content = data[CHECKSUM_BYTES:]
        if data[:CHECKSUM_BYTES] != self._checksum(path.stem, content):
            raise BuildError(
                f"a part of the checkpoint is damaged: {path} has a wrong checksum; "
                "delete this file, and build again; the other parts remain usable"
            )
        return content

    def _checksum(self, name: str, content: bytes) -> bytes:
        salt = json.dumps(self.identity, sort_keys=True).encode()
        return hashlib.sha256(salt + name.encode() + content).digest()


def _content(path: Path, limit: int = -1) -> bytes:
    """Return the first `limit` bytes of a file, or all if `limit` is -1.

    Raises OSError if the file cannot be read, or is a pipe or a link.
    """
    with open(path, "rb", opener=open_own) as file:
        return file.read(limit)


def name_of(key: tuple[Any, ...]) -> str:
    """Return the name of a part: the SHA-256 of its key, in hex."""
    return hashlib.sha256(repr(key).encode()).hexdigest()

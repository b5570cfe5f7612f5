"""What commands print and write: JSON, lines, files, and whether a file may be written."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from guessbook.book.errors import GuessbookError, UsageError, printable
from guessbook.book.file.disk import write_atomically
from guessbook.book.summary import plain


def say(message: str) -> None:
    """A line for people, on stderr: stdout may be JSON."""
    print(printable(message), file=sys.stderr)


def show(found: Any) -> None:
    """Print lines as they are, and anything else as JSON."""
    if isinstance(found, list):
        print("\n".join(found))
    else:
        print_json(found)


def print_json(found: Any) -> None:
    """Print a value as JSON, its named tuples as maps."""
    import json

    print(json.dumps(plain(found)))


def check_target(
    path: Path, force: bool, option: str = "-o", json: bool = False, binary: bool = False
) -> None:
    """Check that a file can be written, before the work for it starts; `-` is stdout.

    Args:
        path: the file.
        force: whether it may be there already.
        option: the option that names it, for the messages.
        json: whether JSON is to be printed.
        binary: whether what is written is no text.

    Raises:
        UsageError: the file is stdout, and so is the JSON, or that is a terminal and no text comes.
        GuessbookError: there is such a file and no `force`, or its folder cannot be written to.
    """
    if str(path) == "-":
        if json:
            both = f"found --json and {option} -, which both print"
            raise UsageError(f"{both}; leave one of them out or name a file")
        if binary and sys.stdout.isatty():
            raise UsageError(
                f"found {option} - and a terminal, expected a file or a pipe: a book is no text"
            )
        return
    # os.path, as Path raises where a name is too long.
    exists = os.path.exists(path)  # noqa: PTH110
    if exists and path.is_dir():
        raise GuessbookError(f"{path} is a folder, expected a file to write")
    if exists and not path.is_file():
        raise GuessbookError(f"{path} is no regular file, expected a file to write")
    if exists and not force:
        raise GuessbookError(
            f"{path} exists already; overwrite it with --force or choose another file with {option}"
        )
    folder = path.parent
    if os.path.islink(path):  # noqa: PTH114
        # The file that it leads to is written, in the folder of that file.
        target = Path(os.path.realpath(path))
        if target.is_symlink():
            raise GuessbookError(f"{path} is a link in a circle, expected a file to write")
        folder = target.parent
    if not folder.is_dir():
        raise GuessbookError(
            f"there is no folder {folder}; make it or choose another with {option}"
        )
    if not os.access(folder, os.W_OK):
        raise GuessbookError(f"the folder {folder} is not writable; choose another with {option}")


def write(path: Path, data: bytes, force: bool) -> bool:
    """Write a file, or stdout if that is what `-` asks for; whether it was a file.

    Raises:
        GuessbookError: the file cannot be written, or has appeared since `check_target` and there
            is no `force`.
    """
    if str(path) == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return False
    write_atomically(path, data, force)
    return True


def deliver(text: str, output: str, known: dict[str, str], force: bool, json: bool) -> None:
    """Write a text to a file and say so, or print it if that is what `-` asks for.

    Args:
        text: the text.
        output: the path of the file, or `-`.
        known: what `--json` says besides the path and the size in bytes.
        force: whether a file that has appeared since `check_target` may be overwritten.
        json: whether to say it in JSON.

    Raises:
        GuessbookError: the file cannot be written.
    """
    data = text.encode()
    if not write(Path(output), data, force):
        return
    path = str(Path(output))
    found = {"path": path, **known, "bytes": len(data)}
    show(found if json else [f"{printable(path)}  {len(data):,} bytes"])

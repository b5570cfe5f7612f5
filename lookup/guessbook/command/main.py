"""The `guessbook` script: runs a command, turns every error into one line and an exit code."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import warnings
from contextlib import suppress
from io import TextIOWrapper
from typing import Literal, TextIO

from guessbook.book.errors import OUT_OF_MEMORY, GuessbookError, printable
from guessbook.book.installation import missing
from guessbook.lookup.error_json import error_as_json, exit_code

FAILURE, INTERRUPTED = 1, 130  # as typer has it


def main() -> None:
    """Run the command that `sys.argv` asks for, and exit as soon as it is done."""
    try:
        code = run()
    except KeyboardInterrupt:  # before typer hears it, or a second one
        code = INTERRUPTED
    if threading.active_count() > 1:
        # What they do is for nobody. Python would wait for the engine, or cut them off, and crash.
        os._exit(code)
    sys.exit(code)


def run() -> int:
    """Run the command that `sys.argv` asks for.

    Returns:
        The exit code: 0 done, 1 failure, 2 usage (also a code or feedback that the game does not
        know), 3 invalid book, 4 inconsistent history, 130 interrupted.
    """
    _prepare_streams()
    warnings.showwarning = _warn
    try:
        from guessbook.command.app import app  # needs typer, which the core does not install

        # Of itself the help never gets narrower than 50 columns.
        width = min(80, shutil.get_terminal_size().columns)
        try:
            app(prog_name="guessbook", terminal_width=width)
        finally:
            # Here a full disk is an error like others; on its way out Python would only mention it.
            sys.stdout.flush()
    except SystemExit as end:  # also at Ctrl-C
        return end.code if isinstance(end.code, int) else 0
    except BrokenPipeError:
        _give_up_on_output()
    except GuessbookError as error:
        _complain(error)
        return exit_code(error)
    except (ImportError, MemoryError, OSError, RuntimeError) as error:
        what = _shortage(error)
        if what is None:
            raise
        _complain(GuessbookError(what))
        if getattr(error, "errno", None) is not None:
            _give_up_on_output()
    return FAILURE


def _shortage(error: Exception) -> str | None:
    """The missing resource, such as memory or a library; None for Guessbook's own errors."""
    if isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    if isinstance(error, RuntimeError):
        # The words are Python's own.
        return f"{error}; take fewer --jobs" if "start new thread" in str(error) else None
    if isinstance(error, OSError):
        # Files that a command names have errors of their own; what is left is nearly always the
        # output: a full disk, a closed stream. A library that cannot be loaded has no number.
        what = "" if error.errno is None else f"cannot use {error.filename or 'the output'}: "
        return f"{what}{error.strerror or error}"
    if isinstance(error, ModuleNotFoundError):
        return missing(error.name, sys.argv[1] if len(sys.argv) > 1 else "")
    if isinstance(error, ImportError) and not (error.name or "").startswith("guessbook"):
        cause: BaseException = error
        # numpy explains at length; what the system said is below.
        while cause.__cause__ is not None:
            cause = cause.__cause__
        return f"cannot load a library: {str(cause).strip().partition(chr(10))[0]}"
    return None


def _complain(error: GuessbookError) -> None:
    """One line on stderr; where JSON was asked for, JSON on stdout instead."""
    try:
        if "--json" in sys.argv:
            import json

            with suppress(OSError):
                print(json.dumps(error_as_json(error)), flush=True)
                return
        print("Error:", printable(" ".join(str(error).split())), file=sys.stderr)
    except OSError:
        _give_up_on_output()


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    with suppress(OSError):
        print("Warning:", printable(message), file=sys.stderr)


def _prepare_streams() -> None:
    r"""Open what the caller closed, and let no character end a command.

    For what is closed (`guessbook info >&-`) Python has None. What is read is then empty,
    complaints are lost, and printing fails as on a full disk. A character that the encoding of the
    output does not know, such as that of a pipe on Windows, becomes an escape: `\u043a`.
    """
    if sys.stdin is None:
        sys.stdin = _nothing("r")
    if sys.stdout is None:
        sys.stdout = _nothing("r")
    if sys.stderr is None:
        sys.stderr = _nothing("w")
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, TextIOWrapper) and stream.errors != errors:
            stream.reconfigure(errors=errors)


def _nothing(mode: Literal["r", "w"]) -> TextIO:
    return open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123


def _give_up_on_output() -> None:
    # Nobody can read our output. Without this the interpreter would complain about it once
    # more, when it flushes its streams on the way out.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())

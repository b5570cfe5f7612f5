"""The `guessbook` script: runs a command, turns every error into one line and an exit code."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from typing import Literal, TextIO

from guessbook.book.errors import GuessbookError, complaint, printable

FAILURE, INTERRUPTED = 1, 130

# What `pip install "guessbook[serve]"` and so on adds, by the names that an import asks for.
EXTRAS = {
    **dict.fromkeys(("typer", "rich", "numpy", "numba", "llvmlite", "filelock"), "build"),
    **dict.fromkeys(("starlette", "uvicorn", "anyio"), "serve"),
}


def main() -> None:
    """Run the command that `sys.argv` asks for, and exit.

    Exit codes: 0 done, 1 failure, 2 usage (also a code or feedback that the game does not know),
    3 invalid book, 4 inconsistent history, 130 interrupted.
    """
    _fill_in_streams()
    try:
        from guessbook.command.app import app  # needs typer, which the core does not install

        # Of itself the help never gets narrower than 50 columns.
        width = min(80, shutil.get_terminal_size().columns)
        try:
            app(prog_name="guessbook", terminal_width=width)
        finally:
            # Here a full disk is an error like others; on its way out Python would only mention it.
            sys.stdout.flush()
    except SystemExit as end:
        patience = sys.modules.get("guessbook.lookup.patience")
        if patience and patience.left_alone():  # Python would wait for it, or cut it off
            os._exit(end.code if isinstance(end.code, int) else 0)
        raise
    except KeyboardInterrupt:
        # At once: everything is cleaned up by now, and Python would wait for threads whose kernels
        # cannot be interrupted.
        os._exit(INTERRUPTED)
    except BrokenPipeError:
        _give_up_on_output()
        sys.exit(FAILURE)
    except OSError as error:
        # Files that a command names have errors of their own; what is left is nearly always the
        # output: a full disk, a closed stream.
        reason = error.strerror or error
        _complain(GuessbookError(f"cannot use {error.filename or 'the output'}: {reason}"))
        _give_up_on_output()
        sys.exit(FAILURE)
    except GuessbookError as error:
        _complain(error)
        sys.exit(error.exit_code)
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").split(".")[0])
        if extra is None:
            raise
        wanted = f'pip install "guessbook[{extra}]"'
        _complain(GuessbookError(f"{error.name} is not installed; get it with: {wanted}"))
        sys.exit(FAILURE)


def _complain(error: GuessbookError) -> None:
    """One line on stderr; where JSON was asked for, JSON on stdout instead."""
    try:
        if "--json" in sys.argv:
            import json

            with suppress(OSError):
                print(json.dumps(complaint(error)), flush=True)
                return
        print("Error:", printable(" ".join(str(error).split())), file=sys.stderr)
    except OSError:
        _give_up_on_output()


def _fill_in_streams() -> None:
    """Open what the caller closed (`guessbook info >&-`), for which Python has None.

    What is read is then empty, complaints are lost, and printing fails as on a full disk.
    """
    if sys.stdin is None:
        sys.stdin = _nothing("r")
    if sys.stdout is None:
        sys.stdout = _nothing("r")
    if sys.stderr is None:
        sys.stderr = _nothing("w")


def _nothing(mode: Literal["r", "w"]) -> TextIO:
    return open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123


def _give_up_on_output() -> None:
    # Nobody can read our output. Without this the interpreter would complain about it once
    # more, when it flushes its streams on the way out.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())

"""The script `guessbook`: run a command, and report an error in one line with an exit code."""

import os
import sys
import threading
import warnings
from contextlib import suppress
from io import TextIOWrapper

from guessbook.book.errors import OUT_OF_MEMORY, GuessbookError, printable
from guessbook.book.installation import missing_extra
from guessbook.lookup.json_text import FAILURE, error_as_json, exit_code

INTERRUPTED = 130  # Typer uses the same exit code after Ctrl-C.


def main() -> None:
    """Run the command in `sys.argv`, and exit without waiting for other threads."""
    try:
        code = run()
    except KeyboardInterrupt:  # Typer does not catch an early or a second Ctrl-C.
        code = INTERRUPTED
    if threading.active_count() > 1:
        # The results of other threads are no longer needed. A normal exit would wait for engine
        # threads, or crash.
        os._exit(code)
    sys.exit(code)


def run() -> int:
    """Run the command in `sys.argv` and return its exit code: 0 to 4, or 130 after Ctrl-C."""
    _prepare_streams()
    warnings.showwarning = _warn
    try:
        # This import needs Typer; the error for a missing package is reported below.
        from guessbook.command.root import call

        try:
            return call()
        finally:
            # A full disk raises an error here. At exit Python would only print a warning.
            sys.stdout.flush()
    except SystemExit as end:  # Typer exits if the reader of a pipe is gone.
        return end.code if isinstance(end.code, int) else FAILURE
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
    """Return a message if a resource such as memory or a library is missing, else None."""
    if isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    if isinstance(error, RuntimeError):
        # If no thread can be started, Python raises a plain RuntimeError. Only the message states
        # the cause.
        return (
            f"{error}; give --jobs a smaller number" if "start new thread" in str(error) else None
        )
    if isinstance(error, OSError):
        # Errors about the files of a command are GuessbookErrors, so this error is about the
        # output, such as a full disk. An OSError that a library raises may have no errno.
        what = "" if error.errno is None else f"cannot use {error.filename or 'the output'}: "
        return f"{what}{error.strerror or error}"
    if isinstance(error, ModuleNotFoundError):
        return missing_extra(error.name, sys.argv[1] if len(sys.argv) > 1 else "")
    if isinstance(error, ImportError) and not (error.name or "").startswith("guessbook"):
        cause: BaseException = error
        # numpy's message is long; the first error in the chain has the short message of the
        # operating system.
        while cause.__cause__ is not None:
            cause = cause.__cause__
        return f"cannot load a library: {str(cause).strip().partition(chr(10))[0]}"
    return None


def _complain(error: GuessbookError) -> None:
    """Print an error as one line on stderr, or with `--json` as JSON on stdout."""
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
    r"""Replace closed streams; print characters that stdout cannot encode as escapes: `\u043a`."""
    # Python sets a closed stream to None. The new stdout is only readable, so that printing fails,
    # as on a full disk.
    for name, mode in {"stdin": "r", "stdout": "r", "stderr": "w"}.items():
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, TextIOWrapper) and stream.errors != errors:
            stream.reconfigure(errors=errors)


def _give_up_on_output() -> None:
    # With the old streams, Python would report at exit again that the output cannot be written.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())

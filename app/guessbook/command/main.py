"""The root of the command line. It imports a command only when the command is called. The `guessbook` script: it runs a command, and reports an error in one line with an exit code."""

import os
import shutil
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import Field, fields, is_dataclass
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from io import TextIOWrapper
from textwrap import fill
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperGroup

from guessbook.book import installation
from guessbook.book.errors import (
    OUT_OF_MEMORY,
    GuessbookError,
    UsageError,
    did_you_mean,
    printable,
    quote,
)
from guessbook.book.installation import missing_extra
from guessbook.lookup.json_text import FAILURE, error_as_json, exit_code

# The commands of each group, in the order of the help.
GROUPS = {
    "Hint": ["hint", "candidates", "explain", "rate", "score", "bot"],
    "Play": ["solve", "play", "hide", "run", "review", "share"],
    "Build": ["build-book", "presets", "table", "words", "compare", "import"],
    "Look at a book": ["info", "tree", "report", "simulate", "verify"],
    "Embed": ["export", "serve"],
}
COMMANDS = [name for names in GROUPS.values() for name in names]
FIRST_STEPS = """
First steps:
  guessbook hint RYGB=1,1       what to guess next: RYGB got 1 black, 1 white
  guessbook play                guess a secret of the computer's
  guessbook build-book          make a book of any game: see its `--help`

More: guessbook --help, guessbook COMMAND --help"""


class LazyGroup(TyperGroup):
    """A group of commands that imports a command only when the command is called."""

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        """Parse the options before the command, such as `--version`; escape control characters in Typer's errors."""
        with _printable_errors():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: Any) -> Any:
        """Run the command, and escape control characters in Typer's errors."""
        with _printable_errors():
            return super().invoke(ctx)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, in the order of the help."""
        return COMMANDS

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that `args` names. The error for an unknown name suggests a similar name."""
        if args[0] not in COMMANDS:
            near = did_you_mean(args[0], COMMANDS)
            ctx.fail(f"No such command {quote(args[0])}{near}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the part of the help that lists the commands by group."""
        wide = max(map(len, COMMANDS))
        limit = formatter.width - 6 - wide
        for group, names in GROUPS.items():
            said = [self.get_command(ctx, name).get_short_help_str(limit) for name in names]
            rows = zip([name.ljust(wide) for name in names], said, strict=True)
            with formatter.section(group):
                formatter.write_dl([*rows])

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import the function of a command, and return it as a command of Typer; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        function = _function_of(cmd_name)
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        # A function with the parameter `ctx` reports extra arguments itself, so Typer must accept them.
        settings = {"allow_extra_args": "ctx" in signature(function).parameters}
        single.command(cmd_name, context_settings=settings)(flatten_options(function))
        return typer.main.get_command(single)


def _function_of(name: str) -> Callable[..., None]:
    """Import and return the function of a command. A hint must not load the modules of a build."""
    if name in (
        "hint",
        "candidates",
        "explain",
        "info",
        "rate",
        "review",
        "share",
        "tree",
        "verify",
    ):
        from guessbook.command import inspect

        return inspect.COMMANDS[name]
    if name in ("hide", "play", "run", "simulate", "solve"):
        from guessbook.command import play

        return play.COMMANDS[name]
    if name in ("compare", "presets", "score", "table"):
        from guessbook.command import games

        return games.COMMANDS[name]
    if name in ("bot", "export", "report", "serve"):
        from guessbook.command import export

        return export.COMMANDS[name]
    if name in ("import", "words"):
        from guessbook.command import words

        return words.COMMANDS[name]
    from guessbook.command.build import build_book

    return build_book


def flatten_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return `command` for Typer, with each dataclass parameter replaced by parameters for its fields."""
    hints = get_type_hints(command, include_extras=True)
    values: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    flat: list[Parameter] = []
    for name, parameter in signature(command).parameters.items():
        if name in values:
            known = get_type_hints(values[name], include_extras=True)
            flat += [_parameter(f.name, known[f.name], f) for f in fields(values[name])]
        else:
            flat.append(_parameter(name, hints[name], parameter.default))

    @wraps(command)
    def wrapper(**given: Any) -> None:
        for name, kind in values.items():
            options = {field.name: given.pop(field.name) for field in fields(kind)}
            given[name] = kind(**options)
        command(**given)

    wrapper.__signature__ = Signature(flat)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {parameter.name: parameter.annotation for parameter in flat}
    return wrapper


def _parameter(name: str, hint: Any, default: Any) -> Parameter:
    """Return a parameter for Typer; `default` is a value, or a dataclass field that declares an option or argument."""
    if isinstance(default, Field):
        if "typer" in default.metadata:
            hint = Annotated[hint, default.metadata["typer"]]
        default = default.default
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=hint)


@contextmanager
def _printable_errors() -> Iterator[None]:
    """Escape control characters in the errors that Typer prints; with `--json` raise UsageError instead."""
    try:
        yield
    except Exception as error:
        # Only Typer's own errors have the attribute `message`.
        message = getattr(error, "message", None)
        if isinstance(message, str):
            shown: Any = error
            shown.message = "\n".join([printable(line) for line in message.split("\n")])
            if "--json" in sys.argv:
                raise UsageError(" ".join(shown.format_message().split("\n"))) from error
        raise


# `rich_markup_mode=None` omits frames from the help. Without frames the help fits 40 columns, also in a pipe.
app = typer.Typer(
    cls=LazyGroup,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"guessbook {installation.version()}")
        raise typer.Exit


def _say(line: str, indent: str = "") -> None:
    """Print a line, wrapped between words at the width of the terminal; `indent` begins each further line."""
    wide = shutil.get_terminal_size().columns
    whole = partial(fill, break_long_words=False, break_on_hyphens=False)
    print(whole(line, wide, subsequent_indent=indent))


@app.callback(
    epilog="Exit codes: 0 done, 1 failure, 2 usage, 3 invalid book, 4 inconsistent history."
)
def root(
    ctx: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Find the best next guess in Mastermind and similar games.

    A book holds the guess for every history of a game. GUESS=FEEDBACK is a guess and its answer. BOOK is a file, a
    preset such as bagels, or a book that comes with Guessbook: mastermind-4x6, mastermind-5x8, bulls-and-cows-4x10, and
    the proven optima mastermind-4x6-optimal and bulls-and-cows-4x10-optimal.

    Example: guessbook hint RYGB=1,1 RGOP=0,2
    """
    if ctx.invoked_subcommand is None:
        for group, names in GROUPS.items():
            _say(f"{group + ':':<16}{', '.join(names)}", " " * 16)
        for line in FIRST_STEPS.splitlines():
            _say(line, " " * 6)
        raise typer.Exit(2)


INTERRUPTED = 130  # typer's exit code after Ctrl-C


def main() -> None:
    """Run the command in `sys.argv`, and exit without waiting for other threads."""
    try:
        code = run()
    except KeyboardInterrupt:  # Typer does not catch an early or a second Ctrl-C.
        code = INTERRUPTED
    if threading.active_count() > 1:
        # The results of other threads are no longer needed. A normal exit would wait for engine threads, or crash.
        os._exit(code)
    sys.exit(code)


def run() -> int:
    """Run the command in `sys.argv` and return its exit code: 0 to 4, as the help lists them, or 130 after Ctrl-C."""
    _prepare_streams()
    warnings.showwarning = _warn
    try:
        # By default the help is at least 50 columns wide, which is too wide for a narrow terminal.
        width = min(80, shutil.get_terminal_size().columns)
        try:
            app(prog_name="guessbook", terminal_width=width)
        finally:
            # A full disk raises an error here. At exit Python would only print a warning.
            sys.stdout.flush()
    except SystemExit as end:  # Typer also raises SystemExit after Ctrl-C.
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
    """Return a message if `error` means that a resource is missing, such as memory or a library, else None."""
    if isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    if isinstance(error, RuntimeError):
        # If no thread can be started, Python raises a plain RuntimeError. Only the message states the cause.
        return (
            f"{error}; give --jobs a smaller number" if "start new thread" in str(error) else None
        )
    if isinstance(error, OSError):
        # Errors about the files of a command are GuessbookErrors, so this error is about the output, such as a full
        # disk. An OSError that a library raises may have no errno.
        what = "" if error.errno is None else f"cannot use {error.filename or 'the output'}: "
        return f"{what}{error.strerror or error}"
    if isinstance(error, ModuleNotFoundError):
        return missing_extra(error.name, sys.argv[1] if len(sys.argv) > 1 else "")
    if isinstance(error, ImportError) and not (error.name or "").startswith("guessbook"):
        cause: BaseException = error
        # numpy's message is long; the first error in the chain has the short message of the operating system.
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
    r"""Replace closed streams, and escape characters that the output cannot encode, such as `\u043a`."""
    # Python sets a closed stream to None. The new stdout is only readable, so that printing fails, as on a full disk.
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

"""The root of the command line. It imports a command only when the command is called."""

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import Field, fields, is_dataclass
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from textwrap import fill
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperGroup

from guessbook.book import installation
from guessbook.book.errors import UsageError, did_you_mean, printable, quote
from guessbook.book.plugins import load

# The commands of each group, in the order of the help.
GROUPS = {
    "Hint": ["hint", "candidates", "explain", "rate", "score", "bot"],
    "Play": ["solve", "play", "hide", "run", "review", "share"],
    "Build": ["build-book", "presets", "table", "words", "compare", "import"],
    "Look at a book": ["info", "tree", "report", "simulate", "verify"],
    "Embed": ["export", "serve"],
}
# The commands of each module, as NAME, or as NAME:FUNCTION if the function has another name. A module is imported
# when one of its commands is called, so a hint does not load the modules of a build.
MODULES = {
    "answer": ["hint"],
    "build": ["build-book:build_book"],
    "compare": ["compare", "presets", "score", "table:table_of"],
    "export": ["bot", "export", "report", "serve"],
    "importing": ["import:import_tree", "words"],
    "look": ["candidates", "explain", "info", "rate", "review", "share", "tree", "verify"],
    "play": ["hide", "play", "run", "simulate", "solve"],
}
# The import path of each command: its module, a colon and its function.
PLACES = {
    name.partition(":")[0]: f"guessbook.command.{module}:{name.rpartition(':')[2]}"
    for module, names in MODULES.items()
    for name in names
}
COMMANDS = {name: PLACES[name] for names in GROUPS.values() for name in names}
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
        return list(COMMANDS)

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
        function = load(COMMANDS[cmd_name])
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        # A function with the parameter `ctx` reports extra arguments itself, so Typer must accept them.
        settings = {"allow_extra_args": "ctx" in signature(function).parameters}
        single.command(cmd_name, context_settings=settings)(flatten_options(function))
        return typer.main.get_command(single)


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

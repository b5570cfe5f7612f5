"""The root of the command line: it knows where each command lives and loads it when called."""

from __future__ import annotations

from importlib import import_module, metadata
from typing import Annotated, Any

import typer
from typer.core import TyperArgument, TyperGroup

__all__ = ["COMMANDS", "app"]

# The module of each command, which holds a function of the command's name. So a hint never waits
# for what only a build needs.
COMMANDS = {
    "build-book": "guessbook.builder.commands",
    "hint": "guessbook.lookup.commands",
    "info": "guessbook.lookup.commands",
    "verify": "guessbook.lookup.commands",
    "words": "guessbook.builder.commands",
    "solve": "guessbook.lookup.commands_play",
    "run": "guessbook.lookup.commands_play",
    "play": "guessbook.lookup.commands_play",
    "hide": "guessbook.lookup.commands_play",
    "simulate": "guessbook.lookup.commands_play",
    "explain": "guessbook.lookup.commands_report",
    "rate": "guessbook.lookup.commands_report",
    "review": "guessbook.lookup.commands_report",
    "share": "guessbook.lookup.commands_report",
    "compare": "guessbook.builder.commands_compare",
    "presets": "guessbook.builder.commands_compare",
    "export": "guessbook.lookup.commands_export",
}


class LazyGroup(TyperGroup):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, loaded now; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        function = getattr(import_module(COMMANDS[cmd_name]), cmd_name.replace("-", "_"))
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(cmd_name, no_args_is_help=False)(function)
        command = typer.main.get_command(single)
        for parameter in command.params:
            if isinstance(parameter, TyperArgument) and parameter.metavar:
                # What an argument is called says all; of itself the help adds "<list[str]>".
                parameter.display_type_rich = lambda ctx: None  # type: ignore[method-assign]
        return command


# Plain help, without frames: it wraps well at 40 columns and reads the same in a pipe.
app = typer.Typer(
    cls=LazyGroup,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        try:
            version = metadata.version("guessbook")
        except metadata.PackageNotFoundError:
            version = "(run from its source, not installed)"
        typer.echo(f"guessbook {version}")
        raise typer.Exit


@app.callback(
    epilog="Exit codes: 0 done, 1 failure, 2 usage, 3 invalid book, 4 inconsistent history."
)
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Know the best next guess in Mastermind and its relatives.

    A book holds the guess for every situation of a game: `build-book` makes one, `hint` answers
    from it, `info` describes it and `verify` proves it. To play, `solve` guesses with you, `play`
    and `hide` let you guess; `run` shows a game, `explain`, `rate` and `review` look at one.

    Example: guessbook hint RYGB=1,1 RGOP=0,2
    """

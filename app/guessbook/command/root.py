"""The root of the command line: its help, and its commands, each imported when it is called."""

import shutil
import sys
from collections.abc import Callable
from inspect import signature
from itertools import chain
from textwrap import fill
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from guessbook.book import installation
from guessbook.book.errors import UsageError, did_you_mean, printable, quote
from guessbook.command.options import SQUARES, flatten_options

# The commands of each group, in the order of the help.
GROUPS = {
    "Hint": ["hint", "candidates", "explain", "rate", "score", "bot"],
    "Play": ["solve", "play", "hide", "run", "review", "share"],
    "Build": ["build-book", "presets", "table", "words", "compare", "import"],
    "Look at a book": ["info", "tree", "report", "simulate", "verify"],
    "Embed": ["export", "serve"],
}
COMMANDS = [*chain(*GROUPS.values())]
FIRST_STEPS = """
First steps:
  guessbook hint RYGB=1,1       what to guess next: RYGB got 1 black, 1 white
  guessbook play                guess the computer's secret
  guessbook build-book          make a book of any game: see its `--help`

More: guessbook --help, guessbook COMMAND --help"""


class LazyGroup(TyperGroup):
    """A group of commands that imports a command only when the command is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, in the order of the help."""
        return COMMANDS

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import a command. The error for an unknown name suggests a similar name."""
        if cmd_name not in COMMANDS:
            near = did_you_mean(cmd_name, COMMANDS)
            ctx.fail(f"No such command {quote(cmd_name)}{near}")
        function = import_command(cmd_name)
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        # A function with the parameter `ctx` reports extra arguments itself.
        settings = {"allow_extra_args": "ctx" in signature(function).parameters}
        single.command(cmd_name, context_settings=settings)(flatten_options(function))
        return typer.main.get_command(single)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the part of the help that lists the commands by group."""
        wide = max(map(len, COMMANDS))
        limit = formatter.width - 6 - wide
        for group, names in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl(
                    [
                        (name.ljust(wide), self.get_command(ctx, name).get_short_help_str(limit))
                        for name in names
                    ]
                )


def import_command(name: str) -> Callable[..., None]:
    """Import the function of a command, and nothing that only other commands need."""
    match name:
        case "hint":
            from guessbook.command.hint import COMMANDS
        case "candidates" | "explain" | "info" | "rate" | "review" | "share" | "tree" | "verify":
            from guessbook.command.inspect import COMMANDS
        case "hide" | "play" | "run" | "simulate" | "solve":
            from guessbook.command.play import COMMANDS
        case "compare" | "presets" | "score" | "table":
            from guessbook.command.games import COMMANDS
        case "bot" | "export" | "report" | "serve":
            from guessbook.command.export import COMMANDS
        case "import" | "words":
            from guessbook.command.words import COMMANDS
        case _:
            from guessbook.command.build import COMMANDS
    return COMMANDS[name]


# `rich_markup_mode=None` omits frames from the help. Without frames it fits 40 columns.
app = typer.Typer(
    cls=LazyGroup,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def call() -> int:
    """Run the command in `sys.argv`, and return its exit code.

    With `--json`, Typer's errors become UsageError.
    """
    # By default the help is at least 50 columns wide, which is too wide for a narrow terminal.
    width = min(80, shutil.get_terminal_size().columns)
    try:
        # The words are not passed as an argument: only if Typer reads `sys.argv` itself does it
        # expand wildcards on Windows.
        sys.argv[1:] = join_feedbacks(sys.argv[1:])
        return app(prog_name="guessbook", terminal_width=width, standalone_mode=False) or 0
    except Exception as error:
        # Typer does not export the base class of its errors; only these errors have a `message`.
        typers: Any = error
        if not isinstance(getattr(error, "message", None), str):
            raise
        typers.message = "\n".join([printable(line) for line in typers.message.split("\n")])
        if "--json" in sys.argv:
            raise UsageError(" ".join(typers.format_message().split("\n"))) from error
        typers.show()
        return int(typers.exit_code)


def join_feedbacks(words: list[str]) -> list[str]:
    """Join each feedback that looks like an option, such as -y--g, to the guess before it.

    >>> join_feedbacks(["hint", "wordle", "crane", "-y--g", "--json"])
    ['hint', 'wordle', 'crane=-y--g', '--json']
    """
    joined: list[str] = []
    for word in words:
        guess = joined[-1] if len(joined) > 1 else ""  # The first word is the command.
        same_length = len(word) == len(guess) > 2
        if same_length and word.startswith("-") and set(word.lower()) <= SQUARES:
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"guessbook {installation.version()}")
        raise typer.Exit


def _say(line: str, indent: str) -> None:
    """Print a line, wrapped between words at the width of the terminal.

    `indent` begins each further line.
    """
    wide = shutil.get_terminal_size().columns
    print(
        fill(line, wide, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    )


@app.callback(
    epilog="Exit codes: 0 done, 1 failure, 2 usage, 3 invalid book, 4 inconsistent history, "
    "130 Ctrl-C."
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

    A book holds a strategy for a game. GUESS=FEEDBACK is a guess and its feedback.
    BOOK is a file, a preset such as bagels, a game such as mastermind-6x6, or a book shipped with
    Guessbook: mastermind-4x6, mastermind-5x8, bulls-and-cows-4x10, and the proven optima
    mastermind-4x6-optimal and bulls-and-cows-4x10-optimal.

    Example: guessbook hint RYGB=1,1 RGOP=0,2
    """
    if ctx.invoked_subcommand is None:
        for group, names in GROUPS.items():
            _say(f"{group + ':':<16}{', '.join(names)}", " " * 16)
        for line in FIRST_STEPS.splitlines():
            _say(line, " " * 6)
        raise typer.Exit(2)

"""Options that several commands share: which game, which policy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from guessbook.book.errors import UsageError
from guessbook.book.games.codes import MAX_PEGS, Mastermind
from guessbook.book.games.presets import preset_named
from guessbook.command.wordlists import load_game
from guessbook.policy.notation import header, policy_of
from guessbook.policy.registry import KINDS, NUMBERS

if TYPE_CHECKING:
    from guessbook.book.games.game import Game

__all__ = [
    "Answers",
    "AsJson",
    "Base",
    "Colors",
    "ConsistentOnly",
    "Depth",
    "Force",
    "Guesses",
    "HardMode",
    "NoRepeats",
    "Pegs",
    "PolicyName",
    "PresetName",
    "RandomSeed",
    "Scoring",
    "Symbols",
    "Width",
    "described",
    "game_of",
]

PresetName = Annotated[
    str | None,
    typer.Option(
        "--preset", metavar="NAME", help="A game by name, such as bagels: see `guessbook presets`."
    ),
]
Pegs = Annotated[
    int | None,
    typer.Option(min=1, max=MAX_PEGS, metavar="N", help="Positions of a code.  [default: 4]"),
]
Colors = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=36,
        metavar="N",
        help="Symbols to choose from.  [default: those of --symbols; else 6, 10 if no repeats]",
    ),
]
NoRepeats = Annotated[
    bool,
    typer.Option("--no-repeats", help="No symbol occurs twice in a code: Bulls and Cows, Bagels."),
]
Symbols = Annotated[
    str | None,
    typer.Option(
        metavar="SYMBOLS", help="The symbols, one character each, in the order that breaks ties."
    ),
]
Answers = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Play with words: those that may be the secret, one a line; see docs/words.md.",
    ),
]
Guesses = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="The words that may be guessed, in the order that breaks ties.  "
        "[default: those of --answers]",
    ),
]
Scoring = Annotated[
    str | None,
    typer.Option(
        metavar="RULE",
        help="standard: each letter of the secret answers once; loose: as often as it is "
        "asked for.  [default: standard]",
    ),
]
PolicyName = Annotated[
    str,
    typer.Option(metavar="NAME", help=f"One of {', '.join(KINDS)}."),
]
Base = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The one-step policy that lookahead or rollout builds on.  [default: entropy; "
        "entropy-corrected for lookahead]",
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(
        min=NUMBERS["depth"][0],
        max=NUMBERS["depth"][1],
        metavar="N",
        help="How many steps lookahead looks ahead.  [default: 2]",
    ),
]
Width = Annotated[
    int | None,
    typer.Option(
        min=NUMBERS["width"][0],
        max=NUMBERS["width"][1],
        metavar="N",
        help="How many guesses lookahead or rollout tries.  [default: 20]",
    ),
]
RandomSeed = Annotated[
    int | None,
    typer.Option(
        min=NUMBERS["random_seed"][0],
        max=NUMBERS["random_seed"][1],
        metavar="N",
        help="What the guesses of consistent are drawn from.  [default: 0]",
    ),
]
ConsistentOnly = Annotated[
    bool, typer.Option("--consistent-only", help="Guess only what may be the secret.")
]
HardMode = Annotated[
    bool,
    typer.Option("--hard-mode", help="Guess words only as Wordle's hard mode allows."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]


def game_of(
    preset: str | None,
    code: tuple[int | None, int | None, bool, str | None],
    words: tuple[Path | None, Path | None, str | None],
) -> tuple[Game, list[str]]:
    """The game that options ask for, and what is to be said about its word lists.

    Args:
        preset: `--preset`.
        code: `--pegs`, `--colors`, `--no-repeats` and `--symbols`.
        words: `--answers`, `--guesses` and `--scoring`.

    Raises:
        UsageError: they contradict each other, or make no game.
    """
    (pegs, colors, no_repeats, symbols), (answers, guesses, scoring) = code, words
    codes = code != (None, None, False, None)
    if preset is not None:
        if codes or words != (None, None, None):
            raise UsageError(
                f"found --preset {preset} and options of another game, expected one game"
            )
        return preset_named(preset).game, []
    if answers is None:
        if guesses is not None or scoring is not None:
            raise UsageError("--guesses and --scoring are for words; name them with --answers")
        if colors is None:
            colors = len(symbols) if symbols else 10 if no_repeats else 6
        return Mastermind(4 if pegs is None else pegs, colors, not no_repeats, symbols), []
    if codes:
        raise UsageError(
            "found --answers and --pegs, --colors, --no-repeats or --symbols, "
            "expected words or codes, not both"
        )
    return load_game(answers, guesses, scoring or "standard")


def described(text: str, **options: object) -> dict[str, str | int]:
    """The policy, as the header of a book has it, that `NAME` or `NAME:OPTION=VALUE,...` asks for.

    >>> described("rollout:base=parts", width=5, base=None)
    {'name': 'rollout', 'base': 'parts', 'width': 5}
    >>> described("parts:first-guess=0012")
    {'name': 'parts', 'first_guess': '0012'}

    Args:
        text: the name, and perhaps options.
        options: further ones; those that are None or False count as left out.

    Returns:
        What `build_book` takes. The first guess, if it is there, is the text as it was given.

    Raises:
        UsageError: there is no such policy, or no such option, or one is given twice.
    """
    name, _, rest = text.partition(":")
    found: dict[str, object] = {"name": name}
    for item in filter(None, rest.split(",")):
        option, equals, value = item.partition("=")
        option = option.strip().replace("-", "_")
        if option == "name":
            raise UsageError(f"found option 'name' in {text!r}, expected the name before the colon")
        if option in found:
            raise UsageError(f"found option {option!r} twice in {text!r}, expected it once")
        if option == "first_guess" and not value:
            raise UsageError(f"found no first guess in {text!r}, expected first-guess=CODE")
        # The digits of a code stay as they are, and no number here has more than 20.
        number = value.isdecimal() and option in NUMBERS and len(value) <= 20
        found[option] = int(value) if number else value if equals else True
    for option, other in options.items():
        if other is None or other is False:
            continue
        if option in found:
            raise UsageError(
                f"found option {option!r} in {text!r} and on its own, expected it once"
            )
        found[option] = other
    known = header(policy_of(found))
    if "first_guess" in found:
        known["first_guess"] = str(found["first_guess"])
    return known

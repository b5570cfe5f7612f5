"""The commands about games and policies: compare, presets, score and table."""

import os
from collections.abc import Callable
from pathlib import Path

from guessbook.book.errors import UsageError, did_you_mean, printable, quote
from guessbook.book.games.game import Game
from guessbook.book.games.presets import game_of, is_game
from guessbook.book.games.presets import presets as known_presets
from guessbook.book.strategy import Strategy, shipped_books
from guessbook.command.books import source
from guessbook.command.game_options import GameOptions, policy_map
from guessbook.command.options import (
    BOOK,
    FORCE,
    JOBS,
    JSON,
    QUIET,
    REQUIRED,
    argument,
    check_no_word,
    may_be_guessed,
    option,
    output_option,
    output_path,
)
from guessbook.command.output import check_target, deliver, print_json, progress_bar, show, write
from guessbook.comparison import compare as comparison
from guessbook.export.spreadsheet import sheet
from guessbook.play.opponents import score as score_of
from guessbook.play.terminal.interruptible import run_interruptibly
from guessbook.policy.policy import POLICIES, policy_by
from guessbook.policy.registry import CLASSES, name_and_options


def compare(
    policies: list[str] | None = argument(
        "POLICY|BOOK ...",
        "A policy, NAME or NAME:OPTION=VALUE,... such as rollout:width=50 or "
        "parts:first-guess=RRYY; or a book of the same game, by its file or name.  "
        "[default: all one-step policies]",
    ),
    *,
    game_options: GameOptions,
    jobs: int | None = JOBS,
    svg: Path | None = option(
        "FILE", "Also write the comparison as an SVG picture.", parser=output_path
    ),
    force: bool = FORCE,
    quiet: bool = QUIET,
    json: bool = JSON,
) -> None:
    """Compare policies or books on one game.

    Prints for each policy or book the total, mean and largest number of guesses, the number of
    secrets found by the 1st, 2nd, ... guess, the chance to win within 1, 2, ... guesses, and the
    build time in seconds. The game is set by options such as --preset, else by the first book. The
    default is Mastermind.

    Example: guessbook compare entropy parts rollout:width=50 --preset bagels
    """
    found = {text: source_of(text) for text in policies or POLICIES}
    books = [asked for asked in found.values() if isinstance(asked, Strategy)]
    game = books[0].game if books and game_options == GameOptions() else game_options.game()
    if svg is not None:
        if svg.suffix.lower() not in ("", ".svg"):
            raise UsageError(
                f"--svg {printable(svg)} would be an SVG picture; give it the ending .svg"
            )
        check_target(svg, force, "--svg", json)
    with progress_bar(quiet) as report:
        known = comparison(found, game, jobs, report)
    if svg is not None and not write(svg, known.svg().encode(), force):
        return
    if json:
        rows = [each.facts for each in known.books]
        print_json({"game": game.name, "secrets": len(game.secrets), "books": rows})
    else:
        print(known)


def source_of(text: str) -> Strategy | dict[str, str | int]:
    """Return the book that an argument of `compare` names, or the policy as a map."""
    name = name_and_options(text)[0]
    if name in CLASSES or policy_by(name):
        return policy_map(text)
    shipped = shipped_books()
    # Path.exists raises an error if the string is too long for a file name; os.path.exists does
    # not.
    if text.endswith(".book") or text in shipped or os.path.exists(text):  # noqa: PTH110
        return source(text).book
    policies, books = ", ".join(CLASSES), ", ".join(shipped)
    near = did_you_mean(name, [*CLASSES, *shipped])
    raise UsageError(
        f"{quote(text)} is neither a policy nor a book; give one of {policies}, or a file, "
        f"or one of {books}{near}"
    )


def table_of(
    book: str | None = BOOK,
    *,
    game_options: GameOptions,
    output: Path = output_option("The file to write.", default=Path("-")),
    force: bool = FORCE,
    json: bool = JSON,
) -> None:
    """Write a CSV table: the feedback of every secret to every guess.

    The first row has the secrets, and the first column the guesses. Weights, outcomes and costs have
    a row or column of their own. All other fields are feedbacks. `build-book --table` reads this
    table. The game is set by options such as --preset, else by the book.

    Example: guessbook table --pegs 3 --colors 3 -o game.csv
    """
    check_target(output, force, json=json)
    game = chosen_game(book, game_options)
    text = run_interruptibly("Answering every guess", lambda: "".join(sheet(game)))
    deliver(text, output, {"game": game.name}, force, json)


def chosen_game(book: str | None, options: GameOptions) -> Game:
    """Return the game that the options define, else the game of the book."""
    if options != GameOptions():
        if book is not None:
            raise UsageError(
                f"the book {quote(book)} and {options.typed()} cannot be combined; leave one out"
            )
        return options.game()
    if book is not None and book not in shipped_books() and is_game(book):
        return game_of(book)  # `source` would build the book, which may take a long time.
    return source(book).book.game


def score(
    words: list[str] = argument(
        "BOOK GUESS SECRET",
        "The book or the name of its game (if it is not the default), the guess, and the secret.",
        default=REQUIRED,
    ),
    book: str | None = option("BOOK", "The book of the game."),
    *,
    game_options: GameOptions,
    json: bool = JSON,
) -> None:
    """Print the feedback to a guess for a given secret.

    The game is set by options such as --preset, else by the book.

    Example: guessbook score RYGB PYRO
    """
    if len(words) == 3 and book is None:
        book, *words = words
    if len(words) != 2:
        raise UsageError(
            f"cannot score {' '.join(words)}; give a guess and a secret, as in guessbook score "
            "RYGB PYRO, with quotes around a code with blanks"
        )
    game = chosen_game(book, game_options)
    usual = book is None and game_options == GameOptions()
    if usual and all(map(str.isalpha, words)) and not may_be_guessed(game, words[1]):
        check_no_word(game, words[0], " ".join(words))
    found = score_of(game, *words)
    show(found if json else [found.feedback])


def presets(json: bool = JSON) -> None:
    """List the games that `--preset` accepts.

    The guess limit of a game is the number of guesses that the real game allows. `play` has the same
    limit, unless --max-guesses sets another.

    Example: guessbook presets
    """
    if json:
        rows = []
        for preset in known_presets():
            row = {"name": preset.name, "title": preset.title, "secrets": preset.secrets}
            rows.append({**row, "allowed_guesses": preset.allowed})
        print_json(rows)
        return
    print(f"{'game':<20} {'secrets':>7}  guess limit")
    for preset in known_presets():
        size = f"{preset.secrets:,}" if preset.secrets else "words"
        print(f"{preset.name:<20} {size:>7}  {preset.allowed or '':>11}".rstrip())
        print(f"    {preset.title}{'; needs --answers FILE' if preset.needs_words else ''}")


COMMANDS: dict[str, Callable[..., None]] = {
    "compare": compare,
    "presets": presets,
    "score": score,
    "table": table_of,
}

"""The registry of games: each kind with its class and its companion modules.

The companion of a kind in a package has the code for this kind: to search, build or draw its games.
The default companion works for every game. Packages may add kinds: see docs/how-to/extending.md.
"""

from importlib import import_module
from typing import Any, NamedTuple

from guessbook.book.errors import InvalidBookError, UsageError, quote
from guessbook.book.games.game import Game
from guessbook.book.plugins import Registry, load


class Kind(NamedTuple):
    """A kind of game: names of modules, or `MODULE:NAME` of a class, loaded when they are needed.

    Attributes:
        game: the class; its `from_header` reads the result of its `header`.
        search: finds candidates and guesses in plain Python: see `guessbook.policy.search.search`.
        hints: the class for live hints by the engine: see `guessbook.kernels.hints`.
        scoring: makes the arrays of a build: see `guessbook.builder.games.scoring`.
        display: prints the game and its rules in a terminal: see `guessbook.play.display`.
        form: draws and exports the game: see `guessbook.export.form`.
        since: the minor version of the file format that introduced it.
    """

    game: str
    search: str = "guessbook.policy.search.search"
    hints: str = "guessbook.kernels.hints:SumHints"
    scoring: str = "guessbook.builder.games.table"
    display: str = "guessbook.play.display"
    form: str = "guessbook.export.form"
    since: int = 0


BUILT_IN = {
    "mastermind": Kind(
        "guessbook.book.games.codes:Mastermind",
        "guessbook.policy.search.sliced",
        "guessbook.kernels.hints:CodeHints",
        "guessbook.builder.games.codes",
        "guessbook.play.terminal.pegs",
        "guessbook.export.pegs",
    ),
    "words": Kind(
        "guessbook.book.games.words:WordGame",
        "guessbook.policy.search.letters",
        "guessbook.kernels.hints:WordHints",
        "guessbook.builder.games.words",
        "guessbook.play.terminal.tiles",
        "guessbook.export.tiles",
    ),
    "table": Kind(
        "guessbook.book.games.tables:TableGame",
        "guessbook.policy.search.rows",
        scoring="guessbook.builder.games.rows",
        form="guessbook.export.labels",
        since=2,
    ),
}
# Kinds by the type in the header of a book.
KINDS = Registry("guessbook.games", "game", BUILT_IN, Kind, "game", "from_header")
UNKNOWN = Kind("")


def companion(game: Game, layer: str) -> Any:
    """Return the module for a game in a layer, an attribute of `Kind` such as "search"."""
    return import_module(getattr(KINDS.get(game.kind, UNKNOWN), layer))


def game_from_header(header: object) -> Game:
    """Return the game that a book's header describes. Raises InvalidBookError if it is invalid."""
    if not isinstance(header, dict):
        raise InvalidBookError("the header's game is not a map")
    kind = header.get("type")
    if not isinstance(kind, str) or kind not in KINDS:
        raise InvalidBookError(
            f"unknown game type {quote(kind)}: a newer guessbook may know it, or a package that adds games"
        )
    # Imported late: a book loads the code of its own kind of game only.
    known = load(KINDS[kind].game)
    try:
        game: Game = known.from_header(header)
    except UsageError as error:
        raise InvalidBookError(f"the header describes an impossible game: {error}") from error
    return game

"""The registry of the kinds of games, with the class and the companion modules of each kind.

A companion module belongs to another package: it searches, builds or draws the games of one kind.
Installed packages may add kinds: see docs/how-to/extending.md.
"""

from importlib import import_module
from typing import Any, NamedTuple

from guessbook.book.errors import InvalidBookError, UsageError, quote
from guessbook.book.games.game import Game
from guessbook.book.plugins import Registry, load


class Kind(NamedTuple):
    """A kind of game: the names of its class and its companion modules. Class and modules are imported at first use.

    Attributes:
        game: `MODULE:NAME` of the class; its `from_header` reads the result of its `header`.
        search: the module that finds candidates and guesses in plain Python: see `guessbook.policy.search.search`.
        hints: `MODULE:NAME` of the class that computes hints with the engine: see `guessbook.engine.hints`.
        scoring: the module that scores and ranks guesses in a build: see `guessbook.builder.games.scoring`.
        display: the module that prints the game and its rules in a terminal: see `guessbook.play.display`.
        form: the module that draws and exports the game: see `guessbook.export.form`.
        since: the minor version of the file format that introduced this kind.
    """

    game: str
    search: str = "guessbook.policy.search.search"
    hints: str = "guessbook.engine.hints:SumHints"
    scoring: str = "guessbook.builder.games.table"
    display: str = "guessbook.play.display"
    form: str = "guessbook.export.form"
    since: int = 0


BUILT_IN = {
    "mastermind": Kind(
        "guessbook.book.games.codes:Mastermind",
        "guessbook.policy.search.sliced",
        "guessbook.engine.hints:CodeHints",
        "guessbook.builder.games.codes",
        "guessbook.play.terminal.pegs",
        "guessbook.export.pegs",
    ),
    "words": Kind(
        "guessbook.book.games.words:WordGame",
        "guessbook.policy.search.letters",
        "guessbook.engine.hints:WordHints",
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
# Maps the type of a game, such as "words" in the header of a book, to the modules for such games.
KINDS = Registry("guessbook.games", "game", BUILT_IN, Kind, "game", "from_header")
UNKNOWN = Kind("")


def companion(game: Game, layer: str) -> Any:
    """Import and return a companion module of a game. `layer` is a field of `Kind`, such as "search"."""
    return import_module(getattr(KINDS.get(game.kind, UNKNOWN), layer))


def game_from_header(header: object) -> Game:
    """Return the game that a book's header describes. Raises InvalidBookError for an invalid header."""
    if not isinstance(header, dict):
        raise InvalidBookError(f"found game {quote(header)} in the header, expected a map")
    kind = header.get("type")
    if not isinstance(kind, str) or kind not in KINDS:
        raise InvalidBookError(
            f"found the unknown game type {quote(kind)}; install a newer guessbook, or the package that adds this type"
        )
    # Only the class of this kind is imported, because a hint needs no other classes.
    known = load(KINDS[kind].game)
    try:
        game: Game = known.from_header(header)
    except UsageError as error:
        raise InvalidBookError(f"the header describes an impossible game: {error}") from error
    return game

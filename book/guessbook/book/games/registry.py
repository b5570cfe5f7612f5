"""The kinds of games: the class of each, by the type in the header of a book."""

from guessbook.book.errors import InvalidBookError, UsageError, quote
from guessbook.book.games.game import Game, check_complete
from guessbook.book.plugins import Registry


def _game_class(kind: str) -> type[Game]:
    """Return the class of a built-in kind of game, without importing the others."""
    if kind == "mastermind":
        from guessbook.book.games.codes import Mastermind

        return Mastermind
    if kind == "words":
        from guessbook.book.games.words import WordGame

        return WordGame
    from guessbook.book.games.tables import TableGame

    return TableGame


# The class of each type of game, such as "words" in the header of a book.
GAMES: Registry[type[Game]] = Registry(
    "guessbook.games",
    "game",
    ("mastermind", "words", "table", "identification"),
    _game_class,
    lambda found: isinstance(found, type) and issubclass(found, Game),
    "a class derived from guessbook.Game",
)


def game_from_header(header: object) -> Game:
    """Return the game that a book's header describes.

    Raises InvalidBookError for an invalid header.
    """
    if not isinstance(header, dict):
        raise InvalidBookError(f"game {quote(header)} in the header is not a map")
    kind = header.get("type")
    if not isinstance(kind, str) or kind not in GAMES:
        raise InvalidBookError(
            f"unknown game type {quote(kind)}; install a newer guessbook, or the package that adds "
            "this type"
        )
    try:
        game_class = GAMES[kind]
        if kind not in GAMES.built_in:
            check_complete(game_class)
        return game_class.from_header(header)
    except UsageError as error:
        raise InvalidBookError(f"the header describes an impossible game: {error}") from error

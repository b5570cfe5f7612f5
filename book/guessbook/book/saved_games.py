"""Saved games: text files with the history of a game in progress, one entry per line."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from guessbook.book.disk import open_to_read
from guessbook.book.errors import UsageError, printable
from guessbook.book.games.game import Game, SymmetricGame, read_history
from guessbook.book.games.presets import game_of, is_game

# The start of the first line of a file; the name of the game follows.
HEAD = "# Guessbook game of "
# Prefixes of lines with an entry that the player set aside, a guess that the game refused, or the
# secret. The secret is in base64, so that nobody reads it by accident.
ASIDE, REFUSED, SECRET = "# aside ", "# refused ", "# secret "
# This line follows the last guess if the game ended because the player was shown the secret.
LOST = "# lost"
# Upper bound for the bytes of a file.
MAX_SAVED = 1 << 20


class Saved(NamedTuple):
    """A saved game: the path of its file, the game's title, and its other lines that are not blank.

    Each line comes with its number in the file, from 2.
    """

    name: str
    game: str
    lines: list[tuple[int, str]]

    def entries(self, game: Game) -> list[str]:
        """Return the entries of the history, without the entries that the player set aside.

        Raises UsageError for a line that is not an entry of the game.
        """
        notes = (ASIDE, REFUSED, SECRET, LOST)
        lines = [(number, line) for number, line in self.lines if not line.startswith(notes)]
        entries = [line for _, line in lines]
        try:
            read_history(game, entries)
        except UsageError:
            for number, line in lines:
                with self.line(number):
                    read_history(game, [line])
            raise
        return entries

    @contextmanager
    def line(self, number: int) -> Iterator[None]:
        """Add the name of the file and a line number to a UsageError that the context raises."""
        try:
            yield
        except UsageError as error:
            raise UsageError(f"{printable(self.name)}, line {number}: {error}") from None

    def refused_guesses(self) -> list[str]:
        """Return the guesses that the player entered and the game refused."""
        lines = [line for _, line in self.lines if line.startswith(REFUSED)]
        return [line.removeprefix(REFUSED) for line in lines]

    def check(self, game: Game) -> None:
        """Raise UsageError if the file was saved for a game other than `game`."""
        if self.game != title(game):
            raise UsageError(
                f"{printable(self.name)} is a saved game of {printable(self.game)}, not of "
                f"{title(game)}; name a book of the saved game, or another file"
            )


def title(game: Game) -> str:
    """Return a game's name, with its symbols if the name does not imply them."""
    symbols = game.symbols if isinstance(game, SymmetricGame) else ""
    usual = not symbols or (is_game(game.name) and game_of(game.name) == game)
    return game.name if usual else f"{game.name} of {symbols}"


def is_saved(path: Path | str) -> bool:
    """Return whether a path names a regular file that begins like a saved game."""
    # A pipe is excluded, since it can be read only once. `Path.is_file` would raise an error for a
    # name that is too long.
    if os.path.isfile(path):  # noqa: PTH113
        with suppress(UsageError), open_to_read(path, "give a file") as file:
            return file.read(len(HEAD)) == HEAD.encode()
    return False


def read_saved(path: Path | str) -> Saved:
    """Return the content of a saved game.

    Raises UsageError if the file is not a saved game or cannot be read.
    """
    with open_to_read(path, "give the file of a saved game") as file:
        data = file.read(MAX_SAVED + 1)
    try:
        head, *lines = data.decode().splitlines() or [""]
    except UnicodeDecodeError:
        head = ""
    if not head.startswith(HEAD) or len(data) > MAX_SAVED:
        raise UsageError(
            f"{printable(path)} is not a saved game; give a file that --save wrote, or a new name"
        )
    told = [(k, line.strip()) for k, line in enumerate(lines, 2) if line.strip()]
    return Saved(str(path), head.removeprefix(HEAD).strip(), told)

"""Saved games: text files with a history. The file is written after every answer, and the game can be resumed."""

import os
from base64 import b64decode, b64encode
from pathlib import Path

from guessbook.book.errors import UsageError, printable, quote
from guessbook.book.file.disk import write_atomically
from guessbook.book.games.beyond import number_between
from guessbook.book.games.game import called
from guessbook.book.saved import ASIDE, HEAD, LOST, REFUSED, SECRET, read_saved, title
from guessbook.play.rows import Row, rows_of
from guessbook.play.session import Session


class SavedGame:
    """The text file of a game in progress. If the file exists, its guesses are loaded into the session.

    Attributes:
        secret: the secret of a game of `play`; empty in a game of `solve`.
        is_new: whether the file did not exist before.
        is_lost: whether the player has lost or given up, and has therefore seen the secret.
    """

    def __init__(self, path: Path, session: Session) -> None:
        self.path, self.secret, self.is_lost, self._text = path, "", False, ""
        self.is_new = not os.path.lexists(path)
        if self.is_new:
            return
        if session.rows:
            name = printable(path)
            raise UsageError(
                f"found a history as argument, and a game in {name}, expected only one; omit the history"
            )
        saved = read_saved(path)
        saved.check(session.game)
        rows: list[Row] = []
        for number, line in saved.lines:
            try:
                if line.startswith(SECRET):
                    self.secret = _decode(session, line.removeprefix(SECRET))
                elif line == LOST:
                    self.is_lost = True
                elif line.startswith(REFUSED):
                    session.refuse(line.removeprefix(REFUSED))
                else:
                    (row,) = rows_of(session.game, [line.removeprefix(ASIDE)])
                    rows.append(row._replace(aside=line.startswith(ASIDE)))
            except UsageError as error:
                raise UsageError(f"{printable(saved.name)}, line {number}: {error}") from None
        session.restore(rows)

    def keep(self, session: Session) -> None:
        """Write the file if the game has changed; raise GuessbookError if the file cannot be written."""
        lines = [HEAD + title(session.game)]
        lines += [SECRET + b64encode(self.secret.encode()).decode()] if self.secret else []
        lines += [REFUSED + guess for guess in session.refused]
        lines += [ASIDE * row.aside + f"{row.guess}={row.feedback}" for row in session.rows]
        lines += [LOST] * self.is_lost
        text = "\n".join([*lines, ""])
        if text != self._text:
            write_atomically(self.path, text.encode())
            self._text = text


def _decode(session: Session, text: str) -> str:
    try:
        code = b64decode(text, validate=True).decode()
    except ValueError:
        raise UsageError(
            f"found the secret {quote(text)}, expected a secret in base64; restore this line"
        ) from None
    return session.game.guesses[session.game.parse_code(code)]


def taken_up(
    saved: SavedGame, session: Session, secret: str, max_guesses: int | None, named: bool
) -> str:
    """Return the secret of the saved game, or `secret` for a new game.

    Raises UsageError if the saved game is over or faulty, or if the player chose `secret` (`named` is true) and the
    saved game has another secret.
    """
    name, game = printable(saved.path), session.game
    if not saved.is_new and not saved.secret:
        raise UsageError(
            f"found a game without a secret in {name}; continue the game with `solve --save`"
        )
    saved.secret = saved.secret or secret
    if named and saved.secret != secret:
        raise UsageError(
            f"found a game with another secret in {name}, expected your secret; name a new file"
        )
    for guess, feedback, _ in session.rows:
        if game.format_feedback(number_between(game, guess, saved.secret)) != feedback:
            answer = f"{called(game, guess)}={feedback}"
            raise UsageError(
                f"found {answer} in {name}, but the file's secret gives other feedback; correct the file"
            )
    if saved.is_lost or session.solved or (max_guesses and len(session.rows) >= max_guesses):
        raise UsageError(
            f"found a finished game in {name}, expected an open one; delete {name}, or name another file"
        )
    return saved.secret

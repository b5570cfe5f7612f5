"""The form of table games: guesses, secrets and answers by their labels."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

from guessbook.book.strategy import Strategy
from guessbook.export import form
from guessbook.export.form import Program, guessed, listed_weights

if TYPE_CHECKING:
    from guessbook.book.games.tables import TableGame


class Form(form.Form):
    """Labels as texts."""

    game: TableGame

    def program(self, book: Strategy) -> Program:
        """Codes are labels."""
        labels, guesses = guessed(book)
        answers = self.game.answers
        constants = {
            "ANSWERS": list(answers),
            # In bytes: of one width, a label is found without looking at those before it.
            "WIDTH": max(len(label.encode()) for label in labels),
        }
        return Program(
            labels, guesses, 1, True, "labels.h", "script_labels.txt", constants, answers
        )

    def json_rules(self) -> dict[str, Any]:
        """As in the book's header, with lists; the table as rows of indices of answers."""
        game = self.game
        return super().json_rules() | {
            "guesses": list(game.guesses),
            "secrets": list(game.secrets),
            "answers": list(game.answers),
            "table": [list(game.row(guess)) for guess in range(game.given)],
            **listed_weights(game),
        }

    def page_game(self) -> dict[str, Any]:
        """As in the book's header, with the indices of the secrets, and the table in base64."""
        header, game = self.game.header(), self.game
        secrets = [game.places[label] for label in game.secrets]
        table = b64encode(header["table"]).decode()
        return header | {"secrets": secrets, "table": table} | listed_weights(game)

    def rules(self) -> str:
        """How many guesses and secrets there are, and what was added."""
        game = self.game
        note = f" {game.note[0].upper()}{game.note[1:]}." if game.note else ""
        return f"{len(game.guesses):,} guesses, {len(game.secrets):,} secrets.{note}"

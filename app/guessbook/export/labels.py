"""The drawing and export of table games: guesses, secrets and answers as labels."""

from base64 import b64encode
from typing import Any

from guessbook.book.games.tables import TableGame
from guessbook.book.strategy import Strategy
from guessbook.export import form
from guessbook.export.form import Program, listed_program, listed_weights


class Form(form.Form):
    """The drawing and export of a table game, whose codes and answers are labels."""

    game: TableGame

    def program(self, book: Strategy) -> Program:
        """Return the data of a book for exports to C and Python, with the labels of its guesses and answers."""
        answers = self.game.answers
        return listed_program(book, "labels", {"ANSWERS": list(answers)}, answers)

    def json_rules(self) -> dict[str, Any]:
        """Return the rules of the game for the JSON export: its labels, and its table with answers as indices."""
        game = self.game
        return super().json_rules() | {
            "guesses": list(game.guesses),
            "secrets": list(game.secrets),
            "answers": list(game.answers),
            "table": [list(game.row(guess)) for guess in range(game.given)],
            **listed_weights(game),
        }

    def page_game(self) -> dict[str, Any]:
        """Return the game for the HTML page: its header, but with secrets as guess indices and the table in base64."""
        header, game = self.game.header(), self.game
        secrets = [game.places[label] for label in game.secrets]
        table = b64encode(header["table"]).decode()
        return header | {"secrets": secrets, "table": table} | listed_weights(game)

    def rules(self) -> str:
        """Return sentences with the numbers of guesses and secrets. They say how many guesses the game added."""
        game = self.game
        note = f" {game.note[0].upper()}{game.note[1:]}." if game.note else ""
        return f"{len(game.guesses):,} guesses, {len(game.secrets):,} secrets.{note}"

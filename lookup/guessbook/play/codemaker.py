"""The codemaker: has a secret, drawn at random or for the day, and answers by it."""

from __future__ import annotations

from bisect import bisect
from datetime import UTC, datetime
from hashlib import sha256
from itertools import accumulate

from guessbook.book.games.game import Game
from guessbook.book.games.presets import game_of
from guessbook.book.games.weights import secret_weights, total_weight


class Codemaker:
    """Has a secret and answers by it.

    >>> Codemaker("mastermind-4x6", "RGOY").feedback("RYGB")
    '1,2'

    Args:
        game: the game, or its name, such as "bagels".
        secret: the secret; drawn at random if None.
        random_seed: draws the same secret again.

    Raises:
        UsageError: there is no such game.
        InvalidCodeError: the game does not know the code.
    """

    def __init__(
        self, game: Game | str, secret: str | None = None, random_seed: int | None = None
    ) -> None:
        self.game = game_of(game)
        self.secret = (
            random_secrets(self.game, 1, random_seed)[0]
            if secret is None
            else self.game.guesses[self.game.parse_code(secret)]
        )

    def feedback(self, guess: str) -> str:
        """The feedback to a guess, as people write it. Raises InvalidCodeError."""
        code = self.game.guesses[self.game.parse_code(guess)]
        return self.game.format_feedback(self.game.feedback_number(code, self.secret))

    def note(self, guess: str, feedback: str) -> None:
        """Do nothing: the secret stays the same."""

    def reveal(self) -> str:
        """The secret."""
        return self.secret

    def confess(self) -> str:
        """The secret, in a sentence."""
        return f"The secret is {self.secret}."


def random_secrets(game: Game, boards: int, random_seed: int | None = None) -> list[str]:
    """A secret for each board, as likely as its weight says; the same ones for the same seed."""
    from random import Random

    chance, total = Random(random_seed), total_weight(game)
    return [_secret_at(game, chance.randrange(total)) for _ in range(boards)]


def secrets_of_day(game: Game, boards: int, day: str) -> list[str]:
    """A secret for each board that is the same for everybody on that day.

    It follows from the day, the name of the game and the number of the board: of the secrets in
    their order, each as often as its weight says, it is number SHA-256("DAY NAME BOARD") modulo how
    many these are, counted from 0. So all books of a game have the same one.

    >>> from guessbook.book import Mastermind
    >>> secrets_of_day(Mastermind(4, 6), 2, "2026-11-22")
    ['PYGB', 'GYBY']

    Args:
        game: the game.
        boards: how many boards, which are numbered from 1.
        day: the day, see `today`.
    """
    texts = [f"{day} {game.name} {board}" for board in range(1, boards + 1)]
    numbers = [int.from_bytes(sha256(text.encode()).digest()) for text in texts]
    return [_secret_at(game, number % total_weight(game)) for number in numbers]


def today() -> str:
    """The day as `2026-11-22`, by universal time: it begins everywhere at the same moment."""
    return datetime.now(UTC).date().isoformat()


def _secret_at(game: Game, number: int) -> str:
    """The secret of that number, where each stands as often as its weight says."""
    weights = secret_weights(game)
    return game.secrets[number if weights is None else bisect([*accumulate(weights)], number)]

"""The codemaker: has a secret, drawn at random or for the day, and answers by it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from guessbook.book.errors import UsageError, counted, quote
from guessbook.book.games.beyond import number_between, text_of
from guessbook.book.games.game import Game, History, called, plain
from guessbook.book.games.presets import game_of
from guessbook.book.games.weights import secret_weights, total_weight

if TYPE_CHECKING:
    from random import Random


class Score(NamedTuple):
    """The answer of a secret to a guess.

    Attributes:
        guess: the guess.
        secret: the secret.
        feedback: the answer, as people write it.
        solved: whether the guess is the secret.
    """

    guess: str
    secret: str
    feedback: str
    solved: bool


def score(game: Game, guess: object, secret: object) -> Score:
    """Score a guess against a secret. Of word games the list may lack both.

    >>> score(game_of("mastermind-4x6"), "RGBY", "pyro").feedback
    '0,2'

    Raises:
        InvalidCodeError: the game has no such code, or `secret` is never the secret.
    """
    number = number_between(game, guess, secret)
    codes = text_of(game, guess), text_of(game, secret)
    return Score(*codes, game.format_feedback(number), number == game.solved)


class Opponent(ABC):
    """Who answers the guesses of a game.

    Args:
        game: the game, or its name, such as "bagels".

    Raises:
        UsageError: there is no such game.
    """

    def __init__(self, game: Game | str) -> None:
        self.game = game_of(game)
        self._history: History = []

    def __repr__(self) -> str:
        made = counted(len(self._history)) if self._history else "no guesses so far"
        return f"<{type(self).__name__} {self.game.name}: {made}>"

    @property
    def history(self) -> list[tuple[str, str]]:
        """The history so far: (guess, feedback) pairs of texts, as `Book.hint` takes them."""
        game = self.game
        return [(game.guesses[g], game.format_feedback(f)) for g, f in self._history]

    @property
    def solved(self) -> bool:
        """Whether the last guess was right, or had to be given in to."""
        return bool(self._history) and self._history[-1][1] == self.game.solved

    def answer(self, guess: str | Sequence[str]) -> object:
        """Answer a guess, and stand by it: plain data, as `Game.feedback` gives it.

        Raises InvalidCodeError.
        """
        feedback = self.feedback(guess)
        self.note(guess, feedback)
        return feedback

    def feedback(self, guess: str | Sequence[str]) -> object:
        """Return the answer that a guess would get, as plain data; nothing is kept.

        Raises InvalidCodeError.
        """
        return plain(self.game, self._answered(self.game.parse_code(guess)))

    def note(self, guess: str | Sequence[str], feedback: object) -> None:
        """Keep an answer, as `answer` does.

        Raises:
            InvalidCodeError: the game has no such guess.
            InvalidFeedbackError: the game never gives the feedback.
            InconsistentFeedbackError: of an adversary: no candidate gives it.
        """
        self._keep(self.game.parse_code(guess), self.game.parse_feedback(feedback))

    def _keep(self, guess: int, feedback: int) -> None:
        self._history.append((guess, feedback))

    @abstractmethod
    def _answered(self, guess: int) -> int:
        """Return the number of the feedback to a guess."""

    @abstractmethod
    def reveal(self) -> str:
        """Return a code that fits all answers: the secret, if there is one."""

    @abstractmethod
    def confess(self) -> str:
        """Return the sentence to print when the player gives up."""


class Codemaker(Opponent):
    """Has a secret and answers by it.

    >>> codemaker = Codemaker("mastermind-4x6", "RGOY")
    >>> codemaker.answer("RYGB"), codemaker.history
    (Pegs(black=1, white=2), [('RYGB', '1,2')])

    Args:
        game: the game, or its name, such as "bagels".
        secret: the secret; drawn at random if None.
        random_seed: draws the same secret again.

    Raises:
        UsageError: there is no such game, or the seed is no whole number.
        InvalidCodeError: the game does not know the code.
    """

    def __init__(
        self, game: Game | str, secret: str | None = None, random_seed: int | None = None
    ) -> None:
        super().__init__(game)
        self.secret = (
            random_secrets(self.game, 1, random_seed)[0]
            if secret is None
            else self.game.guesses[self.game.parse_code(secret)]
        )

    def _answered(self, guess: int) -> int:
        return self.game.feedback_number(self.game.guesses[guess], self.secret)

    def reveal(self) -> str:
        """Return the secret."""
        return self.secret

    def confess(self) -> str:
        """Return the secret, in a sentence."""
        return f"The secret is {called(self.game, self.secret)}."


def seeded(random_seed: int | None) -> Random:
    """Return a random generator; a seed makes its draws reproducible.

    Raises:
        UsageError: the seed is no whole number.
    """
    from random import Random

    if random_seed is not None and type(random_seed) is not int:
        raise UsageError(f"found random_seed {quote(random_seed)}, expected a whole number or None")
    return Random(random_seed)


def random_secrets(game: Game, boards: int, random_seed: int | None = None) -> list[str]:
    """Draw a secret for each board, with chances by weight; a seed reproduces the draw."""
    chance, total = seeded(random_seed), total_weight(game)
    return _secrets_at(game, [chance.randrange(total) for _ in range(boards)])


def secrets_of_day(game: Game, boards: int, day: str) -> list[str]:
    """Return a secret for each board that is the same for everybody on that day.

    It follows from the day, the name of the game and the number of the board: of the secrets in
    their order, each as often as its weight says, it is number SHA-256("DAY NAME BOARD") modulo how
    many these are, counted from 0. So all books of a game agree.

    >>> from guessbook.book import Mastermind
    >>> secrets_of_day(Mastermind(4, 6), 2, "2026-11-22")
    ['PYGB', 'GYBY']

    Args:
        game: the game.
        boards: the number of boards; their numbers begin with 1.
        day: the day, see `today`.
    """
    texts = [f"{day} {game.name} {board}" for board in range(1, boards + 1)]
    total = total_weight(game)
    return _secrets_at(game, [int.from_bytes(sha256(t.encode()).digest()) % total for t in texts])


def today() -> str:
    """Return the day in universal time, such as `2026-11-22`: it begins everywhere at once."""
    return datetime.now(UTC).date().isoformat()


def _secrets_at(game: Game, numbers: Sequence[int]) -> list[str]:
    """Return the secrets of these numbers, where each stands as often as its weight says."""
    weights = secret_weights(game)
    ends = None if weights is None else [*accumulate(weights)]
    return [game.secrets[n if ends is None else bisect(ends, n)] for n in numbers]

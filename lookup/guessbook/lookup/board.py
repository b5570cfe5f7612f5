"""The board: a game in progress, for a script or a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from guessbook.book.games.codes import Mastermind
from guessbook.book.strategy import Strategy, read_strategy, shipped_books
from guessbook.lookup.hint import answer

POLICY = "entropy"


class BestGuess(NamedTuple):
    """The best next guess; `str()` says it in a sentence.

    Attributes:
        remaining: how many candidates there are.
        total: how many codes the game has.
        guess: the code to guess.
        entropy: the information that the feedback is expected to give, in bits.
        candidate: whether `guess` may be the secret.
        solved: whether an answer has already said that `guess` is the secret.
    """

    remaining: int
    total: int
    guess: str
    entropy: float
    candidate: bool
    solved: bool

    def __str__(self) -> str:
        known = f"{self.remaining} of {self.total} codes {'fit' if self.remaining > 1 else 'fits'}"
        if self.solved:
            return f"{self.guess} is the secret: solved."
        if self.remaining == 1:
            return f"{known}: the secret is certainly {self.guess}."
        chance = "may be the secret" if self.candidate else "cannot be the secret"
        return f"{known}. Best guess: {self.guess} ({self.entropy:.4f} bits, {chance})."


class Board:
    """A game of Mastermind or Bulls and Cows in progress, advised by the policy `entropy`.

    The shipped book of the game is used if there is one; otherwise every guess is computed.

    >>> board = Board()
    >>> board.add_guess(("R", "Y", "G", "B"), (1, 1, 2))
    >>> board.add_guess(("R", "G", "O", "P"), (0, 2, 2))
    >>> print(board.best_next_guess())
    57 of 1296 codes fit. Best guess: PYYG (3.4511 bits, may be the secret).

    Args:
        pegs, colors, repeats, symbols: as in `Mastermind`.

    Raises:
        InvalidGameError: numbers or symbols that make no game.
    """

    def __init__(
        self, pegs: int = 4, colors: int = 6, repeats: bool = True, symbols: str | None = None
    ) -> None:
        self.game = Mastermind(pegs, colors, repeats, symbols)
        self.history: list[tuple[str, str]] = []
        self._book = _shipped_book(self.game)

    def __repr__(self) -> str:
        made = " ".join([f"{guess}={feedback}" for guess, feedback in self.history])
        return f"<Board {self.game.name}: {made or 'no guesses so far'}>"

    def _repr_html_(self) -> str:
        """The guesses and their feedbacks as a table, which a notebook shows."""
        from html import escape

        rows = [f"<tr><td>{escape(g)}</td><td>{escape(f)}</td></tr>" for g, f in self.history]
        empty = f"<caption>{self.game.name}: no guesses so far</caption>"
        return f"<table>{''.join(rows) or empty}</table>"

    def add_guess(self, guess: str | Sequence[str], feedback: object) -> None:
        """Note a guess and its feedback: (black, white, grey), (black, white) or `"1,1"`.

        Raises:
            InvalidCodeError, InvalidFeedbackError: the game does not know it; nothing is noted.
        """
        code = self.game.guesses[self.game.parse_code(guess)]
        number = self.game.parse_feedback(feedback)
        self.history.append((code, self.game.format_feedback(number)))

    def best_next_guess(self) -> BestGuess:
        """The best next guess, what remains, and how much the guess is expected to tell.

        Raises:
            InconsistentFeedbackError: no code fits; its message says which answers to re-check,
                its `suspects` are their positions in `history`.
        """
        hint = answer(self.game, POLICY, self.history, self._book)
        return BestGuess(
            hint.remaining,
            len(self.game.secrets),
            hint.guess,
            hint.entropy,
            hint.candidate,
            hint.solved,
        )


def _shipped_book(game: Mastermind) -> Strategy | None:
    if game.name not in shipped_books():
        return None
    book = read_strategy(game.name)
    return book if book.game == game and book.stats.policy == POLICY else None

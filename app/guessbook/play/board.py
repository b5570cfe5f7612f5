"""The class `Board`, which suggests guesses for Mastermind and Bulls and Cows by the policy `entropy`."""

from collections.abc import Sequence

from guessbook.book.games.codes import Mastermind
from guessbook.book.strategy import read_strategy, shipped_books
from guessbook.lookup.hint import Hint, hint_for

POLICY = "entropy"


class Board:
    """A game of Mastermind or Bulls and Cows in progress, with a method that suggests the next guess.

    The policy is `entropy`. Its guesses come from the shipped book of the game; without a book, they are computed.

    >>> board = Board()
    >>> board.add_guess(("R", "Y", "G", "B"), (1, 1, 2))
    >>> board.add_guess(("R", "G", "O", "P"), (0, 2, 2))
    >>> print(board.best_next_guess())
    57 candidates. Guess PYYG: 3.4511 bits, 1.75% to be the secret.

    Args:
        pegs, colors, repeats, symbols: the rules of the game, as for `Mastermind`.

    Raises:
        InvalidGameError: the arguments do not describe a valid game.
    """

    def __init__(
        self, pegs: int = 4, colors: int = 6, repeats: bool = True, symbols: str | None = None
    ) -> None:
        self.game = Mastermind(pegs, colors, repeats, symbols)
        self.history: list[tuple[str, str]] = []
        book = read_strategy(self.game.name) if self.game.name in shipped_books() else None
        same = book is not None and book.game == self.game and book.stats.policy == POLICY
        self._book = book if same else None

    def __repr__(self) -> str:
        made = " ".join(map("=".join, self.history)) or "no guesses so far"
        return f"<Board {self.game.name}: {made}>"

    def _repr_html_(self) -> str:
        from html import escape

        rows = [f"<tr><td>{escape(g)}</td><td>{escape(f)}</td></tr>" for g, f in self.history]
        empty = f"<caption>{self.game.name}: no guesses so far</caption>"
        return f"<table>{''.join(rows) or empty}</table>"

    def add_guess(self, guess: str | Sequence[str], feedback: object) -> None:
        """Add a guess and its feedback. A feedback is (black, white), (black, white, grey) or text such as `"1,1"`.

        Raises:
            InvalidCodeError, InvalidFeedbackError: the guess or feedback is invalid. The history remains unchanged.
        """
        code = self.game.guesses[self.game.parse_code(guess)]
        number = self.game.parse_feedback(feedback)
        self.history.append((code, self.game.format_feedback(number)))

    def best_next_guess(self) -> Hint:
        """Return the best next guess, its expected information, and the number of candidates.

        Raises:
            InconsistentFeedbackError: no code fits the history. The attribute `suspects` of the error has the indices
                in `history` of the guesses and feedbacks to re-check.
        """
        return hint_for(self.game, POLICY, self.history, self._book)

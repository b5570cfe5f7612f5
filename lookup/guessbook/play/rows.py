"""The rows of a session: guesses and feedbacks in their order, and the grid of them to share."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from guessbook.book.errors import UsageError, counted, quote
from guessbook.book.games.beyond import read_entries, text_of
from guessbook.book.games.game import Game, History, called, feedback_to
from guessbook.play.display import display_of

# The guesses and feedbacks of a history.
Entries: TypeAlias = list[tuple[str, str]]


class Row(NamedTuple):
    """One guess of a session and its feedback.

    Attributes:
        guess: the code.
        feedback: as people write it.
        aside: whether it is set aside: kept, but not believed.
    """

    guess: str
    feedback: str
    aside: bool = False


def rows_of(game: Game, history: object) -> list[Row]:
    """Return the rows of a history, in its order.

    A guess that is made twice gives two rows, although a hint counts it once.
    """
    known, pairs = read_entries(game, history)
    return [Row(known.guesses[guess], game.format_feedback(feedback)) for guess, feedback in pairs]


def row_at(rows: Sequence[Row], number: int) -> Row:
    """Return the row of that number, counted from 0. Raises UsageError if there is none."""
    if type(number) is not int:
        raise UsageError(f"found row {quote(number)}, expected a number, counted from 0")
    if not 0 <= number < len(rows):
        due = f"expected 1 to {len(rows)}" if rows else "but nothing has been answered yet"
        raise UsageError(f"found row {number + 1}, {due}")
    return rows[number]


def replaced(rows: Sequence[Row], number: int, new: Row, twins: bool) -> tuple[Row, ...]:
    """Return the rows with one row replaced, and equal rows too if wanted."""
    old = rows[number]
    changed = [k == number or (twins and row == old) for k, row in enumerate(rows)]
    return tuple([new if its else row for its, row in zip(changed, rows, strict=True)])


def html(game: Game, rows: Sequence[Row]) -> str:
    """Return the rows as a table of HTML, for notebooks: number, guess, feedback drawn and written.

    >>> from guessbook.book import Mastermind
    >>> html(Mastermind(4, 6), [Row("RYGB", "1,1")])
    '<table><tr><td>1</td><td><code>RYGB</code></td><td>●○··</td><td>1,1</td></tr></table>'
    """
    from html import escape

    display = display_of(game)
    lines = [
        f"<tr><td>{number}</td><td><code>{escape(row.guess)}</code></td>"
        f"<td>{escape(display.shared(game.parse_feedback(row.feedback)))}</td>"
        f"<td>{'<s>' * row.aside}{escape(row.feedback)}{'</s>' * row.aside}</td></tr>"
        for number, row in enumerate(rows, 1)
    ]
    empty = f"<caption>{escape(game.name)}: no guesses so far</caption>"
    return f"<table>{''.join(lines) or empty}</table>"


def check_order(game: Game, history: list[tuple[str, str]], purpose: str) -> None:
    """Raise UsageError if there is no guess, or one after the guess that solved the game."""
    if not history:
        raise UsageError(f"found no guess to {purpose}; give at least one GUESS=FEEDBACK")
    for number, (guess, feedback) in enumerate(history, 1):
        if game.parse_feedback(feedback) == game.solved and number < len(history):
            raise UsageError(
                f"found more guesses after {called(game, guess)}={feedback}, which solved the "
                "game; give the guesses in their order, that one last"
            )


def share(game: Game, boards: Sequence[History], ascii_only: bool = False, day: str = "") -> str:
    """Return the grid of a game: a title, then an empty line and rows of feedbacks for each board.

    >>> from guessbook.book import Mastermind, parse_history
    >>> game = Mastermind(4, 6)
    >>> print(share(game, [parse_history(game, "RYGB=1,1 RGOP=4,0")]))
    Guessbook mastermind-4x6 2 guesses
    <BLANKLINE>
    ●○··
    ●●●●

    Args:
        game: the game.
        boards: the guesses of each board, in their order.
        ascii_only: write pegs as B, W and `.`, and squares as digits.
        day: whose secret it was; empty if no day's.
    """
    several = f"{len(boards)} boards" if len(boards) > 1 else ""
    count = counted(max(map(len, boards)))
    solved = all(any(feedback == game.solved for _, feedback in board) for board in boards)
    title = [game.name, several, day, count if solved else f"{count}, not solved"]
    lines = ["Guessbook " + " ".join(filter(None, title))]
    for board in boards:
        lines += ["", *[display_of(game).shared(feedback, ascii_only) for _, feedback in board]]
    return "\n".join(lines)


class Rows:
    """The guesses and feedbacks entered so far, with methods to correct them.

    Attributes:
        game: the game.
    """

    game: Game
    _rows: tuple[Row, ...]

    def __repr__(self) -> str:
        rows = [f"{row.guess}={row.feedback}{' (set aside)' * row.aside}" for row in self.rows]
        return f"<Session {self.game.name}: {' '.join(rows) or 'no guesses so far'}>"

    def _repr_html_(self) -> str:
        """Return the rows as a table, which a notebook shows."""
        return html(self.game, self.rows)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The guesses and feedbacks so far, including rows that are set aside."""
        return self._rows

    @property
    def history(self) -> Entries:
        """The rows that are not set aside, as (guess, feedback) pairs of texts."""
        return [(row.guess, row.feedback) for row in self.rows if not row.aside]

    def restore(self, rows: Iterable[Row]) -> None:
        """Replace the rows by the rows of an earlier session."""
        self._rows = tuple(rows)

    def undo(self) -> Row:
        """Take the last row back, and return it. Raises UsageError if there is none."""
        if not self.rows:
            raise UsageError("found no guess to take back: nothing has been answered yet")
        last, self._rows = self._rows[-1], self._rows[:-1]
        return last

    def edit(self, row: int, guess: str | Sequence[str] | None, feedback: object) -> Row:
        """Correct a row, and count it again; return the new row.

        Identical rows are one entry: their feedback is corrected together.

        Args:
            row: which one, counted from 0.
            guess: the corrected guess; None if the guess was right.
            feedback: the corrected feedback.

        Raises:
            UsageError: there is no such row.
            InvalidCodeError, InvalidFeedbackError: the game does not know it; nothing changes.
        """
        old = row_at(self.rows, row)
        number = feedback_to(self.game, old.guess if guess is None else guess, feedback)
        code = old.guess if guess is None else text_of(self.game, guess)
        new = Row(code, self.game.format_feedback(number))
        self._rows = replaced(self.rows, row, new, twins=guess is None)
        return new

    def reguess(self, row: int, guess: str) -> None:
        """Correct the guess of a row alone, which stays believed or set aside."""
        new = row_at(self.rows, row)._replace(guess=text_of(self.game, guess))
        self._rows = replaced(self.rows, row, new, twins=False)

    def set_aside(self, row: int) -> Row:
        """Set a row aside, or count it again; return the new row.

        Identical rows are one entry, and are set aside together.

        Raises:
            UsageError: there is no such row.
        """
        old = row_at(self.rows, row)
        new = old._replace(aside=not old.aside)
        self._rows = replaced(self.rows, row, new, twins=True)
        return new

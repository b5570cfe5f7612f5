"""The rows of a session (its guesses and feedbacks), and functions that show and share them."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from guessbook.book.errors import UsageError, quantity, quote
from guessbook.book.games.beyond import read_entries
from guessbook.book.games.game import Game, History, called
from guessbook.play.display import display_of

# An entry is a (guess, feedback) pair of texts.
Entries: TypeAlias = list[tuple[str, str]]


class Row(NamedTuple):
    """One guess of a session and its feedback.

    Attributes:
        guess: the code.
        feedback: the feedback as text, such as "1,1".
        aside: whether the row is set aside: stored, but excluded from the history.
    """

    guess: str
    feedback: str
    aside: bool = False


def rows_of(game: Game, history: object) -> list[Row]:
    """Return a row for each entry of a history, in the order of the history."""
    known, pairs = read_entries(game, history)
    return [Row(known.guesses[guess], game.format_feedback(feedback)) for guess, feedback in pairs]


def row_at(rows: Sequence[Row], number: int) -> Row:
    """Return the row with the index `number`, or raise UsageError if there is no such row."""
    if type(number) is not int:
        raise UsageError(f"found row {quote(number)}, expected the index of a row, counted from 0")
    if not 0 <= number < len(rows):
        due = (
            f"expected a row from 1 to {len(rows)}"
            if rows
            else "but nothing has been answered yet; add a guess"
        )
        raise UsageError(f"found row {number + 1}, {due}")
    return rows[number]


def html(game: Game, rows: Sequence[Row]) -> str:
    """Return the rows as an HTML table, for notebooks."""
    from html import escape

    display = display_of(game)
    lines = [
        f"<tr><td>{number}</td><td><code>{escape(row.guess)}</code></td>"
        f"<td>{escape(display.share_line(game.parse_feedback(row.feedback)))}</td>"
        f"<td>{'<s>' * row.aside}{escape(row.feedback)}{'</s>' * row.aside}</td></tr>"
        for number, row in enumerate(rows, 1)
    ]
    empty = f"<caption>{escape(game.name)}: no guesses so far</caption>"
    return f"<table>{''.join(lines) or empty}</table>"


def check_order(game: Game, history: list[tuple[str, str]], purpose: str) -> None:
    """Raise UsageError if the history is empty, or if it has more guesses after the feedback "solved"."""
    if not history:
        raise UsageError(f"found no guess to {purpose}; give at least one GUESS=FEEDBACK")
    for guess, feedback in history[:-1]:
        if game.parse_feedback(feedback) == game.solved:
            solved = f"{called(game, guess)}={feedback}, which solved the game"
            raise UsageError(
                f"found more guesses after {solved}; remove them, or correct this feedback"
            )


def share(game: Game, boards: Sequence[History], ascii_only: bool = False, day: str = "") -> str:
    """Return a text to share: a title, then the feedbacks of each board, one in a line.

    >>> from guessbook.book import Mastermind, parse_history
    >>> game = Mastermind(4, 6)
    >>> print(share(game, [parse_history(game, "RYGB=1,1 RGOP=4,0")]))
    Guessbook mastermind-4x6 2 guesses
    <BLANKLINE>
    ●○··
    ●●●●

    `ascii_only` replaces drawn pegs and squares by ASCII characters. `day` is the date of a daily secret.
    """
    several = f"{len(boards)} boards" if len(boards) > 1 else ""
    count = quantity(max(map(len, boards)))
    solved = all(any(feedback == game.solved for _, feedback in board) for board in boards)
    title = [game.name, several, day, count if solved else f"{count}, not solved"]
    lines = ["Guessbook " + " ".join(filter(None, title))]
    for board in boards:
        lines += ["", *[display_of(game).share_line(feedback, ascii_only) for _, feedback in board]]
    return "\n".join(lines)

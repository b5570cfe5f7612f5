"""The command `hint`, which prints the next guess."""

from functools import partial

from guessbook.book.games.beyond import only_one
from guessbook.book.games.game import called
from guessbook.book.games.weights import secret_weights
from guessbook.book.plugins import load
from guessbook.command.arguments import JSON, HistoryArguments
from guessbook.command.output import show
from guessbook.lookup import Book
from guessbook.lookup.hint import Hint
from guessbook.lookup.interruptible import run_interruptibly


def hint(told: HistoryArguments, json: bool = JSON) -> None:
    """Print the next guess and its expected results.

    If the book covers your history, or your history after an exchange of symbols or positions, the guess is from the
    book. Otherwise the guess is computed. The order of entries does not matter.

    Write feedback as black,white: RYGB=1,1 or RYGB=1B1W; as black,white,grey: RYGB=1,1,2; as pegs: RYGB=BW.. (a point
    for each grey peg); or as a digit for each peg: RYGB=0012 (2 right place, 1 right symbol, 0 neither).

    Example: guessbook hint RYGB=1,1 RGOP=0,2
    """
    found, history = told.source()
    ask = partial(found.book.hint, history)
    if told.refused:
        # A session is needed only if the real game refused guesses. Other hints start faster without this import.
        ask = load("guessbook.play.session:Session")(found.book, history, refused=told.refused).hint
    answer = run_interruptibly("Choosing a guess", ask)
    show(answer if json else _describe(answer, found.book))


def _describe(answer: Hint, book: Book) -> list[str]:
    """Return a hint as lines of text."""
    if answer.solved:
        return [f"guess       {called(book.game, answer.guess)}", "solved: this is the secret"]
    total, beyond = len(book.game.secrets), ""
    if answer.source == "guesses":
        total, beyond = len(book.game.guesses), ": no secret fits, but other guesses do"
    if answer.remaining == 1:
        note = f", {only_one(book.game, answer.others, answer.source == 'guesses')}"
    else:
        note = f", {'may' if answer.candidate else 'cannot'} be the secret"
        weighted = secret_weights(book.game) is not None
        note += f": {answer.chance:.2%}" if weighted and answer.candidate else ""
    lines = [
        f"guess       {called(book.game, answer.guess)}{note}",
        f"candidates  {answer.remaining:,} of {total:,}",
        f"entropy     {answer.entropy:.4f} bits",
        f"source      {answer.source}{beyond}",
    ]
    if answer.win is not None:
        lines.append(f"win         {answer.win:.2%} within the guesses that are left")
    return lines

"""The commands that look at a history: explain, rate, review and share."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from guessbook.book.book import DEFAULT_BOOK
from guessbook.book.errors import UsageError
from guessbook.command.arguments import AsJson, BookOption
from guessbook.play.session import Session
from guessbook.play.terminal.drawing import columns_wide as width
from guessbook.play.terminal.drawing import lenient

__all__ = ["explain", "plain", "rate", "review", "share"]

HistoryText = Annotated[
    list[str] | None,
    typer.Argument(metavar="GUESS=FEEDBACK", help="What was guessed and answered, in order."),
]
Count = Annotated[
    int, typer.Option(min=1, max=1000, metavar="N", help="How many guesses are listed.")
]


def explain(
    history: HistoryText = None,
    book: BookOption = DEFAULT_BOOK,
    guess: Annotated[
        str | None,
        typer.Option(metavar="CODE", help="Explain this guess instead of the suggested one."),
    ] = None,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Find the best pairs of guesses instead.")
    ] = False,
    count: Count = 10,
    json: AsJson = False,
) -> None:
    """Say why a guess is the one to make.

    Prints its partition: each feedback with the candidates that give it, its probability, what it
    tells, and how the entropy adds up; then the best guesses with their numbers under each policy.

    Example: guessbook explain RYGB=1,1 RGOP=0,2
    """
    from guessbook.play.terminal.report import explanation_lines, pair_lines

    session = Session(book, history or [])
    if pairs:
        if guess is not None:
            raise UsageError("found --pairs and --guess, expected one of them")
        found = session.best_pairs(count)
        show({"pairs": plain(found)} if json else pair_lines(found, width()))
        return
    why = session.explain(guess, count)
    show(plain(why) if json else explanation_lines(why, width()))


def rate(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GUESS=FEEDBACK]... GUESS",
            help="What was guessed and answered, then the guess to rate.",
        ),
    ] = None,
    pair: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="A B", help="Rate two guesses that are made one after the other."),
    ] = None,
    book: BookOption = DEFAULT_BOOK,
    json: AsJson = False,
) -> None:
    """Rate a guess against the best one.

    The score, 0 to 100, compares the information that the guess is expected to give with that of
    the best one; docs/playing.md defines it.

    Example: guessbook rate RYGB=1,1 RGOP=0,2 YYYY
    """
    from guessbook.play.terminal.report import pair_lines, rating_lines

    given = list(words or [])
    if pair is not None:
        both = Session(book, given).rate_pair(*pair)
        show(plain(both) if json else pair_lines([both], width()))
        return
    if not given or "=" in given[-1]:
        raise UsageError("found no guess to rate; give it last, after the history, without '='")
    found = Session(book, given[:-1]).rate(given[-1])
    show(plain(found) if json else rating_lines(found))


def review(
    history: HistoryText = None,
    book: BookOption = DEFAULT_BOOK,
    secret: Annotated[
        str | None, typer.Option(metavar="CODE", help="The secret, if the game was not solved.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Look back at a game, finished or not.

    For each guess: the information it was expected to give and did give, the best guess, skill and
    luck, each 0 to 100; at the end what the policy would have played. docs/playing.md defines them.

    Example: guessbook review RRYY=0,1 RGGG=0,0 BYBO=2,2 BBOY=0,4 OYBB=4,0
    """
    from guessbook.play.terminal.report import review_lines

    found = Session(book, history or []).review(secret)
    show(plain(found) if json else review_lines(found, width()))


def share(
    history: HistoryText = None,
    book: BookOption = DEFAULT_BOOK,
    ascii_only: Annotated[
        bool, typer.Option("--ascii", help="Write B, W and . for pegs, digits for squares.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Write the grid of a game, to share it.

    The grid has its pegs or squares, and nothing of its codes.

    Example: guessbook share RYGB=1,1 RGOP=0,2 PYYG=2,1 GYYO=4,0
    """
    import sys

    from guessbook.play.terminal.drawing import can_show

    session = Session(book, history or [])
    plainly = ascii_only or (not json and not can_show("●○·🟩", sys.stdout.encoding))
    grid = session.share(plainly)
    session.suggest()  # an inconsistent history has no grid
    if json:
        known = {"game": session.game.name, "guesses": len(session.rows), "solved": session.solved}
        show({**known, "rows": grid.splitlines()[2:], "text": grid})
    else:
        show(grid.splitlines())


def plain(value: Any) -> Any:
    """A value with its named tuples as maps: what JSON can hold."""
    if hasattr(value, "_asdict"):
        return {key: plain(item) for key, item in value._asdict().items()}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def show(found: Any) -> None:
    """Print lines as they are, and anything else as JSON."""
    import json

    # Not `typer.echo`, which writes UTF-8 to an output that asks for ASCII.
    lenient()
    if isinstance(found, list):
        print("\n".join(found), flush=True)
    else:
        print(json.dumps(found), flush=True)

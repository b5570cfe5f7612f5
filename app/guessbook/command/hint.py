"""The command `hint`, which prints the next guess."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from guessbook.book.errors import printable
from guessbook.book.games.game import NOT_KNOWN, only_one, parse_history, read_history
from guessbook.command.options import (
    BOOK_OF_HISTORY,
    HISTORY,
    JSON,
    REFUSED,
    Arguments,
    read_arguments,
    read_refused,
)
from guessbook.command.output import say, show
from guessbook.front import Book
from guessbook.lookup.hint import Hint, hint_for, walk


def hint(
    words: list[str] | None = HISTORY,
    book: str | None = BOOK_OF_HISTORY,
    refused: Path | None = REFUSED,
    json: bool = JSON,
) -> None:
    """Print the next guess and its expected results.

    If the book covers your history, or an equivalent one with symbols or positions permuted, the
    guess comes from the book. Otherwise it is computed. The order of entries does not matter.

    Write feedback as black,white: RYGB=1,1 or RYGB=1B1W; as black,white,grey: RYGB=1,1,2; as pegs:
    RYGB=BW.. (a dot for each grey peg); or as a digit for each peg: RYGB=0012 (2 right place, 1
    right symbol, 0 neither).

    Write feedback to words as letters or squares: `guessbook hint wordle crane=.y..g`, with a dot
    (or b, - or x) for a letter that is absent, y (yellow) for one elsewhere and g (green) for one
    in place.

    Example: guessbook hint RYGB=1,1 RGOP=0,2
    """
    asked = read_arguments(words, book)
    if refused is not None:
        asked.refused.extend(read_refused(asked.source.book.game, refused))
        if not refused.exists():
            say(f"{printable(refused)} does not exist yet, so no word is refused")
    answer = find_hint(asked)
    show(answer if json else hint_lines(answer, asked))


def find_hint(asked: Arguments) -> Hint:
    """Return the hint for a history; while it is computed, Ctrl-C can stop it."""
    book = asked.source.book
    game, history = read_history(book.game, asked.history)
    work = asked.session().hint if asked.refused else partial(hint_for, game, None, history, book)
    if not asked.refused and walk(book.tree, history) >= 0:
        return work()
    # A hint from the book must not load the engine.
    from guessbook.play.terminal.interruptible import run_interruptibly

    return run_interruptibly("Choosing a guess", work)


def hint_lines(answer: Hint, asked: Arguments) -> list[str]:
    book = asked.source.book
    if book.game.identification is not None:
        return _test_lines(answer, book, asked.history)
    if answer.solved:
        return [f"guess       {book.game.display_name(answer.guess)}", "solved: this is the secret"]
    among_guesses = answer.source == "guesses"
    codes = book.game.guesses if among_guesses else book.game.secrets
    beyond = ": no secret fits, but other guesses do" if among_guesses else ""
    if answer.remaining == 1:
        note = f", {only_one(book.game, answer.others, among_guesses)}"
    else:
        note = f", {'may' if answer.candidate else 'cannot'} be the secret"
        if answer.candidate and book.game.weights is not None:
            note += f": {answer.chance:.2%}"
    lines = [
        f"guess       {book.game.display_name(answer.guess)}{note}",
        f"candidates  {answer.remaining:,} of {len(codes):,}",
        f"entropy     {answer.entropy:.4f} bits",
        f"source      {answer.source}{beyond}",
    ]
    if answer.win is not None:
        lines.append(f"win         {answer.win:.2%} within the guesses that are left")
    return lines


def _test_lines(answer: Hint, book: Book, history: object) -> list[str]:
    """Return the next test, or the outcome, as lines of text."""
    found = book.game.identification
    assert found is not None
    # Imported here because other hints do not need these modules.
    from guessbook.policy.candidates import candidates_of
    from guessbook.policy.identification import things_of

    pairs = parse_history(book.game, history)
    known = [pair for pair in dict.fromkeys(pairs) if pair[1] != NOT_KNOWN]
    # `answer.remaining` counts each copy of a thing with unknown answers.
    left = {found.things[k] for k in things_of(book.game, candidates_of(book.game, known))}
    count = f"{len(left):,} of {len({*found.things}):,}"
    if answer.outcome is not None:
        return [f"outcome     {answer.outcome}", f"things      {count}"]
    lines = [
        f"test        {answer.guess}",
        f"things      {count}",
        f"tells       {answer.entropy:.4f} bits about the outcome",
        f"source      {answer.source}",
    ]
    if found.priced:
        lines.insert(1, f"cost        {answer.cost:,}")
    if answer.win is not None:
        lines.append(f"win         {answer.win:.2%} within the cost that is left")
    return lines


COMMANDS: dict[str, Callable[..., None]] = {"hint": hint}

"""Guesses that the list of a game lacks, and guesses that may be the secret after all.

A game that somebody else runs may have other lists than a book. An answer to a guess is information
even if the list lacks the guess, and if no secret fits all answers, another guess may. Games of
words have `knowing`, `among_guesses` and `listed_guesses` for this; other kinds need not.
"""

import re
from collections.abc import Sequence
from contextlib import suppress

from guessbook.book.errors import InvalidCodeError, InvalidFeedbackError
from guessbook.book.games.game import (
    MAX_ENTRY,
    Entry,
    Game,
    History,
    entries_of,
    parse_entry,
    splits,
)


def read_history(game: Game, history: object) -> tuple[Game, History]:
    """Return the game that knows all guesses of a history, and the history as `parse_history` does.

    Guesses that the list lacks are added after it; the secrets stay.

    >>> from guessbook.book import WordGame
    >>> known, pairs = read_history(WordGame(["light", "eight"]), ["zzzzz=00000", "light=22222"])
    >>> known.guesses, pairs
    (('light', 'eight', 'zzzzz'), [(2, 0), (0, 242)])

    Raises:
        InvalidCodeError: a guess that no game of this kind could have.
        InvalidFeedbackError: a feedback that the game never gives.
    """
    known, pairs = read_entries(game, history)
    return known, list(dict.fromkeys(pairs))


def read_entries(game: Game, history: object) -> tuple[Game, History]:
    """Return the game that knows a history's guesses, and a pair for each of its entries."""
    entries = entries_of(history)
    try:
        return game, [parse_entry(game, entry) for entry in entries]
    except InvalidCodeError:
        if not hasattr(game, "knowing"):
            raise
        guesses = [guess for entry in entries for guess in _guess(game, entry)]
        known: Game = game.knowing(guesses)
        return known, [parse_entry(known, entry) for entry in entries]


def text_of(game: Game, code: object) -> str:
    """Return a guess as the game writes it, in its list or not. Raises InvalidCodeError."""
    solved = game.format_feedback(game.solved)
    known, ((guess, _),) = read_history(game, [(code, solved)])
    return known.guesses[guess]


def number_between(game: Game, guess: object, secret: object) -> int:
    """Return the number of the feedback of a secret to a guess, both as people write them.

    Raises InvalidCodeError if one is no code of the game, or `secret` is never the secret.
    """
    code = text_of(game, secret)
    # If no secret fits, words that are not in the list of secrets may be the secret.
    if not hasattr(game, "among_guesses") and code not in game.secrets:
        raise InvalidCodeError(f"found secret {code}, which may be guessed but is never the secret")
    return game.feedback_number(text_of(game, guess), code)


def among_guesses(game: Game) -> Game | None:
    """Return the game in which each guess may be the secret; None if that is the game itself."""
    more: Game | None = game.among_guesses() if hasattr(game, "among_guesses") else None
    return more


def others_fitting(
    game: Game, history: History, remaining: int, but: Sequence[str] = ()
) -> int | None:
    """Return the number of other guesses that fit when a single secret does.

    >>> from guessbook.book import WordGame
    >>> others_fitting(WordGame(["light", "geese"], ["night"]), [(2, 81)], 1)
    1

    Args:
        game: the game.
        history: the guesses made and their feedbacks.
        remaining: the number of secrets that fit. Unless it is 1, the result is None; the result is
            None also if every guess may be the secret.
        but: guesses that do not count.
    """
    if remaining != 1 or not hasattr(game, "among_guesses") or among_guesses(game) is None:
        return None
    # A search by letters in place leaves few of 13,000 words to compare.
    answers = [(game.guesses[guess], feedback) for guess, feedback in history]
    near = "".join([_letters(game, *answer) for answer in answers])
    lines = "\n".join(game.guesses)
    return -1 + sum(
        all(game.feedback_number(guess, word) == feedback for guess, feedback in answers)
        for word in re.findall(f"(?m)^{near}.+", lines)
        if word not in but
    )


def _letters(game: Game, guess: str, feedback: int) -> str:
    """Return a regular expression: words with these letters of a guess in place, no others."""
    marks = zip(map(re.escape, guess), game.format_feedback(feedback), strict=True)
    return f"(?={''.join([x if mark == '2' else f'[^{x}]' for x, mark in marks])})"


def only_one(game: Game, others: int | None, from_guesses: bool) -> str:
    """Return a text on the last candidate: certain, or the only one in a list that fits.

    >>> from guessbook.book import Mastermind, WordGame
    >>> only_one(Mastermind(4, 6), None, False), only_one(WordGame(["light"]), None, False)
    ('certain, the only secret that fits', 'the only secret in the list that fits')
    >>> only_one(WordGame(["light", "geese"], ["eight"]), 1, False)
    'the only one of the 2 likely answers that fits; 1 other word fits, too'

    Args:
        game: the game.
        others: the number of other guesses that fit; see `others_fitting`.
        from_guesses: whether no secret fits, so that the candidates are guesses.
    """
    if not hasattr(game, "among_guesses"):
        return "certain, the only secret that fits"
    if from_guesses or others is None:
        return f"the only {'guess' if from_guesses else 'secret'} in the list that fits"
    more = f"{others:,} other words fit, too"
    if others < 2:
        more = "1 other word fits, too" if others else "no other word fits"
    return f"the only one of the {len(game.secrets):,} likely answers that fits; {more}"


def listed_guesses(game: Game) -> range:
    """Return the indices of the guesses in the game's own list: a hint names no others."""
    return range(getattr(game, "listed", len(game.guesses)))


def _guess(game: Game, entry: Entry) -> list[object]:
    """Return the guess of an entry in a list; an empty list if it is no entry."""
    if not isinstance(entry, str):
        return [entry[0]]
    parts = list(splits(entry[:MAX_ENTRY]))
    for guess, feedback in parts:
        with suppress(InvalidFeedbackError):
            game.parse_feedback(feedback)
            return [guess]
    return [guess for guess, _ in parts[:1]]

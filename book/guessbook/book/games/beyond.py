"""Guesses that the list of a game lacks, and guesses that may be the secret nevertheless.

A game that somebody else runs may have other lists than a book. The answer to an unlisted guess is
information, and if no secret fits all answers, another guess may. Word games have for this:

- `knowing(codes)`: the game with more guesses; `listed` is the number of guesses in its list;
- `among_guesses()`: the game in which every guess may be the secret.
"""

import re
from collections.abc import Sequence
from contextlib import suppress

from guessbook.book.errors import InvalidCodeError, InvalidFeedbackError
from guessbook.book.games.game import MAX_ENTRY, Entry, Game, History, entries_of, parse_entry, splits


def read_history(game: Game, history: object) -> tuple[Game, History]:
    """Return the game with all guesses of a history, and the history as `parse_history` does.

    Guesses that the list lacks are added at the end. Raises UsageError if it is no history of a game of this kind.

    >>> from guessbook.book import WordGame
    >>> known, pairs = read_history(WordGame(["light", "eight"]), ["zzzzz=00000", "light=22222"])
    >>> known.guesses, pairs
    (('light', 'eight', 'zzzzz'), [(2, 0), (0, 242)])
    """
    known, pairs = read_entries(game, history)
    return known, list(dict.fromkeys(pairs))


def read_entries(game: Game, history: object) -> tuple[Game, History]:
    """Return the game with all guesses of a history, and a pair for each of its entries."""
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
    """Return a guess, listed or not, as the game writes it. Raises InvalidCodeError."""
    solved = game.format_feedback(game.solved)
    known, ((guess, _),) = read_history(game, [(code, solved)])
    return known.guesses[guess]


def number_between(game: Game, guess: object, secret: object) -> int:
    """Return the number of the feedback of a secret to a guess, both as people write them.

    Raises InvalidCodeError if one is no code of the game, or `secret` is never the secret.
    """
    code = text_of(game, secret)
    # In word games any guess may be the secret if no listed secret fits.
    if not hasattr(game, "among_guesses") and code not in game.secrets:
        raise InvalidCodeError(f"found secret {code}, which may be guessed but is never the secret")
    return game.feedback_number(text_of(game, guess), code)


def among_guesses(game: Game) -> Game | None:
    """Return the game in which each guess may be the secret; None if that is the game itself."""
    return game.among_guesses() if hasattr(game, "among_guesses") else None


def others_fitting(game: Game, history: History, remaining: int, but: Sequence[str] = ()) -> int | None:
    """Return the number of guesses other than the secret that fit, except the guesses `but`.

    The result is None unless one secret remains and some guesses are never the secret.

    >>> from guessbook.book import WordGame
    >>> others_fitting(WordGame(["light", "geese"], ["night"]), [(2, 81)], 1)
    1
    """
    if remaining != 1 or among_guesses(game) is None:
        return None
    answers = [(game.guesses[guess], feedback) for guess, feedback in history]
    # Few of 13,000 words have the same letters in place. A regular expression finds these words.
    near = ""
    for guess, feedback in answers:
        marks = zip(map(re.escape, guess), game.format_feedback(feedback), strict=True)
        near += f"(?={''.join([x if mark == '2' else f'[^{x}]' for x, mark in marks])})"
    return -1 + sum(
        all(game.feedback_number(guess, word) == feedback for guess, feedback in answers)
        for word in re.findall(f"(?m)^{near}.+", "\n".join(game.guesses))
        if word not in but
    )


def only_one(game: Game, others: int | None, from_guesses: bool) -> str:
    """Return a text on the only candidate: it is certain, or the only one in a list that fits.

    `others` is the result of `others_fitting`. `from_guesses` says that the candidates are guesses,
    because no secret fits.

    >>> from guessbook.book import Mastermind, WordGame
    >>> only_one(Mastermind(4, 6), None, False), only_one(WordGame(["light"]), None, False)
    ('certain, the only secret that fits', 'the only secret in the list that fits')
    >>> only_one(WordGame(["light", "geese"], ["eight"]), 1, False)
    'the only one of the 2 likely answers that fits; 1 other word fits, too'
    """
    if not hasattr(game, "among_guesses"):
        return "certain, the only secret that fits"
    if from_guesses or others is None:
        return f"the only {'guess' if from_guesses else 'secret'} in the list that fits"
    some = {0: "no other word fits", 1: "1 other word fits, too"}
    more = some.get(others, f"{others:,} other words fit, too")
    return f"the only one of the {len(game.secrets):,} likely answers that fits; {more}"


def listed_guesses(game: Game) -> range:
    """Return the indices of the guesses in the game's own list, which hints may name."""
    return range(getattr(game, "listed", len(game.guesses)))


def _guess(game: Game, entry: Entry) -> list[object]:
    """Return a list with the guess of an entry; empty if it is no entry."""
    if not isinstance(entry, str):
        return [entry[0]]
    parts = list(splits(entry[:MAX_ENTRY]))
    for guess, feedback in parts:
        with suppress(InvalidFeedbackError):
            game.parse_feedback(feedback)
            return [guess]
    return [guess for guess, _ in parts[:1]]

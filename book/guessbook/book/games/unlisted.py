"""Histories with guesses that the game's list lacks, and histories that no listed secret fits.

Such histories occur if a player's game has other word lists than the book. For them, word games have two methods:

- `with_guesses(codes)`: the game with additional guesses; the attribute `listed` is the number of guesses without these;
- `among_guesses()`: the game in which every guess may be the secret.
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
    """Return a game that accepts all guesses of a history, and the history as (guess index, feedback number) pairs.

    The pairs are in the order of the entries, and repeated entries stay. Unlisted guesses are
    added to the game at the end. Raises UsageError for an invalid history.

    >>> from guessbook.book.games.words import WordGame
    >>> known, pairs = read_history(WordGame(["light", "eight"]), ["zzzzz=00000", "light=22222"])
    >>> known.guesses, pairs
    (('light', 'eight', 'zzzzz'), [(2, 0), (0, 242)])
    """
    entries = entries_of(history)
    try:
        return game, [parse_entry(game, entry) for entry in entries]
    except InvalidCodeError:
        if not game.has_open_lists:
            raise
        guesses = [guess for entry in entries for guess in _guess(game, entry)]
        known = game.with_guesses(guesses)
        return known, [parse_entry(known, entry) for entry in entries]


def text_of(game: Game, code: object) -> str:
    """Return a listed or unlisted guess in the game's own spelling. Raises InvalidCodeError for other texts."""
    solved = game.format_feedback(game.solved)
    known, ((guess, _),) = read_history(game, [(code, solved)])
    return known.guesses[guess]


def never_secret(code: str) -> str:
    """Return the error message for a code that was given as the secret, but that the game allows only as a guess."""
    return f"{code} may be guessed, but is never the secret of this game; give another secret"


def number_between(game: Game, guess: object, secret: object) -> int:
    """Return the feedback that `secret` gives to `guess`, as a number. Both are codes as people write them.

    Raises InvalidCodeError if a code is invalid, or if the game never has this secret.
    """
    code = text_of(game, secret)
    # In word games any guess may be the secret if no listed secret fits.
    if not game.has_open_lists and code not in game.secrets:
        raise InvalidCodeError(never_secret(code))
    return game.feedback_number(text_of(game, guess), code)


def others_fitting(
    game: Game, history: History, remaining: int, but: Sequence[str] = ()
) -> int | None:
    """If a history leaves only one candidate, return the number of other guesses that fit, without those in `but`.

    Return None if `remaining`, the number of candidates, is not 1, or if the game cannot be widened.

    >>> from guessbook.book.games.words import WordGame
    >>> others_fitting(WordGame(["light", "geese"], ["night"]), [(2, 81)], 1)
    1
    """
    if remaining != 1 or game.widened() is None:
        return None
    answers = [(game.guesses[guess], feedback) for guess, feedback in history]
    # Computing 13,000 feedbacks takes long, so a regular expression first selects words that fit the letters in place.
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
    """Return a text that says how certain the only remaining candidate is.

    `others` is the result of `others_fitting`; `from_guesses` is true if no secret fits, but one guess does.

    >>> from guessbook.book.games.codes import Mastermind
    >>> from guessbook.book.games.words import WordGame
    >>> only_one(Mastermind(4, 6), None, False), only_one(WordGame(["light"]), None, False)
    ('certain, the only secret that fits', 'the only secret in the list that fits')
    >>> only_one(WordGame(["light", "geese"], ["eight"]), 1, False)
    'the only one of the 2 likely answers that fits; 1 other word fits, too'
    """
    if not game.has_open_lists:
        return "certain, the only secret that fits"
    if from_guesses or others is None:
        return f"the only {'guess' if from_guesses else 'secret'} in the list that fits"
    some = {0: "no other word fits", 1: "1 other word fits, too"}
    more = some.get(others, f"{others:,} other words fit, too")
    return f"the only one of the {len(game.secrets):,} likely answers that fits; {more}"


def _guess(game: Game, entry: Entry) -> list[object]:
    """Return a list with the guess of an entry; return an empty list if the text is no entry."""
    if not isinstance(entry, str):
        return [entry[0]]
    parts = list(splits(entry[:MAX_ENTRY]))
    for guess, feedback in parts:
        with suppress(InvalidFeedbackError):
            game.parse_feedback(feedback)
            return [guess]
    return [guess for guess, _ in parts[:1]]

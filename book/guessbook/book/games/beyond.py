"""Beyond the lists of a game: guesses that its list lacks, and guesses that may be secrets.

The lists of a game in progress are those of its author, and a book may have others. An answer to a
guess is information whatever the list says, and where no secret fits all answers a guess may.
Games of words have `knowing`, `among_guesses` and `listed`; a kind of game without them has nothing
beyond.
"""

from __future__ import annotations

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
    """A history as `parse_history` gives it, and the game that knows all its guesses.

    What the list of guesses lacks stands after it: the game has those guesses and the same secrets.

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
    """Return a history as pairs, one for each entry, and the game that knows its guesses.

    Whatever takes a history reads it here.
    """
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
    """A guess as the game writes it, whether its list has it or not. Raises InvalidCodeError."""
    solved = game.format_feedback(game.solved)
    known, ((guess, _),) = read_history(game, [(code, solved)])
    return known.guesses[guess]


def number_between(game: Game, guess: object, secret: object) -> int:
    """The number of what a secret answers to a guess, both as people write them.

    Raises:
        InvalidCodeError: a code is none of the game, or `secret` is never the secret.
    """
    code = text_of(game, secret)
    # Where no secret fits, words that are never the secret may be it all the same.
    if not hasattr(game, "among_guesses") and code not in game.secrets:
        raise InvalidCodeError(f"found secret {code}, which may be guessed but is never the secret")
    return game.feedback_number(text_of(game, guess), code)


def among_guesses(game: Game) -> Game | None:
    """The game in which each guess may be the secret; None if there is no more to it."""
    more: Game | None = game.among_guesses() if hasattr(game, "among_guesses") else None
    return more


def only_one(game: Game, history: object, from_guesses: bool) -> str:
    """Say of what the last candidate is the only one: it is certain unless a list may lack others.

    >>> from guessbook.book import Mastermind, WordGame
    >>> only_one(Mastermind(4, 6), [], False), only_one(WordGame(["light"]), [], False)
    ('certain, the only secret that fits', 'the only secret in the list that fits')
    >>> only_one(WordGame(["light", "geese"], ["eight"]), "thing=11101", False)
    'the only one of the 2 likely answers that fits; 1 other word fits, too'

    Args:
        game: the game.
        history: the guesses made and their feedbacks.
        from_guesses: whether no secret fits, so that the candidates are guesses.
    """
    if not hasattr(game, "among_guesses"):
        return "certain, the only secret that fits"
    if from_guesses or len(game.secrets) == len(game.guesses):
        return f"the only {'guess' if from_guesses else 'secret'} in the list that fits"
    known, pairs = read_history(game, history)
    answers = [(known.guesses[guess], feedback) for guess, feedback in pairs]
    others = -1 + sum(
        all(known.feedback_number(guess, word) == feedback for guess, feedback in answers)
        for word in known.guesses
    )
    more = f"{others:,} other words fit, too"
    if others < 2:
        more = "1 other word fits, too" if others else "no other word fits"
    return f"the only one of the {len(game.secrets):,} likely answers that fits; {more}"


def listed(game: Game) -> range:
    """The guesses that a hint may name: those of the list, by their indices."""
    return range(getattr(game, "listed", len(game.guesses)))


def _guess(game: Game, entry: Entry) -> list[object]:
    """The guess of an entry; none if it is no entry, of which `parse_entry` complains."""
    if not isinstance(entry, str):
        return [entry[0]]
    parts = list(splits(entry[:MAX_ENTRY]))
    for guess, feedback in parts:
        with suppress(InvalidFeedbackError):
            game.parse_feedback(feedback)
            return [guess]
    return [guess for guess, _ in parts[:1]]

"""Beyond the lists of a game: guesses that its list lacks, and guesses that may be secrets.

The lists of a game in progress are those of its author, and a book may have others. An answer to a
guess is information whatever the list says, and where no secret fits all answers a guess may.
Games of words have `knowing`, `among_guesses` and `listed`; a kind of game without them has nothing
beyond.
"""

from __future__ import annotations

from collections.abc import Iterable

from guessbook.book.errors import InvalidCodeError
from guessbook.book.games.game import Game, History, parse_history


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
    entries = history
    if isinstance(history, str):
        entries = history.split()
    elif isinstance(history, Iterable):
        entries = list(history)
    try:
        return game, parse_history(game, entries)
    except InvalidCodeError:
        if not isinstance(entries, list) or not hasattr(game, "knowing"):
            raise
        known: Game = game.knowing([code for entry in entries for code in _codes(entry)])
        return known, parse_history(known, entries)


def text_of(game: Game, code: object) -> str:
    """A guess as the game writes it, whether its list has it or not. Raises InvalidCodeError."""
    solved = game.format_feedback(game.solved)
    known, ((guess, _),) = read_history(game, [(code, solved)])
    return known.guesses[guess]


def among_guesses(game: Game) -> Game | None:
    """The game in which each guess may be the secret; None if there is no more to it."""
    more: Game | None = game.among_guesses() if hasattr(game, "among_guesses") else None
    return more


def only_one(game: Game, from_guesses: bool) -> str:
    """Say of what the last candidate is the only one: it is certain unless a list may lack others.

    >>> from guessbook.book import Mastermind, WordGame
    >>> only_one(Mastermind(4, 6), False), only_one(WordGame(["light"], ["eight"]), False)
    ('certain, the only secret that fits', 'the only secret in the list that fits')

    Args:
        game: the game.
        from_guesses: whether no secret fits, so that the candidates are guesses.
    """
    if not hasattr(game, "among_guesses"):
        return "certain, the only secret that fits"
    return f"the only {'guess' if from_guesses else 'secret'} in the list that fits"


def listed(game: Game) -> range:
    """The guesses that a hint may name: those of the list, by their indices."""
    return range(getattr(game, "listed", len(game.guesses)))


def _codes(entry: object) -> list[object]:
    """The guess of an entry; none if it is no entry, of which `parse_history` complains."""
    if isinstance(entry, str):
        guess, equals, _ = entry.rpartition("=")
        return [guess] if equals else []
    return [entry[0]] if isinstance(entry, (tuple, list)) and len(entry) == 2 else []

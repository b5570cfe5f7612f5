"""The candidates: the secrets that fit a history, or how many they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessbook.book.games.codes import Mastermind

if TYPE_CHECKING:
    from guessbook.book.games.game import Game, History

__all__ = ["candidates_of", "count_candidates"]


def candidates_of(game: Game, history: History) -> list[str]:
    """Every secret that fits a history, in the order of the game.

    >>> from guessbook.book import parse_history
    >>> game = Mastermind(4, 6)
    >>> candidates_of(game, parse_history(game, "RYGB=1,1 RGOP=0,2 PYYG=2,1"))
    ['GYYO', 'GYPG', 'PYRY']
    """
    if not isinstance(game, Mastermind):
        from guessbook.policy.reference import consistent

        return consistent(game, history)
    if not history:
        return list(game.secrets)
    from guessbook.policy import sliced

    columns = sliced.candidates(game, history)
    symbols = str.maketrans({chr(rank): symbol for rank, symbol in enumerate(game.symbols)})
    letters = [column.decode("latin-1").translate(symbols) for column in columns]
    return ["".join(code) for code in zip(*letters, strict=True)]


def count_candidates(game: Game, history: History) -> int:
    """How many secrets fit a history; in a code game without writing them down."""
    if not isinstance(game, Mastermind):
        return len(candidates_of(game, history))
    from guessbook.policy import sliced

    return len(sliced.candidates(game, history)[0])

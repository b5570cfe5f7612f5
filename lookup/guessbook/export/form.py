"""The form: what differs between kinds of games in pictures, programs, pages and reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from guessbook.book.games.registry import companion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.book.games.game import Game
    from guessbook.export.plain import Form

__all__ = ["Program", "form_of"]


class Program(NamedTuple):
    """How programs write the codes of a book.

    Attributes:
        texts: what codes are made of: symbols, or the words that the tree guesses.
        guesses: the tree's column of guesses; words by their places in `texts`.
        rows: how many texts make a code.
        repeats: whether a text may be in a code twice.
        header: the file with the rules in C.
        script: the file with the rules in Python.
        constants: what that file needs. With a WIDTH (bytes) the texts follow the tree's columns.
    """

    texts: Sequence[str]
    guesses: Sequence[int]
    rows: int
    repeats: bool
    header: str
    script: str
    constants: dict[str, Any]


def form_of(game: Game) -> Form:
    """The form of a game, as its kind has it."""
    form: Form = companion(game, "form").Form(game)
    return form

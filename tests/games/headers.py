"""Books with an invalid description of their game."""

from __future__ import annotations

from functools import cache

import pytest

import guessbook as gb
from tests.helpers.content import Document, document, pack


@cache
def small_document() -> Document:
    """The content of a small book."""
    return document(gb.build(gb.Mastermind(1, 2)))


def refuses_header(header: object) -> None:
    """Check that a file with this description of its game is rejected."""
    with pytest.raises(
        gb.InvalidBookError, match=r"impossible game|game type|game .* is not a map"
    ):
        gb.open(pack({**small_document(), "game": header}))

"""True books to make false ones of: small ones of every kind, and two that are shipped."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgpack

from guessbook.book import Game, Mastermind, WordGame
from guessbook.book.file.compression import decompress
from guessbook.lookup import open_book
from tests.helpers.content import Document
from tests.helpers.plain import plain_book
from tests.helpers.tables import LAMP, MIXED, NUMBERS
from tests.helpers.tables import weighted as with_weights

SHIPPED = ("mastermind-4x6", "mastermind-5x8")


class Seed(NamedTuple):
    """A true book to make false ones of.

    Attributes:
        name: its game.
        blob: the file.
        content: what its frame holds.
    """

    name: str
    blob: bytes
    content: bytes

    @property
    def document(self) -> Document:
        """The content, unpacked, to be changed."""
        document: Document = msgpack.unpackb(self.content)
        return document


@cache
def seeds() -> list[Seed]:
    """Small books of every kind of game, and two of those that are shipped."""
    words = WordGame(["crane", "slate", "trace", "crate", "stare", "tears", "rates"])
    more = WordGame(["ёж", "уж", "ас", "ум"], ["ёж", "уж", "ас", "яд"], "loose")
    games: list[Game] = [Mastermind(2, 2), Mastermind(3, 4), Mastermind(3, 5, False)]
    weighted = WordGame(["ab", "ba", "cd", "ad"], weights=[500, 3, 1, 70000])
    games += [Mastermind(2, 5, symbols="αβγ🐄x"), words, more, weighted]
    games += [LAMP, MIXED, NUMBERS, with_weights(LAMP, [50, 3, 20, 9, 1])]
    books = [plain_book(game) for game in games]
    blobs = [book.to_bytes() for book in books]
    data = Path(__file__).resolve().parent.parent.parent / "data"
    blobs += [(data / f"{name}.book").read_bytes() for name in SHIPPED]
    return [Seed(open_book(blob).game.name, blob, decompress(blob)) for blob in blobs]

"""Feedbacks of code games in plain Python, for all candidates at once, as bytes of one integer.

A guess is split into parts, its symbols with their positions; a feedback number is a sum over the
parts.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from array import array
from collections.abc import Sequence
from itertools import pairwise

from guessbook.book.games.codes import Mastermind
from guessbook.book.games.game import Game
from guessbook.policy.search import search
from guessbook.policy.search.search import LANES, lane_bytes

# A symbol, and the positions where the guess has it, as bits.
Part = tuple[str, int]


def parts_of(guess: str) -> list[Part]:
    """Return the parts of a guess, in the order of their first letters.

    >>> parts_of("geese")
    [('g', 1), ('e', 22), ('s', 8)]
    """
    places: dict[str, int] = {}
    bit = 1
    for letter in guess:
        places[letter] = places.get(letter, 0) | bit
        bit <<= 1
    return list(places.items())


def count(sets: list[int], more: int) -> list[int]:
    """Add one to the counts of some candidates: sets[n] has those with n or more, as bits."""
    return [sets[0], *[same | less & more for less, same in pairwise(sets)], sets[-1] & more]


class PartSums(search.Sums):
    """The feedbacks of some candidates, as sums over the parts of a guess: see `search.Sums`."""

    __slots__ = ("_known", "_lane")

    def __init__(self, game: Game, candidates: Sequence[str]) -> None:
        super().__init__(game, candidates)
        self._known: dict[Part, int] = {}
        self._lane = lane_bytes(game)

    @abstractmethod
    def of(self, part: Part) -> int:
        """Return the summand of a part for each candidate, as the lanes of an integer."""

    def answers(self, guess: str) -> bytes | array[int]:
        """Return the feedback number that each candidate gives to a guess."""
        total = 0
        for part in parts_of(guess):
            if part not in self._known:
                self._known[part] = self.of(part)
            total += self._known[part]
        return self.lanes(total)

    def lanes(self, total: int) -> bytes | array[int]:
        """Return the lanes of an integer as a sequence of numbers, one a candidate."""
        data = total.to_bytes(self._lane * len(self.candidates), "little")
        if self._lane == 1:
            return data
        numbers = array(LANES[self._lane], data)
        if sys.byteorder == "big":
            numbers.byteswap()
        return numbers


class Sums(PartSums):
    """The feedbacks of some candidates of a code game: see `search.Sums`.

    A feedback number is at most 255: one byte a candidate. A symbol and its positions in a guess
    add pegs + 1 for each peg of either kind, and 1 for each black one.
    """

    __slots__ = ("_held", "_owned", "_pegs")

    def __init__(self, game: Mastermind, candidates: Sequence[str]) -> None:
        super().__init__(game, candidates)
        self._pegs = game.pegs
        every = int.from_bytes(b"\1" * len(candidates), "little")
        # _held[p][symbol]: 1 in the lanes of the candidates with that symbol at position p.
        ranks = {symbol: rank for rank, symbol in enumerate(game.symbols)}
        self._held: list[dict[str, int]] = []
        for position in range(game.pegs):
            column = bytes([ranks[code[position]] for code in candidates])
            self._held.append(
                {
                    game.symbols[rank]: int.from_bytes(column.translate(marks(rank)), "little")
                    for rank in set(column)
                }
            )
        # _owned[symbol][j]: 1 in the lanes of the candidates with at least j of that symbol.
        self._owned: dict[str, list[int]] = {}
        for symbol in game.symbols:
            sets = [every]
            for masks in self._held:
                sets = count(sets, masks.get(symbol, 0))
            self._owned[symbol] = sets

    def of(self, part: Part) -> int:
        """Return the summand of a symbol at these positions, as the lanes of an integer."""
        symbol, places = part
        pegs = sum(self._owned[symbol][1 : places.bit_count() + 1])
        inside = [masks for p, masks in enumerate(self._held) if places >> p & 1]
        return (self._pegs + 1) * pegs + sum(masks.get(symbol, 0) for masks in inside)

    @staticmethod
    def table_bytes(game: Mastermind) -> int:
        """Return 0: the engine computes the feedbacks of codes without a table."""
        return 0


def marks(rank: int) -> bytes:
    """Return a table for bytes.translate: 1 for one rank, 0 for the others."""
    return bytes(rank) + b"\1" + bytes(255 - rank)

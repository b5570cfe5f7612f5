"""Symmetries of code games against definitions in plain Python."""

from __future__ import annotations

import itertools
from array import array
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind
from guessbook.policy.reference import consistent
from tests.engine.engines import search_of
from tests.helpers.plain import histories

GAMES = [
    Mastermind(2, 3),
    Mastermind(3, 4),
    Mastermind(4, 3),
    Mastermind(4, 2),
    Mastermind(2, 4, repeats=False),
    Mastermind(3, 5, repeats=False),
    Mastermind(4, 4, repeats=False),
]
Code = tuple[int, ...]


class Situation(NamedTuple):
    """A game, the guesses of a history, and its candidates, as ranks of symbols."""

    game: Mastermind
    history: list[Code]
    candidates: list[Code]

    def kinds(self) -> list[int]:
        """2 for symbols in no candidate, 1 for the others in no guess, else 0."""
        used = {c for code in self.history for c in code}
        held = {c for code in self.candidates for c in code}
        colors = range(self.game.colors)
        return [2 if c not in held else 1 if c not in used else 0 for c in colors]


def codes_of(game: Mastermind) -> list[Code]:
    """All codes of a game, in order."""
    return [tuple(game.symbols.index(c) for c in code) for code in game.guesses]


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """A game after some random guesses, answered for a random secret."""
    game = draw(st.sampled_from(GAMES))
    codes, history = codes_of(game), draw(histories(game, 3))
    candidates = [codes[game.parse_code(code)] for code in consistent(game, history)]
    return Situation(game, [codes[guess] for guess, _ in history], candidates)


def canonical(code: Code, kinds: list[int], repeats: bool) -> Code:
    """A code with the symbols in no candidate as low as can be: they all say the same."""
    absent = [c for c, kind in enumerate(kinds) if kind == 2]
    seen: dict[int, int] = {}
    for c in code:
        if c in absent:
            seen.setdefault(c, absent[0] if repeats else absent[len(seen)])
    return tuple(seen.get(c, c) for c in code)


def orbits(situation: Situation) -> dict[Code, Code]:
    """The lowest code that each is carried onto, by permutations that fix every guess."""
    game, kinds, found = situation.game, situation.kinds(), {}
    symmetries = []
    for positions in itertools.permutations(range(game.pegs)):
        for symbols in itertools.permutations(range(game.colors)):
            moved = [tuple(symbols[old[p]] for p in positions) for old in situation.history]
            if moved == situation.history:
                symmetries.append((positions, symbols))
    for code in codes_of(game):
        images = [tuple(symbols[code[p]] for p in positions) for positions, symbols in symmetries]
        found[code] = min(canonical(image, kinds, game.repeats) for image in images)
    return found


@given(situations())
def test_the_lowest_of_each_orbit_is_found(situation: Situation) -> None:
    """A code is marked exactly if no symmetry, of all there are, carries it onto a lower one."""
    codes = codes_of(situation.game)
    lowest = search_of(situation.game, "entropy").lowest(
        array("I", [codes.index(code) for code in situation.candidates]),
        array("I", [codes.index(code) for code in situation.history]),
    )
    carried = orbits(situation)
    assert [code for code, mark in zip(codes, lowest, strict=True) if mark] == [
        code for code in codes if carried[code] == code
    ]


def test_the_definitions_are_not_empty() -> None:
    """The situations above reach all kinds of symbols, and orbits of more than one code."""
    game = Mastermind(4, 3)
    codes = codes_of(game)
    start = Situation(game, [], codes)
    assert start.kinds() == [1, 1, 1]
    assert len(set(orbits(start).values())) == 4  # so many ways to repeat up to 3 symbols
    after = Situation(game, [(0, 0, 0, 0)], [code for code in codes if 0 not in code])
    assert after.kinds() == [2, 1, 1]

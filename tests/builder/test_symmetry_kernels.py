"""The kernels of symmetry against definitions in plain Python."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from guessbook.builder.compiler.jit import kernel
from guessbook.builder.kernels.orbits import in_order, is_lowest, permutations, require, stabilizer
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from guessbook.book import Mastermind
from guessbook.builder.games.codes import code_table
from guessbook.policy.reference import consistent

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

    @property
    def used(self) -> set[int]:
        """The symbols in the guesses of the history."""
        return {c for code in self.history for c in code}

    @property
    def word(self) -> int:
        """The same as the bits of a word."""
        return sum(1 << c for c in self.used)

    @property
    def held(self) -> set[int]:
        """The symbols in the candidates."""
        return {c for code in self.candidates for c in code}

    def spelled(self, code: Code) -> str:
        """A code as the game has it."""
        return "".join(self.game.symbols[c] for c in code)


def codes_of(game: Mastermind) -> list[Code]:
    """All codes of a game, in order."""
    return [tuple(row) for row in code_table(game).tolist()]


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """A game after up to three random guesses, answered for a random secret."""
    game = draw(st.sampled_from(GAMES))
    codes = codes_of(game)
    indices = st.integers(0, len(codes) - 1)
    secret = game.secrets[draw(indices)]
    guesses = draw(st.lists(indices, max_size=3, unique=True))
    history = [(guess, game.feedback(game.guesses[guess], secret)) for guess in guesses]
    candidates = [codes[game.guesses.index(code)] for code in consistent(game, history)]
    return Situation(game, [codes[guess] for guess in guesses], candidates)


# Parts of kernels cannot be called from Python; these let them be.


@kernel
def fill_required(held: int, used: int, colors: int, repeats: bool, out: Any) -> None:
    """`require`."""
    require(held, used, colors, repeats, out, 1)


@kernel
def ordered(code: Any, state: Any) -> bool:
    """`in_order`."""
    return in_order(code, 0, len(code), state, 0)


@kernel
def lowest(code: Any, elements: Any, held: int, used: int, repeats: bool) -> bool:
    """`is_lowest`."""
    pegs = len(code)
    colors = elements.shape[1] - pegs
    return is_lowest(
        code, 0, pegs, elements.reshape(-1), len(elements), held, used, repeats,
        np.empty(colors, np.int64), 0, colors,
    )  # fmt: skip


def filled(situation: Situation) -> Any:
    """The working array after `require`."""
    game = situation.game
    out = np.zeros(1 + game.colors, np.int64)
    held = sum(1 << c for c in situation.held)
    fill_required(held, situation.word, game.colors, game.repeats, out)
    return out[1:]


def required(situation: Situation) -> list[set[int] | None]:
    """The symbols that `require` wants before each symbol; None where it wants the impossible."""
    words = filled(situation).tolist()
    return [None if w < 0 else {c for c in range(64) if w >> c & 1} for w in words]


def groups_by_definition(situation: Situation) -> list[int]:
    """2 for symbols in no candidate, 1 for the others in no guess, else 0."""
    colors = range(situation.game.colors)
    used, held = situation.used, situation.held
    return [2 if c not in held else 1 if c not in used else 0 for c in colors]


# --- symbols --------------------------------------------------------------------------------


@settings(deadline=None)
@given(situations())
def test_symbols_require_the_lower_ones_of_their_group(situation: Situation) -> None:
    """Unused symbols that candidates hold are a group, those in no candidate another.

    With repeats the lowest of those in no candidate is enough.
    """
    groups = groups_by_definition(situation)
    for c, (group, found) in enumerate(zip(groups, required(situation), strict=True)):
        lower = {b for b in range(c) if groups[b] == group}
        if group == 2 and situation.game.repeats and lower:
            assert found is None
        else:
            assert found == (lower if group else set())


@settings(deadline=None)
@given(situations(), st.data())
def test_in_order_is_the_order_of_first_appearance(
    situation: Situation, data: st.DataObject
) -> None:
    """The new symbols of each group come in ascending order, none left out."""
    state = filled(situation)
    groups = groups_by_definition(situation)
    code = data.draw(st.sampled_from(codes_of(situation.game)))
    expected = True
    for group in (1, 2):
        members = [c for c, kind in enumerate(groups) if kind == group]
        new = [c for c in dict.fromkeys(code) if groups[c] == group]
        one = group == 2 and situation.game.repeats
        expected = expected and new == members[: min(len(new), 1) if one else len(new)]
    assert ordered(np.array(code, np.uint8), state) == expected


# --- orbits ---------------------------------------------------------------------------------


def canonical(code: Code, group: list[int], repeats: bool) -> Code:
    """A code with the symbols in no candidate as low as can be: they all say the same."""
    absent = [c for c, kind in enumerate(group) if kind == 2]
    seen: dict[int, int] = {}
    for c in code:
        if c in absent:
            seen.setdefault(c, absent[0] if repeats else absent[len(seen)])
    return tuple(seen.get(c, c) for c in code)


def images(situation: Situation, code: Code) -> set[Code]:
    """What the permutations of positions and symbols that fix every guess make of a code."""
    found = set()
    for positions in itertools.permutations(range(situation.game.pegs)):
        for symbols in itertools.permutations(range(situation.game.colors)):
            moved = [tuple(symbols[old[p]] for p in positions) for old in situation.history]
            if moved == situation.history:
                found.add(tuple(symbols[code[p]] for p in positions))
    return found


@settings(deadline=None, max_examples=60)
@given(situations(), st.data())
def test_is_lowest_finds_the_lowest_of_each_orbit(
    situation: Situation, data: st.DataObject
) -> None:
    """A code passes exactly if none of its images, found by trying them all, is lower."""
    game = situation.game
    kinds = groups_by_definition(situation)
    code = data.draw(st.sampled_from(codes_of(game)))
    code = canonical(code, kinds, game.repeats)
    fresh = [c for c in dict.fromkeys(code) if kinds[c] == 1]
    # Only such codes are ever asked about.
    assume(fresh == [c for c, kind in enumerate(kinds) if kind == 1][: len(fresh)])
    past = np.array(situation.history, np.uint8).reshape(-1, game.pegs)
    elements = stabilizer(past, np.arange(len(past)), permutations(game.pegs), game.colors)
    held = sum(1 << c for c in situation.held)
    found = lowest(np.array(code, np.int64), elements, held, situation.word, game.repeats)
    orbit = {canonical(image, kinds, game.repeats) for image in images(situation, code)}
    assert found == (code == min(orbit))


def test_the_definitions_are_not_empty() -> None:
    """The situations above reach all groups, and orbits of more than one code."""
    game = Mastermind(4, 3)
    start = Situation(game, [], codes_of(game))
    assert groups_by_definition(start) == [1, 1, 1]
    assert Counter(map(len, (images(start, code) for code in codes_of(game)))).keys() > {3}
    after = [code for code in codes_of(game) if 0 not in code]
    assert groups_by_definition(Situation(game, [(0, 0, 0, 0)], after)) == [2, 1, 1]

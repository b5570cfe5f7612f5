"""The kernels of symmetry and of arrangements against definitions in plain Python."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from guessbook.book import Mastermind
from guessbook.builder.games.codes import code_table
from guessbook.builder.kernels.alphabets import alphabets, in_order, require
from guessbook.builder.kernels.arrangements import (
    ANYWHERE,
    CHOICES,
    CHOSEN,
    LEFT,
    PLACES,
    REQUIRED,
    STATE,
    TURN,
    WIDTH,
    advance,
)
from guessbook.builder.kernels.jit import kernel
from guessbook.builder.kernels.orbits import is_lowest, permutations, stabilizer
from guessbook.policy.reference import consistent, partition

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
def fill(table: Any, chosen: Any, n: int, colors: int, repeats: bool, used: int, out: Any) -> None:
    """`alphabets`."""
    alphabets(table, chosen, 1, n, colors, repeats, used, out)


@kernel
def fill_required(held: int, used: int, colors: int, repeats: bool, out: Any) -> None:
    """`require`."""
    require(held, used, colors, repeats, out)


@kernel
def ordered(code: Any, state: Any) -> bool:
    """`in_order`."""
    return in_order(code, state)


@kernel
def lowest(code: Any, elements: Any, held: int, used: int, repeats: bool) -> bool:
    """`is_lowest`."""
    return is_lowest(code, elements, held, used, repeats)


@kernel
def step(state: Any, p: int, choices: int, places: int) -> int:
    """`advance`."""
    return advance(state, p, choices, places)


def filled(situation: Situation) -> Any:
    """The working array after `alphabets`."""
    game = situation.game
    table = code_table(game)
    indices = [game.guesses.index(situation.spelled(code)) for code in situation.candidates]
    state = np.zeros(STATE, np.int64)
    fill(
        table, np.array([0, *indices], np.uint32), len(indices), game.colors, game.repeats,
        situation.word, state,
    )  # fmt: skip
    return state


def required(situation: Situation) -> list[set[int] | None]:
    """The symbols that `require` wants before each symbol; None where it wants the impossible."""
    game = situation.game
    state = np.zeros(STATE, np.int64)
    held = sum(1 << c for c in situation.held)
    fill_required(held, situation.word, game.colors, game.repeats, state)
    words = state[REQUIRED : REQUIRED + game.colors].tolist()
    return [None if w < 0 else {c for c in range(64) if w >> c & 1} for w in words]


def groups_by_definition(situation: Situation) -> list[int]:
    """2 for symbols in no candidate, 1 for the others in no guess, else 0."""
    colors = range(situation.game.colors)
    used, held = situation.used, situation.held
    return [2 if c not in held else 1 if c not in used else 0 for c in colors]


# --- alphabets ------------------------------------------------------------------------------


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
@given(situations())
def test_alphabets_require_the_same(situation: Situation) -> None:
    """`alphabets` finds the symbols that candidates hold by itself."""
    state = filled(situation)
    words = state[REQUIRED : REQUIRED + situation.game.colors].tolist()
    for word, expected in zip(words, required(situation), strict=True):
        assert word == (-1 if expected is None else sum(1 << c for c in expected))


@settings(deadline=None)
@given(situations())
def test_the_places_of_alphabets(situation: Situation) -> None:
    """Of symbols that tell nothing at a position only the lowest may stand there."""
    state = filled(situation)
    game, candidates = situation.game, situation.candidates
    for p in range(game.pegs):
        silent = [
            c
            for c in range(game.colors)
            if game.repeats
            and len({code.count(c) for code in candidates}) == 1
            and len({code[p] == c for code in candidates}) == 1
        ]
        expected = [c for c in range(game.colors) if c not in silent[1:]]
        assert [c for c in range(game.colors) if state[PLACES + c] >> p & 1] == expected


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


@settings(deadline=None, max_examples=50)
@given(situations())
def test_alphabets_keep_the_lowest_code_of_every_partition(situation: Situation) -> None:
    """For any sizes of cells, the lowest code that makes them is among those worth guessing."""
    state = filled(situation)
    candidates = [situation.spelled(code) for code in situation.candidates]
    lowest: dict[tuple[int, ...], Code] = {}
    for code in codes_of(situation.game):
        cells = partition(situation.game, situation.spelled(code), candidates)
        lowest.setdefault(tuple(sorted(cells.values())), code)
    for code in lowest.values():
        assert all(state[PLACES + c] >> p & 1 for p, c in enumerate(code))
        assert ordered(np.array(code, np.uint8), state)


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
    elements = stabilizer(past, permutations(game.pegs), game.colors)
    held = sum(1 << c for c in situation.held)
    found = lowest(np.array(code, np.int64), elements, held, situation.word, game.repeats)
    orbit = {canonical(image, kinds, game.repeats) for image in images(situation, code)}
    assert found == (code == min(orbit))


# --- arrangements ---------------------------------------------------------------------------


def arrangements(
    symbols: list[int], times: int, length: int, places: int, again: bool, state: Any
) -> list[Code]:
    """All sequences that `advance` walks through."""
    for i, c in enumerate(symbols):
        state[CHOICES + i] = c
        state[LEFT + c] = times
    found = []
    p = step(state, 0, len(symbols), places)
    while p >= 0:
        if p < length - 1:
            # The symbols from this one on, or all of them.
            state[TURN + p + 1] = state[TURN + p] - 1 if again else 0
            p = step(state, p + 1, len(symbols), places)
            continue
        found.append(tuple(state[CHOSEN : CHOSEN + length].tolist()))
        state[LEFT + state[CHOSEN + p]] += 1
        p = step(state, p, len(symbols), places)
    assert state[LEFT : LEFT + 8].tolist() == [times if c in symbols else 0 for c in range(8)]
    return found


@settings(deadline=None)
@given(
    st.sets(st.integers(0, 7), min_size=1, max_size=4),
    st.integers(1, 3),
    st.integers(1, 4),
    st.lists(st.integers(0, 15), min_size=8, max_size=8),
    st.lists(st.sets(st.integers(0, 7), max_size=2), min_size=8, max_size=8),
    st.booleans(),
    st.booleans(),
)
def test_arrangements_are_those_that_keep_the_rules(
    symbols: set[int], times: int, length: int, places: list[int], before: list[set[int]],
    anywhere: bool, multiset: bool,
) -> None:  # fmt: skip
    """Ascending, each symbol so often at most, at its places, after those that it requires."""
    state = np.zeros(STATE, np.int64)
    state[ANYWHERE : ANYWHERE + WIDTH] = -1
    state[PLACES : PLACES + 8] = places
    state[REQUIRED : REQUIRED + 8] = [sum(1 << c for c in required) for required in before]
    ascending = sorted(symbols)
    found = arrangements(
        ascending, times, length, ANYWHERE if anywhere else PLACES, multiset, state
    )

    def keeps_the_rules(code: Code) -> bool:
        return all(
            code.count(c) <= times
            and (anywhere or places[c] >> p & 1)
            and before[c] <= set(code[:p])
            and not (multiset and p and c < code[p - 1])
            for p, c in enumerate(code)
        )

    assert found == list(filter(keeps_the_rules, itertools.product(ascending, repeat=length)))


def test_the_definitions_are_not_empty() -> None:
    """The situations above reach all groups, silent symbols, and orbits of more than one code."""
    game = Mastermind(4, 3)
    start = Situation(game, [], codes_of(game))
    assert groups_by_definition(start) == [1, 1, 1]
    assert Counter(map(len, (images(start, code) for code in codes_of(game)))).keys() > {3}
    after = [code for code in codes_of(game) if 0 not in code]
    assert groups_by_definition(Situation(game, [(0, 0, 0, 0)], after)) == [2, 1, 1]
    one = Situation(game, [(0, 0, 0, 1)], [(1, 1, 2, 2)])
    assert filled(one)[PLACES : PLACES + 3].tolist() == [15, 0, 0]

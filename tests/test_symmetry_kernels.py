"""The kernels of symmetry and of vectors against definitions in plain Python."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from guessbook.book import Mastermind
from guessbook.builder.alphabets import GROUP, PLACES, RANK, ROWS, alphabets, in_order
from guessbook.builder.codes import code_table
from guessbook.builder.jit import kernel
from guessbook.builder.orbits import is_lowest, permutations, stabilizer, symbol_groups
from guessbook.builder.reference import consistent, partition
from guessbook.builder.vector import (
    add_block,
    add_pair,
    equal_64,
    lowest_one,
    popcount,
    seen_narrow,
    seen_wide,
)

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
    def word(self) -> Any:
        """The same as the bits of a word."""
        return np.uint64(sum(1 << c for c in self.used))

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


def filled(situation: Situation) -> tuple[bool, Any]:
    """What `alphabets` returns, and the rows that it fills."""
    game = situation.game
    table = code_table(game)
    indices = [game.guesses.index(situation.spelled(code)) for code in situation.candidates]
    scratch = np.zeros((ROWS + 2 * game.pegs, max(game.colors, game.pegs, 3)), np.int64)
    grouped = alphabets(
        table, np.array([0, *indices], np.uint32), 1, len(indices), game.colors, game.repeats,
        situation.word, scratch,
    )  # fmt: skip
    return grouped, scratch


def groups_by_definition(situation: Situation) -> list[int]:
    """2 for symbols in no candidate, 1 for the others in no guess, else 0."""
    colors = range(situation.game.colors)
    used, held = situation.used, situation.held
    return [2 if c not in held else 1 if c not in used else 0 for c in colors]


# --- alphabets ------------------------------------------------------------------------------


@settings(deadline=None)
@given(situations())
def test_the_groups_of_alphabets(situation: Situation) -> None:
    """Unused symbols are group 1, those in no candidate 2 (0 with repeats), ranked from 0."""
    grouped, scratch = filled(situation)
    expected = groups_by_definition(situation)
    if situation.game.repeats:
        expected = [group % 2 for group in expected]
    assert scratch[GROUP, : len(expected)].tolist() == expected
    assert grouped == any(expected)
    for c, group in enumerate(expected):
        assert scratch[RANK, c] == (expected[:c].count(group) if group else 0)


@settings(deadline=None)
@given(situations())
def test_the_places_of_alphabets(situation: Situation) -> None:
    """Of symbols that tell nothing at a position only the lowest may stand there."""
    _, scratch = filled(situation)
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
        assert [c for c in range(game.colors) if scratch[PLACES, c] >> p & 1] == expected


@settings(deadline=None)
@given(situations(), st.data())
def test_in_order_is_the_order_of_first_appearance(
    situation: Situation, data: st.DataObject
) -> None:
    """The new symbols of each group come in the order of their ranks, none left out."""
    _, scratch = filled(situation)
    code = data.draw(st.sampled_from(codes_of(situation.game)))
    for group in (1, 2):
        ranks = [int(scratch[RANK, c]) for c in dict.fromkeys(code) if scratch[GROUP, c] == group]
        if ranks != list(range(len(ranks))):
            assert not in_order(np.array(code, np.uint8), scratch)
            break
    else:
        assert in_order(np.array(code, np.uint8), scratch)


@settings(deadline=None, max_examples=50)
@given(situations())
def test_alphabets_keep_the_lowest_code_of_every_partition(situation: Situation) -> None:
    """For any sizes of cells, the lowest code that makes them is among those worth guessing."""
    _, scratch = filled(situation)
    candidates = [situation.spelled(code) for code in situation.candidates]
    lowest: dict[tuple[int, ...], Code] = {}
    for code in codes_of(situation.game):
        cells = partition(situation.game, situation.spelled(code), candidates)
        lowest.setdefault(tuple(sorted(cells.values())), code)
    for code in lowest.values():
        assert all(scratch[PLACES, c] >> p & 1 for p, c in enumerate(code))
        assert in_order(np.array(code, np.uint8), scratch)


# --- orbits ---------------------------------------------------------------------------------


def orbit_groups(situation: Situation) -> tuple[Any, Any]:
    """The groups and ranks that `symbol_groups` finds."""
    game, candidates = situation.game, situation.candidates
    counts = [[code.count(c) for code in candidates] for c in range(game.colors)]
    return symbol_groups(np.array(counts, np.uint8), game.repeats, situation.word)


@settings(deadline=None)
@given(situations())
def test_symbol_groups(situation: Situation) -> None:
    """Each symbol has the group of the definition, and is ranked among its like."""
    group, rank = orbit_groups(situation)
    expected = groups_by_definition(situation)
    assert group.tolist() == expected
    assert rank.tolist() == [expected[:c].count(kind) for c, kind in enumerate(expected)]


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
    group, rank = orbit_groups(situation)
    kinds = group.tolist()
    code = data.draw(st.sampled_from(codes_of(game)))
    code = canonical(code, kinds, game.repeats)
    fresh = [int(rank[c]) for c in dict.fromkeys(code) if kinds[c] == 1]
    # Only such codes are ever asked about.
    assume(fresh == list(range(len(fresh))))
    past = np.array(situation.history, np.uint8).reshape(-1, game.pegs)
    elements = stabilizer(past, permutations(game.pegs), game.colors)
    row = np.array([[0] * game.pegs, code], np.int64)
    found = is_lowest(row, 1, game.pegs, elements, group, rank, game.repeats)
    orbit = {canonical(image, kinds, game.repeats) for image in images(situation, code)}
    assert found == (code == min(orbit))


# --- vectors --------------------------------------------------------------------------------


@kernel
def sums(array: Any) -> None:
    """Rows of 16: the third becomes the sum of the first two, the fourth of the first three."""
    add_pair(array, 0, 16, 32)
    add_block(array, 0, 16, 32, 48)


@kernel
def words(array: Any, value: int, out: Any) -> None:
    """One result of each instruction that gives a word."""
    out[0] = seen_narrow(array, 0, 16, 32)
    out[1] = seen_wide(array, 192, 208, 224)
    out[2] = equal_64(array, 1, value)


@kernel
def bits(word: Any, out: Any) -> None:
    """The number of ones, and the place of the lowest."""
    out[0] = popcount(word)
    out[1] = lowest_one(word)


@settings(deadline=None)
@given(st.binary(min_size=32, max_size=32))
def test_sums_of_blocks(data: bytes) -> None:
    """Sixteen bytes are added lane by lane, modulo 256, and nothing else is written."""
    array = np.zeros(80, np.uint8)
    array[:32] = list(data)
    sums(array)
    pairs = [(a + b) % 256 for a, b in zip(data[:16], data[16:], strict=True)]
    triples = [(a + b) % 256 for a, b in zip(data[:16], data[16:], strict=True)]
    triples = [(a + b) % 256 for a, b in zip(triples, pairs, strict=True)]
    assert array.tolist() == [*data, *pairs, *triples, *[0] * 16]


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 10), min_size=192, max_size=192),
    st.lists(st.integers(0, 21), min_size=192, max_size=192),
    st.integers(0, 10),
)
def test_sets_of_sums_and_places_of_a_value(low: list[int], high: list[int], value: int) -> None:
    """Bit s is set exactly if s is a sum; bit i exactly if byte i has the value."""
    out = np.zeros(3, np.uint64)
    words(np.array(low + high, np.uint8), value, out)

    def seen(rows: list[int]) -> int:
        return sum(1 << s for s in {sum(rows[i:48:16]) for i in range(16)})

    expected = [seen(low), seen(high)]
    places = sum(1 << i for i in range(64) if low[1 + i] == value)
    assert out.tolist() == [*expected, places]


@settings(deadline=None)
@given(st.integers(1, (1 << 64) - 1))
def test_ones_of_a_word(word: int) -> None:
    """The ones are counted and the lowest is found, in all 64 bits."""
    out = np.zeros(2, np.int64)
    bits(np.uint64(word), out)
    assert out.tolist() == [word.bit_count(), (word & -word).bit_length() - 1]


def test_the_definitions_are_not_empty() -> None:
    """The situations above reach all groups, silent symbols, and orbits of more than one code."""
    game = Mastermind(4, 3)
    start = Situation(game, [], codes_of(game))
    assert groups_by_definition(start) == [1, 1, 1]
    assert Counter(map(len, (images(start, code) for code in codes_of(game)))).keys() > {3}
    after = [code for code in codes_of(game) if 0 not in code]
    assert groups_by_definition(Situation(game, [(0, 0, 0, 0)], after)) == [2, 1, 1]
    one = Situation(game, [(0, 0, 0, 1)], [(1, 1, 2, 2)])
    _, scratch = filled(one)
    assert scratch[PLACES, :3].tolist() == [15, 0, 0]

"""Parts of the engine that are not called from Python, against plain Python, for each width.

Each width takes a compilation: the normal suite has the widest that this machine runs, and the slow
tests have the others. The tests of what Python calls run every variant of the engine.
"""

from __future__ import annotations

import ctypes
from array import array
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind
from guessbook.engine.binding import address
from guessbook.engine.codes import spreads_of
from tests.engine.engines import VARIANTS, WIDTHS, cells_of, internals, search_of, table_of

if TYPE_CHECKING:
    from collections.abc import Callable

LANES, HEIGHT = 64, 6

SOURCE = """
PUBLIC void sums(const uint8_t *rows, const int32_t *places, int32_t width, uint8_t *out)
{ sum_rows(rows, places, width, out); }
PUBLIC void counts(const uint8_t *rows, const int32_t *places, int32_t width, int64_t begin,
                   int64_t end, int32_t t, uint8_t *out)
{ Sums of = {rows, places, width}; count_sums(&of, begin, end, t, out); }
PUBLIC void adds(const uint8_t *rows, const int32_t *places, int32_t width, int64_t begin,
                 int64_t end, int32_t t, int64_t times, uint32_t *out)
{ Sums of = {rows, places, width}; add_sums(&of, begin, end, t, times, out); }
PUBLIC void lesser(const uint8_t *rows, int32_t count, const uint8_t *most, uint8_t *out)
{ sum_smaller(rows, count, most, out); }
PUBLIC uint64_t reaches(const uint8_t *row, int32_t value)
{ return at_least(row, (uint8_t)value); }
PUBLIC int64_t alike(const uint8_t *one, const uint8_t *other, int32_t count)
{ return equal_bytes(one, other, count); }
PUBLIC void blacks(const Search *search, Workspace *space, int64_t n, const int32_t *size,
                   int64_t best, int64_t *interval)
{ space->n = n; blacks_needed(search, space, size, best, interval); }
"""


widest = [*WIDTHS][max(len(VARIANTS), 1) - 1]


@pytest.fixture(
    params=[pytest.param(w, marks=[pytest.mark.slow] if w != widest else []) for w in WIDTHS],
    scope="module",
)
def native(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """A function of the source by its name; numbers are int64 if it is so declared."""
    library = internals(request.param, SOURCE)
    if library is None:
        pytest.skip("no compiler or no processor for this width")
    library.reaches.restype = ctypes.c_uint64
    library.alike.restype = ctypes.c_int64

    def call(name: str, *given: Any) -> Any:
        wide = [one if isinstance(one, int) else ctypes.c_void_p(address(*one)) for one in given]
        return getattr(library, name)(
            *[ctypes.c_int64(w) if isinstance(w, int) else w for w in wide]
        )

    return call


def rows_of(draw: Callable[..., Any], most: int, count: int = HEIGHT) -> bytes:
    """Rows of random bytes."""
    found: bytes = draw(st.binary(min_size=count * LANES, max_size=count * LANES))
    return bytes(byte % (most + 1) for byte in found)


@given(st.data(), st.integers(1, 9))
def test_sums_of_rows(native: Callable[..., Any], data: st.DataObject, width: int) -> None:
    """The bytes of rows are added lane by lane, and nothing else is written."""
    rows = rows_of(data.draw, 15)
    chosen = data.draw(st.lists(st.integers(0, HEIGHT - 1), min_size=width, max_size=width))
    out = bytearray(b"\7" * 2 * LANES)
    native("sums", (rows, "B"), (array("i", [64 * k for k in chosen]), "i"), width, (out, "B"))
    expected = [sum(rows[64 * k + lane] for k in chosen) for lane in range(LANES)]
    assert list(out) == [*expected, *[7] * LANES]


@given(st.data(), st.integers(1, 9), st.integers(1, 15), st.sampled_from([0, 1, 5, 255, 600]))
def test_sums_are_counted(
    native: Callable[..., Any], data: st.DataObject, width: int, t: int, count: int
) -> None:
    """How many of some sums are 0, 1, ... t; in bytes up to 255 of them, in words any number."""
    rows = rows_of(data.draw, t // width)
    pattern = data.draw(st.lists(st.integers(0, HEIGHT - 1), min_size=1, max_size=40))
    places = array("i", [64 * pattern[k * k % len(pattern)] for k in range(width * (count + 1))])
    counted = [
        Counter(
            sum(rows[places[s * width + g] + lane] for g in range(width))
            for s in range(1, count + 1)
        )
        for lane in range(LANES)
    ]
    expected = [counted[lane][value] for value in range(t + 1) for lane in range(LANES)]
    given = (rows, "B"), (places, "i"), width, 1, count + 1, t
    if count <= 255:
        out = bytearray(b"\7" * (t + 2) * LANES)
        native("counts", *given, (out, "B"))
        assert list(out) == [*expected, *[7] * LANES]
    words = array("I", [9]) * ((t + 2) * LANES)
    native("adds", *given, 4, (words, "I"))
    assert words.tolist() == [*[9 + 4 * number for number in expected], *[9] * LANES]


@given(st.data(), st.integers(0, 255))
def test_sums_of_lesser_numbers(
    native: Callable[..., Any], data: st.DataObject, value: int
) -> None:
    """Each byte counts up to the most of its row; a bit is set where a byte is large enough."""
    rows, most = rows_of(data.draw, 40), bytes(data.draw(st.lists(st.integers(0, 42), min_size=6)))
    out = bytearray(b"\7" * 2 * LANES)
    native("lesser", (rows, "B"), HEIGHT, (most, "B"), (out, "B"))
    expected = [
        sum(min(rows[64 * k + lane], most[k]) for k in range(HEIGHT)) for lane in range(LANES)
    ]
    assert list(out) == [*expected, *[7] * LANES]
    bits = native("reaches", (out, "B"), value)
    assert bits == sum(1 << lane for lane, total in enumerate(expected) if total >= value)


@given(st.lists(st.integers(0, 127), min_size=16, max_size=16), st.integers(1, 8))
def test_bytes_that_are_alike(native: Callable[..., Any], symbols: list[int], count: int) -> None:
    """Those at two places are compared, and none behind them."""
    for other in (symbols, [symbols[0], *symbols[:3], *symbols[4:]]):
        found = native("alike", (bytes(symbols[:8]), "B"), (bytes(other[:8]), "B"), count)
        assert found == sum(a == b for a, b in zip(symbols[:count], other, strict=False))


@pytest.mark.parametrize("policy", ["entropy", "entropy-corrected"])
@pytest.mark.parametrize(
    "game",
    [Mastermind(4, 6), Mastermind(2, 20), Mastermind(7, 3), Mastermind(4, 7, repeats=False)],
    ids=lambda game: game.name,
)
def test_a_guess_has_the_blacks_that_its_score_needs(
    native: Callable[..., Any], game: Mastermind, policy: str
) -> None:
    """After the first guess, every other guess is inside the interval for its own score."""
    search = search_of(game, policy)
    fields, space = search.fields(), search.space.place
    place, rule = ctypes.addressof(fields), search.rule
    every, guesses = (
        array("I", range(len(game.guesses))),
        array("I", range(0, len(game.guesses), 7)),
    )
    asked = outside = 0
    for below in cells_of(search, 1, every):
        if len(below) <= 64:
            continue
        answers = table_of(search, guesses, below)
        n, sides = len(below), game.pegs + 1
        cells = [Counter(answers[n * k : n * k + n]) for k in range(len(guesses))]
        scores = [
            rule.credit * (game.solved in of) - sum(rule.costs[size] for size in of.values())
            for of in cells
        ]
        for of, score in zip(cells, scores, strict=True):
            size = array("i", [sum(of[t * sides + b] for b in range(sides)) for t in range(sides)])
            has, found = sum(f % sides * size for f, size in of.items()), array("q", [0, 0])
            for least in (score, max(scores)):
                native("blacks", place, space, n, (size, "i"), least, (found, "q"))
                assert least > score or found[0] <= has <= found[1]
            outside += not found[0] <= has <= found[1]
            asked += 1
    assert 0 < outside < asked


def test_the_sums_of_powers_leave_out_what_cannot_be() -> None:
    """Of 3 pegs, with r = 1: one cell for a total of 0, two for 1, three for 2, and three for 3."""
    spreads = spreads_of(3)
    middle = len(spreads) // 4 // 2 * 4
    assert [2**log for log in spreads[middle : middle + 4]] == pytest.approx([1, 2, 3, 3])

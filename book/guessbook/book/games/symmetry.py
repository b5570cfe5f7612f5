"""Symmetries of code games: permutations of positions and symbols, which change no feedback.

If a permutation maps every guess of a history to itself, it maps each next guess to an equivalent
one.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress
from itertools import islice, pairwise
from typing import NamedTuple

from guessbook.book.games.codes import code_index
from guessbook.book.games.game import History, SymmetricGame

# Default limit on the symbols that a search for a permutation compares, about 20 ms of work.
# Without a limit, the time would grow with the factorial of the number of positions.
MAX_STEPS = 60_000

# A column holds the symbols at one position of all guesses in a history, in the order of the
# guesses.
Column = tuple[int, ...]


class SearchBudget:
    """A limit on the number of symbols that a search for a permutation may compare."""

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        """Subtract a number of compared symbols from the budget.

        Raises BudgetExceededError if too few are left.
        """
        self.left -= steps
        if self.left < 0:
            raise BudgetExceededError


class BudgetExceededError(Exception):
    """A search for a permutation that exceeds its budget."""


class Permutation(NamedTuple):
    """A permutation of positions and symbols that maps the codes in the tree to the player's codes.

    Attributes:
        positions: entry p is the player's position for position p in the tree.
        symbols: entry s is the player's symbol for symbol s in the tree. Symbols are indices in
            `game.symbols`.
    """

    positions: list[int]
    symbols: list[int]

    def apply(self, digits: Sequence[int]) -> list[int]:
        """Return the player's code for a code in the tree.

        In both codes, symbols are indices in `game.symbols`.
        """
        code = [0] * len(digits)
        for position, digit in zip(self.positions, digits, strict=True):
            code[position] = self.symbols[digit]
        return code


def find_permutation(
    theirs: list[Column], ours: list[Column], colors: int, effort: SearchBudget
) -> Permutation | None:
    """Return a permutation that maps the columns `theirs` (see `Column`) to the columns `ours`.

    Return None if there is none.

    Raises BudgetExceededError if the search exceeds the budget `effort`.
    """
    found = _assign(theirs, ours, [], {}, effort)
    if found is None:
        return None
    positions, forward = found
    # Symbols that `theirs` lacks map to the unused symbols in ascending order.
    unused = iter(sorted({*range(colors)} - {*forward.values()}))
    return Permutation(
        positions, [forward[s] if s in forward else next(unused) for s in range(colors)]
    )


def _assign(
    theirs: list[Column],
    ours: list[Column],
    positions: list[int],
    forward: dict[int, int],
    effort: SearchBudget,
) -> tuple[list[int], dict[int, int]] | None:
    """Extend `positions` and the symbol map `forward` so that they map `theirs` to `ours`.

    `theirs` and `ours` have a column for each position: the symbols that all guesses have there.
    Return the extended list and map; None if no extension maps all columns.
    """
    if len(positions) == len(theirs):
        return positions, forward
    column = theirs[len(positions)]
    failed: list[Column] = []
    for position, target in enumerate(ours):
        effort.spend(1)
        if position in positions or target in failed:
            continue
        effort.spend(len(column))
        known = extend(forward, column, target)
        if known is not None:
            found = _assign(theirs, ours, [*positions, position], known, effort)
            if found:
                return found
        failed.append(target)  # an equal target would fail as well
    return None


def extend(forward: dict[int, int], column: Column, target: Column) -> dict[int, int] | None:
    """Return a one-to-one map of symbols that contains `forward` and maps `column` to `target`.

    Return None if none exists.
    """
    known = forward.copy()
    for theirs, ours in zip(column, target, strict=True):
        if known.setdefault(theirs, ours) != ours:
            return None
    return known if len({*known.values()}) == len(known) else None


# The largest number of positions that are permuted. It must be equal to MAX_PERMUTED in codes.c.
MAX_PERMUTED_PEGS = 7

# The limit that `play/analysis.py` sets on the symbols that `representatives` compares: about 20 ms
# of work.
MAX_STEPS_TO_LOWEST = 80_000
# Extending a permutation by a position takes about as long as comparing this number of symbols.
STEPS_OF_BRANCH = 8
# A search with a budget ends after this number of permutations in a row that rule out no guess.
MAX_IN_VAIN = 250


def representatives(
    game: SymmetricGame,
    history: History,
    held: Set[int],
    indices: Iterable[int] | None,
    effort: SearchBudget | None = None,
) -> list[int]:
    """Return the guess of lowest index of each set of guesses that symmetries map to each other.

    `held` are the symbols that occur in a candidate. `indices` are the guesses that may be
    returned; None means all. In games with many pegs, or if the search budget `effort` ends early,
    not all symmetries of the history are found. The result may then have equivalent guesses.
    """
    columns = columns_of(game, history)
    absent, free = _interchangeable(game, columns, held)
    alike = {**dict.fromkeys(free, 0), **dict.fromkeys(absent, 1)}
    # If codes may repeat symbols, the symbols that no candidate has are all equivalent to the
    # lowest of them.
    one = dict.fromkeys(absent, absent[0]) if absent and game.repeats else {}
    found = symmetries(columns, effort)
    if effort is None and game.pegs > MAX_PERMUTED_PEGS:
        found = islice(found, 1)  # only the identity, which comes first
    in_vain = 0
    every = range(len(game.guesses)) if indices is None else indices
    codes = [(index, game.digits(index)) for index in every]
    with suppress(BudgetExceededError):
        for order, images in found:
            kept, steps = [], len(codes)
            fixed = {symbol: image for symbol, image in images.items() if symbol in held} | one
            for entry in codes:
                code = entry[1]
                names, unused, lower = fixed, None, False
                for place, own in zip(order, code, strict=True):
                    symbol = code[place]
                    steps += 1
                    image = names.get(symbol)
                    if image is None:
                        # The lowest possible image of the symbol is the next of `free` or `absent`.
                        if unused is None:
                            names, unused = fixed.copy(), (iter(free), iter(absent))
                        image = names[symbol] = next(unused[alike[symbol]])
                    if image != own:
                        lower = image < own
                        break
                if not lower:
                    kept.append(entry)
            in_vain = in_vain + 1 if len(kept) == len(codes) else 0
            codes = kept
            if effort:
                effort.spend(steps)
                if in_vain == MAX_IN_VAIN:
                    break
    return [index for index, _ in codes]


def _interchangeable(
    game: SymmetricGame, columns: Sequence[Column], held: Set[int]
) -> tuple[list[int], list[int]]:
    """Return the symbols that no candidate has, and those that a candidate but no past guess has."""
    used = set().union(*columns)
    absent = [symbol for symbol in range(game.colors) if symbol not in held]
    return absent, [s for s in range(game.colors) if s in held and s not in used]


def symmetries(
    columns: Sequence[Column], effort: SearchBudget | None
) -> Iterator[tuple[tuple[int, ...], dict[int, int]]]:
    """Yield the permutations that map every past guess to itself, the identity first.

    In a result (order, images), position p of a permuted code has the image of the symbol at
    position order[p].
    """

    def complete(
        order: tuple[int, ...], images: dict[int, int]
    ) -> Iterator[tuple[tuple[int, ...], dict[int, int]]]:
        if len(order) == len(columns):
            yield order, images
            return
        branches = []
        place = len(order)
        # This start makes the identity the first result.
        first = place + 3 * (order[-1] + 1 - place) if order else 0
        for turn in range(len(columns)):
            position = (first + turn) % len(columns)
            if position not in order:
                if effort:
                    effort.spend(STEPS_OF_BRANCH + len(columns[place]))
                known = extend(images, columns[position], columns[place])
                if known is not None:
                    branches.append(complete((*order, position), known))
        # Permutations of one branch begin alike and rule out nearly the same guesses, so the
        # branches take turns.
        while branches:
            for branch in tuple(branches):
                found = next(branch, None)
                if found:
                    yield found
                else:
                    branches.remove(branch)

    return complete((), {})


def lowest_guesses(game: SymmetricGame, history: History, held: Set[int]) -> Iterator[int]:
    """Yield guesses in ascending order.

    A guess is skipped if exchanging two equivalent symbols or positions lowers its index.
    """
    columns = columns_of(game, history)
    absent, free = _interchangeable(game, columns, held)
    # Equivalent symbols occur in ascending order in a yielded guess: before a symbol comes the next
    # lower one.
    needs = {rank: before for alike in (absent, free) for before, rank in pairwise(alike)}
    # Two positions are equivalent if each past guess has the same symbol at both. From left to
    # right, the symbols of a yielded guess never descend at equivalent positions.
    before = [
        max([q for q in range(p) if columns[q] == column], default=None)
        for p, column in enumerate(columns)
    ]

    def complete(code: list[int]) -> Iterator[int]:
        if len(code) == game.pegs:
            yield code_index(code, game.colors, game.repeats)
            return
        alike = before[len(code)]
        for rank in range(0 if alike is None else code[alike], game.colors):
            fits = rank not in needs or needs[rank] in code
            if fits and (game.repeats or rank not in code):
                yield from complete([*code, rank])

    return complete([])


def columns_of(game: SymmetricGame, history: History) -> list[Column]:
    """Return one tuple per position: the indices of the symbols that the past guesses have there."""
    past = [game.digits(guess) for guess, _ in history]
    return list(zip(*past, strict=True)) or [()] * game.pegs


def held_symbols(game: SymmetricGame, candidates: Sequence[str]) -> Set[int]:
    """Return the indices of the symbols that occur in at least one candidate."""
    held = "".join(candidates)
    return {rank for rank, symbol in enumerate(game.symbols) if symbol in held}


def maps_onto(
    game: SymmetricGame,
    history: History,
    held: Set[int],
    first: Sequence[int],
    second: Sequence[int],
    effort: SearchBudget,
) -> bool:
    """Return whether a symmetry of the history maps the guesses `first` to `second`, in order.

    The result is False if the budget `effort` is too small for the search.
    """
    absent = game.colors
    past = [game.digits(guess) for guess, _ in history]
    columns = []
    for guesses in (first, second):
        # Symbols that no candidate has are equivalent, so they count as one symbol.
        codes = [[d if d in held else absent for d in game.digits(guess)] for guess in guesses]
        # An additional first column has only the symbol "absent", so a permutation maps this symbol
        # to itself.
        columns.append(list(zip(*[[absent, *code] for code in past + codes], strict=True)))
    try:
        found = find_permutation(columns[0], columns[1], absent + 1, effort)
    except BudgetExceededError:
        return False
    return found is not None and found.positions[0] == 0


def openings(game: SymmetricGame) -> list[int]:
    """Return the openings that are not equivalent to one of a lower index, as ascending indices.

    >>> from guessbook.book.games.codes import Mastermind
    >>> game = Mastermind(4, 6)
    >>> [game.guesses[opening] for opening in openings(game)]
    ['RRRR', 'RRRY', 'RRYY', 'RRYG', 'RYGB']
    """
    ranks, found = range(game.colors), []
    for index in lowest_guesses(game, [], set(ranks)):
        # In the lowest of equivalent guesses, symbol 0 is the most frequent, symbol 1 the second,
        # and so on.
        times = [*map(game.digits(index).count, ranks)]
        if times == sorted(times, reverse=True):
            found.append(index)
    return found

"""Functions that find equivalent guesses, by permutations that map the history to itself."""

from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress
from itertools import islice, pairwise

from guessbook.book.games.enumeration import code_index
from guessbook.book.games.game import History
from guessbook.book.games.symmetry import (
    BudgetExceededError,
    Column,
    Exchangeable,
    SearchBudget,
    extend,
    find_permutation,
)

# The largest number of positions that are permuted. It must be equal to MAX_PERMUTED in codes.c.
MAX_PERMUTED_PEGS = 7

MAX_STEPS_TO_LOWEST = (
    80_000  # `play/analysis.py` ends the search after this number of compared symbols, about 20 ms.
)
STEPS_OF_BRANCH = 8  # Time to extend a permutation by a position, without its comparisons, in comparisons of symbols.
MAX_IN_VAIN = (
    250  # The search ends after this number of permutations in a row that rule out no guess.
)


def representatives(
    game: Exchangeable,
    history: History,
    held: Set[int],
    indices: Iterable[int] | None,
    effort: SearchBudget | None = None,
) -> list[int]:
    """Return the guess of lowest index of each set of guesses that the found symmetries map to each other.

    `indices` are the guesses that may be returned; None means all. In games with many pegs, or if the search budget
    `effort` ends early, not all symmetries of the history are found. The result may then have equivalent guesses.
    """
    used = {digit for guess, _ in history for digit in game.digits(guess)}
    absent = [c for c in range(game.colors) if c not in held]
    free = [c for c in range(game.colors) if c in held and c not in used]
    alike = {**dict.fromkeys(free, 0), **dict.fromkeys(absent, 1)}
    # If codes may repeat symbols, the symbols that no candidate has are all equivalent to the lowest of them.
    one = dict.fromkeys(absent, absent[0]) if absent and game.repeats else {}
    found = symmetries(columns_of(game, history), effort)
    if effort is None and game.pegs > MAX_PERMUTED_PEGS:
        found = islice(found, 1)  # Only the identity, which comes first, is tried.
    in_vain = 0
    every = range(len(game.guesses)) if indices is None else indices
    codes = [(index, game.digits(index)) for index in every]
    with suppress(BudgetExceededError):
        for order, images in found:
            kept, steps = [], len(codes)
            fixed = {c: image for c, image in images.items() if c in held} | one
            for entry in codes:
                names, left, lower = fixed, None, False
                for place, own in zip(order, entry[1], strict=True):
                    c = entry[1][place]
                    steps += 1
                    image = names.get(c)
                    if (
                        image is None
                    ):  # The lowest image of symbol `c` is the next unused entry of `free` or `absent`.
                        if left is None:
                            names, left = fixed.copy(), (iter(free), iter(absent))
                        image = names[c] = next(left[alike[c]])
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


def symmetries(
    columns: Sequence[Column], effort: SearchBudget | None
) -> Iterator[tuple[tuple[int, ...], dict[int, int]]]:
    """Yield the permutations of positions and symbols that map every past guess to itself, the identity first.

    In a result (order, images), position p of a permuted code has the image of the symbol at position order[p].
    """

    def complete(
        order: tuple[int, ...], images: dict[int, int]
    ) -> Iterator[tuple[tuple[int, ...], dict[int, int]]]:
        if len(order) == len(columns):
            yield order, images
            return
        branches = []
        place = len(order)
        first = (
            place + 3 * (order[-1] + 1 - place) if order else 0
        )  # This start makes the identity the first result.
        for turn in range(len(columns)):
            position = (first + turn) % len(columns)
            if position not in order:
                if effort:
                    effort.spend(STEPS_OF_BRANCH + len(columns[place]))
                known = extend(images, columns[position], columns[place])
                if known is not None:
                    branches.append(complete((*order, position), known))
        # Permutations of one branch begin alike and rule out nearly the same guesses, so the branches take turns.
        while branches:
            for branch in tuple(branches):
                found = next(branch, None)
                if found:
                    yield found
                else:
                    branches.remove(branch)

    return complete((), {})


def lowest_guesses(game: Exchangeable, history: History, held: Set[int]) -> Iterator[int]:
    """Yield ascending guesses. Skip a guess if an exchange of two equivalent symbols or positions lowers its index."""
    columns = columns_of(game, history)
    used = {symbol for column in columns for symbol in column}
    absent = [rank for rank in range(game.colors) if rank not in held]
    free = [rank for rank in range(game.colors) if rank in held and rank not in used]
    # Equivalent symbols occur in ascending order in a yielded guess: before a symbol comes the next lower one.
    needs = {rank: before for alike in (absent, free) for before, rank in pairwise(alike)}
    # Two positions are equivalent if each past guess has the same symbol at both. From left to right, the symbols of a
    # yielded guess never descend at equivalent positions.
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


def columns_of(game: Exchangeable, history: History) -> list[Column]:
    """Return one tuple per position: the indices of the symbols that the past guesses have there."""
    past = [game.digits(guess) for guess, _ in history]
    return list(zip(*past, strict=True)) or [()] * game.pegs


def held_symbols(game: Exchangeable, candidates: Sequence[str]) -> Set[int]:
    """Return the indices of the symbols that occur in at least one candidate."""
    held = "".join(candidates)
    return {rank for rank, symbol in enumerate(game.symbols) if symbol in held}


def maps_onto(
    game: Exchangeable,
    history: History,
    held: Set[int],
    first: Sequence[int],
    second: Sequence[int],
    effort: SearchBudget,
) -> bool:
    """Return whether a symmetry of the history maps the guesses `first` to the guesses `second`, in order.

    The result is False if the budget `effort` is too small for the search.
    """
    absent = game.colors
    past = [game.digits(guess) for guess, _ in history]
    columns = []
    for guesses in (first, second):
        # Symbols that no candidate has are equivalent, so they count as one symbol.
        codes = [[d if d in held else absent for d in game.digits(guess)] for guess in guesses]
        # An additional first column has only the symbol "absent", so a permutation maps this symbol to itself.
        columns.append(list(zip(*[[absent, *code] for code in past + codes], strict=True)))
    try:
        found = find_permutation(columns[0], columns[1], absent + 1, effort)
    except BudgetExceededError:
        return False
    return found is not None and found.positions[0] == 0


def openings(game: Exchangeable) -> list[int]:
    """Return the first guesses that are not equivalent to a guess of a lower index, as ascending indices.

    >>> from guessbook.book import Mastermind
    >>> game = Mastermind(4, 6)
    >>> [game.guesses[opening] for opening in openings(game)]
    ['RRRR', 'RRRY', 'RRYY', 'RRYG', 'RYGB']
    """
    ranks, found = range(game.colors), []
    for index in lowest_guesses(game, [], set(ranks)):
        # In the lowest of equivalent guesses, symbol 0 is the most frequent, symbol 1 the second, and so on.
        times = [*map(game.digits(index).count, ranks)]
        if times == sorted(times, reverse=True):
            found.append(index)
    return found

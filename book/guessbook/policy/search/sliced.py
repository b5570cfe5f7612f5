"""The policy's guess for a code game in plain Python: all candidates at once, as bits of one int.

Candidate k is bit k of every set here, so one `&` of two integers compares a guess with all
candidates. The answer is exactly that of `guessbook.policy.reference`, some thousand times sooner
and without numpy, which alone takes longer to import than a hint may take.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import compress, permutations
from typing import TYPE_CHECKING, NamedTuple

from guessbook.book.errors import InvalidGameError
from guessbook.book.games.codes import Mastermind
from guessbook.book.games.enumeration import code_index
from guessbook.book.games.game import History
from guessbook.policy.search import search as base
from guessbook.policy.search.code_sums import Sums as Sums
from guessbook.policy.search.code_sums import count
from guessbook.policy.search.search import Choice

if TYPE_CHECKING:
    from guessbook.policy.one_step import OneStep


# The candidates take a byte for every peg: some 120 MB for 7 pegs of so many codes. Nothing else
# sets a limit here, for the scores are Python's integers, which cannot overflow.
MAX_PLAIN_CODES = 1 << 24

# What an operation on one 64-bit word takes.
WORD_SECONDS = 1.5e-9

# Bytes of ASCII 1 for one symbol, of ASCII 0 for the others: for bytes.translate and int(_, 2).
_MARKS = [bytes(48 + (byte == symbol) for byte in range(256)) for symbol in range(36)]
_TRUTH = bytes(byte == ord("1") for byte in range(256))


def candidates(game: Mastermind, history: History) -> list[bytes]:
    """The candidates, in order, as columns: one `bytes` a position, one symbol's rank a candidate.

    Raises:
        InvalidGameError: the game has more than `MAX_PLAIN_CODES` codes.
    """
    columns = _all_codes(game)
    for guess, feedback in history:
        if not columns[0]:
            break
        digits = game.digits(guess)
        total, black = divmod(feedback, game.pegs + 1)
        cell = _Slices(columns, set(digits)).cell(digits, total, black)
        marks = f"{cell:0{len(columns[0])}b}".encode()[::-1].translate(_TRUTH)
        columns = [bytes(compress(column, marks)) for column in columns]
    return columns


def best_guess(
    game: Mastermind, history: History, policy: OneStep, columns: Sequence[bytes] | None = None
) -> Choice | None:
    """The policy's guess after a history, by the same rule as `reference.best_guess`.

    None if the history has no candidates. `columns` saves time if `candidates` was called before.
    """
    if columns is None:
        columns = candidates(game, history)
    size = len(columns[0])
    if not size:
        return None
    search = _Search(game, columns, _alike(game, history, columns), policy)
    if size < game.feedbacks:
        # Nothing beats a candidate that tells all candidates apart. With more candidates than
        # feedbacks there is no such thing.
        for digits in zip(*columns, strict=True):
            sizes = search.slices.sizes(digits)
            if max(sizes) == 1:
                return Choice(_index(game, digits), size, [n for n in sizes if n], True)
    search.extend((), 0, [search.slices.everything])
    is_candidate = search.slices.blacks(search.code)[-1] != 0
    sizes = [n for n in search.slices.sizes(search.code) if n]
    return Choice(_index(game, search.code), size, sizes, is_candidate)


def codes_to_score(game: Mastermind, history: History, columns: Sequence[bytes]) -> int:
    """How many guesses `best_guess` scores if nothing stops it early."""
    alike = _alike(game, history, columns)
    groups = [len(group) for group in alike.groups]
    # How many prefixes use so many symbols of each group.
    states = Counter({(0,) * len(groups): 1})
    for depth in range(game.pegs):
        grown: Counter[tuple[int, ...]] = Counter()
        for used, n in states.items():
            if game.repeats:
                grown[used] += n * (len(alike.single) + sum(used))
            else:
                grown[used] += n * (len(alike.single) - depth + sum(used))
            for g, group in enumerate(groups):
                if used[g] < group:
                    grown[(*used[:g], used[g] + 1, *used[g + 1 :])] += n
        states = grown
    return states.total()


def work(game: Mastermind, history: History, columns: Sequence[bytes]) -> int:
    """How much `best_guess` has to do, in operations on one 64-bit word (`WORD_SECONDS`).

    An operation on a short integer costs as much as one on some 100 words.
    """
    operations = game.pegs * (game.pegs + 5)
    return codes_to_score(game, history, columns) * operations * (100 + len(columns[0]) // 64)


class Search(base.Search):
    """The candidates of a history, as columns: see `search.Search`."""

    __slots__ = ("columns", "history")

    game: Mastermind

    def __init__(self, game: Mastermind, history: History) -> None:
        self.game = game
        self.history = history
        self.columns = candidates(game, history)

    @property
    def size(self) -> int:
        """See `search.Search.size`."""
        return len(self.columns[0])

    @property
    def seconds(self) -> float:
        """See `search.Search.seconds`."""
        return work(self.game, self.history, self.columns) * WORD_SECONDS

    def candidates(self) -> list[str]:
        """See `search.Search.candidates`."""
        symbols = str.maketrans(dict(zip(map(chr, range(36)), self.game.symbols, strict=False)))
        letters = [column.decode("latin-1").translate(symbols) for column in self.columns]
        return ["".join(code) for code in zip(*letters, strict=True)]

    def best_guess(self, policy: OneStep) -> Choice | None:
        """See `sliced.best_guess`."""
        return best_guess(self.game, self.history, policy, self.columns)


class _Slices:
    """Sets of candidates as integers: who has which symbol where, and how often."""

    __slots__ = ("atleast", "everything", "match", "totals")

    def __init__(self, columns: Sequence[bytes], symbols: Iterable[int]) -> None:
        self.everything = (1 << len(columns[0])) - 1
        mirrored = [column[::-1] for column in columns]
        # match[p][symbol]: the candidates with that symbol at position p.
        self.match = [
            {symbol: int(column.translate(_MARKS[symbol]), 2) for symbol in symbols}
            for column in mirrored
        ]
        # atleast[symbol][j]: the candidates with j or more of that symbol.
        self.atleast: dict[int, list[int]] = {}
        for symbol in symbols:
            sets = [self.everything]
            for masks in self.match:
                sets = count(sets, masks[symbol])
            self.atleast[symbol] = sets
        self.totals: dict[int, list[tuple[int, int, int]]] = {}

    def blacks(self, digits: Sequence[int]) -> list[int]:
        """For b = 0, 1, ...: the candidates that give the guess b or more black pegs."""
        sets = [self.everything]
        for masks, symbol in zip(self.match, digits, strict=True):
            sets = count(sets, masks[symbol])
        return sets

    def by_total(self, symbols: int) -> list[tuple[int, int, int]]:
        """The candidates by pegs of either kind: (pegs, set, size of the set), empty sets left out.

        Args:
            symbols: how often a guess has symbol s, in bits 4s to 4s + 3. The order of its symbols
                does not matter, so few different questions are ever asked.
        """
        if symbols not in self.totals:
            sets = [self.everything]
            for symbol, owners in self.atleast.items():
                for j in range(1, (symbols >> 4 * symbol & 15) + 1):
                    sets = count(sets, owners[j])
            exact = [a ^ b for a, b in zip(sets, [*sets[1:], 0], strict=True)]
            self.totals[symbols] = [(t, s, s.bit_count()) for t, s in enumerate(exact) if s]
        return self.totals[symbols]

    def cell(self, digits: Sequence[int], total: int, black: int) -> int:
        """The candidates that give the guess so many pegs, of which so many black."""
        sets = [*self.blacks(digits), 0]
        for t, exact, _ in self.by_total(_symbols(digits)):
            if t == total:
                return exact & (sets[black] ^ sets[black + 1])
        return 0

    def sizes(self, digits: Sequence[int]) -> list[int]:
        """The sizes of the cells that a guess makes; zeros may be among them."""
        return cell_sizes(self.by_total(_symbols(digits)), self.blacks(digits))


def cell_sizes(totals: list[tuple[int, int, int]], blacks: list[int]) -> list[int]:
    """The sizes of the cells, from the candidates by all pegs and by black pegs; some are 0."""
    sizes = []
    for total, exact, left in totals:
        for black in range(1, total + 1):
            more = (exact & blacks[black]).bit_count()
            sizes.append(left - more)
            left = more
            if not more:
                break
        else:
            sizes.append(left)
    return sizes


class _Alike(NamedTuple):
    """Which symbols a guess may exchange without changing the sizes of its cells.

    Attributes:
        single: the symbols that differ from all others.
        groups: sets of symbols that are alike, each in order. Of the guesses that differ in
            nothing else the lowest uses them in this order, so only that one is scored.
    """

    single: list[int]
    groups: list[list[int]]


def _alike(game: Mastermind, history: History, columns: Sequence[bytes]) -> _Alike:
    """The symbols in no candidate are alike; those in candidates but in no guess so far as well."""
    present = set().union(*columns)
    guessed = {digit for guess, _ in history for digit in game.digits(guess)}
    absent = [s for s in range(game.colors) if s not in present]
    free = [s for s in range(game.colors) if s in present and s not in guessed]
    single = [s for s in range(game.colors) if s in present and s in guessed]
    if not game.repeats:
        return _Alike(single, [free, absent])
    # A symbol in no candidate can stand for all such symbols at once, if it may be repeated.
    return _Alike(sorted(single + absent[:1]), [free])


class _Search:
    """A depth-first search through the guesses in their order; a prefix is counted only once."""

    def __init__(
        self, game: Mastermind, columns: Sequence[bytes], alike: _Alike, policy: OneStep
    ) -> None:
        policy = policy.of(game)
        size = len(columns[0])
        # (symbol, its bits in a word of counts, the bits of the symbol that must come earlier)
        self.choices = [(symbol, 15 << 4 * symbol, 0) for symbol in alike.single]
        for group in alike.groups:
            for k, symbol in enumerate(group):
                earlier = 15 << 4 * group[k - 1] if k else 0
                self.choices.append((symbol, 15 << 4 * symbol, earlier))
        self.choices.sort()
        self.pegs = game.pegs
        self.repeats = game.repeats
        self.slices = _Slices(columns, [symbol for symbol, _, _ in self.choices])
        self.costs = policy.costs(size)
        self.fold = sum if policy.additive else max
        self.credit = policy.credit
        self.perfect = policy.score([1] * size, self.costs)
        self.code: tuple[int, ...] = ()
        self.best: tuple[int, bool] | None = None

    def extend(self, prefix: tuple[int, ...], symbols: int, blacks: list[int]) -> bool:
        """Score every guess that begins with `prefix`; whether nothing can beat the best one.

        Args:
            prefix: the first symbols of the guess.
            symbols: how often each symbol is among them, as in `_Slices.by_total`.
            blacks: for b = 0, 1, ...: the candidates that match them in b or more places.
        """
        masks = self.slices.match[len(prefix)]
        last = len(prefix) + 1 == self.pegs
        for symbol, bits, earlier in self.choices:
            if (earlier and not symbols & earlier) or (not self.repeats and symbols & bits):
                continue
            code = (*prefix, symbol)
            grown = symbols + (bits & -bits)
            sets = count(blacks, masks[symbol])
            if (self._score if last else self.extend)(code, grown, sets):
                return True
        return False

    def _score(self, code: tuple[int, ...], symbols: int, blacks: list[int]) -> bool:
        sizes = cell_sizes(self.slices.by_total(symbols), blacks)
        # All pegs black: the guess is a candidate. Guesses come in order, so that of equal ones
        # the first stays.
        is_candidate = blacks[-1] != 0
        score = self.credit * is_candidate - self.fold([self.costs[n] for n in sizes])
        rank = (score, is_candidate)
        if self.best is None or rank > self.best:
            self.best = rank
            self.code = code
        # A candidate that is perfect would have been found before the search began. With a credit
        # one that is not may still win.
        return score == self.perfect and not self.credit


def _all_codes(game: Mastermind) -> list[bytes]:
    """The columns of all codes of the game."""
    pegs, colors, codes = game.pegs, game.colors, len(game.guesses)
    if codes > MAX_PLAIN_CODES:
        raise InvalidGameError(
            f"found a game of {codes:,} codes, expected at most {MAX_PLAIN_CODES:,}: "
            f"its codes alone would take {codes * pegs >> 20} MiB; play with fewer pegs or colors"
        )
    if not game.repeats:
        return [bytes(column) for column in zip(*permutations(range(colors), pegs), strict=True)]
    columns = []
    for position in range(pegs):
        run = colors ** (pegs - 1 - position)
        columns.append(b"".join(bytes([s]) * run for s in range(colors)) * colors**position)
    return columns


def _index(game: Mastermind, digits: Sequence[int]) -> int:
    return code_index(digits, game.colors, game.repeats)


def _symbols(digits: Sequence[int]) -> int:
    """How often each symbol occurs, four bits a symbol (a code has at most 15 pegs)."""
    return sum(1 << 4 * digit for digit in digits)

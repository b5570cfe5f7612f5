"""The candidates of a history, and the feedbacks that they give to any guess, in plain Python.

The feedbacks to a guess are computed for all candidates at once, if the game allows it.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress, pairwise, permutations
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from guessbook.book.errors import InvalidGameError
from guessbook.book.games.game import NOT_KNOWN
from guessbook.book.games.weights import weights_of

if TYPE_CHECKING:
    from guessbook.book.games.codes import Mastermind
    from guessbook.book.games.game import Game, History
    from guessbook.book.games.tables import TableGame
    from guessbook.book.games.words import WordGame

# The type codes of `array` for numbers of 1, 2 and 4 bytes.
LANES = {1: "B", 2: "H", 4: "I"}

# The type of an answer: a feedback number, or a tuple of one feedback number per guess.
T = TypeVar("T")
# A symbol and its positions in a guess: bit p is 1 if the guess has the symbol at position p.
Part = tuple[str, int]


class Choice(NamedTuple):
    """The guess that a policy chooses, and its cells.

    Attributes:
        guess: the index of the guess in `game.guesses`.
        candidates: the number of candidates.
        sizes: the sizes of the cells of the guess, or the weights of its cells if secrets have
            weights.
        is_candidate: whether the guess may be the secret.
        found: the weight of the candidates found within the policy's limit of guesses; None without
            a limit.
    """

    guess: int
    candidates: int
    sizes: list[int]
    is_candidate: bool
    found: int | None = None


def candidates_of(game: Game, history: History) -> list[str]:
    """Return every secret that fits a history, in the order of the game."""
    return list(fitting(game, history) if history else game.secrets)


def fitting(game: Game, history: History) -> Iterator[str]:
    """Yield every secret that fits a history, in the order of the game."""
    return FITTING.get(game.kind, _fitting)(game, history)


def _fitting(game: Game, history: History) -> Iterator[str]:
    answers = [(game.guesses[guess], feedback) for guess, feedback in history]
    for secret in game.secrets:
        if all(game.feedback_number(guess, secret) == feedback for guess, feedback in answers):
            yield secret


def _fitting_things(game: TableGame, history: History) -> Iterator[str]:
    """Yield the secrets whose answers in the table agree with the history."""
    columns: Sequence[int] = range(len(game.secrets))
    for guess, feedback in history:
        if feedback == NOT_KNOWN:
            continue
        row = game.row(guess)
        columns = [column for column in columns if row[column] == feedback]
    return (game.secrets[column] for column in columns)


def _fitting_codes(game: Mastermind, history: History) -> Iterator[str]:
    # One column per position, one byte per code: the index of the code's symbol there.
    columns = _all_codes(game)
    for guess, feedback in history:
        # Each symbol gets its own `_Lanes`, which is freed soon: a shared one would cache all
        # symbols.
        total = sum(_Lanes(game, columns).of(part) for part in parts_of(game.guesses[guess]))
        fits = total.to_bytes(len(columns[0]), "little").translate(_marks(feedback))
        columns = [bytes(compress(column, fits)) for column in columns]
    symbols = str.maketrans(dict(zip(map(chr, range(36)), game.symbols, strict=False)))
    letters = [column.decode("latin-1").translate(symbols) for column in columns]
    return map("".join, zip(*letters, strict=True))


class Sums:
    """The feedbacks that a list of candidates gives to any guess, for any game."""

    __slots__ = ("_weights", "candidates", "game")

    def __init__(self, game: Game, candidates: Sequence[str]) -> None:
        self.game = game
        self.candidates = candidates
        self._weights = game.weights and weights_of(game, candidates)

    def answers(self, guess: str) -> bytes | array[int]:
        """Return the feedback number that each candidate gives to a guess."""
        lane = LANES[lane_bytes(self.game)]
        return array(lane, [self.game.feedback_number(guess, secret) for secret in self.candidates])

    def cell_weights(self, answers: Iterable[T]) -> Counter[T]:
        """Return the total weight of the candidates for each answer.

        `answers` has one answer per candidate.
        """
        if self._weights is None:
            return Counter(answers)
        cells: Counter[T] = Counter()
        for answer, weight in zip(answers, self._weights, strict=True):
            cells[answer] += weight
        return cells

    @staticmethod
    def table_bytes(game: Any) -> int:
        """Return an upper bound on the size in bytes of a build's table of feedbacks.

        Return 0 if a build has no table.
        """
        return lane_bytes(game) * len(game.guesses) * len(game.secrets)


class PartSums(Sums):
    """The feedbacks that a list of candidates gives to any guess, as sums over symbols (`Part`).

    One long integer holds the feedback numbers of all candidates. Its bytes for one candidate are
    the candidate's lane.
    """

    __slots__ = ("_known", "_lane")

    def __init__(self, game: Game, candidates: Sequence[str]) -> None:
        super().__init__(game, candidates)
        # A cache of the results of `of`: thousands of guesses have only a few hundred different
        # values of `Part`.
        self._known: dict[Part, int] = {}
        self._lane = lane_bytes(game)

    @abstractmethod
    def of(self, part: Part) -> int:
        """Return the numbers that a symbol adds to the candidates' feedback numbers.

        They are packed into one integer, with a lane per candidate.
        """

    def answers(self, guess: str) -> bytes | array[int]:
        total = 0
        for part in parts_of(guess):
            if part not in self._known:
                self._known[part] = self.of(part)
            # A lane can hold every feedback number, so no number spills into the next lane.
            total += self._known[part]
        return self.lanes(total)

    def lanes(self, total: int) -> bytes | array[int]:
        """Return the numbers that are packed into one integer, one number per candidate."""
        data = total.to_bytes(self._lane * len(self.candidates), "little")
        if self._lane == 1:
            return data
        numbers = array(LANES[self._lane], data)
        if sys.byteorder == "big":
            numbers.byteswap()
        return numbers


def parts_of(guess: str) -> list[Part]:
    """Return each symbol of a guess with its positions as bits, in the order of the first occurrences.

    >>> parts_of("geese")
    [('g', 1), ('e', 22), ('s', 8)]
    """
    places: dict[str, int] = {}
    for position, letter in enumerate(guess):
        places[letter] = places.get(letter, 0) | 1 << position
    return list(places.items())


def count(sets: list[int], more: int) -> list[int]:
    """Count each candidate in `more` once more, and return the sets.

    Set n has the candidates that were counted at least n times. A set is an integer with a 1 in
    the lane (see `PartSums`) of each of its candidates.
    """
    return [sets[0], *[same | less & more for less, same in pairwise(sets)], sets[-1] & more]


def lane_bytes(game: Game) -> int:
    """Return the size in bytes of a feedback number of the game: 1, 2 or 4."""
    return 1 if game.feedbacks <= 1 << 8 else 2 if game.feedbacks <= 1 << 16 else 4


def sums_of(game: Game, candidates: Sequence[str]) -> Sums:
    """Return an object that computes the feedbacks of `candidates`.

    Each candidate must be a secret of the game.
    """
    sums: Sums = SUMS.get(game.kind, Sums)(game, candidates)
    return sums


def table_bytes(game: Game) -> int:
    """Return an upper bound on the size in bytes of a build's table of feedbacks.

    Return 0 if a build has no table.
    """
    size: int = SUMS.get(game.kind, Sums).table_bytes(game)
    return size


class TableSums(Sums):
    """The feedbacks that a list of candidates gives to any guess, read from the table of the game."""

    __slots__ = ("_columns",)

    def __init__(self, game: TableGame, candidates: Sequence[str]) -> None:
        super().__init__(game, candidates)
        self._columns = [game.columns[code] for code in candidates]

    def answers(self, guess: str) -> array[int]:
        game: TableGame = self.game  # type: ignore[assignment]
        row = game.row(game.places[guess])
        if len(self._columns) == len(row):
            return row
        return array(row.typecode, map(row.__getitem__, self._columns))

    @staticmethod
    def table_bytes(game: TableGame) -> int:
        # Only the first `given` guesses have a row. Each other guess only asks whether one code is
        # the secret.
        return lane_bytes(game) * game.given * len(game.secrets)


# If an upper bound on the size of a table is at most this number of bytes, the exact size is not
# computed.
SMALL_TABLE = 1 << 28


class WordSums(PartSums):
    """The feedbacks that a list of candidates of a word game gives to any guess."""

    __slots__ = ("_every", "_held", "_length", "_loose")

    def __init__(self, game: WordGame, candidates: Sequence[str]) -> None:
        super().__init__(game, candidates)
        self._length = game.length
        self._loose = game.scoring == "loose"
        width, size = self._lane, self._lane * len(candidates)
        self._every = int.from_bytes((b"\1" + bytes(width - 1)) * len(candidates), "little")
        # _held[p][letter] is an integer with 1 in the lane (see `PartSums`) of each candidate with
        # this letter at p.
        self._held: list[dict[str, int]] = []
        for p in range(game.length):
            marks: dict[str, bytearray] = {}
            for k, word in enumerate(candidates):
                letter = word[p]
                if letter not in marks:
                    marks[letter] = bytearray(size)
                marks[letter][k * width] = 1
            self._held.append({a: int.from_bytes(m, "little") for a, m in marks.items()})

    def of(self, part: Part) -> int:
        """Return what a letter adds to all feedback numbers, packed into one integer."""
        letter, places = part
        held = [masks.get(letter, 0) for masks in self._held]
        inside = [p for p in range(self._length) if places >> p & 1]
        # spare[j] marks the candidates that have the letter at least j times outside the positions
        # where the guess has the letter. With loose scoring, all positions count.
        spare = [self._every]
        for p, mask in enumerate(held):
            if self._loose or not places >> p & 1:
                spare = count(spare, mask)
        total = 0
        for p in inside:
            present = (spare[1] if len(spare) > 1 else 0) & ~held[p]
            total += 3 ** (self._length - 1 - p) * (2 * held[p] + present)
            if not self._loose:
                spare = [
                    now & ~present | after
                    for now, after in zip(spare, [*spare[1:], 0], strict=True)
                ]
        return total

    @staticmethod
    def table_bytes(game: WordGame) -> int:
        """Return the size of a build's table in bytes, or an upper bound if this bound is small."""
        row = lane_bytes(game) * len(game.secrets)
        # The table has a row per `Part` and a column per secret. Counting the rows is slow, so a
        # bound is tried first.
        if game.length * len(game.guesses) * row <= SMALL_TABLE:
            return game.length * len(game.guesses) * row
        return row * len({part for guess in game.guesses for part in parts_of(guess)})


# The largest number of codes that are listed in memory. With 7 pegs, at one byte per peg, they take
# about 120 MB.
MAX_PLAIN_CODES = 1 << 24


def _all_codes(game: Mastermind) -> list[bytes]:
    """Return a column per position, with the index of each code's symbol there as a byte."""
    pegs, colors, codes = game.pegs, game.colors, len(game.guesses)
    if codes > MAX_PLAIN_CODES:
        raise InvalidGameError(
            f"{game.name} has {codes:,} codes, limit {MAX_PLAIN_CODES:,}: its codes alone would take "
            f"{codes * pegs >> 20} MiB; play with fewer pegs or colors"
        )
    if not game.repeats:
        return [bytes(column) for column in zip(*permutations(range(colors), pegs), strict=True)]
    columns = []
    for position in range(pegs):
        run = colors ** (pegs - 1 - position)
        columns.append(b"".join(bytes([s]) * run for s in range(colors)) * colors**position)
    return columns


class CodeSums(PartSums):
    """The feedbacks that a list of candidates of a code game gives to any guess, in a byte each."""

    __slots__ = ("_lanes",)

    def __init__(self, game: Mastermind, candidates: Sequence[str]) -> None:
        super().__init__(game, candidates)
        ranks = {symbol: rank for rank, symbol in enumerate(game.symbols)}
        columns = [bytes([ranks[code[p]] for code in candidates]) for p in range(game.pegs)]
        self._lanes = _Lanes(game, columns)

    def of(self, part: Part) -> int:
        """Return what a symbol adds to all feedback numbers, packed into one integer."""
        return self._lanes.of(part)

    @staticmethod
    def table_bytes(game: Mastermind) -> int:
        """Return 0: the engine computes the feedbacks of codes without a table."""
        return 0


class _Lanes:
    """The numbers that a symbol of a guess adds to the feedback numbers of a list of codes."""

    def __init__(self, game: Mastermind, columns: Sequence[bytes]) -> None:
        self._game = game
        self._columns = columns
        self._held: dict[str, list[int]] = {}
        self._pegs: dict[tuple[str, int], int] = {}

    def of(self, part: Part) -> int:
        """Return the numbers that a symbol adds; byte k is the number for candidate k.

        The number is (`pegs` + 1) * white pegs + (`pegs` + 2) * black pegs of the symbol.
        """
        symbol, places = part
        if symbol not in self._held:
            marks = _marks(self._game.symbols.index(symbol))
            # One integer per position has a 1 in the byte of each candidate with the symbol at this
            # position.
            self._held[symbol] = [
                int.from_bytes(column.translate(marks), "little") for column in self._columns
            ]
        held, key = self._held[symbol], (symbol, places.bit_count())
        if key not in self._pegs:
            # owners[j] marks the candidates that have the symbol at least j times. The largest j is
            # the number of times that the guess has the symbol.
            owners = [int.from_bytes(b"\1" * len(self._columns[0]), "little")]
            for mask in held:
                owners = count(owners, mask)[: key[1] + 1]
            self._pegs[key] = (self._game.pegs + 1) * sum(owners[1:])
        return self._pegs[key] + sum([mask for p, mask in enumerate(held) if places >> p & 1])


def _marks(value: int) -> bytes:
    """Return a table for `bytes.translate` that maps the byte `value` to 1 and all others to 0."""
    return bytes(value) + b"\1" + bytes(255 - value)


# For each kind of game: the function that finds its candidates, and the class that computes
# feedbacks.
FITTING: dict[str, Callable[[Any, History], Iterator[str]]] = {
    "mastermind": _fitting_codes,
    "table": _fitting_things,
    "identification": _fitting_things,
}
SUMS: dict[str, type[Sums]] = {
    "mastermind": CodeSums,
    "words": WordSums,
    "table": TableSums,
    "identification": TableSums,
}

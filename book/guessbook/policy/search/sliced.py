"""Candidates and feedbacks of games of codes in plain Python, computed for all candidates at once."""

from collections.abc import Sequence
from itertools import compress, permutations

from guessbook.book.errors import InvalidGameError
from guessbook.book.games.codes import Mastermind
from guessbook.book.games.game import History
from guessbook.policy.search import search
from guessbook.policy.search.search import Part, count, parts_of

# The largest number of codes in a game. Codes of 7 pegs, at one byte per peg, then take about 120 MB.
MAX_PLAIN_CODES = 1 << 24


class Search(search.Search):
    """The candidates of a history, in one column per position.

    A column is one byte per candidate: the index of the candidate's symbol at this position.
    """

    __slots__ = ("columns",)

    game: Mastermind

    def __init__(self, game: Mastermind, history: History) -> None:
        self.game = game
        columns = _all_codes(game)
        for guess, feedback in history:
            # Each symbol gets its own `_Lanes`, which is soon freed. A shared one would cache all symbols at once.
            total = sum(_Lanes(game, columns).of(part) for part in parts_of(game.guesses[guess]))
            fits = total.to_bytes(len(columns[0]), "little").translate(_marks(feedback))
            columns = [bytes(compress(column, fits)) for column in columns]
        self.columns = columns

    @property
    def size(self) -> int:
        """The number of candidates."""
        return len(self.columns[0])

    def candidates(self) -> list[str]:
        """Return the candidates as codes, in the order of the game."""
        symbols = str.maketrans(dict(zip(map(chr, range(36)), self.game.symbols, strict=False)))
        letters = [column.decode("latin-1").translate(symbols) for column in self.columns]
        return ["".join(code) for code in zip(*letters, strict=True)]


def _all_codes(game: Mastermind) -> list[bytes]:
    """Return one column per position, with a byte for each code: the index of the code's symbol at this position."""
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


class Sums(search.PartSums):
    """The feedbacks that a list of candidates of a code game gives to any guess, with one byte per feedback."""

    __slots__ = ("_lanes",)

    def __init__(self, game: Mastermind, candidates: Sequence[str]) -> None:
        super().__init__(game, candidates)
        ranks = {symbol: rank for rank, symbol in enumerate(game.symbols)}
        columns = [bytes([ranks[code[p]] for code in candidates]) for p in range(game.pegs)]
        self._lanes = _Lanes(game, columns)

    def of(self, part: Part) -> int:
        """Return the number that a symbol adds to each candidate's feedback number, all packed in one integer."""
        return self._lanes.of(part)

    @staticmethod
    def table_bytes(game: Mastermind) -> int:
        """Return 0: the engine computes the feedbacks of codes without a table."""
        return 0


class _Lanes:
    """A cache of one integer per symbol: byte k is the number that the symbol adds to candidate k's feedback number."""

    def __init__(self, game: Mastermind, columns: Sequence[bytes]) -> None:
        self._game = game
        self._columns = columns
        self._held: dict[str, list[int]] = {}
        self._pegs: dict[tuple[str, int], int] = {}

    def of(self, part: Part) -> int:
        """Return (`pegs` + 1) * white pegs + (`pegs` + 2) * black pegs of a symbol: candidate k's number is byte k."""
        symbol, places = part
        if symbol not in self._held:
            marks = _marks(self._game.symbols.index(symbol))
            # One integer per position has a 1 in the byte of each candidate with the symbol at this position.
            self._held[symbol] = [
                int.from_bytes(column.translate(marks), "little") for column in self._columns
            ]
        held, key = self._held[symbol], (symbol, places.bit_count())
        if key not in self._pegs:
            # owners[j] marks the candidates that have the symbol at least j times. The largest j is the number of
            # times that the guess has the symbol.
            owners = [int.from_bytes(b"\1" * len(self._columns[0]), "little")]
            for mask in held:
                owners = count(owners, mask)[: key[1] + 1]
            self._pegs[key] = (self._game.pegs + 1) * sum(owners[1:])
        return self._pegs[key] + sum([mask for p, mask in enumerate(held) if places >> p & 1])


def _marks(value: int) -> bytes:
    """Return a table for `bytes.translate` that maps the byte `value` to 1 and every other byte to 0."""
    return bytes(value) + b"\1" + bytes(255 - value)

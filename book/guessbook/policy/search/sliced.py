"""The candidates and feedbacks of a code game in plain Python: all at once, in one integer.

Candidate k is bit k of every set in `Search`, and byte k of every integer in `Sums`.
"""

from collections.abc import Sequence
from itertools import compress, permutations

from guessbook.book.errors import InvalidGameError
from guessbook.book.games.codes import Mastermind
from guessbook.book.games.game import History
from guessbook.policy.search import search
from guessbook.policy.search.search import Part, count

# The candidates take a byte for every peg: some 120 MB for 7 pegs at this limit. The scores are
# Python's integers and set no limit.
MAX_PLAIN_CODES = 1 << 24

# For bytes.translate: 1 for one symbol and 0 for others; in ASCII, for int(_, 2); back from ASCII.
_MARKS = [bytes(rank) + b"\1" + bytes(255 - rank) for rank in range(36)]
_DIGITS = [mark.replace(b"\0", b"0").replace(b"\1", b"1") for mark in _MARKS]
_TRUTH = bytes(byte == ord("1") for byte in range(256))


class Search(search.Search):
    """The candidates of a history, as columns of the ranks of their symbols.

    There is a column for each position, with one byte for each candidate. Raises InvalidGameError
    if the game has more than `MAX_PLAIN_CODES` codes.
    """

    __slots__ = ("columns",)

    game: Mastermind

    def __init__(self, game: Mastermind, history: History) -> None:
        self.game = game
        columns = _all_codes(game)
        for guess, feedback in history:
            if not columns[0]:
                break
            cell = _cell(columns, game.digits(guess), *divmod(feedback, game.pegs + 1))
            marks = f"{cell:0{len(columns[0])}b}".encode()[::-1].translate(_TRUTH)
            columns = [bytes(compress(column, marks)) for column in columns]
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


def _cell(columns: Sequence[bytes], digits: Sequence[int], total: int, black: int) -> int:
    """Return the candidates that give a guess `total` pegs, `black` of them black, as bits."""
    everything = (1 << len(columns[0])) - 1
    mirrored = [column[::-1] for column in columns]
    blacks, totals = [everything], [everything]
    for column, digit in zip(mirrored, digits, strict=True):
        blacks = count(blacks, int(column.translate(_DIGITS[digit]), 2))
    for digit in set(digits):
        # owners[j]: the candidates with j or more of the symbol.
        owners = [everything]
        for column in mirrored:
            owners = count(owners, int(column.translate(_DIGITS[digit]), 2))
        for j in range(1, digits.count(digit) + 1):
            totals = count(totals, owners[j])
    exactly = [
        [*sets, 0][n] ^ [*sets, 0, 0][n + 1] for sets, n in ((totals, total), (blacks, black))
    ]
    return exactly[0] & exactly[1]


def _all_codes(game: Mastermind) -> list[bytes]:
    """Return the columns of all codes of the game."""
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
    """The feedbacks of some candidates of a code game: one byte a candidate, as none exceeds 255.

    A symbol and its positions in a guess add pegs + 1 for each peg of either kind, and 1 for each
    black one.
    """

    __slots__ = ("_owned", "_pegs")

    def __init__(self, game: Mastermind, candidates: Sequence[str]) -> None:
        super().__init__(game, candidates)
        self._pegs = game.pegs
        ranks = {symbol: rank for rank, symbol in enumerate(game.symbols)}
        self._held = []
        for position in range(game.pegs):
            column = bytes([ranks[code[position]] for code in candidates])
            marks = {rank: column.translate(_MARKS[rank]) for rank in set(column)}
            self._held.append(
                {game.symbols[rank]: int.from_bytes(m, "little") for rank, m in marks.items()}
            )
        # _owned[symbol][j]: 1 in the lanes of the candidates with at least j of that symbol.
        self._owned: dict[str, list[int]] = {}
        for symbol in game.symbols:
            sets = [int.from_bytes(b"\1" * len(candidates), "little")]
            for masks in self._held:
                sets = count(sets, masks.get(symbol, 0))
            self._owned[symbol] = sets

    def of(self, part: Part) -> int:
        """Return the summand of a symbol at these positions, as the lanes of an integer."""
        symbol, places = part
        pegs = sum(self._owned[symbol][1 : places.bit_count() + 1])
        inside = [masks for p, masks in enumerate(self._held) if places >> p & 1]
        return (self._pegs + 1) * pegs + sum(masks.get(symbol, 0) for masks in inside)

    @staticmethod
    def table_bytes(game: Mastermind) -> int:
        """Return 0: the engine computes the feedbacks of codes without a table."""
        return 0

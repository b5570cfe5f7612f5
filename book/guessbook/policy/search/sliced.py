"""The candidates of a code game in plain Python: all at once, as the bits of one integer.

Candidate k is bit k of every set here, so one `&` of two integers compares a guess with all
candidates. Tests compare the results with `guessbook.policy.reference`.
"""

from collections.abc import Sequence
from itertools import compress, permutations

from guessbook.book.errors import InvalidGameError
from guessbook.book.games.codes import Mastermind
from guessbook.book.games.game import History
from guessbook.policy.search import search as base
from guessbook.policy.search.code_sums import Sums as Sums
from guessbook.policy.search.code_sums import count

# The candidates take a byte for every peg: some 120 MB for 7 pegs at this limit. The scores are
# Python's integers and set no limit.
MAX_PLAIN_CODES = 1 << 24

# ASCII 1 for one symbol, ASCII 0 for the others: for bytes.translate and int(_, 2).
_MARKS = [bytes(48 + (byte == symbol) for byte in range(256)) for symbol in range(36)]
_TRUTH = bytes(byte == ord("1") for byte in range(256))


def candidates(game: Mastermind, history: History) -> list[bytes]:
    """Return the candidates in order, as columns of the ranks of their symbols.

    There is a column for each position, with one byte for each candidate. Raises InvalidGameError
    if the game has more than `MAX_PLAIN_CODES` codes.
    """
    columns = _all_codes(game)
    for guess, feedback in history:
        if not columns[0]:
            break
        digits = game.digits(guess)
        total, black = divmod(feedback, game.pegs + 1)
        cell = _cell(columns, digits, total, black)
        marks = f"{cell:0{len(columns[0])}b}".encode()[::-1].translate(_TRUTH)
        columns = [bytes(compress(column, marks)) for column in columns]
    return columns


class Search(base.Search):
    """The candidates of a history, as columns: see `search.Search`."""

    __slots__ = ("columns",)

    game: Mastermind

    def __init__(self, game: Mastermind, history: History) -> None:
        self.game = game
        self.columns = candidates(game, history)

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
        blacks = count(blacks, int(column.translate(_MARKS[digit]), 2))
    for digit in set(digits):
        # owners[j]: the candidates with j or more of the symbol.
        owners = [everything]
        for column in mirrored:
            owners = count(owners, int(column.translate(_MARKS[digit]), 2))
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

"""The sequence of all codes of a code game; each code is computed from its index on demand."""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import overload


class Codes(Sequence[str]):
    """The sequence of all codes of a game in lexicographic order; `symbols` has the symbols in order."""

    def __init__(self, pegs: int, symbols: str, repeats: bool) -> None:
        self.pegs = pegs
        self.symbols = symbols
        self.repeats = repeats
        colors = len(symbols)
        self._length: int = colors**pegs if repeats else math.perm(colors, pegs)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._length))]
        if index < 0:
            index += self._length
        if not 0 <= index < self._length:
            given = index if index >= 0 else index - self._length
            raise IndexError(f"found index {given}, expected {-self._length} to {self._length - 1}")
        digits = code_digits(index, self.pegs, len(self.symbols), self.repeats)
        return "".join([self.symbols[digit] for digit in digits])

    def __iter__(self) -> Iterator[str]:
        if self.repeats:
            return map("".join, itertools.product(self.symbols, repeat=self.pegs))
        return map("".join, itertools.permutations(self.symbols, self.pegs))

    def index(self, code: object, start: int = 0, stop: int | None = None) -> int:
        """Return the index of `code`. Raises ValueError if `code` has no index from `start` to `stop - 1`."""
        stop = self._length if stop is None else stop
        if isinstance(code, str) and len(code) == self.pegs and set(code) <= set(self.symbols):
            digits = [self.symbols.index(symbol) for symbol in code]
            if self.repeats or len(set(digits)) == self.pegs:
                index = code_index(digits, len(self.symbols), self.repeats)
                if start <= index < stop:
                    return index
        raise ValueError(
            f"found code {code!r}, expected a code with an index from {start} to {stop - 1}"
        )

    def __contains__(self, code: object) -> bool:
        try:
            self.index(code)
        except ValueError:
            return False
        return True


def code_index(digits: Sequence[int], colors: int, repeats: bool) -> int:
    """Return the index of a code in lexicographic order; `digits` has each symbol as a number, 0 to colors - 1."""
    index = 0
    if repeats:
        for digit in digits:
            index = index * colors + digit
        return index
    unused = list(range(colors))
    for digit in digits:
        index = index * len(unused) + unused.index(digit)
        unused.remove(digit)
    return index


def code_digits(index: int, pegs: int, colors: int, repeats: bool) -> list[int]:
    """Return each symbol of the code at `index` as a number, 0 to colors - 1: the inverse of `code_index`."""
    digits = []
    for choices in range(colors - pegs + 1, colors + 1) if not repeats else [colors] * pegs:
        index, digit = divmod(index, choices)
        digits.append(digit)
    digits.reverse()
    if repeats:
        return digits
    unused = list(range(colors))
    return [unused.pop(digit) for digit in digits]

"""Reader of the content of a book file: one msgpack map of limited size."""

from typing import Any

import msgpack

from guessbook.book.errors import InvalidBookError, quote

# Limits that are checked before msgpack creates objects: an empty array takes one byte of the file, but a hundred bytes
# of memory.
MAX_VALUES = 1 << 17
MAX_DEPTH = 32
MAX_ENTRIES = 64

# Map from the first byte of a number, nil or Boolean to the number of bytes that follow.
_NUMBERS = {
    **{0xC0: 0, 0xC2: 0, 0xC3: 0, 0xCA: 4, 0xCB: 8},
    **{0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8},
}
# Map from the first byte of a byte string, text, array or map to two numbers: the bytes of the length field, and the
# values per entry (0 in byte strings and texts, 1 in arrays, 2 in maps).
_LENGTHS = {
    **{0xC4: (1, 0), 0xC5: (2, 0), 0xC6: (4, 0), 0xD9: (1, 0), 0xDA: (2, 0), 0xDB: (4, 0)},
    **{0xDC: (2, 1), 0xDD: (4, 1), 0xDE: (2, 2), 0xDF: (4, 2)},
}


def unpack(content: bytes) -> dict[str, Any]:
    """Return the header of a book from the content of a file. Raises InvalidBookError for a violation of FORMAT.md."""
    _measure(content)
    try:
        header = msgpack.unpackb(content, max_map_len=MAX_ENTRIES, object_pairs_hook=_map)
    except InvalidBookError:
        raise
    except Exception as error:  # msgpack raises about six unrelated types of exception
        raise InvalidBookError(
            f"the book is damaged: {error}; build or download it again"
        ) from None
    if not isinstance(header, dict):
        raise InvalidBookError(
            f"not a book: found content of type {type(header).__name__}, expected a map"
        )
    return header


def _map(pairs: list[tuple[object, object]]) -> dict[object, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        # A map with a repeated key is ambiguous: some readers use the first value, others the last.
        keys = [key for key, _ in pairs]
        twice = next(key for key in found if keys.count(key) > 1)
        raise InvalidBookError(
            f"not a book: found the key {quote(twice)} twice in a map, expected it once"
        )
    if not all(type(key) is str for key in found):
        wrong = next(key for key in found if type(key) is not str)
        raise InvalidBookError(
            f"not a book: found the key {quote(wrong)} in a map, expected a text"
        )
    return found


def _measure(content: bytes) -> None:
    """Raise InvalidBookError if the content has too many values or nested levels, or ends too early."""
    values, offset = 1, 0
    left = [1]  # the number of unread values in each open map or array
    while left:
        if not left[-1]:
            left.pop()
            continue
        left[-1] -= 1
        if offset >= len(content):
            raise InvalidBookError(
                f"the book is damaged: its content ends after {offset:,} bytes, expected more"
            )
        entries, offset = _skip(content, offset)
        if entries:
            values += entries
            left.append(entries)
            if values > MAX_VALUES or len(left) > MAX_DEPTH:
                limits = f"{MAX_VALUES:,} values or {MAX_DEPTH - 1} nested levels"
                raise InvalidBookError(f"not a book: its header has more than {limits}")


def _skip(content: bytes, offset: int) -> tuple[int, int]:
    """Return the number of values inside the value at `offset`, and the offset of the first of them.

    If there are none, return 0 and the offset of the end of the value.
    """
    first = content[offset]
    offset += 1
    if first < 0x80 or first >= 0xE0:  # a small number, stored in this byte
        return 0, offset
    if first < 0x90:
        return 2 * (first & 15), offset
    if first < 0xA0:
        return first & 15, offset
    if first < 0xC0:
        return 0, offset + (first & 31)
    if first in _NUMBERS:
        return 0, offset + _NUMBERS[first]
    if first not in _LENGTHS:
        raise InvalidBookError(
            f"not a book: found the extension type 0x{first:02x} in its header, expected plain data"
        )
    width, each = _LENGTHS[first]
    end = offset + width
    size = int.from_bytes(content[offset:end])  # big-endian, the default of `from_bytes`
    return (each * size, end) if each else (0, end + size)

"""Values that hardly belong in a book: of wrong types, out of range, or larger than they look."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tests.helpers.content import Raw

if TYPE_CHECKING:
    from random import Random

# What takes little room in a file and much elsewhere, or claims to.
BOMBS = {
    "empty arrays": Raw(b"\xdd\0\x0f\0\0" + b"\x90" * 0xF0000),
    "empty maps": Raw(b"\xdd\0\x0f\0\0" + b"\x80" * 0xF0000),
    "short texts": Raw(b"\xdd\0\x04\0\0" + b"\xa2ab" * 0x40000),
    "nested arrays": Raw(b"\x91" * 1000 + b"\x01"),
    "more nested arrays": Raw(b"\x91" * 100_000 + b"\x01"),
    "nested maps": Raw(b"\x81\xa1a" * 1000 + b"\x01"),
    "nested array headers": Raw(b"\xdd\0\0\xff\xff" * 200_000),
    "an array of billions": Raw(b"\xdd\xff\xff\xff\xff"),
    "a map of billions": Raw(b"\xdf\xff\xff\xff\xff"),
    "billions of bytes": Raw(b"\xc6\xff\xff\xff\xff"),
    "a text of billions": Raw(b"\xdb\xff\xff\xff\xff"),
    "an extension": Raw(b"\xc7\x00\x05"),
    "a time": Raw(b"\xd6\xff\0\0\0\0"),
    "no such type": Raw(b"\xc1"),
    "no text": Raw(b"\xa3\xff\xfe\xfd"),
    "a surrogate": Raw(b"\xa3\xed\xa0\x80"),
    "a long text": "x" * 500_000,
    "a wide text": "x" * 200_000 + "🐄",
    "zeros": bytes(700_000),
    "lines": "a\n" * 300_000,
}
SCALARS: list[Any] = [
    *(None, True, False, 0, 1, 2, 3, 4, -1, 12, 13, 15, 16, 36, 255, 256, 65535, 65536, 1 << 22),
    *(2**31, 2**32 - 1, 2**32, 2**63, 2**64 - 1, -(2**63)),
    *(0.0, 1.0, -0.5, float("nan"), float("inf"), 1e308),
    *("", "a", "standard", "loose", "words", "mastermind", "\x1b[2J", "\0", "\n", "\u202e", "é"),
    *(b"", b"\0", b"\xff" * 9, [], [1], [1, 0], [[]], {}, {"a": 1}, {1: 2}, {b"a": 1}),
]


def hostile(chance: Random) -> object:
    """A value that hardly belongs where it will stand."""
    if chance.random() < 0.1:
        return BOMBS[chance.choice(sorted(BOMBS))]
    return copy.deepcopy(chance.choice(SCALARS))

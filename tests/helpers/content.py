"""The content of a book's file, taken apart and put together for telling lies."""

from __future__ import annotations

import struct
from typing import Any

import msgpack
import zstandard

from guessbook.book import Strategy
from guessbook.book.file.compression import compress, decompress

Document = dict[Any, Any]


class Raw(bytes):
    """Bytes that stand in a file as they are, instead of a value."""


class Pairs(list[tuple[object, object]]):
    """A map that may name a key twice."""


def packed(value: object) -> bytes:
    """A value as msgpack; `Raw` and `Pairs` may stand anywhere in maps and arrays."""
    if isinstance(value, Raw):
        return bytes(value)
    if isinstance(value, dict):
        value = Pairs(value.items())
    if isinstance(value, Pairs):
        items = b"".join([packed(k) + packed(v) for k, v in value])
        return b"\xde" + struct.pack(">H", len(value)) + items
    if isinstance(value, list):
        return b"\xdc" + struct.pack(">H", len(value)) + b"".join(map(packed, value))
    data: bytes = msgpack.packb(value)
    return data


def seal(content: bytes) -> bytes:
    """A whole frame with its size and a right checksum."""
    return zstandard.ZstdCompressor(level=1, write_checksum=True).compress(content)


def document(book: Strategy) -> Document:
    """The content of a book's file, unpacked, for telling lies with."""
    unpacked: Document = msgpack.unpackb(decompress(book.to_bytes()))
    return unpacked


def pack(content: object) -> bytes:
    """A file with whatever content, whole and with a right checksum."""
    return compress(msgpack.packb(content))


def columns(book: Strategy) -> list[list[int]]:
    """The tree as lists."""
    tree = book.tree
    return [list(c) for c in (tree.guess, tree.feedback, tree.children, tree.candidates)]

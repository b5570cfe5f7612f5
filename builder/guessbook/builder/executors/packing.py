"""What is found, packed for the way back to the building process."""

from __future__ import annotations

import pickle
from threading import local
from typing import Any

import zstandard


def packed(value: object) -> bytes:
    """What is found as it is sent: zstd makes a third of it, and takes as long as to copy it.

    Not by `guessbook.book.file.compression`, which mistrusts a file and refuses what is very large
    or very regular: who can send a pickle is trusted anyway.
    """
    return PACKING.compressor.compress(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))


def unpacked(content: bytes) -> Any:
    """What was packed."""
    return pickle.loads(PACKING.decompressor.decompress(content))


class Packing(local):
    """What a thread packs and unpacks with: to make it anew takes as long as a small message."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=1)
        self.decompressor = zstandard.ZstdDecompressor()


PACKING = Packing()

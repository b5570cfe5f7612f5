"""zstd frames, strictly checked: a frame is whole, has a checksum and a limited size."""

from collections.abc import Sequence

import zstandard

from guessbook.book.errors import InvalidBookError

# Real books unpack to about three times their size. A hostile file of a few kilobytes must not claim gigabytes.
MAX_RATIO = 16
MIN_ALLOWANCE = 1 << 20
MAX_WINDOW = 1 << 23
# The second level is for content that the first one makes too small, such as the list of all words of four letters.
LEVELS = (19, 1)
# Levels for content of more than a mebibyte, which may have a gigabyte.
QUICK_LEVELS = (6, 1)


def compress(content: bytes, levels: Sequence[int] = LEVELS) -> bytes:
    """Return one zstd frame with its content size and checksum; equal contents give equal frames.

    A later one of `levels` is used if an earlier one makes a frame that `decompress` rejects. Such a frame is too small
    for its content; if all are, `padding_needed` is positive. Raises MemoryError if there is too little memory.
    """
    for level in levels:
        parameters = zstandard.ZstdCompressionParameters.from_level(
            level,
            source_size=len(content),
            window_log=min(23, max(10, len(content).bit_length())),
            write_checksum=1,
            write_content_size=1,
        )
        try:
            frame = zstandard.ZstdCompressor(compression_params=parameters).compress(content)
        except zstandard.ZstdError as error:  # nothing else fails
            raise MemoryError(str(error)) from error
        if not padding_needed(len(frame), len(content)):
            break
    return frame


def padding_needed(size: int, content: int) -> int:
    """Return the number of incompressible bytes that a file of `size` bytes needs; or 0."""
    # Each byte of padding makes the file and the content larger.
    return max(0, -(-(content - max_content(size)) // (MAX_RATIO - 1)))


def max_content(size: int) -> int:
    """Return the most bytes of content that a file of this size may claim."""
    return MIN_ALLOWANCE + MAX_RATIO * size


def decompress(blob: bytes) -> bytes:
    """Return the content of one frame as `compress` writes it. Raises InvalidBookError."""
    if not blob:
        raise InvalidBookError("not a book: it is empty")
    try:
        frame = zstandard.get_frame_parameters(blob)
    except zstandard.ZstdError as error:
        raise InvalidBookError(f"not a book: no zstd frame ({error})") from None
    if frame.content_size == zstandard.CONTENTSIZE_UNKNOWN or not frame.has_checksum:
        raise InvalidBookError("not a book: the zstd frame lacks its content size or checksum")
    if frame.dict_id or frame.window_size > MAX_WINDOW:
        raise InvalidBookError("not a book: the zstd frame wants a dictionary or a large window")
    if frame.content_size > max_content(len(blob)):
        found = f"found a file of {len(blob):,} bytes that claims to hold {frame.content_size:,}"
        raise InvalidBookError(f"{found}, expected at most {max_content(len(blob)):,}")
    try:
        decompressor = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW)
        return decompressor.decompress(blob, allow_extra_data=False)
    except (zstandard.ZstdError, MemoryError) as error:
        raise InvalidBookError(f"the book is damaged or truncated ({error})") from None

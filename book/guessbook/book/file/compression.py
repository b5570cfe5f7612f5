"""Compression of book files to zstd frames, and decompression with a checksum and a limited size."""

from collections.abc import Sequence

import zstandard

from guessbook.book.errors import InvalidBookError

# Limits for decompression, since a hostile file of a few kilobytes could claim to contain gigabytes. Real books
# decompress to about three times their size.
MAX_RATIO = 16
MIN_ALLOWANCE = 1 << 20
MAX_WINDOW = 1 << 23
# The zstd levels to try in order. `decompress` rejects a frame that is much smaller than its content. Level 19 makes
# such a frame of a game with all words of four letters; level 1 makes a larger frame.
LEVELS = (19, 1)
# Faster zstd levels for content of more than 1 MiB, since content may have up to 1 GiB.
QUICK_LEVELS = (6, 1)


def compress(content: bytes, levels: Sequence[int] = LEVELS) -> bytes:
    """Compress content to one zstd frame. Raises MemoryError if there is too little memory."""
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
        except zstandard.ZstdError as error:  # the only cause is a lack of memory
            raise MemoryError(
                f"found too little memory to compress a book: {error}; end other programs"
            ) from error
        if not padding_needed(len(frame), len(content)):
            break
    return frame


def padding_needed(size: int, content: int) -> int:
    """Return how many bytes of padding a file of `size` bytes needs before `max_content` allows `content` bytes."""
    # Each byte of padding adds 1 to the content and MAX_RATIO to its limit, so the excess falls by MAX_RATIO - 1.
    return max(0, -(-(content - max_content(size)) // (MAX_RATIO - 1)))


def max_content(size: int) -> int:
    """Return the largest number of bytes that a file of `size` bytes may claim to contain."""
    return MIN_ALLOWANCE + MAX_RATIO * size


def decompress(blob: bytes) -> bytes:
    """Return the content of a zstd frame from `compress`. Raises InvalidBookError for an invalid frame."""
    if not blob:
        raise InvalidBookError("not a book: the file is empty")
    try:
        frame = zstandard.get_frame_parameters(blob)
    except zstandard.ZstdError as error:
        raise InvalidBookError(f"not a book: found no zstd frame ({error})") from None
    if frame.content_size == zstandard.CONTENTSIZE_UNKNOWN or not frame.has_checksum:
        raise InvalidBookError("not a book: the zstd frame lacks its content size or checksum")
    if frame.dict_id or frame.window_size > MAX_WINDOW:
        found = f"found a zstd frame with dictionary {frame.dict_id} and a window of {frame.window_size:,} bytes"
        raise InvalidBookError(
            f"not a book: {found}, expected no dictionary (0) and at most {MAX_WINDOW:,} bytes"
        )
    if frame.content_size > max_content(len(blob)):
        found = f"found a file of {len(blob):,} bytes that claims {frame.content_size:,} bytes of content"
        raise InvalidBookError(f"{found}, expected at most {max_content(len(blob)):,}")
    try:
        decompressor = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW)
        return decompressor.decompress(blob, allow_extra_data=False)
    except (zstandard.ZstdError, MemoryError) as error:
        raise InvalidBookError(f"the book is damaged or truncated ({error})") from None

"""Compression to zstd frames, and decompression of complete frames with a checksum and a limited size."""

from collections.abc import Sequence

import zstandard

from guessbook.book.errors import InvalidBookError

# Real books decompress to about three times their size. A hostile file of a few kilobytes must not claim gigabytes.
MAX_RATIO = 16
MIN_ALLOWANCE = 1 << 20
MAX_WINDOW = 1 << 23
# The second level is for content whose frame is too small at the first level, such as all words of four letters.
LEVELS = (19, 1)
# Faster levels for content of more than a mebibyte, since content may have up to a gigabyte.
QUICK_LEVELS = (6, 1)


def compress(content: bytes, levels: Sequence[int] = LEVELS) -> bytes:
    """Return one zstd frame with its content size and checksum. Equal contents give equal frames.

    `levels` are tried in order until a frame is large enough for its content, so that `decompress` accepts it. If all
    frames are too small, `padding_needed` is positive for the result. Raises MemoryError if there is too little memory.
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
        except zstandard.ZstdError as error:  # the only cause is a lack of memory
            raise MemoryError(str(error)) from error
        if not padding_needed(len(frame), len(content)):
            break
    return frame


def padding_needed(size: int, content: int) -> int:
    """Return the bytes of padding that a file of `size` bytes needs for `content` bytes of content, at least 0."""
    # A byte of padding enlarges the content by 1 and, as it is incompressible, `max_content` by MAX_RATIO.
    return max(0, -(-(content - max_content(size)) // (MAX_RATIO - 1)))


def max_content(size: int) -> int:
    """Return the upper bound for the bytes of content that a file of `size` bytes may claim."""
    return MIN_ALLOWANCE + MAX_RATIO * size


def decompress(blob: bytes) -> bytes:
    """Return the content of a frame as `compress` writes it. Raises InvalidBookError for an invalid frame."""
    if not blob:
        raise InvalidBookError("not a book: the file is empty")
    try:
        frame = zstandard.get_frame_parameters(blob)
    except zstandard.ZstdError as error:
        raise InvalidBookError(f"not a book: no zstd frame ({error})") from None
    if frame.content_size == zstandard.CONTENTSIZE_UNKNOWN or not frame.has_checksum:
        raise InvalidBookError("not a book: the zstd frame lacks its content size or checksum")
    if frame.dict_id or frame.window_size > MAX_WINDOW:
        raise InvalidBookError("not a book: the zstd frame needs a dictionary or a window of more than 8 MiB")
    if frame.content_size > max_content(len(blob)):
        found = f"found a file of {len(blob):,} bytes that claims to contain {frame.content_size:,}"
        raise InvalidBookError(f"{found}, expected at most {max_content(len(blob)):,}")
    try:
        decompressor = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW)
        return decompressor.decompress(blob, allow_extra_data=False)
    except (zstandard.ZstdError, MemoryError) as error:
        raise InvalidBookError(f"the book is damaged or truncated ({error})") from None

"""zstd behind one door, strict: a frame is whole, checked and of a bounded size, or refused."""

from __future__ import annotations

from collections.abc import Sequence

import zstandard

from guessbook.book.errors import InvalidBookError

# A real book unpacks to about three times its size. The bound keeps a hostile file of a few
# kilobytes from claiming gigabytes.
MAX_RATIO = 16
MIN_ALLOWANCE = 1 << 20
MAX_WINDOW = 1 << 23
# The second is for content that the first makes too small to be believed, such as the list of all
# words of four letters.
LEVELS = (19, 1)
# The same for content of more than a mebibyte, where there may be a gigabyte.
QUICK_LEVELS = (6, 1)


def compress(content: bytes, levels: Sequence[int] = LEVELS) -> bytes:
    """One zstd frame with its content size and checksum; the same bytes for the same content.

    Content may be so regular that `decompress` refuses the frame: then `lacking` says more than 0.

    Args:
        content: what it will hold.
        levels: how hard to try; the later ones where an earlier one makes too little of it.

    Raises:
        MemoryError: there is too little memory for it.
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
        except zstandard.ZstdError as error:  # content as such can always be compressed
            raise MemoryError(str(error)) from error
        if not lacking(len(frame), len(content)):
            break
    return frame


def lacking(size: int, content: int) -> int:
    """How many bytes that cannot be compressed a file lacks to be believed; 0 if it is.

    Args:
        size: bytes of the file.
        content: bytes that it claims to hold.
    """
    # Each such byte makes both larger.
    return max(0, -(-(content - allowance(size)) // (MAX_RATIO - 1)))


def allowance(size: int) -> int:
    """How many bytes a file of so many may claim to hold."""
    return MIN_ALLOWANCE + MAX_RATIO * size


def decompress(blob: bytes) -> bytes:
    """The content of one frame as `compress` writes it.

    Raises:
        InvalidBookError: anything else: another format, a frame without checksum or content size,
            damage, truncation, bytes after the end, or a claim of more than `MAX_RATIO` times
            the size of the file.
    """
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
    if frame.content_size > allowance(len(blob)):
        raise InvalidBookError(
            f"the file claims to hold {frame.content_size} bytes in {len(blob)}: refused"
        )
    try:
        content = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW).decompress(
            blob, allow_extra_data=False
        )
    except (zstandard.ZstdError, MemoryError) as error:
        raise InvalidBookError(f"the book is damaged or truncated ({error})") from None
    return content

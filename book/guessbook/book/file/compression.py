"""zstd behind one door, strict: a frame is whole, checked and of a bounded size, or refused."""

from __future__ import annotations

import zstandard

from guessbook.book.errors import GuessbookError, InvalidBookError

# A real book unpacks to about three times its size. The bound keeps a hostile file of a few
# kilobytes from claiming gigabytes.
MAX_RATIO = 16
MIN_ALLOWANCE = 1 << 20
MAX_WINDOW = 1 << 23
# The second is for content that the first makes too small to be believed, such as the list of all
# words of four letters.
LEVELS = (19, 1)


def compress(content: bytes) -> bytes:
    """One zstd frame with its content size and checksum; the same bytes for the same content.

    Raises:
        GuessbookError: the content is so regular that `decompress` would refuse the frame.
    """
    for level in LEVELS:
        parameters = zstandard.ZstdCompressionParameters.from_level(
            level,
            source_size=len(content),
            window_log=min(23, max(10, len(content).bit_length())),
            write_checksum=1,
            write_content_size=1,
        )
        frame = zstandard.ZstdCompressor(compression_params=parameters).compress(content)
        if len(content) <= allowance(len(frame)):
            return frame
    raise GuessbookError(
        f"found {len(content):,} bytes so regular that their file would have {len(frame):,}, and "
        f"no reader would believe it: expected at least one in {MAX_RATIO}"
    )


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

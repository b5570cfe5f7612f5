"""The container of a book: one zstd frame with one msgpack map, both of limited size."""

from __future__ import annotations

import random
import struct
import subprocess
import sys
from itertools import product
from pathlib import Path
from string import ascii_lowercase, printable
from typing import TYPE_CHECKING, Any

import msgpack
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.file.samples import all_samples, sample_book
from tests.helpers.content import (
    Pairs,
    Raw,
    TreeNode,
    content_of,
    document,
    pack,
    packed,
    seal,
    table_header,
    words_header,
    write,
)

if TYPE_CHECKING:
    from tests.helpers.content import Document

MIB = 1 << 20
MAX_VALUES, MAX_LEVELS, MAX_ENTRIES = 131_072, 31, 64


def limit(size: int) -> int:
    """Return the most bytes of content that a file of `size` bytes may have."""
    return MIB + 16 * size


def is_read(blob: bytes) -> bool:
    """Return whether a file is a book; if so, check that it is the sample `3x4`."""
    try:
        book = gb.open(blob)
    except gb.InvalidBookError:
        return False
    assert book.to_bytes() == sample_book("3x4").to_bytes()
    return True


def with_new(value: object) -> bytes:
    """Return the content of a book with one more key, after the first one."""
    known = document(sample_book("3x4"))
    return packed({"guessbook": known.pop("guessbook"), "new": value, **known})


# The frame.


def test_truncated_and_extended_files_are_rejected() -> None:
    data = sample_book("3x4").to_bytes()
    broken = [data[:size] for size in range(len(data))]
    skippable = b"\x50\x2a\x4d\x18" + struct.pack("<I", 3) + b"abc"
    broken += [data + b"\0", data + b"\n", data + data, skippable + data, data + skippable]
    assert not any(map(is_read, broken))


def test_flipped_bits_are_rejected_or_ignored() -> None:
    data = sample_book("3x4").to_bytes()
    flipped = []
    for bit in range(8 * len(data)):
        damaged = bytearray(data)
        damaged[bit // 8] ^= 1 << bit % 8
        flipped.append(is_read(bytes(damaged)))
    # A few bits of the frame header have no meaning.
    assert sum(flipped) < len(flipped) / 50
    assert not any(flipped[-32:])


@given(st.binary(max_size=300))
def test_random_bytes_are_rejected(noise: bytes) -> None:
    for blob in (noise, b"\x28\xb5\x2f\xfd" + noise, seal(noise)):
        assert not is_read(blob)


@pytest.mark.parametrize("missing", ["write_checksum", "write_content_size"])
def test_frame_without_size_or_checksum_is_rejected(missing: str) -> None:
    content = content_of(sample_book("3x4").to_bytes())
    options: dict[str, Any] = {"write_checksum": True, missing: False}
    assert is_read(seal(content))
    assert not is_read(zstandard.ZstdCompressor(**options).compress(content))


def reframed(window: int, dictionary: bytes = b"") -> bytes:
    """Return a book whose frame has a window of (8 + window % 8) << (7 + window // 8) bytes."""
    data = sample_book("3x4").to_bytes()
    # The frame is a single segment, and its size field has 2 bytes: replace the flag of the segment
    # with the byte of a window.
    assert data[4] & 0b1110_0011 == 0b0110_0000
    flags = data[4] & 0b1101_1111 | bool(dictionary)
    return data[:4] + bytes([flags, window]) + dictionary + data[5:]


def test_frame_with_a_large_window_or_a_dictionary_is_rejected() -> None:
    assert is_read(reframed(0))
    assert is_read(reframed(13 << 3))
    for blob in (reframed(13 << 3 | 1), reframed(14 << 3), reframed(21 << 3), reframed(0, b"\7")):
        assert not is_read(blob)


def test_content_is_limited_by_the_size_of_the_file() -> None:
    """Cases: the largest content that is read, one byte more, and 64 MiB more."""
    extra = 0
    for _ in range(4):
        content = with_new(bytes(extra))
        extra += limit(len(seal(content))) - len(content)
    for more, fits in ((0, True), (1, False), (1 << 26, False)):
        blob = seal(with_new(bytes(extra + more)))
        claimed = zstandard.get_frame_parameters(blob).content_size
        assert (claimed <= limit(len(blob))) == fits
        assert more != 0 or claimed == limit(len(blob))
        assert is_read(blob) == fits


# The values.

# Values in every form of msgpack, each with the number of values in it, itself included.
FORMS: list[tuple[bytes, int]] = [
    *((bytes([first]), 1) for first in (0x00, 0x7F, 0xE0, 0xFF, 0xC0, 0xC2, 0xC3)),
    *((b"\xca\x3f\xc0\0\0", 1), (b"\xcb" + struct.pack(">d", 0.1), 1)),
    *((bytes([first + k]) + bytes([200] * 2**k), 1) for first in (0xCC, 0xD0) for k in range(4)),
    *((bytes([0xA0 + n]) + b"t" * n, 1) for n in (0, 1, 31)),
    *((bytes([0xD9 + k]) + (3).to_bytes(2**k, "big") + b"abc", 1) for k in range(3)),
    *((bytes([0xC4 + k]) + (3).to_bytes(2**k, "big") + b"abc", 1) for k in range(3)),
    *((b"\xda\x01\x04" + b"t" * 260, 1), (b"\xc5\x01\x04" + b"t" * 260, 1)),
    *((bytes([0x90 + n]) + b"\x05" * n, 1 + n) for n in (0, 1, 15)),
    *((bytes([0xDC + k]) + (3).to_bytes(2 << k, "big") + b"\1\2\3", 4) for k in (0, 1)),
    *((b"\xdc\x01\x01" + b"\x05" * 257, 258), (b"\x80", 1)),
    (b"\x8f" + b"".join([b"\xa1%c\x01" % letter for letter in range(97, 112)]), 31),
    *((bytes([0xDE + k]) + (1).to_bytes(2 << k, "big") + b"\xa1a\x05", 3) for k in (0, 1)),
]


@pytest.mark.parametrize("form", [form for form, _ in FORMS], ids=range(len(FORMS)))
def test_every_msgpack_form_of_a_value_is_read(form: bytes) -> None:
    assert is_read(seal(with_new([Raw(form), {"a": Raw(form)}])))
    whole = packed({**document(sample_book("3x4")), "new": Raw(form)})
    assert is_read(seal(whole))
    for broken in (whole[:-1], whole[: -len(form)], whole + b"\x01", whole + form):
        assert not is_read(seal(broken))


@pytest.mark.parametrize("first", [0xC1, *range(0xC7, 0xCA), *range(0xD4, 0xD9)])
def test_extension_types_are_rejected(first: int) -> None:
    for rest in (bytes(20), b"\x01\xff" + bytes(18)):
        with pytest.raises(gb.InvalidBookError, match="extension"):
            gb.open(seal(with_new(Raw(bytes([first]) + rest))))


def nils(size: int) -> Raw:
    """Return an array of nil."""
    return Raw(b"\xdd" + size.to_bytes(4, "big") + b"\xc0" * size)


def values_in(value: object) -> int:
    """Return the number of values in a value, itself included."""
    if isinstance(value, dict):
        value = [part for pair in value.items() for part in pair]
    return 1 + sum(map(values_in, value)) if isinstance(value, list) else 1


@pytest.mark.parametrize("forms", [[], FORMS], ids=["nil", "all forms"])
def test_number_of_values_is_limited(forms: list[tuple[bytes, int]]) -> None:
    # The new key, its array of two, the array of nil and the array of forms are values too.
    used = values_in(document(sample_book("3x4"))) + 4 + sum(count for _, count in forms)
    for more, fits in ((0, True), (1, False)):
        new = [nils(MAX_VALUES - used + more), [Raw(form) for form, _ in forms]]
        assert is_read(seal(with_new(new))) == fits


def test_nested_levels_and_entries_are_limited() -> None:
    for depth, fits in ((MAX_LEVELS - 1, True), (MAX_LEVELS, False), (1 << 20, False)):
        assert is_read(seal(with_new(Raw(b"\x91" * depth + b"\x01")))) == fits
    for depth, fits in ((MAX_LEVELS - 1, True), (MAX_LEVELS, False)):
        assert is_read(seal(with_new(Raw(b"\x81\xa1a" * depth + b"\x01")))) == fits
    for entries, fits in ((MAX_ENTRIES, True), (MAX_ENTRIES + 1, False)):
        assert is_read(seal(with_new({str(k): k for k in range(entries)}))) == fits


def test_repeated_key_is_rejected_at_every_level() -> None:
    whole = document(sample_book("3x4"))
    for name in ("", "game", "policy", "tree"):
        pairs = [*(whole[name] if name else whole).items()]
        for pair in pairs:
            twice = Pairs([*pairs, pair])
            with pytest.raises(gb.InvalidBookError, match="twice"):
                gb.open(seal(packed({**whole, name: twice} if name else twice)))


@pytest.mark.parametrize("key", [b"new", 3, None, True, 1.5])
def test_key_that_is_not_text_is_rejected(key: object) -> None:
    assert not is_read(seal(packed({**document(sample_book("3x4")), key: 1})))
    assert not is_read(seal(with_new({key: 1})))


scalars = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats()
keys = st.text("ab") | st.sampled_from(["guessbook", "game", "policy", "tree", "nodes"])


@given(
    st.recursive(
        scalars | st.text("aé\n") | st.binary(max_size=200),
        lambda inner: st.lists(inner) | st.dictionaries(keys, inner),
    )
)
def test_msgpack_that_is_not_a_book_is_rejected(content: object) -> None:
    assert not is_read(pack(content))


# Written files.


def test_written_frame_has_checksum_size_and_a_small_window() -> None:
    for book in all_samples():
        frame = zstandard.get_frame_parameters(book.to_bytes())
        size = len(content_of(book.to_bytes()))
        assert (frame.content_size, frame.has_checksum, frame.dict_id) == (size, True, 0)
        assert frame.window_size <= max(size, 1 << 10)


def test_books_are_compressed_at_level_19() -> None:
    data = gb.open("mastermind-4x6").to_bytes()
    sizes = [len(seal(content_of(data), level)) for level in (19, 6)]
    assert abs(len(data) - sizes[0]) < 10 < sizes[1] - sizes[0]


def ruler(size: int) -> Document:
    """Return a book that finds a number by halving, with a table that compresses very well."""
    numbers = [str(number) for number in range(size)]
    game = table_header(numbers, numbers, ["lower", "higher", "found"], [[0]])
    rows = [b"\1" * number + b"\2" + b"\0" * (size - number - 1) for number in range(size)]

    def halved(start: int, end: int) -> TreeNode:
        middle = (start + end) // 2
        parts = {0: (middle + 1, end), 1: (start, middle)}
        return TreeNode(
            middle, True, {k: halved(*part) for k, part in parts.items() if part[0] < part[1]}
        )

    return write({**game, "given": size, "table": b"".join(rows)}, halved(0, size), minor=2)


@pytest.mark.parametrize("size", [1200, pytest.param(3200, marks=pytest.mark.slow)])
def test_ballast_makes_a_file_large_enough_for_its_content(size: int) -> None:
    known = ruler(size)
    content = packed(known)
    assert not is_read(seal(content, 19))
    noise = random.Random(1).randbytes(size * size // 15)
    book = gb.open(seal(packed({**known, "noise": noise})))
    data = book.to_bytes()
    written = document(gb.open(data))
    ballast = written.pop("ballast")
    assert written == known
    assert list(document(book)) == [*known, "ballast"]
    assert book.to_bytes() == data
    least = (len(content) - limit(len(seal(content, 6)))) / 15
    assert abs(len(ballast) - least) < 3000
    # The ballast is the same in every version of Guessbook.
    assert ballast.hex().startswith("623485baf38d")
    assert zstandard.get_frame_parameters(data).window_size <= 8 * MIB


ONE_NODE = {"guess": [0], "feedback": [0], "children": [0], "surplus": [1]}


def spelled(letters: str, share: float) -> list[str]:
    """Return a random share of all words of four of these letters, in alphabetical order."""
    chance = random.Random(1)
    words = map("".join, product(letters, repeat=4))
    return [word for word in words if chance.random() < share]


@pytest.mark.slow
def test_content_that_compresses_too_well_is_compressed_less() -> None:
    words = spelled(ascii_lowercase, 1)
    content = packed(write(words_header(words, words[:1]), ONE_NODE, minor=0))
    assert len(content) > limit(len(seal(content, 19)))
    book = gb.open(seal(content))
    assert packed(document(book)) == content
    assert gb.open(book.to_bytes()).game == book.game


@pytest.mark.slow
@pytest.mark.parametrize(("weights", "level"), [(None, 19), ([1, 2], 6)])
def test_large_books_of_newer_format_versions_are_compressed_at_level_6(
    weights: list[int] | None, level: int
) -> None:
    words = spelled(ascii_lowercase, 0.55)
    game = words_header(words, words[:2], weights=weights)
    tree = TreeNode(0, True, {0: TreeNode(1)})
    content = write(game, tree, minor=2 if weights else 0)
    data = gb.open(pack(content)).to_bytes()
    sizes = [len(seal(msgpack.packb(content), known)) for known in (level, 25 - level)]
    assert abs(len(data) - sizes[0]) < 100 < abs(len(data) - sizes[1])


def test_books_of_newer_versions_are_compressed_quickly_above_a_mebibyte_of_content() -> None:
    chance = random.Random(1)
    guesses = ["".join(chance.choices(printable[:94], k=80)) for _ in range(12_764)]
    lengths = []
    for size in (MIB, MIB + 1):
        game = table_header([*guesses, "x"], ["x"], ["no", "found"], [[0]] * len(guesses))
        content = write(game, {**ONE_NODE, "guess": [len(guesses)]}, minor=2)
        game["guesses"] += "x" * (size - len(msgpack.packb(content)))
        written = gb.open(pack(content)).to_bytes()
        assert len(content_of(written)) == size
        lengths.append(len(written))
    known = [len(seal(content_of(written), level)) for level in (19, 6)]
    assert [abs(a - b) < 100 for a in lengths for b in known] == [True, False, False, True]


SHORT_OF_MEMORY = """
import re, resource, sys
from pathlib import Path
import guessbook as gb

def leave(mib):
    used = int(re.search(r"VmSize:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) << 10
    resource.setrlimit(resource.RLIMIT_AS, (used + (mib << 20), resource.RLIM_INFINITY))

known = gb.open("mastermind-5x8")
known.to_bytes()
large = Path("large.book").read_bytes()
leave(2)
try:
    known.to_bytes()
except MemoryError as error:
    print("MemoryError", error)
leave(8)
try:
    gb.open(large)
except gb.InvalidBookError as error:
    print("InvalidBookError", error)
"""


@pytest.mark.posix
def test_too_little_memory_raises_memory_error_or_invalid_book_error(tmp_path: Path) -> None:
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc/self/status")
    noise = random.Random(1).randbytes(2 * MIB)
    (tmp_path / "large.book").write_bytes(seal(with_new(noise + bytes(20 * MIB))))
    found = subprocess.run(
        [sys.executable, "-c", SHORT_OF_MEMORY], cwd=tmp_path, capture_output=True, text=True
    )
    lines = found.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["MemoryError", "InvalidBookError"], found

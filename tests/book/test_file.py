"""The file: what is written is read back, and damage is found."""

from __future__ import annotations

import random
from itertools import product
from string import ascii_lowercase

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import InvalidBookError, Strategy, TableGame, WordGame
from guessbook.book.file import compression
from guessbook.book.file.compression import compress, decompress
from guessbook.book.file.container import VERSION, decode, encode
from guessbook.book.tree import Columns, Tree, from_planes, to_planes
from guessbook.builder import build_strategy
from guessbook.lookup import open_book
from tests.helpers.content import columns, document, pack, seal


@given(st.lists(st.integers(0, 2**32 - 1), min_size=1))
def test_planes_round_trip(values: list[int]) -> None:
    """A column is read back as it was, in as few planes as its largest value needs."""
    data = to_planes(values)
    assert list(from_planes(data, len(values))) == values
    assert len(data) == len(values) * max(1, -(-max(values).bit_length() // 8))


@pytest.mark.parametrize("size", [0, 1, 5, 7, 15])
def test_planes_of_another_length_are_refused(size: int) -> None:
    """Bytes that are not 1 to 4 for each of 3 nodes are no column."""
    with pytest.raises(InvalidBookError):
        from_planes(bytes(size), 3)


def test_books_round_trip(small_books: dict[str, Strategy]) -> None:
    """Every kind of book is read back with the same game, policy, statistics and nodes."""
    for book in small_books.values():
        again = open_book(book.to_bytes())
        assert again.game == book.game
        assert again.policy == book.policy
        assert again.stats == book.stats
        assert columns(again) == columns(book)
        assert list(again.tree.first) == list(book.tree.first)


def test_the_same_book_is_the_same_bytes(small_books: dict[str, Strategy]) -> None:
    """Encoding twice, or a book that was read from a file, gives the same bytes."""
    for book in small_books.values():
        data = book.to_bytes()
        assert data == book.to_bytes()
        assert data == open_book(data).to_bytes()


def test_options_of_the_policy_are_kept(small_book: Strategy) -> None:
    """What else the policy was told stands in the header and comes back."""
    policy = {"name": "entropy", "first_guess": small_book.root.guess}
    header, _, _ = decode(encode(small_book.game, policy, small_book.tree))
    assert header["policy"] == policy
    assert open_book(pack({**document(small_book), "policy": policy})).stats.options == {
        "first_guess": small_book.root.guess
    }


def test_a_newer_minor_version_is_read(small_book: Strategy) -> None:
    """A minor version adds keys, which an older reader ignores."""
    newer = {**document(small_book), "guessbook": [VERSION[0], VERSION[1] + 7], "colour": {"a": 1}}
    newer["tree"]["depth"] = b"123"
    assert columns(open_book(pack(newer))) == columns(small_book)


def test_an_unknown_major_version_is_refused(small_book: Strategy) -> None:
    """A major version changes what keys mean; the message says that a newer reader is needed."""
    newer = {**document(small_book), "guessbook": [VERSION[0] + 1, 0]}
    with pytest.raises(InvalidBookError, match="newer guessbook"):
        open_book(pack(newer))


def test_every_truncation_is_refused(small_book: Strategy) -> None:
    """No beginning of a book is a book."""
    data = small_book.to_bytes()
    for size in range(len(data)):
        with pytest.raises(InvalidBookError):
            open_book(data[:size])


def test_every_extension_is_refused(small_book: Strategy) -> None:
    """A book with bytes after its end is not a book."""
    data = small_book.to_bytes()
    for extra in (b"\0", b"\n", data):
        with pytest.raises(InvalidBookError):
            open_book(data + extra)


def test_bit_flips_are_refused(small_book: Strategy) -> None:
    """2,000 books with one to three flipped bits each: InvalidBookError, or the very same book."""
    data, chance = small_book.to_bytes(), random.Random(1)
    refused = 0
    for _ in range(2000):
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 3)):
            damaged[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        try:
            book = open_book(bytes(damaged))
        except InvalidBookError:
            refused += 1
        else:
            # Some bits of a frame's header mean nothing; what is read must still be the same.
            assert columns(book) == columns(small_book)
    assert refused > 1900


def test_random_bytes_are_refused() -> None:
    """What never was a book is InvalidBookError, also behind zstd's magic number."""
    chance = random.Random(2)
    for size in [*range(40), 1000]:
        noise = chance.randbytes(size)
        for blob in (noise, b"\x28\xb5\x2f\xfd" + noise, compress(noise)):
            with pytest.raises(InvalidBookError):
                open_book(blob)


def test_a_bomb_is_refused_unopened() -> None:
    """A frame that claims far more than a book of its size holds is not decompressed."""
    bomb = seal(bytes(1 << 26))
    assert len(bomb) < 10_000
    with pytest.raises(InvalidBookError, match="bytes that claims"):
        open_book(bomb)


def test_no_book_is_written_that_would_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Very regular content is compressed less, or gets ballast, until a reader believes it."""
    words = ["".join(letters) for letters in product(ascii_lowercase, repeat=3)]
    game = WordGame(["aaa"], words)
    book = Strategy(game, {"name": "entropy"}, Tree(Columns([0], [0], [0], [1]), len(words), 27))
    usual = book.to_bytes()
    monkeypatch.setattr(compression, "MIN_ALLOWANCE", 0)
    with pytest.raises(InvalidBookError, match="bytes that claims"):
        open_book(usual)
    assert open_book(book.to_bytes()).game == game
    assert "ballast" not in document(book)
    threes = TableGame(
        range(400), range(400), lambda guess, secret: (guess > secret) - (guess < secret)
    )
    regular = build_strategy(threes)
    content = document(regular)
    assert len(content["ballast"]) > 5000
    assert open_book(regular.to_bytes()).game == threes
    assert regular.to_bytes() == regular.to_bytes()


@pytest.mark.parametrize(
    "options", [{"write_checksum": False}, {"write_content_size": False, "write_checksum": True}]
)
def test_a_frame_without_size_or_checksum_is_refused(
    small_book: Strategy, options: dict[str, bool]
) -> None:
    """A frame that cannot be checked before or after it is unpacked is not a book."""
    content = decompress(small_book.to_bytes())
    with pytest.raises(InvalidBookError, match="checksum"):
        open_book(zstandard.ZstdCompressor(**options).compress(content))  # type: ignore[arg-type]

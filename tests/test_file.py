"""The file: what is written is read back, and nothing else is read."""

from __future__ import annotations

import os
import random
from itertools import product
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import msgpack
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from guessbook.book import (
    Book,
    GuessbookError,
    InvalidBookError,
    Mastermind,
    UsageError,
    WordGame,
    compression,
    open_book,
)
from guessbook.book import book as book_module
from guessbook.book.compression import compress, decompress
from guessbook.book.content import MAX_DEPTH, MAX_VALUES
from guessbook.book.file import VERSION, decode, encode, write_atomically
from guessbook.book.tree import Columns, Tree, from_planes, to_planes
from tests.mutants import Pairs, Raw, packed, seal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Document = dict[str, Any]


def document(book: Book) -> Document:
    """The content of a book's file, unpacked, for telling lies with."""
    unpacked: Document = msgpack.unpackb(decompress(book.to_bytes()))
    return unpacked


def pack(content: object) -> bytes:
    """A file with whatever content, whole and with a right checksum."""
    return compress(msgpack.packb(content))


def columns(book: Book) -> list[list[int]]:
    """The tree as lists."""
    tree = book.tree
    return [list(c) for c in (tree.guess, tree.feedback, tree.children, tree.candidates)]


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


def test_books_round_trip(small_books: dict[str, Book]) -> None:
    """Every kind of book is read back with the same game, policy, statistics and nodes."""
    for book in small_books.values():
        again = open_book(book.to_bytes())
        assert again.game == book.game
        assert again.policy == book.policy
        assert again.metadata == book.metadata
        assert columns(again) == columns(book)
        assert list(again.tree.first) == list(book.tree.first)


def test_the_same_book_is_the_same_bytes(small_books: dict[str, Book]) -> None:
    """Encoding twice, or a book that was read from a file, gives the same bytes."""
    for book in small_books.values():
        data = book.to_bytes()
        assert data == book.to_bytes()
        assert data == open_book(data).to_bytes()


def test_options_of_the_policy_are_kept(small_book: Book) -> None:
    """What else the policy was told stands in the header and comes back."""
    policy = {"name": "entropy", "first_guess": "RYGB"}
    header, _, _ = decode(encode(small_book.game, policy, small_book.tree))
    assert header["policy"] == policy
    assert open_book(pack({**document(small_book), "policy": policy})).metadata.options == {
        "first_guess": "RYGB"
    }


def test_every_truncation_is_refused(small_book: Book) -> None:
    """No beginning of a book is a book."""
    data = small_book.to_bytes()
    for size in range(len(data)):
        with pytest.raises(InvalidBookError):
            open_book(data[:size])


def test_every_extension_is_refused(small_book: Book) -> None:
    """A book with bytes after its end is not a book."""
    data = small_book.to_bytes()
    for extra in (b"\0", b"\n", data):
        with pytest.raises(InvalidBookError):
            open_book(data + extra)


def test_a_tree_out_of_proportion_is_refused() -> None:
    """A tree has from one to two nodes a secret: else it repeats itself, or solves too few."""
    game = Mastermind(1, 2)
    chain = [(1, [1, 1, 0], 2), (2, [1, 1, 1, 0], 2), (3, [1, 1, 1, 1, 0], 2)]
    for useless, children, secrets in chain:
        # A number of guesses that tell nothing, then one code and the other.
        nodes = len(children)
        sizes = [2] * (nodes - 1) + [1]
        tree = Columns([0] * (nodes - 1) + [1], [0] * nodes, children, sizes)
        blob = encode(game, {"name": "entropy"}, Tree(tree, secrets, game.feedbacks))
        if nodes <= 2 * secrets:
            assert open_book(blob).metadata.distribution == (0,) * useless + (1, 1)
        else:
            with pytest.raises(InvalidBookError, match="nodes"):
                open_book(blob)


def test_a_feedback_that_no_game_gives_is_refused() -> None:
    """With 1 peg, 0 is no black; 1 would be -1 white, and 2 the one symbol in another place."""
    game = Mastermind(1, 2)
    for feedback in (0, 1, 2):
        tree = Tree(Columns([0, 1], [0, feedback], [1, 0], [2, 1]), 2, game.feedbacks)
        blob = encode(game, {"name": "entropy"}, tree)
        if feedback == 0:
            assert open_book(blob).root.child("0,0") is not None
        else:
            with pytest.raises(InvalidBookError, match="never gives"):
                open_book(blob)


def test_bit_flips_are_refused(small_book: Book) -> None:
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


LIES: dict[str, Callable[[Document], object]] = {
    "a list": lambda d: list(d.values()),
    "empty": lambda d: {},
    "no version": lambda d: {k: v for k, v in d.items() if k != "guessbook"},
    "version 0": lambda d: {**d, "guessbook": [0, 9]},
    "version 2": lambda d: {**d, "guessbook": [2, 0]},
    "version of text": lambda d: {**d, "guessbook": ["1", "0"]},
    "version true": lambda d: {**d, "guessbook": [True, 0]},
    "version of one number": lambda d: {**d, "guessbook": [1]},
    "version of three numbers": lambda d: {**d, "guessbook": [1, 0, 0]},
    "version with a minus": lambda d: {**d, "guessbook": [1, -1]},
    "version of text and a number": lambda d: {**d, "guessbook": [1, "0"]},
    "no game": lambda d: {**d, "game": None},
    "another game": lambda d: {**d, "game": {**d["game"], "pegs": 2}},
    "more colors": lambda d: {**d, "game": {**d["game"], "colors": 5, "symbols": "RYGBO"}},
    "huge game": lambda d: {
        **d,
        "game": {
            **d["game"],
            "pegs": 15,
            "colors": 36,
            "symbols": "RYGBOPWKACDEFHIJLMNQSTUVXZ0123456789",
        },
    },
    "no policy": lambda d: {**d, "policy": {}},
    "policy of numbers": lambda d: {**d, "policy": {"name": 3}},
    "policy with bytes": lambda d: {**d, "policy": {"name": "entropy", "first_guess": b"RYG"}},
    "policy with control": lambda d: {**d, "policy": {"name": "\x1b[2J"}},
    "no nodes": lambda d: {**d, "nodes": 0},
    "negative nodes": lambda d: {**d, "nodes": -1},
    "nodes true": lambda d: {**d, "nodes": True},
    "more nodes": lambda d: {**d, "nodes": d["nodes"] + 1},
    "billions of nodes": lambda d: {**d, "nodes": 2**63},
    "more secrets": lambda d: {**d, "secrets": d["secrets"] + 1},
    "fewer guesses": lambda d: {**d, "total_guesses": d["total_guesses"] - 1},
    "a better distribution": lambda d: {**d, "distribution": [2, *d["distribution"][1:]]},
    "no tree": lambda d: {**d, "tree": b""},
    "secrets of a float": lambda d: {**d, "secrets": float(d["secrets"])},
    "guesses of a float": lambda d: {**d, "total_guesses": float(d["total_guesses"])},
    "distribution of floats": lambda d: {**d, "distribution": [*map(float, d["distribution"])]},
    "distribution true": lambda d: {**d, "distribution": [True, *d["distribution"][1:]]},
    "long policy": lambda d: {**d, "policy": {"name": "x" * 201}},
    "long option": lambda d: {**d, "policy": {"name": "entropy", "a" * 201: 1}},
}


@pytest.mark.parametrize("lie", LIES)
def test_lies_in_the_header_are_refused(small_book: Book, lie: str) -> None:
    """A whole file whose header contradicts itself or the tree is InvalidBookError."""
    with pytest.raises(InvalidBookError):
        open_book(pack(LIES[lie](document(small_book))))


def test_a_missing_key_is_refused(small_book: Book) -> None:
    """Every key of the header is needed but the one that only explains the ties."""
    for key in document(small_book):
        lie = document(small_book)
        del lie[key]
        if key == "ties":
            assert columns(open_book(pack(lie))) == columns(small_book)
        else:
            with pytest.raises(InvalidBookError):
                open_book(pack(lie))


def test_a_missing_column_is_refused(small_book: Book) -> None:
    """All four columns are needed, as bytes, one length."""
    for name in ("guess", "feedback", "children", "surplus"):
        whole = document(small_book)["tree"][name]
        for lie in (None, "text", [1], b"", whole[:-1], whole + b"\0", whole * 5):
            content = document(small_book)
            content["tree"][name] = lie
            with pytest.raises(InvalidBookError):
                open_book(pack(content))


@settings(max_examples=300)
@given(data=st.data())
def test_lies_in_the_tree_never_break_a_reader(small_book: Book, data: st.DataObject) -> None:
    """Whatever stands in the columns: InvalidBookError, or a tree that every walk gets out of."""
    content = document(small_book)
    name = data.draw(st.sampled_from(["guess", "feedback", "children", "surplus"]))
    column = bytearray(content["tree"][name])
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(column) - 1))
        column[place] = data.draw(st.integers(0, 255) | st.sampled_from(list(column)))
    content["tree"][name] = bytes(column)
    try:
        book = open_book(pack(content))
    except InvalidBookError:
        return
    visited, waiting = 0, [book.root]
    while waiting:
        node = waiting.pop()
        visited += 1
        assert node.guess in book.game.guesses
        assert node.entropy >= 0
        waiting.extend(node.children.values())
    assert visited == book.metadata.nodes


scalars = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats()
keys = st.text() | st.sampled_from(["guessbook", "game", "policy", "tree", "nodes"])


@given(
    st.recursive(
        scalars | st.text() | st.binary(max_size=200),
        lambda inner: st.lists(inner) | st.dictionaries(keys, inner),
    )
)
def test_any_msgpack_is_refused(content: object) -> None:
    """A whole frame of any other msgpack, or of none, is InvalidBookError."""
    with pytest.raises(InvalidBookError):
        open_book(pack(content))
    if isinstance(content, bytes):
        with pytest.raises(InvalidBookError):
            open_book(compress(content))


def test_a_key_that_stands_twice_is_refused(small_book: Book) -> None:
    """Of two values one reader would take the first, another the last: neither is taken."""
    whole = document(small_book)
    for name in ("", "game", "policy", "tree"):
        for key, value in (whole[name] if name else whole).items():
            lie: Document = {**whole}
            twice = Pairs([*(whole[name] if name else whole).items(), (key, value)])
            content = packed({**lie, name: twice}) if name else packed(twice)
            with pytest.raises(InvalidBookError, match="twice"):
                open_book(compress(content))


@pytest.mark.parametrize("key", [b"new", 3, None, True, 1.5])
def test_a_key_that_is_no_text_is_refused(small_book: Book, key: object) -> None:
    """Keys are strings, the unknown ones too."""
    lie: dict[object, object] = dict(document(small_book).items())
    lie[key] = 1
    with pytest.raises(InvalidBookError):
        open_book(compress(packed(lie)))


def test_an_extension_type_is_refused(small_book: Book) -> None:
    """Neither a time nor any other extension stands in a book, in whatever length."""
    for value in (b"\xd4\x05a", b"\xd6\xff\0\0\0\0", b"\xc7\x00\x05", b"\xc9\0\0\0\x01\x05a"):
        with pytest.raises(InvalidBookError, match="extension"):
            open_book(compress(packed({**document(small_book), "new": Raw(value)})))


def test_values_are_counted_before_they_are_made(small_book: Book) -> None:
    """A new key may hold as many values as the limits allow, and not one more."""
    known = document(small_book)
    # 10 entries of the header with their keys, 5 of the game, 1 of the policy, 2 of the version, 4
    # of the tree, and the distribution.
    rest = 1 + 2 * 10 + 2 * 5 + 2 * 1 + 2 + 2 * 4 + len(known["distribution"])
    for size, is_read in ((MAX_VALUES - rest, True), (MAX_VALUES - rest + 1, False)):
        new = Raw(b"\xdd" + size.to_bytes(4, "big") + b"\xc0" * size)
        blob = compress(packed({**known, "new": new}))
        if is_read:
            assert columns(open_book(blob)) == columns(small_book)
        else:
            with pytest.raises(InvalidBookError, match="values"):
                open_book(blob)


def test_levels_are_counted_before_they_are_made(small_book: Book) -> None:
    """Maps and arrays inside each other: as many as the limits allow, and not one more."""
    known = document(small_book)
    for depth, is_read in ((MAX_DEPTH - 2, True), (MAX_DEPTH - 1, False)):
        blob = compress(packed({**known, "new": Raw(b"\x91" * depth + b"\x01")}))
        if is_read:
            assert columns(open_book(blob)) == columns(small_book)
        else:
            with pytest.raises(InvalidBookError, match="levels"):
                open_book(blob)


def test_deep_nesting_is_refused() -> None:
    """A megabyte of nested arrays is InvalidBookError, not an exhausted stack or memory."""
    with pytest.raises(InvalidBookError):
        open_book(compress(b"\x91" * (1 << 20)))


def test_a_bomb_is_refused_unopened() -> None:
    """A frame that claims far more than a book of its size holds is not decompressed."""
    bomb = seal(bytes(1 << 26))
    assert len(bomb) < 10_000
    with pytest.raises(InvalidBookError, match="claims to hold"):
        open_book(bomb)


def test_no_book_is_written_that_would_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Very regular content is compressed less, or refused, until a reader believes its size."""
    words = ["".join(letters) for letters in product(ascii_lowercase, repeat=3)]
    game = WordGame(["aaa"], words)
    book = Book(game, {"name": "entropy"}, Tree(Columns([0], [0], [0], [1]), len(words), 27))
    usual = book.to_bytes()
    monkeypatch.setattr(compression, "MIN_ALLOWANCE", 0)
    with pytest.raises(InvalidBookError, match="claims to hold"):
        open_book(usual)
    assert open_book(book.to_bytes()).game == game
    with pytest.raises(GuessbookError, match="so regular"):
        compress(bytes(1 << 20))


@pytest.mark.parametrize(
    "options", [{"write_checksum": False}, {"write_content_size": False, "write_checksum": True}]
)
def test_a_frame_without_size_or_checksum_is_refused(
    small_book: Book, options: dict[str, bool]
) -> None:
    """A frame that cannot be checked before or after it is unpacked is not a book."""
    content = decompress(small_book.to_bytes())
    with pytest.raises(InvalidBookError, match="checksum"):
        open_book(zstandard.ZstdCompressor(**options).compress(content))  # type: ignore[arg-type]


def test_a_newer_minor_version_is_read(small_book: Book) -> None:
    """A minor version adds keys, which an older reader ignores."""
    newer = {**document(small_book), "guessbook": [VERSION[0], VERSION[1] + 7], "colour": {"a": 1}}
    newer["tree"]["depth"] = b"123"
    assert columns(open_book(pack(newer))) == columns(small_book)


def test_an_unknown_major_version_is_refused(small_book: Book) -> None:
    """A major version changes what keys mean; the message says that a newer reader is needed."""
    newer = {**document(small_book), "guessbook": [VERSION[0] + 1, 0]}
    with pytest.raises(InvalidBookError, match="newer guessbook"):
        open_book(pack(newer))


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A write that fails half-way leaves the old file and nothing beside it."""
    path = tmp_path / "a.book"
    write_atomically(path, b"old")
    for step in ("fsync", "replace"):

        def fail(*_: object) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, step, fail)
            with pytest.raises(GuessbookError, match="No space left"):
                write_atomically(path, b"new")
        assert path.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [path]
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"


def test_an_interrupted_write_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C during the write removes the temporary file."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "a.book", b"new")
    assert list(tmp_path.iterdir()) == []


def test_saving_twice_gives_the_same_file(tmp_path: Path, small_book: Book) -> None:
    """`save` returns the size of the file and replaces one that is there with the same bytes."""
    path = tmp_path / "a.book"
    size = small_book.save(path)
    first = path.read_bytes()
    assert (size, small_book.save(str(path))) == (len(first), len(first))
    assert path.read_bytes() == first
    assert open_book(path).metadata == small_book.metadata


def test_a_missing_folder_is_named(tmp_path: Path, small_book: Book) -> None:
    """Saving where no folder is says so and is a GuessbookError."""
    with pytest.raises(GuessbookError, match=r"cannot write .*No such file"):
        small_book.save(tmp_path / "nowhere" / "a.book")


@pytest.mark.parametrize(
    "source", [None, 3, 1.5, bytearray(b"x"), memoryview(b"x"), ["a"], "a\0b", "\ud800", "", "."]
)
def test_what_names_no_book_is_a_usage_error(source: Any) -> None:
    """Whatever is no path, no bytes and no name of a shipped book is UsageError."""
    with pytest.raises(UsageError):
        open_book(source)


def test_a_file_too_large_is_refused_unread(
    monkeypatch: pytest.MonkeyPatch, small_book: Book, tmp_path: Path
) -> None:
    """One byte more than the limit is InvalidBookError, which says so."""
    path = tmp_path / "a.book"
    size = small_book.save(path)
    monkeypatch.setattr(book_module, "MAX_FILE", size)
    assert len(open_book(path).tree) == len(small_book.tree)
    monkeypatch.setattr(book_module, "MAX_FILE", size - 1)
    with pytest.raises(InvalidBookError, match=f"larger than {size - 1} bytes"):
        open_book(path)


def test_a_pipe_is_read_to_its_end_or_to_the_limit(
    monkeypatch: pytest.MonkeyPatch, small_book: Book
) -> None:
    """What has no size is read whole if it is a book, and not for ever if it has no end."""
    there, here = os.pipe()
    with os.fdopen(here, "wb") as pipe:
        pipe.write(small_book.to_bytes())
    assert columns(open_book(f"/dev/fd/{there}")) == columns(small_book)
    os.close(there)
    monkeypatch.setattr(book_module, "MAX_FILE", 1 << 22)
    with pytest.raises(InvalidBookError, match="larger than"):
        open_book("/dev/zero")

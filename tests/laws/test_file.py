"""The file by its specification: a frame, the values in it, and what its header says."""

from __future__ import annotations

import struct
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import msgpack
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Game, InvalidBookError, Mastermind, TableGame, WordGame
from guessbook.book.file import compression, container
from guessbook.book.file import content as content_module
from guessbook.book.file.compression import (
    LEVELS,
    MAX_RATIO,
    MAX_WINDOW,
    MIN_ALLOWANCE,
    QUICK_LEVELS,
    compress,
    decompress,
    max_content,
    padding_needed,
)
from guessbook.book.file.container import MAX_TEXT, TIES, decode, encode, minor_version
from guessbook.book.file.content import MAX_DEPTH, MAX_ENTRIES, MAX_VALUES, unpack
from guessbook.book.tree import to_planes
from tests.helpers.content import Pairs, Raw, pack, packed
from tests.helpers.plain import plain_book


@given(st.binary(max_size=3000), st.sampled_from([(19, 1), (6, 1), (1,)]))
def test_a_frame_is_its_content(content: bytes, levels: tuple[int, ...]) -> None:
    """It comes back, the frame names its size and checksum, and needs no more memory than that."""
    frame = compress(content, levels)
    assert decompress(frame) == content
    assert compress(content, levels) == frame
    known = zstandard.get_frame_parameters(frame)
    assert (known.content_size, known.has_checksum) == (len(content), True)
    assert known.window_size <= max(len(content), 1 << 10)


def test_a_large_frame_needs_eight_mebibytes() -> None:
    """Whatever the content is, the window that a reader keeps is at most the limit."""
    content = bytes(range(256)) * (9 << 12)
    frame = compress(content, (1,))
    assert zstandard.get_frame_parameters(frame).window_size == MAX_WINDOW == 8 << 20
    assert len(compress(content[: 1 << 20], (6,))) < 1000


def test_a_harder_level_makes_less() -> None:
    """The first level is the one that is used where its frame is believed."""
    content = b"".join(b"%d guesses of %d;" % (n * n % 1009, n % 17) for n in range(2000))
    sizes = [len(compress(content, (level,))) for level in (19, 6, 1)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[2]
    assert compress(content) == compress(content, (19,)) == compress(content, (19, 6, 1))


@given(st.integers(0, 1 << 24), st.integers(0, 1 << 28))
def test_what_a_file_lacks_is_the_least_that_helps(size: int, content: int) -> None:
    """With that many bytes more in file and content it is believed, with fewer it is not."""
    assert max_content(size) == MIN_ALLOWANCE + MAX_RATIO * size
    more = padding_needed(size, content)
    assert type(more) is int
    assert content + more <= max_content(size + more)
    assert more == 0 or content + more - 1 > max_content(size + more - 1)


def test_a_claim_is_believed_up_to_the_allowance(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame may hold as much as its size allows, not a byte more; a writer tries other levels."""
    content = bytes(100_000)
    frame = compress(content)
    monkeypatch.setattr(compression, "MIN_ALLOWANCE", len(content) - MAX_RATIO * len(frame))
    assert decompress(frame) == content
    monkeypatch.setattr(compression, "MIN_ALLOWANCE", len(content) - MAX_RATIO * len(frame) - 1)
    with pytest.raises(InvalidBookError, match="claims 100,000"):
        decompress(frame)
    assert compress(content, (19, 1)) == compress(content, (1,))


def test_a_frame_that_cannot_be_checked_is_refused() -> None:
    """It names its size and has a checksum, and nothing follows it."""
    for options in ({"write_checksum": False}, {"write_content_size": False}):
        writer = zstandard.ZstdCompressor(**{"write_checksum": True, **options})  # type: ignore[arg-type]
        with pytest.raises(InvalidBookError, match="lacks its content size or checksum"):
            decompress(writer.compress(b"content"))
    for end in (b"\0", compress(b"")):
        with pytest.raises(InvalidBookError, match="damaged"):
            decompress(compress(b"content") + end)
    with pytest.raises(InvalidBookError, match="empty"):
        decompress(b"")
    with pytest.raises(InvalidBookError, match="no zstd frame"):
        decompress(b"content")


def by_hand(window: int, dictionary: bytes = b"", content: bytes = b"") -> bytes:
    """An empty frame with a checksum, for a window of 2**(10 + window / 8) bytes."""
    flags = 0b1000_0100 | bool(dictionary)
    block = struct.pack("<I", 1 | len(content) << 3)[:3]
    sizes = bytes([window]) + dictionary + struct.pack("<I", len(content))
    return b"\x28\xb5\x2f\xfd" + bytes([flags]) + sizes + block + content + b"\x99\xe9\xd8\x51"


def test_windows_and_dictionaries_are_bounded() -> None:
    """A window of 8 MiB is the largest, and no frame may want a dictionary."""
    assert decompress(by_hand(13 << 3)) == b""
    for frame in (by_hand(13 << 3 | 1), by_hand(14 << 3), by_hand(0, b"\x07")):
        with pytest.raises(
            InvalidBookError, match=r"expected no dictionary \(0\) and at most 8,388,608 bytes"
        ):
            decompress(frame)


def test_no_memory_is_an_error_of_the_writer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where zstd cannot, a writer has no memory and a reader no book."""

    def fail(**_: object) -> None:
        raise zstandard.ZstdError("no memory")

    frame = compress(b"content")
    with monkeypatch.context() as patch:
        patch.setattr(zstandard, "ZstdCompressor", fail)
        with pytest.raises(MemoryError, match="no memory"):
            compress(b"content")
    monkeypatch.setattr(zstandard, "ZstdDecompressor", fail)
    with pytest.raises(InvalidBookError, match=r"damaged or truncated .no memory"):
        decompress(frame)


LETTERS = "abcdefghijklmno"
# A value in every form that msgpack has, and what it is.
FORMS: list[tuple[bytes, object]] = [
    (b"\x00", 0),
    (b"\x7f", 127),
    (b"\xe0", -32),
    (b"\xff", -1),
    (b"\xc0", None),
    (b"\xc2", False),
    (b"\xc3", True),
    (b"\xca" + struct.pack(">f", 1.5), 1.5),
    (b"\xcb" + struct.pack(">d", 0.1), 0.1),
    *[(bytes([0xCC + k]) + bytes([200] * 2**k), int("c8" * 2**k, 16)) for k in range(4)],
    *[(bytes([0xD0 + k]) + bytes([255] * 2**k), -1) for k in range(4)],
    *[(bytes([0xA0 + n]) + b"t" * n, "t" * n) for n in (0, 1, 31)],
    *[(bytes([0xD9 + k]) + (3).to_bytes(2**k, "big") + b"abc", "abc") for k in range(3)],
    *[(bytes([0xC4 + k]) + (3).to_bytes(2**k, "big") + b"abc", b"abc") for k in range(3)],
    *[(b"\xda\x01\x04" + b"t" * 260, "t" * 260)],
    *[(bytes([0x90 + n]) + b"\x05" * n, [5] * n) for n in (0, 1, 15)],
    *[(bytes([0xDC + k]) + (3).to_bytes(2 << k, "big") + b"\1\2\3", [1, 2, 3]) for k in (0, 1)],
    (b"\xdc\x01\x01" + b"\x05" * 257, [5] * 257),
    (b"\x80", {}),
    (b"\x8f" + b"".join(b"\xa1%c\x01" % n for n in range(97, 112)), dict.fromkeys(LETTERS, 1)),
    *[(bytes([0xDE + k]) + (1).to_bytes(2 << k, "big") + b"\xa1a\x05", {"a": 5}) for k in (0, 1)],
]  # fmt: skip


@pytest.mark.parametrize(("form", "value"), FORMS, ids=range(len(FORMS)))
def test_every_form_of_a_value_is_read(form: bytes, value: object) -> None:
    """Beside others and inside others; a beginning of it is refused, and so are bytes after it."""
    whole = packed({"a": [Raw(form), {"b": Raw(form)}], "c": Raw(form)})
    assert unpack(whole) == {"a": [value, {"b": value}], "c": value}
    for broken in (whole[:-1], whole[: -len(form)], whole + b"\x01", whole + form):
        with pytest.raises(InvalidBookError):
            unpack(broken)


def count(value: object) -> int:
    """Every value is one, and those inside it are others; in a map the keys as well."""
    if isinstance(value, dict):
        value = [part for pair in value.items() for part in pair]
    return 1 + sum(map(count, value)) if isinstance(value, list) else 1


@pytest.mark.parametrize(("form", "value"), FORMS, ids=range(len(FORMS)))
def test_every_form_counts_what_it_holds(
    form: bytes, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With it a file has as many values as the limit allows, and with one more it is refused."""
    parts = {"a": [Raw(form)] * 3, "b": [None] * 4}
    monkeypatch.setattr(content_module, "MAX_VALUES", count({**parts, "a": [value] * 3}))
    assert unpack(packed(parts)) == {"a": [value] * 3, "b": [None] * 4}
    with pytest.raises(InvalidBookError, match="values"):
        unpack(packed({**parts, "b": [None] * 5}))


@pytest.mark.parametrize("first", [0xC1, *range(0xC7, 0xCA), *range(0xD4, 0xD9)])
def test_no_other_form_is_read(first: int) -> None:
    """Extensions and the byte that msgpack leaves out are refused, however much follows."""
    with pytest.raises(InvalidBookError, match="extension"):
        unpack(packed({"a": Raw(bytes([first]) + bytes(20))}))


def nested(depth: int) -> Raw:
    """Arrays inside each other, the innermost with a number."""
    return Raw(b"\x91" * depth + b"\x01")


def test_limits_of_a_map() -> None:
    """Entries of a map, values in all, and levels: what the limits allow is read, no more."""
    fits: list[Any] = [
        {str(k): k for k in range(MAX_ENTRIES)},
        {"a": nested(MAX_DEPTH - 2)},
        {"a": Raw(b"\xdd" + (MAX_VALUES - 3).to_bytes(4, "big") + b"\xc0" * (MAX_VALUES - 3))},
    ]
    exceeds: list[Any] = [
        {str(k): k for k in range(MAX_ENTRIES + 1)},
        {"a": nested(MAX_DEPTH - 1)},
        {"a": Raw(b"\xdd" + (MAX_VALUES - 2).to_bytes(4, "big") + b"\xc0" * (MAX_VALUES - 2))},
        Pairs([("a", 1), ("a", 1)]),
        Pairs([("a", 1), (3, 1)]),
        {b"a": 1},
        [],
        3,
    ]
    for content in fits:
        assert unpack(packed(content)) == msgpack.unpackb(packed(content))
    for content in exceeds:
        with pytest.raises(InvalidBookError):
            unpack(packed(content))


WORDS = WordGame(["ab", "ba", "cc"], ["ac"], weights=[3, 1, 9])
TABLE = TableGame(["a", "b"], ["b", "c"], [["1", "2"], ["yes", "1"]])
GAMES: list[tuple[Game, int]] = [
    (Mastermind(2, 3), 0),
    (Mastermind(1, 1), 0),
    (WORDS, 2),
    (TABLE, 2),
]


@pytest.mark.parametrize(("game", "minor"), GAMES, ids=lambda part: repr(part))
def test_a_header_says_what_the_tree_is(game: Game, minor: int) -> None:
    """The content of a file is this map, and is read back as its game and its tree."""
    book = plain_book(game)
    tree, policy = book.tree, {"name": "entropy", "width": 3}
    frame = encode(game, policy, tree)
    surplus = [c - n for c, n in zip(tree.candidates, tree.children, strict=True)]
    weighted = {"weight_distribution": list(tree.weight_distribution)}
    header = {
        "guessbook": [1, minor],
        "game": game.header(),
        "policy": policy,
        "ties": TIES,
        "secrets": len(game.secrets),
        "nodes": len(tree),
        "total_guesses": sum(tree.candidates),
        "distribution": list(tree.distribution),
        **(weighted if game is WORDS else {}),
    }
    planes = map(to_planes, (tree.guess, tree.feedback, tree.children, surplus))
    columns = dict(zip(("guess", "feedback", "children", "surplus"), planes, strict=True))
    content = unpack(decompress(frame))
    assert content == {**header, "tree": columns}
    assert list(content) == [*header, "tree"]
    found, again, same = decode(frame)
    assert (found, again) == (header, game)
    assert [list(getattr(same, name)) for name in vars(tree)] == [
        list(getattr(tree, name)) for name in vars(tree)
    ]


VERSIONS: list[tuple[dict[str, Any], int]] = [
    ({"name": "entropy"}, 0),
    ({"name": "optimal"}, 1),
    ({"name": "entropy", "endgame": 5}, 1),
    ({"name": "imported", "proven": 5}, 1),
    ({"name": "win", "within": 3}, 3),
    ({"name": "rollout", "within": 3, "found_at_most": 5}, 3),
]


@pytest.mark.parametrize(("policy", "minor"), VERSIONS)
def test_a_version_is_the_first_that_has_it_all(policy: dict[str, Any], minor: int) -> None:
    """1.1 brought optimal, 1.2 weights and tables, 1.3 win; an imported tree has its own ties."""
    for game, own in GAMES:
        content = unpack(decompress(encode(game, policy, plain_book(game).tree)))
        assert content["guessbook"] == [1, max(minor, own)]
        assert ("ties" in content) is (policy["name"] != "imported")


def test_a_kind_of_game_that_is_not_known_needs_no_newer_version() -> None:
    """Whoever brings a kind of game without saying so has brought it with the first version."""
    game: Any = SimpleNamespace(kind="coins")
    assert minor_version(game, {"name": "entropy"}) == 0


@pytest.mark.parametrize(("game", "minor"), GAMES, ids=lambda part: repr(part))
def test_large_content_of_words_and_tables_is_packed_quickly(
    game: Game, minor: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There may be a gigabyte of it; all that is smaller is packed as well as can be."""
    tree, policy = plain_book(game).tree, {"name": "optimal"}
    content = decompress(encode(game, policy, tree))
    used: list[object] = []

    def packing(content: bytes, levels: tuple[int, ...] = LEVELS) -> bytes:
        used.append(levels)
        return compress(content, levels)

    monkeypatch.setattr(container, "compress", packing)
    for limit in (len(content), len(content) - 1):
        monkeypatch.setattr(container, "MIN_ALLOWANCE", limit)
        assert decompress(encode(game, policy, tree)) == content
    assert used == [LEVELS, QUICK_LEVELS if minor == 2 else LEVELS]


@pytest.mark.parametrize("short", [100, 5000])
def test_a_file_that_would_not_be_believed_gets_ballast(
    short: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes that cannot be compressed, always the same ones, until a reader believes it."""
    tree, policy = plain_book(WORDS).tree, {"name": "entropy"}
    usual = encode(WORDS, policy, tree)
    content = unpack(decompress(usual))
    allowed = len(decompress(usual)) - (MAX_RATIO - 1) * short
    monkeypatch.setattr(compression, "MIN_ALLOWANCE", allowed - MAX_RATIO * len(usual))
    heavy = encode(WORDS, policy, tree)
    assert decode(heavy)[1] == WORDS
    assert encode(WORDS, policy, tree) == heavy
    ballast = unpack(decompress(heavy)).pop("ballast")
    assert unpack(decompress(heavy)) == {**content, "ballast": ballast}
    assert short < len(ballast) < short + 4000
    assert ballast.hex().startswith("623485baf38d")


Change = Callable[[dict[str, Any]], dict[str, Any]]
TOTAL = sum(plain_book(WORDS).tree.weights)
READ: list[tuple[Change, bool]] = [
    (lambda d: d, True),
    (lambda d: {"guessbook": [1, 0]}, True),
    (lambda d: {"guessbook": [1, 99]}, True),
    (lambda d: {"guessbook": [0, 1]}, False),
    (lambda d: {"guessbook": [2, 0]}, False),
    (lambda d: {"guessbook": [1, -1]}, False),
    (lambda d: {"guessbook": [1, 2.0]}, False),
    (lambda d: {"guessbook": [True, 2]}, False),
    (lambda d: {"guessbook": [1, 2, 0]}, False),
    (lambda d: {"guessbook": "12"}, False),
    (lambda d: {"policy": {"name": "x" * MAX_TEXT, "y" * MAX_TEXT: 2**63}}, True),
    (lambda d: {"policy": {"name": "x" * (MAX_TEXT + 1)}}, False),
    (lambda d: {"policy": {"name": "x", "y" * (MAX_TEXT + 1): 1}}, False),
    (lambda d: {"policy": {"name": "x", "y": "\n"}}, False),
    (lambda d: {"policy": {"name": "x", "y": 1.5}}, False),
    (lambda d: {"policy": {"name": "x", "y": None}}, False),
    (lambda d: {"policy": {"name": 3}}, False),
    (lambda d: {"policy": ["name"]}, False),
    (lambda d: {"policy": {"name": "x", "proven": TOTAL}}, True),
    (lambda d: {"policy": {"name": "x", "proven": 0}}, True),
    (lambda d: {"policy": {"name": "x", "proven": TOTAL + 1}}, False),
    (lambda d: {"policy": {"name": "x", "proven": -1}}, False),
    (lambda d: {"policy": {"name": "x", "proven": True}}, False),
    (lambda d: {"secrets": float(d["secrets"])}, False),
    (lambda d: {"secrets": 2}, False),
    (lambda d: {"total_guesses": d["total_guesses"] - 1}, False),
    (lambda d: {"distribution": [*d["distribution"], 0]}, False),
    (lambda d: {"weight_distribution": d["distribution"]}, False),
    (lambda d: {"nodes": True}, False),
    (lambda d: {"nodes": 0}, False),
    (lambda d: {"nodes": str(d["nodes"])}, False),
    (lambda d: {"nodes": d["nodes"] + 1}, False),
    (lambda d: {"tree": list(d["tree"].values())}, False),
    (lambda d: {"tree": {**d["tree"], "surplus": "text"}}, False),
    (lambda d: {"tree": {**d["tree"], "depth": 3}}, True),
]


@pytest.mark.parametrize("number", range(len(READ)))
def test_a_changed_header_is_read_or_refused(number: int) -> None:
    """What a newer file may have is read; what contradicts the tree or the limits is not."""
    change, is_read = READ[number]
    document = unpack(decompress(plain_book(WORDS).to_bytes()))
    changed = pack({**document, **change(document)})
    if is_read:
        assert decode(changed)[1] == WORDS
    else:
        with pytest.raises(InvalidBookError):
            decode(changed)


def test_a_book_of_another_game_is_refused() -> None:
    """The secrets of a tree are all those of its game, and count as much as these."""
    document = unpack(decompress(plain_book(WORDS).to_bytes()))
    for other in (
        WordGame(["ab", "ba"], ["ac", "cc"], weights=[3, 1]),
        WordGame(["ab", "ba", "cc"], ["ac"], weights=[3, 1, 8]),
        WordGame(["ab", "ba", "cc", "ac"], ["ac"], weights=[3, 1, 9, 1]),
    ):
        with pytest.raises(InvalidBookError):
            decode(pack({**document, "game": other.header()}))

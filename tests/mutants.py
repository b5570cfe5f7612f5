"""Mutators of book files: each takes a book, another one and chance, and gives a file.

Some damage the frame. Most seal what they did in a frame of their own, whose checksum is right.
"""

from __future__ import annotations

import copy
import struct
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgpack
import zstandard

from guessbook.book import Game, Mastermind, WordGame, open_book
from guessbook.book.compression import decompress
from guessbook.book.tree import from_planes, to_planes
from tests.plain import plain_book

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["BOMBS", "COLUMNS", "MUTATORS", "Pairs", "Raw", "Seed", "packed", "seal", "seeds"]

# Nodes or words: many, and few enough for many mutants.
MANY = 40_000
COLUMNS = ("guess", "feedback", "children", "surplus")
SHIPPED = ("mastermind-4x6", "mastermind-5x8")

Document = dict[Any, Any]


class Seed(NamedTuple):
    """A true book to make false ones of.

    Attributes:
        name: its game.
        blob: the file.
        content: what its frame holds.
    """

    name: str
    blob: bytes
    content: bytes

    @property
    def document(self) -> Document:
        """The content, unpacked, to be changed."""
        document: Document = msgpack.unpackb(self.content)
        return document


class Raw(bytes):
    """Bytes that stand in a file as they are, instead of a value."""


class Pairs(list[tuple[object, object]]):
    """A map that may name a key twice."""


@cache
def seeds() -> list[Seed]:
    """Small books of every kind of game, and two of those that are shipped."""
    words = WordGame(["crane", "slate", "trace", "crate", "stare", "tears", "rates"])
    more = WordGame(["ёж", "уж", "ас", "ум"], ["ёж", "уж", "ас", "яд"], "loose")
    games: list[Game] = [Mastermind(2, 2), Mastermind(3, 4), Mastermind(3, 5, False)]
    games += [Mastermind(2, 5, symbols="αβγ🐄x"), words, more]
    books = [plain_book(game) for game in games]
    blobs = [book.to_bytes() for book in books]
    data = Path(__file__).resolve().parent.parent / "data"
    blobs += [(data / f"{name}.book").read_bytes() for name in SHIPPED]
    return [Seed(open_book(blob).game.name, blob, decompress(blob)) for blob in blobs]


def seal(content: bytes) -> bytes:
    """A whole frame with its size and a right checksum."""
    return zstandard.ZstdCompressor(level=1, write_checksum=True).compress(content)


def packed(value: object) -> bytes:
    """A value as msgpack; `Raw` and `Pairs` may stand anywhere in maps and arrays."""
    if isinstance(value, Raw):
        return bytes(value)
    if isinstance(value, dict):
        value = Pairs(value.items())
    if isinstance(value, Pairs):
        items = b"".join([packed(k) + packed(v) for k, v in value])
        return b"\xde" + struct.pack(">H", len(value)) + items
    if isinstance(value, list):
        return b"\xdc" + struct.pack(">H", len(value)) + b"".join(map(packed, value))
    data: bytes = msgpack.packb(value)
    return data


# What takes little room in a file and much elsewhere, or claims to.
BOMBS = {
    "empty arrays": Raw(b"\xdd\0\x0f\0\0" + b"\x90" * 0xF0000),
    "empty maps": Raw(b"\xdd\0\x0f\0\0" + b"\x80" * 0xF0000),
    "short texts": Raw(b"\xdd\0\x04\0\0" + b"\xa2ab" * 0x40000),
    "nested arrays": Raw(b"\x91" * 1000 + b"\x01"),
    "more nested arrays": Raw(b"\x91" * 100_000 + b"\x01"),
    "nested maps": Raw(b"\x81\xa1a" * 1000 + b"\x01"),
    "nested array headers": Raw(b"\xdd\0\0\xff\xff" * 200_000),
    "an array of billions": Raw(b"\xdd\xff\xff\xff\xff"),
    "a map of billions": Raw(b"\xdf\xff\xff\xff\xff"),
    "billions of bytes": Raw(b"\xc6\xff\xff\xff\xff"),
    "a text of billions": Raw(b"\xdb\xff\xff\xff\xff"),
    "an extension": Raw(b"\xc7\x00\x05"),
    "a time": Raw(b"\xd6\xff\0\0\0\0"),
    "no such type": Raw(b"\xc1"),
    "no text": Raw(b"\xa3\xff\xfe\xfd"),
    "a surrogate": Raw(b"\xa3\xed\xa0\x80"),
    "a long text": "x" * 500_000,
    "a wide text": "x" * 200_000 + "🐄",
    "zeros": bytes(700_000),
    "lines": "a\n" * 300_000,
}
SCALARS: list[Any] = [
    *(None, True, False, 0, 1, 2, 3, 4, -1, 12, 13, 15, 16, 36, 255, 256, 65535, 65536, 1 << 22),
    *(2**31, 2**32 - 1, 2**32, 2**63, 2**64 - 1, -(2**63)),
    *(0.0, 1.0, -0.5, float("nan"), float("inf"), 1e308),
    *("", "a", "standard", "loose", "words", "mastermind", "\x1b[2J", "\0", "\n", "\u202e", "é"),
    *(b"", b"\0", b"\xff" * 9, [], [1], [1, 0], [[]], {}, {"a": 1}, {1: 2}, {b"a": 1}),
]
POLICIES = ["entropy", "minimax", "rollout", "lookahead", "consistent", "positional", "unknown"]
OPTIONS = ["base", "depth", "width", "random_seed", "first_guess", "consistent_only", "other"]


def hostile(chance: Random) -> object:
    """A value that hardly belongs where it will stand."""
    if chance.random() < 0.1:
        return BOMBS[chance.choice(sorted(BOMBS))]
    return copy.deepcopy(chance.choice(SCALARS))


def paths(value: object, above: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
    """Where values stand: the keys and places on the way to each."""
    inside: list[tuple[object, object]] = []
    if isinstance(value, dict):
        inside = list(value.items())
    elif isinstance(value, list):
        inside = list(enumerate(value))
    found = []
    for key, part in inside:
        found += [(*above, key), *paths(part, (*above, key))]
    return found


def holder(document: Document, path: tuple[Any, ...]) -> Any:
    """The map or array that holds the value at a path."""
    for key in path[:-1]:
        document = document[key]
    return document


def columns_of(document: Document) -> dict[str, list[int]]:
    """The tree's columns as integers."""
    nodes = document["nodes"]
    return {name: list(from_planes(document["tree"][name], nodes)) for name in COLUMNS}


def with_tree(document: Document, columns: dict[str, list[int]]) -> bytes:
    """The file with other columns, and with the statistics that go with them, if any do."""
    count = len(columns["guess"])
    tree = {name: to_planes([n & 0xFFFFFFFF for n in c]) for name, c in columns.items()}
    document |= {"nodes": count, "tree": tree}
    sizes = [a + b for a, b in zip(columns["surplus"], columns["children"], strict=True)]
    depths, distribution, first = [1] * count, [0] * count, 1
    for node, children in enumerate(columns["children"]):
        below = range(first, max(first, min(count, first + children)))
        for child in below:
            depths[child] = min(depths[node] + 1, count)
        distribution[depths[node] - 1] += sizes[node] - sum(sizes[below.start : below.stop])
        first = max(0, first + children)
    while distribution and not distribution[-1]:
        distribution.pop()
    document["distribution"] = distribution
    document["total_guesses"] = sum(depth * n for depth, n in enumerate(distribution, 1))
    return seal(packed(document))


# Damage to the frame.


def flip(seed: Seed, _: Seed, chance: Random) -> bytes:
    """Some bits are others."""
    blob = bytearray(seed.blob)
    for _bit in range(chance.randint(1, 4)):
        blob[chance.randrange(len(blob))] ^= 1 << chance.randrange(8)
    return bytes(blob)


def truncate(seed: Seed, _: Seed, chance: Random) -> bytes:
    """The end is missing."""
    return seed.blob[: chance.randrange(len(seed.blob))]


def splice(seed: Seed, other: Seed, chance: Random) -> bytes:
    """The beginning of one file and the end of another, or one after the other."""
    skippable = b"\x50\x2a\x4d\x18" + struct.pack("<I", 3) + b"abc"
    if chance.random() < 0.3:
        parts = [seed.blob, other.blob, skippable, b"", b"\n"]
        return b"".join(chance.choices(parts, k=chance.randint(0, 3)))
    cut = chance.randrange(len(seed.blob))
    return seed.blob[:cut] + other.blob[chance.randrange(len(other.blob)) :]


def forge(seed: Seed, _: Seed, chance: Random) -> bytes:
    """The frame's own header says something else: sizes, window, dictionary, checksum."""
    blob = bytearray(seal(seed.content))
    for _byte in range(chance.randint(1, 3)):
        blob[chance.randrange(4, 14)] = chance.choice([0, 1, 0x7F, 0xFF, chance.randrange(256)])
    return bytes(blob)


# Other content, sealed.


def flip_content(seed: Seed, _: Seed, chance: Random) -> bytes:
    """Some bytes of the content are others."""
    content = bytearray(seed.content)
    end = chance.choice([len(content), min(len(content), 250)])
    for _byte in range(chance.randint(1, 6)):
        value = chance.choice([0, 1, 0x7F, 0x80, 0xC0, 0xDD, 0xFF, chance.randrange(256)])
        content[chance.randrange(end)] = value
    return seal(bytes(content))


def splice_content(seed: Seed, other: Seed, chance: Random) -> bytes:
    """The content is cut, goes on with another's, or holds a bomb."""
    cut = chance.randrange(len(seed.content) + 1)
    bomb = packed(BOMBS[chance.choice(sorted(BOMBS))])
    middle = chance.choice([b"", b"", seed.content[:cut], bomb])
    end = chance.choice([b"", seed.content[cut:], other.content[cut:], other.content])
    return seal(seed.content[:cut] + middle + end)


def replace(seed: Seed, _: Seed, chance: Random) -> bytes:
    """Some values are of a wrong type, or out of range."""
    document = seed.document
    for _value in range(chance.choice([1, 1, 1, 2, 3])):
        path = chance.choice(paths(document))
        holder(document, path)[path[-1]] = hostile(chance)
    return seal(packed(document))


def drop(seed: Seed, _: Seed, chance: Random) -> bytes:
    """A key or an entry is missing, or has another name."""
    document = seed.document
    path = chance.choice(paths(document))
    value = holder(document, path).pop(path[-1])
    if isinstance(path[-1], str) and chance.random() < 0.3:
        holder(document, path)[chance.choice([path[-1].upper(), "", 3, path[-1].encode()])] = value
    return seal(packed(document))


def repeat(seed: Seed, _: Seed, chance: Random) -> bytes:
    """A key stands twice, with the same value or with another."""
    document = seed.document
    name = chance.choice(["", "game", "policy", "tree"])
    pairs = Pairs((document[name] if name else document).items())
    key, value = chance.choice(pairs)
    pairs.insert(chance.randrange(len(pairs) + 1), (key, chance.choice([value, hostile(chance)])))
    return seal(packed({**document, name: pairs} if name else pairs))


def add(seed: Seed, _: Seed, chance: Random) -> bytes:
    """Keys of a later version, which a reader ignores as long as they are small."""
    document = seed.document
    place = document[chance.choice(["game", "policy", "tree"])]
    for key in range(chance.choice([1, 3, 70])):
        chance.choice([document, place])[f"new{key}"] = hostile(chance)
    document["guessbook"] = [chance.choice([1, 1, 1, 2, 0]), chance.choice([0, 1, 7, 2**64 - 1])]
    return seal(packed(document))


def swap(seed: Seed, other: Seed, chance: Random) -> bytes:
    """Some keys are those of another book."""
    document, foreign = seed.document, other.document
    for key in chance.sample(sorted(foreign), chance.randint(1, 4)):
        document[key] = foreign[key]
    return seal(packed(document))


def change_game(seed: Seed, _: Seed, chance: Random) -> bytes:
    """Another game, perhaps a huge one of up to 2**32 codes; the tree may still fit."""
    document = seed.document
    symbols = "RYGBOPWKACDEFHIJLMNQSTUVXZ0123456789"
    pegs, colors = chance.choice([(7, 10), (11, 4), (8, 16), (32, 2), (15, 4), (15, 36), (4, 6)])
    if chance.random() < 0.5:
        pegs, colors = chance.randint(1, 6), chance.randint(1, 8)
    game = {"type": "mastermind", "pegs": pegs, "colors": colors, "repeats": chance.random() < 0.8}
    game["symbols"] = symbols[:colors]
    if chance.random() < 0.3:
        odd = chance.choice(["\x1b", " ", "=", "R", "\u0301", "\ud7ff", "RY", "", "é"])
        game["symbols"] = symbols[: colors - 1] + odd
    codes = min(colors**pegs, 2**64 - 1)
    return seal(packed({**document, "game": game, "secrets": chance.choice([codes, 4])}))


def change_policy(seed: Seed, _: Seed, chance: Random) -> bytes:
    """Another policy, with options that make no sense or ask for too much."""
    options = chance.sample(OPTIONS, chance.randint(0, 3))
    policy: dict[str, object] = {"name": chance.choice(POLICIES)}
    for option in options:
        sensible: list[object] = ["entropy", 2, True, 2**64 - 1, "RRYY", 10]
        policy[option] = chance.choice(sensible) if chance.random() < 0.7 else hostile(chance)
    return seal(packed({**seed.document, "policy": policy}))


def change_counts(seed: Seed, _: Seed, chance: Random) -> bytes:
    """Statistics that are not those of the tree."""
    document = seed.document
    places = [p for p in paths(document) if isinstance(_at(document, p), int) and p[0] != "game"]
    path = chance.choice(places)
    delta = chance.choice([-1, 1, 2, 255, 2**31, 2**63])
    holder(document, path)[path[-1]] = max(-(2**63), min(2**64 - 1, _at(document, path) + delta))
    return seal(packed(document))


# Other trees, sealed, with the statistics that go with them.


def change_column(seed: Seed, _: Seed, chance: Random) -> bytes:
    """Some nodes have another guess, feedback, number of children or of candidates."""
    document = seed.document
    columns = columns_of(document)
    column = columns[chance.choice(COLUMNS)]
    for _node in range(chance.randint(1, 4)):
        value = chance.choice([0, 1, 2, 255, 2**16, 2**32 - 1, chance.choice(column)])
        column[chance.randrange(len(column))] = value
    return with_tree(document, columns)


def change_guesses(seed: Seed, _: Seed, chance: Random) -> bytes:
    """A tree that is none of this game: other guesses, in range, and other feedbacks in order."""
    document = seed.document
    columns = columns_of(document)
    if chance.random() < 0.5:
        chance.shuffle(columns["guess"])
    else:
        most = max(columns["guess"])
        columns["guess"] = [chance.randint(0, most) for _ in columns["guess"]]
    return with_tree(document, columns)


def change_links(seed: Seed, _: Seed, chance: Random) -> bytes:
    """Children hang on other nodes, or on themselves; their number stays."""
    document = seed.document
    columns = columns_of(document)
    children = columns["children"]
    if chance.random() < 0.5:
        a, b = chance.randrange(len(children)), chance.randrange(len(children))
        children[a], children[b] = children[b], children[a]
    else:
        chance.shuffle(children)
    return with_tree(document, columns)


def resize(seed: Seed, _: Seed, chance: Random) -> bytes:
    """Columns of more or fewer planes or nodes."""
    document = seed.document
    for name in chance.sample(COLUMNS, chance.randint(1, 4)):
        data = document["tree"][name]
        planes = bytes(document["nodes"] * chance.randint(0, 4))
        document["tree"][name] = chance.choice([data + planes, data[:-1], data * 2, planes])
    document["nodes"] = chance.choice([document["nodes"], 0, 1, document["nodes"] * 2, 2**40])
    return seal(packed(document))


def grow(seed: Seed, _: Seed, chance: Random) -> bytes:
    """A tree far too large, or deep, for its game; or as large as a larger game asks for."""
    document = seed.document
    codes = document["secrets"]
    if chance.random() < 0.5 and document["game"]["type"] == "mastermind":
        pegs = chance.randint(2, 6)
        document["game"] |= {"pegs": pegs, "repeats": True}
        codes = document["game"]["colors"] ** pegs
    most = chance.choice([MANY] + 15 * [1000])
    nodes = min(chance.choice([codes, codes + 1, 2 * codes, 2 * codes + 1, most]), most)
    chain = chance.random() < 0.7
    columns = {
        "guess": [min(node, codes - 1) % 2**16 for node in range(nodes)],
        "feedback": [0 if chain else max(0, node - 1) for node in range(nodes)],
        "children": [1] * (nodes - 1) + [0] if chain else [nodes - 1] + [0] * (nodes - 1),
        # Every guess solves a secret, as long as there are any; the first ones solve none.
        "surplus": [min(codes, nodes - node) for node in range(nodes)] if chain else [1] * nodes,
    }
    if chain:
        columns["surplus"] = [s - c for s, c in zip(columns["surplus"], columns["children"])]  # noqa: B905
    document["secrets"] = codes
    return with_tree(document, columns)


def change_words(seed: Seed, _: Seed, chance: Random) -> bytes:
    """Lists of words that lie: repeated, unsorted, of other lengths, no words at all, too many."""
    document = seed.document
    lies = chance.choices(["words", "marks", "length", "rest", "nothing"], k=2)
    lies += ["many"] * (chance.random() < 0.03)
    words = ["crane", "slate", "trace", "crate"]
    odd = ["crane", "cranes", "", "CRANE", "a\x1b[2J", "cr ne", "cafe\u0301", "cafés", "12345"]
    if "words" in lies:
        words.insert(chance.randrange(len(words) + 1), chance.choice(odd))
    if "many" in lies:
        letters = str.maketrans("0123456789abcdef", "abcdefghijklmnop")
        words = [f"{i:012x}".translate(letters) for i in range(MANY)]
    count = len(words)
    marks = chance.choice([0, 4, (1 << count) - 1, 1 << count]) if "marks" in lies else 1
    size = (count + 7) // 8 + ("rest" in lies and chance.choice([-1, 0, 1]))
    document["game"] = {
        "type": "words",
        "length": len(words[0]) + ("length" in lies and chance.choice([-9, -1, 1, 2**40])),
        "scoring": chance.choice(["standard", "loose", "other"] if "rest" in lies else ["loose"]),
        "guesses": chance.choice(["\n", "\r\n", "\u2028"] if "rest" in lies else ["\n"]).join(
            words
        ),
        "secrets": (marks % 256**size).to_bytes(size, "little"),
    }
    document["secrets"] = 1
    tree = {"guess": [chance.choice([0, count - 1, count])]}
    return with_tree(document, tree | {"feedback": [0], "children": [0], "surplus": [1]})


def _at(document: Document, path: tuple[Any, ...]) -> Any:
    return holder(document, path)[path[-1]]


MUTATORS: dict[str, Callable[[Seed, Seed, Random], bytes]] = {
    function.__name__: function
    for function in (
        *(flip, truncate, splice, forge, flip_content, splice_content, replace, drop, repeat, add),
        *(swap, change_game, change_policy, change_counts, change_column, change_guesses),
        *(change_links, resize, grow, change_words),
    )
}

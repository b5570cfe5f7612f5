"""Functions that change valid book files, so that most of them become invalid.

Each takes two documents and a random generator, and returns a file. Most of these files have a
complete frame with a valid checksum.
"""

from __future__ import annotations

import copy
from functools import cache
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import msgpack

import guessbook as gb
from tests.file.samples import SAMPLES, sample_book
from tests.helpers.content import (
    Document,
    Raw,
    chain,
    codes_header,
    columns_in,
    document,
    packed,
    seal,
    table_header,
    words_header,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Callable

SYMBOLS = "RYGBOPWKACDEFHIJLMNQSTUVXZ0123456789"

# Values that are small in a file and large in memory, or claim to be large, or are invalid.
BOMBS: dict[str, object] = {
    "empty arrays": Raw(b"\xdd\0\x0f\0\0" + b"\x90" * 0xF0000),
    "empty maps": Raw(b"\xdd\0\x0f\0\0" + b"\x80" * 0xF0000),
    "short texts": Raw(b"\xdd\0\x04\0\0" + b"\xa2ab" * 0x40000),
    "nested arrays": Raw(b"\x91" * 100_000 + b"\x01"),
    "nested maps": Raw(b"\x81\xa1a" * 1000 + b"\x01"),
    "nested array headers": Raw(b"\xdd\0\0\xff\xff" * 200_000),
    "an array of billions": Raw(b"\xdd\xff\xff\xff\xff"),
    "a map of billions": Raw(b"\xdf\xff\xff\xff\xff"),
    "billions of bytes": Raw(b"\xc6\xff\xff\xff\xff"),
    "a text of billions": Raw(b"\xdb\xff\xff\xff\xff"),
    "an extension": Raw(b"\xc7\x00\x05"),
    "no such type": Raw(b"\xc1"),
    "invalid UTF-8": Raw(b"\xa3\xff\xfe\xfd"),
    "a surrogate": Raw(b"\xa3\xed\xa0\x80"),
    "a long text": "x" * 500_000,
    "a wide text": "x" * 200_000 + "🐄",
    "zeros": bytes(700_000),
    "lines": "a\n" * 300_000,
}
ODD: list[Any] = [
    *(None, True, False, 0, 1, 2, 3, 12, 15, 36, 255, 256, 65_536, 2**31, 2**32, 2**63, -1),
    *(0.0, 1.0, float("nan"), float("inf"), "", "a", "standard", "loose", "words", "mastermind"),
    *("\x1b[2J", "\0", "\n", "\u202e", "e\u0301", "a  b", "x" * 101, b"", b"\0", b"\xff" * 9),
    *([], [1], [1, 0], [[]], {}, {"a": 1}, {1: 2}, {b"a": 1}),
]


@cache
def seeds() -> list[bytes]:
    """Return the contents of valid books: small ones of every kind, and one with many nodes."""
    books = [*map(sample_book, SAMPLES), gb.open("mastermind-4x6")]
    return [msgpack.packb(document(book)) for book in books]


def odd(chance: Random) -> object:
    """Return a value that is unlikely in a book."""
    if chance.random() < 0.1:
        return BOMBS[chance.choice(sorted(BOMBS))]
    return copy.deepcopy(chance.choice(ODD))


def places(value: object) -> list[tuple[Any, Any]]:
    """Return each map and array in a value, with each of its keys or indices."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)  # type: ignore[arg-type]
    found = []
    for key, part in list(inside):
        found.append((value, key))
        found += places(part) if isinstance(part, dict | list) else []
    return found


def damage_frame(known: Document, other: Document, chance: Random) -> bytes:
    """Flip bits, cut, splice, or forge the header of the frame."""
    blob, foreign = bytearray(seal(packed(known))), seal(packed(other))
    cut = chance.randrange(len(blob))
    kind = chance.choice(["flip", "cut", "splice", "join", "forge"])
    if kind == "flip":
        for _ in range(chance.randint(1, 4)):
            blob[chance.randrange(len(blob))] ^= 1 << chance.randrange(8)
    elif kind == "forge":
        for _ in range(chance.randint(1, 3)):
            blob[chance.randrange(4, 14)] = chance.choice([0, 1, 0x7F, 0xFF, chance.randrange(256)])
    end = {"cut": b"", "splice": foreign[chance.randrange(len(foreign)) :]}
    return (
        bytes(blob[:cut]) + end[kind] if kind in end else bytes(blob) + foreign * (kind == "join")
    )


def damage_content(known: Document, other: Document, chance: Random) -> bytes:
    """Change bytes of the content, or insert a bomb or other content."""
    content, foreign = packed(known), packed(other)
    if chance.random() < 0.5:
        changed = bytearray(content)
        end = chance.choice([len(content), min(len(content), 250)])
        for _ in range(chance.randint(1, 6)):
            value = chance.choice([0, 1, 0x7F, 0x80, 0xC0, 0xDD, 0xFF, chance.randrange(256)])
            changed[chance.randrange(end)] = value
        return seal(bytes(changed))
    cut = chance.randrange(len(content) + 1)
    middle = chance.choice([b"", packed(odd(chance))])
    return seal(content[:cut] + middle + chance.choice([content[cut:], foreign[cut:], foreign]))


def replace(known: Document, _: Document, chance: Random) -> bytes:
    """Replace some values."""
    for _value in range(chance.choice([1, 1, 1, 2, 3])):
        holder, key = chance.choice(places(known))
        holder[key] = odd(chance)
    return seal(packed(known))


def drop(known: Document, _: Document, chance: Random) -> bytes:
    """Remove or rename a key."""
    holder, key = chance.choice(places(known))
    value = holder.pop(key)
    if isinstance(key, str) and chance.random() < 0.3:
        holder[chance.choice([key.upper(), "", 3, key.encode()])] = value
    return seal(packed(known))


def swap(known: Document, other: Document, chance: Random) -> bytes:
    """Take some keys from another book."""
    return seal(packed(known | {key: other[key] for key in chance.sample(sorted(other), 3)}))


def change_policy(known: Document, _: Document, chance: Random) -> bytes:
    """Choose a policy, with options that are wrong or too large."""
    names = ["entropy", "minimax", "rollout", "lookahead", "consistent", "optimal", "win", "new"]
    options = ["base", "depth", "width", "random_seed", "first_guess", "within", "proven", "other"]
    values = ["entropy", 2, True, 2**64 - 1, "RRYY", 10, odd(chance)]
    chosen = {option: chance.choice(values) for option in chance.sample(options, 3)}
    return seal(packed({**known, "policy": {"name": chance.choice(names), **chosen}}))


def change_game(known: Document, _: Document, chance: Random) -> bytes:
    """Choose a game with codes, perhaps with 2**32 or more; the tree may still fit."""
    pegs, colors = chance.choice([(7, 10), (8, 16), (32, 2), (15, 36), (4, 6), (2, 3), (3, 4)])
    last = chance.choice([*"\x1b =R\u0301é", "", SYMBOLS[colors - 1], SYMBOLS[colors - 1]])
    game = codes_header(pegs, SYMBOLS[: colors - 1] + last, chance.random() < 0.8)
    return seal(packed({**known, "game": game | {"colors": colors}}))


def change_tree(known: Document, _: Document, chance: Random) -> bytes:
    """Change guesses, feedbacks, children or candidates; the statistics fit the changed tree."""
    columns = columns_in(known)
    column = columns[chance.choice(sorted(columns))]
    kind = chance.choice(["values", "values", "order", "guesses"])
    if kind == "order":
        chance.shuffle(column)
    elif kind == "guesses":
        columns["guess"] = chance.choices(columns["guess"], k=len(column))
    else:
        for _node in range(chance.randint(1, 4)):
            value = chance.choice([0, 1, 2, 255, 2**16, 2**32 - 1, chance.choice(column)])
            column[chance.randrange(len(column))] = value
    return seal(packed(known | {k: v for k, v in write({}, columns).items() if k in STATISTICS}))


STATISTICS = ("nodes", "tree", "distribution", "total_guesses")


def resize(known: Document, _: Document, chance: Random) -> bytes:
    """Make columns wider, shorter or empty, or the tree deeper than the game allows."""
    if chance.random() < 0.5:
        size = chance.choice([known["secrets"], 2 * known["secrets"] + 1, *[1000] * 8, 40_000])
        tree = chain([0] * (size - 1), min(size, known["secrets"]))
        return seal(packed(known | {**write({}, tree), "game": known["game"]}))
    for name, data in known["tree"].items():
        zeros = bytes(known["nodes"] * chance.randint(0, 4))
        known["tree"][name] = chance.choice([data, data, data + zeros, data[:-1], data * 2, zeros])
    return seal(packed(known))


def change_lists(known: Document, _: Document, chance: Random) -> bytes:
    """Write a game with words or a table, mostly with wrong values."""
    texts = chance.choice([["crane", "slate", "trace"], ["a b", "c", "d"], ["ёж", "уж", "ас"]])
    if chance.random() < 0.02:
        texts = ["".join(letters) for letters in product("abcdefgh", repeat=5)]
    weights = chance.choice([None, None, [1] * len(texts), [3] + [1] * (len(texts) - 1)])
    game = words_header(texts, texts, chance.choice(["standard", "loose"]), weights)
    rows = [[2 if a == b else chance.randrange(2) for b in texts[:3]] for a in texts[:3]]
    if chance.random() < 0.6:
        game = table_header(
            texts[:3], texts[:3], ["no", "yes", "found"], rows, weights and weights[:3]
        )
    count = len(rows) if game["type"] == "table" else len(texts)
    known = write(game, chain([0] * (count - 1), count))
    for _key in range(chance.randint(0, 2)):
        key = chance.choice(sorted(game))
        value = game[key]
        if isinstance(value, str):
            value = value.replace(
                value[:1], chance.choice(["", "A", "\x1b", "\n", "e\u0301", "  ", "x" * 99]), 1
            )
        elif isinstance(value, bytes):
            value = chance.choice([value[:-1], value + b"\0", value[::-1], b"\xff" * len(value)])
        game[key] = chance.choice([value, odd(chance)])
    return seal(packed({**known, "game": game}))


MUTATORS: dict[str, Callable[[Document, Document, Random], bytes]] = {
    function.__name__: function
    for function in (
        *(damage_frame, damage_content, replace, drop, swap, change_policy),
        *(change_game, change_tree, resize, change_lists),
    )
}


def mutant(case: int) -> tuple[str, bytes]:
    """Return the mutator and the file of a case; equal numbers give equal files."""
    chance = Random(case)
    *small, large = seeds()
    known = large if chance.random() < 0.01 else chance.choice(small)
    name = chance.choice(sorted(MUTATORS))
    other = msgpack.unpackb(chance.choice(small))
    return name, MUTATORS[name](msgpack.unpackb(known), other, chance)

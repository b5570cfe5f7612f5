"""Mutators of book files: each takes a book, another one and chance, and gives a file.

Some damage the frame. Most seal what they did in a frame of their own, whose checksum is right.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from tests.helpers.content import Document, Pairs, packed, seal
from tests.lies.bombs import BOMBS, hostile
from tests.lies.mutant_trees import (
    change_column,
    change_guesses,
    change_links,
    change_table,
    change_words,
    overgrown,
    resize,
)
from tests.lies.seeds import Seed

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

POLICIES = ["entropy", "minimax", "rollout", "lookahead", "consistent", "positional", "unknown"]
OPTIONS = ["base", "depth", "width", "random_seed", "first_guess", "consistent_only", "other"]


def ways(value: object, above: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
    """Where values stand: the keys and places on the way to each."""
    inside: list[tuple[object, object]] = []
    if isinstance(value, dict):
        inside = list(value.items())
    elif isinstance(value, list):
        inside = list(enumerate(value))
    found = []
    for key, part in inside:
        found += [(*above, key), *ways(part, (*above, key))]
    return found


def holder(document: Document, path: tuple[Any, ...]) -> Any:
    """The map or array that holds the value at a path."""
    for key in path[:-1]:
        document = document[key]
    return document


def _at(document: Document, path: tuple[Any, ...]) -> Any:
    return holder(document, path)[path[-1]]


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
        path = chance.choice(ways(document))
        holder(document, path)[path[-1]] = hostile(chance)
    return seal(packed(document))


def drop(seed: Seed, _: Seed, chance: Random) -> bytes:
    """A key or an entry is missing, or has another name."""
    document = seed.document
    path = chance.choice(ways(document))
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
    places = [p for p in ways(document) if isinstance(_at(document, p), int) and p[0] != "game"]
    path = chance.choice(places)
    delta = chance.choice([-1, 1, 2, 255, 2**31, 2**63])
    holder(document, path)[path[-1]] = max(-(2**63), min(2**64 - 1, _at(document, path) + delta))
    return seal(packed(document))


MUTATORS: dict[str, Callable[[Seed, Seed, Random], bytes]] = {
    function.__name__: function
    for function in (
        *(flip, truncate, splice, forge, flip_content, splice_content, replace, drop, repeat, add),
        *(swap, change_game, change_policy, change_counts, change_column, change_guesses),
        *(change_links, resize, overgrown, change_words, change_table),
    )
}

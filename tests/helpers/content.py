"""A writer of valid and invalid book files, based on FORMAT.md alone.

It shares no code with Guessbook, which only opens the files.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgpack
import zstandard

import guessbook as gb
from tests.helpers.format_reader import COLUMNS, Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Document = dict[Any, Any]
TIES = "a candidate, then the lowest index"


class Raw(bytes):
    """Bytes that are written unchanged, in place of a value."""


class Pairs(list[tuple[object, object]]):
    """A map that may have a key twice."""


def packed(value: object) -> bytes:
    """Return a value as msgpack, with long forms of maps and arrays."""
    if isinstance(value, Raw):
        return bytes(value)
    if isinstance(value, dict):
        value = Pairs(value.items())
    if isinstance(value, Pairs):
        items = [packed(part) for pair in value for part in pair]
        return b"\xde" + struct.pack(">H", len(value)) + b"".join(items)
    if isinstance(value, list):
        return b"\xdc" + struct.pack(">H", len(value)) + b"".join(map(packed, value))
    data: bytes = msgpack.packb(value)
    return data


def seal(content: bytes, level: int = 1) -> bytes:
    """Return a complete frame with its content size and a valid checksum."""
    return zstandard.ZstdCompressor(level=level, write_checksum=True).compress(content)


def pack(content: object) -> bytes:
    """Return a file with this content."""
    return seal(msgpack.packb(content))


def content_of(data: bytes) -> bytes:
    """Return the content of a file's frame."""
    return zstandard.ZstdDecompressor().decompress(data)


def document(book: gb.Book) -> Document:
    """Return the content of a book's file."""
    found: Document = msgpack.unpackb(content_of(book.to_bytes()))
    return found


def columns(book: gb.Book) -> list[list[int]]:
    """Return the guesses, feedbacks, numbers of children and candidates of a book's nodes."""
    reader = Reader(book.to_bytes())
    return [reader.guess, reader.feedback, reader.children, reader.candidates]


def columns_in(content: Document) -> dict[str, list[int]]:
    """Return the columns of a document as integers."""
    reader = Reader(pack(content))
    surplus = [a - b for a, b in zip(reader.candidates, reader.children, strict=True)]
    return dict(
        zip(COLUMNS, (reader.guess, reader.feedback, reader.children, surplus), strict=True)
    )


def planes(values: Sequence[int], width: int = 0) -> bytes:
    """Return a column of integers: all lowest bytes, then all next bytes, and so on."""
    width = width or max(1, -(-max(values, default=0).bit_length() // 8))
    return b"".join([bytes([value >> 8 * k & 255 for value in values]) for k in range(width)])


def marks(texts: Sequence[str], wanted: Iterable[str]) -> bytes:
    """Return one bit for each text, 1 if it is wanted."""
    chosen = set(wanted)
    bits = sum(1 << i for i, text in enumerate(texts) if text in chosen)
    return bits.to_bytes(-(-len(texts) // 8), "little")


def codes_header(pegs: int, symbols: str, repeats: bool = True) -> Document:
    """Return the header of a game with codes."""
    game = {"type": "mastermind", "pegs": pegs, "colors": len(symbols)}
    return {**game, "repeats": repeats, "symbols": symbols}


def words_header(
    guesses: Sequence[str],
    secrets: Iterable[str],
    scoring: str = "standard",
    weights: Sequence[int] | None = None,
) -> Document:
    """Return the header of a game with words; the secrets have the order of the guesses."""
    wanted = set(secrets)
    ordered = [word for word in guesses if word in wanted]
    sums = [
        hashlib.sha256("".join(f"{word}\n" for word in words).encode()).hexdigest()
        for words in (guesses, ordered)
    ]
    return {
        "type": "words",
        "length": len(guesses[0]),
        "scoring": scoring,
        "guesses": "\n".join(guesses),
        "secrets": marks(guesses, wanted),
        "guesses_sha256": sums[0],
        "secrets_sha256": sums[1],
        **_weights(weights),
    }


def table_header(
    guesses: Sequence[str],
    secrets: Iterable[str],
    answers: Sequence[str],
    rows: Sequence[Sequence[int]],
    weights: Sequence[int] | None = None,
) -> Document:
    """Return the header of a game with a table; `rows` has the number of each answer."""
    return {
        "type": "table",
        "guesses": "\n".join(guesses),
        "given": len(rows),
        "secrets": marks(guesses, secrets),
        "answers": "\n".join(answers),
        "table": planes([number for row in rows for number in row], 1 + (len(answers) > 256)),
        **_weights(weights),
    }


def _weights(weights: Sequence[int] | None) -> dict[str, bytes]:
    return {} if weights is None else {"weights": struct.pack(f"<{len(weights)}I", *weights)}


@dataclass
class TreeNode:
    """A node of a tree to write.

    Attributes:
        guess: the index of its guess.
        solves: whether the guess is a candidate.
        children: the nodes below, by the number of the feedback.
    """

    guess: int
    solves: bool = True
    children: dict[int, TreeNode] = field(default_factory=dict)

    def subtree(self) -> list[TreeNode]:
        """Return all nodes from this one on, breadth first."""
        nodes = [self]
        for node in nodes:
            nodes += [child for _, child in sorted(node.children.items())]
        return nodes

    def weight(self, weight: Callable[[int], int] = lambda guess: 1) -> int:
        """Return the sum of the weights of the secrets that the subtree solves."""
        return sum(weight(node.guess) for node in self.subtree() if node.solves)


def tree_columns(root: TreeNode) -> dict[str, list[int]]:
    nodes = root.subtree()
    leading = [feedback for node in nodes for feedback in sorted(node.children)]
    sizes: dict[int, int] = {}
    for node in reversed(nodes):
        sizes[id(node)] = node.solves + sum(sizes[id(child)] for child in node.children.values())
    return {
        "guess": [node.guess for node in nodes],
        "feedback": [0, *leading],
        "children": [len(node.children) for node in nodes],
        "surplus": [sizes[id(node)] - len(node.children) for node in nodes],
    }


def chain(feedbacks: Sequence[int], solving: int, guesses: Sequence[int] = ()) -> TreeNode:
    """Return a tree without branches, in which each of the last `solving` nodes solves a secret."""
    size = len(feedbacks) + 1
    guesses = guesses or [max(0, k - size + solving) for k in range(size)]
    nodes = [TreeNode(guess, k >= size - solving) for k, guess in enumerate(guesses)]
    for feedback, node, child in zip(feedbacks, nodes, nodes[1:], strict=False):
        node.children[feedback] = child
    return nodes[0]


def write(
    game: Document,
    tree: TreeNode | dict[str, list[int]],
    policy: Document | None = None,
    minor: int = 3,
) -> Document:
    """Return the document of a book, with the statistics of its tree.

    If the columns form no tree, the statistics are those that a careless reader would compute.
    """
    weights = _weights_by_guess(game)
    found = tree_columns(tree) if isinstance(tree, TreeNode) else tree
    sizes = [a + b for a, b in zip(found["surplus"], found["children"], strict=True)]
    count, first = len(sizes), 1
    depths, solved, heavy = [0] * count, [0] * count, [0] * count
    for node, children in enumerate(found["children"]):
        below = slice(first, first + children)
        for child in range(*below.indices(count)):
            depths[child] = min(depths[node] + 1, count - 1)
        own = sizes[node] - sum(sizes[below])
        solved[depths[node]] += own
        heavy[depths[node]] += own * weights.get(found["guess"][node], 0)
        first += children
    length = max([k for k, number in enumerate(solved) if number], default=0) + 1
    solved, heavy = solved[:length], heavy[:length]
    policy = policy or {"name": "entropy"}
    return {
        "guessbook": [1, minor],
        "game": game,
        "policy": policy,
        **({} if policy["name"] == "imported" else {"ties": TIES}),
        "secrets": sizes[0],
        "nodes": count,
        "total_guesses": sum(depth * number for depth, number in enumerate(solved, 1)),
        "distribution": solved,
        **({"weight_distribution": heavy} if weights else {}),
        "tree": {name: planes([n & 0xFFFFFFFF for n in found[name]]) for name in COLUMNS},
    }


def _weights_by_guess(game: Document) -> dict[int, int]:
    if "weights" not in game:
        return {}
    count = game["guesses"].count("\n") + 1
    secrets = [guess for guess in range(count) if game["secrets"][guess // 8] >> guess % 8 & 1]
    return dict(zip(secrets, struct.unpack(f"<{len(secrets)}I", game["weights"]), strict=True))


def edited(book: gb.Book, **changes: object) -> gb.Book:
    """Return the book of a file with other values in its header."""
    return gb.open(pack({**document(book), "guessbook": [1, 3], **changes}))


def changed(book: gb.Book, **changes: dict[int, int]) -> gb.Book:
    """Return the book of a file with other values of some nodes, such as guess={NODE: VALUE}."""
    content = document(book)
    found = columns_in(content)
    for column, values in changes.items():
        for node, value in values.items():
            found[column][node] = value
        content["tree"][column] = planes(found[column])
    return gb.open(pack(content))

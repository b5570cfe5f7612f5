"""The book file, version 1.0: one zstd frame of one msgpack map. docs/FORMAT.md specifies it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgpack

from guessbook.book.compression import compress, decompress
from guessbook.book.errors import GuessbookError, InvalidBookError
from guessbook.book.game import Game, game_from_header
from guessbook.book.tree import Columns, Tree, from_planes, to_planes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import TypeGuard

__all__ = ["TIES", "VERSION", "decode", "encode", "write_atomically"]

VERSION = (1, 0)
TIES = "a candidate, then the lowest index"


def encode(game: Game, policy: dict[str, Any], tree: Tree) -> bytes:
    """The bytes of a book file: the same for the same game, policy and tree, on every machine."""
    surplus = [n - c for n, c in zip(tree.candidates, tree.children, strict=True)]
    columns: dict[str, Sequence[int]] = {
        "guess": tree.guess,
        "feedback": tree.feedback,
        "children": tree.children,
        # Nearly always 0 or 1, where the number of candidates itself is not.
        "surplus": surplus,
    }
    document = {
        "guessbook": list(VERSION),
        "game": game.header(),
        "policy": policy,
        "ties": TIES,
        "secrets": len(game.secrets),
        "nodes": len(tree),
        "total_guesses": sum(depth * n for depth, n in enumerate(tree.distribution, 1)),
        "distribution": list(tree.distribution),
        "tree": {name: to_planes(values) for name, values in columns.items()},
    }
    return compress(msgpack.packb(document))


def decode(blob: bytes) -> tuple[dict[str, Any], Game, Tree]:
    """The header, the game and the tree of a book file.

    Raises:
        InvalidBookError: whatever is wrong with the bytes. Nothing else is ever raised, and time
            and memory stay within a small multiple of the size of the file.
    """
    header = _unpack(decompress(blob))
    version: object = header.get("guessbook")
    if not _is_version(version):
        raise InvalidBookError(
            "not a book: expected the key 'guessbook' with the two numbers of its version"
        )
    if version[0] != VERSION[0]:
        raise InvalidBookError(
            f"found a book of version {version[0]}, expected {VERSION[0]}: "
            "a newer guessbook may read it"
        )
    _check_policy(header.get("policy"))
    game = game_from_header(header.get("game"))
    tree = _tree(header, game)
    distribution = header.get("distribution")
    total = sum(depth * n for depth, n in enumerate(tree.distribution, 1))
    if (
        header.get("secrets") != len(game.secrets)
        or distribution != list(tree.distribution)
        or header.get("total_guesses") != total
        or tree.candidates[0] != len(game.secrets)
    ):
        raise InvalidBookError("the header's statistics are not those of the tree")
    del header["tree"]
    return header, game, tree


def _is_version(found: object) -> TypeGuard[list[int]]:
    """Whether it is a version as the format has it: two integers that are not negative."""
    return (
        isinstance(found, list)
        and len(found) == 2
        and all(type(number) is int and number >= 0 for number in found)
    )


def _unpack(content: bytes) -> dict[str, Any]:
    try:
        # Every length is bounded by the content, whose size is bounded by the file's.
        header = msgpack.unpackb(content, max_map_len=64, max_ext_len=0)
    except Exception as error:
        # msgpack raises half a dozen unrelated types for malformed input, ValueError to
        # StackError; all of them mean the same to a reader.
        raise InvalidBookError(f"the book is damaged: {error}") from None
    if not isinstance(header, dict):
        raise InvalidBookError("not a book: its content is not a map")
    return header


def _check_policy(policy: object) -> None:
    """What a policy says of itself is printed as it is, so it must be plain and printable."""
    if not isinstance(policy, dict) or not isinstance(policy.get("name"), str):
        raise InvalidBookError("the header names no policy")
    for value in (*policy, *policy.values()):
        if not isinstance(value, (str, int)) or not str(value).isprintable():
            raise InvalidBookError("the policy's options are no plain text and numbers")


def _tree(header: dict[str, Any], game: Game) -> Tree:
    nodes, columns = header.get("nodes"), header.get("tree")
    if type(nodes) is not int or nodes < 1 or not isinstance(columns, dict):
        raise InvalidBookError("the header lacks its nodes or its tree")
    values = []
    for name in ("guess", "feedback", "children", "surplus"):
        data = columns.get(name)
        if not isinstance(data, bytes):
            raise InvalidBookError(f"the tree lacks the column {name!r}")
        values.append(from_planes(data, nodes))
    guess, feedback, children, surplus = values
    candidates = [a + b for a, b in zip(surplus, children, strict=True)]
    return Tree(Columns(guess, feedback, children, candidates), len(game.guesses), game.feedbacks)


def write_atomically(path: Path | str, data: bytes) -> None:
    """Write a file that appears whole or not at all, and is on the disk when this returns.

    Raises:
        GuessbookError: the file cannot be written (no such folder, disk full, ...); an existing
            file of that name is as it was.
    """
    # A link stays a link: the file that it leads to is replaced.
    path = os.path.realpath(path)
    temporary = f"{path}.{os.getpid()}.part"
    try:
        try:
            with open(temporary, "xb") as file:  # noqa: PTH123 - pathlib is not worth its import
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)  # noqa: PTH105
        except BaseException:
            if os.path.exists(temporary):  # noqa: PTH110
                os.unlink(temporary)  # noqa: PTH108
            raise
        folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)  # noqa: PTH100, PTH120
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise GuessbookError(f"cannot write {path}: {error.strerror or error}") from error

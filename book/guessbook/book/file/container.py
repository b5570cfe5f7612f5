"""The book file, version 1.3: one zstd frame of one msgpack map. FORMAT.md specifies it."""

import operator
from array import array
from collections.abc import Sequence
from typing import Any, TypeGuard

import msgpack

from guessbook.book.errors import InvalidBookError, InvalidCodeError, counted, quote
from guessbook.book.file.compression import (
    LEVELS,
    MIN_ALLOWANCE,
    QUICK_LEVELS,
    compress,
    decompress,
    padding_needed,
)
from guessbook.book.file.content import unpack
from guessbook.book.games.game import Game
from guessbook.book.games.registry import KINDS, UNKNOWN, game_from_header
from guessbook.book.games.weights import secret_weights, total_weight, weights_by_guess
from guessbook.book.tree import Columns, Tree, from_planes, to_planes, total_of

# The major version, and the newest minor one.
VERSION = (1, 3)
TIES = "a candidate, then the lowest index"
# The name of the policy in the header if the tree comes from elsewhere.
IMPORTED = "imported"
# Additional bytes of padding, as the rest may be compressed a little better beside it.
SPARE = 1 << 10
# The options that limit the guesses of a one-step policy: flags.
LIMITS = ("consistent_only", "hard_mode")
# The most guesses within which a book may find the most secrets.
MAX_WITHIN = 39
# The most characters of a policy's name, or of an option's name or value.
MAX_TEXT = 200


def encode(game: Game, policy: dict[str, Any], tree: Tree) -> bytes:
    """Return the bytes of a book file, which depend on the game, policy and tree alone."""
    surplus = array("I", map(operator.sub, tree.candidates, tree.children))
    columns: dict[str, Sequence[int]] = {
        "guess": tree.guess,
        "feedback": tree.feedback,
        "children": tree.children,
        # This is nearly always 0 or 1, unlike the number of candidates itself.
        "surplus": surplus,
    }
    minor = minor_version(game, policy)
    document = {
        "guessbook": [VERSION[0], minor],
        "game": game.header(),
        "policy": policy,
        # Guessbook's policies all break ties like this.
        **({} if policy["name"] == IMPORTED else {"ties": TIES}),
        "secrets": len(game.secrets),
        "nodes": len(tree),
        "total_guesses": total_of(tree.distribution),
        "distribution": list(tree.distribution),
        **weight_entries(game, tree),
        "tree": {name: to_planes(values) for name, values in columns.items()},
    }
    content = msgpack.packb(document)
    # Free memory: the compressor takes as much as all of this.
    del document, columns, surplus
    levels = QUICK_LEVELS if minor > 1 and len(content) > MIN_ALLOWANCE else LEVELS
    frame = compress(content, levels)
    if short := padding_needed(len(frame), len(content)):
        document = {**msgpack.unpackb(content), "ballast": padding(short + SPARE)}
        frame = compress(msgpack.packb(document), levels)
    return frame


def minor_version(game: Game, policy: dict[str, Any]) -> int:
    """Return the lowest minor version of the format that has everything in a book.

    Version 1.1 introduced `optimal`, an endgame, and a proven bound, 1.2 weights of secrets, 1.3
    names of symbols, `win` and its bound; each kind of game states its own version.
    """
    newer = policy["name"] == "optimal" or not {"endgame", "proven"}.isdisjoint(policy)
    return max(
        int(newer),
        2 * (secret_weights(game) is not None),
        3 * bool(getattr(game, "names", ())),
        3 * (policy["name"] == "win" or "found_at_most" in policy),
        KINDS.get(game.kind, UNKNOWN).since,
    )


def weight_entries(game: Game, tree: Tree) -> dict[str, list[int]]:
    """Return the header entries of weights, apart from the entry of the game."""
    if secret_weights(game) is None:
        return {}
    return {"weight_distribution": list(tree.weight_distribution)}


def padding(size: int) -> bytes:
    """Return padding of this size that cannot be compressed; equal sizes give equal bytes."""
    from hashlib import shake_256  # Late: readers do not need it.

    return shake_256(b"ballast").digest(size)


def decode(blob: bytes) -> tuple[dict[str, Any], Game, Tree]:
    """Return the header, the game and the tree of a book file.

    Raises InvalidBookError, and nothing else, for any wrong bytes. Time and memory stay within a
    small multiple of the size of the file.
    """
    header = unpack(decompress(blob))
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
    if header["policy"].get("hard_mode") is True and not game.has_hard_mode:
        raise InvalidBookError(f"the policy does not fit the game: {game.hard_mode_refusal}")
    tree = _tree(header, game)
    right = {
        "secrets": tree.candidates[0],
        "distribution": list(tree.distribution),
        "total_guesses": total_of(tree.distribution),
        **weight_entries(game, tree),
    }
    if any(not _is_same(header.get(key), value) for key, value in right.items()):
        raise InvalidBookError("the header's statistics are not those of the tree")
    if (tree.candidates[0], tree.weights[0]) != (len(game.secrets), total_weight(game)):
        raise InvalidBookError("the tree's secrets are not those of the game")
    _check_promises(header["policy"], game, tree)
    del header["tree"]
    return header, game, tree


def _is_version(found: object) -> TypeGuard[list[int]]:
    """Return whether a value is a version of the format: two integers that are not negative."""
    return (
        isinstance(found, list)
        and len(found) == 2
        and all(type(number) is int and number >= 0 for number in found)
    )


def _is_same(found: object, right: object) -> bool:
    """Return whether two values are equal, also in type: to Python 1 == 1.0 == True."""
    return found == right and repr(found) == repr(right)


def _check_policy(policy: object) -> None:
    """Raise InvalidBookError unless a policy's texts are plain: they are printed as they are."""
    if not isinstance(policy, dict) or not isinstance(policy.get("name"), str):
        raise InvalidBookError("the header names no policy")
    for value in (*policy, *policy.values()):
        text = str(value) if isinstance(value, (str, int)) else "\n"
        if not text.isprintable() or len(text) > MAX_TEXT:
            raise InvalidBookError(
                "found an invalid policy option, expected numbers and printable texts of at most "
                f"{MAX_TEXT} characters"
            )


def _check_promises(policy: dict[str, Any], game: Game, tree: Tree) -> None:
    """Raise InvalidBookError for options that the tree contradicts, whatever the policy."""
    bound = policy.get("proven", 0)
    total = total_of(tree.weight_distribution)
    if type(bound) is not int or not 0 <= bound <= total:
        raise InvalidBookError(
            f"found a proven bound of {quote(bound)} in the header, expected a whole number of at "
            f"most {total:,}, the total of the tree"
        )
    if policy["name"] == "win" or "found_at_most" in policy:
        _check_found(policy, tree)
    most, worst = policy.get("max_guesses", len(tree.distribution)), len(tree.distribution)
    if type(most) is not int or most < worst:
        raise InvalidBookError(
            f"found max_guesses {quote(most)} in the header, expected a whole number of at least "
            f"{worst}, the worst case of the tree"
        )
    opening = game.guesses[tree.guess[0]]
    first = policy.get("first_guess")
    if "first_guess" in policy and not _is_code(game, first, tree.guess[0]):
        raise InvalidBookError(
            f"found first_guess {quote(first)} in the header, expected {quote(opening)}, with "
            "which the tree opens"
        )
    for limit in LIMITS:
        if type(value := policy.get(limit, False)) is not bool:
            raise InvalidBookError(
                f"found {limit} {quote(value)} in the header, expected true or false"
            )


def _check_found(policy: dict[str, Any], tree: Tree) -> None:
    """Raise InvalidBookError for a bound on secrets found that the tree contradicts."""
    within = policy.get("within")
    if type(within) is not int or not 1 <= within <= MAX_WITHIN:
        raise InvalidBookError(
            f"found within {quote(within)} in the header, expected a whole number, 1 to "
            f"{MAX_WITHIN}"
        )
    found, total = tree.found(0, within), tree.weights[0]
    bound = policy.get("found_at_most", total)
    if type(bound) is not int or not found <= bound <= total:
        raise InvalidBookError(
            f"found found_at_most {quote(bound)} in the header, expected a whole number from "
            f"{found:,}, which the tree finds within {counted(within)}, to {total:,}"
        )


def _is_code(game: Game, text: object, index: int) -> bool:
    """Return whether a text is the guess of that index, as people may write it."""
    try:
        return isinstance(text, str) and game.parse_code(text) == index
    except InvalidCodeError:
        return False


def _tree(header: dict[str, Any], game: Game) -> Tree:
    nodes, columns = header.get("nodes"), header.get("tree")
    if type(nodes) is not int or nodes < 1 or not isinstance(columns, dict):
        raise InvalidBookError("the header lacks its nodes or its tree")
    secrets = len(game.secrets)
    # Each secret is solved at a node of its own. Any other node has at least two children, since a
    # guess without information is useless; only one such guess, at the start, is allowed.
    if not secrets <= nodes <= 2 * secrets:
        raise InvalidBookError(
            f"found {nodes:,} nodes, expected {secrets:,} to {2 * secrets:,} for as many secrets"
        )
    values = []
    for name in ("guess", "feedback", "children", "surplus"):
        data = columns.get(name)
        if not isinstance(data, bytes):
            raise InvalidBookError(f"the tree lacks the column {name!r}")
        values.append(from_planes(data, nodes))
    guess, feedback, children, surplus = values
    candidates = array("Q", map(operator.add, surplus, children))
    if not all(map(game.gives, set(feedback[1:]))):
        raise InvalidBookError("the tree holds a feedback that the game never gives")
    made = Columns(guess, feedback, children, candidates)
    return Tree(made, len(game.guesses), game.feedbacks, weights_by_guess(game))

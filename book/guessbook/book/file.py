"""The book file (docs/reference/FORMAT.md): one zstd frame that contains one msgpack map.

A file is untrusted: the sizes that it claims are checked before memory is allocated.
"""

from array import array
from collections.abc import Sequence
from contextlib import suppress
from operator import add, sub
from typing import Any

import msgpack
import zstandard

from guessbook.book.errors import InvalidBookError, InvalidCodeError, quantity, quote
from guessbook.book.games.game import Game
from guessbook.book.games.registry import game_from_header
from guessbook.book.games.weights import total_weight, weights_by_guess
from guessbook.book.tree import (
    Columns,
    Tree,
    from_planes,
    outcome_tree,
    to_planes,
    total_of,
)

# Limits for decompression, since a hostile file of a few kilobytes could claim to contain
# gigabytes. Real books decompress to about three times their size.
MAX_RATIO = 16
MIN_ALLOWANCE = 1 << 20
MAX_WINDOW = 1 << 23
# The zstd levels to try in order. `decompress` rejects a frame that is much smaller than its
# content. Level 19 makes such a frame of a game with all words of four letters; level 1 makes a
# larger frame.
LEVELS = (19, 1)
# Faster zstd levels for content of more than 1 MiB, since content may have up to 1 GiB.
QUICK_LEVELS = (6, 1)


def compress(content: bytes, levels: Sequence[int] = LEVELS) -> bytes:
    """Compress content into one zstd frame.

    The levels are tried in order until the frame needs no padding (see `padding_needed`); if all
    fail, the frame of the last level is returned. Raises MemoryError if there is too little memory.
    """
    for level in levels:
        parameters = zstandard.ZstdCompressionParameters.from_level(
            level,
            source_size=len(content),
            window_log=min(23, max(10, len(content).bit_length())),
            write_checksum=1,
            write_content_size=1,
        )
        try:
            frame = zstandard.ZstdCompressor(compression_params=parameters).compress(content)
        except zstandard.ZstdError as error:  # the only cause is a lack of memory
            raise MemoryError(f"out of memory while compressing a book: {error}") from error
        if not padding_needed(len(frame), len(content)):
            break
    return frame


def padding_needed(size: int, content: int) -> int:
    """Return how many bytes of padding a file needs before `max_content` allows its content.

    `size` and `content` are the numbers of bytes of the file and of its content, without padding.
    """
    # Each byte of padding adds 1 to the content and MAX_RATIO to its limit, so the excess falls by
    # MAX_RATIO - 1.
    return max(0, -(-(content - max_content(size)) // (MAX_RATIO - 1)))


def max_content(size: int) -> int:
    """Return the largest number of bytes that a file of `size` bytes may claim to contain."""
    return MIN_ALLOWANCE + MAX_RATIO * size


def decompress(blob: bytes) -> bytes:
    """Return the content of a zstd frame from `compress`.

    Raises InvalidBookError for an invalid frame.
    """
    if not blob:
        raise InvalidBookError("not a book: the file is empty")
    try:
        frame = zstandard.get_frame_parameters(blob)
    except zstandard.ZstdError as error:
        raise InvalidBookError(f"not a book: no zstd frame ({error})") from None
    if frame.content_size == zstandard.CONTENTSIZE_UNKNOWN or not frame.has_checksum:
        raise InvalidBookError("not a book: the zstd frame lacks its content size or checksum")
    if frame.dict_id:
        raise InvalidBookError("not a book: the zstd frame needs a dictionary")
    if frame.window_size > MAX_WINDOW:
        raise InvalidBookError(
            f"not a book: the zstd frame has a window of {frame.window_size:,} bytes, "
            f"limit {MAX_WINDOW:,}"
        )
    if frame.content_size > max_content(len(blob)):
        raise InvalidBookError(
            f"a file of {len(blob):,} bytes claims {frame.content_size:,} bytes of content, limit "
            f"{max_content(len(blob)):,}"
        )
    try:
        decompressor = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW)
        return decompressor.decompress(blob, allow_extra_data=False)
    except (zstandard.ZstdError, MemoryError) as error:
        raise InvalidBookError(f"the book is damaged or truncated ({error})") from None


# Limits that are checked before msgpack creates objects: an empty array takes one byte of the file,
# but a hundred bytes of memory.
MAX_VALUES = 1 << 17
MAX_DEPTH = 32
MAX_ENTRIES = 64

# Map from the first byte of a number, nil or Boolean to the number of bytes that follow.
_NUMBERS = {
    **{0xC0: 0, 0xC2: 0, 0xC3: 0, 0xCA: 4, 0xCB: 8},
    **{0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8},
}
# Map from the first byte of a byte string, text, array or map to two numbers: the bytes of the
# length field, and the values per entry (0 in byte strings and texts, 1 in arrays, 2 in maps).
_LENGTHS = {
    **{0xC4: (1, 0), 0xC5: (2, 0), 0xC6: (4, 0), 0xD9: (1, 0), 0xDA: (2, 0), 0xDB: (4, 0)},
    **{0xDC: (2, 1), 0xDD: (4, 1), 0xDE: (2, 2), 0xDF: (4, 2)},
}


def unpack(content: bytes) -> dict[str, Any]:
    """Return the header of a book from the decompressed content of its file.

    Raises InvalidBookError if the content is not a msgpack map within the limits of FORMAT.md.
    """
    _measure(content)
    try:
        header = msgpack.unpackb(content, max_map_len=MAX_ENTRIES, object_pairs_hook=_map)
    except InvalidBookError:
        raise
    except Exception as error:  # msgpack raises about six unrelated types of exception
        raise InvalidBookError(
            f"the book is damaged: {error}; build or download it again"
        ) from None
    if not isinstance(header, dict):
        raise InvalidBookError(f"not a book: its content is a {type(header).__name__}, not a map")
    return header


def _map(pairs: list[tuple[object, object]]) -> dict[object, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        # A map with a repeated key is ambiguous: some readers use the first value, others the last.
        keys = [key for key, _ in pairs]
        twice = next(key for key in found if keys.count(key) > 1)
        raise InvalidBookError(f"not a book: a map has the key {quote(twice)} twice")
    if not all(type(key) is str for key in found):
        wrong = next(key for key in found if type(key) is not str)
        raise InvalidBookError(
            f"not a book: a map has the key {quote(wrong)}, which is not a string"
        )
    return found


def _measure(content: bytes) -> None:
    """Raise InvalidBookError if the content has too many values or nested levels, or ends too early."""
    values, offset = 1, 0
    left = [1]  # the number of unread values in each open map or array
    while left:
        if not left[-1]:
            left.pop()
            continue
        left[-1] -= 1
        if offset >= len(content):
            raise InvalidBookError(
                f"the book is damaged: its content ends too early, after {offset:,} bytes"
            )
        entries, offset = _skip(content, offset)
        if entries:
            values += entries
            left.append(entries)
            if values > MAX_VALUES or len(left) > MAX_DEPTH:
                limits = f"{MAX_VALUES:,} values or {MAX_DEPTH - 1} nested levels"
                raise InvalidBookError(f"not a book: its header has more than {limits}")


def _skip(content: bytes, offset: int) -> tuple[int, int]:
    """Return the number of values inside the value at `offset`, and the offset of the first of them.

    If there are none, return 0 and the offset of the end of the value.
    """
    first = content[offset]
    offset += 1
    if first < 0x80 or first >= 0xE0:  # a small number, stored in this byte
        return 0, offset
    if first < 0x90:
        return 2 * (first & 15), offset
    if first < 0xA0:
        return first & 15, offset
    if first < 0xC0:
        return 0, offset + (first & 31)
    if first in _NUMBERS:
        return 0, offset + _NUMBERS[first]
    if first not in _LENGTHS:
        raise InvalidBookError(
            f"not a book: its header has the msgpack extension type 0x{first:02x}, which is not plain data"
        )
    width, each = _LENGTHS[first]
    end = offset + width
    size = int.from_bytes(content[offset:end])  # big-endian, the default of `from_bytes`
    return (each * size, end) if each else (0, end + size)


# The major version of the format, and the newest minor version.
VERSION = (1, 4)
TIES = "a candidate, then the lowest index"
# The name of the policy in the header of an imported book.
IMPORTED = "imported"
# Extra bytes of padding, because the rest of the content may compress to fewer bytes once padding
# is added. Without the extra bytes, the content could then exceed `max_content` of the file, and
# `decompress` would reject the book.
SPARE = 1 << 10
COLUMNS = ("guess", "feedback", "children", "surplus")
# Options, true or false, that limit the guesses of a policy.
LIMITS = ("consistent_only", "hard_mode")
# Upper bound for the option `within` of the policy `win`, in guesses.
MAX_WITHIN = 39
# Upper bound for this option in a table with the goal `identify`: a cost in the units of the table.
MAX_WITHIN_COST = (1 << 32) - 1
# Upper bound for the characters of a policy's name, and of an option's name or value.
MAX_TEXT = 200


def encode(game: Game, policy: dict[str, Any], tree: Tree) -> bytes:
    """Return the bytes of a book file. Equal games, policies and trees give equal bytes."""
    minor = minor_version(game, policy)
    # Most nodes have 0 or 1 more candidates than children, so this difference compresses best.
    surplus = array("I", map(sub, tree.candidates, tree.children))
    columns = (tree.guess, tree.feedback, tree.children, surplus)
    document = {
        "guessbook": [VERSION[0], minor],
        "game": game.header(),
        "policy": policy,
        # All policies of Guessbook break ties as the text `TIES` says; an imported tree may not.
        **({} if policy["name"] == IMPORTED else {"ties": TIES}),
        "secrets": len(game.secrets),
        "nodes": len(tree),
        "total_guesses": total_of(tree.distribution, tree.first_depth),
        "distribution": list(tree.distribution),
        **weight_entries(game, tree),
        "tree": dict(zip(COLUMNS, map(to_planes, columns), strict=True)),
    }
    content = msgpack.packb(document)
    # Free this memory, because the compressor needs about the same amount.
    del document, columns, surplus
    levels = QUICK_LEVELS if minor > 1 and len(content) > MIN_ALLOWANCE else LEVELS
    frame = compress(content, levels)
    if short := padding_needed(len(frame), len(content)):
        from hashlib import shake_256  # late import: readers do not need it

        ballast = shake_256(b"ballast").digest(short + SPARE)  # pseudo-random, so not compressible
        document = {**msgpack.unpackb(content), "ballast": ballast}
        frame = compress(msgpack.packb(document), levels)
    return frame


def minor_version(game: Game, policy: dict[str, Any]) -> int:
    """Return the lowest minor version of the format that supports all features of a book."""
    newer = policy["name"] == "optimal" or not {"endgame", "proven"}.isdisjoint(policy)
    return max(
        int(newer),
        2 * (game.weights is not None),
        3 * (policy["name"] == "win" or "found_at_most" in policy),
        game.since,
    )


def shown_cost(game: Game, cost: int) -> int | float:
    """Return a cost in the units of the game."""
    return cost if game.identification is None else game.identification.shown(cost)


def found_within(game: Game, tree: Tree, within: int) -> int:
    """Return the weight of the secrets that the tree finds within the cost `within`.

    `within` is in the units of the game; a guess costs 1, unless the game has costs.
    """
    if game.identification is None:
        return tree.found(0, within)
    return tree.known_within(0, game.identification.whole(within))


def weight_entries(game: Game, tree: Tree) -> dict[str, list[int]]:
    """Return a map with the header entry `weight_distribution`; empty without weights."""
    if game.weights is None:
        return {}
    return {"weight_distribution": list(tree.weight_distribution)}


def decode(blob: bytes) -> tuple[dict[str, Any], Game, Tree]:
    """Decode a book file into its header (without the entry `tree`), its game and its tree.

    Raises InvalidBookError, and no other error, for invalid bytes.
    """
    header = unpack(decompress(blob))
    version = header.get("guessbook")
    if not isinstance(version, list) or list(map(type, version)) != [int, int] or min(version) < 0:
        raise InvalidBookError(f"not a book: version {quote(version)} is not two whole numbers")
    if version[0] != VERSION[0]:
        raise InvalidBookError(
            f"the book has version {version[0]}, but this guessbook reads version {VERSION[0]}; install a newer one"
        )
    _check_policy(header.get("policy"))
    game = game_from_header(header.get("game"))
    if header["policy"].get("hard_mode") is True and not game.has_hard_mode:
        raise InvalidBookError(f"the policy does not fit the game: {game.hard_mode_refusal}")
    tree = _tree(header, game)
    right = {
        "secrets": tree.candidates[0],
        "distribution": list(tree.distribution),
        "total_guesses": total_of(tree.distribution, tree.first_depth),
        **weight_entries(game, tree),
    }
    claimed = {key: header.get(key) for key in right}
    # In Python, 1 == 1.0 == True. So the results of `repr` are compared, too: they differ if a
    # value has the wrong type.
    if claimed != right or repr(claimed) != repr(right):
        key = next(key for key in right if repr(claimed[key]) != repr(right[key]))
        raise _wrong(key, claimed[key], f"{quote(right[key])}, as in the tree")
    if (tree.candidates[0], tree.weights[0]) != (len(game.secrets), total_weight(game)):
        raise InvalidBookError(
            f"the tree has {quantity(tree.candidates[0], 'secret')} of weight {tree.weights[0]:,}, but "
            f"the game has {len(game.secrets):,} of weight {total_weight(game):,}"
        )
    _check_promises(header["policy"], game, tree)
    del header["tree"]
    return header, game, tree


def _check_policy(policy: object) -> None:
    """Raise InvalidBookError unless the policy is a map with a name and only plain entries.

    Plain entries are integers, truth values, and short printable strings.
    """
    if not isinstance(policy, dict) or not isinstance(policy.get("name"), str):
        raise InvalidBookError(f"policy {quote(policy)} in the header is not a map with a name")
    for value in (*policy, *policy.values()):
        text = str(value) if isinstance(value, (str, int)) else "\n"
        if not text.isprintable() or len(text) > MAX_TEXT:
            raise InvalidBookError(
                f"{quote(value)} in the header's policy is not a whole number, true, false, or a "
                f"printable string of at most {MAX_TEXT} characters"
            )


def _check_promises(policy: dict[str, Any], game: Game, tree: Tree) -> None:
    """Raise InvalidBookError if the tree contradicts an option or claim in the header's policy."""
    if "proven" in policy:
        _check_whole(policy, "proven", 0, tree.total_cost(), ", the total of the tree")
    if policy["name"] == "win" or "found_at_most" in policy:
        most = MAX_WITHIN if game.identification is None else MAX_WITHIN_COST
        _check_whole(policy, "within", 1, most)
    if "found_at_most" in policy:
        found = found_within(game, tree, policy["within"])
        within = quantity(policy["within"])
        if game.identification is not None:
            within = f"cost {policy['within']:,}"
        why = f"; the tree finds {found:,} within {within}"
        _check_whole(policy, "found_at_most", found, tree.weights[0], why)
    if "max_guesses" in policy:
        worst, why = len(tree.distribution), ", the worst case of the tree"
        if policy["name"] == "win" and worst <= policy["within"]:
            worst, why = policy["within"] + 1, ", one more than the option within"
        _check_whole(policy, "max_guesses", worst, None, why)
    if "first_guess" in policy:
        first, index = policy["first_guess"], -1
        with suppress(InvalidCodeError):
            index = game.parse_code(first) if isinstance(first, str) else -1
        if index != tree.guess[0]:
            opening = game.guesses[tree.guess[0]]
            raise _wrong("first_guess", first, f"{quote(opening)}, the first guess of the tree")
    for limit in LIMITS:
        if type(value := policy.get(limit, False)) is not bool:
            raise _wrong(limit, value, "true or false")


def _check_whole(
    policy: dict[str, Any], option: str, least: int, most: int | None, why: str = ""
) -> None:
    """Raise InvalidBookError if an option is not a whole number from `least` to `most`.

    `why` ends the message.
    """
    value = policy.get(option)
    if type(value) is not int or value < least or (most is not None and value > most):
        bounds = f"at least {least:,}" if most is None else f"{least:,} to {most:,}"
        raise _wrong(option, value, f"a whole number, {bounds}{why}")


def _wrong(option: str, value: object, expected: str) -> InvalidBookError:
    return InvalidBookError(f"{option} {quote(value)} in the header is not {expected}")


def _tree(header: dict[str, Any], game: Game) -> Tree:
    nodes, columns = header.get("nodes"), header.get("tree")
    if type(nodes) is not int or nodes < 1 or not isinstance(columns, dict):
        raise InvalidBookError(
            f"nodes {quote(nodes)} and tree {quote(columns)} in the header are not a number, 1 or "
            "more, and a map of columns"
        )
    secrets = len(game.secrets)
    # Each secret is solved at its own node, and every other node has at least two children. The
    # format allows one exception: a first guess that gets the same feedback from all secrets. In a
    # table of outcomes, several things may share a leaf.
    least = secrets if game.identification is None else 1
    if not least <= nodes <= 2 * secrets:
        raise InvalidBookError(
            f"the tree has {nodes:,} nodes for {secrets:,} secrets, limits {least:,} and {2 * secrets:,}"
        )
    for name in COLUMNS:
        if not isinstance(columns.get(name), bytes):
            raise InvalidBookError(
                f"column {name!r} of the tree is {quote(columns.get(name))}, not bytes"
            )
    guess, feedback, children, surplus = [from_planes(columns[name], nodes) for name in COLUMNS]
    candidates = array("Q", map(add, surplus, children))
    if not all(map(game.is_possible, set(feedback[1:]))):
        wrong = next(number for number in feedback[1:] if not game.is_possible(number))
        raise InvalidBookError(f"the tree has feedback number {wrong}, which the game never gives")
    made = Columns(guess, feedback, children, candidates)
    if game.identification is not None:
        return outcome_tree(game, made)
    return Tree(made, len(game.guesses), game.feedbacks, weights_by_guess(game))

"""Whole files with lies in their content: the reader refuses them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import InvalidBookError, Mastermind
from guessbook.book.file.compression import compress
from guessbook.book.file.container import encode
from guessbook.book.file.content import MAX_DEPTH, MAX_VALUES
from guessbook.book.tree import Columns, Tree
from guessbook.lookup import Book, open_book
from tests.helpers.content import Document, Pairs, Raw, columns, document, pack, packed

if TYPE_CHECKING:
    from collections.abc import Callable

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
    "bound above the total": lambda d: {
        **d,
        "policy": {**d["policy"], "proven": d["total_guesses"] + 1},
    },
    "bound of text": lambda d: {**d, "policy": {**d["policy"], "proven": "1"}},
    "bound true": lambda d: {**d, "policy": {**d["policy"], "proven": True}},
    "bound below nothing": lambda d: {**d, "policy": {**d["policy"], "proven": -1}},
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
    "hard mode of codes": lambda d: {**d, "policy": {**d["policy"], "hard_mode": True}},
    "long option": lambda d: {**d, "policy": {"name": "entropy", "a" * 201: 1}},
}


# Options that the tree contradicts, or that are no such option, and what is said of each.
PROMISES: dict[str, tuple[dict[str, Any], str]] = {
    "a limit below the worst case": ({"max_guesses": 3}, "found max_guesses 3 in the header"),
    "a limit of text": ({"max_guesses": "9 (verified by Knuth)"}, "at least 4"),
    "a limit true": ({"max_guesses": True}, "expected a whole number, at least 4"),
    "another first guess": ({"first_guess": "RRR"}, "expected 'RYG', the first guess of the tree"),
    "a first guess that is no code": ({"first_guess": "RYG, as Knuth"}, "expected 'RYG'"),
    "a first guess of a number": ({"first_guess": 1}, "found first_guess 1 in the header"),
    "a flag of text": ({"hard_mode": "verified"}, "expected true or false"),
    "a flag of a number": ({"consistent_only": 1}, "found consistent_only 1 in the header"),
    "a bound of nothing": (
        {"found_at_most": 9},
        "found within None in the header, expected a whole",
    ),
    "within a text": ({"found_at_most": 9, "within": "3"}, "found within '3' in the header"),
    "within nothing": ({"found_at_most": 9, "within": 0}, "expected a whole number, 1 to 39"),
    "within too many": ({"found_at_most": 9, "within": 40}, "found within 40 in the header"),
    "less than is found": (
        {"found_at_most": 63, "within": 4},
        "found found_at_most 63 in the header, expected a whole number, 64 to 64; the tree finds 64 within 4 guesses",
    ),
    "more than there is": ({"found_at_most": 65, "within": 4}, "found found_at_most 65"),
    "a bound that is true": ({"found_at_most": True, "within": 4}, "found found_at_most True"),
    "a bound above the total": ({"proven": 10**6}, "found proven 1000000 in the header"),
}


@pytest.mark.parametrize("name", ["minimax", "optimal", "of a later version"])
@pytest.mark.parametrize("promise", PROMISES)
def test_what_the_tree_contradicts_is_refused(small_book: Book, promise: str, name: str) -> None:
    """A limit, a first guess or a flag that is not true of the tree, by whatever policy."""
    options, said = PROMISES[promise]
    lie = {**document(small_book), "policy": {"name": name, **options}}
    with pytest.raises(InvalidBookError) as error:
        open_book(pack(lie))
    assert said in str(error.value)
    assert str(error.value).isprintable()


def test_what_the_tree_keeps_is_read(small_book: Book) -> None:
    """Options that are true of the tree are kept, by whatever policy."""
    known = small_book.stats
    true = {"max_guesses": known.max_guesses, "first_guess": "ryg", "proven": known.total_guesses}
    true |= {"within": 1, "found_at_most": 1}
    policy = {"name": "of a later version", **true, "hard_mode": False, "mood": "good"}
    assert open_book(pack({**document(small_book), "policy": policy})).policy == policy


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
    assert visited == book.stats.nodes


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
            assert open_book(blob).stats.distribution == (0,) * useless + (1, 1)
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
            with pytest.raises(InvalidBookError, match=f"feedback number {feedback} in the tree"):
                open_book(blob)


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


@st.composite
def columns_of_a_tree(draw: st.DrawFn) -> Columns:
    """The columns of some tree, in which at most one number is then made another."""
    children = [draw(st.integers(0, 3))]
    while len(children) < 1 + sum(children):
        children.append(draw(st.integers(0, 2 if len(children) < 6 else 0)))
    nodes, first = len(children), [1]
    for count in children:
        first.append(first[-1] + count)
    sizes, feedback = [0] * nodes, [0] * nodes
    for node in reversed(range(nodes)):
        below = range(first[node], first[node + 1])
        solves = draw(st.integers(0, 1)) if below else 1
        sizes[node] = solves + sum(sizes[child] for child in below)
        for place, child in enumerate(below):
            feedback[child] = 2 * place + draw(st.integers(0, 1))
    changed = draw(st.sampled_from([None, feedback, children, sizes]))
    if changed is not None:
        changed[draw(st.integers(0, nodes - 1))] = draw(st.integers(0, 4))
    return Columns(bytes(nodes), bytes(feedback), bytes(children), sizes)


def is_tree(columns: Columns) -> bool:
    """Whether columns are those of a tree, node by node."""
    _, feedback, children, sizes = columns
    end = 1
    for node, count in enumerate(children):
        below = range(end, end + count)
        end += count
        if node >= below.start or end > len(children):
            return False
        told = [feedback[child] for child in below]
        solves = sizes[node] - sum(sizes[child] for child in below)
        if told != sorted(set(told)) or sizes[node] == 0 or solves not in (0, 1):
            return False
    return end == len(children)


@given(columns_of_a_tree())
def test_a_tree_is_one_by_its_definition(columns: Columns) -> None:
    """The columns that are refused are those which, node by node, are no tree."""
    try:
        tree = Tree(columns, 1, 100)
    except InvalidBookError:
        assert not is_tree(columns)
    else:
        assert is_tree(columns)
        assert sum(tree.distribution) == columns.candidates[0]

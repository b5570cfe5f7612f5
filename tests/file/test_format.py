"""docs/reference/FORMAT.md: a reader and a writer based on this page agree with Guessbook."""

from __future__ import annotations

import json
import pickle
import struct
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import guessbook as gb
from tests.file.samples import SAMPLES, all_samples, sample_book
from tests.helpers.content import (
    Raw,
    content_of,
    document,
    pack,
    packed,
    seal,
    words_header,
    write,
)
from tests.helpers.format_reader import COLUMNS, Reader
from tests.helpers.identifying import identifying_tables

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.content import Document


def assert_same(data: bytes) -> None:
    """Check that the independent reader and Guessbook read the same data from a file."""
    reader, book = Reader(data), gb.open(data)
    stats, weights = book.stats, reader.weights()
    assert reader.header["policy"] == book.policy
    assert (reader.nodes, len(reader.secrets)) == (stats.nodes, stats.secrets)
    assert reader.header["total_guesses"] == stats.total_guesses
    assert tuple(reader.header["distribution"]) == stats.distribution
    heavy = reader.header.get("weight_distribution", reader.header["distribution"])
    assert tuple(heavy) == stats.weight_distribution
    assert sum(weights.values()) == stats.weight
    for node in book.nodes:
        i = node.index
        below = range(reader.first[i], reader.first[i + 1])
        assert (reader.code(reader.guess[i]), reader.candidates[i]) == (node.guess, node.remaining)
        assert [child.index for child in node.children.values()] == list(below)
        numbers = [book.game.parse_feedback(feedback) for feedback in node.children]
        assert numbers == [reader.feedback[k] for k in below]


@pytest.mark.parametrize("name", SAMPLES)
def test_file_matches_the_documented_format(name: str) -> None:
    book, sample = sample_book(name), SAMPLES[name]
    data = book.to_bytes()
    assert_same(data)
    assert gb.open(data).game == sample.game
    reader = Reader(data)
    surplus = [a - b for a, b in zip(reader.candidates, reader.children, strict=True)]
    tree = dict(
        zip(COLUMNS, (reader.guess, reader.feedback, reader.children, surplus), strict=True)
    )
    written = write(sample.header, tree, book.policy, sample.minor)
    # The keys are in the order of FORMAT.md, and each value has its shortest form.
    assert msgpack.packb(written) == content_of(data)


@pytest.mark.parametrize("name", SAMPLES)
def test_independent_walk_finds_each_secret(name: str) -> None:
    reader = Reader(sample_book(name).to_bytes())
    counts = [0] * len(reader.header["distribution"])
    assert reader.secrets == list(SAMPLES[name].game.secrets)
    for secret in reader.secrets:
        node, guesses = 0, 1
        while (guess := reader.code(reader.guess[node])) != secret:
            child = reader.child(node, reader.answer(guess, secret))
            assert child is not None
            node, guesses = child, guesses + 1
        counts[guesses - 1] += 1
    assert counts == reader.header["distribution"]


@settings(max_examples=40)
@given(identifying_tables(), st.sampled_from(["entropy", "optimal", "win:within=2"]))
def test_independent_walk_ends_with_the_outcome_of_each_thing(
    game: gb.TableGame, policy: str
) -> None:
    book = gb.build(game, policy)
    reader = Reader(book.to_bytes())
    tests, things = len(reader.labels("tests")), len(reader.labels("things"))
    rows, outcomes, answers = reader.rows(), reader.labels("outcomes"), reader.labels("answers")
    costs, weights = reader.numbers("costs", tests), reader.numbers("weights", things)
    assert (reader.header["guessbook"], reader.header["secrets"]) == ([1, 4], things)
    assert things == len(game.secrets)
    reached, needed, total = [0] * reader.nodes, [0] * len(reader.header["distribution"]), 0
    for thing, outcome in enumerate(reader.numbers("outcome", things)):
        node, cost, history = 0, 0, []
        reached[node] += 1
        while (test := reader.guess[node]) < tests:
            history.append((reader.labels("tests")[test], answers[rows[test][thing]]))
            cost += costs[test]
            child = reader.child(node, rows[test][thing])
            assert child is not None
            node = child
            reached[node] += 1
        assert test - tests == outcome
        assert book.hint(history).outcome == outcomes[outcome]
        needed[len(history)] += 1
        total += weights[thing] * cost
    assert reached == reader.candidates
    assert needed == reader.header["distribution"]
    assert float(total * Fraction(reader.game.get("unit", 1))) == book.stats.total_cost


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if "5x8" in name else [])
        for name in gb.shipped_books()
    ],
)
def test_independent_reader_reads_shipped_books(name: str) -> None:
    assert_same(gb.open(name).to_bytes())


def test_equal_books_have_equal_bytes() -> None:
    for book in all_samples():
        data = book.to_bytes()
        assert gb.open(data).to_bytes() == data == book.to_bytes()
        assert pickle.loads(pickle.dumps(book)).to_bytes() == data


# Versions that are read, and the version that is written.


@pytest.fixture(scope="module")
def golden(root: Path) -> dict[str, Document]:
    """Files of version 1.0 as hex, and the guesses of their nodes; never change them."""
    text = (root / "tests" / "data" / "format-1.0.json").read_text("utf-8")
    files: dict[str, Document] = json.loads(text)
    return files


def guesses_in(content: object) -> list[str]:
    """Return the guesses that Guessbook reads from a document."""
    return [node.guess for node in gb.open(seal(packed(content))).nodes]


def test_files_of_version_1_0_are_read_and_written(golden: dict[str, Document]) -> None:
    games: list[gb.Game] = [gb.Mastermind(2, 2), gb.Mastermind(2, 3, repeats=False)]
    games.append(gb.WordGame(["light", "eight", "night"], ["thing", "eight", "light"]))
    assert [game.name for game in games] == list(golden)
    for game, known in zip(games, golden.values(), strict=True):
        book = gb.open(bytes.fromhex(known["file"]))
        assert book.game == game
        assert [node.guess for node in book.nodes] == known["guesses"]
        # The frame around the content may differ between versions of the zstd library.
        assert content_of(gb.build(game).to_bytes()).hex() == known["content"]


@pytest.mark.parametrize("minor", [0, 3, 7, 2**64 - 1])
def test_every_minor_version_is_read(golden: dict[str, Document], minor: int) -> None:
    for known in golden.values():
        content = msgpack.unpackb(bytes.fromhex(known["content"]))
        assert guesses_in({**content, "guessbook": [1, minor]}) == known["guesses"]


@pytest.mark.parametrize(
    "version",
    [
        *([2, 0], [7, 1], [0, 9], [0, 1], [1, -1], [1], [1, 0, 0], [], None),
        *([1.0, 0], [1, 2.0], [True, 0], [1, False], ["1", "0"], "1.0", "10", {"1": 0}),
    ],
)
def test_unknown_major_version_is_rejected(version: Any) -> None:
    content = document(sample_book("2x2"))
    with pytest.raises(gb.InvalidBookError, match="version"):
        gb.open(pack({**content, "guessbook": version}))


@pytest.mark.parametrize(
    ("policy", "minor"),
    [
        ({"name": "entropy", "width": 3}, 0),
        ({"name": "optimal"}, 1),
        ({"name": "entropy", "endgame": 5}, 1),
        ({"name": "imported", "proven": 5}, 1),
        ({"name": "win", "within": 3}, 3),
        ({"name": "rollout", "within": 3, "found_at_most": 70_316}, 3),
    ],
)
@pytest.mark.parametrize("name", ["3x4", "weighted words", "table", "names"])
def test_writer_uses_lowest_minor_version(policy: Document, minor: int, name: str) -> None:
    content = document(sample_book(name))
    if "found_at_most" in policy:
        policy = {**policy, "found_at_most": sample_book(name).stats.weight}
    written = document(gb.open(pack({**content, "policy": policy})))
    assert written["guessbook"] == [1, max(minor, SAMPLES[name].minor)]
    assert ("ties" in written) == (policy["name"] != "imported")
    assert written["policy"] == policy


# What later minor versions and other writers may do.

# A value of every type that a later minor version may use.
NEW: list[Any] = [None, True, -5, 2**64 - 1, 0.5, "new", b"\0\xff", [1, ["a"], {}], {"a": {"b": 1}}]


@pytest.mark.parametrize("place", ["", "game", "policy", "tree"])
@pytest.mark.parametrize("name", ["2x2", "weighted words", "table"])
def test_new_keys_are_ignored_at_every_level(place: str, name: str) -> None:
    book = sample_book(name)
    for value in NEW:
        content = document(book)
        (content[place] if place else content)["new"] = value
        # The options of a policy are shown, so they are integers and short texts.
        if place == "policy" and not isinstance(value, str | int):
            with pytest.raises(gb.InvalidBookError, match="policy"):
                gb.open(pack(content))
        else:
            assert guesses_in(content) == [node.guess for node in book.nodes]


def test_unknown_policy_is_read() -> None:
    policy = {"name": "clairvoyance", "strength": 9}
    book = gb.open(pack({**document(sample_book("2x2")), "policy": policy}))
    assert book.policy == policy
    assert (book.stats.policy, book.stats.options) == ("clairvoyance", {"strength": 9})
    assert book.hint().source == "book"


def test_unknown_type_of_game_is_rejected() -> None:
    content = document(sample_book("2x2"))
    games: list[object] = [{**content["game"], "type": "hangman"}, {}, None, [], {"type": []}]
    for game in games:
        with pytest.raises(gb.InvalidBookError, match="game"):
            gb.open(pack({**content, "game": game}))


def test_wider_columns_and_another_order_of_keys_are_read() -> None:
    for name in ("2x2", "17 colors", "weighted words"):
        book = sample_book(name)
        content = document(book)
        nodes = content["nodes"]
        for width in (1, 2, 3, 4):
            tree = {
                key: data + bytes(max(0, width * nodes - len(data)))
                for key, data in content["tree"].items()
            }
            wide = gb.open(pack({**content, "tree": tree}))
            assert wide.to_bytes() == book.to_bytes()
        turned = {
            key: dict(reversed(value.items())) if isinstance(value, dict) else value
            for key, value in reversed(content.items())
        }
        assert gb.open(pack(turned)).to_bytes() == book.to_bytes()


def long_forms(value: object) -> object:
    """Return a value in which everything has the longest form of msgpack."""
    if isinstance(value, dict):
        pairs = [(long_forms(key), long_forms(item)) for key, item in value.items()]
        inside = b"".join([packed(part) for pair in pairs for part in pair])
        return Raw(b"\xdf" + struct.pack(">I", len(pairs)) + inside)
    if isinstance(value, list):
        inside = b"".join([packed(long_forms(item)) for item in value])
        return Raw(b"\xdd" + struct.pack(">I", len(value)) + inside)
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return Raw(b"\xcf" + struct.pack(">Q", value))
    kind, data = (b"\xdb", value.encode()) if isinstance(value, str) else (b"\xc6", bytes(value))  # type: ignore[call-overload]
    return Raw(kind + struct.pack(">I", len(data)) + data)


@pytest.mark.parametrize("name", ["3x4", "weighted words", "table"])
def test_long_forms_of_values_are_read(name: str) -> None:
    book = sample_book(name)
    blob = seal(packed(long_forms(document(book))))
    assert gb.open(blob).to_bytes() == book.to_bytes()


@pytest.mark.parametrize(
    ("guess", "column"), [(255, b"\xff"), (256, b"\0\1"), (70_000, b"\x70\x11\x01")]
)
def test_column_has_as_many_planes_as_its_largest_value_has_bytes(
    guess: int, column: bytes
) -> None:
    letters = "abcdefghijklmnopq"
    words = [a + b + c + d for a in letters for b in letters for c in letters for d in letters]
    tree = {"guess": [guess], "feedback": [0], "children": [0], "surplus": [1]}
    content = write(words_header(words[: guess + 1], [words[guess]]), tree, minor=0)
    book = gb.open(pack(content))
    assert book.root.guess == words[guess]
    assert content["tree"]["guess"] == column
    assert document(book) == content

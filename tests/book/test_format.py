"""docs/reference/FORMAT.md: a reader written from it agrees with ours, and its example is real."""

from __future__ import annotations

import inspect
import json
from typing import TYPE_CHECKING, Any

import msgpack
import pytest

from guessbook.book import InvalidBookError, Mastermind, TableGame, WordGame
from guessbook.book.file.compression import decompress
from guessbook.builder import build_strategy
from guessbook.lookup import Book, open_book
from tests.helpers import format_reader
from tests.helpers.content import packed, seal
from tests.helpers.format_reader import Reader
from tests.helpers.plain import plain_book
from tests.helpers.tables import LAMP

if TYPE_CHECKING:
    from pathlib import Path


def assert_same(data: bytes) -> None:
    """The foreign reader and ours agree on the header and on every node of a file."""
    reader, book = Reader(data), open_book(data)
    known, game = book.stats, book.game
    assert reader.header["game"] == game.header()
    assert reader.header["policy"] == book.policy
    assert (reader.nodes, reader.header["secrets"]) == (known.nodes, known.secrets)
    assert reader.header["total_guesses"] == known.total_guesses
    assert tuple(reader.header["distribution"]) == known.distribution
    weighted = reader.header.get("weight_distribution", reader.header["distribution"])
    assert tuple(weighted) == known.weight_distribution
    weights = node_weights(reader)
    for node in book.nodes:
        i = node.index
        assert reader.code(reader.guess[i]) == node.guess
        assert reader.candidates[i] == node.remaining
        assert weights[i] == book.tree.weights[i]
        children = range(reader.first[i], reader.first[i + 1])
        assert {reader.feedback[k]: k for k in children} == {
            book.game.parse_feedback(f): child.index for f, child in node.children.items()
        }


def node_weights(reader: Reader) -> list[int]:
    """How much each node counts: its children, and its guess if that may be the secret."""
    secrets, data = reader.secrets(), reader.header["game"].get("weights", b"")
    weights = [int.from_bytes(data[4 * k : 4 * k + 4], "little") for k in range(len(data) // 4)]
    weights = weights or [1] * len(secrets)
    known = dict(zip(secrets, weights, strict=True))
    found = [0] * reader.nodes
    for i in reversed(range(reader.nodes)):
        below = slice(reader.first[i], reader.first[i + 1])
        found[i] = sum(found[below])
        if sum(reader.candidates[below]) < reader.candidates[i]:
            found[i] += known[reader.code(reader.guess[i])]
    return found


WORDS = ["geese", "speed", "elder", "erase", "sleep", "green", "crepe", "naïfs", "ёжики"]


@pytest.fixture(scope="module")
def word_books() -> dict[str, Book]:
    """Books of words with letters that repeat, by both rules; some words are no secrets."""
    games = [WordGame(WORDS[2:], WORDS, scoring) for scoring in ("standard", "loose")]
    games.append(WordGame(WORDS[2:], WORDS, weights=[1, 300, 2, 9, 70_000, 5, 5]))
    return {game.name: plain_book(game) for game in games}


@pytest.fixture(scope="module")
def table_books() -> list[Book]:
    """Books of tables: no guess names a secret, all do, with answers of one byte and of two."""
    distances = TableGame(range(260), range(260), lambda guess, secret: abs(guess - secret))
    return [open_book(build_strategy(game).to_bytes()) for game in (LAMP, distances)]


@pytest.fixture(scope="module")
def books(
    small_books: dict[str, Book], word_books: dict[str, Book], table_books: list[Book]
) -> list[Book]:
    """Small books of every kind."""
    return [*small_books.values(), *word_books.values(), *table_books]


def test_the_foreign_reader_agrees_on_small_books(books: list[Book]) -> None:
    """Every kind of small book reads the same by docs/reference/FORMAT.md and by Guessbook."""
    for book in books:
        assert_same(book.to_bytes())


def test_the_foreign_reader_agrees_on_every_shipped_book(root: Path) -> None:
    """Every book in data/ reads the same by docs/reference/FORMAT.md and by Guessbook."""
    paths = sorted((root / "data").glob("*.book"))
    assert paths
    for path in paths:
        assert_same(path.read_bytes())


def test_the_foreign_reader_walks(books: list[Book]) -> None:
    """By FORMAT.md alone every secret is found, in as many guesses as the header says."""
    for book in books:
        reader = Reader(book.to_bytes())
        counts = [0] * len(reader.header["distribution"])
        secrets = reader.secrets()
        assert secrets == list(book.game.secrets)
        for secret in secrets:
            node, guesses = 0, 1
            while (guess := reader.code(reader.guess[node])) != secret:
                child = reader.child(node, reader.answer(guess, secret))
                assert child is not None
                node, guesses = child, guesses + 1
            counts[guesses - 1] += 1
        assert counts == reader.header["distribution"]


def test_the_foreign_reader_is_foreign_and_short() -> None:
    """It has at most 90 lines and imports nothing of Guessbook."""
    source = inspect.getsource(format_reader)
    assert len(source.splitlines()) <= 90
    assert "import guessbook" not in source
    assert "from guessbook" not in source


def test_indices_in_the_page_are_right() -> None:
    """The two codes whose indices docs/reference/FORMAT.md computes by hand have them."""
    assert Mastermind(4, 6).parse_code("RYGB") == 51
    assert Mastermind(4, 10, repeats=False).parse_code("0213") == 56


# What version 1 promises.


@pytest.fixture(scope="module")
def golden(root: Path) -> dict[str, dict[str, Any]]:
    """Files that version 1.0 wrote, as hex, and the guesses of their nodes: never to be changed."""
    text = (root / "tests" / "data" / "format-1.0.json").read_text("utf-8")
    files: dict[str, dict[str, Any]] = json.loads(text)
    return files


def test_the_files_of_version_1_0_are_read(golden: dict[str, dict[str, Any]]) -> None:
    """A file that was written by version 1.0 opens, with the game and the guesses it had."""
    for name, known in golden.items():
        book = open_book(bytes.fromhex(known["file"]))
        assert book.game.name == name
        assert [node.guess for node in book.nodes] == known["guesses"]


def test_the_writer_writes_the_bytes_of_version_1_0(golden: dict[str, dict[str, Any]]) -> None:
    """The content of three books is, byte for byte, what it was; else this is another version.

    The frame around it may differ from one version of the zstd library to the next.
    """
    words = WordGame(["light", "eight", "night"], ["thing", "eight", "light"])
    for game in (Mastermind(2, 2), Mastermind(2, 3, repeats=False), words):
        assert decompress(plain_book(game).to_bytes()).hex() == golden[game.name]["content"]


VERSIONS: dict[str, tuple[object, bool]] = {
    "this one": ([1, 0], True),
    "the next minor one": ([1, 1], True),
    "a later minor one": ([1, 7], True),
    "a minor one of 64 bits": ([1, 2**64 - 1], True),
    "the next major one": ([2, 0], False),
    "a later major one": ([7, 1], False),
    "an earlier one": ([0, 9], False),
    "a negative one": ([1, -1], False),
    "one with three numbers": ([1, 0, 0], False),
    "one of floats": ([1.0, 0], False),
    "a text": ("1.0", False),
}


@pytest.mark.parametrize("name", VERSIONS)
def test_unknown_minor_versions_are_read_and_major_ones_refused(
    golden: dict[str, dict[str, Any]], name: str
) -> None:
    """A reader of version 1 reads every [1, n] and nothing else; the message says what it found."""
    version, is_read = VERSIONS[name]
    for known in golden.values():
        document = msgpack.unpackb(bytes.fromhex(known["content"]))
        blob = seal(packed({**document, "guessbook": version}))
        if is_read:
            assert [node.guess for node in open_book(blob).nodes] == known["guesses"]
        else:
            with pytest.raises(InvalidBookError, match="version"):
                open_book(blob)


# A value of every type that a later minor version may use.
NEW: list[Any] = [None, True, -5, 2**64 - 1, 0.5, "new", b"\0\xff", [1, ["a"], {}], {"a": {"b": 1}}]


@pytest.mark.parametrize("place", ["", "game", "policy", "tree"])
def test_new_keys_are_ignored_at_every_level(golden: dict[str, dict[str, Any]], place: str) -> None:
    """Keys of a later minor version change nothing, wherever they stand and whatever they hold.

    Options of a policy are an exception: they are shown, so they are plain text and numbers.
    """
    for known in golden.values():
        for value in NEW:
            document = msgpack.unpackb(bytes.fromhex(known["content"]))
            document["guessbook"] = [1, 1]
            (document[place] if place else document)["new"] = value
            blob = seal(packed(document))
            if place == "policy" and not isinstance(value, str | int):
                with pytest.raises(InvalidBookError, match="in the header's policy"):
                    open_book(blob)
            else:
                book = open_book(blob)
                assert [node.guess for node in book.nodes] == known["guesses"]


def test_an_unknown_policy_is_read(golden: dict[str, dict[str, Any]]) -> None:
    """A policy of a later minor version is shown by its name, and its book is walked as usual."""
    for known in golden.values():
        document = msgpack.unpackb(bytes.fromhex(known["content"]))
        policy = {"name": "clairvoyance", "strength": 9}
        book = open_book(seal(packed({**document, "policy": policy})))
        assert book.policy == policy
        assert book.hint().source == "book"


def test_an_unknown_game_is_refused(golden: dict[str, dict[str, Any]]) -> None:
    """A type of game, or a rule of feedback, of a later minor version refuses that one book."""
    for known in golden.values():
        document = msgpack.unpackb(bytes.fromhex(known["content"]))
        with pytest.raises(InvalidBookError, match="newer guessbook"):
            open_book(seal(packed({**document, "game": {"type": "hangman"}})))
        if document["game"]["type"] == "words":
            game = {**document["game"], "scoring": "strict"}
            with pytest.raises(InvalidBookError, match="scoring"):
                open_book(seal(packed({**document, "game": game})))


def test_wider_columns_than_needed_are_read(golden: dict[str, dict[str, Any]]) -> None:
    """A reader does not rely on the smallest number of planes: zeros on top change nothing."""
    for known in golden.values():
        document = msgpack.unpackb(bytes.fromhex(known["content"]))
        for planes in (1, 2, 3):
            zeros = bytes(planes * document["nodes"])
            tree = {name: data + zeros for name, data in document["tree"].items()}
            book = open_book(seal(packed({**document, "tree": tree})))
            assert [node.guess for node in book.nodes] == known["guesses"]

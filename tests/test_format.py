"""docs/FORMAT.md: a reader written from it agrees with ours, and its example is real."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import pytest

from guessbook.book import Book, open_book
from tests import format_reader
from tests.format_reader import Reader

if TYPE_CHECKING:
    from pathlib import Path


def assert_same(data: bytes) -> None:
    """The foreign reader and ours agree on the header and on every node of a file."""
    reader, book = Reader(data), open_book(data)
    known, game = book.metadata, book.game
    assert reader.header["game"] == game.header()
    assert reader.header["policy"] == book.policy
    assert (reader.nodes, reader.header["secrets"]) == (known.nodes, known.secrets)
    assert reader.header["total_guesses"] == known.total_guesses
    assert tuple(reader.header["distribution"]) == known.distribution
    for node in book.nodes:
        i = node.index
        assert reader.code(reader.guess[i]) == node.guess
        assert reader.candidates[i] == node.candidates
        children = range(reader.first[i], reader.first[i + 1])
        assert {reader.feedback[k]: k for k in children} == {
            number: child.index for number, child in node.children.items()
        }


def test_the_foreign_reader_agrees_on_small_books(small_books: dict[str, Book]) -> None:
    """Every kind of small book reads the same by docs/FORMAT.md and by Guessbook."""
    for book in small_books.values():
        assert_same(book.to_bytes())


def test_the_foreign_reader_agrees_on_every_shipped_book(root: Path) -> None:
    """Every book in data/ reads the same by docs/FORMAT.md and by Guessbook."""
    paths = sorted((root / "data").glob("*.book"))
    if not paths:
        pytest.skip("data/ holds no books yet; CONTRIBUTING.md says how to make them")
    for path in paths:
        assert_same(path.read_bytes())


def test_the_foreign_reader_walks(small_books: dict[str, Book]) -> None:
    """By docs/FORMAT.md alone every secret is found, in as many guesses as the header says."""
    for book in small_books.values():
        reader = Reader(book.to_bytes())
        counts = [0] * len(reader.header["distribution"])
        for secret in book.game.secrets:
            node, guesses = 0, 1
            while (guess := reader.code(reader.guess[node])) != secret:
                black = sum(a == b for a, b in zip(guess, secret, strict=True))
                both = sum(min(guess.count(s), secret.count(s)) for s in set(guess))
                child = reader.child(node, black, both - black)
                assert child is not None
                node, guesses = child, guesses + 1
            counts[guesses - 1] += 1
        assert counts == reader.header["distribution"]


def test_the_foreign_reader_is_foreign_and_short() -> None:
    """It has at most 60 lines and imports nothing of Guessbook."""
    source = inspect.getsource(format_reader)
    assert len(source.splitlines()) <= 60
    assert "import guessbook" not in source
    assert "from guessbook" not in source


def test_indices_in_the_page_are_right() -> None:
    """The two codes whose indices docs/FORMAT.md computes by hand have them."""
    from guessbook.book import Mastermind

    assert Mastermind(4, 6).parse_code("RYGB") == 51
    assert Mastermind(4, 10, repeats=False).parse_code("0213") == 56

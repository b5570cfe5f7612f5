"""The header of a word game in its book: there and back, and whatever is wrong with it refused."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import InvalidBookError, WordGame, game_from_header
from guessbook.book.file.compression import compress, decompress
from guessbook.book.games import vocabulary
from guessbook.book.games.vocabulary import fingerprint, is_spelled
from guessbook.lookup import open_book
from tests.helpers.plain import plain_book

GAME = WordGame(["crane", "slate", "eerie", "geese", "speed", "abbey", "robot", "llama"])

letters = st.sampled_from("abcé")
words_of_three = st.lists(st.text(letters, min_size=3, max_size=3), min_size=1, unique=True)


@given(words_of_three, words_of_three, st.sampled_from(["standard", "loose"]))
def test_header_there_and_back(secrets: list[str], guesses: list[str], scoring: str) -> None:
    """A game goes through msgpack and pickle and comes back equal, lists, order and rule."""
    game = WordGame(secrets, guesses, scoring)
    header = msgpack.unpackb(msgpack.packb(game.header()))
    for again in (game_from_header(header), pickle.loads(pickle.dumps(game))):
        assert isinstance(again, WordGame)
        assert again == game
        assert hash(again) == hash(game)
        assert (again.guesses, again.secrets) == (game.guesses, game.secrets)


def test_fingerprints() -> None:
    """The header has the SHA-256 of each list as a file with a word a line (`sha256sum`)."""
    header = WordGame(["bb"], ["aa", "bb"]).header()
    # printf 'aa\nbb\n' | sha256sum, and printf 'bb\n' | sha256sum
    assert header["guesses_sha256"] == fingerprint(["aa", "bb"])
    assert header["guesses_sha256"].startswith("329d670e59ead154")
    assert header["secrets_sha256"].startswith("a81c31ac62620b92")


HEADER = GAME.header()
BROKEN: dict[str, dict[str, Any]] = {
    "no guesses": {"guesses": None},
    "empty": {"guesses": ""},
    "bytes for text": {"guesses": b"crane"},
    "capitals": {"guesses": HEADER["guesses"].replace("crane", "Crane")},
    "escape": {"guesses": HEADER["guesses"].replace("crane", "\x1b[31m")},
    "another length": {"guesses": HEADER["guesses"].replace("crane", "cranes")},
    "lengths that add up": {"guesses": HEADER["guesses"].replace("crane\nslate", "cranes\nlate")},
    "trailing newline": {"guesses": HEADER["guesses"] + "\n"},
    "leading newline": {"guesses": "\n" + HEADER["guesses"]},
    "decomposed": {"guesses": HEADER["guesses"].replace("crane", "cran\u0301")},
    "twice": {"guesses": HEADER["guesses"].replace("crane", "slate")},
    "not the length": {"length": 6},
    "length no number": {"length": True},
    "no secrets": {"secrets": bytes(1)},
    "secrets beyond": {"secrets": b"\xff\xff"},
    "secrets missing": {"secrets": b""},
    "secrets no bytes": {"secrets": [0, 1]},
    "unknown rule": {"scoring": "strict"},
    "no rule": {"scoring": None},
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_headers(name: str) -> None:
    """Whatever is wrong with a game in a file gives InvalidBookError and nothing else."""
    with pytest.raises(InvalidBookError):
        game_from_header({**HEADER, **BROKEN[name]})


def test_repeated_words_of_a_long_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list that is checked in parts is refused if a word is in it twice, wherever, else read."""
    monkeypatch.setattr(vocabulary, "PART", 3)
    words = ["".join(letters) for letters in itertools.product("abc", repeat=3)]
    header = WordGame(words).header()
    assert game_from_header(header).guesses == tuple(words)
    for k in range(1, len(words)):
        repeated = [*words[:k], words[0], *words[k + 1 :]]
        with pytest.raises(InvalidBookError, match="twice"):
            game_from_header({**header, "guesses": "\n".join(repeated)})


def test_bits_beyond_the_guesses() -> None:
    """A bit for a guess that does not exist is refused, also within the last byte."""
    header = WordGame(["aa", "bb"]).header()
    with pytest.raises(InvalidBookError):
        game_from_header({**header, "secrets": b"\x07"})


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "length": st.integers(-1, 13) | st.none(),
            "guesses": st.text("ab\n", max_size=12) | st.text(max_size=9) | st.binary(max_size=5),
            "secrets": st.binary(max_size=3) | st.none(),
            "scoring": st.sampled_from(["standard", "loose", "", 3]),
        },
    )
)
def test_any_header_is_a_game_or_refused(header: dict[str, Any]) -> None:
    """Every map is either refused with InvalidBookError or a game that can be written again."""
    try:
        game = game_from_header({"type": "words", **header})
    except InvalidBookError:
        return
    again = game.header()
    assert {key: again[key] for key in ("length", "guesses", "secrets", "scoring")} == header


def test_a_book_of_words_is_self_contained() -> None:
    """A book knows its words: it is opened from its bytes alone and plays every secret."""
    blob = plain_book(GAME, "entropy").to_bytes()
    book = open_book(blob)
    assert book.game == GAME
    assert book.to_bytes() == blob
    for secret in GAME.secrets:
        node, guesses = book.root, 0
        while node is not None:
            guesses += 1
            guess = node.guess
            node = node.child(GAME.feedback(guess, secret))  # type: ignore[assignment]
        assert guess == secret
        assert guesses <= book.stats.max_guesses


@given(st.data())
def test_damaged_books(data: st.DataObject) -> None:
    """A book of words with a changed byte inside its frame is refused or still a sound game."""
    content = bytearray(decompress(plain_book(GAME, "entropy").to_bytes()))
    content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    try:
        book = open_book(compress(bytes(content)))
    except InvalidBookError:
        return
    assert all(map(is_spelled, book.game.guesses))

"""Word games: the lists, the two rules of feedback, notation, and the header of the book."""

from __future__ import annotations

import itertools
import pickle
import unicodedata
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import (
    InvalidBookError,
    InvalidCodeError,
    InvalidFeedbackError,
    InvalidGameError,
    UsageError,
    WordGame,
    game_from_header,
    parse_history,
)
from guessbook.book.file.compression import compress, decompress
from guessbook.book.games import vocabulary
from guessbook.book.games.vocabulary import clean_words, fingerprint, spelled
from guessbook.lookup import open_book
from tests.helpers.plain import plain_book

WORDS = ["crane", "slate", "eerie", "geese", "speed", "abbey", "robot", "llama"]
GAME = WordGame(WORDS)
LOOSE = WordGame(WORDS, scoring="loose")

letters = st.sampled_from("abcé")
words_of_three = st.lists(st.text(letters, min_size=3, max_size=3), min_size=1, unique=True)


def pattern(game: WordGame, guess: str, secret: str) -> str:
    """A feedback as digits."""
    return game.format_feedback(game.feedback(guess, secret))


# Worked out by hand from the rules.
@pytest.mark.parametrize(
    ("guess", "secret", "standard", "loose"),
    [
        ("crane", "crane", "22222", "22222"),
        ("slate", "robot", "00010", "00010"),
        # Two of the three e are answered, from the left.
        ("eerie", "speed", "11000", "11001"),
        # One e is in place, so one is left, and the first of the other two gets it.
        ("geese", "speed", "01210", "01211"),
        ("speed", "geese", "10210", "10210"),
        ("abbey", "llama", "10000", "10000"),
        ("llama", "abbey", "00100", "00101"),
        ("robot", "llama", "00000", "00000"),
        # The only o is in place: for the other o of robot it is still elsewhere, by the loose rule.
        ("robot", "acton", "00021", "01021"),
    ],
)
def test_both_rules(guess: str, secret: str, standard: str, loose: str) -> None:
    """Standard: each letter of the secret answers once. Loose: as often as it is asked for."""
    words = [*WORDS, "acton"]
    assert pattern(WordGame(words), guess, secret) == standard
    assert pattern(WordGame(words, scoring="loose"), guess, secret) == loose


@given(words_of_three, st.data())
def test_the_standard_rule_counts_letters(words: list[str], data: st.DataObject) -> None:
    """In place where the letters agree; of every letter as many marks as both words have."""
    game = WordGame(words)
    guess, secret = (data.draw(st.sampled_from(game.guesses)) for _ in range(2))
    marks = pattern(game, guess, secret)
    assert [m == "2" for m in marks] == [a == b for a, b in zip(guess, secret, strict=True)]
    for letter in set(guess):
        marked = [m for a, m in zip(guess, marks, strict=True) if a == letter and m != "0"]
        assert len(marked) == min(guess.count(letter), secret.count(letter))
        # From left to right: no mark after one that is missing, but for letters in place.
        others = [m for a, m in zip(guess, marks, strict=True) if a == letter and m != "2"]
        assert others == sorted(others, reverse=True)


@given(words_of_three, st.data())
def test_the_loose_rule_looks_elsewhere(words: list[str], data: st.DataObject) -> None:
    """A letter out of place is present exactly if the secret has it at another position."""
    game = WordGame(words, scoring="loose")
    guess, secret = (data.draw(st.sampled_from(game.guesses)) for _ in range(2))
    for p, mark in enumerate(pattern(game, guess, secret)):
        elsewhere = any(guess[p] == secret[q] for q in range(3) if q != p)
        assert mark == ("2" if guess[p] == secret[p] else "1" if elsewhere else "0")


def test_the_number_is_base_three() -> None:
    """First letter most significant; all in place is the last number."""
    assert GAME.parse_feedback("10202") == 1 * 81 + 2 * 9 + 2
    assert (GAME.feedbacks, GAME.solved) == (243, 242)
    assert GAME.format_feedback(GAME.solved) == "22222"


@pytest.mark.parametrize(
    "written",
    [
        "10202",
        " 10202 ",
        "🟨⬛🟩⬛🟩",
        "🟨⬜🟩⬜🟩",
        "🟨⬛\ufe0f🟩⬛\ufe0f🟩",
        "🟦⬛🟧⬛🟧",
        "ybgbg",
        "YBGBG",
        (1, 0, 2, 0, 2),
        [1, 0, 2, 0, 2],
    ],
)
def test_every_notation(written: object) -> None:
    """Digits, squares with and without variation selectors, letters and sequences mean the same."""
    assert GAME.parse_feedback(written) == 101


@given(st.integers(0, 242))
def test_notation_there_and_back(number: int) -> None:
    """A feedback printed as digits or as squares is read back as the same number."""
    digits = LOOSE.format_feedback(number)
    assert LOOSE.parse_feedback(digits) == number
    assert LOOSE.parse_feedback(LOOSE.format_squares(number)) == number
    assert LOOSE.parse_feedback([int(digit) for digit in digits]) == number


@pytest.mark.parametrize(
    "wrong",
    ["", "1020", "102020", "1,0", "10203", "xxxxx", (1, 0, 2, 0, 3), (1, 0), 101, None, (1.0,) * 5],
)
def test_wrong_feedback(wrong: object) -> None:
    """Another notation or length is refused, and the message says what is expected."""
    with pytest.raises(InvalidFeedbackError, match="expected"):
        GAME.parse_feedback(wrong)


def test_feedback_that_cannot_be() -> None:
    """All in place but one, which is elsewhere: the standard rule never says so, the loose may."""
    with pytest.raises(InvalidFeedbackError, match="cannot be present elsewhere"):
        GAME.parse_feedback("22122")
    assert pattern(WordGame(["aab", "aaa"], scoring="loose"), "aaa", "aab") == "221"
    assert LOOSE.parse_feedback("22122") == 242 - 9


def test_words_as_people_type_them() -> None:
    """Case, blanks and sequences of letters do not matter."""
    assert {GAME.parse_code(c) for c in ["slate", "SLATE", " Slate ", list("slate")]} == {1}
    assert parse_history(GAME, "CRANE=00202 slate=⬛⬛🟨⬛🟩") == [(0, 20), (1, 11)]


@pytest.mark.parametrize("wrong", ["slates", "", "zzzzz", None, 5, ["sl", 3], "x" * 10_000])
def test_unknown_words(wrong: Any) -> None:
    """A word that is not in the list is refused in one short line."""
    with pytest.raises(InvalidCodeError) as error:
        GAME.parse_code(wrong)
    assert "expected" in str(error.value)
    assert len(str(error.value)) < 200


def test_lists_are_cleaned() -> None:
    """Blank lines, case, Unicode forms and repetitions are handled, and counted."""
    cleaned = clean_words(["Été", "", "  ", unicodedata.normalize("NFD", "été"), "abc", "abc "])
    assert cleaned == (("été", "abc"), 2, 2, 2)
    assert WordGame(["Été", "", "abc"]) == WordGame(["été", "abc"])


def test_secrets_are_guesses() -> None:
    """Secrets that are no guesses are added at the end; secrets stand in the order of guesses."""
    game = WordGame(["dd", "bb", "aa"], ["cc", "bb", "aa"])
    assert game.guesses == ("cc", "bb", "aa", "dd")
    assert game.secrets == ("bb", "aa", "dd")
    assert WordGame(["bb", "aa"]).guesses == ("bb", "aa")


def test_names() -> None:
    """The name says letters and secrets, and the rule if it is not the usual one."""
    assert GAME.name == "words-5x8"
    assert LOOSE.name == "words-5x8-loose"
    assert repr(WordGame(["aa"], ["bb"])) == "<WordGame words-2x1: 2 guesses>"


@pytest.mark.parametrize(
    "words",
    [
        [],
        [" "],
        ["abc", "abcd"],
        ["a" * 13],
        ["it's"],
        ["ab_"],
        ["a b"],
        ["a\x1b[31m"],
        ["a\u200bb"],
        ["\ud800a"],
        ["i\u0307stan", "abcde"],
        5,
        None,
        [5],
        [b"crane"],
        {"crane", "slate"},
        "crane",
    ],
)
def test_lists_that_make_no_game(words: Any) -> None:
    """No words, other lengths, what is no letter: refused, without control characters on screen."""
    with pytest.raises(InvalidGameError, match="expected") as error:
        WordGame(words)
    assert str(error.value).isprintable()


@pytest.mark.parametrize(
    ("secrets", "guesses"),
    [
        (["crane"], ["slates"]),
        (["a", "b", "c", "d"], ["crane", "slate"]),
        (["crane", "slate"], ["a", "b", "c", "d"]),
        (["ab", "cd", "ef"], ["a", "b"]),
    ],
)
def test_lists_of_other_lengths(secrets: list[str], guesses: list[str]) -> None:
    """Each list of one length but not both: refused, whatever their sizes are."""
    with pytest.raises(InvalidGameError, match="expected words of one length"):
        WordGame(secrets, guesses)


def test_unknown_scoring() -> None:
    """A rule that does not exist is refused."""
    with pytest.raises(UsageError, match="standard or loose"):
        WordGame(WORDS, scoring="strict")


@pytest.mark.parametrize("length", range(1, 13))
def test_every_length(length: int) -> None:
    """Words of 1 to 12 letters make a game that is told apart and goes through a header."""
    game = WordGame(["a" * length, "b" * length, "é" * length])
    assert game.feedback("a" * length, "b" * length) == 0
    assert game.feedback("é" * length, "é" * length) == game.solved == 3**length - 1
    assert game_from_header(game.header()) == game


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


def test_games_that_differ() -> None:
    """Another list, order or rule is another game."""
    games = [WordGame(["aa", "bb"]), WordGame(["bb", "aa"]), WordGame(["aa"], ["aa", "bb"])]
    games.append(WordGame(["aa", "bb"], scoring="loose"))
    assert len(set(games)) == 4
    assert games[0] != "words"


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
        assert guesses <= book.metadata.max_guesses


@given(st.data())
def test_damaged_books(data: st.DataObject) -> None:
    """A book of words with a changed byte inside its frame is refused or still a sound game."""
    content = bytearray(decompress(plain_book(GAME, "entropy").to_bytes()))
    content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    try:
        book = open_book(compress(bytes(content)))
    except InvalidBookError:
        return
    assert all(map(spelled, book.game.guesses))


@pytest.mark.parametrize("word", ["i\u0307stan", "किताब", "q́a", "น้ำ"])
def test_letters_that_need_a_mark_are_refused(word: str) -> None:
    """The limits that docs/words.md names: a letter is one code point, and nothing else is."""
    with pytest.raises(InvalidGameError, match="letters, digits or"):
        WordGame([word])


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("खमल", "खमल"),
        ("éa", "éa"),
        ("STRAẞE", "straße"),
        ("ΣΑΣ", "σας"),
        ("İstanbul", "istanbul"),
        ("I\u0307Z", "iz"),
        ("ılgın", "ılgın"),
        ("ЁЛКА", "ёлка"),
    ],
)
def test_letters_of_any_alphabet(given: str, kept: str) -> None:
    """A letter with an accent is one, however it is written; ß and ς stay; İ is a capital i."""
    game = WordGame([given])
    assert (game.guesses, game.length) == ((kept,), len(kept))
    assert game.parse_code(given) == 0


def test_another_kind_is_another_game() -> None:
    """A kind that is made from this one is not equal to it, whatever its words are."""

    class Backwards(WordGame):
        kind = "backwards"

    words = ["light", "eight"]
    assert WordGame(words) == WordGame(words)
    assert Backwards(words) != WordGame(words) != Backwards(words)
    assert len({Backwards(words), WordGame(words), Backwards(words)}) == 2

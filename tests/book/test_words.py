"""Word games: the lists, the two rules of feedback, and notation."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import (
    InvalidCodeError,
    InvalidFeedbackError,
    InvalidGameError,
    UsageError,
    WordGame,
    game_from_header,
    parse_history,
)
from guessbook.book.games.vocabulary import clean_words

WORDS = ["crane", "slate", "eerie", "geese", "speed", "abbey", "robot", "llama"]
GAME = WordGame(WORDS)
LOOSE = WordGame(WORDS, scoring="loose")

letters = st.sampled_from("abcé")
words_of_three = st.lists(st.text(letters, min_size=3, max_size=3), min_size=1, unique=True)


def pattern(game: WordGame, guess: str, secret: str) -> str:
    """A feedback as digits."""
    return str(game.feedback(guess, secret))


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
    assert game.feedback_number("a" * length, "b" * length) == 0
    assert game.feedback_number("é" * length, "é" * length) == game.solved == 3**length - 1
    assert game_from_header(game.header()) == game


def test_games_that_differ() -> None:
    """Another list, order or rule is another game."""
    games = [WordGame(["aa", "bb"]), WordGame(["bb", "aa"]), WordGame(["aa"], ["aa", "bb"])]
    games.append(WordGame(["aa", "bb"], scoring="loose"))
    assert len(set(games)) == 4
    assert games[0] != "words"


@pytest.mark.parametrize("word", ["i\u0307stan", "किताब", "q́a", "น้ำ"])
def test_letters_that_need_a_mark_are_refused(word: str) -> None:
    """The limits that words.md names: a letter is one code point, and nothing else is."""
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

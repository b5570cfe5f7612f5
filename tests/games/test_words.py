"""Word games: lists, both rules of feedback, notations, equality, and words that are not listed."""

from __future__ import annotations

import itertools
import pickle
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.games.headers import refuses_header

WORDS = ["crane", "slate", "eerie", "geese", "speed", "abbey", "robot", "llama"]
GAME = gb.WordGame(WORDS)
LOOSE = gb.WordGame(WORDS, scoring="loose")
SCORINGS = ("standard", "loose")

words_of_three = st.lists(st.text("abcé", min_size=3, max_size=3), min_size=1, max_size=9)
scorings = st.sampled_from(SCORINGS)


def standard_marks(guess: str, secret: str) -> str:
    """Mark a guess by crossing out letters of the secret."""
    left = [true if letter != true else "" for letter, true in zip(guess, secret, strict=True)]
    marks = ["2" if not true else "0" for true in left]
    for place, letter in enumerate(guess):
        if marks[place] != "2" and letter in left:
            left[left.index(letter)] = ""
            marks[place] = "1"
    return "".join(marks)


def loose_marks(guess: str, secret: str) -> str:
    """Mark each letter of a guess independently of the others."""
    pairs = zip(guess, secret, strict=True)
    return "".join(["2" if a == b else "1" if a in secret else "0" for a, b in pairs])


# Worked out by hand from the rules.
@pytest.mark.parametrize(
    ("guess", "secret", "standard", "loose"),
    [
        ("crane", "crane", "22222", "22222"),
        ("slate", "robot", "00010", "00010"),
        # Two of the three e get a mark, from the left.
        ("eerie", "speed", "11000", "11001"),
        # One e is in place, so one is left, and the first of the other two gets it.
        ("geese", "speed", "01210", "01211"),
        ("llama", "abbey", "00100", "00101"),
        # The only o is in place; by the loose rule, the other o of robot gets a mark, too.
        ("robot", "acton", "00021", "01021"),
    ],
)
def test_both_scoring_rules_give_the_known_feedback(
    guess: str, secret: str, standard: str, loose: str
) -> None:
    assert (GAME.feedback(guess, secret), LOOSE.feedback(guess, secret)) == (standard, loose)
    assert (standard_marks(guess, secret), loose_marks(guess, secret)) == (standard, loose)


@given(words_of_three)
def test_feedback_of_words_matches_the_definition(words: list[str]) -> None:
    standard, loose = gb.WordGame(words), gb.WordGame(words, scoring="loose")
    for guess, secret in itertools.product(standard.guesses, standard.secrets):
        assert standard.feedback(guess.upper(), secret) == standard_marks(guess, secret)
        assert loose.feedback(guess, list(secret)) == loose_marks(guess, secret)
        for game, marks in ((standard, standard_marks), (loose, loose_marks)):
            number = game.feedback_number(guess, secret)
            assert game.format_feedback(number) == marks(guess, secret)
            assert (number == game.solved) is (guess == secret)


@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_every_feedback_is_possible_but_all_in_place_except_one_misplaced(
    length: int, scoring: str
) -> None:
    game = gb.WordGame(["a" * length, "b" * length], scoring=scoring)
    assert (game.feedbacks, game.solved) == (3**length, 3**length - 1)
    for number, marks in enumerate(itertools.product("012", repeat=length)):
        # By the standard rule, the last letter can only be in its own place.
        never = scoring == "standard" and sorted(marks) == ["1", *"2" * (length - 1)]
        assert game.is_possible(number) is not never
        assert game.format_feedback(number) == "".join(marks)
        if never:
            with pytest.raises(gb.InvalidFeedbackError):
                game.parse_feedback("".join(marks))
        else:
            assert game.parse_feedback(list(map(int, marks))) == number
    assert not any(map(game.is_possible, [*range(-30, 0), *range(3**length, 3**length + 30)]))
    wrong: Any
    for wrong in (-1, 3**length, True, 1.0, "0"):
        with pytest.raises(gb.InvalidFeedbackError):
            game.format_feedback(wrong)


@given(st.text("012⬛⬜🟨🟩🟦🟧bwygBYG.-_xX ,\ufe0f", max_size=7), st.text("3é\n;", max_size=1))
def test_feedback_is_read_in_digits_squares_and_letters(text: str, odd: str) -> None:
    meaning = {
        **dict.fromkeys("0⬛⬜bw.-_x", 0),
        **dict.fromkeys("1🟨🟦y", 1),
        **dict.fromkeys("2🟩🟧g", 2),
    }
    marks = [meaning[sign] for sign in text.lower() if sign in meaning]
    whole = text[:3] + odd + text[3:]
    if len(marks) == 5 and not odd:
        digits = "".join(map(str, marks))
        number = int(digits, 3)
        forms = (whole, digits, marks, tuple(marks), LOOSE.format_squares(number))
        assert {LOOSE.parse_feedback(form) for form in forms} == {number}
        assert LOOSE.format_squares(number) == "".join(["⬛🟨🟩"[mark] for mark in marks])
    else:
        with pytest.raises(gb.InvalidFeedbackError):
            LOOSE.parse_feedback(whole)


@pytest.mark.parametrize("wrong", ["", (), (1, 0, 2, 0, 3), (1, 0), 101, None, ("1",) * 5, {}])
def test_invalid_feedback_of_words_is_rejected(wrong: object) -> None:
    with pytest.raises(gb.InvalidFeedbackError):
        GAME.parse_feedback(wrong)


@given(st.sampled_from(["slate", "éclat"]), st.sampled_from([" ", ",", ""]), st.booleans())
def test_word_is_read_in_any_case_and_with_separators(
    word: str, between: str, capitals: bool
) -> None:
    game = gb.WordGame(["slate", "éclat"])
    spelled = between.join(word.upper() if capitals else word)
    forms: list[Any] = [spelled, f"  {spelled} ", list(word), tuple(word.upper())]
    for form in [*forms, normalize("NFD", word)]:
        assert game.guesses[game.parse_code(form)] == word
    wrong: list[Any] = [spelled[2:], spelled + between + "s", word[:2] + ", " + word[2:]]
    for form in [*wrong, [*word[:4], 3], "zzzzz", "", None, 5, "x" * 10_000]:
        with pytest.raises(gb.InvalidCodeError):
            game.parse_code(form)


def test_secrets_are_in_the_order_of_guesses() -> None:
    game = gb.WordGame(["dd", "bb", "aa", "bb"], ["cc", "bb", "aa"])
    assert game.guesses == ("cc", "bb", "aa", "dd")
    assert game.secrets == ("bb", "aa", "dd")
    assert gb.WordGame(["bb", "aa"]).guesses == ("bb", "aa")


@pytest.mark.parametrize(
    ("word", "kept"),
    [
        ("खमल", "खमल"),
        ("e\u0301a ", "éa"),
        ("STRAẞE", "straße"),
        ("ΣΑΣ", "σας"),
        ("İstanbul", "istanbul"),
        ("I\u0307Z", "iz"),
        ("ılgın", "ılgın"),
        ("ЁЛКА", "ёлка"),
        (" 3*4=12", "3*4=12"),
        ("(2+1)^2/9-8", "(2+1)^2/9-8"),
        ("É" * 12, "é" * 12),
    ],
)
def test_words_of_any_alphabet_are_normalized(word: str, kept: str) -> None:
    game = gb.WordGame([word, "", " "])
    assert (game.guesses, game.length) == ((kept,), len(kept))
    assert game.parse_code(word) == 0
    assert gb.open(gb.build(game).to_bytes()).game == game


@pytest.mark.parametrize(
    "words",
    [
        *[[], [" "], ["abc", "abcd"], ["a" * 13], ["it's"], ["ab_"], ["a b"], ["a\x1b[31m"]],
        *[["a\u200bb"], ["\ud800a"], ["i\u0307stan"], ["किताब"], ["q́a"], ["น้ำ"], "crane"],
        *[5, None, [5], [b"crane"], {"crane", "slate"}, frozenset(["crane"]), b"crane"],
    ],
)
def test_invalid_lists_of_words_are_rejected(words: Any) -> None:
    with pytest.raises(gb.InvalidGameError) as error:
        gb.WordGame(words)
    assert str(error.value).isprintable()


@pytest.mark.parametrize(
    ("secrets", "guesses"),
    [
        (["crane"], ["slates"]),
        (["a", "b", "c", "d"], ["crane", "slate"]),
        (["crane", "slate"], ["a", "b", "c", "d"]),
        (["ab", "cd", "ef"], ["a", "b"]),
        (["ab"], ["a!"]),
        (["ab"], {"ab"}),
        (["ab"], "ab"),
    ],
)
def test_invalid_or_mismatched_lists_of_words_are_rejected(secrets: Any, guesses: Any) -> None:
    with pytest.raises(gb.InvalidGameError):
        gb.WordGame(secrets, guesses)


@pytest.mark.slow
def test_word_game_has_at_most_a_million_words() -> None:
    letters = itertools.product("abcdefghijklmnopqrst", repeat=5)
    million = ["".join(letter) for letter in itertools.islice(letters, 1_000_000)]
    game = gb.WordGame(million[:1], million)
    assert len(game.guesses) == 1_000_000
    with pytest.raises(gb.InvalidGameError):
        game.with_guesses(["zzzzz"])
    with pytest.raises(gb.InvalidGameError):
        gb.WordGame(million[:1], [*million, "zzzzz"])


def test_name_of_a_word_game_states_letters_secrets_and_rule() -> None:
    assert (GAME.name, LOOSE.name) == ("words-5x8", "words-5x8-loose")
    assert repr(gb.WordGame(["aa"], ["bb"])) == "<WordGame words-2x1: 2 guesses>"
    assert (GAME.has_hard_mode, LOOSE.has_hard_mode) == (True, False)
    with pytest.raises(gb.UsageError):
        gb.WordGame(WORDS, scoring="strict")


@given(words_of_three, words_of_three, scorings, st.randoms())
def test_word_games_are_equal_if_and_only_if_lists_rule_and_weights_are(
    secrets: list[str], guesses: list[str], scoring: str, chance: Any
) -> None:
    weights = [chance.randint(1, 9) for _ in secrets]
    game = gb.WordGame(secrets, guesses, scoring, weights)
    book = gb.open(gb.build(game).to_bytes())
    for again in (
        book.game,
        gb.WordGame.from_header(game.header()),
        pickle.loads(pickle.dumps(game)),
    ):
        assert isinstance(again, gb.WordGame)
        assert again == game
        assert hash(again) == hash(game) == hash(game)
        assert again.header() == game.header()
        assert (again.name, again.length, again.listed) == (game.name, 3, len(game.guesses))
    other = SCORINGS[scoring == "standard"]
    others: list[object] = [
        gb.WordGame(secrets, guesses, other, weights),
        gb.WordGame([*secrets, "xyz"], guesses, scoring),
        gb.WordGame(secrets, ["xyz", *guesses], scoring, weights),
        gb.WordGame(secrets[:1], [*secrets[::-1], *guesses, "xyz"], scoring),
        game.header(),
    ]
    assert game not in others
    assert len({hash(game), *map(hash, others[:3])}) > 1


def test_subclass_of_word_game_with_another_kind_is_not_equal() -> None:
    class Backwards(gb.WordGame):
        kind = "backwards"

    assert Backwards(WORDS) != GAME != Backwards(WORDS)
    assert len({Backwards(WORDS), GAME, Backwards(WORDS)}) == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"guesses": "ab cd ef"},
        {"guesses": "ab\ncd\ne\nf"},
        {"guesses": "ab\rcd\ref"},
        {"guesses": "ab\ncd\nab"},
        {"guesses": "ab\ncd\nEF"},
        {"guesses": "ab\ncd\ne\u0301"},
        {"guesses": "ab\ncd\ne!"},
        {"guesses": "ab\ncd\ne"},
        {"guesses": "\n" * 1_000_001, "length": 0},
        {"guesses": "", "length": 0},
        {"guesses": "\n".join(["a" * 13, "b" * 13, "c" * 13]), "length": 13},
        {"guesses": ["ab", "cd", "ef"]},
        {"length": 3},
        {"length": True},
        {"scoring": "strict"},
        {"scoring": None},
        {"secrets": b"\0"},
        {"secrets": b"\x08"},
        {"secrets": b""},
        {"secrets": b"\3\0"},
        {"secrets": "\3"},
        {"weights": b""},
    ],
)
def test_invalid_header_of_a_word_game_is_rejected(changes: dict[str, Any]) -> None:
    header = gb.WordGame(["ab", "cd"], ["ab", "cd", "ef"]).header()
    assert gb.WordGame.from_header(header).header() == header
    refuses_header({**header, **changes})


@given(words_of_three, words_of_three, scorings, st.randoms())
def test_guesses_can_be_added_only_in_the_alphabet_of_the_game(
    secrets: list[str], more: list[str], scoring: str, chance: Any
) -> None:
    game = gb.WordGame(secrets, scoring=scoring, weights=[chance.randint(1, 9) for _ in secrets])
    letters = set("".join(game.guesses))
    if letters & set("abc"):  # one letter of an alphabet allows all of them
        letters |= set("abcdefghijklmnopqrstuvwxyz")
    if set("".join(more)) - letters and any(word not in game.guesses for word in more):
        with pytest.raises(gb.InvalidCodeError):
            game.with_guesses(more)
        return
    known = game.with_guesses(more)
    assert known.guesses == tuple(dict.fromkeys([*game.guesses, *more]))
    assert (known.secrets, known.weights, known.scoring) == (game.secrets, game.weights, scoring)
    assert (known.listed, known.length) == (len(game.guesses), 3)
    assert all(known.parse_code(word) == known.guesses.index(word) for word in more)
    assert (known == game) is (known.listed == len(known.guesses))
    wider = known.widened()
    if len(game.secrets) == len(known.guesses):
        assert wider is None
    else:
        assert wider == gb.WordGame(known.guesses, scoring=scoring)
        assert wider.listed == len(game.guesses)


def test_unlisted_words_may_be_guesses_and_secrets() -> None:
    game = gb.WordGame(["light", "eight", "night"], ["eerie"])
    assert game.feedback("LILTS", "fight") == "02010"
    assert game.feedback("light", "eerie") == "01000"
    assert gb.Session(game, "LIGHT=02222 fight=⬛🟩🟩🟩🟩").candidates() == ["eight", "night"]
    for guess, secret in (("lights", "eight"), ("light", ["fight"] * 2), ("li9ht", "light")):
        with pytest.raises(gb.InvalidCodeError):
            game.feedback(guess, secret)

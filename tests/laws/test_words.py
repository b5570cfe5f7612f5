"""Games of words by their definition: what is answered, typed, added to the list and written."""

from __future__ import annotations

import itertools
import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import (
    InvalidBookError,
    InvalidCodeError,
    InvalidFeedbackError,
    InvalidGameError,
    WordGame,
    game_from_header,
)
from guessbook.book.games import words as module
from guessbook.book.games.words import SCORINGS

words_of_three = st.lists(st.text("abcé", min_size=3, max_size=3), min_size=1, max_size=9)
scorings = st.sampled_from(SCORINGS)


def told(guess: str, secret: str) -> str:
    """The marks of a guess by crossing out letters of the secret."""
    left = [true if letter != true else "" for letter, true in zip(guess, secret, strict=True)]
    marks = ["2" if not true else "0" for true in left]
    for place, letter in enumerate(guess):
        if marks[place] != "2" and letter in left:
            left[left.index(letter)] = ""
            marks[place] = "1"
    return "".join(marks)


@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_a_game_gives_every_pattern_but_one_misplaced_letter(length: int, scoring: str) -> None:
    """By the standard rule the last letter has its own place left; no other number is given."""
    game = WordGame(["a" * length, "b" * length], scoring=scoring)
    for number, marks in enumerate(itertools.product("012", repeat=length)):
        never = scoring == "standard" and sorted(marks) == ["1", *"2" * (length - 1)]
        assert game.gives(number) is not never
        assert game.format_feedback(number) == "".join(marks)
        if not never:
            assert game.parse_feedback(marks_of(marks)) == number
    assert not any(map(game.gives, [*range(-30, 0), *range(3**length, 3**length + 30)]))
    for wrong in (-1, 3**length, True, 1.0, "0"):
        with pytest.raises(InvalidFeedbackError):
            game.format_feedback(wrong)  # type: ignore[arg-type]


def marks_of(marks: tuple[str, ...]) -> list[int]:
    """Marks as integers."""
    return [int(mark) for mark in marks]


@given(words_of_three)
def test_answers_are_those_of_crossing_out(words: list[str]) -> None:
    """Every word answers every other one by the rule as it is told."""
    game = WordGame(words)
    for guess, secret in itertools.product(game.guesses, game.secrets):
        assert str(game.feedback(guess, secret)) == told(guess, secret)


@given(st.text("012⬛⬜🟨🟩🟦🟧bygBYG ,\ufe0f", max_size=7), st.text("x3é\n;", max_size=1))
def test_signs_that_mean_nothing_are_refused(text: str, odd: str) -> None:
    """Five marks are read, with blanks, commas and variation selectors between; else none is."""
    game = WordGame(["crane", "slate"], scoring="loose")
    signs = [sign for sign in text.lower() if sign not in " ,\ufe0f"]
    meaning = {
        **dict.fromkeys("0⬛⬜b", 0),
        **dict.fromkeys("1🟨🟦y", 1),
        **dict.fromkeys("2🟩🟧g", 2),
    }
    whole = text[:3] + odd + text[3:]
    if len(signs) == 5 and not odd:
        expected = sum(meaning[sign] * 3 ** (4 - place) for place, sign in enumerate(signs))
        assert game.parse_feedback(whole) == expected
    else:
        with pytest.raises(InvalidFeedbackError):
            game.parse_feedback(whole)


@given(words_of_three, words_of_three, scorings, st.integers(0, 1 << 32))
def test_a_game_that_knows_more_guesses(
    secrets: list[str], more: list[str], scoring: str, seed: int
) -> None:
    """What a list lacks follows it, once; secrets, weights, answers and the list remain."""
    weights = [Random(seed + k).randint(1, 9) for k in range(len(secrets))]
    game = WordGame(secrets, scoring=scoring, weights=weights)
    letters = set("".join(game.guesses))
    if letters & set("abc"):  # then all letters of that alphabet are
        letters |= set("abcdefghijklmnopqrstuvwxyz")
    if set("".join(more)) - letters and any(word not in game.guesses for word in more):
        with pytest.raises(InvalidCodeError, match="no word of this game has it"):
            game.knowing(more)
        return
    known = game.knowing(more)
    assert known.guesses == tuple(dict.fromkeys([*game.guesses, *more]))
    assert (known.secrets, known.weights, known.scoring) == (game.secrets, game.weights, scoring)
    assert (known.listed, known.length) == (len(game.guesses), 3) == (game.listed, game.length)
    assert all(known.parse_code(word) == known.guesses.index(word) for word in more)
    assert (known == game) is (known.listed == len(known.guesses))


@given(words_of_three, words_of_three, scorings)
def test_a_wider_game_may_hide_any_guess(
    secrets: list[str], guesses: list[str], scoring: str
) -> None:
    """Each guess may be the secret, all equally; there is none where each already may."""
    game = WordGame(secrets, guesses, scoring, weights=range(1, len(secrets) + 1))
    wider = game.among_guesses()
    if set(game.secrets) == set(game.guesses):
        assert wider is None
    else:
        assert wider == WordGame(game.guesses, scoring=scoring)
        assert wider.listed == len(game.guesses)


@given(st.sampled_from(["slate", "éclat"]), st.sampled_from([" ", ","]), st.booleans())
def test_a_word_is_read_as_people_spell_it(word: str, between: str, capitals: bool) -> None:
    """Spelled out in any case it is the word; with a letter more or less it is none."""
    game = WordGame(["slate", "éclat"])
    spelled = between.join(word.upper() if capitals else word)
    for form in (spelled, f"  {spelled} ", list(word), tuple(word.upper())):
        assert game.guesses[game.parse_code(form)] == word
    for wrong in (spelled[2:], spelled + between + "s", word[:2] + between + word[2:], [word, 3]):
        with pytest.raises(InvalidCodeError):
            game.parse_code(wrong)  # type: ignore[arg-type]


@given(words_of_three, words_of_three, scorings, st.integers(0, 1 << 32))
def test_a_game_is_its_lists_its_rule_and_its_weights(
    secrets: list[str], guesses: list[str], scoring: str, seed: int
) -> None:
    """Header and pickle give the same game; another rule, list or weight makes another."""
    weights = [Random(seed + k).randint(1, 9) for k in range(len(secrets))]
    game = WordGame(secrets, guesses, scoring, weights)
    for again in (game_from_header(game.header()), pickle.loads(pickle.dumps(game))):
        assert again == game
        assert hash(again) == hash(game) == hash(game)
        assert [getattr(again, name) for name in ("length", "listed", "scoring", "weights")] == [
            getattr(game, name) for name in ("length", "listed", "scoring", "weights")
        ]
    counts = dict.fromkeys(game.secrets, 0)
    for word, weight in zip(secrets, weights, strict=True):
        counts[word] += weight
    shares = game.weights or [1] * len(game.secrets)
    assert all(
        counts[a] * m == counts[b] * n
        for (a, n), (b, m) in itertools.combinations(zip(game.secrets, shares, strict=True), 2)
    )
    others = [
        WordGame(secrets, guesses, {"standard": "loose", "loose": "standard"}[scoring], weights),
        WordGame([*secrets, "xyz"], guesses, scoring),
        WordGame(secrets, ["xyz", *guesses], scoring, weights),
        game.header(),
    ]
    assert game not in others
    assert len({hash(game), *map(hash, others[:3])}) > 1


def test_a_game_has_at_most_so_many_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is that of all guesses, secrets included, in a list and in a header."""
    game = WordGame(["ab", "cd"], ["ef"])
    monkeypatch.setattr(module, "MAX_WORDS", 3)
    assert game_from_header(WordGame(["ab", "cd"], ["ef"]).header()) == game
    monkeypatch.setattr(module, "MAX_WORDS", 2)
    with pytest.raises(InvalidGameError, match="found 3 words, expected at most 2"):
        WordGame(["ab", "cd"], ["ef"])
    with pytest.raises(InvalidBookError, match="at most 2"):
        game_from_header(game.header())
    for broken in ("ab cd ef", "ab\ncd\nee\nff"[:8], "ab\rcd\ref"):
        with pytest.raises(InvalidBookError):
            game_from_header({**game.header(), "guesses": broken})
    with pytest.raises(InvalidGameError, match="the guesses"):
        WordGame(["ab"], ["a!"])

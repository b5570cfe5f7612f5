"""Histories in every notation, wherever one is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from tests.hints.definitions import LAMP, SMALL, answers

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.hints.definitions import Entries

WORDS = gb.WordGame(["light", "eight", "tiger", "geese", "night", "might"], ["thing"])
HISTORIES: dict[str, tuple[gb.Game, Entries]] = {
    "codes": (SMALL, answers(SMALL, ["RYG", "YBR"], "YBB")),
    "words": (WORDS, answers(WORDS, ["thing"], "might")),
    "unlisted words": (WORDS, answers(WORDS, ["hints", "light"], "might")),
    "table": (LAMP, answers(LAMP, ["swap the fuse", "look"], "cable")),
}
BOOKS = {name: gb.build(game) for name, (game, _) in HISTORIES.items()}


def notations(game: gb.Game, pairs: Entries) -> dict[str, Any]:
    """A history in every notation; iterators are made by functions, because they are read once."""
    texts = [f"{guess}={feedback}" for guess, feedback in pairs]
    found: dict[str, Any] = {
        "texts": texts,
        "tuple of texts": tuple(texts),
        "texts with a space": [f"{guess} {feedback}" for guess, feedback in pairs],
        "pairs": pairs,
        "lists": [list(pair) for pair in pairs],
        "maps": [{"guess": guess, "feedback": feedback} for guess, feedback in pairs],
        "text and pairs": [texts[0], *pairs[1:]],
        "capitals": [(guess.upper(), feedback) for guess, feedback in pairs],
        "set": set(pairs),
        "generator": lambda: (pair for pair in pairs),
        "keys": lambda: dict.fromkeys(pairs).keys(),
        "generator of iterators": lambda: (iter(pair) for pair in pairs),
    }
    if game != LAMP:
        found["letters"] = [(tuple(guess), feedback) for guess, feedback in pairs]
        found["text"] = "  ".join(texts)
        found["text with spaces"] = found["text"].replace("=", " ")
    if game == SMALL:
        numbers = [(guess, tuple(map(int, feedback.split(",")))) for guess, feedback in pairs]
        found["plain data"] = numbers
        found["triplets"] = [
            (g, (black, white, 3 - black - white)) for g, (black, white) in numbers
        ]
        found["letters of pegs"] = [f"{g}={b}B{w}W" for g, (b, w) in numbers]
        found["digits of pegs"] = [f"{g}={b}{w}" for g, (b, w) in numbers]
    return found


QUESTIONS: dict[str, Callable[[gb.Book, Any], object]] = {
    "hint": gb.Book.hint,
    "get": lambda book, history: book.get(history) and book.find(history),
    "candidates": gb.Book.candidates,
    "explain": gb.Book.explain,
    "rate": lambda book, history: book.rate(history, book.game.guesses[0]),
    "session": lambda book, history: gb.Session(book, history).hint(),
    "session of game": lambda book, history: gb.Session(book.game, history, "parts").hint(),
    "rows": lambda book, history: sorted(gb.Session(book, history).rows),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_notation_of_a_history_means_the_same(question: str) -> None:
    ask = QUESTIONS[question]
    for name, (game, pairs) in HISTORIES.items():
        expected = ask(BOOKS[name], pairs)
        for notation, history in notations(game, pairs).items():
            given = history() if callable(history) else history
            assert ask(BOOKS[name], given) == expected, (name, notation)


WRONG: list[Any] = [
    None,
    5,
    b"RYG=1,1",
    object,
    {"RYG": "1,1"},
    [None],
    [["RYG"]],
    [["RYG", "1,1", "x"]],
    [{"RYG": 1, "1,1": 2}],
    [b"RY"],
    [{"RYG", "1,1"}],
    ["RYG", "1,1"],
    "RYG 1,1 YBR",
    ["RYX=1,1"],
    [[51, "1,1"]],
    [["RYG", "4,1"]],
    [["RYG", 5]],
    ["RYG=2,1"],
    ["RYG=" + "1" * 900],
    ["RYG"],
    ["=1,1"],
    ["RYG="],
    [{"guess": "RYG"}],
    ["=" * 1_000_000],
    ["R=" * 1500],
]


def test_wrong_history_raises_the_same_error_everywhere(small_book: gb.Book) -> None:
    for history in WRONG:
        errors = set()
        for ask in QUESTIONS.values():
            with pytest.raises(gb.UsageError) as caught:
                ask(small_book, history)
            errors.add((type(caught.value), str(caught.value)))
        assert len(errors) == 1, history


def test_wrong_code_and_wrong_feedback_have_their_own_errors(small_book: gb.Book) -> None:
    with pytest.raises(gb.InvalidCodeError):
        small_book.get(["RYX=1,1"])
    with pytest.raises(gb.InvalidFeedbackError):
        small_book.get(["RYG=2,1"])

"""A history is read in the same way wherever one is taken, whatever its shape."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.book import Mastermind, TableGame, UsageError, WordGame
from guessbook.book.games.beyond import read_entries, read_history
from guessbook.book.games.game import plain
from guessbook.builder import build_strategy, fitting
from guessbook.command.export import reply
from guessbook.serve.question import answer as asked_of
from guessbook.serve.site import answer_at_once
from guessbook.lookup import Book, find, get, hint, open_book
from guessbook.lookup.hint import hint_for
from guessbook.play.rows import rows_of
from guessbook.play.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from guessbook.book import Game

LAMP = TableGame(
    ["swap the bulb", "swap the fuse", "look"],
    ["bulb", "fuse", "cable"],
    [["on", "still dark", "still dark"], ["dark", "on", "dark"], ["black", "black", "loose"]],
)


def told(game: Game, secret: str, *guesses: str) -> tuple[Game, list[tuple[str, str]]]:
    """A game, and a history of these guesses as people write it."""
    return game, [(guess, str(game.feedback(guess, secret))) for guess in guesses]


WORDS = ["light", "eight", "tiger", "geese", "night", "might"]
GAMES = {
    "codes": told(Mastermind(3, 4), "YBB", "RYG", "YBR"),
    "words": told(WordGame(WORDS, ["thing"]), "might", "thing"),
    "unlisted": told(WordGame(WORDS), "might", "hints", "light"),
    "table": told(LAMP, "cable", "swap the fuse", "look"),
}


def shapes(game: Game, pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """A history in every shape; what is a function gives it."""
    texts = [f"{guess}={feedback}" for guess, feedback in pairs]
    data = [(guess, plain(game, game.parse_feedback(feedback))) for guess, feedback in pairs]
    found: dict[str, Any] = {
        "texts": texts,
        "a tuple": tuple(texts),
        "typed": [f"{guess} {feedback}" for guess, feedback in pairs],
        "pairs": pairs,
        "lists": [list(pair) for pair in pairs],
        "maps": [{"guess": guess, "feedback": feedback} for guess, feedback in pairs],
        "plain data": data,
        "mixed": [texts[0], *pairs[1:]],
        "capitals": [(guess.upper(), feedback) for guess, feedback in pairs],
        "a set": set(pairs),
        "a generator": lambda: (pair for pair in pairs),
        "keys": lambda: dict.fromkeys(pairs).keys(),
        "inner generators": lambda: (iter(pair) for pair in pairs),
    }
    if game.kind != "table":
        found["letters"] = [(tuple(guess), feedback) for guess, feedback in pairs]
    if " " not in "".join(texts):
        found["a text"] = "  ".join(texts)
        found["a typed text"] = found["a text"].replace("=", " ")
    return found


@cache
def book_of(name: str) -> Book:
    """The book of one of the games."""
    return open_book(build_strategy(GAMES[name][0]).to_bytes())


def served(name: str) -> Callable[[Book, object], object]:
    """What a server answers to a question, of a posted body."""

    def ask(book: Book, history: object) -> object:
        wanted = {"guess": book.game.guesses[0]} if name == "rate" else {}
        body = json.dumps({"history": history, **wanted}).encode()
        asked, known = answer_at_once(book, name, body, True, 100)
        found = known or asked_of(book, name, asked)
        if found.status == 400:
            raise UsageError(found.content["error"])
        return found.content

    return ask


def bot(book: Book, history: object) -> object:
    """What `bot` answers to a line."""
    line = history if isinstance(history, str) else json.dumps(history)
    found = reply(book, f"{line}\n")
    if "error" in found:
        raise UsageError(found["error"])
    return found


def plainly(book: Book, history: object) -> object:
    """The numbers of a history, in an order of their own: a set has none."""
    game, pairs = read_history(book.game, history)
    return game, sorted(pairs)


ENTRANCES: dict[str, Callable[[Book, Any], object]] = {
    "hint": hint,
    "Book.hint": Book.hint,
    "answer": lambda book, history: hint_for(book.game, "parts", history),
    "find": lambda book, history: get(book, history) and find(book, history),
    "Book.find": lambda book, history: book.get(history) and book.find(history),
    "get": get,
    "Book.get": Book.get,
    "fitting": lambda book, history: fitting(book.game, history).tolist(),
    "read_history": plainly,
    "read_entries": lambda book, history: len(read_entries(book.game, history)[1]),
    "rows_of": lambda book, history: sorted(rows_of(book.game, history)),
    "Session": lambda book, history: Session(book, history).hint(),
    "Session of a game": lambda book, history: Session(book.game, history).candidates(),
    "explain": lambda book, history: Session(book, history).explain(),
    "rate": lambda book, history: Session(book, history).rate(book.game.guesses[0]),
}
# They read JSON, which has texts, lists, and numbers.
SCRIPTS: dict[str, Callable[[Book, Any], object]] = {
    "bot": bot,
    **{f"serve {name}": served(name) for name in ("hint", "candidates", "explain", "rate")},
}
PLAIN_SHAPES = {"texts", "typed", "pairs", "lists", "plain data", "mixed", "a text", "a typed text"}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("entrance", [*ENTRANCES, *SCRIPTS])
def test_every_shape_at_every_entrance(entrance: str, name: str) -> None:
    """Each shape of one history gives the same answer."""
    game, pairs = GAMES[name]
    ask = {**ENTRANCES, **SCRIPTS}[entrance]
    expected = ask(book_of(name), [f"{guess}={feedback}" for guess, feedback in pairs])
    for shape, history in shapes(game, pairs).items():
        if entrance in ENTRANCES or shape in PLAIN_SHAPES:
            given = history() if callable(history) else history
            assert ask(book_of(name), given) == expected, shape


WRONG: list[tuple[Any, str]] = [
    (None, "found the history None, expected a list of (guess, feedback) pairs"),
    (5, "found the history 5, expected a list of (guess, feedback) pairs"),
    (
        {"RYG": "1,1"},
        "found the history {'RYG': '1,1'}, expected a list of (guess, feedback) pairs",
    ),
    ([5], "found 5, expected a (guess, feedback) pair"),
    ([None], "found None, expected a (guess, feedback) pair"),
    ([["RYG"]], "found ['RYG'], expected a (guess, feedback) pair"),
    ([["RYG", "1,1", "x"]], "found ['RYG', '1,1', 'x'], expected a (guess, feedback) pair"),
    ([{"RYG": 1, "1,1": 2}], "found {'RYG': 1, '1,1': 2}, expected a (guess, feedback) pair"),
    (["RYG", "1,1"], "found 'RYG', expected GUESS=FEEDBACK"),
    ("RYG 1,1 YBR", "found 'YBR', expected GUESS=FEEDBACK"),
    (["RYX=1,1"], "found 'X' in code 'RYX', expected 3 of 'RYGB'"),
    (["RYX 1,1"], "found 'X' in code 'RYX', expected 3 of 'RYGB'"),
    ([[51, "1,1"]], "found code 51, expected 3 of 'RYGB'"),
    ([["RYG", "4,1"]], "found feedback '4,1', expected at most 3 pegs in all"),
    ([["RYG", 5]], "found feedback 5, expected black and white pegs such as"),
    (["RYG=2,1"], "found feedback '2,1', but 2 black and 1 white cannot be"),
    (["RYG=" + "1" * 900], "of 904 characters, expected GUESS=FEEDBACK of at most 801"),
]
# JSON cannot say these.
STRANGE: list[tuple[Any, str]] = [
    (b"RYG=1,1", "found the history b'RYG=1,1', expected a list of (guess, feedback) pairs"),
    ([b"RY"], "found b'RY', expected a (guess, feedback) pair"),
    ([{"RYG", "1,1"}], "expected a (guess, feedback) pair"),
    (object, "found the history <class 'object'>, expected a list of (guess, feedback) pairs"),
]


@pytest.mark.parametrize("entrance", [*ENTRANCES, *SCRIPTS])
def test_every_wrong_shape_at_every_entrance(entrance: str) -> None:
    """What is no history of the game is refused by the same line everywhere."""
    ask = {**ENTRANCES, **SCRIPTS}[entrance]
    for history, message in WRONG if entrance in SCRIPTS else [*WRONG, *STRANGE]:
        # A line of `bot` is a list of JSON or the text itself.
        if entrance == "bot" and not isinstance(history, list | str):
            continue
        # JSON has a name of its own for None.
        if entrance in SCRIPTS and history in (None, [None]):
            with pytest.raises(UsageError, match="found null, expected guesses and feedbacks"):
                ask(book_of("codes"), history)
            continue
        with pytest.raises(UsageError) as caught:
            ask(book_of("codes"), history)
        assert message in str(caught.value)
        assert len(str(caught.value).splitlines()) == 1
        with pytest.raises(UsageError) as first:
            read_history(book_of("codes").game, history)
        assert str(caught.value) == str(first.value)


def test_an_iterator_is_read_once() -> None:
    """Where nothing fits, the error names the entries of an iterator as those of a list."""
    game = Mastermind(3, 4)
    history = [("RYG", "1,1"), ("BBB", "1,0"), ("BBB", "0,0")]
    errors = []
    for given in (history, iter(history), (iter(pair) for pair in history)):
        with pytest.raises(ValueError, match="re-check BBB=1,0, BBB=0,0") as caught:
            hint_for(game, "entropy", given)
        errors.append(caught.value.suspects)  # type: ignore[attr-defined]
    assert errors == [(1, 2)] * 3


def test_words_beyond_the_list_in_every_notation() -> None:
    """A word that the list lacks is found where its feedback begins."""
    game = WordGame(["light", "eight"])
    for entry in ("sixth=01011", "sixth 01011", "s i x t h 0 1 0 1 1", ("sixth", (0, 1, 0, 1, 1))):
        known, pairs = read_history(game, [entry])
        assert (known.guesses[-1], pairs) == ("sixth", [(2, game.parse_feedback("01011"))])

"""Books of all kinds of games for the tests of exports, and the histories of their nodes."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import guessbook as gb
from tests.helpers.content import edited
from tests.helpers.tables import LAMP, MIXED, NUMBERS, weighted

History = list[tuple[str, str]]

# The built-in forms of exports.
FORMS = [
    "html",
    "python",
    "json",
    "c",
    "dot",
    "svg",
    "booklet",
    "key",
    "mermaid",
    "csv",
    "irving",
]

# With repeated letters, and anagrams.
WORDS = [
    *("slate", "crane", "trace", "least", "steal", "tales", "stale", "tesla", "crate", "react"),
    *("caret", "cater", "lease", "eagle", "geese", "melee", "sleet", "steel", "erase", "eerie"),
    "arena",
]
WEIGHTS = [3, 900, 7, 1, 1, 65_000, 12, 5, 90, 2, 2, 31, 8, 450, 1, 6]
# Symbols that end strings, comments and elements, and one that is written right to left.
HOSTILE = "\"\\?/*'%<>&;#é0\u05e1🐄"
HOSTILE_POLICY = {
    "name": '*/ #error ??/\\ " </script><img src=x onerror=alert(1)> # coding: utf-16'
}

BOOKS: dict[str, Callable[[], gb.Book]] = {
    "mastermind-4x6": lambda: gb.open("mastermind-4x6"),
    "one code": lambda: gb.build(gb.Mastermind(1, 1)),
    # More than 256 guesses: two bytes for each guess.
    "two pegs, 17 colors": lambda: gb.build(gb.Mastermind(2, 17)),
    "without repeats": lambda: gb.build(gb.Mastermind(3, 5, repeats=False), "parts"),
    "one peg, all symbols": lambda: gb.build(gb.Mastermind(1, 36), "expected"),
    "win": lambda: gb.build(gb.Mastermind(3, 4), "win:within=3,base=parts"),
    "hostile": lambda: edited(
        gb.build(gb.Mastermind(2, len(HOSTILE), symbols=HOSTILE)), policy=HOSTILE_POLICY
    ),
    "words": lambda: gb.build(gb.WordGame(WORDS[:16], WORDS)),
    "loose words": lambda: gb.build(gb.WordGame(WORDS[:16], WORDS, "loose"), "minimax"),
    "hard mode": lambda: gb.build(gb.WordGame(WORDS[:16], WORDS), "expected", hard_mode=True),
    "weighted words": lambda: gb.build(
        gb.WordGame(WORDS[:16], WORDS, weights=WEIGHTS), "entropy-corrected"
    ),
    "letters": lambda: gb.build(
        gb.WordGame(["käse", "höhe", "müde", "rose", "ßßßß", "хлеб", "ありがと", "naïf"])
    ),
    "table": lambda: gb.build(LAMP),
    "numbers": lambda: gb.build(NUMBERS),
    "mixed table": lambda: gb.build(MIXED),
    "weighted table": lambda: gb.build(weighted(LAMP, [50, 3, 20, 9, 1])),
}


# A test and an outcome have the same label. One answer is unknown, another has two possibilities.
BICYCLE = gb.build(
    gb.TableGame(
        ["spin the wheel", "bulb", 'look "inside" | a=b', "measure; 4½ V"],
        ["bulb dead", "wire cut", "rust", "flat", "switch", "wire loose"],
        [
            ["dark", "dark", "dim", "dim", "dark", "dark"],
            ["lit", "dark", "lit", "dark", "dark", "?"],
            ["ok", "cut", "rusty", "ok", "ok", "ok"],
            ["4", "4", "4", "1|2", "4", "loose"],
        ],
        outcomes=["bulb", "wire", "clean", "charge", "switch", "wire"],
        costs=[1, 2, "0.5", 3],
        weights=[5, 1, 2, 4, 1, 1],
    ),
    "optimal",
)


@cache
def book_of(name: str) -> gb.Book:
    """Return a book of `BOOKS`, which is built only once."""
    return BOOKS[name]()


def histories_of(book: gb.Book) -> list[History]:
    """The history of every node of a book, in the order of the nodes."""
    found: list[History] = [[]]
    for node in book.nodes:
        found += [[*found[node.index], (node.guess, str(f))] for f in node.children]
    return found


def off_book(book: gb.Book, number: int, seed: int = 6) -> list[History]:
    """Histories of one to three random guesses that the tree does not have."""
    draw = random.Random(seed)
    game = book.game
    guesses = game.guesses[: getattr(game, "given", None)]
    found: list[History] = []
    for _ in range(20 * number):
        secret = draw.choice(game.secrets)
        drawn = draw.sample(guesses, min(len(guesses), draw.randint(1, 3)))
        history = [(guess, str(game.feedback(guess, secret))) for guess in drawn]
        if secret not in drawn and book.get(history) is None:
            found.append(history)
    return found[:number]

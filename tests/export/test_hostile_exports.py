"""Exports of games with hostile symbols: what is a symbol stays a symbol, in every format.

A book depends on the places of its symbols alone. So the books of two games that differ in their
symbols differ in every export in its texts alone, and never in its structure.
"""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from html import unescape
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from guessbook.book import Mastermind, Strategy, UsageError, WordGame
from guessbook.export import FORMATS, export
from guessbook.export.report_page import report_page
from guessbook.policy.one_step import best_guess, policy_named
from tests.helpers.plain import grow, plain_book

if TYPE_CHECKING:
    from collections.abc import Callable

    from guessbook.book.games.game import History

COLORS = 4
# Without meaning in any language, and as wide as the others.
TAME = "cdef"
HOSTILE = "+-@!\"'<>&;|%$#`\\/?*(){}[]^~_.:"
WIDE = "éß漢שـ🟩🐄＋＠＜\u0301\ufe0f"

hostile_symbols = st.lists(
    st.sampled_from(HOSTILE), min_size=COLORS, max_size=COLORS, unique=True
).map("".join)
wide_symbols = st.lists(
    st.sampled_from(HOSTILE + WIDE), min_size=COLORS, max_size=COLORS, unique=True
).map("".join)
# What ends a string, a comment, an element or an attribute somewhere.
DANGEROUS = ['"\\<&', '*/\\"', "??/'", "<!->", "]]>&", "{}%$", "'\"`\\", "+-@!"]


@cache
def tame_book() -> Strategy:
    """The book of a game of harmless symbols."""
    return plain_book(Mastermind(2, COLORS, symbols=TAME))


@cache
def bold_book(symbols: str) -> Strategy:
    """A book of 3 pegs and 2 colors that opens with three times the first symbol."""
    game = Mastermind(3, 2, symbols=symbols)
    policy = policy_named("entropy")

    def choose(history: History, candidates: list[str]) -> int:
        return best_guess(game, candidates, policy)[0] if history else 0

    return grow(game, game, "entropy", choose)


def book_of(symbols: str) -> Strategy:
    """The same book in other symbols."""
    tame = tame_book()
    return Strategy(Mastermind(2, COLORS, symbols=symbols), tame.policy, tame.tree)


class Page(HTMLParser):
    """The elements of a page with the names of their attributes, and its texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.structure: list[object] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.structure.append((tag, [name for name, _ in attrs]))

    def handle_endtag(self, tag: str) -> None:
        """Note its end."""
        self.structure.append(tag)

    def handle_comment(self, data: str) -> None:
        """Note a comment."""
        self.structure.append("comment")


def of_page(text: str) -> list[object]:
    """The elements of a page of HTML."""
    return Page(text).structure


def of_picture(text: str) -> list[object]:
    """The elements of an SVG picture."""
    tree = ElementTree.fromstring(text)
    return [(element.tag, sorted(element.attrib)) for element in tree.iter()]


def of_json(text: str) -> object:
    """The keys and the types of a JSON document."""

    def shape(value: Any) -> object:
        if isinstance(value, dict):
            return {key: shape(item) for key, item in value.items()}
        return [shape(item) for item in value] if isinstance(value, list) else type(value)

    return shape(json.loads(text))


def of_script(text: str) -> list[object]:
    """The kinds of nodes of a Python program."""
    return [type(node) for node in ast.walk(ast.parse(text))]


C_TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
    r"""|(?P<number>\d\w*)|(?P<name>\w+)|(?P<space>\s+)|(?P<sign>[^\w\s"'])""",
    re.DOTALL,
)


def of_header(text: str) -> list[str]:
    """The tokens of a C program; of comments, numbers and texts only that they are there."""
    # Three characters that mean another one, before anything else is looked at.
    assert not re.search(r"\?\?[=/'()!<>-]", text)
    found, place = [], 0
    while place < len(text):
        token = C_TOKEN.match(text, place)
        assert token is not None, text[place : place + 50]
        kind = token.lastgroup or ""
        found.append(token[0] if kind in {"name", "sign"} else kind)
        place = token.end()
    return [token for token in found if token not in {"space", "comment"}]


def of_graph(text: str) -> list[str]:
    """The tokens of a Graphviz text; of texts only that they are there."""
    tokens = re.findall(r'"(?:\\.|[^"\\\n])*"|\w+|->|[{}\[\];,=]|\s+|.', text)
    assert "".join(tokens) == text
    return ["text" if token.startswith('"') else token for token in tokens if token.strip()]


def of_lines(text: str) -> int:
    """How many lines a text has."""
    return text.count("\n")


STRUCTURES: dict[str, Callable[[str], object]] = {
    "html": of_page,
    "python": of_script,
    "json": of_json,
    "c": of_header,
    "dot": of_graph,
    "svg": of_picture,
    "sheet": of_page,
    "irving": of_lines,
}


def exported(book: Strategy, name: str) -> str | None:
    """The export of a book; None if the format refuses it in a line."""
    try:
        text = export(book, name)
    except UsageError:
        return None
    text.encode()
    assert all(line.isprintable() for line in text.replace("\t", " ").split("\n"))
    return text


def test_every_format_has_a_structure() -> None:
    """A new format needs a way to look at its structure here."""
    assert set(STRUCTURES) == set(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("symbols", DANGEROUS)
def test_dangerous_symbols_change_no_structure(name: str, symbols: str) -> None:
    """Symbols that end strings, comments and elements are texts like any others."""
    symbols = "".join(dict.fromkeys(symbols + TAME))[:COLORS]
    text = exported(book_of(symbols), name)
    expected = exported(tame_book(), name)
    assert expected
    if text is not None:
        assert STRUCTURES[name](text) == STRUCTURES[name](expected)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("symbol", HOSTILE)
def test_three_quotes_are_a_code(name: str, symbol: str) -> None:
    """Three times a symbol, such as three quotes, is a code like any other where it is shown."""
    text = exported(bold_book(f"{symbol}z"), name)
    expected = exported(bold_book("cz"), name)
    assert expected
    if text is not None:
        assert STRUCTURES[name](text) == STRUCTURES[name](expected)


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=15, deadline=None)
@given(symbols=hostile_symbols)
def test_no_symbol_changes_the_structure(name: str, symbols: str) -> None:
    """Whatever the symbols of a game are, its export has the structure of a harmless one."""
    text = exported(book_of(symbols), name)
    expected = exported(tame_book(), name)
    assume(text is not None)
    assert text
    assert expected
    assert STRUCTURES[name](text) == STRUCTURES[name](expected)


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=8, deadline=None)
@given(symbols=wide_symbols)
def test_symbols_of_all_scripts_can_be_parsed(name: str, symbols: str) -> None:
    """Letters of other scripts, wide ones and pictures leave every export well-formed."""
    text = exported(book_of(symbols), name)
    assume(text is not None)
    assert text
    assert STRUCTURES[name](text)


@settings(max_examples=15, deadline=None)
@given(symbols=hostile_symbols)
def test_no_symbol_changes_the_structure_of_a_report(symbols: str) -> None:
    """The same for the page that `report` writes."""
    pages = [report_page(book, "a.book", 100) for book in (book_of(symbols), tame_book())]
    assert of_page(pages[0]) == of_page(pages[1])


@pytest.mark.parametrize("name", FORMATS)
def test_words_of_all_scripts_can_be_parsed(name: str) -> None:
    """Words in any letters leave every export well-formed."""
    words = ["été", "øre", "שלו", "дом", "漢字漢", "ßßa", "abc", "cab"]
    text = exported(plain_book(WordGame(words[:6], words)), name)
    if text is not None:
        assert text
        assert STRUCTURES[name](text)


@given(symbols=wide_symbols)
def test_symbols_come_back_as_they_were(symbols: str) -> None:
    """A reader of JSON, SVG or DOT finds the codes of the book, character by character."""
    book = book_of(symbols)
    assert symbols in texts_of(json.loads(export(book, "json")))
    texts = re.findall(r'label="((?:\\.|[^"\\\n])*)"', export(book, "dot"))
    labels = [unescape(re.sub(r"\\(.)", r"\1", text)) for text in texts]
    assert any(label.startswith(f"{book.root.guess}  ") for label in labels)
    drawn = "".join(ElementTree.fromstring(export(book, "svg")).itertext())
    assert set(book.root.guess) <= set(drawn)


def texts_of(value: Any) -> list[str]:
    """Every text in a JSON document."""
    if isinstance(value, dict):
        return [text for item in value.values() for text in texts_of(item)]
    if isinstance(value, list):
        return [text for item in value for text in texts_of(item)]
    return [value] if isinstance(value, str) else []

"""Pictures of strategy trees: Graphviz text and SVG, in which every node has its place."""

from __future__ import annotations

import re
import shutil
import subprocess
from html import unescape
from itertools import pairwise
from math import isclose, pi
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind, UsageError, WordGame
from guessbook.book.tree import mean_guesses, shown_levels, starts, subtree_sizes
from guessbook.export import export, pegs
from guessbook.export.form import form_of
from guessbook.export.pictures import shapes, wheel
from guessbook.export.pictures.branches import THICKEST, THINNEST, rows
from guessbook.export.pictures.dot import READABLE, dot_text
from guessbook.export.pictures.svg import FEW, MOST_RINGS, key
from guessbook.lookup import open_book
from tests.helpers.plain import plain_book

if TYPE_CHECKING:
    from pathlib import Path

    from guessbook.lookup import Book

SVG = "{http://www.w3.org/2000/svg}"
WORDS = ["light", "eight", "night", "might", "sight", "thing", "geese", "sleet", "straß"]
# The last one is written from right to left.
HOSTILE = "<&\">\\;'\u05e1"

# A string of Graphviz, and what a line of ours may be.
STRING = r'"(?:[^"\\]|\\["\\])*"'
ATTRIBUTES = rf"\[\w+=(?:{STRING}|[\w.]+)(?:, \w+=(?:{STRING}|[\w.]+))*\]"
LINE = re.compile(
    rf"digraph {STRING} {{|  (?:graph|node|edge) {ATTRIBUTES};|  n\d+ {ATTRIBUTES};"
    rf"|  n\d+ -> n\d+ {ATTRIBUTES};|}}"
)


@pytest.fixture(scope="module")
def books(small_books: dict[str, Book]) -> dict[str, Book]:
    """Books of all kinds of games, with symbols that mean something to a browser or Graphviz."""
    hostile = plain_book(Mastermind(2, len(HOSTILE), symbols=HOSTILE))
    return {**small_books, "4x6": open_book("mastermind-4x6"), "words": words(), "hostile": hostile}


def words() -> Book:
    """A book of words."""
    return plain_book(WordGame(WORDS))


NAMES = ["1 peg, 1 color", "2 pegs, 2 colors", "own symbols", "wide", "4x6", "words", "hostile"]


# --- levels ---------------------------------------------------------------------------------


def test_levels_are_those_of_the_tree(small_book: Book) -> None:
    """From the root the levels are the tree's own; from a child they are those of its subtree."""
    tree = small_book.tree
    assert shown_levels(tree, None, len(tree)) == list(tree.levels())
    assert shown_levels(tree, 2, 0) == list(tree.levels())[:2]
    sizes = subtree_sizes(tree)
    for child in range(tree.first[0], tree.first[1]):
        assert sum(map(len, shown_levels(tree, 99, 0, child))) == sizes[child]
    assert sizes[0] == len(tree)


def test_readable_levels(small_book: Book) -> None:
    """Without a depth there are as many levels as the limit allows, but two at least."""
    counts = [len(level) for level in small_book.tree.levels()]
    assert len(counts) > 3
    for limit in range(sum(counts) + 1):
        shown = [len(level) for level in shown_levels(small_book.tree, None, limit)]
        assert shown == counts[: len(shown)]
        assert sum(shown) <= limit or len(shown) == 2
        assert shown == counts or sum(counts[: len(shown) + 1]) > limit


@pytest.mark.parametrize("depth", [0, -1, 1.5, True])
@pytest.mark.parametrize("name", ["dot", "svg"])
def test_a_depth_is_a_number_of_guesses(small_book: Book, name: str, depth: int) -> None:
    """A depth that is none is refused, in both formats."""
    with pytest.raises(UsageError, match="depth"):
        export(small_book, name, depth=depth)


@pytest.mark.parametrize("name", NAMES)
def test_places_and_means(books: dict[str, Book], name: str) -> None:
    """Siblings lie side by side inside their parent; the root's mean is the book's."""
    tree = books[name].tree
    places = starts(tree, list(tree.levels()))
    assert sorted(places) == list(range(len(tree)))
    for node in range(len(tree)):
        at = places[node]
        for child in range(tree.first[node], tree.first[node + 1]):
            assert places[child] == at
            at += tree.candidates[child]
        assert places[node] + tree.candidates[node] - at == tree.is_candidate(node)
    assert isclose(mean_guesses(tree)[0], books[name].stats.mean_guesses)


# --- Graphviz -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_dot_is_the_tree(books: dict[str, Book], name: str) -> None:
    """Each line is one of Graphviz's; nodes and edges are those of the tree, with their texts."""
    book = books[name]
    tree, game = book.tree, book.game
    text = export(book, "dot", depth=99)
    assert all(LINE.fullmatch(line) for line in text.splitlines()), text
    nodes = re.findall(rf"^  n(\d+) \[label=({STRING})", text, re.MULTILINE)
    assert [(int(node), meant(label)) for node, label in nodes] == [
        (node, f"{game.guesses[tree.guess[node]]}  {tree.candidates[node]:,}")
        for node in range(len(tree))
    ]
    edges = re.findall(rf"^  n(\d+) -> n(\d+) \[label=({STRING})\]", text, re.MULTILINE)
    assert [(int(a), int(b), meant(label)) for a, b, label in edges] == [
        (node, child, game.format_feedback(tree.feedback[child]))
        for node in range(len(tree))
        for child in range(tree.first[node], tree.first[node + 1])
    ]


def meant(string: str) -> str:
    """The text that Graphviz shows for a quoted string."""
    return unescape(re.sub(r"\\(.)", r"\1", string[1:-1]))


def test_dot_marks_what_it_cuts_off() -> None:
    """A readable picture is small, and a node whose children are left out is dashed."""
    book = open_book("mastermind-4x6")
    tree = book.tree
    text = export(book, "dot")
    shown = shown_levels(tree, None, READABLE)
    assert len(re.findall(r"^  n\d+ \[", text, re.MULTILINE)) == sum(map(len, shown)) <= READABLE
    dashed = re.findall(r"^  n(\d+) .*dashed", text, re.MULTILINE)
    assert [int(n) for n in dashed] == [node for node in shown[-1] if tree.children[node]]
    assert dashed


@given(st.text())
def test_a_quoted_text_is_that_text(text: str) -> None:
    """Whatever a text holds, it stays inside its quotes and is shown as it is."""
    string = dot_text(text)
    assert re.fullmatch(STRING, string, re.DOTALL)
    assert meant(string.replace("\n", " ")) == text.replace("\n", " ")


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("name", NAMES)
def test_graphviz_draws_it(books: dict[str, Book], name: str) -> None:
    """Graphviz accepts the text without a warning and draws every label as it is."""
    book = books[name]
    text = export(book, "dot", depth=2)
    done = subprocess.run(["dot", "-Tsvg"], input=text.encode(), capture_output=True, check=True)
    assert done.stderr == b""
    # Graphviz writes spaces that do not break.
    drawn = [e.text or "" for e in ElementTree.fromstring(done.stdout).iter(f"{SVG}text")]
    drawn = [said.replace("\xa0", " ") for said in drawn]
    for level in shown_levels(book.tree, 2, 0):
        for node in level:
            guess, count = book.game.guesses[book.tree.guess[node]], book.tree.candidates[node]
            assert f"{guess}  {count:,}" in drawn


# --- SVG ------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [None, 1, 2, 3])
@pytest.mark.parametrize("name", NAMES)
def test_svg_is_a_picture(books: dict[str, Book], name: str, depth: int | None) -> None:
    """It is well-formed, has a title and a description, no scripts, and refers to nothing else."""
    book = books[name]
    text = export(book, "svg", depth=depth)
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    kinds = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert kinds <= {
        "svg", "title", "desc", "style", "defs", "g", "use", "rect", "circle", "path", "text",
    }  # fmt: skip
    title, description = root[0], root[1]
    assert (title.tag, description.tag) == (f"{SVG}title", f"{SVG}desc")
    assert book.game.name in (title.text or "")
    assert book.root.guess in (description.text or "")
    own = {f"#{element.get('id')}" for element in root.iter() if element.get("id")}
    for element in root.iter():
        for attribute, value in element.attrib.items():
            assert not attribute.startswith("on")
            assert attribute != "style"
            assert "url(" not in value
            assert attribute != "href" or value in own
    assert text == export(book, "svg", depth=depth), "it is a function of the book"
    assert "NaN" not in text
    assert "inf" not in text.replace("info", "")


def test_branches_show_every_node() -> None:
    """In a picture of few nodes each has its guess, and each branch its feedback, in a row."""
    book = open_book("mastermind-4x6")
    tree = book.tree
    shown = shown_levels(tree, 2, 0)
    assert sum(map(len, shown)) <= FEW
    root = ElementTree.fromstring(export(book, "svg", depth=2))
    uses = [use.get("href", "") for use in root.iter(f"{SVG}use")]
    symbols = [chr(int(href.removeprefix("#peg-"))) for href in uses]
    drawn = ["".join(symbols[k : k + 4]) for k in range(0, len(symbols), 4)]
    assert drawn == [book.game.guesses[tree.guess[node]] for level in shown for node in level]
    texts = [text.text for text in root.iter(f"{SVG}text")]
    for child in shown[1]:
        assert book.game.format_feedback(tree.feedback[child]) in texts
        assert f"{tree.candidates[child]:,}" in texts
    paths = [p for p in root.iter(f"{SVG}path") if p.get("stroke-width")]
    assert len(paths) == len(shown[1])
    # As thick as there are candidates; thinner than some pixels would not be seen.
    largest = max(tree.candidates[child] for child in shown[1])
    for path, child in zip(paths, shown[1], strict=True):
        thick = max(THINNEST, THICKEST * tree.candidates[child] / largest)
        assert isclose(float(path.get("stroke-width", "")), thick, abs_tol=0.01)


@pytest.mark.parametrize("name", ["2 pegs, 2 colors", "own symbols", "words", "hostile"])
def test_rows_do_not_cross(books: dict[str, Book], name: str) -> None:
    """Nodes of a level stand below each other, in their order and apart."""
    book = books[name]
    found = list(book.tree.levels())
    heights = rows(book, found)
    assert len(heights) == len(book.tree)
    for level in found:
        listed = [heights[node] for node in level]
        assert all(b - a > 10 for a, b in pairwise(listed))


@pytest.mark.parametrize("narrowest", [0.0, 1.5, 4.0, 1e9])
def test_the_wheel_leaves_nobody_out(narrowest: float) -> None:
    """The pieces of each ring have all its nodes in their order, and all their candidates."""
    tree = open_book("mastermind-4x6").tree
    found = list(tree.levels())
    places, mean = starts(tree, found), mean_guesses(tree)
    for level in found[1:]:
        pieces = list(wheel.arcs(level, places, tree.candidates, mean, narrowest))
        nodes = [n for arc in pieces for n in range(arc.first, arc.last + 1)]
        assert nodes == list(level)
        for arc in pieces:
            own = range(arc.first, arc.last + 1)
            assert arc.secrets == sum(tree.candidates[n] for n in own)
            assert isclose(arc.guesses, sum(tree.candidates[n] * mean[n] for n in own))
            assert (arc.start, arc.end) == (
                places[arc.first],
                places[arc.last] + tree.candidates[arc.last],
            )
        assert all(a.end <= b.start for a, b in pairwise(pieces))
        if narrowest == 0:
            assert len(pieces) == len(level)


def test_rings_fill_the_wheel() -> None:
    """Rings lie around each other from the hub to the rim, for any number of levels."""
    for count in range(2, 40):
        found = wheel.rings(count, 1.0)
        edges = [ring.inner for ring in found] + [found[-1].outer]
        assert edges == sorted(edges)
        assert (edges[0], len(found)) == (wheel.HUB, count - 1)
        assert isclose(edges[-1], wheel.RADIUS)
        assert all(a.outer == b.inner for a, b in pairwise(found))
    assert wheel.rings(1, 1.0) == []


def test_a_whole_ring_is_drawn() -> None:
    """A node that has all candidates is a whole ring: an arc that ends where it begins is none."""
    ring = wheel.Ring(100, 200, 1)
    assert wheel.outline(ring, 0, 2 * pi).count("M") == 2
    assert wheel.outline(ring, 0, pi).count("M") == 1


def test_a_large_tree_is_a_picture_of_bounded_size() -> None:
    """What cannot be seen is drawn together: twice the secrets are not twice the picture."""
    nodes = range(1, 100_001)
    sizes = [100_000, *[1] * 100_000]
    places = {node: node - 1 for node in nodes}
    means = [1.0] * 100_001
    ring = wheel.Ring(400, 500, 2 * pi / 100_000)
    width = wheel.NARROWEST / (ring.turn * ring.middle)
    pieces = list(wheel.arcs(nodes, places, sizes, means, width))
    assert len(pieces) <= 2 * pi * ring.middle / wheel.NARROWEST


def test_the_description_is_of_what_is_drawn() -> None:
    """Of a tree deeper than the wheel's rings it does not claim to be the whole."""
    for colors, said in ((MOST_RINGS, "the whole tree"), (MOST_RINGS + 1, "the first guesses")):
        text = export(plain_book(Mastermind(1, colors)), "svg")
        assert f"{said}, {MOST_RINGS} deep" in text


@pytest.mark.parametrize(("colors", "width"), [(6, 560), (28, 560), (29, 560), (36, 940)])
def test_the_numbers_of_the_key_have_room(colors: int, width: float) -> None:
    """There is a box for every number of guesses; numbers begin with 1 and stand apart."""
    drawn = key(plain_book(Mastermind(1, colors)), width)
    assert drawn.count("<rect") == colors
    places = re.findall(r'<text[^>]*x="([\d.]+)"[^>]*font-weight="700">(\d+)<', drawn)
    assert places[0] == ("0", "1")
    assert all(float(b) - float(a) >= 19.9 for (a, _), (b, _) in pairwise(places))
    assert len(places) == colors or colors > 28


# --- colours --------------------------------------------------------------------------------


@given(st.floats(1, 20), st.integers(1, 20))
def test_texts_can_be_read_on_every_shade(guesses: float, worst: int) -> None:
    """The text on a shade has a contrast of 4.5 at least (WCAG 2.1, AA)."""
    color = shapes.shade(guesses, worst)
    lights = sorted([shapes.luminance(color), shapes.luminance(shapes.contrast(color))])
    assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5


def test_six_guesses_have_the_same_colours_in_every_book() -> None:
    """Books that need up to six guesses are drawn in the same colours."""
    for guesses in range(1, 7):
        assert len({shapes.shade(guesses, worst) for worst in range(1, 7)}) == 1
    assert len({shapes.shade(guesses, 6) for guesses in range(1, 7)}) == 6


def test_pegs_are_drawn_where_symbols_are_colours() -> None:
    """The usual colours are pegs, which are defined; digits, words and own symbols are text."""
    assert pegs.Form(Mastermind(4, 6)).pegs
    assert pegs.Form(Mastermind(2, 10)).pegs
    assert not pegs.Form(Mastermind(2, 5, repeats=False)).pegs
    assert not pegs.Form(Mastermind(2, 3, symbols="αβγ")).pegs
    assert "<use" not in form_of(WordGame(WORDS)).code(WORDS[0], 0, 0, 10)
    assert pegs.Form(Mastermind(4, 6)).definitions().count("<g id=") == 6
    assert "<use" not in pegs.Form(Mastermind(2, 3, symbols="αβγ")).code("αβ", 0, 0, 10)


@pytest.mark.parametrize(("name", "depth"), [("mastermind-4x6", None), ("mastermind-4x6-2", 2)])
def test_the_pictures_of_the_documents_are_up_to_date(
    root: Path, name: str, depth: int | None
) -> None:
    """The pictures in docs/how-to/embed are what `export --to svg` draws of the shipped book."""
    drawn = export(open_book(root / "data" / "mastermind-4x6.book"), "svg", depth=depth)
    option = f" --depth {depth}" if depth else ""
    due = f"run `guessbook export --to svg{option} -o docs/how-to/embed/{name}.svg`"
    assert (root / "docs" / "how-to" / "embed" / f"{name}.svg").read_text("utf-8") == drawn, due

"""Pictures of strategy trees: Graphviz text, SVG, and the colours of pegs."""

from __future__ import annotations

import re
import shutil
import subprocess
from html import unescape
from itertools import combinations, pairwise
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.export.samples import BOOKS, book_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command import Run

SVG = "{http://www.w3.org/2000/svg}"
STRING = r'"(?:[^"\\]|\\["\\])*"'
ATTRIBUTES = rf"\[\w+=(?:{STRING}|[\w.]+)(?:, \w+=(?:{STRING}|[\w.]+))*\]"
LINE = re.compile(
    rf"digraph {STRING} {{|  (?:graph|node|edge) {ATTRIBUTES};|  n\d+ {ATTRIBUTES};"
    rf"|  n\d+ -> n\d+ {ATTRIBUTES};|}}"
)


def shown(string: str) -> str:
    """Return the text that Graphviz shows for a quoted string."""
    return unescape(re.sub(r"\\(.)", r"\1", string[1:-1]))


def said(book: gb.Book, node: gb.Node) -> str:
    """Return the text of a node in a graph."""
    named = isinstance(book.game, gb.TableGame) and node.guess in book.game.secrets
    name = f"name: {node.guess}" if named and node.guess not in given_guesses(book) else node.guess
    return f"{name}  {node.remaining:,}"


def given_guesses(book: gb.Book) -> list[str]:
    """Return the guesses that are rows of a table."""
    return list(book.game.guesses[: getattr(book.game, "given", None)])


LETTERS = "abcdefghijklmnopqrstuvwxyzäöüßåéèêëçñ"


# Graphviz


@pytest.mark.parametrize("name", BOOKS)
def test_graph_has_every_node_and_edge(name: str) -> None:
    book = book_of(name)
    text = book.export("dot", depth=10**30)
    assert all(LINE.fullmatch(line) for line in text.splitlines())
    nodes = re.findall(rf"^  n(\d+) \[label=({STRING})(.*)\];", text, re.MULTILINE)
    assert [(int(number), shown(label)) for number, label, _ in nodes] == [
        (node.index, said(book, node)) for node in book.nodes
    ]
    assert ["peripheries=2" in rest for _, _, rest in nodes] == [n.candidate for n in book.nodes]
    edges = re.findall(rf"^  n(\d+) -> n(\d+) \[label=({STRING})\]", text, re.MULTILINE)
    assert [(int(a), int(b), shown(label)) for a, b, label in edges] == [
        (node.index, child.index, str(feedback))
        for node in book.nodes
        for feedback, child in node.children.items()
    ]


def test_graph_marks_nodes_whose_children_are_left_out() -> None:
    """Without a depth, the graph has as many levels as fit into 150 nodes, at least two."""
    counts = {}
    for name in ("mastermind-4x6", "win", "bulls-and-cows-4x10"):
        book = book_of(name) if name in BOOKS else gb.open(name)
        text = book.export("dot")
        listed = [int(n) for n in re.findall(r"^  n(\d+) \[", text, re.MULTILINE)]
        nodes = {node.index: node for node in book.nodes}
        edges = re.findall(r"^  n(\d+) -> n(\d+) \[", text, re.MULTILINE)
        drawn = {int(a) for a, _ in edges}
        dashed = [int(n) for n in re.findall(r"^  n(\d+) .*dashed", text, re.MULTILINE)]
        assert dashed == [n for n in listed if nodes[n].children and n not in drawn]
        counts[name] = len(listed)
    assert counts == {"mastermind-4x6": 132, "win": 66, "bulls-and-cows-4x10": 129}


@pytest.mark.skipif(not shutil.which("dot"), reason="Graphviz is not installed")
@pytest.mark.parametrize("name", ["mastermind-4x6", "hostile", "letters", "table"])
def test_graphviz_draws_labels_unchanged(name: str) -> None:
    book = book_of(name)
    text = book.export("dot", depth=2)
    done = subprocess.run(["dot", "-Tsvg"], input=text.encode(), capture_output=True, check=True)
    assert done.stderr == b""
    # Graphviz writes no-break spaces.
    drawn = [e.text or "" for e in ElementTree.fromstring(done.stdout).iter(f"{SVG}text")]
    drawn = [label.replace("\xa0", " ") for label in drawn]
    assert {said(book, node) for node in (book.root, *book.root.children.values())} <= {*drawn}


# SVG


def picture_of(book: gb.Book, depth: int | None = None) -> ElementTree.Element:
    """Return a picture as a tree of elements."""
    return ElementTree.fromstring(book.export("svg", depth=depth))


@pytest.mark.parametrize("name", BOOKS)
def test_picture_is_harmless_and_described(name: str) -> None:
    book = book_of(name)
    for depth in (None, 1):
        check_picture(book, picture_of(book, depth))


def check_picture(book: gb.Book, root: ElementTree.Element) -> None:
    """Check that a picture has a title and a description, and nothing that runs or loads."""
    kinds = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert kinds <= {
        *("svg", "title", "desc", "style", "defs", "g", "use", "rect", "circle", "path", "text")
    }
    assert (root[0].tag, root[1].tag) == (f"{SVG}title", f"{SVG}desc")
    assert book.game.name in (root[0].text or "")
    assert said(book, book.root).rpartition("  ")[0] in (root[1].text or "")
    own = {f"#{element.get('id')}" for element in root.iter() if element.get("id")}
    for element in root.iter():
        for attribute, value in element.attrib.items():
            assert not attribute.startswith("on")
            assert attribute != "style"
            assert not re.search(r"url\(|nan|inf", value)
            assert attribute != "href" or value in own


@pytest.mark.parametrize(("name", "depth"), [("mastermind-4x6", None), ("mastermind-4x6-2", 2)])
def test_pictures_of_the_documentation_are_current(
    name: str, depth: int | None, root: Path
) -> None:
    option = f" --depth {depth}" if depth else ""
    due = f"run `guessbook export --to svg{option} -o docs/how-to/embed/{name}.svg`"
    text = (root / "docs" / "how-to" / "embed" / f"{name}.svg").read_text("utf-8")
    assert text == gb.open("mastermind-4x6").export("svg", depth=depth), due


def test_small_tree_is_drawn_as_branches() -> None:
    """Each node has its guess and count; branches with more candidates are not thinner."""
    book = gb.open("mastermind-4x6")
    root = picture_of(book, 2)
    nodes = [book.root, *book.root.children.values()]
    codes = [chr(int(use.get("href", "")[5:])) for use in root.iter(f"{SVG}use")]
    assert "".join(codes) == "".join(node.guess for node in nodes)
    texts = [text.text for text in root.iter(f"{SVG}text")]
    paths = [path for path in root.iter(f"{SVG}path") if path.get("stroke-width")]
    widths = [float(path.get("stroke-width", "")) for path in paths]
    counts = [node.remaining for node in nodes[1:]]
    for feedback, count in zip(book.root.children, counts, strict=True):
        assert str(feedback) in texts
        assert f"{count:,}" in texts
    pairs = sorted(zip(counts, widths, strict=True))
    assert all(a[1] <= b[1] for a, b in pairwise(pairs))
    assert min(widths) >= 1


@pytest.mark.parametrize("name", ["table", "words", "letters"])
def test_labels_in_a_column_of_the_picture_do_not_overlap(name: str) -> None:
    columns: dict[str, list[float]] = {}
    root = picture_of(book_of(name))
    for text in root.iter(f"{SVG}text"):
        if re.fullmatch(r"[\d,]+", text.text or "") and text.get("class") != "soft":
            columns.setdefault(text.get("x", ""), []).append(float(text.get("y", "")))
    for heights in columns.values():
        assert all(b - a > 10 for a, b in pairwise(sorted(heights)))


def test_large_tree_is_a_picture_of_bounded_size() -> None:
    """Nodes that are too narrow to be seen are merged."""
    small, large = (picture_of(gb.open(f"mastermind-{size}")) for size in ("4x6", "5x8"))
    paths = [len([*root.iter(f"{SVG}path")]) for root in (small, large)]
    assert paths[1] < 6 * paths[0]
    nodes = (34_824, 1_380)
    assert nodes[0] > 25 * nodes[1]


@pytest.mark.parametrize(("colors", "deep"), [(24, "the whole tree"), (25, "the first guesses")])
def test_description_of_a_picture_matches_the_drawn_levels(colors: int, deep: str) -> None:
    book = gb.build(gb.Mastermind(1, colors))
    assert f"{deep}, 24 deep" in (picture_of(book)[1].text or "")


@pytest.mark.parametrize(("colors", "numbers"), [(2, 2), (6, 6), (28, 28), (29, 15), (36, 18)])
def test_numbers_of_the_legend_do_not_overlap(colors: int, numbers: int) -> None:
    root = picture_of(gb.build(gb.Mastermind(1, colors, symbols=LETTERS[:colors])), 1)
    bold = [e for e in root.iter(f"{SVG}text") if e.get("font-weight") == "700"]
    places = [float(e.get("x", "")) for e in bold if (e.text or "").isdigit()]
    assert places[0] == 0
    assert len(places) == numbers
    assert all(b - a >= 19.9 for a, b in pairwise(places))
    assert 500 <= float(root.get("width", "")) <= 2000


def test_ring_of_all_candidates_is_drawn_in_two_halves() -> None:
    """SVG does not draw an arc that ends where it begins."""
    root = picture_of(gb.build(gb.Mastermind(1, 12)))
    outlines = [path.get("d", "") for path in root.iter(f"{SVG}path")]
    assert outlines
    for outline in outlines:
        for part in re.findall(
            r"M([\d.-]+ [\d.-]+)A[\d.]+ [\d.]+ 0 [01] [01] ([\d.-]+ [\d.-]+)", outline
        ):
            assert part[0] != part[1]


# Colours


def luminance(color: str) -> float:
    """Return the relative luminance of a colour `#rrggbb` (WCAG 2.1)."""
    return sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), linear(color), strict=True))


def linear(color: str) -> list[float]:
    """Return a colour in linear RGB, each part 0 to 1."""
    parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours (WCAG 2.1)."""
    low, high = sorted([luminance(first), luminance(second)])
    return (high + 0.05) / (low + 0.05)


@given(colors=st.integers(1, 20))
def test_texts_on_every_shade_have_contrast(colors: int) -> None:
    text = gb.build(gb.Mastermind(1, colors)).export("dot", depth=99)
    pairs = re.findall(r'fillcolor="(#\w+)", fontcolor="(#\w+)"', text)
    assert len(pairs) == colors
    assert all(contrast(*pair) >= 4.5 for pair in pairs)


def test_books_of_up_to_six_guesses_share_their_shades() -> None:
    keys = {}
    for colors in range(1, 8):
        root = picture_of(gb.build(gb.Mastermind(1, colors)))
        keys[colors] = [e.get("fill") for e in root.iter(f"{SVG}rect") if e.get("class") == "peg"]
    assert all(keys[colors] == keys[6][:colors] for colors in range(1, 7))
    assert keys[7][:6] != keys[6]
    assert len({*keys[7]}) == 7


# How dichromats see linear RGB: Machado, Oliveira and Fernandes, "A physiologically-based model for
# simulation of color vision deficiency", IEEE TVCG 15 (2009), severity 1.0.
VISIONS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
# From linear sRGB to XYZ, and the white point D65 (IEC 61966-2-1).
TO_XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE = (0.95047, 1.0, 1.08883)


def times(matrix: tuple[tuple[float, ...], ...], vector: list[float]) -> list[float]:
    """Return a matrix times a vector."""
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def lab(color: str, vision: str) -> tuple[float, float, float]:
    """Return a colour in CIELAB (CIE 15:2004), as a person with this vision sees it."""
    seen = [min(1.0, max(0.0, value)) for value in times(VISIONS[vision], linear(color))]
    x, y, z = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116
        for t in [v / w for v, w in zip(times(TO_XYZ, seen), WHITE, strict=True)]
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(first: str, second: str, vision: str) -> float:
    """Return the distance of two colours in CIELAB; a distance of 2 is just visible."""
    pairs = zip(lab(first, vision), lab(second, vision), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def test_colours_of_pegs_differ_for_colour_blind_people() -> None:
    """The letters on the pegs have enough contrast, too."""
    assert distance("#ffffff", "#000000", "normal") == pytest.approx(100)
    assert distance("#d70000", "#af5f00", "deuteranopia") < 2
    text = gb.build(gb.Mastermind(1, 8)).export("svg")
    pegs = re.findall(r'id="peg-\d+"><circle r=".92" fill="(#\w+)".*?<text.*?fill="(#\w+)"', text)
    assert len(pegs) == 8
    assert all(contrast(color, ink) >= 4.5 for color, ink in pegs)
    for vision in VISIONS:
        for (first, _), (second, _) in combinations(pegs, 2):
            assert distance(first, second, vision) > 20


def test_symbols_without_colours_are_drawn_as_text() -> None:
    for name, pegs in (("mastermind-4x6", 6), ("without repeats", 0), ("hostile", 0), ("words", 0)):
        root = picture_of(book_of(name), 1)
        assert len([e for e in root.iter() if e.get("id")]) == pegs
        assert (pegs > 0) == any(True for _ in root.iter(f"{SVG}use"))


GAME = ["--pegs", 3, "--colors", 4]


def test_command_compares_policies_in_a_picture(run: Run, tmp_path: Path) -> None:
    assert run("compare", "entropy", "minimax", *GAME, "--svg", "a.svg").code == 0
    root = ElementTree.fromstring((tmp_path / "a.svg").read_text("utf-8"))
    texts = [e.text or "" for e in root.iter(f"{SVG}text")]
    assert {"entropy", "minimax"} <= {*texts}
    means = [text for text in texts if text.startswith("mean ")]
    totals = [gb.build(gb.Mastermind(3, 4), name).stats for name in ("entropy", "minimax")]
    assert sorted(m.split(",")[0] for m in means) == sorted(
        f"mean {stats.mean_guesses:.4f}" for stats in totals
    )

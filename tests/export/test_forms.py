"""Exports as data, and tests of every form: options, weights, and labels that resemble code."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
import shutil
import subprocess
from functools import cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import guessbook as gb
from tests.export.samples import BICYCLE, BOOKS, FORMS, WEIGHTS, book_of, histories_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.helpers.command import Run


@pytest.mark.parametrize("name", FORMS)
def test_equal_books_have_equal_exports(name: str) -> None:
    book = BICYCLE if name == "key" else gb.open("mastermind-4x6")
    assert book.export(name) == gb.open(book.to_bytes()).export(name)


@pytest.mark.parametrize("name", ["html", "python", "c", "booklet", "csv", "irving"])
def test_forms_without_a_depth_reject_the_option_depth(name: str, run: Run) -> None:
    with pytest.raises(gb.UsageError):
        book_of("words").export(name, depth=2)
    assert run("export", "mastermind-4x6", "--to", name, "--depth", 2).code == 2


@pytest.mark.parametrize("name", ["json", "dot", "svg", "mermaid"])
@pytest.mark.parametrize("depth", [0, -1, 1.5, True])
def test_depth_must_be_a_positive_integer(name: str, depth: object) -> None:
    with pytest.raises(gb.UsageError):
        book_of("words").export(name, depth=depth)


def test_export_rejects_unknown_forms_and_options() -> None:
    for name in ("htm", "", None, 1):
        with pytest.raises(gb.UsageError):
            book_of("words").export(name)  # type: ignore[arg-type]
    with pytest.raises(gb.UsageError):
        book_of("words").export("python", colour=True)
    with pytest.raises(gb.UsageError):
        book_of("words").export("irving")


# JSON


def game_of(rules: dict[str, Any]) -> gb.Game:
    """Return the game that the rules in JSON describe."""
    if rules["type"] == "words":
        weights = rules.get("weights")
        return gb.WordGame(rules["secrets"], rules["guesses"], rules["scoring"], weights)
    if rules["type"] == "table":
        rows = [[rules["answers"][answer] for answer in row] for row in rules["table"]]
        guesses = rules["guesses"][: rules["given"]]
        return gb.TableGame(guesses, rules["secrets"], rows, rules.get("weights"), goal="name")
    return gb.Mastermind(rules["pegs"], rules["colors"], rules["repeats"], rules["symbols"])


LARGE = [pytest.param(name, marks=pytest.mark.slow) for name in ("mastermind-5x8",)]


@pytest.mark.parametrize("name", [*BOOKS, *LARGE])
def test_json_has_the_game_and_every_node(name: str, run: Run, tmp_path: Path) -> None:
    book = book_of(name) if name in BOOKS else gb.open(name)
    text = book.export("json")
    found = json.loads(text)
    for node, history in zip(book.nodes, histories_of(book), strict=True):
        below = found["tree"]
        for _, feedback in history:
            below = below["children"][feedback]
        assert below == below | {
            "guess": node.guess,
            "candidate": node.candidate,
            "remaining": node.remaining,
            "entropy": node.entropy,
        }
        assert [*below["children"]] == [str(feedback) for feedback in node.children]
    assert game_of(found["rules"]) == book.game
    book.save(tmp_path / "a.book")
    info = json.loads(run("info", "a.book", "--json").out)
    assert found.items() >= {k: v for k, v in info.items() if k not in ("path", "bytes")}.items()
    # Each key has its own line, for tools such as grep and head.
    lines = text.splitlines()
    assert [line.split('"')[1] for line in lines[1:-1]] == [*found]
    assert text.endswith("}\n")


def test_json_can_be_limited_to_a_depth() -> None:
    known = json.loads(gb.open("mastermind-4x6").export("json", depth=2))["tree"]
    assert len(known["children"]) == 13
    assert all(node["children"] == {} for node in known["children"].values())
    # A tree that is too deep for JSON parsers can be exported only with the option `depth`.
    codes = [str(number) for number in range(120)]
    table = gb.TableGame(codes, codes, lambda guess, code: "found" if guess == code else "no")
    deep = gb.build(table)
    with pytest.raises(gb.UsageError):
        deep.export("json")
    assert json.loads(deep.export("json", depth=100))["max_guesses"] == deep.stats.max_guesses


def keys_of(found: dict[str, Any], before: str = "") -> set[str]:
    """Return the keys of an object and of the objects in it, except in `children`.

    An inner key follows the outer key and a dot.
    """
    keys = set()
    for key, value in found.items():
        keys.add(before + key)
        if isinstance(value, dict) and key != "children":
            keys |= keys_of(value, f"{before}{key}.")
    return keys


def test_documentation_lists_the_keys_of_json(root: Path, run: Run) -> None:
    page = (root / "docs" / "how-to" / "embed" / "json.md").read_text("utf-8")
    listed = re.findall(r"^\| ((?:`[a-z0-9_.]+`(?:, )?)+) \|", page, re.MULTILINE)
    listed = [key for keys in listed for key in re.findall("`(.*?)`", keys)]
    info = json.loads(run("info", "mastermind-4x6", "--json").out)
    keys: set[str] = set()
    for book in [*map(book_of, BOOKS), BICYCLE]:
        found = json.loads(book.export("json"))
        optional = {"weight", "weighted_guesses", "weight_distribution", "note", "claims"}
        optional |= {"found_within", "goal", "outcomes", "total_cost", "mean_cost", "max_cost"}
        keys |= keys_of({k: v for k, v in found.items() if k not in info.keys() | optional})
    assert {*listed} == keys


@pytest.mark.skipif(not shutil.which("jq"), reason="jq is not installed")
def test_jq_program_in_the_documentation_looks_up_a_guess(root: Path, tmp_path: Path) -> None:
    page = (root / "docs" / "how-to" / "embed" / "json.md").read_text("utf-8")
    (program,) = re.findall(r"^```jq\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "book.json").write_text(gb.open("mastermind-4x6").export("json"), "utf-8")
    command = ["jq", "-r", program, "book.json", "--args", "1,1", "0,2"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "PYYG\n"


def test_exports_show_the_weights_of_secrets(run: Run, tmp_path: Path) -> None:
    book = book_of("weighted words")
    found = json.loads(book.export("json"))
    assert sorted(found["rules"]["weights"]) == sorted(WEIGHTS)
    known = dict(zip(found["rules"]["secrets"], found["rules"]["weights"], strict=True))
    assert known["slate"] == 3
    assert found["weight_distribution"] == {
        str(guesses): weight for guesses, weight in enumerate(book.stats.weight_distribution, 1)
    }
    assert found["mean_guesses"] == book.stats.mean_guesses
    mean = f"{book.stats.mean_guesses:.4f} guesses on average by weight"
    for name in ("python", "svg", "dot", "booklet"):
        assert mean in book.export(name)
    book.save(tmp_path / "a.book")
    report = run("report", "a.book", "-o", "-").out
    for said in ("mean (guesses, by weight)", "by the weights of the secrets", "more likely than"):
        assert said in report
    assert "weights" not in json.loads(book_of("words").export("json"))["rules"]
    assert "by weight" not in book_of("words").export("svg")


# Labels that resemble code. If two games differ only in their symbols or labels, their exports
# differ only in texts, never in structure.

HOSTILE = "+-@!\"'<>&;|%$#`\\/?*(){}[]^~_.:"
WIDE = "éß漢שـ🟩🐄＋＠＜\u0301\ufe0f"
DANGEROUS = ['"\\<&', '*/\\"', "?/'", "<!->", "]>&", "{}%$", "'\"`\\", "+-@!"]


class Elements(HTMLParser):
    """The elements of a page with the names of their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[object] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, [name for name, _ in attrs]))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(tag)

    def handle_comment(self, data: str) -> None:
        self.found.append("comment")


def shape_of(value: Any) -> object:
    """Return the types in a JSON value, nested as its arrays and objects are; keys are left out."""
    if isinstance(value, dict):
        return [shape_of(item) for item in value.values()]
    return [shape_of(item) for item in value] if isinstance(value, list) else type(value)


C_TOKEN = re.compile(
    r"""(?P<space>/\*.*?\*/|//[^\n]*|\s+)|(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
    r"""|(?P<number>\d\w*)|(?P<name>\w+)|(?P<sign>[^\w\s"'])""",
    re.DOTALL,
)


def c_tokens(text: str) -> list[str]:
    """Return the tokens of a C program; "number" and "text" stand for numbers and strings."""
    assert not re.search(r"\?\?[=/'()!<>-]", text), "a trigraph"
    # The name of the include guard depends on the book.
    text = re.sub("GUESSBOOK_H_[0-9A-F]{8}", "GUESSBOOK_H", text)
    tokens = [*C_TOKEN.finditer(text)]
    assert "".join(token[0] for token in tokens) == text
    kinds = [(token.lastgroup or "", token[0]) for token in tokens]
    return [t if kind in ("name", "sign") else kind for kind, t in kinds if kind != "space"]


def dot_tokens(text: str) -> list[str]:
    """Return the tokens of a Graphviz text, without the content of strings."""
    tokens = re.findall(r'"(?:\\.|[^"\\\n])*"|\w+|->|[{}\[\];,=]|\s+|.', text)
    assert "".join(tokens) == text
    return ["text" if token.startswith('"') else token for token in tokens if token.strip()]


def mermaid_tokens(text: str) -> list[str]:
    """Return the tokens of a Mermaid text without the content of strings, which must be escaped."""
    head, *lines = text.split("flowchart LR\n")[1].splitlines()
    assert json.loads(text.splitlines()[1].removeprefix("title: "))
    strings = re.findall(r'"([^"]*)"', "\n".join(lines))
    assert all(re.fullmatch(r"(?:[^\W_]| |#\d+;|<br/>)+", string) for string in strings)
    return [head, *[re.sub('"[^"]*"', "text", line) for line in lines]]


STRUCTURES: dict[str, Callable[[str], object]] = {
    "html": lambda text: Elements(text).found,
    "python": lambda text: [type(node) for node in ast.walk(ast.parse(text))],
    "json": lambda text: shape_of(json.loads(text)),
    "c": c_tokens,
    "dot": dot_tokens,
    "svg": lambda text: [(e.tag, [*e.attrib]) for e in ElementTree.fromstring(text).iter()],
    "booklet": lambda text: Elements(text).found,
    "key": lambda text: Elements(text).found,
    "mermaid": mermaid_tokens,
    "csv": lambda text: [len(row) for row in csv.reader(io.StringIO(text, newline=""))],
    "irving": lambda text: text.count("\n"),
}


def structures_of(book: gb.Book) -> dict[str, object]:
    """Return the structure of each export of a book."""
    found: dict[str, object] = {}
    for name in FORMS:
        if name == "irving" and not isinstance(book.game, gb.Mastermind):
            continue
        if name == ("key" if book.game.identification is None else "html"):
            continue
        text = book.export(name)
        text.encode()
        assert all(line.isprintable() for line in text.replace("\t", " ").split("\n"))
        found[name] = STRUCTURES[name](text)
    return found


def test_error_for_unknown_form_lists_all_forms(run: Run) -> None:
    listed = run("export", "mastermind-4x6", "--to", "nonsense").err
    assert set(FORMS) == set(re.findall(r"\w+", listed.partition("one of")[2])) - {"did", "you"}


def codes_book(symbols: str) -> gb.Book:
    """A book whose first guess repeats the first symbol three times, such as three quotes."""
    game = gb.Mastermind(3, len(symbols), symbols=symbols)
    return gb.build(game, first_guess=symbols[0] * 3)


@example(symbols="?/")  # a trigraph
@given(
    symbols=st.sampled_from(DANGEROUS)
    | st.lists(st.sampled_from(HOSTILE), min_size=2, max_size=4, unique=True).map("".join)
)
def test_symbols_do_not_change_the_structure_of_exports(symbols: str) -> None:
    assert structures_of(codes_book(symbols)) == tame_structures(len(symbols))


@cache
def tame_structures(colors: int) -> dict[str, object]:
    """The structures of a book whose symbols are letters."""
    return structures_of(codes_book("cdef"[:colors]))


def table_book(labels: list[str]) -> gb.Book:
    """A book of a table game, whose guesses, secrets and answers have these six labels."""
    first, second, one, two, three, answer = labels
    rows = [[answer, "n", "n"], ["n", answer, "m"]]
    return gb.build(gb.TableGame([first, second], [one, two, three], rows, goal="name"))


def outcomes_book(labels: list[str]) -> gb.Book:
    """A book whose tests, things, outcomes and answers have these six labels."""
    first, second, one, two, three, answer = labels
    # A bar would separate two answers, and a question mark alone would be an unknown one.
    answer = f"{answer.replace('|', '/')}!"
    rows = [[answer, "n", "n"], ["n", answer, "m"]]
    things = [f"{label} thing"[:100] for label in (one, two, three)]
    return gb.build(gb.TableGame([first, second], things, rows, outcomes=[one, two, three]))


LABELS = st.text(HOSTILE + WIDE + "=ab \t", min_size=1, max_size=6).map(str.strip)
BOOKS_OF_LABELS = [table_book, outcomes_book]
TAME_LABELS = ["swap", "look", "bulb", "fuse", "wire", "lit"]
TAME = {make: structures_of(make(TAME_LABELS)) for make in BOOKS_OF_LABELS}


@example(labels=["</script>", "</style><b>", "<!--", "]]>", "??/", '"""'])
@example(labels=["=1+1", "'x", "-->", "*/", "\\", "${x}"])
@given(labels=st.lists(LABELS, min_size=6, max_size=6, unique_by=str.casefold))
def test_labels_do_not_change_the_structure_of_exports(labels: list[str]) -> None:
    for make, tame in TAME.items():
        try:
            book = make(labels)
        except gb.InvalidGameError:
            assume(False)
        for name, found in structures_of(book).items():
            # A script that prints more than ASCII has more lines.
            if name != "python" or "".join(labels).isascii():
                assert found == tame[name], name


@given(
    symbols=st.lists(st.sampled_from(HOSTILE + WIDE), min_size=4, max_size=4, unique=True).map(
        "".join
    )
)
def test_unicode_symbols_are_unchanged_in_json_and_svg(symbols: str) -> None:
    book = gb.build(gb.Mastermind(2, 4, symbols=symbols))
    assert structures_of(book)
    found = json.loads(book.export("json"))
    assert found["rules"]["symbols"] == symbols
    assert found["tree"]["guess"] == book.root.guess
    drawn = "".join(ElementTree.fromstring(book.export("svg")).itertext())
    assert set(book.root.guess) <= set(drawn)


@pytest.mark.parametrize("symbols", DANGEROUS)
def test_symbols_do_not_change_the_structure_of_a_report(
    symbols: str, run: Run, tmp_path: Path
) -> None:
    found = []
    for name in (symbols, "cdef"):
        codes_book(name[: len(symbols)]).save(tmp_path / "a.book")
        found.append(Elements(run("report", "a.book", "-o", "-").out).found)
    assert found[0] == found[1]


@pytest.mark.parametrize("symbols", ["+-@\"'", "＋＠;\u0301é", "ab'c1"])
def test_csv_cells_are_not_formulas(symbols: str, run: Run, tmp_path: Path) -> None:
    book = gb.build(gb.Mastermind(2, 5, symbols=symbols))
    book.save(tmp_path / "a.book")
    assert run("simulate", "a.book", "-o", "a.csv").code == 0
    text = (tmp_path / "a.csv").read_text("utf-8")
    head, *rows = csv.reader(io.StringIO(text, newline=""))
    assert head == ["secret", "guesses"]
    assert all(row[0][0] not in "=+-@＝＋－＠\t\r\n" for row in rows)
    plain = [re.sub("^'(?=[=+\\-@＝＋－＠'])", "", row[0]) for row in rows]
    assert plain == [*book.game.secrets]
    options = ["--pegs", 2, "--colors", 5, f"--symbols={symbols}"]
    assert run("table", *options, "-o", "table.csv").code == 0
    table = gb.read_table(tmp_path / "table.csv")
    for guess in book.game.guesses:
        for secret in book.game.secrets:
            said = "found" if guess == secret else str(book.game.feedback(guess, secret))
            assert str(table.feedback(guess, secret)).replace("2,0", "found") == said

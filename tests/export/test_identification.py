"""Exports of books that identify outcomes: each form leads every thing to its outcome."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from html import unescape
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import guessbook as gb
from tests.export.samples import BICYCLE
from tests.routes.routes import tables_of_c

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.helpers.command import Run

# The way to an outcome: the tests with their answers, and the outcome.
Way = tuple[list[tuple[str, str]], str]


def paths_of(book: gb.Book, ask: Callable[[list[tuple[str, str]]], tuple[str, bool]]) -> list[Way]:
    """Return the path of each thing, or of its copies if it may give several answers.

    `ask` returns, after a history, a test or an outcome, and whether it is an outcome.
    """
    found = []
    for secret in book.game.secrets:
        history: list[tuple[str, str]] = []
        text, ended = ask(history)
        while not ended:
            history.append((text, str(book.game.feedback(text, secret))))
            text, ended = ask(history)
        found.append((history, text))
    return found


def paths_by_book(book: gb.Book) -> list[Way]:
    """Return the paths in the tree of the book."""

    def ask(history: list[tuple[str, str]]) -> tuple[str, bool]:
        node = book.root
        for _, answer in history:
            node = node.children[answer]
        return node.guess, node.outcome is not None

    return paths_of(book, ask)


def cost_of(game: gb.TableGame, costs: list[Any], paths: list[Way]) -> float:
    """Return the sum, over things, of weight times cost."""
    by_test = dict(zip(game.guesses, map(float, costs), strict=False))
    weights = game.weights or [1] * len(game.secrets)
    spent = [sum(by_test[test] for test, _ in history) for history, _ in paths]
    return sum(weight * cost for weight, cost in zip(weights, spent, strict=True))


def test_info_matches_the_paths_of_all_things(run: Run, tmp_path: Path) -> None:
    BICYCLE.save(tmp_path / "a.book")
    known = json.loads(run("info", "a.book", "--json").out)
    paths = paths_by_book(BICYCLE)
    assert isinstance(BICYCLE.game, gb.TableGame)
    total = cost_of(BICYCLE.game, [1, 2, 0.5, 3], paths)
    assert known["goal"] == "identify"
    assert known["outcomes"] == {"bulb": 1, "wire": 2, "clean": 1, "charge": 1, "switch": 1}
    assert known["total_cost"] == pytest.approx(total)
    assert known["mean_cost"] == pytest.approx(total / known["weight"])
    assert known["claims"]["at_least"] == known["total_cost"]
    lengths = [len(history) for history, _ in paths]
    assert known["distribution"] == {str(n): lengths.count(n) for n in range(max(lengths) + 1)}
    assert "goal" not in json.loads(run("info", "--json").out)


def script_of(book: gb.Book) -> Any:
    """Import the exported script."""
    script = ModuleType("hint")
    exec(compile(str(book.export("python")), "hint.py", "exec"), script.__dict__)
    return script


@st.composite
def books(draw: st.DrawFn) -> gb.Book:
    """Draw a book of a small table, with unknown answers, shared outcomes and costs."""
    things, tests = draw(st.integers(1, 7)), draw(st.integers(1, 5))
    answers = st.sampled_from(["no", "yes", "0", "no|yes", "?"])
    rows = [
        ["no", *draw(st.lists(answers, min_size=things - 1, max_size=things - 1))]
        for _ in range(tests)
    ]
    game = gb.TableGame(
        [f"test {n}" for n in range(tests)],
        [f"thing {n}" for n in range(things)],
        rows,
        outcomes=draw(st.lists(st.sampled_from("abc"), min_size=things, max_size=things)),
        costs=draw(st.lists(st.integers(1, 5), min_size=tests, max_size=tests)),
        merge_equal=True,
    )
    return gb.build(game, draw(st.sampled_from(["entropy", "minimax", "optimal"])))


@given(books())
def test_script_key_json_and_csv_lead_every_thing_to_its_outcome(book: gb.Book) -> None:
    paths = paths_by_book(book)
    script = script_of(book)

    def by_script(history: list[tuple[str, str]]) -> tuple[str, bool]:
        text, _, candidate, ended = script.hint(history[::-1])
        assert candidate == ended
        return text, ended

    tree = json.loads(book.export("json"))["tree"]

    def by_json(history: list[tuple[str, str]]) -> tuple[str, bool]:
        node = tree
        for _, answer in history:
            node = node["children"][answer]
        return node["guess"], node.get("outcome") == node["guess"]

    html, text = html_key(book.export("key")), text_key(book.export("key", plain=True))
    assert html == text == html_key(book.export("booklet"))

    def by_key(history: list[tuple[str, str]]) -> tuple[str, bool]:
        number = "1"
        for _, answer in history:
            goal = text[number][1][answer]
            if not goal.startswith("go to "):
                return goal, True
            number = goal.removeprefix("go to ")
        return text[number][0], not text[number][1]

    for ask in (by_script, by_json, by_key):
        assert paths_of(book, ask) == paths
    rows = list(csv.reader(io.StringIO(book.export("csv"), newline="")))
    steps = [[cell for step in history for cell in step] for history, _ in paths]
    assert {(row[0], *filter(None, row[3:])) for row in rows[1:]} == {
        (outcome, *step) for step, (_, outcome) in zip(steps, paths, strict=True)
    }
    assert sum(float(row[1]) for row in rows[1:]) == pytest.approx(1, abs=1e-4)
    mean = sum(float(row[1]) * float(row[2]) for row in rows[1:])
    assert mean == pytest.approx(book.stats.mean_cost, abs=1e-3)
    assert max(float(row[2]) for row in rows[1:]) == book.stats.max_cost
    # A chart has a rounded node for each path.
    chart = book.export("mermaid", depth=99)
    assert (
        chart.count('(["') == len(rows) - 1 == sum(node.outcome is not None for node in book.nodes)
    )


# The couplets of a key, by number: the test of each, and where each answer leads.
Couplets = dict[str, tuple[str, dict[str, str]]]


def html_key(text: str) -> Couplets:
    """Read a key in HTML."""

    def plain(markup: str) -> str:
        return unescape(re.sub("<[^>]*>", "", markup)).strip()

    found: Couplets = {}
    text = re.sub(r"<small>total cost [\d.]+</small>", "", text)
    for number, item in re.findall(r'<li id="(\d+)"[^>]*>(.*?)</li>', text):
        test = re.search(r"<h2><b>\d+</b> (.*?)<small>", item)
        rows = [(plain(a), plain(b)) for a, b in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", item)]
        assert test
        check_names(number, [a.split(" ")[0] for a, _ in rows])
        found[number] = plain(test[1]), {a.split(" ", 1)[1]: b for a, b in rows}
    return found


def text_key(text: str) -> Couplets:
    """Read a key in plain text."""
    found: Couplets = {}
    for paragraph in text.split("\n\n")[2:]:
        head, *rows = paragraph.splitlines()
        number, test = head.split("  ")[:2]
        leads = [re.fullmatch(r"  (\w+)  (.*?) \.\.+ (= )?(.*)", row) for row in rows]
        check_names(number, [lead[1] for lead in leads if lead])
        found[number] = test, {lead[2]: lead[4].split("  (")[0] for lead in leads if lead}
    return found


def check_names(number: str, names: list[str]) -> None:
    """Check that the answers of a couplet are called 1a, 1b, ..., 1z, 1aa, ..."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    every = [*letters, *(a + b for a in letters for b in letters)]
    assert names == [number + letter for letter in every[: len(names)]]


def test_key_and_chart_show_costs_if_the_table_has_costs() -> None:
    rows = csv.DictReader(io.StringIO(BICYCLE.export("csv"), newline=""))
    ends = sorted((row["outcome"], row["cost"]) for row in rows)
    text, page = BICYCLE.export("key", plain=True), BICYCLE.export("key")
    assert sorted(re.findall(r" = (.*)  \(total cost (.*)\)", text)) == ends
    assert sorted(re.findall(r">([^<>]*)</b> <small>total cost (.*?)</small></dd>", page)) == ends
    assert '\n1  look "inside" | a=b  (cost 0.5)\n' in text
    assert "\n4  bulb  (from 3a, cost 2)\n" in text
    assert "<small>from 3a, cost 2</small>" in page
    assert "<br/>cost 0#46;5#44; 100#46;00#37;" in BICYCLE.export("mermaid")
    plain = gb.build(gb.TableGame(["a"], ["x", "y"], ["12"]))
    for form in ("key", "mermaid"):
        assert plain.export(form).lower().count("cost") == 1
    none = gb.TableGame([], ["x"], [], goal="identify")
    assert none.identification
    assert not none.identification.priced


def test_answers_of_a_key_are_lettered_aa_after_z() -> None:
    numbers = range(60)
    rows = [[n // 2 for n in numbers], [n % 2 for n in numbers]]
    text = gb.build(gb.TableGame(["half", "odd"], numbers, rows)).export("key", plain=True)
    assert "\n  1aa  26 .. go to" in text
    assert len(text_key(text)) == 31


def test_key_needs_outcomes_and_is_text_unless_the_file_is_html(run: Run, tmp_path: Path) -> None:
    assert run("export", "--to", "key").code == 2
    BICYCLE.save(tmp_path / "a.book")
    assert run("export", "a.book", "--to", "key", "--title", "<A lamp>").code == 0
    (page,) = tmp_path.glob("*.key.html")
    assert "<h1>&lt;A lamp&gt;</h1>" in page.read_text("utf-8")
    done = run("export", "a.book", "--to", "key", "-o", "-", "--title", "A lamp")
    assert done.out == BICYCLE.export("key", title="A lamp", plain=True)
    assert run("export", "a.book", "-o", "key.txt", "--title", "A lamp").code == 0
    assert (tmp_path / "key.txt").read_text("utf-8") == done.out
    assert done.out.startswith("A lamp\n4 tests, 6 things, 5 outcomes. Expected cost ")
    with pytest.raises(gb.UsageError):
        BICYCLE.export("key", title=1)


HARNESS = r"""
#include <stdio.h>
#include "guess.h"

int main(void)
{
    char code[GUESSBOOK_TEXT];
    int32_t node, k;
    for (node = -1; node <= GUESSBOOK_NODES; node++) {
        guessbook_code(node, code);
        printf("%d %s", guessbook_is_outcome(node), code);
        for (k = 0; k < GUESSBOOK_SOLVED; k++)
            if (guessbook_next(node, k) >= 0) printf("|%s", guessbook_answers[k]);
        puts("");
    }
    return 0;
}
"""


@pytest.mark.skipif(not shutil.which("gcc"), reason="gcc is not installed")
def test_c_header_has_the_tree_and_marks_outcomes(tmp_path: Path) -> None:
    (tmp_path / "guess.h").write_text(str(BICYCLE.export("c")), "utf-8")
    (tmp_path / "main.c").write_text(HARNESS, "utf-8")
    flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    subprocess.run(["gcc", *flags, "main.c", "-o", "main"], cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "main"], capture_output=True, check=True)
    number = BICYCLE.game.parse_feedback
    assert tables_of_c(BICYCLE) == [
        "\t".join([node.guess, *[f"{number(a)}:{n.index}" for a, n in node.children.items()]])
        for node in BICYCLE.nodes
    ]
    nodes = [
        "|".join([f"{int(node.outcome is not None)} {node.guess}", *node.children])
        for node in BICYCLE.nodes
    ]
    assert done.stdout.decode().split("\n") == ["0 ", *nodes, "0 ", ""]


def test_script_ignores_case_and_rejects_off_book_answers() -> None:
    script = script_of(BICYCLE)
    history, outcome = max(paths_by_book(BICYCLE), key=lambda path: len(path[0]))
    texts = [f"{test}={answer}" for test, answer in history]
    assert script.next_test([text.upper() for text in texts]) == outcome
    # An outcome with the label of a test takes no answer.
    rows = [["on", "on"], ["dark", "lit"]]
    book = gb.build(gb.TableGame(["bulb", "look"], ["x", "y"], rows, outcomes=["bulb", "wire"]))
    script = script_of(book)
    assert script.hint(["look=dark"]) == ("bulb", 1, True, True)
    for answer, code in (("on", 1), ("lit", 1), ("?", 2), ("found", 2)):
        with pytest.raises(script.HintError) as error:
            script.hint(["look=dark", f"bulb={answer}"])
        assert error.value.args[1] == code
    assert "give one of 'dark', 'lit', 'on'" in error.value.args[0]


@pytest.mark.parametrize(
    "command",
    [
        "info",
        "tree",
        "explain",
        "report -o -",
        "compare",
        "simulate",
        *[f"export --to {n} -o -" for n in ("c", "dot", "svg", "booklet", "python", "mermaid")],
    ],
)
def test_output_uses_the_terms_of_tables(command: str, run: Run, tmp_path: Path) -> None:
    BICYCLE.save(tmp_path / "a.book")
    name, *options = command.split()
    result = run(name, "a.book", *options)
    assert (result.code, result.err) == (0, "")
    said = re.sub(r"[Gg]uessbook(_\w+)?|GUESSBOOK_\w+|guess\.h|hint\.py", "", result.out)
    assert not re.search(r"\b(guess|guesses|secret|secrets)\b", said)
    # The comments of exported programs call the number of an answer a feedback.
    assert name == "export" or not re.search(r"\bfeedbacks?\b", said)
    assert re.search(r"\b(test|tests|things|cost)\b", said)


def test_solve_uses_the_terms_of_tables(run: Run, tmp_path: Path) -> None:
    BICYCLE.save(tmp_path / "a.book")
    (first, answer), *_ = paths_by_book(BICYCLE)[0][0]
    other = next(each for each in BICYCLE.root.children if each != answer)
    lines = f":?\nhelp\n?\n{first}={answer}\n{first}={other}\n"
    out = run("solve", "a.book", lines=lines).out
    assert "answer " in out
    assert "No thing fits all these answers" in out
    assert "Type `edit 2 ANSWER`" in out
    assert not re.search(r"\b(guess|secret|code|feedback)\b", out, re.IGNORECASE)


def test_solve_ranks_outcomes_if_no_test_is_left(run: Run, tmp_path: Path) -> None:
    BICYCLE.save(tmp_path / "a.book")
    out = " ".join(run("solve", "a.book", lines="?\n?\n?\n?\nlist\n\n").out.split())
    assert "Not known: no test is left. Outcomes: bulb 35.7%, charge 28.6%, wire 14.3%" in out
    assert "not known>" in out
    assert "Outcome: " not in out


def test_thing_with_unknown_answers_counts_once(run: Run, tmp_path: Path) -> None:
    rows = [["no|yes", "no", "yes"], "011"]
    gb.build(gb.TableGame(["a", "b"], "xyz", rows, [6, 4, 4])).save(tmp_path / "a.book")
    assert "things      3 of 3" in run("hint", "a.book").out
    assert "things      2 of 3" in run("hint", "a.book", "a=no", "b=?").out
    out = run("solve", "a.book", lines="list\n").out
    assert "3 possible)" in out
    assert "x 42.9%  y 28.6%  z 28.6%" in out


def test_irving_export_rejects_outcomes() -> None:
    with pytest.raises(gb.UsageError):
        BICYCLE.export("irving")


def test_tree_and_report_show_costs_and_the_share_of_each_outcome(run: Run, tmp_path: Path) -> None:
    BICYCLE.save(tmp_path / "a.book")
    known = BICYCLE.stats
    tree = run("tree", "a.book", "--title", "Lamp", columns=200).out.splitlines()
    assert tree[0] == "Lamp: 6 things"
    assert tree[1] == f"expected cost {known.mean_cost:.4f} by weight, worst case {known.max_cost}"
    weights = {"bulb": 5, "charge": 4, "wire": 2, "clean": 2, "switch": 1}
    shares = ", ".join(f"{name} {weight / 14:.2%}" for name, weight in weights.items())
    assert tree[2] == f"5 outcomes: {shares}"
    report = run("report", "a.book", "--title", "Lamp", "-o", "-").out
    assert "<h1>Lamp</h1>" in report
    assert f"<dd>{known.mean_cost:.4f}</dd>" in report
    for name, weight in weights.items():
        assert f'<td>{name}</td><td class="n">{100 * weight / 14:.2f}%</td>' in report
    assert "<h2>Outcomes</h2>" in report
    assert "<h2>Outcomes</h2>" not in run("report", "mastermind-4x6", "-o", "-").out


def test_certain_outcome_needs_no_test(run: Run, tmp_path: Path) -> None:
    game = gb.TableGame(["a", "b"], ["x", "y"], [[1, 0], [1, 1]], outcomes=["z", "z"])
    book = gb.build(game)
    book.save(tmp_path / "a.book")
    assert script_of(book).hint() == ("z", 2, True, True)
    for command in ("info", "tree", "report -o -", "export --to key -o -", "export --to csv -o -"):
        name, *options = command.split()
        result = run(name, "a.book", *options)
        assert (result.code, result.err) == (0, "")

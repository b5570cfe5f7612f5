"""Reading tables: things in rows or columns, roles, unknown cells, workbooks, attribute games."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import guessbook as gb
from guessbook.export.spreadsheet import sheet
from tests.helpers.command import Run
from tests.helpers.samples import WORD_GAME
from tests.helpers.workbooks import Rows, ods, xlsx

CARS = """fault,headlights,horn,repair,how often
battery,dim,quiet,charge it,4
fuse,off,off,replace it,2
starter,bright,loud,?,1
"""
FAULTS = ["flat battery", "blown fuse", "bad starter"]
LOOKS = [["dim", "off", "bright"], ["quiet", "off", "loud"]]


def turned(content: str) -> str:
    """Return CSV with rows and columns exchanged."""
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows(zip(*csv.reader(StringIO(content)), strict=True))
    return out.getvalue()


def read(folder: Path, content: str, **options: Any) -> gb.TableGame:
    """Return the game of a file with this content."""
    path = folder / "table.csv"
    path.write_text(content, "utf-8")
    return gb.read_table(path, **options)


def asked(folder: Path, content: str, **options: Any) -> str:
    """Return the error for a file with this content."""
    with pytest.raises(gb.InvalidGameError) as error:
        read(folder, content, **options)
    return str(error.value)


THINGS_IN_ROWS = {
    "a role of things": ",a,b,outcome\nx,1,1,p\ny,1,2,q\nz,2,1,q\n",
    "weights": ",a,b,weights\nx,1,1,5\ny,1,2,3\nz,2,1,2\n",
    "costs": ",a,b\nx,1,1\ny,1,2\nz,2,1\ncost,5,7\n",
    "a corner": "thing,a,b\nx,1,1\ny,1,2\nz,2,1\n",
    "questions": ",a?,b?\nx,1,1\ny,1,2\nz,2,1\n",
    "numbers": ",a,b\n007,1,1\n008,1,2\n009,2,1\n",
    "answers of their own": ",a,b\nx,dim,off\ny,dim,on\nz,bright,off\nu,bright,on\n",
    "a single test": ",a\nx,1\ny,2\nz,3\n",
}


@pytest.mark.parametrize("content", THINGS_IN_ROWS.values(), ids=THINGS_IN_ROWS)
def test_orientation_of_a_table_follows_from_its_content(tmp_path: Path, content: str) -> None:
    game = read(tmp_path, content)
    things = {"x", "y", "z", "u", "007", "008", "009"}
    assert {*game.secrets} <= things
    # The corner says what is in the first column.
    other = turned(content).replace("thing", "test")
    again = read(tmp_path, other)
    assert again == game
    assert "in rows" in game.notes[0]
    assert "in columns" in again.notes[0]


PARTS = """fault,battery,fuse,lamp,outcome
cost,1,2,3,
battery,low,ok,dark,charge
fuse,ok,blown,dark,replace fuse
bulb,ok,ok,dark,replace bulb
switch,ok,ok,lights,clean
"""


def test_roles_decide_the_orientation_even_if_things_have_names_of_tests(tmp_path: Path) -> None:
    game = read(tmp_path, PARTS)
    assert game.notes == [
        'read 4 things in rows, 3 tests, outcome "outcome" with 4 values, cost "cost"'
    ]
    renamed = PARTS.replace("outcome", "Repair").replace("cost", "Minutes")
    assert read(tmp_path, PARTS, goal="identify") == game
    assert read(tmp_path, renamed, outcome="Repair", cost="Minutes") == game
    other = read(tmp_path, turned(PARTS))
    assert other == game
    assert "in columns" in other.notes[0]


def test_single_test_with_the_name_of_a_thing_must_be_confirmed(tmp_path: Path) -> None:
    content = "thing,battery,lamp\nbattery,low,dark\nbulb,ok,dark\nswitch,ok,lights\n"
    assert "add --goal name if it does, or --goal identify if it does not" in asked(
        tmp_path, content
    )
    identified, named = [read(tmp_path, content, goal=goal) for goal in ("identify", "name")]
    assert identified.secrets == named.secrets == ("battery", "bulb", "switch")
    assert (identified.listed, named.listed) == (2, 4)


def test_ambiguous_orientation_is_an_error_without_the_option_things(tmp_path: Path) -> None:
    content = "x,a,b\nc,yes,no\nd,no,no\n"
    said = asked(tmp_path, content)
    assert "--things rows if 'c' and 'd' are things" in said
    assert "--things columns if 'a' and 'b' are things" in said
    rows, columns = [read(tmp_path, content, things=things) for things in ("rows", "columns")]
    assert (rows.secrets, rows.guesses[:2]) == (("c", "d"), ("a", "b"))
    assert (columns.secrets, columns.guesses[:2]) == (("a", "b"), ("c", "d"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 1 << 32))
def test_table_gives_the_same_game_in_both_orientations(tmp_path: Path, seed: int) -> None:
    draw = Random(seed)
    tests, things = [f"t{k}" for k in range(4)], [f"x{k}" for k in range(5)]
    # The first test distinguishes all things.
    rows = [[f"a{k}" for k in range(5)], *[draw.choices("bc?", k=5) for _ in range(3)]]
    for row in rows[1:]:
        row[draw.randrange(5)] = "b|c"
        row[draw.randrange(5)] = "b"
    outcomes, costs = draw.choices("pq", k=5), [draw.randint(1, 4) for _ in tests]
    weights = [draw.randint(1, 9) for _ in things]
    game = gb.TableGame(tests, things, rows, weights, outcomes=outcomes, costs=costs)
    lines: list[list[Any]] = [["", *things, "cost"], ["outcome", *outcomes, ""]]
    lines += [[test, *row, cost] for test, row, cost in zip(tests, rows, costs, strict=True)]
    lines.insert(draw.randint(1, len(lines)), ["weight", *weights, ""])
    content = "\n".join(",".join(map(str, line)) for line in lines)
    for text in (content, content.replace("?", ""), turned(content)):
        assert read(tmp_path, text) == game


def test_labels_of_roles_may_have_any_case_and_spaces(tmp_path: Path) -> None:
    game = read(tmp_path, CARS.replace("?", "swap it"), outcome="REPAIR", weight=" how  often ")
    repairs = ["charge it", "replace it", "swap it"]
    tests = ["headlights", "horn"]
    assert game == gb.TableGame(
        tests, ["battery", "fuse", "starter"], LOOKS, [4, 2, 1], outcomes=repairs
    )
    assert game.notes == [
        'read 3 things in rows, 2 tests, outcome "repair" with 3 values, weight "how often"'
    ]


@pytest.mark.parametrize(
    ("content", "role", "label"),
    [
        ("thing,a,repair\nx,1,p\ny,2,q\n", "outcome", "repair"),
        ("test,x,y\na,1,2\nfinal decision,p,q\n", "outcome", "final decision"),
        ("test,x,y\na,1,2\nprobability,50 %,20%\n", "weight", "probability"),
        ("test,x,y,minutes\na,1,2,5\n", "cost", "minutes"),
        ("thing,a,b\nx,1,1\ny,2,1\nPrice,5,2.5\n", "cost", "Price"),
        ("thing,a,wieght,outcome\nx,1,2,p\ny,2,3,q\ncost,5,,\n", "weight", "wieght"),
        ("thing,a,outcome\nx,1,p\ny,2,q\ncsot,5,\n", "cost", "csot"),
        ("thing,a,Frequency,outcome\nx,1,2,p\ny,2,3,q\ncost,5,,\n", "weight", "Frequency"),
        ("row,a,b,level\n1,p,p,low\n2,p,q,high\n3,q,p,high\n4,q,q,low\n", "outcome", "level"),
    ],
)
def test_label_that_suggests_a_role_must_be_confirmed(
    tmp_path: Path, content: str, role: str, label: str
) -> None:
    said = asked(tmp_path, content)
    assert f'add --{role} "{label}" if it is, or --{role} none if it is not' in said
    given = read(tmp_path, content, **{role: label})
    assert f'{role} "{label}"' in given.notes[0]
    if ",," in content or "csot" in content:
        # Without the role, this line would be a test or a thing, with a blank cell in the line of
        # another role, so the table would be invalid.
        return
    without = read(tmp_path, content, **{role: "none"})
    assert label in (*without.guesses, *without.secrets)


def test_long_questions_and_columns_of_texts_suggest_no_role(tmp_path: Path) -> None:
    content = "test,x,y,time\nis the price right now?,1,2,late\na,2,2,early\n"
    assert read(tmp_path, content).secrets == ("x", "y", "time")


def test_last_column_that_distinguishes_things_is_not_an_outcome(tmp_path: Path) -> None:
    content = "row,a,b,level\n1,p,p,low\n2,p,p,high\n3,q,p,high\n4,q,q,low\n"
    game = read(tmp_path, content)
    assert game.guesses == ("a", "b", "level", "1", "2", "3", "4")


def test_first_column_with_repeated_texts_does_not_name_things(tmp_path: Path) -> None:
    content = "class,cap,odour\ngood,flat,none\nbad,flat,foul\nbad,round,foul\ngood,round,none\n"
    game = read(tmp_path, content, outcome="class")
    assert game == gb.TableGame(
        ["cap", "odour"],
        ["row 2", "row 3", "row 4", "row 5"],
        [["flat", "flat", "round", "round"], ["none", "foul", "foul", "none"]],
        outcomes=["good", "bad", "bad", "good"],
    )
    assert "A5: this thing has no outcome" in asked(
        tmp_path, content.replace("good,round", "?,round"), outcome="class"
    )


def test_unknown_cells_are_counted(tmp_path: Path) -> None:
    game = read(tmp_path, "test,x,y,z\na,1,,2\nb,?,1,1|2\nc,1,2,3\n")
    assert game.notes[0] == "read 3 things in columns, 3 tests, 2 unknown cells"


def test_copies_of_a_thing_never_have_the_label_of_another_thing() -> None:
    game = gb.TableGame(
        ["look", "feel"], ["rust", "rust #1", "dirt"], [["a", "c", "d"], ["?", "y", "z"]]
    )
    assert sorted(game.secrets) == ["dirt", "rust #1", "rust #2", "rust #3"]
    assert gb.open(gb.build(game).to_bytes()).game == game


def test_things_of_different_outcomes_are_merged_only_on_request(tmp_path: Path) -> None:
    content = "test,x,y,z,u\noutcome,p,p,q,r\nweight,1,2,3,4\na,1,1,2,2\n"
    assert "different outcomes (z or u);" in asked(tmp_path, content)
    game = read(tmp_path, content, merge_equal=True)
    assert game.notes[1:] == [
        f"merged, since their answers are equal: {x}" for x in ("x or y", "z or u")
    ]
    assert game == gb.TableGame(
        ["a"], ["x or y", "z or u"], ["12"], [3, 7], outcomes=["p", "q or r"]
    )


def test_things_that_cannot_be_told_apart_are_listed_once(tmp_path: Path) -> None:
    content = "thing,a,b\nx,1,1\ny,2,2\nz,?,?\n"
    assert "different outcomes (x or z; y or z), since" in asked(tmp_path, content)
    assert read(tmp_path, content, merge_equal=True).notes[1:] == [
        f"merged, since their answers are equal: {x}" for x in ("x or z", "y or z")
    ]


def test_notes_mention_possible_unknown_answers_and_columns_of_remarks(tmp_path: Path) -> None:
    rows = ["a,n/a,why", "b,p,who", "c,p,when", "d,q,where", "e,q,how", "f,r,"]
    content = "\n".join(["thing,test,remarks", *rows, ""])
    assert read(tmp_path, content).notes[1:] == [
        "the test 'remarks' has a different answer for each thing; leave it out if it is a remark",
        "is 'n/a' in B2 an unknown answer? then write ?",
    ]
    blood = "thing,a,b\nx,+,-\ny,-,-\nz,+,+\n"
    assert len(read(tmp_path, blood).notes) == 1


def test_merged_outcomes_are_equal_if_they_join_the_same_outcomes() -> None:
    game = gb.TableGame(
        ["lamp"],
        ["a", "b", "c", "d", "e"],
        [["on", "on", "dim", "off", "off"]],
        outcomes=["x", "y", "x or y", "y", "x"],
        merge_equal=True,
    )
    assert game.identification is not None
    assert [game.identification.outcomes[k] for k in game.identification.outcome_of] == [
        "x or y (2)",
        "x or y",
        "x or y (2)",
    ]


def test_long_merged_outcomes_stay_different() -> None:
    parts = ["r" * 60, *[f"part {k}" for k in range(20)]]
    game = gb.TableGame(
        ["lamp"],
        [f"fault {k}" for k in range(42)],
        [["on"] * 21 + ["off"] * 21],
        outcomes=[*parts, "r" * 60, *[f"board {k}" for k in range(20)]],
        merge_equal=True,
    )
    assert game.identification is not None
    assert len(game.identification.outcomes) == 2


@pytest.mark.parametrize("game", [WORD_GAME, gb.Mastermind(2, 3)], ids=repr)
def test_guesses_that_name_secrets_may_have_names_of_roles(
    run: Run, tmp_path: Path, game: gb.Game
) -> None:
    table = gb.TableGame(game.guesses, game.secrets, game.feedback)
    assert table.identification is None
    names = dict(zip(game.guesses, ["cost", "outcome", "weight"], strict=False))
    named = gb.TableGame(
        [names.get(g, g) for g in game.guesses],
        [names.get(s, s) for s in game.secrets],
        [[game.feedback(g, s) for s in game.secrets] for g in game.guesses],
    )
    gb.build(named).save(tmp_path / "named.book")
    assert run("table", "named.book", "-o", "named.csv").code == 0
    assert gb.read_table(tmp_path / "named.csv") == named


def test_table_of_outcomes_and_costs_can_be_written_and_read(run: Run, tmp_path: Path) -> None:
    game = gb.TableGame(
        ["look", "open it", "ask"], FAULTS, [*LOOKS, "aab"], [4, 2, 1],
        outcomes=["charge it", "buy one", "buy one"], costs=["0.5", 2, 1],
    )  # fmt: skip
    gb.build(game).save(tmp_path / "cars.book")
    assert run("table", "cars.book", "-o", "cars.csv").code == 0
    assert gb.read_table(tmp_path / "cars.csv") == game


def names(size: int) -> st.SearchStrategy[list[str]]:
    """Lists of labels, most of which look like roles."""
    known = (
        "cost Costs weights outcome coast result eight csot price minutes none test guess thing id "
        "number? 7 8 9 a b"
    )
    some = st.sampled_from(known.split())
    return st.lists(some, min_size=1, max_size=size, unique_by=str.casefold)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names(4), names(5), st.randoms(use_true_random=False))
def test_written_table_is_read_whatever_its_labels_look_like(
    tmp_path: Path, tests: list[str], things: list[str], draw: Random
) -> None:
    some = [draw.random() < 0.5 for _ in range(3)]
    game = gb.TableGame(
        tests,
        things,
        [draw.choices("123", k=len(things)) for _ in tests],
        [draw.randint(1, 4) for _ in things] if some[0] else None,
        outcomes=draw.choices(["p", "q", "cost"], k=len(things)) if some[1] else None,
        costs=draw.choices([1, 2, "0.5"], k=len(tests)) if some[2] else None,
        goal="identify",
        merge_equal=True,
    )
    assert read(tmp_path, "".join(sheet(game))) == game


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names(4), names(5), st.randoms(use_true_random=False))
def test_written_table_of_guesses_is_read_whatever_its_labels_look_like(
    tmp_path: Path, guesses: list[str], secrets: list[str], draw: Random
) -> None:
    # A guess and a secret must not differ only in capitals.
    guesses, secrets = [[*map(str.casefold, some)] for some in (guesses, secrets)]
    rows = [["found" if g == s else draw.choice("123") for s in secrets] for g in guesses]
    # The last guess tells all secrets apart.
    game = gb.TableGame([*guesses, "which"], secrets, [*rows, range(len(secrets))], goal="name")
    assert read(tmp_path, "".join(sheet(game))) == game


def test_written_table_marks_roles_only_if_a_label_looks_like_one() -> None:
    for test, written in (
        ("look", "test,x,y\nlook,1,2\n"),
        ("cost", 'test,cost,x,y\n"weights","",1,1\ncost,1,1,2\n'),
    ):
        # A line whose texts have only letters and digits is written without quotation marks.
        assert "".join(sheet(gb.TableGame([test], "xy", ["12"], goal="identify"))) == written


@pytest.mark.parametrize("label", ["eight", "coast", "weigh", "tsoc"])
def test_words_that_only_resemble_roles_raise_no_question(tmp_path: Path, label: str) -> None:
    assert label in read(tmp_path, f"test,x,y\na,1,2\n{label},3,4\n").guesses
    assert label in read(tmp_path, f"test,x,{label}\na,1,2\nb,3,4\n").secrets


@pytest.mark.parametrize(
    ("written", "advice"),
    [
        ("2,5", "write 2.5"),
        ("12,000", "write 12000 or 12.0"),
        ("12,500 %", "write 12500 % or 12.5 %"),
        ("0,125", "write 0.125"),
    ],
)
def test_advice_about_a_comma_considers_thousands(
    tmp_path: Path, written: str, advice: str
) -> None:
    weights = asked(tmp_path, f'test,x,y\nweight,"{written}",1\na,1,2\n')
    costs = asked(tmp_path, f'test,x,y,cost\na,1,2,"{written}"\n')
    assert weights.endswith(f"; {advice}")
    assert costs.endswith(f"; {advice}")


SHEET: Rows = [
    [None],
    ["thing", "on?", "volts", "weight"],
    ["a", True, 3.5, 0.25],
    ["b", False, 12.0, 0.5],
    ["c", True, 12, 1],
]


@pytest.mark.parametrize("form", [xlsx, ods])
def test_workbook_is_read_like_csv(tmp_path: Path, form: Any) -> None:
    content = "thing,on?,volts,weight\na,TRUE,3.5,0.25\nb,FALSE,12,0.5\nc,TRUE,12,1\n"
    game = read(tmp_path, content)
    path = tmp_path / "workbook"
    path.write_bytes(form({"main": SHEET, "other": [["test", "x", "y"], ["q", "1", 2.0]]}))
    assert gb.read_table(path) == gb.read_table(path, sheet="main") == game
    assert gb.read_table(path, sheet="other") == gb.TableGame(["q"], ["x", "y"], ["12"])
    with pytest.raises(gb.UsageError, match=r"no sheet 'absent'; it has 'main', 'other'$"):
        gb.read_table(path, sheet="absent")
    with pytest.raises(gb.UsageError, match="did you mean main"):
        gb.read_table(path, sheet="Main")
    path.write_bytes(form({"Notes": [["A list of faults"], *SHEET], "main": SHEET}))
    assert gb.read_table(path, sheet="main") == game
    with pytest.raises(gb.InvalidGameError) as error:
        gb.read_table(path)
    assert str(error.value).endswith(
        "B1: no label; write the labels in the first row, and write nothing above the table; this "
        "is the sheet 'Notes', and --sheet reads another: 'main'"
    )
    short: Rows = [*SHEET[:4], ["c", True, 12, None]]
    path.write_bytes(form({"main": short}))
    with pytest.raises(gb.InvalidGameError, match="D5: weight ''"):
        gb.read_table(path)
    path.write_bytes(form({"main": []}))
    with pytest.raises(gb.InvalidGameError, match="0 rows"):
        gb.read_table(path)


ATTRIBUTES = """name,kind,regions,year,born
Ada,elf,north|south,2010,?
Bob,orc,South; east,2012,?
Cid,elf,west,2010.0,1
Dee,Elf,"south,north",?,1
"""


def plain_answer(guess: list[str], secret: list[str]) -> str:
    """Return the answer by definition, for columns with a text, a list and two numbers."""
    signs = "=" if guess[0].lower() == secret[0].lower() else "x"
    some, others = [
        {part.strip().lower() for part in value[1].replace("|", ";").replace(",", ";").split(";")}
        for value in (guess, secret)
    ]
    signs += "=" if some == others else "~" if some & others else "x"
    for one, other in zip(guess[2:], secret[2:], strict=True):
        if "?" in (one, other):
            signs += "=" if one == other else "x"
        else:
            signs += "=" if float(one) == float(other) else "><"[float(other) < float(one)]
    return signs


def test_attributes_are_compared_column_by_column(tmp_path: Path) -> None:
    path = tmp_path / "attributes.csv"
    path.write_text(ATTRIBUTES, "utf-8")
    game = gb.read_attributes(path)
    _, *rows = csv.reader(StringIO(ATTRIBUTES))
    names = {row[0]: row[1:] for row in rows}
    for guess, values in names.items():
        for secret, others in names.items():
            assert game.feedback(guess, secret) == plain_answer(values, others)
    assert [game.feedback("Ada", secret) for secret in names] == ["====", "x~>=", "=x=x", "==xx"]
    assert game.answers[-1] == "===="


@pytest.mark.parametrize("known", ["1,2", "red,blue", "red|blue,red"])
def test_blank_attribute_is_as_unknown_as_a_question_mark(tmp_path: Path, known: str) -> None:
    path = tmp_path / "attributes.csv"
    values = next(csv.reader([known]))
    lines = [
        f"{name},{number},{value}"
        for number, (name, value) in enumerate(zip("abcd", [*values, "", "?"], strict=True))
    ]
    path.write_text("\n".join(["name,number,value", *lines]), "utf-8")
    game = gb.read_attributes(path)
    assert game.feedback("c", "d") == ">="
    assert game.feedback("c", "a") == "<x"


def test_book_of_an_attribute_game_gives_hints(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(ATTRIBUTES, "utf-8")
    done = run("build-book", "--attributes", "a.csv", "-o", "a.book")
    assert done.err == (
        "read 4 things with 4 attributes: = equal, ~ partly, > higher, < lower, x different\n"
    )
    assert "Bob, certain" in run("hint", "a.book", "Ada=x~>=").out
    assert gb.open(tmp_path / "a.book").stats.max_guesses == 2


def test_build_command_reports_what_it_reads(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cars.csv").write_text(CARS.replace("?", "swap it"), "utf-8")
    done = run("build-book", "--table", "cars.csv", "--outcome", "none", "--weight", "how often")
    assert done.err == 'read 3 things in rows, 3 tests, weight "how often"\n'
    roles = ["--outcome", "repair", "--weight", "none", "--things", "rows", "--goal", "identify"]
    done = run("build-book", "--table", "cars.csv", *roles, "--merge-equal")
    assert done.err == 'read 3 things in rows, 3 tests, outcome "repair" with 3 values\n'
    done = run("build-book", "--table", "cars.csv", "--outcome", "horn", "--goal", "name")
    assert (done.code, "leave out the goal name" in done.err) == (2, True)
    (tmp_path / "cars.xlsx").write_bytes(xlsx({"one": SHEET[:1], "two": SHEET}))
    done = run("build-book", "--table", "cars.xlsx", "--sheet", "two")
    assert done.err == 'read 3 things in rows, 2 tests, weight "weight"\n'

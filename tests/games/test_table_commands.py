"""Tables at the command line: labels with spaces, commas, quotation and equals signs; weights."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

import guessbook as gb
from tests.helpers.client import serving
from tests.helpers.command import Run
from tests.helpers.content import document, pack
from tests.helpers.tables import LAMP, MIXED, NUMBERS, weighted

PC = gb.TableGame(
    ["boots?", "beeps?"],
    ["dead PSU", "loose RAM", "broken disk"],
    [["no", "yes", "yes"], ["silent", "three times", "silent"]],
    goal="name",
)
ROW = "bridge = wire=dark"
ROWS = [ROW, "OTHER BATTERY, 4½ V=lights up", "battery = flat=found"]
FIRST = "bridge = wire"


@cache
def built(game: gb.TableGame) -> gb.Book:
    return gb.build(game)


@pytest.fixture(autouse=True)
def books(tmp_path: Path) -> None:
    """Save books in the folder where `run` runs."""
    games = {"lamp": LAMP, "mixed": MIXED, "numbers": NUMBERS, "pc": PC}
    games["w"] = weighted(LAMP, [50, 3, 20, 9, 18])
    for name, game in games.items():
        built(game).save(tmp_path / f"{name}.book")


def test_book_of_a_table_in_csv_is_built(run: Run, tmp_path: Path) -> None:
    for name in ("lamp", "mixed", "numbers"):
        assert run("table", f"{name}.book", "-o", f"{name}.csv").code == 0
    done = run("build-book", "--table", "lamp.csv", "--goal", "name", "-o", "x.book")
    assert "note         added 5 guesses" in done.out
    assert (tmp_path / "x.book").read_bytes() == built(LAMP).to_bytes()
    known = json.loads(run("info", "x.book", "--json").out)
    assert (known["game"], known["note"]) == ("table-9x5", LAMP.note)
    for policy in ("minimax", "lookahead", "rollout", "optimal", "consistent", "positional"):
        assert run("build-book", "--table", "mixed.csv", "--policy", policy).code == 0, policy
    assert run("build-book", "--table", "numbers.csv", "--first-guess", "5").code == 0


def test_table_command_writes_csv(run: Run, tmp_path: Path) -> None:
    assert run("table", "--preset", "bagels", "-o", "bagels.csv").code == 0
    assert (tmp_path / "bagels.csv").read_text().startswith('"bulls-and-cows-3x10","012","013",')
    assert json.loads(run("table", "pc.book", "-o", "pc.csv", "--json").out)["game"] == PC.name
    assert run("table", "pc.book", "-o", "pc.csv").code == 1
    assert (
        run("table", "--table", "pc.csv", "--goal", "name").out == (tmp_path / "pc.csv").read_text()
    )


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["info", "lamp.book"], f"first guess  {FIRST}"),
        (["verify", "lamp.book", "--policy"], "guess by entropy"),
        (["compare", "lamp.book", "parts", "optimal"], "table-9x5: 5 secrets"),
        (["hint", "lamp.book"], f"guess       {FIRST}"),
        (["hint", "lamp.book", ROW], "source      "),
        (["hint", "lamp.book", *ROWS[:2]], "source      live"),
        (["candidates", "lamp.book", ROW], "battery = flat"),
        (["explain", "lamp.book", ROW], "bits expected, 2 possible"),
        (["explain", "lamp.book", FIRST], "  bulb, battery = flat\n"),
        (["explain", "lamp.book", "--pairs"], f"{FIRST}, other battery, 4½ V "),
        (["rate", "lamp.book", ROW, FIRST], "skill"),
        (["rate", "lamp.book", "--pair", FIRST, "switch"], "bits"),
        (["review", "lamp.book", *ROWS], "skill"),
        (
            ["review", "lamp.book", "bulb=no", "switch=found"],
            f'the policy takes 2: "{FIRST}=flickers, a bit" "name: switch=found"',
        ),
        (["share", "lamp.book", *ROWS], "table-9x5 3 guesses"),
        (["tree", "lamp.book"], "table-9x5, entropy: 5 secrets"),
        (["tree", "lamp.book", f"{FIRST}=dark"], "nodes"),
        (["simulate", "lamp.book"], "played      5 of 5 secrets"),
        (["run", "lamp.book", "--secret", "battery = flat"], "battery = flat found in"),
        (["run", "lamp.book", "--secret", "bulb", "--secret", "switch"], "2 boards in"),
        (["report", "lamp.book", "-o", "x"], "9 guesses, 5 secrets."),
        *[(["export", "lamp.book", "--to", form, "-o", "x"], FIRST) for form in ("json", "python")],
        *[(["export", "lamp.book", "--to", form, "-o", "x"], FIRST) for form in ("dot", "svg")],
        (["export", "lamp.book", "--to", "c", "-o", "x"], "#define"),
        (["info", "w.book"], "table-9x5-weighted"),
        (["verify", "w.book", "--policy"], "all 6 nodes"),
        (["compare", "w.book", "optimal"], "means and chances by weight"),
        (["hint", "w.book", ROW], "bulb, may be the secret: 71.43%"),
        (["candidates", "w.book", ROW], "bulb 71.4%\nbattery = flat 28.6%"),
        (["explain", "w.book", ROW], "possible, may be the secret: 71.43%"),
        (["rate", "w.book", ROW, "bulb"], "chance    71.43% to be the secret"),
        (["review", "w.book", ROW, "bulb=found"], "actual"),
        (["simulate", "w.book"], "on average by weight"),
        (["export", "w.book", "--to", "svg", "-o", "x"], "on average by weight"),
        (["hint", "pc.book", "boots?=no"], "guess       name: dead PSU, certain"),
        (["hint", "pc.book", "boots?=no", "--json"], '"guess": "dead PSU"'),
        (["explain", "pc.book", "boots?=no"], "name: dead PSU"),
        (["rate", "pc.book", "boots?=no", "dead PSU"], "name: dead PSU"),
        (["review", "pc.book", "boots?=no", "name: dead PSU=found"], "name: dead PSU"),
        (["tree", "pc.book"], "name: dead PSU"),
        (["run", "pc.book", "--secret", "dead PSU"], "name: dead PSU"),
        *[(["export", "pc.book", "--to", f, "-o", "x"], "name: dead PSU") for f in ("svg", "dot")],
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_commands_accept_books_of_tables(
    run: Run, tmp_path: Path, command: list[str], said: str
) -> None:
    done = run(*command)
    assert (done.code, done.err) == (0, ""), done
    written = tmp_path / "x"
    assert said in (written.read_text("utf-8") if written.exists() else done.out)


@pytest.mark.parametrize(
    ("command", "lines", "said"),
    [
        (
            "solve lamp.book",
            f"?\n{FIRST}=dark\nlist\nundo\n{ROW}\nother battery, 4½ V=dark\nfound\n",
            "is the secret. Solved in 3 guesses.",
        ),
        ("solve lamp.book --boards 2", "bulb=found\n" * 4, "All 2 boards are solved."),
        ("hide lamp.book", f"{FIRST}\n?\n:give-up\n", "There was no secret; "),
        ("solve pc.book", "boots?=no\nname: dead PSU=found\n", "  2  name: dead PSU  found"),
        ("play pc.book --secret loose", "", "loose"),
        ("play pc.book", "boots?\nbeeps?\n?\n", "Hint: name: "),
        ("solve numbers.book", "5=>\nedit 1 5=<\naside 1\nundo\n", "Row 1, 5=<, is set"),
        ("solve pc.book", "dead PSU=no\nedit 1 name: loose RAM=no\n", "is now name: loose RAM=no"),
    ],
)
def test_games_of_tables_are_played_at_prompts(
    run: Run, command: str, lines: str, said: str
) -> None:
    done = run(*command.split(), lines=lines)
    assert said in done.out + done.err, done


def test_prompt_accepts_only_answers_of_the_test(run: Run) -> None:
    out = run("solve", "pc.book", lines="boots?=maybe\nboots? maybe\ndead psu=yes\n").out
    said = " ".join(out.split())
    assert said.count("'maybe' is not an answer to 'boots?'; use 'yes' or 'no'") == 2
    assert "an answer to 'name: dead PSU'; use 'no' or 'found'" in said


def test_columns_fit_the_widest_label_and_a_very_long_label_has_its_own_line(
    run: Run, tmp_path: Path
) -> None:
    said = run("review", "lamp.book", "bulb=no", "switch=found").out.splitlines()
    assert len({len(line) for line in said[:3]}) == 1
    gb.build(gb.TableGame(["a" * 99], "xy", ["12"], goal="name")).save(tmp_path / "long.book")
    lines = run("explain", "long.book").out.splitlines()
    assert "a" * 99 in lines
    assert max(len(line) for line in lines if "aaa" not in line) <= 80


def test_game_with_a_single_guess_has_no_pairs(run: Run, tmp_path: Path) -> None:
    gb.build(gb.TableGame([], "x", [], goal="name")).save(tmp_path / "one.book")
    assert run("explain", "one.book", "--pairs").out == "no pairs: this game has a single guess\n"


REFUSED = """build-book --table none.csv|build-book --table lamp.book|build-book --table x.csv --pegs 3
build-book --table x.csv --preset bagels|build-book --table x.csv --hard-mode
build-book --table x.csv --first-guess zzz|table lamp.book --pegs 3|hint lamp.book bulb=yes
run lamp.book --secret bulb --shuffle|compare lamp.book mastermind-4x6|rate lamp.book bulb=no
export lamp.book --to irving|hint lamp.book bulbs=no|hint pc.book boots?=maybe|hint pc.book boot=no"""


@pytest.mark.parametrize("command", REFUSED.replace("\n", "|").split("|"))
def test_commands_reject_wrong_uses_of_a_table(run: Run, tmp_path: Path, command: str) -> None:
    (tmp_path / "x.csv").write_text(",x,y\na,1,2\n")
    done = run(*command.split())
    assert (done.code in (1, 2, 3), done.out, done.err.count("Error: ")) == (True, "", 1), done


@pytest.mark.parametrize("game", [LAMP, gb.WordGame(["light", "night"], scoring="loose")], ids=repr)
def test_hard_mode_in_the_book_of_a_game_without_it_is_rejected(
    run: Run, tmp_path: Path, game: gb.Game
) -> None:
    content = document(gb.build(game))
    content["policy"]["hard_mode"] = True
    (tmp_path / "hard.book").write_bytes(pack(content))
    for name in ("info", "hint", "play", "solve", "tree", "verify", "report"):
        done = run(name, "hard.book")
        assert (done.code, "hard mode" in done.err) == (3, True), name


def test_server_gives_hints_for_a_table(tmp_path: Path) -> None:
    history = [f"{FIRST}=dark", "other battery, 4½ V=dark"]
    query = "&".join(history).replace(" ", "%20").replace("½", "%C2%BD")
    deep = "[" * 2000 + '"x"' + "]" * 2000
    built(LAMP).save(tmp_path / "lamp.book")
    with serving(str(tmp_path / "lamp.book"), built(LAMP)) as client:
        hint = built(LAMP).hint(history)
        known = {key: value for key, value in hint._asdict().items() if value is not None}
        assert client.ask("/hint?" + query) == (200, known)
        for entry in (f'[{deep}, "dark"]', f'["other battery", {deep}]'):
            status, said = client.ask("/hint", "POST", f'{{"history": [{entry}]}}'.encode())
            assert (status, said["exit_code"]) == (400, 2)
            assert said["error"].isprintable()

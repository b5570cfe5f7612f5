"""Presets, their sources in examples/, and the options of `build-book` for games and openings."""

from __future__ import annotations

import doctest
import json
import re
import shlex
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import guessbook as gb
from examples import black_peg, coins, jotto, nerdle_mini, primel
from tests.helpers.command import Run

WORDS = ["geese", "eagle", "table", "bleat", "light", "night", "thing", "crane"]
PRESETS = {preset.name: preset for preset in gb.presets()}
SMALL = ("build-book", "--pegs", "3", "--colors", "4", "--json")


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("mastermind", lambda: gb.Mastermind(4, 6)),
        ("super-mastermind", lambda: gb.Mastermind(5, 8)),
        ("mastermind44", lambda: gb.Mastermind(5, 6)),
        ("mastermind-for-kids", lambda: gb.Mastermind(3, 6)),
        ("number-mastermind", lambda: gb.Mastermind(4, 6, symbols="123456")),
        ("nethack", lambda: gb.Mastermind(5, 7, symbols="ABCDEFG")),
        ("bulls-and-cows", lambda: gb.Mastermind(4, 10, repeats=False)),
        ("moo", lambda: gb.Mastermind(4, 10, repeats=False)),
        ("bagels", lambda: gb.Mastermind(3, 10, repeats=False)),
        pytest.param("nerdle-mini", nerdle_mini.nerdle_mini, marks=pytest.mark.slow),
        pytest.param("primel", primel.primel, marks=pytest.mark.slow),
        pytest.param("black-peg", black_peg.black_peg, marks=pytest.mark.slow),
        pytest.param("coins", coins.coins, marks=pytest.mark.slow),
    ],
)
def test_preset_gives_the_expected_game(name: str, game: Any) -> None:
    made = PRESETS[name].game()
    assert made == game()
    assert len(made.secrets) == PRESETS[name].secrets


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("mastermind-6x6", gb.Mastermind(6, 6)),
        ("bulls-and-cows-3x10", gb.Mastermind(3, 10, repeats=False)),
        ("bagels", gb.Mastermind(3, 10, repeats=False)),
    ],
)
def test_session_accepts_games_by_name(name: str, game: gb.Mastermind) -> None:
    assert gb.Session(name).game == game


@pytest.mark.parametrize("name", ["chess", "mastermind-0x6", "mastermind-4x6x6", "jotto", 5, None])
def test_unknown_names_of_games_are_rejected(name: Any) -> None:
    with pytest.raises(gb.UsageError):
        gb.build(name)


def test_presets_are_listed_with_their_sizes(run: Run) -> None:
    listed = json.loads(run("presets", "--json").out)
    assert [row["name"] for row in listed] == list(PRESETS)
    lines = run("presets").out.splitlines()
    assert lines[0].split() == ["game", "secrets", "guess", "limit"]
    for row in listed:
        assert row.keys() == {"name", "title", "secrets", "allowed_guesses"}
        limit = [str(row["allowed_guesses"])] if row["allowed_guesses"] else []
        shown = [row["name"], f"{row['secrets']:,}" if row["secrets"] else "words", *limit]
        assert shown in [line.split() for line in lines]


texts = st.text("ab", min_size=1)


@given(st.lists(texts, min_size=1, unique=True), st.lists(texts, unique=True))
@example(["bb"], ["aaaa"])
def test_jotto_counts_common_letters(secrets: list[str], others: list[str]) -> None:
    guesses = [*secrets, *(word for word in others if word not in secrets)]
    game = PRESETS["jotto"].game(iter(secrets), iter(guesses))
    for guess in guesses:
        for secret in secrets:
            common = (Counter(guess) & Counter(secret)).total()
            assert game.feedback(guess, secret) == ("found" if guess == secret else str(common))


@pytest.mark.parametrize(
    "lists",
    [
        *[([],), ([], ["crane"]), (["crane", 5],), (["crane"], [["slate"]]), (None,)],
        *[(["crane"], None), ("crane",), ({"crane"},), ()],
    ],
)
def test_jotto_needs_lists_of_words(lists: Any) -> None:
    with pytest.raises(gb.UsageError):
        PRESETS["jotto"].game(*lists)


def test_only_presets_of_words_accept_words(run: Run, tmp_path: Path) -> None:
    assert PRESETS["jotto"].game(WORDS) == jotto.jotto(WORDS)
    with pytest.raises(gb.UsageError):
        PRESETS["bagels"].game(WORDS)
    (tmp_path / "list").write_text("\n".join(WORDS))
    done = run("build-book", "--preset", "jotto", "--answers", "list", "-o", "x.book")
    assert (done.code, gb.open(tmp_path / "x.book").game) == (0, jotto.jotto(WORDS))


@pytest.mark.parametrize(
    "page", [pytest.param("games.md", marks=pytest.mark.slow), "embed/irving.md"]
)
def test_documented_python_gives_the_documented_output(root: Path, page: str) -> None:
    results = doctest.testfile(str(root / "docs/how-to" / page), module_relative=False)
    assert (results.attempted, results.failed) == (3, 0)


@pytest.mark.slow
def test_commands_of_the_tutorial_print_the_documented_output(root: Path, run: Run) -> None:
    try:
        PRESETS["wordle"].game()
    except gb.UsageError as error:
        pytest.skip(f"needs words: {error}")
    text = (root / "docs/tutorials/wordle.md").read_text("utf-8")
    section = text.partition("## Five commands")[2].partition("\n## ")[0]
    _, shown = re.findall(r"^```\w+\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    for part in re.split(r"^\$ guessbook ", shown, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        found = run(*shlex.split(command))
        same = doctest.OutputChecker().check_output
        assert same(expected, found.out + found.err, doctest.ELLIPSIS), command
        assert found.code == 0


def test_all_openings_build_one_book_per_set_of_equivalent_codes(run: Run, tmp_path: Path) -> None:
    known = json.loads(run(*SMALL, "--openings", "all").out)
    names = [f"mastermind-3x4-entropy-{code}.book" for code in ("RRR", "RRY", "RYG")]
    assert [row["path"] for row in known] == names
    assert [gb.open(tmp_path / name).root.guess for name in names] == ["RRR", "RRY", "RYG"]
    assert gb.open(tmp_path / names[1]).hint(["GBG=0,1"]).source == "symmetry"
    assert run(*SMALL, "--openings", "all").code == 1


def test_best_first_guess_gives_the_best_of_all_books(run: Run, tmp_path: Path) -> None:
    build = ("build-book", "--pegs", 3, "--colors", 5, "--policy", "minimax", "--json")
    books = json.loads(run(*build, "--openings", "all").out)
    best = json.loads(run(*build, "--first-guess", "best").out)
    assert best["path"].endswith("-best.book")
    key = min((row["total_guesses"], row["max_guesses"]) for row in books)
    assert (best["total_guesses"], best["max_guesses"]) == key
    assert best["options"] == {"first_guess": best["first_guess"]}
    assert len(list(tmp_path.iterdir())) == len(books) + 1

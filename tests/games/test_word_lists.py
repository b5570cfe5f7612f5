"""Lists of words: files, dictionaries, how common words are, and the preset wordle."""

from __future__ import annotations

import json
import os
import sys
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import guessbook as gb
from tests.helpers.command import Run

# Uses in a billion words of text; other words are unknown.
USES = {
    "there": 10**6,
    "about": 2 * 10**6,
    "crane": 4000,
    "slate": 1000,
    "trace": 100,
    "larry": 900,
}
WORDS = ["aback", "about", "crane", "larry", "serac", "slate", "there", "trace", "zooid"]
LIST = (
    "Paris\nit's\n"
    + "".join([f"{word}\n" for word in WORDS])
    + "slate\nAARP\nto\ne\u0301te\u0301\n"
)
SYSTEM = Path("/usr/share/dict/words")


@pytest.fixture(autouse=True)
def packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Provide the packages wordfreq and english_words with some words, and a dictionary."""
    frequencies = SimpleNamespace(
        available_languages=lambda: ["de", "en"],
        get_frequency_dict=lambda language: {word: n / 1e9 for word, n in USES.items()},
    )
    english = SimpleNamespace(get_english_words_set=lambda names: {*WORDS, "Paris", "to"})
    monkeypatch.setitem(sys.modules, "wordfreq", frequencies)
    monkeypatch.setitem(sys.modules, "english_words", english)
    (tmp_path / "dictionary").write_text(LIST, "utf-8")


def wordle(*lists: object) -> gb.WordGame:
    """Return the preset's game of these lists."""
    (preset,) = [preset for preset in gb.presets() if preset.name == "wordle"]
    game = preset.game(*lists)
    assert isinstance(game, gb.WordGame)
    return game


def game_of(run: Run, folder: Path, *options: object) -> gb.WordGame:
    """Return the game of the book that the command builds of the file `list`."""
    done = run("build-book", "--answers", "list", *options, "-o", "x.book", "--force")
    assert done.code == 0, done
    game = gb.open(folder / "x.book").game
    assert isinstance(game, gb.WordGame)
    return game


@pytest.mark.parametrize(
    "content", ["crane\nslate\n", "\ufeffcrane\r\nslate", "crane\nslate\ncrane"]
)
def test_file_has_a_word_a_line(run: Run, tmp_path: Path, content: str) -> None:
    (tmp_path / "list").write_bytes(content.encode())
    assert game_of(run, tmp_path) == gb.WordGame(["crane", "slate"])


def test_corrections_of_lists_are_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "list").write_text("Crane 5120\n\nspeed\t30\nCRANE 5\n")
    (tmp_path / "guesses").write_text("slate 1\ncrane 9\nslate 1\n")
    game = game_of(run, tmp_path, "--guesses", "guesses", "--scoring", "loose")
    assert game == gb.WordGame(["crane", "speed"], ["slate", "crane"], "loose", [5125, 30])
    done = run("build-book", "--answers", "list", "--guesses", "guesses", "-o", "y.book")
    assert done.err.splitlines() == [
        "list: 1 blank line skipped, 2 words written in lower case or composed letters, "
        "1 repeated word added to the weight of the first",
        "guesses: 1 repeated word skipped",
        "guesses: weights ignored, because only the weights of secrets count",
        "list: 1 secret not in guesses, such as 'speed', added to the guesses at the end",
    ]


@pytest.mark.parametrize("separator", [",", "\t", ";", " ", " , ", "    "])
def test_weight_follows_its_word(run: Run, tmp_path: Path, separator: str) -> None:
    lines = "crane_0.25\nslate_12.5%\ntrace_1\nstare_.5\ncrane_5e-1\n"
    (tmp_path / "list").write_text(lines.replace("_", separator))
    game = game_of(run, tmp_path)
    assert (game.secrets, game.weights) == (("crane", "slate", "trace", "stare"), (6, 1, 8, 4))


@pytest.mark.parametrize(
    "content",
    [
        *[
            "",
            "\n\n",
            "crane\nslates\n",
            "sl\x1b[31mate",
            "crane\0\n",
            "crane slate\n",
            "crane,slate",
        ],
        *[
            "crane 5 slate\n",
            "x" * 100_000,
            "É\u0301T\u0331",
            ",5",
            "crane 5\nslate",
            "crane\nslate 5",
        ],
        *["crane 0", "crane -5", "crane;0,25", "crane 1e999", "crane pie", "a 0.0000001\nb 99.9%"],
        *["crane 4194304\nslate 1\n", "\udcff\udcfe", "c\udce9tes"],
    ],
    ids=lambda content: repr(content[:12]),
)
def test_other_files_are_refused_in_one_line(run: Run, tmp_path: Path, content: str) -> None:
    (tmp_path / "list").write_bytes(content.encode("utf-8", "surrogateescape"))
    done = run("build-book", "--answers", "list")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.strip().isprintable()
    assert len(done.err) < 400


def test_large_files_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "list").write_text("crane\n")
    os.truncate(tmp_path / "list", (64 << 20) + 1)
    for name in ("list", ".", "none"):
        assert run("build-book", "--answers", name).code == 2


@pytest.mark.nightly
def test_as_many_lines_as_allowed_are_read(run: Run, tmp_path: Path) -> None:
    for lines, code in ((4_000_000, 0), (4_000_001, 2)):
        (tmp_path / "list").write_text("crane\n" + "\n" * (lines - 1))
        assert run("build-book", "--answers", "list", "-o", f"{lines}.book").code == code


def test_words_of_a_dictionary_are_those_in_small_letters(run: Run, tmp_path: Path) -> None:
    five = "".join([f"{word}\n" for word in WORDS])
    assert run("words", "--dictionary", "dictionary").out == five
    assert run("words", "--dictionary", "dictionary", "--length", 3).out == "été\n"
    assert run("words", "--dictionary", "dictionary", "--length", 11).code == 2
    for length in (0, 13):
        assert run("words", "--length", length).code == 2
    done = run("words", "--dictionary", "dictionary", "-o", "list")
    assert (done.out, "9 words of 5 letters, of 15 in dictionary" in done.err) == ("", True)
    assert game_of(run, tmp_path) == gb.WordGame(WORDS)
    assert run("words", "--dictionary", "dictionary", "--length", 3, "-o", "list").code == 1
    assert (tmp_path / "list").read_text() == five
    assert (
        run("words", "--dictionary", "dictionary", "-o", "list", "--length", 2, "--force").code == 0
    )
    assert (tmp_path / "list").read_text() == "to\n"


@pytest.mark.skipif(SYSTEM.exists(), reason="the words of the system come first")
def test_words_of_a_package_are_sorted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("words").out.split() == WORDS
    assert run("words").err == "9 words of 5 letters, of 11 in english-words\n"
    monkeypatch.setitem(sys.modules, "english_words", None)
    assert run("words").code == 2


@pytest.mark.skipif(not SYSTEM.exists(), reason="the system has no dictionary")
def test_words_of_the_system_come_first(run: Run) -> None:
    assert run("words").out == run("words", "--dictionary", SYSTEM).out


def test_words_of_other_languages(run: Run) -> None:
    german = run("words", "--language", "de", "--at-least", 5)
    assert (german.out, german.err.endswith("wordfreq (de)\n")) == ("about\nthere\n", True)
    assert run("words", "--language", "xx").code == 2


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ("--common 2", "about,there"),
        ("--common 2 --prior even", "about,there"),
        ("--common 3 --exclude past", "about,crane,slate"),
        ("--at-least 3", "about,crane,slate,there"),
        ("--at-least 3.01 --common 1", "about"),
        ("--common 6 --prior known", "about 100,crane 77,larry 48,slate 50,there 100,trace 12"),
        ("--common 6 --prior usage", "about 20000,crane 40,larry 9,slate 10,there 10000,trace 1"),
        ("--at-least 3.2 --prior usage", "about 20000,crane 40,there 10000"),
        (
            "--at-least 3 --prior known --middle 3.6 --width 1",
            "about 94,crane 50,slate 35,there 92",
        ),
        (
            "--common 4 --prior known --middle 3 --width .01",
            "about 100,crane 100,slate 50,there 100",
        ),
        ("--prior known --middle 9 --width .01", ",".join([f"{word} 1" for word in WORDS])),
    ],
)
def test_common_words_with_their_weights(
    run: Run, tmp_path: Path, options: str, found: str
) -> None:
    (tmp_path / "past").write_text("THERE 2021-06-19\n\nseracs\nlarry,name\n")
    done = run("words", "--dictionary", "dictionary", *options.split())
    assert done.out.splitlines() == found.split(",")


@pytest.mark.parametrize(
    "options",
    [
        *["--prior know", "--at-least nan", "--width 1", "--middle 1 --prior usage"],
        *["--exclude none", "--common 0", "--width 0 --prior known", "--at-least 9"],
        "--exclude dictionary",
    ],
)
def test_other_options_are_refused(run: Run, options: str) -> None:
    assert run("words", "--dictionary", "dictionary", *options.split()).code == 2


def test_weights_by_use_have_a_sum_that_a_game_allows(run: Run, monkeypatch: Any) -> None:
    package = sys.modules["wordfreq"]
    monkeypatch.setattr(package, "get_frequency_dict", lambda _: {"about": 0.5, "there": 0.01})
    done = run("words", "--dictionary", "dictionary", "--common", 3, "--prior", "usage")
    assert done.out == "aback 1\nabout 500000\nthere 10000\n"


def test_wordle_has_the_common_words_as_secrets() -> None:
    game = wordle([], WORDS)
    assert (game.guesses, game.secrets) == (tuple(WORDS), tuple(WORDS))
    assert game.weights == (1, 100, 77, 48, 1, 50, 100, 12, 1)
    rare = ["".join(letters) + "xx" for letters in product("abcdefghijklmno", repeat=3)]
    secrets = wordle([], [*rare, *WORDS]).secrets
    assert (len(secrets), set(USES) <= {*secrets}) == (3000, True)


def test_wordle_takes_own_lists(run: Run, tmp_path: Path) -> None:
    assert wordle(["rats"], ["mice"], None) == gb.WordGame(["rats"], ["mice"])
    wrong: Any
    for wrong in ("crane", [1], ["crane", "mice"]):
        with pytest.raises(gb.InvalidGameError):
            wordle(wrong)
    (tmp_path / "list").write_text("serac 2\nslate 1\n")
    (tmp_path / "more").write_text("zooid\n")
    game = game_of(run, tmp_path, "--preset", "wordle", "--guesses", "more")
    assert game == gb.WordGame(["serac", "slate"], ["zooid"], weights=[2, 1])


@pytest.mark.skipif(SYSTEM.exists(), reason="the words of the system come first")
def test_wordle_is_played_with_the_words_of_this_machine(run: Run, tmp_path: Path) -> None:
    assert run("build-book", "--preset", "wordle", "-o", "w.book").code == 0
    assert gb.open(tmp_path / "w.book").game == wordle() == wordle([], WORDS)
    (tmp_path / "list").write_text("serac\n")
    assert game_of(run, tmp_path, "--preset", "wordle").guesses == tuple(WORDS)
    asked = run("hint", "wordle", "crane=yggbg", "--json")
    assert json.loads(asked.out)["guess"] == "trace"
    assert "9 of 9 words may be the secret" in asked.err
    assert "trace" in run("play", "wordle", "--secret", "trace", lines="trace\n").out


def test_wordle_needs_words_and_frequencies(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    for command in (["hint", "wordle"], ["build-book", "--preset", "wordle"], ["play", "wordle"]):
        assert run(*command).code == 2
    with pytest.raises(gb.UsageError):
        wordle([], WORDS)

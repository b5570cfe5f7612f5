"""Lists of words: files, dictionaries, how common words are, and the preset wordle."""

from __future__ import annotations

import gc
import json
import os
import sys
import warnings
from base64 import b64decode
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from spylls.hunspell import Dictionary

import guessbook as gb
from tests.helpers.command import Run

# Occurrences in a billion words of text; other words are unknown.
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
    """Provide a fake package wordfreq with some words, and a dictionary."""
    frequencies = SimpleNamespace(
        available_languages=lambda: ["de", "en"],
        get_frequency_dict=lambda language: {word: n / 1e9 for word, n in USES.items()},
    )
    monkeypatch.setitem(sys.modules, "wordfreq", frequencies)
    (tmp_path / "dictionary").write_text(LIST, "utf-8")


def wordle(*lists: object) -> gb.WordGame:
    """Return the game of the preset wordle with these lists."""
    (preset,) = [preset for preset in gb.presets() if preset.name == "wordle"]
    game = preset.game(*lists)
    assert isinstance(game, gb.WordGame)
    return game


def game_of(run: Run, folder: Path, *options: object) -> gb.WordGame:
    """Build a book with the secrets in the file `list`, and return its game."""
    done = run("build-book", "--answers", "list", *options, "-o", "x.book", "--force")
    assert done.code == 0, done
    game = gb.open(folder / "x.book").game
    assert isinstance(game, gb.WordGame)
    return game


@pytest.mark.parametrize(
    "content", ["crane\nslate\n", "\ufeffcrane\r\nslate", "crane\nslate\ncrane"]
)
def test_word_list_has_one_word_per_line(run: Run, tmp_path: Path, content: str) -> None:
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
def test_weight_is_read_after_its_word(run: Run, tmp_path: Path, separator: str) -> None:
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
def test_invalid_word_lists_are_rejected_in_one_line(
    run: Run, tmp_path: Path, content: str
) -> None:
    (tmp_path / "list").write_bytes(content.encode("utf-8", "surrogateescape"))
    done = run("build-book", "--answers", "list")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.strip().isprintable()
    assert len(done.err) < 400


def test_too_large_or_missing_word_lists_are_rejected(run: Run, tmp_path: Path) -> None:
    (tmp_path / "list").write_text("crane\n")
    os.truncate(tmp_path / "list", (64 << 20) + 1)
    for name in ("list", ".", "none"):
        assert run("build-book", "--answers", name).code == 2


@pytest.mark.nightly
def test_word_list_has_at_most_4000000_lines(run: Run, tmp_path: Path) -> None:
    for lines, code in ((4_000_000, 0), (4_000_001, 2)):
        (tmp_path / "list").write_text("crane\n" + "\n" * (lines - 1))
        assert run("build-book", "--answers", "list", "-o", f"{lines}.book").code == code


def test_only_lower_case_words_of_a_dictionary_are_listed(run: Run, tmp_path: Path) -> None:
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


def test_words_in_use_are_listed_if_the_dictionary_has_them(run: Run) -> None:
    done = run("words")
    assert done.out.split() == ["about", "crane", "slate", "there", "trace"]
    assert done.err == "5 words of 5 letters, of 5 in wordfreq that are in the dictionary en_US\n"


# Flags: S adds s, D adds ed, R adds re, also together with S; ! is never suggested, N needs a
# suffix, C occurs only in compounds. The suffix D may be followed by L, which adds ly.
RULES = """SET UTF-8
NOSUGGEST !
NEEDAFFIX N
ONLYINCOMPOUND C
SFX S Y 2
SFX S 0 s [^s]
SFX S 0 es s
SFX D Y 1
SFX D 0 ed/L .
SFX L Y 1
SFX L 0 ly .
PFX R Y 1
PFX R 0 re .
"""
STEMS = "7\nfold/SR\nHaus\npress/SD\ndarn/S!\nplac/ND\nboat/C\nParis\n"


def test_affixes_and_flags_of_a_hunspell_dictionary_are_applied(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "own.aff").write_text(RULES)
    (tmp_path / "own.dic").write_text(STEMS)
    known = ["fold", "folds", "refold", "refolds", "press", "presses", "pressed", "pressedly"]
    other = ["darn", "darns", "plac", "boat", "haus", "paris", "repress", "foldes", "folded"]
    used = dict.fromkeys([*known, "placed", *other], 1e-06)
    monkeypatch.setattr(sys.modules["wordfreq"], "get_frequency_dict", lambda language: used)
    for n in range(4, 10):
        found = run("words", "--dictionary", "own.dic", "--length", n).out.split()
        assert found == sorted(word for word in [*known, "placed"] if len(word) == n)
    german = run("words", "--dictionary", "own.dic", "--length", 4, "--language", "de")
    assert german.out.split() == ["fold", "haus"]


def test_words_of_hunspell_match_the_lookup_of_spylls(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with warnings.catch_warnings():  # spylls leaves its files to the garbage collector
        warnings.simplefilter("ignore", ResourceWarning)
        english = Dictionary.from_files("en_US")
        gc.collect()
    stems = sorted({word.stem.lower() for word in english.dic.words})[::20]
    tried = {
        first + stem + last
        for stem in stems
        for first, last in product(("", "re", "un"), ("", "s", "ed", "ly"))
    }
    used = {word: 1e-6 for word in tried if word.isascii() and word.isalpha() and len(word) == 7}
    monkeypatch.setattr(sys.modules["wordfreq"], "get_frequency_dict", lambda _: used)
    accepted = [
        word
        for word in sorted(used)
        if english.lookuper(word, capitalization=False, allow_nosuggest=False)
    ]
    assert run("words", "--length", 7).out.split() == accepted
    assert len(accepted) > 300


def test_malformed_dictionaries_are_rejected(run: Run, tmp_path: Path) -> None:
    for rules, stems in (("SFX S Y 1\nSFX S 0 s [\n", "fold/S\n"), ("FLAG num\n", "fold/x\n")):
        (tmp_path / "own.aff").write_text(rules)
        (tmp_path / "own.dic").write_text(stems)
        assert run("words", "--dictionary", "own.dic").code == 2
    assert run("words", "--dictionary", "none.dic").code == 2


@pytest.mark.skipif(not SYSTEM.exists(), reason="the system has no dictionary")
def test_dictionary_of_the_system_needs_no_package(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    assert run("words").out == run("words", "--dictionary", SYSTEM).out


def test_slurs_and_roman_numbers_are_not_listed(run: Run, tmp_path: Path) -> None:
    slur = b64decode("c3BpY2s=").decode()
    (tmp_path / "dictionary").write_text(f"crane\nxviii\nmixed\n{slur}\n")
    assert run("words", "--dictionary", "dictionary").out == "crane\nmixed\n"


def test_words_in_use_are_listed_for_a_language_without_a_dictionary(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    languages = sys.modules["wordfreq"].available_languages
    monkeypatch.setattr(
        sys.modules["wordfreq"], "available_languages", lambda: [*languages(), "zz"]
    )
    other = run("words", "--language", "zz", "--at-least", 5)
    assert (other.out, other.err.endswith("wordfreq (zz)\n")) == ("about\nthere\n", True)
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
def test_common_words_are_listed_with_their_weights(
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
def test_invalid_options_of_the_command_words_are_rejected(run: Run, options: str) -> None:
    assert run("words", "--dictionary", "dictionary", *options.split()).code == 2


def test_weights_by_usage_stay_below_the_limit_of_a_game(run: Run, monkeypatch: Any) -> None:
    package = sys.modules["wordfreq"]
    monkeypatch.setattr(package, "get_frequency_dict", lambda _: {"about": 0.5, "there": 0.01})
    done = run("words", "--dictionary", "dictionary", "--common", 3, "--prior", "usage")
    assert done.out == "aback 1\nabout 500000\nthere 10000\n"


def test_wordle_has_the_common_words_of_a_dictionary_as_secrets() -> None:
    game = wordle([], WORDS)
    assert (game.guesses, game.secrets) == (
        tuple(WORDS),
        ("about", "crane", "slate", "there", "trace"),
    )
    assert game.weights == (100, 77, 50, 100, 12)


def test_wordle_without_secrets_takes_4000_of_the_guesses() -> None:
    unknown = ["".join(letters) + "xx" for letters in product("abcdefghijklmnop", repeat=3)]
    assert len(wordle([], unknown).secrets) == 4000


def test_wordle_accepts_lists_of_the_caller(run: Run, tmp_path: Path) -> None:
    assert wordle(["rats"], ["mice"], None) == gb.WordGame(["rats"], ["mice"])
    wrong: Any
    for wrong in ("crane", [1], ["crane", "mice"]):
        with pytest.raises(gb.InvalidGameError):
            wordle(wrong)
    (tmp_path / "list").write_text("serac 2\nslate 1\n")
    (tmp_path / "more").write_text("zooid\n")
    game = game_of(run, tmp_path, "--preset", "wordle", "--guesses", "more")
    assert game == gb.WordGame(["serac", "slate"], ["zooid"], weights=[2, 1])


@pytest.mark.parametrize("given", ["--guesses", "--answers"])
def test_wordle_accepts_a_single_list(run: Run, tmp_path: Path, given: str) -> None:
    (tmp_path / "list").write_text("serac\nslate\ncrane\n")
    assert run("build-book", "--preset", "wordle", given, "list", "-o", "w.book").code == 0
    game = gb.open(tmp_path / "w.book").game
    assert isinstance(game, gb.WordGame)
    if given == "--answers":
        assert game.secrets == ("crane", "slate", "serac")
        assert game.guesses == ("about", "crane", "slate", "there", "trace", "serac")
    else:
        assert game == gb.WordGame(
            ["slate", "crane"], ["serac", "slate", "crane"], weights=[50, 77]
        )


def test_wordle_uses_the_words_of_packages(run: Run, tmp_path: Path) -> None:
    assert run("build-book", "--preset", "wordle", "-o", "w.book").code == 0
    known = ["about", "crane", "slate", "there", "trace"]
    assert gb.open(tmp_path / "w.book").game == wordle() == wordle([], known)
    asked = run("hint", "wordle", "crane=yggbg", "--json")
    assert json.loads(asked.out)["guess"] == "trace"
    assert "5 of 5 words may be the secret" in asked.err
    assert "trace" in run("play", "wordle", "--secret", "trace", lines="trace\n").out


def test_wordle_without_wordfreq_is_an_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    for command in (["hint", "wordle"], ["build-book", "--preset", "wordle"], ["play", "wordle"]):
        assert run(*command).code == 2
    with pytest.raises(gb.UsageError):
        wordle([], WORDS)

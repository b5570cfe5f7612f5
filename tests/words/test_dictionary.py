"""Words of a dictionary: which are common, how likely each is, and the preset wordle of them."""

from __future__ import annotations

import json
import math
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.book import InvalidGameError, UsageError, dictionary
from guessbook.book.dictionary import Prior, common_words, find_words, wordle, zipf
from guessbook.book.games.presets import PRESETS, game_of
from guessbook.lookup import open_book
from tests.helpers.command import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers.command import Run

# Uses in a billion words of text; what is not here is unknown.
USES = {
    "there": 10**6,
    "about": 2 * 10**6,
    "crane": 4000,
    "slate": 1000,
    "trace": 100,
    "larry": 900,
}
WORDS = ["aback", "about", "crane", "larry", "serac", "slate", "there", "trace", "zooid"]


@pytest.fixture(autouse=True)
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A dictionary for the system's, and a package wordfreq that knows some of its words."""
    path = tmp_path / "dictionary"
    path.write_text("Paris\n" + "".join([f"{word}\n" for word in WORDS]))
    package = SimpleNamespace(
        available_languages=lambda: ["de", "en"],
        get_frequency_dict=lambda language: {word: n / 1e9 for word, n in USES.items()},
    )
    monkeypatch.setitem(sys.modules, "wordfreq", package)
    monkeypatch.setattr(dictionary, "DICTIONARY", str(path))
    monkeypatch.setattr(dictionary, "COMMON", 6)
    return path


def test_the_step_of_known_is_smooth() -> None:
    """Half at the middle, e to 1 a width above it, the same for all that everybody knows."""
    frequencies = {word: n / 1e9 for word, n in USES.items()}
    assert [zipf(word, frequencies) for word in ("slate", "about", "zooid")] == [3, 6.3, 0]
    assert Prior("known").weights(WORDS, frequencies) == [1, 100, 77, 48, 1, 50, 100, 12, 1]
    odds = math.e / (1 + math.e)
    wide = Prior("known", 2, 1).weights(["slate"], frequencies)
    assert wide == [round(100 * odds)]
    assert Prior("known", 3, 0.001).weights(["trace", "crane"], frequencies) == [1, 100]
    assert Prior("even").weights(WORDS, frequencies) == [1] * len(WORDS)
    assert Prior("usage").weights(["about", "crane", "zooid"], frequencies) == [20_000, 40, 1]


def test_the_common_words() -> None:
    """So many of the most common, those from a frequency on, without the excluded ones."""
    frequencies = {word: n / 1e9 for word, n in USES.items()}
    assert common_words(WORDS, frequencies, 3) == ["about", "crane", "there"]
    assert common_words(WORDS, frequencies, 3, excluded={"about"}) == ["crane", "slate", "there"]
    assert common_words(WORDS, frequencies, at_least=3) == ["about", "crane", "slate", "there"]
    assert common_words(WORDS, frequencies, 1, at_least=3) == ["about"]


def test_the_command_words_has_priors(run: Run, tmp_path: Path) -> None:
    """Each prior and each way to leave words out, as options; the weights are explained."""
    (tmp_path / "past.txt").write_text("THERE 2021-06-19\n\nseracs\nlarry,name\n")
    assert run("words", "--common", 2).out == "about\nthere\n"
    assert run("words", "--common", 2, "--prior", "even").out == "about\nthere\n"
    known = run("words", "--common", 3, "--prior", "known", "--exclude", "past.txt")
    assert known.out == "about 100\ncrane 77\nslate 50\n"
    assert "percents" in known.err
    assert "50 at Zipf 3, width 0.5" in known.err
    assert run("words", "--at-least", 3.2, "--prior", "usage").out.split() == (
        ["about", "20000", "crane", "40", "there", "10000"]
    )
    moved = run("words", "--at-least", 3, "--prior", "known", "--middle", 3.6, "--width", 1)
    assert "crane 50" in moved.out
    left = run("words", "--exclude", "past.txt", "--exclude", "dictionary", "--exclude", "past.txt")
    assert "selected none" in one_line(left)
    assert "expected --prior known or --prior usage" in one_line(run("words", "--weights"))
    assert "did you mean known" in one_line(run("words", "--prior", "know"))
    assert "found --at-least nan, expected" in one_line(run("words", "--at-least", "nan"))
    assert "without --prior known" in one_line(run("words", "--width", 1))
    assert "cannot read" in one_line(run("words", "--exclude", "none"))
    assert run("words", "--weights").code == 2
    german = run("words", "--language", "de", "--at-least", 5)
    assert (german.out, "wordfreq (de)" in german.err) == ("about\nthere\n", True)
    assert "expected de, en" in one_line(run("words", "--language", "xx"))


def test_the_preset_wordle(run: Run, tmp_path: Path) -> None:
    """A list of answers is not needed: the common words are the secrets, all may be guessed."""
    game = game_of("wordle")
    assert game == wordle() == PRESETS["wordle"].game()
    assert game.guesses == tuple(WORDS)
    assert game.secrets == ("about", "crane", "larry", "slate", "there", "trace")
    built = run("build-book", "--preset", "wordle", "-o", "w.book")
    assert "words-5x6-weighted" in built.out
    book = open_book(tmp_path / "w.book")
    assert book.game == game
    assert len(game.header()["guesses_sha256"]) == 64
    assert "wordle" in run("presets").out
    asked = run("hint", "wordle", "crane=yggbg", "--json")
    assert json.loads(asked.out)["guess"] == "trace"
    assert "6 of 9 words may be the secret" in asked.err
    assert "trace" in run("play", "wordle", "--secret", "trace", lines="trace\n").out


def test_the_preset_wordle_with_other_words(run: Run, tmp_path: Path) -> None:
    """Own answers are guessed with the whole dictionary, unless a list of guesses is named."""
    (tmp_path / "own").write_text("serac 2\nslate 1\n")
    (tmp_path / "more").write_text("zooid\n")
    build = ("build-book", "--preset", "wordle", "--answers", "own")
    assert run(*build, "-o", "a.book").code == 0
    assert open_book(tmp_path / "a.book").game == wordle(["serac", "slate"], weights=[2, 1])
    assert run(*build, "--guesses", "more", "-o", "b.book").code == 0
    assert open_book(tmp_path / "b.book").game.guesses == ("zooid", "serac", "slate")
    assert open_book(tmp_path / "a.book").game.guesses == tuple(find_words(5).words)
    (tmp_path / "dictionary").write_text("mouse\nmice\nrats\n")
    assert wordle(["rats"]).guesses == ("mice", "rats")
    wrong: Any
    for wrong in ("crane", [1], ["crane", "mice"]):
        with pytest.raises(InvalidGameError):
            wordle(wrong)


def test_without_words_at_hand(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No dictionary, or nothing that knows what is common: one line says how to get it."""
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    for command in (["hint", "wordle"], ["build-book", "--preset", "wordle"], ["play", "wordle"]):
        told = one_line(run(*command))
        assert "the package wordfreq, which has" in told
        assert 'pip install ".[words]"' in told
    monkeypatch.setattr(dictionary, "DICTIONARY", str(tmp_path / "none"))
    monkeypatch.setitem(sys.modules, "english_words", None)
    assert 'pip install ".[words]"' in one_line(run("hint", "wordle"))
    with pytest.raises(UsageError, match="english-words"):
        game_of("wordle")


ENTRIES = ["crane=bybbg", "CRANE=🟨⬛⬛⬛🟩", "crane 01002", "crane=01002 slate=01000"]


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_word_without_its_book(run: Run, entry: str) -> None:
    """A history of words needs a book of words: the line names the preset, and codes do not."""
    for command in ("hint", "candidates", "solve"):
        told = one_line(run(command, entry))
        assert "looks like a word" in told
        assert "guessbook hint wordle " in told
    assert "looks like a word" in one_line(run("hint", *entry.split()))
    assert "found 'X' in code 'RYGX'" in one_line(run("hint", "RYGX=0012"))


def test_a_mistyped_book_before_a_word(run: Run) -> None:
    """The name that is no book is at fault, not the history of words after it."""
    for command in ("hint", "candidates"):
        told = one_line(run(command, "wordl", "crane=bybbg"))
        assert "found no book 'wordl'" in told
        assert "did you mean wordle?" in told

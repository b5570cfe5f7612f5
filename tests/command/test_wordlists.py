"""Lists of words from files and dictionaries, and the commands that use them."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

import guessbook.command.importing  # noqa: F401  its help names the dictionary, the true one
from guessbook.book import InvalidGameError, UsageError, dictionary
from guessbook.book.dictionary import find_words
from guessbook.command.wordlists import load_game, read_words
from guessbook.lookup import open_book

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.helpers.command import Run

DICTIONARY = "Paris\nit's\ncrane\nslate\nslate\nAARP\nto\ncranes\nété\n"


@pytest.fixture
def word_file(tmp_path: Path) -> Callable[[str | bytes], Path]:
    """Makes a file of its content."""

    def make(content: str | bytes) -> Path:
        path = tmp_path / "list.txt"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return make


def test_a_clean_file(word_file: Callable[..., Path]) -> None:
    """One word a line, nothing to report; Windows line ends and a byte order mark do no harm."""
    assert read_words(word_file("crane\nslate\n")) == ((("crane", "slate"), 0, 0, 0), None)
    assert read_words(word_file(b"\xef\xbb\xbfcrane\r\nslate"))[0].words == ("crane", "slate")


def test_what_was_done_is_said(tmp_path: Path) -> None:
    """Blank lines, case, repetitions and added secrets are handled and each gets a line."""
    answers, guesses = tmp_path / "answers", tmp_path / "guesses"
    answers.write_text("Crane\n\nspeed\n")
    guesses.write_text("slate\ncrane\nslate\n")
    game, notes = load_game(answers, guesses)
    assert game.guesses == ("slate", "crane", "speed")
    assert game.secrets == ("crane", "speed")
    assert notes == [
        f"{answers}: 1 blank line skipped, 1 word written in lower case or composed letters",
        f"{guesses}: 1 repeated word skipped",
        f"{answers}: 1 secret not in {guesses}, such as 'speed', added to the guesses at the end",
    ]
    assert load_game(guesses)[1] == [f"{guesses}: 1 repeated word skipped"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "has no words"),
        (b"\n\n", "has no words"),
        (b"crane\nslates\n", "line 2 .*6 letters, expected 5"),
        (b"crane\nsl\x1b[31mate\n", "line 2 .*letters, digits or"),
        (b"crane\x00\n", "line 1 .*letters, digits or"),
        (b"crane slate\n", "line 1 .*letters, digits or"),
        (b"crane\n\xe9t\xe9es\n", "line 2 .*0xe9, expected UTF-8"),
        ("crane\n".encode("utf-16"), "line 1 .*UTF-8"),
        (b"crane,slate\n", "line 1 .*letters, digits or"),
        (b"crane 5 slate\n", "line 1 .*found weight '5 slate'"),
        (b"x" * 100_000, "12"),
        ("crane\nÉT\u0301Z\u0331\n".encode(), "line 2 .*found 'ÉT"),
    ],
)
def test_hostile_files(word_file: Callable[..., Path], content: bytes, message: str) -> None:
    """What is no list of words is refused in one short, printable line that says where."""
    with pytest.raises(InvalidGameError, match=message) as error:
        read_words(word_file(content))
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 400


def test_huge_files(word_file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A file beyond the limits is refused after reading no more than the limit."""
    monkeypatch.setattr(dictionary, "MAX_FILE", 10)
    with pytest.raises(InvalidGameError, match="is larger than"):
        read_words(word_file("crane\nslate\n"))
    monkeypatch.setattr(dictionary, "MAX_FILE", 1000)
    monkeypatch.setattr(dictionary, "MAX_LINES", 10)
    with pytest.raises(InvalidGameError, match="10 lines"):
        read_words(word_file("\n" * 100))


def test_too_many_words(word_file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """More words than a game may have are refused."""
    monkeypatch.setattr("guessbook.book.games.vocabulary.MAX_WORDS", 3)
    with pytest.raises(InvalidGameError, match="more than 3 words"):
        read_words(word_file("aa\nbb\ncc\ndd\n"))


def test_unreadable(tmp_path: Path) -> None:
    """No such file, or a folder: one line that names it."""
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(UsageError, match="cannot read"):
            read_words(path)


def test_words_of_a_dictionary(word_file: Callable[..., Path]) -> None:
    """Names, abbreviations and what is not made of letters are left out, and other lengths."""
    path = word_file(DICTIONARY)
    found = find_words(5, path)
    assert (found.words, found.source, found.total) == (["crane", "slate"], str(path), 9)
    assert find_words(3, path).words == ["été"]
    with pytest.raises(UsageError, match="no words of 11 letters"):
        find_words(11, path)
    for length in (0, 13):
        with pytest.raises(UsageError, match="expected 1 to 12"):
            find_words(length, path)


def test_the_system_comes_first(
    word_file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's dictionary is taken where there is one."""
    path = word_file(DICTIONARY)
    monkeypatch.setattr(dictionary, "DICTIONARY", str(path))
    assert find_words(5).source == str(path)


def test_the_package_is_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a dictionary the package english-words gives some thousand words, in order."""
    pytest.importorskip("english_words", reason="the package english-words is not installed")
    monkeypatch.setattr(dictionary, "DICTIONARY", str(tmp_path / "none"))
    found = find_words(5)
    assert found.source == "english-words"
    assert len(found.words) > 5000
    assert {"crane", "slate"} <= set(found.words)
    assert found.words == sorted(found.words)


def test_no_dictionary_at_all(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With neither, one line says what to install."""
    monkeypatch.setattr(dictionary, "DICTIONARY", str(tmp_path / "none"))
    monkeypatch.setitem(sys.modules, "english_words", None)
    code, out, err = run("words", "--length", 5)
    assert (code, out) == (2, "")
    assert 'pip install ".[words]"' in err
    assert err.count("\n") == 1


def test_from_nothing_to_a_book(run: Run, word_file: Callable[..., Path]) -> None:
    """Two commands: a list from a dictionary, and its book, which answers."""
    source = word_file(DICTIONARY + "brand\nstone\ntrace\nCRATE\ncrate\n")
    code, out, err = run("words", "--dictionary", source, "-o", "words.txt")
    assert (code, out) == (0, "")
    assert err.startswith("6 words of 5 letters, of 14 in ")
    code, out, err = run("build-book", "--answers", "words.txt", "--json")
    assert (code, err) == (0, "")
    built = json.loads(out)
    assert (built["game"], built["secrets"]) == ("words-5x6", 6)
    assert built["path"] == "words-5x6-entropy.book"
    known = open_book(built["path"]).root.guess
    code, out, _ = run("hint", "--book", built["path"], "--json")
    assert json.loads(out)["guess"] == known
    code, out, _ = run("hint", "CRANE=⬛🟩🟩🟩⬛", "--book", built["path"], "--json")
    assert (code, json.loads(out)["guess"]) == (0, "brand")
    code, _, err = run("hint", "crane=11111", "--book", built["path"])
    assert code == 4
    for wrong in ("cranes=11111", "crane=1111", "crane=22221"):
        assert run("hint", wrong, "--book", built["path"])[0] == 2
    assert run("verify", built["path"], "--policy")[0] == 0


def test_words_to_stdout(run: Run, word_file: Callable[..., Path]) -> None:
    """Without a file the words go to stdout, and the rest does not."""
    code, out, err = run("words", "--dictionary", word_file(DICTIONARY))
    assert (code, out) == (0, "crane\nslate\n")
    assert "2 words" in err


def test_words_do_not_overwrite(run: Run, word_file: Callable[..., Path], tmp_path: Path) -> None:
    """A file that is there is kept unless --force is given."""
    path = word_file(DICTIONARY)
    (tmp_path / "out").write_text("mine")
    assert run("words", "--dictionary", path, "-o", "out")[0] == 1
    assert (tmp_path / "out").read_text() == "mine"
    assert run("words", "--dictionary", path, "-o", "out", "--force")[0] == 0
    assert (tmp_path / "out").read_text() == "crane\nslate\n"


def test_both_rules_on_the_command_line(run: Run, tmp_path: Path) -> None:
    """--scoring loose is another game, with another name; another rule does not exist."""
    (tmp_path / "words").write_text("aab\naba\nbaa\nabb\nCaa\n\n")
    code, out, err = run("build-book", "--answers", "words", "--scoring", "loose", "--json")
    assert code == 0
    assert "1 blank line skipped" in err
    assert json.loads(out)["game"] == "words-3x5-loose"
    assert run("build-book", "--answers", "words", "--scoring", "strict")[0] == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("--guesses", "words"),
        ("--scoring", "loose"),
        ("--answers", "words", "--pegs", "5"),
        ("--answers", "words", "--colors", "5"),
        ("--answers", "none"),
        ("--answers", "words", "--first-guess", "zzz"),
    ],
)
def test_usage(run: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Options that contradict each other, and files that are not there: exit code 2, one line."""
    (tmp_path / "words").write_text("aab\naba\n")
    code, out, err = run("build-book", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert not list(tmp_path.glob("*.book"))


def test_lists_with_weights(tmp_path: Path, run: Run) -> None:
    """A list of answers may have a weight on each line; those of the guesses are left out."""
    answers, guesses = tmp_path / "answers.txt", tmp_path / "guesses.txt"
    answers.write_text("crane 5120\nslate\t30\n\nCRANE 5\ntrace  7\n")
    guesses.write_text("slate 1\ntrace 1\ncrane 9\nadieu 5\n")
    game, notes = load_game(answers, guesses)
    assert (game.secrets, game.weights) == (("slate", "trace", "crane"), (30, 7, 5125))
    assert notes[0].endswith("1 repeated word added to the weight of the first")
    assert notes[-1] == f"{guesses}: weights ignored, because only the weights of secrets count"
    book = tmp_path / "x.book"
    done = run("build-book", "--answers", answers, "-o", book, "--policy", "entropy-corrected")
    assert "mean         1.0072 guesses by weight" in done.out
    assert "crane, may be the secret: 99.28%" in run("hint", "--book", book).out
    assert json.loads(run("info", book, "--json").out)["weight"] == 5162


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("crane 5\nslate\n", "line 2 of .*: found 'slate' without a weight, expected a weight, as"),
        (
            "crane\n\nslate 5\n",
            "line 3 of .*: found 'slate 5' with a weight, expected no weight, as",
        ),
        ("crane 0\n", "line 1 of .*: found weight '0', expected a positive number such as"),
        ("crane 7\nslate -5\n", "line 2 of .*: found weight '-5', expected a positive number"),
        ("crane;0,25\n", "line 1 of .*: found weight '0,25', expected a positive number"),
        ("crane 1e999\n", "line 1 of .*: found weight '1e999', expected a positive number"),
        (",5\n", "line 1 of .*: found ',5', expected one word"),
        (
            "crane 0.0000001\nslate 99.9%\n",
            "in lowest terms, .* 4,194,304: round the weights to fewer",
        ),
        ("crane pie\n", "line 1 of .*: found 'crane pie', expected one word"),
        ("crane 4194304\nslate 1\n", "sum is 4,194,305 in lowest terms, .* 4,194,304: divide each"),
        ("crane 99999999999999999999999999\nslate 1\n", "expected at most 4,194,304"),
    ],
)
def test_wrong_weights_in_a_list(tmp_path: Path, lines: str, message: str) -> None:
    """What is no weight is refused with its line."""
    path = tmp_path / "words.txt"
    path.write_text(lines)
    with pytest.raises(InvalidGameError, match=message):
        load_game(path)


@pytest.mark.parametrize("separator", [",", "\t", ";", " ", " , ", "    "])
def test_weights_as_people_write_them(tmp_path: Path, separator: str) -> None:
    """A number after the word is its weight, whatever separates them; decimals count exactly."""
    path = tmp_path / "words.txt"
    rows = [
        ("crane", "0.25"),
        ("slate", "12.5%"),
        ("trace", "1"),
        ("stare", ".5"),
        ("crane", "5e-1"),
    ]
    path.write_text("".join([f"{word}{separator}{weight}\n" for word, weight in rows]))
    game, _ = load_game(path)
    assert game.secrets == ("crane", "slate", "trace", "stare")
    assert game.weights == (6, 1, 8, 4)

"""Hostile word lists, and hostile names of files: refused, or harmless wherever they are shown."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import InvalidGameError, Mastermind, UsageError, WordGame, dictionary
from guessbook.book.dictionary import MAX_FILE, MAX_LINES, find_words
from guessbook.command.wordlists import load_game, read_words
from guessbook.export.spreadsheet import line
from tests.helpers.command import Result, Run, complaint
from tests.helpers.plain import plain_book

# Moves cursors, changes colours, rings bells, turns the direction of writing, shows nothing, is put
# together in two ways, looks like a formula or like markup, or is no text at all.
HOSTILE = [
    *["\x1b[2J", "\x1b]0;title\x07", "\x9b31m", "\x00", "\x07", "\x08", "\x7f"],
    *["\r", "\t", "\v", "\f", "\x1c", "\x85", "\u2028"],
    *["\u202e", "\u2066", "\u200b", "\u200d", "\u00ad", "\ufeff", "\ufe0f", "\U000e0041"],
    *["\u0301", "e\u0301", "\u1100\u1161", "İ", "ŉ", "ǆ", "ﬁ", "\ue000", "\ufdd0"],
    *"=+-@'\"<>&|,;",
]
NAMES = ["\x1b[31mred", "bell\x07", "line\nline", "exe.\u202etxt", "no\u200bthing", "raw\udcff"]


def is_harmless(word: str) -> bool:
    """Whether a word is letters, digits or signs that any terminal shows, in lower case."""
    return (
        all(sign.isalpha() or sign in "0123456789+-*/=()^" for sign in word)
        and word.isprintable()
        and word == word.lower()
        and word == normalize("NFC", word)
    )


def check_message(error: Exception, part: str = "") -> None:
    """Check that a message is a short line of printable characters, with this part."""
    assert part in str(error)
    assert str(error).isprintable()
    assert len(str(error)) < 400


# --- what is in a list ----------------------------------------------------------------------

texts = st.lists(
    st.one_of(st.sampled_from(HOSTILE), st.sampled_from(["\n", "\r\n", "crane", "éclat", "a"])),
    max_size=12,
).map("".join)
encodings = st.sampled_from(["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-16-le", "utf-32"])
contents = st.one_of(
    st.binary(max_size=200),
    st.tuples(texts, encodings).map(lambda pair: pair[0].encode(pair[1], "replace")),
)


@given(content=contents, other=contents)
def test_any_content_is_refused_or_harmless(
    content: bytes, other: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A list is refused in one short printable line, or gives letters in lower case alone."""
    folder = tmp_path_factory.mktemp("lists")
    (folder / "answers").write_bytes(content)
    (folder / "guesses").write_bytes(other)
    try:
        game, notes = load_game(folder / "answers", folder / "guesses")
    except UsageError as error:
        check_message(error)
        return
    assert all(map(is_harmless, game.guesses))
    assert {len(word) for word in game.guesses} == {game.length}
    assert set(game.secrets) <= set(game.guesses)
    assert all(note.isprintable() for note in notes)


def test_secrets_of_another_length_are_refused(tmp_path: Path) -> None:
    """Secrets that are shorter or longer than the guesses make no game, one alone neither."""
    for answers, guesses in (("a", "aa"), ("aa", "a"), ("a", "aa\nbb"), ("ab\nc", "ab\nba")):
        (tmp_path / "answers").write_text(answers)
        (tmp_path / "guesses").write_text(guesses)
        with pytest.raises(InvalidGameError, match=r"length|letters"):
            load_game(tmp_path / "answers", tmp_path / "guesses")


@given(content=contents, length=st.integers(1, 12))
def test_any_dictionary_gives_words_or_none(
    content: bytes, length: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A dictionary of any content gives words of that length, which make a game, or an error."""
    path = tmp_path_factory.mktemp("lists") / "dictionary"
    path.write_bytes(content)
    try:
        found = find_words(length, path)
    except UsageError as error:
        check_message(error)
        return
    assert all(is_harmless(word) and len(word) == length for word in found.words)
    assert WordGame(found.words).guesses == tuple(found.words)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_characters_in_a_word(tmp_path: Path, hostile: str) -> None:
    """Inside a word each is refused with the line's number, or is a letter."""
    path = tmp_path / "list"
    path.write_text(f"abcde\nab{hostile}cd\n", "utf-8")
    try:
        words = read_words(path)[0].words
    except InvalidGameError as error:
        check_message(error, "line 2 of")
    else:
        assert all(map(is_harmless, words))


@pytest.mark.parametrize(
    "encoding", ["latin-1", "cp1252", "utf-16", "utf-16-le", "utf-32", "cp037"]
)
def test_other_encodings_are_named(tmp_path: Path, encoding: str) -> None:
    """A list in another encoding is refused with the line that is not UTF-8, or not a word."""
    path = tmp_path / "list"
    path.write_bytes("crane\néclat\n".encode(encoding))
    with pytest.raises(InvalidGameError, match=r"line [12] of .*(UTF-8|letters)"):
        read_words(path)


def test_windows_files_are_read(tmp_path: Path) -> None:
    """A byte order mark and CRLF are what an editor adds: the words are the same."""
    (tmp_path / "list").write_bytes(b"\xef\xbb\xbfcrane\r\n\r\nslate \r\n")
    assert read_words(tmp_path / "list")[0].words == ("crane", "slate")


def test_two_spellings_are_one_word(tmp_path: Path) -> None:
    """A letter with its accent as one character or as two is the same letter, counted once."""
    (tmp_path / "list").write_text("e\u0301tat\n\u00e9tat\nclefs\n".replace("clefs", "clef"))
    assert read_words(tmp_path / "list")[0].words == ("\u00e9tat", "clef")
    assert find_words(4, tmp_path / "list").words == ["\u00e9tat", "clef"]


# --- how much is in it ----------------------------------------------------------------------

# Reads each file with little more memory than the interpreter has when it starts.
LITTLE_MEMORY = """
import re, resource, sys
from pathlib import Path
from guessbook.book import UsageError
from guessbook.book import dictionary
from guessbook.book.dictionary import find_words
from guessbook.command.wordlists import read_words
dictionary.MAX_LINES //= 10
used = int(re.search(r"VmSize:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) << 10
limit = used + int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
for path in map(Path, sys.argv[2:]):
    for read in (read_words, lambda path: find_words(5, path)):
        try:
            read(path)
        except UsageError as error:
            print(error)
"""


@pytest.fixture
def huge(tmp_path: Path) -> dict[str, Path]:
    """Files of gigabytes, most of which are holes that take no room on the disk."""
    found = {name: tmp_path / name for name in ("hole", "line", "words", "blank")}
    with found["hole"].open("wb") as file:
        file.truncate(1 << 40)
    with found["line"].open("wb") as file:
        file.write(b"crane\nsl")
        file.seek(MAX_FILE - 10)
        file.write(b"ate\n")
    with found["words"].open("wb") as file:
        file.write(b"crane\nslate\n" * 100)
        file.truncate(1 << 33)
    with found["blank"].open("wb") as file:
        file.write(b"\n" * (MAX_LINES // 10 + 1))
    return found


def test_gigabytes_are_refused_in_little_memory(huge: dict[str, Path]) -> None:
    """Terabyte files, lines of 64 MiB and millions of lines: refused with 8 MiB to spare."""
    if not Path("/proc/self/status").exists():
        pytest.skip("this system does not say how much memory a process has")
    found = subprocess.run(
        [sys.executable, "-c", LITTLE_MEMORY, str(8 << 20), *map(str, huge.values())],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert found.returncode == 0, found.stderr
    said = found.stdout.splitlines()
    assert len(said) == 2 * len(huge)
    assert sum("larger than 64 MiB" in message for message in said) == 6
    assert sum(f"line 2 of {huge['line']} is longer than" in message for message in said) == 2


@pytest.mark.parametrize("content", [b"x", b"\0", b"\n", b"crane\n", b"\xff"])
def test_a_pipe_without_end_is_left(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what never ends no more is read than the limits allow, and of nonsense next to nothing."""
    monkeypatch.setattr(dictionary, "MAX_FILE", 1 << 20)
    reading, writing = os.pipe()
    written = [0]

    def pour() -> None:
        with suppress(BrokenPipeError):
            while True:
                written[0] += os.write(writing, content * 65536)

    source = threading.Thread(target=pour)
    source.start()
    try:
        with pytest.raises(InvalidGameError):
            read_words(Path(f"/dev/fd/{reading}"))
    finally:
        os.close(reading)
        source.join()
        os.close(writing)
    # What reader, pipe and writer hold is not counted: a block each, and one piece of content.
    most = dictionary.MAX_FILE if content in {b"\n", b"crane\n"} else dictionary.MAX_LINE
    assert written[0] <= most + (1 << 18) + 65536 * len(content)


@pytest.mark.posix
def test_devices_and_folders(tmp_path: Path) -> None:
    """A device without end, one without content, a pipe without writer, a folder: one line."""
    if sys.platform == "win32":
        raise NotImplementedError
    os.mkfifo(tmp_path / "pipe")
    for path in map(
        Path, ["/dev/zero", "/dev/null", str(tmp_path / "pipe"), str(tmp_path), "a\0b"]
    ):
        for read in (read_words, lambda path: find_words(5, path)):
            with pytest.raises(UsageError) as error:
                read(path)
            assert str(error.value).isprintable()


@pytest.mark.posix
def test_a_list_from_a_command(tmp_path: Path) -> None:
    """What another program prints can be read through a pipe: `--answers <(...)`."""
    reading, writing = os.pipe()
    os.write(writing, b"crane\nslate\n")
    os.close(writing)
    try:
        assert read_words(Path(f"/dev/fd/{reading}"))[0].words == ("crane", "slate")
    finally:
        os.close(reading)


# --- where it is shown ----------------------------------------------------------------------


def harmless(result: Result) -> Result:
    """The result, after checking that each line of it is printable."""
    for text in (result.out, result.err):
        assert all(part.isprintable() for part in text.split("\n"))
        assert "Traceback" not in text
    return result


@pytest.mark.parametrize("name", NAMES)
def test_hostile_file_names(run: Run, tmp_path: Path, name: str) -> None:
    """The name of a file is shown without what it could do to a terminal, by every command."""
    words, broken = tmp_path / f"{name}.txt", tmp_path / f"{name}.bad"
    words.write_text("Crane\nslate\nbrand\n")
    broken.write_text("crane\nsl\n")
    book = tmp_path / f"{name}.book"
    built = harmless(run("build-book", "--answers", words, "-o", book))
    assert built.code == 0
    assert "written in lower case" in built.err
    for arguments in (("info",), ("verify",), ("run", "--secret", "slate"), ("simulate",)):
        assert harmless(run(arguments[0], book, *arguments[1:])).code == 0
    for command in ("hint", "explain"):
        assert harmless(run(command, "--book", book)).code == 0
        assert harmless(run(command, "--book", book, "--json")).code == 0
    assert harmless(run("info", book, "--json")).code == 0
    picture = tmp_path / f"{name}.svg"
    compared = harmless(run("compare", book, "--answers", words, "--svg", picture))
    assert compared.code == 0
    assert all(part.isprintable() for part in picture.read_text("utf-8").split("\n"))
    assert harmless(run("words", "--dictionary", words, "-o", tmp_path / f"{name}.out")).code == 0
    for command in ("export --to dot", "export --to python", "report", "tree"):
        out = () if command == "tree" else ("-o", tmp_path / f"{name}.out", "--force")
        assert harmless(run(*command.split(), book, *out)).code == 0
    # And when things go wrong.
    complaint(run("build-book", "--answers", broken), 2)
    complaint(run("build-book", "--answers", tmp_path / f"{name}.no"), 2)
    words.write_text("crane\nslate\nbrand\n")  # of which nothing is to be said
    complaint(run("build-book", "--answers", words, "-o", book))
    complaint(run("build-book", "--answers", words, "-o", tmp_path / f"{name}/a"))
    complaint(run("info", words), 3)
    complaint(run("info", tmp_path / f"{name}.no"), 2)
    complaint(run("words", "--dictionary", words, "-o", tmp_path / f"{name}.out"))
    complaint(run("words", "--dictionary", broken, "--length", 9), 2)
    complaint(run("simulate", book, "-o", book))
    complaint(run("compare", book, "--pegs", 2), 2)


@pytest.mark.parametrize("name", NAMES)
def test_hostile_arguments(run: Run, name: str) -> None:
    """Whatever is typed is shown without what it could do to a terminal."""
    for arguments in (
        [name],
        ["hint", name],
        ["hint", f"{name}=1,1"],
        ["hint", f"RYGB={name}"],
        ["hint", f"--{name}"],
        ["build-book", "--policy", name],
        ["build-book", "--policy", f"rollout:{name}=1"],
        ["build-book", "--first-guess", name],
        ["build-book", "--openings", name],
        ["build-book", "--preset", name],
        ["build-book", "--symbols", name],
        ["build-book", "--pegs", name],
        ["build-book", "--answers", "x", "--scoring", name],
        ["run", "--secret", name],
        ["rate", name],
        ["review", "RYGB=1,1", "--secret", name],
        ["simulate", "--fraction", name],
        ["compare", name],
    ):
        assert harmless(run(*arguments)).code == 2, arguments


symbols = st.lists(
    st.sampled_from("+-@!\"'<>&;|%$#`\\/?*(){}[]^~_.:AZaz09éß漢שـ🟩🐄＋＠"),
    min_size=2,
    max_size=3,
    unique=True,
).map("".join)


@given(chosen=symbols)
def test_no_cell_is_a_formula(chosen: str) -> None:
    """Codes of any symbols come back from CSV, with an apostrophe before what is like a formula."""
    game = Mastermind(2, len(chosen), symbols=chosen)
    text = "".join(line(code, number) for number, code in enumerate(game.guesses))
    rows = list(csv.reader(io.StringIO(text)))
    assert [int(number) for _, number in rows] == list(range(len(game.guesses)))
    for code, (found, _) in zip(game.guesses, rows, strict=True):
        assert found[0] not in "=+-@＝＋－＠\t\r\n"
        assert found == (f"'{code}" if code[0] in "+-@＋＠'" else code)


@pytest.mark.parametrize("value", ["=1+1", "\t=1", "\r=1", "\n", "@A1", "-1", "a;=1", '"=1"', ""])
def test_any_text_is_one_cell(value: str) -> None:
    """A value stays one cell, at commas, semicolons, quotes and ends of lines."""
    ((found,),) = csv.reader(io.StringIO(line(value), newline=""))
    assert found.removeprefix("'") == value
    assert not found.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    assert line(value).startswith('"')


def test_simulate_writes_harmless_cells(run: Run, tmp_path: Path) -> None:
    """`simulate -o` writes a row for each secret; none is a formula, whatever the symbols."""
    plain_book(Mastermind(2, 4, symbols='+-@"')).save(tmp_path / "a.book")
    assert run("simulate", "a.book", "-o", "a.csv").code == 0
    text = (tmp_path / "a.csv").read_text("utf-8")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[0] == ["secret", "guesses"]
    assert len(rows) == 17
    assert {row[0] for row in rows[1:]} >= {"'++", "'-@", '"+', '""'}
    assert {row[1] for row in rows[1:]} <= set("1234567")

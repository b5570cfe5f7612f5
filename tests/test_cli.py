"""The command line: output, JSON, exit codes, and what happens when things go wrong."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import shlex
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgpack
import pytest

from guessbook.book import Book, Mastermind, open_book
from guessbook.book.compression import compress, decompress
from guessbook.book.report import facts, table
from guessbook.book.tree import Columns, Tree
from guessbook.builder import commands
from guessbook.lookup import proof
from guessbook.lookup.main import main

if TYPE_CHECKING:
    from pathlib import Path

START = [sys.executable, "-c", "from guessbook.lookup.main import main; main()"]
KEYS = [
    "path",
    "game",
    "policy",
    "options",
    "first_guess",
    "secrets",
    "nodes",
    "total_guesses",
    "mean_guesses",
    "max_guesses",
    "distribution",
    "bytes",
]
HINT_KEYS = ["guess", "source", "remaining", "entropy", "candidate", "solved"]


class Result(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


class Run(Protocol):
    """Runs `guessbook` with some arguments."""

    def __call__(self, *arguments: object) -> Result:
        """The arguments as a shell would split them; what came of it."""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Runs `guessbook` in this process, in an empty folder, without colour."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "80")

    def start(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["guessbook", *map(str, arguments)])
        capsys.readouterr()
        try:
            main()
        except SystemExit as end:
            code = end.code
        else:
            code = 0
        captured = capsys.readouterr()
        assert code is None or isinstance(code, int)
        return Result(code or 0, captured.out, captured.err)

    return start


@pytest.fixture
def book_file(small_book: Book, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a book of 3 pegs and 4 colors."""
    path = tmp_path_factory.mktemp("books") / "small.book"
    small_book.save(path)
    return path


def one_line(result: Result) -> str:
    """The message of a failed command, after checking that it is one line on stderr alone."""
    assert result.out == ""
    assert result.err.count("\n") == 1
    assert result.err.startswith("Error: ")
    return result.err


# --- help and version -----------------------------------------------------------------------


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("command", ["", "build-book", "hint", "info", "verify"])
def test_help(run: Run, command: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--help` exits 0, shows an example, and fits the width of the terminal."""
    monkeypatch.setenv("COLUMNS", str(width))
    result = run(*command.split(), "--help")
    assert result.code == 0
    assert f"guessbook {command}".strip() in result.out
    assert "Example: guessbook" in " ".join(result.out.split())
    assert max(map(len, result.out.splitlines())) <= width


def test_version(run: Run) -> None:
    """`--version` is one line with the name of the program."""
    result = run("--version")
    assert result.code == 0
    assert result.out.startswith("guessbook ")
    assert result.out.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", ["", "frobnicate", "hint --frobnicate", "info a b", "build-book --jobs 0"]
)
def test_wrong_usage_exits_2(run: Run, arguments: str) -> None:
    """No command, an unknown one, or a wrong option is exit code 2."""
    assert run(*arguments.split()).code == 2


# --- hint -----------------------------------------------------------------------------------


def test_hint_says_what_the_book_says(run: Run, book_file: Path) -> None:
    """`hint` prints guess, candidates, bits and source; `--json` the same as data."""
    first = open_book(book_file).hint([])
    result = run("hint", "--book", book_file)
    assert result.code == 0
    assert f"guess       {first.guess}" in result.out
    assert f"candidates  {first.remaining} of 64" in result.out
    assert f"entropy     {first.entropy:.4f} bits" in result.out
    assert "source      book" in result.out
    data = json.loads(run("hint", "--book", book_file, "--json").out)
    assert list(data) == HINT_KEYS
    assert data == first._asdict()


def test_hint_after_a_history(run: Run, book_file: Path) -> None:
    """Entries in any order and notation give what `Book.hint` gives."""
    history = ["RRY=0,1", "GBR=1,0,2"]
    expected = open_book(book_file).hint(history)
    for arguments in (history, history[::-1], ["rry=0B1W", "GBR=200"]):
        data = json.loads(run("hint", "--json", "--book", book_file, *arguments).out)
        assert (data["guess"], data["remaining"]) == (expected.guess, expected.remaining)


def test_hint_says_when_it_is_certain(run: Run, book_file: Path) -> None:
    """With one candidate left the hint says so; after the right guess it says solved."""
    book = open_book(book_file)
    leaf = next(node for node in book.nodes if node.candidates == 1)
    history: list[str] = []
    node = book.root
    while node.candidates > 1:
        number = book.game.feedback(node.guess, leaf.guess)
        history.append(f"{node.guess}={book.game.format_feedback(number)}")
        child = node.child(number)
        assert child is not None
        node = child
    assert "certain" in run("hint", "--book", book_file, *history).out
    solved = run("hint", "--book", book_file, *history, f"{leaf.guess}=3,0")
    assert solved.code == 0
    assert f"{leaf.guess}\nsolved" in solved.out


def test_hint_for_an_inconsistent_history_exits_4(run: Run, book_file: Path) -> None:
    """A history that no secret fits is exit code 4; the message names what to re-check."""
    result = run("hint", "--book", book_file, "RRR=0,0", "YYY=0,0", "GGG=0,0", "BBB=0,0")
    assert result.code == 4
    for entry in ("RRR=0,0", "YYY=0,0", "GGG=0,0", "BBB=0,0"):
        assert entry in one_line(result)


@pytest.mark.parametrize("entry", ["RRX=1,0", "RR=1,0", "RRY=4,0", "RRY=2,1", "RRY", "RRY="])
def test_hint_for_what_is_no_history_exits_2(run: Run, book_file: Path, entry: str) -> None:
    """A code or feedback that the game does not know is exit code 2 and one line."""
    result = run("hint", "--book", book_file, entry)
    assert result.code == 2
    assert "found" in one_line(result)


# --- info and verify ------------------------------------------------------------------------


def test_info(run: Run, book_file: Path, small_book: Book) -> None:
    """`info` says what a book is; its JSON has the keys that scripts rely on."""
    known = small_book.metadata
    data = json.loads(run("info", book_file, "--json").out)
    assert list(data) == KEYS
    assert data["path"] == str(book_file)
    assert data["bytes"] == book_file.stat().st_size
    assert data["mean_guesses"] == data["total_guesses"] / data["secrets"]
    assert sum(int(n) * s for n, s in data["distribution"].items()) == known.total_guesses
    result = run("info", book_file)
    assert result.code == 0
    for words in ("mastermind-3x4", "minimax", f"{known.nodes}", f"{known.mean_guesses:.4f}"):
        assert words in result.out


@pytest.mark.parametrize("command", ["info", "verify", "hint --book"])
def test_what_is_no_book_exits_3(run: Run, command: str, tmp_path: Path, book_file: Path) -> None:
    """Foreign and truncated files are exit code 3, a missing one is 2; all in one line."""
    foreign, cut = tmp_path / "foreign.book", tmp_path / "cut.book"
    foreign.write_text("Not a book at all.\n")
    cut.write_bytes(book_file.read_bytes()[:-9])
    for path in (foreign, cut):
        result = run(*command.split(), path)
        assert result.code == 3
        one_line(result)
    missing = run(*command.split(), tmp_path / "missing.book")
    assert missing.code == 2
    one_line(missing)


def test_verify_proves_good_books(run: Run, small_books: dict[str, Book], tmp_path: Path) -> None:
    """Books as they are built pass every check, that of the policy as well."""
    for book in small_books.values():
        path = tmp_path / "a.book"
        book.save(path)
        result = run("verify", path, "--policy", "--json")
        data = json.loads(result.out)
        assert result.code == 0
        assert data["passed"] is True
        names = ["secrets", "candidates", "statistics", "policy"]
        assert [check["name"] for check in data["checks"]] == names
        assert all(check["passed"] for check in data["checks"])


def tampered(book: Book, column: str, node: int, value: int) -> Book:
    """A book whose tree differs in one integer."""
    tree = book.tree
    columns = {name: list(getattr(tree, name)) for name in Columns._fields}
    columns[column][node] = value
    changed = Tree(Columns(**columns), len(book.game.guesses), book.game.feedbacks)
    return Book(book.game, book.policy, changed)


def test_verify_finds_a_wrong_guess_of_a_leaf(run: Run, small_book: Book, tmp_path: Path) -> None:
    """A leaf that guesses another code leaves a secret unsolved: exit code 1, and it is named."""
    tree = small_book.tree
    leaf = next(i for i in range(len(tree)) if tree.candidates[i] == 1)
    path = tmp_path / "a.book"
    tampered(small_book, "guess", leaf, (tree.guess[leaf] + 1) % 64).save(path)
    result = run("verify", path)
    assert result.code == 1
    assert "FAILED  secrets: 63 of 64 solved" in result.out
    assert small_book.game.guesses[tree.guess[leaf]] in result.out
    data = json.loads(run("verify", path, "--json").out)
    assert data["passed"] is False


def test_verify_finds_another_feedback_and_false_counts(
    run: Run, small_book: Book, tmp_path: Path
) -> None:
    """Children under wrong feedbacks are found, and so are their candidates."""
    children = small_book.root.children
    free = set(range(small_book.game.solved)) - set(children)
    number = next(n for n in sorted(free) if n - 1 in children or n + 1 in children)
    wrong = children.get(number - 1) or children[number + 1]
    path = tmp_path / "a.book"
    tampered(small_book, "feedback", wrong.index, number).save(path)
    result = run("verify", path)
    assert result.code == 1
    assert "FAILED  secrets" in result.out
    assert "FAILED  candidates" in result.out
    assert "FAILED  statistics" in result.out


@pytest.mark.parametrize("compiled", [True, False])
def test_verify_policy_finds_another_policy(
    run: Run, small_book: Book, tmp_path: Path, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A good book that names another policy fails `--policy`, with or without the kernels."""
    if not compiled:
        monkeypatch.setitem(sys.modules, "numba", None)
    path = tmp_path / "a.book"
    Book(small_book.game, {"name": "parts"}, small_book.tree).save(path)
    assert run("verify", path).code == 0
    result = run("verify", path, "--policy")
    assert result.code == 1
    assert "FAILED  policy" in result.out
    assert "the policy guesses" in result.out


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("first_guess", ["RRR", "RYGB", "rye"])
def test_verify_policy_finds_another_first_guess(
    run: Run,
    small_book: Book,
    tmp_path: Path,
    compiled: bool,
    first_guess: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A header with a first guess that the book does not open with fails `--policy`."""
    if not compiled:
        monkeypatch.setitem(sys.modules, "numba", None)
    path = tmp_path / "a.book"
    false = {"name": "minimax", "first_guess": first_guess}
    Book(small_book.game, false, small_book.tree).save(path)
    result = run("verify", path, "--policy")
    assert result.code == 1
    assert f"at the start found {small_book.root.guess}" in result.out
    assert f"the header says {first_guess}" in result.out
    true = {"name": "minimax", "first_guess": small_book.root.guess.lower()}
    Book(small_book.game, true, small_book.tree).save(path)
    assert run("verify", path, "--policy").code == 0


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("policy", [{"name": "minimax", "mood": 1}, {"name": "luck"}])
def test_verify_policy_refuses_what_it_does_not_know(
    run: Run,
    small_book: Book,
    tmp_path: Path,
    compiled: bool,
    policy: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A policy or option of a later version is exit code 2, and not said to be verified."""
    if not compiled:
        monkeypatch.setitem(sys.modules, "numba", None)
    path = tmp_path / "a.book"
    Book(small_book.game, policy, small_book.tree).save(path)
    assert run("verify", path).code == 0
    result = run("verify", path, "--policy")
    assert result.code == 2
    assert "policy: " not in result.out
    assert "expected" in result.err


def test_verify_policy_without_kernels(
    run: Run, small_books: dict[str, Book], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without numba a small book is recomputed in plain Python, a large one is refused."""
    monkeypatch.setitem(sys.modules, "numba", None)
    path = tmp_path / "a.book"
    for book in small_books.values():
        book.save(path)
        assert run("verify", path, "--policy").code == 0
    monkeypatch.setattr(proof, "MAX_PLAIN_PAIRS", 10)
    result = run("verify", path, "--policy")
    assert result.code == 2
    assert "guessbook[build]" in result.err


# --- build-book -----------------------------------------------------------------------------


def test_build_book(run: Run, tmp_path: Path) -> None:
    """`build-book` writes one file, named after game and policy, and ends with a table."""
    result = run("build-book", "--pegs", 3, "--colors", 4, "--policy", "minimax")
    assert (result.code, result.err) == (0, "")
    (path,) = tmp_path.iterdir()
    assert path.name == "mastermind-3x4-minimax.book"
    known = open_book(path).metadata
    assert (known.policy, known.secrets) == ("minimax", 64)
    for words in (f"{known.mean_guesses:.4f}", f"{known.nodes}", "bytes", "seconds", "█"):
        assert words in result.out


def test_build_book_json(run: Run, tmp_path: Path) -> None:
    """`--json` prints JSON alone, with the keys of `info` and the seconds."""
    result = run("build-book", "--pegs", 2, "--colors", 3, "--json", "-o", "a.book")
    data = json.loads(result.out)
    assert list(data) == [*KEYS, "seconds"]
    assert data["seconds"] > 0
    seconds = data.pop("seconds")
    assert isinstance(seconds, float)
    assert json.loads(run("info", "a.book", "--json").out) == data
    assert [path.name for path in tmp_path.iterdir()] == ["a.book"]


def test_build_book_with_all_options(run: Run, tmp_path: Path) -> None:
    """No repeats, own symbols, a pinned first guess and threads end up in the book."""
    options = "--pegs 3 --colors 5 --no-repeats --symbols abcde --first-guess BCD --jobs 2 --stats"
    result = run("build-book", *options.split())
    assert result.code == 0, result.err
    assert "guess 2      " in result.out
    assert "pairs scored" in result.out
    (path,) = tmp_path.iterdir()
    assert path.name == "bulls-and-cows-3x5-entropy-bcd.book"
    book = open_book(path)
    assert book.game == Mastermind(3, 5, repeats=False, symbols="abcde")
    assert book.metadata.options == {"first_guess": "bcd"}
    assert book.root.guess == "bcd"
    assert run("verify", path, "--policy").code == 0


def test_build_book_names_files_that_can_exist(run: Run, tmp_path: Path) -> None:
    """Symbols that no file name holds do not end up in one."""
    result = run(
        "build-book", "--pegs", 2, "--colors", 3, "--symbols", "/.x", "--first-guess", "/."
    )
    assert result.code == 0, result.err
    assert [path.name for path in tmp_path.iterdir()] == ["mastermind-2x3-entropy-1.book"]


def test_build_book_overwrites_only_when_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An existing file stops the command before it builds, and stays; --force replaces it."""
    path = tmp_path / "mastermind-2x2-entropy.book"
    path.write_text("mine")
    options = ("build-book", "--pegs", 2, "--colors", 2)
    with monkeypatch.context() as patch:
        patch.setattr(commands, "warm_up", never)
        result = run(*options)
    assert result.code == 1
    assert "--force" in one_line(result)
    assert path.read_text() == "mine"
    assert run(*options, "--force").code == 0
    assert open_book(path).metadata.secrets == 4


def never(*_: object) -> None:
    """Stands for what must not be called."""
    raise AssertionError("the build began")


@pytest.mark.parametrize("target", ["nowhere/a.book", "."])
def test_build_book_checks_its_target_first(
    run: Run, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A target that cannot be written is an error before the build."""
    monkeypatch.setattr(commands, "warm_up", never)
    result = run("build-book", "-o", target)
    assert result.code == 1
    one_line(result)


def test_build_book_checks_that_the_folder_is_writable(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder without the right to write is an error before the build."""
    monkeypatch.setattr(commands, "warm_up", never)
    monkeypatch.setattr(os, "access", lambda *_: False)
    result = run("build-book")
    assert result.code == 1
    assert "not writable" in one_line(result)


@pytest.mark.parametrize(
    "options",
    [
        "--policy luck",
        "--first-guess RY",
        "--first-guess XXXX",
        "--colors 6 --symbols RY",
        "--no-repeats --colors 3",
        "--pegs 15 --colors 36",
    ],
)
def test_build_book_refuses_what_makes_no_book(run: Run, options: str, tmp_path: Path) -> None:
    """A game, policy or first guess that cannot be is exit code 2, one line, and no file."""
    result = run("build-book", *options.split())
    assert result.code == 2
    assert "found" in one_line(result) or "codes" in result.err
    assert not list(tmp_path.iterdir())


# --- the table ------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp437", "nonsense"])
def test_the_table_fits(small_book: Book, width: int, encoding: str) -> None:
    """The table keeps to the width, and to the characters that the output can show."""
    known = {**facts(small_book, "a.book", 1234), "seconds": 0.5, "pairs": {"1": 10**9}}
    text = table(known, width, encoding)
    assert max(map(len, text.splitlines())) <= width
    if encoding == "nonsense":
        assert text.isascii()
    else:
        text.encode(encoding)


def test_every_bar_that_stands_for_something_shows(small_book: Book) -> None:
    """A distribution with one secret among thousands still shows a bar for it, and none for 0."""
    known: dict[str, Any] = facts(small_book, "a.book", 1)
    known["distribution"] = {"1": 1, "2": 0, "3": 99999}
    bars = [line.count("#") for line in table(known, 60, "ascii").splitlines()[-3:]]
    assert bars[:2] == [1, 0]
    assert bars[2] > 20


# --- the process ----------------------------------------------------------------------------


def start(*arguments: object, **options: Any) -> subprocess.Popen[str]:
    """`guessbook` in a process of its own."""
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "dumb"}
    return subprocess.Popen(
        [*START, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        **options,
    )


LOADED = (
    "import sys\n"
    "from guessbook.lookup.main import main\n"
    "try:\n    main()\n"
    "except SystemExit as end:\n    code = end.code or 0\n"
    "print(*sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)\n"
    "sys.exit(code)\n"
)


@pytest.mark.parametrize("arguments", ["--help", "--version", "hint RRY=0,1 --book BOOK", "hint"])
def test_light_commands_load_nothing_heavy(arguments: str, book_file: Path) -> None:
    """Help, version and a hint (also a live one) never load numpy or numba."""
    words = [str(book_file) if word == "BOOK" else word for word in arguments.split()]
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=False
    )
    loaded = done.stderr.splitlines()[-1].split()
    assert "typer" in loaded
    assert not {"numpy", "numba", "llvmlite"} & set(loaded)


def test_without_typer_the_script_says_what_to_install() -> None:
    """A core install has no typer: one line names the extra."""
    code = "import sys; sys.modules['typer'] = None\n" + START[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert 'pip install "guessbook[build]"' in done.stderr


def test_without_numba_the_build_says_what_to_install(tmp_path: Path) -> None:
    """With typer but without numba, build-book names the extra in one line."""
    code = "import sys; sys.modules['numba'] = None\n" + START[2]
    command = [sys.executable, "-c", code, "build-book", "--pegs", "2", "--colors", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert 'pip install "guessbook[build]"' in done.stderr


def test_a_broken_pipe_is_quiet(book_file: Path) -> None:
    """When the reader has gone, no traceback and no complaint at exit."""
    process = start("info", book_file)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() in (0, 1)


@pytest.mark.parametrize(
    ("command", "code", "complaint"),
    [
        ("info >&-", 1, "not writable"),
        ("info >/dev/full", 1, "No space left"),
        ("info --json >/dev/full", 1, "No space left"),
        ("hint >&-", 1, "not writable"),
        ("hint RYGZ=1,1 >&-", 2, "'Z'"),
        ("hint RYGZ=1,1 <&-", 2, "'Z'"),
        ("hint RYGZ=1,1 2>&-", 2, ""),
        ("hint RYGZ=1,1 2>/dev/full", 2, ""),
        ("info >&- 2>&-", 1, ""),
    ],
)
def test_closed_and_full_outputs(command: str, code: int, complaint: str) -> None:
    """Output that cannot be written is one line and exit code 1; an earlier error keeps its own."""
    if "/dev/full" in command and not os.path.exists("/dev/full"):  # noqa: PTH110
        pytest.skip("this system has no /dev/full")
    line = f"{shlex.quote(sys.executable)} -c {shlex.quote(START[2])} {command}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.count("\n") == bool(complaint)
    assert complaint in done.stderr


def test_ctrl_c_during_a_build_is_quiet_and_leaves_nothing(tmp_path: Path) -> None:
    """An interrupted build exits with 130 at once, without a traceback or a file left behind."""
    leader, follower = pty.openpty()
    command = [*START, "build-book", "--pegs", "6", "--colors", "8"]
    # On a dumb terminal there is no bar to wait for.
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=follower,
        cwd=tmp_path,
        env={**os.environ, "TERM": "xterm"},
    )
    assert process.stdout is not None
    os.close(follower)
    shown = b""
    try:
        # Kernels are at work as soon as the bar says something else than "compiling".
        while b"first guesses" not in shown and b"scoring" not in shown:
            shown += os.read(leader, 4096)
        for _ in range(2):
            process.send_signal(signal.SIGINT)
        with contextlib.suppress(OSError):
            while part := os.read(leader, 4096):
                shown += part
        out, _ = process.communicate(timeout=60)
    finally:
        process.kill()
        process.stdout.close()
        process.wait()
        os.close(leader)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in shown
    assert list(tmp_path.iterdir()) == []


def test_progress_shows_on_a_terminal_only(tmp_path: Path) -> None:
    """Where stderr is a terminal it shows what is being done; the JSON on stdout stays alone."""
    leader, follower = pty.openpty()
    command = [*START, *["build-book", "--pegs", "2", "--colors", "3", "--json"]]
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=follower,
        text=True,
        cwd=tmp_path,
        check=True,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(follower)
    shown = b""
    # On Linux the end of a terminal is an error, EIO.
    with contextlib.suppress(OSError):
        while part := os.read(leader, 4096):
            shown += part
    os.close(leader)
    assert b"compiling" in shown
    assert json.loads(done.stdout)["secrets"] == 9


def test_the_error_of_a_hostile_book_cannot_write_to_the_terminal(
    run: Run, small_book: Book, tmp_path: Path
) -> None:
    """Escape sequences in a header never reach the output."""
    content = msgpack.unpackb(decompress(small_book.to_bytes()))
    content["policy"] = {"name": "entropy", "first_guess": "\x1b[31mRYG"}
    path = tmp_path / "a.book"
    path.write_bytes(compress(msgpack.packb(content)))
    result = run("info", path)
    assert result.code == 3
    assert "\x1b" not in result.out + result.err

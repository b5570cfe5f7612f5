"""Hostile files: each is rejected with a short message and little memory, or is safe to use."""

from __future__ import annotations

import ast
import itertools
import random
import subprocess
import sys
import tracemalloc
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

import msgpack
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import guessbook as gb
from tests.file.fuzz import MAX_MESSAGE, MAX_MIB, outcome, use
from tests.file.mutators import BOMBS, MUTATORS, mutant, seeds
from tests.file.samples import sample_book
from tests.helpers.command import complaint
from tests.helpers.content import chain, codes_header, document, packed, seal, words_header, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.helpers.command import Run
    from tests.helpers.content import Document


@contextmanager
def at_most(mib: float) -> Iterator[None]:
    """Check that the objects of the block need less than `mib` MiB."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < mib * (1 << 20)


def refusal(blob: bytes) -> str:
    """Return the error for a file, or "" if the file is read."""
    message = ""
    try:
        gb.open(blob)
    except gb.InvalidBookError as error:
        message = str(error) or "no message"
    assert len(message) <= MAX_MESSAGE
    assert message.isprintable()
    assert message != "no message"
    return message


@pytest.mark.parametrize("name", MUTATORS)
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), pair=st.data())
def test_mutant_is_rejected_or_safe_to_use(name: str, seed: int, pair: st.DataObject) -> None:
    small = st.sampled_from(seeds()[:-1])
    known, other = (msgpack.unpackb(pair.draw(small)) for _ in range(2))
    blob = MUTATORS[name](known, other, random.Random(seed))
    if not refusal(blob):
        use(gb.open(blob), random.Random(seed))


def test_mutants_are_neither_all_rejected_nor_all_read() -> None:
    found = {outcome(case) for case in range(250)}
    assert {f"{name} refused" for name in MUTATORS} <= found
    assert sum(name.endswith(" used") for name in found) >= 6
    assert mutant(99) == mutant(99)


def run_module(root: Path, *arguments: str) -> None:
    """Run a module of tests; check that it succeeds."""
    command = [sys.executable, "-m", *arguments]
    found = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize(
    "cases",
    [
        pytest.param(1000, marks=pytest.mark.slow),
        pytest.param(50_000, marks=pytest.mark.nightly),
    ],
)
@pytest.mark.posix
def test_mutants_need_little_time_and_memory(root: Path, cases: int) -> None:
    run_module(root, "tests.file.fuzz", f"--cases={cases}", "--first=1000000", "--jobs=2")


@pytest.mark.nightly
def test_fuzzing_guided_by_coverage_finds_no_fault(root: Path, tmp_path: Path) -> None:
    if not find_spec("atheris"):
        pytest.skip("atheris is not installed: pip install atheris")
    options = ["-runs=5000", f"-artifact_prefix={tmp_path}/"]
    run_module(root, "tests.file.fuzz_atheris", *options)


# Memory.


def with_bomb(bomb: object) -> dict[str, object]:
    """Return copies of a valid document, each with a bomb at another place."""
    known = document(sample_book("2x2"))
    game, policy, tree = known["game"], known["policy"], known["tree"]
    return {
        "content": bomb,
        **{key: {**known, key: bomb} for key in (*known, "new")},
        **{f"game {key}": {**known, "game": {**game, key: bomb}} for key in game},
        "words": {**known, "game": {**words_header(["a"], ["a"]), "guesses": bomb}},
        "name": {**known, "policy": {"name": bomb}},
        "option": {**known, "policy": {**policy, "first_guess": bomb}},
        "column": {**known, "tree": {**tree, "guess": bomb}},
    }


@pytest.mark.parametrize("name", BOMBS)
def test_msgpack_bomb_needs_little_memory(name: str) -> None:
    for place, content in with_bomb(BOMBS[name]).items():
        blob = seal(packed(content))
        with at_most(MAX_MIB):
            # An unknown or ignored key may have any value that is plain and small.
            assert refusal(blob) or place in ("new", "ties")


def dense(content: bytes) -> bytes:
    """Return a frame that is very small for content that repeats itself."""
    parameters = zstandard.ZstdCompressionParameters.from_level(
        12,
        source_size=len(content),
        window_log=22,
        hash_log=20,
        chain_log=20,
        search_log=6,
        min_match=3,
        target_length=3,
        strategy=zstandard.STRATEGY_BTOPT,
        write_checksum=True,
    )
    return zstandard.ZstdCompressor(compression_params=parameters).compress(content)


def hungry_words() -> Document:
    """Return a book with as many words as a file of 100 KB may have.

    With one letter of two bytes in UTF-8, a word takes the most memory per byte of the file.
    """
    wide = [
        c for c in map(chr, range(0x80, 0x800)) if c.isalpha() and c == normalize("NFC", c.lower())
    ]
    letters = itertools.product(ascii_lowercase, ascii_lowercase, wide[:400])
    words = [a + b + c for a, b, c in letters]
    return write(words_header(words, words[:1], "loose"), chain([], 1))


def hungry_tree() -> Document:
    """Return a book with as many nodes as a file of 100 KB may have, each with one child."""
    nodes = 400_000
    surplus = [min(12**5, nodes - node) - (node < nodes - 1) for node in range(nodes)]
    children = [1] * (nodes - 1) + [0]
    column = [0] * nodes
    tree = {"guess": column, "feedback": column, "children": children, "surplus": surplus}
    content = write(codes_header(5, "RYGBOPWKACDE"), tree)
    return {**content, "distribution": [1], "total_guesses": 1}


# Measured in a process of its own, because `tracemalloc` would take half a minute.
PEAK = """
import re, sys
from pathlib import Path
import guessbook as gb

def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024

gb.open("mastermind-4x6")
before = peak()
try:
    gb.open(sys.argv[1])
except gb.InvalidBookError as error:
    print(error)
print(peak() - before)
"""


@pytest.mark.slow
@pytest.mark.posix
@pytest.mark.parametrize("make", [hungry_words, hungry_tree])
def test_file_of_100_kb_needs_little_memory(make: Callable[[], Document], tmp_path: Path) -> None:
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc/self/status")
    known = make()
    noise = random.Random(1).randbytes(100_000 - len(dense(packed(known))))
    blob = dense(packed({**known, "new": noise}))
    assert 98_000 < len(blob) < 102_000
    (tmp_path / "hungry.book").write_bytes(blob)
    command = [sys.executable, "-c", PEAK, str(tmp_path / "hungry.book")]
    *message, mib = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    # The words are read; the last check rejects the tree.
    assert [line.endswith("as in the tree") for line in message] == [True] * (make is hungry_tree)
    assert 10 < float(mib) < MAX_MIB


# `repr` makes four characters of each \x01, and the last letter makes each of them take four bytes.
COSTLY = "\x01" * 2_500_000 + "🐄"


@pytest.mark.parametrize(
    "wrap", [lambda v: [v], lambda v: {"a": [[v]]}, lambda v: {v: 1}, lambda v: (v,)]
)
def test_message_about_a_large_value_needs_little_memory(wrap: Callable[[object], Any]) -> None:
    value = wrap(COSTLY)
    with pytest.raises(gb.UsageError):
        gb.open(3)  # type: ignore[arg-type]
    with at_most(0.1), pytest.raises(gb.UsageError) as error:
        gb.open(value)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("key", ["type", "pegs", "symbols"])
def test_message_about_a_large_header_needs_little_memory(key: str) -> None:
    known = document(sample_book("2x2"))
    known["game"][key] = [COSTLY[:1_200_000]]
    known["noise"] = random.Random(1).randbytes(50_000)
    blob = seal(packed(known))
    with at_most(10):
        assert refusal(blob)


def test_message_shows_values_as_python_does() -> None:
    values: list[Any] = [1, None, (), (1,), (1, "b"), [1, [2]], {}, {"a": (1, b"x")}, 0.5, {1, 2}]
    for value in values:
        with pytest.raises(gb.UsageError) as error:
            gb.open(value)
        assert str(error.value).startswith(f"{value!r} is not")
    long: Any = {"a": [list(range(9)), ("b" * 99, 3)]}
    with pytest.raises(gb.UsageError) as error:
        gb.open(long)
    assert str(error.value).startswith(f"{long!r}"[:36] + "... is not")


# Commands and code.


def test_commands_reject_a_damaged_book(run: Run, tmp_path: Path) -> None:
    data = sample_book("2x2").to_bytes()
    (tmp_path / "bad.book").write_bytes(data[:-1])
    for name in ("info", "hint", "verify", "report", "tree", "simulate"):
        assert complaint(run(name, "bad.book"), 3)


@pytest.mark.sources
def test_no_reader_of_files_can_run_data_as_code(root: Path) -> None:
    modules = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "subprocess", "ctypes", "code"}
    calls = {"eval", "exec", "compile", "__import__", "system", "popen"}
    found = []
    paths = [path for top in ("app", "book", "lookup") for path in root.glob(f"{top}/**/*.py")]
    assert len(paths) > 30
    for node in [node for path in paths for node in ast.walk(ast.parse(path.read_text("utf-8")))]:
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append(node.module or "")
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            assert name not in {*calls, "os.system", "os.popen"}
    assert not modules & {name.partition(".")[0] for name in found}

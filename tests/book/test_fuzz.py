"""Fuzzing: whatever is read is a book or InvalidBookError.

`python -m tests.lies.fuzz` and `python -m tests.lies.fuzz_atheris` go on as long as they are told.
"""

from __future__ import annotations

import ast
import itertools
import json
import random
import subprocess
import sys
import tracemalloc
from importlib.util import find_spec
from string import ascii_lowercase
from typing import TYPE_CHECKING

import msgpack
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guessbook.book import GuessbookError, InvalidBookError
from guessbook.book.errors import quote
from guessbook.book.games.vocabulary import normal
from guessbook.book.tree import to_planes
from guessbook.lookup import open_book
from tests.helpers.content import Raw, packed, seal
from tests.lies.bombs import BOMBS
from tests.lies.fuzz import MAX_MIB, MAX_SECONDS, mutant, run, use
from tests.lies.mutants import MUTATORS
from tests.lies.seeds import seeds

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# A message is one line for people, whatever it is about.
MAX_MESSAGE = 400


def assert_fits(error: GuessbookError) -> None:
    """An error's message is short and can be printed."""
    assert 0 < len(str(error)) <= MAX_MESSAGE


# The reader.


@pytest.mark.parametrize("name", MUTATORS)
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(case=st.integers(0, 2**32), data=st.data())
def test_a_mutant_is_refused_or_usable(name: str, case: int, data: st.DataObject) -> None:
    """Each mutator of small books gives InvalidBookError, or a book of which all can be asked."""
    small = st.sampled_from([seed for seed in seeds() if len(seed.content) < 1000])
    chance = random.Random(case)
    blob = MUTATORS[name](data.draw(small), data.draw(small), chance)
    try:
        book = open_book(blob)
    except InvalidBookError as error:
        assert_fits(error)
    else:
        use(book, chance)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_refused(noise: bytes) -> None:
    """Bytes as a file, or as the content of a whole frame, are InvalidBookError."""
    for blob in (noise, seal(noise), b"\x28\xb5\x2f\xfd" + noise):
        with pytest.raises(InvalidBookError):
            open_book(blob)


def test_every_mutator_is_refused_sometimes_and_most_are_used_sometimes() -> None:
    """The mutants are worth their name: all kinds of lies are found, and not all are trivial."""
    outcomes = run(range(500)).mutators
    assert {f"{name} refused" for name in MUTATORS} - set(outcomes) <= {"change_guesses refused"}
    assert sum(key.endswith(" used") for key in outcomes) >= 8


def test_a_case_can_be_repeated() -> None:
    """The number of a case says all: the same file comes of it."""
    assert [mutant(case, seeds()) for case in (3, 99)] == [mutant(c, seeds()) for c in (3, 99)]


def places(bomb: object) -> dict[str, object]:
    """A true book with a bomb at every level."""
    document = seeds()[0].document
    return {
        "content": bomb,
        "version": {**document, "guessbook": bomb},
        "game": {**document, "game": bomb},
        "type": {**document, "game": {**document["game"], "type": bomb}},
        "pegs": {**document, "game": {**document["game"], "pegs": bomb}},
        "symbols": {**document, "game": {**document["game"], "symbols": bomb}},
        "words": {**document, "game": {"type": "words", "guesses": bomb, "length": 1}},
        "policy": {**document, "policy": {"name": bomb}},
        "option": {**document, "policy": {"name": "entropy", "first_guess": bomb}},
        "distribution": {**document, "distribution": bomb},
        "guesses": {**document, "tree": {**document["tree"], "guess": bomb}},
        "nodes": {**document, "nodes": bomb},
        "new": {**document, "new": bomb},
    }


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_takes_little_memory(name: str) -> None:
    """What is small in a file and large elsewhere costs at most 64 MiB, whatever its key."""
    for place, content in places(BOMBS[name]).items():
        blob = seal(packed(content))
        tracemalloc.start()
        try:
            open_book(blob)
        except InvalidBookError as error:
            assert_fits(error)
        else:
            assert place == "new"  # a key of a later version may hold what is small and of any type
        finally:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        assert peak < MAX_MIB << 20, place


def dense(content: bytes) -> bytes:
    """A frame that is as small as a hostile writer gets it where much repeats a little apart."""
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


def hungry_words(size: int) -> dict[str, object]:
    """A book with as many words as a file of `size` bytes may hold, of which one is the secret.

    One letter of two bytes in UTF-8 makes a word take the most memory for its bytes in the file.
    """
    count = min(((1 << 20) + 14 * size) // 5, 600_000)
    wide = [c for c in map(chr, range(0x80, 0x800)) if c.isalpha() and c == normal(c)]
    letters = itertools.product(ascii_lowercase, ascii_lowercase, wide)
    words = ["".join(word) for word in itertools.islice(letters, count)]
    marks = b"\x01" + bytes((count + 7) // 8 - 1)
    game = {"type": "words", "length": 3, "scoring": "loose", "secrets": marks}
    tree = {"guess": b"\0", "feedback": b"\0", "children": b"\0", "surplus": b"\1"}
    counts = {"secrets": 1, "nodes": 1, "total_guesses": 1, "distribution": [1]}
    return {"game": {**game, "guesses": "\n".join(words)}, "tree": tree, **counts}


def hungry_tree(size: int) -> dict[str, object]:
    """A tree with as many nodes as a file of `size` bytes may hold, each with one child."""
    secrets = 12**5
    nodes = min(2 * secrets, ((1 << 20) + 15 * size) // 6)
    surplus = [min(secrets, nodes - node) - (node < nodes - 1) for node in range(nodes)]
    children = b"\x01" * (nodes - 1) + b"\0"
    tree = {"guess": bytes(nodes), "feedback": bytes(nodes), "children": children}
    game = {"type": "mastermind", "pegs": 5, "colors": 12, "repeats": True}
    game["symbols"] = "RYGBOPWKACDE"
    counts = {"secrets": secrets, "nodes": nodes}
    return {"game": game, "tree": {**tree, "surplus": to_planes(surplus)}, **counts}


@pytest.mark.slow
@pytest.mark.parametrize("make", [hungry_words, hungry_tree])
def test_a_file_of_100_kb_takes_little_memory(make: Callable[[int], dict[str, object]]) -> None:
    """The most that a file of 100 KB can make a reader do costs at most 64 MiB."""
    size = 100_000
    document = {**seeds()[0].document, **make(size)}
    noise = random.Random(1).randbytes(size - len(dense(packed(document))))
    blob = dense(packed({**document, "new": noise}))
    assert abs(len(blob) - size) < size // 50
    outcome = ""
    tracemalloc.start()
    try:
        outcome = f"{len(open_book(blob).game.guesses):,} guesses"
    except InvalidBookError as error:
        outcome = str(error)
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    # Read, or refused by the last check of all.
    assert outcome.endswith((" guesses", "as in the tree")), outcome
    assert 10 << 20 < peak < MAX_MIB << 20


# Of each character `repr` makes four, and the last one makes each of those take four bytes.
COSTLY = "\x01" * 2_500_000 + "🐄"


@pytest.mark.parametrize(
    "wrap", [lambda v: v, lambda v: [v], lambda v: {"a": [[v]]}, lambda v: {v: 1}]
)
def test_a_message_is_short_before_it_is_made(wrap: Callable[[object], object]) -> None:
    """What a message shows of a value of 10 MB costs a few kilobytes, however deep it stands."""
    value = wrap(COSTLY)
    tracemalloc.start()
    try:
        text = quote(value)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(text) <= 40
    assert peak < 10_000


@pytest.mark.parametrize("key", ["type", "pegs", "symbols"])
def test_a_header_that_is_costly_to_show_takes_little_memory(key: str) -> None:
    """A file of 100 KB with as much text as it may hold, where a message names it: below 64 MiB."""
    document = seeds()[0].document
    document["game"][key] = [COSTLY]
    document["noise"] = random.Random(1).randbytes(99_000)
    blob = seal(packed(document))
    assert len(blob) < 100_000
    tracemalloc.start()
    try:
        with pytest.raises(InvalidBookError, match=r"found|unknown") as caught:
            open_book(blob)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert_fits(caught.value)
    # The content, the text in it, and nothing of that size beside them.
    assert peak < 16 << 20


def test_what_is_shown_is_what_python_shows() -> None:
    """Short values read as ever, long ones begin so."""
    for value in (1, None, "a", b"a", (), (1,), (1, "b"), [], [1, [2]], {}, {"a": (1, b"x")}, 0.5):
        assert quote(value) == repr(value)
    long = {"a": [list(range(9)), ("b" * 99, 3)]}
    assert quote(long) == repr(long)[:36] + "..."


def test_deep_values_are_refused_before_anything_prints_them() -> None:
    """Arrays as deep as msgpack allows do not exhaust the stack when a message shows them."""
    document = seeds()[0].document
    for depth in (31, 32, 500, 1000, 1020, 5000):
        deep = Raw(b"\x91" * depth + b"\x01")
        for game in ({"type": deep}, {**document["game"], "pegs": deep}):
            with pytest.raises(InvalidBookError) as caught:
                open_book(seal(packed({**document, "game": game})))
            assert_fits(caught.value)


@pytest.mark.slow
def test_mutated_books_are_refused_or_usable(root: Path) -> None:
    """50,000 mutants: no other error, no loop, at most 64 MiB and a processor second each."""
    command = [sys.executable, "-m", "tests.lies.fuzz", "--cases=50000", "--jobs=2"]
    output = subprocess.run(command, cwd=root, capture_output=True, text=True).stdout
    summary = json.loads(output)
    print(output)
    assert summary["faults"] == []
    assert summary["cases"] == 50_000
    assert summary["refused"] + summary["used"] == 50_000
    assert min(summary["refused"], summary["used"]) > 2_500
    assert summary["mib"] <= MAX_MIB
    assert summary["seconds"] <= MAX_SECONDS


@pytest.mark.slow
def test_coverage_guidance_finds_nothing(root: Path, tmp_path: Path) -> None:
    """5,000 runs of atheris, if it is installed: no error but the declared one."""
    if not find_spec("atheris"):
        pytest.skip("atheris is not installed: pip install atheris")
    command = [
        sys.executable,
        "-m",
        "tests.lies.fuzz_atheris",
        "-runs=5000",
        f"-artifact_prefix={tmp_path}/",
    ]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Done 5000 runs" in done.stderr


# The code.


@pytest.mark.sources
def test_a_book_is_never_code(root: Path) -> None:
    """No module of book or lookup unpickles, evaluates or compiles anything, or runs a shell."""
    modules = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "subprocess", "ctypes", "code"}
    calls = {"eval", "exec", "compile", "__import__", "system", "popen"}
    files = [
        p for part in ("app", "book", "lookup") for p in root.glob(f"{part}/guessbook/**/*.py")
    ]
    assert len(files) > 30
    for path in files:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {alias.name for alias in node.names}
                names |= {node.module or ""} if isinstance(node, ast.ImportFrom) else set()
                found = {name.partition(".")[0] for name in names} & modules
                assert not found, f"{path.name} imports {found}"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in calls, f"{path.name} calls {node.func.id}"
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert (node.value.id, node.attr) not in {("os", "system"), ("os", "popen")}


def test_the_seeds_are_true() -> None:
    """What the mutators start from are books, each the same when it is packed anew."""
    for seed in seeds():
        assert open_book(seal(packed(seed.document))).stats == open_book(seed.blob).stats
        assert msgpack.unpackb(packed(seed.document)) == seed.document

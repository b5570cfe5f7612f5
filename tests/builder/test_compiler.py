"""Kernels are compiled once, of bitcode that the package brings or that numba makes."""

from __future__ import annotations

import errno
import os
import platform
import subprocess
import sys
import warnings
from collections.abc import Callable
from importlib import util
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from guessbook.builder.compiler import bitcode, lowering
from guessbook.builder.compiler.jit import COMPILING, Native, kernel
from guessbook.builder.compiler.machine import target_machine
from guessbook.builder.kernels import node, trees
from numba.core.caching import IndexDataCacheFile

from guessbook.book import Mastermind
from guessbook.builder import build_book
from guessbook.builder.games import codes
from guessbook.builder.growth import pieces


def test_a_full_disk_keeps_no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that cannot be written to the cache is compiled and runs."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(IndexDataCacheFile, "save", full)

    def twice(number: int) -> int:
        return number * 2

    assert kernel(twice)(21) == 42


def cached_kernel(source: Path) -> Any:
    """A kernel of a module of its own, as a process that starts has it: its cache is beside it."""
    spec = util.spec_from_file_location("doubling", source)
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return kernel(module.twice)


def flipped(data: bytes) -> bytes:
    """With one bit changed, far from both ends."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "zeros": lambda data: bytes(len(data)),
    "no pickle": lambda data: b"no pickle at all",
    "one bit": flipped,
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_a_damaged_cache_is_compiled_afresh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, damage: str
) -> None:
    """What a power cut leaves of a compiled kernel is told in a line and made again, not run."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    source = tmp_path / "doubling.py"
    source.write_text("def twice(number):\n    return number * 2\n")
    assert cached_kernel(source)(21) == 42
    (path,) = tmp_path.rglob(f"*.{kind}")
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    found = cached_kernel(source)
    with pytest.warns(UserWarning, match="damaged: compiling them afresh"):
        assert found(21) == 42
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = cached_kernel(source)
        assert again(21) == 42
    assert sum(again.stats.cache_hits.values()) == 1


def double(numbers: Any, count: int) -> None:
    """A native kernel."""
    for k in range(count):
        numbers[k] *= 2


@pytest.mark.parametrize("damage", [None, *DAMAGE])
def test_a_native_kernel_is_compiled_once_and_never_run_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str | None
) -> None:
    """What is kept on disk is loaded; if it is damaged, a line says so, and it is made again."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    numbers = np.arange(5)
    Native(double)(numbers, 3)
    (path,) = tmp_path.iterdir()
    started = COMPILING.started
    if damage:
        path.write_bytes(DAMAGE[damage](path.read_bytes()))
        with pytest.warns(UserWarning, match="damaged: compiling them afresh"):
            Native(double)(numbers, 3)
    else:
        Native(double)(numbers, 3)
    again = COMPILING.started
    assert (again > started) == bool(damage)
    Native(double)(numbers, 3)
    assert COMPILING.started == again
    assert numbers.tolist() == [0, 8, 16, 3, 4]


@pytest.mark.posix
def test_a_pipe_in_the_place_of_a_kernel_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody writes to it: it holds no kernel, and stays."""
    if sys.platform == "win32":
        raise NotImplementedError
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    numbers = np.arange(3)
    Native(double)(numbers, 3)
    (path,) = tmp_path.iterdir()
    path.unlink()
    os.mkfifo(path)
    with pytest.warns(UserWarning, match="damaged"):
        Native(double)(numbers, 3)
    assert numbers.tolist() == [0, 4, 8]
    assert path.is_fifo()


def test_a_native_kernel_refuses_arrays_with_gaps() -> None:
    """It is given the address of an array alone."""
    with pytest.raises(ValueError, match="without"):
        Native(double)(np.arange(6)[::2], 3)


class Pair(NamedTuple):
    """Numbers, and how many of them are meant."""

    numbers: Any
    some: int


def double_pair(pair: Pair) -> None:
    """A native kernel."""
    for k in range(pair.some):
        pair.numbers[k] *= 2


def test_a_native_kernel_is_given_what_it_is_given_now() -> None:
    """Whatever it was given before: other arrays, other numbers, another kind, or none at all."""
    kernel = Native(double_pair)
    wide, other, small = np.arange(4), np.arange(4), np.arange(4, dtype=np.uint8)
    for numbers, some in (wide, 1), (wide, 3), (other, 3), (small, 2), (wide, 0), (wide, 2):
        before = numbers.tolist()
        kernel(Pair(numbers, some))
        expected = [number * 2 for number in before[:some]] + before[some:]
        assert numbers.tolist() == expected
        with pytest.raises(ValueError, match="without"):
            kernel(Pair(np.arange(8)[::2], 1))
    first = Pair(wide, 1)
    kernel(first)
    before = wide.tolist()
    with pytest.raises(OverflowError):
        kernel(Pair(other, 1 << 70))
    kernel(first)
    assert wide.tolist() == [before[0] * 2, *before[1:]]


FIRST = """
import sys
sys.modules["numba"] = None
from guessbook.book import Mastermind
from guessbook.builder import build_book
from guessbook.builder.growth.choice import choose
from guessbook.builder.kernels import pairs
from guessbook.policy.notation import policy_of
from guessbook.policy.registry import KINDS
assert build_book(Mastermind(4, 6)).metadata.total_guesses == 5722
assert choose(Mastermind(4, 6), [(7, 5)], policy_of("entropy"))[1] == 256
for policy in KINDS:
    build_book(Mastermind(3, 4), policy)
build_book(Mastermind(2, 12), "optimal")
assert pairs.search([b"01", b"00"], [1], [0, 0, 2], 1) == [(0, 0, 1)]
loaded = {name.partition(".")[0] for name in sys.modules}
assert "rich" not in loaded, loaded
"""


@pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="the bitcode is not for it"
)
def test_the_first_books_of_codes_need_no_numba(tmp_path: Path) -> None:
    """By whatever policy, hints and best pairs as well: with nothing compiled before."""
    empty = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", FIRST], check=True, env=empty)
    assert len(list(tmp_path.iterdir())) == len(list(bitcode.FOLDER.iterdir()))


@pytest.mark.parametrize("brings", ["nothing", "what no LLVM reads"])
@pytest.mark.parametrize(
    ("kernel", "callers"),
    [
        (pieces.put_together, [pieces]),
        # The largest of all, which takes numba ten seconds.
        pytest.param(trees.grow_trees, [codes, node], marks=pytest.mark.slow),
    ],
    ids=["put_together", "grow_trees"],
)
def test_what_numba_makes_is_what_the_package_brings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kernel: Native, callers: list[Any], brings: str
) -> None:
    """Where nothing fits, numba is asked for each kernel once; the book is the same."""
    fits = brings != "nothing"
    unreadable = bitcode.Bitcode("kernel", target_machine().triple, b"none") if fits else None
    known = build_book(Mastermind(2, 3))
    asked = []
    lowered = lowering.lowered

    def counted(*arguments: Any) -> bitcode.Bitcode:
        asked.append(arguments[0].__name__)
        return lowered(*arguments)

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(bitcode, "brought", lambda *_: unreadable)
    monkeypatch.setattr(lowering, "lowered", counted)
    afresh = Native(kernel.function)
    for module in callers:
        monkeypatch.setattr(module, kernel.function.__name__, afresh)
    assert build_book(Mastermind(2, 3)).to_bytes() == known.to_bytes()
    assert asked == [kernel.function.__name__]


@pytest.mark.slow
@pytest.mark.sources
def test_the_bitcode_is_what_its_command_makes(tmp_path: Path, root: Path) -> None:
    """The same bytes, of the same version of numba."""
    for path in bitcode.FOLDER.iterdir():
        _, by, _ = path.read_bytes().split(b" ", 2)
        if by.decode() != version("numba"):
            pytest.skip(f"made by numba {by.decode()}, and this is {version('numba')}")
    command = [sys.executable, "builder/bitcode.py", str(tmp_path)]
    subprocess.run(command, check=True, cwd=root)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_bytes() for path in bitcode.FOLDER.iterdir()}

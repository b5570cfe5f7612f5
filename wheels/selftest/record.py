"""Record calls of the engine with their results, which selftest.c repeats on other platforms.

    python wheels/selftest/record.py recording.bin

The calls come from builds of small random games with a fixed seed. A recording is a sequence of
little-endian int64: the version of the engine, the number of calls, and for each call

- the name of the function, 32 bytes, and the type of its result: none, int32, int64 or a pointer;
- the number of memory blocks that the arguments reach, and for each block its size, its bytes
  (padded to a multiple of 8), the number of addresses in the block, and each address as its offset
  and a value;
- the number of arguments, the value of each argument, and the result;
- the number of runs of bytes that the function wrote, and for each run the block, the offset, the
  size and the bytes.

A value has three numbers. Its form is (0, number, 0), (1, index of a block, offset in the block),
or (2, index of a pointer that an earlier call returned, 0).
"""

import ctypes
import random
import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy

from guessbook import Mastermind, WordGame, build
from guessbook.engine import binding
from guessbook.engine.hints import hints_of
from guessbook.engine.partitions import best_pairs
from guessbook.policy.policy import POLICIES

NUMBER, BLOCK, HANDLE = 0, 1, 2
RESULTS = {"v": 0, "i": 1, "q": 2, "p": 3}
# A run of changed bytes ends before this number of unchanged bytes. Shorter gaps belong to the run.
GAP = 24


class Recorder:
    """A recorder of all calls from Python to the engine, with their results.

    Attributes:
        calls: one list per call, with its numbers and bytes in the order of the recording.
    """

    def __init__(self) -> None:
        self.calls: list[list[int | bytes]] = []
        self._sizes: dict[int, int] = {}
        self._structs: dict[int, Any] = {}
        self._handles: dict[int, int] = {}
        self._made = 0
        self._plain_address, self._plain_addressof = binding.address, ctypes.addressof

    def start(self) -> None:
        """Replace the functions of the engine by functions that record every call."""
        engine = binding.engine()
        for name in binding.PROTOTYPES:
            setattr(engine, name, self._recorded(name, getattr(engine, name)))
        replace(binding.address, self._address)
        ctypes.addressof = self._addressof
        # Uninitialized memory would differ between recordings.
        vars(numpy)["empty"] = numpy.zeros
        # The address of the stop flag would also differ between recordings.
        replace(binding.stop_address, lambda: 0)

    def content(self) -> bytes:
        found = [binding.VERSION.to_bytes(8, "little"), len(self.calls).to_bytes(8, "little")]
        for call in self.calls:
            for item in call:
                if not isinstance(item, bytes):
                    item = int(item).to_bytes(8, "little", signed=True)
                found.append(item + bytes(-len(item) % 8))
        return b"".join(found)

    def _address(self, values: Any, *arguments: Any, **options: Any) -> int:
        place = self._plain_address(values, *arguments, **options)
        self._learn(place, memoryview(values).nbytes)
        return place

    def _addressof(self, struct: Any) -> int:
        place = self._plain_addressof(struct)
        self._learn(place, ctypes.sizeof(struct), struct)
        return place

    def _learn(self, place: int, size: int, struct: Any = None) -> None:
        """Register the memory block at an address, in place of an earlier block at this address."""
        self._sizes[place], self._structs[place] = size, struct
        self._handles.pop(place, None)

    def _recorded(self, name: str, function: Any) -> Any:
        kinds, result = binding.PROTOTYPES[name].split()

        def call(*arguments: Any) -> Any:
            given = [
                self._addressof(one._obj) if hasattr(one, "_obj") else one or 0 for one in arguments
            ]
            regions = self._regions(
                [one for one, kind in zip(given, kinds, strict=True) if kind == "p"]
            )
            line: list[int | bytes] = [
                name.encode().ljust(32, b"\0"),
                RESULTS[result],
                len(regions),
            ]
            before = []
            for start, size, pointers in regions:
                content = ctypes.string_at(start, size)
                before.append(content)
                line += [size, clear_addresses(content, [place - start for place in pointers])]
                line.append(len(pointers))
                for place in pointers:
                    value = int.from_bytes(content[place - start :][:8], "little")
                    line += [place - start, *self._value(value, regions)]
            line.append(len(given))
            for one, kind in zip(given, kinds, strict=True):
                line += self._value(one, regions) if kind == "p" else [NUMBER, one, 0]
            found = function(*arguments)
            line.append(found or 0 if result in "iq" else 0)
            runs = [
                run
                for k, (start, size, _) in enumerate(regions)
                for run in changes(k, before[k], ctypes.string_at(start, size))
            ]
            self.calls.append([*line, len(runs), *(item for run in runs for item in run)])
            if result == "p":
                self._learn(found, 0)
                self._handles[found] = self._made
                self._made += 1
            return found

        return call

    def _regions(self, places: list[int]) -> list[tuple[int, int, list[int]]]:
        """Return the memory blocks at `places`, and all blocks that their pointers reach.

        A block has a start, a size and the addresses of its pointers. Overlapping arrays are one
        block.
        """
        seen: set[int] = set()
        blocks: list[tuple[int, int, list[int]]] = []
        order: dict[int, int] = {}
        while places:
            place = places.pop()
            if not place or place in self._handles or place in seen:
                continue
            seen.add(place)
            order[place] = len(order)
            pointers = []
            if struct := self._structs.get(place):
                for field, kind, *_ in struct._fields_:
                    if kind is ctypes.c_void_p and (value := getattr(struct, field)):
                        pointers.append(place + getattr(type(struct), field).offset)
                        places.append(value)
            blocks.append((place, self._sizes[place], pointers))
        regions: list[tuple[int, int, list[int]]] = []
        for place, size, pointers in sorted(blocks):
            if regions and place < regions[-1][0] + regions[-1][1]:
                start, before, others = regions.pop()
                order[start] = min(order[start], order[place])
                place, size = start, max(before, place + size - start)
                pointers = others + pointers
            regions.append((place, size, pointers))
        return sorted(regions, key=lambda region: order[region[0]])

    def _value(self, value: int, regions: list[tuple[int, int, list[int]]]) -> list[int]:
        if not value:
            return [NUMBER, 0, 0]
        if value in self._handles:
            return [HANDLE, self._handles[value], 0]
        for k, (start, size, _) in enumerate(regions):
            if start <= value < start + size or value == start:
                return [BLOCK, k, value - start]
        raise AssertionError(
            f"the address {value:#x} is in no recorded block, and no call returned it"
        )


def replace(function: Callable[..., int], other: Callable[..., int]) -> None:
    """Replace a function by another function in every module of guessbook that has imported it."""
    for name, module in list(sys.modules.items()):
        if name.startswith("guessbook."):
            for attribute in [key for key, value in vars(module).items() if value is function]:
                setattr(module, attribute, other)


def clear_addresses(content: bytes, offsets: list[int]) -> bytes:
    """Return a block with zeros in place of its addresses, which differ between recordings."""
    plain = bytearray(content)
    for offset in offsets:
        plain[offset : offset + 8] = bytes(8)
    return bytes(plain)


def changes(block: int, before: bytes, after: bytes) -> list[list[int | bytes]]:
    """Return a list for each run of changed bytes: block, offset, size and new bytes."""
    runs: list[tuple[int, int]] = []
    for k in (k for k in range(len(after)) if before[k] != after[k]):
        if runs and k < runs[-1][1] + GAP:
            runs[-1] = runs[-1][0], k + 1
        else:
            runs.append((k, k + 1))
    return [[block, start, end - start, after[start:end]] for start, end in runs]


def play() -> None:
    """Call most functions of the engine, on small random games."""
    draw = random.Random(1)
    for policy in POLICIES:
        pegs, colors = draw.choice([(2, 7), (3, 5), (4, 4), (5, 3), (6, 2)])
        build(Mastermind(pegs, colors), policy, jobs=1)
    build(Mastermind(4, 6), jobs=1)
    build(Mastermind(3, 7, False), jobs=1)
    build(Mastermind(3, 4), {"name": "optimal"}, jobs=1)
    build(Mastermind(3, 4), {"name": "rollout", "width": 4}, jobs=1)
    build(Mastermind(3, 4), {"name": "lookahead", "width": 4}, jobs=1)
    words = ["".join(draw.choices("abcde", k=4)) for _ in range(60)]
    game = WordGame(sorted(set(words[:25])), sorted(set(words)))
    for policy in ("entropy", "minimax", "optimal"):
        build(game, policy, jobs=1)
    longer = sorted({"".join(draw.choices("aeilnst", k=5)) for _ in range(40)})
    for some in (Mastermind(3, 4), WordGame(longer)):
        build(some, {"name": "win", "within": 3}, jobs=1)
    for some in (Mastermind(4, 5), game):
        hints = hints_of(some, [])
        hints.best_guess(POLICIES["entropy"])
        hints.scores(POLICIES["entropy"], [0, 7])
    rows = [[draw.randrange(9) for _ in range(30)] for _ in range(20)]
    best_pairs(rows, range(20), array("q", [n * n for n in range(31)]), 5, [1] * 30)


def main() -> None:
    """Record calls of the engine, and write them to the file that the command line names."""
    recorder = Recorder()
    recorder.start()
    play()
    content = recorder.content()
    Path(sys.argv[1]).write_bytes(content)
    print(f"{len(recorder.calls):,} calls in {len(content):,} bytes")


if __name__ == "__main__":
    main()

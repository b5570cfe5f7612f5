"""The binding to the engine, a C library, with checks of the arrays and numbers passed to it."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from array import array
from contextvars import ContextVar
from ctypes import POINTER, Structure, c_char_p, c_int32, c_int64, c_uint64, c_void_p
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from guessbook.book.errors import EngineError

# The stop flag: an array of one int32. A number other than 0 ends the searches of this context.
STOP: ContextVar[array[int] | None] = ContextVar("STOP", default=None)


def stop_address() -> int:
    """Return the address of the stop flag of this context; 0 if there is no flag."""
    flag = STOP.get()
    return flag.buffer_info()[0] if flag is not None else 0


# The version of the C interface: it must equal ENGINE_VERSION in engine.h.
VERSION = 7

# The error codes of the engine's functions.
NO_MEMORY, NO_ROOM, STOPPED = -1, -2, -3
# The message of every MemoryError but that of `SetTable`.
SHORT_OF_MEMORY = "out of memory in the search; use a smaller game"

FOLDER = Path(__file__).parent
LIBRARY = "_engine.dll" if sys.platform == "win32" else "_engine.so"


class Entry(Structure):
    """The struct `Entry` in engine.h: the name of a function of the engine, and the function."""

    _fields_ = (("name", c_char_p), ("function", c_void_p))


class Table(Structure):
    """The struct `Engine` in engine.h: the functions of the engine for one instruction set."""

    _fields_ = (("version", c_int64), ("variant", c_char_p), ("entries", POINTER(Entry)))


# For each function, the types of its arguments, then of its result: i int32, q int64, p a pointer,
# v no result.
PROTOTYPES = {
    "codes_new": "iii p",
    "memory_free": "p v",
    "workspace_new": "p p",
    "fill_splits": "pqp v",
    "grow_trees": "ppppp i",
    "find_guesses": "ppppppp i",
    "answer_guesses": "pppqppp i",
    "score_codes": "pppppp i",
    "mark_lowest": "pppp i",
    "keep_distinct": "ppqp v",
    "set_table_new": "q p",
    "set_space_new": "p p",
    "search_set": "pp i",
    "learn_set": "pp v",
    "bound_guesses": "pppqp v",
    "bound_batches": "pppq v",
    "split_nodes": "p v",
    "search_pairs": "pp i",
    "first_beyond": "pqqq q",
    "first_outside": "pqqq q",
    "first_wrong_cost": "pqq q",
    "first_wrong_node": "pqqq q",
    "most_told": "p q",
    "sum_space_new": "p p",
    "find_sum_guesses": "ppppqppp i",
    "score_sums": "pppqpqpp i",
    "thing_space_new": "p p",
    "grow_identification": "pp i",
    "search_identification": "ppqqp i",
    "weight_within": "ppqqp i",
}
TYPES: dict[str, Any] = {"i": c_int32, "q": c_int64, "p": c_void_p, "v": None}

# The largest number of items. The engine may double it, or add two such numbers.
MOST = 1 << 60
# The types of numbers in structs: the type in C, the least and the largest value. 0 stands for a
# number of items, 1 for such a number that is at least 1, b for a Boolean value, k for a hash key.
NUMBERS = {
    "i": (c_int32, -(1 << 31), (1 << 31) - 1),
    "q": (c_int64, -(1 << 63), (1 << 63) - 1),
    "0": (c_int64, 0, MOST),
    "1": (c_int64, 1, MOST),
    "b": (c_int64, 0, 1),
    "k": (c_uint64, 0, (1 << 64) - 1),
}

# The fields of each struct that Python fills or reads: a type, the names of the fields of this
# type, the next type, and so on. A type is p (a pointer), a key of `NUMBERS`, or, for an array, a
# star and a key of `SIZES`.
STRUCTS = {
    "CodeGame": "i pegs colors repeats width q codes multisets tiles shapes longest permutations "
    "shared_tile blacks_tile p table set_of sets symbols having shape_of shape numbers blacks "
    "places shared rows",
    "Policy": "*q costs splits *d spreads 1 most columns 0 credit unit b additive",
    "Search": "p game policy stop",
    "Plan": "0 part parts budget 1 pairs q score b candidate 0 guess",
    "Nodes": "0 count p starts paths 0 depth",
    "Node": "p candidates 0 n p path 0 depth b every",
    "Roots": "0 tasks p starts *B feedback *q counts p paths *q depths",
    "Forest": "0 room nodes *q begin size *Q used *I guess *B rows *q ends pairs levels",
    "SumGame": "p sums *i parts *I homes *q weights costs "
    "1 part_count secrets guesses width lane feedbacks 0 few credit b additive",
    "Problem": "p table *q homes *Q keys *q weights bounds steps *I letters *B marks "
    "1 secrets guesses answers 0 plain b fitting 0 length 1 lane b missed 0 spare *B rows *q peaks 0 blocks",
    "SetSpace": "q tried too_deep levels",  # Python reads only these first fields
    "Solver": "p problem table space stop",
    "Query": "p candidates 1 n p allowed 0 allowed_count k also 0 left p here below "
    "1 here_count below_count q limit guess found",
    "Pairs": "*I rows *q order *B is_first *q alone costs weights 1 guesses n feedbacks q whole "
    "*q kept 1 count *I every sorted *q counts feedback ends",
    "Splits": "*I candidates p starts answers 0 nodes 1 feedbacks *q counts feedback ends *I below *q children",
    "Things": "p table *q weights *I outcomes *Q keys *q costs worth "
    "0 tests 1 things answers lane 0 rule b complete",
    "Strategy": "1 depth width 0 endgame q budget",
    "Identifier": "p things space memory strategy stop",
    "TestGrowth": "1 room 0 nodes q first *I members *q begin budget *I test answer children size",
    "Distinct": "0 n solved width count *I chosen cells *q own names weights",
}


def check_library(folder: Path) -> None:
    """Raise EngineError if a folder has no engine library, or a C source newer than the library."""
    library = folder / LIBRARY
    sources = {path: path.stat().st_mtime_ns for path in folder.glob("*.[ch]")}
    again = "run pip install -e ." if sources else "install a C compiler, then guessbook again"
    if not library.exists():
        raise EngineError(
            f"the engine library {library.name} is missing in guessbook.engine; {again}"
        )
    newest = max(sources, key=sources.__getitem__, default=library)
    if sources and sources[newest] > library.stat().st_mtime_ns:
        raise EngineError(f"the engine library is older than its source {newest.name}; {again}")


def engine(variant: int = -1) -> Any:
    """Return an object with the functions of the engine, named as in C, for one instruction set.

    Variant 0 is the smallest instruction set, -1 the best one that this machine supports.

    Raises EngineError if the library is missing, outdated or damaged, or if this machine does not
    support the variant. Raises it, too, if the environment variable GUESSBOOK_PURE is set:
    Guessbook then works as if installed without the engine.
    """
    if os.environ.get("GUESSBOOK_PURE"):
        raise EngineError("the engine is switched off; unset GUESSBOOK_PURE to use it")
    return _load(variant)


@cache
def _load(variant: int) -> Any:
    check_library(FOLDER)
    try:
        library = ctypes.CDLL(os.fspath(FOLDER / LIBRARY))
        entry = library.guessbook_engine
        entry.argtypes, entry.restype = [c_int64], POINTER(Table)
        table = entry(variant)
    except (OSError, AttributeError) as error:
        raise EngineError(
            f"the engine library cannot be loaded ({error}); install guessbook again"
        ) from None
    if not table or table.contents.version != VERSION:
        found = f"this processor cannot run the engine, or the engine's interface version is not {VERSION}"
        raise EngineError(f"{found}; install guessbook again")
    entries: dict[bytes, int] = {}
    for entry in table.contents.entries:
        if not entry.name:
            break
        entries[entry.name] = entry.function
    functions: dict[str, Any] = {}
    for name, prototype in PROTOTYPES.items():
        arguments, result = prototype.split()
        kinds: list[Any] = [TYPES[letter] for letter in arguments]
        functions[name] = ctypes.CFUNCTYPE(TYPES[result], *kinds)(entries[name.encode()])
        if result == "i":
            functions[name].errcheck = check
    return SimpleNamespace(variant=table.contents.variant.decode(), **functions)


class EngineMemory:
    """Memory that the engine allocates. `place` is its address, or 0 if the allocation failed."""

    def __init__(self, maker: str, *given: int) -> None:
        self._free = engine().memory_free
        self.place: int = getattr(engine(), maker)(*given) or 0

    def __del__(self) -> None:
        if getattr(self, "place", 0):
            self._free(self.place)


class Space(threading.local):
    """Working memory of the engine, separate for each thread. `place` is its address."""

    def __init__(self, maker: str, *given: int) -> None:
        # `threading.local` calls this method again in every other thread that reads an attribute.
        self._owned = EngineMemory(maker, *given)
        self.place = self._owned.place
        if not self.place:
            raise MemoryError(SHORT_OF_MEMORY)


@cache
def struct(name: str) -> Any:
    """Return the ctypes class of a struct in C.

    Its attribute `kinds` lists the types of the fields, as in STRUCTS.
    """
    fields, kinds = [], list[str]()
    for word in STRUCTS[name].split():
        if word in NUMBERS or word == "p" or word[0] == "*":
            kind = word
        else:
            fields.append((word, NUMBERS[kind][0] if kind in NUMBERS else c_void_p))
            kinds.append(kind)
    return type(name, (Structure,), {"_fields_": fields, "kinds": kinds})


def fill(name: str, *values: Any) -> Any:
    """Return a struct in C with these values as its first fields.

    The struct keeps its arrays alive. The values must fit the types in STRUCTS. Raises TypeError
    for an array of another type, and ValueError for a number out of range.
    """
    kind, given = struct(name), list[Any]()
    for (field, _), of, value in zip(kind._fields_, kind.kinds, values, strict=False):
        if of in NUMBERS:
            _, least, most = NUMBERS[of]
            within(field, value, least, most)
        given.append(address(value, of[1]) if of[0] == "*" else value)
    fields = kind(*given)
    fields.arrays = values
    return fields


def within(name: str, value: int, least: int, most: int) -> int:
    """Return a number if it is from `least` to `most`, else raise ValueError."""
    if not least <= value <= most:
        raise ValueError(f"{name} is {value}, but must be from {least} to {most}")
    return value


SIZES = {"B": 1, "H": 2, "I": 4, "i": 4, "q": 8, "Q": 8, "d": 8}
# The formats that a memoryview may have for each type of number; they differ between platforms.
FORMATS = {"B": "B", "H": "H", "I": "IL", "i": "il", "q": "ql", "Q": "QL", "d": "d"}


def address(values: Any, kind: str, count: int | None = None, writable: bool = False) -> int:
    """Check an array and return its address, which is valid while the array exists.

    The array must be contiguous, with at least `count` numbers of the type `kind`: B, H, I, Q
    (unsigned, 8 to 64 bits), i, q (signed, 32 or 64 bits) or d (double). Raises TypeError if it is
    not. The address of an empty array is 0.
    """
    view = memoryview(values)
    if view.itemsize != SIZES[kind] or view.format not in FORMATS[kind] or not view.c_contiguous:
        raise TypeError(
            f"the array has type {view.format!r} (contiguous: {view.c_contiguous}), not contiguous {kind!r}"
        )
    if count is not None and view.nbytes < count * view.itemsize:
        raise TypeError(
            f"the array has {view.nbytes // view.itemsize} numbers, but needs at least {count}"
        )
    if not view.nbytes:
        return 0
    if not view.readonly:
        return ctypes.addressof(ctypes.c_char.from_buffer(view))
    if writable:
        raise TypeError("the array is read-only, but must be writable")
    if isinstance(values, bytes):
        return ctypes.cast(ctypes.c_char_p(values), c_void_p).value or 0
    if hasattr(values, "__array_interface__"):
        return int(values.__array_interface__["data"][0])
    raise TypeError("a read-only memoryview is not supported; pass bytes or an array")


def indices(values: Any, limit: int, count: int | None = None, writable: bool = False) -> int:
    """Check that all indices in an array (uint32) are below `limit`, and return its address."""
    place = address(values, "I", count, writable)
    length = memoryview(values).nbytes // 4 if count is None else count
    at = engine().first_beyond(place, length, 4, limit)
    if at < length:
        raise IndexError(f"index {values[at]} is out of range; it must be below {limit}")
    return place


def numbers(name: str, values: Any, count: int, least: int, most: int) -> int:
    """Check that an array (int64) has `count` numbers in the given range; return its address."""
    place = address(values, "q", count)
    at = engine().first_outside(place, count, least, most)
    if at < count:
        found = memoryview(values).cast("B").cast("q")[at]
        raise ValueError(f"{name} is {found}, but must be from {least} to {most}")
    return place


def node_starts(starts: Any, least: int, most: int) -> int:
    """Check that each node has `least` to `most` candidates, and return the address of `starts`.

    `starts` (int64[nodes + 1]) contains the index of each node's first candidate, and the end of
    the last node.
    """
    place, nodes = address(starts, "q"), len(starts) - 1
    at = engine().first_wrong_node(place, nodes, least, most)
    if at < nodes:
        found = f"a node runs from index {starts[at]} to {starts[at + 1]}"
        raise ValueError(f"{found}, but must have {least} to {most} candidates, none below index 0")
    return place


def check(result: int, *_: Any) -> int:
    """Return the result of an engine function, or raise the exception for its error code."""
    if result == STOPPED:
        raise KeyboardInterrupt  # the caller has set the stop flag, see `STOP`
    if result == NO_MEMORY:
        raise MemoryError(SHORT_OF_MEMORY)
    if result == NO_ROOM:
        raise AssertionError("a buffer is too small for the result of the engine")
    return result

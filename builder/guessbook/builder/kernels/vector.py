"""The few vector instructions that the kernels need and that no compiler finds by itself.

Counted in operations of the machine they are written for: an addition or a mark for 16 candidates,
a comparison for 64. Left to the compiler a guess took 33 ns instead of 7, see docs/benchmarks.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.cgutils import alloca_once_value, for_range_slice, get_or_insert_function
from numba.extending import intrinsic as _intrinsic

# Seen from Python, an instruction is a function of the kernels' arguments, which numba knows.
intrinsic: Callable[[Callable[..., Any]], Callable[..., Any]] = _intrinsic

# Lanes (bytes) that one step handles; rows are padded to a multiple of it.
BLOCK = 16


@intrinsic
def popcount(typing_context: Any, word: Any) -> Any:
    """The number of ones in a 64-bit word: one instruction on every current processor."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


def _load(context: Any, builder: Any, array_type: Any, array: Any, index: Any, lanes: int) -> Any:
    """The vector of uint8 array[index : index + lanes]."""
    data = context.make_array(array_type)(context, builder, array).data
    vector = ir.VectorType(ir.IntType(8), lanes)
    pointer = builder.bitcast(builder.gep(data, [index]), vector.as_pointer())
    return builder.load(pointer, align=1)


def _sum(context: Any, builder: Any, signature: Any, arguments: Any, lanes: int, terms: int) -> Any:
    """The lane-wise sum of the vectors at the first so many indices."""
    total = None
    for index in arguments[1 : terms + 1]:
        vector = _load(context, builder, signature.args[0], arguments[0], index, lanes)
        total = vector if total is None else builder.add(total, vector)
    return total


@contextmanager
def _blocks(builder: Any, indices: Any, lanes: Any) -> Iterator[list[Any]]:
    """A loop over the blocks of some rows that begin at `indices`: where each block begins."""
    zero, step = ir.Constant(lanes.type, 0), ir.Constant(lanes.type, BLOCK)
    with for_range_slice(builder, zero, lanes, step) as (offset, _):
        yield [builder.add(index, offset) for index in indices]


def _adder(rows: int) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, *indices, lanes = arguments
        with _blocks(builder, indices, lanes) as places:
            total = _sum(context, builder, signature, [array, *places], BLOCK, rows)
            data = context.make_array(signature.args[0])(context, builder, array).data
            place = builder.bitcast(builder.gep(data, [places[-1]]), total.type.as_pointer())
            builder.store(total, place, align=1)
        return context.get_dummy_value()

    return generate


@intrinsic
def add_two(typing_context: Any, array: Any, i: Any, j: Any, out: Any, lanes: Any) -> Any:
    """array[out:out+lanes] = array[i:i+lanes] + array[j:j+lanes], of uint8."""
    return types.void(array, *[types.int64] * 4), _adder(2)


@intrinsic
def add_three(typing_context: Any, array: Any, i: Any, j: Any, k: Any, out: Any, lanes: Any) -> Any:
    """array[out:out+lanes] = the sum of the rows of uint8 that begin at i, j and k."""
    return types.void(array, *[types.int64] * 5), _adder(3)


def _seen(bits: int) -> Any:
    @intrinsic
    def seen(typing_context: Any, array: Any, i: Any, j: Any, k: Any, lanes: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array, *indices, lanes = arguments
            wide = ir.VectorType(ir.IntType(bits), BLOCK)
            marks = alloca_once_value(builder, ir.Constant(wide, [0] * BLOCK))  # type: ignore[no-untyped-call]
            with _blocks(builder, indices, lanes) as places:
                total = _sum(context, builder, signature, [array, *places], BLOCK, 3)
                ones = ir.Constant(wide, [1] * BLOCK)
                more = builder.shl(ones, builder.zext(total, wide))
                builder.store(builder.or_(builder.load(marks), more), marks)
            reduce_or = get_or_insert_function(  # type: ignore[no-untyped-call]
                builder.module,
                ir.FunctionType(ir.IntType(bits), [wide]),
                f"llvm.vector.reduce.or.v{BLOCK}i{bits}",
            )
            word = builder.call(reduce_or, [builder.load(marks)])
            return word if bits == 64 else builder.zext(word, ir.IntType(64))

        return types.uint64(array, *[types.int64] * 4), generate

    return seen


# The set of the sums of three rows that begin at i, j and k, as the bits of one word. The narrow
# form is for sums below 32, the wide one, which costs twice as much, for sums below 64.
seen_narrow, seen_wide = _seen(32), _seen(64)


@intrinsic
def equal_64(typing_context: Any, array: Any, i: Any, value: Any) -> Any:
    """The positions of a value among the 64 bytes from array[i], as the bits of one word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = _load(context, builder, signature.args[0], arguments[0], arguments[1], 64)
        byte = builder.trunc(arguments[2], ir.IntType(8))
        first = ir.Constant(ir.IntType(32), 0)
        one = builder.insert_element(ir.Constant(vector.type, ir.Undefined), byte, first)
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), 64), [0] * 64)
        same = builder.icmp_unsigned("==", vector, builder.shuffle_vector(one, one, zeros))
        return builder.bitcast(same, ir.IntType(64))

    return types.uint64(array, types.int64, types.int64), generate


@intrinsic
def lowest_one(typing_context: Any, word: Any) -> Any:
    """The position of the lowest one in a 64-bit word that is not zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate

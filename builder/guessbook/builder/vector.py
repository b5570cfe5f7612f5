"""The few vector instructions that the kernels need and that no compiler finds by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.cgutils import get_or_insert_function
from numba.extending import intrinsic as _intrinsic

__all__ = [
    "BLOCK",
    "add_block",
    "add_pair",
    "equal_64",
    "lowest_one",
    "popcount",
    "seen_narrow",
    "seen_wide",
]

# Seen from Python, an instruction is a function of the kernels' arguments, which numba knows.
intrinsic: Callable[[Callable[..., Any]], Callable[..., Any]] = _intrinsic

# Lanes (bytes) that one step handles; vectors are padded to a multiple of it.
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


def _store(context: Any, builder: Any, signature: Any, arguments: Any, vector: Any) -> Any:
    """Store a vector at the last index."""
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    place = builder.gep(data, [arguments[-1]])
    builder.store(vector, builder.bitcast(place, vector.type.as_pointer()), align=1)
    return context.get_dummy_value()


@intrinsic
def add_pair(typing_context: Any, array: Any, i: Any, j: Any, out: Any) -> Any:
    """array[out:out+16] = array[i:i+16] + array[j:j+16], of uint8."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        total = _sum(context, builder, signature, arguments, BLOCK, 2)
        return _store(context, builder, signature, arguments, total)

    return types.void(array, types.int64, types.int64, types.int64), generate


@intrinsic
def add_block(typing_context: Any, array: Any, i: Any, j: Any, k: Any, out: Any) -> Any:
    """array[out:out+16] = array[i:i+16] + array[j:j+16] + array[k:k+16], of uint8."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        total = _sum(context, builder, signature, arguments, BLOCK, 3)
        return _store(context, builder, signature, arguments, total)

    return types.void(array, types.int64, types.int64, types.int64, types.int64), generate


def _seen(bits: int) -> Any:
    @intrinsic
    def seen(typing_context: Any, array: Any, i: Any, j: Any, k: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            wide = ir.VectorType(ir.IntType(bits), BLOCK)
            total = builder.zext(_sum(context, builder, signature, arguments, BLOCK, 3), wide)
            marks = builder.shl(ir.Constant(wide, [1] * BLOCK), total)
            reduce_or = get_or_insert_function(  # type: ignore[no-untyped-call]
                builder.module,
                ir.FunctionType(ir.IntType(bits), [wide]),
                f"llvm.vector.reduce.or.v{BLOCK}i{bits}",
            )
            word = builder.call(reduce_or, [marks])
            return word if bits == 64 else builder.zext(word, ir.IntType(64))

        return types.uint64(array, types.int64, types.int64, types.int64), generate

    return seen


# The set of array[i:i+16] + array[j:j+16] + array[k:k+16], as the bits of one word. The narrow form
# is for sums below 32, the wide one, which costs twice as much, for sums below 64.
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

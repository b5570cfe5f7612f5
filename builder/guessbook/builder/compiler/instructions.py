"""The few vector instructions that the kernels need and that no compiler finds by itself.

Each is for 64 bytes at a time, which the compiler makes one, two or four registers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.cgutils import alloca_once, alloca_once_value, for_range_slice
from numba.extending import intrinsic as _intrinsic

from guessbook.builder.compiler.machine import LANES

# Seen from Python, an instruction is a function of the kernels' arguments, which numba knows.
intrinsic: Callable[[Callable[..., Any]], Callable[..., Any]] = _intrinsic

# The most values that `tally` counts at a time: as many registers.
VALUES = 7

WORD32 = ir.IntType(32)
ROW = ir.VectorType(ir.IntType(8), LANES)


@intrinsic
def popcount(typing_context: Any, word: Any) -> Any:
    """The number of ones in a 64-bit word: one instruction on every current processor."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def lowest_one(typing_context: Any, word: Any) -> Any:
    """The position of the lowest one in a 64-bit word that is not zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


def _place(builder: Any, rows: Any, index: Any) -> Any:
    """The address of the 64 bytes from an index."""
    return builder.bitcast(builder.gep(rows, [index]), ROW.as_pointer())


def _load(builder: Any, rows: Any, index: Any) -> Any:
    """These 64 bytes."""
    return builder.load(_place(builder, rows, index), align=1)


def _store(builder: Any, row: Any, rows: Any, index: Any) -> None:
    """Write 64 bytes."""
    builder.store(row, _place(builder, rows, index), align=1)


def _splat(builder: Any, word: Any, row: Any = ROW) -> Any:
    """A row of equal numbers, the lowest bits of a word."""
    value = word if word.type == row.element else builder.trunc(word, row.element)
    one = builder.insert_element(ir.Constant(row, ir.Undefined), value, ir.Constant(WORD32, 0))
    zeros = ir.Constant(ir.VectorType(WORD32, LANES), [0] * LANES)
    return builder.shuffle_vector(one, one, zeros)


def _sum(builder: Any, rows: Any, base: Any, places: Any, of: Any, width: Any) -> Any:
    """The sum of the rows whose places, from a base, are places[of * width : (of + 1) * width]."""
    total = alloca_once(builder, ROW)
    builder.store(ir.Constant(ROW, [0] * LANES), total)
    first, one = builder.mul(of, width), ir.Constant(of.type, 1)
    with for_range_slice(builder, first, builder.add(first, width), one) as (at, _):
        place = builder.zext(builder.load(builder.gep(places, [at])), base.type)
        row = _load(builder, rows, builder.add(base, place))
        builder.store(builder.add(builder.load(total), row), total)
    return builder.load(total)


@intrinsic
def sum_rows(
    typing_context: Any, rows: Any, base: Any, places: Any, of: Any, width: Any, out: Any, at: Any
) -> Any:
    """out[at : at + 64] = the sum of the rows base + places[of * width + 0, 1, ... width - 1]."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        *sum_of, out, at = arguments
        _store(builder, _sum(builder, *sum_of), out, at)
        return context.get_dummy_value()

    i = types.int64
    return types.void(rows, i, places, i, i, out, i), generate


@intrinsic
def tally(
    typing_context: Any, rows: Any, base: Any, places: Any, width: Any, starts: Any, at: Any,
    first: Any, last: Any, out: Any,
) -> Any:  # fmt: skip
    """Count the sums of `sum_rows` by value, lane by lane.

    For each t from `first` to `last` the sums starts[at + t] to starts[at + t + 1], at most 255 of
    them, of 0 to t each, become t + 1 rows of `out`: how many are 0, 1, ..., t. Where there are
    none, there are no rows.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows, base, places, width, starts, skipped, first, last, out = arguments
        word = base.type
        # A copy in each function that calls the caller of this would take long to compile.
        builder.function.attributes.add("noinline")
        counts = [alloca_once(builder, ROW) for _ in range(VALUES)]
        at = alloca_once_value(builder, ir.Constant(word, 0))
        rest = alloca_once(builder, ROW)
        one = ir.Constant(word, 1)
        with for_range_slice(builder, first, builder.add(last, one), one) as (t, _):
            place = builder.add(skipped, t)
            begin = builder.load(builder.gep(starts, [place]))
            end = builder.load(builder.gep(starts, [builder.add(place, one)]))
            with builder.if_then(builder.icmp_signed("<", begin, end)):
                builder.store(_splat(builder, builder.sub(end, begin)), rest)
                step = ir.Constant(word, VALUES)
                with for_range_slice(builder, ir.Constant(word, 0), t, step) as (least, _):
                    left = builder.sub(t, least)
                    number = builder.select(builder.icmp_signed("<", left, step), left, step)
                    done = builder.append_basic_block("counted")
                    choice = builder.switch(number, done)
                    for values in range(1, VALUES + 1):
                        block = builder.append_basic_block(f"count_{values}")
                        choice.add_case(ir.Constant(word, values), block)
                        builder.position_at_end(block)
                        wanted = [
                            _splat(builder, builder.add(least, ir.Constant(word, v + 1)))
                            for v in range(values)
                        ]
                        for count in counts[:values]:
                            builder.store(ir.Constant(ROW, [0] * LANES), count)
                        with for_range_slice(builder, begin, end, one) as (of, _):
                            total = _sum(builder, rows, base, places, of, width)
                            for count, value in zip(counts, wanted, strict=False):
                                same = builder.icmp_unsigned("==", total, value)
                                more = builder.sext(same, ROW)
                                builder.store(builder.sub(builder.load(count), more), count)
                        place = builder.add(
                            builder.load(at), builder.mul(least, ir.Constant(word, LANES))
                        )
                        for v, count in enumerate(counts[:values]):
                            number_of = builder.load(count)
                            row = builder.add(place, ir.Constant(word, (v + 1) * LANES))
                            _store(builder, number_of, out, row)
                            builder.store(builder.sub(builder.load(rest), number_of), rest)
                        builder.branch(done)
                    builder.position_at_end(done)
                _store(builder, builder.load(rest), out, builder.load(at))
                height = builder.mul(builder.add(t, one), ir.Constant(word, LANES))
                builder.store(builder.add(builder.load(at), height), at)
        return context.get_dummy_value()

    i = types.int64
    return types.void(rows, i, places, i, starts, i, i, i, out), generate


@intrinsic
def split_sum(typing_context: Any, rows: Any, count: Any, most: Any, out: Any, at: Any) -> Any:
    """out[at : at + 64] = the sum of the lesser of rows[64 * k] and most[k], lane by lane.

    That is how many cells there can be, if `count` rows of sizes split into `most` at most.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows, count, most, out, at = arguments
        total = alloca_once(builder, ROW)
        builder.store(ir.Constant(ROW, [0] * LANES), total)
        zero, one = ir.Constant(count.type, 0), ir.Constant(count.type, 1)
        with for_range_slice(builder, zero, count, one) as (k, _):
            row = _load(builder, rows, builder.mul(k, ir.Constant(count.type, LANES)))
            limit = builder.zext(builder.load(builder.gep(most, [k])), count.type)
            limit = _splat(builder, limit)
            row = builder.select(builder.icmp_unsigned("<", row, limit), row, limit)
            builder.store(builder.add(builder.load(total), row), total)
        _store(builder, builder.load(total), out, at)
        return context.get_dummy_value()

    i = types.int64
    return types.void(rows, i, most, out, i), generate


@intrinsic
def between(
    typing_context: Any, rows: Any, base: Any, weights: Any, groups: Any, width: Any, some: Any,
    lowest: Any, highest: Any,
) -> Any:  # fmt: skip
    """In which of 64 lanes the weighted sum of some rows is from `lowest` to `highest`, as bits.

    The rows are the first `some` of each of several groups of so many rows, from `base` on; their
    weights are int32, in the same order.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows, base, weights, groups, width, some, lowest, highest = arguments
        builder.function.attributes.add("noinline")
        wide = ir.VectorType(WORD32, LANES)
        total = alloca_once(builder, wide)
        builder.store(ir.Constant(wide, [0] * LANES), total)
        zero, one = ir.Constant(base.type, 0), ir.Constant(base.type, 1)
        with for_range_slice(builder, zero, groups, one) as (group, _):
            first = builder.mul(group, width)
            with for_range_slice(builder, first, builder.add(first, some), one) as (r, _):
                at = builder.add(base, builder.mul(r, ir.Constant(base.type, LANES)))
                row = builder.zext(_load(builder, rows, at), wide)
                weight = _splat(builder, builder.load(builder.gep(weights, [r])), wide)
                product = builder.mul(row, weight)
                builder.store(builder.add(builder.load(total), product), total)
        found = builder.load(total)
        low, high = (
            _splat(builder, builder.trunc(limit, WORD32), wide) for limit in (lowest, highest)
        )
        enough = builder.icmp_signed(">=", found, low)
        few = builder.icmp_signed("<=", found, high)
        return builder.bitcast(builder.and_(enough, few), ir.IntType(64))

    i = types.int64
    return types.uint64(rows, i, weights, i, i, i, i, i), generate


@intrinsic
def at_least(typing_context: Any, array: Any, at: Any, value: Any) -> Any:
    """Which of the 64 bytes array[at : at + 64] are so much or more, as the bits of a word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows, at, value = arguments
        row = _load(builder, rows, at)
        enough = builder.icmp_unsigned(">=", row, _splat(builder, value))
        return builder.bitcast(enough, ir.IntType(64))

    return types.uint64(array, types.int64, types.int64), generate


@intrinsic
def alike(typing_context: Any, array: Any, first: Any, second: Any, count: Any) -> Any:
    """How many of up to 8 bytes, all below 128, from two places on are the same.

    8 are read there.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows, first, second, count = arguments
        word = ir.IntType(64)
        places = [builder.gep(rows, [at]) for at in (first, second)]
        one, other = (
            builder.load(builder.bitcast(place, word.as_pointer()), align=1) for place in places
        )
        if sys.byteorder == "big":
            one, other = builder.bswap(one), builder.bswap(other)
        bits = builder.mul(builder.sub(word(8), count), word(8))
        high = builder.lshr(word(0x8080808080808080), bits)
        low = builder.sub(high, builder.lshr(high, word(7)))
        # What is left of 128 is 128 where the bytes are the same.
        left = builder.sub(high, builder.and_(builder.xor(one, other), low))
        return builder.ctpop(builder.and_(left, high))

    i = types.int64
    return i(array, i, i, i), generate

"""The costs of cells of all sizes, computed with numpy: for large sizes, Python takes seconds."""

import math
from typing import Any

import numpy as np

from guessbook.policy.policy import LOG_BITS, OneStep


def cost_table(policy: OneStep, most: int) -> Any:
    """Return the entries of `OneStep.costs` as a numpy array: int64[most + 1]."""
    sizes = np.arange(most + 1)
    if policy.logarithmic:
        return sizes * log_table(most, policy.bits)
    if policy.name == "expected":
        return sizes * sizes
    return -(sizes > 0).astype(np.int64) if policy.name == "parts" else sizes


def log_table(size: int, bits: int = LOG_BITS) -> Any:
    """Return the result of `policy.integer_logs` as a numpy array (int64), but faster."""
    every = np.arange(size + 1)
    factor = every.copy()
    for p in range(2, math.isqrt(size) + 1):
        if factor[p] == p:
            factor[p * p :: p] = p
    logs = np.zeros(size + 1, np.int64)
    primes = np.flatnonzero(factor == every)[2:]
    # `np.log2` may round differently from `math.log2`, which `integer_logs` uses.
    exact = np.fromiter(map(math.log2, primes.tolist()), np.float64, len(primes))
    logs[primes] = np.rint(exact * (1 << bits))
    for power in range(2, size.bit_length()):
        # Proper factors of the numbers in `some` are below 2**power: earlier rounds have computed
        # their logarithms.
        some = slice(1 << power, 2 << power)
        logs[some] = logs[factor[some]] + logs[every[some] // factor[some]]
    return logs

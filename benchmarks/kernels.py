"""Measure where the time of a build goes: nanoseconds per pair, by size of node, on one thread.

    python benchmarks/kernels.py 5 8
    python benchmarks/kernels.py 6 8 --policy minimax

The script builds the tree once. Then it chooses the guesses of all nodes again, one class of sizes
at a time, and takes the least processor time of several runs. It also prints the least time per
pair that the vector instructions allow: one instruction adds the row of a position, or compares the
sums with a number of blacks, for 64 pairs (AVX-512) or 32 pairs (AVX2), a byte for each. The
assumed processor executes two such instructions per cycle.
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise

import numpy as np

from guessbook.book.games.codes import Mastermind
from guessbook.builder.games import CodeScorer, code_scorer
from guessbook.builder.scorers import Batch, root_batch
from guessbook.builder.subtrees import grow_levels
from guessbook.policy.policy import policy_named

# The least number of candidates in each class. Wherever the engine changes its method, a new class
# begins.
EDGES = (3, 4, 5, 6, 8, 12, 17, 33, 65, 128, 256, 512, 1024, 2048, 4097, 1 << 30)

# Cycles per second, and vector instructions per cycle, of the assumed processor.
HERTZ, A_CYCLE = 3.5e9, 2


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("pegs", type=int)
    parser.add_argument("colors", type=int)
    parser.add_argument("--no-repeats", action="store_true")
    parser.add_argument("--policy", default="entropy")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    game = Mastermind(options.pegs, options.colors, repeats=not options.no_repeats)
    known = code_scorer(game, policy_named(options.policy))
    levels = [batch for batch, _, _ in grow_levels(known, root_batch(len(game.secrets)))]
    print("| candidates | nodes | guesses | pairs | ms | ns a pair | µs a node |")
    print("|---|---|---|---|---|---|---|")
    whole = 0.0
    for low, high in pairwise(EDGES):
        parts = [chosen(batch, low, high) for batch in levels]
        parts = [batch for batch in parts if len(batch.feedback)]
        if not parts:
            continue
        times, guesses, pairs = [], 0, 0
        for _ in range(options.runs):
            start = time.process_time()
            scored = [choose(known, batch) for batch in parts]
            times.append(time.process_time() - start)
        for batch, found in zip(parts, scored, strict=True):
            guesses += int(found.sum())
            pairs += int((found * batch.sizes).sum())
        nodes = sum(len(batch.feedback) for batch in parts)
        took = min(times)
        whole += took
        size = str(low) if high == low + 1 else f"{low} to {high - 1}" if high < 1 << 30 else "more"
        print(
            f"| {size} | {nodes:,} | {guesses:,} | {pairs:.2g} | {took * 1e3:.1f} "
            f"| {took * 1e9 / pairs:.2f} | {took * 1e6 / nodes:.1f} |",
            flush=True,
        )
    # One addition per position; a comparison and a subtraction for half of the numbers of blacks.
    steps = game.pegs + game.pegs
    limits = [steps / A_CYCLE / HERTZ / lanes * 1e9 for lanes in (64, 32)]
    print(f"\nIn all {whole:.3f} s. The instructions allow {limits[0]:.3f} ns a pair with AVX-512,")
    print(f"{limits[1]:.3f} with AVX2.")


def chosen(batch: Batch, low: int, high: int) -> Batch:
    """The nodes of a level with at least `low` and fewer than `high` candidates."""
    nodes = np.flatnonzero((batch.sizes >= low) & (batch.sizes < high))
    pieces = [batch.candidates[batch.starts[k] : batch.starts[k + 1]] for k in nodes]
    return Batch(
        np.concatenate([batch.candidates[:0], *pieces]),
        np.concatenate([[0], np.cumsum(batch.sizes[nodes])]),
        batch.paths[nodes],
        batch.feedback[nodes],
    )


def choose(known: CodeScorer, batch: Batch) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Choose the guesses of a batch; return how many guesses were scored for each node."""
    return known.choose(batch.candidates, batch.starts, batch.paths)[1]


if __name__ == "__main__":
    main()

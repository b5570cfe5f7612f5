"""What a record takes at least in guesses, and in minutes: counted, and sampled."""

from __future__ import annotations

import os
import time
from collections import Counter

from benchmarks.games import Code
from guessbook.book import Mastermind
from guessbook.builder import Progress, build_book, feedback_table, warm_up
from guessbook.builder.growth.opening import opening_codes
from guessbook.command.options import described

# Seconds of processor time after which a sample is large enough.
SAMPLE = 10


class SampledError(Exception):
    """A build has been seen for long enough: how much of the work is done, a part of the whole."""


def sampled(code: Code, policy: str) -> float:
    """The minutes of all cores that a book takes: how much of it a while of processor time makes.

    The work is counted in pairs of a guess and a candidate, as the build forecasts them.
    """
    game, options = code.game, described(policy)
    warm_up(game, options)
    start = time.process_time()

    def report(progress: Progress) -> None:
        if progress.total and time.process_time() - start > SAMPLE:
            raise SampledError(progress.done / progress.total)

    done = 1.0
    try:
        build_book(game, options, progress=report)
    except SampledError as seen:
        (done,) = seen.args
    return (time.process_time() - start) / done / 60 / (os.cpu_count() or 1)


def lower_bound(game: Mastermind) -> int:
    """A total that no strategy beats: the best opening, and then every guess splits as it can.

    With k feedbacks besides the solving one at most k^(d-1) different guesses are made at depth d,
    and each solves one secret.
    """
    openings = [game.parse_code(code) for code in opening_codes(game)]
    cells = [Counter(feedback_table(game, [guess])[0].tolist()) for guess in openings]
    solved = game.parse_feedback(f"{game.pegs},0")
    kinds = len(set().union(*cells) - {solved})
    floor, room, depth = [0], 1, 1
    while len(floor) <= len(game.secrets):
        for _ in range(min(room, len(game.secrets) + 1 - len(floor))):
            floor.append(floor[-1] + depth)
        room, depth = room * max(kinds, 1), depth + 1
    after = (sum(floor[n] for feedback, n in cell.items() if feedback != solved) for cell in cells)
    return len(game.secrets) + min(after)

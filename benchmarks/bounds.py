"""What no strategy is below, by counting alone."""

from __future__ import annotations

from collections import Counter

from guessbook.book import Mastermind
from guessbook.builder import feedback_table
from guessbook.builder.growth.opening import opening_codes


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

"""Lower bounds for the total guesses of a game, without a search."""

from __future__ import annotations

from collections import Counter

from guessbook.book.games.codes import Mastermind
from guessbook.builder.build import first_guesses
from guessbook.builder.limits import MEMORY
from guessbook.builder.optimal import OptimalScorer
from guessbook.builder.scorers import root_batch, step
from guessbook.builder.tables import feedback_table
from guessbook.engine.sets import MAX_LEFT
from guessbook.policy.registry import policy_of

# The largest table of feedbacks, in pairs of a guess and a secret.
PAIRS = 1 << 30


def lower_bound(game: Mastermind) -> int:
    """A lower bound for the total of every strategy: the least bound of any opening.

    If the table of feedbacks is small enough, the bounds of cells come from a lookahead of one
    guess, otherwise from counting.
    """
    openings = first_guesses(game)
    looks = looked if len(game.guesses) * len(game.secrets) <= PAIRS else counted
    return len(game.secrets) + min(looks(game, openings))


def looked(game: Mastermind, openings: list[int]) -> list[int]:
    """For each opening, a lower bound of the guesses after it, from a lookahead in each cell."""
    scorer = OptimalScorer(game, policy_of("optimal"), MEMORY)  # type: ignore[arg-type]
    root = root_batch(len(game.secrets))
    cells = [step(scorer, root, guess)[1] for guess in openings]
    return [int(scorer.one_ply_bounds(below, MAX_LEFT).sum()) for below in cells]


def counted(game: Mastermind, openings: list[int]) -> list[int]:
    """Return, for each opening, a lower bound on the total number of guesses after it, by counting.

    With k feedbacks besides the solving one, a strategy for a cell has at most k^(d-1) guesses at
    depth d, and each solves at most one secret.
    """
    cells = [Counter(feedback_table(game, [guess])[0].tolist()) for guess in openings]
    solved = game.parse_feedback(f"{game.pegs},0")
    kinds = len(set().union(*cells) - {solved})
    floor, room, depth = [0], 1, 1
    while len(floor) <= len(game.secrets):
        for _ in range(min(room, len(game.secrets) + 1 - len(floor))):
            floor.append(floor[-1] + depth)
        room, depth = room * max(kinds, 1), depth + 1
    return [sum(floor[n] for feedback, n in cell.items() if feedback != solved) for cell in cells]

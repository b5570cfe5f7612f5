"""The ranking of guesses by a one-step policy, and the cells that one leaves, in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from guessbook.book.games.game import Game, History
from guessbook.book.games.symmetry import has_symmetry
from guessbook.book.games.weights import secret_weights, weights_of
from guessbook.policy.reference import allowed, partition
from guessbook.policy.search.symmetry import held_symbols, representatives

if TYPE_CHECKING:
    from guessbook.policy.one_step import OneStep


def rank_guesses(
    game: Game,
    policy: OneStep,
    history: History,
    candidates: Sequence[str],
    width: int,
    alike: bool = False,
) -> list[int]:
    """Return the best guesses, best first, as `guessbook.builder.games.ranking` defines them.

    Without `alike`, a guess that makes the same cells as a better one is left out.
    """
    policy = policy.of(game)
    possible = dict(zip(candidates, weights_of(game, candidates), strict=True))
    costs = policy.costs(sum(possible.values()))
    order = []
    indices = allowed(game, policy, history, candidates)
    if has_symmetry(game):
        indices = representatives(game, history, held_symbols(game, candidates), indices)
    for index in range(len(game.guesses)) if indices is None else indices:
        guess = game.guesses[index]
        score = policy.score(partition(game, guess, candidates).values(), costs)
        score += policy.credit * possible.get(guess, 0)
        order.append((-score, guess not in possible, index))
    chosen: list[int] = []
    known: set[tuple[int, ...]] = set()
    weighted = secret_weights(game) is not None
    for _, _, index in sorted(order):
        names: dict[int, int] = {}
        answers = [game.feedback_number(game.guesses[index], secret) for secret in candidates]
        # If secrets have weights, the weight of the guess itself matters, too.
        own = possible.get(game.guesses[index], 0) if weighted else 0
        cells = (own, *(names.setdefault(answer, len(names)) for answer in answers))
        if (alike or cells not in known) and len(chosen) < width:
            known.add(cells)
            chosen.append(index)
    return chosen


def cells_of(
    game: Game, history: History, candidates: Sequence[str], guess: int
) -> tuple[list[tuple[History, list[str]]], bool]:
    """Return the histories after a guess with their candidates, and whether it may be right."""
    cells: dict[int, list[str]] = {}
    for secret in candidates:
        cells.setdefault(game.feedback_number(game.guesses[guess], secret), []).append(secret)
    solves = cells.pop(game.solved, None) is not None
    return [([*history, (guess, f)], cell) for f, cell in cells.items()], solves

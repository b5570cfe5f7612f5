"""The ranking of guesses by a one-step policy, and the cells of a guess, in plain Python."""

from collections.abc import Sequence

from guessbook.book.games.game import Game, History
from guessbook.book.games.symmetry import has_symmetry
from guessbook.book.games.weights import secret_weights, weight_of
from guessbook.policy.one_step import OneStep, allowed_indices, scored_guesses
from guessbook.policy.search.symmetry import held_symbols, representatives


def rank_guesses(
    game: Game,
    policy: OneStep,
    history: History,
    candidates: Sequence[str],
    width: int,
    alike: bool = False,
) -> list[int]:
    """Return the best `width` guesses of a policy, best first; of guesses that are equivalent by symmetry, only one.

    If `alike` is False, guesses with the same cells as a better guess are left out, too.
    """
    indices = allowed_indices(game, policy, history, candidates)
    if has_symmetry(game):
        indices = representatives(game, history, held_symbols(game, candidates), indices)
    chosen: list[int] = []
    known: set[tuple[int, ...]] = set()
    weighted = secret_weights(game) is not None
    for _, no_candidate, index in sorted(scored_guesses(game, candidates, policy, indices)):
        guess = game.guesses[index]
        names: dict[int, int] = {}
        answers = [game.feedback_number(guess, secret) for secret in candidates]
        # Guesses with equal cells may differ in their own weights, so the weight is compared as well.
        own = weight_of(game, [guess]) if weighted and not no_candidate else 0
        cells = (own, *(names.setdefault(answer, len(names)) for answer in answers))
        if alike or cells not in known:
            known.add(cells)
            chosen.append(index)
        if len(chosen) == width:
            break
    return chosen


def cells_of(
    game: Game, history: History, candidates: Sequence[str], guess: int
) -> tuple[list[tuple[History, list[str]]], bool]:
    """Return a (history, candidates) pair per feedback to a guess except "solved", and whether "solved" is possible."""
    cells: dict[int, list[str]] = {}
    for secret in candidates:
        cells.setdefault(game.feedback_number(game.guesses[guess], secret), []).append(secret)
    solves = cells.pop(game.solved, None) is not None
    return [([*history, (guess, f)], cell) for f, cell in cells.items()], solves

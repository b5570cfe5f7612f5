"""Live: the policy computed for the candidates now, for a history that no book covers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessbook.book.mastermind import Mastermind

if TYPE_CHECKING:
    from guessbook.book.game import Game, History
    from guessbook.builder.sliced import Choice

__all__ = ["MAX_PLAIN_WORK", "choose", "count_candidates"]

# About two seconds of plain Python (see `guessbook.builder.sliced.work`). Above it the compiled
# kernels win, although numpy and numba take a good part of a second to load.
MAX_PLAIN_WORK = 1_300_000_000


def choose(game: Game, history: History, policy_name: str) -> Choice | None:
    """The policy's guess after a history by the book's tie rule; None if no secret fits.

    Plain Python for small jobs; the builder's kernels, if they are installed, for large ones.

    Raises:
        UsageError: an unknown policy.
        InvalidGameError: a game with more codes than memory allows.
    """
    # Only here does the lookup load anything of the builder.
    from guessbook.builder import sliced
    from guessbook.builder.policy import policy_named

    policy = policy_named(policy_name)
    if not isinstance(game, Mastermind):
        return _choose_from_list(game, history, policy_name)
    columns = sliced.candidates(game, history)
    if sliced.work(game, history, columns) > MAX_PLAIN_WORK:
        choice = _choose_compiled(game, history, policy_name)
        if choice is not None:
            return choice
    return sliced.best_guess(game, history, policy, columns)


def count_candidates(game: Game, history: History) -> int:
    """How many secrets are consistent with a history."""
    if isinstance(game, Mastermind):
        from guessbook.builder import sliced

        return len(sliced.candidates(game, history)[0])
    from guessbook.builder.reference import consistent

    return len(consistent(game, history))


def _choose_compiled(game: Game, history: History, policy_name: str) -> Choice | None:
    """The same by the compiled kernels; None if they are not installed."""
    from guessbook.builder.sliced import Choice

    try:
        from guessbook.builder.build import choose as choose_compiled

        return Choice(*choose_compiled(game, history, policy_name))
    except ImportError:  # no numpy or numba: the extra `build` is not installed
        return None


def _choose_from_list(game: Game, history: History, policy_name: str) -> Choice | None:
    """The same by the plain reference, which works for any game."""
    from guessbook.builder.policy import policy_named
    from guessbook.builder.reference import best_guess, consistent, partition
    from guessbook.builder.sliced import Choice

    candidates = consistent(game, history)
    if not candidates:
        return None
    index, _ = best_guess(game, candidates, policy_named(policy_name))
    guess = game.guesses[index]
    sizes = partition(game, guess, candidates)
    return Choice(index, len(candidates), list(sizes.values()), game.solved in sizes)

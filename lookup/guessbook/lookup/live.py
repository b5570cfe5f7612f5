"""Live: the policy computed for the candidates now, for a history that no book covers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessbook.book.games.codes import Mastermind
from guessbook.lookup.candidates import count_candidates

if TYPE_CHECKING:
    from collections.abc import Mapping

    from guessbook.book.games.game import Game, History
    from guessbook.policy.one_step import OneStep
    from guessbook.policy.policy import Policy
    from guessbook.policy.sliced import Choice

__all__ = ["MAX_PLAIN_WORK", "choose"]

# About two seconds of plain Python (see `guessbook.policy.sliced.work`). Above it the compiled
# kernels win, although numpy and numba take a good part of a second to load.
MAX_PLAIN_WORK = 1_300_000_000
MAX_PLAIN_SECONDS = 1.0

# The same for what policies compute by their plain definition: half a second, and two minutes.
SOME_FEEDBACKS = 300_000
MAX_PLAIN_FEEDBACKS = 80_000_000


def choose(game: Game, history: History, policy: str | Mapping[str, object]) -> Choice | None:
    """The policy's guess after a history by the book's tie rule; None if no secret fits.

    Plain Python for small jobs; the builder's kernels, if they are installed, for large ones.

    Args:
        game: the game.
        history: what is known.
        policy: the policy's name, or what the header of a book says of it.

    Raises:
        UsageError: an unknown policy, or, where the extra `build` is not installed, one that would
            take plain Python minutes.
        InvalidGameError: a game with more codes than memory allows.
    """
    # Only here does the lookup load anything of the builder.
    from guessbook.policy import sliced
    from guessbook.policy.notation import fallback

    asked = fallback(policy)
    rule = asked.rule
    if rule is None or rule is not asked or rule.limited:
        return _choose_composed(game, history, asked)
    if not isinstance(game, Mastermind):
        return _choose_word(game, history, rule)
    columns = sliced.candidates(game, history)
    if sliced.work(game, history, columns) > MAX_PLAIN_WORK:
        choice = _choose_compiled(game, history, rule)
        if choice is not None:
            return choice
    return sliced.best_guess(game, history, rule, columns)


def _choose_compiled(game: Game, history: History, policy: Policy) -> Choice | None:
    """The same by the compiled kernels; None if they are not installed, or not for such a game."""
    from guessbook.book.errors import InvalidGameError
    from guessbook.builder.growth.limits import check_limits
    from guessbook.policy.sliced import Choice

    try:
        check_limits(game)
    except InvalidGameError:  # its scores would overflow, or its arrays fill the memory
        return None
    try:
        from guessbook.builder.growth.choice import choose as choose_compiled

        return Choice(*choose_compiled(game, history, policy))
    except ImportError:  # no numpy or numba: the extra `build` is not installed
        return None


def _choose_word(game: Game, history: History, policy: OneStep) -> Choice | None:
    """The same for a game of words."""
    from guessbook.book.games.words import WordGame
    from guessbook.policy import letters

    if not isinstance(game, WordGame):
        return _choose_composed(game, history, policy)
    seconds = letters.work(game, count_candidates(game, history))
    if seconds > MAX_PLAIN_SECONDS:
        choice = _choose_compiled(game, history, policy)
        if choice is not None:
            return choice
    return letters.best_guess(game, history, policy)


def _choose_composed(game: Game, history: History, policy: Policy) -> Choice | None:
    """The same by the plain definition of every policy, for any game, or by the kernels."""
    from guessbook.book.errors import UsageError
    from guessbook.policy.reference import consistent, partition
    from guessbook.policy.sliced import Choice

    candidates = consistent(game, history)
    if not candidates:
        return None
    feedbacks = policy.work(game, len(candidates))
    if feedbacks > SOME_FEEDBACKS:
        choice = _choose_compiled(game, history, policy)
        if choice is not None:
            return choice
        if feedbacks > MAX_PLAIN_FEEDBACKS:
            raise UsageError(
                f"{policy.name} would compute {feedbacks:,} feedbacks in plain Python, at most "
                f"{MAX_PLAIN_FEEDBACKS:,} is sensible; get the kernels with: "
                'pip install "guessbook[build]"'
            )
    index = policy.choose(game, history, candidates)
    sizes = partition(game, game.guesses[index], candidates)
    return Choice(index, len(candidates), list(sizes.values()), game.solved in sizes)

"""Openings: one first guess of each class of equivalent guesses, and the book with the best opening."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from guessbook.book.errors import InvalidCodeError, NoStrategyError, UsageError
from guessbook.book.games.game import Game
from guessbook.book.games.symmetry import has_symmetry
from guessbook.book.strategy import Strategy
from guessbook.builder.build import Build, build
from guessbook.builder.growth.progress import Progress
from guessbook.builder.limits import USUAL, Resources, no_strategy
from guessbook.policy.notation import PolicyLike, header, policy_of
from guessbook.policy.policy import Policy
from guessbook.policy.search.symmetry import openings

if TYPE_CHECKING:
    from guessbook.builder.checkpoint import Checkpoint


# The maximal number of openings for `--openings all`, which builds a book for each and locks all files at once.
MAX_OPENINGS = 200


def opening_codes(game: Game) -> list[str]:
    """Return one guess of each class of equivalent guesses. Without symmetries, these are all guesses.

    >>> from guessbook.book import Mastermind
    >>> opening_codes(Mastermind(4, 6))
    ['RRRR', 'RRRY', 'RRYY', 'RRYG', 'RYGB']
    """
    if not has_symmetry(game):
        if len(game.guesses) <= MAX_OPENINGS:
            return list(game.guesses)
        raise UsageError(
            f"found {len(game.guesses):,} openings of {game.name} to try, expected at most "
            f"{MAX_OPENINGS}; use the policy rollout instead: its width is the number of openings to try"
        )
    return [game.guesses[index] for index in openings(game)]


def best_codes(game: Game, policy: Policy) -> list[str]:
    """Return the first guesses to try with a policy: only secrets if the policy guesses only candidates."""
    codes = opening_codes(game)
    if not getattr(policy.rule or policy, "consistent_only", False):
        return codes
    secrets = set(game.secrets)
    return [code for code in codes if code in secrets]


def is_code(game: Game, text: str) -> bool:
    """Return whether a text is a code of the game."""
    try:
        game.parse_code(text)
    except InvalidCodeError:
        return False
    return True


def quality_key(book: Strategy) -> tuple[int, int, int]:
    """Return a key that sorts the best book first."""
    # For `win`, the best book finds the largest weight of secrets within the allowed guesses. Of equal books, the best
    # has the smallest total number of guesses (secrets count by their weights), then the fewest in the worst case.
    known = book.stats
    return -(known.found_within or 0), known.weighted_guesses, known.max_guesses


def best_build(
    game: Game,
    policy: PolicyLike = "entropy",
    resources: Resources = USUAL,
    progress: Callable[[Progress], None] | None = None,
    checkpoints: Mapping[str | None, Checkpoint | None] | None = None,
) -> Build:
    """Build a book with each opening, by default all of `best_codes`, and return the best book.

    `checkpoints` maps each opening to its checkpoint, or to None. The key None stands for the policy's own opening.
    """
    if checkpoints is None:
        checkpoints = dict.fromkeys(best_codes(game, policy_of(policy)))
    best: Build | None = None
    # The books are built one after the other, so that at most two are in memory.
    for code, checkpoint in checkpoints.items():
        try:
            built = build(game, policy, code, resources, progress, checkpoint)
        except NoStrategyError:
            # No strategy with this opening satisfies the limit of guesses, but a strategy with another opening may.
            if len(checkpoints) == 1:
                raise
            continue
        if best is None or quality_key(built.book) < quality_key(best.book):
            best = built
    if best is None:
        raise no_strategy(game, header(policy_of(policy)))
    return best

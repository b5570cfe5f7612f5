"""Openings: first guesses that are not equivalent to another, and which of their books is best."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from guessbook.book.errors import InvalidCodeError, NoStrategyError, UsageError
from guessbook.book.games.game import Game
from guessbook.book.games.symmetry import has_symmetry
from guessbook.book.strategy import Strategy
from guessbook.builder.build import Build, build
from guessbook.builder.growth.progress import Progress
from guessbook.builder.limits import USUAL, Means, no_strategy
from guessbook.policy.notation import PolicyLike, header, policy_of
from guessbook.policy.policy import Policy
from guessbook.policy.search.symmetry import openings

if TYPE_CHECKING:
    from guessbook.builder.checkpoint import Checkpoint


# Each has a book of its own, and `--openings all` holds a lock on every file. Codes have fewer.
MAX_OPENINGS = 200


def opening_codes(game: Game) -> list[str]:
    """The first guesses of a game that are not equivalent to a lower one; no two words are.

    >>> from guessbook.book import Mastermind
    >>> opening_codes(Mastermind(4, 6))
    ['RRRR', 'RRRY', 'RRYY', 'RRYG', 'RYGB']

    Raises:
        UsageError: the game is one of more words than there can be openings.
    """
    if not has_symmetry(game):
        if len(game.guesses) <= MAX_OPENINGS:
            return list(game.guesses)
        raise UsageError(
            f"found {len(game.guesses):,} openings of {game.name} to try, expected at most "
            f"{MAX_OPENINGS}; the policy rollout tries the best of them, as many as its width says"
        )
    return [game.guesses[index] for index in openings(game)]


def best_codes(game: Game, policy: Policy) -> list[str]:
    """The openings among which `best_build` looks.

    Where a policy guesses only what may be the secret, so does the opening.
    """
    codes = opening_codes(game)
    if not getattr(policy.rule or policy, "consistent_only", False):
        return codes
    possible = set(codes).intersection(game.secrets)
    return [code for code in codes if code in possible]


def is_code(game: Game, text: str) -> bool:
    """Whether a text is a code of the game."""
    try:
        game.parse_code(text)
    except InvalidCodeError:
        return False
    return True


def goodness(book: Strategy) -> tuple[int, int, int]:
    """What makes a book better than another of the same game: the lower the better."""
    known = book.stats
    return -(known.found_within or 0), known.total_guesses, known.max_guesses


def best_build(
    game: Game,
    policy: PolicyLike = "entropy",
    means: Means = USUAL,
    progress: Callable[[Progress], None] | None = None,
    checkpoints: Mapping[str | None, Checkpoint | None] | None = None,
) -> Build:
    """Build with every opening and return the best: fewest guesses in all, then for the hardest.

    A policy that finds the most within a number of guesses is first asked how much that is.

    Among equals the one with the first opening, which is the lowest. Errors are those of
    `guessbook.builder.build.build`.

    >>> from guessbook.book import Mastermind
    >>> best_build(Mastermind(3, 3)).book.stats.total_guesses
    73

    `checkpoints` are the openings to try, None for the policy's own, with the checkpoint of each
    build, if it has one. Without it all that are not equivalent to another, and none has.
    """
    plans: Mapping[str | None, Checkpoint | None] = (
        dict.fromkeys(best_codes(game, policy_of(policy))) if checkpoints is None else checkpoints
    )
    best: Build | None = None
    # One after the other: besides the best only one is in memory.
    for code, checkpoint in plans.items():
        try:
            built = build(game, policy, code, means, progress, checkpoint)
        except NoStrategyError:
            # Another opening may keep to the limit of guesses.
            if len(plans) == 1:
                raise
            continue
        if best is None or goodness(built.book) < goodness(best.book):
            best = built
    if best is None:
        raise no_strategy(game, header(policy_of(policy)), None)
    return best

"""Build a book: check the arguments, compute the tree with threads or a cluster, and return the strategy. Openings: one first guess of each class of equivalent guesses, and the book with the best opening."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from guessbook.book.errors import (
    BuildError,
    EngineError,
    InvalidCodeError,
    NoStrategyError,
    UsageError,
)
from guessbook.book.games.game import Game, SymmetricGame
from guessbook.book.games.symmetry import openings
from guessbook.book.installation import missing_extra
from guessbook.book.strategy import Strategy
from guessbook.builder.limits import MEMORY, USUAL, Resources, check_build, check_table, no_strategy
from guessbook.builder.plan import Goal, Run
from guessbook.builder.progress import Progress
from guessbook.policy.policy import Policy
from guessbook.policy.registry import PolicyLike, first_guess_of, header, policy_of

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from guessbook.builder.checkpoint import Checkpoint
    from guessbook.builder.scheduler import Workers

# After a build with more secrets than this, freed memory is returned to the system. After a smaller build the process
# reuses the memory, which makes the next build quicker.
GREAT = 1 << 18
# An option of glibc's `mallopt`, and its initial value: blocks of more than LARGE bytes are allocated by mmap.
M_MMAP_THRESHOLD, LARGE = -3, 128 << 10


class Build(NamedTuple):
    """A finished book, and the number of (guess, candidate) pairs scored for the 1st, 2nd, ... guess."""

    book: Strategy
    pairs: tuple[int, ...]


def build(
    game: Game,
    policy: PolicyLike = "entropy",
    first_guess: str | None = None,
    resources: Resources = USUAL,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: Checkpoint | None = None,
) -> Build:
    """Build a book, and count the scored (guess, candidate) pairs.

    The caller saves the book, and then deletes the checkpoint. Raises BuildError if a cluster fails.
    """
    rule = policy_of(policy)
    check_build(game, rule, resources)
    opening = opening_of(game, policy, first_guess)
    with extra_build():
        # Imported here because `import guessbook.builder` has to work without numpy.
        from guessbook.builder.growth import Growth, usual_plan
        from guessbook.builder.optimum import PLANS

    goal = Goal(game, rule, opening, gap=resources.gap)
    description = goal.header()
    if checkpoint and checkpoint.build != (game, description):
        raise BuildError(
            f"found a checkpoint of {checkpoint.identity}, expected a checkpoint of {game.name} with the policy "
            f"{description}; open another folder as the checkpoint"
        )
    with workers_of(resources) as workers:
        run = Run(workers, progress or (lambda _: None), checkpoint, resources.task_size)
        goal = goal._replace(memory=(resources.memory or MEMORY) // workers.processes)
        # `check_build` assumed one process, but the worker processes of a machine share its memory.
        check_table(game, rule, goal.memory)
        search = PLANS.get(rule.name)
        plan = search(run, goal) if search else usual_plan(goal)
        tree, pairs = Growth(run, plan).grow()
    if plan.measure and (cost := plan.measure(tree)) != plan.cost:
        raise BuildError(
            f"found a tree of cost {cost:,}, expected the cost {plan.cost:,} that the search computed: "
            "a file of the checkpoint is wrong; delete the checkpoint folder, and build again"
        )
    if plan.claims:
        # The search ended within the allowed gap: the tree is the best known strategy, not the proven optimum.
        opening = plan.guesses.get((), opening)
        goal = goal._replace(policy=plan.context.policy, first_guess=opening)
        description = {**goal.header(), **plan.claims}
    del plan
    most = description.get("max_guesses")
    if most is not None and len(tree.distribution) > most:
        # The search finds a tree within the guess limit if one exists. This tree exceeds the limit, so none exists.
        raise no_strategy(game, description)
    if len(game.secrets) > GREAT:
        trim_heap()
    return Build(Strategy(game, description, tree), tuple(pairs))


@contextmanager
def extra_build() -> Iterator[None]:
    """Convert the ModuleNotFoundError for a package of the extra `build` to an EngineError with the remedy."""
    try:
        yield
    except ModuleNotFoundError as error:
        what = missing_extra(error.name)
        if what is None:
            raise
        raise EngineError(what) from error


def opening_of(game: Game, policy: PolicyLike, first_guess: str | None) -> int | None:
    """Return the index of the first guess that the argument or the policy names; None if neither names one."""
    known: Any = first_guess_of(policy)
    openings = {game.parse_code(code) for code in (known, first_guess) if code is not None}
    if len(openings) > 1:
        raise UsageError(
            f"found first guess {first_guess} and a policy with first guess {known}; remove one of them"
        )
    return openings.pop() if openings else None


def workers_of(resources: Resources) -> AbstractContextManager[Workers]:
    """Return the workers that run the tasks: threads of this process, or the cluster of a Dask scheduler."""
    if resources.scheduler is None:
        # Imported here because the module loads numpy.
        from guessbook.builder.scheduler import Threads

        return Threads(resources.jobs or os.cpu_count() or 1)
    # Imported here because Dask takes a second to load, and may not be installed.
    from guessbook.builder.cluster import cluster

    return cluster(resources.scheduler)


def open_checkpoint(
    folder: Path,
    game: Game,
    policy: PolicyLike,
    first_guess: str | None,
    delay: float | None = None,
) -> Checkpoint:
    """Open a folder as the checkpoint of a build. If the folder is missing, the build makes it after `delay` seconds.

    Raises BuildError if the folder belongs to another build or is damaged.
    """
    with extra_build():
        # Imported here because the module loads numpy.
        from guessbook.builder.checkpoint import Checkpoint

    goal = Goal(game, policy_of(policy), opening_of(game, policy, first_guess))
    return Checkpoint(folder, game, goal.header(), delay)


def trim_heap() -> None:
    """Return freed memory to the operating system."""
    if sys.platform == "linux":
        # Imported here because only a large build needs ctypes.
        import ctypes

        library = ctypes.CDLL(None)
        if hasattr(library, "malloc_trim"):
            # glibc retains free memory between used blocks. After a build, this is half of the memory.
            library.malloc_trim(0)
            # glibc raises this option by itself. After the reset, glibc returns freed blocks of more than LARGE bytes.
            library.mallopt(M_MMAP_THRESHOLD, LARGE)


# The maximal number of openings for `--openings all`, which builds a book for each and locks all files at once.
MAX_OPENINGS = 200


def opening_codes(game: Game) -> list[str]:
    """Return one guess of each class of equivalent guesses. Without symmetries, these are all guesses.

    >>> from guessbook.book.games.codes import Mastermind
    >>> opening_codes(Mastermind(4, 6))
    ['RRRR', 'RRRY', 'RRYY', 'RRYG', 'RYGB']
    """
    if not isinstance(game, SymmetricGame):
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
    if not policy.only_candidates:
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

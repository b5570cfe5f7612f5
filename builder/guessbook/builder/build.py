"""Build a book: check the arguments, compute the tree with threads or a cluster, and return the strategy."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from guessbook.book.errors import BuildError, EngineError, UsageError
from guessbook.book.games.game import Game, check_game
from guessbook.book.installation import missing_extra
from guessbook.book.plugins import load
from guessbook.book.strategy import Strategy
from guessbook.builder.growth.plan import Goal, Run
from guessbook.builder.growth.progress import Progress
from guessbook.builder.limits import MEMORY, USUAL, Resources, check_build, check_table, no_strategy
from guessbook.policy.notation import PolicyLike, first_guess_of, policy_of
from guessbook.policy.registry import kind_of

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from guessbook.builder.checkpoint import Checkpoint
    from guessbook.builder.executors.scheduler import Workers

# After a build with more secrets than this, freed memory is returned to the system. After a smaller build the process
# reuses the memory, which makes the next build quicker.
GREAT = 1 << 18
# An option of glibc's `mallopt`, and its initial value: blocks of more than LARGE bytes are allocated by mmap.
M_MMAP_THRESHOLD, LARGE = -3, 128 << 10


def build_strategy(
    game: Game,
    policy: PolicyLike = "entropy",
    first_guess: str | None = None,
    jobs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Strategy:
    """Compute the guess of a policy for every possible history of a game, and return the strategy tree.

    Neither the number of jobs nor the machine changes the book: builds with equal arguments agree bit for bit.

    >>> from guessbook.book import Mastermind
    >>> build_strategy(Mastermind(3, 4)).stats.total_guesses
    208

    Args:
        game: the game.
        policy: a name from the page "Policies", with options as in "rollout:width=50" if needed. A mapping such as
            `Book.policy` or a policy object, also of your own class, may replace the text. A text or a mapping may
            also name the `first_guess`.
        first_guess: the opening; None if the policy chooses it.
        jobs: the number of threads; None for one per core.
        progress: a function that is called with the progress of the build.

    Raises:
        InvalidGameError: the game is too large for the builder or for the memory of this machine.
        InvalidCodeError: the first guess is not a code of the game.
        UsageError: the policy is unknown, does not apply to this game, or names another first guess.
        EngineError: this installation lacks the engine or the extra `build`.
    """
    return build(game, policy, first_guess, Resources(jobs), progress).book


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
    check_build(check_game(game), rule, resources)
    opening = opening_of(game, policy, first_guess)
    with extra_build():
        # Imported here because `import guessbook.builder` has to work without numpy.
        from guessbook.builder.growth.frontier import Growth, usual_plan

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
        search = kind_of(rule).plan
        plan = load(search)(run, goal) if search else usual_plan(goal)
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
        from guessbook.builder.executors.scheduler import Threads

        return Threads(resources.jobs or os.cpu_count() or 1)
    # Imported here because Dask takes a second to load, and may not be installed.
    from guessbook.builder.executors.cluster import cluster

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

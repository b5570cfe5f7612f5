"""Building a book: check the request, grow the tree by threads or a cluster, make the strategy."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from guessbook.book.errors import BuildError, EngineError, UsageError
from guessbook.book.games.game import Game, check_game
from guessbook.book.installation import missing
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

# Above this number of secrets, freed memory is returned to the system. For smaller games it stays
# with the process, and makes the next build quicker.
GREAT = 1 << 18
# An option of glibc, and its initial value: larger blocks get pages of their own.
M_MMAP_THRESHOLD, LARGE = -3, 128 << 10


def build_strategy(
    game: Game,
    policy: PolicyLike = "entropy",
    first_guess: str | None = None,
    jobs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Strategy:
    """Run a policy over every feedback branch of a game and return the whole strategy tree.

    The game, the policy and the first guess alone determine the book, bit for bit: neither the number of jobs nor the
    machine changes it.

    >>> from guessbook.book import Mastermind
    >>> build_strategy(Mastermind(3, 4)).stats.total_guesses
    208

    Args:
        game: the game.
        policy: a name or a text with options, such as "rollout:width=50"; a map of both, such as `Book.policy`; or a
            policy itself, also of your own class. The page "Policies" lists them. A text or a map may also name the
            `first_guess`.
        first_guess: the opening; None if the policy chooses it.
        jobs: threads; all cores if None.
        progress: is called with the progress of the build.

    Raises:
        InvalidGameError: the game is larger than the builder or this machine can hold.
        InvalidCodeError: the first guess is not a code of the game.
        UsageError: there is no such policy, it makes no sense for this game, or it names another first guess.
        EngineError: this installation has no engine, or lacks the extra `build`.
    """
    return build(game, policy, first_guess, Resources(jobs), progress).book


class Build(NamedTuple):
    """A finished book, and the (guess, candidate) pairs scored for the 1st, 2nd, ... guess."""

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
    """Build a book as `build_strategy` does, and count the pairs that were scored.

    A checkpoint, from `open_checkpoint`, stores finished subtrees and loads earlier ones; call its `remove` once the
    book is saved. Also raises BuildError if the checkpoint belongs to another build, or the cluster fails.
    """
    rule = policy_of(policy)
    check_build(check_game(game), rule, resources)
    opening = opening_of(game, policy, first_guess)
    with extra_build():
        # Late, as `import guessbook.builder` must not load numpy, nor even need it.
        from guessbook.builder.growth.frontier import Growth, usual_plan

    goal = Goal(game, rule, opening, gap=resources.gap)
    description = goal.header()
    if checkpoint and checkpoint.build != (game, description):
        raise BuildError(f"found a checkpoint of {checkpoint.identity}, expected {description}")
    with workers_of(resources) as workers:
        run = Run(workers, progress or (lambda _: None), checkpoint)
        goal = goal._replace(memory=(resources.memory or MEMORY) // workers.processes)
        # A second check, as each worker process of a machine makes its own table.
        check_table(game, rule, goal.memory)
        search = kind_of(rule).plan
        plan = load(search)(run, goal) if search else usual_plan(goal)
        tree, pairs = Growth(run, plan).grow()
    if plan.measure and (cost := plan.measure(tree)) != plan.cost:
        raise BuildError(
            f"found a tree of cost {cost:,}, expected {plan.cost:,}, the cost that the search "
            "found: a part of the checkpoint is wrong; delete its folder, and build again"
        )
    if plan.claims:
        # This is the best strategy known when the search ended; the claims are the proven bounds.
        opening = plan.guesses.get((), opening)
        goal = goal._replace(policy=plan.context.policy, first_guess=opening)
        description = {**goal.header(), **plan.claims}
    del plan
    most = description.get("max_guesses")
    if most is not None and len(tree.distribution) > most:
        # The tree is optimal: every strategy needs more guesses.
        raise no_strategy(game, description)
    if len(game.secrets) > GREAT:
        trim_heap()
    return Build(Strategy(game, description, tree), tuple(pairs))


@contextmanager
def extra_build() -> Iterator[None]:
    """Turn the lack of a package of the extra `build` into an EngineError that names the remedy."""
    try:
        yield
    except ModuleNotFoundError as error:
        what = missing(error.name)
        if what is None:
            raise
        raise EngineError(what) from error


def opening_of(game: Game, policy: PolicyLike, first_guess: str | None) -> int | None:
    """Return the index of the requested first guess, from the argument or the policy's options.

    Raises InvalidCodeError, or UsageError if the two name different guesses.
    """
    known: Any = first_guess_of(policy)
    openings = {game.parse_code(code) for code in (known, first_guess) if code is not None}
    if len(openings) > 1:
        raise UsageError(f"found first guess {first_guess} and a policy with first guess {known}, expected one of them")
    return openings.pop() if openings else None


def workers_of(resources: Resources) -> AbstractContextManager[Workers]:
    """Return the workers that run the tasks: threads, or the cluster of a scheduler."""
    if resources.scheduler is None:
        # Late, as it loads numpy.
        from guessbook.builder.executors.scheduler import Threads

        return Threads(resources.jobs or os.cpu_count() or 1)
    # Late, as Dask takes a second to load and need not be installed.
    from guessbook.builder.executors.cluster import cluster

    return cluster(resources.scheduler)


def open_checkpoint(
    folder: Path, game: Game, policy: PolicyLike, first_guess: str | None, delay: float | None = None
) -> Checkpoint:
    """Open the checkpoint of a build in a folder, with the results of an earlier run.

    The folder appears after `delay` seconds, `checkpoint.DELAY` if None. Raises BuildError if the
    folder belongs to another build or is damaged, and EngineError without the extra `build`.
    """
    with extra_build():
        # Late, as it loads numpy.
        from guessbook.builder.checkpoint import Checkpoint

    goal = Goal(game, policy_of(policy), opening_of(game, policy, first_guess))
    return Checkpoint(folder, game, goal.header(), delay)


def trim_heap() -> None:
    """Return freed memory to the system, which glibc does not always do by itself.

    It keeps free memory between blocks in use, half of all memory after a build. It also raises
    the threshold `LARGE`, which is reset here, so that large blocks are returned at once.
    """
    if sys.platform == "linux":
        # Late, as only a large build needs it.
        import ctypes

        library = ctypes.CDLL(None)
        if hasattr(library, "malloc_trim"):
            library.malloc_trim(0)
            library.mallopt(M_MMAP_THRESHOLD, LARGE)

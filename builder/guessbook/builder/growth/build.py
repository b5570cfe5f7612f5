"""Building a book: what is asked for is checked, grown by threads or a cluster, put together."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from guessbook.book.errors import BuildError, UsageError, whole_number
from guessbook.book.games.game import Game, checked_game
from guessbook.book.plugins import loaded
from guessbook.book.strategy import Strategy
from guessbook.builder.executors.workers import Threads, Workers
from guessbook.builder.growth.limits import (
    MEMORY,
    check_file,
    check_limits,
    check_policy,
    check_table,
    no_strategy,
)
from guessbook.builder.growth.progress import Progress
from guessbook.policy.notation import PolicyLike, first_guess_of, header, policy_of
from guessbook.policy.policy import Policy
from guessbook.policy.registry import kind_of

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from guessbook.builder.executors.checkpoint import Checkpoint


# Threads of a build: far more than any machine has cores.
MAX_JOBS = 10_000

# An option of glibc, and its value at the start: blocks of so many bytes have pages of their own.
M_MMAP_THRESHOLD, LARGE = -3, 128 << 10
# Of more secrets than these it counts; for the next build memory that was kept is quicker.
GREAT = 1 << 18


def build_strategy(
    game: Game,
    policy: PolicyLike = "entropy",
    first_guess: str | None = None,
    jobs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Strategy:
    """Run a policy over every feedback branch of a game and return the whole strategy tree.

    The result is a function of the game, the policy and the first guess alone: the same book, bit
    for bit, for any number of jobs on any machine.

    >>> from guessbook.book import Mastermind
    >>> build_strategy(Mastermind(3, 4)).stats.total_guesses
    208

    Args:
        game: the game.
        policy: a name or a text with options, such as "rollout:width=50", a map of both, as
            `Book.policy` is one, or a policy itself, also of a class of your own: see `policy_of`;
            docs/policies.md lists them. A text or a map may also name the `first_guess`.
        first_guess: the opening, if the policy is not to choose it.
        jobs: threads; all cores if None.
        progress: is called now and then with how far the build is.

    Raises:
        InvalidGameError: the game is larger than this builder or this machine can hold.
        InvalidCodeError: the first guess is not a code of the game.
        UsageError: there is no such policy, or it makes no sense for this game, or it names another
            first guess.
        EngineError: this installation has no engine.
    """
    return build(game, policy, first_guess, Means(jobs), progress).book


class Means(NamedTuple):
    """With what a book is built.

    Attributes:
        jobs: threads; all cores if None.
        scheduler: the address of a Dask scheduler, such as "tcp://127.0.0.1:8786", whose workers
            run the tasks instead of threads here.
        memory: of `optimal`, and of an endgame: bytes that its table of feedbacks and what it
            knows of sets may take, in each process that works; 2 GiB if None.
        gap: of the policy `optimal`: the search ends where the proven bound is lower than the best
            cost by at most this part of it. If that is before the optimum is found, the book is
            that of the best strategy known, and its header has the bound as `proven`.
    """

    jobs: int | None = None
    scheduler: str | None = None
    memory: int | None = None
    gap: float = 0.0


# All cores, two gibibytes, and the whole search.
USUAL = Means()


class Build(NamedTuple):
    """A finished build.

    Attributes:
        book: the book.
        pairs: how many (guess, candidate) pairs were scored for the 1st, 2nd, ... guess.
        chain: how many of them are scored one after the other, with any number of workers.
    """

    book: Strategy
    pairs: tuple[int, ...]
    chain: int


def build(
    game: Game,
    policy: PolicyLike = "entropy",
    first_guess: str | None = None,
    means: Means = USUAL,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: Checkpoint | None = None,
) -> Build:
    """`build_strategy`, which see, with an account of the work that it took.

    A checkpoint, which `open_checkpoint` gives, keeps finished subtrees, and knows those of an
    earlier run. It is still there afterwards; `remove` it once the book is saved.

    Raises:
        BuildError: the checkpoint is of another build, or something is wrong with the cluster.
    """
    rule = policy_of(policy)
    check_policy(checked_game(game), rule)
    check_means(game, rule, means)
    plan = kind_of(rule).plan
    opening = opening_of(game, policy, first_guess)
    check_limits(game)
    check_file(game)
    # Late, as `import guessbook.builder` must not cost numpy, nor even need it.
    from guessbook.builder.growth.frontier import Job, grow_tree

    description = described(game, rule, opening)
    if checkpoint and not checkpoint.is_of(game, description):
        raise BuildError(f"found a checkpoint of {checkpoint.identity}, expected {description}")
    with executor_of(means.jobs, means.scheduler) as executor:
        report = progress or (lambda _: None)
        job = Job(game, rule, opening, means.memory or MEMORY, means.gap)
        if plan is not None:
            job = loaded(plan)(executor, job, report, checkpoint)
        growth = grow_tree(executor, job, report, checkpoint)
    grown = growth.grown()
    # It has all tasks' results, and the threads had their working space.
    del growth
    if job.proven is not None:
        # What was found when the search ended, and the bound that was proven by then.
        opening = job.first_guess
        description = {**described(game, job.policy, opening), "proven": job.proven}
    check_depth(game, description, len(grown.tree.distribution))
    if len(game.secrets) > GREAT:
        give_back()
    return Build(Strategy(game, description, grown.tree), tuple(grown.pairs), grown.chain)


def give_back() -> None:
    """Give what has been freed back to the system, where the C library keeps it: glibc.

    It keeps what lies between things that are still needed, which is half of all after a build.
    It has also raised `LARGE` to what was freed: that is fixed again, and what is large goes
    back at once from now on, so that what a book was packed from is gone when it is compressed.
    """
    if sys.platform == "linux":
        # Late: `import guessbook.builder` must not cost what a build alone needs.
        import ctypes

        library = ctypes.CDLL(None)
        if hasattr(library, "malloc_trim"):
            library.malloc_trim(0)
            library.mallopt(M_MMAP_THRESHOLD, LARGE)


def check_means(game: Game, policy: Policy, means: Means) -> None:
    """Refuse means that do not suffice, or make no sense for a policy.

    Raises:
        BuildError: the table of feedbacks does not fit.
        UsageError: no number of threads, or both threads and a cluster; a bound for a policy that
            keeps no sets in memory; or a gap for another one than `optimal` without a width.
    """
    if means.jobs is not None:
        whole_number("jobs", means.jobs, 1, MAX_JOBS)
        if means.scheduler is not None:
            raise UsageError(
                f"found {means.jobs} jobs and a scheduler, expected one of them: "
                "on a cluster `dask worker --nthreads` says how many threads there are"
            )
    searches = getattr(policy, "is_tabulated", False) and kind_of(policy).plan is not None
    if means.memory is not None and not getattr(policy, "remembers", False):
        raise UsageError(
            f"found a bound of memory for {policy.name}, which keeps nothing in it; "
            "expected optimal, or an endgame"
        )
    if means.gap and not searches:
        raise UsageError(f"found a gap for {policy.name}, expected optimal without a width")
    check_table(game, policy, means.memory or MEMORY)


def check_depth(game: Game, description: Mapping[str, Any], worst: int) -> None:
    """Refuse a tree that needs more guesses than `max_guesses` allows: no strategy needs fewer.

    Raises:
        NoStrategyError: it does.
    """
    most = description.get("max_guesses")
    if most is None or worst <= most:
        return
    first = description.get("first_guess")
    raise no_strategy(game, description, None if first is None else game.parse_code(first))


def opening_of(game: Game, policy: PolicyLike, first_guess: str | None) -> int | None:
    """The index of the first guess that is asked for, by itself or among the policy's options.

    Raises:
        InvalidCodeError: it is not a code of the game.
        UsageError: there are two that differ.
    """
    known: Any = first_guess_of(policy)
    pinned = None if known is None else game.parse_code(known)
    opening = pinned if first_guess is None else game.parse_code(first_guess)
    if pinned is not None and opening != pinned:
        raise UsageError(
            f"found first guess {first_guess} and a policy with first guess {known}, "
            "expected one of them"
        )
    return opening


def described(game: Game, rule: Policy, opening: int | None) -> dict[str, Any]:
    """The policy as the header of a book has it: its name and its options."""
    description: dict[str, Any] = header(rule)
    if opening is not None:
        description["first_guess"] = game.guesses[opening]
    return description


def executor_of(jobs: int | None, scheduler: str | None) -> AbstractContextManager[Workers]:
    """What runs the tasks: so many threads, or the cluster of a scheduler."""
    if scheduler is None:
        return Threads(jobs or os.cpu_count() or 1)
    # Late, as Dask takes a second to load and need not be installed.
    from guessbook.builder.executors.cluster import cluster

    return cluster(scheduler)


def open_checkpoint(
    folder: Path,
    game: Game,
    policy: PolicyLike,
    first_guess: str | None,
    delay: float | None = None,
) -> Checkpoint:
    """The checkpoint of a build in a folder, with what an earlier run of it left there.

    Args:
        folder: where it is or will be.
        game: the game.
        policy: as for `build_strategy`.
        first_guess: the opening, if the policy is not to choose it.
        delay: seconds until the folder appears; `checkpoint.DELAY` if None.

    Raises:
        BuildError: the folder belongs to another build or is damaged.
    """
    # Late, as it loads numpy.
    from guessbook.builder.executors.checkpoint import DELAY, Checkpoint, identity_of

    opening = opening_of(game, policy, first_guess)
    identity = identity_of(game, described(game, policy_of(policy), opening))
    return Checkpoint(folder, identity, DELAY if delay is None else delay)

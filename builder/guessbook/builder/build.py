"""Building a book: check the request, grow the tree by threads or a cluster, make the strategy."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from guessbook.book.errors import BuildError, EngineError, UsageError
from guessbook.book.games.game import Game, check_game
from guessbook.book.installation import missing
from guessbook.book.plugins import load
from guessbook.book.strategy import Strategy
from guessbook.builder.growth.progress import Progress
from guessbook.builder.heap import trim_heap
from guessbook.builder.limits import (
    MEMORY,
    USUAL,
    Resources,
    check_depth,
    check_file,
    check_limits,
    check_policy,
    check_resources,
    check_table,
)
from guessbook.policy.notation import PolicyLike, first_guess_of, header, policy_of
from guessbook.policy.policy import Policy
from guessbook.policy.registry import kind_of

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from guessbook.builder.checkpoint import Checkpoint
    from guessbook.builder.executors.workers import Workers


# Above this number of secrets, freed memory is returned to the system. For smaller games it stays
# with the process, and makes the next build quicker.
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
            the page "Policies" lists them. A text or a map may also name the `first_guess`.
        first_guess: the opening, if the policy is not to choose it.
        jobs: threads; all cores if None.
        progress: is called now and then with the progress of the build.

    Raises:
        InvalidGameError: the game is larger than this builder or this machine can hold.
        InvalidCodeError: the first guess is not a code of the game.
        UsageError: there is no such policy, or it makes no sense for this game, or it names another
            first guess.
        EngineError: this installation has no engine, or lacks the extra `build`.
    """
    return build(game, policy, first_guess, Resources(jobs), progress).book


class Build(NamedTuple):
    """A finished build.

    Attributes:
        book: the book.
        pairs: the number of (guess, candidate) pairs scored for the 1st, 2nd, ... guess.
    """

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

    A checkpoint, from `open_checkpoint`, stores finished subtrees and loads earlier ones.
    Call its `remove` once the book is saved.

    Raises:
        BuildError: the checkpoint belongs to another build, or the cluster fails.
        EngineError: this installation has no engine, or lacks the extra `build`.
    """
    rule = policy_of(policy)
    check_policy(check_game(game), rule)
    check_resources(game, rule, resources)
    opening = opening_of(game, policy, first_guess)
    check_limits(game)
    check_file(game)
    with extra_build():
        # Late, as `import guessbook.builder` must not load numpy, nor even need it.
        from guessbook.builder.growth.frontier import grow_tree
        from guessbook.builder.growth.plan import Goal, usual_plan  # late, as it loads numpy

    description = policy_header(game, rule, opening)
    if checkpoint and not checkpoint.is_of(game, description):
        raise BuildError(f"found a checkpoint of {checkpoint.identity}, expected {description}")
    report = progress or (lambda _: None)
    with workers_of(resources) as workers:
        memory = (resources.memory or MEMORY) // workers.processes
        # A second check, as each worker process of a machine makes its own table.
        check_table(game, rule, memory)
        goal = Goal(game, rule, opening, memory, resources.gap)
        search = kind_of(rule).plan
        plan = load(search)(workers, goal, report, checkpoint) if search else usual_plan(goal)
        grown = grow_tree(workers, plan.context, plan.guesses, report, checkpoint)
    cost = plan.cost if plan.cost is None else plan.measure(grown.tree)
    if cost != plan.cost:
        raise BuildError(
            f"found a tree of cost {cost:,}, expected {plan.cost:,}, the cost that the search "
            "found: a part of the checkpoint is wrong; delete its folder, and build again"
        )
    if plan.claims:
        # The strategy is the best when the search ended, and the claims are the proven bounds.
        opened = plan.guesses.get((), opening)
        description = {**policy_header(game, plan.context.policy, opened), **plan.claims}
    del plan
    check_depth(game, description, len(grown.tree.distribution))
    if len(game.secrets) > GREAT:
        trim_heap()
    return Build(Strategy(game, description, grown.tree), tuple(grown.pairs))


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

    Raises:
        InvalidCodeError: the first guess is not a code of the game.
        UsageError: the argument and the policy name different guesses.
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


def policy_header(game: Game, rule: Policy, opening: int | None) -> dict[str, Any]:
    """Return the name and the options of the policy, as the header of a book stores them."""
    description: dict[str, Any] = header(rule)
    if opening is not None:
        description["first_guess"] = game.guesses[opening]
    return description


def workers_of(resources: Resources) -> AbstractContextManager[Workers]:
    """Return the workers that run the tasks: threads, or the cluster of a scheduler."""
    if resources.scheduler is None:
        # Late, as it loads numpy.
        from guessbook.builder.executors.workers import Threads

        return Threads(resources.jobs or os.cpu_count() or 1)
    # Late, as Dask takes a second to load and need not be installed.
    from guessbook.builder.executors.cluster import cluster

    return cluster(resources.scheduler)


def open_checkpoint(
    folder: Path,
    game: Game,
    policy: PolicyLike,
    first_guess: str | None,
    delay: float | None = None,
) -> Checkpoint:
    """Open the checkpoint of a build in a folder, with the results of an earlier run.

    The folder appears after `delay` seconds, `checkpoint.DELAY` if None. The game, the policy and
    the first guess are those of `build_strategy`.

    Raises:
        BuildError: the folder belongs to another build or is damaged.
        EngineError: this installation lacks the extra `build`.
    """
    with extra_build():
        # Late, as it loads numpy.
        from guessbook.builder.checkpoint import DELAY, Checkpoint

    description = policy_header(game, policy_of(policy), opening_of(game, policy, first_guess))
    return Checkpoint(folder, game, description, DELAY if delay is None else delay)

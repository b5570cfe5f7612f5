"""Builds of books: the tree of a policy, with one first guess or the best of several."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from guessbook.book.errors import BuildError, EngineError, NoStrategyError, UsageError
from guessbook.book.games.game import Game, SymmetricGame
from guessbook.book.games.symmetry import openings
from guessbook.book.installation import missing_extra
from guessbook.book.strategy import Strategy
from guessbook.builder.identification import identify
from guessbook.builder.limits import DEFAULTS, Resources, check_build, check_table, no_strategy
from guessbook.builder.progress import Progress
from guessbook.policy.policy import Policy
from guessbook.policy.registry import PolicyLike, first_guess_of, policy_header

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from guessbook.builder.checkpoint import Checkpoint
    from guessbook.builder.scheduler import Workers

# After a build with more secrets than this, freed memory is returned to the system. After a smaller
# build, the process keeps the memory, which makes the next build quicker.
TRIM_SECRETS = 1 << 18
# An option of glibc's `mallopt`, and its initial value in bytes: larger blocks are allocated by
# mmap.
M_MMAP_THRESHOLD, MMAP_BYTES = -3, 128 << 10
# The largest number of openings for `--openings all`, which builds a book for each and locks all
# files at once.
MAX_OPENINGS = 200


class Built(NamedTuple):
    """A finished book, and the work of its build."""

    book: Strategy
    # The number of (guess, candidate) pairs that were scored at each depth of the tree; empty for a
    # book that identifies outcomes.
    pairs: tuple[int, ...]


def build(
    game: Game,
    policy: Policy,
    first_guess: int | None = None,
    resources: Resources = DEFAULTS,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: Checkpoint | None = None,
) -> Built:
    """Build a book, and count the scored (guess, candidate) pairs.

    The caller saves the book, and then deletes the checkpoint. Raises NoStrategyError if no
    strategy meets the limit of guesses, and BuildError if a cluster fails.
    """
    check_build(game, policy, resources)
    if game.identification is not None:
        return Built(identify(game, policy, first_guess, resources), ())
    with extra_build():
        # Imported here because `import guessbook.builder` has to work without numpy.
        from guessbook.builder.growth import BuildContext, grow_tree
        from guessbook.builder.optimum import SEARCHES

    with workers_of(resources) as workers:
        context = BuildContext(game, policy, first_guess, workers, resources, progress, checkpoint)
        # `check_build` assumed one process, but the worker processes of a machine share its memory.
        check_table(game, policy, context.memory)
        tree, pairs, header = SEARCHES.get(policy.name, grow_tree)(context)
    most = header.get("max_guesses")
    if most is not None and len(tree.distribution) > most:
        # The search finds a tree within the guess limit if one exists. This tree exceeds the limit,
        # so none exists.
        raise no_strategy(game, header)
    if len(game.secrets) > TRIM_SECRETS:
        trim_heap()
    return Built(Strategy(game, header, tree), tuple(pairs))


@contextmanager
def extra_build() -> Iterator[None]:
    """Replace the error for a missing package by an EngineError that says what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        what = missing_extra(error.name)
        if what is None:
            raise
        raise EngineError(what) from error


def workers_of(resources: Resources) -> AbstractContextManager[Workers]:
    """Return the workers for the tasks: threads of this process, or the cluster of a scheduler."""
    if resources.scheduler is None:
        # Imported here because the module loads numpy.
        from guessbook.builder.scheduler import Threads

        return Threads(resources.jobs or os.cpu_count() or 1)
    try:
        # Imported here because Dask takes a second to load, and may not be installed.
        import distributed  # noqa: F401

        from guessbook.builder.cluster import cluster
    except ModuleNotFoundError as error:
        raise BuildError(missing_extra(error.name) or str(error)) from None
    return cluster(resources.scheduler)


def first_guess_index(game: Game, policy: PolicyLike, code: str | None) -> int | None:
    """Return the index of the first guess that a code or a policy names, or None.

    Raises UsageError if they name different guesses.
    """
    known = first_guess_of(policy)
    named = {game.parse_code(str(one)) for one in (known, code) if one is not None}
    if len(named) > 1:
        raise UsageError(
            f"the policy has the first guess {known}, but the first guess {code} is given; "
            "remove one of them"
        )
    return named.pop() if named else None


def trim_heap() -> None:
    """Return freed memory to the operating system."""
    if sys.platform == "linux":
        # Imported here because only a large build needs ctypes.
        import ctypes

        library = ctypes.CDLL(None)
        if hasattr(library, "malloc_trim"):
            # glibc retains free memory between used blocks. After a build, this is half of the
            # memory.
            library.malloc_trim(0)
            # glibc raises this option by itself. After the reset, glibc returns larger blocks when
            # they are freed.
            library.mallopt(M_MMAP_THRESHOLD, MMAP_BYTES)


def first_guesses(game: Game) -> list[int]:
    """Return one guess of each class of equivalent guesses; without symmetries, all guesses.

    Raises UsageError for a game without symmetries that has more than MAX_OPENINGS guesses.

    >>> from guessbook.book.games.codes import Mastermind
    >>> [Mastermind(4, 6).guesses[guess] for guess in first_guesses(Mastermind(4, 6))]
    ['RRRR', 'RRRY', 'RRYY', 'RRYG', 'RYGB']
    """
    if isinstance(game, SymmetricGame):
        return list(openings(game))
    if game.listed > MAX_OPENINGS:
        raise UsageError(
            f"{game.name} has {game.listed:,} openings to try, limit {MAX_OPENINGS}; "
            "use the policy rollout instead: its width is the number of openings to try"
        )
    return list(range(game.listed))


def promising_first_guesses(game: Game, policy: Policy) -> list[int]:
    """Return the first guesses to try; only secrets if the policy guesses only candidates."""
    found = first_guesses(game)
    if not policy.only_candidates:
        return found
    secrets = set(game.secrets)
    return [guess for guess in found if game.guesses[guess] in secrets]


def best_build(
    game: Game,
    policy: Policy,
    checkpoints: Mapping[int | None, Checkpoint | None],
    resources: Resources = DEFAULTS,
    progress: Callable[[Progress], None] | None = None,
) -> Built:
    """Build a book with each first guess in `checkpoints`, and return the best book.

    `checkpoints` maps each first guess to its checkpoint, or to None. The key None stands for the
    policy's own guess.
    """
    best: Built | None = None
    # The books are built one after the other, so that at most two are in memory.
    for first_guess, checkpoint in checkpoints.items():
        try:
            built = build(game, policy, first_guess, resources, progress, checkpoint)
        except NoStrategyError:
            # No strategy with this opening satisfies the limit of guesses, but a strategy with
            # another opening may.
            if len(checkpoints) == 1:
                raise
            continue
        if best is None or quality_key(built.book) < quality_key(best.book):
            best = built
    if best is None:
        raise no_strategy(game, policy_header(game, policy, None))
    return best


def quality_key(book: Strategy) -> tuple[int, int, int]:
    """Return a key that sorts the best book first."""
    # For `win`, the best book finds the largest weight of secrets within the limit. Among equal
    # books, the best has the smallest total number of guesses (secrets count by their weights),
    # then the fewest guesses in the worst case.
    known = book.stats
    return -(known.found_within or 0), known.weighted_guesses, known.max_guesses

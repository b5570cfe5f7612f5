"""Building a book: the top of the tree here, the subtrees below it as tasks of an executor."""

from __future__ import annotations

import os
from array import array
from typing import TYPE_CHECKING, NamedTuple

from guessbook.book.book import Book
from guessbook.book.errors import UsageError
from guessbook.book.mastermind import Mastermind
from guessbook.book.tree import Columns, Tree
from guessbook.builder.limits import check_limits
from guessbook.builder.policy import policy_named

if TYPE_CHECKING:
    from collections.abc import Callable

    from guessbook.book.game import Game, History

__all__ = ["Build", "Progress", "build", "build_book", "choose", "warm_up"]


class Progress(NamedTuple):
    """How far a build is.

    Attributes:
        stage: what is being done, for people.
        done: (guess, candidate) pairs scored so far.
        total: the pairs that the whole build is expected to score; it gets better on the way.
    """

    stage: str
    done: int
    total: int


def build_book(
    game: Game,
    policy: str = "entropy",
    first_guess: str | None = None,
    jobs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Book:
    """Run a policy over every feedback branch of a game and return the whole strategy tree.

    The result is a function of the game, the policy and the first guess alone: the same book, bit
    for bit, for any number of jobs on any machine.

    >>> from guessbook.book import Mastermind
    >>> build_book(Mastermind(3, 4)).metadata.total_guesses
    208

    Args:
        game: the game.
        policy: "entropy", "expected", "parts" or "minimax".
        first_guess: the opening, if the policy is not to choose it.
        jobs: threads; all cores if None.
        progress: is called now and then with how far the build is.

    Raises:
        InvalidGameError: the game is larger than this builder or this machine can hold.
        InvalidCodeError: the first guess is not a code of the game.
        UsageError: there is no such policy, or it makes no sense for this game.
    """
    return build(game, policy, first_guess, jobs, progress).book


class Build(NamedTuple):
    """A finished build.

    Attributes:
        book: the book.
        pairs: how many (guess, candidate) pairs were scored for the 1st, 2nd, ... guess.
    """

    book: Book
    pairs: tuple[int, ...]


def build(
    game: Game,
    policy: str = "entropy",
    first_guess: str | None = None,
    jobs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Build:
    """`build_book`, which see, with an account of the work that it took."""
    if jobs is not None and jobs < 1:
        raise UsageError(f"found {jobs} jobs, expected at least 1")
    rule = policy_named(policy)
    opening = None if first_guess is None else game.parse_code(first_guess)
    check_limits(game)
    # Imported here: `import guessbook.builder` must not cost numba, nor even need it.
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np

    from guessbook.builder.frontier import Job, grow_tree

    def report(done: int, total: int) -> None:
        if progress:
            progress(Progress("scoring", done, total))

    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as executor:
        grown = grow_tree(executor, Job(game, rule, opening), report)
    columns = Columns(
        *(
            array("I", np.concatenate(column).astype(np.uint32).tobytes())
            for column in zip(*grown.levels, strict=True)
        )
    )
    description = {"name": rule.name}
    if opening is not None:
        description["first_guess"] = game.guesses[opening]
    tree = Tree(columns, len(game.guesses), game.feedbacks)
    return Build(Book(game, description, tree), tuple(grown.pairs[: len(grown.levels)].tolist()))


def warm_up(game: Game) -> None:
    """Compile the kernels that a build of this game will use, or load them from the cache.

    Takes seconds after an installation and a fraction of one later.
    """
    from guessbook.builder.growth import grow_all

    from guessbook.builder.codes import SMALL_GAME

    grow_all(Mastermind(2, 3), policy_named("entropy"))
    if len(game.guesses) > SMALL_GAME:
        # The smallest game that takes every path, with the types of real builds.
        grow_all(Mastermind(4, 7), policy_named("entropy"))


def choose(game: Game, history: History, policy: str) -> tuple[int, int, list[int], bool]:
    """The policy's guess for one history, by the kernels.

    Args:
        game: the game.
        history: what is known, as (guess index, feedback number) pairs; any order.
        policy: the policy's name.

    Returns:
        The index of the guess, how many candidates there are, the sizes of the cells that the
        guess splits them into, and whether it is itself a candidate.

    Raises:
        InconsistentFeedbackError: no secret fits the history.
    """
    from guessbook.builder.growth import choose_one

    return choose_one(game, policy_named(policy), history)

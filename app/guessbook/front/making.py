"""The functions `build` and `read_tree`, which make a book from a policy or from a published strategy tree."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from guessbook.book.errors import GuessbookError
from guessbook.book.games.game import Game, check_game
from guessbook.book.games.presets import game_of
from guessbook.book.imported import strategy_of
from guessbook.builder.build import build as build_strategy
from guessbook.builder.build import open_checkpoint
from guessbook.builder.growth.progress import Progress
from guessbook.builder.limits import Resources, check_build
from guessbook.lookup.book import Book, open_book
from guessbook.policy.notation import PolicyLike, policy_of, with_options


def build(
    game: Game | str,
    policy: PolicyLike = "entropy",
    *,
    first_guess: str | None = None,
    jobs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | Path | None = None,
    **options: Any,
) -> Book:
    """Build the book of a game: the policy's guess for every possible history.

    The book depends only on the game, the policy, the first guess and `gap`: equal arguments give equal bytes.

    >>> build("bagels", "parts").stats.max_guesses
    7
    >>> build("mastermind-3x4", "rollout", width=5).stats.total_guesses
    206

    Args:
        game: the game, or its name, such as "bagels" or "mastermind-6x6".
        policy: its name, a map such as `Book.policy`, the result of `make_policy`, or an instance of your own class.
        first_guess: the opening; None if the policy chooses it.
        jobs: the number of threads; all cores if None.
        progress: called with the progress of the build.
        checkpoint: a folder for finished tasks. If the build is interrupted, the same call resumes it. The folder
            remains after the build: delete it when you have saved the book.
        options: options of the policy, such as `width`. An option that is None counts as not given. Five more options
            are for the build: `scheduler`, the address of a Dask scheduler, whose workers build the book; `memory`, the
            number of bytes that the search of `optimal`, `win` or the endgame of `rollout` may use; `gap`, a share,
            such as 0.01, by which the result of `optimal` or `win` may differ from the optimum; `task_size`, the
            largest number of candidates of a task; and `checkpoint_delay`, the seconds (10) after which the build
            begins to write the checkpoint. If the gap ends the search early, the header of the book has the proven
            bound.

    Raises:
        InvalidGameError: the game is larger than the builder or this machine can hold.
        InvalidCodeError: the first guess is not a code of the game.
        UsageError: the game, policy or an option is unknown, or they do not fit together.
        EngineError: this installation has no engine, or lacks the extra `build`.
        BuildError: a cluster fails; or the checkpoint is damaged, in use, or belongs to another build.
    """
    given = {name: value for name, value in options.items() if value is not None}
    resources = {name: given.pop(name) for name in Resources._fields[1:] if name in given}
    rule = with_options(policy, given)
    known, how = game_of(game), Resources(jobs, **resources)
    if checkpoint is None:
        return open_book(build_strategy(known, rule, first_guess, how, progress).book)
    check_build(check_game(known), policy_of(rule), how)
    # Imported here because only builds with a checkpoint need the package `filelock`.
    from guessbook.builder.lock import hold_lock

    with hold_lock(Path(checkpoint)):
        opened = open_checkpoint(Path(checkpoint), known, rule, first_guess, how.checkpoint_delay)
        try:
            return open_book(build_strategy(known, rule, first_guess, how, progress, opened).book)
        finally:
            # An error of the build matters more than an error of the disk here.
            with suppress(GuessbookError):
                opened.flush()


def read_tree(text: str, symbols: str | None = None, source: str | None = None) -> Book:
    """Make a book from a published strategy tree in the notation of Irving.

    The number of secrets and the length of the first guess determine the game.

    >>> read_tree("4 (12: 1, 0, 0; 2; 1)").stats.total_guesses
    8

    Args:
        text: the tree, which is checked against every secret.
        symbols: the symbols that replace the symbols of the text, in the same order.
        source: the publication of the tree, as one line of text.

    Raises:
        InvalidBookError: the text is not a tree, is incomplete, or is wrong; the message names the line.
        UsageError: the symbols do not fit the tree, or the source is not a short line of text.
    """
    return open_book(strategy_of(text, symbols, source))

"""The functions `build` and `read_tree`, which make a book from a policy or from a published strategy tree."""

from collections.abc import Callable
from typing import Any

from guessbook.book.games.game import Game
from guessbook.book.games.presets import game_of
from guessbook.book.imported import strategy_of
from guessbook.builder.build import build as build_strategy
from guessbook.builder.growth.progress import Progress
from guessbook.builder.limits import Resources
from guessbook.lookup.book import Book, open_book
from guessbook.policy.notation import PolicyLike, with_options


def build(
    game: Game | str,
    policy: PolicyLike = "entropy",
    *,
    first_guess: str | None = None,
    jobs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
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
        options: options of the policy, such as `width`. An option that is None counts as not given. Three more options
            are for the build: `scheduler`, the address of a Dask scheduler, whose workers build the book; `memory`, the
            number of bytes that the search of `optimal`, `win` or the endgame of `rollout` may use; and `gap`, a share,
            such as 0.01, by which the result of `optimal` or `win` may differ from the optimum. If the gap ends the
            search early, the header of the book has the proven bound.

    Raises:
        InvalidGameError: the game is larger than the builder or this machine can hold.
        InvalidCodeError: the first guess is not a code of the game.
        UsageError: the game, policy or an option is unknown, or they do not fit together.
        EngineError: this installation has no engine, or lacks the extra `build`.
    """
    given = {name: value for name, value in options.items() if value is not None}
    resources = {name: given.pop(name) for name in Resources._fields[1:] if name in given}
    rule = with_options(policy, given)
    built = build_strategy(game_of(game), rule, first_guess, Resources(jobs, **resources), progress)
    return open_book(built.book)


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

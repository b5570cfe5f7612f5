"""Making books: by a policy, or of a strategy tree that somebody published."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from guessbook.book.games.presets import game_of
from guessbook.book.imported import strategy_of
from guessbook.builder.build import build as build_strategy
from guessbook.builder.limits import Resources
from guessbook.lookup.book import Book, open_book
from guessbook.policy.notation import PolicyLike, with_options

if TYPE_CHECKING:
    from guessbook.book.games.game import Game
    from guessbook.builder.growth.progress import Progress


def build(
    game: Game | str,
    policy: PolicyLike = "entropy",
    *,
    first_guess: str | None = None,
    jobs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    **options: Any,
) -> Book:
    """Build the book of a game: the policy's guess for every history that can come up.

    The result is a function of the game, the policy and the first guess alone: the same book, bit
    for bit, for any number of jobs on any machine.

    >>> build("bagels", "parts").stats.max_guesses
    7
    >>> build("mastermind-3x4", "rollout", width=5).stats.total_guesses
    206

    Args:
        game: the game, or its name: that of a preset, or such as "mastermind-6x6".
        policy: its name, a map as `Book.policy`, what `make_policy` gives, or an instance of a
            class of your own.
        first_guess: the opening, if the policy is not to choose it.
        jobs: threads; all cores if None.
        progress: is called now and then with how far the build is.
        options: those of the policy, such as `width`; and `scheduler` (the address of a Dask
            scheduler, whose workers build instead), `memory` (bytes that `optimal` or `win` may
            take) and `gap` (their search ends where the bound is that near, such as 0.01; if that
            is before the best is found, the book is that of the best strategy known, perhaps of
            another policy, and its header has the bound as `proven`, or as `found_at_most`). None
            counts as left out.

    Raises:
        InvalidGameError: the game is larger than the builder or this machine can hold.
        InvalidCodeError: the first guess is not a code of the game.
        UsageError: there is no such game, policy or option, or they do not fit together.
        EngineError: this installation has no engine, or lacks the extra `build`.
    """
    given = {name: value for name, value in options.items() if value is not None}
    resources = {name: given.pop(name) for name in Resources._fields[1:] if name in given}
    rule = with_options(policy, given)
    built = build_strategy(game_of(game), rule, first_guess, Resources(jobs, **resources), progress)
    return open_book(built.book)


def read_tree(text: str, symbols: str | None = None, source: str | None = None) -> Book:
    """Make a book of a published strategy tree, a text in Irving's notation.

    The tree is played against every secret: each is found, and every number of candidates in the
    text is right. The number of secrets and the length of the first guess say which game it is.

    >>> read_tree("4 (12: 1, 0, 0; 2; 1)").stats.total_guesses
    8

    Args:
        text: the tree.
        symbols: the symbols of the book, in the order of those of the text; the same if None.
        source: where the tree is from, for people.

    Raises:
        InvalidBookError: the text is no tree, is not complete, or is wrong; names the line.
        UsageError: the symbols do not fit, or the source is no short line of text.
    """
    return open_book(strategy_of(text, symbols, source))

"""Live: the policy computed for the candidates now, for a history that no book covers."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import cast

from guessbook.book.errors import InvalidGameError, UsageError
from guessbook.book.games.game import Game, History
from guessbook.book.installation import install
from guessbook.policy.notation import fallback
from guessbook.policy.policy import Policy
from guessbook.policy.reference import partition
from guessbook.policy.search.search import Choice, Search, search_of

# Seconds of plain Python. Above it the compiled kernels win, although numpy and what loads kernels
# take a good part of a second. Where they are there already, a part of it is enough.
MAX_PLAIN_SECONDS = 1.5
LOADED_PART = 1 / 20

# The same for policies that build on others, in feedbacks: half a second, and two minutes.
SOME_FEEDBACKS = 300_000
MAX_PLAIN_FEEDBACKS = 80_000_000


def choose(game: Game, history: History, policy: str | Mapping[str, object]) -> Choice | None:
    """The policy's guess after a history by the book's tie rule; None if no secret fits.

    Plain Python for small jobs; the builder's kernels, if they are installed, for large ones.

    Args:
        game: the game.
        history: what is known.
        policy: the policy's name, or what the header of a book says of it.

    Raises:
        UsageError: an unknown policy, or, where the extra `build` is not installed, one that would
            take plain Python minutes.
        InvalidGameError: a game with more codes than memory allows.
    """
    asked = fallback(policy)
    search = search_of(game, history)
    if not search.size:
        return None
    rule = asked.rule
    if rule is None or rule is not asked or rule.limited:
        return _choose_composed(game, history, asked, search)
    part = LOADED_PART if "llvmlite" in sys.modules else 1.0
    if search.seconds > MAX_PLAIN_SECONDS * part:
        choice = _choose_compiled(game, history, rule)
        if choice is not None:
            return choice
    return search.best_guess(rule)


def _choose_compiled(game: Game, history: History, policy: Policy) -> Choice | None:
    """The same by the compiled kernels; None if they are not installed, or not for such a game."""
    try:
        # The one place where the lookup asks the builder, which loads numpy and kernels.
        from guessbook.builder.growth.choice import choose as choose_compiled

        return Choice(*choose_compiled(game, history, policy))
    except ImportError:  # no numpy or numba: the extra `build` is not installed
        return None
    except InvalidGameError:  # its scores would overflow, or its arrays fill the memory
        return None


def _choose_composed(game: Game, history: History, policy: Policy, search: Search) -> Choice | None:
    """The guess of any policy, for any game: by plain Python if that is quick, or by the kernels.

    How much plain Python has to do is only known when it is done. So it counts, and gives up.
    """
    feedbacks = policy.work(game, search.size)
    if feedbacks <= SOME_FEEDBACKS:
        with suppress(_TooManyError):
            return _choose_plain(game, history, policy, search, SOME_FEEDBACKS)
    choice = _choose_compiled(game, history, policy)
    if choice is not None:
        return choice
    if feedbacks <= MAX_PLAIN_FEEDBACKS:
        with suppress(_TooManyError):
            return _choose_plain(game, history, policy, search, MAX_PLAIN_FEEDBACKS)
    raise UsageError(
        f"{policy.name} would compute more than {MAX_PLAIN_FEEDBACKS:,} feedbacks in plain Python, "
        f"which takes minutes; get the kernels with: {install('build')}"
    )


def _choose_plain(
    game: Game, history: History, policy: Policy, search: Search, feedbacks: int
) -> Choice:
    """The same in plain Python. Raises _TooManyError if that takes more feedbacks."""
    candidates = search.candidates()
    counted = cast("Game", _Counted(game, feedbacks))
    index = getattr(policy, "choose_quickly", policy.choose)(counted, history, candidates)
    sizes = partition(game, game.guesses[index], candidates)
    return Choice(index, len(candidates), list(sizes.values()), game.solved in sizes)


class _TooManyError(Exception):
    """Plain Python has computed as many feedbacks as it may, and has found no guess yet."""


class _Counted:
    """A game of which so many feedbacks may be asked."""

    def __init__(self, game: Game, feedbacks: int) -> None:
        self._game = game
        self._left = feedbacks

    def __getattr__(self, name: str) -> object:
        return getattr(self._game, name)

    def feedback(self, guess: str, secret: str) -> int:
        """See `Game.feedback`. Raises _TooManyError."""
        self._left -= 1
        if self._left < 0:
            raise _TooManyError
        return self._game.feedback(guess, secret)

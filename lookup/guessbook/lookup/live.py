"""Live hints: guesses that a policy computes for histories that no book covers."""

from contextlib import suppress
from typing import Any

from guessbook.book.errors import EngineError, InvalidGameError, UsageError
from guessbook.book.games.game import Game, History
from guessbook.book.installation import install
from guessbook.policy.candidates import partition
from guessbook.policy.policy import Policy, checked_guess
from guessbook.policy.registry import PolicyLike, fallback
from guessbook.policy.search import Choice, Search, search_of

# The numbers of feedbacks that plain Python computes in half a second and in two minutes.
SOME_FEEDBACKS = 300_000
MAX_PLAIN_FEEDBACKS = 80_000_000


def choose(game: Game, history: History, policy: PolicyLike) -> Choice | None:
    """Return the policy's guess after a history; None if no secret fits.

    Raises UsageError if the policy is unknown or needs minutes, and InvalidGameError if the game is too large.
    """
    asked = fallback(policy)
    rule = asked.rule
    if rule is None or rule is not asked or rule.limited:
        return _choose_composed(game, history, asked)
    try:
        # The import is here, because a hint from the book does not need the engine.
        from guessbook.engine.hints import hints_of

        hints = hints_of(game, history)
        choice: Choice | None = hints.best_guess(rule) if hints.candidates else None
        return choice
    except EngineError as error:
        search = search_of(game, history)
        if rule.work(game, search.size) > MAX_PLAIN_FEEDBACKS:
            raise UsageError(
                f"found {game.name}, which is too large for plain Python: {error}"
            ) from None
        return search.best_guess(rule)


def _choose_composed(game: Game, history: History, policy: Policy) -> Choice | None:
    """Return the guess of `policy`; None if no secret fits. Long computations use the builder, if it is installed."""
    search = search_of(game, history)
    if not search.size:
        return None
    feedbacks = policy.work(
        game, search.size
    )  # This is an estimate; `_choose_defined` counts exactly.
    if feedbacks <= SOME_FEEDBACKS:
        with suppress(_TooManyError):
            return _choose_defined(game, history, policy, search, SOME_FEEDBACKS)
    choice = _choose_built(game, history, policy)
    if choice is not None:
        return choice
    if feedbacks <= MAX_PLAIN_FEEDBACKS:
        with suppress(_TooManyError):
            return _choose_defined(game, history, policy, search, MAX_PLAIN_FEEDBACKS)
    raise UsageError(
        f"found the policy {policy.name}, which needs more than {MAX_PLAIN_FEEDBACKS:,} feedbacks for this guess: "
        f"too many for plain Python; get the builder with: {install('build')}"
    )


def _choose_built(game: Game, history: History, policy: Policy) -> Choice | None:
    """Return the guess that the builder computes; None if the builder cannot compute the guess on this machine."""
    # These errors mean that the extra `build` or the engine is missing, scores would overflow, or memory is too small.
    with suppress(ImportError, EngineError, InvalidGameError):
        # This is the only import of the builder in `guessbook.lookup`. It is here, because it loads numpy.
        from guessbook.builder.choice import choose as choose_built

        return Choice(*choose_built(game, history, policy))
    return None


def _choose_defined(
    game: Game, history: History, policy: Policy, search: Search, feedbacks: int
) -> Choice:
    """Compute the guess in plain Python. Raise _TooManyError if the policy computes more than `feedbacks` feedbacks."""
    candidates = search.candidates()
    counted: Any = _Counted(game, feedbacks)
    found, chosen = policy.answer(counted, history, candidates)
    index = checked_guess(game, policy, chosen)
    sizes = partition(game, game.guesses[index], candidates)
    return Choice(index, len(candidates), list(sizes.values()), game.solved in sizes, found)


class _TooManyError(Exception):
    """Plain Python has computed the allowed number of feedbacks without finding a guess."""


class _Counted:
    """A proxy of a game that computes at most `feedbacks` feedbacks; for one more, it raises _TooManyError."""

    def __init__(self, game: Game, feedbacks: int) -> None:
        self._game = game
        self._left = feedbacks

    def __getattr__(self, name: str) -> object:
        return getattr(self._game, name)

    def feedback(self, guess: str, secret: str) -> object:
        """Return the feedback of a secret to a guess. Each call counts as one computed feedback."""
        self._count()
        return self._game.feedback(guess, secret)

    def feedback_number(self, guess: str, secret: str) -> int:
        """Return the number of the feedback of a secret to a guess. Each call counts as one computed feedback."""
        self._count()
        return self._game.feedback_number(guess, secret)

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise _TooManyError

"""Live hints: guesses that a policy computes for histories that no book covers."""

from guessbook.book.errors import EngineError, InvalidGameError
from guessbook.book.games.game import Game, History
from guessbook.book.games.weights import weight_of
from guessbook.book.installation import install
from guessbook.policy.candidates import Choice, candidates_of, sums_of
from guessbook.policy.identification import choose_test
from guessbook.policy.policy import OneStep, Policy, checked_guess

# The numbers of feedbacks that plain Python computes in a fifth of a second and in two minutes.
QUICK_FEEDBACKS = 100_000
MAX_FEEDBACKS = 80_000_000


def choose(game: Game, history: History, policy: Policy) -> Choice | None:
    """Return the policy's guess after a history; None if no secret fits.

    The engine, the builder or plain Python computes it, depending on the policy and on what is
    installed.

    Raises UsageError if the policy is unknown, EngineError if this machine would need minutes, and
    InvalidGameError if the game is too large.
    """
    if game.identification is not None:
        return _identify(game, history, policy)
    lacking = ""  # Why the engine or the builder cannot compute the guess.
    # The engine's hints support all one-step policies that may choose any guess.
    if isinstance(policy, OneStep) and not policy.limited:
        try:
            from guessbook.engine.hints import hints_of  # A hint from a book does not need it.

            hints = hints_of(game, history)
            return hints.best_guess(policy) if hints.candidates else None
        except EngineError as error:
            lacking = str(error)
    candidates = candidates_of(game, history)
    if not candidates:
        return None
    work = policy.work(game, len(candidates))
    # Loading numpy would take longer than a small job.
    if work > QUICK_FEEDBACKS and not lacking:
        try:
            return _choose_by_builder(game, history, policy)
        except EngineError as error:
            lacking = str(error)
    if work > MAX_FEEDBACKS:
        raise EngineError(
            f"too many feedbacks for plain Python: {policy.name} needs more than "
            f"{MAX_FEEDBACKS:,} for this guess in {game.name}; {lacking}"
        )
    return _choose_by_definition(game, history, policy, candidates)


def _choose_by_builder(game: Game, history: History, policy: Policy) -> Choice:
    """Compute the guess as a build does. Raises EngineError if this machine cannot do it."""
    try:
        from guessbook.builder.choice import choose as choose_built  # It loads numpy.

        return choose_built(game, history, policy)
    except ImportError:
        raise EngineError(f"get the builder with: {install('build')}") from None
    except InvalidGameError as error:
        # Scores would overflow, or memory is too small.
        raise EngineError(str(error)) from error


def _choose_by_definition(
    game: Game, history: History, policy: Policy, candidates: list[str]
) -> Choice:
    found, chosen = policy.answer(game, history, candidates)
    index = checked_guess(game, policy, chosen)
    sums = sums_of(game, candidates)
    sizes = sums.cell_weights(sums.answers(game.guesses[index]))
    return Choice(index, len(candidates), list(sizes.values()), game.solved in sizes, found)


def _identify(game: Game, history: History, policy: Policy) -> Choice | None:
    """Return the policy's next test that the player can answer; None if nothing fits."""
    candidates = candidates_of(game, history)
    if not candidates:
        return None
    try:
        # Imported here because a hint from a book does not need it.
        from guessbook.engine.identification import next_test

        found, index = next_test(game, policy, history, candidates)
    except EngineError:
        work = policy.work(game, len(candidates))
        if work > MAX_FEEDBACKS:
            raise
        found, index = choose_test(game, policy.plan(game), history, candidates)
    sums = sums_of(game, candidates)
    if index >= game.listed:
        return Choice(index, len(candidates), [weight_of(game, candidates)], True, found)
    sizes = sums.cell_weights(sums.answers(game.guesses[index]))
    return Choice(index, len(candidates), list(sizes.values()), False, found)

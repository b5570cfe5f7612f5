"""The base classes of the policies `optimal` and `win` and of their exhaustive searches, in plain Python."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from guessbook.book.games.game import Game, History
from guessbook.book.games.symmetry import has_symmetry
from guessbook.policy.one_step import BasedPolicy, OneStep, allowed_indices
from guessbook.policy.ranking import cells_of, rank_guesses


class SearchPolicy(BasedPolicy):
    """The base class of the policies `optimal` and `win`, which choose each guess by an exhaustive search."""

    __slots__ = ()

    width: int | None
    remembers = True

    @property
    def is_tabulated(self) -> bool:
        """Whether a build reads feedbacks from a table of all guesses and secrets."""
        return self.width is None

    def work(self, game: Game, candidates: int) -> int:
        """Estimate the number of feedbacks that `choose` computes for a number of candidates."""
        tried = min(self.width or len(game.guesses), len(game.guesses))
        # An estimate of the number of different sets of candidates. The search examines each set only once.
        sets = min(tried * min(candidates, 100) // 2, 1 << min(candidates, 40))
        return len(game.guesses) * candidates * (1 + sets)


class State(NamedTuple):
    """A history, its candidates, and the number of guesses left."""

    history: History
    candidates: Sequence[str]
    left: int


class Memory(ABC):
    """The base class of searches. Its cache maps each state to its value (a cost or a weight) and its best guess."""

    def __init__(self, game: Game, policy: SearchPolicy) -> None:
        self.game = game
        self.policy = policy
        self.known: dict[Hashable, tuple[int, int]] = {}

    def key(self, state: State) -> Hashable:
        """Return the key of a state in the cache; states with equal keys have equal best guesses and values."""
        history, candidates, left = state
        game, base = self.game, self.policy.base
        # In hard mode the history limits all later guesses, so the key contains the guesses that are still allowed.
        permitted = (
            tuple(allowed_indices(game, base, history, candidates) or ()) if base.hard_mode else ()
        )
        # With a width, the guesses to try depend on the symmetries of the history, so the key contains the history.
        past = frozenset(history) if self.policy.width and has_symmetry(game) else None
        # Each guess finds or excludes a candidate, so n candidates never need more than n guesses.
        return tuple(candidates), min(left, len(candidates)), permitted, past

    def best(self, state: State) -> tuple[int, int]:
        """Return the result of `search` for a `State`, from the cache if possible."""
        key = self.key(state)
        if key not in self.known:
            self.known[key] = self.search(state)
        return self.known[key]

    @abstractmethod
    def search(self, state: State) -> tuple[int, int]:
        """Compute and return the value of a `State` (a cost or a weight), and the index of the best guess in it."""

    def after(self, state: State, guess: int) -> list[State]:
        """Return the state after each possible feedback to a guess, except the feedback "solved"."""
        cells, _ = cells_of(self.game, state.history, state.candidates, guess)
        return [State(past, cell, state.left - 1) for past, cell in cells]

    def ranking(self, state: State, width: int | None) -> list[int]:
        """Return the best `width` guesses of the base policy, best first; all guesses if `width` is None."""
        base, every = self.policy.base, width or len(self.game.guesses)
        # In hard mode, two guesses with equal cells may allow different later guesses, so neither replaces the other.
        alike = base.hard_mode and width is None
        return rank_guesses(self.game, base, state.history, state.candidates, every, alike)


def most_answers(
    game: Game, base: OneStep, history: History, candidates: Sequence[str]
) -> tuple[int, int]:
    """Return the largest number of different feedbacks to an allowed candidate, and the largest to an allowed guess.

    The feedback "solved" is not counted. The first number is 0 if no candidate is allowed as a guess.
    """
    indices = allowed_indices(game, base, history, candidates)
    answers = {}
    for index in range(len(game.guesses)) if indices is None else indices:
        code = game.guesses[index]
        answers[code] = len({game.feedback_number(code, s) for s in candidates} - {game.solved})
    own = max([answers[code] for code in candidates if code in answers], default=0)
    return own, max(answers.values())

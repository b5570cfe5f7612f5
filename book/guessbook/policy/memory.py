"""Plain searches to the end: the value of each set of candidates, computed once."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from guessbook.book.games.game import Game, History
from guessbook.book.games.symmetry import has_symmetry
from guessbook.policy.one_step import BasedPolicy, OneStep, allowed
from guessbook.policy.ranking import cells_of, rank_guesses


class SearchPolicy(BasedPolicy):
    """A policy whose definition is a search to the end: `optimal` and `win`."""

    __slots__ = ()

    width: int | None
    remembers = True

    @property
    def is_tabulated(self) -> bool:
        """Whether a build reads feedbacks from a table of all of them."""
        return self.width is None

    def work(self, game: Game, candidates: int) -> int:
        """Estimate the number of feedbacks that a choice computes, as `Policy.work` defines it."""
        tried = min(self.width or len(game.guesses), len(game.guesses))
        # Each guess that is tried is searched to its end, but no set of candidates twice.
        sets = min(tried * min(candidates, 100) // 2, 1 << min(candidates, 40))
        return len(game.guesses) * candidates * (1 + sets)


class State(NamedTuple):
    """A history, its candidates, and the number of guesses left.

    Any strategy finds n candidates within n guesses, as each guess finds one or splits them. So n guesses are no limit.
    """

    history: History
    candidates: Sequence[str]
    left: int


class Memory(ABC):
    """The values that come up in a search, each computed once, with the guess that has it."""

    def __init__(self, game: Game, policy: SearchPolicy) -> None:
        self.game = game
        self.policy = policy
        self.known: dict[Hashable, tuple[int, int]] = {}

    def key(self, state: State) -> Hashable:
        """Return the key of a state: states with equal keys have equal values."""
        history, candidates, left = state
        game, base = self.game, self.policy.base
        # In hard mode a guess that is not allowed now is not allowed later.
        permitted = tuple(allowed(game, base, history, candidates) or ()) if base.hard_mode else ()
        # The symmetries of a history determine which guesses are equivalent, and so which ones a width keeps.
        past = frozenset(history) if self.policy.width and has_symmetry(game) else None
        return tuple(candidates), min(left, len(candidates)), permitted, past

    def best(self, state: State) -> tuple[int, int]:
        """Return the value of a state, and its guess."""
        key = self.key(state)
        if key not in self.known:
            self.known[key] = self.search(state)
        return self.known[key]

    @abstractmethod
    def search(self, state: State) -> tuple[int, int]:
        """Compute what `best` returns."""

    def after(self, state: State, guess: int) -> list[State]:
        """Return the states after a guess, for each feedback but "solved"."""
        cells, _ = cells_of(self.game, state.history, state.candidates, guess)
        return [State(past, cell, state.left - 1) for past, cell in cells]

    def ranking(self, state: State, width: int | None) -> list[int]:
        """Return the guesses to try, at most `width`, as the base ranks them."""
        base, every = self.policy.base, width or len(self.game.guesses)
        # In hard mode two guesses with the same cells may allow other guesses below them.
        alike = base.hard_mode and width is None
        return rank_guesses(self.game, base, state.history, state.candidates, every, alike)


def most_answers(game: Game, base: OneStep, history: History, candidates: Sequence[str]) -> tuple[int, int]:
    """Return the most different answers, "solved" excluded, to a candidate, and to any guess.

    Only guesses that are allowed after the history count. A subset of the candidates never gives more answers.
    """
    indices = allowed(game, base, history, candidates)
    answers = {}
    for index in range(len(game.guesses)) if indices is None else indices:
        code = game.guesses[index]
        answers[code] = len({game.feedback_number(code, s) for s in candidates} - {game.solved})
    own = max([answers[code] for code in candidates if code in answers], default=0)
    return own, max(answers.values())

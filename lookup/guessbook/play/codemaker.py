"""Opponents of a player: a codemaker, who has a secret, and an adversary, who has none."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from guessbook.book.errors import InconsistentFeedbackError, UsageError, counted, quote
from guessbook.book.games.beyond import number_between, text_of
from guessbook.book.games.game import Game, History, called, plain
from guessbook.book.games.presets import game_of
from guessbook.book.games.weights import secret_weights, total_weight
from guessbook.lookup.live import choose
from guessbook.play.analysis import Analysis
from guessbook.policy.one_step import POLICIES

if TYPE_CHECKING:
    from fractions import Fraction
    from random import Random

# The most candidates of cells that an adversary plays to their end when they tie.
MAX_PLAYED = 12


class Score(NamedTuple):
    """The answer of a secret to a guess, as people write it."""

    guess: str
    secret: str
    feedback: str
    solved: bool


def score(game: Game, guess: object, secret: object) -> Score:
    """Score a guess against a secret; a word list may lack both. Raises InvalidCodeError."""
    number = number_between(game, guess, secret)
    codes = text_of(game, guess), text_of(game, secret)
    return Score(*codes, game.format_feedback(number), number == game.solved)


class Opponent(ABC):
    """The opponent of a player: it answers guesses. `game` may be a name, such as "bagels"."""

    _confession = "The secret is {}."

    def __init__(self, game: Game | str) -> None:
        self.game = game_of(game)
        self._history: History = []

    def __repr__(self) -> str:
        made = counted(len(self._history)) if self._history else "no guesses so far"
        return f"<{type(self).__name__} {self.game.name}: {made}>"

    @property
    def history(self) -> list[tuple[str, str]]:
        """The history so far: (guess, feedback) pairs of texts, as `Book.hint` takes them."""
        game = self.game
        return [(game.guesses[g], game.format_feedback(f)) for g, f in self._history]

    @property
    def solved(self) -> bool:
        """Whether the answer to the last guess was that it is the secret."""
        return bool(self._history) and self._history[-1][1] == self.game.solved

    def answer(self, guess: str | Sequence[str]) -> object:
        """Answer a guess with plain data, and note the answer. Raises InvalidCodeError."""
        feedback = self.feedback(guess)
        self.note(guess, feedback)
        return feedback

    def feedback(self, guess: str | Sequence[str]) -> object:
        """Return the answer to a guess, but do not note it. Raises InvalidCodeError."""
        return plain(self.game, self._answered(self.game.parse_code(guess)))

    def note(self, guess: str | Sequence[str], feedback: object) -> None:
        """Note a guess and its answer.

        Raises:
            InvalidCodeError, InvalidFeedbackError: the game has no such guess or feedback.
            InconsistentFeedbackError: the opponent is an adversary, and no candidate gives it.
        """
        self._keep(self.game.parse_code(guess), self.game.parse_feedback(feedback))

    def _keep(self, guess: int, feedback: int) -> None:
        self._history.append((guess, feedback))

    @abstractmethod
    def _answered(self, guess: int) -> int:
        """Return the number of the feedback to a guess."""

    @abstractmethod
    def reveal(self) -> str:
        """Return a code that fits all answers: the secret, if there is one."""

    def confess(self) -> str:
        """Return the sentence to print when the player gives up."""
        return self._confession.format(called(self.game, self.reveal()))


class Codemaker(Opponent):
    """Has a secret and answers by it.

    >>> codemaker = Codemaker("mastermind-4x6", "RGOY")
    >>> codemaker.answer("RYGB"), codemaker.history
    (Pegs(black=1, white=2), [('RYGB', '1,2')])

    Args:
        game: the game, or its name, such as "bagels".
        secret: the secret; drawn at random if None.
        random_seed: the seed of the draw; the same seed draws the same secret.

    Raises:
        UsageError: there is no such game, or the seed is no whole number.
        InvalidCodeError: the game does not know the code.
    """

    def __init__(self, game: Game | str, secret: str | None = None, random_seed: int | None = None) -> None:
        super().__init__(game)
        if secret is None:
            (self.secret,) = random_secrets(self.game, 1, random_seed)
        else:
            self.secret = self.game.guesses[self.game.parse_code(secret)]

    def _answered(self, guess: int) -> int:
        return self.game.feedback_number(self.game.guesses[guess], self.secret)

    def reveal(self) -> str:
        """Return the secret."""
        return self.secret


class Adversary(Opponent):
    """Plays a game without a secret (as Absurdle does): each answer keeps the most candidates.

    It ignores the weights of secrets and counts candidates. Ties of feedbacks go

    1. to any but "solved";
    2. for cells of at most 12 candidates, to the cell that takes the policy `entropy` the most guesses in total;
    3. for larger cells, to the cell in which the best guess has the least expected information;
    4. to the lowest feedback number.

    >>> from guessbook.book import Mastermind
    >>> adversary = Adversary(Mastermind(4, 6))
    >>> adversary.answer("RRYY"), len(adversary.candidates())
    (Pegs(black=0, white=1), 256)

    Args:
        game: the game, or its name, such as "bagels".

    Raises:
        UsageError: there is no such game.
    """

    _confession = "There was no secret; {} is one that fits."

    def __init__(self, game: Game | str) -> None:
        super().__init__(game)
        self._left: list[str] = list(self.game.secrets)

    def candidates(self) -> list[str]:
        """Return the secrets that fit all answers so far, in the order of the game's list."""
        return list(self._left)

    def _answered(self, guess: int) -> int:
        cells = self._cells(guess)
        most = max(len(cell) for cell in cells.values())
        tied = sorted(feedback for feedback, cell in cells.items() if len(cell) == most)
        # "Solved" is the highest number.
        tied = [feedback for feedback in tied if feedback != self.game.solved] or tied
        if len(tied) == 1:
            return tied[0]
        # max keeps the first of equals: the lowest feedback number.
        return max(tied, key=lambda f: self._hardness([*self._history, (guess, f)]))

    def _keep(self, guess: int, feedback: int) -> None:
        left = self._cells(guess).get(feedback)
        if left is None:
            code = called(self.game, self.game.guesses[guess])
            entry = f"{code}={self.game.format_feedback(feedback)}"
            raise InconsistentFeedbackError(f"found {entry}, but no candidate gives this answer")
        self._left = left
        super()._keep(guess, feedback)

    def reveal(self) -> str:
        """Return a code that fits all answers: the first of the candidates."""
        return self._left[0]

    def _cells(self, guess: int) -> dict[int, list[str]]:
        """Return the candidates by the feedback that each gives to a guess."""
        analysis = Analysis(self.game, self._history, self._left)
        return analysis.cells(self.game.guesses[guess])

    def _hardness(self, history: History) -> Fraction | int:
        """Return the remaining effort after a history: total guesses, or minus the expected bits.

        Cells that are compared have one size, so the two are never mixed.
        """
        # Late: only an adversary needs fractions, which load slowly.
        from fractions import Fraction

        choice = choose(self.game, history, "entropy")
        assert choice is not None
        if choice.candidates > MAX_PLAYED:
            # Exact, as the policy itself: equal cells tie, however they are summed.
            policy, weight = POLICIES["entropy"], sum(choice.sizes)
            costs = policy.costs(weight)
            return Fraction(-policy.score(choice.sizes, costs) - costs[weight], weight)
        total: Fraction | int = choice.candidates
        if choice.candidates > 1:
            for feedback in Analysis(self.game, history).cells(self.game.guesses[choice.guess]):
                if feedback != self.game.solved:
                    total += self._hardness([*history, (choice.guess, feedback)])
        return total


def seeded(random_seed: int | None) -> Random:
    """Return a random generator. Raises UsageError if the seed is no whole number."""
    from random import Random

    if random_seed is not None and type(random_seed) is not int:
        raise UsageError(f"found random_seed {quote(random_seed)}, expected a whole number or None")
    return Random(random_seed)


def random_secrets(game: Game, boards: int, random_seed: int | None = None) -> list[str]:
    """Draw a secret for each board, by weight; a seed reproduces the draw."""
    chance, total = seeded(random_seed), total_weight(game)
    return _secrets_at(game, [chance.randrange(total) for _ in range(boards)])


def secrets_of_day(game: Game, boards: int, day: str) -> list[str]:
    """Return a secret for each board, which is the same for everybody on a day (see `today`).

    Count the secrets from 0, in their order, each as often as its weight says. The secret of a
    board is number SHA-256("DAY NAME BOARD") modulo the total weight, with the name of the game and
    the number of the board from 1. So all books of a game agree.

    >>> from guessbook.book import Mastermind
    >>> secrets_of_day(Mastermind(4, 6), 2, "2026-11-22")
    ['PYGB', 'GYBY']
    """
    texts = [f"{day} {game.name} {board}" for board in range(1, boards + 1)]
    total = total_weight(game)
    return _secrets_at(game, [int.from_bytes(sha256(t.encode()).digest()) % total for t in texts])


def today() -> str:
    """Return the day in universal time, such as `2026-11-22`: it begins everywhere at once."""
    return datetime.now(UTC).date().isoformat()


def _secrets_at(game: Game, numbers: Sequence[int]) -> list[str]:
    """Return the secret of each number; a secret of weight w owns w consecutive numbers."""
    weights = secret_weights(game)
    ends = None if weights is None else [*accumulate(weights)]
    return [game.secrets[n if ends is None else bisect(ends, n)] for n in numbers]

"""Opponents, who answer a player's guesses: a codemaker has a secret, an adversary has none.

This module also draws random secrets, and random permutations of positions and symbols.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from guessbook.book.errors import InconsistentFeedbackError, UsageError, quantity, quote
from guessbook.book.games.game import (
    Game,
    History,
    SymmetricGame,
    guess_and_secret,
    require_guesses,
)
from guessbook.book.games.presets import game_of
from guessbook.book.games.weights import total_weight
from guessbook.lookup.live import choose
from guessbook.play.analysis import Analysis, analyse
from guessbook.policy.policy import POLICIES

if TYPE_CHECKING:
    from fractions import Fraction
    from random import Random

# An adversary compares equally large cells of at most this size by the number of guesses that
# `entropy` needs for them.
MAX_PLAYED = 12


class Score(NamedTuple):
    """The feedback to a guess for a secret.

    Attributes:
        guess: the guess.
        secret: the secret.
        feedback: the feedback as text, such as "1,1".
        solved: whether the guess is the secret.
    """

    guess: str
    secret: str
    feedback: str
    solved: bool


def score(game: Game, guess: object, secret: object) -> Score:
    """Return the feedback to a guess for a secret. Words need not be in the lists of the game."""
    codes = guess_and_secret(game, guess, secret)
    number = game.feedback_number(*codes)
    return Score(*codes, game.format_feedback(number), number == game.solved)


class Opponent(ABC):
    """An opponent that answers the guesses of a player.

    `game` is a game, or its name, such as "bagels".
    """

    _reveal_text = "The secret is {}."

    def __init__(self, game: Game | str) -> None:
        self.game = game_of(game)
        require_guesses(self.game, "a game against an opponent")
        self._history: History = []

    def __repr__(self) -> str:
        made = quantity(len(self._history)) if self._history else "no guesses so far"
        return f"<{type(self).__name__} {self.game.name}: {made}>"

    @property
    def history(self) -> list[tuple[str, str]]:
        """The (guess, feedback) pairs so far, as strings; `Book.hint` accepts this list."""
        game = self.game
        return [(game.guesses[g], game.format_feedback(f)) for g, f in self._history]

    @property
    def solved(self) -> bool:
        """Whether the last feedback means that the guess is the secret."""
        return bool(self._history) and self._history[-1][1] == self.game.solved

    def answer(self, guess: str | Sequence[str]) -> object:
        """Add a guess and its feedback to the history, and return the feedback.

        Raises:
            InvalidCodeError: the guess is not a code of the game.
        """
        feedback = self.feedback(guess)
        self.record(guess, feedback)
        return feedback

    def feedback(self, guess: str | Sequence[str]) -> object:
        """Return the feedback to a guess; the history remains unchanged.

        Raises:
            InvalidCodeError: the guess is not a code of the game.
        """
        return self.game.plain_feedback(self._answer(self.game.parse_code(guess)))

    def record(self, guess: str | Sequence[str], feedback: object) -> None:
        """Add a guess and its feedback to the history.

        Raises:
            InvalidCodeError, InvalidFeedbackError: the guess or feedback is invalid.
            InconsistentFeedbackError: no candidate of an adversary gives this feedback.
        """
        self._keep(self.game.parse_code(guess), self.game.parse_feedback(feedback))

    def _keep(self, guess: int, feedback: int) -> None:
        self._history.append((guess, feedback))

    @abstractmethod
    def _answer(self, guess: int) -> int:
        """Return the feedback number for the guess with this index."""

    @abstractmethod
    def reveal(self) -> str:
        """Return the secret. An opponent without a secret returns a code that fits all answers."""

    def reveal_text(self) -> str:
        """Return a sentence that reveals the secret to a player who gives up."""
        return self._reveal_text.format(self.game.display_name(self.reveal()))


class Codemaker(Opponent):
    """An opponent with a secret, which determines all answers.

    >>> codemaker = Codemaker("mastermind-4x6", "RGOY")
    >>> codemaker.answer("RYGB"), codemaker.history
    (Pegs(black=1, white=2), [('RYGB', '1,2')])

    Args:
        game: the game, or its name, such as "bagels".
        secret: the secret; None draws a random secret, in proportion to weight.
        random_seed: the seed of the draw; equal seeds draw equal secrets.

    Attributes:
        game: the game.
        secret: the secret.

    Raises:
        UsageError: the game is unknown, its tests name no secret, or the seed is not a whole
            number.
        InvalidCodeError: the secret is not a code of the game.
    """

    def __init__(
        self, game: Game | str, secret: str | None = None, random_seed: int | None = None
    ) -> None:
        super().__init__(game)
        if secret is None:
            (self.secret,) = random_secrets(self.game, 1, random_seed)
        else:
            self.secret = self.game.guesses[self.game.parse_code(secret)]

    def _answer(self, guess: int) -> int:
        return self.game.feedback_number(self.game.guesses[guess], self.secret)

    def reveal(self) -> str:
        """Return the secret."""
        return self.secret


class Adversary(Opponent):
    """An opponent without a secret, as in Absurdle: each answer leaves the most candidates.

    The weights of the secrets are ignored.

    If several feedbacks have the same number of candidates, these rules decide in turn:

    1. Any other feedback is preferred to "solved".
    2. With at most 12 candidates each: choose the feedback for which the policy `entropy` needs
       the most guesses in total.
    3. With more candidates: choose the feedback after which the best guess has the least expected
       information.
    4. Choose the lowest feedback number.

    >>> from guessbook.book.games.codes import Mastermind
    >>> adversary = Adversary(Mastermind(4, 6))
    >>> adversary.answer("RRYY"), len(adversary.candidates())
    (Pegs(black=0, white=1), 256)

    Args:
        game: the game, or its name, such as "bagels".

    Attributes:
        game: the game.

    Raises:
        UsageError: the game is unknown, or its tests name no secret.
    """

    _reveal_text = "There was no secret; {} is one that fits."

    def __init__(self, game: Game | str) -> None:
        super().__init__(game)
        self._left: list[str] = list(self.game.secrets)
        self._unweighted = self.game
        if self.game.weights is not None:
            header = self.game.header()
            del header["weights"]
            self._unweighted = type(self.game).from_header(header)

    def candidates(self) -> list[str]:
        """Return the secrets that fit all answers so far, in the order of the game's list."""
        return list(self._left)

    def _answer(self, guess: int) -> int:
        cells = self._cells(guess)
        most = max(len(cell) for cell in cells.values())
        tied = sorted(feedback for feedback, cell in cells.items() if len(cell) == most)
        # "Solved" is the answer only if no other feedback has an equally large cell.
        tied = [feedback for feedback in tied if feedback != self.game.solved] or tied
        if len(tied) == 1:
            return tied[0]
        # `max` returns the first of equal maxima, here the lowest feedback number.
        return max(tied, key=lambda f: self._hardness([*self._history, (guess, f)]))

    def _keep(self, guess: int, feedback: int) -> None:
        left = self._cells(guess).get(feedback)
        if left is None:
            code = self.game.display_name(self.game.guesses[guess])
            entry = f"{code}={self.game.format_feedback(feedback)}"
            raise InconsistentFeedbackError(f"no candidate gives {entry}; re-check the feedback")
        self._left = left
        super()._keep(guess, feedback)

    def reveal(self) -> str:
        """Return the first candidate, a code that fits all answers."""
        return self._left[0]

    def _cells(self, guess: int) -> dict[int, list[str]]:
        """Return the candidates in each cell of a guess, by feedback number."""
        analysis = Analysis(self._unweighted, self._history, self._left)
        return analysis.partition(self.game.guesses[guess])

    def _hardness(self, history: History) -> Fraction | int:
        """Return the difficulty of a history.

        Only histories with equal numbers of candidates can be compared.

        Up to MAX_PLAYED candidates: the total number of guesses of the policy `entropy` for all
        candidates. Above MAX_PLAYED: minus the expected information of the next guess by `entropy`.
        """
        # Imported here because the import is slow and only an adversary needs it.
        from fractions import Fraction

        game = self._unweighted
        choice = choose(game, history, POLICIES["entropy"])
        assert choice is not None
        if choice.candidates > MAX_PLAYED:
            # Minus the expected information of the best guess, as an exact fraction: rounding of
            # floats would break ties.
            policy, weight = POLICIES["entropy"], sum(choice.sizes)
            return Fraction(-policy.score(choice.sizes) - policy.cost(weight), weight)
        total: Fraction | int = choice.candidates
        if choice.candidates > 1:
            for feedback in analyse(game, history).cells(game.guesses[choice.guess]):
                if feedback != self.game.solved:
                    total += self._hardness([*history, (choice.guess, feedback)])
        return total


def random_generator(random_seed: int | None) -> Random:
    """Return a random generator with the seed `random_seed`; None stands for a random seed."""
    from random import Random

    if random_seed is not None and type(random_seed) is not int:
        raise UsageError(f"random_seed {quote(random_seed)} is not a whole number or None")
    return Random(random_seed)


def random_secrets(game: Game, boards: int, random_seed: int | None = None) -> list[str]:
    """Return a secret for each board, drawn by weight. Equal seeds draw equal secrets."""
    chance, total = random_generator(random_seed), total_weight(game)
    return _secrets_at(game, [chance.randrange(total) for _ in range(boards)])


def secrets_of_day(game: Game, boards: int, day: str) -> list[str]:
    """Return the secret of a day for each board. All players of the game get the same secrets.

    >>> from guessbook.book.games.codes import Mastermind
    >>> secrets_of_day(Mastermind(4, 6), 2, "2026-11-22")
    ['PYGB', 'GYBY']
    """
    # Do not change these texts or their hashes: docs/reference/ratings.md promises them to players.
    texts = [f"{day} {game.name} {board}" for board in range(1, boards + 1)]
    total = total_weight(game)
    return _secrets_at(game, [int.from_bytes(sha256(t.encode()).digest()) % total for t in texts])


def today() -> str:
    """Return the date in UTC, such as `2026-11-22`. It changes at the same moment everywhere."""
    return datetime.now(UTC).date().isoformat()


def _secrets_at(game: Game, numbers: Sequence[int]) -> list[str]:
    """Return the secrets at some indices of a list that repeats each secret by its weight."""
    weights = game.weights
    ends = None if weights is None else [*accumulate(weights)]
    return [game.secrets[n if ends is None else bisect(ends, n)] for n in numbers]


class Shuffle(NamedTuple):
    """A permutation of the positions and symbols of a code game.

    >>> shuffle = Shuffle("RYGB", (2, 0, 1), "GYRB")
    >>> shuffle.there("RBY"), shuffle.back("YGB")
    ('YGB', 'RBY')

    `there` maps a code to its image in two steps. First, position p gets the symbol at
    `positions[p]` of the code. Then `images[k]` replaces the symbol `symbols[k]`.
    """

    symbols: str
    positions: tuple[int, ...]
    images: str

    def there(self, code: str) -> str:
        """Return the image of a code under the permutation."""
        moved = "".join([code[position] for position in self.positions])
        return moved.translate(str.maketrans(self.symbols, self.images))

    def back(self, image: str) -> str:
        """Return the code that `there` maps to `image`."""
        moved = image.translate(str.maketrans(self.images, self.symbols))
        return "".join([symbol for _, symbol in sorted(zip(self.positions, moved, strict=True))])


def random_shuffle(game: Game, random_seed: int | None = None) -> Shuffle:
    if not isinstance(game, SymmetricGame):
        why = "its labels cannot be permuted"
        if game.kind == "words":
            why = "its words would not remain words if letters were exchanged"
        raise UsageError(f"{game.name} cannot be shuffled: {why}; leave out --shuffle")
    chance = random_generator(random_seed)
    positions = tuple(chance.sample(range(game.pegs), game.pegs))
    return Shuffle(game.symbols, positions, "".join(chance.sample(game.symbols, game.colors)))

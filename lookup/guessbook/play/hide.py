"""The adversary: it has no secret; each answer keeps the most candidates."""

from fractions import Fraction

from guessbook.book.errors import InconsistentFeedbackError
from guessbook.book.games.game import Game, History, called
from guessbook.lookup.live import choose
from guessbook.play.analysis import Analysis
from guessbook.play.codemaker import Opponent
from guessbook.policy.one_step import POLICIES

# Cells of that many candidates are played to their end when they tie.
MAX_PLAYED = 12


class Adversary(Opponent):
    """Plays a game without a secret (as Absurdle does): each answer keeps the most candidates.

    It ignores the weights of secrets and counts candidates.

    Of the feedbacks that keep equally many:

    1. "solved" comes last;
    2. then the one after which the policy `entropy` needs the most guesses for all of its
       candidates together, which is computed for cells of at most 12 candidates;
    3. for larger cells the one in which the best guess is expected to tell the least;
    4. then the lowest feedback number.

    >>> from guessbook.book import Mastermind
    >>> adversary = Adversary(Mastermind(4, 6))
    >>> adversary.answer("RRYY"), len(adversary.candidates())
    (Pegs(black=0, white=1), 256)

    Args:
        game: the game, or its name, such as "bagels".

    Attributes:
        game: the game.

    Raises:
        UsageError: there is no such game.
    """

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
        if len(tied) > 1 and self.game.solved in tied:
            tied.remove(self.game.solved)
        if len(tied) == 1:
            return tied[0]
        # max keeps the first of equals: the lowest feedback number.
        return max(tied, key=lambda f: self._hardness([*self._history, (guess, f)]))

    def _keep(self, guess: int, feedback: int) -> None:
        left = self._cells(guess).get(feedback)
        if left is None:
            code, answer = self.game.guesses[guess], self.game.format_feedback(feedback)
            raise InconsistentFeedbackError(
                f"found {called(self.game, code)}={answer}, but no candidate gives this answer; "
                "expected the answer of a candidate"
            )
        self._left = left
        super()._keep(guess, feedback)

    def reveal(self) -> str:
        """Return a code that fits all answers: the first of the candidates."""
        return self._left[0]

    def confess(self) -> str:
        """Say in a sentence that there was no secret, and which code fits."""
        fits = called(self.game, self._left[0])
        return f"There was no secret; {fits} is one that fits."

    def _cells(self, guess: int) -> dict[int, list[str]]:
        """Return the candidates by the feedback that each gives to a guess."""
        analysis = Analysis(self.game, self._history, self._left)
        return analysis.cells(self.game.guesses[guess])

    def _hardness(self, history: History) -> Fraction | int:
        """Return the remaining effort after a history: total guesses, or minus the expected bits.

        Cells that are compared have one size, so the two are never mixed.
        """
        choice = choose(self.game, history, "entropy")
        assert choice is not None
        if choice.candidates > MAX_PLAYED:
            # Exact, as the policy itself: equal cells tie, however they are summed.
            policy, weight = POLICIES["entropy"], sum(choice.sizes)
            costs = policy.costs(weight)
            return Fraction(-policy.score(choice.sizes, costs) - costs[weight], weight)
        return self._cost(history)

    def _cost(self, history: History) -> int:
        """Return the total guesses of the policy `entropy` for the candidates of a history."""
        choice = choose(self.game, history, "entropy")
        assert choice is not None
        total = choice.candidates
        if choice.candidates > 1:
            guess = self.game.guesses[choice.guess]
            for feedback in Analysis(self.game, history).cells(guess):
                if feedback != self.game.solved:
                    total += self._cost([*history, (choice.guess, feedback)])
        return total

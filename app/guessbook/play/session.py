"""The session: a game in progress, with hints, explanations, ratings and a review."""

from guessbook.book.errors import whole_number
from guessbook.book.games.beyond import text_of
from guessbook.play.explain import Explanation, explanation, yardstick
from guessbook.play.pairs import best_pairs
from guessbook.play.position import Position
from guessbook.play.rate import PairRating, Rating, pair_rating, rating
from guessbook.play.review import Review, review
from guessbook.play.rows import check_order, share


class Session(Position):
    """A game in progress, which suggests, explains and rates guesses, and reviews the game.

    >>> session = Session("mastermind-4x6")
    >>> session.add_guess("RYGB", "1,1")
    >>> session.add_guess("RGOP", "0,2")
    >>> session.hint().guess, session.remaining
    ('PYYG', 57)
    >>> session.rate("YYYY").skill
    44
    >>> session.undo().guess
    'RGOP'

    Rows (a row is a guess and its feedback) may contradict each other. Then `hint` raises InconsistentFeedbackError,
    and its message names the rows to re-check. Correct them with `edit`, or exclude them with `set_aside`.

    Sessions are not thread-safe: use a separate `copy` in each thread.

    Args:
        source: a book, its path, the name of a shipped book, a game, or the name of a game, such as "bagels".
            Without a book, every guess is computed.
        history: the guesses and feedbacks so far, in any notation that `hint` accepts.
        policy: the policy for a source without a book, in any form that `policy_of` accepts, but without `first_guess`.
        shuffle: a permutation for the guesses of the policy; see `shuffle.random_shuffle`.
        refused: guesses that the played game rejects; see `refuse`.

    Attributes:
        game: the game.
        book: the book; None if there is none.
        policy: the policy of the book, or the given policy if there is no book.

    Raises:
        InvalidBookError, UsageError: the source cannot be opened; see `read_strategy`.
        InvalidCodeError, InvalidFeedbackError: the history does not belong to this game.
    """

    def explain(self, guess: str | None = None, count: int = 10) -> Explanation:
        """Return the partition of a guess, and the best alternatives. None stands for the hinted guess.

        The guess need not be in the game's list of guesses. The alternatives are always in this list.

        Raises:
            InconsistentFeedbackError: no code fits the history.
            InvalidCodeError: the guess is not a code of the game.
        """
        count = whole_number("alternatives", count)
        code = self.hint().guess if guess is None else text_of(self.game, guess)
        found = explanation(self.checked(), code, self.policy, count, self.refused)
        win = self.hint().win if guess is None else None
        return found._replace(among_guesses=self.among_guesses, breaks=self.broken(code), win=win)

    def rate(self, guess: str) -> Rating:
        """Return the rating of a guess: its comparison with the best guess.

        The guess need not be in the game's list of guesses.

        Raises:
            InconsistentFeedbackError: no code fits the history.
            InvalidCodeError: the guess is not a code of the game.
        """
        code, analysis = text_of(self.game, guess), self.checked()
        found = rating(analysis, code, self.best(self.history), yardstick(self.policy))
        return found._replace(breaks=self.broken(code))

    def rate_pair(self, first: str, second: str) -> PairRating:
        """Return the rating of two guesses that are both chosen before the first feedback."""
        codes = text_of(self.game, first), text_of(self.game, second)
        return pair_rating(self.checked(), *codes)

    def best_pairs(self, count: int = 10) -> list[PairRating]:
        """Return the `count` pairs of guesses with the most expected information, best first.

        Raises:
            UsageError: the search would take too long.
        """
        return best_pairs(self.checked(), whole_number("pairs", count))

    def review(self, secret: str | None = None) -> Review:
        """Return a review: the skill and luck of each guess so far. Rows that are set aside are ignored.

        Args:
            secret: the secret of an unsolved game; None if you do not know the secret.

        Raises:
            InconsistentFeedbackError: no code fits the history.
            UsageError: there is no guess, there are guesses after the game was solved, or `secret` does not fit.
        """
        return review(self, secret)

    def share(self, ascii_only: bool = False) -> str:
        """Return a text to share: a line of pegs or squares for each feedback, without the guesses.

        Raises:
            UsageError: there is no guess, or there are guesses after the game was solved.
        """
        check_order(self.game, self.history, "share")
        return share(self.game, [self.parsed_history], ascii_only)

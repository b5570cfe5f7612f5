"""The session: a game in progress, with everything that can be asked about it."""

from guessbook.book.errors import whole_number
from guessbook.book.games.beyond import text_of
from guessbook.play.explain import Explanation, explanation, yardstick
from guessbook.play.pairs import best_pairs
from guessbook.play.position import Position
from guessbook.play.rate import PairRating, Rating, pair_rating, rating
from guessbook.play.review import Review, review
from guessbook.play.rows import check_order, share


class Session(Position):
    """A game in progress: what to guess, why, and how well it went.

    >>> session = Session("mastermind-4x6")
    >>> session.add_guess("RYGB", "1,1")
    >>> session.add_guess("RGOP", "0,2")
    >>> session.hint().guess, session.remaining
    ('PYYG', 57)
    >>> session.rate("YYYY").skill
    44
    >>> session.undo().guess
    'RGOP'

    Every entry is noted, also one that contradicts the others. Then `hint` raises
    InconsistentFeedbackError, which names the rows to re-check; correct them by `edit` or
    `set_aside`. A session is not shared between threads: give each thread a `copy` of its own.

    Args:
        source: a book, its path, or the name of a shipped book; or a game, or its name, such as
            "bagels": then every guess is computed.
        history: the guesses and feedbacks so far, in any notation that `hint` accepts.
        policy: the policy of a game without a book, as `policy_of` takes it, without a first guess.
        shuffle: a symmetry through which the policy plays; see `shuffle.random_shuffle`.
        refused: guesses that the game refuses; see `refuse`.

    Attributes:
        game: the game.
        book: the book, if there is one.
        policy: the policy, as the header of the book has it, or as it was given.

    Raises:
        InvalidBookError, UsageError: as `read_strategy` does.
        InvalidCodeError, InvalidFeedbackError: it is not a history of this game.
    """

    def explain(self, guess: str | None = None, count: int = 10) -> Explanation:
        """Explain the suggested guess, or another one: its partition, and the best alternatives.

        The list may lack the guess, as in a history. Alternatives are from the list.

        Raises:
            InconsistentFeedbackError, InvalidCodeError: no secret fits, or the guess is unknown.
        """
        count = whole_number("alternatives", count)
        code = self.hint().guess if guess is None else text_of(self.game, guess)
        found = explanation(self.checked(), code, self.policy, count, self.refused)
        win = self.hint().win if guess is None else None
        return found._replace(among_guesses=self.among_guesses, breaks=self.broken(code), win=win)

    def rate(self, guess: str) -> Rating:
        """Rate a guess against the best one; the list may lack it, as in a history.

        Raises:
            InconsistentFeedbackError, InvalidCodeError: no secret fits, or the guess is unknown.
        """
        code, analysis = text_of(self.game, guess), self.checked()
        found = rating(analysis, code, self.best(self.history), yardstick(self.policy))
        return found._replace(breaks=self.broken(code))

    def rate_pair(self, first: str, second: str) -> PairRating:
        """Rate two guesses that are made one after the other, whatever the first feedback is."""
        codes = text_of(self.game, first), text_of(self.game, second)
        return pair_rating(self.checked(), *codes)

    def best_pairs(self, count: int = 10) -> list[PairRating]:
        """Return the pairs of guesses with the most expected information together, best first.

        Raises:
            UsageError: the search would take too long.
        """
        return best_pairs(self.checked(), whole_number("pairs", count))

    def review(self, secret: str | None = None) -> Review:
        """Review the game so far, guess by guess, without the rows that are set aside.

        Args:
            secret: the secret, if it is known although the game is not solved.

        Raises:
            InconsistentFeedbackError: no secret fits.
            UsageError: there is no guess, or one after the game was solved; `secret` does not fit.
        """
        return review(self, secret)

    def share(self, ascii_only: bool = False) -> str:
        """Return the game's feedbacks as a grid of pegs or squares, as text.

        Raises:
            UsageError: there is no guess, or one after the game was solved.
        """
        check_order(self.game, self.history, "share")
        return share(self.game, [self.parsed_history], ascii_only)

"""The book: a strategy tree that answers what to guess next, and all else that is asked of it.

What the packages above say about a book (reasons, proofs, other forms of it) is found by name when
it is asked for: they know books, and a hint must not cost what they load.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from guessbook.book.errors import UsageError
from guessbook.book.plugins import loaded
from guessbook.book.strategy import DEFAULT_BOOK, Node, Strategy, read_strategy
from guessbook.lookup.hint import Hint, hint
from guessbook.lookup.walk import find, get

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from guessbook.export.forms import Text
    from guessbook.play.explain import Explanation
    from guessbook.play.proof import Verification
    from guessbook.play.rate import Rating
    from guessbook.play.run import Code, Simulation
    from guessbook.play.session import Session


class Book(Strategy):
    """A book: what to guess after every history of a game; immutable, so threads may share it.

    `guessbook.open` and `guessbook.build` give one.

    >>> book = open_book("mastermind-4x6")
    >>> book.hint([("RYGB", "1,1"), ("RGOP", "0,2")]).guess
    'PYYG'

    A history is a list of (guess, feedback) pairs or of texts `GUESS=FEEDBACK`, or a text of these;
    its order does not matter. What is asked about one raises InconsistentFeedbackError if no secret
    fits it, and InvalidCodeError or InvalidFeedbackError if it is not one of this game.

    Attributes:
        game: the game that the book plays.
        stats: how many secrets it solves, with how many guesses.
        tree: the columns of the strategy tree.
    """

    __slots__ = ()

    def hint(self, history: object = ()) -> Hint:
        """Say what to guess next, from the book, by symmetry, or computed live.

        >>> print(open_book("mastermind-4x6").hint("RYGB=1,1 RGOP=0,2"))
        57 candidates. Guess PYYG: 3.4511 bits, 1.75% to be the secret.
        """
        return hint(self, history)

    def find(self, history: object) -> Node:
        """Return the node that a history leads to; its twin `get` returns None if there is none.

        Raises:
            NotInBookError: the tree does not cover the history.
        """
        return find(self, history)

    def get(self, history: object) -> Node | None:
        """Return the node that a history leads to, or None; its twin `find` raises an error."""
        return get(self, history)

    def candidates(self, history: object = ()) -> list[str]:
        """List what may still be the secret, in the order of the game.

        >>> open_book("mastermind-4x6").candidates("RYGB=1,1 RGOP=0,2 PYYG=2,1")
        ['GYYO', 'GYPG', 'PYRY']
        """
        return list(self._session(history).checked().candidates)

    def explain(
        self, history: object = (), guess: str | None = None, count: int = 10
    ) -> Explanation:
        """Say why a guess is the one to make: its partition, and the best alternatives.

        >>> open_book("mastermind-4x6").explain("RYGB=1,1 RGOP=0,2")
        <Explanation PYYG: 3.4511 bits, 57 candidates in 14 cells>

        Args:
            history: the guesses made and their feedbacks.
            guess: the guess to explain; the hinted one if None.
            count: how many alternatives are listed.
        """
        return self._session(history).explain(guess, count)

    def rate(self, history: object, guess: str) -> Rating:
        """Rate a guess against the best one.

        >>> open_book("mastermind-4x6").rate("RYGB=1,1 RGOP=0,2", "YYYY").skill
        44
        """
        return self._session(history).rate(guess)

    def export(self, form: str, **options: Any) -> Text:
        """Return the book in another form, as a text: a page, a script, data or a picture.

        >>> open_book("mastermind-4x6").export("svg", depth=2)[:4]
        '<svg'

        Args:
            form: its name, such as "html": see the page "Books elsewhere".
            options: those of the form, such as `depth` for pictures.

        Raises:
            UsageError: there is no such form or option, or the form cannot hold the book.
        """
        text: Text = loaded("guessbook.export.forms:export")(self, form, **options)
        return text

    def verify(self, policy: bool = False) -> Verification:
        """Play the book against every secret, and check what it says of itself.

        >>> open_book("mastermind-4x6").verify().passed
        True

        Args:
            policy: also compute every guess again by the book's policy, and prove what the book
                claims of all strategies.

        Raises:
            UsageError: `policy` is asked of a policy that this version does not know.
            BuildError: the claim cannot be searched here.
            EngineError: `policy` is asked where there is no engine, or not the extra `build`.
        """
        found: Verification = loaded("guessbook.play.proof:verified")(self, policy)
        return found

    def simulate(
        self,
        secrets: Iterable[Code] | None = None,
        fraction: float = 1.0,
        random_seed: int | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Simulation:
        """Let the book play secrets, and count its guesses.

        >>> open_book("mastermind-4x6").simulate(["PYRO", "RRRR"])
        <Simulation of 2 games: 4.0000 guesses on average, 4 at most>

        Args:
            secrets: what to play, in any notation of codes; all secrets of the game if None.
            fraction: which part of them to play, drawn at random, above 0 and at most 1.
            random_seed: draws the same part again.
            progress: is called now and then with how many are done.

        Raises:
            UsageError: there are none, one of them is never the secret, or the fraction is none.
            InvalidCodeError: the game does not know one of them.
            WrongTreeError: the book does not find one of them.
        """
        drawn = loaded("guessbook.play.run:sample")(
            self.game.secrets if secrets is None else secrets, fraction, random_seed
        )
        found: Simulation = loaded("guessbook.play.run:simulate")(self, drawn, progress)
        return found

    def _session(self, history: object) -> Session:
        session: Session = loaded("guessbook.play.session:Session")(self, history)
        session.hint()  # says which entries to re-check if none fits
        return session


def open_book(source: Strategy | Path | str | bytes = DEFAULT_BOOK) -> Book:
    """Open the book in a file, in bytes, or shipped with Guessbook under a name.

    A string that names a shipped book means that book; `./mastermind-4x6` would be a file. Without
    a source it is the book of the classic game, 4 pegs and 6 colors. A strategy that the builder
    returned may be given as it is.

    >>> open_book("mastermind-4x6")
    <Book mastermind-4x6 entropy: 1,296 secrets, 1,380 nodes>

    Raises:
        InvalidBookError: the file is not a book, or is damaged.
        UsageError: there is no such file and no shipped book of that name, or `source` is none of
            these.
    """
    try:
        known = source if isinstance(source, Strategy) else read_strategy(source)
    except UsageError as error:
        raise UsageError(f"{error}{loaded('guessbook.book.source:or_a_game')(source)}") from None
    return Book(known.game, known.policy, known.tree)

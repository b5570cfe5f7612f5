"""The public names of `import guessbook as gb`, except those in the module `results`.

A hint must load little, so this module imports only books and policies. Everything else is imported
inside functions or by the module `results`.
"""

from __future__ import annotations

from contextlib import suppress
from os import PathLike
from typing import TYPE_CHECKING, Any

from guessbook.book.errors import (
    BuildError,
    EngineError,
    GuessbookError,
    InconsistentFeedbackError,
    InvalidBookError,
    InvalidCodeError,
    InvalidFeedbackError,
    InvalidGameError,
    InvalidTableError,
    NoStrategyError,
    NotInBookError,
    UsageError,
    WrongTreeError,
    quantity,
)
from guessbook.book.games.game import Game, parse_history, read_history
from guessbook.book.strategy import (
    DEFAULT_BOOK,
    Node,
    Stats,
    Strategy,
    read_strategy,
    shipped_books,
)
from guessbook.lookup.hint import Hint, hint_for, walk
from guessbook.policy.policy import Policy
from guessbook.policy.registry import (
    PolicyLike,
    make_policy,
    policy_header,
    policy_of,
    with_options,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from guessbook.builder.progress import Progress
    from guessbook.export.forms import Text
    from guessbook.play.explain import Explanation
    from guessbook.play.rate import Rating
    from guessbook.play.session import Session
    from guessbook.play.simulate import Code, Simulation
    from guessbook.play.verify import Verification

# `open_book` is missing here: it is called `guessbook.open`, and `import *` must not replace
# `open`.
__all__ = [
    "Book",
    "BuildError",
    "EngineError",
    "Game",
    "GuessbookError",
    "Hint",
    "InconsistentFeedbackError",
    "InvalidBookError",
    "InvalidCodeError",
    "InvalidFeedbackError",
    "InvalidGameError",
    "InvalidTableError",
    "NoStrategyError",
    "Node",
    "NotInBookError",
    "Policy",
    "Stats",
    "Strategy",
    "UsageError",
    "WrongTreeError",
    "build",
    "make_policy",
    "parse_history",
    "read_tree",
    "shipped_books",
]


class Book(Strategy):
    """A book: the next guess after every history of a game.

    Books are immutable, so threads may share a book.

    `guessbook.open` and `guessbook.build` return a book.

    >>> book = open_book("mastermind-4x6")
    >>> book.hint([("RYGB", "1,1"), ("RGOP", "0,2")]).guess
    'PYYG'

    A history is a list of (guess, feedback) pairs, a list of strings `GUESS=FEEDBACK`, or a string
    with such entries. The order of entries does not matter. If no secret fits a history, methods
    raise InconsistentFeedbackError, except `find` and `get`, which only look into the tree. If an
    entry is invalid in this game, methods raise InvalidCodeError or InvalidFeedbackError.

    Attributes:
        game: the game that the book plays.
        stats: statistics of the tree, such as the number of secrets and the average number of
            guesses.
        tree: the strategy tree as arrays, for Guessbook itself; use `root` and `nodes`.
    """

    __slots__ = ()

    def hint(self, history: object = ()) -> Hint:
        """Return the next guess: from the book, by symmetry, or from a computation.

        By symmetry: some permutation of positions and symbols maps the history to one that the book
        covers.

        >>> print(open_book("mastermind-4x6").hint("RYGB=1,1 RGOP=0,2"))
        57 candidates. Guess PYYG: 3.4511 bits, 1.75% to be the secret.
        """
        game, entries = read_history(self.game, history)
        return hint_for(game, None, entries, self)

    def find(self, history: object) -> Node:
        """Return the node after a history.

        Raises:
            NotInBookError: the tree does not cover the history; `get` returns None instead.
        """
        game, pairs = read_history(self.game, history)
        index = walk(self.tree, pairs)
        if index >= 0:
            return Node(self, index)
        if any(feedback == game.solved for _, feedback in pairs):
            solved = game.format_feedback(game.solved)
            raise NotInBookError(
                f"no guess follows the feedback {solved}, which solves the game; "
                "give a history without this entry"
            )
        raise NotInBookError(
            f"the book {game.name} does not cover this history of {quantity(len(set(pairs)))}; "
            "call `hint`, which also gives off-book hints"
        )

    def get(self, history: object) -> Node | None:
        """Return the node after a history, or None if the tree does not cover the history."""
        try:
            return self.find(history)
        except NotInBookError:
            return None

    def candidates(self, history: object = ()) -> list[str]:
        """Return the codes that may still be the secret, in the order of the game.

        >>> open_book("mastermind-4x6").candidates("RYGB=1,1 RGOP=0,2 PYYG=2,1")
        ['GYYO', 'GYPG', 'PYRY']
        """
        return list(self._session(history).require_candidates().candidates)

    def explain(
        self, history: object = (), guess: str | None = None, count: int = 10
    ) -> Explanation:
        """Explain a guess by its partition, and compare the guess with the best alternatives.

        >>> open_book("mastermind-4x6").explain("RYGB=1,1 RGOP=0,2")
        <Explanation PYYG: 3.4511 bits, 57 candidates in 14 cells>

        Args:
            history: the guesses made and their feedbacks.
            guess: the guess to explain; if None, the guess of the hint.
            count: the number of alternatives.
        """
        return self._session(history).explain(guess, count)

    def rate(self, history: object, guess: str) -> Rating:
        """Rate a guess: compare it with the best guess.

        >>> open_book("mastermind-4x6").rate("RYGB=1,1 RGOP=0,2", "YYYY").skill
        44
        """
        return self._session(history).rate(guess)

    def export(self, form: str, **options: Any) -> Text:
        """Return the book in another form as text: a page, a script, data or a picture.

        >>> open_book("mastermind-4x6").export("svg", depth=2)[:4]
        '<svg'

        Args:
            form: the name of the form, such as "html". "Use books outside Guessbook" in the
                documentation lists all names.
            options: the options of the form, such as `depth` for pictures.

        Raises:
            UsageError: there is no such form or option, or the form cannot hold the book.
        """
        # The methods of this class import what they need, so that a hint stays quick.
        from guessbook.export.forms import export

        return export(self, form, **options)

    def verify(self, policy: bool = False) -> Verification:
        """Play the book against every secret, and check its tree and its header.

        >>> open_book("mastermind-4x6").verify().passed
        True

        Args:
            policy: whether to compute every guess again and prove the book's claims, such as "no
                strategy is better".

        Raises:
            UsageError: with `policy`, the book's policy is not installed, or the book is an
                imported tree, which has no policy.
            BuildError: with `policy`, the claims cannot be proven on this machine.
            EngineError: with `policy`, the engine or the extra `build` is missing.
        """
        from guessbook.play.verify import prove, verification_of

        return verification_of(prove(self, policy))

    def simulate(
        self,
        secrets: Iterable[Code] | None = None,
        fraction: float = 1.0,
        random_seed: int | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Simulation:
        """Play the book against each secret, and count the guesses.

        >>> open_book("mastermind-4x6").simulate(["PYRO", "RRRR"])
        <Simulation of 2 games: 4.0000 guesses on average, 4 at most>

        Args:
            secrets: the secrets, in any notation of codes; all secrets of the game if None.
            fraction: the share of the secrets to play, more than 0 and at most 1. These secrets are
                drawn at random.
            random_seed: the seed of the draw; equal seeds draw equal secrets.
            progress: called repeatedly, with the number of games played so far.

        Raises:
            UsageError: there are no secrets, a code is never the secret of this game, or the
                fraction is out of range.
            InvalidCodeError: one of the secrets is not a code of the game.
            WrongTreeError: the book is wrong: its tree does not find some secret.
        """
        from guessbook.play.simulate import sample, simulate

        drawn = sample(self.game.secrets if secrets is None else secrets, fraction, random_seed)
        return simulate(self, drawn, progress)

    def _session(self, history: object) -> Session:
        from guessbook.play.session import Session

        session = Session(self, history)
        # If no secret fits, this raises an error that names the entries to re-check.
        session.hint()
        return session


def open_book(source: Strategy | Path | str | bytes = DEFAULT_BOOK) -> Book:
    """Open a book from a file, from bytes, from a built strategy, or by the name of a shipped book.

    The name of a shipped book means this book, even if a file has this name; write
    `./mastermind-4x6` for the file. The default is the book of the classic game with 4 pegs and 6
    colours.

    >>> open_book("mastermind-4x6")
    <Book mastermind-4x6 entropy: 1,296 secrets, 1,380 nodes>

    Raises:
        InvalidBookError: the file is not a book, or is damaged.
        UsageError: no file or shipped book has this name, or the source has another type.
    """
    if isinstance(source, Strategy):
        return Book(source.game, source.policy, source.tree)
    return read_strategy(source, Book)


def build(
    game: Game | str,
    policy: PolicyLike = "entropy",
    *,
    first_guess: str | None = None,
    jobs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | Path | None = None,
    **options: Any,
) -> Book:
    """Build the book of a game: the policy's guess for every history that can occur.

    The book depends only on the game, the policy, the first guess and `gap`: equal arguments give
    equal bytes.

    >>> build("bagels", "parts").stats.max_guesses
    7
    >>> build("mastermind-3x4", "rollout", width=5).stats.total_guesses
    206

    Args:
        game: the game, or its name, such as "bagels" or "mastermind-6x6".
        policy: its name, a map such as `Book.policy`, the result of `make_policy`, or an instance
            of your own class.
        first_guess: the opening; None if the policy chooses it.
        jobs: the number of threads; all cores if None.
        progress: called with the progress of the build.
        checkpoint: a folder for finished tasks. If the build is interrupted, the same call resumes
            it. The folder remains after the build: delete it when you have saved the book.
        options: options of the policy, such as `width`. An option that is None counts as not given.
            Five more options are for the build: `scheduler`, the address of a Dask scheduler, whose
            workers build the book; `memory`, the number of bytes that the search of `optimal`,
            `win` or the endgame of `rollout` may use; `gap`, the fraction, such as 0.01, by which
            the result of `optimal` or `win` may differ from the optimum (if it ends the search
            early, the header of the book has the proven bound); `task_size`, the largest number of
            candidates of a task; and `checkpoint_delay`, the seconds (by default 10) after which
            the build begins to write the checkpoint.

    Raises:
        InvalidGameError: the game is larger than the builder or this machine can hold.
        InvalidCodeError: the first guess is not a code of the game.
        UsageError: the game, policy or an option is unknown, or they do not fit together.
        EngineError: this installation has no engine, or lacks the extra `build`.
        NoStrategyError: no strategy finds every secret within the limit of guesses.
        BuildError: a cluster fails; a search needs more than `memory`; or the checkpoint is
            damaged, in use, or belongs to another build.
    """
    # These imports would slow down a hint.
    from guessbook.book.games.presets import game_of
    from guessbook.builder.build import build as build_tree
    from guessbook.builder.build import first_guess_index
    from guessbook.builder.limits import Resources, check_build

    given = {name: value for name, value in options.items() if value is not None}
    resources = {name: given.pop(name) for name in Resources._fields[1:] if name in given}
    rule = with_options(policy, given)
    known, policy, how = game_of(game), policy_of(rule), Resources(jobs, **resources)
    # The build repeats these checks, but the checkpoint below already uses the game and options.
    check_build(known, policy, how)
    opening = first_guess_index(known, rule, first_guess)
    if checkpoint is None:
        return open_book(build_tree(known, policy, opening, how, progress).book)
    # Only builds with a checkpoint need `filelock` and `pathlib`.
    from pathlib import Path

    folder = Path(checkpoint) if isinstance(checkpoint, str | PathLike) else Path()
    if not folder.name or not str(folder).isprintable():
        raise UsageError(
            f"{checkpoint!r} names no folder for a checkpoint; give a path with a name"
        )
    from guessbook.builder.checkpoint import Checkpoint
    from guessbook.builder.lock import hold_lock

    with hold_lock(folder):
        header = policy_header(known, policy, opening)
        opened = Checkpoint(folder, known, header, how.checkpoint_delay)
        try:
            return open_book(build_tree(known, policy, opening, how, progress, opened).book)
        finally:
            # An error of the build is more important than an error while saving.
            with suppress(GuessbookError):
                opened.flush()


def read_tree(text: str, symbols: str | None = None, source: str | None = None) -> Book:
    """Make a book from a published strategy tree in the notation of Irving.

    The number of secrets and the length of the first guess determine the game.

    >>> read_tree("4 (12: 1, 0, 0; 2; 1)").stats.total_guesses
    8

    Args:
        text: the tree, which is checked against every secret.
        symbols: the symbols that replace the symbols of the text, in the same order.
        source: the publication of the tree, as one line of text.

    Raises:
        InvalidBookError: the text is not a tree, is incomplete, or is wrong; the message names the
            line.
        UsageError: the symbols do not fit the tree, or the source is not a short line of text.
    """
    from guessbook.book.irving import strategy_of  # An import above would slow down a hint.

    return open_book(strategy_of(text, symbols, source))

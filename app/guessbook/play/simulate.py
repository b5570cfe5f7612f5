"""Games played by a policy or a book: the turns of one game, or the statistics of many games."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import mul
from types import MappingProxyType
from typing import NamedTuple, TypeAlias, TypeVar

from guessbook.book.errors import UsageError, quantity, quote
from guessbook.book.games.weights import total_weight, weights_of
from guessbook.book.strategy import Strategy
from guessbook.lookup.hint import step
from guessbook.play.analysis import surprise
from guessbook.play.opponents import random_generator, random_secrets
from guessbook.play.session import Session

# A code may be a string or a sequence of symbols.
Code: TypeAlias = str | Sequence[str]
Given = TypeVar("Given", bound=Code)
# A progress callback receives the number of games played so far.
Report: TypeAlias = Callable[[int], None] | None


class Turn(NamedTuple):
    """One guess of a game that a policy plays.

    `left` is the number of candidates after the feedback, and `bits` the information of the
    feedback. `source` is "first guess" or a value of `Hint.source`.
    """

    guess: str
    feedback: str
    left: int
    bits: float
    source: str


class Simulation(NamedTuple):
    """The statistics of many games by one policy.

    A secret that was given twice counts as two games.

    Attributes:
        played: the number of games.
        total_guesses: the number of guesses in all games together.
        mean_guesses: the mean number of guesses, weighted by the weights of the secrets.
        max_guesses: the number of guesses in the longest game.
        distribution: the number of games solved by the 1st, 2nd, ... guess; with a book that
            identifies outcomes, of games that take 0, 1, ... tests.
        guesses: a map from each secret to its number of guesses.
    """

    played: int
    total_guesses: int
    mean_guesses: float
    max_guesses: int
    distribution: tuple[int, ...]
    guesses: Mapping[str, int]

    def __repr__(self) -> str:
        means = f"{self.mean_guesses:.4f} guesses on average, {self.max_guesses} at most"
        return f"<Simulation of {quantity(self.played, 'game')}: {means}>"


def secret_of(session: Session, secret: str, any_guess: bool = False) -> str:
    """Return a secret as the game writes it; `any_guess` accepts every guess of a word game.

    Raises UsageError if the code is never the secret of this game.
    """
    game = session.game
    widened = game.widened() if any_guess else None
    return (widened or game).parse_secret(secret)


def turns(session: Session, secret: str, first_guess: str | None = None) -> list[Turn]:
    """Play a new `session` by its hints against `secret`, and return the turns.

    If `first_guess` is given, it replaces the first hint.
    """
    game, code = session.game, secret_of(session, secret)
    played: list[Turn] = []
    before = total_weight(game)
    while not ((played and session.hint().solved) or session.hint().outcome):
        if first_guess is not None and not played:
            guess, source = game.guesses[game.parse_code(first_guess)], "first guess"
        else:
            hint = session.hint()
            guess, source = hint.guess, hint.source
        feedback = game.format_feedback(game.feedback_number(guess, code))
        session.add_guess(guess, feedback)
        after = session.weight or session.remaining
        played.append(Turn(guess, feedback, session.remaining, surprise(after, before), source))
        before = after
    return played


def simulate(book: Strategy, secrets: Iterable[Code], progress: Report = None) -> Simulation:
    """Play the book against each secret, and return the statistics."""
    game = book.game
    codes = [game.parse_secret(secret) for secret in secrets]
    if not codes:
        raise UsageError("no secrets to play; give at least one")
    taken: dict[str, int] = {}
    for number, secret in enumerate(codes):
        if progress and number % 256 == 0:
            progress(number)
        if secret not in taken:
            taken[secret] = guesses_for(book, secret)
    if progress:
        progress(len(codes))
    counts, weights = [taken[secret] for secret in codes], weights_of(game, codes)
    mean, most = sum(map(mul, counts, weights)) / sum(weights), max(counts)
    times = Counter(counts)
    solved = tuple([times[depth] for depth in range(book.stats.first_depth, most + 1)])
    return Simulation(len(counts), sum(counts), mean, most, solved, MappingProxyType(taken))


def simulate_games(
    book: Strategy, games: int, random_seed: int | None = None, progress: Report = None
) -> Simulation:
    """Play the book against `games` secrets drawn by weight, and return the statistics."""
    found = simulate(book, random_secrets(book.game, games, random_seed), progress)
    # All games count equally in the mean: secrets of high weight are already drawn more often.
    return found._replace(mean_guesses=found.total_guesses / games)


def guesses_for(book: Strategy, secret: str) -> int:
    """Return the number of guesses, or of tests, that a book needs for a secret."""
    game, tree = book.game, book.tree
    node, depth = 0, book.stats.first_depth
    while tree.guess[node] < game.listed:
        feedback = game.feedback_number(game.guesses[tree.guess[node]], secret)
        if feedback == game.solved:
            break
        node = step(book, node, feedback)
        depth += 1
    return depth


def sample(secrets: Iterable[Given], fraction: float, random_seed: int | None) -> list[Given]:
    """Return a random sample with this fraction of the secrets, in their order."""
    if not (isinstance(fraction, int | float) and 0 < fraction <= 1):
        raise UsageError(f"fraction {quote(fraction)} is not a number above 0 and at most 1")
    if isinstance(secrets, str | bytes) or not hasattr(secrets, "__iter__"):
        raise UsageError(f"secrets {quote(secrets)} are not a list; pass a list of secrets")
    given = list(secrets)
    if fraction == 1:
        return given
    count = max(1, round(fraction * len(given)))
    return [
        given[k] for k in sorted(random_generator(random_seed).sample(range(len(given)), count))
    ]

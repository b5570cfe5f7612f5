"""The function `compare`, which compares policies or books at one game."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from guessbook.book.errors import UsageError, quote
from guessbook.book.games.codes import Mastermind
from guessbook.book.games.game import Game
from guessbook.book.games.presets import game_of
from guessbook.book.strategy import Strategy, check_game
from guessbook.book.summary import secrets_in_words
from guessbook.builder.build import build as build_tree
from guessbook.builder.build import first_guess_index
from guessbook.builder.limits import Resources, check_limits
from guessbook.builder.progress import Progress
from guessbook.export.comparison_chart import (
    comparison_picture,
    comparison_row,
    comparison_table,
)
from guessbook.front import Book, open_book
from guessbook.policy.registry import PolicyLike, header, in_words, policy_of

# An entry to compare: a policy or a book.
Compared: TypeAlias = PolicyLike | Strategy


class ComparedBook(NamedTuple):
    """A book in a comparison.

    Attributes:
        label: the name of the policy or the book in the table.
        book: the book, opened or built.
        seconds: the duration of the build in seconds; None for a book that was not built here.
    """

    label: str
    book: Book
    seconds: float | None

    @property
    def facts(self) -> dict[str, Any]:
        """The results of the book as a dict, with the keys of the JSON output."""
        return comparison_row(self.label, self.book, self.seconds)


class Comparison(NamedTuple):
    """The results of several policies or books at one game; `str()` is a table.

    Attributes:
        game: the game.
        books: the compared books, in the order of the sources.
    """

    game: Game
    books: tuple[ComparedBook, ...]

    @property
    def title(self) -> str:
        """The name of the game, its number of secrets, and whether results are weighted."""
        weighted = "" if self.game.weights is None else ", means and chances by weight"
        return f"{self.game.name}: {secrets_in_words(self.game)}{weighted}"

    def svg(self) -> str:
        """Return the comparison as an SVG picture."""
        return comparison_picture(self.title, [each.facts for each in self.books])

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        rows = [
            {**each.facts, "first_guess": self.game.display_name(each.book.root.guess)}
            for each in self.books
        ]
        return f"{self.title}\n\n{comparison_table(rows)}"

    def __repr__(self) -> str:
        means = [f"{each.label} {each.book.stats.mean_guesses:.4f}" for each in self.books]
        return f"<Comparison {self.game.name}: {', '.join(means)}>"


def compare(
    sources: Iterable[Compared] | Mapping[str, Compared],
    game: Game | str | None = None,
    jobs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Comparison:
    """Compare policies or books at one game. The book of each policy is built first.

    >>> compare(["entropy", "parts"], "bagels")
    <Comparison bulls-and-cows-3x10: entropy 5.0222, parts 5.0736>

    Args:
        sources: books and policies (names, maps, or results of `make_policy`). In a mapping, the
            keys are the labels.
        game: the game, or its name. Default: the game of the first book, else Mastermind with 4
            pegs and 6 colours.
        jobs: the number of threads of a build; all cores if None.
        progress: called with the progress of each build.

    Raises:
        UsageError: there is nothing to compare, a book is of another game, or a policy cannot play
            the game.
        EngineError: this installation has no engine, or lacks the extra `build`.
    """
    if isinstance(sources, str) or not isinstance(sources, Iterable):
        raise UsageError(
            f"cannot compare {quote(sources)}; give a list of policies and books, such as ['entropy']"
        )
    if isinstance(sources, Mapping):
        named = list(sources.items())
    else:
        named = [(_label_of(source), source) for source in sources]
    if not named:
        raise UsageError("nothing to compare; give at least one policy or book")
    books = [source for _, source in named if isinstance(source, Strategy)]
    played = game_of(game) if game is not None else books[0].game if books else Mastermind(4, 6)
    check_limits(played)
    for label, source in named:
        if isinstance(source, Strategy):
            check_game(source, played, label)
        else:
            policy_of(source).check(played)
            first_guess_index(played, source, None)
    rows = []
    for label, source in named:
        if isinstance(source, Strategy):
            rows.append(ComparedBook(label, open_book(source), None))
            continue
        if progress is not None:
            progress(Progress(label, 0, 0))
        start = time.perf_counter()
        opening = first_guess_index(played, source, None)
        built = build_tree(played, policy_of(source), opening, Resources(jobs), progress).book
        rows.append(ComparedBook(label, open_book(built), time.perf_counter() - start))
    return Comparison(played, tuple(rows))


def _label_of(source: Compared) -> str:
    if isinstance(source, str):
        return source
    if isinstance(source, Strategy):
        return in_words(source.policy)
    policy = policy_of(source)
    return in_words(source if isinstance(source, Mapping) else header(policy))

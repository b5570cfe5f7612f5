"""A book: a strategy tree with its game, its policy and its statistics."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from guessbook.book.disk import open_to_read, write_atomically
from guessbook.book.errors import (
    InvalidBookError,
    InvalidFeedbackError,
    UsageError,
    did_you_mean,
    printable,
    quantity,
    quote,
)
from guessbook.book.file import (
    decode,
    encode,
    found_within,
    shown_cost,
)
from guessbook.book.games.game import Frozen, Game
from guessbook.book.tree import Tree, total_of

if TYPE_CHECKING:
    from pathlib import Path

DEFAULT_BOOK = "mastermind-4x6"
# The folder of the shipped books: `guessbook/data` of a wheel, or `data` of a clone.
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
_PORTION = os.path.dirname(_PACKAGE)  # noqa: PTH120
_IN_CLONE = os.path.basename(_PORTION) == "book"  # noqa: PTH119
SHIPPED = os.path.join(  # noqa: PTH118
    os.path.dirname(_PORTION) if _IN_CLONE else _PACKAGE,  # noqa: PTH120
    "data",
)
MAX_FILE = 1 << 28
CHUNK = 1 << 20


class Nouns(NamedTuple):
    """The nouns for guesses, secrets, feedbacks and candidates in messages and reports."""

    guess: str
    guesses: str
    secret: str
    secrets: str
    feedback: str
    candidates: str


GUESSES = Nouns("guess", "guesses", "secret", "secrets", "feedback", "candidates")
TESTS = Nouns("test", "tests", "thing", "things", "answer", "things")


class Stats(NamedTuple):
    """The policy and the statistics of a book.

    Attributes:
        policy: the name of the policy, such as "entropy".
        options: the options of the policy, such as {"first_guess": "RRYY"}; often empty.
        at_least: a bound in the header: no strategy with the same limits, such as `hard_mode`, has
            a lower `total_cost`. If it is None, a book of `optimal` claims that its own is the
            lowest.
        found_at_most: a bound in the header: no strategy with the same limits has a larger
            `found_within`. If it is None, a book of `win` claims that its own is the largest.
        secrets: the number of secrets that the book solves.
        nodes: the number of nodes of its tree.
        distribution: the number of secrets that the 1st, 2nd, ... guess solves.
        weight_distribution: the weight of the secrets that the 1st, 2nd, ... guess solves. Without
            weights, it is equal to `distribution`.
        first_depth: the number of guesses of the first entry of the two distributions: 1, or 0 if
            the book identifies outcomes (then guesses are tests).
        total_cost: the sum, over all secrets, of the weight times the cost of the guesses, in the
            units of the game. A guess costs 1, unless the game has costs.
        max_cost: the cost for the most expensive secret, in the units of the game.
        found_within: the weight of the secrets that the book finds within `within` guesses, or
            within this cost. It is None if `within` is None.
    """

    policy: str
    options: Mapping[str, Any]
    at_least: int | float | None
    found_at_most: int | None
    secrets: int
    nodes: int
    distribution: tuple[int, ...]
    weight_distribution: tuple[int, ...]
    first_depth: int
    total_cost: int | float
    max_cost: int | float
    found_within: int | None

    def __repr__(self) -> str:
        means = (
            f"{self.mean_guesses:.4f} {self.nouns.guesses} on average, {self.max_guesses} at most"
        )
        return f"<Stats of {self.policy}: {self._size}, {means}>"

    @property
    def _size(self) -> str:
        return f"{quantity(self.secrets, self.nouns.secret)}, {quantity(self.nodes, 'node')}"

    @property
    def nouns(self) -> Nouns:
        """The nouns for reports; `nouns.guess` is "test" if the book identifies outcomes."""
        return GUESSES if self.first_depth else TESTS

    @property
    def within(self) -> int | None:
        """The limit of guesses, or of cost, of the policy `win` or of the claim `found_at_most`.

        None if the book has neither.
        """
        known = self.policy == "win" or self.found_at_most is not None
        return self.options.get("within") if known else None

    @property
    def total_guesses(self) -> int:
        """The total number of guesses if the book plays each secret once.

        The correct guesses are included.
        """
        return total_of(self.distribution, self.first_depth)

    @property
    def weight(self) -> int:
        """The sum of the weights of all secrets; the number of secrets if they have no weights."""
        return sum(self.weight_distribution)

    @property
    def is_weighted(self) -> bool:
        """Whether secrets have weights."""
        # Weights are positive integers and not all equal, so some weights exceed 1.
        return self.weight > self.secrets

    @property
    def weighted_guesses(self) -> int:
        """The sum, over all secrets, of the number of guesses times the weight of the secret."""
        return total_of(self.weight_distribution, self.first_depth)

    @property
    def mean_guesses(self) -> float:
        """The mean number of guesses per secret; secrets count by their weights."""
        return self.weighted_guesses / self.weight

    @property
    def mean_cost(self) -> float:
        """The mean cost per secret, in the units of the game; secrets count by their weights."""
        return self.total_cost / self.weight

    @property
    def max_guesses(self) -> int:
        """The number of guesses in the worst case, for the hardest secret."""
        return len(self.distribution) - 1 + self.first_depth


class PolicyDict(dict[str, Any]):
    """A policy as in the header of a book, with the policy object as the attribute `policy`."""

    __slots__ = ("policy",)

    def __init__(self, known: dict[str, Any], policy: object) -> None:
        super().__init__(known)
        self.policy = policy

    def copy(self) -> PolicyDict:
        """Return a copy, which refers to the same policy object."""
        return PolicyDict(dict(self), self.policy)


class Strategy(Frozen):
    """A strategy tree with its game and its statistics; immutable, so threads may share it.

    `guessbook.open` returns a `Book`, which also computes hints.

    >>> import guessbook as gb
    >>> with gb.open("mastermind-4x6") as book:
    ...     book.root.guess, book.stats.total_guesses
    ('RYGB', 5722)

    Attributes:
        game: the game that the book plays.
        stats: the policy and the statistics of the book.
        tree: the strategy tree as arrays, for Guessbook itself; use `root` and `nodes`.
    """

    __slots__ = ("_policy", "game", "stats", "tree")

    def __init__(self, game: Game, policy: dict[str, Any], tree: Tree) -> None:
        options = dict(policy)
        proven = options.pop("proven", None)
        known = options["name"] == "win" or "found_at_most" in options
        within = options.get("within") if known else None
        self._policy = policy.copy()
        self.game = game
        self.tree = tree
        self.stats = Stats(
            options.pop("name"),
            MappingProxyType(options),
            None if proven is None else shown_cost(game, proven),
            options.pop("found_at_most", None),
            len(game.secrets),
            len(tree),
            tree.distribution,
            tree.weight_distribution,
            tree.first_depth,
            shown_cost(game, tree.total_cost()),
            shown_cost(game, tree.max_cost()),
            None if within is None else found_within(game, tree, within),
        )

    def __reduce__(self) -> tuple[type[Strategy], tuple[Game, dict[str, Any], Tree]]:
        return type(self), (self.game, self.policy, self.tree)

    @property
    def policy(self) -> dict[str, Any]:
        """A copy of the policy in the header: its name, its options, and claims such as `proven`.

        Functions with a parameter `policy` accept the copy. If a policy object of your own class
        has just built the book, the copy also refers to this object. A file of the book does not
        contain the object.
        """
        return self._policy.copy()

    @property
    def root(self) -> Node:
        """The root of the tree: the node of the first guess."""
        return Node(self, 0)

    @property
    def nodes(self) -> Iterator[Node]:
        """An iterator over all nodes of the tree, breadth first."""
        return (Node(self, index) for index in range(len(self.tree)))

    def to_bytes(self) -> bytes:
        """Return the bytes of the book's file. Equal books give equal bytes."""
        return encode(self.game, self.policy, self.tree)

    def save(self, path: Path | str, overwrite: bool = True) -> int:
        """Write the book to a file atomically, and return the size of the file in bytes.

        Raises:
            GuessbookError: the file cannot be written, or it exists and `overwrite` is False. An
                existing file is then unchanged.
            UsageError: `path` is not a path.
        """
        if not isinstance(path, str | os.PathLike):
            raise UsageError(f"{quote(path)} is not the path of a file to write")
        data = self.to_bytes()
        write_atomically(path, data, overwrite)
        return len(data)

    def close(self) -> None:
        """Do nothing: a book is in memory and remains usable."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        """Return a summary of the book as an HTML table, for a notebook."""
        from html import escape

        known, nouns = self.stats, self.stats.nouns
        rows = {
            "game": self.game.name,
            "policy": known.policy,
            f"first {nouns.guess}": self.root.guess,
            nouns.secrets: f"{known.secrets:,}",
            "mean": f"{known.mean_guesses:.4f} {nouns.guesses}",
            "worst": f"{known.max_guesses} {nouns.guesses}",
        }
        cells = [f"<tr><th>{name}</th><td>{escape(text)}</td></tr>" for name, text in rows.items()]
        return f"<table>{''.join(cells)}</table>"

    def __repr__(self) -> str:
        known = self.stats
        return f"<{type(self).__name__} {self.game.name} {known.policy}: {known._size}>"


def check_game(book: Strategy, game: Game, name: str) -> None:
    """Raise UsageError if the book, which the user calls `name`, is a book of another game."""
    if book.game != game:
        same = " with other symbols or words" if book.game.name == game.name else ""
        raise UsageError(
            f"{printable(name)} is a book of {book.game.name}{same}, not of {game.name}; "
            "leave it out"
        )


class Node(Frozen):
    """A node of a book's tree: a history that can occur, with the next guess.

    Attributes:
        book: the book.
        index: the index of the node in the tree, from 0, breadth first.
    """

    __slots__ = ("book", "index")

    def __init__(self, book: Strategy, index: int) -> None:
        self.book = book
        self.index = index

    @property
    def guess(self) -> str:
        """The code to guess at this node."""
        return self.book.game.guesses[self.book.tree.guess[self.index]]

    @property
    def remaining(self) -> int:
        """The number of secrets that fit the history of the node."""
        return self.book.tree.candidates[self.index]

    @property
    def candidate(self) -> bool:
        """Whether the guess may itself be the secret."""
        return self.book.tree.is_candidate(self.index)

    @property
    def chance(self) -> float:
        """The probability (0 to 1) that the guess is the secret; secrets count by their weights."""
        return self.book.tree.chance(self.index)

    @property
    def entropy(self) -> float:
        """The expected information of the feedback to the guess, in bits.

        It is the information about the outcome if the book identifies outcomes.
        """
        return self.book.tree.information(self.index)

    @property
    def outcome(self) -> str | None:
        """The outcome, if the book identifies outcomes and no test follows; else None."""
        tree = self.book.tree
        return None if tree.leaves is None or tree.children[self.index] else self.guess

    def child(self, feedback: object) -> Node | None:
        """Return the child for a feedback to the guess.

        Return None if the feedback cannot occur, or solves the game. `feedback` has any form that
        `parse_feedback` accepts, such as a result of `Game.feedback`.
        """
        index = self.book.tree.child(self.index, self.book.game.parse_feedback(feedback))
        return Node(self.book, index) if index >= 0 else None

    @property
    def children(self) -> Children:
        """A map from each feedback to the child of the node, in the order of the book's file."""
        return Children(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and (self.book, self.index) == (other.book, other.index)

    def __hash__(self) -> int:
        return hash((id(self.book), self.index))

    def __repr__(self) -> str:
        return f"<Node {self.index}: {self.guess}, {quantity(self.remaining, 'candidate')}>"


class Children(Mapping[Any, Node]):
    """Map from each feedback, as `Game.feedback` returns it, to a child.

    Lookups accept a feedback in any notation: (1, 1) or "1,1".
    """

    __slots__ = ("_node",)

    def __init__(self, node: Node) -> None:
        self._node = node

    def __getitem__(self, feedback: object) -> Node:
        with suppress(InvalidFeedbackError):
            if found := self._node.child(feedback):
                return found
        raise KeyError(feedback)

    def __iter__(self) -> Iterator[Any]:
        book = self._node.book
        return (book.game.plain_feedback(book.tree.feedback[index]) for index in self._indices())

    def __len__(self) -> int:
        return len(self._indices())

    def __repr__(self) -> str:
        return repr(dict(self))

    def _indices(self) -> range:
        first, index = self._node.book.tree.first, self._node.index
        return range(first[index], first[index + 1])


Kind = TypeVar("Kind", bound=Strategy)


def read_strategy(
    source: Path | str | bytes = DEFAULT_BOOK,
    kind: type[Kind] = Strategy,  # type: ignore[assignment]
) -> Kind:
    """Read a book from a file, from bytes, or by the name of a book that is shipped with Guessbook.

    `kind` is the class of the result, `Strategy` or a class derived from it. The name of a shipped
    book takes precedence over a file; `./mastermind-4x6` always means a file.

    Raises:
        InvalidBookError: the file is not a book, or is damaged.
        UsageError: neither a file nor a shipped book has this name, the file cannot be read, or
            `source` is of another type.
    """
    header, game, tree = decode(source if isinstance(source, bytes) else _read(source))
    return kind(game, header["policy"], tree)


def book_path(source: Path | str) -> str:
    """Return the path of a book's file, given by this path or by the name of a shipped book."""
    path = os.fspath(source) if isinstance(source, str | os.PathLike) else None
    if not isinstance(path, str):
        raise UsageError(
            f"{quote(source)} is not a book; give its path, its bytes or the name of a shipped book"
        )
    return _shipped_paths().get(path, path) if isinstance(source, str) else path


def shipped_books() -> list[str]:
    """Return the names of the books that are shipped with Guessbook, in alphabetical order."""
    return sorted(_shipped_paths())


def _shipped_paths() -> dict[str, str]:
    """Return a map from the names of the shipped books to the paths of their files."""
    # importlib.resources would take a third of the time of a hint, so the folder is listed.
    if not os.path.isdir(SHIPPED):  # noqa: PTH112
        return {}
    books = [file for file in os.listdir(SHIPPED) if file.endswith(".book")]  # noqa: PTH208
    return {
        file.removesuffix(".book"): os.path.join(SHIPPED, file)  # noqa: PTH118
        for file in books
    }


def _no_book(name: str) -> UsageError:
    """Return the error for a name that is neither a shipped book nor a file."""
    from guessbook.book.games.presets import PRESETS, is_game  # late import: hints do not need it

    if is_game(name):
        return UsageError(f"no book of {name} is shipped; gb.build({name!r}) makes it")
    near = did_you_mean(name, [*shipped_books(), *PRESETS])
    return UsageError(
        f"no book or file is called {quote(name)}; give a path, a shipped book "
        f"({', '.join(shipped_books())}), or the result of gb.build for a game{near}"
    )


def _read(source: Path | str) -> bytes:
    path = book_path(source)
    if isinstance(source, str) and not (os.path.exists(path) or set(path) & set("/\\.")):  # noqa: PTH110
        raise _no_book(source)
    with open_to_read(
        path, f"give a file, or a shipped book: {', '.join(shipped_books())}"
    ) as file:
        size = os.fstat(file.fileno()).st_size
        # A pipe or a device reports no size and may be endless, so it is read in chunks up to the
        # limit.
        chunks = islice(iter(partial(file.read, CHUNK), b""), MAX_FILE // CHUNK + 1)
        blob = b"" if size > MAX_FILE else file.read(size) if size else b"".join(chunks)
    if max(size, len(blob)) > MAX_FILE:
        raise InvalidBookError(f"not a book: the file is larger than {MAX_FILE >> 20} MiB")
    return blob

"""Books and histories of small games in plain Python, for tests."""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import strategies as st

from guessbook.book import Mastermind, Strategy
from guessbook.book.games.weights import weights_by_guess
from guessbook.book.tree import Columns, Tree
from guessbook.lookup import Book, open_book
from guessbook.policy.notation import first_guess_of, policy_of
from guessbook.policy.one_step import POLICIES
from guessbook.policy.registry import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from guessbook.book import Game
    from guessbook.book.games.game import History

    # The index of the guess for a history with these candidates.
    Chooser = Callable[[History, list[str]], int]


@contextmanager
def without_engine() -> Iterator[None]:
    """Hide the library of the engine from this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GUESSBOOK_PURE", "1")
        yield


def plain_book(game: Game, policy: str | dict[str, Any] = "entropy") -> Book:
    """The book of a game, by its policy's definition at every node; for some hundred codes."""
    rule, first = policy_of(policy), first_guess_of(policy)
    remembering = cast("Game", Remembering(game))

    def choose(history: History, candidates: list[str]) -> int:
        if isinstance(first, str) and not history:
            return game.parse_code(first)
        return rule.choose(remembering, history, candidates)

    return grow(remembering, game, rule.name, choose)


def grow(game: Game, named: Game, policy_name: str, choose: Chooser) -> Book:
    """The book of `named` (which `game` stands for) with the guesses that `choose` makes."""
    guesses: list[int] = []
    feedbacks: list[int] = []
    children: list[int] = []
    sizes: list[int] = []
    level: list[tuple[int, History, list[str]]] = [(0, [], list(game.secrets))]
    while level:
        below: list[tuple[int, History, list[str]]] = []
        for feedback, history, candidates in level:
            guess = choose(history, candidates)
            cells = defaultdict(list)
            code = game.guesses[guess]
            for secret in candidates:
                cells[game.feedback_number(code, secret)].append(secret)
            cells.pop(game.solved, None)
            guesses.append(guess)
            feedbacks.append(feedback)
            children.append(len(cells))
            sizes.append(len(candidates))
            below += [(f, [*history, (guess, f)], cells[f]) for f in sorted(cells)]
        level = below
    columns = Columns(guesses, feedbacks, children, sizes)
    tree = Tree(columns, len(game.guesses), game.feedbacks, weights_by_guess(game))
    return open_book(Strategy(named, {"name": policy_name}, tree))


class Remembering:
    """A game that remembers its feedbacks: the reference asks for each of them many times."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kind = "remembering"
        self.feedback_number = cache(game.feedback_number)

    def __getattr__(self, name: str) -> object:
        return getattr(self.game, name)


def entries(game: Game, history: History) -> list[tuple[str, str]]:
    """A parsed history as people write it."""
    return [(game.guesses[guess], game.format_feedback(feedback)) for guess, feedback in history]


def paths(book: Book) -> list[History]:
    """The history of every node of a book, in the order of the nodes."""
    found: list[History] = [[]]
    for node in book.nodes:
        guess, answers = book.tree.guess[node.index], map(book.game.parse_feedback, node.children)
        found += [[*found[node.index], (guess, feedback)] for feedback in answers]
    return found


GAMES = [
    Mastermind(1, 3),
    Mastermind(2, 4),
    Mastermind(3, 3),
    Mastermind(3, 5),
    Mastermind(4, 3),
    Mastermind(2, 5, repeats=False),
    Mastermind(3, 3, repeats=False),
    Mastermind(3, 5, repeats=False),
    Mastermind(4, 5, repeats=False),
]
games = st.sampled_from(GAMES)
policies = st.sampled_from(sorted(POLICIES))


@st.composite
def histories(draw: st.DrawFn, game: Game, max_size: int = 4) -> History:
    """Different guesses in any order with the feedback that some secret gives to all of them."""
    indices = st.integers(0, len(game.guesses) - 1)
    secret = game.secrets[draw(st.integers(0, len(game.secrets) - 1))]
    drawn = draw(st.lists(indices, max_size=max_size, unique=True))
    return [(guess, game.feedback_number(game.guesses[guess], secret)) for guess in drawn]


@st.composite
def false_histories(draw: st.DrawFn, game: Game) -> History:
    """Guesses with feedbacks that the game gives, but rarely to one secret."""
    indices = st.integers(0, len(game.guesses) - 1)
    pairs = draw(st.lists(st.tuples(indices, indices), min_size=2, max_size=4))
    history = [(a, game.feedback_number(game.guesses[a], game.secrets[b])) for a, b in pairs]
    return list(dict.fromkeys(history))


bases = st.sampled_from(sorted(POLICIES))
flags = st.fixed_dictionaries({}, optional={"consistent_only": st.booleans()})


@st.composite
def descriptions(draw: st.DrawFn) -> dict[str, Any]:
    """Any policy with any options, and small widths: those that its plain definition can do."""
    name = draw(st.sampled_from(list(KINDS)))
    found: dict[str, Any] = {"name": name}
    if name == "consistent":
        found["random_seed"] = draw(st.integers(0, 1 << 40))
    if name in ("lookahead", "rollout"):
        found |= {"base": draw(bases), "width": draw(st.integers(1, 4))}
    if name == "optimal":
        found |= {"base": draw(bases), "width": draw(st.integers(1, 2))}
        found |= draw(st.fixed_dictionaries({}, optional={"max_guesses": st.integers(8, 9)}))
    if name == "win":
        found |= {"base": draw(bases), "within": draw(st.integers(1, 4))}
        found |= draw(st.fixed_dictionaries({}, optional={"width": st.integers(1, 2)}))
    if name == "lookahead":
        found["depth"] = draw(st.integers(1, 2))
    if name not in ("consistent", "positional"):
        found |= draw(flags)
    return found

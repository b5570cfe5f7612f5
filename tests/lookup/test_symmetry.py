"""Histories that a permutation of positions and symbols carries onto a path of the book."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import Mastermind, Strategy
from guessbook.book.games.enumeration import code_digits, code_index
from guessbook.book.games.game import History
from guessbook.book.games.symmetry import Permutation, SearchBudget, find_permutation
from guessbook.book.tree import Columns, Tree
from guessbook.builder import build_strategy
from guessbook.lookup import Book, open_book, symmetry
from guessbook.lookup.symmetry import carry
from guessbook.policy.reference import consistent, partition
from guessbook.policy.search.symmetry import held_symbols, maps_onto
from tests.helpers.plain import entries, paths, plain_book


def built(game: Mastermind, policy: str = "entropy") -> Book:
    """The book of a game, built at once."""
    return open_book(build_strategy(game, policy))


BOOKS = [
    built(Mastermind(3, 5)),
    built(Mastermind(3, 4), "minimax"),
    built(Mastermind(3, 6, repeats=False)),
    built(Mastermind(4, 5, repeats=False), "parts"),
]
PATHS = [paths(book) for book in BOOKS]


def permutations(game: Mastermind) -> st.SearchStrategy[Permutation]:
    """Any exchange of positions and of symbols."""
    return st.builds(
        Permutation, st.permutations(range(game.pegs)), st.permutations(range(game.colors))
    )


def permuted(game: Mastermind, history: History, permutation: Permutation) -> History:
    """A history with its codes permuted and its feedbacks as they are."""

    def code(guess: int) -> int:
        digits = code_digits(guess, game.pegs, game.colors, game.repeats)
        return code_index(permutation.apply(digits), game.colors, game.repeats)

    return [(code(guess), feedback) for guess, feedback in history]


def game_of(book: Book) -> Mastermind:
    """The game of a book, known to be a code game."""
    assert isinstance(book.game, Mastermind)
    return book.game


def drawn(data: st.DataObject) -> tuple[Book, int, History]:
    """A book, a node of it, and the node's history seen through a symmetry."""
    number = data.draw(st.integers(0, len(BOOKS) - 1))
    book, game = BOOKS[number], game_of(BOOKS[number])
    index = data.draw(st.integers(0, len(book.tree) - 1))
    history = permuted(game, PATHS[number][index], data.draw(permutations(game)))
    return book, index, history


@given(st.data())
def test_symmetry_law(data: st.DataObject) -> None:
    """A permuted path has the same remaining count, entropy and candidacy, from the book."""
    book, index, history = drawn(data)
    hint = book.hint(data.draw(st.permutations(entries(book.game, history))))
    node = next(node for node in book.nodes if node.index == index)
    assert hint.source in ("book", "symmetry")
    assert hint.remaining == node.remaining
    assert hint.entropy == pytest.approx(node.entropy)
    assert hint.candidate == node.candidate


@given(st.data())
def test_carried_guess_splits_alike(data: st.DataObject) -> None:
    """The carried guess splits the real candidates into cells of just the sizes in the tree."""
    book, _, history = drawn(data)
    maps_onto = carry(book, history)
    assert maps_onto is not None
    node, guess = maps_onto
    candidates = consistent(book.game, history)
    assert book.tree.candidates[node] == len(candidates)
    cells = partition(book.game, guess, candidates)
    assert sorted(cells.values()) == sorted(book.tree.cells(node))
    assert book.tree.is_candidate(node) == (guess in candidates)


@given(st.data())
def test_order_does_not_matter(data: st.DataObject) -> None:
    """The carried guess depends on the history as a set."""
    book, game = BOOKS[0], game_of(BOOKS[0])
    index = data.draw(st.integers(0, len(book.tree) - 1))
    history = permuted(game, PATHS[0][index], data.draw(permutations(game)))
    assert carry(book, data.draw(st.permutations(history))) == carry(book, history)


@given(st.data())
def test_find_permutation(data: st.DataObject) -> None:
    """Permuted columns are recognised, and the permutation found carries one onto the other."""
    game = Mastermind(4, 5)
    indices = st.integers(0, len(game.guesses) - 1)
    guesses = data.draw(st.lists(indices, min_size=1, max_size=4))
    theirs = [code_digits(guess, 4, 5, True) for guess in guesses]
    ours = list(map(data.draw(permutations(game)).apply, theirs))
    found = find_permutation(
        list(zip(*theirs, strict=True)), list(zip(*ours, strict=True)), game.colors, SearchBudget()
    )
    assert found is not None
    assert [found.apply(digits) for digits in theirs] == ours
    assert sorted(found.positions) == list(range(4))
    assert sorted(found.symbols) == list(range(5))


def test_free_symbols_in_order() -> None:
    """Symbols that occur in no guess are mapped in order, the lowest to the lowest."""
    found = find_permutation([(2,), (2,)], [(0,), (0,)], 5, SearchBudget())
    assert found == Permutation([0, 1], [1, 2, 0, 3, 4])


def test_no_permutation() -> None:
    """Guesses that share another number of pegs are not carried onto each other."""
    assert find_permutation([(0, 0), (1, 1)], [(0, 1), (1, 0)], 3, SearchBudget()) is None


def hopeless(game: Mastermind, guesses: int) -> History:
    """Guesses of two symbols that no other has, and one that has a symbol of each of two others."""
    found = [(2 * k) * game.colors + 2 * k + 1 for k in range(1, guesses)]
    return [(guess, 0) for guess in [*found, 2 * game.colors + 4]]


def single(game: Mastermind) -> History:
    """Every guess, answered that nothing of it is right."""
    return [(guess, 0) for guess in range(len(game.guesses))]


def unsolved(game: Mastermind) -> History:
    """A hundred guesses with the same answer."""
    return [(guess, game.parse_feedback("0,1")) for guess in range(0, 5000, 50)]


@pytest.fixture
def efforts(monkeypatch: pytest.MonkeyPatch) -> list[SearchBudget]:
    """What each search for a path has left."""
    made: list[SearchBudget] = []

    class Watched(SearchBudget):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

        def spend(self, steps: int) -> None:
            assert steps <= 1000  # a step is small, so the last one does not go far beyond
            super().spend(steps)

    monkeypatch.setattr(symmetry, "SearchBudget", Watched)
    return made


@pytest.mark.parametrize(
    ("book", "history"),
    [
        (lambda: plain_book(Mastermind(1, 10)), single),
        (lambda: plain_book(Mastermind(1, 36)), single),
        (lambda: built(Mastermind(2, 36)), lambda game: hopeless(game, 9)),
        (lambda: built(Mastermind(2, 36)), lambda game: hopeless(game, 14)),
        (lambda: open_book("bulls-and-cows-4x10"), unsolved),
    ],
    ids=["1x10", "1x36", "2x36", "2x36, 14 guesses", "4x10, 100 guesses"],
)
def test_the_search_is_bounded(
    book: Callable[[], Book], history: Callable[[Mastermind], History], efforts: list[SearchBudget]
) -> None:
    """Whatever the history, the search looks at so many symbols and no more, and finds nothing."""
    opened = book()
    assert carry(opened, history(game_of(opened))) is None
    assert len(efforts) <= 1
    assert all(effort.left >= -100 for effort in efforts)


def chained(game: Mastermind, guesses: int = 60) -> Book:
    """A book of one path through so many guesses, the answer always that nothing is right."""
    codes = Random(1).sample(range(len(game.guesses)), guesses)
    children = [1] * (guesses - 1) + [0]
    columns = Columns(codes, [0] * guesses, children, range(guesses, 0, -1))
    tree = Tree(columns, len(game.guesses), game.feedbacks)
    return open_book(Strategy(game, {"name": "entropy"}, tree))


def nearly(game: Mastermind, guesses: int) -> History:
    """The first guesses of `chained` in other symbols and positions, but for two of one guess."""
    chance = Random(2)
    positions, symbols = (chance.sample(range(n), n) for n in (game.pegs, game.colors))
    path = [(guess, 0) for guess in chained(game).tree.guess[:guesses]]
    history = permuted(game, path, Permutation(positions, symbols))
    digits = game.digits(history[-1][0])
    digits[0], digits[-1] = digits[-1], digits[0]
    return [*history[:-1], (code_index(digits, game.colors, game.repeats), 0)]


@pytest.mark.parametrize("guesses", [2, 8, 50])
@pytest.mark.parametrize(
    "game",
    [Mastermind(15, 2), Mastermind(15, 4), Mastermind(6, 36), Mastermind(10, 11, repeats=False)],
    ids=lambda game: game.name,
)
def test_the_search_is_bounded_in_long_codes(
    game: Mastermind, guesses: int, efforts: list[SearchBudget]
) -> None:
    """A long path that a history nearly fits costs no more, nor one of a thousand guesses."""
    book = chained(game)
    carry(book, nearly(game, guesses))
    carry(book, [(guess, 0) for guess in range(1000)])
    (effort,) = efforts
    assert effort.left >= -guesses * game.pegs


@given(st.data())
def test_a_bound_that_is_not_met_changes_nothing(data: st.DataObject) -> None:
    """With the usual effort and with any, the same node and guess are found."""
    book, _, history = drawn(data)
    usual = carry(book, history)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(symmetry, "SearchBudget", lambda: SearchBudget(10**12))
        assert usual is not None
        assert carry(book, history) == usual


def test_an_equivalence_that_takes_too_long_counts_as_none() -> None:
    """Of two guesses that hardly anything tells apart a bounded search says that they differ."""
    game = Mastermind(8, 8, symbols="RYGBOPWK")
    history = [(game.parse_code("RYGBOPWK"), 0), (game.parse_code("YRBGPOKW"), 0)]
    first, second = game.parse_code("RRGGOOWW"), game.parse_code("YYBBPPKK")
    held = held_symbols(game, ["RYGBOPWK"])
    assert maps_onto(game, history, held, [first], [second], SearchBudget())
    assert not maps_onto(game, history, held, [first], [second], SearchBudget(10))


def test_other_opening_of_the_same_shape() -> None:
    """A player who opens with four other colours is in the book of 4 pegs and 6 colours."""
    hint = open_book("mastermind-4x6").hint(["POGB=1,1"])
    assert (hint.source, hint.remaining) == (
        "symmetry",
        open_book("mastermind-4x6").hint(["RYGB=1,1"]).remaining,
    )


def test_not_carried() -> None:
    """A history that fits no path is not carried: another shape, a false answer, two answers."""
    book = open_book("mastermind-4x6")
    parse = [(book.game.parse_code("RRYY"), book.game.parse_feedback("1,1"))]
    assert carry(book, parse) is None
    guess = book.game.parse_code("POGB")
    assert carry(book, [(guess, 5), (guess, 10)]) is None

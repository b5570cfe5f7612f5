"""The kernels choose exactly the guess that the plain reference chooses."""

from __future__ import annotations

import itertools
import random
from random import Random

import numpy as np
import pytest
from guessbook.builder.compiler.machine import LANES
from guessbook.builder.kernels import trees
from guessbook.builder.kernels.arrays import cost_table
from guessbook.builder.kernels.lanes import EVERY
from guessbook.builder.kernels.node import Node, begin, go_on
from guessbook.builder.kernels.orbits import permutations, stabilizer
from guessbook.builder.kernels.orders import orders_of, set_of_each
from guessbook.builder.kernels.promise import even_splits
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from guessbook.book import Book, Mastermind
from guessbook.book.errors import BuildError
from guessbook.book.games.game import parse_history
from guessbook.book.tree import Columns, Tree
from guessbook.builder.games import codes
from guessbook.builder.games.codes import code_table, counts_of
from guessbook.builder.games.codes import scorer as code_scorer
from guessbook.builder.growth.pieces import Pieces
from guessbook.builder.scorers.batch import root_batch
from guessbook.builder.scorers.subtrees import Subtrees, node_of, row
from guessbook.lookup import open_book
from guessbook.policy.one_step import POLICIES, OneStep, policy_named
from guessbook.policy.reference import best_guess, consistent

ONE_STEP = ("entropy", "expected", "parts", "minimax")
GAMES = [
    Mastermind(1, 5),
    Mastermind(2, 6),
    Mastermind(3, 5),
    Mastermind(4, 4),
    Mastermind(5, 3),
    Mastermind(6, 3),
    Mastermind(7, 2),
    Mastermind(8, 2),
    Mastermind(3, 6, repeats=False),
    Mastermind(4, 6, repeats=False),
    Mastermind(5, 5, repeats=False),
]


def play(game: Mastermind, depth: int, seed: int) -> list[tuple[int, int]]:
    """A random history of a game, with any guesses, consistent or not with each other."""
    chance = random.Random(seed)
    secret = chance.choice(game.secrets)
    guesses = [chance.randrange(len(game.guesses)) for _ in range(depth)]
    return [(guess, game.feedback(game.guesses[guess], secret)) for guess in guesses]


def choose(game: Mastermind, policy: OneStep, history: list[tuple[int, int]]) -> int:
    """The guess of the kernel, which is the same if the search is divided."""
    scorer = code_scorer(game, policy)
    candidates = np.array([game.guesses.index(c) for c in consistent(game, history)], np.uint32)
    paths = np.array([[guess for guess, _ in history]], np.uint32)
    found = int(scorer.choose(candidates, np.array([0, len(candidates)]), paths)[0][0])
    if len(candidates) > 2:
        node = scorer.node(candidates, paths[0])
        assert node is not None
        for budget, pairs in ((EVERY, 1), (1, 1), (10, 100)):
            assert divided(node, budget, pairs) == found
    return found


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_costs_by_numpy_are_those_of_the_policy(policy: OneStep) -> None:
    """For any number of candidates, to the last bit, and with fewer bits as well."""
    for size in (*range(1, 20), 255, 256, 5041, 70_000):
        for bits in (36, 31):
            rule = policy._replace(bits=bits)
            assert cost_table(rule, size).tolist() == rule.costs(size).tolist()


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize(
    "game",
    [Mastermind(5, 6), Mastermind(6, 5), Mastermind(8, 3), Mastermind(5, 8, repeats=False)],
    ids=lambda game: game.name,
)
def test_the_opening_of_a_large_game_is_that_of_the_kernel(
    game: Mastermind, policy: OneStep, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is found with a guess for each way to repeat symbols is found with all guesses."""
    scorer = code_scorer(game, policy)
    root = root_batch(len(game.secrets))
    quick, scored = scorer.choose(root.candidates, root.starts, root.paths)
    monkeypatch.setattr(codes, "LARGE", 1 << 40)
    guess, most = scorer.choose(root.candidates, root.starts, root.paths)
    assert quick == guess
    assert 0 < scored <= most


def divided(node: Node, budget: int, pairs: int) -> int:
    """The guess of a search in parts, the last of which are finished first."""
    found, parts = begin(node, budget, pairs)
    return -max([found, *(go_on(node, found, part) for part in reversed(parts))]).higher


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(
        [
            Mastermind(3, 9),
            Mastermind(4, 10),
            Mastermind(5, 4),
            Mastermind(11, 2),
            Mastermind(5, 8, repeats=False),
        ]
    ),
    st.integers(4, 6000),
    st.integers(0, 1 << 30),
)
def test_totals_counted_by_multisets_are_those_of_the_candidates(
    game: Mastermind, number: int, seed: int
) -> None:
    """Of any candidates as many have each total with a multiset as when each is looked at."""
    scorer = code_scorer(game, POLICIES["parts"])
    chance = np.random.default_rng(seed)
    every = len(game.guesses)
    some = np.sort(chance.choice(every, min(number, every), replace=False)).astype(np.uint32)
    node = scorer.node(some, chance.integers(0, every, 1))
    assert node is not None
    counts = counts_of(scorer.codes, game.colors)
    for part in begin(node, 1, 1).parts:
        *found, _, m = np.frombuffer(part, np.int32).tolist()
        code = np.flatnonzero(scorer.sets == m)[0]
        totals = np.minimum(counts[some], counts[code]).sum(axis=1)
        assert found == np.bincount(totals, minlength=game.pegs + 1).tolist()


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(GAMES),
    st.sampled_from(list(POLICIES.values())),
    st.integers(0, 4),
    st.integers(0, 1 << 30),
)
def test_the_kernel_chooses_what_the_reference_chooses(
    game: Mastermind, policy: OneStep, depth: int, seed: int
) -> None:
    """For any history, with any number of candidates, the guess is the reference's to the tie."""
    history = play(game, depth, seed)
    candidates = consistent(game, history)
    assume(len(candidates) >= 2)
    assert choose(game, policy, history) == best_guess(game, candidates, policy)[0]


@pytest.mark.parametrize("policy", ONE_STEP)
@pytest.mark.parametrize(
    ("game", "history"),
    [
        (Mastermind(6, 3), [("GGGGGY", "4,0")]),
        (Mastermind(4, 4), [("RRYG", "1,1")]),
        (Mastermind(4, 6, repeats=False), [("0123", "1,1")]),
    ],
)
def test_a_credit_counts_with_every_policy(
    game: Mastermind, history: list[tuple[str, str]], policy: str
) -> None:
    """What a candidate gets on top decides as in the reference, however much it is."""
    past = parse_history(game, history)
    candidates = consistent(game, past)
    worst = policy_named(policy).costs(len(candidates))[-1]
    for credit in (1, abs(worst) // 8, abs(worst) // 3, abs(worst)):
        rule = policy_named(policy)._replace(credit=credit)
        assert choose(game, rule, past) == best_guess(game, candidates, rule)[0]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_table_of_codes_is_the_games_list(game: Mastermind) -> None:
    """Row i of the table spells code i."""
    rows = ["".join(game.symbols[digit] for digit in row) for row in code_table(game)]
    assert rows == list(game.guesses)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_kernel_feedback_is_the_games(game: Mastermind) -> None:
    """Random pairs of codes get the feedback number that the game gives them."""
    scorer = code_scorer(game, POLICIES["entropy"])
    secrets = np.arange(len(game.guesses), dtype=np.uint32)
    for guess in random.Random(1).sample(range(len(game.guesses)), 3):
        found = scorer.feedbacks(np.array([guess], np.uint32), secrets, np.array([0, len(secrets)]))
        assert found.tolist() == [game.feedback(game.guesses[guess], s) for s in game.secrets]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_tables_of_orders_are_those_of_the_codes(game: Mastermind) -> None:
    """The orders of each multiset are its codes, ascending; multisets share what they have both."""
    orders = orders_of(game.pegs, game.colors, game.repeats)
    table = code_table(game).tolist()
    sets = orders.sets[set_of_each(game.pegs, game.colors, game.repeats)]
    assert sets.tolist() == list(map(sorted, table))
    blacks = orders.blacks.reshape(-1, game.pegs * orders.width + 1, LANES)
    shared = orders.shared.reshape(len(orders.having), -1, LANES)
    assert not blacks[:, -1].any()
    assert not shared[:, -1].any()
    for m, symbols in enumerate(orders.sets.tolist()):
        first, number = orders.tiles[orders.shapes[m]]
        different = sorted(set(symbols))
        found = []
        for k in range(number):
            lane = blacks[first + k // LANES, :-1, k % LANES].reshape(game.pegs, -1)
            assert lane.sum(axis=1).tolist() == [1] * game.pegs
            found.append([different[j] for j in lane.argmax(axis=1)])
        assert found == [code for code in table if sorted(code) == symbols]
        assert orders.symbols[m] == sum(1 << c for c in different)
        rows = orders.rows[m] // LANES
        for other, kind in enumerate(orders.sets.tolist()):
            tile, place = divmod(other, LANES)
            together: int = shared[tile, rows, place].sum()
            assert together == sum(min(symbols.count(c), kind.count(c)) for c in different)
            for c in range(game.colors):
                assert int(orders.having[tile, c]) >> place & 1 == (c in kind)


@pytest.mark.parametrize("policy", ONE_STEP)
def test_an_even_split_is_the_best_split(policy: str) -> None:
    """No partition of up to 9 candidates beats the bound for its number of cells."""
    rule = policy_named(policy)
    costs = rule.costs(9)
    scorer = code_scorer(Mastermind(2, 3), rule)
    splits = even_splits(scorer.rule._replace(costs=np.array(costs, np.int64)), 9, 9)
    for cells in range(1, 10):
        for sizes in itertools.combinations_with_replacement(range(1, 10), cells):
            if sum(sizes) <= 9:
                assert rule.score(sizes, costs) <= splits[sum(sizes), cells]


@pytest.mark.parametrize(
    ("history", "order"), [([], 24), (["RYGB"], 24), (["RRYY"], 8), (["RRYG"], 4), (["RRRY"], 6)]
)
def test_the_stabilizer_has_the_known_order(history: list[str], order: int) -> None:
    """So many permutations of four positions fix these guesses up to renaming the symbols."""
    game = Mastermind(4, 6)
    table = code_table(game)
    path = np.array([game.parse_code(code) for code in history], np.int64)
    assert len(stabilizer(table, path, permutations(4), 6)) == order


@pytest.mark.parametrize("seed", range(5))
def test_scores_near_the_end_of_an_integer(seed: int) -> None:
    """With scores as low as those of four million candidates the choice is the same."""
    game = Mastermind(4, 4)
    scorer = code_scorer(game, POLICIES["entropy"])
    history = play(game, seed % 2, seed)
    candidates = np.array([game.guesses.index(c) for c in consistent(game, history)], np.uint32)
    # Any partition of n candidates scores at least -n * L(n): scale that to nearly -2**63.
    worst = int(scorer.rule.costs[len(candidates)])
    rule = scorer.rule._replace(costs=scorer.rule.costs * ((1 << 63) // worst - 1))
    paths = np.array([[guess for guess, _ in history]], np.uint32)
    starts = np.array([0, len(candidates)])
    found, _ = scorer._replace(rule=rule).choose(candidates, starts, paths)
    expected, _ = best_guess(game, [game.guesses[c] for c in candidates], POLICIES["entropy"])
    assert found[0] == expected


def solves(tree: Tree, node: int) -> bool:
    """Whether the guess of a node is one of its candidates."""
    below = range(tree.first[node], tree.first[node + 1])
    return sum(tree.candidates[child] for child in below) < tree.candidates[node]


def in_pieces(book: Book, random: Random) -> tuple[Pieces, dict[int, Subtrees]]:
    """Room for a book cut into pieces, and what belongs into each."""
    tree, pieces, found = book.tree, Pieces(book.game, len(book.game.secrets)), {}
    todo = [(0, range(1))]
    while todo:
        piece, nodes = todo.pop()
        levels = [nodes]
        if len(nodes) == 1 and random.random() < 0.7:
            below = range(tree.first[nodes.start], tree.first[nodes.stop])
            cuts = sorted(random.sample(below, random.randint(0, len(below))))
            ends = dict.fromkeys([below.start, *cuts, below.stop])
            runs = [range(*ends) for ends in itertools.pairwise(ends)]
            sizes = [sum(tree.candidates[node] for node in run) for run in runs]
            todo += zip(pieces.below(piece, sizes), runs, strict=True)
        else:
            while levels[-1]:
                levels.append(range(tree.first[levels[-1].start], tree.first[levels[-1].stop]))
        rows = [
            node_of(tree.guess[n], tree.feedback[n], tree.children[n], solves(tree, n),
                    book.game.feedbacks).content
            for level in levels for n in level
        ]  # fmt: skip
        found[piece] = Subtrees([len(level) for level in levels if level], [], b"".join(rows), 0)
    return pieces, found


@given(st.randoms(use_true_random=False))
def test_pieces_are_put_together_in_whatever_order_they_come(random: Random) -> None:
    """A tree cut anywhere, whose pieces come in any order, is the same tree; joined first, too."""
    with open_book("mastermind-4x6") as book:
        pieces, found = in_pieces(book, random)
        for piece in random.sample(list(found), len(found)):
            pieces.fill(piece, found[piece])
        one = Pieces(book.game, len(book.game.secrets))
        sizes, content = pieces.joined()
        one.fill(0, Subtrees(sizes, [], content, 0))
        for grown in (pieces.tree(), one.tree()):
            for column in (*Columns._fields, "first", "distribution"):
                assert list(getattr(grown, column)) == list(getattr(book.tree, column))


@given(st.randoms(use_true_random=False))
def test_a_wrong_piece_is_noticed(random: Random) -> None:
    """A node or a piece that is lacking, other children, or a guess that solves: an error."""
    with open_book("mastermind-4x6") as book:
        pieces, found = in_pieces(book, random)
        wrong = random.choice(list(found))
        sizes, pairs, content, chain = found[wrong]
        lie, width = bytearray(content), len(content) // sum(sizes)
        at = width * random.randrange(sum(sizes))
        kind = random.randrange(4)
        if kind == 0:
            del lie[at : at + width]
        elif kind == 1:
            lie[at + 5] ^= 1 << random.randrange(8)
        else:
            lie[at + 3] ^= 1 << 7
        for piece, right in found.items():
            if piece != wrong:
                pieces.fill(piece, right)
            elif kind < 3:
                pieces.fill(piece, Subtrees(sizes, pairs, bytes(lie), chain))
        with pytest.raises(BuildError, match="a task has failed"):
            pieces.tree()


@given(st.randoms(use_true_random=False))
def test_pieces_that_changed_places_are_noticed(random: Random) -> None:
    """Two pieces of different numbers of candidates, each in the place of the other: an error."""
    with open_book("mastermind-4x6") as book:
        pieces, found = in_pieces(book, random)
        solved = {piece: sum(byte >> 7 for byte in found[piece].content[3::6]) for piece in found}
        one, other = random.choice(list(found)), random.choice(list(found))
        assume(solved[one] != solved[other])
        for piece in found:
            place = {one: other, other: one}.get(piece, piece)
            pieces.fill(place, found[piece])
        with pytest.raises(BuildError, match="a task has failed"):
            pieces.tree()


def test_a_row_is_what_the_kernels_write() -> None:
    """A finished node of a game of codes: its bytes, and where each column is."""
    assert row(256).itemsize == trees.ROW
    fields = row(256).fields
    assert fields is not None
    offsets = [fields[name][1] for name in ("guess", "feedback", "children")]
    assert offsets == [trees.GUESSED, trees.ANSWERED, trees.CHILDREN]

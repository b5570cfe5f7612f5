"""Trees that are not those of their game, in files that are whole: every count adds up."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from guessbook.book import Game, InvalidBookError, game_from_header
from guessbook.lookup import Book, open_book
from tests.helpers.content import Document, document
from tests.lies.mutant_trees import columns_of, with_tree
from tests.lies.seeds import Seed


class Grown:
    """A node with all that is below it, to be changed.

    Attributes:
        guess: the index of its guess.
        size: how many candidates it has.
        children: the nodes below by feedback number.
    """

    def __init__(self, guess: int, size: int) -> None:
        self.guess = guess
        self.size = size
        self.children: dict[int, Grown] = {}

    @property
    def solves(self) -> bool:
        """Whether its guess is one of its candidates."""
        return sum(child.size for child in self.children.values()) < self.size


class Forest(NamedTuple):
    """What a liar has to work with.

    Attributes:
        game: the game.
        feedbacks: the numbers that lead to a child.
        chance: what happens.
    """

    game: Game
    feedbacks: list[int]
    chance: Random

    def grown(self, size: int) -> Grown:
        """Any tree at all for so many candidates."""
        chance = self.chance
        node = Grown(chance.randrange(len(self.game.guesses)), size)
        left = size - (chance.random() < 0.7)
        feedbacks = iter(chance.sample(self.feedbacks, len(self.feedbacks)))
        while left:
            last = len(node.children) + 1 == len(self.feedbacks)
            part = left if last else chance.randint(1, left)
            node.children[next(feedbacks)] = self.grown(part)
            left -= part
        return node


def wrong_tree(seed: Seed, chance: Random) -> Book:
    """A book that is read, of the game of a true one, with some lies in its tree."""
    while True:
        content = seed.document
        game = game_from_header(content["game"])
        feedbacks = [f for f in range(game.feedbacks - 1) if game.gives(f)]
        forest = Forest(game, feedbacks, chance)
        root = tree_of(content)
        for _ in range(chance.choice([1, 1, 2, 5])):
            chance.choice(LIES)(forest, root)
        try:
            return open_book(with_tree(content, grown_columns(root)))
        except InvalidBookError:  # more guesses that tell nothing than a book may hold
            continue


def with_guess(book: Book, node: int, guess: str) -> Book:
    """A book in which one node guesses something else."""
    content = document(book)
    changed = columns_of(content)
    changed["guess"][node] = book.game.parse_code(guess)
    return open_book(with_tree(content, changed))


def tree_of(content: Document) -> Grown:
    """The tree of a book's content."""
    found = columns_of(content)
    sizes = [a + b for a, b in zip(found["surplus"], found["children"], strict=True)]
    nodes = [Grown(*node) for node in zip(found["guess"], sizes, strict=True)]
    rest = iter(zip(found["feedback"][1:], nodes[1:], strict=True))
    for node, children in zip(nodes, found["children"], strict=True):
        node.children = dict(next(rest) for _ in range(children))
    return nodes[0]


def grown_columns(root: Grown) -> dict[str, list[int]]:
    """The columns of a tree, breadth first."""
    found: dict[str, list[int]] = {"guess": [], "feedback": [], "children": [], "surplus": []}
    level = [(0, root)]
    while level:
        for feedback, node in level:
            found["guess"].append(node.guess)
            found["feedback"].append(feedback)
            found["children"].append(len(node.children))
            found["surplus"].append(node.size - len(node.children))
        level = [child for _, node in level for child in sorted(node.children.items())]
    return found


def picked(forest: Forest, root: Grown) -> tuple[Grown, ...]:
    """The path to some node: one of the first, or any."""
    return forest.chance.choice(below(root)[: forest.chance.choice([1, 4, None])])


def below(root: Grown) -> list[tuple[Grown, ...]]:
    """The paths from a node to every one that is below it, itself included."""
    paths: list[tuple[Grown, ...]] = [(root,)]
    for path in paths:
        paths += [(*path, child) for child in path[-1].children.values()]
    return paths


def _guess_another(forest: Forest, root: Grown) -> None:
    path = picked(forest, root)
    path[-1].guess = forest.chance.randrange(len(forest.game.guesses))


def _guess_again(forest: Forest, root: Grown) -> None:
    path = picked(forest, root)
    path[-1].guess = forest.chance.choice(path).guess


def _swap(forest: Forest, root: Grown) -> None:
    """Two nodes of one size, of which none is below the other, change places."""
    first = picked(forest, root)
    others = [p for p in below(root) if p[-1].size == first[-1].size]
    second = forest.chance.choice(others)
    if first[-1] not in second and second[-1] not in first:
        a, b = vars(first[-1]), vars(second[-1])
        kept = dict(a)
        a.update(b)
        b.update(kept)


def _answer_otherwise(forest: Forest, root: Grown) -> None:
    """The children of a node follow other feedbacks."""
    node = picked(forest, root)[-1]
    given = forest.chance.sample(forest.feedbacks, len(node.children))
    node.children = dict(zip(given, node.children.values(), strict=True))


def _replace(forest: Forest, root: Grown) -> None:
    node = picked(forest, root)[-1]
    vars(node).update(vars(forest.grown(node.size)))


def _prune(forest: Forest, root: Grown) -> None:
    """A node solves a candidate that a child had, or the other way round."""
    node = picked(forest, root)[-1]
    single = [f for f, child in node.children.items() if child.size == 1]
    free = [f for f in forest.feedbacks if f not in node.children]
    if single and not node.solves:
        del node.children[forest.chance.choice(single)]
    elif free and node.solves:
        node.children[forest.chance.choice(free)] = forest.grown(1)


LIES = (_guess_another, _guess_again, _swap, _answer_otherwise, _replace, _prune)

"""The search for the guess of a large node, divided; and its split by that guess.

It begins with the most promising guesses, up to so many pairs. What is left then is cut into parts,
each of which begins with the best guess known so far: what a part finds, and the pairs that it
scores, do not depend on when and where it runs. The best of all parts is the guess. A search that
ends at once splits the node as well: that spares a message.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from guessbook.builder.growth.queue import Item, Queue
from guessbook.builder.growth.splits import Neighbours, Nodes, neighbours, splits_of
from guessbook.builder.scorers.batch import Batch, Split
from guessbook.builder.scorers.scorer import Scorer, divisible, scorer_of
from guessbook.builder.scorers.subtrees import are_counts
from guessbook.kernels.codes import Found, Opened

if TYPE_CHECKING:
    from guessbook.builder.growth.frontier import Grain, Job, Place

# Before a search is divided as many pairs are scored as a part has, divided by so many: its parts
# have something to beat then.
EARLY = 4

# A part has as many pairs as so many other items: each lists its multisets anew, which takes as
# long for a small part as for a large one.
COARSE = 8

# To begin a search takes as long as a candidate and so many of the guesses of the game. Of the
# largest that is too much: nobody has to wait for a second one then.
BEGINNING = 0.0015
# To split a node is reckoned as each candidate and so many guesses, a third of the time, as what
# it makes ready has waited long enough.
SPLITTING = 100


class Choice(NamedTuple):
    """The guess of a large node.

    Attributes:
        guess: its index.
        pairs: how many pairs were scored to find it.
        link: how many of them one after the other: at first, and then by the costliest part.
    """

    guess: int
    pairs: int
    link: int


def is_choice(found: object, guesses: int) -> bool:
    """Whether something that was read from a disk may be a choice among so many guesses."""
    return are_counts(found) and len(found) == len(Choice._fields) and found[0] < guesses


# What a search has found at its beginning, how many parts the rest has, and the children if it has
# none.
Probed = tuple[Found, int, list[Neighbours]]


def run_probes(job: Job, items: list[tuple[Batch, tuple[int, ...], Grain]]) -> list[Probed]:
    """Task: begin to search for the guesses of some nodes, and split those whose search ends."""
    splits = splits_of(job)
    probed: list[Probed] = []
    for batch, path, grain in items:
        found, parts = probe(splits.scorer, batch, grain.pairs)
        split = None if parts else splits.below((*path, -found.higher))
        probed.append((found, parts, neighbours(split, grain.limit) if split else []))
    return probed


def probe(scorer: Scorer, batch: Batch, pairs: int) -> Opened:
    """Begin to search for the guess of a node, in parts of so many pairs."""
    parted = divisible(scorer)
    candidates, path = batch.candidates, batch.paths[0]
    if parted and parted.divisible(candidates, path):
        budget = max(COARSE * pairs // (EARLY * len(candidates)), 1)
        return parted.search.begin(candidates, path, budget, COARSE * pairs)
    guesses, scored = scorer.choose(batch.candidates, batch.starts, batch.paths)
    return Opened(Found(0, 0, -int(guesses[0]), int(scored[0])), 0)


def run_parts(job: Job, items: list[tuple[Batch, Found, int, int]]) -> list[Found]:
    """Task: some parts of the searches of some nodes, to the end."""
    scorer: Any = scorer_of(job.game, job.policy, job.memory)
    return [
        scorer.search.go_on(batch.candidates, batch.paths[0], known, part, parts)
        for batch, known, part, parts in items
    ]


def run_splits(_: Job, items: list[tuple[Split, int]]) -> list[list[Neighbours]]:
    """Task: split some nodes, which is done when the splits are given; their children in runs."""
    return [neighbours(split, limit) for split, limit in items]


class Division:
    """A search that is under way.

    Args:
        queue: gets its parts.
        place: the node.
        guesses: how many the game has.
        grain: into how small parts the work is cut.
        then: is told the choice, and the children.
    """

    def __init__(
        self, queue: Queue, place: Place, guesses: int, grain: Grain,
        then: Callable[[Choice, list[Neighbours]], None],
    ) -> None:  # fmt: skip
        self._queue, self._place, self._grain, self._then = queue, place, grain, then
        self._guesses = guesses
        self._first = Found(0, 0, 0, 0)
        self._due = 0
        self._found: list[Found] = []

    def begin(self) -> None:
        """Have it begun."""
        nodes, size, path, *_ = self._place
        weight = 1 + BEGINNING * self._guesses * size / self._grain.pairs
        self._queue.push(Item(run_probes, nodes, (path, self._grain), size, weight, self._begun))

    def split(self, choice: Choice) -> None:
        """Have the node split by its guess."""
        size, grain = self._place.size, self._grain
        split = Nodes((*self._place.path, choice.guess), 0, 0)
        then = partial(self._then, choice)
        cost = SPLITTING * size / grain.pairs
        self._queue.push(Item(run_splits, split, (grain.limit,), size, cost, then))

    def _begun(self, probed: Probed) -> None:
        self._first, parts, below = probed
        self._due = parts
        for part in range(parts):
            nodes, size = self._place.nodes, self._place.size
            more = self._first, part, parts
            self._queue.push(Item(run_parts, nodes, more, size, COARSE, self._finished))
        if not parts:
            self._then(self._choice(), below)

    def _finished(self, found: Found) -> None:
        self._found.append(found)
        if len(self._found) == self._due:
            self.split(self._choice())

    def _choice(self) -> Choice:
        """The guess, when all parts are finished."""
        scored = [found.scored for found in self._found]
        begun, size = self._first.scored, self._place.size
        pairs, link = begun + sum(scored), begun + max(scored, default=0)
        guess = -max([self._first, *self._found]).higher
        return Choice(guess, pairs * size, link * size)

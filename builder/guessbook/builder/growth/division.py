"""The search for the guess of a large node, divided.

It begins with the most promising guesses, up to so many pairs. What is left then is cut into parts,
each of which begins with the best guess known so far: what a part finds, and the pairs that it
scores, do not depend on when and where it runs. The best of all parts is the guess.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from guessbook.builder.growth.queue import Item, Queue
from guessbook.builder.growth.splits import Nodes
from guessbook.builder.kernels.node import Found, Opened, Part, begin, go_on
from guessbook.builder.scorers.batch import Batch
from guessbook.builder.scorers.scorer import Divisible, scorer_of

if TYPE_CHECKING:
    from guessbook.builder.growth.frontier import Job

# Before a search is divided as many pairs are scored as a part has, divided by so many: its parts
# have something to beat then.
EARLY = 4

# To begin a search takes as long as a candidate and so many of the guesses of the game. Of the
# largest that is too much: nobody has to wait for a second one then.
BEGINNING = 0.0015


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


def run_probes(job: Job, items: list[tuple[Batch, int]]) -> list[Opened]:
    """Task: begin to search for the guesses of some nodes, up to so many pairs each."""
    scorer = scorer_of(job.game, job.policy, job.memory)
    divisible = cast(Divisible, scorer) if hasattr(scorer, "node") else None
    opened = []
    for batch, pairs in items:
        node = divisible.node(batch.candidates, batch.paths[0]) if divisible else None
        if node is None:
            guesses, scored = scorer.choose(batch.candidates, batch.starts, batch.paths)
            found = Found(0, 0, -int(guesses[0]), int(scored[0]))
            opened.append(Opened(found, []))
        else:
            budget = max(pairs // (EARLY * len(batch.candidates)), 1)
            opened.append(begin(node, budget, pairs))
    return opened


def run_parts(job: Job, items: list[tuple[Batch, Found, Part]]) -> list[Found]:
    """Task: some parts of the searches of some nodes, to the end."""
    scorer: Any = scorer_of(job.game, job.policy, job.memory)
    found: list[Found] = []
    last, node = None, cast(Any, None)
    for batch, known, part in items:
        # Of parts of the same search the node is looked at once.
        if batch is not last:
            last, node = batch, scorer.node(batch.candidates, batch.paths[0])
        found.append(go_on(node, known, part))
    return found


class Division:
    """A search that is under way.

    Args:
        queue: gets its parts.
        nodes: the node.
        size: how many candidates it has.
        guesses: how many the game has.
        pairs: of a part, more or less.
        then: is told the choice.
    """

    def __init__(
        self, queue: Queue, nodes: Nodes, size: int, guesses: int, pairs: int,
        then: Callable[[Choice], None],
    ) -> None:  # fmt: skip
        self._queue, self._nodes, self._size, self._pairs = queue, nodes, size, pairs
        self._then = then
        self._first = Found(0, 0, 0, 0)
        self._due = 0
        self._found: list[Found] = []
        weight = 1 + BEGINNING * guesses * size / pairs
        queue.push(Item(run_probes, nodes, (pairs,), size, weight, self._begun))

    def _begun(self, opened: Opened) -> None:
        self._first, self._due = opened.found, len(opened.parts)
        for part in opened.parts:
            more = (opened.found, part)
            self._queue.push(Item(run_parts, self._nodes, more, self._size, 1, self._finished))
        self._end()

    def _finished(self, found: Found) -> None:
        self._found.append(found)
        self._end()

    def _end(self) -> None:
        """Tell the choice if all parts are finished."""
        if len(self._found) < self._due:
            return
        scored = [found.scored for found in self._found]
        begun = self._first.scored
        pairs, link = begun + sum(scored), begun + max(scored, default=0)
        guess = -max([self._first, *self._found]).higher
        self._then(Choice(guess, pairs * self._size, link * self._size))

"""The search for the guess of a large node, divided.

It begins with the most promising guesses, up to so many pairs. What is left then is cut into parts,
each of which begins with the best guess known so far: what a part finds, and the pairs that it
scores, do not depend on when and where it runs. The best of all parts is the guess.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from guessbook.builder.growth.queue import Item, Queue
from guessbook.builder.growth.splits import Nodes
from guessbook.builder.kernels.node import Search, begin, go_on
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


class Found(NamedTuple):
    """The best guess of a part of a search: the best of them all is the greatest.

    Attributes:
        score: its score, and
        is_candidate: whether it is one; then the lowest guess wins.
        higher: minus its index.
        scored: how many guesses were scored to find it.
    """

    score: int
    is_candidate: int
    higher: int
    scored: int


# The best guess known: its score, whether it is a candidate, and its index.
Known = tuple[int, int, int]
# The multisets of a part, int32, their limits, int64, and their classes, int32.
Part = tuple[bytes, bytes, bytes]


class Opened(NamedTuple):
    """A search that has begun: what it has found, and its parts, if it has not come to its end.

    The building process only passes on what is known and the parts, so they are bytes.
    """

    found: Found
    known: Known
    parts: list[Part]


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
            opened.append(Opened(found, (0, 0, 0), []))
        else:
            search = begin(node, max(pairs // (EARLY * len(batch.candidates)), 1))
            parts = [
                (
                    part.multisets.astype(np.int32).tobytes(),
                    part.limits.tobytes(),
                    part.classes.tobytes(),
                )
                for part in search.portions(node, pairs)
            ]
            known = search.score, search.is_candidate, search.guess
            opened.append(Opened(found_by(search), known, parts))
    return opened


def run_parts(job: Job, items: list[tuple[Batch, Known, Part]]) -> list[Found]:
    """Task: some parts of the searches of some nodes, to the end."""
    scorer: Any = scorer_of(job.game, job.policy, job.memory)
    found = []
    for batch, (score, is_candidate, guess), (multisets, limits, classes) in items:
        part = Search(
            score, is_candidate, guess, 0, np.frombuffer(multisets, np.int32),
            np.frombuffer(limits, np.int64),
            np.frombuffer(classes, np.int32).reshape(len(limits) // 8, -1),
        )  # fmt: skip
        found.append(found_by(go_on(scorer.node(batch.candidates, batch.paths[0]), part)))
    return found


def found_by(search: Search) -> Found:
    """What a search has found."""
    return Found(int(search.score), int(search.is_candidate), -search.guess, search.scored)


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
            more = (opened.known, part)
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

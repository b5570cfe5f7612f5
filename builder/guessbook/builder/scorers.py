"""Batches of nodes, their division by guesses, and scorers that the engine does not implement."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from guessbook.book.errors import BuildError
from guessbook.book.games.game import Game
from guessbook.book.games.weights import total_weight
from guessbook.builder.arrays import Integers, Integers2D, symbols_of
from guessbook.builder.games import ranker_of, scorer_of
from guessbook.builder.scoring import NodeScorer, Scorer
from guessbook.engine.costs import log_table
from guessbook.engine.partitions import split_nodes
from guessbook.policy.consistent import Consistent, Positional, draw
from guessbook.policy.policy import POLICIES, OneStep, Policy, checked_guess


class Batch(NamedTuple):
    """A batch of nodes of one level whose guesses are not yet chosen."""

    candidates: Integers  # uint32, the indices of the candidates, one node after the other
    # int64[nodes + 1], the start of each node in `candidates`, and the end of the last node
    starts: Integers
    paths: Integers2D  # uint32[nodes, depth], the indices of the guesses that lead to each node
    feedback: Integers  # int64[nodes], the feedback number that leads to each node from its parent

    @property
    def sizes(self) -> Integers:
        """The number of candidates of each node."""
        return np.diff(self.starts)

    def node(self, index: int) -> Batch:
        return self.slice(index, index + 1)

    def slice(self, begin: int, end: int) -> Batch:
        """Return the batch of the nodes from `begin` up to `end` - 1."""
        starts = self.starts[begin : end + 1]
        own = self.candidates[starts[0] : starts[-1]]
        return Batch(own, starts - starts[0], self.paths[begin:end], self.feedback[begin:end])


class Level(NamedTuple):
    """The nodes of one level of a finished tree.

    Each field is a column, explained by `guessbook.book.tree.Columns`.
    """

    guess: Integers
    feedback: Integers
    children: Integers
    candidates: Integers

    @property
    def parents(self) -> Integers:
        """The parent of each child, as an index in this level: int64[children]."""
        return np.repeat(np.arange(len(self.guess)), self.children)


def root_batch(secrets: int) -> Batch:
    """Return the batch with only the root of a tree, whose candidates are all secrets."""
    every = np.arange(secrets, dtype=np.uint32)
    return level_of(every, np.array([0, secrets]), np.zeros((1, 0), np.uint32))


def level_of(candidates: Integers, starts: Integers, paths: Integers2D) -> Batch:
    """Return nodes as a batch, as if the feedback number 0 led to each of them."""
    return Batch(candidates, starts, paths, np.zeros(len(starts) - 1, np.int64))


def step(
    scorer: Scorer, batch: Batch, guess: Integers | int | None = None
) -> tuple[Level, Batch, Integers]:
    """Split the nodes of a batch by the feedbacks to a guess at each node.

    `guess` is one guess for all nodes, or an array with a guess for each node. If it is None, the
    scorer chooses.

    Returns the nodes with their guesses, the children of the nodes, and the number of (guess,
    candidate) pairs scored for each node. Raises BuildError if the scorer chooses an earlier guess
    again, unless this guess is the secret.
    """
    if guess is None:
        guesses, scored = scorer.choose(batch.candidates, batch.starts, batch.paths)
    else:
        guesses = np.full(len(batch.starts) - 1, guess, np.uint32)
        scored = np.zeros(len(guesses), np.int64)
    answers = scorer.feedbacks(guesses, batch.candidates, batch.starts)
    if guess is None:
        made = (batch.paths == guesses[:, None]).any(axis=1)
        # All candidates of a node give the same feedback to an earlier guess, so a repeated guess
        # splits no node. It is an error, unless it is the secret.
        again = guesses[made & (answers[batch.starts[:-1]] != scorer.game.solved)]
        if len(again):
            code = scorer.game.guesses[again[0]]
            raise BuildError(
                f"the policy guesses {code} again, so the tree would never end; let it make a new guess"
            )
    found = split_nodes(
        batch.candidates.astype(np.uint32, copy=False), batch.starts.astype(np.int64, copy=False),
        answers.astype(np.uint32, copy=False), scorer.game.feedbacks,
    )  # fmt: skip
    below, ends, feedback, counts = map(np.asarray, found)
    level = Level(guesses, batch.feedback, counts, batch.sizes)
    parents = level.parents
    paths = np.concatenate([batch.paths, guesses[:, None]], axis=1)[parents]
    some = len(parents)
    children = Batch(below[: ends[some]], ends[: some + 1].copy(), paths, feedback[:some].copy())
    return level, children, scored * level.candidates


def node_sums(batch: Batch, values: Integers) -> Integers:
    """Return the sum of the values of each node's candidates: int64[nodes].

    `values` has an entry for each secret.
    """
    sums = np.concatenate([[0], np.cumsum(values[batch.candidates])])
    total: Integers = np.diff(sums[batch.starts])
    return total


def own_weights(batch: Batch, level: Level, children: Batch, weights: Integers) -> Integers:
    """Return the weight of each node's guess, 0 if it is not a candidate: int64[nodes]."""
    left = np.bincount(level.parents, node_sums(children, weights), len(level.guess))
    own: Integers = node_sums(batch, weights) - left.astype(np.int64)
    return own


# A one-step policy for scorers that only compute feedbacks: creating a scorer takes a policy, but
# feedbacks do not depend on it.
ANY = POLICIES["parts"]


# The guesses for at most MAX_KNOWN sets of at most MAX_KNOWN_SIZE candidates are remembered: they
# take 20 megabytes.
MAX_KNOWN, MAX_KNOWN_SIZE = 1 << 16, 64


class LimitedScorer(NodeScorer):
    """The scorer of a one-step policy that does not allow every guess, as in hard mode."""

    def __init__(self, game: Game, policy: OneStep) -> None:
        super().__init__(scorer_of(game, policy))
        self.ranker = ranker_of(game, policy)
        self._known: dict[bytes, int] = {}

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return the best allowed guess, and the number of candidates as a measure of work."""
        size = len(candidates)
        if self.ranker.hard_mode or size > MAX_KNOWN_SIZE:
            return int(self.ranker.best(candidates, path, 1)[0]), size
        # Without hard mode, the guess depends on the candidates alone. In some games, rollouts meet
        # the same few sets of candidates after thousands of histories.
        key = candidates.tobytes()
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            found = self._known[key] = int(self.ranker.best(candidates, path, 1)[0])
        return found, size


def one_step_scorer(game: Game, policy: OneStep) -> Scorer:
    """Return the scorer of a one-step policy in a game, with the policy's limits on guesses."""
    return LimitedScorer(game, policy) if policy.limited else scorer_of(game, policy)


class DefinitionScorer(NodeScorer):
    """The scorer of any policy: it calls the policy's own `choose` for each node."""

    def __init__(self, game: Game, policy: Policy) -> None:
        super().__init__(scorer_of(game, ANY))
        self.few, self.policy = 0, policy

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return the policy's guess, and about how many guesses the policy scores to choose it."""
        game, size = self.game, len(candidates)
        codes = [game.secrets[index] for index in candidates.tolist()]
        # All candidates have equal feedbacks to the guesses of the path, so the history uses the
        # first candidate. `fromkeys` drops a repeated guess.
        history = [
            (guess, game.feedback_number(game.guesses[guess], codes[0]))
            for guess in dict.fromkeys(path.tolist())
        ]
        chosen = checked_guess(game, self.policy, self.policy.choose(game, history, codes))
        return chosen, self.policy.work(game, size) // size


class ConsistentScorer(NodeScorer):
    """The scorer of the policy `consistent`; `guessbook.policy.consistent` explains the policy."""

    def __init__(self, game: Game, policy: Consistent) -> None:
        super().__init__(scorer_of(game, ANY))
        self.few, self.random_seed = 1, policy.random_seed

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return a random candidate, and 0 as the number of guesses scored."""
        named, weights = candidates.astype("<u4").tobytes(), self.weights[candidates].tolist()
        return int(self.homes[candidates[draw(self.random_seed, named, weights)]]), 0


class PositionalScorer(NodeScorer):
    """The scorer of the policy `positional`; `guessbook.policy.consistent` explains the policy."""

    def __init__(self, game: Game, policy: Positional) -> None:
        super().__init__(scorer_of(game, ANY))
        symbols = symbols_of(game.secrets, game.length)
        known = np.unique(symbols)
        # `ranks` has a number for each symbol of each secret: the index of the symbol in `known`.
        # The loop over positions saves memory: searchsorted returns 64 bits per symbol.
        self.ranks = np.empty(symbols.shape, np.min_scalar_type(len(known) - 1))
        for place in range(game.length):
            self.ranks[:, place] = np.searchsorted(known, symbols[:, place])
        self.logs = log_table(total_weight(game))

    def guess(self, candidates: Integers, path: Integers, first: int) -> tuple[int, int]:
        """Return the candidate whose symbols are rarest in their places, and the number scored."""
        # If m of n candidates have a symbol at a position, this symbol counts -log2(m/n) bits. The
        # candidate with the least sum of log2(m) has the most bits.
        commonness = np.zeros(len(candidates), np.int64)
        for column in self.ranks[candidates].T:
            common = np.bincount(column, self.weights[candidates]).astype(np.int64)
            commonness += self.logs[common[column]]
        return int(self.homes[candidates[np.argmin(commonness)]]), len(candidates)

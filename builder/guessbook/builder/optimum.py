"""The search of `optimal` and `win` for the best opening, divided into tasks that try guesses."""

import os
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, cast

import numpy as np

from guessbook.book.errors import BuildError
from guessbook.book.file import LIMITS
from guessbook.book.games.game import Game
from guessbook.book.games.weights import total_weight
from guessbook.book.tree import Tree, total_of
from guessbook.builder.arrays import Integers
from guessbook.builder.checkpoint import Checkpoint
from guessbook.builder.growth import BuildContext, Grown, Growth, grow_tree
from guessbook.builder.limits import MEMORY, check_limits, check_table, no_strategy
from guessbook.builder.optimal import OptimalScorer
from guessbook.builder.progress import ProgressMeter
from guessbook.builder.rollout import RolloutScorer
from guessbook.builder.scheduler import (
    CHUNKS_PER_THREAD,
    Scheduler,
    Siblings,
    Task,
    Threads,
    WorkerState,
    root_of,
)
from guessbook.builder.scorers import Batch, root_batch, step
from guessbook.builder.subtrees import are_counts
from guessbook.engine.sets import IMPOSSIBLE, MAX_LEFT
from guessbook.policy.optimal import Optimal
from guessbook.policy.policy import Policy
from guessbook.policy.registry import policy_of
from guessbook.policy.rollout import Rollout
from guessbook.policy.win import Win


class Best(NamedTuple):
    """The best guess of a node so far: cost, place in the ranking, and index (-1 for none)."""

    cost: int
    place: int
    guess: int

    def limit(self, place: int) -> int:
        """Return the largest cost at which the guess at `place` would replace the best one."""
        return self.cost - (place > self.place)


@dataclass(frozen=True)
class TryGuesses(Task):
    """A task that computes the costs of some guesses, or lower bounds of costs above `limit`."""

    guesses: Sequence[int]
    limit: int
    left: int  # the number of guesses that the player has left, including the guess to try

    @property
    def work(self) -> int:
        """The number of (guess, candidate) pairs."""
        return self.nodes.size * len(self.guesses)

    def run(self, state: WorkerState) -> list[int]:
        """Return the cost of each guess if it is within the limit, else a lower bound above it.

        The limit falls to the lowest cost found so far.
        """
        scorer, batch = cast(OptimalScorer, state.scorer), state.batch(self.nodes)
        candidates, path, limit, costs = batch.candidates, batch.paths[0], self.limit, list[int]()
        scorer.prepare(candidates, path, self.guesses, limit, self.left)
        for guess in self.guesses:
            costs.append(scorer.try_guess(candidates, path, guess, limit, self.left))
            # A guess that costs more than an earlier guess is not the best, so a bound suffices.
            limit = min(limit, costs[-1])
        return costs

    def accepts(self, state: WorkerState, found: object) -> bool:
        """Return whether a value is a list with a possible cost for each guess."""
        scorer, candidates = cast(OptimalScorer, state.scorer), state.batch(self.nodes).candidates
        if not are_counts(found) or len(found) != len(self.guesses):
            return False
        least = scorer.own_cost(candidates, self.left)
        return all(least <= cost <= IMPOSSIBLE for cost in found)


class GuessSearch:
    """The search for the best guess of one node.

    Args:
        ranked: the guesses to try, in the order of the base policy's ranking: uint32.
        best: the best guess known before the search. If none is known: the guess -1 with the
            largest allowed cost.
        left: the number of guesses that the player has left at the node.
        checkpoint: the checkpoint that stores the cost of each guess; None for a short search,
            which stores no costs.
        report: the function that receives the best guess so far, a proven lower bound, and the
            finished fraction.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        nodes: Siblings,
        ranked: Integers,
        best: Best,
        left: int,
        checkpoint: Checkpoint | None,
        report: Callable[[Best, int, float], None],
    ) -> None:
        self._scheduler, self._nodes, self._best, self._left = scheduler, nodes, best, left
        self._checkpoint, self._report = checkpoint, report
        batch = scheduler.state.batch(nodes)
        scorer = cast(OptimalScorer, scheduler.state.scorer)
        self._least = scorer.together
        self._size, self._ranked = len(batch.candidates), ranked.tolist()
        self._even = scorer.size_bounds(batch.candidates, batch.paths[0], ranked, left).tolist()
        # The guesses not yet tried, as places in the ranking. The last has the least lower bound,
        # and is tried next.
        self._places = sorted(range(len(ranked)), key=lambda p: (self._even[p], p), reverse=True)
        self._waiting: set[tuple[int, ...]] = set()
        self._count = 0

    def run(self) -> Best:
        """Try all guesses. Return the best guess, or the given `best` if no guess is better."""
        self._fill()
        self._scheduler.run()
        return self._best

    def _fill(self) -> None:
        """Add tasks to the scheduler until there are CHUNKS_PER_THREAD tasks for each thread."""
        many = max(self._scheduler.work_of_chunk(TryGuesses) // self._size, self._least)
        while (
            self._places
            and len(self._waiting) < CHUNKS_PER_THREAD * self._scheduler.workers.threads()
        ):
            some: list[int] = []
            while self._places and len(some) < many:
                place = self._places.pop()
                if self._is_open(place):
                    some.append(place)
            if some:
                places, limit = tuple(some), max(map(self._best.limit, some))
                guesses = tuple(self._ranked[place] for place in some)
                task = TryGuesses(self._nodes, guesses, limit, self._left)
                self._waiting.add(places)
                on_done = partial(self._record, places, limit)
                self._scheduler.push(task, on_done)

    def _is_open(self, place: int) -> bool:
        """Return whether no lower bound excludes a guess, and the checkpoint lacks its cost.

        A cost from the checkpoint updates the best guess.
        """
        least, limit = self._even[place], self._best.limit(place)
        if least > limit or not self._checkpoint:
            return bool(least <= limit)
        cost, is_exact = self._checkpoint.load(self._key(place), partial(is_cost, least)) or (0, 0)
        if is_exact:
            self._found(place, cost)
        return not is_exact and cost <= limit

    def _record(self, places: tuple[int, ...], limit: int, costs: Sequence[int]) -> None:
        """Save the costs that a task computed, update the best guess, and report the progress."""
        self._waiting.remove(places)
        self._count += len(places)
        for place, cost in zip(places, costs, strict=True):
            if self._checkpoint:
                self._checkpoint.save(self._key(place), [cost, int(cost <= limit)])
            limit = min(limit, cost)
            self._found(place, cost)
        self._fill()
        waiting = [place for some in self._waiting for place in some]
        # An excluded guess costs at least as much as the best guess. If there is no best guess yet,
        # an excluded guess costs more than the largest allowed cost.
        least = self._best.cost + (self._best.guess < 0)
        bound = min([self._even[place] for place in waiting + self._places[-1:]] + [least])
        # The finished fraction does not count guesses whose bounds exceed the best cost, because
        # they will not be tried.
        hopeless = bisect_left(self._places, -self._best.cost, key=lambda p: -self._even[p])
        left = len(self._places) - hopeless + len(waiting)
        self._report(self._best, bound, self._count / (self._count + left))

    def _found(self, place: int, cost: int) -> None:
        if cost <= self._best.limit(place):
            self._best = Best(cost, place, self._ranked[place])

    def _key(self, place: int) -> tuple[object, ...]:
        return "try", self._nodes, self._ranked[place]


def is_cost(least: int, found: object) -> bool:
    """Return whether a stored result is [cost, 1] or [lower bound, 0], of at least `least`."""
    if not are_counts(found) or len(found) != 2:
        return False
    return least <= found[0] <= IMPOSSIBLE and found[1] <= 1


# If there are more openings than this, tasks try the openings; else tasks try the guesses after
# each opening.
PROMISING = 24
# A cell with at most this number of (guess, candidate) pairs is searched in the current thread,
# without tasks.
SMALL = 1 << 19
# With a gap, a search may end before it finds an opening. Then `rollout` builds the tree, with
# FALLBACK as width and endgame.
FALLBACK = 50, 200
# A search with more than LARGE times as many pairs as SMALL begins with the cost of a tree of
# `rollout`, with ROLLOUT_WIDTH as width. This cost is close to the optimum, so the search excludes
# most guesses sooner. In smaller cells, rollouts take about as long as they save.
LARGE, ROLLOUT_WIDTH = 8, 50


class OptimumSearch:
    """The search for the opening of the cheapest strategy that costs less than `below`.

    Attributes:
        guesses: the best guess found for each large cell. The key is the opening and the feedback
            that lead to it.
        proven: the proven lower bound of the cost of every strategy.
        rolled: the cost of the tree of the policy `fallback()`; IMPOSSIBLE if the gap is 0 or no
            such policy exists.
    """

    def __init__(self, build: BuildContext, below: int = IMPOSSIBLE) -> None:
        self.build, self._below, self._gap = build, below, build.resources.gap
        self.known = self.proven = IMPOSSIBLE
        # The fallback's tree is computed first, so that its tables are freed before the search
        # allocates tables.
        self.rolled = self._rolled_cost() if self._gap else IMPOSSIBLE
        self.state = WorkerState(build.game, build.policy, build.memory)
        self.scorer = cast(OptimalScorer, self.state.scorer)
        self.root = root_batch(len(build.game.secrets))
        self.left = self.scorer.left(self.root.paths[0])
        # The number of guesses left after the opening.
        self._after = max(self.left - 1, 0) if self.left < MAX_LEFT else self.left
        self._own = self.scorer.own_cost(self.root.candidates, self.left)
        self._scheduler = Scheduler(build.workers, self.state)
        self.guesses: dict[tuple[int, ...], int] = {}
        # The work on a cell is the square of its number of candidates: the search time grows about
        # like this square.
        self._meter, self._bound = ProgressMeter(build.report), 0
        size = build.resources.task_size
        self._small = SMALL if size is None else size * len(build.game.guesses)

    def opening(self) -> Best:
        """Return the opening of least cost; of equals, the one that the base policy ranks first."""
        ranked = self.scorer.ranking(self.root.candidates, self.root.paths[0])
        if self.build.first_guess is not None:
            ranked = np.array([self.build.first_guess], np.uint32)
        return self._many(ranked) if len(ranked) > PROMISING else self._few(ranked)

    def _few(self, ranked: Integers) -> Best:
        """Return the best of a few openings; search them one by one, the lowest bound first."""
        cells = [step(self.scorer, self.root, guess)[1] for guess in ranked.tolist()]
        bounds = [self.scorer.one_ply_bounds(below, self._after) for below in cells]
        least = [self._own + int(own.sum()) for own in bounds]
        places = sorted(range(len(ranked)), key=lambda p: (least[p], p))
        quick = self.scorer.quick_cost(self.root, int(ranked[places[0]]), self.left)
        best = Best(min(quick, self.rolled, self._below - 1), len(ranked), -1)
        works = [int((cells[place].sizes.astype(np.int64) ** 2).sum()) for place in places]
        self._meter.expect(sum(works))
        for number, place in enumerate(places, 1):
            rest = min([self.proven, *(least[later] for later in places[number : number + 1])])
            limit = min(best.limit(place), self._enough(best) - 1)
            self.known, guess = best.cost, int(ranked[place])
            cost = self._weigh(guess, cells[place], bounds[place], limit, rest)
            self._meter.skip_to(sum(works[:number]))
            if cost <= limit:
                best = Best(cost, place, guess)
            else:
                # The lower bound `cost` depends on the order in which tasks finish, so limit + 1 is
                # used instead.
                self.proven = min(self.proven, max(limit + 1, least[place]))
        self.proven = min(self.proven, best.cost)
        return best

    def _many(self, ranked: Integers) -> Best:
        """Return the best of many openings. Tasks try the openings in any order."""
        if self._gap and self.rolled == IMPOSSIBLE:
            raise BuildError(
                f"{len(ranked):,} openings are too many for a search with both a gap and a limit of "
                f"guesses, limit {PROMISING}; remove the gap, or choose a first guess"
            )
        some = ranked[: self.scorer.promising].tolist()
        quick = [self.scorer.quick_cost(self.root, guess, self.left) for guess in some]
        best = Best(min([*quick, self.rolled, self._below - 1]), len(ranked), -1)
        # The order of tasks must not affect the result, so even a search with a gap tries all
        # openings. It accepts only openings that cost less than `proven`. If there are none, the
        # cost of `fallback()` is within the gap.
        self.known, self.proven = best.cost, self._enough(best)
        best = best._replace(cost=min(best.cost, self.proven - 1))
        work = len(self.root.candidates) ** 2
        self._meter.expect(work)

        def report(best: Best, bound: int, share: float) -> None:
            if best.guess >= 0:
                self.known = min(self.known, best.cost)
            self._report(bound, share * work)

        checkpoint = self.build.checkpoint
        best = GuessSearch(
            self._scheduler, root_of(self.build.game), ranked, best, self.left, checkpoint, report
        ).run()
        if best.guess >= 0:
            self.proven = best.cost
        return best

    def _enough(self, best: Best) -> int:
        """Return the least proven bound at which the gap ends the search, or IMPOSSIBLE."""
        # No bound ends the search if neither the cost of an opening nor that of `fallback()` is
        # known, or if the gap rounds down to 0.
        known = best.cost if best.guess >= 0 else self.rolled
        gap = int(self._gap * self.shown_cost(known)) if known < IMPOSSIBLE else 0
        return max(known - gap, 0) if gap else IMPOSSIBLE

    def _weigh(self, guess: int, cells: Batch, bounds: Integers, limit: int, rest: int) -> int:
        """Return the cost of an opening if it is at most `limit`, else a lower bound above `limit`.

        `bounds` has a lower bound of each cell's cost (int64). Every other opening costs at least
        `rest`, or at least the best cost so far.
        """
        total = self._own + int(bounds.sum())
        # Small cells come first: their search is quick. For `win`, large cells come first: their
        # costs are highest, so `total` exceeds `limit` soonest.
        sizes = -cells.sizes if self.scorer.missed else cells.sizes
        for index in np.argsort(sizes, kind="stable").tolist():
            if total > limit:
                break
            self._report(min(total, rest))
            if not self.scorer.is_settled(int(cells.sizes[index]), self._after):
                others = total - int(bounds[index])
                path = guess, int(cells.feedback[index])
                nodes = Siblings(path, index, index + 1, int(cells.sizes[index]))
                total = others + self._cell(nodes, cells.node(index), limit - others)
        return total

    def _cell(self, nodes: Siblings, batch: Batch, limit: int) -> int:
        """Return the cost of a cell if it is at most `limit`, else a lower bound above `limit`."""
        key, stored, checkpoint = ("cost", nodes), None, self.build.checkpoint
        if checkpoint:
            stored = checkpoint.load(key, partial(self._is_cost, batch))
        cost, guess = stored or (0, -1)
        earlier = guess >= 0 or cost > limit
        if not earlier:
            cost, guess = self._search(nodes, batch, limit)
            if checkpoint:
                checkpoint.save(key, [cost, guess])
        self._meter.finish(len(batch.candidates) ** 2, earlier)
        if guess >= 0:
            self.guesses[nodes.path] = guess
        return cost

    def _is_cost(self, batch: Batch, found: object) -> bool:
        """Return whether a stored result is a pair: a cost or lower bound, and a guess or -1."""
        if not isinstance(found, list) or [type(value) for value in found] != [int, int]:
            return False
        (cost, guess), candidates = found, batch.candidates
        is_guess = guess == -1 or self.scorer.separates(candidates, guess)
        least = self.scorer.own_cost(candidates, self._after)
        return is_guess and least <= cost <= IMPOSSIBLE

    def _search(self, nodes: Siblings, batch: Batch, limit: int) -> tuple[int, int]:
        """Return the cost of a cell and its best guess.

        A quick search runs without tasks. It returns -1 as the guess, because the growth of the
        tree searches the cell again. If the cost is above `limit`, the result is a lower bound
        above `limit`, and -1.
        """
        pairs, left = len(batch.candidates) * len(self.scorer.columns), self._after
        if pairs <= self._small or self.scorer.is_one_ply(left):
            return self.scorer.cost(batch.candidates, batch.paths[0], limit, left), -1
        ranked = self.scorer.ranking(batch.candidates, batch.paths[0])
        known = self.scorer.quick_cost(batch, None, left)
        if pairs > LARGE * self._small:
            known = min(known, self._rollout_cost(batch))
        upper = Best(min(limit, known), len(ranked), -1)
        work = len(batch.candidates) ** 2

        def report(_best: Best, _bound: int, share: float) -> None:
            self._report(self._bound, share * work)

        # The checkpoint does not store these costs: most take milliseconds, and each would be a
        # file.
        best = GuessSearch(self._scheduler, nodes, ranked, upper, left, None, report).run()
        return best.cost + (best.guess < 0), best.guess

    def _rollout_cost(self, batch: Batch) -> int:
        """Return the cost of the tree of `rollout` for a cell.

        It is IMPOSSIBLE if rollouts do not pay: for `win`, and where the engine cannot play whole
        trees.
        """
        if self.scorer.missed or not self.scorer.plain.code_search:
            return IMPOSSIBLE
        rollout = RolloutScorer(self.build.game, Rollout(self.scorer.policy.base, ROLLOUT_WIDTH))
        return self.scorer.tree_cost(rollout, batch, None, self._after)

    def _report(self, bound: int, under_way: float = 0.0) -> None:
        """Report the best cost so far, the proven bound, the gap between them, and the progress."""
        self._bound = bound
        cost, bound = self.known, min(self.known, bound)
        best, least = self.shown_cost(cost), self.shown_cost(bound)
        gap = 1000 * abs(best - least) / max(best, 1)
        stage = f"best {best:,}, proven {least:,}, gap {gap:.1f} per mille"
        if cost >= IMPOSSIBLE - 1:
            stage = f"proven {least:,}"
        self._meter.report(stage, under_way)

    def shown_cost(self, cost: int) -> int:
        """Return a cost in the unit that reports use: the total number of guesses."""
        return cost

    def measure(self, tree: Tree) -> int:
        """Return the cost of a tree: its total number of guesses, by weight."""
        return total_of(tree.weight_distribution)

    def fallback(self) -> Policy | None:
        """Return the policy that builds the tree if the search finds no opening, or None.

        It is None if `max_guesses` is set, because `rollout` cannot limit the number of guesses.
        """
        is_limited = "max_guesses" in self.build.header()
        return None if is_limited else Rollout(cast(Optimal, self.build.policy).rule, *FALLBACK)

    def _rolled_cost(self) -> int:
        """Return the cost of the tree of the policy `fallback()`; IMPOSSIBLE if it is None."""
        policy = self.fallback()
        if policy is None:
            return IMPOSSIBLE
        return self.measure(grow_tree(self.build._replace(policy=policy, checkpoint=None)).tree)

    def claims(self) -> dict[str, int]:
        """Return the proven bound as an entry of a book's header."""
        return {"proven": self.shown_cost(self.proven)}


class WinSearch(OptimumSearch):
    """The search of `win` for the best opening.

    A cost is the weight of the secrets not found within `within` guesses.
    """

    def shown_cost(self, cost: int) -> int:
        """Return the weight of the secrets that are found; `cost` is the weight of the others."""
        return max(total_weight(self.build.game) - cost, 0)

    def measure(self, tree: Tree) -> int:
        """Return the cost of a tree: the weight of the secrets not found in `within` guesses."""
        return sum(tree.weight_distribution[cast(Win, self.build.policy).within :])

    def claims(self) -> dict[str, int]:
        """Return the proven bound and its limit of guesses as entries of a book's header."""
        within = cast(Win, self.build.policy).within
        return {"within": within, "found_at_most": self.shown_cost(self.proven)}


def grow_optimum(build: BuildContext, kind: type[OptimumSearch] = OptimumSearch) -> Grown:
    """Search for the best strategy, and grow its tree.

    With a gap, the tree may cost more than the optimum; the header then states the proven bound.
    Raises NoStrategyError if no strategy exists, and BuildError if the tree does not have the cost
    that the search computed.
    """
    search = kind(build)
    found = search.opening()
    if found.guess >= 0 and found.cost < IMPOSSIBLE:
        guesses = {path: g for path, g in search.guesses.items() if path[0] == found.guess}
        guesses[()] = found.guess
        grown = Growth(build, search.state, guesses).run()
        if (cost := search.measure(grown.tree)) != found.cost:
            raise BuildError(
                f"the tree has cost {cost:,}, but the search computed {found.cost:,}: a file of the "
                "checkpoint or a worker is wrong; delete the checkpoint folder, and build again"
            )
        if search.proven >= found.cost:
            return grown
        # The search ended within the allowed gap: the tree is the best known strategy, not the
        # proven optimum.
        header = build._replace(first_guess=found.guess).header()
        return grown._replace(header={**header, **search.claims()})
    rolled, claims, policy = search.rolled, search.claims(), search.fallback()
    # The tables of the search are freed first: with the fallback's tables, they could take twice
    # the allowed memory.
    del search
    if rolled < IMPOSSIBLE and policy is not None:
        grown = grow_tree(build._replace(policy=policy))
        return grown._replace(header={**grown.header, **claims})
    raise no_strategy(build.game, build.header())


def search_cheaper(game: Game, policy: Mapping[str, object], bound: int) -> int | None:
    """Return the cost of a strategy that costs less than `bound`; None if there is none.

    A cost is the sum, over all secrets, of the number of guesses times the weight. `policy` is a
    policy as in a book's header; only its limits and its first guess are used. Raises UsageError,
    BuildError or InvalidGameError if optimal play of this game cannot be computed here.
    """
    limits = {name: policy[name] for name in ("max_guesses", *LIMITS) if name in policy}
    rule = policy_of({"name": "optimal", **limits})
    check_limits(game)
    rule.check(game)
    check_table(game, rule, MEMORY)
    if bound <= total_weight(game):
        return None  # no strategy costs less than the total weight: each secret needs a guess
    first = policy.get("first_guess")
    first_guess = None if first is None else game.parse_code(str(first))
    with Threads(os.cpu_count() or 1) as workers:
        search = OptimumSearch(BuildContext(game, rule, first_guess, workers), bound)
        quick = search.scorer.quick_cost(search.root, first_guess, search.left)
        if quick < bound:
            return quick
        found = search.opening()
    return found.cost if found.guess >= 0 else None


# How the policies that search for the best opening grow a tree.
SEARCHES: dict[str, Callable[[BuildContext], Grown]] = {
    "optimal": grow_optimum,
    "win": partial(grow_optimum, kind=WinSearch),
}

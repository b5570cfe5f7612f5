"""The search of the policies `optimal` and `win` for the best opening: tasks try openings or guesses of large cells."""

import os
from collections.abc import Mapping
from functools import partial
from typing import cast

import numpy as np

from guessbook.book.errors import BuildError
from guessbook.book.file.container import LIMITS
from guessbook.book.games.game import Game
from guessbook.book.games.weights import total_weight
from guessbook.book.tree import Tree, total_of
from guessbook.builder.arrays import Integers
from guessbook.builder.executors.context import ROOT, Context, Nodes
from guessbook.builder.executors.scheduler import Scheduler, Threads
from guessbook.builder.growth.frontier import Growth, usual_plan
from guessbook.builder.growth.plan import Goal, Plan, Run
from guessbook.builder.growth.progress import Forecast
from guessbook.builder.growth.trials import Best, Trials
from guessbook.builder.limits import MEMORY, check_limits, check_policy, check_table, no_strategy
from guessbook.builder.scorers.batch import Batch, root_batch, step
from guessbook.builder.scorers.optimal import OptimalScorer
from guessbook.kernels.sets import IMPOSSIBLE, MAX_LEFT
from guessbook.policy.notation import policy_of
from guessbook.policy.optimal import Optimal
from guessbook.policy.policy import Policy
from guessbook.policy.rollout import Rollout
from guessbook.policy.win import Win

# If there are more openings than this, tasks try the openings; else tasks try the guesses after each opening.
PROMISING = 24
# A cell with at most this number of (guess, candidate) pairs is searched at once, without tasks.
SMALL = 1 << 19
# The width and the endgame of the rollout, and the width of `win`, that replace the policy if a search ends at its gap.
FALLBACK, WIN_FALLBACK = (50, 200), 2


class OptimumSearch:
    """The search for the best opening, among the strategies that cost less than `below`.

    Attributes:
        guesses: the best guesses that were found, by the path to the node: guesses and feedbacks, alternating.
        proven: the proven lower bound of the cost of every strategy.
        rolled: the cost of the strategy of `fallback` if a gap is allowed, else IMPOSSIBLE.
    """

    claim = "proven"

    def __init__(self, run: Run, goal: Goal, below: int = IMPOSSIBLE) -> None:
        self.goal, self._run, self._below = goal, run, below
        self.known = self.proven = IMPOSSIBLE
        # The fallback is computed first, so that its tables are freed before the search allocates its own.
        self.rolled = self._rolled_cost() if goal.gap else IMPOSSIBLE
        self.context = Context(goal.game, goal.policy, goal.memory)
        self.scorer = cast(OptimalScorer, self.context.scorer)
        self.root = root_batch(len(goal.game.secrets))
        self.left = self.scorer.left(self.root.paths[0])
        # The number of guesses left after the opening.
        self._after = max(self.left - 1, 0) if self.left < MAX_LEFT else self.left
        self._own = self.scorer.own_cost(self.root.candidates)
        self._scheduler = Scheduler(run.workers, self.context)
        self.guesses: dict[tuple[int, ...], int] = {}
        # The forecast measures the work on a cell by the square of its candidates: the search time grows about as fast.
        self._forecast, self._bound = Forecast(), 0

    def opening(self) -> Best:
        """Return the opening of least cost; ties go to the opening that the base policy ranks first."""
        ranked = self.scorer.ranking(self.root.candidates, self.root.paths[0])
        if self.goal.first_guess is not None:
            ranked = np.array([self.goal.first_guess], np.uint32)
        return self._many(ranked) if len(ranked) > PROMISING else self._few(ranked)

    def _few(self, ranked: Integers) -> Best:
        """Return the best of a few openings, which are searched one by one in the order of their lower bounds."""
        cells = [step(self.scorer, self.root, guess)[1] for guess in ranked.tolist()]
        bounds = [self.scorer.one_ply_bounds(below, self._after) for below in cells]
        least = [self._own + int(own.sum()) for own in bounds]
        places = sorted(range(len(ranked)), key=lambda p: (least[p], p))
        quick = self.scorer.quick_cost(self.root, int(ranked[places[0]]), self.left)
        best = Best(min(quick, self.rolled, self._below - 1), len(ranked), -1)
        works = [int((cells[place].sizes.astype(np.int64) ** 2).sum()) for place in places]
        self._forecast.expect(sum(works))
        for number, place in enumerate(places, 1):
            rest = min([self.proven, *(least[later] for later in places[number : number + 1])])
            limit = min(best.limit(place), self._enough(best) - 1)
            self.known, guess = best.cost, int(ranked[place])
            cost = self._weigh(guess, cells[place], bounds[place], limit, rest)
            self._forecast.skip_to(sum(works[:number]))
            if cost <= limit:
                best = Best(cost, place, guess)
            else:
                # `cost` is a bound, too, but it depends on the order in which tasks finished, so it is not used.
                self.proven = min(self.proven, max(limit + 1, least[place]))
        self.proven = min(self.proven, best.cost)
        return best

    def _many(self, ranked: Integers) -> Best:
        """Return the best of many openings, which tasks try and finish in any order.

        The order of tasks must not affect the result. So with a gap, the search does not end early: from the start, it
        looks only for openings that cost less than the bound at which a search may end.
        """
        if self.goal.gap and self.rolled == IMPOSSIBLE:
            raise BuildError(
                f"found a gap and a limit of guesses with {len(ranked):,} openings, expected only "
                "one; choose a first guess"
            )
        some = ranked[: self.scorer.promising].tolist()
        quick = [self.scorer.quick_cost(self.root, guess, self.left) for guess in some]
        best = Best(min([*quick, self.rolled, self._below - 1]), len(ranked), -1)
        self.known, self.proven = best.cost, self._enough(best)
        best = best._replace(cost=min(best.cost, self.proven - 1))
        work = len(self.root.candidates) ** 2
        self._forecast.expect(work)

        def report(best: Best, bound: int, share: float) -> None:
            if best.guess >= 0:
                self.known = min(self.known, best.cost)
            self._report(bound, share * work)

        checkpoint = self._run.checkpoint
        best = Trials(self._scheduler, ROOT, ranked, best, self.left, checkpoint, report).run()
        if best.guess >= 0:
            self.proven = best.cost
        return best

    def _enough(self, best: Best) -> int:
        """Return the lower bound that is close enough to the best known cost to end the search; IMPOSSIBLE if none."""
        known = best.cost if best.guess >= 0 else self.rolled
        gap = int(self.goal.gap * self.shown_cost(known)) if known < IMPOSSIBLE else 0
        return max(known - gap, 0) if gap else IMPOSSIBLE

    def _weigh(self, guess: int, cells: Batch, bounds: Integers, limit: int, rest: int) -> int:
        """Return the cost of an opening if it is at most `limit`, else a lower bound above `limit`.

        `bounds` (int64[cells]) are lower bounds of its cells, and `rest` is a lower bound of all other openings.
        """
        total = self._own + int(bounds.sum())
        # Small, quick cells come first. If the cost is the weight missed, large cells come first: they raise it most.
        sizes = -cells.sizes if self.scorer.missed else cells.sizes
        for index in np.argsort(sizes, kind="stable").tolist():
            if total > limit:
                break
            self._report(min(total, rest))
            if not self.scorer.is_settled(int(cells.sizes[index]), self._after):
                others = total - int(bounds[index])
                nodes = Nodes((guess,), index, index + 1)
                total = others + self._cell(nodes, cells.node(index), limit - others)
        return total

    def _cell(self, nodes: Nodes, batch: Batch, limit: int) -> int:
        """Return the cost of a cell if it is at most `limit`, else a lower bound above `limit`.

        The checkpoint stores this number and the best guess of the cell; -1 for a bound or a small cell.
        """
        key, stored, checkpoint = ("cost", nodes), None, self._run.checkpoint
        if checkpoint:
            stored = checkpoint.load(key, partial(self._is_cost, batch))
        cost, guess = stored or (0, -1)
        earlier = guess >= 0 or cost > limit
        if not earlier:
            cost, guess = self._searched(nodes, batch, limit)
            if checkpoint:
                checkpoint.save(key, [cost, guess])
        self._forecast.finish(len(batch.candidates) ** 2, earlier)
        if guess >= 0:
            self.guesses[nodes.split[0], int(batch.feedback[0])] = guess
        return cost

    def _is_cost(self, batch: Batch, found: object) -> bool:
        """Return whether data from a checkpoint can be the cost and the guess of a node."""
        if not isinstance(found, list) or [type(value) for value in found] != [int, int]:
            return False
        (cost, guess), candidates = found, batch.candidates
        is_guess = guess == -1 or self.scorer.separates(candidates, guess)
        return is_guess and self.scorer.own_cost(candidates) <= cost <= IMPOSSIBLE

    def _searched(self, nodes: Nodes, batch: Batch, limit: int) -> tuple[int, int]:
        """Search a cell; return its cost and its best guess, -1 if the cost exceeds `limit` or no tasks were needed."""
        pairs, left = len(batch.candidates) * len(self.scorer.columns), self._after
        if pairs <= SMALL or self.scorer.is_one_ply(left):
            return self.scorer.cost(batch.candidates, batch.paths[0], limit, left), -1
        ranked = self.scorer.ranking(batch.candidates, batch.paths[0])
        upper = Best(min(limit, self.scorer.quick_cost(batch, None, left)), len(ranked), -1)
        work = len(batch.candidates) ** 2

        def report(_best: Best, _bound: int, share: float) -> None:
            self._report(self._bound, share * work)

        # The checkpoint does not store these trials: most take milliseconds, and each would be a file.
        best = Trials(self._scheduler, nodes, ranked, upper, left, None, report).run()
        return best.cost + (best.guess < 0), best.guess

    def _report(self, bound: int, under_way: float = 0.0) -> None:
        """Report the best cost so far, the proven bound, the gap between them, and the remaining work."""
        self._bound = bound
        cost, bound = self.known, min(self.known, bound)
        best, least = self.shown_cost(cost), self.shown_cost(bound)
        gap = 1000 * abs(best - least) / max(best, 1)
        stage = f"best {best:,}, proven {least:,}, gap {gap:.1f} per mille"
        if cost >= IMPOSSIBLE - 1:
            stage = f"proven {least:,}"
        self._run.report(self._forecast.progress(under_way)._replace(stage=stage))

    def shown_cost(self, cost: int) -> int:
        """Return a cost in the unit that people read: for `optimal`, the total number of guesses."""
        return cost

    def measure(self, tree: Tree) -> int:
        """Return the cost of a tree: the sum of the guesses for each secret times the weight of the secret."""
        return total_of(tree.weight_distribution)

    def fallback(self) -> Policy | None:
        """Return the policy of the tree if the search ends at its gap; None if the number of guesses is limited."""
        rule = cast(Optimal, self.goal.policy)
        return Rollout(rule.rule, *FALLBACK) if rule.left(0) is None else None

    def _rolled_cost(self) -> int:
        """Return the cost of the strategy of `fallback`, which becomes the book if the search ends at its gap."""
        policy = self.fallback()
        if policy is None:
            return IMPOSSIBLE
        usual = usual_plan(self.goal._replace(policy=policy))
        tree, _ = Growth(self._run._replace(checkpoint=None), usual).grow()
        return self.measure(tree)

    def claims(self) -> dict[str, int]:
        """Return the proven bound on all strategies, as the header of a book stores it."""
        return {self.claim: self.shown_cost(self.proven)}


class WinSearch(OptimumSearch):
    """The search for the opening with which the policy `win` misses the least weight of secrets."""

    claim = "found_at_most"

    def shown_cost(self, cost: int) -> int:
        """Return the total weight of the secrets that a strategy finds if it misses the weight `cost`."""
        return max(total_weight(self.goal.game) - cost, 0)

    def measure(self, tree: Tree) -> int:
        """Return the cost of a tree: the total weight of the secrets that it does not find within the guesses."""
        return sum(tree.weight_distribution[cast(Win, self.goal.policy).within :])

    def fallback(self) -> Win:
        """Return the policy of the tree if the search ends at its gap: `win` with a width."""
        return cast(Win, self.goal.policy)._replace(width=WIN_FALLBACK)


def plan(run: Run, goal: Goal, kind: type[OptimumSearch] = OptimumSearch) -> Plan:
    """Search for the best strategy, and return the plan with its opening and the guesses of its large cells.

    For a policy with a width, the scorer chooses the opening instead. If the search ends at its gap, the plan has the
    policy of the best known strategy and the proven bound. Raises NoStrategyError if no strategy exists.
    """
    if cast(Optimal, goal.policy).width is not None:
        return usual_plan(goal)
    search = kind(run, goal)
    found = search.opening()
    claims = search.claims() if search.proven < found.cost else {}
    if found.guess >= 0 and found.cost < IMPOSSIBLE:
        guesses = {path: g for path, g in search.guesses.items() if path[0] == found.guess}
        guesses[()] = found.guess
        return Plan(search.context, guesses, found.cost, search.measure, claims)
    rolled, claims, policy = search.rolled, search.claims(), search.fallback()
    # The tables of the search are freed first: together with the fallback's tables they could take twice the memory.
    del search
    if rolled < IMPOSSIBLE and policy is not None:
        return usual_plan(goal._replace(policy=policy))._replace(claims=claims)
    raise no_strategy(goal.game, goal.header())


plan_win = partial(plan, kind=WinSearch)


def cheaper(game: Game, policy: Mapping[str, object], bound: int) -> int | None:
    """Search for a strategy that costs less than `bound`; return its cost, or None if there is provably none.

    A cost is the sum of the guesses for each secret times the weight of the secret. `policy` is the policy's part of a
    header; only its options that limit strategies count. Raises UsageError, BuildError or InvalidGameError if optimal
    play of this game cannot be computed here.
    """
    limits = {name: policy[name] for name in ("max_guesses", *LIMITS) if name in policy}
    rule = policy_of({"name": "optimal", **limits})
    check_limits(game)
    check_policy(game, rule)
    check_table(game, rule, MEMORY)
    if bound <= total_weight(game):
        return None  # Each secret needs at least one guess, so the total weight is a lower bound.
    first = policy.get("first_guess")
    goal = Goal(game, rule, None if first is None else game.parse_code(str(first)))
    with Threads(os.cpu_count() or 1) as workers:
        search = OptimumSearch(Run(workers, lambda _: None), goal, bound)
        quick = search.scorer.quick_cost(search.root, goal.first_guess, search.left)
        if quick < bound:
            return quick
        found = search.opening()
    return found.cost if found.guess >= 0 else None

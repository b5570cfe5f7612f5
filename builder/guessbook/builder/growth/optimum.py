"""The optimum from the top: the best opening, its cells searched guess by guess as tasks.

Each task tries one guess of a cell, with the best cost so far as its limit. What a task finds is
exact or a refutation, so the opening does not depend on who finished first.
"""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, wait
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from guessbook.book.errors import BuildError
from guessbook.book.file.container import LIMITS
from guessbook.book.games.weights import total_weight
from guessbook.book.tree import total_of
from guessbook.builder.growth.build import executor_of, opening_of
from guessbook.builder.growth.frontier import Job, grow_tree
from guessbook.builder.growth.limits import (
    MEMORY,
    check_limits,
    check_policy,
    check_table,
    no_strategy,
)
from guessbook.builder.growth.progress import Progress
from guessbook.builder.scorers.batch import (
    Batch,
    growing,
    root_batch,
    step,
    weighed,
)
from guessbook.builder.scorers.one_step import one_step_scorer
from guessbook.builder.scorers.optimal import OptimalScorer
from guessbook.builder.scorers.scorer import scorer_of
from guessbook.kernels.sets import IMPOSSIBLE, MAX_LEFT
from guessbook.policy.notation import header, policy_of
from guessbook.policy.one_step import POLICIES
from guessbook.policy.rollout import Rollout

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Future

    from guessbook.book.games.game import Game
    from guessbook.builder.arrays import Integers
    from guessbook.builder.executors.checkpoint import Checkpoint
    from guessbook.builder.executors.workers import Workers

# So many openings are put in the order of what a one-step policy makes of them.
PROMISING = 24
# Under way for each thread: what keeps it busy and no more, as each task has the limit of its time.
UNDER_WAY = 2
# Candidates times guesses of a task, about.
TRIALS = 4096
# Cells of so few candidates times guesses are searched as a whole.
SMALL = 1 << 19
# The width and the endgame of the rollout that plays where the search ends at its gap.
FALLBACK = (50, 200)
# The one-step policies whose trees are the first upper bounds.
QUICK, LARGER, CAREFUL, LARGE = ("parts",), ("entropy-corrected",), ("minimax",), 2000


def run_trial(job: Job, batch: Batch, guesses: list[int], limit: int, left: int) -> list[int]:
    """Task: the costs of some guesses at a node, or bounds above the limit."""
    scorer: OptimalScorer = scorer_of(  # type: ignore[assignment]
        job.game, job.policy, job.memory
    )
    costs = []
    for guess in guesses:
        costs.append(scorer.trial(batch.candidates, batch.paths[0], guess, limit, left))
        limit = min(limit, costs[-1])
    return costs


class Found(NamedTuple):
    """The best guess of a node so far: what it costs, and its place in the ranking."""

    cost: int
    place: int
    guess: int


class Searcher:
    """The search of one build."""

    def __init__(
        self,
        executor: Workers,
        job: Job,
        report: Callable[[Progress], None],
        checkpoint: Checkpoint | None,
        below: int = IMPOSSIBLE,
    ) -> None:
        self.executor = executor
        self.job = job
        self.report = report
        self.checkpoint = checkpoint
        # Only strategies that cost less than this are searched for.
        self.below = below
        scorer = scorer_of(job.game, job.policy, job.memory)
        self.scorer: OptimalScorer = scorer  # type: ignore[assignment]
        # What the best strategy known costs, that of the fallback, and what no strategy is below.
        self.known = self.rolled = self.proven = IMPOSSIBLE
        limits = {option: getattr(job.policy.rule, option) for option in LIMITS}
        # What is quick, what a large game is worth, what keeps to few guesses if they are limited.
        names = [*QUICK]
        names += LARGER if len(job.game.secrets) > LARGE else ()
        names += CAREFUL if job.policy.left(0) is not None else ()  # type: ignore[attr-defined]
        self.plain = [
            one_step_scorer(job.game, POLICIES[name]._replace(**limits)) for name in names
        ]

    def opening(self) -> Found:
        """The best opening: the one of least cost that the base ranks first."""
        root, none = root_batch(len(self.job.game.secrets)), np.zeros(0, np.uint32)
        left = self.scorer.left(none)
        ranked = self.scorer.ranking(root.candidates, none)
        if self.job.first_guess is not None:
            ranked = np.array([self.job.first_guess], np.uint32)
        if self.job.gap:
            self.rolled = self.roll(left)
        return (self.many if len(ranked) > PROMISING else self.few)(root, ranked, left)

    def few(self, root: Batch, ranked: Integers, left: int) -> Found:
        """The best of some openings, weighed one after the other, the one of lowest bound first."""
        after = left - 1 if left < MAX_LEFT else left
        cells = [step(self.scorer, root, guess)[1] for guess in ranked.tolist()]
        looks = [self.scorer.looks(below, max(after, 0)) for below in cells]
        least = [total_weight(self.job.game) + int(bounds.sum()) for bounds in looks]
        places = sorted(range(len(ranked)), key=lambda p: (least[p], p))
        quick = self.quick(root, int(ranked[places[0]]), left)
        best = Found(min(quick, self.rolled, self.below - 1), len(ranked), -1)
        for place, following in zip(places, [*places[1:], -1], strict=True):
            rest = self.proven if following < 0 else min(self.proven, least[following])
            limit = min(limit_of(best, place), self.enough(best) - 1)
            self.known = best.cost
            cost = self.weigh(cells[place], looks[place], limit, after, rest)
            if cost <= limit:
                best = Found(cost, place, int(ranked[place]))
            else:
                # Not the cost itself, which tells how far some search has come.
                self.proven = min(self.proven, max(limit + 1, least[place]))
        self.proven = min(self.proven, best.cost)
        return best

    def many(self, root: Batch, ranked: Integers, left: int) -> Found:
        """The best of many openings, tried as tasks.

        Which of them ends first is not the same each time. So a gap asks from the start whether any
        costs less than what is near enough: then the best one is found, else there is no such one.
        """
        if self.job.gap and self.rolled == IMPOSSIBLE:
            raise BuildError(
                f"found a gap, a limit of guesses and {len(ranked):,} openings, expected one that "
                "is pinned: give it with --first-guess"
            )
        quick = [self.quick(root, guess, left) for guess in ranked[:PROMISING].tolist()]
        best = Found(min([*quick, self.rolled, self.below - 1]), len(ranked), -1)
        self.known, self.proven = best.cost, self.enough(best)
        best = self.node(root, ranked, best._replace(cost=min(best.cost, self.proven - 1)), left)
        if best.guess >= 0:
            self.proven = best.cost
        return best

    def enough(self, best: Found) -> int:
        """A bound near enough to the best strategy that there is a book of."""
        known = best.cost if best.guess >= 0 else self.rolled
        gap = int(self.job.gap * known) if known < IMPOSSIBLE else 0
        return known - gap if gap else IMPOSSIBLE

    def quick(self, batch: Batch, guess: int | None, left: int) -> int:
        """What a node costs, with that guess, if a quick policy plays on; an upper bound."""
        costs = []
        for plain in self.plain:
            weights = self.scorer.weights
            below = batch if guess is None else step(plain, batch, guess)[1]
            grown = [int(weighed(above, weights).sum()) for above, *_ in growing(plain, below)]
            total = sum(grown)
            if guess is not None:
                total += int(weights[batch.candidates].sum())
            deep = len(grown) + (guess is not None)
            costs.append(total if deep <= left else IMPOSSIBLE)
        return min(costs)

    def roll(self, left: int) -> int:
        """What the strategy costs that is the book where the search ends at its gap.

        It does not keep to a limit of guesses: then only an opening that is solved will do.
        """
        if left < MAX_LEFT:
            return IMPOSSIBLE
        job = self.job._replace(policy=fallback(self.job))
        tree = grow_tree(self.executor, job, self.report).grown().tree
        return total_of(tree.weight_distribution)

    def weigh(self, cells: Batch, looks: Integers, limit: int, left: int, rest: int) -> int:
        """The cost of an opening if that is at most `limit`, else a bound above it.

        Args:
            cells: what it leaves,
            looks: and what each of these costs at least.
            limit: what is worth knowing.
            left: how many guesses there may be after it.
            rest: what the other openings cost at least.
        """
        total = total_weight(self.job.game) + int(looks.sum())
        for index in np.argsort(cells.sizes, kind="stable").tolist():
            if total > limit:
                break
            self.tell(min(total, rest))
            if cells.sizes[index] > 2:
                known = int(looks[index])
                total += self.cell(cells.node(index), limit - (total - known), left) - known
        return total

    def cell(self, batch: Batch, limit: int, left: int) -> int:
        """The cost of a cell if that is at most `limit`, else a bound above it.

        A checkpoint keeps what is found, and with what guess; of a refutation there is none.
        """
        is_result = partial(self.is_cost, batch)
        kept = self.checkpoint.load("cost", batch, is_result) if self.checkpoint else None
        cost, guess = kept or (0, -1)
        if guess < 0 and cost <= limit:
            cost, guess = self.searched(batch, limit, left)
        if guess >= 0:
            self.scorer.chosen[self.scorer.key(batch.candidates, batch.paths[0], left)] = guess
        if self.checkpoint:
            self.checkpoint.save("cost", batch, [int(cost), int(guess)])
        return int(cost)

    def is_cost(self, batch: Batch, found: object) -> bool:
        """Whether something that was read from a disk may be the cost of a cell, and its guess."""
        if not isinstance(found, list) or [type(value) for value in found] != [int, int]:
            return False
        cost, guess = found
        # Each candidate takes one guess at least.
        if not self.scorer.weights[batch.candidates].sum() <= cost <= IMPOSSIBLE:
            return False
        return guess == -1 or self.scorer.tells(batch.candidates, guess)

    def searched(self, batch: Batch, limit: int, left: int) -> tuple[int, int]:
        """The same with the guess; -1 where there is none or it was not looked for."""
        if len(batch.candidates) * len(self.scorer.columns) <= SMALL:
            return self.scorer.cost(batch.candidates, batch.paths[0], limit, left), -1
        ranked = self.scorer.ranking(batch.candidates, batch.paths[0])
        upper = Found(min(limit, self.quick(batch, None, left)), len(ranked), -1)
        best = self.node(batch, ranked, upper, left)
        return best.cost + (best.guess < 0), best.guess

    def node(self, batch: Batch, ranked: Integers, best: Found, left: int) -> Found:
        """The best of the ranked guesses of a node, or `best` if none is better.

        Each task tries some of them, those of the lowest bound first.
        """
        even = self.scorer.even(batch.candidates, batch.paths[0], ranked, left).tolist()
        places = sorted(range(len(ranked)), key=lambda p: (even[p], p))
        waiting: dict[Future[list[int]], list[int]] = {}
        many = max(1, TRIALS // len(batch.candidates))
        turn = 0
        while turn < len(places) or waiting:
            most = UNDER_WAY * sum(self.executor.workers)
            while turn < len(places) and len(waiting) < most:
                some = [p for p in places[turn : turn + many] if even[p] <= limit_of(best, p)]
                turn += many
                if some:
                    guesses, limit = ranked[some].tolist(), max(limit_of(best, p) for p in some)
                    task = self.executor.submit(run_trial, self.job, batch, guesses, limit, left)
                    waiting[task] = some
            done, _ = wait(waiting, return_when=FIRST_COMPLETED) if waiting else ((), ())
            for task in done:
                for place, cost in zip(waiting.pop(task), task.result(), strict=True):
                    if cost <= limit_of(best, place):
                        best = Found(cost, place, int(ranked[place]))
            if not len(batch.paths[0]):
                self.known = min(self.known, best.cost if best.guess >= 0 else IMPOSSIBLE)
                untold = [p for some in waiting.values() for p in some] + places[turn : turn + 1]
                self.tell(min([even[p] for p in untold], default=best.cost))
        return best

    def tell(self, bound: int) -> None:
        """Report the best cost so far and the proven bound."""
        cost, bound = self.known, min(self.known, bound)
        gap = 1000 * (cost - bound) / cost
        stage = f"best {cost:,}, proven {bound:,}, gap {gap:.1f} per mille"
        self.report(Progress(stage, 0, 0))


def cheaper(game: Game, policy: Mapping[str, object], bound: int) -> int | None:
    """Search for a strategy that needs fewer guesses than `bound`, and return what it costs.

    None proves that there is no such strategy within the limits that the policy names.

    Args:
        game: the game.
        policy: the header of a book; of its options only those count that limit strategies.
        bound: guesses for all secrets, each as often as its weight says.

    Raises:
        UsageError, BuildError: optimal play of this game cannot be computed here.
    """
    limits = {name: policy[name] for name in ("max_guesses", *LIMITS) if name in policy}
    rule = policy_of({"name": "optimal", **limits})
    check_limits(game)
    check_policy(game, rule)
    check_table(game, rule, MEMORY)
    if bound <= total_weight(game):
        return None  # each secret takes a guess at least
    with executor_of(None, None) as executor:
        job = Job(game, rule, opening_of(game, policy, None), MEMORY)
        searcher = Searcher(executor, job, lambda _: None, None, bound)
        root, left = root_batch(len(game.secrets)), searcher.scorer.left(np.zeros(0, np.uint32))
        quick = searcher.quick(root, job.first_guess, left)
        if quick < bound:
            return quick
        found = searcher.opening()
    return found.cost if found.guess >= 0 else None


def fallback(job: Job) -> Rollout:
    """The policy that plays where the search ends at its gap."""
    return Rollout(job.policy.rule, *FALLBACK)  # type: ignore[arg-type]


def limit_of(best: Found, place: int) -> int:
    """What a guess may cost to be better: as much as the best one where it is ranked before it."""
    return best.cost - (place > best.place)


def plan(
    executor: Workers,
    job: Job,
    report: Callable[[Progress], None],
    checkpoint: Checkpoint | None = None,
) -> Job:
    """The job with the opening of the optimal strategy; its cells' guesses are kept for the growth.

    With a width the opening is left to the scorer. Where the search ends at its gap, the policy is
    one that plays the best strategy known, and the job has the bound.

    Raises:
        BuildError: no strategy finds every secret within the guesses that are allowed.
    """
    if not isinstance(scorer_of(job.game, job.policy, job.memory), OptimalScorer):
        return job
    searcher = Searcher(executor, job, report, checkpoint)
    found = searcher.opening()
    proven = searcher.proven if searcher.proven < found.cost else None
    if found.guess >= 0 and found.cost < IMPOSSIBLE:
        return job._replace(first_guess=found.guess, proven=proven)
    if searcher.rolled < IMPOSSIBLE:
        return job._replace(policy=fallback(job), proven=searcher.proven)
    raise no_strategy(job.game, header(job.policy), job.first_guess)

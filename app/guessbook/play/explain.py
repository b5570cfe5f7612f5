"""The explanation of a guess: its partition, and the best alternative guesses. Ratings, which compare guesses with the best guess; docs/reference/ratings.md has the formulas. The search for the best pairs of guesses that are both chosen before the first feedback."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nlargest
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from guessbook.book.errors import EngineError, UsageError, quantity
from guessbook.book.games.game import SymmetricGame, others_fitting
from guessbook.book.games.symmetry import MAX_STEPS, SearchBudget
from guessbook.book.games.weights import likeliest_first, weight_of, weights_of
from guessbook.lookup.hint import Hint, wrong_tree
from guessbook.play.analysis import Analysis, Split, surprise
from guessbook.policy.policy import POLICIES, OneStep
from guessbook.policy.registry import PolicyLike, fallback

EXAMPLES = 5


class Cell(NamedTuple):
    """One cell of a guess's partition: a possible feedback and the candidates that give it.

    Attributes:
        feedback: the feedback as text, such as "1,1".
        size: the number of candidates in the cell.
        chance: the probability of the feedback, by the weights of the secrets.
        bits: the information of the feedback, in bits: -log2(chance).
        sum: the sum of chance * bits over the cells up to this one. The sum in the last cell is the entropy.
        examples: at most 5 candidates of the cell, the likeliest first.
    """

    feedback: str
    size: int
    chance: float
    bits: float
    sum: float
    examples: tuple[str, ...]


class Alternative(NamedTuple):
    """An alternative guess, with the statistics of its partition.

    Attributes:
        entropy, expected_size, cells, worst: the statistics, as in `analysis.Split`.
        candidate: whether the guess may be the secret.
        chance: the probability that the guess is the secret; None if secrets have no weights.
    """

    guess: str
    candidate: bool
    entropy: float
    expected_size: float
    cells: int
    worst: int
    chance: float | None = None


class Explanation(NamedTuple):
    """The reasons for a guess: its partition, and its comparison with other guesses.

    Attributes:
        guess: the explained guess.
        candidate: whether the guess may be the secret.
        remaining: the number of candidates before the guess.
        entropy: the expected information of the feedback to the guess, in bits.
        policy: the name of the policy; `entropy` for an imported tree, which has no policy.
        ranked_by: the name of the one-step policy that ranks the alternatives.
        partition: the cells of the guess, the likeliest first.
        alternatives: the best guesses by the policy `ranked_by`, best first.
        best_by: the best guess by each one-step policy; the key is the name of the policy.
        among_guesses: whether guesses outside the list of secrets are candidates, because no listed secret fits.
        weight: the sum of the candidates' weights; None if secrets have no weights.
        chance: the probability that the guess is the secret; None if secrets have no weights.
        breaks: the rule of hard mode that the guess breaks; empty if it breaks none or the policy has no hard mode.
        win: the probability that the policy `win` finds the secret within its limit of guesses. It is None if the
            policy is not `win`, the game is solved, `refuse` has marked a guess, or you passed the guess to `explain`.
    """

    guess: str
    candidate: bool
    remaining: int
    entropy: float
    policy: str
    ranked_by: str
    partition: tuple[Cell, ...]
    alternatives: tuple[Alternative, ...]
    best_by: Mapping[str, Alternative]
    among_guesses: bool = False
    weight: int | None = None
    chance: float | None = None
    breaks: str = ""
    win: float | None = None

    def __repr__(self) -> str:
        known = (
            f"{quantity(self.remaining, 'candidate')} in {quantity(len(self.partition), 'cell')}"
        )
        return f"<Explanation {self.guess}: {self.entropy:.4f} bits, {known}>"


def explanation(
    analysis: Analysis, guess: str, policy: PolicyLike, count: int = 10, refused: Sequence[str] = ()
) -> Explanation:
    """Explain a guess, with at most `count` alternatives. Guesses that the game rejected (`refused`) are left out."""
    rule = ranking_policy(policy)
    rules = [rule, *[restrict(other, rule) for other in POLICIES.values()]]
    ranked = analysis.rank_guesses(rule, refused)
    counts = [count, *[1] * len(POLICIES)]
    columns = zip(analysis.scores(rules, ranked), counts, strict=True)
    orders = [best_first(analysis, ranked, scores, most) for scores, most in columns]
    if isinstance(
        analysis.game, SymmetricGame
    ):  # Every code of a code game is a listed guess, so `parse_code` cannot fail.
        index, effort = analysis.game.parse_code(guess), SearchBudget()
        if index not in ranked:
            orders = [shown_as(analysis, index, order, effort) for order in orders]
    known = {index: alternative(analysis, index) for order in orders for index in order}
    pairs = zip(POLICIES, orders[1:], strict=True)
    return Explanation(
        guess,
        guess in analysis.possible,
        len(analysis.candidates),
        analysis.split(guess).entropy,
        fallback(policy).name,
        rule.name,
        cells(analysis, guess),
        tuple([known[index] for index in orders[0]]),
        MappingProxyType({name: known[order[0]] for name, order in pairs}),
        weight=analysis.total,
        chance=None if analysis.total is None else analysis.chance(guess),
    )


def shown_as(analysis: Analysis, index: int, top: list[int], effort: SearchBudget) -> list[int]:
    """Return the guess indices `top`. If one is equivalent to the explained guess `index`, `index` replaces it."""
    # A ranking has only the first of equivalent guesses. If the explained guess is another one, it replaces the first.
    own = [index if analysis.maps([index], [other], effort) else other for other in top]
    return own if own.count(index) == 1 else top


def ranking_policy(policy: PolicyLike) -> OneStep:
    """Return the policy that ranks guesses: `policy` if it is one-step, else its base policy if any, else `entropy`."""
    asked = fallback(policy)
    # If the policy guesses candidates only, `entropy` ranks candidates only.
    only = asked.only_candidates
    return asked.rule or POLICIES["entropy"]._replace(consistent_only=only)


def yardstick(policy: PolicyLike) -> OneStep:
    """Return the policy `entropy`, limited to candidates or to hard mode if `policy` has these limits."""
    return restrict(POLICIES["entropy"], ranking_policy(policy))


def restrict(policy: OneStep, rule: OneStep) -> OneStep:
    """Return `policy`, limited to candidates or to hard mode if `rule` has these limits."""
    return policy._replace(consistent_only=rule.consistent_only, hard_mode=rule.hard_mode)


def replace_refused(
    analysis: Analysis, hint: Hint, policy: PolicyLike, refused: Sequence[str]
) -> Hint:
    """Update a hint after the game rejected guesses. If its guess was rejected, the best other guess replaces it."""
    guess, remaining = hint.guess, len(analysis.candidates)
    if guess in refused:
        rule = ranking_policy(policy)
        left = analysis.rank_guesses(rule, refused)
        (scores,) = analysis.scores([rule], left)
        guess = analysis.game.guesses[best_first(analysis, left, scores, 1)[0]]
    return hint._replace(
        guess=guess,
        source="live",
        remaining=remaining,
        entropy=analysis.split(guess).entropy,
        candidate=guess in analysis.possible,
        chance=analysis.chance(guess),
        others=others_fitting(analysis.game, analysis.history, remaining, refused),
        win=None,
    )


def best_first(
    analysis: Analysis, guesses: Sequence[int], scores: Sequence[int], count: int
) -> list[int]:
    """Return the indices of the `count` guesses with the highest scores. If scores are equal, candidates come first."""
    codes, possible = analysis.game.guesses, analysis.possible
    least = nlargest(count, scores)[-1]
    keys = [
        (-score, codes[index] not in possible, index)
        for index, score in zip(guesses, scores, strict=True)
        if score >= least
    ]
    return [index for _, _, index in sorted(keys)[:count]]


def alternative(analysis: Analysis, index: int) -> Alternative:
    """Return the guess with the index `index`, and the statistics of its partition."""
    guess = analysis.game.guesses[index]
    chance = None if analysis.total is None else analysis.chance(guess)
    return Alternative(guess, guess in analysis.possible, *analysis.split(guess), chance)


def cells(analysis: Analysis, guess: str) -> tuple[Cell, ...]:
    """Return the cells of a guess, the likeliest cell first."""
    game, total = analysis.game, analysis.weight
    listed = []
    so_far = 0.0
    for number, codes in analysis.cells(guess).items():
        weight = weight_of(game, codes)
        chance, bits = weight / total, surprise(weight, total)
        so_far += chance * bits
        examples = tuple(likeliest_first(game, codes)[:EXAMPLES])
        answer = game.format_feedback(number)
        listed.append(Cell(answer, len(codes), chance, bits, so_far, examples))
    return tuple(listed)


class Rating(NamedTuple):
    """The rating of a guess: its comparison with the best guess.

    The value of a guess is its expected information, in bits, plus its probability to be the secret.

    Attributes:
        guess: the rated guess.
        skill: the value of the guess as a percentage of the value of `best`, at most 100.
        entropy: the expected information of the feedback to the guess, in bits.
        best: the guess of the policy `entropy`, with which the guess is compared.
        best_entropy: the expected information of the feedback to `best`, in bits.
        rank: the rank by expected information, 1 for the most; guesses with equal information share a rank.
        ranks: the number of different ranks.
        cells: the number of cells into which the guess splits the candidates.
        worst: the number of candidates in the largest cell.
        expected_size: the expected number of candidates after the feedback.
        chance: the probability that the guess is the secret.
        remaining: the number of candidates before the guess.
        breaks: the rule of hard mode that the guess breaks; empty if it breaks none or the policy has no hard mode.
        weight: the sum of the candidates' weights; None if secrets have no weights. If there are weights,
            `worst` and `expected_size` are sums of weights instead of numbers of candidates.
        mirror: another guess that is equivalent to `best` by symmetry, preferably the rated guess; empty if none.
    """

    guess: str
    skill: int
    entropy: float
    best: str
    best_entropy: float
    rank: int
    ranks: int
    cells: int
    worst: int
    expected_size: float
    chance: float
    remaining: int
    breaks: str = ""
    weight: int | None = None
    mirror: str = ""

    def __repr__(self) -> str:
        place = f"rank {self.rank:,} of {self.ranks:,}, best {self.best}"
        return f"<Rating {self.guess}: skill {self.skill}, {self.entropy:.4f} bits, {place}>"


class PairRating(NamedTuple):
    """The rating of two guesses that are both chosen before the first feedback.

    Attributes:
        first, second: the guesses; their order does not change the rating.
        entropy: the expected information of the two feedbacks together, in bits.
        cells: the number of cells into which the two guesses together split the candidates.
        worst: the number of candidates in the largest cell.
        expected_size: the expected number of candidates after the two feedbacks.
        remaining: the number of candidates before the two guesses.
        weight: the sum of the candidates' weights, as for `Rating`; None if secrets have no weights.
    """

    first: str
    second: str
    entropy: float
    cells: int
    worst: int
    expected_size: float
    remaining: int
    weight: int | None = None

    def __repr__(self) -> str:
        known = f"{quantity(self.remaining, 'candidate')} in {quantity(self.cells, 'cell')}"
        return f"<PairRating {self.first} {self.second}: {self.entropy:.4f} bits, {known}>"


def rating(analysis: Analysis, guess: str, best: str, policy: OneStep) -> Rating:
    """Return the rating of a guess. It compares the guess with `best`, the guess of `policy`."""
    own, top = analysis.split(guess), analysis.split(best)
    # Equivalent guesses share a rank, so one guess of each group is scored.
    ranked = analysis.rank_guesses(policy)
    (scores,) = analysis.scores([policy], ranked)
    policy = policy.of(analysis.game)
    costs = policy.costs(analysis.weight)
    score, most = [policy.score(analysis.cell_weights(g).values(), costs) for g in (guess, best)]
    place, places = rank(scores, score)
    tied = [index for index, other in zip(ranked, scores, strict=True) if other == most]
    return Rating(
        guess,
        skill(analysis, guess, own, best, top),
        own.entropy,
        best,
        top.entropy,
        place,
        places,
        own.cells,
        own.worst,
        own.expected_size,
        analysis.chance(guess),
        len(analysis.candidates),
        weight=analysis.total,
        mirror=mirror_of(analysis, guess, best, tied),
    )


def mirror_of(analysis: Analysis, guess: str, best: str, tied: Sequence[int]) -> str:
    """Return another guess that is equivalent to `best`, preferably `guess`, otherwise one of `tied`; "" if none is."""
    game = analysis.game
    if not isinstance(game, SymmetricGame):
        return ""
    top, effort = game.parse_code(best), SearchBudget()
    # No two guesses in `tied` are equivalent, so if `best` is in `tied`, only `guess` can be equivalent to `best`.
    others = [game.parse_code(guess), *([] if top in tied else tied)]
    mirrors = (k for k in others if k != top and analysis.maps([k], [top], effort))
    return next((game.guesses[k] for k in mirrors), "")


def pair_rating(analysis: Analysis, first: str, second: str) -> PairRating:
    """Return the rating of two guesses that are both chosen before the first feedback."""
    bits, expected, cells, worst = analysis.pair(first, second)
    left, total = len(analysis.candidates), analysis.total
    return PairRating(first, second, bits, cells, worst, expected, left, total)


def skill(analysis: Analysis, guess: str, own: Split, best: str, top: Split) -> int:
    """Return the value of `guess` as a percentage of the value of `best`, at most 100.

    The value of a guess is its expected information, in bits, plus its probability to be the secret.
    """
    most = top.entropy + analysis.chance(best)
    if not most:  # The value of the best guess is 0 only if the book is wrong.
        raise wrong_tree(analysis.game, analysis.history)
    return min(100, round(100 * (own.entropy + analysis.chance(guess)) / most))


def rank(scores: Sequence[int], own: int) -> tuple[int, int]:
    """Return the rank of the score `own` (1 for the highest) and the number of ranks; equal scores share a rank."""
    different = {*scores, own}
    return 1 + sum(other > own for other in different), len(different)


def luck(sizes: dict[int, int], feedback: int, solved: int) -> int:
    """Return the luck of a feedback: 0 to 100 (mean 50), higher for smaller cells, highest for "solved".

    `sizes` maps each feedback number to the weight of its cell.

    >>> luck({4: 3, 7: 1}, 7, solved=14), luck({4: 3, 7: 1}, 4, solved=14)
    (88, 38)
    """
    told = {number: (number == solved, -size) for number, size in sizes.items()}
    less = sum(size for number, size in sizes.items() if told[number] < told[feedback])
    same = sum(size for number, size in sizes.items() if told[number] == told[feedback])
    return int((100 * less + 50 * same) / sum(sizes.values()) + 0.5)


# Work is the number of pairs of guesses times the number of candidates. Work above SOME_WORK (a second or two in plain
# Python) is done by the engine. Without the engine, work above MAX_PLAIN_WORK (a minute or two) is refused.
SOME_WORK = 20_000_000
MAX_PLAIN_WORK = 600_000_000
# Work above MAX_WORK (some minutes in the engine) is refused. More than MAX_FEEDBACKS feedbacks need too much memory.
MAX_WORK = 500_000_000_000
MAX_FEEDBACKS = 1 << 28
# For each requested pair, the search for equivalent pairs may take this number of steps (a tenth of a second).
MAX_STEPS_TO_TELL = 5 * MAX_STEPS
# With more first guesses than this, equivalent second guesses are not excluded.
MAX_FIRSTS = 100

# The cost of a pair (lower is better) and the indices of its two guesses, the lower index first.
Found = tuple[int, int, int]


def best_pairs(analysis: Analysis, count: int = 10) -> list[PairRating]:
    """Return the `count` pairs of guesses with the most expected information, best first, without equivalent pairs."""
    search = searcher(analysis)
    wanted = 2 * count
    while True:
        found = search(wanted)
        kept = distinct(analysis, found, count)
        if len(kept) == count or len(found) < wanted:
            guesses = analysis.game.guesses
            return [pair_rating(analysis, guesses[a], guesses[b]) for _, a, b in kept]
        wanted *= 4


def searcher(analysis: Analysis) -> Callable[[int], list[Found]]:
    """Return a function that takes a number n and returns the n pairs of guesses with the most expected information."""
    game, size = analysis.game, len(analysis.candidates)
    costs, counted = POLICIES["entropy"].costs(analysis.weight), analysis.sums.cell_weights
    firsts = analysis.inequivalent()
    partners = partners_of(analysis, firsts)
    if partners is not None:
        needed = {*partners, *chain.from_iterable(partners.values())}
        some = {index: analysis.answers(game.guesses[index]) for index in needed}
        return lambda count: search_plain(some, partners, costs, count, counted)
    work = size * len(firsts) * len(game.guesses)
    if work > MAX_WORK or size * len(game.guesses) > MAX_FEEDBACKS:
        raise UsageError(
            f"found {len(game.guesses):,} guesses and {size:,} candidates, too many pairs to "
            "search; rate a pair of your own, or give a history that leaves fewer candidates"
        )
    every = range(len(game.guesses))
    rows = {index: analysis.answers(game.guesses[index]) for index in every}
    if work > SOME_WORK:
        try:
            # Imported here, because small searches need no engine.
            from guessbook.engine.binding import engine
            from guessbook.engine.partitions import (
                best_pairs as best_of,
            )  # This function needs the engine.

            engine()
            weights = weights_of(game, analysis.candidates)
            return lambda count: best_of([*rows.values()], firsts, costs, count, weights)
        except EngineError as error:
            if work > MAX_PLAIN_WORK:
                raise UsageError(
                    f"found {len(game.guesses):,} guesses and {size:,} candidates, "
                    f"too many pairs to search in plain Python: {error}"
                ) from None
    return lambda count: search_plain(rows, dict.fromkeys(firsts, every), costs, count, counted)


def partners_of(analysis: Analysis, firsts: Sequence[int]) -> dict[int, Sequence[int]] | None:
    """Return, for each first guess, a list of second guesses: only one guess of each group of equivalent guesses.

    Return None if rating all these pairs in plain Python would be slow.
    """
    if len(firsts) > MAX_FIRSTS:
        return None
    partners: dict[int, Sequence[int]] = {}
    work = 0
    for first in firsts:
        partners[first] = analysis.inequivalent(made=[first])
        work += len(partners[first]) * len(analysis.candidates)
        if work > SOME_WORK:
            return None
    return partners


def distinct(analysis: Analysis, found: Sequence[Found], count: int) -> list[Found]:
    """Return the first `count` pairs of `found` that are not known to be equivalent to an earlier pair."""
    kept: list[Found] = []
    effort = SearchBudget(count * MAX_STEPS_TO_TELL)
    for cost, a, b in found:
        # A symmetry preserves the cost, so only pairs of equal cost can be equivalent.
        if len(kept) < count and not any(
            analysis.maps((c, d), pair, effort)
            for other, c, d in kept
            if other == cost
            for pair in ((a, b), (b, a))
        ):
            kept.append((cost, a, b))
    return kept


def search_plain(
    rows: Mapping[int, Sequence[int]],
    partners: Mapping[int, Sequence[int]],
    costs: Sequence[int],
    count: int,
    counted: Callable[[Iterable[Any]], Mapping[Any, int]] = Counter,
) -> list[Found]:
    """Return the `count` pairs of lowest cost, computed in plain Python.

    `rows` maps each guess to the feedback numbers of all candidates. `partners` maps each first guess to its second
    guesses. `costs[n]` is the cost of a cell of weight n. `counted` returns the weight of each cell.
    """
    # `alone` has the cost of each single guess. A lower cost means more expected information.
    alone = {index: sum(costs[n] for n in counted(row).values()) for index, row in rows.items()}

    def rank(index: int) -> tuple[int, int]:
        return alone[index], index

    whole = costs[-1]
    kept: list[Found] = []
    seen: set[tuple[int, int]] = set()
    orders: dict[int, list[int]] = {}
    for a in sorted(partners, key=rank):
        every = partners[a]
        # Several first guesses may share a sequence of second guesses. The sequence is sorted only once.
        if id(every) not in orders:
            orders[id(every)] = sorted(every, key=rank)
        for b in orders[id(every)]:
            # The information of a pair is at most the sum for its two guesses. If this sum is too low, the loop ends,
            # because it is not higher for any later guess `b`.
            if len(kept) == count and alone[a] + alone[b] - whole > kept[-1][0]:
                break
            pair = (min(a, b), max(a, b))
            if a == b or pair in seen:
                continue
            seen.add(pair)
            both = counted(zip(rows[a], rows[b], strict=True))
            cost = sum(costs[n] for n in both.values())
            if len(kept) < count or (cost, *pair) < kept[-1]:
                kept = sorted([*kept, (cost, *pair)])[:count]
    return kept

"""The explanation of a guess: its partition, and the best alternative guesses."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from guessbook.book.errors import quantity
from guessbook.book.games.game import SymmetricGame
from guessbook.book.games.symmetry import SearchBudget
from guessbook.book.games.weights import likeliest_first
from guessbook.play.analysis import (
    Analysis,
    ranking_policy,
    surprise,
    with_limits,
)
from guessbook.policy.identification import outcome_bits, rank_tests
from guessbook.policy.policy import POLICIES, Policy

# The largest number of candidates that a cell lists.
EXAMPLES = 5


class Cell(NamedTuple):
    """One cell of a guess's partition: a possible feedback and the candidates that give it.

    Attributes:
        feedback: the feedback as text, such as "1,1".
        size: the number of candidates in the cell.
        chance: the probability of the feedback, by the weights of the secrets.
        bits: the information of the feedback, in bits: -log2(chance).
        sum: the sum of chance * bits over the cells up to this one. The sum in the last cell is the
            entropy.
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
        guess: the guess.
        candidate: whether the guess may be the secret.
        entropy: its expected information, in bits.
        expected_size: the expected number of candidates after its feedback. If secrets have
            weights, `expected_size` and `worst` are sums of weights instead of numbers of
            candidates.
        cells: the number of cells into which it splits the candidates.
        worst: the number of candidates in the largest cell.
        chance: the probability that the guess is the secret; None if secrets have no weights.
        cost: the cost of a test, in the units of the table; None for a guess. The `entropy` of a
            test is its expected information about the outcome.
    """

    guess: str
    candidate: bool
    entropy: float
    expected_size: float
    cells: int
    worst: int
    chance: float | None = None
    cost: int | float | None = None


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
        among_guesses: whether guesses outside the list of secrets are candidates because no listed
            secret fits.
        weight: the sum of the candidates' weights; None if secrets have no weights.
        chance: the probability that the guess is the secret; None if secrets have no weights.
        breaks: the rule of hard mode that the guess breaks; empty if it breaks none or the policy
            has no hard mode.
        win: the probability that the policy `win` finds the secret within its limit of guesses. It
            is None if the policy is not `win`, the game is solved, `refuse` has marked a guess, or
            you passed the guess to `explain`.
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


def explain(
    analysis: Analysis, guess: str, policy: Policy, count: int, refused: Sequence[str] = ()
) -> Explanation:
    """Explain a guess, with at most `count` alternatives, none of which is in `refused`."""
    if analysis.game.identification is not None:
        return _explain_test(analysis, guess, policy, count)
    rule = ranking_policy(policy)
    rules = [rule, *[with_limits(other, rule) for other in POLICIES.values()]]
    counts = [count, *[1] * len(POLICIES)]
    allowed = analysis.allowed(rule, refused)
    rankings = analysis.best_guesses(rules, allowed, counts)
    if isinstance(analysis.game, SymmetricGame):
        # Every code of a code game is a listed guess, so `parse_code` cannot fail.
        index = analysis.game.parse_code(guess)
        if index not in allowed:
            budget = SearchBudget()
            rankings = [_with_guess(analysis, index, ranking, budget) for ranking in rankings]
    codes = analysis.game.guesses
    known = {
        index: _alternative(analysis, codes[index]) for ranking in rankings for index in ranking
    }
    best, *best_by = rankings
    own = _alternative(analysis, guess)
    return Explanation(
        guess,
        own.candidate,
        len(analysis.candidates),
        own.entropy,
        policy.name,
        rule.name,
        tuple(_cells(analysis, guess)),
        tuple([known[index] for index in best]),
        MappingProxyType({name: known[i] for name, (i,) in zip(POLICIES, best_by, strict=True)}),
        weight=analysis.total,
        chance=own.chance,
    )


def _explain_test(analysis: Analysis, test: str, policy: Policy, count: int) -> Explanation:
    """Explain a test, with at most `count` alternatives, ranked by the plan of the policy."""
    game, plan = analysis.game, policy.plan(analysis.game)
    ranked = rank_tests(game, plan, analysis.history, analysis.candidates)
    best_by = {
        name: rank_tests(
            game, plan._replace(rule=rule.of(game)), analysis.history, analysis.candidates
        )
        for name, rule in POLICIES.items()
    }
    own = _test(analysis, test)
    return Explanation(
        test, False, len(analysis.candidates), own.entropy, policy.name, plan.rule.name,
        tuple(_cells(analysis, test)),
        tuple([_test(analysis, game.guesses[index]) for index in ranked[:count]]),
        MappingProxyType(
            {name: _test(analysis, game.guesses[found[0]]) for name, found in best_by.items() if found}
        ),
        weight=analysis.total,
    )  # fmt: skip


def _test(analysis: Analysis, test: str) -> Alternative:
    """Return a test as an alternative, with its bits about the outcome and its cost."""
    game = analysis.game
    assert game.identification is not None
    index = game.parse_code(test)
    split = analysis.split(test)._replace(entropy=outcome_bits(game, analysis.candidates, index))
    cost = game.identification.shown(game.identification.costs[index])
    return Alternative(test, False, *split, cost=cost)


def _with_guess(
    analysis: Analysis, index: int, ranking: list[int], budget: SearchBudget
) -> list[int]:
    """Return a ranking in which the guess `index` replaces an equivalent guess, if there is one."""
    # A ranking has only the first of each group of equivalent guesses, and the explained guess may
    # be another guess of its group.
    found = [index if analysis.equivalent([index], [k], budget) else k for k in ranking]
    return found if found.count(index) == 1 else ranking


def _alternative(analysis: Analysis, guess: str) -> Alternative:
    chance = None if analysis.total is None else analysis.chance(guess)
    return Alternative(guess, guess in analysis.possible, *analysis.split(guess), chance)


def _cells(analysis: Analysis, guess: str) -> list[Cell]:
    """Return the cells of a guess, the likeliest cell first."""
    game, total = analysis.game, analysis.weight
    weights, candidates = analysis.cells(guess), analysis.partition(guess)
    cells = []
    entropy = 0.0
    for feedback in sorted(weights, key=lambda feedback: (-weights[feedback], feedback)):
        chance = weights[feedback] / total
        bits = surprise(weights[feedback], total)
        entropy += chance * bits
        examples = likeliest_first(game, candidates[feedback])[:EXAMPLES]
        text, size = game.format_feedback(feedback), len(candidates[feedback])
        cells.append(Cell(text, size, chance, bits, entropy, tuple(examples)))
    return cells

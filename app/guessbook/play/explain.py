"""The explanation of a guess: its partition, and the best alternative guesses."""

from collections.abc import Mapping, Sequence
from heapq import nlargest
from types import MappingProxyType
from typing import NamedTuple

from guessbook.book.errors import quantity
from guessbook.book.games.beyond import others_fitting
from guessbook.book.games.symmetry import SearchBudget, has_symmetry
from guessbook.book.games.weights import likeliest_first, weight_of
from guessbook.lookup.hint import Hint
from guessbook.play.analysis import Analysis, surprise
from guessbook.policy.notation import PolicyLike, fallback
from guessbook.policy.one_step import POLICIES, OneStep

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
    if has_symmetry(
        analysis.game
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
    only = getattr(asked, "consistent_only", False)
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

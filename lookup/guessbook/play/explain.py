"""The explanation of a guess: its partition, and guesses nearly as good."""

from collections.abc import Mapping, Sequence
from heapq import nlargest
from types import MappingProxyType
from typing import NamedTuple

from guessbook.book.errors import counted
from guessbook.book.games.beyond import others_fitting
from guessbook.book.games.symmetry import SearchBudget, has_symmetry
from guessbook.book.games.weights import likeliest_first, weight_of
from guessbook.lookup.hint import Hint
from guessbook.play.analysis import Analysis, surprise
from guessbook.policy.notation import PolicyLike, fallback
from guessbook.policy.one_step import POLICIES, OneStep

EXAMPLES = 5


class Cell(NamedTuple):
    """One feedback that a guess may get.

    Attributes:
        feedback: as people write it.
        size: the number of candidates that give it.
        chance: the probability that it comes, by the weights of the secrets.
        bits: its information if it comes: -log2(chance).
        sum: the sum of chance * bits up to this cell; the last sum is the partition's entropy.
        examples: some of its candidates: the likeliest ones, of equals the first.
    """

    feedback: str
    size: int
    chance: float
    bits: float
    sum: float
    examples: tuple[str, ...]


class Alternative(NamedTuple):
    """A guess with its number under each one-step policy; see `analysis.Split`.

    Attributes:
        chance: the probability that it is the secret; None where secrets have no weights.
    """

    guess: str
    candidate: bool
    entropy: float
    expected_size: float
    cells: int
    worst: int
    chance: float | None = None


class Explanation(NamedTuple):
    """Why a guess.

    Attributes:
        guess: the guess.
        candidate: whether it may be the secret.
        remaining: the number of candidates before it.
        entropy: the expected information of its feedback, in bits.
        policy: the name of the policy; of an imported tree `entropy`, which plays off it.
        ranked_by: the one-step policy that ranks alternatives: the policy, its base, or `entropy`.
        partition: its cells, the largest first.
        alternatives: the best guesses by the policy `ranked_by`, best first.
        best_by: the best guess of each one-step policy.
        among_guesses: whether no secret fits, so that the fitting guesses are the candidates.
        weight: the sum of the candidates' weights; None where secrets have no weights.
        chance: the probability that it is the secret; None where secrets have no weights.
        breaks: the rule of hard mode that it breaks, if the book keeps this mode; else empty.
        win: for the suggested guess of the policy `win`, its probability to find the secret within
            the remaining guesses; else None.
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
        known = f"{counted(self.remaining, 'candidate')} in {counted(len(self.partition), 'cell')}"
        return f"<Explanation {self.guess}: {self.entropy:.4f} bits, {known}>"


def explanation(
    analysis: Analysis, guess: str, policy: PolicyLike, count: int = 10, refused: Sequence[str] = ()
) -> Explanation:
    """Explain a guess, with `count` alternatives, none of which is refused."""
    rule = ranking_policy(policy)
    rules = [rule, *[limited(other, rule) for other in POLICIES.values()]]
    ranked = analysis.ranked(rule, refused)
    counts = [count, *[1] * len(POLICIES)]
    columns = zip(analysis.scores(rules, ranked), counts, strict=True)
    orders = [best_first(analysis, ranked, scores, most) for scores, most in columns]
    if has_symmetry(analysis.game):  # such a game has no unlisted guesses
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
    """Return the best guesses, with the explained guess in place of an equivalent one.

    Only the lowest of equivalent guesses is ranked. A hint by symmetry or through a shuffle often is another one.
    """
    own = [index if analysis.carried([index], [other], effort) else other for other in top]
    return own if own.count(index) == 1 else top


def ranking_policy(policy: PolicyLike) -> OneStep:
    """Return the one-step policy that ranks guesses: a policy itself, its base, or `entropy`."""
    asked = fallback(policy)
    # `entropy` ranks only candidates if the policy guesses no others.
    only = getattr(asked, "consistent_only", False)
    return asked.rule or POLICIES["entropy"]._replace(consistent_only=only)


def yardstick(policy: PolicyLike) -> OneStep:
    """Return the policy `entropy`, limited to the guesses that a policy is limited to."""
    return limited(POLICIES["entropy"], ranking_policy(policy))


def limited(policy: OneStep, rule: OneStep) -> OneStep:
    """Return a policy that is limited to the guesses of another one."""
    return policy._replace(consistent_only=rule.consistent_only, hard_mode=rule.hard_mode)


def unrefused(analysis: Analysis, hint: Hint, policy: PolicyLike, refused: Sequence[str]) -> Hint:
    """Return the hint without refused words: its own guess, or the next one of the ranking."""
    guess, remaining = hint.guess, len(analysis.candidates)
    if guess in refused:
        rule = ranking_policy(policy)
        left = analysis.ranked(rule, refused)
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


def best_first(analysis: Analysis, guesses: Sequence[int], scores: Sequence[int], count: int) -> list[int]:
    """Return the `count` best guesses; ties go to a candidate, then to the lowest index."""
    codes, possible = analysis.game.guesses, analysis.possible
    least = nlargest(count, scores)[-1]
    keys = [
        (-score, codes[index] not in possible, index)
        for index, score in zip(guesses, scores, strict=True)
        if score >= least
    ]
    return [index for _, _, index in sorted(keys)[:count]]


def alternative(analysis: Analysis, index: int) -> Alternative:
    """Return a guess with its numbers."""
    guess = analysis.game.guesses[index]
    chance = None if analysis.total is None else analysis.chance(guess)
    return Alternative(guess, guess in analysis.possible, *analysis.split(guess), chance)


def cells(analysis: Analysis, guess: str) -> tuple[Cell, ...]:
    """Return the partition that a guess makes, the likeliest cell first."""
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

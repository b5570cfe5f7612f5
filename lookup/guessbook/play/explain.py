"""The explanation of a guess: its partition, and guesses nearly as good."""

from collections.abc import Mapping, Sequence
from heapq import nlargest
from types import MappingProxyType
from typing import NamedTuple

from guessbook.book.errors import counted
from guessbook.book.games.beyond import among_guesses, others_fitting
from guessbook.book.games.symmetry import SearchBudget, has_symmetry
from guessbook.book.games.weights import likeliest_first, weight_of
from guessbook.lookup.hint import Hint
from guessbook.play.analysis import Analysis, surprise
from guessbook.policy.notation import PolicyLike, fallback
from guessbook.policy.one_step import POLICIES, OneStep, allowed

EXAMPLES = 5


class Cell(NamedTuple):
    """One feedback that a guess may get.

    Attributes:
        feedback: as people write it.
        size: the number of candidates that give it.
        chance: the probability that it comes, by the weights of the secrets.
        bits: its information if it comes: -log2(chance).
        sum: the sum of chance * bits over this cell and those before it; the last one is the
            entropy of the partition.
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
        entropy: the information that its feedback is expected to give.
        policy: the name of the policy; of an imported tree `entropy`, which plays off it.
        ranked_by: the one-step policy that ranks the alternatives: the policy itself, its base, or
            `entropy`.
        partition: its cells, the largest first.
        alternatives: the best guesses by that policy, best first.
        best_by: for each one-step policy its own guess.
        among_guesses: whether no secret fits, and guesses that do are the candidates.
        weight: the sum of the candidates' weights; None where secrets have no weights.
        chance: the probability that it is the secret; None where secrets have no weights.
        breaks: the rule of hard mode that it breaks, if the book keeps this mode; else empty.
        win: of the suggested guess, the probability that the policy `win` finds the secret within
            the guesses that are left; else None.
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
    """Explain a guess after the history of an analysis.

    Args:
        analysis: the candidates.
        guess: the guess.
        policy: the policy, as `policy_of` takes it.
        count: the number of alternatives to list.
        refused: guesses that are excluded.
    """
    rule = ranking_policy(policy)
    rules = [rule]
    for other in POLICIES.values():
        rules.append(other._replace(consistent_only=rule.consistent_only, hard_mode=rule.hard_mode))
    indices = allowed(analysis.game, rule, analysis.history, analysis.candidates)
    ranked = accepted(analysis, indices, refused)
    possible = set(analysis.candidates)
    # Best first by the tie rule of every book: a candidate, then the lowest index.
    columns = analysis.scores(rules, ranked)
    counts = [count, *[1] * len(POLICIES)]
    orders = [
        best_first(analysis, ranked, *each, possible) for each in zip(columns, counts, strict=True)
    ]
    if has_symmetry(analysis.game):  # such a game has no unlisted guesses
        index, effort = analysis.game.parse_code(guess), SearchBudget()
        if index not in ranked:
            orders = [shown_as(analysis, index, order, effort) for order in orders]
    best = orders[0]
    listed = [order[0] for order in orders[1:]] + best
    known = {index: alternative(analysis, index, possible) for index in listed}
    best_by = {other.name: known[o[0]] for other, o in zip(rules[1:], orders[1:], strict=True)}
    return Explanation(
        guess,
        guess in possible,
        len(analysis.candidates),
        analysis.split(guess).entropy,
        fallback(policy).name,
        rule.name,
        cells(analysis, guess),
        tuple([known[index] for index in best]),
        MappingProxyType(best_by),
        weight=analysis.total,
        chance=None if analysis.total is None else analysis.chance(guess),
    )


def shown_as(analysis: Analysis, index: int, top: list[int], effort: SearchBudget) -> list[int]:
    """Return the best guesses, with the explained guess in place of an equivalent one.

    Of equivalent guesses only the lowest is ranked, and the suggested one may be another: a hint by
    symmetry, or through a shuffle, often is.
    """
    own = [index if analysis.carried([index], [other], effort) else other for other in top]
    return own if own.count(index) == 1 else top


def ranking_policy(policy: PolicyLike) -> OneStep:
    """Return the one-step policy that ranks guesses for a policy: itself, its base, or `entropy`.

    `entropy` ranks all guesses, or only candidates where the policy guesses no others.
    """
    asked = fallback(policy)
    limited = getattr(asked, "consistent_only", False)
    return asked.rule or POLICIES["entropy"]._replace(consistent_only=limited)


def yardstick(policy: PolicyLike) -> OneStep:
    """Return the policy `entropy`, limited to the guesses that a policy is limited to."""
    rule = ranking_policy(policy)
    entropy = POLICIES["entropy"]
    return entropy._replace(consistent_only=rule.consistent_only, hard_mode=rule.hard_mode)


def without(analysis: Analysis, refused: Sequence[str]) -> Analysis:
    """Return the candidates that are not refused; where none is left, those among all guesses."""
    found = [code for code in analysis.candidates if code not in refused]
    more = among_guesses(analysis.game) if analysis.candidates and not found else None
    if more is not None:
        analysis = Analysis(more, analysis.history)
        found = [code for code in analysis.candidates if code not in refused]
    return Analysis(analysis.game, analysis.history, found)


def accepted(
    analysis: Analysis, indices: Sequence[int] | None, refused: Sequence[str]
) -> Sequence[int]:
    """Return the guesses to rank: the lowest of each equivalence class, without refused ones."""
    ranked, codes = analysis.inequivalent(indices), analysis.game.guesses
    return [k for k in ranked if codes[k] not in refused] if refused else ranked


def unrefused(analysis: Analysis, hint: Hint, policy: PolicyLike, refused: Sequence[str]) -> Hint:
    """Return the hint without refused words: its own guess, or the next one of the ranking."""
    possible, guess = set(analysis.candidates), hint.guess
    if guess in refused:
        rule, codes = ranking_policy(policy), analysis.game.guesses
        indices = allowed(analysis.game, rule, analysis.history, analysis.candidates)
        left = accepted(analysis, indices, refused)
        (scores,) = analysis.scores([rule], left)
        guess = codes[best_first(analysis, left, scores, 1, possible)[0]]
    return hint._replace(
        guess=guess,
        source="live",
        remaining=len(possible),
        entropy=analysis.split(guess).entropy,
        candidate=guess in possible,
        chance=analysis.chance(guess),
        others=others_fitting(analysis.game, analysis.history, len(possible), refused),
        win=None,
    )


def best_first(
    analysis: Analysis,
    guesses: Sequence[int],
    scores: Sequence[int],
    count: int,
    possible: set[str],
) -> list[int]:
    """Return the `count` best guesses: by score, then candidates, then the lowest index."""
    codes = analysis.game.guesses
    least = nlargest(count, scores)[-1]
    keys = [
        (-score, codes[index] not in possible, index)
        for index, score in zip(guesses, scores, strict=True)
        if score >= least
    ]
    return [index for _, _, index in sorted(keys)[:count]]


def alternative(analysis: Analysis, index: int, possible: set[str]) -> Alternative:
    """Return a guess with its numbers."""
    guess = analysis.game.guesses[index]
    chance = None if analysis.total is None else analysis.chance(guess)
    return Alternative(guess, guess in possible, *analysis.split(guess), chance)


def cells(analysis: Analysis, guess: str) -> tuple[Cell, ...]:
    """Return the partition that a guess makes, the likeliest cell first."""
    game, total = analysis.game, analysis.weight
    listed = []
    so_far = 0.0
    for number, codes in analysis.cells(guess).items():
        weight = weight_of(game, codes)
        bits = surprise(weight, total)
        so_far += weight / total * bits
        listed.append(
            Cell(
                game.format_feedback(number),
                len(codes),
                weight / total,
                bits,
                so_far,
                tuple(likeliest_first(game, codes)[:EXAMPLES]),
            )
        )
    return tuple(listed)

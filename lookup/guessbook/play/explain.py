"""Explaining a guess: its partition, and the guesses that were nearly as good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from guessbook.book.games.symmetry import has_symmetry
from guessbook.play.analysis import Analysis, split_of, surprise
from guessbook.policy.notation import fallback
from guessbook.policy.one_step import POLICIES, OneStep
from guessbook.policy.reference import allowed
from guessbook.policy.search.symmetry import leading, representatives

EXAMPLES = 5

# Guesses whose images under all permutations are looked at, in plain Python.
MAX_LEADING = 10_000


class Cell(NamedTuple):
    """One feedback that a guess may get.

    Attributes:
        feedback: as people write it.
        size: how many candidates give it.
        probability: that it comes.
        bits: what it tells if it comes: -log2(probability).
        sum: the sum of probability * bits over this cell and those before it; the last one is the
            entropy of the partition.
        examples: some of its candidates, the first ones.
    """

    feedback: str
    size: int
    probability: float
    bits: float
    sum: float
    examples: list[str]


class Alternative(NamedTuple):
    """A guess with its number under each one-step policy; see `analysis.Split`."""

    guess: str
    candidate: bool
    bits: float
    expected_size: float
    cells: int
    worst: int


class Explanation(NamedTuple):
    """Why a guess.

    Attributes:
        guess: the guess.
        candidate: whether it may be the secret.
        remaining: how many candidates there are before it.
        bits: the information that its feedback is expected to give.
        policy: the one-step policy that the alternatives are ranked by.
        partition: its cells, the largest first.
        alternatives: the best guesses by that policy, best first.
        best_by: for each one-step policy its own guess.
    """

    guess: str
    candidate: bool
    remaining: int
    bits: float
    policy: str
    partition: list[Cell]
    alternatives: list[Alternative]
    best_by: dict[str, Alternative]


def explanation(
    analysis: Analysis, guess: str, policy: str | Mapping[str, object], count: int = 10
) -> Explanation:
    """Why a guess, after the history of an analysis.

    Args:
        analysis: the candidates.
        guess: the guess.
        policy: the policy, as the header of a book has it.
        count: how many alternatives are listed.
    """
    rule = ranking_policy(policy)
    rules = [rule]
    for other in POLICIES.values():
        rules.append(other._replace(consistent_only=rule.consistent_only, hard_mode=rule.hard_mode))
    indices = allowed(analysis.game, rule, analysis.history, analysis.candidates)
    scores = analysis.scores(rules, inequivalent(analysis, indices))
    possible = set(analysis.candidates)
    # Best first by the tie rule of every book: a candidate, then the lowest index.
    orders = [best_first(analysis, scores.guesses, column, possible) for column in scores.columns]
    index = analysis.game.parse_code(guess)
    orders = [shown_as(analysis, index, order, count) for order in orders]
    ranked = orders[0][:count]
    listed = [order[0] for order in orders[1:]] + ranked
    known = {index: alternative(analysis, index, possible) for index in listed}
    partition = cells(analysis, guess)
    return Explanation(
        guess,
        guess in possible,
        len(analysis.candidates),
        split_of([cell.size for cell in partition]).bits,
        rule.name,
        partition,
        [known[index] for index in ranked],
        {other.name: known[o[0]] for other, o in zip(rules[1:], orders[1:], strict=True)},
    )


def inequivalent(
    analysis: Analysis, indices: list[int] | None, made: Sequence[int] = ()
) -> list[int] | None:
    """Of guesses that a symmetry carries onto each other the lowest, where that is quickly found.

    In a large code game `Analysis.scores` sees to it, or there is little symmetry left.

    Args:
        analysis: the candidates.
        indices: the guesses; all of the game if None.
        made: guesses that the symmetry has to leave as they are, beside those of the history.
    """
    game = analysis.game
    if not has_symmetry(game):
        return indices
    # Of a guess that has been made the symmetry looks at the code alone.
    history = [*analysis.history, *[(guess, 0) for guess in made]]
    found = indices or list(islice(leading(game, history, analysis.candidates), MAX_LEADING + 1))
    if len(found) > MAX_LEADING:
        return indices
    return representatives(game, history, analysis.candidates, found)


def shown_as(analysis: Analysis, index: int, order: list[int], count: int) -> list[int]:
    """The first `count` of an order, in which a guess stands for those that are equivalent to it.

    Of equivalent guesses only the lowest is ranked, and the suggested one may be another: a hint by
    symmetry, or through a shuffle, often is.
    """
    top = order[:count]
    if index in order:
        return top
    own = [index if analysis.carried([index], [other]) else other for other in top]
    return own if own.count(index) == 1 else top


def ranking_policy(policy: str | Mapping[str, object]) -> OneStep:
    """The one-step policy that ranks guesses for a policy: itself, its base, or `entropy`.

    `entropy` ranks all guesses, or only candidates where the policy guesses no others.
    """
    asked = fallback(policy)
    limited = getattr(asked, "consistent_only", False)
    return asked.rule or POLICIES["entropy"]._replace(consistent_only=limited)


def best_first(
    analysis: Analysis, guesses: Sequence[int], scores: Sequence[int], possible: set[str]
) -> list[int]:
    """Guesses by score, then candidates, then the lowest index."""
    codes = analysis.game.guesses
    keys = [
        (-score, codes[index] not in possible, index)
        for index, score in zip(guesses, scores, strict=True)
    ]
    return [index for _, _, index in sorted(keys)]


def alternative(analysis: Analysis, index: int, possible: set[str]) -> Alternative:
    """A guess with its numbers."""
    guess = analysis.game.guesses[index]
    return Alternative(guess, guess in possible, *analysis.split(guess))


def cells(analysis: Analysis, guess: str) -> list[Cell]:
    """The partition that a guess makes, the largest cell first."""
    total = len(analysis.candidates)
    listed = []
    so_far = 0.0
    for number, codes in analysis.cells(guess).items():
        bits = surprise(len(codes), total)
        so_far += len(codes) / total * bits
        listed.append(
            Cell(
                analysis.game.format_feedback(number),
                len(codes),
                len(codes) / total,
                bits,
                so_far,
                codes[:EXAMPLES],
            )
        )
    return listed

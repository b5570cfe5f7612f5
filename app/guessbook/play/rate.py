"""Ratings, which compare guesses with the best guess; docs/reference/ratings.md has the formulas."""

from collections.abc import Sequence
from typing import NamedTuple

from guessbook.book.errors import quantity
from guessbook.book.games.symmetry import SearchBudget, has_symmetry
from guessbook.lookup.walk import wrong_tree
from guessbook.play.analysis import Analysis, Split
from guessbook.policy.one_step import OneStep


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
    if not has_symmetry(game):
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

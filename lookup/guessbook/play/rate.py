"""Ratings of guesses against the best guess; docs/reference/ratings.md has the formulas."""

from collections.abc import Sequence
from typing import NamedTuple

from guessbook.book.errors import counted
from guessbook.book.games.symmetry import SearchBudget, has_symmetry
from guessbook.lookup.walk import wrong_tree
from guessbook.play.analysis import Analysis, Split
from guessbook.policy.one_step import OneStep


class Rating(NamedTuple):
    """A guess against the best one.

    Attributes:
        guess: the guess.
        skill: 0 to 100; 100 is as good as the best.
        entropy: the expected information of its feedback, in bits.
        best: the guess of the policy `entropy`, the yardstick.
        best_entropy: the expected information of its feedback, in bits.
        rank: 1 for the most expected information; equally good guesses share a rank.
        ranks: the number of ranks.
        cells: the number of cells into which it splits the candidates.
        worst: the number of candidates in the largest cell.
        expected_size: the expected number of remaining candidates.
        chance: the probability that it is the secret.
        remaining: the number of candidates before it.
        breaks: the rule of hard mode that it breaks, if the book keeps this mode; else empty.
        weight: the sum of the candidates' weights; `worst` and `expected_size` are weights, too.
            None where secrets have no weights.
        mirror: a guess that a symmetry of the history maps to `best`, so that both are equally
            good: the rated guess if it is one, else the lowest one; empty if there is none lower.
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
    """Two guesses that are made one after the other, whatever the first feedback is.

    Attributes:
        first, second: the guesses; their order changes nothing.
        entropy: the expected information of both feedbacks together, in bits.
        cells: the number of cells into which both together split the candidates.
        worst: the number of candidates in the largest cell.
        expected_size: the expected number of remaining candidates.
        remaining: the number of candidates before them.
        weight: the sum of the candidates' weights; None where secrets have no weights.
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
        known = f"{counted(self.remaining, 'candidate')} in {counted(self.cells, 'cell')}"
        return f"<PairRating {self.first} {self.second}: {self.entropy:.4f} bits, {known}>"


def rating(analysis: Analysis, guess: str, best: str, policy: OneStep) -> Rating:
    """Return the rating of a guess against `best`, the guess of a policy of `yardstick`."""
    own, top = analysis.split(guess), analysis.split(best)
    # Equivalent guesses share a rank, so one of them is enough.
    ranked = analysis.ranked(policy)
    (scores,) = analysis.scores([policy], ranked)
    policy = policy.of(analysis.game)
    costs = policy.costs(analysis.weight)
    score, most = [policy.score(analysis.counted(g).values(), costs) for g in (guess, best)]
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
    """Return a guess that is equivalent to `best`: `guess` if it is, else the lowest one, or "".

    `tied` has the lowest guess of each equivalence class with as much information as `best`.
    """
    game = analysis.game
    if not has_symmetry(game):
        return ""
    top, effort = game.parse_code(best), SearchBudget()
    others = [game.parse_code(guess), *([] if top in tied else tied)]
    mirrors = (k for k in others if k != top and analysis.carried([k], [top], effort))
    return next((game.guesses[k] for k in mirrors), "")


def pair_rating(analysis: Analysis, first: str, second: str) -> PairRating:
    """Return the rating of two guesses."""
    bits, expected, cells, worst = analysis.pair(first, second)
    left, total = len(analysis.candidates), analysis.total
    return PairRating(first, second, bits, cells, worst, expected, left, total)


def skill(analysis: Analysis, guess: str, own: Split, best: str, top: Split) -> int:
    """Return the value of a guess as a percentage of the best guess's value, at most 100.

    The value is the expected information, in bits, plus the probability that the guess is the
    secret. Raises WrongTreeError if the value of the best guess is 0. Only a guess of a wrong book
    is worth 0: if nothing is left to learn, the best guess is the secret.
    """
    most = top.entropy + analysis.chance(best)
    if not most:
        raise wrong_tree(analysis.game, analysis.history)
    return min(100, round(100 * (own.entropy + analysis.chance(guess)) / most))


def rank(scores: Sequence[int], own: int) -> tuple[int, int]:
    """Return the rank of a score, from the best (ties share a rank), and the number of ranks."""
    different = {*scores, own}
    return 1 + sum(other > own for other in different), len(different)


def luck(sizes: dict[int, int], feedback: int, solved: int) -> int:
    """Return the luck of a feedback, 0 to 100; 50 is the mean, neither lucky nor unlucky.

    It is the probability, in percent, of a feedback with less information, plus half of the
    probability of one with equal information. The feedback of a smaller cell has more information,
    and `solved` has the most. `sizes` has the size or weight of the cell of each feedback number.

    >>> luck({4: 3, 7: 1}, 7, solved=14), luck({4: 3, 7: 1}, 4, solved=14)
    (88, 38)
    """
    told = {number: (number == solved, -size) for number, size in sizes.items()}
    less = sum(size for number, size in sizes.items() if told[number] < told[feedback])
    same = sum(size for number, size in sizes.items() if told[number] == told[feedback])
    return int((100 * less + 50 * same) / sum(sizes.values()) + 0.5)

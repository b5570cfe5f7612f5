"""The rating of a guess, by the formulas in docs/reference/ratings.md."""

from collections.abc import Sequence
from typing import NamedTuple

from guessbook.book.games.game import SymmetricGame
from guessbook.book.games.symmetry import SearchBudget
from guessbook.lookup.hint import wrong_tree
from guessbook.play.analysis import Analysis, Split
from guessbook.policy.policy import OneStep


class Rating(NamedTuple):
    """The rating of a guess: its comparison with the best guess.

    The value of a guess is its expected information, in bits, plus its probability of being the
    secret.

    Attributes:
        guess: the rated guess.
        skill: the value of the guess as a percentage of the value of `best`, at most 100.
        entropy: the expected information of the feedback to the guess, in bits.
        best: the guess of the policy `entropy`, with which the guess is compared.
        best_entropy: the expected information of the feedback to `best`, in bits.
        rank: the rank by expected information, 1 for the most; guesses with equal information share
            a rank.
        ranks: the number of different ranks.
        cells: the number of cells into which the guess splits the candidates.
        worst: the number of candidates in the largest cell.
        expected_size: the expected number of candidates after the feedback.
        chance: the probability that the guess is the secret.
        remaining: the number of candidates before the guess.
        breaks: the rule of hard mode that the guess breaks; empty if it breaks none or the policy
            has no hard mode.
        weight: the sum of the candidates' weights; None if secrets have no weights. If there are
            weights, `worst` and `expected_size` are sums of weights instead of numbers of
            candidates.
        mirror: another guess that is equivalent to `best` by symmetry, preferably the rated guess;
            empty if none.
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


def rate(analysis: Analysis, guess: str, best: str, policy: OneStep) -> Rating:
    """Return the rating of a guess in comparison with `best`, the guess of `policy`."""
    own, top = analysis.split(guess), analysis.split(best)
    # Equivalent guesses share a rank, so one guess of each group is scored.
    ranked = analysis.allowed(policy)
    (scores,) = analysis.scores([policy], ranked)
    policy = policy.of(analysis.game)
    own_score = policy.score(analysis.cells(guess).values())
    best_score = policy.score(analysis.cells(best).values())
    different = {*scores, own_score}
    tied = [index for index, score in zip(ranked, scores, strict=True) if score == best_score]
    return Rating(
        guess,
        skill(analysis, guess, own, best, top),
        own.entropy,
        best,
        top.entropy,
        1 + len([score for score in different if score > own_score]),
        len(different),
        own.cells,
        own.worst,
        own.expected_size,
        analysis.chance(guess),
        len(analysis.candidates),
        weight=analysis.total,
        mirror=_mirror(analysis, guess, best, tied),
    )


def skill(analysis: Analysis, guess: str, own: Split, best: str, top: Split) -> int:
    """Return the value of `guess` as a percentage of the value of `best`, at most 100.

    The value of a guess is its expected information, in bits, plus its probability of being the
    secret.
    """
    most = top.entropy + analysis.chance(best)
    if not most:  # The value of the best guess is 0 only if the book is wrong.
        raise wrong_tree(analysis.game, analysis.history)
    return min(100, round(100 * (own.entropy + analysis.chance(guess)) / most))


def _mirror(analysis: Analysis, guess: str, best: str, tied: Sequence[int]) -> str:
    """Return another guess equivalent to `best`: `guess`, else one of `tied`, else ""."""
    game = analysis.game
    if not isinstance(game, SymmetricGame):
        return ""
    top, budget = game.parse_code(best), SearchBudget()
    # No two guesses in `tied` are equivalent, so if `best` is in `tied`, only `guess` can be
    # equivalent to `best`.
    others = [game.parse_code(guess), *([] if top in tied else tied)]
    mirrors = (k for k in others if k != top and analysis.equivalent([k], [top], budget))
    return next((game.guesses[k] for k in mirrors), "")

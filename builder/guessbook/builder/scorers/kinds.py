"""What differs between kinds of games: the scorer and the ranker of a one-step policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guessbook.book.errors import InvalidGameError
from guessbook.book.games.codes import Mastermind
from guessbook.book.games.words import WordGame

if TYPE_CHECKING:
    from guessbook.book.games.game import Game
    from guessbook.builder.scorers.ranking import Ranker
    from guessbook.builder.scorers.scorer import Scorer
    from guessbook.policy.one_step import OneStep

__all__ = ["plain_scorer", "ranker_of"]


def plain_scorer(game: Game, rule: OneStep) -> Scorer:
    """The scorer of a game and a one-step policy that may make every guess.

    Raises:
        InvalidGameError: there is no builder for this kind of game.
    """
    # Each kind has its kernels, and none pays for those of another.
    if isinstance(game, Mastermind):
        from guessbook.builder.scorers.codes import code_scorer

        return code_scorer(game, rule)
    if isinstance(game, WordGame):
        from guessbook.builder.scorers.words import word_scorer

        return word_scorer(game, rule)
    raise InvalidGameError(f"there is no builder for {game.name}")


def ranker_of(game: Game, rule: OneStep) -> Ranker:
    """The ranker of a game and a one-step policy, which may be limited to some guesses.

    Raises:
        InvalidGameError: there is none for this kind of game.
    """
    if isinstance(game, Mastermind):
        from guessbook.builder.scorers.codes import code_scorer
        from guessbook.builder.scorers.ranking import CodeRanker

        scorer = code_scorer(game, rule._replace(consistent_only=False))
        return CodeRanker(
            game, scorer, scorer.rule, scorer.table, scorer.shuffles, rule.consistent_only
        )
    if isinstance(game, WordGame):
        from guessbook.builder.scorers.word_ranking import word_ranker

        return word_ranker(game, rule)
    raise InvalidGameError(f"this policy cannot play {game.name}; take a one-step policy")

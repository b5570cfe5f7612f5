"""The kernel of tables against that of words: entropy of 2,000 guesses x 20,000 secrets.

Run `python benchmarks/table.py`; it prints processor nanoseconds a pair of a guess and a candidate,
the least of several rounds that take turns, and the ratio. Words are of five letters, so that both
have answers of one byte. Once with all guesses, to rank them, and once to choose the best.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from string import ascii_lowercase

import numpy as np

from guessbook.book.games.game import Game
from guessbook.book.games.tables import TableGame
from guessbook.book.games.words import WordGame
from guessbook.builder.games import ranker_of, scorer_of
from guessbook.builder.tables import feedback_table
from guessbook.policy.policy import policy_named

GUESSES, SECRETS, ROUNDS = 2_000, 20_000, 3


def games() -> tuple[WordGame, TableGame]:
    """Words that are made up, and their table: guesses that are no secrets."""
    chance = random.Random(1)
    words: dict[str, None] = {}
    while len(words) < GUESSES + SECRETS:
        words["".join(chance.choices(ascii_lowercase, k=5))] = None
    guesses, secrets = list(words)[:GUESSES], list(words)[GUESSES:]
    game = WordGame(secrets, guesses)
    table = feedback_table(game, range(GUESSES))
    return game, TableGame(guesses, secrets, table)


def ranked(game: Game) -> Callable[[], object]:
    """Scores the first guesses of a game, which are no candidates, against all secrets."""
    ranker = ranker_of(game, policy_named("entropy"))
    candidates = np.arange(len(game.secrets), dtype=np.uint32)
    guesses = np.arange(GUESSES, dtype=np.uint32)
    return lambda: ranker.scorer.scores(candidates, candidates[:0], guesses)


def chosen(game: Game) -> Callable[[], object]:
    """Chooses the best of all guesses for a node with all secrets, as a build does."""
    scorer = scorer_of(game, policy_named("entropy"))
    candidates = np.arange(len(game.secrets), dtype=np.uint32)
    return lambda: scorer.choose(candidates, np.array([0, len(candidates)]), candidates[None, :0])


def main() -> None:
    """Print the nanoseconds of both, and the ratio."""
    words, table = games()
    for title, prepared, pairs in (
        ("rank", ranked, GUESSES * SECRETS),
        ("choose", chosen, (GUESSES + SECRETS) * SECRETS),
    ):
        works = {"words": prepared(words), "table": prepared(table)}
        best = dict.fromkeys(works, float("inf"))
        for _ in range(ROUNDS + 1):  # the first one fills caches
            for name, work in works.items():
                start = time.process_time()
                work()
                best[name] = min(best[name], time.process_time() - start)
        for name, seconds in best.items():
            print(f"{title:<7} {name}  {seconds / pairs * 1e9:.3f} ns a pair")
        print(f"{title:<7} ratio  {best['table'] / best['words']:.2f}")


if __name__ == "__main__":
    main()

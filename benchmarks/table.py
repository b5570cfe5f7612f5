"""Time games of tables against games of words, and identification against a dynamic program.

Run `python benchmarks/table.py`. First it scores 2,000 random words of five letters against 20,000
secrets by entropy, once as a game of words and once as a table, so both have feedbacks of one byte.
It prints processor nanoseconds per pair of a guess and a secret, the least of several rounds, and
the ratio of table to words: once to rank these guesses, and once to choose the best of all guesses.

Then it builds books that identify outcomes in random tables, and prints the processor seconds. For
`optimal`, it also prints those of a dynamic program in plain Python, which finds the same cost.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import cache
from string import ascii_lowercase

import numpy as np

from guessbook import build
from guessbook.book.games.game import Game
from guessbook.book.games.tables import TableGame
from guessbook.book.games.words import WordGame
from guessbook.builder.games import ranker_of, scorer_of
from guessbook.builder.tables import feedback_table
from guessbook.policy.policy import policy_named

GUESSES, SECRETS, ROUNDS = 2_000, 20_000, 3


def games() -> tuple[WordGame, TableGame]:
    """A game of random words, with guesses besides the secrets, and the same game as a table."""
    chance = random.Random(1)
    words: dict[str, None] = {}
    while len(words) < GUESSES + SECRETS:
        words["".join(chance.choices(ascii_lowercase, k=5))] = None
    guesses, secrets = list(words)[:GUESSES], list(words)[GUESSES:]
    game = WordGame(secrets, guesses)
    table = feedback_table(game, range(GUESSES))
    return game, TableGame(guesses, secrets, table, goal="name")


def ranked(game: Game) -> Callable[[], object]:
    """A function that scores the first GUESSES guesses of a game against all secrets."""
    ranker = ranker_of(game, policy_named("entropy"))
    candidates = np.arange(len(game.secrets), dtype=np.uint32)
    guesses = np.arange(GUESSES, dtype=np.uint32)
    return lambda: ranker.scorer.scores(candidates, candidates[:0], guesses)


def chosen(game: Game) -> Callable[[], object]:
    """A function that chooses the best of all guesses for the root, as a build does."""
    scorer = scorer_of(game, policy_named("entropy"))
    candidates = np.arange(len(game.secrets), dtype=np.uint32)
    return lambda: scorer.choose(candidates, np.array([0, len(candidates)]), candidates[None, :0])


def random_table(
    tests: int, things: int, answers: int, outcomes: int | None = None, most_cost: int = 1
) -> TableGame:
    chance = random.Random(1)
    rows = [[chance.randrange(answers) for _ in range(things)] for _ in range(tests)]
    ends = None if outcomes is None else [f"o{chance.randrange(outcomes)}" for _ in range(things)]
    return TableGame(
        [f"t{test}" for test in range(tests)],
        [f"s{thing}" for thing in range(things)],
        rows,
        outcomes=ends,
        costs=[chance.randint(1, most_cost) for _ in range(tests)],
        merge_equal=True,
        goal="identify",
    )


def plain_optimum(game: TableGame) -> int:
    """The least cost to identify the outcome: a dynamic program over sets of things."""
    found = game.identification
    assert found is not None
    rows = [game.row(test) for test in range(game.given)]
    weights = game.weights or [1] * len(game.secrets)

    @cache
    def least(things: tuple[int, ...]) -> int:
        if len({found.outcome_of[thing] for thing in things}) == 1:
            return 0
        best = 1 << 60
        for row, cost in zip(rows, found.costs, strict=True):
            cells: dict[int, list[int]] = {}
            for thing in things:
                cells.setdefault(row[thing], []).append(thing)
            if len(cells) > 1:
                below = [least(tuple(cell)) for cell in cells.values()]
                best = min(best, cost * sum(weights[thing] for thing in things) + sum(below))
        return best

    return least(tuple(range(len(game.secrets))))


def identify() -> None:
    """Print the seconds of builds of random tables, and those of the dynamic program."""
    for title, game, policy in (
        (
            "1,000 things x 60 tests, 40 outcomes, costs",
            random_table(60, 1000, 2, 40, 9),
            "entropy",
        ),
        ("300 things x 12 tests of 4 answers", random_table(12, 300, 4), "optimal"),
        ("200 things x 8 tests of 4 answers", random_table(8, 200, 4), "optimal"),
    ):
        start = time.process_time()
        book = build(game, policy)
        took = time.process_time() - start
        line = f"{title}: {policy} {took:.3f} s, cost {book.stats.total_cost:,}"
        if policy == "optimal":
            start = time.process_time()
            least = plain_optimum(game)
            plain = time.process_time() - start
            assert least == book.stats.total_cost
            line += f"; the plain program {plain:.2f} s, {plain / took:.0f} times as long"
        print(line)


def main() -> None:
    """Compare words with tables, then measure identification."""
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
    identify()


if __name__ == "__main__":
    main()

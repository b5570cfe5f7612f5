"""Random games up to the limits of the engine, for a run under sanitizers."""

from __future__ import annotations

from random import Random

import guessbook as gb
from tests.engine.calls import RULES, VARIANTS, Codes, Sums

LARGEST = [
    gb.Mastermind(1, 1),
    gb.Mastermind(15, 2),
    gb.Mastermind(3, 36, repeats=False),
    gb.Mastermind(8, 8),
    gb.Mastermind(4, 36),
]
POLICIES = [
    "entropy",
    "minimax",
    "parts",
    "rollout:width=3",
    "consistent",
    "lookahead:width=3",
    "optimal",
    "win:within=3",
]


def search_codes(chance: Random) -> None:
    """Search in the largest code games, by each variant and rule."""
    for game in LARGEST:
        for variant in VARIANTS:
            for rule in RULES.values():
                search = Codes(game, rule, variant, 5000)
                # With sanitizers, a large node of the largest game takes minutes, except by this rule.
                is_slow = search.count > 1 << 21 and rule is not RULES["cells"]
                sizes = (3, 64, 65, 256) if is_slow else (3, 64, 65, 256, 5000)
                nodes = [
                    sorted(chance.sample(range(search.count), min(size, search.count)))
                    for size in sizes
                ]
                path = [0, chance.randrange(search.count)]
                guesses, _ = search.guesses(nodes, [path] * len(nodes))
                search.feedbacks(guesses, nodes)
                search.grow(nodes[1:2], path, 128)


def search_sums(chance: Random) -> None:
    """Search in a game of 65,536 secrets and feedbacks."""
    secrets = 1 << 16
    sums = [list(range(secrets)), [chance.randrange(9) for _ in range(secrets)]]
    parts = [[0], [1], *([-1 - secret] for secret in range(secrets))]
    homes = list(range(2, secrets + 2))
    search = Sums(sums, parts, homes, [64] * secrets, secrets, RULES["squares"], "H")
    search.guess(list(range(0, secrets, 200)))
    search.scores(list(range(secrets)), [0, 1, 2, secrets + 1])


def build_books(chance: Random) -> None:
    """Build books of codes, words, long words and tables, with weights and in hard mode."""
    words = [a + b + c + d for a in "bcfh" for b in "aeo" for c in "tnr" for d in "xy"]
    long = {"".join(chance.choice("abcde") for _ in range(12)) for _ in range(40)}
    many = {"".join(chance.choices("aeilnorst", k=5)) for _ in range(400)}
    weights = [chance.randrange(1, 50_000) for _ in words]
    table = [[chance.choice("abc") for _ in range(30)] for _ in range(12)]
    named = [["found" if a == b else "no" for b in range(30)] for a in range(30)]
    guesses = [*(f"ask {k}" for k in range(12)), *range(30)]
    for game in (
        gb.Mastermind(3, 5),
        gb.Mastermind(3, 6, repeats=False),
        gb.WordGame(words),
        gb.WordGame(words, weights=weights),
        gb.TableGame(guesses, range(30), [*table, *named]),
    ):
        for policy in POLICIES:
            gb.build(game, policy)
    gb.build(gb.Mastermind(9, 2), "entropy")
    gb.build(gb.WordGame(sorted(long)), "entropy")
    gb.build(gb.WordGame(words), "optimal", hard_mode=True)
    gb.build(gb.Mastermind(4, 5), "optimal", max_guesses=5)
    gb.build(gb.WordGame(sorted(many)), "win", within=3)


if __name__ == "__main__":
    for task in (search_codes, search_sums, build_books):
        task(Random(1))
        print(task.__name__)

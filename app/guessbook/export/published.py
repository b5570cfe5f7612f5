"""Published results of strategies in the literature, with their sources."""

import csv
from pathlib import Path
from typing import NamedTuple

from guessbook.book.games.game import Game

FILE = Path(__file__).with_name("published.csv")


class Result(NamedTuple):
    """A published result of a policy for a game, with its source."""

    policy: str
    total_guesses: (
        int  # The sum over all secrets; for the policy "optimal", the lowest sum of all strategies.
    )
    max_guesses: int  # The number of guesses for the hardest secret.
    source: str


def published_results(game: Game) -> list[Result]:
    """Return the published results for a game, the lowest total first; the list may be empty."""
    # The numbers of secrets and of guesses identify a word game. The name states the number of secrets.
    key = (game.name, str(len(game.guesses)))
    with FILE.open(encoding="utf-8", newline="") as file:
        found = [
            Result(row["policy"], int(row["total_guesses"]), int(row["max_guesses"]), row["source"])
            for row in csv.DictReader(file)
            if (row["game"], row["guesses"]) == key
        ]
    return sorted(found, key=lambda result: result.total_guesses)

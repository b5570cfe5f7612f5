"""Twelve coins, one of the wrong weight: find it with scales, and say if it is heavy or light."""

from itertools import combinations

import guessbook as gb

COINS = "ABCDEFGHIJKL"


def weigh(weighing: str, secret: str) -> str:
    """Return the side that goes down in a weighing such as `AB : CD`, or `balanced`."""
    left, right = weighing.split(" : ")
    coin, weight = secret.split()
    if coin not in left + right:
        return "balanced"
    return "left" if (coin in left) == (weight == "heavy") else "right"


def weighings(coins: str = COINS) -> list[str]:
    """Return all weighings with equally many coins on both sides.

    Swapping the sides makes no new weighing, so the alphabetically first coin is on the left.
    """
    found = []
    for count in range(1, len(coins) // 2 + 1):
        for left in combinations(coins, count):
            others = [coin for coin in coins if coin not in left]
            for right in combinations(others, count):
                if left[0] < right[0]:
                    found.append("".join(left) + " : " + "".join(right))
    return found


def coins(names: str = COINS) -> gb.TableGame:
    """Return the game; no weighing names a coin, so the game adds a last guess for each secret."""
    secrets = [f"{coin} {weight}" for coin in names for weight in ("heavy", "light")]
    return gb.TableGame(weighings(names), secrets, weigh, goal="name")

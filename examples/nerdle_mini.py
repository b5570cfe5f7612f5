"""Mini Nerdle: Wordle with equations of six characters; no number is 0 or begins with 0."""

from itertools import product
from operator import add, mul, sub, truediv

import guessbook as gb

SIGNS = {"+": add, "-": sub, "*": mul, "/": truediv}


def equations() -> list[str]:
    """Return all equations, sorted as text."""
    found = []
    for a, sign, b, c in product(range(1, 100), SIGNS, range(1, 100), range(1, 100)):
        text = f"{a}{sign}{b}={c}"
        if len(text) == 6 and SIGNS[sign](a, b) == c:
            found.append(text)
    return sorted(found)


def nerdle_mini() -> gb.WordGame:
    """Return the game; its words consist of digits and signs."""
    return gb.WordGame(equations())

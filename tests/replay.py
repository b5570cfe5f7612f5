"""A stranger's check of a book: play every secret and add up, without a line of Guessbook.

guessbook export BOOK --to json -o TREE.json
python tests/replay.py TREE.json
"""

import json
import sys
from collections import Counter
from collections.abc import Callable
from itertools import permutations, product
from typing import Any


def code_feedback(guess: str, secret: str) -> str:
    """Black and white of Mastermind, `1,1`; the same are bulls and cows."""
    black = sum(a == b for a, b in zip(guess, secret, strict=True))
    common = (Counter(guess) & Counter(secret)).total()
    return f"{black},{common - black}"


def word_feedback(guess: str, secret: str) -> str:
    """Wordle's rule, `10202`: 2 in its place, 1 elsewhere, each letter of the secret once."""
    left = Counter(b for a, b in zip(guess, secret, strict=True) if a != b)
    digits = ["2" if a == b else "0" for a, b in zip(guess, secret, strict=True)]
    for place, letter in enumerate(guess):
        if digits[place] == "0" and left[letter]:
            left[letter] -= 1
            digits[place] = "1"
    return "".join(digits)


def table_feedback(game: dict[str, Any]) -> Callable[[str, str], str]:
    """What stands in a table; a guess that was added but names another secret is answered "no"."""
    column = {secret: k for k, secret in enumerate(game["secrets"])}
    answers, rows = game["answers"], dict(zip(game["guesses"], game["table"], strict=False))
    other = [len(answers) - 2] * len(column)
    return lambda guess, secret: answers[rows.get(guess, other)[column[secret]]]


def replay(book: dict[str, Any]) -> dict[str, Any]:
    """Count the secrets, and the guesses for each of them; KeyError if one is missed."""
    game, tree = book["rules"], book["tree"]
    feedback: Callable[[str, str], str] = word_feedback
    secrets = game.get("secrets")
    if game["type"] == "table":
        feedback = table_feedback(game)
    elif game["type"] == "mastermind":
        every = product if game["repeats"] else permutations
        arguments = {"repeat": game["pegs"]} if game["repeats"] else {"r": game["pegs"]}
        feedback, secrets = code_feedback, map("".join, every(game["symbols"], **arguments))
    elif game["scoring"] != "standard":
        raise ValueError(f"found scoring {game['scoring']!r}, expected 'standard'")
    needed = []
    for secret in secrets:
        node, guesses = tree, 1
        while node["guess"] != secret:
            # A secret that has no child here is missed: that raises KeyError.
            node = node["children"][feedback(node["guess"], secret)]
            guesses += 1
        needed.append(guesses)
    most = max(needed)
    counts = {str(guesses): needed.count(guesses) for guesses in range(1, most + 1)}
    facts = {"secrets": len(needed), "total_guesses": sum(needed), "max_guesses": most}
    return {**facts, "distribution": counts}


def main() -> None:
    """Replay the files named, and compare with what they say of themselves."""
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:  # noqa: PTH123
            book = json.load(file)
        found = replay(book)
        print(name, found)
        if any(book[key] != value for key, value in found.items()):
            sys.exit(f"{name} says otherwise")


if __name__ == "__main__":
    main()

"""Check a book without the code of Guessbook: play every secret and count the guesses.

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
    """Return black and white pegs, such as `1,1`, or bulls and cows."""
    black = sum(a == b for a, b in zip(guess, secret, strict=True))
    common = (Counter(guess) & Counter(secret)).total()
    return f"{black},{common - black}"


def word_feedback(guess: str, secret: str) -> str:
    """Return Wordle's feedback, such as `10202`; each letter of the secret counts once."""
    left = Counter(b for a, b in zip(guess, secret, strict=True) if a != b)
    digits = ["2" if a == b else "0" for a, b in zip(guess, secret, strict=True)]
    for place, letter in enumerate(guess):
        if digits[place] == "0" and left[letter]:
            left[letter] -= 1
            digits[place] = "1"
    return "".join(digits)


def table_feedback(game: dict[str, Any]) -> Callable[[str, str], str]:
    """Return a function that looks up answers; an added guess that is not the secret gets "no"."""
    column = {secret: k for k, secret in enumerate(game["secrets"])}
    answers, rows = game["answers"], dict(zip(game["guesses"], game["table"], strict=False))
    other = [len(answers) - 2] * len(column)
    return lambda guess, secret: answers[rows.get(guess, other)[column[secret]]]


def replay(book: dict[str, Any]) -> dict[str, Any]:
    """Play every secret of an exported book, and return the totals.

    Raises:
        KeyError: the tree misses a secret.
        ValueError: the scoring of a word game is not "standard".
    """
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
        raise ValueError(f"scoring {game['scoring']!r} is not supported")
    needed = []
    for secret in secrets:
        node, guesses = tree, 1
        while node["guess"] != secret:
            node = node["children"][feedback(node["guess"], secret)]
            guesses += 1
        needed.append(guesses)
    most = max(needed)
    counts = {str(guesses): needed.count(guesses) for guesses in range(1, most + 1)}
    facts = {"secrets": len(needed), "total_guesses": sum(needed), "max_guesses": most}
    return {**facts, "distribution": counts}


def main() -> None:
    """Replay the given files, and compare the totals with those in the files."""
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:  # noqa: PTH123
            book = json.load(file)
        found = replay(book)
        print(name, found)
        if any(book[key] != value for key, value in found.items()):
            sys.exit(f"{name} has other totals")


if __name__ == "__main__":
    main()

"""What hints and ratings say, by the definitions of docs/reference/ratings.md."""

from __future__ import annotations

import sys
from collections import defaultdict
from functools import cache
from math import log2
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import guessbook as gb

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from types import FrameType

# A history as people write it.
Entries = list[tuple[str, str]]

WORDS = ["light", "eight", "night", "tiger", "geese", "sleet", "their", "other", "elite", "hinge"]
# The last five words may be guessed and are never the secret.
GUESSES = [*WORDS, "sight", "wight", "fight", "eerie", "teeth"]
WORD_GAME = gb.WordGame(WORDS, GUESSES)
WEIGHTS = [900, 40, 5, 5, 1, 1, 30, 8, 10, 2]
WEIGHTED_GAME = gb.WordGame(WORDS, GUESSES, weights=WEIGHTS)
SMALL = gb.Mastermind(3, 4)
BULLS = gb.Mastermind(3, 5, repeats=False)
# The secret is a device, and no guess names it.
LAMP = gb.TableGame(
    ["swap the bulb", "swap the fuse", "look"],
    ["bulb", "fuse", "cable"],
    [["on", "still dark", "still dark"], ["dark", "on", "dark"], ["black", "black", "loose"]],
    goal="name",
)


# Drawing a history plays a part of a game, which takes long on a busy machine.
patient = settings(suppress_health_check=[HealthCheck.too_slow])


@cache
def answer(game: gb.Game, guess: str, secret: str) -> str:
    """The feedback of a secret to a guess, which the list of guesses may lack."""
    return str(game.feedback(guess, secret))


def answers(game: gb.Game, guesses: Iterable[str], secret: str) -> Entries:
    """A true history of these guesses."""
    return [(guess, answer(game, guess, secret)) for guess in guesses]


def fitting(game: gb.Game, history: Iterable[tuple[str, str]], codes: Any = None) -> list[str]:
    """Those of `codes`, by default the secrets, that give all answers of a history."""
    asked = dict.fromkeys(history)
    return [
        code
        for code in (game.secrets if codes is None else codes)
        if all(answer(game, guess, code) == feedback for guess, feedback in asked)
    ]


def suspects(game: gb.Game, history: Entries, codes: Any = None) -> tuple[int, ...]:
    """The entries without which some code fits; of equal entries, the first."""
    return tuple(
        k
        for k, entry in enumerate(history)
        if history.index(entry) == k and fitting(game, [e for e in history if e != entry], codes)
    )


def weights(game: gb.Game) -> dict[str, int]:
    """How much each secret counts."""
    counts = getattr(game, "weights", None) or [1] * len(game.secrets)
    return dict(zip(game.secrets, counts, strict=True))


def cells(game: gb.Game, guess: str, candidates: Iterable[str]) -> dict[str, list[str]]:
    """The candidates by their answer to a guess."""
    found = defaultdict(list)
    for secret in candidates:
        found[answer(game, guess, secret)].append(secret)
    return found


def sizes(game: gb.Game, guess: str, candidates: Iterable[str]) -> list[int]:
    """The weight of each cell of a guess; a code without a weight counts 1."""
    own = weights(game)
    return [
        sum(own.get(code, 1) for code in cell) for cell in cells(game, guess, candidates).values()
    ]


def bits(parts: Collection[int]) -> float:
    """The expected information of a partition into cells of these sizes."""
    total = sum(parts)
    return sum(n / total * log2(total / n) for n in parts)


def expected_size(parts: Collection[int]) -> float:
    """The expected size of the cell of the secret."""
    return sum(n * n for n in parts) / sum(parts)


# What each policy maximizes.
SCORES: dict[str, Callable[[list[int]], float]] = {
    "entropy": bits,
    "minimax": lambda parts: -max(parts),
    "parts": len,
    "expected": lambda parts: -expected_size(parts),
}


def best_score(
    game: gb.Game, candidates: Sequence[str], policy: str = "entropy"
) -> tuple[float, bool]:
    """The best score of any listed guess, and whether a candidate has it."""
    scored = [
        (round(SCORES[policy](sizes(game, guess, candidates)), 9), guess in candidates)
        for guess in game.guesses
    ]
    return max(scored)


def calls(work: Callable[[], object], most: int = 10_000_000) -> int:
    """How many calls of functions some work makes, including functions in C.

    The work may end with a GuessbookError; it fails after `most` calls.
    """
    made = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal made
        made += event in {"call", "c_call"}
        assert made < most

    sys.setprofile(count)
    try:
        work()
    except gb.GuessbookError:
        pass
    finally:
        sys.setprofile(None)
    return made


@st.composite
def true_histories(draw: st.DrawFn, game: gb.Game, max_size: int = 3) -> Entries:
    """Some listed guesses, answered by some secret."""
    guesses = draw(st.lists(st.sampled_from(list(game.guesses)), max_size=max_size, unique=True))
    return answers(game, guesses, draw(st.sampled_from(list(game.secrets))))


@st.composite
def any_histories(draw: st.DrawFn, game: gb.Game) -> Entries:
    """Some listed guesses, each answered by a secret of its own."""
    secrets = st.sampled_from(list(game.secrets))
    guesses = draw(st.lists(st.sampled_from(list(game.guesses)), min_size=1, max_size=4))
    return [(guess, answer(game, guess, draw(secrets))) for guess in guesses]


@st.composite
def tree_histories(draw: st.DrawFn, book: gb.Book) -> tuple[gb.Node, Entries]:
    """A node of a book, and the history that leads to it."""
    node, history = book.root, []
    secret = draw(st.sampled_from(list(book.game.secrets)))
    for _ in range(draw(st.integers(0, book.stats.max_guesses))):
        feedback = answer(book.game, node.guess, secret)
        child = node.child(feedback)
        if child is None:
            break
        history.append((node.guess, feedback))
        node = child
    return node, history


@st.composite
def permuted(draw: st.DrawFn, game: gb.Mastermind, history: Entries) -> Entries:
    """A history with positions and symbols exchanged; no feedback changes."""
    places = draw(st.permutations(range(game.pegs)))
    symbols = str.maketrans(game.symbols, "".join(draw(st.permutations(game.symbols))))
    return [
        ("".join(guess[p] for p in places).translate(symbols), feedback)
        for guess, feedback in history
    ]


def chance(game: gb.Game, guess: str, candidates: Collection[str]) -> float:
    """The probability that a guess is the secret."""
    own = weights(game)
    return own[guess] / sum(own[code] for code in candidates) if guess in candidates else 0.0


def skill(game: gb.Game, guess: str, best: str, candidates: Collection[str]) -> int:
    """The sum of bits and chance of a guess, as a percentage of that of the best guess."""
    own, most = (
        bits(sizes(game, code, candidates)) + chance(game, code, candidates)
        for code in (guess, best)
    )
    return min(100, round(100 * own / most))


def luck(game: gb.Game, guess: str, feedback: str, candidates: Collection[str]) -> int:
    """The percentage of answers that tell less, by weight, and half of those that tell as much."""
    parts = cells(game, guess, candidates)
    solved = answer(game, guess, guess)
    own = weights(game)
    told = {
        number: (number == solved, -sum(own[code] for code in cell))
        for number, cell in parts.items()
    }
    less = sum(-size for key, (_, size) in told.items() if told[key] < told[feedback])
    same = sum(-size for key, (_, size) in told.items() if told[key] == told[feedback])
    return int((100 * less + 50 * same) / sum(own[code] for code in candidates) + 0.5)

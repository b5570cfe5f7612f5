"""Every policy in plain Python: slow, obvious, and what the faster paths are tested against.

`reference` has the rule of the one-step policies; here are those that are built upon it. They work
for any game, and answer live hints where numpy is not installed.
"""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

from guessbook.book.games.symmetry import has_symmetry
from guessbook.book.games.words import WordGame
from guessbook.policy.policy import (
    Consistent,
    Lookahead,
    Policy,
    Positional,
    drawn,
    integer_logs,
)
from guessbook.policy.reference import best_guess, partition
from guessbook.policy.symmetry import representatives

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.book.games.game import Game, History
    from guessbook.policy.policy import AnyPolicy

__all__ = ["allowed", "choose", "cost", "ranked", "value", "work"]


def choose(game: Game, policy: AnyPolicy, history: History, candidates: Sequence[str]) -> int:
    """The index of a policy's guess after a history with these candidates."""
    if isinstance(policy, Consistent):
        places = [game.secrets.index(code) for code in candidates]
        place = drawn(policy.random_seed, pack(f"<{len(places)}I", *places))
        return game.guesses.index(candidates[place])
    if isinstance(policy, Positional):
        return game.guesses.index(rarest(candidates))
    if isinstance(policy, Policy):
        return best_guess(game, candidates, policy, allowed(game, policy, history, candidates))[0]
    first = choose(game, policy.base, history, candidates)
    if len(candidates) < 3:
        return first
    best: tuple[tuple[int, int], int] | None = None
    for guess in ranked(game, policy.base, history, candidates, policy.width):
        if isinstance(policy, Lookahead):
            gain = (value(game, policy, history, candidates, guess, policy.depth), 0)
        else:
            total, worst = cost(game, policy.base, history, candidates, guess)
            gain = (-total, -worst)
        # Of equals the one that is ranked first stays.
        if best is None or gain > best[0]:
            best = (gain, guess)
    assert best is not None  # the base's own guess is always ranked
    return best[1]


def rarest(candidates: Sequence[str]) -> str:
    """The candidate whose symbols are the rarest at their places, see `policy.Positional`."""
    logs = integer_logs(len(candidates))
    columns = list(zip(*candidates, strict=True))
    return min(
        candidates,
        key=lambda code: sum(
            logs[column.count(symbol)] for column, symbol in zip(columns, code, strict=True)
        ),
    )


def allowed(
    game: Game, policy: Policy, history: History, candidates: Sequence[str]
) -> list[int] | None:
    """The indices of the guesses that a one-step policy may make; None for all of the game."""
    if policy.consistent_only:
        return [game.guesses.index(code) for code in candidates]
    if policy.hard_mode and isinstance(game, WordGame):
        return [i for i, word in enumerate(game.guesses) if keeps_hints(game, word, history)]
    return None


def keeps_hints(game: WordGame, word: str, history: History) -> bool:
    """Whether Wordle's hard mode allows a word: see `word_ranking.hard_words`."""
    for guess, feedback in history:
        marks = game.format_feedback(feedback)
        pairs = list(zip(game.guesses[guess], marks, strict=True))
        if any(mark == "2" and word[k] != letter for k, (letter, mark) in enumerate(pairs)):
            return False
        shown = [letter for letter, mark in pairs if mark != "0"]
        if any(word.count(letter) < shown.count(letter) for letter in shown):
            return False
    return True


def ranked(
    game: Game, policy: Policy, history: History, candidates: Sequence[str], width: int
) -> list[int]:
    """The best guesses that are not equivalent, best first: see `scorers.ranking`."""
    weights = policy.weights(len(candidates))
    possible = set(candidates)
    order = []
    indices = allowed(game, policy, history, candidates)
    if has_symmetry(game):
        indices = representatives(game, history, candidates, indices)
    for index in range(len(game.guesses)) if indices is None else indices:
        guess = game.guesses[index]
        score = policy.score(partition(game, guess, candidates).values(), weights)
        score += policy.credit * (guess in possible)
        order.append((-score, guess not in possible, index))
    chosen: list[int] = []
    known: set[tuple[int, ...]] = set()
    for _, _, index in sorted(order):
        names: dict[int, int] = {}
        answers = [game.feedback(game.guesses[index], secret) for secret in candidates]
        cells = tuple(names.setdefault(answer, len(names)) for answer in answers)
        if cells not in known and len(chosen) < width:
            known.add(cells)
            chosen.append(index)
    return chosen


def cells_of(
    game: Game, history: History, candidates: Sequence[str], guess: int
) -> tuple[list[tuple[History, list[str]]], bool]:
    """What a guess leaves to solve, as histories with their candidates; whether it may be right."""
    cells: dict[int, list[str]] = {}
    for secret in candidates:
        cells.setdefault(game.feedback(game.guesses[guess], secret), []).append(secret)
    solves = cells.pop(game.solved, None) is not None
    return [([*history, (guess, f)], cell) for f, cell in cells.items()], solves


def cost(
    game: Game, policy: Policy, history: History, candidates: Sequence[str], guess: int
) -> tuple[int, int]:
    """The guesses for all candidates together, and for the hardest, if a policy plays on."""
    total, worst = len(candidates), 1
    for past, cell in cells_of(game, history, candidates, guess)[0]:
        following, longest = cost(game, policy, past, cell, choose(game, policy, past, cell))
        total += following
        worst = max(worst, longest + 1)
    return total, worst


def value(
    game: Game,
    policy: Lookahead,
    history: History,
    candidates: Sequence[str],
    guess: int,
    depth: int,
) -> int:
    """The value of a guess after `depth` steps: see `guessbook.builder.scorers.lookahead`."""
    base = policy.base
    weights = base.weights(len(candidates))
    cells, solves = cells_of(game, history, candidates, guess)
    values = [-weights[1]] * solves
    for past, cell in cells:
        if depth == 1:
            values.append(-weights[len(cell)])
        elif depth == 2:
            best = choose(game, base, past, cell)
            values.append(value(game, policy, past, cell, best, 1))
        else:
            values.append(
                max(
                    value(game, policy, past, cell, other, depth - 1)
                    for other in ranked(game, base, past, cell, policy.width)
                )
            )
    return (sum(values) if base.additive else min(values)) + base.credit * solves


def work(game: Game, policy: AnyPolicy, candidates: int) -> int:
    """Roughly how many feedbacks `choose` computes."""
    pairs = len(game.guesses) * candidates
    if isinstance(policy, Consistent | Positional):
        return candidates
    if isinstance(policy, Policy):
        return pairs
    if isinstance(policy, Lookahead):
        return int(pairs * (1 + policy.width ** (policy.depth - 1)))
    # A candidate takes some three more guesses.
    return pairs * (1 + 3 * policy.width)

"""One-step policies by their definition: scores, the best guess, the ranking, the limits."""

from __future__ import annotations

import math
from collections import Counter
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guessbook.book import Game, Mastermind, TableGame, UsageError, WordGame
from guessbook.book.games.beyond import listed_guesses
from guessbook.book.games.game import History
from guessbook.policy.one_step import (
    LOG_BITS,
    POLICIES,
    OneStep,
    allowed_indices,
    best_guess,
    integer_logs,
    policy_named,
)
from guessbook.policy.ranking import cells_of, rank_guesses
from guessbook.policy.reference import broken_hint, consistent, keeps_hints, partition

HARD = OneStep("minimax", "", additive=False, hard_mode=True)


class Position(NamedTuple):
    """A game, guesses with the answers of one of its secrets, and what a secret counts."""

    game: Game
    history: History
    weights: dict[str, int]

    @property
    def candidates(self) -> list[str]:
        """The secrets that give all these answers."""
        return consistent(self.game, self.history)

    def cells(self, guess: str) -> dict[int, list[str]]:
        """The candidates by what they answer to a guess."""
        answers = {secret: self.game.feedback_number(guess, secret) for secret in self.candidates}
        return {f: [s for s, g in answers.items() if g == f] for f in set(answers.values())}

    def key(self, policy: OneStep, index: int) -> tuple[int, bool, int]:
        """What the best guess has least of: minus the score, whether it is wrong, its index."""
        guess = self.game.guesses[index]
        sizes = [sum(self.weights[s] for s in cell) for cell in self.cells(guess).values()]
        own = self.weights[guess] if guess in self.candidates else 0
        return -plain_score(policy.name, sizes, own), own == 0, index


def plain_logarithm(n: int, bits: int = LOG_BITS) -> int:
    """The sum of the rounded logarithms of its prime factors."""
    for p in range(2, math.isqrt(n) + 1):
        if n % p == 0:
            return plain_logarithm(p, bits) + plain_logarithm(n // p, bits)
    return round(math.log2(n) * 2**bits) if n else 0


def plain_score(name: str, sizes: list[int], own: int) -> int:
    """The score of a guess that splits into cells of these sizes and counts `own` itself."""
    if name == "minimax":
        return -max(sizes)
    if name == "parts":
        return len(sizes)
    if name == "expected":
        return -sum(n * n for n in sizes)
    credit = own * 2 * 2**LOG_BITS if name == "entropy-corrected" else 0
    return credit - sum(n * plain_logarithm(n) for n in sizes)


def position(seed: int) -> Position:
    """Any small game of words or a table, with weights or without, somewhere in it."""
    chance = Random(seed)
    words = ["".join(chance.choices("abcd", k=3)) for _ in range(16)]
    secrets = list(dict.fromkeys(words[3:]))
    counts = [chance.randint(1, 9) for _ in secrets] if chance.random() < 0.5 else None
    game: Game = WordGame(secrets, words, weights=counts)
    if chance.random() < 0.4:
        rows = [[secret[k:][:size] for secret in secrets] for k in range(3) for size in (1, 2)]
        game = TableGame([f"letters {k}" for k in range(6)], secrets, rows, weights=counts)
    drawn = chance.sample(range(len(game.guesses)), chance.choice([0, 1, 1, 2]))
    secret = chance.choice(game.secrets)
    history = [(guess, game.feedback_number(game.guesses[guess], secret)) for guess in drawn]
    weights = getattr(game, "weights", None) or [1] * len(game.secrets)
    return Position(game, history, dict(zip(game.secrets, weights, strict=True)))


positions = st.integers(0, 1 << 32).map(position)


@given(positions)
def test_candidates_and_cells_are_what_is_answered(place: Position) -> None:
    """Candidates give every answer of the history; a cell of a guess those that answer alike."""
    game, history, weights = place
    assert place.candidates == [
        secret
        for secret in game.secrets
        if all(game.feedback_number(game.guesses[g], secret) == f for g, f in history)
    ]
    for index, guess in enumerate(game.guesses):
        cells = place.cells(guess)
        assert partition(game, guess, place.candidates) == {
            feedback: sum(weights[secret] for secret in cell) for feedback, cell in cells.items()
        }
        left, solves = cells_of(game, history, place.candidates, index)
        assert solves is (guess in place.candidates)
        assert {past[-1][1]: cell for past, cell in left} == {
            feedback: cell for feedback, cell in cells.items() if feedback != game.solved
        }
        assert all(past[:-1] == history and past[-1][0] == index for past, _ in left)


@settings(max_examples=15)
@given(positions, st.sampled_from(["", "consistent_only", "hard_mode"]))
@pytest.mark.parametrize("policy", POLICIES.values(), ids=lambda policy: policy.name)
def test_the_best_guess_is_the_first_of_the_ranking(
    policy: OneStep, place: Position, limit: str
) -> None:
    """Highest score, then a candidate, then the lowest index, among the guesses it may make."""
    game, history, _ = place
    indices = list(range(len(game.guesses)))
    policy = policy._replace(
        consistent_only=limit == "consistent_only", hard_mode=limit == "hard_mode"
    )
    if limit == "consistent_only":
        indices = [game.parse_code(code) for code in place.candidates]
    elif limit and game.has_hard_mode:
        indices = [i for i in indices if keeps_hints(game, game.guesses[i], history)]
    order = sorted(place.key(policy, index) for index in indices)
    best = (order[0][2], -order[0][0])
    candidates = place.candidates
    assert (
        best_guess(game, candidates, policy, allowed_indices(game, policy, history, candidates))
        == best
    )
    assert policy.choose(game, history, candidates) == best[0]
    assert policy.work(game, 7) == 7 * len(game.guesses)
    assert rank_guesses(game, policy, history, candidates, 4, alike=True) == [
        index for *_, index in order[:4]
    ]
    different: dict[object, int] = {}
    for *_, index in order:
        cells = {frozenset(cell) for cell in place.cells(game.guesses[index]).values()}
        own = place.weights.get(game.guesses[index], 0) * (game.guesses[index] in candidates)
        different.setdefault((frozenset(cells), getattr(game, "weights", None) and own), index)
    assert rank_guesses(game, policy, history, candidates, 4) == list(different.values())[:4]


@given(positions, st.text("abcd", min_size=3, max_size=3))
def test_hard_mode_keeps_what_was_shown(place: Position, word: str) -> None:
    """Letters in place stay there, and every letter comes as often as an answer has shown it."""
    game, history, _ = place
    kept = True
    for index, feedback in history if game.has_hard_mode else []:
        guess, marks = game.guesses[index], game.format_feedback(feedback)
        marked = list(zip(guess, marks, word, strict=True))
        shown = Counter(letter for letter, mark, _ in marked if mark != "0")
        kept &= all(letter == there for letter, mark, there in marked if mark == "2")
        kept &= all(word.count(letter) >= times for letter, times in shown.items())
    if game.has_hard_mode:
        assert keeps_hints(game, word, history) is kept
        assert bool(broken_hint(game, word, history)) is not kept
        found = allowed_indices(game, HARD, history, place.candidates)
        assert found == [i for i, w in enumerate(game.guesses) if keeps_hints(game, w, history)]
        more: Game = game.knowing(["cab", "dad"])  # type: ignore[attr-defined]
        assert allowed_indices(more, HARD, history, place.candidates) == found
        assert len(listed_guesses(more)) == len(game.guesses) <= len(more.guesses)
    else:
        assert allowed_indices(game, HARD, history, place.candidates) is None
    assert allowed_indices(game, POLICIES["parts"], history, place.candidates) is None


@pytest.mark.parametrize(
    ("guess", "marks", "word", "said"),
    [
        ("abc", "020", "aca", "letter 2 has to be 'b'"),
        ("abc", "100", "bbc", "it needs the letter 'a'"),
        ("aab", "120", "bab", "it needs the letter 'a' 2 times"),
        ("aab", "120", "cca", "letter 2 has to be 'a'"),
        ("aab", "120", "baa", ""),
    ],
)
def test_hard_mode_says_what_is_missing(guess: str, marks: str, word: str, said: str) -> None:
    """First a letter that has its place, counted from 1, then one that is there too rarely."""
    game = WordGame(["abc", "aab"])
    history = [(game.parse_code(guess), game.parse_feedback(marks))]
    assert broken_hint(game, word, history) == said


@settings(max_examples=15)
@given(st.integers(0, 130), st.integers(1, 36))
def test_logarithms_are_additive(size: int, bits: int) -> None:
    """The logarithm of a number is the sum of those of its prime factors, each one rounded."""
    assert integer_logs(size, bits).tolist() == [plain_logarithm(n, bits) for n in range(size + 1)]
    assert integer_logs(size).tolist() == [plain_logarithm(n) for n in range(size + 1)]


@settings(max_examples=15)
@given(st.integers(0, 40))
def test_costs_are_the_scores_of_single_cells(size: int) -> None:
    """One cell costs minus its score, for every policy; several cost their sum or their largest."""
    for name, policy in POLICIES.items():
        costs = policy.costs(size)
        assert costs.tolist() == [-plain_score(name, [n], 0) if n else 0 for n in range(size + 1)]
        cells = [size, 1, size][: size + 1]
        assert policy.score(cells, costs) == (
            -sum(costs[n] for n in cells) if name != "minimax" else -max(cells)
        )
        assert policy.rule is policy
        if policy.logarithmic:
            coarse = policy._replace(bits=9).costs(size).tolist()
            assert coarse == [n * plain_logarithm(n, 9) for n in range(size + 1)]
        assert policy.limited is False
        assert policy._replace(hard_mode=True).limited
        assert policy._replace(consistent_only=True).limited


def test_a_policy_is_found_by_its_name() -> None:
    """Every name is that of its policy, and the message for another one lists them all."""
    assert {name: policy_named(name).name for name in POLICIES} == {n: n for n in POLICIES}
    with pytest.raises(UsageError, match=r"found policy 'entropi', .*entropy, .*minimax") as error:
        policy_named("entropi")
    assert "did you mean" in str(error.value)


@settings(max_examples=10)
@given(st.data())
def test_equivalent_codes_are_ranked_once(data: st.DataObject) -> None:
    """The ranking of a code game is that of all its guesses, but for those that are alike."""
    game = Mastermind(2, 4)
    guess = data.draw(st.sampled_from(game.guesses))
    history = [(game.parse_code(guess), game.feedback_number(guess, "RR"))]
    candidates = consistent(game, history)
    place = Position(game, history, dict.fromkeys(game.guesses, 1))
    for policy in POLICIES.values():
        order = sorted(place.key(policy, index) for index in range(16))
        found = rank_guesses(game, policy, history, candidates, 16, alike=True)
        assert found == [index for *_, index in order if index in found]
        assert found[0] == order[0][2]
        assert {place.key(policy, i)[:2] for i in found} == {key[:2] for key in order}
        only = policy._replace(consistent_only=True)
        chosen = rank_guesses(game, only, history, candidates, 16, alike=True)
        assert {game.guesses[index] for index in chosen} <= set(candidates)
        # At the start all colors are alike.
        first = rank_guesses(game, policy, [], list(game.secrets), 16, alike=True)
        assert sorted(game.guesses[index] for index in first) == ["RR", "RY"]

"""Random games with a session; every result is compared with a simple model."""

from __future__ import annotations

from functools import cache
from math import log2
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import guessbook as gb
from tests.hints.definitions import (
    SCORES,
    answer,
    best_score,
    bits,
    cells,
    chance,
    expected_size,
    fitting,
    luck,
    patient,
    sizes,
    skill,
    suspects,
    weights,
)

if TYPE_CHECKING:
    from collections.abc import Callable

GAMES: dict[str, gb.Game] = {
    "mastermind": gb.Mastermind(3, 3),
    "bulls and cows": gb.Mastermind(3, 5, repeats=False),
    # Every word may be the secret; games with other guesses are in tests/hints/test_words.py.
    "words": gb.WordGame(
        ["ab", "ba", "aa", "bc", "cb", "ca", "ac", "cc"], weights=[90, 4, 5, 1, 1, 30, 8, 10]
    ),
}
SLOW_POLICIES = ["entropy", "minimax", "parts", "expected"]


@cache
def book_of(kind: str, policy: str) -> gb.Book:
    return gb.build(GAMES[kind], policy)


@cache
def candidates_of(kind: str, history: frozenset[tuple[str, str]]) -> tuple[str, ...]:
    """The secrets that fit a history."""
    return tuple(fitting(GAMES[kind], history))


@cache
def best_of(kind: str, candidates: tuple[str, ...], policy: str) -> tuple[float, bool]:
    """The best score of a policy, and whether a candidate reaches it."""
    return best_score(GAMES[kind], candidates, policy)


class Player(RuleBasedStateMachine):
    """A player with a session, and a model of its rows."""

    policies: tuple[str, ...] = ("entropy", "minimax")

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        """Start a game, with or without a book."""
        self.kind = data.draw(st.sampled_from(list(GAMES)))
        self.game = GAMES[self.kind]
        self.policy = data.draw(st.sampled_from(self.policies))
        with_book = data.draw(st.booleans())
        self.book = book_of(self.kind, self.policy) if with_book else None
        self.session = self.made([])
        self.secret = data.draw(st.sampled_from(list(self.game.secrets)))
        self.rows: list[gb.Row] = []

    def made(self, history: list[tuple[str, str]]) -> gb.Session:
        """A new session with this history."""
        return gb.Session(self.book or self.game, history, None if self.book else self.policy)

    @property
    def history(self) -> list[tuple[str, str]]:
        """The rows that are not set aside."""
        return [(row.guess, row.feedback) for row in self.rows if not row.aside]

    @property
    def candidates(self) -> tuple[str, ...]:
        """The secrets that fit the history."""
        return candidates_of(self.kind, frozenset(self.history))

    @property
    def solved(self) -> bool:
        """Whether a guess in the history found the secret."""
        return any(
            (code, answer(self.game, code, code)) in self.history for code in self.candidates
        )

    @property
    def in_order(self) -> bool:
        """Whether no guess follows the one that solved the game."""
        return all(feedback != self.solving for _, feedback in self.history[:-1])

    @property
    def solving(self) -> str:
        """The feedback that solves the game."""
        return answer(self.game, self.secret, self.secret)

    def score(self, guess: str, policy: str | None = None) -> float:
        """Score a guess by a policy, by default the one of the session."""
        parts = sizes(self.game, guess, self.candidates)
        return round(SCORES[policy or self.policy](parts), 9)

    def code(self, data: st.DataObject) -> str:
        """Draw any guess."""
        return data.draw(st.sampled_from(list(self.game.guesses)))

    def feedback(self, data: st.DataObject, guess: str) -> str:
        """Draw the true feedback or, sometimes, the feedback of another secret."""
        honest = data.draw(st.sampled_from([True, True, True, False]))
        return answer(self.game, guess, self.secret if honest else self.code(data))

    def add(self, session: gb.Session, guess: str | None, feedback: str) -> None:
        """Add a guess, or the hint if the guess is None."""
        told = guess or session.hint().guess
        session.add_guess(guess, feedback)
        if session is self.session:
            self.rows.append(gb.Row(told, feedback))

    @precondition(lambda self: not self.solved and self.candidates)
    @rule()
    def follow_hint(self) -> None:
        """Add the hint with its true feedback."""
        self.add(self.session, None, answer(self.game, self.session.hint().guess, self.secret))

    @precondition(lambda self: not self.solved)
    @rule(data=st.data())
    def guess_otherwise(self, data: st.DataObject) -> None:
        """Add any guess, perhaps with a wrong feedback."""
        guess = self.code(data)
        self.add(self.session, guess, self.feedback(data, guess))

    @rule(data=st.data())
    def play_on_with_copy(self, data: st.DataObject) -> None:
        """Changes to a copy do not affect the session."""
        guess = self.code(data)
        twin = self.session.copy()
        if not self.solved:
            self.add(twin, guess, answer(self.game, guess, self.secret))
            assert twin.remaining == len(fitting(self.game, twin.history))
        twin.new_game().hint()
        assert not twin.new_game().rows

    @rule(data=st.data(), feedback=st.sampled_from(["", "9,9", "2,1", "333", "1,1,1,1", "x"]))
    def add_nonsense(self, data: st.DataObject, feedback: str) -> None:
        """Rejected input does not change the session."""
        with pytest.raises(gb.InvalidFeedbackError):
            self.session.add_guess(None, feedback)
        if self.rows:
            with pytest.raises(gb.InvalidFeedbackError):
                self.session.edit(0, None, feedback)
        true = answer(self.game, self.code(data), self.secret)
        if self.solved:
            with pytest.raises(gb.UsageError, match="already solved"):
                self.session.add_guess(self.secret, true)
        else:
            with pytest.raises(gb.InvalidCodeError):
                self.session.add_guess("zzzz", true)
        if not self.candidates:
            with pytest.raises(gb.InconsistentFeedbackError):
                self.session.add_guess(None, true)
        for row in (-1, len(self.rows)):
            with pytest.raises(gb.UsageError):
                self.session.edit(row, None, true)
            with pytest.raises(gb.UsageError):
                self.session.set_aside(row)

    @rule()
    def undo(self) -> None:
        """Remove the last row."""
        if self.rows:
            assert self.session.undo() == self.rows.pop()
        else:
            with pytest.raises(gb.UsageError):
                self.session.undo()

    @precondition(lambda self: self.rows)
    @rule(data=st.data())
    def edit(self, data: st.DataObject) -> None:
        """Correct a row; if only its feedback changes, equal rows change too."""
        number = data.draw(st.integers(0, len(self.rows) - 1))
        old = self.rows[number]
        guess = self.code(data) if data.draw(st.booleans()) else None
        feedback = self.feedback(data, guess or old.guess)
        new = gb.Row(guess or old.guess, feedback)
        assert self.session.edit(number, guess, feedback) == new
        for k, row in enumerate(self.rows):
            if k == number or (row == old and guess is None):
                self.rows[k] = new

    @precondition(lambda self: self.rows)
    @rule(data=st.data())
    def set_aside(self, data: st.DataObject) -> None:
        """Exclude a row and equal rows from the history, or include them again."""
        number = data.draw(st.integers(0, len(self.rows) - 1))
        old = self.rows[number]
        new = old._replace(aside=not old.aside)
        assert self.session.set_aside(number) == new
        self.rows = [new if row == old else row for row in self.rows]

    @precondition(lambda self: self.candidates)
    @rule(data=st.data())
    def rate(self, data: st.DataObject) -> None:
        """All numbers of a rating match their definitions."""
        game, guess, candidates = self.game, self.code(data), self.candidates
        parts = sizes(game, guess, candidates)
        rated = self.session.rate(guess)
        assert (rated.guess, rated.remaining) == (guess, len(candidates))
        assert (rated.cells, rated.worst) == (len(parts), max(parts))
        assert rated.entropy == pytest.approx(bits(parts), abs=1e-9)
        assert rated.expected_size == pytest.approx(expected_size(parts))
        assert rated.chance == pytest.approx(chance(game, guess, candidates))
        assert rated.weight == (sum(parts) if self.kind == "words" else None)
        assert self.session.weight == rated.weight
        split = (rated.entropy, rated.expected_size, rated.cells, rated.worst)
        assert self.session.split(guess) == split
        # Any guess with the best score may be reported as the best.
        best = rated.best
        assert (self.score(best, "entropy"), best in candidates) == best_of(
            self.kind, candidates, "entropy"
        )
        assert rated.best_entropy == pytest.approx(bits(sizes(game, best, candidates)), abs=1e-9)
        assert rated.skill == skill(game, guess, best, candidates)
        scores = {self.score(code, "entropy") for code in game.guesses}
        higher = sum(score > self.score(guess, "entropy") for score in scores)
        assert (rated.rank, rated.ranks) == (1 + higher, len(scores))

    @precondition(lambda self: self.candidates)
    @rule(data=st.data())
    def rate_pair(self, data: st.DataObject) -> None:
        """A pair is rated by the combined feedback to both guesses."""
        first, second = self.code(data), self.code(data)
        both: dict[tuple[str, str], int] = {}
        for code in self.candidates:
            told = answer(self.game, first, code), answer(self.game, second, code)
            both[told] = both.get(told, 0) + weights(self.game)[code]
        parts = list(both.values())
        for rated in (self.session.rate_pair(first, second), self.session.rate_pair(second, first)):
            assert (rated.cells, rated.worst) == (len(parts), max(parts))
            assert rated.entropy == pytest.approx(bits(parts), abs=1e-9)
            assert rated.expected_size == pytest.approx(expected_size(parts))

    @precondition(lambda self: self.candidates)
    @rule(data=st.data())
    def explain(self, data: st.DataObject) -> None:
        """The partition and the alternatives of an explanation match their definitions."""
        guess = self.code(data) if data.draw(st.booleans()) else None
        candidates, own = self.candidates, weights(self.game)
        why = self.session.explain(guess, 5)
        assert why.guess == (guess or self.session.hint().guess)
        assert (why.remaining, why.candidate) == (len(candidates), why.guess in candidates)
        expected = cells(self.game, why.guess, candidates)
        assert {cell.feedback: cell.size for cell in why.partition} == {
            feedback: len(cell) for feedback, cell in expected.items()
        }
        assert why.entropy == pytest.approx(why.partition[-1].sum)
        total, told = sum(own[code] for code in candidates), 0.0
        for cell in why.partition:
            codes = sorted(expected[cell.feedback], key=lambda code: -own[code])
            assert cell.examples == tuple(codes[:5])
            assert cell.chance == pytest.approx(sum(own[code] for code in codes) / total)
            assert cell.bits == pytest.approx(-log2(cell.chance))
            told += cell.chance * cell.bits
            assert cell.sum == pytest.approx(told)
        chances = [cell.chance for cell in why.partition]
        assert chances == sorted(chances, reverse=True)
        ranked = [(self.score(a.guess), a.guess in candidates) for a in why.alternatives]
        assert ranked == sorted(ranked, reverse=True)
        assert ranked[0] == best_of(self.kind, candidates, self.policy)
        for policy, best in why.best_by.items():
            if policy in SCORES:
                assert (self.score(best.guess, policy), best.candidate) == best_of(
                    self.kind, candidates, policy
                )
        for other in (*why.alternatives, *why.best_by.values()):
            split = self.session.split(other.guess)
            assert (other.entropy, other.expected_size, other.cells, other.worst) == split
            weighted = chance(self.game, other.guess, candidates)
            assert other.chance == (pytest.approx(weighted) if self.kind == "words" else None)

    @precondition(lambda self: self.candidates and self.history)
    @rule()
    def review(self) -> None:
        """A review rates each guess against the candidates before it."""
        if not self.in_order:
            with pytest.raises(gb.UsageError):
                self.session.review()
            with pytest.raises(gb.UsageError):
                self.session.share()
            return
        found, own = self.session.review(), weights(self.game)
        for k, (turn, (guess, feedback)) in enumerate(zip(found.turns, self.history, strict=True)):
            before = candidates_of(self.kind, frozenset(self.history[:k]))
            after = candidates_of(self.kind, frozenset(self.history[: k + 1]))
            rated = self.made(self.history[:k]).rate(guess)
            assert turn[:4] == (guess, feedback, len(before), len(after))
            told = sum(own[code] for code in before) / sum(own[code] for code in after)
            assert turn.bits == pytest.approx(log2(told))
            assert turn[4] == rated.entropy
            assert turn.skill == skill(self.game, guess, turn.best, before)
            assert (turn.skill, turn.best_entropy) == (rated.skill, rated.best_entropy)
            assert turn.luck == luck(self.game, guess, feedback, before)
        assert (found.solved, found.remaining) == (self.solved, len(self.candidates))
        for mean in ("skill", "luck"):
            values = [getattr(turn, mean) for turn in found.turns]
            assert getattr(found, mean) == round(sum(values) / len(values))
        if len(self.candidates) == 1:
            assert found.secret == self.candidates[0]
            played = self.made([])
            while not played.solved:
                guess = played.hint().guess
                played.add_guess(None, answer(self.game, guess, found.secret))
            assert list(found.line) == played.history
        else:
            assert (found.secret, found.line) == (None, ())

    @precondition(lambda self: not self.candidates)
    @rule()
    def contradict(self) -> None:
        """The error names each row without which some secret fits."""
        included = [number for number, row in enumerate(self.rows) if not row.aside]
        expected = tuple(included[k] for k in suspects(self.game, self.history))
        calls: list[Callable[[], object]] = [self.session.hint, self.session.explain]
        calls.append(lambda: self.session.rate(self.secret))
        for call in [*calls, *[self.session.review] * self.in_order]:
            with pytest.raises(gb.InconsistentFeedbackError) as error:
                call()
            assert error.value.suspects == expected

    @invariant()
    def session_agrees_with_model(self) -> None:
        """The rows, candidates and hint always match the model."""
        if not hasattr(self, "rows"):
            return
        candidates, session = self.candidates, self.session
        assert session.rows == tuple(self.rows)
        assert session.history == self.history
        assert session.remaining == len(candidates)
        assert session.candidates() == list(candidates)
        assert session.chances() == pytest.approx(
            {code: chance(self.game, code, candidates) for code in candidates}
        )
        assert session.solved == self.solved
        if not candidates:
            return
        hint = session.hint()
        assert (hint.remaining, hint.solved) == (len(candidates), self.solved)
        assert hint.candidate == (hint.guess in candidates)
        if not self.solved:
            best = best_of(self.kind, candidates, self.policy)
            assert (self.score(hint.guess), hint.candidate) == best
        # The order of the rows does not matter.
        assert self.made(self.history[::-1]).hint() == hint


def test_session_agrees_with_model_in_random_games() -> None:
    run_state_machine_as_test(Player, settings=settings(patient, stateful_step_count=20))


@pytest.mark.slow
def test_session_agrees_with_model_in_many_random_games() -> None:
    class Patient(Player):
        policies = tuple(SLOW_POLICIES)

    run_state_machine_as_test(
        Patient, settings=settings(patient, max_examples=60, stateful_step_count=40)
    )

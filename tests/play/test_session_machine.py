"""A machine plays random games with a session, and checks each answer against the plain rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from math import fsum, log2

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

from guessbook.book import (
    Game,
    InconsistentFeedbackError,
    InvalidCodeError,
    InvalidFeedbackError,
    Mastermind,
    UsageError,
    WordGame,
)
from guessbook.book.games.game import History
from guessbook.lookup import Book
from guessbook.play import Session
from guessbook.play.rows import Row
from guessbook.policy.one_step import OneStep, best_guess, policy_named
from guessbook.policy.reference import consistent, partition
from tests.helpers.plain import plain_book

WORDS = ["ab", "ba", "aa", "bc", "cb", "ca", "ac", "cc", "bb", "dd", "da", "ad"]
GAMES: dict[str, Game] = {
    "mastermind": Mastermind(3, 3),
    "bulls and cows": Mastermind(3, 5, repeats=False),
    # Where a guess may be no secret, a session goes on among the guesses: see `wider` elsewhere.
    "words": WordGame(WORDS[:8]),
}
POLICIES = ["entropy", "minimax", "parts", "expected"]


@cache
def book_of(kind: str, policy: str) -> Book:
    """The book of one of the games."""
    return plain_book(GAMES[kind], policy)


@cache
def fitting(kind: str, history: frozenset[tuple[int, int]]) -> tuple[str, ...]:
    """The candidates, by the plain rule; remembered, as games come by the same places."""
    return tuple(consistent(GAMES[kind], list(history)))


@cache
def best_of(kind: str, candidates: tuple[str, ...], policy: OneStep) -> tuple[int, int]:
    """The index of the policy's guess and its score, by the plain search."""
    return best_guess(GAMES[kind], candidates, policy)


@cache
def cells_of(kind: str, guess: str, candidates: tuple[str, ...]) -> Counter[int]:
    """The partition that a guess makes, by the plain rule."""
    return partition(GAMES[kind], guess, candidates)


def bits(sizes: Iterable[int]) -> float:
    """The entropy of a partition with cells of these sizes, in bits."""
    counts = list(sizes)
    return fsum(-size / sum(counts) * log2(size / sum(counts)) for size in counts)


class Player(RuleBasedStateMachine):
    """A player with a session, beside it a plain list of what was noted.

    Attributes:
        rows: the guesses, feedbacks and whether they are set aside, as they should be.
        before: the rows as they were before each answer, for `undo`.
    """

    policies: tuple[str, ...] = ("entropy", "minimax")

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        """Begin a game, with a book or without one, with a secret that keeps the player honest."""
        self.kind = data.draw(st.sampled_from(list(GAMES)))
        self.game = GAMES[self.kind]
        self.policy = policy_named(data.draw(st.sampled_from(self.policies)))
        with_book = data.draw(st.booleans())
        self.book = book_of(self.kind, self.policy.name) if with_book else None
        policy = None if with_book else self.policy.name
        self.session = Session(self.book or self.game, policy=policy)
        self.secret = data.draw(st.sampled_from(list(self.game.secrets)))
        self.rows: list[Row] = []

    # What is true, by the plain rule.

    @property
    def pairs(self) -> History:
        """The rows that are believed."""
        game = self.game
        believed = [row for row in self.rows if not row.aside]
        return [(game.parse_code(row.guess), game.parse_feedback(row.feedback)) for row in believed]

    @property
    def candidates(self) -> tuple[str, ...]:
        """The secrets that fit the rows that are believed."""
        return fitting(self.kind, frozenset(self.pairs))

    @property
    def solved(self) -> bool:
        """Whether a believed feedback says so, and the others agree."""
        return any(f == self.game.solved for _, f in self.pairs) and bool(self.candidates)

    @property
    def in_order(self) -> bool:
        """Whether no guess comes after one that solved the game."""
        return all(feedback != self.game.solved for _, feedback in self.pairs[:-1])

    def code(self, data: st.DataObject) -> str:
        """Any code, on the book or off it."""
        return data.draw(st.sampled_from(list(self.game.guesses)))

    def given(self, guess: str, secret: str) -> str:
        """The feedback of a secret, as people write it."""
        return str(self.game.feedback(guess, secret))

    # What happens.

    @precondition(lambda self: not self.solved and self.candidates)
    @rule()
    def follow(self) -> None:
        """Make the suggested guess; the answer is true."""
        guess = self.session.hint().guess
        self.session.add_guess(None, self.given(guess, self.secret))
        self.rows.append(Row(guess, self.given(guess, self.secret)))

    @precondition(lambda self: not self.solved)
    @rule(data=st.data(), honest=st.sampled_from([True, True, True, False]))
    def guess_otherwise(self, data: st.DataObject, honest: bool) -> None:
        """Make any guess; the answer is true, or that of some other secret."""
        guess = self.code(data)
        secret = self.secret if honest else data.draw(st.sampled_from(list(self.game.secrets)))
        self.session.add_guess(guess, self.given(guess, secret))
        self.rows.append(Row(guess, self.given(guess, secret)))

    @precondition(lambda self: self.solved)
    @rule(data=st.data())
    def go_on_after_the_end(self, data: st.DataObject) -> None:
        """After the game is solved no answer is taken."""
        guess = self.code(data)
        with pytest.raises(UsageError, match="after the game was solved"):
            self.session.add_guess(guess, self.given(guess, self.secret))

    @precondition(lambda self: not self.candidates)
    @rule(data=st.data())
    def answer_nothing(self, data: st.DataObject) -> None:
        """Where no guess can be suggested, none can be answered."""
        feedback = self.given(self.code(data), self.secret)
        with pytest.raises(InconsistentFeedbackError):
            self.session.add_guess(None, feedback)

    @rule(feedback=st.sampled_from(["", "9,9", "2,1", "99", "22222", "1,1,1,1", "x"]))
    def mistype(self, feedback: str) -> None:
        """What the game never gives, or does not know, is refused, and nothing is noted."""
        try:
            self.game.parse_feedback(feedback)
        except InvalidFeedbackError:
            with pytest.raises(InvalidFeedbackError):
                self.session.add_guess(None, feedback)
            if self.rows:
                with pytest.raises(InvalidFeedbackError):
                    self.session.edit(0, None, feedback)
        if not self.solved:
            with pytest.raises(InvalidCodeError):
                self.session.add_guess("zzzz", self.given(self.secret, self.secret))

    @precondition(lambda self: self.rows)
    @rule()
    def undo(self) -> None:
        """Take the last row back."""
        assert self.session.undo() == self.rows.pop()

    @precondition(lambda self: not self.rows)
    @rule()
    def undo_nothing(self) -> None:
        """Where there is no row none can be taken back, corrected or set aside."""
        for call in (
            self.session.undo,
            lambda: self.session.set_aside(0),
            lambda: self.session.edit(0, None, self.given(self.secret, self.secret)),
        ):
            with pytest.raises(UsageError, match="nothing has been answered"):
                call()

    @precondition(lambda self: self.rows)
    @rule(data=st.data(), honest=st.booleans())
    def edit(self, data: st.DataObject, honest: bool) -> None:
        """Correct a row, its feedback or both, and believe it again."""
        number = data.draw(st.integers(0, len(self.rows) - 1))
        guess = self.code(data) if data.draw(st.booleans()) else None
        code = guess or self.rows[number].guess
        secret = self.secret if honest else data.draw(st.sampled_from(list(self.game.secrets)))
        old, new = self.rows[number], Row(code, self.given(code, secret))
        same = [k for k, row in enumerate(self.rows) if row == old and guess is None]
        for k in {number, *same}:
            self.rows[k] = new
        assert self.session.edit(number, guess, self.given(code, secret)) == new

    @precondition(lambda self: self.rows)
    @rule(data=st.data())
    def set_aside(self, data: st.DataObject) -> None:
        """Stop believing a row, or believe it again."""
        number = data.draw(st.integers(0, len(self.rows) - 1))
        old = self.rows[number]
        new = old._replace(aside=not old.aside)
        self.rows = [new if row == old else row for row in self.rows]
        assert self.session.set_aside(number) == new

    @rule(data=st.data())
    def there_and_back(self, data: st.DataObject) -> None:
        """An answer that is taken back leaves everything as it was, the suggestion included."""
        if self.solved or not self.candidates:
            return
        before = self.session.hint(), self.session.rows, self.session.candidates()
        guess = self.code(data)
        self.session.add_guess(guess, self.given(guess, self.secret))
        if data.draw(st.booleans()) and self.secret in self.candidates:
            self.session.hint()
        assert self.session.undo() == Row(guess, self.given(guess, self.secret))
        assert before == (self.session.hint(), self.session.rows, self.session.candidates())

    # What is asked.

    @precondition(lambda self: self.candidates)
    @rule(data=st.data())
    def rate(self, data: st.DataObject) -> None:
        """A rating has the numbers of the partition, and the best guess is the reference's."""
        guess, candidates = self.code(data), self.candidates
        entropy = policy_named("entropy")
        sizes = sorted(cells_of(self.kind, guess, candidates).values())
        rated = self.session.rate(guess)
        found = (rated.remaining, rated.cells, rated.worst)
        assert found == (len(candidates), len(sizes), sizes[-1])
        assert rated.entropy == pytest.approx(bits(sizes))
        assert rated.expected_size == pytest.approx(sum(n * n for n in sizes) / len(candidates))
        assert rated.chance == (guess in candidates) / len(candidates)
        # The yardstick may come by symmetry: another guess, of the same score.
        costs = entropy.costs(len(candidates))
        top = cells_of(self.kind, rated.best, candidates).values()
        _, most = best_of(self.kind, candidates, entropy)
        assert entropy.score(top, costs) == most
        scores = {
            entropy.score(cells_of(self.kind, code, candidates).values(), costs)
            for code in self.game.guesses
        }
        own = entropy.score(sizes, costs)
        assert rated.rank == 1 + sum(score > own for score in scores)
        assert 0 <= rated.skill <= 100
        assert rated.skill == 100 or rated.rank > 1 or guess not in candidates

    @precondition(lambda self: self.candidates)
    @rule(data=st.data())
    def explain(self, data: st.DataObject) -> None:
        """An explanation lists the partition of the guess, and its alternatives best first."""
        guess = self.code(data) if data.draw(st.booleans()) else None
        candidates = self.candidates
        why = self.session.explain(guess)
        assert why.guess == (guess or self.session.hint().guess)
        cells = cells_of(self.kind, why.guess, candidates)
        found = {self.game.parse_feedback(cell.feedback): cell.size for cell in why.partition}
        assert found == cells
        assert (why.remaining, why.candidate) == (len(candidates), why.guess in candidates)
        assert why.entropy == pytest.approx(bits(cells.values()))
        for cell in why.partition:
            assert set(cell.examples) <= set(candidates)
            assert {self.given(why.guess, code) for code in cell.examples} == {cell.feedback}
        costs = self.policy.costs(len(candidates))
        scores = [
            self.policy.score(cells_of(self.kind, other.guess, candidates).values(), costs)
            for other in why.alternatives
        ]
        assert scores == sorted(scores, reverse=True)
        assert scores[0] == best_of(self.kind, candidates, self.policy)[1]

    @precondition(lambda self: self.candidates and self.pairs)
    @rule()
    def review(self) -> None:
        """A review counts the candidates before and after each guess, and plays to the secret."""
        if not self.in_order:
            with pytest.raises(UsageError, match="which solved the game"):
                self.session.review()
            return
        reviewed = self.session.review()
        assert len(reviewed.turns) == len(self.pairs)
        for number, (found, pair) in enumerate(zip(reviewed.turns, self.pairs, strict=True)):
            before = fitting(self.kind, frozenset(self.pairs[:number]))
            after = fitting(self.kind, frozenset(self.pairs[: number + 1]))
            assert (found.guess, found.remaining, found.left) == (
                self.game.guesses[pair[0]],
                len(before),
                len(after),
            )
            assert found.bits == pytest.approx(log2(len(before) / len(after)))
            sizes = cells_of(self.kind, found.guess, before).values()
            assert found.entropy == pytest.approx(bits(sizes))
            assert 0 <= found.skill <= 100
            assert 0 <= found.luck <= 100
        assert (reviewed.solved, reviewed.remaining) == (self.solved, len(self.candidates))
        if len(self.candidates) == 1:
            assert reviewed.secret == self.candidates[0]
            assert reviewed.line[-1] == (reviewed.secret, self.given(*[reviewed.secret] * 2))
        else:
            assert (reviewed.secret, reviewed.line) == (None, ())

    @precondition(lambda self: not self.candidates)
    @rule()
    def contradict(self) -> None:
        """A contradiction names just the rows without which the others fit."""
        pairs = self.pairs
        believed = [number for number, row in enumerate(self.rows) if not row.aside]
        suspects = tuple(
            believed[k]
            for k, pair in enumerate(pairs)
            if pair not in pairs[:k] and fitting(self.kind, frozenset(pairs) - {pair})
        )
        calls: list[Callable[[], object]] = [self.session.hint, self.session.explain]
        calls += [lambda: self.session.rate(self.secret), *[self.session.review] * self.in_order]
        for call in calls:
            with pytest.raises(InconsistentFeedbackError) as error:
                call()
            assert error.value.suspects == suspects
        assert not self.session.solved

    # What holds at any time.

    @invariant()
    def notes_are_right(self) -> None:
        """The rows are what was noted, and the candidates those that fit them."""
        if not hasattr(self, "session"):
            return
        candidates = self.candidates
        assert self.session.rows == tuple(self.rows)
        assert self.session.history == [(r.guess, r.feedback) for r in self.rows if not r.aside]
        assert self.session.remaining == len(candidates)
        assert self.session.candidates() == list(candidates)
        assert self.session.solved == self.solved

    @invariant()
    def suggestions_are_best(self) -> None:
        """The suggestion has the best score by the policy, and the numbers of its partition."""
        if not hasattr(self, "session") or not (candidates := self.candidates):
            return
        hint = self.session.hint()
        assert (hint.remaining, hint.solved) == (len(candidates), self.solved)
        if self.solved:
            assert (hint.guess,) == candidates
            return
        cells = cells_of(self.kind, hint.guess, candidates)
        assert hint.candidate == (hint.guess in candidates) == (self.game.solved in cells)
        assert hint.entropy == pytest.approx(bits(cells.values()))
        best, most = best_of(self.kind, candidates, self.policy)
        own = self.policy.score(cells.values(), self.policy.costs(len(candidates)))
        assert own == most
        assert hint.candidate == (self.game.guesses[best] in candidates)
        if hint.source != "symmetry":
            assert hint.guess == self.game.guesses[best]
        # A history is a set: a session that was told in another order says the same.
        other = Session(self.book or self.game, self.session.history[::-1], self.given_policy)
        assert other.hint() == hint

    @property
    def given_policy(self) -> str | None:
        """The policy as a session without a book is told it."""
        return None if self.book else self.policy.name


def test_random_games() -> None:
    """Whatever is answered, corrected, set aside and taken back, every answer is right."""
    run_state_machine_as_test(Player, settings=settings(stateful_step_count=20))


@pytest.mark.slow
def test_many_random_games() -> None:
    """The same, more often, longer, and with every one-step policy."""

    class Patient(Player):
        policies = tuple(POLICIES)

    run_state_machine_as_test(
        Patient, settings=settings(max_examples=150, stateful_step_count=40, deadline=None)
    )

"""The adversary: it keeps the most candidates, and breaks ties by its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from guessbook.book import InconsistentFeedbackError, Mastermind, parse_history
from guessbook.play import Session
from guessbook.play.codemaker import MAX_PLAYED, Adversary
from guessbook.policy.one_step import POLICIES
from guessbook.policy.search.search import Choice
from tests.helpers.samples import KINDS

if TYPE_CHECKING:
    from guessbook.book import Game
    from guessbook.book.games.game import History


@pytest.mark.parametrize("kind", KINDS)
def test_the_adversary_keeps_the_most(kind: str) -> None:
    """Each answer leaves a largest cell, "solved" only if nothing else can; the order is fixed."""
    game = KINDS[kind]
    adversary, twin = Adversary(game), Adversary(game)
    for _ in range(20):
        before = list(adversary.candidates())
        guess = Session(game, adversary.history).hint().guess
        cells: dict[int, int] = {}
        for secret in before:
            cells[game.feedback_number(guess, secret)] = (
                cells.get(game.feedback_number(guess, secret), 0) + 1
            )
        answer = adversary.answer(guess)
        assert answer == twin.answer(guess)
        assert len(adversary.candidates()) == max(cells.values())
        if adversary.solved:
            assert set(cells) == {game.solved}
            break
    assert adversary.solved


def test_the_adversary_breaks_ties_by_its_rules() -> None:
    """Rules 1 to 4 one after the other, worked out anew from the cells, guess by guess."""
    game = Mastermind(3, 4)
    ties = 0
    for first in game.guesses[::8]:
        for second in game.guesses[::9]:
            adversary = Adversary(game)
            for guess in (first, second):
                before, history = adversary.candidates(), parse_history(game, adversary.history)
                cells: dict[int, list[str]] = {}
                for secret in before:
                    cells.setdefault(game.feedback_number(guess, secret), []).append(secret)
                most = max(map(len, cells.values()))
                tied = [f for f, cell in cells.items() if len(cell) == most]
                ties += len(tied) > 1
                wanted = min(tied, key=lambda f: tie_key(game, history, guess, f, most))
                assert game.parse_feedback(adversary.answer(guess)) == wanted
    assert ties > 20


def tie_key(game: Game, history: History, guess: str, f: int, size: int) -> tuple[object, ...]:
    """The key of a feedback of the adversary by its rules; the lowest comes first."""
    if f == game.solved:
        return (1, 0, f)
    now = [*history, (game.parse_code(guess), f)]
    typed = [(game.guesses[g], game.format_feedback(answer)) for g, answer in now]
    session = Session(game, typed)
    if size <= MAX_PLAYED:
        return (0, -sum(guesses_left(game, typed, s) for s in session.candidates()), f)
    # Bits rounded: sums of the same cells in another order differ in their last digits.
    return (0, round(session.split(session.hint().guess).entropy, 9), f)


def guesses_left(game: Game, history: list[tuple[str, str]], secret: str) -> int:
    """How many guesses more the policy `entropy` takes for a secret."""
    session = Session(game, history)
    count = 0
    while not session.solved:
        guess = session.hint().guess
        session.add_guess(guess, str(game.feedback(guess, secret)))
        count += 1
    return count


def test_the_adversary_compares_exactly() -> None:
    """Cells 10,1,1,1,1,1,1 and 5,5,4,2 tell equally much: they tie whatever rounding says."""
    policy = POLICIES["entropy"]
    costs = policy.costs(16)
    assert policy.score([10, 1, 1, 1, 1, 1, 1], costs) == policy.score([5, 5, 4, 2], costs)
    adversary = Adversary(Mastermind(4, 6))
    chosen = {}
    for sizes in ([10, 1, 1, 1, 1, 1, 1], [5, 5, 4, 2]):
        choice = Choice(0, 16, sizes, True)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("guessbook.play.codemaker.choose", lambda *_, c=choice: c)
            chosen[len(sizes)] = adversary._hardness([])
    assert chosen[7] == chosen[4]


def test_an_answer_that_no_candidate_gives() -> None:
    """An adversary refuses to note an answer that contradicts the others, and keeps its state."""
    adversary = Adversary(Mastermind(2, 3))
    adversary.note("RR", "0,0")
    left = adversary.candidates()
    with pytest.raises(InconsistentFeedbackError, match="found RY=2,0, but no candidate gives"):
        adversary.note("RY", "2,0")
    assert adversary.candidates() == left
    assert adversary.history == [("RR", "0,0")]

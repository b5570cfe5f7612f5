"""Several boards: one guess for all, chosen for what it tells in sum."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from guessbook.book import InconsistentFeedbackError, Mastermind, UsageError
from guessbook.builder import build_strategy
from guessbook.play import Session
from guessbook.play.analysis import Analysis
from guessbook.play.boards import Boards, boards_turns
from guessbook.play.run import turns
from guessbook.policy.one_step import OneStep
from guessbook.policy.search.search import candidates_of
from tests.helpers.plain import plain_book
from tests.helpers.samples import KINDS, SMALL


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("policy", ["entropy", "minimax"])
def test_several_boards_guess_what_tells_most_in_sum(kind: str, policy: str) -> None:
    """Whatever the policy, no guess has more bits over the open boards; the tie rule holds."""
    game = KINDS[kind]
    boards = Boards(Session(game, policy=policy), 3)
    secrets = [game.secrets[k] for k in (0, len(game.secrets) // 2, len(game.secrets) - 1)]
    for _ in range(12):
        hint = boards.hint()
        if hint.solved:
            break
        sessions = [boards.sessions[k] for k in boards.open]
        if certain := boards.certain(hint.guess):
            assert boards.remaining_each[certain[0]] == 1
            assert hint.chance == 1
        else:
            sums = [sum(s.split(guess).entropy for s in sessions) for guess in game.guesses]
            assert hint.entropy == pytest.approx(max(sums))
            # Sums that differ by rounding only tie: one that may be a secret, the lowest.
            tied = [g for g, s in zip(game.guesses, sums, strict=True) if s > max(sums) - 1e-9]
            may = [g for g in tied if any(g in session.candidates() for session in sessions)]
            assert hint.guess == [*may, *tied][0]
        answers = [str(game.feedback(hint.guess, s)) for s in secrets]
        boards.add_guess(hint.guess, answers)
    assert [session.rows[-1].guess for session in boards.sessions] == secrets


def test_several_boards_with_a_pinned_book() -> None:
    """Neither the opening nor the policy of a book matters to the sum; an error names its board."""
    pinned = build_strategy(SMALL, policy={"name": "entropy", "first_guess": "RRR"})
    assert Session(pinned).hint().guess == "RRR"
    by_entropy = Boards(Session(SMALL), 2).hint()
    assert Boards(Session(pinned), 2).hint() == by_entropy
    assert Boards(Session(plain_book(SMALL, "minimax")), 2).hint() == by_entropy
    boards = Boards(Session(SMALL), 2)
    boards.add_guess("RRR", ["1,0", "0,0"])
    boards.add_guess("RRR", ["1,0", "1,0"])
    with pytest.raises(InconsistentFeedbackError, match="board 2: "):
        boards.hint()


def test_several_boards_can_be_taken_back() -> None:
    """Undo takes the last guess back where it was made: not on boards that were solved before."""
    boards = Boards(Session(SMALL), 2)
    boards.add_guess("RRY", ["3,0", "1,0"])
    boards.add_guess("RGG", ["", "0,0"])
    assert [len(session.rows) for session in boards.sessions] == [1, 2]
    assert boards.undo() == "RGG"
    assert boards.undo() == "RRY"
    with pytest.raises(UsageError):
        boards.undo()
    with pytest.raises(UsageError, match="found 33 boards"):
        Boards(Session(SMALL), 33)


def test_boards_at_once_and_a_first_guess() -> None:
    """Every board ends with its secret, and the game opens as asked."""
    played = boards_turns(Session(SMALL), ["RRY", "BGY", "BBB"], "GGG")
    assert played[0].guess == "GGG"
    guessed = [turn.guess for turn in played]
    assert {"RRY", "BGY", "BBB"} <= set(guessed)
    assert turns(Session(SMALL), "BGY", "GGG")[0].source == "first guess"


def test_many_boards_of_a_large_game_score_few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """After one guess its symmetry leaves few to score, and no board computes a hint of its own."""
    boards = Boards(Session("mastermind-5x8"), 4)
    boards.add_guess("RRYGB", ["1,1", "0,2", "1,1", "2,0"])

    def never(*_: object) -> None:
        raise AssertionError("a board asked for its own hint")

    pairs = 0
    scores = Analysis.scores

    def counted(
        board: Analysis, policies: Sequence[OneStep], guesses: Sequence[int]
    ) -> list[list[int]]:
        nonlocal pairs
        pairs += len(guesses) * len(board.candidates)
        return scores(board, policies, guesses)

    monkeypatch.setattr(Session, "hint", never)
    monkeypatch.setattr(Analysis, "scores", counted)
    hint = boards.hint()
    assert boards.remaining_each == (5432, 7051, 5432, 1523)
    assert hint.remaining == sum(boards.remaining_each)
    assert 0 < pairs < 9_000_000  # of 32768 * (5432 + 7051 + 1523), which are 459 million


def test_boards_that_contradict_each_other_leave_most_guesses() -> None:
    """Each guess has several answers; the candidates are those of all boards."""
    game, made, secrets = Mastermind(5, 8), ("GYYOP", "YRROK"), ("BWKGY", "YYROK")
    boards = [[(game.parse_code(g), game.feedback_number(g, s)) for g in made] for s in secrets]
    possible = sorted({code for rows in boards for code in candidates_of(game, rows)})
    rows = sorted({row for board in boards for row in board})
    found = Analysis(game, rows, sorted(possible, key=game.parse_code)).inequivalent()
    assert len(found) > 10_000

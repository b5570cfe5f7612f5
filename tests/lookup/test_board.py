"""The board, the facade for scripts."""

from __future__ import annotations

import pytest

from guessbook.book import InconsistentFeedbackError, InvalidCodeError, InvalidFeedbackError
from guessbook.play import Board


def played(*guesses: tuple[str, tuple[int, ...]]) -> Board:
    """A default board with these guesses and feedbacks."""
    board = Board()
    for code, feedback in guesses:
        board.add_guess(tuple(code), feedback)
    return board


def test_after_two_guesses() -> None:
    """The first printed example: 57 of 1296 remain, the best entropy is 3.4511 bits."""
    best = played(("RYGB", (1, 1, 2)), ("RGOP", (0, 2, 2))).best_next_guess()
    assert best.remaining == 57
    assert f"{best.entropy:.4f}" == "3.4511"
    assert "57 candidates" in str(best)
    assert "3.4511" in str(best)
    assert best.guess in str(best)


def test_after_three_guesses() -> None:
    """The second printed example: 3 remain, the best entropy is 1.5850 bits."""
    guesses = ("RYGB", (1, 1, 2)), ("RGOP", (0, 2, 2)), ("PYYG", (2, 1, 1))
    best = played(*guesses).best_next_guess()
    assert (best.remaining, f"{best.entropy:.4f}") == (3, "1.5850")
    assert "3 candidates" in str(best)
    assert "1.5850" in str(best)


def test_certain() -> None:
    """With one candidate left the board says that it is certain."""
    only = played(("RRYY", (0, 4, 0))).best_next_guess()
    assert (only.remaining, only.guess, only.entropy) == (1, "YYRR", 0.0)
    assert str(only) == "The secret is YYRR."


def test_solved() -> None:
    """After the last answer there is nothing left to guess."""
    best = played(("RRRR", (2, 0, 2)), ("RRYY", (4, 0, 0))).best_next_guess()
    assert (best.guess, best.solved) == ("RRYY", True)
    assert "solved" in str(best)


def test_no_code_fits() -> None:
    """With none left the error says that no code fits and which answers to re-check."""
    board = played(("RRRR", (1, 0, 3)), ("YYYY", (1, 0, 3)), ("RRYY", (0, 0, 4)))
    with pytest.raises(InconsistentFeedbackError, match="re-check RRYY=0,0") as caught:
        board.best_next_guess()
    assert caught.value.suspects == (2,)


def test_nothing_wrong_is_noted() -> None:
    """What the game does not know is refused at once and leaves the board as it was."""
    board = Board()
    with pytest.raises(InvalidCodeError):
        board.add_guess("RYGX", (1, 1, 2))
    with pytest.raises(InvalidFeedbackError):
        board.add_guess("RYGB", (3, 1, 0))
    assert board.history == []


@pytest.mark.parametrize("repeats", [True, False])
def test_other_games(repeats: bool) -> None:
    """Any code game has a board, with a shipped book or without."""
    board = Board(3, 5, repeats=repeats, symbols="abcde")
    secret = "dbe"
    for _ in range(8):
        best = board.best_next_guess()
        if best.solved:
            break
        feedback = board.game.feedback_number(best.guess, secret)
        board.add_guess(best.guess, board.game.format_feedback(feedback))
    assert best.guess == secret


def test_book_and_live_agree() -> None:
    """Without a book the board finds as many candidates and as many bits as with it."""
    board = played(("RYGB", (1, 1, 2)))
    other = played(("RYGB", (1, 1, 2)))
    other._book = None
    with_book, without = board.best_next_guess(), other.best_next_guess()
    assert with_book.remaining == without.remaining
    assert with_book.entropy == pytest.approx(without.entropy)

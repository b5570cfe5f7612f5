"""What is no tree in Irving's notation: wrong, changed and hostile texts, files that are none."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guessbook.book import InvalidBookError, Mastermind, UsageError
from guessbook.book import imported as published
from guessbook.book.errors import GuessbookError
from guessbook.book.imported import strategy_of
from guessbook.book.irving import MAX_NESTING
from guessbook.play.proof import prove
from tests.helpers.irving import SMALL, minimax, text_of
from tests.helpers.plain import plain_book

if TYPE_CHECKING:
    from pathlib import Path

WRONG = {
    "": "line 1: found the end of the text, expected a number of candidates",
    "hello": "line 1: found 'hello', expected a number",
    "9": "line 1: found no guess after the number of secrets",
    "9 (12: 1, 3, 1; 3; 1)": "found nothing more about the 3 candidates after 12=0,1, expected a",
    "9 (12: 1, 2 (23), 1; 4; 1)": "about the 4 candidates after 12=1,0, expected a guess",
    "9 (12)": "about the 4 candidates after 12=1,0, expected a guess",
    "99 (12)": "about the 99 candidates at the start, expected the cells of the guess 12",
    "9 (12: 1, 2 (23), 1; 5 (13); 1)": "found cells of 10 candidates in all at the start, exp",
    "9 (12: 2, 2 (23), 0; 4 (13); 1)": "found 2 candidates after 12=0,2, expected 1",
    "9 (12: 1, 2 (23), 1;\n4 (13: 1, 1, 0; 1; 1)\n; 1)": "line 2: found 1 .* 12=1,0 13=0,2, exp",
    "9 (12: 1, 2 (33), 1; 4 (13); 1)": "the guess 33 after 12=0,1, which does not separate the candidates",
    "9 (12: 1, 1; 2 (23), 1; 4 (13))": "found 2 cells with 0 black, expected 3",
    "9 (12: 1, 2 (23), 1, 4 (13); 1)": "found more than 3 cells with 0 black, expected ';'",
    "9 (12: 1, 2 (23), 1; 5)": "found 2 groups of cells separated by ';', expected 3",
    "9 (12: 1, 2 (23), 1; 4 (13); 1; 0)": "found more than 0 cells with 3 black, expected ';'",
    "9 (12: 1, 2 (23), 1; 4 (13); 1": "found the end of the text, expected ',', ';' or",
    "9 (12: 1, 2 (23), 1; 4 (13); 1))": r"found '\)', expected a label",
    "9 (12: 1, 2 (23), 1; 4 (13); 2)": "found a cell of size 2 for 2 black",
    "9 (12: 1, 2 (23), 1; 4 (13); 1 (12))": "found a cell of size 1 for 2 black",
    "9 (12: 1, 2 (23), 1; 4 (133); 1)": "found the guess '133', expected a guess of 2 symbols",
    "9 (12: 1, 2 (23), 0 (11); 5; 1)": "found guess 11 after 12=0,0, where no candidates remain, expected no guess",
    "9 (12: 1, 2A, 1; 4A; 1)\nA = (23)": "found the label A twice, expected one definition and one use",
    "9 (12: 1, 2A, 1; 4 (13); 1)": "found the label A that no line defines",
    "9 (12: 1, 2A, 1; 4 (13); 1)\nA = (23)\nA = (23)": "line 3: found the label A again",
    SMALL + "A = (23)": "line 3: found the label A, which no cell refers to",
    "9 (12: 1, 2A, 1; 4 (13); 1)\nA (23)": r"line 2: found '\(', expected '='",
    "8 (12: 1, 1, 1; 4 (13); 1)": "found 8 secrets of 2 pegs, expected the number of a game's secrets, such as",
    "12345678901 (12)": "expected a number of candidates of at most 9 digits",
    "6 (11: 1, 1, 1; 2; 1)": "line 1: found a repeated symbol in '11', expected 2 of '123'",
    "9 (12: 1, 2 (23), 1; 4 (13é); 1)": "found 'é', expected ':' or '",
    "4 (" + 20 * "1" + ")": "expected a guess of 1 to 15 symbols",
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong_texts_are_refused(text: str) -> None:
    """What is incomplete or wrong is refused, with its line and the history."""
    with pytest.raises(InvalidBookError, match=WRONG[text]):
        strategy_of(text)


PIECES = "0123456789(),:;*=xA# \n"


@given(st.data())
def test_mutated_texts(data: st.DataObject) -> None:
    """A text with some characters changed gives a book that proves right, or one of our errors."""
    text = data.draw(st.sampled_from(texts()))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.sampled_from([0, 1, 1, 2, 5, 40]))
        piece = data.draw(st.one_of(st.text(PIECES, max_size=4), st.text(max_size=2)))
        text = text[:start] + piece + text[end:]
    symbols = data.draw(st.sampled_from([None, "123456", "RYGBOP", "RYG"]))
    refused_or_right(text, symbols)


@pytest.mark.slow
def test_many_mutated_texts() -> None:
    """The same 20,000 times: digits and separators exchanged, dropped, doubled and moved."""
    random = Random(6)
    refused = 0
    for _ in range(20_000):
        text = random.choice(texts()[:-1])
        for _ in range(random.randint(1, 3)):
            start, other = random.randrange(len(text)), random.randrange(len(text))
            length = random.choice((0, 1, 1, 3, 20))
            piece = random.choice((random.choice(PIECES), text[other : other + length], ""))
            text = text[:start] + piece + text[start + random.choice((0, 1, length)) :]
        refused += refused_or_right(text)
    assert 1_000 < refused < 20_000


def refused_or_right(text: str, symbols: str | None = None) -> bool:
    """Whether a text is refused; if it is not, its book must prove right."""
    try:
        book = strategy_of(text, symbols)
    except GuessbookError:
        return True
    assert all(check.passed for check in prove(book))
    return False


@cache
def texts() -> list[str]:
    """Texts of small games, and a larger one with labels."""
    games = (Mastermind(2, 3), Mastermind(3, 4), Mastermind(3, 4, repeats=False), Mastermind(1, 9))
    return [text_of(plain_book(game)) for game in games] + [text_of(minimax())]


def test_hostile_texts_are_refused_before_they_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the size of the game is made for a text that is short, deep or circular."""
    played: list[object] = []
    monkeypatch.setattr(published, "play", lambda *arguments: played.append(arguments))
    many = 4**11
    texts = {
        f"{many} ({'1' * 11}": "expected ':' or '",
        f"{many} ({'1' * 11})": f"about the {many:,} candidates at the start",
        "9 (11: " * 1000: f"more than {MAX_NESTING} nested guesses",
        "999999999 (1)": "about the 999,999,999 candidates at the start",
        "40000000 (1: 39999999 (2: 39999998; 1); 1)": "more than 33,554,432 candidates",
        "16777215 (1: 16777214 (2: 16777213 (3: 16777212; 1); 1); 1)": "more than 33,554,432 c",
        "9 (12: 0, 8A, 0; 0; 1)\nA = (12: 0, 8A, 0; 0; 0)": "label A twice",
        "9 (12: 0, 8 (13), 0; 0; 1)\nA = (12: 0, 8A, 0; 0; 0)": "A, which no cell refers to",
    }
    for text, reason in texts.items():
        with pytest.raises(InvalidBookError, match=reason):
            strategy_of(text)
    assert not played


@pytest.mark.posix
def test_large_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file beyond the limit is refused, and not read to its end; at the limit it is read."""
    monkeypatch.setattr(published, "MAX_FILE", 20)
    (tmp_path / "large").write_text(21 * " ")
    (tmp_path / "fits").write_text(20 * " ")
    with pytest.raises(InvalidBookError, match="more than 20 bytes"):
        published.read_text(str(tmp_path / "large"))
    with pytest.raises(InvalidBookError, match="more than 20 bytes"):
        published.read_text("/dev/zero")
    assert published.read_text(str(tmp_path / "fits")) == 20 * " "


def test_files_that_are_no_text(tmp_path: Path) -> None:
    """A missing file, a folder and bytes that are no UTF-8 give one of our errors."""
    for name in (str(tmp_path / "none"), str(tmp_path), "a\0b", "x" * 5000):
        with pytest.raises(UsageError, match="give a file with a strategy tree"):
            published.read_text(name)
    (tmp_path / "bytes").write_bytes(b"9 (\xff")
    with pytest.raises(InvalidBookError, match="as byte 4, expected UTF-8"):
        published.read_text(str(tmp_path / "bytes"))

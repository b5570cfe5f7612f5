"""One book in many threads, and one file in many processes."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from tests.hints.definitions import answer, answers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.hints.definitions import Entries

THREADS = 8


@pytest.fixture(autouse=True)
def frequent_switches() -> Iterator[None]:
    """Let threads take turns a thousand times as often as usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(before)


def random_words() -> gb.WordGame:
    """A game of almost 300 words, of which 100 may be the secret."""
    dice = random.Random(2)
    words = sorted({"".join(dice.choices("abcdefg", k=5)) for _ in range(300)})
    return gb.WordGame(dice.sample(words, 100), words)


def random_histories(book: gb.Book, number: int) -> list[Entries]:
    """Random histories: on-book, on-book by symmetry, of any guesses, and contradictory."""
    game, dice = book.game, random.Random(number)
    histories = []
    for kind in range(number):
        secret, node, history = dice.choice(game.secrets), book.root, []
        for _ in range(dice.randrange(1, 4)):
            guess = node.guess if kind % 4 < 2 else dice.choice(game.guesses)
            told = answer(game, guess, dice.choice(game.secrets) if kind % 8 == 7 else secret)
            history.append((guess, told))
            node = node.child(told) or node
        if kind % 4 == 1 and isinstance(game, gb.Mastermind):
            table = str.maketrans(game.symbols, "".join(dice.sample(game.symbols, game.colors)))
            history = [(guess.translate(table)[::-1], told) for guess, told in history]
        histories.append(history)
    return histories


def hint_or_error(book: gb.Book, history: Entries) -> object:
    """What a book says about a history."""
    node = book.get(history)
    try:
        return book.hint(history), node and node.index
    except gb.InconsistentFeedbackError as error:
        return str(error)


def in_threads(work: Callable[[int], Any]) -> list[Any]:
    """The results of eight threads that start together."""
    gate = threading.Barrier(THREADS)

    def begin(number: int) -> Any:
        gate.wait(30)
        return work(number)

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(begin, range(THREADS)))


BOOKS: dict[str, Callable[[], gb.Book]] = {
    "mastermind": gb.open,
    "bulls and cows": lambda: gb.open("bulls-and-cows-4x10"),
    "words": lambda: gb.build(random_words()),
}


@pytest.mark.parametrize("name", BOOKS)
def test_threads_share_a_book(name: str) -> None:
    data = BOOKS[name]().to_bytes()
    histories = random_histories(gb.open(data), 16)
    expected = [hint_or_error(gb.open(data), history) for history in histories]
    sources = {found[0].source for found in expected if isinstance(found, tuple)}
    assert sources >= {"book", "live", *([] if name == "words" else ["symmetry"])}
    # The threads start together, so they compete to compute what the book caches at its first hint.
    shared = gb.open(data)

    def ask_in_random_order(number: int) -> list[object]:
        order = random.Random(number).sample(range(len(histories)), len(histories))
        found = {k: hint_or_error(shared, histories[k]) for k in order}
        return [found[k] for k in range(len(histories))]

    for found in in_threads(ask_in_random_order):
        assert found == expected


@pytest.mark.parametrize("game", [gb.Mastermind(4, 6), random_words()], ids=lambda game: game.name)
def test_threads_share_the_engine(game: gb.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(4)
    histories = [
        answers(game, [dice.choice(game.guesses)], dice.choice(game.secrets)) for _ in range(6)
    ]
    with monkeypatch.context() as patch:
        patch.setenv("GUESSBOOK_PURE", "1")
        expected = [gb.Session(game, history).hint() for history in histories]
    for found in in_threads(lambda _: [gb.Session(game, h).hint() for h in histories]):
        assert found == expected


def test_copies_of_a_session_are_independent(book: gb.Book) -> None:
    session = gb.Session(book, "RYGB=1,1")

    def play(number: int) -> tuple[str, int]:
        own = session.copy()
        for _ in range(number + 10):
            own.add_guess(None, "0,2")
            own.hint()
            own.undo()
            own.set_aside(0)
            own.set_aside(0)
        return own.hint().guess, own.remaining

    assert set(in_threads(play)) == {("RGOP", 252)}
    assert [row.guess for row in session.rows] == ["RYGB"]


READER = """
import sys
import guessbook as gb
print("ready", flush=True)
opened = set()
while not sys.stdin.readline().startswith("stop"):
    for _ in range(20):
        book = gb.open(sys.argv[1])
        assert book.hint().guess == book.root.guess
        opened.add(book.game.name)
    print(len(opened), flush=True)
print(*sorted(opened))
"""


def test_processes_read_a_file_that_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.book"
    books = [gb.open("mastermind-4x6"), gb.open("bulls-and-cows-4x10")]
    books[0].save(path)
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", READER, str(path)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    done = threading.Event()
    replaced = 0

    def replace() -> None:
        nonlocal replaced
        while not done.is_set():
            replaced += 1
            books[replaced % 2].save(path, overwrite=True)

    writer = threading.Thread(target=replace)
    try:
        for reader in readers:
            assert reader.stdout is not None
            assert reader.stdout.readline() == "ready\n"
        writer.start()
        # On a busy machine it takes some rounds until each reader has seen both books.
        counts = [0]
        while writer.is_alive() and (replaced <= 20 or min(counts) < 2):
            for reader in readers:
                assert reader.stdin is not None
                reader.stdin.write("go on\n")
                reader.stdin.flush()
            counts = [int(reader.stdout.readline() or 2) for reader in readers if reader.stdout]
        for reader in readers:
            out, _ = reader.communicate("stop\n", timeout=60)
            assert reader.returncode == 0
            assert out.splitlines()[-1] == "bulls-and-cows-4x10 mastermind-4x6"
    finally:
        done.set()
        if writer.is_alive():
            writer.join()
        for reader in readers:
            reader.kill()
            reader.communicate()
    assert [left.name for left in tmp_path.iterdir()] == ["a.book"]

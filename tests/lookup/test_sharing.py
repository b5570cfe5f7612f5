"""Sharing: one book serves many threads, one file many processes, also while it is replaced."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from guessbook.book import GuessbookError, Mastermind, WordGame
from guessbook.book.file.disk import write_atomically
from guessbook.book.strategy import book_path
from guessbook.builder import build_strategy
from guessbook.lookup import Hint, open_book
from guessbook.play import Session
from tests.helpers.plain import without_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from guessbook.book import Game
    from guessbook.lookup import Book

THREADS = 8
Entries = list[tuple[str, str]]


@pytest.fixture(autouse=True)
def restless() -> Iterator[None]:
    """Threads take turns a thousand times as often as usual, so that they do meet."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(before)


def many_words() -> WordGame:
    """A game of 300 words of which 100 may be the secret."""
    dice = random.Random(2)
    words = sorted({"".join(dice.choices("abcdefg", k=5)) for _ in range(300)})
    return WordGame(dice.sample(words, 100), words)


SOURCES: dict[str, Callable[[], bytes]] = {
    "mastermind-4x6": lambda: open_book("mastermind-4x6").to_bytes(),
    "bulls-and-cows-4x10": lambda: open_book("bulls-and-cows-4x10").to_bytes(),
    "words": lambda: build_strategy(many_words()).to_bytes(),
}


def random_histories(book: Book, number: int) -> list[Entries]:
    """Histories on the book, in other symbols and positions, off the book, and contradictory."""
    game = book.game
    dice = random.Random(number)
    histories = []
    for kind in range(number):
        secret = dice.choice(game.secrets)
        history: Entries = []
        node = book.root
        for _ in range(dice.randrange(1, 4)):
            guess = node.guess if kind % 4 < 2 else dice.choice(game.guesses)
            told = game.feedback(guess, dice.choice(game.secrets) if kind % 8 == 7 else secret)
            history.append((guess, str(told)))
            following = node.child(told)
            if following is None:
                break
            node = following
        if kind % 4 == 1 and isinstance(game, Mastermind):
            history = permuted(game, history, dice)
        dice.shuffle(history)
        histories.append(history)
    return histories


def permuted(game: Mastermind, history: Entries, dice: random.Random) -> Entries:
    """The same history in other positions and symbols."""
    places = dice.sample(range(game.pegs), game.pegs)
    table = str.maketrans(game.symbols, "".join(dice.sample(game.symbols, game.colors)))
    codes = [("".join(guess[p] for p in places), feedback) for guess, feedback in history]
    return [(code.translate(table), feedback) for code, feedback in codes]


def answers(book: Book, history: Entries) -> tuple[object, ...]:
    """What a book says of a history, an error included."""
    node = book.get(history)
    try:
        hint = book.hint(history)
    except GuessbookError as error:
        return type(error), str(error)
    return hint, node and node.index, [book.game.parse_code(guess) for guess, _ in history]


def in_threads(work: Callable[[int], object]) -> list[object]:
    """The results of eight threads that start together, or the first error."""
    results: list[object] = [None] * THREADS
    errors: list[BaseException] = []
    gate = threading.Barrier(THREADS)

    def call(number: int) -> None:
        try:
            gate.wait(30)
            results[number] = work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=call, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


@pytest.mark.parametrize("name", SOURCES)
def test_threads_get_the_answers_of_one(name: str) -> None:
    """Eight threads with one book get, each in its own order, what one thread gets."""
    data = SOURCES[name]()
    histories = random_histories(open_book(data), 16)
    alone = open_book(data)
    expected = [answers(alone, history) for history in histories]
    sources = {found.source for found, *_ in expected if isinstance(found, Hint)}
    assert {"book", "live"} <= sources
    assert "symmetry" in sources or name == "words"
    # A book that nobody has used: what it fills in late is filled in by all at once.
    shared = open_book(data)

    def work(number: int) -> object:
        order = list(range(len(histories)))
        random.Random(number).shuffle(order)
        found = {k: answers(shared, histories[k]) for k in order}
        return [found[k] for k in range(len(histories))]

    for found in in_threads(work):
        assert found == expected


@pytest.mark.parametrize("game", [Mastermind(4, 6), many_words()], ids=lambda game: game.name)
def test_threads_may_compute_by_the_engine(game: Game) -> None:
    """The engine gives eight threads what plain Python gives one."""
    dice = random.Random(4)
    histories = []
    for _ in range(6):
        secret, guess = dice.choice(game.secrets), dice.choice(game.guesses)
        histories.append([(guess, str(game.feedback(guess, secret)))])
    with without_engine():
        expected = [Session(game, history).hint() for history in histories]
    for found in in_threads(lambda _: [Session(game, h).hint() for h in histories]):
        assert found == expected


READER = """
import sys
from guessbook.lookup import open_book
path, first, *histories = sys.argv[1:]
print("ready", flush=True)
opened = set()
while not sys.stdin.readline().startswith("stop"):
    for _ in range(20):
        book = open_book(path)
        assert book.hint().guess == book.root.guess
        opened.add((book.game.name, len(book.tree)))
    print(len(opened), flush=True)
print(*sorted(name for name, nodes in opened))
"""


def test_processes_share_a_file_that_is_replaced(tmp_path: Path) -> None:
    """Six processes open a file again and again while it is replaced: each time a whole book."""
    path = tmp_path / "a.book"
    names = ["mastermind-4x6", "bulls-and-cows-4x10"]
    blobs = [Path(book_path(name)).read_bytes() for name in names]
    write_atomically(path, blobs[0])
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", READER, str(path), "-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]
    done = threading.Event()
    replaced = [0]

    def replace() -> None:
        while not done.is_set():
            replaced[0] += 1
            write_atomically(path, blobs[replaced[0] % 2])

    writer = threading.Thread(target=replace)
    try:
        for reader in readers:
            assert reader.stdout is not None
            assert reader.stdout.readline() == "ready\n"
        writer.start()
        # On a busy machine it takes some rounds until each has had a turn.
        counts = [0]
        while writer.is_alive() and (replaced[0] <= 20 or min(counts) < 2):
            for reader in readers:
                assert reader.stdin is not None
                reader.stdin.write("go on\n")
                reader.stdin.flush()
            counts = [int(reader.stdout.readline() or 2) for reader in readers if reader.stdout]
        seen = []
        for reader in readers:
            out, err = reader.communicate("stop\n", timeout=60)
            assert reader.returncode == 0, err
            seen.append(out.splitlines()[-1].split())
    finally:
        done.set()
        if writer.is_alive():
            writer.join()
        for reader in readers:
            reader.kill()
            reader.communicate()
    assert all(set(found) == set(names) for found in seen)
    assert [left.name for left in tmp_path.iterdir()] == ["a.book"]

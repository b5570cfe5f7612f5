"""The process of live hints: a server gives it up when it takes too long, and begins another."""

from __future__ import annotations

import asyncio
import json
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from guessbook.book import Mastermind
from guessbook.export.serve.request import Limits
from guessbook.export.serve.worker import Answer, Worker, answer_to
from guessbook.lookup import Book
from tests.helpers.client import expected, running
from tests.helpers.plain import plain_book


class Slow(Book):
    """A book whose hints off the tree never come: what is sent to the process is not a book."""

    def to_bytes(self) -> bytes:
        """Less than the process waits for, so it waits."""
        return _Endless(super().to_bytes())


class _Endless(bytes):
    def __len__(self) -> int:
        return 1 << 20


def test_hints_that_take_too_long() -> None:
    """They are given up after their time with a 503, and the book answers all the while."""
    known = plain_book(Mastermind(2, 4))
    book = Slow(known.game, known.policy, known.tree)
    with running(book, Limits(live_seconds=1.0)) as client, ThreadPoolExecutor(3) as pool:
        late = [pool.submit(client.ask, "/hint?RR=0,0&YY=0,0&GG=0,0") for _ in range(3)]
        assert client.ask("/hint") == (200, expected(book, []))
        assert {answer.result()[0] for answer in late} == {503}


def test_a_process_that_is_given_up_is_gone() -> None:
    """When the 503 is sent, the process that took too long has ended: nothing piles up."""
    known = plain_book(Mastermind(2, 4))
    worker = Worker(Slow(known.game, known.policy, known.tree), 0.5)
    begin = worker._started
    begun: list[asyncio.subprocess.Process] = []

    async def started() -> asyncio.subprocess.Process:
        begun.append(await begin())
        return begun[-1]

    async def ask() -> Answer:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(worker, "_started", started)
            return await worker.ask(["RG=0,0"])

    assert asyncio.run(ask()).status == 503
    assert [process.returncode for process in begun] == [-signal.SIGKILL]


def test_a_process_that_dies() -> None:
    """The question gets a 503, the next one a new process."""
    book = plain_book(Mastermind(2, 4))

    async def ask() -> list[Answer]:
        worker = Worker(book, 20.0)
        answers = [await worker.ask(["RG=0,0"])]
        assert worker._process
        worker._process.kill()
        await worker._process.wait()
        answers += [await worker.ask(["RG=0,0"]), await worker.ask(["RG=0,0"])]
        await worker.close()
        return answers

    first, second, third = asyncio.run(ask())
    assert first == third == Answer(*json.loads(json.dumps(answer_to(book, ["RG=0,0"]))))
    assert second.status == 503

"""The worker: answers that are not in the book, from a process of its own with a time limit."""

from __future__ import annotations

import asyncio
import faulthandler
import signal
from typing import Any

from anyio import BrokenWorkerProcess, CapacityLimiter, fail_after, to_process

from guessbook.book.errors import GuessbookError
from guessbook.export.serve.question import Answer, answer, refusal
from guessbook.lookup import Book, open_book

# In the process itself: its one book.
OPENED: list[Book] = []

# Seconds in which a new process has to start, and then to open its book. anyio gives up a process
# that does not start after 20 seconds, and only anyio kills it then: this has to be longer.
START = 120.0


class Worker:
    """The process, as the server sees it: a long computation does not slow what the book knows.

    Every wait for the process is bounded, as a stopped process neither answers nor dies. A process
    that is too late is killed, and the next exchange starts another.

    Args:
        book: the book.
        seconds: how long a question may wait for its turn, and then take. What it takes to start
            the process, with the first question or after a death, is not counted.
    """

    def __init__(self, book: Book, seconds: float) -> None:
        self._book = book
        self._seconds = seconds
        self._turn = asyncio.Lock()  # first come, first served
        self._one = CapacityLimiter(1)
        self._ready = False  # whether there is a process that has answered last

    async def ask(self, *question: Any) -> Answer:
        """The answer to a question, as `answer` takes it; 503 if that is too late."""
        try:
            with fail_after(self._seconds):
                await self._turn.acquire()
        except TimeoutError:
            return refusal(GuessbookError("busy with other questions off the book; try again"))
        try:
            try:
                return await self._answer(*question)
            except BrokenWorkerProcess:  # it was killed or stopped: not the caller's affair
                return await self._answer(*question)
        except TimeoutError:
            within = f"within {self._seconds:g} seconds; stay nearer to the book"
            return refusal(GuessbookError(f"found no answer {within}"))
        except BrokenWorkerProcess:
            return refusal(GuessbookError("the process that computes has failed twice; try again"))
        finally:
            self._turn.release()

    async def _answer(self, *question: Any) -> Answer:
        # To start a process takes longer than to ask one that is there.
        within = self._seconds if self._ready else START
        self._ready = False
        try:
            if not await self._run(within, has_book):
                await self._run(START, take, await asyncio.to_thread(self._book.to_bytes))
        except TimeoutError:
            raise BrokenWorkerProcess from None
        found = await self._run(self._seconds, answer_in_time, self._seconds, *question)
        self._ready = True
        return Answer(*found)

    async def _run(self, seconds: float, function: Any, *arguments: Any) -> Any:
        """Run a function in the process, which anyio kills when the time is over."""
        with fail_after(seconds):
            return await to_process.run_sync(
                function, *arguments, cancellable=True, limiter=self._one
            )


def has_book() -> bool:
    """In the process: whether it has one."""
    return bool(OPENED)


def take(data: bytes) -> None:
    """In the process: open the book."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends this
    OPENED.append(open_book(data))


def answer_in_time(seconds: float, *question: Any) -> Answer:
    """In the process: the answer. Should the server die, so does this after its time."""
    if not OPENED:
        raise BrokenWorkerProcess  # another one, that had its book, has died meanwhile
    faulthandler.dump_traceback_later(2 * seconds, exit=True)
    try:
        return answer(OPENED[0], *question)
    finally:
        faulthandler.cancel_dump_traceback_later()

"""The worker: a process that computes answers off the book, with a time limit."""

import asyncio
import faulthandler
import signal
from typing import Any

from anyio import BrokenWorkerProcess, CapacityLimiter, fail_after, to_process

from guessbook.book.errors import GuessbookError
from guessbook.export.serve.question import Answer, answer, refusal
from guessbook.lookup import Book, open_book

# The book of the process, once it is open.
OPENED: list[Book] = []

# The limit in seconds for a new process to start, and again to open its book. It must exceed 20 seconds: only then does
# anyio kill a process that does not start.
START = 120.0


class Worker:
    """The server's side of the process: long computations do not delay answers of the book.

    Every wait for the process has a limit, as a stopped process neither answers nor dies. A process
    that is too late is killed, and the next question starts another. A question may wait `seconds`
    for its turn, and its answer may take `seconds` again, without the start of a process.
    """

    def __init__(self, book: Book, seconds: float) -> None:
        self._book = book
        self._seconds = seconds
        self._turn = asyncio.Lock()  # first come, first served
        self._one = CapacityLimiter(1)
        self._ready = False  # whether the process has answered its last question

    async def ask(self, *question: Any) -> Answer:
        """Return the answer to a question, with the arguments of `answer`; 503 if too late."""
        try:
            with fail_after(self._seconds):
                await self._turn.acquire()
        except TimeoutError:
            return refusal(GuessbookError("busy with other questions off the book; try again"))
        try:
            try:
                return await self._answer(*question)
            except BrokenWorkerProcess:  # it was killed or stopped, which one retry repairs
                return await self._answer(*question)
        except TimeoutError:
            late = f"found no answer within {self._seconds:g} seconds; stay nearer to the book"
            return refusal(GuessbookError(late))
        except BrokenWorkerProcess:
            return refusal(GuessbookError("the process that computes has failed twice; try again"))
        finally:
            self._turn.release()

    async def _answer(self, *question: Any) -> Answer:
        # The start of a process takes longer than a question.
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
            return await to_process.run_sync(function, *arguments, cancellable=True, limiter=self._one)


def has_book() -> bool:
    """Return whether this process has opened its book."""
    return bool(OPENED)


def take(data: bytes) -> None:
    """Open the book in this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends this
    OPENED.append(open_book(data))


def answer_in_time(seconds: float, *question: Any) -> Answer:
    """Return the answer; runs in the process. A timer ends the process if the server dies."""
    if not OPENED:
        raise BrokenWorkerProcess  # this process is new: the one with the book has died
    faulthandler.dump_traceback_later(2 * seconds, exit=True)
    try:
        return answer(OPENED[0], *question)
    finally:
        faulthandler.cancel_dump_traceback_later()

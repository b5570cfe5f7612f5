"""The worker, a process that computes answers to off-book questions within a time limit."""

import asyncio
import faulthandler
import signal
from typing import Any

from anyio import BrokenWorkerProcess, CapacityLimiter, fail_after, to_process

from guessbook.book.errors import GuessbookError
from guessbook.front import Book, open_book
from guessbook.serve.questions import Answer, answer, refusal

# The open book in the worker process; in the server process this list is empty.
OPENED: list[Book] = []

# The time limit, in seconds, for starting the worker process, and again for opening its book. It must be over 20
# seconds: anyio kills a process that has not started by then, but not if this limit ends the start earlier.
START = 120.0


class Worker:
    """The client of the worker process. Long searches run in the worker, so they do not delay answers from the book.

    A question may wait `seconds` for its turn, and its answer may then take `seconds`.
    """

    def __init__(self, book: Book, seconds: float) -> None:
        self._book = book
        self._seconds = seconds
        self._turn = asyncio.Lock()  # The lock serves questions in the order of arrival.
        self._one = CapacityLimiter(1)
        self._ready = False  # True if the process has answered its last question.

    async def ask(self, *question: Any) -> Answer:
        """Answer a question, given as the arguments `name` and `asked` of `answer`. A timeout has status 503."""
        try:
            with fail_after(self._seconds):
                await self._turn.acquire()
        except TimeoutError:
            return refusal(
                GuessbookError("the server is busy with other off-book questions; try again")
            )
        try:
            try:
                return await self._answer(*question)
            except (
                BrokenWorkerProcess
            ):  # The process was killed or suspended; a second attempt starts a new process.
                return await self._answer(*question)
        except TimeoutError:
            late = f"found no answer within {self._seconds:g} seconds; follow the book's guesses, or extend the history"
            return refusal(GuessbookError(late))
        except BrokenWorkerProcess:
            return refusal(
                GuessbookError("the process that computes answers has failed twice; try again")
            )
        finally:
            self._turn.release()

    async def _answer(self, *question: Any) -> Answer:
        # A process that is not ready may have to be started first, which takes longer than an answer.
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
        """Return the result of a function in the worker process, which anyio kills after `seconds`."""
        with fail_after(seconds):
            return await to_process.run_sync(
                function, *arguments, cancellable=True, limiter=self._one
            )


def has_book() -> bool:
    """Return whether this worker process has opened its book."""
    return bool(OPENED)


def take(data: bytes) -> None:
    """Open a book, given as the bytes of its file, in this worker process."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C stops the server, which then ends this process.
    OPENED.append(open_book(data))


def answer_in_time(seconds: float, *question: Any) -> Answer:
    """Return the answer to a question, in the worker process; a timer ends the process after twice `seconds`."""
    if not OPENED:
        raise BrokenWorkerProcess  # The process that had opened the book has died. This process is new.
    faulthandler.dump_traceback_later(2 * seconds, exit=True)
    try:
        return answer(OPENED[0], *question)
    finally:
        faulthandler.cancel_dump_traceback_later()

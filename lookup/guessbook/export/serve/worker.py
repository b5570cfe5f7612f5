"""The worker: hints off the book, computed in a process of its own that may not take long."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from guessbook.book.errors import GuessbookError, InconsistentFeedbackError
from guessbook.lookup import open_book

if TYPE_CHECKING:
    from guessbook.lookup import Book

# In a process of its own a long computation neither slows the answers from the book nor outlives
# its time. `-P`: a file in the current folder cannot stand in for a module.
COMMAND = (sys.executable, "-P", "-m", "guessbook.export.serve.worker")
MAX_LINE = 1 << 20


class Answer(NamedTuple):
    """What becomes of a history: a status of HTTP and an object of JSON."""

    status: int
    content: dict[str, Any]


class Worker:
    """The process, as the server sees it. It starts with the first question.

    Args:
        book: the book.
        seconds: how long a question may wait for its turn, and how long it may then take.
    """

    def __init__(self, book: Book, seconds: float) -> None:
        self._book = book
        self._seconds = seconds
        self._turn = asyncio.Lock()  # first come, first served
        self._process: asyncio.subprocess.Process | None = None

    async def ask(self, history: list[Any]) -> Answer:
        """The answer to a history: `answer_to` in the process, or 503 if that takes too long."""
        try:
            async with asyncio.timeout(self._seconds):
                await self._turn.acquire()
        except TimeoutError:
            return Answer(503, {"error": "busy with other hints off the book; try again"})
        try:
            async with asyncio.timeout(self._seconds):
                return await self._exchange(history)
        except TimeoutError:
            message = f"no hint was found within {self._seconds:g} seconds; stay nearer to the book"
            return Answer(503, {"error": message})
        except (OSError, ValueError):
            return Answer(503, {"error": "the process that computes hints has died; try again"})
        finally:
            self._turn.release()

    async def _exchange(self, history: list[Any]) -> Answer:
        process = self._process
        self._process = None  # kept only if all goes well
        try:
            process = process or await self._started()
            assert process.stdin
            assert process.stdout
            process.stdin.write(json.dumps(history).encode() + b"\n")
            await process.stdin.drain()
            answer = Answer(*json.loads(await process.stdout.readline()))
        except BaseException:
            if process:
                await _end(process)
            raise
        self._process = process
        return answer

    async def _started(self) -> asyncio.subprocess.Process:
        data = await asyncio.to_thread(self._book.to_bytes)
        pipe, nowhere = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(
            *COMMAND, stdin=pipe, stdout=pipe, stderr=nowhere, limit=MAX_LINE
        )
        assert process.stdin
        process.stdin.write(b"%d\n%s" % (len(data), data))
        return process

    async def close(self) -> None:
        """End the process."""
        if self._process:
            await _end(self._process)


def answer_to(book: Book, history: list[Any]) -> Answer:
    """The hint for a history in this process, or the error as JSON."""
    try:
        return Answer(200, book.hint(history)._asdict())
    except InconsistentFeedbackError as error:
        return Answer(422, {"error": str(error), "suspects": list(error.suspects)})
    except GuessbookError as error:
        # The history itself is a good one, so it is this machine that cannot.
        return Answer(503, {"error": str(error)})


def main() -> None:
    """The process: a book on stdin, then a history a line; on stdout an answer a line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends this
    stdin = sys.stdin.buffer
    book = open_book(stdin.read(int(stdin.readline())))
    histories: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        for line in stdin:
            histories.put(line)
        os._exit(0)  # the server is gone, and with it whoever asked

    threading.Thread(target=listen, daemon=True).start()
    while True:
        print(json.dumps(answer_to(book, json.loads(histories.get()))), flush=True)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.wait()


if __name__ == "__main__":
    main()

"""The process behind the server: given up when it takes too long, replaced when it dies."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from guessbook.book import Mastermind
from guessbook.serve.connection import Limits
from guessbook.serve.question import Answer, answer
from guessbook.serve.worker import START, Worker, answer_in_time, has_book, take
from guessbook.lookup import Book, open_book
from tests.helpers.client import expected, running
from tests.helpers.plain import plain_book
from tests.helpers.samples import every_nth

ASKED = {"history": ["RG=0,0"]}
# In the game below, a question of minutes.
LONG = {"history": ["RYGBO=1,1"]}


class Mortal(Worker):
    """A worker whose process dies so many times just before it gets a question."""

    deaths = 0

    async def _run(self, seconds: float, function: Any, *arguments: Any) -> Any:
        if function is answer_in_time and self.deaths:
            self.deaths -= 1
            os.kill(await self.pid(), getattr(signal, "SIGKILL", signal.SIGTERM))
        return await super()._run(seconds, function, *arguments)

    async def pid(self) -> int:
        """The process, a new one if there is none."""
        return int(await super()._run(START, os.getpid))


@pytest.fixture(scope="module")
def book() -> Book:
    """A small book."""
    return plain_book(Mastermind(2, 4))


@pytest.fixture(scope="module")
def slow() -> Book:
    """A book of a game in which an answer off the book takes long."""
    known = open_book("mastermind-5x8")
    return Book(known.game, {"name": "rollout", "width": 5000}, known.tree)


def test_answers_that_take_too_long(slow: Book) -> None:
    """They are given up after their time with a 503, and the book answers all the while."""
    with running(slow, Limits(live_seconds=0.5)) as client, ThreadPoolExecutor(3) as pool:
        late = [pool.submit(client.ask, "/hint?RYGBO=1,1") for _ in range(3)]
        assert client.ask("/hint") == (200, expected(slow, []))
        assert {answer.result()[0] for answer in late} == {503}


def test_a_process_that_is_given_up_is_gone(slow: Book) -> None:
    """When the 503 is sent, the process that took too long has ended: nothing piles up."""

    async def ask() -> tuple[Answer, int]:
        worker = Mortal(slow, 0.5)
        pid = await worker.pid()
        return await worker.ask("hint", LONG), pid

    found, pid = asyncio.run(ask())
    assert found.status == 503
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize(("deaths", "status"), [(0, 200), (1, 200), (2, 503)])
def test_a_process_that_dies(book: Book, deaths: int, status: int) -> None:
    """The question goes to a new one, once; so does the next question."""

    async def ask() -> list[Answer]:
        worker = Mortal(book, 20.0)
        worker.deaths = deaths
        return [await worker.ask("hint", ASKED), await worker.ask("hint", ASKED)]

    first, second = asyncio.run(ask())
    assert first.status == status
    assert second == Answer(*json.loads(json.dumps(answer(book, "hint", ASKED))))
    assert first == second or deaths == 2


class Stopped(Mortal):
    """A worker whose process is stopped just before one exchange, which is then soon given up.

    Attributes:
        before: the function of the exchange.
        within: the seconds that this exchange might have taken.
    """

    before: Any = None
    within = 0.0

    async def _run(self, seconds: float, function: Any, *arguments: Any) -> Any:
        if sys.platform == "win32":
            raise NotImplementedError
        if function is self.before:
            self.before = None
            os.kill(await self.pid(), signal.SIGSTOP)
            self.within, seconds = seconds, 0.5
        return await super()._run(seconds, function, *arguments)


@pytest.mark.posix
@pytest.mark.parametrize("exchange", every_nth(3, [has_book, take, answer_in_time]))
def test_a_process_that_is_stopped(book: Book, exchange: Any) -> None:
    """One that neither answers nor dies is killed, and the next question is answered by another."""
    worker = Stopped(book, 20.0)

    async def ask() -> tuple[Answer, Answer, int]:
        if exchange is not take:
            await worker.ask("hint", ASKED)
        pid = await worker.pid()
        worker.before = exchange
        first = await asyncio.wait_for(worker.ask("hint", ASKED), 60)
        return first, await asyncio.wait_for(worker.ask("hint", ASKED), 60), pid

    first, second, pid = asyncio.run(ask())
    assert second.status == 200
    assert worker.within == (START if exchange is take else 20.0)
    if exchange is answer_in_time:
        assert first.status == 503  # for all that is known it computed
    else:
        assert first == second
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_to_start_is_not_counted(book: Book) -> None:
    """A process may take longer to start than a question may take; the answer comes."""

    class Late(Worker):
        """A worker whose process is slow to open its book."""

        async def _run(self, seconds: float, function: Any, *arguments: Any) -> Any:
            await asyncio.sleep(1.2 * (function is take))
            return await super()._run(seconds, function, *arguments)

    async def ask() -> Answer:
        return await Late(book, 1.0).ask("hint", ASKED)

    assert asyncio.run(ask()).status == 200


ORPHAN = """
import asyncio, os
from guessbook.serve.worker import Worker, answer_in_time
from guessbook.lookup import Book, open_book

class Told(Worker):
    async def _run(self, seconds, function, *arguments):
        if function is answer_in_time:
            print(await super()._run(60, os.getpid), flush=True)
        return await super()._run(seconds, function, *arguments)

known = open_book("mastermind-5x8")
book = Book(known.game, {"name": "rollout", "width": 5000}, known.tree)
asyncio.run(Told(book, 1.0).ask("hint", {"history": ["RYGBO=1,1"]}))
"""


def runs(pid: int) -> bool:
    """Whether there is such a process that has not ended (Linux)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
def test_a_server_that_is_killed_leaves_nothing() -> None:
    """The process that it had started, in the middle of a long answer, ends soon as well."""
    command = [sys.executable, "-c", ORPHAN]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as server:
        assert server.stdout
        pid = int(server.stdout.readline())
        time.sleep(0.3)
        server.kill()
    assert runs(pid)
    end = time.monotonic() + 15
    while runs(pid):
        assert time.monotonic() < end
        time.sleep(0.05)

"""Real Dask schedulers and workers on loopback, each in a process of its own, for tests."""

from __future__ import annotations

import os
import queue
import re
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Runs the command `dask`, after some other code in the same process.
DASK = """
import sys
{before}
from dask.__main__ import main
sys.argv = ["dask", *sys.argv[1:]]
main()
"""

# Makes guessbook impossible to import.
WITHOUT_GUESSBOOK = """
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "guessbook":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
"""


def other_version(package: str) -> str:
    """Return code that makes Python report another version of a package."""
    return (
        "from importlib import metadata\n"
        "true = metadata.version\n"
        f"metadata.version = lambda name: '1999.1.0' if name == {package!r} else true(name)\n"
    )


@contextmanager
def process(*arguments: str, ready: str, before: str = "") -> Iterator[tuple[int, str]]:
    """Run `dask` with these arguments until the context ends.

    Args:
        arguments: such as "worker" and the scheduler's address.
        ready: a regular expression; a line of the log that matches means that `dask` is ready.
        before: code to run first in that process.

    Yields:
        The process id, and what the first group of `ready` found.
    """
    started = subprocess.Popen(
        [sys.executable, "-c", DASK.format(before=before), *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "info"},
    )
    assert started.stderr is not None
    found: queue.Queue[str | None] = queue.Queue()
    log = started.stderr

    def read() -> None:
        # Read to the end, or the process would block on a full pipe.
        for line in log:
            match = re.search(ready, line)
            if match:
                found.put(match[1])
        found.put(None)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        answer = found.get(timeout=60)
        assert answer is not None, f"`dask {' '.join(arguments)}` ended before it was ready"
        yield started.pid, answer
    finally:
        started.kill()
        started.wait()
        reader.join()
        log.close()


class Cluster:
    """A scheduler, and the process ids of its workers."""

    def __init__(self, address: str, workers: list[int]) -> None:
        self.address = address
        self.workers = workers


@contextmanager
def scheduler_process(before: str = "", protocol: str = "tcp") -> Iterator[tuple[int, str]]:
    """Run a scheduler on a free port of loopback; yield its process id and its address."""
    place = ("--protocol", protocol, "--host", "127.0.0.1", "--port", "0")
    ready = rf"Scheduler at:\s+({protocol}://\S+)"
    with process("scheduler", *place, "--no-dashboard", ready=ready, before=before) as started:
        yield started


@contextmanager
def scheduler(before: str = "") -> Iterator[str]:
    """Run a scheduler on a free port of loopback; yield its address."""
    with scheduler_process(before) as (_, address):
        yield address


@contextmanager
def worker(address: str, before: str = "") -> Iterator[int]:
    """Run a worker with one thread; yield its process id."""
    arguments = ("worker", address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny")
    ready = r"(Registered to):"
    with process(*arguments, "--no-dashboard", ready=ready, before=before) as (pid, _):
        yield pid


@contextmanager
def cluster(workers: int) -> Iterator[Cluster]:
    """Run a scheduler, and a number of workers with one thread each."""
    with ExitStack() as stack:
        address = stack.enter_context(scheduler())
        yield Cluster(address, [stack.enter_context(worker(address)) for _ in range(workers)])

"""Builds on a Dask cluster, whose workers run the tasks, for games too large for one machine."""

import asyncio
import logging
import socket
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from importlib import metadata
from threading import Lock
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from distributed import Client, KilledWorker, WorkerPlugin, get_worker
from distributed.client import ClosedClientError
from distributed.comm.core import CommClosedError
from distributed.core import rpc
from distributed.security import Security

from guessbook.book.errors import BuildError, GuessbookError, UsageError, printable, quote
from guessbook.book.installation import version
from guessbook.builder.scheduler import Task, WorkerState, run_chunk
from guessbook.engine.binding import engine


class StatePlugin(WorkerPlugin):
    """A Dask plugin that gives the tasks on each worker their own copy of a build's state."""

    def __init__(self, state: WorkerState) -> None:
        self._make, self._arguments = state.__reduce__()

    def setup(self, worker: Any) -> None:
        """Prepare a worker; Dask calls this when the plugin arrives."""
        # The state may take seconds to create, so the worker's first task creates it.
        self._lock = Lock()
        self._state: WorkerState | None = None

    def state(self) -> WorkerState:
        """Return the state of this worker; the first call creates it."""
        with self._lock:
            if self._state is None:
                self._state = self._make(*self._arguments)
            return self._state


# The seconds that a build waits for an answer of the scheduler, and for the first worker.
CONNECT_SECONDS, WORKER_SECONDS = 5.0, 30.0
# A build asks the cluster for its number of threads at most once in this number of seconds.
ASK_SECONDS = 1.0
# The seconds within which a finished task has to hand over its result.
RESULT_SECONDS = 60.0
# The largest number of characters of another program's error in a message.
MAX_REASON = 100
# With these loggers, Dask, its event loop and its connections log errors that they also raise.
LOGGERS = ("distributed", "distributed.client", "tornado.application", "asyncio")


def package_versions() -> dict[str, str]:
    """Return the version of each package that all workers need.

    Raises EngineError if there is no engine.
    """
    engine()
    # Functions are sent as pickles, and parts of searches as raw bytes, so Python and byte order
    # must be equal, too.
    return {
        "guessbook": version(),
        "distributed": metadata.version("distributed"),
        "Python": f"{sys.version_info.major}.{sys.version_info.minor} of {sys.byteorder} endian",
    }


def run_checked(expected: str, name: str, tasks: Sequence[Task]) -> tuple[list[Any], float]:
    """Run tasks with this worker's state `name`.

    Raises BuildError if the worker has another version of guessbook, or a task fails with an
    unexpected error. Errors of Guessbook, MemoryError and missing modules are passed on unchanged.
    """
    # Each chunk checks the version because a worker may join after `check_workers`.
    if (found := version()) != expected:
        raise BuildError(
            f"a worker has guessbook {found}, not {expected}; install version {expected} on the worker"
        )
    plugin: Any = get_worker().plugins[name]
    try:
        return run_chunk(plugin.state(), tasks)
    except (GuessbookError, MemoryError, ModuleNotFoundError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        reason = failure(error)
    # Dask cannot send every error, and loses a task whose error has a thousand frames. So a new
    # error, without these frames, is raised here.
    raise BuildError(reason)


def failure(error: BaseException) -> str:
    """Return the message for an error that a task raised on a worker."""
    reason = " ".join([type(error).__name__, *str(error).split()])[:MAX_REASON]
    return f"a task failed on a worker ({printable(reason)}); read the reason in its log"


class ClusterWorkers:
    """The workers of a Dask cluster, as the protocol `Workers` defines them."""

    # A message takes some milliseconds, so a chunk of tasks has to take much longer.
    chunk_seconds = 0.05
    foreign = True

    def __init__(self, client: Any) -> None:
        self._client, self._version = client, version()
        self._threads, self._asked = 1, 0.0
        # The name of each state on the workers.
        self.names: dict[WorkerState, str] = {}
        known = client.scheduler_info(n_workers=-1)["workers"].values()
        self.processes = max(Counter(worker["host"] for worker in known).values(), default=1)

    def threads(self) -> int:
        """Return the number of threads of all workers; if there are none, the last known number."""
        if time.monotonic() > self._asked + ASK_SECONDS:
            # If the scheduler has disappeared, the futures of the running tasks raise the error.
            with suppress(OSError):
                self._threads = sum(self._client.nthreads().values()) or self._threads
            self._asked = time.monotonic()
        return self._threads

    def submit(self, state: WorkerState, tasks: Sequence[Task]) -> Future[tuple[list[Any], float]]:
        """Submit a chunk of tasks.

        The first chunk with a state also sends this state to all workers, including those that join
        later.
        """
        if state not in self.names:
            name = self.names[state] = f"guessbook-{uuid4().hex}"
            self._client.register_plugin(StatePlugin(state), name=name)
        # With `pure=False` the cluster caches no results. Tasks are not retried after an error:
        # they would fail again.
        task = self._client.submit(run_checked, self._version, self.names[state], tasks, pure=False)
        found: Future[tuple[list[Any], float]] = Future()
        found.add_done_callback(lambda done: task.cancel() if done.cancelled() else None)
        task.add_done_callback(partial(pass_on, found))
        return found


# The errors of a task that `pass_on` does not replace by a BuildError.
EXPECTED = (
    *(GuessbookError, MemoryError, ModuleNotFoundError),
    *(CancelledError, ClosedClientError, CommClosedError, KilledWorker),
)


def pass_on(found: Future[Any], task: Any) -> None:
    """Give the result or the error of a finished task of the cluster to the future `found`."""
    if not found.set_running_or_notify_cancel():
        return
    # Every error must end the wait for the task, even the error of a result that this machine
    # cannot read. For a task that raised a BaseException, `result` would wait forever.
    try:
        if task.status == "error":
            raise task.exception(timeout=RESULT_SECONDS)
        found.set_result(task.result(timeout=RESULT_SECONDS))
    except EXPECTED as error:
        found.set_exception(error)
    except BaseException as error:
        found.set_exception(BuildError(failure(error)))


@contextmanager
def cluster(address: str) -> Iterator[ClusterWorkers]:
    """Connect to the Dask scheduler at an address, and yield its workers.

    Raises UsageError for a malformed address, and BuildError for every failure of the cluster.
    """
    with silence():
        check_scheduler(address)
        client = connect(address)
        try:
            check_workers(client, address)
            workers = ClusterWorkers(client)
            yield workers
            # Remove the states of this build from the workers.
            for name in workers.names.values():
                client.unregister_worker_plugin(name)
        except (CancelledError, ClosedClientError, CommClosedError):
            raise BuildError(
                f"lost the scheduler at {address}; start it and its workers again, then build again"
            ) from None
        except KilledWorker:
            raise BuildError(
                "several workers died while they ran the same task, most often from too little memory; "
                "read the reason in the log of the scheduler"
            ) from None
        except ModuleNotFoundError as error:
            raise BuildError(
                f"a worker lacks {error.name}; install guessbook[cluster] on every worker"
            ) from None
        finally:
            # The scheduler may have disappeared, so closing the client waits for at most a second.
            client.close(timeout=1)


def host_and_port(address: str) -> tuple[str, int]:
    """Return the host and the port of an address such as tcp://HOST:PORT.

    Raises UsageError if it is malformed.
    """
    # ValueError: the port is not a number, or is above 65535.
    with suppress(ValueError):
        parts = urlsplit(address)
        if parts.scheme in ("tcp", "tls") and parts.hostname and parts.port and not parts.path:
            return parts.hostname, parts.port
    raise UsageError(
        f"scheduler {quote(address)} is not an address; give tcp://HOST:PORT or tls://HOST:PORT "
        "with a port from 1 to 65535"
    )


def check_scheduler(address: str) -> None:
    """Raise BuildError if no scheduler answers in time, or if its version of Dask differs."""
    # Dask's client would wait forever for a program that accepts the connection but sends nothing.
    question = scheduler_version(address, *host_and_port(address))
    try:
        # The current thread may already run an event loop, as in Jupyter, so the coroutine runs in
        # a new thread.
        with ThreadPoolExecutor(1) as thread:
            found = thread.submit(asyncio.run, question).result()
    # TypeError: the address has tls://, but there are no certificates. UnicodeError: the host name
    # is invalid.
    except (OSError, TypeError, UnicodeError) as error:
        raise unreachable(address, error) from None
    except Exception:
        # Dask does not validate answers: another program's answer may cause MemoryError, KeyError
        # or any other error.
        raise unreachable(address, "another program answers there") from None
    expected = metadata.version("distributed")
    if found != expected:
        raise BuildError(
            f"the scheduler at {address} has version {found} of the package distributed, but this machine has "
            f"{expected}; install the same version everywhere"
        )


async def scheduler_version(address: str, host: str, port: int) -> object:
    """Return the version of Dask that a scheduler reports.

    Raises TimeoutError if it does not answer in time.
    """
    async with asyncio.timeout(CONNECT_SECONDS):
        # Dask would retry until the timeout and hide the reason. So a plain connection is tried
        # first.
        _, writer = await asyncio.open_connection(host, port)
        writer.close()
        arguments = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
        async with rpc(address, connection_args=arguments) as scheduler:  # type: ignore[no-untyped-call]
            # A worker answers these requests, too, but only the identity of a scheduler has
            # `n_workers`.
            if "n_workers" not in await scheduler.identity():
                raise ValueError("it is a worker, not a scheduler")
            return (await scheduler.versions(packages=[]))["packages"].get("distributed")


def unreachable(address: str, reason: Exception | str) -> BuildError:
    """Return the error for a scheduler that does not answer, with the reason."""
    if isinstance(reason, ConnectionRefusedError):
        reason = "connection refused"
    elif isinstance(reason, TimeoutError):
        reason = f"no answer in {CONNECT_SECONDS:g} seconds"
    elif isinstance(reason, socket.gaierror | UnicodeError):
        reason = "unknown host"
    elif isinstance(reason, Exception):
        reason = str(reason).partition("\n")[0] or type(reason).__name__
    return BuildError(
        f"no scheduler answers at {address} ({reason}); start one with `dask scheduler` or correct the address"
    )


def connect(address: str) -> Any:
    """Return a Dask client of the scheduler at an address.

    Raises BuildError if no scheduler answers.
    """
    # Dask warns if a package has different versions in this process, the scheduler and the workers,
    # even if the package does not affect a build.
    with warnings.catch_warnings(action="ignore"):
        try:
            return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError, RuntimeError) as error:
            raise unreachable(address, error) from None


def check_workers(client: Any, address: str) -> None:
    """Raise BuildError if no worker appears in time, or if a worker has other versions.

    The versions of Python, guessbook and Dask must be those of this process.
    """
    try:
        client.wait_for_workers(1, timeout=WORKER_SECONDS)
    except TimeoutError:
        raise BuildError(
            f"the scheduler at {address} has no workers; start some with `dask worker {address}`"
        ) from None
    expected = package_versions()
    for worker, answer in client.run(package_versions, on_error="return").items():
        # The answer is an exception if a package or the engine is missing on the worker.
        found = answer if isinstance(answer, dict) else {"guessbook": answer}
        for name, other in found.items():
            if other != expected[name]:
                raise BuildError(
                    f"the worker {worker} cannot build: its {name} is {other}, not "
                    f"{expected[name]}; install guessbook[cluster] on the worker with the versions of "
                    "this machine, and restart the worker"
                )


@contextmanager
def silence() -> Iterator[None]:
    """Stop Dask from logging to stderr: a raised error already reports each failure."""
    before = {logger: logger.handlers for logger in map(logging.getLogger, LOGGERS)}
    for logger in before:
        logger.handlers = [logging.NullHandler()]
    try:
        yield
    finally:
        for logger, handlers in before.items():
            logger.handlers = handlers

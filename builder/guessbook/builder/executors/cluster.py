"""Builds that outgrow one machine: the workers of a Dask cluster run their tasks.

If a worker dies, Dask gives its tasks to another one. Every other failure (no scheduler, other
versions, no guessbook on a worker, a scheduler that disappears) becomes a `BuildError` of one line.
"""

import asyncio
import logging
import socket
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib import metadata
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from guessbook.book.errors import BuildError, UsageError, quote
from guessbook.book.installation import missing, version
from guessbook.builder.executors.context import Context
from guessbook.builder.executors.tasks import Task, run_chunk
from guessbook.kernels.binding import engine

# The seconds between questions for the list of workers.
ASK_SECONDS = 1.0
# Where Dask, its event loop and its connections write tracebacks of errors that we report anyway.
LOGGERS = ("distributed", "distributed.client", "tornado.application", "asyncio")


def installed() -> dict[str, str]:
    """Return the versions that must agree between this process and every worker.

    Functions and data travel as pickles, and parts of searches as raw bytes. Raises EngineError without an engine.
    """
    engine()
    return {
        "guessbook": version(),
        "distributed": metadata.version("distributed"),
        "Python": f"{sys.version_info.major}.{sys.version_info.minor} of {sys.byteorder} endian",
    }


def run_checked(expected: str, name: str, tasks: Sequence[Task]) -> tuple[list[Any], float]:
    """Run tasks on a worker with a named context. Raises BuildError if its version differs."""
    # Each chunk checks it, as a worker may join after the other ones were checked.
    if (found := version()) != expected:
        raise BuildError(f"a worker has guessbook {found}, expected {expected}; install the same version everywhere")
    from distributed import get_worker  # late: it is an extra

    plugin: Any = get_worker().plugins[name]
    return run_chunk(plugin.context(), tasks)


class ClusterWorkers:
    """The workers of a cluster, each with this version of guessbook; `client` is Dask's."""

    # A message takes some milliseconds.
    chunk_seconds = 0.05

    def __init__(self, client: Any) -> None:
        # Not pure: the cluster does not cache results. No retries: a task that raises an error
        # would raise it again. Dask gives a task whose worker dies to another worker in any case,
        # until the scheduler's own `allowed-failures` are used up.
        self._executor: Executor = client.get_executor(pure=False)
        self._client, self._version = client, version()
        self._threads, self._asked = 1, 0.0
        self._shared: dict[Context, str] = {}
        known = client.scheduler_info(n_workers=-1)["workers"].values()
        self.processes = max(Counter(worker["host"] for worker in known).values(), default=1)

    def threads(self) -> int:
        """Return the number of threads of all workers, or of the last ones if all are gone."""
        if time.monotonic() > self._asked + ASK_SECONDS:
            # If the scheduler is gone, the running tasks report it.
            with suppress(OSError):
                self._threads = sum(self._client.nthreads().values()) or self._threads
            self._asked = time.monotonic()
        return self._threads

    def share(self, context: Context) -> str:
        """Give each worker a copy of the context for the whole build, and return its name."""
        from guessbook.builder.executors.plugin import ContextPlugin  # late: it loads Dask

        if context not in self._shared:
            self._shared[context] = name = f"guessbook-{uuid4().hex}"
            self._client.register_plugin(ContextPlugin(context), name=name)
        return self._shared[context]

    def forget(self) -> None:
        """Have the workers free their contexts at the end of the build."""
        for name in self._shared.values():
            self._client.unregister_worker_plugin(name)

    def submit(self, shared: Any, tasks: Sequence[Task]) -> Future[tuple[list[Any], float]]:
        """Have one thread of a worker run a chunk of tasks."""
        return self._executor.submit(run_checked, self._version, shared, tasks)


@contextmanager
def cluster(address: str, connect_seconds: float = 5.0, worker_seconds: float = 30.0) -> Iterator[ClusterWorkers]:
    """Yield the workers of the Dask scheduler at an address, while the context lasts.

    Dask unpickles what it receives: whoever can reach a scheduler or a worker can run any code on
    it. scaling.md explains how to protect them. Raises UsageError for a wrong address, and
    BuildError for every failure of the cluster.
    """
    try:
        import distributed
        from distributed.client import ClosedClientError
        from distributed.comm.core import CommClosedError
    except ModuleNotFoundError as error:
        raise BuildError(missing(error.name) or str(error)) from None
    with silence():
        check_scheduler(address, connect_seconds)
        client = connect(address, connect_seconds)
        try:
            check_workers(client, address, worker_seconds)
            workers = ClusterWorkers(client)
            yield workers
            workers.forget()
        except (CancelledError, ClosedClientError, CommClosedError):
            raise BuildError(
                f"lost the scheduler at {address}; start it and its workers again, then this build"
            ) from None
        except distributed.KilledWorker:
            raise BuildError(
                "the same task was lost with worker after worker; look for the reason in the log "
                "of the scheduler, most often too little memory"
            ) from None
        except ModuleNotFoundError as error:
            raise BuildError(f"a worker lacks {error.name}; install the extra cluster on every worker") from None
        finally:
            # Wait at most a second: the scheduler may be gone.
            client.close(timeout=1)


def host_and_port(address: str) -> tuple[str, int]:
    """Return the host and the port of an address such as tcp://HOST:PORT, or raise UsageError."""
    # ValueError: a port that is no number, or beyond 65535.
    with suppress(ValueError):
        parts = urlsplit(address)
        if parts.scheme in ("tcp", "tls") and parts.hostname and parts.port and not parts.path:
            return parts.hostname, parts.port
    raise UsageError(
        f"found scheduler {quote(address)}, expected tcp://HOST:PORT or tls://HOST:PORT, with a port of 1 to 65535"
    )


def check_scheduler(address: str, seconds: float) -> None:
    """Raise BuildError unless a scheduler of the installed version of Dask answers in time."""
    # Dask's own client waits for ever if a program accepts the connection and sends nothing.
    question = scheduler_version(address, *host_and_port(address), seconds)
    try:
        # In a thread of its own, as this one may have an event loop already, as in Jupyter.
        with ThreadPoolExecutor(1) as thread:
            found = thread.submit(asyncio.run, question).result()
    # TypeError: tls:// without certificates. UnicodeError: an impossible name.
    except (OSError, TypeError, UnicodeError) as error:
        raise unreachable(address, error, seconds) from None
    except Exception:
        # Dask trusts every answer: MemoryError, KeyError and others may follow.
        raise unreachable(address, "what answers is no scheduler") from None
    expected = metadata.version("distributed")
    if found != expected:
        raise BuildError(
            f"the scheduler at {address} has distributed {found}, expected {expected} as here; "
            "install the same version everywhere"
        )


async def scheduler_version(address: str, host: str, port: int, seconds: float) -> object:
    """Return the version of Dask that a scheduler reports, if it answers within these seconds."""
    from distributed.core import rpc
    from distributed.security import Security

    call: Any = rpc
    security: Any = Security
    async with asyncio.timeout(seconds):
        # Dask would try again and again, and would not report why it fails.
        _, writer = await asyncio.open_connection(host, port)
        writer.close()
        arguments = security().get_connection_args("client")
        async with call(address, connection_args=arguments) as scheduler:
            # A worker reports its versions, too, but no workers.
            if "n_workers" not in await scheduler.identity():
                raise ValueError("a worker")
            return (await scheduler.versions(packages=[]))["packages"].get("distributed")


def unreachable(address: str, reason: Exception | str, seconds: float = 0) -> BuildError:
    """Return the error for a scheduler that does not answer, with the reason."""
    if isinstance(reason, ConnectionRefusedError):
        reason = "connection refused"
    elif isinstance(reason, TimeoutError):
        reason = f"no answer in {seconds:g} seconds"
    elif isinstance(reason, socket.gaierror | UnicodeError):
        reason = "unknown host"
    elif isinstance(reason, Exception):
        reason = str(reason).partition("\n")[0] or type(reason).__name__
    return BuildError(
        f"no scheduler answers at {address} ({reason}); start one with `dask scheduler` or correct the address"
    )


def connect(address: str, seconds: float) -> Any:
    """Return a client of the scheduler at an address. Raises BuildError if none answers."""
    from distributed import Client

    start: Any = Client
    # Other versions of other packages do not harm the data that we send.
    with warnings.catch_warnings(action="ignore"):
        try:
            return start(address, timeout=seconds, set_as_default=False)
        except (OSError, ValueError, RuntimeError) as error:
            raise unreachable(address, error, seconds) from None


def check_workers(client: Any, address: str, seconds: float) -> None:
    """Raise BuildError unless there are workers, all with the versions that are installed here."""
    try:
        client.wait_for_workers(1, timeout=seconds)
    except TimeoutError:
        raise BuildError(
            f"the scheduler at {address} has no workers; start some with `dask worker {address}`"
        ) from None
    expected = installed()
    for worker, answer in client.run(installed, on_error="return").items():
        # The answer is an error if something is missing.
        found = answer if isinstance(answer, dict) else {"guessbook": answer}
        for name, other in found.items():
            if other != expected[name]:
                raise BuildError(
                    f"the worker {worker} cannot build: found {name} {other}, expected "
                    f"{expected[name]}; install the extra cluster there, with the versions that "
                    "are here, and start it again"
                )


@contextmanager
def silence() -> Iterator[None]:
    """Keep Dask from writing to stderr: the raised error reports a failure once."""
    before = {logger: logger.handlers for logger in map(logging.getLogger, LOGGERS)}
    for logger in before:
        logger.handlers = [logging.NullHandler()]
    try:
        yield
    finally:
        for logger, handlers in before.items():
            logger.handlers = handlers

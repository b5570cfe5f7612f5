"""Builds that outgrow one machine: their tasks are done by the workers of a Dask cluster.

Work is dealt out as to threads. A worker that dies costs the tasks that it was at, which Dask gives
to another. What else can go wrong (no scheduler, other versions, no guessbook on a worker, a
scheduler that disappears) becomes a `BuildError` of one line.
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

# The seconds to wait for an answer of the scheduler, and then for a first worker.
CONNECT_SECONDS = 5.0
WORKER_SECONDS = 30.0
# The seconds between questions for the list of workers.
ASK_SECONDS = 1.0
# Where Dask, its event loop and its connections write tracebacks about what we report ourselves.
LOGGERS = ("distributed", "distributed.client", "tornado.application", "asyncio")


def installed() -> dict[str, str]:
    """Return the versions that must agree; every worker is asked for its own before its work.

    Of Python the minor version, as functions and data travel as pickles, and the order of bytes, as
    parts of searches travel as they are.
    """
    # A worker that lacks it says so at once.
    engine()
    return {
        "guessbook": version(),
        "distributed": metadata.version("distributed"),
        "Python": f"{sys.version_info.major}.{sys.version_info.minor} of {sys.byteorder} endian",
    }


def run_checked(expected: str, name: str, tasks: Sequence[Task]) -> tuple[list[Any], float]:
    """Do tasks with the context of a name, if this worker has the version that was asked for.

    Raises:
        BuildError: it has another one; a worker may come when the others have been asked already.
    """
    if (found := version()) != expected:
        raise BuildError(
            f"a worker has guessbook {found}, expected {expected}; "
            "install the same version everywhere"
        )
    from distributed import get_worker  # late: it is an extra

    plugin: Any = get_worker().plugins[name]
    return run_chunk(plugin.context(), tasks)


class ClusterWorkers:
    """The workers of a cluster, each with this version of guessbook.

    Args:
        client: the connection to the scheduler, a `distributed.Client`.
    """

    # A message takes some milliseconds.
    chunk_seconds = 0.05

    def __init__(self, client: Any) -> None:
        # Not pure: nothing is kept on the cluster to answer a question again. No retries, which
        # repeat a task that raises: ours would raise again. A task whose worker dies is given to
        # another in any case, until the scheduler's own `allowed-failures` are used up.
        self._executor: Executor = client.get_executor(pure=False)
        self._client = client
        self._version = version()
        self._threads, self._asked = 1, 0.0
        self._shared: dict[Context, str] = {}
        known = client.scheduler_info(n_workers=-1)["workers"].values()
        self.processes = max(Counter(worker["host"] for worker in known).values(), default=1)

    def threads(self) -> int:
        """Return the number of threads of all workers; the count is renewed after a second.

        If all are gone, the former workers: they may return.
        """
        if time.monotonic() > self._asked + ASK_SECONDS:
            # Where the scheduler is gone, the tasks under way say so.
            with suppress(OSError):
                self._threads = sum(self._client.nthreads().values()) or self._threads
            self._asked = time.monotonic()
        return self._threads

    def share(self, context: Context) -> str:
        """Have each worker make a context of its own, which it keeps to the end of the build.

        Trees that follow a search for the optimum get the context with its results.
        """
        from guessbook.builder.executors.plugin import ContextPlugin  # late: it loads Dask

        if context not in self._shared:
            self._shared[context] = name = f"guessbook-{uuid4().hex}"
            self._client.register_plugin(ContextPlugin(context), name=name)
        return self._shared[context]

    def forget(self) -> None:
        """Have the workers free their shared context: the build is over."""
        for name in self._shared.values():
            self._client.unregister_worker_plugin(name)

    def submit(self, shared: Any, tasks: Sequence[Task]) -> Future[tuple[list[Any], float]]:
        """Have tasks done by one thread of a worker."""
        return self._executor.submit(run_checked, self._version, shared, tasks)


@contextmanager
def cluster(
    address: str, connect_seconds: float = CONNECT_SECONDS, worker_seconds: float = WORKER_SECONDS
) -> Iterator[ClusterWorkers]:
    """Yield the workers of a Dask cluster, while the context lasts.

    Dask unpickles what it receives: whoever can reach a scheduler or a worker can run any code on
    it. scaling.md says how to keep them to oneself. For `tls://` the certificates are those of
    Dask's own configuration.

    Args:
        address: the scheduler's, `tcp://HOST:PORT` or `tls://HOST:PORT`.
        connect_seconds: the seconds to wait for the scheduler.
        worker_seconds: the seconds to wait for a first worker.

    Raises:
        UsageError: that is no address.
        BuildError: distributed is not installed, no scheduler answers, it has no worker, something
            there has another version or lacks guessbook, or the cluster is lost on the way.
    """
    host_and_port(address)
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
            raise BuildError(
                f"a worker lacks {error.name}; install the extra cluster on every worker"
            ) from None
        finally:
            # Wait at most a second: the scheduler may be gone.
            client.close(timeout=1)


def host_and_port(address: str) -> tuple[str, int]:
    """Return the host and the port of a scheduler's address.

    >>> host_and_port("tcp://127.0.0.1:8786")
    ('127.0.0.1', 8786)

    Raises:
        UsageError: that is no such address.
    """
    try:
        scheme, host, port = (parts := urlsplit(address)).scheme, parts.hostname, parts.port
    except ValueError:
        # A port that is no number, or beyond 65535.
        scheme, host, port = "", None, None
    if scheme not in ("tcp", "tls") or not host or not port or parts.path:
        raise UsageError(
            f"found scheduler {quote(address)}, expected tcp://HOST:PORT or tls://HOST:PORT, "
            "with a port of 1 to 65535"
        )
    return host, port


def check_scheduler(address: str, seconds: float) -> None:
    """Check that a scheduler answers there, and has the version of Dask that is installed here.

    Dask's own client waits for ever where somebody listens and says nothing.

    Raises:
        UsageError: that is no address.
        BuildError: no scheduler answers, or one of another version.
    """
    question = scheduler_version(address, *host_and_port(address), seconds)
    try:
        # In a thread of its own, as this one may have an event loop already: Jupyter's has.
        with ThreadPoolExecutor(1) as thread:
            found = thread.submit(asyncio.run, question).result()
    # TypeError: tls:// without certificates. UnicodeError: an impossible name.
    except (OSError, TypeError, UnicodeError) as error:
        raise unreachable(address, error, seconds) from None
    except Exception:
        # Dask believes any answer of an address: MemoryError, KeyError and others may follow.
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
        # Dask would try again and again, and not say why it fails.
        _, writer = await asyncio.open_connection(host, port)
        writer.close()
        arguments = security().get_connection_args("client")
        async with call(address, connection_args=arguments) as scheduler:
            # A worker knows its versions, too, but of no workers.
            if "n_workers" not in await scheduler.identity():
                raise ValueError("a worker")
            return (await scheduler.versions(packages=[]))["packages"].get("distributed")


def unreachable(address: str, reason: Exception | str, seconds: float = 0) -> BuildError:
    """Return the error that says that no scheduler answers, and why."""
    if isinstance(reason, ConnectionRefusedError):
        reason = "connection refused"
    elif isinstance(reason, TimeoutError):
        reason = f"no answer in {seconds:g} seconds"
    elif isinstance(reason, socket.gaierror | UnicodeError):
        reason = "unknown host"
    elif isinstance(reason, Exception):
        reason = str(reason).partition("\n")[0] or type(reason).__name__
    return BuildError(
        f"no scheduler answers at {address} ({reason}); "
        "start one with `dask scheduler` or correct the address"
    )


def connect(address: str, seconds: float) -> Any:
    """Return a client of the scheduler at that address."""
    from distributed import Client

    start: Any = Client
    # Other versions of other packages do no harm to what we send.
    with warnings.catch_warnings(action="ignore"):
        try:
            return start(address, timeout=seconds, set_as_default=False)
        except (OSError, ValueError, RuntimeError) as error:
            raise unreachable(address, error, seconds) from None


def check_workers(client: Any, address: str, seconds: float) -> None:
    """Check that there are workers, and that each has the guessbook that is installed here.

    Raises:
        BuildError: it is not so; names the first that differs.
    """
    try:
        client.wait_for_workers(1, timeout=seconds)
    except TimeoutError:
        raise BuildError(
            f"the scheduler at {address} has no workers; start some with `dask worker {address}`"
        ) from None
    expected = installed()
    for worker, answer in client.run(installed, on_error="return").items():
        # An error, where something is missing.
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
    """Keep Dask from writing to stderr: a fault is reported once, by the error raised."""
    loggers = [logging.getLogger(name) for name in LOGGERS]
    handlers = [logger.handlers for logger in loggers]
    for logger in loggers:
        logger.handlers = [logging.NullHandler()]
    try:
        yield
    finally:
        for logger, before in zip(loggers, handlers, strict=True):
            logger.handlers = before

"""Clusters that are none: nobody there, strangers, other versions, lost ones; each is one line."""

from __future__ import annotations

import os
import socket
import struct
import sys
import threading
import time
from contextlib import suppress
from importlib import metadata
from types import SimpleNamespace
from typing import Any

import pytest

from guessbook.book import Mastermind
from guessbook.book.errors import BuildError, EngineError, UsageError
from guessbook.builder.build import build
from guessbook.builder.executors import cluster as clusters
from guessbook.builder.executors.context import ROOT, Context
from guessbook.builder.executors.plugin import ContextPlugin
from guessbook.builder.executors.tasks import GrowTrees
from guessbook.builder.limits import MEMORY, Resources
from guessbook.policy.notation import policy_of
from tests.helpers import dask_cluster

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")


SAYINGS = {
    "nothing": b"",
    "a web server": b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
    "a mail server": b"220 mail.example.org ESMTP ready\r\n",
    "zeros": bytes(3000),
    "a length of a terabyte": struct.pack("<QQ", 1, 1 << 40),
    "what Dask might say, but does not": struct.pack("<QQQ", 2, 1, 1) + b"\x90\x90",
}


@pytest.mark.parametrize("who", SAYINGS)
def test_what_is_no_scheduler_is_one_line(who: str) -> None:
    """Whatever listens there and says whatever: one line, no memory for its numbers."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with suppress(OSError):  # the server is closed at the end
                while True:
                    connection, _ = server.accept()
                    with connection:
                        connection.sendall(SAYINGS[who])

        thread = threading.Thread(target=answer)
        thread.start()
        try:
            with pytest.raises(BuildError, match="no scheduler answers") as error:
                clusters.check_scheduler(f"tcp://127.0.0.1:{server.getsockname()[1]}", 0.5)
        finally:
            # Closing alone would not wake what waits.
            server.shutdown(socket.SHUT_RDWR)
            thread.join()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "here",
        "127.0.0.1:8786",
        "http://127.0.0.1:8786",
        "tcp://127.0.0.1",
        "tcp://127.0.0.1:",
        "tcp://:8786",
        "tcp://127.0.0.1:0",
        "tcp://127.0.0.1:65536",
        "tcp://127.0.0.1:port",
        "tcp://127.0.0.1:8786/status",
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    """An address of another form is a usage error that shows the right one."""
    with pytest.raises(UsageError, match="tcp://HOST:PORT"), clusters.cluster(address):
        raise AssertionError("there is no such cluster")


def test_an_unknown_host_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the name has no address, the error says that, and not that nobody answered."""

    def unknown(*_: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "create_connection", unknown)
    with (
        pytest.raises(BuildError, match=r"at tcp://nowhere:8786 \(unknown host\)"),
        clusters.cluster("tcp://nowhere:8786"),
    ):
        raise AssertionError("there is no such cluster")


@pytest.mark.parametrize("name", ["guessbook", "distributed", "Python"])
def test_a_worker_that_differs_is_refused(name: str) -> None:
    """Each of the versions that must be equal is compared, and the error names it."""

    class Other:
        """A cluster of one worker, which has one other version."""

        def wait_for_workers(self, *_: object, **__: object) -> None: ...

        def run(self, *_: object, **__: object) -> dict[str, object]:
            return {"tcp://w:1": {**clusters.package_versions(), name: "1999.1"}}

    with pytest.raises(BuildError, match=rf"worker tcp://w:1 .*found {name} 1999\.1, expected"):
        clusters.check_workers(Other(), "tcp://127.0.0.1:1", 1.0)


@pytest.mark.usefixtures("no_engine")
def test_a_worker_without_the_engine_says_so_before_its_work() -> None:
    """Its versions are asked first, and it loads the engine before it answers."""
    with pytest.raises(EngineError, match="no engine"):
        clusters.package_versions()


def test_jobs_are_for_threads() -> None:
    """--jobs and --scheduler together are a usage error."""
    with pytest.raises(UsageError, match="expected one of them"):
        build(Mastermind(2, 2), resources=Resources(2, "tcp://127.0.0.1:1"))


def test_without_distributed_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without the extra the error names it."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BuildError, match=r"pip install .*\[cluster\]"):
        build(Mastermind(2, 2), resources=Resources(scheduler="tcp://127.0.0.1:1"))


def test_a_late_worker_with_another_version_does_no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each chunk checks the version where it runs, for workers that came after the first check."""
    context = Context(Mastermind(2, 2), policy_of("entropy"), MEMORY)
    plugin = ContextPlugin(context)
    plugin.setup(None)
    worker = SimpleNamespace(plugins={"mine": plugin})
    monkeypatch.setattr("distributed.get_worker", lambda: worker)
    tasks = [GrowTrees(ROOT)]
    with pytest.raises(BuildError, match="a worker has guessbook"):
        clusters.run_checked("1999.1.0", "mine", tasks)
    found, seconds = clusters.run_checked(metadata.version("guessbook"), "mine", tasks)
    assert found == [GrowTrees(ROOT).run(context)]
    assert seconds > 0
    assert plugin.context() is plugin.context()


class Hosts:
    """A scheduler that knows of workers on some hosts, each with threads of its own."""

    def __init__(self, hosts: list[str]) -> None:
        self.hosts = hosts
        self.asked = 0
        self.plugins: list[str] = []

    def get_executor(self, **_: object) -> None:
        """Nothing is submitted."""

    def register_plugin(self, plugin: object, name: str) -> None:
        """Each worker would get a copy."""
        self.plugins.append(name)

    def unregister_worker_plugin(self, name: str) -> None:
        """Each worker would drop its copy."""
        self.plugins.remove(name)

    def scheduler_info(self, n_workers: int) -> dict[str, Any]:
        """Return the workers, of which Dask by default tells only some."""
        assert n_workers == -1
        return {"workers": {str(k): {"host": host} for k, host in enumerate(self.hosts)}}

    def submit(self, *_: object, **__: object) -> object:
        """Return a new future."""
        return object()

    def nthreads(self) -> dict[str, int]:
        """Return the threads of each worker."""
        self.asked += 1
        return {str(k): 4 for k, _ in enumerate(self.hosts)}


def test_memory_is_divided_among_the_processes_of_a_machine() -> None:
    """The machine with the most workers says how many of them share its memory."""
    assert clusters.ClusterWorkers(Hosts(["a"])).processes == 1
    assert clusters.ClusterWorkers(Hosts(["a", "b", "a", "c", "a", "b"])).processes == 3


def test_workers_that_come_and_go_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads are counted once a second; where all are gone, those that were there count."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    client = Hosts(["a", "b"])
    workers = clusters.ClusterWorkers(client)
    assert [workers.threads() for _ in range(5)] == [8] * 5
    assert client.asked == 1
    for hosts, threads in ((["a", "b", "c"], 12), ([], 12), (["a"], 4)):
        client.hosts = hosts
        now[0] += 1.5
        assert workers.threads() == threads


def test_what_a_search_has_found_is_there_for_the_trees() -> None:
    """Whoever shares a context again gets that of the workers, which remember; another is new."""
    client = Hosts(["a"])
    workers = clusters.ClusterWorkers(client)
    one, other = (Context(Mastermind(2, 2), policy_of("entropy"), MEMORY) for _ in range(2))
    shared = workers.share(one)
    assert workers.share(one) is shared
    assert workers.share(other) is not shared
    assert len(client.plugins) == 2
    workers.forget()
    assert not client.plugins


@pytest.mark.slow
def test_tasks_for_a_lost_scheduler_are_one_line() -> None:
    """When the scheduler disappears between two tasks, the next one says so."""
    with dask_cluster.scheduler_process() as (scheduler, address), dask_cluster.worker(address):
        message = pytest.raises(BuildError, match="lost the scheduler")
        with message, clusters.cluster(address) as workers:
            os.kill(scheduler, 9)
            for _ in range(6000):
                workers.submit(None, [])
                time.sleep(0.01)

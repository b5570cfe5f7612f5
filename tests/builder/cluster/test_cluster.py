"""Builds on a real Dask cluster on loopback: the same bytes, whatever happens to its workers."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from guessbook.book import Mastermind, WordGame
from guessbook.book.errors import BuildError
from guessbook.builder.build import build, open_checkpoint
from guessbook.builder.executors import cluster as clusters
from guessbook.builder.limits import Resources
from tests.helpers import dask_cluster
from tests.helpers.command import Result, complaint
from tests.helpers.tasks import KilledError, dying

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from guessbook.book import Game

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

GAME = Mastermind(5, 8)


@cache
def local() -> bytes:
    """The bytes of the book of `GAME`, built by threads."""
    return build(GAME).book.to_bytes()


@contextmanager
def command(
    folder: Path, address: str, *options: str, before: str = ""
) -> Iterator[subprocess.Popen[str]]:
    """`guessbook build-book --scheduler` for `GAME`, in a process that ends with the context."""
    code = f"{before}\nfrom guessbook.command.main import main\nmain()"
    arguments = ["build-book", "--pegs", "5", "--colors", "8", "-o", str(folder / "a.book")]
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments, "--scheduler", address, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_COLOR": "1", "TERM": "dumb"},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def result(process: subprocess.Popen[str]) -> Result:
    """What came of a command."""
    out, err = process.communicate(timeout=60)
    return Result(process.returncode, out, err)


def run(folder: Path, address: str, *options: str, before: str = "") -> Result:
    """What comes of a command that nothing happens to."""
    with command(folder, address, *options, before=before) as process:
        return result(process)


@pytest.fixture(scope="module")
def two_workers() -> Iterator[dask_cluster.Cluster]:
    """A cluster of two worker processes."""
    with dask_cluster.cluster(2) as cluster:
        yield cluster


@pytest.mark.slow
def test_a_cluster_builds_the_same_bytes(tmp_path: Path, two_workers: dask_cluster.Cluster) -> None:
    """The book and the pairs are those of a local build, and the command is silent on stderr."""
    done = run(tmp_path, two_workers.address, "--stats")
    assert (done.code, done.err) == (0, "")
    assert (tmp_path / "a.book").read_bytes() == local()
    for pairs in build(GAME).pairs:
        assert f"{pairs:,} pairs scored" in done.out
    assert [path.name for path in tmp_path.iterdir()] == ["a.book"]


@pytest.mark.slow
def test_a_cluster_finds_the_same_optimum(two_workers: dask_cluster.Cluster) -> None:
    """The search for the optimum, its tries as tasks of the workers, gives the book of threads."""
    game = Mastermind(4, 7)
    found = build(game, "optimal", resources=Resources(scheduler=two_workers.address)).book
    assert found.stats.total_guesses == 11_228
    assert found.to_bytes() == build(game, "optimal").book.to_bytes()
    books = [
        build(Mastermind(4, 6), "optimal", resources=Resources(scheduler=address, gap=0.02)).book
        for address in (two_workers.address, None)
    ]
    assert "proven" in books[0].policy
    assert books[0].to_bytes() == books[1].to_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "policy"),
    [
        (Mastermind(4, 6), {"name": "rollout", "width": 20}),
        (Mastermind(4, 6), {"name": "rollout", "width": 20, "endgame": 40}),
        (Mastermind(3, 6), "lookahead"),
        (WordGame([a + b + c for a in "bcfhl" for b in "aeo" for c in "tnr"]), "optimal"),
        (Mastermind(4, 7, repeats=False), {"name": "optimal", "width": 10}),
    ],
    ids=str,
)
def test_a_cluster_builds_whatever_takes_long(
    game: Game, policy: Any, two_workers: dask_cluster.Cluster
) -> None:
    """Rollout, lookahead and optimal on two workers give the books of threads."""
    found = build(game, policy, resources=Resources(scheduler=two_workers.address)).book
    assert found.to_bytes() == build(game, policy).book.to_bytes()


@pytest.mark.slow
def test_worker_processes_share_the_memory_of_their_machine(
    two_workers: dask_cluster.Cluster,
) -> None:
    """Two workers here get half of it each: a table that one process could hold is refused."""
    with clusters.cluster(two_workers.address) as workers:
        assert workers.processes == 2
    game, table = Mastermind(4, 5), 625**2
    resources = Resources(scheduler=two_workers.address, memory=4 * table)
    found = build(game, "optimal", resources=resources).book
    assert found.to_bytes() == build(game, "optimal").book.to_bytes()
    with pytest.raises(BuildError, match=r"needs a table of .*allow more memory"):
        build(game, "optimal", resources=resources._replace(memory=2 * table))


@pytest.mark.posix
@pytest.mark.slow
def test_a_build_moves_between_threads_and_a_cluster(
    tmp_path: Path, two_workers: dask_cluster.Cluster
) -> None:
    """What threads have finished workers need not do, and the other way round."""
    game, resources = Mastermind(4, 8), Resources(scheduler=two_workers.address)
    whole = build(game)
    for first, second in ((resources, Resources(2)), (Resources(2), resources)):
        folder = tmp_path / str(first.jobs)
        checkpoint = open_checkpoint(folder, game, "entropy", None, 0.0)
        with pytest.raises(KilledError), dying(checkpoint, 7):
            build(game, resources=first, checkpoint=checkpoint)
        again = open_checkpoint(folder, game, "entropy", None, 0.0)
        assert again.found == 7
        resumed = build(game, resources=second, checkpoint=again)
        assert resumed.book.to_bytes() == whole.book.to_bytes()
        assert resumed.pairs == whole.pairs
        assert again.found == 7


# Tells the test that a task below the root is done, while others are under way; then waits.
TELLING = """
import pathlib, time
from guessbook.builder.executors.scheduler import Scheduler
push, flag = Scheduler.push, pathlib.Path({flag!r})
def told(scheduler, size, task, on_done, weight=1.0):
    def done(found):
        if task.nodes.split and not flag.exists():
            flag.touch()
            time.sleep(1)
        on_done(found)
    push(scheduler, size, task, done, weight)
Scheduler.push = told
"""
# Makes each task of a worker take a second, so that the worker dies in the middle of one.
SLOW = """
import time
from guessbook.builder.executors.tasks import BeginSearch, GrowTrees, SearchPart
def slowed(run):
    def slow(task, context):
        if task.nodes.split:
            time.sleep(1)
        return run(task, context)
    return slow
for kind in (BeginSearch, SearchPart, GrowTrees):
    kind.run = slowed(kind.run)
"""


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a file appears; fail if the process ends without it."""
    while not path.exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


@contextmanager
def killed_at_work(folder: Path, address: str) -> Iterator[subprocess.Popen[str]]:
    """A build whose slow worker is killed with SIGKILL while it has a task."""
    if sys.platform == "win32":
        raise NotImplementedError
    flag = folder / "flag"
    with (
        dask_cluster.worker(address, before=SLOW) as doomed,
        command(folder, address, before=TELLING.format(flag=str(flag))) as process,
    ):
        wait_for(flag, process)
        os.kill(doomed, signal.SIGKILL)
        yield process


@pytest.mark.posix
@pytest.mark.slow
def test_a_killed_worker_costs_time_and_nothing_else(tmp_path: Path) -> None:
    """One of two workers gets SIGKILL at its work; the other finishes the same book."""
    with (
        dask_cluster.scheduler() as address,
        dask_cluster.worker(address),
        killed_at_work(tmp_path, address) as process,
    ):
        done = result(process)
    assert (done.code, done.err) == (0, "")
    assert (tmp_path / "a.book").read_bytes() == local()


@pytest.mark.posix
@pytest.mark.slow
def test_a_worker_that_joins_gets_work(tmp_path: Path) -> None:
    """When the only worker dies the build waits, and one that joins then finishes it."""
    with dask_cluster.scheduler() as address, killed_at_work(tmp_path, address) as process:
        time.sleep(2)
        assert process.poll() is None
        with dask_cluster.worker(address):
            assert result(process).code == 0
    assert (tmp_path / "a.book").read_bytes() == local()


@pytest.mark.posix
@pytest.mark.slow
def test_tls_as_the_docs_set_it_up(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the certificate and the variables of scaling.md everybody trusts everybody else.

    Who has no certificate is turned away before anything is unpickled.
    """
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl to make a certificate with")
    page = " ".join((root / "docs" / "how-to" / "scaling.md").read_text("utf-8").split())
    make = re.search(r"`(openssl req [^`]+)`", page)
    assert make
    subprocess.run(shlex.split(make[1]), cwd=tmp_path, check=True, capture_output=True)
    comm = "DASK_DISTRIBUTED__COMM__"
    variables = {
        f"{comm}TLS__CA_FILE": str(tmp_path / "cert.pem"),
        f"{comm}REQUIRE_ENCRYPTION": "True",
    }
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        variables[f"{comm}TLS__{role}__CERT"] = str(tmp_path / "cert.pem")
        variables[f"{comm}TLS__{role}__KEY"] = str(tmp_path / "key.pem")
    for name, value in variables.items():
        assert re.sub("SCHEDULER|WORKER|CLIENT", "${role}", name) in page
        monkeypatch.setenv(name, value)
    with (
        dask_cluster.scheduler_process(protocol="tls") as (_, address),
        dask_cluster.worker(address),
    ):
        assert run(tmp_path, address).code == 0
        for name in variables:
            monkeypatch.delenv(name)
        complaint(run(tmp_path, address, "--force"))
    assert (tmp_path / "a.book").read_bytes() == local()


@pytest.mark.posix
@pytest.mark.slow
def test_a_lost_scheduler_is_one_line(tmp_path: Path) -> None:
    """When the scheduler disappears in the middle of a build, the error says so."""
    if sys.platform == "win32":
        raise NotImplementedError
    flag = tmp_path / "flag"
    with (
        dask_cluster.scheduler_process() as (scheduler, address),
        dask_cluster.worker(address, before=SLOW),
        command(tmp_path, address, before=TELLING.format(flag=str(flag))) as process,
    ):
        wait_for(flag, process)
        os.kill(scheduler, signal.SIGKILL)
        assert "lost the scheduler" in complaint(result(process))
    assert not (tmp_path / "a.book").exists()


# The first task that a worker gets is its end, and Dask gives up after one worker instead of four.
DEADLY = """
import os
from guessbook.builder.executors.tasks import BeginSearch
BeginSearch.run = lambda task, context: os._exit(1)
"""
NO_PATIENCE = "import os; os.environ['DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES'] = '0'"


@pytest.mark.slow
def test_a_task_that_kills_its_workers_is_one_line(tmp_path: Path) -> None:
    """When Dask gives a task up, the error says where to look."""
    with (
        dask_cluster.scheduler(before=NO_PATIENCE) as address,
        dask_cluster.worker(address, before=DEADLY),
    ):
        assert "several workers died while they ran the same task" in complaint(
            run(tmp_path, address)
        )


@pytest.mark.slow
def test_a_worker_without_guessbook_is_one_line(tmp_path: Path) -> None:
    """The error names the worker and what to install, before any work is given out."""
    before = dask_cluster.WITHOUT_GUESSBOOK
    with (
        dask_cluster.scheduler() as address,
        dask_cluster.worker(address),
        dask_cluster.worker(address, before=before),
    ):
        message = complaint(run(tmp_path, address))
    assert "No module named 'guessbook" in message
    assert "install guessbook[cluster]" in message


@pytest.mark.slow
def test_a_worker_with_another_guessbook_is_one_line(tmp_path: Path) -> None:
    """A worker whose guessbook has another version is refused: its trees could differ."""
    before = dask_cluster.other_version("guessbook")
    with dask_cluster.scheduler() as address, dask_cluster.worker(address, before=before):
        message = complaint(run(tmp_path, address))
    assert "found guessbook 1999.1.0, expected" in message


@pytest.mark.slow
def test_a_scheduler_of_another_version_is_one_line(tmp_path: Path) -> None:
    """The error names both versions."""
    with dask_cluster.scheduler(before=dask_cluster.other_version("distributed")) as address:
        message = complaint(run(tmp_path, address))
    assert "has version 1999.1.0 of the package distributed, expected" in message


@pytest.mark.slow
def test_a_scheduler_without_workers_is_one_line(tmp_path: Path) -> None:
    """The error says how to start a worker."""
    before = "from guessbook.builder.executors import cluster\ncluster.cluster.__wrapped__"
    before += ".__defaults__ = (5.0, 0.5)"
    with dask_cluster.scheduler() as address:
        message = complaint(run(tmp_path, address, before=before))
    assert f"dask worker {address}" in message


@pytest.mark.slow
def test_a_worker_is_no_scheduler(two_workers: dask_cluster.Cluster) -> None:
    """The address of a worker, which speaks Dask as well, is refused like any other."""
    from distributed import Client

    start: Any = Client
    with start(two_workers.address, set_as_default=False) as client:
        address = next(iter(client.scheduler_info()["workers"]))
    with pytest.raises(BuildError, match="another program answers there"):
        build(Mastermind(2, 2), resources=Resources(scheduler=address))


@pytest.mark.slow
def test_a_cluster_builds_inside_an_event_loop(two_workers: dask_cluster.Cluster) -> None:
    """In Jupyter, whose every cell runs in a loop, a build on a cluster works, and again."""

    async def cell() -> list[bytes]:
        resources = Resources(scheduler=two_workers.address)
        return [build(Mastermind(3, 4), resources=resources).book.to_bytes() for _ in range(2)]

    assert set(asyncio.run(cell())) == {build(Mastermind(3, 4)).book.to_bytes()}


@pytest.mark.slow
def test_no_scheduler_is_one_line(tmp_path: Path) -> None:
    """Where nobody answers, or somebody else does, the error says so within seconds."""
    before = "from guessbook.builder.executors import cluster\ncluster.cluster.__wrapped__"
    before += ".__defaults__ = (0.5, 0.5)"
    with socket.create_server(("127.0.0.1", 0)) as mute:
        port = mute.getsockname()[1]
        message = complaint(run(tmp_path, f"tcp://127.0.0.1:{port}", before=before))
        assert "no scheduler answers" in message
        assert "(no answer in 0.5 seconds)" in message
    message = complaint(run(tmp_path, f"tcp://127.0.0.1:{port}", before=before))
    assert f"no scheduler answers at tcp://127.0.0.1:{port} (connection refused)" in message
    assert list(tmp_path.iterdir()) == []

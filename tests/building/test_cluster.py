"""Builds on a real Dask cluster on this machine, and addresses without a scheduler."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from importlib.util import find_spec
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

import guessbook as gb
from tests.building.cases import WORDS
from tests.helpers import dask_cluster
from tests.helpers.command import complaint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.helpers.command import Run

# `distributed` is not imported here: that takes a second in each process that collects tests.
pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None, reason="the extra `cluster` is not installed"
)

GAME = gb.Mastermind(5, 6)


def build(address: str | None, **options: Any) -> bytes:
    """Build the book of `GAME` in many tasks on a cluster."""
    return gb.build(GAME, scheduler=address, task_size=100, **options).to_bytes()


def local() -> bytes:
    """Build the book of `GAME` with threads."""
    return gb.build(GAME).to_bytes()


@pytest.fixture(scope="module")
def two_workers() -> Iterator[dask_cluster.Cluster]:
    """A cluster of two worker processes."""
    with dask_cluster.cluster(2) as cluster:
        yield cluster


def once(action: Callable[[], object]) -> Callable[[gb.Progress], None]:
    """Return a function for `progress` that calls `action` once, after the first tasks."""
    done = Event()

    def report(progress: gb.Progress) -> None:
        if progress.done and not done.is_set():
            done.set()
            assert progress.done < progress.total
            action()

    return report


# --- builds ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_command_builds_the_same_book_on_a_cluster(
    run: Run, tmp_path: Path, two_workers: dask_cluster.Cluster
) -> None:
    command = ["build-book", "--pegs", "5", "--colors", "6", "--stats", "-o"]
    here = run(*command, "here.book")
    there = run(*command, "there.book", "--scheduler", two_workers.address)
    assert (there.code, there.err) == (0, "")
    assert (tmp_path / "there.book").read_bytes() == (tmp_path / "here.book").read_bytes()
    pairs = re.compile(r".* pairs scored")
    assert pairs.findall(there.out) == pairs.findall(here.out)
    assert {path.name for path in tmp_path.iterdir()} == {"here.book", "there.book"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "policy", "options"),
    [
        (gb.Mastermind(4, 6), "entropy", {"task_size": 20}),
        (gb.Mastermind(4, 6), "rollout:width=20,endgame=40", {}),
        (gb.Mastermind(3, 6), "lookahead", {}),
        (gb.Mastermind(4, 5), "optimal", {}),
        (WORDS, "optimal", {}),
        (gb.Mastermind(4, 5), "optimal", {"gap": 0.05}),
    ],
    ids=str,
)
def test_cluster_builds_the_book_that_threads_build(
    game: gb.Game, policy: str, options: dict[str, Any], two_workers: dask_cluster.Cluster
) -> None:
    found = gb.build(game, policy, scheduler=two_workers.address, **options)
    options.pop("task_size", None)
    assert found.to_bytes() == gb.build(game, policy, **options).to_bytes()


@pytest.mark.slow
def test_cluster_reports_that_no_strategy_meets_the_limits_of_win(
    two_workers: dask_cluster.Cluster,
) -> None:
    with pytest.raises(gb.NoStrategyError):
        gb.build(gb.Mastermind(3, 10), "win:within=5,max-guesses=6", scheduler=two_workers.address)


@pytest.mark.slow
def test_workers_on_one_machine_share_its_memory(two_workers: dask_cluster.Cluster) -> None:
    # Each of the two workers needs the table of all feedbacks, which may take 3/4 of its memory.
    game, table = gb.Mastermind(4, 5), 625**2
    address = two_workers.address
    found = gb.build(game, "optimal", scheduler=address, memory=4 * table)
    assert found.to_bytes() == gb.build(game, "optimal", memory=2 * table).to_bytes()
    with pytest.raises(gb.BuildError, match="allow more memory"):
        gb.build(game, "optimal", scheduler=address, memory=2 * table)


@pytest.mark.slow
@pytest.mark.parametrize("first", ["threads", "cluster"])
def test_interrupted_build_moves_between_threads_and_a_cluster(
    tmp_path: Path, two_workers: dask_cluster.Cluster, first: str
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    addresses = [None, two_workers.address][:: 1 if first == "threads" else -1]
    how: dict[str, Any] = {"checkpoint": tmp_path / "parts", "checkpoint_delay": 0}
    with pytest.raises(KeyboardInterrupt):
        build(addresses[0], progress=once(interrupt), **how)
    stored = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*/*.tree")}
    assert stored
    assert build(addresses[1], **how) == local()
    assert all(path.stat().st_mtime_ns == written for path, written in stored.items())


@pytest.mark.slow
def test_cluster_builds_inside_an_event_loop(two_workers: dask_cluster.Cluster) -> None:
    async def cell() -> list[bytes]:
        return [build(two_workers.address) for _ in range(2)]

    assert set(asyncio.run(cell())) == {local()}


# --- workers that come and go ---------------------------------------------------------------


@pytest.mark.posix
@pytest.mark.slow
def test_killed_worker_does_not_change_the_book() -> None:
    with dask_cluster.cluster(2) as cluster:
        kill = once(lambda: os.kill(cluster.workers[0], signal.SIGKILL))
        assert build(cluster.address, progress=kill) == local()


@pytest.mark.posix
@pytest.mark.nightly
def test_build_without_workers_waits_for_one_that_joins() -> None:
    killed = Event()
    with (
        dask_cluster.scheduler() as address,
        dask_cluster.worker(address) as doomed,
        ThreadPoolExecutor(1) as pool,
    ):

        def kill() -> None:
            os.kill(doomed, signal.SIGKILL)
            killed.set()

        future = pool.submit(build, address, progress=once(kill))
        assert killed.wait(60)
        with dask_cluster.worker(address):
            assert future.result(60) == local()


@pytest.mark.posix
@pytest.mark.slow
def test_worker_of_another_version_that_joins_late_does_no_work() -> None:
    with (
        ExitStack() as stack,
        dask_cluster.scheduler() as address,
        dask_cluster.worker(address) as doomed,
    ):

        def replace() -> None:
            other = dask_cluster.other_version("guessbook")
            stack.enter_context(dask_cluster.worker(address, before=other))
            os.kill(doomed, signal.SIGKILL)

        with pytest.raises(gb.BuildError, match=r"guessbook 1999\.1\.0"):
            build(address, progress=once(replace))


# Dask gives up on a task after the death of one worker instead of four.
NO_PATIENCE = "import os; os.environ['DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES'] = '0'"
# The system kills this worker while it runs a task, after two to three more seconds of work. The
# builds of its tests take longer.
SHORT_LIFE = (
    "import resource, time; seconds = int(time.process_time()) + 3; "
    "resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))"
)


@pytest.mark.posix
@pytest.mark.slow
def test_task_whose_workers_die_ends_the_build() -> None:
    with (
        dask_cluster.scheduler(before=NO_PATIENCE) as address,
        dask_cluster.worker(address, before=SHORT_LIFE),
        pytest.raises(gb.BuildError, match="several workers died"),
    ):
        gb.build(GAME, "rollout:width=1000", scheduler=address, task_size=100)


@pytest.mark.posix
@pytest.mark.slow
def test_scheduler_that_stops_ends_the_build() -> None:
    with (
        dask_cluster.scheduler_process() as (scheduler, address),
        dask_cluster.worker(address),
    ):
        kill = once(lambda: os.kill(scheduler, signal.SIGKILL))
        with pytest.raises(gb.BuildError, match="lost the scheduler"):
            build(address, progress=kill)


# Makes the tasks of a worker fail or return wrong results, as faulty memory might.
DAMAGED = """
from guessbook.builder import scheduler
from guessbook.engine.codes import BestGuess, PartialSearch
grow = scheduler.GrowTrees.run
class Unreadable:
    def __reduce__(self):
        return int, ("no number",)
def run(self, state):
    {damage}
scheduler.{task}.run = run
"""
# The task, what its `run` does, and what the error says.
DAMAGES = {
    "endless recursion": ("GrowTrees", "return run(self, state)", "RecursionError"),
    "an error of its own": ("GrowTrees", "class Odd(BaseException): pass\n    raise Odd()", "Odd"),
    "nothing": ("GrowTrees", "return None", "damaged result"),
    "a value that cannot be read": ("GrowTrees", "return Unreadable()", "ValueError"),
    "other nodes": (
        "GrowTrees",
        "sizes, pairs, nodes = found = grow(self, state)\n"
        "    return found._replace(content=bytes([nodes[0] ^ 1]) + nodes[1:-1] + b'!')",
        "damaged result",
    ),
    "a guess that tells nothing": (
        "BeginSearch",
        "return PartialSearch(BestGuess(0, 0, -(self.nodes.path or (7,))[0], 1), 0)",
        "damaged result",
    ),
    "an unknown guess": (
        "BeginSearch",
        "return PartialSearch(BestGuess(0, 0, -(1 << 40), 1), 0)",
        "damaged result",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_result_of_a_worker_ends_the_build(damage: str) -> None:
    task, code, said = DAMAGES[damage]
    with (
        dask_cluster.scheduler() as address,
        dask_cluster.worker(address, before=DAMAGED.format(task=task, damage=code)),
        pytest.raises(gb.BuildError, match=said) as error,
    ):
        build(address)
    assert str(error.value).isprintable()


@pytest.mark.slow
def test_damaged_cost_of_a_worker_ends_the_build() -> None:
    damage = (
        "from guessbook.builder import optimum\n"
        "optimum.TryGuesses.run = lambda self, state: [1] * len(self.guesses)\n"
    )
    with (
        dask_cluster.scheduler() as address,
        dask_cluster.worker(address, before=damage),
        pytest.raises(gb.BuildError, match="damaged result"),
    ):
        gb.build(WORDS, "optimal", scheduler=address)


# --- clusters that cannot build -------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "said"),
    [
        pytest.param(
            dask_cluster.WITHOUT_GUESSBOOK, "No module named 'guessbook", marks=pytest.mark.nightly
        ),
        pytest.param(
            dask_cluster.other_version("guessbook"),
            "guessbook is 1999.1.0, not",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            dask_cluster.other_version("distributed"),
            "distributed is 1999.1.0, not",
            marks=pytest.mark.nightly,
        ),
        pytest.param(
            "import numpy, sys; sys.byteorder = 'odd'", "of odd endian", marks=pytest.mark.nightly
        ),
        pytest.param(
            "import os; os.environ['GUESSBOOK_PURE'] = '1'", "engine", marks=pytest.mark.nightly
        ),
    ],
    ids=["no guessbook", "guessbook", "distributed", "Python", "no engine"],
)
def test_worker_that_cannot_build_is_rejected(before: str, said: str) -> None:
    with (
        dask_cluster.scheduler() as address,
        dask_cluster.worker(address),
        dask_cluster.worker(address, before=before),
    ):
        with pytest.raises(gb.BuildError, match=r"the worker tcp://.* cannot build") as error:
            build(address)
        assert said in str(error.value)


@pytest.mark.nightly
def test_scheduler_of_another_version_is_rejected() -> None:
    with (
        dask_cluster.scheduler(before=dask_cluster.other_version("distributed")) as address,
        pytest.raises(gb.BuildError, match=r"has version 1999\.1\.0 of the package distributed"),
    ):
        build(address)


@pytest.mark.nightly
def test_scheduler_without_workers_is_rejected_after_half_a_minute() -> None:
    with (
        dask_cluster.scheduler() as address,
        pytest.raises(gb.BuildError, match=f"dask worker {address}"),
    ):
        build(address)


@pytest.mark.slow
def test_address_of_a_worker_is_rejected(two_workers: dask_cluster.Cluster) -> None:
    from distributed import Client

    start: Any = Client
    with start(two_workers.address, set_as_default=False) as client:
        address = next(iter(client.scheduler_info()["workers"]))
    with pytest.raises(gb.BuildError, match="another program answers"):
        build(address)


@pytest.mark.posix
@pytest.mark.nightly
def test_documented_tls_rejects_clients_without_a_certificate(tmp_path: Path, root: Path) -> None:
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
    for name in variables:
        assert re.sub("SCHEDULER|WORKER|CLIENT", "${role}", name) in page

    def command(address: str, more: dict[str, str]) -> int:
        options = f"build-book --pegs 3 --colors 4 --force -o {tmp_path}/a --scheduler {address}"
        done = subprocess.run(
            [sys.executable, "-m", "guessbook", *options.split()],
            env={**os.environ, **more},
            capture_output=True,
        )
        assert done.stderr.count(b"\n") == (done.returncode != 0)
        return done.returncode

    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        with (
            dask_cluster.scheduler_process(protocol="tls") as (_, address),
            dask_cluster.worker(address),
        ):
            patch.undo()
            assert command(address, variables) == 0
            assert command(address, {}) == 1


# --- addresses without a scheduler ----------------------------------------------------------

# What other programs send when a client connects.
GREETINGS = [
    b"",
    b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
    b"220 mail.example.org ESMTP ready\r\n",
    bytes(3000),
    # The length of a message of a terabyte, and a message that Dask would not send.
    struct.pack("<QQ", 1, 1 << 40),
    struct.pack("<QQQ", 2, 1, 1) + b"\x90\x90",
]


def rejected_by(greeting: bytes) -> str:
    """Build with a server that sends a greeting to every client, and return the error."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            # A program that sends nothing keeps its connections open. The loop ends when the
            # server is shut down, because `accept` then raises OSError.
            with ExitStack() as silent, suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    if greeting:
                        connection.sendall(greeting)
                        connection.close()
                    else:
                        silent.enter_context(connection)

        thread = threading.Thread(target=answer)
        thread.start()
        try:
            with pytest.raises(gb.BuildError, match="no scheduler answers") as error:
                build(f"tcp://127.0.0.1:{server.getsockname()[1]}")
        finally:
            # Closing alone would not wake the thread.
            server.shutdown(socket.SHUT_RDWR)
            thread.join()
    return str(error.value)


def test_programs_that_are_not_a_scheduler_are_rejected() -> None:
    with ThreadPoolExecutor(len(GREETINGS)) as pool:
        errors = list(pool.map(rejected_by, GREETINGS))
    assert all("\n" not in error for error in errors)
    assert "no answer in 5 seconds" in errors[0]


def test_closed_port_is_rejected(run: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    message = complaint(run("build-book", "--scheduler", f"tcp://127.0.0.1:{port}"))
    assert "connection refused" in message
    assert not list(tmp_path.iterdir())


def test_unknown_host_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    for address in ("tcp://nowhere:8786", "tcp://" + "ü" * 70 + ":8786"):
        with pytest.raises(gb.BuildError, match="unknown host"):
            build(address)


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
        8786,
    ],
)
def test_malformed_address_is_rejected(address: Any) -> None:
    with pytest.raises(gb.UsageError, match="tcp://HOST:PORT"):
        build(address)


def test_tls_address_without_certificates_is_rejected() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        pytest.raises(gb.BuildError, match="no scheduler answers"),
    ):
        build(f"tls://127.0.0.1:{server.getsockname()[1]}")


def test_build_without_dask_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(gb.BuildError, match=r"\[cluster\]"):
        build("tcp://127.0.0.1:1")

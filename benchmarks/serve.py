"""Measure the server: hints per second over loopback, and the time of each.

    python benchmarks/serve.py [BOOK]

BOOK is mastermind-4x6 by default. The server and its clients run in separate processes on the same
machine. Each client keeps its connection, and sends a request after the answer to the last one.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from guessbook.front import open_book

if TYPE_CHECKING:
    from collections.abc import Sequence

    from guessbook.book.strategy import Node

CONNECTIONS = (1, 8, 32)
REQUESTS = 2000
ROUNDS = 6  # the one with the lowest 99th percentile counts
START = "from guessbook.command.main import main; main()"


class Load(NamedTuple):
    """Seconds of a load: in total, of each request, and of the server's processor."""

    seconds: float
    each: list[float]
    busy: float = 0.0


def main(source: str) -> None:
    """Start a server, put it under load, and print the table."""
    histories = paths(open_book(source).root, [])
    command = [sys.executable, "-c", START, "serve", source, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        port = int(server.stdout.readline().split("http://127.0.0.1:")[1].split("/")[0])
        try:
            print(f"{'':34}{'requests/s':>12}{'p50':>10}{'p99':>10}{'processor':>12}")
            measured(port, 8, sample(histories, REQUESTS))  # a warm-up
            for connections in CONNECTIONS:
                loads = []
                for _ in range(ROUNDS):
                    before = processor(server.pid)
                    load = measured(port, connections, sample(histories, REQUESTS))
                    loads.append(load._replace(busy=processor(server.pid) - before))
                show(f"on the book, {connections} connections", min(loads, key=late))
            if source == "mastermind-4x6":
                off(port, histories)
            print(f"memory of the server: {memory(server.pid) / 1e6:.0f} MB")
        finally:
            server.terminate()


def off(port: int, histories: Sequence[str]) -> None:
    """Measure off-book hints, then on-book hints while another client asks for off-book ones."""
    codes = [f"R{a}{b}{c}" for a in "YGB" for b in "YGBO" for c in "YGBOP"]
    strays = [f"{code}={answer}" for code in codes for answer in ("0,1", "0,2", "1,0", "1,1")]
    show("off the book, the first", measured(port, 1, strays[:1]))
    show("off the book, 1 connection", measured(port, 1, strays))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        beside = pool.apply_async(measured, (port, 1, [f"{s}&OOPP=0,0" for s in strays] * 2))
        load = measured(port, 8, sample(histories, REQUESTS))
        show("on the book, 8, live ones beside", load)
        beside.get()


def late(load: Load) -> float:
    """The 99th percentile of the seconds of a request."""
    return sorted(load.each)[len(load.each) * 99 // 100]


def show(what: str, load: Load) -> None:
    """Print a line of the table."""
    ordered = sorted(load.each)
    median = statistics.median(ordered)
    rate = len(ordered) / load.seconds
    busy = f"{load.busy / len(ordered) * 1e6:>9.0f} us" if load.busy else ""
    print(f"{what:34}{rate:>12,.0f}{median * 1e3:>7.2f} ms{late(load) * 1e3:>7.2f} ms{busy}")


def measured(port: int, connections: int, queries: Sequence[str]) -> Load:
    """Send all queries over several connections, and measure the load."""
    return asyncio.run(load(port, connections, queries))


async def load(port: int, connections: int, queries: Sequence[str]) -> Load:
    """Do the work of `measured` within an event loop."""
    each: list[float] = []

    async def client(part: Sequence[str]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for query in part:
            start = time.perf_counter()
            writer.write(f"GET /hint?{query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            size = int(head.split(b"content-length: ")[1].split(b"\r\n")[0])
            answer = json.loads(await reader.readexactly(size))
            each.append(time.perf_counter() - start)
            assert head.startswith(b"http/1.1 200") or "suspects" in answer
        writer.close()

    start = time.perf_counter()
    await asyncio.gather(*[client(queries[k::connections]) for k in range(connections)])
    return Load(time.perf_counter() - start, each)


def paths(node: Node, entries: list[str]) -> list[str]:
    """The queries that lead to a node and all nodes below it."""
    found = ["&".join(entries)]
    for feedback, child in node.children.items():
        found += paths(child, [*entries, f"{node.guess}={feedback}"])
    return found


def sample(histories: Sequence[str], count: int) -> list[str]:
    """Draw histories at random, with replacement; every call draws the same ones."""
    return random.Random(1).choices(histories, k=count)


def processor(pid: int) -> float:
    """The processor time that a process has used, in seconds (Linux)."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> int:
    """The resident memory of a process, in bytes (Linux)."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:  # noqa: PTH123
        line = next(line for line in status if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "mastermind-4x6")

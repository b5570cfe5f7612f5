"""Run the command in a pseudo-terminal."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTINGS = {"TERM": "xterm-256color", "COLUMNS": "80", "PYTHONPATH": os.pathsep.join(sys.path)}
START = "import sys; from importlib.metadata import entry_points\n" + (
    "(s,) = entry_points(group='console_scripts', name='guessbook'); s.load()()"
)


class Terminal:
    """A `guessbook` process in a pseudo-terminal."""

    def __init__(self, process: int, master: int) -> None:
        self.process = process
        self._master = master
        self._read = b""

    @property
    def text(self) -> str:
        """The output so far, without escape sequences."""
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self._read.decode("utf-8", "replace"))

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def wait_for(self, text: str, times: int = 1) -> None:
        """Wait until the output contains a text at least `times` times."""
        end = time.monotonic() + 60
        while self.text.count(text) < times:
            assert self._more(end), self.text

    def exit_code(self) -> int:
        """Wait for the process to end, and return its exit code."""
        end = time.monotonic() + 60
        while self._more(end):
            pass
        _, status = os.waitpid(self.process, 0)
        self.process = 0
        return os.waitstatus_to_exitcode(status)

    def _more(self, end: float) -> bool:
        """Read more output; return False at its end or after the deadline."""
        ready, _, _ = select.select([self._master], [], [], max(0.0, end - time.monotonic()))
        try:
            read = os.read(self._master, 1 << 16) if ready else b""
        except OSError:
            return False
        self._read += read
        return bool(read)


@contextmanager
def terminal(*arguments: object, **settings: str) -> Iterator[Terminal]:
    """Run `guessbook` in a terminal, with additional environment variables."""
    import pty

    environment = {name: v for name, v in os.environ.items() if name != "NO_COLOR"}
    command = [sys.executable, "-c", START, *map(str, arguments)]
    process, master = pty.fork()
    if not process:
        os.execve(sys.executable, command, {**environment, **SETTINGS, **settings})
    found = Terminal(process, master)
    try:
        yield found
    finally:
        if found.process:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        os.close(master)

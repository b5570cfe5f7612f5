"""A Dask plugin that stores the context of a build on each worker of a cluster."""

from threading import Lock
from typing import Any

from distributed import WorkerPlugin

from guessbook.builder.executors.context import Context


class ContextPlugin(WorkerPlugin):
    """A plugin that creates a copy of a context when the worker's first task needs it, which may take seconds.

    Dask sends a copy of the plugin to each worker, also to workers that join later. A task could not return the context
    instead, because Dask stores a result on one worker only.
    """

    def __init__(self, context: Context) -> None:
        self._make, self._arguments = context.__reduce__()

    def setup(self, worker: Any) -> None:
        """Prepare an empty context on a worker; Dask calls this when the plugin arrives."""
        self._lock, self._made = Lock(), list[Context]()

    def context(self) -> Context:
        """Return the context of this worker; the first call creates it."""
        with self._lock:
            if not self._made:
                self._made.append(self._make(*self._arguments))
            return self._made[0]
